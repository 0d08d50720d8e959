//! Google's grounding metadata where no format looks for it: SDKs and gateways carry it along in objects of
//! their own (`providerMetadata.google`, `extra_content.google`, `provider_specific_fields`, `custom`), or
//! make annotations of it, which leave out what leads nowhere.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::memmem;

use super::building::{self, Bounded};
use super::google::{self, GroundingMetadata};
use super::interface::{Format, read};
use super::registry::is_redirect;
use crate::json::scalars::scalars;
use crate::json::{Cx, Locator, Peek, camel};
use crate::model::{
    AnchorKind, Grounding, Layer, Origin, Part, Path, RemarkKind, Response, Segment, Source, Step, Support,
    Target, Unit,
};

/// How the list of supports is spelled.
const SPELLED: [&str; 2] = ["groundingSupports", "grounding_supports"];

/// The list that a gateway puts beside the choices.
const LITELLM: [&str; 2] = ["vertexAiGroundingMetadata", "vertex_ai_grounding_metadata"];

/// How both end, with the quote behind the key.
const END: &[u8] = b"upports\"";

/// Places that are looked at, the last ones of a record.
const MOST: usize = 16;

/// Gives responses that have words and no supports those of metadata of the same frames whose quotes are
/// words of theirs, or which stands beside theirs alone; those that have others only what of it is wrong.
pub fn adopt(format: &Format, responses: &mut [Response], frames: &[&str], cx: &Cx) {
    let lacks = |response: &Response| {
        // Formats of Google's look for it themselves, where it is documented to be.
        let has = match format.vendor {
            "Google" => response.grounding != Grounding::Absent || !response.supports.is_empty(),
            _ => response.supports.first().is_some_and(|support| support.layer == Layer::GroundingSupport),
        };
        !has && !response.text().is_empty()
    };
    if !responses.iter().any(lacks) {
        return;
    }
    let mut places: Vec<Origin> = Vec::new();
    for (number, frame) in frames.iter().enumerate().rev() {
        if places.len() >= MOST {
            break;
        }
        places.extend(metadata_of(frame).into_iter().map(|path| Origin { frame: number as u32, path }));
    }
    let lacking: Vec<bool> = responses.iter().map(lacks).collect();
    // What holds for all of a response holds alone; else each part of it may have its own.
    let mut done: HashSet<(usize, Option<usize>)> = HashSet::new();
    for origin in places.into_iter().take(MOST) {
        let Some(frame) = frames.get(origin.frame as usize) else { continue };
        let number = owner(responses, &origin).filter(|number| lacking.get(*number) == Some(&true));
        let Some(number) = number.filter(|number| !done.contains(&(*number, None))) else { continue };
        let Some(response) = responses.get_mut(number) else { continue };
        let Some(located) = Locator::default().locate(frame, &origin.path) else { continue };
        let text = frame.get(located.value.clone()).unwrap_or_default();
        let Ok(metadata) = read::<GroundingMetadata>(text, cx) else { continue };
        let place = Place::new(&origin, frame, located.value);
        match place.whose(response, &metadata, frames.len()) {
            _ if cx.is_overdrawn() => tell(response, &origin, "it is too large to be looked at"),
            Whose::Others => {}
            Whose::Unknown => tell(response, &origin, "nothing says that it is of this answer"),
            Whose::Answer(part) => {
                let known = |(of, known): &(_, _)| *of == number && (part.is_none() || *known == part);
                if !done.iter().any(known) {
                    take(response, metadata, &origin, part);
                    done.insert((number, part));
                }
            }
        }
    }
}

/// Says of a response without supports that metadata is not read, and why.
fn tell(response: &mut Response, origin: &Origin, why: &str) {
    if response.supports.is_empty() {
        let words = format!("grounding metadata where none is documented: {why}");
        building::remark(response, RemarkKind::Unread, origin, &words);
    }
}

/// Keys below which stands what was asked, what was said before, and what tools gave back.
const OF_OTHERS: &[&str] = &[
    "artifact",
    "automaticFunctionCallingHistory",
    "chatHistory",
    "contents",
    "conversation",
    "functionResponse",
    "history",
    "input",
    "inputs",
    "messages",
    "prompt",
    "request",
    "requestBody",
    "stateDelta",
    "toolResult",
    "toolResults",
];

