//! `citescope review`: what people decided of claims, counted and compared.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use super::args::ReviewCommand;
use super::failure::Failure;
use crate::session::{Agreement, Decision, Marks};

pub(super) fn run(command: &ReviewCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some([one, other]) = command.agreement.as_deref() {
        agreement(&read(one)?, &read(other)?, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for file in &command.files {
        let marks = read(file)?;
        let count = |label: Decision| marks.iter().filter(|mark| mark.label == label).count();
        let words: Vec<String> =
            Decision::ALL.map(|label| format!("{} {}", count(label), label.word())).to_vec();
        writeln!(out, "{}: {}", file.display(), words.join(", "))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The marks of a file: its own, or those beside an input.
fn read(file: &Path) -> Result<Marks, Failure> {
    let beside = Marks::path_of(&file.to_string_lossy());
    let path = if beside.exists() { &beside } else { file };
    let is_marks = file.to_string_lossy().ends_with(".review.jsonl");
    let because = |what: &str| Failure::Because(format!("{}: {what}", file.display()));
    if file.is_dir() {
        return Err(because("is a directory; name its files"));
    }
    if !path.exists() && !file.is_symlink() {
        return Err(because("no such file; check the path"));
    }
    let read = Marks::read(path);
    // A copy may have any name; what holds no mark is taken for an input.
    let holds_marks = read.as_ref().is_ok_and(|marks| marks.iter().next().is_some());
    if path == file && !is_marks && file.is_file() && !holds_marks {
        return Err(because("there are no marks beside it"));
    }
    read.map_err(Failure::Because)
}

fn agreement(one: &Marks, other: &Marks, out: &mut impl Write) -> Result<(), Failure> {
    let found = Agreement::of(one, other);
    let [first, second] = found.alone;
    writeln!(out, "claims both marked: {} (only the first {first}, only the second {second})", found.both())?;
    writeln!(out, "first \\ second {:>8} {:>8} {:>8}", "right", "wrong", "unsure")?;
    for (label, row) in Decision::ALL.iter().zip(&found.counts) {
        let cells: Vec<String> = row.iter().map(|count| format!("{count:>8}")).collect();
        writeln!(out, "{:<14} {}", label.word(), cells.join(" "))?;
    }
    let share =
        |value: Option<f64>| value.map_or_else(|| "not defined".to_owned(), |value| format!("{value:.3}"));
    writeln!(out, "agreement:      {}", share(found.observed()))?;
    writeln!(out, "Cohen's kappa:  {}", share(found.kappa()))?;
    Ok(())
}
