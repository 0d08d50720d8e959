//! Packed inputs, as logs come: what gzip and zstd wrote is unpacked while it is read, and what AWS frames in
//! binary becomes lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::error::InputError;
use super::event_stream::{EventLines, is_event_stream};

/// Bytes that are read at once before they are unpacked.
const BLOCK: usize = 64 << 10;

/// How bytes are packed, by how they begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    None,
    Gzip,
    Zstd,
    EventStream,
}

/// Bytes that tell how an input is packed.
const HEAD: u64 = 64;

impl Packing {
    fn of(head: &[u8]) -> Self {
        match head {
            [0x1F, 0x8B, ..] => Self::Gzip,
            // A frame, or one to be skipped, with which some packers begin.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Self::Zstd,
            _ if is_event_stream(head) => Self::EventStream,
            _ => Self::None,
        }
    }
}

/// A file, or standard input where none is named, as it is read from front to back, unpacked where it is packed.
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
    let head = loop {
        match reader.fill_buf() {
            Ok(head) => break Packing::of(head),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    Ok(match head {
        Packing::None => Box::new(reader),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(reader)),
        Packing::Zstd => Box::new(zstd::Decoder::with_buffer(reader)?),
        Packing::EventStream => Box::new(EventLines::new(reader)),
    })
}

/// Whether the bytes of a file are packed.
pub(super) fn is_packed(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(Packing::of(&head) != Packing::None)
}

/// Whether the name of a file says that it is packed: `log.jsonl.gz`.
pub(super) fn is_packed_name(extension: &str) -> bool {
    matches!(extension, "gz" | "zst")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(text.as_bytes()).unwrap();
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
        let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
        assert_eq!(read([zstd("one\n"), zstd("two\n")].concat()).unwrap(), "one\ntwo\n");
        let skipped = [&[0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4][..], &zstd("one\n")].concat();
        assert_eq!(read(skipped).unwrap(), "one\n");
        assert_eq!(read(Vec::new()).unwrap(), "");
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        let whole = gzip(&"many words ".repeat(1000));
        assert!(read(whole[..whole.len() / 2].to_vec()).is_err());
    }
}
