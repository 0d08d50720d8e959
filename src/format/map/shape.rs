//! A map proposed from what the values of a JSON look like, whatever its keys are called.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::fields::{SCORES, TEXTS, TITLES, key};
use super::guess::{ANSWERS, QUESTIONS};
use super::roles::Role;
use super::{Count, Map, MapPath, Markers, Route, Sources, Spans, marks, numbers};
use crate::format::markers::{self, Name, Notation};
use crate::json::{camel, plain};
use crate::text::is_web;

/// Values that are looked at.
const LOOKED_AT: usize = 20_000;
/// How deep a JSON is looked into, and how deep an element of a list.
const DEPTH: usize = 8;
const WITHIN: usize = 3;
/// Lists that are looked at, and fields of an element that may be offsets.
const LISTS: usize = 16;
const FIELDS: usize = 16;
/// Letters of words that are looked for in the answer.
const QUOTE: usize = 8;

/// What stands in a JSON: its texts, and lists of objects.
#[derive(Default)]
struct Survey<'v> {
    texts: Vec<(Route, &'v str)>,
    lists: Vec<Listed<'v>>,
    seen: usize,
}

/// A list of objects: its path, its elements, and what they are called where an object holds them.
struct Listed<'v> {
    at: Route,
    list: Vec<&'v Value>,
    keys: Vec<&'v str>,
}

impl<'v> Survey<'v> {
    fn walk(&mut self, value: &'v Value, at: &Route, depth: usize) {
        self.seen += 1;
        if self.seen > LOOKED_AT || depth > DEPTH {
            return;
        }
        match value {
            Value::String(text) => self.texts.push((at.clone(), text)),
            Value::Array(list) => {
                let objects: Vec<&Value> =
                    list.iter().filter(|one| one.is_object()).take(LOOKED_AT).collect();
                if !objects.is_empty() && self.lists.len() < LISTS {
                    self.lists.push(Listed { at: at.clone().each(), list: objects, keys: Vec::new() });
                }
                // Of several elements none is the answer.
                if let [only] = &list[..] {
                    self.walk(only, &at.clone().item(0), depth + 1);
                }
            }
            Value::Object(object) => {
                let inner: Vec<&Value> = object.values().collect();
                if inner.len() > 1 && self.lists.len() < LISTS && inner.iter().all(|one| one.is_object()) {
                    let keys = object.keys().map(String::as_str).collect();
                    self.lists.push(Listed { at: at.clone().each(), list: inner, keys });
                }
                for (key, value) in object {
                    self.walk(value, &at.clone().then(key), depth + 1);
                }
            }
            _ => {}
        }
    }

    /// The longest text that its key does not call something else.
    fn answer(&self) -> Option<(MapPath, &'v str)> {
        let weight = |(at, text): &&(Route, &str)| {
            let name = at.last_key().map(camel).unwrap_or_default();
            let called = |names: &[&str]| names.contains(&name.as_ref());
            match () {
                () if text.split_whitespace().count() < 2 || called(QUESTIONS) => 0,
                () if called(ANSWERS) => text.len() * 4,
                () => text.len(),
            }
        };
        let (at, text) = self.texts.iter().max_by_key(weight).filter(|text| weight(text) > 0)?;
        Some((MapPath(at.clone()), text))
    }
}

/// Scalars of an element, each with its path.
fn leaves<'v>(element: &'v Value, at: &Route, depth: usize, into: &mut Vec<(Route, &'v Value)>) {
    match element {
        Value::Object(object) if depth < WITHIN => {
            object.iter().for_each(|(key, value)| leaves(value, &at.clone().then(key), depth + 1, into));
        }
        Value::Array(list) if depth < WITHIN => {
            for value in list {
                leaves(value, &at.clone().each(), depth + 1, into);
            }
        }
        Value::String(_) | Value::Number(_) => into.push((at.clone(), element)),
        _ => {}
    }
}

