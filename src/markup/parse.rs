//! The one parser, with the extensions that are on.

use pulldown_cmark::{OffsetIter, Options, Parser};

/// What the common renderers know beside `CommonMark`.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
}

/// Markdown as events, each with its bytes of the text.
pub(crate) fn events(text: &str) -> OffsetIter<'_> {
    Parser::new_ext(text, options()).into_offset_iter()
}
