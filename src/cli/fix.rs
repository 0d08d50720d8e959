//! `citescope fix`: the same bytes with repaired offsets.

use std::collections::{HashSet, VecDeque};
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args::{Common, Fix};
use super::failure::{Failure, Many, tell};
use super::in_place::Original;
use super::inputs::{Given, supplied};
use super::progress::Progress;
use crate::model::{self, AnswerState, Notice};
use crate::review::Review;
use crate::review::repair::{Refusal, sent_words};
use crate::session::{RecordReviews, Session, Supplied};
use crate::store::{Input, InputError, Raw};
use crate::text::counted;

pub(super) fn run(fix: &Fix, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let file = fix.file.as_deref().filter(|file| file.as_os_str() != "-");
    let original = match (fix.in_place, file) {
        (true, None) => return Err(Failure::Because("--in-place needs the name of a file".to_owned())),
        (true, Some(file)) => Some(Original::of(file, fix.force)?),
        (false, _) => None,
    };
    let raw = raw(file)?;
    // What is repaired is written once all is known.
    let progress = Progress::silent(&[PathBuf::from(raw.name())]);
    let repaired = repair(&raw, fix.dry_run, common, (progress, Many::default()), out)?;
    match original {
        _ if fix.dry_run => {}
        Some(_) if repaired.splices.is_empty() => {}
        Some(original) => original.replace(|out| repaired.write(&raw, out))?,
        None => repaired.write(&raw, out)?,
    }
    for line in &repaired.report {
        tell(line);
    }
    Ok(ExitCode::from(if repaired.failed { 2 } else { u8::from(repaired.left > 0) }))
}

/// Replaces a file by its repaired text; what was done.
pub(super) fn repair_file(file: &Path, common: &Common) -> Result<String, Failure> {
    let original = Original::of(file, false)?;
    let raw = raw(Some(file))?;
    let repaired = certain(&raw, common)?;
    original.replace(|out| repaired.write(&raw, out))?;
    Ok(repaired.said(raw.name()))
}

/// Writes the repaired text of a file; what was done.
pub(super) fn repair_into(file: &Path, common: &Common, out: &mut impl Write) -> Result<String, Failure> {
    let raw = raw(Some(file))?;
    let repaired = certain(&raw, common)?;
    repaired.write(&raw, out)?;
    Ok(repaired.said(raw.name()))
}

/// The repairs of an input, where there are any.
fn certain(raw: &Raw, common: &Common) -> Result<Repaired, Failure> {
    let repaired = repair(raw, false, common, (Progress::none(), Many::untold()), &mut io::sink())?;
    if repaired.splices.is_empty() {
        return Err(Failure::Because(repaired.report.last().cloned().unwrap_or_default()));
    }
    Ok(repaired)
}

fn because(error: &InputError) -> Failure {
    Failure::Because(error.to_string())
}

fn raw(file: Option<&Path>) -> Result<Raw, Failure> {
    Raw::of(file).map_err(|error| because(&error))
}

/// Bytes that are written in place of others.
type Change = (Range<u64>, Box<str>);

/// What became of an input. It is gone through twice: what is to be written is known before anything is.
#[derive(Default)]
struct Repaired {
    /// What is written in place of what, ascending.
    splices: Vec<Change>,
    /// Supports that are repaired.
    supports: usize,
    /// What was done and what was left, for people.
    report: Vec<String>,
    /// Supports that are wrong and were left so.
    left: usize,
    /// Records that were read.
    records: usize,
    /// A record could not be read.
    failed: bool,
}

impl Repaired {
    /// What was done, without the name of the input.
    fn said(&self, name: &str) -> String {
        let last = self.report.last().map_or("", String::as_str);
        let unread = if self.failed { "; not all of it could be read" } else { "" };
        format!("{}{unread}", last.strip_prefix(&format!("{name}: ")).unwrap_or(last))
    }

