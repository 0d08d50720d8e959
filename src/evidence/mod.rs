//! Does the cited chunk hold the wording of the claim, and does another chunk fit better?
//!
//! Pure: no input or output, clock or state. `Index` the chunks of a response once, prepare each `Claim` for
//! it, and ask a `Scorer`. Nothing here says whether a claim is right, only what was compared and how much of
//! it was found.

mod build;
mod cited;
mod claim;
mod clean;
mod cover;
mod effort;
mod explain;
mod fold;
mod index;
mod intern;
mod language;
mod marks;
mod names;
mod numbers;
mod profile;
mod rewrite;
mod scratch;
mod search;
mod shift;
mod tokens;
mod verdict;
mod windows;
mod words;

pub use build::Indexer;
pub use cited::Cited;
pub use claim::Claim;
pub use cover::{Covered, Scorer, WHOLE_SHARE, WINDOW_WORTH, Window};
pub use explain::{ExplainedToken, Explanation};
pub use index::{ChunkId, ChunkText, Index};
pub use language::{LANGUAGE_WORDS, SCRIPT_SHARE, SHORT_WORD_SHARE, SHORT_WORD_SHARE_ENGLISH};
pub use marks::ClaimMarks;
pub use profile::{ENGLISH, NOT_ENGLISH};
pub(crate) use scratch::Scratch;
pub use search::Other;
pub use shift::{SHIFT_LEAST, SHIFT_PRIOR, Shift};
pub use tokens::{Token, TokenKind, tokens, weight};
pub use verdict::{Backing, CLAIM_WEIGHT, FOUND, MARGIN, OTHER_COVER, Outcome, PARTLY, Reason, THRESHOLDS};
pub use windows::{SENTENCE_COST, WINDOW_SENTENCES};
