//! Credentials in running text: `key=value`, `Header: value`, `--option value`, `Bearer value`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::cookies::{further_cookies, quoted_cookie};
use super::databases::mask_statements;
use super::described::{
    is_algorithm, is_described, is_of_passwd, is_own_name, is_progress, is_state, judged,
};
use super::elements::{NEAR, in_element};
use super::expression::{OF_CODE, Walks, without_assignment};
use super::gate::may_name;
use super::lines::{closes_label, of_lines};
use super::names::{MASK_IN_ADDRESS, is_secret, is_secret_parameter, may_end_with_secret};
use super::objects::mask_objects;
use super::options::{
    behind_user_option, fetches, is_help, is_no_value, is_secret_option, is_told_of, may_fetch,
    may_have_options, password_after, set_to,
};
use super::private_keys::mask_keys;
use super::prose::{is_amount, is_label, is_of_several, is_page, is_sentence};
use super::ranges::again;
use super::schemes::{announces, behind_scheme, may_announce};
use super::shapes::mask_shapes;
use super::spans::Spans;
use super::stated::mask_stated;
use super::typed::mask_typed;
use super::types::is_variable;
use super::values::{AROUND_SIGN, BLANKS, bracketed, instead, is_scheme, value_after, value_behind};

/// Names and values in running text.
pub(super) fn mask_pairs(text: &str) -> Cow<'_, str> {
    mask(text, |_| true)
}

/// The same where the text may be a document: only values that look like credentials.
pub(super) fn mask_tokens(text: &str) -> Cow<'_, str> {
    mask(text, |value| value.len() >= TOKEN_LEAST && value.contains(|c: char| c.is_ascii_digit()))
}

/// Letters of a credential, at least, where words stand beside it.
const TOKEN_LEAST: usize = 6;

fn mask(text: &str, is_masked: impl Fn(&str) -> bool) -> Cow<'_, str> {
    // All but these need a name, and a sign beside their value.
    if is_word(text) || !may_name(text) {
        return mask_shapes(text);
    }
    let known = again(again(mask_keys(text), mask_shapes), |text| mask_statements(text, &is_masked));
    let known = again(known, |text| mask_objects(text, &is_masked));
    let known = again(known, |text| mask_typed(text, &is_masked));
    let known = again(known, |text| mask_stated(text, &is_masked));
    again(known, |text| mask_named(text, &is_masked))
}

/// Whether a text is one word without any sign behind which a value could stand, as ids are.
pub(super) fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

static ADK: LazyLock<Finder> = LazyLock::new(|| Finder::new("temp:adk_"));

