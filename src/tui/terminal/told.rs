//! What is said of what was done.

use super::super::keymap::{Command, label};
use super::super::state::{Notice, NoticeKind, Overlay, State};
use crate::text::plural;

/// Says how many inputs could not be read, if any.
pub(super) fn tell_unread(state: &mut State) {
    let lost = state.session.failures().len();
    if lost > 0 {
        let inputs = plural(lost, "input", "inputs");
        let place = if state.overlay() == Some(&Overlay::Responses) {
            "see the end of the list".to_owned()
        } else {
            format!("{} lists them", label(Command::Responses))
        };
        let text = format!("{inputs} could not be read: {place}");
        state.notice = Some(Notice { text, kind: NoticeKind::Failed });
    }
}

/// Says what was done, or why it was not.
pub(super) fn say(state: &mut State, done: Result<String, String>) {
    let (text, kind) = match done {
        Ok(text) => (text, NoticeKind::Done),
        Err(text) => (text, NoticeKind::Failed),
    };
    state.notice = Some(Notice { text, kind });
    state.revision += 1;
}
