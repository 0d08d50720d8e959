//! Where everything is at a size: regions, rows of the answer, documents of panes, places to click. Made from
//! the state before drawing and before updating, and never changed by either.

mod overlays;
mod place;

use std::sync::Arc;

use ratatui::layout::{Constraint, Layout as Split, Rect, Size};

pub use place::{Cache, GUTTER, Layout, OverlayPlace, PanePlace, SIGNS, SMALLEST, Tab, WIDE, WIDEST};
use place::{Known, PROSE, ROOMY};

use super::answer::{page, selected_range};
use super::census::Census;
use super::doc::{Doc, Hit};
use super::keymap::{Command, label};
use super::page::Page;
use super::pane::Columns;
use super::panes::{self, TabForm};
use super::standing::{Standing, sentences};
use super::state::{Cursor, Pane, State};
use super::steps::trace_row;
use crate::check::{Finding, Severity};
use crate::text::Rows;

/// Lays the screen out.
pub fn layout(state: &State, size: Size, cache: &mut Cache) -> Layout {
    if cache.revision != state.revision {
        cache.revision = state.revision;
        cache.docs.clear();
        cache.overlay = None;
    }
    let whole = Rect::new(0, 0, size.width, size.height);
    let [header, body, footer] =
        Split::vertical([Constraint::Length(2), Constraint::Min(1), Constraint::Length(1)]).areas(whole);
    let fits = |least: Size| size.width >= least.width && size.height >= least.height;
    let columns = match () {
        () if fits(WIDEST) => Columns::Three,
        () if fits(WIDE) => Columns::Two,
        () => Columns::One,
    };
    let mut out = Layout {
        size,
        enough: fits(SMALLEST),
        columns,
        header,
        lead: None,
        answer_title: Rect::ZERO,
        question: Rect::ZERO,
        answer: Rect::ZERO,
        page: Arc::new(Page::source("", 1)),
        top: 0,
        census: census(state, cache),
        map: Arc::default(),
        placeless: None,
        panes: Vec::new(),
        tabs: Vec::new(),
        rules: Vec::new(),
        footer,
        overlay: None,
        preview: None,
        palette: None,
    };
    if !out.enough {
        return out;
    }
    out.lead = lead(state, &out.census, header);
    place(state, body, cache, &mut out);
    out.page = answer_page(state, out.answer, cache);
    stretch_question(state, &mut out);
    if let Some((below, _)) = &mut out.placeless {
        // Right below a short answer.
        let rows = out.page.len().min(usize::from(out.answer.height)) as u16;
        below.y = below.y.min(out.answer.y + rows + 1);
    }
    let height = usize::from(out.answer.height.max(1));
    out.top = top_row(state, &out.page, height);
    out.map = map(state, &out, height, cache);
    out.overlay = overlays::overlay(state, whole, &out, cache);
    out.preview = overlays::preview(state, whole, out.overlay.as_ref());
    out.palette = overlays::palette(state, whole);
    out.top += overlays::covered(state, &out);
    out
}

fn census(state: &State, cache: &mut Cache) -> Arc<Census> {
    let known = Known::of(state);
    if let Some((_, census)) = cache.census.as_ref().filter(|(of, _)| of.is(&known)) {
        return Arc::clone(census);
    }
    let census = Arc::new(Census::of(state));
    cache.census = Some((known, Arc::clone(&census)));
    census
}

fn answer_page(state: &State, area: Rect, cache: &mut Cache) -> Arc<Page> {
    let width = area.width.saturating_sub(GUTTER + 2).min(PROSE);
    let known = Known::of(state);
    if let Some((of, as_sent, wide, page)) = &cache.page
        && of.is(&known)
        && (*as_sent, *wide) == (state.as_sent, width)
    {
        return Arc::clone(page);
    }
    let page = Arc::new(page(state, usize::from(width)));
    cache.page = Some((known, state.as_sent, width, Arc::clone(&page)));
    page
}

