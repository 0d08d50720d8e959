//! Marks never break Markdown: what a renderer makes of the result, without the marks, is what it makes of
//! the answer.

use citescope::export::{ExportOptions, Exported, markdown};
use citescope::text::sanitize;
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use crate::common::library::open;

/// A response over a text, with a support for each span, citing a page each.
fn response(text: &str, spans: &[std::ops::Range<usize>]) -> String {
    let support = |(number, span): (usize, &std::ops::Range<usize>)| json!({"segment": {"startIndex": span.start, "endIndex": span.end, "text": text[span.clone()]}, "groundingChunkIndices": [number]});
    let supports: Vec<Value> = spans.iter().enumerate().map(support).collect();
    let chunks: Vec<Value> = (0..spans.len())
        .map(|number| json!({"web": {"uri": format!("https://m.example/{number}"), "title": "t"}}))
        .collect();
    json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports}}]}).to_string()
}

fn with(
    text: &str,
    spans: &[std::ops::Range<usize>],
    export: impl Fn(&citescope::review::Review) -> Exported,
) -> Exported {
    let collection = open("f", response(text, spans));
    export(&collection.decode(0).unwrap()[0])
}

fn inline(text: &str, spans: &[std::ops::Range<usize>]) -> Exported {
    with(text, spans, |review| markdown::inline(review, &ExportOptions::default()))
}

fn footnotes(text: &str, spans: &[std::ops::Range<usize>]) -> Exported {
    with(text, spans, |review| markdown::footnotes(review, &ExportOptions::default()))
}

/// What a renderer shows, piece by piece, without our marks: links to m.example, footnotes and their
/// definitions. Blanks are left out, since a mark may be set off by one, and whether a list is loose does not
/// show.
fn rendered(text: &str) -> (Vec<String>, usize) {
    use pulldown_cmark::Options as Markdown;
    let options = Markdown::ENABLE_TABLES
        | Markdown::ENABLE_FOOTNOTES
        | Markdown::ENABLE_STRIKETHROUGH
        | Markdown::ENABLE_TASKLISTS
        | Markdown::ENABLE_GFM;
    let (mut out, mut line, mut marks, mut skip): (Vec<String>, String, usize, usize) =
        (Vec::new(), String::new(), 0, 0);
    let mut flush = |line: &mut String| {
        let words = line.split_whitespace().collect::<String>();
        if !words.is_empty() {
            out.push(words);
        }
        line.clear();
    };
    let ours = |name: &str| name.trim_start_matches('c').chars().all(|c| c.is_ascii_digit());
    for event in Parser::new_ext(text, options) {
        if skip > 0 {
            match event {
                Event::Start(_) => skip += 1,
                Event::End(_) => skip -= 1,
                _ => {}
            }
            continue;
        }
        match event {
            Event::Start(Tag::Link { ref dest_url, .. }) if dest_url.starts_with("https://m.example/") => {
                (skip, marks) = (1, marks + 1);
            }
            Event::Start(Tag::FootnoteDefinition(ref name)) if ours(name) => skip = 1,
            Event::FootnoteReference(ref name) if ours(name) => marks += 1,
            Event::Text(words) => line.push_str(&words),
            Event::SoftBreak => line.push(' '),
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => flush(&mut line),
            Event::Start(tag)
                if matches!(
                    tag,
                    Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
                ) =>
            {
                line.push_str(&format!("<{tag:?}>"));
            }
            Event::End(
                tag @ (TagEnd::Emphasis
                | TagEnd::Strong
                | TagEnd::Strikethrough
                | TagEnd::Link
                | TagEnd::Image),
            ) => {
                line.push_str(&format!("</{tag:?}>"));
            }
            Event::Start(tag) => {
                flush(&mut line);
                line.push_str(&format!("{tag:?}"));
                flush(&mut line);
            }
            Event::End(tag) => {
                flush(&mut line);
                line.push_str(&format!("/{tag:?}"));
                flush(&mut line);
            }
            Event::Rule => {
                flush(&mut line);
                line.push_str("Rule");
                flush(&mut line);
            }
            Event::Html(html) => line.push_str(&html),
            other => line.push_str(&format!("{other:?}")),
        }
    }
    flush(&mut line);
    (out, marks)
}