/// How such keys begin.
const OF_FORMER: &[&str] = &["cache", "draft", "previous"];

/// What the events of a stream are called that are of tools and thoughts.
const ASIDE: &[&str] = &["tool", "function", "reasoning", "thinking"];

/// How the events of a stream are called that end a text or all of it.
const ENDS: &[&str] = &["finish", "message", "text"];

/// Whose metadata is.
enum Whose {
    /// The answer's, or that of one of its parts.
    Answer(Option<usize>),
    /// That of something else that was said.
    Others,
    Unknown,
}

/// A place with metadata.
struct Place<'a> {
    origin: &'a Origin,
    steps: Vec<Step>,
    /// The frame that it stands in, and where.
    frame: &'a str,
    range: Range<usize>,
}

impl<'a> Place<'a> {
    fn new(origin: &'a Origin, frame: &'a str, range: Range<usize>) -> Self {
        let mut steps = origin.path.steps();
        // Some make a list of it.
        let after = frame.get(range.end..).unwrap_or_default().trim_start();
        if let [.., Step::Key(list), Step::Index(0)] = steps.as_slice()
            && list.to_ascii_lowercase().ends_with("metadata")
            && after.starts_with(']')
        {
            steps.pop();
        }
        Self { origin, steps, frame, range }
    }

    /// Whose metadata is of a response that came in so many frames.
    fn whose(&self, response: &Response, metadata: &GroundingMetadata, frames: usize) -> Whose {
        let own = response.origin.path.steps();
        let beyond = self.steps.get(shared(&own, &self.steps)..).unwrap_or_default();
        let is_of_others = |step: &Step| {
            let Step::Key(key) = step else { return false };
            let key = camel(key);
            OF_OTHERS.contains(&key.as_ref()) || OF_FORMER.iter().any(|begin| key.starts_with(begin))
        };
        let event = self.event().filter(|_| frames > 1).unwrap_or_default();
        if beyond.iter().any(is_of_others) || ASIDE.iter().any(|aside| event.contains(aside)) {
            return Whose::Others;
        }
        // Pieces of a stream are parts of the answer, which no text says as a whole.
        let is_whole = response.origin.frame == self.origin.frame && frames == 1;
        if is_whole && quotes(metadata).next().is_some_and(|quote| self.is_nearer_to_others(response, quote))
        {
            return Whose::Others;
        }
        let several = words(response).nth(1).is_some();
        let (block, ended) = (self.block(response), self.ended(response, metadata));
        // The quotes of another answer are none of this one.
        let is_quoted = quotes(metadata).any(|quote| response.text().contains(quote));
        let is_behind = || frames > 1 && self.is_behind(&own) && (ended.is_some() || !several);
        if is_quoted || block.is_some() || self.is_beside(response, &own) || is_behind() {
            return Whose::Answer(block.or(ended).filter(|_| several));
        }
        Whose::Unknown
    }

    /// The part of the answer whose words are those of the element of a list that metadata stands in.
    fn block(&self, response: &Response) -> Option<usize> {
        let element = self.steps.iter().rposition(|step| matches!(step, Step::Index(_)))?;
        let path = Path::from_steps(self.steps.get(..=element)?).key("text");
        let located = Locator::default().locate(self.frame, &path)?;
        let text: String = serde_json::from_str(self.frame.get(located.value)?).ok()?;
        words(response).find(|(_, words)| *words == text).map(|(number, _)| number)
    }

    /// The part that an event ends: the only one that has the quotes.
    fn ended(&self, response: &Response, metadata: &GroundingMetadata) -> Option<usize> {
        self.event().filter(|kind| kind.starts_with("text"))?;
        let quotes: Vec<&str> = quotes(metadata).collect();
        let mut own = words(response).filter(|(_, words)| quotes.iter().all(|quote| words.contains(quote)));
        let (number, _) = own.next()?;
        own.next().is_none().then_some(number)
    }

    fn event(&self) -> Option<String> {
        Peek::of(self.frame, &["type"]).word("type")
    }

    /// Its path behind that of its response, if it lies inside.
    fn beyond(&self, own: &[Step]) -> &[Step] {
        self.steps.strip_prefix(own).unwrap_or(&self.steps)
    }

