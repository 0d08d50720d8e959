//! Azure OpenAI On Your Data: `[docN]` in the text counts the documents of the message's context from 1.

use crate::format::chat::{Chat, Dialect, FAMILY, dialect, group};
use crate::format::interface::{Format, begin};

pub const FORMAT: Format = Format {
    id: Dialect::OwnData.format(),
    vendor: "Microsoft",
    short: "Azure On Your Data",
    name: "Azure OpenAI On Your Data",
    reads: "completions and streams with a context of documents; `[docN]` in the text",
    offsets: "none: `[docN]` in the text",
    family: FAMILY,
    recognise: |peek| dialect(peek) == Some(Dialect::OwnData),
    group,
    fold: begin::<Chat>,
    samples: &[sample!(
        "azure-oyd.json",
        "Azure OpenAI On Your Data",
        "`[docN]` over the documents of the context, queries and what was left out; `[doc4]` names nothing"
    )],
    ..Format::PLAIN
};
