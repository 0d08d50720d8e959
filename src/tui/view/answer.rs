//! The answer: the question above it, its rows with the rail before them, the scroll bar with the map.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use super::super::answer::{matches, selected_range, shown_overlapping, shown_range, shown_text};
use super::super::doc::{Doc, Hit};
use super::super::keymap::{Command, label};
use super::super::layout::{GUTTER, Layout, SIGNS};
use super::super::page::{Drawn, Of};
use super::super::panes;
use super::super::standing::{Standing, sentences};
use super::super::state::{Filter, Pane, State};
use super::ink::{put, thumb};
use super::side;
use crate::evidence::Reason;
use crate::look::Role;
use crate::review::SupportRef;
use crate::session::Decision;
use crate::text::Rows;

/// The question, dim, before the answer.
pub(super) fn question(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let area = layout.question;
    let Some(question) = panes::question(state, true).filter(|_| area.height > 0) else { return };
    let theme = state.theme;
    put(buffer, Rect { height: 1, ..area }, 1, "Q", theme.style(Role::Key));
    let inner = Rect { x: area.x + GUTTER, width: area.width.saturating_sub(GUTTER + 1), ..area };
    let rows = Rows::wrap(&question, usize::from(inner.width.max(1)));
    for (line, row) in rows.iter().take(usize::from(area.height)).enumerate() {
        let last = line + 1 == usize::from(area.height);
        let goes_on = last && line + 1 < rows.len();
        // The last row says by its ellipsis that the question goes on, and where the whole of it stands.
        let words = if last { question.get(row.start..) } else { question.get(row) };
        let hint = format!(" {} all of it", label(Command::Pane(Pane::Response)));
        let hint = if goes_on { hint } else { String::new() };
        let width = inner.width.saturating_sub(crate::text::width(&hint) as u16);
        let at = Rect { y: inner.y + line as u16, height: 1, width, ..inner };
        put(buffer, at, 0, words.unwrap_or_default().trim_end(), theme.style(Role::Dim));
        put(buffer, Rect { width: inner.width, ..at }, width, &hint, theme.style(Role::Key));
    }
}

/// A stretch of the answer and what it is. Later ones lie over earlier ones.
struct Layer {
    range: Range<usize>,
    role: Role,
}

pub(super) fn answer(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let area = layout.answer;
    if let Some((below, doc)) = &layout.placeless {
        let selected = state.selected().first().map(|&support| Hit::Support(support));
        side::lines(state, doc, *below, 0, selected, buffer);
    }
    let text = shown_text(state);
    if text.is_empty() {
        nothing(state, area, buffer);
        return;
    }
    let page = &layout.page;
    let shown = layout.top..(layout.top + usize::from(area.height)).min(page.len());
    let visible = page.row(shown.start).map_or(0, |row| row.start)
        ..page.row(shown.end.saturating_sub(1)).map_or(0, |row| row.end);
    let layers = layers(state, text, &visible);
    let selected = selected_range(state);
    for (line, index) in shown.enumerate() {
        let y = area.y + line as u16;
        let Some(bytes) = page.row(index) else { break };
        rail(state, layout, &bytes, selected.as_ref(), Position::new(area.x, y), buffer);
        let here: Vec<&Layer> = layers
            .iter()
            .filter(|layer| {
                layer.range.start < bytes.end.max(bytes.start + 1) && layer.range.end > bytes.start
            })
            .collect();
        for drawn in page.drawn(text, index) {
            let x = area.x + GUTTER + drawn.column as u16;
            if drawn.cell.width == 0 || x + drawn.cell.width as u16 >= area.right() {
                continue;
            }
            let style = style_of(state, layout, &here, &drawn, selected.as_ref());
            buffer.set_stringn(x, y, &drawn.cell.text, drawn.cell.width, style);
        }
    }
    scroll_bar(state, layout, buffer);
}

