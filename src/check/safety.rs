//! Rules on what could deceive a reader: characters that steer or hide, addresses that are not what they seem.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use url::Url;

use super::{Finding, counted, is_redirect, listed};
use crate::model::{Source, SourceKind};
use crate::review::Reviewed;
use crate::text::{stand_in, strays};

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    controls(reviewed, found);
    addresses(reviewed, found);
}

fn controls(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let answer: Vec<(usize, char)> = strays(response.text()).filter(|(_, c)| !is_mark(*c)).collect();
    let named = |source: &Source| source.title.iter().chain(&source.uri).any(|text| strays(text).any(|(_, c)| !is_mark(c)));
    let hidden = |source: &Source| named(source) || source.chunks.iter().any(|chunk| steers(&chunk.text));
    let sources: Vec<usize> = response.sources.iter().enumerate().filter(|(_, source)| hidden(source)).map(|(index, _)| index).collect();
    if let Some((_, first)) = answer.first() {
        let shown = stand_in(*first).unwrap_or_default();
        let message = format!(
            "{} in the answer that steer, reorder or hide text, the first {shown} ({})",
            counted(answer.len(), "character"),
            kind(*first)
        );
        let places: Vec<Range<usize>> = answer.iter().map(|(at, c)| *at..at + c.len_utf8()).collect();
        found.push(Finding::new("text-control", &response.origin, message).places(places));
    }
    if let Some(origin) = sources.first().and_then(|&first| response.sources.get(first)).map(|source| source.origin.clone()) {
        let message = format!("{}: title, address or text holds characters that steer, reorder or hide text", listed(&sources));
        found.push(Finding::new("text-control", &origin, message).sources(sources));
    }
}

/// Marks of direction belong to text from right to left, soft hyphens to typesetting.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{61C}' | '\u{AD}')
}

/// Whether a passage holds a control character or one that changes the direction of text. Passages are long, so this
/// looks at bytes: C0 and DEL, C1 (C2 80 to 9F), U+202A to 202E and U+2066 to 2069 (E2 80 AA to AE, E2 81 A6 to A9).
fn steers(text: &str) -> bool {
    let bytes = text.as_bytes();
    let plain = |plain: bool, byte: &u8| plain & matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r' | 0x80..);
    let wide = |at: usize| match bytes.get(at..) {
        Some([0xC2, 0x80..=0x9F, ..] | [0xE2, 0x80, 0xAA..=0xAE, ..] | [0xE2, 0x81, 0xA6..=0xA9, ..]) => true,
        Some(_) | None => false,
    };
    !bytes.iter().fold(true, plain) || memchr::memchr2_iter(0xC2, 0xE2, bytes).any(wide)
}

fn kind(c: char) -> &'static str {
    match c {
        '\u{1B}' | '\u{9B}' => "begins a terminal sequence",
        _ if c.is_control() => "a control character",
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => "changes the direction of the text",
        '\u{E0000}'..='\u{E0FFF}' => "a tag that nobody sees",
        _ => "has no width",
    }
}

fn addresses(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let sources = &reviewed.response.sources;
    let hits: Vec<(usize, String)> = sources.iter().enumerate().filter_map(|(index, source)| Some((index, deception(source)?))).collect();
    let Some((first, why)) = hits.first() else { return };
    let Some(origin) = sources.get(*first).map(|source| source.origin.clone()) else { return };
    let more = if hits.len() > 1 {
        format!("; also {}", listed(&hits.iter().skip(1).map(|(index, _)| *index).collect::<Vec<_>>()))
    } else {
        String::new()
    };
    let message = format!("source [{}]: {why}{more}", first + 1);
    found.push(Finding::new("address-deceptive", &origin, message).sources(hits.into_iter().map(|(index, _)| index).collect()));
}

