//! Properties of the whole module on texts that mix everything, and the tables against the Unicode crates.
//!
//! `slow` is the plain wrapper: each row anew from its first cluster, every cluster measured by `cell`.

use std::ops::Range;

use proptest::prelude::*;
use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use super::line_class::{BLANK, CLOSE, EAST_ASIAN, HYPHEN, MARK, OPEN, WIDTH, is_simple, line_class};
use super::{Rows, cell, one_line, sanitize, stand_in, truncate, width};

fn slow(text: &str, width: usize) -> Vec<Range<usize>> {
    let clusters: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
    let mut rows = Vec::new();
    let mut first = 0;
    while let Some((start, _)) = clusters.get(first) {
        first = slow_row(text, &clusters, first, width.max(1));
        rows.push(*start..clusters.get(first).map_or(text.len(), |(end, _)| *end));
    }
    if rows.is_empty() { std::iter::once(0..0).collect() } else { rows }
}

/// The first cluster of the next row.
fn slow_row(text: &str, clusters: &[(usize, &str)], first: usize, width: usize) -> usize {
    let mut column = 0;
    let mut break_at = None;
    for (index, (at, cluster)) in clusters.iter().enumerate().skip(first) {
        let cells = cell(cluster, column).width;
        if matches!(*cluster, "\n" | "\r\n") {
            return index + 1;
        }
        if is(cluster, BLANK) {
            break_at = Some(index + 1);
        } else {
            if index > first && may_break(text, clusters[index - 1].1, *at) {
                break_at = Some(index);
            }
            if index > first && column + cells > width {
                return break_at.unwrap_or(index);
            }
        }
        column += cells;
    }
    clusters.len()
}

fn may_break(text: &str, before: &str, at: usize) -> bool {
    let (left, after) = text.split_at(at);
    let mut left = left.chars().rev();
    let hyphen = is(before, HYPHEN)
        && left.nth(1).is_some_and(char::is_alphabetic)
        && after.starts_with(char::is_alphabetic);
    let beside = is(before, EAST_ASIAN) || is(after, EAST_ASIAN);
    hyphen || beside && !is(before, OPEN) && !is(after, CLOSE)
}

/// Whether the first character of a cluster is of a class; blanks and hyphens must be the whole cluster.
fn is(cluster: &str, facts: u8) -> bool {
    let c = cluster.chars().next().unwrap();
    let whole = cluster.len() == c.len_utf8();
    line_class(c) & facts != 0 && line_class(c) & MARK == 0 && (whole || facts & (BLANK | HYPHEN) == 0)
}

/// Pieces that meet in every order: scripts, emoji, marks, joiners, controls, blanks.
const PIECES: [&str; 110] = [
    "a",
    "b",
    "é",
    "word",
    "well-known",
    "x-1",
    "-",
    "—",
    "–",
    "0",
    "7",
    "naïve",
    "longerwordthanthewidth",
    "(",
    ")",
    ",",
    ".",
    "“",
    "”",
    " ",
    " ",
    "  ",
    "   ",
    "\u{a0}",
    "\u{2003}",
    "\u{3000}",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u{b}",
    "\u{c}",
    "\u{85}",
    "\u{1b}",
    "\u{1b}[31m",
    "\0",
    "\u{7f}",
    "\u{9b}",
    "Ω",
    "λόγος",
    "Ж",
    "слово",
    "中",
    "文字",
    "、",
    "。",
    "「",
    "」",
    "（",
    "）",
    "！",
    "か",
    "が",
    "っ",
    "ー",
    "カ",
    "ｶ",
    "ﾞ",
    "ﾟ",
    "ｶﾞ",
    "\u{3099}",
    "한",
    "글자",
    "\u{1100}",
    "\u{1161}",
    "\u{11a8}",
    "\u{1100}\u{1161}",
    "\u{301}",
    "\u{308}",
    "\u{20e3}",
    "\u{200b}",
    "\u{200c}",
    "\u{200d}",
    "\u{fe0e}",
    "\u{fe0f}",
    "\u{fe00}",
    "\u{e0100}",
    "\u{202e}",
    "\u{2066}",
    "\u{2028}",
    "\u{feff}",
    "\u{ad}",
    "\u{34f}",
    "\u{180e}",
    "\u{e0041}",
    "\u{e007f}",
    "👩",
    "👩‍🔬",
    "👍🏽",
    "\u{1f3fd}",
    "❤️",
    "1️⃣",
    "🇩",
    "🇩🇪",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "🏴",
    "क",
    "्",
    "हिन्दी",
    "ा",
    "ไทย",
    "ำ",
    "ن",
    "می\u{200c}خواهم",
    "لا",
    "\u{64b}",
    "\u{600}",
    "ᠮ\u{180b}",
    "ខ្មែរ",
    "𠀀",
];

