//! A response as one HTML page: the answer with its spans, their sources beside, the findings. No script, no
//! outside request, light and dark, readable by keyboard, on a phone and on paper.

mod answer;
mod document;
mod page;
mod paper;
mod parts;
mod write;

pub use document::page;
pub(super) use write::escaped;
