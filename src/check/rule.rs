//! Declaring a rule.

/// Declares a rule; its summary is its documentation. What most rules are not, may be said after the
/// severity: `repairable: true`, `supersedes: &[…]`.
macro_rules! rule {
    ($name:ident {
        id: $id:literal,
        group: $group:ident,
        severity: $severity:ident,
        $(repairable: $repairable:literal,)?
        $(supersedes: $supersedes:expr,)?
        summary: $summary:literal,
        help: $help:literal,
        explain: $explain:literal,
    }) => {
        #[doc = concat!("`", $id, "`: ", $summary, ".")]
        pub static $name: $crate::model::Rule = $crate::model::Rule {
            id: $id,
            group: $crate::model::Group::$group,
            severity: $crate::model::Severity::$severity,
            summary: $summary,
            help: $help,
            explain: $explain,
            $(repairable: $repairable,)?
            $(supersedes: $supersedes,)?
            ..$crate::model::Rule::PLAIN
        };
    };
}
