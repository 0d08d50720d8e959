//! What the comparison says about small responses in several languages.

use citescope::evidence::{
    Backing, ChunkId, ChunkText, Claim, ClaimMarks, Index, Outcome, Reason, Scorer, THRESHOLDS,
};

const BRIDGE: &str = "The Marlow bridge opened in 1932. It is 503 metres long and carries two lanes.";
const SALT: &str = "Salt has been mined near Hallein since the Bronze Age. The mine employs 40 people.";
const TRAMS: &str = "The first trams ran in 1891. In 2018 and 2019 the line was closed for repairs.";

fn index_of(texts: &[&str]) -> Index {
    Index::new((0..).zip(texts).map(|(source, text)| ChunkText { source, text, ..ChunkText::default() }))
}

fn judge(claim: &str, texts: &[&str], cited: &[u32]) -> Backing {
    let index = index_of(texts);
    let cited: Vec<ChunkId> = cited.iter().copied().map(ChunkId).collect();
    Scorer::new(&index).compare(&Claim::new(&index, claim), &cited)
}

#[track_caller]
fn expect(claim: &str, texts: &[&str], cited: &[u32], outcome: Outcome) -> Backing {
    let verdict = judge(claim, texts, cited);
    assert_eq!(verdict.outcome, outcome, "{verdict:#?}");
    verdict
}

#[test]
fn the_six_outcomes() {
    let all = [BRIDGE, SALT, TRAMS];
    let found = expect("The Marlow bridge opened in 1932.", &all, &[0], Outcome::Found);
    assert_eq!((found.cover, found.fits[0].window.first), (Some(1.0), 0));
    let other = expect("The Marlow bridge opened in 1932.", &all, &[1], Outcome::OtherChunk);
    assert_eq!(other.better().map(|better| better.chunk), Some(ChunkId(0)));
    assert_eq!(other.missing_numbers, ["1932"]);
    let number = expect("The Marlow bridge opened in 1937.", &all, &[0], Outcome::NumberMissing);
    assert_eq!(number.missing_numbers, ["1937"]);
    expect("The long Marlow bridge carries bicycles and horses.", &all, &[0], Outcome::Partly);
    let little = expect("Painters admire the quiet valley around Marlow.", &all, &[0], Outcome::Little);
    assert_eq!(little.better(), None);
    expect("Thank you.", &all, &[0], Outcome::Unchecked(Reason::ShortClaim));
}

/// A document of very many passages, of which each claim cites all.
#[test]
fn of_very_many_passages_those_are_compared_that_matter() {
    let judged = |count: u32, claim: &str| {
        let opened =
            |k| format!("The Marlow bridge opened in {} and carries {} cars.", 1800 + k % 50, 7000 + k);
        let texts: Vec<String> = (0..count).map(opened).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let backing = judge(claim, &texts, &(0..count).collect::<Vec<_>>());
        let best: Vec<u32> = backing.fits.iter().take(2).map(|fit| fit.window.chunk.0).collect();
        (backing.outcome, backing.cover, best, backing.fits.len(), backing.missing_numbers.len())
    };
    // One passage holds the claim: it is the best one, the others show where most of it stands as well.
    let whole = "The Marlow bridge opened in 1837 and carries 7137 cars.";
    assert_eq!(judged(200, whole), (Outcome::Found, Some(1.0), vec![137, 37], 64, 0));
    assert_eq!(judged(5000, whole), (Outcome::Found, Some(1.0), vec![137, 37], 16, 0));
    // None holds all of it: what is missing of the best one may stand in any of the others.
    let parts = "The Marlow bridge opened in 1837 and carries 7138 cars.";
    assert_eq!(judged(200, parts), (Outcome::Found, Some(1.0), vec![37, 87], 64, 0));
    assert_eq!(judged(5000, parts), (Outcome::Found, Some(1.0), vec![37, 87], 65, 0));
}

