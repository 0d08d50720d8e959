//! What a source is called and how its name and address are written in Markdown.

use std::fmt::Write as _;

use crate::check::is_web;
use crate::model::{Source, SourceKind, last_segment};
use crate::review::Review;
use crate::text::{host, one_line, unambiguous};

/// How dates of sources are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateStyle {
    /// `2026-05-28`.
    Iso,
    /// `May 28, 2026`.
    Brand,
}

/// A source as a Markdown link, or as plain text where it has no address that may be linked.
pub fn link(source: &Source, dates: DateStyle) -> String {
    let label = escape(&label(source, dates));
    if let (SourceKind::Tool, Some(id)) = (&source.kind, &source.id) {
        return format!("{} ({})", at_start(&label), code(id));
    }
    match source.uri.as_deref().map(str::trim).filter(|uri| !uri.is_empty()) {
        Some(uri) if is_web(uri) => format!("[{label}]({})", address(uri)),
        Some(uri) => format!("{} ({})", at_start(&label), code(uri)),
        None => at_start(&label),
    }
}

/// A source of a response as in [`link`]; the result of a tool with the tool's name.
pub fn cited_link(review: &Review, index: usize, dates: DateStyle) -> Option<String> {
    let source = review.source(index)?;
    if source.kind != SourceKind::Tool {
        return Some(link(&source, dates));
    }
    let mut citations = source.cited_by().flat_map(|support| &support.sent().citations);
    let tool = citations
        .find(|citation| citation.target.source() == Some(index))
        .and_then(|citation| citation.tool());
    let label = escape(&label(&source, dates));
    Some(tool.map_or_else(|| link(&source, dates), |tool| format!("{} ({})", at_start(&label), code(tool))))
}

/// Text in code style, on one line.
fn code(text: &str) -> String {
    format!("`{}`", one_line(text).replace('`', "'"))
}

/// `Publisher - date` where both are known (Bigdata.com's brand form), else the name.
pub fn label(source: &Source, dates: DateStyle) -> String {
    let name = name(source);
    let date = source.published.date.as_deref().map(|date| dated(date, dates));
    match (&source.published.publisher, date) {
        (Some(publisher), Some(date)) => format!("{} - {date}", one_line(publisher)),
        (Some(publisher), None) => one_line(publisher).into_owned(),
        _ if name.is_empty() => "unnamed source".to_owned(),
        _ if source.kind == SourceKind::Document && source.title.is_none() => last_segment(&name).to_owned(),
        _ => name,
    }
}

/// The name of a source on one line; an opaque redirect that is all there is goes by its host.
pub fn name(source: &Source) -> String {
    let name = one_line(source.name());
    if source.redirect
        && Some(source.name()) == source.uri.as_deref()
        && let Some(host) = host(&name)
    {
        return format!("{host} (redirect)");
    }
    name.trim().to_owned()
}

/// Publisher, date and domain, as far as they are known.
pub fn facts(source: &Source, dates: DateStyle) -> String {
    let date = source.published.date.as_deref().map(|date| dated(date, dates));
    let domain = source.domain.clone().filter(|domain| *domain != source.name());
    let facts = [source.published.publisher.clone(), domain, date]
        .into_iter()
        .flatten()
        .map(|fact| one_line(&fact).into_owned());
    facts.collect::<Vec<_>>().join(" · ")
}

/// A date in a style; what is no ISO date stays as it is.
pub fn dated(iso: &str, style: DateStyle) -> String {
    // The time of a day is no part of it.
    let day = iso.split(['T', ' ']).next().filter(|day| day.len() == "2026-05-28".len());
    let date: Option<jiff::civil::Date> = day.and_then(|day| day.parse().ok());
    match (style, date) {
        (DateStyle::Brand, Some(date)) => date.strftime("%b %d, %Y").to_string(),
        (DateStyle::Iso, Some(date)) => date.to_string(),
        _ => one_line(iso).into_owned(),
    }
}

/// Text that Markdown shows as it is, wherever in a line it stands.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let entity = c == '&'
            && text
                .get(at + 1..)
                .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_alphabetic() || next == '#'));
        if entity || matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#' | '$') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The same of text with lines, none of which begins a block.
