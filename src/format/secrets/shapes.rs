//! Credentials that are known by how they look, whatever stands before them.

use regex::Regex;
use std::borrow::Cow;

use super::ranges::{Pattern, mask_ranges};
use super::sequences::ends_with_sequence;

/// Paths of addresses that end with a token: webhooks of Slack and Discord, bots of Telegram. Programs tell
/// them apart from their host. `~` stands for slashes, as they are written and as JSON escapes them.
const HOOKS: &str = r"hooks\.slack\.com~[a-z]+~[A-Z0-9]+~[A-Z0-9]+~(?:[0-9]+~)?|(?:services|triggers|workflows)~[ET][A-Z0-9]+~[A-Z0-9]+~(?:[0-9]+~)?|webhooks~[0-9]+~|/bot[0-9]{6,}:";

/// Keys and tokens of OpenAI, Anthropic and others (`sk-`), Groq, xAI, Perplexity, Bedrock, GitHub, GitLab,
/// package registries, Google, AWS, Slack, Twilio, Hugging Face, NVIDIA, Replicate, Fireworks, Together,
/// Cerebras, Databricks, Vault, Grafana, Atlassian, Shopify, Stripe, Linear, Notion, Figma, Supabase,
/// `DigitalOcean`, Brevo, Docker, `LangSmith`, Pinecone, Jina, Firecrawl, E2B, Sentry, Postman, JSON web
/// tokens.
const NAMED: &str = r"sk-|[rs]k_(?:live|test)_|whsec_|gsk_|xai-|pplx-|tvly-|ABSK|nvapi-|r8_|fw_|tgp_v1_|csk-|dapi|hv[bs]\.|glsa_|ATATT3|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|figd_|sbp_|dop_v1_|xkeysib-|dckr_pat_|lsv2_(?:pt|sk)_|gh[oprsu]_|github_pat_|glpat-|npm_|pypi-|AIza|AQ\.|GOCSPX-|1//0|ya29\.|A[KS]IA|xox[abprs]-|xapp-|SG\.|hf_|pcsk_|jina_|fc-|e2b_|sntrys_|PMAK-|eyJ";

// The patterns are right: a test matches each of their branches.
static HOOK: Pattern = Pattern::new(|| {
    let hooks = HOOKS.replace('~', r"(?:\\?/)+");
    Regex::new(&format!("(?-u)(?:{hooks})[A-Za-z0-9_.-]+")).ok()
});
static BEGUN: Pattern = Pattern::new(|| Regex::new(&format!("(?-u){NAMED}")).ok());

/// Letters of the shortest one.
const SHORTEST: usize = 20;

/// Addresses without the token that their path ends with.
pub(super) fn mask_hooks(text: &str) -> Cow<'_, str> {
    if may_hook(text) { mask_paths(text) } else { Cow::Borrowed(text) }
}

/// Whether one of [`HOOKS`] may begin at some slash: few paths have such a word before it.
fn may_hook(text: &str) -> bool {
    memchr::memchr_iter(b'/', text.as_bytes()).any(|slash| {
        let (before, behind) = text.split_at(slash);
        let before = before.trim_end_matches('\\');
        let words = ["hooks", "services", "triggers", "workflows", "hooks.slack.com"];
        words.iter().any(|word| before.ends_with(word)) || behind.starts_with("/bot")
    })
}

/// A text in which none of [`NAMED`] stands.
pub(super) fn mask_shapes(text: &str) -> Cow<'_, str> {
    let begun = if text.len() >= SHORTEST { BEGUN.as_ref() } else { None };
    let Some(begun) = begun else { return Cow::Borrowed(text) };
    let (mut tokens, mut from) = (Vec::new(), 0);
    while let Some(found) = begun.find_at(text, from) {
        // One may begin within what looks like the beginning of another: `\x9csk-`.
        if !is_begin(text.get(..found.start()).unwrap_or_default()) {
            from = found.start() + 1;
            continue;
        }
        let rest = text.get(found.end()..).unwrap_or_default();
        let of_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        let length = rest.len() - rest.trim_start_matches(of_token).len();
        from = found.end() + length;
        // A sentence may end behind it.
        let token = text.get(found.start()..from).unwrap_or_default().trim_end_matches('.');
        let own = token.rsplit_once('/').map_or(token, |(_, own)| own);
        let last = found.start() + token.len();
        if length > 0 && is_token(own) {
            tokens.push(last - own.len()..last);
        }
    }
    mask_ranges(text, tokens)
}

