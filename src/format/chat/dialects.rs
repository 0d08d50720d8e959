//! What each dialect of chat completions makes of its sources.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::gateway;
use super::told::{Beside, Told};
use super::wire::{Annotation, Context, Document, Found, Piece, UrlCitation};
use crate::anchor::Units;
use crate::format::building::{self, Bounded};
use crate::format::copied;
use crate::format::interface::read;
use crate::format::lists;
use crate::format::markers::{self, Name, Notation};
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::json::values::Whole;
use crate::json::wire::Cx;
use crate::model::{
    AnchorKind, Chunk, Citation, Cited, Label, Layer, List, Origin, OwnPlace, Place, Published, RemarkKind,
    Response, SearchResult, Segment, SegmentKeys, Source, SourceKind, Support, Target, Trace, Unit,
};
use crate::text::plural;

/// Who numbers the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Annotations, or marks that only the text has.
    Annotated,
    /// A list beside the answer.
    Listed,
    /// What a search of the service found.
    Searched,
    /// Azure OpenAI's documents.
    OwnData,
    /// Chunks of the content.
    References,
}

impl Dialect {
    pub(super) fn of(beside: &Beside, told: &Told) -> Self {
        match () {
            () if !beside.citations.is_empty() || !beside.results.is_empty() => Self::Listed,
            () if told.context.is_some() => Self::OwnData,
            () if !beside.searched.is_empty() && told.annotations.is_empty() => Self::Searched,
            () if told.pieces.iter().any(|(piece, _)| !piece.references.is_empty()) => Self::References,
            () => Self::Annotated,
        }
    }

    /// The id of the format whose responses are told so.
    pub const fn format(self) -> &'static str {
        match self {
            Self::Annotated | Self::Searched => "chat-completions",
            Self::Listed => "perplexity",
            Self::OwnData => "azure-oyd",
            Self::References => "mistral",
        }
    }

    /// Adds sources and supports; the format's id goes by what came.
    /// Whether marks in the text count a list.
    pub(super) const fn is_numbered(self) -> bool {
        matches!(self, Self::Listed | Self::Searched | Self::OwnData)
    }

    pub(super) fn lower(self, beside: &Beside, mut told: Told, content: &Origin, response: &mut Response) {
        let chunks = told.texts(response);
        match self {
            Self::Annotated => {
                let mut known = Shelf::default();
                let fields = told.fields.take();
                if fields.is_none() || !told.annotations.is_empty() {
                    annotated(told, content, &mut known, response);
                }
                if let Some((fields, origin)) = fields {
                    gateway::blocks(response, &mut known, fields, &origin);
                }
            }
            Self::Listed => {
                let apart = listed(&beside.citations, &beside.results, response);
                numbered(response, content, Notation::NUMBERS);
                named_apart(response, &beside.citations, &beside.results, apart);
                described(told.annotations, response);
            }
            Self::Searched => {
                listed(&[], &beside.searched, response);
                let prefix = if response.text().contains("[ref_") { "ref_" } else { "" };
                numbered(response, content, Notation { prefix, numbers: true });
            }
            Self::OwnData => {
                if let Some((context, origin)) = told.context {
                    own_data(context, &origin, content, response);
                }
            }
            Self::References => references(chunks, response),
        }
        response.format = Some(self.format().into());
    }
}

/// What another library hands on of a completion beside its text: lists as Perplexity's, or annotations.
pub fn handed(
    response: &mut Response,
    content: &Origin,
    citations: &[(String, Origin)],
    results: &[(Found, Origin)],
    annotations: Vec<(Annotation, Origin)>,
) {
    if !citations.is_empty() || !results.is_empty() {
        let apart = listed(citations, results, response);
        numbered(response, content, Notation::NUMBERS);
        named_apart(response, citations, results, apart);
        described(annotations, response);
    } else if !annotations.is_empty() {
        annotated(Told { annotations, ..Told::default() }, content, &mut Shelf::default(), response);
    }
}

/// Where the offsets of an annotation stand.
static OFFSETS: SegmentKeys =
    SegmentKeys { holder: "urlCitation", start: "startIndex", end: "endIndex", text: false };

