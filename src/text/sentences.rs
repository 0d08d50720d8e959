//! Sentences as byte ranges of a text, for any script: the one definition of where a sentence ends.
//!
//! The scorer of evidence is defined on [`split_sentences`], so nothing here may change without its
//! reference. Others ask questions of the same definition: [`sentence_ends`], [`sentence_start`] and
//! [`ends_sentence`].

use super::chars::{Class, char_at, char_before, class, is_space, is_word, skip};

/// Punctuation with which a clause or a sentence ends.
pub(crate) fn is_clause_stop(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '。' | '、' | '！' | '？' | '，' | '；' | '：')
}

/// Characters of the longest piece; a longer one is cut at a space: run-on web text, Thai.
const PIECE_LIMIT_CHARS: usize = 400;

/// What stands before a full stop that ends no sentence. A single letter counts as well.
const ABBREVIATIONS: [&str; 23] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "no", "inc", "ltd", "co", "corp", "u.s", "u.k",
    "e.g", "i.e", "etc", "fig", "approx", "vol", "pp",
];

/// Hands on where each sentence of `text` begins and ends, in pieces of at most [`PIECE_LIMIT_CHARS`]; none
/// when it is blank. Returns whether a long piece was cut where a word or number may have been cut with it.
pub(crate) fn split_sentences(text: &str, mut found: impl FnMut(usize, usize)) -> bool {
    let mut torn = false;
    for (start, end) in Sentences::new(text) {
        torn |= cut(text, start, end, &mut found);
    }
    torn
}

/// Where each sentence of `text` ends, in order: behind its end sign and the quotes and brackets closed
/// there.
pub(crate) fn sentence_ends(text: &str) -> impl Iterator<Item = usize> {
    Sentences::new(text).map(|(_, end)| skip(text, end, is_closing))
}

/// Where the sentence begins that `text` breaks off in, or that ends where it ends; its length where white
/// space follows the last sentence.
pub(crate) fn sentence_start(text: &str) -> usize {
    let Some((start, end)) = Sentences::new(text).last() else { return text.len() };
    if skip(text, end, is_closing) == text.len() { start } else { text.len() }
}

/// Whether a sentence may end behind this character: an end sign or a line end. What follows may still say
/// that it does not: `1.5`, `Dr. Quill`.
pub(crate) fn ends_sentence(c: char) -> bool {
    c == '\n' || is_stop(c) || is_wide_stop(c)
}

/// Whether a text goes on with a sentence that was begun before it, as behind a link: `'s roof`, ` is old`,
/// `, says it`, `-based`, `: it is old`, `は古い`.
pub(crate) fn continues(text: &str) -> bool {
    let text = text.trim_start_matches(['*', '_', '~']);
    let small = |text: &str| text.trim_start_matches(is_space).starts_with(char::is_lowercase);
    let mut rest = text.chars();
    match rest.next() {
        Some('\'' | '\u{2019}' | '-' | '\u{2011}') => rest.as_str().starts_with(char::is_alphabetic),
        Some(':' | '：' | '\u{3041}'..='\u{309f}') => true,
        Some(',' | ';' | '，') => small(rest.as_str()),
        Some(c) if is_space(c) => match rest.as_str().trim_start_matches(is_space).chars().next() {
            Some('(') => {
                let inner = rest.as_str().trim_start_matches(is_space).get(1..);
                inner
                    .is_some_and(|inner| inner.starts_with(char::is_alphabetic) && !inner.starts_with("http"))
            }
            Some(dash @ ('\u{2013}' | '\u{2014}')) => {
                small(rest.as_str().trim_start_matches(is_space).trim_start_matches(dash))
            }
            next => next.is_some_and(char::is_lowercase),
        },
        next => next.is_some_and(char::is_lowercase),
    }
}

/// Signs that end a sentence where white space follows.
fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '\u{203D}' | '\u{2026}') || is_own_stop(c)
}

/// Signs of one script that stand for nothing else: Armenian, Arabic, Devanagari, Tibetan, Burmese, Ethiopic,
/// Khmer, Mongolian, Santali.
pub(crate) fn is_own_stop(c: char) -> bool {
    matches!(
        c,
        '\u{589}'
            | '\u{61F}'
            | '\u{6D4}'
            | '\u{964}'
            | '\u{965}'
            | '\u{F0D}'
            | '\u{F0E}'
            | '\u{104B}'
            | '\u{1362}'
            | '\u{1367}'
            | '\u{17D4}'
            | '\u{17D5}'
            | '\u{1803}'
            | '\u{1C7E}'
            | '\u{1C7F}'
    )
}

