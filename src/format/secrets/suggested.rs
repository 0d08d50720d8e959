//! Search suggestions: HTML whose links are queries, and Base64 of queries and addresses.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};
use memchr::{memchr, memchr_iter};

use super::addresses::{mask_address, mask_addresses};
use super::names::MASK_IN_ADDRESS;
use super::ranges::again;
use super::shapes::mask_shapes;
use crate::format::base64;
use crate::model::{BlobContent, JsonText, SearchSuggestions};

/// Masks what suggestions hold of credentials. `query` masks the words of one, `value` a value of JSON. True
/// if they held any.
pub(super) fn mask_suggestions(
    suggestions: &mut SearchSuggestions,
    query: fn(&str) -> Cow<'_, str>,
    value: fn(&mut JsonText) -> bool,
) -> bool {
    let SearchSuggestions { html, blob, links } = suggestions;
    let mut found = html.as_mut().is_some_and(|html| {
        let masked =
            again(again(masked_words(html, query), |html| masked_links(html, query)), mask_addresses);
        let masked = again(masked, mask_shapes);
        if let Cow::Owned(masked) = masked {
            *html = masked;
            return true;
        }
        false
    });
    let own = blob.as_mut().filter(|_| matches!(links, Some(Ok(_))));
    found |= own.is_some_and(|blob| {
        let masked = masked_blob(blob, value);
        masked.map(|masked| *blob = masked).is_some()
    });
    match links {
        Some(Ok(BlobContent::Links(links))) => {
            for (words, uri) in links {
                if let Cow::Owned(masked) = query(words) {
                    (*words, found) = (masked, true);
                }
                if let Some(masked) = masked_search(uri, query) {
                    (*uri, found) = (masked, true);
                }
            }
        }
        Some(Ok(BlobContent::Other(json))) => found |= value(json),
        _ => {}
    }
    found
}

/// HTML with the words between its tags masked; a style sheet has none.
fn masked_words(html: &str, mask: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let (mut out, mut at) = (Vec::new(), 0);
    let rest = |at: usize| html.as_bytes().get(at..).unwrap_or_default();
    while let Some(begin) = memchr(b'>', rest(at)).map(|found| at + found + 1) {
        let is_code = begins_code(html.get(at..begin).unwrap_or_default());
        let behind = rest(begin);
        let end = if is_code { memmem::find(behind, b"</") } else { memchr(b'<', behind) };
        let end = begin + end.unwrap_or(behind.len());
        at = end;
        let words = html.get(begin..end).filter(|words| !is_code && !words.trim().is_empty());
        if let Some(Cow::Owned(masked)) = words.map(mask) {
            out.push((begin..end, masked));
        }
    }
    with_changes(html, out)
}

/// Whether a tag opens code.
fn begins_code(tag: &str) -> bool {
    let mut names = memchr_iter(b'<', tag.as_bytes()).filter_map(|at| tag.get(at + 1..));
    names.any(|name| name.starts_with("style") || name.starts_with("script"))
}

/// HTML with the addresses of its links masked.
fn masked_links(html: &str, mask: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let found = LINK.find_iter(html.as_bytes()).filter_map(|at| {
        let begin = at + LINK.needle().len() + 1;
        let quote = html.get(begin - 1..begin).filter(|quote| matches!(*quote, "\"" | "'"))?;
        let end = begin + html.get(begin..)?.find(quote)?;
        Some((begin..end, masked_search(html.get(begin..end)?, mask)?))
    });
    with_changes(html, found.collect())
}

static LINK: LazyLock<Finder> = LazyLock::new(|| Finder::new("href="));

/// A text with others in the place of some ranges, which ascend; of two that overlap the first.
fn with_changes(text: &str, changes: Vec<(Range<usize>, String)>) -> Cow<'_, str> {
    if changes.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut written) = (String::new(), 0);
    for (range, masked) in changes {
        if range.start < written {
            continue;
        }
        out.push_str(text.get(written..range.start).unwrap_or_default());
        out.push_str(&masked);
        written = range.end;
    }
    out.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

