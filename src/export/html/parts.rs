//! What stands beside and below the answer: the spans with what backs them, the sources, findings and
//! searches.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::page::Page;
use super::paper::Paper;
use super::write::{attribute, link, target, text};
use crate::check::{Severity, is_web};
use crate::export::fit::wording;
use crate::export::label::{dated, facts, label, name};
use crate::look::Tone;
use crate::model::{BlobContent, Chunk, PlaceReview, Source, Target};
use crate::review::comparison::Shown;
use crate::review::{SourceRef, SupportRef};
use crate::text::{host, html_links, score_words};

/// Sources that a mark's note lists.
const TIP: usize = 6;
/// Characters of a claim on its card.
const CLAIM: usize = 240;
/// Bytes of a passage round its window.
const AROUND: usize = 160;

/// Sources of a span, each once, with the best score of their citations.
fn cited(page: &Page, span: usize) -> Vec<(usize, Option<f64>)> {
    let mut cited: Vec<(usize, Option<f64>)> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    for citation in page.review.of_span(span).flat_map(|support| &support.sent().citations) {
        let Some(source) = citation.target.source() else { continue };
        let place = *places.entry(source).or_insert(cited.len());
        match cited.get_mut(place) {
            Some((_, score)) => *score = score.or(citation.score),
            None => cited.push((source, citation.score)),
        }
    }
    cited
}

/// Writes the mark behind a span: its numbers as links to the sources, so that what is copied keeps them,
/// with a note that leads to the card.
pub(super) fn mark(page: &Page, span: usize, out: &mut Paper) {
    let cited = cited(page, span);
    let n = span + 1;
    out.push_str(&format!("<sup class=\"m m{n}\" id=\"mark-{n}\">"));
    let mut tip = String::new();
    let mut numbers: HashSet<usize> = HashSet::new();
    for (source, score) in &cited {
        let Some(entry) = page.review.source(*source).map(SourceRef::sent) else { continue };
        let number = page.number(*source);
        if numbers.insert(number) {
            let comma = if numbers.len() > 1 { "<span class=\"quiet\">, </span>" } else { "" };
            out.push_str(comma);
            out.push_str(&numbered(page, n, *source, entry));
        }
        if numbers.len() <= TIP {
            let score = score.map(|score| format!(" · {}", score_words(score))).unwrap_or_default();
            let name = text(&short(page, entry));
            let _ = write!(tip, "<span><b>{number}</b> <bdi>{name}</bdi>{score}</span>");
        }
    }
    if numbers.len() > TIP {
        let _ = write!(tip, "<span>… and {} more</span>", numbers.len() - TIP);
    }
    let warned = page
        .review
        .of_span(span)
        .any(|support| page.review.worst(support.index).is_some_and(|worst| worst < Severity::Note));
    let sign = if warned { "<span class=\"warned\" title=\"with a finding\">!</span>" } else { "" };
    out.push_str(&format!(
        "{sign}<span class=\"tip\">{tip}<a href=\"#span-{n}\">What backs span {n}</a></span></sup>"
    ));
}

/// A number of a mark: a link to the page of the source, else to its entry in the list.
fn numbered(page: &Page, n: usize, source: usize, entry: &Source) -> String {
    let number = page.number(source);
    let spoken = attribute(&format!("Source {number} of span {n}"));
    match entry.uri.as_deref().and_then(target) {
        Some(uri) => format!(
            "<a href=\"{uri}\" rel=\"noopener noreferrer nofollow\" aria-label=\"{spoken}\">{number}</a>"
        ),
        None => format!("<a href=\"#source-{}\" aria-label=\"{spoken}\">{number}</a>", source + 1),
    }
}

fn short(page: &Page, source: &Source) -> String {
    let facts = facts(source, page.dates());
    if facts.is_empty() { name(source) } else { format!("{} · {facts}", name(source)) }
}

/// The spans as cards, in the order of the answer.
pub(super) fn spans(page: &Page, out: &mut Paper) {
    out.push_str("<aside aria-labelledby=\"spans\">\n<h2 id=\"spans\">What backs it</h2>\n");
    if page.review.spans.is_empty() {
        out.push_str("<p class=\"none\">No words of the answer are tied to a source.</p>\n");
    }
    out.push_str("<ol class=\"cards\">\n");
    for span in 0..page.review.spans.len() {
        card(page, span, out);
    }
    out.push_str("</ol>\n</aside>\n");
}

