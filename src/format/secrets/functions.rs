//! Functions and blocks of code behind a name: `const hashPassword = async (pw) => { … }`. They are no value,
//! and what stands in them has names of its own.

use std::ops::Range;

use super::values::{BLANKS, bracketed, value_after};

/// What stands behind a sign and is code.
#[derive(Debug, PartialEq, Eq)]
enum Code {
    /// An expression that a function gives, and where it begins.
    Expression(usize),
    /// Statements, or what is not seen.
    Block,
}

/// Calls that a function may be handed to: `useCallback(async () => …`.
const CALLS_MOST: usize = 2;
/// Letters of the name of a call, or of what a function gives.
const NAME_MOST: usize = 60;
/// Bytes of a line that are looked at.
const LINE_MOST: usize = 200;

/// What is known to stand behind a sign, without looking further.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Known {
    Value(Range<usize>),
    /// No value.
    Other,
}

impl Known {
    /// The same of a text that begins so many bytes before.
    pub fn moved(self, bytes: usize) -> Self {
        match self {
            Self::Value(value) => Self::Value(bytes + value.start..bytes + value.end),
            Self::Other => Self::Other,
        }
    }

    pub fn value(self) -> Option<Range<usize>> {
        match self {
            Self::Value(value) => Some(value),
            Self::Other => None,
        }
    }
}

/// Of a text that begins with code what a function gives, where that is a value; none where it is no code.
pub(super) fn given(text: &str) -> Option<Known> {
    let Code::Expression(at) = code(text)? else { return Some(Known::Other) };
    let body = text.get(at..)?;
    let value = if body.starts_with(['"', '\'', '`']) { value_after(body) } else { 0..0 };
    Some(Known::Value(value).moved(at))
}

/// What code a text begins with; none where it is a value. An arrow (`=>`) may be the rest of the sign.
fn code(text: &str) -> Option<Code> {
    let is_arm = text.starts_with('>');
    let own = text.trim_start_matches(['=', '>']).trim_start_matches(BLANKS);
    if own.starts_with('{') {
        return (is_parametric(own) || is_arm && is_block(own)).then_some(Code::Block);
    }
    let mut head = own;
    for _ in 0..=CALLS_MOST {
        if let Some(body) = behind_head(head) {
            let body = body.trim_start();
            let is_block = body.is_empty() || body.starts_with('{');
            let at = text.len() - returned(body).unwrap_or(body).len();
            return Some(if is_block && returned(body).is_none() {
                Code::Block
            } else {
                Code::Expression(at)
            });
        }
        let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let name = head.find(|c| !of_name(c)).filter(|length| (1..=NAME_MOST).contains(length))?;
        head = head.get(name..)?.strip_prefix('(')?.trim_start();
    }
    None
}

/// The text that a function gives first of all: `{ return 'abc'; }`.
fn returned(body: &str) -> Option<&str> {
    let inner = body.strip_prefix('{')?.trim_start();
    let given = inner.strip_prefix("return")?.trim_start_matches(BLANKS);
    given.starts_with(['"', '\'', '`']).then_some(given)
}

/// What stands behind the head of a function, with its arrow: `async (a) => `, `function (a) `, `lambda a: `.
fn behind_head(text: &str) -> Option<&str> {
    let own =
        text.strip_prefix("async").map_or(text, |rest| if is_apart(rest) { rest.trim_start() } else { text });
    let is_async = own.len() < text.len();
    for word in ["function", "func", "fn", "proc", "lambda"] {
        let Some(rest) = own.strip_prefix(word).filter(|rest| is_apart(rest)) else { continue };
        let line = line_of(rest);
        return match word {
            "lambda" => rest.split_once(':').filter(|(head, _)| line.starts_with(head)).map(|(_, body)| body),
            "proc" => rest.trim_start().starts_with('{').then_some(""),
            _ => line.find('(').map(|_| rest.find('{').and_then(|at| rest.get(at..)).unwrap_or("")),
        };
    }
    if own.starts_with('(') {
        let behind = own.get(bracketed(own)..)?;
        return arrow(behind);
    }
    // A closure of Rust, a lambda of Ruby.
    if let Some(rest) = own.strip_prefix("move ").unwrap_or(own).strip_prefix('|') {
        let closed = line_of(rest).find('|').filter(|length| *length <= NAME_MOST)?;
        return rest.get(closed + 1..).filter(|body| body.starts_with(' '));
    }
    if let Some(rest) = own.strip_prefix("->") {
        return rest.trim_start_matches(BLANKS).starts_with(['(', '{']).then_some("");
    }
    let name =
        own.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))).filter(|at| *at > 0)?;
    let body = arrow(own.get(name..)?)?;
    (is_async || body.trim_start_matches(BLANKS).starts_with('{')).then_some(body)
}

