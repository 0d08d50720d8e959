//! Offsets in bytes, characters and UTF-16 units of one text, turned into each other in constant time.

use std::borrow::Cow;

use crate::model::Unit;

/// Bytes between two marks.
const STEP: usize = 256;

/// At mark k, the first character border at or after byte 256 k: byte, characters and UTF-16 units before it.
pub type Mark = (usize, usize, usize);

/// Marks at every 256th byte of a text.
#[derive(Debug)]
pub struct Units<'a> {
    text: &'a str,
    /// Empty for ASCII, where all units agree.
    marks: Cow<'a, [Mark]>,
}

impl<'a> Units<'a> {
    /// Of a text.
    pub fn of(text: &'a str) -> Self {
        Self { text, marks: Self::marks(text).into() }
    }

    /// Of a text whose marks are known.
    pub fn marked(text: &'a str, marks: &'a [Mark]) -> Self {
        Self { text, marks: marks.into() }
    }

    /// The marks of a text, for whoever asks about it again and again.
    pub fn marks(text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let (mut characters, mut wide) = (0, 0);
            for (byte, c) in text.char_indices() {
                if byte >= marks.len() * STEP {
                    marks.push((byte, characters, wide));
                }
                characters += 1;
                wide += c.len_utf16();
            }
        }
        marks
    }

    /// Whether the units can be told apart.
    pub fn agree(&self) -> bool {
        self.marks.is_empty()
    }

    /// The byte at an offset. `Err` holds the nearest byte before it: of the end for an offset past the text,
    /// of the character for one inside a character.
    pub fn byte(&self, unit: Unit, offset: usize) -> Result<usize, Miss> {
        if unit == Unit::Bytes || self.agree() {
            return if offset > self.text.len() {
                Err(Miss::Past)
            } else if self.text.is_char_boundary(offset) {
                Ok(offset)
            } else {
                Err(Miss::Inside(offset))
            };
        }
        let key = |mark: &(usize, usize, usize)| if unit == Unit::Characters { mark.1 } else { mark.2 };
        let at = self.marks.partition_point(|mark| key(mark) <= offset).saturating_sub(1);
        let (byte, mut seen) = self.marks.get(at).map_or((0, 0), |mark| (mark.0, key(mark)));
        for (inner, c) in self.text.get(byte..).unwrap_or_default().char_indices() {
            if seen >= offset {
                return if seen == offset { Ok(byte + inner) } else { Err(Miss::Inside(byte + inner)) };
            }
            seen += if unit == Unit::Characters { 1 } else { c.len_utf16() };
        }
        match seen.cmp(&offset) {
            std::cmp::Ordering::Equal => Ok(self.text.len()),
            std::cmp::Ordering::Less => Err(Miss::Past),
            std::cmp::Ordering::Greater => Err(Miss::Inside(self.text.len())),
        }
    }

    /// How many units lie before a byte.
    pub fn count(&self, unit: Unit, byte: usize) -> usize {
        if unit == Unit::Bytes || self.agree() {
            return byte;
        }
        let at = self.marks.partition_point(|mark| mark.0 <= byte).saturating_sub(1);
        let (from, characters, wide) = self.marks.get(at).copied().unwrap_or_default();
        let between = self.text.get(from..byte).unwrap_or_default();
        match unit {
            Unit::Characters => characters + between.chars().count(),
            _ => wide + between.encode_utf16().count(),
        }
    }
}

/// Why an offset has no byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Miss {
    /// Past the end of the text.
    Past,
    /// Inside the character that ends, or the byte that lies, here.
    Inside(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn units_are_told_apart() {
        let units = Units::of("aé😀b");
        assert_eq!(units.byte(Unit::Characters, 2), Ok(3));
        assert_eq!(units.byte(Unit::Utf16, 4), Ok(7));
        assert_eq!(units.byte(Unit::Utf16, 3), Err(Miss::Inside(7)));
        assert_eq!(units.byte(Unit::Bytes, 2), Err(Miss::Inside(2)));
        assert_eq!(units.byte(Unit::Characters, 5), Err(Miss::Past));
        assert_eq!(units.count(Unit::Utf16, 8), 5);
    }

    proptest! {
        #[test]
        fn every_border_survives_the_way_there_and_back(text in "(\\PC|[a-z]{40}){0,30}") {
            let units = Units::of(&text);
            for byte in (0..=text.len()).filter(|&byte| text.is_char_boundary(byte)) {
                for unit in [Unit::Bytes, Unit::Characters, Unit::Utf16] {
                    prop_assert_eq!(units.byte(unit, units.count(unit, byte)), Ok(byte));
                }
                prop_assert_eq!(units.count(Unit::Characters, byte), text[..byte].chars().count());
            }
        }
    }
}
