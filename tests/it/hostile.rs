//! What responses, file names and templates of strangers try, and what comes of it: the promises of
//! SECURITY.md.

use std::fs;

use citescope::tui::state::Overlay;
use serde_json::json;

use crate::common::library::open;
use crate::common::program::{program, run, texts};
use crate::common::screen;
use crate::common::secrets::{ANSWERED, called, event, secrets};

#[test]
fn all_of_a_frame_is_masked_on_the_screen() {
    let cut = [
        r#""args": "{\"api_key\": \"S3CR3T"#.to_owned(),
        r#""link": "https://h.example/?token=S3CR3T"#.to_owned(),
        format!(
            r#""pad": "{}", "link": "https://h.example/?api_key={}"#,
            "x".repeat(399_990),
            "S3CR3T".repeat(9)
        ),
    ];
    let cut = cut.map(|rest| format!("{ANSWERED}, {rest}"));
    for input in secrets().into_iter().chain(cut) {
        let mut state = screen::of(open("f", input.clone()));
        screen::press(&mut state, (120, 36), "6 r End");
        let shown = screen::screen(&state, 120, 36);
        assert!(shown.contains("Raw JSON") && !shown.contains("S3CR3T"), "{shown}");
        screen::press(&mut state, (120, 36), "Home");
        assert!(!screen::screen(&state, 120, 36).contains("S3CR3T"));
        screen::press(&mut state, (120, 36), "y r");
        let copied = screen::copied(&mut state);
        assert!(!copied.contains("S3CR3T"), "{}", &copied[copied.len().saturating_sub(300)..]);
    }
}

#[test]
fn no_command_prints_a_credential_unless_asked_for() {
    for input in secrets() {
        let (_, shown, _) = run(&["export", "--to", "json", "--show-secrets"], &input);
        assert!(shown.contains("S3CR3T"), "{shown}");
        for target in ["json", "jsonl", "html", "plain", "report", "ansi", "csv", "inline", "footnotes"] {
            let (_, out, errors) = run(&["export", "--to", target], &input);
            assert!(!out.contains("S3CR3T") && !errors.contains("S3CR3T"), "{target}: {out}");
        }
        let (_, masked, _) = run(&["export", "--to", "json"], &input);
        assert!(masked.contains("masked"), "{masked}");
        for format in ["text", "json", "sarif", "github"] {
            let (_, out, errors) = run(&["check", "--fail-on", "never", "--format", format], &input);
            assert!(!out.contains("S3CR3T") && !errors.contains("S3CR3T"), "{format}: {out}");
        }
    }
}

#[test]
fn what_is_masked_is_listed_once_and_all_else_stays() {
    let input = called(r#"{"apiKey": "S3CR3T", "q": "tea", "limit": 3}"#);
    let (_, out, _) = run(&["export", "--to", "json"], &input);
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    let response = &document["responses"][0];
    let arguments = r#"{"apiKey":"•••• (masked, --show-secrets shows it)","q":"tea","limit":3}"#;
    assert_eq!(response["traces"][0]["arguments"].to_string(), arguments);
    assert_eq!(response["extra"].to_string(), r#"{"$.timestamp":1.0}"#);
    // The answer is text for people, and offsets count in it.
    let quoted =
        r#"{"candidates": [{"content": {"parts": [{"text": "See https://u:pw@e.example/?key=abc."}]}}]}"#;
    let (_, plain, _) = run(&["export", "--to", "plain"], quoted);
    assert_eq!(plain, "See https://u:pw@e.example/?key=abc.\n");
}

#[test]
fn raw_json_is_masked_and_harmless_on_the_screen_and_where_it_is_copied() {
    let input =
        called("{\"a\\u0075thConfig\": {\"apiKey\": \"S3CR3T\"}, \"q\": \"x\u{202e}y\u{9b}z\u{7f}##[w\"}");
    let mut state = screen::of(open("f", input));
    let size = (120, 36);
    screen::press(&mut state, size, "4 Enter r");
    assert!(matches!(state.overlays.last(), Some((Overlay::Raw(_), _))));
    let shown = screen::screen(&state, size.0, size.1);
    assert!(shown.contains("masked") && !shown.contains("S3CR3T"), "{shown}");
    for keys in ["y r", "Esc y r"] {
        screen::press(&mut state, size, keys);
        let copied = screen::copied(&mut state);
        assert!(copied.contains("masked") && !copied.contains("S3CR3T"), "{keys}: {copied}");
        assert!(copied.contains(r"x\u202ey\u009bz\u007f#\u0023[w"), "{keys}: {copied}");
    }
}

#[test]
fn a_word_in_quotes_on_a_line_of_a_stream_that_is_no_json_is_masked() {
    let input = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]}}]}\n\ndata: 401 Unauthorized, x-api-key: \"QGwGtHPCgjpXYZ2n\"\n\n";
    for target in ["json", "jsonl"] {
        let (code, out, errors) = run(&["export", "--to", target], input);
        assert!(code == 2 && !out.contains("QGwGtH") && !errors.contains("QGwGtH"), "{out}{errors}");
        assert!(out.contains("masked"), "{out}");
        assert!(run(&["export", "--to", target, "--show-secrets"], input).1.contains("QGwGtH"), "{target}");
    }
}

