//! The sentence before a mark, with what closes behind its last words.

use std::ops::Range;

use crate::text::{
    ends_in_abbreviation, ends_sentence, goes_on_behind_stop, is_blank, is_clause_stop, is_own_stop,
    is_wide_stop, line_lead,
};

/// Signs in a row that close something.
const CLOSING_MOST: usize = 8;
/// Bytes of the name of an element.
const TAG_MOST: usize = 16;
/// Before an item of a list that goes on in one line.
const BULLETS: [char; 3] = ['\u{2022}', '\u{25CF}', '\u{B7}'];

/// Where the last sentence of a text begins.
pub(super) fn sentence(text: &str) -> usize {
    let (mut start, mut at) = (0, 0);
    let is_sign = |c: char| ends_sentence(c) || c == '<' || BULLETS.contains(&c);
    while let Some(sign) = text.get(at..).and_then(|rest| rest.find(is_sign)) {
        let stop = at + sign;
        let signs = text.get(stop..).unwrap_or_default();
        if let Some(length) = line_end(signs) {
            at = stop + length;
            at += text.get(at..).map_or(0, line_lead);
            start = if at < text.len() { at } else { start };
            continue;
        }
        if signs.starts_with(BULLETS) || signs.starts_with('<') {
            at = stop + signs.chars().next().map_or(1, char::len_utf8);
            let parts =
                !signs.starts_with('<') && text.get(at..).is_some_and(|rest| rest.starts_with(is_blank));
            start = if parts { at } else { start };
            continue;
        }
        let stops = signs.len() - signs.trim_start_matches(ends_sentence).len();
        let closing = closing(text, stop + stops);
        at = closing.end;
        if is_boundary(text, start..stop, stop + stops, closing) {
            start = at;
        }
    }
    start
}

/// Bytes of the tag of an element that ends a line, with which a text begins: `<br/>`, `</li>`.
fn line_end(text: &str) -> Option<usize> {
    const LINES: [&str; 17] = [
        "br",
        "p",
        "li",
        "ul",
        "ol",
        "div",
        "tr",
        "td",
        "th",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "hr",
    ];
    let near = text.get(..text.floor_char_boundary(TAG_MOST * 4))?;
    let end = near.strip_prefix('<').and_then(|_| near.find('>'))?;
    let inner = near.get(1..end)?.trim_start_matches('/');
    let name = inner.split([' ', '/']).next()?;
    LINES.iter().any(|known| name.eq_ignore_ascii_case(known)).then_some(end + 1)
}

/// What closes behind a stop.
#[derive(Clone, Copy)]
struct Closing {
    end: usize,
    /// A quotation or a bracket is among it, behind which its sentence may go on.
    is_quoted: bool,
}

/// Whether a sentence ends with the stops before `stopped` and what closes behind them; `words`: what it has
/// before.
fn is_boundary(text: &str, words: Range<usize>, stopped: usize, closing: Closing) -> bool {
    let rest = text.get(closing.end..).unwrap_or_default();
    let stops = text.get(words.end..stopped).unwrap_or_default();
    let next = rest.trim_start_matches(is_blank);
    let small = is_small(next);
    if next.is_empty()
        || closing.is_quoted
            && (small
                || rest.starts_with(is_hiragana)
                || rest.starts_with(is_clause_stop)
                || next.starts_with(['—', '–'])
                || is_told(stops, next))
    {
        return false;
    }
    if stops.ends_with(is_wide_stop) || stops.ends_with(is_own_stop) {
        return true;
    }
    let is_dot = stops.chars().all(|c| c == '.');
    let before = text.get(words.start..stopped).unwrap_or_default();
    let in_bracket = || text.get(stopped..closing.end) == Some(")");
    let is_short = || {
        closing.end == stopped && ends_in_abbreviation(before) && !begins_anew(before, next)
            || (closing.end == stopped || in_bracket()) && goes_on_behind_stop(before, rest)
    };
    // A script without capitals tells no sentence by them.
    let has_case = || {
        let last = before.chars().rev().take(LAST_MOST).find(|c| c.is_alphabetic());
        last.is_none_or(|c| c.is_lowercase() || c.is_uppercase())
    };
    rest.starts_with(is_blank) && !(is_dot && (small && has_case() || is_short()))
}

/// Whether a quotation is followed by who said it: `“Will it fall?” Powell asked.`, `“竞争激烈。”王明说。`
fn is_told(stops: &str, next: &str) -> bool {
    let near = next.get(..next.floor_char_boundary(TELLER_MOST)).unwrap_or_default();
    if stops.ends_with(['?', '!']) && near.starts_with(|c: char| c.is_ascii_uppercase()) {
        let mut words = near.split(' ').take(WORDS_MOST).map(|word| word.trim_end_matches(['.', ',', ':']));
        return words.any(|word| SAID.contains(&word));
    }
    let clause = near.split(is_wide_stop).next().unwrap_or_default();
    clause.len() < near.len() && TOLD.iter().any(|word| clause.contains(word))
}

