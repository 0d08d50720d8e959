//! Bytes to text: UTF-8, UTF-16, and what is neither.

use super::error::{InputError, line_column};
use super::framing::{begins_like_json, is_lines};
use crate::model::Notice;

/// The text of some bytes, and what had to be done to read them.
pub(super) fn decode(name: &str, bytes: Vec<u8>) -> Result<(String, Vec<Notice>), InputError> {
    if let Some(little) = utf16_order(&bytes) {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| {
                let pair =
                    [pair.first().copied().unwrap_or_default(), pair.get(1).copied().unwrap_or_default()];
                if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
            })
            .collect();
        let text = String::from_utf16_lossy(&units);
        return Ok((text, vec![Notice::Utf16]));
    }
    match String::from_utf8(bytes) {
        Ok(text) if is_binary(text.as_bytes()) => {
            let what = utf32(text.as_bytes()).unwrap_or("binary data (it holds NUL bytes)");
            Err(InputError::Binary { name: name.to_owned(), what: what.to_owned() })
        }
        Ok(text) => Ok((text, Vec::new())),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let bad = text.matches('\u{fffd}').count();
            if is_lines(&bytes) {
                let (text, notices, _) = decode_lines(bytes, 0);
                return Ok((text, notices));
            }
            if is_binary(&bytes) || bad * 10 > text.len() {
                return Err(InputError::Binary { name: name.to_owned(), what: binary_kind(&bytes) });
            }
            let (line, column) = line_column(&text, at);
            let begun =
                bytes.get(..at).and_then(|before| memchr::memrchr(b'\n', before)).map_or(0, |end| end + 1);
            Ok((text, vec![Notice::NotUtf8 { line, column, byte: at - begun }]))
        }
    }
}

/// Whether bytes begin like no text: with NUL bytes, and neither as UTF-16 has them nor as what stands in
/// JSON, events or lines of it and shouldn't: there they cost the value that they are in.
pub fn is_binary(bytes: &[u8]) -> bool {
    utf16_order(bytes).is_none()
        && bytes.iter().take(4096).any(|&byte| byte == 0)
        && (utf32(bytes).is_some() || !begins_like_json(bytes) && !is_lines(bytes))
}

/// The text of JSON Lines behind so many others, with a notice for each line that is not UTF-8: the other
/// lines are what they are. The bytes are handed back where they are not those of the text.
pub(super) fn decode_lines(bytes: Vec<u8>, before: usize) -> (String, Vec<Notice>, Option<Vec<u8>>) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, Vec::new(), None),
        Err(error) => error.into_bytes(),
    };
    let bad = |(number, line): (usize, &[u8])| {
        let byte = std::str::from_utf8(line).err()?.valid_up_to();
        let column = String::from_utf8_lossy(line.get(..byte)?).chars().count() + 1;
        Some(Notice::NotUtf8 { line: before + number + 1, column, byte })
    };
    let notices = bytes.split(|&byte| byte == b'\n').enumerate().filter_map(bad).collect();
    (String::from_utf8_lossy(&bytes).into_owned(), notices, Some(bytes))
}

/// `Some(little endian)` for UTF-16, by its mark or by the zero bytes of its first two ASCII characters; none
/// where lines behind the first one are JSON as they are.
fn utf16_order(bytes: &[u8]) -> Option<bool> {
    let order = match bytes {
        _ if utf32(bytes).is_some() => None,
        [0xFF, 0xFE, ..]
        | [b'{' | b'[' | b'd' | b'e' | b':', 0]
        | [b'{' | b'[' | b'd' | b'e' | b':', 0, 1..=0xFF, 0, ..] => Some(true),
        [0xFE, 0xFF, ..]
        | [0, b'{' | b'[' | b'd' | b'e' | b':']
        | [0, b'{' | b'[' | b'd' | b'e' | b':', 0, 1..=0xFF, ..] => Some(false),
        _ => None,
    };
    order.filter(|_| !is_lines(bytes))
}

/// What to say of UTF-32, by its mark or by the zero bytes of its first character; nothing where lines behind
/// the first one are JSON as they are.
fn utf32(bytes: &[u8]) -> Option<&'static str> {
    let what = match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [b'{' | b'[' | b'd' | b'e' | b':', 0, 0, 0, ..] => {
            Some("UTF-32 text (convert it: iconv -f UTF-32LE -t UTF-8)")
        }
        [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, b'{' | b'[' | b'd' | b'e' | b':', ..] => {
            Some("UTF-32 text (convert it: iconv -f UTF-32BE -t UTF-8)")
        }
        _ => None,
    };
    what.filter(|_| !is_lines(bytes))
}

fn binary_kind(bytes: &[u8]) -> String {
    if let Some(what) = utf32(bytes) {
        return what.to_owned();
    }
    match bytes {
        [0x1F, 0x8B, ..] => "gzip data (unpack it with gunzip)".to_owned(),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => "zstd data (unpack it with unzstd)".to_owned(),
        [b'P', b'K', ..] => "a zip archive".to_owned(),
        [0x89, b'P', b'N', b'G', ..] => "a PNG picture".to_owned(),
        _ if bytes
            .get(..200.min(bytes.len()))
            .is_some_and(|head| memchr::memmem::find(head, b":event-type").is_some()) =>
        {
            "an AWS event stream (Bedrock), which is binary".to_owned()
        }
        _ => "binary data".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_and_stray_bytes_are_read_and_said() {
        let wide: Vec<u8> = [0xFF, 0xFE]
            .into_iter()
            .chain("{\"a\":\"ä\"}".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        let (text, notices) = decode("f", wide).unwrap();
        assert_eq!((text.trim_start_matches('\u{feff}'), notices), ("{\"a\":\"ä\"}", vec![Notice::Utf16]));
        let (_, notices) = decode("f", b"{\"a\": \"caf\xe9 and a long enough text\"}".to_vec()).unwrap();
        assert_eq!(notices, [Notice::NotUtf8 { line: 1, column: 11, byte: 10 }]);
    }

    #[test]
    fn a_first_line_that_begins_like_another_encoding_costs_itself_only() {
        let record = br#"{"candidates": [{"content": {"parts": [{"text": "x"}]}}]}"#;
        let all = |first: &[u8]| [first, b"\n", record, b"\n", record, b"\n"].concat();
        for first in [
            &b"\xff\xfejunk"[..],
            b"\xfe\xffjunk",
            b"\xff\xfe\0\0junk",
            b"\0\0\xfe\xff",
            b"{\0\0\0",
            b"{\0x\0",
            &b"\xff".repeat(1000),
        ] {
            let (text, _) = decode("f", all(first)).unwrap();
            let lines: Vec<&str> = text.lines().skip(1).collect();
            assert_eq!(lines, [std::str::from_utf8(record).unwrap(); 2], "{first:?}");
            assert!(!is_binary(&all(first)), "{first:?}");
        }
        // Lines of UTF-16 are what they are.
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let text = format!("{0}\n{0}\n", std::str::from_utf8(record).unwrap());
            let bytes = text.encode_utf16().flat_map(to_bytes).collect();
            assert_eq!(decode("f", bytes).unwrap(), (text, vec![Notice::Utf16]));
        }
    }
}