/// The first row that is shown: where the answer was left, but the selection is in view unless it was
/// scrolled away by hand.
fn top_row(state: &State, page: &Page, height: usize) -> usize {
    let cursor = state.cursor(Pane::Answer);
    let most = page.len().saturating_sub(height);
    let mut top = page.row_of(cursor.top).min(most);
    if cursor.moved {
        return top;
    }
    if let Some(range) = selected_range(state) {
        let first = page.row_of(range.start);
        let last = page.row_of(range.end.saturating_sub(1).max(range.start));
        if first < top || first >= top + height {
            top = first.saturating_sub(height / 4);
        } else if last >= top + height {
            top = (last + 1).saturating_sub(height).min(first);
        }
    }
    top.min(most)
}

/// The worst claim of each line of the scroll bar; nothing where all rows are in view.
fn map(state: &State, out: &Layout, height: usize, cache: &mut Cache) -> Arc<Vec<Option<Standing>>> {
    let page = &out.page;
    if page.len() <= height {
        return Arc::default();
    }
    if let Some((of, lines, map)) = &cache.map
        && Arc::ptr_eq(of, page)
        && *lines == height
    {
        return Arc::clone(map);
    }
    let mut map: Vec<Option<Standing>> = vec![None; height];
    let mut note = |byte: usize, standing: Standing| {
        if let Some(line) = map.get_mut(page.row_of(byte) * height / page.len()) {
            *line = Some(line.map_or(standing, |known| known.min(standing)));
        }
    };
    for (span, standing) in out.census.standings.iter().enumerate() {
        if let Some(range) = super::answer::shown_range(state, span) {
            note(range.start, *standing);
        }
    }
    for sentence in sentences(state) {
        note(sentence.start, Standing::Uncited);
    }
    let map = Arc::new(map);
    cache.map = Some((Arc::clone(page), height, Arc::clone(&map)));
    map
}

/// The answer and the panes, in the columns that fit.
fn place(state: &State, body: Rect, cache: &mut Cache, out: &mut Layout) {
    if state.zoomed {
        return zoomed(state, body, cache, out);
    }
    match out.columns {
        Columns::One => one_column(state, body, cache, out),
        Columns::Two => {
            let [left, right] = parted(body, state.divided.0, body.width * 54 / 100, out);
            answer_place(state, left, out);
            stacked(state, Columns::Two.places(), right, cache, out);
        }
        Columns::Three => {
            let [left, rest] = parted(body, state.divided.0, body.width * 44 / 100, out);
            let [middle, right] = parted(rest, 0, rest.width * 54 / 100, out);
            answer_place(state, left, out);
            let places = Columns::Three.places();
            stacked(state, places.get(..1).unwrap_or_default(), middle, cache, out);
            stacked(state, places.get(1..).unwrap_or_default(), right, cache, out);
        }
    }
}

/// One pane over the whole screen.
fn zoomed(state: &State, body: Rect, cache: &mut Cache, out: &mut Layout) {
    if state.focus == Pane::Answer {
        return answer_place(state, body, out);
    }
    // The answer keeps its rows, so that keys that walk it go on.
    answer_place(state, Rect { height: 0, ..body }, out);
    // Passages are read like the answer: longer lines are hard to follow.
    let width = if state.focus == Pane::Sources { body.width.min(PROSE + GUTTER) } else { body.width };
    side(state, state.focus, Rect { width, ..body }, false, cache, out);
}

/// Two areas side by side, parted by a rule; the left one of so many columns, and as many more as the user
/// wants.
fn parted(area: Rect, by: i16, left: u16, out: &mut Layout) -> [Rect; 2] {
    let least = 30.min(area.width / 3);
    let left = left.min(PROSE + GUTTER + 1).saturating_add_signed(by).clamp(least, area.width - least);
    out.rules.push(area.x + left);
    let right = Rect { x: area.x + left + 1, width: area.width - left - 1, ..area };
    [Rect { width: left, ..area }, right]
}

