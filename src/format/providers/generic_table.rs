//! A list beside the sources of one's own JSON that says which of them each number of the marks names.

use std::collections::HashSet;

use serde_json::Value;

use super::generic_names::{Counting, Names};
use super::generic_values::{all, numbered, told};
use crate::format::building::Bounded;
use crate::format::map::Markers;
use crate::json::Cx;
use crate::json::values::named;
use crate::model::{Citation, Origin, Response, Step, Target};

/// Bytes that a citation takes.
const CITATION: usize = size_of::<Citation>();

/// Such a list.
pub(super) struct Table {
    /// The numbers of the marks as ids: of places behind the sources.
    pub numbers: Names,
    /// The sources that each of these places stands for.
    named_by: Vec<Vec<usize>>,
    /// How many sources there are.
    count: usize,
    /// Whether its numbers may count the sources from 0 or from 1.
    pub unclear: bool,
}

impl Table {
    /// That of a value, where a map has one.
    pub fn of(markers: &Markers, names: &Names, value: &Value, at: &Origin) -> Option<Self> {
        let list = markers.list.as_ref()?.0.find(value, at);
        let path = markers.source.clone().unwrap_or_default();
        let referred = |entry, at: &Origin| -> Vec<String> {
            all(Some(&path), entry, at).map(|one| named(one).into_owned()).collect()
        };
        let sent: Vec<String> = list.iter().flat_map(|(entry, at)| referred(entry, at)).collect();
        let counted = path.0.to_string().trim_end_matches("[*]").to_lowercase().ends_with("number");
        // Where each number is that of its source both count from 1.
        let alike = list.iter().all(|(entry, at)| {
            let number = number_of(markers, entry, at);
            matches!(&referred(entry, at)[..], [one] if *one == number)
        });
        let from = if counted || alike { Counting::Told(1) } else { Counting::Spans };
        let called = names.called(sent.iter().map(String::as_str), from);
        let (by_address, by_path) = (names.by_address.clone(), names.by_path.clone());
        let mut numbers = Names { by_address, by_path, told: true, ..Names::default() };
        let mut named_by: Vec<Vec<usize>> = Vec::new();
        for (entry, at) in &list {
            let number = number_of(markers, entry, at);
            let found = referred(entry, at).into_iter().filter_map(|name| called.find(&name));
            let found: Vec<usize> = found.collect();
            if found.is_empty() {
                continue;
            }
            let place = *numbers.by_id.entry(number).or_insert_with(|| {
                named_by.push(Vec::new());
                names.count + named_by.len() - 1
            });
            if let Some(sources) = named_by.get_mut(place - names.count) {
                sources.extend(found);
            }
        }
        for sources in &mut named_by {
            let mut seen = HashSet::new();
            sources.retain(|source| seen.insert(*source));
        }
        Some(Self { numbers, named_by, count: names.count, unclear: called.unclear })
    }

    /// Gives the marks the sources that their places behind the sources stand for.
    pub fn spread(&self, response: &mut Response, cx: &Cx) {
        for support in &mut response.supports {
            let sent = std::mem::take(&mut support.citations);
            for citation in sent {
                let place = citation.target.source().and_then(|source| source.checked_sub(self.count));
                match place.and_then(|place| self.named_by.get(place)) {
                    Some(sources) => {
                        // Marks and sources of one number may both be many.
                        if !cx.take(sources.len() * CITATION) {
                            return;
                        }
                        let cite =
                            |source: &usize| Citation { target: Target::Source(*source), ..citation.clone() };
                        support.citations.extend(sources.iter().map(cite));
                    }
                    None => support.citations.add(citation),
                }
            }
        }
    }
}

/// The number of an element.
fn number_of(markers: &Markers, entry: &Value, at: &Origin) -> String {
    let number = markers.number.as_ref().and_then(|path| told(path, entry));
    let number = number.map_or_else(|| origin_name(at), |number| named(number).into_owned());
    numbered(&number).map_or(number.clone(), str::to_owned)
}

/// What stands for the number of an element of a list that says none: its key, or its place from 1.
fn origin_name(origin: &Origin) -> String {
    match origin.path.steps().pop() {
        Some(Step::Key(key)) => key,
        Some(Step::Index(index)) => (index + 1).to_string(),
        None => String::new(),
    }
}
