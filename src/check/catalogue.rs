//! The catalogue as Markdown, for the pages that are generated from it.

use std::fmt::Write;

use super::{RULES, Rule};

/// All rules as a list with their number, a table a group.
pub fn catalogue_markdown() -> String {
    let mut out = format!("{} rules, by what they look at.\n", RULES.len());
    let mut group = None;
    for rule in RULES {
        if group.replace(rule.group) != Some(rule.group) {
            let _ = write!(
                out,
                "\n### {}\n\n| rule | severity | finds |\n|---|---|---|\n",
                capital(rule.group.word())
            );
        }
        let _ = writeln!(
            out,
            "| `{}` | {} | {} |",
            rule.id,
            rule.severity.word(),
            rule.summary.replace('|', "\\|")
        );
    }
    out
}

/// The page of a rule.
pub fn rule_markdown(rule: &Rule) -> String {
    let Rule { id, group, severity, summary, help, explain, .. } = rule;
    let mut out = format!("# `{id}`\n\n{} · {}", capital(severity.word()), group.word());
    if rule.repairable {
        out.push_str(" · repaired by `citescope fix` where it is certain");
    }
    for over in rule.supersedes {
        let _ = write!(out, " · reported in place of `{}`", over.id);
    }
    let _ = write!(out, "\n\n{}. {}.\n\n{explain}", capital(summary), capital(help));
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_each_rule_once_and_says_how_many() {
        let list = catalogue_markdown();
        assert!(list.starts_with(&format!("{} rules,", RULES.len())), "{list}");
        for rule in RULES {
            assert_eq!(list.matches(&format!("| `{}` |", rule.id)).count(), 1, "{}", rule.id);
        }
        assert_eq!(list.matches("\n### ").count(), 8);
    }

    #[test]
    fn a_page_has_what_the_rule_says_of_itself() {
        let rule = super::super::rule("text-other-event").unwrap();
        let page = rule_markdown(rule);
        assert!(
            page.starts_with(
                "# `text-other-event`\n\nError · offsets · reported in place of `quote-gone`\n\nThe quotes"
            ),
            "{page}"
        );
        assert!(page.ends_with(rule.explain), "{page}");
    }
}
