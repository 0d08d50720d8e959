//! Patterns proposed for the marks of a text.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::OnceLock;

use super::Pattern;

/// Brackets around the name of a source.
pub(super) const SQUARE: [(char, char); 2] = [('[', ']'), ('【', '】')];
pub(super) const ANY: [(char, char); 5] = [('[', ']'), ('【', '】'), ('{', '}'), ('(', ')'), ('<', '>')];

/// Bytes of names that a pattern lists, twice; of more it knows what names look like.
const ALL_MOST: usize = 400;
const ANY_NAME: &str = r"[\w.:/-]+";

/// Bytes of an id that is written as a mark.
const MARK: usize = 64;

/// A pattern that is built where a text may match: that takes as long as hundreds of records do.
struct Known {
    /// A mark begins with one of these.
    begins: &'static [char],
    text: &'static str,
    built: OnceLock<Option<Pattern>>,
}

impl Known {
    const fn new(begins: &'static [char], text: &'static str) -> Self {
        Self { begins, text, built: OnceLock::new() }
    }

    fn within(&self, text: &str) -> Option<Pattern> {
        if !text.contains(self.begins) {
            return None;
        }
        let pattern = self.built.get_or_init(|| Pattern::try_from(self.text.to_owned()).ok()).as_ref()?;
        pattern.regex.is_match(text).then(|| pattern.clone())
    }
}

/// Marks such as `[source:a1]`, `<cite id="2"/>` or `<cite id="2">words</cite>`. A tag's attribute names the
/// source, or what stands in the tag, where that is no words.
static KNOWN: [Known; 5] = [
    Known::new(
        &['<'],
        r#"<(?:cite|ref|source)\s+(?:ids?|sources?|refs?|docs?|documents?|indexe?s?|n|(?:doc|document|source)[_-]ids?|data-[a-z-]+)=["']?([^"'>/]+)["']?\s*>(?<claim>[^<]*)</(?:cite|ref|source)>"#,
    ),
    Known::new(&['['], r"(?i)\[(?:source|sources|src|doc|ref|cite|citation|id)\s*[:#]\s*([^\]]+)\]"),
    Known::new(
        &['<'],
        r#"<(?:cite|ref|source)\s+(?:ids?|sources?|refs?|docs?|documents?|indexe?s?|n|(?:doc|document|source)[_-]ids?|data-[a-z-]+)=["']?([^"'>/]+)["']?\s*/>"#,
    ),
    Known::new(&['{'], r"\{\{(?:cite|source|ref):([^}]+)\}\}"),
    Known::new(
        &['<'],
        r"<(?:cite|ref|source)>\s*([\w.:-]{1,64}(?:\s*[,;]\s*[\w.:-]{1,64})*)\s*</(?:cite|ref|source)>",
    ),
];

/// Marks that call a source by a word and its number, as `[Source 1]` or `[doc2]`.
static COUNTED: Known = Known::new(
    &['[', '【'],
    r"(?i)[\[【](?:sources?|docs?|documents?|refs?|references?|citations?|passages?|chunks?|contexts?)[\s_-]{0,2}(\d{1,4}(?:\s*[,;]\s*(?:[a-z]+[\s_-]{0,2})?\d{1,4})*)[\]】]",
);

/// The first of the marks that are known, where the text has any.
pub(super) fn known(text: &str) -> Option<Pattern> {
    KNOWN.iter().find_map(|known| known.within(text))
}

/// Marks that call a source by a word and its number, where the text has any.
pub(super) fn counted(text: &str) -> Option<Pattern> {
    COUNTED.within(text)
}

thread_local! {
    /// Patterns of the records before: those of one log are mostly alike.
    static BUILT: RefCell<Vec<Pattern>> = const { RefCell::new(Vec::new()) };
}

/// Patterns that are kept.
const KEPT: usize = 8;

