//! Offsets of claims: below which keys they stand, and whether they count in the answer, in what is cited or
//! in neither.

use std::ops::Range;

use serde_json::Value;

use super::fields::{
    Field, LOOKED_AT, REFERS, described, elements, field, fields, is_scalar, key, listed, refers,
    says_something,
};
use super::numbers::{number_of, numbers_marks};
use super::{Count, HELD, MapPath, Route, Sources, Spans};
use crate::json::values::whole;
use crate::model::Origin;

/// Keys of a beginning; those that say of what come first, as `start` may be one in a source.
pub(super) const STARTS: &[&str] = &[
    "answerStart",
    "responseStart",
    "claimStart",
    "sentenceStart",
    "start",
    "startIndex",
    "begin",
    "startOffset",
    "startChar",
    "from",
    "offsetStart",
    "offset",
    "charStart",
    "startIdx",
    "startPos",
    "startPosition",
    "startCharIndex",
    "startCharIdx",
    "spanStart",
    "startByte",
    "byteStart",
    "positionStart",
    "beginIndex",
    "beginOffset",
    "beginPos",
    "beginChar",
    "indexStart",
    "characterStart",
    "fromChar",
    "textStart",
];
/// Keys of an end.
pub(super) const ENDS: &[&str] = &[
    "answerEnd",
    "responseEnd",
    "claimEnd",
    "sentenceEnd",
    "end",
    "endIndex",
    "stop",
    "endOffset",
    "endChar",
    "to",
    "offsetEnd",
    "charEnd",
    "endIdx",
    "endPos",
    "endPosition",
    "endCharIndex",
    "endCharIdx",
    "spanEnd",
    "endByte",
    "byteEnd",
    "positionEnd",
    "indexEnd",
    "characterEnd",
    "toChar",
    "textEnd",
];
/// Keys of a length.
pub(super) const LENGTHS: &[&str] = &["length", "len"];

/// Where claims begin, end, and how long they are.
pub(super) fn offsets(list: &[&Value], own: &[Field]) -> [Option<MapPath>; 3] {
    let of = |fields: &[Field], holder: &Route| {
        [STARTS, ENDS, LENGTHS].map(|names| {
            let (key, _) = field(fields, names, is_scalar)?;
            Some(MapPath(holder.clone().then(key)))
        })
    };
    let held = || {
        let (key, _) = field(own, HELD, is_range)?;
        let inner: Vec<&Value> = list.iter().filter_map(|one| one.get(key)).collect();
        let holder = Route::key(key);
        let pair = || [Some(MapPath(holder.clone().item(0))), Some(MapPath(holder.clone().item(1))), None];
        Some(if inner.iter().any(|one| is_pair(one)) { pair() } else { of(&fields(&inner), &holder) })
    };
    let [start, end, length] = of(own, &Route::default());
    let whole = start.is_some() && (end.is_some() || length.is_some());
    if whole { [start, end, length] } else { held().unwrap_or([start, end, length]) }
}

/// Whether a claim has a beginning and an end, or a length.
pub(super) fn has_range(element: &Value) -> bool {
    has_offsets(element) || key(element, HELD, is_range).is_some()
}

/// Two offsets below keys of their own, or a pair.
fn is_range(value: &Value) -> bool {
    is_pair(value) || has_offsets(value)
}

pub(super) fn has_offsets(value: &Value) -> bool {
    let offset = |names: &[&str]| key(value, names, |sent| whole(sent).is_some()).is_some();
    offset(STARTS) && (offset(ENDS) || offset(LENGTHS))
}

/// Whether ranges are those of passages in their documents: the answer has marks, the elements are sources,
/// and most of them end behind it.
pub(super) fn is_of_sources(list: &[&Value], answer: &str) -> bool {
    let fields = fields(list);
    if field(&fields, REFERS, refers).is_some() || !says_something(&described(Route::default(), list)) {
        return false;
    }
    let length = answer.chars().count() as i64;
    let end = |one: &&&Value| key(one, ENDS, is_scalar).and_then(|(_, end)| whole(end)) > Some(length);
    2 * list.iter().filter(end).count() > list.len() && answer.contains('[')
}

fn is_pair(value: &Value) -> bool {
    let pair = |list: &Vec<Value>| {
        let [start, end] = &list[..] else { return false };
        whole(start).zip(whole(end)).is_some_and(|(start, end)| 0 <= start && start <= end)
    };
    value.as_array().is_some_and(pair)
}

/// Whether elements belong to the marks of the text, each to that of its number, and their offsets do not: of
/// most these are not those of the mark, of the words before it or of what holds it, nor of their words.
pub(super) fn is_numbered_apart(inner: &Value, answer: &str) -> bool {
    if !numbers_marks(inner, answer) {
        return false;
    }
    let list = elements(inner);
    let own = fields(&list);
    let paths = offsets(&list, &own);
    let touches = |claim: &&Value| {
        let Some(place) = place(paths.each_ref().map(Option::as_ref), claim) else { return false };
        let Some(bytes) = Count::Characters.bytes(answer, place) else { return false };
        let (Some(slice), behind) = (answer.get(bytes.clone()), answer.get(bytes.end..)) else {
            return false;
        };
        let mark = number_of(claim, &own).map(|number| format!("[{number}]"));
        words(claim).contains(&slice)
            || mark.is_some_and(|mark| {
                slice.contains(&mark) || behind.is_some_and(|rest| rest.trim_start().starts_with(&mark))
            })
    };
    2 * list.iter().filter(|claim| touches(claim)).count() <= list.len()
}

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
    let Some(text) = &sources.text else { return Some(of_words(spans)) };
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
        return Some(of_words(spans));
    }
    let list = listed(root, sources);
    let texts = list.iter().flat_map(|source| text.0.find(source, &Origin::default()));
    let texts: Vec<&str> = texts.filter_map(|(text, _)| text.as_str()).take(LOOKED_AT).collect();
    let looked_at = told.get(..told.len().min(CLAIMS)).unwrap_or_default();
    let cited = looked_at.iter().filter(|claim| texts.iter().any(|text| stands(text, claim))).count();
    if 2 * cited <= looked_at.len() {
        return Some(of_words(spans));
    }
    let says = |(_, words): &(Range<usize>, Vec<&str>)| words.iter().any(|words| answer.contains(words));
    told.iter().any(says).then(|| Spans { unlike: false, ..without(spans) })
}

/// Spans without offsets that are none of their words.
pub(super) fn of_words(spans: Spans) -> Spans {
    if spans.unlike { without(spans) } else { spans }
}

fn without(spans: Spans) -> Spans {
    Spans { start: None, end: None, length: None, ..spans }
}

/// What a claim says: its texts, and those in the objects that it holds.
fn words(claim: &Value) -> Vec<&str> {
    let own = claim.as_object().into_iter().flat_map(serde_json::Map::values);
    let held = own.clone().filter_map(Value::as_object).flat_map(serde_json::Map::values);
    own.chain(held).filter_map(Value::as_str).filter(|words| words.chars().count() >= WORDS).collect()
}