/// The same where a gateway left the holder out.
static BARE_OFFSETS: SegmentKeys =
    SegmentKeys { holder: "", start: "startIndex", end: "endIndex", text: false };

/// The citation of an annotation and its keys: nested as `url_citation`, or bare as gateways flatten it.
fn url_citation(annotation: Annotation) -> Option<(UrlCitation, &'static SegmentKeys)> {
    if let Some(cited) = annotation.cited {
        return Some((cited, &OFFSETS));
    }
    let url = Some(annotation.url?);
    let bare = UrlCitation {
        start: annotation.start,
        end: annotation.end,
        url,
        title: annotation.title,
        ..UrlCitation::default()
    };
    Some((bare, &BARE_OFFSETS))
}

/// Annotations name marks by their offsets; where none has any, the text does.
fn annotated(told: Told, content: &Origin, shelf: &mut Shelf, response: &mut Response) {
    let mut numbered = Vec::new();
    let mut unplaced: Option<(usize, Origin)> = None;
    let mut unread: Option<(usize, Origin)> = None;
    let mut by_place: HashMap<(Option<i64>, Option<i64>), usize> = HashMap::new();
    for (annotation, origin) in told.annotations {
        let is_citation = annotation.kind.as_ref().is_none_or(|kind| kind.0.contains("citation"));
        let Some((wire, keys)) = url_citation(annotation) else {
            if is_citation {
                unread.get_or_insert((0, origin)).0 += 1;
            }
            continue;
        };
        let (source, chunk) = cited(shelf, response, &wire, &origin);
        numbered.push(source);
        let segment = building::offsets(keys, wire.start, wire.end);
        let nowhere = matches!((segment.start, segment.end), (None | Some(0), None | Some(0)));
        if nowhere && segment.unreadable.is_none() {
            unplaced.get_or_insert((0, origin)).0 += 1;
            continue;
        }
        let cited = Cited { chunks: chunk.into_iter().collect(), ..Cited::default() };
        let cited = (cited != Cited::default()).then(|| Box::new(cited));
        let citation = Citation { cited, ..Citation::of(Target::Source(source), Place::default()) };
        let known = *by_place.entry((segment.start, segment.end)).or_insert(response.supports.len());
        if let Some(support) = response.supports.get_mut(known) {
            support.citations.add(citation);
            continue;
        }
        response.supports.add(Support {
            origin,
            layer: Layer::UrlCitation,
            kind: AnchorKind::Marker,
            segment: Some(Segment { part: Some(0), ..segment }),
            citations: vec![citation],
            ..Support::default()
        });
    }
    if let Some((count, origin)) = unread {
        let words = plural(count, "annotation has", "annotations have");
        let words = format!("{words} no url_citation that can be read: what is cited there is not known");
        building::remark(response, RemarkKind::UnknownKind, &origin, &words);
    }
    if !response.supports.is_empty() {
        copied::claims_or_marks(response);
    } else if numbered.is_empty() {
        lists::text_markers(response, content);
    } else {
        markers::add(response, content, Notation::NUMBERS, &[], |name, _| match name {
            Name::Address(address, number) => shelf.by_address(address).or_else(|| nth(&numbered, number?)),
            Name::Number(number) => nth(&numbered, number),
        });
    }
    if let Some((count, origin)) = unplaced {
        building::unplaced(response, count, numbered.len(), &origin);
    }
}

fn nth(list: &[usize], number: u32) -> Option<usize> {
    list.get((number as usize).checked_sub(1)?).copied()
}

/// The source of an annotation, and the passage that came with it.
fn cited(
    shelf: &mut Shelf,
    response: &mut Response,
    wire: &UrlCitation,
    origin: &Origin,
) -> (usize, Option<usize>) {
    let source = Source {
        origin: origin.clone(),
        kind: SourceKind::Web,
        title: wire.title.clone(),
        uri: wire.url.clone(),
        ..Source::default()
    };
    let source = shelf.put(response, source);
    let text = wire.content.clone().filter(|text| !text.is_empty());
    let chunk = text.map(|text| shelf.passage(response, source, Chunk { text, ..Chunk::default() }));
    (source, chunk)
}

