//! What the lines around a sign say of what stands behind it: fields that are drawn in, labels, blocks of
//! code.

use std::ops::Range;

use super::expression::OF_CODE;
use super::functions::{Known, given};
use super::placed::placed;
use super::schemas::{is_schema, is_schema_of_yaml};
use super::types::typed;
use super::values::{BLANKS, CREDENTIAL_MOST, quoted, value_after, without_comment};

/// What stands behind a sign at a byte, where the lines around it tell: fields that are drawn in, what a
/// function gives, what is joined to a label.
pub(super) fn of_lines(text: &str, sign: usize) -> Option<Known> {
    let (before, rest) = text.split_at_checked(sign)?;
    if rest.starts_with(':')
        && let Some(fields) = drawn_in(text, sign)
    {
        let is_schema = text.get(fields.clone()).is_some_and(is_schema_of_yaml);
        return Some(if is_schema { Known::Other } else { Known::Value(fields) });
    }
    let behind = rest.get(1..)?;
    if rest.starts_with("::") && is_path(before, behind) {
        return Some(Known::Other);
    }
    let value = text.len() - rest.trim_start_matches([':', ' ']).len();
    if holds_nothing(rest)
        || is_remark(rest)
        || is_task(before, rest)
        || is_setting(before, rest)
        || is_compared(before, rest)
        || is_schema(text, value)
    {
        return Some(Known::Other);
    }
    if let Some(cell) = next_cell(rest) {
        return Some(Known::Value(cell).moved(sign));
    }
    if let Some(known) = in_tags(rest) {
        return Some(known.moved(sign));
    }
    let known = joined(before, behind)
        .or_else(|| typed_behind(rest))
        .or_else(|| placed(before, behind))
        .or_else(|| given(behind))?;
    Some(known.moved(sign + 1))
}

/// Whether an empty list or object stands behind a sign, and nothing else: `cookies = []`.
fn holds_nothing(rest: &str) -> bool {
    let own = rest.trim_start_matches([':', '=']).trim_start_matches(BLANKS);
    let behind = NOTHING.iter().find_map(|empty| own.strip_prefix(empty));
    behind.is_some_and(|behind| behind.trim_start_matches(BLANKS).is_empty() || behind.starts_with(ENDING))
}

/// What is empty, or is shown in the place of a value.
const NOTHING: [&str; 8] = [
    "[]",
    "{}",
    "(sensitive value)",
    "(known after apply)",
    "(sensitive)",
    "(hidden)",
    "(not set)",
    "(empty)",
];

/// Whether a remark in brackets stands in the place of a value: `client_secret: (Optional) The secret …`,
/// `DB_PASSWORD: <set to the key 'password' in secret 'db'>`.
fn is_remark(rest: &str) -> bool {
    let own = rest.trim_start_matches([':', '=']).trim_start_matches(BLANKS);
    let near = own.get(..own.floor_char_boundary(REMARK_MOST)).unwrap_or_default();
    let inner = near.strip_prefix('(').and_then(|inner| inner.split_once(')'));
    let is_known = |(words, behind): (&str, &str)| {
        REMARKS.contains(&words.to_ascii_lowercase().as_str())
            && behind.trim().starts_with(char::is_alphabetic)
    };
    // So Ruby names a method.
    own.starts_with("<set to the key '") || rest.starts_with("=' for ") || inner.is_some_and(is_known)
}

/// Bytes of such a remark.
const REMARK_MOST: usize = 64;
/// What is said of a field before its description.
const REMARKS: [&str; 9] = [
    "optional",
    "required",
    "string",
    "str",
    "string, optional",
    "string, required",
    "optional, string",
    "str, optional",
    "deprecated",
];

