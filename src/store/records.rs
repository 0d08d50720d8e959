//! Frames to records: what is decoded as a whole.

use std::collections::HashMap;
use std::ops::Range;

use super::framing::Container;
use super::index::{Index, LineStart, Records};
use crate::format::{Boundary, FrameGroup, FrameKind, are_related};

/// Records as they grow. In an event stream all frames of one id are one record; elsewhere neighbours of one
/// id; without ids a record ends with its first frame that ends one.
pub(super) struct Grouping {
    /// Frames of one id belong together wherever they stand.
    streams: bool,
    /// Each frame is a line, as logs have them: neighbours need not belong together.
    lines: bool,
    index: Records,
    /// The records that may grow: of an event stream all, else the last.
    open: Vec<Open>,
    /// The last stream of lines with an id, where lines of no format follow it: it may go on behind them.
    parted: Option<Parted>,
    by_id: HashMap<(usize, String), usize>,
    /// The last record that a format reads.
    known: Option<usize>,
}

/// A stream that goes on behind lines of no format, if its id comes again.
struct Parted {
    record: usize,
    stream: Open,
    /// Such lines in a row.
    passed: usize,
}

/// Lines of no format in a row behind which a stream may go on.
const PASSED: usize = 32;

/// A record that may grow.
struct Open {
    format: Option<usize>,
    id: Option<String>,
    stage: Stage,
    /// The frame that begins one was there.
    begun: bool,
    alone: bool,
    /// Its first frame, and its last one.
    first: Range<u64>,
    last: Range<u64>,
    /// Frames so far.
    frames: usize,
    /// Of them those up to its end.
    ended_with: Option<usize>,
    /// Messages of a conversation so far: the response that answers them is of this record.
    asked: bool,
}

/// How far a record has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
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

/// A frame with what it is.
pub(super) struct Taken {
    /// Its bytes in the input.
    pub bytes: Range<u64>,
    /// Only white space or a comma lies between it and the frame before it.
    pub side_by_side: bool,
    pub kind: FrameKind,
}

impl Grouping {
    pub fn new(container: Container) -> Self {
        Self {
            streams: container == Container::Events,
            lines: container == Container::Lines,
            index: Records::default(),
            open: Vec::new(),
            parted: None,
            by_id: HashMap::new(),
            known: None,
        }
    }

    /// The records of all frames that were taken.
    pub fn finish(mut self) -> Index {
        // Also where it has ended meanwhile: its end stands behind the lines that part it.
        self.index.set_parted(self.parted.map(|parted| parted.record));
        self.index.finish()
    }

    /// Whether the last stream has an id and goes on with such a frame.
    pub fn awaits(&self, kind: &FrameKind) -> bool {
        self.awaiting(kind).is_some()
    }

    /// The last stream, where it has an id and goes on with such a frame.
    fn awaiting(&self, kind: &FrameKind) -> Option<usize> {
        let FrameKind::Known(format, FrameGroup::Stream { id: Some(id), boundary }) = kind else {
            return None;
        };
        let last = || Some((self.index.len().checked_sub(1)?, self.open.last()?));
        let parted = self.parted.as_ref().map(|parted| (parted.record, &parted.stream));
        let (record, open) = parted.or_else(last).filter(|_| !self.streams)?;
        let related = open.format.is_some_and(|first| are_related(first, *format));
        let goes_on = open.stage < Stage::Ended && *boundary != Boundary::Begins;
        (related && goes_on && open.id.as_ref() == Some(id)).then_some(record)
    }

