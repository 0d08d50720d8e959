//! The fields that the model has no place for, by the source or trace in which they stand.

use std::collections::HashMap;

use super::unsaid::Extra;
use crate::model::{Origin, Response, Step};

/// Numbers of such fields, each looked at once.
#[derive(Default)]
pub(super) struct Owned {
    below: HashMap<(u32, Vec<Step>), Vec<usize>>,
    rest: Vec<usize>,
}

impl Owned {
    pub fn of(response: &Response, extras: &[Extra]) -> Self {
        let mut out = Self::default();
        let sources = response.sources.iter().map(|source| &source.origin);
        let traces = response.traces.iter().map(|trace| &trace.origin);
        for origin in sources.chain(traces) {
            out.below.entry(place(origin)).or_default();
        }
        let own = place(&response.origin);
        for (number, extra) in extras.iter().enumerate() {
            let (frame, mut steps) = place(&extra.origin);
            let mut owned = false;
            loop {
                let at = (frame, steps);
                if let Some(numbers) = out.below.get_mut(&at) {
                    numbers.push(number);
                    // The place of the response itself holds everything; it is no owner here.
                    owned |= at != own;
                }
                steps = at.1;
                if steps.pop().is_none() {
                    break;
                }
            }
            if !owned {
                out.rest.push(number);
            }
        }
        out
    }

    /// Those in or below a source or trace, or else those that are in none.
    pub fn numbers(&self, within: Option<&Origin>) -> &[usize] {
        match within {
            Some(outer) => self.below.get(&place(outer)).map_or(&[], Vec::as_slice),
            None => &self.rest,
        }
    }
}

fn place(origin: &Origin) -> (u32, Vec<Step>) {
    (origin.frame, origin.path.steps())
}
