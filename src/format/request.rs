//! What a request held: the question, and the documents into which offsets of citations point.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::building;
use super::interface::read_within;
use super::shelf::Shelf;
use crate::json::values::named;
use crate::model::{Chunk, Citation, Label, Part, RemarkKind, Response, Source, SourceKind};
use crate::text::{counted, form};

/// Depth of nesting at which documents are looked for.
const DEPTH: usize = 8;

/// Numbers of documents that a remark names at most.
const SHOWN: usize = 8;

/// What of a request the responses to it are read with.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Requested {
    /// The last question of the user.
    question: Option<Arc<str>>,
    /// The answer that was to be checked.
    answer: Option<String>,
    /// Documents in their order, by which citations count them.
    documents: Vec<Document>,
    /// Texts of search results, by what citations call them.
    results: HashMap<String, Vec<String>>,
    /// What the search results are called, in the order in which citations count them.
    counted: Vec<Option<String>>,
    /// Documents by the id that citations call them by.
    by_id: HashMap<String, Named>,
    /// Earlier messages are not here: numbers of documents may count theirs.
    partly: bool,
}

/// The number by which a citation counts its source, and whether that is one of the documents, else of the
/// search results.
fn counted_by(source: &Source, citation: &Citation) -> Option<(i64, bool)> {
    let is = |what: &str| source.id.as_deref().is_some_and(|id| id.starts_with(what));
    let place = citation.cited.as_ref().and_then(|cited| cited.location);
    let number = place.and_then(|place| place.document);
    match () {
        () if is("document ") => Some((number.or_else(|| source.number.as_ref()?.parse().ok())?, true)),
        () if is("result ") || source.id.is_none() => Some((number?, false)),
        // Files have names.
        () => None,
    }
}

/// Numbers by which citations name what was not sent so.
struct Missed {
    what: &'static str,
    /// How many were sent.
    of: usize,
    beyond: BTreeSet<i64>,
    /// Those under which something else was sent.
    others: BTreeSet<i64>,
}

impl Missed {
    fn new(what: &'static str, of: usize) -> Self {
        Self { what, of, beyond: BTreeSet::new(), others: BTreeSet::new() }
    }

    fn add(&mut self, number: i64, is_other: bool) {
        let into = if is_other { &mut self.others } else { &mut self.beyond };
        into.insert(number);
    }

