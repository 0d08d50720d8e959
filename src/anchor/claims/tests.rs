use super::*;
use crate::model::AnchorKind;

/// The claims of the marks `[…]` of a text.
fn claims(text: &str) -> Vec<&str> {
    let mut anchors = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('[').map(|open| at + open) {
        at = open + text[open..].find(']').unwrap() + 1;
        anchors.push(Anchor { range: Some(open..at), ..Anchor::default() });
    }
    let support = Support { kind: AnchorKind::TextMarker, ..Support::default() };
    infer(text, &[], &vec![support; anchors.len()], &mut anchors);
    anchors.into_iter().map(|anchor| &text[anchor.range.unwrap()]).collect()
}

/// Both marks backed both sentences.
#[test]
fn a_mark_that_says_something_is_parted_from_those_of_the_sentence_before() {
    for (answer, backed) in [
        ("It fell.[1] [2] says it rose.", vec!["It fell.", "says it rose."]),
        ("It fell. [1] [2] also says it rose.", vec!["It fell.", "also says it rose."]),
        ("It fell.[1][2] [3], [4] say it.", vec!["It fell.", "It fell.", "say it.", "say it."]),
        ("Es fiel.[1] [2] sagt, es stieg.", vec!["Es fiel.", "sagt, es stieg."]),
        ("[1] [2] says it rose.", vec!["says it rose.", "says it rose."]),
        // What follows ends with a mark of its own, or is a name with a verb behind it.
        ("It fell. [1] adidas sells it. [2]", vec!["It fell.", "adidas sells it."]),
        ("It fell. [1] redis is a store.", vec!["It fell."]),
        ("它很贵。[1]显示屏为6.7英寸。[2]", vec!["它很贵。", "显示屏为6.7英寸。"]),
        ("它下降。[1]报道称收入增长。[2]", vec!["它下降。", "报道称收入增长。"]),
        ("下降。[1]指出增长。[2]表示下降。", vec!["指出增长。", "表示下降。"]),
        ("انخفض السعر. [1] تشير البيانات إليه. [2]", vec!["انخفض السعر.", "تشير البيانات إليه."]),
        ("यह गिरा।[1] [2] के अनुसार बढ़ा।", vec!["यह गिरा।", "के अनुसार बढ़ा।"]),
        ("It fell. [1] [2]显示相反。下降了。[3]", vec!["It fell.", "显示相反。", "下降了。"]),
        ("下降了[1]。[2] 显示相反。", vec!["下降了", "显示相反。"]),
        ("Es sank [1]. [2] und [3] zeigen mehr.", vec!["Es sank", "zeigen mehr.", "zeigen mehr."]),
        // The first source had what the second one says.
        ("[1] reports 5 %, while [2] reports 8 %.", vec!["reports 5 %", "reports 8 %."]),
        ("[1] says so, but [2] does not. No [3].", vec!["says so", "does not.", "No"]),
        ("It rose. 🎉 [1] It fell. [2]", vec!["It rose. 🎉", "It fell."]),
        (
            "Es fiel. [2] sagt, es seien 6 Mio. Euro im 4. Quartal.",
            vec!["sagt, es seien 6 Mio. Euro im 4. Quartal."],
        ),
        // It had all of the line.
        ("[1] says it rose.[2] It stayed.[3]", vec!["says it rose.", "says it rose.", "It stayed."]),
        ("It fell. [1], [2] say it.", vec!["say it.", "say it."]),
        ("It fell. [1] [2] Then it rose.", vec!["It fell.", "It fell."]),
        (
            "\u{c62c}\u{b790}\u{b2e4}. [1]\u{c5d0} \u{b530}\u{b974}\u{ba74}",
            vec!["\u{c5d0} \u{b530}\u{b974}\u{ba74}"],
        ),
    ] {
        assert_eq!(claims(answer), backed, "{answer}");
    }
}

