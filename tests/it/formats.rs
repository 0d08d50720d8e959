//! What every format owes: each frame of a sample or recording has one owner, and a fold can be asked behind
//! any frame.

use citescope::cli::SAMPLES;
use citescope::format::{FORMATS, claims};
use citescope::session::Session;

use crate::common::library::{export, open, recordings};

/// Samples and recordings, each with its name.
fn everything() -> Vec<(String, Session)> {
    let samples = SAMPLES.iter().map(|(name, text)| ((*name).to_owned(), open(name, *text)));
    // Our own form has fields of all formats.
    let exported = SAMPLES.iter().map(|(name, text)| {
        let (document, lines) = export(open(name, *text), true);
        [(format!("{name} as JSON"), open("f", document)), (format!("{name} as lines"), open("f", lines))]
    });
    let recorded = recordings().unwrap_or_default().into_iter();
    samples
        .chain(exported.flatten())
        .chain(recorded.map(|path| (path.display().to_string(), Session::open_file(&path))))
        .collect()
}

#[test]
fn each_frame_is_claimed_by_one_format_besides_the_fallback() {
    let fallback = FORMATS.last().unwrap().id;
    for (name, session) in everything() {
        for record in 0..session.len() {
            let (input, number) = session.record(record).unwrap();
            let Some(format) = input.format(number) else { continue };
            let text = input.record(number).unwrap();
            let mut claimed = format.id == fallback;
            for frame in text.frames() {
                let claims = claims(frame);
                claimed |= claims.contains(&format.id);
                let owners: Vec<_> = claims.iter().filter(|id| **id != fallback).collect();
                assert!(owners.len() < 2, "{name}: {claims:?}");
                assert!(
                    claims.is_empty() || claims.contains(&format.id),
                    "{name}: read as {}, claimed by {claims:?}",
                    format.id
                );
            }
            // Frames of a stream may be anybody's, as pings are; of a record one at least is its format's
            // alone.
            assert!(claimed || is_enveloped(&text), "{name}: read as {}, claimed by nobody", format.id);
        }
    }
}

/// A response with something of one's own around it: what it holds says what it is.
fn is_enveloped(text: &citescope::store::RecordText) -> bool {
    let object: serde_json::Value = serde_json::from_str(text.frame(0)).unwrap_or_default();
    ["response", "result", "output", "data", "body", "completion", "payload"]
        .iter()
        .any(|key| claims(&object[*key].to_string()).len() == 1)
}

#[test]
fn what_is_known_behind_any_frame_is_what_the_frames_so_far_give() {
    for (name, session) in everything() {
        for record in 0..session.len() {
            let (input, number) = session.record(record).unwrap();
            let Some(format) = input.format(number) else { continue };
            let text = input.record(number).unwrap();
            let mut replay = format.begin();
            for upto in 1..=text.len().min(12) {
                let frame = text.frame(upto - 1);
                if replay.push(frame).is_err() {
                    break;
                }
                let mut cut = format.begin();
                for frame in text.frames().take(upto) {
                    cut.push(frame).unwrap();
                }
                assert_eq!(
                    format!("{:?}", replay.snapshot()),
                    format!("{:?}", cut.finish()),
                    "{name} up to frame {upto}"
                );
            }
        }
    }
}