/// Signs of the scripts that write without spaces.
pub(crate) fn is_wide_stop(c: char) -> bool {
    matches!(c, '\u{3002}' | '\u{FF01}' | '\u{FF1F}' | '\u{FF61}')
}

/// What may be closed between an end sign and the next sentence.
fn is_closing(c: char) -> bool {
    closes_after_stop(c) || closes_after_wide_stop(c)
}

fn closes_after_stop(c: char) -> bool {
    matches!(c, '"' | '\'' | '\u{201D}' | '\u{2019}' | ')' | ']')
}

fn closes_after_wide_stop(c: char) -> bool {
    matches!(c, '"' | '\u{201D}' | '\u{300D}' | '\u{300F}' | ')' | '\u{FF09}')
}

/// The sentences of a text, however long.
struct Sentences<'t> {
    text: &'t str,
    gaps: Gaps<'t>,
    /// Where the sentence at hand begins, and its first character that is no white space.
    start: usize,
    inked: usize,
}

impl<'t> Sentences<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, gaps: Gaps::new(text), start: 0, inked: skip(text, 0, is_space) }
    }

    fn begin(&mut self, start: usize) {
        self.start = start;
        if self.inked < start {
            self.inked = skip(self.text, start, is_space);
        }
    }
}

impl Iterator for Sentences<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some((from, to)) = self.gaps.next() {
            let start = self.start;
            let is_inked = self.inked < from;
            let gap = self.text.get(from..to).unwrap_or("");
            if is_inked
                && !gap.is_empty()
                && !gap.contains('\n')
                && ends_in_abbreviation(self.text.get(start..from).unwrap_or(""))
            {
                continue;
            }
            self.begin(to);
            if is_inked {
                return Some((start, from));
            }
        }
        let start = self.start;
        let is_inked = self.inked < self.text.len();
        self.begin(self.text.len());
        is_inked.then_some((start, self.text.len()))
    }
}

/// Hands on `start..end`, in pieces of at most [`PIECE_LIMIT_CHARS`].
fn cut(text: &str, mut start: usize, end: usize, found: &mut impl FnMut(usize, usize)) -> bool {
    let mut torn = false;
    while end - start > PIECE_LIMIT_CHARS {
        let piece = text.get(start..end).unwrap_or("");
        let mut offsets = piece.char_indices().map(|(at, _)| at);
        let (half, full) = (offsets.nth(PIECE_LIMIT_CHARS / 2), offsets.nth(PIECE_LIMIT_CHARS / 2 - 1));
        let (Some(half), Some(full)) = (half, full) else {
            break;
        };
        let space = piece.get(half..full).and_then(|s| s.rfind(' '));
        let stop = start + space.map_or(full, |at| half + at);
        torn |= space.is_none() && !is_between_grams(text, stop);
        found(start, stop);
        start = stop;
    }
    found(start, end);
    torn
}

fn is_between_grams(text: &str, at: usize) -> bool {
    [char_before(text, at), char_at(text, at)]
        .into_iter()
        .all(|c| c.is_some_and(|c| matches!(class(c), Class::Han | Class::Hangul | Class::Thai)))
}

/// Whether a piece ends with a full stop that ends no sentence: of an initial, or of a shortened word.
pub(crate) fn ends_in_abbreviation(piece: &str) -> bool {
    let Some(body) = piece.trim_end_matches(is_space).strip_suffix('.') else {
        return false;
    };
    let mut letters = body.chars().rev();
    let single = letters.next().is_some_and(is_initial) && !letters.next().is_some_and(is_word);
    single || ABBREVIATIONS.iter().any(|short| ends_in_word(body, short))
}

/// Letters that stand for a name: small ones of other scripts stand for words that end sentences as well.
fn is_initial(c: char) -> bool {
    base_letter(c).is_ascii_lowercase() || c.is_uppercase() || ('\u{5D0}'..='\u{5EA}').contains(&c)
}

fn ends_in_word(body: &str, word: &str) -> bool {
    let mut rest = body.chars().rev();
    word.chars().rev().all(|c| rest.next().map(base_letter) == Some(c)) && !rest.next().is_some_and(is_word)
}

/// Letters that differ from an ASCII letter only by case, simple folding.
fn base_letter(c: char) -> char {
    match c {
        '\u{130}' | '\u{131}' => 'i',
        '\u{17F}' => 's',
        '\u{212A}' => 'k',
        _ => c.to_ascii_lowercase(),
    }
}

/// First bytes of the characters at which a break can be found.
const SIGNS: [bool; 256] = sign_bytes();

