//! Names that people give the keys of their answers, and fields found by them.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::{MapPath, Route, Sources, Spans};
use crate::json::camel;
use crate::json::values::named;
use crate::model::Origin;
use crate::text::is_web;

/// Lists of sources.
pub(super) const LISTS: &[&str] = &[
    "sources",
    "references",
    "documents",
    "sourceDocuments",
    "sourceNodes",
    "citations",
    "contexts",
    "context",
    "evidence",
    "passages",
    "chunks",
    "docs",
    "searchResults",
    "results",
    "retrievedDocuments",
    "retrievedSources",
    "retrievedResults",
    "retrievedDocs",
    "retrievedChunks",
    "retrievedPassages",
    "retrievedContexts",
    "retrieverResources",
    "relevantDocuments",
    "relevantDocs",
    "relevantChunks",
    "contextDocuments",
    "contextDocs",
    "contextChunks",
    "usedSources",
    "sourceChunks",
    "webResults",
    "retrieved",
    "retrieval",
    "files",
];
/// Those that may be an object, each source under its id.
pub(super) const BY_ID: &[&str] =
    &["sources", "references", "documents", "sourceDocuments", "passages", "docs", "citations", "evidence"];
/// Objects beside the answer in which some products keep claims and sources.
pub(super) const BESIDE: &[&str] =
    &["metadata", "grounding", "citationMetadata", "attribution", "provenance"];
/// Elements of a list that are looked at.
pub(super) const LOOKED_AT: usize = 50;
pub(super) const IDS: &[&str] =
    &["id", "sourceId", "docId", "documentId", "key", "ref", "number", "index", "chunkId", "position"];
/// Names of numbers by which marks and claims call sources.
pub(super) const NUMBERS: &[&str] = &[
    "n",
    "num",
    "no",
    "nr",
    "idx",
    "i",
    "marker",
    "mark",
    "citation",
    "label",
    "footnote",
    "citationId",
    "citationNumber",
    "citationIndex",
    "referenceNumber",
    "refNumber",
    "refNo",
    "refNum",
    "refId",
    "referenceNum",
    "referenceId",
    "citeId",
    "citeNumber",
    "citationNo",
    "citationNum",
    "citationIdx",
    "footnoteId",
    "footnoteNumber",
    "sourceNum",
    "sourceNo",
    "sourceIdx",
    "docNumber",
    "docNum",
    "documentNumber",
    "sourceNumber",
    "sourceIndex",
    "displayIndex",
    "displayNumber",
];
/// What claims and marks call sources by.
pub(super) const REFERS: &[&str] = &[
    "source",
    "sourceId",
    "sources",
    "sourceIds",
    "evidence",
    "evidenceId",
    "evidenceIds",
    "documentId",
    "documentIds",
    "docId",
    "docIds",
    "chunk",
    "chunkId",
    "chunkIds",
    "passageId",
    "passageIds",
    "nodeId",
    "nodeIds",
    "fileId",
    "fileIds",
    "refId",
    "refIds",
    "referenceId",
    "referenceIds",
    "uuid",
    "refs",
    "references",
    "reference",
    "citations",
    "citationIds",
    "citationIndices",
    "citationNumbers",
    "sourceIndex",
    "sourceIndices",
    "sourceIdx",
    "documentIndex",
    "docIndex",
    "docIdx",
    "citedIds",
    "citedSources",
    "citedSourceIds",
    "citedDocuments",
    "citedChunks",
    "supporting",
    "supportedBy",
    "supportingIds",
    "supportingSources",
    "supportingDocs",
    "supportingDocuments",
    "supportingChunks",
    "supportingEvidence",
    "evidenceFor",
    "chunkIndex",
    "ref",
    "indices",
    "ids",
    "index",
];
/// Keys of numbers that may be those of the claims themselves.
pub(super) const OWN: &[&str] = &["index", "chunkIndex", "ref", "reference", "documentIndex"];
pub(super) const TITLES: &[&str] = &[
    "title",
    "name",
    "headline",
    "filename",
    "fileName",
    "documentName",
    "documentTitle",
    "sourceTitle",
    "sourceName",
    "label",
];
pub(super) const URLS: &[&str] =
    &["url", "uri", "link", "href", "sourceUrl", "documentUrl", "address", "source"];
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
    "citedText",
];
pub(super) const SCORES: &[&str] = &["score", "relevance", "relevanceScore", "similarity", "confidence"];
/// Objects in which some products keep what belongs to a source.
const INNER: &[&str] = &[
    "",
    "metadata",
    "meta",
    "node",
    "node.metadata",
    "document",
    "document.metadata",
    "documentMetadata",
    "source",
];

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

