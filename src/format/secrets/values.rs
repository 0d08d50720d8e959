//! Where a value stands behind its name in running text, and how far it goes.

use std::ops::Range;

use super::names::{MASK_IN_ADDRESS, is_secret};
use super::quotes::{QUOTES, doubled, in_own_quotes};

/// Bytes of a credential of many parameters, at most.
pub(super) const CREDENTIAL_MOST: usize = 4096;

/// How a credential is announced that has no name of its own.
pub(super) const SCHEMES: [&str; 2] = ["Bearer", "Basic"];

/// Whether a word is the name of a scheme.
pub fn is_scheme(word: &str) -> bool {
    SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// Blanks within a line.
pub(super) const BLANKS: [char; 3] = [' ', '\t', '\u{A0}'];

/// What may stand between a name, the sign behind it and a value.
pub(super) const AROUND_SIGN: [char; 10] =
    ['"', '\'', '\\', ' ', '\t', '\u{A0}', '*', '`', '\u{201C}', '\u{201D}'];

/// What says that a text was cut off.
pub(super) const CUT: [&str; 3] = ["[truncated", "...", "\u{2026}"];

/// Bytes of the end of a tag, at most.
const TAG_MOST: usize = 12;

/// Where the value is behind a sign, which may go on (`=>`, `:=`, `==`) and end its line.
pub(super) fn value_behind(text: &str, sign: Option<&u8>) -> Range<usize> {
    if matches!(sign, Some(b' ' | b'\t')) {
        return value_after(text);
    }
    let own = text.trim_start_matches(['=', '>']);
    // Behind a name in bold letters of HTML: `<b>Password:</b> abc`.
    let tag = own.get(..own.floor_char_boundary(TAG_MOST)).filter(|near| near.starts_with("</"));
    let own = tag.and_then(|near| own.get(near.find('>')? + 1..)).unwrap_or(own);
    let inner = own.trim_start_matches(BLANKS);
    let next = inner.strip_prefix("\r\n").or_else(|| inner.strip_prefix('\n'));
    // Behind a colon the next line is one of its own, unless it is drawn in.
    let named = |next: &str| is_named(next.lines().next().unwrap_or_default().trim());
    // A bracket in a line of its own, or before what stands in quotes, opens what is the name's.
    let opens = |next: &str| {
        let own = next.trim_start_matches(BLANKS);
        let inner = own.strip_prefix(['{', '[']).map(|inner| inner.trim_start_matches(BLANKS));
        inner.is_some_and(|inner| inner.starts_with(['\n', '\r', '"', '\'', '{', '[']))
    };
    let goes_on = |next: &&str| {
        let is_own = own.len() < text.len() || sign == Some(&b'=') || next.starts_with(BLANKS);
        opens(next) || !named(next) && is_own
    };
    let own = next.filter(goes_on).unwrap_or(own);
    let before = text.len() - own.len();
    let value = value_after(own);
    before + value.start..before + value.end
}

/// Whether a line is a name, a sign and a value: of Base64 the signs are its end, and within quotes none.
fn is_named(line: &str) -> bool {
    if let Some((quote, inner)) =
        line.chars().next().zip(line.get(1..)).filter(|(c, _)| matches!(c, '"' | '\''))
    {
        let behind = inner.get(quoted(inner, quote)..).unwrap_or_default();
        return behind.trim_start_matches([quote, ' ', '\t']).starts_with([':', '=']);
    }
    let end = ['=', '"', '\'', ',', ';', ')', ' '];
    line.split_once(['=', ':']).is_some_and(|(name, value)| {
        !name.trim().contains(' ') && (!value.trim_matches(end).is_empty() || line.ends_with(':'))
    })
}

/// Where a value begins: behind the first quote, or three of them; what follows an empty one is none. Between
/// quotes with blanks alone in them the one before it ends and its own begins: `"password: " "abc"`.
fn begin_of(text: &str) -> usize {
    let own = text.trim_start_matches(|c| AROUND_SIGN.contains(&c) && !matches!(c, '"' | '\''));
    // A caret stands before them on Windows.
    let own = own.strip_prefix('^').filter(|own| own.starts_with(['"', '\''])).unwrap_or(own);
    let quotes = QUOTES.into_iter().find(|quotes| own.starts_with(quotes)).or_else(|| doubled(own));
    let quotes = quotes.or_else(|| ["\"", "'"].into_iter().find(|quotes| own.starts_with(quotes)));
    let begin = text.len() - own.len() + quotes.map_or(0, str::len);
    let value = text.get(begin..).unwrap_or_default();
    let blanks = value.trim_start_matches(BLANKS);
    let parts = blanks.len() < value.len() && quotes.is_some_and(|quotes| blanks.starts_with(quotes));
    if parts { text.len() - text.trim_start_matches(AROUND_SIGN).len() } else { begin }
}

/// Bytes of the type that YAML names, at most.
const TAGGED_MOST: usize = 64;

/// Where the value is that a text begins with: behind blanks, quotes and how it is announced.
pub(super) fn value_after(text: &str) -> Range<usize> {
    let mut start = begin_of(text);
    // A line of a command may go on in the next one.
    let (lead, own) = text.split_at_checked(start).unwrap_or_default();
    let goes_on = lead.ends_with(['\\', '`']) || own.starts_with("^\r") || own.starts_with("^\n");
    let line = own.trim_start_matches('^').trim_start_matches('\r').strip_prefix('\n');
    if let Some(next) = line.filter(|_| goes_on) {
        start = text.len() - next.len() + begin_of(next);
    }
    let rest = text.get(start..).unwrap_or_default();
    let behind = |scheme: &&str| {
        let (word, behind) = rest.split_at_checked(scheme.len())?;
        let token = behind.trim_start_matches(BLANKS);
        // A type may have its name: `token: Bearer = "abc"`.
        let announced =
            word.eq_ignore_ascii_case(scheme) && token.len() < behind.len() && !token.starts_with("= ");
        announced.then_some(rest.len() - token.len())
    };
    start += SCHEMES.iter().find_map(behind).map_or(0, |length| length + in_own_quotes(rest, length));
    start = behind_yaml(text, start);
    let rest = text.get(start..).unwrap_or_default();
    // As Python prints bytes and other texts.
    if let Some(length) = of_several(rest) {
        return start..start + length;
    }
    start += before_literal(rest).map_or(0, |length| length + 1);
    let rest = text.get(start..).unwrap_or_default();
    if let Some(length) = in_quotes(text.get(..start).unwrap_or_default(), rest) {
        return start..start + length;
    }
    if let Some(length) = in_ticks(text.get(..start).unwrap_or_default(), rest) {
        return start..start + length;
    }
    start..start + bare_length(rest)
}

/// Where a value begins behind what YAML writes before it.
fn behind_yaml(text: &str, mut start: usize) -> usize {
    // What YAML calls it for others to name: `&anchor abc`.
    let of_anchor = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let named = text.get(start..).and_then(|rest| rest.strip_prefix('&'));
    let anchored = named.and_then(|named| named.trim_start_matches(of_anchor).strip_prefix(' '));
    if let Some(own) =
        anchored.filter(|own| own.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'')))
    {
        start = text.len() - own.trim_start_matches(AROUND_SIGN).len();
    }
    // A type that YAML names: `!!str abc`.
    let tagged = text.get(start..).and_then(|rest| rest.strip_prefix('!'));
    let tagged = tagged
        .map(|tag| tag.strip_prefix('!').unwrap_or(tag))
        .filter(|tag| tag.starts_with(char::is_alphabetic));
    let of_tag = |c: char| !c.is_whitespace() && !matches!(c, '"' | '\'' | '(' | '=' | ',' | ';' | ')');
    if let Some(own) = tagged.and_then(|tagged| {
        let near = tagged.get(..tagged.floor_char_boundary(TAGGED_MOST)).unwrap_or_default();
        let behind = tagged.get(near.len() - near.trim_start_matches(of_tag).len()..)?;
        // Its value may be drawn in on the next line.
        let below = behind.strip_prefix("\r\n").or_else(|| behind.strip_prefix('\n'));
        below.filter(|below| below.starts_with(BLANKS)).or_else(|| behind.strip_prefix(BLANKS))
    }) {
        start = text.len() - own.trim_start_matches(AROUND_SIGN).len();
    }
    start
}