/// Where a claim is at fault, the words that lead to it; where something else is, to the findings.
fn lead(state: &State, census: &Census, header: Rect) -> Option<(Rect, String, Command)> {
    let bad = |finding: &Finding| finding.rule.severity < Severity::Note;
    let (command, what) = match () {
        () if state.listed().is_some() => return None,
        () if census.is_faulty() => (Command::NextFinding, "next fault"),
        () if state.findings().iter().any(bad) => (Command::Pane(Pane::Findings), "opens the findings"),
        () => return None,
    };
    let words = format!("{} {what} ", label(command));
    let wide = (crate::text::width(&words) as u16).min(header.width);
    // What the headline says is worth more than where it stands.
    let said = || {
        let (_, told) = census.headline(state.review()?, state.compare);
        Some(told.iter().map(|words| crate::text::width(words) + 3).sum::<usize>())
    };
    let room = usize::from(header.width.saturating_sub(wide + 2));
    if command != Command::NextFinding && said().is_some_and(|said| said > room) {
        return None;
    }
    Some((Rect::new(header.right() - wide, header.y + 1, wide, 1), words, command))
}

/// Places one above the other: the last one has two fifths, less where it needs less, and as many more rows
/// as the user wants.
fn stacked(state: &State, places: &[&[Pane]], area: Rect, cache: &mut Cache, out: &mut Layout) {
    let last = places.last().filter(|_| places.len() > 1).map(|place| state.shown_of(place));
    let needed = last.map_or(0, |pane| rows_of(state, pane, area.width, cache));
    let low = (area.height * 2 / 5)
        .min(u16::try_from(needed).unwrap_or(u16::MAX).max(LOW))
        .saturating_add_signed(-state.divided.1)
        .clamp(3, area.height.saturating_sub(4).max(3));
    let heights = if places.len() > 1 { vec![area.height - low, low] } else { vec![area.height] };
    let mut y = area.y;
    for (place, height) in places.iter().zip(heights) {
        let area = Rect { y, height, ..area };
        y += height;
        let pane = state.shown_of(place);
        side(state, pane, area, place.len() > 1, cache, out);
        if place.len() > 1 {
            tabs(state, place, area, out);
        }
    }
}

/// Rows that a pane needs with its title and a blank row, whichever claim is selected.
fn rows_of(state: &State, pane: Pane, width: u16, cache: &mut Cache) -> usize {
    // A column at the left and two at the right, as in `side`.
    let inner = width.saturating_sub(3);
    let key = (state.row, pane, width);
    let known = cache.low.filter(|(known, _)| *known == key).map(|(_, rows)| rows);
    // As long as its document stands, so does its height.
    if let Some(rows) = known.filter(|_| cache.docs.iter().any(|(known, _)| *known == (pane, inner))) {
        return rows;
    }
    let lines = document(state, pane, inner, cache).lines.len();
    // Those of the selected claim, and the rest, have headings where there are any.
    let rows = lines + 2 + if pane == Pane::Findings { panes::headings_missing(state) } else { 0 };
    let rows = rows.max(known.unwrap_or_default());
    cache.low = Some((key, rows));
    rows
}

/// The answer above, and below it one pane at a time. The same whatever has the keys: the selection stays
/// where it is seen.
fn one_column(state: &State, body: Rect, cache: &mut Cache, out: &mut Layout) {
    let top = (body.height * 52 / 100)
        .saturating_add_signed(state.divided.1)
        .clamp(4, body.height.saturating_sub(3).max(4));
    let [upper, lower] = Split::vertical([Constraint::Length(top), Constraint::Min(3)]).areas(body);
    answer_place(state, upper, out);
    let place = Columns::One.places().first().copied().unwrap_or_default();
    side(state, state.shown_of(place), lower, true, cache, out);
    tabs(state, place, lower, out);
}

/// The titles of panes that share a place, side by side.
fn tabs(state: &State, place: &[Pane], area: Rect, out: &mut Layout) {
    let wide = |(form, rule): (TabForm, u16)| -> usize {
        let own = |&pane: &Pane| crate::text::width(&panes::tab(state, pane, form)) + 2 + usize::from(rule);
        1 + place.iter().map(own).sum::<usize>() - usize::from(rule)
    };
    // The keys are worth more than a rule between the titles.
    let forms = [(TabForm::Full, 1), (TabForm::Keyed, 1), (TabForm::Keyed, 0)];
    let fits = |form: &(TabForm, u16)| wide(*form) <= usize::from(area.width);
    let (form, rule) = forms.into_iter().find(fits).unwrap_or((TabForm::Bare, 1));
    let mut x = area.x + 1;
    for &pane in place {
        let words = panes::tab(state, pane, form);
        let width = crate::text::width(&words) as u16 + 2;
        if x + width <= area.right() {
            out.tabs.push(Tab { pane, area: Rect::new(x, area.y, width, 1), words });
        }
        x += width + rule;
    }
}

