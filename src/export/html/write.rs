//! Escaping: nothing of a response becomes markup, and only addresses of the web become links.

use std::borrow::Cow;

use crate::check::is_web;
use crate::text::{one_line, sanitize, unambiguous};

/// Text of a response as HTML, harmless and with its lines.
pub(super) fn text(raw: &str) -> String {
    escaped(&sanitize(raw))
}

/// Text that is already harmless as HTML.
pub(in crate::export) fn escaped(safe: &str) -> String {
    let mut out = String::with_capacity(safe.len());
    for c in safe.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A value of an attribute, without its quotation marks.
pub(super) fn attribute(raw: &str) -> String {
    escaped(&one_line(raw))
}

/// A link, or the words alone where the address is none of the web. Words are HTML.
pub(super) fn link(uri: &str, words: &str) -> String {
    match target(uri) {
        Some(uri) => format!("<a href=\"{uri}\" rel=\"noopener noreferrer nofollow\">{words}</a>"),
        None => words.to_owned(),
    }
}

/// An address that may be linked, as a value of an attribute.
pub(super) fn target(uri: &str) -> Option<String> {
    is_web(uri).then(|| escaped(&clean(&unambiguous(uri))))
}

/// Controls and blanks as percent escapes.
fn clean(uri: &str) -> Cow<'_, str> {
    let odd = |c: char| c.is_control() || c.is_whitespace() || crate::text::stand_in(c).is_some();
    if !uri.contains(odd) {
        return Cow::Borrowed(uri);
    }
    let mut out = String::with_capacity(uri.len() + 8);
    for c in uri.chars() {
        if odd(c) {
            out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}
