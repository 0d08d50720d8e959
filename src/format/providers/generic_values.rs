//! What the paths of a map lead to, and how numbers and places are written.

use std::borrow::Cow;

use serde_json::Value;

use crate::format::building;
use crate::format::map::MapPath;
use crate::json::plain;
use crate::model::{Origin, RemarkKind, Response, Step};

/// What a path leads to, of lists what they hold, where that says something.
pub(super) fn all<'v>(
    path: Option<&MapPath>,
    value: &'v Value,
    origin: &Origin,
) -> impl Iterator<Item = &'v Value> {
    let found = path.into_iter().flat_map(|path| path.0.find(value, origin));
    let each = |(found, _): (&'v Value, Origin)| {
        found.as_array().map_or_else(|| std::slice::from_ref(found), Vec::as_slice)
    };
    found.flat_map(each).filter(|one| !one.is_null())
}

/// What a path leads to, where that says something.
pub(super) fn told<'v>(path: &MapPath, value: &'v Value) -> Option<&'v Value> {
    path.0.first(value).filter(|found| !found.is_null())
}

/// The number in a mark that a source keeps: `[2]`, `(2)`, `#2`, `2.`.
pub(super) fn numbered(mark: &str) -> Option<&str> {
    let inner = mark.trim().trim_matches(['[', ']', '(', ')', '【', '】', '#', '.', ':']);
    let digits = (1..=3).contains(&inner.len()) && inner.bytes().all(|byte| byte.is_ascii_digit());
    (digits && inner.len() < mark.trim().len()).then_some(inner)
}

/// The key of a value in its object.
pub(super) fn origin_key(origin: &Origin) -> Option<String> {
    match origin.path.steps().pop() {
        Some(Step::Key(key)) => Some(key),
        _ => None,
    }
}

/// The pieces of the answer; what is a list or an object is none, and is told.
pub(super) fn texts<'v>(
    response: &mut Response,
    pieces: impl Iterator<Item = (&'v Value, Origin)>,
) -> Vec<(Cow<'v, str>, Origin)> {
    let mut texts = Vec::new();
    for (piece, origin) in pieces {
        if piece.is_array() || piece.is_object() {
            let words =
                "the map's answer is no text here: a path to the texts in it ends with `[*]` or a key";
            building::remark(response, RemarkKind::Mistyped, &origin, words);
        } else {
            texts.push((plain(piece), origin));
        }
    }
    texts
}