fn is_number(value: &Value) -> bool {
    let digits = |text: &str| text.trim_matches(['[', ']', '(', ')', '#', '.', ' ']).parse::<u32>().is_ok();
    value.is_u64() || value.as_str().is_some_and(digits)
}

/// A list of texts.
pub(super) fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_string))
}

/// A list of addresses, of which the first is that of its source.
fn are_pages(value: &Value) -> bool {
    is_texts(value) && elements(value).iter().all(|one| one.as_str().is_some_and(is_web))
}

/// What may name sources.
pub(super) fn refers(value: &Value) -> bool {
    is_scalar(value) || value.get(0).is_some_and(is_scalar) && !are_sources(value)
}

/// Addresses, names of files or words, that is no ids.
pub(super) fn are_sources(value: &Value) -> bool {
    // Sentences of many scripts have no blank.
    let words = |text: &str| !text.is_ascii() && text.len() > 24;
    let names = |text: &str| is_web(text) || text.contains(['.', '/', ' ']) || words(text);
    is_texts(value) && elements(value).iter().all(|one| one.as_str().is_some_and(names))
}

/// The fields of sources, and of the objects in which some products keep what belongs to them.
fn holders<'v>(elements: &[&'v Value]) -> Vec<(Route, Vec<Field<'v>>)> {
    let below = |holder: &&str| {
        let keys = || holder.split('.').filter(|key| !key.is_empty());
        let mut objects = elements.to_vec();
        for name in keys() {
            objects =
                objects.into_iter().filter_map(|one| Some(key(one, &[name], Value::is_object)?.1)).collect();
        }
        (keys().fold(Route::default(), Route::then), fields(&objects))
    };
    INNER.iter().map(below).collect()
}

/// What the elements of a list of sources say, below which keys.
pub(super) fn described(list: Route, elements: &[&Value]) -> Sources {
    let holders = holders(elements);
    let path = |names: &[&str], fits: &dyn Fn(&Value) -> bool| {
        let within = |(route, fields): &(Route, Vec<Field>)| {
            Some(MapPath(route.clone().then(field(fields, names, fits)?.0)))
        };
        holders.iter().find_map(within)
    };
    Sources {
        list: MapPath(list),
        id: path(IDS, &is_scalar).or_else(|| path(NUMBERS, &is_number)),
        title: path(TITLES, &Value::is_string),
        url: path(URLS, &Value::is_string).or_else(|| {
            let MapPath(list) =
                path(URLS, &are_pages).or_else(|| path(&["urls", "uris", "links"], &are_pages))?;
            Some(MapPath(list.each()))
        }),
        text: path(TEXTS, &Value::is_string).or_else(|| path(TEXTS, &is_texts)),
        date: path(&["date", "published", "publishedAt", "publishedDate"], &Value::is_string),
        score: path(SCORES, &Value::is_number),
    }
}

/// Whether anything is known of sources but how they count.
pub(super) fn says_something(sources: &Sources) -> bool {
    [&sources.title, &sources.url, &sources.text].into_iter().any(Option::is_some)
}