/// The words before were what the mark backs, or the source before had what the next one says.
#[test]
fn what_leads_to_a_mark_is_not_its_claim() {
    for (answer, backed) in [
        ("According to [1], it rose.", vec!["it rose."]),
        ("- As per [1] and [2], it rose. It fell [3].", vec!["it rose.", "it rose.", "It fell"]),
        ("Laut [1] stieg es. Selon [2], non. 根据[3]，涨。", vec!["stieg es.", "non.", "涨。"]),
        ("It fell.[3] However, [2] reports a rise.", vec!["It fell.", "reports a rise."]),
        ("It rose.[1] But [2] is of 2019.", vec!["It rose.", "is of 2019."]),
        ("Source [2] says it. Both [1] and [3] deny it.", vec!["says it.", "deny it.", "deny it."]),
        ("Sources differ: [1] says so, [2] says no.", vec!["says so", "says no."]),
        ("While [1] says it rose, [2] says it fell.", vec!["says it rose", "says it fell."]),
        ("Since [1] reports 5 % and [2] reports 3 %, no.", vec!["reports 5 %", "reports 3 %, no."]),
        ("Although it rose [1], [2] says it fell.", vec!["Although it rose", "says it fell."]),
        ("It rose [1]. [2], meanwhile, says no.", vec!["It rose", "meanwhile, says no."]),
        ("It rose. [1] [2], however, says no.", vec!["It rose.", "however, says no."]),
        ("Es stieg [1]. [2] hingegen meldet nichts.", vec!["Es stieg", "hingegen meldet nichts."]),
        ("Il monte [1]. [2], en revanche, indique non.", vec!["Il monte", "en revanche, indique non."]),
        ("涨了。[1] [2]强调下降。", vec!["涨了。", "强调下降。"]),
        // Marks stand before the full stop here, so that one behind it is of the next sentence.
        (
            "Il baisse [1]. [2] signale une hausse. [3] est prudent.",
            vec!["Il baisse", "signale une hausse.", "est prudent."],
        ),
        ("[1]과 [2]에 따르면 내렸다.", vec!["에 따르면 내렸다.", "에 따르면 내렸다."]),
        ("价格下降了[1]。[2]、[3]指出上升。", vec!["价格下降了", "指出上升。", "指出上升。"]),
        (
            "It fell [1]. In [2], it rose. Articles [3] and [4] say no.",
            vec!["It fell", "it rose.", "say no.", "say no."],
        ),
        ("It fell in May, but [2] says it rose.", vec!["says it rose."]),
        ("It fell, but according to [2], it rose.", vec!["it rose."]),
        ("Es fiel, aber laut [2] stieg es an.", vec!["stieg es an."]),
        ("价格下跌，但[2]指出工资上涨。", vec!["指出工资上涨。"]),
        ("It fell [1]. However, according to [2], it rose.", vec!["It fell", "it rose."]),
        ("It fell [1]. However, as [2] notes, it rose.", vec!["It fell", "notes, it rose."]),
        ("It rose, [2] says.", vec!["It rose,"]),
        ("It rose 3 % [1] – [2] says 4 % at least.", vec!["It rose 3 %", "says 4 % at least."]),
        ("价格下跌。[1]的确，前景不明。[2]", vec!["价格下跌。", "的确，前景不明。"]),
        // Words that begin a sentence part it from what is cut short.
        ("It opens at 9 a.m. The shop closes at 5 p.m. It is free.[1]", vec!["It is free."]),
        ("He played vs. The Beatles of U.S. fame.[1]", vec!["He played vs. The Beatles of U.S. fame."]),
        // Those of a row back what is before it.
        (
            "It rose [1], [2] and fell. Costs [1] and [2] have risen.",
            vec!["It rose", "It rose", "Costs", "Costs"],
        ),
        ("It is high: [1] and wide: [2].", vec!["It is high:", "and wide:"]),
        ("But it rose [1].", vec!["But it rose"]),
    ] {
        assert_eq!(claims(answer), backed, "{answer}");
    }
}

/// A word of Korean right behind a mark was what is said of it.
#[test]
fn what_korean_puts_behind_a_noun_goes_on_with_a_mark() {
    for (answer, backed) in [
        ("탑이 무너졌다. [1]다리가 열렸다. [2]", ["탑이 무너졌다.", "다리가 열렸다."]),
        ("탑이 무너졌다. [1]에 따르면 열렸다. [2]", ["에 따르면 열렸다.", "에 따르면 열렸다."]),
    ] {
        assert_eq!(claims(answer), backed, "{answer}");
    }
}

/// It was the mark alone.
#[test]
fn a_cell_of_marks_alone_backs_those_before_it() {
    assert_eq!(
        claims("| Height | 41 m | [1] |\n| Width [2] | 4 m | [3] |"),
        ["Height | 41 m", "Width", "4 m"]
    );
    assert_eq!(claims("| [1] | 41 m |\n| 1 | [2] | Height |"), ["[1]", "[2]"]);
    assert_eq!(claims("| Height | [1]<br>[2] |\n| [3] | [4] |"), ["Height", "Height", "[3]", "[4]"]);
}

