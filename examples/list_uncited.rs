//! Lists the sentences of answers that no source is cited for.
//!
//! ```sh
//! cargo run --no-default-features --example list_uncited -- samples/gemini-search.json
//! ```

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: list_uncited FILE")?;
    for review in citescope::open_file(Path::new(&file))?.reviews() {
        let review = review?;
        // Where most of an answer is bare, `coverage-low` stands for all of its sentences.
        let bare = review
            .structural_findings()
            .iter()
            .filter(|found| matches!(found.rule.id, "sentence-uncited" | "coverage-low"));
        for place in bare.flat_map(|found| &found.places) {
            let sentence = review.text().get(place.clone()).unwrap_or_default();
            println!(
                "{file}, response {}, bytes {}–{}: {}",
                review.record() + 1,
                place.start,
                place.end,
                sentence.trim()
            );
        }
    }
    Ok(())
}