    /// Whether it is in a frame of a stream that ends what was said, in no list of several things.
    fn is_behind(&self, own: &[Step]) -> bool {
        let ends = |kind: String| ENDS.iter().any(|end| kind.starts_with(end));
        is_direct(self.beyond(own)) && self.event().is_none_or(ends)
    }

    /// Whether it stands beside the response alone: in no list of several things but that of `LiteLLM`.
    fn is_beside(&self, response: &Response, own: &[Step]) -> bool {
        if let [Step::Key(list), Step::Index(_)] = self.steps.as_slice() {
            return LITELLM.contains(&list.as_str());
        }
        response.origin.frame == self.origin.frame && is_direct(self.beyond(own))
    }

    /// Whether of all texts of the frame with a quote, those nearest to the metadata are none of the answer.
    fn is_nearer_to_others(&self, response: &Response, quote: &str) -> bool {
        let answers =
            |text: &str| words(response).any(|(_, words)| words.contains(quote) && text.contains(words));
        let mut nearest: Option<(usize, bool)> = None;
        scalars(self.frame, |path, scalar: Range<usize>| {
            let sent = self.frame.get(scalar.clone()).unwrap_or_default();
            if !sent.starts_with('"') || self.range.contains(&scalar.start) || sent.len() < quote.len() {
                return;
            }
            let text = serde_json::from_str::<String>(sent).ok().filter(|text| text.contains(quote));
            let Some(text) = text else { return };
            let path = path().steps();
            // Other metadata says it of an answer.
            if path.iter().any(is_list) {
                return;
            }
            let near = shared(&path, &self.steps);
            let is_own = answers(&text);
            match &mut nearest {
                Some((known, _)) if near < *known => {}
                Some((known, own)) if near == *known => *own |= is_own,
                _ => nearest = Some((near, is_own)),
            }
        });
        nearest.is_some_and(|(_, is_own)| !is_own)
    }
}

