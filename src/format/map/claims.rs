//! Claims proposed from the keys of a JSON: ranges or words of the answer, and what they rest on.

use std::ops::Range;

use serde_json::Value;

use super::fields::{
    Field, IDS, REFERS, SCORES, URLS, are_sources, described, elements, field, fields, is_scalar, key,
    refers, says_something,
};
use super::numbers::numbers_marks;
use super::placed::{has_range, is_numbered_apart, is_of_sources, offsets, place};
use super::words::{CLAIM, MAY_QUOTE, QUOTES, are_unlike, quote, quoted};
use super::{Count, MapPath, Route, Sources, Spans};
use crate::json::camel;

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
    "sentences",
    "statements",
];
/// Those in which words may stand for their place.
const QUOTED: &[&str] = &["spans", "supports", "segments", "claims", "highlights", "statements", "sentences"];
/// Those of which words are as often a source's; they are claims where the sources are listed elsewhere.
const QUOTED_BESIDE: &[&str] = &["citations", "annotations", "attributions"];
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
    "urls",
    "sourceUrls",
    "links",
];
/// What a claim says of its source beside its own words; a `label` or a `name` is as often the claim's.
const TITLED: &[&str] = &[
    "title",
    "headline",
    "filename",
    "fileName",
    "documentName",
    "documentTitle",
    "sourceTitle",
    "sourceName",
];
/// A file that a claim names itself.
const FILES: &[&str] = &["document", "doc", "file", "filePath", "path", "sourceFile"];
/// What an object that is a source of a claim may be called by.
const NAMES: &[&str] = &["name", "label"];

/// Claims found below a key.
pub(super) struct Claims<'v> {
    /// The key.
    pub name: &'v str,
    list: Vec<&'v Value>,
    fields: Vec<Field<'v>>,
    at: Route,
    /// Where its words are.
    quote: Option<Route>,
    /// Whether sources are listed elsewhere.
    beside: bool,
}

impl<'v> Claims<'v> {
    /// Those of an object, whose answer is this; `others` says whether sources are listed below another key.
    pub fn of(value: &'v Value, at: &Route, answer: &str, others: &dyn Fn(&str) -> bool) -> Option<Self> {
        let ranged = |inner: &Value| {
            let list = elements(inner);
            let has_ranges = is_list(inner) && list.iter().any(|one| has_range(one));
            has_ranges && !is_of_sources(&list, answer) && !is_numbered_apart(inner, answer)
        };
        let words = |inner: &Value| says_words(inner, answer, 1);
        // Of the marks of the text, words of sources which it repeats.
        let mostly = |inner: &Value| says_words(inner, answer, 2) && !numbers_marks(inner, answer);
        let (name, inner) =
            key(value, RANGES, ranged).or_else(|| key(value, QUOTED, words)).or_else(|| {
                let (name, inner) = key(value, QUOTED_BESIDE, mostly)?;
                (others(name) || brings_sources(inner, answer)).then_some((name, inner))
            })?;
        let list = elements(inner);
        let fields = fields(&list);
        let quote = quote(&list, &fields, answer);
        Some(Self { quote, name, fields, at: at.clone().then(name).each(), beside: others(name), list })
    }

    /// What a map says of them.
    pub fn spans(self, answer: &str) -> Spans {
        let offsets = offsets(&self.list, &self.fields);
        let unlike =
            self.quote.as_ref().is_some_and(|quote| are_unlike(&self.list, &self.fields, quote, answer));
        let unit = self.unit(&offsets, answer);
        let [start, end, length] = offsets;
        let path = |names: &[&str], fits: &dyn Fn(&Value) -> bool| {
            field(&self.fields, names, fits).map(|(key, _)| MapPath(Route::key(key)))
        };
        Spans {
            list: MapPath(self.at.clone()),
            start,
            end,
            length,
            unit,
            guessed: true,
            unlike,
            quote: self.quote.clone().map(MapPath),
            source: if self.keeps_sources() { Vec::new() } else { self.references() },
            score: path(SCORES, &Value::is_number),
            ..Spans::default()
        }
    }