#[test]
fn a_message_about_json_that_is_none_quotes_no_credential() {
    for input in [
        r#"{"candidates": [], "password": "Tr0ub4dor3xy"#,
        r#"{"password": Tr0ub4dor3xy, "candidates": []}"#,
        "{\"password\": \"Tr0ub4dor3xy\t\", \"candidates\": []}",
        r#"{"error": {"message": "Incorrect API key provided: Tr0ub4dor3xyTr0ub4dor3xy"#,
        r#"{"api_key": sk-proj-Tr0ub4dor3xyTr0ub4dor3xy, "candidates": []}"#,
        r#"{"error": {"message": "https://user:Tr0ub4dor3xy"#,
        "OPENAI_API_KEY=Tr0ub4dor3xy python x.py",
    ] {
        for args in [&["check"][..], &["check", "--format", "json"], &["check", "--each-line"], &["map"]] {
            let (code, out, errors) = run(args, &format!("{input}\n"));
            assert!(code > 0, "{args:?}: {input}");
            assert!(!out.contains("Tr0ub4") && !errors.contains("Tr0ub4"), "{args:?}: {out}{errors}");
        }
    }
    let (_, _, errors) = run(&["check"], r#"{"password": "Tr0ub4dor3xy", broken}"#);
    assert_eq!(errors, "citescope: stdin:1:30: not JSON: key must be a string near `broken}`\n");
}

#[test]
fn what_is_quoted_of_input_that_is_passed_over_or_mistyped_is_masked() {
    const KEY: &str = "Qh7KdZ9mW2xLp4Vt8Rb3Nc6J";
    let event =
        r#"data: {"candidates": [{"content": {"parts": [{"text": "Words."}]}, "finishReason": "STOP"}]}"#;
    for line in [
        format!("> Authorization: Bearer {KEY}"),
        format!("GET /v1/models?key={KEY} HTTP/1.1"),
        format!(r#"{{"level": "info", "Authorization": "Bearer {KEY}"}}"#),
        format!("proxy: https://user:{KEY}@h.example/"),
        // The rest of a credential, behind a line break.
        format!("{KEY}\"}}}}"),
    ] {
        let input = format!("{event}\n\n{line}: x\n\n");
        for args in [
            &["check"][..],
            &["check", "--format", "json"],
            &["check", "--format", "sarif"],
            &["export", "--to", "html"],
            &["export", "--to", "json"],
        ] {
            let (_, out, errors) = run(args, &input);
            assert!(!out.contains("Qh7Kd") && !errors.contains("Qh7Kd"), "{args:?}: {out}{errors}");
            assert!(args[0] == "export" || out.contains("neither an event field nor a comment"), "{out}");
        }
    }
    for line in [
        format!(r#"{{"id": 1, "claim": "x", "evidence": "https://h.example/a.pdf?X-Amz-Signature={KEY}"}}"#),
        format!(r#""{{\"id\": 1, \"api_key\": \"{KEY}\"}}""#),
    ] {
        let (code, out, errors) = run(&["score"], &line);
        assert_eq!(code, 2);
        assert!(!out.contains("Qh7Kd") && !errors.contains("Qh7Kd"), "{out}{errors}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let marks =
        path("a.review.jsonl", format!(r#"{{"id": "1.1:0-3", "label": "Authorization: Bearer {KEY}"}}"#));
    let texts = path(
        "texts.jsonl",
        format!(r#"{{"record": "https://h/x?access_token={KEY}", "index": 0, "text": "a"}}"#),
    );
    for args in [&["review", &marks][..], &["check", "--source-text", &texts, "samples/gemini-search.json"]] {
        let (code, out, errors) = run(args, "");
        assert_eq!(code, 2, "{args:?}: {errors}");
        assert!(!out.contains("Qh7Kd") && !errors.contains("Qh7Kd") && errors.contains("masked"), "{errors}");
    }
}

#[test]
fn a_message_is_one_line_whoever_wrote_it() {
    let error = r#"{"error": {"code": 400, "message": "bad\n::error file=x.py,line=1::pwned%0Aline\n::add-mask::abc\n\u001b]0;title\u0007\u202eevil", "status": "X"}}"#;
    let told = "citescope: stdin:1:1: the service answered with an error, not with a response: bad␊::error \
                file=x.py,line=1::pwned%0Aline␊::add-mask::abc␊␛]0;title␇<U+202E>evil (400, X)\n";
    for args in [&["fix"][..], &["export", "--to", "json"], &["check", "--format", "github"]] {
        let (code, _, errors) = run(args, error);
        assert_eq!((code, errors.as_str()), (2, told), "{args:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (name, template) = (path("a\n::error::b.json"), path("t\n::error::t.jinja"));
    fs::write(&name, "x").unwrap();
    fs::write(&template, "{{ nope.x }}").unwrap();
    let good = r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}}]}"#;
    for (args, input) in [
        (&["check", "--format", "github", &name][..], ""),
        (&["check", "missing\n::error::file.json"], ""),
        (&["export", "--template", &template], good),
        (&["export", "--to", "x\n::error::y"], good),
        (&["export", "--to=x\n::error::y"], good),
        (&["x\n::error::y\u{1b}[31m", "--nope"], ""),
        (&["export", "--to", "x\n::error::y\u{1b}[31m"], good),
        (&["check", "--a\n::add-mask::e\u{1b}[m.json"], ""),
    ] {
        let (code, out, errors) = run(args, input);
        assert_eq!(code, 2, "{errors}");
        let commands = |line: &&str| line.trim_start().starts_with("::") && !line.contains("citescope");
        assert_eq!(errors.lines().chain(out.lines()).find(commands), None, "{errors}{out}");
        assert!(!errors.contains('\u{1b}'), "{errors:?}");
    }
}

#[test]
fn an_error_of_the_service_quotes_no_credential() {
    let error = r#"{"error": {"code": 403, "message": "Requests to https://x/?key=S3CR3T with Authorization: Bearer S3CR3T12345 are blocked"}}"#;
    for command in [&["check"][..], &["export", "--to", "json"], &["fix"]] {
        let (_, out, errors) = run(command, error);
        assert!(
            errors.contains("masked") && !errors.contains("S3CR3T") && !out.contains("S3CR3T"),
            "{errors}{out}"
        );
    }
}

#[test]
fn counts_of_sites_are_json_that_steers_nothing() {
    let input = r#"{"candidates": [{"content": {"parts": [{"text": "Claim."}]}, "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://vertexaisearch.cloud.google.com/grounding-api-redirect/x", "title": "a\u2028b\u202ec\u009b"}}], "groundingSupports": [{"segment": {"endIndex": 6, "text": "Claim."}, "groundingChunkIndices": [0]}]}}]}"#;
    let (_, out, _) = run(&["check", "--summary", "--format", "json"], input);
    assert!(!out.contains(['\u{2028}', '\u{202e}', '\u{9b}']), "{out:?}");
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(summary.to_string().contains("a\u{2028}b"), "{summary}");
}

#[test]
fn no_more_than_twenty_refusals_of_a_kind_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<String> = (0..60).map(|n| format!("{}/{n}.json", folder.path().display())).collect();
    for file in &files {
        fs::write(file, r#"{"a": 1}"#).unwrap();
    }
    for command in ["check", "export"] {
        let mut args = vec![command];
        args.extend(if command == "export" { &["--to", "jsonl"][..] } else { &[] });
        args.extend(files.iter().map(String::as_str));
        let (code, _, errors) = run(&args, "");
        assert_eq!(code, 2);
        assert!(errors.lines().count() <= 22, "{command}: {errors}");
    }
    let (_, _, errors) = run(&["check"], &"{\"a\": 1}\n".repeat(300));
    assert_eq!(errors.lines().last().unwrap(), "citescope: … and 280 more inputs could not be read");
}

#[test]
fn no_cell_begins_a_formula_wherever_the_line_is_split() {
    let titles = ["a;=1+1", "b\t=1+1", "=1+1", "\t=1+1", "c;\"=1+1"];
    let chunks: Vec<_> = titles
        .iter()
        .map(|title| serde_json::json!({"web": {"uri": "https://e.example/1", "title": title}}))
        .collect();
    let input = serde_json::json!({"candidates": [{"content": {"parts": [{"text": "Claim."}]}, "groundingMetadata": {
        "groundingChunks": chunks,
        "groundingSupports": [{"segment": {"endIndex": 6, "text": "Claim."}, "groundingChunkIndices": [0, 1, 2, 3, 4]}]}}]});
    let (_, out, _) = run(&["export", "--to", "csv"], &input.to_string());
    assert_eq!(out.lines().count(), 6);
    for cell in out.split([',', ';', '\t', '\n', '"']) {
        assert!(!cell.starts_with(['=', '+', '-', '@']), "{cell}: {out}");
    }
}

#[test]
fn an_author_cannot_break_the_line_of_the_list() {
    let input = event("", "").replace("agent", r"a\u2028b\u2029c\u202ed\u001be");
    let mut state = screen::of(open("f", format!("[{input}, {input}]")));
    for keys in ["", "L", "Esc"] {
        screen::press(&mut state, (120, 36), keys);
        let shown = screen::screen(&state, 120, 36);
        assert!(!shown.contains(['\u{2028}', '\u{2029}', '\u{202e}', '\u{1b}']), "{shown:?}");
        assert!(shown.contains("a<U+2028>b<U+2029>c<U+202E>d␛e"), "{shown}");
    }
}

#[test]
fn a_browser_is_given_the_address_that_was_judged() {
    let input = r#"{"candidates": [{"content": {"parts": [{"text": "Claim."}]}, "groundingMetadata": {"groundingChunks": [{"web": {"uri": "ht\ntps://e.example/nl\n--help", "title": "t"}}], "groundingSupports": [{"segment": {"endIndex": 6, "text": "Claim."}, "groundingChunkIndices": [0]}]}}]}"#;
    let mut state = screen::of(open("f", input));
    screen::press(&mut state, (120, 36), "o");
    let Some((Overlay::Browse(address), _)) = state.overlays.last() else { panic!("{:?}", state.notice) };
    assert_eq!(address, "https://e.example/nl--help");
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_goes_does_not_make_a_failing_check_pass() {
    let bad = r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}, "groundingMetadata": {"groundingSupports": [{"segment": {"endIndex": 1}, "groundingChunkIndices": [7]}]}}]}"#;
    let good = r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "STOP"}]}"#;
    let shell = |lines: &str, args: &str| {
        let binary = program();
        let script = format!("{{ {binary} {args}; echo $? >&2; }} | head -c 1 >&2");
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("in.jsonl"), lines).unwrap();
        let mut shell = std::process::Command::new("sh");
        let (_, _, errors) = texts(shell.arg("-c").arg(script).current_dir(&folder).output().unwrap());
        errors.lines().last().unwrap().to_owned()
    };
    let many = |last: &str| format!("{}{last}\n", format!("{good}\n").repeat(20_000));
    for args in ["check --format jsonl in.jsonl", "check --each-line in.jsonl"] {
        assert!(shell(&many(bad), args).ends_with('1'), "{args}");
        assert!(shell(&many(good), args).ends_with('0'), "{args}");
        assert!(shell(&many("x"), args).ends_with('2'), "{args}");
    }
    for args in ["--help", "check --help", "rules", "man", "check in.jsonl", "completions zsh"] {
        let binary = program();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("in.jsonl"), bad).unwrap();
        let mut shell = std::process::Command::new("sh");
        let script = format!("{binary} {args} > /dev/full");
        let (code, _, errors) = texts(shell.arg("-c").arg(script).current_dir(&folder).output().unwrap());
        let told = "citescope: the output cannot be written: No space left on device (os error 28)\n";
        assert_eq!((code, errors.as_str()), (2, told), "{args}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_template_that_takes_too_much_ends_in_an_error() {
    let good = r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}}]}"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jinja");
    let render = |template: String| {
        fs::write(&file, template).unwrap();
        run(&["export", "--template", file.to_str().unwrap()], good)
    };
    let doubling = "{% set ns = namespace(s='x') %}{% for i in range(40) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s|length }}";
    let deep = "{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}";
    for template in [
        doubling.to_owned(),
        deep.to_owned(),
        "{{ answer|indent(4000000000) }}".to_owned(),
        format!("{{{{ {}true }}}}", "not ".repeat(100_000)),
        format!("{{{{ x{} }}}}", ".y".repeat(100_000)),
    ] {
        let (code, out, errors) = render(template.clone());
        assert_eq!((code, out.as_str()), (2, ""), "{errors}");
        let told = format!(
            "citescope: {}: the template needs more than 1024 MB of memory, or nests too deeply",
            file.display()
        );
        assert!(errors.starts_with(&told) && errors.lines().count() == 1, "{errors}");
    }
    assert_eq!(render("{{ answer }}".to_owned()), (0, "x".to_owned(), String::new()));
}