const fn sign_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let signs = [b'.', b'!', b'?', b'\n', 0xC2, 0xD6, 0xD8, 0xDB, 0xE0, 0xE1, 0xE2, 0xE3, 0xEF];
    let mut at = 0;
    while at < signs.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated at compile time; at < len")]
        {
            table[signs[at] as usize] = true;
        }
        at += 1;
    }
    table
}

/// Where the next sign may stand: its first two bytes decide, so that texts in scripts that share a first
/// byte with one are passed over quickly.
fn next_sign(bytes: &[u8]) -> Option<usize> {
    let is_sign = |pair: &[u8]| match pair {
        [first, _] if !SIGNS.get(usize::from(*first)).copied().unwrap_or(false) => false,
        [0xC2, second] => *second == 0xB7,
        [0xD6, second] => *second == 0x89,
        [0xD8, second] => *second == 0x9F,
        [0xDB, second] => *second == 0x94,
        [0xE0, second] => matches!(*second, 0xA5 | 0xBC),
        [0xE1, second] => matches!(*second, 0x81 | 0x8D | 0x9F | 0xA0 | 0xB1),
        [0xE2, second] => matches!(*second, 0x80 | 0x97),
        [0xE3, second] => *second == 0x80,
        [0xEF, second] => matches!(*second, 0xBC | 0xBD),
        _ => true,
    };
    let found = bytes.windows(2).position(is_sign);
    found.or_else(|| (bytes.last() == Some(&b'\n')).then(|| bytes.len() - 1))
}

/// The gaps between sentences: closing quotes and white space after an end sign, newlines, bullets.
/// A gap after a full-width end sign may be empty.
struct Gaps<'t> {
    text: &'t str,
    at: usize,
    /// The end of the last gap: no later gap begins before it.
    floor: usize,
    /// The end of the white space last measured, so that no run is measured twice.
    run_end: usize,
}

impl<'t> Gaps<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, floor: 0, run_end: 0 }
    }

    fn found(&mut self, from: usize, to: usize) -> (usize, usize) {
        self.at = to;
        self.floor = to;
        (from, to)
    }

    /// Closing quotes and white space after an end sign.
    fn after_stop(&self, from: usize) -> Option<usize> {
        let closed = skip(self.text, from, closes_after_stop);
        let end = skip(self.text, closed, is_space);
        (end > closed).then_some(end)
    }

    fn after_wide_stop(&self, from: usize) -> usize {
        skip(self.text, from, closes_after_wide_stop)
    }

    /// White space before `at`, back to the last gap.
    fn space_before(&self, at: usize) -> usize {
        let mut start = at;
        while let Some(c) = char_before(self.text, start) {
            if start <= self.floor || !is_space(c) {
                break;
            }
            start -= c.len_utf8();
        }
        start
    }

    /// The end of the white space after a bullet at `at`.
    fn bullet(&self, at: usize) -> Option<usize> {
        let sign = char_at(self.text, at).filter(|c| is_bullet(*c))?;
        let after = at + sign.len_utf8();
        let end = skip(self.text, after, is_space);
        (end > after).then_some(end)
    }

    /// A newline is a gap of its own unless white space before it leads on to a bullet.
    fn newline(&mut self, at: usize) -> (usize, usize) {
        let start = self.space_before(at);
        if start < at {
            if self.run_end <= at {
                self.run_end = skip(self.text, at, is_space);
            }
            if let Some(end) = self.bullet(self.run_end) {
                return self.found(start, end);
            }
        }
        let end = skip(self.text, at, |c| c == '\n');
        self.found(at, end)
    }

    /// The gap at or after the sign at `at`, or else where to look on.
    fn gap(&mut self, at: usize) -> Result<(usize, usize), usize> {
        let sign = char_at(self.text, at).ok_or(at + 1)?;
        let after = at + sign.len_utf8();
        match sign {
            '\n' => return Ok(self.newline(at)),
            _ if is_stop(sign) => {
                if let Some(end) = self.after_stop(after) {
                    return Ok(self.found(after, end));
                }
            }
            _ if is_wide_stop(sign) => {
                let end = self.after_wide_stop(after);
                return Ok(self.found(after, end));
            }
            _ if is_bullet(sign) => {
                if let Some(end) = self.bullet(at) {
                    let start = self.space_before(at);
                    return Ok(self.found(start, end));
                }
            }
            _ => {}
        }
        Err(after)
    }
}

impl Iterator for Gaps<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            let at = self.at + next_sign(rest)?;
            match self.gap(at) {
                Ok(gap) => return Some(gap),
                Err(after) => self.at = after,
            }
        }
    }
}

