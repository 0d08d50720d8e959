//! Chunks to sources, and the flagging addresses that belong to them.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::json::values::Word;
use crate::json::wire::{self, Cx, Object, Reader, Unreadable, wire};
use crate::model::{Chunk, Label, MapsPlace, Origin, PlaceReview, Response, Source, SourceKind};

wire! {
    pub struct Web {
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        domain: Option<String> = "domain";
    }

    pub struct RetrievedContext {
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        text: Option<String> = "text";
        document: Option<String> = "documentName";
        rag: Option<RagChunk> = "ragChunk";
        page: Option<Word> = "pageNumber";
    }

    pub struct RagChunk {
        text: Option<String> = "text";
        pages: Option<PageSpan> = "pageSpan";
        id: Option<Word> = "chunkId";
    }

    pub struct PageSpan {
        first: Option<i64> = "firstPage";
        last: Option<i64> = "lastPage";
    }

    pub struct Maps {
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        text: Option<String> = "text";
        place_id: Option<String> = "placeId";
        sources: Option<PlaceAnswerSources> = "placeAnswerSources";
    }

    pub struct PlaceAnswerSources {
        reviews: Vec<ReviewSnippet> = "reviewSnippets" | "reviewSnippet";
        flag: Option<String> = "flagContentUri";
    }

    pub struct ReviewSnippet {
        id: Option<String> = "reviewId";
        uri: Option<String> = "googleMapsUri";
        title: Option<String> = "title";
        text: Option<String> = "review";
        flag: Option<String> = "flagContentUri";
    }

    pub struct Image {
        uri: Option<String> = "sourceUri";
        title: Option<String> = "title";
        domain: Option<String> = "domain";
    }

    pub struct KnownChunk {
        web: Option<Web> = "web";
        retrieved: Option<Box<RetrievedContext>> = "retrievedContext";
        maps: Option<Box<Maps>> = "maps";
        image: Option<Box<Image>> = "image";
    }

    pub struct SourceFlaggingUri {
        id: Option<String> = "sourceId";
        uri: Option<String> = "flagContentUri";
    }
}

/// A chunk: a union by key. A kind that is not documented keeps its place, its key and its value.
#[derive(Debug, Default, Clone)]
pub struct GroundingChunk {
    /// The documented kinds.
    pub known: KnownChunk,
    /// Any other: key and value.
    pub other: Option<Box<(String, Value)>>,
}

impl Object for GroundingChunk {
    const TAKES: usize = 1152;

    fn set(
        &mut self,
        key: &str,
        reader: &mut Reader<'_>,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, Unreadable> {
        if self.known.set(key, reader, cx, seen)? {
            return Ok(true);
        }
        if cx.surveys() || key.contains('_') && crate::json::camel(key) == "retrievedContext" {
            return Ok(false);
        }
        let mut value: Option<Value> = None;
        wire::field(("", 63, wire::Listed::No), &mut value, reader, cx, &mut 0)?;
        if let Some(value) = value {
            self.other.get_or_insert_with(|| Box::new((key.to_owned(), value)));
        }
        Ok(true)
    }
}

impl GroundingChunk {
    /// How many kinds of the union are set.
    pub(super) fn kinds(&self) -> usize {
        let KnownChunk { web, retrieved, maps, image } = &self.known;
        // A field that is no object is none.
        let other = self.other.as_ref().is_some_and(|other| other.1.is_object());
        [web.is_some(), retrieved.is_some(), maps.is_some(), image.is_some(), other]
            .into_iter()
            .filter(|&set| set)
            .count()
    }
}

/// A source from a chunk: of the first documented kind that is set; what the others hold is under
/// the further fields.
pub fn source(chunk: GroundingChunk, origin: Origin) -> Source {
    let blank = || Source { origin: origin.clone(), ..Source::default() };
    let KnownChunk { web, retrieved, maps, image } = chunk.known;
    match (web, retrieved, maps, image, chunk.other) {
        (Some(web), ..) => {
            Source { kind: SourceKind::Web, uri: web.uri, title: web.title, domain: web.domain, ..blank() }
        }
        (_, Some(context), ..) => retrieved_context(*context, blank()),
        (_, _, Some(maps), ..) => place(*maps, blank()),
        (.., Some(image), _) => Source {
            kind: SourceKind::Image,
            uri: image.uri,
            title: image.title,
            domain: image.domain,
            ..blank()
        },
        (.., Some(other)) => unknown(other.0, &other.1, blank()),
        _ => blank(),
    }
}