/// A text in which `‹` and `›` stand round the spans, in order.
fn marked(text: &str) -> (String, Vec<std::ops::Range<usize>>) {
    let (mut plain, mut open, mut spans) = (String::new(), Vec::new(), Vec::new());
    for c in text.chars() {
        match c {
            '‹' => open.push(plain.len()),
            '›' => spans.push(open.pop().unwrap()..plain.len()),
            c => plain.push(c),
        }
    }
    (plain, spans)
}

/// Where marks go: the text with its spans, and the result with `¹ ² …` for the marks.
const PLACES: &[(&str, &str)] = &[
    // The end itself, wherever it breaks nothing.
    ("‹Spain won.› And.", "Spain won.¹ And."),
    ("a ‹**bold**› b", "a **bold**¹ b"),
    ("a ‹**bold.**› b", "a **bold.**¹ b"),
    ("# ‹Title›\n\ntext", "# Title¹\n\ntext"),
    ("‹one\n›two", "one\n¹two"),
    ("‹one› ‹two›", "one¹ two²"),
    ("‹a ‹b›› c", "a b²¹ c"),
    // Inside of a word, a number, a cluster.
    ("‹inter›national law", "international¹ law"),
    ("‹costs 3.›14 euros", "costs 3.14¹ euros"),
    ("‹don›'t go", "don't¹ go"),
    ("‹Größ›e – ja", "Größe¹ – ja"),
    ("‹snake_›case", "snake_case¹"),
    ("‹東京›は首都", "東京¹は首都"),
    ("‹ภาษา›ไทย", "ภาษา¹ไทย"),
    ("‹한국›은 나라", "한국은¹ 나라"),
    ("‹क्षे›त्र में", "क्षेत्र¹ में"),
    ("‹هذا كت›اب جديد", "هذا كتاب¹ جديد"),
    // Code, links, pictures, addresses, tags, formulas: behind them.
    ("run ‹`ls› -l` now", "run `ls -l`¹ now"),
    ("see ‹[the› page](https://x.example/a) now", "see [the page](https://x.example/a)¹ now"),
    ("see ‹[the page](https://x.ex›ample/a) now", "see [the page](https://x.example/a)¹ now"),
    ("see ‹![alt› text](i.png) now", "see ![alt text](i.png)¹ now"),
    ("at ‹<https://x.›example> now", "at <https://x.example>¹ now"),
    ("at ‹https://x.›example/a_b. Now", "at https://x.example/a_b ¹. Now"),
    ("at ‹https://x.example/a› now", "at https://x.example/a ¹ now"),
    ("at ‹https://x.example/a.› Now", "at https://x.example/a. ¹ Now"),
    ("at ‹https://x.example/q?(x›) now", "at https://x.example/q?(x) ¹ now"),
    ("(at ‹https://x.example/q?(x›)) now", "(at https://x.example/q?(x) ¹) now"),
    ("(at ‹https://x.ex›ample/a) now", "(at https://x.example/a ¹) now"),
    ("‹at ›www.x.example now", "at¹ www.x.example now"),
    ("詳細は‹https://x.example/a。›次", "詳細はhttps://x.example/a。 ¹次"),
    ("a ‹<b cla›ss=\"x\">b</b> c", "a <b class=\"x\">¹b</b> c"),
    ("a ‹<a href=\"u\">te›xt</a> c", "a <a href=\"u\">text</a>¹ c"),
    ("so ‹$a^›2$ holds", "so $a^2$¹ holds"),
    ("so ‹\\(a^›2\\) holds", "so \\(a^2\\)¹ holds"),
    ("‹$$E = mc^2›$$\n\nIt holds.", "$$E = mc^2$$¹\n\nIt holds."),
    ("So:\n\n$$\n‹E = mc^2›\n$$\n\nIt holds.", "So:\n\n$$\nE = mc^2\n$$\n\n¹\n\nIt holds."),
    ("‹So:\n$$\nE = mc^2›\n$$\nholds.", "So:¹\n$$\nE = mc^2\n$$\nholds."),
    ("‹$$\nE = mc^2\n$$›\nholds.", "$$\nE = mc^2\n$$\n¹holds."),
    ("- ‹$x›^2$ is", "- $x^2$¹ is"),
    ("# ‹$x›^2$", "# $x^2$¹"),
    ("**‹$x›^2$**", "**$x^2$¹**"),
    ("> ‹$$y›^2$$", "> $$y^2$$¹"),
    ("| a | b |\n|---|---|\n| ‹$x›^2$ | $$y^2$$ |", "| a | b |\n|---|---|\n| $x^2$¹ | $$y^2$$ |"),
    ("`$a` ‹$x›^2$", "`$a` $x^2$¹"),
    ("‹It costs $100.› It is:\n$$PV = 1$$\nDone.", "It costs $100.¹ It is:\n$$PV = 1$$\nDone."),
    ("‹Up $5 in May.› Down $7, ‹so $r› = 7$.", "Up $5 in May.¹ Down $7, so $r = 7$²."),
    ("‹It costs $5.› Then `$PATH` too.", "It costs $5.¹ Then `$PATH` too."),
    ("so ‹&am›p; on", "so &amp;¹ on"),
    ("from ‹$5› to $10", "from $5¹ to $10"),
    // Emphasis is neither made nor unmade.
    ("**‹bold›**text", "**bold**¹text"),
    ("**‹bo›ld** text", "**bold¹** text"),
    ("**「‹語」**›です", "**「語」¹**です"),
    ("a ‹**›b** c", "a **b¹** c"),
    // Between blocks: behind what ended before.
    ("‹one.\n\n›two", "one.¹\n\ntwo"),
    ("* ‹one\n* ›two", "* one¹\n* two"),
    ("1. ‹one\n2›. two", "1. one¹\n2. two"),
    ("‹one\n# ›two", "one¹\n# two"),
    ("| a | b |\n|---|---|\n| ‹c |› d |", "| a | b |\n|---|---|\n| c¹ | d |"),
    ("| a | b |\n|---|---|\n| ‹c | d |\n›| e | f |", "| a | b |\n|---|---|\n| c | d¹ |\n| e | f |"),
    ("| ‹a | b |\n|--›-|---|\n| c | d |", "| a | b¹ |\n|---|---|\n| c | d |"),
    // A cell beyond those that the table has is no text.
    ("| a | b |\n|---|---|\n| c | d | ‹e› |\n| f | g |", "| a | b |\n|---|---|\n| c | d¹ | e |\n| f | g |"),
    // Code and HTML blocks, rules: a paragraph of its own behind them.
    ("‹```\ncode›\n```\n\nmore", "```\ncode\n```\n\n¹\n\nmore"),
    ("‹```\ncode\n```›\nmore", "```\ncode\n```\n\n¹\n\nmore"),
    ("    ‹code›\n\nmore", "    code\n\n¹\n\nmore"),
    ("‹<div>\nx›\n</div>\n\nmore", "<div>\nx\n</div>\n\n¹\n\nmore"),
    ("* a\n\n  ‹```\n  code›\n  ```\n* b\n\nmore", "* a\n\n  ```\n  code\n  ```\n* b\n\n¹\n\nmore"),
    ("a\n\n<!--‹ never closed›", "a\n\n¹\n\n<!-- never closed"),
    ("a‹\n\n---›\n\nb", "a\n\n---\n\n¹\n\nb"),
    // Signs that would join the mark.
    ("‹Wow!›", "Wow! ¹"),
    ("‹C:\\› x", "C:\\ ¹ x"),
    ("‹[a]› x\n\n[a]: https://x.example", "[a] ¹ x\n\n[a]: https://x.example"),
    ("‹[2024]› x", "[2024]¹ x"),
];

