//! One response and all that follows from it: its supports placed, its claims compared with the passages
//! cited for them, its repairs, its findings, and where each thing stands in the input.

pub mod comparison;
mod complete;
mod cut_secrets;
mod handles;
mod joined;
mod listed;
mod of_record;
mod owned;
mod pieces;
mod placed;
mod refusal;
pub mod repair;
mod rivals;
mod sent;
mod splice;
mod unsaid;

pub use complete::Review;
pub use handles::{Places, SourceRef, SupportRef};
pub use of_record::ReviewOptions;
pub(crate) use of_record::find_extras;
pub use placed::{Placed, Span};
pub use sent::{InputPlace, Secrets, Sent};
pub use splice::Splice;
pub use unsaid::Extra;
