//! What listed sources may be called by, and which keys of claims call them so.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::fields::{
    KEYS, LOOKED_AT, OWN, REFERS, distinct, elements, field, fields, is_scalar, listed, names,
};
use super::roles::Role;
use super::{MapPath, Route, Sources, Spans};
use crate::json::camel;
use crate::json::values::named;
use crate::model::{Origin, Step};
use crate::text::is_web;

/// All that sources may be called by: their ids, numbers, names, addresses, keys, and what they are.
pub(super) struct Listed {
    names: HashMap<String, Bearer>,
    count: usize,
    ids: HashSet<String>,
    /// Whether they have ids, and such that are no numbers.
    with_ids: bool,
    named: bool,
}

/// Who bears a name.
struct Bearer {
    first: usize,
    /// Others do, too.
    shared: bool,
}

/// Bytes of an id at most.
const ID: usize = 64;

impl Listed {
    pub fn of(root: &Value, sources: &Sources) -> Self {
        let list: Vec<(&Value, Origin)> = sources.list.0.find(root, &Origin::default());
        let mut out: HashMap<String, Bearer> = HashMap::new();
        let mut take = |place: usize, name: String| {
            let bearer = out.entry(name).or_insert(Bearer { first: place, shared: false });
            bearer.shared |= bearer.first != place;
        };
        let paths =
            names(&listed(root, sources)).into_iter().chain(sources.url.clone()).chain(sources.id.clone());
        for path in paths.chain([MapPath::default()]) {
            for (place, (value, _)) in list.iter().enumerate() {
                if let Some(one) = path.0.first(value).filter(|one| is_scalar(one)) {
                    take(place, named(one).trim_end_matches('/').to_owned());
                }
            }
        }
        let mut keys: Vec<String> = Vec::new();
        for (place, (_, origin)) in list.iter().enumerate() {
            if let Some(Step::Key(key)) = origin.path.steps().pop() {
                take(place, key.clone());
                keys.push(key);
            }
        }
        let ids = sources.id.iter().flat_map(|path| list.iter().filter_map(|(value, _)| path.0.first(value)));
        let ids: Vec<String> = ids.map(|id| named(id).into_owned()).chain(keys).collect();
        let (with_ids, named) = (!ids.is_empty(), !are_numbers(&ids));
        Self { names: out, count: list.len(), ids: ids.into_iter().collect(), with_ids, named }
    }

    /// Whether it has what is named; `places` says whether numbers may be places.
    pub fn has(&self, one: &str, places: bool) -> bool {
        let own = |one: &str| self.names.contains_key(one.trim_end_matches('/'));
        own(one)
            || one.split_once('#').is_some_and(|(document, _)| own(document))
            || places && one.parse().is_ok_and(|place: usize| place <= self.count)
    }

    /// Whether one of them alone is called so.
    fn has_alone(&self, one: &str) -> bool {
        self.names.get(one.trim_end_matches('/')).is_some_and(|bearer| !bearer.shared)
    }

    /// Whether all that is named are its ids; such as are places only where the key is called as those are.
    fn are_ids(&self, refs: &[String], key: &str) -> bool {
        let is_place = |id: &String| id.parse().is_ok_and(|place: usize| place <= self.count);
        let called = || OF_DOCUMENTS.iter().any(|stem| key.starts_with(stem));
        !refs.is_empty()
            && refs.iter().all(|one| self.ids.contains(one))
            && (called() || !PAGES.contains(&key) && !self.ids.iter().all(is_place))
    }

    /// Whether it has half of what is named, or more.
    pub fn has_most(&self, refs: &[String], places: bool) -> bool {
        let known = refs.iter().filter(|one| self.has(one, places)).count();
        known > 0 && 2 * known >= refs.len()
    }

    /// Whether what is named are ids of it, of which it may have none.
    pub fn names_all(&self, refs: &[String], places: bool) -> bool {
        let is_id = |one: &String| one.len() <= ID && !one.contains(char::is_whitespace) && !is_web(one);
        let known = refs.iter().any(|one| self.has(one, places));
        // Without ids numbers are places.
        let counts = !self.with_ids && are_numbers(refs) && self.has_most(refs, true);
        self.has_most(refs, places)
            || counts
            || !refs.is_empty() && refs.iter().all(is_id) && (known || self.named && !are_numbers(refs))
    }
}

pub(super) fn are_numbers(refs: &[String]) -> bool {
    refs.iter().all(|one| one.parse::<u64>().is_ok())
}

/// Parts of the names that such keys have.
const STEMS: &[&str] = &[
    "source", "doc", "chunk", "passage", "context", "ref", "cit", "evidence", "node", "file", "url", "uri",
    "link", "support", "title", "name", "page", "id", "article", "record",
];
/// First letters of keys of whole documents.
const OF_DOCUMENTS: &[&str] = &["source", "doc", "article", "record", "file"];
/// Keys of pages, which may be called as a source is by chance.
const PAGES: &[&str] = &["page", "pages", "pageNumber", "pageNo", "pageIndex"];
/// Keys that say at which place of the list a source stands.
const PLACED: &[&str] = &[
    "documentIndex",
    "sourceIndex",
    "docIndex",
    "sourceIdx",
    "docIdx",
    "documentNumber",
    "sourceNumber",
    "docNumber",
];
/// Lists of which an element need cite nothing.
const OF_TEXT: &[&str] = &["sentences", "statements", "segments", "claims"];

