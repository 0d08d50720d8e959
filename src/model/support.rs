//! Supports: segments of the answer with the citations that back them.

use std::collections::HashSet;
use std::ops::Range;

use super::seldom::absent;
use super::words::words;
use super::{Origin, Seldom};

words! {
    /// The list that a support came from.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Layer {
        /// Google's supports of segments by chunks.
        #[default]
        GroundingSupport = "groundingSupport",
        /// Citations of Discovery Engine.
        Citation = "citation",
        /// References of Bigdata.com.
        Reference = "reference",
        /// Claims of a grounding check.
        Claim = "claim",
        /// Google's older form: a chunk and a support in one.
        Attribution = "attribution",
        /// Markers in the text itself.
        Marker = "marker",
        /// A web page cited by a range of the text.
        UrlCitation = "url_citation",
        /// A file cited at a place of the text.
        FileCitation = "file_citation",
        /// A place on a map cited by a range of the text.
        PlaceCitation = "place_citation",
        /// A file that the model made, with the link to it.
        ContainerFile = "container_file_citation",
        /// The same, by its place in a list of files.
        FilePath = "file_path",
        /// A cited block of the content.
        Block = "block",
        /// A chunk of the content that names what backs the chunk before it.
        Chunk = "reference_chunk",
        /// A range of the text with its references.
        Span = "span",
        /// What backs a thought or a plan, no words of the answer.
        Thought = "thought",
    }

    /// What offsets, or the structure of the content, name.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum AnchorKind {
        /// The claim itself.
        #[default]
        Span = "span",
        /// A whole block of the content.
        Block = "block",
        /// The visible mark behind the claim.
        Marker = "marker",
        /// The place at which a mark belongs.
        Point = "point",
        /// A mark that only the text has, without offsets.
        TextMarker = "text-marker",
    }

    /// What a [`Location`] counts.
    #[non_exhaustive]
    pub enum LocationKind {
        /// Characters of the document.
        Char = "char",
        /// Pages, from 1.
        Page = "page",
        /// Blocks of the document.
        Block = "block",
        /// Chunks of the document.
        Chunk = "chunk",
    }

    /// How the trace of a citation was found, where the id alone did not do it.
    #[non_exhaustive]
    pub enum Join {
        /// Several traces have the id: the nearest before the reference.
        Nearest = "the nearest before it of several with that id",
        /// Several traces have the id, none of them before the reference: the first.
        First = "the first of several with that id, none of which comes before it",
        /// The tool's name is the trace's id.
        ToolName = "joined by the tool's name",
        /// The same, both without `_tool`.
        ToolNameStripped = "joined by the tool's name without _tool",
        /// The trace found the cited document.
        Document = "joined by the document that the trace found",
    }
}

impl Join {
    /// The trace has the id, as others have.
    pub fn is_by_id(self) -> bool {
        matches!(self, Self::Nearest | Self::First)
    }
}

/// A segment of the answer with its citations.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Support {
    /// Where it stands in the input.
    pub origin: Origin,
    /// The list it came from.
    pub layer: Layer,
    /// What its segment names.
    pub kind: AnchorKind,
    /// Where it lies, as sent; `None` where it speaks of the whole answer.
    pub segment: Option<Segment>,
    /// Its quote stands where its offsets say, but begins in a piece of the turn that came before this
    /// answer.
    pub earlier: bool,
    /// Where it stands in the answer, where more than offsets say so.
    pub own: Seldom<OwnPlace>,
    /// What a grounding check said of it.
    pub grade: Seldom<Grade>,
    /// What backs it, in the order sent.
    pub citations: Vec<Citation>,
    /// How many scores were sent, where they stand in a list of their own.
    pub scores_sent: Option<u32>,
}

/// Where a support stands in the answer, where its structure or a mark says so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnPlace {
    /// Bytes of the answer, where a marker in the text or a block places it instead of offsets.
    pub placed: Option<Range<usize>>,
    /// Bytes of the answer that are the provider's own visible mark, which exports replace by theirs; of the
    /// kinds whose claim is inferred that is what places them, where no offsets were sent.
    pub mark: Option<Range<usize>>,
}

absent!(OwnPlace);

impl OwnPlace {
    /// Placed by a block or a marker.
    pub fn placed(range: Option<Range<usize>>) -> Seldom<Self> {
        Self { placed: range, mark: None }.into()
    }

    /// With a mark of the provider's own.
    pub fn mark(range: Range<usize>) -> Seldom<Self> {
        Self { placed: None, mark: Some(range) }.into()
    }
}

/// What a grounding check says of a support.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Grade {
    /// Score of the support as a whole, 0 to 1.
    pub score: Option<f64>,
    /// Whether the service held the check necessary.
    pub check_required: Option<bool>,
}

absent!(Grade);

impl Grade {
    /// As sent.
    pub fn new(score: Option<f64>, check_required: Option<bool>) -> Seldom<Self> {
        Self { score, check_required }.into()
    }
}

/// Offsets and quote as sent. A point is a start and an end that are one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Segment {
    /// Number of the part that the offsets count in.
    pub part: Option<i64>,
    /// First unit; absent means 0.
    pub start: Option<i64>,
    /// First unit after the segment.
    pub end: Option<i64>,
    /// The words the segment is said to hold.
    pub quote: Option<String>,
    /// An offset that is no whole number, as sent: its key and its value. It is not read as 0.
    pub unreadable: Option<Box<str>>,
    /// Where the offsets stand below the support.
    pub keys: Option<&'static SegmentKeys>,
}