/// A chunk of a kind that is not documented, by the fields that most have.
fn unknown(key: String, value: &Value, mut out: Source) -> Source {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    out.title = text("title");
    out.uri = text("uri").or_else(|| text("url"));
    out.id = text("id").or_else(|| text("name"));
    let passage = text("text").or_else(|| text("content")).map(|text| Chunk { text, ..Chunk::default() });
    out.chunks = passage.into_iter().collect();
    Source { kind: SourceKind::Unknown(key.into()), ..out }
}

fn retrieved_context(wire: RetrievedContext, mut out: Source) -> Source {
    let page = wire.page.map(|word| word.0);
    let text = wire.text;
    let rag = wire.rag.unwrap_or_default();
    let pages = rag.pages.and_then(|span| match (span.first, span.last) {
        (Some(first), Some(last)) if first != last => Some(format!("{first}–{last}")),
        (first, last) => first.or(last).map(|page| page.to_string()),
    });
    let (pages, name) = (pages.or_else(|| page.clone()), rag.id.map(|word| word.0));
    if rag.text.is_none() || rag.text == text {
        let there = text.is_some() || pages.is_some() || name.is_some();
        let text = text.unwrap_or_default();
        let passage = there.then(|| Chunk { text, page: pages, name, ..Chunk::default() });
        out.chunks = passage.into_iter().collect();
    } else {
        out.chunks.extend(text.map(|text| Chunk { text, page, ..Chunk::default() }));
        out.chunks.extend(rag.text.map(|text| Chunk {
            text,
            page: pages,
            name,
            label: Some(Label::RagChunk),
            ..Chunk::default()
        }));
    }
    Source {
        kind: SourceKind::Document,
        uri: wire.uri,
        title: wire.title,
        id: wire.document.clone(),
        document: wire.document,
        ..out
    }
}

fn place(wire: Maps, mut out: Source) -> Source {
    let passage = wire.text.map(|text| Chunk { text, label: Some(Label::PlaceAnswer), ..Chunk::default() });
    out.chunks = passage.into_iter().collect();
    let answers = wire.sources.unwrap_or_default();
    let review = |review: ReviewSnippet| PlaceReview {
        id: review.id,
        title: review.title,
        uri: review.uri,
        text: review.text,
        flag_uris: review.flag.into_iter().collect(),
    };
    let place = MapsPlace {
        id: wire.place_id,
        reviews: answers.reviews.into_iter().map(review).collect(),
        flag_uris: answers.flag.into_iter().collect(),
    };
    Source { kind: SourceKind::Place, uri: wire.uri, title: wire.title, place: place.into(), ..out }
}

/// Sources of one place to which an address is joined.
const SAME_PLACE: usize = 16;

/// Flagging addresses join to the place by its id, with or without `places/`, or to the review by its id;
/// also those that came before it.
pub fn join_flags(response: &mut Response) {
    if response.about.flags_unmatched.is_empty() {
        return;
    }
    let list = std::mem::take(&mut response.about.flags_unmatched);
    let bare = |id: &str| id.strip_prefix("places/").unwrap_or(id).to_owned();
    let mut places: HashMap<String, Vec<(usize, Option<usize>)>> = HashMap::new();
    for (number, source) in response.sources.iter().enumerate() {
        let place = source.place.id.iter().map(|id| (bare(id), None));
        let reviews = source
            .place
            .reviews
            .iter()
            .enumerate()
            .filter_map(|(review, entry)| Some((entry.id.clone()?, Some(review))));
        for (id, review) in place.chain(reviews) {
            places.entry(id).or_default().push((number, review));
        }
    }
    // Of a place that was sent many times the first few are told.
    let mut seen: HashSet<(String, String)> = HashSet::new();
    for (id, uri) in list {
        if !seen.insert((bare(&id), uri.clone())) {
            continue;
        }
        let Some(hits) = places.get(&bare(&id)).or_else(|| places.get(&id)) else {
            response.about.flags_unmatched.push((id, uri));
            continue;
        };
        for &(source, review) in hits.iter().take(SAME_PLACE) {
            let Some(source) = response.sources.get_mut(source) else { continue };
            let list = match review {
                None => Some(&mut source.place.flag_uris),
                Some(review) => source.place.reviews.get_mut(review).map(|review| &mut review.flag_uris),
            };
            if let Some(list) = list.filter(|list| list.len() > SAME_PLACE || !list.contains(&uri)) {
                list.push(uri.clone());
            }
        }
    }
}
