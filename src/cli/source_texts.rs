//! `--source-text FILE.jsonl`: reading it.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use super::args::Common;
use super::failure::Failure;
use crate::session::{SourceTexts, TextFor};
use crate::store::{LineError, lines_of};

/// A line; other fields are nobody's business.
#[derive(Deserialize)]
struct Given {
    uri: Option<String>,
    record: Option<usize>,
    item: Option<usize>,
    index: Option<usize>,
    text: String,
}

/// The texts that `--source-text` names.
pub(super) fn texts(common: &Common) -> Result<Option<Arc<SourceTexts>>, Failure> {
    common.source_text.as_deref().map(|path| read(path).map(Arc::new)).transpose()
}

/// Reads a file of texts; the first line that cannot be used ends it.
fn read(path: &Path) -> Result<SourceTexts, Failure> {
    let mut texts = SourceTexts::default();
    for line in lines_of(Some(path)).map_err(|error| Failure::Because(error.to_string()))? {
        let number = line.number;
        let given = line.text.and_then(|text| parse(&text));
        let (target, text) = given.map_err(|LineError { column, what }| {
            let lines =
                r#"a line is {"uri": "https://…", "text": "…"} or {"record": 0, "index": 0, "text": "…"}"#;
            Failure::Because(format!("{}:{number}:{column}: {what}; {lines}", path.display()))
        })?;
        texts.add(target, text);
    }
    Ok(texts)
}

fn parse(line: &str) -> Result<(TextFor, String), LineError> {
    let refuse = |what: &str| LineError { column: 1, what: what.to_owned() };
    // The parser would take an array for the fields in order.
    if !line.trim_start().starts_with('{') {
        return Err(refuse("this is no object"));
    }
    let given: Given = serde_json::from_str(line).map_err(|error| LineError::of_json(line, &error))?;
    let target = match (given.record, given.index, given.uri) {
        (Some(record), Some(index), _) => TextFor::Record { record, item: given.item, index },
        (_, _, Some(uri)) => TextFor::Address(uri),
        (Some(_), None, None) => return Err(refuse("`record` needs `index`, both from 0")),
        (None, _, None) => return Err(refuse("which source? `uri`, or `record` and `index`, are missing")),
    };
    Ok((target, given.text))
}
