//! What the sources of one's own JSON are called by the claims.

use std::collections::{HashMap, HashSet};

use crate::format::map::Pattern;
use crate::format::markers::{self, Charge, Name, Notation};
use crate::json::wire::Cx;

/// Sources by what they are called.
#[derive(Default)]
pub struct Names {
    pub by_id: HashMap<String, usize>,
    pub by_address: HashMap<String, usize>,
    /// The same by their pages.
    pub by_path: HashMap<String, usize>,
    pub count: usize,
    /// Whether a map says where the ids are.
    pub told: bool,
    /// Whether the ids are the places of the sources.
    pub counted: bool,
    /// Where the claims bring their sources along: the index and the passages of each that is listed.
    pub own: Vec<(usize, Vec<usize>)>,
}

/// How some references count sources.
#[derive(Clone, Copy)]
pub struct Called<'n> {
    pub names: &'n Names,
    /// The list is counted from here; nothing where references are ids.
    pub first: Option<usize>,
    /// Whether that is guessed.
    pub unclear: bool,
}

/// From where references are counted.
#[derive(Clone, Copy)]
pub enum Counting {
    /// As a map says.
    Told(usize),
    /// From 0 or from 1.
    Spans,
    /// From 1, as people count, unless they are all the numbers from 0.
    Marks,
}

impl Names {
    /// By id; a passage of a document may be called by both: `d1#0`.
    fn with_id(&self, name: &str) -> Option<usize> {
        let of = |name: &str| self.by_id.get(name).copied();
        of(name).or_else(|| of(name.split_once('#')?.0))
    }

    /// How references count: by ids where these explain as many as places do, or half as many and are no
    /// places themselves, or where a map says that there are ids and one of them is; else from 0 in spans and
    /// from 1 in marks of the text, and from 1 where only that fits all, unless a map says it.
    pub fn called<'s>(&self, sent: impl Iterator<Item = &'s str>, from: Counting) -> Called<'_> {
        let (mut ids, mut numbers) = (0, Vec::new());
        for name in sent {
            ids += usize::from(self.with_id(name).is_some());
            numbers.extend(name.parse::<usize>());
        }
        let (least, most) =
            (numbers.iter().min().copied().unwrap_or_default(), numbers.iter().max().copied());
        let only_from_one = least > 0 && numbers.contains(&self.count);
        let first = match from {
            Counting::Told(first) => first,
            Counting::Spans => usize::from(only_from_one),
            Counting::Marks => {
                let all: HashSet<usize> = numbers.iter().copied().collect();
                let from_zero = self.count > 1 && all.len() == self.count && most < Some(self.count);
                usize::from(!from_zero)
            }
        };
        let places = numbers.iter().filter(|number| (first..first + self.count).contains(number)).count();
        // Numbers that are no places in order are ids also where one of two of them is not known.
        let by_id = ids > 0 && (self.told || ids >= places || !self.counted && 2 * ids >= places);
        // Both fit where neither the first nor the last is named.
        let unclear = matches!(from, Counting::Spans) && least > 0 && !only_from_one;
        Called { names: self, first: (!by_id).then_some(first), unclear: !by_id && unclear }
    }
}

impl Called<'_> {
    /// By address, else by id or by its place in the list.
    pub fn find(&self, name: &str) -> Option<usize> {
        let count = self.names.count;
        let called = || match self.first {
            None => self.names.with_id(name),
            Some(first) => name.parse::<usize>().ok()?.checked_sub(first).filter(|index| *index < count),
        };
        self.by_address(name).or_else(called)
    }

    /// By address; where no other has it, by its page.
    pub fn by_address(&self, address: &str) -> Option<usize> {
        let Names { by_address, by_path, .. } = self.names;
        by_address.get(address).or_else(|| by_path.get(&page(address))).copied()
    }
}

/// The page of an address: without its scheme, `www.`, what counts visits, a place in it and a slash at the
/// end; its host in small letters. Words that are no address stay.
pub fn page(address: &str) -> String {
    let Some((_, rest)) = address.split_once("://") else { return address.to_owned() };
    let (rest, _) = rest.split_once('#').unwrap_or((rest, ""));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = path.split_at(path.find('/').unwrap_or(path.len()));
    let host = host.to_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let kept: Vec<&str> =
        query.split('&').filter(|part| !part.is_empty() && !part.starts_with("utm_")).collect();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("{host}{}{query}", path.trim_end_matches('/'))
}

/// What the marks of a text name: what a pattern finds, or numbers.
pub fn named_in(text: &str, pattern: Option<&Pattern>, cx: &Cx) -> Vec<String> {
    let Some(pattern) = pattern else {
        Charge::default().take(text, cx);
        if cx.is_overdrawn() {
            return Vec::new();
        }
        let marks = markers::find(text, Notation::NUMBERS, |_| false);
        // `list[0]` is no mark that counts from 0.
        let is_index =
            |at: usize| text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
        let numbers = marks.flat_map(|(range, names)| {
            names.into_iter().filter_map(move |name| match name {
                Name::Number(0) if is_index(range.start) => None,
                Name::Number(number) | Name::Address(_, Some(number)) => Some(number.to_string()),
                Name::Address(_, None) => None,
            })
        });
        return numbers.collect();
    };
    let found = pattern.regex.captures_iter(text).take_while(|_| cx.take(markers::MARK));
    let groups = found.filter_map(|found| Some(pattern.named(&found)?.as_str()));
    groups.flat_map(|group| group.split([',', ';'])).map(|name| name.trim().to_owned()).collect()
}