/// Length of a value behind a quote: what stands in quotes goes on to the next one.
fn in_quotes(lead: &str, text: &str) -> Option<usize> {
    let quote = lead.chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
    // Within a text that is quoted itself, all quotes have a backslash, and those within its texts more.
    let lead = lead.get(..lead.len() - 1).unwrap_or_default();
    let depth = lead.len() - lead.trim_end_matches('\\').len();
    let end = if depth > 0 { quoted_within(text, quote, depth) } else { quoted(text, quote) };
    // What goes on over very many lines, or over several words of a line, has lost its other quote.
    let inner = text.get(..end).unwrap_or_default();
    let goes_on = |line: &str| !line.trim().contains(' ') || line.contains("-----");
    let is_one = !inner.contains('\n') || end <= CREDENTIAL_MOST && inner.lines().skip(1).all(goes_on);
    if end < text.len() && is_one {
        return Some(inner.trim_end_matches('\\').len());
    }
    // One that is cut off goes on to the end of its line.
    let line = text.find(['\n', '\r']).unwrap_or(text.len());
    (if end < text.len() { !is_one } else { depth > 0 })
        .then(|| text.floor_char_boundary(line.min(CREDENTIAL_MOST)))
}

/// Length of a value between backticks on one line.
fn in_ticks(lead: &str, text: &str) -> Option<usize> {
    let near = lead.ends_with('`').then(|| text.get(..text.floor_char_boundary(CREDENTIAL_MOST)))??;
    let length = near.find(['`', '\n', '\r']).filter(|&length| length > 0)?;
    near.get(length..)?.starts_with('`').then_some(length)
}

