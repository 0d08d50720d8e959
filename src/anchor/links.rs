//! Links whose label is words of the sentence, and those that cite the one before.

use std::ops::Range;

use super::labels;
use super::sentence::is_closing;
use crate::text::{continues, ends_sentence, is_blank};

/// Bytes of a line that are looked at before a link.
const WINDOW: usize = 4 * 1024;

/// Bytes before and behind a link that tell what it is.
const NEAR: usize = 64;
/// Links in a row of which each is what the one before it is.
const ROW_MOST: usize = 4;
/// Links of one bracket that are looked at.
const BRACKET_MOST: usize = 8;

/// Words before a link that make its label one of the sentence: `stay at`, `try`, `der`, `chez`, `en`.
const LEADING: &[&str] = &[
    "a",
    "al",
    "am",
    "an",
    "and",
    "are",
    "as",
    "at",
    "au",
    "auf",
    "aux",
    "avec",
    "be",
    "became",
    "become",
    "been",
    "bei",
    "between",
    "by",
    "called",
    "check",
    "chez",
    "con",
    "da",
    "das",
    "de",
    "del",
    "dem",
    "den",
    "der",
    "des",
    "di",
    "die",
    "du",
    "e",
    "el",
    "en",
    "era",
    "es",
    "est",
    "et",
    "for",
    "from",
    "fue",
    "für",
    "gli",
    "had",
    "has",
    "have",
    "il",
    "im",
    "in",
    "include",
    "includes",
    "including",
    "is",
    "ist",
    "la",
    "las",
    "laut",
    "le",
    "les",
    "like",
    "lo",
    "los",
    "mit",
    "named",
    "near",
    "o",
    "oder",
    "of",
    "on",
    "or",
    "ou",
    "para",
    "per",
    "por",
    "pour",
    "secondo",
    "see",
    "según",
    "selon",
    "than",
    "the",
    "to",
    "try",
    "un",
    "und",
    "une",
    "unter",
    "use",
    "using",
    "via",
    "visit",
    "vom",
    "von",
    "war",
    "was",
    "were",
    "with",
    "y",
    "zu",
    "zufolge",
    "zum",
    "zur",
];

/// Whether a mark is a link whose label is words of the sentence, such as the name of a hotel: not a number,
/// a domain or an address, not in brackets; it begins its line or cell, what stands before it leads to it, it
/// looks like no name of a source, or the sentence goes on behind it. Any other link is a citation, whatever
/// its label.
pub fn is_named_link(answer: &str, mark: &Range<usize>) -> bool {
    is_named(answer, mark, ROW_MOST)
}

fn is_named(answer: &str, mark: &Range<usize>, left: usize) -> bool {
    let parts = answer.get(mark.clone()).and_then(|own| own.strip_prefix('[')?.split_once("]("));
    let Some((label, url)) = parts else { return false };
    let label = label.trim_matches(['*', '_', '`', ' ']);
    let is_address = is_address(label);
    if !is_words(label) && !is_address {
        return false;
    }
    let first = answer.ceil_char_boundary(mark.start.saturating_sub(NEAR));
    let near = answer.get(first..mark.start).unwrap_or_default();
    let rest = answer.get(mark.end..).unwrap_or_default();
    if near.ends_with('[') || rest.starts_with([')', ']', '）', '】']) || is_of_bracket(answer, mark.start)
    {
        return false;
    }
    let line = near.rsplit('\n').next().unwrap_or_default();
    let begins = first == 0 || near.contains('\n');
    let lead =
        line.trim_matches(|c: char| is_blank(c) || "-*+•>#_".contains(c) || c.is_ascii_digit() || c == '.');
    // The name of a site is a citation as well, unless the sentence needs it.
    let begins = begins && lead.is_empty();
    if is_address && (begins || before_is_end(line)) {
        let behind = past_links(rest);
        let follows = if begins { rest.starts_with(is_of_script) } else { script_goes_on(behind) };
        return follows || goes_on(behind) || rest.starts_with(['\'', '\u{2019}']);
    }
    if begins {
        return true;
    }
    // What a source is called leads to it, unless it begins the line.
    if labels::label(line).is_some_and(|label| !label.lead.is_empty()) {
        return false;
    }
    if is_address
        && left > 0
        && let Some(link) = link_before(answer, mark.start)
    {
        return is_named(answer, &link, left - 1);
    }
    let before = line.trim_end_matches(|c: char| is_blank(c) || "*_".contains(c));
    let closed = before.trim_end_matches(closes);
    let before = if closed.ends_with(ends_sentence) { closed } else { before };
    // One of several goes by the one before it.
    if before.ends_with([',', ';', '&', '、', '，', ')'])
        && left > 0
        && let Some(link) = link_before(answer, mark.start)
    {
        return is_named(answer, &link, left - 1);
    }
    let is_close = line.len() == before.len();
    is_led_to(&Link { label, url, rest, is_address }, before, is_close)
}

