//! The registry and the driver; near misses stand with their causes. The examples of the explanations are
//! tests too.

mod explained;

use std::collections::HashSet;

use super::run::settled;
use super::testing::{ids, scored, whole};
use super::{Finding, RULES, causes};
use crate::model::Origin;

#[test]
fn ids_are_unique() {
    let ids: HashSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), RULES.len());
}

#[test]
fn a_finding_that_another_ones_cause_explains_is_not_reported() {
    use causes::quote::{QUOTE_ELIDED, QUOTE_GONE};
    use causes::text_other_event::TEXT_OTHER_EVENT;
    let found = |rules: &[&'static super::Rule]| {
        let findings = rules.iter().map(|rule| Finding::new(rule, &Origin::default(), "")).collect();
        settled(findings).iter().map(|finding| finding.rule.id).collect::<Vec<_>>()
    };
    assert_eq!(found(&[&QUOTE_ELIDED, &QUOTE_GONE]), ["quote-gone", "quote-elided"]);
    assert_eq!(found(&[&QUOTE_GONE, &QUOTE_ELIDED, &TEXT_OTHER_EVENT]), ["text-other-event", "quote-elided"]);
}

#[test]
fn a_response_that_holds_together_has_no_finding() {
    assert_eq!(ids(&whole("Fine.")), [""; 0]);
    assert_eq!(ids(&scored("gemini-2.0-flash", "[0.9, 0.8]")), [""; 0]);
}

/// A rule that is not linear in the length of the text would not come back from these.
#[test]
fn hostile_texts_come_back() {
    let pieces = [
        "` `` ",
        "``` a ```` b ",
        "[",
        "[cite: 1, 2",
        "【1",
        "http://",
        "http://a.b/(((((",
        "http://a.b/)))))",
        "Ã©",
        "\u{1b}",
        " .",
        "a.B",
        "橋。",
        "\n#",
    ];
    for piece in pieces {
        let ids = ids(&whole(&piece.repeat(100_000 / piece.len())));
        assert!(ids.len() < 5, "one finding a cause, however often it occurs: {ids:?}");
    }
}
