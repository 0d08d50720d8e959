//! What a response holds of credentials, field by field.

use std::borrow::Cow;

use serde_json::Value;

use super::names::MASK_IN_ADDRESS;
use super::{mask_addresses, mask_message, mask_output, mask_text, mask_value, replace};
use crate::model::{About, PlaceReview, Response, SearchResult, Source, SourceKind, Support, Target, Trace};

/// Masks what a response holds of credentials. True if it held any.
///
/// The answer and the passages of documents are left as they are: they are text for people, and offsets count
/// in them.
pub fn mask_response(response: &mut Response) -> bool {
    let mut found = false;
    for source in &mut response.sources {
        found |= mask_source(source);
    }
    for trace in &mut response.traces {
        found |= mask_trace(trace);
    }
    for support in &mut response.supports {
        found |= mask_support(support);
    }
    for remark in &mut response.remarks {
        found |= replace(&mut remark.text, mask_message);
    }
    for text in [&mut response.id, &mut response.model, &mut response.role].into_iter().flatten() {
        found |= replace(text, mask_addresses);
    }
    for query in &mut response.queries {
        found |= replace(&mut query.text, mask_output);
    }
    let about = &mut response.about;
    found |= mask_about(about);
    found |= in_value(&mut about.actions) | in_text(&mut about.structured);
    for (id, uri) in &mut about.flags_unmatched {
        found |= replace(id, mask_addresses) | replace(uri, mask_addresses);
    }
    for page in &mut about.fetched {
        found |= replace(&mut page.uri, mask_addresses);
    }
    for recitation in &mut about.recitations {
        found |= in_text(&mut recitation.uri) | in_text(&mut recitation.title);
    }
    if let Some(error) = &mut about.error {
        found |= in_message(&mut error.message) | in_message(&mut error.code);
    }
    found
}

/// Masks what the thoughts of responses hold of credentials together: a stream may cut one in two, and one
/// response has several. True if they held any.
pub fn mask_cut_thoughts(responses: &mut [Response]) -> bool {
    let traces = responses.iter_mut().flat_map(|response| &mut response.traces);
    let mut before: Option<&mut String> = None;
    let mut found = false;
    for thought in traces.filter_map(|trace| trace.thought.as_mut()) {
        if let Some(before) = before {
            found |= mask_cut(before, thought);
        }
        before = Some(thought);
    }
    found
}

/// Bytes on either side of a cut that are looked at.
const NEAR_CUT: usize = 256;

/// Masks a credential that begins in one text and ends in the next one.
fn mask_cut(before: &mut String, behind: &mut String) -> bool {
    let from = before.ceil_char_boundary(before.len().saturating_sub(NEAR_CUT));
    let to = behind.floor_char_boundary(NEAR_CUT);
    let (tail, head) = (before.get(from..).unwrap_or_default(), behind.get(..to).unwrap_or_default());
    // Lines end it.
    if tail.ends_with('\n') || head.starts_with('\n') {
        return false;
    }
    let (cut, joined) = (tail.len(), [tail, head].concat());
    let masked = mask_message(&joined);
    if masked == [mask_message(tail), mask_message(head)].concat() {
        return false;
    }
    // From where both are alike to where they are alike again.
    let alike = |one: &str, other: &str| one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let alike_at_end =
        joined.bytes().rev().zip(masked.bytes().rev()).take_while(|(own, other)| own == other).count();
    let begin = joined.floor_char_boundary(alike(&joined, &masked));
    let end = joined.ceil_char_boundary(joined.len().saturating_sub(alike_at_end)).max(begin);
    if begin < cut {
        before.replace_range(from + begin.., MASK_IN_ADDRESS);
    }
    if end > cut {
        behind.replace_range(begin.max(cut) - cut..end - cut, MASK_IN_ADDRESS);
    }
    true
}

fn mask_about(about: &mut About) -> bool {
    let About { author, branch, invocation, created, completed, finish, blocked, .. } = about;
    // A refusal and a reason are words of a service or a model, and may quote what they refuse.
    let told = [finish, blocked].into_iter().flatten();
    let said = told.fold(false, |found, text| found | replace(text, mask_message));
    let one = [author, branch, invocation, created, completed].into_iter().flatten();
    let many = about.related.iter_mut().chain(&mut about.skipped).chain(&mut about.long_running);
    let html = about.suggestions.as_mut().and_then(|suggestions| suggestions.html.as_mut());
    one.chain(many).chain(html).fold(said, |found, text| found | replace(text, mask_addresses))
}

/// An offset that is no number and a reference that leads nowhere may be anything; the quote is as it is.
fn mask_support(support: &mut Support) -> bool {
    let boxed = |text: &mut Box<str>| {
        let Cow::Owned(masked) = mask_message(text) else { return false };
        *text = masked.into();
        true
    };
    let unreadable = support.segment.as_mut().and_then(|segment| segment.unreadable.as_mut());
    let mut found = unreadable.is_some_and(boxed);
    for citation in &mut support.citations {
        if let Target::Dangling(sent) = &mut citation.target {
            found |= boxed(sent);
        }
        let title = citation.cited.as_mut().and_then(|cited| cited.title.as_mut());
        found |= title.is_some_and(|title| replace(title, mask_addresses));
    }
    found
}

fn mask_source(source: &mut Source) -> bool {
    let Source { uri, id, document, title, publisher, domain, date, date_sent, place_id, number, .. } =
        source;
    let own = [uri, id, document, title, publisher, domain, date, date_sent, place_id, number];
    let of_chunks = source.chunks.iter_mut().flat_map(|chunk| [&mut chunk.name, &mut chunk.page]);
    let of_reviews = source.reviews.iter_mut().flat_map(|review| {
        let PlaceReview { id, title, uri, text, flag_uris } = review;
        [id, title, uri, text].into_iter().flatten().chain(flag_uris)
    });
    let texts = own.into_iter().chain(of_chunks).flatten().chain(of_reviews).chain(&mut source.flag_uris);
    let mut found = texts.fold(false, |found, text| found | replace(text, mask_addresses));
    found |= in_value(&mut source.struct_data);
    for chunk in &mut source.chunks {
        if let Some(masked) = chunk.masked.take() {
            chunk.text = masked.into();
            found = true;
        }
    }
    if source.kind == SourceKind::Tool {
        for chunk in &mut source.chunks {
            found |= replace(&mut chunk.text, mask_output);
        }
    }
    found
}

fn mask_trace(trace: &mut Trace) -> bool {
    let mut found = in_value(&mut trace.arguments);
    for text in [&mut trace.description, &mut trace.thought, &mut trace.error] {
        found |= in_message(text);
    }
    let Trace { id, tool, title, state, began, ended, .. } = trace;
    for text in [id, tool, title, state, began, ended].into_iter().flatten() {
        found |= replace(text, mask_addresses);
    }
    for result in &mut trace.results {
        let SearchResult { title, uri, document, chunk, text, struct_data, .. } = result;
        for text in [title, uri, document, chunk].into_iter().flatten() {
            found |= replace(text, mask_addresses);
        }
        found |= in_output(text) | in_value(struct_data);
    }
    found
}

fn in_message(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(|text| replace(text, mask_message))
}

fn in_text(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(|text| replace(text, mask_text))
}

fn in_output(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(|text| replace(text, mask_output))
}

fn in_value(value: &mut Option<Value>) -> bool {
    value.as_mut().is_some_and(mask_value)
}
