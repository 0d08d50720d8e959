//! A map proposed from the keys of a JSON: most products call the same things by a handful of names.

use std::borrow::Cow;

use serde_json::Value;

use super::{Count, Map, MapPath, Markers, Pattern, Route, Sources, Spans};
use crate::json::camel;

pub(super) const ANSWERS: &[&str] = &[
    "answer",
    "text",
    "response",
    "output",
    "outputText",
    "generatedText",
    "generation",
    "completion",
    "reply",
    "result",
    "content",
    "message",
];
/// Names of an answer that are looked for where a map is asked for, since other things are called so, too.
const LOOSE_ANSWERS: &[&str] = &["summary"];
const LISTS: &[&str] = &[
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
    "retrieverResources",
];
/// The same of lists; beside what is called an answer they are one.
const LOOSE_LISTS: &[&str] = &["hits", "refs"];
/// Those that may be an object, each source under its id.
const BY_ID: &[&str] = &["sources", "references", "documents", "sourceDocuments", "passages", "docs"];
const RANGES: &[&str] = &[
    "spans",
    "annotations",
    "citations",
    "citationSpans",
    "supports",
    "segments",
    "claims",
    "highlights",
    "mentions",
    "attributions",
];
const STARTS: &[&str] =
    &["start", "startIndex", "begin", "startOffset", "startChar", "from", "offsetStart", "offset"];
const ENDS: &[&str] = &["end", "endIndex", "stop", "endOffset", "endChar", "to", "offsetEnd"];
const LENGTHS: &[&str] = &["length", "len"];
/// Elements of a list that are looked at for that.
const LOOKED_AT: usize = 50;
/// Lists in which words may stand for their place.
const QUOTED: &[&str] = &["spans", "supports", "segments", "claims", "highlights", "statements", "sentences"];
const QUOTES: &[&str] = &["text", "quote", "claim", "content", "snippet"];
const REFERS: &[&str] = &[
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
    "refs",
    "references",
    "reference",
    "citations",
    "sourceIndex",
    "sourceIndices",
    "indices",
    "ids",
    "index",
];
const IDS: &[&str] =
    &["id", "sourceId", "docId", "documentId", "key", "ref", "number", "index", "chunkId", "position"];
pub(super) const TITLES: &[&str] =
    &["title", "name", "headline", "filename", "fileName", "documentName", "label"];
const URLS: &[&str] = &["url", "uri", "link", "href", "sourceUrl", "address", "source"];
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
/// What was asked.
pub(super) const QUESTIONS: &[&str] = &["question", "query", "prompt", "input"];
/// Objects in which some products keep what belongs to a source.
const INNER: &[&str] =
    &["", "metadata", "meta", "node", "node.metadata", "document", "document.metadata", "documentMetadata"];
/// An object beside the answer in which some products keep the sources.
const BESIDE: &str = "metadata";
/// Objects in which some products keep the whole answer.
const OUTER: &[&str] = &["data", "result", "response", "output", "body", "payload", "answer"];
/// How deep they are looked into.
const DEPTH: usize = 3;

/// Whether keys look like those of a product's own answer.
pub fn looks_like_one<'k>(keys: impl Iterator<Item = (&'k str, Option<char>)>) -> bool {
    let (mut answer, mut list, mut called, mut loose) = (false, false, false, false);
    for (key, kind) in keys {
        let key = camel(key);
        answer |= kind == Some('"') && ANSWERS.contains(&key.as_ref());
        called |= kind == Some('"') && key == "answer";
        loose |= kind == Some('[') && LOOSE_LISTS.contains(&key.as_ref());
        list |= kind == Some('[') && LISTS.contains(&key.as_ref())
            || kind == Some('{') && BY_ID.contains(&key.as_ref());
    }
    answer && list || called && loose
}

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
type Field<'v> = (Cow<'v, str>, &'v str, &'v Value);

/// The keys of the elements of a list: what one lacks another may have.
fn fields<'v>(list: &[&'v Value]) -> Vec<Field<'v>> {
    let members = list.iter().filter_map(|element| element.as_object()).flatten();
    members.map(|(key, inner)| (camel(key), key.as_str(), inner)).collect()
}

/// The first of these names that a key has which holds what is wanted.
fn field<'v>(
    fields: &[Field<'v>],
    names: &[&str],
    fits: impl Fn(&Value) -> bool,
) -> Option<(&'v str, &'v Value)> {
    let called = |name: &&str| fields.iter().find(|(key, _, inner)| key == *name && fits(inner));
    names.iter().find_map(called).map(|(_, key, inner)| (*key, *inner))
}

