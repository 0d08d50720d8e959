//! The screen. State is plain data; `layout` makes a geometry of it, `update` changes it, `draw` reads it;
//! the terminal and the clipboard are reached from the loop in [`terminal`] only.

pub mod acts;
pub mod answer;
mod browser;
pub mod census;
pub mod clipboard;
pub mod config;
pub mod copy;
pub mod copy_target;
pub mod doc;
pub mod excerpt;
pub mod footer;
pub mod keymap;
pub mod layout;
pub mod page;
pub mod pane;
pub mod panes;
pub mod standing;
pub mod state;
mod steps;
pub mod strength;
pub mod table;
pub mod terminal;
pub mod theme;
pub mod update;
pub mod view;

pub use terminal::{ScreenOptions, leave, run};
