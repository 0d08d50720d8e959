//! How well the scorer does on claims that people labelled: the sets under `$CITESCOPE_CORPUS/attribution`.
//! Support, the right chunk among others, swapped citations, shifted indices, pairs a second on one core.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs, io};

use citescope::evidence::{ChunkId, ChunkText, Claim, Index, Indexer, MARGIN, OTHER_COVER, Scorer};
use serde_json::Value;

/// Claims of a set that take part in re-attribution, at most; drawn with this seed.
const SAMPLE: usize = 600;
const SEED: u64 = 4;
/// Fewer say little.
const LEAST: usize = 100;

/// A set by its name.
type Set = (String, Vec<Row>);

/// One labelled row.
struct Row {
    claim: String,
    evidence: Vec<String>,
    supported: bool,
    group: String,
}

/// The claims of one response and the distinct chunks that they cite.
#[derive(Default)]
struct Response {
    chunks: Vec<String>,
    claims: Vec<(String, Vec<u32>)>,
}

fn main() -> io::Result<()> {
    let Some(corpus) = env::var_os("CITESCOPE_CORPUS") else {
        println!("skipped: CITESCOPE_CORPUS is not set");
        return Ok(());
    };
    let sets = load(&Path::new(&corpus).join("attribution"))?;
    support(&sets);
    attribution(&sets);
    shift(&sets);
    speed(&sets);
    Ok(())
}

fn load(folder: &Path) -> io::Result<Vec<Set>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for set in fs::read_dir(folder)? {
        let entries = fs::read_dir(set?.path())?.map(|entry| entry.map(|entry| entry.path()));
        files.extend(
            entries
                .collect::<io::Result<Vec<_>>>()?
                .into_iter()
                .filter(|path| path.extension().is_some_and(|end| end == "jsonl")),
        );
    }
    files.sort();
    let set = |path: &PathBuf| {
        let rows = fs::read_to_string(path)?.lines().map(row).collect::<Result<_, _>>()?;
        Ok((path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(), rows))
    };
    files.iter().map(set).collect()
}

fn row(line: &str) -> Result<Row, serde_json::Error> {
    let row: Value = serde_json::from_str(line)?;
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let evidence = row.get("evidence").and_then(Value::as_array).into_iter().flatten();
    Ok(Row {
        claim: text("claim"),
        evidence: evidence.filter_map(|text| text.as_str().map(str::to_owned)).collect(),
        supported: text("label") == "supported",
        group: text("group"),
    })
}

fn index_of(texts: &[String]) -> Index {
    Index::new((0..).zip(texts).map(|(source, text)| ChunkText { source, text, ..ChunkText::default() }))
}

/// Cover against the label, and the outcomes as share of claims with the share of those that people did not
/// call fully supported.
fn support(sets: &[Set]) {
    println!(
        "support              AUROC  bal. acc. .65   found        partly       number       little       \
         unchecked"
    );
    for (name, rows) in sets {
        if rows.iter().all(|row| row.supported) || !rows.iter().any(|row| row.supported) {
            continue;
        }
        let (mut high, mut low, mut bands) = (Vec::new(), Vec::new(), HashMap::<&str, (u32, u32)>::new());
        for row in rows {
            let index = index_of(&row.evidence);
            let ids: Vec<ChunkId> = index.ids().collect();
            let verdict = Scorer::new(&index).compare(&Claim::new(&index, &row.claim), &ids);
            let Some(cover) = verdict.cover else { continue };
            if row.supported { &mut high } else { &mut low }.push(cover);
            let band = bands.entry(verdict.outcome.word()).or_default();
            band.0 += 1;
            band.1 += u32::from(!row.supported);
        }
        let count = high.len() + low.len();
        let accuracy = f64::midpoint(share(&high, |cover| cover > 0.65), share(&low, |cover| cover <= 0.65));
        print!("{name:13} {count:5}   {:.3}  {accuracy:.3}        ", auroc(&high, &low));
        for word in ["found", "partly", "number-missing", "little", "unchecked"] {
            let (all, not) = bands.get(word).copied().unwrap_or_default();
            print!("  {:.2} -> {:.2}", f64::from(all) / count as f64, f64::from(not) / f64::from(all.max(1)));
        }
        println!();
    }
}

