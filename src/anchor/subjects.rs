//! Marks that are what their sentence is about: `It is high. [2] says it is not.`

use std::ops::Range;

use super::labels::joins;
use super::leads;
use super::links::{is_hangul, is_particle_of_korean, script_goes_on};
use super::sentence::is_closing;
use super::verbs::{AUXILIARY, BETWEEN, CLAUSES, FOLLOWING, OTHERS, VERBS, VERBS_OF_ONE};
use crate::text::{ends_in_abbreviation, is_blank, is_own_stop, is_wide_stop, line_lead, sentence_ends};

/// Whether marks are what their sentence is about: at its beginning, before words that begin none.
/// `It is high. [2] says it is not.` `end`: where the last of them ends.
pub(crate) fn is_subject(answer: &str, mark: usize, end: usize) -> bool {
    let rest = behind(answer, end);
    let row = row(answer, mark, is_of_one(rest));
    if row.is_parted {
        return is_said(rest) || goes_on_in_script(rest);
    }
    let near = answer.ceil_char_boundary(row.begin.saturating_sub(leads::NEAR));
    let before = answer.get(near..row.begin).unwrap_or_default();
    let before = before.strip_suffix("<sup>").unwrap_or(before).trim_end_matches(['*', '_', '(']);
    // Marks of the sentence before may stand between.
    let follows =
        |at: usize| previous(answer, at).is_some_and(|(open, gap)| parts(gap) && closes(answer, open, joins));
    let leads = |before: &str| {
        let begin = Begin::of(before, near == 0);
        begin.opens || begin.ended || follows(near + before.len())
    };
    if leads::without(before, is_said(rest)).is_some_and(leads) {
        return true;
    }
    let Begin { opens, ended, words } = Begin::of(before, near == 0);
    if words.ends_with(is_wide_stop) || opens && script_goes_on(rest) {
        return goes_on_in_script(rest);
    }
    // Where marks stand before the full stop of their sentence, one behind it is of the next.
    let own = words.trim_end_matches(is_closing).strip_suffix(['.', '!', '?']).unwrap_or_default();
    if ended
        && own.ends_with([']', ')'])
        && previous(answer, near + own.len()).is_some_and(|(_, gap)| gap.is_empty())
    {
        let word = rest.trim_start_matches(is_blank);
        return word.starts_with(|c: char| c.is_alphabetic() && !c.is_uppercase()) || is_said(rest);
    }
    (opens || ended || words.ends_with([':', '：']) && is_told(rest))
        && (is_said(rest) || is_particle_of_korean(rest))
}

/// Where a sentence may begin.
struct Begin<'t> {
    /// The line or cell begins there.
    opens: bool,
    /// A sentence ends before it.
    ended: bool,
    /// The words before.
    words: &'t str,
}

impl<'t> Begin<'t> {
    /// `is_all`: whether the text begins with what is looked at.
    fn of(before: &'t str, is_all: bool) -> Self {
        let words = before.trim_end_matches(is_blank);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_first = is_all || line.len() < before.len();
        let opens = is_first && line_lead(line) == line.len() || words.ends_with('|');
        let own = words.trim_end_matches(is_closing);
        let is_short = || own.ends_with('.') && is_abbreviated(own);
        let is_wide = own.ends_with(is_wide_stop);
        let ended = (is_wide || words.len() < before.len()) && ends(own) && !is_short();
        Self { opens, ended, words }
    }
}

/// Where the words end before what joins a clause to them that a mark is the subject of:
/// `[1] reports 5 %, while [2] reports 8 %`.
pub(super) fn clause(answer: &str, low: usize, mark: &Range<usize>) -> Option<usize> {
    let rest = behind(answer, mark.end);
    let (word, _) = verb(rest);
    let is_verb = || VERBS.contains(&word) || VERBS_OF_ONE.contains(&word) || script_goes_on(rest);
    let before = answer.get(low..mark.start)?.trim_end_matches(is_blank);
    let named = leads::without_naming(before);
    let before = named.or_else(|| is_verb().then_some(before))?;
    let own = CLAUSES.iter().filter_map(|joint| before.strip_suffix(joint)).min_by_key(|own| own.len())?;
    // Between two marks it joins them.
    let is_row = own.is_empty() && before.ends_with('、');
    (!is_row).then_some(low + own.len())
}

/// Whether a row of marks is the subject of a clause behind words without a mark: `It fell, but [2] says no.`
/// Of `It rose, [2] says.` it is not.
pub(super) fn begins_clause(answer: &str, low: usize, row: &Range<usize>) -> bool {
    let rest = behind(answer, row.end);
    let near = rest.get(..rest.floor_char_boundary(NEAR * 2)).unwrap_or_default();
    let said = near.split(['.', '!', '?', '。', '\n', '[']).next().unwrap_or_default();
    let goes_on = said.split_whitespace().count() > 2 || script_goes_on(rest);
    let before = answer.get(low..row.start).unwrap_or_default();
    let is_named = || leads::without_naming(before).is_some();
    let ends = clause(answer, low, row).and_then(|end| answer.get(low..end));
    goes_on
        && (is_told(rest) || is_named())
        && ends.is_some_and(|words| words.contains(char::is_alphanumeric))
}

