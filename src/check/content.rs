//! Rules on content: what was compared, never what is true. None is more than a warning.

use super::{Finding, counted};
use crate::evidence::Outcome;
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let mut little = Vec::new();
    for (index, support) in response.supports.iter().enumerate() {
        let Some(verdict) = reviewed.verdict(index) else { continue };
        match verdict.outcome {
            Outcome::OtherChunk => {
                let Some(other) = verdict.better() else { continue };
                let source = reviewed.comparison().place(other.chunk).map_or(0, |(source, _)| source);
                let own = verdict.fits.first().map_or(0.0, |fit| fit.cover);
                let message = format!("source [{}] holds more of support {} ({:.2} against {own:.2})", source + 1, index + 1, other.cover);
                found.push(Finding::new("other-chunk", &support.origin, message).supports(vec![index]).sources(vec![source]));
            }
            Outcome::NumberMissing => {
                let numbers = verdict.missing_numbers.join(", ");
                let (noun, verb) = if verdict.missing_numbers.len() == 1 { ("number", "is") } else { ("numbers", "are") };
                let message = format!("the {noun} {numbers} of support {} {verb} in none of the cited chunks", index + 1);
                found.push(Finding::new("number-missing", &support.origin, message).supports(vec![index]));
            }
            Outcome::Little => little.push(index),
            _ => {}
        }
    }
    if let Some(origin) = little.first().and_then(|&first| response.supports.get(first)).map(|support| support.origin.clone()) {
        let message = format!("{} of which the cited chunks hold less than half of the wording", counted(little.len(), "support"));
        found.push(Finding::new("wording-little", &origin, message).supports(little));
    }
    let shift = reviewed.comparison().shifted_by(reviewed);
    if shift != 0 {
        let message = format!("the citations fit better with every index moved by {shift:+}");
        found.push(Finding::new("index-shift", &response.origin, message));
    }
}