    /// Takes the next frame; `again` says whether it is the frame at some place once more, `line` is the line
    /// in which it begins.
    pub fn take(
        &mut self,
        frame: Taken,
        again: impl Fn(&Range<u64>) -> bool,
        line: impl FnOnce() -> LineStart,
    ) {
        let known = self.home(&frame.kind, again);
        let home = match known {
            Some(home) => {
                let is_last = home + 1 == self.index.len() && !self.streams;
                self.index.extend(home, frame.bytes.clone(), frame.side_by_side && is_last, line);
                self.answered(home, &frame.kind);
                home
            }
            None => self.begin(&frame, line),
        };
        let FrameKind::Known(format, FrameGroup::Stream { id, boundary }) = frame.kind else { return };
        let Some(open) = self.open_mut(home) else { return };
        if boundary == Boundary::Grounds && open.format != Some(format) {
            return;
        }
        open.frames += 1;
        open.last = frame.bytes;
        let alone = boundary == Boundary::Broken && known.is_none();
        open.stage = open.stage.max(if alone { Stage::Closed } else { boundary.leads_to() });
        open.begun |= boundary == Boundary::Begins;
        open.ended_with = open.ended_with.or((open.stage >= Stage::Ended).then_some(open.frames));
        if let Some(id) = id {
            open.id.get_or_insert_with(|| id.clone());
            if self.streams {
                self.by_id.insert((format, id), home);
            }
        }
    }

    fn begin(&mut self, frame: &Taken, line: impl FnOnce() -> LineStart) -> usize {
        let format = if let FrameKind::Known(format, _) = frame.kind { Some(format) } else { None };
        let alone =
            !matches!(frame.kind, FrameKind::Known(_, FrameGroup::Stream { .. }) | FrameKind::ServiceError);
        self.index.push(frame.bytes.clone(), format, line);
        if !self.streams {
            // What breaks off may be the end of what is read at once only.
            let parts = self.lines && matches!(frame.kind, FrameKind::Unrecognised | FrameKind::Broken);
            self.parted = if parts { self.parted() } else { None };
            self.open.clear();
        }
        let asked = frame.kind == FrameKind::Asked;
        let [first, last] = [frame.bytes.clone(), frame.bytes.clone()];
        let (id, stage, begun, frames, ended_with) = (None, Stage::Open, false, 0, None);
        self.open.push(Open { format, id, stage, begun, alone, first, last, frames, ended_with, asked });
        let begun = self.index.len() - 1;
        self.known = format.map(|_| begun).or(self.known);
        begun
    }

    /// The stream that one more line of no format parts, if any.
    fn parted(&mut self) -> Option<Parted> {
        if let Some(parted) = self.parted.take() {
            let goes_on = parted.stream.goes_on() && parted.passed < PASSED;
            return goes_on.then_some(Parted { passed: parted.passed + 1, ..parted });
        }
        let record = self.index.len().checked_sub(2)?;
        let stream = self.open.pop().filter(Open::goes_on)?;
        Some(Parted { record, stream, passed: 1 })
    }

    /// A response behind messages of a conversation says what the record is.
    fn answered(&mut self, home: usize, kind: &FrameKind) {
        let FrameKind::Known(format, group) = kind else { return };
        let Some(open) = self.open_mut(home).filter(|open| open.asked) else { return };
        (open.asked, open.format, open.alone) = (false, Some(*format), *group == FrameGroup::Alone);
        self.index.set_format(home, *format);
        self.known = Some(home);
    }

    fn open(&self, record: usize) -> Option<&Open> {
        if let Some(parted) = self.parted.as_ref().filter(|parted| parted.record == record) {
            return Some(&parted.stream);
        }
        self.open.get((record + self.open.len()).checked_sub(self.index.len())?)
    }

    fn open_mut(&mut self, record: usize) -> Option<&mut Open> {
        if let Some(parted) = self.parted.as_mut().filter(|parted| parted.record == record) {
            // It goes on.
            parted.passed = 0;
            return Some(&mut parted.stream);
        }
        let place = (record + self.open.len()).checked_sub(self.index.len())?;
        self.open.get_mut(place)
    }

