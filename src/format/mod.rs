//! Provider formats. Each is a fold over the frames of a record: a file on disk, a live pipe and a replay up
//! to a frame are the same code. To add one: a file in `providers` and a line in its table. Nothing outside
//! knows JSON keys.

mod base64;
mod blocks;
mod building;
mod chat;
mod cites;
mod copied;
mod decode;
mod elsewhere;
mod error;
mod google;
mod growth;
#[macro_use]
mod interface;
mod lists;
mod map;
mod markers;
mod opening;
mod providers;
mod recognise;
mod recovery;
mod refusal;
mod registry;
mod request;
pub mod secrets;
mod service;
mod shelf;
mod slots;
mod sought;
mod steps;
mod stops;
mod torn;

pub use crate::json::Survey;
pub use decode::{
    Decoded, Limits, Replay, decode, flaw_remark, is_place_of_text, note_cut_stream, note_failed_events,
    survey,
};
pub use error::DecodeError;
pub use google::has_supports;
pub use interface::{Boundary, Fold, Format, FrameGroup, Sample, read_within};
pub use lists::{announced as announced_sources, entries as listed_sources};
pub use map::Map;
pub use providers::FORMATS;
pub use providers::propose;
pub(crate) use providers::{is_torn_json, wrapped};
pub use recognise::{FrameKind, claims, is_event, recognise, recognise_document};
pub use refusal::{is_service_error, looks_like, refuse};
pub use registry::{are_related, by_id, formats_markdown, is_redirect, own, what_is_read};
pub use request::Requested;
pub use service::error_body;
