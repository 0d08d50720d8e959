//! A response in the forms that people paste and programs read. The clipboard uses the same functions.

pub mod csv;
pub mod fit;
pub mod html;
pub mod json;
pub mod label;
pub mod markdown;
pub mod numbering;
mod options;
pub mod secrets;
mod targets;
#[cfg(feature = "app")]
pub mod template;
pub mod terminal;
pub mod write;

pub use options::{Colours, Exported, Options, Part, Reviews};
pub use targets::{Make, MenuRow, Needs, Parts, TARGETS, Target, menu, target, targets_markdown};
