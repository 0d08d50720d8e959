//! Whether claim and chunks are in the same language, as far as scripts and short words can tell. Across languages
//! only shared numbers and names are left to compare, and a low cover says nothing.

use super::claim::Claim;
use super::index::{ChunkId, Index};
use super::tokens::Kind;
use super::words;
use icu_properties::CodePointMapData;
use icu_properties::props::Script;

/// Below this share of the claim's script in the chunks, a different main script means another language.
pub const SCRIPT_SHARE: f64 = 0.30;
/// Below this share of the claim's short words found in any chunk, the chunks are in another language.
pub const SHORT_WORD_SHARE: f64 = 0.35;
/// The same where one side reads as English and the other does not.
pub const SHORT_WORD_SHARE_ENGLISH: f64 = 0.60;

/// With fewer words in all chunks together, short words that are missing say little.
pub const LANGUAGE_WORDS: u32 = 100;
/// At least this share of English function words reads as English: more than nine in ten English passages.
pub const ENGLISH: f64 = 0.20;
/// At most this share does not; other languages share a few short words with English.
pub const NOT_ENGLISH: f64 = 0.10;

/// Words of at most this many letters are short; a claim needs two of them to be judged by them.
const SHORT: usize = 4;

/// What a token tells about the language of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    script: Option<Script>,
    /// A word 2, a gram 1, a number 0.
    weight: u32,
    pub(crate) is_function_word: bool,
}

impl Traits {
    pub(crate) const NUMBER: Self = Self { script: None, weight: 0, is_function_word: false };

    pub(crate) fn of(text: &str, kind: Kind) -> Self {
        let (weight, counts) = match kind {
            Kind::Number => (0, false),
            Kind::Gram => (1, true),
            Kind::Word => (2, true),
        };
        Self {
            script: text.chars().next().and_then(script).filter(|_| counts),
            weight,
            is_function_word: kind == Kind::Word && words::is_stop_token(text),
        }
    }
}

/// What a text is made of, repetitions included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    /// The weight of the tokens by script.
    scripts: Vec<(Script, u32)>,
    words: u32,
    function_words: u32,
}

impl Profile {
    pub(crate) fn count(&mut self, traits: Traits) {
        self.words += u32::from(traits.weight == 2);
        self.function_words += u32::from(traits.is_function_word);
        if let Some(script) = traits.script {
            self.note(script, traits.weight);
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

    fn main_script(&self) -> Option<Script> {
        self.scripts.iter().rev().max_by_key(|(_, amount)| *amount).map(|(script, _)| *script)
    }

    fn share_of(&self, script: Script) -> f64 {
        let all: u32 = self.scripts.iter().map(|(_, amount)| amount).sum();
        let own = self.scripts.iter().find(|(known, _)| *known == script);
        f64::from(own.map_or(0, |(_, amount)| *amount)) / f64::from(all.max(1))
    }

    fn function_share(&self) -> f64 {
        f64::from(self.function_words) / f64::from(self.words.max(1))
    }

    fn is_english(&self) -> bool {
        self.words >= 4 && self.function_share() >= ENGLISH
    }

    fn is_not_english(&self, enough: u32) -> bool {
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

/// Whether the cited chunks are in another language than the claim.
pub(crate) fn differs(index: &Index, claim: &Claim, cited: &[ChunkId]) -> bool {
    let mut text = Profile::default();
    for profile in cited.iter().filter_map(|id| index.profile(*id)) {
        text.add(profile);
    }
    let own = &claim.profile;
    if let (Some(script), Some(other)) = (own.main_script(), text.main_script())
        && script != other
        && text.share_of(script) < SCRIPT_SHARE
    {
        return true;
    }
    if own.is_english() && text.is_english() {
        return false;
    }
    // Four or five words without a single function word are a weaker sign, so more short words must be missing then.
    let foreign_claim = own.is_not_english(6) || (own.words >= 4 && own.function_words == 0);
    let foreign_text = text.is_not_english(10);
    if (own.is_english() && foreign_text) || (foreign_claim && text.is_english()) {
        let least = if own.words < 6 { SHORT_WORD_SHARE } else { SHORT_WORD_SHARE_ENGLISH };
        let held = |token| cited.iter().any(|id| index.holds(*id, token));
        return short_share(claim, held).is_some_and(|share| share < least);
    }
    let share = short_share(claim, |token| !index.holders(token).is_empty());
    index.profile.words >= LANGUAGE_WORDS && share.is_some_and(|share| share < SHORT_WORD_SHARE)
}

/// The share of the claim's short words that are held; none where it has fewer than two.
fn short_share(claim: &Claim, held: impl Fn(u32) -> bool) -> Option<f64> {
    let (mut short, mut found) = (0u32, 0u32);
    for (id, term) in (0..).zip(&claim.terms) {
        let text = claim.words.get(id);
        if term.kind == Kind::Word && text.chars().nth(SHORT).is_none() {
            short += 1;
            found += u32::from(term.token.is_some_and(&held));
        }
    }
    (short >= 2).then(|| f64::from(found) / f64::from(short))
}
