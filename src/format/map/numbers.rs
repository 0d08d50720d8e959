//! Numbers of the marks of a text, and where the elements of a list say them.

use std::collections::HashSet;

use serde_json::Value;

use super::fields::{Field, IDS, NUMBERS, REFERS, elements, field, fields, is_scalar};
use crate::format::markers::{self, Name, Notation};
use crate::json::values::named;

/// Keys whose numbers are places in the list of sources.
pub(super) const PLACES: &[&str] = &[
    "source",
    "sources",
    "sourceNumber",
    "sourceIndex",
    "sourceIndices",
    "sourceIdx",
    "sourceNo",
    "sourceNum",
    "document",
    "documentIndex",
    "documentNumber",
    "docIndex",
    "docIdx",
    "doc",
    "docNumber",
    "docNum",
    "docNo",
    "chunk",
    "chunkIndex",
    "chunkNumber",
    "passage",
    "passageIndex",
    "passageNumber",
    "reference",
    "result",
    "resultIndex",
    "context",
    "contextIndex",
];

/// Bytes of a text whose marks tell what those of all of it are.
const HEAD: usize = 512 * 1024;

/// The beginning of a text, which is looked at for marks while a map is guessed: they take many times what
/// they are written with, and only what is read by the map counts.
pub(super) fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(HEAD)).unwrap_or(text)
}

/// Whether a text has marks with numbers, or links.
pub(super) fn has_marks(text: &str) -> bool {
    markers::has_mark(head(text), Notation::NUMBERS, &[], |_| false)
}

/// The numbers that the marks of a text name.
pub(super) fn numbers_in(text: &str) -> HashSet<String> {
    let marks = markers::find(head(text), Notation::NUMBERS, |_| false);
    let number = |name: Name| if let Name::Number(number) = name { Some(number.to_string()) } else { None };
    marks.flat_map(|(_, names)| names).filter_map(number).collect()
}

/// The key of the number of a mark.
pub(super) fn number_key<'v>(fields: &[Field<'v>]) -> Option<&'v str> {
    let of_marks = |name: &&str| !PLACES.contains(name);
    let mut names: Vec<&str> = NUMBERS.iter().chain(IDS).copied().filter(of_marks).collect();
    // What names sources elsewhere is the number where nothing else is, an id last.
    names.sort_by_key(|name| REFERS.contains(name).then_some(name.ends_with("Id")));
    field(fields, &names, |inner| number(inner).is_some()).map(|(key, _)| key)
}

/// A number of up to three digits, also in brackets.
fn number(inner: &Value) -> Option<String> {
    let word = is_scalar(inner).then(|| named(inner))?;
    let digits = word.trim_matches(|c: char| !c.is_alphanumeric());
    let counts = (1..=3).contains(&digits.len()) && digits.parse::<u16>().is_ok();
    counts.then(|| digits.to_owned())
}

/// Whether elements say which mark of a text each of them belongs to.
pub(super) fn numbers_marks(inner: &Value, text: &str) -> bool {
    let (list, marks) = (elements(inner), numbers_in(text));
    let Some(key) = number_key(&fields(&list)).filter(|_| !marks.is_empty()) else { return false };
    let numbers: HashSet<String> = list.iter().filter_map(|one| number(one.get(key)?)).collect();
    numbers.len() == list.len() && 2 * numbers.intersection(&marks).count() >= list.len()
}

/// The number of an element.
pub(super) fn number_of(element: &Value, fields: &[Field]) -> Option<String> {
    number(element.get(number_key(fields)?)?)
}
