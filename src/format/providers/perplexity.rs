//! Perplexity's chat completions: `[n]` in the text counts the list beside it from 1.

use crate::format::chat::{Chat, Dialect, FAMILY, dialect, group};
use crate::format::interface::{Format, begin};

pub const FORMAT: Format = Format {
    id: Dialect::Listed.format(),
    vendor: "Perplexity",
    short: "Perplexity",
    name: "Perplexity chat completion (Sonar; older xAI chat)",
    reads: "completions and streams with citations and search_results; `[n]` in the text",
    offsets: "none: `[n]` in the text",
    family: FAMILY,
    recognise: |peek| dialect(peek) == Some(Dialect::Listed),
    group,
    fold: begin::<Chat>,
    samples: &[sample!(
        "perplexity.json",
        "Perplexity chat completion",
        "`[n]` over a numbered list, snippets, an attached file, a thought; `[7]` names nothing"
    )],
    ..Format::PLAIN
};