/// Each had the name of the one before it.
#[test]
fn sources_that_are_listed_in_one_line_are_what_stands_behind_their_marks() {
    assert_eq!(
        claims("It rose [2].\n\nSources: [1] Reuters, [2] BBC, [3] CNN"),
        ["It rose", "Reuters", "BBC", "CNN"]
    );
    assert_eq!(
        claims("**Quellen:** [1] Reuters; [2] BBC\n来源：[3]路透社，[4]新华社"),
        ["Reuters", "BBC", "路透社", "新华社"]
    );
    assert_eq!(claims("Source: [1]\nIt rose [2]."), ["[1]", "It rose"]);
    assert_eq!(claims("Sources: [1], [2]"), ["[1]", "[1]"]);
}

/// Both were one sentence, since nothing stands between them.
#[test]
fn a_part_that_begins_with_a_sentence_begins_a_claim() {
    let answer = "I look it up.Sales rose [1].";
    let claim = |parts: &[usize]| {
        let mark = answer.find('[').unwrap();
        let mut anchors = [Anchor { range: Some(mark..mark + 3), ..Anchor::default() }];
        let support = Support { kind: AnchorKind::TextMarker, ..Support::default() };
        infer(answer, parts, &[support], &mut anchors);
        &answer[anchors[0].range.clone().unwrap()]
    };
    assert_eq!(claim(&[0, 13]), "Sales rose");
    assert_eq!(claim(&[0]), "I look it up.Sales rose");
    for (before, part) in [
        ("It fell.", "2.5 million left"),
        ("It fell.", "- Prices rose"),
        ("Busco.", "¡Subieron"),
        ("Let me look that up", "Prices rose"),
        ("Let me check:", "Prices rose"),
        ("## Result", "Prices rose"),
        ("찾아보겠습니다.", "2020년에 상승했다"),
        ("让我查一下", "价格上涨"),
        ("让我查一下：", "价格上涨"),
    ] {
        let answer = format!("{before}{part} [1]");
        let mark = answer.len() - 3..answer.len();
        let mut anchors = [Anchor { range: Some(mark), ..Anchor::default() }];
        let support = Support { kind: AnchorKind::TextMarker, ..Support::default() };
        infer(&answer, &[0, before.len()], &[support], &mut anchors);
        let claim = &answer[anchors[0].range.clone().unwrap()];
        assert_eq!(claim, part.trim_start_matches("- "), "{answer}");
    }
    // A piece of a stream begins anywhere.
    assert_eq!(claim(&[0, 19]), "I look it up.Sales rose");
    // The sentence before a point had nothing.
    let points = [Some(13..13), Some(answer.len()..answer.len())];
    let mut anchors = points.map(|range| Anchor { range, ..Anchor::default() });
    let support = || Support { kind: AnchorKind::Point, ..Support::default() };
    infer(answer, &[0, 13], &[support(), support()], &mut anchors);
    let claims = anchors.map(|anchor| &answer[anchor.range.unwrap()]);
    assert_eq!(claims, ["I look it up.", "Sales rose [1]."]);
}

#[test]
fn a_claim_is_what_stands_before_its_mark() {
    assert_eq!(claims("It is old.[1] It is [2] red, and big [3]."), ["It is old.", "It is", "red, and big"]);
    assert_eq!(claims("One. Two is old [1]."), ["Two is old"]);
    assert_eq!(claims("Rose 1.5 % to Dr. Quill. [1]"), ["Rose 1.5 % to Dr. Quill."]);
    assert_eq!(claims("- item one [1]\n2. item two [2]\n> # head [3]"), ["item one", "item two", "head"]);
    assert_eq!(claims("| a | b [1] | c [2] |"), ["b", "c"]);
    assert_eq!(claims("**Bold.** Then this [1]"), ["Then this"]);
    assert_eq!(claims("It opened c. five o'clock late [1]"), ["It opened c. five o'clock late"]);
    for quotation in ["\u{ab} Oui. \u{bb}", "\u{ab}\u{a0}Oui\u{202f}!\u{a0}\u{bb}", "\" Oui. \"", "(Oui. )"] {
        assert_eq!(claims(&format!("Il est l\u{e0}. {quotation} [1]")), [quotation]);
        assert_eq!(claims(&format!("Il est l\u{e0}. {quotation}[1]")), [quotation]);
    }
    for claim in [
        "**\u{6a4b}\u{306f}\u{9577}\u{3044}\u{3002}**",
        "*\u{300a}\u{6a4b}\u{3002}\u{300b}*",
        "Il a dit *\u{ab} Oui. \u{bb}*",
        "Il a dit : \u{ab} Oui. \u{bb} puis non",
        "\u{ab} Est-ce vrai ? \u{bb} dit-il",
        "He said \u{201c}Yes.\u{201d} and left",
        "\u{201e} Ja. \u{201c}",
        "***Very.***",
        "\u{bb}Es regnete.\u{ab}",
        "Sie wurde am 3. Mai 1932 er\u{f6}ffnet.",
        "On Jan. 5 it rained.",
        "\u{5f7c}\u{306f}\u{300c}\u{96e8}\u{3002}\u{300d}\u{3068}\u{8a00}\u{3063}\u{305f}\u{3002}",
        "He said \"Stop!\" and left.",
    ] {
        assert_eq!(claims(&format!("Old. {claim} [1]New.[2]")), [claim, "New."]);
        assert_eq!(claims(&format!("{claim}[1]")), [claim]);
        assert_eq!(claims(&format!("* {claim}[1]")), [claim]);
    }
    assert_eq!(
        claims("**\u{6a4b}\u{3002}**[1]\u{5854}\u{3002}[2]"),
        ["**\u{6a4b}\u{3002}**", "\u{5854}\u{3002}"]
    );
}

