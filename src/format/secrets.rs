//! Credentials in a response. They are masked by their keys when a record is read, before anything is joined
//! to text; only who asks for them (`--show-secrets`) ever sees them.

mod addresses;
mod behind;
mod beside;
mod cookies;
mod databases;
mod described;
mod elements;
mod expression;
mod functions;
mod gate;
mod inside;
mod lines;
mod listing;
mod names;
mod near;
mod objects;
mod options;
mod pairs;
mod placed;
mod private_keys;
mod prose;
mod quotes;
mod ranges;
mod response;
mod schemas;
mod schemes;
mod sequences;
mod shapes;
mod spans;
mod stated;
mod suggested;
#[cfg(test)]
mod tests;
mod typed;
mod types;
mod values;
mod written;

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memmem;

use crate::json::Peek;
use crate::json::scan::{skip_value, string};
use crate::model::{JsonText, Step};
pub use addresses::mask_addresses;
use databases::may_identify;
use gate::may_name;
pub use inside::secret_places;
use inside::{Leaf, json_masked, mask_fragments};
use listing::Listing;
pub use names::{MASK, MASK_IN_ADDRESS, below_secret, is_secret};
use near::{mask_listed, mask_near, mask_told};
use pairs::{is_word, mask_tokens};
use private_keys::mask_keys;
use ranges::again;
pub use ranges::differing;
pub use response::{mask_cut_thoughts, mask_response};
use schemes::may_announce;
use sequences::{may_steer, sequences, without_sequences};
use shapes::{mask_runs, mask_shapes};
pub use values::is_scheme;
use written::{as_quoted, as_written, depths, is_quoted_within, with_quotes, with_signs, with_single_quotes};

/// Which block an event of a stream is a piece of, where it says so: all that names it, one behind the other.
pub fn block_of(frame: &str) -> Option<String> {
    let event = Peek::of(frame, &[]);
    let below = BELOW.iter().find_map(|key| event.below(key));
    let names = [Some(&event), below.as_ref()].into_iter().flatten();
    let words: Vec<String> = names.flat_map(|peek| BLOCKS.iter().filter_map(|key| peek.word(key))).collect();
    (!words.is_empty()).then(|| words.join("/"))
}

/// Keys of such numbers and ids.
const BLOCKS: [&str; 7] =
    ["index", "itemId", "contentBlockIndex", "outputIndex", "contentIndex", "summaryIndex", "messageId"];

/// Keys below which they may stand.
const BELOW: [&str; 4] = ["contentBlockDelta", "contentBlockStart", "message", "delta"];

/// Keys under which streams send the pieces of a text, in one spelling.
const TEXTS: [&str; 19] = [
    "delta",
    "text",
    "thinking",
    "content",
    "reasoning",
    "arguments",
    "args",
    "parameters",
    "input",
    "inputtextdelta",
    "partialjson",
    "stringvalue",
    "code",
    "output",
    "partialoutput",
    "summary",
    "thought",
    "deltacontent",
    "reasoningcontent",
];

/// Whether a text in pieces stands at a place: ids and other words in a row are none.
pub fn is_piece_of_text(steps: &[Step]) -> bool {
    let Some(Step::Key(key)) = steps.last() else { return false };
    let spelled: String = key.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect();
    TEXTS.contains(&spelled.as_str())
}

/// JSON text with its credentials masked, all else as it stands; `all` masks every value.
pub fn mask_json(raw: &str, all: bool) -> Cow<'_, str> {
    json_masked(raw, all, mask_message).0
}

/// Masks what a value holds of credentials. True if it held any.
pub fn mask_value(value: &mut JsonText) -> bool {
    mask_leaves(value, mask_message)
}

/// The same of a value whose texts are for people: in them only JSON is masked, and what is an address alone.
pub fn mask_fields(value: &mut JsonText) -> bool {
    mask_leaves(value, |text| match text.trim() {
        json if json.starts_with(['{', '[']) => mask_json(text, false),
        word if !word.contains(char::is_whitespace) => mask_addresses(text),
        _ => Cow::Borrowed(text),
    })
}

fn mask_leaves(value: &mut JsonText, leaf: Leaf) -> bool {
    put(value, |json| json_masked(json, false, leaf).0)
}

/// Masks every leaf; keys and shape stay. True if there is a leaf.
pub fn cover(value: &mut JsonText) -> bool {
    put(value, |json| mask_json(json, true))
}