/// Length of what languages write before the quote that a text begins with: `b'`, `$'`, `@"`, `r#"`,
/// `SecretStr("`.
fn before_literal(text: &str) -> Option<usize> {
    let quoted = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(['"', '\'']));
    let prefix = text.starts_with(['b', 'r', 'u', 'N', '$', '@']) && quoted(1);
    if prefix || text.starts_with("r#") && quoted(2) {
        return text.find(['"', '\'']);
    }
    // As PowerShell is given one.
    let called = text.trim_start_matches(['$', '(']);
    let converted = called.get(..CONVERT.len()).filter(|own| own.eq_ignore_ascii_case(CONVERT));
    if let Some(own) = converted.and_then(|_| called.get(CONVERT.len()..)) {
        let before = text.len() - own.trim_start_matches(BLANKS).len();
        return quoted(before).then_some(before);
    }
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    let name = text.find(|c| !of_name(c)).filter(|&length| length > 0 && length <= CALL_MOST)?;
    (text.get(name..)?.starts_with('(') && quoted(name + 1)).then_some(name + 1)
}

const CONVERT: &str = "ConvertTo-SecureString";

/// Letters of the name of what is called with a value, at most.
const CALL_MOST: usize = 40;

/// Length of a list, an object or an expression with several things in it: all of them are of the credential.
fn of_several(text: &str) -> Option<usize> {
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '$' | '?');
    let name = text.find(|c| !of_name(c)).filter(|&length| length <= CALL_MOST)?;
    if name > 0 {
        return expression(text, name);
    }
    let open = text.chars().next().filter(|c| matches!(c, '[' | '(' | '{'))?;
    let length = bracketed(text);
    let inner = text.get(1..length)?;
    let has_quote = inner.contains(['"', '\'']);
    let holds = match open {
        '(' => {
            let begun = inner.trim_start_matches(['b', 'r', 'u']).starts_with(['"', '\'']);
            begun || ["='", "=\"", " '", " \""].iter().any(|begun| inner.contains(begun))
        }
        '{' => has_quote || inner.contains(['=', ':']),
        // A number alone is that of a source.
        _ => has_quote || inner.contains(|c: char| c.is_ascii_alphabetic()),
    };
    holds.then_some(length)
}

