//! Checking: all structural rules on one response of 50,000 supports against its parse, and `citescope check`
//! over JSON Lines against a plain Python loop that only parses the lines and inserts citations. Ratios
//! within one run. `cargo bench --bench check`; needs `python3`.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use citescope::session::Session;

/// What a script does that trusts its input: parse, insert citations from the last end backwards.
const PYTHON: &str = r#"
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    candidate = json.loads(line)["candidates"][0]
    text = candidate["content"]["parts"][0]["text"]
    metadata = candidate["groundingMetadata"]
    chunks = metadata["groundingChunks"]
    for support in sorted(metadata["groundingSupports"], key=lambda s: s["segment"]["endIndex"], reverse=True):
        end = support["segment"]["endIndex"]
        links = ", ".join(f"[{i + 1}]({chunks[i]['retrievedContext']['uri']})" for i in support["groundingChunkIndices"])
        text = text[:end] + links + text[end:]
    sys.stdout.write(str(len(text)) + "\n")
"#;

fn sentence(number: usize, k: usize) -> String {
    format!("The Lantern Bridge {number}-{k} opened in {} for people on foot.", 1900 + k % 100)
}

/// A response with so many supports, each a sentence, moved by `shift`; chunks of about a kilobyte.
fn response(number: usize, supports: usize, chunks: usize, shift: usize) -> String {
    let (mut answer, mut list, mut sources) = (String::new(), String::new(), String::new());
    for k in 0..supports {
        let sentence = sentence(number, k);
        let start = answer.len() + shift;
        let comma = if k == 0 { "" } else { "," };
        let _ = write!(
            list,
            r#"{comma}{{"segment":{{"startIndex":{start},"endIndex":{},"text":"{sentence}"}},"groundingChunkIndices":[{}],"confidenceScores":[0.91]}}"#,
            start + sentence.len(),
            k % chunks
        );
        answer.push_str(&sentence);
        answer.push(' ');
    }
    for k in 0..chunks {
        let comma = if k == 0 { "" } else { "," };
        let own = (k..supports.min(40))
            .step_by(chunks)
            .map(|k| format!("{} Nobody had counted the lamps before. ", sentence(number, k)));
        let text = own.collect::<String>()
            + &"The mayor spoke of ferries, of the river and of its banks in winter. ".repeat(9);
        let _ = write!(
            sources,
            r#"{comma}{{"retrievedContext":{{"uri":"https://example.com/{k}","title":"Document {k}","text":"{text}"}}}}"#
        );
    }
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{answer}"}}],"role":"model"}},"finishReason":"STOP","groundingMetadata":{{"groundingChunks":[{sources}],"groundingSupports":[{list}]}}}}],"responseId":"r{number}"}}"#
    )
}

fn milliseconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// All structural rules against the parse, on one response.
fn one(name: &str, shift: usize) {
    let text = response(0, 50_000, 100, shift);
    let (mut parses, mut checks) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        let bytes = text.clone().into_bytes();
        let mut decoded = None;
        parses.push(milliseconds(|| decoded = Some(Session::from_bytes("f", bytes).decode(0).unwrap())));
        let reviews = decoded.unwrap();
        checks.push(milliseconds(|| {
            black_box(reviews[0].structural_findings());
        }));
    }
    let (parse, check) = (median(parses), median(checks));
    println!(
        "{name:<24} {:>5.1} MB  parse {parse:>7.1} ms  all checks {check:>7.1} ms  ratio {:.2}",
        text.len() as f64 / 1e6,
        check / parse
    );
}

/// The command over lines against Python, each its best of three.
fn lines(folder: &Path, records: usize) {
    let file = folder.join("records.jsonl");
    let mut out = std::io::BufWriter::new(std::fs::File::create(&file).unwrap());
    let mut bytes = 0;
    for number in 0..records {
        let line = response(number, 12, 4, 0);
        bytes += line.len() + 1;
        writeln!(out, "{line}").unwrap();
    }
    out.flush().unwrap();
    let best = |program: &str, args: &[&str]| {
        let run = || {
            milliseconds(|| {
                assert!(Command::new(program).args(args).arg(&file).output().unwrap().status.success());
            })
        };
        (0..3).map(|_| run()).fold(f64::INFINITY, f64::min)
    };
    let python = best("python3", &["-c", PYTHON]);
    println!(
        "{records} records, {:.1} MB, {:.1} KB each; Python {python:.0} ms",
        bytes as f64 / 1e6,
        bytes as f64 / records as f64 / 1e3
    );
    let program = env!("CARGO_BIN_EXE_citescope");
    for (name, args) in [
        ("structural rules", &["check", "--no-content", "--format", "jsonl"][..]),
        ("with content rules", &["check", "--format", "jsonl"][..]),
    ] {
        let ours = best(program, args);
        println!("check, {name:<20} {ours:>7.0} ms  {:.1} times as fast as Python", python / ours);
    }
}

fn main() {
    one("fitting supports", 0);
    one("all shifted by 3", 3);
    let folder = std::env::temp_dir().join(format!("citescope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    lines(&folder, 5_000);
    std::fs::remove_dir_all(&folder).unwrap();
}
