//! Credentials in running text: `key=value`, `Header: value`, `--option value`, `Bearer value`.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::names::{MASK_IN_ADDRESS, is_secret, may_end_with_secret};

/// Names and values in running text.
pub(super) fn mask_pairs(text: &str) -> Cow<'_, str> {
    let signs = Signs::of(text);
    let mut out = String::new();
    let (mut written, mut from) = (0, 0);
    while let Some(at) = signs.next(from) {
        from = at + 1;
        let Some(value) = signs.credential(at, written) else { continue };
        out.push_str(text.get(written..value.start).unwrap_or_default());
        out.push_str(MASK_IN_ADDRESS);
        written = value.end;
        from = written;
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

/// The signs of a text behind which a value may stand.
struct Signs<'a> {
    text: &'a str,
    /// It has options of a command: `--api-key abc`.
    options: bool,
    /// It names a tool that is given users: `curl -u user:abc`.
    users: bool,
    /// Blanks are among them: they are many, and behind most no credential can stand.
    blanks: bool,
}

impl<'a> Signs<'a> {
    fn of(text: &'a str) -> Self {
        let options = memmem::find(text.as_bytes(), b"--").is_some();
        let users = FETCHING.iter().any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some());
        Self { text, options, users, blanks: options || users || may_announce(text) }
    }

    /// The next one at or behind a byte.
    fn next(&self, from: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(from..)?;
        let at = if self.blanks {
            memchr::memchr3(b'=', b':', b' ', rest)
        } else {
            memchr::memchr2(b'=', b':', rest)
        };
        at.map(|at| from + at)
    }

    /// The credential behind a sign, of which the name does not begin before a byte.
    fn credential(&self, at: usize, from: usize) -> Option<Range<usize>> {
        let Self { text, options, users, .. } = *self;
        let sign = text.as_bytes().get(at);
        let scheme = sign == Some(&b' ');
        // Few words end like one that announces a credential.
        let last = at.checked_sub(1).and_then(|last| text.as_bytes().get(last));
        if scheme
            && !options
            && !matches!(last, Some(b'r' | b'R' | b'c' | b'u' | b'"' | b'\'' | b'\\' | b' '))
        {
            return None;
        }
        let word = text.get(from..at).unwrap_or_default().trim_end_matches(BEHIND_NAME);
        if !scheme && !users && !may_end_with_secret(word) {
            return None;
        }
        let near = text.floor_char_boundary(at.saturating_sub(NEAR).max(from));
        let name = last_name(text.get(near..at).unwrap_or_default());
        // What masks say of themselves is none.
        let option = scheme && name.starts_with("--") && name != "--show-secrets" && is_secret(name);
        // A user may stand right behind its option: `-uabc:password`.
        let option_of_user = USER_OPTIONS.contains(&name);
        let glued = !option_of_user && sign == Some(&b':') && name.starts_with("-u");
        let user = users && (glued || option_of_user) && fetches(text.get(..at).unwrap_or_default());
        let rest = text.get(at + 1..).unwrap_or_default();
        if !user && !option && !(if scheme { announces(name, rest) } else { is_secret(name) }) {
            return None;
        }
        let mut value = if user { password_after(rest, glued) } else { value_after(rest) };
        let header = last_letters(name);
        let named = |before: &str| before.contains(|c: char| c.is_ascii_alphabetic());
        if header.ends_with("cookie") {
            value.end += further_cookies(rest.get(value.end..).unwrap_or_default());
        } else if header.ends_with("authorization") && !rest.get(..value.start).is_some_and(named) {
            value.end += behind_scheme(rest, &value);
        }
        // `Basic` and `Bearer` are words, too.
        let is_long = !scheme || option || user || value.len() >= 8;
        let masked = matches!(rest.get(value.clone()), Some("" | MASK_IN_ADDRESS));
        (is_long && !masked).then_some(at + 1 + value.start..at + 1 + value.end)
    }
}

/// How tools that fetch pages are given a user and a password: `user:password`.
const USER_OPTIONS: [&str; 3] = ["-u", "--user", "--proxy-user"];

/// Such tools.
const FETCHING: [&str; 2] = ["curl", "wget"];

/// Bytes of a command in which its name is looked for.
const COMMAND: usize = 1024;

/// Whether a command that fetches pages stands before one of its options.
fn fetches(before: &str) -> bool {
    let near =
        before.get(before.floor_char_boundary(before.len().saturating_sub(COMMAND))..).unwrap_or_default();
    let command = near.rsplit(['\n', '|', ';', '&', '`', '(']).next().unwrap_or_default();
    let words = command.split([' ', '"', '\'', '\\', '\t']);
    words.map(|word| word.rsplit('/').next().unwrap_or_default()).any(|word| FETCHING.contains(&word))
}

