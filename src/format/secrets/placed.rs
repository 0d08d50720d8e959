//! What is put in the place that a label has for it: `"password: {}", "abc"`, `"user=%s password=%s" % (a, "b")`.

use std::ops::Range;

use super::functions::Known;
use super::values::{BLANKS, SCHEMES, quoted};

/// Bytes of the line of a label that are looked over.
const LABEL_MOST: usize = 256;
/// Places of one label.
const PLACES_MOST: usize = 16;

/// What is given for the place that stands behind a sign in a label that is open in a quote; none where there
/// is no place. `before`: what stands before the sign.
pub(super) fn placed(before: &str, behind: &str) -> Option<Known> {
    let own = behind.trim_start_matches(BLANKS);
    let own = SCHEMES.iter().find_map(|scheme| own.strip_prefix(scheme)?.strip_prefix(' ')).unwrap_or(own);
    let rest = own.get(place(own)?..)?;
    let near = before.get(before.floor_char_boundary(before.len().saturating_sub(LABEL_MOST))..)?;
    let line = near.rsplit('\n').next()?;
    let quote = ['"', '\'', '`'].into_iter().find(|quote| line.matches(*quote).count() % 2 == 1)?;
    let label = line.rsplit(quote).next()?;
    let near = rest.get(..rest.floor_char_boundary(LABEL_MOST)).unwrap_or_default();
    let end = near.split(['\n', '\r']).next().and_then(|line| line.find(quote))?;
    let number = places(label);
    let args = rest.get(end + 1..)?.trim_start_matches(BLANKS);
    let args = args.strip_prefix(".format(").or_else(|| args.strip_prefix([',', '%']));
    let given =
        args.and_then(|args| named(own).map_or_else(|| argument(args, number), |name| called(args, name)));
    let start = |text: &str| behind.len() - text.len();
    Some(given.map_or(Known::Other, |(text, length)| Known::Value(start(text)..start(text) + length)))
}

/// The name of the place that a text begins with: `{pw}`, `%(pw)s`.
fn named(text: &str) -> Option<&str> {
    let (inner, close) =
        text.strip_prefix('{').map(|inner| (inner, '}')).or_else(|| Some((text.strip_prefix("%(")?, ')')))?;
    let name = inner.split([close, ':', '!']).next()?;
    let of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(of_name)).then_some(name)
}

/// The text that is given under a name: `p="abc"`, `{"p": "abc"}`.
fn called<'t>(args: &'t str, name: &str) -> Option<(&'t str, usize)> {
    let near = args.get(..args.floor_char_boundary(LABEL_MOST * 4))?;
    near.match_indices(name).take(PLACES_MOST).find_map(|(at, _)| {
        let before = near.get(..at)?.chars().next_back();
        let behind = near.get(at + name.len()..)?.trim_start_matches(['"', '\'', ' ']);
        let value = behind.strip_prefix([':', '='])?.trim_start_matches(' ');
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let text = value.get(1..)?;
        let length = quoted(text, quote);
        let own = !before.is_some_and(|c| c.is_alphanumeric() || c == '_') && length > 0;
        own.then(|| (args.get(near.len() - text.len()..).unwrap_or_default(), length))
    })
}

/// Length of the place that a text begins with: `{}`, `{:?}`, `%s`, `%-10s`, `%@`, `$1`.
fn place(text: &str) -> Option<usize> {
    if let Some(inner) = text.strip_prefix('{') {
        let of_place = |c: char| c.is_ascii_alphanumeric() || "_.:!?#".contains(c);
        return inner.trim_start_matches(of_place).strip_prefix('}').map(|rest| text.len() - rest.len());
    }
    if let Some(inner) = text.strip_prefix('$') {
        let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
        return (digits == 1).then_some(2);
    }
    let inner = text.strip_prefix('%')?;
    let inner =
        inner.strip_prefix('{').and_then(|named| named.split_once('}')).map_or(inner, |(_, rest)| rest);
    let inner = inner.trim_start_matches(|c: char| c.is_ascii_digit() || "-+.#".contains(c));
    inner.strip_prefix(['s', 'd', 'v', 'q', 'r', '@', 'i']).map(|rest| text.len() - rest.len())
}

/// Whether a text is a place alone.
pub(super) fn is_place(text: &str) -> bool {
    place(text) == Some(text.len())
}

/// How many places a text has.
fn places(text: &str) -> usize {
    let signs = text.match_indices(['{', '%', '$']).take(PLACES_MOST);
    signs.filter(|(at, _)| text.get(*at..).and_then(place).is_some()).count()
}

