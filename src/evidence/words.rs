//! Word lists: English function words, number words, stems.

use std::sync::LazyLock;

use hashbrown::HashMap;

/// English function words: they weigh little, and no name is made of them. In byte order.
const STOP: [&str; 119] = [
    "a", "about", "above", "after", "again", "against", "all", "also", "an", "and", "any", "are", "as", "at",
    "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could",
    "did", "do", "does", "done", "down", "during", "each", "few", "for", "from", "further", "had", "has",
    "have", "having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "just", "may", "me", "might", "more", "most", "must", "my", "no", "nor", "not", "of", "off", "on",
    "once", "only", "or", "other", "our", "out", "over", "own", "same", "shall", "she", "should", "so",
    "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "through", "to", "too", "under", "until", "up", "us", "very", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// What stemming makes of a stop word, where that differs. In byte order.
const STOP_STEMS: [&str; 7] = ["agains", "becaus", "betwee", "doe", "furthe", "thi", "throug"];

/// Bytes of the longest function word.
const LONGEST: usize = 7;

/// Words longer than this keep their first letters only.
const STEM: usize = 6;

/// The two lists for looking up: every token of every claim and chunk asks.
static STOPS: LazyLock<HashMap<&'static str, bool>> = LazyLock::new(|| {
    STOP.into_iter()
        .map(|word| (word, true))
        .chain(STOP_STEMS.into_iter().map(|stem| (stem, false)))
        .collect()
});

/// Whether a lower-case word is a function word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    word.len() <= LONGEST && STOPS.get(word).is_some_and(|&whole| whole)
}

/// Whether a token is a function word or the stem of one.
pub(crate) fn is_stop_token(token: &str) -> bool {
    token.len() <= LONGEST && STOPS.contains_key(token)
}

/// Function words that turn a statement round: they weigh as little as the others but are worth marking.
pub(crate) fn is_negation(token: &str) -> bool {
    matches!(token, "no" | "not" | "nor")
}

/// The first six characters of a long word; a short one without its plural s.
pub(crate) fn stem(word: &str) -> &str {
    if let Some((end, _)) = word.char_indices().nth(STEM) {
        return word.get(..end).unwrap_or(word);
    }
    match word.strip_suffix('s') {
        Some(rest) if !rest.ends_with('s') && rest.chars().nth(2).is_some() => rest,
        _ => word,
    }
}

/// The digits that a number word stands for.
pub(crate) fn number_word(word: &str) -> Option<&'static str> {
    if !(3..=9).contains(&word.len()) {
        return None;
    }
    Some(match word {
        "zero" => "0",
        "one" | "first" | "once" | "single" => "1",
        "two" | "second" | "twice" | "both" | "pair" | "couple" => "2",
        "three" | "third" => "3",
        "four" | "fourth" => "4",
        "five" | "fifth" => "5",
        "six" | "sixth" => "6",
        "seven" | "seventh" => "7",
        "eight" | "eighth" => "8",
        "nine" | "ninth" => "9",
        "ten" | "tenth" => "10",
        "eleven" => "11",
        "twelve" | "dozen" => "12",
        "thirteen" => "13",
        "fourteen" => "14",
        "fifteen" => "15",
        "sixteen" => "16",
        "seventeen" => "17",
        "eighteen" => "18",
        "nineteen" => "19",
        "twenty" => "20",
        "thirty" => "30",
        "forty" => "40",
        "fifty" => "50",
        "sixty" => "60",
        "seventy" => "70",
        "eighty" => "80",
        "ninety" => "90",
        "half" => "0.5",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order_and_hold_every_stem() {
        assert!(STOP.is_sorted() && STOP_STEMS.is_sorted());
        assert!(STOP.iter().all(|word| word.len() <= LONGEST));
        for word in STOP {
            assert!(is_stop_token(stem(word)), "{word}");
        }
        for stemmed in STOP_STEMS {
            assert!(STOP.iter().any(|word| stem(word) == stemmed), "{stemmed}");
        }
    }

    #[test]
    fn stems() {
        for (word, expected) in [
            ("bridges", "bridge"),
            ("opening", "openin"),
            ("dogs", "dog"),
            ("bus", "bus"),
            ("glass", "glass"),
            ("preis", "prei"),
            ("открыли", "открыл"),
            ("была", "была"),
            ("äss", "äss"),
        ] {
            assert_eq!(stem(word), expected);
        }
    }

    #[test]
    fn number_words() {
        assert_eq!(number_word("dozen"), Some("12"));
        assert_eq!(number_word("half"), Some("0.5"));
        assert_eq!(number_word("sixths"), None);
    }
}