/// Claims by the keys below which most of what they name is listed; what names nothing comes last.
pub(super) fn by_what_is_listed(spans: Spans, root: &Value, sources: &Sources) -> Spans {
    if sources.list.0.below(&spans.list.0).is_some() {
        return spans;
    }
    let known = Listed::of(root, sources);
    let found = spans.list.0.find(root, &Origin::default());
    let claims: Vec<&Value> = found.iter().take(LOOKED_AT).map(|(claim, _)| *claim).collect();
    let mut paths: Vec<(Role, Hits, MapPath)> = routes(&claims)
        .into_iter()
        .map(|route| (Role::of(&route), Hits::of(&claims, &route, &known), MapPath(route)))
        .filter(|(role, hits, path)| {
            hits.said == 0 && *role <= Role::Named
                || hits.listed > 0 && spans.quote.as_ref() != Some(path) && is_called_so(&path.0)
        })
        .collect();
    // What says that nothing is cited says it also where something else stands beside it.
    let none = paths.iter().any(|(_, hits, _)| hits.said == 0);
    paths.retain(|(role, hits, _)| hits.listed > 0 && (*role < Role::Wider || *role == Role::Wider && !none));
    let nearest = paths.iter().map(|(role, ..)| (*role).max(Role::Named)).min();
    paths.retain(|(role, ..)| Some((*role).max(Role::Named)) == nearest);
    // Of those that name as much the ones that are called so come first.
    let rank = |path: &MapPath| spans.source.iter().position(|own| own == path).unwrap_or(usize::MAX);
    paths.sort_by_key(|(role, hits, path)| (*role, Reverse(hits.alone), Reverse(hits.listed), rank(path)));
    let mut source: Vec<MapPath> = paths.into_iter().map(|(.., path)| path).collect();
    if source.is_empty() {
        source.extend(placed(&claims, known.count));
    }
    for path in &spans.source {
        if !source.contains(path) && !is_own(&spans, &claims, path, !source.is_empty()) {
            source.push(path.clone());
        }
    }
    Spans { source, ..spans }
}

/// The key at which all claims say a place of the list.
fn placed(claims: &[&Value], count: usize) -> Option<MapPath> {
    let (key, _) = field(&fields(claims), PLACED, is_scalar)?;
    let route = Route::key(key);
    let is_place = |one: &String| one.parse().is_ok_and(|place: usize| place <= count);
    let refs = referred(claims, &route);
    (refs.len() == claims.len() && refs.iter().all(is_place)).then_some(MapPath(route))
}

/// Whether one of the keys of a path is called as what sources are called by is.
fn is_called_so(route: &Route) -> bool {
    let path = route.to_string().to_lowercase();
    STEMS.iter().any(|stem| path.contains(stem))
}

/// Whether a key holds the claims' own numbers, or words that are no ids.
fn is_own(spans: &Spans, claims: &[&Value], path: &MapPath, others: bool) -> bool {
    let key = path.0.last_key().map(camel).unwrap_or_default();
    let refs = referred(claims, &path.0);
    if !refs.is_empty() && refs.iter().all(|one| one.contains(char::is_whitespace)) {
        return true;
    }
    let counts =
        |first: usize| refs.iter().enumerate().all(|(place, one)| *one == (place + first).to_string());
    let running = refs.len() == claims.len() && (counts(0) || counts(1));
    let called = |one: &&&Value| {
        one.as_object().is_some_and(|one| {
            one.keys()
                .any(|other| REFERS.contains(&camel(other).as_ref()) && !OWN.contains(&camel(other).as_ref()))
        })
    };
    let of_text = spans.list.0.last_key().is_some_and(|list| OF_TEXT.contains(&camel(list).as_ref()));
    OWN.contains(&key.as_ref()) && running && (others || of_text || claims.iter().any(|one| called(&one)))
}

/// How much claims name below a path.
struct Hits {
    said: usize,
    /// What of it is listed.
    listed: usize,
    /// What of it only one source is called.
    alone: usize,
}

impl Hits {
    /// Numbers name something only below keys of ids, or where all of them are ids.
    fn of(claims: &[&Value], route: &Route, known: &Listed) -> Self {
        let key = route.last_key().map(camel).unwrap_or_default();
        let ids = REFERS.contains(&key.as_ref()) && !OWN.contains(&key.as_ref());
        let said = referred(claims, route);
        let ids = ids || known.are_ids(&said, &key);
        let is_named = |one: &&String| known.has(one, false) && (ids || one.parse::<f64>().is_err());
        let listed: Vec<&String> = said.iter().filter(is_named).collect();
        let alone = listed.iter().filter(|one| known.has_alone(one)).count();
        Self { said: said.len(), listed: listed.len(), alone }
    }
}

/// What claims, or other elements, name below a path.
pub(super) fn referred(claims: &[&Value], route: &Route) -> Vec<String> {
    let found = claims.iter().flat_map(|claim| route.find(claim, &Origin::default()));
    found.filter(|(one, _)| is_scalar(one)).map(|(one, _)| named(one).into_owned()).collect()
}

/// The paths to what stands below the keys of claims: scalars, lists of them, and what is in objects.
fn routes(claims: &[&Value]) -> Vec<Route> {
    let mut out = Vec::new();
    let keys = |list: &[&Value]| -> Vec<String> {
        let all = list.iter().filter_map(|one| one.as_object()).flat_map(serde_json::Map::keys);
        distinct(all.map(String::as_str)).take(KEYS).map(str::to_owned).collect()
    };
    for key in keys(claims) {
        let held: Vec<&Value> =
            claims.iter().filter_map(|claim| claim.get(&key)).filter(|one| !one.is_null()).collect();
        let is_list = held.iter().any(|one| one.is_array());
        let route = if is_list { Route::key(&key).each() } else { Route::key(&key) };
        let inner: Vec<&Value> =
            if is_list { held.iter().flat_map(|one| elements(one)).collect() } else { held };
        if inner.iter().any(|one| one.is_object()) {
            out.extend(keys(&inner).iter().map(|key| route.clone().then(key)));
        } else {
            out.push(route);
        }
    }
    out
}