/// What stands behind an arrow that a text begins with, behind the type of what is given.
fn arrow(text: &str) -> Option<&str> {
    let line = line_of(text);
    let at = line.find("=>").filter(|at| *at <= NAME_MOST)?;
    let before = line.get(..at)?.trim();
    (before.is_empty() || before.starts_with(':')).then(|| text.get(at + 2..)).flatten()
}

/// Whether a brace opens a function that names what it takes: `{ x -> …`, `{ |x| …`.
fn is_parametric(text: &str) -> bool {
    let inner = text.strip_prefix('{').unwrap_or_default().trim_start_matches(BLANKS);
    let of_names = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | ' ');
    let behind = inner.trim_start_matches(of_names);
    let length = inner.len() - behind.len();
    (1..=NAME_MOST).contains(&length) && behind.starts_with("->")
        || inner.strip_prefix('|').is_some_and(|rest| line_of(rest).contains('|'))
}

/// Whether a brace opens statements: its first line begins or ends as one does.
fn is_block(text: &str) -> bool {
    const WORDS: [&str; 20] = [
        "let", "return", "if", "for", "while", "match", "const", "var", "await", "throw", "try", "switch",
        "self", "this", "break", "continue", "unsafe", "loop", "case", "use",
    ];
    let inner = text.strip_prefix('{').unwrap_or_default().trim_start();
    let line = line_of(inner).trim_end();
    let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '!');
    let named = line.len() - line.trim_start_matches(of_name).len();
    let calls = named > 0 && line.get(named..).is_some_and(|rest| rest.starts_with('('));
    WORDS.contains(&word) || line.starts_with('(') || line.ends_with([';', '{']) || calls
}

/// Whether a word ends where a text begins.
fn is_apart(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn line_of(text: &str) -> &str {
    let near = text.get(..text.floor_char_boundary(LINE_MOST)).unwrap_or_default();
    near.split(['\n', '\r']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::pairs::mask_pairs;
    use super::{Code, code};

    #[test]
    fn the_body_of_a_function_is_no_value() {
        for text in [
            "const hashPassword = async (pw) => {\n  if (!row) return res.status(404).end()\n}\nnext()",
            "exports.resetPassword = async (req, res) => {\n  res.json(1)\n}",
            "const resetPassword = catchAsync(async (req, res) => {\n  res.json(1)\n})",
            "const refreshToken = useCallback(async () => {\n  go()\n}, [])",
            "const verifyToken = (req, res, next) => {\n  go(req)\n}",
            "const verifyToken = (req: Request): Promise<void> => {\n  go(req)\n}",
            "const verifyToken = req => {\n  go(req)\n}",
            "const password = function (a) {\n  go(a)\n}",
            "hashPassword: async function(pw) {\n  return 1\n},",
            "Position::AfterPassword => {\n (None, Some(f)) => f as usize,\n (None, None) => self.len(),\n },",
            "Key::Password => {\n    let a = read();\n    a\n}",
            "set_password = proc { |x| puts x }",
            "var getToken = func() string {\n return \"x\" }",
            "let password = || { read() };",
            "let token = move |a, b| { read(a) };",
            "def password = { x -> x.y }",
            "set_token = ->(x) { puts x }",
        ] {
            assert_eq!(mask_pairs(text), text);
        }
    }

    #[test]
    fn what_a_function_gives_is_a_value() {
        for (text, masked) in [
            ("const password = async () => 'abc'", "const password = async () => 'masked'"),
            ("const password = () => { return 'abc'; }", "const password = () => { return 'masked'; }"),
            ("password: function () {\n  return 'abc' }", "password: function () {\n  return 'masked' }"),
            ("password = lambda: 'abc'", "password = lambda: 'masked'"),
            ("apiToken: () => \"abc\",", "apiToken: () => \"masked\","),
            ("{ 'password' => { 'value' => 'abc' } }", "{ 'password' => masked }"),
            ("Key::Password => \"abc\".to_string(),", "Key::Password => \"masked\".to_string(),"),
            ("api_key: a => b", "api_key: masked => masked"),
            ("password: |\n  abc", "password: |\n  masked"),
            ("password = fnord", "password = masked"),
            ("password = asyncabc", "password = masked"),
            ("password = ((() => 'abc')())", "password = masked"),
        ] {
            assert_eq!(mask_pairs(text), masked);
        }
        assert_eq!(code(" \"abc\""), None);
        assert_eq!(code(" (a) => b"), Some(Code::Expression(8)));
    }
}
