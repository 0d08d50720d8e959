//! The loop and the terminal: entered and left in one place, whatever ends the program.

mod ground;
mod hold;
#[cfg(unix)]
mod input;
mod keys;
mod output;
mod outside;
mod settle;
mod signals;
mod told;
mod watching;

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect, Size};
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::acts::Acts;
use super::browser;
use super::clipboard::{Clipboard, Surroundings};
use super::config::Settings;
use super::copy;
use super::keymap;
use super::layout::{Cache, Layout, layout};
use super::state::{Cursor, Notice, NoticeKind, Overlay, State, Want};
use super::table::Phase;
use super::theme::Builtin;
use super::update;
use super::view;
use crate::session::{Marks, Opening, Session};
use keys::{AT_ONCE, Keys};
pub use output::leave;
use output::{Guard, Output};
use signals::Signals;
use told::{say, tell_unread};
use watching::{Files, MANY, change_of_shown, learn_all, reload};

/// How often the screen looks for news while something goes on behind it.
const PACE: Duration = Duration::from_millis(100);

/// How long keys may wait for a comparison.
const SLICE: Duration = Duration::from_millis(5);

/// How the screen is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScreenOptions {
    /// Effects instead of colours.
    pub mono: bool,
    /// Files that change are read again.
    pub watch: bool,
}

/// Shows what is being opened until the user quits; what is open by then. The screen goes to standard error
/// where standard output is taken.
pub fn run(
    opening: Opening,
    session: Arc<Session>,
    settings: &Settings,
    acts: &Arc<dyn Acts>,
    options: ScreenOptions,
) -> io::Result<Arc<Session>> {
    crossterm::style::force_color_output(true);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        leave();
        hook(panic);
    }));
    // Before the terminal is asked for anything: that changes its modes.
    let signals = signals::watch()?;
    let mut state = State::new(session);
    let mut typed = Vec::new();
    state.theme = if options.mono {
        Builtin::Mono.theme()
    } else {
        let (ground, meanwhile) = ground::of_terminal(settings);
        typed = meanwhile;
        settings.theme(ground)
    };
    if let Ok(bindings) = settings.bindings() {
        keymap::take(bindings);
    }
    state.who = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    state.table.phase = if opening.is_open() { Phase::Checking } else { Phase::Opening };
    learn_all(&mut state);
    state.refresh();
    opening.check();
    if state.table.len() > 1 {
        // A session begins with a question; what people come for is the first answer with citations.
        let cited = (0..state.table.len().min(MANY))
            .find(|&row| state.table.get(row).is_some_and(|row| row.claims() > 0));
        if let Some(row) = cited.or(state.table.at(0)).filter(|&row| row > 0) {
            update::show(&mut state, row);
        }
        // Of a stream in pieces there is one answer.
        if state.table.shown() > 1 {
            update::open_list(&mut state);
        }
    }
    tell_unread(&mut state);
    let guard = Guard::enter()?;
    #[cfg(unix)]
    input::watch_hangup(output::leave_for_good)?;
    let held = event_loop(&mut state, guard, opening, &signals, acts, (options.watch, &typed));
    if held? {
        // The terminal may be gone by now.
        let _ = writeln!(
            io::stderr(),
            "citescope: what was copied lived in this program; paste before quitting, or use a clipboard \
             manager"
        );
    }
    Ok(state.session)
}

/// Words of rows of the list that are on the screen and were not read yet; a few at a time, so that keys are
/// answered.
fn learn_visible(state: &mut State) -> bool {
    let Some((Overlay::Responses, cursor)) = state.overlays.last() else { return false };
    let visible = (cursor.top..cursor.top + 200).map_while(|place| state.table.get(state.table.at(place)?));
    let unread = visible.filter(|row| state.table.words(row).is_none());
    let mut records: Vec<usize> = unread.map(|row| row.record as usize).take(8).collect();
    records.dedup();
    for &record in &records {
        let result = state.session.decode(record);
        state.learn(record, &result);
        state.revision += 1;
    }
    !records.is_empty()
}

/// Whether something goes on behind the screen that it may have to show.
fn is_busy(state: &State) -> bool {
    let works = match state.table.phase {
        Phase::Still | Phase::Done => false,
        Phase::Opening => true,
        Phase::Checking => !state.paused,
    };
    works || state.table.is_searching() || state.table.is_stale()
}

