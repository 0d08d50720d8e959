//! What a response holds of credentials, field by field.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;
use std::ops::Range;

use super::addresses::mask_address;
use super::names::MASK_IN_ADDRESS;
use super::options::{announces_next, is_next_option, is_secret_option, is_user_option, password_of};
use super::private_keys::key_places;
use super::ranges::{differing, mask_as_long};
use super::suggested::mask_suggestions;
use super::values::is_scheme;
use super::{
    mask_addresses, mask_label, mask_message, mask_output, mask_query, mask_quoted, mask_text, mask_value,
    replace,
};
use crate::format::steps::CODE;
use crate::json::Peek;
use crate::model::{
    About, JsonText, MapsPlace, PlaceReview, Published, Query, Recitation, Response, SafetyRating,
    SearchResult, Source, SourceKind, Support, Target, Trace, TraceRole,
};
use crate::text::merge_ranges;

/// Masks what a response holds of credentials. True if it held any.
///
/// The answer and the passages of documents are left as they are: they are text for people, and offsets count
/// in them. Only what may be a thought is masked in an answer.
pub fn mask_response(response: &mut Response) -> bool {
    let mut found = mask_torn(response);
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
        if let Cow::Owned(masked) = mask_message(&remark.text) {
            (remark.text, found) = (masked.into(), true);
        }
    }
    for text in [&mut response.id, &mut response.model, &mut response.role].into_iter().flatten() {
        found |= replace(text, mask_label);
    }
    found |= mask_queries(&mut response.queries);
    found |= in_message(&mut response.finish);
    response.about.get_mut().is_some_and(mask_about) | found
}

/// Masks what was searched for. Those of one step may have been one list: an option says what the next one
/// is, a header what is announced there.
fn mask_queries(queries: &mut [Query]) -> bool {
    let told = |(before, pair): (usize, &[Query])| {
        let [Query { text: option, trace, .. }, own] = pair else { return None };
        let scheme = own.text.split_once(' ').is_some_and(|(word, _)| is_scheme(word));
        let is_value = is_secret_option(option) && !is_next_option(&own.text);
        let all = is_value || scheme && announces_next(option);
        let from = if all { 0 } else { password_of(&own.text).filter(|_| is_user_option(option))? };
        (*trace == own.trace && own.text != MASK_IN_ADDRESS).then_some((before + 1, from))
    };
    let told: Vec<(usize, usize)> = queries.windows(2).enumerate().filter_map(told).collect();
    let mut found = !told.is_empty();
    for (number, from) in told {
        if let Some(query) = queries.get_mut(number) {
            query.text.truncate(from);
            query.text.push_str(MASK_IN_ADDRESS);
        }
    }
    for query in queries {
        found |= replace(&mut query.text, mask_query);
    }
    found
}

/// Masks what a response says of itself.
fn mask_about(about: &mut About) -> bool {
    let mut found = mask_said(about);
    found |= in_value(&mut about.actions) | in_text(&mut about.structured);
    for (id, uri) in &mut about.flags_unmatched {
        // What leads nowhere may be anything.
        found |= replace(id, mask_message) | replace(uri, mask_address);
    }
    for page in &mut about.fetched {
        found |= replace(&mut page.uri, mask_address) | replace(&mut page.status, mask_label);
    }
    for Recitation { uri, title, license, date, .. } in &mut about.recitations {
        found |= uri.as_mut().is_some_and(|uri| replace(uri, mask_address)) | in_text(title);
        found |= in_label(license) | in_label(date);
    }
    for SafetyRating { category, probability, severity, .. } in &mut about.safety {
        found |= in_label(category) | in_label(probability) | in_label(severity);
    }
    for (class, _) in &mut about.query_classes {
        found |= replace(class, mask_label);
    }
    for (id, title) in &mut about.charts {
        found |= replace(id, mask_label) | replace(title, mask_addresses);
    }
    if let Some(error) = &mut about.error {
        found |= in_message(&mut error.message) | in_message(&mut error.code);
    }
    found
}

