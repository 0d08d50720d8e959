//! Packed inputs, as logs come: what gzip and zstd wrote is unpacked while it is read, and what AWS frames in
//! binary becomes lines.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine as _};

use flate2::bufread::GzDecoder;

use super::error::InputError;
use super::event_stream::{EventLines, is_event_stream};
use super::framing::{begins_like_json, is_lines};

/// Bytes that are read at once before they are unpacked.
const BLOCK: usize = 64 << 10;

/// How bytes are packed, by how they begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    None,
    Gzip,
    Zstd,
    EventStream,
    /// The same in base64, as logs and recorded exchanges keep binary bodies.
    Base64,
}

/// Bytes that tell how an input is packed.
const HEAD: u64 = 64;

impl Packing {
    /// Whether the first bytes of an input are those of something packed.
    fn may_be(head: &[u8]) -> bool {
        matches!(head, [0x1F, 0x8B, ..] | [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
            || Self::of(head) != Self::None
    }

    /// By as much of an input as is read at once.
    fn of(head: &[u8]) -> Self {
        match head {
            [0x1F, 0x8B, ..] if holds(head, GzDecoder::new(head)) => Self::Gzip,
            // A frame, or one to be skipped, with which some packers begin.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]
                if zstd::Decoder::with_buffer(head).is_ok_and(|unpacked| holds(head, unpacked)) =>
            {
                Self::Zstd
            }
            _ if is_event_stream(head) => Self::EventStream,
            _ if is_event_stream(&base64_head(head)) => Self::Base64,
            _ => Self::None,
        }
    }
}

/// Whether the beginning of what is packed can be unpacked; where it cannot, or its bytes look like lines of
/// JSON as they are, it has to hold JSON: packers may leave what they pack as it is.
fn holds(packed: &[u8], unpacked: impl Read) -> bool {
    let mut text = Vec::new();
    let read = unpacked.take(BLOCK as u64).read_to_end(&mut text);
    // It breaks off where no more of it is known.
    let sound = read.map_or_else(|error| error.kind() == io::ErrorKind::UnexpectedEof, |_| true);
    sound && !is_lines(packed) || is_lines(&text) || begins_like_json(&text)
}

/// Base64 with or without its padding.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What the beginning of a text in base64 stands for; nothing where it is no such text.
fn base64_head(head: &[u8]) -> Vec<u8> {
    // A message is shorter than 16 MB: its length begins with a zero.
    if !head.trim_ascii_start().starts_with(b"AA") {
        return Vec::new();
    }
    let first = head.split(|&byte| byte == b'=').next().unwrap_or_default();
    let joined: Vec<u8> =
        first.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(HEAD as usize).collect();
    let whole = joined.len() / 4 * 4;
    LENIENT.decode(joined.get(..whole).unwrap_or_default()).unwrap_or_default()
}

/// What gzip wrote, piece by piece, with zero bytes behind them, as tapes and blocks are filled up.
struct Gzip<R>(Option<GzDecoder<R>>);

/// What is said of other bytes behind the last piece.
const STRAY: &str = "the gzip data is whole, and what stands behind it is none";

impl<R: BufRead> Gzip<R> {
    /// The piece behind the one that has ended, where there is one.
    fn next(&mut self) -> io::Result<()> {
        let Some(mut reader) = self.0.take().map(GzDecoder::into_inner) else { return Ok(()) };
        loop {
            let rest = match reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                rest => rest?,
            };
            let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                // Each piece begins with the same sign.
                if rest.first().is_some_and(|&byte| byte != 0x1F) {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, STRAY));
                }
                self.0 = (!rest.is_empty()).then(|| GzDecoder::new(reader));
                return Ok(());
            }
            reader.consume(zeros);
        }
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(piece) = &mut self.0 {
            let count = piece.read(into)?;
            if count > 0 || into.is_empty() {
                return Ok(count);
            }
            self.next()?;
        }
        Ok(0)
    }
}

/// A text in base64, padded at its end or behind each piece, with or without line ends.
struct Base64<R> {
    reader: R,
    /// What was decoded, and how much of it was given.
    bytes: Vec<u8>,
    given: usize,
    /// Characters of a group that is not whole yet.
    group: Vec<u8>,
    /// Characters that were decoded.
    at: usize,
    /// Where it is no base64 any more: what came before is whole.
    fault: Option<usize>,
}

impl<R: Read> Base64<R> {
    fn new(reader: R) -> Self {
        Self { reader, bytes: Vec::new(), given: 0, group: Vec::new(), at: 0, fault: None }
    }

