//! The claim before a mark: where a provider marks a place, the words that it backs are inferred. They lie in
//! the mark's line, behind the mark before it and behind where their sentence, list item or cell begins.

use std::ops::Range;

use super::labels::{joins, label};
use super::links::is_named_link;
use super::sentence::{is_closing, is_open, sentence, unclosed, wrapped};
use super::subjects::{begins_clause, clause, is_parted, is_subject};
use super::verdict::Anchor;
use crate::model::Support;
use crate::text::{BRACKETS, ends_sentence, goes_on_behind_stop, is_blank, line_lead, sentence_ends};

/// Bytes of a line that are looked at for the claim of one mark.
const WINDOW: usize = 4 * 1024;

/// Characters before the first cell of a row.
const INDENT_MOST: usize = 16;
/// From so many words on what stands between two links is said of the first.
const JOINING: usize = 3;

/// The mark before, and what it backs.
#[derive(Default)]
struct Before {
    end: usize,
    /// Where its line begins.
    line: usize,
    /// Its line lists sources by their names: `Sources: [1] Reuters, [2] BBC`.
    is_list: bool,
    claim: Option<Range<usize>>,
}

/// Makes what was placed of supports that name a mark that mark, and infers their claims.
/// `parts`: where parts of the answer begin, ascending.
pub(super) fn infer(answer: &str, parts: &[usize], supports: &[Support], anchors: &mut [Anchor]) {
    let parts: Vec<usize> = parts.iter().copied().filter(|at| begins_sentence(answer, *at)).collect();
    let mut marks: Vec<(Range<usize>, usize)> = Vec::new();
    for (number, (support, anchor)) in supports.iter().zip(anchors.iter_mut()).enumerate() {
        if support.is_inferred() && support.own.placed.is_none() {
            anchor.mark = anchor.range.take();
            marks.extend(anchor.mark.clone().map(|mark| (mark, number)));
        } else {
            anchor.mark.clone_from(&support.own.mark);
        }
    }
    marks.sort_unstable_by_key(|(mark, number)| (mark.start, mark.end, *number));
    let rows = rows(answer, &marks);
    let mut before = Before::default();
    let mut last: Option<Range<usize>> = None;
    for (index, (mark, number)) in marks.iter().enumerate() {
        let number = *number;
        if last.as_ref() != Some(mark) {
            let behind = marks.get(index + 1..).unwrap_or_default();
            let Some(row) = rows.get(index).copied() else { continue };
            let after = marks.get(row.next).map(|(after, _)| after);
            let place = Place { mark, row, after, behind, parts: &parts, follows: last.is_some() };
            before = claim(answer, &place, &before);
            last = Some(mark.clone());
        }
        let backs = supports.get(number).is_some_and(Support::backs_claim);
        if let Some(anchor) = anchors.get_mut(number).filter(|_| backs) {
            anchor.range.clone_from(&before.claim);
        }
    }
}

/// A mark among the others.
struct Place<'m> {
    mark: &'m Range<usize>,
    /// Its row, and the mark behind that.
    row: Row,
    after: Option<&'m Range<usize>>,
    /// The marks behind it.
    behind: &'m [(Range<usize>, usize)],
    /// Where parts begin with a sentence.
    parts: &'m [usize],
    /// Whether one is before it.
    follows: bool,
}

impl Place<'_> {
    /// Where the last part begins within a stretch: a point between two parts backs the one before.
    fn part(&self, from: usize, at: usize) -> Option<usize> {
        let last = self.parts.partition_point(|part| *part < at).checked_sub(1)?;
        self.parts.get(last).copied().filter(|part| from < *part)
    }

    /// Where the next mark begins.
    fn next(&self, answer: &str) -> usize {
        let next = self.behind.iter().find(|(next, _)| next != self.mark);
        next.map_or(answer.len(), |(next, _)| next.start)
    }

    /// What is said of it, up to where a clause begins that is about the next one.
    fn said(&self, answer: &str, line: usize) -> Range<usize> {
        let row = self.row.end;
        let said = behind_mark(answer, line, row).unwrap_or_else(|| self.mark.clone());
        let within = self.after.filter(|next| said.start < next.start && next.start < said.end);
        let end = within.and_then(|next| clause(answer, said.start, next));
        said.start..end.filter(|end| *end > said.start).unwrap_or(said.end)
    }

    /// It with the emphasis that stands around it alone, or that is opened for its row: `*[1] and [2]*`.
    fn around(&self, answer: &str) -> Range<usize> {
        let own = wrapped(answer, self.mark);
        let is_opened = own == *self.mark
            && !own.is_empty()
            && answer.get(..own.start).is_some_and(|before| before.ends_with(['*', '_', '~']));
        let row = self.mark.start..if is_opened { self.row.end } else { self.mark.end };
        let begin = if is_opened { wrapped(answer, &row).start } else { own.start };
        begin..own.end
    }
}

