//! Supports with their segments and citations.

use std::ops::Range;

use super::reader::{Reader, owned};
use super::results::{Anchor, Evidence};
use super::values::{Sent, Text, text};
use super::{Count, Derived, List, Must, Only, Pair, Said, form};
use crate::model::{
    self, AnchorKind, Cited, Grade, Join, Label, Layer, Link, LocationKind, Origin, OwnPlace, Place,
    Response, SegmentKeys, Target, words,
};

words! {
    /// What a citation points at.
    pub enum Kind {
        /// A source.
        Source = "source",
        /// The result of a tool as a whole.
        Tool = "tool",
        /// Nothing.
        Dangling = "dangling",
    }
}

form! {
    /// A segment of the answer with the citations that back it
    pub struct Support<'a> {
        /// Number in the order sent
        index: Derived<Count> = "index";
        /// First byte of `answer` (UTF-8); null where there is no place
        start: Derived<Option<Count>> = "start";
        /// First byte of `answer` after the segment; null where there is no place
        end: Derived<Option<Count>> = "end";
        /// How it came to its place
        anchor: Derived<Anchor<'a>> = "anchor";
        /// The segment as sent
        sent: Must<Segment<'a>> = "sent";
        /// Bytes of `answer` where a marker in the text or a block places the support instead of offsets:
        /// start, end; null elsewhere
        placed: Pair = "placed";
        /// Only where its quote stands where its offsets say, but begins in a piece of the turn that came
        /// before `answer`: true
        earlier: Only<bool> = "earlier";
        /// Only where the text has a visible mark of the provider's own and no offsets name it: its bytes of
        /// `answer`
        mark: Only<List<'a, Count>> = "mark";
        /// What its segment names: `span`: the claim; `block`: a block of the content; `marker`: a visible
        /// mark behind the claim; `point`: the place where a mark belongs; `text-marker`: a mark that only
        /// the text has. Of the last three the claim is inferred
        kind: Must<Said<'a, AnchorKind>> = "kind", added;
        /// The list it came from
        origin: Must<Said<'a, Layer>> = "origin";
        /// Score of the support as a whole, 0 to 1 as the provider gave it; null where not given
        score: Option<f64> = "score";
        /// Whether the service held a grounding check necessary; null where not sent
        check_required: Option<bool> = "check_required";
        /// How many scores were sent, where they stand in a list of their own; null elsewhere
        scores_sent: Option<Count> = "scores_sent";
        /// What backs it, in the order sent
        citations: List<'a, Citation<'a>> = "citations";
        /// What was compared; null where there was nothing to compare: a claim without words, or one that
        /// needs no grounding
        evidence: Derived<Option<Evidence<'a>>> = "evidence";
    }

    /// The segment as sent
    @inline pub struct Segment<'a> {
        /// Whether a segment was sent at all
        given: Must<bool> = "given";
        /// Of a point where it lies, in the provider's unit, and start and end are null; null elsewhere
        index: Option<i64> = "index", added;
        /// Start, in the provider's unit; null where not sent, which providers mean as 0
        start: Option<i64> = "start";
        /// End, in the provider's unit; null where not sent
        end: Option<i64> = "end";
        /// Number of the part; null where not sent
        part: Option<i64> = "part";
        /// The words of the segment; null where not sent
        quote: Option<Text<'a>> = "quote";
        /// Only where an offset is no whole number: its key and what was sent
        unreadable: Only<Text<'a>> = "unreadable";
    }

    /// Support to source
    pub struct Citation<'a> {
        /// `source`; `tool`: the result of a tool as a whole, normal; `dangling`: nothing is there under the
        /// index
        kind: Must<Said<'a, Kind>> = "kind";
        /// Index into `sources`; null where dangling
        source: Option<Count> = "source";
        /// Confidence, 0 to 1 as the provider gave it; null where not given
        score: Option<f64> = "score";
        /// Id of the trace that found the source, as sent, else as the trace has it; null where unknown
        trace: Derived<Option<Text<'a>>> = "trace";
        /// Name of the tool; null where not sent
        tool: Option<Text<'a>> = "tool";
        /// Only where dangling: the index as sent, as text where it is not a plain whole number
        sent_index: Only<Sent<'a>> = "sent_index";
        /// Index into `traces`; null where no trace was found
        trace_index: Option<Count> = "trace_index";
        /// How the trace was found, where the id alone did not do it; null elsewhere
        joined: Option<Text<'a>> = "joined";
        /// The trace id exactly as sent with the citation; null where not sent
        audit: Option<Text<'a>> = "audit";
        /// Words of the source that came with the citation; null where none did
        quote: Derived<Option<Text<'a>>> = "quote", added;
        /// The chunks of the source that it names, by their indices
        chunks: List<'a, Count> = "chunks", added;
        /// Where in the source; null where not sent
        location: Option<Location<'a>> = "location", added;
        /// The title sent with it, where it is not that of the source; null elsewhere
        title: Option<Text<'a>> = "title", added;
    }

    /// A place in a source, as sent
    @inline pub struct Location<'a> {
        /// What it counts; pages from 1
        kind: Must<Said<'a, LocationKind>> = "kind";
        /// First one; null where not sent
        start: Option<i64> = "start";
        /// First one after it; null where not sent
        end: Option<i64> = "end";
        /// Number of the document in the request; null where not sent
        document: Option<i64> = "document";
    }
}

