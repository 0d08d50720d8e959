//! What renderers that people use make of the exports: without our marks it is what they make of the answer.
//! A renderer that is not installed is skipped, which is said: cmark-gfm on the path, marked and markdown-it
//! with marked-footnote and markdown-it-footnote where `NODE_PATH` names a folder that has them.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use citescope::cli::SAMPLES;
use citescope::export::numbering::Scheme;
use citescope::export::{ExportOptions, OwnMarks, markdown, terminal};
use citescope::review::Review;
use citescope::session::Session;
use serde_json::json;

use crate::common::library::{open, recordings, without_colours};

/// Runs a program over an input.
fn piped(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().unwrap().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

/// Renders all texts with a module of node; `None` where it is not installed.
fn node(make: &str, texts: &[String]) -> Option<Vec<String>> {
    let script = format!(
        "const render = {make}; let all = ''; process.stdin.on('data', piece => all += piece); \
         process.stdin.on('end', () => process.stdout.write(JSON.stringify(JSON.parse(all).map(render))));"
    );
    let out = piped("node", &["-e", &script], &serde_json::to_string(texts).unwrap())?;
    Some(serde_json::from_str(&out).unwrap())
}

fn cmark(texts: &[String]) -> Option<Vec<String>> {
    let arguments = ["-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist"];
    texts.iter().map(|text| piped("cmark-gfm", &arguments, text)).collect()
}

type Renderer = fn(&[String]) -> Option<Vec<String>>;

const RENDERERS: &[(&str, Renderer)] = &[
    ("cmark-gfm", cmark),
    ("marked", |texts| node("text => require('marked').marked.parse(text)", texts)),
    ("markdown-it", |texts| node("text => require('markdown-it')({linkify: true}).render(text)", texts)),
];

/// The text of a page, without blanks, and without links to our addresses whose text is a number.
fn shown(html: &str, ours: &[String]) -> String {
    let mut out = String::new();
    let mut rest = html;
    let mut after_mark = false;
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        // Links of one span are joined by commas.
        let joins = after_mark && text == ", " && rest[at..].starts_with("<a ");
        out.push_str(if joins { "" } else { text });
        rest = &rest[at..];
        after_mark = false;
        if let Some(length) = mark(rest, ours) {
            rest = &rest[length..];
            after_mark = true;
        } else {
            let end = rest.find('>').map_or(rest.len(), |end| end + 1);
            rest = &rest[end..];
        }
    }
    out.push_str(rest);
    out.split_whitespace().collect()
}

/// The length of a link that is one of our marks.
fn mark(html: &str, ours: &[String]) -> Option<usize> {
    let inside = html.strip_prefix("<a href=\"")?;
    let (href, rest) = inside.split_once('"')?;
    let (text, _) = rest.strip_prefix('>')?.split_once("</a>")?;
    let number = text.trim_start_matches('[').trim_end_matches(']');
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    let plain = |address: &str| address.replace("&amp;", "&");
    let same = |own: &String| percent(own) == percent(&plain(href));
    (is_number && ours.iter().any(same))
        .then(|| "<a href=\"".len() + href.len() + 2 + text.len() + "</a>".len())
}

/// Renderers escape addresses each in their way.
fn percent(address: &str) -> Vec<u8> {
    percent_decoded(&percent_decoded(address.as_bytes()))
}

