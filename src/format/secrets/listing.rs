//! Listings with numbers of lines, diffs, comments and quotations: they are read without what their lines
//! begin with, which is no part of the text, and of a change what was before it and behind it one by one.

use super::ranges::differing;

/// A text of which some lines begin so.
pub(super) struct Listing<'t> {
    /// What lines begin with may be a part of the text as well, as a dash before an item.
    pub is_unsure: bool,
    lines: Vec<Line<'t>>,
}

/// A line, apart from what it begins with.
struct Line<'t> {
    lead: &'t str,
    text: &'t str,
    side: Side,
    /// What it became of a side.
    became: Option<Became>,
}

enum Became {
    Text(String),
    /// A part of the line before it, since both were masked.
    Joined,
}

/// What a line is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    /// Of what was before a change.
    Old,
    New,
    /// Of what two changes began with.
    Base,
    Neither,
}

/// What a line begins with, and how many bytes that is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    Number(usize, u32),
    /// What items of a list begin with as well: the numbers of lines follow one another.
    Counted(usize, u32),
    Comment(usize),
    /// Before the one change of two, before what both began with, before the other, and behind it.
    Ours,
    Begun,
    Theirs,
    Met,
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
    /// What Git leaves where two changes meet.
    Conflict,
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
        let kinds = [
            (Self::Numbers, is(&numbers)),
            (Self::Conflict, leads.contains(&Lead::Ours) && leads.contains(&Lead::Theirs)),
            (Self::Comments, is(&comments)),
            (Self::Signs, is(&signs)),
        ];
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

    /// Which text each line is of.
    fn sides(self, lines: &[&str], leads: &[Lead]) -> Vec<Side> {
        let mut within = Side::Both;
        let mut side = |(line, lead): (&&str, &Lead)| match (self, lead) {
            (Self::Signs, Lead::Sign) if line.starts_with('-') => Side::Old,
            (Self::Signs, Lead::Sign) => Side::New,
            (Self::Conflict, Lead::Ours | Lead::Begun | Lead::Theirs | Lead::Met) => {
                within = match lead {
                    Lead::Ours => Side::Old,
                    Lead::Begun => Side::Base,
                    Lead::Theirs => Side::New,
                    _ => Side::Both,
                };
                Side::Neither
            }
            _ => within,
        };
        lines.iter().zip(leads).map(&mut side).collect()
    }
}