#[test]
fn what_is_told_of_an_address_of_the_answer_goes_into_logs_without_its_credentials() {
    let input = r#"{"candidates": [{"content": {"parts": [{"text": "See https://u:S3CR3T@h.example/?api_key=S3CR3T and ask."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://e.example", "title": "e"}}], "groundingSupports": [{"segment": {"startIndex": 48, "endIndex": 56, "text": "and ask."}, "groundingChunkIndices": [0]}]}}]}"#;
    for format in ["json", "jsonl", "sarif", "github"] {
        let (_, out, _) = run(&["check", "--fail-on", "never", "--format", format], input);
        assert!(out.contains("https://u:masked@h.example/?api_key=masked"), "{out}");
        assert!(!out.contains("S3CR3T"), "{out}");
    }
    // A refusal names keys, which may be anything.
    let (_, _, errors) = run(&["check"], r#"{"https://u:S3CR3T@h.example/?api_key=S3CR3T": 1}"#);
    assert!(errors.contains("u:masked@h.example") && !errors.contains("S3CR3T"), "{errors}");
}

#[test]
fn prose_is_no_credential() {
    let words = "a bearer instrument, the bearer certificate, a basic understanding, Secretly: yes";
    let input = called(&format!(r#"{{"said": "{words}", "tokens": 3, "isSecretary": true}}"#));
    let (_, out, _) = run(&["export", "--to", "json"], &input);
    assert!(out.contains(words) && !out.contains("masked"), "{out}");
}

fn sources(folder: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { sources(&path, out) } else { out.push(path) }
    }
}

#[test]
fn no_network_client_is_in_the_tree_and_no_socket_in_the_source() {
    let lock = include_str!("../../Cargo.lock");
    let clients = [
        "attohttpc",
        "curl",
        "h2",
        "h3",
        "hyper",
        "isahc",
        "native-tls",
        "openssl",
        "quinn",
        "reqwest",
        "rustls",
        "socket2",
        "surf",
        "tokio",
        "ureq",
        "hickory-resolver",
    ];
    for client in clients {
        assert!(!lock.contains(&format!("name = \"{client}\"")), "{client} is in Cargo.lock");
    }
    let mut files = Vec::new();
    sources(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut files);
    assert!(files.len() > 100);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("std::net") && !text.contains("TcpStream"), "{}", file.display());
    }
}

