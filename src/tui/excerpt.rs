//! What a row of the list says in words.

use crate::review::Review;

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
            () if response.is_question() => "question",
            () if response.partial => "partial",
            () => response.about.author.as_deref().unwrap_or_default(),
        };
        let claims =
            || response.supports.iter().find_map(|support| support.segment.as_ref()?.quote.as_deref());
        let error = || response.about.error.as_ref().and_then(|error| error.message.as_deref());
        let answer = response.answer.as_deref().filter(|text| !text.trim().is_empty());
        // The answers of a session stand below the questions, which have rows of their own.
        let asked =
            response.about.question.as_deref().filter(|text| review.item == 0 && !text.trim().is_empty());
        let text = asked.or(answer).or_else(claims).or_else(error).unwrap_or("(no answer text)");
        Self { text: text.trim_start().chars().take(200).collect(), special: special.to_owned() }
    }
}