fn digits(text: &str, footnotes: bool) -> String {
    let mut out = text.to_owned();
    for (number, digit) in ["¹", "²", "³"].iter().enumerate() {
        let mark = if footnotes {
            format!("[^{}]", number + 1)
        } else {
            format!("[{}](https://m.example/{number})", number + 1)
        };
        // Behind a digit the brackets are part of the link.
        let behind =
            out.find(digit).and_then(|at| out[..at].chars().next_back()).is_some_and(|c| c.is_ascii_digit());
        let mark =
            if behind && !footnotes { mark.replacen(']', "]]", 1).replacen('[', "[[", 1) } else { mark };
        out = out.replace(digit, &mark);
    }
    out
}

#[test]
fn marks_stand_where_they_break_nothing() {
    let mut wrong = Vec::new();
    for (text, expected) in PLACES {
        let (plain, mut spans) = marked(text);
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let exported = inline(&plain, &spans);
        if exported.text.trim_end() != digits(expected, false) {
            wrong.push(format!(
                "{text:?}\n  expected {:?}\n  got      {:?}",
                digits(expected, false),
                exported.text
            ));
        }
        let (was, is) = (rendered(&plain), rendered(&exported.text));
        if was.0 != is.0 || is.1 != spans.len() {
            wrong.push(format!("{text:?} renders otherwise\n  {was:?}\n  {is:?}\n  {:?}", exported.text));
        }
        assert_eq!(exported.original(), plain);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn footnotes_stand_in_the_same_places_and_keep_apart_from_those_of_the_answer() {
    for (text, span, expected) in [
        ("One[^1].\n\n[^1]: mine", 0..7, "One[^1][^c1].\n\n[^1]: mine\n\n[^c1]: [t](https://m.example/0)\n"),
        ("Yes (see b).", 0..3, "Yes[^1] (see b).\n\n[^1]: [t](https://m.example/0)\n"),
        ("Yes(see b).", 0..3, "Yes[^1] (see b).\n\n[^1]: [t](https://m.example/0)\n"),
        ("Wow!", 0..4, "Wow! [^1]\n\n[^1]: [t](https://m.example/0)\n"),
        ("```\ncode", 0..8, "```\ncode\n```\n\n[^1]\n\n[^1]: [t](https://m.example/0)\n"),
    ] {
        let exported = footnotes(text, &[span]);
        assert_eq!(exported.original(), text);
        assert_eq!(exported.text, expected);
    }
}

/// Pieces of Markdown and of many scripts, with what is hard in each.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "The end. ",
        "word",
        " ",
        "\n",
        "\n\n",
        "!",
        "\\",
        "Größe – “ja”",
        "日本語の文。",
        "한국어 ",
        "हिन्दी क्षेत्र। ",
        "العربية ",
        "👩‍👩‍👧‍👦",
        "e\u{301}",
        "ไทย",
        "\u{202e}x\u{202c}",
        "* a\n",
        "- b ",
        "1. c\n",
        "  * d\n",
        "> q\n",
        "# h\n",
        "| x | y |\n|---|---|\n| a | b |\n",
        "[l](u)",
        "[l]",
        "[^1]",
        "[^1]: n\n",
        "[l]: /u\n",
        "![p](q)",
        "<https://a.b>",
        "https://a.b/c",
        "www.a.b",
        "<b>",
        "</b>",
        "<a href='x'>",
        "</a>",
        "<!-- c -->\n",
        "<div>\n",
        "</div>\n",
        "**",
        "*",
        "_",
        "~~",
        "`",
        "``",
        "```\n",
        "~~~\n",
        "    code\n",
        "$",
        "$$",
        "\\(",
        "\\)",
        "&amp;",
        "(x)",
        ":",
        "---\n",
        "===\n",
        "- [ ] t\n",
        "\t",
        "「語」",
        "**語。**",
        "3.14",
        "don't",
        "snake_case",
        "|",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(600), ..ProptestConfig::default() })]
    #[test]
    fn the_rendered_text_without_the_marks_is_that_of_the_answer(text in text(), places in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5)) {
        let borders: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        let spans: Vec<_> = places.iter().map(|(a, b)| {
            let (a, b) = (borders[a.index(borders.len())], borders[b.index(borders.len())]);
            a.min(b)..a.max(b)
        }).filter(|span| !span.is_empty()).collect();
        prop_assume!(!spans.is_empty());
        let plain = sanitize(&text).into_owned();
        let was = rendered(&plain);
        for exported in [inline(&text, &spans), footnotes(&text, &spans)] {
            prop_assert_eq!(exported.original(), plain.clone(), "{}", exported.text);
            let is = rendered(&exported.text);
            prop_assert_eq!(&is.0, &was.0, "{:?}", exported.text);
            // A mark inside of a footnote of the answer is passed over with it.
            prop_assert!(is.1 > was.1 || text.contains("[^"), "no mark: {:?}", exported.text);
        }
    }
}