#[cfg(unix)]
#[test]
fn what_has_no_end_ends_in_an_error() {
    for args in [
        ["check", "/dev/zero"].as_slice(),
        &["check", "--each-line", "/dev/zero"],
        &["export", "--to", "inline", "/dev/zero"],
        &["export", "--to", "inline", "/dev/urandom"],
        &["fix", "/dev/zero"],
        &["fix", "/dev/urandom"],
        &["map", "--init", "/dev/zero"],
        &["score", "/dev/zero"],
    ] {
        let (code, _, errors) = run(args, "");
        assert!(code == 2 && errors.starts_with("citescope: /dev/"), "{args:?}: {code} {errors}");
    }
}

#[test]
fn a_title_is_no_command_for_a_runner_that_reads_the_report() {
    let title = "##[add-mask]x ##vso[task.setvariable]y";
    // Its site is the title then.
    let redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/x";
    let sent = serde_json::json!({"candidates": [{"content": {"parts": [{"text": "Claim one."}]}, "groundingMetadata": {
        "groundingChunks": [{"web": {"title": title, "uri": redirect}}, {"web": {"title": title}}],
        "groundingSupports": [{"segment": {"endIndex": 10}, "groundingChunkIndices": [0]}]}}]});
    let failed = serde_json::json!({"error": {"code": 500, "message": title}});
    for args in [&["check"][..], &["check", "--format", "github"], &["check", "--summary"]] {
        let (_, out, _) = run(args, &format!("{sent}\n{failed}"));
        assert!(out.contains("##␛[add-mask]x ##␛vso["), "{out}");
    }
    for args in [&["check", "--format", "json", "--summary"][..], &["export", "--to", "json"]] {
        let (_, out, _) = run(args, &sent.to_string());
        assert!(out.contains(r"#\u0023[add-mask]x #\u0023vso[task"), "{out}");
    }
}

