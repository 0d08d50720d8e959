//! Listings with numbers of lines, diffs, comments and quotations: they are read without what their lines begin
//! with, which is no part of the text.

use super::ranges::differing;

/// A text of which some lines begin so, and what it is without.
pub(super) struct Listing<'t> {
    /// Without what its lines begin with.
    pub text: String,
    /// What lines begin with may be a part of the text as well, as a dash before an item.
    pub is_unsure: bool,
    /// What each line begins with.
    leads: Vec<&'t str>,
    /// What ends a line.
    line_end: &'static str,
}

/// What a line begins with, and how many bytes that is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    Number(usize, u32),
    /// What items of a list begin with as well: the numbers of lines follow one another.
    Counted(usize, u32),
    Comment(usize),
    Sign,
    /// A blank, which is a sign among others.
    Blank,
    None,
}

impl Lead {
    fn number(self) -> Option<u32> {
        match self {
            Self::Number(_, number) | Self::Counted(_, number) => Some(number),
            _ => None,
        }
    }
}

/// What all lines of a listing begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Numbers,
    Signs,
    Comments,
}

impl Kind {
    /// Where at least two lines in a row begin so.
    fn of(leads: &[Lead]) -> Option<Self> {
        let is = |test: &dyn Fn(Lead, Lead) -> bool| {
            leads.windows(2).any(|pair| matches!(*pair, [one, next] if test(one, next)))
        };
        let numbers = |one: Lead, next: Lead| match (one, next) {
            (Lead::Number(..), Lead::Number(..)) => true,
            _ => one.number().is_some_and(|one| next.number() == Some(one + 1)),
        };
        let comments = |one, next| matches!((one, next), (Lead::Comment(_), Lead::Comment(_)));
        let of_diff = |lead| matches!(lead, Lead::Sign | Lead::Blank);
        let signs = |one, next| of_diff(one) && of_diff(next) && [one, next].contains(&Lead::Sign);
        let kinds =
            [(Self::Numbers, is(&numbers)), (Self::Comments, is(&comments)), (Self::Signs, is(&signs))];
        kinds.into_iter().find_map(|(kind, is_one)| is_one.then_some(kind))
    }

    /// How much of a line is none of the text.
    fn length(self, lead: Lead) -> usize {
        match (self, lead) {
            (Self::Numbers, Lead::Number(length, _) | Lead::Counted(length, _))
            | (Self::Comments, Lead::Comment(length)) => length,
            (Self::Signs, Lead::Sign | Lead::Blank) => 1,
            _ => 0,
        }
    }
}

impl<'t> Listing<'t> {
    /// Of a text in which at least two lines in a row begin so; their ends may be written out.
    pub fn of(text: &'t str) -> Option<Self> {
        ["\n", "\\n"].into_iter().find_map(|line_end| Self::of_lines(text, line_end))
    }

