//! The neutral model: one grounded answer, whatever provider sent it. No I/O, no JSON keys.
//!
//! `Option` is "not sent" (also `null`); nothing here is guessed, offsets stand as they were sent.

mod facts;
mod finding;
mod json_text;
mod notice;
mod origin;
mod rule;
mod seldom;
mod source;
mod support;
mod trace;
mod words;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

pub use facts::{Facts, LinkForm, ScoreNotes};
pub use finding::Finding;
pub use json_text::JsonText;
pub use notice::{Notice, NoticeKind};
pub(crate) use origin::StepRef;
pub use origin::{Origin, Path, Step};
pub use rule::{Group, Rule, Severity};
pub use seldom::Seldom;
use seldom::absent;
pub use source::{
    Beside, Chunk, Label, MapsPlace, Passage, PassageKind, PlaceReview, Published, Source, SourceKey,
    SourceKind, last_segment,
};
pub use support::{
    AnchorKind, Citation, Cited, Grade, Join, Layer, Link, List, Location, LocationKind, OwnPlace, Place,
    Segment, SegmentKeys, Support, Target,
};
pub use trace::{Query, QueryKind, SearchResult, Trace, TraceRole};
pub use words::Words;

pub(crate) use words::words;

/// Name of the neutral form's layout; a change of meaning changes it.
pub const SCHEMA: &str = "citescope/1";

/// One grounded answer, as sent.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Response {
    /// Id of the format that read it (`gemini`, `discovery-answer`, …); `None` until the fold is finished,
    /// unless the response names it itself.
    pub format: Option<Cow<'static, str>>,
    /// Where it stands in the input.
    pub origin: Origin,
    /// Number of the candidate or event within its record, from 0.
    pub item: usize,
    /// Response id, event name or chat id.
    pub id: Option<String>,
    /// Model version.
    pub model: Option<String>,
    /// `model` or `user`; other words as sent.
    pub role: Option<String>,
    /// An unfinished piece of a streamed turn.
    pub partial: bool,
    /// How far the answer came.
    pub state: AnswerState,
    /// Why the model stopped, in the provider's words.
    pub finish: Option<String>,
    /// What that means.
    pub ending: Ending,
    /// What there is of grounding.
    pub grounding: Grounding,
    /// The answer's text; `None` where the response carries none.
    pub answer: Option<String>,
    /// Pieces of the content in order.
    pub parts: Vec<Part>,
    /// Documented unit of the offsets.
    pub unit: Unit,
    /// The documented end of a segment is its last unit, not the first after it.
    pub inclusive: bool,
    /// What beside a quote can prove an offset.
    pub proof: Proof,
    /// Supports in the order sent.
    pub supports: Vec<Support>,
    /// The last support, where the input ends inside of it: what it would have said is not known.
    pub unfinished: Option<usize>,
    /// Bytes of the answer, of parts that broke off before it was told whether they are thoughts: ascending.
    pub torn: Vec<Range<usize>>,
    /// Sources under the provider's index.
    pub sources: Vec<Source>,
    /// Searches that were run.
    pub queries: Vec<Query>,
    /// Audited steps.
    pub traces: Vec<Trace>,
    /// What its format documents of scores.
    pub scores: ScoreNotes,
    /// What its format documents of the rest.
    pub facts: &'static Facts,
    /// What else is true of the response as a whole.
    pub about: Seldom<About>,
    /// What went wrong or is worth knowing of the way it was sent.
    pub remarks: Vec<Remark>,
}

words! {
    /// How far an answer came.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum AnswerState {
        /// All there.
        #[default]
        Complete = "complete",
        /// A piece of a streamed turn, or still being generated.
        Partial = "partial",
        /// The input ended before the answer did.
        Truncated = "truncated",
        /// The service reported an error.
        Error = "error",
        /// The service chose not to answer.
        Skipped = "skipped",
    }
}

words! {
    /// What offsets count.
    #[derive(Default, PartialOrd, Ord)]
    pub enum Unit {
        /// UTF-8 bytes.
        #[default]
        Bytes = "bytes",
        /// Unicode code points.
        Characters = "characters",
        /// UTF-16 code units.
        Utf16 = "utf16",
    }
}

impl Unit {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "UTF-8 bytes",
            Self::Characters => "characters",
            Self::Utf16 => "UTF-16 units",
        }
    }
}

