//! Findings: what does not hold together in a response. One finding is one cause, however many supports it
//! touches. Rules are pure; they import the model and the anchors, never a format or the screen. [`causes`]
//! is their registry.

#[macro_use]
mod rule;
mod catalogue;
pub mod causes;
mod context;
mod finding;
mod of_review;
mod run;
#[cfg(test)]
mod testing;
mod unread;

pub use crate::model::{Finding, Group, Rule, Severity};
pub(crate) use crate::text::is_web;
pub use catalogue::{catalogue_markdown, rule_markdown};
pub(crate) use causes::score_low::is_low;
pub use causes::{RULES, rule};
pub(crate) use run::compare_siblings;
pub use run::structural;
pub(crate) use unread::leave_unread;

#[cfg(test)]
mod tests;
