//! What happens: events to changes of the state. Pure but for the state itself; what concerns the outside
//! becomes a [`Want`](super::state::Want).

mod acting;
mod commands;
mod cursor;
mod deciding;
mod inspect;
mod keys;
mod mouse;
mod responses;
mod search;
mod spans;

use crossterm::event::Event;

use super::layout::Layout;
use super::state::{Overlay, Prompt, State};
pub use commands::run;
use cursor::changed;
pub use responses::{open_list, show};
pub use search::found_words;
pub use spans::select;

/// Takes an event. Returns whether anything may look different.
pub fn update(state: &mut State, layout: &Layout, event: &Event) -> bool {
    // What is in view is where the answer stands from now on.
    if let (Some(cursor), Some(row)) = (state.cursors.first_mut(), layout.page.row(layout.top)) {
        cursor.top = row.start;
    }
    match event {
        Event::Key(key) if key.is_press() => {
            state.notice = None;
            keys::on_key(state, layout, *key);
            true
        }
        Event::Mouse(mouse) => mouse::on_mouse(state, layout, *mouse),
        Event::Resize(..) => true,
        Event::Paste(text) => {
            let text = crate::text::one_line(text);
            if state.table.typing && state.overlay() == Some(&Overlay::Responses) {
                responses::set_list_filter(state, format!("{}{}", state.table.filter, text.trim()));
            } else if let Some(typing) = &mut state.typing {
                typing.text.push_str(text.trim());
                if matches!(typing.prompt, Prompt::Search) {
                    search::typed(state, layout);
                }
                changed(state);
            }
            true
        }
        _ => false,
    }
}