/// Whether a colon stands in the name of a task: `bin/rails credentials:edit`.
fn is_task(before: &str, rest: &str) -> bool {
    let line = before.get(before.floor_char_boundary(before.len().saturating_sub(REMARK_MOST))..);
    let line = line.unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    let runs = ["rails ", "rake ", "npm run ", "yarn ", "pnpm "];
    let lead = line.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-'));
    let word = rest.strip_prefix(':').unwrap_or_default();
    runs.iter().any(|run| lead.ends_with(run)) && word.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Signs behind a value of code.
const ENDING: [char; 7] = [',', ';', ')', ']', '}', '\n', '\r'];

/// Whether a name is compared with a word of code or a variable, and given nothing: `if api_key == None:`,
/// `password != confirm_password`.
fn is_compared(before: &str, rest: &str) -> bool {
    let signs = if before.ends_with('!') { ["==", "="] } else { ["===", "=="] };
    let own = signs.iter().find_map(|sign| rest.strip_prefix(sign));
    let own = own.map(|own| own.trim_start_matches(BLANKS)).unwrap_or_default();
    let own = own.get(..own.floor_char_boundary(CREDENTIAL_MOST)).unwrap_or_default();
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let word = own.split(|c: char| !of_name(c)).next().unwrap_or_default();
    let behind = own.get(word.len()..).unwrap_or_default();
    // What a call is given may be a credential.
    let near = behind.get(..behind.floor_char_boundary(CALL_MOST)).unwrap_or_default();
    let line = near.split('\n').next().unwrap_or_default();
    let is_call = line.starts_with('(') && !word.is_empty() && !line.contains(['"', '\'', '`']);
    let has_parts = || {
        word.contains(['_', '$', '.'])
            || word.contains(char::is_lowercase) && word.contains(char::is_uppercase)
    };
    let is_name = !word.contains(|c: char| c.is_ascii_digit()) && (is_call || has_parts());
    let ends = is_call || behind.is_empty() || behind.starts_with(ENDING_CODE);
    ends && (OF_CODE.contains(&word) || is_name)
}

/// Bytes of a call that are looked at.
const CALL_MOST: usize = 256;

/// Signs behind a word that something is compared with.
const ENDING_CODE: [char; 6] = [':', ')', ' ', '\n', '\r', ';'];

/// Whether a value is one of those that browsers know: `fetch(u, { credentials: "include" })`.
fn is_setting(before: &str, rest: &str) -> bool {
    let value = rest.trim_start_matches(':').trim_start_matches(BLANKS).trim_start_matches(['"', '\'', '`']);
    let values = ["include", "same-origin", "omit"];
    let is_known =
        |known: &&str| value.strip_prefix(*known).is_some_and(|end| end.starts_with(['"', '\'', '`']));
    // Of sudo it is what needs no password.
    let before = before.trim_end_matches(['"', '\'']);
    before.ends_with("NOPASSWD") || before.ends_with("credentials") && values.iter().any(is_known)
}

/// The text that is joined to a label whose quote stands behind its last sign: `"password=" + "abc"`,
/// `'token=' . f('abc')`.
fn joined(before: &str, behind: &str) -> Option<Known> {
    let own = behind.trim_start_matches(BLANKS).trim_start_matches('\\');
    let quote = own.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let rest = own.get(1..)?;
    let joint = rest.trim_start_matches(BLANKS);
    let joints = ["+", "..", ".", "&", "||", "<<", "<>", ","];
    let value = joints.iter().find_map(|sign| joint.strip_prefix(sign))?;
    if joint.starts_with(',') {
        return is_open(before, quote).then(|| given_to(behind, value)).flatten();
    }
    let is_apart = joint.len() < rest.len() && value.starts_with(BLANKS);
    if !is_apart && !is_open(before, quote) {
        return None;
    }
    let found = value_after(value);
    let lead = value.get(..found.start)?;
    let from = behind.len() - value.len();
    let is_text = lead.ends_with(['"', '\'', '`']);
    Some(if is_text { Known::Value(found).moved(from) } else { Known::Other })
}

/// A single text behind the comma of a label, unless that is a label itself: `print("Password:", "abc")`.
fn given_to(behind: &str, list: &str) -> Option<Known> {
    let text = list.trim_start_matches(BLANKS);
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let own = text.get(1..).and_then(|text| text.get(..quoted(text, quote)))?;
    let is_label = own.is_empty() || own.ends_with(['=', ':', ' ']) || own.contains([' ', '%', '{']);
    let start = behind.len() - text.len() + 1;
    Some(if is_label { Known::Other } else { Known::Value(start..start + own.len()) })
}

/// What stands behind a type that a colon gives a name.
fn typed_behind(text: &str) -> Option<Known> {
    typed(text.strip_prefix(':')?)
}

/// The words in elements of HTML behind a name and its colon: `Password: <b>abc</b>`, `Password:<br>abc`.
fn in_tags(text: &str) -> Option<Known> {
    const TAGS: [&str; 21] = [
        "b", "strong", "code", "i", "em", "tt", "kbd", "span", "u", "br", "p", "mark", "pre", "samp", "a",
        "th", "dt", "div", "td", "dd", "label",
    ];
    // What is typed into, whose attributes are no value.
    const FIELDS: [&str; 5] = ["input", "select", "textarea", "button", "form"];
    let mut own = text.strip_prefix(':')?.trim_start_matches(BLANKS);
    let whole = own;
    for _ in 0..TAGS_MOST {
        let near = own.get(..own.floor_char_boundary(LABEL_MOST))?;
        let Some((tag, _)) = near.strip_prefix('<').and_then(|inner| inner.split_once('>')) else { break };
        let name = tag.trim_start_matches('/').split([' ', '/']).next()?.to_ascii_lowercase();
        if !TAGS.contains(&name.as_str()) {
            return FIELDS.contains(&name.as_str()).then_some(Known::Other);
        }
        own = own.get(tag.len() + 2..)?.trim_start();
    }
    let near = own.get(..own.floor_char_boundary(LABEL_MOST))?;
    let value = near.split(['<', '\n', '\r']).next()?.trim_end();
    let start = text.len() - own.len();
    let is_word = !value.is_empty() && !value.contains(' ');
    let known = if is_word { Known::Value(start..start + value.len()) } else { Known::Other };
    (own.len() < whole.len()).then_some(known)
}

/// Elements that stand in one another around a value.
const TAGS_MOST: usize = 4;

/// What stands in the cell behind a name and its colon: `| Password: | abc |`.
fn next_cell(text: &str) -> Option<Range<usize>> {
    let own = text.strip_prefix(':')?.trim_start_matches(BLANKS);
    let cell = own.strip_prefix(['|', '\u{2502}', '\u{2503}'])?;
    let value = cell.trim_start_matches(BLANKS);
    let is_cell = value.len() < cell.len() && !value.starts_with(['\n', '\r', '#', '|']) && !value.is_empty();
    let found = value_after(value);
    let start = text.len() - value.len();
    (is_cell && !found.is_empty()).then(|| start + found.start..start + found.end)
}

/// Whether colons stand between the names of a path, as Rust, C++, PHP and Ruby write one:
/// `SecretKey::new()`, `cookie::{Cookie, Jar}`.
fn is_path(before: &str, behind: &str) -> bool {
    let of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let path = before.trim_end_matches(of_name);
    let name = before.get(path.len()..).unwrap_or_default();
    let next = behind.trim_start_matches(':');
    let rest = next.trim_start_matches(of_name);
    next.starts_with(['{', '<', '*', '$'])
        || name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.contains(|c: char| c.is_ascii_lowercase())
        || path.ends_with("::")
        || rest.len() < next.len() && rest.starts_with(['(', '<', '{', ':', '!', ';'])
}

/// Whether a quote is open in the last line of a text.
fn is_open(before: &str, quote: char) -> bool {
    let near =
        before.get(before.floor_char_boundary(before.len().saturating_sub(LABEL_MOST))..).unwrap_or_default();
    near.rsplit('\n').next().unwrap_or_default().matches(quote).count() % 2 == 1
}

/// The fields that YAML draws in below a name, whose sign stands at a byte: `credentials:\n  pw: abc`.
fn drawn_in(text: &str, sign: usize) -> Option<Range<usize>> {
    let (before, behind) = text.split_at_checked(sign)?;
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let near = behind.get(1..behind.floor_char_boundary(CREDENTIAL_MOST)).unwrap_or_default();
    let inner = without_tag(near.trim_start_matches(BLANKS));
    // A text over lines: `key: |`, `key: >-`.
    let text_behind =
        inner.strip_prefix(['|', '>']).map(|rest| rest.trim_start_matches(['+', '-', '2', '4']));
    let is_text = text_behind.is_some_and(|rest| rest.starts_with(['\n', '\r']));
    let inner = text_behind.filter(|_| is_text).unwrap_or(inner);
    let lines = inner.trim_start_matches('\r').strip_prefix('\n')?;
    if opens_block(before, lines) {
        return None;
    }
    // Each line is looked back over once.
    let own = depth(before.rsplit('\n').next().unwrap_or_default());
    let is_field = |line: &str| {
        let own = line.trim();
        // An element of a list, if it is a word.
        let element = own.strip_prefix("- ").map(|own| without_comment(own).trim());
        let is_word = element.is_some_and(|own| !own.contains([' ', ':']));
        if is_word || own.is_empty() || own.starts_with(['{', '[']) {
            return true;
        }
        let (name, value) = own.trim_start_matches("- ").split_once(':').unwrap_or_default();
        let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'');
        !name.is_empty() && name.chars().all(of_name) && (value.is_empty() || value.starts_with(' '))
    };
    let is_below = |line: &&str| line.trim().is_empty() || depth(line) > own && (is_text || is_field(line));
    let below = lines.split_inclusive('\n').take_while(is_below);
    let length: usize = below.map(str::len).sum();
    let all = lines.get(..length)?.trim_end();
    let start = text.len() - behind.len() + 1 + near.len() - lines.len();
    let begin = start + all.len() - all.trim_start().len();
    (!all.trim().is_empty()).then_some(begin..start + all.len())
}