    /// Writes the input with its repairs.
    fn write(&self, raw: &Raw, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        splice(raw, 0..raw.length(), &self.splices, out)
    }
}

/// Supports left as they are that are named one by one.
const NAMED: usize = 20;

/// Bytes of what is told that are held in memory.
const TOLD: usize = 1 << 20;

/// Finds the repairs of an input; on a dry run each is written out in words.
fn repair(
    raw: &Raw,
    dry_run: bool,
    common: &Common,
    (mut progress, mut unread): (Progress, Many),
    out: &mut impl Write,
) -> Result<Repaired, Failure> {
    let mut repaired = Repaired::default();
    let supplied = supplied(common, &[PathBuf::from(raw.name())])?;
    // What would be changed is told once it is known that it can be.
    let mut told = tempfile::spooled_tempfile(TOLD);
    let mut refused = Vec::new();
    let mut before = Before::default();
    for input in raw.pieces(supplied.limits.longest()).map_err(|error| because(&error))? {
        let input = input.map_err(|error| because(&error))?;
        verbatim(raw, &input)?;
        let session = Session::new([Ok(input)], supplied.clone());
        // A long input may hold something else for a while.
        if let Err(why) = super::inputs::refuse_unrecognised(&session) {
            refused.push(why);
            continue;
        }
        let (mut plans, lost) = plan(&session, dry_run, &mut before, &mut unread, &mut progress);
        let Some(input) = session.inputs().next() else { continue };
        for plan in plans.iter_mut().filter(|plan| !plan.edits.is_empty() && lacks(input, plan, &lost)) {
            plan.give_up(Refusal::Interrupted);
        }
        let wrong = disproved(raw, input, &plans, supplied.clone())?;
        for plan in plans.iter_mut().filter(|plan| wrong.contains(&plan.record)) {
            plan.give_up(Refusal::Resent);
        }
        repaired.take(input, &plans, dry_run.then_some(&mut told as &mut dyn Write))?;
    }
    drop(progress);
    if repaired.records == 0 && unread.count() == 0 && !refused.is_empty() {
        return Err(refused.swap_remove(0));
    }
    for why in refused {
        let Failure::Because(why) = why else { return Err(why) };
        unread.tell(&why);
    }
    told.rewind()?;
    io::copy(&mut told, out)?;
    unread.end("record", "could not be read");
    let unfit = Given::of(&supplied).unfit(common);
    repaired.failed = unread.count() > 0 || unfit.is_some();
    repaired.end(raw.name(), dry_run);
    repaired.report.extend(unfit);
    Ok(repaired)
}

/// An error where places in the text of an input are none in its bytes.
fn verbatim(raw: &Raw, input: &Input) -> Result<(), Failure> {
    let Some(notice) = input.rewritten_by() else { return Ok(()) };
    let place = match notice {
        Notice::NotUtf8 { line, column, .. } => format!(" (line {line}, column {column})"),
        _ => String::new(),
    };
    let why = "so that its bytes cannot be kept; convert it first (iconv -t UTF-8)";
    Err(Failure::Because(format!("{}: the input is not UTF-8 throughout{place}, {why}", raw.name())))
}

/// What is to be done with each record of a piece, and the records that could not be read.
fn plan(
    session: &Session,
    dry_run: bool,
    before: &mut Before,
    unread: &mut Many,
    progress: &mut Progress,
) -> (Vec<Plan>, Vec<usize>) {
    let (mut plans, mut lost) = (Vec::new(), Vec::new());
    for index in 0..session.len() {
        match session.decode_anew(index) {
            Ok(reviews) => {
                let mut plan = Plan::of(index, &reviews, dry_run);
                if let Some(why) = before.goes_on_with(&reviews, &plan) {
                    plan.give_up(why);
                }
                before.note(&reviews);
                plans.push(plan);
                if let Some(why) = reviews.first().and_then(|review| review.frame_passed_over()) {
                    progress.beside(|| unread.tell(&why));
                }
            }
            Err(error) => {
                before.unread = true;
                lost.push(index);
                progress.beside(|| unread.tell(&error.to_string()));
            }
        }
        progress.add(1, session.size(index) as usize);
    }
    (plans, lost)
}

