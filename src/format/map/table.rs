//! A list that says which source each number of the marks names, beside the sources themselves.

use std::collections::HashSet;

use serde_json::Value;

use super::claims::REFERS;
use super::fields::{IDS, NUMBERS, URLS, called_by, elements, field, fields, is_scalar, key, listed, names};
use super::{MapPath, Markers, Route, Sources, Spans};
use crate::format::markers::{self, Name, Notation};
use crate::json::camel;
use crate::json::values::named;
use crate::model::{Origin, Step};

/// What such a list is called.
const TABLES: &[&str] = &[
    "citations",
    "references",
    "citationMap",
    "citationMapping",
    "referenceMap",
    "sourceMap",
    "sourceMapping",
    "markers",
    "footnotes",
    "refs",
    "sources",
];

/// Keys whose numbers are places in the list of sources.
const PLACES: &[&str] = &[
    "source",
    "sources",
    "sourceNumber",
    "sourceIndex",
    "sourceIndices",
    "sourceIdx",
    "document",
    "documentIndex",
    "documentNumber",
    "docIndex",
    "docIdx",
    "chunkIndex",
];

/// Such a list of an object, where each of its elements names one of the sources that are listed below
/// another key (which `others` gives); `root` is what their paths count from.
pub(super) fn of(
    (value, at): (&Value, &Route),
    (text, root): (&str, &Value),
    others: &dyn Fn(&str) -> Option<Sources>,
) -> Option<(Markers, Sources)> {
    if numbers_in(text).is_empty() {
        return None;
    }
    TABLES.iter().find_map(|name| {
        // Of sources that are listed twice the one says what the other is called.
        let is_one = |inner: &Value| {
            let list = elements(inner);
            !list.is_empty() && (*name != "sources" || list.iter().all(|one| is_scalar(one)))
        };
        let (name, inner) = key(value, &[*name], is_one)?;
        let sources = others(name)?;
        let (number, source) = told(&elements(inner), inner.is_object(), &Listed::of(root, &sources))?;
        let list = MapPath(at.clone().then(name).each());
        let spans = Spans { list: list.clone(), source: vec![source.clone()], ..Spans::default() };
        let id = called_by(root, &spans, &sources).or_else(|| sources.id.clone());
        let markers = Markers { list: Some(list), number, source: Some(source), ..Markers::default() };
        Some((markers, Sources { id, ..sources }))
    })
}

/// The numbers that the marks of a text name.
fn numbers_in(text: &str) -> HashSet<String> {
    let marks = markers::find(text, Notation::NUMBERS, |_| false).into_iter();
    let number = |name: Name| if let Name::Number(number) = name { Some(number.to_string()) } else { None };
    marks.flat_map(|(_, names)| names).filter_map(number).collect()
}

/// The number that sources say of themselves, where the marks name that and not what looks most like an id.
/// Places from 0 are no such numbers.
pub(super) fn own_number(text: &str, root: &Value, sources: &Sources) -> Option<MapPath> {
    let sent = numbers_in(text);
    let list = listed(root, sources);
    let own = |path: &MapPath| -> Vec<String> {
        let words = list.iter().filter_map(|one| path.0.first(one)).filter(|one| is_scalar(one)).map(named);
        words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()).collect()
    };
    let hits = |path: &MapPath| own(path).iter().filter(|number| sent.contains(*number)).count();
    let is_place =
        |path: &MapPath| own(path).iter().enumerate().all(|(place, one)| *one == place.to_string());
    let usual = sources.id.as_ref().map_or(0, hits);
    let best = names(&list).into_iter().rev().filter(|path| !is_place(path)).max_by_key(hits)?;
    (hits(&best) > usual).then_some(best)
}