fn mask_named<'t>(text: &'t str, is_masked: &impl Fn(&str) -> bool) -> Cow<'t, str> {
    let (signs, spans) = (Signs::of(text), Spans::of(text));
    let mut out = String::new();
    let (mut written, mut from, mut walks) = (0, 0, Walks::default());
    while let Some(at) = signs.next(from) {
        from = at + 1;
        let Some(value) = signs.credential(at, written) else { continue };
        let end = spans.end(at, value.start);
        let Some(value) = spans.within(value, end) else { continue };
        let mut last = without_assignment(text, value);
        let mut all = vec![last.clone()];
        while let Some(next) = changed(text, last.end) {
            all.push(next.clone());
            last = next;
        }
        if !matches!(text.as_bytes().get(at), Some(b' ' | b'\t' | b'>')) {
            all.extend(walks.texts_behind(text, &last).into_iter().filter(|found| found.end <= end));
        }
        for value in all {
            from = from.max(value.end);
            let is_secret = |value: &str| {
                !matches!(value, "" | MASK_IN_ADDRESS)
                    && !OF_CODE.contains(&value)
                    && !is_variable(value)
                    && is_masked(value)
            };
            if text.get(value.clone()).is_some_and(is_secret) {
                out.push_str(text.get(written..value.start).unwrap_or_default());
                out.push_str(MASK_IN_ADDRESS);
                written = value.end;
            }
        }
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

/// What a value becomes that ends at a byte, `"abc" -> "def"`, or what stands in its place: a default, what a
/// type has, `env.API_KEY || "abc"`, `str = "abc"`.
fn changed(text: &str, end: usize) -> Option<Range<usize>> {
    let rest = text.get(end..)?;
    let arrow = nothing(rest.trim_start_matches(AROUND_SIGN));
    let becomes = || ["->", "=>", "\u{2192}"].iter().find_map(|sign| arrow.strip_prefix(sign));
    let behind = becomes().or_else(|| instead(rest))?;
    let value = value_after(behind);
    let from = end + rest.len() - behind.len();
    // The name of the next one: `"password": "abc" or "api_key": "def"`.
    let next = behind.get(value.end..)?.trim_start_matches(AROUND_SIGN);
    let quoted = behind.get(..value.start)?.ends_with(['"', '\'']);
    let is_none = value.is_empty() || quoted && next.starts_with(':');
    (!is_none).then_some(from + value.start..from + value.end)
}

/// A text without what stands before an arrow where there is no value, or none is shown: `<nil>`,
/// `(sensitive value)`.
fn nothing(text: &str) -> &str {
    let close = if text.starts_with('<') { '>' } else { ')' };
    let near = text.get(..text.floor_char_boundary(NOTHING_MOST)).unwrap_or_default();
    let end = near.find(close).filter(|_| text.starts_with(['<', '(']));
    end.and_then(|end| text.get(end + 1..)).map_or(text, |behind| behind.trim_start_matches(BLANKS))
}

/// Bytes of that, at most.
const NOTHING_MOST: usize = 32;

/// The signs of a text behind which a value may stand.
struct Signs<'a> {
    text: &'a str,
    /// It names a tool that is given users: `curl -u user:abc`.
    users: bool,
    /// Blanks are among them: they are many, and behind most no credential can stand.
    blanks: bool,
    /// Where it first names what ADK keeps of a tool that authorised: `temp:adk_oauth2_1`.
    adk: Option<usize>,
}

impl<'a> Signs<'a> {
    fn of(text: &'a str) -> Self {
        let users = may_fetch(text);
        let adk = ADK.find(text.as_bytes());
        Self { text, users, blanks: may_have_options(text) || users || may_announce(text), adk }
    }

    /// The next one at or behind a byte.
    fn next(&self, from: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(from..)?;
        let at = if self.blanks {
            rest.iter().position(|byte| matches!(byte, b'=' | b':' | b'>' | b' ' | b'\t'))
        } else {
            memchr::memchr3(b'=', b':', b'>', rest)
        };
        at.map(|at| from + at)
    }