/// When the list was put in order, and how long that took.
struct Ordered {
    at: Instant,
    took: Duration,
}

impl Ordered {
    /// A long list is not put in order all the time: keys would wait for it.
    fn is_due(&self) -> bool {
        self.at.elapsed() >= PACE.max(self.took * 8)
    }
}

/// What came from behind the screen; true where the screen may look different. The list is put in order now
/// and then only: it may be long.
fn take_news(state: &mut State, opening: &Opening, ordered: &mut Ordered) -> bool {
    let mut came = false;
    let unread = state.session.failures().len();
    for news in opening.news() {
        state.take(news);
        came = true;
    }
    if state.session.failures().len() > unread {
        tell_unread(state);
    }
    if came || state.table.is_stale() && ordered.is_due() {
        if ordered.is_due() {
            let begun = Instant::now();
            state.refresh();
            *ordered = Ordered { at: Instant::now(), took: begun.elapsed() };
        }
        return true;
    }
    false
}

/// Compares claims with chunks between keys, a few milliseconds at a time; true while there is more to do.
fn compare_some(state: &mut State) -> bool {
    let Some(review) = state.review() else { return false };
    let indexed = review.is_indexed();
    let before = review.findings_so_far().len();
    let start = std::time::Instant::now();
    let done = review.compare(|| start.elapsed() > SLICE);
    if review.is_indexed() && !indexed || done && review.findings_so_far().len() != before {
        state.revision += 1;
        return true;
    }
    !done
}

type Screen = Terminal<CrosstermBackend<Output>>;

/// Cells that are drawn at most, whatever a terminal says of itself.
const LARGEST: Size = Size { width: 1000, height: 500 };

/// The size of the screen.
fn size_of(terminal: &Screen) -> io::Result<Size> {
    let Size { width, height } = terminal.size()?;
    // Without a row or a column there is nothing to draw on.
    if width == 0 || height == 0 {
        return Ok(Size::default());
    }
    Ok(Size { width: width.min(LARGEST.width), height: height.min(LARGEST.height) })
}

fn area(size: Size) -> Rect {
    Rect::from((Position::ORIGIN, size))
}

/// What the loop keeps from one frame to the next.
struct Running {
    /// Let go of before the terminal, which would show the cursor again, and panic where that fails.
    _guard: Guard,
    terminal: Screen,
    /// The size of the last frame.
    shown: Size,
    cache: Cache,
    clipboard: Clipboard,
    /// Clusters are on the screen on whose width terminals disagree.
    doubtful: bool,
    ordered: Ordered,
    files: Files,
    /// When files were last looked at.
    looked: Instant,
    keys: Keys,
}

impl Running {
    fn begin(state: &State, guard: Guard, (watch, typed): (bool, &[u8])) -> io::Result<Self> {
        let fixed = TerminalOptions { viewport: Viewport::Fixed(Rect::default()) };
        // The first poll installs crossterm's handler for changes of size: one that comes during the first
        // frame counts.
        event::poll(AT_ONCE)?;
        Ok(Self {
            _guard: guard,
            terminal: Terminal::with_options(CrosstermBackend::new(Output::default()), fixed)?,
            shown: Size::default(),
            cache: Cache::default(),
            clipboard: Clipboard::default(),
            doubtful: false,
            ordered: Ordered { at: Instant::now(), took: Duration::ZERO },
            files: Files::of(state, watch),
            looked: Instant::now(),
            keys: Keys::typed(typed),
        })
    }

    /// The next frame sends every cell. `clear` would ask the terminal for its cursor, and slow ones do not
    /// answer in time.
    fn forget_screen(&mut self) -> io::Result<()> {
        self.terminal.resize(area(self.shown))
    }

    /// Lays the screen out, and draws it where it may look different.
    fn show(&mut self, state: &mut State, dirty: bool) -> io::Result<Layout> {
        let size = size_of(&self.terminal)?;
        let resized = size != self.shown;
        if resized {
            self.shown = size;
            self.forget_screen()?;
        }
        copy::make_preview(state);
        let geometry = layout(state, size, &mut self.cache);
        if dirty || resized {
            frame(&mut self.terminal, state, &geometry, &mut self.doubtful)?;
        }
        Ok(geometry)
    }

