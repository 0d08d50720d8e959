//! The header, with the headline, and the footer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::answer::is_marked;
use super::super::footer::{Offer, hints};
use super::super::keymap::{Command, label};
use super::super::layout::Layout;
use super::super::panes;
use super::super::state::{NoticeKind, Overlay, Prompt, State};
use super::super::table::Phase;
use super::super::update::found_words;
use super::ink::{put, put_right};
use crate::look::{Role, Tone};
use crate::review::Review;
use crate::text::{counted, one_line, truncate, truncate_front, width};

pub(super) fn header(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let theme = state.theme;
    let top = Rect { height: 1, ..layout.header };
    let name = state.record.as_ref().map_or_else(
        |error| error.name.clone(),
        |record| record.first().map_or_else(String::new, |review| review.file().to_owned()),
    );
    // Over the list all is of the row at the cursor.
    let name = state.listed_file().unwrap_or(name);
    let file = name.rsplit('/').next().unwrap_or(&name);
    let file = one_line(file);
    let place = place(state).map(|words| format!(" {words}")).unwrap_or_default();
    let progress = progress(state).map(|words| format!("  {words}")).unwrap_or_default();
    let review = state.headed();
    let provenance = review.map(|review| provenance(review)).unwrap_or_default();
    let format = provenance.split(" · ").next().unwrap_or_default();
    // What the name of the file leaves goes to the counts, then to the format; what these leave, to the name.
    let whole = usize::from(top.width);
    let taken = width(" citescope  ") + width(&place) + width(&progress);
    let least = width(&file).min(whole * 2 / 5);
    let fits = |words: &str| taken + least + width(words) + 3 <= whole;
    let counts = review
        .map(|review| counts(review))
        .unwrap_or_default()
        .into_iter()
        .find(|words| fits(words))
        .unwrap_or_default();
    let right = if counts.is_empty() { 1 } else { width(&counts) + 3 };
    let middle = width(format) + 4;
    let middle = if taken + width(&file).min(whole / 2) + right + middle <= whole { middle } else { 0 };
    let file = truncate_front(&file, whole.saturating_sub(taken + right + middle).max(least)).into_owned();

    let mut x = put(buffer, top, 1, "citescope", theme.style(Role::Key));
    x = put(buffer, top, x + 2, &file, theme.style(Role::Strong));
    x = put(buffer, top, x, &place, theme.style(Role::Plain));
    x = put(buffer, top, x, &progress, theme.style(Role::Dim));
    let Some(review) = review else { return };
    if middle > 0 {
        let room = usize::from(top.width.saturating_sub(x)).saturating_sub(right + 3);
        x = put(buffer, top, x + 2, &truncate(&provenance, room), theme.style(Role::Dim));
    }
    put_right(buffer, top, x, &format!("{counts} "), theme.style(Role::Plain));
    if state.listed().is_none() {
        headline(state, layout, review, buffer);
    }
}

/// Which row of the list it is.
fn place(state: &State) -> Option<String> {
    // Over the list its own order counts.
    if let Some(Overlay::Responses) = state.overlay()
        && let Some(place) = state.listed().and_then(|row| state.table.place_of(row))
    {
        return Some(format!("{}/{}", place + 1, state.table.shown()));
    }
    let row = state.listed().unwrap_or(state.row);
    let number = panes::row_number(state, row);
    let (at, of) = (row + 1, state.table.len());
    // With pieces and questions among the rows the numbers of the list are others.
    let place = if number == at.to_string() {
        format!("{at}/{of}")
    } else {
        format!("response {number} · row {at} of {of}")
    };
    (of > 1).then_some(place)
}

/// The format, and the model or the author.
fn provenance(review: &Review) -> String {
    let response = &review.response;
    let format = crate::format::FORMATS.iter().find(|format| format.id == response.format_id());
    let format = format.map_or("", |format| format.short);
    let model = response.model.as_deref().or(response.about.author.as_deref()).unwrap_or("");
    let words = if model.is_empty() { format.to_owned() } else { format!("{format} · {model}") };
    one_line(&words).into_owned()
}

