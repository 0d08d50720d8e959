//! Frames to records: what is decoded as a whole.

use std::collections::HashMap;
use std::ops::Range;

use super::framing::Container;
use super::index::{Index, LineStart, Records};
use super::streams::{Open, Stage, Waiting};
use crate::format::{Boundary, FrameGroup, FrameKind, are_related};

/// Records as they grow. In an event stream all frames of one id are one record; elsewhere those that are not
/// far from each other; without ids a record ends with its first frame that ends one.
pub(super) struct Grouping {
    /// Frames of one id belong together wherever they stand.
    streams: bool,
    /// Each frame is a line, as logs have them: neighbours need not belong together.
    lines: bool,
    index: Records,
    /// The records that may grow: of an event stream all, else the last.
    open: Vec<Open>,
    /// Elsewhere those that others part.
    waiting: Waiting,
    /// The record of the frame that came last.
    latest: usize,
    /// Streams that have begun since metadata alone came.
    since_grounded: usize,
    by_id: HashMap<(usize, String), usize>,
    /// The last record that a format reads.
    known: Option<usize>,
}

/// A frame with what it is.
pub(super) struct Taken {
    /// Its bytes in the input.
    pub bytes: Range<u64>,
    /// Only white space or a comma lies between it and the frame before it.
    pub side_by_side: bool,
    /// The event that ends a stream lies there.
    pub anew: bool,
    pub kind: FrameKind,
}

impl Taken {
    /// Whether it is of no stream before it: one without an id behind the end of that.
    fn begins_another(&self) -> bool {
        let FrameKind::Known(_, FrameGroup::Stream { id: None, boundary }) = &self.kind else { return false };
        self.anew && !boundary.follows() && *boundary != Boundary::Grounds
    }
}

impl Grouping {
    pub fn new(container: Container) -> Self {
        Self {
            streams: container == Container::Events,
            lines: container == Container::Lines,
            index: Records::default(),
            open: Vec::new(),
            waiting: Waiting::default(),
            latest: 0,
            since_grounded: 0,
            by_id: HashMap::new(),
            known: None,
        }
    }

    /// The records of all frames that were taken.
    pub fn finish(mut self) -> Index {
        if !self.streams {
            self.index.set_unsettled(self.waiting.first());
        }
        self.index.finish()
    }

    /// Whether a stream goes on with such a frame by its id.
    pub fn awaits(&self, kind: &FrameKind) -> bool {
        let FrameKind::Known(format, FrameGroup::Stream { id: Some(id), boundary }) = kind else {
            return false;
        };
        let named = (*format, id.as_str());
        let goes_on = |open: &Open| open.goes_on_with(named, *boundary);
        !self.streams
            && (self.open.last().is_some_and(goes_on) || self.waiting.find(named, *boundary).is_some())
    }

    /// Whether several streams have begun since metadata alone came, which may be that of any.
    pub fn is_of_several(&self) -> bool {
        self.since_grounded > 1
    }

    /// Takes the next frame; `again` says whether it is the frame at some place once more, `line` is the line
    /// in which it begins.
    pub fn take(
        &mut self,
        frame: Taken,
        again: impl Fn(&Range<u64>) -> bool,
        line: impl FnOnce() -> LineStart,
    ) {
        let known = if frame.begins_another() { None } else { self.home(&frame.kind, again) };
        let known = known.filter(|&home| self.waiting.tie(home, &frame.bytes));
        let home = match known {
            Some(home) => {
                let is_last = home + 1 == self.index.len() && home == self.latest && !self.streams;
                self.index.extend(home, frame.bytes.clone(), frame.side_by_side && is_last, line);
                self.answered(home, &frame.kind);
                home
            }
            None => self.begin(&frame, line),
        };
        self.latest = home;
        self.waiting.pass(home);
        let FrameKind::Known(format, FrameGroup::Stream { id, boundary }) = frame.kind else { return };
        match boundary {
            Boundary::Grounds => self.since_grounded = 0,
            _ if known.is_none() => self.since_grounded += 1,
            _ => {}
        }
        let Some(open) = self.open_mut(home) else { return };
        if boundary == Boundary::Grounds && open.format != Some(format) {
            return;
        }
        let alone = boundary == Boundary::Broken && known.is_none();
        open.take(frame.bytes, boundary, if alone { Stage::Closed } else { boundary.leads_to() });
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
            self.part(&frame.kind);
        }
        self.open.push(Open::of(format, &frame.bytes, alone, frame.kind == FrameKind::Asked));
        let begun = self.index.len() - 1;
        self.known = format.map(|_| begun).or(self.known);
        begun
    }

    /// Another record has begun: the last one waits, if more may come of it.
    fn part(&mut self, kind: &FrameKind) {
        let last = self.open.pop();
        self.open.clear();
        if let Some((record, last)) = self.index.len().checked_sub(2).zip(last) {
            self.waiting.push(record, last);
        }
        if let FrameKind::Known(_, FrameGroup::Stream { id: Some(id), .. }) = kind {
            self.waiting.forget(id);
        }
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
        let place = (record + self.open.len()).checked_sub(self.index.len());
        place.map_or_else(|| self.waiting.get(record), |place| self.open.get(place))
    }

    fn open_mut(&mut self, record: usize) -> Option<&mut Open> {
        let place = (record + self.open.len()).checked_sub(self.index.len());
        place.map_or_else(|| self.waiting.get_mut(record), |place| self.open.get_mut(place))
    }

    /// The record that a frame belongs to, if it is there already.
    fn home(&self, kind: &FrameKind, again: impl Fn(&Range<u64>) -> bool) -> Option<usize> {
        if let Some(apart) = self.apart(kind, &again) {
            return Some(apart);
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
    /// The record that waits for a frame of its id; the last one is its neighbour.
    fn apart(&self, kind: &FrameKind, again: &impl Fn(&Range<u64>) -> bool) -> Option<usize> {
        let FrameKind::Known(format, FrameGroup::Stream { id: Some(id), boundary }) = kind else {
            return None;
        };
        let is_last = || self.open.last().is_some_and(|open| open.id.as_ref() == Some(id));
        let (record, stream) = self.waiting.find((*format, id), *boundary).filter(|_| !is_last())?;
        // A response that was logged twice is two.
        let is_again = stream.stage == Stage::Ended && again(&stream.first);
        (!is_again).then_some(record)
    }

    /// The record that metadata alone is of: that of its id, else the last one.
    fn grounded(&self, last: usize, open: &Open, id: Option<&String>) -> Option<usize> {
        match (id, &open.id) {
            (Some(own), Some(id)) if own != id => self.by_id.get(&(open.format?, own.clone())).copied(),
            (None, _) if self.streams && self.is_of_several() => None,
            _ => Some(last),
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
            Self::EndsUnlessId | Self::SpeaksLast | Self::Whole => Stage::Ended,
            Self::EndsRun | Self::Refuses | Self::ClosesPrevious => Stage::Closed,
        }
    }

    /// It belongs with the frame before it in any case.
    fn follows(self) -> bool {
        matches!(self, Self::WithPrevious | Self::ClosesPrevious)
    }
}
