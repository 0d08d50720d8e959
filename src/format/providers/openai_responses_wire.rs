//! OpenAI Responses as it is sent: events, the response, its items.

use crate::json::values::{KindWord, Whole, Word};
use crate::json::wire::{TextOr, wire};
use crate::model::JsonText;

wire! {
    pub struct Event {
        kind: Option<KindWord> = "type";
        response: Option<Box<Sent>> = "response";
        item: Option<Box<Output>> = "item";
        part: Option<Content> = "part";
        annotation: Option<Annotation> = "annotation";
        output: Option<i64> = "outputIndex";
        content: Option<i64> = "contentIndex";
        delta: Option<String> = "delta";
        text: Option<String> = "text";
        // Housekeeping of the stream.
        number: Option<Word> = "sequenceNumber";
        item_id: Option<Word> = "itemId";
        annotation_index: Option<Word> = "annotationIndex";
        obfuscation: Option<Word> = "obfuscation";
        code: Option<Word> = "code";
        message: Option<String> = "message";
        // Perplexity's agents.
        queries: Vec<String> = "queries";
        results: Vec<Found> = "results";
    }

    pub struct Sent {
        object: Option<KindWord> = "object";
        id: Option<String> = "id";
        model: Option<String> = "model";
        status: Option<KindWord> = "status";
        created: Option<Word> = "createdAt", kept;
        completed: Option<Word> = "completedAt", kept;
        output: Vec<Output> = "output";
        error: Option<Problem> = "error";
        incomplete: Option<Reason> = "incompleteDetails";
    }

    pub struct Problem {
        code: Option<Word> = "code";
        message: Option<String> = "message";
    }

    pub struct Reason {
        reason: Option<String> = "reason";
    }

    pub struct Output takes 3712 whole [] {
        kind: Option<KindWord> = "type";
        id: Option<Word> = "id";
        status: Option<KindWord> = "status";
        role: Option<KindWord> = "role";
        phase: Option<KindWord> = "phase";
        content: TextOr<Content> = "content";
        summary: TextOr<Content> = "summary";
        name: Option<String> = "name";
        arguments: Option<JsonText> = "arguments" | "input";
        action: Option<Action> = "action";
        queries: Vec<String> = "queries";
        results: Vec<Found> = "results";
        contents: Vec<Found> = "contents";
        code: Option<String> = "code";
        logs: Vec<Log> = "outputs";
        returned: Option<JsonText> = "output";
        error: Option<JsonText> = "error", kept;
    }

    pub struct Content whole [] says ["output_text", "text"] {
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
        refusal: Option<String> = "refusal";
        annotations: Vec<Annotation> = "annotations";
    }

    pub struct Annotation takes 1152 whole [] {
        kind: Option<KindWord> = "type";
        // Some gateways hold it as chat completions do.
        cited: Option<Box<Annotation>> = "urlCitation";
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        index: Option<Whole> = "index";
        url: Option<String> = "url";
        title: Option<String> = "title";
        file: Option<String> = "fileId";
        filename: Option<String> = "filename";
    }

    pub struct Action whole [] {
        kind: Option<KindWord> = "type";
        query: Option<String> = "query";
        queries: Vec<String> = "queries";
        sources: Vec<ActionSource> = "sources";
        url: Option<String> = "url";
        pattern: Option<String> = "pattern";
    }

    pub struct ActionSource takes 1152 {
        kind: Option<KindWord> = "type";
        url: Option<String> = "url";
        name: Option<String> = "name";
    }

    /// A passage of a file, or a page as Perplexity's agents list it.
    pub struct Found takes 1024 {
        id: Option<Word> = "id";
        file: Option<String> = "fileId";
        filename: Option<String> = "filename";
        score: Option<f64> = "score";
        text: Option<String> = "text";
        url: Option<String> = "url";
        title: Option<String> = "title";
        snippet: Option<String> = "snippet";
        date: Option<String> = "date";
    }

    pub struct Log {
        logs: Option<String> = "logs";
    }
}

impl Event {
    /// The texts of an item that it repeats whole.
    pub fn wholes(&self) -> impl Iterator<Item = &str> {
        let part = self.part.iter().filter_map(|part| part.text.as_deref());
        let item = self.item.iter().flat_map(|item| item.texts());
        self.text.as_deref().into_iter().chain(part).chain(item)
    }
}

impl Content {
    /// Whether nothing is said in it.
    pub fn is_empty(&self) -> bool {
        let says = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
        !says(&self.text) && !says(&self.refusal) && self.annotations.is_empty()
    }
}

impl Output {
    /// The same of an item.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let listed = self.content.list.iter().filter_map(|piece| piece.text.as_deref());
        self.content.text.as_deref().into_iter().chain(listed)
    }
}