/// What a cluster is drawn in: what Markdown says of it, what lies on it; a number in the colour of its
/// claim.
fn style_of(
    state: &State,
    layout: &Layout,
    layers: &[&Layer],
    drawn: &Drawn,
    selected: Option<&Range<usize>>,
) -> Style {
    let theme = state.theme;
    let set = drawn.style.roles().fold(Style::new(), |style, role| style.patch(theme.style(role)));
    let under = |byte: usize| {
        let here = || layers.iter().filter(|layer| layer.range.contains(&byte));
        let style = here().fold(set, |style, layer| style.patch(theme.style(layer.role)));
        // Where both are reversed, what was found would not show in the selection.
        let reversed = |role| {
            let reverses = theme.style(role).add_modifier.contains(Modifier::REVERSED);
            reverses && here().any(|layer| layer.role == role)
        };
        if reversed(Role::Match) && reversed(Role::Selected) {
            return style.remove_modifier(Modifier::REVERSED).add_modifier(Modifier::BOLD);
        }
        // The colour of a reversed word is its ground: the selection would be patches.
        if reversed(Role::Selected) {
            return Style { fg: None, bg: None, ..style };
        }
        style
    };
    match drawn.of {
        Of::Text(byte) | Of::Stand(byte) => under(byte),
        Of::Fill => set,
        Of::Number(number) => {
            let number = layout.page.numbers().get(number);
            let span = number.map(|number| number.span);
            let standing = span.and_then(|span| layout.census.standings.get(span)).copied();
            let style = theme.style(standing.unwrap_or(Standing::Unchecked).role());
            let mine = state.sentence.is_none() && span == Some(state.span) && selected.is_some();
            if mine { theme.style(Role::Selected).patch(style) } else { style }
        }
    }
}

fn nothing(state: &State, area: Rect, buffer: &mut Buffer) {
    let words = match &state.record {
        Err(error) => error.to_string(),
        Ok(_) => "this response carries no answer text".to_owned(),
    };
    let mut doc = Doc::new(usize::from(area.width.saturating_sub(GUTTER + 2)));
    doc.text(0, &words, Role::Plain, usize::from(area.height));
    let inner = Rect { x: area.x + GUTTER, width: area.width.saturating_sub(GUTTER), ..area };
    side::lines(state, &doc, inner, 0, None, buffer);
}

/// What lies on the visible stretch: spans, the selected one, matches.
fn layers(state: &State, text: &str, visible: &Range<usize>) -> Vec<Layer> {
    let Some(review) = state.review() else { return Vec::new() };
    let mut layers: Vec<Layer> = Vec::new();
    for span in shown_overlapping(state, visible) {
        let Some(range) = shown_range(state, span) else { continue };
        let mut supports = review.of_span(span);
        let role = match () {
            () if !state.walks(span) => Role::Faded,
            () if supports.clone().any(SupportRef::is_misfit) => Role::SpanMoved,
            () if !supports.any(|support| support.resolves()) => Role::SpanBare,
            () => Role::Span,
        };
        layers.push(Layer { range, role });
        let marks = review.of_span(span).filter(|support| support.is_inferred());
        layers.extend(marks.filter_map(SupportRef::named).map(|range| Layer { range, role: Role::Dim }));
    }
    if let Some(range) = selected_range(state) {
        layers.push(Layer { range, role: Role::Selected });
    }
    if state.compare && review.response.answer.is_some() {
        missing(state, &mut layers);
    }
    let found = matches(text, &state.needle, visible.clone());
    layers.extend(found.into_iter().map(|range| Layer { range, role: Role::Match }));
    layers
}

/// Words and numbers of the selected claim that no cited chunk has.
fn missing(state: &State, layers: &mut Vec<Layer>) {
    for judged in state.shown_together().0.iter().filter_map(|&support| state.compared(support)) {
        // Of a claim in another language every word is absent: that says nothing. Its numbers do.
        let reason = judged.backing.outcome.reason();
        let words = (&judged.absent, Role::Absent, reason.is_none());
        let told = reason.is_none_or(|reason| reason == Reason::OtherLanguage);
        let numbers = (&judged.numbers, Role::AbsentNumber, told);
        for (ranges, role, _) in [words, numbers].into_iter().filter(|(_, _, shown)| *shown) {
            layers.extend(ranges.iter().map(|range| Layer { range: range.clone(), role }));
        }
    }
}

