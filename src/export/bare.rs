//! The answer without the marks that its provider set, which ours replace; and the marks that hold their own
//! place, in which ours are written.

use std::borrow::Cow;
use std::ops::Range;

use super::options::{ExportOptions, OwnMarks};
use crate::anchor::{
    Label, Verdict, is_of_clause, is_own_place, is_parted, is_subject, joins, label, wrapped,
};
use crate::model::AnchorKind;
use crate::review::{Review, SupportRef};
use crate::text::{BRACKETS, ends_sentence, merge_ranges};

/// The answer without the marks that its provider set, which ours replace.
pub(super) struct Bare<'r> {
    pub text: Cow<'r, str>,
    /// Bytes of the answer that are left out, in order, with the sum of those before.
    left_out: Vec<(Range<usize>, usize)>,
}

impl<'r> Bare<'r> {
    pub fn of(review: &'r Review, options: &ExportOptions) -> Self {
        let answer = review.text();
        let left_out = if options.own_marks == OwnMarks::Kept { Vec::new() } else { own_marks(review) };
        if left_out.is_empty() {
            return Self { text: Cow::Borrowed(answer), left_out: Vec::new() };
        }
        let mut text = String::with_capacity(answer.len());
        let mut from = 0;
        for range in &left_out {
            text.push_str(answer.get(from..range.start).unwrap_or_default());
            from = range.end;
        }
        text.push_str(answer.get(from..).unwrap_or_default());
        let mut sum = 0;
        let with_sum = |range: Range<usize>| {
            let before = sum;
            sum += range.len();
            (range, before)
        };
        Self { text: Cow::Owned(text), left_out: left_out.into_iter().map(with_sum).collect() }
    }

    /// Where a byte of the answer stands now.
    pub fn moved(&self, at: usize) -> usize {
        let before = self.left_out.partition_point(|(range, _)| range.start < at);
        let last = before.checked_sub(1).and_then(|last| self.left_out.get(last));
        last.map_or(at, |(range, shorter)| at - shorter - (range.end.min(at) - range.start))
    }
}

/// Bytes of the answer that its provider's marks take, which ours replace; in order, apart from each other.
pub(crate) fn own_marks(review: &Review) -> Vec<Range<usize>> {
    let answer = review.text();
    let replaced =
        |support: &SupportRef| support.backs_claim() && !names_words(*support) && !support.is_named_link();
    let (mut own, mut held) = (Vec::new(), Vec::new());
    for support in review.supports().filter(replaced) {
        let Some(mark) = support.anchor().mark.clone() else { continue };
        if holds_place(answer, support) {
            held.extend(Some(mark).filter(|mark| !mark.is_empty()));
        } else {
            own.push(with_blank(answer, unwrapped(answer, with_slot(answer, mark))));
        }
    }
    let groups = enclosed(answer, &joined(answer, own.into_iter().chain(held.iter().cloned()).collect()));
    held.sort_unstable_by_key(|mark| mark.start);
    let apart = groups.into_iter().flat_map(|group| {
        let inner = held.partition_point(|mark| mark.start < group.start);
        let inner = held.get(inner..).unwrap_or_default().iter().take_while(|mark| mark.start < group.end);
        let inner: Vec<&Range<usize>> = inner.collect();
        if inner.is_empty() {
            vec![with_brackets(answer, with_blank(answer, group))]
        } else {
            around(answer, &group, &inner)
        }
    });
    merge_ranges(apart.filter(|range| !range.is_empty()).collect())
}

/// Whether what was sent as a mark is words of the answer.
fn names_words(support: SupportRef) -> bool {
    let verdict = support.anchor().verdict;
    support.kind == AnchorKind::Marker && matches!(verdict, Verdict::AsSent | Verdict::Clamped)
}

/// What a range has beside the marks that stay in it; words between two of them stay, too.
fn around(answer: &str, group: &Range<usize>, held: &[&Range<usize>]) -> Vec<Range<usize>> {
    let mut from = group.start;
    let mut out = Vec::new();
    for (number, mark) in held.iter().enumerate() {
        let gap = from..mark.start.max(from);
        let has_words = |gap: &str| gap.contains(char::is_alphabetic);
        if number == 0 || !answer.get(gap.clone()).is_some_and(has_words) {
            out.push(gap);
        }
        from = mark.end.max(from);
    }
    out.push(from..group.end.max(from));
    out
}

/// A point with the blank without width that Nova reserves before it.
fn with_slot(answer: &str, mark: Range<usize>) -> Range<usize> {
    let before = answer.get(..mark.start).filter(|before| mark.is_empty() && before.ends_with('\u{200B}'));
    before.map_or(mark.clone(), |before| before.len() - '\u{200B}'.len_utf8()..mark.end)
}

