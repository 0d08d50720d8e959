//! Reading: files, directories, standard input; encodings; errors that say where, what and what to do.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{Container, Input, framing, line_column};
use crate::model::Notice;

/// Why an input cannot be read at all.
#[derive(Debug, thiserror::Error)]
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
    /// What the system said about a file.
    pub fn refused(path: &Path, error: &io::Error) -> Self {
        Self::Io { what: explain(path, error), name: path.display().to_string() }
    }

    /// Name of the input, the place in it if there is one, and what is wrong.
    pub fn parts(&self) -> (&str, Option<(usize, usize)>, String) {
        match self {
            Self::NotJson { name, line, column, what } => (name, Some((*line, *column)), format!("not JSON: {what}")),
            Self::Io { name, .. } | Self::Empty { name } | Self::Binary { name, .. } => {
                let text = self.to_string();
                (name, None, text.strip_prefix(&format!("{name}: ")).unwrap_or(&text).to_owned())
            }
        }
    }
}

/// Reads a file.
pub fn read_file(path: &Path) -> Result<Input, InputError> {
    from_bytes(&path.display().to_string(), read_bytes(path)?)
}

/// Reads the bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, InputError> {
    fs::read(path).map_err(|error| InputError::refused(path, &error))
}

/// Reads standard input to its end.
pub fn read_stdin() -> Result<Input, InputError> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| InputError::Io { name: "stdin".to_owned(), what: error.to_string() })?;
    from_bytes("stdin", bytes)
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

/// The response files below a directory (`*.json *.jsonl *.ndjson *.sse`), sorted; hidden ones are skipped.
pub fn files_below(directory: &Path) -> Result<Vec<PathBuf>, InputError> {
    let fail = |error: io::Error| InputError::Io { name: directory.display().to_string(), what: format!("cannot be listed: {error}") };
    let mut files = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(directory).map_err(fail)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        // Links to directories may lead back up; pipes and devices would wait for ever.
        if entry.is_dir() && !entry.is_symlink() {
            files.extend(files_below(&entry)?);
        } else if entry.is_file()
            && entry.extension().and_then(|e| e.to_str()).is_some_and(|e| ["json", "jsonl", "ndjson", "sse"].contains(&e))
        {
            files.push(entry);
        }
    }
    Ok(files)
}

/// Makes an input of a piece of JSON Lines that begins after `first_line` lines.
pub fn from_lines(name: &str, bytes: Vec<u8>, first_line: usize) -> Result<Input, InputError> {
    let (text, notices) = decode(name, bytes)?;
    let mut input = Input {
        name: name.to_owned(),
        text,
        container: Container::Lines,
        frames: Vec::new(),
        notices,
        first_line,
        lines: std::sync::OnceLock::new(),
    };
    let start = framing::start_of(&input.text);
    framing::split_lines(&mut input, start);
    Ok(input)
}

/// Makes an input of bytes: finds the encoding and the container, cuts the frames.
pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Input, InputError> {
    let (text, notices) = decode(name, bytes)?;
    let mut input = Input {
        name: name.to_owned(),
        text,
        container: Container::default(),
        frames: Vec::new(),
        notices,
        first_line: 0,
        lines: std::sync::OnceLock::new(),
    };
    let start = framing::start_of(&input.text);
    match input.text.as_bytes().get(start) {
        None => return Err(InputError::Empty { name: input.name }),
        Some(b'{' | b'[') => {}
        Some(_) if framing::is_events(&input.text) => {}
        Some(_) => return Err(not_json(&input, start)),
    }
    framing::frame(&mut input);
    if input.frames.is_empty() {
        let (line, column) = line_column(&input.text, start);
        let what = match input.container {
            Container::Array => "an empty list; it holds no response",
            _ => "no event of this stream carries data",
        };
        return Err(InputError::NotJson { name: input.name, line, column, what: what.to_owned() });
    }
    Ok(input)
}