#[test]
fn without_chunk_text_nothing_is_compared() {
    for (texts, cited) in [(&["", SALT][..], &[0][..]), (&[" … "], &[0]), (&[SALT], &[]), (&[SALT], &[7])] {
        let verdict = expect(
            "The Marlow bridge opened in 1932.",
            texts,
            cited,
            Outcome::Unchecked(Reason::NoChunkText),
        );
        assert_eq!((verdict.cover, verdict.margin), (None, None));
        assert!(verdict.missing_numbers.is_empty() && verdict.fits.is_empty());
    }
}

#[test]
fn the_margin_needs_a_second_chunk_with_text() {
    assert_eq!(judge("The Marlow bridge opened in 1932.", &[BRIDGE, ""], &[0]).margin, None);
    assert_eq!(judge("The Marlow bridge opened in 1932.", &[BRIDGE, SALT], &[0, 1]).margin, None);
    let margin = judge("The Marlow bridge opened in 1932.", &[BRIDGE, SALT], &[0]).margin;
    assert!(margin.is_some_and(|margin| margin < -0.5));
}

#[test]
fn several_cited_chunks_count_together() {
    let claim = "The Marlow bridge opened in 1932 and trams first ran in 1891.";
    let verdict = expect(claim, &[BRIDGE, SALT, TRAMS], &[0, 2], Outcome::Found);
    assert_eq!(verdict.fits.iter().map(|fit| fit.window.chunk).collect::<Vec<_>>(), [ChunkId(0), ChunkId(2)]);
    assert!(verdict.fits.iter().all(|fit| fit.cover < 0.8) && verdict.missing_numbers.is_empty());
    let twice = judge(claim, &[BRIDGE, SALT, TRAMS], &[0, 2, 0, 2]);
    assert_eq!(twice, verdict);
}

#[test]
fn title_words_belong_to_every_sentence() {
    let chunk = ChunkText {
        title: "Hallein",
        text: "Opened early. Mined for salt since 1590.",
        ..ChunkText::default()
    };
    let index = Index::new([chunk]);
    let claim = Claim::new(&index, "In Hallein salt was mined since 1590.");
    let fit = Scorer::new(&index).cover(&claim, ChunkId(0)).unwrap();
    assert_eq!((fit.window.first, fit.window.sentences), (1, 1));
    assert!(fit.cover > 0.95);
    assert_eq!(claim.missing_names(&index, &[ChunkId(0)]).count(), 0);
}

#[test]
fn other_languages_and_scripts() {
    let german = "Die Brücke bei Marlow wurde 1932 eröffnet. Sie ist 503 Meter lang.";
    expect("Die Brücke wurde im Jahr 1932 eröffnet.", &[german, SALT], &[0], Outcome::Partly);
    let japanese = ["橋は1932年に開通した。全長は503メートルである。", "塩は青銅器時代から採掘されている。"];
    expect("橋は１９３２年に開通した。", &japanese, &[0], Outcome::Found);
    expect("橋は一九三二年に開通した。全長は530メートルである。", &japanese, &[0], Outcome::NumberMissing);
    expect("橋は1932年に開通した。", &japanese, &[1], Outcome::OtherChunk);
    let thai = ["สะพานเปิดใช้ในปี 1932 และยาว 503 เมตร", "เหมืองเกลือมีคนงาน 40 คน"];
    expect("สะพานเปิดใช้ในปี 1932", &thai, &[0], Outcome::Found);
    expect("สะพานเปิดใช้ในปี 1932", &thai, &[1], Outcome::OtherChunk);
}

#[test]
fn digits_of_other_scripts() {
    let arabic = ["افتتح الجسر الكبير عام ١٩٣٢ فوق النهر.", "يعمل في المنجم أربعون عاملا."];
    expect("افتتح الجسر الكبير عام 1932.", &arabic, &[0], Outcome::Found);
    expect("افتتح الجسر الكبير عام ١٩٣٧.", &arabic, &[0], Outcome::NumberMissing);
    let hindi = ["यह पुल वर्ष १९३२ में खुला था।", "नमक की खान में चालीस लोग हैं।"];
    expect("पुल 1932 में खुला।", &hindi, &[0], Outcome::Found);
}

