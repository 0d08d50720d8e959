//! Addresses that the model wrote into the answer and that stand nowhere in what it was given.

use std::collections::HashSet;
use std::ops::Range;

use crate::check::Finding;
use crate::check::context::Context;
use crate::check::finding::is_whole_answer;
use crate::markup::contains;
use crate::review::Review;
use crate::text::{and_more, plural};

rule!(ADDRESS_FOREIGN {
    id: "address-foreign",
    group: Answer,
    severity: Note,
    summary: "an address in the answer is in no source",
    help: "the model wrote it from memory; check it before it is followed",
    explain: r#"The answer holds an address that stands in no source: neither as an address, nor in a passage, a
search result or the question. The model wrote it from memory. It may be outdated, or never have
existed.

It is known by comparing host, path and query, without `www.`, tracking and the last slash.
Where sources are redirects only their domain is known, and that counts. Code is left out, and
so are responses whose sources have no addresses.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. See https://rio-cafe.example/prices for more."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 64,
     "text": "Rio opens at nine. See https://rio-cafe.example/prices for more."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. See https://rio.example/hours for more."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 58,
     "text": "Rio opens at nine. See https://rio.example/hours for more."},
    "groundingChunkIndices": [0]}]}}
```

What to do: open it before you pass it on, or print it without a link.
"#,
});

/// Addresses that the message shows at most.
const SHOWN: usize = 4;

pub(super) fn check(review: &Review, context: &Context, found: &mut Vec<Finding>) {
    let response = &review.response;
    let has_addresses = response.sources.iter().any(|source| source.uri.is_some() || source.domain.is_some());
    if !has_addresses || !is_whole_answer(response) {
        return;
    }
    let text = response.text();
    let in_code = |at: usize| contains(context.code(), at);
    let mut written: Vec<(Range<usize>, Key)> =
        written(text).filter(|(range, _)| !in_code(range.start)).collect();
    if written.is_empty() {
        return;
    }
    let known = Known::of(review);
    written.retain(|(_, key)| !known.holds(key));
    let mut pages: HashSet<String> = HashSet::new();
    let mut shown: Vec<&str> = Vec::new();
    for (range, key) in &written {
        if pages.insert(key.page()) && shown.len() < SHOWN {
            shown.extend(text.get(range.clone()));
        }
    }
    if written.is_empty() {
        return;
    }
    let addresses = plural(pages.len(), "address in the answer is", "addresses in the answer are");
    let more = and_more(pages.len().saturating_sub(shown.len()));
    // The answer is shown as it is; what is told of it goes into logs.
    let message = format!("{addresses} in no source: {}{more}", review.sent.told(&shown.join(", ")));
    let places = written.into_iter().map(|(range, _)| range).collect();
    found.push(Finding::new(&ADDRESS_FOREIGN, &response.origin, message).places(places));
}

/// An address without what does not tell pages apart: scheme, `www.`, tracking, fragment, the last slash.
struct Key {
    host: String,
    rest: String,
}

impl Key {
    /// Host and rest in one.
    fn page(&self) -> String {
        format!("{}{}", self.host, self.rest)
    }
}

/// The key of an `http` or `https` address.
fn key(address: &str) -> Option<Key> {
    let url = url::Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?;
    let tracking = |name: &str| name.starts_with("utm_");
    let query: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| !tracking(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let rest = format!("{}?{}", url.path().trim_end_matches('/'), query.join("&"));
    Some(Key {
        host: host.strip_prefix("www.").unwrap_or(host).to_owned(),
        rest: rest.trim_end_matches('?').to_owned(),
    })
}

/// The http addresses of a text with their places.
fn written(text: &str) -> impl Iterator<Item = (Range<usize>, Key)> + '_ {
    let mut past = 0;
    memchr::memmem::find_iter(text.as_bytes(), "http").filter_map(move |at| {
        let rest = text
            .get(at..)
            .filter(|rest| at >= past && (rest.starts_with("http://") || rest.starts_with("https://")))?;
        let address = cut(rest, text.get(..at)?.ends_with("]("));
        past = at + address.len();
        Some((at..past, key(address)?))
    })
}

/// Bytes of an address that are read at most.
const LONGEST: usize = 2048;

/// The address at the beginning of a text, without the signs of the sentence behind it. In a link the bracket
/// ends it.
fn cut(text: &str, linked: bool) -> &str {
    let ends_address = |c: char| {
        c.is_whitespace() || c.is_control() || "<>\"'`|\\^{}[]（）。、，；：！？「」【】”’“‘*".contains(c)
    };
    let near = text.get(..text.floor_char_boundary(LONGEST.min(text.len()))).unwrap_or(text);
    let mut address = near.split(ends_address).next().unwrap_or(near);
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