words! {
    /// What beside a quote can prove an offset.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Proof {
        /// Quotes of the segments, where sent.
        #[default]
        Quotes = "quotes",
        /// A blank reserved before closing punctuation, where each end points behind it.
        Slots = "slots",
    }
}

/// A piece of the content. Only its share in the offsets is kept; what it says stands in the answer or a
/// trace.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Text of the answer: its byte range there.
    Text(Range<usize>),
    /// A thought: the trace that holds its text.
    Thought(usize),
    /// Anything without text: a call, its response, code, data.
    Other,
}

words! {
    /// How the model came to its end.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Ending {
        /// By itself, or nothing is said.
        #[default]
        Own = "own",
        /// It ran out of tokens.
        Cut = "cut",
        /// A filter stepped in.
        Blocked = "blocked",
        /// It waits for a tool of the caller's.
        Waiting = "waiting",
    }
}

/// What few responses say of themselves; each absent where not sent.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct About {
    /// The question that was answered; many responses may share one.
    pub question: Option<Arc<str>>,
    /// Who wrote the event.
    pub author: Option<String>,
    /// Invocation that the event belongs to.
    pub invocation: Option<String>,
    /// Branch of agents.
    pub branch: Option<String>,
    /// `turnComplete`, where sent.
    pub turn_complete: Option<bool>,
    /// `interrupted`, where sent.
    pub interrupted: Option<bool>,
    /// Ids of calls that go on after the event.
    pub long_running: Vec<String>,
    /// Time of creation, RFC 3339 where it could be read.
    pub created: Option<String>,
    /// Time of completion.
    pub completed: Option<String>,
    /// Grounding of the whole answer, 0 to 1.
    pub grounding_score: Option<f64>,
    /// How likely a search helps the prompt, 0 to 1.
    pub retrieval_score: Option<f64>,
    /// The threshold that the request set for it.
    pub retrieval_threshold: Option<f64>,
    /// Why there is no answer, in the provider's words.
    pub skipped: Vec<String>,
    /// Classes of the query, and whether each applies.
    pub query_classes: Vec<(String, Option<bool>)>,
    /// Safety ratings.
    pub safety: Vec<SafetyRating>,
    /// Suggested further questions.
    pub related: Vec<String>,
    /// Search suggestions that products must show.
    pub suggestions: Option<SearchSuggestions>,
    /// Token that draws a Maps widget.
    pub maps_token: Option<String>,
    /// Flagging addresses that join to no place and no review: id, address.
    pub flags_unmatched: Vec<(String, String)>,
    /// Pages that the model was given to read.
    pub fetched: Vec<Page>,
    /// Licence and copyright spans; not grounding.
    pub recitations: Vec<Recitation>,
    /// What the event did, as sent.
    pub actions: Option<JsonText>,
    /// Error code and message.
    pub error: Option<Failure>,
    /// Why the prompt or the answer was blocked.
    pub blocked: Option<String>,
    /// Charts of the answer: id, title, what else was sent.
    pub charts: Vec<(String, String)>,
    /// Answer in a schema, beside the text.
    pub structured: Option<String>,
    /// File and record in which the response was first read, where what is open is citescope's own export of
    /// it.
    pub first_read: Option<(String, usize)>,
}

words! {
    /// What a response says of grounding.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Grounding {
        /// The format has no such distinction, or grounding is there.
        #[default]
        Given = "given",
        /// No grounding metadata at all: the model answered without search.
        Absent = "absent",
        /// An empty metadata object.
        Empty = "empty",
        /// Searches ran, and nothing was attributed.
        Unattributed = "unattributed",
    }
}

/// A rating of one kind of harm.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct SafetyRating {
    /// Kind of harm.
    pub category: Option<String>,
    /// Likelihood in words.
    pub probability: Option<String>,
    /// Likelihood, 0 to 1.
    pub probability_score: Option<f64>,
    /// Severity in words.
    pub severity: Option<String>,
    /// Severity, 0 to 1.
    pub severity_score: Option<f64>,
    /// Whether the content was left out for it.
    pub blocked: Option<bool>,
}

absent!(About);