/// A map of a value; nothing where no text looks like an answer with a list that belongs to it.
pub fn shape(value: &Value) -> Option<Map> {
    let mut survey = Survey::default();
    survey.walk(value, &Route::default(), 0);
    let (answer, text, own) = match survey.answer() {
        Some((at, text)) => (at, text.to_owned(), None),
        None => pieces(&survey).map(|(at, text, list)| (at, text, Some(list)))?,
    };
    let spans = survey.lists.iter().enumerate().filter(|(number, _)| own.is_none_or(|own| own == *number));
    let spans: Vec<_> = spans.filter_map(|(number, listed)| Some((number, ranges(listed, &text)?))).collect();
    let placed = |number: usize| spans.iter().any(|(of, span)| *of == number && span.start.is_some());
    let mut best: Option<(usize, Map)> = None;
    for (number, listed) in survey.lists.iter().enumerate() {
        // What has offsets of the answer is cited by nothing.
        if placed(number) {
            continue;
        }
        for (of, span) in spans.iter().filter(|(of, _)| *of != number) {
            let Some((id, source, count)) = joined(listed, &survey.lists.get(*of)?.list) else { continue };
            if best.as_ref().is_none_or(|(known, _)| count > *known) {
                let spans = Some(Spans { source: vec![source], ..span.clone() });
                let sources = Some(described(listed, id));
                best = Some((count, Map { answer: Some(answer.clone()), spans, sources, ..Map::default() }));
            }
        }
    }
    let found = best.map(|(_, map)| map).or_else(|| marked(&survey, answer.clone(), &text));
    found.or_else(|| numbered(&survey, answer, &text))
}

/// Numbers in brackets over the list that says most.
fn numbered(survey: &Survey, answer: MapPath, text: &str) -> Option<Map> {
    let marks = markers::find(numbers::head(text), Notation::NUMBERS, |_| false);
    let highest = marks.flat_map(|(_, names)| names).filter_map(|name| match name {
        Name::Number(number) => Some(number as usize),
        Name::Address(..) => None,
    });
    let highest = highest.max()?;
    let says = |sources: &Sources| {
        [&sources.text, &sources.url, &sources.title].into_iter().filter(|path| path.is_some()).count()
    };
    // A list that the marks count has as many.
    let counts = |listed: &&Listed| listed.list.len() >= highest;
    let holds =
        |listed: &&Listed| counts(listed) && !answer.0.to_string().starts_with(&listed.at.to_string());
    let all = survey.lists.iter().filter(holds).map(|listed| described(listed, None));
    let sources = all.filter(|sources| says(sources) > 0).max_by_key(says)?;
    let markers = Some(Markers::default());
    Some(Map { answer: Some(answer), markers, sources: Some(sources), ..Map::default() })
}

/// A list whose elements are pieces of the answer.
fn pieces(survey: &Survey) -> Option<(MapPath, String, usize)> {
    survey.lists.iter().enumerate().find_map(|(number, Listed { at, list, .. })| {
        let (name, _) = key(list.first()?, TEXTS, Value::is_string)?;
        let texts: Option<Vec<&str>> = list.iter().map(|one| one.get(name)?.as_str()).collect();
        let linked =
            list.iter().all(|one| one.as_object().is_some_and(|one| one.values().any(Value::is_array)));
        linked.then(|| Some((MapPath(at.clone().then(name)), texts?.concat(), number)))?
    })
}

/// A list of ranges, or of words, of the answer.
fn ranges(Listed { at, list, .. }: &Listed, answer: &str) -> Option<Spans> {
    let spans =
        Spans { list: MapPath(at.clone()), unit: Count::Characters, guessed: true, ..Spans::default() };
    let quote = |one: &Value| {
        // The whole answer is no quote of it.
        let told = |text: &str| {
            text.chars().count() >= QUOTE && text.len() < answer.len() && answer.contains(text.trim())
        };
        let fields = one.as_object()?.iter();
        fields.filter(|(_, value)| value.as_str().is_some_and(told)).map(|(key, _)| key.clone()).next()
    };
    let quoted = quote(list.first()?).map(|key| MapPath(Route::key(&key)));
    let whole =
        |one: &Value, key: &str| one.get(key)?.as_u64().filter(|number| *number <= answer.len() as u64);
    let numbers: Vec<&String> = list
        .first()?
        .as_object()?
        .iter()
        .filter(|(_, value)| value.is_u64())
        .map(|(key, _)| key)
        .take(FIELDS)
        .collect();
    for start in &numbers {
        for end in numbers.iter().filter(|end| end != &start) {
            let rises =
                |one: &&Value| whole(one, start).zip(whole(one, end)).is_some_and(|(from, to)| from < to);
            let reaches = list.iter().any(|one| whole(one, end).is_some_and(|end| end as usize >= QUOTE));
            let path = |key: &str| Some(MapPath(Route::key(key)));
            let length = |one: &&Value| {
                let words = quoted.as_ref().and_then(|quote| quote.0.first(one)).and_then(Value::as_str);
                let (from, length) = (whole(one, start)?, whole(one, end)?);
                let slice = answer.chars().skip(from as usize).take(length as usize);
                Some(slice.eq(words?.chars()))
            };
            if list.iter().all(|one| length(one) == Some(true)) {
                return Some(Spans { start: path(start), length: path(end), quote: quoted, ..spans });
            }
            if list.iter().all(rises) && reaches {
                return Some(Spans { start: path(start), end: path(end), quote: quoted, ..spans });
            }
        }
    }
    quoted.map(|quote| Spans { quote: Some(quote), ..spans })
}

