//! `--explain RECORD[.ITEM]:SUPPORT`: everything that the comparison of one support rests on, to be checked
//! by hand.

use std::collections::HashSet;
use std::fmt::{Display, Write};
use std::str::FromStr;

use crate::evidence::{
    Backing, CLAIM_WEIGHT, ChunkId, Covered, ExplainedToken, Explanation, FOUND, MARGIN, OTHER_COVER,
    Outcome, PARTLY, Reason, TokenKind, WHOLE_SHARE, Window, tokens,
};
use crate::review::comparison::{Comparison, evidence_title};
use crate::review::{Review, SourceRef, SupportRef};
use crate::session::Session;
use crate::text::{one_line, without_commands};

/// A support of a response of a record, each from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Which {
    /// Record of the collection.
    pub record: usize,
    /// Response of the record, where it was named.
    pub item: Option<usize>,
    /// Support of the response.
    pub support: usize,
}

impl FromStr for Which {
    type Err = String;

    /// Reads `SUPPORT` of the first record, `RECORD:SUPPORT` or `RECORD.ITEM:SUPPORT`, each from 1 as in
    /// lists and on the screen.
    fn from_str(word: &str) -> Result<Self, String> {
        let number =
            |digits: &str| digits.parse::<usize>().ok().filter(|_| !digits.starts_with('+'))?.checked_sub(1);
        let read = || {
            let (place, support) = word.split_once(':').unwrap_or(("1", word));
            let (record, item) = match place.split_once('.') {
                Some((record, item)) => (record, Some(number(item)?)),
                None => (place, None),
            };
            Some(Self { record: number(record)?, item, support: number(support)? })
        };
        read().ok_or_else(|| {
            format!(
                "{word:?} names no support; write SUPPORT, RECORD:SUPPORT or RECORD.ITEM:SUPPORT, each \
                from 1, as in 1:3"
            )
        })
    }
}

impl Which {
    /// Explains the support; without an item it belongs to the only response of the record that has supports.
    pub fn explain(self, session: &Session) -> Result<String, String> {
        let count = session.len();
        if self.record >= count {
            return Err(format!("there is no record {}; the input has {count}", self.record + 1));
        }
        let reviews = session.decode(self.record).map_err(|error| error.to_string())?;
        let supports = |item: usize| reviews.get(item).map_or(0, |review| review.response.supports.len());
        let cited: Vec<usize> = (0..reviews.len()).filter(|&item| supports(item) > 0).collect();
        let item = match (self.item, cited.as_slice()) {
            (Some(item), _) if item < reviews.len() => item,
            (Some(item), _) => {
                return Err(format!("record {} has no response {}", self.record + 1, item + 1));
            }
            (None, [item]) => *item,
            (None, []) => return Err(format!("record {} has no supports", self.record + 1)),
            (None, several) => {
                let words: Vec<String> =
                    several.iter().map(|item| format!("{}.{}", self.record + 1, item + 1)).collect();
                return Err(format!(
                    "record {} has several responses with supports; name one: {}",
                    self.record + 1,
                    words.join(", ")
                ));
            }
        };
        match supports(item) {
            0 => Err(format!("response {}.{} has no supports", self.record + 1, item + 1)),
            count if self.support >= count => {
                Err(format!("there is no support {}; the response has {count}", self.support + 1))
            }
            _ => Ok(reviews.get(item).map(|review| explain(review, self.support)).unwrap_or_default()),
        }
    }
}

/// What the comparison of a support rests on: tokens with weights and where they were found, windows,
/// figures, thresholds, and the reason of the outcome. Lines of text, harmless to terminals; places count
/// from 1, bytes from 0.
pub fn explain(review: &Review, support: usize) -> String {
    let comparison = review.comparison();
    let mut out = Page::default();
    let place = review.support(support).and_then(SupportRef::range);
    let place = place.map_or_else(
        || "no place in the answer".to_owned(),
        |range| format!("bytes {}–{}", range.start, range.end),
    );
    out.line(format_args!("support {} of {}, {place}", support + 1, review.response.supports.len()));
    let (claim, made) = match comparison.explain(review, support) {
        Ok(compared) => compared,
        Err(why) => {
            out.line(format_args!("not compared: {why}"));
            return out.0;
        }
    };
    out.line(format_args!("“{}”", one_line(claim)));
    out.line(format_args!("outcome: {}, {}", made.verdict.outcome.word(), reason(&made)));
    out.blank();
    chunks(&mut out, review, support, &made);
    if !made.verdict.fits.is_empty() {
        figures(&mut out, review, &made);
    }
    words(&mut out, review, comparison, &made);
    out.line("thresholds");
    for (name, value) in made.thresholds {
        out.line(format_args!("  {name:<26}{value}"));
    }
    out.0
}

/// Lines of text.
#[derive(Default)]
struct Page(String);

impl Page {
    fn line(&mut self, line: impl Display) {
        // Writing to memory does not fail.
        let _ = writeln!(self.0, "{}", without_commands(&line.to_string()));
    }

    fn blank(&mut self) {
        self.0.push('\n');
    }
}

