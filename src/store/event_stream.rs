//! AWS's binary framing of event streams as server-sent events: an event a message, `{"eventType": payload}`,
//! since all of them are of one stream. A message is its length, the length of its headers, a checksum of the
//! two, headers, payload, and a checksum of all.

use std::io::{self, BufRead, Cursor, Read};

use flate2::Crc;
use serde_json::Value;

use crate::format::{self, FrameKind};
use crate::json::is_json;

/// Bytes before the headers, and behind the payload.
const PRELUDE: usize = 12;
const CHECKSUM: usize = 4;
/// Bytes of a message; AWS sends at most 16 MB.
const MESSAGE_MOST: usize = 24 << 20;
/// Messages that were cut off in which another is looked for.
const TRIES: usize = 16;

/// Whether bytes begin as such a stream does.
pub fn is_event_stream(head: &[u8]) -> bool {
    let Some((length, headers)) = lengths(head) else { return false };
    let begun = head.get(PRELUDE..head.len().min(PRELUDE + headers)).unwrap_or_default();
    let named = [":event-type", ":message-type", ":exception-type", ":content-type", ":error-code"];
    length <= MESSAGE_MOST
        && named.iter().any(|name| begun.get(1..).is_some_and(|rest| rest.starts_with(name.as_bytes())))
}

/// Length of the message and of its headers, where both are possible.
fn lengths(prelude: &[u8]) -> Option<(usize, usize)> {
    let word = |at: usize| Some(u32::from_be_bytes(prelude.get(at..at + 4)?.try_into().ok()?) as usize);
    let (length, headers) = (word(0)?, word(4)?);
    (headers + PRELUDE + CHECKSUM <= length).then_some((length, headers))
}

/// The same of a message that can be, by its checksum.
fn sizes(prelude: &[u8; PRELUDE]) -> Option<(usize, usize)> {
    let is_whole = || {
        let mut crc = Crc::new();
        crc.update(prelude.get(..8).unwrap_or_default());
        prelude.ends_with(&crc.sum().to_be_bytes())
    };
    lengths(prelude).filter(|(length, _)| *length <= MESSAGE_MOST && is_whole())
}

/// The messages of a reader as events.
pub struct EventLines<R> {
    /// What was read of a message that was cut off, from where another begins within it.
    again: Cursor<Vec<u8>>,
    /// How often another is looked for.
    tries: usize,
    reader: R,
    line: Vec<u8>,
    given: usize,
    at: u64,
    /// What is told before the next one.
    before: String,
    /// Where the next message begins cannot be told.
    lost: bool,
}

impl<R: BufRead> EventLines<R> {
    pub fn new(reader: R) -> Self {
        let (again, before) = (Cursor::default(), String::new());
        Self { again, tries: TRIES, reader, line: Vec::new(), given: 0, at: 0, before, lost: false }
    }

