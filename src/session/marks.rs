//! Review marks: what a person decided of the claims of a file, kept in a file beside it and never in it. A
//! line of JSON each, which `citescope score` reads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::format::secrets::mask_quoted;
use crate::json::write;
use crate::review::{Review, SourceRef, SupportRef};
use crate::store::Unfinished;

/// What a person decided of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Decision {
    /// The words rest on what is cited.
    Right,
    /// They do not.
    Wrong,
    /// It cannot be told.
    Unsure,
}

impl Decision {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Right, Self::Wrong, Self::Unsure];

    /// Its sign.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Right => "+",
            Self::Wrong => "-",
            Self::Unsure => "?",
        }
    }

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Unsure => "unsure",
        }
    }
}

/// A mark, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewMark {
    /// `RECORD.ITEM:START-END`, from 1 and in bytes of the answer: what two people's files are joined by.
    pub id: String,
    /// What was decided.
    pub label: Decision,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Who.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// The words that were judged.
    pub claim: String,
    /// The passages of what they cite.
    #[serde(default)]
    pub evidence: Vec<Passage>,
    /// What else stands on the line: it stays there.
    #[serde(flatten)]
    pub other: serde_json::Map<String, serde_json::Value>,
}

/// A passage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Title of its source.
    #[serde(default)]
    pub title: String,
    /// Its text.
    pub text: String,
}

/// The marks of a file.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    path: PathBuf,
    by_id: BTreeMap<String, ReviewMark>,
    /// Who makes marks.
    who: String,
    /// Ids whose marks were changed since they were read.
    changed: BTreeSet<String>,
}

/// What an id begins with: the response it is of.
fn of_response(review: &Review) -> String {
    format!("{}.{}:", review.record() + 1, review.item + 1)
}

/// The id of a stretch of an answer.
fn id(review: &Review, range: &Range<usize>) -> String {
    format!("{}{}-{}", of_response(review), range.start, range.end)
}

/// Bytes of a file of marks, at most.
const BYTES_MOST: u64 = 64 << 20;

impl Marks {
    /// The file that holds the marks of an input.
    pub fn path_of(input: &str) -> PathBuf {
        PathBuf::from(format!("{input}.review.jsonl"))
    }

    /// The marks of an input; none where nobody made any.
    ///
    /// # Errors
    ///
    /// Where the input is no file beside which they could be kept, where theirs cannot be read, or a line of
    /// it is no mark: which, and what to do.
    pub fn of(input: &str) -> Result<Self, String> {
        if !Path::new(input).is_file() {
            return Err(format!("{input} is no file, so there is no place beside it for marks"));
        }
        let path = Self::path_of(input);
        if path.symlink_metadata().is_err() {
            return Ok(Self { path, ..Self::default() });
        }
        Self::read(&path)
    }

    /// Names who makes marks from now on; without it `by` is empty.
    pub fn signed(&mut self, who: &str) {
        who.clone_into(&mut self.who);
    }