    /// The credential behind a sign, of which the name does not begin before a byte.
    fn credential(&self, at: usize, from: usize) -> Option<Range<usize>> {
        let Self { text, users, .. } = *self;
        let sign = text.as_bytes().get(at);
        if sign == Some(&b'>') {
            return in_element(text, at, from);
        }
        let scheme = matches!(sign, Some(b' ' | b'\t'));
        // Behind an empty value nothing is its own any more. Few words end like one that announces a
        // credential, or are options.
        let lead = text.get(..at).unwrap_or_default();
        let is_none = || EMPTY.iter().any(|empty| lead.ends_with(empty)) || !may_announce_at(lead.as_bytes());
        if scheme && is_none() {
            return None;
        }
        // Behind a run of signs stands no name, however long it is.
        let begin = text.floor_char_boundary(at.saturating_sub(NEAR).max(from));
        let near = text.get(begin..at).unwrap_or_default();
        let next = text.as_bytes().get(at + 1);
        let (assigns, printed) = (sign == Some(&b'=') || next == Some(&b'='), next == Some(&b'>'));
        let near = if scheme { before_element(near) } else { before_sign(near, assigns, printed) };
        let told = without_quotes(near);
        if !scheme && self.adk.is_some_and(|first| first < at) && is_of_adk(told) {
            return of_adk(text, at);
        }
        if !scheme && !users && !may_end_with_secret(told) && !is_joined(told) {
            return None;
        }
        let name = last_name(near);
        let option = is_secret_option(name);
        // A user may stand right behind its option: `-uabc:password`.
        let behind_option = if users { behind_user_option(name) } else { None };
        let glued = sign == Some(&b':') && behind_option.is_some_and(|user| !user.is_empty());
        let option_of_user = behind_option == Some("");
        let user = (glued || option_of_user) && fetches(lead, name);
        let rest = text.get(at + 1..).unwrap_or_default();
        let parameter = sign == Some(&b'=') && is_parameter(near, name);
        // Of an empty one in a line of a request the version of the protocol stands behind it.
        if parameter && rest.starts_with(BLANKS) {
            return None;
        }
        let pair = name == "auth" && sign == Some(&b'=') && rest.starts_with('(');
        let secret = || is_secret(name) || parameter || pair || is_spaced(near, name);
        if !user && !option && !(if scheme { announces(name, rest) } else { secret() }) {
            return None;
        }
        if !scheme && let Some(known) = of_lines(text, at) {
            return known.value();
        }
        let value =
            if user { password_after(rest, glued) } else { set_to(rest, whole_value(rest, sign, name)?) };
        let is_none = if scheme {
            is_no_value(rest, &value, user)
                || option && (is_told_of(lead, rest) || is_help(lead, rest, &value))
        } else {
            closes_label(text, at, value.start) || is_folder(name, rest.get(value.clone()))
        };
        // `Basic` and `Bearer` are words, too.
        let is_long = !scheme || option || user || value.len() >= 8;
        (is_long && !is_none).then_some(at + 1 + value.start..at + 1 + value.end)
    }
}

/// Whether the quote that a text begins with ends a text that is joined to another, or to a call.
fn is_joined_text(text: &str) -> bool {
    let behind = text.strip_prefix(['"', '\'', '`']).map(str::trim_start);
    let joints = ["+", "&", "<>", ". ", ".concat("];
    behind.is_some_and(|behind| joints.iter().any(|joint| behind.starts_with(joint)))
}

/// Whether a value is the folder that a shell works in.
fn is_folder(name: &str, value: Option<&str>) -> bool {
    let is_path = |value: &str| value.starts_with(['/', '~', '.']) && value.contains('/');
    name.eq_ignore_ascii_case("pwd") && value.is_some_and(is_path)
}

/// A text without what stands between two elements of a list in YAML, where the first is an option:
/// `[--password, abc]`, `- --password` with `- abc` on the next line.
fn before_element(near: &str) -> &str {
    let line = near.strip_suffix('-').map(|lead| lead.trim_end_matches(BLANKS));
    let line = line.and_then(|lead| lead.strip_suffix('\n')).map(str::trim_end);
    let in_line = near.strip_suffix(',').filter(|lead| lead.ends_with(|c: char| c.is_ascii_alphanumeric()));
    let element = in_line.or(line);
    element.filter(|element| is_secret_option(last_name(element))).unwrap_or(near)
}

