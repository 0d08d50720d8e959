//! What stands between the beginning of a sentence and a mark that it is about: `However, [2] says …`,
//! `According to [1], it rose.`

/// Bytes before a mark in which they stand, with the end of the sentence before.
pub(super) const NEAR: usize = 96;

/// What stands before the words that lead to a mark, where a sentence begins with them. `is_said`: whether a
/// verb follows, without which but those of `NAMING` lead to none.
pub(super) fn without(before: &str, is_said: bool) -> Option<&str> {
    let words = before.trim_end_matches(' ');
    // Another one may stand before them: `However, according to [1], …`.
    let small = without_naming(words).or_else(|| words.strip_suffix(" as").filter(|_| is_said));
    if let Some(own) = small.and_then(|before| without_any(before, &LEADING)) {
        return Some(own);
    }
    let own = without_any(words, &NAMING);
    if is_said { own.or_else(|| without_any(words, &LEADING)) } else { own }
}

/// What stands before words that name a source, in the middle of a sentence: `It fell, but according to [1]`.
pub(super) fn without_naming(before: &str) -> Option<&str> {
    let words = before.trim_end_matches(' ');
    let in_small = |lead: &&str| {
        let (first, rest) = lead.split_at_checked(lead.chars().next()?.len_utf8())?;
        let before = words.strip_suffix(rest)?;
        first.to_lowercase().chars().next().and_then(|first| before.strip_suffix(first))
    };
    let own = NAMING.iter().filter_map(in_small).min_by_key(|own| own.len())?;
    let own = own.trim_end_matches(' ');
    (own.len() < words.len() && !own.is_empty()).then_some(own)
}

/// What stands before one of such words; within a word it is none.
fn without_any<'t>(words: &'t str, leads: &[&str]) -> Option<&'t str> {
    let own = leads.iter().filter_map(|lead| words.strip_suffix(lead)).min_by_key(|own| own.len())?;
    (!own.ends_with(|c: char| c.is_alphanumeric() && !is_of_script(c))).then_some(own)
}

/// A letter of a script that is written without blanks.
fn is_of_script(c: char) -> bool {
    c as u32 > 0x2E7F
}

/// Words that name a source as that of what follows.
const NAMING: [&str; 59] = [
    "According to",
    "According to source",
    "But according to",
    "According to sources",
    "As per",
    "Per",
    "As reported in",
    "As reported by",
    "As noted in",
    "As noted by",
    "As stated in",
    "As shown in",
    "As described in",
    "Based on",
    "In",
    "In source",
    "Laut",
    "Laut Quelle",
    "Gemäß",
    "Selon",
    "Comme le note",
    "Comme l'indique",
    "Como señala",
    "Como indica",
    "Como aponta",
    "Come indica",
    "Как сообщает",
    "Как отмечает",
    "Как указывает",
    "Как пишет",
    "وفقًا لـ",
    "وفقا لـ",
    "وفقًا للمصدر",
    "Wie in",
    "Dans",
    "D'après",
    "D\u{2019}après",
    "Según",
    "De acuerdo con",
    "Segundo",
    "De acordo com",
    "Secondo",
    "Volgens",
    "Enligt",
    "Ifølge",
    "Według",
    "Podle",
    "Согласно",
    "По данным",
    "Згідно з",
    "وفقًا ل",
    "وفقا ل",
    "وفقاً ل",
    "وفقاً لـ",
    "وبحسب",
    "بحسب",
    "根据",
    "根據",
    "据",
];

/// Words that begin a sentence before a source and its verb.
const LEADING: [&str; 101] = [
    "However,",
    "But",
    "And",
    "Yet",
    "Still,",
    "Meanwhile,",
    "In contrast,",
    "By contrast,",
    "Conversely,",
    "On the other hand,",
    "Similarly,",
    "Likewise,",
    "Additionally,",
    "Furthermore,",
    "Moreover,",
    "In addition,",
    "Also,",
    "For example,",
    "For instance,",
    "Specifically,",
    "Notably,",
    "Finally,",
    "First,",
    "Second,",
    "Third,",
    "Overall,",
    "On the one hand,",
    "Both",
    "While",
    "Although",
    "Though",
    "Whereas",
    "Since",
    "Because",
    "If",
    "As",
    "Source",
    "Sources",
    "Article",
    "Articles",
    "Report",
    "Reports",
    "Study",
    "Studies",
    "Neither",
    "Note that",
    "Источник",
    "That",
    "Only",
    "Quelle",
    "Die Quelle",
    "Aber",
    "Allerdings",
    "Auch",
    "Doch",
    "Dagegen",
    "Hingegen",
    "Während",
    "Obwohl",
    "Sowohl",
    "Mais",
    "Cependant,",
    "Toutefois,",
    "En revanche,",
    "De plus,",
    "La source",
    "Tandis que",
    "Alors que",
    "Bien que",
    "Pero",
    "Sin embargo,",
    "En cambio,",
    "Además,",
    "La fuente",
    "Mientras que",
    "Aunque",
    "Ma",
    "Tuttavia,",
    "Mentre",
    "Mas",
    "No entanto,",
    "Enquanto",
    "Но",
    "Однако",
    "А",
    "Хотя",
    "但",
    "但是",
    "然而，",
    "而",
    "此外，",
    "同时，",
    "来源",
    "出典",
    "しかし",
    "また、",
    "반면",
    "한편",
    "一方、",
    "그러나",
    "하지만",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_a_source_is_cut_where_its_sentence_begins() {
        for (before, is_said, rest) in [
            ("It fell. However, ", true, Some("It fell. ")),
            ("It fell. However, ", false, None),
            ("According to ", false, Some("")),
            ("It is per ", true, None),
            ("Sober Kobalt ", true, None),
            ("下降。但", true, Some("下降。")),
            ("下降。根据", false, Some("下降。")),
        ] {
            assert_eq!(without(before, is_said), rest, "{before}");
        }
    }
}
