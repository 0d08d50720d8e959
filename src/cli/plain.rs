//! The plain view: what `citescope FILE` prints where there is no terminal to draw on.

use std::io::Write;

use super::{Failure, tell};
use crate::export::markdown::{self, DateStyle};
use crate::export::numbering::Scheme;
use crate::pipeline::{Analysed, Collection};
use crate::text::{one_line, sanitize};
use crate::tui::view::fit_sentence;

/// Prints every response with its citations; true if a record could not be read.
pub(super) fn run(collection: &Collection, out: &mut impl Write) -> Result<bool, Failure> {
    let mut bad = false;
    for index in 0..collection.records.len() {
        match collection.analyse(index) {
            Ok(analysed) => {
                for item in 0..analysed.responses.len() {
                    response(&analysed, item, out)?;
                }
            }
            Err(error) => {
                bad = true;
                tell(&error.to_string());
            }
        }
    }
    Ok(bad)
}

fn response(analysed: &Analysed, item: usize, out: &mut impl Write) -> Result<(), Failure> {
    let Some(reviewed) = analysed.responses.get(item) else { return Ok(()) };
    let response = &reviewed.response;
    let (sign, _, fit) = fit_sentence(reviewed);
    let model = response.model.as_deref().or(response.about.author.as_deref()).map(|model| format!(" · {model}")).unwrap_or_default();
    writeln!(out, "== {} · {}{} · {sign} {fit}\n", one_line(&analysed.input.name), response.format, one_line(&model))?;
    if response.answer.is_some() {
        writeln!(out, "{}", sanitize(&markdown::footnotes_as(reviewed, DateStyle::Iso, Scheme::Provider, true).text))?;
    } else {
        for (number, support) in response.supports.iter().enumerate() {
            let quote = support.segment.as_ref().and_then(|segment| segment.quote.as_deref()).unwrap_or("(no quote)");
            writeln!(out, "{}. {}", number + 1, one_line(quote))?;
        }
        writeln!(out)?;
    }
    for query in &response.queries {
        writeln!(out, "searched: {}", one_line(&query.text))?;
    }
    for finding in analysed.findings(item) {
        writeln!(out, "{} {}: {}", finding.rule.severity.word(), finding.rule.id, one_line(&finding.message))?;
    }
    writeln!(out)?;
    Ok(())
}