/// Marks that stand in a row: where it ends, and the first mark behind it, by its number.
#[derive(Clone, Copy)]
struct Row {
    end: usize,
    next: usize,
}

/// The row that each mark stands in.
fn rows(answer: &str, marks: &[(Range<usize>, usize)]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::with_capacity(marks.len());
    while let Some((first, _)) = marks.get(rows.len()) {
        let (mut end, mut next) = (first.end, rows.len() + 1);
        while let Some((mark, _)) = marks.get(next) {
            let gap = answer.get(end..mark.start).unwrap_or_default();
            if end < mark.start && (gap.contains('\n') || !joins(gap) || is_parted(answer, end, mark)) {
                break;
            }
            end = end.max(mark.end);
            next += 1;
        }
        rows.resize(next, Row { end, next });
    }
    rows
}

/// A mark, its line and its claim.
fn claim(answer: &str, place: &Place, before: &Before) -> Before {
    let around = place.around(answer);
    let mark = &around;
    let from = before.end.min(mark.start);
    let at = point(answer, mark).max(from);
    let between = answer.get(from..at).unwrap_or_default();
    let newline = between.rfind('\n').map(|at| from + at + 1);
    // A part is a text of its own: nothing stands between its first sentence and the last one before.
    let begun = newline.max(place.part(from, at));
    let same_line = place.follows && begun.is_none();
    let line = begun.unwrap_or(before.line);
    let end = mark.end.max(before.end);
    let low = if same_line { from } else { line };
    let told = |claim| Before { end, line, is_list: false, claim };
    let goes_on = same_line && before.is_list;
    // Only of the first mark of a line: looking for it takes as long as the line is.
    let lead = answer.get(line..at).filter(|lead| !same_line && lead.len() <= LABEL_MOST);
    let lists = || lead.and_then(label).is_some_and(|label| is_emphasis(label.lead));
    if (goes_on || lists())
        && let Some(name) = listed(answer, place)
        && (goes_on || is_first_of_list(answer, name.end, place))
    {
        return Before { end, line, is_list: true, claim: Some(name) };
    }
    if is_named_link(answer, place.mark) {
        let row = before.claim.as_ref().filter(|_| same_line && joins(between)).map(|claim| claim.start);
        let lead = || row.or_else(|| Some(before_mark(answer, low, line, place.mark.start)?.start));
        // Several that a sentence begins with are what it is about.
        let of_row =
            before.claim.clone().filter(|claim| same_line && joins(between) && claim.end >= place.mark.end);
        let claim = of_row
            .or_else(|| about_name(answer, place.mark, line, place.next(answer)))
            .or_else(|| about_names(answer, place, low, line))
            .unwrap_or_else(|| lead().unwrap_or(place.mark.start)..place.mark.end);
        return told(Some(claim));
    }
    // A point stands behind what it backs, a mark may be what its sentence or its clause is about.
    let row = mark.start..place.row.end;
    let is_first = || is_subject(answer, row.start, row.end) || begins_clause(answer, low, &row);
    let is_second = || {
        let looks_ahead = before.claim.as_ref().is_some_and(|claim| claim.start >= before.end);
        (looks_ahead || is_parted(answer, from, place.mark)) && clause(answer, from, place.mark).is_some()
    };
    if !mark.is_empty() && is_first() || same_line && is_second() {
        return told(Some(place.said(answer, line)));
    }
    if same_line && joins(between) && !(between.contains('|') && is_row(answer, line)) {
        return told(before.claim.clone());
    }
    let is_labelled = || label(answer.get(low..at).unwrap_or_default()).is_some();
    let looks_ahead = !same_line && !mark.is_empty() && !is_labelled();
    let behind = || if looks_ahead { behind_mark(answer, line, place.row.end) } else { None };
    let claim = before_mark(answer, low, line, at)
        .or_else(behind)
        .or_else(|| cells_before(answer, low, line, at))
        .unwrap_or_else(|| place.mark.clone());
    told(Some(claim))
}

