//! JSON to a stream, harmless to terminals.

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// Writes JSON so that nothing in it steers a terminal or a runner of CI: DEL, C1 and bidi controls and the
/// beginnings of commands as `\\u` escapes. The value is the same.
pub fn write(out: impl std::io::Write, value: &impl Serialize, pretty: bool) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(out);
    if pretty {
        let mut serializer = serde_json::Serializer::with_formatter(&mut out, Plain(PrettyFormatter::new()));
        value.serialize(&mut serializer)?;
    } else {
        let mut serializer = serde_json::Serializer::with_formatter(&mut out, Plain(CompactFormatter));
        value.serialize(&mut serializer)?;
    }
    std::io::Write::write_all(&mut out, b"\n")?;
    std::io::Write::flush(&mut out)
}

/// The same on one line, without its end.
pub fn compact(out: impl std::io::Write, value: &impl Serialize) -> std::io::Result<()> {
    Ok(value.serialize(&mut serde_json::Serializer::with_formatter(out, Plain(CompactFormatter)))?)
}

/// A formatter that escapes what must not reach a terminal or a runner.
struct Plain<F>(F);

impl<F: Formatter> Formatter for Plain<F> {
    fn write_string_fragment<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> std::io::Result<()> {
        if fragment.bytes().all(|byte| byte < 0x7f && byte != b'#') {
            return self.0.write_string_fragment(writer, fragment);
        }
        let mut from = 0;
        let steers = |c: char| {
            c == '\u{7f}'
                || !c.is_ascii()
                    && crate::text::stand_in(c).is_some()
                    && !matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
        };
        let begins_command = |at: usize| {
            let behind = fragment.get(at..).and_then(|rest| rest.strip_prefix('#'));
            behind.is_some_and(|behind| behind.starts_with('[') || behind.starts_with("vso["))
                && fragment.get(..at).is_some_and(|before| before.ends_with('#'))
        };
        for (at, c) in fragment.char_indices().filter(|&(at, c)| steers(c) || begins_command(at)) {
            self.0.write_string_fragment(writer, fragment.get(from..at).unwrap_or_default())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            from = at + c.len_utf8();
        }
        self.0.write_string_fragment(writer, fragment.get(from..).unwrap_or_default())
    }

    fn begin_array<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.0.begin_array(writer)
    }
    fn end_array<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.0.end_array(writer)
    }
    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.0.begin_array_value(writer, first)
    }
    fn end_array_value<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.0.end_array_value(writer)
    }
    fn begin_object<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.0.begin_object(writer)
    }
    fn end_object<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.0.end_object(writer)
    }
    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.0.begin_object_key(writer, first)
    }
    fn begin_object_value<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.0.begin_object_value(writer)
    }
    fn end_object_value<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.0.end_object_value(writer)
    }
}
