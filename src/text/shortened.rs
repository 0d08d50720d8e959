//! Full stops that end no sentence, as the words around them show. The definition of a sentence that scores
//! rest on knows none of these.

use super::chars::is_blank;

/// Words behind the number of a day or a century.
const COUNTED: [&str; 30] = [
    "Jan",
    "Feb",
    "Mär",
    "Mrz",
    "Apr",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Sept",
    "Okt",
    "Nov",
    "Dez",
    "Januar",
    "J\u{e4}nner",
    "Februar",
    "M\u{e4}rz",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
    "Jahrhundert",
    "Jahrhunderts",
    "Jahrhunderte",
    "Jh",
];

/// Words of German before a number that counts what follows: `im 4. Quartal`, `der 2. Weltkrieg`.
const LEADING: [&str; 40] = [
    "der", "die", "das", "dem", "den", "des", "im", "am", "zum", "zur", "vom", "beim", "ins", "ein", "eine",
    "einen", "einem", "einer", "eines", "sein", "seine", "seinen", "seinem", "seiner", "seines", "ihr",
    "ihre", "ihren", "ihrem", "ihrer", "ihres", "dieser", "dieses", "diesem", "diesen", "jeder", "jedes",
    "jeden", "unser", "unsere",
];

/// Words before a number.
const COUNTING: [&str; 32] = [
    "Okt", "Dez", "Mrz", "Jän", "janv", "févr", "avr", "juil", "sept", "oct", "nov", "déc", "env", "рис",
    "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec", "art", "Art", "Abs",
    "Nr", "ca", "approx",
];

/// Words that are cut short, and no others: titles, amounts, what leads on to a name or an example.
const SHORTENED: [&str; 36] = [
    "Abb",
    "Bd",
    "Capt",
    "Col",
    "Fa",
    "Gen",
    "Gov",
    "Hrsg",
    "Kap",
    "Lt",
    "Mio",
    "Mrd",
    "Mt",
    "Rep",
    "Rev",
    "Sen",
    "Sgt",
    "Sra",
    "Srta",
    "Tsd",
    "Ziff",
    "av",
    "bzw",
    "cf",
    "evtl",
    "exkl",
    "ggf",
    "inkl",
    "n\u{fa}m",
    "p\u{e1}g",
    "p\u{e1}gs",
    "sog",
    "vgl",
    "zzgl",
    "\u{443}\u{43b}",
    "\u{430}\u{43a}\u{430}\u{434}",
];

/// Digits of a number that counts in words, at most.
const DIGITS_MOST: usize = 3;

/// Bytes before a full stop that tell.
const NEAR: usize = 64;

/// Whether the full stop that `before` ends with is of a number or of a word that is cut short, and `rest`
/// goes on with the sentence: `am 3. Mai`, `im 4. Quartal`, `on Jan. 5`, `5 Mio. Euro`.
pub(crate) fn goes_on_behind_stop(before: &str, rest: &str) -> bool {
    let Some(words) = before.strip_suffix('.') else { return false };
    // Most sentences end with a word that is longer.
    let letters = words.bytes().rev().take(LONGEST + 1).take_while(u8::is_ascii_alphanumeric).count();
    if letters > LONGEST || letters == 0 && words.ends_with(|c: char| c.is_ascii()) {
        return false;
    }
    let near = words.get(words.ceil_char_boundary(words.len().saturating_sub(NEAR))..).unwrap_or_default();
    let word = near.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if (1..=DIGITS_MOST).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit()) {
        let lead = near.strip_suffix(word).unwrap_or_default();
        let (behind, next) = behind(rest);
        let is_date = || is_of_date(lead, word, behind);
        return COUNTED.contains(&next) || is_large(next) && leads(lead) || is_date();
    }
    let begins_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let goes_on = || behind(rest).0.starts_with(|c: char| c.is_alphanumeric() || "(\"„“«–—€$£".contains(c));
    is_one(word, &COUNTING) && begins_with_digit(behind(rest).1)
        || is_one(word, &SHORTENED) && goes_on()
        || word == "EE" && behind(rest).1 == "UU"
        || is_of_russian(near, word) && goes_on()
        || near.ends_with("et al") && behind(rest).0.starts_with(|c: char| c == '(' || c.is_ascii_digit())
}

/// Whether a word is one of some: of most the first byte is another one.
fn is_one(word: &str, words: &[&str]) -> bool {
    words.iter().any(|one| one.as_bytes().first() == word.as_bytes().first() && *one == word)
}

/// Bytes of the longest of these words that has letters of ASCII alone.
const LONGEST: usize = 6;