/// What a source is called in a list of them in one line, up to the next one: words of a sentence are none.
fn listed(answer: &str, place: &Place) -> Option<Range<usize>> {
    let upto = answer.floor_char_boundary(place.mark.end.saturating_add(NAME_MOST)).min(place.next(answer));
    let rest = answer.get(place.mark.end..upto)?.split('\n').next()?;
    let is_sign = |c: char| is_blank(c) || ",;|·.)，、；".contains(c);
    let name = rest.trim_matches(is_sign);
    let is_name = name.starts_with(char::is_alphanumeric)
        && sentence_ends(name).next().is_none_or(|end| end >= name.len());
    let start = place.mark.end + rest.len() - rest.trim_start_matches(is_sign).len();
    let ends = upto == place.next(answer) || rest.len() < upto - place.mark.end;
    (is_name && ends && !rest.starts_with(['.', ']', ')'])).then(|| start..start + name.len())
}

/// Whether a sign parts a name that ends at a byte from the next mark of a list.
fn is_first_of_list(answer: &str, end: usize, place: &Place) -> bool {
    let gap = answer.get(end..place.next(answer)).unwrap_or_default();
    gap.len() < INDENT_MOST && gap.contains([',', ';', '|', '，', '、', '；'])
}

/// Bytes of what a line begins with that lists sources.
const LABEL_MOST: usize = 64;
/// Bytes of what a source is called.
const NAME_MOST: usize = 160;

/// Bytes of what closes behind the last sentence of a part.
const CLOSING_MOST: usize = 32;

/// Whether a part that begins at a byte begins with a sentence: those of a stream may begin anywhere.
fn begins_sentence(answer: &str, part: usize) -> bool {
    let (before, behind) = answer.split_at_checked(part).unwrap_or_default();
    let near = before.get(before.ceil_char_boundary(before.len().saturating_sub(CLOSING_MOST))..);
    let near = near.unwrap_or_default();
    let closes = |c| is_blank(c) || is_closing(c) || matches!(c, '*' | '_' | '"');
    let own = near.trim_end_matches(closes);
    let words = behind.trim_start_matches(is_opening);
    let opens = |c: char| c.is_alphabetic() && !c.is_lowercase();
    let is_line = !behind.starts_with(is_blank) && line_lead(behind) > 0;
    if own.ends_with(ends_sentence) {
        let is_number = || own.trim_end_matches('.').ends_with(|c: char| c.is_ascii_digit());
        return words.starts_with(opens)
            || is_line
            || words.starts_with(['$', '€', '£', '¥', '¡', '¿', '`'])
            || words.starts_with(|c: char| c.is_ascii_digit()) && !is_number();
    }
    // Without a stop, as in headings, a letter right behind a word or a colon tells that begins one.
    let is_small = |c: char| c.is_alphabetic() && !c.is_uppercase();
    near.ends_with(|c| is_small(c) || matches!(c, ':' | '：')) && (words.starts_with(opens) || is_line)
}

/// What may stand before the first word of a sentence.
fn is_opening(c: char) -> bool {
    matches!(c, '*' | '_' | '"' | '\'' | '(' | '„' | '“' | '‘' | '«' | '»' | '‹' | '「' | '『')
}

/// Where the words before a mark end: of a point that begins its line those of the line before.
fn point(answer: &str, mark: &Range<usize>) -> usize {
    let before = answer.get(..mark.start).unwrap_or_default();
    let words = before.trim_end_matches(is_blank);
    let begins = mark.is_empty() && before.get(words.len()..).is_some_and(|gap| gap.contains('\n'));
    if begins { words.len() } else { mark.start }
}

