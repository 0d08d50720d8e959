//! Files that change while they are shown, and what is read of them again.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread::Builder;
use std::time::{Duration, SystemTime};

use super::super::acts::{Acts, Opened};
use super::super::state::State;
use super::super::table::Phase;
use super::told::say;
use crate::session::{Opening, Session};
use crate::store::{Input, Standing};

/// How often what is being read again is waited for.
const ARRIVAL: Duration = Duration::from_millis(100);

/// How often files are looked at, to be read again …
const LOOK: Duration = Duration::from_millis(500);

/// … and the one that is shown, to say that it has changed.
const GLANCE: Duration = Duration::from_secs(2);

/// What happens to the files that are shown.
pub(super) enum Files {
    /// Those that change are read again (`--watch`).
    Watched(Watched),
    /// That the one that is shown has changed is told: its name, and what was told of it.
    Told(Option<(String, Standing)>),
}

impl Files {
    pub fn of(state: &State, watch: bool) -> Self {
        if watch { Self::Watched(Watched::of(state)) } else { Self::Told(None) }
    }

    /// How long to wait at most before the next look.
    pub fn pace(&self, state: &State) -> Duration {
        match self {
            Self::Watched(watched) if watched.reads() => ARRIVAL,
            Self::Watched(_) => LOOK,
            Self::Told(_) if shown(state).is_some_and(Input::is_file) => GLANCE,
            Self::Told(_) => Duration::from_hours(1),
        }
    }

    /// True where the screen may look different.
    pub fn look(&mut self, state: &mut State, opening: &mut Opening, acts: &Arc<dyn Acts>) -> bool {
        match self {
            Self::Watched(watched) => watched.look(state, opening, acts),
            Self::Told(told) => tell(state, told),
        }
    }

    /// What was known of them is not any more: all is read again.
    pub fn forget(&mut self) {
        match self {
            Self::Watched(watched) => watched.forget(),
            Self::Told(told) => *told = None,
        }
    }
}

/// The input of the response that is shown.
fn shown(state: &State) -> Option<&Input> {
    let record = state.table.get(state.row)?.record as usize;
    state.session.record(record).map(|(input, _)| input)
}

/// Says that the file that is shown is no longer what was opened, once.
fn tell(state: &mut State, told: &mut Option<(String, Standing)>) -> bool {
    let Some(input) = shown(state) else { return false };
    let now = (input.name().to_owned(), input.standing());
    if told.as_ref() == Some(&now) {
        return false;
    }
    let Some(what) = change(&now.0, now.1) else { return false };
    say(state, Err(what));
    *told = Some(now);
    true
}

/// What has become of the file that is shown, where it is no longer what was opened.
pub(super) fn change_of_shown(state: &State) -> Option<String> {
    let input = shown(state)?;
    change(input.name(), input.standing())
}

fn change(file: &str, standing: Standing) -> Option<String> {
    let what = match standing {
        Standing::Same => return None,
        Standing::Gone => "is gone: what was read of it is shown",
        Standing::Changed => "has changed since it was opened: R reads it again",
    };
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    Some(format!("{name} {what}"))
}

/// Bytes of input up to which all records are decoded before the first frame.
const EAGER: u64 = 8 << 20;

/// Records up to which that is done.
pub(super) const MANY: usize = 2000;

/// Files as they were when they were read.
pub(super) struct Watched {
    files: Vec<(PathBuf, Seen)>,
    /// How many inputs there were when they were named.
    inputs: usize,
    /// What is being read again, on a thread of its own: keys do not wait for it.
    reading: Option<Receiver<Anew>>,
}

/// Length and time of a file, where it is there.
type Seen = Option<(u64, SystemTime)>;

/// What was opened anew, or why it is not shown.
type Anew = Result<Opened, String>;

impl Watched {
    pub fn of(state: &State) -> Self {
        let mut watched = Self { files: Vec::new(), inputs: 0, reading: None };
        watched.follow(state);
        watched
    }

    /// Names what is open by now; of what was known it stays known as it was. A long file is several inputs.
    fn follow(&mut self, state: &State) {
        let inputs = state.session.inputs().count();
        if inputs == self.inputs {
            return;
        }
        self.inputs = inputs;
        let mut known: HashMap<PathBuf, Seen> = self.files.drain(..).collect();
        let mut named = HashSet::new();
        for name in state.session.inputs().map(Input::name).filter(|name| named.insert(*name)) {
            let path = PathBuf::from(name);
            let state = known.remove(&path).unwrap_or_else(|| seen(&path));
            self.files.push((path, state));
        }
    }