/// The elements of a list, or what an object holds, that are looked at.
fn elements(value: &Value) -> Vec<&Value> {
    let list = value.as_array().into_iter().flatten();
    let members = value.as_object().into_iter().flat_map(serde_json::Map::values);
    list.chain(members).take(LOOKED_AT).collect()
}

fn is_scalar(value: &Value) -> bool {
    value.is_string() || value.is_number()
}

/// A list of texts.
fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_string))
}

impl Map {
    /// A proposal for a value; nothing where it holds no answer.
    pub fn guess(value: &Value) -> Option<Self> {
        Self::within(value, &mut vec![(value, Route::default())])
    }

    /// Of the last of some objects, each of which holds the next, or of what it holds.
    fn within<'v>(value: &'v Value, holders: &mut Vec<(&'v Value, Route)>) -> Option<Self> {
        if let Some(map) = Self::of(holders) {
            return Some(map);
        }
        if holders.len() > DEPTH {
            return None;
        }
        OUTER.iter().find_map(|outer| {
            let inner = value.get(outer).filter(|inner| inner.is_object())?;
            let at = holders.last()?.1.clone().then(outer);
            holders.push((inner, at));
            let found = Self::within(inner, holders);
            holders.pop();
            found
        })
    }

    /// The answer stands in the last of the objects; spans and sources there, or in one that holds it.
    fn of(holders: &[(&Value, Route)]) -> Option<Self> {
        let (value, at) = holders.last()?;
        let (answer, text) =
            key(value, ANSWERS, Value::is_string).or_else(|| key(value, LOOSE_ANSWERS, Value::is_string))?;
        let path = |key: &str| Some(MapPath(at.clone().then(key)));
        let near = || holders.iter().rev();
        let said = text.as_str().unwrap_or_default();
        let spans = near()
            .find_map(|(value, at)| spans(value, at, said).map(|(name, spans)| (name, spans, *value, at)));
        let taken = spans.as_ref().map(|(key, ..)| *key);
        let own = || {
            let (name, _, value, at) = spans.as_ref()?;
            of_spans(&elements(value.get(name)?), at, name)
        };
        let beside = || {
            let inner = value.get(BESIDE)?;
            sources(inner, &at.clone().then(BESIDE), taken)
        };
        let sources = near().find_map(|(value, at)| sources(value, at, taken)).or_else(own).or_else(beside);
        // Where nothing was found the list is there, and empty.
        let no_list = |inner: &Value| inner.as_array().is_some_and(Vec::is_empty);
        let none_by_id = |inner: &Value| inner.as_object().is_some_and(serde_json::Map::is_empty);
        let is_empty = |value| key(value, LISTS, no_list).or_else(|| key(value, BY_ID, none_by_id)).is_some();
        let searched = || near().any(|(value, _)| is_empty(value));
        if spans.is_none() && sources.is_none() && !searched() {
            return None;
        }
        let named = |names: &[&str]| key(value, names, is_scalar).and_then(|(key, _)| path(key));
        let strings = |inner: &Value| inner.as_array().is_some_and(|list| list.iter().all(Value::is_string));
        let queries = key(value, &["queries", "searchQueries"], strings);
        let question = key(value, QUESTIONS, Value::is_string);
        let markers =
            spans.is_none().then(|| Markers { pattern: pattern(text.as_str().unwrap_or_default()) });
        Some(Self {
            answer: path(answer),
            question: question.filter(|(key, _)| *key != answer).and_then(|(key, _)| path(key)),
            id: named(&["id", "responseId", "messageId", "requestId"]),
            model: named(&["model", "modelId"]),
            queries: queries.map(|(key, _)| MapPath(at.clone().then(key).each())),
            spans: spans.map(|(_, spans, ..)| spans),
            markers,
            sources,
            ..Self::default()
        })
    }
}