/// The search entry point.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchSuggestions {
    /// HTML to show, as sent.
    pub html: Option<String>,
    /// Base64 of queries and addresses, as sent.
    pub blob: Option<String>,
    /// What the blob holds. `Err` says why it could not be read.
    pub links: Option<Result<BlobContent, String>>,
}

/// What an `sdkBlob` holds, whose layout is not documented.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlobContent {
    /// Queries, each with its address.
    Links(Vec<(String, String)>),
    /// Something else.
    Other(JsonText),
}

/// A page that a tool fetched for the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// Its address, empty where not sent.
    pub uri: String,
    /// How it went, in the provider's words.
    pub status: String,
    /// The provider says that it did not come.
    pub failed: bool,
}

/// A recited passage: licence and copyright, not grounding. Offsets as sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recitation {
    /// First byte.
    pub start: Option<i64>,
    /// First byte after it.
    pub end: Option<i64>,
    /// Address of the work.
    pub uri: Option<String>,
    /// Title of the work.
    pub title: Option<String>,
    /// Licence.
    pub license: Option<String>,
    /// Publication date, ISO.
    pub date: Option<String>,
}

/// An error that the service reported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Code, as sent.
    pub code: Option<String>,
    /// Message, as sent.
    pub message: Option<String>,
}

/// A fact about the way a response was sent, for the checks to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remark {
    /// Which fact.
    pub kind: RemarkKind,
    /// Where.
    pub origin: Origin,
    /// The particulars, ready to be read; many may say the same.
    pub text: Arc<str>,
    /// Of the kind [`RemarkKind::Mended`]: what was mended.
    pub notice: Option<NoticeKind>,
}

impl Remark {
    /// A remark on what was sent.
    pub fn new(kind: RemarkKind, origin: Origin, text: impl Into<Arc<str>>) -> Self {
        Self { kind, origin, text: text.into(), notice: None }
    }
}

words! {
    /// Kinds of [`Remark`].
    #[non_exhaustive]
    pub enum RemarkKind {
        /// The stream ended without its closing message.
        Truncated = "truncated",
        /// The service reported an unrecoverable error.
        Error = "error",
        /// The service tried again.
        Retry = "retry",
        /// A tool failed.
        ToolError = "tool-error",
        /// A later metadata object repeats an earlier one.
        Resent = "resent",
        /// Each frame repeats the text so far.
        Cumulative = "cumulative",
        /// A piece of the stream came twice.
        Doubled = "doubled",
        /// The last message has another text than the pieces before it.
        Edited = "edited",
        /// Two metadata objects were joined.
        Joined = "joined",
        /// A union with two kinds set.
        TwoKinds = "two-kinds",
        /// A kind that is not documented.
        UnknownKind = "unknown-kind",
        /// A value of another type than documented, a repeated key.
        Mistyped = "mistyped",
        /// A required field is missing.
        Missing = "missing",
        /// A piece of a response, not the whole.
        Fragment = "fragment",
        /// Read by the names of keys, without a map.
        Guessed = "guessed",
        /// Ranges where marks are documented, and claims were sent.
        ClaimRanges = "claim-ranges",
        /// Citations that name no place in the text.
        NoPlace = "no-place",
        /// Numbers of sources that may count from 0 or from 1.
        Uncounted = "uncounted",
        /// Two lists of the same sources in different orders.
        Reordered = "reordered",
        /// What is called as citations are, and cannot be read.
        Unread = "unread",
        /// Citations of documents that the request did not send.
        NoDocument = "no-document",
        /// Metadata stands where it is not documented to stand.
        Misplaced = "misplaced",
        /// The input had to be mended, or a part of it was passed over, when the response was first read.
        Mended = "mended",
    }
}

impl Response {
    /// Id of the format that read it; `unread` before one did.
    pub fn format_id(&self) -> &str {
        self.format.as_deref().unwrap_or("unread")
    }

    /// Whether this is the question of a user rather than an answer.
    pub fn is_question(&self) -> bool {
        self.role.as_deref() == Some("user") || self.about.author.as_deref() == Some("user")
    }

    /// Whether citations call sources by what these call themselves, not by their places in a list.
    pub fn refers_by_id(&self) -> bool {
        self.sources.iter().any(|source| source.number.is_some())
    }

    /// Text of the answer, empty where there is none.
    pub fn text(&self) -> &str {
        self.answer.as_deref().unwrap_or_default()
    }
}
