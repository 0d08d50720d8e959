//! Pieces of a response as the reference pages show them: bare grounding metadata, supports, chunks,
//! references. They are shown as far as they go, with a remark on what is missing.

use super::bigdata::{Library, Reference};
use super::google::lowering;
use super::google::wire::GroundingMetadata;
use crate::format::building;
use crate::format::interface::{self, Boundary, Format, Group, begin, read};
use crate::json::Peek;
use crate::json::wire::{Cx, wire};
use crate::model::{RemarkKind, Response, Unit};

pub const FORMAT: Format = Format {
    id: "fragment",
    short: "fragment",
    name: "A fragment: bare grounding metadata, supports, chunks or references",
    reads: "GroundingMetadata, GroundingSupport, GroundingChunk, SearchEntryPoint, GroundingReference; one \
        or a list",
    recognise: |peek| piece(peek).is_some(),
    group: |_: &Peek| Group::Stream { id: Some("fragment".to_owned()), boundary: Boundary::Continues },
    fold: begin::<Pieces>,
    ..Format::PLAIN
};

wire! {
    struct References {
        references: Vec<Reference> = "references";
    }

    struct Wrapped {
        metadata: Option<GroundingMetadata> = "groundingMetadata";
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Metadata,
    Wrapped,
    Support,
    Chunk,
    References,
    Reference,
}

fn piece(peek: &Peek) -> Option<Piece> {
    let metadata = [
        "groundingChunks",
        "groundingSupports",
        "webSearchQueries",
        "searchEntryPoint",
        "retrievalQueries",
        "groundingAttributions",
    ];
    if peek.has("groundingMetadata") {
        Some(Piece::Wrapped)
    } else if peek.has_any(&metadata) {
        Some(Piece::Metadata)
    } else if peek.has("groundingChunkIndices")
        || peek.below("segment").is_some_and(|segment| segment.has_any(&["startIndex", "endIndex", "text"]))
    {
        Some(Piece::Support)
    } else if ["web", "retrievedContext", "maps"]
        .iter()
        .any(|key| peek.below(key).is_some_and(|chunk| is_chunk(&chunk)))
    {
        Some(Piece::Chunk)
    } else if peek.first("references").is_some_and(|first| is_reference(&first)) {
        Some(Piece::References)
    } else if is_reference(peek) {
        Some(Piece::Reference)
    } else {
        None
    }
}

fn is_chunk(peek: &Peek) -> bool {
    peek.has_any(&["uri", "title", "text", "ragChunk", "placeId"])
        && !peek.has_any(&["clientId", "clientSecret"])
}

fn is_reference(peek: &Peek) -> bool {
    peek.has("start") && peek.has("end") && peek.has_any(&["auditId", "actionAuditsId", "toolName"])
}

#[derive(Default, Clone)]
struct Pieces {
    response: Response,
    library: Library,
}

impl interface::State for Pieces {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        let response = &mut self.response;
        match piece(&Peek::of(text, &[])) {
            Some(Piece::Metadata) => lowering::metadata(response, read(text, cx)?, &root),
            Some(Piece::Wrapped) => {
                let wrapped: Wrapped = read(text, cx)?;
                lowering::metadata(
                    response,
                    wrapped.metadata.unwrap_or_default(),
                    &root.key("groundingMetadata"),
                );
            }
            Some(Piece::Support) => {
                let count = response.sources.len();
                response.supports.push(lowering::support(read(text, cx)?, root, count));
            }
            Some(Piece::Chunk) => response.sources.push(lowering::source(read(text, cx)?, root)),
            Some(Piece::References) => {
                let list: References = read(text, cx)?;
                let base = root.key("references");
                for (index, reference) in list.references.into_iter().enumerate() {
                    self.library.reference(response, reference, base.item(index));
                }
                response.unit = Unit::Characters;
            }
            Some(Piece::Reference) => {
                self.library.reference(response, read(text, cx)?, root);
                response.unit = Unit::Characters;
            }
            None => {}
        }
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        let mut response = self.response;
        let mut missing = vec!["the answer text (give it with --answer FILE)"];
        if response.sources.is_empty() {
            missing.push("the chunks");
        }
        if response.supports.is_empty() {
            missing.push("the supports");
        }
        let what = format!("a fragment of a response; missing: {}", missing.join(", "));
        let origin = response.origin.clone();
        building::remark(&mut response, RemarkKind::Fragment, &origin, &what);
        building::settle(&mut response);
        vec![response]
    }
}
