//! A list that says which source each number of the marks names, beside the sources themselves.

use std::collections::HashSet;

use serde_json::Value;

use super::claims::REFERS;
use super::fields::{
    Field, IDS, LOOKED_AT, NUMBERS, URLS, called_by, elements, field, fields, is_scalar, key, names,
};
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
    "markers",
    "footnotes",
    "refs",
];

/// Keys whose numbers are places in the list of sources.
const PLACES: &[&str] = &["sourceIndex", "sourceIdx", "documentIndex", "docIndex", "docIdx", "chunkIndex"];

/// Such a list of an object, where each of its elements names one of the sources that are listed below
/// another key (which `others` gives); `root` is what their paths count from.
pub(super) fn of(
    (value, at): (&Value, &Route),
    (text, root): (&str, &Value),
    others: &dyn Fn(&str) -> Option<Sources>,
) -> Option<(Markers, Sources)> {
    let marks = markers::find(text, Notation::NUMBERS, |_| false);
    if !marks.iter().any(|(_, names)| names.iter().any(|name| matches!(name, Name::Number(_)))) {
        return None;
    }
    TABLES.iter().find_map(|name| {
        let (name, inner) = key(value, &[*name], |inner| !elements(inner).is_empty())?;
        let sources = others(name)?;
        let list = at.clone().then(name).each();
        let entries = elements(inner);
        let (number, source) = told(&entries)?;
        let refs: Vec<String> = entries
            .iter()
            .flat_map(|entry| source.0.find(entry, &Origin::default()))
            .filter(|(sent, _)| is_scalar(sent))
            .map(|(sent, _)| named(sent).into_owned())
            .collect();
        // Numbers alone may be those of the marks.
        let plain = number.is_none() && inner.is_array();
        if refs.len() < entries.len() || plain && refs.iter().all(|one| one.parse::<u64>().is_ok()) {
            return None;
        }
        let listed = calls(root, &sources);
        let count = sources.list.0.find(root, &Origin::default()).len();
        let is_place = |one: &String| one.parse().is_ok_and(|place: usize| place < count);
        let by_place = PLACES.contains(&camel(&source.0.to_string()).as_ref());
        if !refs.iter().all(|one| listed.contains(one) || by_place && is_place(one)) {
            return None;
        }
        let list = MapPath(list);
        let spans = Spans { list: list.clone(), source: vec![source.clone()], ..Spans::default() };
        let id = called_by(root, &spans, &sources).or_else(|| sources.id.clone());
        let markers = Markers { list: Some(list), number, source: Some(source), ..Markers::default() };
        Some((markers, Sources { id, ..sources }))
    })
}

/// Where entries say their number, and what they name.
fn told(entries: &[&Value]) -> Option<(Option<MapPath>, MapPath)> {
    if entries.iter().all(|entry| is_scalar(entry)) {
        return Some((None, MapPath::default()));
    }
    let all = fields(entries);
    let path = |found: Option<(&str, &Value)>| found.map(|(key, _)| MapPath(Route::key(key)));
    let of = |names: &[&str], besides: Option<&str>| {
        let free: Vec<Field> = all.iter().filter(|(_, key, _)| Some(*key) != besides).cloned().collect();
        path(field(&free, names, is_scalar))
    };
    let number_names: Vec<&str> = NUMBERS.iter().chain(IDS).copied().collect();
    let source = of(REFERS, None).filter(|path| of(&["index"], None).as_ref() != Some(path));
    let source = source.or_else(|| of(URLS, None))?;
    let taken = source.0.to_string();
    Some((of(&number_names, Some(taken.as_str())), source))
}

/// All that sources may be called by: their ids, numbers, addresses, keys, and what they are.
fn calls(root: &Value, sources: &Sources) -> HashSet<String> {
    let list: Vec<(&Value, Origin)> = sources.list.0.find(root, &Origin::default());
    let values: Vec<&Value> = list.iter().take(LOOKED_AT).map(|(value, _)| *value).collect();
    let mut out: HashSet<String> = HashSet::new();
    let paths = names(&values).into_iter().chain(sources.url.clone()).chain(sources.id.clone());
    for path in paths.chain([MapPath::default()]) {
        let found = list.iter().filter_map(|(value, _)| path.0.first(value)).filter(|one| is_scalar(one));
        out.extend(found.map(|one| named(one).into_owned()));
    }
    out.extend(list.iter().filter_map(|(_, origin)| match origin.path.steps().pop() {
        Some(Step::Key(key)) => Some(key),
        _ => None,
    }));
    out
}
