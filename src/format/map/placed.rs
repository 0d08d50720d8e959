//! What offsets of claims count: places in the answer, and in which unit, or places in what is cited.

use std::ops::Range;

use serde_json::Value;

use super::fields::{LOOKED_AT, listed};
use super::{Count, MapPath, Sources, Spans};
use crate::json::values::whole;
use crate::model::Origin;

/// Claims that are looked for in what they cite.
const CLAIMS: usize = 8;

/// Where a claim says that its words stand.
pub(super) fn place([start, end, length]: [Option<&MapPath>; 3], claim: &Value) -> Option<Range<usize>> {
    let offset = |path: Option<&MapPath>| whole(path?.0.first(claim)?);
    let begin = offset(start)?;
    let stop = offset(end).or_else(|| begin.checked_add(offset(length)?));
    Some(usize::try_from(begin).ok()?..usize::try_from(stop?).ok()?)
}

/// Spans without offsets, where these are places of the cited words in the sources: none of the words stand
/// there in the answer, most do in a source.
pub(super) fn in_answer(spans: Spans, root: &Value, answer: &str, sources: &Sources) -> Spans {
    let (Some(quote), Some(text)) = (&spans.quote, &sources.text) else { return spans };
    let offsets = [spans.start.as_ref(), spans.end.as_ref(), spans.length.as_ref()];
    let claims = spans.list.0.find(root, &Origin::default());
    let told = claims.iter().take(LOOKED_AT).filter_map(|(claim, _)| {
        let words = quote.0.first(claim)?.as_str().filter(|words| !words.is_empty())?;
        Some((place(offsets, claim)?, words))
    });
    let told: Vec<(Range<usize>, &str)> = told.collect();
    let stands = |text: &str, (place, words): &(Range<usize>, &str)| {
        let units = [Count::Characters, Count::Bytes, Count::Utf16];
        units.into_iter().any(|unit| unit.slice(text, place.clone()) == Some(*words))
    };
    if told.is_empty() || told.iter().any(|claim| stands(answer, claim)) {
        return spans;
    }
    let list = listed(root, sources);
    let texts = list.iter().flat_map(|source| text.0.find(source, &Origin::default()));
    let texts: Vec<&str> = texts.filter_map(|(text, _)| text.as_str()).take(LOOKED_AT).collect();
    let looked_at = told.get(..told.len().min(CLAIMS)).unwrap_or_default();
    let cited = looked_at.iter().filter(|claim| texts.iter().any(|text| stands(text, claim))).count();
    if 2 * cited > looked_at.len() {
        return Spans { start: None, end: None, length: None, ..spans };
    }
    spans
}