/// How many steps two paths share.
fn shared(one: &[Step], other: &[Step]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// The paths of the metadata objects of a frame that have supports, those near its root first.
fn metadata_of(frame: &str) -> Vec<Path> {
    let bytes = frame.as_bytes();
    let ends = memmem::find_iter(bytes, END).map(|at| at + END.len() - 1);
    let is_key = |end: &usize| {
        SPELLED.iter().any(|key| bytes.get(..*end).is_some_and(|before| before.ends_with(key.as_bytes())))
    };
    let mut keys = ends.filter(is_key).take(MOST).peekable();
    if keys.peek().is_none() {
        return Vec::new();
    }
    let mut paths: Vec<Vec<Step>> = Vec::new();
    // The first scalar behind the key stands below it.
    scalars(frame, |path, scalar: Range<usize>| {
        if keys.peek().is_none_or(|key| scalar.start < *key) {
            return;
        }
        while keys.next_if(|key| *key <= scalar.start).is_some() {}
        let steps = path().steps();
        if let Some(above) = steps.iter().rposition(is_list).and_then(|at| steps.get(..at))
            && !paths.iter().any(|known| known == above)
        {
            paths.push(above.to_vec());
        }
    });
    paths.sort_by_key(Vec::len);
    paths.iter().map(|steps| Path::from_steps(steps)).collect()
}

/// Whether a path leads into no list.
fn is_direct(steps: &[Step]) -> bool {
    steps.iter().all(|step| matches!(step, Step::Key(_)))
}

/// Whether this leads into a list of supports.
fn is_list(step: &Step) -> bool {
    matches!(step, Step::Key(key) if SPELLED.contains(&key.as_str()))
}

/// The number of the response that a place lies in, or of the only one.
fn owner(responses: &[Response], origin: &Origin) -> Option<usize> {
    let steps = origin.path.steps();
    let inside = |response: &Response| {
        let own = response.origin.path.steps();
        !own.is_empty() && steps.starts_with(&own)
    };
    if responses.len() == 1 {
        return Some(0);
    }
    // Events of a list, each a response of its own.
    let alone = || {
        let mut here =
            responses.iter().enumerate().filter(|(_, response)| response.origin.frame == origin.frame);
        let (number, response) = here.next()?;
        (here.next().is_none() && response.origin.path.steps().is_empty()).then_some(number)
    };
    responses.iter().position(inside).or_else(alone)
}

/// The first quotes of metadata.
fn quotes(metadata: &GroundingMetadata) -> impl Iterator<Item = &str> {
    let sent = metadata.supports.iter().filter_map(|support| support.segment.as_ref()?.0.text.as_deref());
    sent.filter(|quote| !quote.is_empty()).take(MOST)
}

/// The parts of an answer that have words.
fn words(response: &Response) -> impl Iterator<Item = (usize, &str)> {
    response.parts.iter().enumerate().filter_map(|(number, part)| {
        let Part::Text(range) = part else { return None };
        let words = response.text().get(range.clone()).filter(|words| !words.is_empty())?;
        Some((number, words))
    })
}

/// Adds supports of metadata and their sources; of a response that has others those that are wrong.
fn take(response: &mut Response, metadata: GroundingMetadata, origin: &Origin, part: Option<usize>) {
    let known = std::mem::take(&mut response.sources);
    let others = std::mem::take(&mut response.supports);
    google::metadata(response, &mut google::Sent::default(), metadata, origin);
    let new = std::mem::replace(&mut response.sources, known);
    let mut found = std::mem::replace(&mut response.supports, others);
    for segment in found.iter_mut().filter_map(|support| support.segment.as_mut()) {
        segment.part = segment.part.or(part.map(|part| part as i64));
    }
    if response.supports.iter().all(|support| support.layer == Layer::GroundingSupport) {
        response.unit = Unit::Bytes;
    } else {
        let mut budget = SEARCHED;
        found.retain_mut(|support| is_wrong(support, response.text(), &mut budget));
        if found.is_empty() {
            return;
        }
    }
    let numbers = add_sources(response, new);
    for citation in found.iter_mut().flat_map(|support| &mut support.citations) {
        if let Target::Source(index) = &mut citation.target {
            *index = numbers.get(*index).copied().unwrap_or(*index);
        }
    }
    response.supports.extend(found);
    for source in &mut response.sources {
        source.redirect = source.uri.as_deref().is_some_and(is_redirect);
    }
    google::join_flags(response);
}

/// Bytes of an answer that are searched, over all quotes.
const SEARCHED: usize = 64 << 20;

/// Whether a support cites what is not there, or words that are none of the answer. Offsets of the supports
/// beside it may count otherwise, so that its place is that of its words.
fn is_wrong(support: &mut Support, text: &str, budget: &mut usize) -> bool {
    let dangles = support.citations.iter().any(|citation| matches!(citation.target, Target::Dangling(_)));
    let Some(segment) = support.segment.take() else { return dangles };
    let offset = |offset: Option<i64>| usize::try_from(offset.unwrap_or_default()).ok();
    let sent = offset(segment.start).zip(offset(segment.end)).map(|(start, end)| start..end);
    let words = sent.clone().and_then(|range| text.get(range));
    let Some(quote) = segment.quote.as_deref().filter(|quote| !quote.is_empty() && words != Some(*quote))
    else {
        (support.kind, support.own.placed) = (AnchorKind::Block, sent.filter(|_| words.is_some()));
        return dangles;
    };
    let at = text.find(quote);
    // What is not looked for is taken to be there.
    let left = budget.checked_sub(at.unwrap_or(text.len()));
    *budget = left.unwrap_or_default();
    if at.is_none() {
        support.segment = Some(Segment { start: None, end: None, ..segment });
        return dangles || left.is_some();
    }
    (support.kind, support.own.placed) = (AnchorKind::Block, at.map(|at| at..at + quote.len()));
    dangles
}

/// Adds sources, those that the response has already once; the numbers that they have there.
fn add_sources(response: &mut Response, new: Vec<Source>) -> Vec<usize> {
    let numbered = response.sources.iter().enumerate().rev();
    let by_address: HashMap<String, usize> =
        numbered.filter_map(|(number, known)| Some((known.uri.clone()?, number))).collect();
    let mut numbers = Vec::with_capacity(new.len());
    for source in new {
        let known = source.uri.as_ref().and_then(|uri| by_address.get(uri)).copied();
        numbers.push(known.unwrap_or(response.sources.len()));
        match known.and_then(|known| response.sources.get_mut(known)) {
            Some(known) if known.chunks.is_empty() => known.chunks = source.chunks,
            Some(_) => {}
            None => response.sources.add(source),
        }
    }
    numbers
}
