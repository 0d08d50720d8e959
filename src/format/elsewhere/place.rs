//! A place with grounding metadata, and what says whose it is.

use std::ops::Range;

use super::found::is_list;
use super::owners::{Owner, shared};
use crate::format::google::GroundingMetadata;
use crate::format::interface::read;
use crate::json::scalars::scalars;
use crate::json::{Cx, Locator, Peek, camel};
use crate::model::{Origin, Part, Path, Response, Step};

/// The list that a gateway puts beside the choices.
const LITELLM: [&str; 2] = ["vertexAiGroundingMetadata", "vertex_ai_grounding_metadata"];

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
pub(super) enum Whose {
    /// That of a response, or of a part of it.
    Answer(usize, Option<usize>),
    /// That of something else that was said.
    Others,
    /// Nobody knows, or nothing says that it is that of the response at its place.
    Unknown(Option<usize>),
}

/// A place with metadata.
pub(super) struct Place<'a> {
    origin: &'a Origin,
    steps: Vec<Step>,
    /// The frame that it stands in, and where.
    frame: &'a str,
    range: Range<usize>,
}

impl<'a> Place<'a> {
    pub fn read(origin: &'a Origin, frames: &[&'a str], cx: &Cx) -> Option<(GroundingMetadata, Self)> {
        let frame = frames.get(origin.frame as usize)?;
        let range = Locator::default().locate(frame, &origin.path)?.value;
        let metadata = read(frame.get(range.clone())?, cx).ok()?;
        let mut steps = origin.path.steps();
        // Some make a list of it.
        let after = frame.get(range.end..).unwrap_or_default().trim_start();
        if let [.., Step::Key(list), Step::Index(0)] = steps.as_slice()
            && list.to_ascii_lowercase().ends_with("metadata")
            && after.starts_with(']')
        {
            steps.pop();
        }
        Some((metadata, Self { origin, steps, frame, range }))
    }

    /// Whose metadata is of responses that came in so many frames. `owned` says of which one the place is;
    /// else quotes alone do.
    pub fn whose(
        &self,
        responses: &[Response],
        metadata: &GroundingMetadata,
        owned: Option<Owner>,
        frames: usize,
    ) -> Whose {
        let beyond = self.steps.get(owned.map_or(0, |own| own.below)..).unwrap_or_default();
        let event = self.event().filter(|_| frames > 1).unwrap_or_default();
        if beyond.iter().any(is_of_others) || ASIDE.iter().any(|aside| event.contains(aside)) {
            return Whose::Others;
        }
        let number = owned.map(|own| own.number).or_else(|| named(responses, metadata));
        let Some((number, response)) = number.and_then(|number| Some((number, responses.get(number)?)))
        else {
            return Whose::Unknown(None);
        };
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
        let is_behind = || frames > 1 && self.is_behind(beyond) && (ended.is_some() || !several);
        let is_near = || block.is_some() || self.is_beside(response, beyond) || is_behind();
        if is_quoted || owned.is_some() && is_near() {
            return Whose::Answer(number, block.or(ended).filter(|_| several));
        }
        Whose::Unknown(Some(number))
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

    /// Whether it is in a frame of a stream that ends what was said, in no list of several things.
    fn is_behind(&self, beyond: &[Step]) -> bool {
        let ends = |kind: String| ENDS.iter().any(|end| kind.starts_with(end));
        is_direct(beyond) && self.event().is_none_or(ends)
    }

    /// Whether it stands beside the response alone: in no list of several things but that of `LiteLLM`.
    fn is_beside(&self, response: &Response, beyond: &[Step]) -> bool {
        if let [Step::Key(list), Step::Index(_)] = self.steps.as_slice() {
            return LITELLM.contains(&list.as_str());
        }
        response.origin.frame == self.origin.frame && is_direct(beyond)
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

/// Whether what stands below this was asked, said before or given back by a tool.
pub(super) fn is_of_others(step: &Step) -> bool {
    let Step::Key(key) = step else { return false };
    let key = camel(key);
    OF_OTHERS.contains(&key.as_ref()) || OF_FORMER.iter().any(|begin| key.starts_with(begin))
}

/// Whether a path leads into no list.
fn is_direct(steps: &[Step]) -> bool {
    steps.iter().all(|step| matches!(step, Step::Key(_)))
}

/// The only response with a quote of metadata.
fn named(responses: &[Response], metadata: &GroundingMetadata) -> Option<usize> {
    let has = |response: &Response| quotes(metadata).any(|quote| response.text().contains(quote));
    let mut those = responses.iter().enumerate().filter(|(_, response)| has(response));
    let (number, _) = those.next()?;
    those.next().is_none().then_some(number)
}

/// Quotes of metadata that are looked for.
const QUOTES: usize = 8;

/// The first quotes of metadata.
fn quotes(metadata: &GroundingMetadata) -> impl Iterator<Item = &str> {
    let sent = metadata.supports.iter().filter_map(|support| support.segment.as_ref()?.0.text.as_deref());
    sent.filter(|quote| !quote.is_empty()).take(QUOTES)
}

/// The parts of an answer that have words.
fn words(response: &Response) -> impl Iterator<Item = (usize, &str)> {
    response.parts.iter().enumerate().filter_map(|(number, part)| {
        let Part::Text(range) = part else { return None };
        let words = response.text().get(range.clone()).filter(|words| !words.is_empty())?;
        Some((number, words))
    })
}
