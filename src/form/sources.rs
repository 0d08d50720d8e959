//! Sources with their passages and reviews.

use super::reader::{Reader, owned};
use super::values::{Text, text};
use super::{Count, Derived, Json, List, Must, Only, Said, form};
use crate::model::{self, Label, MapsPlace, Origin, Published, SourceKind, words};

words! {
    /// Kinds of source, without what an unknown one was called.
    pub enum Kind {
        /// A web page.
        Web = "web",
        /// A document.
        Document = "document",
        /// A place.
        Place = "place",
        /// An image.
        Image = "image",
        /// The result of a tool.
        Tool = "tool",
        /// A file.
        File = "file",
        /// Only the request has it.
        Request = "request",
        /// A collection.
        Collection = "collection",
        /// An empty object.
        Empty = "empty",
        /// Not documented.
        Unknown = "unknown",
    }
}

form! {
    /// What is cited, under the provider's index
    pub struct Source<'a> {
        /// The provider's index, from 0
        index: Derived<Count> = "index";
        /// Which kind; `tool`: the result of a tool as a whole; `empty`: an empty object; `unknown`: a kind
        /// that is not documented
        kind: Must<Said<'a, Kind>> = "kind";
        /// Where the kind is unknown: the key under which it was sent; null elsewhere
        kind_sent: Option<Text<'a>> = "kind_sent";
        /// The provider's id: document id, resource name; null where not sent
        id: Option<Text<'a>> = "id";
        /// Title or headline; null where not sent
        title: Option<Text<'a>> = "title";
        /// Address as sent, of any scheme; null where not sent
        uri: Option<Text<'a>> = "uri";
        /// Domain, where sent as such; null elsewhere
        domain: Option<Text<'a>> = "domain";
        /// Name of the publisher; null where not sent
        publisher: Option<Text<'a>> = "publisher";
        /// Date of the document, ISO 8601; null where none could be read
        date: Option<Text<'a>> = "date";
        /// The date as sent; null where not sent
        date_sent: Option<Text<'a>> = "date_sent";
        /// Resource name of the document; null where not sent
        document: Option<Text<'a>> = "document";
        /// Resource name of the place; null where not sent
        place_id: Option<Text<'a>> = "place_id";
        /// Reviews of the place
        reviews: List<'a, Review<'a>> = "reviews";
        /// Where to flag the place; null where not sent
        flag_uri: Option<Text<'a>> = "flag_uri";
        /// Only where several were sent: the further ones
        more_flags: Only<List<'a, Text<'a>>> = "further_flag_uris";
        /// Data of a structured document, as sent; null where not sent
        struct_data: Option<Json<'a>> = "struct_data";
        /// Passages
        chunks: List<'a, Chunk<'a>> = "chunks";
        /// What the provider calls it, "1" or "doc:0"; null where it has no name for it
        number: Option<Text<'a>> = "number", added;
        /// A search found it and nothing cites it
        retrieved: Must<bool> = "retrieved", added;
        /// Relevance to the query, as the provider gave it; null where not sent
        score: Option<f64> = "score", added;
        /// Indices of the supports that cite it
        cited_by: Derived<List<'a, Count>> = "cited_by";
    }

    /// A review; each field null where not sent
    @inline pub struct Review<'a> {
        /// Id
        id: Option<Text<'a>> = "id";
        /// Title
        title: Option<Text<'a>> = "title";
        /// Address that shows it
        uri: Option<Text<'a>> = "uri";
        /// Its words
        text: Option<Text<'a>> = "text";
        /// Where to flag it
        flag_uri: Option<Text<'a>> = "flag_uri";
        /// Only where several were sent: the further ones
        more_flags: Only<List<'a, Text<'a>>> = "further_flag_uris";
    }

    /// A passage of text of a source
    pub struct Chunk<'a> {
        /// The text
        text: Must<Text<'a>> = "text";
        /// Page or pages; null where not sent
        page: Option<Text<'a>> = "page";
        /// Relevance to the query, 0 to 1 as the provider gave it; null where not sent
        score: Option<f64> = "score";
        /// Resource name or number of the chunk; null where not sent
        name: Option<Text<'a>> = "name";
        /// What the text is, where it is no passage of a document; null elsewhere
        label: Option<Text<'a>> = "label";
    }
}