    /// Reads again what has changed since it was opened, where that is wanted, or says that it has.
    fn look(&mut self, state: &mut State, opening: &mut Opening, acts: &Arc<dyn Acts>) -> bool {
        if self.looked.elapsed() < self.files.pace(state) {
            return false;
        }
        self.looked = Instant::now();
        self.files.look(state, opening, acts)
    }

    fn reload(&mut self, state: &mut State, opening: &mut Opening, acts: &dyn Acts) {
        self.files.forget();
        reload(state, opening, acts);
    }

    /// How long to wait for an event at most.
    fn pace(&self, state: &State) -> Duration {
        if is_busy(state) { PACE } else { self.files.pace(state) }
    }

    /// Takes everything that is waiting; true where the screen may look different.
    fn take_keys(&mut self, state: &mut State, mut geometry: Layout) -> io::Result<bool> {
        let mut dirty = false;
        while let Some(event) = self.keys.next()? {
            dirty |= update::update(state, &geometry, &event);
            geometry = layout(state, size_of(&self.terminal)?, &mut self.cache);
        }
        Ok(dirty)
    }

    /// Does what the state wants done; whether the screen has to be drawn anew, nothing where it wants to
    /// quit.
    fn fulfil(
        &mut self,
        state: &mut State,
        opening: &mut Opening,
        signals: &Signals,
        acts: &Arc<dyn Acts>,
    ) -> io::Result<Option<bool>> {
        let mut dirty = false;
        for want in std::mem::take(&mut state.wants) {
            match want {
                Want::Quit => return Ok(None),
                Want::Find(search) => opening.search(search.number, search.filter),
                Want::Pause(paused) => opening.pause(paused),
                Want::Suspend if signals.suspend() => {}
                Want::Suspend => {
                    say(state, Err("not stopped: no shell is there to continue it (fg)".to_owned()));
                }
                Want::Reload => self.reload(state, opening, &**acts),
                Want::Repair(in_place) => {
                    let file = state.review().map(|review| review.file().to_owned()).unwrap_or_default();
                    // What is repaired is what was shown, and no file that came in its place.
                    let done = match change_of_shown(state) {
                        Some(change) => Err(change),
                        None => acts.repair(file.as_ref(), in_place),
                    };
                    if in_place && done.is_ok() {
                        self.reload(state, opening, &**acts);
                    }
                    say(state, done);
                }
                Want::Edit(file, line, column) => {
                    leave();
                    let done = outside::edit(&file, line, column);
                    Guard::again()?;
                    self.forget_screen()?;
                    dirty = true;
                    say(state, done);
                }
                want => perform(state, want, &mut self.clipboard),
            }
        }
        Ok(Some(dirty))
    }
}

/// Shows what is open until the user quits; whether the clipboard holds something that ends with the program.
fn event_loop(
    state: &mut State,
    guard: Guard,
    mut opening: Opening,
    signals: &Signals,
    acts: &Arc<dyn Acts>,
    begun: (bool, &[u8]),
) -> io::Result<bool> {
    let mut running = Running::begin(state, guard, begun)?;
    let mut dirty = true;
    let mut drawn = state.revision;
    loop {
        let geometry = running.show(state, dirty)?;
        let learned = learn_visible(state) | state.peek();
        let comparing = compare_some(state);
        let more = learned || comparing;
        // While claims are being compared nothing on the screen changes but the last time.
        dirty = learned || comparing && state.revision != drawn;
        drawn = state.revision;
        // Blocks until something happens; wakes now and then to look at what is open.
        if more && !signals.waiting() && !event::poll(AT_ONCE)? {
            dirty |= take_news(state, &opening, &mut running.ordered);
            continue;
        }
        let woken = running.keys.is_waiting() || wait(signals, running.pace(state))?;
        if running.look(state, &mut opening, acts) {
            dirty = true;
            continue;
        }
        dirty |= take_news(state, &opening, &mut running.ordered);
        if !woken {
            continue;
        }
        // All of it before one frame is drawn.
        dirty |= running.take_keys(state, geometry)?;
        if signals.interrupted() {
            #[cfg(unix)]
            input::forget_rest();
            return Ok(running.clipboard.held);
        }
        if signals.continued() {
            Guard::again()?;
            running.forget_screen()?;
            dirty = true;
        }
        match running.fulfil(state, &mut opening, signals, acts)? {
            Some(anew) => dirty |= anew,
            None => return Ok(running.clipboard.held),
        }
    }
}