/// What is said of a link that names something, up to the next mark.
fn about_name(answer: &str, mark: &Range<usize>, line: usize, next: usize) -> Option<Range<usize>> {
    let upto = answer.floor_char_boundary(mark.end.saturating_add(WINDOW)).min(next.max(mark.end));
    let rest = answer.get(mark.end..upto).unwrap_or_default().split('\n').next().unwrap_or_default();
    let rest = if is_row(answer, line) { rest.split('|').next().unwrap_or_default() } else { rest };
    let said = rest.get(..first_end(rest)).unwrap_or_default();
    let said = said.trim_end_matches(|c: char| is_blank(c) || ",;:".contains(c));
    // Between two marks a word or two join them.
    let joins = upto == next
        && next < answer.len()
        && said.split_whitespace().count() < JOINING
        && !said.ends_with(ends_sentence);
    (said.chars().any(char::is_alphanumeric) && !joins).then(|| mark.start..mark.end + said.len())
}

/// The same of links in a row with which a sentence begins.
fn about_names(answer: &str, place: &Place, low: usize, line: usize) -> Option<Range<usize>> {
    let before =
        answer.get(low..place.mark.start)?.trim_end_matches(|c: char| is_blank(c) || matches!(c, '*' | '_'));
    let row = place.mark.start..place.row.end;
    let opens = answer.get(line..place.mark.start).is_some_and(|lead| line_lead(lead) == lead.len());
    let begins = before.trim_end_matches(is_closing).ends_with(ends_sentence) || opens;
    let next = place.after.map_or(answer.len(), |next| next.start);
    if begins && row.end > place.mark.end { about_name(answer, &row, line, next) } else { None }
}

/// The words of a line between a byte and a mark.
fn before_mark(answer: &str, low: usize, line: usize, mark: usize) -> Option<Range<usize>> {
    let near = answer.ceil_char_boundary(mark.saturating_sub(WINDOW));
    let mut start = low.max(near);
    if start == line {
        start += line_lead(answer.get(line..mark)?);
    }
    let text = answer.get(start..mark)?;
    if is_row(answer, line) {
        start += text.rfind('|').map_or(0, |at| at + 1);
    }
    // Of the mark before.
    start += answer.get(start..mark)?.strip_prefix("</sup>").map_or(0, |_| "</sup>".len());
    // What was opened before is looked for in the line, without what that begins with.
    let begun = (line + line_lead(answer.get(line..mark)?)).max(near).min(start);
    let upto = |end: usize| answer.get(begun..end).unwrap_or_default();
    let end = start + unlabelled(answer.get(start..mark)?, upto(mark)).len();
    start += sentence(unclosed(answer.get(start..end)?, upto(end)));
    let text = answer.get(start..end).unwrap_or_default();
    let words =
        text.trim_start_matches(|c: char| is_blank(c) || ends_sentence(c) || ",;:)]）】，、；：".contains(c));
    // Emphasis that was closed behind the mark before.
    let closed = words.trim_start_matches(['*', '_']);
    let is_closed = |sign| is_open(upto(end - words.len()), sign) && words.len() < text.len();
    let words = if closed.starts_with(is_blank) || words.chars().next().is_some_and(is_closed) {
        closed.trim_start_matches(is_blank)
    } else {
        words
    };
    let start = end - words.len();
    let is_label = label(words).is_some_and(|label| is_emphasis(label.lead));
    (!is_emphasis(words) && !is_label).then(|| start..start + words.len())
}

/// Whether there is nothing but signs of emphasis and tags of elements.
fn is_emphasis(words: &str) -> bool {
    let mut rest = words;
    loop {
        rest = rest.trim_start_matches(|c: char| is_blank(c) || matches!(c, '*' | '_' | '~'));
        let near = rest.get(..rest.floor_char_boundary(TAG_MOST)).unwrap_or_default();
        let Some(end) = near.strip_prefix('<').and_then(|tag| tag.find('>')) else { return rest.is_empty() };
        rest = rest.get(end + 2..).unwrap_or_default();
    }
}

/// Bytes of a tag that is looked at.
const TAG_MOST: usize = 16;

/// A text without what it ends with that was opened for the mark: blanks, brackets, emphasis around these,
/// `<sup>`. `line`: what stands in its line up to there; `is_bracketed`: a bracket stands behind it.
fn unopened<'t>(text: &'t str, line: &str, is_bracketed: bool) -> &'t str {
    let is_bracket = |c: char| is_blank(c) || BRACKETS.iter().any(|(open, _)| *open == c);
    let words = text.trim_end_matches(is_bracket);
    let words = words.strip_suffix("<sup>").unwrap_or(words);
    let line = line.get(..line.len() - (text.len() - words.len())).unwrap_or_default();
    let words = words.trim_end_matches(is_bracket);
    let sign = words
        .chars()
        .next_back()
        .filter(|sign| matches!(sign, '*' | '_') && (is_bracketed || words.len() < text.len()));
    let bare = sign.map_or(words, |sign| words.trim_end_matches(sign));
    let opens = |sign| is_open(line, sign) && !bare.ends_with(char::is_alphanumeric);
    if sign.is_some_and(opens) { bare.trim_end_matches(is_bracket) } else { words }
}