/// Whether a record that could not be read stands among the frames of another, or beside it on one line: then
/// it may be a piece of it.
fn lacks(input: &Input, plan: &Plan, lost: &[usize]) -> bool {
    let own = input.span(plan.record);
    let (before, behind) = lost.split_at(lost.partition_point(|&record| record < plan.record));
    let joins = |record: usize| {
        let other = input.span(record);
        let (first, second) = if record < plan.record { (&other, &own) } else { (&own, &other) };
        second.start < first.end
            || record.abs_diff(plan.record) == 1 && input.line_of(first.end) == input.line_of(second.start)
    };
    before.last().into_iter().chain(behind.first()).any(|&record| joins(record))
}

/// What stood before a record, as far as the record may be a piece of it.
#[derive(Default)]
struct Before {
    /// The record right before it could not be read, or not to its end.
    unread: bool,
    /// The record right before it has a response without an id and an end.
    unfinished: bool,
    /// Ids of the last responses that had not ended.
    open: VecDeque<String>,
    /// Bytes and characters of the last responses without ids, the latest first: some services say of each
    /// piece of a stream that it is the last.
    unnamed: VecDeque<[usize; 2]>,
}

/// Responses that had not ended and are remembered.
const OPEN: usize = 1024;

impl Before {
    /// Why a record may go on with what stood before it: then offsets count in text that is not there.
    fn goes_on_with(&self, reviews: &RecordReviews, plan: &Plan) -> Option<Refusal> {
        if plan.edits.is_empty() {
            return None;
        }
        let mut ids = reviews.iter().filter_map(|review| review.response.id.as_ref());
        let is_open = ids.any(|id| self.open.contains(id));
        let is_unnamed = reviews.iter().all(|review| review.response.id.is_none());
        // What a piece held that is not there was quoted, too; or all counts on from what it held.
        let lacks = plan.refused.iter().any(|(.., why)| *why == Refusal::Gone);
        let mut shifts = plan.edits.iter().map(|edit| edit.new.saturating_sub(edit.old.unwrap_or_default()));
        let first = shifts.next().unwrap_or_default();
        let alike = shifts.all(|shift| shift == first);
        let back = plan.edits.iter().any(|edit| edit.new < edit.old.unwrap_or_default());
        // Where all fit in another unit or with other ends, nothing is missing.
        let all_fit = reviews.iter().all(|review| {
            let fit = &review.fit;
            fit.reading.shift == 0 && fit.fitting == fit.of
        });
        // What no stream sends is no piece of what was not read.
        let is_whole = || reviews.iter().all(|review| review.sent.is_whole());
        match () {
            () if is_open => Some(Refusal::Interrupted),
            () if self.unread && (back || !all_fit) && !is_whole() => Some(Refusal::Interrupted),
            () if back && self.unfinished && is_unnamed && (lacks || alike) => Some(Refusal::AfterAPiece),
            () if back && alike && is_unnamed && self.are_long(first.unsigned_abs()) => {
                Some(Refusal::OfAPieceLess)
            }
            () => None,
        }
    }

    /// Whether the last responses without ids are so long together.
    fn are_long(&self, length: u64) -> bool {
        let sums = self.unnamed.iter().scan([0; 2], |[bytes, characters], [more, others]| {
            (*bytes, *characters) = (*bytes + more, *characters + others);
            Some([*bytes as u64, *characters as u64])
        });
        sums.take_while(|[_, characters]| *characters <= length).any(|sums| sums.contains(&length))
    }

