//! Names of what is secret.

use std::sync::LazyLock;

use crate::model::{Path, Step};

/// What stands for a masked value.
pub const MASK: &str = "•••• (masked, --show-secrets shows it)";

/// What stands for a credential within an address or a sentence.
pub const MASK_IN_ADDRESS: &str = "masked";

/// Keys whose values are secret in whatever JSON they stand: letters and digits, small. A gateway and a log
/// carry those of any vendor, so that they are no matter of one format: `requestedAuthConfigs` and
/// `…AuthCredential` are ADK's, `encrypted_content` and `encrypted_index` those of OpenAI, xAI and Anthropic.
const KEYS: &[&str] = &[
    "accesskey",
    "accesstoken",
    "apikey",
    "apikeyauth",
    "apisecret",
    "authcode",
    "authconfig",
    "authconfigs",
    "authcredential",
    "authorization",
    "authorizationcode",
    "authresponseuri",
    "authtoken",
    "azureadtoken",
    "basicauth",
    "bearer",
    "bearertoken",
    "clientassertion",
    "clientsecret",
    "codeverifier",
    "connectionstring",
    "connectsid",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "creds",
    "dbpass",
    "dsn",
    "encryptedcontent",
    "encryptedindex",
    "exchangedauthcredential",
    "identitytoken",
    "idtoken",
    "idtokens",
    "jsessionid",
    "jwt",
    "laravelsession",
    "mysqlpwd",
    "oauth2bearer",
    "oauthtoken",
    "otp",
    "passphrase",
    "passwd",
    "password",
    "phpsessid",
    "privatekey",
    "proxyauthorization",
    "psk",
    "pw",
    "pwd",
    "rawauthcredential",
    "refreshtoken",
    "requestedauthconfigs",
    "secret",
    "secretaccesskey",
    "secretkey",
    "sessiontoken",
    "setcookie",
    "smtppass",
    "totp",
    "xamznoidcdata",
    "xamzsignature",
    "xapikey",
    "xauthorization",
    "xgoogapikey",
    "xgoogsignature",
    "xjfrogartapi",
    "xkey",
    "xtoken",
];

/// Parameters of addresses whose values are secret, beside all of [`KEYS`].
const PARAMETERS: &[&str] = &[
    "auth",
    "hapikey",
    "hmac",
    "key",
    "oauthsignature",
    "pass",
    "sas",
    "sessionid",
    "sig",
    "signature",
    "subscriptionkey",
    "token",
    "xamzcredential",
    "xamzsecuritytoken",
    "xgoogcredential",
];

