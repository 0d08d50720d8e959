//! What else belongs to a value behind where it seemed to end, in whatever language: what is called with it,
//! the rest of its type, what stands in its place. `new Key("abc")`, `Option<String> = "abc"`,
//! `a ? b : "abc"`, `[]string{"a", "b"}`.

use std::ops::Range;

use super::names::MASK_IN_ADDRESS;
use super::values::{BLANKS, CREDENTIAL_MOST, SCHEMES, quoted};

/// Words behind which a value goes on.
const JOINING: [&str; 16] = [
    "in", "is", "new", "await", "not", "if", "else", "or", "and", "as", "unless", "then", "typeof", "mut",
    "const", "static",
];

/// Signs between two operands, the longer ones first.
const SIGNS: [&str; 21] = [
    ">=", "<=", "==", "!=", ">", "<", "%", "||", "&&", "??", "?:", "?.", "->", "=>", "::", "|", "+", "=",
    "?", ".", "!",
];

/// A value without the sign of an assignment behind it that is a type: `password:str="abc"`.
pub(super) fn without_assignment(text: &str, value: Range<usize>) -> Range<usize> {
    let behind = text.get(value.end..).unwrap_or_default();
    let own = text.get(value.clone()).and_then(|own| own.strip_suffix('='));
    let is_type = |own: &&str| *own == MASK_IN_ADDRESS || TYPES.contains(own) || own.ends_with(['>', ']']);
    match own.filter(is_type) {
        Some(own) if quote_of(behind).is_some() => value.start..value.start + own.len(),
        _ => value,
    }
}

/// Types of texts.
const TYPES: [&str; 14] = [
    "str",
    "string",
    "String",
    "bytes",
    "bytearray",
    "SecretStr",
    "SecretBytes",
    "SecretString",
    "Any",
    "any",
    "object",
    "unknown",
    "Text",
    "text",
];

/// Types and values that stand behind names in code, and are no credentials.
pub(super) const OF_CODE: [&str; 26] = [
    "str",
    "string",
    "String",
    "String!",
    "String?",
    "bytes",
    "int",
    "bool",
    "boolean",
    "number",
    "any",
    "None",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "True",
    "False",
    "SecretStr",
    "protected",
    "private",
    "YES",
    "NO",
    "required",
    "optional",
];

/// Walks behind the values of one text. All of them together take time in proportion to it, also where none
/// of many expressions ends.
#[derive(Default)]
pub(super) struct Walks {
    /// Bytes that were walked over.
    walked: usize,
}

impl Walks {
    /// The quoted texts in what an expression goes on with behind a value, ascending.
    pub fn texts_behind(&mut self, text: &str, value: &Range<usize>) -> Vec<Range<usize>> {
        let all = text.len().saturating_mul(WALKS).saturating_add(CREDENTIAL_MOST * WALKS);
        let most = if self.walked < all { CREDENTIAL_MOST } else { WALK_LEAST };
        let mut walk = Walk::behind(text, value, most);
        while walk.step() {}
        self.walked = self.walked.saturating_add(walk.at.saturating_sub(value.end));
        walk.found
    }
}

/// How often a text may be walked over, and bytes of a walk in one that was.
const WALKS: usize = 16;
const WALK_LEAST: usize = 64;

struct Walk<'a> {
    text: &'a str,
    at: usize,
    /// Brackets that are open.
    depth: usize,
    /// A sign or a word stood last behind which an operand has to come.
    expects: bool,
    /// What is made in braces: `new T[] { … }`.
    makes: bool,
    /// A text with its length before it, as PHP prints it: `string(3) "abc"`.
    printed: bool,
    /// Questions of which the other answer stands behind a colon yet.
    asked: usize,
    found: Vec<Range<usize>>,
    last: usize,
}

