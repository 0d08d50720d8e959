//! The search entry point.

use serde_json::Value;

use crate::format::base64;
use crate::json::wire::wire;
use crate::model::{BlobContent, SearchSuggestions};

wire! {
    pub struct SearchEntryPoint {
        html: Option<String> = "renderedContent";
        blob: Option<String> = "sdkBlob";
    }
}

/// The search entry point, its blob unpacked.
pub fn suggestions(entry: SearchEntryPoint) -> SearchSuggestions {
    let links = entry.blob.as_deref().filter(|blob| !blob.is_empty()).map(blob_content);
    SearchSuggestions { html: entry.html, blob: entry.blob, links }
}

/// Queries and addresses of an `sdkBlob`: Base64 of JSON, whose layout is not documented; any object with a
/// query and an address counts; where there is none, the JSON itself is shown.
fn blob_content(blob: &str) -> Result<BlobContent, String> {
    let bytes = base64::decoded(blob).map_err(|error| format!("not Base64 ({error})"))?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| format!("Base64 of something that is not JSON ({error})"))?;
    let mut links = Vec::new();
    collect_links(&value, &mut links);
    // What the links leave over is to be seen, too.
    let all = links.len() * 2 == scalars(&value);
    Ok(if links.is_empty() || !all { BlobContent::Other(value.into()) } else { BlobContent::Links(links) })
}

/// How many texts and numbers a value holds.
fn scalars(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.iter().map(scalars).sum(),
        Value::Object(object) => object.values().map(scalars).sum(),
        Value::Null => 0,
        _ => 1,
    }
}

fn collect_links(value: &Value, links: &mut Vec<(String, String)>) {
    match value {
        Value::Array(list) => list.iter().for_each(|element| collect_links(element, links)),
        Value::Object(object) => {
            let find = |words: &[&str]| {
                let hit = object.iter().find(|(key, value)| {
                    value.is_string() && words.iter().any(|word| key.to_lowercase().contains(word))
                });
                hit.and_then(|(_, value)| value.as_str()).map(str::to_owned)
            };
            match (find(&["query", "text", "term"]), find(&["uri", "url", "link"])) {
                (Some(query), Some(uri)) => links.push((query, uri)),
                _ => object.values().for_each(|inner| collect_links(inner, links)),
            }
        }
        _ => {}
    }
}
