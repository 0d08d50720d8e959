//! Fails a build where a citation leads to no source.
//!
//! ```sh
//! cargo run --no-default-features --example fail_on_dangling -- answers/*.json
//! ```

use std::path::Path;
use std::process::ExitCode;

use citescope::model::Target;

fn main() -> ExitCode {
    let mut passed = true;
    for file in std::env::args().skip(1) {
        for problem in problems(Path::new(&file)) {
            eprintln!("{file}: {problem}");
            passed = false;
        }
    }
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What cannot be read, and every support with a citation that leads nowhere.
fn problems(file: &Path) -> Vec<String> {
    let session = match citescope::open_file(file) {
        Ok(session) => session,
        Err(error) => return vec![error.to_string()],
    };
    let mut problems = Vec::new();
    for review in session.reviews() {
        match review {
            Err(error) => problems.push(error.to_string()),
            Ok(review) => problems.extend(review.supports().filter_map(|support| {
                let dangling = support
                    .citations()
                    .filter(|(citation, _)| matches!(citation.target, Target::Dangling(_)))
                    .count();
                let words = support.words().unwrap_or("(no place in the answer)");
                (dangling > 0).then(|| {
                    format!(
                        "support {}, “{words}”: no source for {dangling} of its citations",
                        support.index + 1
                    )
                })
            })),
        }
    }
    problems
}