impl<'a> Walk<'a> {
    fn behind(text: &'a str, value: &Range<usize>, most: usize) -> Self {
        let own = text.get(value.clone()).unwrap_or_default();
        let lead = text.get(..value.start).unwrap_or_default();
        let mut at = value.end;
        // The name of a scheme may stand before it in its quotes.
        let within = SCHEMES.iter().find_map(|scheme| lead.trim_end_matches(BLANKS).strip_suffix(scheme));
        if within.unwrap_or(lead).ends_with(['"', '\'']) {
            let rest = text.get(at..).unwrap_or_default();
            at += rest.len() - rest.trim_start_matches(['"', '\'', '\\']).len();
        }
        let count = |signs: [char; 3]| own.matches(signs).count();
        let mut depth = count(['(', '[', '{']).saturating_sub(count([')', ']', '}']));
        // What Python puts a value in the place of: `"Bearer {}".format("abc")`.
        let place = text.get(at..).filter(|_| own == "{").and_then(|rest| rest.strip_prefix('}'));
        if let Some(rest) = place {
            (depth, at) = (0, text.len() - rest.trim_start_matches(['"', '\'', '\\']).len());
        }
        // The bracket of a call stands before its quote.
        let called = lead.trim_end_matches(['"', '\'', '\\']);
        depth += usize::from(called.len() < lead.len() && called.ends_with('('));
        // Of a reference in Rust nothing was found to be the value.
        let is_reference = own.is_empty() && text.get(at..).is_some_and(|rest| rest.starts_with('&'));
        let word = own.trim_end_matches(['[', ']']);
        // A type has a capital: `Credentials { pw: "abc" }`.
        let is_type = word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let makes = word == "new" || is_type;
        Self {
            text,
            at,
            depth,
            expects: JOINING.contains(&own) || own.ends_with(['|', '?']) || is_reference,
            makes,
            printed: own.starts_with("string("),
            asked: 0,
            found: Vec::new(),
            last: text.floor_char_boundary(value.end.saturating_add(most)),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..self.last).unwrap_or_default()
    }

    /// Goes on by a token; false at the end of the expression.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let own = rest.trim_start_matches(BLANKS);
        let glued = own.len() == rest.len();
        let start = self.at + rest.len() - own.len();
        let Some(first) = own.chars().next() else { return false };
        self.at = start;
        if let Some(quote) = quote_of(own) {
            return (self.depth > 0 || self.expects) && self.take(own, quote);
        }
        if self.depth > 0 {
            return self.inside(first, own);
        }
        let opens = matches!(first, '(' | '[' | '{') || first == '<' && glued;
        if opens && (glued || self.expects || first == '{' && self.makes) {
            self.depth = 1;
            self.at += 1;
            return true;
        }
        let word = own.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(own.len());
        if word > 0 {
            let joins = own.get(..word).is_some_and(|word| JOINING.contains(&word));
            self.makes |= own.get(..word) == Some("new");
            let goes_on = self.expects || joins && !glued;
            // Before a text its kind may stand: `b"abc"`.
            let is_kind = self.expects && own.get(word..).and_then(quote_of).is_some();
            (self.expects, self.at) = (joins || is_kind, self.at + word);
            return goes_on;
        }
        // A lifetime, and what stands before an operand.
        if self.expects && matches!(first, '&' | '*' | '$' | '@' | '#' | '-') {
            self.at += 1;
            return true;
        }
        let other = self.asked > 0 && first == ':';
        let sign = SIGNS.iter().find(|sign| own.starts_with(**sign)).copied().or(other.then_some(":"));
        let Some(sign) = sign else { return false };
        match sign {
            "?" => self.asked += 1,
            ":" => self.asked -= 1,
            _ => {}
        }
        self.expects = true;
        self.at += sign.len();
        true
    }

    /// Between brackets all that stands in quotes counts, and the next line only behind what goes on there.
    fn inside(&mut self, first: char, own: &str) -> bool {
        match first {
            '(' | '[' | '{' | '<' => self.depth += 1,
            ')' | ']' | '}' | '>' => self.depth -= 1,
            '\n' | '\r' => {
                let before = self.text.get(..self.at).unwrap_or_default().trim_end();
                if !before.ends_with(['(', '[', '{', ',', '"', '\'', '+', '|', '=']) {
                    return false;
                }
                self.at += own.len() - own.trim_start().len();
                return true;
            }
            _ => {}
        }
        self.expects = self.printed && self.depth == 0;
        self.at += first.len_utf8();
        true
    }

    /// Takes the text whose quote stands here.
    fn take(&mut self, own: &str, quote: &str) -> bool {
        let behind = own.get(quote.len()..).unwrap_or_default();
        let sign = if quote.ends_with('"') { '"' } else { '\'' };
        if let Some(length) = lifetime(behind).filter(|_| sign == '\'') {
            self.at += quote.len() + length;
            return true;
        }
        let line = behind.split(['\n', '\r']).next().unwrap_or_default();
        let is_within = quote.len() > 1;
        let length = if is_within { line.find(quote) } else { Some(quoted(line, sign)) };
        let length = length.unwrap_or(line.len());
        let start = self.at + quote.len();
        // The name of the next one: `"password": "abc" and "api_key": "def"`.
        let next = line.get(length..).unwrap_or_default().trim_start_matches(['"', '\'', '\\']);
        let next = next.trim_start_matches(BLANKS);
        if self.depth == 0 && self.asked == 0 && next.starts_with(':') {
            return false;
        }
        if length > 0 {
            self.found.push(start..start + length);
        }
        self.at = (start + length + quote.len()).min(self.last.max(start));
        self.expects = false;
        length < line.len()
    }
}

