//! What describes a field, or says how it is, in the place of its value: `password: Password for the host`,
//! `password: Expected string, received "abc"`, `db_password: Creating...`.

use std::ops::Range;

use super::values::quoted;

/// Bytes behind a value that are looked at.
const NEAR: usize = 128;

/// Words with which it is said what a field of such a name is.
const DESCRIBING: [&str; 21] = [
    "Password",
    "Passphrase",
    "Key",
    "Token",
    "Secret",
    "OAuth",
    "OAuth2",
    "PEM-encoded",
    "Base64-encoded",
    "Shared",
    "Required",
    "Required.",
    "Optional",
    "Optional.",
    "Name",
    "Path",
    "Location",
    "deleted",
    "expires",
    "visit",
    "see",
];

/// Words of a sentence behind a name, before other ones.
const LEADING: [&str; 8] = ["according", "never", "without", "since", "because", "unless", "click", "please"];

/// Whether a value begins the words of its own name, with a capital: `client_secret: Client secret of it`.
pub(super) fn is_own_name(value: &str, behind: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).take(NEAR).collect()
    };
    let near = behind.get(..behind.floor_char_boundary(NEAR)).unwrap_or_default();
    let said = letters(value) + &letters(near);
    let own = letters(name);
    value.starts_with(|c: char| c.is_ascii_uppercase())
        && value.chars().all(|c| c.is_ascii_alphabetic())
        && letters(value).len() < own.len()
        && near.starts_with(' ')
        && said.starts_with(&own)
}

/// Where the value stands of which a service says what is wrong with it, in quotes behind that in the line:
/// `password: Invalid value: "abc": too short`, `password: Expected string, received "abc"`.
pub(super) fn judged(value: &str, behind: &str) -> Option<Range<usize>> {
    let near = behind.get(..behind.floor_char_boundary(NEAR * 2)).unwrap_or_default();
    let line = near.split(['\n', '\r']).next().unwrap_or_default();
    let word = line.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_judged = JUDGING.iter().any(|(first, second)| *first == value && *second == word)
        || ["Expected", "Extra", "value", "Value", "invalid", "Invalid"].contains(&value)
            && line.starts_with(' ');
    let told = [
        "input_value=",
        "received ",
        "got ",
        "value: ",
        "value ",
        "token ",
        "password ",
        "key ",
        "Expected ",
    ];
    let at = told.iter().filter(|_| is_judged).find_map(|told| {
        let at = line.find(told)? + told.len();
        line.get(at..)?.starts_with(['"', '\'']).then_some(at)
    });
    let at =
        at.or_else(|| (is_judged && [" \"", " '"].iter().any(|quote| line.starts_with(quote))).then_some(1))?;
    let quote = line.get(at..)?.chars().next()?;
    let inner = line.get(at + 1..)?;
    let length = quoted(inner, quote);
    (length > 0).then(|| at + 1..at + 1 + length)
}

/// Whether a value is what its field is described with: `password: Password for the database`, or what is not
/// there: `volume "a" : secret "b" not found`.
pub(super) fn is_described(value: &str, behind: &str) -> bool {
    let Some(next) = behind.strip_prefix(' ') else { return false };
    let word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let goes_on = || next.get(word.len()..).is_some_and(|rest| rest.starts_with([' ', '.', ':', ',']));
    let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
    // Behind `Token` and `Key` stands a credential, but for such words.
    let announces = matches!(value, "Token" | "Key" | "Secret");
    let is_prose = !announces || JOINING.contains(&word);
    let is_judged = JUDGING.iter().any(|(first, second)| *first == value && *second == word);
    let is_small = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase());
    is_judged
        || value == "Path" && next.starts_with('`')
        || LEADING.contains(&value) && is_small(word) && goes_on()
        || DESCRIBING.contains(&value) && is_word && goes_on() && is_prose
        || matches!(value, "secret" | "configmap") && is_lost(next)
}

/// Whether a text begins with the name of what Kubernetes does not find: `"db-creds" not found`.
fn is_lost(text: &str) -> bool {
    let name = text.strip_prefix('"').and_then(|inner| inner.split_once('"'));
    name.is_some_and(|(name, behind)| name.contains('-') && behind.starts_with(" not found"))
}

