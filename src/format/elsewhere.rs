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
    AnchorKind, Grounding, JsonText, Layer, Origin, Part, Path, RemarkKind, Response, Segment, Source, Step,
    Support, Target, Unit,
};

/// How the list of supports is spelled.
const SPELLED: [&str; 2] = ["groundingSupports", "grounding_supports"];

/// The list that a gateway puts beside the choices.
const LITELLM: [&str; 2] = ["vertexAiGroundingMetadata", "vertex_ai_grounding_metadata"];

/// How both end, with the quote behind the key.
const END: &[u8] = b"upports\"";

/// Places that are looked at, the last ones of a record.
const MOST: usize = 16;

/// Bytes of an answer up to which it is looked at for blocks.
const BLOCKS: usize = 256 << 10;

/// How a list of blocks begins as Python writes it, and what one of its dictionaries says.
const PYTHON: [&str; 3] = ["[TextBlock(", "[ThinkingBlock(", "[ResponseOutput"];
const PYTHON_KINDS: [&str; 2] = ["'type': 'text'", "'type': 'output_text'"];

/// Remarks on an answer that is a list of blocks, written as JSON or as Python does: what they cite is in no
/// field.
pub fn note_blocks(responses: &mut [Response]) {
    let words = "the answer is a list of blocks written as a text, and what they cite is not read";
    for response in responses {
        let text = response.text().trim_start();
        // Our own form carries it along.
        if holds_blocks(text) && response.remarks.iter().all(|remark| &*remark.text != words) {
            let origin = response.origin.clone();
            building::remark(response, RemarkKind::Mistyped, &origin, words);
        }
    }
}

fn holds_blocks(text: &str) -> bool {
    if !text.starts_with(['[', '{']) || text.len() > BLOCKS {
        return false;
    }
    let is_dictionary = text.starts_with("[{'") || text.starts_with("{'");
    if PYTHON.iter().any(|begin| text.starts_with(begin))
        || is_dictionary && PYTHON_KINDS.iter().any(|kind| text.contains(kind))
    {
        return true;
    }
    let is_text = |block: &JsonText| {
        let kind = block.get("type").and_then(|kind| kind.to_text());
        kind.is_some_and(|kind| ["text", "output_text"].contains(&kind.as_str()))
            && block.get("text").is_some()
    };
    JsonText::parsed(text)
        .is_some_and(|value| is_text(&value) || value.elements().any(|block| is_text(&block)))
}

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
        if is_said_elsewhere(response, &origin, (frame, frames.len()), &located.value, cx) {
            continue;
        }
        if let Ok(metadata) = read::<GroundingMetadata>(text, cx)
            && !cx.is_overdrawn()
            && (is_of(&metadata, response.text()) || is_beside(response, &origin))
        {
            let part = part_of(response, &metadata, &origin, frame);
            let taken = done.iter().any(|(of, known)| *of == number && (part.is_none() || *known == part));
            if !taken {
                take(response, metadata, &origin, part);
                done.insert((number, part));
            }
        } else if format.vendor == "Google" && response.supports.is_empty() {
            let words = "grounding metadata where none is documented: nothing says that it is of this answer";
            building::remark(response, RemarkKind::Unread, &origin, words);
        }
    }
}

/// Keys below which stands what was asked, what was said before, and what tools gave back.
const OF_OTHERS: &[&str] = &[
    "artifact",
    "automaticFunctionCallingHistory",
    "chatHistory",
    "contents",
    "conversation",
    "drafts",
    "functionResponse",
    "history",
    "input",
    "inputs",
    "messages",
    "previous",
    "previousResponse",
    "prompt",
    "request",
    "requestBody",
    "stateDelta",
    "toolResult",
    "toolResults",
];

/// Whether metadata is of something else that was said: it stands below a key of such things, or nearer to
/// other words with a quote of it than to those of the answer.
fn is_said_elsewhere(
    response: &Response,
    origin: &Origin,
    (frame, frames): (&str, usize),
    range: &Range<usize>,
    cx: &Cx,
) -> bool {
    let (own, steps) = (response.origin.path.steps(), origin.path.steps());
    let beyond = steps.get(shared(&own, &steps)..).unwrap_or_default();
    let is_of_others =
        |step: &Step| matches!(step, Step::Key(key) if OF_OTHERS.contains(&camel(key).as_ref()));
    if beyond.iter().any(is_of_others) {
        return true;
    }
    let metadata = read::<GroundingMetadata>(frame.get(range.clone()).unwrap_or_default(), cx);
    let quote = metadata.ok().and_then(|metadata| {
        let mut segments = metadata.supports.iter().filter_map(|support| support.segment.as_ref());
        segments.find_map(|segment| segment.0.text.clone().filter(|quote| !quote.is_empty()))
    });
    // Pieces of a stream are parts of the answer, which no text says as a whole.
    let is_whole = response.origin.frame == origin.frame && frames == 1;
    quote.is_some_and(|quote| is_whole && is_nearer_to_others(response, &steps, frame, range, &quote))
}