/// A pattern, built where it is not kept.
fn built(text: &str) -> Option<Pattern> {
    BUILT.with_borrow_mut(|kept| {
        if let Some(pattern) = kept.iter().find(|pattern| pattern.regex.as_str() == text) {
            return Some(pattern.clone());
        }
        let pattern = Pattern::try_from(text.to_owned()).ok()?;
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(pattern.clone());
        Some(pattern)
    })
}

/// Marks that are the ids of sources between brackets, where the text has any.
pub(super) fn of_ids(text: &str, ids: &[&str], brackets: &[(char, char)]) -> Option<Pattern> {
    // `[x]` is a box that is ticked.
    let is_none = |id: &&str| {
        id.is_empty()
            || id.len() > MARK
            || id.contains(['[', ']', '\n', ',', ';'])
            || matches!(*id, "x" | "X")
    };
    if ids.is_empty() || ids.iter().any(is_none) || ids.iter().all(|id| id.parse::<u64>().is_ok()) {
        return None;
    }
    let (open, close) = brackets.iter().find(|(open, close)| {
        let marks = enclosed(text, *open, *close);
        ids.iter().any(|id| marks.contains(id))
    })?;
    let [open, close] = [open, close].map(|bracket| regex::escape(&bracket.to_string()));
    let mut name = name_of(ids);
    if name.len() > ALL_MOST {
        ANY_NAME.clone_into(&mut name);
    }
    // A page behind the name, and a link's address behind the brackets, belong to the mark.
    let page = r"(?:,?\s*(?:p|pp|page|pages)\.?\s*\d+(?:\s*[-–]\s*\d+)?)?";
    let list = format!(r"({name}(?:\s*[,;]\s*{name})*)");
    let plain = built(&format!("{open}({name}){close}"))?;
    let whole = built(&format!(r"{open}{list}{page}{close}(?:\([^()\s]+\))?"))?;
    let covers = |pattern: &Pattern| pattern.regex.find_iter(text).map(|mark| mark.len()).sum::<usize>();
    Some(if covers(&whole) > covers(&plain) { whole } else { plain })
}

/// What stands between brackets, without what follows a comma.
fn enclosed(text: &str, open: char, close: char) -> HashSet<&str> {
    let inner = text.split(open).skip(1).filter_map(|rest| rest.split_once(close));
    let names = inner.map(|(words, _)| words.split([',', ';']).next().unwrap_or(words).trim());
    names.filter(|words| words.len() <= MARK).collect()
}

/// Names such as these: what all begin with and a number, else what all end with behind a point, else they.
fn name_of(ids: &[&str]) -> String {
    fn bare(id: &str) -> &str {
        id.trim_end_matches(|c: char| c.is_ascii_digit())
    }
    let first = ids.first().copied().unwrap_or_default();
    let prefix = bare(first);
    if ids.iter().all(|id| bare(id) == prefix && id.len() > prefix.len()) {
        return format!(r"{}\d+", regex::escape(prefix));
    }
    let ending = |id: &str| id.rsplit_once('.').map(|(_, ending)| ending.to_owned());
    if let Some(common) = ending(first).filter(|common| (1..=5).contains(&common.len()))
        && ids.iter().all(|id| ending(id).as_ref() == Some(&common))
    {
        return format!(r"[^\[\]\n,;]{{1,80}}\.{}", regex::escape(&common));
    }
    let all = || ids.iter().map(|id| regex::escape(id)).collect::<Vec<String>>().join("|");
    hexadecimal(ids).or_else(|| shaped(ids)).unwrap_or_else(|| format!("(?:{})", all()))
}

/// Letters of the shortest number in hexadecimal that is an id.
const HEXADECIMAL: usize = 6;

