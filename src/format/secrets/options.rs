//! Options of commands that are given credentials, and headers in a list.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::names::is_secret;
use super::values::{AROUND_SIGN, BLANKS, quoted, value_after};

/// Options that are secret, though a field of the name is not.
const OPTIONS: [&str; 12] = [
    "deststorepass",
    "destkeypass",
    "keypass",
    "pass",
    "passin",
    "passout",
    "pw",
    "srckeypass",
    "srcstorepass",
    "storepass",
    "token",
    "with-token",
];

/// Whether a word is an option of a command that is given what is secret: `--password`, `-Password`.
pub(super) fn is_secret_option(word: &str) -> bool {
    let name = word.trim_start_matches('-');
    // What begins so is given nothing.
    let is_flag = name.get(..3).is_some_and(|begun| begun.eq_ignore_ascii_case("no-"));
    name.len() < word.len()
        && !is_flag
        && !name.contains(' ')
        && word != "--show-secrets"
        && (is_secret(name) || OPTIONS.iter().any(|option| option.eq_ignore_ascii_case(name)))
}

/// Whether what stands behind an option is the next one, and no value.
pub(super) fn is_next_option(value: &str) -> bool {
    value.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether what stands behind an option is none of its own: the next option, or the sign of an assignment in
/// a line that was taken away (`-password = abc`).
pub(super) fn is_no_value(rest: &str, value: &Range<usize>, user: bool) -> bool {
    // A user may have no name: `-u :abc`.
    let own = rest.trim_start_matches(BLANKS);
    let assigns = !user && (own.starts_with(['=', ':', '?']) || own.starts_with("+="));
    // A name in two words: `-Secret key: abc`.
    let goes_on = |value: &str| {
        is_next_option(value)
            || !user && (value.ends_with(':') || value == "for" || STANDING.contains(&value))
    };
    assigns || rest.get(value.clone()).is_some_and(goes_on)
}

/// Whether what stands behind an option says what it does, in a column of its own, as help has it:
/// `--password           force password prompt`.
pub(super) fn is_help(lead: &str, rest: &str, value: &Range<usize>) -> bool {
    let word = rest.get(value.clone()).unwrap_or_default();
    let behind = rest.get(value.end..).unwrap_or_default();
    let is_word = word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    (lead.ends_with(' ') || rest.starts_with(' '))
        && is_word
        && behind.strip_prefix(' ').is_some_and(|next| next.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Where the value of an option is that is set to one: `--password to abc1`; a word of letters is prose.
pub(super) fn set_to(rest: &str, value: Range<usize>) -> Range<usize> {
    let behind = rest.get(value.end..).filter(|_| rest.get(value.clone()) == Some("to")).unwrap_or_default();
    let next = value_after(behind);
    let has_digits = behind.get(next.clone()).is_some_and(|next| next.contains(|c: char| c.is_ascii_digit()));
    if has_digits { value.end + next.start..value.end + next.end } else { value }
}

/// What stands for a value in help, and words that say something of an option.
const STANDING: [&str; 66] = [
    "TEXT",
    "KEY",
    "PASSWORD",
    "STRING",
    "VALUE",
    "TOKEN",
    "SECRET",
    "PASS",
    "and",
    "or",
    "flag",
    "flags",
    "option",
    "options",
    "argument",
    "arguments",
    "parameter",
    "parameters",
    "is",
    "are",
    "must",
    "can",
    "should",
    "requires",
    "when",
    "if",
    "to",
    "on",
    "in",
    "as",
    "from",
    "for",
    "with",
    "at",
    "by",
    "of",
    "instead",
    "which",
    "that",
    "via",
    "into",
    "using",
    "because",
    "so",
    "but",
    "was",
    "may",
    "will",
    "needs",
    "takes",
    "accepts",
    "the",
    "a",
    "an",
    "here",
    "it",
    "you",
    "this",
    "not",
    "expected",
    "unexpected",
    "found",
    "Did",
    "invalid",
    "missing",
    "conflicts",
];

/// Whether an option that a text ends with stands in quotes or backticks of its own, before words that say
/// something of it: `` `--api-key` sets it``.
pub(super) fn is_told_of(text: &str, rest: &str) -> bool {
    let Some(quote) = text.chars().next_back().filter(|c| matches!(c, '`' | '"' | '\'')) else {
        return false;
    };
    let inner = text.get(..text.len() - 1).unwrap_or_default();
    let of_option = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let is_own = inner.trim_end_matches(of_option).ends_with(quote);
    let near = rest.get(..rest.floor_char_boundary(HEADER_MOST * 2)).unwrap_or_default().trim_start();
    let words = near.split([' ', '\n']).take(2);
    let of_prose = |word: &str| word.trim_end_matches([',', '.', ':', ';']).chars().all(char::is_alphabetic);
    is_own
        && (quote == '`' || words.filter(|word| !word.is_empty() && of_prose(word)).count() == 2)
        && !near.starts_with(['`', '"', '\''])
}

/// Whether a text has options of a command: a dash behind no letter, before one or another dash.
pub(super) fn may_have_options(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'-', bytes).any(|at| {
        let (before, behind) = bytes.split_at(at);
        let begins = match before {
            [] | [.., b'\\', b'n' | b'r' | b't'] => true,
            [.., last] => !last.is_ascii_alphanumeric(),
        };
        matches!(behind, [_, b'-', ..]) || begins && behind.get(1).is_some_and(u8::is_ascii_alphabetic)
    })
}

/// Headers that are secret, in small letters: in a list their value stands behind them.
const HEADERS: [&str; 7] = [
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cookie",
    "set-cookie",
];

/// Whether an element of a list says that the next one is secret: an option of a command, a header.
pub(super) fn announces_next(element: &str) -> bool {
    is_secret_option(element)
        || HEADERS.iter().any(|header| element.eq_ignore_ascii_case(header))
        || is_header(element) && is_secret(element)
}

/// Whether a word is written like a header: `X-Auth-Token`, `x-functions-key`, `PRIVATE-TOKEN`.
fn is_header(word: &str) -> bool {
    let begun = word.starts_with(|c: char| c.is_ascii_uppercase()) || word.starts_with("x-");
    let parted = word.len() <= HEADER_MOST && word.bytes().filter(|byte| *byte == b'-').count() > 0;
    begun && parted && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Letters of the name of a header, at most.
const HEADER_MOST: usize = 40;

/// Options and headers by their names.
#[cfg(test)]
pub(super) fn every_option() -> impl Iterator<Item = &'static str> + Clone {
    // Each has a dash before it.
    OPTIONS.into_iter().chain(HEADERS).map(|name| if name == "pw" { "-pw" } else { name })
}

/// How tools that fetch pages are given a user and a password, `user:password`, in full …
const USER_OPTIONS: [&str; 2] = ["--user", "--proxy-user"];

/// … and in short: behind options of one letter without a value, `-ksu`.
const FLAGS: &str = "aBfgGiIjJklLMnNOpqRsSvV0123456#";

/// Whether a word is such an option alone.
pub(super) fn is_user_option(word: &str) -> bool {
    behind_user_option(word) == Some("")
}

/// Where the password stands in a user that has one.
pub(super) fn password_of(user: &str) -> Option<usize> {
    let (name, password) = user.split_once(':')?;
    let is_one = !name.is_empty()
        && !name.contains(|c: char| c.is_whitespace() || c == '/')
        && !password.is_empty()
        && !password.starts_with('/');
    is_one.then_some(name.len() + 1)
}

/// Where the password stands in a user with one; at the end of a user without. `named`: the user stands
/// before.
pub(super) fn password_after(text: &str, named: bool) -> Range<usize> {
    let start = text.len() - text.trim_start_matches(AROUND_SIGN).len();
    let quote =
        text.get(..start).and_then(|lead| lead.chars().next_back()).filter(|c| matches!(c, '"' | '\''));
    let rest = text.get(start..).unwrap_or_default();
    let ends = |c: char| match quote {
        Some(quote) => c == quote,
        None => c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ';' | '&' | '|' | '<' | '>'),
    };
    let end = rest.find(ends).unwrap_or(rest.len());
    let value = start..start + rest.get(..end).map_or(end, |inner| inner.trim_end_matches('\\').len());
    if named {
        return value;
    }
    let colon = text.get(value.clone()).and_then(|user| user.find(':'));
    // A quote may end the user before it: `-u 'bob':'abc'`.
    let behind = quote.and_then(|quote| text.get(end + start..)?.strip_prefix(quote)?.strip_prefix(':'));
    if let Some(own) = behind.filter(|_| colon.is_none()) {
        let begin = text.len() - own.len();
        return match own.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            Some(quote) => begin + 1..begin + 1 + quoted(own.get(1..).unwrap_or_default(), quote),
            None => begin..begin + own.find(char::is_whitespace).unwrap_or(own.len()),
        };
    }
    let begin = colon.map_or(value.end, |colon| value.start + colon + 1);
    // In quotes of its own: `-u bob:'abc'`.
    let own = text.get(begin..).unwrap_or_default();
    match own.chars().next().filter(|c| matches!(c, '"' | '\'') && quote.is_none() && begin == value.end) {
        Some(quote) => begin + 1..begin + 1 + quoted(own.get(1..).unwrap_or_default(), quote),
        None => begin..value.end,
    }
}