fn decode(name: &str, bytes: Vec<u8>) -> Result<(String, Vec<Notice>), InputError> {
    if let Some(little) = utf16_order(&bytes) {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| {
                let pair = [pair.first().copied().unwrap_or_default(), pair.get(1).copied().unwrap_or_default()];
                if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
            })
            .collect();
        let text = String::from_utf16_lossy(&units);
        return Ok((text, vec![Notice::Utf16]));
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.as_bytes().iter().take(4096).any(|&byte| byte == 0) => {
            Err(InputError::Binary { name: name.to_owned(), what: "binary data (it holds NUL bytes)".to_owned() })
        }
        Ok(text) => Ok((text, Vec::new())),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let bad = text.matches('\u{fffd}').count();
            if bytes.iter().take(4096).any(|&byte| byte == 0) || bad * 10 > text.len() {
                return Err(InputError::Binary { name: name.to_owned(), what: binary_kind(&bytes) });
            }
            let (line, column) = line_column(&text, at);
            Ok((text, vec![Notice::NotUtf8 { line, column, byte: at }]))
        }
    }
}

/// `Some(little endian)` for UTF-16, by its mark or by the zero byte of its first ASCII character.
fn utf16_order(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0xFF, 0xFE, ..] | [b'{' | b'[' | b'd' | b'e' | b':', 0, ..] => Some(true),
        [0xFE, 0xFF, ..] | [0, b'{' | b'[' | b'd' | b'e' | b':', ..] => Some(false),
        _ => None,
    }
}

fn binary_kind(bytes: &[u8]) -> String {
    match bytes {
        [0x1F, 0x8B, ..] => "gzip data (unpack it with gunzip)".to_owned(),
        [b'P', b'K', ..] => "a zip archive".to_owned(),
        [0x89, b'P', b'N', b'G', ..] => "a PNG picture".to_owned(),
        _ if bytes.get(..200.min(bytes.len())).is_some_and(|head| memchr::memmem::find(head, b":event-type").is_some()) => {
            "an AWS event stream (Bedrock), which is binary".to_owned()
        }
        _ => "binary data".to_owned(),
    }
}

fn not_json(input: &Input, at: usize) -> InputError {
    let (line, column) = line_column(&input.text, at);
    let head: String = input.text.chars().skip(input.text.get(..at).map_or(0, |t| t.chars().count())).take(200).collect();
    let what = if head.starts_with('<') {
        "this looks like HTML or XML; save the body of the response instead".to_owned()
    } else if head.starts_with("candidates {") || head.starts_with("candidates:") || head.contains(" {\n") {
        "this looks like protobuf text, as SDKs print it; save the response as JSON (for instance with MessageToJson)".to_owned()
    } else if head.starts_with('"') {
        "this is a JSON string; if it holds JSON, decode it once more (jq -r .)".to_owned()
    } else if head.contains("=[") || head.contains("=None") {
        "this looks like a Python object as print() shows it; save response.model_dump_json() instead".to_owned()
    } else {
        let word: String = head.split_whitespace().next().unwrap_or_default().chars().take(20).collect();
        format!("a response begins with '{{', '[' or 'data:', here stands '{word}'")
    };
    InputError::NotJson { name: input.name.clone(), line, column, what }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        from_bytes("f", bytes.to_vec()).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_read_says_where_and_what_to_do() {
        assert_eq!(message(b" \n"), "f: the input is empty; give a file that holds a grounded response, or pipe one in");
        assert_eq!(message(b"\x1f\x8b\x08\0\0\0\0"), "f: this is gzip data (unpack it with gunzip), not JSON text");
        assert_eq!(message(b"\n\n  hello"), "f:3:3: not JSON: a response begins with '{', '[' or 'data:', here stands 'hello'");
        assert_eq!(message(b"<html>"), "f:1:1: not JSON: this looks like HTML or XML; save the body of the response instead");
        assert_eq!(message(b"[]"), "f:1:1: not JSON: an empty list; it holds no response");
        assert_eq!(message(b": beat\n\n: beat\n"), "f:1:1: not JSON: no event of this stream carries data");
    }

    #[test]
    fn utf_16_and_stray_bytes_are_read_and_said() {
        let wide: Vec<u8> = [0xFF, 0xFE].into_iter().chain("{\"a\":\"ä\"}".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let input = from_bytes("f", wide).unwrap();
        assert_eq!(input.frame(0), "{\"a\":\"ä\"}");
        assert_eq!(input.notices, [Notice::Utf16]);
        let stray = from_bytes("f", b"{\"a\": \"caf\xe9 and a long enough text\"}".to_vec()).unwrap();
        assert_eq!(stray.notices, [Notice::NotUtf8 { line: 1, column: 11, byte: 10 }]);
        assert!(stray.notices[0].to_string().starts_with("not UTF-8 at 1:11 (byte 10)"));
    }
}