/// Whether a mark is the subject of a clause that is joined to another one.
pub(crate) fn is_of_clause(answer: &str, mark: &Range<usize>) -> bool {
    clause(answer, answer.ceil_char_boundary(mark.start.saturating_sub(NEAR)), mark).is_some()
}

/// What stands behind marks, without what stands around them alone.
fn behind(answer: &str, end: usize) -> &str {
    let rest = answer.get(end..).unwrap_or_default().trim_start_matches(['*', '_']);
    rest.strip_prefix("</sup>").unwrap_or(rest)
}

/// Whether a mark behind a blank is no more of the row of the one that ends before it: what follows is said
/// of one source, or the row stands right behind its sentence. `It fell.[1] [2] says it rose.`
pub(crate) fn is_parted(answer: &str, before: usize, mark: &Range<usize>) -> bool {
    let gap = answer.get(before..mark.start).unwrap_or_default();
    let own = behind(answer, mark.end);
    if is_told(own) && is_of_one(own) && !gap.contains('\n') && clause(answer, before, mark).is_some() {
        return true;
    }
    let Some((last, _)) = previous(answer, mark.start).filter(|_| parts(gap)) else { return false };
    let whole = behind(answer, row_end(answer, mark.end));
    is_of_one(own) && closes(answer, last, joins)
        || (is_said(whole) || goes_on_in_script(whole)) && closes(answer, last, str::is_empty)
}

/// Where the numbers in brackets end, or links, that stand in a row behind a byte.
fn row_end(answer: &str, mut end: usize) -> usize {
    for _ in 0..SUBJECTS_MOST {
        let near = answer.get(end..answer.floor_char_boundary(end + LINK_MOST)).unwrap_or_default();
        let own = near.split_once('[').filter(|(gap, _)| joins(gap) && !gap.contains('\n'));
        let close = own.and_then(|(gap, own)| Some(gap.len() + own.find(']').filter(|at| *at < NEAR)? + 2));
        let Some(close) = close else { break };
        let behind = near.get(close..).unwrap_or_default();
        let address = behind.strip_prefix('(').and_then(|inner| Some(inner.find(')')? + 2));
        end += close + address.unwrap_or_default();
    }
    end
}

/// Whether a gap between two marks may part their rows.
fn parts(gap: &str) -> bool {
    !gap.is_empty() && gap.chars().all(|c| is_blank(c) && c != '\n')
}

/// Whether a full stop may be of an abbreviation that is in no list as well: `LLC.`, `km.`
fn is_abbreviated(words: &str) -> bool {
    let bare = words.trim_end_matches('.');
    let word = bare.rsplit(|c: char| !c.is_alphanumeric() && c != '.').next().unwrap_or_default();
    let is_large = word.chars().all(char::is_uppercase) && !word.is_empty();
    is_large || ends_in_abbreviation(words) || SHORT.contains(&word)
}

/// Words that are cut short and may end a sentence.
const SHORT: [&str; 18] = [
    "Jr", "Sr", "Ltd", "Corp", "Bros", "km", "sq", "ft", "lb", "lbs", "oz", "min", "sec", "hrs", "approx",
    "a.m", "p.m", "Ph.D",
];

/// Whether a text goes on with what a source says or is: a verb, or what is its.
fn is_said(rest: &str) -> bool {
    let (word, _) = verb(rest);
    let joints = [", however", ", though", ", by contrast", " के अनुसार"];
    is_of_one(rest) || joints.iter().any(|joint| rest.starts_with(joint)) || VERBS.contains(&word)
}

/// Whether a text goes on with what a source says, not with what it is or has.
fn is_told(rest: &str) -> bool {
    let (word, _) = verb(rest);
    (VERBS.contains(&word) || VERBS_OF_ONE.contains(&word)) && !AUXILIARY.contains(&word)
        || script_goes_on(rest)
}

/// Whether a text goes on with what one source says or is.
fn is_of_one(rest: &str) -> bool {
    let (word, next) = verb(rest);
    // Names end so, too: `redis is a store`.
    let is_third = || {
        let is_name = || next.ends_with("ed") || FOLLOWING.contains(&next) || has_own_mark(rest);
        word.ends_with('s') && !word.ends_with("ss") && word.starts_with(char::is_lowercase) && !is_name()
    };
    rest.starts_with("'s ")
        || rest.starts_with("\u{2019}s ")
        || goes_on_in_script(rest)
        || VERBS_OF_ONE.contains(&word)
        || !OTHERS.contains(&word) && is_third()
}

/// Whether a text goes on in a script without blanks, or in Korean, with what follows a source. Words of
/// Chinese that may begin a sentence do so where that has a mark of its own.
fn goes_on_in_script(rest: &str) -> bool {
    // With a blank behind the mark Korean begins a word of its own.
    let bare = rest.strip_prefix(' ').filter(|bare| !bare.starts_with(is_hangul)).unwrap_or(rest);
    let is_word = bare.starts_with(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c));
    script_goes_on(bare) && !(is_word && has_own_mark(bare))
}

