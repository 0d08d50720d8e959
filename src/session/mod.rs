//! What is open: inputs, their records decoded on demand and kept for a while. The one place that puts the
//! stages together; the screen and the command line call this, not the stages.

mod batches;
mod cache;
mod digest;
mod each_line;
mod error;
mod filter;
mod inputs;
mod marks;
mod named;
mod open;
mod opening;
pub mod parallel;
mod source_texts;

pub use batches::Batches;
pub use cache::RecordReviews;
pub use digest::{Digest, RowKind};
pub use each_line::{LineFault, OneLine, each_line};
pub use error::RecordError;
pub use filter::{Known, ListFilter};
pub use marks::{Agreement, Decision, Marks, ReviewMark};
pub use named::{Named, named};
pub use open::{Session, Supplied};
pub use opening::{News, Opening};
pub use source_texts::{SourceTexts, TextFor};
