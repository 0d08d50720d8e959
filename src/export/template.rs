//! A response in the user's own style: a template (Jinja syntax) over the neutral form of one response, with
//! the names of the JSON Schema. `marked(macro)` gives the answer with what the macro makes of each span,
//! `cited` the list of cited sources. A template reads no file and runs no longer than its fuel.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior, Value, context};

use super::html::escaped;
use super::json::Form;
use super::label::{self, DateStyle, address, dated, escape_lines};
use super::markdown;
use super::numbering::{Numbering, marked};
use super::options::{ExportOptions, Exported};
use crate::check::is_web;
use crate::model::{Source, Support};
use crate::review::{Review, SourceRef, SupportRef};
use crate::text::{host, one_line, sanitize};

/// Steps of the template engine: a second or two, and twenty times what 50,000 supports need.
const FUEL: u64 = 10_000_000;
/// Bytes that a template may write.
const LIMIT: usize = 1 << 28;
/// How often a template may ask for the answer with its marks.
const ANSWERS: usize = 100;
/// Nested calls of macros.
const DEPTH: usize = 100;

/// What is wrong with a template: its name, the line, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}:{line}: {what}")]
pub struct TemplateError {
    /// Name of the template.
    pub name: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub what: String,
}

/// A response through a template; `name` is told in errors.
pub fn render(
    name: &str,
    template: &str,
    review: &Arc<Review>,
    options: ExportOptions,
) -> Result<Exported, TemplateError> {
    let told = |error: Error| tell(name, template, &error);
    let form = Value::from(Serde(Form::of(review)));
    let view = Arc::new(View::new(Arc::clone(review), options, form.clone()));
    let mut environment = environment(&view);
    environment.add_template(name, template).map_err(told)?;
    let mut out = Limited(Vec::new());
    let template = environment.get_template(name).map_err(told)?;
    template.render_captured_to(form, &mut out).map_err(told)?;
    let text = String::from_utf8(out.0).unwrap_or_default();
    let notes = view.answers.lock().unwrap_or_else(PoisonError::into_inner).notes.clone();
    // Lines of the answer end as they were sent.
    let lines: Vec<_> = text.split("\r\n").map(sanitize).collect();
    Ok(Exported { text: lines.join("\r\n"), notes, edits: Vec::new() })
}

/// What the functions and filters of a template see.
struct View {
    review: Arc<Review>,
    options: ExportOptions,
    form: Value,
    numbers: Numbering,
    answers: Mutex<Answers>,
}

#[derive(Default)]
struct Answers {
    asked: usize,
    notes: Vec<String>,
}

fn environment<'source>(view: &Arc<View>) -> Environment<'source> {
    let mut out = Environment::new();
    out.set_auto_escape_callback(|_| AutoEscape::None);
    out.set_undefined_behavior(UndefinedBehavior::Strict);
    out.set_debug(true);
    out.set_fuel(Some(FUEL));
    out.set_recursion_limit(DEPTH);
    // A line that holds a block alone leaves no line.
    if let Ok(syntax) =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()
    {
        out.set_syntax(syntax);
    }
    // What was not sent is written as nothing.
    out.set_formatter(
        |out, state, value| {
            if value.is_none() { Ok(()) } else { minijinja::escape_formatter(out, state, value) }
        },
    );
    out.add_filter("md", |value: Value| on_text(&value, escape_lines));
    out.add_filter("html", |value: Value| on_text(&value, escaped));
    out.add_filter("csv", |value: Value| on_text(&value, csv));
    out.add_filter("one_line", |value: Value| on_text(&value, |text| one_line(text).trim().to_owned()));
    out.add_filter("domain", |value: Value| there(&value).map(|()| value.as_str().and_then(host)));
    out.add_filter("web", |value: Value| {
        there(&value).map(|()| value.as_str().filter(|uri| is_web(uri)).map(address))
    });
    let usual = view.options.dates.unwrap_or(DateStyle::Iso);
    out.add_filter("date", move |value: Value, style: Option<String>| date(&value, style.as_deref(), usual));
    let owner = Arc::clone(view);
    out.add_filter("label", move |source: Value| Ok::<_, Error>(label::label(owner.source(&source)?, usual)));
    let owner = Arc::clone(view);
    out.add_filter("link", move |source: Value| Ok::<_, Error>(label::link(owner.source(&source)?, usual)));
    out.add_filter("site", |source: Value| site(&source));
    out.add_global("cited", view.cited());
    out.add_global("prefix", markdown::prefix(view.review.text(), &view.options.prefix));
    let owner = Arc::clone(view);
    out.add_function("marked", move |state: &mut State, mark: Value, plain: Option<Value>| {
        owner.marked(state, &mark, plain.as_ref())
    });
    out
}

