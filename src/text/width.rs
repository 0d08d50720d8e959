//! What is drawn for a cluster and how many cells that takes.
//!
//! Promises: a drawn cluster holds no forbidden character, and its width is the number of cells by which
//! ratatui's buffer moves on when it is given the drawn text. The library has no terminal, so ratatui's rule
//! is written out here; the tests hold it against ratatui's own `CellWidth`.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::sanitize::{is_safe, sanitize};

/// Cells between two tab stops.
pub const TAB: usize = 4;

/// One drawn cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// What to hand to the terminal; empty for a newline.
    pub text: Cow<'a, str>,
    /// How many cells it takes.
    pub width: usize,
}

/// What is drawn for one extended grapheme cluster, and how many cells it takes.
///
/// `column` counts cells from the start of the row and matters for tabs only, which reach to the next
/// multiple of [`TAB`]. A newline draws as nothing. A cluster with forbidden characters draws as its parts
/// with stand-ins. A mark that stands alone keeps its width of zero, and ratatui leaves such a cluster out.
pub fn cell(cluster: &str, column: usize) -> Cell<'_> {
    let text = match cluster {
        "\n" | "\r\n" => Cow::Borrowed(""),
        "\t" => Cow::Borrowed("    ".get(column % TAB..).unwrap_or_default()),
        _ => sanitize(cluster),
    };
    let width = match &text {
        Cow::Borrowed(text) => measure(text),
        Cow::Owned(text) => text.graphemes(true).map(measure).sum(),
    };
    Cell { text, width }
}

/// The width of a line in cells, from column 0. Newlines have none.
pub fn width(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    cells(text).last().map_or(0, |(_, end)| end)
}

/// A text cut to `cells` cells at a cluster boundary, with `…` in the last cell when something was cut.
///
/// Widths are those of [`cell`], but the text itself is not sanitised: cut a sanitised one. Borrowed when it
/// fits; zero cells give the empty text.
pub fn truncate(text: &str, cells: usize) -> Cow<'_, str> {
    let mut kept = 0;
    for (cluster, end) in self::cells(text) {
        if end > cells {
            let head = text.get(..kept).unwrap_or_default();
            return if cells == 0 { Cow::Borrowed("") } else { Cow::Owned(format!("{head}…")) };
        }
        if end < cells {
            kept = cluster;
        }
    }
    Cow::Borrowed(text)
}

/// A text of which `cells` cells are kept from its end, with `…` in the first when something was cut.
pub fn truncate_front(text: &str, cells: usize) -> Cow<'_, str> {
    let whole = width(text);
    if whole <= cells {
        return Cow::Borrowed(text);
    }
    let cut = self::cells(text).find(|(_, end)| whole - end < cells);
    let tail = cut.and_then(|(at, _)| text.get(at..)).unwrap_or_default();
    if cells == 0 { Cow::Borrowed("") } else { Cow::Owned(format!("…{tail}")) }
}

/// The clusters of a line: the byte and the column where each ends.
fn cells(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut column: usize = 0;
    text.grapheme_indices(true).map(move |(at, cluster)| {
        column = column.saturating_add(cluster_width(cluster, column));
        (at + cluster.len(), column)
    })
}

/// The width of [`cell`], without its text where that can be spared.
#[inline]
pub(super) fn cluster_width(cluster: &str, column: usize) -> usize {
    if matches!(cluster, "\n" | "\t") || !is_safe(cluster) {
        return cell(cluster, column).width;
    }
    measure(cluster)
}

