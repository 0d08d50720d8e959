//! Private keys as files have them, in running text: whole, or line by line among what a program, a list or a
//! listing has around each line.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::elements::NEAR;
use super::ranges::mask_ranges;

static PRIVATE_KEY: LazyLock<Finder> = LazyLock::new(|| Finder::new("PRIVATE KEY"));

/// Bytes of a key with what stands around its lines, at most.
const KEY_MOST: usize = 32 * 1024;
/// Letters of the longest line of a key, at least.
const KEY_LINE: usize = 16;
/// Letters of each of its lines but the last, where nothing says where it ends.
const LINE_LEAST: usize = 40;
/// Bytes between two lines then.
const BETWEEN_MOST: usize = 200;

/// Private keys as files have them.
pub(super) fn mask_keys(text: &str) -> Cow<'_, str> {
    mask_ranges(text, key_places(text))
}

/// The lines of private keys, ascending: between their announcements and their ends, and before an end alone.
pub(super) fn key_places(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut looked = 0;
    for at in PRIVATE_KEY.find_iter(text.as_bytes()) {
        let written = out.last().map_or(0, |last| last.end);
        if let Some(from) = begin(text, at, written) {
            let lines = lines_of_key(text.get(from..).unwrap_or_default());
            out.extend(lines.into_iter().map(|line| from + line.start..from + line.end));
            looked = from;
            continue;
        }
        let near =
            text.get(text.floor_char_boundary(at.saturating_sub(NEAR).max(written))..at).unwrap_or_default();
        if let Some(end) = end_of_key(near).map(|end| at - near.len() + end).filter(|end| *end > looked) {
            // Its announcement was cut off.
            let from = text.floor_char_boundary(end.saturating_sub(KEY_MOST).max(looked).max(written));
            if looked == 0 || written < looked {
                out.extend(lines_before(text, from..end));
            }
            looked = end;
        }
    }
    out
}

/// The lines of a key that end at the end of a range, ascending.
fn lines_before(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut last: Option<Range<usize>> = None;
    let mut at = range.end;
    while let Some(before) = text.get(range.start..at).filter(|before| !before.is_empty()) {
        let end = range.start + before.trim_end_matches(|c| !of_base64(c)).len();
        let begin = range.start
            + text.get(range.start..end).map_or(0, |before| before.trim_end_matches(of_base64).len());
        let first = out.last().map_or(range.end, |last| last.start);
        if end == begin || first - end > BETWEEN_MOST {
            break;
        }
        let line = text.get(begin..end).unwrap_or_default();
        if line.len() >= KEY_LINE && is_mixed(line) {
            out.extend(last.take().filter(|_| out.is_empty()));
            out.push(begin..end);
        } else if out.is_empty() && ends_line(text.get(end..range.end).unwrap_or_default()) {
            // The last line may be short.
            last = last.or(Some(begin..end));
        }
        at = begin;
    }
    out.reverse();
    out
}

/// Where a key begins behind its announcement, in which `PRIVATE KEY` stands at a byte.
fn begin(text: &str, at: usize, written: usize) -> Option<usize> {
    let near = text.get(text.floor_char_boundary(at.saturating_sub(NEAR).max(written))..at)?;
    let line = near.rsplit('\n').next()?;
    let rest = text.get(at + "PRIVATE KEY".len()..)?;
    let rest = rest.strip_prefix(" BLOCK").unwrap_or(rest);
    let below = rest.strip_prefix("-----").or_else(|| rest.strip_prefix(" ----"))?;
    // One that was masked may end in its line.
    let last = |signs: [&str; 2]| signs.iter().filter_map(|sign| line.rfind(sign)).max();
    let begun = last(["-----BEGIN ", "---- BEGIN "]);
    (begun > last(["-----END ", "---- END "])).then(|| text.len() - below.len())
}

/// Whether a text begins a key and does not end it.
pub(super) fn opens_key(text: &str) -> bool {
    let below =
        PRIVATE_KEY.find_iter(text.as_bytes()).filter_map(|at| text.get(begin(text, at, 0)?..)).last();
    below.is_some_and(|below| end_of_key(below).is_none())
}

/// Whether a text may have a key.
pub(super) fn may_have_key(text: &str) -> bool {
    PRIVATE_KEY.find(text.as_bytes()).is_some()
}

/// Where the line begins that ends a key.
pub(super) fn end_of_key(text: &str) -> Option<usize> {
    ["-----END ", "---- END "].iter().filter_map(|sign| memmem::find(text.as_bytes(), sign.as_bytes())).min()
}