#[test]
fn marks_without_words_of_their_own_share_or_look_ahead() {
    assert_eq!(claims("It is old.[1] [2], [3]"), ["It is old."; 3]);
    assert_eq!(claims("[1] It is old. It is red.\n[2]"), ["It is old.", "[2]"]);
    assert_eq!(claims("It is old.\n[1]"), ["[1]"]);
}

#[test]
fn what_sources_are_called_in_a_bracket_is_of_the_mark() {
    for (open, close) in [("(Source: ", ")"), ("(see ", ")"), ("(Quelle: ", ")")] {
        assert_eq!(
            claims(&format!("It is wet. It was lit. {open}[1]{close} It is new.[2]")),
            ["It was lit.", "It is new."]
        );
        assert_eq!(
            claims(&format!("It was lit {open}[1]{close}. It is new.[2]")),
            ["It was lit", "It is new."]
        );
    }
    let list = "* It is wet. **[1]**\n* It was lit. *[2]*\n* It is open. *(Source: [3])*\n* It is red. **(see [4])** New.[5]";
    assert_eq!(claims(list), ["It is wet.", "It was lit.", "It is open.", "It is red.", "New."]);
    assert_eq!(claims("**It was lit.**(Source: [1])"), ["**It was lit.**"]);
    assert_eq!(claims("灯がともった。（出典：[1]）港は古い。[2]"), ["灯がともった。", "港は古い。"]);
    let several = "It is wet. It was lit (see [1] and [2]). It is red (e.g., [3], [4]).";
    assert_eq!(claims(several), ["It was lit", "It was lit", "It is red", "It is red"]);
    for label in ["Source: [1]", "*Source: [1]*", "**Source:** [1]", "Sources: [1].", "– Quelle: [1]"] {
        assert_eq!(claims(&format!("It is wet. It was lit. {label}\nNew.[2]")), ["It was lit.", "New."]);
        assert_eq!(claims(&format!("- **It was lit.** {label}")), ["**It was lit.**"]);
        assert_eq!(claims(&format!("It was lit.\n{label} It is new.")), ["[1]"]);
    }
    // Words of the sentence.
    assert_eq!(claims("The main source: [1]"), ["The main source:"]);
    assert_eq!(claims("It was lit (a first: [1])."), ["It was lit"]);
    assert_eq!(claims("It was lit (it is 4 m high: [1])."), ["It was lit (it is 4 m high:"]);
}

#[test]
fn brackets_and_emphasis_around_marks_are_theirs() {
    for marks in [
        "*([1])*",
        "**([1], [2])**",
        "_([1] and [2])_",
        "*[1] and [2]*",
        "*([[1]])*",
        "*(see [1])*",
        "<sup>[1]</sup>",
        "<sup>[1]</sup><sup>[2]</sup>",
        "<sup>[1]</sup>, <sup>[2]</sup>",
        "(<sup>[1]</sup>)",
    ] {
        for claim in ["It rose.", "He said “It rose.”", "It rose!", "**It rose.**", "塔は上がった。"]
        {
            let text = format!("It is. {claim} {marks} It fell.[3]");
            let mut shown = claims(&text);
            assert_eq!(shown.pop(), Some("It fell."), "{text}");
            assert!(shown.iter().all(|shown| *shown == claim), "{text}: {shown:?}");
            let ended = format!("* It is. {claim} {marks}\n* Old.");
            assert!(claims(&ended).iter().all(|shown| *shown == claim), "{ended}: {:?}", claims(&ended));
        }
    }
    assert_eq!(claims("上がった。*（[1]）*下がった。[2]"), ["上がった。", "下がった。"]);
    assert_eq!(claims("上がった。*（出典：[1]）*下がった。[2]"), ["上がった。", "下がった。"]);
    assert_eq!(claims("**上がった。**（[1]）**下がった。**[2]"), ["**上がった。**", "**下がった。**"]);
}

