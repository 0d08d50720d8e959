//! Pieces of a response as the reference pages show them: bare grounding metadata, supports, chunks,
//! references. They are shown as far as they go, with a remark on what is missing.

use super::bigdata::{Audit, Library, Reference};
use crate::format::building::{self, Bounded};
use crate::format::google::{
    self, GroundingChunk, GroundingMetadata, GroundingSupport, KnownChunk, RetrievalMetadata,
    SourceFlaggingUri,
};
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::json::Peek;
use crate::json::wire::{Cx, wire};
use crate::model::{Origin, RemarkKind, Response, Unit};

pub const FORMAT: Format = Format {
    id: "fragment",
    short: "fragment",
    name: "A fragment: bare grounding metadata, supports, chunks or references",
    reads: "GroundingMetadata, GroundingSupport, Segment, GroundingChunk, RetrievedContext, Maps, \
        SearchEntryPoint, RetrievalMetadata, SourceFlaggingUri, GroundingReference, AuditTrace; one or a list",
    offsets: "UTF-8 bytes; quotes prove them",
    recognise: |peek| piece(peek).is_some(),
    group,
    fold: begin::<Pieces>,
    ..Format::PLAIN
};

wire! {
    struct References {
        references: Vec<Reference> = "references";
    }

    struct Audits {
        traces: Vec<Audit> = "auditTraces";
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
    EntryPoint,
    Retrieval,
    Flag,
    Audits,
    Audit,
    Place,
    Context,
    Segment,
}

fn piece(peek: &Peek) -> Option<Piece> {
    let metadata = [
        "groundingChunks",
        "groundingSupports",
        "webSearchQueries",
        "searchEntryPoint",
        "retrievalQueries",
        "groundingAttributions",
        "retrievalMetadata",
        "sourceFlaggingUris",
        "imageSearchQueries",
        "googleMapsWidgetContextToken",
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
        below_metadata(peek)
    }
}

fn group(peek: &Peek) -> FrameGroup {
    let boundary = match piece(peek) {
        Some(Piece::Metadata | Piece::Wrapped) => Boundary::Grounds,
        _ => Boundary::Continues,
    };
    let id = match boundary {
        Boundary::Grounds => peek.word("responseId").filter(|id| !id.is_empty()),
        _ => Some("fragment".to_owned()),
    };
    FrameGroup::Stream { id, boundary }
}

/// What stands alone on reference pages, by keys that nothing else has.
fn below_metadata(peek: &Peek) -> Option<Piece> {
    let keys: Vec<&str> = peek.keys().collect();
    let only = |known: &[&str]| keys.iter().all(|key| known.contains(key));
    // A start that is not sent is 0.
    let offsets =
        peek.has("endIndex") && (peek.has_any(&["startIndex", "partIndex", "text"]) || only(&["endIndex"]));
    let named = peek.word("uri").filter(|_| only(&["uri", "title"]));
    let begins = |lead: &str| named.as_deref().is_some_and(|uri| uri.starts_with(lead));
    Some(match () {
        () if peek.has_any(&["renderedContent", "sdkBlob"]) => Piece::EntryPoint,
        () if peek.has("googleSearchDynamicRetrievalScore") => Piece::Retrieval,
        () if peek.has("sourceId") && peek.has("flagContentUri") => Piece::Flag,
        () if peek.has("auditTraces") => Piece::Audits,
        () if peek.has("placeId") && peek.has_any(&["uri", "title", "placeAnswerSources"]) => Piece::Place,
        () if begins("https://maps.google.com/") => Piece::Place,
        () if begins("gs://") => Piece::Context,
        () if peek.has_any(&["ragChunk", "documentName"]) && peek.has_any(&["uri", "title", "text"]) => {
            Piece::Context
        }
        () if is_passage(peek) => Piece::Context,
        () if peek.has("toolId") && peek.has_any(&["results", "query", "auditType"]) => Piece::Audit,
        () if offsets && !peek.has_any(&["sources", "citations", "uri"]) => Piece::Segment,
        () => return None,
    })
}

/// A passage with its place and nothing else.
fn is_passage(peek: &Peek) -> bool {
    let keys: Vec<&str> = peek.keys().collect();
    keys.len() <= 3 && ["uri", "title", "text"].iter().all(|key| keys.contains(key))
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
    sent: google::Sent,
}

impl interface::FoldState for Pieces {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        let response = &mut self.response;
        match piece(&Peek::of(text, &[])) {
            Some(Piece::Metadata) => google::metadata(response, &mut self.sent, read(text, cx)?, &root),
            Some(Piece::Wrapped) => {
                let wrapped: Wrapped = read(text, cx)?;
                google::metadata(
                    response,
                    &mut self.sent,
                    wrapped.metadata.unwrap_or_default(),
                    &root.key("groundingMetadata"),
                );
            }
            Some(Piece::Support) => {
                let count = response.sources.len();
                response.supports.add(google::support(read(text, cx)?, root, count));
            }
            Some(Piece::Chunk) => response.sources.add(google::source(read(text, cx)?, root)),
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
            Some(piece) => self.below_metadata(piece, text, root, cx)?,
            None => {}
        }
        Ok(())
    }

    fn holds(&self) -> usize {
        building::holds(&self.response)
    }

    fn finish(self) -> Vec<Response> {
        let mut response = self.response;
        google::join_flags(&mut response);
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

impl Pieces {
    /// A piece that stands below grounding metadata, or below a message.
    fn below_metadata(
        &mut self,
        piece: Piece,
        text: &str,
        root: Origin,
        cx: &Cx,
    ) -> Result<(), serde_json::Error> {
        let response = &mut self.response;
        let chunk = |known: KnownChunk| GroundingChunk { known, ..GroundingChunk::default() };
        let mut meta = GroundingMetadata::default();
        match piece {
            Piece::EntryPoint => meta.entry_point = Some(read(text, cx)?),
            Piece::Retrieval => meta.retrieval = Some(read::<RetrievalMetadata>(text, cx)?),
            Piece::Flag => meta.flags = vec![read::<SourceFlaggingUri>(text, cx)?],
            Piece::Place => {
                let known = KnownChunk { maps: Some(read(text, cx)?), ..KnownChunk::default() };
                response.sources.add(google::source(chunk(known), root.clone()));
            }
            Piece::Context => {
                let known = KnownChunk { retrieved: Some(read(text, cx)?), ..KnownChunk::default() };
                response.sources.add(google::source(chunk(known), root.clone()));
            }
            Piece::Segment => {
                let wire = GroundingSupport { segment: Some(read(text, cx)?), ..GroundingSupport::default() };
                response.supports.add(google::support(wire, root.clone(), 0));
            }
            Piece::Audits => {
                let list: Audits = read(text, cx)?;
                let base = root.key("auditTraces");
                for (index, audit) in list.traces.into_iter().enumerate() {
                    self.library.audit(response, audit, &base.item(index), cx);
                }
            }
            Piece::Audit => self.library.audit(response, read(text, cx)?, &root, cx),
            _ => {}
        }
        google::metadata(response, &mut self.sent, meta, &root);
        Ok(())
    }
}