/// Length of a name with calls and indices behind it, `env["A"]`, `config.get("a").get("b", "c")`; none where
/// it is one call with one text alone.
fn expression(text: &str, name: usize) -> Option<usize> {
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '?' | '!');
    let (mut end, mut groups, mut has_quote, mut is_one) = (name, 0, false, false);
    while let Some(rest) =
        text.get(end..).filter(|rest| end < CREDENTIAL_MOST && rest.starts_with(['(', '[']))
    {
        let length = bracketed(rest);
        let inner = rest.get(1..length).unwrap_or_default();
        let quote = inner.chars().next().filter(|c| matches!(c, '"' | '\''));
        let behind = quote.and_then(|quote| inner.get(1 + quoted(inner.get(1..)?, quote)..));
        is_one = rest.starts_with('(') && behind.is_some_and(|behind| !behind.contains(','));
        has_quote |= inner.contains(['"', '\'']);
        (end, groups) = (end + length, groups + 1);
        let more = text.get(end..).filter(|rest| rest.starts_with(['.', '?']));
        end += more.map_or(0, |rest| rest.find(|c| !of_name(c)).unwrap_or(rest.len()));
    }
    let end = text.get(..end)?.trim_end_matches(['.', '?']).len();
    (has_quote && (groups > 1 || !is_one)).then_some(end)
}

/// What stands in the place of a value: `|| "abc"`, `?? "abc"`, or behind its type: `| None = "abc"`.
pub(super) fn instead(text: &str) -> Option<&str> {
    let mut rest = text;
    for _ in 0..TYPES_MOST {
        rest = rest.trim_start_matches(|c| AROUND_SIGN.contains(&c) || matches!(c, ')' | ']' | '>' | ';'));
        if let Some(behind) = ["||", "??", "?:", "or "].iter().find_map(|sign| rest.strip_prefix(sign)) {
            let near = behind.get(..behind.floor_char_boundary(INSTEAD_MOST)).unwrap_or_default();
            let line = near.split(['\n', '\r']).next().unwrap_or_default();
            // A name that is compared has a value of its own: `pw == "" or pw == "abc"`.
            let of_name = |c: char| c.is_ascii_alphanumeric() || " _.\t".contains(c);
            let is_compared = line.trim_start_matches(of_name).starts_with("==");
            return (line.contains(['"', '\'']) && !is_compared).then_some(behind);
        }
        if let Some(behind) = rest.strip_prefix('=').filter(|behind| !behind.starts_with(['=', '>'])) {
            let value = behind.trim_start_matches(BLANKS);
            let holds =
                value.starts_with(['"', '\'']) || of_several(value).or(before_literal(value)).is_some();
            return holds.then_some(behind);
        }
        // The rest of a type: `| None`, `, str]`, `&str`.
        let near = rest.get(..rest.floor_char_boundary(TYPE_MOST)).unwrap_or_default();
        let next = rest.strip_prefix(['|', '&']).or_else(|| rest.get(near.find(']')?..));
        let next = next.filter(|_| rest.starts_with(['|', '&', ',', '[']))?;
        let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        rest = next.trim_start_matches(BLANKS).trim_start_matches(of_name);
    }
    None
}

/// Bytes within which a text stands that stands in the place of a value.
const INSTEAD_MOST: usize = 128;
/// Parts of a type that are looked over, and bytes of one.
const TYPES_MOST: usize = 4;
const TYPE_MOST: usize = 64;