/// A text without what may stand between a name and the sign behind it: `+=`, `?=`, `!=`, `?:` of a field
/// that may be absent, the type as Go names it (`password string =`), a bracket as PHP prints it
/// (`[password] =>`).
fn before_sign(near: &str, assigns: bool, printed: bool) -> &str {
    // The element that a name stands in: `<b>Password</b>: abc`.
    let tag = near.strip_suffix('>').and_then(|inner| inner.rsplit_once("</"));
    let near = tag
        .filter(|(_, tag)| tag.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .map_or(near, |(name, _)| name);
    let near = near.strip_suffix(['+', '?', '!']).unwrap_or(near);
    let typed = TYPES.iter().find_map(|word| near.trim_end().strip_suffix(word)).or_else(|| of_column(near));
    let near = typed.filter(|_| assigns).unwrap_or(near);
    let Some(name) = near.trim_end().strip_suffix(']').filter(|_| assigns && printed) else { return near };
    // Of an object who may see it stands behind, and of what class it is.
    let Some((name, "protected" | "private")) = name.rsplit_once(':') else { return name };
    name.rsplit_once(":\"").filter(|(_, class)| class.ends_with('"')).map_or(name, |(name, _)| name)
}

/// A text without the type of a column that it ends with: `@password NVARCHAR(50)`.
fn of_column(near: &str) -> Option<&str> {
    let own = near.trim_end();
    let own = own.strip_suffix(')').and_then(|inner| inner.rsplit_once('(')).map_or(own, |(own, _)| own);
    let (name, word) = own.trim_end().rsplit_once(' ')?;
    COLUMNS.iter().any(|known| word.eq_ignore_ascii_case(known)).then_some(name)
}

/// Types of texts in SQL.
const COLUMNS: [&str; 7] = ["varchar", "nvarchar", "varchar2", "nvarchar2", "char", "nchar", "text"];

/// Types of texts, behind a name.
const TYPES: [&str; 2] = [" string", " String"];

/// A value in quotes that is empty.
const EMPTY: [&str; 3] = ["\"\"", "''", "\\\"\\\""];

/// Whether a text may end with what announces what stands behind a blank: the name of a scheme, an option, or
/// one of them in quotes.
fn may_announce_at(before: &[u8]) -> bool {
    let of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let Some(last) = before.last() else { return false };
    if !of_word(&last) {
        return b"\"'\\ \t\xA0*`],".contains(last);
    }
    let length = before.iter().rev().take(NEAR).take_while(of_word).count();
    let word = before.get(before.len() - length..).unwrap_or_default();
    // A line may end before it as Python writes it.
    b"rRcC".contains(last) || matches!(word, [b'-', ..] | [b'n' | b'r' | b't', b'-', ..])
}

/// Whether a text ends with the name of what ADK keeps.
fn is_of_adk(text: &str) -> bool {
    let name = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    name.ends_with("temp:") && text.get(name.len()..).is_some_and(|name| name.starts_with("adk_"))
}

/// All of it, behind the sign after its name.
fn of_adk(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at + 1..)?;
    let value = rest.trim_start_matches(BLANKS);
    let start = rest.len() - value.len();
    let value = if value.starts_with(['{', '[']) {
        start..start + bracketed(value)
    } else {
        value_behind(rest, None)
    };
    let masked = matches!(rest.get(value.clone()), Some("" | MASK_IN_ADDRESS));
    (!masked).then_some(at + 1 + value.start..at + 1 + value.end)
}

/// Where all of the value is behind a sign and its name; none where it is a sentence.
fn whole_value(rest: &str, sign: Option<&u8>, name: &str) -> Option<Range<usize>> {
    if matches!(sign, Some(b' ' | b'\t')) && is_joined_text(rest) {
        return None;
    }
    let mut value = value_behind(rest, sign);
    let header = last_letters(name);
    let (own, behind) = (rest.get(value.clone())?, rest.get(value.end..)?);
    let is_header = header.ends_with("authorization");
    if sign == Some(&b':')
        && let Some(judged) = judged(own, behind)
    {
        return Some(value.end + judged.start..value.end + judged.end);
    }
    if sign == Some(&b':')
        && (is_label(own, name)
            || is_amount(own, behind)
            || is_page(own)
            || is_described(own, behind)
            || is_progress(own, behind)
            || is_state(own, name)
            || is_own_name(own, behind, name)
            || is_of_passwd(own, behind, name)
            || is_algorithm(own)
            || (is_header || is_of_several(&header)) && is_sentence(own, behind))
    {
        return None;
    }
    let named = |before: &str| before.contains(|c: char| c.is_ascii_alphabetic());
    if header.ends_with("cookie") {
        value.end += quoted_cookie(rest, value.end);
        value.end += further_cookies(rest.get(value.end..).unwrap_or_default());
    } else if is_of_header(rest.get(value.clone()).unwrap_or_default())
        && sign == Some(&b':')
        && !is_assigned(rest.get(value.end..).unwrap_or_default())
    {
        value.end += behind_scheme(rest, &value);
        return Some(value);
    } else if header.ends_with("authorization") && !rest.get(..value.start).is_some_and(named) {
        value.end += behind_scheme(rest, &value);
    }
    // A short word that others follow is one of a sentence: `The Secret: A Novel`.
    let is_prose = sign == Some(&b':')
        && !header.ends_with("authorization")
        && rest.get(value.clone()).is_some_and(is_short_word)
        && rest.get(value.end..).is_some_and(goes_on);
    (!is_prose).then_some(value)
}