/// Whether a mark stays where it is, and ours takes its place: it backs no words but itself, so that nothing
/// else holds its place, or it begins its line as what the claim is said of, and without it the line would
/// begin otherwise: `- [1]: It is old.`
pub(super) fn holds_place(answer: &str, support: SupportRef) -> bool {
    let is_own = support.is_inferred() && !support.is_named_link() && !names_words(support);
    let mark = support.anchor().mark.as_ref().filter(|_| is_own);
    mark.zip(support.range()).is_some_and(|(mark, claim)| {
        // A point is a cell or an item of its own, or belongs to what stands before it.
        let alone = claim == *mark && (!mark.is_empty() || is_own_place(answer, mark.start));
        // A cell of marks alone backs those before it.
        let is_cell =
            || answer.get(claim.end..mark.start).is_some_and(|gap| gap.contains('|') && !gap.contains('\n'));
        let is_told = || {
            is_label(answer, mark.end..claim.start)
                || is_subject(answer, mark.start, words_end(answer, claim.start))
                || is_of_clause(answer, mark)
        };
        alone || is_cell() || !mark.is_empty() && claim.start >= mark.end && is_told()
    })
}

/// Where what stands before a byte ends but for blanks.
fn words_end(answer: &str, at: usize) -> usize {
    answer.get(..at).map_or(at, |before| before.trim_end_matches(' ').len())
}

/// Whether signs follow the marks that begin a line, with which it would begin; `gap` is what stands before
/// the claim.
fn is_label(answer: &str, gap: Range<usize>) -> bool {
    let last = answer.get(gap.clone()).and_then(|marks| marks.rfind([')', ']']));
    let from = last.map_or(gap.start, |last| gap.start + last + 1);
    let rest = answer.get(from..).unwrap_or_default().trim_start_matches(['*', '_']);
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let begins = rest.get(digits..).unwrap_or_default().chars().next();
    let words = |c: char| c.is_alphanumeric() || "\"'“”‘’«»„([*_$€£¥".contains(c);
    match begins {
        Some(c) if digits > 0 => matches!(c, '.' | ')'),
        Some(c) => !words(c),
        None => false,
    }
}

/// A mark with the emphasis and the elements that hold nothing else.
fn unwrapped(answer: &str, mut mark: Range<usize>) -> Range<usize> {
    while !mark.is_empty() {
        let bare = wrapped(answer, &mark);
        let (before, behind) = (answer.get(..bare.start), answer.get(bare.end..));
        let is_raised = before.is_some_and(|before| before.ends_with("<sup>"))
            && behind.is_some_and(|behind| behind.starts_with("</sup>"));
        if !is_raised {
            return bare;
        }
        mark = bare.start - "<sup>".len()..bare.end + "</sup>".len();
    }
    mark
}

/// Marks with the brackets and the emphasis that hold nothing else.
fn with_brackets(answer: &str, mut marks: Range<usize>) -> Range<usize> {
    loop {
        let open = answer.get(..marks.start).and_then(|before| before.chars().next_back());
        let close = answer.get(marks.end..).and_then(|after| after.chars().next());
        marks = match (open, close) {
            (Some(open), Some(close)) if !marks.is_empty() && BRACKETS.contains(&(open, close)) => {
                let whole = marks.start - open.len_utf8()..marks.end + close.len_utf8();
                with_blank(answer, unwrapped(answer, whole))
            }
            _ => return marks,
        };
    }
}

/// Bytes before marks in which what their sources are called is looked for.
const LABEL_MOST: usize = 160;
/// Groups of marks that are of one bracket.
const ROW_MOST: usize = 64;

/// What opens for marks: a bracket, and what their sources are called.
fn opening(answer: &str, marks: usize) -> Option<Label<'_>> {
    let first = answer.ceil_char_boundary(marks.saturating_sub(LABEL_MOST));
    let text = answer.get(first..marks)?;
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    let label = label(text.get(line..)?)?;
    Some(Label { begin: first + line + label.begin, ..label }).filter(|label| !label.lead.trim().is_empty())
}

/// Groups of marks with the words that join those of one bracket, and with what their sources are called:
/// `(see [1] and [2])`, `Source: [1]` behind a sentence.
fn enclosed(answer: &str, groups: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::with_capacity(groups.len());
    let mut rest = groups;
    while let Some(first) = rest.first() {
        let label = if first.is_empty() { None } else { opening(answer, first.start) };
        let bracket = label.map_or_else(|| open_before(answer, first.start), |label| label.bracket);
        let (count, end) = row(answer, rest, bracket.is_some());
        let close = closed(answer, end, bracket, label.map_or("", |label| label.lead));
        let (count, end) = if close.is_some() { (count, end) } else { row(answer, rest, false) };
        out.push(match label.zip(close) {
            Some((label, close)) => unwrapped(answer, label.begin..close),
            None if count > 1 => unwrapped(answer, first.start..end),
            None => first.clone(),
        });
        rest = rest.get(count..).unwrap_or_default();
    }
    out
}