/// Rows of the lower panes at least, where two fifths are as many.
const LOW: u16 = 6;

/// Rows from which on it is said that the question was not sent.
const TALL: u16 = 28;

/// Bytes of a question that are laid out.
const QUESTION: usize = 16 << 10;

/// Rows that the question needs, where there is one; `say`: or words that there is none.
fn question_rows(state: &State, area: Rect, say: bool) -> Option<u16> {
    let wide = usize::from(area.width.saturating_sub(GUTTER + 2).min(PROSE)).max(1);
    let question = panes::question(state, say)?;
    // More than a screen shows is not asked for.
    let seen = question.get(..question.floor_char_boundary(QUESTION)).unwrap_or_default();
    Some(Rows::wrap(seen, wide).iter().count().min(usize::from(u16::MAX)) as u16)
}

/// What a short answer leaves free, the question takes where it is longer.
fn stretch_question(state: &State, out: &mut Layout) {
    let Some(needed) = question_rows(state, out.answer, false).filter(|_| out.question.height > 0) else {
        return;
    };
    let rows = out.page.len().min(usize::from(u16::MAX)) as u16;
    let more = needed.saturating_sub(out.question.height).min(out.answer.height.saturating_sub(rows));
    out.question.height += more;
    out.answer = Rect { y: out.answer.y + more, height: out.answer.height - more, ..out.answer };
}

fn answer_place(state: &State, area: Rect, out: &mut Layout) {
    let [title, body] = Split::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let asked = question_rows(state, area, body.height >= TALL)
        .map_or(0, |rows| rows.clamp(1, if body.height >= ROOMY { 2 } else { 1 }));
    // A blank row parts the two where there is room.
    let gap = u16::from(asked > 0 && body.height >= 8);
    let [question, _, body] =
        Split::vertical([Constraint::Length(asked), Constraint::Length(gap), Constraint::Min(0)]).areas(body);
    let rows = panes::placeless_rows(state, usize::from(body.height));
    let [body, below] = Split::vertical([Constraint::Min(0), Constraint::Length(rows as u16)]).areas(body);
    (out.answer_title, out.question, out.answer) = (title, question, body);
    if rows > 0 {
        // A column for the cursor, as before the answer.
        let below =
            Rect { x: below.x + 1, width: below.width.saturating_sub(2).min(PROSE + GUTTER), ..below };
        out.placeless = Some((below, panes::placeless_list(state, rows, usize::from(below.width))));
    }
}

fn side(state: &State, pane: Pane, area: Rect, shared: bool, cache: &mut Cache, out: &mut Layout) {
    let [title, body] = Split::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    // A column at the left for the cursor, two at the right: a blank and the scroll bar.
    let body = Rect { x: body.x + 1, width: body.width.saturating_sub(3), ..body };
    let doc = document(state, pane, body.width, cache);
    let cursor = state.cursor(pane);
    let cursor = if cursor.moved { cursor } else { follow(state, pane, &doc, body) };
    out.panes.push(PanePlace { pane, title, body, doc, cursor, shared });
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
        Pane::Trace => {
            let response = state.review().map(|review| &review.response);
            mine().first().zip(response).and_then(|(trace, response)| trace_row(response, *trace))
        }
        _ => None,
    };
    let entry = entry.unwrap_or_default();
    let end = doc.line_of(entry + 1).unwrap_or(doc.lines.len());
    // What is said of the claim stands above its sources.
    let fits = pane == Pane::Sources || end <= usize::from(body.height);
    let top = if fits { None } else { doc.line_of(entry) };
    let last = doc.lines.len().saturating_sub(usize::from(body.height));
    Cursor { entry, top: top.unwrap_or_default().min(last), moved: false }
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
