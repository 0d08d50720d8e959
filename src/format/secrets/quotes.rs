//! Signs that a value in quotes begins with.

/// Quotes of several signs: of Python, and as shells and Python's `shlex` write one within another.
pub(super) const QUOTES: [&str; 4] = ["\"\"\"", "'''", "'\\''", "'\"'\"'"];

/// Two quotes that are one, within a text that is quoted itself: CSV and SQL. Of an empty value nothing
/// stands right behind them.
pub(super) fn doubled(text: &str) -> Option<&'static str> {
    let quotes = ["\"\"", "''"].into_iter().find(|quotes| text.starts_with(quotes))?;
    text.get(quotes.len()..)?
        .starts_with(|c: char| c.is_alphanumeric() || "$#@!%_+/*.=".contains(c))
        .then_some(quotes)
}

/// Length of the quote that a token stands in behind its scheme: `Bearer "abc"`; not of one that is joined.
pub(super) fn in_own_quotes(rest: &str, token: usize) -> usize {
    let own = rest.get(token..).unwrap_or_default();
    let inner = own.trim_start_matches('\\').strip_prefix(['"', '\'', '`']).unwrap_or_default();
    if inner.starts_with(|c: char| c.is_alphanumeric()) { own.len() - inner.len() } else { 0 }
}