/// Draws a frame in one synchronized update. Terminals disagree on the width of clusters of several
/// characters; where one is on the screen, or was, every cell is sent again, and its row in pieces, so that
/// nothing shifts.
fn frame(terminal: &mut Screen, state: &State, geometry: &Layout, doubtful: &mut bool) -> io::Result<()> {
    queue!(terminal.backend_mut(), BeginSynchronizedUpdate)?;
    if *doubtful {
        // The size that the layout was made for: the terminal may have another one by now.
        terminal.resize(area(geometry.size))?;
    }
    let drawn = terminal.draw(|frame| view::draw(state, geometry, frame.buffer_mut()))?;
    *doubtful = drawn.buffer.content().iter().any(settle::is_doubtful);
    let buffer = doubtful.then(|| drawn.buffer.clone());
    if let Some(buffer) = buffer {
        settle::settle(terminal.backend_mut(), &buffer)?;
    }
    execute!(terminal.backend_mut(), EndSynchronizedUpdate)
}

/// Waits for an event, at most so long; false where none came.
fn wait(signals: &Signals, most: Duration) -> io::Result<bool> {
    loop {
        // The thread that took the signal ends the program; returning from here could be quicker, with
        // another exit code.
        while signals.ended() {
            std::thread::park();
        }
        match event::poll(most) {
            Ok(true) => return Ok(true),
            Ok(false) => return Ok(signals.waiting()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if signals.waiting() {
            return Ok(true);
        }
    }
}

fn perform(state: &mut State, want: Want, clipboard: &mut Clipboard) {
    let notice = match want {
        Want::Copy(text, name) => {
            match clipboard.copy(&text, Surroundings::of_process(), &mut Output::default()) {
                Ok(way) => Notice { text: format!("copied {name} {way}"), kind: NoticeKind::Done },
                Err(why) => Notice { text: format!("not copied: {why}"), kind: NoticeKind::Failed },
            }
        }
        Want::Browse(address) => match browser::open(&address, &browser::Setting::of_process()) {
            Ok(words) => Notice { text: words, kind: NoticeKind::Done },
            Err(why) => Notice { text: why, kind: NoticeKind::Failed },
        },
        Want::Mouse(on) => {
            let _ = if on {
                execute!(Output::default(), EnableMouseCapture)
            } else {
                execute!(Output::default(), DisableMouseCapture)
            };
            return;
        }
        Want::Attach(source, typed) => {
            return match outside::text_of(&typed) {
                Ok(text) => {
                    state.attach(source, text);
                    say(state, Ok("attached; claims are compared with it".to_owned()));
                }
                Err(why) => say(state, Err(why)),
            };
        }
        Want::SaveMarks(file) => return save_marks(state, file),
        Want::FreeName => {
            if let Some(typing) = &mut state.typing {
                typing.text = outside::free_name(&typing.text);
            }
            return;
        }
        Want::Write(name, text) => return say(state, outside::write(&name, &text)),
        Want::Pipe(command, text) => return run_beside(state, &command, text),
        Want::Quit
        | Want::Suspend
        | Want::Find(_)
        | Want::Pause(_)
        | Want::Reload
        | Want::Repair(_)
        | Want::Edit(..) => {
            return;
        }
    };
    state.notice = Some(notice);
    state.revision += 1;
}

/// Runs a command on what is selected, and shows what it said.
fn run_beside(state: &mut State, command: &str, text: String) {
    let said = outside::pipe(command, text);
    // It had the terminal, too.
    #[cfg(unix)]
    input::set_modes();
    match said {
        Ok(said) => {
            state.overlays.push((Overlay::Output(said), Cursor::default()));
            state.revision += 1;
        }
        Err(why) => say(state, Err(why)),
    }
}

fn save_marks(state: &mut State, file: String) {
    let saved = state.marks.get_mut(&file).and_then(|marks| marks.as_mut().ok()).map(Marks::save);
    if let Some(Err(why)) = saved {
        // What is not kept is not shown as if it were.
        state.marks.insert(file, Err(why.clone()));
        say(state, Err(format!("not kept: {why}")));
    }
}
