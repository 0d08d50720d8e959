//! Marks of a provider that hold their own place, since nothing else does: ours are written there.

use serde_json::json;

use crate::common::program::run;

/// An answer of Perplexity's with two pages.
fn answer(text: &str) -> String {
    json!({"id": "p1", "model": "sonar", "object": "chat.completion",
        "citations": ["https://a.example/x", "https://b.example/y"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}]})
    .to_string()
}

/// An answer of OpenAI's whose links are annotated, each with the brackets around it.
fn annotated(text: &str) -> String {
    let mut annotations = Vec::new();
    for (open, _) in text.match_indices('[').filter(|(open, _)| !text[..*open].ends_with('[')) {
        let Some((label, rest)) = text[open..].split_once("](") else { continue };
        let (url, _) = rest.split_once(')').unwrap();
        let inner = open..open + label.len() + 2 + url.len() + 1;
        let bracketed = text[..open].ends_with('(') && text[inner.end..].starts_with(')');
        let (start, end) =
            if bracketed { (inner.start - 1, inner.end + 1) } else { (inner.start, inner.end) };
        annotations.push(
            json!({"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": "T"}),
        );
    }
    json!({"id": "r", "object": "response", "status": "completed", "model": "m", "output": [{"type": "message", "id": "m",
        "status": "completed", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": annotations}]}]})
    .to_string()
}

/// What an export of it gives, with `¹` and `²` for the links.
fn export(text: &str, args: &[&str]) -> String {
    of_input(&answer(text), args)
}

fn of_input(input: &str, args: &[&str]) -> String {
    let (code, out, err) = run(&[&["export", "--to"], args, &["-"]].concat(), input);
    assert_eq!((code, err.as_str()), (0, ""), "{input}");
    out.replace("[1](https://a.example/x)", "¹").replace("[2](https://b.example/y)", "²")
}

#[test]
fn a_mark_alone_in_its_cell_or_line_is_linked_there() {
    for (text, expected) in [
        ("| A | [1] |\n|---|---|\n| B | **[2]** |\n", "| A | ¹ |\n|---|---|\n| B | **²** |\n"),
        (
            "It rose.\n\n**[1]**\n\nIt fell.\n\n*[2]*\n\nEnd.\n",
            "It rose.\n\n**¹**\n\nIt fell.\n\n*²*\n\nEnd.\n",
        ),
        ("It rose.\n[1][2]\n", "It rose.\n¹, ²\n"),
        ("- It rose.\n  [1], [2]\n- It fell.\n", "- It rose.\n  ¹, ²\n- It fell.\n"),
        ("### ([1])\n\nIt rose.\n", "### (¹)\n\nIt rose.\n"),
    ] {
        assert_eq!(export(text, &["inline"]), expected);
    }
}

#[test]
fn a_mark_that_opens_its_line_before_a_sign_stays_there() {
    for (text, expected) in [
        ("- **[1]**: rose\n- **[2]**: fell\n", "- **¹**: rose\n- **²**: fell\n"),
        ("1. [1]: rose\n", "1. ¹: rose\n"),
        ("* [1] - rose\n", "* ¹ - rose\n"),
        ("[1] # rose\n", "¹ # rose\n"),
        ("[1] 2. rose\n", "¹ 2. rose\n"),
        ("[1]    rose\n", "¹    rose\n"),
        // Words begin the line as well without it.
        ("[1] It rose. It fell.\n", " It rose.¹ It fell.\n"),
        ("[1] 2 % more.\n", " 2 % more.¹\n"),
    ] {
        assert_eq!(export(text, &["inline"]), expected);
    }
}

/// They were moved to the end of what was taken for their claim: `According to ¹, it rose` lost nothing, but
/// `Although it rose¹² says it fell` its comma.
#[test]
fn a_mark_that_its_sentence_is_about_stays_where_it_is() {
    for (text, expected) in [
        ("According to [1], it rose.", "According to ¹, it rose.\n"),
        ("Although it rose [1], [2] says it fell.", "Although it rose¹, ² says it fell.\n"),
        ("While [1] says it rose, [2] says it fell.", "While ¹ says it rose, ² says it fell.\n"),
        ("It rose [1] and [2] and fell.", "It rose¹, ² and fell.\n"),
    ] {
        assert_eq!(export(text, &["inline"]), expected);
    }
}

#[test]
fn marks_in_emphasis_share_the_claim_before_them() {
    for (text, expected) in [
        ("It rose: **[1]**, **[2]**\n", "It rose:¹, ²\n"),
        ("It rose **([1])**.\n", "It rose¹.\n"),
        ("It rose ([1], [2]).\n", "It rose¹, ².\n"),
    ] {
        assert_eq!(export(text, &["inline"]), expected);
    }
}

#[test]
fn marks_that_hold_their_place_have_our_numbers() {
    let text = "B costs 6 [2].\n\n| A | [1] |\n|---|---|\n| B | [2] |\n";
    assert_eq!(
        export(text, &["plain", "--number", "compact"]),
        "B costs 6[1].\n\n| A | [2] |\n|---|---|\n| B | [1] |\n\n[1] https://b.example/y\n[2] https://a.example/x\n"
    );
    assert_eq!(
        export("It rose.\n\n[1]\n", &["footnotes"]),
        "It rose.\n\n[^1]\n\n[^1]: [https://a.example/x](https://a.example/x)\n"
    );
    assert_eq!(
        export(text, &["inline", "--keep-marks"]),
        "B costs 6 [2]².\n\n| A | [1]¹ |\n|---|---|\n| B | [2]² |\n"
    );
}

/// A link whose label is words of the sentence is no mark: its words stay, and ours stands behind it.
#[test]
fn words_that_are_linked_stay_in_the_answer() {
    for (text, expected) in [
        (
            "It cost [$5.2 billion](https://a.example/x) in 2024.\n",
            "It cost [$5.2 billion](https://a.example/x) in 2024.¹\n",
        ),
        ("- [Annual report](https://a.example/x)\n", "- [Annual report](https://a.example/x)¹\n"),
        ("### [Headline](https://b.example/y)\n", "### [Headline](https://b.example/y)²\n"),
        ("It cost a lot ([a.example](https://a.example/x)).\n", "It cost a lot¹.\n"),
        ("It bought [Instagram](https://a.example/x).\n", "It bought [Instagram](https://a.example/x)¹.\n"),
    ] {
        assert_eq!(export(text, &["inline"]), expected);
    }
}

/// Its number is compared as any other of the claim.
#[test]
fn a_linked_number_is_one_of_the_claim() {
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("texts.jsonl");
    std::fs::write(&texts, r#"{"uri": "https://a.example/x", "text": "The annual report says that the revenue was $4.1 billion in 2024."}"#).unwrap();
    let input = answer("The revenue was [$5.2 billion](https://a.example/x) in 2024.");
    let (code, out, _) =
        run(&["check", "--fail-on", "number-missing", "--source-text", texts.to_str().unwrap(), "-"], &input);
    assert_eq!(code, 1, "{out}");
}

/// Marks in a row, none of which has words of its own, stay where the first of them is.
#[test]
fn links_in_a_row_stay_in_their_cell_or_line() {
    let links = [
        "([a.example](https://a.example/x))",
        "([b.example](https://b.example/y))",
        "([a.example](https://a.example/x))",
    ];
    for (text, expected) in [
        (
            format!("| A | {} |\n|---|---|\n| B | none |\n", links.join(" ")),
            "| A | ¹, ²,¹ |\n|---|---|\n| B | none |\n",
        ),
        (format!("One.\n\n{}\n\nTwo.\n", links[..2].concat()), "One.\n\n¹, ²\n\nTwo.\n"),
        (
            "- [a.example](https://a.example/x) [b.example](https://b.example/y)\n- Two\n".to_owned(),
            "- ¹, ²\n- Two\n",
        ),
        (
            "It is long [[1]](https://a.example/x)[[2]](https://b.example/y).\n".to_owned(),
            "It is long¹, ².\n",
        ),
        (format!("{} {} It is old. It is red.\n", links[0], links[1]), " It is old.¹, ² It is red.\n"),
        (
            "It rose. [a.example](https://a.example/x) reports that it fell.\n".to_owned(),
            "It rose. [a.example](https://a.example/x) reports that it fell.¹\n",
        ),
    ] {
        let shown = of_input(&annotated(&text), &["inline"]);
        assert_eq!(shown.replace(", ¹", ",¹"), expected, "{text}");
    }
}

/// A reference without width stands behind what comes before it, and in a cell of its own in that.
#[test]
fn points_belong_to_what_stands_before_them() {
    let of = |pieces: &[&str]| {
        let reference = |host: &str| json!({"type": "tool_reference", "tool": "web_search", "title": "T", "url": format!("https://{host}.example/")});
        let chunk = |piece: &&str| {
            if piece.len() == 1 { reference(piece) } else { json!({"type": "text", "text": piece}) }
        };
        let content: Vec<_> = pieces.iter().map(chunk).collect();
        let input = json!({"object": "conversation.response", "conversation_id": "c", "usage": {},
            "outputs": [{"type": "message.output", "role": "assistant", "id": "m", "model": "m", "content": content}]});
        let out = of_input(&input.to_string(), &["inline"]);
        out.replace("[1](https://a.example/)", "¹").replace("[2](https://b.example/)", "²")
    };
    assert_eq!(
        of(&["| C | S |\n|---|---|\n| Tokyo | ", "a", " |\n| Osaka | ", "b", " |\n"]),
        "| C | S |\n|---|---|\n| Tokyo | ¹ |\n| Osaka | ² |\n"
    );
    assert_eq!(of(&["It is big.\n\n", "a", "\n\nIt is small.\n"]), "It is big.¹\n\n\n\nIt is small.\n");
    assert_eq!(of(&["Sources:\n- ", "a", "\n- ", "b", "\nEnd.\n"]), "Sources:\n- ¹\n- ²\nEnd.\n");
    assert_eq!(of(&["- It is big.\n", "a", "- It is small.\n", "b"]), "- It is big.¹\n- It is small.²\n");
}

/// The claim took in the message before, which cites nothing.
#[test]
fn a_claim_does_not_begin_in_the_message_before() {
    for (before, words) in
        [("I will search.", "Prices rose."), ("Let me look", "Prices rose."), ("让我查一下", "价格上涨。")]
    {
        let message = |content: serde_json::Value| json!({"type": "message.output", "role": "assistant", "id": "m", "model": "m", "content": content});
        let cited = json!([{"type": "text", "text": words}, {"type": "tool_reference", "tool": "web_search", "title": "T", "url": "https://a.example/x"}]);
        let input = json!({"object": "conversation.response", "conversation_id": "c", "usage": {},
            "outputs": [message(json!(before)), message(cited)]});
        let (code, out, _) = run(&["export", "--to", "csv", "-"], &input.to_string());
        assert!(code == 0 && out.contains(&format!(",{words},as-sent,")), "{out}");
    }
}

/// It was a mark that names no source, and its words were left out.
#[test]
fn an_interval_is_no_mark() {
    let text = "Shares lie in [0, 1] and sum up [2].";
    assert_eq!(export(text, &["inline"]), "Shares lie in [0, 1] and sum up².\n");
    let (code, out, _) = run(&["check", "--fail-on", "marker-orphan", "-"], &answer(text));
    assert_eq!((code, out.contains("orphan")), (0, false), "{out}");
}

/// Digits of an address are no numbers of a claim, and a mark alone is no claim at all.
#[test]
fn addresses_are_not_compared() {
    let texts = r#"{"uri": "https://a.example/2024/05/x-73", "text": "Tokyo has 14 million people in all of its wards."}"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("texts.jsonl");
    std::fs::write(&file, texts).unwrap();
    for text in [
        "According to [the paper](https://a.example/2024/05/x-73), Tokyo has 14 million people.",
        "| Tokyo has 14 million people | ([a.example](https://a.example/2024/05/x-73)) |\n|---|---|\n",
    ] {
        let check = [
            "check",
            "--fail-on",
            "number-missing,wording-little",
            "--source-text",
            file.to_str().unwrap(),
            "-",
        ];
        let (code, out, _) = run(&check, &annotated(text));
        assert_eq!(code, 0, "{out}");
    }
}
