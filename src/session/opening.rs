//! Opening in the background: inputs as they are found, and behind them what a check says of each record.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::digest::Digest;
use super::filter::ListFilter;
use super::named::Named;
use super::open::{Session, Supplied};
use super::parallel;
use crate::store::{Input, InputError, RecordText, Spool};

/// How often what was found meanwhile is handed over.
const PACE: Duration = Duration::from_millis(40);

/// Records that were checked and are not taken yet, at most: the check waits for whoever shows them.
const AHEAD: usize = 1 << 15;

/// What came meanwhile.
#[non_exhaustive]
pub enum News {
    /// More is open.
    More(Arc<Session>),
    /// Files of a directory that hold no response.
    Skipped(usize),
    /// All is open.
    Opened,
    /// What a check says of the responses of each record from one on.
    Checked {
        /// The first record.
        from: usize,
        /// The responses of each.
        facts: Vec<Vec<Digest>>,
    },
    /// All is checked.
    Done,
    /// What is not done, because the system starts no more threads, and its reason.
    Refused(String),
    /// What was found by reading.
    Found {
        /// Number of the search.
        search: usize,
        /// Record and response of each hit, behind those before.
        rows: Vec<(u32, u16)>,
        /// All was read.
        done: bool,
    },
}

/// What is being opened and checked.
pub struct Opening {
    news: Receiver<News>,
    sender: Sender<News>,
    control: Arc<Control>,
}

/// What the threads share with whoever waits for them.
#[derive(Default)]
struct Control {
    paused: AtomicBool,
    ended: AtomicBool,
    /// Number of the search that is wanted; earlier ones end.
    search: AtomicUsize,
    /// The session as far as it is open, and whether that is all.
    open: Mutex<(Arc<Session>, bool)>,
    more: Condvar,
    /// Records that were checked and are not taken yet.
    ahead: AtomicUsize,
}

impl Opening {
    /// Begins to open what is named; nothing is checked before [`Self::check`].
    ///
    /// # Errors
    ///
    /// Where the system starts no more threads.
    pub fn begin(named: Vec<Named>, supplied: Supplied) -> io::Result<Self> {
        let (sender, news) = mpsc::channel();
        let control = Arc::new(Control::default());
        control.set(Arc::new(Session::new([], supplied)), false);
        let (shared, to) = (Arc::clone(&control), sender.clone());
        Builder::new().spawn(move || {
            // However it ends, nobody waits for more.
            let _end = OnDrop(Arc::clone(&shared));
            open(named, &shared, &to);
        })?;
        Ok(Self { news, sender, control })
    }

    /// Of what is open already.
    pub fn done(session: Arc<Session>) -> Self {
        let (sender, news) = mpsc::channel();
        // The receiver is here.
        let _ = sender.send(News::Opened);
        let control = Arc::new(Control::default());
        control.set(session, true);
        Self { news, sender, control }
    }

    /// Waits until something can be shown, and a moment longer for the rest, which a short input has by then.
    /// True where that is all.
    pub fn first(&self, moment: Duration) -> (Arc<Session>, bool) {
        let begun = Instant::now();
        let mut open = self.control.open.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let (session, all) = &*open;
            if *all || session.is_read() && begun.elapsed() >= moment {
                return (Arc::clone(session), *all);
            }
            let waited = self.control.more.wait_timeout(open, moment);
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Begins to check behind the opening, on all cores.
    pub fn check(&self) {
        let (control, sender) = (Arc::clone(&self.control), self.sender.clone());
        self.start("checked", move || check(&control, &sender));
    }

    /// Looks for responses that a filter can only tell by reading them; without one, for none. What was
    /// looked for under another number is given up.
    pub fn search(&self, number: usize, filter: Option<ListFilter>) {
        self.control.search.store(number, Ordering::Relaxed);
        let Some(filter) = filter else { return };
        let (control, sender) = (Arc::clone(&self.control), self.sender.clone());
        self.start("searched", move || search(&control, number, &filter, &sender));
    }

    /// Does something behind the screen, or says that it is not done.
    fn start(&self, what: &str, work: impl FnOnce() + Send + 'static) {
        if let Err(error) = Builder::new().spawn(work) {
            // The receiver is here.
            let _ = self.sender.send(News::Refused(format!("not {what}: no thread can be started: {error}")));
        }
    }

    /// What came since it was last asked.
    pub fn news(&self) -> impl Iterator<Item = News> + '_ {
        self.news.try_iter().inspect(|news| {
            if let News::Checked { facts, .. } = news {
                self.control.ahead.fetch_sub(facts.len(), Ordering::Relaxed);
            }
        })
    }

    /// Whether all is open.
    pub fn is_open(&self) -> bool {
        self.control.open.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Stops the check where it is, or lets it go on.
    pub fn pause(&self, paused: bool) {
        self.control.paused.store(paused, Ordering::Relaxed);
    }
}

/// Says at the end of the opening that this is all.
struct OnDrop(Arc<Control>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.set(self.0.session(), true);
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.control.ended.store(true, Ordering::Relaxed);
    }
}

