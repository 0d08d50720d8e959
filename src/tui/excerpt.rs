//! What a row of the list says in words.

use crate::model::Response;
use crate::review::Review;
use crate::text::line_lead;

/// Calls that are named.
const CALLED: usize = 2;

/// What a row says in words, read when it comes into view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The question, else the beginning of the answer, or what is wrong.
    pub text: String,
    /// What is special about it; empty for a plain answer.
    pub special: String,
}

impl Excerpt {
    /// Of a response.
    pub(super) fn of(review: &Review) -> Self {
        let response = &review.response;
        let special = match () {
            () if response.is_question() => "question".to_owned(),
            () if response.partial => "partial".to_owned(),
            () => told_of(review),
        };
        let claims =
            || response.supports.iter().find_map(|support| support.segment.as_ref()?.quote.as_deref());
        let error = || response.about.error.as_ref().and_then(|error| error.message.as_deref());
        let answer = response.answer.as_deref().filter(|text| !text.trim().is_empty());
        // The answers of a session stand below the questions, which have rows of their own.
        let asked =
            response.about.question.as_deref().filter(|text| review.item == 0 && !text.trim().is_empty());
        let text = asked.or(answer).or_else(claims).or_else(error).unwrap_or("(no answer text)");
        Self { text: bare(text).chars().take(200).collect(), special }
    }
}

/// Who answered, or of how many lines it was put together: where ids repeat, that may be too many.
fn told_of(review: &Review) -> String {
    let by = by(&review.response);
    let lines = review.sent.joined_lines().filter(|_| by.is_empty());
    lines.map_or(by, |lines| format!("of {lines} lines"))
}

/// Who answered, and what was called on the way: `find_seat → travel_agent`.
fn by(response: &Response) -> String {
    let Some(author) = response.about.author.as_deref() else { return String::new() };
    let mut tools: Vec<&str> = response.traces.iter().filter_map(|trace| trace.tool.as_deref()).collect();
    tools.dedup();
    let called: String = tools.iter().take(CALLED).map(|tool| format!("{tool} → ")).collect();
    let more = if tools.len() > CALLED { "… → " } else { "" };
    format!("{called}{more}{author}")
}

/// The beginning of a text without the signs of Markdown that say nothing in a row.
fn bare(text: &str) -> String {
    let text = text.get(line_lead(text)..).unwrap_or_default().trim_start_matches(['*', '_']);
    text.get(..text.floor_char_boundary(1000)).unwrap_or_default().replace("**", "").replace("\n#", "\n")
}