    /// What their offsets count: that by which all of their words stand at their places; characters where
    /// these do, or nothing tells.
    fn unit(&self, offsets: &[Option<MapPath>; 3], answer: &str) -> Count {
        let paths = offsets.each_ref().map(Option::as_ref);
        let quote =
            |claim: &'v Value| self.quote.as_ref()?.first(claim)?.as_str().filter(|quote| !quote.is_empty());
        let told: Vec<(Range<usize>, &str)> =
            self.list.iter().filter_map(|claim| Some((place(paths, claim)?, quote(claim)?))).collect();
        let fits =
            |unit: Count| told.iter().all(|(place, quote)| unit.slice(answer, place.clone()) == Some(*quote));
        let named = paths.into_iter().flatten().map(|path| path.0.to_string().to_lowercase());
        let by_name = if named.into_iter().any(|name| name.contains("byte")) {
            Count::Bytes
        } else {
            Count::Characters
        };
        let units = [by_name, Count::Characters, Count::Bytes, Count::Utf16];
        units.into_iter().find(|unit| !told.is_empty() && fits(*unit)).unwrap_or(by_name)
    }

    /// What they call their sources: below one key, of which some have the plural.
    fn references(&self) -> Vec<MapPath> {
        let path = |key: &str| {
            let is_list = |(_, other, inner): &Field| *other != key || inner.is_array();
            let route = Route::key(key);
            MapPath(if self.fields.iter().all(is_list) { route.each() } else { route })
        };
        // Addresses and files are listed elsewhere, or nowhere.
        let refers = |value: &Value| refers(value) || self.beside && are_sources(value);
        if let Some((first, _)) = field(&self.fields, REFERS, refers) {
            let alike = |name: &&&str| is_plural(name, &camel(first)) || is_plural(&camel(first), name);
            let other = REFERS.iter().find(alike).and_then(|name| field(&self.fields, &[*name], refers));
            let mut keys: Vec<&str> =
                [Some(first), other.map(|(key, _)| key)].into_iter().flatten().collect();
            // Where a claim has both, the plural says more.
            keys.sort_by_key(|key| !key.ends_with('s'));
            return keys.into_iter().chain(self.address()).map(path).collect();
        }
        // Objects that name what is listed elsewhere, by its id, its address or its name.
        let held = || {
            let (route, inner) = self.held_sources().filter(|_| self.beside)?;
            let inner = fields(&inner);
            let named = |names: &[&str]| field(&inner, names, Value::is_string);
            let (key, _) = field(&inner, REFERS, is_scalar)
                .or_else(|| field(&inner, IDS, is_scalar))
                .or_else(|| named(URLS))
                .or_else(|| named(FILES))
                .or_else(|| named(TITLED))
                .or_else(|| named(NAMES))?;
            Some(MapPath(route.then(key)))
        };
        held().into_iter().chain(self.address().map(path)).collect()
    }

    /// The key of an address or a file by which claims call what is listed elsewhere.
    fn address(&self) -> Option<&'v str> {
        let named = |names| field(&self.fields, names, Value::is_string).map(|(key, _)| key);
        named(URLS)
            .or_else(|| named(FILES))
            .filter(|key| self.beside && !REFERS.contains(&camel(key).as_ref()))
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
        (says_something(&sources) || inner.iter().all(|one| one.is_string())).then_some(sources)
    }

    /// Sources that stand in the claims themselves: in objects of theirs, or as an address or a title beside
    /// the offsets.
    pub fn sources(&self) -> Option<Sources> {
        let path = |names: &[&str]| {
            field(&self.fields, names, Value::is_string).map(|(key, _)| MapPath(Route::key(key)))
        };
        self.kept().or_else(|| {
            let (url, title) = (path(URLS).or_else(|| path(FILES)), path(TITLED));
            (url.is_some() || title.is_some()).then(|| Sources {
                list: MapPath(self.at.clone()),
                url,
                title,
                ..Sources::default()
            })
        })
    }
}

