//! Addresses that are not what they seem.

use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use url::Url;

use crate::check::Finding;
use crate::check::finding::listed;
use crate::model::{Source, SourceKind};
use crate::review::Review;
use crate::text::plain_host;

rule!(ADDRESS_DECEPTIVE {
    id: "address-deceptive",
    group: Safety,
    severity: Warning,
    summary: "an address that may lead elsewhere than it seems",
    help: "read the host before it is opened",
    explain: r#"An address may lead elsewhere than it seems: what looks like the host is a user name before an
`@` or a backslash, letters of several scripts are mixed in a name, the name has signs that none
has, or the title names one domain and the address another. Sources come from the web, and
someone may want the click.

It is known by parsing the address. Names in one script are fine, in any script; so are
subdomains, a site under another ending, file names, and Google's redirects.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example@evil.example/hours", "title": "Rio"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "Rio"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: read the host that is named before you open it.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let sources = &review.response.sources;
    let deceptive = |(index, source): (usize, &Source)| Some((index, deception(source)?));
    let (hits, reasons): (Vec<usize>, Vec<String>) = sources.iter().enumerate().filter_map(deceptive).unzip();
    let (Some((&first, others)), Some(why)) = (hits.split_first(), reasons.first()) else { return };
    let Some(source) = sources.get(first) else { return };
    let more = if others.is_empty() { String::new() } else { format!("; also {}", listed(others)) };
    let message = format!("source [{}]: {why}{more}", first + 1);
    found.push(Finding::new(&ADDRESS_DECEPTIVE, &source.origin, message).sources(hits));
}

/// Why an address may lead elsewhere than it seems.
fn deception(source: &Source) -> Option<String> {
    let uri = source.uri.as_deref().filter(|_| !source.redirect)?;
    if let Some(host) = plain_host(uri) {
        return other_site(source, host, host);
    }
    let url = Url::parse(uri.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?;
    let (_, behind) = uri.split_once("://").unwrap_or(("", uri));
    if behind.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('\\')) {
        return Some(format!(
            "a backslash stands before its path; browsers are led to {host}, others elsewhere"
        ));
    }
    if !url.username().is_empty() {
        return Some(format!("what stands before the @ is a user name; the address leads to {host}"));
    }
    let signs = |c: char| !(c.is_ascii_alphanumeric() || "-._[]:".contains(c));
    if host.contains(signs) {
        return Some(format!("its host {host} has signs that no name has; what reads them goes elsewhere"));
    }
    let (shown, _) = idna::domain_to_unicode(host);
    if let Some(label) = shown.split('.').find(|label| is_mixed(label)) {
        return Some(format!("{label:?} mixes letters of several scripts; as it is resolved: {host}"));
    }
    other_site(source, host, &shown)
}

/// Whether the name of a source is that of another site than its address; `shown` is the host in letters.
fn other_site(source: &Source, host: &str, shown: &str) -> Option<String> {
    let named = [("domain", &source.domain), ("title", &source.title)].into_iter();
    let mut named = named.filter_map(|(what, name)| Some((what, name.as_deref()?.trim())));
    let (what, says) = named.find(|(_, name)| is_domain(name)).filter(|_| source.kind == SourceKind::Web)?;
    let other = !names_alike(says, host) && !names_alike(says, shown);
    other.then(|| format!("its {what} names {says}, its address leads to {host}"))
}

/// Whether a label has letters of scripts that are not written together, or is made of letters that look
/// Latin.
fn is_mixed(label: &str) -> bool {
    let script = |c: char| CodePointMapData::<Script>::new().get(c);
    let mut seen: Vec<Script> = Vec::new();
    for script in label.chars().filter(|c| c.is_alphabetic()).map(script) {
        if !seen.contains(&script) && script != Script::Common && script != Script::Inherited {
            seen.push(script);
        }
    }
    let lookalike = [Script::Cyrillic, Script::Greek, Script::Armenian, Script::Cherokee];
    let mixed = seen.len() > 1 && seen.iter().any(|script| lookalike.contains(script));
    // Cyrillic letters that look like Latin ones.
    let twins = "асеорхуіјѕһԁԛԝӏԍпгвтмкн";
    let disguised =
        seen == [Script::Cyrillic] && label.chars().filter(|c| c.is_alphabetic()).all(|c| twins.contains(c));
    mixed || disguised
}

/// Endings of files: `report.pdf` is no domain.
const FILES: [&str; 28] = [
    "pdf", "html", "htm", "md", "txt", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "csv", "json", "jsonl",
    "xml", "yaml", "yml", "png", "jpg", "jpeg", "gif", "svg", "zip", "py", "js", "ts", "rs", "php",
];

/// A bare domain in small letters, as Google sends for a title.
fn is_domain(name: &str) -> bool {
    let labels: Vec<&str> = name.split('.').collect();
    let plain = |label: &&str| {
        !label.is_empty() && label.chars().all(|c| c.is_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let last = labels.last().copied().unwrap_or_default();
    let top = last.len() >= 2 && last.chars().all(|c| c.is_ascii_lowercase()) && !FILES.contains(&last);
    labels.len() >= 2 && top && labels.iter().all(plain)
}

/// The same site: one is the other or below it, or both have the same name under different endings.
fn names_alike(says: &str, host: &str) -> bool {
    let (says, host) = (says.strip_prefix("www.").unwrap_or(says), host.strip_prefix("www.").unwrap_or(host));
    let below = |inner: &str, outer: &str| {
        inner.strip_suffix(outer).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
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
        deception(&Source {
            kind: SourceKind::Web,
            title: Some(title.to_owned()),
            uri: Some(uri.to_owned()),
            ..Source::default()
        })
    }

    #[test]
    fn deceptions_are_explained() {
        let cases = [
            (
                "Bank",
                "https://bank.example@evil.example/login",
                "what stands before the @ is a user name; the address leads to evil.example",
            ),
            (
                "Bank",
                r"https://bank.example\@evil.example/login",
                "a backslash stands before its path; browsers are led to bank.example, others elsewhere",
            ),
            (
                "Bank",
                "https://evil.example&sol;.bank.example/login",
                "its host evil.example&sol;.bank.example has signs that no name has; what reads them goes \
                 elsewhere",
            ),
            (
                "bank.example",
                "https://evil.example/bank",
                "its title names bank.example, its address leads to evil.example",
            ),
            (
                "Pay",
                "https://p\u{430}ypal.example/",
                "\"p\u{430}ypal\" mixes letters of several scripts; as it is resolved: xn--pypal-4ve.example",
            ),
            (
                "Apple",
                "https://xn--80ak6aa92e.com/",
                "\"\u{430}\u{440}\u{440}\u{4cf}\u{435}\" mixes letters of several scripts; as it is \
                 resolved: xn--80ak6aa92e.com",
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
        ];
        for (title, uri) in cases {
            assert_eq!(why(title, uri), None, "{title} {uri}");
        }
        let (title, uri) = (Some("other.example".to_owned()), Some("https://redirect.example/x".to_owned()));
        let redirect = Source { kind: SourceKind::Web, title, uri, redirect: true, ..Source::default() };
        assert_eq!(deception(&redirect), None);
    }
}
