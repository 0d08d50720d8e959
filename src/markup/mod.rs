//! Markdown read once, for everybody: what is code, where a mark may stand, marks put in and taken out.
//!
//! Every reading goes through `events`, so that no two parts of the program can disagree on what is a table
//! or code. What was put into a text is remembered in [`Marked`], so that taking it out gives the text back
//! byte for byte.

mod code;
mod marked;
mod marks;
mod math;
mod outline;
mod parse;
mod places;
mod safe;
mod scopes;
mod settle;
mod structure;
mod weight;
mod words;

pub use code::{code_blocks, code_spans, contains};
pub use marked::{Insertion, Marked};
pub use marks::{Mark, MarkStyle, Replaces, insert};
pub use math::verbatim;
pub(crate) use parse::events;
pub use places::{MarkPlace, place};
pub use safe::Safe;
pub use scopes::Scopes;
pub use structure::Structure;
pub use weight::{NODE, is_too_dense, signs, too_dense_beside};
pub use words::shown_before;
