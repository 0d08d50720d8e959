//! What is masked, and what is not.

use serde_json::{Value, json};

use super::addresses::mask_address;
use super::*;

#[test]
fn values_and_text_are_masked_alike() {
    let raw = r#"{"a": 1, "requested_auth_configs": {"c1": {"secret": "s3", "n": [1, null]}}, "b": "x"}"#;
    let masked = mask_json(raw, false);
    assert_eq!(
        masked,
        format!(
            r#"{{"a": 1, "requested_auth_configs": {{"c1": {{"secret": "{MASK}", "n": ["{MASK}", null]}}}}, "b": "x"}}"#
        )
    );
    let mut value = JsonText::from(serde_json::from_str::<Value>(raw).unwrap());
    assert!(mask_value(&mut value));
    assert_eq!(value.value(), serde_json::from_str::<Value>(&masked).unwrap());
    assert!(matches!(mask_json(r#"{"a": "requested"}"#, false), Cow::Borrowed(_)));
}

#[test]
fn backslashes_before_a_host_are_slashes() {
    for slashes in [r"\\\\", r"/\\", r"\\/"] {
        let raw = format!(r#"{{"uri": "HTTPS:{slashes}u:Zq7Xw9Lk2Mn4@x.example/q"}}"#);
        assert_eq!(mask_json(&raw, false), raw.replace("Zq7Xw9Lk2Mn4", "masked"));
    }
    let path = r#"{"at": "C:\\Users\\u: see @example"}"#;
    assert_eq!(mask_json(path, false), path);
}

#[test]
fn a_message_that_is_json_is_masked_as_one_with_words_before_it() {
    let inner = r#"{"token": "Zqpftp55nfdsubX1494Vw8Lm"}"#;
    assert_eq!(mask_message(inner), r#"{"token": "masked"}"#);
    assert_eq!(mask_message(&format!("said {inner}")), r#"said {"token": "masked"}"#);
    let says_little = r#"{"token": "expired", "tokens": 1200, "key": "name"}"#;
    assert_eq!(mask_message(says_little), says_little);
}

#[test]
fn a_key_is_found_however_it_is_spelled_and_wherever_it_stands() {
    for raw in [
        r#"{"a\u0075thConfig": "S3"}"#,
        r#"{"auth-config": ["S3"]}"#,
        r#"{"apiAuth": {"apiKeyConfig": {"apiKeyString": "S3"}}}"#,
        r#"{"api_key_string": "S3"}"#,
        r#"{"SecretString": "S3"}"#,
        r#"{"x-vercel-protection-bypass": "S3"}"#,
        r#"{"SAMLResponse": "S3"}"#,
        r#"{"environ": {"HTTP_COOKIE": "S3", "HTTP_AUTHORIZATION": "S3"}}"#,
        r#"{"http.request.header.cookie": ["S3"], "http.request.header.authorization": "S3"}"#,
        r#"{"http.response.header.set_cookie": "S3", "x-amzn-remapped-authorization": "S3"}"#,
        r#"{"ParameterKey": "DBPassword", "ParameterValue": "S3"}"#,
        r#"{"parameter_name": "db_password", "parameter_value": "S3"}"#,
        r#"[{"OptionName": "DB_PASSWORD", "Value": "S3"}, {"variable": "API_KEY", "value": "S3"}]"#,
        r#"{"stdout": "\u001b[35mapp.env\u001b[m:\u001b[01;31m\u001b[KOPENAI_API_KEY\u001b[m\u001b[K=S3"}"#,
        r#"{"x": "{\"AuthConfig\": {\"y\": \"S3\"}}"}"#,
        r#"{"url": "https:\/\/u:S3@e.example\/?key=S3"}"#,
        r#"{"headers": {"Authorization": "Bearer S3"}}"#,
        r#"{"session_tokens": ["S3"], "privateKeys": "S3"}"#,
        r#"{"api_key_old": "S3", "client-secret-Previous": "S3", "API_KEY_NEW_2": "S3"}"#,
        r#"{"apiKeyOld": "S3", "ClientSecretNew2": "S3", "OPENAI_API_KEY_PROD": "S3", "passwordStaging": "S3"}"#,
        r#"{"cf-aig-authorization": "S3", "psk": "S3", "wifi": {"pre_shared_key": "S3", "WPA-PSK": "S3"}}"#,
        r#"{"Passwort": "S3", "contraseña": "S3", "mot_de_passe": "S3"}"#,
        r#"{"note": "x, API_KEY_OLD=S3 y. Contraseña: S3 no es correcta"}"#,
        r#"{"sql": "CREATE USER bob IDENTIFIED BY 'S3'", "url": "jdbc:oracle:thin:scott/S3@//h:1521/x"}"#,
        r#"{"state": {"temp:adk_oauth2_1": {"x": "S3"}, "app:token": "S3"}}"#,
        r#"{"temp:adkOauth2Abc": "S3"}"#,
    ] {
        let masked = mask_json(raw, false);
        assert!(!masked.contains("S3") && masked.contains("masked"), "{masked}");
        let mut value = JsonText::from(serde_json::from_str::<Value>(raw).unwrap());
        assert!(mask_value(&mut value));
        assert_eq!(value.value(), serde_json::from_str::<Value>(&masked).unwrap());
        assert!(!mask_value(&mut value.clone()) || value.to_string().contains(MASK), "masked once");
    }
    // A token of a language model, and keys that only sound like it.
    let harmless = r#"{"token": "Hello", "tokens": 3, "keyboard": "x", "author": "A", "nextPageToken": "n", "userTokens": 3, "threshold": 4}"#;
    assert_eq!(mask_json(harmless, false), harmless);
}

/// A key that is a path has one sign before it; a million of them took a path each.
#[test]
fn a_key_may_be_a_path_and_may_only_look_like_one() {
    for (key, secret) in [
        ("$.headers.Authorization", true),
        ("$$.api_key", true),
        ("$.a[0][\"api key\"]", true),
        ("$.passwordOld", true),
        ("$.response.apiKeyBackup", true),
        ("$.a.titleOld", false),
        ("$.a.title", false),
        ("$", false),
    ] {
        assert_eq!(is_secret(key), secret, "{key}");
    }
    assert!(!is_secret(&"$".repeat(1_000_000)));
    assert!(!is_secret(&"$.".repeat(100_000)));
}

#[test]
fn all_of_a_value_is_masked_and_no_word_of_a_title() {
    for (text, masked) in [
        (r"{'password': 'a1\'b2'} failed", r"{'password': 'masked'} failed"),
        (r#"password="a1\"b2" failed"#, r#"password="masked" failed"#),
        ("password=a1,b2 failed", "password=masked failed"),
        ("password=a1, user=b", "password=masked, user=b"),
        ("password=a1,user=b", "password=masked,user=b"),
        ("postgres://u:a1/b2@db/x", "postgres://u:masked@db/x"),
        ("http://h:8080/a@b", "http://h:8080/a@b"),
        ("https://a.org,https://u:a1@x.org/?key=b2", "https://a.org,https://u:masked@x.org/?key=masked"),
        ("{'password': b'a1', 'x': 2}", "{'password': b'masked', 'x': 2}"),
        ("{'x-api-key': ['a1', 'b2'], 'x': 2}", "{'x-api-key': masked, 'x': 2}"),
        ("{'password': {'v': 'a]1'}} failed", "{'password': masked} failed"),
        ("[('password', 'a1'), ('user', 'b')]", "[('password', 'masked'), ('user', 'b')]"),
        ("**password:** a1 failed", "**password:** masked failed"),
        ("`password`: `a1` failed", "`password`: `masked` failed"),
        ("config[\"password\"] = \"a1 b2\"", "config[\"password\"] = \"masked\""),
        ("$x['api_key']='a1';", "$x['api_key']='masked';"),
        ("password: !!str a1b2", "password: !!str masked"),
        ("password: !!str \"a1 b2\"", "password: !!str \"masked\""),
        ("password=hun\"ter2'a b", "password=masked b"),
        (r#"{\"temp:adk_o-1\": \"a1\", \"x\": \"b\"}"#, r#"{\"temp:adk_o-1\": \"masked\", \"x\": \"b\"}"#),
        (r#"{\"temp:adk_o\": {\"y\": [\"a1\"]}}, b"#, r#"{\"temp:adk_o\": masked}, b"#),
        ("<x:password a=\"b\">a1 b2</x:password>", "<x:password a=\"b\">masked</x:password>"),
        ("<password>\n a1\n</password> and <b>x</b>", "<password>\n masked\n</password> and <b>x</b>"),
        ("get(url, auth=('a', \"b1\"), x=1)", "get(url, auth=masked, x=1)"),
        ("get(url, auth=(\"a\", 'b1'))", "get(url, auth=masked)"),
        ("from https://u:a1", "from https://u:masked"),
        ("at http://h:8080", "at http://h:8080"),
        ("at http://h:8080.", "at http://h:8080."),
        ("(at 'http://h:8080')", "(at 'http://h:8080')"),
        ("a chat://thread:a1 b", "a chat://thread:a1 b"),
        ("Set <api_key> in the header of each", "Set <api_key> in the header of each"),
        ("an open <api_key>a1", "an open <api_key>masked"),
        ("at http://[::1]:8080", "at http://[::1]:8080"),
        ("x='password=a1' y", "x='password=masked' y"),
        ("GET /v1/models?key= HTTP/1.1", "GET /v1/models?key= HTTP/1.1"),
        ("it needs Bearer authentication now", "it needs Bearer authentication now"),
        ("The Secret: A Novel of 1998", "The Secret: A Novel of 1998"),
        ("Cookie: a history", "Cookie: a history"),
        ("Basic Instinct 1992, Basic dXNlcjpwYXNz", "Basic Instinct 1992, Basic masked"),
    ] {
        assert_eq!(mask_message(text), masked);
    }
}

#[test]
fn a_value_ends_where_its_text_goes_on() {
    for (text, masked) in [
        ("called with 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 now", "called with masked now"),
        ("called with AIzaSyabcdefghijklmnopqrstuvwxyzabcdefg now", "called with masked now"),
        ("DB_PASSWORD=k7)Rm2vQ9xT npm start", "DB_PASSWORD=masked npm start"),
        ("Server=db;Password=k7)R]m2v}#Q9xT;Database=x", "Server=db;Password=masked;Database=x"),
        ("run --password k7&Rm2vQ9xT now", "run --password masked now"),
        ("password=]L=znc*K5A", "password=masked"),
        ("password=dV2d}{?6Q9iz and password=a1]?X", "password=masked and password=masked"),
        (
            "f(password=a1) failed, {password: a1}, [password=a1]: x",
            "f(password=masked) failed, {password: masked}, [password=masked]: x",
        ),
        (
            "password=a1&user=b and password=a1&amp;user=b and password=a1&quot;",
            "password=masked&user=b and password=masked&amp;user=b and password=masked&quot;",
        ),
        (
            "password=a1 && run, password=a1& (password=a1).",
            "password=masked && run, password=masked& (password=masked).",
        ),
    ] {
        assert_eq!(mask_message(text), masked);
    }
}

#[test]
fn a_header_is_masked_however_json_has_it() {
    for (json, masked) in [
        (r#"["Authorization", "Bearer", "a1"]"#, json!(["Authorization", "Bearer", MASK])),
        (r#"["--password", ["a1"]]"#, json!(["--password", [MASK]])),
        (
            r#"{"name": "Authorization", "values": ["a1"]}"#,
            json!({"name": "Authorization", "values": [MASK]}),
        ),
        (
            r#"{"header_name": "Cookie", "headerValue": "a1"}"#,
            json!({"header_name": "Cookie", "headerValue": MASK}),
        ),
        (r#"[{"k": "Authorization", "v": "a1"}]"#, json!([{"k": "Authorization", "v": MASK}])),
        (r#"{"id": "password", "value": "a1"}"#, json!({"id": "password", "value": MASK})),
        (r#"{"id": "colour", "value": "red"}"#, json!({"id": "colour", "value": "red"})),
        (
            r#"{"loc": ["body", "password"], "input": "a1"}"#,
            json!({"loc": ["body", "password"], "input": MASK}),
        ),
        (r#"{"loc": ["body", "city"], "input": "a1"}"#, json!({"loc": ["body", "city"], "input": "a1"})),
        // What a tool is given that resets one is no password.
        (
            r#"{"name": "reset_password", "input": {"user": "bob"}}"#,
            json!({"name": "reset_password", "input": {"user": "bob"}}),
        ),
    ] {
        let mut value = JsonText::from(serde_json::from_str::<Value>(json).unwrap());
        mask_value(&mut value);
        assert_eq!(value.value(), masked);
        assert_eq!(serde_json::from_str::<Value>(&mask_json(json, false)).unwrap(), masked);
    }
}

#[test]
fn messages_lose_what_they_quote() {
    assert_eq!(
        mask_message(
            "POST https://u:p@h/x?key=a failed: Authorization: Bearer ya29.SECRET, api_key=b {\"apiKey\":\"c\"} Bearer abcdefgh"
        ),
        "POST https://u:masked@h/x?key=masked failed: Authorization: Bearer masked, api_key=masked {\"apiKey\":\"masked\"} Bearer masked"
    );
    for text in [
        "Error: it failed",
        "key: value",
        "Basic things",
        "token count=3",
        "https://a.example/b: not found",
        "run it with --key-file x --pass-through y",
    ] {
        assert_eq!(mask_message(text), text);
    }
    assert_eq!(
        mask_message("curl --password hunter2 --api-key 'a b' --header x"),
        "curl --password masked --api-key 'masked' --header x"
    );
    let mut headers = JsonText::new(
        r#"[{"name": "Authorization", "value": "x"}, {"key": "x-api-key", "value": "y"}, {"name": "n", "value": "z"}, "Authorization: Bearer q", {"dbPassword": "p"}]"#,
    );
    assert!(mask_value(&mut headers));
    let expected = format!(
        r#"[{{"name": "Authorization", "value": "{MASK}"}}, {{"key": "x-api-key", "value": "{MASK}"}}, {{"name": "n", "value": "z"}}, "Authorization: Bearer masked", {{"dbPassword": "{MASK}"}}]"#
    );
    assert_eq!(headers.to_string(), expected);
}

#[test]
fn json_within_a_message_is_masked_by_its_shape() {
    for (text, masked) in [
        (r#"bad [["X-Api-Key", "S3"]], retry"#, r#"bad [["X-Api-Key", "M"]], retry"#),
        (
            r#"sent {"header": "Authorization", "content": "S3"}"#,
            r#"sent {"header": "Authorization", "content": "M"}"#,
        ),
        (
            r#"ran ["curl", "--password", "S3", "-v"] and failed"#,
            r#"ran ["curl", "--password", "M", "-v"] and failed"#,
        ),
        (r#"["Accept", "x", "Authorization", "S3"]"#, r#"["Accept", "x", "Authorization", "M"]"#),
        ("Incorrect API key provided: S3. See", "Incorrect API key provided: masked See"),
        ("GH_TOKEN=S3 make", "GH_TOKEN=masked make"),
        ("see [1] and [\"a\", \"b\"], {\"n\": 1}", "see [1] and [\"a\", \"b\"], {\"n\": 1}"),
        ("the document provided: it", "the document provided: it"),
    ] {
        assert_eq!(mask_message(text), masked.replace('M', MASK), "{text}");
    }
    let mut value = JsonText::from(json!({"command": ["mysql", "--password", "S3", "db"]}));
    assert!(mask_value(&mut value));
    assert_eq!(value.value()["command"][2], MASK);
}

#[test]
fn addresses_lose_passwords_and_keys_and_nothing_else() {
    let masked = |text| mask_addresses(text).into_owned();
    assert_eq!(
        masked("see https://u:p@w@e.example/a?x=1&key=abc&api_key=d#access_token=e&y=2 or ftp://h/?token=f"),
        "see https://u:masked@e.example/a?x=1&key=masked&api_key=masked#access_token=masked&y=2 or \
         ftp://h/?token=masked"
    );
    for text in ["https://e.example/a:b@c?monkey=1&key=", "no://", "a?key=b", "https://user@e.example"] {
        assert_eq!(masked(text), text);
    }
    assert_eq!(
        masked("clone https://ghp_0123456789abcdef@code.example/a.git or https://someone@code.example"),
        "clone https://masked@code.example/a.git or https://someone@code.example"
    );
    let once = masked("https://u:p@e.example/?sig=1");
    assert_eq!(masked(&once), once);
}

/// Programs that refuse such an address tell it as it is.
#[test]
fn a_password_may_hold_signs_that_end_addresses() {
    for sign in ['#', '?', '\\', '<', '>', '"', '\'', '/'] {
        let text =
            format!("cannot parse postgres://app:p{sign}S3@db.internal:5432/prod, https://u:{sign}S3@h/");
        let masked = "cannot parse postgres://app:masked@db.internal:5432/prod, https://u:masked@h/";
        // A host may have no number of a port behind its colon.
        let masked = if sign == '/' { masked.replace("u:masked", "u:/S3") } else { masked.to_owned() };
        assert_eq!(mask_addresses(&text), masked);
        assert_eq!(
            mask_address(&format!("https://bob:p{sign}S3@wiki.example/x")),
            "https://bob:masked@wiki.example/x"
        );
    }
    assert_eq!(mask_addresses("redis://default:a?S3@@cache:6379/0"), "redis://default:masked@cache:6379/0");
    for text in [
        "http://localhost:3000?mail=a@b.example and http://localhost:3000/#/users/@me",
        r#"["redis://cache:6379","ops@b.example"]"#,
        "see https://h.example/?q=a:b#c@d and https://h.example#a:b@c",
        "see redis://a:b and https://c.example/@d",
    ] {
        assert_eq!(mask_addresses(text), text);
    }
}

#[test]
fn nothing_that_is_wrong_in_a_json_lets_a_credential_through() {
    let lone = "\\ud83d";
    for raw in [
        format!(r#"{{"a{lone}": 1, "authorization": "SEKRET"}}"#),
        format!(r#"{{"api_key{lone}": "SEKRET"}}"#),
        format!(r#"{{"link": "https://h/?api_key=SEKRET&x={lone}"}}"#),
        format!(r#"{{"hdr": "Authorization: Bearer SEKRET1234567 {lone}"}}"#),
        format!(r#"{{"args": "{{\"api_key\":\"SEKRET\",\"x\":\"{lone}\"}}"}}"#),
        r#"{"a": "https://h/?api_key=SEKRET"#.to_owned(),
        r#"{"a": "{\"api_key\": \"SEKRET"#.to_owned(),
        r#"{"a": 1 "authorization": "SEKRET"}"#.to_owned(),
        r#"{"headers": [{"name": "X-Api-Key", "value": "SEKRET"}]}"#.to_owned(),
        r#"{"headers": [{"value": "SEKRET", "key": "X-Api-Key"}]}"#.to_owned(),
        r#"{"headers": [["Authorization", "SEKRET"]]}"#.to_owned(),
        r#"{"aws_secret_access_key": "SEKRET", "my_github_token": "SEKRET", "AWS_SESSION_TOKEN": "SEKRET"}"#
            .to_owned(),
        r#"{"said": "password : SEKRET, password=\"SEKRET with SEKRET\""}"#.to_owned(),
    ] {
        let masked = mask_json(&raw, false);
        assert!(!masked.contains("SEKRET") && masked.contains("masked"), "{raw} became {masked}");
    }
    for kept in [r#"{"nextPageToken": "abc", "value": [1, "b"], "name": "x"}"#, r#"["name", "value"]"#] {
        assert_eq!(mask_json(kept, false), kept);
    }
}

#[test]
fn a_password_behind_a_user_is_masked_in_commands_that_fetch_only() {
    for (text, masked) in [
        ("curl -u admin:hun,ter2 https://a.example", "curl -u admin:masked https://a.example"),
        ("/usr/bin/curl -s --user=a:b x", "/usr/bin/curl -s --user=a:masked x"),
        ("wget --proxy-user \"p:q r\" x", "wget --proxy-user \"p:masked\" x"),
        ("curl -uadmin:hun,ter2 https://a.example", "curl -uadmin:masked https://a.example"),
        ("curl -ku admin:hun2 https://a.example", "curl -ku admin:masked https://a.example"),
        ("curl -sSLuadmin:hun2 https://a.example", "curl -sSLuadmin:masked https://a.example"),
        ("curl -x p:80 -U proxy:hun2 https://a.example", "curl -x p:80 -U proxy:masked https://a.example"),
        ("curl -u\tadmin:hun2 https://a.example", "curl -u\tadmin:masked https://a.example"),
        ("curl --oauth2-bearer hun2 https://a.example", "curl --oauth2-bearer masked https://a.example"),
        ("kubectl --token=hun2 get pods --token hun2", "kubectl --token=masked get pods --token masked"),
    ] {
        assert_eq!(mask_message(text), masked);
    }
    for harmless in [
        "docker run -u 1000:1000 curlimages/curl",
        "sort -u a:b | curl x",
        "the word: curl, then `ls -u file.txt:12`",
        "curl -u admin https://a.example",
        "curl -uadmin https://a.example:80",
        "ls -uabc:d",
        "curl -su admin https://a.example",
        "curl -o u:b https://a.example",
        "curl --url https://a.example:80",
    ] {
        assert_eq!(mask_message(harmless), harmless);
    }
}

#[test]
fn what_stands_behind_any_scheme_of_a_header_is_masked() {
    for (text, masked) in [
        ("Authorization: Token S3cretS3cret", "Authorization: masked"),
        ("sent Authorization: ApiKey S3cret and more", "sent Authorization: masked and more"),
        (
            "Authorization: Digest username=\"a\", response=\"S3cret\"\nHost: b",
            "Authorization: masked\nHost: b",
        ),
        ("-H \"Authorization: SSWS S3cret\" -v", "-H \"Authorization: masked\" -v"),
        ("Authorization: Bearer S3cret and more", "Authorization: Bearer masked and more"),
        ("Authorization:\tBearer\tS3cret and more", "Authorization:\tBearer\tmasked and more"),
        ("Authorization:\u{A0}Token\u{A0}S3cret", "Authorization:\u{A0}masked"),
        ("Authorization:\r\n Bearer S3cret", "Authorization:\r\n Bearer masked"),
        ("Authorization: S3cretS3cretS3cretS3cretS3cret and more", "Authorization: masked and more"),
    ] {
        assert_eq!(mask_message(text), masked);
    }
}

#[test]
fn what_stands_behind_longer_signs_and_on_the_next_line_is_masked() {
    for (text, masked) in [
        ("'password' => 'S3', 'a' => 'b'", "'password' => 'masked', 'a' => 'b'"),
        ("api_key := \"S3\"", "api_key := \"masked\""),
        ("if api_key == 'S3' then", "if api_key == 'masked' then"),
        ("api_key=\nS3 and more", "api_key=\nmasked and more"),
        ("password:\n  S3\nmore", "password:\n  masked\nmore"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAS3\nS3==\n-----END RSA PRIVATE KEY----- and more",
            "-----BEGIN RSA PRIVATE KEY-----masked-----END RSA PRIVATE KEY----- and more",
        ),
    ] {
        assert_eq!(mask_message(text), masked);
    }
    for (text, masked) in [
        ("Invalid API key: S3cret", "Invalid API key: masked"),
        ("access token: S3, secret key=S3", "access token: masked, secret key=masked"),
        ("GET /v1/models?key=S3&a=1 failed", "GET /v1/models?key=masked&a=1 failed"),
        ("/blob?sv=2020&sig=S3%3D", "/blob?sv=2020&sig=masked"),
    ] {
        assert_eq!(mask_message(text), masked);
    }
    for harmless in ["Forgot the password:\nclick here", "primary key: 3", "the token: 5"] {
        assert_eq!(mask_message(harmless), harmless);
    }
}

#[test]
fn what_only_begins_like_a_credential_stays() {
    for text in [
        "API_KEY=\nDEBUG=true",
        "ASIA-Pacific-Economic-Outlook-2024",
        "ASIA_2023_annual_report.pdf",
        "sk-container-id-1.sk-top-container",
        "https://a.example/sk-2024-annual-report-final",
        "-----BEGIN PRIVATE KEY----- what does this header mean",
        "wget -U \"Mozilla/5.0 (X11; rv:109.0)\" x",
    ] {
        assert_eq!(mask_message(text), text);
    }
    let run = "api_key=".repeat(100_000);
    assert_eq!(mask_output(&run), run);
    for query in
        ["best cookies: chocolate chip recipe", "The Secret: Dare to Dream cast", "gmail password: forgot"]
    {
        assert_eq!(mask_output(query), query);
        assert_eq!(mask_query(query), query);
    }
}

#[test]
fn a_token_near_its_name_is_masked_in_a_query_and_no_word_of_a_document() {
    let (token, told) = ("the password is hT7kQ2mZx9LpV4wR8sYd", "the password is masked");
    assert_eq!(
        (mask_query(token), mask_message(token), mask_output(token)),
        (told.into(), told.into(), token.into())
    );
}

#[test]
fn of_what_a_tool_gave_back_only_what_looks_like_a_credential_is_masked() {
    assert_eq!(
        mask_output("Authorization: Bearer S3cretS3 password: must be long, api_key=S3cret"),
        "Authorization: Bearer masked password: must be long, api_key=masked"
    );
    for (text, masked) in [
        (r"x('a\nBearer Zq7Xv9Kp3Lm5')", r"x('a\nBearer masked')"),
        (r"os.system('a\r\n--api-key Zq7Xv9Kp3Lm5')", r"os.system('a\r\n--api-key masked')"),
        ("x('中文Bearer Zq7Xv9Kp3Lm5')", "x('中文Bearer masked')"),
    ] {
        assert_eq!(mask_output(text), masked);
    }
}

#[test]
fn addresses_are_masked_with_escaped_slashes_and_lose_nothing_else() {
    for (text, masked) in [
        ("at https:\\/\\/host\\/path?key=S3&a=1", "at https:\\/\\/host\\/path?key=masked&a=1"),
        ("https:\\/\\/u:S3@host\\/p?key=S3", "https:\\/\\/u:masked@host\\/p?key=masked"),
        ("at https:/u:S3@host/p and C:/u:a@b", "at https:/u:masked@host/p and C:/u:a@b"),
        (
            "https://h/p?private_token=S3&app_key=S3&job_token=S3",
            "https://h/p?private_token=masked&app_key=masked&job_token=masked",
        ),
        (
            "https://h/p;jsessionid=S3?a=1&x-token=S3cretS3cretS3cret",
            "https://h/p;jsessionid=masked?a=1&x-token=masked",
        ),
        ("https://h/f?code=S3cretS3cretS3cret==&a=1", "https://h/f?code=masked&a=1"),
        (
            "https://h/?user[password]=S3&x%5Bapi_key%5D=S3",
            "https://h/?user[password]=masked&x%5Bapi_key%5D=masked",
        ),
    ] {
        assert_eq!(mask_addresses(text), masked);
    }
    let harmless = "https://h/?filter[key]=name&page[token]=3&sort[signature]=x&code=EUR&pageToken=3&inputToken=ETH&sid=24/01/01/1234;v=1";
    assert_eq!(mask_addresses(harmless), harmless);
}

#[test]
fn a_field_that_is_an_address_is_masked_whatever_stands_in_it() {
    for (address, masked) in [
        (
            "https://h.example/Annual Report.pdf?sv=1&sig=abc",
            "https://h.example/Annual Report.pdf?sv=1&sig=masked",
        ),
        ("https://u :abc@h.example/", "https://u :masked@h.example/"),
        ("/d e.pdf?token=abc&q=1", "/d e.pdf?token=masked&q=1"),
        ("a.example/x?next=//b&sig=abc", "a.example/x?next=//b&sig=masked"),
        ("user:abc@a.example/x", "user:masked@a.example/x"),
        // Some code hosts take a token for a user.
        ("https://7f3c9a1b2d4e5f60718293a4:x-oauth-basic@h.example/x", "https://masked:masked@h.example/x"),
        ("https://7f3c9a1b2d4e5f60718293a4:@h.example/x", "https://masked:@h.example/x"),
        // It was cut off.
        ("https://user:S3cretS3", "https://user:masked"),
        ("mailto:a@b.example?password=abc", "mailto:a@b.example?password=masked"),
    ] {
        assert_eq!(mask_address(address), masked);
        assert!(matches!(mask_address(masked), Cow::Borrowed(_)), "{masked}");
    }
    for address in ["mailto:a@b.example", "urn:isbn:0@1", "https://h.example:80/a@b", "gs://b/a b.pdf"] {
        assert!(matches!(mask_address(address), Cow::Borrowed(_)), "{address}");
    }
}

#[test]
fn a_text_that_begins_with_a_scheme_is_an_address_to_the_end_of_its_line() {
    for (text, masked) in [
        ("https://h.example/Annual Report.pdf?sig=abc", "https://h.example/Annual Report.pdf?sig=masked"),
        ("https://u ser:abc@h.example/", "https://u ser:masked@h.example/"),
    ] {
        assert_eq!(mask_addresses(text), masked);
        assert_eq!(mask_json(&format!("[{text:?}]"), false), format!("[{masked:?}]"));
    }
    for text in ["https://h.example/a and b:c@d", "see https://h.example/ or b;token=c", "://a b;token=c"] {
        assert!(matches!(mask_addresses(text), Cow::Borrowed(_)), "{text}");
    }
}

/// Readers of code lost its types, and a thought that begins with an address all of it.
#[test]
fn types_and_a_sentence_behind_an_address_are_no_credentials() {
    for text in [
        "def check(password: str) -> bool:",
        "interface User { password: string; token?: any }",
        "connect(password=None, user=3)",
    ] {
        assert_eq!(mask_message(text), text);
    }
    for (text, masked) in [
        (
            "https://a.example/?key=abc says that the tower is 41 metres high",
            "https://a.example/?key=masked says that the tower is 41 metres high",
        ),
        ("https://a.example/?key=abc def", "https://a.example/?key=masked"),
        ("https://a.example/?key=abc d e f&x=1", "https://a.example/?key=masked&x=1"),
    ] {
        assert_eq!(mask_message(text), masked);
    }
}

/// What stands drawn in below a name was taken for a name and a value of its own where it has an equals sign.
#[test]
fn a_value_in_the_next_line_may_end_as_base64_does() {
    for (text, masked) in [
        ("password:\n  aHVudGVyMg==", "password:\n  masked"),
        ("\"api_key\":\n  \"aHVudGVyMg==\"", "\"api_key\":\n  \"masked\""),
        ("const accountKey =\n  \"abc2=\";", "const accountKey =\n  \"masked\";"),
        ("Client(\n  api_key=\n    \"abc2=\",\n)", "Client(\n  api_key=\n    \"masked\",\n)"),
        ("password: |\n  a=b\n", "password: |\n  masked\n"),
        ("-Secret key: \"abc\"", "-Secret key: \"masked\""),
        ("-password for bob@h: abc1", "-password for bob@h: masked"),
        ("-password += abc", "-password += masked"),
        ("PWD=/home/bob/src", "PWD=/home/bob/src"),
        ("pwd: /home/bob/src", "pwd: /home/bob/src"),
        ("pwd: abc", "pwd: masked"),
    ] {
        assert_eq!(mask_message(text), masked);
    }
}

/// The quote behind the scheme was taken for the one that opens a value.
#[test]
fn what_a_scheme_is_joined_to_is_masked() {
    for (text, masked) in [
        (
            "x.setRequestHeader(\"Authorization\", \"Basic \" + btoa(\"bob:abc\"));",
            "x.setRequestHeader(\"Authorization\", \"masked\" + btoa(\"masked\"));",
        ),
        ("auth = 'Basic ' + btoa('bob:abc')\nshow('d')", "auth = 'Basic ' + btoa('masked')\nshow('d')"),
        (
            "const a = \"Bearer \" + getToken(\"abc1\"); show(\"first floor\");",
            "const a = \"Bearer \" + getToken(\"masked\"); show(\"first floor\");",
        ),
        ("x = \"Basic \" . base64_encode(\"bob:abc\")", "x = \"Basic \" . base64_encode(\"masked\")"),
        ("const a = `Basic ${btoa('bob:abc')}`;", "const a = `Basic ${btoa('masked')}`;"),
        ("The \"Basic \" + \"premium\" plans", "The \"Basic \" + \"premium\" plans"),
        ("a = \"Basic \" + plan; b = \"and\"", "a = \"Basic \" + plan; b = \"and\""),
    ] {
        assert_eq!(mask_message(text), masked);
    }
}
