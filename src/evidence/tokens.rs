//! Tokens: words by their stem, numbers in one form, overlapping grams where a script writes no spaces.

use super::fold::fold_mapped;
use super::{numbers, words};
use crate::text::chars::{Class, char_at, class_at, is_decimal, skip};
use std::iter;
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// Two or three characters of a script without spaces.
    Gram,
    /// A word.
    Word,
    /// A number.
    Number,
}

/// One token of a normalised text.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'t> {
    pub(crate) text: &'t str,
    /// The whole word where `text` is its stem; else the same.
    pub(crate) full: &'t str,
    pub(crate) kind: TokenKind,
    /// Bytes of the normalised text.
    pub(crate) range: Range<usize>,
}

impl<'t> Piece<'t> {
    /// A token that is compared as it stands.
    fn whole(text: &'t str, kind: TokenKind, range: Range<usize>) -> Self {
        Self { text, full: text, kind, range }
    }
}

/// A token of a text and where it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The form that is compared: a stem, a number in ASCII digits, or a gram.
    pub text: String,
    /// What it is.
    pub kind: TokenKind,
    /// Bytes of the text as given.
    pub range: Range<usize>,
}

/// The tokens of a text in order, repetitions included.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let folded = fold_mapped(text);
    let mut out = Vec::new();
    each(&folded.text, &mut |piece| {
        out.push(Token { text: piece.text.to_owned(), kind: piece.kind, range: folded.origin(piece.range) });
    });
    out
}

/// What a function word counts of what its length would give it.
pub(crate) const FUNCTION_WORD: f64 = 0.15;

/// How much a token counts: a number 1, a gram 0.5, a word by its length, function words little.
#[must_use]
pub fn weight(text: &str, kind: TokenKind) -> f64 {
    let stop = kind == TokenKind::Word && words::is_stop_token(text);
    plain_weight(text, kind) * if stop { FUNCTION_WORD } else { 1.0 }
}

/// The same for a token that is not a function word.
pub(crate) fn plain_weight(text: &str, kind: TokenKind) -> f64 {
    match kind {
        TokenKind::Number => 1.0,
        TokenKind::Gram => 0.5,
        TokenKind::Word => {
            // Six letters reach the full weight, so that longer words need no counting.
            let more = text.chars().take(8).skip(1).map(|_| 1.0).sum::<f64>();
            (0.25 + 0.15 * more).min(1.0)
        }
    }
}

/// Calls `emit` with every token of a normalised text, in order.
pub(crate) fn each(text: &str, emit: &mut impl FnMut(Piece<'_>)) {
    let mut buffer = String::new();
    let mut at = 0;
    while let Some((class, len)) = class_at(text, at) {
        at = match class {
            Class::Break => at + len,
            Class::Letter => word(text, at, &mut buffer, emit),
            Class::Digit => number(text, at, &mut buffer, emit),
            Class::Thai => grams(text, at, class, 3, emit),
            Class::Han | Class::Hangul => grams(text, at, class, 2, emit),
        };
    }
}

fn skip_letters_and_digits(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        at += rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        match class_at(text, at) {
            Some((Class::Letter | Class::Digit, len)) => at += len,
            _ => return at,
        }
    }
}

