//! Where everything is at a size: regions, wrapped rows, documents of panes, places to click. Made from the
//! state before drawing and before updating, and never changed by either.

use std::sync::Arc;

use ratatui::layout::{Constraint, Layout as Split, Rect, Size};

use super::answer::shown_text;
use super::doc::{Doc, Hit};
use super::pane::Place;
use super::panes;
use super::state::{Cursor, Overlay, Pane, State};
use crate::review::Review;
use crate::text::Rows;

/// Smallest size that shows everything.
pub const SMALLEST: Size = Size { width: 40, height: 10 };
/// From here on all panes are shown at once.
pub const WIDE: Size = Size { width: 110, height: 30 };
/// Hundredths of the height that the shared place takes at most.
const SHARED: u16 = 28;
/// Columns before the answer's text.
pub const GUTTER: u16 = 3;

/// A pane on the screen.
#[derive(Debug, Clone)]
pub struct PanePlace {
    /// Which.
    pub pane: Pane,
    /// Its title line.
    pub title: Rect,
    /// Its content.
    pub body: Rect,
    /// What it shows.
    pub doc: Arc<Doc>,
    /// Where it stands.
    pub cursor: Cursor,
}

/// The geometry of a frame.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Size of the screen.
    pub size: Size,
    /// Everything fits; else only a sentence is shown.
    pub enough: bool,
    /// All panes at once.
    pub wide: bool,
    /// Header lines.
    pub header: Rect,
    /// Title of the answer.
    pub answer_title: Rect,
    /// Gutter, text and scroll bar of the answer.
    pub answer: Rect,
    /// Rows of the shown text.
    pub rows: Arc<Rows>,
    /// Side panes.
    pub panes: Vec<PanePlace>,
    /// Titles that can be clicked to change a tab.
    pub tabs: Vec<(Pane, Rect)>,
    /// Footer line.
    pub footer: Rect,
    /// What lies on top: frame, content, title, document.
    pub overlay: Option<OverlayPlace>,
}

/// An overlay on the screen.
#[derive(Debug, Clone)]
pub struct OverlayPlace {
    /// With its frame.
    pub frame: Rect,
    /// Inside of the frame.
    pub body: Rect,
    /// Title.
    pub title: String,
    /// What it shows.
    pub doc: Arc<Doc>,
}

/// An overlay and a width, with the title and document made for them.
type Made = ((Overlay, u16), (String, Arc<Doc>));

/// Response and width, with the rows wrapped for them.
type Wrapped = (Option<Arc<Review>>, u16, Arc<Rows>);

/// What is worth keeping between frames: wrapped rows and documents, by what they were made from.
#[derive(Default)]
pub struct Cache {
    answer: Option<Wrapped>,
    revision: u64,
    docs: Vec<((Pane, u16), Arc<Doc>)>,
    overlay: Option<Made>,
}

/// Lays the screen out.
pub fn layout(state: &State, size: Size, cache: &mut Cache) -> Layout {
    if cache.revision != state.revision {
        cache.revision = state.revision;
        cache.docs.clear();
        cache.overlay = None;
    }
    let enough = size.width >= SMALLEST.width && size.height >= SMALLEST.height;
    let wide = size.width >= WIDE.width && size.height >= WIDE.height;
    let whole = Rect::new(0, 0, size.width, size.height);
    let [header, body, footer] =
        Split::vertical([Constraint::Length(2), Constraint::Min(1), Constraint::Length(1)]).areas(whole);
    let mut out = Layout {
        size,
        enough,
        wide,
        header,
        answer_title: Rect::ZERO,
        answer: Rect::ZERO,
        rows: Arc::new(Rows::wrap("", 1)),
        panes: Vec::new(),
        tabs: Vec::new(),
        footer,
        overlay: None,
    };
    if !enough {
        return out;
    }
    if wide {
        wide_body(state, body, cache, &mut out);
    } else {
        narrow_body(state, body, cache, &mut out);
    }
    out.rows = answer_rows(state, out.answer, cache);
    out.overlay = overlay(state, whole, cache);
    out
}

fn answer_rows(state: &State, area: Rect, cache: &mut Cache) -> Arc<Rows> {
    let width = area.width.saturating_sub(GUTTER + 1);
    let review = state.review();
    // The review is held, so that its address cannot be that of another one.
    if let Some((known, of, rows)) = &cache.answer
        && *of == width
        && match (known, review) {
            (Some(known), Some(review)) => Arc::ptr_eq(known, review),
            (None, None) => true,
            _ => false,
        }
    {
        return Arc::clone(rows);
    }
    let rows = Arc::new(Rows::wrap(shown_text(state), usize::from(width)));
    cache.answer = Some((review.cloned(), width, Arc::clone(&rows)));
    rows
}

fn wide_body(state: &State, body: Rect, cache: &mut Cache, out: &mut Layout) {
    let [left, _, right] =
        Split::horizontal([Constraint::Percentage(54), Constraint::Length(1), Constraint::Min(40)])
            .areas(body);
    answer_place(left, out);
    let panes = wide_panes(state);
    let heights: Vec<Constraint> = panes
        .iter()
        .map(|&pane| {
            let part = match pane.place() {
                Place::Main | Place::Rest => return Constraint::Min(5),
                Place::Side(part) => part,
                Place::Shared => SHARED,
            };
            // A pane with the keys gets more room. What the others do not need is that of the one that takes
            // the rest.
            let most = if pane == state.focus { body.height * 2 / 5 } else { body.height * part / 100 };
            let wanted =
                document(state, pane, right.width.saturating_sub(2), cache).lines.len().min(1000) as u16;
            Constraint::Length((wanted + 1).clamp(3, most.max(3)))
        })
        .collect();
    let areas = Split::vertical(heights).split(right);
    for (pane, &area) in panes.into_iter().zip(areas.iter()) {
        if pane.place() == Place::Shared {
            shared_tabs(area, out);
        }
        side(state, pane, area, cache, out);
    }
}

