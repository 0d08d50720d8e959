//! Names of a claim: capitalised words inside a sentence, and words with two capitals or more.

use super::words;
use crate::text::chars::{is_decimal, is_word, skip};
use crate::text::split_sentences;
use std::ops::Range;

/// The byte ranges of the names of a text.
pub(crate) fn names(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    split_sentences(text, |start, end| {
        let sentence = text.get(start..end).unwrap_or("");
        let mut first = true;
        let mut at = 0;
        while let Some((from, to)) = next_word(sentence, at) {
            let word = sentence.get(from..to).unwrap_or("");
            if is_name(word, first) {
                out.push(start + from..start + to);
            }
            first = false;
            at = to;
        }
    });
    out
}

/// The next run that begins with a letter and goes on with letters, diacritics that were not composed,
/// digits, apostrophes and hyphens.
fn next_word(text: &str, at: usize) -> Option<(usize, usize)> {
    let begins = |c: char| is_word(c) && c != '_' && !is_decimal(c);
    let start = skip(text, at, |c| !begins(c));
    let end =
        skip(text, start, |c| is_word(c) || matches!(c, '\'' | '\u{2019}' | '-' | '\u{300}'..='\u{36F}'));
    (end > start).then_some((start, end))
}

fn is_name(word: &str, first: bool) -> bool {
    let mut letters = word.chars();
    let capitals = || word.chars().filter(|c| c.is_uppercase()).count();
    letters.next().is_some_and(is_capital)
        && letters.next().is_some()
        && (!first || capitals() > 1)
        && !words::is_stop_word(&word.to_lowercase())
}

/// An upper-case letter that has a lower case.
fn is_capital(c: char) -> bool {
    c.is_uppercase() && !c.to_lowercase().eq([c])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_inside_a_sentence_or_have_two_capitals() {
        for (text, expected) in [
            ("Marlow lies on the Wend. It has Quill’s pier.", &["Wend", "Quill’s"][..]),
            ("NASA and McKay met John Doe, The Hague.", &["NASA", "McKay", "John", "Doe", "Hague"]),
            ("In 1990 Ada moved. 5 Ovens burned.", &["Ada"]),
            ("Die Brücke über die Elbe", &["Brücke", "Elbe"]),
            ("Мост через реку Нева", &["Нева"]),
            ("Vitamin C helps", &[]),
            ("橋は開通した。", &[]),
            ("the cafe of Zoe\u{308} Ng", &["Zoe\u{308}", "Ng"]),
            ("see Jean-Luc O'Hara", &["Jean-Luc", "O'Hara"]),
        ] {
            let made: Vec<_> = names(text).into_iter().map(|r| text.get(r).unwrap()).collect();
            assert_eq!(made, expected, "{text}");
        }
    }
}
