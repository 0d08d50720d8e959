//! The response pane: everything that is true of the response as a whole.

use super::super::doc::Doc;
use super::super::state::State;
use super::fields::{MOST, left_out, other_fields, score_in_full, value};
use crate::look::Role;
use crate::model::{About, BlobContent, Grounding, Response};
use crate::review::Review;
use crate::text::html_text;

pub(super) fn response(_: &State, review: &Review, doc: &mut Doc) {
    let response = &review.response;
    identity(response, doc);
    let coverage = review.coverage().map_or_else(
        || "no answer text".to_owned(),
        |share| format!("{:.1} % of the answer rests on a source", share * 100.0),
    );
    doc.field(0, "coverage", &coverage, Role::Plain);
    scores(&response.about, doc);
    outcome(response, doc);
    event(&response.about, doc);
    suggestions(&response.about, doc);
    recitations(&response.about, doc);
    lists(&response.about, doc);
    for notice in review.notices() {
        doc.field(0, "input", &notice.to_string(), Role::Warning);
    }
    other_fields(review, None, doc);
}

/// Lays out a list, the first ones of a long one.
fn some_of<T>(list: &[T], doc: &mut Doc, each: impl Fn(&T, &mut Doc)) {
    list.iter().take(MOST).for_each(|item| each(item, doc));
    left_out(0, list.len().saturating_sub(MOST), doc);
}

fn identity(response: &Response, doc: &mut Doc) {
    let about = &response.about;
    let fields = [
        ("question", about.question.as_deref()),
        ("id", response.id.as_deref()),
        ("model", response.model.as_deref()),
        ("role", response.role.as_deref()),
        ("state", Some(response.state.word())),
        ("finish", response.finish.as_deref()),
        ("created", about.created.as_deref()),
        ("completed", about.completed.as_deref()),
    ];
    for (label, text) in fields {
        if let Some(text) = text {
            doc.field(0, label, text, Role::Plain);
        }
    }
    if let (Some(created), Some(completed)) =
        (time(about.created.as_deref()), time(about.completed.as_deref()))
    {
        let seconds = completed.duration_since(created).as_secs_f64();
        let words = if seconds < 0.0 {
            format!("{seconds:.1} s: completed before it was created")
        } else {
            format!("{seconds:.1} s")
        };
        doc.field(0, "took", &words, Role::Plain);
    }
    match response.grounding {
        Grounding::Absent if !response.is_question() => {
            doc.text(0, "no grounding metadata: the model answered without search", Role::Warning, 3)
        }
        Grounding::Empty => doc.text(0, "the grounding metadata is empty", Role::Warning, 3),
        Grounding::Unattributed => doc.text(0, "searched, but nothing was attributed", Role::Warning, 3),
        _ => 0,
    };
}

fn time(text: Option<&str>) -> Option<jiff::Timestamp> {
    text?.parse().ok()
}

fn scores(about: &About, doc: &mut Doc) {
    if let Some(value) = about.grounding_score {
        doc.field(0, "grounding score", &score_in_full(value), Role::Plain);
    }
    if let Some(value) = about.retrieval_score {
        let threshold = about
            .retrieval_threshold
            .map(|threshold| format!(" (threshold of the request {threshold})"))
            .unwrap_or_default();
        doc.field(0, "dynamic retrieval score", &format!("{}{threshold}", score_in_full(value)), Role::Plain);
    }
    some_of(&about.safety, doc, |rating, doc| {
        let number = |score: Option<f64>| score.map(|score| format!(" {score}")).unwrap_or_default();
        let mut words = vec![rating.category.clone().unwrap_or_default()];
        words.extend(
            rating
                .probability
                .as_ref()
                .map(|word| format!("probability {word}{}", number(rating.probability_score))),
        );
        words.extend(
            rating.severity.as_ref().map(|word| format!("severity {word}{}", number(rating.severity_score))),
        );
        if rating.probability.is_none() {
            words.extend(rating.probability_score.map(|score| format!("probability {score}")));
        }
        if rating.severity.is_none() {
            words.extend(rating.severity_score.map(|score| format!("severity {score}")));
        }
        words.extend(rating.blocked.map(|blocked| format!("blocked: {blocked}")));
        let role = if rating.blocked == Some(true) { Role::Warning } else { Role::Plain };
        doc.field(0, "safety", &words.join(" · "), role);
    });
}