/// What stands behind a full stop in its line, and its first word. A bracket may close before it:
/// `(before: 3 Mio.) Euro`.
fn behind(rest: &str) -> (&str, &str) {
    let behind = rest.trim_start_matches(')').trim_start_matches(|c| is_blank(c) && c != '\n');
    (behind, behind.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
}

/// Words of Russian behind which a place is named, and those with which a sentence begins before a year.
const BEFORE_PLACE: [&str; 7] = ["в", "из", "под", "от", "до", "близ", "около"];
const BEFORE_YEAR: [&str; 12] =
    ["В", "К", "С", "До", "После", "По", "На", "Около", "Весной", "Летом", "Осенью", "Зимой"];

/// Whether a word of Russian that is cut short ends no sentence: that of a place behind a preposition
/// (`в г. Москве`), the year or the century with which a sentence begins (`В 2023 г. Россия`,
/// `С 1991 по 2000 гг. Россия`).
fn is_of_russian(near: &str, word: &str) -> bool {
    if !["г", "гг", "в", "вв"].contains(&word) {
        return false;
    }
    let mut before = near.strip_suffix(word).unwrap_or_default().split(' ').rev().skip(1);
    let mut next = || before.next().unwrap_or_default();
    let (last, second, third) = (next(), next(), next());
    let is_number = last.contains(|c: char| c.is_ascii_digit() || "XVI".contains(c));
    let preposition = if second == "по" && !third.is_empty() { next() } else { second };
    let is_place = word == "г" && BEFORE_PLACE.contains(&last.to_lowercase().as_str());
    is_place || is_number && BEFORE_YEAR.contains(&preposition)
}

/// Whether a number is the day or the month of a date with blanks: `1. 1. 2024`. `lead`: what stands before
/// it, `behind` what follows its full stop.
fn is_of_date(lead: &str, word: &str, behind: &str) -> bool {
    let of_number = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let next = of_number(behind);
    let before = lead.trim_end_matches(is_blank).strip_suffix('.').unwrap_or_default();
    let is_month =
        || next == 4 && before.len() < lead.len() && before.ends_with(|c: char| c.is_ascii_digit());
    let year = behind
        .get(next..)
        .and_then(|rest| rest.strip_prefix('.'))
        .map(|rest| rest.trim_start_matches(is_blank));
    let is_day = || (1..=2).contains(&next) && year.is_some_and(|year| of_number(year) == 4);
    word.len() <= 2 && (is_month() || is_day())
}

/// Whether the last word of a text leads to a number that counts what follows. That of `I am 5.` does not.
fn leads(text: &str) -> bool {
    let words = text.trim_end_matches(is_blank);
    let word = words.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_of_english = || words.ends_with("I am") || words.ends_with("i am");
    words.len() < text.len() && LEADING.contains(&word.to_lowercase().as_str()) && !is_of_english()
}

/// Whether a word begins with a capital and has more letters, as nouns of German do.
fn is_large(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some_and(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_of_ascii_is_longer_than_what_is_looked_at() {
        let words = COUNTING.iter().chain(&SHORTENED).filter(|word| word.is_ascii());
        assert_eq!(words.map(|word| word.len()).max(), Some(LONGEST));
        assert!(!goes_on_behind_stop("xapprox.", " 5") && goes_on_behind_stop("(approx.", " 5"));
        assert!(!goes_on_behind_stop("it rose \"so\".", " 5") && !goes_on_behind_stop(".", " 5"));
        assert!(!goes_on_behind_stop("éapprox.", " 5") && goes_on_behind_stop("§ Abs.", " 5"));
    }

    #[test]
    fn numbers_and_shortened_words_end_no_sentence() {
        for (before, rest) in [
            ("am 3.", " Mai"),
            ("im 19.", " Jahrhundert"),
            ("im Jahr 2023 im 4.", " Quartal einen Gewinn"),
            ("Der 2.", " Weltkrieg endete"),
            ("Der 1.", " FC Köln"),
            ("Zum 100.", " Geburtstag"),
            ("In der 2.", " Bundesliga"),
            ("on Jan.", " 5"),
            ("5 Mio.", " Euro"),
            ("3,2 Mrd.", " Euro"),
            ("En EE.", " UU. la tasa"),
            ("en 44 av.", " J.-C."),
            ("bzw.", " Berlin"),
            ("bei 6 Mio.", " (Vorjahr: 5 Mio.) Euro"),
            ("According to Jones et al.", " (2019), it is so"),
            ("(Vorjahr: 3 Mio.", ") Euro"),
            ("climbed Mt.", " Everest"),
            ("seit dem 1.", " 1. 2024."),
            ("seit dem 1. 1.", " 2024."),
            ("im Okt.", " 2020"),
            ("en déc.", " 2019"),
            ("bis 31.", " Dez. 2025"),
            ("основана в г.", " Москве"),
            ("В 2023 г.", " Россия"),
            ("К 2030 г.", " Китай"),
            ("В XIX в.", " Россия"),
            ("С 1991 по 2000 гг.", " Россия"),
        ] {
            assert!(goes_on_behind_stop(before, rest), "{before}{rest}");
        }
        for (before, rest) in [
            ("Es kam auf Platz 3.", " Danach fiel es"),
            ("It was 5.", " Then it fell"),
            ("Это было в 2023 г.", " Россия росла"),
            ("Es kam auf Platz 3.", " 2024 fiel es"),
            ("It has 5.", " 10 are red"),
            ("I am 5.", " She is six"),
            ("It opened in 1998.", " Mayor Quill spoke"),
            ("der 3.", ""),
            ("der 3.", "\n\nTurm"),
            ("It rose", " then"),
            ("in May.", " It fell"),
            ("der 1998.", " Tower"),
            ("by Jones et al.", " They say so"),
        ] {
            assert!(!goes_on_behind_stop(before, rest), "{before}{rest}");
        }
    }
}