pub fn escape_lines(text: &str) -> String {
    let line = |line: &str| {
        let words = line.trim_start_matches([' ', '\t']);
        // Four blanks begin code.
        let lead = line.get(..(line.len() - words.len()).min(3)).unwrap_or_default();
        [lead.replace('\t', " ").as_str(), &at_start(&escape(words))].concat()
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// An address that ends neither the link, nor a cell of a table, nor the line, and leads where it did.
pub fn address(uri: &str) -> String {
    let uri = unambiguous(uri);
    let mut out = String::with_capacity(uri.len());
    for (at, c) in uri.char_indices() {
        if c == '&' && is_reference(uri.get(at + 1..).unwrap_or_default()) {
            out.push_str("&amp;");
            continue;
        }
        let plain = !matches!(c, '(' | ')' | '<' | '>' | '\\' | '|' | '"' | '`')
            && !c.is_whitespace()
            && !c.is_control()
            && crate::text::stand_in(c).is_none();
        if plain {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// Whether a letter that is written as `&name;` or `&#1;` stands behind an `&`.
fn is_reference(rest: &str) -> bool {
    let rest = rest.strip_prefix('#').unwrap_or(rest);
    let name = rest.bytes().take(REFERENCE_MOST).take_while(u8::is_ascii_alphanumeric).count();
    name > 0 && rest.as_bytes().get(name) == Some(&b';')
}

/// Letters of a name of a letter, at most: HTML has none of more.
const REFERENCE_MOST: usize = 32;

/// The name of a source that begins a line, which begins no item of a list.
fn at_start(label: &str) -> String {
    let rest = label.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_item = if rest.len() == label.len() {
        rest.starts_with(['-', '+', '='])
    } else {
        matches!(rest, "." | ")") || rest.starts_with(". ") || rest.starts_with(") ")
    };
    let sign = label.len() - rest.len();
    if is_item { [label.get(..sign).unwrap_or_default(), "\\", rest].concat() } else { label.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_where_they_did() {
        for (sent, written) in [
            (r"https://bank.example\@evil.example/login", "https://bank.example/@evil.example/login"),
            (r"https://good.example\x", "https://good.example/x"),
            ("https://evil.example&sol;.bank.example/", "https://evil.example&amp;sol;.bank.example/"),
            ("https://a.example/?a=1&amp;b=2&#35;", "https://a.example/?a=1&amp;amp;b=2&amp;#35;"),
            ("https://a.example/?a=1&b=2;c&d;#x", "https://a.example/?a=1&b=2;c&amp;d;#x"),
            ("https://a.example/x\ny", "https://a.example/xy"),
        ] {
            assert_eq!(address(sent), written, "{sent}");
        }
    }

    #[test]
    fn lines_begin_no_block() {
        assert_eq!(
            escape_lines("A\n\n# H\n- x\n\n    code\n\tmore\n1. y\n2.\n\nb\n===\n+ z\n  > q"),
            "A\n\n\\# H\n\\- x\n\n   code\n more\n1\\. y\n2\\.\n\nb\n\\===\n\\+ z\n  \\> q"
        );
    }

    #[test]
    fn names_without_an_address_begin_no_list() {
        let called = |title: &str| {
            let source =
                Source { title: Some(title.into()), uri: Some("gs://b/x".into()), ..Source::default() };
            link(&source, DateStyle::Iso)
        };
        assert_eq!(called("7. Results"), "7\\. Results (`gs://b/x`)");
        assert_eq!(called("12) Results"), "12\\) Results (`gs://b/x`)");
        assert_eq!(called("- l"), "\\- l (`gs://b/x`)");
        assert_eq!(called("2024 in review"), "2024 in review (`gs://b/x`)");
        assert_eq!(called("3.5 percent"), "3.5 percent (`gs://b/x`)");
    }

    #[test]
    fn addresses_stay_in_their_brackets_and_cells() {
        assert_eq!(
            address(" https://a.example/x_(y)?q=a|b c\\ "),
            "https://a.example/x_%28y%29?q=a%7Cb%20c%5C"
        );
        assert_eq!(address("https://a.example/日本?q=1&r=*"), "https://a.example/日本?q=1&r=*");
        assert_eq!(address("https://a.example/\u{202e}x\n"), "https://a.example/%E2%80%AEx");
    }

    #[test]
    fn dates_lose_the_time_of_the_day() {
        for sent in ["2026-05-28", "2026-05-28T13:14:15Z", "2026-05-28T13:14:15+02:00", "2026-05-28 13:14"] {
            assert_eq!(dated(sent, DateStyle::Brand), "May 28, 2026", "{sent}");
            assert_eq!(dated(sent, DateStyle::Iso), "2026-05-28", "{sent}");
        }
        assert_eq!(dated("spring 2026", DateStyle::Brand), "spring 2026");
    }

    #[test]
    fn labels_are_shown_as_they_are() {
        assert_eq!(escape("a](x) **b** R&D &amp; $1"), "a\\](x) \\*\\*b\\*\\* R\\&D \\&amp; \\$1");
        let mut bigdata = Source::default();
        bigdata.published.publisher = Some("Trefis".into());
        bigdata.published.date = Some("2025-08-21".into());
        assert_eq!(
            (label(&bigdata, DateStyle::Brand), label(&bigdata, DateStyle::Iso)),
            ("Trefis - Aug 21, 2025".into(), "Trefis - 2025-08-21".into())
        );
        let uri = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC";
        let redirect = Source { uri: Some(uri.into()), redirect: true, ..Source::default() };
        assert_eq!(
            link(&redirect, DateStyle::Iso),
            format!("[vertexaisearch.cloud.google.com (redirect)]({uri})")
        );
    }
}
