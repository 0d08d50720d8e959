//! What kind of address a text is.

/// Whether an address may be opened and linked: `http` or `https`.
pub fn is_web(uri: &str) -> bool {
    url::Url::parse(uri.trim()).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
