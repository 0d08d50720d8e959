//! In which direction a text runs.

/// `rtl` or `ltr`, by which there are more letters of.
pub fn direction(text: &str) -> &'static str {
    let (mut right_to_left, mut left_to_right) = (0usize, 0usize);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        if is_right_to_left(c) {
            right_to_left += 1;
        } else {
            left_to_right += 1;
        }
    }
    if right_to_left > left_to_right { "rtl" } else { "ltr" }
}

/// Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko and the older scripts beside them.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_decide_not_the_first_of_them() {
        assert_eq!(direction("Rio פתוח בשעה תשע"), "rtl");
        assert_eq!(direction("Open at 9, שלום"), "ltr");
        assert_eq!(direction("1926."), "ltr");
    }
}
