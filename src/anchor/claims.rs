//! The claim before a mark: where a provider marks a place, the words that it backs are inferred. They lie in
//! the mark's line, behind the mark before it and behind where their sentence, list item or cell begins.

use std::ops::Range;

use super::labels::{joins, label};
use super::links::is_named_link;
use super::sentence::{is_closing, is_open, sentence, unclosed, wrapped};
use super::subjects::{clause, is_parted, is_subject};
use super::verdict::Anchor;
use crate::model::Support;
use crate::text::{BRACKETS, ends_sentence, is_blank, line_lead, sentence_ends};

/// Bytes of a line that are looked at for the claim of one mark.
const WINDOW: usize = 4 * 1024;

/// Characters before the first cell of a row.
const INDENT_MOST: usize = 16;
/// Marks of one row that are looked at.
const ROW_MOST: usize = 256;
/// From so many words on what stands between two links is said of the first.
const JOINING: usize = 3;

/// The mark before, and what it backs.
#[derive(Default)]
struct Before {
    end: usize,
    /// Where its line begins.
    line: usize,
    claim: Option<Range<usize>>,
}

/// Makes what was placed of supports that name a mark that mark, and infers their claims.
/// `parts`: where parts of the answer begin, ascending.
pub(super) fn infer(answer: &str, parts: &[usize], supports: &[Support], anchors: &mut [Anchor]) {
    let parts: Vec<usize> = parts.iter().copied().filter(|at| begins_sentence(answer, *at)).collect();
    let mut marks: Vec<(Range<usize>, usize)> = Vec::new();
    for (number, (support, anchor)) in supports.iter().zip(anchors.iter_mut()).enumerate() {
        if support.is_inferred() && support.own.placed.is_none() {
            anchor.mark = anchor.range.take();
            marks.extend(anchor.mark.clone().map(|mark| (mark, number)));
        } else {
            anchor.mark.clone_from(&support.own.mark);
        }
    }
    marks.sort_unstable_by_key(|(mark, number)| (mark.start, mark.end, *number));
    let mut before = Before::default();
    let mut last: Option<Range<usize>> = None;
    for (index, (mark, number)) in marks.iter().enumerate() {
        let number = *number;
        if last.as_ref() != Some(mark) {
            let behind = marks.get(index + 1..).unwrap_or_default();
            let place = Place { mark, behind, parts: &parts, follows: last.is_some() };
            before = claim(answer, &place, &before);
            last = Some(mark.clone());
        }
        let backs = supports.get(number).is_some_and(Support::backs_claim);
        if let Some(anchor) = anchors.get_mut(number).filter(|_| backs) {
            anchor.range.clone_from(&before.claim);
        }
    }
}

/// A mark among the others.
struct Place<'m> {
    mark: &'m Range<usize>,
    /// The marks behind it.
    behind: &'m [(Range<usize>, usize)],
    /// Where parts begin with a sentence.
    parts: &'m [usize],
    /// Whether one is before it.
    follows: bool,
}

impl Place<'_> {
    /// Where the last part begins within a stretch that ends with it.
    fn part(&self, from: usize, at: usize) -> Option<usize> {
        let last = self.parts.partition_point(|part| *part <= at).checked_sub(1)?;
        self.parts.get(last).copied().filter(|part| from < *part)
    }

    /// Where the next mark begins.
    fn next(&self, answer: &str) -> usize {
        let next = self.behind.iter().find(|(next, _)| next != self.mark);
        next.map_or(answer.len(), |(next, _)| next.start)
    }

    /// What is said of it, up to where a clause begins that is about the next one.
    fn said(&self, answer: &str, line: usize) -> Range<usize> {
        let row = self.row_end(answer);
        let said = behind_mark(answer, line, row).unwrap_or_else(|| self.mark.clone());
        let next = self.behind.iter().find(|(next, _)| next.start >= row);
        let within = next.filter(|(next, _)| said.start < next.start && next.start < said.end);
        let end = within.and_then(|(next, _)| clause(answer, said.start, next));
        said.start..end.filter(|end| *end > said.start).unwrap_or(said.end)
    }

    /// It with the emphasis that stands around it alone, or that is opened for its row: `*[1] and [2]*`.
    fn around(&self, answer: &str) -> Range<usize> {
        let own = wrapped(answer, self.mark);
        let is_opened = own == *self.mark
            && !own.is_empty()
            && answer.get(..own.start).is_some_and(|before| before.ends_with(['*', '_', '~']));
        let row = self.mark.start..if is_opened { self.row_end(answer) } else { self.mark.end };
        let begin = if is_opened { wrapped(answer, &row).start } else { own.start };
        begin..own.end
    }

    /// Where the marks end that stand in a row with it.
    fn row_end(&self, answer: &str) -> usize {
        let mut end = self.mark.end;
        for (next, _) in self.behind.iter().take(ROW_MOST) {
            let gap = answer.get(end..next.start).unwrap_or_default();
            if end < next.start && (gap.contains('\n') || !joins(gap) || is_parted(answer, end, next)) {
                break;
            }
            end = end.max(next.end);
        }
        end
    }
}