fn outcome(response: &Response, doc: &mut Doc) {
    let about = &response.about;
    some_of(&about.skipped, doc, |reason, doc| {
        doc.field(0, "skipped", &format!("{reason}: {}", response.facts.reason(reason)), Role::Warning);
    });
    some_of(&about.query_classes, doc, |(class, positive), doc| {
        let words = match positive {
            Some(true) => format!("{class}: applies (true)"),
            Some(false) => format!("{class}: does not apply (false)"),
            None => format!("{class}: not said"),
        };
        doc.field(
            0,
            "query class",
            &words,
            if *positive == Some(true) { Role::Warning } else { Role::Plain },
        );
    });
    if let Some(reason) = &about.blocked {
        doc.field(0, "blocked", reason, Role::Warning);
    }
    if let Some(error) = &about.error {
        let words: Vec<&str> =
            [error.code.as_deref(), error.message.as_deref()].into_iter().flatten().collect();
        doc.field(0, "error", &words.join(": "), Role::Error);
    }
}

fn event(about: &About, doc: &mut Doc) {
    let fields = [("author", &about.author), ("invocation", &about.invocation), ("branch", &about.branch)];
    for (label, text) in fields {
        if let Some(text) = text {
            doc.field(0, label, text, Role::Plain);
        }
    }
    for (label, flag) in [("turn complete", about.turn_complete), ("interrupted", about.interrupted)] {
        if let Some(flag) = flag {
            doc.field(0, label, &flag.to_string(), Role::Plain);
        }
    }
    some_of(&about.long_running, doc, |id, doc| doc.field(0, "long-running call", id, Role::Plain));
    if let Some(actions) = about.actions.as_ref().filter(|actions| actions.as_json() != "{}") {
        doc.line(&[("actions", Role::Dim)]);
        value(2, actions, doc);
    }
}

fn suggestions(about: &About, doc: &mut Doc) {
    let Some(suggestions) = &about.suggestions else { return };
    doc.line(&[("search suggestions", Role::Strong)]);
    match &suggestions.links {
        Some(Ok(BlobContent::Links(links))) => {
            some_of(links, doc, |(query, uri), doc| doc.field(2, &format!("{query} →"), uri, Role::Address));
        }
        Some(Ok(BlobContent::Other(decoded))) => {
            doc.line(&[("  sdkBlob, decoded", Role::Dim)]);
            value(4, decoded, doc);
        }
        Some(Err(error)) => {
            doc.text(2, &format!("sdkBlob cannot be read: {error}"), Role::Warning, 3);
        }
        None => {}
    }
    if let Some(html) = &suggestions.html {
        let text = html_text(html, doc.width().saturating_sub(4));
        doc.text(2, if text.trim().is_empty() { "(HTML without text)" } else { &text }, Role::Plain, 30);
        doc.field_most(2, "HTML", html.trim(), Role::Dim, 40);
    }
    if let Some(blob) = &suggestions.blob {
        doc.field_most(2, "sdkBlob", blob, Role::Dim, 12);
    }
}

fn recitations(about: &About, doc: &mut Doc) {
    if about.recitations.is_empty() {
        return;
    }
    doc.line(&[("recitations (licence and copyright, not grounding)", Role::Strong)]);
    some_of(&about.recitations, doc, |recitation, doc| {
        let place = format!(
            "{}–{}",
            recitation.start.unwrap_or_default(),
            recitation.end.map_or_else(|| "?".to_owned(), |end| end.to_string())
        );
        let parts = [
            recitation.title.as_deref(),
            recitation.uri.as_deref(),
            recitation.license.as_deref(),
            recitation.date.as_deref(),
        ];
        let words: Vec<&str> = parts.into_iter().flatten().filter(|text| !text.is_empty()).collect();
        doc.field(2, &place, &words.join(" · "), Role::Plain);
    });
}

fn lists(about: &About, doc: &mut Doc) {
    some_of(&about.related, doc, |question, doc| doc.field(0, "related question", question, Role::Plain));
    some_of(&about.fetched, doc, |page, doc| {
        doc.field(0, &format!("fetched ({})", page.status), &page.uri, Role::Plain);
    });
    if let Some(token) = &about.maps_token {
        doc.field_most(0, "maps widget token", token, Role::Dim, 12);
    }
    some_of(&about.flags_unmatched, doc, |(id, uri), doc| {
        doc.field(0, &format!("flag {id}"), uri, Role::Plain);
    });
    some_of(&about.charts, doc, |(id, title), doc| doc.field(0, &format!("chart {id}"), title, Role::Plain));
    if let Some(text) = &about.structured {
        doc.line(&[("structured output", Role::Strong)]);
        doc.text(2, text, Role::Plain, usize::MAX);
    }
}
