//! What lies on top: where it stands, and how high it is.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::super::answer::selected_range;
use super::super::doc::Doc;
use super::super::panes;
use super::super::state::{Cursor, Overlay, Placing, Prompt, State};
use super::place::{Cache, Layout, OverlayPlace, PROSE, ROOMY};

impl OverlayPlace {
    /// Puts its frame at a line.
    fn stand_at(&mut self, y: u16) {
        (self.frame.y, self.head.y, self.body.y) = (y, y + 1, y + 1 + self.head.height);
    }
}

pub(super) fn overlay(state: &State, whole: Rect, out: &Layout, cache: &mut Cache) -> Option<OverlayPlace> {
    let (overlay, cursor) = state.overlays.last()?;
    let room = room_of(state, overlay, whole, out);
    let inner = room.width - 4;
    let key = (overlay.clone(), inner);
    let mut cursor = *cursor;
    let (title, doc) = match &cache.overlay {
        // Of the list only the rows in view are made, and of each frame anew.
        _ if *overlay == Overlay::Responses => {
            let rows = usize::from(room.height.saturating_sub(2)).saturating_sub(panes::LIST_HEAD);
            let lines = state.table.shown() + state.session.failures().len();
            cursor.top = cursor.top.min(lines.saturating_sub(rows));
            let (title, doc) = panes::list(state, inner as usize, cursor.top..cursor.top + rows);
            (title, Arc::new(doc))
        }
        Some((known, made)) if *known == key => made.clone(),
        _ => {
            let (title, doc) = panes::overlay(state, overlay, inner as usize);
            let made = (title, Arc::new(doc));
            cache.overlay = Some((key, made.clone()));
            made
        }
    };
    let mut place = framed(room, title, doc);
    if *overlay == Overlay::Responses && state.table.shown() == 0 {
        // What it covered elsewhere is of no response that passes.
        place.frame.height = room.height;
    }
    // What stands over the answer leaves the selection in view; a list and a page take all there is.
    let over_answer = room.x == 0 && overlay.placing() != Placing::Page && *overlay != Overlay::Responses;
    if over_answer {
        place.stand_at(clear_of_selection(state, out, room, place.frame.height));
    }
    place.cursor = if cursor.moved { cursor } else { begun(&place) };
    Some(place)
}

/// The cursor of an overlay that nobody moved: where its document begins, with what leads to it.
fn begun(place: &OverlayPlace) -> Cursor {
    let (entry, height) = (place.doc.begin(), usize::from(place.body.height));
    let line = place.doc.line_of(entry).filter(|_| entry > 0).unwrap_or_default();
    let last = place.doc.height().saturating_sub(height);
    Cursor { entry, top: line.saturating_sub(height / 3).min(last), moved: false }
}

/// A frame in an area, as high as what it shows.
fn framed(room: Rect, title: String, doc: Arc<Doc>) -> OverlayPlace {
    let lines = (doc.height() + doc.head.len()).min(u16::MAX as usize / 2) as u16;
    let height = (lines + 2).clamp(3, room.height.max(3));
    let frame = Rect { height, ..room };
    let inside = Rect::new(room.x + 2, room.y + 1, room.width - 4, height - 2);
    // A line of what it heads is in view however low the screen is.
    let head = Rect { height: (doc.head.len() as u16).min(inside.height - 1), ..inside };
    let body = Rect { y: head.bottom(), height: inside.height - head.height, ..inside };
    OverlayPlace { frame, head, body, title, doc, cursor: Cursor::default() }
}

/// The line at which something so high leaves the selection in view, the lowest if several do.
fn clear_of_selection(state: &State, out: &Layout, room: Rect, height: u16) -> u16 {
    let low = room.bottom().saturating_sub(height).max(room.y);
    match selected_lines(state, out) {
        Some((first, _)) if first >= low && first >= room.y + height => room.y,
        _ => low,
    }
}

/// Rows by which the answer has to be scrolled so that what lies on top leaves the selection in view.
pub(super) fn covered(state: &State, out: &Layout) -> usize {
    let Some((first, last)) = selected_lines(state, out) else { return 0 };
    let on_top = [&out.overlay, &out.palette].into_iter().flatten().map(|place| place.frame);
    let covers =
        |frame: &Rect| frame.x == 0 && frame.y <= last && first < frame.bottom() && frame.y > out.answer.y;
    let Some(frame) = on_top.filter(covers).min_by_key(|frame| frame.y) else { return 0 };
    // A claim that is higher than what is left shows its beginning.
    usize::from((last + 1 - frame.y).min(first.saturating_sub(out.answer.y)))
}

