//! Addresses that the model wrote into the answer itself and that no source has.

use std::collections::HashSet;
use std::ops::Range;

use super::{Finding, is_redirect};
use crate::markup::contains;
use crate::review::Reviewed;

/// Addresses that the model wrote and that stand nowhere in what it was given.
pub(super) fn check(reviewed: &Reviewed, code: &[Range<usize>], found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let text = response.text();
    let has_addresses = response.sources.iter().any(|source| source.uri.is_some() || source.domain.is_some());
    let written: Vec<(Range<usize>, Key)> = written(text).filter(|(range, _)| !contains(code, range.start)).collect();
    if !has_addresses || written.is_empty() {
        return;
    }
    let known = Known::of(reviewed);
    let mut told: HashSet<String> = HashSet::new();
    let mut places = Vec::new();
    let mut shown = Vec::new();
    for (range, key) in written.into_iter().filter(|(_, key)| !known.holds(key)) {
        if told.insert(format!("{}{}", key.host, key.rest)) && shown.len() < 4 {
            shown.extend(text.get(range.clone()).map(str::to_owned));
        }
        places.push(range);
    }
    if places.is_empty() {
        return;
    }
    let verb = if told.len() == 1 { "is" } else { "are" };
    let noun = if told.len() == 1 { "1 address".to_owned() } else { format!("{} addresses", told.len()) };
    let more = told.len().saturating_sub(shown.len());
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let message = format!("{noun} in the answer {verb} in no source: {}{more}", shown.join(", "));
    found.push(Finding::new("address-foreign", &response.origin, message).places(places));
}

/// An address without what does not tell pages apart: scheme, `www.`, tracking, fragment, the last slash.
struct Key {
    host: String,
    rest: String,
}

fn key(address: &str) -> Option<Key> {
    let url = url::Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?;
    let tracking = |name: &str| name.starts_with("utm_");
    let query: Vec<String> = url.query_pairs().filter(|(name, _)| !tracking(name)).map(|(name, value)| format!("{name}={value}")).collect();
    let rest = format!("{}?{}", url.path().trim_end_matches('/'), query.join("&"));
    Some(Key { host: host.strip_prefix("www.").unwrap_or(host).to_owned(), rest: rest.trim_end_matches('?').to_owned() })
}

/// The http addresses of a text with their places.
fn written(text: &str) -> impl Iterator<Item = (Range<usize>, Key)> + '_ {
    let mut past = 0;
    memchr::memmem::find_iter(text.as_bytes(), "http").filter_map(move |at| {
        let rest = text.get(at..).filter(|rest| at >= past && (rest.starts_with("http://") || rest.starts_with("https://")))?;
        let address = cut(rest, text.get(..at)?.ends_with("]("));
        past = at + address.len();
        Some((at..past, key(address)?))
    })
}

/// Bytes of an address that are read at most.
const LONGEST: usize = 2048;

/// The address at the beginning, without the signs of the sentence behind it. In a link the bracket ends it.
fn cut(text: &str, linked: bool) -> &str {
    let ends = |c: char| c.is_whitespace() || c.is_control() || "<>\"'`|\\^{}[]（）。、，；：！？「」【】”’“‘*".contains(c);
    let near = text.get(..text.floor_char_boundary(LONGEST.min(text.len()))).unwrap_or(text);
    let mut address = near.split(ends).next().unwrap_or(near);
    if linked && let Some(inner) = address.split(')').next().filter(|inner| !inner.contains('(')) {
        address = inner;
    }
    let count = |bracket: char| address.matches(bracket).count();
    let mut spare = count(')').saturating_sub(count('('));
    loop {
        let plain = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '_', '~']);
        let Some(inner) = plain.strip_suffix(')').filter(|_| spare > 0) else { return plain };
        (address, spare) = (inner, spare - 1);
    }
}

/// What the model was given: addresses of sources, results, pages and the question, and those in the passages.
struct Known {
    pages: HashSet<String>,
    hosts: HashSet<String>,
    /// Hosts of which only the name is known, since their addresses are redirects.
    veiled: HashSet<String>,
}

impl Known {
    fn of(reviewed: &Reviewed) -> Self {
        let response = &reviewed.response;
        let mut known = Self { pages: HashSet::new(), hosts: HashSet::new(), veiled: HashSet::new() };
        for source in &response.sources {
            let veiled = source.uri.as_deref().is_none_or(is_redirect);
            let names = source.title.iter().chain(&source.domain).filter(|_| veiled);
            known.veiled.extend(names.map(|name| name.trim().strip_prefix("www.").unwrap_or(name.trim()).to_lowercase()));
            let addresses = source.uri.iter().chain(&source.flag_uri).chain(source.reviews.iter().filter_map(|review| review.uri.as_ref()));
            addresses.for_each(|address| known.add(key(address)));
            let texts =
                source.chunks.iter().map(|chunk| &chunk.text).chain(source.reviews.iter().filter_map(|review| review.text.as_ref()));
            texts.for_each(|text| known.read(text));
        }
        for result in response.traces.iter().flat_map(|trace| &trace.results) {
            known.add(result.uri.as_deref().and_then(key));
            result.text.iter().for_each(|text| known.read(text));
        }
        response.about.fetched.iter().for_each(|page| known.add(key(&page.uri)));
        response.about.recitations.iter().filter_map(|recitation| recitation.uri.as_deref()).for_each(|uri| known.add(key(uri)));
        let asked = response.about.question.iter().chain(response.queries.iter().map(|query| &query.text));
        asked.for_each(|text| known.read(text));
        known
    }

    fn add(&mut self, key: Option<Key>) {
        if let Some(Key { host, rest }) = key {
            self.pages.insert(format!("{host}{rest}"));
            self.hosts.insert(host);
        }
    }

    fn read(&mut self, text: &str) {
        written(text).for_each(|(_, key)| self.add(Some(key)));
    }

    fn holds(&self, key: &Key) -> bool {
        let home = key.rest.is_empty() && self.hosts.contains(&key.host);
        home || self.pages.contains(&format!("{}{}", key.host, key.rest)) || self.veiled.contains(&key.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_cut_where_they_end() {
        let shown = |text: &str| -> Vec<String> { written(text).map(|(range, _)| text[range].to_owned()).collect() };
        assert_eq!(
            shown("See https://a.example/x_(y). Or (http://b.example/z), <https://c.example>"),
            ["https://a.example/x_(y)", "http://b.example/z", "https://c.example"]
        );
        assert_eq!(shown("[a](https://a.example/x)b and **https://d.example/**"), ["https://a.example/x", "https://d.example/"]);
        assert_eq!(shown("参照 https://a.example/橋。次 httpx http"), ["https://a.example/橋"]);
    }
}
