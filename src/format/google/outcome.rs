//! How an answer ended and what the service says of it: safety ratings, recitations, pages that were fetched,
//! scores.

use crate::format::stops::stopped;
use crate::json::values::Word;
use crate::json::wire::wire;
use crate::model::{About, AnswerState, Ending, Page, Recitation, Response, SafetyRating, ScoreNotes};

wire! {
    pub struct RatingSent {
        category: Option<Word> = "category";
        probability: Option<Word> = "probability";
        probability_score: Option<f64> = "probabilityScore";
        severity: Option<Word> = "severity";
        severity_score: Option<f64> = "severityScore";
        blocked: Option<bool> = "blocked";
    }

    pub struct CitationMetadata {
        citations: Vec<RecitationSent> = "citationSources" | "citations";
    }

    pub struct RecitationSent whole [] {
        start: Option<i64> = "startIndex";
        end: Option<i64> = "endIndex";
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        license: Option<String> = "license";
        date: Option<PublicationDate> = "publicationDate";
    }

    pub struct PublicationDate {
        year: Option<i64> = "year";
        month: Option<i64> = "month";
        day: Option<i64> = "day";
    }

    pub struct UrlContextMetadata {
        urls: Vec<UrlMetadata> = "urlMetadata";
    }

    pub struct UrlMetadata {
        uri: Option<String> = "retrievedUrl", extra;
        status: Option<Word> = "urlRetrievalStatus", extra;
    }
}

/// Words for the numbers of `HarmCategory`; 0–5 on Vertex AI and in Discovery Engine, 7–11 in the Gemini API.
const HARM: &[&str] = &[
    "HARM_CATEGORY_UNSPECIFIED",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_CIVIC_INTEGRITY",
    "6",
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
    "HARM_CATEGORY_CIVIC_INTEGRITY",
];
const PROBABILITY: &[&str] = &["HARM_PROBABILITY_UNSPECIFIED", "NEGLIGIBLE", "LOW", "MEDIUM", "HIGH"];
const SEVERITY: &[&str] = &[
    "HARM_SEVERITY_UNSPECIFIED",
    "HARM_SEVERITY_NEGLIGIBLE",
    "HARM_SEVERITY_LOW",
    "HARM_SEVERITY_MEDIUM",
    "HARM_SEVERITY_HIGH",
];

/// Words for the numbers of `UrlRetrievalStatus`.
const RETRIEVAL: &[&str] = &["UNSPECIFIED", "SUCCESS", "ERROR", "PAYWALL", "UNSAFE"];

/// Safety ratings with the words of their enums.
pub fn safety(list: Vec<RatingSent>) -> Vec<SafetyRating> {
    let rating = |wire: RatingSent| SafetyRating {
        category: wire.category.map(|word| word.named(HARM)),
        probability: wire.probability.map(|word| word.named(PROBABILITY)),
        probability_score: wire.probability_score,
        severity: wire.severity.map(|word| word.named(SEVERITY)),
        severity_score: wire.severity_score,
        blocked: wire.blocked,
    };
    list.into_iter().map(rating).collect()
}

/// Recitations and the pages that URL context fetched.
pub fn recitations(
    about: &mut About,
    recitations: Option<CitationMetadata>,
    urls: Option<UrlContextMetadata>,
) {
    let recitation = |wire: RecitationSent| Recitation {
        start: wire.start,
        end: wire.end,
        uri: wire.uri,
        title: wire.title,
        license: wire.license,
        date: wire.date.and_then(publication_date),
    };
    about.recitations.extend(recitations.into_iter().flat_map(|meta| meta.citations).map(recitation));
    let fetched = |url: UrlMetadata| {
        let status = url.status.map(|word| word.named(RETRIEVAL)).unwrap_or_default();
        let word = status.strip_prefix("URL_RETRIEVAL_STATUS_").unwrap_or(&status);
        Page {
            uri: url.uri.unwrap_or_default(),
            failed: matches!(word, "ERROR" | "PAYWALL" | "UNSAFE"),
            status: word.to_owned(),
        }
    };
    about.fetched.extend(urls.into_iter().flat_map(|meta| meta.urls).map(fetched));
}

/// As much of a date as was sent: year, year and month, or all three.
fn publication_date(date: PublicationDate) -> Option<String> {
    let year = format!("{:04}", date.year?);
    Some(match (date.month, date.day) {
        (Some(month), Some(day)) => format!("{year}-{month:02}-{day:02}"),
        (Some(month), None) => format!("{year}-{month:02}"),
        _ => year,
    })
}

/// What is documented of the scores that a model sends.
pub fn score_notes(model: Option<&str>) -> ScoreNotes {
    let version = |model: &str| model.split("gemini-").nth(1)?.split('-').next()?.parse::<f64>().ok();
    let late = model.and_then(version).is_some_and(|version| version >= 2.5);
    ScoreNotes {
        absent: Some("Gemini 2.5 and later send none"),
        ignored: late.then_some("documented as to be ignored from Gemini 2.5 on"),
        graded: None,
    }
}

/// Pieces of the addresses behind which Google hides a page: opaque, and valid for a limited time.
pub const REDIRECTS: &[&str] = &["/grounding-api-redirect/", "//vertexaisearch.cloud."];

/// What a stream says before it has come to its end.
const UNSAID: &str = "FINISH_REASON_UNSPECIFIED";
/// Words for the numbers of `FinishReason`, as far as Vertex AI and the Gemini API agree.
const FINISH: &[&str] = &[UNSAID, "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER"];

/// A reason to stop in its word.
pub fn finish(sent: Option<Word>) -> Option<String> {
    sent.map(|word| word.named(FINISH)).filter(|word| !word.is_empty())
}

/// Words for the numbers of `BlockReason`, as far as Vertex AI and the Gemini API agree.
const BLOCK: &[&str] = &["UNSPECIFIED", "SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT"];

/// Why a prompt was blocked, in its word; none where it was not.
pub fn blocked(sent: Option<Word>) -> Option<String> {
    sent.map(|word| word.named(BLOCK)).filter(|word| !word.is_empty() && !word.ends_with("UNSPECIFIED"))
}

/// Whether a reason says that there is an end.
pub fn has_ended(finish: Option<&str>) -> bool {
    finish.is_some_and(|word| ![UNSAID, "0", ""].contains(&word))
}

/// What the reason to stop means for a response.
pub fn end(response: &mut Response) {
    let (state, ending) = stopped(response.finish.as_deref());
    response.ending = ending;
    // Behind these the rest of an answer does not come; of one without words they say why.
    let broken = (state, ending) == (AnswerState::Truncated, Ending::Own);
    if broken && response.state == AnswerState::Complete && response.answer.is_some() {
        response.state = state;
    }
}
