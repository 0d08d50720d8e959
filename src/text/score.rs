//! Scores in words.

/// A score with two significant digits; never shown as 0 or 1 where it is neither.
pub fn score_words(score: f64) -> String {
    let size = score.abs();
    if size == 0.0 || !size.is_finite() {
        return score.to_string();
    }
    // Two digits, rounded: `9.3e-1`.
    let rounded = format!("{score:.1e}");
    let exponent: i32 = rounded.split('e').nth(1).and_then(|text| text.parse().ok()).unwrap_or_default();
    match exponent {
        0.. if size < 1.0 => format!("{:.2}", score.signum() * 0.99),
        -6.. => format!("{score:.*}", usize::try_from(1 - exponent).unwrap_or_default()),
        _ => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_wherever_they_stand() {
        let scores = [0.0, 1.0, 0.93, 0.5, 0.00686, 0.0099, 0.0996, 0.9962, 0.99999, 1.7, 87.3, -0.25, 1e-20];
        let words = scores.map(score_words);
        let expected = [
            "0", "1.0", "0.93", "0.50", "0.0069", "0.0099", "0.10", "0.99", "0.99", "1.7", "87", "-0.25",
            "1.0e-20",
        ];
        assert_eq!(words, expected);
    }
}