/// Whether a word begins behind a text: behind no letter, or one that is the end of an escape as Python, C,
/// JSON, mail, addresses, syslog and terminals write it (`\n`, `\x27`, `\012`, `#012`, `\u0022`, `=3D`,
/// `%22`, `%2522`, `^M`, `\x1b[31m`, `%1B%5B31m`).
fn is_begin(before: &str) -> bool {
    let bytes = before.as_bytes();
    let Some(last) = bytes.last().filter(|last| last.is_ascii_alphanumeric()) else { return true };
    // So many digits of a code behind a sign.
    let behind = |length: usize, signs: &[&[u8]]| {
        let split = bytes.len().checked_sub(length).and_then(|at| bytes.split_at_checked(at));
        split.is_some_and(|(lead, code)| {
            code.iter().all(u8::is_ascii_hexdigit) && signs.iter().any(|sign| lead.ends_with(sign))
        })
    };
    let digits = before.trim_end_matches(|c: char| c.is_digit(8));
    let is_octal = (1..=3).contains(&(before.len() - digits.len())) && digits.ends_with('\\');
    let is_code = is_octal
        || behind(2, &[b"%", b"=", b"\\x", b"%25"])
        || behind(3, &[b"\\", b"#"])
        || behind(4, &[b"\\u", b"%u"])
        || behind(8, &[b"\\U"]);
    let lead = before.get(..before.len() - 1).unwrap_or_default();
    let is_letter = b"abefnrtv0".contains(last) && lead.ends_with('\\')
        || b"nrt".contains(last) && lead.ends_with("%5C")
        || last.is_ascii_uppercase() && lead.ends_with('^');
    is_code || is_letter || ends_with_sequence(before)
}

fn mask_paths(text: &str) -> Cow<'_, str> {
    let Some(hook) = HOOK.as_ref() else { return Cow::Borrowed(text) };
    let tokens = hook.find_iter(text).filter_map(|found| {
        // A sentence may end behind it.
        let token = found.as_str().trim_end_matches('.');
        let end = found.start() + token.len();
        let (path, token) = token.rsplit_once('/').unwrap_or(("", token));
        (is_of_slack(path) || is_token(token)).then(|| end - token.len()..end)
    });
    mask_ranges(text, tokens)
}

/// A text in which no long run of letters and digits stands.
pub(super) fn mask_runs(text: &str) -> Cow<'_, str> {
    let mut end = 0;
    let runs = text.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|run| {
        let start = end + text.get(end..)?.find(run)?;
        end = start + run.len();
        (run.len() >= LONG_RUN && is_mixed(run)).then_some(start..end)
    });
    mask_ranges(text, runs)
}

/// Letters and digits of a run that may be a part of a token whatever stands around it.
const LONG_RUN: usize = 16;

/// Whether a path is one of Slack's webhooks, of which the end is a token however it looks.
fn is_of_slack(path: &str) -> bool {
    path.starts_with("hooks.slack.com")
}

/// Whether what begins like a token is one, and not words that are joined: these have no long run of letters
/// with digits among them, and few capitals.
fn is_token(token: &str) -> bool {
    if token.starts_with("AKIA") || token.starts_with("ASIA") {
        let id = token.trim_end_matches('_');
        return id.len() == 20 && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    }
    // A web token has three parts.
    let parts = !token.starts_with("eyJ") || token.split('.').count() == 3;
    let mut runs = token.split(['-', '_', '.']);
    parts
        && token.len() >= SHORTEST
        && (is_unmistakable(token)
            || runs.any(|run| run.len() >= LONGEST_WORD || is_mixed(run))
            || is_jumbled(token))
}

/// Whether it begins like no word and has at least the length that its service gives all of them.
fn is_unmistakable(token: &str) -> bool {
    const OF_ONE_LENGTH: [(&str, usize); 3] = [("AIza", 39), ("glpat-", 26), ("xox", 40)];
    OF_ONE_LENGTH.iter().any(|(begins, length)| token.starts_with(begins) && token.len() >= *length)
}

/// Letters and digits in a row that are no word, nor several that are joined.
const LONGEST_WORD: usize = 30;

