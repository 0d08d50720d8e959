//! A source of one's own JSON.

use serde_json::Value;

use super::generic_values::{all, numbered, told};
use crate::format::map::{MapPath, Route, Sources};
use crate::json::plain;
use crate::json::values::named;
use crate::model::{Chunk, Origin, Published, Source, SourceKind};
use crate::text::is_web;

/// A source as a map reads it; an address or a text alone is one, too.
pub(super) fn source(map: &Sources, value: &Value, origin: Origin) -> Source {
    let text = |path: &Option<MapPath>| Some(plain(told(path.as_ref()?, value)?).into_owned());
    let mut source = Source { origin, kind: SourceKind::Document, ..Source::default() };
    if let Some(alone) = value.as_str() {
        source.number = map.id.as_ref().filter(|path| path.0 == Route::default()).map(|_| alone.to_owned());
        let mark = alone.split_once(' ').and_then(|(mark, rest)| Some((numbered(mark)?, rest.trim_start())));
        if let Some((number, _)) = mark {
            source.number = Some(number.to_owned());
        }
        let alone = mark.map_or(alone, |(_, rest)| rest);
        if is_web(alone) {
            (source.kind, source.uri) = (SourceKind::Web, Some(alone.to_owned()));
        } else if is_file_name(alone) {
            source.document = Some(alone.to_owned());
        } else {
            source.chunks = vec![Chunk { text: alone.to_owned(), ..Chunk::default() }];
        }
        return source;
    }
    source.number = map.id.as_ref().and_then(|path| Some(named(told(path, value)?).into_owned()));
    source.title = text(&map.title);
    source.published = Published { date_sent: text(&map.date), ..Published::default() }.into();
    source.score = map.score.as_ref().and_then(|path| path.0.first(value)?.as_f64());
    match text(&map.url) {
        Some(uri) if is_web(&uri) => (source.kind, source.uri) = (SourceKind::Web, Some(uri)),
        name => source.document = name,
    }
    let texts = all(map.text.as_ref(), value, &source.origin).map(|text| plain(text).into_owned());
    source.chunks = texts.map(|text| Chunk { text, ..Chunk::default() }).collect();
    source
}

/// Whether words without a blank call a file; in many scripts whole sentences have none.
fn is_file_name(words: &str) -> bool {
    let ending = words.rsplit_once('.').map(|(_, ending)| ending);
    let named = ending.is_some_and(|ending| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    !words.contains(char::is_whitespace) && (words.is_ascii() || named)
}

/// Whether sources are passages of one document: what they say of it is the same.
pub(super) fn is_one(known: &Source, other: &Source) -> bool {
    known.uri == other.uri && known.title == other.title && known.document == other.document
}
