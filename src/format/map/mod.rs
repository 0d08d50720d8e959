//! A map of one's own JSON: paths to the answer, to spans or marks, to sources and queries, read from a TOML
//! file or guessed from the keys.

mod claims;
mod fields;
mod guess;
mod known;
mod marks;
mod numbers;
mod overlooked;
mod placed;
mod roles;
mod route;
mod shape;
mod table;
mod unread;
mod words;
mod written;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use regex::{Captures, Match, Regex};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::interface::read_within;
use crate::json::camel;
use crate::model::{Origin, SegmentKeys, Unit};

pub use guess::{lists_besides, looks_like_one};
pub use overlooked::ReadBy;
pub use route::Route;
pub use shape::shape;

/// Where things stand in a JSON of one's own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Map {
    /// One response for each value there; the whole record where it is not given.
    pub each: Option<MapPath>,
    /// The text of the answer; several pieces are joined.
    pub answer: Option<MapPath>,
    /// The question that was answered.
    pub question: Option<MapPath>,
    /// Id of the response.
    pub id: Option<MapPath>,
    /// The model.
    pub model: Option<MapPath>,
    /// Searches that were run.
    pub queries: Option<MapPath>,
    /// Ranges of the answer.
    pub spans: Option<Spans>,
    /// Marks in the text.
    pub markers: Option<Markers>,
    /// What is cited.
    pub sources: Option<Sources>,
    /// Whether it has led to anything so far, in whatever record; clones share it.
    #[serde(skip)]
    found: Arc<AtomicBool>,
}

/// A [`Route`] as it stands in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct MapPath(pub Route);

impl TryFrom<String> for MapPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

/// A path, or a list of them.
fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<MapPath>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Paths {
        One(String),
        More(Vec<String>),
    }
    let paths = match Paths::deserialize(from)? {
        Paths::One(path) => vec![path],
        Paths::More(paths) => paths,
    };
    paths.into_iter().map(|path| path.try_into().map_err(D::Error::custom)).collect()
}

/// Ranges of the answer, each with what backs it; all but the list count from an element of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Spans {
    /// The list.
    pub list: MapPath,
    /// First unit.
    pub start: Option<MapPath>,
    /// First unit after it.
    pub end: Option<MapPath>,
    /// How many units, where no end is sent.
    pub length: Option<MapPath>,
    /// `bytes`, `characters` or `utf16`.
    pub unit: Count,
    /// The end is the last unit of the span.
    pub inclusive: bool,
    /// The words of the span.
    pub quote: Option<MapPath>,
    /// Ids, numbers or indices of its sources; of several paths the first that leads to something.
    #[serde(deserialize_with = "one_or_more")]
    pub source: Vec<MapPath>,
    /// What the first of the sources is called, where they have no ids: 0 or 1.
    pub count_from: Option<CountFrom>,
    /// Confidence, 0 to 1.
    pub score: Option<MapPath>,
    /// Nobody wrote it.
    #[serde(skip)]
    guessed: bool,
    /// It leaves out offsets that are none of the claims' words.
    #[serde(skip)]
    unlike: bool,
    #[serde(skip)]
    keys: OnceLock<Option<&'static SegmentKeys>>,
}

/// Marks in the text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Markers {
    /// A regular expression; its first group that is there names the sources, with commas between them. With
    /// a group called `claim` it matches marks around their claims, which are taken out of the text. `[n]`
    /// and links where it is not given.
    pub pattern: Option<Pattern>,
    /// A list, or an object, that says which source each number names, where the sources do not.
    pub list: Option<MapPath>,
    /// The number in an element of it: its key or its place where it is not given.
    pub number: Option<MapPath>,
    /// The id, the address or the place of the source that it names.
    pub source: Option<MapPath>,
}

/// The group of a pattern that holds the claim itself.
pub const CLAIM: &str = "claim";

/// A regular expression.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern {
    /// The expression.
    pub regex: Regex,
    /// The numbers of the groups of which the first that is there names the sources: all but the claim.
    sources: Vec<usize>,
}