/// Bytes of who said something, and words.
const TELLER_MOST: usize = 96;
const WORDS_MOST: usize = 4;
/// What somebody does who is quoted.
const SAID: [&str; 14] = [
    "asked", "said", "says", "wrote", "added", "replied", "told", "tweeted", "warned", "noted", "fragte",
    "sagte", "schrieb", "demande",
];
/// The same in Chinese and Japanese.
const TOLD: [&str; 18] = [
    "说",
    "說",
    "问道",
    "問道",
    "表示",
    "写道",
    "寫道",
    "评论道",
    "評論道",
    "指出",
    "强调",
    "強調",
    "述べ",
    "言った",
    "語った",
    "尋ね",
    "話した",
    "答え",
];

/// Whether a text begins with a word that stands at the beginning of a sentence alone, behind a word that is
/// cut short and may end one: `at 9 a.m. The shop`, not `vs. The Beatles`.
fn begins_anew(before: &str, next: &str) -> bool {
    let word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let own = before.trim_end_matches('.').rsplit([' ', '(', '\n']).next().unwrap_or_default();
    let leads =
        ["vs", "feat", "ft", "e.g", "i.e", "cf", "B", "h", "a", "d", "u", "ca", "approx", "incl", "No", "v"];
    BEGINNING.contains(&word) && !leads.contains(&own)
}

/// Such words.
const BEGINNING: [&str; 38] = [
    "The", "This", "These", "Those", "It", "Its", "He", "She", "They", "His", "Her", "Their", "We", "But",
    "And", "However", "In", "On", "At", "For", "There", "When", "While", "Der", "Die", "Das", "Er", "Sie",
    "Es", "Le", "La", "Les", "Il", "Elle", "El", "Los", "Las", "Он",
];

/// Characters before a stop among which a letter tells the script.
const LAST_MOST: usize = 32;

/// Whether a text begins with a small letter as none does that begins a sentence. Georgian has small letters
/// alone, and some names begin with one: `iPhone`.
fn is_small(text: &str) -> bool {
    let word = || text.chars().take_while(|c| c.is_alphanumeric());
    text.starts_with(|c: char| c.is_lowercase() && !('\u{10D0}'..='\u{10FF}').contains(&c))
        && !word().any(char::is_uppercase)
}

/// What closes at a byte behind a stop: emphasis, quotations, brackets, elements; those of French behind a
/// blank.
fn closing(text: &str, from: usize) -> Closing {
    let before = text.get(..from).unwrap_or_default();
    let is_wide = before.ends_with(is_wide_stop);
    // Where no blank parts sentences what follows may open the next one.
    let may_close = |sign: char| !is_wide || is_open(before, sign);
    let mut closing = Closing { end: from, is_quoted: false };
    for _ in 0..CLOSING_MOST {
        let rest = text.get(closing.end..).unwrap_or_default();
        let Some(sign) = rest.chars().next() else { break };
        let behind = rest.get(sign.len_utf8()..).unwrap_or_default();
        let before_word = behind.starts_with(char::is_alphanumeric);
        let length = match sign {
            '*' | '_' | '~' | '=' | '`' if may_close(sign) => {
                rest.len() - rest.trim_start_matches(sign).len()
            }
            '"' | '\'' if may_close(sign) && !before_word => sign.len_utf8(),
            '\u{201c}' | '\u{ab}' | '\u{2039}' if !before_word => sign.len_utf8(),
            '<' => closed(rest),
            _ if is_closing(sign) => sign.len_utf8(),
            _ if is_blank(sign) => french(rest).max(pictures(rest)),
            _ => pictures(rest),
        };
        if length == 0 {
            break;
        }
        closing.end += length;
        closing.is_quoted |= !matches!(sign, '*' | '_' | '~' | '=' | '`' | '<');
    }
    closing
}

/// Bytes of the end of an element that a text begins with: `</b>`.
fn closed(text: &str) -> usize {
    let name = text.strip_prefix("</").and_then(|rest| rest.split_once('>')).map(|(name, _)| name);
    let is_name =
        |name: &&str| name.len() <= TAG_MOST && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    name.filter(is_name).map_or(0, |name| name.len() + "</>".len())
}

/// Bytes of a blank and of a sign behind it that closes a quotation, where it would open no word.
fn french(text: &str) -> usize {
    let signs = text.trim_start_matches(is_blank);
    let rest = signs.trim_start_matches(['\u{bb}', '\u{203a}']);
    if rest.len() == signs.len() || rest.starts_with(char::is_alphanumeric) {
        0
    } else {
        text.len() - rest.len()
    }
}

