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

/// What an export of it gives, with `¹` and `²` for the links.
fn export(text: &str, args: &[&str]) -> String {
    let (code, out, err) = run(&[&["export", "--to"], args, &["-"]].concat(), &answer(text));
    assert_eq!((code, err.as_str()), (0, ""), "{text}");
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