    fn note(&mut self, reviews: &RecordReviews) {
        let is_piece = |review: &Review| {
            let response = &review.response;
            response.id.is_none() && response.finish.is_none() && !review.sent.is_whole()
        };
        let unnamed = |review: &Review| review.response.id.is_none() && !review.response.text().is_empty();
        match (reviews.iter().find(|review| unnamed(review)), reviews.get(1)) {
            (Some(only), None) => {
                let text = only.response.text();
                self.unnamed.push_front([text.len(), text.chars().count()]);
            }
            _ => self.unnamed.clear(),
        }
        self.unnamed.truncate(OPEN);
        self.unread = reviews.iter().any(|review| review.response.state == AnswerState::Truncated);
        self.unfinished = reviews.iter().any(|review| is_piece(review));
        // Turns of a session have one id, and each is whole.
        let is_open = |review: &Review| review.response.finish.is_none() && !review.sent.is_whole();
        let open = reviews.iter().filter(|review| is_open(review));
        for id in open.filter_map(|review| review.response.id.clone()) {
            if self.open.back() != Some(&id) {
                self.open.push_back(id);
            }
        }
        while self.open.len() > OPEN {
            self.open.pop_front();
        }
    }
}

/// What is to be done with a record.
struct Plan {
    record: usize,
    edits: Vec<Planned>,
    refused: Vec<(usize, usize, Refusal)>,
    /// For each response its number of supports, to compare the result with.
    supports: Vec<usize>,
}

/// A number to be written.
struct Planned {
    /// The response within the record.
    item: usize,
    support: usize,
    old: Option<i64>,
    new: i64,
    /// Bytes of the input's text, and what takes their place.
    range: Range<usize>,
    text: Box<str>,
    /// Where that is, on a dry run: it is told there.
    path: Option<Box<model::Path>>,
}

impl Plan {
    fn of(record: usize, reviews: &RecordReviews, dry_run: bool) -> Self {
        let mut plan = Self { record, edits: Vec::new(), refused: Vec::new(), supports: Vec::new() };
        for (item, review) in reviews.iter().enumerate() {
            let repairs = review.repairs();
            plan.supports.push(review.response.supports.len());
            plan.refused.extend(repairs.refused.iter().map(|&(support, refusal)| (item, support, refusal)));
            plan.edits.reserve_exact(repairs.edits.len());
            for (edit, splice) in review.splices(&repairs.edits) {
                let Some(splice) = splice else {
                    plan.refused.push((item, edit.support, Refusal::Placeless));
                    continue;
                };
                plan.edits.push(Planned {
                    item,
                    support: edit.support,
                    old: edit.old,
                    new: edit.new,
                    range: splice.range,
                    text: splice.text.into(),
                    path: dry_run.then(|| Box::new(splice.path)),
                });
            }
        }
        // Of a support both numbers are written, or none.
        let placeless: HashSet<(usize, usize)> = plan
            .refused
            .iter()
            .filter(|entry| entry.2 == Refusal::Placeless)
            .map(|&(item, support, _)| (item, support))
            .collect();
        plan.edits.retain(|edit| !placeless.contains(&(edit.item, edit.support)));
        plan.refused.sort_by_key(|&(item, support, _)| (item, support));
        plan.refused.dedup_by_key(|entry| (entry.0, entry.1));
        plan
    }

    fn give_up(&mut self, why: Refusal) {
        let mut touched: Vec<(usize, usize)> =
            std::mem::take(&mut self.edits).into_iter().map(|edit| (edit.item, edit.support)).collect();
        touched.dedup();
        self.refused.extend(touched.into_iter().map(|(item, support)| (item, support, why)));
        self.refused.sort_by_key(|&(item, support, _)| (item, support));
    }
}

/// What is written in place of what, ascending.
fn splices(plans: &[Plan]) -> Vec<Change> {
    let change = |edit: &Planned| (edit.range.start as u64..edit.range.end as u64, edit.text.clone());
    let mut all: Vec<Change> = plans.iter().flat_map(|plan| &plan.edits).map(change).collect();
    all.sort_by_key(|(range, _)| range.start);
    all
}

