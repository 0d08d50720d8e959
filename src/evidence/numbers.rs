//! Numbers: one written form for every script and separator, and whether a text holds a number in some form.

use crate::text::chars::{char_at, char_before, decimal_value, is_decimal, is_space, is_word, skip};
use std::ops::{Range, RangeInclusive};

pub(crate) fn is_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\u{66B}' | '\u{66C}')
}

/// The form that is compared: ASCII digits, no grouping, `.` before decimals, no needless zeros. What is
/// neither grouped nor one decimal number (a version, a date) keeps its separators.
pub(crate) fn canonical<'b>(written: &'b str, buffer: &'b mut String) -> &'b str {
    if written.bytes().all(|b| b.is_ascii_digit()) {
        return whole(written);
    }
    buffer.clear();
    buffer.extend(written.chars().map(|c| match c {
        '\u{66B}' => '.',
        '\u{66C}' => ',',
        _ => decimal_value(c).map_or(c, |value| char::from(b'0' + value)),
    }));
    let mut seps = buffer.bytes().filter(|b| matches!(b, b'.' | b','));
    let Some(first) = seps.next() else {
        return whole(buffer);
    };
    let count = 1 + seps.clone().count();
    if seps.any(|other| other != first) {
        // Two kinds: the last one is decimal.
        return decimal(buffer);
    }
    let sign = char::from(first);
    let (head, rest) = buffer.split_once(sign).unwrap_or((buffer, ""));
    if head.len() <= 3 && head != "0" && rest.split(sign).all(|group| group.len() == 3) {
        buffer.retain(|c| c.is_ascii_digit());
        return whole(buffer);
    }
    if count == 1 { decimal(buffer) } else { buffer }
}

/// A number without leading zeros.
fn whole(digits: &str) -> &str {
    match digits.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    }
}

/// Takes the last separator as the decimal point.
fn decimal(buffer: &mut String) -> &str {
    let point = buffer.rfind(['.', ',']).unwrap_or(buffer.len());
    let digits = buffer.get(point + 1..).unwrap_or("").trim_end_matches('0').len();
    let mut kept = String::with_capacity(buffer.len());
    for (at, c) in buffer.char_indices() {
        match c {
            '.' | ',' if at == point && digits > 0 => kept.push('.'),
            '.' | ',' => {}
            _ if at > point + digits => {}
            _ => kept.push(c),
        }
    }
    *buffer = kept;
    let zeros = buffer.len() - buffer.trim_start_matches('0').len();
    let keep_one = buffer.as_bytes().get(zeros).is_none_or(|b| *b == b'.');
    buffer.get(zeros - usize::from(keep_one && zeros > 0)..).unwrap_or("")
}

/// The value of a canonical number; `None` where it kept separators or is no decimal number.
pub(crate) fn value(canonical: &str) -> Option<f64> {
    canonical.starts_with(|c: char| c.is_ascii_digit()).then(|| canonical.parse().ok())?
}

/// Whether a chunk number is another way to write `wanted`: rounded to its significant digits (not for
/// years), or in thousands, millions or billions. `any` asks the chunk numbers in a range, as [`any_of`]
/// does.
pub(crate) fn is_near(written: &str, wanted: f64, any: impl AnyWithin) -> bool {
    if !wanted.is_finite() {
        return false;
    }
    (wanted >= 10.0 && (is_rounding(written, wanted, &any) || is_multiple(wanted, &any)))
        || (wanted != 0.0
            && FACTORS.iter().any(|factor| {
                let full = wanted * factor;
                any(around(full, full * 2e-6), &|y| (y - full).abs() < 1e-6 * y.abs())
            }))
}

/// Whether a number within a range passes.
pub(crate) trait AnyWithin: Fn(RangeInclusive<f64>, &dyn Fn(f64) -> bool) -> bool {}

impl<A: Fn(RangeInclusive<f64>, &dyn Fn(f64) -> bool) -> bool> AnyWithin for A {}

const FACTORS: [f64; 3] = [1e3, 1e6, 1e9];

fn is_rounding(written: &str, wanted: f64, any: &impl AnyWithin) -> bool {
    if (1500.0..=2100.0).contains(&wanted) && wanted.fract() == 0.0 {
        return false;
    }
    let digits = written.bytes().filter(u8::is_ascii_digit).count();
    let zeros = written.bytes().rev().take_while(|b| matches!(b, b'0' | b'.')).filter(|b| *b == b'0');
    let significant = (digits - zeros.count()).max(1);
    #[expect(clippy::cast_precision_loss, reason = "a count of digits")]
    let exponent = wanted.log10().floor() + 1.0 - significant as f64;
    let slack = 0.5 * 10f64.powf(exponent);
    any(around(wanted, slack * 1.01), &|y| y >= 10.0 && (y - wanted).abs() <= slack)
}

fn is_multiple(wanted: f64, any: &impl AnyWithin) -> bool {
    FACTORS.iter().any(|factor| {
        let part = wanted / factor;
        any(around(part, part * 2e-6), &|y| (y * factor - wanted).abs() < 1e-6 * wanted)
    })
}

