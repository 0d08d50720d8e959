//! `citescope fix`: the same bytes with repaired offsets.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use super::args::{Common, Fix};
use super::failure::{Failure, Many, tell};
use super::inputs::supplied;
use crate::review::Splice;
use crate::review::repair::{Edit, Refusal};
use crate::session::{Reviews, Session, Supplied};
use crate::store::{Input, InputError};
use crate::text::counted;

pub(super) fn run(fix: &Fix, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let file = fix.file.as_deref().filter(|file| file.as_os_str() != "-");
    if fix.in_place && file.is_none() {
        return Err(Failure::Because("--in-place needs the name of a file".to_owned()));
    }
    let (name, bytes) = read(file)?;
    let repaired = repair(&name, &bytes, fix.dry_run, common)?;
    for line in &repaired.report {
        tell(line);
    }
    match (fix.dry_run, file) {
        (true, _) => {
            for change in &repaired.changes {
                writeln!(out, "{}", crate::text::one_line(change))?;
            }
        }
        (false, Some(file)) if fix.in_place => {
            if repaired.bytes != bytes {
                replace(file, &repaired.bytes)?;
            }
        }
        (false, _) => out.write_all(&repaired.bytes)?,
    }
    Ok(ExitCode::from(if repaired.failed { 2 } else { u8::from(repaired.left > 0) }))
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

/// The file is replaced whole or not at all: the new bytes go beside it first.
fn replace(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let fail = |error: io::Error| {
        Failure::Because(format!("{}: cannot be written: {error}; it is as it was", file.display()))
    };
    // A link keeps pointing where it did.
    let file = &fs::canonicalize(file).map_err(fail)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut beside = tempfile::Builder::new().prefix(".citescope-").tempfile_in(folder).map_err(fail)?;
    beside.write_all(bytes).map_err(fail)?;
    beside.as_file().sync_all().map_err(fail)?;
    fs::set_permissions(beside.path(), fs::metadata(file).map_err(fail)?.permissions()).map_err(fail)?;
    beside.persist(file).map_err(|error| fail(error.error))?;
    Ok(())
}

/// What became of an input.
struct Repaired {
    bytes: Vec<u8>,
    /// One change a line.
    changes: Vec<String>,
    /// What was done and what was left, for people.
    report: Vec<String>,
    /// Supports that are wrong and were left so.
    left: usize,
    /// A record could not be read.
    failed: bool,
}

/// Supports left as they are that are named one by one.
const NAMED: usize = 20;

fn repair(name: &str, bytes: &[u8], dry_run: bool, common: &Common) -> Result<Repaired, Failure> {
    let input =
        Input::from_bytes(name, bytes.to_vec()).map_err(|error| Failure::Because(error.to_string()))?;
    if !input.is_verbatim(bytes) {
        let why = "the input is not UTF-8 throughout, so that its bytes cannot be kept; convert it first \
            (iconv -t UTF-8)";
        return Err(Failure::Because(format!("{name}: {why}")));
    }
    let session = Session::new([Ok(input)], supplied(common)?);
    super::inputs::refuse_unrecognised(&session)?;
    let mut out =
        Repaired { bytes: bytes.to_vec(), changes: Vec::new(), report: Vec::new(), left: 0, failed: false };
    let mut plans: Vec<Plan> = Vec::new();
    let mut unread = Many::default();
    for index in 0..session.len() {
        match session.decode(index) {
            Ok(reviews) => plans.push(Plan::of(index, &reviews)),
            Err(error) => {
                unread.tell(&error.to_string());
            }
        }
    }
    unread.end("record", "could not be read");
    out.failed = unread.count() > 0;
    let mut spliced = splice(bytes, &plans);
    let wrong = disproved(name, &spliced, &plans, session.supplied().answer.clone());
    if !wrong.is_empty() {
        for plan in plans.iter_mut().filter(|plan| wrong.contains(&plan.record)) {
            plan.give_up();
        }
        spliced = splice(bytes, &plans);
    }
    report(name, &plans, dry_run, &mut out);
    out.bytes = spliced;
    Ok(out)
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

fn splice(bytes: &[u8], plans: &[Plan]) -> Vec<u8> {
    let mut all: Vec<&Splice> =
        plans.iter().flat_map(|plan| plan.edits.iter().map(|(_, _, splice)| splice)).collect();
    all.sort_by_key(|splice| splice.range.start);
    let mut out = Vec::with_capacity(bytes.len() + all.len() * 8);
    let mut from = 0;
    for splice in all {
        out.extend_from_slice(bytes.get(from..splice.range.start).unwrap_or_default());
        out.extend_from_slice(splice.text.as_bytes());
        from = splice.range.end;
    }
    out.extend_from_slice(bytes.get(from..).unwrap_or_default());
    out
}

/// Records whose repaired supports do not fit when the result is read again: copies of the same metadata
/// disagree.
fn disproved(name: &str, bytes: &[u8], plans: &[Plan], answer: Option<String>) -> HashSet<usize> {
    if plans.iter().all(|plan| plan.edits.is_empty()) {
        return HashSet::new();
    }
    let session =
        Session::new([Input::from_bytes(name, bytes.to_vec())], Supplied { answer, ..Supplied::default() });
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
        for (item, edit, _) in &plan.edits {
            supports += usize::from(last.replace((*item, edit.support)) != Some((*item, edit.support)));
            let old = edit.old_words();
            let place = &edit.place.path;
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
