//! Load, first frame, frame and key on generated responses, against bare parsing in the same run:
//! milliseconds and ratios. `cargo bench --bench speed` (10 MB); `cargo bench --bench speed -- 1 10 100` for
//! other sizes in MB.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use citescope::session::Session;
use citescope::tui::layout::{Cache, layout};
use citescope::tui::state::State;
use citescope::tui::{update, view};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use peak_alloc::PeakAlloc;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The same document in bare owned structs: what any reader has to pay.
#[allow(dead_code)] // the fields are parsed, which is the point, and never read
mod bare {
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Bare {
        pub candidates: Vec<BareCandidate>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct BareCandidate {
        pub content: BareContent,
        pub grounding_metadata: BareMetadata,
    }
    #[derive(Deserialize)]
    pub struct BareContent {
        pub parts: Vec<BarePart>,
    }
    #[derive(Deserialize)]
    pub struct BarePart {
        pub text: String,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct BareMetadata {
        pub grounding_chunks: Vec<BareChunk>,
        pub grounding_supports: Vec<BareSupport>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct BareChunk {
        pub retrieved_context: BareContext,
    }
    #[derive(Deserialize)]
    pub struct BareContext {
        pub uri: String,
        pub title: String,
        pub text: String,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct BareSupport {
        pub segment: BareSegment,
        pub grounding_chunk_indices: Vec<i64>,
        pub confidence_scores: Vec<f64>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct BareSegment {
        #[serde(default)]
        pub start_index: i64,
        pub end_index: i64,
        pub text: String,
    }
}

/// A response of about `size` bytes: `share` of it answer and quotes, the rest chunks of 1 to 4 KB. One in
/// `every` so many sentences is cited.
fn response(size: usize, sentence: &str, (share, every): (f64, usize)) -> String {
    let (mut answer, mut supports) = (String::new(), String::new());
    let mut chunks = String::new();
    let mut count = 0usize;
    while (answer.len() + supports.len()) < (size as f64 * share) as usize {
        let start = answer.len();
        answer.push_str(sentence);
        let end = answer.len();
        answer.push_str(if count.is_multiple_of(7) { "\\n" } else { " " });
        // Offsets count the text, where `\n` is one byte.
        let breaks = count.div_ceil(7);
        count += 1;
        if !count.is_multiple_of(every) {
            continue;
        }
        let sep = if supports.is_empty() { "" } else { "," };
        let _ = write!(
            supports,
            "{sep}{{\"segment\":{{\"startIndex\":{},\"endIndex\":{},\"text\":\"{sentence}\"}},\"groundingChunkIndices\":[{},{}],\"confidenceScores\":[0.93,0.5]}}",
            start - breaks,
            end - breaks,
            count % 40,
            (count + 1) % 40,
        );
    }
    let mut number = 0usize;
    while chunks.len() + answer.len() + supports.len() < size {
        let text =
            format!("{sentence} \\\"quoted\\\" ").repeat((1 + number % 4) * 1000 / (sentence.len() + 14) + 1);
        let sep = if number == 0 { "" } else { "," };
        let _ = write!(
            chunks,
            "{sep}{{\"retrievedContext\":{{\"uri\":\"https://example.com/{number}\",\"title\":\"Document \
             {number}\",\"text\":\"{text}\"}}}}"
        );
        number += 1;
    }
    format!(
        "{{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{answer}\"}}],\"role\":\"model\"}},\"groundingMetadata\":{{\"groundingChunks\":[{chunks}],\"groundingSupports\":[{supports}]}}}}]}}"
    )
}

/// Median of some rounds, in milliseconds.
fn median(rounds: usize, mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn peak(run: impl FnOnce()) -> f64 {
    HEAP.reset_peak_usage();
    let before = HEAP.current_usage();
    run();
    (HEAP.peak_usage() - before) as f64
}

fn load(name: &str, path: &Path) -> f64 {
    let size = std::fs::metadata(path).unwrap().len() as f64;
    let bare = || {
        drop(black_box(serde_json::from_str::<bare::Bare>(&std::fs::read_to_string(path).unwrap()).unwrap()));
    };
    let ours = || drop(black_box(Session::open_file(path).decode(0).unwrap()));
    let rounds = if size > 5e7 { 7 } else { 15 };
    // Interleaved, so that both meet the same machine.
    let (mut bares, mut all) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        bares.push(median(1, bare));
        all.push(median(1, ours));
    }
    bares.sort_by(f64::total_cmp);
    all.sort_by(f64::total_cmp);
    let (bare_ms, ours_ms) = (bares[rounds / 2], all[rounds / 2]);
    let heap = peak(ours) / size;
    println!(
        "{name:<22} load {ours_ms:8.2} ms  bare {bare_ms:8.2} ms  ratio {:5.2}  peak heap {heap:4.2}x the \
         file",
        ours_ms / bare_ms
    );
    bare_ms
}

fn screen(name: &str, path: &Path, bare_ms: f64) {
    let size = Size { width: 200, height: 60 };
    let area = Rect::new(0, 0, size.width, size.height);
    let first = median(5, || {
        let state = State::new(Session::open_file(path).into());
        let geometry = layout(&state, size, &mut Cache::default());
        let mut buffer = Buffer::empty(area);
        view::draw(&state, &geometry, &mut buffer);
        black_box(&buffer);
    });
    let mut state = State::new(Session::open_file(path).into());
    let mut cache = Cache::default();
    let page = layout(&state, size, &mut cache).page;
    let rows = page.len();
    let mut frames = Vec::new();
    for place in [0, rows / 2, rows.saturating_sub(60)] {
        state.cursors[0].top = page.row(place).map_or(0, |row| row.start);
        state.cursors[0].moved = true;
        let geometry = layout(&state, size, &mut cache);
        frames.push(median(50, || {
            let mut buffer = Buffer::empty(area);
            view::draw(&state, &geometry, &mut buffer);
            black_box(&buffer);
        }));
    }
    let right = Event::Key(KeyEvent::new(KeyCode::Right, KeyModifiers::NONE));
    let key = median(50, || {
        let geometry = layout(&state, size, &mut cache);
        update::update(&mut state, &geometry, &right);
        let geometry = layout(&state, size, &mut cache);
        let mut buffer = Buffer::empty(area);
        view::draw(&state, &geometry, &mut buffer);
        black_box(&buffer);
    });
    println!(
        "{name:<22} first frame {:6.1} ms over the bare load  frame top {:.2} middle {:.2} end {:.2} ms  key \
         {key:.2} ms",
        first - bare_ms,
        frames[0],
        frames[1],
        frames[2]
    );
}

/// All structural rules, against the bare parse.
fn checks(name: &str, path: &Path, bare_ms: f64) {
    let reviews = Session::open_file(path).decode(0).unwrap();
    let supports = reviews[0].response.supports.len();
    let all = median(7, || drop(black_box(citescope::check::structural(&reviews[0]))));
    println!("{name:<22} checks {all:6.2} ms for {supports} supports  {:4.2}x the bare load", all / bare_ms);
}

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![1, 10] } else { asked };
    let folder = tempfile::tempdir().unwrap();
    let texts = [
        ("ASCII", "The quick answer cites a well-known source of 2024 and names it in full."),
        ("mixed", "Die Größe der Straße – etwa 12 km – nennt “die Quelle” von 2024 in voller Länge."),
    ];
    for megabytes in sizes {
        for (script, sentence) in texts {
            for (shape, of) in [("chunks", (0.2, 1)), ("answer", (0.95, 1)), ("uncited", (0.95, 40))] {
                let path = folder.path().join(format!("{megabytes}-{script}-{shape}.json"));
                std::fs::write(&path, response(megabytes * 1_000_000, sentence, of)).unwrap();
                let name = format!("{megabytes} MB {script} {shape}");
                let bare = load(&name, &path);
                checks(&name, &path, bare);
                screen(&name, &path, bare);
                std::fs::remove_file(&path).unwrap();
            }
        }
    }
}
