//! Credentials that are known by how they look, whatever stands before them.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::names::MASK_IN_ADDRESS;

/// Keys and tokens of OpenAI, Anthropic and others (`sk-`), GitHub, GitLab, Google, AWS, Slack, Hugging Face,
/// and JSON web tokens.
static BEGUN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // The pattern is right: a test matches each of them.
    Regex::new(
        r"(?-u)\b(?:sk-|gh[oprsu]_|github_pat_|glpat-|AIza|ya29\.|AKIA|ASIA|xox[abprs]-|hf_|eyJ)[A-Za-z0-9_.-]+",
    )
    .ok()
});

/// Letters of the shortest one.
const SHORTEST: usize = 20;

/// A text in which none of them stands.
pub(super) fn mask_shapes(text: &str) -> Cow<'_, str> {
    let Some(begun) = BEGUN.as_ref().filter(|_| text.len() >= SHORTEST) else { return Cow::Borrowed(text) };
    let mut out = String::new();
    let mut written = 0;
    for found in begun.find_iter(text) {
        // A sentence may end behind it.
        let token = found.as_str().trim_end_matches('.');
        // Words may be joined like a token, but have no digits; of three parts is a web token only.
        let web = !token.starts_with("eyJ") || token.split('.').count() == 3;
        if token.len() < SHORTEST || !web || !token.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        out.push_str(text.get(written..found.start()).unwrap_or_default());
        out.push_str(MASK_IN_ADDRESS);
        written = found.start() + token.len();
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_known_by_their_looks_and_words_are_none() {
        let of = |letters: &str, count: usize| letters.repeat(count).chars().take(count).collect::<String>();
        for token in [
            format!("sk-proj-{}", of("aB3_", 24)),
            format!("ghp_{}", of("aB3", 36)),
            format!("github_pat_{}", of("aB3_", 60)),
            format!("glpat-{}", of("aB3", 20)),
            format!("AIza{}", of("aB3-", 35)),
            format!("ya29.{}", of("a0-", 30)),
            format!("AKIA{}", of("AB3", 16)),
            format!("xoxb-{}", of("12-a", 30)),
            format!("hf_{}", of("aB3", 34)),
            format!("eyJ{}.eyJ{}.{}", of("aB3", 12), of("aB3", 12), of("aB3_", 20)),
        ] {
            let text = format!("Incorrect API key provided: {token}. You can find one here.");
            assert_eq!(mask_shapes(&text).replace("masked", ""), text.replace(&token, ""), "{token}");
        }
        for words in
            ["the sk-learn-and-other-packages-of-python", "a task-1234567890123456789012", "eyJ and AIza"]
        {
            assert!(matches!(mask_shapes(words), Cow::Borrowed(_)), "{words}");
        }
    }
}
