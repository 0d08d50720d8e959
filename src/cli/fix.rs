//! `citescope fix`: the same bytes with repaired offsets.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args::{Common, Fix};
use super::failure::{Failure, Many, tell};
use super::in_place::Original;
use super::inputs::supplied;
use crate::review::Splice;
use crate::review::repair::{Edit, Refusal};
use crate::session::{Reviews, Session, Supplied};
use crate::store::{Input, InputError};
use crate::text::counted;

pub(super) fn run(fix: &Fix, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let file = fix.file.as_deref().filter(|file| file.as_os_str() != "-");
    let original = match (fix.in_place, file) {
        (true, None) => return Err(Failure::Because("--in-place needs the name of a file".to_owned())),
        (true, Some(file)) => Some(Original::of(file, fix.force)?),
        (false, _) => None,
    };
    let (name, bytes) = read(file)?;
    let repaired = repair(&name, &bytes, fix.dry_run, common)?;
    let write = |out: &mut dyn Write| splice(&bytes, &repaired.splices, out);
    match (fix.dry_run, original) {
        (true, _) => {
            for change in &repaired.changes {
                writeln!(out, "{}", crate::text::one_line(change))?;
            }
        }
        (false, Some(_)) if repaired.splices.is_empty() => {}
        (false, Some(original)) => original.replace(write)?,
        (false, None) => write(out)?,
    }
    for line in &repaired.report {
        tell(line);
    }
    Ok(ExitCode::from(if repaired.failed { 2 } else { u8::from(repaired.left > 0) }))
}

/// Replaces a file by its repaired text; what was done.
pub(super) fn repair_file(file: &Path, common: &Common) -> Result<String, Failure> {
    let original = Original::of(file, false)?;
    let (name, bytes) = read(Some(file))?;
    let repaired = certain(&name, &bytes, common)?;
    original.replace(|out| splice(&bytes, &repaired.splices, out))?;
    Ok(repaired.said(&name))
}

/// Writes the repaired text of a file; what was done.
pub(super) fn repair_into(file: &Path, common: &Common, out: &mut impl Write) -> Result<String, Failure> {
    let (name, bytes) = read(Some(file))?;
    let repaired = certain(&name, &bytes, common)?;
    splice(&bytes, &repaired.splices, out)?;
    Ok(repaired.said(&name))
}

/// The repairs of an input, where there are any.
fn certain(name: &str, bytes: &[u8], common: &Common) -> Result<Repaired, Failure> {
    let repaired = repair(name, bytes, false, common)?;
    if repaired.splices.is_empty() {
        return Err(Failure::Because(repaired.report.last().cloned().unwrap_or_default()));
    }
    Ok(repaired)
}

fn read(file: Option<&Path>) -> Result<(String, Vec<u8>), Failure> {
    let Some(file) = file else {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(("stdin".to_owned(), bytes));
    };
    let bytes =
        fs::read(file).map_err(|error| Failure::Because(InputError::refused(file, &error).to_string()))?;
    Ok((file.display().to_string(), bytes))
}

/// What became of an input.
#[derive(Default)]
struct Repaired {
    /// What is written in place of what, ascending.
    splices: Vec<Splice>,
    /// One change a line.
    changes: Vec<String>,
    /// What was done and what was left, for people.
    report: Vec<String>,
    /// Supports that are wrong and were left so.
    left: usize,
    /// A record could not be read.
    failed: bool,
}

impl Repaired {
    /// What was done, without the name of the input.
    fn said(&self, name: &str) -> String {
        let last = self.report.last().map_or("", String::as_str);
        last.strip_prefix(&format!("{name}: ")).unwrap_or(last).to_owned()
    }
}

/// Supports left as they are that are named one by one.
const NAMED: usize = 20;

fn repair(name: &str, bytes: &[u8], dry_run: bool, common: &Common) -> Result<Repaired, Failure> {
    let mut out = Repaired::default();
    let supplied = supplied(common, &[PathBuf::from(name)])?;
    let again =
        Supplied { answer: supplied.answer.clone(), map: supplied.map.clone(), ..Supplied::default() };
    let mut plans = plan(name, bytes, supplied, &mut out)?;
    let wrong = disproved(name, bytes, &plans, again);
    for plan in plans.iter_mut().filter(|plan| wrong.contains(&plan.record)) {
        plan.give_up();
    }
    report(name, &plans, dry_run, &mut out);
    out.splices = splices(&plans);
    Ok(out)
}

/// What is to be done with each record.
fn plan(name: &str, bytes: &[u8], supplied: Supplied, out: &mut Repaired) -> Result<Vec<Plan>, Failure> {
    let input =
        Input::from_bytes(name, bytes.to_vec()).map_err(|error| Failure::Because(error.to_string()))?;
    if !input.is_verbatim(bytes) {
        let why = "the input is not UTF-8 throughout, so that its bytes cannot be kept; convert it first \
            (iconv -t UTF-8)";
        return Err(Failure::Because(format!("{name}: {why}")));
    }
    let session = Session::new([Ok(input)], supplied);
    super::inputs::refuse_unrecognised(&session)?;
    let mut plans = Vec::new();
    let mut unread = Many::default();
    for index in 0..session.len() {
        match session.decode_anew(index) {
            Ok(reviews) => plans.push(Plan::of(index, &reviews)),
            Err(error) => unread.tell(&error.to_string()),
        }
    }
    unread.end("record", "could not be read");
    out.failed = unread.count() > 0;
    Ok(plans)
}

