//! What is true of a response as a whole, as fields beside its lists.

use serde::ser::SerializeMap;
use serde_json::{Value, json};

use crate::export::secrets;
use crate::model::{About, Recitation, Response, SafetyRating};

/// Writes them.
pub(super) fn write<M: SerializeMap>(map: &mut M, response: &Response, show_secrets: bool) -> Result<(), M::Error> {
    let about = &response.about;
    map.serialize_entry("question", &about.question)?;
    map.serialize_entry("author", &about.author)?;
    map.serialize_entry("invocation", &about.invocation)?;
    map.serialize_entry("branch", &about.branch)?;
    map.serialize_entry(
        "flags",
        &json!({"turn_complete": about.turn_complete, "interrupted": about.interrupted, "long_running_tool_ids": about.long_running}),
    )?;
    map.serialize_entry("created", &about.created)?;
    map.serialize_entry("completed", &about.completed)?;
    map.serialize_entry("grounding_score", &about.grounding_score)?;
    map.serialize_entry("retrieval_score", &about.retrieval_score)?;
    map.serialize_entry("retrieval_threshold", &about.retrieval_threshold)?;
    map.serialize_entry("grounding", about.grounding.word())?;
    map.serialize_entry("finish", &about.finish)?;
    map.serialize_entry("ending", about.ending.word())?;
    map.serialize_entry("blocked", &about.blocked)?;
    map.serialize_entry("skipped", &about.skipped)?;
    map.serialize_entry("query_classes", &pairs(&about.query_classes, |(class, positive)| json!({"type": class, "positive": positive})))?;
    map.serialize_entry("safety", &pairs(&about.safety, rating))?;
    map.serialize_entry("related", &about.related)?;
    map.serialize_entry("search_suggestions", &suggestions(about))?;
    map.serialize_entry("maps_token", &about.maps_token)?;
    map.serialize_entry("fetched", &pairs(&about.fetched, |page| json!({"uri": page.uri, "status": page.status, "failed": page.failed})))?;
    map.serialize_entry("charts", &pairs(&about.charts, |(id, title)| json!({"id": id, "title": title})))?;
    let structured = about.structured.as_deref().map(|text| if show_secrets { text.into() } else { secrets::mask_text(text, false) });
    map.serialize_entry("structured", &structured)?;
    map.serialize_entry("recitations", &pairs(&about.recitations, recitation))?;
    map.serialize_entry("unmatched_flags", &pairs(&about.flags_unmatched, |(id, uri)| json!({"id": id, "flag_uri": uri})))?;
    map.serialize_entry("actions", &secrets::optional(about.actions.as_ref(), show_secrets))?;
    map.serialize_entry("error", &about.error.as_ref().map(|error| json!({"code": error.code, "message": error.message})))
}

fn pairs<T>(list: &[T], object: impl Fn(&T) -> Value) -> Value {
    list.iter().map(object).collect()
}

fn rating(rating: &SafetyRating) -> Value {
    json!({
        "category": rating.category, "probability": rating.probability, "probability_score": rating.probability_score,
        "severity": rating.severity, "severity_score": rating.severity_score, "blocked": rating.blocked,
    })
}

fn suggestions(about: &About) -> Option<Value> {
    let suggestions = about.suggestions.as_ref()?;
    let links = suggestions.links.as_ref().and_then(|links| links.as_ref().ok());
    let links = links.map(|links| pairs(links, |(query, uri)| json!({"query": query, "uri": uri})));
    Some(json!({"rendered_content": suggestions.html, "sdk_blob": suggestions.blob, "links": links}))
}

fn recitation(recitation: &Recitation) -> Value {
    json!({
        "start": recitation.start, "end": recitation.end, "uri": recitation.uri, "title": recitation.title,
        "license": recitation.license, "date": recitation.date,
    })
}
