//! What a format is: a row of facts, and a fold over the frames of a record.

use crate::json::{Cx, Peek, Reader, why, wire};
use crate::model::{Facts, Path, Response, ScoreNotes};

/// A provider format: one row of facts.
#[non_exhaustive]
pub struct Format {
    /// Stable id, as in the machine output.
    pub id: &'static str,
    /// Who sends it; empty where that is nobody in particular.
    pub vendor: &'static str,
    /// Name for people, in a word or two.
    pub short: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it reads, in one line.
    pub reads: &'static str,
    /// What its offsets count, and what proves them, in one line.
    pub offsets: &'static str,
    /// What others go by.
    pub facts: Facts,
    /// What it documents of the scores of a model.
    pub scores: fn(model: Option<&str>) -> ScoreNotes,
    /// Formats of one family share a fold, since the frames of one stream may look like any of them.
    pub(crate) family: &'static str,
    /// Keys that settle the matter together with what stands before them, so that the rest of a document need
    /// not be looked at.
    pub(super) decisive: &'static [&'static str],
    pub(super) recognise: fn(&Peek) -> bool,
    pub(super) group: fn(&Peek) -> FrameGroup,
    /// Its streams begin with an event that says so.
    pub(crate) announced: bool,
    pub(super) fold: fn() -> Box<dyn Fold>,
    /// Its documents hold much that is worked out anew: of what a fold does not use only what it lists
    /// counts.
    pub(crate) derives: bool,
    /// Of a field of the form: the path under which another format read it first.
    pub(crate) first_path: fn(&Path) -> Option<String>,
    /// A name for what its vendor sends and no format reads.
    pub(super) refuses: fn(&Peek) -> Option<&'static str>,
    /// Whether a frame that breaks off ends in a part of the answer that may be a thought.
    pub(super) breaks_off_in_part: fn(&str) -> bool,
    /// Says of the responses of an event stream that it breaks off behind these frames, where the fold did
    /// not know: the same frames may be whole in another container.
    pub(super) note_cut: fn(&mut [Response], &[&str]),
    /// What it looks like: files below `samples`.
    pub samples: &'static [Sample],
}

impl Format {
    /// Whether it is citescope's own form.
    pub fn is_own(&self) -> bool {
        self.vendor == "citescope"
    }
}

/// A file below `samples`, which the program has built in.
#[derive(Debug)]
#[non_exhaustive]
pub struct Sample {
    /// Its name.
    pub file: &'static str,
    /// What sends such a thing.
    pub sent_by: &'static str,
    /// What there is to see.
    pub shows: &'static str,
    /// Its content.
    #[cfg(feature = "app")]
    pub text: &'static str,
}

/// A sample of a format: its file, what sends it, what it shows.
macro_rules! sample {
    ($file:literal, $sent_by:literal, $shows:literal) => {
        $crate::format::Sample {
            file: $file,
            sent_by: $sent_by,
            shows: $shows,
            #[cfg(feature = "app")]
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/", $file)),
        }
    };
}

impl Format {
    /// What a row is that says nothing else.
    pub(super) const PLAIN: Self = Self {
        id: "",
        vendor: "",
        short: "",
        name: "",
        reads: "",
        offsets: "",
        facts: Facts::NONE,
        scores: |_| ScoreNotes::default(),
        family: "",
        decisive: &[],
        recognise: |_| false,
        group: |_| FrameGroup::Alone,
        announced: false,
        fold: begin::<Vec<Response>>,
        derives: false,
        first_path: |_| None,
        refuses: |_| None,
        breaks_off_in_part: |_| false,
        note_cut: |_, _| {},
        samples: &[],
    };
}

/// Keys of answers: what has one of them is no request.
pub(super) const ANSWERED: &[&str] =
    &["choices", "output", "candidates", "outputs", "message", "status", "id"];

/// How a frame belongs with its neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameGroup {
    /// A record of its own.
    Alone,
    /// One of a stream.
    Stream {
        /// The id that its frames share, if the format has one.
        id: Option<String>,
        /// What it means for the record that it belongs to.
        boundary: Boundary,
    },
}

impl FrameGroup {
    /// An event of streams without ids: by its name the first of one, the last, or one between.
    pub(super) fn event(name: &str, first: &[&str], last: &[&str]) -> Self {
        let boundary = match () {
            () if first.contains(&name) => Boundary::Begins,
            () if last.contains(&name) => Boundary::EndsUnlessId,
            () => Boundary::Continues,
        };
        Self::Stream { id: None, boundary }
    }
}