    /// Decodes what is read next; false at the end.
    fn more(&mut self) -> io::Result<bool> {
        let mut block = vec![0; BLOCK];
        let count = self.reader.read(&mut block)?;
        block.truncate(count);
        (self.given, self.bytes) = (0, Vec::new());
        for (number, piece) in block.split(|&byte| byte == b'=').enumerate() {
            if number > 0 {
                self.decode(self.group.len());
            }
            self.group.extend(piece.iter().filter(|byte| !byte.is_ascii_whitespace()));
            self.decode(self.group.len() / 4 * 4);
        }
        if count == 0 {
            self.decode(self.group.len());
        }
        Ok(count > 0)
    }

    fn decode(&mut self, length: usize) {
        let rest = self.group.split_off(length);
        let group = std::mem::replace(&mut self.group, rest);
        if self.fault.is_some() {
            return;
        }
        let bytes = LENIENT.decode(&group).or_else(|error| {
            let at = if let DecodeError::InvalidByte(at, _) = error { at } else { group.len() };
            self.fault = Some(self.at + at);
            LENIENT.decode(group.get(..at / 4 * 4).unwrap_or_default())
        });
        self.bytes.extend(bytes.unwrap_or_default());
        self.at += group.len();
    }
}

impl<R: Read> Read for Base64<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.bytes.len() {
            if let Some(at) = self.fault {
                let text = format!("the event stream is no base64 behind its first {at} characters");
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
            if !self.more()? && self.bytes.is_empty() {
                return Ok(0);
            }
        }
        let count = self.bytes.get(self.given..).unwrap_or_default().read(into)?;
        self.given += count;
        Ok(count)
    }
}

/// A file, or standard input where none is named, as it is read from front to back, unpacked where it is
/// packed.
pub fn reader_of(path: Option<&Path>) -> Result<Box<dyn Read + Send>, InputError> {
    let Some(path) = path else {
        return unpacked(io::stdin()).map_err(|error| InputError::unreadable("stdin", &error));
    };
    let open = || {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { unpacked(file) }
    };
    open().map_err(|error| InputError::refused(path, &error))
}

/// The bytes of a reader, unpacked where they are packed. Several packed pieces one behind the other are one
/// text.
pub(super) fn unpacked(reader: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut reader = BufReader::with_capacity(BLOCK, reader);
    Ok(match head_of(&mut reader, Packing::of)? {
        Packing::Gzip => text_of(Gzip(Some(GzDecoder::new(reader))))?,
        Packing::Zstd => text_of(zstd::Decoder::with_buffer(reader)?)?,
        Packing::None => Box::new(reader),
        Packing::EventStream => Box::new(EventLines::new(reader)),
        Packing::Base64 => Box::new(EventLines::new(BufReader::with_capacity(BLOCK, Base64::new(reader)))),
    })
}

/// What was packed, as text: an event stream, too, may have been packed.
fn text_of(unpacked: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut reader = BufReader::with_capacity(BLOCK, unpacked);
    let framed = head_of(&mut reader, is_event_stream)?;
    Ok(if framed { Box::new(EventLines::new(reader)) } else { Box::new(reader) })
}

