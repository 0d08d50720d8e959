//! An input as it is found: what is short comes whole, JSON Lines of any length a stretch at a time, each
//! with the places of its records and none of their text.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::backing::Backing;
use super::error::InputError;
use super::framing;
use super::input::{BLOCK, Input, Stretch};
use super::spool::{Spool, Spooled};
use super::unpack;

/// Bytes of the first stretch: what is shown first comes soon.
const FIRST: u64 = 1 << 20;
/// Bytes of the others.
const STRETCH: u64 = 4 << 20;

/// The pieces of one input, in order. Records and lines are numbered through.
pub struct Pieces {
    state: State,
    /// Why nothing could be read behind them.
    fault: Option<InputError>,
}

enum State {
    Whole(Option<Box<Result<Input, InputError>>>),
    Lines(Box<Lines>),
}

/// JSON Lines that are read where they are wanted.
struct Lines {
    name: String,
    backing: Backing,
    length: u64,
    /// First byte that belongs to no piece yet, with the lines and records before it.
    at: u64,
    before: (usize, usize),
    /// Bytes that are looked at next.
    most: u64,
    /// Bytes that a record may have.
    longest: u64,
}

impl Pieces {
    /// Of a file, or of standard input where none is named; what cannot be read again is kept.
    pub fn of(path: Option<&Path>, spool: &Spool) -> Self {
        let name = path.map_or_else(|| "stdin".to_owned(), |path| path.display().to_string());
        Self::open(&name, path, spool).unwrap_or_else(|error| Self::whole(Err(error)))
    }

    fn open(name: &str, path: Option<&Path>, spool: &Spool) -> Result<Self, InputError> {
        let Some(path) = path else { return Self::read_through(name, io::stdin(), spool) };
        let failed = |error: io::Error| InputError::refused(path, &error);
        match Backing::file(path).map_err(failed)? {
            Some((backing, length)) if !unpack::is_packed(path).map_err(failed)? => {
                Self::stored(name, backing, length, spool.longest)
            }
            // What is packed or no regular file is read once.
            _ => Self::read_through(name, File::open(path).map_err(failed)?, spool),
        }
    }

    /// Of a pipe: a short one is held, a longer one kept in a spool.
    fn read_through(
        name: &str,
        reader: impl Read + Send + 'static,
        spool: &Spool,
    ) -> Result<Self, InputError> {
        let failed = |error: io::Error| InputError::unreadable(name, &error);
        let mut reader =
            AsFar { reader: unpack::unpacked(reader).map_err(failed)?, begun: false, fault: None };
        let spooled = spool.keep(&mut reader, BLOCK).map_err(failed)?;
        let fault = reader.fault.take().map(failed);
        let state = match spooled {
            // What broke off may be nothing that could be read.
            Spooled::Short(bytes) => match (Input::from_bytes(name, bytes), fault) {
                (Err(_), Some(fault)) => return Ok(Self::whole(Err(fault))),
                (input, fault) => return Ok(Self { fault, ..Self::whole(input) }),
            },
            Spooled::Long(backing, length) => Self::stored(name, backing, length, spool.longest)?,
        };
        Ok(Self { fault, ..state })
    }

    pub(super) fn stored(
        name: &str,
        backing: Backing,
        length: u64,
        longest: u64,
    ) -> Result<Self, InputError> {
        let failed = |error: io::Error| InputError::unreadable(name, &error);
        if length > BLOCK as u64 && framing::is_lines(&backing.read(0..BLOCK as u64).map_err(failed)?) {
            let name = name.to_owned();
            let lines = Lines { name, backing, length, at: 0, before: (0, 0), most: FIRST, longest };
            return Ok(Self { state: State::Lines(Box::new(lines)), fault: None });
        }
        Ok(Self::whole(Input::read(name, backing, length, longest)))
    }

    pub(super) fn whole(input: Result<Input, InputError>) -> Self {
        Self { state: State::Whole(Some(Box::new(input))), fault: None }
    }
}