/// Masks what the thoughts of responses hold of credentials together whose stream does not say which pieces
/// are one; a response may have several, and several have one. True if they held any.
pub fn mask_cut_thoughts(responses: &mut [Response]) -> bool {
    let mut whole: Vec<Vec<&mut String>> = Vec::new();
    // Agents that work side by side take turns.
    let mut growing: HashMap<(Option<String>, Option<String>), Vec<&mut String>> = HashMap::new();
    for response in responses {
        let About { author, invocation, .. } = &*response.about;
        let own = (author.clone(), invocation.clone());
        let mut speaker = own.clone();
        for trace in &mut response.traces {
            // An event of an agent names who wrote what stands behind it.
            let facts = trace.arguments.as_ref().filter(|facts| trace.tool.is_none() && facts.is_object());
            if let Some(facts) = facts.map(Peek::of_value) {
                speaker = (facts.word("author").or(speaker.0), facts.word("invocationId").or(speaker.1));
            }
            let is_piece = trace.role == TraceRole::Piece;
            if trace.tool.is_some() || trace.thought.is_some() && !is_piece {
                whole.extend(growing.remove(&speaker));
            }
            if let Some(thought) = trace.thought.as_mut().filter(|_| is_piece) {
                growing.entry(speaker.clone()).or_default().push(thought);
            }
        }
        if !response.partial {
            whole.extend(growing.remove(&own));
        }
    }
    whole.extend(growing.into_values());
    whole.iter_mut().fold(false, |found, thoughts| found | mask_across(thoughts))
}

/// Masks what texts hold of credentials that go on from one to the next.
fn mask_across(thoughts: &mut [&mut String]) -> bool {
    if thoughts.len() < 2 {
        return false;
    }
    let whole: String = thoughts.iter().map(|thought| thought.as_str()).collect();
    let mut end = 0;
    let ends: Vec<usize> = thoughts
        .iter()
        .map(|thought| {
            end += thought.len();
            end
        })
        .collect();
    let mut secrets = cut_secrets(&whole, &ends);
    secrets.extend(key_places(&whole));
    let secrets = merge_ranges(secrets);
    for (thought, end) in thoughts.iter_mut().zip(&ends) {
        let begin = end - thought.len();
        for secret in secrets.iter().rev().filter(|secret| secret.start < *end && begin < secret.end) {
            let own = secret.start.max(begin) - begin..secret.end.min(*end) - begin;
            mask_piece(thought, own);
        }
    }
    !secrets.is_empty()
}

/// Masks a part of a thought. What it begins with may be the name of a credential that stands behind it.
fn mask_piece(thought: &mut String, mut own: Range<usize>) {
    if own.start == 0
        && let Cow::Owned(masked) = mask_message(thought)
    {
        own.end = own.end.min(differing(thought, &masked).start);
        *thought = masked;
    }
    thought.replace_range(own, MASK_IN_ADDRESS);
}

/// Masks what parts of an answer hold that broke off. Offsets behind them stay what they are.
fn mask_torn(response: &mut Response) -> bool {
    let Some(answer) = &mut response.answer else { return false };
    let mut found = false;
    let opened = opening_thought(answer);
    for range in response.torn.iter().chain(&opened) {
        // A thought goes on in the next frame, and so does a credential in it.
        let lead = if range.start == 0 { last_thoughts(&response.traces) } else { String::new() };
        let part = answer.get(range.clone()).unwrap_or_default();
        let near = [&lead, part].concat();
        let Cow::Owned(masked) = mask_message(&near) else { continue };
        let secret = differing(&near, &masked);
        let own = secret.start.max(lead.len()) - lead.len()..secret.end.max(lead.len()) - lead.len();
        let end = range.start + own.end;
        answer.replace_range(range.start + own.start..end, &mask_as_long(own.len()));
        found = true;
    }
    found
}

