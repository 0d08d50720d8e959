//! Supports × citations as a table for spreadsheets: RFC 4180, a row each, a row also for a support that cites nothing.
//! Indices count from 0 as in JSON, offsets are UTF-8 bytes of the answer; `number` is what people read.

use std::io::Write;

use super::label::{DateStyle, dated, name};
use super::markdown::{Options, Part};
use super::numbering::{Numbering, Scheme};
use crate::model::{Citation, Response, Source, Support, Target};
use crate::review::Review;
use crate::text::sanitize;

/// The columns.
pub const COLUMNS: [&str; 24] = [
    "file",
    "record",
    "item",
    "support",
    "origin",
    "start",
    "end",
    "text",
    "verdict",
    "citation",
    "target",
    "number",
    "source",
    "kind",
    "title",
    "publisher",
    "date",
    "address",
    "page",
    "score",
    "tool",
    "outcome",
    "cover",
    "findings",
];

/// A table being written.
pub struct Table<W: Write> {
    out: csv::Writer<W>,
}

impl<W: Write> Table<W> {
    /// Writes the header.
    pub fn new(out: W) -> std::io::Result<Self> {
        let mut out = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
        out.write_record(COLUMNS).map_err(failed)?;
        Ok(Self { out })
    }

    /// Writes the rows of a response.
    pub fn response(&mut self, review: &Review, options: &Options) -> std::io::Result<()> {
        let numbers = Numbering::new(review, options.number.unwrap_or(Scheme::Provider), true);
        let findings = findings(review);
        for (index, support) in review.response.supports.iter().enumerate() {
            if matches!(options.part, Part::Support(only) if only != index) {
                continue;
            }
            let names = findings.get(index).map(|ids| ids.join(" ")).unwrap_or_default();
            let head = [review.file().to_owned(), review.record().to_string(), review.item.to_string(), index.to_string()];
            let left = [head.as_slice(), &self::support(review, index, support)].concat();
            let right = [evidence(review, index).as_slice(), &[names]].concat();
            let cited = support.citations.iter().enumerate().filter(|(_, citation)| match options.part {
                Part::Source(only) => citation.target.source() == Some(only),
                _ => true,
            });
            let mut rows: Vec<[String; 12]> =
                cited.map(|(number, citation)| self::citation(&review.response, number, citation, &numbers, options)).collect();
            if rows.is_empty() && !matches!(options.part, Part::Source(_)) {
                rows.push(Default::default());
            }
            for row in rows {
                let cells = left.iter().chain(&row).chain(&right).map(|cell| safe(cell));
                self.out.write_record(cells).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Writes what is left.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// The table of one response.
pub fn response(review: &Review, options: &Options) -> String {
    let mut bytes = Vec::new();
    // Memory takes whatever is written.
    let _ = Table::new(&mut bytes).and_then(|mut table| table.response(review, options).and_then(|()| table.finish()));
    String::from_utf8(bytes).unwrap_or_default()
}

fn failed(error: csv::Error) -> std::io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    }
}

/// Text that no spreadsheet takes for a formula, and no terminal for a command.
pub(super) fn safe(cell: &str) -> String {
    let text = sanitize(cell);
    let number = text.parse::<f64>().is_ok();
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']) && !number;
    if formula { format!("'{text}") } else { text.into_owned() }
}

/// Rules whose findings touch each support.
fn findings(review: &Review) -> Vec<Vec<&'static str>> {
    let count = review.response.supports.len();
    let mut out: Vec<Vec<&'static str>> = vec![Vec::new(); count];
    for finding in review.findings() {
        for &support in &finding.supports {
            if let Some(ids) = out.get_mut(support).filter(|ids| ids.last() != Some(&finding.rule.id)) {
                ids.push(finding.rule.id);
            }
        }
    }
    out
}

fn support(review: &Review, index: usize, support: &Support) -> [String; 5] {
    let anchor = review.anchors.get(index);
    let range = anchor.and_then(|anchor| anchor.range.clone());
    let quote = support.segment.as_ref().and_then(|segment| segment.quote.as_deref());
    let words = range.clone().and_then(|range| review.response.text().get(range)).or(quote).unwrap_or_default();
    [
        support.layer.word().to_owned(),
        range.as_ref().map(|range| range.start.to_string()).unwrap_or_default(),
        range.as_ref().map(|range| range.end.to_string()).unwrap_or_default(),
        words.to_owned(),
        anchor.map_or("", |anchor| anchor.verdict.word()).to_owned(),
    ]
}

fn citation(response: &Response, number: usize, citation: &Citation, numbers: &Numbering, options: &Options) -> [String; 12] {
    let index = citation.target.source();
    let source = index.and_then(|index| response.sources.get(index));
    let text = |field: fn(&Source) -> Option<String>| source.and_then(field).unwrap_or_default();
    let page = source.map(|source| source.chunks.iter().filter_map(|chunk| chunk.page.as_deref()).collect::<Vec<_>>().join(" "));
    let dates = options.dates.unwrap_or(DateStyle::Iso);
    [
        number.to_string(),
        match &citation.target {
            Target::Source(_) => "source".to_owned(),
            Target::Tool(_) => "tool".to_owned(),
            Target::Dangling(sent) => format!("dangling {sent}"),
        },
        index.and_then(|index| numbers.number(index)).map(|number| number.to_string()).unwrap_or_default(),
        index.map(|index| index.to_string()).unwrap_or_default(),
        text(|source| Some(source.kind.word().to_owned())),
        text(|source| Some(name(source))),
        text(|source| source.publisher.clone()),
        source.and_then(|source| source.date.as_deref()).map(|date| dated(date, dates)).unwrap_or_default(),
        text(|source| source.uri.clone()),
        page.unwrap_or_default(),
        citation.score.map(|score| score.to_string()).unwrap_or_default(),
        citation.tool().unwrap_or_default().to_owned(),
    ]
}

fn evidence(review: &Review, index: usize) -> [String; 2] {
    let Some(judged) = review.judge(index) else { return Default::default() };
    let cover = judged.verdict.cover.map(|cover| format!("{cover:.4}")).unwrap_or_default();
    [judged.verdict.outcome.word().to_owned(), cover]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let cases = [
            ("=1+1", "'=1+1"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("@SUM(1)", "'@SUM(1)"),
            ("\tx", "'\tx"),
            ("\r=x", "'␍=x"),
            ("＝x", "'＝x"),
            ("-0.5", "-0.5"),
            ("a=b", "a=b"),
            ("\u{1b}[31m", "␛[31m"),
        ];
        for (cell, expected) in cases {
            assert_eq!(safe(cell), expected);
        }
    }
}
