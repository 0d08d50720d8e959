//! Code in backticks within a line: what is begun in it ends with it. `` I call `connect(password=` first ``.

use std::ops::Range;

use memchr::memchr2_iter;

/// The spans of code of a text, ascending.
pub(super) struct Spans<'t> {
    text: &'t str,
    spans: Vec<Range<usize>>,
}

impl<'t> Spans<'t> {
    pub fn of(text: &'t str) -> Self {
        let (mut spans, mut open) = (Vec::new(), None);
        for at in memchr2_iter(b'`', b'\n', text.as_bytes()) {
            open = match (text.as_bytes().get(at), open) {
                (Some(b'`'), None) => Some(at),
                (Some(b'`'), Some(open)) => {
                    spans.push(open + 1..at);
                    None
                }
                _ => None,
            };
        }
        Self { text, spans }
    }

    /// Where the code ends in which the sign of a value stands; of a value behind its name in backticks, and
    /// of what stands in none, that of the text.
    pub fn end(&self, sign: usize, value: usize) -> usize {
        let next = self.spans.partition_point(|span| span.end <= sign);
        let span = self.spans.get(next).filter(|span| span.start <= sign);
        let opened = |end: usize| self.text.as_bytes().get(end - 1).is_some_and(|last| b"([{".contains(last));
        let end = span.map(|span| span.end).filter(|end| value < *end || opened(*end));
        end.unwrap_or(self.text.len())
    }

    /// What of a value lies before an end.
    pub fn within(&self, value: Range<usize>, end: usize) -> Option<Range<usize>> {
        (value.start < end || end == self.text.len()).then(|| value.start..value.end.min(end))
    }
}

#[cfg(test)]
mod tests {
    use crate::format::secrets::mask_message;

    #[test]
    fn what_is_begun_in_code_ends_with_it() {
        for (text, masked) in [
            ("I call `set_password(` first, then answer.", "I call `set_password(` first, then answer."),
            (
                "It has `passwords = [` and stops. Then I answer.",
                "It has `passwords = masked` and stops. Then I answer.",
            ),
            (
                "`api_key = os.environ.get(` is used; the report \"Halden\" says so.",
                "`api_key = masked` is used; the report \"Halden\" says so.",
            ),
            ("Set `password=hunter2` there.", "Set `password=masked` there."),
            ("`Password:` hunter2", "`Password:` masked"),
            ("`password` = `hunter2`", "`password` = `masked`"),
            ("const password = `hunter2`;", "const password = `masked`;"),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }
}
