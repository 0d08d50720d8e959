//! What offsets of claims count: places in the answer, and in which unit, or places in what is cited.

use std::ops::Range;

use serde_json::Value;

use super::fields::{LOOKED_AT, listed};
use super::{Count, MapPath, Sources, Spans};
use crate::json::values::whole;
use crate::model::Origin;

/// Claims that are looked for in what they cite.
const CLAIMS: usize = 8;

/// Characters of words that stand nowhere by chance.
const WORDS: usize = 6;

/// Where a claim says that its words stand.
pub(super) fn place([start, end, length]: [Option<&MapPath>; 3], claim: &Value) -> Option<Range<usize>> {
    let offset = |path: Option<&MapPath>| whole(path?.0.first(claim)?);
    let begin = offset(start)?;
    let stop = offset(end).or_else(|| begin.checked_add(offset(length)?));
    Some(usize::try_from(begin).ok()?..usize::try_from(stop?).ok()?)
}

/// Spans without offsets, where these are places of words in the sources: none of what a claim says stands at
/// its offsets in the answer, of most claims something does in a source. Nothing where no words of theirs
/// stand in the answer either.
pub(super) fn in_answer(spans: Spans, root: &Value, answer: &str, sources: &Sources) -> Option<Spans> {
    let Some(text) = &sources.text else { return Some(spans) };
    let offsets = [spans.start.as_ref(), spans.end.as_ref(), spans.length.as_ref()];
    let claims = spans.list.0.find(root, &Origin::default());
    let told = claims.iter().take(LOOKED_AT).filter_map(|(claim, _)| {
        let words = words(claim);
        (!words.is_empty()).then_some((place(offsets, claim)?, words))
    });
    let told: Vec<(Range<usize>, Vec<&str>)> = told.collect();
    let stands = |text: &str, (place, words): &(Range<usize>, Vec<&str>)| {
        let units = [Count::Characters, Count::Bytes, Count::Utf16];
        units.into_iter().any(|unit| unit.slice(text, place.clone()).is_some_and(|own| words.contains(&own)))
    };
    if told.is_empty() || told.iter().any(|claim| stands(answer, claim)) {
        return Some(spans);
    }
    let list = listed(root, sources);
    let texts = list.iter().flat_map(|source| text.0.find(source, &Origin::default()));
    let texts: Vec<&str> = texts.filter_map(|(text, _)| text.as_str()).take(LOOKED_AT).collect();
    let looked_at = told.get(..told.len().min(CLAIMS)).unwrap_or_default();
    let cited = looked_at.iter().filter(|claim| texts.iter().any(|text| stands(text, claim))).count();
    if 2 * cited <= looked_at.len() {
        return Some(spans);
    }
    let says = |(_, words): &(Range<usize>, Vec<&str>)| words.iter().any(|words| answer.contains(words));
    told.iter().any(says).then(|| Spans { start: None, end: None, length: None, ..spans })
}

/// What a claim says: its texts, and those in the objects that it holds.
fn words(claim: &Value) -> Vec<&str> {
    let own = claim.as_object().into_iter().flat_map(serde_json::Map::values);
    let held = own.clone().filter_map(Value::as_object).flat_map(serde_json::Map::values);
    own.chain(held).filter_map(Value::as_str).filter(|words| words.chars().count() >= WORDS).collect()
}