/// Bytes of a pattern at most: a text is gone through once for each.
const PATTERN_MOST: usize = 1000;

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.len() > PATTERN_MOST {
            return Err(format!("a pattern of {} bytes; {PATTERN_MOST} at most", text.len()));
        }
        let regex = Regex::new(&text).map_err(|error| {
            let words = error.to_string();
            let last = words.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            format!("{text:?} is no regular expression: {last}")
        })?;
        if regex.is_match("") {
            return Err(format!("{text:?} fits an empty text: every place would be a mark"));
        }
        let of_source = |(number, name): &(usize, Option<&str>)| *number > 0 && *name != Some(CLAIM);
        let sources: Vec<usize> =
            regex.capture_names().enumerate().filter(of_source).map(|(number, _)| number).collect();
        if sources.is_empty() {
            return Err(format!("{text:?} has no group that names a source: put one in round brackets"));
        }
        Ok(Self { regex, sources })
    }
}

impl Pattern {
    /// What a mark names: of alternatives, each with a group of its own, that which is there.
    pub fn named<'t>(&self, found: &Captures<'t>) -> Option<Match<'t>> {
        self.sources.iter().find_map(|&group| found.get(group))
    }

    /// Whether its marks stand around their claims.
    pub fn encloses(&self) -> bool {
        self.regex.capture_names().flatten().any(|name| name == CLAIM)
    }
}

/// What is cited; all but the list count from an element of it, which may also be an address or a text alone.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Sources {
    /// The list.
    pub list: MapPath,
    /// What spans and marks call it.
    pub id: Option<MapPath>,
    /// Title.
    pub title: Option<MapPath>,
    /// Address.
    pub url: Option<MapPath>,
    /// Its words; several texts are several passages.
    pub text: Option<MapPath>,
    /// Date.
    pub date: Option<MapPath>,
    /// Relevance.
    pub score: Option<MapPath>,
}

/// What offsets count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Count {
    /// UTF-8 bytes.
    Bytes,
    /// Unicode code points.
    #[default]
    Characters,
    /// UTF-16 code units.
    Utf16,
}

impl Count {
    /// What stands at a place of a text that is counted so.
    pub fn slice(self, text: &str, place: Range<usize>) -> Option<&str> {
        text.get(self.bytes(text, place)?)
    }

    /// The bytes of a place of a text that is counted so.
    pub(super) fn bytes(self, text: &str, place: Range<usize>) -> Option<Range<usize>> {
        // Of ASCII all count alike.
        if text.as_bytes().get(..place.end).is_some_and(<[u8]>::is_ascii) {
            return Some(place);
        }
        let before = |end: usize| -> Option<usize> {
            let mut units = 0;
            let width = |c: char| if self == Self::Utf16 { c.len_utf16() } else { 1 };
            let mut ends = text.char_indices().map(|(at, c)| {
                units += width(c);
                (at + c.len_utf8(), units)
            });
            let (byte, units) = if end == 0 { (0, 0) } else { ends.find(|(_, units)| *units >= end)? };
            (units == end).then_some(byte)
        };
        match self {
            Self::Bytes => Some(place),
            _ => before(place.start).zip(before(place.end)).map(|(start, end)| start..end),
        }
    }
}

/// 0 or 1.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "usize")]
pub struct CountFrom(pub usize);

impl TryFrom<usize> for CountFrom {
    type Error = String;

    fn try_from(first: usize) -> Result<Self, String> {
        if first > 1 {
            Err(format!("sources are counted from 0 or from 1, not from {first}"))
        } else {
            Ok(Self(first))
        }
    }
}

impl From<Count> for Unit {
    fn from(count: Count) -> Self {
        match count {
            Count::Bytes => Self::Bytes,
            Count::Characters => Self::Characters,
            Count::Utf16 => Self::Utf16,
        }
    }
}

/// Pairs of names under which offsets go where no map names them.
static PAIRS: &[SegmentKeys] = &[
    pair("start", "end"),
    pair("startIndex", "endIndex"),
    pair("begin", "stop"),
    pair("begin", "end"),
    pair("startOffset", "endOffset"),
    pair("startChar", "endChar"),
    pair("from", "to"),
    pair("offsetStart", "offsetEnd"),
    pair("charStart", "charEnd"),
    pair("startIdx", "endIdx"),
    pair("startPos", "endPos"),
    pair("startPosition", "endPosition"),
    pair("startCharIndex", "endCharIndex"),
    pair("startCharIdx", "endCharIdx"),
    pair("spanStart", "spanEnd"),
    pair("startByte", "endByte"),
    pair("byteStart", "byteEnd"),
    pair("positionStart", "positionEnd"),
    pair("beginIndex", "endIndex"),
    pair("beginOffset", "endOffset"),
    pair("beginPos", "endPos"),
    pair("beginChar", "endChar"),
    pair("indexStart", "indexEnd"),
    pair("characterStart", "characterEnd"),
    pair("fromChar", "toChar"),
    pair("answerStart", "answerEnd"),
    pair("responseStart", "responseEnd"),
    pair("textStart", "textEnd"),
    pair("claimStart", "claimEnd"),
    pair("sentenceStart", "sentenceEnd"),
];

