//! `citescope config`: the settings of the screen.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args::ConfigCommand;
use super::failure::{Failure, Many};
use super::inputs::{line_column, read_text};
use crate::text::one_line;
use crate::tui::config::{Settings, Wrong, commented, path};

/// Bytes of settings, at most.
const BYTES_MOST: u64 = 1 << 20;

/// The settings of the user; as they are without a file where there is none.
///
/// # Errors
///
/// Where the file says something wrong: its place, what, and what there is.
pub(super) fn settings() -> Result<Settings, Failure> {
    match path().filter(|path| path.exists()) {
        Some(path) => read(&path),
        None => Ok(Settings::default()),
    }
}

fn read(path: &Path) -> Result<Settings, Failure> {
    let shown = path.display();
    let text = read_text(path, BYTES_MOST)
        .map_err(|error| Failure::Because(format!("{shown}: the settings cannot be read: {error}")))?;
    Settings::read(&text).map_err(|wrong| {
        let mut many = Many::default();
        // From the last one on: there may be one a line.
        let (mut from, mut before) = (0, 0);
        for Wrong { at, what } in wrong {
            if at.start < from {
                (from, before) = (0, 0);
            }
            let (below, column) = line_column(text.get(from..).unwrap_or_default(), at.start - from);
            let line = before + below;
            let begun = text.get(..at.start).and_then(|text| text.rfind('\n')).map_or(0, |end| end + 1);
            (from, before) = (begun, line - 1);
            many.tell(&format!("{shown}:{line}:{column}: {what}"));
        }
        many.end("fault", "in the settings");
        Failure::Told
    })
}

/// `citescope config`.
pub(super) fn run(command: &ConfigCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let place = command.file.clone().or_else(path);
    let none = || Failure::Because("there is no place for settings here: set CITESCOPE_CONFIG".to_owned());
    if command.init {
        return init(&place.ok_or_else(none)?, out);
    }
    if command.check {
        let place: PathBuf = place.ok_or_else(none)?;
        if std::fs::symlink_metadata(&place).is_err() {
            return Err(Failure::Because(format!(
                "{}: there are no settings; `citescope config --init` writes them",
                place.display()
            )));
        }
        read(&place)?;
        writeln!(out, "{}: nothing wrong", one_line(&place.display().to_string()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(place) = place {
        writeln!(
            out,
            "# {}{}",
            one_line(&place.display().to_string()),
            if place.exists() { "" } else { " (not there yet)" }
        )?;
    }
    out.write_all(commented().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the settings with a word on each; what is there already stays.
fn init(path: &Path, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let because = |what: String| Failure::Because(format!("{}: {what}", path.display()));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| because(format!("{} cannot be made a directory: {error}", folder.display())))?;
    }
    let mut file = std::fs::File::create_new(path).map_err(|error| {
        because(if error.kind() == std::io::ErrorKind::AlreadyExists {
            "is there already; `citescope config` prints what --init would write".to_owned()
        } else {
            error.to_string()
        })
    })?;
    file.write_all(commented().as_bytes()).map_err(|error| because(error.to_string()))?;
    writeln!(out, "{}", one_line(&path.display().to_string()))?;
    Ok(ExitCode::SUCCESS)
}
