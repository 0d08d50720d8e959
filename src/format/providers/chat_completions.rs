//! Chat completions as OpenAI's search models, OpenRouter and other gateways annotate them, and any other
//! whose text numbers its sources itself.

use crate::format::chat::{Chat, Dialect, FAMILY, dialect, group};
use crate::format::interface::{Format, begin};

pub const FORMAT: Format = Format {
    id: Dialect::Annotated.format(),
    vendor: "OpenAI",
    short: "Chat Completions",
    name: "Chat Completions (OpenAI, OpenRouter, gateways)",
    reads: "completions, streams and messages alone, with url_citation annotations, what a gateway leaves of others' citations, or `[n]` and a list in the text",
    offsets: "characters; marks that hold their address prove them",
    family: FAMILY,
    recognise: |peek| dialect(peek) == Some(Dialect::Annotated),
    group,
    fold: begin::<Chat>,
    samples: &[sample!(
        "chat-completions.json",
        "Chat Completions with annotations",
        "two choices: marks with offsets, and `[n]` over annotations without any, of which one names no source"
    )],
    ..Format::PLAIN
};