#[test]
fn another_language_is_said_and_numbers_are_still_compared() {
    let unchecked = Outcome::Unchecked(Reason::OtherLanguage);
    let verdict = expect("El puente de Marlow se abrió en 1937.", &[BRIDGE, SALT], &[0], unchecked);
    assert_eq!(verdict.missing_numbers, ["1937"]);
    expect(
        "The Marlow bridge was opened in 1932.",
        &["El puente se abrió en 1932 y mide 503 metros de largo."],
        &[0],
        unchecked,
    );
    expect("Мост у Марлоу открыли в 1932 году.", &[BRIDGE], &[0], unchecked);
    expect("橋は1932年に開通した。", &[BRIDGE], &[0], unchecked);
    expect("Marlow bridge: 503 metres, two lanes, opened 1932", &[BRIDGE], &[0], Outcome::Found);
}

#[test]
fn numbers_are_found_in_other_forms() {
    for (claim, text, missing) in [
        ("About 3,000 people visited the hall.", "2,987 people visited the hall.", &[][..]),
        ("Revenue was 1.5 million crowns.", "Revenue was 1,500,000 crowns.", &[]),
        ("Revenue was 1500000 crowns.", "Revenue was 1.5 million crowns.", &[]),
        ("The team won 3 medals and 12 cups.", "They won three medals and a dozen cups.", &[]),
        ("The season 2018–19 was short.", "The seasons of 2018 and 2019 were short.", &[]),
        ("It opened in 2000 with 1,950 seats.", "It opened in 1998 with 1,949 seats.", &["2000", "1950"]),
        ("1. It has 4 doors [5].", "It has many doors.", &["4"]),
        ("Der Preis stieg auf 1.234,50 Euro.", "Der Preis stieg auf 1234,5 Euro.", &[]),
        ("Das sind ٧٥ Meter.", "Das sind 75 Meter.", &[]),
        ("The 2nd of 30 floors.", "The second of thirty floors.", &[]),
    ] {
        let index = index_of(&[text]);
        let claim = Claim::new(&index, claim);
        let made: Vec<&str> = claim.missing_numbers(&index, &[ChunkId(0)]).collect();
        assert_eq!(made, missing, "{text}");
    }
}

#[track_caller]
fn parts<'t>(text: &'t str, ranges: &[std::ops::Range<usize>]) -> Vec<&'t str> {
    let part = |range: &std::ops::Range<usize>| text.get(range.clone());
    ranges.iter().map(|range| part(range).unwrap_or("?")).collect()
}

#[test]
fn absent_words_are_marked_in_the_claim() {
    let index = index_of(&[BRIDGE, "橋は1932年に開通した。"]);
    let claim = "- In Henley the bridge was not opened in 1937 [1].";
    let marks = ClaimMarks::new(&index, claim, &[ChunkId(0)]);
    assert_eq!(parts(claim, &marks.absent), ["Henley", "not", "1937"]);
    assert_eq!(parts(claim, &marks.numbers), ["1937"]);
    assert_eq!(parts(claim, &marks.names), ["Henley"]);
    let claim = "橋は１９３７年に閉鎖した。";
    let marks = ClaimMarks::new(&index, claim, &[ChunkId(1)]);
    assert_eq!(parts(claim, &marks.absent), ["１９３７", "閉鎖"]);
    let claim = "closed during 1998–99";
    let marks = ClaimMarks::new(&index, claim, &[ChunkId(0)]);
    assert_eq!(parts(claim, &marks.numbers), ["1998", "99"]);
}

#[test]
fn words_of_the_claim_are_marked_in_the_window() {
    let text = "Unlike others, it is new. The Marlow bridges OPENED in 1932! They are long.";
    let index = index_of(&[text]);
    let claim = Claim::new(&index, "The Marlow bridge opened in 1932.");
    let mut scorer = Scorer::new(&index);
    let window = scorer.cover(&claim, ChunkId(0)).unwrap().window;
    assert_eq!(text.get(window.start..window.end), Some("The Marlow bridges OPENED in 1932!"));
    let ranges = claim.present_in_window(&index, text, &window);
    assert_eq!(parts(text, &ranges), ["Marlow", "bridges", "OPENED", "1932"]);
}