impl Control {
    fn set(&self, session: Arc<Session>, all: bool) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = (session, all);
        self.more.notify_all();
    }

    fn session(&self) -> Arc<Session> {
        Arc::clone(&self.open.lock().unwrap_or_else(PoisonError::into_inner).0)
    }

    fn ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// A session in which a record is open, once it is; nothing at the end.
    fn with(&self, record: usize) -> Option<Arc<Session>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        while open.0.len() <= record && !open.1 && !self.ended() {
            // Woken now and then to see whether anybody still waits.
            let waited = self.more.wait_timeout(open, Duration::from_millis(200));
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        (open.0.len() > record && !self.ended()).then(|| Arc::clone(&open.0))
    }
}

fn open(named: Vec<Named>, control: &Control, news: &Sender<News>) {
    let mut found: Vec<Result<Input, InputError>> = Vec::new();
    let mut handed = None::<Instant>;
    let mut skipped = 0;
    let mut session = control.session();
    let spool = Spool::new(session.supplied().limits.longest());
    for one in named {
        let mut any = false;
        for input in one.open(session.supplied().map.is_some(), &spool) {
            any = true;
            // Of all but the first only the places are kept.
            let is_first = handed.is_none() && found.is_empty();
            input.iter().filter(|_| !is_first).for_each(Input::forget_text);
            found.push(input);
            if handed.is_none_or(|last| last.elapsed() >= PACE) {
                session = Arc::new(session.with_more(std::mem::take(&mut found)));
                handed = Some(Instant::now());
                // What is checked was announced before.
                if control.ended() || news.send(News::More(Arc::clone(&session))).is_err() {
                    return;
                }
                control.set(Arc::clone(&session), false);
            }
        }
        if !any {
            skipped += 1;
        }
    }
    let session = Arc::new(session.with_more(found));
    let _ = news.send(News::More(Arc::clone(&session)));
    control.set(session, true);
    let _ = news.send(News::Skipped(skipped));
    let _ = news.send(News::Opened);
}

fn check(control: &Arc<Control>, news: &Sender<News>) {
    let feed = Arc::clone(control);
    let records = (0..).map_while(move |record| {
        while feed.paused.load(Ordering::Relaxed) && !feed.ended() {
            thread::sleep(PACE);
        }
        Some((feed.with(record)?, record))
    });
    let size = |(session, record): &(Arc<Session>, usize)| session.size(*record) as usize;
    let mut from = 0;
    let mut pending: Vec<Vec<Digest>> = Vec::new();
    let mut handed = Instant::now();
    let send = |from: usize, facts: Vec<Vec<Digest>>| {
        control.ahead.fetch_add(facts.len(), Ordering::Relaxed);
        news.send(News::Checked { from, facts })
    };
    let checked = parallel::ordered(
        records,
        size,
        || |(session, record)| digest(&session, record),
        |facts| {
            pending.extend(facts);
            if handed.elapsed() < PACE {
                return Ok(());
            }
            while control.ahead.load(Ordering::Relaxed) > AHEAD && !control.ended() {
                thread::sleep(PACE / 8);
            }
            handed = Instant::now();
            let facts = std::mem::take(&mut pending);
            let first = from;
            from += facts.len();
            send(first, facts)
        },
    );
    if checked.is_ok() && send(from, pending).is_ok() {
        let _ = news.send(News::Done);
    }
}

fn search(control: &Control, number: usize, filter: &ListFilter, news: &Sender<News>) {
    let mut rows = Vec::new();
    let mut handed = Instant::now();
    let mut record = 0;
    while let Some(session) = control.with(record) {
        if control.search.load(Ordering::Relaxed) != number {
            return;
        }
        rows.extend(hits(&session, record, filter));
        record += 1;
        if handed.elapsed() >= PACE {
            handed = Instant::now();
            let rows = std::mem::take(&mut rows);
            if news.send(News::Found { search: number, rows, done: false }).is_err() {
                return;
            }
        }
    }
    let _ = news.send(News::Found { search: number, rows, done: true });
}

/// The responses of a record that pass.
fn hits(session: &Session, record: usize, filter: &ListFilter) -> Vec<(u32, u16)> {
    // What stands in several frames, or beside the input, is in no one of them whole.
    let outside = session.supplied().answer.is_some();
    let may_pass = |text: RecordText| outside || text.len() > 1 || filter.may_pass(text.frame(0));
    if !session.text(record).is_some_and(may_pass) {
        return Vec::new();
    }
    let Ok(reviews) = session.decode_in_passing(record) else { return Vec::new() };
    let passing = reviews.iter().filter(|review| filter.passes_read(review));
    passing.map(|review| (record as u32, review.item as u16)).collect()
}

/// What a check says of the responses of a record.
fn digest(session: &Session, record: usize) -> Vec<Digest> {
    Digest::of_record(&session.decode_in_passing(record), |review| review.findings())
}
