//! Records that may grow, and those of them that wait while frames of others come.

use std::ops::Range;

use crate::format::{Boundary, are_related};

/// A record that may grow.
pub(super) struct Open {
    pub format: Option<usize>,
    pub id: Option<String>,
    pub stage: Stage,
    /// The frame that begins one was there.
    pub begun: bool,
    pub alone: bool,
    /// Its first frame, and its last one.
    pub first: Range<u64>,
    pub last: Range<u64>,
    /// Bytes of its frames, and how many there are.
    pub bytes: u64,
    pub frames: usize,
    /// With what it ended.
    end: Option<End>,
    /// Messages of a conversation so far: the response that answers them is of this record.
    pub asked: bool,
}

/// The first end of a record: how many frames there are up to it, and whether the last was an answer as a
/// whole.
#[derive(Clone, Copy)]
struct End {
    frames: usize,
    whole: bool,
}

/// How far a record has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Nothing says where it begins.
    Open,
    /// The frame that begins one was there.
    Begun,
    /// It has supports: where there are no ids, another frame with some would be another record.
    Supported,
    /// Where there are no ids, more would be another record.
    Ended,
    /// More would be another record in any case.
    Closed,
}

impl Open {
    /// Of its first frame, of which nothing is taken yet.
    pub fn of(format: Option<usize>, first: &Range<u64>, alone: bool, asked: bool) -> Self {
        Self {
            format,
            id: None,
            stage: Stage::Open,
            begun: false,
            alone,
            first: first.clone(),
            last: first.clone(),
            bytes: 0,
            frames: 0,
            end: None,
            asked,
        }
    }

    /// Takes a frame with what it is.
    pub fn take(&mut self, bytes: Range<u64>, boundary: Boundary, stage: Stage) {
        self.frames += 1;
        self.bytes += bytes.end - bytes.start;
        self.last = bytes;
        self.stage = self.stage.max(stage);
        self.begun |= boundary == Boundary::Begins;
        let end = End { frames: self.frames, whole: boundary == Boundary::Whole };
        self.end = self.end.or((self.stage >= Stage::Ended).then_some(end));
    }

    /// Whether it is a stream that a format reads.
    pub fn has_stream(&self) -> bool {
        !self.alone && self.format.is_some()
    }

    /// Whether more may come of the same id: behind the end of what came in pieces there may be figures of
    /// usage.
    fn waits(&self) -> bool {
        let last = if self.frames > 1 { Stage::Ended } else { Stage::Supported };
        self.id.is_some() && self.stage <= last
    }

    /// Whether such a frame of the same id goes on with it.
    pub fn goes_on_with(&self, (format, id): (usize, &str), boundary: Boundary) -> bool {
        let is_own =
            self.id.as_deref() == Some(id) && self.format.is_some_and(|own| are_related(own, format));
        let is_another = match boundary {
            Boundary::Begins => true,
            Boundary::Supported => self.stage == Stage::Supported,
            _ => false,
        };
        is_own && self.waits() && !is_another
    }

    /// Whether it has ended, so that a frame without an id is of another one. Some services, which have no
    /// ids, say of each frame that it is the last; such metadata comes with the last one.
    pub fn has_ended_before(&self, boundary: Boundary) -> bool {
        match boundary {
            Boundary::Speaks | Boundary::Supported | Boundary::Refuses => self.end.is_some(),
            Boundary::SpeaksLast | Boundary::Whole => {
                self.end.is_some_and(|end| end.whole || end.frames > 1 || self.id.is_some())
            }
            _ => false,
        }
    }
}

/// Streams of lines or of an array that frames of others part: each may go on if its id comes again.
#[derive(Default)]
pub(super) struct Waiting {
    streams: Vec<Waits>,
    /// The last stretch of frames of several streams that came in turns.
    tied: Range<u64>,
}

struct Waits {
    record: usize,
    stream: Open,
    /// Frames of others in a row.
    passed: usize,
}

/// Frames of others in a row behind which a stream may go on.
const PASSED: usize = 32;
/// Bytes of others that may lie among the frames of a stream: what is in turns is read at once.
const AMONG: u64 = 4 << 20;

impl Waiting {
    /// The first record that waits.
    pub fn first(&self) -> Option<usize> {
        self.streams.iter().map(|waits| waits.record).min()
    }

    pub fn get(&self, record: usize) -> Option<&Open> {
        self.streams.iter().find(|waits| waits.record == record).map(|waits| &waits.stream)
    }

    pub fn get_mut(&mut self, record: usize) -> Option<&mut Open> {
        self.streams.iter_mut().find(|waits| waits.record == record).map(|waits| &mut waits.stream)
    }

    /// The stream that such a frame goes on with.
    pub fn find(&self, named: (usize, &str), boundary: Boundary) -> Option<(usize, &Open)> {
        let found = self.streams.iter().find(|waits| waits.stream.goes_on_with(named, boundary))?;
        Some((found.record, &found.stream))
    }

    /// Takes a record that frames of others part from now on, if more may come of it.
    pub fn push(&mut self, record: usize, stream: Open) {
        if stream.waits() {
            self.streams.push(Waits { record, stream, passed: 0 });
        }
    }

    /// Another record has begun with an id: what had it before is over.
    pub fn forget(&mut self, id: &str) {
        self.streams.retain(|waits| waits.stream.id.as_deref() != Some(id));
    }

    /// A frame has come of a record.
    pub fn pass(&mut self, home: usize) {
        self.streams.retain_mut(|waits| {
            waits.passed = if waits.record == home { 0 } else { waits.passed + 1 };
            waits.passed <= PASSED
        });
    }

    /// Whether a stream that waits may take a frame: there is not too much among its frames.
    pub fn tie(&mut self, record: usize, frame: &Range<u64>) -> bool {
        let Some(stream) = self.get(record) else { return true };
        let mut begun = stream.first.start;
        if begun < self.tied.end {
            begun = begun.min(self.tied.start);
        }
        let is_near = frame.end - begun <= AMONG + stream.bytes;
        if is_near {
            self.tied = begun..frame.end;
        }
        is_near
    }
}
