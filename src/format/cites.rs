//! A citation as Anthropic sends it, alone or handed on by a gateway: what it names, the words it quotes, and
//! where in the source they stand.

use super::shelf::Shelf;
use crate::json::values::KindWord;
use crate::json::wire::{Cx, Field, Reader, Unreadable, Wire, wire};
use crate::model::{Chunk, Cited, Label, Location, LocationKind, Origin, Response, Source, SourceKind};
use crate::text::address_or_name;

wire! {
    pub struct Cite takes 2304 whole [] names [url, source, document, file, result] {
        kind: Option<KindWord> = "type";
        text: Option<String> = "citedText";
        url: Option<String> = "url";
        title: Option<String> = "title";
        source: Option<String> = "source";
        document: Option<i64> = "documentIndex";
        document_title: Option<String> = "documentTitle";
        file: Option<String> = "fileId";
        result: Option<i64> = "searchResultIndex";
        first_char: Option<i64> = "startCharIndex";
        last_char: Option<i64> = "endCharIndex";
        first_page: Option<i64> = "startPageNumber";
        last_page: Option<i64> = "endPageNumber";
        first_block: Option<i64> = "startBlockIndex";
        last_block: Option<i64> = "endBlockIndex";
        // The words of the block that it stood in, as LiteLLM adds them.
        supported: Option<String> = "supportedText";
    }
}

/// The citations of a block.
#[derive(Debug, Default, Clone)]
pub struct Block(pub Vec<Cite>);

impl Wire for Block {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let mut block = Self::default();
        block.0.fill(reader, cx)?;
        Ok(Some(block))
    }
}

impl Cite {
    /// The title of what is cited.
    pub fn named(&self) -> Option<&String> {
        self.title.as_ref().or(self.document_title.as_ref())
    }

    /// Where in its source it points.
    fn location(&self) -> Option<Location> {
        let kinds = [
            (LocationKind::Char, self.first_char, self.last_char),
            (LocationKind::Page, self.first_page, self.last_page),
            (LocationKind::Block, self.first_block, self.last_block),
        ];
        let (kind, start, end) =
            kinds.into_iter().find(|(_, start, end)| start.is_some() || end.is_some())?;
        Some(Location { kind, start, end, document: self.document.or(self.result) })
    }

    /// The source that it names.
    fn source(&self, origin: Origin) -> Source {
        let named = self.url.clone().or_else(|| self.source.clone());
        let id = self.file.clone().or_else(|| self.document.map(|index| format!("document {index}")));
        let result = self.result.map(|index| index.to_string());
        let nameless = named.is_none();
        let (uri, document) = address_or_name(named);
        let kind = match () {
            () if self.document.is_some() || result.is_some() && nameless => SourceKind::Request,
            () if result.is_some() => SourceKind::Document,
            () => SourceKind::Web,
        };
        let by_result = result.clone().filter(|_| nameless).map(|index| format!("result {index}"));
        Source {
            origin,
            kind,
            id: id.or(by_result),
            title: self.named().cloned(),
            uri,
            document,
            number: self.document.map(|index| index.to_string()).or(result),
            ..Source::default()
        }
    }
}

/// Takes what is cited up: the index of its source, which may be known already, and what is cited of it.
pub fn cited(
    response: &mut Response,
    shelf: &mut Shelf,
    cite: Cite,
    known: Option<usize>,
    origin: Origin,
) -> (usize, Cited) {
    let location = cite.location();
    let source = known.unwrap_or_else(|| shelf.put(response, cite.source(origin)));
    let title = cite.named().cloned();
    let chunk = cite.text.map(|text| Chunk { text, label: Some(Label::CitedText), ..Chunk::default() });
    let chunks = chunk.map(|chunk| shelf.passage(response, source, chunk)).into_iter().collect();
    let called = response.sources.get(source).and_then(|source| source.title.as_ref());
    let title = title.filter(|title| called != Some(title));
    (source, Cited { title, chunks, location })
}