/// A text without the type or the anchor before a text over lines: `!unsafe |`, `&a >-`.
fn without_tag(text: &str) -> &str {
    let named = text.strip_prefix(['!', '&']).map(|tag| tag.trim_start_matches(|c: char| !c.is_whitespace()));
    let behind = named.and_then(|rest| rest.strip_prefix(' ')).map(|rest| rest.trim_start_matches(BLANKS));
    behind.filter(|behind| behind.starts_with(['|', '>'])).unwrap_or(text)
}

/// Whether what stands behind a sign is none of its own: the quote there closes a label, of which the sign is
/// the last one, `print("Password:")`, or of a name, or the line opens a block of code.
pub(super) fn closes_label(text: &str, sign: usize, value: usize) -> bool {
    let (before, rest) = text.split_at_checked(sign).unwrap_or_default();
    let below = rest.get(1..).unwrap_or_default().trim_start_matches(BLANKS).trim_start_matches('\r');
    if below.strip_prefix('\n').is_some_and(|lines| opens_block(before, lines)) || is_branch(before, below) {
        return true;
    }
    // PHP says of what class a member is: `["password":"User":private]`.
    let class = rest.strip_prefix(":\"").and_then(|class| class.get(..class.floor_char_boundary(LABEL_MOST)));
    if class
        .and_then(|class| class.split_once('"'))
        .is_some_and(|(_, behind)| behind.starts_with(":private]"))
    {
        return true;
    }
    let (lead, behind) = rest.split_at_checked(value + 1).unwrap_or_default();
    let lead = lead.get(1..).unwrap_or_default().trim_start_matches(BLANKS);
    let Some(quote) = lead.chars().next_back().filter(|c| matches!(c, '"' | '\'') && lead.len() <= 2) else {
        return false;
    };
    match behind.chars().next() {
        None | Some(')' | ',' | ';' | ']' | '\n' | '\r' | ' ' | '.') => is_open(before, quote),
        _ => false,
    }
}