/// Perplexity: the list beside the answer, in its order; what only the search results have comes behind it,
/// and where the first of that stands that has another number there.
fn listed(
    citations: &[(String, Origin)],
    results: &[(Found, Origin)],
    response: &mut Response,
) -> Option<Origin> {
    let mut by_address: HashMap<&str, usize> = HashMap::new();
    for (uri, origin) in citations {
        by_address.entry(uri).or_insert(response.sources.len());
        let number = Some((response.sources.len() + 1).to_string());
        let uri = Some(uri.clone()).filter(|uri| !uri.is_empty());
        response.sources.add(Source {
            origin: origin.clone(),
            kind: SourceKind::Web,
            uri,
            number,
            ..Source::default()
        });
    }
    let (mut last, mut reordered, mut apart) = (0, None, None);
    for (place, (found, origin)) in results.iter().enumerate() {
        let url = found.url.as_deref().unwrap_or_default();
        let known = by_address.get(url).filter(|_| !url.is_empty()).copied();
        let known = known.filter(|&index| response.sources.get(index).is_some_and(|one| one.title.is_none()));
        let index = known.unwrap_or_else(|| {
            let number = Some((response.sources.len() + 1).to_string());
            response.sources.add(Source { origin: origin.clone(), number, ..Source::default() });
            response.sources.len() - 1
        });
        if known.is_none() && !citations.is_empty() && index != place {
            apart = apart.or(Some(origin));
        }
        if known.is_some_and(|index| index < last) {
            reordered = reordered.or(Some(origin));
        }
        last = known.unwrap_or(last);
        let Some(source) = response.sources.get_mut(index) else { continue };
        source.kind = if url.is_empty() { SourceKind::File } else { SourceKind::Web };
        source.uri = found.url.clone().filter(|url| !url.is_empty());
        source.title.clone_from(&found.title);
        let (date, date_sent) = (found.date.clone(), found.date.clone());
        source.published = Published { date, date_sent, ..Published::default() }.into();
        let text = found.snippet.clone().filter(|text| !text.is_empty());
        source.chunks.extend(text.map(|text| Chunk {
            text,
            label: Some(Label::Snippet),
            score: found.score,
            ..Chunk::default()
        }));
        source.number = found.refer.clone().or(source.number.take());
    }
    if let Some(origin) = reordered {
        let words =
            "search_results has the pages in another order than citations, by which the numbers are read";
        building::remark(response, RemarkKind::Reordered, origin, words);
    }
    apart.cloned()
}

/// Says that the lists count otherwise where marks stand: one names a page which only the search results
/// have, and not under its number there, or its number is that of another page in them.
fn named_apart(
    response: &mut Response,
    citations: &[(String, Origin)],
    results: &[(Found, Origin)],
    apart: Option<Origin>,
) {
    let targets = response.supports.iter().flat_map(|support| &support.citations);
    let mut beyond = targets.clone().filter_map(|citation| citation.target.source());
    if let Some(origin) = apart.filter(|_| beyond.any(|source| source >= citations.len())) {
        let words = "a mark has a number beyond citations, and search_results counts its pages otherwise";
        building::remark(response, RemarkKind::Reordered, &origin, words);
        return;
    }
    // Pages by their places in the search results, files and repeated ones aside.
    let mut found: HashMap<&str, usize> = HashMap::new();
    let pages = results.iter().filter_map(|(page, origin)| Some((page.url.as_deref()?, origin)));
    let pages: Vec<(&str, &Origin)> = pages
        .filter(|(url, _)| {
            let place = found.len();
            !url.is_empty() && *found.entry(url).or_insert(place) == place
        })
        .collect();
    let cited: HashSet<&str> = citations.iter().map(|(uri, _)| uri.as_str()).collect();
    // Of two pages that each list has alone neither says more.
    let differs = |source: usize| {
        let (uri, (url, origin)) = (citations.get(source)?.0.as_str(), *pages.get(source)?);
        let moved = uri != url && (found.contains_key(uri) || cited.contains(url));
        moved.then(|| (source, origin.clone()))
    };
    let named = targets.filter_map(|citation| citation.target.source()).find_map(differs);
    let is_told = response.remarks.iter().any(|remark| remark.kind == RemarkKind::Reordered);
    if let Some((source, origin)) = named.filter(|_| !is_told) {
        let words = format!(
            "[{}] is another page in search_results than in citations, by which it is read",
            source + 1
        );
        building::remark(response, RemarkKind::Reordered, &origin, &words);
    }
}

