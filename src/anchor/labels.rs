//! What sources are called before a mark: `(Source: [1])`, `It is old. *Source: [1]*`; and what joins two
//! marks.

use super::sentence::{is_closing, is_open};
use crate::text::{BRACKETS, ends_sentence, is_blank};

/// Letters of what sources are called.
const LABEL_MOST: usize = 24;

/// Words for a source, and for several.
const NAMES: [&str; 64] = [
    "source",
    "sources",
    "reference",
    "references",
    "ref",
    "refs",
    "ref.",
    "refs.",
    "citation",
    "citations",
    "quelle",
    "quellen",
    "référence",
    "références",
    "fuente",
    "fuentes",
    "referencia",
    "referencias",
    "fonte",
    "fontes",
    "fonti",
    "bron",
    "bronnen",
    "källa",
    "källor",
    "kilde",
    "kilder",
    "lähde",
    "lähteet",
    "źródło",
    "źródła",
    "zdroj",
    "zdroje",
    "forrás",
    "források",
    "sursă",
    "sursa",
    "surse",
    "kaynak",
    "kaynaklar",
    "sumber",
    "nguồn",
    "источник",
    "источники",
    "джерело",
    "джерела",
    "πηγή",
    "πηγές",
    "מקור",
    "מקורות",
    "مصدر",
    "المصدر",
    "المصادر",
    "منبع",
    "स्रोत",
    "来源",
    "來源",
    "資料來源",
    "资料来源",
    "出典",
    "出处",
    "参考",
    "출처",
    "ที่มา",
];

/// What leads to a source in a bracket.
const LEADS: [&str; 47] = [
    "see",
    "see also",
    "see e.g.",
    "via",
    "per",
    "as per",
    "according to",
    "from",
    "e.g.",
    "e.g.,",
    "i.e.",
    "cf.",
    "siehe",
    "siehe auch",
    "vgl.",
    "z. b.",
    "voir",
    "véase",
    "vedi",
    "см.",
    "参见",
    "bkz.",
    "انظر",
    "देखें",
    "参照",
    "见",
    "zob.",
    "lásd",
    "zie",
    "див.",
    "ดู",
    "참조",
    "vgl",
    "bkz",
    "cf",
    "ver",
    "veja",
    "zie ook",
    "se",
    "jf.",
    "jfr",
    "katso",
    "patrz",
    "viz",
    "vezi",
    "xem",
    "lihat",
];

/// Words between two marks of one claim.
const JOINING_WORDS: [&str; 48] = [
    "과",
    "와",
    "nor",
    "to",
    "through",
    "as well as",
    "और",
    "and",
    "or",
    "und",
    "oder",
    "et",
    "ou",
    "y",
    "e",
    "i",
    "en",
    "och",
    "og",
    "ve",
    "и",
    "或",
    "和",
    "与",
    "と",
    "및",
    "و",
    "และ",
    "see also",
    "sowie",
    "and also",
    "ainsi que",
    "así como",
    "および",
    "及び",
    "以及",
    "及",
    "oraz",
    "lub",
    "és",
    "ja",
    "dan",
    "và",
    "και",
    "та",
    "або",
    "или",
    "أو",
];

/// Whether what stands between two marks makes them marks of one claim.
pub(crate) fn joins(between: &str) -> bool {
    let is_sign = |c: char| {
        is_blank(c)
            || ",;.&*_/|·・、，،-–—+".contains(c)
            || BRACKETS.iter().any(|(open, close)| *open == c || *close == c)
    };
    let words = between.trim_matches(is_sign);
    // A cell may have several lines.
    let is_break = |words: &str| ["<br>", "<br/>", "<br />"].contains(&words);
    let words = if is_break(words) { "" } else { words };
    let words = words.strip_prefix("</sup>").map_or(words, |rest| rest.trim_matches(is_sign));
    let words = words.strip_suffix("<sup>").map_or(words, |rest| rest.trim_matches(is_sign));
    words.is_empty() || JOINING_WORDS.contains(&words)
}

/// A text without what joins the marks before it with what it goes on with.
pub(super) fn unjoined(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| is_blank(c) || ",;&/·・、，()".contains(c));
    let words = JOINING_WORDS.iter().filter_map(|word| rest.strip_prefix(word));
    let behind = words.map(|rest| rest.trim_start_matches(is_blank)).filter(|rest| rest.starts_with('['));
    behind.min_by_key(|rest| rest.len()).unwrap_or(rest)
}

/// Words with which a text ends, that say no more than that sources follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'t> {
    /// What stands before them, without what parts them.
    pub lead: &'t str,
    /// Where they begin, with the bracket that they stand in.
    pub begin: usize,
    /// The bracket that they stand in.
    pub bracket: Option<char>,
}

