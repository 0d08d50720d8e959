//! Google's grounding metadata where no format looks for it: SDKs and gateways carry it along in objects of
//! their own (`providerMetadata.google`, `extra_content.google`, `provider_specific_fields`, `custom`).

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use super::google::{self, GroundingMetadata};
use super::interface::read;
use crate::json::scalars::scalars;
use crate::json::{Cx, Locator};
use crate::model::{Origin, Path, Response, Step, Target, Unit};

/// How the list of supports is spelled, with the quote behind its key.
const SPELLED: [&str; 2] = ["groundingSupports\"", "grounding_supports\""];

/// Places that are looked at, the last ones of a record.
const MOST: usize = 16;

/// Gives responses that have words and no supports those of metadata of the same frames whose quotes are
/// words of theirs, or which stands beside theirs alone.
pub fn adopt(responses: &mut [Response], frames: &[&str]) {
    let lacks = |response: &Response| response.supports.is_empty() && !response.text().is_empty();
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
    for origin in places.into_iter().take(MOST) {
        let Some(frame) = frames.get(origin.frame as usize) else { continue };
        let Some(located) = Locator::default().locate(frame, &origin.path) else { continue };
        let Some(response) = owner(responses, &origin).filter(|response| lacks(response)) else { continue };
        let text = frame.get(located.value).unwrap_or_default();
        let cx = Cx::bounded();
        cx.grant(text.len().saturating_mul(4));
        if let Ok(metadata) = read::<GroundingMetadata>(text, &cx)
            && !cx.is_overdrawn()
            && (is_of(&metadata, response.text()) || is_beside(response, &origin))
        {
            take(response, metadata, &origin);
        }
    }
}

/// The paths of the metadata objects of a frame that have supports, those near its root first.
fn metadata_of(frame: &str) -> Vec<Path> {
    let bytes = frame.as_bytes();
    let mut keys: Vec<usize> =
        SPELLED.iter().flat_map(|key| memmem::find_iter(bytes, key).take(MOST)).collect();
    if keys.is_empty() {
        return Vec::new();
    }
    keys.sort_unstable();
    let mut keys = keys.into_iter().peekable();
    let mut paths: Vec<Vec<Step>> = Vec::new();
    // The first scalar behind the key stands below it.
    scalars(frame, |path, scalar: Range<usize>| {
        if keys.peek().is_none_or(|key| scalar.start < *key) {
            return;
        }
        while keys.next_if(|key| *key <= scalar.start).is_some() {}
        let steps = path().steps();
        let is_list = |step: &Step| matches!(step, Step::Key(key) if SPELLED.iter().any(|spelled| spelled.trim_end_matches('"') == key));
        if let Some(above) = steps.iter().rposition(is_list).and_then(|at| steps.get(..at))
            && !paths.iter().any(|known| known == above)
        {
            paths.push(above.to_vec());
        }
    });
    paths.sort_by_key(Vec::len);
    paths.iter().map(|steps| Path::from_steps(steps)).collect()
}

/// The response that a place lies in, or the only one.
fn owner<'r>(responses: &'r mut [Response], origin: &Origin) -> Option<&'r mut Response> {
    if let [only] = responses {
        return Some(only);
    }
    let steps = origin.path.steps();
    let inside = |response: &&mut Response| {
        let own = response.origin.path.steps();
        !own.is_empty() && steps.starts_with(&own)
    };
    responses.iter_mut().find(inside)
}

/// Whether some quote of the metadata is of a text: that of another answer has none.
fn is_of(metadata: &GroundingMetadata, text: &str) -> bool {
    let quotes = metadata.supports.iter().filter_map(|support| support.segment.as_ref()?.0.text.as_deref());
    quotes.take(MOST).any(|quote| !quote.is_empty() && text.contains(quote))
}

/// Whether a place is one of the response alone, whatever its quotes are: in no list of several things, and
/// not of what was asked.
fn is_beside(response: &Response, origin: &Origin) -> bool {
    const ASKED: [&str; 4] = ["request", "input", "prompt", "history"];
    let steps = origin.path.steps();
    let own = response.origin.path.steps();
    let below = steps.strip_prefix(own.as_slice());
    let apart = |step: &Step| matches!(step, Step::Key(key) if !ASKED.contains(&key.as_str()));
    response.origin.frame == origin.frame && below.is_some_and(|below| below.iter().all(apart))
}

/// Adds sources and supports of metadata; a source that the response has already counts once.
fn take(response: &mut Response, metadata: GroundingMetadata, origin: &Origin) {
    let known = std::mem::take(&mut response.sources);
    google::metadata(response, &mut google::Sent::default(), metadata, origin);
    let new = std::mem::replace(&mut response.sources, known);
    let by_address: HashMap<String, usize> = response
        .sources
        .iter()
        .enumerate()
        .rev()
        .filter_map(|(number, known)| Some((known.uri.clone()?, number)))
        .collect();
    let mut numbers = Vec::with_capacity(new.len());
    for source in new {
        let known = source.uri.as_ref().and_then(|uri| by_address.get(uri)).copied();
        numbers.push(known.unwrap_or(response.sources.len()));
        if known.is_none() {
            response.sources.push(source);
        }
    }
    for citation in response.supports.iter_mut().flat_map(|support| &mut support.citations) {
        if let Target::Source(index) = &mut citation.target {
            *index = numbers.get(*index).copied().unwrap_or(*index);
        }
    }
    google::join_flags(response);
    response.unit = Unit::Bytes;
}