/// Ends of such keys: `dbPassword`, `OPENAI_API_KEY`; of names in other languages the letters that ASCII has
/// (`contraseña`).
const ENDINGS: &[&str] = &[
    "accessjwt",
    "accesskey",
    "accesskeyid",
    "accesskeys",
    "accesstoken",
    "accesstokens",
    "accountkey",
    "accountpass",
    "activationtoken",
    "adminkey",
    "adminpass",
    "adminpwd",
    "admintoken",
    "aeskey",
    "aigauthorization",
    "aiventoken",
    "anthropickey",
    "apikey",
    "apikeys",
    "apikeystring",
    "apikeyvalue",
    "apitoken",
    "apitokens",
    "appkey",
    "applicationkey",
    "apptoken",
    "asanatoken",
    "authcookies",
    "authheader",
    "authjwt",
    "authkey",
    "authorizationheader",
    "authorizationtoken",
    "authpass",
    "authtoken",
    "authtokens",
    "azurekey",
    "azuresearchkey",
    "bearertoken",
    "bearertokens",
    "becomepass",
    "bindpw",
    "bottoken",
    "bravekey",
    "circletoken",
    "clientkey",
    "clientprincipal",
    "clientsecret",
    "clienttoken",
    "cloudflaretoken",
    "coherekey",
    "confirmationtoken",
    "connectionstring",
    "connectiontoken",
    "connstr",
    "consultoken",
    "consumerkey",
    "contrasea",
    "cookie",
    "cookieheader",
    "cosmoskey",
    "credential",
    "credentials",
    "credentialsjson",
    "csrftoken",
    "dbpass",
    "dbpw",
    "dbpwd",
    "deploykey",
    "deploymenttoken",
    "deploytoken",
    "devicetoken",
    "discordtoken",
    "embytoken",
    "encryptionkey",
    "encryptionkeys",
    "ephemeralkey",
    "ephemeraltoken",
    "fcmtoken",
    "figmatoken",
    "forwardedauthorization",
    "ftppass",
    "ftppwd",
    "functionskey",
    "geminikey",
    "ghtoken",
    "githubpat",
    "githubtoken",
    "gitlabtoken",
    "groqkey",
    "headerauthorization",
    "headersauthorization",
    "heliconeauth",
    "hftoken",
    "hmackey",
    "httpauthorization",
    "httpcookies",
    "huggingfacetoken",
    "invitetoken",
    "jiratoken",
    "jobtoken",
    "jwtassertion",
    "jwtkey",
    "jwttoken",
    "kennwort",
    "keypass",
    "langsmithkey",
    "licensekey",
    "litellmkey",
    "loginpass",
    "loginpwd",
    "logintoken",
    "magiclinktoken",
    "magictoken",
    "mailpass",
    "masterkey",
    "masterpass",
    "mcptoken",
    "mistralkey",
    "mongopass",
    "motdepasse",
    "mysqlpass",
    "newpwd",
    "nomadtoken",
    "notiontoken",
    "npmtoken",
    "oauthtokens",
    "oldpwd",
    "openaikey",
    "originalauthorization",
    "otpcode",
    "passcode",
    "passcodes",
    "passphrase",
    "passphrases",
    "passwd",
    "password",
    "passwordconfirm",
    "passwordconfirmation",
    "passwordhash",
    "passwords",
    "passwordstring",
    "passwordtoken",
    "passwordvalue",
    "passwort",
    "pineconekey",
    "plextoken",
    "presharedkey",
    "privatekey",
    "privatekeypem",
    "privatekeys",
    "privatetoken",
    "protectionbypass",
    "proxyauthorization",
    "pushtoken",
    "qdrantkey",
    "recoverycodes",
    "redisauth",
    "rediscliauth",
    "redispass",
    "refreshjwt",
    "refreshtoken",
    "refreshtokens",
    "registrationtoken",
    "remappedauthorization",
    "remembertoken",
    "requestcookies",
    "resettoken",
    "rootpass",
    "rootpw",
    "rootpwd",
    "roottoken",
    "rpctoken",
    "samlassertion",
    "samlresponse",
    "sapwd",
    "saskey",
    "sastoken",
    "sastokens",
    "secret",
    "secretaccesskey",
    "secretbinary",
    "secretkey",
    "secretkeybase",
    "secretkeys",
    "secrets",
    "secretstring",
    "secrettoken",
    "secretvalue",
    "securitytoken",
    "seedphrase",
    "sendgridkey",
    "senha",
    "serperkey",
    "serverlessauthorization",
    "servicerolekey",
    "servicetoken",
    "sessioncookie",
    "sessioncookies",
    "sessionidtoken",
    "sessionkey",
    "sessiontoken",
    "sessiontokens",
    "sftppass",
    "sharedaccesskey",
    "sharedaccesssignature",
    "sharedkey",
    "signingkey",
    "signingkeys",
    "slacktoken",
    "smtppwd",
    "sshkey",
    "sshkeys",
    "sshpass",
    "ssotoken",
    "storagekey",
    "storepass",
    "stripekey",
    "subscriptionkey",
    "subscriptiontoken",
    "sudopass",
    "supabasekey",
    "tavilykey",
    "telegramtoken",
    "tokenstring",
    "tokenvalue",
    "trackertoken",
    "twiliotoken",
    "unlocktoken",
    "unsealkeys",
    "userpass",
    "userpw",
    "userpwd",
    "usertoken",
    "vaulttoken",
    "verificationtoken",
    "verifytoken",
    "virtualkey",
    "vncpass",
    "wachtwoord",
    "weaviatekey",
    "webhooktoken",
    "wifipass",
    "wpapsk",
    "xsrftoken",
];