/// The panes at the right of a wide screen: of those that share a place, whichever was asked for last.
fn wide_panes(state: &State) -> Vec<Pane> {
    let own = Pane::ALL.into_iter().filter(|pane| matches!(pane.place(), Place::Rest | Place::Side(_)));
    own.chain(Pane::shared().find(|&pane| pane == state.tab).or(Pane::shared().next())).collect()
}

/// The titles of the panes that share a place, side by side.
fn shared_tabs(area: Rect, out: &mut Layout) {
    let count = Pane::shared().count() as u16;
    for (pane, number) in Pane::shared().zip(0..) {
        // The first column is left to the rule.
        let from = (area.width * number / count).max(1);
        let to = area.width * (number + 1) / count;
        out.tabs.push((pane, Rect { x: area.x + from, width: to - from, height: 1, ..area }));
    }
}

fn narrow_body(state: &State, body: Rect, cache: &mut Cache, out: &mut Layout) {
    // The same whatever has the keys: the selection stays where it is seen.
    let [top, bottom] = Split::vertical([Constraint::Percentage(52), Constraint::Min(3)]).areas(body);
    answer_place(top, out);
    side(state, state.tab, bottom, cache, out);
    let mut x = bottom.x + 1;
    for pane in Pane::ALL.into_iter().filter(|pane| pane.place() != Place::Main) {
        let width = panes::tab(state, pane).len() as u16 + 3;
        if x + width <= bottom.right() {
            out.tabs.push((pane, Rect::new(x, bottom.y, width, 1)));
        }
        x += width;
    }
}

fn answer_place(area: Rect, out: &mut Layout) {
    let [title, text] = Split::vertical([Constraint::Length(1), Constraint::Min(1)]).areas(area);
    out.answer_title = title;
    out.answer = text;
}

fn side(state: &State, pane: Pane, area: Rect, cache: &mut Cache, out: &mut Layout) {
    let [title, body] = Split::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    // A column at the left for the cursor, one at the right for the scroll bar.
    let body = Rect { x: body.x + 1, width: body.width.saturating_sub(2), ..body };
    let doc = document(state, pane, body.width, cache);
    let cursor = state.cursor(pane);
    let cursor = if cursor.moved { cursor } else { follow(state, pane, &doc, body) };
    out.panes.push(PanePlace { pane, title, body, doc, cursor });
}

/// The cursor of a pane that nobody moved: on what belongs to the selection, in view.
fn follow(state: &State, pane: Pane, doc: &Doc, body: Rect) -> Cursor {
    let mine = || state.review().map(|review| panes::of_selection(state, review)).unwrap_or_default();
    let entry = match pane {
        Pane::Queries => {
            let mine = mine();
            let queries = state.review().map_or(&[][..], |review| &review.response.queries);
            queries.iter().position(|query| query.trace.is_some_and(|trace| mine.contains(&trace)))
        }
        Pane::Trace => mine().first().copied(),
        _ => None,
    };
    let entry = entry.unwrap_or_default();
    let end = doc.line_of(entry + 1).unwrap_or(doc.lines.len());
    let top = if end <= usize::from(body.height) { None } else { doc.line_of(entry) };
    Cursor { entry, top: top.unwrap_or_default(), moved: false }
}

fn document(state: &State, pane: Pane, width: u16, cache: &mut Cache) -> Arc<Doc> {
    let key = (pane, width);
    if let Some((_, doc)) = cache.docs.iter().find(|(known, _)| *known == key) {
        return Arc::clone(doc);
    }
    let doc = Arc::new(panes::pane(state, pane, usize::from(width)));
    cache.docs.push((key, Arc::clone(&doc)));
    doc
}

fn overlay(state: &State, whole: Rect, cache: &mut Cache) -> Option<OverlayPlace> {
    let (overlay, cursor) = state.overlays.last()?;
    let most = whole.height.saturating_sub(2);
    let small = matches!(
        overlay,
        Overlay::Copy | Overlay::Filter | Overlay::Search(_) | Overlay::GoTo(_) | Overlay::Browse(_)
    );
    let widest = if matches!(overlay, Overlay::Copy) { 120 } else { 66 };
    let width = if small { widest.min(whole.width - 4) } else { whole.width };
    let inner = width - 4;
    let key = (overlay.clone(), inner);
    let (title, doc) = match &cache.overlay {
        // Of the list only the rows in view are made, and of each frame anew.
        _ if *overlay == Overlay::Responses => {
            let rows = usize::from(most.saturating_sub(2));
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
    let height = (doc.height().min(u16::MAX as usize / 2) as u16 + 2).clamp(3, most);
    let x = (whole.width - width) / 2;
    let y = if small { (whole.height - height) / 2 } else { 1 };
    let frame = Rect::new(x, y, width, height);
    let body = Rect::new(x + 2, y + 1, inner, height - 2);
    Some(OverlayPlace { frame, body, title, doc })
}

impl Layout {
    /// What stands at a line of a document shown in an area, given its first line.
    pub fn hit(doc: &Doc, area: Rect, top: usize, row: u16) -> Option<Hit> {
        let line = top + usize::from(row.checked_sub(area.y)?);
        doc.lines_from(line).next()?.hit
    }

    /// The place of a side pane, if it is on the screen.
    pub fn pane(&self, pane: Pane) -> Option<&PanePlace> {
        self.panes.iter().find(|place| place.pane == pane)
    }
}
