//! Text of any script: its sentences and classes of characters; and text as a terminal can show it: what is
//! drawn for each cluster and how wide it is, safe copies, and rows at a width.
//!
//! Everything in a response is hostile, so no character that steers a terminal, reorders a line or hides
//! itself gets through unseen. Offsets are bytes, widths are terminal cells. Nothing here panics, whatever
//! the text.

mod address;
pub(crate) mod chars;
mod clusters;
mod direction;
mod doubled;
mod html;
mod lead;
mod line_class;
mod listed;
mod plural;
mod ranges;
mod sanitize;
mod score;
mod sentences;
mod shortened;
#[cfg(test)]
mod tests;
mod width;
mod wrap;

pub use address::{
    address_or_name, host, is_web, past_added, plain_address, plain_host, unambiguous, web_address,
};
pub(crate) use chars::{BRACKETS, Class, class, is_blank, is_in_word};
pub use clusters::Clusters;
pub use direction::direction;
pub use doubled::doubled;
pub use html::{html_links, html_text};
pub use lead::line_lead;
pub use listed::{is_comma, listed_numbers};
pub use plural::{and_more, counted, form, plural};
pub use ranges::merge_ranges;
pub use sanitize::{
    escaped_in_json, one_line, sanitize, stand_in, strays, without_commands, without_line_commands,
};
pub use score::score_words;
pub(crate) use sentences::{
    continues, ends_in_abbreviation, ends_sentence, is_clause_stop, is_own_stop, is_wide_stop, sentence_ends,
    sentence_start, split_sentences,
};
pub(crate) use shortened::goes_on_behind_stop;
pub use width::{Cell, TAB, cell, truncate, truncate_front, width};
pub use wrap::Rows;
