//! Inputs (files, pipes, bytes), their containers, and where the records in them are, never what these mean.
//! Positions are kept, text is read where it is wanted.

mod arrays;
mod backing;
mod encoding;
mod error;
mod event_stream;
mod framing;
mod index;
mod input;
mod known;
mod lines;
mod listing;
mod pieces;
mod places;
mod raw;
mod record;
mod records;
mod spool;
mod streams;
mod text;
mod unfinished;
mod unpack;
mod windows;

pub use backing::Standing;
pub use encoding::is_binary;
pub use error::InputError;
pub use framing::{Container, is_lines};
pub use input::{Before, Input};
pub use known::is_begun_only;
pub use lines::{Line, LineError, Lines, lines_of};
pub use listing::files_below;
pub use pieces::Pieces;
pub use raw::Raw;
pub use record::RecordText;
pub use spool::Spool;
pub use text::LineColumn;
pub use unfinished::Unfinished;
pub use unpack::reader_of;
pub use windows::Windows;