#[test]
fn an_answer_is_no_command_for_a_runner_that_reads_what_a_pipe_prints() {
    let answer = "One.\n\n```\n::add-mask::x\n  ::error::y\n##[error]z\n```\n";
    let sent = serde_json::json!({"candidates": [{"content": {"parts": [{"text": answer}]}}]}).to_string();
    for args in [&[][..], &["export", "--to", "report"]] {
        let (_, out, _) = run(args, &sent);
        assert!(out.contains(":␛:add-mask::x") && out.contains(":␛:error::y"), "{out}");
        assert!(
            out.contains("##␛[error]z") && !out.lines().any(|line| line.trim().starts_with("::")),
            "{out}"
        );
    }
}

#[test]
fn brackets_without_end_end_nothing() {
    for text in [format!("Old [1]. {}", "[".repeat(100_000)), "[[1]".repeat(30_000), "【".repeat(50_000)] {
        for input in [
            serde_json::json!({"citations": ["https://a.example"], "choices": [{"message": {"content": text}}]}),
            serde_json::json!({"candidates": [{"content": {"parts": [{"text": text}]}}]}),
        ] {
            let (code, _, errors) = run(&["check", "--fail-on", "never"], &input.to_string());
            assert_eq!((code, errors.as_str()), (0, ""));
        }
    }
}