/// The thought that opens an answer, where it was left in it: offsets count over it.
fn opening_thought(answer: &str) -> Option<Range<usize>> {
    let start = answer.len() - answer.trim_start().len();
    let thought = answer.get(start..)?.strip_prefix("<think>")?;
    let length = thought.find("</think>").unwrap_or(thought.len());
    let begin = start + "<think>".len();
    Some(begin..begin + length)
}

/// The end of the thoughts of a response, which may be in many pieces.
fn last_thoughts(traces: &[Trace]) -> String {
    let (mut pieces, mut length) = (Vec::new(), 0);
    for thought in traces.iter().rev().filter_map(|trace| trace.thought.as_deref()) {
        let from = thought.ceil_char_boundary(thought.len().saturating_sub(NEAR_CUT - length));
        let piece = thought.get(from..).unwrap_or_default();
        length += piece.len();
        pieces.push(piece);
        if length == NEAR_CUT || from > 0 {
            break;
        }
    }
    pieces.into_iter().rev().collect()
}

/// Bytes on either side of a cut that are looked at.
const NEAR_CUT: usize = 256;

/// Bytes between cuts that are looked at together.
const CUTS_APART: usize = 64;

/// Where credentials are that a cut parts, ascending. `ends`: where the pieces of the text end.
fn cut_secrets(whole: &str, ends: &[usize]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut last = None;
    for &cut in ends.iter().take(ends.len() - 1) {
        if last.is_some_and(|last| cut - last < CUTS_APART) {
            continue;
        }
        last = Some(cut);
        let from = whole.ceil_char_boundary(cut.saturating_sub(NEAR_CUT));
        let near = whole.get(from..whole.floor_char_boundary(cut + NEAR_CUT)).unwrap_or_default();
        let Some(secret) = cut_secret(near, from, ends) else { continue };
        match out.last_mut() {
            Some(last) if secret.start <= last.end => last.end = last.end.max(secret.end),
            _ => out.push(secret),
        }
    }
    out
}

/// The credential in a stretch of a text that its pieces do not hold one by one.
fn cut_secret(near: &str, from: usize, ends: &[usize]) -> Option<Range<usize>> {
    let Cow::Owned(masked) = mask_message(near) else { return None };
    let (mut at, mut apart) = (0, String::new());
    for end in ends.iter().skip(ends.partition_point(|end| *end <= from)) {
        let to = (end - from).min(near.len());
        apart.push_str(&mask_message(near.get(at..to).unwrap_or_default()));
        at = to;
        if at == near.len() {
            break;
        }
    }
    if masked == apart {
        return None;
    }
    let secret = differing(near, &masked);
    Some(from + secret.start..from + secret.end)
}

fn mask_said(about: &mut About) -> bool {
    let About { author, branch, invocation, created, completed, blocked, .. } = about;
    // A refusal is words of a service or a model, and may quote what it refuses.
    let said = in_message(blocked);
    let one = [author, branch, invocation, created, completed].into_iter().flatten();
    let many = about.related.iter_mut().chain(&mut about.skipped).chain(&mut about.long_running);
    let suggestions = about.suggestions.as_mut();
    let found = said | suggestions.is_some_and(|it| mask_suggestions(it, mask_query, mask_value));
    one.chain(many).fold(found, |found, text| found | replace(text, mask_label))
}

/// An offset that is no number and a reference that leads nowhere may be anything; the quote is as it is.
fn mask_support(support: &mut Support) -> bool {
    let boxed = |text: &mut Box<str>, mask: fn(&str) -> Cow<'_, str>| {
        let Cow::Owned(masked) = mask(text) else { return false };
        *text = masked.into();
        true
    };
    let unreadable = support.segment.as_mut().and_then(|segment| segment.unreadable.as_mut());
    let mut found = unreadable.is_some_and(|text| boxed(text, mask_quoted));
    for citation in &mut support.citations {
        if let Target::Dangling(sent) = &mut citation.target {
            found |= boxed(sent, mask_message);
        }
        let title = citation.cited.as_mut().and_then(|cited| cited.title.as_mut());
        found |= title.is_some_and(|title| replace(title, mask_addresses));
        if let Some(link) = &mut citation.link {
            found |= in_label(&mut link.tool) | in_label(&mut link.audit);
        }
    }
    found
}

