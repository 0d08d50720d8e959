//! citescope's own neutral form, schema `citescope/1`, opened again: a document of responses, or one a line.
//! What was sent is taken as it stands; what was worked out from it (places, fit, evidence, findings) is
//! worked out anew.

use std::borrow::Cow;

use crate::form::{self, Reader};
use crate::format::building;
use crate::format::google;
use crate::format::interface::{self, Format, FrameGroup, begin, read};
use crate::json::Peek;
use crate::json::wire::Cx;
use crate::model::{Origin, Path, Response, SCHEMA, SearchSuggestions, Step};

pub const FORMAT: Format = Format {
    id: "citescope",
    vendor: "citescope",
    short: "citescope",
    name: "citescope's own neutral form (schema citescope/1)",
    reads: "what `citescope export --to json` and `--to jsonl` wrote; each response keeps the format it came \
        from",
    offsets: "as first read",
    decisive: &["schema"],
    recognise: |peek| peek.word("schema").as_deref() == Some(SCHEMA),
    group: |_: &Peek| FrameGroup::Alone,
    fold: begin::<Opened>,
    derives: true,
    first_path,
    refuses: |peek| {
        let other = peek.word("schema").is_some_and(|schema| schema.starts_with("citescope"));
        other.then_some("output of citescope other than schema citescope/1")
    },
    samples: &[sample!(
        "neutral.jsonl",
        "citescope's own neutral form, `export --to jsonl`",
        "two responses exported from other samples and opened again: a Bigdata.com workflow and a skipped Discovery Engine answer"
    )],
    ..Format::PLAIN
};

/// A field that was read from another form stands under its path there.
fn first_path(path: &Path) -> Option<String> {
    match path.steps().as_slice() {
        [.., Step::Key(list), Step::Key(path)] if list == "extra" && path.starts_with('$') => {
            Some(path.clone())
        }
        _ => None,
    }
}

#[derive(Default, Clone)]
struct Opened(Vec<Response>);

impl interface::FoldState for Opened {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        if Peek::of(text, &["responses"]).has("responses") {
            let document: form::Document = read(text, cx)?;
            let list = root.key("responses");
            self.0.extend(
                document
                    .responses
                    .into_vec()
                    .into_iter()
                    .enumerate()
                    .map(|(index, sent)| response(sent, &list.item(index))),
            );
        } else {
            self.0.push(response(read(text, cx)?, &root));
        }
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        self.0
    }
}

/// A response with what only a format knows: what the blob of its suggestions holds.
fn response(mut sent: form::Response<'_>, origin: &Origin) -> Response {
    let format = std::mem::take(&mut sent.format).or_empty();
    let mut out = sent.read(Reader::new(origin));
    out.format = Some(Cow::Owned(format));
    if let Some(about) = out.about.get_mut() {
        about.suggestions = about.suggestions.take().map(suggestions);
    }
    out
}

fn suggestions(sent: SearchSuggestions) -> SearchSuggestions {
    google::suggestions(google::SearchEntryPoint { html: sent.html, blob: sent.blob })
}
