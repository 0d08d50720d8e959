//! How well sources back the claims that cite them.

use crate::evidence::PARTLY;
use crate::review::Review;
use crate::text::score_words;

/// What is little of a confidence.
const LOW: f64 = 0.5;

/// The best that is known of a source over all claims that cite it.
#[derive(Clone, Default)]
pub struct Best {
    confidence: Option<f64>,
    cover: Option<f64>,
}

/// Of each source, in one walk over the claims: all of them may cite all sources. `compared`: what was
/// compared counts.
pub fn strongest(review: &Review, compared: bool) -> Vec<Best> {
    let mut best = vec![Best::default(); review.response.sources.len()];
    let raise = |known: &mut Option<f64>, now: f64| *known = Some(known.map_or(now, |known| known.max(now)));
    for support in review.supports() {
        for citation in &support.sent().citations {
            let own = citation.target.source().and_then(|source| best.get_mut(source));
            if let Some((own, score)) = own.zip(citation.score) {
                raise(&mut own.confidence, score);
            }
        }
        let verdict = review.known_backing(support.index).filter(|_| compared);
        for fit in verdict.iter().flat_map(|verdict| &verdict.fits) {
            let place = review.comparison().place(fit.window.chunk);
            if let Some(own) = place.and_then(|(source, _)| best.get_mut(source)) {
                raise(&mut own.cover, fit.cover);
            }
        }
    }
    best
}

/// The sources, those that back the claims least first; those of which nothing is known last.
pub fn weakest_first(review: &Review, compared: bool) -> Vec<usize> {
    let graded = review.response.scores.ignored.is_none();
    let best = strongest(review, compared);
    let least = |index: &usize| {
        let known = best.get(*index);
        let confidence = known.and_then(|best| best.confidence).filter(|_| graded);
        let figures = [confidence, known.and_then(|best| best.cover)];
        figures.into_iter().flatten().fold(f64::INFINITY, f64::min)
    };
    let mut order: Vec<usize> = (0..best.len()).collect();
    order.sort_by(|one, other| least(one).total_cmp(&least(other)));
    order
}

impl Best {
    /// The figures, as they are shown.
    pub fn words(&self) -> String {
        let confidence = self.confidence.map(|score| format!("confidence {}", score_words(score)));
        let cover = self.cover.map(|cover| format!("wording {:>3.0} %", cover * 100.0));
        [confidence, cover].into_iter().flatten().collect::<Vec<_>>().join("  ")
    }

    /// Whether that is little. `graded`: the provider's scores say something.
    pub fn is_weak(&self, graded: bool) -> bool {
        let doubted = graded && self.confidence.is_some_and(|score| score < LOW);
        doubted || self.cover.is_some_and(|cover| cover < PARTLY)
    }
}