/// A mark, its line and its claim.
fn claim(answer: &str, place: &Place, before: &Before) -> Before {
    let around = place.around(answer);
    let mark = &around;
    let from = before.end.min(mark.start);
    let at = point(answer, mark).max(from);
    let between = answer.get(from..at).unwrap_or_default();
    let newline = between.rfind('\n').map(|at| from + at + 1);
    // A part is a text of its own: nothing stands between its first sentence and the last one before.
    let begun = newline.max(place.part(from, at));
    let same_line = place.follows && begun.is_none();
    let line = begun.unwrap_or(before.line);
    let end = mark.end.max(before.end);
    let low = if same_line { from } else { line };
    if is_named_link(answer, place.mark) {
        let row = before.claim.as_ref().filter(|_| same_line && joins(between)).map(|claim| claim.start);
        let lead = || row.or_else(|| Some(before_mark(answer, low, line, place.mark.start)?.start));
        // Several that a sentence begins with are what it is about.
        let of_row =
            before.claim.clone().filter(|claim| same_line && joins(between) && claim.end >= place.mark.end);
        let claim = of_row
            .or_else(|| about_name(answer, place.mark, line, place.next(answer)))
            .or_else(|| about_names(answer, place, low, line))
            .unwrap_or_else(|| lead().unwrap_or(place.mark.start)..place.mark.end);
        return Before { end, line, claim: Some(claim) };
    }
    if is_subject(answer, mark.start, place.row_end(answer)) {
        return Before { end, line, claim: Some(place.said(answer, line)) };
    }
    // Of two clauses each has its subject.
    if same_line
        && before.claim.as_ref().is_some_and(|claim| claim.start >= before.end)
        && clause(answer, from, place.mark).is_some()
    {
        return Before { end, line, claim: Some(place.said(answer, line)) };
    }
    if same_line && joins(between) && !(between.contains('|') && is_row(answer, line)) {
        return Before { end, line, claim: before.claim.clone() };
    }
    let is_labelled = || label(answer.get(low..at).unwrap_or_default()).is_some();
    let looks_ahead = !same_line && !mark.is_empty() && !is_labelled();
    let behind = || if looks_ahead { behind_mark(answer, line, place.row_end(answer)) } else { None };
    let claim = before_mark(answer, low, line, at).or_else(behind).unwrap_or_else(|| place.mark.clone());
    Before { end, line, claim: Some(claim) }
}

/// Whether a part that begins at a byte begins with a sentence: those of a stream may begin anywhere.
fn begins_sentence(answer: &str, part: usize) -> bool {
    let (before, behind) = answer.split_at_checked(part).unwrap_or_default();
    let own = before.trim_end_matches(|c| is_blank(c) || is_closing(c) || matches!(c, '*' | '_' | '"'));
    own.ends_with(ends_sentence) && behind.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
}

/// Where the words before a mark end: of a point that begins its line those of the line before.
fn point(answer: &str, mark: &Range<usize>) -> usize {
    let before = answer.get(..mark.start).unwrap_or_default();
    let words = before.trim_end_matches(is_blank);
    let begins = mark.is_empty() && before.get(words.len()..).is_some_and(|gap| gap.contains('\n'));
    if begins { words.len() } else { mark.start }
}

/// What is said of a link that names something, up to the next mark.
fn about_name(answer: &str, mark: &Range<usize>, line: usize, next: usize) -> Option<Range<usize>> {
    let upto = answer.floor_char_boundary(mark.end.saturating_add(WINDOW)).min(next.max(mark.end));
    let rest = answer.get(mark.end..upto).unwrap_or_default().split('\n').next().unwrap_or_default();
    let rest = if is_row(answer, line) { rest.split('|').next().unwrap_or_default() } else { rest };
    let said = rest.get(..sentence_ends(rest).next().unwrap_or(rest.len())).unwrap_or_default();
    let said = said.trim_end_matches(|c: char| is_blank(c) || ",;:".contains(c));
    // Between two marks a word or two join them.
    let joins = upto == next
        && next < answer.len()
        && said.split_whitespace().count() < JOINING
        && !said.ends_with(ends_sentence);
    (said.chars().any(char::is_alphanumeric) && !joins).then(|| mark.start..mark.end + said.len())
}

