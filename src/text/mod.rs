//! Text as a terminal can show it: what is drawn for each cluster and how wide it is, safe copies, and rows at a width.
//!
//! Everything in a response is hostile, so no character that steers a terminal, reorders a line or hides itself gets
//! through unseen. Offsets are bytes, widths are terminal cells. Nothing here panics, whatever the text.

mod class;
mod html;
mod ranges;
mod sanitize;
#[cfg(test)]
mod tests;
mod width;
mod wrap;

pub use html::{html_links, html_text};
pub use ranges::merge_ranges;
pub use sanitize::{one_line, sanitize, stand_in, strays};
pub use width::{Cell, TAB, cell, truncate, width};
pub use wrap::Rows;
