//! One look at a text, before all that know credentials by their names: most texts name none.

use regex::Regex;

use super::ranges::Pattern;

// The pattern is right: tests match each name of a credential, and each other word that announces one. A sign
// may part a name where its words meet, and then not within one of these.
static NAMES: Pattern = Pattern::new(|| {
    let of_keys = "key|token|secret|pass|pw|auth|cookie|cred|jwt|otp|psk|dsn|sess|bearer|basic|assertion|saml|conn|encrypt|principal|sig|sas|hmac|github|verifier|oidc|jfrog|kennwort|contrase|senha|wachtwoord|recovery|seed";
    let of_commands = "[\"']-u|curl|wget|temp:adk|dentified|securestring";
    Regex::new(&format!("(?i-u){of_keys}|{of_commands}")).ok()
});

/// Whether a text may name a credential, or a command or a statement that is given one.
pub(super) fn may_name(text: &str) -> bool {
    NAMES.as_ref().is_none_or(|names| names.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::super::names::every_name;
    use super::super::options::every_option;
    use super::super::values::SCHEMES;
    use super::*;

    #[test]
    fn every_name_of_a_credential_is_seen() {
        let commands = ["curl -u", "wget", "temp:adk_oauth2_1", "IDENTIFIED BY", "ConvertTo-SecureString"];
        let words = every_name().chain(every_option()).chain(SCHEMES).chain(commands);
        assert!(words.clone().count() > 200);
        for word in words {
            assert!(may_name(word) && may_name(&word.to_uppercase()), "{word}");
        }
        for text in ["", "The tower was lit in 1932: see page 4.", "{\"answer\": \"-p 8 = x\"}", "user=bob"] {
            assert!(!may_name(text), "{text}");
        }
    }
}