/// Ids in hexadecimal of one length, with hyphens in the same places.
fn hexadecimal(ids: &[&str]) -> Option<String> {
    let first = ids.first()?;
    let is_like = |id: &&str| {
        let own = |(a, b): (u8, u8)| if a == b'-' { b == a } else { b.is_ascii_hexdigit() };
        id.len() == first.len() && first.bytes().zip(id.bytes()).all(own)
    };
    let digits = ids.iter().any(|id| id.bytes().any(|byte| byte.is_ascii_digit()));
    let parts = first.split('-').map(|part| format!("[0-9a-fA-F]{{{}}}", part.len()));
    (first.len() >= HEXADECIMAL && digits && ids.iter().all(is_like))
        .then(|| parts.collect::<Vec<_>>().join("-"))
}

/// Ids that are letters and numbers in one order: what differs of the letters is any, and so are the numbers.
fn shaped(ids: &[&str]) -> Option<String> {
    let kind = |c: char| {
        if c.is_ascii_digit() {
            '0'
        } else if c.is_ascii_alphabetic() {
            'a'
        } else {
            c
        }
    };
    let runs = |id: &str| -> Vec<(char, String)> {
        let mut out: Vec<(char, String)> = Vec::new();
        for c in id.chars() {
            match out.last_mut().filter(|(last, _)| *last == kind(c) && matches!(last, '0' | 'a')) {
                Some((_, run)) => run.push(c),
                None => out.push((kind(c), c.to_string())),
            }
        }
        out
    };
    let all: Vec<Vec<(char, String)>> = ids.iter().map(|id| runs(id)).collect();
    let first = all.first()?;
    let kinds = |runs: &[(char, String)]| runs.iter().map(|(kind, _)| *kind).collect::<Vec<_>>();
    let counts = first.iter().any(|(kind, _)| *kind == '0');
    if ids.len() < 2 || !counts || all.iter().any(|other| kinds(other) != kinds(first)) {
        return None;
    }
    let part = |(number, (kind, run)): (usize, &(char, String))| match kind {
        '0' => r"\d+".to_owned(),
        'a' if all.iter().any(|other| other.get(number).is_some_and(|(_, other)| other != run)) => {
            "[a-zA-Z]+".to_owned()
        }
        _ => regex::escape(run),
    };
    Some(first.iter().enumerate().map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_known_pattern_is_right_and_finds_its_mark() {
        for (text, number) in [
            (r#"<cite id="2">words</cite>"#, 0),
            ("[source: a1]", 1),
            ("<ref doc_id=2 />", 2),
            ("{{cite:a1}}", 3),
            ("<cite>a1, a2</cite>", 4),
        ] {
            let found: Vec<usize> =
                (0..KNOWN.len()).filter(|known| KNOWN[*known].within(text).is_some()).collect();
            assert_eq!(found.first(), Some(&number), "{text}");
        }
        assert!(
            counted("[Source 1]").is_some() && counted("【doc2】").is_some() && counted("(doc2)").is_none()
        );
        assert_eq!(
            built(r"\[(a\d+)\]").unwrap().regex.as_str(),
            built(r"\[(a\d+)\]").unwrap().regex.as_str()
        );
        assert!(built("(").is_none());
    }

    #[test]
    fn marks_are_known_by_the_ids_that_stand_in_them() {
        let found = |text: &str, ids: &[&str]| -> Vec<String> {
            let Some(pattern) = of_ids(text, ids, &SQUARE) else { return Vec::new() };
            let marks = pattern.regex.captures_iter(text);
            marks.map(|mark| pattern.named(&mark).unwrap().as_str().to_owned()).collect()
        };
        assert_eq!(found("Red [c1]. Blue [c2, c9] [sic].", &["c1", "c2"]), ["c1", "c2, c9"]);
        assert_eq!(
            found("Red [a b.pdf]. Blue [c.pdf, p. 3] [x].", &["a b.pdf", "d.pdf"]),
            ["a b.pdf", "c.pdf"]
        );
        assert_eq!(found("Red [kb](https://a.example). [Blue]", &["kb", "web"]), ["kb"]);
        assert_eq!(found("Red [1].", &["1"]), [""; 0]);
        assert_eq!(found("Red c1.", &["c1"]), [""; 0]);
    }
}