/// Whether a text is a line of a key, also a short one, and one with its number or a sign before it.
pub(super) fn is_line_of_key(text: &str) -> bool {
    let own = text.strip_suffix("\\n").unwrap_or(text).trim();
    let last =
        own.rsplit(|c: char| c.is_whitespace() || ":|\u{2192}>]".contains(c)).next().unwrap_or_default();
    own.split_whitespace().count() <= WORDS_MOST && !last.is_empty() && last.chars().all(of_base64)
}

/// Words of a line of a key with what stands before it.
const WORDS_MOST: usize = 3;

fn of_base64(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')
}

/// The lines of the key that a text begins with; what is whole is one.
pub(super) fn lines_of_key(text: &str) -> Vec<Range<usize>> {
    let own = key_length(text);
    let near = text.get(..text.floor_char_boundary(KEY_MOST)).unwrap_or_default();
    let next = memmem::find(near.as_bytes(), b"-----BEGIN ").unwrap_or(near.len());
    let near = near.get(..next).unwrap_or_default();
    let last = end_of_key(near);
    let mut out: Vec<Range<usize>> = (own > 0).then_some(0..own).into_iter().collect();
    let (mut at, mut behind) = (own, own);
    let mut short: Option<(Range<usize>, bool)> = None;
    let upto = last.unwrap_or(near.len());
    while let Some(rest) = near.get(at..upto).filter(|rest| !rest.is_empty()) {
        let begin = at + rest.find(of_base64).unwrap_or(rest.len());
        let rest = near.get(begin..upto).unwrap_or_default();
        let end = begin + rest.find(|c| !of_base64(c)).unwrap_or(rest.len());
        at = end;
        let line = near.get(begin..end).unwrap_or_default();
        if last.is_none() && begin - behind > BETWEEN_MOST {
            break;
        }
        let rest = near.get(end..upto).unwrap_or_default();
        let is_line = || is_cut_line(line) && ends_line(rest);
        let shortest = if last.is_some() || is_line() { KEY_LINE } else { LINE_LEAST };
        if line.len() >= shortest && is_mixed(line) {
            out.push(begin..end);
            (behind, short) = (end, None);
        } else if last.is_some() && behind > own {
            // The last line is as short as it comes: longer than what stands around it, or its end.
            let found = (end - begin, ends_line(near.get(end..).unwrap_or_default()));
            if found > short.as_ref().map_or((1, true), |(line, ends)| (line.len(), *ends)) {
                short = Some((begin..end, found.1));
            }
        }
    }
    out.extend(short.map(|(line, _)| line));
    out
}

/// Whether letters are those of a line that was cut off: no word has them.
fn is_cut_line(line: &str) -> bool {
    line.contains(|c: char| c.is_ascii_digit() || matches!(c, '+' | '/'))
}

/// Whether nothing but what may close a line of a program or a table stands before the end of its line.
fn ends_line(text: &str) -> bool {
    let rest = text.trim_start_matches(['"', '\'', '`', '\\', ',', ';', '$', '|', '+', ' ', ')', ']']);
    let rest = rest.strip_prefix('n').or_else(|| rest.strip_prefix("<br>")).unwrap_or(rest);
    let rest = rest.trim_start_matches(['"', '\'', '`', ',', ';', '+', ' ', ')', ']', '}']);
    rest.is_empty() || rest.starts_with(['\n', '\r'])
}

/// Whether letters are mixed as words do not have them.
fn is_mixed(line: &str) -> bool {
    let has = |test: fn(&u8) -> bool| line.bytes().any(|byte| test(&byte));
    has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase)
}

/// Length of the lines that a text begins with which have one word each, or are headers.
fn lines_length(text: &str) -> usize {
    let is_key = |(number, line): &(usize, &str)| {
        let own = line.trim();
        let is_header = || own.split_once(": ").is_some_and(|(name, _)| !name.contains(' '));
        *number == 0 || !own.contains(' ') || *number < HEADERS_MOST && is_header()
    };
    text.split_inclusive('\n').enumerate().take_while(is_key).map(|(_, line)| line.len()).sum()
}

/// Lines before the first one of a key, and that line.
const HEADERS_MOST: usize = 4;