    fn words(&self) -> Option<String> {
        let listed = |numbers: &BTreeSet<i64>| {
            let shown: Vec<String> = numbers.iter().take(SHOWN).map(i64::to_string).collect();
            let noun = form(numbers.len(), self.what, &format!("{}s", self.what)).to_owned();
            format!("citations name {noun} {} (counted from 0)", shown.join(", "))
        };
        let beyond = (!self.beyond.is_empty())
            .then(|| format!("{}: the request sent {}", listed(&self.beyond), counted(self.of, self.what)));
        let others = (!self.others.is_empty())
            .then(|| format!("{} by other names than the request sent them", listed(&self.others)));
        let words: Vec<String> = beyond.into_iter().chain(others).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// A document with an id.
#[derive(Debug, Clone, Default)]
struct Named {
    title: Option<String>,
    uri: Option<String>,
    texts: Vec<String>,
}

impl Named {
    /// Of an object with texts under the usual names, or a text.
    fn of(value: &Value) -> Self {
        let field = |keys: &[&str]| keys.iter().find_map(|key| value.get(key)?.as_str()).map(str::to_owned);
        let texts = ["text", "snippet", "content", "snippets", "description"];
        let texts =
            texts.iter().filter_map(|key| value.get(key)).map(strings_of).find(|texts| !texts.is_empty());
        let texts = texts.or_else(|| Some(vec![value.as_str()?.to_owned()])).unwrap_or_default();
        Self { title: field(&["title", "name"]), uri: field(&["url", "uri"]), texts }
    }
}

#[derive(Debug, Clone, Default)]
struct Document {
    title: Option<String>,
    /// Its text, or its blocks.
    texts: Vec<String>,
}

impl Requested {
    /// Of a request's JSON: messages with documents as Anthropic, Bedrock Converse and alike take them.
    pub fn of(request: &Value) -> Self {
        let mut out = Self::default();
        let messages = ["messages", "input", "contents"].iter().find_map(|key| request.get(key));
        let messages = messages.unwrap_or(request);
        for message in messages.as_array().into_iter().flatten() {
            let content = message.get("content").or_else(|| message.get("parts")).unwrap_or(&Value::Null);
            out.collect(content, DEPTH);
            match message.get("role").and_then(Value::as_str) {
                Some("user") => out.question = text_of(content).map(Into::into).or(out.question.take()),
                Some("tool") => out.tool_results(content),
                _ => {}
            }
        }
        let documents = request.get("documents").and_then(Value::as_array).into_iter().flatten();
        for (number, document) in documents.enumerate() {
            let id = document.get("id").map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
            let named = Named::of(document.get("data").unwrap_or(document));
            // Cohere counts those without an id.
            match id {
                Some(id) => drop(out.by_id.insert(id, named)),
                None => drop(out.by_id.entry(format!("doc:{number}")).or_insert(named)),
            }
        }
        let alone = ["prompt", "input", "message", "query"].iter().find_map(|key| request.get(key)?.as_str());
        out.question = out.question.take().or_else(|| alone.map(Into::into));
        let checked =
            ["answerCandidate", "answer_candidate"].iter().find_map(|key| request.get(key)?.as_str());
        out.answer = checked.map(str::to_owned);
        out
    }

    /// Of the messages since the last answer: a document that is counted is one of them where its title says
    /// so.
    #[must_use]
    pub fn since_the_last_answer(self) -> Self {
        Self { partly: true, ..self }
    }

    /// Of the text of a file whose values take no more than so many bytes. What is neither a list of messages
    /// nor a question is no request.
    pub fn read(text: &str, room: usize) -> Result<Self, serde_json::Error> {
        let read = Self::of(&read_within(text, room)?);
        let empty = read.documents.is_empty() && read.results.is_empty() && read.by_id.is_empty();
        if read.question.is_none() && read.answer.is_none() && empty {
            return Err(serde::de::Error::custom(
                "neither messages nor a question stand in it: is it a request?",
            ));
        }
        Ok(read)
    }

    /// What a caller's tool returned: objects under the ids that references name, as Mistral takes them.
    fn tool_results(&mut self, content: &Value) {
        let parsed = content.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let value = parsed.as_ref().unwrap_or(content);
        let members = value.as_object().into_iter().flatten().map(|(id, value)| (id.clone(), value));
        let listed = value.as_array().into_iter().flatten();
        let listed = listed.filter_map(|value| Some((named(value.get("id")?).into_owned(), value)));
        let objects = members.chain(listed).filter(|(_, value)| value.is_object());
        self.by_id.extend(objects.map(|(id, value)| (id, Named::of(value))));
    }

    fn collect(&mut self, content: &Value, depth: usize) {
        for block in content.as_array().into_iter().flatten().filter(|_| depth > 0) {
            let field = |key: &str| block.get(key).and_then(Value::as_str);
            match field("type") {
                Some("document") => self.documents.push(Document {
                    title: field("title").map(str::to_owned),
                    texts: block.get("source").map(document_texts).unwrap_or_default(),
                }),
                Some("search_result") => {
                    let texts = block.get("content").map(texts_of).unwrap_or_default();
                    self.counted.push(field("source").map(str::to_owned));
                    // Of results with one name it is not certain which is cited.
                    if let Some(source) = field("source") {
                        self.results.entry(source.to_owned()).and_modify(Vec::clear).or_insert(texts);
                    }
                }
                _ => {}
            }
            if let Some(result) = block.get("searchResult") {
                self.counted.push(result.get("source").and_then(Value::as_str).map(str::to_owned));
            }
            if let Some(document) = block.get("document") {
                let name = document.get("name").and_then(Value::as_str);
                self.documents.push(Document {
                    title: name.map(str::to_owned),
                    texts: document.get("source").map(document_texts).unwrap_or_default(),
                });
            }
            for inner in ["content", "toolResult", "searchResult"] {
                let below = block.get(inner).map(|below| below.get("content").unwrap_or(below));
                if let Some(below) = below {
                    self.collect(below, depth - 1);
                }
            }
        }
    }

    /// Remarks on documents and search results that citations count and that were not sent.
    fn miss(&self, response: &mut Response) {
        // Where earlier messages are elsewhere, so may be what they sent.
        if self.partly || response.remarks.iter().any(|remark| remark.kind == RemarkKind::NoDocument) {
            return;
        }
        let mut documents = Missed::new("document", self.documents.len());
        let mut results = Missed::new("search result", self.counted.len());
        let (mut first, mut unknown) = (None, BTreeSet::new());
        for citation in response.supports.iter().flat_map(|support| &support.citations) {
            let source = citation.target.source().and_then(|source| response.sources.get(source));
            if let Some(id) = source.and_then(|source| self.unknown(source)) {
                first.get_or_insert_with(|| source.map(|source| source.origin.clone()).unwrap_or_default());
                unknown.insert(id.clone());
            }
            let Some((source, (number, of_document))) =
                source.and_then(|source| Some((source, counted_by(source, citation)?)))
            else {
                continue;
            };
            let missed = if of_document { &mut documents } else { &mut results };
            let sent = usize::try_from(number).ok().filter(|&number| number < missed.of);
            let named = source.uri.as_ref().or(source.document.as_ref());
            let other = sent.filter(|_| !of_document).and_then(|sent| self.counted.get(sent)?.as_ref());
            let is_other = other.zip(named).is_some_and(|(sent, named)| sent.trim() != named.trim());
            if missed.of > 0 && (sent.is_none() || is_other) {
                first.get_or_insert_with(|| source.origin.clone());
                missed.add(number, is_other);
            }
        }
        let Some(origin) = first else { return };
        let unknown = (!unknown.is_empty()).then(|| {
            let shown: Vec<&str> = unknown.iter().take(SHOWN).map(String::as_str).collect();
            let ids = form(unknown.len(), "the id", "the ids");
            format!("citations name {ids} {}, which the request did not send", shown.join(", "))
        });
        let words: Vec<String> =
            [documents, results].iter().filter_map(Missed::words).chain(unknown).collect();
        building::remark(response, RemarkKind::NoDocument, &origin, &words.join("; "));
    }

    /// The id of a source that is named by it alone and that the request, which has ids, does not have.
    fn unknown<'s>(&self, source: &'s Source) -> Option<&'s String> {
        let alone = source.kind == SourceKind::Request && source.uri.is_none() && !source.has_text();
        let id = source.id.as_ref().filter(|id| alone && !id.contains(' ') && !id.starts_with("file"))?;
        (!self.by_id.is_empty() && !self.by_id.contains_key(id)).then_some(id)
    }

