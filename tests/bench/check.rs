//! Checking: all structural rules on one response of 50,000 supports against its parse, and `citescope check`
//! over JSON Lines against a plain Python loop that only parses the lines and inserts citations. The lines
//! are recorded responses (`CITESCOPE_CORPUS`; samples where there are none). Ratios within one run. `cargo
//! bench --bench check`; needs `python3`.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use citescope::session::Session;
use serde_json::Value;

/// What a script does that trusts its input: parse, insert citations from the last end backwards.
const PYTHON: &str = r#"
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    for candidate in json.loads(line).get("candidates") or []:
        parts = (candidate.get("content") or {}).get("parts") or []
        text = "".join(part.get("text", "") for part in parts if not part.get("thought"))
        metadata = candidate.get("groundingMetadata") or {}
        chunks = metadata.get("groundingChunks") or []
        end_of = lambda support: (support.get("segment") or {}).get("endIndex", 0)
        for support in sorted(metadata.get("groundingSupports") or [], key=end_of, reverse=True):
            links = []
            for i in support.get("groundingChunkIndices") or []:
                if i < len(chunks):
                    source = chunks[i].get("web") or chunks[i].get("retrievedContext") or chunks[i].get("maps") or {}
                    links.append(f"[{i + 1}]({source.get('uri')})")
            end = end_of(support)
            text = text[:end] + ", ".join(links) + text[end:]
        sys.stdout.write(json.dumps({"length": len(text)}) + "\n")
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

/// Responses as they were recorded, or else the samples: one line each.
fn recorded() -> Vec<serde_json::Map<String, Value>> {
    let folder =
        std::env::var_os("CITESCOPE_CORPUS").map(|corpus| Path::new(&corpus).join("recordings/gemini"));
    let files = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
    let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
    paths.sort();
    let recorded = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    let mut texts: Vec<String> = recorded.collect();
    if texts.is_empty() {
        texts = citescope::cli::SAMPLES.iter().map(|(_, text)| (*text).to_owned()).collect();
    }
    let response = |text: &String| match serde_json::from_str(text) {
        Ok(Value::Object(response)) if response.contains_key("candidates") => Some(response),
        _ => None,
    };
    texts.iter().filter_map(response).collect()
}

/// Lines of about so many bytes in all, each with an id of its own; how many, and their bytes.
fn write_lines(file: &Path, bytes: usize) -> (usize, usize) {
    let responses = recorded();
    let mut out = std::io::BufWriter::new(std::fs::File::create(file).unwrap());
    let (mut lines, mut written) = (0, 0);
    for response in responses.iter().cycle() {
        if written >= bytes {
            break;
        }
        let mut response = response.clone();
        response.insert("responseId".to_owned(), format!("r{lines}").into());
        let line = Value::from(response).to_string();
        writeln!(out, "{line}").unwrap();
        (lines, written) = (lines + 1, written + line.len() + 1);
    }
    out.flush().unwrap();
    (lines, written)
}

/// Wall and processor time of a run, seconds.
fn run(program: &str, args: &[&str], file: &Path) -> (f64, f64) {
    let before = children();
    let start = Instant::now();
    let output =
        Command::new(program).args(args).arg(file).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(output.unwrap().code().is_some_and(|code| code < 2), "{program} failed");
    (start.elapsed().as_secs_f64(), children() - before)
}

/// Processor time of the children that have ended, seconds: `/proc` counts in hundredths.
fn children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(13).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The command over lines against Python, in turn, each its best of five.
fn lines(folder: &Path, bytes: usize) {
    let file = folder.join("records.jsonl");
    let (records, bytes) = write_lines(&file, bytes);
    let program = env!("CARGO_BIN_EXE_citescope");
    let contestants: [(&str, &str, &[&str]); 3] = [
        ("Python loop", "python3", &["-c", PYTHON]),
        ("structural rules", program, &["check", "--no-content", "--format", "jsonl"]),
        ("with content rules", program, &["check", "--format", "jsonl"]),
    ];
    let mut best = [(f64::INFINITY, f64::INFINITY); 3];
    for _ in 0..5 {
        for ((_, program, args), best) in contestants.iter().zip(&mut best) {
            let (wall, processor) = run(program, args, &file);
            *best = (best.0.min(wall), best.1.min(processor));
        }
    }
    println!(
        "{records} lines of recordings, {:.1} MB, {:.1} KB each",
        bytes as f64 / 1e6,
        bytes as f64 / records as f64 / 1e3
    );
    for ((name, ..), (wall, processor)) in contestants.iter().zip(best) {
        println!(
            "{name:<20} {:>8.0} lines a second  {:>6.1} µs of processor time a line  {:.2} times as fast as Python",
            records as f64 / wall,
            processor / records as f64 * 1e6,
            best[0].0 / wall
        );
    }
}

fn main() {
    one("fitting supports", 0);
    one("all shifted by 3", 3);
    let folder = std::env::temp_dir().join(format!("citescope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    lines(&folder, 100_000_000);
    std::fs::remove_dir_all(&folder).unwrap();
}
