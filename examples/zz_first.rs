use citescope::session::Session;
use citescope::tui::layout::{Cache, layout};
use citescope::tui::state::State;
use citescope::tui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;
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

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let of = match args[1].as_str() {
        "chunks" => (0.2, 1),
        "answer" => (0.95, 1),
        _ => (0.95, 40),
    };
    let path = std::path::PathBuf::from("/tmp/ff/x.json");
    std::fs::write(
        &path,
        response(100_000_000, "The quick answer cites a well-known source of 2024 and names it in full.", of),
    )
    .unwrap();
    for _ in 0..6 {
        let t = Instant::now();
        let session = Session::open_file(&path);
        let t1 = t.elapsed();
        let state = State::new(session.into());
        let t2 = t.elapsed();
        let size = Size { width: 200, height: 60 };
        let geometry = layout(&state, size, &mut Cache::default());
        let t3 = t.elapsed();
        let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 60));
        view::draw(&state, &geometry, &mut buffer);
        black_box(&buffer);
        let t4 = t.elapsed();
        drop(geometry);
        drop(state);
        println!(
            "open {:?} state {:?} layout {:?} draw {:?} drop {:?}",
            t1,
            t2 - t1,
            t3 - t2,
            t4 - t3,
            t.elapsed() - t4
        );
    }
}