/// The quote that a text begins with: within a text that is quoted itself it has a backslash.
fn quote_of(text: &str) -> Option<&'static str> {
    ["\"", "'", "\\\"", "\\'"].into_iter().find(|quote| text.starts_with(*quote))
}

/// Length of the name of a lifetime, behind its sign.
fn lifetime(text: &str) -> Option<usize> {
    let length = text.find(|c: char| !(c.is_ascii_lowercase() || c == '_'))?;
    let name = text.get(..length)?;
    let is_one = name == "static" || length == 1;
    (is_one && !text.get(length..)?.starts_with('\'')).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    #[test]
    fn an_expression_is_masked_with_all_its_texts() {
        for (text, masked) in [
            ("password:str='abc', n:int=1", "password:str='masked', n:int=1"),
            ("x='password=YWJj=' y='b'", "x='password=masked' y='b'"),
            (
                "const credential = new AzureKeyCredential(\"abc\");",
                "const credential = masked AzureKeyCredential(\"masked\");",
            ),
            (
                "Credentials = new NetworkCredential(\"bob\", \"abc\")",
                "Credentials = masked NetworkCredential(\"masked\", \"masked\")",
            ),
            ("const apiKey = await getKey('abc')", "const apiKey = masked getKey('masked')"),
            ("password: Option<String> = \"abc\"", "password: Option<String> = \"masked\""),
            ("password: Option<&str> = Some(\"abc\")", "password: Option<&str> = Some(\"masked\")"),
            ("password: &'static str = \"abc\";", "password: &'static str = \"masked\";"),
            ("password: [u8; 3] = *b\"abc\";", "password: masked = *b\"masked\";"),
            ("passwords := []string{\"ab\", \"c\"}", "passwords := masked\"masked\", \"masked\"}"),
            (
                "passwords = new String[] { \"ab\", \"c\" }",
                "passwords = masked String[] { \"masked\", \"masked\" }",
            ),
            ("let passwords = vec![\"ab\", \"c\"];", "let passwords = masked\"masked\", \"masked\"];"),
            (
                "credentials := Credentials{User: \"b\", Pw: \"abc\"} // x",
                "credentials := masked \"masked\", Pw: \"masked\"} // x",
            ),
            (
                "credentials: Credentials { user: \"b\", pass: \"abc\" }",
                "credentials: masked { user: \"masked\", pass: \"masked\" }",
            ),
        ] {
            assert_eq!(mask_message(text), masked);
            assert_eq!(mask_message(masked), masked);
        }
    }

    #[test]
    fn what_stands_in_the_place_of_a_value_is_masked_and_no_other_text() {
        for (text, masked) in [
            ("$passwords = @('ab', 'c')", "$passwords = masked'masked', 'masked')"),
            (
                "Authorization = 'Bearer {}'.format('abc')",
                "Authorization = 'Bearer masked}'.format('masked')",
            ),
            ("Authorization: \"Bearer \" + \"abc\"", "Authorization: \"Bearer \" + \"masked\""),
            ("password = a if b > 1 else \"abc\"", "password = masked if b > 1 else \"masked\""),
            ("apiKey: new Key(\"abc\")", "apiKey: masked Key(\"masked\")"),
            ("password = x if x else \"abc\"", "password = masked if x else \"masked\""),
            (
                "password = ok ? \"ab\" : \"c\"; y = \"d\"",
                "password = masked ? \"masked\" : \"masked\"; y = \"d\"",
            ),
            ("password: str = env.PW || \"abc\"", "password: str = env.PW || \"masked\""),
            ("\"password\": \"ab\" and \"pw\": \"c\"", "\"password\": \"masked\" and \"pw\": \"masked\""),
            ("password = \"ab\" + \"c\"", "password = \"masked\" + \"masked\""),
            ("password = (\"ab\"\n  \"c\")\nx = \"d\"", "password = masked\nx = \"d\""),
            ("[\"password\"]=>\n  string(3) \"abc\"", "[\"password\"]=>\n  masked) \"masked\""),
        ] {
            assert_eq!(mask_message(text), masked);
            assert_eq!(mask_message(masked), masked);
        }
        for text in [
            "PGPASSWORD=masked psql -h h -c \"SELECT 1\"",
            "password=masked user=\"bob\"",
            "password: masked # \"x\"",
            "if (password == masked) { log(\"x\") }",
            "the password: masked, then \"x\"",
            "**API key:** masked [docs](https://a.example \"title\")",
        ] {
            assert_eq!(mask_message(text), text);
        }
    }
}
