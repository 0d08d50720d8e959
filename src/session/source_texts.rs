//! Text that the user has of sources that carry none: web pages of Google Search grounding, for instance.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use url::Url;

use crate::model::{Chunk, Label, Response, Source};

/// Which source a text belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextFor {
    /// Sources with this address, as sent; else those whose address is the same when normalised.
    Address(String),
    /// A source of a record, both from 0. Without an item: of the first response of the record that has so
    /// many.
    Record {
        /// Number of the record within its input.
        record: usize,
        /// Response within the record.
        item: Option<usize>,
        /// Source.
        index: usize,
    },
}

/// Texts by source, and which of them were used.
#[derive(Debug, Default)]
pub struct SourceTexts {
    texts: Vec<String>,
    /// Bytes of all of them.
    bytes: usize,
    used: Vec<AtomicBool>,
    by_address: HashMap<String, Vec<usize>>,
    by_normal: HashMap<String, Vec<usize>>,
    /// By record, item and index.
    by_place: HashMap<(usize, Option<usize>, usize), Vec<usize>>,
}

impl SourceTexts {
    /// Adds a text. Several of one source are its passages, in order.
    pub fn add(&mut self, target: TextFor, text: String) {
        let number = self.texts.len();
        self.bytes += text.len();
        self.texts.push(text);
        self.used.push(AtomicBool::new(false));
        match target {
            TextFor::Record { record, item, index } => {
                self.by_place.entry((record, item, index)).or_default().push(number);
            }
            TextFor::Address(address) => {
                if let Some(normal) = normal(&address) {
                    self.by_normal.entry(normal).or_default().push(number);
                }
                self.by_address.entry(address).or_default().push(number);
            }
        }
    }

    /// The same texts with one more.
    #[must_use]
    pub fn with(&self, target: TextFor, text: String) -> Self {
        let mut more = Self {
            texts: self.texts.clone(),
            bytes: self.bytes,
            used: self.used.iter().map(|used| AtomicBool::new(used.load(Ordering::Relaxed))).collect(),
            by_address: self.by_address.clone(),
            by_normal: self.by_normal.clone(),
            by_place: self.by_place.clone(),
        };
        more.add(target, text);
        more
    }

    /// Gives the sources of a record that carry no text the texts meant for them, each its own. False where
    /// they take more bytes than `most` together: then some have none.
    #[must_use]
    pub fn fill(&self, record: usize, responses: &mut [Response], most: usize) -> bool {
        let mut left = most;
        // How many sources the responses before have at most: a place without an item lies in the first that
        // has so many.
        let mut before = 0;
        for (item, response) in responses.iter_mut().enumerate() {
            for (index, source) in response.sources.iter_mut().enumerate() {
                let first = (index >= before).then_some((record, None, index));
                let places = [Some((record, Some(item), index)), first].into_iter().flatten();
                let here = places.filter_map(|place| self.by_place.get(&place)).flatten();
                let texts: Vec<usize> = here.chain(self.addressed(source)).copied().collect();
                let taken = self.weight(source, &texts);
                let Some(rest) = left.checked_sub(taken) else { return false };
                left = rest;
                self.give(source, &texts);
            }
            before = before.max(response.sources.len());
        }
        true
    }

    /// Bytes that texts take as passages of a source.
    fn weight(&self, source: &Source, texts: &[usize]) -> usize {
        if has_text(source) {
            return 0;
        }
        let texts = texts.iter().filter_map(|&number| self.texts.get(number));
        texts.map(|text| text.len() + size_of::<Chunk>() + BESIDE).sum()
    }