/// A text without what was opened for the mark that it ends at, and what its source is called, where words
/// stand before that: `It is old (source: `.
fn unlabelled<'t>(text: &'t str, line: &str) -> &'t str {
    let own = unopened(text, line, false);
    let words = label(own).map(|label| {
        let bare = label.lead.trim_end_matches(['*', '_']);
        let lead = if bare.ends_with(is_blank) { bare } else { label.lead };
        let line = line.get(..line.len() - (text.len() - lead.len())).unwrap_or_default();
        unopened(lead, line, label.bracket.is_some())
    });
    words.filter(|words| !is_emphasis(words)).unwrap_or(own)
}

/// Whether a place is one of its own: in a line of a table, or behind what a line begins with and before
/// nothing.
pub fn is_own_place(answer: &str, at: usize) -> bool {
    let line = answer.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let before = answer.get(line..at).unwrap_or_default();
    let rest = answer.get(at..).unwrap_or_default().split('\n').next().unwrap_or_default();
    let is_item = !before.trim().is_empty() && line_lead(before) == before.len();
    is_row(answer, line) || is_item && rest.chars().all(is_blank)
}

/// The cells before one of marks alone, back to the mark before, where they have words:
/// `| Height | 41 m | [1] |`.
fn cells_before(answer: &str, low: usize, line: usize, at: usize) -> Option<Range<usize>> {
    let is_sign = |c: char| is_blank(c) || c == '|';
    let row = answer.get(low..at).filter(|_| is_row(answer, line) && at - low <= WINDOW)?;
    let cells = row.get(..row.rfind('|')?)?.trim_end_matches(is_sign);
    let words = cells.trim_start_matches(is_sign);
    let start = low + cells.len() - words.len();
    words.contains(char::is_alphabetic).then(|| start..start + words.len())
}

/// Whether the line that begins here is one of a table.
fn is_row(answer: &str, line: usize) -> bool {
    let mut signs = answer.get(line..).unwrap_or_default().chars().take(INDENT_MOST);
    signs.find(|c| !matches!(c, ' ' | '\t')) == Some('|')
}

/// The words behind a mark that opens its line, to the end of their sentence.
fn behind_mark(answer: &str, begun: usize, mark: usize) -> Option<Range<usize>> {
    let upto = answer.floor_char_boundary(mark.saturating_add(WINDOW).min(answer.len()));
    let rest = answer.get(mark..upto)?;
    let line = rest.get(..rest.find('\n').unwrap_or(rest.len()))?;
    // A cell of a table is a line of its own.
    let line = if is_row(answer, begun) { line.split('|').next().unwrap_or_default() } else { line };
    let closed = line.trim_start_matches(['*', '_']);
    let closed = closed.strip_prefix("</sup>").unwrap_or(closed);
    let behind = if closed.starts_with(is_blank) { closed } else { line };
    let words = behind.trim_start_matches(|c: char| is_blank(c) || ".,;:!?)]，、；：".contains(c));
    let start = mark + line.len() - words.len();
    let end = first_end(words).min(marked_end(words));
    let claim = words.get(..end)?.trim_end_matches(is_blank);
    (!is_emphasis(claim)).then(|| start..start + claim.len())
}

/// Where the first sentence of a text ends.
fn first_end(text: &str) -> usize {
    let ends = |end: &usize| {
        text.split_at_checked(*end).is_none_or(|(words, rest)| !goes_on_behind_stop(words, rest))
    };
    sentence_ends(text).find(ends).unwrap_or(text.len())
}

/// Where the first sentence of a text ends that has a mark right behind it: `It rose.[2]`.
fn marked_end(text: &str) -> usize {
    let brackets = text.match_indices('[').map(|(at, _)| at);
    let is_behind = |at: &usize| text.get(..*at).is_some_and(|before| before.ends_with(ends_sentence));
    brackets.into_iter().find(is_behind).unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
