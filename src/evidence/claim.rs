//! A claim prepared once: its tokens with their weights, its numbers and names.

use super::cited::Cited;
use super::clean::{clean, expand_years};
use super::fold::Folder;
use super::index::{Index, Number};
use super::intern::Interner;
use super::profile::{Profile, Traits};
use super::tokens::{self, FUNCTION_WORD, TokenKind, plain_weight};
use super::{names, numbers};

/// One token of the set that a claim is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    /// Its number in the index; `None` where no chunk has it.
    pub(crate) token: Option<u32>,
    pub(crate) weight: f64,
    pub(crate) kind: TokenKind,
}

#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// Its tokens in the index; one that no chunk has is none.
    pub(crate) tokens: Vec<Option<u32>>,
}

impl Name {
    /// Whether every word of the name stands in a cited chunk or its title.
    pub(crate) fn is_held(&self, index: &Index, cited: &Cited) -> bool {
        self.tokens.iter().all(|token| token.is_some_and(|token| cited.hold(index, token)))
    }
}

/// The wording of a support, prepared for one [`Index`].
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// The tokens by the order of first occurrence, which is also the order of every sum.
    pub(crate) words: Interner,
    pub(crate) terms: Vec<Term>,
    pub(crate) total: f64,
    pub(crate) numbers: Vec<Number>,
    pub(crate) names: Vec<Name>,
    pub(crate) profile: Profile,
}

impl Claim {
    /// Prepares a claim for comparison with the chunks of `index`; it means nothing to another index.
    #[must_use]
    pub fn new(index: &Index, text: &str) -> Self {
        let mut claim = Self::default();
        let cleaned = clean(text);
        let mut folder = Folder::default();
        tokens::each(folder.fold(&cleaned.text), &mut |piece| {
            claim.add(index, piece.text, piece.kind);
            if piece.kind == TokenKind::Number {
                claim.numbers.push(number(index, piece.text));
            }
        });
        claim.total = claim.terms.iter().map(|term| term.weight).fold(0.0, |a, b| a + b);
        if let Some(years) = expand_years(&cleaned.text) {
            claim.numbers.clear();
            tokens::each(folder.fold(&years.text), &mut |piece| {
                if piece.kind == TokenKind::Number {
                    claim.numbers.push(number(index, piece.text));
                }
            });
        }
        for range in names::names(&cleaned.text) {
            let text = cleaned.text.get(range).unwrap_or("").to_owned();
            let mut tokens = Vec::new();
            tokens::each(folder.fold(&text), &mut |piece| {
                tokens.push(index.words.find(piece.text));
            });
            claim.names.push(Name { text, tokens });
        }
        claim
    }

    /// The weight of all its tokens together.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.total
    }

    /// The numbers that stand in none of the cited chunks: not as digits, as a number word, rounded, or in
    /// thousands and up.
    pub fn missing_numbers<'a>(
        &'a self,
        index: &'a Index,
        cited: impl Into<Cited>,
    ) -> impl Iterator<Item = &'a str> {
        let cited = cited.into();
        let missing = move |number: &&Number| !cited.hold_number(index, number);
        self.numbers.iter().filter(missing).map(|number| number.text.as_str())
    }

    /// The names of which the cited chunks and their titles lack a word.
    pub fn missing_names<'a>(
        &'a self,
        index: &'a Index,
        cited: impl Into<Cited>,
    ) -> impl Iterator<Item = &'a str> {
        let cited = cited.into();
        let missing = move |name: &&Name| !name.is_held(index, &cited);
        self.names.iter().filter(missing).map(|name| name.text.as_str())
    }

    fn add(&mut self, index: &Index, text: &str, kind: TokenKind) {
        let at = self.words.intern(text) as usize;
        let traits = Traits::of(text, kind);
        let weight = plain_weight(text, kind) * if traits.is_function_word { FUNCTION_WORD } else { 1.0 };
        self.profile.count(traits);
        if let Some(term) = self.terms.get_mut(at) {
            term.weight = term.weight.max(weight);
            return;
        }
        self.terms.push(Term { token: index.words.find(text), weight, kind });
    }
}

fn number(index: &Index, text: &str) -> Number {
    let (token, value) = (index.words.find(text), numbers::value(text));
    Number { text: text.to_owned(), token, value }
}