/// What annotations beside a list say of its pages, as gateways add them: titles and passages. Pages that the
/// list lacks stand behind it. What is cited goes by the marks of the text: a range without one is told, and
/// one that calls another page than its mark.
fn described(annotations: Vec<(Annotation, Origin)>, response: &mut Response) {
    let addresses = response.sources.iter().enumerate();
    let mut known: HashMap<String, usize> =
        addresses.rev().filter_map(|(number, source)| Some((source.uri.clone()?, number))).collect();
    let (mut shelf, mut placed) = (Shelf::default(), Vec::new());
    for (annotation, origin) in annotations {
        let Some((wire, _)) = url_citation(annotation) else { continue };
        let Some(uri) = wire.url.filter(|uri| !uri.is_empty()) else { continue };
        let number = *known.entry(uri.clone()).or_insert(response.sources.len());
        if number == response.sources.len() {
            let (origin, uri) = (origin.clone(), Some(uri));
            response.sources.add(Source { origin, kind: SourceKind::Web, uri, ..Source::default() });
        }
        if let Some(source) = response.sources.get_mut(number) {
            source.title = source.title.take().or(wire.title);
        }
        if let Some(text) = wire.content.filter(|text| !text.is_empty()) {
            shelf.passage(response, number, Chunk { text, ..Chunk::default() });
        }
        let range = Whole::range(wire.start.as_ref(), wire.end.as_ref()).filter(|(_, end)| *end > 0);
        placed.extend(range.map(|range| (range, number, origin)));
    }
    compare(placed, response);
}

/// Says where annotations cite what the marks of the text do not: their ranges, in characters, and sources.
fn compare(placed: Vec<((usize, usize), usize, Origin)>, response: &mut Response) {
    let units = Units::of(response.text());
    let [mut unread, mut other]: [Option<(usize, Origin)>; 2] = [None, None];
    for (range, number, origin) in placed {
        match is_marked(response, &units, range, number) {
            None => unread.get_or_insert((0, origin)).0 += 1,
            Some(false) => other.get_or_insert((0, origin)).0 += 1,
            Some(true) => {}
        }
    }
    if let Some((count, origin)) = unread {
        let words = plural(count, "annotation has a range", "annotations have ranges");
        let words =
            format!("{words} of the answer beside a list of sources: what is cited there is not read");
        building::remark(response, RemarkKind::Unread, &origin, &words);
    }
    if let Some((count, origin)) = other {
        let words = plural(count, "annotation names", "annotations name");
        let words = format!("{words} another page than the list does by the number of the mark there");
        building::remark(response, RemarkKind::Reordered, &origin, &words);
    }
}

/// Marks at a range, at most, whose pages are looked at.
const MARKS_MOST: usize = 32;

/// Whether a mark at a range of the answer, in characters, or right behind it names a source; nothing where
/// there is no mark.
fn is_marked(
    response: &Response,
    units: &Units,
    (start, end): (usize, usize),
    source: usize,
) -> Option<bool> {
    let byte = |place: usize| units.byte(Unit::Characters, place).ok();
    let (start, end) = (byte(start)?, byte(end)?);
    let mark = |support: &Support| support.own.mark.clone().unwrap_or_default();
    let from = response.supports.partition_point(|support| mark(support).end <= start);
    let there = response.supports.get(from..)?;
    let till = there.partition_point(|support| mark(support).start <= end + 1);
    let there = there.get(..till).filter(|there| !there.is_empty())?;
    let names = |citation: &Citation| citation.target.source() == Some(source);
    Some(there.len() > MARKS_MOST || there.iter().any(|support| support.citations.iter().any(names)))
}

/// Marks whose numbers count the sources from 1.
fn numbered(response: &mut Response, content: &Origin, notation: Notation) {
    let count = response.sources.len();
    let addresses: HashMap<String, usize> = response
        .sources
        .iter()
        .enumerate()
        .rev()
        .filter_map(|(index, source)| Some((source.uri.clone()?, index)))
        .collect();
    let by_number = |number: u32| (number as usize).checked_sub(1).filter(|&index| index < count);
    markers::add(response, content, notation, &[], |name, _| match name {
        Name::Number(number) => by_number(number),
        Name::Address(address, number) => addresses.get(address).copied().or_else(|| by_number(number?)),
    });
}

