//! What a text is made of: its scripts and, of its words, how many are English function words. Claims and
//! chunks each have a profile; whether two of them are in the same language is decided in `language`.

use super::tokens::TokenKind;
use super::words;
use icu_properties::CodePointMapData;
use icu_properties::props::Script;

/// At least this share of English function words reads as English: more than nine in ten English passages.
pub const ENGLISH: f64 = 0.20;
/// At most this share does not; other languages share a few short words with English.
pub const NOT_ENGLISH: f64 = 0.10;

/// What a token says about the language of its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    script: Option<Script>,
    /// A word 2, a gram 1, a number 0.
    weight: u8,
    pub(crate) is_function_word: bool,
}

impl Traits {
    pub(crate) const NUMBER: Self = Self { script: None, weight: 0, is_function_word: false };

    pub(crate) fn of(text: &str, kind: TokenKind) -> Self {
        let (weight, counts) = match kind {
            TokenKind::Number => (0, false),
            TokenKind::Gram => (1, true),
            TokenKind::Word => (2, true),
        };
        Self {
            script: text.chars().next().and_then(script).filter(|_| counts),
            weight,
            is_function_word: kind == TokenKind::Word && words::is_stop_token(text),
        }
    }
}

/// What a text is made of, repetitions included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    /// The weight of the tokens by script.
    scripts: Vec<(Script, u32)>,
    pub(crate) words: u32,
    pub(crate) function_words: u32,
}

impl Profile {
    pub(crate) fn count(&mut self, traits: Traits) {
        self.words += u32::from(traits.weight == 2);
        self.function_words += u32::from(traits.is_function_word);
        if let Some(script) = traits.script {
            self.note(script, traits.weight.into());
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.words += other.words;
        self.function_words += other.function_words;
        for (script, amount) in &other.scripts {
            self.note(*script, *amount);
        }
    }

    fn note(&mut self, script: Script, amount: u32) {
        match self.scripts.iter_mut().find(|(known, _)| *known == script) {
            Some((_, sum)) => *sum += amount,
            None => self.scripts.push((script, amount)),
        }
    }

    pub(crate) fn main_script(&self) -> Option<Script> {
        self.scripts.iter().rev().max_by_key(|(_, amount)| *amount).map(|(script, _)| *script)
    }

    pub(crate) fn share_of(&self, script: Script) -> f64 {
        let all: u32 = self.scripts.iter().map(|(_, amount)| amount).sum();
        let own = self.scripts.iter().find(|(known, _)| *known == script);
        f64::from(own.map_or(0, |(_, amount)| *amount)) / f64::from(all.max(1))
    }

    fn function_share(&self) -> f64 {
        f64::from(self.function_words) / f64::from(self.words.max(1))
    }

    pub(crate) fn is_english(&self) -> bool {
        self.words >= 4 && self.function_share() >= ENGLISH
    }

    pub(crate) fn is_not_english(&self, enough: u32) -> bool {
        self.words >= enough && self.function_share() <= NOT_ENGLISH
    }
}

/// Japanese writes in three scripts, which count as one here. Marks and signs of many scripts count as none.
fn script(c: char) -> Option<Script> {
    if c.is_ascii() {
        return Some(Script::Latin);
    }
    match CodePointMapData::<Script>::new().get(c) {
        Script::Common | Script::Inherited => None,
        Script::Hiragana | Script::Katakana => Some(Script::Han),
        other => Some(other),
    }
}
