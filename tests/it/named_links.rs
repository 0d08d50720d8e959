//! Links that are words of a sentence, and claims before marks that are numbers.

use serde_json::{Value, json};

use crate::common::library::read;
use crate::provider_marks::{annotated, cites, listed, plain, rules};

/// Its words were lost, and its source given to the sentence before.
#[test]
fn a_link_that_begins_a_sentence_keeps_its_words() {
    let link = "[Two](https://b.example/)";
    for (before, behind) in [
        ("It is wet. **", "** is old."),
        ("It is wet. ", "'s roof is old."),
        ("It is wet! ", ", says it is old."),
        ("It is wet? ", ": it is old."),
        ("It is wet. ", " (old) is closed."),
        ("It is wet. ", "-based ferries run."),
        ("船が走る。", "は古い。"),
    ] {
        let start = before.chars().count();
        let input = annotated(
            &format!("{before}{link}{behind}"),
            &[cites(start, start + link.len(), "https://b.example/")],
        );
        assert!(plain(&input).contains("Two"), "{}", plain(&input));
        let support = read(&input)[0]["supports"][0].clone();
        assert!(
            support["start"].as_u64() >= Some(before.trim_end_matches(['*', ' ']).len() as u64),
            "{support}"
        );
    }
    // The same link as a citation of the sentence before.
    let input = annotated(
        &format!("It is wet. {link}\n\nThe rest."),
        &[cites(11, 11 + link.len(), "https://b.example/")],
    );
    assert_eq!(plain(&input), "It is wet.[1]\n\nThe rest.");
    let mixed = listed("The light was lit in 1932.[1] [Two](https://s2.example/) is open in summer.");
    let supports = read(&mixed)[0]["supports"].clone();
    let claims: Vec<Value> =
        [0, 1].iter().map(|at| json!([supports[at]["start"], supports[at]["end"]])).collect();
    assert_eq!(claims, [json!([0, 26]), json!([30, 75])]);
}

/// All but the last one were of the sentence before.
#[test]
fn links_that_a_sentence_begins_with_are_what_it_is_about() {
    let (two, three) = ("[Two](https://s1.example/)", "[Three](https://s2.example/)");
    for (lead, claim) in [
        ("It is wet. ", format!("{two} and {three} report a rise.")),
        ("It is wet. ", format!("{two}, {three} report a rise.")),
        ("", format!("{two} and {three} report a rise.")),
    ] {
        let supports = read(&listed(&format!("{lead}{claim}")))[0]["supports"].clone();
        for support in supports.as_array().unwrap() {
            assert_eq!(
                (support["start"].as_u64(), support["end"].as_u64()),
                (Some(lead.len() as u64), Some((lead.len() + claim.len()) as u64)),
                "{claim}"
            );
        }
        assert_eq!(supports.as_array().unwrap().len(), 2);
    }
}

/// Two claims before `[1]` and `[2]` were both shown at `[1]`.
#[test]
fn claims_before_numbers_are_claims() {
    let text = "The tower opened in 1889 [1]. It is 330 metres tall [2].";
    for (first, next) in [((0, 24), (30, 51)), ((0, 28), (30, 55)), ((0, 29), (30, 56))] {
        let cited =
            [cites(first.0, first.1, "https://a.example/"), cites(next.0, next.1, "https://b.example/")];
        let input = annotated(text, &cited);
        let supports = read(&input)[0]["supports"].clone();
        let shown: Vec<Value> =
            [0, 1].iter().map(|at| json!([supports[at]["start"], supports[at]["end"]])).collect();
        assert_eq!(shown, [json!([first.0, first.1]), json!([next.0, next.1])]);
        assert!(rules(&input)[0].starts_with("gateway-unit"), "{:?}", rules(&input));
    }
    // Marks, and marks that are off by three.
    for by in [0, 3] {
        let cited =
            [cites(25 - by, 28 - by, "https://a.example/"), cites(52 - by, 55 - by, "https://b.example/")];
        let found = rules(&annotated(text, &cited));
        assert!(found.iter().all(|rule| !rule.starts_with("gateway-unit")), "{found:?}");
    }
}

