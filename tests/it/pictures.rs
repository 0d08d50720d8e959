//! The README's pictures, from the real program in a real pseudo-terminal. `CITESCOPE_UPDATE=1 cargo test
//! pictures` draws them anew; a picture that the program would not draw today fails.

use std::fmt::Write as _;

use portable_pty::CommandBuilder;

use crate::common::program::program;
use crate::common::terminal::Terminal;

const COLUMNS: u16 = 110;
const ROWS: u16 = 28;
/// Pixels of a cell.
const CELL: (f64, f64) = (8.4, 18.0);

/// A scheme: name, ground, text.
const SCHEMES: [(&str, &str, &str); 2] = [("dark", "#16181d", "#d8dade"), ("light", "#ffffff", "#1c1e21")];

/// The colours of the sixteen that the themes may name.
fn colour(colour: vt100::Color, default: &str) -> String {
    match colour {
        vt100::Color::Default => default.to_owned(),
        vt100::Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        vt100::Color::Idx(index) => panic!("a theme of its own has colour {index} of the terminal"),
    }
}

/// The screen as SVG elements.
fn drawn(screen: &vt100::Screen, ground: &str, text: &str) -> String {
    let mut out = String::new();
    for row in 0..ROWS {
        let mut column = 0;
        while column < COLUMNS {
            let cell = screen.cell(row, column).unwrap();
            let look = |cell: &vt100::Cell| {
                (
                    cell.fgcolor(),
                    cell.bgcolor(),
                    cell.bold(),
                    cell.italic(),
                    cell.underline(),
                    cell.inverse(),
                    cell.dim(),
                )
            };
            let first = column;
            let mut words = String::new();
            while column < COLUMNS && look(screen.cell(row, column).unwrap()) == look(cell) {
                let here = screen.cell(row, column).unwrap();
                words.push_str(if here.has_contents() { here.contents() } else { " " });
                column += if here.is_wide() { 2 } else { 1 };
            }
            run(&mut out, cell, row, first..column, &words, (ground, text));
        }
    }
    out
}

fn run(
    out: &mut String,
    cell: &vt100::Cell,
    row: u16,
    columns: std::ops::Range<u16>,
    words: &str,
    (ground, text): (&str, &str),
) {
    let (mut fore, mut back) = (colour(cell.fgcolor(), text), colour(cell.bgcolor(), ground));
    if cell.inverse() {
        std::mem::swap(&mut fore, &mut back);
    }
    let (x, y) = (f64::from(columns.start) * CELL.0, f64::from(row) * CELL.1);
    let wide = f64::from(columns.end - columns.start) * CELL.0;
    if back != ground {
        writeln!(out, r#"<rect x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{}" fill="{back}"/>"#, CELL.1)
            .unwrap();
    }
    if words.trim().is_empty() {
        return;
    }
    let mut style = String::new();
    for (on, attribute) in [
        (cell.bold(), r#" font-weight="bold""#),
        (cell.italic(), r#" font-style="italic""#),
        (cell.underline(), r#" text-decoration="underline""#),
        (cell.dim(), r#" opacity="0.6""#),
    ] {
        if on {
            style.push_str(attribute);
        }
    }
    let escaped = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    writeln!(
        out,
        r#"<text x="{x:.1}" y="{:.1}" textLength="{wide:.1}" lengthAdjust="spacingAndGlyphs" fill="{fore}"{style} xml:space="preserve">{escaped}</text>"#,
        y + 13.5
    )
    .unwrap();
}

/// Frames as one picture; several are shown in turn.
fn picture(frames: &[String], ground: &str, title: &str) -> String {
    let (wide, high) = (f64::from(COLUMNS) * CELL.0, f64::from(ROWS) * CELL.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-12 -10 {:.0} {:.0}\" font-family=\"ui-monospace, 'DejaVu Sans \
         Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n<title>{title}</title>\n",
        wide + 24.0,
        high + 20.0
    );
    writeln!(
        out,
        r#"<rect x="-12" y="-10" width="{:.0}" height="{:.0}" rx="8" fill="{ground}"/>"#,
        wide + 24.0,
        high + 20.0
    )
    .unwrap();
    if let [frame] = frames {
        out.push_str(frame);
    } else {
        let share = 100.0 / frames.len() as f64;
        let seconds = frames.len() * 3;
        writeln!(
            out,
            "<style>.f{{visibility:hidden;animation:f {seconds}s step-end infinite}}@keyframes f{{0%{{visibility:visible}}\
             {share:.3}%{{visibility:hidden}}}}</style>"
        )
        .unwrap();
        for (number, frame) in frames.iter().enumerate() {
            let delay = number * 3;
            writeln!(out, "<g class=\"f\" style=\"animation-delay:{delay}s\">\n{frame}</g>").unwrap();
        }
    }
    out.push_str("</svg>\n");
    out
}

#[track_caller]
fn assert_picture(name: &str, made: &str) {
    let path = format!("assets/pictures/{name}.svg");
    if std::env::var_os("CITESCOPE_UPDATE").is_some() {
        std::fs::create_dir_all("assets/pictures").unwrap();
        std::fs::write(&path, made).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "{path} is stale: `CITESCOPE_UPDATE=1 cargo test pictures` draws it anew");
}

/// The program on a sample with a theme; the frames are what it shows after each step of keys, once it says
/// so.
fn frames(sample: &str, (theme, ground, text): (&str, &str, &str), steps: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("config.toml");
    std::fs::write(&settings, format!("theme = \"{theme}\"\n")).unwrap();
    let mut command = CommandBuilder::new(program());
    command.args([&format!("samples/{sample}")]);
    command.env("KEPT_CONFIG", &settings);
    let mut terminal = Terminal::run(&mut command, COLUMNS, ROWS);
    let mut frames = Vec::new();
    for (keys, says) in steps {
        terminal.press(keys);
        terminal.until(says);
        terminal.still();
        frames.push(drawn(terminal.parser.screen(), ground, text));
    }
    terminal.press("\x03");
    terminal.ended();
    frames
}

const RIGHT: &str = "\x1b[C";

#[test]
fn the_pictures_of_the_readme_are_those_of_the_program() {
    for scheme in SCHEMES {
        let name = scheme.0;
        let wrong = frames("gemini-retrieval-scores.json", scheme, &[("", "q quit")]);
        assert_picture(
            &format!("claims-{name}"),
            &picture(
                &wrong,
                scheme.1,
                "An answer with a number that its source lacks and a citation of the wrong source",
            ),
        );
        let broken = frames("gemini-broken-offsets.json", scheme, &[("", "q quit")]);
        assert_picture(
            &format!("offsets-{name}"),
            &picture(&broken, scheme.1, "An answer whose offsets are wrong"),
        );
        let steps = [
            ("", "q quit"),
            (RIGHT, "claim 2 of 4"),
            ("e", "claim 3 of 4"),
            ("b", "holds more"),
            ("qX", "Claims × sources"),
            ("qy", "citation as a link"),
            ("q/fog", "match 1 of"),
        ];
        let demo = frames("gemini-retrieval-scores.json", scheme, &steps);
        assert_picture(&format!("demo-{name}"), &picture(&demo, scheme.1, "Walking the claims of an answer"));
    }
}