    /// The next bytes, as far as they are there.
    fn taken(&mut self, most: usize) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Read::chain(&mut self.again, &mut self.reader).take(most as u64).read_to_end(&mut out)?;
        Ok(out)
    }

    /// Goes on with a message that begins within one that was cut off; false where none does.
    fn resume(&mut self, mut rest: Vec<u8>) -> bool {
        let begins = |bytes: &[u8]| bytes.first_chunk().is_some_and(|prelude| sizes(prelude).is_some());
        let found = rest.windows(PRELUDE).position(begins).filter(|_| self.at > 0 && self.tries > 0);
        let Some(at) = found else { return false };
        self.tries -= 1;
        let told = self.wrong("breaks off").to_string() + "; another begins within it";
        self.give(told.as_bytes());
        self.at += (PRELUDE + at) as u64;
        rest.drain(..at);
        // Of what was to be read again the rest was not.
        let behind = self.again.position() as usize;
        rest.extend_from_slice(self.again.get_ref().get(behind..).unwrap_or_default());
        self.again = Cursor::new(rest);
        true
    }

    /// Reads the next message; false at the end, also where the stream breaks off in a message: what came
    /// before is whole. A message that was changed on the way is told in its place; where not even its length
    /// is possible, the next one that begins well is looked for. Of the first one nothing holds that it is of
    /// such a stream: it is an error.
    fn next(&mut self) -> io::Result<bool> {
        match if self.lost { Ok(false) } else { self.message() } {
            Ok(false) if self.at == 0 => Err(self.wrong("breaks off")),
            Err(error) if error.kind() == io::ErrorKind::InvalidData && self.at > 0 => {
                self.lost = true;
                self.give(error.to_string().as_bytes());
                Ok(true)
            }
            other => other,
        }
    }

    fn message(&mut self) -> io::Result<bool> {
        let begun = self.taken(PRELUDE)?;
        let Some(mut prelude) = begun.first_chunk::<PRELUDE>().copied() else {
            return Ok(!begun.is_empty() && self.breaks_off(BEGUN));
        };
        let nowhere = self.wrong("has no possible length");
        let mut passed = 0;
        let (length, headers) = loop {
            if let Some(sizes) = sizes(&prelude) {
                break sizes;
            }
            prelude.rotate_left(1);
            let next = self.taken(1)?.pop().filter(|_| self.at > 0);
            let (Some(last), Some(next)) = (prelude.last_mut(), next) else { return Err(nowhere) };
            *last = next;
            passed += 1;
        };
        if passed > 0 {
            self.at += passed;
            self.before = format!("{nowhere}; {passed} bytes were passed over\n\n");
        }
        let rest = self.taken(length - PRELUDE)?;
        if rest.len() < length - PRELUDE {
            let (headers, payload) = rest.split_at(headers.min(rest.len()));
            let begun = begun_event(headers, payload);
            return Ok(self.resume(rest) || self.breaks_off(&begun));
        }
        let (body, sum) = rest.split_at(rest.len() - CHECKSUM);
        let mut crc = Crc::new();
        crc.update(&prelude);
        crc.update(body);
        if crc.sum().to_be_bytes() == sum {
            let (headers, payload) = body.split_at(headers);
            self.give(event(headers, payload).as_bytes());
        } else {
            let error = self.wrong("has a wrong checksum");
            if self.at == 0 {
                return Err(error);
            }
            // What still is JSON is read, and told to have been changed.
            let (headers, payload) = body.split_at(headers);
            let read = std::str::from_utf8(payload).is_ok_and(is_json);
            if !read && self.resume(rest.clone()) {
                return Ok(true);
            }
            let event = if read { event(headers, payload) + "\n\n" } else { String::new() };
            let fate = if read { "it was read all the same" } else { "its content is missing" };
            self.give(format!("{event}{error}; {fate}").as_bytes());
        }
        self.at += length as u64;
        Ok(true)
    }

    /// What is there of the last message is an event that breaks off; of a first one nothing is known.
    fn breaks_off(&mut self, begun: &str) -> bool {
        self.lost = self.at > 0;
        if self.lost {
            self.give(begun.as_bytes());
        }
        self.lost
    }

    fn wrong(&self, what: &str) -> io::Error {
        let text = format!("the event stream {what} in the message at byte {}", self.at);
        io::Error::new(io::ErrorKind::InvalidData, text)
    }

    fn give(&mut self, line: &[u8]) {
        self.given = 0;
        self.line.clear();
        self.line.append(&mut std::mem::take(&mut self.before).into_bytes());
        self.line.extend_from_slice(line);
        self.line.extend_from_slice(b"\n\n");
    }
}

impl<R: BufRead> Read for EventLines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.line.len() {
            if !self.next()? {
                return Ok(0);
            }
        }
        let rest = self.line.get(self.given..).unwrap_or_default();
        let count = rest.len().min(into.len());
        for (to, from) in into.iter_mut().zip(rest) {
            *to = *from;
        }
        self.given += count;
        Ok(count)
    }
}