/// What the first bytes tell.
fn head_of<T>(reader: &mut impl BufRead, of: impl Fn(&[u8]) -> T) -> io::Result<T> {
    loop {
        match reader.fill_buf() {
            Ok(head) => return Ok(of(head)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether the bytes of a file are packed.
pub(super) fn is_packed(path: &Path) -> io::Result<bool> {
    let (mut file, mut head) = (File::open(path)?, Vec::new());
    file.by_ref().take(HEAD).read_to_end(&mut head)?;
    if !Packing::may_be(&head) {
        return Ok(false);
    }
    file.take(BLOCK as u64).read_to_end(&mut head)?;
    Ok(Packing::of(&head) != Packing::None)
}

/// Whether the name of a file says that it is packed: `log.jsonl.gz`.
pub(super) fn is_packed_name(extension: &OsStr) -> bool {
    ["gz", "zst"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::event_stream::tests::message;
    use super::*;

    fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(bytes.as_ref()).unwrap();
        packer.finish().unwrap()
    }

    fn read(bytes: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        unpacked(io::Cursor::new(bytes))?.read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn packed_pieces_are_one_text_and_plain_bytes_stay() {
        assert_eq!(read(b"{\"a\": 1}".to_vec()).unwrap(), "{\"a\": 1}");
        assert_eq!(read([gzip("one\n"), gzip("two\n")].concat()).unwrap(), "one\ntwo\n");
        let padded = [gzip("one\n"), vec![0; 3], gzip("two\n"), vec![0; 200_000]].concat();
        assert_eq!(read(padded).unwrap(), "one\ntwo\n");
        let stray = read([gzip("one\n"), vec![0, 1]].concat()).unwrap_err();
        assert_eq!(stray.to_string(), "the gzip data is whole, and what stands behind it is none");
        let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
        assert_eq!(read([zstd("one\n"), zstd("two\n")].concat()).unwrap(), "one\ntwo\n");
        let skipped = [&[0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4][..], &zstd("one\n")].concat();
        assert_eq!(read(skipped).unwrap(), "one\n");
        assert_eq!(read(Vec::new()).unwrap(), "");
    }

    #[test]
    fn an_event_stream_that_was_packed_is_one_all_the_same() {
        let stream = message("chunk", "{\"a\": 1}");
        let plain = read(stream.clone()).unwrap();
        assert_eq!(plain, "data: {\"chunk\": {\"a\": 1}}\n\n");
        assert_eq!(read(gzip(&stream)).unwrap(), plain);
        assert_eq!(read(zstd::encode_all(&stream[..], 1).unwrap()).unwrap(), plain);
    }

    #[test]
    fn an_event_stream_in_base64_is_read_as_far_as_it_goes() {
        let text = base64::engine::general_purpose::STANDARD
            .encode([message("messageStart", "{}"), message("chunk", "{\"a\": 1}")].concat());
        let both = "data: {\"messageStart\": {}}\n\ndata: {\"chunk\": {\"a\": 1}}\n\n";
        let wrapped: String =
            text.as_bytes().chunks(20).map(|line| format!("{}\r\n", line.escape_ascii())).collect();
        let indented = format!("\n  {text}");
        for text in [text.clone(), wrapped, text.trim_end_matches('=').to_owned(), indented] {
            assert_eq!(read(text.into_bytes()).unwrap(), both);
        }
        let padded: String = [message("a", "{}"), message("b", "{}")]
            .map(|message| format!("{}\n", base64::engine::general_purpose::STANDARD.encode(message)))
            .concat();
        assert!(padded.trim_end().contains("=\n"), "{padded}");
        assert_eq!(read(padded.into_bytes()).unwrap(), "data: {\"a\": {}}\n\ndata: {\"b\": {}}\n\n");
        let first = "data: {\"messageStart\": {}}\n\n";
        for (less, begun) in [(9, "{\"a\": "), (10, "{\"a\":"), (11, "{\"a\"")] {
            let begun = format!("{first}data: {{\"chunk\": {begun}\n\n");
            assert_eq!(read(text.as_bytes()[..text.len() - less].to_vec()).unwrap(), begun);
        }
        let faulty = format!("{}*{}", &text[..text.len() - 9], &text[text.len() - 9..]);
        let at = text.len() - 9;
        let told = format!("{first}the event stream is no base64 behind its first {at} characters\n\n");
        assert_eq!(read(faulty.into_bytes()).unwrap(), told);
        let broken = read(text.as_bytes()[..40].to_vec()).unwrap_err().to_string();
        assert_eq!(broken, "the event stream breaks off in the message at byte 0");
        assert_eq!(read(b"AAAA is no stream".to_vec()).unwrap(), "AAAA is no stream");
    }

    #[test]
    fn a_first_line_that_begins_like_something_packed_costs_itself_only() {
        let record = r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}}]}"#;
        let behind = format!("\n{record}\n{record}\n").into_bytes();
        for first in [
            &b"\x1f\x8b"[..],
            b"\x1f\x8b\x08\0\0\0\0\0\0\x03junk",
            b"\x1f\x8b\x08\x08\0\0\0\0\0\x03junk",
            b"\x28\xb5\x2f\xfdjunk",
            b"\x50\x2a\x4d\x18junk",
            &gzip("one")[..15],
        ] {
            let bytes = [first, &behind].concat();
            assert_eq!(Packing::of(&bytes), Packing::None, "{first:?}");
        }
        // Also where the next line is long.
        let bytes = [b"\x28\xb5\x2f\xfd\x04\0abc\n", record.repeat(1000).as_bytes()].concat();
        assert_eq!(Packing::of(&bytes), Packing::None);
        // What is packed without being made smaller shows its lines.
        let mut stored = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        let text = format!("junk\n{record}\n{record}\n");
        stored.write_all(text.as_bytes()).unwrap();
        let stored = stored.finish().unwrap();
        assert!(is_lines(&stored));
        assert_eq!(read(stored).unwrap(), text);
        // Whatever is packed, a file is what its bytes are.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for text in [format!("\0\n{record}\n{record}\n"), "\u{feff}x\0".repeat(100_000), "\0".repeat(300_000)]
        {
            for level in 0..=9 {
                let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
                packer.write_all(text.as_bytes()).unwrap();
                std::fs::write(&path, packer.finish().unwrap()).unwrap();
                assert!(is_packed(&path).unwrap(), "{level}");
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        let whole = gzip("many words ".repeat(1000));
        assert!(read(whole[..whole.len() / 2].to_vec()).is_err());
    }
}
