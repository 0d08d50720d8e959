//! `citescope export`: the same text that the copy menu gives.

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Common, Date, Export, Number, To, When};
use super::{Failure, open, refuse_foreign, report_failures, tell};
use crate::export::label::DateStyle;
use crate::export::markdown::{Options, Part};
use crate::export::numbering::Scheme;
use crate::export::{self, Target, csv, json, template, write};
use crate::session::{Analysed, Collection};
use crate::text::one_line;

pub(super) fn run(export: &Export, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let collection = open(&export.files, common)?;
    let mut failed = report_failures(&collection);
    if collection.records.is_empty() {
        return Err(Failure::Told);
    }
    refuse_foreign(&collection)?;
    match export.to {
        None => failed |= templated(export, common, &collection, out)?,
        Some(To::Json | To::Jsonl) => failed |= machine(export, common, &collection, out)?,
        Some(To::Csv) => failed |= table(export, &collection, out)?,
        Some(To::Inline) => failed |= text(export, Target::Inline, &collection, out)?,
        Some(To::Footnotes) => failed |= text(export, Target::Footnotes, &collection, out)?,
        Some(To::Sources) => failed |= text(export, Target::Sources, &collection, out)?,
        Some(To::Links) => failed |= text(export, Target::Links, &collection, out)?,
        Some(To::Html) => failed |= text(export, Target::Html, &collection, out)?,
        Some(To::Plain) => failed |= text(export, Target::Plain, &collection, out)?,
        Some(To::Ansi) => {
            let target = if common.color == When::Never { Target::Plain } else { Target::Ansi };
            failed |= text(export, target, &collection, out)?;
        }
    }
    super::source_texts::report_unused(collection.source_texts.as_deref(), common);
    Ok(if failed { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// One document, or a response a line, each written as it is decoded. True if a record could not be read.
fn machine(export: &Export, common: &Common, collection: &Collection, out: &mut impl Write) -> Result<bool, Failure> {
    if export.support.is_some() || export.source.is_some() {
        return Err(Failure::Because("--support and --source go with text, links and csv; JSON holds the whole response".to_owned()));
    }
    let bad = Cell::new(0);
    let readable = |index| match collection.analyse(index) {
        Ok(analysed) => Some((index, analysed)),
        Err(error) => {
            bad.set(bad.get() + 1);
            if bad.get() <= ERRORS {
                tell(&error.to_string());
            }
            None
        }
    };
    let chosen = |(index, analysed): (usize, Arc<Analysed>)| {
        let items = (0..analysed.responses.len()).filter(|&item| wanted(export.response.as_deref(), index, item, &analysed));
        items.map(|item| (Arc::clone(&analysed), item)).collect::<Vec<_>>()
    };
    let responses = (0..collection.records.len()).filter_map(readable).flat_map(chosen);
    if export.to == Some(To::Json) {
        write::write(&mut *out, &json::Document::new(responses, common.show_secrets), true)?;
    } else {
        for (analysed, item) in responses {
            if let Some(form) = json::Form::of(&analysed, item, common.show_secrets) {
                write::write(&mut *out, &form.line(), false)?;
            }
        }
    }
    if bad.get() > ERRORS {
        tell(&format!("… and {} more records that could not be read", bad.get() - ERRORS));
    }
    Ok(bad.get() > 0)
}

/// The table of supports and citations of all responses. True if a record could not be read.
fn table(export: &Export, collection: &Collection, out: &mut impl Write) -> Result<bool, Failure> {
    let options = options(export);
    let mut table = csv::Table::new(&mut *out)?;
    let mut bad = 0;
    for index in 0..collection.records.len() {
        let analysed = match collection.analyse(index) {
            Ok(analysed) => analysed,
            Err(error) => {
                bad += 1;
                if bad <= ERRORS {
                    tell(&error.to_string());
                }
                continue;
            }
        };
        for item in (0..analysed.responses.len()).filter(|&item| wanted(export.response.as_deref(), index, item, &analysed)) {
            table.response(&analysed, item, &options)?;
        }
    }
    table.finish()?;
    if bad > ERRORS {
        tell(&format!("… and {} more records that could not be read", bad - ERRORS));
    }
    Ok(bad > 0)
}

/// Errors that are told one by one.
pub(super) const ERRORS: usize = 20;

fn options(export: &Export) -> Options {
    let index = |number: usize| number.wrapping_sub(1);
    Options {
        number: export.number.map(|number| match number {
            Number::Provider => Scheme::Provider,
            Number::Compact => Scheme::Compact,
        }),
        dates: export.date.map(|date| match date {
            Date::Iso => DateStyle::Iso,
            Date::Brand => DateStyle::Brand,
        }),
        tools: export.tools,
        mapping: export.mapping,
        part: match (export.support, export.source) {
            (Some(support), _) => Part::Support(index(support)),
            (_, Some(source)) => Part::Source(index(source)),
            _ => Part::Whole,
        },
    }
}

/// One response, or the part of it that is asked for.
fn text(export: &Export, target: Target, collection: &Collection, out: &mut impl Write) -> Result<bool, Failure> {
    let (analysed, item, whole) = the_one(export, collection)?;
    let reviewed = analysed.responses.get(item).ok_or(Failure::Told)?;
    let options = options(export);
    let (what, number, count) = match options.part {
        Part::Whole => ("", 0, 1),
        Part::Support(support) => ("support", support, reviewed.response.supports.len()),
        Part::Source(source) => ("source", source, reviewed.response.sources.len()),
    };
    if number >= count {
        return Err(Failure::Because(format!("there is no such {what}; the response has {count}, counted from 1")));
    }
    match (options.part, target) {
        (Part::Whole, _) | (_, Target::Sources | Target::Links) | (Part::Support(_), Target::Inline | Target::Footnotes) => {}
        _ => {
            let takes = if what == "support" { "inline, footnotes, sources, links or csv" } else { "sources, links or csv" };
            return Err(Failure::Because(format!("--{what} goes with --to {takes}")));
        }
    }
    let exported = export::text(&analysed, item, target, &options);
    for note in &exported.notes {
        tell(note);
    }
    out.write_all(exported.text.as_bytes())?;
    Ok(!whole)
}

/// One response through the user's template.
fn templated(export: &Export, common: &Common, collection: &Collection, out: &mut impl Write) -> Result<bool, Failure> {
    let Some(path) = &export.template else { return Err(Failure::Because("--to or --template says what to print".to_owned())) };
    let name = path.display().to_string();
    let source = fs::read_to_string(path).map_err(|error| Failure::Because(format!("{name}: the template cannot be read: {error}")))?;
    let (analysed, item, whole) = the_one(export, collection)?;
    let exported = template::render(&name, &source, &analysed, item, options(export), common.show_secrets)
        .map_err(|error| Failure::Because(error.to_string()))?;
    for note in &exported.notes {
        tell(note);
    }
    out.write_all(exported.text.as_bytes())?;
    Ok(!whole)
}

/// Whether a response is the one asked for: `RECORD`, `RECORD.ITEM` (from 1), or its id.
fn wanted(which: Option<&str>, record: usize, item: usize, analysed: &Analysed) -> bool {
    let Some(which) = which else { return true };
    let response = analysed.responses.get(item).map(|reviewed| &reviewed.response);
    let id = response.and_then(|response| response.id.as_deref());
    let numbers: Vec<Option<usize>> = which.split('.').map(|number| number.parse().ok()).collect();
    match numbers.as_slice() {
        _ if id == Some(which) => true,
        [Some(wanted)] => *wanted == record + 1,
        [Some(wanted), Some(part)] => *wanted == record + 1 && *part == item + 1,
        _ => false,
    }
}

/// The single response that a text target needs, and whether all records could be read; questions of users and partial pieces do not count.
fn the_one(export: &Export, collection: &Collection) -> Result<(Arc<Analysed>, usize, bool), Failure> {
    let mut whole = true;
    let mut found = Vec::new();
    for index in 0..collection.records.len() {
        match collection.analyse(index) {
            Ok(analysed) => {
                let items = (0..analysed.responses.len()).filter(|&item| wanted(export.response.as_deref(), index, item, &analysed));
                found.extend(items.map(|item| (Arc::clone(&analysed), index, item)).collect::<Vec<_>>());
            }
            Err(error) if collection.records.len() == 1 => return Err(Failure::Because(error.to_string())),
            Err(error) => {
                whole = false;
                tell(&error.to_string());
            }
        }
    }
    let answers = |(analysed, _, item): &&(Arc<Analysed>, usize, usize)| {
        analysed.responses.get(*item).is_some_and(|reviewed| !reviewed.response.is_question() && !reviewed.response.partial)
    };
    let chosen: Vec<_> = if export.response.is_some() { found.iter().collect() } else { found.iter().filter(answers).collect() };
    match chosen.as_slice() {
        [(analysed, _, item)] => Ok((Arc::clone(analysed), *item, whole)),
        [] => Err(Failure::Because(export.response.as_ref().map_or_else(
            || "no response in the input".to_owned(),
            |which| format!("no response {which:?}; leave --response out to see what there is"),
        ))),
        several => {
            tell(&format!("this target needs one response, and there are {}; choose with --response:", several.len()));
            for (analysed, record, item) in several.iter().take(20) {
                let text = analysed.responses.get(*item).map_or("", |reviewed| reviewed.response.text());
                let text: String = one_line(text).trim().chars().take(60).collect();
                tell(&format!("  --response {}.{}  {text}", record + 1, item + 1));
            }
            if several.len() > 20 {
                tell(&format!("  … and {} more", several.len() - 20));
            }
            Err(Failure::Told)
        }
    }
}