    /// What is being read is not wanted any more; what is open may have other names.
    pub fn forget(&mut self) {
        (self.reading, self.inputs) = (None, 0);
    }

    /// Whether something is being read again.
    pub fn reads(&self) -> bool {
        self.reading.is_some()
    }

    /// Reads again what has changed, and shows what was read; true where the screen may look different.
    pub fn look(&mut self, state: &mut State, opening: &mut Opening, acts: &Arc<dyn Acts>) -> bool {
        if let Some(reading) = &self.reading {
            let anew = match reading.try_recv() {
                Ok(anew) => anew,
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => Err("not read again".to_owned()),
            };
            self.forget();
            take(state, opening, anew);
            return true;
        }
        self.follow(state);
        if let Some(name) = self.gone() {
            let name = name.display();
            say(state, Err(format!("{name} is gone: what was read of it is shown until it is there again")));
            return true;
        }
        if !self.is_different() {
            return false;
        }
        // As they are before they are read: what changes meanwhile is read once more.
        for (name, known) in &mut self.files {
            *known = seen(name).or(*known);
        }
        let (sender, reading) = mpsc::channel();
        let (shown, again) = (Shown::of(state), Arc::clone(acts));
        let started = Builder::new().spawn(move || {
            // The screen may have been left meanwhile.
            let _ = sender.send(shown.anew(&*again));
        });
        if started.is_err() {
            reload(state, opening, &**acts);
            return true;
        }
        self.reading = Some(reading);
        false
    }

    /// One of them that was there and is no longer; each is told once.
    fn gone(&mut self) -> Option<PathBuf> {
        let (name, known) =
            self.files.iter_mut().find(|(name, known)| known.is_some() && seen(name).is_none())?;
        *known = None;
        Some(name.clone())
    }

    /// Whether one of them is another by now; one that is gone is waited for.
    fn is_different(&self) -> bool {
        self.files.iter().any(|(name, known)| seen(name).is_some_and(|now| Some(now) != *known))
    }
}

fn seen(name: &Path) -> Seen {
    let file = std::fs::metadata(name).ok()?;
    Some((file.len(), file.modified().ok()?))
}

/// Reads everything again; what is shown stays as far as it is still there.
pub(super) fn reload(state: &mut State, opening: &mut Opening, acts: &dyn Acts) {
    let anew = Shown::of(state).anew(acts);
    take(state, opening, anew);
}

fn take(state: &mut State, opening: &mut Opening, anew: Anew) {
    match anew {
        Ok((anew, session)) => {
            let phase = if anew.is_open() { Phase::Checking } else { Phase::Opening };
            *opening = anew;
            state.reopen(session, phase);
            learn_all(state);
            opening.check();
            say(state, Ok("read again".to_owned()));
        }
        Err(why) => say(state, Err(why)),
    }
}

/// What is shown: it is not given up for less.
struct Shown {
    record: usize,
    is_read: bool,
    has_answer: bool,
}

impl Shown {
    fn of(state: &State) -> Self {
        Self {
            record: state.table.get(state.row).map_or(0, |row| row.record as usize),
            is_read: state.record.is_ok(),
            has_answer: state.review().is_some_and(|review| review.response.answer.is_some()),
        }
    }

    /// Opens everything anew and works out what will be shown first.
    fn anew(&self, acts: &dyn Acts) -> Anew {
        let opened = acts.reopen().map_err(|why| format!("not read again: {why}"))?;
        match self.lacks(&opened.1) {
            Some(why) => Err(format!("not read again, the last good one is shown: {why}")),
            None => Ok(opened),
        }
    }

    /// Why what is shown well now could not be shown any more.
    fn lacks(&self, session: &Session) -> Option<String> {
        match session.decode(self.record.min(session.len().saturating_sub(1))) {
            Err(error) => self.is_read.then(|| error.to_string()),
            // A file that is being written is mended as far as it goes, which may be before its answer.
            Ok(reviews) => {
                for review in reviews.iter() {
                    review.structural_findings();
                }
                let none = reviews.iter().all(|review| review.response.answer.is_none());
                (self.has_answer && none).then(|| "it holds no answer".to_owned())
            }
        }
    }
}

/// Decodes small sessions wholly, so that the list is complete at once.
pub(super) fn learn_all(state: &mut State) {
    let total: u64 = state.session.inputs().map(Input::total).sum();
    if state.table.phase == Phase::Opening || total > EAGER || state.session.len() > MANY {
        return;
    }
    for record in 1..state.session.len() {
        let result = state.session.decode(record);
        state.learn(record, &result);
    }
}