fn share(values: &[f64], fits: impl Fn(f64) -> bool) -> f64 {
    values.iter().filter(|value| fits(**value)).count() as f64 / values.len().max(1) as f64
}

/// The probability that a value of `high` lies above one of `low`; ties count half.
fn auroc(high: &[f64], low: &[f64]) -> f64 {
    let mut sorted = low.to_vec();
    sorted.sort_by(f64::total_cmp);
    let wins = high.iter().map(|value| {
        let below = sorted.partition_point(|other| other < value);
        let up_to = sorted.partition_point(|other| other <= value);
        f64::midpoint(below as f64, up_to as f64)
    });
    wins.sum::<f64>() / (high.len() * low.len()) as f64
}

/// Responses in order of first appearance; rows of one claim are one claim with several citations. Chunks of
/// all rows take part, claims of those that `fit`.
fn responses(rows: &[Row], fit: impl Fn(&Row) -> bool) -> Vec<Response> {
    let mut at = HashMap::new();
    let mut out: Vec<Response> = Vec::new();
    for row in rows {
        let place = *at.entry(row.group.as_str()).or_insert(out.len());
        if place == out.len() {
            out.push(Response::default());
        }
        let Some(response) = out.get_mut(place) else { continue };
        let mut cited = Vec::new();
        for text in &row.evidence {
            let known =
                response.chunks.iter().position(|chunk| chunk == text).unwrap_or(response.chunks.len());
            if known == response.chunks.len() {
                response.chunks.push(text.clone());
            }
            cited.push(known as u32);
        }
        if !fit(row) {
            continue;
        }
        match response.claims.iter_mut().find(|(claim, _)| *claim == row.claim) {
            Some((_, known)) => known.extend(cited),
            None => response.claims.push((row.claim.clone(), cited)),
        }
    }
    out
}

/// The `SplitMix64` generator, so that the sample is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

/// What one claim gave with its own citation and with a random other one.
struct Trial {
    chunks: usize,
    first: bool,
    own: Cited,
    swapped: Cited,
    suggested: bool,
}

struct Cited {
    cover: f64,
    margin: f64,
    flagged: bool,
}

fn attribution(sets: &[Set]) {
    println!(
        "\nre-attribution       chunks chance  right first  AUROC cover / margin   found  false alarm  \
         suggestion right"
    );
    for (name, rows) in sets {
        let responses = responses(rows, |row| row.supported);
        let mut random = Random(SEED);
        let has_other = |response: &Response, cited: &[u32]| {
            (0..response.chunks.len() as u32).any(|id| !cited.contains(&id))
        };
        let claims =
            responses.iter().flat_map(|response| response.claims.iter().map(move |claim| (response, claim)));
        let mut picks: Vec<_> = claims.filter(|(response, (_, cited))| has_other(response, cited)).collect();
        for left in (1..picks.len()).rev() {
            picks.swap(left, random.below(left + 1));
        }
        picks.truncate(SAMPLE);
        let trials: Vec<Trial> = picks
            .iter()
            .filter_map(|(response, (claim, cited))| trial(&response.chunks, claim, cited, &mut random))
            .collect();
        if trials.len() >= LEAST {
            report(name, &trials);
        }
    }
}