/// What the model was given: addresses of sources, results, pages and the question, and those in the
/// passages.
struct Known {
    pages: HashSet<String>,
    hosts: HashSet<String>,
    /// Hosts of which only the name is known, since their addresses are redirects.
    opaque: HashSet<String>,
}

impl Known {
    fn of(review: &Review) -> Self {
        let response = &review.response;
        let mut known = Self { pages: HashSet::new(), hosts: HashSet::new(), opaque: HashSet::new() };
        for source in &response.sources {
            let opaque = source.uri.is_none() || source.redirect;
            let names = source.title.iter().chain(&source.domain).filter(|_| opaque);
            known.opaque.extend(
                names.map(|name| name.trim().strip_prefix("www.").unwrap_or(name.trim()).to_lowercase()),
            );
            let addresses = source
                .uri
                .iter()
                .chain(&source.place.flag_uris)
                .chain(source.place.reviews.iter().filter_map(|review| review.uri.as_ref()));
            addresses.for_each(|address| known.add(key(address)));
            let texts = source
                .chunks
                .iter()
                .map(|chunk| &chunk.text)
                .chain(source.place.reviews.iter().filter_map(|review| review.text.as_ref()));
            texts.for_each(|text| known.read(text));
        }
        for result in response.traces.iter().flat_map(|trace| &trace.results) {
            known.add(result.uri.as_deref().and_then(key));
            result.text.iter().for_each(|text| known.read(text));
        }
        response.about.fetched.iter().for_each(|page| known.add(key(&page.uri)));
        response
            .about
            .recitations
            .iter()
            .filter_map(|recitation| recitation.uri.as_deref())
            .for_each(|uri| known.add(key(uri)));
        let asked = response.about.question.as_deref().into_iter();
        let asked = asked.chain(response.queries.iter().map(|query| query.text.as_str()));
        asked.for_each(|text| known.read(text));
        known
    }

    fn add(&mut self, key: Option<Key>) {
        if let Some(key) = key {
            self.pages.insert(key.page());
            self.hosts.insert(key.host);
        }
    }

    fn read(&mut self, text: &str) {
        written(text).for_each(|(_, key)| self.add(Some(key)));
    }

    fn holds(&self, key: &Key) -> bool {
        let home = key.rest.is_empty() && self.hosts.contains(&key.host);
        home || self.pages.contains(&key.page()) || self.opaque.contains(&key.host)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{cited, silent, whole};

    #[test]
    fn addresses_are_cut_where_they_end() {
        let shown =
            |text: &str| -> Vec<String> { written(text).map(|(range, _)| text[range].to_owned()).collect() };
        assert_eq!(
            shown("See https://a.example/x_(y). Or (http://b.example/z), <https://c.example>"),
            ["https://a.example/x_(y)", "http://b.example/z", "https://c.example"]
        );
        assert_eq!(
            shown("[a](https://a.example/x)b and **https://d.example/**"),
            ["https://a.example/x", "https://d.example/"]
        );
        assert_eq!(shown("参照 https://a.example/橋。次 httpx http"), ["https://a.example/橋"]);
    }

    #[test]
    fn known_pages_code_and_sources_without_addresses_are_left_alone() {
        silent(
            &ADDRESS_FOREIGN,
            &whole("See https://www.rio.example/hours/?utm_source=x#top and http://rio.example."),
        );
        silent(&ADDRESS_FOREIGN, &whole("Call `https://api.example/v1` first."));
        let see = |source| cited("See https://rio-cafe.example/prices.", &[("See", &[0])], json!([source]));
        let text = "Prices: https://rio-cafe.example/prices";
        silent(
            &ADDRESS_FOREIGN,
            &see(json!({"retrievedContext": {"uri": "https://rio.example/a", "text": text}})),
        );
        silent(&ADDRESS_FOREIGN, &see(json!({"retrievedContext": {"title": "Hours", "text": "Nine."}})));
    }
}
