//! Sources: what is cited, with the passages that the response carries of it.

use std::borrow::Cow;
use std::num::NonZeroU64;

use super::seldom::{Seldom, absent};
use super::words::words;
use super::{JsonText, Origin};

/// A web page, a document, a place or the result of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Source {
    /// Where it stands in the input (its first appearance).
    pub origin: Origin,
    /// Which kind.
    pub kind: SourceKind,
    /// The provider's id: document id, resource name.
    pub id: Option<String>,
    /// Title or headline.
    pub title: Option<String>,
    /// Address.
    pub uri: Option<String>,
    /// Its address is an opaque redirect that expires.
    pub redirect: bool,
    /// Domain, where sent as such.
    pub domain: Option<String>,
    /// By whom it was published, and when.
    pub published: Seldom<Published>,
    /// Resource name of the document.
    pub document: Option<String>,
    /// What a map has of it.
    pub place: Seldom<MapsPlace>,
    /// Data of a structured document, as sent.
    pub struct_data: Option<JsonText>,
    /// Passages.
    pub chunks: Vec<Chunk>,
    /// What the provider calls it: "1", "doc:0".
    pub number: Option<String>,
    /// Found by a search and cited by nothing.
    pub retrieved: bool,
    /// Relevance to the query.
    pub score: Option<f64>,
    /// What tells it from others since its id, or else its address, was masked; never shown.
    pub(crate) masked: Option<NonZeroU64>,
}

/// Kinds of source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SourceKind {
    /// A web page.
    Web,
    /// A document of the caller's or of a data store.
    Document,
    /// A place on a map.
    Place,
    /// An image.
    Image,
    /// The result of a tool as a whole.
    Tool,
    /// A file.
    File,
    /// Something that only the request has.
    Request,
    /// A collection of documents.
    Collection,
    /// An empty object.
    #[default]
    Empty,
    /// A kind that is not documented, by its key.
    Unknown(Box<str>),
}

impl SourceKind {
    /// The word of the screen and the machine output.
    pub fn word(&self) -> &str {
        match self {
            Self::Web => "web",
            Self::Document => "document",
            Self::Place => "place",
            Self::Image => "image",
            Self::Tool => "tool",
            Self::File => "file",
            Self::Request => "request",
            Self::Collection => "collection",
            Self::Empty => "empty",
            Self::Unknown(_) => "unknown",
        }
    }
}

words! {
    /// What a text is, where it is no passage of a document.
    #[non_exhaustive]
    pub enum Label {
        /// The text of a RAG chunk beside that of its context.
        RagChunk = "RAG chunk",
        /// What a map says of a place.
        PlaceAnswer = "text of the place answer",
        /// A fact that was given to be cited.
        Fact = "fact",
        /// What a tool returned.
        ToolResult = "result of the tool",
        /// Words of the source that a citation brings along.
        CitedText = "cited text",
        /// A document that the request sent along.
        RequestText = "document of the request",
        /// A short excerpt that a search shows of a page: no evidence.
        Snippet = "snippet",
        /// A passage that the user supplied.
        TextGiven = "text given with --source-text",
    }
}

/// A passage of text of a source.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Chunk {
    /// The text.
    pub text: String,
    /// Page or pages.
    pub page: Option<String>,
    /// Relevance to the query, 0 to 1, for information only.
    pub score: Option<f64>,
    /// Resource name or number of the chunk.
    pub name: Option<String>,
    /// What the text is, where it is no passage of a document.
    pub label: Option<Label>,
    /// The text without the credentials that the fields it was joined from hold; nothing where they hold
    /// none.
    pub(crate) masked: Option<Box<str>>,
}

/// By whom a source was published, and when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Published {
    /// Name of the publisher.
    pub publisher: Option<String>,
    /// Date of the document, ISO `YYYY-MM-DD`.
    pub date: Option<String>,
    /// The date as sent.
    pub date_sent: Option<String>,
}

absent!(Published);

/// What a map has of a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapsPlace {
    /// Resource name of the place.
    pub id: Option<String>,
    /// Reviews of the place.
    pub reviews: Vec<PlaceReview>,
    /// Where to flag the place; more than one only where several were sent.
    pub flag_uris: Vec<String>,
}

absent!(MapsPlace);

/// A review of a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlaceReview {
    /// Id.
    pub id: Option<String>,
    /// Title.
    pub title: Option<String>,
    /// Address that shows it.
    pub uri: Option<String>,
    /// Its words.
    pub text: Option<String>,
    /// Where to flag it; more than one only where several were sent.
    pub flag_uris: Vec<String>,
}

/// A piece of a source that counts as evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Passage<'s> {
    /// Its number within the source, from 0.
    pub number: usize,
    /// What it was sent as.
    pub kind: PassageKind,
    /// Its words.
    pub text: Cow<'s, str>,
}

/// What a [`Passage`] was sent as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PassageKind {
    /// The chunk with this index.
    Chunk(usize),
    /// The review with this index.
    Review(usize),
    /// Structured data, as lines.
    Data,
}

/// What tells a source from others: see [`Source::key`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SourceKey<'a> {
    /// Its id.
    Id(&'a str),
    /// Its address; of a redirect also its title.
    Address(&'a str, &'a str),
    /// Its title.
    Headline(&'a str),
    /// Of an id or address in which credentials were masked a number made of what was sent: two that look
    /// alike now may have been two.
    Masked(NonZeroU64),
}

/// What stands beside an id that two sources share: its address, and of a document its title.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Beside<'a> {
    address: Option<&'a str>,
    document: Option<&'a str>,
    title: Option<&'a str>,
}

