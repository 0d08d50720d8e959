//! The words of claims, and whether they are theirs: those of a source may stand in an answer, too.

use std::ops::Range;

use serde_json::Value;

use super::fields::{Field, field, fields, is_scalar, key};
use super::placed::{ENDS, LENGTHS, STARTS, has_offsets, offsets, place};
use super::{Count, HELD, Route};
use crate::json::camel;
use crate::json::values::whole;

/// Words of the answer, and what may be words of a source as well.
pub(super) const QUOTES: &[&str] =
    &["text", "claim", "sentence", "statement", "answerText", "claimText", "words", "segment", "span"];
/// Words of the answer alone.
pub(super) const CLAIM: &[&str] = &["claim", "sentence", "statement", "answerText", "claimText"];
/// What may as well be words of a source.
pub(super) const MAY_QUOTE: &[&str] = &["quote", "content", "snippet", "excerpt", "citedText"];

/// Where claims have their words: below a key of their own, or within the object that holds their offsets.
/// Words that are nowhere in the answer may be of one that was changed.
pub(super) fn quote(list: &[&Value], own: &[Field], answer: &str) -> Option<Route> {
    let holder = field(own, HELD, has_offsets).map(|(key, _)| key);
    let held: Vec<&Value> =
        holder.iter().flat_map(|holder| list.iter().filter_map(|one| one.get(*holder))).collect();
    let inner = fields(&held);
    let places = Places::of(list, own, answer);
    let told = [Some(2), Some(1), None].into_iter().find_map(|of| {
        let own = keys_of(own, answer, of).into_iter().map(Route::key);
        let within =
            || keys_of(&inner, answer, of).into_iter().filter_map(|key| Some(Route::key(holder?).then(key)));
        own.chain(within()).find(|route| places.are_own(route))
    });
    told.or_else(|| as_long_as_ranges(list).map(Route::key))
}

/// The keys below which claims have words of the answer, at least one of so many; without a number those of
/// what may be words that were changed.
fn keys_of<'v>(fields: &[Field<'v>], answer: &str, of: Option<usize>) -> Vec<&'v str> {
    let key = |name: &&str| field(fields, &[*name], Value::is_string).map(|(key, _)| key);
    match of {
        Some(of) => QUOTES
            .iter()
            .chain(MAY_QUOTE)
            .filter(|name| has_words(fields, name, answer, of))
            .filter_map(key)
            .collect(),
        None => QUOTES.iter().filter_map(key).collect(),
    }
}

/// Claims that are looked at: offsets of large answers are counted from the beginning.
const CLAIMS: usize = 8;

/// The places of claims in an answer.
struct Places<'v> {
    list: Vec<Placed<'v>>,
    answer: &'v str,
}

/// A claim, its place, and what stands there by each unit.
struct Placed<'v> {
    claim: &'v Value,
    place: Range<usize>,
    slices: [Option<&'v str>; 3],
}

impl<'v> Placed<'v> {
    /// Its words below a path.
    fn words(&self, route: &Route) -> Option<&'v str> {
        route.first(self.claim)?.as_str().filter(|words| !words.trim().is_empty())
    }

    /// By how much the length of its place differs from that of some words, in the unit that fits best.
    fn apart(&self, words: &str) -> usize {
        let lengths = [words.chars().count(), words.len(), words.encode_utf16().count()];
        lengths.map(|length| self.place.len().abs_diff(length)).into_iter().min().unwrap_or_default()
    }
}

/// Characters by which a place and its words differ in length where the end is the last one.
const ALIKE: usize = 1;
/// The same where nothing explains it.
const UNLIKE: usize = 3;

impl<'v> Places<'v> {
    fn of(list: &[&'v Value], own: &[Field], answer: &'v str) -> Self {
        let paths = offsets(list, own);
        let at = |claim: &&'v Value| {
            let place = place(paths.each_ref().map(Option::as_ref), claim)?;
            let slices = UNITS.map(|unit| unit.slice(answer, place.clone()));
            Some(Placed { claim, place, slices })
        };
        Self { list: list.iter().filter_map(at).take(CLAIMS).collect(), answer }
    }

    /// The claims that have words below a path.
    fn told(&self, route: &Route) -> Vec<(&Placed<'v>, &'v str)> {
        self.list.iter().filter_map(|placed| Some((placed, placed.words(route)?))).collect()
    }

    /// Whether words are those of the claims and not of what these rest on: some stand in their places, or
    /// most are as long as these, or all stand in the answer and most not within their places.
    fn are_own(&self, route: &Route) -> bool {
        let told = self.told(route);
        let is_claim = route.last_key().is_some_and(|key| CLAIM.contains(&camel(key).as_ref()));
        if is_claim || told.is_empty() {
            return true;
        }
        let alike = told.iter().filter(|(placed, words)| placed.apart(words) <= ALIKE).count();
        let holds =
            |placed: &Placed, words: &str| placed.slices[0].is_some_and(|slice| slice.contains(words));
        let within = told.iter().filter(|(placed, words)| holds(placed, words)).count();
        told.iter().any(|(placed, words)| placed.slices.contains(&Some(*words)))
            || 2 * alike > told.len()
            || 2 * within <= told.len() && told.iter().all(|(_, words)| self.answer.contains(words))
    }
}

const UNITS: [Count; 3] = [Count::Characters, Count::Bytes, Count::Utf16];

/// Whether the offsets of claims are none of their words, which all stand in the answer: no place is about as
/// long as the words, so that neither another unit nor a shift explains it.
pub(super) fn are_unlike(list: &[&Value], own: &[Field], quote: &Route, answer: &str) -> bool {
    let places = Places::of(list, own, answer);
    let told = places.told(quote);
    !told.is_empty()
        && told.iter().all(|(placed, words)| placed.apart(words) >= UNLIKE && answer.contains(words))
}

/// Whether claims have words of the answer below a key of this name: at least one of so many.
fn has_words(fields: &[Field], name: &str, answer: &str, of: usize) -> bool {
    let sent = fields.iter().filter(|(key, ..)| key == name).filter_map(|(.., inner)| inner.as_str());
    let (told, all) = sent
        .filter(|words| !words.trim().is_empty())
        .fold((0, 0), |(told, all), words| (told + usize::from(answer.contains(words)), all + 1));
    told > 0 && (of == 1 || of * told > all)
}

/// The first key below which claims have words of the answer.
pub(super) fn quoted<'v>(fields: &[Field<'v>], answer: &str, of: usize) -> Option<&'v str> {
    keys_of(fields, answer, Some(of)).into_iter().next()
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