    /// Bytes of all texts.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn addressed(&self, source: &Source) -> &[usize] {
        let Some(address) = source.uri.as_deref() else { return &[] };
        let exact = self.by_address.get(address);
        exact.or_else(|| self.by_normal.get(&normal(address)?)).map_or(&[], Vec::as_slice)
    }

    fn give(&self, source: &mut Source, texts: &[usize]) {
        let texts = || texts.iter().filter_map(|&number| self.texts.get(number).zip(self.used.get(number)));
        for (_, used) in texts() {
            used.store(true, Ordering::Relaxed);
        }
        if texts().next().is_none() || has_text(source) {
            return;
        }
        let filled = texts().filter(|(text, _)| !text.trim().is_empty());
        source.chunks.extend(filled.map(|(text, _)| Chunk {
            text: text.clone(),
            label: Some(Label::TextGiven),
            ..Chunk::default()
        }));
    }

    /// How many texts have found no source so far.
    pub fn unused(&self) -> usize {
        self.used.iter().filter(|used| !used.load(Ordering::Relaxed)).count()
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// Bytes that a passage takes beside its text and itself.
const BESIDE: usize = 64;

fn has_text(source: &Source) -> bool {
    source.passages().any(|passage| !passage.text.trim().is_empty())
}

fn normal(address: &str) -> Option<String> {
    Url::parse(address).ok().map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn web(uri: &str) -> Source {
        Source { uri: Some(uri.to_owned()), ..Source::default() }
    }

    fn response(sources: Vec<Source>) -> Response {
        Response { sources, ..Response::default() }
    }

    fn texts(response: &Response) -> Vec<Vec<&str>> {
        response
            .sources
            .iter()
            .map(|source| source.chunks.iter().map(|chunk| chunk.text.as_str()).collect())
            .collect()
    }

    #[test]
    fn texts_that_are_given_very_often_take_no_more_than_they_may() {
        let mut given = SourceTexts::default();
        (0..10).for_each(|_| given.add(TextFor::Address("https://a.example/".to_owned()), "x".repeat(1000)));
        let sources = |count: usize| [response(vec![web("https://a.example/"); count])];
        assert!(given.fill(0, &mut sources(4), 50_000));
        assert!(!given.fill(0, &mut sources(5), 50_000));
        // What has a text is given none.
        let mut filled = sources(4);
        assert!(given.fill(0, &mut filled, 50_000) && given.fill(0, &mut filled, 0));
        assert_eq!(given.bytes(), 10_000);
    }

    #[test]
    fn an_address_matches_as_sent_else_normalised() {
        let mut given = SourceTexts::default();
        given.add(TextFor::Address("https://A.example:443/x/../y".to_owned()), "one".to_owned());
        given.add(TextFor::Address("https://a.example/y".to_owned()), "two".to_owned());
        given.add(TextFor::Address("https://a.example/y".to_owned()), "three".to_owned());
        given.add(TextFor::Address("no address".to_owned()), "four".to_owned());
        given.add(TextFor::Address("https://other.example/".to_owned()), "five".to_owned());
        let mut responses = [response(vec![
            web("https://a.example/y"),
            web("HTTPS://a.example/y"),
            web("no address"),
            web("https://a.example/z"),
        ])];
        assert!(given.fill(0, &mut responses, usize::MAX));
        // The exact one has its own two; the third spelling is none of theirs, so that all that are the same
        // count.
        assert_eq!(
            texts(&responses[0]),
            [vec!["two", "three"], vec!["one", "two", "three"], vec!["four"], vec![]]
        );
        assert_eq!(responses[0].sources[0].chunks[0].label, Some(Label::TextGiven));
        assert_eq!((given.len(), given.unused()), (5, 1));
    }

    #[test]
    fn a_place_is_a_record_a_source_and_where_needed_an_item() {
        let mut given = SourceTexts::default();
        given.add(TextFor::Record { record: 1, item: None, index: 0 }, "first".to_owned());
        given.add(TextFor::Record { record: 1, item: Some(2), index: 1 }, "third".to_owned());
        given.add(TextFor::Record { record: 0, item: None, index: 0 }, "elsewhere".to_owned());
        let two = || response(vec![web("a"), web("b")]);
        let mut responses = [response(vec![]), two(), two()];
        assert!(given.fill(1, &mut responses, usize::MAX));
        assert_eq!(texts(&responses[1]), [vec!["first"], vec![]]);
        assert_eq!(texts(&responses[2]), [vec![], vec!["third"]]);
        assert_eq!(given.unused(), 1);
    }

    #[test]
    fn text_that_was_sent_stays_and_blank_text_is_none() {
        let mut given = SourceTexts::default();
        given.add(TextFor::Address("a".to_owned()), "mine".to_owned());
        given.add(TextFor::Address("b".to_owned()), " \n".to_owned());
        let sent = Chunk { text: "theirs".to_owned(), ..Chunk::default() };
        let mut responses = [response(vec![Source { chunks: vec![sent], ..web("a") }, web("b")])];
        assert!(given.fill(0, &mut responses, usize::MAX));
        assert_eq!(texts(&responses[0]), [vec!["theirs"], vec![]]);
        assert_eq!(given.unused(), 0);
    }
}
