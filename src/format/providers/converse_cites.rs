//! What Bedrock's Converse API cites, there and as frameworks hand it on: a page or a place in a document,
//! and the words that stand there.

use crate::format::shelf::Shelf;
use crate::json::wire::wire;
use crate::model::{
    Chunk, Citation, Cited, Label, Location, LocationKind, Origin, Place, Response, Source, SourceKind,
    Target,
};
use crate::text::address_or_name;

wire! {
    /// Words with what they rest on.
    pub struct CitationsContent whole [] {
        content: Vec<Text> = "content";
        citations: Vec<Cite> = "citations";
    }

    pub struct Text whole ["video"] {
        text: Option<String> = "text";
    }

    pub struct Cite takes 2304 whole [] {
        title: Option<String> = "title";
        source: Option<String> = "source";
        content: Vec<Text> = "sourceContent";
        location: Option<Sent> = "location";
    }

    pub struct Sent whole [] {
        char: Option<Range> = "documentChar";
        page: Option<Range> = "documentPage";
        chunk: Option<Range> = "documentChunk";
        result: Option<Range> = "searchResultLocation";
        web: Option<Web> = "web";
    }

    pub struct Range {
        document: Option<i64> = "documentIndex";
        result: Option<i64> = "searchResultIndex";
        start: Option<i64> = "start";
        end: Option<i64> = "end";
    }

    pub struct Web whole [] {
        url: Option<String> = "url";
        domain: Option<String> = "domain";
    }
}

impl CitationsContent {
    /// The words, where it has any: a point behind words has none.
    pub fn text(&self) -> Option<String> {
        let texts: Vec<&str> = self.content.iter().filter_map(|piece| piece.text.as_deref()).collect();
        Some(texts.concat()).filter(|_| !texts.is_empty())
    }
}

/// Takes a citation up with its source, which may be known already. `place` is its own.
pub fn citation(
    response: &mut Response,
    shelf: &mut Shelf,
    cite: Cite,
    origin: Origin,
    place: Place,
) -> Citation {
    let sent = cite.location.unwrap_or_default();
    let kinds = [
        (LocationKind::Char, &sent.char),
        (LocationKind::Page, &sent.page),
        (LocationKind::Chunk, &sent.chunk),
        (LocationKind::Block, &sent.result),
    ];
    let range = kinds.into_iter().find_map(|(kind, range)| Some((kind, range.as_ref()?)));
    let location = range.map(|(kind, range)| Location {
        kind,
        start: range.start,
        end: range.end,
        document: range.document.or(range.result),
    });
    let index =
        |index: Option<i64>, what: &str| index.map(|index| (format!("{what} {index}"), index.to_string()));
    let id = range
        .and_then(|(_, range)| index(range.document, "document").or_else(|| index(range.result, "result")));
    let web = sent.web.unwrap_or_default();
    let named = cite.source.filter(|source| !source.is_empty());
    let (uri, document) = address_or_name(named.clone());
    let kind = match () {
        () if web.url.is_some() => SourceKind::Web,
        () if named.is_some() => SourceKind::Document,
        () => SourceKind::Request,
    };
    let source = Source {
        origin,
        kind,
        number: id.as_ref().map(|(_, number)| number.clone()),
        id: id.map(|(id, _)| id),
        title: cite.title.clone(),
        uri: web.url.or(uri),
        document,
        domain: web.domain,
        ..Source::default()
    };
    let source = shelf.put(response, source);
    let text: String = cite.content.into_iter().filter_map(|piece| piece.text).collect();
    let text = Some(text).filter(|text| !text.is_empty());
    let chunk = text.map(|text| Chunk { text, label: Some(Label::CitedText), ..Chunk::default() });
    let chunks = chunk.map(|chunk| shelf.passage(response, source, chunk)).into_iter().collect();
    let known = response.sources.get(source).and_then(|source| source.title.as_ref());
    let title = cite.title.filter(|title| known != Some(title));
    let cited = Some(Box::new(Cited { title, chunks, location }));
    Citation { cited, ..Citation::of(Target::Source(source), place) }
}