/// The address of a search masked, where it carries a credential or a query that holds one.
fn masked_search(uri: &str, mask: fn(&str) -> Cow<'_, str>) -> Option<String> {
    if let Some((page, asked)) = uri.split_once('?')
        && asked.split('&').any(|one| matches!(mask(&spoken(one)), Cow::Owned(_)))
    {
        return Some([page, "?", MASK_IN_ADDRESS].concat());
    }
    match mask_address(uri) {
        Cow::Owned(masked) => Some(masked),
        Cow::Borrowed(_) => None,
    }
}

/// The value of a parameter as it was typed.
fn spoken(parameter: &str) -> String {
    let value = parameter.split_once('=').map_or(parameter, |(_, value)| value);
    url::form_urlencoded::parse(value.replace('=', "%3D").as_bytes()).map(|(words, _)| words).collect()
}

/// Base64 of JSON with its values masked, where one is.
fn masked_blob(blob: &str, mask: fn(&mut JsonText) -> bool) -> Option<String> {
    let bytes = base64::decoded(blob).ok()?;
    let mut json = JsonText::from(serde_json::from_slice::<serde_json::Value>(&bytes).ok()?);
    mask(&mut json).then(|| base64::encoded(json.as_json().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::{mask_query, mask_value};
    use super::*;

    const TOKEN: &str = "ghp_kQ3vT9xLm2Zr8WnB4yHdkQ3vT9xLm2Zr8WnB";

    /// The query was masked where it was asked, and shown where it was suggested.
    #[test]
    fn queries_are_masked_in_the_html_that_suggests_them() {
        let html = |words: &str, query: &str| {
            format!(
                "<style>.key {{ top: 1px }} .a>b</style><a href=\"https://a.example/?{query}\">{words}</a>\n<b></b>"
            )
        };
        let mut sent = SearchSuggestions { html: Some(html(TOKEN, "key=abc1&q=x")), blob: None, links: None };
        assert!(mask_suggestions(&mut sent, mask_query, mask_value));
        assert_eq!(sent.html, Some(html("masked", "key=masked&q=x")));
        // The address of the search has it once more.
        for query in [format!("q=what+is+{TOKEN}&hl=en"), "q=password%3DWinter2024x&hl=en".to_owned()] {
            let mut sent = SearchSuggestions { html: Some(html("x", &query)), blob: None, links: None };
            assert!(mask_suggestions(&mut sent, mask_query, mask_value));
            assert_eq!(sent.html, Some(html("x", "masked")));
        }
        let mut plain = SearchSuggestions { html: Some(html("who won", "q=x")), blob: None, links: None };
        assert!(!mask_suggestions(&mut plain, mask_query, mask_value));
        assert_eq!(plain.html, Some(html("who won", "q=x")));
    }

    #[test]
    fn what_a_blob_holds_is_masked_in_it_and_beside_it() {
        let json = |query: &str, password: &str| {
            format!("[{{\"q\":\"{query}\",\"url\":\"https://bob:{password}@h.example/\"}}]")
        };
        let blob = base64::encoded(json(TOKEN, "abc1").as_bytes());
        let links = vec![(TOKEN.to_owned(), "https://bob:abc1@h.example/".to_owned())];
        let mut sent =
            SearchSuggestions { html: None, blob: Some(blob), links: Some(Ok(BlobContent::Links(links))) };
        assert!(mask_suggestions(&mut sent, mask_query, mask_value));
        let shown = base64::decoded(&sent.blob.unwrap()).unwrap();
        assert_eq!(String::from_utf8(shown).unwrap(), json("masked", "masked"));
        let links = vec![("masked".to_owned(), "https://bob:masked@h.example/".to_owned())];
        assert_eq!(sent.links, Some(Ok(BlobContent::Links(links))));
    }
}