/// A message as an event: its payload under the name of its event. A failure that no format names is an error
/// as all services send them.
fn event(headers: &[u8], payload: &[u8]) -> String {
    let named = |keys: [&str; 2]| keys.into_iter().find_map(|key| header(headers, key));
    let failure = named([":exception-type", ":error-code"]);
    let name = header(headers, ":event-type").or_else(|| failure.clone());
    let name = Value::from(name.unwrap_or_else(|| "message".to_owned())).to_string();
    let payload = String::from_utf8_lossy(payload);
    let under = under(&name, &payload);
    let Some(code) = failure.filter(|_| format::recognise(&under) == FrameKind::Unrecognised) else {
        return format!("data: {under}");
    };
    let words = header(headers, ":error-message");
    format!("data: {}", format::error_body(&code, &payload, words.as_deref()))
}

/// An event of which nothing but the beginning came.
const BEGUN: &str = "data: {";

/// A message that breaks off as the beginning of an event.
fn begun_event(headers: &[u8], payload: &[u8]) -> String {
    let text = payload.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let name = header(headers, ":event-type").filter(|_| !text.is_empty());
    name.map_or(BEGUN.to_owned(), |name| {
        format!("{BEGUN}{}: {}", Value::from(name), text.replace(['\n', '\r'], " "))
    })
}

/// A payload under a name.
fn under(name: &str, payload: &str) -> String {
    let value =
        if is_json(payload) { payload.replace(['\n', '\r'], " ") } else { Value::from(payload).to_string() };
    format!("{{{name}: {value}}}")
}

