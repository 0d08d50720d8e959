//! Claims proposed from the keys of a JSON: ranges or words of the answer, and what they rest on.

use serde_json::Value;

use super::fields::{
    Field, IDS, SCORES, TITLES, URLS, described, elements, field, fields, is_scalar, is_texts, key,
};
use super::{Count, HELD, Map, MapPath, Route, Sources, Spans};
use crate::json::camel;
use crate::text::is_web;

/// Lists of claims.
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
/// Those in which words may stand for their place.
const QUOTED: &[&str] = &["spans", "supports", "segments", "claims", "highlights", "statements", "sentences"];
/// Those of which words are as often a source's; they are claims where the sources are listed elsewhere.
const QUOTED_BESIDE: &[&str] = &["citations", "annotations", "attributions"];
const QUOTES: &[&str] = &["text", "quote", "claim", "content", "snippet", "sentence", "statement"];

/// Lists that hold nothing but citations, or what these rest on; of some every element cites something.
const CITING: &[&str] = &["citations", "citationSpans", "attributions", "supports"];
const MAY_CITE: &[&str] = &["annotations", "claims", "spans"];

const STARTS: &[&str] =
    &["start", "startIndex", "begin", "startOffset", "startChar", "from", "offsetStart", "offset"];
const ENDS: &[&str] = &["end", "endIndex", "stop", "endOffset", "endChar", "to", "offsetEnd"];
const LENGTHS: &[&str] = &["length", "len"];
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
/// Objects, or lists, of a claim in which some products keep its sources.
const SOURCES: &[&str] = &[
    "source",
    "sources",
    "document",
    "documents",
    "reference",
    "references",
    "citation",
    "citations",
    "evidence",
    "passages",
    "chunks",
];
/// A file that a claim names itself.
const FILES: &[&str] = &["document", "doc", "file"];

/// Claims found below a key.
pub(super) struct Claims<'v> {
    /// The key.
    pub name: &'v str,
    list: Vec<&'v Value>,
    fields: Vec<Field<'v>>,
    at: Route,
    /// Whether sources are listed elsewhere.
    beside: bool,
}

impl<'v> Claims<'v> {
    /// Those of an object, whose answer is this; `others` says whether sources are listed below another key.
    pub fn of(value: &'v Value, at: &Route, answer: &str, others: &dyn Fn(&str) -> bool) -> Option<Self> {
        let ranged = |inner: &Value| inner.is_array() && elements(inner).into_iter().any(has_range);
        let words = |inner: &Value| says_words(inner, answer);
        let (name, inner) =
            key(value, RANGES, ranged).or_else(|| key(value, QUOTED, words)).or_else(|| {
                let (name, inner) = key(value, QUOTED_BESIDE, words)?;
                others(name).then_some((name, inner))
            })?;
        let list = elements(inner);
        let fields = fields(&list);
        Some(Self { name, fields, at: at.clone().then(name).each(), beside: others(name), list })
    }

    /// What a map says of them.
    pub fn spans(self) -> Spans {
        let [start, end, length] = self.offsets();
        let path = |names: &[&str], fits: &dyn Fn(&Value) -> bool| {
            field(&self.fields, names, fits).map(|(key, _)| MapPath(Route::key(key)))
        };
        Spans {
            list: MapPath(self.at.clone()),
            start,
            end,
            length,
            unit: Count::Characters,
            guessed: true,
            quote: path(QUOTES, &Value::is_string),
            source: if self.keeps_sources() { None } else { self.references() },
            score: path(SCORES, &Value::is_number),
            ..Spans::default()
        }
    }

    /// Where they begin, end, and how long they are.
    fn offsets(&self) -> [Option<MapPath>; 3] {
        let of = |fields: &[Field], holder: &Route| {
            [STARTS, ENDS, LENGTHS].map(|names| {
                let (key, _) = field(fields, names, is_scalar)?;
                Some(MapPath(holder.clone().then(key)))
            })
        };
        let held = || {
            let (key, _) = field(&self.fields, HELD, is_range)?;
            let inner: Vec<&Value> = self.list.iter().filter_map(|one| one.get(key)).collect();
            let holder = Route::key(key);
            let pair =
                || [Some(MapPath(holder.clone().item(0))), Some(MapPath(holder.clone().item(1))), None];
            Some(if inner.iter().any(|one| is_pair(one)) { pair() } else { of(&fields(&inner), &holder) })
        };
        let [start, end, length] = of(&self.fields, &Route::default());
        let whole = start.is_some() && (end.is_some() || length.is_some());
        if whole { [start, end, length] } else { held().unwrap_or([start, end, length]) }
    }

    /// What they call their sources.
    fn references(&self) -> Option<MapPath> {
        if let Some((key, _)) = field(&self.fields, REFERS, refers) {
            let is_list = |(_, other, inner): &Field| *other != key || inner.is_array();
            let route = Route::key(key);
            return Some(MapPath(if self.fields.iter().all(is_list) { route.each() } else { route }));
        }
        // Objects that name what is listed elsewhere.
        let (route, inner) = self.held_sources().filter(|_| self.beside)?;
        let (key, _) =
            field(&fields(&inner), REFERS, is_scalar).or_else(|| field(&fields(&inner), IDS, is_scalar))?;
        Some(MapPath(route.then(key)))
    }

