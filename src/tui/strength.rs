//! How well sources back the claims that cite them.

use crate::evidence::PARTLY;
use crate::review::Review;
use crate::text::score_words;

/// What is little of a confidence.
const LOW: f64 = 0.5;

/// The least and the most of something.
type Span = (f64, f64);

/// What is known of a source over all claims that cite it.
#[derive(Clone, Default)]
pub struct Strength {
    confidence: Option<Span>,
    /// The most that it holds of the wording of a claim.
    most: Option<f64>,
    /// The least, of those that cite nothing else.
    least: Option<f64>,
}

/// Of each source, in one walk over the claims: all of them may cite all sources. `compared`: what was
/// compared counts.
pub fn strengths(review: &Review, compared: bool) -> Vec<Strength> {
    let mut best = vec![Strength::default(); review.response.sources.len()];
    let widen = |known: &mut Option<Span>, now: f64| {
        *known = Some(known.map_or((now, now), |(least, most)| (least.min(now), most.max(now))));
    };
    for support in review.supports() {
        for citation in &support.sent().citations {
            let own = citation.target.source().and_then(|source| best.get_mut(source));
            if let Some((own, score)) = own.zip(citation.score) {
                widen(&mut own.confidence, score);
            }
        }
        let verdict = review.known_backing(support.index).filter(|_| compared);
        let alone = support.cited().len() == 1;
        let mut most: Option<(usize, f64)> = None;
        for fit in verdict.iter().flat_map(|verdict| &verdict.fits) {
            let place = review.comparison().place(fit.window.chunk);
            let Some((source, _)) = place else { continue };
            let Some(own) = best.get_mut(source) else { continue };
            own.most = Some(own.most.map_or(fit.cover, |most| most.max(fit.cover)));
            most = Some((source, most.map_or(fit.cover, |(_, most)| most.max(fit.cover))));
        }
        // Of claims that cite several a source may hold a part only: what the others lack.
        if let Some((source, cover)) = most.filter(|_| alone)
            && let Some(own) = best.get_mut(source)
        {
            own.least = Some(own.least.map_or(cover, |least| least.min(cover)));
        }
    }
    best
}

/// The sources, those that back the claims least first; those of which nothing is known last.
pub fn weakest_first(review: &Review, compared: bool) -> Vec<usize> {
    let graded = review.response.scores.ignored.is_none();
    let known = strengths(review, compared);
    let least = |index: &usize| {
        let known = known.get(*index);
        let confidence = known.and_then(|known| known.confidence).map(|(least, _)| least).filter(|_| graded);
        let figures = [confidence, known.and_then(Strength::least)];
        figures.into_iter().flatten().fold(f64::INFINITY, f64::min)
    };
    let mut order: Vec<usize> = (0..known.len()).collect();
    order.sort_by(|one, other| least(one).total_cmp(&least(other)));
    order
}

impl Strength {
    /// The least that it holds of the wording of a claim.
    fn least(&self) -> Option<f64> {
        self.least.or(self.most)
    }

    /// The figures, as they are shown: `confidence 0.41–0.94  wording 2–100 %`.
    pub fn words(&self) -> String {
        let range =
            |least: String, most: String| if least == most { most } else { format!("{least}–{most}") };
        let confidence = self
            .confidence
            .map(|(least, most)| format!("confidence {}", range(score_words(least), score_words(most))));
        let percent = |share: f64| format!("{:.0}", share * 100.0);
        let cover = self.most.map(|most| {
            format!("wording {:>3} %", range(percent(self.least().unwrap_or(most)), percent(most)))
        });
        [confidence, cover].into_iter().flatten().collect::<Vec<_>>().join("  ")
    }

    /// Whether that is little. `graded`: the provider's scores say something.
    pub fn is_weak(&self, graded: bool) -> bool {
        let doubted = graded && self.confidence.is_some_and(|(least, _)| least < LOW);
        doubted || self.least().is_some_and(|least| least < PARTLY)
    }
}