impl Iterator for Pieces {
    type Item = Result<Input, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match &mut self.state {
            State::Whole(input) => input.take().map(|input| *input),
            State::Lines(lines) => {
                let next = lines.next();
                // After an error nothing more is read, but for a line that is too long.
                if matches!(&next, Some(Err(error)) if !matches!(error, InputError::TooLong { .. })) {
                    lines.at = lines.length;
                }
                next
            }
        };
        next.or_else(|| self.fault.take().map(Err))
    }
}

/// What a reader gives until it fails, once it has begun: what came before is worth having.
struct AsFar<R> {
    reader: R,
    begun: bool,
    fault: Option<io::Error>,
}

impl<R: Read> Read for AsFar<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.fault.is_some() {
            return Ok(0);
        }
        match self.reader.read(into) {
            Err(error) if self.begun && error.kind() != io::ErrorKind::Interrupted => {
                self.fault = Some(error);
                Ok(0)
            }
            read => {
                self.begun |= read.as_ref().is_ok_and(|&count| count > 0);
                read
            }
        }
    }
}

impl Lines {
    fn next(&mut self) -> Option<Result<Input, InputError>> {
        while self.at < self.length {
            let end = self.length.min(self.at + self.most);
            let block = match self.backing.read(self.at..end) {
                Ok(block) => block,
                Err(error) => return Some(Err(InputError::unreadable(&self.name, &error))),
            };
            // Of a line that is too long the rest is not read.
            let line = memchr::memrchr(b'\n', &block).map_or(0, |line_end| line_end + 1);
            let is_long = (block.len() - line) as u64 > self.longest;
            if is_long && line == 0 {
                return Some(self.pass_line());
            }
            let last = is_long || end == self.length;
            let block = if is_long { block.get(..line).unwrap_or_default().to_vec() } else { block };
            if let Some(piece) = self.piece(block, last) {
                self.most = STRETCH;
                return Some(Ok(piece));
            }
            // A record that is longer than what was looked at.
            self.most *= 2;
        }
        None
    }

    /// Goes past the next line, which is too long.
    fn pass_line(&mut self) -> Result<Input, InputError> {
        let (line, record) = self.before;
        while self.at < self.length {
            let end = self.length.min(self.at + STRETCH);
            let block = self.backing.read(self.at..end);
            let block = block.map_err(|error| InputError::unreadable(&self.name, &error))?;
            if let Some(line_end) = memchr::memchr(b'\n', &block) {
                self.at += line_end as u64 + 1;
                break;
            }
            self.at = end;
        }
        self.most = STRETCH;
        self.before = (line + 1, record + 1);
        Err(InputError::too_long(&self.name, line + 1, self.longest))
    }