/// Bytes of the line of a label that are looked back over.
const LABEL_MOST: usize = 256;

/// Whether a line ends with a colon that opens a block of Python, as the lines below it tell:
/// `if not api_key:`, `class Secrets:`.
fn opens_block(before: &str, below: &str) -> bool {
    let near =
        before.get(before.floor_char_boundary(before.len().saturating_sub(LABEL_MOST))..).unwrap_or_default();
    let line = near.rsplit('\n').next().unwrap_or_default().trim_start();
    let next = below.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start();
    let (word, behind) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "class" => !behind.trim().contains(' '),
        "def" => behind.contains('('),
        "if" | "elif" | "while" | "for" | "with" | "except" | "case" => is_statement(next),
        _ => false,
    }
}

/// Whether a colon stands between a condition of Python and what is done then: `if not pw: raise Error()`.
fn is_branch(before: &str, behind: &str) -> bool {
    let near =
        before.get(before.floor_char_boundary(before.len().saturating_sub(LABEL_MOST))..).unwrap_or_default();
    let line = near.rsplit('\n').next().unwrap_or_default().trim_start();
    let word = line.split(' ').next().unwrap_or_default();
    ["if", "elif", "while", "for", "with", "except", "case"].contains(&word)
        && ["return", "raise", "pass", "continue", "break", "yield"]
            .contains(&behind.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default())
}