/// A link, and what stands behind it.
struct Link<'a> {
    label: &'a str,
    url: &'a str,
    rest: &'a str,
    is_address: bool,
}

/// Whether the words before a link lead to it; `is_close`: no blank stands between.
fn is_led_to(link: &Link, before: &str, is_close: bool) -> bool {
    let Link { label, url, rest, is_address } = *link;
    match before.chars().next_back() {
        Some('|') => !is_address,
        Some(':' | '：') => true,
        Some(stop) if ends_sentence(stop) => {
            continues(past_links(rest))
                || is_particle_of_korean(rest)
                || rest.starts_with(is_of_script) && !is_of_site(label, url)
        }
        _ if !is_address && !is_name(label) => true,
        _ if !is_address && !is_of_site(label, url) => true,
        // Scripts without blanks go on right behind a word.
        Some(last) if is_of_script(last) && is_close => true,
        _ => {
            let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
            let leads = LEADING.binary_search(&word.as_str()).is_ok();
            let place = PLACES.contains(&word.as_str());
            leads && (!is_address || place || !is_last(rest)) || goes_on(past_links(rest))
        }
    }
}

/// Words before the name of a site that say where, and lead to it also at the end of a sentence.
const PLACES: &[&str] =
    &["at", "auf", "bei", "chez", "en", "from", "on", "see", "to", "unter", "via", "visit", "zu"];

/// Whether a label may be the name of the site that a link leads to, and the link leads to a page of it: what
/// is no address may be anything.
fn is_of_site(label: &str, url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return true };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(NEAR).collect()
    };
    let (host, label) = (letters(host), letters(label));
    let name = label.strip_prefix("the").filter(|rest| !rest.is_empty()).unwrap_or(&label);
    path.trim_end_matches(')').len() > 1 && (host.contains(name) || !host.is_ascii() || !name.is_ascii())
}

/// Signs that close a quotation or a bracket behind a sentence.
fn closes(c: char) -> bool {
    matches!(c, '"' | '\'' | '\u{201c}') || is_closing(c)
}

/// A text without the links that it begins with, and what joins them.
fn past_links(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..ROW_MOST {
        let joint = labels::unjoined(rest);
        let near = joint.get(..joint.floor_char_boundary(WINDOW)).unwrap_or_default();
        let link = near.strip_prefix('[').and_then(|label| label.split_once("]("));
        let Some((_, behind)) = link.and_then(|(_, address)| address.split_once(')')) else { break };
        rest = joint.get(near.len() - behind.len()..).unwrap_or_default();
    }
    rest.trim_start_matches(')')
}

/// Korean has blanks between its words: what stands behind one without goes on with it.
pub(super) fn is_hangul(c: char) -> bool {
    ('\u{AC00}'..='\u{D7A3}').contains(&c)
}

