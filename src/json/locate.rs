//! From JSON paths to byte ranges, on demand and in one pass over the text.

use std::collections::HashMap;
use std::ops::Range;

use super::{camel, scan};
use crate::model::{Path, Step};

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Bytes of the value.
    pub value: Range<usize>,
    /// The path with the keys as they are spelled in the input.
    pub path: Path,
}

/// Resolves paths below the value that begins at `start`. Keys match in either spelling; of repeated keys the last
/// counts. The result is parallel to `paths`, `None` where a path leads nowhere.
pub fn locate(text: &str, start: usize, paths: &[Path]) -> Vec<Option<Located>> {
    let steps: Vec<Vec<Step>> = paths.iter().map(Path::steps).collect();
    let mut found = vec![None; paths.len()];
    let wanted: Vec<usize> = (0..paths.len()).collect();
    descend(text, scan::skip_space(text.as_bytes(), start), &steps, &wanted, &mut Vec::new(), &mut found);
    found
}

fn descend(text: &str, pos: usize, steps: &[Vec<Step>], wanted: &[usize], spelled: &mut Vec<Step>, found: &mut [Option<Located>]) {
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
    let last = deeper.keys().filter_map(|step| if let Step::Index(index) = step { Some(*index) } else { None }).max();
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
        let got: Vec<_> = locate(text, 0, &paths).into_iter().map(|place| place.map(|p| (p.path.to_string(), &text[p.value]))).collect();
        assert_eq!(got[0], Some(("$.grounding_chunks[0].web.uri".to_owned(), "\"u\"")));
        assert_eq!(got[1], Some(("$.grounding_chunks[1]".to_owned(), "7")));
        assert_eq!(got[2], Some(("$.a".to_owned(), "2")));
        assert_eq!(got[3], None);
        assert_eq!(got[4].as_ref().unwrap().1, text.trim());
    }
}