const fn pair(start: &'static str, end: &'static str) -> SegmentKeys {
    SegmentKeys { holder: "", start, end, text: false }
}

/// Objects of a claim in which some products keep its offsets; some are a pair of them.
const HELD: &[&str] = &[
    "span",
    "range",
    "offsets",
    "segment",
    "anchor",
    "textRange",
    "charRange",
    "textSpan",
    "answerSpan",
    "answerRange",
    "claimSpan",
    "interval",
    "charSpan",
    "answerOffsets",
    "answerLocation",
    "claimOffsets",
];

/// The same where an object of the claim holds them.
static HELD_PAIRS: LazyLock<Vec<SegmentKeys>> = LazyLock::new(|| {
    let below = |holder: &&'static str| PAIRS.iter().map(|pair| SegmentKeys { holder, ..*pair });
    HELD.iter().flat_map(below).collect()
});

impl Spans {
    /// Where the offsets of a span stand, where both are keys below one object. What a map names is kept for
    /// as long as the program runs, once a map: a program has few.
    pub(super) fn keys(&self) -> Option<&'static SegmentKeys> {
        *self.keys.get_or_init(|| {
            let (start, end) = (self.start.as_ref()?.0.keys()?, self.end.as_ref()?.0.keys()?);
            let ((start, before), (end, other)) = (start.split_last()?, end.split_last()?);
            let named = |pair: &&SegmentKeys| pair.start == camel(start) && pair.end == camel(end);
            let known = match before {
                _ if before != other => None,
                [] => PAIRS.iter().find(named),
                [holder] => HELD_PAIRS.iter().filter(named).find(|pair| pair.holder == camel(holder)),
                _ => None,
            };
            if known.is_some() {
                return known;
            }
            let kept = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
            (before == other && !self.guessed).then(|| {
                let (start, end) = (kept(start), kept(end));
                let keys = SegmentKeys { holder: kept(&before.join(".")), start, end, text: false };
                &*Box::leak(Box::new(keys))
            })
        })
    }
}

impl Map {
    /// Whether it has led to anything in the records that were read by now.
    pub fn has_found(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }

    /// Whether it leads to anything in a value.
    pub(super) fn finds(&self, value: &Value) -> bool {
        let items = self.each.as_ref().map_or_else(
            || vec![value],
            |each| each.0.find(value, &Origin::default()).into_iter().map(|(value, _)| value).collect(),
        );
        let lists = [
            self.sources.as_ref().map(|sources| &sources.list),
            self.spans.as_ref().map(|spans| &spans.list),
        ];
        let paths: Vec<&MapPath> = self.answer.iter().chain(lists.into_iter().flatten()).collect();
        let finds = items.iter().any(|item| paths.iter().any(|path| path.0.first(item).is_some()));
        if finds {
            self.found.store(true, Ordering::Relaxed);
        }
        finds
    }

    /// Whether it finds an answer in a record whose values take no more than so many bytes.
    pub fn answers(&self, text: &str, bytes: usize) -> bool {
        let Ok(value) = read_within(text, bytes) else { return false };
        let root = Origin::default();
        let items = self
            .each
            .as_ref()
            .map_or_else(|| vec![(&value, root.clone())], |each| each.0.find(&value, &root));
        let answer = self.answer.as_ref();
        items.iter().any(|(item, _)| answer.is_some_and(|path| path.0.first(item).is_some()))
    }

    /// What it says in a sentence, for the header: "answer from `text`, spans from `spans[*]`, …".
    pub fn words(&self) -> String {
        let route = |path: &MapPath| path.0.to_string();
        let parts = [
            self.answer.as_ref().map(|path| format!("answer from {}", route(path))),
            self.spans.as_ref().map(|spans| format!("spans from {}", route(&spans.list))),
            self.markers.as_ref().map(|markers| match &markers.list {
                Some(list) => format!("marks in the text by {}", route(list)),
                None => "marks in the text".to_owned(),
            }),
            self.sources.as_ref().map(|sources| format!("sources from {}", route(&sources.list))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