/// The same of links in a row with which a sentence begins.
fn about_names(answer: &str, place: &Place, low: usize, line: usize) -> Option<Range<usize>> {
    let before =
        answer.get(low..place.mark.start)?.trim_end_matches(|c: char| is_blank(c) || matches!(c, '*' | '_'));
    let row = place.mark.start..place.row_end(answer);
    let begins = before.trim_end_matches(is_closing).ends_with(ends_sentence) || low + before.len() <= line;
    let next = place
        .behind
        .iter()
        .find(|(next, _)| next.start >= row.end)
        .map_or(answer.len(), |(next, _)| next.start);
    if begins && row.end > place.mark.end { about_name(answer, &row, line, next) } else { None }
}

/// The words of a line between a byte and a mark.
fn before_mark(answer: &str, low: usize, line: usize, mark: usize) -> Option<Range<usize>> {
    let near = answer.ceil_char_boundary(mark.saturating_sub(WINDOW));
    let mut start = low.max(near);
    if start == line {
        start += line_lead(answer.get(line..mark)?);
    }
    let text = answer.get(start..mark)?;
    if is_row(answer, line) {
        start += text.rfind('|').map_or(0, |at| at + 1);
    }
    // Of the mark before.
    start += answer.get(start..mark)?.strip_prefix("</sup>").map_or(0, |_| "</sup>".len());
    // What was opened before is looked for in the line, without what that begins with.
    let begun = (line + line_lead(answer.get(line..mark)?)).max(near).min(start);
    let upto = |end: usize| answer.get(begun..end).unwrap_or_default();
    let end = start + unlabelled(answer.get(start..mark)?, upto(mark)).len();
    start += sentence(unclosed(answer.get(start..end)?, upto(end)));
    let text = answer.get(start..end).unwrap_or_default();
    let words =
        text.trim_start_matches(|c: char| is_blank(c) || ends_sentence(c) || ",;:)]）】，、；：".contains(c));
    // Emphasis that was closed behind the mark before.
    let closed = words.trim_start_matches(['*', '_']);
    let is_closed = |sign| is_open(upto(end - words.len()), sign) && words.len() < text.len();
    let words = if closed.starts_with(is_blank) || words.chars().next().is_some_and(is_closed) {
        closed.trim_start_matches(is_blank)
    } else {
        words
    };
    let start = end - words.len();
    let is_label = label(words).is_some_and(|label| is_emphasis(label.lead));
    (!is_emphasis(words) && !is_label).then(|| start..start + words.len())
}

/// Whether there is nothing but signs of emphasis and tags of elements.
fn is_emphasis(words: &str) -> bool {
    let mut rest = words;
    loop {
        rest = rest.trim_start_matches(|c: char| is_blank(c) || matches!(c, '*' | '_' | '~'));
        let near = rest.get(..rest.floor_char_boundary(TAG_MOST)).unwrap_or_default();
        let Some(end) = near.strip_prefix('<').and_then(|tag| tag.find('>')) else { return rest.is_empty() };
        rest = rest.get(end + 2..).unwrap_or_default();
    }
}

/// Bytes of a tag that is looked at.
const TAG_MOST: usize = 16;

/// A text without what it ends with that was opened for the mark: blanks, brackets, emphasis around these,
/// `<sup>`. `line`: what stands in its line up to there; `is_bracketed`: a bracket stands behind it.
fn unopened<'t>(text: &'t str, line: &str, is_bracketed: bool) -> &'t str {
    let is_bracket = |c: char| is_blank(c) || BRACKETS.iter().any(|(open, _)| *open == c);
    let words = text.trim_end_matches(is_bracket);
    let words = words.strip_suffix("<sup>").unwrap_or(words);
    let line = line.get(..line.len() - (text.len() - words.len())).unwrap_or_default();
    let words = words.trim_end_matches(is_bracket);
    let sign = words
        .chars()
        .next_back()
        .filter(|sign| matches!(sign, '*' | '_') && (is_bracketed || words.len() < text.len()));
    let bare = sign.map_or(words, |sign| words.trim_end_matches(sign));
    let opens = |sign| is_open(line, sign) && !bare.ends_with(char::is_alphanumeric);
    if sign.is_some_and(opens) { bare.trim_end_matches(is_bracket) } else { words }
}