/// Whether a value says how far something is, or what could not be asked: `db_password: Creating...`,
/// `Still creating... [10s elapsed]`, `terminal prompts disabled`.
pub(super) fn is_progress(value: &str, behind: &str) -> bool {
    let line = behind.get(..behind.floor_char_boundary(NEAR)).unwrap_or_default();
    let line = line.split(['\n', '\r']).next().unwrap_or_default();
    let done = value.strip_suffix("ing...").is_some_and(|verb| DOING.contains(&verb));
    let word = || line.trim_start().split(' ').next().unwrap_or_default();
    done || match value {
        "Still" => word().ends_with("ing..."),
        "Creation" | "Destruction" | "Modifications" | "Read" | "Import" => word() == "complete",
        "Refreshing" => word() == "state...",
        "terminal" => word() == "prompts",
        _ => false,
    }
}

/// What Terraform does with what it manages.
const DOING: [&str; 7] = ["Creat", "Destroy", "Modify", "Read", "Import", "Refresh", "Open"];

/// How services say what is wrong with a field, by the first two words.
const JUDGING: [(&str, &str); 18] = [
    ("expected", "bytes"),
    ("Required", "value"),
    ("Invalid", "value"),
    ("invalid", "value"),
    ("Duplicate", "value"),
    ("Unsupported", "value"),
    ("Expected", "string"),
    ("expected", "string"),
    ("field", "required"),
    ("Field", "required"),
    ("should", "not"),
    ("should", "be"),
    ("ensure", "this"),
    ("can't", "be"),
    ("cannot", "be"),
    ("String", "should"),
    ("Input", "should"),
    ("Value", "error"),
];

/// Whether a value is the state of what has the name: `API key: expired`.
pub(super) fn is_state(value: &str, name: &str) -> bool {
    let own = value.trim_end_matches(['.', ',']);
    // A workflow may ask for a token, and is given none.
    let is_right = name.eq_ignore_ascii_case("id-token") && ["read", "write", "none"].contains(&own);
    is_right || ["invalid", "expired", "missing", "N/A", "unchanged", "unset"].contains(&own)
}

/// Whether a program of the name `passwd` says something: `passwd: password updated successfully`.
pub(super) fn is_of_passwd(value: &str, behind: &str, name: &str) -> bool {
    let said = ["password", "Authentication", "user", "unknown", "Sorry", "You", "Module"];
    name == "passwd" && said.contains(&value) && behind.starts_with(' ')
}

/// Words between what a field is and what it is of.
const JOINING: [&str; 9] = ["for", "of", "to", "used", "that", "from", "issued", "which", "with"];

/// Whether a value is the name of an algorithm: `Signing key: Ed25519`.
pub(super) fn is_algorithm(value: &str) -> bool {
    let own = value.trim_end_matches(['.', ',']).to_ascii_lowercase();
    ALGORITHMS.contains(&own.as_str())
}