/// How many steps two paths share.
fn shared(one: &[Step], other: &[Step]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Whether of all texts of a frame with a quote, those nearest to its metadata are none of the
/// answer.
fn is_nearer_to_others(
    response: &Response,
    steps: &[Step],
    frame: &str,
    range: &Range<usize>,
    quote: &str,
) -> bool {
    let answers = |text: &str| {
        response.parts.iter().any(|part| {
            let Part::Text(range) = part else { return false };
            let words = response.text().get(range.clone()).unwrap_or_default();
            words.contains(quote) && text.contains(words)
        })
    };
    let mut nearest: Option<(usize, bool)> = None;
    scalars(frame, |path, scalar: Range<usize>| {
        let sent = frame.get(scalar.clone()).unwrap_or_default();
        if !sent.starts_with('"') || range.contains(&scalar.start) || sent.len() < quote.len() {
            return;
        }
        let Some(text) = serde_json::from_str::<String>(sent).ok().filter(|text| text.contains(quote)) else {
            return;
        };
        let near = shared(&path().steps(), steps);
        let is_own = answers(&text);
        match &mut nearest {
            Some((known, _)) if near < *known => {}
            Some((known, own)) if near == *known => *own |= is_own,
            _ => nearest = Some((near, is_own)),
        }
    });
    nearest.is_some_and(|(_, is_own)| !is_own)
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
        let is_list = |step: &Step| matches!(step, Step::Key(key) if SPELLED.contains(&key.as_str()));
        if let Some(above) = steps.iter().rposition(is_list).and_then(|at| steps.get(..at))
            && !paths.iter().any(|known| known == above)
        {
            paths.push(above.to_vec());
        }
    });
    paths.sort_by_key(Vec::len);
    paths.iter().map(|steps| Path::from_steps(steps)).collect()
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

/// Whether some quote of the metadata is of a text: that of another answer has none.
fn is_of(metadata: &GroundingMetadata, text: &str) -> bool {
    let quotes = metadata.supports.iter().filter_map(|support| support.segment.as_ref()?.0.text.as_deref());
    quotes.take(MOST).any(|quote| !quote.is_empty() && text.contains(quote))
}

/// Whether a place is one of the response alone, whatever its quotes are: in no list of several things but
/// that of `LiteLLM`, and not of what was asked.
fn is_beside(response: &Response, origin: &Origin) -> bool {
    const ASKED: [&str; 4] = ["request", "input", "prompt", "history"];
    let steps = origin.path.steps();
    if let [Step::Key(list), Step::Index(_)] = steps.as_slice() {
        return LITELLM.contains(&list.as_str());
    }
    let own = response.origin.path.steps();
    let below = steps.strip_prefix(own.as_slice());
    let apart = |step: &Step| matches!(step, Step::Key(key) if !ASKED.contains(&key.as_str()));
    response.origin.frame == origin.frame && below.is_some_and(|below| below.iter().all(apart))
}

/// The part of an answer of several that metadata stands at: a block with this text, or the event that ends
/// one. Its offsets count over that.
fn part_of(response: &Response, metadata: &GroundingMetadata, origin: &Origin, frame: &str) -> Option<usize> {
    let words = |part: &Part| match part {
        Part::Text(range) => response.text().get(range.clone()).filter(|words| !words.is_empty()),
        _ => None,
    };
    let parts =
        || response.parts.iter().enumerate().filter_map(|(number, part)| Some((number, words(part)?)));
    parts().nth(1)?;
    let steps = origin.path.steps();
    let element = steps.iter().rposition(|step| matches!(step, Step::Index(_)));
    if let Some(block) = element.and_then(|at| steps.get(..=at)) {
        let located = Locator::default().locate(frame, &Path::from_steps(block).key("text"))?;
        let text: String = serde_json::from_str(frame.get(located.value)?).ok()?;
        return parts().find(|(_, words)| *words == text).map(|(number, _)| number);
    }
    Peek::of(frame, &["type"]).word("type").filter(|kind| kind.starts_with("text"))?;
    let quotes = metadata.supports.iter().filter_map(|support| support.segment.as_ref()?.0.text.as_deref());
    let quotes: Vec<&str> = quotes.take(MOST).filter(|quote| !quote.is_empty()).collect();
    let mut own = parts().filter(|(_, words)| quotes.iter().all(|quote| words.contains(quote)));
    let (number, _) = own.next()?;
    own.next().is_none().then_some(number)
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
