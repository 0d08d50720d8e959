//! What a request held: the question, and the documents into which offsets of citations point.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::shelf::Shelf;
use crate::model::{Chunk, Label, Response, SourceKind};

/// Depth of nesting at which documents are looked for.
const DEPTH: usize = 8;

/// What of a request the responses to it are read with.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Requested {
    /// The last question of the user.
    question: Option<String>,
    /// Documents in their order, by which citations count them.
    documents: Vec<Document>,
    /// Texts of search results, by what citations call them.
    results: HashMap<String, Vec<String>>,
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
            if message.get("role").and_then(Value::as_str) == Some("user") {
                out.question = text_of(content).or(out.question.take());
            }
        }
        let alone = ["prompt", "input", "message", "query"].iter().find_map(|key| request.get(key)?.as_str());
        out.question = out.question.take().or_else(|| alone.map(str::to_owned));
        out
    }

    /// Of the text of a file. What is neither a list of messages nor a question is no request.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        let read = Self::of(&serde_json::from_str(text)?);
        if read.question.is_none() && read.documents.is_empty() && read.results.is_empty() {
            return Err(serde::de::Error::custom(
                "neither messages nor a question stand in it: is it a request?",
            ));
        }
        Ok(read)
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
                    self.results.extend(field("source").map(|source| (source.to_owned(), texts)));
                }
                _ => {}
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

    /// Gives a response what it refers to.
    pub fn fill(&self, response: &mut Response) {
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
            let named = source.uri.as_ref().or(source.document.as_ref());
            let result = named.and_then(|name| self.results.get(name)).cloned();
            if let Some(document) = document {
                source.title = source.title.take().or_else(|| document.title.clone());
            }
            let texts = document.map(|document| document.texts.clone()).or(result).unwrap_or_default();
            let chunk = |text| Chunk { text, label: Some(Label::RequestText), ..Chunk::default() };
            match <[String; 1]>::try_from(texts) {
                Ok([text]) if text.is_empty() => {}
                Ok([text]) => drop(library.passage(response, index, chunk(text))),
                // Citations count blocks: each stays, also where two are alike.
                Err(blocks) => source.chunks.extend(blocks.into_iter().map(chunk)),
            }
        }
    }
}

/// The words of content: text, or the text blocks of a list.
fn text_of(content: &Value) -> Option<String> {
    Some(texts_of(content).join("\n")).filter(|text| !text.is_empty())
}

fn texts_of(content: &Value) -> Vec<String> {
    if let Some(text) = content.as_str() {
        return vec![text.to_owned()];
    }
    let blocks = content.as_array().into_iter().flatten();
    blocks.filter_map(|block| Some(block.get("text")?.as_str()?.to_owned())).collect()
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
