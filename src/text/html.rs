//! HTML of a response as text and links. It is never rendered as it is.

/// Bytes of HTML that are read: the renderer is quadratic in nesting.
const HTML_LIMIT_BYTES: usize = 24 * 1024;

/// The part of some HTML that its renderer is given.
fn tame(html: &str) -> String {
    let html = html.get(..html.floor_char_boundary(HTML_LIMIT_BYTES)).unwrap_or(html);
    // Spans of table cells beyond all measure make the renderer fail; the words do not need them.
    html.replace("colspan", "data-c")
        .replace("rowspan", "data-r")
        .replace("COLSPAN", "data-c")
        .replace("ROWSPAN", "data-r")
}

/// HTML as text of a width in cells.
pub fn html_text(html: &str, width: usize) -> String {
    html2text::from_read(tame(html).as_bytes(), width.max(20)).unwrap_or_default()
}

/// The links in some HTML: words and address, in order.
pub fn html_links(html: &str) -> Vec<(String, String)> {
    use html2text::render::RichAnnotation;
    let lines = html2text::from_read_rich(tame(html).as_bytes(), 10_000).unwrap_or_default();
    let mut found: Vec<(String, String)> = Vec::new();
    for piece in lines.iter().flat_map(html2text::render::TaggedLine::tagged_strings) {
        let target = piece
            .tag
            .iter()
            .find_map(|tag| if let RichAnnotation::Link(uri) = tag { Some(uri) } else { None });
        let Some(uri) = target else { continue };
        match found.last_mut() {
            Some((words, last)) if last == uri => words.push_str(&piece.s),
            _ => found.push((piece.s.clone(), uri.clone())),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_taken_out_of_chips() {
        let html = "<style>.c{color:red}</style><div class=c><a class=chip \
            href=\"https://www.google.com/search?q=a+b&client=x\">who <b>won</b></a><a \
            href='javascript:x'>bad</a></div><script>x</script>";
        let links = html_links(html);
        assert_eq!(
            links,
            [
                ("who won".to_owned(), "https://www.google.com/search?q=a+b&client=x".to_owned()),
                ("bad".to_owned(), "javascript:x".to_owned())
            ]
        );
    }
}
