//! Drawing. Reads the state and the layout and changes neither.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::answer::{clusters, matches, shown_overlapping, shown_range, shown_text};
use super::doc::Doc;
use super::footer::hints;
use super::layout::{GUTTER, Layout, OverlayPlace, PanePlace, SMALLEST};
use super::pane::Place;
use super::panes;
use super::state::{Cursor, NoticeKind, Overlay, Pane, State};
use super::table::Phase;
use crate::check::Severity;
use crate::evidence::Reason;
use crate::export::fit::{fit_sentence, tally};
use crate::look::{Role, Tone};
use crate::review::{Review, SupportRef};
use crate::text::{counted, one_line, truncate, width};

/// Draws the whole screen.
pub fn draw(state: &State, layout: &Layout, buffer: &mut Buffer) {
    if !layout.enough {
        let words = format!("needs {}×{} or more", SMALLEST.width, SMALLEST.height);
        put(buffer, Rect::new(0, 0, layout.size.width, 1), 0, &words, Style::new());
        return;
    }
    header(state, layout, buffer);
    answer_title(state, layout, buffer);
    answer(state, layout, buffer);
    for place in &layout.panes {
        side(state, layout, place, buffer);
    }
    if layout.wide {
        separator(state, layout, buffer);
    }
    footer(state, layout, buffer);
    if let (Some((overlay, cursor)), Some(place)) = (state.overlays.last(), &layout.overlay) {
        self::overlay(state, overlay, *cursor, place, buffer);
    }
}

/// Writes text at a column of a one-line area, cut to it. Returns the column after it.
fn put(buffer: &mut Buffer, area: Rect, column: u16, text: &str, style: Style) -> u16 {
    if column >= area.width || area.height == 0 {
        return column;
    }
    let cut = truncate(text, usize::from(area.width - column));
    buffer.set_stringn(area.x + column, area.y, &cut, usize::from(area.width - column), style);
    column + width(&cut) as u16
}

fn put_right(buffer: &mut Buffer, area: Rect, after: u16, text: &str, style: Style) {
    let wide = width(text) as u16;
    if after + wide < area.width {
        put(buffer, area, area.width - wide, text, style);
    }
}

// ---- header and footer ----

fn header(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let theme = state.theme;
    let top = Rect { height: 1, ..layout.header };
    let name = state.record.as_ref().map_or_else(
        |error| error.name.clone(),
        |record| record.first().map_or_else(String::new, |review| review.file().to_owned()),
    );
    let file = name.rsplit('/').next().unwrap_or(&name);
    let mut x = put(buffer, top, 1, "citescope", theme.style(Role::Focus));
    x = put(buffer, top, x + 1, &one_line(file), theme.style(Role::Strong));
    if state.table.len() > 1 {
        x = put(
            buffer,
            top,
            x + 1,
            &format!("{}/{}", state.row + 1, state.table.len()),
            theme.style(Role::Key),
        );
    }
    if let Some(words) = progress(state) {
        x = put(buffer, top, x + 1, &words, theme.style(Role::Dim));
    }
    let Some(review) = state.review() else { return };
    let response = &review.response;
    let format = crate::format::FORMATS
        .iter()
        .find(|format| format.id == response.format_id())
        .map_or("", |format| format.short);
    let counts = counts(review);
    let room = top.width.saturating_sub(x + width(&counts) as u16 + 4);
    let model = response.model.as_deref().or(response.about.author.as_deref()).unwrap_or("");
    let words = if model.is_empty() { format.to_owned() } else { format!("{format} · {model}") };
    if usize::from(room) >= width(format) {
        x = put(buffer, top, x + 2, &truncate(&one_line(&words), usize::from(room)), theme.style(Role::Dim));
    }
    put_right(buffer, top, x, &format!("{counts} "), theme.style(Role::Plain));
    let second = Rect { y: layout.header.y + 1, height: 1, ..layout.header };
    let (fit_sign, fit, sentence) = fit_sentence(review);
    let (tally, worst) = tally(state.findings());
    let (sign, role) =
        worst.map(Tone::from).map_or((fit_sign, fit.role()), |tone| (tone.sign(), tone.role()));
    let mut x = put(buffer, second, 1, sign, theme.style(role));
    if !tally.is_empty() {
        x = put(buffer, second, x + 1, &format!("{tally} ·"), theme.style(Role::Strong));
    }
    put(
        buffer,
        second,
        x + 1,
        &sentence,
        theme.style(if role == Role::Good { Role::Dim } else { Role::Plain }),
    );
}