#[test]
fn a_mark_that_its_sentence_is_about_backs_what_it_says() {
    assert_eq!(claims("It is high. [2] says it is not. Old [1]."), ["says it is not.", "Old"]);
    assert_eq!(
        claims("Lit in 1932 [1]. [2] disagrees and says so."),
        ["Lit in 1932", "disagrees and says so."]
    );
    assert_eq!(claims("- It is high. [1] and [2] say so.\n"), ["say so."; 2]);
    assert_eq!(claims("塔高41米。[2]认为是40米。"), ["认为是40米。"]);
    assert_eq!(claims("[1] and [2] say so."), ["say so."; 2]);
    assert_eq!(claims("Red. [1], [2] and [3] say so. Old.[4]"), ["say so.", "say so.", "say so.", "Old."]);
    assert_eq!(claims("**[1]** says so. **[2]** says not."), ["says so.", "says not."]);
    assert_eq!(claims("Red. **[1]** and **[2]** disagree."), ["disagree."; 2]);
    assert_eq!(claims("Red. <sup>[1]</sup> and <sup>[2]</sup> disagree."), ["disagree."; 2]);
    assert_eq!(claims("| A |\n|---|\n| [1] and [2] disagree |"), ["disagree"; 2]);
    assert_eq!(claims("Rates are high. [2]'s figure is lower."), ["'s figure is lower."]);
    assert_eq!(claims("It is high. [2], however, says no."), ["however, says no."]);
    assert_eq!(claims("[1]和[2]不一致。"), ["不一致。"; 2]);
    // Of the sentence before.
    assert_eq!(claims("It is high.[1] it is red."), ["It is high."]);
    assert_eq!(claims("It is high. [1] and it is red."), ["It is high."]);
    assert_eq!(claims("It is high. [1] It is red."), ["It is high."]);
    for behind in ["港口很老。", "在中国，成本上升了。", "的确，很老。", "不过，很老。", "报告称，很老。"]
    {
        assert_eq!(claims(&format!("塔高41米。[1]{behind}[2]")), ["塔高41米。", behind]);
    }
    for behind in [
        "また、下がった。",
        "しかし下がった。",
        "これは古い。",
        "では、古い。",
        "のちに古い。",
        "とくに古い。",
    ] {
        assert_eq!(claims(&format!("上がった。[1]{behind}[2]")), ["上がった。", behind]);
    }
    for before in
        ["in the U.S.", "by Google LLC.", "at Apple Inc.", "curl, wget, etc.", "at 9 a.m.", "5 sq. km."]
    {
        for behind in ["before it came to Japan", "rose 5%", "for weeks", "is large"] {
            assert_eq!(claims(&format!("It is {before} [1] {behind}."))[0], format!("It is {before}"));
        }
    }
}

#[test]
fn words_between_marks_join_them() {
    for joint in [
        "-",
        "–",
        " to ",
        " and ",
        " und ",
        "; see also ",
        " / ",
        " | ",
        " · ",
        "、",
        "，",
        "和",
        "と",
        " 및 ",
    ] {
        let text = format!("It is wet. It was lit ([1]{joint}[2]). It is new.[3]");
        assert_eq!(claims(&text), ["It was lit", "It was lit", "It is new."], "{joint}");
    }
    assert_eq!(claims("It was lit [1] and red [2]."), ["It was lit", "and red"]);
}

#[test]
fn emphasis_around_a_mark_is_of_the_mark() {
    for (open, close) in [("**", "**"), ("*", "*"), ("_", "_"), ("~~", "~~"), ("***", "***")] {
        let text = format!("It was lit. {open}[1]{close} The harbour is new.[2]");
        assert_eq!(claims(&text), ["It was lit.", "The harbour is new."]);
        assert_eq!(claims(&format!("- It was lit. {open}[1]{close}\n- Red.")), ["It was lit."]);
        assert_eq!(claims(&format!("塔は高い。{open}[1]{close} 港は新しい。")), ["塔は高い。"]);
    }
    assert_eq!(
        claims("**It was lit.**[1]**The harbour** is new.[2]"),
        ["**It was lit.**", "**The harbour** is new."]
    );
}