    /// Objects in the claims that may be their sources: the path below a claim, and some of them.
    fn held_sources(&self) -> Option<(Route, Vec<&'v Value>)> {
        SOURCES.iter().find_map(|name| {
            let (key, first) = field(&self.fields, &[*name], holds_sources)?;
            let all = || self.list.iter().filter_map(|one| one.get(key)).filter(|one| !one.is_null());
            // One path leads to objects, another to lists of them.
            if all().any(|one| one.is_array() != first.is_array()) {
                return None;
            }
            let route = Route::key(key);
            Some(if first.is_array() {
                (route.each(), all().flat_map(elements).collect())
            } else {
                (route, all().collect())
            })
        })
    }

    /// Whether the claims bring their sources along, each below a key of its own.
    fn keeps_sources(&self) -> bool {
        !self.beside && self.kept().is_some()
    }

    fn kept(&self) -> Option<Sources> {
        let (below, inner) = self.held_sources()?;
        let sources = described(self.at.clone().join(below), &inner);
        let says = sources.url.is_some() || sources.title.is_some() || sources.text.is_some();
        (says || inner.iter().all(|one| one.is_string())).then_some(sources)
    }

    /// Sources that stand in the claims themselves: in objects of theirs, or as an address or a title beside
    /// the offsets.
    pub fn sources(&self) -> Option<Sources> {
        let path = |names: &[&str]| {
            field(&self.fields, names, Value::is_string).map(|(key, _)| MapPath(Route::key(key)))
        };
        self.kept().or_else(|| {
            let (url, title) = (path(URLS).or_else(|| path(FILES)), path(TITLES));
            (url.is_some() || title.is_some()).then(|| Sources {
                list: MapPath(self.at.clone()),
                url,
                title,
                ..Sources::default()
            })
        })
    }
}

/// Whether a claim has a beginning and an end, or a length.
fn has_range(element: &Value) -> bool {
    let ends = [ENDS, LENGTHS].iter().any(|names| key(element, names, is_scalar).is_some());
    ends && key(element, STARTS, is_scalar).is_some() || key(element, HELD, is_range).is_some()
}

/// Two offsets below keys of their own, or a pair.
fn is_range(value: &Value) -> bool {
    let ends = || [ENDS, LENGTHS].iter().any(|names| key(value, names, is_scalar).is_some());
    is_pair(value) || key(value, STARTS, is_scalar).is_some() && ends()
}

fn is_pair(value: &Value) -> bool {
    let pair = |list: &Vec<Value>| {
        let [start, end] = &list[..] else { return false };
        start.as_u64().zip(end.as_u64()).is_some_and(|(start, end)| start <= end)
    };
    value.as_array().is_some_and(pair)
}

/// What may name sources.
fn refers(value: &Value) -> bool {
    is_scalar(value) || value.get(0).is_some_and(is_scalar) && !are_sources(value)
}

/// What may hold sources: an object, a list of objects, or addresses and names of files.
fn holds_sources(value: &Value) -> bool {
    let objects = |list: &Vec<Value>| !list.is_empty() && list.iter().all(Value::is_object);
    value.is_object() || value.as_array().is_some_and(objects) || are_sources(value)
}

/// Addresses, names of files or words, that is no ids.
fn are_sources(value: &Value) -> bool {
    let names = |text: &str| is_web(text) || text.contains(['.', '/', ' ']);
    is_texts(value) && elements(value).iter().all(|one| one.as_str().is_some_and(names))
}

/// Whether a list holds words of the answer, not of a source; some of them may cite nothing.
fn says_words(inner: &Value, answer: &str) -> bool {
    let list = elements(inner);
    let quote = |element: &Value| Some(key(element, QUOTES, Value::is_string)?.1.as_str()?.to_owned());
    let told = |element: &&&Value| quote(element).is_some_and(|words| answer.contains(&words));
    let all = fields(&list);
    let cites = field(&all, REFERS, refers).is_some() || field(&all, SOURCES, holds_sources).is_some();
    inner.is_array()
        && list.iter().all(|element| quote(element).is_some())
        && cites
        && 2 * list.iter().filter(told).count() > list.len()
}

impl Map {
    /// A list beside the answer that is called as citations are: its key, and what of it is not read.
    pub fn overlooks<'v>(&self, value: &'v Value) -> Option<(&'v str, &'static str)> {
        let objects = |inner: &Value| inner.as_array().is_some_and(|list| list.iter().any(Value::is_object));
        let holder = self.answer.as_ref()?.0.parent();
        let inner = holder.first(value)?;
        let (name, _) = key(inner, CITING, objects).or_else(|| key(inner, MAY_CITE, objects))?;
        let list = holder.then(name).each();
        let is_below = |path: Option<&MapPath>| path.is_some_and(|path| path.0.below(&list).is_some());
        let sources = is_below(self.sources.as_ref().map(|sources| &sources.list));
        match &self.spans {
            _ if sources => None,
            Some(spans) if is_below(Some(&spans.list)) => {
                let cites = spans.source.is_some() || !CITING.contains(&camel(name).as_ref());
                (!cites).then_some((name, "what a claim rests on"))
            }
            _ => Some((name, "the place or the words of a claim")),
        }
    }
}