    /// The records that begin in a block: all but the last one, which lines behind it may belong to. Nothing
    /// where that is all there is.
    fn piece(&mut self, mut block: Vec<u8>, last: bool) -> Option<Input> {
        if !last {
            block.truncate(memchr::memrchr(b'\n', &block).map_or(0, |end| end + 1));
        }
        let (lines, records) = self.before;
        let mut input = match std::str::from_utf8(&block) {
            Ok(text) => {
                let from = Stretch { backing: self.backing.clone(), at: self.at, lines, records };
                Input::stretch_of(&self.name, text, from)
            }
            // What is not UTF-8 cannot be read again from where it is.
            Err(_) => Input::from_lines(&self.name, block.clone(), lines, records),
        };
        if last {
            self.at += block.len() as u64;
            self.before = (lines + memchr::memchr_iter(b'\n', &block).count(), records + input.len());
            return Some(input);
        }
        let before = input.leave_last(Some(&block))?;
        self.at += before.bytes as u64;
        self.before = (lines + before.lines, records + input.len());
        Some(input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_record_that_is_too_long_the_rest_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.json");
        let of = |text: &str, longest: u64| {
            std::fs::write(&path, text).unwrap();
            Pieces::of(Some(&path), &Spool::new(longest)).next().unwrap().map(|input| input.len())
        };
        let said = |error: InputError| error.parts().2;
        let long =
            Err("this record has more than 1 MB; one of more is read with `--no-limits` only".to_owned());
        let (words, blanks) = ("x".repeat(2 << 20), " ".repeat(2 << 20));
        let value = format!("{{\"a\": \"{words}\"}}");
        for text in
            [value.clone(), format!("\u{feff} [{value}]"), format!("[ \"{words}"), format!("{blanks}{{}}")]
        {
            assert_eq!(of(&text, 1 << 20).map_err(said), long);
            assert!(of(&text, 4 << 20).is_ok());
        }
        // Many short ones may be longer together.
        let many = format!("[{}1]", "{\"candidates\": []}, ".repeat(60_000));
        assert!(of(&many, 1 << 20).is_ok());
    }

    #[test]
    fn a_line_that_is_too_long_costs_itself_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.jsonl");
        let line = |text: &str| {
            let words =
                format!(r#"{{"content": {{"parts": [{{"text": "{text}"}}]}}, "finishReason": "STOP"}}"#);
            format!("{{\"candidates\": [{words}]}}\n")
        };
        let short = line(&"y".repeat(1000)).repeat(5000);
        std::fs::write(&path, format!("{short}{}{}", line(&"x".repeat(12 << 20)), line("last"))).unwrap();
        let pieces: Vec<_> = Pieces::of(Some(&path), &Spool::new(5 << 20)).collect();
        let records = pieces.iter().flatten().map(Input::len).sum::<usize>();
        let errors: Vec<String> =
            pieces.iter().filter_map(|piece| Some(piece.as_ref().err()?.to_string())).collect();
        let told = "this record has more than 5 MB; one of more is read with `--no-limits` only";
        assert_eq!((records, errors), (5001, vec![format!("{}:5001:1: {told}", path.display())]));
        let last = pieces.last().unwrap().as_ref().unwrap();
        assert_eq!((last.line(0), last.number(0)), (5002, 5001));
    }

    /// Places of all records, pieces of so many bytes.
    fn places(path: &Path, most: u64) -> Vec<(usize, usize, String)> {
        let (backing, length) = Backing::file(path).unwrap().unwrap();
        let name = "f".to_owned();
        let mut lines = Lines { name, backing, length, at: 0, before: (0, 0), most, longest: u64::MAX };
        let mut out = Vec::new();
        while let Some(piece) = lines.next() {
            lines.most = most;
            let piece = piece.unwrap();
            for record in 0..piece.len() {
                let text = piece.record(record).unwrap();
                out.push((
                    piece.number(record),
                    piece.line(record),
                    text.frames().collect::<Vec<_>>().join("|"),
                ));
            }
        }
        out
    }

    fn line(id: &str, text: &str, more: &str) -> String {
        format!(
            r#"{{"responseId": "{id}", "candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}{more}}}]}}"#
        )
    }

    #[test]
    fn records_are_the_same_however_they_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let line = |id: &str, text: &str| line(id, text, "");
        let lines = [
            line("a", "Größe"),
            String::new(),
            line("b", "x"),
            line("b", "y"),
            "{broken".to_owned(),
            line("c", "z"),
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let whole = places(&path, 1 << 20);
        let numbers: Vec<_> = whole.iter().map(|(number, line, _)| (*number, *line)).collect();
        assert_eq!(numbers, [(0, 1), (1, 3), (2, 5), (3, 6)]);
        assert_eq!(whole[1].2, format!("{}|{}", line("b", "x"), line("b", "y")));
        for most in [1, 50, 90, 150, 200, 300] {
            assert_eq!(places(&path, most), whole, "{most}");
        }
    }

    #[test]
    fn a_stream_that_lines_of_no_format_part_is_the_same_however_it_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let line = |id: &str, more: &str| line(id, "x", more);
        let end = r#", "finishReason": "STOP""#;
        let lines = [
            line("a", ""),
            line("a", ""),
            "noise".to_owned(),
            line("a", ""),
            "{\"half\": \"a line".to_owned(),
            line("a", end),
            "noise that is longer than what is read at once, behind an end".to_owned(),
            line("b", ""),
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let whole = places(&path, 1 << 20);
        let frames: Vec<_> =
            whole.iter().map(|(_, line, text)| (*line, text.matches('|').count() + 1)).collect();
        assert_eq!(frames, [(1, 4), (3, 1), (5, 1), (7, 1), (8, 1)]);
        for most in 1..600 {
            assert_eq!(places(&path, most), whole, "{most}");
        }
    }

    #[test]
    fn streams_in_turns_are_the_same_however_they_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let end = r#", "finishReason": "STOP""#;
        let lines = [
            ("a", ""),
            ("b", ""),
            ("a", ""),
            ("a", end),
            ("c", ""),
            ("b", end),
            ("c", end),
            ("d", end),
            ("e", ""),
            ("f", end),
            ("e", ""),
        ]
        .map(|(id, more)| line(id, "x", more));
        std::fs::write(&path, lines.join("\n")).unwrap();
        let whole = places(&path, 1 << 20);
        let frames: Vec<_> =
            whole.iter().map(|(_, line, text)| (*line, text.matches('|').count() + 1)).collect();
        assert_eq!(frames, [(1, 3), (2, 2), (5, 2), (8, 1), (9, 2), (10, 1)]);
        for most in 1..900 {
            assert_eq!(places(&path, most), whole, "{most}");
        }
    }