/// Where the password stands in a user with one; at the end of a user without. `named`: the user stands
/// before.
fn password_after(text: &str, named: bool) -> Range<usize> {
    let start = text.len() - text.trim_start_matches([' ', '"', '\'', '\\']).len();
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
    colon.map_or(value.end, |colon| value.start + colon + 1)..value.end
}

fn last_letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect()
}

/// Length of the cookies that stand behind the first one of a header: `; b=2; c=3`.
fn further_cookies(text: &str) -> usize {
    let mut end = 0;
    while let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix(';')) {
        let pair = rest.trim_start_matches(' ');
        let ends = |c: char| c.is_whitespace() || matches!(c, ';' | ',' | '"' | '\'' | '<');
        let length = pair.find(ends).unwrap_or(pair.len());
        if !pair.get(..length).is_some_and(|pair| pair.contains('=')) {
            break;
        }
        end = text.len() - pair.len() + length;
    }
    end
}

/// Length of the credential behind the name of a scheme: `Token abc`, `Digest username="a", response="b"`.
fn behind_scheme(text: &str, scheme: &Range<usize>) -> usize {
    let word = text.get(scheme.clone()).unwrap_or_default();
    let is_name = word.len() <= SCHEME_MOST && !word.bytes().all(|byte| byte.is_ascii_digit());
    let rest = text.get(scheme.end..).unwrap_or_default();
    let line = rest.split(['\n', '\r', '<']).next().unwrap_or_default();
    if !is_name || !line.starts_with([' ', '\t']) {
        return 0;
    }
    let token = line.trim_start_matches([' ', '\t']);
    let length = token.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')).unwrap_or(token.len());
    // Parameters go on to the end of the line.
    let (first, behind) = token.split_at_checked(length).unwrap_or_default();
    if first.contains('=') && (!first.ends_with('=') || behind.starts_with('"')) {
        return line.trim_end().len();
    }
    line.len() - token.len() + length
}

/// Letters of the name of a scheme, at most.
const SCHEME_MOST: usize = 24;

/// Bytes before a value in which its name is looked for.
const NEAR: usize = 128;

/// How a credential is announced that has no name of its own.
const SCHEMES: [&str; 2] = ["Bearer", "Basic"];

/// Whether a text holds a word that announces a credential.
fn may_announce(text: &str) -> bool {
    let begins = |at: usize, word: &str| {
        text.as_bytes().get(at..at + word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
    };
    let mut places = memchr::memchr2_iter(b'b', b'B', text.as_bytes());
    places.any(|at| SCHEMES.iter().any(|word| begins(at, word)))
}

/// Whether a word announces a credential. Small it is a word like others: what follows has to look like a
/// token.
fn announces(word: &str, rest: &str) -> bool {
    let token =
        || value_of(rest).contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '~' | '+'));
    SCHEMES.contains(&word) || word.eq_ignore_ascii_case("bearer") && token()
}

fn value_of(rest: &str) -> &str {
    rest.get(value_after(rest)).unwrap_or_default()
}

/// What may stand between a name and the sign behind it.
const BEHIND_NAME: [char; 4] = ['"', '\'', '\\', ' '];

/// The name that a text ends with, without quotes behind it.
fn last_name(text: &str) -> &str {
    let text = text.trim_end_matches(BEHIND_NAME);
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.get(text.trim_end_matches(of_name).len()..).unwrap_or_default()
}

/// Where the value is that a text begins with: behind blanks, quotes and how it is announced.
fn value_after(text: &str) -> Range<usize> {
    let mut start = text.len() - text.trim_start_matches([' ', '"', '\'', '\\']).len();
    let rest = text.get(start..).unwrap_or_default();
    let announced = |scheme: &&&str| {
        let word = rest.get(..scheme.len()).is_some_and(|word| word.eq_ignore_ascii_case(scheme));
        word && rest.as_bytes().get(scheme.len()) == Some(&b' ')
    };
    start += SCHEMES.iter().find(announced).map_or(0, |scheme| scheme.len() + 1);
    let rest = text.get(start..).unwrap_or_default();
    // What stands in quotes goes on to the next one.
    let quote =
        text.get(..start).and_then(|lead| lead.chars().next_back()).filter(|c| matches!(c, '"' | '\''));
    if let Some(end) = quote.and_then(|quote| rest.find(quote)) {
        let end = rest.get(..end).map_or(end, |inner| inner.trim_end_matches('\\').len());
        return start..start + end;
    }
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '&' | '"' | '\'' | ')' | ']' | '}' | '<' | '•')
    };
    start..start + rest.find(ends).unwrap_or(rest.len())
}
