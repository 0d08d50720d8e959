//! A map proposed from the keys of a JSON: most products call the same things by a handful of names.

use serde_json::Value;

use super::claims::Claims;
use super::fields::{described, elements, is_scalar, key};
use super::{Map, MapPath, Markers, Pattern, Route, Sources};
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
/// What was asked.
pub(super) const QUESTIONS: &[&str] = &["question", "query", "prompt", "input"];
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
        let listed = |taken: Option<&str>| near().find_map(|(value, at)| sources(value, at, taken));
        let others = |name: &str| listed(Some(name)).is_some();
        let claims = near().find_map(|(value, at)| Claims::of(value, at, said, &others));
        let own = || claims.as_ref()?.sources();
        let beside = |taken| {
            let inner = value.get(BESIDE)?;
            sources(inner, &at.clone().then(BESIDE), taken)
        };
        let taken = claims.as_ref().map(|claims| claims.name);
        let sources = listed(taken).or_else(own).or_else(|| beside(taken));
        let spans = claims.map(Claims::spans);
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
            spans,
            markers,
            sources,
            ..Self::default()
        })
    }
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
    Some(described(at.clone().then(name).each(), &elements(inner)))
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
