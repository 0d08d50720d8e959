//! The inputs of a session, with the number of the first record of each.

use std::sync::Arc;

use crate::store::Input;

/// Inputs in order. A session with more of them shares those that it grew out of: of very many files it is
/// made anew many times a second.
#[derive(Clone, Default)]
pub(super) struct Inputs {
    blocks: Vec<Block>,
    records: usize,
}

/// What was opened at once.
#[derive(Clone)]
struct Block {
    /// Numbers of its first input and of its first record.
    inputs_before: usize,
    records_before: usize,
    /// Each with the number of its first record.
    inputs: Arc<[(Input, usize)]>,
}

impl Inputs {
    /// How many records they have.
    pub fn records(&self) -> usize {
        self.records
    }

    /// Adds some behind the others.
    pub fn extend(&mut self, more: Vec<Input>) {
        if more.is_empty() {
            return;
        }
        let inputs_before = self.blocks.last().map_or(0, Block::end);
        let records_before = self.records;
        let first = |input: Input| {
            let first = self.records;
            self.records += input.len();
            (input, first)
        };
        let inputs = more.into_iter().map(first).collect();
        self.blocks.push(Block { inputs_before, records_before, inputs });
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = &Input> {
        self.blocks.iter().flat_map(|block| block.inputs.iter()).map(|(input, _)| input)
    }

    /// The input of a record: its number, itself, and the number of the record in it. Inputs without a record
    /// share their first number with the one behind them.
    pub fn of_record(&self, record: usize) -> Option<(usize, &Input, usize)> {
        let behind = self.blocks.partition_point(|block| block.records_before <= record);
        let block = self.blocks.get(behind.checked_sub(1)?)?;
        let at = block.inputs.partition_point(|(_, first)| *first <= record).checked_sub(1)?;
        let (input, first) = block.inputs.get(at)?;
        let within = record - first;
        (within < input.len()).then_some((block.inputs_before + at, input, within))
    }
}

impl Block {
    fn end(&self) -> usize {
        self.inputs_before + self.inputs.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a few lines each.
    fn inputs(lines: &[usize]) -> Vec<Input> {
        let input = |lines: &usize| {
            let text = "{\"candidates\": [{\"finishReason\": \"STOP\"}]}\n".repeat(*lines);
            Input::from_lines("f", text.into_bytes(), 0, 0)
        };
        lines.iter().map(input).collect()
    }

    #[test]
    fn each_record_has_its_input_however_they_came() {
        let mut few = Inputs::default();
        few.extend(inputs(&[2, 0, 1]));
        let mut more = few.clone();
        more.extend(Vec::new());
        more.extend(inputs(&[0]));
        more.extend(inputs(&[1, 3]));
        let of = |inputs: &Inputs, record: usize| {
            inputs.of_record(record).map(|(number, _, within)| (number, within))
        };
        assert_eq!((few.records(), more.records(), more.iter().count()), (3, 7, 6));
        let all = [(0, 0), (0, 1), (2, 0), (4, 0), (5, 0), (5, 1), (5, 2)];
        assert_eq!((0..7).map(|record| of(&more, record)).collect::<Vec<_>>(), all.map(Some));
        assert_eq!([of(&more, 7), of(&few, 3), of(&Inputs::default(), 0)], [None; 3]);
    }
}