impl<'a> Source<'a> {
    /// A source as it is written.
    pub fn of(number: usize, source: &'a model::Source, cited_by: &'a [usize]) -> Self {
        let kind = match source.kind {
            SourceKind::Web => Kind::Web,
            SourceKind::Document => Kind::Document,
            SourceKind::Place => Kind::Place,
            SourceKind::Image => Kind::Image,
            SourceKind::Tool => Kind::Tool,
            SourceKind::File => Kind::File,
            SourceKind::Request => Kind::Request,
            SourceKind::Collection => Kind::Collection,
            SourceKind::Empty => Kind::Empty,
            SourceKind::Unknown(_) => Kind::Unknown,
        };
        let kind_sent =
            if let SourceKind::Unknown(kind) = &source.kind { Some((&**kind).into()) } else { None };
        Self {
            index: Count::of(number).into(),
            kind: kind.into(),
            kind_sent,
            id: text(&source.id),
            title: text(&source.title),
            uri: text(&source.uri),
            domain: text(&source.domain),
            publisher: text(&source.published.publisher),
            date: text(&source.published.date),
            date_sent: text(&source.published.date_sent),
            document: text(&source.document),
            place_id: text(&source.place.id),
            reviews: List::of(|| source.place.reviews.iter().map(Review::of)),
            flag_uri: source.place.flag_uris.first().map(Text::from),
            more_flags: further(&source.place.flag_uris),
            struct_data: source.struct_data.as_ref().map(Json::of),
            chunks: List::of(|| source.chunks.iter().map(Chunk::of)),
            number: text(&source.number),
            retrieved: source.retrieved.into(),
            score: source.score,
            cited_by: List::of(|| cited_by.iter().copied().map(Count::of)).into(),
        }
    }

    fn read(self, origin: Origin, reader: &mut Reader) -> model::Source {
        let kind = match (self.kind.0.as_ref().map(|kind| (kind.member(), kind.text())), self.kind_sent) {
            (None | Some((Some(Kind::Empty), _)), _) => SourceKind::Empty,
            (Some((Some(Kind::Web), _)), _) => SourceKind::Web,
            (Some((Some(Kind::Document), _)), _) => SourceKind::Document,
            (Some((Some(Kind::Place), _)), _) => SourceKind::Place,
            (Some((Some(Kind::Image), _)), _) => SourceKind::Image,
            (Some((Some(Kind::Tool), _)), _) => SourceKind::Tool,
            (Some((Some(Kind::File), _)), _) => SourceKind::File,
            (Some((Some(Kind::Request), _)), _) => SourceKind::Request,
            (Some((Some(Kind::Collection), _)), _) => SourceKind::Collection,
            (Some((Some(Kind::Unknown), _)), sent) => {
                SourceKind::Unknown(owned(sent).unwrap_or_default().into())
            }
            (Some((None, other)), _) => SourceKind::Unknown(other.into()),
        };
        let published = Published {
            publisher: owned(self.publisher),
            date: owned(self.date),
            date_sent: owned(self.date_sent),
        };
        let place = MapsPlace {
            id: owned(self.place_id),
            reviews: self.reviews.into_vec().into_iter().map(Review::read).collect(),
            flag_uris: flags(self.flag_uri, self.more_flags),
        };
        model::Source {
            redirect: false,
            kind,
            origin,
            id: owned(self.id),
            title: owned(self.title),
            uri: owned(self.uri),
            domain: owned(self.domain),
            published: published.into(),
            document: owned(self.document),
            place: place.into(),
            struct_data: self.struct_data.map(Json::into_text),
            chunks: self.chunks.into_vec().into_iter().map(|chunk| chunk.read(reader)).collect(),
            number: owned(self.number),
            retrieved: self.retrieved.0.unwrap_or_default(),
            score: self.score,
            masked: None,
        }
    }
}

fn further(flags: &[String]) -> Only<List<'_, Text<'_>>> {
    Only((flags.len() > 1).then(|| List::of(|| flags.iter().skip(1).map(Text::from))))
}

fn flags(first: Option<Text<'_>>, more: Only<List<'_, Text<'_>>>) -> Vec<String> {
    let more = more.0.map(List::into_vec).unwrap_or_default();
    first.into_iter().chain(more).map(Text::into_owned).collect()
}

impl<'a> Review<'a> {
    fn of(review: &'a model::PlaceReview) -> Self {
        Self {
            id: text(&review.id),
            title: text(&review.title),
            uri: text(&review.uri),
            text: text(&review.text),
            flag_uri: review.flag_uris.first().map(Text::from),
            more_flags: further(&review.flag_uris),
        }
    }

    fn read(self) -> model::PlaceReview {
        model::PlaceReview {
            id: owned(self.id),
            title: owned(self.title),
            uri: owned(self.uri),
            text: owned(self.text),
            flag_uris: flags(self.flag_uri, self.more_flags),
        }
    }
}

impl<'a> Chunk<'a> {
    fn of(chunk: &'a model::Chunk) -> Self {
        Self {
            text: Text::from(&chunk.text).into(),
            page: text(&chunk.page),
            score: chunk.score,
            name: text(&chunk.name),
            label: chunk.label.map(|label| label.word().into()),
        }
    }

    fn read(self, reader: &mut Reader) -> model::Chunk {
        model::Chunk {
            text: self.text.or_empty(),
            page: owned(self.page),
            score: self.score,
            name: owned(self.name),
            label: reader.word::<Label>("label", self.label.map(Said::text_of)),
            masked: None,
        }
    }
}

impl Reader<'_> {
    /// The sources of a response.
    pub fn sources(&mut self, list: List<'_, Source<'_>>) -> Vec<model::Source> {
        let base = self.origin.key("sources");
        list.into_vec()
            .into_iter()
            .enumerate()
            .map(|(number, source)| source.read(base.item(number), self))
            .collect()
    }
}
