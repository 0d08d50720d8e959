//! Values of another type than documented.

use std::collections::BTreeMap;

use crate::check::Finding;
use crate::model::Remark;
use crate::text::and_more;

rule!(VALUE_TYPE {
    id: "value-type",
    group: Stream,
    severity: Note,
    summary: "a value of another type than documented, or a key that comes twice",
    help: "read as far as it makes sense; see the raw view",
    explain: r#"A value has another type than documented, a key comes twice in one object, a message is of a kind
that is not documented, or among the parts, claims or sources of an answer stands `null`, a text
without words or an object without any documented field. It is read as far as it makes sense: a
number in a string as that number, the last of two keys. Stricter readers fail here or drop the
field; what is not used is not in the answer either.

It is known by comparing with the documented type in a second pass over the input. One finding
stands for all places alike.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": ["18"]}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: see the raw view at the path that is named.
"#,
});

/// One cause is one finding, wherever it occurs.
pub(super) fn check(mistyped: &[&Remark], found: &mut Vec<Finding>) {
    let mut causes: BTreeMap<&str, Vec<&Remark>> = BTreeMap::new();
    for remark in mistyped {
        causes.entry(&remark.text).or_default().push(remark);
    }
    for (text, remarks) in causes {
        let Some(Remark { origin, .. }) = remarks.first() else { continue };
        let message = format!("{text} at {}{}", origin.path, and_more(remarks.len() - 1));
        found.push(Finding::new(&VALUE_TYPE, origin, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{silent, whole};

    #[test]
    fn values_as_documented_are_left_alone() {
        silent(&VALUE_TYPE, &whole("Fine"));
    }
}
