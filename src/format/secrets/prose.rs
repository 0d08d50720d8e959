//! Words and amounts behind a colon that are no credential, though what stands before it has its name:
//! `Share repurchase authorization: $10 billion`.

use super::values::BLANKS;

/// Schemes of the header `Authorization`, besides those that announce a credential anywhere.
const SCHEMES: [&str; 16] = [
    "bearer",
    "basic",
    "token",
    "digest",
    "negotiate",
    "ntlm",
    "apikey",
    "api-key",
    "key",
    "hawk",
    "oauth",
    "ssws",
    "splunk",
    "gnap",
    "bot",
    "aws4-hmac-sha256",
];

/// Words that count what stands before them.
const COUNTED: [&str; 12] = [
    "bytes",
    "million",
    "billion",
    "thousand",
    "trillion",
    "percent",
    "characters",
    "of",
    "bn",
    "m",
    "shares",
    "units",
];

/// Words with which a sentence begins, and no credential.
const OPENING: [&str; 44] = [
    "a", "after", "all", "an", "any", "as", "at", "because", "before", "by", "each", "every", "for", "from",
    "if", "in", "it", "its", "no", "not", "on", "only", "our", "see", "since", "some", "the", "their",
    "there", "these", "they", "this", "those", "to", "under", "until", "we", "what", "when", "where", "who",
    "with", "you", "your",
];

/// Bytes behind a value that are looked at.
const NEAR: usize = 128;

/// Whether what stands behind the header `Authorization` is a sentence: `Authorization: the user must be …`.
pub(super) fn is_sentence(value: &str, behind: &str) -> bool {
    let is_scheme = SCHEMES.contains(&value.to_ascii_lowercase().as_str());
    // `Pfizer's`, `Coca-Cola`, `H.R.`
    let of_name = |c: char| c.is_alphabetic() || is_apostrophe(c) || matches!(c, '-' | '.');
    let of_prose = |word: &str| {
        let own = word.trim_end_matches([',', '.', '?', '!', ';', ':']);
        own.starts_with(char::is_lowercase) && own.chars().all(|c| c.is_alphabetic() || is_apostrophe(c))
    };
    let is_word = value.chars().all(|c| c.is_alphabetic() || is_apostrophe(c))
        || value.starts_with(char::is_uppercase) && value.chars().all(of_name);
    let near = behind.get(..behind.floor_char_boundary(NEAR)).unwrap_or_default();
    let line = near.split(['\n', '\r']).next().unwrap_or_default();
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    // `Section 12(b) of`.
    let number = first.trim_end_matches(|c: char| c.is_ascii_lowercase() || matches!(c, '(' | ')'));
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_titled = TITLES.contains(&value) && first.starts_with(char::is_uppercase);
    let goes_on = || of_prose(first) && !second.is_empty() || is_number && of_prose(second);
    let is_opening = OPENING.contains(&value.to_ascii_lowercase().as_str());
    let opens = (is_opening || value.ends_with("'s") || value.ends_with("\u{2019}s")) && !first.is_empty();
    !is_scheme && is_word && line.starts_with(' ') && (opens || is_titled || goes_on())
}

/// Titles of people, and what else stands before a name.
const TITLES: [&str; 9] = ["Dr.", "Mr.", "Mrs.", "Ms.", "St.", "Prof.", "Sen.", "Rep.", "Bill"];

/// As in `aren't`, `Pfizer's`.
fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

/// Whether a value counts something: `$10 billion`, `US$ 2bn`, `12% of claims`, `23.2 million`,
/// `about $3 billion`.
pub(super) fn is_amount(value: &str, behind: &str) -> bool {
    let near = behind.get(..behind.floor_char_boundary(NEAR)).unwrap_or_default();
    let next = near.trim_start_matches(BLANKS);
    if ABOUT.contains(&value) {
        let figure = next.strip_prefix("to ").unwrap_or(next);
        return figure.starts_with(|c: char| c.is_ascii_digit() || CURRENCIES.contains(&c))
            || is_currency(figure);
    }
    if is_currency(value) && next.starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let own =
        value.trim_start_matches(['~', '\u{2248}']).trim_start_matches("US").trim_start_matches(CURRENCIES);
    let number = own.trim_end_matches([',', '.', '%']);
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && ["", "m", "M", "bn", "b", "B", "k", "K"].contains(&unit);
    let counted = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    is_number && (own.len() < value.len() || value.ends_with('%') || COUNTED.contains(&counted))
}

/// Whether a word names a currency alone: `US$`, `USD`.
fn is_currency(word: &str) -> bool {
    let own = word.split(' ').next().unwrap_or_default();
    let signs = own.trim_start_matches("US");
    matches!(own, "USD" | "EUR" | "GBP" | "JPY" | "CHF")
        || !signs.is_empty() && signs.chars().all(|c| CURRENCIES.contains(&c))
}

const CURRENCIES: [char; 4] = ['$', '€', '£', '¥'];
/// Words before a number that is not exact.
const ABOUT: [&str; 9] =
    ["about", "approximately", "nearly", "around", "roughly", "almost", "over", "up", "some"];

/// Whether a name, in small letters, is said of several, or of a token, as titles and errors say it:
/// `Trade secrets: …`, `Error validating access token: Session has expired`.
pub(super) fn is_of_several(name: &str) -> bool {
    ["cookies", "secrets", "credentials", "passwords", "tokens", "keys", "token", "jwt"]
        .iter()
        .any(|word| name.ends_with(word))
}

