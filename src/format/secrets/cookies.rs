//! The cookies of a header.

/// Length of the cookies that stand behind the first one of a header: `; b=2; c="3"`.
pub(super) fn further_cookies(text: &str) -> usize {
    let mut end = 0;
    while let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix(';')) {
        let pair = rest.trim_start_matches(' ');
        let ends = |c: char| c.is_whitespace() || matches!(c, ';' | ',' | '"' | '\'' | '<');
        let length = pair.find(ends).unwrap_or(pair.len());
        if !pair.get(..length).is_some_and(|pair| pair.contains('=')) {
            break;
        }
        end = text.len() - pair.len() + length;
        end += quoted_cookie(text, end);
    }
    end
}

/// Length of the value of a cookie in quotes, with them, behind its name and sign.
pub(super) fn quoted_cookie(text: &str, at: usize) -> usize {
    let named = text.get(..at).is_some_and(|before| before.ends_with('='));
    let rest = text.get(at..).filter(|_| named).and_then(|rest| rest.strip_prefix('"')).unwrap_or_default();
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\\')).unwrap_or_default();
    let closes = end > 0 && rest.get(end..).is_some_and(|rest| rest.starts_with('"'));
    if closes { end + 2 } else { 0 }
}
