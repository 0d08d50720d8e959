//! From JSON paths to byte ranges, on demand and in one pass over the text.

use std::collections::HashMap;
use std::ops::Range;

use super::keys::camel;
use super::scan;
use crate::model::{Path, Step};

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Bytes of the value.
    pub value: Range<usize>,
    /// The path with the keys as they are spelled in the input.
    pub path: Path,
}

/// Resolves paths below the value that begins at `start`. Keys match in either spelling; of repeated keys the
/// last counts. The result is parallel to `paths`, `None` where a path leads nowhere.
pub fn locate(text: &str, start: usize, paths: &[Path]) -> Vec<Option<Located>> {
    let steps: Vec<Vec<Step>> = paths.iter().map(Path::steps).collect();
    let mut found = vec![None; paths.len()];
    let wanted: Vec<usize> = (0..paths.len()).collect();
    descend(text, scan::skip_space(text.as_bytes(), start), &steps, &wanted, &mut Vec::new(), &mut found);
    found
}

fn descend(
    text: &str,
    pos: usize,
    steps: &[Vec<Step>],
    wanted: &[usize],
    spelled: &mut Vec<Step>,
    found: &mut [Option<Located>],
) {
    let depth = spelled.len();
    let mut deeper: HashMap<&Step, Vec<usize>> = HashMap::new();
    for &index in wanted {
        if let Some(step) = steps.get(index).and_then(|path| path.get(depth)) {
            deeper.entry(step).or_default().push(index);
        } else {
            let end = scan::skip_value(text.as_bytes(), pos).unwrap_or(text.len());
            if let Some(slot) = found.get_mut(index) {
                *slot = Some(Located { value: pos..end, path: Path::from_steps(spelled) });
            }
        }
    }
    if deeper.is_empty() {
        return;
    }
    let object = text.as_bytes().get(pos) == Some(&b'{');
    let Some(members) = scan::Members::of(text, pos) else { return };
    let last = deeper
        .keys()
        .filter_map(|step| if let Step::Index(index) = step { Some(*index) } else { None })
        .max();
    for (number, (key, at)) in members.enumerate() {
        let step = if object {
            let exact = Step::Key(key.to_string());
            if deeper.contains_key(&exact) { exact } else { Step::Key(camel(&key).into_owned()) }
        } else {
            if last.is_none_or(|last| number > last) {
                return;
            }
            Step::Index(number)
        };
        if let Some(below) = deeper.get(&step) {
            spelled.push(if object { Step::Key(key.into_owned()) } else { step });
            descend(text, at, steps, below, spelled, found);
            spelled.pop();
        }
    }
}

/// Finds paths in one text, one after the other: the members of each object and list on the way are looked up
/// once.
#[derive(Debug, Default)]
pub struct Locator {
    /// By the byte at which a container begins: key (empty in a list) and first byte of each member.
    members: HashMap<usize, Vec<(Box<str>, usize)>>,
}

impl Locator {
    /// The first byte of the value at a path, and the path as it is spelled in the text. The text has to be
    /// the same at each call.
    pub fn find(&mut self, text: &str, path: &Path) -> Option<(usize, Path)> {
        let mut spelled = Vec::new();
        let start = scan::skip_space(text.as_bytes(), 0);
        let at = self.descend(text, start, &path.steps(), &mut spelled)?;
        Some((at, Path::from_steps(&spelled)))
    }

    /// The value at a path.
    pub fn locate(&mut self, text: &str, path: &Path) -> Option<Located> {
        let (start, path) = self.find(text, path)?;
        Some(Located { value: start..scan::skip_value(text.as_bytes(), start).unwrap_or(text.len()), path })
    }

    fn descend(&mut self, text: &str, at: usize, steps: &[Step], spelled: &mut Vec<Step>) -> Option<usize> {
        let Some((step, rest)) = steps.split_first() else { return Some(at) };
        let object = text.as_bytes().get(at) == Some(&b'{');
        let members = self.members.entry(at).or_insert_with(|| {
            let all = scan::Members::of(text, at).into_iter().flatten();
            all.map(|(key, at)| (Box::from(key.as_ref()), at)).collect()
        });
        let hits: Vec<(Step, usize)> = match step {
            Step::Index(_) if object => Vec::new(),
            Step::Index(index) => {
                members.get(*index).map(|(_, at)| (step.clone(), *at)).into_iter().collect()
            }
            Step::Key(_) if !object => Vec::new(),
            Step::Key(key) => {
                let named = |name: &str| name == key.as_str() || camel(name) == key.as_str();
                members
                    .iter()
                    .filter(|(name, _)| named(name))
                    .map(|(name, at)| (Step::Key(name.to_string()), *at))
                    .collect()
            }
        };
        // Of repeated keys the last counts, as far as the path leads on there.
        hits.into_iter().rev().find_map(|(step, at)| {
            spelled.push(step);
            let found = self.descend(text, at, rest, spelled);
            if found.is_none() {
                spelled.pop();
            }
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_either_spelling_and_the_last_of_repeated_keys_counts() {
        let text = r#" {"grounding_chunks": [{"web": {"uri": "u"}}, 7], "a": 1, "a": 2}"#;
        let paths = [
            Path::new("groundingChunks[0].web.uri"),
            Path::new("groundingChunks").item(1),
            Path::new("a"),
            Path::new("none"),
            Path::default(),
        ];
        let got: Vec<_> = locate(text, 0, &paths)
            .into_iter()
            .map(|place| place.map(|p| (p.path.to_string(), &text[p.value])))
            .collect();
        assert_eq!(got[0], Some(("$.grounding_chunks[0].web.uri".to_owned(), "\"u\"")));
        assert_eq!(got[1], Some(("$.grounding_chunks[1]".to_owned(), "7")));
        assert_eq!(got[2], Some(("$.a".to_owned(), "2")));
        assert_eq!(got[3], None);
        assert_eq!(got[4].as_ref().unwrap().1, text.trim());
    }

    #[test]
    fn one_after_the_other_is_as_all_at_once() {
        let text =
            r#" {"grounding_chunks": [{"web": {"uri": "u"}}, 7], "a": {"b": 1}, "a": 2, "c": [[1, 2]]}"#;
        let paths = [
            "",
            "groundingChunks",
            "groundingChunks[0].web.uri",
            "groundingChunks[2]",
            "a",
            "a.b",
            "a[0]",
            "c[0][1]",
            "none",
        ];
        let paths = paths.map(Path::new);
        let mut locator = Locator::default();
        let one_by_one: Vec<_> = paths.iter().map(|path| locator.locate(text, path)).collect();
        assert_eq!(one_by_one, locate(text, 0, &paths));
    }
}