/// A picture, or what joins two to one.
fn is_picture(c: char) -> bool {
    let drawn = ['\u{1F300}'..='\u{1FAFF}', '\u{2600}'..='\u{27BF}'];
    drawn.iter().any(|range| range.contains(&c)) || matches!(c, '\u{2B50}' | '\u{FE0F}' | '\u{200D}')
}

/// Bytes of pictures behind a sentence, also behind a blank, before another one: `It rose. 🎉 It fell.`
fn pictures(text: &str) -> usize {
    let signs = text.trim_start_matches(is_blank);
    let rest = signs.trim_start_matches(is_picture);
    let ends = rest.is_empty() || rest.starts_with(is_blank) || signs.len() == text.len();
    if rest.len() < signs.len() && ends { text.len() - rest.len() } else { 0 }
}

/// A mark with the emphasis that stands around it alone: `**[1]**`.
pub(crate) fn wrapped(answer: &str, mark: &Range<usize>) -> Range<usize> {
    let mut out = mark.clone();
    for _ in 0..CLOSING_MOST {
        let (before, behind) = (answer.get(..out.start), answer.get(out.end..));
        let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
        let Some(sign) = behind.chars().next().filter(|c| matches!(c, '*' | '_' | '~')) else { break };
        // What was opened before is closed there.
        let near = before.get(before.ceil_char_boundary(before.len().saturating_sub(WINDOW))..);
        let near = near.unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        // A star begins an item of a list as well.
        let near = near.get(line_lead(near)..).unwrap_or_default();
        if !near.ends_with(sign) || !is_open(near, sign) {
            break;
        }
        let length = |rest: usize, whole: usize| whole - rest;
        let opens = length(before.trim_end_matches(sign).len(), before.len());
        let closes = length(behind.trim_start_matches(sign).len(), behind.len());
        let both = opens.min(closes);
        out = out.start - both..out.end + both;
    }
    out
}

/// Bytes of a line in which emphasis is looked for.
const WINDOW: usize = 4 * 1024;

/// A text without what closes behind its last words: emphasis, quotations and brackets, also behind a blank:
/// `« Oui. »*`. `line`: what stands in its line up to there.
pub(super) fn unclosed<'t>(mut text: &'t str, line: &str) -> &'t str {
    let begin = line.len().saturating_sub(text.len());
    for _ in 0..CLOSING_MOST {
        let words = text.trim_end_matches(is_blank);
        let Some(last) = words.chars().next_back() else { break };
        let before = words.trim_end_matches(last);
        let parts = line.get(..begin + words.len()).unwrap_or_default();
        let closes = match last {
            // What was opened before.
            '*' | '_' | '~' | '=' | '`' => !is_open(parts, last),
            '"' | '\'' if before.ends_with(ends_sentence) => true,
            '"' => parts.matches(last).count().is_multiple_of(2),
            '\u{201c}' => parts.contains('\u{201e}'),
            // As German books have them.
            '\u{ab}' => before.ends_with(ends_sentence) && parts.contains('\u{bb}'),
            '\u{2039}' => before.ends_with(ends_sentence) && parts.contains('\u{203a}'),
            '^' => true,
            _ => is_closing(last),
        };
        let tag = words.strip_suffix("<sup>").or_else(|| {
            let (before, element) = words.split_at_checked(words.rfind("</")?)?;
            (closed(element) == element.len()).then_some(before)
        });
        if !closes && tag.is_none() {
            break;
        }
        text = tag.unwrap_or(before);
    }
    text.trim_end_matches(is_blank)
}

/// Letters with which Japanese goes on behind a quotation.
fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

/// Whether emphasis by a sign is open at the end of a text: what stands between blanks, or as `_` within a
/// word, opens and closes none.
pub(super) fn is_open(text: &str, sign: char) -> bool {
    let (mut open, mut at) = (0_usize, 0);
    while let Some(begin) = text.get(at..).and_then(|rest| rest.find(sign)).map(|found| at + found) {
        let rest = text.get(begin..).unwrap_or_default();
        let behind = rest.trim_start_matches(sign);
        at = begin + rest.len() - behind.len();
        let before = text.get(..begin).and_then(|before| before.chars().next_back());
        let next = behind.chars().next();
        let is_word = |c: Option<char>| sign == '_' && c.is_some_and(char::is_alphanumeric);
        let closes = before.is_some_and(|c| !is_blank(c)) && !is_word(next);
        if closes && open > 0 {
            open -= 1;
        } else if !next.is_some_and(is_blank) && !is_word(before) {
            open += 1;
        }
    }
    open > 0
}

