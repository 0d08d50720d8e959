//! Speed of the scorer on made-up text: plain time, and ratios to a reading of the same text.

use citescope::evidence::{ChunkId, ChunkText, Claim, Index, Scorer};
use std::hint::black_box;
use std::time::{Duration, Instant};

const WORDS: [&str; 48] = [
    "the",
    "of",
    "river",
    "bridge",
    "in",
    "opened",
    "to",
    "market",
    "a",
    "engineers",
    "and",
    "station",
    "was",
    "northern",
    "for",
    "council",
    "is",
    "harbour",
    "which",
    "rebuilt",
    "on",
    "festival",
    "by",
    "museum",
    "with",
    "students",
    "from",
    "orchard",
    "at",
    "railway",
    "it",
    "library",
    "its",
    "weather",
    "as",
    "measured",
    "been",
    "coastal",
    "had",
    "painting",
    "were",
    "village",
    "that",
    "observatory",
    "has",
    "glacier",
    "an",
    "archive",
];

/// The `SplitMix64` generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }

    /// A year now and then, half common words, half words out of 20,000 made-up ones.
    fn word(&mut self) -> String {
        match self.below(14) {
            0 => (1900 + self.below(120)).to_string(),
            1..=6 => letters(self.below(20_000) * 17_389),
            _ => {
                let at = usize::try_from(self.below(48)).unwrap_or(0);
                WORDS.get(at).copied().unwrap_or("the").to_owned()
            }
        }
    }

    fn text(&mut self, length: usize) -> String {
        let mut text = String::new();
        let mut words = 0;
        while text.len() < length {
            text.push_str(&self.word());
            words += 1;
            text.push_str(if words % 14 == 0 { ". " } else { " " });
        }
        text
    }
}

fn letters(mut number: u64) -> String {
    let mut out = String::new();
    for _ in 0..6 {
        out.push(char::from(b'a' + u8::try_from(number % 26).unwrap_or(0)));
        number /= 26;
    }
    out
}

/// The best of several runs.
fn best<T>(runs: u32, mut work: impl FnMut() -> T) -> Duration {
    let once = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..runs).map(once).min().unwrap_or_default()
}

fn index_of(texts: &[String]) -> Index {
    Index::new((0..).zip(texts).map(|(source, text)| ChunkText { source, text, ..ChunkText::default() }))
}

fn main() {
    let mut random = Random(7);
    response(&mut random);
    pairs(&mut random);
    pruning(&mut random);
    many(&mut random);
}

fn response(random: &mut Random) {
    let chunks: Vec<String> = (0..50).map(|_| random.text(1000)).collect();
    let claims: Vec<String> = (0..50).map(|_| random.text(150)).collect();
    let read = best(50, || chunks.iter().map(|text| text.to_lowercase().split(' ').count()).sum::<usize>());
    let indexing = best(50, || index_of(&chunks));
    let judged = best(50, || judge_all(&chunks, &claims));
    let every = best(20, || score_all(&chunks, &claims));
    println!("50 supports x 50 chunks of 1,000 characters");
    println!("  lower-case and split on spaces {read:?}");
    println!("  indexing        {indexing:?} = {:.1}x", ratio(indexing, read));
    println!("  judging all     {judged:?} with indexing (at most 10 ms)");
    println!("  every pair      {every:?} with indexing, 2,500 pairs in full (at most 10 ms)");
}

fn judge_all(chunks: &[String], claims: &[String]) -> usize {
    let index = index_of(chunks);
    let mut scorer = Scorer::new(&index);
    let cited = |at: u32| [ChunkId(at), ChunkId((at + 7) % 50)];
    let verdicts =
        (0..).zip(claims).map(|(at, claim)| scorer.compare(&Claim::new(&index, claim), &cited(at)));
    verdicts.map(|verdict| verdict.fits.len()).sum()
}

fn score_all(chunks: &[String], claims: &[String]) -> f64 {
    let index = index_of(chunks);
    let mut scorer = Scorer::new(&index);
    let mut sum = 0.0;
    for claim in claims {
        let claim = Claim::new(&index, claim);
        let fits = index.ids().filter_map(|id| scorer.cover(&claim, id));
        sum += fits.map(|fit| fit.cover).sum::<f64>();
    }
    sum
}

fn pairs(random: &mut Random) {
    let rows: Vec<(String, String)> = (0..3000).map(|_| (random.text(100), random.text(500))).collect();
    let time = best(5, || {
        let one = |(claim, text): &(String, String)| {
            let index = index_of(std::slice::from_ref(text));
            Scorer::new(&index).compare(&Claim::new(&index, claim), &[ChunkId(0)]).fits.len()
        };
        rows.iter().map(one).sum::<usize>()
    });
    let rate = 3000.0 / time.as_secs_f64();
    println!("pairs of their own, 500 characters of evidence: {rate:.0} a second (at least 30,000)");
}

/// About 150 characters of a text, every fifth word another.
fn reworded(random: &mut Random, text: &str) -> String {
    let skip = usize::try_from(random.below(80)).unwrap_or(0);
    let words = (0..).zip(text.split(' ').skip(skip).take(25));
    let said: Vec<String> =
        words.map(|(at, word)| if at % 5 == 4 { random.word() } else { word.to_owned() }).collect();
    said.join(" ")
}

fn pruning(random: &mut Random) {
    let chunks: Vec<String> = (0..3000).map(|_| random.text(1000)).collect();
    let index = index_of(&chunks);
    let texts = chunks.iter().step_by(30);
    let claims: Vec<Claim> = texts.map(|text| Claim::new(&index, &reworded(random, text))).collect();
    let mut scorer = Scorer::new(&index);
    let pruned = best(5, || {
        claims.iter().filter_map(|claim| scorer.best_other(claim, &[])).map(|o| o.cover).sum::<f64>()
    });
    let mut scorer = Scorer::new(&index);
    let full = best(2, || {
        let most = |claim: &Claim| {
            let fits = index.ids().filter_map(|id| scorer.cover(claim, id));
            fits.map(|fit| fit.cover).fold(0.0, f64::max)
        };
        claims.iter().map(most).sum::<f64>()
    });
    let indexing = best(3, || index_of(&chunks));
    println!("3,000 chunks of 1,000 characters");
    println!("  indexing          {indexing:?}");
    println!("  best of all, pruned {:?} a claim", pruned / 100);
    println!("  best of all, full   {:?} a claim = {:.0}x", full / 100, ratio(full, pruned));
}

/// A response too large to be compared at once: what the first span waits for, and all of them.
fn many(random: &mut Random) {
    let chunks: Vec<String> = (0..3000).map(|_| random.text(1000)).collect();
    let claims: Vec<(String, u32)> = (0..7000u32)
        .map(|number| {
            let cited = number * 7 % 3000;
            (reworded(random, chunks.get(cited as usize).map_or("", String::as_str)), cited)
        })
        .collect();
    let start = Instant::now();
    let index = index_of(&chunks);
    let mut scorer = Scorer::new(&index);
    let mut judge = |(claim, cited): &(String, u32)| {
        scorer.compare(&Claim::new(&index, claim), &[ChunkId(*cited)]).outcome
    };
    black_box(claims.first().map(&mut judge));
    let first = start.elapsed();
    black_box(claims.iter().map(judge).collect::<Vec<_>>());
    println!("7,000 supports x 3,000 chunks of 1,000 characters");
    println!("  first support with indexing {first:?}, all {:?}", start.elapsed());
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}