/// `(see and)` and `(Source:)` were left behind, and `Source:` was a claim.
#[test]
fn what_sources_are_called_goes_with_their_marks() {
    for (answer, shown) in [
        ("It was lit (see [1] and [2]). It is new.", "It was lit[1][2]. It is new."),
        ("It was lit ([1] and [2]). It is new.", "It was lit[1][2]. It is new."),
        ("It was lit (Source: [1]). It is new.", "It was lit[1]. It is new."),
        ("It was lit (per [1]).", "It was lit[1]."),
        ("It was lit. (Sources: [1], [2]) It is new.", "It was lit.[1][2] It is new."),
        ("It was lit. *(e.g., [1])* It is new.", "It was lit.[1] It is new."),
        ("It was lit. Source: [1]", "It was lit.[1]"),
        ("It was lit. Source: [1].", "It was lit.[1]"),
        ("It was lit. *Source: [1]* It is new.", "It was lit.[1] It is new."),
        ("- It was lit. **Source:** [1]\n- It is new.", "- It was lit.[1]\n- It is new."),
        ("It was lit – Source: [1].", "It was lit[1]."),
        ("塔は高い。出典：[1]、[2]", "塔は高い。[1][2]"),
        // Both were of the first sentence, and the blank between them was left out.
        ("It was lit.[1] [2] says no.", "It was lit.[1] [2] says no."),
        // Of two clauses each has its own subject.
        ("[1] says it was lit, while [2] says no.", "[1] says it was lit, while [2] says no."),
        // Brackets in emphasis: the next sentence had them.
        ("It rose. *([1])* It fell.", "It rose.[1] It fell."),
        ("It rose. **([1], [2])** It fell.", "It rose.[1][2] It fell."),
        ("It rose. *[1] and [2]* It fell.", "It rose.[1][2] It fell."),
        ("上がった。*（[1]）*下がった。", "上がった。[1]下がった。"),
        ("It rose.<sup>[1]</sup><sup>[2]</sup> It fell.", "It rose.[1][2] It fell."),
        ("It rose [1] as well as [2].", "It rose[1][2]."),
        ("It rose ([1]) and ([2]) fell.", "It rose[1][2] fell."),
        ("| It rose [1] | [2] |", "| It rose[1] | [2] |"),
        // A sign that is no emphasis before it.
        ("Set max_tokens to 4. _Source: [1]_", "Set max_tokens to 4.[1]"),
        ("Use 2 * 3 = 6. *Source: [1]*", "Use 2 * 3 = 6.[1]"),
        ("Rated 4* hotel. *Source: [1]*", "Rated 4* hotel.[1]"),
        // The cells of a row.
        ("| A ([1]) | ([2]) | ([1]) |", "| A[1] | ([2]) | ([1]) |"),
        ("| A ([1]) | – | ([2]) |", "| A[1] | – | ([2]) |"),
        ("| 22 nm (per [2]) | *([1])* |", "| 22 nm[2] | *([1])* |"),
        ("| 22 nm – Source: [2] | x |", "| 22 nm[2] | x |"),
        // What a sentence is about stays where it is.
        ("It is high. [2] says it is not.", "It is high. [2] says it is not."),
        ("Lit in 1932 [1]. [2] disagrees.", "Lit in 1932[1]. [2] disagrees."),
        ("It rose. [2] and [1] disagree.", "It rose. [2] and [1] disagree."),
        ("[1] and [2] disagree.", "[1] and [2] disagree."),
        ("- [1] says so.", "- [1] says so."),
        ("[1] reports growth of 4%.", "[1] reports growth of 4%."),
        // All from the first to the last.
        ("It rose [1]-[3]. It fell [1]–[2].", "It rose[1][2][3]. It fell[1][2]."),
        ("It rose [1] through [3].", "It rose[1][2][3]."),
        // In emphasis, and in a cell.
        ("**[1]** says so. **[2]** says not.", "**[1]** says so. **[2]** says not."),
        ("Red. **[1]** and **[2]** disagree.", "Red. **[1]** and **[2]** disagree."),
        ("| A |\n|---|\n| [1] and [2] disagree |", "| A |\n|---|\n| [1] and [2] disagree |"),
        ("It is high. [2]'s figure is lower.", "It is high. [2]'s figure is lower."),
        // A mark alone in an element.
        ("It rose.\n\n<sup>[2]</sup>\n\nIt fell.", "It rose.\n\n<sup>[2]</sup>\n\nIt fell."),
        (
            "| **[1]** | <sup>[2]</sup> |\n|---|---|\n| a | b |",
            "| **[1]** | <sup>[2]</sup> |\n|---|---|\n| a | b |",
        ),
        // Behind other words, and in a line of its own, it is words.
        ("The main source: [1]", "The main source:[1]"),
        ("It was lit (source: [1], page 4).", "It was lit[1] (source:, page 4)."),
        ("It was lit.\n\nSource: [1]", "It was lit.\n\nSource: [1]"),
        ("It was lit.\n\n*Sources: [1], [2]*", "It was lit.\n\n*Sources: [1][2]*"),
    ] {
        assert_eq!(plain(&listed(answer)), shown, "{answer}");
    }
    // Links: the last ones were words.
    let links = ["[a](https://s1.example/)", "[b](https://s2.example/)", "[C House](https://s1.example/)"];
    for (open, joint, close) in
        [("(", " and ", ")"), ("(see ", ", ", ")"), ("*(", " / ", ")*"), ("（出典：", "、", "）")]
    {
        let row = links.join(joint);
        let input = listed(&format!("It rose {open}{row}{close}. It fell."));
        assert_eq!(plain(&input), "It rose[1][2]. It fell.", "{open}{row}{close}");
    }
}