/// How far what goes on behind the screen is.
fn progress(state: &State) -> Option<String> {
    let (table, records) = (&state.table, state.session.len());
    let percent = table.checked * 100 / records.max(1);
    match table.phase {
        Phase::Still | Phase::Done => None,
        Phase::Opening => Some(format!("opening, {} checked", table.checked)),
        // What takes a moment is not worth a word.
        Phase::Checking if records < PROGRESS => None,
        Phase::Checking if state.paused => Some(format!("{percent} % checked, waits")),
        Phase::Checking => Some(format!("{percent} % checked")),
    }
}

/// Records from which on it is said how far the check is.
const PROGRESS: usize = 500;

fn counts(review: &Review) -> String {
    let response = &review.response;
    let coverage =
        review.coverage().map(|share| format!(" · {:.0} % cited", share * 100.0)).unwrap_or_default();
    format!(
        "{} · {}{coverage}",
        counted(response.supports.len(), "support"),
        counted(response.sources.len(), "source")
    )
}

fn footer(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let theme = state.theme;
    let area = layout.footer;
    if let Some(notice) = &state.notice {
        let tone = match notice.kind {
            NoticeKind::Done => Tone::Good,
            NoticeKind::Said => Tone::Quiet,
            NoticeKind::Failed => Tone::Warning,
        };
        let x = put(buffer, area, 1, tone.sign(), theme.style(tone.role()));
        put(buffer, area, x + 1, &one_line(&notice.text), theme.style(Role::Strong));
        return;
    }
    let mut x = 1;
    for (keys, word) in hints(state) {
        let wide = (width(&keys) + width(word) + 1) as u16;
        if x + wide + 1 > area.width {
            break;
        }
        x = put(buffer, area, x, &keys, theme.style(Role::Key));
        x = put(buffer, area, x + 1, word, theme.style(Role::Plain)) + 2;
    }
}

// ---- answer ----

fn answer_title(state: &State, layout: &Layout, buffer: &mut Buffer) {
    title(state, layout.answer_title, Pane::Answer, &panes::subtitle(state, Pane::Answer), buffer);
}

/// A rule with the name of a pane in it.
fn title(state: &State, area: Rect, pane: Pane, subtitle: &str, buffer: &mut Buffer) {
    let theme = state.theme;
    rule(state, area, buffer);
    let focused = state.focus == pane && state.overlays.is_empty();
    let name = format!(" {} ", pane.title());
    let x = put(buffer, area, 1, &name, theme.style(if focused { Role::Focus } else { Role::Strong }));
    if !subtitle.is_empty() {
        put(
            buffer,
            Rect { width: area.width.saturating_sub(1), ..area },
            x,
            &format!(" {subtitle} "),
            theme.style(Role::Dim),
        );
    }
}

fn rule(state: &State, area: Rect, buffer: &mut Buffer) {
    put(buffer, area, 0, &"─".repeat(usize::from(area.width)), state.theme.style(Role::Dim));
}

/// A stretch of the answer and what it is. Later ones lie over earlier ones.
struct Layer {
    range: Range<usize>,
    role: Role,
}

fn answer(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let area = layout.answer;
    let theme = state.theme;
    let top = state.cursor(Pane::Answer).top;
    let text = shown_text(state);
    if text.is_empty() {
        nothing(state, area, buffer);
        return;
    }
    let shown = top..(top + usize::from(area.height)).min(layout.rows.len());
    let visible = layout.rows.row(shown.start).map_or(0, |row| row.start)
        ..layout.rows.row(shown.end.saturating_sub(1)).map_or(0, |row| row.end);
    let layers = layers(state, text, &visible);
    let selected = shown_range(state, state.span);
    for (line, index) in shown.enumerate() {
        let Some(row) = layout.rows.row(index) else { break };
        let y = area.y + line as u16;
        gutter(state, &row, selected.as_ref(), Position::new(area.x, y), buffer);
        for (byte, column, drawn) in clusters(text, row) {
            let x = area.x + GUTTER + column as u16;
            if drawn.width == 0 || x + drawn.width as u16 >= area.right() {
                continue;
            }
            let style = layers
                .iter()
                .filter(|layer| layer.range.contains(&byte))
                .fold(Style::new(), |style, layer| style.patch(theme.style(layer.role)));
            buffer.set_stringn(x, y, &drawn.text, drawn.width, style);
        }
    }
    mini_map(state, layout, text, buffer);
}

fn nothing(state: &State, area: Rect, buffer: &mut Buffer) {
    let words = match &state.record {
        Err(error) => error.to_string(),
        Ok(_) => "this response carries no answer text".to_owned(),
    };
    let mut doc = Doc::new(usize::from(area.width.saturating_sub(GUTTER + 2)));
    doc.text(0, &words, Role::Plain, usize::from(area.height));
    let inner = Rect { x: area.x + GUTTER, width: area.width.saturating_sub(GUTTER), ..area };
    lines(state, &doc, inner, 0, None, buffer);
}