/// Azure OpenAI On Your Data: `[doc1]` counts the documents of the context.
fn own_data(mut context: Context, origin: &Origin, text: &Origin, response: &mut Response) {
    // Older versions put the same object into a string.
    for told in std::mem::take(&mut context.messages) {
        let inner = told.content.and_then(|json| read::<Context>(&json, &Cx::default()).ok());
        let inner = inner.unwrap_or_default();
        context.citations.extend(inner.citations);
        context.retrieved.extend(inner.retrieved);
        context.intent = context.intent.take().or(inner.intent);
    }
    let list = origin.key("citations");
    for (index, wire) in context.citations.into_iter().enumerate() {
        let source = document(wire, list.item(index), index);
        response.sources.add(source);
    }
    let intent = context.intent.unwrap_or_default();
    if intent.is_empty() && context.retrieved.is_empty() {
        return numbered(response, text, Notation { prefix: "doc", numbers: true });
    }
    let trace = Trace { origin: origin.clone(), tool: Some("retrieval".to_owned()), ..Trace::default() };
    let trace = steps::trace(response, trace);
    let texts: Vec<String> = serde_json::from_str(&intent).unwrap_or_else(|_| vec![intent]);
    for query in &texts {
        steps::query(response, trace, query, &origin.key("intent"));
    }
    let list = origin.key("allRetrievedDocuments");
    for (index, wire) in context.retrieved.into_iter().enumerate() {
        for query in &wire.queries {
            steps::query(response, trace, query, &list.item(index).key("searchQueries"));
        }
        let result = SearchResult {
            title: wire.title,
            uri: wire.url,
            document: wire.filepath,
            chunk: wire.chunk.map(|word| word.0),
            text: wire.content,
            score: wire.score.or(wire.first_score),
            status: wire.filtered,
            ..SearchResult::default()
        };
        if let Some(trace) = response.traces.get_mut(trace) {
            trace.results.add(result);
        }
    }
    numbered(response, text, Notation { prefix: "doc", numbers: true });
}

fn document(wire: Document, origin: Origin, index: usize) -> Source {
    let score = wire.score.or(wire.first_score);
    let chunk = wire.content.map(|text| Chunk {
        text,
        score,
        name: wire.chunk.map(|word| word.0),
        ..Chunk::default()
    });
    Source {
        origin,
        kind: SourceKind::Document,
        title: wire.title,
        uri: wire.url,
        document: wire.filepath,
        number: Some(format!("doc{}", index + 1)),
        chunks: chunk.into_iter().collect(),
        ..Source::default()
    }
}

/// Where the ids of a reference chunk stand.
static IDS: List = List { key: "referenceIds", leaf: "" };

/// Mistral: a reference chunk names what backs the chunk before it; neighbours are one.
fn references(chunks: Vec<(Piece, Origin, Option<usize>)>, response: &mut Response) {
    let mut shelf = Shelf::default();
    let mut last: Option<Range<usize>> = None;
    for (piece, origin, end) in chunks {
        let mark = end.unwrap_or_default()..end.unwrap_or_default();
        let ids = piece.references.into_iter().enumerate();
        let citations = ids.map(|(number, id)| {
            let source = Source {
                origin: origin.clone(),
                kind: SourceKind::Request,
                number: Some(id.0.clone()),
                id: Some(id.0),
                ..Source::default()
            };
            let place = Place { list: Some(&IDS), index: number as u32 };
            Citation::of(Target::Source(shelf.put(response, source)), place)
        });
        let citations: Vec<Citation> = citations.collect();
        if citations.is_empty() {
            continue;
        }
        match response.supports.last_mut().filter(|_| last.as_ref() == Some(&mark)) {
            Some(support) => support.citations.extend(citations),
            None => response.supports.add(Support {
                origin,
                layer: Layer::Chunk,
                kind: AnchorKind::Point,
                own: OwnPlace::mark(mark.clone()),
                citations,
                ..Support::default()
            }),
        }
        last = Some(mark);
    }
}