const ALGORITHMS: [&str; 22] = [
    "aes",
    "aes-128",
    "aes-256",
    "aes256",
    "aes-256-gcm",
    "aes-256-cbc",
    "rsa",
    "rsa-2048",
    "rsa-4096",
    "dsa",
    "ec",
    "ecdsa",
    "ed25519",
    "hmac",
    "hmac-sha256",
    "hs256",
    "hs512",
    "rs256",
    "es256",
    "p-256",
    "secp256k1",
    "x25519",
];

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    #[test]
    fn what_stands_beside_prose_and_code_is_masked() {
        for (text, masked) in [
            ("if pw == hashed(\"abc\"):", "if pw == hashed(\"masked\"):"),
            (
                "The password of the admin account is \"abc\".",
                "The password of the admin account is \"masked\".",
            ),
            ("The API key in config.py is now \"abc\"", "The API key in config.py is now \"masked\""),
            ("The password was changed to \"abc\"", "The password was changed to \"masked\""),
            (
                "env::var(\"API_KEY\").unwrap_or_else(|_| \"abc\".to_string())",
                "env::var(\"API_KEY\").unwrap_or_else(|_| \"masked\".to_string())",
            ),
            (
                "f(System.getenv(\"DB_PASSWORD\") ?: \"abc\")",
                "f(System.getenv(\"DB_PASSWORD\") ?: \"masked\")",
            ),
            (
                "os.environ.get(\"API_KEY\", None) or \"abc\"",
                "os.environ.get(\"API_KEY\", None) or \"masked\"",
            ),
            (
                "of(System.getenv(\"API_KEY\")).orElse(\"abc\")",
                "of(System.getenv(\"API_KEY\")).orElse(\"masked\")",
            ),
            ("pass=Zx9qTr4wabcdefgh12", "pass=masked"),
            ("{\"auth\":\"Ym9iOlp4OXFUcjR3bG9uZ2VyMTIz\"}", "{\"auth\":\"masked\"}"),
            ("psql --password  abc1", "psql --password  masked"),
            (
                "spec.adminPassword: Invalid value: \"abc\": too short",
                "spec.adminPassword: Invalid value: \"masked\": too short",
            ),
            ("password: value 'abc' is too short", "password: value 'masked' is too short"),
            (
                "password: String should have 20 characters [type=short, input_value='abc', input_type=str]",
                "password: String should have 20 characters [type=short, input_value='masked', input_type=str]",
            ),
            ("password: Expected string, received \"abc\"", "password: Expected string, received \"masked\""),
            ("client_secret: Client abc1", "client_secret: masked abc1"),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }

    #[test]
    fn what_stands_behind_addresses_options_and_types_is_masked() {
        for (text, masked) in [
            ("API key for https://api.x.com: abc", "API key for https://api.x.com: masked"),
            ("Password for 'https://bob@h.com': abc", "Password for 'https://bob@h.com': masked"),
            (
                "<input name=\"api_key\" id=\"k\"\n  value=\"abc\">",
                "<input name=\"api_key\" id=\"k\"\n  value=\"masked\">",
            ),
            ("Authorization: Bearer \"abc-def\"", "Authorization: Bearer \"masked\""),
            ("-H \"Authorization: Bearer 'abc123def456'\"", "-H \"Authorization: Bearer 'masked'\""),
            ("Authorization: Token \"abc\"", "Authorization: masked\""),
            ("config(\"OPENAI_API_KEY\", default=\"abc\")", "config(\"OPENAI_API_KEY\", default=\"masked\")"),
            ("get(\"db\", \"password\", fallback='abc')", "get(\"db\", \"password\", fallback='masked')"),
            (
                "env::var(\"API_KEY\").unwrap_or(\"abc\".into())",
                "env::var(\"API_KEY\").unwrap_or(\"masked\".into())",
            ),
            ("set --password to abc1 now", "set --password to masked now"),
            ("DECLARE @password NVARCHAR(50) = N'abc';", "DECLARE @password NVARCHAR(50) = N'masked';"),
            ("v_password VARCHAR2(30) := 'abc';", "v_password VARCHAR2(30) := 'masked';"),
            ("password TEXT := 'abc'", "password TEXT := 'masked'"),
            ("if pw == \"\" or pw == \"abc1\":", "if pw == \"\" or pw == \"masked\":"),
            (
                "<input name=\"password\" type=\"password\"\n  value=\"abc1\">",
                "<input name=\"password\" type=\"password\"\n  value=\"masked\">",
            ),
            ("Run it with --password hunter2 now", "Run it with --password masked now"),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }

    #[test]
    fn what_code_programs_and_services_say_is_no_credential() {
        for text in [
            "Authorization: headers aren't sent, it's so.",
            "Authorization: that's optional.",
            "if password != confirm_password:\n    raise ValueError(\"no match\")",
            "if (password !== confirmPassword) {",
            "if ($password !== $confirm) {",
            "return password == stored_password",
            "if user.password == hash_password(password):",
            "password: Password for the database user.",
            "api_key: Key for the OpenAI API. Falls back to it",
            "Session cookie: deleted when the browser closes",
            "API key: visit https://x.io/keys",
            "password = (sensitive value)",
            "  + password = (known after apply)\n",
            "volume \"creds\" : secret \"db-creds\" not found",
            "Signing key: Ed25519, encryption key: AES-256-GCM",
            "--ask-password              prompt for passwords\n  -W, --password           force password prompt",
            "password: Expected string, received null",
            "api_key: field required",
            "password: ensure this value has at least 8 characters",
            "permissions:\n  id-token: write\n",
            "passwd: password updated successfully",
            "API key: invalid. Access token: expired",
            "client_secret: Client secret issued by the provider.",
            ":param resource_owner_secret: Resource owner secret (optional)",
            "spec.apiKey: Required value",
            "User validation failed: password: Path `password` is required.",
            "pwd: expected bytes, got str",
            "Regarding the API key: according to the docs, it is optional.",
            "random_password.db_password: Creating...\nx.db_password: Still creating... [10s elapsed]",
            "x.db_password: Refreshing state... [id=none]",
            "x.db_password: Creation complete after 1s",
            "DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false",
            "password:  12 bytes",
            "undefined method `password' for nil:NilClass",
            "undefined method `password=' for #<User:0x000>",
            "could not read Password for 'https://bob@github.com': terminal prompts disabled",
            "Run bin/rails credentials:edit",
            "client_secret: (Optional) The secret of the client.",
            "Authorization: Dr. Lee approved it. Authorization: Section 12(b) of the Act",
        ] {
            assert_eq!(mask_message(text), text);
        }
    }
}