/// Whether a line ends with a sentence.
fn before_is_end(line: &str) -> bool {
    let before = line.trim_end_matches(|c: char| is_blank(c) || "*_".contains(c));
    before.ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// Whether a sentence ends behind a link.
fn is_last(rest: &str) -> bool {
    let words = rest.trim_start_matches(['*', '_', ' ', '.', '!', '?']);
    words.is_empty() || words.starts_with('\n') || rest.starts_with(['.', '!', '?'])
}

/// A letter of a script that is written without blanks.
fn is_of_script(c: char) -> bool {
    c as u32 > 0x2E7F && c.is_alphabetic()
}

/// Whether a text goes on with what follows the name of a source in Japanese, Chinese and Korean, and begins
/// no sentence: `によると`, `は高い`, `的报道`.
pub(super) fn script_goes_on(text: &str) -> bool {
    const WORDS: [&str; 30] = [
        "によると",
        "によれば",
        "による",
        "认为",
        "認為",
        "说，",
        "說，",
        "官网",
        "官網",
        "网站",
        "網站",
        "には",
        "还提到",
        "还指出",
        "进一步指出",
        "明确指出",
        "没有提到",
        "提到",
        "披露",
        "声称",
        "聲稱",
        "写道",
        "寫道",
        "证实",
        "證實",
        "不一致",
        "不同意",
        "也显示",
        "也指出",
        "也表示",
    ];
    let mut signs = text.chars();
    let (first, second) = (signs.next(), signs.next());
    // `と同時に` begins a sentence.
    let is_particle = first.is_some_and(|c| "はがのをにでとも".contains(c)) && !text.starts_with("と同");
    let ends = second.is_some_and(|c| c.is_alphabetic() && !('\u{3041}'..='\u{309F}').contains(&c));
    is_particle_of_korean(text)
        || WORDS.iter().any(|word| text.starts_with(word))
        || is_verb_of_chinese(text)
        // `では、古い` begins a sentence.
        || ["では", "でも"].iter().any(|word| text.strip_prefix(word).is_some_and(|rest| !rest.starts_with('、')))
        || is_particle && ends
}

/// Whether a text begins with what Korean puts right behind a noun: `에 따르면`, not `다리가`.
pub(super) fn is_particle_of_korean(text: &str) -> bool {
    const PARTICLES: [&str; 40] = [
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "의",
        "와",
        "과",
        "도",
        "만",
        "에",
        "로",
        "으로",
        "에서",
        "에서는",
        "에서도",
        "에는",
        "에도",
        "에만",
        "에게",
        "까지",
        "부터",
        "라는",
        "이라는",
        "이나",
        "나",
        "및",
        "측",
        "측은",
        "번",
        "번은",
        "등",
        "등은",
        "등의",
        "로부터",
        "이며",
        "이고",
        "이다",
        "입니다",
    ];
    let word = text.split(|c| !is_hangul(c)).next().unwrap_or_default();
    PARTICLES.contains(&word)
}

/// Whether a text begins with a verb of Chinese with which other words begin as well: `显示屏`, `称号`.
fn is_verb_of_chinese(text: &str) -> bool {
    // Each with the signs with which a word goes on.
    const VERBS: [(&str, &str); 18] = [
        ("的", "确確士黎话話"),
        ("说明", "书会文"),
        ("說明", "書會文"),
        ("发布", "会者日后"),
        ("發布", "會者日後"),
        ("公布", "后日会"),
        ("宣布", "后日"),
        ("宣佈", "後日"),
        ("强调", "的"),
        ("強調", "的"),
        ("显示", "器屏面技效卡"),
        ("顯示", "器屏面技效卡"),
        ("称", "重号赞呼为谓霸心职"),
        ("稱", "重號讚呼為謂霸心職"),
        ("则", "为"),
        ("則", "為"),
        ("表示", "满滿的"),
        ("指出", "问問的"),
    ];
    // What follows tells it from what is reported.
    let told = ["报道", "報道", "報導"].iter().find_map(|word| text.strip_prefix(word));
    let is_told = told.is_some_and(|rest| {
        rest.trim_start_matches(['说', '說']).starts_with(['，', '：', '了', '过', '過', ',', ':'])
    });
    let mut verbs = VERBS.iter().filter_map(|(verb, nouns)| Some((text.strip_prefix(verb)?, *nouns)));
    is_told || verbs.any(|(rest, nouns)| !rest.starts_with(|c| nouns.contains(c)))
}

/// Whether a label is a domain or an address.
fn is_address(label: &str) -> bool {
    label.contains('.') && !label.contains(is_blank) && !label.starts_with(is_amount)
}

/// Whether a label is words and neither a number of a source nor an address.
fn is_words(label: &str) -> bool {
    let digits = label.chars().filter(char::is_ascii_digit).count();
    let counts = |c: char| c.is_ascii_digit() || is_blank(c) || ",;-–".contains(c);
    let is_quantity = digits >= YEAR || digits > 0 && !label.chars().all(counts);
    !label.starts_with(['[', '^'])
        && !label.contains('†')
        && !is_address(label)
        && (label.chars().any(char::is_alphabetic) || is_quantity)
}

/// Digits of a number that counts no sources.
const YEAR: usize = 4;

fn is_amount(c: char) -> bool {
    c.is_ascii_digit() || is_sign(c)
}

/// A sign of a currency.
fn is_sign(c: char) -> bool {
    "$€£¥₹".contains(c)
}

/// Whether a label may be the name of a source: it begins as names do, or is a word for one.
fn is_name(label: &str) -> bool {
    const WORDS: &[&str] =
        &["source", "sources", "link", "ref", "reference", "cite", "citation", "quelle", "fuente", "via"];
    let small = label.starts_with(char::is_lowercase);
    (!small && !label.starts_with(is_amount)) || WORDS.contains(&label)
}

/// Whether the sentence goes on behind a link with words that begin none of its own.
fn goes_on(rest: &str) -> bool {
    const JOINTS: &[&str] =
        &["and", "but", "or", "while", "whereas", "und", "aber", "oder", "y", "pero", "et", "mais", "e"];
    let words = rest.trim_start_matches(['*', '_']);
    let Some(words) = words.strip_prefix(' ') else { return false };
    let word: String = words.chars().take(NEAR).take_while(|c| c.is_alphanumeric()).collect();
    word.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit()) && !JOINTS.contains(&word.as_str())
}

