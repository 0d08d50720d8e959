//! `citescope export`: the same text that the copy menu gives.

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Common, Date, Export, Number, To, When};
use super::{Failure, open, refuse_unrecognised, report_failures, tell};
use crate::export::label::DateStyle;
use crate::export::markdown::{Options, Part};
use crate::export::numbering::Scheme;
use crate::export::{self, Target, csv, json, template, write};
use crate::review::Review;
use crate::session::{RecordError, Session};
use crate::text::one_line;

pub(super) fn run(export: &Export, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let session = open(&export.files, common)?;
    let mut failed = report_failures(&session);
    if session.is_empty() {
        return Err(Failure::Told);
    }
    refuse_unrecognised(&session)?;
    match export.to {
        None => failed |= templated(export, common, &session, out)?,
        Some(To::Json | To::Jsonl) => failed |= machine(export, common, &session, out)?,
        Some(To::Csv) => failed |= table(export, &session, out)?,
        Some(To::Inline) => failed |= text(export, Target::Inline, &session, out)?,
        Some(To::Footnotes) => failed |= text(export, Target::Footnotes, &session, out)?,
        Some(To::Sources) => failed |= text(export, Target::Sources, &session, out)?,
        Some(To::Links) => failed |= text(export, Target::Links, &session, out)?,
        Some(To::Html) => failed |= text(export, Target::Html, &session, out)?,
        Some(To::Plain) => failed |= text(export, Target::Plain, &session, out)?,
        Some(To::Ansi) => {
            let target = if common.color == When::Never { Target::Plain } else { Target::Ansi };
            failed |= text(export, target, &session, out)?;
        }
    }
    super::source_texts::report_unused(session.supplied().source_texts.as_deref(), common);
    Ok(if failed { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// One document, or a response a line, each written as it is decoded. True if a record could not be read.
fn machine(export: &Export, common: &Common, session: &Session, out: &mut impl Write) -> Result<bool, Failure> {
    if export.support.is_some() || export.source.is_some() {
        return Err(Failure::Because("--support and --source go with text, links and csv; JSON holds the whole response".to_owned()));
    }
    let bad = Cell::new(0);
    let responses = chosen(export, session, |error| {
        bad.set(bad.get() + 1);
        if bad.get() <= ERRORS {
            tell(&error.to_string());
        }
    });
    let responses = responses.map(|(_, review)| review);
    if export.to == Some(To::Json) {
        write::write(&mut *out, &json::Document::new(responses, common.show_secrets), true)?;
    } else {
        for review in responses {
            write::write(&mut *out, &json::Form::of(&review, common.show_secrets).line(), false)?;
        }
    }
    if bad.get() > ERRORS {
        tell(&format!("… and {} more records that could not be read", bad.get() - ERRORS));
    }
    Ok(bad.get() > 0)
}

/// The table of supports and citations of all responses. True if a record could not be read.
fn table(export: &Export, session: &Session, out: &mut impl Write) -> Result<bool, Failure> {
    let options = options(export);
    let mut table = csv::Table::new(&mut *out)?;
    let mut bad = 0;
    let responses = chosen(export, session, |error| {
        bad += 1;
        if bad <= ERRORS {
            tell(&error.to_string());
        }
    });
    for (_, review) in responses {
        table.response(&review, &options)?;
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
fn text(export: &Export, target: Target, session: &Session, out: &mut impl Write) -> Result<bool, Failure> {
    let (review, whole) = the_one(export, session)?;
    let options = options(export);
    let (what, number, count) = match options.part {
        Part::Whole => ("", 0, 1),
        Part::Support(support) => ("support", support, review.response.supports.len()),
        Part::Source(source) => ("source", source, review.response.sources.len()),
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
    let exported = export::text(&review, target, &options);
    for note in &exported.notes {
        tell(note);
    }
    out.write_all(exported.text.as_bytes())?;
    Ok(!whole)
}

/// One response through the user's template.
fn templated(export: &Export, common: &Common, session: &Session, out: &mut impl Write) -> Result<bool, Failure> {
    let Some(path) = &export.template else { return Err(Failure::Because("--to or --template says what to print".to_owned())) };
    let name = path.display().to_string();
    let source = fs::read_to_string(path).map_err(|error| Failure::Because(format!("{name}: the template cannot be read: {error}")))?;
    let (review, whole) = the_one(export, session)?;
    let exported = template::render(&name, &source, &review, options(export), common.show_secrets)
        .map_err(|error| Failure::Because(error.to_string()))?;
    for note in &exported.notes {
        tell(note);
    }
    out.write_all(exported.text.as_bytes())?;
    Ok(!whole)
}

/// The responses that are asked for, each with the number of its record; what cannot be read goes to `failed`.
fn chosen<'s>(
    export: &'s Export,
    session: &'s Session,
    mut failed: impl FnMut(&RecordError) + 's,
) -> impl Iterator<Item = (usize, Arc<Review>)> + 's {
    let decoded = (0..session.len()).filter_map(move |record| {
        let reviews = session.decode(record).inspect_err(|error| failed(error)).ok()?;
        Some((record, reviews))
    });
    decoded.flat_map(|(record, reviews)| {
        let wanted = reviews.iter().filter(|review| wanted(export.response.as_deref(), record, review)).cloned();
        wanted.map(|review| (record, review)).collect::<Vec<_>>()
    })
}

/// Whether a response is the one asked for: `RECORD`, `RECORD.ITEM` (from 1), or its id.
fn wanted(which: Option<&str>, record: usize, review: &Review) -> bool {
    let Some(which) = which else { return true };
    let numbers: Vec<Option<usize>> = which.split('.').map(|number| number.parse().ok()).collect();
    match numbers.as_slice() {
        _ if review.response.id.as_deref() == Some(which) => true,
        [Some(wanted)] => *wanted == record + 1,
        [Some(wanted), Some(part)] => *wanted == record + 1 && *part == review.item + 1,
        _ => false,
    }
}

/// The single response that a text target needs, and whether all records could be read; questions of users and partial
/// pieces do not count.
fn the_one(export: &Export, session: &Session) -> Result<(Arc<Review>, bool), Failure> {
    let mut errors = Vec::new();
    let mut found: Vec<(usize, Arc<Review>)> = chosen(export, session, |error| errors.push(error.to_string())).collect();
    if let ([only], 1) = (errors.as_slice(), session.len()) {
        return Err(Failure::Because(only.clone()));
    }
    errors.iter().for_each(|error| tell(error));
    if export.response.is_none() {
        found.retain(|(_, review)| !review.response.is_question() && !review.response.partial);
    }
    match found.as_slice() {
        [(_, review)] => Ok((Arc::clone(review), errors.is_empty())),
        [] => Err(Failure::Because(export.response.as_ref().map_or_else(
            || "no response in the input".to_owned(),
            |which| format!("no response {which:?}; leave --response out to see what there is"),
        ))),
        several => {
            tell(&format!("this target needs one response, and there are {}; choose with --response:", several.len()));
            for (record, review) in several.iter().take(20) {
                let text: String = one_line(review.text()).trim().chars().take(60).collect();
                tell(&format!("  --response {}.{}  {text}", record + 1, review.item + 1));
            }
            if several.len() > 20 {
                tell(&format!("  … and {} more", several.len() - 20));
            }
            Err(Failure::Told)
        }
    }
}
