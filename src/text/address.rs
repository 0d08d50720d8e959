//! What kind of address a text is.

use std::borrow::Cow;

/// Whether an address may be opened and linked: `http` or `https`.
pub fn is_web(uri: &str) -> bool {
    plain_host(uri).is_some()
        || url::Url::parse(uri.trim()).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// An address as it may be handed to a browser: that which [`is_web`] judges, without the blanks and line
/// ends that a reader of addresses passes over. `None` where it is not of the web.
pub fn web_address(uri: &str) -> Option<String> {
    if plain_host(uri).is_some() && uri.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Some(uri.to_owned());
    }
    let url = url::Url::parse(uri.trim()).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

/// The signs in an address of the web that every reader of addresses takes for what a browser takes them for:
/// browsers read `\\` as a slash before a query, and pass over tabs and line ends, and over control
/// characters around all of it.
pub fn unambiguous(uri: &str) -> Cow<'_, str> {
    let uri = uri.trim_matches(|c: char| c.is_whitespace() || c.is_ascii_control());
    let path = uri.find(['?', '#']).unwrap_or(uri.len());
    let slashes = uri.get(..path).is_some_and(|path| path.contains('\\'));
    if !slashes && !uri.contains(['\t', '\n', '\r']) {
        return Cow::Borrowed(uri);
    }
    web_address(uri).map_or(Cow::Borrowed(uri), Cow::Owned)
}

/// An address, and a name of a document that is none: one of the two.
pub fn address_or_name(sent: Option<String>) -> (Option<String>, Option<String>) {
    match sent {
        Some(sent) if is_web(&sent) => (Some(sent), None),
        sent => (None, sent),
    }
}

/// What OpenAI adds to the addresses that it cites.
const ADDED: [&str; 2] = ["?utm_source=openai", "&utm_source=openai"];

/// An address without what OpenAI adds to those that it cites.
pub fn plain_address(uri: &str) -> &str {
    ADDED.iter().find_map(|tail| uri.strip_suffix(tail)).unwrap_or(uri)
}

/// What stands behind an address, past that which OpenAI adds to it.
pub fn past_added(rest: &str) -> &str {
    ADDED.iter().find_map(|tail| rest.strip_prefix(tail)).unwrap_or(rest)
}

/// The host of an address that is as plain as most: `http` or `https` and a name of small ASCII letters,
/// which stands for itself. Of such an address a parser finds the same host and no fault.
pub fn plain_host(uri: &str) -> Option<&str> {
    let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
    let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let host = rest.get(..end)?;
    let plain = |label: &str| {
        !label.is_empty()
            && !label.starts_with("xn--")
            && label.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    };
    // A name that ends with a number is an address of IPv4.
    let named = host.rsplit('.').next()?.starts_with(|first: char| first.is_ascii_lowercase());
    (named && host.split('.').all(plain)).then_some(host)
}

/// The host of an address, without `www.`.
pub fn host(uri: &str) -> Option<String> {
    let without = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
    if let Some(host) = plain_host(uri) {
        return Some(without(host));
    }
    url::Url::parse(uri.trim()).ok()?.host_str().map(without)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    #[test]
    fn what_is_not_plain_is_left_to_the_parser() {
        assert_eq!(plain_host("https://www.a-b.example/x y"), Some("www.a-b.example"));
        assert_eq!(plain_host("http://localhost"), Some("localhost"));
        for odd in [
            "https://A.example",
            "https://u@a.example",
            "https://a.example:1",
            "https://1.2.3.4",
            "https://xn--a.b",
            "ftp://a.b",
            "https:///x",
            "https://a..b",
            "https://a.b.",
        ] {
            assert_eq!(plain_host(odd), None, "{odd}");
        }
        assert_eq!(
            web_address("ht\ntps://e.example/nl\n--help").as_deref(),
            Some("https://e.example/nl--help")
        );
        assert_eq!(web_address("https://e.example/a b").as_deref(), Some("https://e.example/a%20b"));
        assert_eq!(web_address("https://e.example/a?b#c").as_deref(), Some("https://e.example/a?b#c"));
        assert_eq!(web_address("javascript:alert(1)"), None);
        for (sent, leads) in [
            (r"https://bank.example\@evil.example/login", "https://bank.example/@evil.example/login"),
            (r"https://good.example\x?q=a\b", r"https://good.example/x?q=a\b"),
            ("ht\ttps://e.example/x\ny", "https://e.example/xy"),
            ("\0\x1bhttps://e.example/a\x1f", "https://e.example/a"),
            (r" https://e.example/a?b\c#d ", r"https://e.example/a?b\c#d"),
            ("https://e.example/a b", "https://e.example/a b"),
        ] {
            assert_eq!(unambiguous(sent), leads, "{sent}");
        }
        assert!(is_web(" HTTPS://x.example ") && !is_web("https://a b/") && !is_web("gs://b/x"));
    }

    proptest! {
        #[test]
        fn a_parser_finds_the_same_host(pieces in prop::collection::vec(prop::sample::select(vec![
            "https://", "http://", "a", "b-", "-", ".", "9", "0x1", "xn--", "com", "/", "?", "#", "@", ":", "é", " ", "\t", "%41", "\\",
        ]), 0..9)) {
            let uri = pieces.concat();
            if let Some(host) = plain_host(&uri) {
                let url = Url::parse(&uri).unwrap();
                prop_assert_eq!((url.host_str(), url.username()), (Some(host), ""));
            }
        }
    }
}