/// Whether lists of claims are called so.
pub(super) fn is_list_name(name: &str) -> bool {
    RANGES.contains(&name) || QUOTED.contains(&name)
}

/// Whether a list is called as those of other things are not: text has annotations, spans and mentions of
/// many kinds.
pub(super) fn is_of_claims(name: &str) -> bool {
    ["claims", "citationSpans", "supports", "attributions"].contains(&name)
}

/// Whether one name is the plural of another: `sourceIds` of `sourceId`, `sourceIndices` of `sourceIndex`.
fn is_plural(many: &str, one: &str) -> bool {
    many.strip_suffix('s').is_some_and(|stem| stem == one)
        || many.strip_suffix("ices").zip(one.strip_suffix("ex")).is_some_and(|(many, one)| many == one)
}

/// What may hold sources: an object, a list of objects, or addresses and names of files.
fn holds_sources(value: &Value) -> bool {
    holds_objects(value) || are_sources(value)
}

fn holds_objects(value: &Value) -> bool {
    let objects = |list: &Vec<Value>| !list.is_empty() && list.iter().all(Value::is_object);
    value.is_object() || value.as_array().is_some_and(objects)
}

/// A list, or an object that holds objects.
fn is_list(value: &Value) -> bool {
    value.is_array()
        || value
            .as_object()
            .is_some_and(|members| !members.is_empty() && members.values().all(Value::is_object))
}

/// What elements have of a claim: a place, words, sources.
pub(super) struct Looks {
    pub place: bool,
    pub words: bool,
    pub sources: bool,
}

/// What a list, or one object, has of claims.
pub(super) fn looks(inner: &Value) -> Looks {
    let own = has_range(inner);
    let list = if own { vec![inner] } else { elements(inner) };
    let fields = fields(&list);
    let names: Vec<&str> = QUOTES.iter().chain(MAY_QUOTE).copied().collect();
    Looks {
        place: list.iter().any(|one| has_range(one)),
        words: field(&fields, &names, Value::is_string).is_some(),
        sources: cites(&fields),
    }
}

/// Whether a list holds words of the answer, at least one of so many, not of a source; some may cite nothing.
fn says_words(inner: &Value, answer: &str, of: usize) -> bool {
    let list = elements(inner);
    let all = fields(&list);
    let Some(quote) = quoted(&all, answer, of).filter(|_| inner.is_array()) else { return false };
    list.iter().all(|element| element.get(quote).is_some_and(Value::is_string)) && cites(&all)
}

/// Whether elements with words of the answer are claims with sources of their own, rather than sources with
/// a passage: below a key, or beside what is called a claim, or beside words that all stand in an answer
/// without marks.
fn brings_sources(inner: &Value, answer: &str) -> bool {
    let list = elements(inner);
    let all = fields(&list);
    let told = |one: &Value| {
        let words = key(one, QUOTES, Value::is_string).or_else(|| key(one, MAY_QUOTE, Value::is_string));
        words.and_then(|(_, words)| words.as_str()).is_some_and(|words| answer.contains(words))
    };
    let alone = || !answer.contains('[') && list.iter().all(|one| told(one));
    field(&all, SOURCES, holds_sources).is_some() || field(&all, CLAIM, Value::is_string).is_some() || alone()
}

/// Whether claims name sources, or bring them along.
fn cites(fields: &[Field]) -> bool {
    let named = |names| field(fields, names, Value::is_string);
    let beside = || named(URLS).or_else(|| named(TITLED)).or_else(|| named(FILES));
    field(fields, REFERS, refers).is_some()
        || field(fields, SOURCES, holds_sources).is_some()
        || beside().is_some()
}