/// How many groups of marks belong to the first, with that, and where they end.
fn row(answer: &str, groups: &[Range<usize>], is_enclosed: bool) -> (usize, usize) {
    let (mut count, mut end) = (0, 0);
    for group in groups.iter().take(ROW_MOST) {
        if count > 0 && !are_joined(answer, end, group, is_enclosed) {
            break;
        }
        (count, end) = (count + 1, group.end);
    }
    (count, end)
}

/// The bracket that is opened right before a byte.
fn open_before(answer: &str, at: usize) -> Option<char> {
    let before = answer.get(..at)?.trim_end_matches(' ').chars().next_back()?;
    BRACKETS.iter().any(|(open, _)| *open == before).then_some(before)
}

/// Whether the next marks belong to those before them that end at a byte; outside of a bracket no sign that
/// the words may need goes with them, and in none what parts cells.
fn are_joined(answer: &str, end: usize, next: &Range<usize>, is_enclosed: bool) -> bool {
    let is_bracket = |c: char| BRACKETS.iter().any(|(open, close)| [*open, *close].contains(&c));
    let needed = |c: char| c == '|' || !is_enclosed && (".*_-–—+".contains(c) || is_bracket(c));
    let gap = answer.get(end..next.start).filter(|gap| gap.len() <= LABEL_MOST && !gap.contains('\n'));
    gap.is_some_and(|gap| !next.is_empty() && joins(gap) && !gap.contains(needed))
        && !is_parted(answer, end, next)
}

/// Where what was opened for marks ends that end at a byte: with their bracket; or, where a sentence ends
/// before it, with their own one or with the line.
fn closed(answer: &str, end: usize, bracket: Option<char>, lead: &str) -> Option<usize> {
    let rest = answer.get(end..)?;
    if let Some(open) = bracket {
        let words = rest.trim_start_matches(' ');
        let close = words.chars().next().filter(|close| BRACKETS.contains(&(open, *close)))?;
        return Some(end + rest.len() - words.len() + close.len_utf8());
    }
    let is_stop = |c: char| ends_sentence(c) && c != '\n';
    let words = rest.trim_start_matches(is_stop);
    let signs = words.trim_start_matches(['*', '_']);
    let is_whole = lead.trim_end_matches(['*', '_']).ends_with(is_stop);
    let behind = signs.trim_start_matches(' ');
    let is_end = behind.is_empty()
        || behind.starts_with(['\n', '|'])
        || words.len() < rest.len()
        || is_whole && signs.len() < words.len();
    is_end.then(|| if is_whole { end + rest.len() - words.len() } else { end })
}

/// Marks with what joins those of one claim: `[1] & [2]`.
fn joined(answer: &str, mut marks: Vec<Range<usize>>) -> Vec<Range<usize>> {
    marks.sort_unstable_by_key(|mark| (mark.start, mark.end));
    let mut out: Vec<Range<usize>> = Vec::with_capacity(marks.len());
    for mark in marks {
        let joins = |last: &Range<usize>| {
            let gap = answer.get(last.end..mark.start).unwrap_or("x");
            !last.is_empty()
                && !mark.is_empty()
                && gap.chars().all(|c| matches!(c, ' ' | ',' | ';' | '&'))
                && !is_parted(answer, last.end, &mark)
        };
        match out.last_mut().filter(|last| joins(last)) {
            Some(last) => last.end = last.end.max(mark.end),
            None => out.push(mark),
        }
    }
    out
}

/// A mark with the blank before it, where punctuation, a blank or the end follows.
fn with_blank(answer: &str, mark: Range<usize>) -> Range<usize> {
    let next = answer.get(mark.end..).and_then(|rest| rest.chars().next());
    let closing = |c| ".,;:!?)]*_~\"”’»…。，、；：！？）】」؟،؛।".contains(c);
    let closes = next.is_none_or(|c| c.is_whitespace() || closing(c));
    let blank = answer.get(..mark.start).is_some_and(|before| before.ends_with(' '));
    // A mark with a blank on either side before punctuation: neither is left.
    let stop = |c| ".,;!?。，、；！？؟،؛।".contains(c);
    let behind = answer.get(mark.end..).and_then(|rest| rest.strip_prefix(' '));
    let second = blank && behind.is_some_and(|rest| rest.starts_with(stop));
    mark.start - usize::from(blank && closes)..mark.end + usize::from(second)
}
