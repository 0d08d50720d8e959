//! The page from its head to its foot.

use std::io::{self, Write};

use super::page::{LIT, Page};
use super::paper::Paper;
use super::write::{attribute, text};
use super::{answer, parts};
use crate::export::fit::headline;
use crate::export::options::ExportOptions;
use crate::model::Response;
use crate::review::Review;
use crate::text::{counted, plural};

const STYLE: &str = include_str!("../../../assets/page.css");

/// Writes the page.
///
/// # Errors
///
/// Those of the writer.
pub fn page(review: &Review, options: &ExportOptions, out: &mut dyn Write) -> io::Result<()> {
    let page = Page::new(review, options);
    let mut out = Paper::new(out);
    head(&page, &mut out);
    out.push_str("<body>\n<a class=\"skip\" href=\"#answer\">Skip to the answer</a>\n");
    header(&page, &mut out);
    out.push_str(
        "<div class=\"columns\">\n<main id=\"answer\" tabindex=\"-1\">\n<h2 class=\"quiet\">Answer</h2>\n",
    );
    answer::answer(&page, &mut out);
    out.push_str("</main>\n");
    parts::spans(&page, &mut out);
    out.push_str("</div>\n<div class=\"rest\">\n");
    parts::sources(&page, &mut out);
    parts::findings(&page, &mut out);
    parts::searches(&page, &mut out);
    out.push_str(
        "</div>\n<footer><p>Made by citescope from the response alone. This page asks nobody for \
        anything: it holds no script and loads nothing.</p></footer>\n</body>\n</html>\n",
    );
    out.finish()
}

fn head(page: &Page, out: &mut Paper) {
    out.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
        'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n",
    );
    out.push_str(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" \
         content=\"no-referrer\">\n",
    );
    out.push_str(
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" \
        content=\"citescope\">\n<title>",
    );
    out.push_str(&text(&title(page).chars().take(120).collect::<String>()));
    out.push_str("</title>\n<style>\n");
    out.push_str(STYLE);
    let lit = page.review.spans.len();
    if lit <= LIT {
        for span in 1..=lit {
            out.push_str(&format!(
                "body:has(.s{span}:hover,.m{span}:hover,.m{span}:focus-within,#span-{span}:hover,#span-{span}:target) .s{span}{{background:var(--lit);box-shadow:0 0 0 2px var(--lit)}}\nbody:has(.s{span}:hover,.m{span}:hover,.m{span}:focus-within) #span-{span},#span-{span}:hover,#span-{span}:target{{border-color:var(--under);box-shadow:0 0 0 3px var(--lit)}}\n"
            ));
        }
    }
    out.push_str("</style>\n</head>\n");
}

/// The question, or the name of the file.
fn title(page: &Page) -> String {
    let question =
        page.review.response.about.question.as_deref().map(str::trim).filter(|question| !question.is_empty());
    question.map_or_else(|| file(page).to_owned(), str::to_owned)
}

fn file<'a>(page: &'a Page) -> &'a str {
    page.review.file().rsplit('/').next().unwrap_or_default()
}

fn header(page: &Page, out: &mut Paper) {
    let response = &page.review.response;
    let title = title(page);
    out.push_str(&format!("<header>\n<h1 dir=\"auto\" lang=\"\">{}</h1>\n<p class=\"facts\">", text(&title)));
    let mut facts: Vec<String> = Vec::new();
    if title != file(page) {
        facts.push(file(page).to_owned());
    }
    facts.extend(format_name(response));
    facts.extend(
        [&response.model, &response.about.author, &response.about.created].into_iter().flatten().cloned(),
    );
    facts.push(counted(response.supports.len(), "support"));
    facts.push(counted(response.sources.len(), "source"));
    facts
        .extend(page.review.coverage().map(|share| format!("{:.0} % of the answer is cited", share * 100.0)));
    let facts: Vec<String> =
        facts.iter().map(|fact| format!("<span><bdi>{}</bdi></span>", text(fact))).collect();
    out.push_str(&facts.join(" "));
    let (sign, tone, fit) = headline(page.review);
    let class = tone.class();
    out.push_str(&format!(
        "</p>\n<p class=\"fit {class}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span> {}</p>\n",
        text(&fit)
    ));
    navigation(page, out);
    out.push_str("</header>\n");
}

fn format_name(response: &Response) -> Option<String> {
    crate::format::FORMATS
        .iter()
        .find(|format| format.id == response.format_id())
        .map(|format| format.name.to_owned())
}

fn navigation(page: &Page, out: &mut Paper) {
    let findings = page.review.findings().len();
    let mut links = vec![
        ("answer", "Answer".to_owned()),
        ("sources", counted(page.review.response.sources.len(), "source")),
    ];
    if findings > 0 {
        links.push(("findings", counted(findings, "finding")));
    }
    let searches = page.review.response.queries.len();
    if searches > 0 {
        links.push(("searches", plural(searches, "search", "searches")));
    }
    let links: Vec<String> =
        links.iter().map(|(id, name)| format!("<a href=\"#{}\">{}</a>", attribute(id), text(name))).collect();
    out.push_str(&format!("<nav aria-label=\"Parts of this page\">{}</nav>\n", links.join(" ")));
}
