//! `citescope export`: the same text that the copy menu gives.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Common, Date, Export, Number, When};
use super::bounded;
use super::each_line;
use super::failure::{Failure, Listened, Many, tell};
use super::inputs::{Given, open, read_text, refuse_unrecognised, report_failures, supplied};
use super::progress::Progress;
use super::written::Written;
use crate::export::label::DateStyle;
use crate::export::numbering::Scheme;
use crate::export::{
    Colours, ExportOptions, ExportPart, ExportTarget, Exported, Make, OwnMarks, Parts, PerCitation,
    ReviewStream, TARGETS, affordable, json, template,
};
use crate::format::Limits;
use crate::json::write;
use crate::model::Response;
use crate::review::{Review, find_extras};
use crate::session::{RecordError, Session};
use crate::text::one_line;

pub(super) fn run(export: &Export, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if export.each_line {
        return each_line(export, common, out);
    }
    if let Some(template) = &export.template
        && let Some(done) = bounded::watched(&template.display().to_string())
    {
        return done;
    }
    let session = open(&export.files, common)?;
    let mut failed = report_failures(&session);
    if session.is_empty() {
        return Err(Failure::Told);
    }
    refuse_unrecognised(&session)?;
    let options = options(export, common);
    failed |= match export.to.map(|target| (target, target.make)) {
        None => templated(export, &options, &session, out)?,
        Some((target, Make::One(_) | Make::Page(_))) => one(export, target, &options, &session, out)?,
        Some((target, Make::All(write))) => {
            if target.parts == Parts::None && options.part != ExportPart::Whole {
                let why = "--support and --source go with text, links and csv; JSON holds the whole response";
                return Err(Failure::Because(why.to_owned()));
            }
            all(export, &session, options.part, |reviews| write(reviews, &options, out))?
        }
    };
    failed |= Given::of(session.supplied()).report_unused(common);
    Ok(if failed { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// The responses of each line in the neutral form.
fn each_line(export: &Export, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if export.to.is_none_or(|target| target.id != "jsonl") {
        return Err(Failure::Because("--each-line goes with --to jsonl".to_owned()));
    }
    let respond = |review: &Review, line: &mut Written| {
        write::compact(line, &json::Form::of(review))?;
        Ok(false)
    };
    let supplied = supplied(common, &export.files)?;
    let given = Given::of(&supplied);
    let job = each_line::Job { files: &export.files, schema: json::SCHEMA, supplied, respond };
    let outcome = each_line::run(&job, &mut Listened::to(out))?;
    let is_unused = given.report_unused(common);
    Ok(ExitCode::from(if outcome.unread > 0 || is_unused { 2 } else { 0 }))
}

/// All responses that are asked for, each written as it is decoded. True if a record could not be read.
fn all(
    export: &Export,
    session: &Session,
    part: ExportPart,
    write: impl FnOnce(&mut ReviewStream<'_>) -> std::io::Result<()>,
) -> Result<bool, Failure> {
    let mut bad = Many::default();
    let mut progress = Progress::over(&export.files);
    let responses = chosen(export, session, |size, unread| {
        if let Some(unread) = unread {
            progress.beside(|| bad.tell(&unread.why()));
        }
        progress.add(1, size);
    });
    let mut responses = responses.map(|(_, review)| review).peekable();
    // What holds many may hold none.
    if let Some(which) = export.response.as_ref().filter(|_| responses.peek().is_none()) {
        tell(&no_response(which));
    }
    let mut lacking = None;
    let mut held = false;
    write(&mut responses.inspect(|review| match lacks(part, review) {
        None => held = true,
        lack => lacking = lack,
    }))
    .map_err(Failure::from)?;
    drop(progress);
    bad.end("record", "could not be read");
    match lacking.filter(|_| !held) {
        Some(lacking) => Err(Failure::Because(lacking)),
        None => Ok(bad.count() > 0),
    }
}

/// Why a response does not have the part that is asked for; nothing where it does.
fn lacks(part: ExportPart, review: &Review) -> Option<String> {
    let (number, count) = match part {
        ExportPart::Whole => return None,
        ExportPart::Support(support) => (support, review.response.supports.len()),
        ExportPart::Span(span) => (span, review.spans.len()),
        ExportPart::Source(source) => (source, review.response.sources.len()),
    };
    let what = word(part);
    (number >= count).then(|| format!("there is no such {what}; the response has {count}, counted from 1"))
}

/// What a part is called, as its option is.
fn word(part: ExportPart) -> &'static str {
    match part {
        ExportPart::Whole => "response",
        ExportPart::Support(_) => "support",
        ExportPart::Span(_) => "span",
        ExportPart::Source(_) => "source",
    }
}

fn no_response(which: &str) -> String {
    format!("no response {which:?}; leave --response out to see what there is")
}

fn options(export: &Export, common: &Common) -> ExportOptions {
    let index = |number: usize| number.wrapping_sub(1);
    ExportOptions {
        number: export.number.map(|number| match number {
            Number::Provider => Scheme::Provider,
            Number::Compact => Scheme::Compact,
        }),
        dates: export.date.map(|date| match date {
            Date::Iso => DateStyle::Iso,
            Date::Brand => DateStyle::Brand,
        }),
        tools: export.tools,
        prefix: export.prefix.clone(),
        own_marks: if export.keep_marks { OwnMarks::Kept } else { OwnMarks::Replaced },
        mapping: export.mapping,
        part: match (export.support, export.source) {
            (Some(support), _) => ExportPart::Support(index(support)),
            (_, Some(source)) => ExportPart::Source(index(source)),
            _ => ExportPart::Whole,
        },
        colours: if common.color == When::Never { Colours::None } else { Colours::Usual },
    }
}

/// One response, or the part of it that is asked for. True if a record could not be read.
fn one(
    export: &Export,
    target: &ExportTarget,
    options: &ExportOptions,
    session: &Session,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let (review, whole) = the_one(export, session)?;
    if let Some(lacking) = lacks(options.part, &review) {
        return Err(Failure::Because(lacking));
    }
    if !target.gives_part(options.part) {
        let (what, which) = (word(options.part), which_give(options.part));
        return Err(Failure::Because(format!("--{what} goes with --to {which}")));
    }
    // Of a part of the answer not all of it is parsed.
    if session.supplied().limits == Limits::Usual
        && target.parses_answer()
        && options.part == ExportPart::Whole
    {
        refuse_dense(&review, target.per_citation())?;
    }
    match target.make {
        Make::Page(write) => write(&review, options, out)?,
        Make::One(_) | Make::All(_) => print(&target.text(&review, options), out)?,
    }
    Ok(!whole)
}

fn refuse_dense(review: &Review, added: PerCitation) -> Result<(), Failure> {
    affordable(review, added).map_err(|why| Failure::Because(format!("{}: {why}", review.file())))
}

/// The targets that can give a part: `sources, links or csv`.
fn which_give(part: ExportPart) -> String {
    let ids: Vec<&str> =
        TARGETS.iter().filter(|target| target.gives_part(part)).map(|target| target.id).collect();
    match ids.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => ids.concat(),
    }
}

/// The text to standard output, what had to be left out of it to standard error.
fn print(exported: &Exported, out: &mut impl Write) -> Result<(), Failure> {
    let mut notes = Many::default();
    exported.notes.iter().for_each(|note| notes.tell(note));
    notes.end("note", "like these");
    Ok(out.write_all(exported.text.as_bytes())?)
}

/// Responses that are named where one has to be chosen.
const NAMED: usize = 20;

/// Bytes of a template, at most.
const MOST_TEMPLATE: u64 = 16 << 20;

/// One response through the user's template.
fn templated(
    export: &Export,
    options: &ExportOptions,
    session: &Session,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let Some(path) = &export.template else {
        return Err(Failure::Because("--to or --template says what to print".to_owned()));
    };
    let name = path.display().to_string();
    let source = read_text(path, MOST_TEMPLATE)
        .map_err(|error| Failure::Because(format!("{name}: the template cannot be read: {error}")))?;
    let (review, whole) = the_one(export, session)?;
    if session.supplied().limits == Limits::Usual {
        refuse_dense(&review, PerCitation::Mark)?;
    }
    bounded::limit();
    let exported = template::render(&name, &source, &review, options.clone())
        .map_err(|error| Failure::Because(error.to_string()))?;
    print(&exported, out)?;
    Ok(!whole)
}

/// What of a record could not be read.
enum Unread<'e> {
    /// All of it.
    Record(&'e RecordError),
    /// A line of a stream, and why.
    Line(String),
}

impl Unread<'_> {
    fn why(self) -> String {
        match self {
            Self::Record(error) => error.to_string(),
            Self::Line(why) => why,
        }
    }
}

/// The responses that are asked for, each with the number of its record. Of each record its bytes are told,
/// and what of it cannot be read where that is so.
fn chosen<'s>(
    export: &'s Export,
    session: &'s Session,
    mut told: impl FnMut(usize, Option<Unread<'_>>) + 's,
) -> impl Iterator<Item = (usize, Arc<Review>)> + 's {
    let decoded = (0..session.len()).filter_map(move |record| {
        // Nothing keeps the responses but what they are written from, one by one.
        let decoded = session.decode_anew(record);
        let unread = match &decoded {
            Ok(reviews) => reviews.first().and_then(|review| review.frame_passed_over()).map(Unread::Line),
            Err(error) => Some(Unread::Record(error)),
        };
        told(session.size(record) as usize, unread);
        Some((record, decoded.ok()?))
    });
    let is_document = export.to.is_some_and(ExportTarget::is_document);
    decoded.flat_map(move |(record, reviews)| {
        let wanted = reviews.iter().filter(|review| wanted(export.response.as_deref(), record, review));
        let wanted: Vec<_> = wanted.map(|review| (record, Arc::clone(review))).collect();
        if is_document && !wanted.is_empty() {
            find_extras(&reviews);
        }
        wanted
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

/// Responses that a target may have: of a long log the first ones are named, and only one alone is kept.
#[derive(Default)]
struct Named {
    only: Option<Arc<Review>>,
    names: Vec<String>,
    count: usize,
}

impl Named {
    fn push(&mut self, (record, review): (usize, Arc<Review>)) {
        if self.names.len() < NAMED {
            let text: String = one_line(review.text()).trim().chars().take(60).collect();
            self.names.push(format!("{}.{}  {text}", record + 1, review.item + 1));
        }
        self.count += 1;
        self.only = Some(review).filter(|_| self.count == 1);
    }
}

/// The single response that a text target needs, and whether all records could be read; questions of users
/// do not count, nor do partial pieces of a turn where there is an answer.
fn the_one(export: &Export, session: &Session) -> Result<(Arc<Review>, bool), Failure> {
    let (mut bad, mut only) = (Many::default(), None);
    let mut progress = Progress::over(&export.files);
    let responses = chosen(export, session, |size, unread| {
        progress.add(1, size);
        match unread {
            Some(Unread::Record(error)) if session.len() == 1 => only = Some(error.to_string()),
            Some(unread) => progress.beside(|| bad.tell(&unread.why())),
            None => {}
        }
    });
    let answers = |response: &Response| !response.is_question() && !response.partial;
    let (mut found, mut pieces) = (Named::default(), Named::default());
    for response in responses {
        match &response.1.response {
            _ if export.response.is_some() || answers(&response.1.response) => found.push(response),
            piece if piece.partial => pieces.push(response),
            _ => {}
        }
    }
    drop(progress);
    // A turn that breaks off has nothing else.
    let found = if found.count == 0 { pieces } else { found };
    if let Some(only) = only {
        return Err(Failure::Because(only));
    }
    bad.end("record", "could not be read");
    if let Some(review) = found.only {
        return Ok((review, bad.count() == 0));
    }
    if found.count == 0 {
        return Err(Failure::Because(
            export.response.as_deref().map_or_else(|| "no response in the input".to_owned(), no_response),
        ));
    }
    tell(&format!("this target needs one response, and there are {}; choose with --response:", found.count));
    found.names.iter().for_each(|name| tell(&format!("  --response {name}")));
    if found.count > found.names.len() {
        tell(&format!("  … and {} more", found.count - found.names.len()));
    }
    Err(Failure::Told)
}