/// An argument by its number, where it is a text: what begins with it behind its quote, and its length.
fn argument(args: &str, number: usize) -> Option<(&str, usize)> {
    let mut rest = args.get(..args.floor_char_boundary(LABEL_MOST * 4))?;
    let from = rest.len();
    for left in (0..=number).rev() {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '(' | '@'));
        let text = rest.strip_prefix(['"', '\'']).filter(|_| rest.starts_with(['"', '\'']));
        let length = text.map(|text| quoted(text, rest.chars().next().unwrap_or('"')));
        if left == 0 {
            let at = args.len() - (args.len() - (from - text?.len()));
            return Some((args.get(at..)?, length.filter(|length| *length > 0)?));
        }
        let behind = text.zip(length).map_or(rest, |(text, length)| text.get(length..).unwrap_or_default());
        rest = behind.get(behind.find(',')? + 1..)?;
    }
    None
}

/// Where the quote before a value ends a label, which was open in its line: what stands between it and the
/// next one is no text.
pub(super) fn ends_label(text: &str, value: &Range<usize>) -> bool {
    let near = text.get(text.floor_char_boundary(value.start.saturating_sub(LABEL_MOST))..value.start);
    let line = near.unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    let Some(quote) = line.chars().next_back().filter(|c| matches!(c, '"' | '\'')) else { return false };
    let between = text.get(value.clone()).unwrap_or_default();
    let joins = between.starts_with([' ', ',', ':', ')', '+', ';', '.', ']'])
        && (between.ends_with(' ') || between.len() <= 2);
    joins && line.matches(quote).count().is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    #[test]
    fn what_is_put_into_a_label_is_its_value() {
        for (text, masked) in [
            ("log(\"password: {}\", \"abc\")", "log(\"password: {}\", \"masked\")"),
            (
                "f(\"user=%s password=%s\", \"bob\", \"abc\")",
                "f(\"user=%s password=%s\", \"bob\", \"masked\")",
            ),
            ("log(\"user {} password: {}\", u, \"abc\")", "log(\"user {} password: {}\", u, \"masked\")"),
            ("log(\"password: {:?}\", \"abc\")", "log(\"password: {:?}\", \"masked\")"),
            ("log(\"password: %-10s\", \"abc\")", "log(\"password: %-10s\", \"masked\")"),
            ("NSLog(@\"password: %@\", @\"abc\")", "NSLog(@\"password: %@\", @\"masked\")"),
            ("\"password: {p}\".format(p=\"abc\")", "\"password: {p}\".format(p=\"masked\")"),
            ("log(\"user %s password %s\", u, \"abc\")", "log(\"user %s password %s\", u, \"masked\")"),
            ("\"password {}\".format(\"abc\")", "\"password {}\".format(\"masked\")"),
            ("log(\"password is %s\", \"abc\")", "log(\"password is %s\", \"masked\")"),
            ("log(\"user %s password '%s'\", u, \"abc\")", "log(\"user %s password '%s'\", u, \"masked\")"),
            ("\"https://h/y?api_key=%s\" % \"abc\"", "\"https://h/y?api_key=%s\" % \"masked\""),
            ("\"password: {}\".format(\"abc\")", "\"password: {}\".format(\"masked\")"),
            ("\"password: %s\" % (\"abc\",)", "\"password: %s\" % (\"masked\",)"),
            ("\"Authorization: Bearer %s\" % \"abc\"", "\"Authorization: Bearer %s\" % \"masked\""),
        ] {
            assert_eq!(mask_message(text), masked);
        }
        for text in ["f\"password: {pw}\"", "log(\"password: %s\", pw)", "\"password: {}\".format(pw)"] {
            assert_eq!(mask_message(text), text);
        }
    }

    #[test]
    fn between_two_texts_stands_none() {
        for (text, masked) in [
            ("print(\"Your password is: \" + \"abc\")", "print(\"Your password is: \" + \"masked\")"),
            ("the password is \"abc\"", "the password is \"masked\""),
            ("He said \"it\"; the password is \"abc\"", "He said \"it\"; the password is \"masked\""),
        ] {
            assert_eq!(mask_message(text), masked);
        }
        for text in [
            "throw new Error(\"Password is \" + reason + \" for \" + user);",
            "The text \"your password is\" precedes \"ok\".",
        ] {
            assert_eq!(mask_message(text), text);
        }
    }
}
