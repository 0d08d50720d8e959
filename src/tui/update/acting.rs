//! Acting on what is seen: repairs, the editor, the shell, files.

use super::super::copy_target::CopyTarget;
use super::super::state::{Cursor, Overlay, Prompt, State, Typing, Want};
use super::cursor::{ask, changed, push, report};
use crate::export::{ExportOptions, ExportTarget};

/// Shows what a repair would change.
pub(super) fn repair(state: &mut State) {
    let repairs = state.review().map(|review| review.repairs());
    match repairs {
        // What cannot be repaired is shown with its reasons.
        Some(repairs) if !repairs.edits.is_empty() || !repairs.refused.is_empty() => {
            push(state, Overlay::Repair);
        }
        _ => report(state, "nothing to repair: every offset fits", false),
    }
}

/// Opens the place of the selection in the user's editor.
pub(super) fn edit(state: &mut State) {
    let place = state.selected_origin().and_then(|origin| {
        let review = state.review()?;
        let place = review.sent.place(&origin)?;
        Some((review.file().to_owned(), place.line, place.column))
    });
    match place {
        Some((file, line, column)) => state.wants.push(Want::Edit(file, line, column)),
        None => report(state, "the selection has no place of its own in the input", true),
    }
}

/// Gives the JSON of the selection to a command.
pub(super) fn pipe(state: &mut State, command: String) {
    if command.trim().is_empty() {
        return;
    }
    match CopyTarget::Json.text(state) {
        Ok(text) => state.wants.push(Want::Pipe(command, text)),
        Err(why) => report(state, &format!("nothing to give to it: {why}"), true),
    }
}

/// Asks for the text of a source that was sent without any.
pub(super) fn ask_text(state: &mut State) {
    let source = state.source().and_then(|index| Some((index, state.review()?.source(index)?)));
    match source.map(|(index, source)| (index, source.has_text())) {
        Some((index, false)) => ask(state, Prompt::Attach(index)),
        Some((_, true)) => report(state, "this source carries its own text", false),
        None => report(state, "no source is selected", true),
    }
}

/// Takes the text of a source: what was typed or pasted, or what the file of that name holds.
pub(super) fn attach(state: &mut State, source: usize, typed: String) {
    let typed = typed.trim();
    if typed.is_empty() {
        return;
    }
    // A name has no blanks at its ends and no sentence in it; a file of that name is looked for outside.
    if typed.len() < 1024 && !typed.contains(". ") {
        state.wants.push(Want::Attach(source, typed.to_owned()));
        return;
    }
    state.attach(source, typed.to_owned());
    report(state, "attached; claims are compared with it", false);
}

/// Asks for the name of the file, beside the input.
pub(super) fn choose(state: &mut State, row: usize) {
    let Some((target, _)) = crate::export::menu().into_iter().nth(row) else { return };
    let ready = state.review().ok_or_else(|| "there is no response".to_owned());
    let ready = ready.and_then(|review| target.given_by(review, state.session.supplied().limits));
    if let Err(why) = ready {
        return report(state, &format!("nothing to write: {why}"), true);
    }
    state.overlays.pop();
    let text = proposed(state, target);
    state.typing = Some(Typing { prompt: Prompt::Write(target), text, cursor: Cursor::default() });
    state.wants.push(Want::FreeName);
    changed(state);
}

/// `answer.footnotes.md`, in the folder where the program runs.
fn proposed(state: &State, target: &ExportTarget) -> String {
    let name = state.review().map_or("answer", |review| review.file());
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem: String =
        name.split('.').next().unwrap_or_default().chars().filter(|c| !c.is_control()).collect();
    let stem = if stem.is_empty() { "answer" } else { &stem };
    let number = if state.table.len() > 1 { format!("-{}", state.row + 1) } else { String::new() };
    let end = match target.id {
        "html" => "html",
        "json" => "citescope.json",
        "csv" => "csv",
        id => return format!("{stem}{number}.{id}.md"),
    };
    format!("{stem}{number}.{end}")
}

/// Writes an export to a new file.
pub(super) fn write(state: &mut State, target: &'static ExportTarget, name: String) {
    let Some(review) = state.review().filter(|_| !name.trim().is_empty()) else { return };
    let text = target.text(review, &ExportOptions::default()).text;
    state.wants.push(Want::Write(name.trim().to_owned(), text));
}