#[test]
fn further_windows_lie_apart_and_hold_enough() {
    let text = "The Marlow bridge opened in 1932. Rain fell. Cows slept. The bridge at Marlow is grey. \
        Nothing else.";
    let index = index_of(&[text]);
    let claim = Claim::new(&index, "The Marlow bridge opened in 1932.");
    let windows = Scorer::new(&index).windows(&claim, ChunkId(0), 3);
    let made: Vec<_> = windows.iter().map(|window| (window.first, window.sentences)).collect();
    assert_eq!(made, [(0, 1), (3, 1)]);
    assert_eq!(Scorer::new(&index).windows(&claim, ChunkId(0), 1).len(), 1);
}

/// Three words that all sentences of a long source have, and one that a single sentence has.
const FREQUENT: &str = "The harbour bridge remains closed.";

/// A source of so many sentences, the one at `rare` with a further word.
fn long_source(sentences: usize, rare: usize) -> String {
    let sentence = |number| {
        if number == rare {
            "The harbour bridge remains closed tonight. ".to_owned()
        } else {
            format!("{FREQUENT} ")
        }
    };
    (0..sentences).map(sentence).collect()
}

#[test]
fn of_many_claims_each_is_looked_for_round_the_words_that_few_sentences_have() {
    let text = long_source(4000, 3000);
    let index = index_of(&[&text]);
    let claim = Claim::new(&index, "The harbour bridge remains closed tonight.");
    for claims in [1, 1_000_000] {
        let fit = Scorer::for_claims(&index, claims).cover(&claim, ChunkId(0)).unwrap();
        assert_eq!((fit.window.first, fit.window.sentences, fit.cover), (3000, 1, 1.0), "{claims}");
    }
    // Where every sentence has every word the first one has them.
    let claim = Claim::new(&index, FREQUENT);
    let fit = Scorer::for_claims(&index, 1_000_000).cover(&claim, ChunkId(0)).unwrap();
    assert_eq!((fit.window.first, fit.window.sentences, fit.cover), (0, 1, 1.0));
}