fn mixed() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES.as_slice()).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z -]{1,40}",
        1 => "[α-ω ,-]{1,12}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// One or two scripts at a time, so that the fast ways run for long.
fn plain() -> impl Strategy<Value = String> {
    "([a-z]{1,9}[ ,.-]|[a-zé]{1,9} |[一-十、。]{1,9}|[а-я]{1,9}[ \u{301}]|[क-हा-े]{1,9} \
     |[ก-ู]{1,9}|\\n|\\PC){0,40}"
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![mixed(), plain()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn fast_is_slow(text in texts(), width in 0..30_usize) {
        let rows: Vec<_> = Rows::wrap(&text, width).iter().collect();
        prop_assert_eq!(rows, slow(&text, width));
    }

    #[test]
    fn rows_are_whole(text in texts(), width in 1..30_usize) {
        let rows = Rows::wrap(&text, width);
        let mut cuts: Vec<_> = text.grapheme_indices(true).map(|(at, _)| at).collect();
        cuts.push(text.len());
        let mut end = 0;
        for (index, row) in rows.iter().enumerate() {
            prop_assert_eq!(row.start, end);
            prop_assert!(cuts.contains(&row.start) && cuts.contains(&row.end));
            prop_assert!(row.clone().all(|byte| rows.row_of(byte) == index));
            prop_assert_eq!(rows.row(index), Some(row.clone()));
            let shown = text.get(row.clone()).unwrap();
            let shown = shown.trim_end_matches(['\n', '\r']).trim_end_matches(|c| line_class(c) & BLANK != 0);
            let clusters = shown.graphemes(true).filter(|cluster| cell(cluster, 0).width > 0).count();
            prop_assert!(super::width(shown) <= width || clusters == 1, "{:?}", shown);
            end = row.end;
        }
        prop_assert_eq!(end, text.len());
        prop_assert_eq!(rows.row(rows.len()), None);
        prop_assert_eq!(rows.row_of(text.len() + 5), rows.len() - 1);
    }

    #[test]
    fn sanitized_is_clean(text in texts()) {
        let safe = sanitize(&text);
        prop_assert_eq!(&sanitize(&safe), &safe);
        prop_assert!(safe.chars().all(|c| stand_in(c).is_none() || is_contextual(c)), "{:?}", safe);
        let line = one_line(&text);
        prop_assert_eq!(&one_line(&line), &line);
        prop_assert!(!line.contains(['\n', '\t']) && !line.contains("  "));
    }

    #[test]
    fn screen_shows_the_safe_copy(text in texts()) {
        let flat = text.replace(['\t', '\n'], " ");
        let shown: String = flat.graphemes(true).map(|cluster| cell(cluster, 0).text).collect();
        prop_assert_eq!(shown, sanitize(&flat));
    }

    #[test]
    fn width_is_what_ratatui_draws(text in texts()) {
        // Drawn side by side, what stands on two lines may join to one character.
        let text = text.replace('\n', " ");
        let mut column = 0;
        let mut drawn = String::new();
        for cluster in text.graphemes(true) {
            let cell = cell(cluster, column);
            let alone: usize = cell.text.graphemes(true).map(|part| usize::from(part.cell_width())).sum();
            prop_assert_eq!(alone, cell.width, "{:?}", cluster);
            column += cell.width;
            drawn.push_str(&cell.text);
        }
        prop_assert_eq!(column, super::width(&text));
        let mut buffer = Buffer::empty(Rect::new(0, 0, 4000, 1));
        let (x, _) = buffer.set_stringn(0, 0, &drawn, 4000, Style::new());
        prop_assert_eq!(usize::from(x), column, "{:?}", drawn);
    }

    #[test]
    fn truncated_fits(text in texts(), cells in 0..30_usize) {
        let cut = truncate(&text, cells);
        prop_assert!(width(&cut) <= cells);
        prop_assert_eq!(cut == text, width(&text) <= cells);
    }

    #[test]
    fn any_text_at_any_width(text in prop_oneof![any::<String>(), "(?s:.){0,200}"], width in any::<usize>()) {
        let rows: Vec<_> = Rows::wrap(&text, width).iter().collect();
        prop_assert_eq!(rows, slow(&text, width));
    }
}

fn is_contextual(c: char) -> bool {
    matches!(c, '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
        || ('\u{e0020}'..='\u{e01ef}').contains(&c)
}

fn characters() -> impl Iterator<Item = char> {
    ('\0'..=char::MAX).filter(|c| *c < '\u{e1000}')
}

#[test]
fn one_character_is_its_stand_in() {
    for c in characters() {
        let text = c.to_string();
        let safe = stand_in(c).unwrap_or_else(|| text.clone().into());
        assert_eq!(sanitize(&text), safe);
        if c != '\n' && c != '\t' {
            let drawn: usize = safe.graphemes(true).map(|part| usize::from(part.cell_width())).sum();
            assert_eq!(cell(&text, 3).width, drawn, "{c:?}");
        }
    }
}

/// Two simple characters are two clusters, whichever they are, and a mark joins any of them and adds its
/// width.
#[test]
fn simple_characters_are_simple() {
    let simple: Vec<char> = characters().filter(|c| is_simple(line_class(*c))).collect();
    let marks: Vec<char> = characters().filter(|c| line_class(*c) & MARK != 0).collect();
    assert!(simple.len() > 60_000 && marks.len() > 500, "{} {}", simple.len(), marks.len());
    let others = [
        'a', ' ', 'ж', '中', '한', 'か', 'ك', 'ก', 'क', 'র', 'မ', 'ཀ', '©', '↔', '→', '가', '각', 'ក', '👩',
        '🎉',
    ];
    for &c in &simple {
        assert_eq!(stand_in(c), None, "{c:?}");
        assert_eq!(usize::from(c.to_string().cell_width()), usize::from(line_class(c) & WIDTH), "{c:?}");
        for other in others {
            assert_eq!(format!("{c}{other}{c}").graphemes(true).count(), 3, "{c:?} {other:?}");
        }
        for mark in ['\u{301}', '\u{64b}', '\u{93f}', '\u{e33}'] {
            check_mark(c, mark);
        }
    }
    for &mark in &marks {
        assert_eq!(stand_in(mark), None, "{mark:?}");
        for other in others {
            check_mark(other, mark);
        }
        for c in simple.iter().step_by(101) {
            check_mark(*c, mark);
        }
    }
}

fn check_mark(c: char, mark: char) {
    let text = format!("{c}{mark}{c}{mark}{mark}क");
    let clusters: Vec<&str> = text.graphemes(true).collect();
    assert_eq!(clusters.len(), 3, "{c:?} {mark:?}");
    let [one, one_more] = [line_class(c), line_class(mark)].map(|class| u16::from(class & WIDTH));
    assert_eq!(clusters[0].cell_width(), one + one_more, "{c:?} {mark:?}");
    assert_eq!(clusters[1].cell_width(), one + 2 * one_more, "{c:?} {mark:?}");
}
