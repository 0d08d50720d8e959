//! What rows are made of.

use crate::look::Role;
use crate::text::Cell;

/// How a bit is set: what Markdown says of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextStyle(u8);

impl TextStyle {
    /// A heading, or strong.
    pub const STRONG: Self = Self(1);
    /// Emphasis.
    pub const EMPHASIS: Self = Self(2);
    /// Struck out.
    pub const STRUCK: Self = Self(4);
    /// Code.
    pub const CODE: Self = Self(8);
    /// Marks and addresses: what is there to be passed over.
    pub const QUIET: Self = Self(16);

    /// Both.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The first without the second.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// What it looks like.
    pub fn roles(self) -> impl Iterator<Item = Role> {
        let table = [
            (Self::STRONG, Role::Strong),
            (Self::EMPHASIS, Role::Emphasis),
            (Self::STRUCK, Role::Struck),
            (Self::CODE, Role::Code),
            (Self::QUIET, Role::Dim),
        ];
        table.into_iter().filter(move |(style, _)| self.0 & style.0 != 0).map(|(_, role)| role)
    }
}

/// What a bit of a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Bytes of the answer from this one on, as they are.
    Text(usize),
    /// Something of the answer that is written otherwise: an entity, a break. Its first byte.
    Stand(usize),
    /// A number behind a claim: its place among the numbers of a page.
    Number(usize),
    /// Put in to lay the text out.
    Fill,
}

/// A bit of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bit<'p> {
    /// What is drawn.
    pub text: &'p str,
    /// What it stands for.
    pub of: Of,
    /// How.
    pub style: TextStyle,
}

/// A cluster of a row as it is drawn.
#[derive(Debug)]
pub struct Drawn<'p> {
    /// Cells from the beginning of the row.
    pub column: usize,
    /// What is drawn, and how wide it is.
    pub cell: Cell<'p>,
    /// What it stands for.
    pub of: Of,
    /// How.
    pub style: TextStyle,
}