/// Where the offsets of a segment stand below its support: `holder.start`, `holder.end`.
#[derive(Debug, PartialEq, Eq)]
pub struct SegmentKeys {
    /// Keys of the object that holds both, with `.` between them, or nothing where the support does.
    pub holder: &'static str,
    /// Key of the start.
    pub start: &'static str,
    /// Key of the end.
    pub end: &'static str,
    /// They are numbers in strings (an int64 in proto3 JSON).
    pub text: bool,
}

/// Support to source. Kept small: a long answer has a hundred thousand of them.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Citation {
    /// What is cited.
    pub target: Target,
    /// Confidence in this citation, 0 to 1, as the provider gave it.
    pub score: Option<f64>,
    /// Where it stands below its support.
    pub place: Place,
    /// The step that found the source, where the format tells.
    pub link: Option<Box<Link>>,
    /// What of the source it names.
    pub cited: Option<Box<Cited>>,
}

/// What of a source a citation names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cited {
    /// Title as sent with the citation, where it is not that of the source.
    pub title: Option<String>,
    /// Indices into the chunks of the source.
    pub chunks: Vec<usize>,
    /// Where it stands in the source.
    pub location: Option<Location>,
}

/// A place in a source, as sent: says nothing about the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// What it counts.
    pub kind: LocationKind,
    /// First one.
    pub start: Option<i64>,
    /// First one after it.
    pub end: Option<i64>,
    /// Number of the document in the request.
    pub document: Option<i64>,
}

/// Citation to trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// The trace that found the source.
    pub trace: Option<usize>,
    /// How the trace was found, where the id alone did not do it.
    pub joined: Option<Join>,
    /// Name of the tool.
    pub tool: Option<String>,
    /// The trace id as sent.
    pub audit: Option<String>,
}

/// What a citation points at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// A source, by its index.
    Source(usize),
    /// The result of a tool as a whole, by the index of its source of kind `tool`. Normal, not a fault.
    Tool(usize),
    /// Nothing: the index as sent.
    Dangling(Box<str>),
}

/// A place below a support: an element of a list, or the support itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The list.
    pub list: Option<&'static List>,
    /// The element.
    pub index: u32,
}

/// A list below a support: `key[index].leaf`.
#[derive(Debug, PartialEq, Eq)]
pub struct List {
    /// Key of the list.
    pub key: &'static str,
    /// Key below the element, or nothing.
    pub leaf: &'static str,
}

impl Place {
    /// The place in the input, given that of the support.
    pub fn below(self, support: &Origin) -> Origin {
        let Some(list) = self.list else { return support.clone() };
        let element = support.key(list.key).item(self.index as usize);
        if list.leaf.is_empty() { element } else { element.key(list.leaf) }
    }
}

impl Citation {
    /// A citation of which only the target is known.
    pub fn of(target: Target, place: Place) -> Self {
        Self { target, score: None, place, link: None, cited: None }
    }
}

impl Citation {
    /// The index as sent; of a tool-level citation there is none.
    pub fn index(&self) -> Option<i64> {
        match &self.target {
            Target::Source(index) => Some(*index as i64),
            Target::Tool(_) => None,
            Target::Dangling(sent) => sent.parse().ok(),
        }
    }

    /// The trace that found the source.
    pub fn trace(&self) -> Option<usize> {
        self.link.as_ref()?.trace
    }

    /// How the trace was found, where the id alone did not do it.
    pub fn joined(&self) -> Option<Join> {
        self.link.as_ref()?.joined
    }

    /// Name of the tool.
    pub fn tool(&self) -> Option<&str> {
        self.link.as_ref()?.tool.as_deref()
    }

    /// The trace id as sent.
    pub fn audit(&self) -> Option<&str> {
        self.link.as_ref()?.audit.as_deref()
    }

    /// Chunks of the source that it names, as indices.
    pub fn chunks(&self) -> &[usize] {
        self.cited.as_ref().map_or(&[], |cited| &cited.chunks)
    }
}

impl Target {
    /// Index of the source, of either kind.
    pub fn source(&self) -> Option<usize> {
        match self {
            Self::Source(index) | Self::Tool(index) => Some(*index),
            Self::Dangling(_) => None,
        }
    }
}

/// Citations among which one is found as quickly by looking at all.
const FEW: usize = 32;

impl Support {
    /// Sources that the support cites, each once, in the order sent.
    pub fn cited(&self) -> Vec<usize> {
        let all = self.citations.iter().filter_map(|citation| citation.target.source());
        if self.citations.len() > FEW {
            let mut seen = HashSet::new();
            return all.filter(|source| seen.insert(*source)).collect();
        }
        let mut sources = Vec::with_capacity(self.citations.len());
        for source in all {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        sources
    }

    /// Whether its words rest on what it cites: a link to a file that the model made backs no claim.
    pub fn backs_claim(&self) -> bool {
        !matches!(self.layer, Layer::ContainerFile | Layer::FilePath)
    }

    /// Whether what was sent names a mark, so that the claim is inferred.
    pub fn is_inferred(&self) -> bool {
        matches!(self.kind, AnchorKind::Marker | AnchorKind::Point | AnchorKind::TextMarker)
    }

    /// Whether a citation resolves to something.
    pub fn resolves(&self) -> bool {
        self.citations.iter().any(|citation| citation.target.source().is_some())
    }
}
