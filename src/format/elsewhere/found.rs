//! Where metadata stands in the frames of a record.

use std::ops::Range;

use memchr::memmem;

use crate::format::google::{SUPPORTS, ends_of_supports};
use crate::json::scalars::scalars;
use crate::model::{Origin, Path, Step};

/// The list of supports as languages spell it whose fields begin with capitals; no format reads it.
const CAPITALS: &str = "GroundingSupports";

/// How all spellings of it end where all of it is written as a text.
const WRITTEN: &[u8] = b"upports\\\"";

/// Places that are looked at, the last ones of a record.
const MOST: usize = 16;

/// Places of the frames of a record, the last ones.
pub(super) fn last(frames: &[&str], places: fn(&str) -> Vec<Path>) -> Vec<Origin> {
    let numbered = frames.iter().enumerate().rev();
    let of = |(number, frame): (usize, &&str)| {
        places(frame).into_iter().map(move |path| Origin { frame: number as u32, path })
    };
    numbered.flat_map(of).take(MOST).collect()
}

/// The paths of the metadata objects of a frame that have supports, those near its root first.
pub(super) fn metadata_of(frame: &str) -> Vec<Path> {
    let mut keys = ends_of_supports(frame).take(MOST).peekable();
    if keys.peek().is_none() {
        return Vec::new();
    }
    let mut paths: Vec<Vec<Step>> = Vec::new();
    // The first scalar behind the key stands below it.
    scalars(frame, |path, scalar: Range<usize>| {
        if keys.peek().is_none_or(|key| scalar.start < *key) {
            return;
        }
        while keys.next_if(|key| *key <= scalar.start).is_some() {}
        let steps = path().steps();
        if let Some(above) = steps.iter().rposition(is_list).and_then(|at| steps.get(..at))
            && !paths.iter().any(|known| known == above)
        {
            paths.push(above.to_vec());
        }
    });
    paths.sort_by_key(Vec::len);
    paths.iter().map(|steps| Path::from_steps(steps)).collect()
}

/// The paths of the objects of a frame that have supports by a name with a capital.
pub(super) fn capitals_of(frame: &str) -> Vec<Path> {
    let mut paths: Vec<Path> = Vec::new();
    if memmem::find(frame.as_bytes(), CAPITALS.as_bytes()).is_none() {
        return paths;
    }
    let is_list = |step: &Step| matches!(step, Step::Key(key) if key == CAPITALS);
    scalars(frame, |path, _| {
        let steps = path().steps();
        let above = steps.iter().rposition(is_list).and_then(|at| steps.get(..at)).map(Path::from_steps);
        if let Some(above) = above.filter(|above| paths.len() < MOST && paths.last() != Some(above)) {
            paths.push(above);
        }
    });
    paths
}

/// The paths of texts of a frame that are metadata by their key and by what they begin with.
pub(super) fn written_of(frame: &str) -> Vec<Path> {
    let mut paths = Vec::new();
    if memmem::find(frame.as_bytes(), WRITTEN).is_none() {
        return paths;
    }
    scalars(frame, |path, scalar: Range<usize>| {
        let text = frame.get(scalar).and_then(|sent| sent.strip_prefix('"')).unwrap_or_default();
        if paths.len() < MOST && text.trim_start().starts_with('{') {
            let path = path();
            let is_metadata = |step: &Step| matches!(step, Step::Key(key) if key.to_ascii_lowercase().ends_with("metadata"));
            paths.extend(path.steps().last().is_some_and(is_metadata).then_some(path));
        }
    });
    paths
}

/// Whether this leads into a list of supports.
pub(super) fn is_list(step: &Step) -> bool {
    matches!(step, Step::Key(key) if SUPPORTS.contains(&key.as_str()))
}