/// A list of objects with a beginning and an end.
fn spans<'v>(value: &'v Value, at: &Route, answer: &str) -> Option<(&'v str, Spans)> {
    let ranged = |element: &Value| {
        let ends = [ENDS, LENGTHS].iter().any(|names| key(element, names, is_scalar).is_some());
        key(element, STARTS, is_scalar).is_some() && ends
    };
    let refers = |inner: &Value| is_scalar(inner) || inner.get(0).is_some_and(is_scalar);
    let quoted = |element: &&Value| key(element, QUOTES, Value::is_string).is_some();
    let list = |inner: &Value| inner.is_array() && elements(inner).into_iter().any(ranged);
    // Words of the answer, not of a source.
    let told = |element: &&&Value| {
        key(element, QUOTES, Value::is_string)
            .is_some_and(|(_, words)| words.as_str().is_some_and(|words| answer.contains(words)))
    };
    // Some of them may cite nothing.
    let words = |inner: &Value| {
        let list = elements(inner);
        inner.is_array()
            && list.iter().all(quoted)
            && field(&fields(&list), REFERS, refers).is_some()
            && 2 * list.iter().filter(told).count() > list.len()
    };
    let (name, inner) = key(value, RANGES, list).or_else(|| key(value, QUOTED, words))?;
    let fields = fields(&elements(inner));
    let path = |names: &[&str], fits: &dyn Fn(&Value) -> bool| {
        field(&fields, names, fits).map(|(key, _)| MapPath(Route::key(key)))
    };
    let source = field(&fields, REFERS, refers).map(|(key, _)| {
        let is_list = |(_, other, inner): &Field| *other != key || inner.is_array();
        let route = Route::key(key);
        MapPath(if fields.iter().all(is_list) { route.each() } else { route })
    });
    let spans = Spans {
        list: MapPath(at.clone().then(name).each()),
        start: path(STARTS, &is_scalar),
        end: path(ENDS, &is_scalar),
        length: path(LENGTHS, &is_scalar),
        unit: Count::Characters,
        guessed: true,
        quote: path(QUOTES, &Value::is_string),
        source,
        score: path(SCORES, &Value::is_number),
        ..Spans::default()
    };
    Some((name, spans))
}

/// A list of what is cited: objects, addresses or texts.
fn sources(value: &Value, at: &Route, taken: Option<&str>) -> Option<Sources> {
    let list = |inner: &Value| {
        inner.is_array() && elements(inner).iter().any(|one| one.is_object() || one.is_string())
    };
    let by_id = |inner: &Value| {
        inner.as_object().is_some_and(|members| !members.is_empty() && members.values().all(Value::is_object))
    };
    let names: Vec<&str> = LISTS
        .iter()
        .chain(LOOSE_LISTS)
        .copied()
        .filter(|name| taken.is_none_or(|taken| camel(taken) != *name))
        .collect();
    let (name, inner) = key(value, &names, list).or_else(|| key(value, BY_ID, by_id))?;
    let mut holders = Vec::new();
    for holder in INNER {
        let keys = || holder.split('.').filter(|key| !key.is_empty());
        let mut objects = elements(inner);
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
    Some(Sources {
        list: MapPath(at.clone().then(name).each()),
        id: path(IDS, &is_scalar),
        title: path(TITLES, &Value::is_string),
        url: path(URLS, &Value::is_string),
        text: path(TEXTS, &Value::is_string).or_else(|| path(TEXTS, &is_texts)),
        date: path(&["date", "published", "publishedAt", "publishedDate"], &Value::is_string),
        score: path(SCORES, &Value::is_number),
    })
}

/// Sources that stand in the spans themselves: an address or a title beside the offsets.
fn of_spans(list: &[&Value], at: &Route, name: &str) -> Option<Sources> {
    let fields = fields(list);
    let path =
        |names: &[&str]| field(&fields, names, Value::is_string).map(|(key, _)| MapPath(Route::key(key)));
    let (url, title) = (path(URLS), path(TITLES));
    (url.is_some() || title.is_some()).then(|| Sources {
        list: MapPath(at.clone().then(name).each()),
        url,
        title,
        ..Sources::default()
    })
}

/// A pattern of marks such as `[source:a1]`, `<cite id="2"/>` or `<cite id="2">words</cite>`, where the text
/// has any.
fn pattern(text: &str) -> Option<Pattern> {
    // A tag's attribute names the source, or what stands in the tag, where that is no words.
    const KNOWN: &[&str] = &[
        r#"<(?:cite|ref|source)\s+(?:ids?|sources?|refs?|docs?|documents?|indexe?s?|n|(?:doc|document|source)[_-]ids?|data-[a-z-]+)=["']?([^"'>/]+)["']?\s*>(?<claim>[^<]*)</(?:cite|ref|source)>"#,
        r"\[(?:source|sources|src|doc|ref|cite|citation|id)\s*[:#]\s*([^\]]+)\]",
        r#"<(?:cite|ref|source)\s+(?:ids?|sources?|refs?|docs?|documents?|indexe?s?|n|(?:doc|document|source)[_-]ids?|data-[a-z-]+)=["']?([^"'>/]+)["']?\s*/>"#,
        r"\{\{(?:cite|source|ref):([^}]+)\}\}",
        r"<(?:cite|ref|source)>\s*([\w.:-]{1,64}(?:\s*[,;]\s*[\w.:-]{1,64})*)\s*</(?:cite|ref|source)>",
    ];
    KNOWN.iter().find_map(|known| {
        let pattern = Pattern::try_from((*known).to_owned()).ok()?;
        pattern.regex.is_match(text).then_some(pattern)
    })
}