fn is_bullet(c: char) -> bool {
    matches!(c, '\u{2022}' | '\u{25CF}' | '\u{B7}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn expect(text: &str, expected: &[&str]) {
        let mut spans = Vec::new();
        split_sentences(text, |start, end| spans.push((start, end)));
        let made: Vec<_> = spans.iter().map(|(a, b)| text.get(*a..*b).unwrap()).collect();
        assert_eq!(made, expected);
    }

    #[test]
    fn sentences_end_at_signs_with_space_after_them() {
        expect("Tea is hot. Is it? Yes!", &["Tea is hot.", "Is it?", "Yes!"]);
        expect("He said \"stay.\" She left.", &["He said \"stay.", "She left."]);
        expect("Version 2.5 is out… Get it", &["Version 2.5 is out…", "Get it"]);
        expect("नमक मिला। खान बंद है।", &["नमक मिला।", "खान बंद है।"]);
        expect("أين الجسر؟ هنا.", &["أين الجسر؟", "هنا."]);
        for stop in "։؟۔।॥།༎။።፧។៕᠃᱾᱿".chars() {
            expect(&format!("ab{stop} cd{stop}"), &[&format!("ab{stop}"), &format!("cd{stop}")]);
        }
    }

    #[test]
    fn wide_signs_need_no_space() {
        expect("橋は長い。「本当？」はい。", &["橋は長い。", "「本当？", "はい。"]);
        expect("终点站。\n下一站", &["终点站。", "下一站"]);
    }

    #[test]
    fn abbreviations_and_initials_end_nothing() {
        expect("Dr. Quill met J. Marlow, e.g. here. Then", &["Dr. Quill met J. Marlow, e.g. here.", "Then"]);
        expect("Soup, stew etc. sold. A disco. B", &["Soup, stew etc. sold.", "A disco.", "B"]);
        expect("Ask Dr.\nQuill", &["Ask Dr.", "Quill"]);
        for name in ["А. С. Пушкин", "Κ. Π. Καβάφης", "א. ב. יהושע", "Å. Öberg"] {
            expect(name, &[name]);
        }
        expect("В 1998 г. Он", &["В 1998 г.", "Он"]);
    }

    #[test]
    fn lines_and_bullets_part_sentences() {
        expect("One\n\nTwo", &["One", "Two"]);
        expect("Buy: • milk • salt", &["Buy:", "milk", "salt"]);
        expect("Buy  \n  • milk\n\u{B7} salt", &["Buy", "milk", "salt"]);
        expect("a•b", &["a•b"]);
        expect(" \n ", &[]);
        expect("", &[]);
    }

    #[test]
    fn long_pieces_are_cut_at_a_space() {
        let word = "abcdefghi ";
        let text = word.repeat(45);
        let (first, rest) = text.split_at(399);
        expect(&text, &[first, rest]);
        let text = "ก".repeat(401);
        expect(&text, &["ก".repeat(400).as_str(), "ก"]);
        assert!(!split_sentences(&text, |_, _| ()));
        assert!(split_sentences(&"5".repeat(401), |_, _| ()));
    }

    #[test]
    fn ends_lie_behind_what_is_closed_there() {
        let ends = |text: &str| sentence_ends(text).map(|end| text[..end].to_owned()).collect::<Vec<_>>();
        assert_eq!(ends("He said “stay.” She left.  \n"), ["He said “stay.”", "He said “stay.” She left."]);
        assert_eq!(
            ends("Ask Dr. Quill (2.5 km)\nor"),
            ["Ask Dr. Quill (2.5 km)", "Ask Dr. Quill (2.5 km)\nor"]
        );
        assert_eq!(ends("「本当？」はい"), ["「本当？」", "「本当？」はい"]);
        assert_eq!(ends(&"word ".repeat(100)).len(), 1, "long pieces are not cut here");
    }

    #[test]
    fn the_last_sentence_begins_behind_the_one_before() {
        let last = |text: &str| text[sentence_start(text)..].to_owned();
        assert_eq!(last("One. Two is"), "Two is");
        assert_eq!(last("One. Ask Dr. Quill."), "Ask Dr. Quill.");
        assert_eq!(last("Ja. 「本当？」"), "「本当？」");
        assert_eq!(last("One\n"), "");
        assert_eq!(last("One. "), "");
        assert_eq!(last(" "), "");
        assert_eq!(last(""), "");
    }

    #[test]
    fn long_runs_take_linear_time() {
        for text in [
            " \n".repeat(200_000),
            "• ".repeat(200_000),
            format!("{}Dr. ", " ".repeat(400_000)).repeat(2),
            "Dr. ".repeat(100_000),
        ] {
            split_sentences(&text, |_, _| ());
        }
    }
}
