//! Numbers that a text lists: `1, 3`, `1; 3`, `1、3`, `1 and 3`.

/// Whether a character parts the elements of a list.
pub fn is_comma(c: char) -> bool {
    matches!(c, ',' | ';' | '，' | '、' | '；')
}

/// The elements of a list of numbers, with the blanks around them.
pub fn listed_numbers(list: &str) -> impl Iterator<Item = &str> {
    list.split(|c| is_comma(c) || c == '&').flat_map(|piece| piece.split(" and "))
}

#[cfg(test)]
mod tests {
    use super::listed_numbers;

    #[test]
    fn numbers_are_listed_with_commas_of_any_script() {
        for list in ["1, 2,3", "1; 2;3", "1，2、3", "1 & 2 and 3", "1 , 2 ; 3"] {
            let words: Vec<&str> = listed_numbers(list).map(str::trim).collect();
            assert_eq!(words, ["1", "2", "3"], "{list}");
        }
    }
}