/// Signs that close a quotation or a bracket.
pub(super) fn is_closing(c: char) -> bool {
    "\u{bb}\u{203a}\u{201d}\u{2019})]\u{300d}\u{300f}\u{300b}\u{3009}\u{3011}\u{ff09}".contains(c)
}

#[cfg(test)]
mod tests {
    use super::sentence;

    /// What the last sentence of a text is; of texts in two parts the second.
    #[track_caller]
    fn last(texts: &[(&str, &str)]) {
        for (before, sentence_itself) in texts {
            let text = format!("{before}{sentence_itself}");
            assert_eq!(text[sentence(&text)..].trim_start(), sentence_itself.trim_start(), "{text}");
        }
    }

    #[test]
    fn quotations_of_any_language_end_their_sentence() {
        last(&[
            ("«Мост открыт в 1998 году.» ", "Он очень большой."),
            ("„Die Brücke ist offen.“ ", "Sie ist 140 Meter hoch."),
            ("»Die Brücke ist offen.« ", "Sie ist hoch."),
            ("›Die Brücke ist offen.‹ ", "Sie ist hoch."),
            ("« Le pont est ouvert. » ", "Il mesure 140 mètres."),
            ("“The bridge is open.” ", "It is high."),
            ("\"The bridge is open.\" ", "It is high."),
            ("Er kam. ", "»Ja.«"),
            ("Il vint. ", "« Oui. »"),
            ("", "«Oui.» dit-il."),
            ("", "「はい。」と言った"),
            ("", "„Ja.“ sagte er"),
            ("橋は長い。", "「はい。」"),
            ("「はい。」", "橋は長い。"),
        ]);
    }

    #[test]
    fn emphasis_and_elements_end_with_their_sentence() {
        last(&[
            ("**पुल 1998 में खुला।** ", "यह बहुत बड़ा है।"),
            ("*پل کھلا۔* ", "یہ بڑا ہے۔"),
            ("<b>The bridge opened.</b> ", "It is big."),
            ("~~The bridge opened.~~ ", "It is big."),
            ("==The bridge opened.== ", "It is big."),
            ("It is wet.<br>", "It is old."),
            ("It is wet<br/><br />", "It is old."),
            ("- It is wet.<br>- ", "It is old."),
            ("<p>It is wet.</p><p class=\"a\">", "It is old."),
            ("", "It is <i>wet</i> if a<b"),
            ("`The bridge opened.` ", "It is big."),
            ("**The bridge opened.** ", "It is big."),
            ("桥于1998年开通。", "<b>它高140米。</b>"),
            ("桥于1998年开通。", "**它高140米。**"),
            ("桥于1998年开通。", "==它高140米。=="),
            ("**桥于1998年开通。**", "它高140米。"),
            ("“桥开通了。”", "它高140米。"),
        ]);
    }

    #[test]
    fn initials_and_the_stops_of_all_scripts() {
        last(&[
            ("Он поэт. ", "Поэт А. С. Пушкин родился в 1799 году"),
            ("", "Ο Κ. Π. Καβάφης ζούσε"),
            ("", "א. ב. יהושע נולד"),
            ("", "Å. Öberg lives in Umeå"),
            ("Կամուրջը բացվեց։ ", "Այն մեծ է։"),
            ("ድልድዩ ተከፈተ። ", "ትልቅ ነው።"),
            ("တံတားဖွင့်ခဲ့သည်။ ", "ကြီးသည်။"),
            ("पुल खुला॥ ", "यह बड़ा है॥"),
            ("पुल खुला।", "यह बड़ा है।"),
            ("서울의 인구는 940만 명이다. ", "iPhone 판매가 감소했다"),
            ("", "Sales rose. 🎉 "),
            ("Sales rose. 🎉 ", "Prices fell."),
            ("", "売上は減った。🚀"),
            ("서울의 인구는 940만 명이다. ", "npm은 도구이다"),
            ("نمت الشركة. ", "iPhone هو هاتف"),
            ("Компания выросла. ", "iPhone подешевел"),
            ("The economy shrank in 1999. ", "iOS 17 was released"),
            ("", "The version no. two of approx. five"),
            ("Es ist alt. ", "Die Firma meldete im 4. Quartal einen Gewinn"),
            ("Es ist alt. ", "Es kostet 5 Mio. Euro"),
            ("Es ist alt. ", "Es kostet 5 Mio. (Vorjahr: 3 Mio.) Euro."),
            ("ხიდი გაიხსნა 1998 წელს. ", "ის ძალიან დიდია"),
            ("Is it? ", "Yes it is"),
            ("It fell. ", "\"Will it fall?\" Powell asked"),
            ("", "“竞争非常激烈。”王明说。"),
            ("物价上涨。", "「なぜ？」記者は尋ねた。"),
            ("“桥开通了。”", "它高140米。"),
            ("", "«Это безопасно?» — спросила она"),
        ]);
    }
}