fn put(value: &mut JsonText, mask: impl Fn(&str) -> Cow<'_, str>) -> bool {
    let Cow::Owned(masked) = mask(value.as_json()) else { return false };
    *value = JsonText::new(masked);
    true
}

fn replace(text: &mut String, mask: impl Fn(&str) -> Cow<'_, str>) -> bool {
    let Cow::Owned(masked) = mask(text) else { return false };
    *text = masked;
    true
}

/// A text with what it holds of credentials masked: within JSON by their keys, within addresses.
pub fn mask_text(text: &str) -> Cow<'_, str> {
    masked_text(text).0
}

/// Bytes of a text that is looked through byte by byte.
const SHORT: usize = 256;

/// Whether a text has none of the signs that a credential has, or that stand around one: most words that are
/// shown have none, and one look tells.
fn is_plain(text: &str) -> bool {
    let joins = |byte| matches!(byte, b'=' | b':' | b'@' | b'?' | b'#' | b';' | b'-' | b'_');
    let holds = |byte| matches!(byte, b'{' | b'[' | b'<' | b'"' | b'\'' | b'`' | b'\\' | 0xEF);
    let sign = |byte: u8| byte.is_ascii_digit() || joins(byte) || holds(byte);
    // Keys of AWS and of Google may be of letters alone.
    let of_letters =
        || may_announce(text) || text.contains("IA") || text.contains("AIza") || may_identify(text);
    text.len() < SHORT && !text.bytes().fold(false, |found, byte| found | sign(byte)) && !of_letters()
}

/// The same of a message, in which credentials also stand as `key=value`, `Header: value` and `Bearer value`.
pub fn mask_message(text: &str) -> Cow<'_, str> {
    mask_words(text, |text| {
        let (masked, is_json) = masked_text(text);
        // In a message a token stands near its name also where the name is a key that says little.
        (if is_json { again(masked, mask_near) } else { and_pairs(masked) }, is_json)
    })
}

/// The same of what is quoted of a text that could not be read: a word in it may be a part of a token.
pub fn mask_quoted(text: &str) -> Cow<'_, str> {
    again(mask_message(text), mask_runs)
}

/// The same of what a tool gave back, which may be a document: of pairs those that look like credentials.
fn mask_output(text: &str) -> Cow<'_, str> {
    mask_words(text, |text| {
        let (masked, is_json) = masked_text(text);
        // Of JSON every text was masked as a message.
        (if is_json { masked } else { again(again(masked, mask_tokens), mask_listed) }, is_json)
    })
}

/// The same of a name: an id, a state, a date. Beside addresses it may hold what it is the name of, a query.
fn mask_label(text: &str) -> Cow<'_, str> {
    // Most names are one word, which has no name in it.
    if is_word(text) {
        return if is_plain(text) { Cow::Borrowed(text) } else { mask_shapes(text) };
    }
    mask_words(text, |text| {
        let (masked, is_json) = masked_text(text);
        (again(masked, mask_tokens), is_json)
    })
}

/// The same of a query, which is a few words: a token near a name of one is none of a document.
fn mask_query(text: &str) -> Cow<'_, str> {
    mask_words(text, |text| {
        let (masked, is_json) = masked_text(text);
        (again(again(masked, mask_tokens), mask_near), is_json)
    })
}

/// A masked text. What steers terminals is left out, and signs that are written out are put in their place,
/// where that shows a credential: programs put them within a pair.
fn mask_words(text: &str, mask: impl Fn(&str) -> (Cow<'_, str>, bool)) -> Cow<'_, str> {
    // A line of a key may begin as one of a diff does.
    again(mask_keys(text), |text| mask_lines(text, &mask, LISTED_MOST))
}

/// Listings in others, as where one is quoted, that are looked at.
const LISTED_MOST: usize = 4;

/// The same in lines without what they begin with; `depth`: how often something may be taken away.
fn mask_lines<'t>(text: &'t str, mask: Mask, depth: usize) -> Cow<'t, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    if depth == 0 {
        return mask_all(text, mask);
    }
    in_lines(text, |text| mask_lines(text, mask, depth - 1), |text| mask_all(text, mask))
}