/// Whether a mark stands behind the sentence that a text goes on with, and the next one is not about it.
fn has_own_mark(rest: &str) -> bool {
    let near = rest.get(..rest.floor_char_boundary(LINK_MOST)).unwrap_or_default();
    let line = near.split('\n').next().unwrap_or_default();
    let Some((sentence, mark)) = line.split_once('[') else { return false };
    let own =
        sentence.trim_end_matches(|c| is_blank(c) || is_closing(c) || matches!(c, '*' | '_' | '"' | '('));
    let behind = mark.split_once(']').map_or("", |(_, behind)| behind);
    let word = verb(behind).0;
    let is_said = VERBS.contains(&word) || VERBS_OF_ONE.contains(&word) || script_goes_on(behind);
    let is_one = sentence_ends(own).next().is_none_or(|end| end >= own.len());
    ends(own) && is_one && !is_said
}

/// The word that a text goes on with behind a blank, and the next one; without words that may stand before a
/// verb.
fn verb(rest: &str) -> (&str, &str) {
    let Some(words) = aside(rest).strip_prefix(' ') else { return ("", "") };
    let near = words.get(..words.floor_char_boundary(NEAR)).unwrap_or_default();
    let own = near.split(' ').map(|word| word.trim_end_matches(|c: char| !c.is_alphabetic()));
    let mut own = own.skip_while(|word| BETWEEN.contains(word));
    (own.next().unwrap_or_default(), own.next().unwrap_or_default())
}

/// A text without what stands between commas before its verb: `, meanwhile, says`, `, a report, says`.
fn aside(rest: &str) -> &str {
    let near = rest.get(..rest.floor_char_boundary(ASIDE_MOST)).unwrap_or_default();
    let inner = near.strip_prefix(", ").and_then(|inner| inner.split_once(','));
    let is_aside =
        |words: &str| words.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '’'));
    let words = inner.filter(|(words, _)| is_aside(words)).map(|(words, _)| words.len() + ", ,".len());
    words.and_then(|length| rest.get(length..)).unwrap_or(rest)
}

/// Bytes of what stands between two commas.
const ASIDE_MOST: usize = 64;

/// The numbers in brackets that stand in a row before a mark.
struct Row {
    /// Where the first one begins.
    begin: usize,
    /// Others stand before it that end the sentence before.
    is_parted: bool,
}

/// `of_one`: whether what stands behind is said of the last one.
fn row(answer: &str, mark: usize, of_one: bool) -> Row {
    let mut begin = mark;
    for number in 0..SUBJECTS_MOST {
        let Some((open, gap)) = previous(answer, begin) else { break };
        if gap.contains(['.', '\n', '|']) || !joins(gap) {
            break;
        }
        if parts(gap)
            && (of_one && number == 0 && closes(answer, open, joins) || closes(answer, open, str::is_empty))
        {
            return Row { begin, is_parted: true };
        }
        begin = open;
    }
    Row { begin, is_parted: false }
}

/// The brackets of a number, or of a link, before a byte: where they open, and what stands between.
fn previous(answer: &str, at: usize) -> Option<(usize, &str)> {
    let near = answer.ceil_char_boundary(at.saturating_sub(LINK_MOST));
    let before = answer.get(near..at)?;
    let (words, behind) = before.rsplit_once(']')?;
    let address = behind.strip_prefix('(').and_then(|inner| inner.split_once(')'));
    let gap = address.map_or(behind, |(_, gap)| gap);
    let open = words.rfind('[').filter(|open| words.len() - open <= NEAR)?;
    let open = if words.get(..open)?.ends_with('[') { open - 1 } else { open };
    Some((near + open, gap))
}

/// Whether the row of marks up to one, of those with such gaps between them, stands behind a full stop in its
/// line; with a blank before it where there may be one in gaps.
fn closes(answer: &str, mark: usize, in_row: impl Fn(&str) -> bool) -> bool {
    let mut at = mark;
    for _ in 0..SUBJECTS_MOST {
        match previous(answer, at) {
            Some((open, gap)) if in_row(gap) && !gap.contains('\n') => at = open,
            _ => break,
        }
    }
    let before = answer.get(answer.ceil_char_boundary(at.saturating_sub(NEAR))..at).unwrap_or_default();
    let before = if in_row(" ") { before.trim_end_matches(' ') } else { before };
    let own = before.trim_end_matches(|c| is_closing(c) || matches!(c, '*' | '_' | '"'));
    ends(own)
}

/// Whether a text ends with a stop of any script.
fn ends(text: &str) -> bool {
    text.ends_with(['.', '!', '?']) || text.ends_with(is_wide_stop) || text.ends_with(is_own_stop)
}

/// Marks that a sentence is about, at most.
const SUBJECTS_MOST: usize = 8;

/// Bytes before a mark that tell whether its sentence begins with it.
const NEAR: usize = 32;
/// Bytes of a link with its address.
const LINK_MOST: usize = 512;