/// Length of what stands in brackets, with them, on its line or on several; without their end that of the
/// line, or of all that is looked at.
pub(super) fn bracketed(text: &str) -> usize {
    let near = text.get(..text.floor_char_boundary(CREDENTIAL_MOST)).unwrap_or_default();
    let line = near.split(['\n', '\r']).next().unwrap_or_default();
    let is_call = text.starts_with('(');
    let own = without_comment(line).trim_end();
    let goes_on = own.ends_with(['[', '(', '{', ',']) || is_call && own.ends_with(['"', '\'']);
    let all = if goes_on { near } else { line };
    // Of a call whose end is not seen the next lines may be anything.
    let cut = if is_call { line.len() } else { members_length(all, line.len()) };
    let (mut depth, mut quote, mut escaped) = (0, None, false);
    for (at, c) in all.char_indices() {
        match c {
            // No text goes on in the next line.
            '\n' => (quote, escaped) = (None, false),
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '"' | '\'' if quote == Some(c) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(c),
            '[' | '(' | '{' if quote.is_none() => depth += 1,
            ']' | ')' | '}' if quote.is_none() => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    cut
}

/// A line without what stands behind `#` or `//`.
pub(super) fn without_comment(line: &str) -> &str {
    [" #", " //", "\t#", "\t//"]
        .iter()
        .filter_map(|sign| line.find(sign))
        .min()
        .map_or(line, |at| line.get(..at).unwrap_or(line))
}

/// Length of a first line and those behind it that look like members of an object or a list.
pub(super) fn members_length(text: &str, first: usize) -> usize {
    let is_member = |line: &str| {
        let own = line.trim();
        let name = own.split([':', '=']).next().unwrap_or_default();
        let named = name.len() < own.len() && !name.trim_end().contains(' ');
        let begun = own.starts_with(['"', '\'', '[', '{', '(', ']', '}', ')', '-', '#', '/', '\\']);
        begun || named || !own.is_empty() && !own.contains(' ')
    };
    let mut end = first;
    for line in text.get(first..).unwrap_or_default().split_inclusive('\n') {
        let is_rest = end == first && line.trim().is_empty();
        if !is_rest && !is_member(line) {
            break;
        }
        end += line.len();
    }
    text.get(..end).map_or(end, |all| all.trim_end().len())
}

/// Bytes in which the other quote is looked for in a text that is quoted itself.
const WITHIN_MOST: usize = 64 << 10;

/// The same in a text that is quoted itself, whose quotes have so many backslashes: what has more is within.
fn quoted_within(text: &str, quote: char, depth: usize) -> usize {
    let before =
        |at: usize| text.get(..at).map_or(0, |inner| inner.len() - inner.trim_end_matches('\\').len());
    let near = text.get(..text.floor_char_boundary(WITHIN_MOST)).unwrap_or_default();
    near.match_indices(quote).map(|(at, _)| at).find(|&at| before(at) <= depth).unwrap_or(text.len())
}

/// Length of what stands before the quote that ends it: one behind a backslash does not.
pub(super) fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let ends = |c: char| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    };
    text.find(ends).unwrap_or(text.len())
}