/// What sources are called at the end of a text: in a bracket that is not closed (`(Source: `, `（出典：`,
/// `(see `), or behind a sentence or a dash (`*Source: `, `– Quelle: `).
pub fn label(text: &str) -> Option<Label<'_>> {
    bracketed(text).or_else(|| bare(text))
}

fn bracketed(text: &str) -> Option<Label<'_>> {
    let begin = text.rfind(['(', '（', '[', '【'])?;
    let bracket = text.get(begin..)?.chars().next()?;
    let label = text.get(begin + bracket.len_utf8()..)?.trim();
    let is_short = label.chars().count() <= LABEL_MOST && label.chars().any(char::is_alphabetic);
    let bare = label.trim_end_matches([':', '：']);
    let is_plain = bare.chars().all(|c| c.is_alphabetic() || is_blank(c));
    let small = || label.to_lowercase();
    let is_label = is_short
        && (bare.len() < label.len() && is_plain
            || LEADS.contains(&small().as_str())
            || NAMES.contains(&bare.to_lowercase().as_str()));
    let lead = text.get(..begin).filter(|_| is_label)?;
    Some(Label { lead, begin, bracket: Some(bracket) })
}

/// A name with a colon behind a sentence or a dash, or at the beginning.
fn bare(text: &str) -> Option<Label<'_>> {
    let words = text.trim_end_matches(is_sign);
    let colon = words.strip_suffix([':', '：'])?.trim_end_matches(is_sign);
    let name = NAMES.iter().find_map(|name| {
        let begin = colon.char_indices().rev().nth(name.chars().count() - 1)?.0;
        let (before, own) = colon.split_at_checked(begin)?;
        (!before.ends_with(char::is_alphanumeric) && own.to_lowercase() == *name).then_some(begin)
    })?;
    let (before, own) = text.split_at_checked(name)?;
    let is_opened = |sign: &char| is_open(before, *sign);
    let sign = before.chars().next_back().filter(|c| matches!(c, '*' | '_')).filter(is_opened);
    let opened = sign.map_or(before, |sign| before.trim_end_matches(sign));
    let lead = opened.trim_end_matches(|c: char| is_blank(c) || is_dash(c));
    let parted = opened.get(lead.len()..)?;
    let dash = parted.find(is_dash).filter(|at| *at > 0);
    let words = lead.trim_end_matches(|c: char| is_sign(c) || is_closing(c));
    // Emphasis that ends with the label begins with it: `**Source**: `.
    let is_closed = sign.is_none_or(|sign| own.contains(sign));
    let begin = match dash {
        _ if !is_closed => name,
        Some(dash) => lead.len() + dash,
        None => opened.len(),
    };
    let is_apart = words.is_empty() || words.ends_with(ends_sentence) || dash.is_some();
    is_apart.then_some(Label { lead, begin, bracket: None })
}

fn is_sign(c: char) -> bool {
    is_blank(c) || matches!(c, '*' | '_')
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—')
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn what_sources_are_called_parts_a_mark_from_its_claim() {
        for (text, lead, words) in [
            ("It was lit (Source: ", "It was lit ", "(Source: "),
            ("It was lit (see ", "It was lit ", "(see "),
            ("It was lit (per ", "It was lit ", "(per "),
            ("It was lit (e.g., ", "It was lit ", "(e.g., "),
            ("It was lit (Ref. ", "It was lit ", "(Ref. "),
            ("灯がともった。（出典：", "灯がともった。", "（出典："),
            ("It was lit. Source: ", "It was lit.", "Source: "),
            ("It was lit.” Sources: ", "It was lit.”", "Sources: "),
            ("**It was lit.** Source: ", "**It was lit.**", "Source: "),
            ("It was lit. *Source: ", "It was lit.", "Source: "),
            ("It was lit. **Source:** ", "It was lit.", "**Source:** "),
            ("It was lit. **Source**: ", "It was lit.", "**Source**: "),
            ("It was lit – Source: ", "It was lit", "– Source: "),
            ("It was lit. — *Quelle:* ", "It was lit.", "— *Quelle:* "),
            ("塔は高い。出典：", "塔は高い。", "出典："),
            ("**塔は高い。**出典：", "**塔は高い。**", "出典："),
            ("塔は高い。*出典：", "塔は高い。", "出典："),
            ("Source: ", "", "Source: "),
            ("- Source: ", "", "Source: "),
        ] {
            let found = label(text).map(|label| (label.lead, &text[label.begin..]));
            assert_eq!(found, Some((lead, words)), "{text}");
        }
        for text in [
            "The main source: ",
            "It has one source: ",
            "Source ",
            "It was lit. Resource: ",
            "It was lit (it is 4 m high: ",
            "It was lit (a 1: ",
            "It was lit: ",
        ] {
            assert_eq!(label(text), None, "{text}");
        }
    }
}