    /// Gives a response what it refers to.
    pub fn fill(&self, response: &mut Response) {
        self.miss(response);
        if let Some(answer) = self.answer.as_ref().filter(|_| response.answer.is_none()) {
            response.parts = vec![Part::Text(0..answer.len())];
            response.answer = Some(answer.clone());
        }
        response.about.question = response.about.question.take().or_else(|| self.question.clone());
        let mut library = Shelf::default();
        for index in 0..response.sources.len() {
            let Some(source) = response.sources.get_mut(index) else { continue };
            let number = source.number.as_ref().and_then(|number| number.parse::<usize>().ok());
            let counted = source.kind == SourceKind::Request
                && source
                    .id
                    .as_deref()
                    .is_some_and(|id| id.starts_with("document ") || id.starts_with("file"));
            let document = number.filter(|_| counted).and_then(|number| self.documents.get(number));
            let titled = |document: &&Document| document.title.is_some() && document.title == source.title;
            let document = document.filter(|document| !self.partly || titled(document));
            let named = source.uri.as_ref().or(source.document.as_ref());
            let result = named.and_then(|name| self.results.get(name)).cloned();
            if let Some(document) = document {
                source.title = source.title.take().or_else(|| document.title.clone());
            }
            // Where the response repeats the document, there is nothing to add.
            let named = source.id.as_ref().filter(|_| !counted && !source.has_text());
            let named = named.and_then(|id| self.by_id.get(id));
            if let Some(named) = named {
                source.title = source.title.take().or_else(|| named.title.clone());
                source.uri = source.uri.take().or_else(|| named.uri.clone());
            }
            let texts = document.map(|document| document.texts.clone()).or(result);
            let texts = texts.or_else(|| Some(named?.texts.clone())).unwrap_or_default();
            let chunk = |text| Chunk { text, label: Some(Label::RequestText), ..Chunk::default() };
            match <[String; 1]>::try_from(texts) {
                // What was cited whole is there already.
                Ok([text]) if text.is_empty() || source.chunks.iter().any(|known| known.text == text) => {}
                Ok([text]) => drop(library.passage(response, index, chunk(text))),
                // Citations count blocks: each stays, also where two are alike.
                Err(blocks) => source.chunks.extend(blocks.into_iter().map(chunk)),
            }
        }
    }
}

/// The words of content: text, or the text blocks of a list.
fn text_of(content: &Value) -> Option<String> {
    let texts: Vec<String> = texts_of(content).into_iter().filter(|text| !text.is_empty()).collect();
    Some(texts.join("\n")).filter(|text| !text.is_empty())
}

/// A text, or the texts of a list, however deep.
fn strings_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(list) => list.iter().flat_map(strings_of).collect(),
        _ => Vec::new(),
    }
}

fn texts_of(content: &Value) -> Vec<String> {
    if let Some(text) = content.as_str() {
        return vec![text.to_owned()];
    }
    let blocks = content.as_array().into_iter().flatten();
    // A block of another kind counts, too.
    blocks.map(|block| block.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()).collect()
}

/// The words of a document; of a PDF there are none.
fn document_texts(source: &Value) -> Vec<String> {
    let is_text =
        source.get("media_type").and_then(Value::as_str).is_none_or(|kind| kind.starts_with("text/"));
    if let Some(data) = source.get("data").and_then(Value::as_str).filter(|_| is_text) {
        let packed = source.get("type").and_then(Value::as_str) == Some("base64");
        let text = if packed { decoded(data) } else { Some(data.to_owned()) };
        return text.into_iter().collect();
    }
    let bytes = || source.get("bytes").and_then(Value::as_str).and_then(decoded);
    let texts = source.get("text").or_else(|| source.get("content")).map(texts_of).unwrap_or_default();
    if texts.is_empty() { bytes().into_iter().collect() } else { texts }
}

/// Text in base64; nothing where it is no text.
fn decoded(data: &str) -> Option<String> {
    let text = String::from_utf8(BASE64_STANDARD.decode(data).ok()?).ok()?;
    (!text.starts_with("%PDF") && !text.contains('\0')).then_some(text)
}