/// Why an address may lead elsewhere than it seems.
fn deception(source: &Source) -> Option<String> {
    let uri = source.uri.as_deref().filter(|uri| !is_redirect(uri))?;
    let url = Url::parse(uri.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?;
    if !url.username().is_empty() {
        return Some(format!("what stands before the @ is a user name; the address leads to {host}"));
    }
    let (shown, _) = idna::domain_to_unicode(host);
    if let Some(label) = shown.split('.').find(|label| is_mixed(label)) {
        return Some(format!("{label:?} mixes letters of several scripts; as it is resolved: {host}"));
    }
    let says = [&source.domain, &source.title].into_iter().flatten().map(|name| name.trim()).find(|name| is_domain(name));
    let says = says.filter(|_| source.kind == SourceKind::Web)?;
    let other = !names_alike(says, host) && !names_alike(says, &shown);
    other.then(|| format!("its title names {says}, its address leads to {host}"))
}

/// Whether a label has letters of scripts that are not written together, or is made of letters that look Latin.
fn is_mixed(label: &str) -> bool {
    let script = |c: char| CodePointMapData::<Script>::new().get(c);
    let mut seen: Vec<Script> = Vec::new();
    for script in label.chars().filter(|c| c.is_alphabetic()).map(script) {
        if !seen.contains(&script) && script != Script::Common && script != Script::Inherited {
            seen.push(script);
        }
    }
    let foreign = [Script::Cyrillic, Script::Greek, Script::Armenian, Script::Cherokee];
    let mixed = seen.len() > 1 && seen.iter().any(|script| foreign.contains(script));
    let twins = "асеорхуіјѕһԁԛԝӏԍпгвтмкн";
    let alike = seen == [Script::Cyrillic] && label.chars().filter(|c| c.is_alphabetic()).all(|c| twins.contains(c));
    mixed || alike
}

/// Endings of files: `report.pdf` is no domain.
const FILES: [&str; 28] = [
    "pdf", "html", "htm", "md", "txt", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "csv", "json", "jsonl", "xml", "yaml", "yml", "png",
    "jpg", "jpeg", "gif", "svg", "zip", "py", "js", "ts", "rs", "php",
];

/// A bare domain in small letters, as Google sends for a title.
fn is_domain(name: &str) -> bool {
    let labels: Vec<&str> = name.split('.').collect();
    let plain = |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_lowercase() || c.is_ascii_digit() || c == '-');
    let last = labels.last().copied().unwrap_or_default();
    let top = last.len() >= 2 && last.chars().all(|c| c.is_ascii_lowercase()) && !FILES.contains(&last);
    labels.len() >= 2 && top && labels.iter().all(plain)
}

/// The same site: one is the other or below it, or both have the same name under different endings.
fn names_alike(says: &str, host: &str) -> bool {
    let (says, host) = (says.strip_prefix("www.").unwrap_or(says), host.strip_prefix("www.").unwrap_or(host));
    let below = |inner: &str, outer: &str| inner.strip_suffix(outer).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    below(host, says) || below(says, host) || site(says) == site(host)
}

/// The label under which a site is registered: `bbc` of `news.bbc.co.uk`.
fn site(host: &str) -> &str {
    let labels: Vec<&str> = host.rsplit('.').collect();
    let second = labels.get(1).copied().unwrap_or_default();
    let common = ["co", "com", "org", "net", "gov", "edu", "ac", "or", "ne", "go"].contains(&second);
    if common && labels.len() > 2 { labels.get(2).copied().unwrap_or_default() } else { second }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(title: &str, uri: &str) -> Option<String> {
        deception(&Source { kind: SourceKind::Web, title: Some(title.to_owned()), uri: Some(uri.to_owned()), ..Source::default() })
    }

    #[test]
    fn deceptions_are_told() {
        let cases = [
            (
                "Bank",
                "https://bank.example@evil.example/login",
                "what stands before the @ is a user name; the address leads to evil.example",
            ),
            ("bank.example", "https://evil.example/bank", "its title names bank.example, its address leads to evil.example"),
            (
                "Pay",
                "https://p\u{430}ypal.example/",
                "\"p\u{430}ypal\" mixes letters of several scripts; as it is resolved: xn--pypal-4ve.example",
            ),
            (
                "Apple",
                "https://xn--80ak6aa92e.com/",
                "\"\u{430}\u{440}\u{440}\u{4cf}\u{435}\" mixes letters of several scripts; as it is resolved: xn--80ak6aa92e.com",
            ),
        ];
        for (title, uri, expected) in cases {
            assert_eq!(why(title, uri).as_deref(), Some(expected), "{uri}");
        }
    }

    #[test]
    fn honest_addresses_are_left_alone() {
        let cases = [
            ("example.com", "https://www.example.com/a"),
            ("example.com", "https://docs.example.com/a"),
            ("docs.example.com", "https://example.com/a"),
            ("bbc.com", "https://www.bbc.co.uk/news"),
            ("annual-report.pdf", "https://files.example.com/annual-report.pdf"),
            ("Node.js", "https://en.example.org/wiki/Node.js"),
            ("A page about example.com", "https://other.example/"),
            ("münchen.de", "https://xn--mnchen-3ya.de/"),
            ("東京タワー", "https://xn--48jyb2cxp.jp/"),
            ("пример.испытание", "https://пример.испытание/"),
            ("other.example", "https://vertexaisearch.cloud.google.com/grounding-api-redirect/x"),
        ];
        for (title, uri) in cases {
            assert_eq!(why(title, uri), None, "{title} {uri}");
        }
    }
}
