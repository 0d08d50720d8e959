//! What a key of a claim says of the sources that it names: whether the claim rests on them.

use super::Route;
use super::fields::{OWN, REFERS};
use crate::json::camel;

/// The nearer to a citation the less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Cited, by its name.
    Cited,
    /// As most products call what their claims rest on.
    Named,
    /// Anything else.
    Other,
    /// Found, looked at or near, cited or not.
    Wider,
    /// Rejected, or against the claim.
    Against,
}

/// First letters of words of keys.
const CITED: &[&str] = &["cited", "cites", "citing", "citation"];
const WIDER: &[&str] = &[
    "candidate",
    "retriev",
    "consider",
    "available",
    "alternativ",
    "related",
    "similar",
    "closest",
    "nearest",
    "neighbo",
    "parent",
    "possibl",
    "potential",
    "expected",
    "previous",
];
const AGAINST: &[&str] = &[
    "reject",
    "contradict",
    "refut",
    "oppos",
    "conflict",
    "disput",
    "counter",
    "against",
    "unsupport",
    "irrelevant",
    "exclud",
    "ignor",
    "discard",
    "dropped",
    "unused",
    "missing",
    "negativ",
    "invalid",
];
/// The same of lists.
const FOUND: &[&str] = &["relevant", "search", "result", "hit", "match", "context"];
/// Words of keys.
const ALL: &[&str] = &["all", "other", "others", "next", "prev", "gold"];
const NOT: &[&str] = &["not", "non"];

impl Role {
    /// Of the keys of a path.
    pub fn of(path: &Route) -> Self {
        let keys = path.key_names().map(camel);
        let role = |key: &str| {
            let (words, whole) = (words(key), |list: &[&str], word: &String| list.contains(&word.as_str()));
            let begins =
                |list: &[&str]| words.iter().any(|word| list.iter().any(|stem| word.starts_with(stem)));
            match () {
                () if begins(AGAINST) || words.len() > 1 && words.iter().any(|word| whole(NOT, word)) => {
                    Self::Against
                }
                () if begins(WIDER) || words.iter().any(|word| whole(ALL, word)) => Self::Wider,
                () if begins(CITED) => Self::Cited,
                () if REFERS.contains(&key) && !OWN.contains(&key) => Self::Named,
                () => Self::Other,
            }
        };
        let roles: Vec<Self> = keys.map(|key| role(&key)).collect();
        let worst = roles.iter().max().copied().filter(|role| *role >= Self::Wider);
        worst.or_else(|| roles.into_iter().min()).unwrap_or(Self::Other)
    }
}

/// Whether a list is called as what was found for an answer, which need not be what that cites.
pub(super) fn is_found(list: &Route) -> bool {
    let begins = |word: &String| WIDER.iter().chain(FOUND).any(|stem| word.starts_with(stem));
    list.last_key().is_some_and(|key| words(&camel(key)).iter().any(begins))
}

/// The words of a key in small letters: `notSupportedBy` has three.
fn words(key: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for c in key.chars() {
        match out.last_mut() {
            Some(word) if c.is_alphanumeric() && !c.is_uppercase() => word.push(c),
            _ => out.push(c.to_lowercase().filter(|c| c.is_alphanumeric()).collect()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_whether_a_claim_rests_on_what_they_name() {
        let role = |path: &str| Role::of(&path.parse().unwrap());
        assert_eq!(role("cited_ids[*]"), Role::Cited);
        assert_eq!(role("citations[*].id"), Role::Cited);
        assert_eq!(role("source_ids[*]"), Role::Named);
        assert_eq!(role("evidence[*].name"), Role::Named);
        assert_eq!(role("evidence_for[*]"), Role::Named);
        assert_eq!(role("doc[*]"), Role::Other);
        assert_eq!(role("note_id"), Role::Other);
        assert_eq!(role("source_no"), Role::Other);
        assert_eq!(role("retrievedChunkIds[*]"), Role::Wider);
        assert_eq!(role("all_sources[*]"), Role::Wider);
        assert_eq!(role("citations[*].rejected_by"), Role::Against);
        assert_eq!(role("rejected[*].source_id"), Role::Against);
        assert_eq!(role("not_supported_by"), Role::Against);
        assert_eq!(role("evidence-against"), Role::Against);
    }
}