/// Whether small letters, capitals and digits change as often as they do in no words: with each fourth sign
/// or more often, numbers between them aside.
fn is_jumbled(token: &str) -> bool {
    let kind = |byte: &u8| (byte.is_ascii_lowercase(), byte.is_ascii_uppercase(), byte.is_ascii_digit());
    let changes = |pair: &&[u8]| matches!(pair, [one, other] if kind(one) != kind(other));
    let runs = || {
        let runs = token.split(|c: char| !c.is_ascii_alphanumeric());
        runs.filter(|run| run.contains(|c: char| c.is_ascii_alphabetic()))
    };
    let has = |of: fn(char) -> bool| runs().any(|run| run.contains(of));
    let signs: usize = runs().map(str::len).sum();
    let changes: usize = runs().map(|run| run.as_bytes().windows(2).filter(changes).count()).sum();
    has(|c| c.is_ascii_lowercase()) && has(|c| c.is_ascii_uppercase()) && changes * 4 >= signs
}

/// Whether letters and digits in a row are many and of both kinds.
pub(super) fn is_mixed(run: &str) -> bool {
    let has = |of: fn(char) -> bool| run.contains(of);
    run.len() >= RUN && has(|c| c.is_ascii_digit()) && has(|c| c.is_ascii_alphabetic())
}