/// A text without what was opened for the mark that it ends at, and what its source is called, where words
/// stand before that: `It is old (source: `.
fn unlabelled<'t>(text: &'t str, line: &str) -> &'t str {
    let own = unopened(text, line, false);
    let words = label(own).map(|label| {
        let bare = label.lead.trim_end_matches(['*', '_']);
        let lead = if bare.ends_with(is_blank) { bare } else { label.lead };
        let line = line.get(..line.len() - (text.len() - lead.len())).unwrap_or_default();
        unopened(lead, line, label.bracket.is_some())
    });
    words.filter(|words| !is_emphasis(words)).unwrap_or(own)
}

/// Whether a place is one of its own: in a line of a table, or behind what a line begins with and before
/// nothing.
pub fn is_own_place(answer: &str, at: usize) -> bool {
    let line = answer.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let before = answer.get(line..at).unwrap_or_default();
    let rest = answer.get(at..).unwrap_or_default().split('\n').next().unwrap_or_default();
    let is_item = !before.trim().is_empty() && line_lead(before) == before.len();
    is_row(answer, line) || is_item && rest.chars().all(is_blank)
}

/// Whether the line that begins here is one of a table.
fn is_row(answer: &str, line: usize) -> bool {
    let mut signs = answer.get(line..).unwrap_or_default().chars().take(INDENT_MOST);
    signs.find(|c| !matches!(c, ' ' | '\t')) == Some('|')
}

/// The words behind a mark that opens its line, to the end of their sentence.
fn behind_mark(answer: &str, begun: usize, mark: usize) -> Option<Range<usize>> {
    let upto = answer.floor_char_boundary(mark.saturating_add(WINDOW).min(answer.len()));
    let rest = answer.get(mark..upto)?;
    let line = rest.get(..rest.find('\n').unwrap_or(rest.len()))?;
    // A cell of a table is a line of its own.
    let line = if is_row(answer, begun) { line.split('|').next().unwrap_or_default() } else { line };
    let closed = line.trim_start_matches(['*', '_']);
    let closed = closed.strip_prefix("</sup>").unwrap_or(closed);
    let behind = if closed.starts_with(is_blank) { closed } else { line };
    let words = behind.trim_start_matches(|c: char| is_blank(c) || ".,;:!?)]".contains(c));
    let start = mark + line.len() - words.len();
    let end = sentence_ends(words).next().unwrap_or(words.len()).min(marked_end(words));
    let claim = words.get(..end)?.trim_end_matches(is_blank);
    (!is_emphasis(claim)).then(|| start..start + claim.len())
}

/// Where the first sentence of a text ends that has a mark right behind it: `It rose.[2]`.
fn marked_end(text: &str) -> usize {
    let brackets = text.match_indices('[').map(|(at, _)| at);
    let is_behind = |at: &usize| text.get(..*at).is_some_and(|before| before.ends_with(ends_sentence));
    brackets.into_iter().find(is_behind).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
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
        // A piece of a stream begins anywhere.
        assert_eq!(claim(&[0, 19]), "I look it up.Sales rose");
    }

    #[test]
    fn a_claim_is_what_stands_before_its_mark() {
        assert_eq!(
            claims("It is old.[1] It is [2] red, and big [3]."),
            ["It is old.", "It is", "red, and big"]
        );
        assert_eq!(claims("One. Two is old [1]."), ["Two is old"]);
        assert_eq!(claims("Rose 1.5 % to Dr. Quill. [1]"), ["Rose 1.5 % to Dr. Quill."]);
        assert_eq!(claims("- item one [1]\n2. item two [2]\n> # head [3]"), ["item one", "item two", "head"]);
        assert_eq!(claims("| a | b [1] | c [2] |"), ["b", "c"]);
        assert_eq!(claims("**Bold.** Then this [1]"), ["Then this"]);
        assert_eq!(claims("It opened c. five o'clock late [1]"), ["It opened c. five o'clock late"]);
        for quotation in
            ["\u{ab} Oui. \u{bb}", "\u{ab}\u{a0}Oui\u{202f}!\u{a0}\u{bb}", "\" Oui. \"", "(Oui. )"]
        {
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
        assert_eq!(
            claims("Red. [1], [2] and [3] say so. Old.[4]"),
            ["say so.", "say so.", "say so.", "Old."]
        );
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
}
