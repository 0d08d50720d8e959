//! Why an input cannot be read: where, what, and what to do.

use std::io;
use std::path::Path;

use crate::format::is_torn_json;
use crate::format::secrets::mask_quoted;

/// A file is not as it was when it was opened.
#[derive(Debug, thiserror::Error)]
#[error("the file has changed since it was opened; open it again")]
pub(super) struct Changed;

/// Why an input cannot be read at all.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The system refused.
    #[error("{name}: {what}")]
    Io {
        /// File name.
        name: String,
        /// What and what to do.
        what: String,
    },
    /// No byte, or white space only.
    #[error("{name}: the input is empty; give a file that holds a grounded response, or pipe one in")]
    Empty {
        /// File name.
        name: String,
    },
    /// A record has more bytes than may be held; what stands behind its line is read.
    #[error(
        "{name}:{line}:1: this record has more than {megabytes} MB; one of more is read with `--no-limits` only"
    )]
    TooLong {
        /// File name.
        name: String,
        /// Line from 1.
        line: usize,
        /// How many it may have.
        megabytes: u64,
    },
    /// Not text.
    #[error("{name}: this is {what}, not JSON text")]
    Binary {
        /// File name.
        name: String,
        /// What it looks like.
        what: String,
    },
    /// Text, but not JSON.
    #[error("{name}:{line}:{column}: not JSON: {what}")]
    NotJson {
        /// File name.
        name: String,
        /// Line from 1.
        line: usize,
        /// Column from 1, in characters.
        column: usize,
        /// What stands there and what to do.
        what: String,
    },
}

impl InputError {
    /// What the system said in the middle of reading.
    pub(super) fn unreadable(name: &str, error: &io::Error) -> Self {
        let changed = error.get_ref().and_then(|inner| inner.downcast_ref::<Changed>()).is_some();
        let what = if changed { Changed.to_string() } else { format!("cannot be read: {error}") };
        Self::Io { name: name.to_owned(), what }
    }

    /// A record has more bytes than may be held.
    pub(crate) fn too_long(name: &str, line: usize, longest: u64) -> Self {
        Self::TooLong { name: name.to_owned(), line, megabytes: longest >> 20 }
    }

    /// A file that is not as it was.
    pub(super) fn changed(name: &str) -> Self {
        Self::Io { name: name.to_owned(), what: Changed.to_string() }
    }

    /// A container without a value in it.
    pub(super) fn no_value(name: &str, text: &str, at: usize, what: &str) -> Self {
        let (line, column) = line_column(text, at);
        Self::NotJson { name: name.to_owned(), line, column, what: what.to_owned() }
    }

    /// The same behind so many lines of a longer input.
    pub(super) fn behind(mut self, lines: usize) -> Self {
        if let Self::NotJson { line, .. } = &mut self {
            *line += lines;
        }
        self
    }

    /// What the system said about a file.
    pub fn refused(path: &Path, error: &io::Error) -> Self {
        Self::Io { what: explain(path, error), name: path.display().to_string() }
    }

    /// Name of the input, the place in it if there is one, and what is wrong.
    pub fn parts(&self) -> (&str, Option<(usize, usize)>, String) {
        match self {
            Self::NotJson { name, line, column, what } => {
                (name, Some((*line, *column)), format!("not JSON: {what}"))
            }
            Self::TooLong { name, line, .. } => {
                let (text, place) = (self.to_string(), format!("{name}:{line}:1: "));
                (name, Some((*line, 1)), text.strip_prefix(&place).unwrap_or(&text).to_owned())
            }
            Self::Io { name, .. } | Self::Empty { name } | Self::Binary { name, .. } => {
                let text = self.to_string();
                (name, None, text.strip_prefix(&format!("{name}: ")).unwrap_or(&text).to_owned())
            }
        }
    }
}

pub(super) fn explain(path: &Path, error: &io::Error) -> String {
    if path.is_dir() {
        return "this is a directory; name a file in it".to_owned();
    }
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to read it; check its mode and owner".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

/// Text that begins like no container, with what it seems to be.
pub(super) fn not_json(name: &str, text: &str, at: usize) -> InputError {
    let (line, column) = line_column(text, at);
    let head: String = text.get(at..).unwrap_or_default().chars().take(200).collect();
    let what = if head.starts_with('<') {
        "this looks like HTML or XML; save the body of the response instead".to_owned()
    } else if text.trim().contains('\n') && is_torn_json(text) {
        "this is JSON without its first lines; copy or fetch all of it".to_owned()
    } else if head.starts_with("candidates {") || head.starts_with("candidates:") || head.contains(" {\n") {
        "this looks like protobuf text, as SDKs print it; save the response as JSON (for instance with \
         MessageToJson)"
            .to_owned()
    } else if head.starts_with('"') {
        "this is a JSON string; if it holds JSON, decode it once more (jq -r .)".to_owned()
    } else if head.contains("=[") || head.contains("=None") {
        "this looks like a Python object as print() shows it; save response.model_dump_json() instead"
            .to_owned()
    } else {
        let head = mask_quoted(&head);
        let word: String = head.split_whitespace().next().unwrap_or_default().chars().take(20).collect();
        format!(
            "a response begins with '{{', '[' or 'data:', here stands '{word}'; of plain text what cites a \
             numbered list of links by `[n]` is read"
        )
    };
    InputError::NotJson { name: name.to_owned(), line, column, what }
}

/// Line and column, both from 1, of a byte of a text; the column counts characters.
pub(super) fn line_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..text.floor_char_boundary(byte)).unwrap_or(text);
    let line_start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1);
    let column = before.get(line_start..).map_or(0, |line| line.chars().count());
    (memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1, column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Input;

    fn message(bytes: &[u8]) -> String {
        Input::from_bytes("f", bytes.to_vec()).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_read_says_where_and_what_to_do() {
        assert_eq!(
            message(b" \n"),
            "f: the input is empty; give a file that holds a grounded response, or pipe one in"
        );
        assert_eq!(
            message(b"\x1f\x8b\x08\0\0\0\0"),
            "f: this is gzip data (unpack it with gunzip), not JSON text"
        );
        assert_eq!(
            message(b"\x28\xb5\x2f\xfd\0\0\0\0"),
            "f: this is zstd data (unpack it with unzstd), not JSON text"
        );
        assert_eq!(
            message(b"\n\n  hello"),
            "f:3:3: not JSON: a response begins with '{', '[' or 'data:', here stands 'hello'; of plain text what \
             cites a numbered list of links by `[n]` is read"
        );
        assert_eq!(
            message(b"<html>"),
            "f:1:1: not JSON: this looks like HTML or XML; save the body of the response instead"
        );
        assert_eq!(
            message(b" \"a\": [\n  1\n ]\n}"),
            "f:1:2: not JSON: this is JSON without its first lines; copy or fetch all of it"
        );
        assert_eq!(message(b"[]"), "f:1:1: not JSON: an empty list; it holds no response");
        assert_eq!(message(b": beat\n\n: beat\n"), "f:1:1: not JSON: no event of this stream carries data");
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_column("a\nÄb", 2), (2, 1));
        assert_eq!(line_column("a\nÄb", 4), (2, 2));
        assert_eq!(line_column("", 9), (1, 1));
    }
}
