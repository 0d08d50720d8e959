//! Words that agree with a number.

/// `one` for exactly one thing, else `many`: `is` or `are`, `index` or `indices`.
pub fn form<'a>(number: usize, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

/// A number with its noun, for nouns of any plural: `1 search`, `3 searches`.
pub fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", form(number, one, many))
}

/// A number with its noun, for nouns that take an `s`: `1 support`, `3 supports`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", form(number, "", "s"))
}

/// The end of a list of which not all is shown: ` and 3 more`; empty where nothing is left.
pub fn and_more(left: usize) -> String {
    if left == 0 { String::new() } else { format!(" and {left} more") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(
            [0, 1, 2].map(|number| counted(number, "support")),
            ["0 supports", "1 support", "2 supports"]
        );
        assert_eq!([1, 2].map(|number| plural(number, "search", "searches")), ["1 search", "2 searches"]);
        assert_eq!([0, 1].map(|number| form(number, "is", "are")), ["are", "is"]);
        assert_eq!([0, 1, 2].map(and_more), ["", " and 1 more", " and 2 more"]);
    }
}