/// Whether a type stands before a text, of which the value is behind a sign: ` = "abc"`.
fn is_assigned(behind: &str) -> bool {
    behind.trim_start_matches(BLANKS).starts_with("= ")
}

/// Whether a word says what stands behind it in headers of services: `X-Auth-Token: Token abc`.
fn is_of_header(word: &str) -> bool {
    ["Token", "ApiKey", "Api-Key", "Key", "Bot"].contains(&word)
}

fn is_short_word(value: &str) -> bool {
    (1..=4).contains(&value.len()) && value != "new" && value.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether a text goes on with a word.
fn goes_on(text: &str) -> bool {
    text.strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

fn last_letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a name is a parameter of an address without its host: `GET /v1/models?key=`.
fn is_parameter(near: &str, name: &str) -> bool {
    let before = near.trim_end_matches(AROUND_SIGN).strip_suffix(name).unwrap_or_default();
    before.ends_with(['?', '&']) && is_secret_parameter(name)
}

/// Whether a name is the second of two words that are one: `API key:`, also where it is `provided:`.
fn is_spaced(near: &str, name: &str) -> bool {
    let before = || near.trim_end_matches(AROUND_SIGN).strip_suffix(name).unwrap_or_default();
    if JOINING.contains(&name) {
        let mut named = last_name(before());
        if name == "be" && matches!(named, "should" | "would" | "must") {
            named = last_name(before().strip_suffix(named).unwrap_or_default().trim_end());
        }
        return !JOINING.contains(&named) && (is_secret(named) || is_spaced(before(), named));
    }
    // Errors of Ruby say what has no such method; an address goes on: `API key for https://a.example: abc`.
    let is_object = |whom: &str| {
        matches!(whom.trim_start_matches(['\'', '"']), "nil" | "main" | "http" | "https")
            || whom.starts_with("#<")
    };
    let whom = near.trim_end_matches(AROUND_SIGN).rsplit_once(' ').filter(|(_, whom)| !is_object(whom));
    if let Some(before) = whom.and_then(|(before, _)| before.strip_suffix(FOR)) {
        let named = last_name(before);
        return is_secret(named) || is_spaced(before, named);
    }
    let last = last_letters(name);
    if !matches!(last.as_str(), "key" | "token" | "secret" | "keys" | "tokens" | "secrets") {
        return false;
    }
    let before = near.trim_end_matches(AROUND_SIGN).strip_suffix(name).unwrap_or_default();
    let Some(before) = before.strip_suffix(' ') else { return false };
    let first = last_name(before);
    !first.is_empty() && before.ends_with(first) && is_secret(&[first, name].concat())
}

/// What may stand between a name and the sign behind it: as OpenAI says it (`Incorrect API key provided:
/// abc`), and as sentences do (`the password is: abc`).
const JOINING: [&str; 4] = ["provided", "is", "was", "be"];
/// Of whom it is: `[sudo] password for bob: abc`.
const FOR: &str = " for";

/// Whether a text may end with such a word behind a name, or with whose it is.
fn is_joined(text: &str) -> bool {
    JOINING.iter().any(|word| text.strip_suffix(word).is_some_and(|before| before.ends_with([' ', '\t'])))
        || text.rsplit_once(' ').is_some_and(|(before, _)| before.ends_with(FOR))
}

/// A text without quotes and blanks behind it, nor the bracket that a name stands in behind another:
/// `x["password"]`, `user[password]`, `user[password][]`.
fn without_quotes(text: &str) -> &str {
    let text = text.trim_end_matches(AROUND_SIGN);
    let index = text.strip_suffix(']').map(|text| text.trim_end_matches(|c: char| c.is_ascii_digit()));
    let text = index.and_then(|text| text.strip_suffix('[')).unwrap_or(text);
    // Of several that one names: `passwords[alpha]`.
    let of_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let keyed = text.strip_suffix(']').and_then(|text| text.trim_end_matches(of_key).strip_suffix('['));
    if let Some(several) =
        keyed.filter(|several| may_end_with_secret(several) && is_secret(last_name(several)))
    {
        return several;
    }
    let Some(inner) = text.strip_suffix(']') else { return text };
    let bare = || {
        let before = inner.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let of_name = |c: char| c.is_ascii_alphanumeric() || c == ']';
        before.strip_suffix('[').is_some_and(|before| before.ends_with(of_name))
    };
    if inner.ends_with(['"', '\'']) || bare() { inner.trim_end_matches(AROUND_SIGN) } else { text }
}

/// The name that a text ends with, without quotes behind it.
fn last_name(text: &str) -> &str {
    let text = without_quotes(text);
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let (before, name) = text.split_at(text.trim_end_matches(of_name).len());
    // No blank stands before it where a line ends as Python writes it, nor in Chinese.
    let escaped = name.strip_prefix(['n', 'r', 't']).filter(|_| before.ends_with('\\'));
    let behind = escaped.or_else(|| name.rsplit(|c: char| !c.is_ascii()).next());
    behind.filter(|own| own.starts_with('-') || is_scheme(own)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn in_a_word_alone_nothing_has_a_name(word in "(key|token|password|bearer|temp|curl|--user|-u|sk-|[A-Za-z0-9._-]){0,12}") {
            prop_assert!(is_word(&word));
            prop_assert_eq!(mask_keys(&word), word.as_str());
            prop_assert_eq!(mask_statements(&word, &|_| true), word.as_str());
            prop_assert_eq!(mask_named(&word, &|_| true), word.as_str());
            prop_assert_eq!(super::super::mask_addresses(&word), word.as_str());
        }
    }

    proptest! {
        #[test]
        fn where_no_name_stands_nothing_is_masked_by_one(text in "(-u |--user|-P|user|value|name|id|code|bob:x1y|[a-z]{1,6}|[<>='\":;&?{}\\[\\], \n.\\\\_-]){0,16}") {
            prop_assume!(!may_name(&text));
            prop_assert_eq!(mask_keys(&text), text.as_str());
            prop_assert_eq!(mask_statements(&text, &|_| true), text.as_str());
            prop_assert_eq!(mask_objects(&text, &|_| true), text.as_str());
            prop_assert_eq!(mask_named(&text, &|_| true), text.as_str());
            prop_assert_eq!(super::super::near::mask_near(&text), text.as_str());
        }
    }

    #[test]
    fn a_quote_that_closes_a_label_begins_no_value_and_quotes_part_no_commands() {
        for (text, masked) in [
            ("print(\"Password:\")\napi_key = \"abc\"", "print(\"Password:\")\napi_key = \"masked\""),
            ("f('API key: ', k); pw = 'a'", "f('API key: ', k); pw = 'masked'"),
            ("\"password\": \"a\" or \"pw\": \"c\"", "\"password\": \"masked\" or \"pw\": \"masked\""),
            ("curl x \\\n  -u bob:abc", "curl x \\\n  -u bob:masked"),
            ("curl \"h?a=1&b=2\" -u bob:abc", "curl \"h?a=1&b=2\" -u bob:masked"),
        ] {
            assert_eq!(mask_pairs(text), masked);
            assert_eq!(mask_pairs(masked), masked);
        }
    }

    #[test]
    fn options_of_one_dash_and_what_a_value_becomes_are_masked() {
        for (text, masked) in [
            ("Connect-It -Password abc -Token d", "Connect-It -Password masked -Token masked"),
            ("keytool -storepass abc -alias x", "keytool -storepass masked -alias x"),
            ("openssl rsa -passin pass:abc", "openssl rsa -passin masked"),
            (r"sh\n-pw abc", r"sh\n-pw masked"),
            ("curl --api-key \\\n  abc x", "curl --api-key \\\n  masked x"),
            ("password = \"a\" -> \"c\"", "password = \"masked\" -> \"masked\""),
            ("api_key: a => b", "api_key: masked => masked"),
            ("<password><![CDATA[abc]]></password>", "<password><![CDATA[masked]]></password>"),
            ("<property name=\"password\">abc</property>", "<property name=\"password\">masked</property>"),
            ("A_PASSWORD=\"\"\nAPI_KEY=\"abc\"", "A_PASSWORD=\"\"\nAPI_KEY=\"masked\""),
            ("C(password='***', api_key='abc')", "C(password='masked', api_key='masked')"),
            ("{ apiKey: '', apiSecret: 'abc' }", "{ apiKey: '', apiSecret: 'masked' }"),
            ("--password=\"\" --secret \"abc\"", "--password=\"\" --secret \"masked\""),
            ("password = \"\" -> \"abc\"", "password = \"\" -> \"masked\""),
            ("password=\"\"\"abc\"\"\" x", "password=\"\"\"masked\"\"\" x"),
            (r#"password=\"\"\nAPI_KEY=\"abc\""#, r#"password=\"\"\nAPI_KEY=\"masked\""#),
            ("--password ^\r\n  abc", "--password ^\r\n  masked"),
            ("curl -d 'user[password]=abc'", "curl -d 'user[password]=masked'"),
            (
                "$Password = ConvertTo-SecureString \"abc\" -Force",
                "$Password = ConvertTo-SecureString \"masked\" -Force",
            ),
            ("-H \"X-Api-Key: \" \"abc\"", "-H \"X-Api-Key: \" \"masked\""),
            ("password += abc; api_key ?= d", "password += masked; api_key ?= masked"),
            ("password=$'abc' api_key = @\"d\"", "password=$'masked' api_key = @\"masked\""),
            ("api_key=SecretStr('abc'), b=1", "api_key=SecretStr('masked'), b=1"),
            (
                "passwords[alpha]=abc, password[my_sql]: d",
                "passwords[alpha]=masked, password[my_sql]: masked",
            ),
            ("curl -u :abc h", "curl -u :masked h"),
            ("curl -u 'bob':'abc' h", "curl -u 'bob':'masked' h"),
            ("{\"password\": `my abc`, b: `c`}", "{\"password\": `masked`, b: `c`}"),
            ("-SECRET_KEY = 'abc'", "-SECRET_KEY = 'masked'"),
            ("+curl -u bob:abc h", "+curl -u bob:masked h"),
            ("-curl -u bob:abc h", "-curl -u bob:masked h"),
            ("api_key_v2=abc API_KEY_PRODUCTION=d", "api_key_v2=masked API_KEY_PRODUCTION=masked"),
            ("Cookie: sid=\"abc\"; b=\"c\"; d=e x", "Cookie: masked x"),
            ("-H \"Cookie: sid=\" -v \"x\"", "-H \"Cookie: masked\" -v \"x\""),
            ("password=a \u{2192} b, -> c", "password=masked \u{2192} masked, -> c"),
        ] {
            assert_eq!(mask_pairs(text), masked);
            assert_eq!(mask_pairs(masked), masked);
        }
        for text in [
            "a pass-token of it",
            "- token b",
            "x-pass a",
            "the -tokens- of it",
            "a -> b, c => d",
            "<a name=\"api-key\">Your key</a>",
        ] {
            assert_eq!(mask_pairs(text), text);
        }
    }
}