/// What stands right behind such an option; none where it is another one.
pub(super) fn behind_user_option(name: &str) -> Option<&str> {
    if USER_OPTIONS.contains(&name) {
        return Some("");
    }
    let letters = name.strip_prefix('-')?.trim_start_matches(|c| FLAGS.contains(c));
    letters.strip_prefix(['u', 'U'])
}

/// Such tools.
const FETCHING: [&str; 2] = ["curl", "wget"];

static FETCHERS: LazyLock<[Finder; 2]> = LazyLock::new(|| FETCHING.map(Finder::new));

/// Bytes of a command in which its name is looked for.
const COMMAND: usize = 1024;

/// Whether a text may name one.
pub(super) fn may_fetch(text: &str) -> bool {
    FETCHERS.iter().any(|tool| tool.find(text.as_bytes()).is_some())
}

/// The command that a text ends within: what parts commands stands in no quotes, and no line goes on.
fn last_command(text: &str) -> &str {
    let (mut quote, mut start, mut before) = (None, 0, ' ');
    for (at, c) in text.char_indices() {
        let behind = text.get(at + 1..).unwrap_or_default();
        let parts = match c {
            '"' | '\'' if quote == Some(c) => {
                quote = None;
                false
            }
            '"' | '\'' if quote.is_none() => {
                quote = Some(c);
                false
            }
            '\n' => quote.is_none() && !matches!(before, '\\' | '^' | '`'),
            // `2>&1`.
            '&' => quote.is_none() && before != '>',
            '`' => quote.is_none() && !behind.starts_with(['\n', '\r']),
            '|' | ';' | '(' => quote.is_none(),
            _ => false,
        };
        if parts {
            start = at + 1;
        }
        if c != '\r' {
            before = c;
        }
    }
    text.get(start..).unwrap_or_default()
}

/// Whether a command that fetches pages stands before one of its options.
pub(super) fn fetches(before: &str, option: &str) -> bool {
    // Of wget it is the browser that it says to be.
    let tools = if option.contains('U') { &FETCHING[..1] } else { &FETCHING[..] };
    let near =
        before.get(before.floor_char_boundary(before.len().saturating_sub(COMMAND))..).unwrap_or_default();
    let command = last_command(near);
    // Other things may stick to it, as marks of Markdown and of a diff.
    let mut words = command.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || c == '-'));
    words.any(|word| tools.contains(&word.trim_start_matches('-').trim_end_matches(".exe")))
}