impl<'t> Listing<'t> {
    /// Of a text in which at least two lines in a row begin so, and not very many.
    pub fn of(text: &'t str) -> Option<Self> {
        if memchr::memchr_iter(b'\n', text.as_bytes()).count() > LINES_MOST {
            return None;
        }
        let lines: Vec<&str> = text.split('\n').collect();
        let mut leads: Vec<Lead> = lines.iter().map(|line| lead(line)).collect();
        if let Some((first, line)) = leads.first_mut().zip(lines.first()) {
            *first = first_lead(line).unwrap_or(*first);
        }
        let kind = Kind::of(&leads)?;
        if kind == Kind::Numbers {
            draw_out(&lines, &mut leads);
        }
        let sides = kind.sides(&lines, &leads);
        let line = |((line, lead), side): ((&&'t str, &Lead), Side)| {
            let (lead, text) = line.split_at_checked(kind.length(*lead)).unwrap_or(("", line));
            Line { lead, text, side, became: None }
        };
        let is_unsure = kind == Kind::Signs && !sides.contains(&Side::New);
        Some(Self { is_unsure, lines: lines.iter().zip(&leads).zip(sides).map(line).collect() })
    }

    /// The text with its lines masked without what they begin with; none where nothing is.
    pub fn masked(mut self, mask: impl Fn(&str) -> Option<String>) -> Option<String> {
        // What is there now is looked at first. Without a change there is one side.
        let sides = [Side::New, Side::Old, Side::Base];
        let mut sides: Vec<Side> =
            sides.into_iter().filter(|side| self.lines.iter().any(|line| line.side == *side)).collect();
        if sides.is_empty() {
            sides.push(Side::New);
        }
        let is_masked = sides.iter().fold(false, |is_masked, side| is_masked | self.mask_side(*side, &mask));
        let whole = |line: &Line| match &line.became {
            None => Some([line.lead, line.text].concat()),
            Some(Became::Text(text)) => Some([line.lead, text].concat()),
            Some(Became::Joined) => None,
        };
        is_masked.then(|| self.lines.iter().filter_map(whole).collect::<Vec<_>>().join("\n"))
    }

    /// Masks the lines of one side. True if one was.
    fn mask_side(&mut self, side: Side, mask: impl Fn(&str) -> Option<String>) -> bool {
        let is_of = |line: &&mut Line| [Side::Both, side].contains(&line.side);
        let mut lines: Vec<&mut Line> = self.lines.iter_mut().filter(is_of).collect();
        let text = lines.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
        let Some(masked) = mask(&text) else { return false };
        let changed = differing(&text, &masked);
        let count = |text: Option<&str>| text.unwrap_or_default().matches('\n').count();
        let (before, behind) = (count(text.get(..changed.start)), count(text.get(changed.end..)));
        let rows: Vec<&str> = masked.split('\n').collect();
        let rows = rows.get(before..rows.len().saturating_sub(behind)).unwrap_or_default();
        let upto = lines.len().saturating_sub(behind);
        put(lines.get_mut(before..upto).unwrap_or_default(), rows);
        true
    }
}

/// Puts what lines became into them: several that became one are that in the first of them.
fn put(lines: &mut [&mut Line], rows: &[&str]) {
    let mut at = 0;
    for (number, row) in rows.iter().enumerate() {
        let behind = rows.get(number + 1..).unwrap_or_default();
        let Some((line, rest)) = lines.get_mut(at..).and_then(<[_]>::split_first_mut) else { break };
        let is_same = line.text == *row;
        let joined = match behind.first() {
            None => rest.len(),
            Some(_) if is_same => 0,
            Some(next) => rest.iter().take(JOINED_MOST).position(|line| line.text == *next).unwrap_or(0),
        };
        at += 1 + joined;
        let is_last = rest.len() == joined;
        if !is_same || is_last && !behind.is_empty() {
            // Where there are more lines than there were, the last one has them.
            let more = if is_last { behind } else { &[] };
            line.became = Some(Became::Text([&[*row], more].concat().join("\n")));
        }
        rest.iter_mut()
            .take(joined)
            .filter(|line| line.became.is_none())
            .for_each(|line| line.became = Some(Became::Joined));
        if is_last {
            break;
        }
    }
}

/// Lines of a listing: each takes some 100 bytes beside the text.
const LINES_MOST: usize = 100_000;
/// Lines that one value may take.
const JOINED_MOST: usize = 64;

/// What a line begins with: `12→`, `12:`, `12 |`, `12<TAB>`, `a.yml:12:`, `[12]`; `12.`; `#`, `>`; `+`, `-`.
fn lead(line: &str) -> Lead {
    let own = line.trim_start_matches([' ', '\t']);
    let of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    let path = own.split_once(':').filter(|(path, _)| !path.is_empty() && path.chars().all(of_path));
    let numbers = [Some(own), path.map(|(_, rest)| rest)].into_iter().flatten().filter_map(number);
    if let Some((number, rest)) = numbers.min_by_key(|(_, rest)| rest.len()) {
        return Lead::Number(line.len() - rest.len(), number);
    }
    if let Some((number, rest)) = counted(own).or_else(|| of_context(own)) {
        return Lead::Counted(line.len() - rest.len(), number);
    }
    let meets = [
        ("<<<<<<<", Lead::Ours),
        ("|||||||", Lead::Begun),
        ("=======", Lead::Theirs),
        (">>>>>>>", Lead::Met),
    ];
    if let Some((_, lead)) = meets.iter().find(|(sign, _)| line.starts_with(sign)) {
        return *lead;
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

/// What the first line of a text begins with that a quote opens: `content='    12\t…`.
fn first_lead(line: &str) -> Option<Lead> {
    let near = line.get(..line.floor_char_boundary(OPENED_MOST))?;
    let opened = near.find(['"', '\''])? + 1;
    let own = line.get(opened..)?;
    if !own.trim_start_matches(' ').starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    match lead(own) {
        Lead::Number(length, number) => Some(Lead::Number(opened + length, number)),
        Lead::Counted(length, number) => Some(Lead::Counted(opened + length, number)),
        _ => None,
    }
}

/// Bytes before the quote that opens a listing.
const OPENED_MOST: usize = 32;

/// Takes the blanks to the numbers of lines that stand behind all of them: `[12] +`.
fn draw_out(lines: &[&str], leads: &mut [Lead]) {
    let blanks = |(line, lead): (&&str, &Lead)| {
        let rest = line.get(Kind::Numbers.length(*lead)..).filter(|rest| !rest.trim().is_empty())?;
        lead.number().map(|_| rest.len() - rest.trim_start_matches(' ').len())
    };
    let common = lines.iter().zip(leads.iter()).filter_map(blanks).min().unwrap_or_default();
    for (line, lead) in lines.iter().zip(leads) {
        if let Lead::Number(length, _) | Lead::Counted(length, _) = lead {
            *length = (*length + common).min(line.len());
        }
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
    let behind = sign.strip_prefix(signs);
    let behind = behind.or_else(|| rest.strip_prefix([']', '>']));
    Some((number, behind.or_else(|| rest.strip_prefix(' ').filter(|rest| rest.starts_with(' ')))?))
}

/// A number that items of a list have as well, and what stands behind it.
fn counted(text: &str) -> Option<(u32, &str)> {
    let (number, rest) = digits(text)?;
    Some((number, rest.strip_prefix(['.', '-', ' '])?))
}

/// The same behind the name of a file: `a.yml-12-`.
fn of_context(text: &str) -> Option<(u32, &str)> {
    let of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    let path = text.get(..text.len() - text.trim_start_matches(of_path).len())?;
    let dashes = path.match_indices('-').filter(|(at, _)| *at > 0);
    dashes
        .filter_map(|(at, _)| counted(text.get(at + 1..)?))
        .find(|(_, rest)| text.get(..text.len() - rest.len()).is_some_and(|lead| lead.ends_with('-')))
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
    use super::Listing;
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
            (r"1\tpassword:\n2\t  abc1\n3\tend", r"1\tpassword:\n2\t  masked\n3\tend"),
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

    #[test]
    fn of_a_change_both_values_are_masked() {
        for (text, masked) in [
            (
                "@@ -1,4 +1,4 @@\n env:\n - name: DB_PASSWORD\n-  value: sun2\n+  value: abc1",
                "@@ -1,4 +1,4 @@\n env:\n - name: DB_PASSWORD\n-  value: masked\n+  value: masked",
            ),
            (" password:\n-  sun2\n+  abc1", " password:\n-  masked\n+  masked"),
            (
                " const apiKey =\n-  \"sun2\";\n+  \"abc1\";",
                " const apiKey =\n-  \"masked\";\n+  \"masked\";",
            ),
            (
                " args:\n   - --password\n-  - sun2\n+  - abc1",
                " args:\n   - --password\n-  - masked\n+  - masked",
            ),
            (
                " 10     - name: DB_PASSWORD\n 11 -    value: sun2\n 11 +    value: abc1\n 12   f: g",
                " 10     - name: DB_PASSWORD\n 11 -    value: masked\n 11 +    value: masked\n 12   f: g",
            ),
            (
                "password:\n<<<<<<< HEAD\n  sun2\n=======\n  abc1\n>>>>>>> b\nf: g",
                "password:\n<<<<<<< HEAD\n  masked\n=======\n  masked\n>>>>>>> b\nf: g",
            ),
            (
                "password:\n<<<<<<< a\n  a1\n||||||| b\n  b2\n=======\n  c3\n>>>>>>> c",
                "password:\n<<<<<<< a\n  masked\n||||||| b\n  masked\n=======\n  masked\n>>>>>>> c",
            ),
            (" SECRET_KEY = env(\n     \"KEY\",\n-    \"sun2\",\n+    \"abc1\",\n )", " SECRET_KEY = masked"),
            (
                "a.yml:11:password:\na.yml-12-  abc1\nb.yml-12-x",
                "a.yml:11:password:\na.yml-12-  masked\nb.yml-12-x",
            ),
            (" passwords = [\n-  \"sun2\",\n+  \"abc1\",\n ]\n f()\n-g()", " passwords = masked\n f()\n-g()"),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }

    /// The sign of a diff was masked, and what stood behind it shown.
    #[test]
    fn of_numbered_lines_the_blanks_behind_all_numbers_are_none_of_the_text() {
        for (text, masked) in [
            ("[12] +password:\n[13] +  abc1", "[12] +password:\n[13] +  masked"),
            ("12 | +password: |\n13 | +  abc1", "12 | +password: |\n13 | +  masked"),
            ("1. +- name: API_KEY\n2. +  value: abc1", "1. +- name: API_KEY\n2. +  value: masked"),
            // As a text in quotes, of which the first line has words before it.
            (
                r"content='    12\tpassword:\n    13\t  abc1'",
                r"content='    12\tpassword:\n    13\t  masked'",
            ),
            (
                r"x='  12\t- name: API_KEY\n  13\t  value: abc1\n'",
                r"x='  12\t- name: API_KEY\n  13\t  value: masked\n'",
            ),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }

    #[test]
    fn a_listing_of_very_many_lines_is_none() {
        assert!(Listing::of(&"1: a\n".repeat(100_000)).is_some());
        assert!(Listing::of(&"1: a\n".repeat(100_001)).is_none());
    }

    #[test]
    fn lists_over_lines_are_found_behind_numbers() {
        for (text, masked) in [
            (
                "5\u{2192}  \"--api-key\",\n6\u{2192}  \"abc1\"",
                "5\u{2192}  \"--api-key\",\n6\u{2192}  \"masked\"",
            ),
            (
                "1\t{\"args\": [\n2\t  \"-u\",\n3\t  \"bob:abc1\"\n4\t]}",
                "1\t{\"args\": [\n2\t  \"-u\",\n3\t  \"•••• (masked, --show-secrets shows it)\"\n4\t]}",
            ),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }
}
