//! Reads and writes that fail, at each call in turn: what came before is kept, the error is told, nothing panics.

use std::io::{self, Read, Write};

use citescope::export::{Make, Options, TARGETS};
use citescope::session::{Batches, Supplied};

use crate::common::library::{open, sample};

/// A text that comes a few bytes at a time and breaks off at a call.
struct Breaking {
    text: Vec<u8>,
    at: usize,
    calls: usize,
}

impl Read for Breaking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.calls == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        self.calls -= 1;
        let rest = &self.text[self.at..];
        let count = rest.len().min(buffer.len()).min(97);
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

#[test]
fn what_was_read_before_an_error_is_kept_and_the_error_is_told() {
    let text = sample("gemini-batch.jsonl").as_bytes().to_vec();
    let ids = |session: &citescope::Session| -> Vec<Option<String>> {
        session.reviews().flatten().map(|review| review.response.id.clone()).collect()
    };
    let all = ids(&open("f", text.clone()));
    let mut complete = 0;
    for calls in 0..text.len() / 97 + 4 {
        let reader = Breaking { text: text.clone(), at: 0, calls };
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for piece in Batches::new("f", Box::new(reader), Supplied::default()) {
            match piece {
                Ok(session) => found.extend(ids(&session)),
                Err(error) => errors.push(error.to_string()),
            }
        }
        assert!(all.starts_with(&found), "{calls}: {found:?}");
        match errors.as_slice() {
            [] => complete += 1,
            [only] => assert!(only.contains("the disk is gone"), "{calls}: {only}"),
            several => panic!("{calls}: {several:?}"),
        }
    }
    assert!(complete >= 1, "with calls enough all is read");
}

/// An output that takes so many calls.
struct Full {
    taken: Vec<u8>,
    calls: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.calls == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.calls -= 1;
        // Not all of it at once either.
        let count = bytes.len().min(4096);
        self.taken.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.calls == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

#[test]
fn an_output_that_takes_no_more_is_an_error_and_what_it_took_is_a_beginning() {
    for target in TARGETS {
        let Make::All(make) = target.make else { continue };
        let write = |out: &mut dyn Write| {
            let session = open("f", sample("gemini-batch.jsonl"));
            make(&mut session.reviews().flatten(), &Options::default(), out)
        };
        let mut whole = Vec::new();
        write(&mut whole).unwrap();
        let mut ended = false;
        for calls in (0..40).chain((40..).step_by(977)) {
            let mut out = Full { taken: Vec::new(), calls };
            let result = write(&mut out);
            assert!(whole.starts_with(&out.taken), "{}", target.id);
            match result {
                Ok(()) => {
                    assert!(out.taken == whole, "{}", target.id);
                    ended = true;
                    break;
                }
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{}", target.id),
            }
        }
        assert!(ended);
    }
}