/// Letters and digits in a row, at least.
const RUN: usize = 12;

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::names::MASK_IN_ADDRESS;
    use super::*;

    fn of(letters: &str, count: usize) -> String {
        letters.repeat(count).chars().take(count).collect()
    }

    #[test]
    fn tokens_are_known_by_their_looks() {
        for token in [
            format!("sk-proj-{}", of("aB3dE5fG7hI9_", 40)),
            format!("ghp_{}", of("aB3", 36)),
            format!("github_pat_{}", of("aB3dE5fG7hI9_", 60)),
            format!("glpat-{}", of("aB3", 20)),
            format!("AIza{}", of("aB3dE5fG7hI9-", 35)),
            format!("ya29.{}", of("aB3dE5fG7hI9-", 30)),
            format!("AKIA{}", of("AB3", 16)),
            format!("xoxb-{}", of("123456789012-aB3dE5fG7hI9", 40)),
            format!("hf_{}", of("aB3", 34)),
            format!("gsk_{}", of("aB3", 48)),
            format!("xai-{}", of("aB3", 70)),
            format!("pplx-{}", of("aB3", 48)),
            format!("ABSK{}", of("aB3", 40)),
            format!("npm_{}", of("aB3", 36)),
            format!("pypi-{}", of("aB3dE5fG7hI9-", 60)),
            format!("SG.{}.{}", of("aB3", 22), of("aB3", 43)),
            format!("sk_test_{}", of("aB3", 24)),
            format!("whsec_{}", of("aB3", 32)),
            format!("nvapi-{}", of("aB3dE5fG7hI9_", 64)),
            format!("r8_{}", of("aB3", 37)),
            format!("fw_{}", of("aB3", 24)),
            format!("tgp_v1_{}", of("aB3dE5fG7hI9_", 43)),
            format!("csk-{}", of("a3b", 48)),
            format!("dapi{}", of("a3b", 32)),
            format!("hvs.{}", of("aB3", 90)),
            format!("glsa_{}_{}", of("aB3", 32), of("a3b", 8)),
            format!("ATATT3xFfGF0{}", of("aB3dE5fG7hI9_-", 60)),
            format!("shpat_{}", of("a3b", 32)),
            format!("lin_api_{}", of("aB3", 40)),
            format!("ntn_{}", of("1234567890aB3", 46)),
            format!("figd_{}", of("aB3dE5fG7hI9-_", 40)),
            format!("sbp_{}", of("a3b", 40)),
            format!("dop_v1_{}", of("a3b", 64)),
            format!("xkeysib-{}-{}", of("a3b", 64), of("aB3", 16)),
            format!("lsv2_pt_{}_{}", of("a3b", 32), of("a3b", 10)),
            format!("dckr_pat_{}", of("aB3dE5fG7hI9", 27)),
            format!("eyJ{}.eyJ{}.{}", of("aB3", 12), of("aB3", 12), of("aB3_", 20)),
            // Signs part them, or they have no digit.
            format!("AIza{}", "8UFk9Ee-weXlN4xw6XP_W2TTw-5lK2UEvmd"),
            format!("AIza{}", "NeuHfTjEBKfWpseykabyyPX-Pe3Ex551PW2"),
            format!("AIza{}", of("ab_cd-", 35)),
            format!("xoxb-225788638425-5152997511539-{}", "eqJjhthPBhJiUDcJkJmxcbnG"),
            format!("hf_{}", "lCuZnAouTMSiZVdxvDAmUzqAUlRQsrJHtX"),
            format!("hf_{}", of("abcdef", 34)),
            format!("glpat-{}", "KoLT8HVuGjA_29NLUFRz"),
            format!("sk_live_{}", "tGhqWeRtYuIoPaSdFgHjKlZx"),
        ] {
            let text = format!("Incorrect API key provided: {token}. You can find one here.");
            assert_eq!(mask_shapes(&text).replace("masked", ""), text.replace(&token, ""), "{token}");
        }
    }

    #[test]
    fn tokens_of_services_that_models_call_are_known() {
        for token in [
            format!("AQ.Ab8RN6{}", "JqT3mWx9Kd2vLp7Hs4Yc1Zb5Gn8Fr0UeXoIiAaQq"),
            format!("GOCSPX-{}", "u534BpqP36v5YLhOIQpwuk5zqQr8"),
            format!("pcsk_{}_{}", of("aB3", 6), of("aB3dE5", 60)),
            format!("jina_{}", of("a3b", 57)),
            format!("fc-{}", of("a3b", 32)),
            format!("e2b_{}", of("a3b", 40)),
            format!("sntrys_eyJ{}", of("aB3", 90)),
            format!("PMAK-{}-{}", of("a3b", 24), of("a3b", 34)),
        ] {
            let text = format!("Incorrect API key provided: {token}. You can find one here.");
            assert_eq!(mask_shapes(&text).replace("masked", ""), text.replace(&token, ""), "{token}");
        }
        let refreshed = format!("refresh token 1//0g{} was revoked", of("aB3dE5fG7hI9-_", 60));
        assert_eq!(mask_shapes(&refreshed), "refresh token 1//masked was revoked");
    }

    #[test]
    fn tokens_are_known_behind_escapes_and_emphasis() {
        let token = format!("ghp_{}", of("aB3", 36));
        let before = [
            r"b'ok\n",
            r"\r\n",
            r"\t",
            r"\\n",
            r"\x27",
            r"\x1b[31m",
            r"\033[1;31m",
            "\u{1b}[31m",
            r"\u0022",
            "_",
            "__",
            "%22",
            "x%3D",
            "%2522",
            "%253D",
            "%1B%5B31m",
            "%5Cn",
            "\u{9b}31m",
            r"\x9b31m",
            "%1b%5b31m",
            "%1B%5B0%3B31m",
            "=1B=5B31m",
            r"\x1b[?25h",
            r"\x1b\x5b1;31m",
            "[38:2:255:0:0m",
            r"\u009b31m",
            "\u{1b}(B",
            r"\x1b(B",
            r"\012",
            "#012",
            "%u0022",
            "^M",
            "?q=a%20",
            "=3D",
            "&quot;",
            "密钥",
            "TOKEN_",
            "task-",
        ];
        for before in before {
            let text = format!("{before}{token}_'");
            assert_eq!(mask_shapes(&text), format!("{before}masked'"), "{text}");
        }
        assert_eq!(mask_shapes("_AKIAI5UJFTKA4S6CVUAU_ x"), "_masked x");
        // The last letter of the escape is the first of another shape.
        let text = r"b'\xe2\x80\x9csk-proj-aB3dE5fG7hI9kL1mN3pQ'";
        assert_eq!(mask_shapes(text), r"b'\xe2\x80\x9cmasked'");
        for before in ["a", "n", "task", "x22", "u0022", "31m", "5"] {
            let text = format!("{before}{token}");
            assert_eq!(mask_shapes(&text), text);
        }
    }

    #[test]
    fn tokens_are_known_behind_every_sequence_of_terminals() {
        let token = format!("ghp_{}", of("aB3", 36));
        for before in [
            "\u{1b}8",
            "\u{1b}c",
            "\u{1b}(0",
            "\u{1b}#8",
            "\u{1b}%G",
            "\u{1b} F",
            "\u{1b}[>4;2m",
            "\u{1b}[<u",
            "\u{1b}[2 q",
            "\u{1b}[!p",
            "\u{1b}[?1$p",
            r"\e8",
            r"\033c",
            "^[8",
            "^[(B",
            "%1B7",
            "%1B%28B",
            "&#27;M",
            "\u{241b}(B",
            r"\u001b(B",
            r"\u{1b}(B",
            "<U+001B>(B",
            r"\23331m",
            "%C2%9B31m",
            "&#155;31m",
            "<9b>31m",
            r"\33]0;t\7",
            r"\33[m\17",
        ] {
            assert_eq!(mask_shapes(&format!("{before}{token}")), format!("{before}masked"), "{before}");
        }
    }

    #[test]
    fn addresses_lose_the_token_that_their_path_ends_with() {
        let (slack, digits) = (of("aB3", 24), of("123456789", 12));
        let (letters, short) = ("ltoetGvVUnRcYpIffRWGpCnc".to_owned(), "abc".to_owned());
        for (text, secret) in [
            (format!("POST https://hooks.slack.com/services/T01AB/B02CD/{slack} failed"), &slack),
            (format!("see https://discord.com/api/webhooks/{digits}/{slack}."), &slack),
            (
                format!("host='hooks.slack.com', port=443): with url: /services/T01AB/B02CD/{slack} (x)"),
                &slack,
            ),
            (format!("https://hooks.slack.com:443/services/T01AB/B02CD/{slack}"), &slack),
            (format!("HTTPS://Hooks.Slack-gov.com//services/T01AB/B02CD/{slack}"), &slack),
            (format!(r"https:\/\/hooks.slack.com\/services\/T01AB\/B02CD\/{slack}"), &slack),
            (format!("https://hooks.slack.com/workflows/T01AB/A02CD/{digits}/{slack}"), &slack),
            (format!("https://hooks.slack.com/triggers/E01AB/{digits}/{slack}"), &slack),
            (format!("https://discord.com:443 \"POST /api/webhooks/{digits}/{slack} HTTP/1.1\" 204"), &slack),
            (format!("canary.discord.com/api/v10/webhooks/{digits}/{slack}"), &slack),
            (format!("https://hooks.slack.com/services/T024BE7LD/B05ABCDEF12/{letters}"), &letters),
            (format!("https://hooks.slack.com/services/T024BE7LD/B05ABCDEF12/{short}"), &short),
            (format!("POST /services/T024BE7LD/B05ABCDEF12/{letters} failed"), &letters),
            (format!("https://api.telegram.org/bot{digits}:{slack}/getMe"), &format!("bot{digits}:{slack}")),
        ] {
            let masked = text.replace(secret.as_str(), MASK_IN_ADDRESS);
            assert_eq!(mask_hooks(&text), masked);
        }
    }

    proptest! {
        #[test]
        fn no_hook_is_missed_by_a_look_at_the_slashes(
            pieces in vec(select(&["hooks.slack.com", "services", "workflows", "triggers", "webhooks", "bot", "/", r"\/", "T01AB",
                "123456", ":", "aB3dE5fG7hI9kL1mN3pQ", "https://a.b", " ", "."][..]), 0..24),
        ) {
            let text = pieces.concat();
            prop_assert_eq!(mask_hooks(&text), mask_paths(&text));
        }
    }

    #[test]
    fn words_are_no_tokens() {
        for words in [
            "the sk-learn-and-other-packages-of-python",
            "a task-1234567890123456789012",
            "eyJ and AIza",
            "npm_config_user_agent_and_registry",
            "hf_hub_download_of_Llama_3_8B_Instruct_q4",
            "pypi-requests-2024-and-other-packages",
            "fw_Learn_And_Other_Packages_Of_Python",
            "the fc-barcelona-2024-season-and-all-its-matches",
            "1//000.5 is no token, nor is AQ.A and its kind of things",
            "see /services/TEAM/BOOKS/the-overview-of-all-of-them",
        ] {
            assert!(matches!(mask_shapes(words), Cow::Borrowed(_)), "{words}");
            assert!(matches!(mask_hooks(words), Cow::Borrowed(_)), "{words}");
        }
    }
}