#[test]
fn of_many_claims_each_finds_the_source_that_fits_among_hundreds_that_share_a_word() {
    let texts: Vec<String> =
        (0..900).map(|number| format!("The bridge of town {number} is closed.")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let index = index_of(&texts);
    let claim = Claim::new(&index, "The bridge of town 777 is closed.");
    for claims in [1, 1_000_000] {
        let best = Scorer::for_claims(&index, claims).best_other(&claim, &[ChunkId(0)]).unwrap();
        assert_eq!((best.chunk, best.cover), (ChunkId(777), 1.0), "{claims}");
    }
}

#[test]
fn a_date_is_no_range_of_years() {
    let claim = "The harbour was closed on 2024-05-06 after the storm.";
    let found = judge(claim, &["The harbour was closed on 2024/05/06 after the storm."], &[0]);
    assert_eq!((found.outcome, found.missing_numbers.len()), (Outcome::Found, 0));
    let missing = judge("It was closed in 2005.", &["The harbour was closed on 2024-05-06."], &[0]);
    assert_eq!(missing.missing_numbers, ["2005"]);
}

#[test]
fn an_explanation_adds_up() {
    let index = index_of(&[BRIDGE, SALT]);
    let claim = Claim::new(&index, "The long Marlow bridge carries horses.");
    let made = Scorer::new(&index).explain(&claim, &[ChunkId(0)], 3);
    let words: Vec<_> = made.tokens.iter().map(|t| (t.text.as_str(), t.in_window, t.in_chunk)).collect();
    let held = |text| (text, true, true);
    assert_eq!(
        words,
        [held("the"), held("long"), held("marlow"), held("bridge"), held("carrie"), ("horse", false, false)]
    );
    let (cover, shown) = (made.cover().unwrap(), made.verdict.cover.unwrap());
    assert!((cover - shown).abs() < 1e-12);
    assert!(made.thresholds.contains(&("margin", 0.15)) && made.thresholds.len() == THRESHOLDS.len());
}

#[test]
fn a_shift_of_the_whole_response_shows() {
    let index = index_of(&[BRIDGE, SALT, TRAMS, "Herons nest in the reeds all summer."]);
    let texts = [
        "The Marlow bridge is 503 metres long.",
        "Salt was mined near Hallein.",
        "The first trams ran in 1891.",
    ];
    let claims = texts.map(|text| Claim::new(&index, text));
    for (moved, by) in [(0, 0), (1, -1), (-1, 1)] {
        let cited = claims.iter().zip((moved..).map(|index| vec![index]));
        let shift = Scorer::new(&index).index_shift(cited, 4).unwrap();
        assert_eq!(shift.by, by, "{shift:?}");
    }
    let few = claims.iter().zip((1..).map(|index| vec![index])).take(2);
    assert_eq!(Scorer::new(&index).index_shift(few, 4), None);
    let index = index_of(&[BRIDGE, SALT, ""]);
    let claims = texts.map(|text| Claim::new(&index, text));
    let cited = claims.iter().zip((1..).map(|index| vec![index]));
    assert_eq!(Scorer::new(&index).index_shift(cited, 3), None);
}

#[test]
fn words_on_the_wire() {
    let outcomes = [
        Outcome::Unchecked(Reason::NoChunkText),
        Outcome::OtherChunk,
        Outcome::NumberMissing,
        Outcome::Found,
        Outcome::Partly,
        Outcome::Little,
    ];
    let words = ["unchecked", "other-chunk", "number-missing", "found", "partly", "little"];
    assert_eq!(outcomes.map(Outcome::word), words);
    assert_eq!(outcomes[0].reason().map(Reason::text), Some("no chunk text"));
}

#[test]
fn sources_may_have_several_chunks() {
    let chunk = |source, chunk, text| ChunkText { source, chunk, text, ..ChunkText::default() };
    let index = Index::new([chunk(2, 0, SALT), chunk(0, 0, BRIDGE), chunk(2, 1, TRAMS)]);
    assert_eq!(index.of_source(2).collect::<Vec<_>>(), [ChunkId(0), ChunkId(2)]);
    assert_eq!(index.of_source(1).count(), 0);
    assert_eq!(index.place(ChunkId(2)), Some((2, 1)));
    assert_eq!((index.len(), index.place(ChunkId(3))), (3, None));
}

#[test]
fn an_index_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>(_: &T) {}
    let index = index_of(&[BRIDGE]);
    shared(&index);
    shared(&Claim::new(&index, BRIDGE));
}

/// One of a hundred thousand claims made from a template: each of its words stands in hundreds of sentences,
/// and the one that it is taken from is found where two of the rarest meet.
#[test]
fn of_very_many_claims_each_finds_its_sentence() {
    let sentence =
        |number: usize| format!("It was thing {} that is {} metres long.", number % 97, number % 101);
    let page = (0..9_797).map(sentence).collect::<Vec<_>>().join(" ");
    let page = [page.as_str(), &page, &page].join(" And then again the same things. ");
    let index = index_of(&[&page]);
    let (mut hurried, mut patient) = (Scorer::for_claims(&index, 100_000), Scorer::new(&index));
    for number in [0, 1, 4_000, 9_796] {
        let claim = Claim::new(&index, &sentence(number));
        let fit = hurried.cover(&claim, ChunkId(0)).unwrap();
        assert_eq!((fit.cover, fit.window.first, fit.window.sentences), (1.0, number, 1));
    }
    // What stands nowhere is held no better for the haste.
    for claim in ["It was thing 5 that is 7 feet tall.", "Thing 96 and 100 were long.", "It was thing 400."] {
        let claim = Claim::new(&index, claim);
        let covers =
            [&mut hurried, &mut patient].map(|scorer| scorer.cover(&claim, ChunkId(0)).unwrap().cover);
        assert!(covers[0] <= covers[1] && covers[1] < 1.0, "{covers:?}");
    }
}