fn percent_decoded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match (bytes[at], hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// Responses with text, each with its name.
fn responses() -> Vec<(String, Arc<Review>)> {
    let samples = SAMPLES.iter().map(|(name, text)| ((*name).to_owned(), open(name, *text)));
    let recorded = recordings().unwrap_or_default().into_iter();
    let recorded = recorded.map(|path| (path.display().to_string(), Session::open_file(&path)));
    let mut out = Vec::new();
    for (name, session) in samples.chain(recorded) {
        for review in session.reviews().filter_map(Result::ok) {
            if !review.response.text().trim().is_empty() && review.text().len() < 200_000 {
                out.push((name.clone(), review));
            }
        }
    }
    out
}

/// Whether all cited sources can be linked.
fn can_all_be_linked(review: &Review) -> bool {
    let is_web = |uri: &str| citescope::text::is_web(uri);
    review.sources().all(|source| !source.is_cited() || source.uri.as_deref().is_some_and(is_web))
}

/// Where two texts begin to differ.
fn difference(name: &str, was: &str, is: &str) -> Option<String> {
    let same = was.bytes().zip(is.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let from = text.floor_char_boundary(same.saturating_sub(40));
        text[from..text.ceil_char_boundary((same + 60).min(text.len()))].to_owned()
    };
    (was != is).then(|| format!("{name}\n  was {}\n  is  {}", around(was), around(is)))
}

#[test]
fn without_the_marks_the_rendered_answer_is_what_it_was() {
    let mut responses = responses();
    responses.retain(|(_, review)| can_all_be_linked(review));
    let options = ExportOptions {
        number: Some(Scheme::Provider),
        own_marks: OwnMarks::Kept,
        ..ExportOptions::default()
    };
    let answers: Vec<String> =
        responses.iter().map(|(_, review)| citescope::text::sanitize(review.text()).into_owned()).collect();
    let exported: Vec<String> =
        responses.iter().map(|(_, review)| markdown::inline(review, &options).text).collect();
    for (renderer, render) in RENDERERS {
        let (Some(before), Some(after)) = (render(&answers), render(&exported)) else {
            eprintln!("skipped: {renderer} is not installed");
            continue;
        };
        let mut wrong = Vec::new();
        for (((name, review), before), after) in responses.iter().zip(&before).zip(&after) {
            let ours: Vec<String> = review.sources().filter_map(|source| source.uri.clone()).collect();
            wrong.extend(difference(name, &shown(before, &ours), &shown(after, &ours)));
        }
        assert!(wrong.is_empty(), "{renderer}: {} of {}\n{}", wrong.len(), responses.len(), wrong.join("\n"));
        eprintln!("{renderer}: {} answers", responses.len());
    }
}

fn cmark_with_footnotes(texts: &[String]) -> Option<Vec<String>> {
    let extensions = ["table", "strikethrough", "autolink", "tasklist", "footnotes"];
    let arguments: Vec<&str> = extensions.iter().flat_map(|extension| ["-e", extension]).collect();
    texts.iter().map(|text| piped("cmark-gfm", &arguments, text)).collect()
}

const WITH_FOOTNOTES: &[(&str, Renderer)] = &[
    ("cmark-gfm", cmark_with_footnotes),
    ("marked with marked-footnote", |texts| {
        let make = "(notes => text => new (require('marked').Marked)().use((notes.default || notes)()).parse(text)) \
                    (require('marked-footnote'))";
        node(make, texts)
    }),
    ("markdown-it with markdown-it-footnote", |texts| {
        let make = "text => require('markdown-it')({linkify: true}).use(require('markdown-it-footnote')).render(text)";
        node(make, texts)
    }),
];

/// The text of a page without blanks, marks of footnotes and footnotes; the marks, and the footnotes.
fn footnoted(html: &str) -> (String, usize, usize) {
    let (body, notes) = html.split_once("<section class=\"footnotes\"").unwrap_or((html, ""));
    let mut text = String::new();
    let mut pieces = body.split("<sup");
    text.push_str(pieces.next().unwrap_or_default());
    let mut marks = 0;
    for piece in pieces {
        match piece.split_once("</sup>").filter(|(mark, _)| mark.contains("<a ")) {
            Some((_, behind)) => {
                marks += 1;
                text.push_str(behind);
            }
            None => text.push_str(&format!("<sup{piece}")),
        }
    }
    (shown(&text, &[]), marks, notes.matches("<li id=\"f").count())
}

#[test]
fn without_the_footnotes_the_rendered_answer_is_what_it_was_and_each_mark_has_its_footnote() {
    let responses = responses();
    let options = ExportOptions { own_marks: OwnMarks::Kept, ..ExportOptions::default() };
    let answers: Vec<String> =
        responses.iter().map(|(_, review)| citescope::text::sanitize(review.text()).into_owned()).collect();
    let exported: Vec<String> =
        responses.iter().map(|(_, review)| markdown::footnotes(review, &options).text).collect();
    for (renderer, render) in WITH_FOOTNOTES {
        let (Some(before), Some(after)) = (render(&answers), render(&exported)) else {
            eprintln!("skipped: {renderer} is not installed");
            continue;
        };
        let mut wrong = Vec::new();
        let (mut all_marks, mut all_notes) = (0, 0);
        for (number, (name, _)) in responses.iter().enumerate() {
            let (was, own_marks, own_notes) = footnoted(&before[number]);
            let (is, marks, notes) = footnoted(&after[number]);
            // A mark without its footnote would stand in the text; a footnote that nothing names is not made.
            wrong.extend(difference(name, &was, &is));
            let defined = |text: &str| {
                text.lines().filter(|line| line.starts_with("[^") && line.contains("]: ")).count()
            };
            let written = defined(&exported[number]) - defined(&answers[number]);
            if notes - own_notes != written {
                wrong.push(format!("{name}: {written} footnotes written, {} shown", notes - own_notes));
            }
            all_marks += marks - own_marks;
            all_notes += written;
        }
        assert!(wrong.is_empty(), "{renderer}: {} of {}\n{}", wrong.len(), responses.len(), wrong.join("\n"));
        assert!(
            all_marks >= all_notes && all_notes > 60,
            "{renderer}: {all_marks} marks, {all_notes} footnotes"
        );
        eprintln!("{renderer}: {} answers, {all_marks} marks, {all_notes} footnotes", responses.len());
    }
}

#[test]
fn colours_are_all_that_ansi_adds_to_the_report() {
    for (name, review) in responses() {
        let ansi = terminal::coloured(&review, &ExportOptions::default()).text;
        let report = terminal::report(&review, &ExportOptions::default()).text;
        assert_eq!(difference(&name, &report, &without_colours(&ansi)), None);
    }
}

/// Where a mark keeps its place, and ours is shorter, words before it were lost.
#[test]
fn colours_take_no_word_away_beside_a_mark_that_keeps_its_place() {
    let link = |name: &str| format!("([{name}](https://{name}.example/))");
    let answers = [
        format!("很很很很很很很很很很很很很很很很很很很很很很很\n\n{}", link("a")),
        format!(
            "橋は開通しました。{}全長は480メートルです。{}\n\n参考：\n\n- {}\n- {}",
            link("a"),
            link("b"),
            link("a"),
            link("b")
        ),
        format!(
            "Il prof. Rossi vive a Roma.{}\nCafé 🧀 kostet 5 €. {}{}\n\n- {}",
            link("a"),
            link("b"),
            link("c"),
            link("a")
        ),
        format!("{}\n\n{} Old.\n\n{}", link("a"), link("b"), link("c")),
    ];
    for answer in answers {
        let starts: Vec<usize> = answer.match_indices("([").map(|(at, _)| at).collect();
        let annotation = |at: &usize| {
            let (start, end) =
                (answer[..*at].chars().count(), answer[..*at].chars().count() + link("a").len());
            let uri = format!("https://{}.example/", &answer[at + 2..at + 3]);
            json!({"type": "url_citation", "start_index": start, "end_index": end, "url": uri, "title": "T"})
        };
        let annotations: Vec<_> = starts.iter().map(annotation).collect();
        let content = json!([{"type": "output_text", "text": answer, "annotations": annotations}]);
        let response = json!({"object": "response", "output": [{"type": "message", "content": content}]});
        for review in open("f", response.to_string()).reviews().map(Result::unwrap) {
            let ansi = terminal::coloured(&review, &ExportOptions::default()).text;
            let report = terminal::report(&review, &ExportOptions::default()).text;
            assert!(ansi != report && without_colours(&ansi) == report, "{ansi}");
        }
    }
}
