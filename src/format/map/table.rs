//! A list that says which source each number of the marks names, beside the sources themselves.

use serde_json::Value;

use super::fields::{
    IDS, KEYS, NUMBERS, REFERS, SCORES, TITLES, URLS, called_by, described, distinct, elements, field,
    fields, is_scalar, key, listed, names, says_something,
};
use super::known::{Listed, are_numbers, referred};
use super::numbers::{PLACES, number_key, numbers_in};
use super::roles::{Role, is_found};
use super::{MapPath, Markers, Route, Sources, Spans};
use crate::json::camel;
use crate::json::values::named;
use crate::text::is_web;

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

/// What is called so names sources for the whole answer.
const CITED: &[&str] = &[
    "citations",
    "citationIds",
    "cited",
    "citedIds",
    "citedSources",
    "citedSourceIds",
    "citedDocuments",
    "citedDocumentIds",
    "citedChunks",
    "usedSources",
    "sourcesUsed",
    "sourceIds",
    "documentIds",
    "docIds",
    "chunkIds",
    "references",
    "refs",
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
    TABLES.iter().chain(CITED).find_map(|name| {
        // Of sources that are listed twice the one says what the other is called.
        let is_one = |inner: &Value| {
            let list = elements(inner);
            !list.is_empty() && (*name != "sources" || list.iter().all(|one| is_scalar(one)))
        };
        let (name, inner) = key(value, &[*name], is_one)?;
        let sources = others(name)?;
        // What is cited beside what was found; beside what is cited its order need say nothing.
        if !TABLES.contains(&camel(name).as_ref()) && !is_found(&sources.list.0) {
            return None;
        }
        let (known, entries) = (Listed::of(root, &sources), elements(inner));
        let list = MapPath(at.clone().then(name).each());
        let Some((number, source)) = told(&entries, inner.is_object(), &known) else {
            return own_sources(list, &entries, &known).map(|sources| (Markers::default(), sources));
        };
        let spans = Spans { list: list.clone(), source: vec![source.clone()], ..Spans::default() };
        let id = called_by(root, &spans, &sources).or_else(|| sources.id.clone());
        let markers = Markers { list: Some(list), number, source: Some(source), ..Markers::default() };
        Some((markers, Sources { id, ..sources }))
    })
}

/// Entries with addresses of which none is listed elsewhere: they are what the numbers name.
fn own_sources(list: MapPath, entries: &[&Value], known: &Listed) -> Option<Sources> {
    let sources = described(list.0, entries);
    let alone = entries.iter().all(|entry| entry.as_str().is_some_and(is_web));
    let addresses = match &sources.url {
        Some(url) => referred(entries, &url.0),
        None if alone => referred(entries, &Route::default()),
        None => return None,
    };
    (!addresses.is_empty() && addresses.iter().all(|one| is_web(one) && !known.has(one, false)))
        .then_some(sources)
}

/// What names sources for the answer as a whole, where it has neither marks nor claims: a list of ids beside
/// the sources. `placed` says that what else it has are places in these.
pub(super) fn of_answer(
    (value, at): (&Value, &Route),
    root: &Value,
    placed: bool,
    others: &dyn Fn(&str) -> Option<Sources>,
) -> Option<(Spans, Sources)> {
    CITED.iter().find_map(|name| {
        let full = |inner: &Value| {
            let list = inner.as_array().filter(|list| !list.is_empty());
            list.is_some_and(|list| list.iter().all(is_scalar) || list.iter().all(Value::is_object))
        };
        let (name, inner) = key(value, &[*name], full)?;
        let sources = others(name)?;
        let known = Listed::of(root, &sources);
        let alone = referred(&elements(inner), &Route::default());
        let path = if alone.len() == elements(inner).len() {
            known.names_all(&alone, true).then(Route::default)?
        } else {
            // What has other keys may say where it belongs.
            let all = fields(&elements(inner));
            let names: Vec<&str> = [REFERS, IDS, SCORES, TITLES, URLS].concat();
            let is_known = all.iter().all(|(key, ..)| names.contains(&key.as_ref()));
            told(&elements(inner), false, &known).filter(|_| is_known || placed)?.1.0
        };
        let source = vec![MapPath(Route::key(name).each().join(path))];
        let spans = Spans { list: MapPath(at.clone()), source, guessed: true, ..Spans::default() };
        let id = called_by(root, &spans, &sources).or_else(|| sources.id.clone());
        Some((spans, Sources { id, ..sources }))
    })
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
    // What is called a number or a mark says it, where an id may be any number.
    let says = |path: &MapPath| {
        path.0.last_key().map(camel).is_some_and(|key| key == "number" || NUMBERS.contains(&key.as_ref()))
    };
    let best = names(&list)
        .into_iter()
        .rev()
        .filter(|path| !is_place(path))
        .max_by_key(|path| (hits(path), says(path)))?;
    (hits(&best) > usual || usual > 0 && hits(&best) == usual && says(&best)).then_some(best)
}

/// Where entries say their number, and what they name: below the key of which most is listed.
fn told(entries: &[&Value], by_key: bool, known: &Listed) -> Option<(Option<MapPath>, MapPath)> {
    if !entries.iter().any(|entry| entry.is_object()) {
        let is_list = entries.iter().any(|entry| entry.is_array());
        let path = MapPath(if is_list { Route::default().each() } else { Route::default() });
        let refs = referred(entries, &path.0);
        // Numbers alone may be those of the marks.
        let plain = !by_key && are_numbers(&refs);
        return (!plain && known.names_all(&refs, by_key)).then_some((None, path));
    }
    let all = fields(entries);
    let number = number_key(&all);
    let cites = |key: &&str| Role::of(&Route::key(key)) != Role::Against;
    let own = all.iter().map(|(_, key, _)| *key).filter(|key| Some(*key) != number && cites(key));
    let mut keys: Vec<&str> = distinct(own).collect();
    let rank = |key: &str| REFERS.iter().position(|name| *name == camel(key)).unwrap_or(REFERS.len());
    keys.sort_by_key(|key| rank(key));
    keys.truncate(REFERS.len() + KEYS);
    let speaks = says_something(&described(Route::default(), entries));
    let source = keys.into_iter().find_map(|key| {
        let (path, name) = (below(key, entries)?, camel(key));
        let (refs, places) = (referred(entries, &path.0), PLACES.contains(&name.as_ref()));
        let ids = REFERS.contains(&name.as_ref()) && (name.ends_with("Id") || name.ends_with("Ids"));
        let names =
            if ids && !speaks { known.names_all(&refs, places) } else { known.has_most(&refs, places) };
        names.then_some(path)
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