/// Whether a value is the address of a page, without anything that may be secret in it.
pub(super) fn is_page(value: &str) -> bool {
    let own = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
    own.is_some_and(|own| own.contains('.') && !own.contains(['?', '@', '#', '&', '=', ';']))
}

/// Bytes of a value that is a label: many in a row are one value.
const LABEL_MOST: usize = 64;

/// Whether a value is its own name once more, with a sign: `password: password: abc`,
/// `s/password: .*/password: abc/`.
pub(super) fn is_label(value: &str, name: &str) -> bool {
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let short = value.strip_suffix(':').filter(|label| label.len() <= LABEL_MOST);
    short.is_some_and(|label| {
        let own = label.get(label.trim_end_matches(of_name).len()..).unwrap_or_default();
        !own.is_empty() && own.eq_ignore_ascii_case(name)
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    #[test]
    fn sentences_forms_and_schemas_are_no_credential() {
        for text in [
            "Authorization: the FDA granted approval in 2021.",
            "Emergency Use Authorization: On December 11, 2020 it was given.",
            "Authorization: The Senate passed the bill in 2021.",
            "Authorization: see RFC 7235",
            "I should use --password to log in. Pass --api-key on the command line, or --token from a file.",
            "The suspect was identified by \"three witnesses\".",
            "The species was identified by 'Linnaeus'.",
            "Get an API key: https://aistudio.google.com/apikey",
            "Third-party cookies: Google has delayed them again.",
            "Trade secrets: Waymo sued Uber over them.",
            "Trade secrets: Coca-Cola keeps its formula. Trade secrets: DuPont's Kevlar process was stolen.",
            "Authorization: H.R. 1319 was signed in 2021.",
            "Authorization: Pfizer's vaccine was authorized in 2020.",
            "The gene identified by \"BRCA1\" is known, a stock identified by 'AAPL' too.",
            "API keys: Google offers them for free.",
            "<label>Password:</label> <input type=\"password\" id=\"pw\" name=\"pw\" required>",
            "properties:\n  password:\n    type: string\n    minLength: 8",
            "    \"password\": {\"type\": \"string\"},\n    \"b\": 1",
            "if api_key == None:\n    x\nif (password === undefined) {",
            "Error validating access token: Session has expired on Monday",
            "x: error: argument --token: expected one argument",
            "error: unexpected argument '--api-key' found",
            "bob ALL=(ALL) NOPASSWD: /usr/bin/systemctl restart nginx",
            "inputs:\n  api-key:\n    description: The key\n    required: true",
            "Basic COVID-19 precautions, Basic 4-ingredient bread, Basic 1099-NEC instructions",
            "Basic iPhone15 setup, Basic ChatGPT-4 usage, Bearer 2024-series shares",
            "cookies = []\nself.credentials = {}; const secrets = [];",
            "fetch(u, { credentials: 'include' })",
        ] {
            assert_eq!(mask_message(text), text);
        }
    }

    #[test]
    fn prose_behind_a_name_is_no_credential() {
        for text in [
            "Share repurchase authorization: $10 billion, of which $3.2 billion remain",
            "Prior authorization: 12% of claims denied",
            "Emergency use authorization: granted by the FDA in December 2020",
            "Authorization: the user must be an admin to do this.",
            "Authorization: Who may do what?",
            "Trade secrets: $245 million settlement",
            "Repurchase authorization: $2.5B, £500m",
            "Repurchase authorization: US$ 2 billion",
            "Repurchase authorization: ~$10 billion",
            "Repurchase authorization: 25,000,000 shares",
            "authorization: directors approved $10 billion",
            "Authorization: Section 301 of the Act",
            "Repurchase authorization: approximately $10 billion",
            "Repurchase authorization: up to $10 billion",
            "Total authorization: USD 2.0bn; used to date",
            "Passwords: 23.2 million accounts used 123456",
        ] {
            assert_eq!(mask_message(text), text);
        }
        for (text, masked) in [
            ("Authorization: abc", "Authorization: masked"),
            ("Authorization: the", "Authorization: masked"),
            ("if password == hunter2:", "if password == masked"),
            ("if [ $password == hunter ]; then", "if [ $password == masked ]; then"),
            ("api_key: Token abc for it", "api_key: masked for it"),
            ("password: Hunter for bob", "password: masked for bob"),
            ("user bob was identified by 'hunter2x'", "user bob was identified by 'masked'"),
            ("API keys: \"abc1\"", "API keys: \"masked\""),
            ("Access tokens: abc1", "Access tokens: masked"),
            ("credentials:\n  type: basic\n  value: abc1", "credentials:\n  masked"),
            ("Authorization: Custom abc1", "Authorization: masked"),
            ("Authorization: Token abc def ghi", "Authorization: masked def ghi"),
            ("curl -H 'Authorization: abc' x y", "curl -H 'Authorization: masked' x y"),
            ("password: password: abc", "password: password: masked"),
            ("sed 's/password: .*/password: abc/' f", "sed 's/password: .*/password: masked' f"),
            ("password: $ecret", "password: masked"),
            ("password: 2024", "password: masked"),
            ("API key: https://a.example/?k=abc", "API key: masked"),
            ("passwords := []string{\"abc\"}", "passwords := masked\"masked\"}"),
            ("credentials: 'hunter2'", "credentials: 'masked'"),
            ("secrets: hunter2 and more of it", "secrets: masked and more of it"),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }
}
