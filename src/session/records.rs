//! Frames to records: what is decoded as a whole.

use std::collections::HashMap;

use super::Record;
use crate::format::{self, Group, Kind};
use crate::store::{Container, Input};

/// Groups the frames of an input into records.
pub(super) fn records(input: &Input, number: usize) -> Vec<Record> {
    let quick = input.container == Container::Document;
    let mut grouping = Grouping { streams: input.container == Container::Events, number, ..Grouping::default() };
    for index in 0..input.frames.len() {
        grouping.take(index, format::recognise(input.frame(index), quick));
    }
    grouping.records.into_iter().map(|open| open.record).collect()
}

/// Records as they grow. In an event stream all frames of one id are one record; elsewhere neighbours of one id;
/// without ids a record ends with its first frame that ends one.
#[derive(Default)]
struct Grouping {
    streams: bool,
    number: usize,
    records: Vec<Open>,
    by_id: HashMap<(usize, String), usize>,
}

/// A record that may grow.
struct Open {
    record: Record,
    id: Option<String>,
    ended: bool,
    closed: bool,
    alone: bool,
}

impl Grouping {
    fn take(&mut self, frame: usize, kind: Kind) {
        let home = self.home(&kind).unwrap_or_else(|| self.open(&kind));
        let Some(open) = self.records.get_mut(home) else { return };
        open.record.frames.push(frame);
        if let Kind::Known(format, Group::Stream { id, ends, closes, .. }) = kind {
            open.ended |= ends;
            open.closed |= closes;
            if let Some(id) = id {
                open.id.get_or_insert_with(|| id.clone());
                self.by_id.insert((format, id), home);
            }
        }
    }

    fn open(&mut self, kind: &Kind) -> usize {
        let format = if let Kind::Known(format, _) = kind { Some(*format) } else { None };
        let alone = matches!(kind, Kind::Known(_, Group::Alone) | Kind::Unknown);
        let record = Record { input: self.number, frames: Vec::new(), format, number: self.records.len() };
        self.records.push(Open { record, id: None, ended: false, closed: false, alone });
        self.records.len() - 1
    }

    /// The record that a frame belongs to, if it is there already.
    fn home(&self, kind: &Kind) -> Option<usize> {
        let last = self.records.len().checked_sub(1)?;
        let open = self.records.get(last)?;
        let (format, id, follows) = match kind {
            Kind::ServiceError => return (!open.alone && open.record.format.is_some()).then_some(last),
            Kind::Unknown | Kind::Known(_, Group::Alone) => return None,
            Kind::Known(format, Group::Stream { id, follows, .. }) => (*format, id, *follows),
        };
        let takes = |index: &usize| self.records.get(*index).is_some_and(|open| follows || !open.closed);
        let neighbour = !open.alone && open.record.format == Some(format);
        let Some(id) = id else {
            // Some services send the id in some of the frames only.
            return Some(last).filter(|_| neighbour && (follows || self.streams || !open.ended)).filter(takes);
        };
        let same = neighbour && (open.id.as_ref() == Some(id) || open.id.is_none() && !open.ended);
        let known = || self.by_id.get(&(format, id.clone())).copied().filter(|_| self.streams);
        Some(last).filter(|_| same).or_else(known).filter(takes)
    }
}