/// Where a citation stands.
static CITATIONS: model::List = model::List { key: "citations", leaf: "" };

/// Where the offsets of a segment stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "sent", start: "start", end: "end", text: false };

/// Where that of a point stands.
static POINT: SegmentKeys = SegmentKeys { holder: "sent", start: "index", end: "index", text: false };

impl<'a> Support<'a> {
    /// A support as it is written, without what was worked out of it.
    pub fn of(number: usize, support: &'a model::Support, response: &'a Response) -> Self {
        let segment = support.segment.as_ref();
        let (is_point, is_range) = (support.kind == AnchorKind::Point, support.kind != AnchorKind::Point);
        Self {
            index: Count::of(number).into(),
            sent: Segment {
                given: segment.is_some().into(),
                index: segment.filter(|_| is_point).and_then(|segment| segment.start),
                start: segment.filter(|_| is_range).and_then(|segment| segment.start),
                end: segment.filter(|_| is_range).and_then(|segment| segment.end),
                part: segment.and_then(|segment| segment.part),
                quote: segment.and_then(|segment| text(&segment.quote)),
                unreadable: Only(segment.and_then(|segment| segment.unreadable.as_deref()).map(Text::from)),
            }
            .into(),
            placed: Pair::of(support.own.placed.as_ref()),
            earlier: Only(support.earlier.then_some(true)),
            mark: Only(
                support
                    .own
                    .mark
                    .as_ref()
                    .map(|mark| List::of(|| [mark.start, mark.end].map(Count::of).into_iter())),
            ),
            kind: support.kind.into(),
            origin: support.layer.into(),
            score: support.grade.score,
            check_required: support.grade.check_required,
            scores_sent: support.scores_sent.map(|scores| Count::of(scores as usize)),
            citations: List::of(|| support.citations.iter().map(|citation| Citation::of(citation, response))),
            ..Self::default()
        }
    }

    fn read(self, origin: Origin, answer: &str, sources: usize, reader: &mut Reader) -> model::Support {
        let citations = self.citations.into_vec().into_iter().enumerate();
        let placed = placed(&self.placed, answer, reader);
        let mark = self.mark.0.and_then(|mark| {
            let pair = mark.into_vec();
            let &[start, end] = pair.as_slice() else { return None };
            let range = start.index()..end.index();
            let lies = answer.get(range.clone()).is_some();
            if !lies {
                reader.nowhere("mark", format_args!("{}..{}", range.start, range.end));
            }
            lies.then_some(range)
        });
        model::Support {
            origin,
            layer: reader.word("origin of a support", self.origin.0).unwrap_or_default(),
            kind: reader.word("kind of a support", self.kind.0).unwrap_or_default(),
            segment: self.sent.0.and_then(Segment::read),
            own: OwnPlace { placed, mark }.into(),
            earlier: self.earlier.0 == Some(true),
            grade: Grade::new(self.score, self.check_required),
            citations: citations.map(|(number, citation)| citation.read(number, sources, reader)).collect(),
            scores_sent: self.scores_sent.map(|scores| u32::try_from(scores.index()).unwrap_or(u32::MAX)),
        }
    }
}

fn placed(sent: &Pair, answer: &str, reader: &mut Reader) -> Option<Range<usize>> {
    let &[start, end] = sent.0.as_slice() else { return None };
    let index = |sent: i64| usize::try_from(sent).unwrap_or_default();
    if answer.get(index(start)..index(end)).is_some() {
        return Some(index(start)..index(end));
    }
    reader.nowhere("placed", format_args!("{start}..{end}"));
    None
}

