//! What kind of address a text is.

/// Whether an address may be opened and linked: `http` or `https`.
pub fn is_web(uri: &str) -> bool {
    url::Url::parse(uri.trim()).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Whether an address is one of Google's redirects: opaque, and valid for a limited time.
pub fn is_redirect(uri: &str) -> bool {
    uri.contains("/grounding-api-redirect/") || uri.contains("//vertexaisearch.cloud.")
}
