//! What a proposed map leaves out that is called as citations are.

use serde_json::Value;

use super::claims::{Looks, looks};
use super::fields::{BESIDE, LISTS, holds_list, key};
use super::{Map, MapPath, Route};
use crate::model::Origin;

/// Lists that hold nothing but citations, or what these rest on; of some every element cites something.
const CITING: &[&str] = &["citations", "citationSpans", "attributions", "supports"];
const MAY_CITE: &[&str] = &[
    "annotations",
    "claims",
    "spans",
    "statements",
    "highlights",
    "footnotes",
    "endnotes",
    "webCitations",
    "externalCitations",
    "internalCitations",
    "documentCitations",
    "docCitations",
    "fileCitations",
    "imageCitations",
];

/// How a response was read.
#[derive(Clone, Copy)]
pub struct ReadBy {
    /// It cites something.
    pub cites: bool,
    /// By a map that nobody wrote.
    pub guessed: bool,
}

impl Map {
    /// Lists beside the answer that are called as citations are and are read for nothing, each with the
    /// reason; only those that look like claims where the response cites something.
    pub fn overlooks(&self, value: &Value, at: &Origin, read: ReadBy) -> Vec<(Origin, String)> {
        // Who wrote a map knows what it leaves out, as long as it leads to something.
        let leads = || self.spans.as_ref().is_none_or(|spans| spans.list.0.first(value).is_some());
        if !read.guessed && (read.cites || leads()) {
            return Vec::new();
        }
        let Some(holder) = self.answer.as_ref().map(|answer| answer.0.parent()) else { return Vec::new() };
        let Some((object, origin)) = holder.find(value, at).into_iter().next() else { return Vec::new() };
        let mut places = vec![(object, holder.clone(), origin.clone())];
        for name in BESIDE {
            if let Some((key, inner)) = key(object, &[*name], Value::is_object) {
                places.push((inner, holder.clone().then(key), origin.key(key)));
            }
        }
        let mut out = Vec::new();
        for (object, route, origin) in &places {
            for name in CITING.iter().chain(MAY_CITE) {
                let Some((key, inner)) = key(object, &[*name], is_filled) else { continue };
                let list = route.clone().then(key);
                let why =
                    if inner.as_array().map_or_else(|| is_in_text(inner), |list| list.iter().any(is_in_text))
                    {
                        Some(format!("`{key}` is JSON as a text, which is not read"))
                    } else {
                        self.why(key, &list, looks(inner), read, CITING.contains(name))
                    };
                out.extend(why.map(|why| (origin.key(key), why)));
            }
        }
        if let Some(spans) = self.spans.as_ref().filter(|spans| spans.unlike) {
            let list = spans.list.0.to_string();
            let words = format!(
                "the offsets in `{}` are none of their words, which say where the claims are",
                list.trim_end_matches("[*]")
            );
            out.push((origin.clone(), words));
        }
        out.extend(self.nested(object, &origin).filter(|_| read.guessed));
        let (sources, unread) = (self.sources.is_none(), out.is_empty() && !read.cites && read.guessed);
        let claims = self.spans.as_ref().filter(|_| sources && unread).map(|spans| spans.list.0.parent());
        if let Some((inner, place)) = claims.as_ref().and_then(|list| list.find(value, at).into_iter().next())
            && looks(inner).sources
        {
            let words = format!(
                "no list of what the claims in `{}` rest on was found",
                claims.as_ref().and_then(Route::last_key).unwrap_or_default()
            );
            out.push((place, words));
            return out;
        }
        if let Some(name) = holds_list(object).filter(|_| sources && unread) {
            out.push((origin.key(name), format!("no key in `{name}` is called as a source is")));
        }
        if unread {
            out.extend(self.within_sources(value, at));
        }
        out
    }

    /// A list of sources that holds them one deeper, where the claims are taken for what they rest on.
    fn nested(&self, object: &Value, origin: &Origin) -> Option<(Origin, String)> {
        let (spans, sources) = (self.spans.as_ref()?, self.sources.as_ref()?);
        let own = sources.list.0.below(&spans.list.0)? == Route::default();
        let is_deep = |value: &Value| value.is_object() || value.is_array();
        let deeper = |inner: &Value| match inner {
            Value::Object(members) => !members.is_empty() && members.values().all(is_deep),
            Value::Array(list) => !list.is_empty(),
            _ => false,
        };
        let holds =
            |inner: &Value| inner.as_array().map_or_else(|| deeper(inner), |list| list.iter().all(deeper));
        let (key, _) = key(object, LISTS, |inner| is_filled(inner) && holds(inner)).filter(|_| own)?;
        Some((origin.key(key), format!("`{key}` holds sources one deeper than they are looked for")))
    }

    /// Places of claims that stand in the sources which they rest on.
    fn within_sources(&self, value: &Value, at: &Origin) -> Option<(Origin, String)> {
        let list = &self.sources.as_ref()?.list.0;
        list.find(value, at).into_iter().find_map(|(source, at)| {
            let mut places =
                CITING.iter().chain(MAY_CITE).filter_map(|name| key(source, &[*name], is_filled));
            let (key, _) = places.find(|(_, inner)| looks(inner).place)?;
            let words = format!("`{key}` stands in a source; places of claims are read beside the answer");
            Some((at.key(key), words))
        })
    }

    /// Why a list is not read, or not what it rests on.
    fn why(&self, key: &str, list: &Route, looks: Looks, how: ReadBy, citing: bool) -> Option<String> {
        let reads = |path: &MapPath| path.0.below(list).is_some();
        let table = self.markers.as_ref().and_then(|markers| markers.list.as_ref());
        // Of the answer as a whole the list is what it rests on.
        let named = self.spans.iter().flat_map(|spans| {
            spans.source.iter().map(|source| MapPath(spans.list.0.clone().join(source.0.clone())))
        });
        let whole = || self.spans.as_ref().is_some_and(|spans| spans.list.0.keys().is_some());
        if whole() && named.into_iter().any(|path| reads(&path)) {
            return None;
        }
        if self.sources.as_ref().is_some_and(|sources| reads(&sources.list)) || table.is_some_and(reads) {
            return None;
        }
        match &self.spans {
            Some(spans) if !how.guessed => {
                Some(format!("`{key}` is read for nothing, and the map's `{}` leads nowhere", spans.list.0))
            }
            Some(spans) if reads(&spans.list) => (spans.source.is_empty() && citing && !how.cites)
                .then(|| format!("no key in `{key}` is called as what a claim rests on is")),
            Some(spans) if looks.sources && (looks.place || looks.words) => {
                Some(format!("`{key}` is not read, since `{}` is", spans.list.0))
            }
            _ if how.cites && !(looks.sources && looks.place) => None,
            _ if looks.sources && looks.words && !looks.place => {
                Some(format!("the words in `{key}` do not stand in the answer"))
            }
            _ => Some(format!("no key in `{key}` is called as the place or the words of a claim is")),
        }
    }
}

/// Whether it is JSON that was made a text.
fn is_in_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim_start().starts_with(['[', '{']) && text.contains('{'))
}

/// Whether something that holds anything stands there, also as a text.
fn is_filled(value: &Value) -> bool {
    let holds = |one: &Value| one.is_object() || one.is_array() || is_in_text(one);
    let list = |list: &Vec<Value>| list.iter().any(holds);
    let members = |members: &serde_json::Map<String, Value>| members.values().any(holds);
    value.as_array().is_some_and(list)
        || value.as_object().is_some_and(members)
        || is_in_text(value)
        || looks(value).place
}