/// Length of a value without quotes. A comma or an ampersand ends it unless letters follow that are no name
/// of another value, a quote unless it stands between letters, a bracket unless the value goes on right
/// behind it.
fn bare_length(text: &str) -> usize {
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, ',' | ';' | '&' | '"' | '\'' | '`' | ')' | ']' | '}' | '<' | '•' | '\u{201D}')
    };
    // What was masked already is all of its own.
    if text.strip_prefix(MASK_IN_ADDRESS).is_some_and(|behind| behind.starts_with(['"', '\''])) {
        return MASK_IN_ADDRESS.len();
    }
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let mut end = text.find(ends).unwrap_or(text.len());
    while let Some(sign) = text.as_bytes().get(end) {
        let behind = text.get(end + 1..).unwrap_or_default();
        let more = behind.find(ends).unwrap_or(behind.len());
        let word = behind.get(..more).unwrap_or_default();
        let next = word.as_bytes().first();
        let goes_on = match sign {
            b',' | b'&' => {
                end > 0
                    && !word.is_empty()
                    && !word.contains(['=', ':'])
                    && !is_escape(word)
                    && !is_key_of_form(word, behind)
            }
            b'"' | b'\'' => {
                is_letter(next) && end.checked_sub(1).is_some_and(|last| is_letter(text.as_bytes().get(last)))
            }
            b')' | b']' | b'}' => {
                let joins = is_letter(next) || next.is_some_and(|sign| b"#$%^*=+_~|@!-/?.{[(".contains(sign));
                joins && word.contains(|c: char| c.is_ascii_alphanumeric())
            }
            _ => false,
        };
        if !goes_on {
            break;
        }
        end += 1 + more;
    }
    before_next_name(text.get(..end).unwrap_or_default())
}

/// Whether a word that a text begins with is the name of another value in a form: `user[name]=`.
fn is_key_of_form(word: &str, text: &str) -> bool {
    let near = || text.get(..text.floor_char_boundary(FORM_KEY_MOST)).unwrap_or_default();
    let key = || near().split(|c: char| c.is_whitespace() || c == '&').next().unwrap_or_default();
    word.contains('[') && key().contains("]=")
}

/// Bytes of such a name, at most.
const FORM_KEY_MOST: usize = 256;

/// Length of a value without the name of another one behind a line end that is written out:
/// `abc\n+password:`.
fn before_next_name(value: &str) -> usize {
    let named = value.strip_suffix([':', '=']);
    let line = LINE_ENDS.iter().filter_map(|sign| named?.rfind(sign).map(|at| (at, sign.len()))).max();
    let is_name = |&(at, length): &(usize, usize)| {
        let name = named.and_then(|named| named.get(at + length..)).unwrap_or_default();
        at > 0 && is_secret(name.trim_start_matches(['+', '-']))
    };
    line.filter(is_name).map_or(value.len(), |(at, _)| at)
}

/// Line ends as programs write them out.
const LINE_ENDS: [&str; 4] = ["\\n", "\\r", "#012", "%0A"];

