//! What tools found that ran at the service, as LangChain hands it on: the library's own list of `sources`,
//! and in its place what Anthropic and OpenAI list.

use super::langchain_wire::Block;
use crate::format::building;
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::model::{
    Chunk, JsonText, Origin, Published, RemarkKind, Response, SearchResult, Source, SourceKind,
};
use crate::text::is_web;

/// What a block says that was found, with the field that it stands in.
fn fields(block: &Block) -> impl Iterator<Item = (&'static str, &JsonText)> {
    let Block { output, content, action, results, .. } = block;
    let fields = [("output", output), ("content", content), ("action", action), ("results", results)];
    fields.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)))
}

/// Lists below a value, or below the elements of one.
const LISTS: [&str; 2] = ["sources", "results"];

/// Calls something with each thing that a value lists, its place, and whether it is documented to be a
/// source; one that lists nothing is such a thing itself.
fn each(value: &JsonText, place: &Origin, call: &mut impl FnMut(&JsonText, Origin, bool)) {
    if !in_lists(value, place, call) {
        let mut number = 0;
        for element in value.elements() {
            let place = place.item(number);
            if !in_lists(&element, &place, call) {
                call(&element, place, false);
            }
            number += 1;
        }
        if number == 0 && !value.as_json().starts_with('[') {
            call(value, place.clone(), false);
        }
    }
}

/// The same with the lists that an object has; whether there are any.
fn in_lists(value: &JsonText, place: &Origin, call: &mut impl FnMut(&JsonText, Origin, bool)) -> bool {
    let mut any = false;
    for key in LISTS {
        let list = value.get(key).filter(|list| list.as_json().starts_with('['));
        let Some(list) = list else { continue };
        any = true;
        for (number, element) in list.elements().enumerate() {
            call(&element, place.key(key).item(number), true);
        }
    }
    any
}

/// How many things a block says that were found.
pub fn count(block: &Block) -> usize {
    let mut count = 0;
    for (_, value) in fields(block) {
        each(value, &Origin::default(), &mut |_, _, _| count += 1);
    }
    count
}

/// Adds what a block says that was found to a step.
pub fn lower(response: &mut Response, shelf: &mut Shelf, block: &Block, origin: &Origin, step: usize) {
    let mut results = Vec::new();
    for (key, value) in fields(block) {
        let place = origin.key(key);
        if key == "action" {
            // What was searched for stands there, too.
            in_lists(value, &place, &mut |sent, at, _| {
                results.extend(found(response, shelf, sent, at, true));
            });
            continue;
        }
        if value.get("sources").is_some_and(|sent| !sent.as_json().starts_with('[')) {
            let words = "no list where one is documented: not used";
            building::remark(response, RemarkKind::Mistyped, &place.key("sources"), words);
        }
        if let Some(code) = value.get("error_code").map(|code| code.plain())
            && let Some(step) = response.traces.get_mut(step)
        {
            (step.failed, step.error) = (true, Some(code));
            continue;
        }
        each(value, &place, &mut |sent, at, documented| {
            results.extend(found(response, shelf, sent, at, documented));
        });
    }
    if let Some(step) = response.traces.get_mut(step) {
        step.results.extend(results);
    }
}

/// One thing as a result: a page or a file is a source.
fn found(
    response: &mut Response,
    shelf: &mut Shelf,
    sent: &JsonText,
    origin: Origin,
    documented: bool,
) -> Option<SearchResult> {
    let any = |keys: &[&str]| keys.iter().find_map(|key| sent.get(key)?.to_text());
    let alone = || sent.to_text().filter(|text| documented || is_web(text));
    let uri = any(&["url", "uri", "link"]).or_else(alone);
    let (file, name) = (any(&["file_id"]), any(&["filename"]));
    // A page that was fetched stands in a document.
    let page = sent.get("content").filter(JsonText::is_object);
    let titled = |page: &JsonText| page.get("title")?.to_text();
    let title = any(&["title"]).or(name).or_else(|| titled(page.as_ref()?));
    let text =
        any(&["text", "snippet", "content"]).or_else(|| page.as_ref()?.get("source")?.get("data")?.to_text());
    let text = text.filter(|text| !text.is_empty());
    if uri.is_none() && file.is_none() && (!documented || title.is_none()) {
        if documented {
            let words = "no source where one is documented: not used";
            building::remark(response, RemarkKind::Mistyped, &origin, words);
            return None;
        }
        let plain = || Some(sent.plain()).filter(|_| !sent.is_null());
        return text.or_else(|| any(&["logs"])).or_else(plain).map(steps::text_result);
    }
    if sent.get("url").is_some_and(|url| !url.is_null() && url.as_text().is_none()) {
        let words = "no address where one is documented: not used";
        building::remark(response, RemarkKind::Mistyped, &origin.key("url"), words);
    }
    let score = sent.get("score").and_then(|score| score.as_json().parse().ok());
    let source = Source {
        origin,
        kind: if uri.is_some() || file.is_none() { SourceKind::Web } else { SourceKind::File },
        id: file.clone(),
        title: title.clone(),
        uri: uri.clone(),
        published: Published { date_sent: any(&["page_age"]), ..Published::default() }.into(),
        score,
        retrieved: true,
        ..Source::default()
    };
    let source = shelf.put(response, source);
    if let Some(text) = text.clone() {
        shelf.passage(response, source, Chunk { text, score, ..Chunk::default() });
    }
    let source = Some(source);
    Some(SearchResult { title, uri, document: file, text, score, source, ..SearchResult::default() })
}
