//! What a format is: a row of facts, and a fold over the frames of a record.

use crate::json::{Cx, Peek, wire};
use crate::model::Response;

/// A provider format.
pub struct Format {
    /// Stable id, as in the machine output.
    pub id: &'static str,
    /// Name for people, in a word or two.
    pub short: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it reads, in one line.
    pub reads: &'static str,
    /// Keys of which one alone settles the matter, so that the rest of a frame need not be looked at.
    pub(super) stop: &'static [&'static str],
    pub(super) recognise: fn(&Peek) -> bool,
    pub(super) group: fn(&Peek) -> Group,
    pub(super) fold: fn() -> Box<dyn Fold>,
}

/// How a frame belongs with its neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Group {
    /// A record of its own.
    Alone,
    /// One of a stream: the id its frames share, whether it is the last of its kind, and whether it only closes one
    /// (a frame without content that belongs with what came before).
    Stream {
        /// Shared id, if the format has one.
        id: Option<String>,
        /// Ends the record where there are no ids.
        ends: bool,
        /// Ends the record even where ids go on: what follows is a further run.
        closes: bool,
        /// Belongs with the frame before it in any case.
        follows: bool,
    },
}

/// Frames of a record, one at a time, into responses.
pub trait Fold {
    /// Takes a frame. After an error nothing of the frame was taken.
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error>;
    /// The responses, with what is known only at the end.
    fn finish(self: Box<Self>) -> Vec<Response>;
}

/// Reads a wire struct from a frame; JSON that follows the value is an error.
pub fn read<'de, T: wire::Wire<'de> + Default>(text: &'de str, cx: &Cx) -> Result<T, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = T::read(&mut deserializer, cx)?;
    deserializer.end()?;
    Ok(value.unwrap_or_default())
}