/// Masks a listing without what its lines begin with, and what is none as it stands.
fn in_lines(
    text: &str,
    inner: impl Fn(&str) -> Cow<'_, str>,
    plain: impl Fn(&str) -> Cow<'_, str>,
) -> Cow<'_, str> {
    let listing = (text.contains('\n') && may_name(text)).then(|| Listing::of(text)).flatten();
    let Some(listing) = listing else { return plain(text) };
    let is_unsure = listing.is_unsure;
    let masked = listing.masked(|text| match inner(text) {
        Cow::Owned(masked) => Some(masked),
        Cow::Borrowed(_) => None,
    });
    let masked = masked.map_or(Cow::Borrowed(text), Cow::Owned);
    if is_unsure { again(masked, plain) } else { masked }
}

/// What masks a text, and says whether it is JSON, in which each text was looked through.
type Mask<'m> = &'m dyn Fn(&str) -> (Cow<'_, str>, bool);

/// The same of a text that is no listing.
fn mask_all<'t>(text: &'t str, mask: Mask) -> Cow<'t, str> {
    let (masked, is_json) = mask(text);
    let masked = if is_json || !(may_steer(text) || is_quoted_within(text)) {
        masked
    } else {
        mask_written(text, masked, mask)
    };
    if is_json || !may_name(text) {
        return masked;
    }
    depths(text).into_iter().fold(masked, |masked, depth| {
        // What was masked may have ended at such a quote.
        let is_half = matches!(masked, Cow::Owned(_));
        let whole = if is_half { masked_in_quotes(text, &masked, depth, mask) } else { None };
        let quoted = whole.or_else(|| masked_in_quotes(&masked, &masked, depth, mask));
        quoted.map_or(masked, Cow::Owned)
    })
}

/// A text with what its quotes within others hide masked, too, where that shows less than it does masked
/// otherwise: `bash -c "f(\"password:\", \"abc\")"`.
fn masked_in_quotes(text: &str, otherwise: &str, depth: usize, mask: Mask) -> Option<String> {
    let plain = with_quotes(text, depth);
    let full = in_lines(&plain, |text| mask(text).0, |text| masked_text_of(text, mask));
    let Cow::Owned(full) = full else { return None };
    hides_more(&with_quotes(otherwise, depth), &full, &plain).then(|| as_quoted(text, &full, depth))
}

/// A text masked that is no JSON, in which a value is masked whatever stands in its place.
fn masked_text_of<'t>(text: &'t str, mask: Mask) -> Cow<'t, str> {
    match mask(text) {
        (_, true) => Cow::Borrowed(text),
        (masked, false) => masked,
    }
}

/// The same of a text in which signs are written out, or of what was masked in it.
fn mask_written<'t>(text: &'t str, as_it_stands: Cow<'t, str>, mask: Mask) -> Cow<'t, str> {
    // What was masked of a value may have ended at a sign within a sequence: the rest of it has no name.
    let is_half = matches!(as_it_stands, Cow::Owned(_)) && !sequences(&as_it_stands).eq(sequences(text));
    let known = if is_half { mask_shapes(text) } else { Cow::Borrowed(as_it_stands.as_ref()) };
    let more = |plain: &Cow<'_, str>| match plain {
        Cow::Owned(plain) => match masked_lines(plain, mask) {
            Cow::Owned(shown) if shown != *plain => Some(shown),
            _ => None,
        },
        Cow::Borrowed(_) => None,
    };
    let plain = without_sequences(&known);
    let shown = more(&plain);
    let base = shown.as_deref().unwrap_or(&plain);
    let last = more(&with_signs(base)).map(|masked| as_written(base, &masked));
    let may_hide_more = is_quoted_within(text) || matches!(as_it_stands, Cow::Owned(_));
    let more =
        || may_hide_more.then(|| fuller(text, &as_it_stands, |text| masked_lines(text, mask))).flatten();
    let further = last.or(shown).or_else(more);
    further.map_or(as_it_stands, Cow::Owned)
}

/// A text masked, of a listing without what its lines begin with.
fn masked_lines<'t>(text: &'t str, mask: Mask) -> Cow<'t, str> {
    in_lines(text, |text| mask(text).0, |text| mask(text).0)
}

/// A text that is masked with its written signs in their place, where that hides more than was hidden as it
/// stands, and all of that: a quote that is written out ended a value within it.
fn fuller(text: &str, as_it_stands: &str, mask: impl Fn(&str) -> Cow<'_, str>) -> Option<String> {
    let plain = written(text);
    if plain == text {
        return None;
    }
    let Cow::Owned(full) = mask(&plain) else { return None };
    if !hides_more(&written(as_it_stands), &full, &plain) {
        return None;
    }
    let own = without_sequences(text);
    let is_own = with_signs(&own) == plain;
    Some(if is_own { as_written(&own, &full) } else { full.clone() })
}

