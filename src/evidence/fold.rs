//! Normalisation: NFKC, invisible characters dropped, full case folding, one apostrophe.

use super::rewrite::Rewrite;
use crate::text::chars;
use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};

const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfkc();
const CASE: CaseMapperBorrowed<'static> = CaseMapper::new();

/// Turns text into the form that tokens are cut from. It keeps its buffers from call to call.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    composed: String,
    folded: String,
}

impl Folder {
    pub(crate) fn fold(&mut self, text: &str) -> &str {
        self.folded.clear();
        fold_into(text, &mut self.composed, &mut self.folded);
        &self.folded
    }
}

/// The same as [`Folder::fold`], with the way back to the bytes of `text`.
pub(crate) fn fold_mapped(text: &str) -> Rewrite {
    let mut made = Rewrite::default();
    let mut composed = String::new();
    let mut at = 0;
    while let Some(first) = chars::char_at(text, at) {
        let plain = plain_end(text, at);
        let verbatim = plain > at;
        let end = if verbatim { plain } else { chars::skip(text, at + first.len_utf8(), chars::is_glued) };
        made.note(at..end, verbatim);
        fold_into(text.get(at..end).unwrap_or(""), &mut composed, &mut made.text);
        at = end;
    }
    made
}

/// The end of the ASCII run at `at`, less its last character where a mark follows.
fn plain_end(text: &str, at: usize) -> usize {
    let end = chars::skip(text, at, |c| c.is_ascii());
    match chars::char_at(text, end) {
        Some(next) if end > at && chars::is_glued(next) => end - 1,
        _ => end,
    }
}

fn fold_into(text: &str, composed: &mut String, out: &mut String) {
    if text.is_ascii() {
        push_lower(text, out);
        return;
    }
    let (head, tail) = NFKC.split_normalized(text);
    push_folded(head, out);
    if !tail.is_empty() {
        composed.clear();
        // Writing to a String cannot fail.
        let _ = NFKC.normalize_to(tail, composed);
        push_folded(composed, out);
    }
}

fn push_lower(ascii: &str, out: &mut String) {
    let from = out.len();
    out.push_str(ascii);
    if let Some(pushed) = out.get_mut(from..) {
        pushed.make_ascii_lowercase();
    }
}

fn push_folded(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\0'..='\x7F' => out.push(c.to_ascii_lowercase()),
            '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' => {}
            '\u{2018}' | '\u{2019}' => out.push('\''),
            _ if is_caseless(c) => out.push(c),
            _ => out.push_str(&CASE.fold_string(c.encode_utf8(&mut [0; 4]))),
        }
    }
}

/// Blocks without any case: a short cut past the table for the large scripts of Asia. A test compares all of
/// them.
fn is_caseless(c: char) -> bool {
    matches!(c,
        '\u{0590}'..='\u{109F}' | '\u{2E80}'..='\u{A63F}' | '\u{AC00}'..='\u{FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use icu_normalizer::properties::{CanonicalComposition, CanonicalDecomposition, Decomposed};
    use std::collections::HashSet;

    fn fold(text: &str) -> String {
        Folder::default().fold(text).to_owned()
    }

    #[test]
    fn folding_is_full_and_compatible() {
        for (text, expected) in [
            ("Straße, STRASSE", "strasse, strasse"),
            ("ＡＢＣ１２３", "abc123"),
            ("don’t", "don't"),
            ("co\u{AD}operate\u{200B}d", "cooperated"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
            ("ﬁne ① ½", "fine 1 1\u{2044}2"),
            ("ｶﾞｽ", "ガス"),
            ("e\u{301}", "é"),
            ("١٩٣٢", "١٩٣٢"),
        ] {
            assert_eq!(fold(text), expected);
        }
    }

    #[test]
    fn caseless_blocks_have_no_case() {
        for c in ('\0'..=char::MAX).filter(|c| is_caseless(*c)) {
            assert_eq!(CASE.fold_string(c.encode_utf8(&mut [0; 4])), c.to_string());
        }
    }

    /// Cutting before a character that is not glued changes nothing: what it decomposes to begins with a
    /// character of combining class 0 that is the second part of no composition.
    #[test]
    fn only_glued_characters_join_what_stands_before_them() {
        let ccc = icu_normalizer::properties::CanonicalCombiningClassMap::new();
        let composition = CanonicalComposition::new();
        let canonical = CanonicalDecomposition::new();
        let mut second: HashSet<char> = ('\u{1161}'..='\u{1175}').chain('\u{11A8}'..='\u{11C2}').collect();
        for c in '\0'..=char::MAX {
            if let Decomposed::Expansion(a, b) = canonical.decompose(c)
                && composition.compose(a, b).is_some()
            {
                second.insert(b);
            }
        }
        let nfkd = icu_normalizer::DecomposingNormalizer::new_nfkd();
        for c in ('\0'..=char::MAX).filter(|c| !chars::is_glued(*c)) {
            let parts = nfkd.normalize(c.encode_utf8(&mut [0; 4])).into_owned();
            let first = parts.chars().next().unwrap();
            assert_eq!(ccc.get_u8(first), 0, "{c:?}");
            assert!(!second.contains(&first), "{c:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn the_mapped_form_is_the_same(text in "[a-zA-Zß’é\u{301}\u{200D}ｶﾞﾟᄀ-ᇿㄱ-ㅣ가-깋ก-๛ा-्কে ﬁ①.]{0,30}") {
            let mapped = fold_mapped(&text);
            proptest::prop_assert_eq!(&mapped.text, &fold(&text));
            for (at, c) in mapped.text.char_indices() {
                let origin = mapped.origin(at..at + c.len_utf8());
                proptest::prop_assert!(text.get(origin).is_some_and(|s| !s.is_empty()));
            }
        }
    }
}
