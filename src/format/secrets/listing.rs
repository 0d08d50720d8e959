//! Listings with numbers of lines, and diffs: they are read without the numbers and signs that their lines
//! begin with, which are no part of the text.

use super::ranges::differing;

/// A text of which some lines begin so, and what it is without.
pub(super) struct Listing<'t> {
    /// Without what its lines begin with.
    pub text: String,
    /// Lines are numbered.
    pub is_numbered: bool,
    /// What each line begins with.
    leads: Vec<&'t str>,
}

/// What a line begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    Number(usize),
    Sign,
    /// A blank, which is a sign among others.
    Blank,
    None,
}

impl<'t> Listing<'t> {
    /// Of a text in which at least two lines in a row begin so.
    pub fn of(text: &'t str) -> Option<Self> {
        let lines: Vec<&str> = text.split('\n').collect();
        let leads: Vec<Lead> = lines.iter().map(|line| lead(line)).collect();
        let is_number = |lead: &Lead| matches!(lead, Lead::Number(_));
        let is_numbered = leads.windows(2).any(|pair| pair.iter().all(is_number));
        let is_diff = |pair: &[Lead]| pair.contains(&Lead::Sign) && !pair.contains(&Lead::None);
        if !is_numbered && !leads.windows(2).any(is_diff) {
            return None;
        }
        let length = |(line, lead): (&&'t str, &Lead)| match lead {
            Lead::Number(length) if is_numbered => line.get(..*length),
            Lead::Sign | Lead::Blank if !is_numbered => line.get(..1),
            _ => None,
        };
        let leads: Vec<&str> =
            lines.iter().zip(&leads).map(|pair| length(pair).unwrap_or_default()).collect();
        let rest = |(line, lead): (&&'t str, &&str)| line.get(lead.len()..).unwrap_or_default();
        let text = lines.iter().zip(&leads).map(rest).collect::<Vec<_>>().join("\n");
        Some(Self { text, is_numbered, leads })
    }

    /// What it became, with what its lines began with: of lines that became one that of the first.
    pub fn restored(&self, masked: &str) -> String {
        let changed = differing(&self.text, masked);
        let before = masked.get(..changed.start).unwrap_or_default().matches('\n').count();
        let behind = self.text.get(changed.end..).unwrap_or_default().matches('\n').count();
        let lines: Vec<&str> = masked.split('\n').collect();
        let from = lines.len().saturating_sub(behind).max(before + 1);
        let place = |number: usize| {
            if number < from { Some(number) } else { (number + self.leads.len()).checked_sub(lines.len()) }
        };
        let lead =
            |number| place(number).and_then(|place| self.leads.get(place)).copied().unwrap_or_default();
        let whole = |(number, line): (usize, &&str)| [lead(number), line].concat();
        lines.iter().enumerate().map(whole).collect::<Vec<_>>().join("\n")
    }
}

/// What a line begins with: `12→`, `12:`, `12 |`, `12<TAB>`, `a.yml:12:`; `+`, `-`, `>`.
fn lead(line: &str) -> Lead {
    let own = line.trim_start_matches([' ', '\t']);
    let of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    let path = own.split_once(':').filter(|(path, _)| !path.is_empty() && path.chars().all(of_path));
    let numbers = [Some(own), path.map(|(_, rest)| rest)].into_iter().flatten();
    let number = numbers.filter_map(|text| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = text.len() - rest.len();
        let sign = rest.trim_start_matches(' ');
        let behind =
            sign.strip_prefix(['\u{2192}', '\u{2502}', '|', ':', ')', '\t']).or(rest.strip_prefix("  "));
        behind.filter(|_| (1..=DIGITS_MOST).contains(&digits)).map(|behind| line.len() - behind.len())
    });
    match (number.max(), line.as_bytes().first()) {
        (Some(length), _) => Lead::Number(length),
        (None, Some(b'+' | b'-' | b'>')) => Lead::Sign,
        (None, Some(b' ')) => Lead::Blank,
        _ => Lead::None,
    }
}

/// Digits of the number of a line.
const DIGITS_MOST: usize = 6;

#[cfg(test)]
mod tests {
    use crate::format::secrets::mask_message;

    #[test]
    fn a_value_below_its_name_is_found_behind_numbers_and_signs() {
        for (text, masked) in [
            ("  1\u{2192}password:\n  2\u{2192}  abc1", "  1\u{2192}password:\n  2\u{2192}  masked"),
            ("   1  password:\n   2    abc1", "   1  password:\n   2    masked"),
            ("    9\tpassword:\n   10\t  abc1", "    9\tpassword:\n   10\t  masked"),
            ("1: password:\n2:   abc1", "1: password:\n2:   masked"),
            ("c.yml:9:password:\nc.yml:10:  abc1", "c.yml:9:password:\nc.yml:10:  masked"),
            ("+password:\n+  abc1", "+password:\n+  masked"),
            ("> password:\n>   abc1", "> password:\n>   masked"),
            (
                "I read it:\n3\u{2192}const password =\n4\u{2192}  \"abc1\";\n5\u{2192}f();",
                "I read it:\n3\u{2192}const password =\n4\u{2192}  \"masked\";\n5\u{2192}f();",
            ),
            (
                "1\u{2192}passwords = [\n2\u{2192}  \"abc1\",\n3\u{2192}  \"d2\",\n4\u{2192}]\n5\u{2192}end",
                "1\u{2192}passwords = masked\n5\u{2192}end",
            ),
        ] {
            assert_eq!(mask_message(text), masked);
        }
        for text in ["- one\n- two, a key\n- three", "1) It is a token.\n2) It is old."] {
            assert_eq!(mask_message(text), text);
        }
    }
}
