//! Where the words of a line begin.

use super::is_blank;

/// Length of what stands before the words of a list item, a heading or a quotation.
pub fn line_lead(line: &str) -> usize {
    let mut rest = line;
    loop {
        let trimmed = rest.trim_start_matches(is_blank);
        let digits = trimmed.len() - trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let signs = trimmed.len() - trimmed.trim_start_matches('#').len();
        let sign = match trimmed.chars().next() {
            Some('>' | '-' | '*' | '+') => 1,
            Some('•') => '•'.len_utf8(),
            Some('#') => signs,
            // More digits are a year, or an amount.
            Some('0'..='9')
                if digits <= 3 && trimmed.get(digits..).is_some_and(|rest| rest.starts_with(['.', ')'])) =>
            {
                digits + 1
            }
            _ => return line.len() - trimmed.len(),
        };
        let after = trimmed.get(sign..).unwrap_or_default();
        if !trimmed.starts_with('>') && !after.starts_with(is_blank) {
            return line.len() - trimmed.len();
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_blocks_stand_before_the_words() {
        for (line, words) in [
            ("  - [x] done", "[x] done"),
            ("> > 12) a", "a"),
            ("### Head", "Head"),
            ("• dot", "dot"),
            ("-5 degrees", "-5 degrees"),
            ("#tag", "#tag"),
            ("2024.5 is one", "2024.5 is one"),
            ("1969. That was the year", "1969. That was the year"),
            (" ", ""),
        ] {
            assert_eq!(&line[line_lead(line)..], words);
        }
    }
}
