//! Texts of elements of XML whose tag names a credential.

use std::ops::Range;

use super::names::{MASK_IN_ADDRESS, is_secret};
use super::values::{BLANKS, CREDENTIAL_MOST, CUT};

/// Bytes before a value in which its name is looked for.
pub(super) const NEAR: usize = 128;

/// The text of an element of XML, behind the end of its tag: `<password>abc</password>`.
pub(super) fn in_element(text: &str, at: usize, from: usize) -> Option<Range<usize>> {
    let near = text.get(text.floor_char_boundary(at.saturating_sub(NEAR).max(from))..at)?;
    let (_, tag) = near.rsplit_once('<')?;
    let name = tag.split(BLANKS).next()?;
    // An attribute may name it, as of a property; what has blanks in it is a heading then.
    let begun = ["name=\"", "key=\"", "name='", "key='", "name=\\\"", "key=\\\""];
    let attribute = begun.iter().find_map(|begun| tag.split_once(begun));
    let own = is_secret(name);
    let named = || attribute.and_then(|(_, own)| own.split(['"', '\'', '\\']).next()).is_some_and(is_secret);
    if name.starts_with('/') || !own && !named() {
        return None;
    }
    let rest = text.get(at + 1..)?;
    if let Some(data) = rest.strip_prefix("<![CDATA[") {
        let data = data.get(..data.floor_char_boundary(CREDENTIAL_MOST)).unwrap_or_default();
        let value = data.split("]]>").next().unwrap_or_default();
        let start = at + 1 + "<![CDATA[".len();
        return Some(start..start + value.len()).filter(|_| !matches!(value, "" | MASK_IN_ADDRESS));
    }
    let (value, closed) = match rest.find('<').and_then(|end| rest.split_at_checked(end)) {
        Some((value, behind)) => (value, behind.starts_with("</")),
        None => (rest, false),
    };
    let start = at + 1 + value.len() - value.trim_start().len();
    let value = value.trim();
    if value.len() > CREDENTIAL_MOST && value.contains('\n') {
        return None;
    }
    // A name alone stands for a value: `set <api_key> in the header`.
    let is_word = !value.contains(char::is_whitespace);
    let is_cut = !closed && CUT.iter().any(|sign| value.contains(sign));
    let is_one = if own {
        closed || is_word || is_cut
    } else {
        (closed || value.len() == rest.trim().len()) && is_word
    };
    (is_one && !matches!(value, "" | MASK_IN_ADDRESS)).then_some(start..start + value.len())
}