/// Whether a word between `&` and `;` is how HTML writes a sign.
fn is_escape(word: &str) -> bool {
    matches!(word, "quot" | "amp" | "lt" | "gt" | "apos" | "nbsp") || word.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    /// The first name inside of brackets was masked in the place of a value, and the value shown.
    #[test]
    fn all_that_stands_in_brackets_behind_a_name_is_masked() {
        for (text, masked) in [
            (r#"x credentials: {"user":"b","pw":"abc"} y"#, "x credentials: masked y"),
            (r#"x "cookies": {"sid": "abc"}, "y": 1"#, r#"x "cookies": masked, "y": 1"#),
            (r#"X-Api-Key: ["abc"] sent"#, "X-Api-Key: masked sent"),
            ("cookies: { sid: 'abc' }", "cookies: masked"),
            ("credentials={user=bob, pw=abc} y", "credentials=masked y"),
            (r#"f("x-api-key"=>["abc"])"#, r#"f("x-api-key"=>masked)"#),
            ("credentials: Credentials(user='bob', pw='abc') y", "credentials: masked y"),
            ("CREDENTIALS=(AZURE_SAS='abc')", "CREDENTIALS=masked"),
            (r#"x {\"cookies\": {\"sid\": \"abc\"}} y"#, r#"x {\"cookies\": masked} y"#),
            ("x cookies: {\n  sid: 'a',\n  q: 'abc'\n}\ny", "x cookies: masked\ny"),
            (
                "x cookies: {\n  sid: 'a'\nThe rest of it is prose.",
                "x cookies: masked\nThe rest of it is prose.",
            ),
            ("x cookies: [\n  'ab', # it's\n  'c']\ny", "x cookies: masked\ny"),
            ("credentials:\n{\n  \"pw\": \"abc\"\n}\ny", "credentials:\nmasked\ny"),
            ("passwords:\n  - ab # x\n\n  -   c\n\ny: z", "passwords:\n  masked\n\ny: z"),
            ("passwords: [one, abc], x: 1", "passwords: masked, x: 1"),
            ("password: |\n  abc\n  d e\ny: z", "password: |\n  masked\ny: z"),
            ("a:\n  password: >-\n    abc\n", "a:\n  password: >-\n    masked\n"),
            ("password: [\n  abc\n]\ny", "password: masked\ny"),
            ("{X-Api-Key=[ab, c], Accept=[x]}", "{X-Api-Key=masked, Accept=[x]}"),
            ("map[X-Api-Key:[ab c] Accept:[x]]", "map[X-Api-Key:masked Accept:[x]]"),
            ("x cookies: {\n  sid: 'a',\n  q: 'abc", "x cookies: masked"),
            (
                "x:\n  credentials:\n    user: bob\n    pw: abc\n  y: z",
                "x:\n  credentials:\n    masked\n  y: z",
            ),
            ("credentials:\n  - pw: abc\nThe end: 1", "credentials:\n  masked\nThe end: 1"),
        ] {
            assert_eq!(mask_message(text), masked);
            assert_eq!(mask_message(masked), masked);
        }
    }

    #[test]
    fn what_a_name_is_called_with_or_typed_as_is_masked() {
        for (text, masked) in [
            ("password = os.getenv(\"PW\", \"abc\"), x", "password = masked, x"),
            ("apiKey: process.env.K || \"abc\"", "apiKey: masked || \"masked\""),
            ("api_key = os.getenv(\"K\") or 'abc'", "api_key = os.getenv(\"masked\") or 'masked'"),
            ("api_key: str = \"abc\"", "api_key: str = \"masked\""),
            ("api_key: str = Field(default=\"abc\")", "api_key: str = masked"),
            ("key_password: str | None = \"abc\"", "key_password: str | None = \"masked\""),
            ("credentials: Dict[str, str] = {\"pw\": \"abc\"}", "credentials: Dict[str, str] = masked"),
            ("const PASSWORD: &str = \"abc\";", "const PASSWORD: &str = \"masked\";"),
            ("password?: string = \"abc\"", "password?: string = \"masked\""),
            ("var password string = \"abc\"", "var password string = \"masked\""),
            ("apiKey = process.env[\"K\"] || \"abc\"", "apiKey = masked || \"masked\""),
            ("password: process.env.PW ?? 'abc'", "password: masked ?? 'masked'"),
            ("apiKey: o.k || e.K || \"abc\"", "apiKey: masked || masked || \"masked\""),
            ("password = c.get(\"db\", {}).get(\"pw\", \"abc\")", "password = masked"),
            ("password = env.get(\"PW\").strip() or \"abc\"", "password = masked or \"masked\""),
            ("secrets:\n  - abc\n  - d\nx", "secrets:\n  masked\nx"),
            ("X-Auth-Token: Token abc", "X-Auth-Token: masked"),
            ("X-Api-Key: Key abc", "X-Api-Key: masked"),
            ("<property name='password'>abc</property>", "<property name='password'>masked</property>"),
            ("if password != \"abc\":", "if password != \"masked\":"),
            ("api_keys[0]=abc", "api_keys[0]=masked"),
            ("h.append(\"X-Api-Key\", [\"abc\"])", "h.append(\"X-Api-Key\", [\"masked\"])"),
            ("password: Optional[str] = \"abc\"", "password: Optional[str] = \"masked\""),
            ("password: <nil> -> \"abc\"", "password: <nil> -> \"masked\""),
            ("    [password] => abc", "    [password] => masked"),
            ("user[auth][password]=abc&b[api_key][]=d", "user[auth][password]=masked&b[api_key][]=masked"),
            ("<b>Password:</b> abc", "<b>Password:</b> masked"),
            ("<password>abc d [truncated]", "<password>masked"),
            ("postgres://bob:abc [truncated]", "postgres://bob:masked [truncated]"),
            ("curl -u bob:'abc' x", "curl -u bob:'masked' x"),
            (
                "\u{201C}password\u{201D}: \u{201C}abc\u{201D}",
                "\u{201C}password\u{201D}: \u{201C}masked\u{201D}",
            ),
        ] {
            assert_eq!(mask_message(text), masked);
            assert_eq!(mask_message(masked), masked);
        }
        for text in ["[password]: see above", "Secrets:\n  the old one: b\n", "Secrets:\n10:30 a\n"] {
            assert_eq!(mask_message(text), text);
        }
    }

    #[test]
    fn quotes_may_be_those_of_a_text_within_another() {
        for (text, masked) in [
            ("API_KEY=\"\"abc\"\" x", "API_KEY=\"\"masked\"\" x"),
            (
                "\"{\"\"user\"\":\"\"b\"\",\"\"password\"\":\"\"abc\"\"}\"",
                "\"{\"\"user\"\":\"\"b\"\",\"\"password\"\":\"\"masked\"\"}\"",
            ),
            ("IDENTIFIED BY ''abc''", "IDENTIFIED BY ''masked''"),
            ("WITH PASSWORD = ''abc''", "WITH PASSWORD = ''masked''"),
            (r"bash -c 'API_KEY='\''abc'\''", r"bash -c 'API_KEY='\''masked'\''"),
            ("bash -c 'API_KEY='\"'\"'abc'\"'\"'", "bash -c 'API_KEY='\"'\"'masked'\"'\"'"),
            ("--password \"\" --api-key \"abc\"", "--password \"\" --api-key \"masked\""),
            ("--password '' --api-key abc", "--password '' --api-key masked"),
            ("x --password ^\"abc^\"", "x --password ^\"masked\""),
            (r#"[\"--password\", \"abc\"]"#, r#"[\"--password\", \"masked\"]"#),
            (r#"x [[\"X-Api-Key\", \"abc\"]]"#, r#"x [[\"X-Api-Key\", \"masked\"]]"#),
            ("A_PASSWORD=\"\", B=1", "A_PASSWORD=\"\", B=1"),
        ] {
            assert_eq!(mask_message(text), masked);
            assert_eq!(mask_message(masked), masked);
        }
        // Of quotes alone each two stood in the next ones: a stack of half as many calls.
        let quotes = "\"".repeat(200_000);
        assert_eq!(mask_message(&quotes), quotes);
    }

    /// Plain sentences, and JSON within text that breaks off or has quotes of its own.
    #[test]
    fn what_sentences_and_texts_within_texts_say_is_masked() {
        for (text, masked) in [
            ("The password is: abc", "The password is: masked"),
            ("The API key was: **abc** once", "The API key was: **masked once"),
            ("[sudo] password for bob: abc", "[sudo] password for bob: masked"),
            (r#"Error: {\"password\": \"a b abc"#, r#"Error: {\"password\": \"masked"#),
            (r#"f("{\"password\": \"x\\\"y abc\"}", 3)"#, r#"f("{\"password\": \"masked\"}", 3)"#),
            (
                "{\"name\": \"$['password']\", \"value\": \"abc\"}",
                "{\"name\": \"$['password']\", \"value\": …}",
            ),
            (
                "https://a.example says: write to jan@a.example for the tower.",
                "https://a.example says: write to jan@a.example for the tower.",
            ),
        ] {
            assert_eq!(mask_message(text).replace(&format!("\"{}\"", super::super::MASK), "…"), masked);
        }
        for text in ["This: a note for bob: nine", "What it is: a tower", "Notes for readers: see page 4"] {
            assert_eq!(mask_message(text), text);
        }
    }
}