/// What may be what sources are called by others, the likeliest first.
pub(super) fn names(elements: &[&Value]) -> Vec<MapPath> {
    let holders = holders(elements);
    let all = IDS
        .iter()
        .chain(NUMBERS)
        .chain(TITLES)
        .flat_map(|name| holders.iter().map(move |holder| (name, holder)));
    let path = |(name, (route, fields)): (&&str, &(Route, Vec<Field>))| {
        Some(MapPath(route.clone().then(field(fields, &[*name], is_scalar)?.0)))
    };
    let mut out: Vec<MapPath> = all.filter_map(path).collect();
    // Any other word in them, the last.
    let is_word =
        |inner: &Value| inner.as_str().is_some_and(|word| !is_web(word) && word.parse::<f64>().is_err());
    for (route, fields) in &holders {
        let words = fields.iter().filter(|(.., inner)| is_word(inner)).map(|(_, key, _)| *key);
        for key in distinct(words).take(KEYS) {
            let path = MapPath(route.clone().then(key));
            if !out.contains(&path) {
                out.push(path);
            }
        }
    }
    out
}

/// Keys that are looked at of those that are called like nothing known.
pub(super) const KEYS: usize = 32;

/// Each of some keys once.
pub(super) fn distinct<'k>(keys: impl Iterator<Item = &'k str>) -> impl Iterator<Item = &'k str> {
    let mut seen = HashSet::new();
    keys.filter(move |key| seen.insert(*key))
}

/// The sources that are looked at.
pub(super) fn listed<'v>(root: &'v Value, sources: &Sources) -> Vec<&'v Value> {
    let list = sources.list.0.find(root, &Origin::default());
    list.into_iter().map(|(one, _)| one).take(LOOKED_AT).collect()
}

/// What sources are called by the claims, where that is not what looks most like an id.
pub(super) fn called_by(root: &Value, spans: &Spans, sources: &Sources) -> Option<MapPath> {
    let at = Origin::default();
    let claims = spans.list.0.find(root, &at);
    let sent = claims.iter().take(LOOKED_AT).flat_map(|(claim, _)| {
        let named = |path: &MapPath| -> Vec<String> {
            path.0.find(claim, &at).into_iter().map(|(one, _)| named(one).into_owned()).collect()
        };
        spans.source.iter().map(named).find(|names| !names.is_empty()).unwrap_or_default()
    });
    let sent: HashSet<String> = sent.collect();
    let list = listed(root, sources);
    let own = |id: &MapPath| -> HashSet<String> {
        list.iter().filter_map(|one| id.0.first(one)).map(|id| named(id).into_owned()).collect()
    };
    // What both sides call alike is meant.
    let key = spans.source.first().and_then(|path| path.0.last_key()).map(camel).unwrap_or_default();
    let is_same = |path: &MapPath| {
        path.0
            .last_key()
            .map(camel)
            .is_some_and(|own| own == key || key.strip_suffix('s') == Some(own.as_ref()))
    };
    let same = names(&list).into_iter().find(is_same);
    // Also where that is called as no id is, if no two share one.
    let plain = || {
        let fields = fields(&list);
        let (key, _) = field(&fields, &[key.as_ref()], is_scalar)?;
        Some(MapPath(Route::key(key))).filter(|path| own(path).len() == list.len())
    };
    let same = same.or_else(plain);
    if let Some(path) = same.filter(|path| !sent.is_empty() && sent.is_subset(&own(path))) {
        return Some(path);
    }
    if sources.id.as_ref().is_some_and(|id| sent.is_subset(&own(id))) {
        return None;
    }
    let hits = |path: &MapPath| {
        let ids = list.iter().filter_map(|one| path.0.first(one)).filter(|id| is_scalar(id));
        ids.filter(|id| sent.contains(named(id).as_ref())).count()
    };
    let usual = sources.id.as_ref().map_or(0, hits);
    let best = names(&list).into_iter().rev().max_by_key(hits)?;
    (hits(&best) > usual).then_some(best)
}

/// The key of an object's list of sources that is there and holds something, whatever it holds.
pub(super) fn holds_list(value: &Value) -> Option<&str> {
    let full = |inner: &Value| inner.as_array().is_some_and(|list| !list.is_empty());
    let by_id = |inner: &Value| inner.as_object().is_some_and(|members| !members.is_empty());
    key(value, LISTS, full).or_else(|| key(value, BY_ID, by_id)).map(|(key, _)| key)
}