#[test]
fn words_that_only_look_like_names_of_credentials_are_shown() {
    let input = called(
        r#"{"valid_token": "seen", "nextPageToken": "seen", "max_tokens": "seen", "preauthorization": "seen", "requiresAuthorization": "seen", "monkey": "seen"}"#,
    );
    let (_, out, _) = run(&["export", "--to", "json"], &input);
    assert!(!out.contains("masked") && out.matches("seen").count() >= 6, "{out}");
}

#[test]
fn marks_without_number_end_in_an_error_that_says_what_to_do() {
    let chat = |text: String| {
        serde_json::json!({"citations": ["https://a.example"], "choices": [{"message": {"content": text}}]})
            .to_string()
    };
    let (code, _, errors) = run(&["check"], &chat("a[1] ".repeat(60_000)));
    assert_eq!(
        (code, errors.as_str()),
        (
            2,
            "citescope: stdin:1:1: this record takes far more memory than its text: it has too many small values \
             (candidates, events, marks, keys); `--no-limits` reads it all the same\n"
        )
    );
    for (args, text) in [
        (&["check", "--no-limits", "--no-content", "--fail-on", "never"][..], "a[1] ".repeat(60_000)),
        (&["check", "--no-content", "--fail-on", "never"], "a[1] ".repeat(20_000)),
    ] {
        let (code, _, errors) = run(args, &chat(text));
        assert_eq!((code, errors.as_str()), (0, ""));
    }
    // What no provider listed is not looked for in such a text.
    let list = format!("{}\n\n[1]: https://a.example", "a[1] ".repeat(60_000));
    let other =
        serde_json::json!({"candidates": [{"content": {"parts": [{"text": list}]}, "finishReason": "STOP"}]});
    let (code, _, errors) = run(&["check", "--no-content", "--fail-on", "never"], &other.to_string());
    assert_eq!((code, errors.as_str()), (0, ""));
}