/// The width of a drawn cluster by ratatui's rule (`buffer/cell_width.rs` of ratatui-core 0.1): a lone byte
/// is printable, as drawn text holds no other; the half-width sound marks take a cell more than
/// `unicode-width` gives them, which is one too many beside unicode-width 0.2.3 and yet what ratatui moves on
/// by.
pub(super) fn measure(drawn: &str) -> usize {
    if drawn.len() == 1 {
        return 1;
    }
    drawn.width() + drawn.chars().filter(|c| matches!(c, '\u{FF9E}' | '\u{FF9F}')).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use icu_properties::CodePointMapData;
    use icu_properties::props::GeneralCategory;
    use ratatui::buffer::CellWidth;

    #[test]
    fn widths_are_those_ratatui_moves_on_by() {
        let expect = |text: &str| assert_eq!(measure(text), usize::from(text.cell_width()), "{text:?}");
        let category = CodePointMapData::<GeneralCategory>::new();
        let is_assigned =
            |c: &char| !matches!(category.get(*c), GeneralCategory::Unassigned | GeneralCategory::PrivateUse);
        // Behind a letter, before an accent, an emoji selector and a joiner: where widths change.
        let mut cluster = String::new();
        for c in (' '..=char::MAX).filter(|c| *c != '\u{7F}' && is_assigned(c)) {
            for (before, after) in
                [("", ""), ("a", ""), ("", "\u{301}"), ("", "\u{FE0F}"), ("", "\u{200D}👩")]
            {
                cluster.clear();
                cluster.push_str(before);
                cluster.push(c);
                cluster.push_str(after);
                expect(&cluster);
            }
        }
        for cluster in [
            "",
            "ｶﾞ",
            "ﾊﾟ",
            "aﾞ",
            "あﾞ",
            "ﾞﾟ",
            "ｶ\u{3099}",
            "カ\u{3099}",
            "👩\u{200D}🔬",
            "👩🏽\u{200D}🚀",
            "🇩🇪",
            "🇩",
            "❤\u{FE0F}",
            "☎\u{FE0E}",
            "1\u{FE0F}\u{20E3}",
            "각",
            "\u{1100}\u{1161}\u{11A8}",
            "क्षि",
            "ကြော",
            "กำ",
            "لا",
            "e\u{301}\u{323}",
            "🏴\u{E0067}\u{E0062}\u{E007F}",
        ] {
            expect(cluster);
        }
    }

    #[track_caller]
    fn check(cluster: &str, column: usize, text: &str, width: usize) {
        assert_eq!(cell(cluster, column), Cell { text: text.into(), width });
    }

    #[test]
    fn clusters() {
        check("a", 0, "a", 1);
        check("中", 3, "中", 2);
        check("e\u{301}", 0, "e\u{301}", 1);
        check("👩\u{200d}🔬", 0, "👩\u{200d}🔬", 2);
        check("🇩🇪", 0, "🇩🇪", 2);
        check("ｶﾞ", 0, "ｶﾞ", "ｶﾞ".cell_width().into());
        check("\n", 5, "", 0);
        check("\r\n", 5, "", 0);
        check("\r", 0, "␍", 1);
        check("\u{1b}", 0, "␛", 1);
        check("\u{202e}", 0, "<U+202E>", 8);
        check("e\u{200d}\u{301}", 0, "e<U+200D>\u{301}", 9);
        check("\u{301}", 0, "\u{301}", 0);
        check("", 0, "", 0);
    }

    #[test]
    fn tabs_reach_the_next_stop() {
        check("\t", 0, "    ", 4);
        check("\t", 1, "   ", 3);
        check("\t", 3, " ", 1);
        check("\t", 4, "    ", 4);
        assert_eq!(width("ab\tc\t"), 8);
        assert_eq!(width("\u{200b}\t"), 12);
    }

    #[test]
    fn lines() {
        assert_eq!(width(""), 0);
        assert_eq!(width("plain"), 5);
        assert_eq!(width("naïve 中文"), 10);
        assert_eq!(width("a\u{1b}b\n"), 3);
    }

    #[test]
    fn cuts() {
        assert_eq!(truncate("short", 5), "short");
        assert_eq!(truncate("longer", 5), "long…");
        assert_eq!(truncate("中文字", 5), "中文…");
        assert_eq!(truncate("中文字", 4), "中…");
        assert_eq!(truncate("中文", 1), "…");
        assert_eq!(truncate("ae\u{301}xyz", 3), "ae\u{301}…");
        assert_eq!(truncate("long", 0), "");
        assert_eq!(truncate("", 0), "");
        assert!(matches!(truncate("fits", 4), Cow::Borrowed("fits")));
    }
}