/// All of them.
#[cfg(test)]
pub(super) fn every_name() -> impl Iterator<Item = &'static str> + Clone {
    KEYS.iter().chain(PARAMETERS).chain(ENDINGS).copied()
}

/// Where ADK keeps what a tool authorised with, in the state of a session: `temp:adk_oauth2_1`, in whatever
/// spelling keys are compared.
const ADK_STATE: &str = "temp:adk";

fn is_of_adk(key: &str) -> bool {
    let behind = key.strip_prefix(ADK_STATE);
    behind.is_some_and(|name| name.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()))
}

/// Whether the values below a key are secret. Also of a key that is a path, as citescope's own form has them,
/// and of one with the scope of a session's state before it (`app:token`).
pub fn is_secret(key: &str) -> bool {
    if key.starts_with('$') {
        // A path has one sign before it; of a name of many the words behind all of them count. Its names may
        // stand in quotes of either kind.
        let path = key.trim_start_matches('$').trim_start_matches('.');
        return below_secret(&Path::new(&path.replace('\'', "\"")));
    }
    // As a label has one.
    let key = key.trim_end();
    let key = key.strip_suffix(':').unwrap_or(key);
    let scoped = key.rsplit_once(':');
    let own = without_kind(scoped.map_or(key, |(_, name)| name));
    if is_of_adk(key) {
        return true;
    }
    if !LAST_TWO.may_end(own.bytes().rev()) {
        return false;
    }
    let name = Letters::of(own);
    LAST_TWO.names_like(&name).any(|(secret, whole)| name.is_like(secret, whole))
        || scoped.is_some() && name.known() == b"token"
}

/// A name without what tells several of a kind apart: `apikey_1`, `api_key_old`, `apiKeyOld`.
fn without_kind(name: &str) -> &str {
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '_' | '-');
    let name = name.trim_end_matches(of_number);
    // A version: `api_key_v2`.
    let name = name.strip_suffix("_v").or_else(|| name.strip_suffix("-v")).unwrap_or(name);
    let of_kind = |kind: &&str| {
        let (before, own) = name.split_at_checked(name.len().checked_sub(kind.len())?)?;
        let is_apart = match (before.as_bytes().last()?, own.as_bytes().first()?) {
            (b'_' | b'-', _) => true,
            (last, first) => first.is_ascii_uppercase() && !last.is_ascii_uppercase(),
        };
        (is_apart && own.eq_ignore_ascii_case(kind)).then_some(before)
    };
    if !LAST_TWO_OF_KINDS.may_end(name.bytes().rev()) {
        return name;
    }
    KINDS.iter().find_map(of_kind).unwrap_or(name)
}

/// Words that tell several of a kind apart: keys are changed one after the other, and each stage has its own.
const KINDS: [&str; 22] = [
    "admin",
    "backup",
    "base",
    "current",
    "default",
    "dev",
    "input",
    "live",
    "new",
    "old",
    "plain",
    "prev",
    "previous",
    "primary",
    "prod",
    "production",
    "raw",
    "sandbox",
    "secondary",
    "staging",
    "test",
    "text",
];

/// Most keys are told by their last two letters.
static LAST_TWO: LazyLock<LastTwo> = LazyLock::new(|| LastTwo::of(&[KEYS], ENDINGS));

/// The same of what tells several of a kind apart.
static LAST_TWO_OF_KINDS: LazyLock<LastTwo> = LazyLock::new(|| LastTwo::of(&[], &KINDS));

/// The same of parameters.
static LAST_TWO_OF_PARAMETERS: LazyLock<LastTwo> =
    LazyLock::new(|| LastTwo::of(&[KEYS, PARAMETERS], ENDINGS));

