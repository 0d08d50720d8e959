//! What is asked of the formats together.

use super::interface::Format;
use super::providers::FORMATS;

/// The format of an id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.id == id)
}

/// What is read, in a sentence: "Gemini and Vertex AI responses, … and Bigdata.com Research Agent streams".
pub fn what_is_read() -> String {
    let words: Vec<&str> =
        FORMATS.iter().map(|format| format.plural).filter(|words| !words.is_empty()).collect();
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => words.concat(),
    }
}

/// Whether an address is an opaque redirect of one of the vendors.
pub fn is_redirect(uri: &str) -> bool {
    FORMATS.iter().any(|format| format.facts.is_redirect(uri))
}

/// Keys below which every value is a credential, of all formats.
pub fn secret_keys() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.secrets).copied()
}

/// The formats as Markdown, for the README.
pub fn formats_markdown() -> String {
    let row = |format: &Format| format!("| `{}` | {} | {} |\n", format.id, format.name, format.reads);
    FORMATS.iter().map(row).fold("| id | format | reads |\n|---|---|---|\n".to_owned(), |out, row| out + &row)
}