    /// More than 4 MB of others between its frames: a stream waits no longer, however it is read.
    #[test]
    fn streams_in_turns_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let long = "x".repeat(700_000);
        let lines: String = (0..20).map(|number| line(["a", "b"][number % 2], &long, "") + "\n").collect();
        std::fs::write(&path, &lines).unwrap();
        let whole: Vec<usize> = places(&path, 1 << 30).iter().map(|(_, line, _)| *line).collect();
        assert_eq!(whole, [1, 2, 11, 12]);
        for most in [1 << 20, 3 << 20, 5 << 20] {
            let cut: Vec<usize> = places(&path, most).iter().map(|(_, line, _)| *line).collect();
            assert_eq!(cut, whole);
        }
    }

    #[test]
    fn a_response_that_was_logged_twice_is_two_however_it_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let end = r#", "finishReason": "STOP""#;
        let (whole, first, last) = (line("a", "x", end), line("b", "y", ""), line("b", "z", end));
        let lines = [&whole, &whole, &first, &first, &last, &first, &first, &last, &last].map(String::as_str);
        std::fs::write(&path, lines.join("\n")).unwrap();
        // A piece that came twice, and an end that did, are of one stream.
        let expected = [(1, 1), (2, 1), (3, 3), (6, 4)];
        for most in (1..600).chain([1 << 20]) {
            let all = places(&path, most);
            let frames: Vec<_> =
                all.iter().map(|(_, line, text)| (*line, text.matches('|').count() + 1)).collect();
            assert_eq!(frames, expected, "{most}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_cost_the_rest_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let line = |text: &[u8]| {
            [
                &br#"{"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": ""#[..],
                text,
                b"\"}]}}]}\n",
            ]
            .concat()
        };
        std::fs::write(&path, [line(b"one"), line(b"t\xffo"), line("drei ä".as_bytes())].concat()).unwrap();
        for most in [10, 100, 1000] {
            let all = places(&path, most);
            let lines: Vec<_> = all.iter().map(|(_, line, _)| *line).collect();
            assert_eq!(lines, [1, 2, 3], "{most}");
            assert!(all[1].2.contains("t\u{fffd}o") && all[2].2.contains("drei ä"), "{most}");
        }
    }
}
