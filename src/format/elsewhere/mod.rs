//! Google's grounding metadata where no format looks for it: SDKs and gateways carry it along in objects of
//! their own (`providerMetadata.google`, `extra_content.google`, `provider_specific_fields`, `custom`), or
//! make annotations of it, which leave out what leads nowhere.

mod found;
mod owners;
mod place;

use std::collections::{HashMap, HashSet};

use super::building::{self, Bounded};
use super::google::{self, GroundingMetadata};
use super::interface::Format;
use super::registry::is_redirect;
use crate::json::{Cx, camel};
use crate::model::{
    AnchorKind, Grounding, Layer, Origin, Path, RemarkKind, Response, Segment, Source, Step, Support, Target,
    Unit,
};
use found::{capitals_of, last, metadata_of, written_of};
use owners::Owners;
use place::{Place, Whose, is_of_others};

/// Bytes that metadata may take behind one that is read.
const FURTHER: usize = 8 << 20;

/// Gives responses that have words and no supports those of metadata of the same frames whose quotes are
/// words of theirs, or which stands beside theirs alone; those that have others only what of it is wrong.
pub fn adopt(format: &Format, responses: &mut [Response], frames: &[&str], cx: &Cx) {
    let lacks = |response: &Response| {
        // Formats of Google's look for it themselves, where it is documented to be.
        let has = match format.vendor {
            "Google" => {
                !matches!(response.grounding, Grounding::Absent | Grounding::Given)
                    || !response.supports.is_empty()
                    || !response.sources.is_empty()
            }
            _ => response.supports.first().is_some_and(|support| support.layer == Layer::GroundingSupport),
        };
        !has && !response.text().is_empty()
    };
    // One's own form says what its claims are; what no format reads stands in it as it was sent.
    if format.is_own() || !responses.iter().any(lacks) {
        return;
    }
    let places = last(frames, metadata_of);
    let unread = |of: fn(&str) -> Vec<Path>, why| last(frames, of).into_iter().map(move |place| (place, why));
    let written: Vec<_> = unread(written_of, "it is written as a text")
        .chain(unread(capitals_of, "its keys begin with capitals"))
        .collect();
    if places.is_empty() && written.is_empty() {
        return;
    }
    let owners = Owners::of(responses, frames);
    let mut open = Open::of(responses.iter().map(lacks).collect());
    for origin in &places {
        look(origin, (responses, frames), (&owners, &mut open), cx);
    }
    for (origin, why) in written {
        let owned = owners.owner(&origin);
        let steps = origin.path.steps();
        let beyond = steps.get(owned.map_or(0, |own| own.below)..).unwrap_or_default();
        if !beyond.iter().any(is_of_others) {
            tell(responses, (&open, owned.map(|own| own.number)), &origin, why);
        }
    }
}

/// Looks at a place with metadata: the response whose it is takes it.
fn look(
    origin: &Origin,
    (responses, frames): (&mut [Response], &[&str]),
    (owners, open): (&Owners, &mut Open),
    cx: &Cx,
) {
    let owned = owners.owner(origin);
    if owned.is_some_and(|own| !open.lacked(own.number)) || is_read(responses, origin) {
        return;
    }
    // Once one is read, others are asked only whether they say more.
    let further = Cx::bounded();
    let is_further = owned.is_some_and(|own| !open.lacks(own.number));
    further.grant(if is_further { FURTHER } else { 0 });
    let cx = if is_further { &further } else { cx };
    let Some((metadata, place)) = Place::read(origin, frames, cx) else {
        if cx.is_overdrawn() && !is_further {
            tell(responses, (open, owned.map(|own| own.number)), origin, "it is too large to be looked at");
        }
        return;
    };
    match place.whose(responses, &metadata, owned, frames.len()) {
        Whose::Others => {}
        Whose::Answer(number, part) => {
            let Some(response) = responses.get_mut(number) else { return };
            if open.takes(number, part) {
                open.note(number, &metadata);
                take(response, metadata, origin, part);
            } else if open.says_more(number, &metadata) {
                let words = "grounding metadata where none is documented: another one is read in its place";
                building::remark(response, RemarkKind::Unread, origin, words);
            }
        }
        Whose::Unknown(own) => {
            tell(responses, (open, own), origin, "nothing says that it is of this answer");
        }
    }
}

/// Whether a format has read what stands at a place: as supports of some response.
fn is_read(responses: &[Response], origin: &Origin) -> bool {
    let steps = origin.path.steps();
    // Formats have the keys as they are documented.
    let is_alike = |(one, other): (&Step, &Step)| match (one, other) {
        (Step::Key(one), Step::Key(other)) => camel(one) == camel(other),
        (one, other) => one == other,
    };
    let stands = |support: &Support| {
        let own = support.origin.path.steps();
        support.origin.frame == origin.frame
            && own.len() >= steps.len()
            && own.iter().zip(&steps).all(is_alike)
    };
    let ends = |response: &Response| {
        let supports = &response.supports;
        supports.first().is_some_and(stands) || supports.last().is_some_and(stands)
    };
    responses.iter().any(ends)
}

/// Which responses have no metadata yet.
struct Open {
    lacking: Vec<bool>,
    /// What holds for all of a response holds alone; else each part of it may have its own.
    done: HashSet<(usize, Option<usize>)>,
    /// What the metadata that each took says, as hashes.
    said: HashSet<(usize, u64)>,
}

impl Open {
    fn of(lacking: Vec<bool>) -> Self {
        Self { lacking, done: HashSet::new(), said: HashSet::new() }
    }

    /// Whether a response had none before.
    fn lacked(&self, number: usize) -> bool {
        self.lacking.get(number) == Some(&true)
    }

    fn lacks(&self, number: usize) -> bool {
        self.lacked(number) && !self.done.contains(&(number, None))
    }

    fn note(&mut self, number: usize, metadata: &GroundingMetadata) {
        self.said.extend(google::claims(metadata).map(|claim| (number, claim)));
    }

    /// Whether metadata makes claims that the one which was taken does not make: what is sent again does not.
    fn says_more(&self, number: usize, metadata: &GroundingMetadata) -> bool {
        self.lacked(number) && google::claims(metadata).any(|claim| !self.said.contains(&(number, claim)))
    }

    /// Whether a response, or a part of it, takes metadata: once.
    fn takes(&mut self, number: usize, part: Option<usize>) -> bool {
        let known = |(of, known): &(_, _)| *of == number && (part.is_none() || *known == part);
        self.lacks(number) && !self.done.iter().any(known) && self.done.insert((number, part))
    }
}

/// Says of a response that has no supports, or of each once, that metadata is not read, and why.
fn tell(responses: &mut [Response], (open, own): (&Open, Option<usize>), origin: &Origin, why: &str) {
    let words = format!("grounding metadata where none is documented: {why}");
    for (number, response) in responses.iter_mut().enumerate() {
        let is_told = || response.remarks.iter().any(|remark| remark.kind == RemarkKind::Unread);
        let may_be = own.map_or_else(|| !is_told(), |own| own == number) && open.lacks(number);
        if may_be && response.supports.is_empty() {
            building::remark(response, RemarkKind::Unread, origin, &words);
        }
    }
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