/// Where entries say their number, and what they name: below the key of which most is listed.
fn told(entries: &[&Value], by_key: bool, known: &Listed) -> Option<(Option<MapPath>, MapPath)> {
    if !entries.iter().any(|entry| entry.is_object()) {
        let is_list = entries.iter().any(|entry| entry.is_array());
        let path = MapPath(if is_list { Route::default().each() } else { Route::default() });
        let refs = referred(entries, &path);
        // Numbers alone may be those of the marks.
        let plain = !by_key && refs.iter().all(|one| one.parse::<u64>().is_ok());
        return (!plain && known.has_most(&refs, by_key)).then_some((None, path));
    }
    let all = fields(entries);
    let of_marks = |name: &&str| !PLACES.contains(name);
    let number_names: Vec<&str> = NUMBERS.iter().chain(IDS).copied().filter(of_marks).collect();
    let counts = |inner: &Value| {
        let word = named(inner);
        let digits = word.trim_matches(|c: char| !c.is_alphanumeric());
        is_scalar(inner) && (1..=3).contains(&digits.len()) && digits.parse::<u16>().is_ok()
    };
    let number = field(&all, &number_names, counts).map(|(key, _)| key);
    let mut keys: Vec<&str> = Vec::new();
    for (_, key, _) in &all {
        if Some(*key) != number && !keys.contains(key) {
            keys.push(key);
        }
    }
    let rank = |key: &str| REFERS.iter().position(|name| *name == camel(key)).unwrap_or(REFERS.len());
    keys.sort_by_key(|key| rank(key));
    let source = keys.into_iter().find_map(|key| {
        let path = below(key, entries)?;
        let places = PLACES.contains(&camel(key).as_ref());
        known.has_most(&referred(entries, &path), places).then_some(path)
    })?;
    Some((number.map(|key| MapPath(Route::key(key))), source))
}

/// The path to what entries name below a key: itself, what a list holds, or the id in an object.
fn below(key: &str, entries: &[&Value]) -> Option<MapPath> {
    let inner: Vec<&Value> = entries.iter().filter_map(|entry| entry.get(key)).collect();
    let is_list = inner.iter().any(|one| one.is_array());
    let route = if is_list { Route::key(key).each() } else { Route::key(key) };
    let held: Vec<&Value> = inner
        .into_iter()
        .flat_map(|one| one.as_array().map_or_else(|| vec![one], |list| list.iter().collect()))
        .collect();
    if held.iter().all(|one| is_scalar(one) || one.is_null()) {
        return Some(MapPath(route));
    }
    let names: Vec<&str> = IDS.iter().chain(REFERS).chain(URLS).copied().collect();
    let (id, _) = field(&fields(&held), &names, is_scalar)?;
    Some(MapPath(route.then(id)))
}

fn referred(entries: &[&Value], path: &MapPath) -> Vec<String> {
    let found = entries.iter().flat_map(|entry| path.0.find(entry, &Origin::default()));
    found.filter(|(sent, _)| is_scalar(sent)).map(|(sent, _)| named(sent).into_owned()).collect()
}

/// All that sources may be called by: their ids, numbers, names, addresses, keys, and what they are.
struct Listed {
    names: HashSet<String>,
    count: usize,
}

impl Listed {
    fn of(root: &Value, sources: &Sources) -> Self {
        let list: Vec<(&Value, Origin)> = sources.list.0.find(root, &Origin::default());
        let mut out: HashSet<String> = HashSet::new();
        let paths =
            names(&listed(root, sources)).into_iter().chain(sources.url.clone()).chain(sources.id.clone());
        for path in paths.chain([MapPath::default()]) {
            let found = list.iter().filter_map(|(value, _)| path.0.first(value)).filter(|one| is_scalar(one));
            out.extend(found.map(|one| named(one).trim_end_matches('/').to_owned()));
        }
        out.extend(list.iter().filter_map(|(_, origin)| match origin.path.steps().pop() {
            Some(Step::Key(key)) => Some(key),
            _ => None,
        }));
        Self { names: out, count: list.len() }
    }

    /// Whether it has half of what is named, or more; `places` says whether numbers may be places.
    fn has_most(&self, refs: &[String], places: bool) -> bool {
        let is_place = |one: &String| places && one.parse().is_ok_and(|place: usize| place <= self.count);
        let has = |one: &&String| self.names.contains(one.trim_end_matches('/')) || is_place(one);
        let known = refs.iter().filter(has).count();
        known > 0 && 2 * known >= refs.len()
    }
}
