//! Private keys as files have them, in running text.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::elements::NEAR;
use super::names::MASK_IN_ADDRESS;

static PRIVATE_KEY: LazyLock<Finder> = LazyLock::new(|| Finder::new("PRIVATE KEY"));

/// Private keys as files have them.
pub(super) fn mask_keys(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut written = 0;
    for at in PRIVATE_KEY.find_iter(text.as_bytes()) {
        let near =
            text.get(text.floor_char_boundary(at.saturating_sub(NEAR).max(written))..at).unwrap_or_default();
        let line = near.rsplit('\n').next().unwrap_or_default();
        let rest = text.get(at + "PRIVATE KEY".len()..).unwrap_or_default();
        let below = rest.strip_prefix(" BLOCK").unwrap_or(rest).strip_prefix("-----");
        let Some(below) = below.filter(|_| line.contains("-----BEGIN ")) else { continue };
        let length = key_length(below);
        if length > 0 {
            let from = text.len() - below.len();
            out.push_str(text.get(written..from).unwrap_or_default());
            out.push_str(MASK_IN_ADDRESS);
            written = from + length;
        }
    }
    if out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

/// Length of a key in base64 that a text begins with, with what may stand in its lines.
fn key_length(text: &str) -> usize {
    let of_key = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "+/=\\:,-".contains(c);
    let end = memmem::find(text.as_bytes(), b"-----").unwrap_or(text.len());
    let end = text.get(..end).and_then(|key| key.find(|c| !of_key(c))).unwrap_or(end);
    let key = text.get(..end).unwrap_or_default();
    // Of words none is as long as a line of a key.
    let longest = key.split(char::is_whitespace).map(str::len).max().unwrap_or_default();
    let begun = key.find(|c: char| !c.is_whitespace() && c != '\\').unwrap_or(key.len());
    if longest >= KEY_LINE || end == begun && !key.is_empty() { end } else { 0 }
}

/// Letters of the longest line of a key, at least.
const KEY_LINE: usize = 16;
