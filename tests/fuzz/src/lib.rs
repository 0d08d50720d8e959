//! What the targets share.

use arbitrary::Arbitrary;
use citescope::export::json;
use citescope::json::write;
use citescope::review::{Review, Splice};
use citescope::session::{Session, Supplied};
use serde_json::{Value, json};

pub fn open(bytes: &[u8]) -> Session {
    Session::from_bytes("f", bytes.to_vec())
}

/// What a repair writes, where the input has a place for it.
pub fn splices(review: &Review) -> Vec<Splice> {
    review.splices(&review.repairs().edits).filter_map(|(_, splice)| splice).collect()
}

/// A segment: offsets as likely near the answer as far from it, and whose words are quoted.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub struct Span {
    start: i16,
    length: i16,
    quote: Quote,
    source: u8,
}

#[derive(Debug, Clone, Copy, Arbitrary)]
enum Quote {
    None,
    /// The words between the offsets, as bytes.
    Own,
    /// The words that begin so many bytes later.
    Off(i8),
    /// The same, cut with an ellipsis.
    Elided,
}

/// An answer with its spans and what its sources say.
#[derive(Debug, Arbitrary)]
pub struct Grounded {
    answer: String,
    spans: Vec<Span>,
    chunks: Vec<String>,
    thought: bool,
}

impl Grounded {
    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// As Gemini sends it.
    pub fn json(&self) -> String {
        let chunks = self.chunks.iter().enumerate();
        let chunk = |(number, text): (usize, &String)| {
            let uri = format!("https://s.example/{number}");
            json!({"retrievedContext": {"uri": uri, "title": text.lines().next(), "text": text}})
        };
        let chunks: Vec<Value> = chunks.map(chunk).collect();
        let supports: Vec<Value> = self.spans.iter().map(|span| self.support(span)).collect();
        let mut parts = vec![json!({"text": self.answer})];
        if self.thought {
            parts.insert(0, json!({"text": "Thinking it over: ", "thought": true}));
        }
        let metadata = json!({"groundingChunks": chunks, "groundingSupports": supports});
        json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP", "groundingMetadata": metadata}]})
            .to_string()
    }

    fn support(&self, span: &Span) -> Value {
        let (start, end) = (i64::from(span.start), i64::from(span.start) + i64::from(span.length));
        let words = |by: i64| {
            let at = |offset: i64| self.answer.floor_char_boundary(usize::try_from(offset + by).unwrap_or(0));
            self.answer.get(at(start)..at(end)).unwrap_or_default().to_owned()
        };
        let text = match span.quote {
            Quote::None => Value::Null,
            Quote::Own => words(0).into(),
            Quote::Off(by) => words(i64::from(by)).into(),
            Quote::Elided => format!("{}…", words(0)).into(),
        };
        json!({"segment": {"startIndex": start, "endIndex": end, "text": text}, "groundingChunkIndices": [span.source]})
    }
}

/// The document of all responses of some bytes.
pub fn document(bytes: &[u8]) -> String {
    let session = open(bytes).with(Supplied { show_secrets: true, ..Supplied::default() });
    let mut out = Vec::new();
    let responses = session.reviews().filter_map(Result::ok);
    write::write(&mut out, &json::Document::new(responses), true).unwrap();
    String::from_utf8(out).unwrap()
}