/// What lies on the visible stretch: spans, the selected one, matches.
fn layers(state: &State, text: &str, visible: &Range<usize>) -> Vec<Layer> {
    let Some(review) = state.review() else { return Vec::new() };
    let spans = shown_overlapping(state, visible);
    let mut layers: Vec<Layer> = Vec::new();
    for &span in &spans {
        let Some(range) = shown_range(state, span) else { continue };
        let mut supports = review.of_span(span);
        let role = match () {
            () if !state.walks(span) => Role::Faded,
            () if supports.clone().any(SupportRef::is_misfit) => Role::SpanMoved,
            () if !supports.any(|support| support.resolves()) => Role::SpanBare,
            () if span % 2 == 0 => Role::Span,
            () => Role::SpanOther,
        };
        layers.push(Layer { range, role });
        let marks = review.of_span(span).filter(|support| support.is_inferred());
        layers.extend(marks.filter_map(SupportRef::named).map(|range| Layer { range, role: Role::Dim }));
    }
    if let Some(range) = shown_range(state, state.span) {
        layers.push(Layer { range, role: Role::Selected });
    }
    if state.compare && review.response.answer.is_some() {
        for judged in state.selected().iter().filter_map(|&support| state.judged(support)) {
            // Of a claim in another language every word is absent: that says nothing. Its numbers do.
            let reason = judged.verdict.outcome.reason();
            let words = (&judged.absent, Role::Absent, reason.is_none());
            let numbers = (
                &judged.numbers,
                Role::AbsentNumber,
                reason.is_none_or(|reason| reason == Reason::OtherLanguage),
            );
            for (ranges, role, _) in [words, numbers].into_iter().filter(|(_, _, shown)| *shown) {
                layers.extend(ranges.iter().map(|range| Layer { range: range.clone(), role }));
            }
        }
    }
    layers.extend(
        matches(text, &state.needle, visible.clone())
            .into_iter()
            .map(|range| Layer { range, role: Role::Match }),
    );
    layers
}

/// Selection bar and the sign of the worst thing that begins in the row.
fn gutter(
    state: &State,
    row: &Range<usize>,
    selected: Option<&Range<usize>>,
    at: Position,
    buffer: &mut Buffer,
) {
    let theme = state.theme;
    let Some(review) = state.review() else { return };
    if selected.is_some_and(|range| range.start < row.end && range.end > row.start) {
        buffer.set_string(at.x, at.y, "▌", theme.style(Role::Key));
    }
    let begins = |span: &usize| shown_range(state, *span).is_some_and(|range| row.contains(&range.start));
    let here = shown_overlapping(state, row);
    let supports = here.iter().filter(|span| begins(span)).flat_map(|&span| review.supports_of(span));
    let worst =
        supports.filter_map(|&support| state.worst_of(support)).min().filter(|&worst| worst < Severity::Note);
    if let Some(tone) = worst.map(Tone::from) {
        buffer.set_string(at.x + 1, at.y, tone.sign(), theme.style(tone.role()));
    }
}

/// Findings that are marked beside the scroll bar; more would fill it.
const MARKS: usize = 300;

/// The scroll bar, with a mark where findings begin.
fn mini_map(state: &State, layout: &Layout, text: &str, buffer: &mut Buffer) {
    let area = layout.answer;
    let height = usize::from(area.height);
    let theme = state.theme;
    let x = area.right().saturating_sub(1);
    let rows = layout.rows.len();
    if rows > height {
        let top = state.cursor(Pane::Answer).top;
        let (first, last) = (top * height / rows, ((top + height) * height / rows).min(height));
        for line in 0..height {
            let inside = (first..last.max(first + 1)).contains(&line);
            buffer.set_string(
                x,
                area.y + line as u16,
                if inside { "┃" } else { "│" },
                theme.style(if inside { Role::Key } else { Role::Dim }),
            );
        }
    }
    let Some(review) = state.review() else { return };
    for finding in
        review.findings_so_far().iter().filter(|finding| finding.rule.severity < Severity::Note).take(MARKS)
    {
        for &support in finding.supports.iter().take(200) {
            let Some(range) =
                review.support(support).and_then(SupportRef::range).filter(|range| range.start < text.len())
            else {
                continue;
            };
            let row = layout.rows.row_of(range.start);
            let line = if rows > height { row * height / rows } else { row };
            if line < height {
                let tone = Tone::from(finding.rule.severity);
                buffer.set_string(x, area.y + line as u16, tone.sign(), theme.style(tone.role()));
            }
        }
    }
}

// ---- side panes and overlays ----