/// The text of a header; others than text are passed over.
fn header(mut headers: &[u8], key: &str) -> Option<String> {
    loop {
        let (&length, rest) = headers.split_first()?;
        let (name, rest) = rest.split_at_checked(usize::from(length))?;
        let (&kind, rest) = rest.split_first()?;
        let size = match kind {
            0 | 1 => 0,
            2 => 1,
            3 => 2,
            4 => 4,
            5 | 8 => 8,
            9 => 16,
            _ => 2 + usize::from(u16::from_be_bytes([*rest.first()?, *rest.get(1)?])),
        };
        let (value, rest) = rest.split_at_checked(size)?;
        if name == key.as_bytes() && kind == 7 {
            return Some(String::from_utf8_lossy(value.get(2..)?).into_owned());
        }
        headers = rest;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A message as AWS frames it.
    pub fn message(name: &str, payload: &str) -> Vec<u8> {
        with(&[(":event-type", name)], payload)
    }

    fn with(named: &[(&str, &str)], payload: &str) -> Vec<u8> {
        let mut headers = Vec::new();
        for (key, value) in named {
            headers.push(key.len() as u8);
            headers.extend_from_slice(key.as_bytes());
            headers.push(7);
            headers.extend_from_slice(&(value.len() as u16).to_be_bytes());
            headers.extend_from_slice(value.as_bytes());
        }
        let length = PRELUDE + headers.len() + payload.len() + CHECKSUM;
        let mut out = (length as u32).to_be_bytes().to_vec();
        out.extend_from_slice(&(headers.len() as u32).to_be_bytes());
        let mut crc = Crc::new();
        crc.update(&out);
        out.extend_from_slice(&crc.sum().to_be_bytes());
        out.extend_from_slice(&headers);
        out.extend_from_slice(payload.as_bytes());
        let mut crc = Crc::new();
        crc.update(&out);
        out.extend_from_slice(&crc.sum().to_be_bytes());
        out
    }

    fn lines(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        EventLines::new(bytes).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn a_message_is_an_event_under_its_name() {
        let bytes =
            [message("messageStart", "{\"role\":\n\"assistant\"}"), message("chunk", "no json")].concat();
        assert!(is_event_stream(&bytes));
        assert_eq!(
            lines(&bytes).unwrap(),
            "data: {\"messageStart\": {\"role\": \"assistant\"}}\n\ndata: {\"chunk\": \"no json\"}\n\n"
        );
    }

    #[test]
    fn a_failure_that_no_format_names_is_an_error_as_others_send_it() {
        let exception = |kind| [(":message-type", "exception"), (":exception-type", kind)];
        let denied = with(&exception("accessDeniedException"), "{\"message\": \"no access\"}");
        let known = with(&exception("throttlingException"), "{\"message\": \"slow down\"}");
        let headers =
            [(":message-type", "error"), (":error-code", "Internal"), (":error-message", "it broke")];
        let read = lines(&[denied, known, with(&headers, "")].concat()).unwrap();
        assert_eq!(
            read,
            "data: {\"error\":{\"code\":\"accessDeniedException\",\"message\":\"no access\"}}\n\n\
             data: {\"throttlingException\": {\"message\": \"slow down\"}}\n\n\
             data: {\"error\":{\"code\":\"Internal\",\"message\":\"it broke\"}}\n\n"
        );
    }

    #[test]
    fn what_breaks_off_ends_and_what_is_changed_is_told_in_its_place() {
        let mut bytes = [message("a", "{}"), message("b", "{}")].concat();
        // What is there of a message that breaks off is an event that does.
        for (end, begun) in
            [(bytes.len() - 3, "{\"b\": {}"), (bytes.len() - 5, "{\"b\": {"), (bytes.len() / 2 + 5, "{")]
        {
            let read = format!("data: {{\"a\": {{}}}}\n\ndata: {begun}\n\n");
            assert_eq!(lines(&bytes[..end]).unwrap(), read);
        }
        let last = bytes.len() - 5;
        bytes[last] = b' ';
        bytes[last - 1] = b'1';
        let told = "the event stream has a wrong checksum in the message at byte 34";
        let read =
            format!("data: {{\"a\": {{}}}}\n\ndata: {{\"b\": 1 }}\n\n{told}; it was read all the same\n\n");
        assert_eq!(lines(&bytes).unwrap(), read);
        bytes[last] = b'!';
        let told = format!("data: {{\"a\": {{}}}}\n\n{told}; its content is missing\n\n");
        assert_eq!(lines(&bytes).unwrap(), told);
        bytes.extend(message("c", "{}"));
        assert_eq!(lines(&bytes).unwrap(), format!("{told}data: {{\"c\": {{}}}}\n\n"));
        let first = lines(&bytes[34..]).unwrap_err().to_string();
        assert_eq!(first, "the event stream has a wrong checksum in the message at byte 0");
        let trailing = [message("a", "{}"), vec![b'x'; 40]].concat();
        let told =
            "data: {\"a\": {}}\n\nthe event stream has no possible length in the message at byte 34\n\n";
        assert_eq!(lines(&trailing).unwrap(), told);
        let between = [message("a", "{}"), vec![b'x'; 40], message("b", "{}")].concat();
        let told = "data: {\"a\": {}}\n\nthe event stream has no possible length in the message at byte 34; \
                    40 bytes were passed over\n\ndata: {\"b\": {}}\n\n";
        assert_eq!(lines(&between).unwrap(), told);
        // One that was cut off has the next in its length.
        for (cut, next) in [(40, "c"), (50, "c"), (60, "a long name of an event that is no longer than it")] {
            let whole = message("b", &format!("{{\"text\": \"{}\"}}", "x".repeat(60)));
            let streams = [&message("a", "{}")[..], &whole[..cut], &message(next, "{}")].concat();
            let told = "the event stream breaks off in the message at byte 34; another begins within it";
            let read = format!("data: {{\"a\": {{}}}}\n\n{told}\n\ndata: {{\"{next}\": {{}}}}\n\n");
            assert_eq!(lines(&streams).unwrap(), read);
            let more = [&streams[..], &message("d", "{}"), &message("e", "{}")].concat();
            assert_eq!(lines(&more).unwrap(), read + "data: {\"d\": {}}\n\ndata: {\"e\": {}}\n\n");
        }
        for text in [&b"{\"a\": 1}"[..], b"", b"\0\0\0\x20\0\0\0\x04", &[0; 64]] {
            assert!(!is_event_stream(text), "{text:?}");
        }
    }
}