/// Names by their last two letters.
struct LastTwo {
    /// Of a letter, as bits, those that stand before it.
    before: [u32; 26],
    /// By the last letter: each name, and whether it is secret as a whole name only.
    names: [Vec<(&'static str, bool)>; 26],
}

impl LastTwo {
    fn of(whole: &[&[&'static str]], endings: &[&'static str]) -> Self {
        let mut out = Self { before: [0; 26], names: Default::default() };
        let whole = whole.iter().copied().flatten().map(|name| (*name, true));
        for (name, whole) in whole.chain(endings.iter().map(|name| (*name, false))) {
            if let [.., before, last] = name.as_bytes()
                && let at = usize::from(last - b'a')
                && let (Some(known), Some(names)) = (out.before.get_mut(at), out.names.get_mut(at))
            {
                *known |= 1 << (before - b'a');
                names.push((name, whole));
            }
        }
        out
    }

    /// The names that end with the same letter.
    fn names_like(&self, name: &Letters) -> impl Iterator<Item = (&'static str, bool)> {
        let last = name.known().last().and_then(|last| last.checked_sub(b'a'));
        last.and_then(|last| self.names.get(usize::from(last))).into_iter().flatten().copied()
    }

    /// Whether a name may be one of these; it is given from its end on.
    fn may_end(&self, name: impl Iterator<Item = u8>) -> bool {
        let mut letters = name.filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase());
        let place = |letter: Option<u8>| letter?.checked_sub(b'a');
        let (Some(last), Some(before)) = (place(letters.next()), place(letters.next())) else { return false };
        self.before.get(usize::from(last)).is_some_and(|known| known >> before & 1 == 1)
    }
}

/// Whether the word that a text ends with may be secret as a name: told by its last letters, without a look
/// at where it begins.
pub fn may_end_with_secret(text: &str) -> bool {
    LAST_TWO.may_end(without_kind(text).bytes().rev())
}

/// Whether a place lies below a key whose values are masked.
pub fn below_secret(path: &Path) -> bool {
    path.steps().iter().any(|step| matches!(step, Step::Key(key) if is_secret(key)))
}

/// Whether the value of a parameter of an address is secret, also of one in another (`user[password]`).
pub fn is_secret_parameter(name: &str) -> bool {
    if !LAST_TWO_OF_PARAMETERS.may_end(name.bytes().rev()) {
        return false;
    }
    let inner = name.rsplit_once('[').map(|(_, inner)| inner);
    let name = Letters::of(name);
    // `page[token]` and `filter[key]` are none: these words are secret as whole names only.
    let inner = inner.map(Letters::of);
    let mut names = LAST_TWO_OF_PARAMETERS.names_like(&name);
    names.any(|(secret, whole)| (whole || inner.is_none()) && name.is_like(secret, whole))
        || inner.is_some_and(|inner| KEYS.iter().any(|secret| inner.known() == secret.as_bytes()))
}

/// Whether a parameter may be secret, if its value looks so: a code of an exchange or of a function, some
/// token (others lead to the next page), a session.
pub fn may_be_secret(name: &str) -> bool {
    let name = Letters::of(name);
    matches!(name.known(), b"code" | b"pass" | b"sid" | b"session")
        || name.end_like("token") && !name.end_like("pagetoken")
}

/// Letters of a name that are compared: more than any secret name has.
const LETTERS_MOST: usize = 40;

/// The last letters and digits of a name, small, at the end of their place: names are alike whatever their
/// case and what stands between.
struct Letters {
    place: [u8; LETTERS_MOST],
    begin: usize,
}

impl Letters {
    fn of(name: &str) -> Self {
        let (mut place, mut begin) = ([0; LETTERS_MOST], LETTERS_MOST);
        let letters = name.bytes().rev().filter(u8::is_ascii_alphanumeric);
        for (room, letter) in place.iter_mut().rev().zip(letters) {
            *room = letter.to_ascii_lowercase();
            begin -= 1;
        }
        Self { place, begin }
    }

    fn known(&self) -> &[u8] {
        self.place.get(self.begin..).unwrap_or_default()
    }

    fn end_like(&self, ending: &str) -> bool {
        self.known().ends_with(ending.as_bytes())
    }

    /// Whether it is a name, or as `whole` says ends with it.
    fn is_like(&self, name: &str, whole: bool) -> bool {
        self.end_like(name) && (!whole || self.known().len() == name.len())
    }
}