    /// The marks of a file.
    ///
    /// # Errors
    ///
    /// Like [`Self::of`], and where there is none.
    pub fn read(path: &Path) -> Result<Self, String> {
        if path.exists() && !path.is_file() {
            return Err(format!("{}: this is no regular file", path.display()));
        }
        if std::fs::metadata(path).is_ok_and(|file| file.len() > BYTES_MOST) {
            return Err(format!(
                "{}: more than {} MB are no marks of people",
                path.display(),
                BYTES_MOST >> 20
            ));
        }
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut marks = BTreeMap::new();
        // Some editors begin a file with a mark of their own.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let mark: ReviewMark = serde_json::from_str(line).map_err(|error| {
                // It quotes what it did not expect.
                let (name, told) = (path.display(), error.to_string());
                let told = mask_quoted(&told);
                format!("{name}:{}: this is no review mark ({told}); mend or remove the line", number + 1)
            })?;
            marks.insert(mark.id.clone(), mark);
        }
        Ok(Self { path: path.to_owned(), by_id: marks, ..Self::default() })
    }

    /// The mark of a stretch of an answer, if it was made of these words.
    pub fn get(&self, review: &Review, range: &Range<usize>) -> Option<&ReviewMark> {
        if self.by_id.is_empty() {
            return None;
        }
        let words = review.text().get(range.clone());
        self.by_id.get(&id(review, range)).filter(|mark| words == Some(&mark.claim))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &ReviewMark> {
        self.by_id.values()
    }

    /// Decisions of a response, by record and item from 0: how many of each.
    pub fn counts(&self, record: usize, item: usize) -> [usize; 3] {
        let lead = format!("{}.{}:", record + 1, item + 1);
        let own = self.by_id.range(lead.clone()..).take_while(|(id, _)| id.starts_with(&lead));
        let mut counts = [0; 3];
        for (_, mark) in own {
            if let Some(count) = counts.get_mut(mark.label as usize) {
                *count += 1;
            }
        }
        counts
    }

    /// Marks a stretch of an answer; what it had is replaced, and the same again takes it away, unless it has
    /// a note. What it has now.
    pub fn set(
        &mut self,
        review: &Review,
        range: &Range<usize>,
        supports: &[usize],
        label: Decision,
    ) -> Option<Decision> {
        let id = id(review, range);
        self.changed.insert(id.clone());
        // A mark of other words, from before the answer changed, is none of these.
        if self.get(review, range).is_none() {
            self.by_id.remove(&id);
        }
        if let Some(mark) = self.by_id.get(&id).filter(|mark| mark.label == label) {
            if mark.note.is_empty() {
                self.by_id.remove(&id);
                return None;
            }
            return Some(label);
        }
        let note = self.by_id.get(&id).map_or_else(String::new, |mark| mark.note.clone());
        let claim = review.text().get(range.clone()).unwrap_or_default().to_owned();
        let evidence = evidence(review, supports);
        let other = self.by_id.get(&id).map_or_else(serde_json::Map::new, |mark| mark.other.clone());
        self.by_id
            .insert(id.clone(), ReviewMark { id, label, note, by: self.who.clone(), claim, evidence, other });
        Some(label)
    }

    /// Puts a note on a mark; false where there is no mark.
    pub fn note(&mut self, review: &Review, range: &Range<usize>, note: &str) -> bool {
        let id = id(review, range);
        self.changed.insert(id.clone());
        let mark = self.by_id.get_mut(&id);
        mark.map(|mark| note.trim().clone_into(&mut mark.note)).is_some()
    }

    /// Writes the file, whole or not at all, with what others put into it meanwhile; without marks there is
    /// none.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or written; what was there stays.
    pub fn save(&mut self) -> Result<(), String> {
        // What it is a link to is written; what is not there yet begins as the user's other files do.
        let path = std::fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        let _alone = alone(&path);
        let mut now = if path.exists() { Self::read(&path)?.by_id } else { BTreeMap::new() };
        for id in &self.changed {
            match self.by_id.get(id) {
                Some(mark) => _ = now.insert(id.clone(), mark.clone()),
                None => _ = now.remove(id),
            }
        }
        self.by_id = now;
        if self.by_id.is_empty() {
            return match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
                _ => Ok(()),
            };
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let (mut file, unfinished) = Unfinished::beside(folder).map_err(failed)?;
        let mut text = Vec::new();
        for mark in self.by_id.values() {
            write::compact(&mut text, mark).map_err(failed)?;
            text.push(b'\n');
        }
        file.write_all(&text).map_err(failed)?;
        let there = std::fs::OpenOptions::new().append(true).create(true).open(&path).map_err(failed)?;
        let before = there.metadata().map_err(failed)?;
        // Where it cannot be kept the marks matter more.
        #[cfg(unix)]
        let _ = {
            use std::os::unix::fs::{MetadataExt, fchown};
            fchown(file.as_file(), Some(before.uid()), Some(before.gid()))
        };
        file.as_file()
            .set_permissions(before.permissions())
            .and_then(|()| file.as_file().sync_all())
            .map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        drop(unfinished);
        self.changed.clear();
        Ok(())
    }
}

