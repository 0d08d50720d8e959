//! Marks that are what their sentence is about: `It is high. [2] says it is not.`

use super::labels::joins;
use super::links::script_goes_on;
use super::sentence::is_closing;
use crate::text::{ends_in_abbreviation, is_blank, is_wide_stop, line_lead};

/// Whether marks are what their sentence is about: at its beginning, before words that begin none.
/// `It is high. [2] says it is not.` `end`: where the last of them ends.
pub(crate) fn is_subject(answer: &str, mark: usize, end: usize) -> bool {
    // With what stands around the marks alone.
    let rest = answer.get(end..).unwrap_or_default().trim_start_matches(['*', '_']);
    let rest = rest.strip_prefix("</sup>").unwrap_or(rest);
    let begin = row_begin(answer, mark);
    let near = answer.ceil_char_boundary(begin.saturating_sub(NEAR));
    let before = answer.get(near..begin).unwrap_or_default();
    let before = before.strip_suffix("<sup>").unwrap_or(before).trim_end_matches(['*', '_', '(']);
    let words = before.trim_end_matches(is_blank);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_first = near == 0 || line.len() < before.len();
    let opens = is_first && line_lead(line) == line.len() || words.ends_with('|');
    if words.ends_with(is_wide_stop) || opens && script_goes_on(rest) {
        return script_goes_on(rest);
    }
    let own = words.trim_end_matches(is_closing);
    let is_short = || own.ends_with('.') && is_abbreviated(own);
    let ended = || own.ends_with(['.', '!', '?']) && !is_short();
    (opens || words.len() < before.len() && ended()) && is_said(rest)
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
    if ["'s ", "\u{2019}s ", ", however", ", though", ", by contrast"]
        .iter()
        .any(|joint| rest.starts_with(joint))
    {
        return true;
    }
    let Some(words) = rest.strip_prefix(' ') else { return false };
    let word: String = words.chars().take(NEAR).take_while(|c| c.is_alphabetic()).collect();
    let is_third = word.ends_with('s') && !word.ends_with("ss") && word.starts_with(char::is_lowercase);
    VERBS.contains(&word.as_str()) || is_third && !OTHERS.contains(&word.as_str())
}

/// Where the numbers in brackets begin that stand in a row before a mark.
fn row_begin(answer: &str, mark: usize) -> usize {
    let mut at = mark;
    for _ in 0..SUBJECTS_MOST {
        let near = answer.ceil_char_boundary(at.saturating_sub(NEAR));
        let before = answer.get(near..at).unwrap_or_default();
        let Some((words, gap)) = before.rsplit_once(']') else { break };
        let Some(open) = words.rfind('[').filter(|_| !gap.contains(['.', '\n', '|']) && joins(gap)) else {
            break;
        };
        at = near + open;
    }
    at
}

/// Marks that a sentence is about, at most.
const SUBJECTS_MOST: usize = 8;

/// Bytes before a mark that tell whether its sentence begins with it.
const NEAR: usize = 32;

/// Verbs behind several sources, of what was and in other languages.
const VERBS: [&str; 58] = [
    "say",
    "report",
    "disagree",
    "agree",
    "show",
    "find",
    "claim",
    "note",
    "state",
    "argue",
    "give",
    "put",
    "have",
    "do",
    "are",
    "were",
    "suggest",
    "mention",
    "describe",
    "confirm",
    "deny",
    "list",
    "cite",
    "explain",
    "differ",
    "said",
    "reported",
    "found",
    "noted",
    "claimed",
    "argued",
    "gave",
    "did",
    "had",
    "would",
    "may",
    "might",
    "could",
    "will",
    "confirmed",
    "denied",
    "can",
    "should",
    "must",
    "sagt",
    "meldet",
    "widerspricht",
    "berichtet",
    "nennt",
    "dit",
    "indique",
    "affirme",
    "dice",
    "afirma",
    "indica",
    "señala",
    "contradict",
    "support",
];

/// Words that end like a verb.
const OTHERS: [&str; 20] = [
    "as",
    "its",
    "this",
    "plus",
    "across",
    "versus",
    "vs",
    "always",
    "besides",
    "towards",
    "sometimes",
    "thus",
    "unless",
    "less",
    "his",
    "ours",
    "theirs",
    "perhaps",
    "afterwards",
    "whereas",
];