/// Whether a frame of a stream begins or ends its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Boundary {
    /// More may follow.
    Continues,
    /// The first of a stream: where one has begun, a further one begins.
    Begins,
    /// More may follow, though it has text and supports of its own: where each line is logged for itself,
    /// another such line is another response.
    Supported,
    /// More may follow, and it has words of the answer: where frames have no id, it goes on with nothing that
    /// has ended.
    Speaks,
    /// It is the last one where frames have no id.
    EndsUnlessId,
    /// The same with words of the answer: behind one that came at the end of several it is another record.
    SpeaksLast,
    /// The same with supports of its own: where it is the first one, the answer came whole.
    Whole,
    /// It is the last one of its run: what follows with the same id is a further run.
    EndsRun,
    /// The same, and it refuses to answer: behind one that has ended it is another record.
    Refuses,
    /// It has no content of its own and belongs with the frame before it in any case.
    WithPrevious,
    /// The same, and it is the last one of its run.
    ClosesPrevious,
    /// It says nothing but what an answer rests on: behind frames of a stream, of whatever format, it is of
    /// them.
    Grounds,
    /// A line without its end that is not the last: a record that begins with it has no more, and one with an
    /// id has it not.
    Broken,
}

impl Boundary {
    /// It neither begins nor ends anything, and has content of its own.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::Continues | Self::Speaks)
    }
}

/// Frames of a record, one at a time, into responses. A file, a pipe that goes on and a replay up to a frame
/// are one code: what is known so far can be asked for behind any frame.
pub trait Fold {
    /// Takes a frame. After an error nothing of the frame was taken.
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error>;
    /// Bytes that the things it holds take beside their text.
    fn holds(&self) -> usize;
    /// The responses as they would be if no more frames came.
    fn snapshot(&self) -> Vec<Response>;
    /// The same at the end, without a copy.
    fn finish(self: Box<Self>) -> Vec<Response>;
}

/// The state of a fold: what a format writes to have a [`Fold`].
pub trait FoldState: Clone + 'static {
    /// Takes a frame. After an error nothing of the frame was taken.
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error>;
    /// Bytes that the things take beside their text that it holds, of which a frame of a stream may begin one
    /// that no list counts. It is asked behind each frame.
    fn holds(&self) -> usize {
        0
    }
    /// The responses, with what is known only at the end.
    fn finish(self) -> Vec<Response>;
}

impl<T: FoldState> Fold for T {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        FoldState::push(self, frame, text, cx)
    }

    fn holds(&self) -> usize {
        FoldState::holds(self)
    }

    fn snapshot(&self) -> Vec<Response> {
        FoldState::finish(self.clone())
    }

    fn finish(self: Box<Self>) -> Vec<Response> {
        FoldState::finish(*self)
    }
}

/// Bytes that what a fold holds has taken of the room of its record.
#[derive(Debug, Clone, Copy, Default)]
pub struct Held(usize);

/// Bytes that it may take without being asked about.
const HELD: usize = 1 << 20;

impl Held {
    /// Takes room for what a frame added; false where there is none left. What the first frame lists was
    /// counted when it was read.
    pub fn take(&mut self, frame: u32, fold: &dyn Fold, cx: &Cx) -> bool {
        let before = self.0.max(HELD);
        self.0 = before.max(fold.holds());
        cx.take(if frame == 0 { 0 } else { self.0 - before })
    }
}

/// The fold of a row that names none: it takes nothing.
impl FoldState for Vec<Response> {
    fn push(&mut self, _: u32, _: &str, _: &Cx) -> Result<(), serde_json::Error> {
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        self
    }
}

/// A fold from its beginning.
pub fn begin<T: FoldState + Default>() -> Box<dyn Fold> {
    Box::<T>::default()
}

wire::wire! {
    /// What a format does not read: all of it is handed on as it was sent.
    struct Unread {
        kind: Option<serde_json::Value> = "type", extra;
    }
}

/// Passes over a frame that is of no event of a stream, so that what stands in it is not lost.
pub fn pass_over(text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
    read::<Unread>(text, cx).map(drop)
}

/// Reads any value that may take so many bytes.
///
/// # Errors
///
/// Where it is no JSON, or takes more.
pub fn read_within(text: &str, room: usize) -> Result<serde_json::Value, serde_json::Error> {
    let cx = Cx::bounded();
    cx.grant(room);
    let read = read(text, &cx);
    if cx.is_overdrawn() { Err(serde::de::Error::custom(TOO_LARGE)) } else { read }
}

/// Why something is not read.
const TOO_LARGE: &str = "it takes far more memory than its text: it has too many small values";

/// Reads a wire struct from a frame; JSON that follows the value is an error. A survey keeps nothing of its
/// lists: it asks what is read, not what is made of it.
pub fn read<T: wire::Wire + Default>(text: &str, cx: &Cx) -> Result<T, serde_json::Error> {
    let mut reader = Reader::new(text);
    let mut read = || T::read(&mut reader, cx).and_then(|value| reader.end().map(|()| value));
    let read = if cx.surveys() { cx.passing(read) } else { read() };
    match read {
        Ok(value) => Ok(value.unwrap_or_default()),
        Err(_) if cx.is_overdrawn() => Err(serde::de::Error::custom("lists without end")),
        Err(_) => Err(why::<T>(text, cx)),
    }
}