#[test]
fn a_pattern_of_a_map_marks_neither_nothing_nor_everything() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("m.toml");
    let input = serde_json::json!({"text": "a".repeat(300_000), "sources": [{"id": "b"}]}).to_string();
    for (pattern, expected) in [
        ("()", format!("{}:3:11: \"()\" fits an empty text: every place would be a mark\n", map.display())),
        ("(a)", "stdin:1:1: this record takes far more memory than its text".to_owned()),
    ] {
        fs::write(
            &map,
            format!(
                "answer = \"text\"\n[markers]\npattern = '{pattern}'\n[sources]\nlist = \"sources[*]\"\n"
            ),
        )
        .unwrap();
        let (code, _, errors) = run(&["check", "--map", map.to_str().unwrap()], &input);
        assert_eq!(code, 2);
        assert!(errors.starts_with(&format!("citescope: {expected}")), "{errors}");
    }
}

#[test]
fn what_a_service_refuses_with_is_masked_and_what_a_tool_wraps_in_words() {
    let refused = json!({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message":
        {"role": "assistant", "content": null, "refusal": "call with apiKey=S3CR3T and Authorization: Bearer S3CR3T"}}]});
    let error = json!({"error": {"code": 400, "message": "no", "status": "Authorization: Bearer S3CR3T https://u:S3CR3T@e.example/"}});
    let wrapped = |text: &str| {
        json!({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message":
            {"role": "assistant", "content": "It is.", "executed_tools": [{"type": "run", "arguments": "{}", "output": text}]}}]})
    };
    let fenced = wrapped("Result: ```json\n{\"apiKey\": \"S3CR3T\"}\n```");
    let twice = wrapped("\"{\\\"api_key\\\": \\\"S3CR3T\\\"}\"");
    let bare = wrapped("see //u:S3CR3T@e.example/p");
    let named = wrapped("{\"X-Vault-Token\": \"S3CR3T\", \"gemini_key\": \"S3CR3T\"}");
    let signed =
        wrapped("{\"X-Amz-Signature\": \"S3CR3T\", \"u\": \"https:\\\\/\\\\/u:S3CR3T@e.example\\\\/\"}");
    let slashes =
        wrapped("see https:\\/\\/u:S3CR3T@e.example\\/ and https://e.example/?user[password]=S3CR3T&a=1");
    let fetched = wrapped("{\"cmd\": \"curl -u user:S3CR3T --proxy-user p:S3CR3T https://e.example/\"}");
    for input in [refused, error, fenced, twice, bare, named, signed, slashes, fetched] {
        for args in [&["check"][..], &["export", "--to", "json"], &["check", "--format", "json"]] {
            let (_, out, errors) = run(args, &input.to_string());
            assert!(!out.contains("S3CR3T") && !errors.contains("S3CR3T"), "{input}: {out}{errors}");
        }
    }
}

#[test]
fn what_a_tool_fails_with_is_told_and_no_document() {
    let message = |failed: bool| {
        json!({"type": "message", "role": "assistant", "id": "m", "model": "c", "content": [
            {"type": "tool_use", "id": "t", "name": "run", "input": {}},
            {"type": "tool_result", "tool_use_id": "t", "is_error": failed, "content": "password=horse is wrong"},
            {"type": "text", "text": "It is."}]})
        .to_string()
    };
    for (failed, told) in [(true, "password=masked is wrong"), (false, "password=horse is wrong")] {
        let (_, out, errors) = run(&["export", "--to", "json"], &message(failed));
        assert!(out.contains(told), "{out}{errors}");
        assert_eq!(out.contains(r#""failed": true"#), failed, "{out}");
    }
}

#[test]
fn a_minified_list_of_many_responses_takes_linear_time() {
    let one = json!({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "It is old [1]."}}]});
    let list = format!("[{}]", vec![one.to_string(); 20_000].join(","));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    std::fs::write(&path, &list).unwrap();
    // Places in the one line are counted from near by: the last record says where it is.
    let (code, out, _) = run(&["check", "--format", "text", path.to_str().unwrap()], "");
    let place = format!("a.json:1:{}", list.rfind("{\"index\"").unwrap() + 1);
    assert!(code < 2 && out.contains(&place), "{place}: {}", &out[out.len() - 600..]);
}
