//! What is asked of the formats together.

use super::interface::Format;
use super::providers::FORMATS;

/// The format of an id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.id == id)
}

/// The format of a JSON of one's own.
pub fn own() -> &'static Format {
    static OWN: Format = super::providers::GENERIC;
    by_id(OWN.id).unwrap_or(&OWN)
}

/// Whether frames of two formats, by their numbers, may be of one stream.
pub fn are_related(one: usize, other: usize) -> bool {
    let family = |number: usize| FORMATS.get(number).map_or("", |format| format.family);
    one == other || !family(one).is_empty() && family(one) == family(other)
}

/// What is read, in a sentence: "answers with citations as Google, … and GitHub send them".
pub fn what_is_read() -> String {
    let mut vendors: Vec<&str> = Vec::new();
    for vendor in FORMATS
        .iter()
        .filter(|format| !format.is_own() && !format.vendor.is_empty())
        .map(|format| format.vendor)
    {
        if !vendors.contains(&vendor) {
            vendors.push(vendor);
        }
    }
    let names = match vendors.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => vendors.concat(),
    };
    format!("answers with citations as {names} send them")
}

/// Whether an address is an opaque redirect of one of the vendors.
pub fn is_redirect(uri: &str) -> bool {
    FORMATS.iter().any(|format| format.facts.is_redirect(uri))
}

/// The formats as Markdown, for the README.
pub fn formats_markdown() -> String {
    let row = |format: &Format| format!("| `{}` | {} | {} |\n", format.id, format.name, format.reads);
    FORMATS.iter().map(row).fold("| id | format | reads |\n|---|---|---|\n".to_owned(), |out, row| out + &row)
}
