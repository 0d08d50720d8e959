//! Addresses that cannot be opened, or not for long.

use crate::check::Finding;
use crate::check::finding::{listed, on_sources, sources_where};
use crate::model::Source;
use crate::review::Review;
use crate::text::is_web;

rule!(SOURCE_ADDRESS {
    id: "source-address",
    group: Sources,
    severity: Warning,
    summary: "an address that is no http or https address",
    help: "it is shown, never opened or linked",
    explain: r#"The address of a source is none that a browser opens: relative, a file path, another scheme, or
broken. It is printed and never linked or opened.

It is known by parsing: http and https with a host are addresses, and gs:// is where documents of
one's own lie; anything else is reported.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: map it to a page before you print links.
"#,
});

rule!(SOURCE_REDIRECT {
    id: "source-redirect",
    group: Sources,
    severity: Note,
    summary: "addresses are opaque redirects that expire",
    help: "the title holds the domain; citescope never resolves them",
    explain: r#"The addresses are Google's redirects: opaque, valid for some days, and they tell Google who
follows them. The title is the domain behind them; the page itself is not named. A printed link
breaks within weeks.

It is known by the path of the address. Nothing is resolved: citescope has no network access.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC",
     "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

Nothing to repair: the service sends no other address. Titles and domains are shown beside it.

What to do: if you need lasting links, resolve them when the answer is made and keep the result.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    // A bucket is where retrieved documents normally lie.
    let is_bucket =
        |uri: &str| ["gs://", "s3://", "collections://"].iter().any(|begin| uri.starts_with(begin));
    let is_other = |source: &Source| {
        source.uri.as_deref().is_some_and(|uri| !uri.is_empty() && !is_web(uri) && !is_bucket(uri))
    };
    let unlinked = sources_where(response, is_other);
    let redirects = sources_where(response, |source| source.redirect);
    found.extend(on_sources(&SOURCE_ADDRESS, response, unlinked, |hits| {
        format!("{} not at an http or https address", listed(hits))
    }));
    found.extend(on_sources(&SOURCE_REDIRECT, response, redirects, |hits| {
        format!("{} behind opaque redirects", listed(hits))
    }));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, silent, with_chunk};

    fn at(uri: &str) -> String {
        with_chunk(json!({"web": {"uri": uri, "title": "t"}}))
    }

    #[test]
    fn blanks_around_an_address_and_no_address_at_all_are_left_alone() {
        fires(&SOURCE_ADDRESS, &at("ftp://x"));
        silent(&SOURCE_ADDRESS, &at(" HTTPS://x.example "));
        silent(&SOURCE_ADDRESS, &at(""));
        silent(
            &SOURCE_ADDRESS,
            &with_chunk(json!({"retrievedContext": {"uri": "gs://b/x.pdf", "title": "t"}})),
        );
    }

    #[test]
    fn only_the_host_and_path_of_an_address_make_it_a_redirect() {
        fires(&SOURCE_REDIRECT, &at("https://vertexaisearch.cloud.google.com/grounding-api-redirect/x"));
        silent(&SOURCE_REDIRECT, &at("https://x.example/?from=vertexaisearch.cloud.google.com"));
    }
}
