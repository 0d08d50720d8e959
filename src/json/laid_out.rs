//! JSON laid out to be read: a line for each member, each token as it was sent.

use std::ops::Range;

/// Blanks of a level.
const INDENT: usize = 2;
/// Levels that are set in; deeper ones stand below these.
const LEVELS: usize = 24;

/// A text with a line for each member and element, and the lines, from 0, on which a stretch of it stands:
/// bytes of `text`. Only blanks between tokens are changed, so that what is cut off, doubled or spelled oddly
/// stays so.
pub fn laid_out(text: &str, stretch: &Range<usize>) -> (String, Range<usize>) {
    let mut out = Lines { text: String::with_capacity(text.len() * 2), ..Lines::default() };
    let (mut first, mut last) = (None, 0);
    let mut rest = text;
    while let Some((at, token)) = next_token(text, &mut rest) {
        let before = out.line;
        out.put(token, rest);
        if stretch.contains(&at) {
            // What opens or parts ends its line.
            let line = if matches!(token, "{" | "[" | ",") { before } else { out.line };
            first = first.or(Some(line));
            last = line + 1;
        }
    }
    (out.text, first.unwrap_or_default()..last)
}

/// Lines in the making.
#[derive(Default)]
struct Lines {
    text: String,
    depth: usize,
    line: usize,
}

impl Lines {
    /// Puts a token, given what follows it: empty objects and lists stay on a line.
    fn put(&mut self, token: &str, rest: &str) {
        let follows = rest.trim_start().chars().next();
        match token {
            "{" | "[" => {
                self.text.push_str(token);
                self.depth += 1;
                if !matches!(follows, Some('}' | ']')) {
                    self.end();
                }
            }
            "}" | "]" => {
                let empty = self.text.ends_with(['{', '[']);
                self.depth = self.depth.saturating_sub(1);
                if !empty {
                    self.end();
                }
                self.text.push_str(token);
            }
            "," => {
                self.text.push(',');
                self.end();
            }
            ":" => self.text.push_str(": "),
            _ => self.text.push_str(token),
        }
    }

    fn end(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', self.depth.min(LEVELS) * INDENT));
        self.line += 1;
    }
}

/// The next token and where it begins.
fn next_token<'t>(text: &'t str, rest: &mut &'t str) -> Option<(usize, &'t str)> {
    *rest = rest.trim_start();
    let at = text.len() - rest.len();
    let length = match rest.as_bytes().first()? {
        b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
        b'"' => string_length(rest),
        _ => rest.find(|c: char| c.is_whitespace() || "{}[],:\"".contains(c)).unwrap_or(rest.len()),
    };
    let (token, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some((at, token))
}

/// Bytes of the string that begins a text, with its quotes; all of one that does not end.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().enumerate().skip(1).find(|&(_, byte)| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_member_and_the_lines_of_a_stretch() {
        let text = r#"{"a":[1.0,{"b":"x\"],{"}],"a":{},"c":[]}"#;
        let inner = text.find(r#"{"b""#).unwrap();
        let (laid, lines) = laid_out(text, &(inner..inner + 14));
        assert_eq!(
            laid,
            "{\n  \"a\": [\n    1.0,\n    {\n      \"b\": \"x\\\"],{\"\n    }\n  ],\n  \"a\": {},\n  \"c\": []\n}"
        );
        assert_eq!(lines, 3..6);
        assert_eq!(laid_out(r#"{"a": "cut o"#, &(6..12)), ("{\n  \"a\": \"cut o".to_owned(), 1..2));
    }
}
