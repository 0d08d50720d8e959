//! What LangChain's messages look like.

use serde_json::Value;

use super::cohere;
use super::converse_cites::{CitationsContent, Cite, Sent, Text};
use crate::format::chat::{self, Found};
use crate::format::google::GroundingMetadata;
use crate::format::steps;
use crate::json::values::{KindWord, Whole, Word};
use crate::json::wire::{Cx, Object, Reader, TextOr, Unreadable, wire};
use crate::model::JsonText;
use crate::text::is_web;

wire! {
    pub struct Frame {
        // Of a constructor.
        kwargs: Option<Box<Message>> = "kwargs";
        // Of a message as a dictionary.
        data: Option<Box<Message>> = "data";
        messages: Vec<Frame> = "messages";
        blocks: Vec<Block> = "contentBlocks";
        content: TextOr<BlockOrText> = "content";
        id: Option<Value> = "id";
        kind: Option<KindWord> = "type";
        made: Option<Box<Made>> = "responseMetadata";
        position: Option<KindWord> = "chunkPosition";
        beside: Option<Box<Beside>> = "additionalKwargs";
        calls: Vec<Call> = "toolCalls";
        pieces: Vec<CallPiece> = "toolCallChunks";
        call: Option<String> = "toolCallId";
        name: Option<String> = "name";
        status: Option<String> = "status";
    }

    pub struct Message {
        blocks: Vec<Block> = "contentBlocks";
        content: TextOr<BlockOrText> = "content";
        id: Option<Value> = "id";
        kind: Option<KindWord> = "type";
        made: Option<Box<Made>> = "responseMetadata";
        position: Option<KindWord> = "chunkPosition";
        beside: Option<Box<Beside>> = "additionalKwargs";
        calls: Vec<Call> = "toolCalls";
        pieces: Vec<CallPiece> = "toolCallChunks";
        call: Option<String> = "toolCallId";
        name: Option<String> = "name";
        status: Option<String> = "status";
    }

    pub struct Beside {
        refusal: Option<String> = "refusal";
        grounding: Option<GroundingMetadata> = "groundingMetadata";
        citations: Vec<Listed> = "citations";
        results: Vec<Found> = "searchResults";
        annotations: Vec<chat::Annotation> = "annotations";
        documents: Vec<Value> = "documents";
        // Calls of OpenAI's own tools, as older versions leave them.
        outputs: Vec<Block> = "toolOutputs";
    }

    pub struct Made {
        model: Option<String> = "modelName" | "model";
        finish: Option<Word> = "finishReason" | "stopReason" | "doneReason";
        status: Option<String> = "status";
        incomplete: Option<Reason> = "incompleteDetails";
        feedback: Option<Feedback> = "promptFeedback";
        grounding: Option<GroundingMetadata> = "groundingMetadata";
    }

    pub struct Reason {
        reason: Option<String> = "reason";
    }

    pub struct Feedback {
        blocked: Option<Word> = "blockReason", extra;
    }

    pub struct Call {
        name: Option<String> = "name";
        args: Option<Value> = "args";
        id: Option<String> = "id";
        kind: Option<KindWord> = "type";
    }

    /// A piece of a call: its arguments are part of a JSON text.
    pub struct CallPiece {
        name: Option<String> = "name";
        args: Option<String> = "args";
        id: Option<String> = "id";
        index: Option<Word> = "index";
        kind: Option<KindWord> = "type";
    }

    pub struct Block takes 2048 whole ["cachePoint", "guardContent"] says ["text"] {
        index: Option<Word> = "index";
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
        reasoning: Option<String> = "reasoning";
        refusal: Option<String> = "refusal";
        annotations: Vec<Annotation> = "annotations" | "citations";
        id: Option<String> = "id";
        name: Option<String> = "name";
        args: Option<Value> = "args" | "input";
        call: Option<String> = "toolCallId" | "toolUseId";
        // What a tool found, as the library and as Anthropic and OpenAI call it.
        output: Option<JsonText> = "output", kept;
        content: Option<JsonText> = "content", kept;
        action: Option<JsonText> = "action", kept;
        results: Option<JsonText> = "results", kept;
        queries: Vec<String> = "queries";
        status: Option<String> = "status";
        error: Option<JsonText> = "error", kept;
        // As the library for JavaScript leaves what Converse sends.
        cited: Option<CitationsContent> = "citationsContent";
    }

    pub struct Annotation takes 2304 whole [] {
        kind: Option<KindWord> = "type";
        url: Option<String> = "url";
        title: Option<String> = "title" | "documentTitle";
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        text: Option<String> = "citedText";
        extras: Option<Extras> = "extras";
        // Anthropic's own, as older versions leave them.
        source: Option<String> = "source";
        document: Option<i64> = "documentIndex";
        result: Option<i64> = "searchResultIndex";
        file: Option<String> = "fileId";
        filename: Option<String> = "filename";
        first_char: Option<i64> = "startCharIndex";
        last_char: Option<i64> = "endCharIndex";
        first_page: Option<i64> = "startPageNumber";
        last_page: Option<i64> = "endPageNumber";
        first_block: Option<i64> = "startBlockIndex";
        last_block: Option<i64> = "endBlockIndex";
        // Converse's own, likewise.
        content: Vec<Text> = "sourceContent";
        location: Option<Box<Sent>> = "location";
        // One that LangChain knows no kind of its own for: `non_standard_annotation`.
        held: Option<Box<Annotation>> = "value";
    }

    pub struct Extras {
        location: Option<Box<Sent>> = "location";
        source: Option<String> = "source";
        document: Option<i64> = "documentIndex";
        result: Option<i64> = "searchResultIndex";
        file: Option<String> = "fileId";
        first_char: Option<i64> = "startCharIndex";
        last_char: Option<i64> = "endCharIndex";
        first_page: Option<i64> = "startPageNumber";
        last_page: Option<i64> = "endPageNumber";
        first_block: Option<i64> = "startBlockIndex";
        last_block: Option<i64> = "endBlockIndex";
        google: Option<Value> = "googleAiMetadata";
    }
}