/// The first condition that applied.
fn reason(made: &Explanation) -> String {
    let verdict = &made.verdict;
    let cover = verdict.cover.unwrap_or_default();
    match verdict.outcome {
        Outcome::Unchecked(Reason::ShortClaim) => {
            format!(
                "{}: its words weigh {:.2}, less than {CLAIM_WEIGHT}",
                Reason::ShortClaim.text(),
                made.weight
            )
        }
        Outcome::Unchecked(reason) => reason.text().to_owned(),
        Outcome::OtherChunk => {
            let other = verdict.best_other.map_or(0.0, |other| other.cover);
            let margin = verdict.margin.unwrap_or_default();
            format!(
                "a chunk that is not cited has {other:.4}, at least {OTHER_COVER:.2}, and leads by \
                 {margin:.4}, more than {MARGIN:.2}"
            )
        }
        Outcome::NumberMissing => format!("in none of the cited chunks: {}", shown(&verdict.missing_numbers)),
        Outcome::Found => format!("cover {cover:.4} is at least {FOUND:.2}"),
        Outcome::Partly => format!("cover {cover:.4} is at least {PARTLY:.2} and less than {FOUND:.2}"),
        Outcome::Little => format!("cover {cover:.4} is less than {PARTLY:.2}"),
    }
}

fn shown(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| one_line(word)).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// The cited chunks with their windows, then the best one that is not cited.
fn chunks(out: &mut Page, review: &Review, support: usize, made: &Explanation) {
    let comparison = review.comparison();
    let cited = review.support(support).map_or_else(Vec::new, |support| support.cited());
    if cited.is_empty() {
        out.line("it cites no source");
    }
    for (fit, windows) in made.verdict.fits.iter().zip(&made.windows) {
        out.line(format_args!("cited {} cover {:.4}", name(review, fit.window.chunk), fit.cover));
        for (number, shown) in windows.iter().enumerate() {
            out.line(window(review, if number == 0 { "best window" } else { "further one" }, shown));
        }
    }
    let read: HashSet<usize> = made
        .verdict
        .fits
        .iter()
        .filter_map(|fit| comparison.place(fit.window.chunk))
        .map(|place| place.0)
        .collect();
    for source in cited.iter().filter(|source| !read.contains(source)) {
        out.line(format_args!("cited [{}] has no text", source + 1));
    }
    let Backing { best_other, margin, .. } = &made.verdict;
    match (best_other, margin) {
        (Some(other), Some(margin)) => {
            out.line(format_args!(
                "best other {} cover {:.4}, margin {margin:+.4}",
                name(review, other.chunk),
                other.cover
            ));
        }
        _ => out.line("no chunk with text that is not cited, so no margin"),
    }
    out.blank();
}

/// `[3] Title, chunk 2`.
fn name(review: &Review, chunk: ChunkId) -> String {
    let (source, number) = review.comparison().place(chunk).unwrap_or_default();
    let name = review.source(source).map(SourceRef::sent).map_or("", |source| source.name());
    format!("[{}] {}, chunk {}:", source + 1, one_line(name), number + 1)
}

fn window(review: &Review, lead: &str, window: &Window) -> String {
    let text = review.comparison().text(&review.response, window.chunk);
    let text = text.get(window.start..window.end).unwrap_or_default();
    let (first, last) = (window.first + 1, window.first + window.sentences);
    let sentences =
        if first == last { format!("sentence {first}") } else { format!("sentences {first}–{last}") };
    let Window { start, end, share, .. } = window;
    format!("  {lead}: {sentences}, bytes {start}–{end}, share {share:.4}: “{}”", one_line(text))
}

/// How the cover comes about.
fn figures(out: &mut Page, review: &Review, made: &Explanation) {
    let Explanation { weight, in_window, in_chunk, verdict, .. } = made;
    if let Some(cover) = made.cover().filter(|_| verdict.cover.is_some()) {
        let joint = if verdict.fits.len() > 1 { ", the cited chunks taken together" } else { "" };
        out.line(format_args!(
            "cover {cover:.4} = {} × {in_window:.2} / {weight:.2} in the best windows + {WHOLE_SHARE} × \
             {in_chunk:.2} / {weight:.2} in the chunks{joint}",
            1.0 - WHOLE_SHARE
        ));
    }
    out.line(format_args!("numbers missing: {}", shown(&verdict.missing_numbers)));
    out.line(format_args!("names missing: {}", shown(&verdict.missing_names)));
    let titles = titles(review, &verdict.fits);
    if !titles.is_empty() {
        out.line(format_args!("words of titles, which count in every sentence: {}", shown(&titles)));
    }
    out.blank();
}

/// Tokens of the titles of the cited chunks, each once.
fn titles(review: &Review, fits: &[Covered]) -> Vec<String> {
    let sources =
        fits.iter().filter_map(|fit| review.comparison().place(fit.window.chunk)).map(|(source, _)| source);
    let titles = sources.filter_map(|source| review.source(source).map(SourceRef::sent)).map(evidence_title);
    let mut seen = HashSet::new();
    titles.flat_map(tokens).map(|token| token.text).filter(|token| seen.insert(token.clone())).collect()
}

/// Every token of the claim: weight, kind, and where it was found.
fn words(out: &mut Page, review: &Review, comparison: &Comparison, made: &Explanation) {
    let titles: HashSet<String> = titles(review, &made.verdict.fits).into_iter().collect();
    let chunks = comparison.len();
    out.line(format_args!(
        "tokens of the claim, weight {:.2}; found in the best windows, elsewhere in the cited chunks, or not \
         ({chunks} chunks in all)",
        made.weight
    ));
    for token in &made.tokens {
        let ExplainedToken { text, kind, weight, in_window, in_chunk } = token;
        let kind = match kind {
            TokenKind::Word => "word",
            TokenKind::Number => "number",
            TokenKind::Gram => "gram",
        };
        let found = match (in_window, in_chunk) {
            _ if made.verdict.fits.is_empty() => "not compared",
            (true, _) if titles.contains(text) => "window (title)",
            (true, _) => "window",
            (_, true) => "elsewhere",
            _ => "not found",
        };
        out.line(format_args!("  {weight:.4}  {kind:<7} {found:<15} {}", one_line(text)));
    }
    out.blank();
}
