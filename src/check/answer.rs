//! Rules on the answer as a whole.

use super::{Finding, counted};
use crate::model::{Ending, Grounding, SourceKind, State};
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    if response.is_question() {
        return;
    }
    state(reviewed, found);
    let about = &response.about;
    let at = |rule: &str, message: String| Finding::new(rule, &response.origin, message);
    match about.grounding {
        Grounding::Absent if !response.partial => {
            found.push(at("ungrounded", "no grounding metadata: the model answered without search".to_owned()));
        }
        Grounding::Unattributed => {
            let queries = if response.queries.len() == 1 { "1 search".to_owned() } else { format!("{} searches", response.queries.len()) };
            found.push(at("searched-unattributed", format!("{queries} ran, but neither chunks nor supports came back")));
        }
        _ => {}
    }
    let contradicts = |support: &crate::model::Support| {
        support.check_required == Some(false) && (support.score.is_some() || !support.citations.is_empty())
    };
    let supports: Vec<usize> =
        response.supports.iter().enumerate().filter(|(_, support)| contradicts(support)).map(|(index, _)| index).collect();
    if let Some(origin) = supports.first().and_then(|&first| response.supports.get(first)).map(|support| support.origin.clone()) {
        let message = format!("{} said to need no grounding check, yet with sources or a score", counted(supports.len(), "support"));
        found.push(Finding::new("check-contradiction", &origin, message).supports(supports));
    }
    if let Some((id, _)) = about.flags_unmatched.first() {
        let more = about.flags_unmatched.len() - 1;
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        found.push(at("flag-orphan", format!("the flagging address for {id:?}{more} joins to no place and no review")));
    }
    let time = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<jiff::Timestamp>().ok());
    if let (Some(created), Some(completed)) = (time(&about.created), time(&about.completed))
        && completed < created
    {
        found.push(at("time-order", format!("completed at {completed}, before it was created at {created}")));
    }
    if let Some(Err(error)) = about.suggestions.as_ref().and_then(|suggestions| suggestions.links.as_ref()) {
        found.push(at("entry-point-broken", format!("sdkBlob cannot be read: {error}; it is shown as sent")));
    }
    let searched = response.queries.iter().any(|query| query.web);
    let web = response.sources.iter().any(|source| source.kind == SourceKind::Web);
    if searched && web && about.suggestions.is_none() {
        found.push(at("entry-point-broken", "Google Search chunks without a searchEntryPoint, which products must show".to_owned()));
    }
}

fn state(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let about = &response.about;
    let at = |rule: &str, message: String| Finding::new(rule, &response.origin, message);
    if !about.skipped.is_empty() {
        let applies: Vec<&str> =
            about.query_classes.iter().filter(|(_, positive)| *positive == Some(true)).map(|(class, _)| class.as_str()).collect();
        let cause = if applies.is_empty() { String::new() } else { format!("; the query was classed as {}", applies.join(", ")) };
        let reasons: Vec<&str> = about.skipped.iter().map(|word| skipped_because(word)).collect();
        found.push(at("answer-skipped", format!("no answer: {}{cause}", reasons.join("; "))));
    }
    let stream_told = response.remarks.iter().any(|remark| remark.kind == crate::model::RemarkKind::Error);
    if response.state == State::Error && !stream_told {
        let failure = about.error.clone().unwrap_or_default();
        let words: Vec<String> = [failure.code, failure.message].into_iter().flatten().collect();
        let words = if words.is_empty() { "the service reports a failure".to_owned() } else { words.join(": ") };
        found.push(at("answer-failed", words));
    }
    let unfinished = response.state == State::Partial && !response.partial || about.interrupted == Some(true);
    if unfinished {
        let words =
            if about.interrupted == Some(true) { "the model was interrupted" } else { "the answer was not complete when this was sent" };
        found.push(at("answer-unfinished", words.to_owned()));
    }
    let safety = about.finish.as_deref().filter(|_| about.ending == Ending::Blocked);
    if about.ending == Ending::Cut {
        let finish = about.finish.as_deref().unwrap_or_default();
        found.push(at(
            "answer-cut",
            format!("the model ran out of tokens ({finish}): the answer breaks off, its last citations may be missing"),
        ));
    }
    let rated = about.safety.iter().any(|rating| rating.blocked == Some(true));
    if let Some(reason) = about.blocked.as_deref().or(safety).or(rated.then_some("a safety rating")) {
        found.push(at("answer-blocked", format!("blocked: {reason}")));
    }
}

/// The provider's reason as a sentence.
pub(crate) fn skipped_because(word: &str) -> &str {
    match word {
        "ADVERSARIAL_QUERY_IGNORED" => "the query was judged adversarial and ignored",
        "NON_ANSWER_SEEKING_QUERY_IGNORED" => "the query seeks no answer (small talk) and was ignored",
        "NON_ANSWER_SEEKING_QUERY_IGNORED_V2" => "the query has no clear intent and was ignored",
        "OUT_OF_DOMAIN_QUERY_IGNORED" => "the query is out of domain: no search result was relevant enough",
        "POTENTIAL_POLICY_VIOLATION" => "a policy may be violated (violent or toxic content)",
        "NO_RELEVANT_CONTENT" => "the search results hold nothing relevant",
        "JAIL_BREAKING_QUERY_IGNORED" => "the query was judged a jailbreak attempt and ignored",
        "CUSTOMER_POLICY_VIOLATION" => "a policy of the customer is violated",
        "LOW_GROUNDED_ANSWER" => "no well-grounded answer could be made",
        "USER_DEFINED_CLASSIFICATION_QUERY_IGNORED" => "the query fell into a class that the user defined, and was ignored",
        "UNHELPFUL_ANSWER" => "the answer was judged unhelpful",
        other => other,
    }
}