/// Whether a line looks like one of a program.
fn is_statement(line: &str) -> bool {
    let word = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let behind = line.get(word.len()..).unwrap_or_default();
    let keyword = [
        "return", "raise", "pass", "continue", "break", "import", "from", "if", "for", "with", "try", "yield",
    ];
    let calls = !word.is_empty() && behind.starts_with(['(', '.', '[']);
    line.starts_with(['#', '@'])
        || keyword.contains(&word)
        || calls
        || behind.trim_start().starts_with(['=', '+', '-'])
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    #[test]
    fn what_is_joined_to_a_label_is_its_value() {
        for (text, masked) in [
            ("'password=' + 'abc'", "'password=' + 'masked'"),
            ("data='user=bob&password=' + 'abc'", "data='user=bob&password=' + 'masked'"),
            ("$line = 'password=' . 'abc'", "$line = 'password=' . 'masked'"),
            ("$line = 'password='.'abc'", "$line = 'password='.'masked'"),
            ("'password=' + quote('abc')", "'password=' + quote('masked')"),
            ("\"password=\" + \"abc\"", "\"password=\" + \"masked\""),
            ("print('password: ' + 'abc')", "print('password: ' + 'masked')"),
            ("{\"X-Api-Key: \" + \"abc\"}", "{\"X-Api-Key: \" + \"masked\"}"),
            ("console.log('password=', 'abc')", "console.log('password=', 'masked')"),
            ("concat('password=', 'abc')", "concat('password=', 'masked')"),
            ("'&password='+encode('abc')+'&x=1'", "'&password='+encode('masked')+'masked'"),
            ("log(\"password: {}\", \"abc\")", "log(\"password: {}\", \"masked\")"),
            ("\"password=%s\" % \"abc\"", "\"password=%s\" % \"masked\""),
            ("password = '.abc'", "password = 'masked'"),
            ("password = '+ abc'", "password = 'masked'"),
        ] {
            assert_eq!(mask_message(text), masked);
        }
        for text in [
            "log('token=' + token + ' id=')",
            "s.send('GET /\\r\\nAuthorization: ' + auth + '\\r\\n')",
            "s.send('GET /\nAuthorization: ' + auth + '\n')",
            "log(\"password: \" .. pw .. \" ok\")",
            "if 'password=' in line: print('found')",
            "grep 'password=' f | cut -d'=' -f2",
            "s.replace('password=', 'pw=')",
            "The string 'password=' is the user's own label",
            "f\"password: {pw}\"",
            "let k = SecretKey::generate();",
            "use crate::cookie::{Cookie, CookieWithFds};",
            "Secret::String(s) => s.len(),",
            "libc::passwd::pw_gecos",
            "hash_password::<Sha256>(x)",
            "if not password: raise ValueError(x)",
        ] {
            assert_eq!(mask_message(text), text);
        }
    }

    #[test]
    fn a_block_of_code_is_no_value() {
        for text in [
            "if not api_key:\n    print(\"no key\")",
            "x\nif not password:\n    raise ValueError(x)\nelse:",
            "if not signing_key:\n    # If none fits\n    pass",
            "with open(path) as secret:\n    data = secret.read()",
            "<p>Password: <b>must be long</b></p>",
            "class Secrets:\n    city: str\n    path: str\n",
            "def token():\n    return None",
        ] {
            assert_eq!(mask_message(text), text);
        }
        for (text, masked) in [
            ("if not api_key:\n    api_key = \"abc\"", "if not api_key:\n    api_key = \"masked\""),
            ("class Secrets:\n    password = 'abc'\n", "class Secrets:\n    password = 'masked'\n"),
            ("[password:protected] => abc", "[password:protected] => masked"),
            (
                "[\"password\":\"User\":private]=>\n  string(3) \"abc\"",
                "[\"password\":\"User\":private]=>\n  masked) \"masked\"",
            ),
            ("secrets:\n  pw: abc\n", "secrets:\n  masked\n"),
            // Elements of HTML.
            ("<p>Password: <b>abc</b></p>", "<p>Password: <b>masked</b></p>"),
            ("<b>Password:</b> <code>abc</code>", "<b>Password:</b> <code>masked</code>"),
            ("Password: <span class=\"x\">abc</span>", "Password: <span class=\"x\">masked</span>"),
            ("Password:<br>abc", "Password:<br>masked"),
            ("<b>Password</b>: abc", "<b>Password</b>: masked"),
            ("<th>Password:</th><td>abc</td>", "<th>Password:</th><td>masked</td>"),
            // Types that YAML names.
            ("password: !unsafe 'abc'", "password: !unsafe 'masked'"),
            ("password: !vault abc", "password: !vault masked"),
            ("password: !!str\n  abc", "password: !!str\n  masked"),
            ("if you need the password:\n  abc", "if you need the password:\n  masked"),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }
}
