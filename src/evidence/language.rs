//! Whether claim and chunks are in the same language, as far as scripts and short words show. Across
//! languages only shared numbers and names are left to compare, and a low cover says nothing.

use super::claim::Claim;
use super::index::{ChunkId, Index};
use super::profile::Profile;
use super::tokens::TokenKind;

/// Below this share of the claim's script in the chunks, a different main script means another language.
pub const SCRIPT_SHARE: f64 = 0.30;
/// Below this share of the claim's short words found in any chunk, the chunks are in another language.
pub const SHORT_WORD_SHARE: f64 = 0.35;
/// The same where one side reads as English and the other does not.
pub const SHORT_WORD_SHARE_ENGLISH: f64 = 0.60;

/// With fewer words in all chunks together, short words that are missing say little.
pub const LANGUAGE_WORDS: u32 = 100;
/// Words of at most this many letters are short; a claim needs two of them to be judged by them.
const SHORT: usize = 4;

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
    // Four or five words without a single function word are a weaker sign, so more short words must be
    // missing then.
    let claim_is_not_english = own.is_not_english(6) || (own.words >= 4 && own.function_words == 0);
    let text_is_not_english = text.is_not_english(10);
    if (own.is_english() && text_is_not_english) || (claim_is_not_english && text.is_english()) {
        let least = if own.words < 6 { SHORT_WORD_SHARE } else { SHORT_WORD_SHARE_ENGLISH };
        let held = |token| cited.iter().any(|id| index.holds(*id, token));
        return short_share(claim, held).is_some_and(|share| share < least);
    }
    let share = short_share(claim, |token| !index.holders(token).is_empty());
    index.profile.words >= LANGUAGE_WORDS && share.is_some_and(|share| share < SHORT_WORD_SHARE)
}

/// The share of the claim's short words that are held; `None` where it has fewer than two.
fn short_share(claim: &Claim, held: impl Fn(u32) -> bool) -> Option<f64> {
    let (mut short, mut found) = (0u32, 0u32);
    for (id, term) in (0..).zip(&claim.terms) {
        let text = claim.words.get(id);
        if term.kind == TokenKind::Word && text.chars().nth(SHORT).is_none() {
            short += 1;
            found += u32::from(term.token.is_some_and(&held));
        }
    }
    (short >= 2).then(|| f64::from(found) / f64::from(short))
}