impl View {
    fn new(review: Arc<Review>, options: ExportOptions, form: Value) -> Self {
        let numbers = options.numbering(&review);
        Self { review, options, form, numbers, answers: Mutex::default() }
    }

    fn number(&self, source: usize) -> Option<usize> {
        self.numbers.number(source)
    }

    /// An element of a list of the form.
    fn element(&self, list: &str, index: usize) -> Value {
        self.form.get_attr(list).and_then(|list| list.get_item_by_index(index)).unwrap_or_default()
    }

    /// Number and source of what is cited, by number.
    fn cited(&self) -> Vec<Value> {
        let cited = |source: usize| self.review.source(source).is_some_and(SourceRef::is_cited);
        let entries = self.numbers.entries.iter().filter(|(_, source)| cited(*source));
        entries
            .map(|&(number, source)| context! { number => number, source => self.element("sources", source) })
            .collect()
    }

    /// The source of the model behind one of the form.
    fn source(&self, value: &Value) -> Result<&Source, Error> {
        let index = value.get_attr("index").ok().and_then(|index| index.as_usize());
        let source = index.filter(|_| value.get_attr("cited_by").is_ok_and(|by| !by.is_undefined()));
        source
            .and_then(|index| self.review.source(index).map(SourceRef::sent))
            .ok_or_else(|| invalid("`label` and `link` want a source: `cite.source`, or one of `sources`"))
    }

    /// The answer with what the macro makes of each span put at its end; the text between through `plain`, if
    /// given.
    fn marked(&self, state: &mut State, mark: &Value, plain: Option<&Value>) -> Result<String, Error> {
        {
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.asked += 1;
            if answers.asked > ANSWERS {
                return Err(invalid("`marked` was called too often: keep its result with `{% set … %}`"));
            }
        }
        let mut marks: HashMap<usize, usize> = HashMap::new();
        let mut texts = Vec::new();
        for (support, _) in marked(&self.review).filter(|(_, end)| end.is_some()) {
            let index = support.index;
            let cites = self.cites(index, support.sent());
            if !cites.is_empty() {
                let span = context! { cites => cites, support => self.element("supports", index) };
                let text = mark.call(state, &[span])?.to_string();
                if !text.is_empty() {
                    marks.insert(index, texts.len());
                    texts.push(text);
                }
            }
        }
        // NUL never passes through the filter of text: between two of them stands the number of a mark.
        let place = |support: SupportRef| {
            marks.get(&support.index).map_or_else(String::new, |number| format!("\0{number}\0"))
        };
        let (answer, notes) = markdown::custom(&self.review, &self.options, place);
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).notes = notes;
        let mut out = String::with_capacity(answer.len() + texts.iter().map(String::len).sum::<usize>());
        for (number, piece) in answer.split('\0').enumerate() {
            match (number % 2, plain) {
                (1, _) => out.push_str(
                    piece.parse().ok().and_then(|number: usize| texts.get(number)).map_or("", String::as_str),
                ),
                (_, None) => out.push_str(piece),
                (_, Some(plain)) => match plain.as_str() {
                    Some(filter) => {
                        out.push_str(&state.apply_filter(filter, &[Value::from(piece)])?.to_string());
                    }
                    None => out.push_str(&plain.call(state, &[Value::from(piece)])?.to_string()),
                },
            }
        }
        Ok(out)
    }

    /// What a support cites, each number once.
    fn cites(&self, index: usize, support: &Support) -> Vec<Value> {
        let citations = self.element("supports", index).get_attr("citations").unwrap_or_default();
        let mut seen = Vec::new();
        let cite = |(place, source): (usize, usize)| {
            let number = self.number(source).filter(|number| !seen.contains(number))?;
            seen.push(number);
            let citation = citations.get_item_by_index(place).unwrap_or_default();
            Some(
                context! { number => number, source => self.element("sources", source), citation => citation },
            )
        };
        let targets = support.citations.iter().map(|citation| citation.target.source()).enumerate();
        targets.filter_map(|(place, source)| Some((place, source?))).filter_map(cite).collect()
    }
}