/// An address, or a citation as Cohere sends it.
#[derive(Debug, Default, Clone)]
pub struct Listed {
    pub address: Option<String>,
    pub cite: cohere::Cite,
}

/// A block, or its text alone: Gemini's text without a signature becomes such a string.
#[derive(Debug, Default, Clone)]
pub struct BlockOrText(pub Block);

impl Object for BlockOrText {
    /// Most are texts, which become no thing of their own.
    const TAKES: usize = 1216;
    const BESIDES: Option<&'static [&'static str]> = Block::BESIDES;

    /// In chunks the annotations of a text, and its id, come by themselves.
    fn lacks(&self) -> Option<&'static str> {
        self.0.lacks().filter(|_| self.0.index.is_none())
    }

    fn set(
        &mut self,
        key: &str,
        reader: &mut Reader<'_>,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, Unreadable> {
        self.0.set(key, reader, cx, seen)
    }

    fn from_text(text: &str) -> Option<Self> {
        Some(Self(Block { text: Some(text.to_owned()), ..Block::default() }))
    }
}

impl Object for Listed {
    fn set(
        &mut self,
        key: &str,
        reader: &mut Reader<'_>,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, Unreadable> {
        self.cite.set(key, reader, cx, seen)
    }

    fn from_text(text: &str) -> Option<Self> {
        Some(Self { address: Some(text.to_owned()), ..Self::default() })
    }
}

impl Block {
    /// What it has as JSON in a text is read as that.
    pub fn unfold(&mut self) {
        for value in [&mut self.output, &mut self.content, &mut self.action, &mut self.results] {
            *value = value.take().map(|value| steps::unfolded(&value).into_owned());
        }
    }
}

impl From<Cite> for Annotation {
    fn from(cite: Cite) -> Self {
        let location = cite.location.map(Box::new);
        Self { title: cite.title, source: cite.source, content: cite.content, location, ..Self::default() }
    }
}

impl Annotation {
    /// What stands beside it where it is not among the extras.
    pub fn own(&self) -> Extras {
        Extras {
            document: self.document,
            result: self.result,
            file: self.file.clone(),
            first_char: self.first_char,
            last_char: self.last_char,
            first_page: self.first_page,
            last_page: self.last_page,
            first_block: self.first_block,
            last_block: self.last_block,
            google: None,
            location: self.location.clone(),
            source: None,
        }
    }

    /// The citation of Converse that it is, where it says a place as that does, or words of it.
    pub fn of_converse(&mut self) -> Option<Cite> {
        if !self.is_of_converse() {
            return None;
        }
        let location = self.location.take().or_else(|| self.extras.as_mut()?.location.take());
        let mut content = std::mem::take(&mut self.content);
        content.extend(self.text.take().map(|text| Text { text: Some(text) }));
        Some(Cite {
            title: self.title.take(),
            source: self.url.take().or_else(|| self.named()),
            content,
            location: location.map(|sent| *sent),
        })
    }

    /// Whether it is one of Converse's.
    pub fn is_of_converse(&self) -> bool {
        let among_extras = || self.extras.as_ref().is_some_and(|extras| extras.location.is_some());
        self.location.is_some() || !self.content.is_empty() || among_extras()
    }

    /// The address of a search result, or what one calls it.
    fn named(&mut self) -> Option<String> {
        self.source.take().or_else(|| self.extras.as_mut()?.source.take())
    }

    /// Whether it names a source in any way.
    pub fn names(&self) -> bool {
        let own = [&self.url, &self.title, &self.source, &self.file, &self.filename, &self.text];
        own.iter().any(|name| name.is_some())
            || self.document.or(self.result).is_some()
            || self.extras.is_some()
            || self.is_of_converse()
    }

    /// Its address.
    pub fn address(&mut self) -> Option<String> {
        self.url.take().or_else(|| self.named().filter(|source| is_web(source)))
    }
}
