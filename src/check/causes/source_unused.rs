//! Sources that nothing cites.

use crate::check::Finding;
use crate::check::finding::{listed, on_sources};
use crate::model::{RemarkKind, SourceKind};
use crate::review::Review;
use crate::text::counted;

rule!(SOURCE_UNUSED {
    id: "source-unused",
    group: Sources,
    severity: Note,
    summary: "sources that nothing cites",
    help: "retrieved, but no words of the answer rest on them",
    explain: r#"Sources were sent that no support cites. They were retrieved and the model used nothing of them,
as far as the response tells; maps and file search send many of these. A list of all sources
shows them beside those that back words.

It is known by counting who cites what.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}},
   {"web": {"uri": "https://city.example/rio", "title": "city.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: list cited sources only, or the others apart.
"#,
});

/// Where nothing at all is cited, results of tools are no sources that were left unused.
pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    // A piece of a response says by itself what is missing.
    if response.supports.is_empty()
        && response.remarks.iter().any(|remark| remark.kind == RemarkKind::Fragment)
    {
        return;
    }
    if response.supports.is_empty() && response.sources.iter().all(|source| source.kind == SourceKind::Tool) {
        return;
    }
    // What a search brought and nobody cites is no source of the answer, nor is a file that the model made.
    let offered = |source: &usize| {
        let source = response.sources.get(*source);
        source.is_some_and(|source| !source.retrieved && source.kind != SourceKind::File)
    };
    let unused = review.uncited().filter(offered).collect();
    found.extend(on_sources(&SOURCE_UNUSED, response, unused, |unused| {
        let all = counted(response.sources.len(), "source");
        format!("{} of {all} never cited: {}", unused.len(), listed(unused))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Stream, cited, fires, pages, silent, whole};

    #[test]
    fn cited_sources_and_results_of_tools_that_nothing_cites_are_left_alone() {
        let two = pages(&["https://a.example", "https://b.example"]);
        fires(&SOURCE_UNUSED, &cited("Nine.", &[("Nine.", &[1])], two));
        silent(&SOURCE_UNUSED, &whole("Nine."));
        let Stream { answer, end, .. } = Stream::new();
        silent(&SOURCE_UNUSED, &Stream::of(&[&answer, &end]));
    }
}