/// What the response comes to, the worst first and bright, the rest quiet.
fn headline(state: &State, layout: &Layout, review: &Review, buffer: &mut Buffer) {
    let theme = state.theme;
    let line = Rect { y: layout.header.y + 1, height: 1, ..layout.header };
    let (tone, words) = layout.census.headline(review, state.compare);
    let mut x = put(buffer, line, 1, tone.sign(), theme.style(tone.role()));
    let end = layout.lead.as_ref().map_or(line.width, |(hint, ..)| hint.x.saturating_sub(2));
    let area = Rect { width: end, ..line };
    for (number, words) in words.iter().enumerate() {
        if x + 2 >= area.width {
            break;
        }
        let role = if number == 0 && tone != Tone::Good { Role::Strong } else { Role::Dim };
        let lead = if number == 0 { "" } else { "· " };
        // What would be cut says the opposite, or nothing: `all off…`.
        let fits = usize::from(x) + 1 + width(lead) + width(words) <= usize::from(area.width);
        let words = if fits || number == 0 { words } else { "…" };
        x = put(buffer, area, x + 1, lead, theme.style(Role::Dim));
        x = put(buffer, area, x, words, theme.style(role));
        if !fits {
            break;
        }
    }
    if let Some((area, hint, _)) = &layout.lead {
        put(buffer, *area, 0, hint, theme.style(Role::Dim));
    }
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
        Phase::Checking if state.paused => {
            Some(format!("{percent} % checked, stopped: {} goes on", label(Command::Pause)))
        }
        Phase::Checking => Some(format!("{percent} % checked")),
    }
}

/// Records from which on it is said how far the check is.
const PROGRESS: usize = 500;

/// What there is, in more and in fewer words.
fn counts(review: &Review) -> Vec<String> {
    if review.response.is_question() {
        return vec!["a question".to_owned()];
    }
    let coverage = review.coverage().map(|share| format!("{:.0} % cited", share * 100.0));
    let claims = counted(review.spans.len(), "claim");
    let sources = counted(review.response.sources.len(), "source");
    let words = |parts: &[&Option<String>]| {
        parts.iter().filter_map(|part| part.as_deref()).collect::<Vec<_>>().join(" · ")
    };
    let (claims, sources) = (Some(claims), Some(sources));
    vec![words(&[&coverage, &claims, &sources]), words(&[&coverage, &claims]), words(&[&coverage])]
}

pub(super) fn footer(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let theme = state.theme;
    let area = layout.footer;
    if let Some(typing) = &state.typing {
        let mut x = put(buffer, area, 1, typing.prompt.lead(), theme.style(Role::Key));
        x = put(buffer, area, x, &one_line(&typing.text), theme.style(Role::Plain));
        x = put(buffer, area, x, "▏", theme.style(Role::Key));
        let words = match typing.prompt {
            Prompt::Search if typing.text.is_empty() => "finds as you type; Esc goes back".to_owned(),
            Prompt::Search => found_words(state),
            Prompt::Palette => "words of a command, or the number of a claim".to_owned(),
            Prompt::Attach(_) => "paste it, or name a file that holds it; Esc leaves it".to_owned(),
            Prompt::Note if is_marked(state) => "why; Enter keeps it, Esc leaves it".to_owned(),
            Prompt::Note => "Enter marks it unsure, with this note".to_owned(),
            Prompt::Pipe => "a command that gets the JSON of the selection; Esc leaves it".to_owned(),
            Prompt::Write(_) => "a new file; Enter writes it, Esc leaves it".to_owned(),
        };
        put(buffer, area, x + 2, &words, theme.style(Role::Dim));
        return;
    }
    if let Some(notice) = &state.notice {
        let tone = match notice.kind {
            NoticeKind::Done => Tone::Good,
            NoticeKind::Said => Tone::Quiet,
            NoticeKind::Failed => Tone::Warning,
        };
        let x = put(buffer, area, 1, tone.sign(), theme.style(tone.role()));
        put(buffer, area, x + 1, &one_line(&notice.text), theme.style(Role::Strong));
    }
    for Offer { keys, word, from, .. } in hints(state, layout.census.is_faulty(), area.width) {
        let x = put(buffer, area, from, &keys, theme.style(Role::Key));
        put(buffer, area, x + 1, word, theme.style(Role::Plain));
    }
}
