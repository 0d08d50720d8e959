//! Names that people give the keys of their answers, and fields found by them.

use std::borrow::Cow;

use serde_json::Value;

use super::{MapPath, Route, Sources};
use crate::json::camel;

/// Elements of a list that are looked at.
const LOOKED_AT: usize = 50;
pub(super) const IDS: &[&str] =
    &["id", "sourceId", "docId", "documentId", "key", "ref", "number", "index", "chunkId", "position"];
pub(super) const TITLES: &[&str] =
    &["title", "name", "headline", "filename", "fileName", "documentName", "label"];
pub(super) const URLS: &[&str] = &["url", "uri", "link", "href", "sourceUrl", "address", "source"];
pub(super) const TEXTS: &[&str] = &[
    "text",
    "excerpt",
    "snippet",
    "snippets",
    "content",
    "passage",
    "pageContent",
    "chunk",
    "body",
    "quote",
    "chunkText",
];
pub(super) const SCORES: &[&str] = &["score", "relevance", "relevanceScore", "similarity", "confidence"];
/// Objects in which some products keep what belongs to a source.
const INNER: &[&str] =
    &["", "metadata", "meta", "node", "node.metadata", "document", "document.metadata", "documentMetadata"];

/// The first key of an object that is one of these names and holds what is wanted.
pub(super) fn key<'v>(
    value: &'v Value,
    names: &[&str],
    fits: impl Fn(&Value) -> bool,
) -> Option<(&'v str, &'v Value)> {
    let object = value.as_object()?;
    names.iter().find_map(|name| {
        let found = object.iter().find(|(key, inner)| camel(key) == *name && fits(inner));
        found.map(|(key, inner)| (key.as_str(), inner))
    })
}

/// A key as names are compared, as it is written, and what it holds.
pub(super) type Field<'v> = (Cow<'v, str>, &'v str, &'v Value);

/// The keys of the elements of a list: what one lacks another may have.
pub(super) fn fields<'v>(list: &[&'v Value]) -> Vec<Field<'v>> {
    let members = list.iter().filter_map(|element| element.as_object()).flatten();
    members.map(|(key, inner)| (camel(key), key.as_str(), inner)).collect()
}

/// The first of these names that a key has which holds what is wanted.
pub(super) fn field<'v>(
    fields: &[Field<'v>],
    names: &[&str],
    fits: impl Fn(&Value) -> bool,
) -> Option<(&'v str, &'v Value)> {
    let called = |name: &&str| fields.iter().find(|(key, _, inner)| key == *name && fits(inner));
    names.iter().find_map(called).map(|(_, key, inner)| (*key, *inner))
}

/// The elements of a list, or what an object holds, that are looked at.
pub(super) fn elements(value: &Value) -> Vec<&Value> {
    let list = value.as_array().into_iter().flatten();
    let members = value.as_object().into_iter().flat_map(serde_json::Map::values);
    list.chain(members).take(LOOKED_AT).collect()
}

pub(super) fn is_scalar(value: &Value) -> bool {
    value.is_string() || value.is_number()
}

/// A list of texts.
pub(super) fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_string))
}

/// What the elements of a list of sources say, below which keys.
pub(super) fn described(list: Route, elements: &[&Value]) -> Sources {
    let mut holders = Vec::new();
    for holder in INNER {
        let keys = || holder.split('.').filter(|key| !key.is_empty());
        let mut objects = elements.to_vec();
        for name in keys() {
            objects =
                objects.into_iter().filter_map(|one| Some(key(one, &[name], Value::is_object)?.1)).collect();
        }
        holders.push((keys().fold(Route::default(), Route::then), fields(&objects)));
    }
    let path = |names: &[&str], fits: &dyn Fn(&Value) -> bool| {
        let within = |(route, fields): &(Route, Vec<Field>)| {
            Some(MapPath(route.clone().then(field(fields, names, fits)?.0)))
        };
        holders.iter().find_map(within)
    };
    Sources {
        list: MapPath(list),
        id: path(IDS, &is_scalar),
        title: path(TITLES, &Value::is_string),
        url: path(URLS, &Value::is_string),
        text: path(TEXTS, &Value::is_string).or_else(|| path(TEXTS, &is_texts)),
        date: path(&["date", "published", "publishedAt", "publishedDate"], &Value::is_string),
        score: path(SCORES, &Value::is_number),
    }
}