    /// The record that a frame belongs to, if it is there already.
    fn home(&self, kind: &FrameKind, again: impl Fn(&Range<u64>) -> bool) -> Option<usize> {
        if self.parted.is_some()
            && let Some(stream) = self.awaiting(kind)
        {
            return Some(stream);
        }
        // What is broken in a stream of events does not split it.
        let last = if self.streams { self.known } else { self.index.len().checked_sub(1) }?;
        let open = self.open(last)?;
        if open.asked && matches!(kind, FrameKind::Asked | FrameKind::Known(..)) {
            return Some(last);
        }
        let (format, id, boundary) = match kind {
            // A line of its own behind a response that is whole is the answer to another request.
            FrameKind::ServiceError if self.lines && open.frames == 1 && open.stage >= Stage::Ended => {
                return None;
            }
            FrameKind::ServiceError | FrameKind::Stray => return open.has_stream().then_some(last),
            FrameKind::Event => return open.begun.then_some(last),
            FrameKind::Broken => {
                return (open.stage < Stage::Ended && open.has_stream()).then_some(last);
            }
            FrameKind::Unrecognised | FrameKind::Asked | FrameKind::Known(_, FrameGroup::Alone) => {
                return None;
            }
            FrameKind::Known(format, FrameGroup::Stream { id, boundary }) => (*format, id, *boundary),
        };
        let neighbour = !open.alone && open.format.is_some_and(|first| are_related(first, format));
        match boundary {
            Boundary::Grounds if neighbour || !open.alone && (self.streams || open.frames > 1) => {
                return self.grounded(last, open, id.as_ref());
            }
            // Where each line is logged for itself, another one with supports is another response.
            Boundary::Supported if self.lines && open.stage == Stage::Supported => return None,
            Boundary::Broken if open.id.is_some() => return None,
            _ => {}
        }
        let most = if boundary == Boundary::Begins { Stage::Open } else { Stage::Ended };
        let takes =
            |record: &usize| self.open(*record).is_some_and(|open| boundary.follows() || open.stage <= most);
        let Some(id) = id else {
            // One that was sent twice goes with its double.
            if self.streams && open.has_ended_before(boundary) && !again(&open.last) {
                return None;
            }
            // Some services send the id in some of the frames only.
            return Some(last)
                .filter(|_| neighbour && (boundary.follows() || self.streams || open.stage < Stage::Ended))
                .filter(takes);
        };
        let same =
            neighbour && (open.id.as_ref() == Some(id) || open.id.is_none() && open.stage < Stage::Ended);
        let known = || self.by_id.get(&(format, id.clone())).copied().filter(|_| self.streams);
        let home = Some(last).filter(|_| same).or_else(known).filter(takes)?;
        // A response that was logged or sent twice is two.
        let is_again = self.open(home).is_some_and(|open| open.stage >= Stage::Ended && again(&open.first));
        (!is_again).then_some(home)
    }
}

impl Grouping {
    /// The record that metadata alone is of: that of its id, else the last one.
    fn grounded(&self, last: usize, open: &Open, id: Option<&String>) -> Option<usize> {
        match (id, &open.id) {
            (Some(own), Some(id)) if own != id => self.by_id.get(&(open.format?, own.clone())).copied(),
            _ => Some(last),
        }
    }
}

impl Open {
    /// Whether it is a stream that a format reads.
    fn has_stream(&self) -> bool {
        !self.alone && self.format.is_some()
    }

    /// Whether more may come of the same id.
    fn goes_on(&self) -> bool {
        self.id.is_some() && self.stage < Stage::Ended
    }

    /// Whether it has ended, so that a frame without an id is of another one. Some services, which have no
    /// ids, say of each frame that it is the last.
    fn has_ended_before(&self, boundary: Boundary) -> bool {
        match boundary {
            Boundary::Speaks | Boundary::Supported | Boundary::Refuses => self.ended_with.is_some(),
            Boundary::SpeaksLast => self.ended_with.is_some_and(|frames| frames > 1 || self.id.is_some()),
            _ => false,
        }
    }
}

impl Boundary {
    /// How far a record has come that has such a frame.
    fn leads_to(self) -> Stage {
        match self {
            Self::Continues | Self::Speaks | Self::WithPrevious | Self::Grounds | Self::Broken => Stage::Open,
            Self::Begins => Stage::Begun,
            Self::Supported => Stage::Supported,
            Self::EndsUnlessId | Self::SpeaksLast => Stage::Ended,
            Self::EndsRun | Self::Refuses | Self::ClosesPrevious => Stage::Closed,
        }
    }

    /// It belongs with the frame before it in any case.
    fn follows(self) -> bool {
        matches!(self, Self::WithPrevious | Self::ClosesPrevious)
    }
}