/// Keeps other screens from writing marks between reading and writing those of an input, by its own file,
/// which stays what it is; not for long, and not where that cannot be locked.
fn alone(marks: &Path) -> Option<File> {
    let input = File::open(marks.with_extension("").with_extension("")).ok()?;
    for _ in 0..LOCK_TRIES {
        match input.try_lock() {
            Ok(()) => return Some(input),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(_)) => return None,
        }
    }
    None
}

/// A write of marks takes some milliseconds.
const LOCK_TRIES: u32 = 100;
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// The passages of what supports cite, each once.
fn evidence(review: &Review, supports: &[usize]) -> Vec<Passage> {
    let mut sources: Vec<usize> = Vec::new();
    for source in supports
        .iter()
        .filter_map(|&index| review.support(index))
        .flat_map(|support: SupportRef| support.cited())
    {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    let sources = sources.into_iter().filter_map(|source| review.source(source).map(SourceRef::sent));
    sources
        .flat_map(|source| {
            let title = source.name().to_owned();
            source
                .passages()
                .map(move |passage| Passage { title: title.clone(), text: passage.text.into_owned() })
        })
        .collect()
}

/// How far two people agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// For each pair of decisions how many claims have it: a row for the first person's, a column for the
    /// second's.
    pub counts: [[usize; 3]; 3],
    /// Claims that only one of them marked.
    pub alone: [usize; 2],
}

impl Agreement {
    /// Of two files of marks, joined by their ids.
    pub fn of(one: &Marks, other: &Marks) -> Self {
        let mut counts = [[0; 3]; 3];
        let mut both = 0;
        for (id, mark) in &one.by_id {
            let Some(second) = other.by_id.get(id) else { continue };
            both += 1;
            if let Some(count) = counts
                .get_mut(mark.label as usize)
                .and_then(|row: &mut [usize; 3]| row.get_mut(second.label as usize))
            {
                *count += 1;
            }
        }
        Self { counts, alone: [one.by_id.len() - both, other.by_id.len() - both] }
    }

    /// Claims that both marked.
    pub fn both(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// Share of the claims on which they decided alike.
    pub fn observed(&self) -> Option<f64> {
        let both = self.both();
        let alike: usize = self.counts.iter().enumerate().filter_map(|(row, counts)| counts.get(row)).sum();
        (both > 0).then(|| alike as f64 / both as f64)
    }

    /// Cohen's kappa: how much more they agree than two who decide as often but at random, from −1 to 1;
    /// nothing where both decided one thing only. Cohen, A coefficient of agreement for nominal scales, 1960.
    pub fn kappa(&self) -> Option<f64> {
        let all = self.both() as f64;
        let observed = self.observed()?;
        let row = |label: usize| self.counts.get(label).map_or(0, |row| row.iter().sum::<usize>()) as f64;
        let column = |label: usize| self.counts.iter().filter_map(|row| row.get(label)).sum::<usize>() as f64;
        let expected: f64 = (0..3).map(|label| row(label) * column(label) / (all * all)).sum();
        (expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kappa_is_that_of_the_textbook() {
        // Fifty proposals, two readers: 20 and 15 alike, 5 and 10 not; kappa 0.4.
        let agreement = Agreement { counts: [[20, 5, 0], [10, 15, 0], [0, 0, 0]], alone: [0, 0] };
        assert_eq!(agreement.both(), 50);
        assert!((agreement.observed().unwrap() - 0.7).abs() < 1e-12);
        assert!((agreement.kappa().unwrap() - 0.4).abs() < 1e-12);
        let one_sided = Agreement { counts: [[7, 0, 0], [0, 0, 0], [0, 0, 0]], alone: [0, 0] };
        assert_eq!((one_sided.observed(), one_sided.kappa()), (Some(1.0), None));
        assert_eq!(Agreement { counts: [[0; 3]; 3], alone: [1, 2] }.kappa(), None);
    }
}