fn mask_source(source: &mut Source) -> bool {
    let of_place = source.place.get_mut().into_iter().flat_map(|MapsPlace { reviews, flag_uris, .. }| {
        let of_reviews =
            reviews.iter_mut().flat_map(|review| review.uri.iter_mut().chain(&mut review.flag_uris));
        flag_uris.iter_mut().chain(of_reviews)
    });
    let mut found = of_place.fold(false, |found, uri| found | replace(uri, mask_address));
    let sent = (replaced(&mut source.id, mask_label), replaced(&mut source.uri, mask_address));
    found |= sent.0.is_some() || sent.1.is_some();
    let has_id = source.id.as_deref().is_some_and(|id| !id.is_empty());
    let (key, sent) = if has_id { (&source.id, sent.0) } else { (&source.uri, sent.1) };
    // What looks alike when it is masked stays two, also where it was masked before it came.
    let is_masked = |key: &str| ["=masked", ":masked@", "/masked"].iter().any(|mask| key.contains(mask));
    let by_place = || key.as_deref().is_some_and(is_masked).then(|| number_of(&source.origin));
    source.masked = sent.map(number_of).or_else(by_place);
    let Source { document, title, domain, number, published, place, chunks, .. } = source;
    found |= replaced(document, mask_label).is_some();
    found |= in_address(title) | in_label(domain) | in_label(number);
    if let Some(Published { publisher, date, date_sent }) = published.get_mut() {
        found |= in_label(publisher) | in_label(date) | in_label(date_sent);
    }
    for chunk in chunks {
        found |= in_label(&mut chunk.name) | in_label(&mut chunk.page);
    }
    if let Some(MapsPlace { id, reviews, .. }) = place.get_mut() {
        found |= in_label(id);
        for PlaceReview { id, title, text, .. } in reviews {
            found |= in_label(id) | in_address(title) | in_address(text);
        }
    }
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
    // What went wrong is told, and what the model wrote is no document.
    let is_told = trace.failed || trace.title.as_deref() == Some(CODE);
    let mut found = in_value(&mut trace.arguments);
    for text in [&mut trace.title, &mut trace.description, &mut trace.thought, &mut trace.error] {
        found |= in_message(text);
    }
    let Trace { id, tool, state, began, ended, .. } = trace;
    for text in [id, tool, state, began, ended].into_iter().flatten() {
        found |= replace(text, mask_label);
    }
    for result in &mut trace.results {
        let SearchResult { title, uri, document, chunk, text, status, struct_data, source, .. } = result;
        // What names no page is a step in words.
        let of_page = uri.is_some() || document.is_some() || source.is_some();
        found |= uri.as_mut().is_some_and(|uri| replace(uri, mask_address));
        found |= !of_page && in_message(title);
        found |= title.as_mut().is_some_and(|title| replace(title, mask_addresses));
        for text in [document, chunk, status].into_iter().flatten() {
            found |= replace(text, mask_label);
        }
        found |= if is_told { in_message(text) } else { in_output(text) } | in_value(struct_data);
    }
    found
}

/// The text as it was, where it is masked now.
fn replaced(text: &mut Option<String>, mask: fn(&str) -> Cow<'_, str>) -> Option<String> {
    let own = text.as_mut()?;
    let Cow::Owned(masked) = mask(own) else { return None };
    Some(std::mem::replace(own, masked))
}

fn number_of(sent: impl Hash) -> NonZeroU64 {
    let mut hasher = DefaultHasher::new();
    sent.hash(&mut hasher);
    NonZeroU64::new(hasher.finish()).unwrap_or(NonZeroU64::MIN)
}