fn invalid(what: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, what)
}

/// Text, or a number as text; what was not sent stays so.
fn on_text(value: &Value, change: impl Fn(&str) -> String) -> Result<Value, Error> {
    there(value)?;
    Ok(match value.as_str() {
        Some(text) => Value::from(change(text)),
        None if value.is_none() => Value::from(()),
        None => Value::from(change(&value.to_string())),
    })
}

/// A name that does not exist is an error, also before a filter.
fn there(value: &Value) -> Result<(), Error> {
    if value.is_undefined() { Err(ErrorKind::UndefinedError.into()) } else { Ok(()) }
}

/// A field of a CSV line (RFC 4180) that no spreadsheet takes for a formula.
fn csv(text: &str) -> String {
    let text = super::csv::safe(text);
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// Where a source stands: its domain as sent, the title of an opaque redirect, else the host of its address.
fn site(source: &Value) -> Option<String> {
    let field = |name: &str| source.get_attr(name).ok().and_then(|value| value.as_str().map(str::to_owned));
    let uri = field("uri");
    let hidden = uri.as_deref().is_some_and(crate::format::is_redirect);
    let title = field("title").filter(|_| hidden);
    field("domain").or(title).or_else(|| uri.as_deref().filter(|_| !hidden).and_then(host))
}

fn date(value: &Value, style: Option<&str>, usual: DateStyle) -> Result<Value, Error> {
    let style = match style {
        None => usual,
        Some("iso") => DateStyle::Iso,
        Some("brand") => DateStyle::Brand,
        Some(_) => {
            return Err(invalid(
                "the styles of `date` are \"iso\" (2026-05-28) and \"brand\" (May 28, 2026)",
            ));
        }
    };
    on_text(value, |iso| dated(iso, style))
}

/// Output up to a limit.
struct Limited(Vec<u8>);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LIMIT {
            return Err(io::Error::other("the template writes too much"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An error with its line, the words it is about, and what to do.
fn tell(name: &str, template: &str, error: &Error) -> TemplateError {
    let words =
        error.range().and_then(|range| template.get(range)).map(|words| one_line(words).trim().to_owned());
    let what = error.detail().map_or_else(|| error.kind().to_string(), ToOwned::to_owned);
    let tells = |words: &String| !words.is_empty() && words.len() < 80 && !what.contains(words);
    let near = words.filter(tells).map(|words| format!(" in `{words}`")).unwrap_or_default();
    let help = match error.kind() {
        ErrorKind::UndefinedError => {
            "; the names are those of `export --to json` (assets/citescope-1.schema.json)"
        }
        ErrorKind::UnknownFilter | ErrorKind::UnknownFunction | ErrorKind::UnknownTest => {
            "; `citescope export --help` lists what there is"
        }
        ErrorKind::WriteFailure => "; a template may write 256 MB",
        ErrorKind::OutOfFuel => "; does a loop repeat too often?",
        ErrorKind::TooManyArguments | ErrorKind::MissingArgument => {
            "; the macro given to `marked` takes one argument, the span"
        }
        ErrorKind::SyntaxError => "; blocks are {% … %}, values {{ … }}, comments {# … #}",
        _ => "",
    };
    TemplateError {
        name: name.to_owned(),
        line: error.line().unwrap_or(1),
        what: format!("{what}{near}{help}"),
    }
}