impl Segment<'_> {
    fn read(self) -> Option<model::Segment> {
        let point = self.index;
        let any = point.is_some()
            || self.start.is_some()
            || self.end.is_some()
            || self.part.is_some()
            || self.quote.is_some();
        self.given.0.unwrap_or(any).then(|| model::Segment {
            part: self.part,
            start: point.or(self.start),
            end: point.or(self.end),
            quote: owned(self.quote),
            unreadable: self.unreadable.0.map(|sent| sent.into_owned().into()),
            keys: Some(if point.is_some() { &POINT } else { &OFFSETS }),
        })
    }
}

impl<'a> Citation<'a> {
    fn of(citation: &'a model::Citation, response: &'a Response) -> Self {
        let trace = citation.trace().and_then(|trace| response.traces.get(trace));
        let cited = citation.cited.as_deref();
        let (kind, sent) = match &citation.target {
            Target::Source(_) => (Kind::Source, None),
            Target::Tool(_) => (Kind::Tool, None),
            Target::Dangling(sent) => (Kind::Dangling, Some(Sent((&**sent).into()))),
        };
        Self {
            kind: kind.into(),
            source: citation.target.source().map(Count::of),
            score: citation.score,
            trace: citation.audit().or(trace.and_then(|trace| trace.id.as_deref())).map(Text::from).into(),
            tool: citation.tool().map(Text::from),
            sent_index: Only(sent),
            trace_index: citation.trace().map(Count::of),
            joined: citation.joined().map(|joined| joined.word().into()),
            audit: citation.audit().map(Text::from),
            quote: quote(citation, response).into(),
            chunks: List::of(move || {
                let chunks = cited.map(|cited| cited.chunks.as_slice()).unwrap_or_default();
                chunks.iter().copied().map(Count::of)
            }),
            location: cited.and_then(|cited| cited.location).map(|location| Location {
                kind: location.kind.into(),
                start: location.start,
                end: location.end,
                document: location.document,
            }),
            title: cited.and_then(|cited| text(&cited.title)),
        }
    }

    fn read(self, number: usize, sources: usize, reader: &mut Reader) -> model::Citation {
        let index = |sent: Count| usize::try_from(sent.sent()).ok();
        let source = self.source.and_then(index).filter(|&source| source < sources);
        let target = match (source, self.kind.0.and_then(|kind| kind.member())) {
            (Some(source), Some(Kind::Tool)) => Target::Tool(source),
            (Some(source), _) => Target::Source(source),
            (None, _) => {
                let sent = self.sent_index.0.map(|sent| sent.0.into_owned());
                let sent = sent.or(self.source.map(|source| source.sent().to_string()));
                Target::Dangling(sent.unwrap_or_else(|| "null".to_owned()).into())
            }
        };
        let link = Link {
            trace: self.trace_index.and_then(index),
            joined: reader.word::<Join>("joined", self.joined.map(Said::text_of)),
            tool: owned(self.tool),
            audit: owned(self.audit),
        };
        let place = Place { list: Some(&CITATIONS), index: number as u32 };
        let link = (link != Link::default()).then(|| Box::new(link));
        let chunks = self.chunks.into_vec();
        let cited = Cited {
            title: owned(self.title),
            chunks: chunks.into_iter().filter_map(index).collect(),
            location: self.location.and_then(|location| {
                Some(model::Location {
                    kind: reader.word("kind of a location", location.kind.0)?,
                    start: location.start,
                    end: location.end,
                    document: location.document,
                })
            }),
        };
        let cited = (cited != Cited::default()).then(|| Box::new(cited));
        model::Citation { score: self.score, link, cited, ..model::Citation::of(target, place) }
    }
}

/// The words of the source that came with a citation.
fn quote<'a>(citation: &model::Citation, response: &'a Response) -> Option<Text<'a>> {
    let source = response.sources.get(citation.target.source()?)?;
    let chunks = citation.cited.as_deref()?.chunks.iter().filter_map(|&chunk| source.chunks.get(chunk));
    let mut quoted = chunks.filter(|chunk| chunk.label == Some(Label::CitedText));
    quoted.next().map(|chunk| Text::from(&chunk.text))
}

impl Reader<'_> {
    /// The supports of an answer with so many sources.
    pub fn supports(
        &mut self,
        list: List<'_, Support<'_>>,
        answer: &str,
        sources: usize,
    ) -> Vec<model::Support> {
        let base = self.origin.key("supports");
        let list = list.into_vec().into_iter().enumerate();
        list.map(|(number, support)| support.read(base.item(number), answer, sources, self)).collect()
    }
}