/// A word with the digits and apostrophes inside it.
fn word(text: &str, start: usize, buffer: &mut String, emit: &mut impl FnMut(Piece<'_>)) -> usize {
    let mut end = skip_letters_and_digits(text, start);
    let mut quoted = false;
    while text.as_bytes().get(end) == Some(&b'\'')
        && matches!(class_at(text, end + 1), Some((Class::Letter, _)))
    {
        quoted = true;
        end = skip_letters_and_digits(text, end + 1);
    }
    let mut full = text.get(start..end).unwrap_or("");
    if quoted {
        full = full.strip_suffix("'s").unwrap_or(full);
        buffer.clear();
        buffer.extend(full.chars().filter(|c| *c != '\''));
        full = buffer;
    }
    let (text, kind) = (words::stem(full), TokenKind::Word);
    emit(Piece { text, full, kind, range: start..end });
    end
}

/// A number, and letters glued to it as a word of their own unless they are an ordinal or plural ending.
fn number(text: &str, start: usize, buffer: &mut String, emit: &mut impl FnMut(Piece<'_>)) -> usize {
    let end = number_end(text, start);
    if end == start {
        let end = start + char_at(text, start).map_or(1, char::len_utf8);
        let sign = text.get(start..end).unwrap_or("");
        emit(Piece::whole(sign, TokenKind::Number, start..end));
        return end;
    }
    let written = text.get(start..end).unwrap_or("");
    let canonical = numbers::canonical(written, buffer);
    emit(Piece::whole(canonical, TokenKind::Number, start..end));
    if !matches!(class_at(text, end), Some((Class::Letter, _))) {
        return end;
    }
    let stop = skip_letters_and_digits(text, end);
    let suffix = text.get(end..stop).unwrap_or("");
    if suffix.chars().nth(1).is_none() && suffix != "s" {
        let both = text.get(start..stop).unwrap_or("");
        emit(Piece::whole(both, TokenKind::Word, start..stop));
    } else if !matches!(suffix, "st" | "nd" | "rd" | "th" | "s") {
        emit(Piece::whole(suffix, TokenKind::Word, end..stop));
    }
    stop
}

/// The end of groups of digits joined by single separators; `start` itself where no decimal digit stands
/// there.
fn number_end(text: &str, start: usize) -> usize {
    let mut end = skip(text, start, is_decimal);
    if end == start {
        return start;
    }
    while let Some(sign) = char_at(text, end).filter(|c| numbers::is_separator(*c)) {
        let from = end + sign.len_utf8();
        let to = skip(text, from, is_decimal);
        if to == from {
            break;
        }
        end = to;
    }
    end
}

/// Overlapping grams of a run of one class; a run that is no longer than a gram stays whole.
fn grams(text: &str, start: usize, class: Class, size: usize, emit: &mut impl FnMut(Piece<'_>)) -> usize {
    let mut end = start;
    while let Some((_, len)) = class_at(text, end).filter(|(other, _)| *other == class) {
        end += len;
    }
    let run = text.get(start..end).unwrap_or("");
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run.char_indices().map(|(at, _)| at).skip(size).chain(iter::once(run.len()));
    for (from, to) in starts.zip(ends) {
        let gram = run.get(from..to).unwrap_or("");
        emit(Piece::whole(gram, TokenKind::Gram, start + from..start + to));
    }
    end
}

#[cfg(test)]
mod tests {
    use super::TokenKind::{Gram, Number, Word};
    use super::*;

    #[track_caller]
    fn expect(text: &str, expected: &[(&str, TokenKind, &str)]) {
        let made = tokens(text);
        let made: Vec<_> =
            made.iter().map(|t| (t.text.as_str(), t.kind, text.get(t.range.clone()).unwrap())).collect();
        assert_eq!(made, expected);
    }

    #[test]
    fn words_lose_apostrophes_and_long_tails() {
        expect(
            "The baker’s ovens don't glow.",
            &[
                ("the", Word, "The"),
                ("baker", Word, "baker’s"),
                ("oven", Word, "ovens"),
                ("dont", Word, "don't"),
                ("glow", Word, "glow"),
            ],
        );
        expect(
            "Die Straßenbahn fährt über die Größe.",
            &[
                ("die", Word, "Die"),
                ("strass", Word, "Straßenbahn"),
                ("fährt", Word, "fährt"),
                ("über", Word, "über"),
                ("die", Word, "die"),
                ("grösse", Word, "Größe"),
            ],
        );
        expect("o'clock's' 'quote'", &[("oclock", Word, "o'clock's"), ("quote", Word, "quote")]);
    }

    #[test]
    fn numbers_take_one_form_in_any_digits() {
        expect(
            "1,234.50 ١٬٢٣٤٫٥ १२३४ １２ 007 10.0.0.1 0,250",
            &[
                ("1234.5", Number, "1,234.50"),
                ("1234.5", Number, "١٬٢٣٤٫٥"),
                ("1234", Number, "१२३४"),
                ("12", Number, "１２"),
                ("7", Number, "007"),
                ("10.0.0.1", Number, "10.0.0.1"),
                ("0.25", Number, "0,250"),
            ],
        );
    }

    #[test]
    fn letters_glued_to_a_number() {
        expect(
            "3rd 1990s 5g 20km B2B 4x4",
            &[
                ("3", Number, "3"),
                ("1990", Number, "1990"),
                ("5", Number, "5"),
                ("5g", Word, "5g"),
                ("20", Number, "20"),
                ("km", Word, "km"),
                ("b2b", Word, "B2B"),
                ("4", Number, "4"),
                ("x4", Word, "x4"),
            ],
        );
    }

    #[test]
    fn scripts_without_spaces_make_grams() {
        expect("猫は寝た", &[("猫は", Gram, "猫は"), ("は寝", Gram, "は寝"), ("寝た", Gram, "寝た")]);
        expect("木", &[("木", Gram, "木")]);
        expect("ｶﾞｽ", &[("ガス", Gram, "ｶﾞｽ")]);
        expect(
            "แมวนอน",
            &[("แมว", Gram, "แมว"), ("มวน", Gram, "มวน"), ("วนอ", Gram, "วนอ"), ("นอน", Gram, "นอน")],
        );
        expect("고양이", &[("고양", Gram, "고양"), ("양이", Gram, "양이")]);
    }

    #[test]
    fn scripts_with_marks_keep_them_in_the_word() {
        expect("बिल्ली सोती है", &[("बिल्ली", Word, "बिल्ली"), ("सोती", Word, "सोती"), ("है", Word, "है")]);
        expect("نامت القطّة", &[("نامت", Word, "نامت"), ("القطّة", Word, "القطّة")]);
        expect(
            "cafe\u{301} au lait",
            &[("café", Word, "cafe\u{301}"), ("au", Word, "au"), ("lait", Word, "lait")],
        );
    }

    #[test]
    fn weights() {
        for (text, kind, expected) in [
            ("7", Number, 1.0),
            ("猫は", Gram, 0.5),
            ("a", Word, 0.0375),
            ("ox", Word, 0.4),
            ("bridge", Word, 1.0),
            ("thi", Word, 0.0825),
        ] {
            assert!((weight(text, kind) - expected).abs() < 1e-12, "{text}");
        }
    }
}