/// Where an overlay may stand: beside the selection where there is room, not on it; a list or a page of its
/// own over all.
fn room_of(state: &State, overlay: &Overlay, whole: Rect, out: &Layout) -> Rect {
    let placing = overlay.placing();
    // The headline is of what lies below, where there are rows enough for both; a page has its own.
    let lead = if placing == Placing::Page || whole.height < ROOMY { 1 } else { 2 };
    let body = Rect { y: whole.y + lead, height: whole.height.saturating_sub(lead + 1), ..whole };
    if matches!(placing, Placing::Page | Placing::Wide) {
        let beside = if *overlay == Overlay::Responses { beside_list(whole.width) } else { 0 };
        return Rect { width: body.width - beside, ..body };
    }
    let beside = out.rules.first().map(|x| Rect { x: x + 1, width: whole.width - x - 1, ..body });
    if let Some(beside) = beside.filter(|beside| beside.width >= LEAST_BESIDE) {
        return beside;
    }
    if placing == Placing::Menu {
        return body;
    }
    let below = selected_lines(state, out).map_or(body, |(_, line)| {
        let y = (line + 1).max(body.y);
        Rect { y, height: body.bottom().saturating_sub(y), ..body }
    });
    if below.height >= LEAST_BELOW { below } else { body }
}

/// Columns of the preview beside the list: none where the list needs them all.
fn beside_list(width: u16) -> u16 {
    match width {
        190.. => (width - 134).min(PROSE),
        150.. => width * 3 / 8,
        _ => 0,
    }
}

/// The response at the cursor of the list: beside it, or below where it is narrow and short.
pub(super) fn preview(state: &State, whole: Rect, list: Option<&OverlayPlace>) -> Option<OverlayPlace> {
    let list = list.filter(|_| state.overlay() == Some(&Overlay::Responses))?.frame;
    let (width, bottom) = (beside_list(whole.width), whole.bottom() - 1);
    let room = if width > 0 {
        Rect::new(whole.width - width, list.y, width, bottom - list.y)
    } else {
        let below = Rect { y: list.bottom(), height: bottom.saturating_sub(list.bottom()), ..whole };
        Some(below).filter(|below| below.height >= LEAST_PREVIEW)?
    };
    let (title, doc) = panes::preview(state, usize::from(room.width - 4), usize::from(room.height - 2))?;
    let place = framed(room, title, Arc::new(doc));
    let height = if width > 0 { place.frame.height.max(list.height) } else { room.height };
    Some(OverlayPlace { frame: Rect { height, ..room }, ..place })
}

/// Rows that a preview needs below the list.
const LEAST_PREVIEW: u16 = 6;

/// Columns that an overlay needs beside the answer.
const LEAST_BESIDE: u16 = 48;
/// Rows that one needs below the selection.
const LEAST_BELOW: u16 = 12;

/// The lines of the screen on which the selection begins and ends, where the end is in view.
fn selected_lines(state: &State, out: &Layout) -> Option<(u16, u16)> {
    let range = selected_range(state)?;
    let row = out.page.row_of(range.end.saturating_sub(1).max(range.start));
    let line = row.checked_sub(out.top).filter(|line| *line < usize::from(out.answer.height))?;
    let first = out.page.row_of(range.start).saturating_sub(out.top);
    Some((out.answer.y + first as u16, out.answer.y + line as u16))
}

/// The palette, above the line that it is typed in.
pub(super) fn palette(state: &State, whole: Rect) -> Option<OverlayPlace> {
    let typing = state.typing.as_ref().filter(|typing| matches!(typing.prompt, Prompt::Palette))?;
    let width = whole.width.min(84);
    let doc = Arc::new(panes::palette(state, &typing.text, usize::from(width - 4)));
    let most = whole.height.saturating_sub(3).min(18);
    let height = (doc.height() as u16 + 2).clamp(3, most.max(3));
    let room = Rect { x: 0, y: whole.bottom().saturating_sub(1 + height), width, height };
    let mut place = framed(room, "Commands".to_owned(), doc);
    let entry = typing.cursor.entry.min(place.doc.entries().saturating_sub(1));
    let top = (entry + 1).saturating_sub(usize::from(place.body.height));
    place.cursor = Cursor { entry, top, moved: true };
    Some(place)
}
