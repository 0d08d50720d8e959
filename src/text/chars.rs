//! Classes of characters in any script: what a word or number may be made of, and what separates them.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory as Category;

/// The kind of run that a character belongs to, after normalisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Separates tokens.
    Break,
    /// A letter or mark of a script that writes spaces between words.
    Letter,
    /// Any Unicode number (`N*`).
    Digit,
    /// Han, Hiragana or Katakana.
    Han,
    /// A Hangul syllable.
    Hangul,
    /// Thai, Lao, Khmer or Myanmar: no spaces between words.
    Thai,
}

const ASCII: [Class; 128] = ascii_classes();

const fn ascii_classes() -> [Class; 128] {
    let mut table = [Class::Break; 128];
    let mut at = 0u8;
    while at < 128 {
        let class = if at.is_ascii_alphabetic() {
            Class::Letter
        } else if at.is_ascii_digit() {
            Class::Digit
        } else {
            Class::Break
        };
        #[expect(clippy::indexing_slicing, reason = "evaluated at compile time; at < 128")]
        {
            table[at as usize] = class;
        }
        at += 1;
    }
    table
}

fn category(c: char) -> Category {
    CodePointMapData::<Category>::new().get(c)
}

pub(crate) fn class(c: char) -> Class {
    if let Some(class) = ASCII.get(c as usize) {
        return *class;
    }
    match c {
        '\u{4E00}'..='\u{9FFF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{20000}'..='\u{3134F}'
        | '\u{F900}'..='\u{FAFF}'
        | '々'
        | '〇' => Class::Han,
        '\u{AC00}'..='\u{D7A3}' => Class::Hangul,
        '\u{0E00}'..='\u{0EFF}' | '\u{1780}'..='\u{17FF}' | '\u{1000}'..='\u{109F}' => Class::Thai,
        _ => match category(c) {
            Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Class::Digit,
            group if is_letter(group) || is_mark(group) => Class::Letter,
            _ => Class::Break,
        },
    }
}

/// The class of the character at a byte offset and its length in bytes; `None` at the end.
pub(crate) fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if let Some(class) = ASCII.get(usize::from(byte)) {
        return Some((*class, 1));
    }
    let c = char_at(text, at)?;
    Some((class(c), c.len_utf8()))
}

pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

pub(crate) fn char_before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// The first offset at or after `at` whose character does not fit.
pub(crate) fn skip(text: &str, at: usize, fits: impl Fn(char) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or("");
    rest.find(|c| !fits(c)).map_or(text.len(), |n| at + n)
}

/// Brackets that may stand around a mark alone.
pub(crate) const BRACKETS: [(char, char); 7] =
    [('(', ')'), ('[', ']'), ('{', '}'), ('（', '）'), ('【', '】'), ('「', '」'), ('『', '』')];

/// Blank to people: white space and what takes no room.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{200B}'
}

/// White space and the four ASCII separators U+001C to U+001F.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}')
}

/// A decimal digit of any script.
pub(crate) fn is_decimal(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_digit() } else { category(c) == Category::DecimalNumber }
}

/// The value of a decimal digit of any script: every set of digits is ten code points in a row, zero first,
/// and at most five sets follow each other without a gap.
pub(crate) fn decimal_value(c: char) -> Option<u8> {
    if !is_decimal(c) {
        return None;
    }
    if let Some(value) = c.to_digit(10) {
        return u8::try_from(value).ok();
    }
    let before = (1..50u32)
        .take_while(|back| (c as u32).checked_sub(*back).and_then(char::from_u32).is_some_and(is_decimal));
    u8::try_from(before.count() % 10).ok()
}

/// Whether a place lies between two letters or digits of a script that writes blanks between words.
pub(crate) fn is_in_word(text: &str, at: usize) -> bool {
    let part = |c: char| matches!(class(c), Class::Letter | Class::Digit);
    let Some((before, after)) = text.split_at_checked(at) else { return false };
    before.chars().next_back().is_some_and(part) && after.chars().next().is_some_and(part)
}

/// A letter, a number or `_`: what counts as inside a word for names and word boundaries. Marks do not.
pub(crate) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let group = category(c);
    is_letter(group)
        || matches!(group, Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber)
}

/// Whether a character may merge with the one before it under NFKC, so that no cut may be made between them.
pub(crate) fn is_glued(c: char) -> bool {
    match c {
        '\0'..='\u{2FF}' => false,
        '\u{1160}'..='\u{11FF}'
        | '\u{3131}'..='\u{318E}'
        | '\u{D7B0}'..='\u{D7FF}'
        | '\u{FF9E}'
        | '\u{FF9F}'
        | '\u{FFA0}'..='\u{FFDC}'
        | '\u{16D63}'..='\u{16D6A}' => true,
        _ => is_mark(category(c)),
    }
}

fn is_letter(group: Category) -> bool {
    matches!(
        group,
        Category::UppercaseLetter
            | Category::LowercaseLetter
            | Category::TitlecaseLetter
            | Category::ModifierLetter
            | Category::OtherLetter
    )
}

fn is_mark(group: Category) -> bool {
    matches!(group, Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark)
}