fn card(page: &Page, span: usize, out: &mut Paper) {
    let n = span + 1;
    let words = page.review.of_span(span).find_map(SupportRef::words).unwrap_or("(no place in the answer)");
    let words = shown_words(words);
    let more = if words.chars().count() > CLAIM { "…" } else { "" };
    let words: String = words.trim().chars().take(CLAIM).collect();
    let back = if page.has_mark(span) {
        format!("<a class=\"back\" href=\"#mark-{n}\" aria-label=\"Span {n}, back to the answer\">{n}</a>")
    } else {
        format!("<span class=\"back\">{n}</span>")
    };
    let _ = write!(
        out,
        "<li class=\"card\" id=\"span-{n}\"><p class=\"claim\" dir=\"auto\" lang=\"\">{back} {}{more}</p>",
        text(&words)
    );
    out.push_str("<ul class=\"backing\">");
    for (source, score) in cited(page, span) {
        let Some(entry) = page.review.source(source).map(SourceRef::sent) else { continue };
        let score = score
            .map(|score| format!(" <span class=\"score\">confidence {}</span>", score_words(score)))
            .unwrap_or_default();
        let _ = write!(
            out,
            "<li><a class=\"n\" href=\"#source-{}\">{}</a> {}{score}</li>",
            source + 1,
            page.number(source),
            named(page, entry)
        );
    }
    let what = if page.by_id { "id" } else { "index" };
    for citation in page.review.of_span(span).flat_map(|support| &support.sent().citations) {
        if let Target::Dangling(sent) = &citation.target {
            let _ = write!(
                out,
                "<li class=\"warning\"><span class=\"sign\" aria-hidden=\"true\">✗</span> {what} {} points at \
                 no source</li>",
                text(sent)
            );
        }
    }
    out.push_str("</ul>");
    if cited(page, span).is_empty() && page.review.of_span(span).all(|support| support.citations.is_empty()) {
        out.push_str("<p class=\"none\">cites no source</p>");
    }
    compared(page, span, out);
    flagged(page, span, out);
    out.push_str("</li>\n");
}

/// The words of a claim without its Markdown.
fn shown_words(markdown: &str) -> String {
    let cut = markdown.get(..markdown.floor_char_boundary(8 * CLAIM)).unwrap_or(markdown);
    let mut words = String::new();
    for (event, _) in crate::markup::events(cut) {
        match event {
            pulldown_cmark::Event::Text(text)
            | pulldown_cmark::Event::Code(text)
            | pulldown_cmark::Event::InlineHtml(text) => {
                words.push_str(&text);
            }
            _ if words.ends_with(' ') => {}
            pulldown_cmark::Event::End(
                pulldown_cmark::TagEnd::Paragraph
                | pulldown_cmark::TagEnd::Item
                | pulldown_cmark::TagEnd::TableCell,
            )
            | pulldown_cmark::Event::SoftBreak
            | pulldown_cmark::Event::HardBreak => words.push(' '),
            _ => {}
        }
    }
    if words.trim().is_empty() { cut.to_owned() } else { words }
}

/// A source by its name, linked.
fn named(page: &Page, source: &Source) -> String {
    let words = format!("<bdi>{}</bdi>", text(&label(source, page.dates())));
    let linked = source.uri.as_deref().map_or_else(|| words.clone(), |uri| link(uri, &words));
    let domain = source
        .domain
        .clone()
        .or_else(|| source.uri.as_deref().filter(|uri| is_web(uri) && !source.redirect).and_then(host));
    let domain = domain.filter(|domain| *domain != source.name());
    domain
        .map_or(linked.clone(), |domain| format!("{linked} <span class=\"domain\">{}</span>", text(&domain)))
}

/// What came of the comparison, and the passage it rests on.
fn compared(page: &Page, span: usize, out: &mut Paper) {
    let mut shown: HashSet<String> = HashSet::new();
    for judged in page.review.of_span(span).filter_map(|support| page.review.compared_once(support.index)) {
        let (tone, words) = wording(page.review, &judged);
        if shown.contains(&words) {
            continue;
        }
        let (class, sign) = (tone.class(), tone.sign());
        let _ = write!(
            out,
            "<p class=\"{class}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span> {}</p>",
            text(&words)
        );
        shown.insert(words);
        if let Some(best) = judged.windows.first().filter(|_| judged.backing.outcome.reason().is_none()) {
            window(page, best, out);
        }
    }
}

