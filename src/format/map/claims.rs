//! Claims proposed from the keys of a JSON: ranges or words of the answer, and what they rest on.

use std::ops::Range;

use serde_json::Value;

use super::fields::{
    Field, IDS, REFERS, SCORES, URLS, are_sources, described, elements, field, fields, is_scalar, key,
    says_something,
};
use super::numbers::numbers_marks;
use super::placed::place;
use super::{Count, HELD, MapPath, Route, Sources, Spans};
use crate::json::camel;
use crate::json::values::whole;

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
/// Words of the answer, and what may be words of a source as well.
const QUOTES: &[&str] =
    &["text", "claim", "sentence", "statement", "answerText", "claimText", "words", "segment", "span"];
const CLAIM: &[&str] = &["claim", "sentence", "statement", "answerText", "claimText"];
const MAY_QUOTE: &[&str] = &["quote", "content", "snippet", "excerpt", "citedText"];

const STARTS: &[&str] = &[
    "start",
    "startIndex",
    "begin",
    "startOffset",
    "startChar",
    "from",
    "offsetStart",
    "offset",
    "charStart",
    "startIdx",
    "startPos",
    "startPosition",
    "startCharIndex",
    "startCharIdx",
    "spanStart",
    "startByte",
    "byteStart",
    "positionStart",
    "beginIndex",
    "beginOffset",
];
const ENDS: &[&str] = &[
    "end",
    "endIndex",
    "stop",
    "endOffset",
    "endChar",
    "to",
    "offsetEnd",
    "charEnd",
    "endIdx",
    "endPos",
    "endPosition",
    "endCharIndex",
    "endCharIdx",
    "spanEnd",
    "endByte",
    "byteEnd",
    "positionEnd",
];
const LENGTHS: &[&str] = &["length", "len"];
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
const FILES: &[&str] = &["document", "doc", "file"];

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
            is_list(inner) && list.iter().any(|one| has_range(one)) && !is_of_sources(&list, answer)
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
        let offsets = self.offsets();
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
        // Objects that name what is listed elsewhere.
        let held = || {
            let (route, inner) = self.held_sources().filter(|_| self.beside)?;
            let (key, _) = field(&fields(&inner), REFERS, is_scalar)
                .or_else(|| field(&fields(&inner), IDS, is_scalar))
                .or_else(|| field(&fields(&inner), URLS, Value::is_string))?;
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

/// Whether a claim has a beginning and an end, or a length.
fn has_range(element: &Value) -> bool {
    has_offsets(element) || key(element, HELD, is_range).is_some()
}

/// Two offsets below keys of their own, or a pair.
fn is_range(value: &Value) -> bool {
    is_pair(value) || has_offsets(value)
}

fn has_offsets(value: &Value) -> bool {
    let offset = |names: &[&str]| key(value, names, |sent| whole(sent).is_some()).is_some();
    offset(STARTS) && (offset(ENDS) || offset(LENGTHS))
}

/// Whether ranges are those of passages in their documents: the answer has marks, the elements are sources,
/// and most of them end behind it.
fn is_of_sources(list: &[&Value], answer: &str) -> bool {
    let fields = fields(list);
    if field(&fields, REFERS, refers).is_some() || !says_something(&described(Route::default(), list)) {
        return false;
    }
    let length = answer.chars().count() as i64;
    let end = |one: &&&Value| key(one, ENDS, is_scalar).and_then(|(_, end)| whole(end)) > Some(length);
    2 * list.iter().filter(end).count() > list.len() && answer.contains('[')
}

fn is_pair(value: &Value) -> bool {
    let pair = |list: &Vec<Value>| {
        let [start, end] = &list[..] else { return false };
        whole(start).zip(whole(end)).is_some_and(|(start, end)| 0 <= start && start <= end)
    };
    value.as_array().is_some_and(pair)
}

/// What may name sources.
fn refers(value: &Value) -> bool {
    is_scalar(value) || value.get(0).is_some_and(is_scalar) && !are_sources(value)
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

/// Where claims have their words: below a key of their own, or within the object that holds their offsets.
/// Words that are nowhere in the answer may be of one that was changed.
fn quote<'v>(list: &[&'v Value], fields: &[Field<'v>], answer: &str) -> Option<Route> {
    let key_of = |fields: &[Field<'v>], of| match of {
        Some(of) => quoted(fields, answer, of),
        None => field(fields, QUOTES, Value::is_string).map(|(key, _)| key),
    };
    let holder = field(fields, HELD, has_offsets).map(|(key, _)| key);
    let held: Vec<&Value> =
        holder.iter().flat_map(|holder| list.iter().filter_map(|one| one.get(*holder))).collect();
    let inner = self::fields(&held);
    let own = |of| key_of(fields, of).map(Route::key);
    let within = |of| Some(Route::key(holder?).then(key_of(&inner, of)?));
    let told = [Some(2), Some(1), None].into_iter().find_map(|of| own(of).or_else(|| within(of)));
    told.or_else(|| as_long_as_ranges(list).map(Route::key))
}

/// The key below which claims have words of the answer: at least one of so many.
fn quoted<'v>(fields: &[Field<'v>], answer: &str, of: usize) -> Option<&'v str> {
    let has = |name: &&&str| {
        let sent = fields.iter().filter(|(key, ..)| key == *name).filter_map(|(.., inner)| inner.as_str());
        let (told, all) = sent
            .filter(|words| !words.trim().is_empty())
            .fold((0, 0), |(told, all), words| (told + usize::from(answer.contains(words)), all + 1));
        told > 0 && (of == 1 || of * told > all)
    };
    let name = QUOTES.iter().chain(MAY_QUOTE).find(has)?;
    field(fields, &[*name], Value::is_string).map(|(key, _)| key)
}

/// The key of words of which most are as long as their claim: they are its own, not those of a source.
fn as_long_as_ranges<'v>(list: &[&'v Value]) -> Option<&'v str> {
    let alike = |claim: &&&'v Value, name: &str| {
        let offset = |names| key(claim, names, is_scalar).and_then(|(_, value)| whole(value));
        let length = offset(LENGTHS).or_else(|| offset(ENDS)?.checked_sub(offset(STARTS)?));
        let words = key(claim, &[name], Value::is_string).and_then(|(_, words)| words.as_str());
        words.zip(length).is_some_and(|(words, length)| words.chars().count() as i64 == length)
    };
    let mostly = |name: &&&str| 2 * list.iter().filter(|claim| alike(claim, name)).count() > list.len();
    let name = MAY_QUOTE.iter().find(mostly)?;
    list.iter().find_map(|claim| key(claim, &[*name], Value::is_string)).map(|(key, _)| key)
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
    let beside = || field(fields, URLS, Value::is_string).or_else(|| field(fields, TITLED, Value::is_string));
    field(fields, REFERS, refers).is_some()
        || field(fields, SOURCES, holds_sources).is_some()
        || beside().is_some()
}
