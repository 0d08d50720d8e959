//! Sources of a response in the order of their first appearance, merged by what tells them apart: the
//! provider's id, else the address, else the name of the document, else the title.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::building::Bounded;
use crate::model::{Chunk, Published, Response, Source, SourceKind};
use crate::text::plain_address;

/// Which source is known by which key, and the passages that each has.
#[derive(Debug, Default, Clone)]
pub struct Shelf {
    by_key: HashMap<String, usize>,
    passages: HashMap<(usize, u64), usize>,
}

impl Shelf {
    /// The index of a source: a new one, or one that is completed by what this one says.
    pub fn put(&mut self, response: &mut Response, source: Source) -> usize {
        let key = key(&source).map(|key| self.apart(response, &source, key));
        let known = key.map(|key| *self.by_key.entry(key).or_insert(response.sources.len()));
        let index = known.unwrap_or(response.sources.len());
        let mut source = source;
        let chunks = std::mem::take(&mut source.chunks);
        if let Some(first) = response.sources.get_mut(index) {
            complete(first, source);
        } else {
            response.sources.add(source);
        }
        for chunk in chunks {
            self.passage(response, index, chunk);
        }
        index
    }

    /// The key of a source that shares its id with another one.
    fn apart(&self, response: &Response, source: &Source, key: String) -> String {
        let known = self.by_key.get(&key).and_then(|index| response.sources.get(*index));
        let (own, is_other) =
            (source.beside_id(), |known: &Source| !known.beside_id().agrees(source.beside_id()));
        if known.is_some_and(is_other) { format!("{key} {own:?}") } else { key }
    }

    /// The source with an address, where it is known.
    pub fn by_address(&self, uri: &str) -> Option<usize> {
        self.by_key.get(&address_key(uri)).copied()
    }

    /// The index of a passage of a source, which is added once.
    pub fn passage(&mut self, response: &mut Response, source: usize, chunk: Chunk) -> usize {
        let Some(source_of) = response.sources.get_mut(source) else { return 0 };
        let mut hasher = DefaultHasher::new();
        (&chunk.text, chunk.page.as_deref(), chunk.label.map(|label| label as u8)).hash(&mut hasher);
        let index = *self.passages.entry((source, hasher.finish())).or_insert(source_of.chunks.len());
        if let Some(known) = source_of.chunks.get_mut(index) {
            known.score = known.score.or(chunk.score);
            return index;
        }
        // Most have one, and there may be very many sources.
        if source_of.chunks.is_empty() {
            source_of.chunks.reserve_exact(1);
        }
        source_of.chunks.add(chunk);
        index
    }
}

fn id_key(id: &str) -> String {
    format!("id {id}")
}

fn address_key(uri: &str) -> String {
    format!("at {}", plain_address(uri))
}

fn key(source: &Source) -> Option<String> {
    fn full(field: Option<&String>) -> Option<&str> {
        field.map(String::as_str).filter(|text| !text.is_empty())
    }
    full(source.id.as_ref())
        .map(id_key)
        .or_else(|| full(source.uri.as_ref()).map(address_key))
        .or_else(|| full(source.document.as_ref()).map(|name| format!("document {name}")))
        .or_else(|| full(source.title.as_ref()).map(|title| format!("called {title}")))
}

/// Whether a title says something: xAI sends its own numbers as titles.
pub fn is_title(title: &str) -> bool {
    !title.trim().is_empty() && !title.bytes().all(|byte| byte.is_ascii_digit())
}

fn complete(first: &mut Source, more: Source) {
    if !first.title.as_deref().is_some_and(is_title) && more.title.as_deref().is_some_and(is_title) {
        first.number = first.number.take().or(first.title.take());
        first.title = more.title;
    }
    if first.kind == SourceKind::Empty {
        first.kind = more.kind;
    }
    let pairs =
        [(&mut first.uri, more.uri), (&mut first.domain, more.domain), (&mut first.number, more.number)];
    for (slot, value) in pairs {
        *slot = slot.take().or(value);
    }
    let (own, more_published) =
        (std::mem::take(&mut first.published).into_inner(), more.published.into_inner());
    first.published = Published {
        publisher: own.publisher.or(more_published.publisher),
        date: own.date.or(more_published.date),
        date_sent: own.date_sent.or(more_published.date_sent),
    }
    .into();
    first.struct_data = first.struct_data.take().or(more.struct_data);
    first.score = first.score.or(more.score);
    first.retrieved &= more.retrieved;
}