/// The best passage, with its window marked.
fn window(page: &Page, shown: &Shown, out: &mut Paper) {
    let source = page.review.source(shown.source).map(SourceRef::sent);
    let passage = source.and_then(|source| source.words(shown.kind)).unwrap_or_default();
    let from = passage.floor_char_boundary(shown.range.start.saturating_sub(AROUND));
    let to = passage.ceil_char_boundary((shown.range.end + AROUND).min(passage.len()));
    let piece = |range: std::ops::Range<usize>| text(passage.get(range).unwrap_or_default());
    let _ = write!(
        out,
        "<details><summary>Passage of source {}</summary><blockquote dir=\"auto\" \
         lang=\"\">{}{}<mark>{}</mark>{}{}</blockquote></details>",
        page.number(shown.source),
        if from > 0 { "…" } else { "" },
        piece(from..shown.range.start),
        piece(shown.range.clone()),
        piece(shown.range.end..to),
        if to < passage.len() { "…" } else { "" },
    );
}

fn flagged(page: &Page, span: usize, out: &mut Paper) {
    let findings = page.review.findings();
    for (place, finding) in page.flags(span).iter().filter_map(|&place| Some((place, findings.get(place)?))) {
        let tone = Tone::from(finding.rule.severity);
        let (class, sign) = (tone.class(), tone.sign());
        let _ = write!(
            out,
            "<p class=\"{class}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span> <a \
             href=\"#finding-{}\">{}</a></p>",
            place + 1,
            text(finding.rule.id)
        );
    }
}

/// All sources with their passages, reviews and where to flag them.
pub(super) fn sources(page: &Page, out: &mut Paper) {
    out.push_str("<section aria-labelledby=\"sources\">\n<h2 id=\"sources\">Sources</h2>\n");
    if page.review.response.sources.is_empty() {
        out.push_str("<p class=\"none\">The response carries no sources.</p>\n");
    }
    out.push_str("<ol class=\"sources\">\n");
    for (index, source) in page.review.response.sources.iter().enumerate() {
        self::source(page, index, source, out);
    }
    out.push_str("</ol>\n</section>\n");
}

fn source(page: &Page, index: usize, source: &Source, out: &mut Paper) {
    let shown = page.number(index);
    let own = if shown == index + 1 {
        String::new()
    } else {
        format!(" <span class=\"domain\">the provider's [{}]</span>", index + 1)
    };
    let _ = write!(
        out,
        "<li id=\"source-{}\"><p><span class=\"n\">{shown}</span> {}{own}</p>",
        index + 1,
        named(page, source)
    );
    let mut words = vec![source.kind.word().to_owned()];
    if source.published.publisher.is_some() {
        words.push(name(source));
    }
    words.extend(source.domain.clone().filter(|domain| *domain != source.name()));
    words.extend(source.published.date.as_deref().map(|date| dated(date, page.dates())));
    words.extend(
        source
            .document
            .as_deref()
            .map(|document| crate::model::last_segment(document).to_owned())
            .filter(|name| name != source.name()),
    );
    if source.redirect {
        words.push("opaque redirect".to_owned());
    }
    if let Some(uri) = source.uri.as_deref().filter(|uri| !uri.is_empty() && !is_web(uri)) {
        words.push(uri.to_owned());
    }
    let words: Vec<String> =
        words.iter().map(|word| format!("<span><bdi>{}</bdi></span>", text(word))).collect();
    let _ = write!(out, "<p class=\"facts\">{}</p>", words.join(" "));
    citers(page, index, out);
    for (place, chunk) in source.chunks.iter().enumerate() {
        self::chunk(place, chunk, source.chunks.len(), out);
    }
    for review in &source.place.reviews {
        self::review(review, out);
    }
    for flag in source.place.flag_uris.iter().filter_map(|flag| target(flag)) {
        let _ = write!(
            out,
            "<p class=\"facts\"><a href=\"{flag}\" rel=\"noopener noreferrer nofollow\">Flag this \
             place</a></p>"
        );
    }
    out.push_str("</li>\n");
}

/// The spans that cite it, as links.
fn citers(page: &Page, index: usize, out: &mut Paper) {
    const CITERS: usize = 40;
    let supports: Vec<SupportRef> =
        page.review.source(index).into_iter().flat_map(SourceRef::cited_by).collect();
    if supports.is_empty() {
        out.push_str("<p class=\"none\">cited by nothing</p>");
        return;
    }
    let mut spans: Vec<usize> =
        supports.iter().take(CITERS).filter_map(|support| page.review.span_of(support.index)).collect();
    spans.dedup();
    let links: Vec<String> =
        spans.iter().map(|span| format!("<a href=\"#span-{0}\">{0}</a>", span + 1)).collect();
    let more = if supports.len() > CITERS {
        format!(" and {} more", supports.len() - CITERS)
    } else {
        String::new()
    };
    let _ = write!(out, "<p class=\"facts\">cited by span {}{more}</p>", links.join(", "));
}