/// How the elements of one list name those of another: the id there, the path here, and how often.
fn joined(sources: &Listed, spans: &[&Value]) -> Option<(Option<MapPath>, MapPath, usize)> {
    let mut own = Vec::new();
    for span in spans {
        leaves(span, &Route::default(), 0, &mut own);
    }
    own.retain(|(path, _)| Role::of(path) != Role::Against);
    let list = &sources.list;
    let within = |id: &String| -> HashSet<String> {
        let ids = list.iter().filter_map(|one| one.get(id)).filter(|id| id.is_string() || id.is_number());
        ids.map(|id| plain(id).into_owned()).collect()
    };
    let keys = list.first()?.as_object()?.keys();
    let fields = keys.map(|id| (Some(MapPath(Route::key(id))), within(id)));
    let called = sources.keys.iter().map(|&key| key.to_owned()).collect();
    let mut best: Option<(Option<MapPath>, MapPath, usize)> = None;
    for (id, ids) in std::iter::once((None, called)).chain(fields) {
        // What two of them share is no id.
        if ids.len() < list.len() {
            continue;
        }
        let mut counts: HashMap<&Route, usize> = HashMap::new();
        for (path, _) in own.iter().filter(|(_, value)| ids.contains(plain(value).as_ref())) {
            *counts.entry(path).or_default() += 1;
        }
        for (path, here) in counts {
            let rank = |path: &Route| Reverse(Role::of(path).max(Role::Other));
            let better = |(_, known, most): &(Option<MapPath>, MapPath, usize)| {
                let (own, other) = ((rank(path), here), (rank(&known.0), *most));
                own > other || own == other && path.to_string() < known.0.to_string()
            };
            if best.as_ref().is_none_or(better) {
                best = Some((id.clone(), MapPath(path.clone()), here));
            }
        }
    }
    best
}

/// What of an element says what.
fn described(Listed { at, list, .. }: &Listed, id: Option<MapPath>) -> Sources {
    let Some(first) = list.first() else { return Sources::default() };
    let named = |names: &[&str], fits: fn(&Value) -> bool| {
        key(first, names, fits).map(|(key, _)| MapPath(Route::key(key)))
    };
    let mut own = Vec::new();
    leaves(first, &Route::default(), 0, &mut own);
    let text = |value: &Value| value.as_str().map(str::to_owned).unwrap_or_default();
    let web = own.iter().find(|(_, value)| is_web(&text(value))).map(|(path, _)| MapPath(path.clone()));
    let title = named(TITLES, Value::is_string);
    let taken = |path: &Route| [&web, &title, &id].into_iter().flatten().any(|known| known.0 == *path);
    let words = own.iter().filter(|(path, value)| !taken(path) && text(value).split_whitespace().count() > 1);
    let longest = words.max_by_key(|(_, value)| text(value).len()).map(|(path, _)| MapPath(path.clone()));
    Sources {
        list: MapPath(at.clone()),
        id,
        title,
        url: web,
        text: longest,
        date: None,
        score: named(SCORES, Value::is_number),
    }
}

/// Marks in the text that are the ids of a list.
fn marked(survey: &Survey, answer: MapPath, text: &str) -> Option<Map> {
    for listed in &survey.lists {
        let list = &listed.list;
        let Some(keys) = list.first().and_then(|first| first.as_object()).map(|first| first.keys()) else {
            continue;
        };
        for id in keys {
            let ids: Vec<&str> =
                list.iter().filter_map(|one| one.get(id)).filter_map(Value::as_str).collect();
            if ids.iter().any(|id| id.contains(char::is_whitespace)) {
                continue;
            }
            if let Some(pattern) = marks::of_ids(text, &ids, &marks::ANY) {
                let sources = Some(described(listed, Some(MapPath(Route::key(id)))));
                let markers = Some(Markers { pattern: Some(pattern), ..Markers::default() });
                return Some(Map { answer: Some(answer), markers, sources, ..Map::default() });
            }
        }
    }
    None
}
