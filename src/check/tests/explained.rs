//! The explanations of the rules are specifications: their examples are read like any input. The one before
//! fires the rule, the one after does not, and holds together otherwise.

use crate::check::testing::findings;
use crate::check::{RULES, Rule, Severity};

/// The first fenced block behind a line that begins with a word.
fn example<'a>(explain: &'a str, word: &str) -> Option<&'a str> {
    let from = explain.find(&format!("\n{word}"))?;
    let block = explain[from..].split("```").nth(1)?;
    Some(block.split_once('\n')?.1)
}

fn fired(text: &str) -> Vec<&'static Rule> {
    findings(text).iter().map(|finding| finding.rule).collect()
}

#[test]
fn every_example_fires_its_rule_before_and_not_after() {
    let faults: Vec<String> = RULES.iter().filter_map(|rule| fault(rule)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is not as the explanation says.
fn fault(rule: &'static Rule) -> Option<String> {
    let Some(before) = example(rule.explain, "Before") else {
        return Some(format!("{} has no example", rule.id));
    };
    let found = fired(before);
    if !found.contains(&rule) {
        return Some(format!("{} is silent on its example, reported were {:?}", rule.id, ids(&found)));
    }
    let Some(after) = example(rule.explain, "After") else {
        let said = rule.explain.contains("\nNothing to repair: ");
        return (!said).then(|| format!("{} has no second example", rule.id));
    };
    let found = fired(after);
    let bad: Vec<_> =
        found.into_iter().filter(|other| *other == rule || other.severity < Severity::Note).collect();
    (!bad.is_empty()).then(|| format!("{}: {:?} on what it should be", rule.id, ids(&bad)))
}

fn ids(rules: &[&Rule]) -> Vec<&'static str> {
    rules.iter().map(|rule| rule.id).collect()
}

#[test]
fn explanations_are_short_enough_to_be_read_and_say_what_to_do() {
    for rule in RULES {
        let prose: Vec<&str> = rule
            .explain
            .split("```")
            .step_by(2)
            .flat_map(str::lines)
            .filter(|line| !line.is_empty())
            .collect();
        assert!((6..=20).contains(&prose.len()), "{}: {} lines of prose", rule.id, prose.len());
        assert!(rule.explain.contains("\nWhat to do: "), "{}", rule.id);
        assert!(prose.iter().all(|line| line.chars().count() <= 100), "{}", rule.id);
        let sure = ["hallucinat", "is false", "is wrong:", "verified", "supported by", "is true"];
        assert!(
            !sure.iter().any(|word| rule.explain.contains(word)),
            "{} says more than was compared",
            rule.id
        );
    }
}