/// Whether a bracket was opened for a link, or for a row of links that it goes on with:
/// `([a](…) and [b](…) or [c](…))`.
fn is_of_bracket(answer: &str, link: usize) -> bool {
    let mut at = link;
    for _ in 0..BRACKET_MOST {
        let first = answer.ceil_char_boundary(at.saturating_sub(NEAR));
        let before = answer.get(first..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let is_open = before.trim_end().ends_with(['(', '（', '【']);
        if is_open || labels::label(before).is_some_and(|label| label.bracket.is_some()) {
            return true;
        }
        let Some(last) = link_before(answer, at) else { break };
        at = last.start;
    }
    false
}

/// The link before a place that it is joined with.
fn link_before(answer: &str, at: usize) -> Option<Range<usize>> {
    let first = answer.ceil_char_boundary(at.saturating_sub(WINDOW));
    let text = answer.get(first..at)?;
    let close = text.rfind(')')?;
    let gap = text.get(close + 1..)?;
    let joins = gap.len() <= NEAR && !gap.contains('\n') && labels::joins(gap);
    let inner = text.get(..close).filter(|_| joins)?;
    let open = inner.get(..inner.rfind("](")?)?.rfind('[')?;
    Some(first + open..first + close + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the first link of a text is words.
    fn named(text: &str) -> bool {
        let open = text.find('[').unwrap();
        is_named_link(text, &(open..open + text[open..].find(')').unwrap() + 1))
    }

    #[test]
    fn links_with_names_are_words() {
        assert!(LEADING.is_sorted());
        for text in [
            "Stay at [Ellary Inn](u), it is",
            "- [Gull House](u) opens",
            "Das ist bei [Haus Meer](u) so",
            "It rained. [Sun House](u) was",
            "Revenue was [$5.2 billion](u) in 2024.",
            "It rose to [5 %](u).",
            "Built by hand [1889](u).",
            "The winner was [John Smith](u), who ran.",
            "Contact [support](u)!",
            "Official page: [Apple Newsroom](u)",
            "### [Headline](u)",
            "| x | *[John Smith](u)* |",
            "She met [John Smith](u) in May.",
            "这本书是[红楼梦](u)。",
            "It rose. [apnews.com](u) reports that it fell",
            "According to [reuters.com](u), it rose",
            "[reuters.com](u)によると、",
            "It acquired [Instagram](https://news.example/2012/meta).",
            "Lucali, [Di Fara](https://food.example/pizza), and others",
            "It bought [Instagram](https://instagram.com/).",
            "More is at [a.example](u).",
            "It is lit. [Two](u), [Three](v) and [One](w) are high.",
            "It is lit. [Two](u) ([Three](v)) is high.",
            "古い。[Two](u)、[Three](v)は高い。",
            "古い。[a.example](u)、[b.example](v)によると高い。",
            "上涨了。[a.example](u)报道说，",
            "It rose. [a.example](u) and [b.example](v) report that",
            "탑은 높다. [위키백과](https://b.example/two)에 따르면 낮다.",
        ] {
            assert!(named(text), "{text}");
        }
    }

    #[test]
    fn links_behind_a_sentence_and_in_brackets_are_citations() {
        for text in [
            "It rose in May [Reuters](u), while wages fell",
            "It is high ([Wikipedia](u)) and",
            "It is high (see [W](u)) and",
            "It rained. [The Times](u), [Le Monde](u)",
            "It is [example.org](u)",
            "He said \"It is lit.\" [Two](u) The harbour",
            "灯がともった。（出典：[a.example](u)）港は古い。",
            "灯塔点亮了。（来源：[a.example](u)、[b.example](v)）港口很老。",
            "It was lit. (Source: [Two](u)) The harbour",
            "He said “It is lit.” [Two](u) The harbour",
            "It is lit. [Two](u)[Three](v) The harbour",
            "It rose. **Source:** [Two](u) The harbour",
            "灯台は点灯した。[a.example](u)、[b.example](v)塔は高い。",
            "灯台は点灯した。[a.example](u)塔は高い。",
            "Das Feuer brannte [a.example](u) sowie [b.example](v). Der",
            "It rose. [a.example](u) as well as [b.example](v) It fell",
            "It rose (cf. [a.example](u) as well as [b.example](v)). It fell",
            "It rose. Source: [Two](u)",
            "It is [[1]](u)",
            "It is [12](u)",
            "It is high [source](u).",
            "It rose [Reuters](u) and fell.",
            "红。[新华社](u)",
            "- [example.org](u)",
            "It rose. [example.org](u)\nIt fell",
            "It rose in May [Reuters](https://www.reuters.com/a/b).",
            "It rose in May [The Times](https://thetimes.example/a/b), while",
        ] {
            assert!(!named(text), "{text}");
        }
        for joint in [" and ", " or ", ", ", "; ", " und ", "、", "と", " as well as "] {
            let row = format!("It rose (see [a](u){joint}[b](v){joint}[C House](w)). It");
            for link in ["[a](u)", "[b](v)", "[C House](w)"] {
                let at = row.find(link).unwrap();
                assert!(!is_named_link(&row, &(at..at + link.len())), "{row}: {link}");
            }
        }
        let row = "Try [A House](u), [B House](v) or";
        assert!(is_named_link(row, &(18..30)));
    }
}