/// Length of a key in base64 that a text begins with, with what may stand in its lines.
fn key_length(text: &str) -> usize {
    let of_key = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "+/=\\:,-".contains(c);
    let end = memmem::find(text.as_bytes(), b"-----").unwrap_or_else(|| lines_length(text));
    let end = text.get(..end).and_then(|key| key.find(|c| !of_key(c))).unwrap_or(end);
    let key = text.get(..end).unwrap_or_default();
    // Of words none is as long as a line of a key.
    let longest = key.split(char::is_whitespace).map(str::len).max().unwrap_or_default();
    if longest >= KEY_LINE { end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    const LINES: [&str; 3] = [
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
        "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3fxTvMCr4tGKbaYSgmlTBT6pbkGsGGb8Gc",
        "Zx3+Q==",
    ];

    /// All but the first line was shown where each stands in quotes, or behind something.
    #[test]
    fn each_line_of_a_key_is_masked_whatever_stands_around_it() {
        let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
        let all = [&[begin], &LINES[..], &[end]].concat();
        let each =
            |make: &dyn Fn(&str) -> String| all.iter().map(|line| make(line)).collect::<Vec<_>>().join("\n");
        let layouts = [
            each(&|line| format!("'{line}\\n' +")),
            each(&|line| format!("\"{line}\\n\"")),
            format!("static const char private_key[] =\n{}", each(&|line| format!(" \"{line}\\n\""))),
            each(&|line| format!("- \"{line}\"")),
            each(&|line| format!("app-1  | {line}")),
            each(&|line| format!("k.pem-{line}")),
            each(&|line| format!("{line}$")),
            each(&|line| format!("{line}<br>")),
            each(&|line| format!("echo \"{line}\" >> k.pem")),
            each(&|line| (*line).to_owned()),
            format!("[{}]", all.iter().map(|line| format!("{line:?}")).collect::<Vec<_>>().join(",")),
            format!(
                "{{\"source\": [{}]}}",
                all.iter().map(|line| format!("\"{line}\\n\"")).collect::<Vec<_>>().join(",")
            ),
            format!(
                "[{}]",
                all.iter()
                    .map(|line| format!("{{\"type\": \"text\", \"text\": \"{line}\"}}"))
                    .collect::<Vec<_>>()
                    .join(",")
            ),
        ];
        for text in layouts {
            let masked = mask_message(&text);
            assert!(LINES.iter().all(|line| !masked.contains(line)), "{masked}");
        }
        let numbered: Vec<String> =
            all.iter().zip(1..).map(|(line, n)| format!("\"{n}\\t{line}\"")).collect();
        let text = format!("{{\"lines\": [{}, \"The harbour is open now\"]}}", numbered.join(","));
        let masked = mask_message(&text);
        assert!(
            LINES.iter().all(|line| !masked.contains(line)) && masked.contains("The harbour is open now"),
            "{masked}"
        );
        // A line may begin like one of a diff, and the announcement may be cut off.
        let plus = format!("{begin}\n+{}\n{end}\n", LINES[0]);
        assert!(!mask_message(&plus).contains(LINES[0]), "{}", mask_message(&plus));
        let tail = format!("{}\n{}\n{}\n{end}\nThe end.", LINES[0], LINES[1], LINES[0]);
        assert!(LINES[..2].iter().all(|line| !mask_message(&tail).contains(line)), "{}", mask_message(&tail));
        let parts = format!("[\"{begin}\\n{}\\n\", \"{}\\n{}\\n{end}\"]", LINES[0], LINES[1], LINES[0]);
        assert!(
            LINES[..2].iter().all(|line| !mask_message(&parts).contains(line)),
            "{}",
            mask_message(&parts)
        );
        let cut = format!("{begin}\", \"{}\", \"{}\", ", LINES[0], LINES[1]);
        assert!(LINES[..2].iter().all(|line| !mask_message(&cut).contains(line)), "{}", mask_message(&cut));
        let prose =
            format!("A file has {begin} before the key and {end} behind it; internationalization is no key.");
        assert_eq!(mask_message(&prose), prose);
    }

    /// Lines of words behind a key that breaks off were masked with it.
    #[test]
    fn a_key_that_breaks_off_ends_before_words() {
        let begin = "-----BEGIN PRIVATE KEY-----";
        let torn = format!("{begin}\n{}\n\nThe tool stopped there: the file is too long, it seems", LINES[0]);
        let shown = mask_message(&torn);
        assert!(shown.ends_with("The tool stopped there: the file is too long, it seems"), "{shown}");
    }
}
