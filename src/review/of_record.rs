//! From what a record came to, to its reviews.

use std::sync::Arc;

use super::{Review, Secrets, Sent};
use crate::format::{self, Decoded, Format, Map};
use crate::json::Noted;
use crate::model::Response;
use crate::store::RecordText;

/// How the responses of a record are read.
#[derive(Debug, Clone, Default)]
pub struct ReviewOptions<'a> {
    /// Text for responses that carry none.
    pub answer: Option<&'a str>,
    /// Where things stand in a JSON of one's own.
    pub map: Option<Arc<Map>>,
    /// Credentials are not masked.
    pub show_secrets: bool,
}

impl ReviewOptions<'_> {
    /// A review for each response of a record.
    pub fn reviews(
        self,
        text: RecordText,
        format: &'static Format,
        mut decoded: Decoded,
    ) -> Vec<Arc<Review>> {
        let secrets = if self.show_secrets { Secrets::Shown } else { Secrets::mask(&mut decoded.responses) };
        let mut notices = text.notices();
        notices.append(&mut decoded.notices);
        let sent = Arc::new(Sent::new(text, format, notices, &decoded, secrets, self.map));
        if decoded.flaws > 0 {
            remark_flaws(&sent, &mut decoded.responses);
        }
        let review = |(item, response)| Arc::new(Review::new(response, self.answer, Arc::clone(&sent), item));
        decoded.responses.into_iter().enumerate().map(review).collect()
    }
}

/// Finds what a record holds beside its responses while all of them are there.
pub(crate) fn find_extras(reviews: &[Arc<Review>]) {
    if let [first, _, ..] = reviews {
        first.sent.find_extras(reviews.iter().map(|review| &review.response));
    }
}

/// The second pass: what does not have the documented type, as remarks of the responses it belongs to.
fn remark_flaws(sent: &Sent, responses: &mut [Response]) {
    let is_one = sent.text.len() == 1;
    for (frame, survey) in format::survey(sent.format, Noted::Flaws, sent.text.frames()) {
        if let ([alone], true) = (&mut *responses, is_one) {
            alone.remarks.reserve_exact(survey.flaws.len());
        }
        for (path, what) in survey.flaws {
            let remark = format::flaw_remark(frame, path, what);
            if let Some(response) = responses.get_mut(sent.owner(&remark.origin)) {
                response.remarks.push(remark);
            }
        }
    }
}
