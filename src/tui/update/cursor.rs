//! Panes, overlays and their cursors: what all changes of the state share.

use ratatui::layout::Rect;

use super::super::doc::Doc;
use super::super::layout::Layout;
use super::super::state::{
    Cursor, Filter, Notice, NoticeKind, Overlay, Pane, Prompt, State, Typing, Visited,
};

/// Something that panes show is different.
pub(super) fn changed(state: &mut State) {
    state.revision += 1;
}

/// Says something in the footer.
pub(super) fn report(state: &mut State, text: &str, failed: bool) {
    let kind = if failed { NoticeKind::Failed } else { NoticeKind::Said };
    state.notice = Some(Notice { text: text.to_owned(), kind });
}

/// Lays something over the screen, once.
pub(super) fn push(state: &mut State, overlay: Overlay) {
    if state.overlay() == Some(&overlay) {
        return;
    }
    state.overlays.push((overlay, Cursor::default()));
    changed(state);
}

/// Asks for something to be typed.
pub(super) fn ask(state: &mut State, prompt: Prompt) {
    state.typing = Some(Typing { prompt, text: String::new(), cursor: Cursor::default() });
    changed(state);
}

/// Notes where one is, to come back to.
pub(super) fn note_place(state: &mut State) {
    let here = here(state);
    if state.trail.0.last() != Some(&here) {
        state.trail.0.push(here);
        state.trail.1.clear();
    }
    if state.trail.0.len() > TRAIL {
        state.trail.0.remove(0);
    }
}

/// Where one is.
pub(super) fn here(state: &State) -> Visited {
    Visited { row: state.row, span: state.span, sentence: state.sentence }
}

/// Places that are remembered.
const TRAIL: usize = 100;

/// Closes what is open; else takes back the filter, the pane, the search.
pub(super) fn back(state: &mut State) {
    if state.overlays.pop().is_none() {
        if state.filter == Filter::All && state.focus != Pane::Answer && !state.zoomed {
            focus(state, Pane::Answer);
        } else if state.filter != Filter::All {
            state.filter = Filter::All;
        } else if !state.needle.is_empty() {
            state.needle.clear();
            state.found.clear();
            state.at = None;
        } else {
            state.zoomed = false;
        }
    }
    changed(state);
}

pub(super) fn focus_by(state: &mut State, by: usize) {
    let next = (state.focus.index() + by) % Pane::ALL.len();
    focus(state, Pane::ALL.get(next).copied().unwrap_or(Pane::Answer));
}

pub(super) fn focus(state: &mut State, pane: Pane) {
    state.focus = pane;
    if pane != Pane::Answer {
        state.asked.retain(|asked| *asked != pane);
        state.asked.push(pane);
    }
    changed(state);
}

pub(super) fn set_pane_cursor(state: &mut State, pane: Pane, cursor: Cursor) {
    if let Some(slot) = state.cursors.get_mut(pane.index()) {
        *slot = Cursor { moved: true, ..cursor };
    }
}

pub(super) fn set_cursor(state: &mut State, cursor: Cursor) {
    if let Some((_, slot)) = state.overlays.last_mut() {
        *slot = Cursor { moved: true, ..cursor };
    } else {
        set_pane_cursor(state, state.focus, cursor);
    }
}

/// Cursor, document and area of what has the keys.
pub(super) fn active<'a>(state: &State, layout: &'a Layout) -> Option<(Cursor, &'a Doc, Rect)> {
    if !state.overlays.is_empty() {
        let place = layout.overlay.as_ref()?;
        return Some((place.cursor, &place.doc, place.body));
    }
    let place = layout.pane(state.focus)?;
    Some((place.cursor, &place.doc, place.body))
}

/// The cursor stands elsewhere: of what lies over the screen only the copy menu shows something else by that.
fn moved(state: &mut State) {
    if matches!(state.overlay(), None | Some(Overlay::Copy)) {
        changed(state);
    }
}

/// Moves the cursor of what has the keys by an entry; a long one is read to its end first.
pub(super) fn step(state: &mut State, layout: &Layout, down: bool) {
    let Some((mut cursor, doc, area)) = active(state, layout) else { return };
    let height = usize::from(area.height);
    let next = if down { cursor.entry + 1 } else { cursor.entry.saturating_sub(1) };
    let here = doc.line_of(cursor.entry);
    let there = doc.line_of(next).filter(|_| next != cursor.entry);
    // A long entry is read to its end before the cursor leaves it.
    let visible = |line: usize| line >= cursor.top && line < cursor.top + height;
    match there {
        Some(line) if visible(line) || here.is_none_or(|here| line.abs_diff(here) <= height) => {
            cursor.entry = next;
            cursor.top = keep(cursor.top, line, doc, next, height);
        }
        _ if down => cursor.top = (cursor.top + 1).min(doc.height().saturating_sub(height)),
        _ => cursor.top = cursor.top.saturating_sub(1),
    }
    set_cursor(state, cursor);
    moved(state);
}

/// Puts the cursor of what has the keys on an entry.
pub(super) fn to_entry(state: &mut State, layout: &Layout, entry: usize) {
    let Some((cursor, doc, area)) = active(state, layout) else { return };
    let Some(line) = doc.line_of(entry) else { return };
    let top = keep(cursor.top, line, doc, entry, usize::from(area.height));
    set_cursor(state, Cursor { entry, top, moved: true });
    moved(state);
}

/// The first line to show so that an entry is in view, as much of it as fits.
fn keep(top: usize, line: usize, doc: &Doc, entry: usize, height: usize) -> usize {
    let end = doc.line_of(entry + 1).unwrap_or(doc.height()).min(line + height);
    let lead = if entry == 0 { 0 } else { line };
    if line < top { lead } else { top.max(end.saturating_sub(height)) }
}

pub(super) fn page(state: &mut State, layout: &Layout, down: bool) {
    let Some((_, _, area)) = active(state, layout) else { return };
    let by = isize::from(area.height as i16).max(2) - 1;
    scroll(state, layout, if down { by } else { -by });
}

pub(super) fn scroll(state: &mut State, layout: &Layout, by: isize) {
    let Some((mut cursor, doc, area)) = active(state, layout) else { return };
    let last = doc.height().saturating_sub(usize::from(area.height));
    cursor.top = cursor.top.saturating_add_signed(by).min(last);
    // The cursor stays in view where an entry begins in view.
    let shown = cursor.top..cursor.top + usize::from(area.height);
    if doc.line_of(cursor.entry).is_none_or(|line| !shown.contains(&line))
        && let Some(entry) = doc.entry_in(&shown)
    {
        cursor.entry = entry;
        moved(state);
    }
    set_cursor(state, cursor);
}

pub(super) fn jump(state: &mut State, layout: &Layout, end: bool) {
    let Some((mut cursor, doc, area)) = active(state, layout) else { return };
    cursor.entry = if end { doc.entries().saturating_sub(1) } else { 0 };
    cursor.top = if end { doc.height().saturating_sub(usize::from(area.height)) } else { 0 };
    set_cursor(state, cursor);
    moved(state);
}