fn in_message(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(|text| replace(text, mask_message))
}

/// Words in which addresses may stand, or an address alone, with a scheme or without.
fn in_address(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(|text| {
        let alone = text.contains('/') && !text.contains(char::is_whitespace);
        replace(text, if alone { mask_address } else { mask_addresses })
    })
}

fn in_label(name: &mut Option<String>) -> bool {
    name.as_mut().is_some_and(|name| replace(name, mask_label))
}

fn in_text(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(|text| replace(text, mask_text))
}

fn in_output(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(|text| replace(text, mask_output))
}

fn in_value(value: &mut Option<JsonText>) -> bool {
    value.as_mut().is_some_and(mask_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_that_is_cut_between_thoughts_is_masked_in_each() {
        let masked = |thoughts: &[&str]| {
            let piece = |thought: &str| Trace {
                thought: Some(thought.to_owned()),
                role: TraceRole::Piece,
                ..Trace::default()
            };
            let response = |thought: &&str| Response {
                traces: vec![piece(thought)],
                partial: true,
                ..Response::default()
            };
            let mut responses: Vec<Response> = thoughts.iter().map(response).collect();
            let found = mask_cut_thoughts(&mut responses);
            let words: Vec<String> =
                responses.into_iter().map(|response| response.traces[0].thought.clone().unwrap()).collect();
            assert_eq!(found, words != thoughts);
            words
        };
        assert_eq!(
            masked(&["I use api_key=Zq7Yx9", "Kp3Lm5 to call."]),
            ["I use api_key=masked", "masked to call."]
        );
        assert_eq!(
            masked(&["Authorization: Bear", "er Zq7Yx9Kp3Lm5 sent"]),
            ["Authorization: Bear", "er masked sent"]
        );
        assert_eq!(
            masked(&["I use Authoriz", "ation: Bear", "er Zq7Yx9Kp3Lm5", "Zq7 now."]),
            ["I use Authoriz", "ation: Bear", "er masked", "masked now."]
        );
        let letters: Vec<String> = "a api_key=Zq7Yx9Kp3Lm5 b".chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert!(!masked(&letters).concat().contains(['Z', '7', '5']));
        let harmless = ["I look for the tower. ", "It is high.", "\nThe key", " is there"];
        assert_eq!(masked(&harmless), harmless);
        // What a piece begins with may be a name of its own.
        assert_eq!(
            masked(&["password: hunter2", "Password: secret9 is it"]),
            ["password: masked", "masked masked is it"]
        );
    }

    #[test]
    fn thoughts_that_are_whole_are_masked_one_by_one() {
        let thought = |text: &str, role| Trace { thought: Some(text.to_owned()), role, ..Trace::default() };
        let masked = |traces: Vec<Trace>| {
            let mut responses = [Response { traces, ..Response::default() }];
            assert!(!mask_cut_thoughts(&mut responses));
            mask_response(&mut responses[0]);
            responses[0].traces.iter().filter_map(|trace| trace.thought.clone()).collect::<Vec<_>>()
        };
        let whole = |text| thought(text, TraceRole::Step);
        assert_eq!(
            masked(vec![whole("password: hunter2"), whole("API key: secret9"), whole("Not one says so.")]),
            ["password: masked", "API key: masked", "Not one says so."]
        );
        // A thought that is whole repeats its pieces, and a call ends one.
        let piece = |text| thought(text, TraceRole::Piece);
        let call = Trace { tool: Some("search".to_owned()), ..Trace::default() };
        assert_eq!(
            masked(vec![piece("password: hunter2"), whole("password: hunter2")]),
            ["password: masked", "password: masked"]
        );
        assert_eq!(
            masked(vec![piece("password: hunter2"), call, piece("Not one says so.")]),
            ["password: masked", "Not one says so."]
        );
    }
}
