//! The check-grounding response of Discovery Engine: claims of an answer that only the request has. Offsets
//! are UTF-8 bytes of that answer.

use crate::format::building;
use crate::format::google::REDIRECTS;
use crate::format::interface::{self, Format, FrameGroup, begin, read};
use crate::format::map::looks_like_one;
use crate::json::Peek;
use crate::json::values::{Whole, Word};
use crate::json::wire::{Cx, wire};
use crate::model::{
    Chunk, Citation, Facts, Grade, Label, Layer, List, Place, Response, Segment, SegmentKeys, Source,
    SourceKind, Support, Target,
};

pub const FORMAT: Format = Format {
    id: "check-grounding",
    vendor: "Google",
    short: "check-grounding",
    name: "Discovery Engine check-grounding response",
    reads: "a response, or lines of them; the answer text stands in the request only (--answer FILE, --request FILE, logged pairs)",
    offsets: "UTF-8 bytes of the request's answer; quotes prove them",
    decisive: &["citedChunks", "citedFacts"],
    recognise: |peek| {
        peek.has_any(&["supportScore", "citedChunks", "citedFacts"])
            || peek.has("claims")
                && peek.first("claims").is_some_and(|claim| claim.has("claimText"))
                // Which never has the answer itself.
                && !looks_like_one(peek.kinds())
    },
    group: |_: &Peek| FrameGroup::Alone,
    fold: begin::<Checked>,
    facts: Facts { redirects: REDIRECTS, answer_apart: true, ..Facts::NONE },
    samples: &[sample!(
        "check-grounding.json",
        "Discovery Engine, `check` (grounding)",
        "four claims; the third says 140 metres where its chunk says 112 and has a low score; the answer itself is not in the response"
    )],
    ..Format::PLAIN
};

wire! {
    struct CheckGroundingResponse {
        // Of the request; some keep it with the response.
        answer: Option<String> = "answerCandidate" | "answer";
        score: Option<f64> = "supportScore";
        chunks: Vec<CitedChunk> = "citedChunks";
        facts: Vec<CitedChunk> = "citedFacts";
        claims: Vec<Claim> = "claims";
    }

    struct CitedChunk takes 1152 whole [] {
        text: Option<String> = "chunkText" | "factText";
        fact: Option<Word> = "source";
        title: Option<String> = "title";
        uri: Option<String> = "uri";
        domain: Option<String> = "domain";
    }

    struct Claim takes 1024 whole [] {
        start: Option<Whole> = "startPos";
        end: Option<Whole> = "endPos";
        text: Option<String> = "claimText";
        citations: Vec<Word> = "citationIndices";
        score: Option<f64> = "score";
        required: Option<bool> = "groundingCheckRequired";
    }
}

#[derive(Default, Clone)]
struct Checked(Response);

impl interface::FoldState for Checked {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let wire: CheckGroundingResponse = read(text, cx)?;
        let root = building::root(frame);
        let response = &mut self.0;
        response.origin = root.clone();
        response.about.grounding_score = wire.score;
        if let Some(answer) = &wire.answer {
            building::answer_text(response, answer, true);
        }
        // Indices count in the chunks; before there were any, in the facts.
        let (list, key) =
            if wire.chunks.is_empty() { (wire.facts, "citedFacts") } else { (wire.chunks, "citedChunks") };
        let chunks = root.key(key);
        response.sources.extend(list.into_iter().enumerate().map(|(index, chunk)| {
            Source {
                origin: chunks.item(index),
                kind: SourceKind::Document,
                id: chunk.fact.map(|word| word.0),
                title: chunk.title,
                uri: chunk.uri,
                domain: chunk.domain,
                chunks: chunk
                    .text
                    .into_iter()
                    .map(|text| Chunk { text, label: Some(Label::Fact), ..Chunk::default() })
                    .collect(),
                ..Source::default()
            }
        }));
        let claims = root.key("claims");
        let sources = response.sources.len();
        response.supports.extend(wire.claims.into_iter().enumerate().map(|(index, claim)| {
            Support {
                origin: claims.item(index),
                layer: Layer::Claim,
                segment: Some(Segment {
                    quote: claim.text,
                    ..building::offsets(&OFFSETS, claim.start, claim.end)
                }),
                grade: Grade::new(claim.score, claim.required),
                citations: claim
                    .citations
                    .into_iter()
                    .enumerate()
                    .map(|(number, word)| citation(number, word, sources))
                    .collect(),
                ..Support::default()
            }
        }));
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        vec![self.0]
    }
}

/// Where a claim's citation stands.
static CITATIONS: List = List { key: "citationIndices", leaf: "" };

/// The citation of one of so many sources, of which there may be hundreds of thousands.
fn citation(number: usize, word: Word, sources: usize) -> Citation {
    let known = word.0.parse().ok().filter(|&index: &usize| index < sources);
    let target = known.map_or_else(|| Target::Dangling(word.0.into()), Target::Source);
    Citation::of(target, Place { list: Some(&CITATIONS), index: number as u32 })
}

/// Where the offsets of a support stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "startPos", end: "endPos", text: false };