/// Writes a stretch of the input with its changes.
fn splice(
    raw: &Raw,
    stretch: Range<u64>,
    changes: &[Change],
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    let mut from = stretch.start;
    let mut bytes = raw.read(stretch);
    for (range, text) in changes {
        io::copy(&mut bytes.by_ref().take(range.start - from), out)?;
        io::copy(&mut bytes.by_ref().take(range.end - range.start), &mut io::sink())?;
        out.write_all(text.as_bytes())?;
        from = range.end;
    }
    io::copy(&mut bytes, out).map(drop)
}

/// Records whose repaired supports do not fit when the result is read again: copies of the same metadata
/// disagree.
fn disproved(raw: &Raw, input: &Input, plans: &[Plan], supplied: Supplied) -> io::Result<HashSet<usize>> {
    if plans.iter().all(|plan| plan.edits.is_empty()) {
        return Ok(HashSet::new());
    }
    let mut repaired = Vec::new();
    splice(raw, input.stretch_in(raw.length()), &splices(plans), &mut repaired)?;
    let session = Session::new([input.rewritten(repaired)], supplied);
    let wrong = |plan: &&Plan| {
        let Ok(reviews) = session.decode(plan.record) else { return true };
        let supports: Vec<usize> = reviews.iter().map(|review| review.response.supports.len()).collect();
        let fits = |edit: &Planned| {
            let support = reviews.get(edit.item).and_then(|review| review.support(edit.support));
            support.is_some_and(|support| !support.is_misfit())
        };
        supports != plan.supports || !plan.edits.iter().all(fits)
    };
    Ok(plans.iter().filter(|plan| !plan.edits.is_empty()).filter(wrong).map(|plan| plan.record).collect())
}

impl Repaired {
    /// Takes what is to be done with the records of a piece.
    fn take(&mut self, input: &Input, plans: &[Plan], mut told: Option<&mut dyn Write>) -> io::Result<()> {
        self.records += plans.len();
        let many = self.records > 1 || plans.iter().any(|plan| plan.supports.len() > 1);
        let which = |plan: &Plan, item: usize| {
            if many {
                format!("response {}.{}, ", input.number(plan.record) + 1, item + 1)
            } else {
                String::new()
            }
        };
        for plan in plans {
            let mut last = None;
            for edit in &plan.edits {
                let support = (edit.item, edit.support);
                self.supports += usize::from(last.replace(support) != Some(support));
                let Some((out, place)) = told.as_deref_mut().zip(edit.path.as_ref()) else { continue };
                let (old, which) = (sent_words(edit.old), which(plan, edit.item));
                let change = format!("{which}support {}: {place}: {old} -> {}", edit.support + 1, edit.new);
                writeln!(out, "{}", crate::text::one_line(&change))?;
            }
            for &(item, support, refusal) in &plan.refused {
                self.left += 1;
                if self.left <= NAMED {
                    let (which, why) = (which(plan, item), refusal.words());
                    self.report.push(format!("{which}support {} is left as it is: {why}", support + 1));
                }
            }
        }
        self.splices.extend(splices(plans));
        Ok(())
    }

    /// Says what came of it all.
    fn end(&mut self, name: &str, dry_run: bool) {
        if self.left > NAMED {
            self.report.push(format!("… and {} more supports are left as they are", self.left - NAMED));
        }
        let numbers = self.splices.len();
        self.report.push(match (self.supports, self.left) {
            (0, 0) => format!("{name}: nothing to repair"),
            (0, left) => format!("{name}: nothing could be repaired, {left} left"),
            (supports, left) => {
                let repaired = if dry_run { "would be repaired" } else { "repaired" };
                let (supports, numbers) = (counted(supports, "support"), counted(numbers, "number"));
                format!("{name}: {supports} {repaired} ({numbers}), {left} left")
            }
        });
    }
}
