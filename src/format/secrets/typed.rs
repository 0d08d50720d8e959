//! What scripts and agents type into fields of pages, in running text: `getByLabel('Password').fill('abc')`,
//! `page.fill("#password", "abc")`, `textbox "Password" [ref=e5]: abc`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::Regex;

use super::beside::describes_secret;
use super::names::is_secret;
use super::objects::{TEXT, secrets_of};
use super::ranges::{Pattern, mask_ranges};

/// A text as JavaScript may have it.
const TICKS: &str = r"`(?P<quoted>(?u:[^`\r\n])+)";
/// What is done with a field.
const TYPES: &str =
    r"(?:fill|type|press_?sequentially|send_?keys|set_?value|input_text|enter_?text|clear_?and_?type)";

// The patterns are right: a test matches each of them.
static FIELD_FIRST: Pattern = Pattern::new(|| {
    // Other options of a locator, and calls that choose among several, may stand between.
    let name = r#"["'`#.\[=:/](?P<name>[a-z][a-z0-9_. -]{1,64})\\*(?:/[a-z]{0,3})?["'`\])} ]{0,8}"#;
    let between = r"(?:,[ !#-&*-~]{0,80})?\)?(?:\s{0,24}\.[a-z_]{1,16}\([a-z0-9]{0,8}\)){0,3}\s{0,24}";
    Regex::new(&format!(
        r"(?i-u:{name}{between}\.(?:{TYPES}\(\s*(?:[a-z_]{{1,12}}\s*=\s*)?|value\s*=\s*)(?:{TEXT}|{TICKS}))"
    ))
    .ok()
});
static AS_ARGUMENT: Pattern = Pattern::new(|| {
    let name = r#"\\*["'][ !#-&(-~]{0,60}?\b(?P<name>[a-z][a-z0-9_. -]{1,64})[\])\\"']{1,6}"#;
    Regex::new(&format!(r"(?i-u:\b(?:{TYPES}\(|fill_in\(?)\s*{name}\s*,\s*(?:with:\s*)?(?:{TEXT}|{TICKS}))"))
        .ok()
});
static SNAPSHOT: Pattern = Pattern::new(|| {
    let role = r"\b(?:textbox|searchbox|combobox|spinbutton)";
    let name = r#"\\*["'](?P<name>[ !#-&(-~]{1,80})\\*["']"#;
    let state = r"(?:\s{1,2}\[[ -Z\^-~]{1,40}\]){0,8}";
    Regex::new(&format!(
        r#"(?i-u:{role} {name}{state}(?:: | value=)\\*["']?(?P<value>(?u:[^\s"'\\][^\r\n"'\\]*)))"#
    ))
    .ok()
});

/// Ends of what is done, of which one is in each text with such a call, and of roles.
static CALLS: LazyLock<[Finder; 8]> =
    LazyLock::new(|| ["fill", "ype(", "ially(", "eys(", "alue(", "ext(", "Fill", ".value"].map(Finder::new));
static ROLES: LazyLock<[Finder; 2]> = LazyLock::new(|| ["box ", "spinbutton "].map(Finder::new));

/// A text without what was typed into fields of credentials.
pub(super) fn mask_typed<'t>(text: &'t str, is_masked: &impl Fn(&str) -> bool) -> Cow<'t, str> {
    let has = |words: &[Finder]| words.iter().any(|word| word.find(text.as_bytes()).is_some());
    let is_named = |name: &str| is_secret(name) || describes_secret(name);
    let calls = [&FIELD_FIRST, &AS_ARGUMENT].into_iter().filter(|_| has(&*CALLS));
    let patterns = calls.chain([&SNAPSHOT].into_iter().filter(|_| has(&*ROLES)));
    let mut secrets: Vec<Range<usize>> =
        patterns.flat_map(|pattern| secrets_of(text, pattern, &is_named, is_masked)).collect();
    secrets.sort_unstable_by_key(|secret| secret.start);
    mask_ranges(text, secrets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_calls_may_go_on_in_the_next_line() {
        let chain = |typed: &str| format!("page.getByLabel('Password')\n  .first()\n  .fill('{typed}')");
        assert_eq!(mask_typed(&chain("abc"), &|_| true), chain("masked"));
        for typed in [r"a\bc", r"a\'bc"] {
            assert_eq!(mask_typed(&chain(typed), &|_| true), chain("masked"));
        }
    }

    #[test]
    fn what_is_typed_into_the_field_of_a_credential_is_masked() {
        for (text, masked) in [
            ("getByLabel('Password').fill('abc')", "getByLabel('Password').fill('masked')"),
            (
                "getByRole('textbox', { name: 'Password' }).fill('abc');",
                "getByRole('textbox', { name: 'Password' }).fill('masked');",
            ),
            (
                "getByLabel('API key', { exact: true }).first().fill(\"abc\")",
                "getByLabel('API key', { exact: true }).first().fill(\"masked\")",
            ),
            ("cy.get('#password').clear().type('abc d')", "cy.get('#password').clear().type('masked')"),
            (
                "page.locator('input[name=\"password\"]').press_sequentially(\"abc\")",
                "page.locator('input[name=\"password\"]').press_sequentially(\"masked\")",
            ),
            (
                "find_element(By.ID, \"password\").send_keys(\"abc\")",
                "find_element(By.ID, \"password\").send_keys(\"masked\")",
            ),
            ("getByLabel(/password/i).fill('abc')", "getByLabel(/password/i).fill('masked')"),
            (
                "get_by_label(\"Password\").fill(value=\"abc\")",
                "get_by_label(\"Password\").fill(value=\"masked\")",
            ),
            (
                "document.getElementById('password').value = 'abc'",
                "document.getElementById('password').value = 'masked'",
            ),
            ("uid=1_5 textbox \"API key\" value=\"abc\"", "uid=1_5 textbox \"API key\" value=\"masked\""),
            ("page.fill('#password', 'abc')", "page.fill('#password', 'masked')"),
            (
                "page.type('input[type=password]', 'abc', {delay: 9})",
                "page.type('input[type=password]', 'masked', {delay: 9})",
            ),
            ("fill_in 'Password', with: 'abc'", "fill_in 'Password', with: 'masked'"),
            (
                r#"{\"js\": \"p.fill(\\\".password\\\", \\\"abc\\\")\"}"#,
                r#"{\"js\": \"p.fill(\\\".password\\\", \\\"masked\\\")\"}"#,
            ),
            ("- textbox \"Password\" [ref=e5]: abc", "- textbox \"Password\" [ref=e5]: masked"),
            (
                "- textbox \"Password\" [active] [ref=e5]: \"abc\"\n- button \"Go\"",
                "- textbox \"Password\" [active] [ref=e5]: \"masked\"\n- button \"Go\"",
            ),
        ] {
            assert_eq!(mask_typed(text, &|_| true), masked);
            assert_eq!(mask_typed(masked, &|_| true), masked);
        }
        for text in [
            "getByLabel('City').fill('Rome')",
            "page.fill('#city', 'password')",
            "- textbox \"City\" [ref=e5]: Rome",
            "- textbox \"Password\" [ref=e5]",
            "isinstance(password, type('abc'))",
        ] {
            assert_eq!(mask_typed(text, &|_| true), text);
        }
    }
}