/// The bar of the selection, and the sign of the worst claim that ends in the row, where its numbers stand.
fn rail(
    state: &State,
    layout: &Layout,
    row: &Range<usize>,
    selected: Option<&Range<usize>>,
    at: Position,
    buffer: &mut Buffer,
) {
    let theme = state.theme;
    if row.is_empty() {
        return;
    }
    let text = shown_text(state);
    let says = text.get(row.clone()).is_none_or(|words| !words.trim().is_empty());
    if says && selected.is_some_and(|range| range.start < row.end && range.end > row.start) {
        buffer.set_string(at.x, at.y, "▌", theme.style(Role::Key));
    }
    let ends = |range: &Range<usize>| row.contains(&last_of(text, range));
    let here = shown_overlapping(state, row).into_iter();
    let here = here.filter_map(|span| Some((span, shown_range(state, span).filter(ends)?)));
    let of_spans = here.filter_map(|(span, range)| {
        Some((last_of(text, &range), layout.census.standings.get(span).copied()?))
    });
    let of_sentences = sentences_of(state, row)
        .filter(|range| ends(range))
        .map(|range| (last_of(text, range), Standing::Uncited));
    decided(state, row, at, buffer);
    // A span that cites nothing is told as the sentence. Of several in a row the two worst are told, whatever
    // is selected, in the order of the text: what is right beside it does not hide it.
    let mut told: Vec<(usize, Standing)> = of_spans.chain(of_sentences).collect();
    told.sort_by_key(|(at, standing)| (of_row(*standing), *at));
    told.dedup_by_key(|(_, standing)| *standing);
    told.truncate(SIGNS);
    told.sort_unstable();
    for (column, (_, standing)) in (1..).zip(told) {
        let faded = !matches!(state.filter, Filter::All) && standing > Standing::Partly;
        let role = if faded { Role::Faded } else { standing.role() };
        buffer.set_string(at.x + column, at.y, standing.sign(), theme.style(role));
    }
}

/// In which order the signs of a row are told: the worst first, and what was not compared, which is no news,
/// last.
fn of_row(standing: Standing) -> (bool, Standing) {
    (standing == Standing::Unchecked, standing)
}

/// The last byte of a stretch that is no blank: its numbers stand behind it.
fn last_of(text: &str, range: &Range<usize>) -> usize {
    let words = text.get(range.clone()).unwrap_or_default().trim_end();
    (range.start + words.len()).saturating_sub(1).max(range.start)
}

/// The sentences that cite nothing and lie in a row: of a long answer they are very many.
fn sentences_of<'a>(state: &'a State, row: &'a Range<usize>) -> impl Iterator<Item = &'a Range<usize>> {
    let all = sentences(state);
    let next = all.partition_point(|sentence| sentence.end <= row.start);
    all.iter().skip(next).take_while(|sentence| sentence.start < row.end)
}

/// What was decided of a claim that ends in the row.
fn decided(state: &State, row: &Range<usize>, at: Position, buffer: &mut Buffer) {
    let spans = shown_overlapping(state, row).into_iter().filter_map(|span| shown_range(state, span));
    let text = shown_text(state);
    let ranges =
        spans.chain(sentences_of(state, row).cloned()).filter(|range| row.contains(&last_of(text, range)));
    let worst =
        ranges.filter_map(|range| Some(state.mark_of(&range)?.label)).max_by_key(|label| match label {
            Decision::Right => 0,
            Decision::Unsure => 1,
            Decision::Wrong => 2,
        });
    if let Some(decision) = worst {
        buffer.set_string(at.x + 1 + SIGNS as u16, at.y, decision.sign(), state.theme.style(Role::Key));
    }
}

/// The scroll bar, with the signs of what it would lead to.
fn scroll_bar(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let area = layout.answer;
    let (height, rows) = (usize::from(area.height), layout.page.len());
    if rows <= height {
        return;
    }
    let (theme, x) = (state.theme, area.right().saturating_sub(1));
    let thumb = thumb(layout.top, height, rows);
    for line in 0..height {
        let inside = thumb.contains(&line);
        let (track, role) = if inside { ("┃", Role::Key) } else { ("│", Role::Dim) };
        let standing =
            layout.map.get(line).copied().flatten().filter(|standing| *standing <= Standing::Uncited);
        let (sign, role) = standing.map_or((track, role), |standing| (standing.sign(), standing.role()));
        let style = theme.style(role);
        let style = if inside && standing.is_some() { style.add_modifier(Modifier::REVERSED) } else { style };
        buffer.set_string(x, area.y + line as u16, sign, style);
    }
}