/// What is to be done with a record.
struct Plan {
    record: usize,
    edits: Vec<(usize, Edit, Splice)>,
    refused: Vec<(usize, usize, Refusal)>,
    /// For each response its number of supports, to compare the result with.
    supports: Vec<usize>,
}

impl Plan {
    fn of(record: usize, reviews: &Reviews) -> Self {
        let mut plan = Self { record, edits: Vec::new(), refused: Vec::new(), supports: Vec::new() };
        for (item, review) in reviews.iter().enumerate() {
            let repairs = review.repairs();
            plan.supports.push(review.response.supports.len());
            plan.refused.extend(repairs.refused.iter().map(|&(support, refusal)| (item, support, refusal)));
            for (edit, splice) in repairs.edits.iter().zip(review.splices()) {
                match splice {
                    Some(splice) => plan.edits.push((item, edit.clone(), splice.clone())),
                    None => plan.refused.push((item, edit.support, Refusal::Placeless)),
                }
            }
        }
        // Of a support both numbers are written, or none.
        let placeless: HashSet<(usize, usize)> = plan
            .refused
            .iter()
            .filter(|entry| entry.2 == Refusal::Placeless)
            .map(|&(item, support, _)| (item, support))
            .collect();
        plan.edits.retain(|(item, edit, _)| !placeless.contains(&(*item, edit.support)));
        plan.refused.sort_by_key(|&(item, support, _)| (item, support));
        plan.refused.dedup_by_key(|entry| (entry.0, entry.1));
        plan
    }

    fn give_up(&mut self) {
        let mut touched: Vec<(usize, usize)> =
            self.edits.drain(..).map(|(item, edit, _)| (item, edit.support)).collect();
        touched.dedup();
        self.refused.extend(touched.into_iter().map(|(item, support)| (item, support, Refusal::Resent)));
    }
}

/// What is written in place of what, ascending.
fn splices(plans: &[Plan]) -> Vec<Splice> {
    let edits = plans.iter().flat_map(|plan| plan.edits.iter().map(|(_, _, splice)| splice.clone()));
    let mut all: Vec<Splice> = edits.collect();
    all.sort_by_key(|splice| splice.range.start);
    all
}

/// Writes the input with its splices.
fn splice(bytes: &[u8], splices: &[Splice], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut from = 0;
    for splice in splices {
        out.write_all(bytes.get(from..splice.range.start).unwrap_or_default())?;
        out.write_all(splice.text.as_bytes())?;
        from = splice.range.end;
    }
    out.write_all(bytes.get(from..).unwrap_or_default())
}

/// Records whose repaired supports do not fit when the result is read again: copies of the same metadata
/// disagree.
fn disproved(name: &str, bytes: &[u8], plans: &[Plan], supplied: Supplied) -> HashSet<usize> {
    if plans.iter().all(|plan| plan.edits.is_empty()) {
        return HashSet::new();
    }
    let mut repaired = Vec::with_capacity(bytes.len() + bytes.len() / 64);
    // Writing to memory does not fail.
    let _ = splice(bytes, &splices(plans), &mut repaired);
    let session = Session::new([Input::from_bytes(name, repaired)], supplied);
    let wrong = |plan: &&Plan| {
        let Ok(reviews) = session.decode(plan.record) else { return true };
        let supports: Vec<usize> = reviews.iter().map(|review| review.response.supports.len()).collect();
        let fits = |(item, edit, _): &(usize, Edit, Splice)| {
            let support = reviews.get(*item).and_then(|review| review.support(edit.support));
            support.is_some_and(|support| !support.is_misfit())
        };
        supports != plan.supports || !plan.edits.iter().all(fits)
    };
    plans.iter().filter(|plan| !plan.edits.is_empty()).filter(wrong).map(|plan| plan.record).collect()
}

fn report(name: &str, plans: &[Plan], dry_run: bool, out: &mut Repaired) {
    let many = plans.len() > 1 || plans.iter().any(|plan| plan.supports.len() > 1);
    let which = |plan: &Plan, item: usize| {
        if many { format!("response {}.{}, ", plan.record + 1, item + 1) } else { String::new() }
    };
    let mut supports = 0;
    for plan in plans {
        let mut last = None;
        for (item, edit, splice) in &plan.edits {
            supports += usize::from(last.replace((*item, edit.support)) != Some((*item, edit.support)));
            let old = edit.old_words();
            let place = &splice.path;
            out.changes.push(format!(
                "{}support {}: {place}: {old} -> {}",
                which(plan, *item),
                edit.support + 1,
                edit.new
            ));
        }
        for &(item, support, refusal) in &plan.refused {
            out.left += 1;
            if out.left <= NAMED {
                out.report.push(format!(
                    "{}support {} is left as it is: {}",
                    which(plan, item),
                    support + 1,
                    refusal.words()
                ));
            }
        }
    }
    if out.left > NAMED {
        out.report.push(format!("… and {} more supports are left as they are", out.left - NAMED));
    }
    let numbers = out.changes.len();
    out.report.push(match (supports, out.left) {
        (0, 0) => format!("{name}: nothing to repair"),
        (0, left) => format!("{name}: nothing could be repaired, {left} left"),
        (_, left) => {
            let repaired = if dry_run { "would be repaired" } else { "repaired" };
            let (supports, numbers) = (counted(supports, "support"), counted(numbers, "number"));
            format!("{name}: {supports} {repaired} ({numbers}), {left} left")
        }
    });
}