fn around(middle: f64, distance: f64) -> RangeInclusive<f64> {
    middle - distance..=middle + distance
}

/// Asks sorted values.
pub(crate) fn any_of(values: &[f64]) -> impl AnyWithin {
    |range, passes| within(values, |value| *value, &range).iter().copied().any(passes)
}

/// Those of sorted entries whose values lie in a range.
pub(crate) fn within<'a, T>(
    sorted: &'a [T],
    value: impl Fn(&T) -> f64,
    range: &RangeInclusive<f64>,
) -> &'a [T] {
    let from = sorted.partition_point(|entry| value(entry) < *range.start());
    let to = sorted.partition_point(|entry| value(entry) <= *range.end());
    sorted.get(from..to).unwrap_or_default()
}

/// A range of years with a short end, such as 2018–19.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YearRange {
    pub(crate) first: Range<usize>,
    /// The two digits of the century.
    pub(crate) century: Range<usize>,
    /// The two digits of the second year.
    pub(crate) last: Range<usize>,
}

/// Every year range of a text, in order.
pub(crate) fn year_ranges(text: &str) -> impl Iterator<Item = YearRange> {
    memchr::memchr2_iter(b'-', 0xE2, text.as_bytes()).filter_map(|at| year_range(text, at))
}

/// The year range around the dash at `at`.
fn year_range(text: &str, at: usize) -> Option<YearRange> {
    let dash = char_at(text, at).filter(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}'))?;
    let head = text.get(..at)?.trim_end_matches(is_space);
    let start = digits_before(head, 2)?;
    let century = start.checked_sub(2)?;
    let hundreds = head.get(century..start)?;
    if !matches!(hundreds, "15" | "16" | "17" | "18" | "19" | "20")
        || char_before(text, century).is_some_and(is_word)
    {
        return None;
    }
    let from = skip(text, at + dash.len_utf8(), is_space);
    let mut next = text.get(from..)?.char_indices();
    let (_, _) = (next.next().filter(|c| is_decimal(c.1))?, next.next().filter(|c| is_decimal(c.1))?);
    let to = from + next.offset();
    // A date goes on with its day.
    let is_date = char_at(text, to) == Some('-') && char_at(text, to + 1).is_some_and(is_decimal);
    if is_date || char_at(text, to).is_some_and(is_word) {
        return None;
    }
    Some(YearRange { first: century..head.len(), century: century..start, last: from..to })
}

/// Where the last `count` digits of `head` begin.
fn digits_before(head: &str, count: usize) -> Option<usize> {
    let mut last = head.char_indices().rev().take(count);
    let mut start = None;
    for _ in 0..count {
        start = Some(last.next().filter(|c| is_decimal(c.1))?.0);
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_forms() {
        for (written, expected) in [
            ("0", "0"),
            ("007", "7"),
            ("1,234", "1234"),
            ("1.234.567", "1234567"),
            ("1,234.50", "1234.5"),
            ("1.234,00", "1234"),
            ("0,250", "0.25"),
            ("0.000", "0"),
            ("00.50", "0.5"),
            ("3.14", "3.14"),
            ("1.2.3", "1.2.3"),
            ("12,34,567", "12,34,567"),
            ("1,2,3.4", "123.4"),
            ("١٬٢٣٤٫٥", "1234.5"),
            ("१९३२", "1932"),
            ("𞥑𞥒", "12"),
        ] {
            assert_eq!(canonical(written, &mut String::new()), expected, "{written}");
        }
    }

    #[test]
    fn digits_of_every_script_have_their_value() {
        let mut last = (None, '\0');
        for c in ('\u{80}'..=char::MAX).filter(|c| is_decimal(*c)) {
            let value = decimal_value(c);
            let follows = c as u32 == last.1 as u32 + 1 && last.0 != Some(9);
            assert!(value < Some(10) && (value == Some(0) || follows), "{c}");
            last = (value, c);
        }
        let values = ['๓', '੩', '᱓', '\u{116DD}'].map(decimal_value);
        assert_eq!(values, [Some(3); 4]);
    }

    #[test]
    fn near_numbers() {
        for (wanted, chunk, expected) in [
            ("3000", 2987.0, true),
            ("3000", 3600.0, false),
            ("2990", 2987.0, true),
            ("2000", 1998.0, false),
            ("45.7", 45.68, true),
            ("1500000", 1.5, true),
            ("1.5", 1_500_000.0, true),
            ("8", 8.2, false),
            ("0", 1000.0, false),
        ] {
            assert_eq!(is_near(wanted, value(wanted).unwrap(), any_of(&[0.5, chunk])), expected, "{wanted}");
        }
        assert_eq!(value("1.2.3"), None);
        assert_eq!(value("፩"), None);
        assert!(!is_near("9", f64::INFINITY, any_of(&[1.0])));
    }
}
