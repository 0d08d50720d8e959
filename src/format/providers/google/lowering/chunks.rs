//! Chunks to sources, and the flagging addresses that belong to them.

use std::collections::HashMap;

use serde_json::Value;

use super::super::wire::{self, KnownChunk};
use crate::model::{Chunk, Label, Origin, PlaceReview, Response, Source, SourceKind};

impl wire::GroundingChunk {
    /// How many kinds of the union are set.
    pub(super) fn kinds(&self) -> usize {
        let KnownChunk { web, retrieved, maps, image } = &self.known;
        [web.is_some(), retrieved.is_some(), maps.is_some(), image.is_some(), self.other.is_some()]
            .into_iter()
            .filter(|&set| set)
            .count()
    }
}

/// A source from a chunk: of the first documented kind that is set; what further kinds hold is added to it.
pub fn source(chunk: wire::GroundingChunk, origin: Origin) -> Source {
    let blank = || Source { origin: origin.clone(), ..Source::default() };
    let KnownChunk { web, retrieved, maps, image } = chunk.known;
    let web = web.map(|web| Source {
        kind: SourceKind::Web,
        uri: web.uri,
        title: web.title,
        domain: web.domain,
        ..blank()
    });
    let retrieved = retrieved.map(|context| retrieved_context(context, blank()));
    let maps = maps.map(|maps| place(maps, blank()));
    let image = image.map(|image| Source {
        kind: SourceKind::Image,
        uri: image.uri,
        title: image.title,
        domain: image.domain,
        ..blank()
    });
    let other = chunk.other.map(|(key, value)| unknown(key, &value, blank()));
    let mut kinds = [web, retrieved, maps, image, other].into_iter().flatten();
    let first = kinds.next().unwrap_or_else(blank);
    kinds.fold(first, |mut source, more| {
        source.title = source.title.or(more.title);
        source.uri = source.uri.or(more.uri);
        source.id = source.id.or(more.id);
        source.document = source.document.or(more.document);
        source.place_id = source.place_id.or(more.place_id);
        source.chunks.extend(more.chunks);
        source.reviews.extend(more.reviews);
        source
    })
}

/// A chunk of a kind that is not documented, by the fields that most have.
fn unknown(key: String, value: &Value, mut out: Source) -> Source {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    out.title = text("title");
    out.uri = text("uri").or_else(|| text("url"));
    out.id = text("id").or_else(|| text("name"));
    out.chunks
        .extend(text("text").or_else(|| text("content")).map(|text| Chunk { text, ..Chunk::default() }));
    Source { kind: SourceKind::Unknown(key), ..out }
}

fn retrieved_context(wire: wire::RetrievedContext, mut out: Source) -> Source {
    let page = wire.page.map(|word| word.0);
    if let Some(rag) = wire.rag {
        let pages = rag.pages.and_then(|span| match (span.first, span.last) {
            (Some(first), Some(last)) if first != last => Some(format!("{first}–{last}")),
            (first, last) => first.or(last).map(|page| page.to_string()),
        });
        let name = rag.id.map(|word| word.0);
        let same = rag.text.is_none() || rag.text == wire.text;
        if same {
            out.chunks.extend(wire.text.map(|text| Chunk { text, page: pages, name, ..Chunk::default() }));
        } else {
            out.chunks.extend(wire.text.map(|text| Chunk { text, page, ..Chunk::default() }));
            out.chunks.extend(rag.text.map(|text| Chunk {
                text,
                page: pages,
                name,
                label: Some(Label::RagChunk),
                ..Chunk::default()
            }));
        }
    } else {
        out.chunks.extend(wire.text.map(|text| Chunk { text, page, ..Chunk::default() }));
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

fn place(wire: wire::Maps, mut out: Source) -> Source {
    out.chunks.extend(wire.text.map(|text| Chunk {
        text,
        label: Some(Label::PlaceAnswer),
        ..Chunk::default()
    }));
    let answers = wire.sources.unwrap_or_default();
    out.flag_uri = answers.flag;
    let review = |review: wire::ReviewSnippet| PlaceReview {
        id: review.id,
        title: review.title,
        uri: review.uri,
        text: review.text,
        flag_uri: review.flag,
    };
    out.reviews = answers.reviews.into_iter().map(review).collect();
    Source { kind: SourceKind::Place, uri: wire.uri, title: wire.title, place_id: wire.place_id, ..out }
}

/// Flagging addresses join to the place by its id, with or without `places/`, or to the review by its id.
pub(super) fn flags(response: &mut Response, list: Vec<wire::SourceFlaggingUri>) {
    let bare = |id: &str| id.strip_prefix("places/").unwrap_or(id).to_owned();
    let mut places: HashMap<String, Vec<(usize, Option<usize>)>> = HashMap::new();
    for (number, source) in response.sources.iter().enumerate() {
        let place = source.place_id.iter().map(|id| (bare(id), None));
        let reviews = source
            .reviews
            .iter()
            .enumerate()
            .filter_map(|(review, entry)| Some((entry.id.clone()?, Some(review))));
        for (id, review) in place.chain(reviews) {
            places.entry(id).or_default().push((number, review));
        }
    }
    for flag in list {
        let (id, uri) = (flag.id.unwrap_or_default(), flag.uri.unwrap_or_default());
        let Some(hits) = places.get(&bare(&id)).or_else(|| places.get(&id)) else {
            response.about.flags_unmatched.push((id, uri));
            continue;
        };
        for &(source, review) in hits {
            let Some(source) = response.sources.get_mut(source) else { continue };
            let slot = match review {
                None => Some(&mut source.flag_uri),
                Some(review) => source.reviews.get_mut(review).map(|review| &mut review.flag_uri),
            };
            if let Some(slot) = slot {
                *slot = Some(uri.clone());
            }
        }
    }
}