impl Beside<'_> {
    /// Whether nothing says that they are two.
    pub fn agrees(self, other: Beside<'_>) -> bool {
        let differ = |own: Option<&str>, other: Option<&str>| own.zip(other).is_some_and(|(a, b)| a != b);
        !differ(self.address, other.address)
            && !differ(self.document, other.document)
            && !differ(self.title, other.title)
    }
}

impl Source {
    /// What counts as evidence, in one order for everybody who counts it: chunks, reviews with words,
    /// structured data. A page of which only the address is known has none.
    pub fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        let chunks = self.chunks.iter().enumerate();
        let chunks = chunks.filter(|(_, chunk)| chunk.label != Some(Label::Snippet));
        let chunks = chunks.map(|(index, _)| PassageKind::Chunk(index));
        let all =
            chunks.chain((0..self.place.reviews.len()).map(PassageKind::Review)).chain([PassageKind::Data]);
        let worded = all.filter_map(|kind| Some((kind, self.words(kind)?)));
        worded.enumerate().map(|(number, (kind, text))| Passage { number, kind, text })
    }

    /// The words of a passage.
    pub fn words(&self, passage: PassageKind) -> Option<Cow<'_, str>> {
        match passage {
            PassageKind::Chunk(index) => Some(Cow::Borrowed(&self.chunks.get(index)?.text)),
            PassageKind::Review(index) => {
                Some(Cow::Borrowed(self.place.reviews.get(index)?.text.as_deref()?))
            }
            PassageKind::Data => Some(Cow::Owned(lines(self.struct_data.as_ref()?)?)),
        }
    }

    /// The name to call it by: title, else domain, place, the last segment of the document's name, address,
    /// id.
    pub fn name(&self) -> &str {
        [&self.title, &self.domain, &self.place.id]
            .into_iter()
            .find_map(|field| field.as_deref().filter(|text| !text.trim().is_empty()))
            .or_else(|| self.document.as_deref().map(last_segment))
            .or(self.uri.as_deref())
            .or_else(|| self.chunks.first().map(|chunk| beginning(&chunk.text)))
            .or_else(|| self.id.as_deref().map(last_segment))
            .unwrap_or(match &self.kind {
                SourceKind::Unknown(kind) => kind,
                SourceKind::Empty => "empty source",
                _ => "untitled",
            })
    }

    /// What tells it from others of its id, which services give twice.
    pub fn beside_id(&self) -> Beside<'_> {
        let address = self.uri.as_deref().filter(|uri| !uri.is_empty()).map(crate::text::plain_address);
        // The id of a document may be its number in the request.
        let is_named = self.id.is_some() || self.uri.is_none() && self.document.is_some();
        let is_document = matches!(self.kind, SourceKind::Request | SourceKind::Document) && is_named;
        let title = self.title.as_deref().filter(|title| is_document && !title.is_empty());
        let document = self.document.as_deref().filter(|name| !name.is_empty());
        Beside { address, document, title }
    }

    /// What tells it from others: the first of id, address and headline that is present. A title is a key
    /// only where neither of the others is, and never on Google's web chunks, whose title is a bare domain.
    pub fn key(&self) -> Option<SourceKey<'_>> {
        fn present(field: Option<&String>) -> Option<&str> {
            field.map(String::as_str).filter(|text| !text.is_empty())
        }
        let (id, uri, title) =
            (present(self.id.as_ref()), present(self.uri.as_ref()), present(self.title.as_ref()));
        // One opaque redirect may hide several pages; their titles say which.
        let behind = title.filter(|_| self.redirect).unwrap_or_default();
        let headline = title.filter(|_| self.kind != SourceKind::Web || self.published.publisher.is_some());
        // The name of a document is one, where it has neither.
        let id = id.or_else(|| present(self.document.as_ref()).filter(|_| uri.is_none()));
        let masked = self.masked.map(SourceKey::Masked);
        masked
            .or(id.map(SourceKey::Id))
            .or(uri.map(|uri| SourceKey::Address(uri, behind)))
            .or(headline.map(SourceKey::Headline))
    }

    /// The site it stands on: its domain as sent, the title of an opaque redirect, else the host of its
    /// address.
    pub fn site(&self) -> Option<String> {
        let full = |field: &Option<String>| field.clone().filter(|text| !text.is_empty());
        let title = full(&self.title).filter(|_| self.redirect);
        let address = || self.uri.as_deref().filter(|_| !self.redirect).and_then(crate::text::host);
        full(&self.domain).or(title).or_else(address)
    }

    /// Whether a passage, a review or structured data can be compared with a claim.
    pub fn has_text(&self) -> bool {
        self.chunks.iter().any(|chunk| !chunk.text.is_empty() && chunk.label != Some(Label::Snippet))
            || self.struct_data.is_some()
            || self.place.reviews.iter().any(|review| review.text.is_some())
    }
}

/// `key: value`, a line each; nothing of what is no object.
fn lines(data: &JsonText) -> Option<String> {
    let lines = data.members().map(|(key, sent)| format!("{key}: {}", sent.plain()));
    data.is_object().then(|| lines.collect::<Vec<_>>().join("\n"))
}

/// The first words of a text.
fn beginning(text: &str) -> &str {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let cut = line.get(..line.floor_char_boundary(60)).unwrap_or(line);
    let end = if cut.len() < line.len() { cut.rfind(' ').unwrap_or(cut.len()) } else { cut.len() };
    cut.get(..end).unwrap_or(cut).trim_end()
}

/// The last segment of a resource name.
pub fn last_segment(name: &str) -> &str {
    name.trim_end_matches('/').rsplit('/').next().unwrap_or(name)
}
