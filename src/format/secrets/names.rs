//! Names of what is secret.

use super::super::registry::secret_keys;
use crate::model::{Path, Step};

/// Keys whose values are secret in whatever JSON they stand: letters and digits, small. Formats name more.
const KEYS: &[&str] = &[
    "accesskey",
    "accesstoken",
    "apikey",
    "apisecret",
    "authconfig",
    "authconfigs",
    "authcredential",
    "authorization",
    "authresponseuri",
    "authtoken",
    "bearertoken",
    "clientsecret",
    "connectionstring",
    "cookie",
    "credential",
    "credentials",
    "idtoken",
    "jwt",
    "oauthtoken",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "proxyauthorization",
    "pwd",
    "refreshtoken",
    "secret",
    "secretaccesskey",
    "secretkey",
    "sessiontoken",
    "setcookie",
    "xapikey",
    "xgoogapikey",
];

/// Parameters of addresses whose values are secret, beside [`KEYS`].
const PARAMETERS: &[&str] = &[
    "auth",
    "hapikey",
    "key",
    "sessionid",
    "sig",
    "signature",
    "subscriptionkey",
    "token",
    "xamzcredential",
    "xamzsecuritytoken",
    "xamzsignature",
    "xgoogcredential",
    "xgoogsignature",
];

/// Ends of such keys: `dbPassword`, `OPENAI_API_KEY`.
const ENDINGS: &[&str] = &[
    "accesskey",
    "accesstoken",
    "apikey",
    "apikeys",
    "apitoken",
    "authorizationheader",
    "authheader",
    "authtoken",
    "bearertoken",
    "bottoken",
    "clientsecret",
    "githubtoken",
    "gitlabtoken",
    "password",
    "passwd",
    "privatekey",
    "refreshtoken",
    "secretaccesskey",
    "secretkey",
    "secrets",
    "securitytoken",
    "sessiontoken",
];

/// Where ADK keeps what a tool authorised with, in the state of a session.
const ADK_STATE: &str = "temp:adk_";

/// Whether the values below a key are secret. Also of a key that is a path, as citescope's own form has them,
/// and of one with the scope of a session's state before it (`app:token`).
pub fn is_secret(key: &str) -> bool {
    if key.starts_with('$') {
        return below_secret(&Path::new(key.get(1..).unwrap_or_default()));
    }
    let scoped = key.rsplit_once(':');
    let name = scoped.map_or(key, |(_, name)| name);
    key.starts_with(ADK_STATE)
        || ENDINGS.iter().any(|ending| ends_alike(name, ending))
        || scoped.is_some() && alike(name, "token")
        || secret_keys().chain(KEYS.iter().copied()).any(|secret| alike(name, secret))
}

/// Whether a place lies below a key whose values are masked.
pub fn below_secret(path: &Path) -> bool {
    path.steps().iter().any(|step| matches!(step, Step::Key(key) if is_secret(key)))
}

/// Whether the value of a parameter of an address is secret.
pub fn is_secret_parameter(name: &str) -> bool {
    PARAMETERS.iter().chain(KEYS).any(|secret| alike(name, secret))
}

fn ends_alike(name: &str, ending: &str) -> bool {
    let letters = name.bytes().rev().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase());
    name.len() >= ending.len() && letters.take(ending.len()).eq(ending.bytes().rev())
}

/// Whether names have the same letters and digits, whatever their case and what stands between.
fn alike(one: &str, other: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
    }
    one.len() >= other.len() && letters(one).eq(letters(other))
}