    fn of_lines(text: &'t str, line_end: &'static str) -> Option<Self> {
        let lines: Vec<&str> = text.split(line_end).collect();
        let leads: Vec<Lead> = lines.iter().map(|line| lead(line)).collect();
        let kind = Kind::of(&leads)?;
        let length = |(line, lead): (&&'t str, &Lead)| line.get(..kind.length(*lead));
        let leads: Vec<&str> =
            lines.iter().zip(&leads).map(|pair| length(pair).unwrap_or_default()).collect();
        let rest = |(line, lead): (&&'t str, &&str)| line.get(lead.len()..).unwrap_or_default();
        let text = lines.iter().zip(&leads).map(rest).collect::<Vec<_>>().join(line_end);
        Some(Self { text, is_unsure: kind == Kind::Signs, leads, line_end })
    }

    /// What it became, with what its lines began with: of lines that became one that of the first.
    pub fn restored(&self, masked: &str) -> String {
        let changed = differing(&self.text, masked);
        let before = masked.get(..changed.start).unwrap_or_default().matches(self.line_end).count();
        let behind = self.text.get(changed.end..).unwrap_or_default().matches(self.line_end).count();
        let lines: Vec<&str> = masked.split(self.line_end).collect();
        let from = lines.len().saturating_sub(behind).max(before + 1);
        let place = |number: usize| {
            if number < from { Some(number) } else { (number + self.leads.len()).checked_sub(lines.len()) }
        };
        let lead =
            |number| place(number).and_then(|place| self.leads.get(place)).copied().unwrap_or_default();
        let whole = |(number, line): (usize, &&str)| [lead(number), line].concat();
        lines.iter().enumerate().map(whole).collect::<Vec<_>>().join(self.line_end)
    }
}

/// What a line begins with: `12→`, `12:`, `12 |`, `12<TAB>`, `a.yml:12:`, `[12]`; `12.`; `#`, `>`; `+`, `-`.
fn lead(line: &str) -> Lead {
    let own = line.trim_start_matches([' ', '\t']);
    let of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    let path = own.split_once(':').filter(|(path, _)| !path.is_empty() && path.chars().all(of_path));
    let numbers = [Some(own), path.map(|(_, rest)| rest)].into_iter().flatten().filter_map(number);
    if let Some((number, rest)) = numbers.min_by_key(|(_, rest)| rest.len()) {
        return Lead::Number(line.len() - rest.len(), number);
    }
    if let Some((number, rest)) = counted(own) {
        return Lead::Counted(line.len() - rest.len(), number);
    }
    let behind = |sign: &&str| own.strip_prefix(*sign).filter(|rest| *sign == ">" || is_blank(rest));
    if let Some(rest) = COMMENTS.iter().find_map(behind) {
        return Lead::Comment(line.len() - rest.strip_prefix(' ').unwrap_or(rest).len());
    }
    match line.as_bytes().first() {
        Some(b'+' | b'-') => Lead::Sign,
        Some(b' ') => Lead::Blank,
        _ => Lead::None,
    }
}

/// Whether a text is empty or begins with a blank.
fn is_blank(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t'])
}

/// A number that nothing else than a line has, and what stands behind it.
fn number(text: &str) -> Option<(u32, &str)> {
    let text = OPENING.iter().find_map(|opening| text.strip_prefix(opening)).unwrap_or(text);
    let (number, rest) = digits(text)?;
    let sign = rest.trim_start_matches(' ').trim_start_matches([']', '>']);
    let signs = ['\u{2192}', '\u{2502}', '|', ':', ')', '\t'];
    let behind = sign.strip_prefix(signs).or_else(|| sign.strip_prefix("\\t"));
    let behind = behind.or_else(|| rest.strip_prefix([']', '>']));
    Some((number, behind.or_else(|| rest.strip_prefix(' ').filter(|rest| rest.starts_with(' ')))?))
}

/// A number that items of a list have as well, and what stands behind it.
fn counted(text: &str) -> Option<(u32, &str)> {
    let (number, rest) = digits(text)?;
    Some((number, rest.strip_prefix(['.', '-', ' '])?))
}

/// The number that a text begins with, and what stands behind it.
fn digits(text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.get(..text.len() - rest.len()).filter(|digits| digits.len() <= DIGITS_MOST)?;
    Some((digits.parse().ok()?, rest))
}

/// Digits of the number of a line.
const DIGITS_MOST: usize = 6;

/// What stands before the number of a line.
const OPENING: [&str; 6] = ["[", "<", "L", "line ", "Line ", "#"];

/// What comments and quotations in columns begin with.
const COMMENTS: [&str; 8] = [">", "<", "#", "//", "*", "--", ";", "%"];

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
            ("[1] password:\n[2]   abc1", "[1] password:\n[2]   masked"),
            ("L1: password:\nL2:   abc1", "L1: password:\nL2:   masked"),
            ("line 1: password:\nline 2:   abc1", "line 1: password:\nline 2:   masked"),
            ("1. password:\n2.   abc1", "1. password:\n2.   masked"),
            ("1-password:\n2-  abc1", "1-password:\n2-  masked"),
            ("  9 password:\n 10   abc1", "  9 password:\n 10   masked"),
            ("# password:\n#   abc1", "# password:\n#   masked"),
            ("  // password:\n  //   abc1", "  // password:\n  //   masked"),
            ("> 1: password:\n> 2:   abc1", "> 1: password:\n> 2:   masked"),
            ("< password:\n<   abc1\n---\n> f:", "< password:\n<   masked\n---\n> f:"),
            ("> > +password:\n> > +  abc1", "> > +password:\n> > +  masked"),
            ("1: # password:\n2: #   abc1", "1: # password:\n2: #   masked"),
            // What is written out is read.
            (r"1\tpassword:\n2\t  abc1\n3\tend", "1 password:\n2   masked\n3 end"),
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
        for text in
            ["- one\n- two, a key\n- three", "1) It is a token.\n2) It is old.", "1. A token:\n2. Old it is."]
        {
            assert_eq!(mask_message(text), text);
        }
    }
}