fn chunk(place: usize, chunk: &Chunk, of: usize, out: &mut Paper) {
    let mut facts =
        vec![if of > 1 { format!("Passage {} of {of}", place + 1) } else { "Passage".to_owned() }];
    facts.extend(chunk.label.map(|label| label.word().to_owned()));
    facts.extend(chunk.page.as_ref().map(|page| format!("page {page}")));
    facts.extend(chunk.score.map(|score| format!("relevance to the query {}", score_words(score))));
    let _ = write!(
        out,
        "<details><summary>{}</summary><blockquote class=\"lines\" dir=\"auto\" \
         lang=\"\">{}</blockquote></details>",
        text(&facts.join(" · ")),
        text(&chunk.text)
    );
}

fn review(review: &PlaceReview, out: &mut Paper) {
    let title = format!("<bdi>{}</bdi>", text(review.title.as_deref().unwrap_or("Review")));
    let title = review.uri.as_deref().map_or_else(|| title.clone(), |uri| link(uri, &title));
    let flags = review.flag_uris.iter().filter_map(|flag| target(flag));
    let flags: String = flags
        .map(|flag| {
            format!(
                " <a class=\"flag\" href=\"{flag}\" rel=\"noopener noreferrer nofollow\">Flag this review</a>"
            )
        })
        .collect();
    let words = review
        .text
        .as_deref()
        .map(|words| format!("<blockquote dir=\"auto\" lang=\"\">{}</blockquote>", text(words)));
    let _ =
        write!(out, "<div class=\"review\"><p>Review: {title}{flags}</p>{}</div>", words.unwrap_or_default());
}

/// What the checks found.
pub(super) fn findings(page: &Page, out: &mut Paper) {
    let findings = page.review.findings();
    if findings.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n<ol class=\"findings\">\n"
    );
    for (place, finding) in findings.iter().enumerate() {
        let tone = Tone::from(finding.rule.severity);
        let (class, sign) = (tone.class(), tone.sign());
        let help = finding.help();
        let mut spans: Vec<usize> =
            finding.supports.iter().take(12).filter_map(|&support| page.review.span_of(support)).collect();
        spans.sort_unstable();
        spans.dedup();
        let links: Vec<String> =
            spans.iter().map(|span| format!("<a href=\"#span-{0}\">{0}</a>", span + 1)).collect();
        let touched = if links.is_empty() {
            String::new()
        } else {
            format!(" <span class=\"facts\">on span {}</span>", links.join(", "))
        };
        let _ = writeln!(
            out,
            "<li id=\"finding-{}\"><p class=\"{class}\"><span class=\"sign\" \
             aria-hidden=\"true\">{sign}</span> <b>{} {}</b>: {}{touched}</p><p class=\"facts\">{}</p></li>",
            place + 1,
            finding.rule.severity.word(),
            text(finding.rule.id),
            text(&finding.message),
            text(help),
        );
    }
    out.push_str("</ol>\n</section>\n");
}

/// The searches that were run, and Google's search suggestions, which products must show.
pub(super) fn searches(page: &Page, out: &mut Paper) {
    let response = &page.review.response;
    let about = &response.about;
    let mut links: Vec<(String, String)> = Vec::new();
    if let Some(suggestions) = &about.suggestions {
        if let Some(Ok(BlobContent::Links(blob))) = &suggestions.links {
            links.extend(blob.iter().cloned());
        }
        for (words, uri) in suggestions.html.as_deref().map(html_links).unwrap_or_default() {
            if !links.iter().any(|(_, known)| *known == uri) {
                links.push((words, uri));
            }
        }
    }
    links.retain(|(words, uri)| is_web(uri) && !words.trim().is_empty());
    if response.queries.is_empty() && links.is_empty() {
        return;
    }
    out.push_str("<section aria-labelledby=\"searches\">\n<h2 id=\"searches\">Searches</h2>\n");
    if !response.queries.is_empty() {
        out.push_str("<ul class=\"queries\">\n");
        for query in &response.queries {
            let _ = writeln!(out, "<li dir=\"auto\" lang=\"\">{}</li>", text(&query.text));
        }
        out.push_str("</ul>\n");
    }
    if !links.is_empty() {
        out.push_str("<h3>Search suggestions</h3>\n<ul class=\"chips\">\n");
        for (words, uri) in links {
            let _ = writeln!(out, "<li>{}</li>", link(&uri, &format!("<bdi>{}</bdi>", text(words.trim()))));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}
