//! Supports × citations as a table for spreadsheets: RFC 4180, a row each, a row also for a support that
//! cites nothing. Indices count from 0 as in JSON, offsets are UTF-8 bytes of the answer; `number` is what
//! people read.

use std::collections::HashMap;
use std::io::Write;

use super::label::{DateStyle, dated, name};
use super::numbering::Numbering;
use super::options::{ExportOptions, ExportPart, ReviewStream};
use crate::model::{Citation, Source, Target};
use crate::review::{Review, SourceRef, SupportRef};
use crate::text::{one_line, sanitize};

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
    pub fn response(&mut self, review: &Review, options: &ExportOptions) -> std::io::Result<()> {
        let numbers = Numbering::new(review, options.scheme(), true);
        let findings = findings(review);
        // What takes a look at all passages of a source is looked for once.
        let mut known: HashMap<usize, [String; 2]> = HashMap::new();
        for support in review.supports() {
            let index = support.index;
            if matches!(options.part, ExportPart::Support(only) if only != index) {
                continue;
            }
            let names = findings.get(index).map(|ids| ids.join(" ")).unwrap_or_default();
            let head = [
                one_line(review.file()).into_owned(),
                review.record().to_string(),
                review.item.to_string(),
                index.to_string(),
            ];
            let left = [head.as_slice(), &self::support(support)].concat();
            let right = [evidence(support).as_slice(), &[names]].concat();
            let cited = support.citations().enumerate().filter(|(_, (citation, _))| match options.part {
                ExportPart::Source(only) => citation.target.source() == Some(only),
                _ => true,
            });
            let row =
                |(number, (citation, source)): (usize, (&Citation, Option<SourceRef>))| -> [String; 12] {
                    let own = |source: SourceRef| {
                        let of = || [cut(&name(source.sent())), pages(source.sent())];
                        known.entry(source.index).or_insert_with(of).clone()
                    };
                    let known = source.map(own).unwrap_or_default();
                    self::citation(number, citation, source, known, (&numbers, options))
                };
            let mut rows = cited.map(row).peekable();
            let is_bare = rows.peek().is_none() && !matches!(options.part, ExportPart::Source(_));
            for row in rows.chain(is_bare.then(Default::default)) {
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

/// The table of several responses.
pub fn table(
    reviews: &mut ReviewStream<'_>,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut table = Table::new(out)?;
    for review in reviews {
        table.response(&review, options)?;
    }
    table.finish()
}

fn failed(error: csv::Error) -> std::io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    }
}

/// Text that no spreadsheet takes for a formula, and no terminal for a command; also not where a cell is
/// split anew, as a spreadsheet does that expects semicolons or tabs between cells. One that expects commas
/// knows the quotes around a cell, and addresses have commas of their own.
pub(super) fn safe(cell: &str) -> String {
    const SPLITS: [char; 3] = [';', '\t', '\n'];
    let text = sanitize(cell);
    let mut out = String::with_capacity(text.len());
    if cell.starts_with(['\t', '\r']) {
        out.push('\'');
    }
    let mut begun_by = None;
    for piece in text.split_inclusive(SPLITS) {
        let ended_by = piece.chars().next_back().filter(|c| SPLITS.contains(c));
        // Quotes in front are taken off where the cell is split.
        let bare = piece.strip_suffix(SPLITS).unwrap_or(piece).trim_start_matches('"');
        let quotes = piece.len() - piece.trim_start_matches('"').len();
        // Where the cell is not split there, what follows belongs to it: `+1`, a line end, `*f()`.
        let whole = ended_by.is_none() || ended_by == begun_by;
        let number = whole && bare.parse::<f64>().is_ok();
        begun_by = ended_by;
        if bare.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && !number {
            out.push_str(&format!("{}'{}", &piece[..quotes], &piece[quotes..]));
        } else {
            out.push_str(piece);
        }
    }
    out
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

/// Bytes of a cell that may be part of many: of supports that lie in one another each has all the words of
/// the next.
const CELL: usize = 4096;

/// Text of a cell, the end of a long one left out.
fn cut(text: &str) -> String {
    if text.len() <= CELL {
        return text.to_owned();
    }
    format!("{}…", text.get(..text.floor_char_boundary(CELL)).unwrap_or_default())
}

/// The pages of all chunks of a source.
fn pages(source: &Source) -> String {
    cut(&source.chunks.iter().filter_map(|chunk| chunk.page.as_deref()).collect::<Vec<_>>().join(" "))
}

fn support(support: SupportRef) -> [String; 5] {
    let range = support.range();
    [
        support.layer.word().to_owned(),
        range.as_ref().map(|range| range.start.to_string()).unwrap_or_default(),
        range.as_ref().map(|range| range.end.to_string()).unwrap_or_default(),
        cut(support.words().unwrap_or_default()),
        support.anchor().verdict.word().to_owned(),
    ]
}

fn citation(
    number: usize,
    citation: &Citation,
    source: Option<SourceRef>,
    [name, pages]: [String; 2],
    (numbers, options): (&Numbering, &ExportOptions),
) -> [String; 12] {
    let index = citation.target.source();
    let source = source.map(SourceRef::sent);
    let text = |field: fn(&Source) -> Option<String>| source.and_then(field).unwrap_or_default();
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
        name,
        text(|source| source.published.publisher.as_deref().map(cut)),
        source
            .and_then(|source| source.published.date.as_deref())
            .map(|date| dated(date, dates))
            .unwrap_or_default(),
        text(|source| source.uri.as_deref().map(cut)),
        pages,
        citation.score.map(|score| score.to_string()).unwrap_or_default(),
        citation.tool().unwrap_or_default().to_owned(),
    ]
}

fn evidence(support: SupportRef) -> [String; 2] {
    let Some(verdict) = support.evidence() else { return Default::default() };
    let cover = verdict.cover.map(|cover| format!("{cover:.4}")).unwrap_or_default();
    [verdict.outcome.word().to_owned(), cover]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_cell_is_cut_between_characters() {
        assert_eq!(cut(&"é".repeat(2048)), "é".repeat(2048));
        assert_eq!(cut(&format!("a{}", "é".repeat(2048))), format!("a{}…", "é".repeat(2047)));
    }

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
            ("+1\n*f(A2)", "'+1\n*f(A2)"),
            ("-1\t(f)", "'-1\t(f)"),
            ("+1;*f", "'+1;*f"),
            ("a\t+1;*f", "a\t'+1;*f"),
            ("a;=1+1", "a;'=1+1"),
            ("b\t=1+1", "b\t'=1+1"),
            ("a,@x\n-y;-1;- z", "a,@x\n'-y;-1;'- z"),
            ("https://a.example/?q=Paris,+FR", "https://a.example/?q=Paris,+FR"),
            ("a; =b", "a; =b"),
            ("a=b", "a=b"),
            ("\u{1b}[31m", "␛[31m"),
        ];
        for (cell, expected) in cases {
            assert_eq!(safe(cell), expected);
        }
    }
}