fn trial(chunks: &[String], claim: &str, cited: &[u32], random: &mut Random) -> Option<Trial> {
    let index = index_of(chunks);
    let claim = Claim::new(&index, claim);
    let own: Vec<ChunkId> = cited.iter().copied().map(ChunkId).collect();
    let others: Vec<ChunkId> = index.ids().filter(|id| !own.contains(id)).collect();
    let swapped = *others.get(random.below(others.len()))?;
    let mut scorer = Scorer::new(&index);
    let top = scorer.best_other(&claim, &[])?;
    let mut cite = |cited: &[ChunkId]| {
        let cover =
            cited.iter().filter_map(|id| scorer.cover(&claim, *id)).map(|fit| fit.cover).fold(0.0, f64::max);
        let other = scorer.best_other(&claim, cited)?;
        let margin = other.cover - cover;
        Some((Cited { cover, margin, flagged: margin > MARGIN && other.cover >= OTHER_COVER }, other.chunk))
    };
    let ((right, _), (wrong, suggestion)) = (cite(&own)?, cite(&[swapped])?);
    let (first, suggested) = (own.contains(&top.chunk), own.contains(&suggestion));
    Some(Trial { chunks: index.len(), first, own: right, swapped: wrong, suggested })
}

fn report(name: &str, trials: &[Trial]) {
    let mean = |value: fn(&Trial) -> f64| trials.iter().map(value).sum::<f64>() / trials.len() as f64;
    let list = |value: fn(&Trial) -> f64| trials.iter().map(value).collect::<Vec<f64>>();
    let found = mean(|trial| f64::from(trial.swapped.flagged));
    println!(
        "{name:13} {:5}    {:4.1}   {:.2}     {:.3}        {:.3} / {:.3}         {found:.3}   {:.3}        \
         {:.3}",
        trials.len(),
        mean(|trial| trial.chunks as f64),
        mean(|trial| 1.0 / trial.chunks as f64),
        mean(|trial| f64::from(trial.first)),
        auroc(&list(|trial| trial.own.cover), &list(|trial| trial.swapped.cover)),
        auroc(&list(|trial| trial.swapped.margin), &list(|trial| trial.own.margin)),
        mean(|trial| f64::from(trial.own.flagged)),
        mean(|trial| f64::from(trial.swapped.flagged && trial.suggested)) / found,
    );
}

/// Whole responses with every index moved by −1, 0 and +1: how often the move is named.
fn shift(sets: &[Set]) {
    println!("\nindex shift named    moved -1, as sent, moved +1");
    for (name, rows) in sets {
        let (mut right, mut tried) = ([0u32; 3], 0u32);
        for response in responses(rows, |_| true) {
            let index = index_of(&response.chunks);
            let claims: Vec<(Claim, &Vec<u32>)> =
                response.claims.iter().map(|(text, cited)| (Claim::new(&index, text), cited)).collect();
            let named = [-1i8, 0, 1].map(|moved| {
                let sent = claims.iter().map(|(claim, cited)| {
                    (claim, cited.iter().map(|at| i64::from(*at) + i64::from(moved)).collect())
                });
                let shift = Scorer::new(&index).index_shift(sent, response.chunks.len() as u32)?;
                Some(shift.by == -moved)
            });
            let [Some(before), Some(own), Some(after)] = named else { continue };
            tried += 1;
            for (count, named) in right.iter_mut().zip([before, own, after]) {
                *count += u32::from(named);
            }
        }
        if tried >= 20 {
            let [before, own, after] = right;
            println!("{name:13} {tried:5}   {before}, {own}, {after}");
        }
    }
}

fn speed(sets: &[Set]) {
    println!("\npairs a second on one core, each text indexed anew (mean bytes of evidence)");
    for (name, rows) in sets {
        let start = Instant::now();
        let mut indexer = Indexer::default();
        let (mut pairs, mut bytes) = (0, 0);
        for row in rows {
            let index =
                indexer.index(row.evidence.iter().map(|text| ChunkText { text, ..ChunkText::default() }));
            let claim = Claim::new(index, &row.claim);
            let mut scorer = Scorer::new(index);
            pairs += index.ids().filter_map(|id| scorer.cover(&claim, id)).count();
            bytes += row.evidence.iter().map(String::len).sum::<usize>();
        }
        println!(
            "{name:13} {:8.0}  ({})",
            pairs as f64 / start.elapsed().as_secs_f64(),
            bytes / pairs.max(1)
        );
    }
}