/// Whether a masked text shows less than another one, and no more. `plain`: what both were.
fn hides_more(less: &str, full: &str, plain: &str) -> bool {
    let words = |text| words_of(text).collect::<HashSet<&str>>();
    let (shown, shown_before) = (words(full), words(less));
    let hides = shown_before.iter().any(|word| !shown.contains(word));
    // What is called with a value was taken for the value.
    let is_called = |word: &str| {
        let behind = |at: usize| {
            plain.get(at + word.len()..).is_some_and(|rest| rest.starts_with(['(', '.', '[', '{', ':']))
        };
        plain.find(word).is_some_and(behind)
    };
    let shows_more = || {
        let own = words(plain);
        let more = shown.iter().filter(|word| own.contains(*word) && !shown_before.contains(*word));
        more.take(CALLED_MOST + 1).enumerate().any(|(number, word)| number == CALLED_MOST || !is_called(word))
    };
    hides && !shows_more()
}

/// A text as it was before a program wrote it out.
fn written(text: &str) -> String {
    with_single_quotes(&with_signs(&without_sequences(text))).into_owned()
}

/// Words of a text that may be credentials.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= SHORTEST_WORD)
}

/// Words of what is called that are looked for.
const CALLED_MOST: usize = 8;

/// Letters of one, at least.
const SHORTEST_WORD: usize = 4;

/// A masked text, and whether it is JSON of which each text was masked as a message.
fn masked_text(text: &str) -> (Cow<'_, str>, bool) {
    if is_word(text) {
        return (Cow::Borrowed(text), false);
    }
    if text.trim_start().starts_with(['{', '[']) {
        let (masked, is_json) = json_masked(text, false, mask_message);
        if is_json || matches!(masked, Cow::Owned(_)) {
            return (masked, is_json);
        }
    }
    if let Some(masked) = literal_masked(text) {
        return (Cow::Owned(masked), false);
    }
    // JSON in a fence, behind a word: by its shape; twice encoded: its pairs.
    let spelled = spelled_masked(text).map_or(Cow::Borrowed(text), Cow::Owned);
    let masked = again(again(spelled, |text| mask_fragments(text, mask_message)), mask_addresses);
    (if has_keys(text) { and_pairs(masked) } else { masked }, false)
}

/// Whether a colon stands behind a quote, as behind a key of JSON.
fn has_keys(text: &str) -> bool {
    let bytes = text.as_bytes();
    let behind = |quote: usize| bytes.get(quote + 1..).unwrap_or_default();
    memchr::memchr_iter(b'"', bytes).any(|quote| matches!(behind(quote), [b':', ..] | [b' ', b':', ..]))
}

/// A text that is a literal of JSON with JSON in it, where that holds a credential: masked.
fn literal_masked(text: &str) -> Option<String> {
    let literal = text.trim();
    // Quotes within it have a backslash: of quotes alone each pair stood in the next one.
    let is_one = literal.starts_with('"') && skip_value(literal.as_bytes(), 0) == Some(literal.len());
    if is_one { inner_masked(literal) } else { None }
}

fn inner_masked(literal: &str) -> Option<String> {
    let inner = string(literal)?;
    let is_json = inner.trim_start().starts_with(['{', '[', '"']);
    let (masked, _) = is_json.then(|| masked_text(&inner))?;
    matches!(masked, Cow::Owned(_)).then(|| JsonText::from(masked.into_owned()).to_string())
}

/// The same of literals within a text whose letters are spelled as codes (`\\u0070`), as nothing else reads
/// them.
fn spelled_masked(text: &str) -> Option<String> {
    let (bytes, mut out, mut written, mut at) = (text.as_bytes(), String::new(), 0, 0);
    while let Some(begin) = memmem::find(bytes.get(at..)?, b"\"{").map(|found| at + found) {
        let end = skip_value(bytes, begin).unwrap_or(bytes.len());
        let literal = text.get(begin..end).filter(|literal| literal.contains(r"\\u"));
        if let Some(masked) = literal.and_then(inner_masked) {
            out.push_str(text.get(written..begin)?);
            out.push_str(&masked);
            written = end;
        }
        at = end.max(begin + 1);
    }
    (written > 0).then(|| [&out, text.get(written..).unwrap_or_default()].concat())
}

/// A masked text with its pairs masked, too.
fn and_pairs(masked: Cow<'_, str>) -> Cow<'_, str> {
    again(masked, mask_told)
}
