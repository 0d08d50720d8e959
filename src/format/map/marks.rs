//! Patterns proposed for the marks of a text.

use std::collections::HashSet;

use super::Pattern;

/// Brackets around the name of a source.
pub(super) const SQUARE: [(char, char); 2] = [('[', ']'), ('【', '】')];
pub(super) const ANY: [(char, char); 5] = [('[', ']'), ('【', '】'), ('{', '}'), ('(', ')'), ('<', '>')];

/// Bytes of names that a pattern lists, twice; of more it knows what names look like.
const ALL_MOST: usize = 400;
const ANY_NAME: &str = r"[\w.:/-]+";

/// Bytes of an id that is written as a mark.
const MARK: usize = 64;

/// Marks such as `[source:a1]`, `<cite id="2"/>` or `<cite id="2">words</cite>`, where the text has any.
pub(super) fn known(text: &str) -> Option<Pattern> {
    // A tag's attribute names the source, or what stands in the tag, where that is no words.
    const KNOWN: &[&str] = &[
        r#"<(?:cite|ref|source)\s+(?:ids?|sources?|refs?|docs?|documents?|indexe?s?|n|(?:doc|document|source)[_-]ids?|data-[a-z-]+)=["']?([^"'>/]+)["']?\s*>(?<claim>[^<]*)</(?:cite|ref|source)>"#,
        r"(?i)\[(?:source|sources|src|doc|ref|cite|citation|id)\s*[:#]\s*([^\]]+)\]",
        r#"<(?:cite|ref|source)\s+(?:ids?|sources?|refs?|docs?|documents?|indexe?s?|n|(?:doc|document|source)[_-]ids?|data-[a-z-]+)=["']?([^"'>/]+)["']?\s*/>"#,
        r"\{\{(?:cite|source|ref):([^}]+)\}\}",
        r"<(?:cite|ref|source)>\s*([\w.:-]{1,64}(?:\s*[,;]\s*[\w.:-]{1,64})*)\s*</(?:cite|ref|source)>",
    ];
    first(KNOWN, text)
}

/// Marks that call a source by a word and its number, as `[Source 1]` or `[doc2]`.
pub(super) fn counted(text: &str) -> Option<Pattern> {
    const COUNTED: &[&str] = &[
        r"(?i)[\[【](?:sources?|docs?|documents?|refs?|references?|citations?|passages?|chunks?|contexts?)[\s_-]{0,2}(\d{1,4}(?:\s*[,;]\s*(?:[a-z]+[\s_-]{0,2})?\d{1,4})*)[\]】]",
    ];
    first(COUNTED, text)
}

fn first(patterns: &[&str], text: &str) -> Option<Pattern> {
    patterns.iter().find_map(|known| {
        let pattern = Pattern::try_from((*known).to_owned()).ok()?;
        pattern.regex.is_match(text).then_some(pattern)
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
    let plain = Pattern::try_from(format!("{open}({name}){close}")).ok()?;
    let whole = Pattern::try_from(format!(r"{open}{list}{page}{close}(?:\([^()\s]+\))?")).ok()?;
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
