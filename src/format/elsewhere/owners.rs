//! Whose places are: the responses of a record by where they stand.

use std::cell::OnceCell;

use crate::json::{Locator, Peek};
use crate::model::{Origin, Path, Response, Step};

/// The response that a place is of.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    pub number: usize,
    /// How many steps of the place lead to it.
    pub below: usize,
}

/// Where responses of a record stand.
pub(super) struct Owners<'a> {
    frames: &'a [&'a str],
    /// Frame and path of each.
    origins: Vec<(u32, Vec<Step>)>,
    /// The numbers that they say they have, once one is asked for.
    numbers: OnceCell<Vec<Option<String>>>,
}

impl<'a> Owners<'a> {
    pub fn of(responses: &[Response], frames: &'a [&'a str]) -> Self {
        let origins = responses.iter().map(|response| (response.origin.frame, response.origin.path.steps()));
        Self { frames, origins: origins.collect(), numbers: OnceCell::new() }
    }

    /// The response that a place lies in, or the only one.
    pub fn owner(&self, origin: &Origin) -> Option<Owner> {
        let steps = origin.path.steps();
        if let [(_, own)] = self.origins.as_slice() {
            return Some(Owner { number: 0, below: shared(own, &steps) });
        }
        let mut here = self.origins.iter().enumerate().filter(|(_, (frame, _))| *frame == origin.frame);
        let inside = here.clone().find(|(_, (_, own))| !own.is_empty() && steps.starts_with(own));
        if let Some((number, (_, own))) = inside {
            return Some(Owner { number, below: own.len() });
        }
        // Events of a list, each a response of its own.
        let alone = here.next().filter(|(_, (_, own))| own.is_empty() && here.next().is_none());
        alone.map(|(number, _)| Owner { number, below: 0 }).or_else(|| self.further(origin, &steps))
    }

    /// Further frames of a stream say of which answer their elements are.
    fn further(&self, origin: &Origin, steps: &[Step]) -> Option<Owner> {
        let frame = self.frames.get(origin.frame as usize)?;
        let end = steps.iter().position(|step| matches!(step, Step::Index(_)))? + 1;
        let element = steps.get(..end).filter(|element| is_answer(element))?;
        let number = number_of(&mut Locator::default(), frame, element);
        let numbers = self.numbers.get_or_init(|| self.numbered());
        let own = numbers.iter().position(|own| own.is_some() && *own == number)?;
        Some(Owner { number: own, below: end })
    }

    fn numbered(&self) -> Vec<Option<String>> {
        let (mut at, mut locator) = (None, Locator::default());
        let number = |(frame, own): &(u32, Vec<Step>)| {
            if at.replace(*frame) != Some(*frame) {
                locator = Locator::default();
            }
            let frame = self.frames.get(*frame as usize)?;
            Some(own).filter(|own| is_answer(own)).and_then(|own| number_of(&mut locator, frame, own))
        };
        self.origins.iter().map(number).collect()
    }
}

/// Whether a path leads to one of several answers.
fn is_answer(steps: &[Step]) -> bool {
    matches!(steps, [.., Step::Key(list), Step::Index(_)] if ["candidates", "choices"].contains(&list.as_str()))
}

/// The number that an answer says that it has, or that of its place.
fn number_of(locator: &mut Locator, frame: &str, steps: &[Step]) -> Option<String> {
    let element = locator.locate(frame, &Path::from_steps(steps))?.value;
    let place = |step: &Step| if let Step::Index(number) = step { Some(number.to_string()) } else { None };
    Peek::of(frame.get(element)?, &["index"]).word("index").or_else(|| place(steps.last()?))
}

/// How many steps two paths share.
pub(super) fn shared(one: &[Step], other: &[Step]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}