fn separator(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let x = layout.answer.right();
    for y in layout.answer_title.y..layout.footer.y {
        buffer.set_string(x, y, "│", state.theme.style(Role::Dim));
    }
}

fn side(state: &State, layout: &Layout, place: &PanePlace, buffer: &mut Buffer) {
    if layout.wide && place.pane.place() != Place::Shared {
        title(state, place.title, place.pane, &panes::subtitle(state, place.pane), buffer);
    } else {
        tabs(state, layout, place, buffer);
    }
    let cursor = place.cursor;
    let focused = state.focus == place.pane && state.overlays.is_empty();
    let at = place.doc.entries.get(cursor.entry).map(|(_, hit)| *hit);
    lines(
        state,
        &place.doc,
        place.body,
        cursor.top,
        at.filter(|_| focused || place.pane == Pane::Sources),
        buffer,
    );
    scroll_bar(state, &place.doc, place.body, cursor.top, buffer);
}

fn tabs(state: &State, layout: &Layout, place: &PanePlace, buffer: &mut Buffer) {
    let theme = state.theme;
    rule(state, place.title, buffer);
    for (pane, area) in &layout.tabs {
        let role = match () {
            () if state.focus == *pane && state.overlays.is_empty() => Role::Focus,
            () if place.pane == *pane => Role::Strong,
            () => Role::Dim,
        };
        let x = put(buffer, *area, 0, &format!(" {} ", panes::tab(state, *pane)), theme.style(role));
        if *pane == Pane::Findings
            && let Some(tone) = tally(state.findings()).1.map(Tone::from)
        {
            put(buffer, *area, x - 1, tone.sign(), theme.style(tone.role()));
        }
    }
}

/// The lines of a document in an area; a bar marks the entry at the cursor.
fn lines(state: &State, doc: &Doc, area: Rect, top: usize, at: Option<super::doc::Hit>, buffer: &mut Buffer) {
    for (offset, line) in doc.lines_from(top).take(usize::from(area.height)).enumerate() {
        let row = Rect { y: area.y + offset as u16, height: 1, ..area };
        let mut column = 0;
        for (text, role) in &line.pieces {
            column = put(buffer, row, column, text, state.theme.style(*role));
        }
        if at.is_some() && line.hit == at && area.x > 0 {
            buffer.set_string(area.x - 1, row.y, "▌", state.theme.style(Role::Key));
        }
    }
}

fn scroll_bar(state: &State, doc: &Doc, area: Rect, top: usize, buffer: &mut Buffer) {
    let height = usize::from(area.height);
    let total = doc.height();
    if total <= height || height == 0 {
        return;
    }
    let (first, last) = (top * height / total, ((top + height) * height / total).min(height));
    for line in 0..height {
        let inside = (first..last.max(first + 1)).contains(&line);
        buffer.set_string(
            area.right(),
            area.y + line as u16,
            if inside { "┃" } else { "│" },
            state.theme.style(if inside { Role::Key } else { Role::Dim }),
        );
    }
}

fn overlay(state: &State, overlay: &Overlay, cursor: Cursor, place: &OverlayPlace, buffer: &mut Buffer) {
    let theme = state.theme;
    let frame = place.frame;
    buffer.set_style(buffer.area, Style::reset().add_modifier(ratatui::style::Modifier::DIM));
    for y in frame.y..frame.bottom() {
        let row = Rect { y, height: 1, ..frame };
        put(buffer, row, 0, &" ".repeat(usize::from(frame.width)), Style::reset());
        let (left, right) = match y {
            _ if y == frame.y => ("╭", "╮"),
            _ if y + 1 == frame.bottom() => ("╰", "╯"),
            _ => ("│", "│"),
        };
        let edge = y == frame.y || y + 1 == frame.bottom();
        if edge {
            put(buffer, row, 1, &"─".repeat(usize::from(frame.width - 2)), theme.style(Role::Dim));
        }
        put(buffer, row, 0, left, theme.style(Role::Dim));
        put(buffer, row, frame.width - 1, right, theme.style(Role::Dim));
    }
    let top = Rect { height: 1, width: frame.width - 2, ..frame };
    put(buffer, top, 2, &format!(" {} ", one_line(&place.title)), theme.style(Role::Focus));
    let listed = !matches!(
        overlay,
        Overlay::Help | Overlay::Raw(_) | Overlay::Search(_) | Overlay::GoTo(_) | Overlay::Browse(_)
    );
    let at = place.doc.entry_at(cursor.entry).filter(|_| listed);
    lines(state, &place.doc, place.body, cursor.top, at, buffer);
    scroll_bar(state, &place.doc, Rect { width: place.body.width + 1, ..place.body }, cursor.top, buffer);
}
