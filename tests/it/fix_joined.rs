//! `citescope fix` leaves offsets alone that may be right for the text that was sent: of two answers in one
//! stream, of a stream of which a piece is missing, of a claim beside its mark.

use serde_json::{Value, json};

use crate::common::program::run;

const QUOTES: [&str; 3] = ["The ferry runs daily.", "Rio opens at nine.", "Dogs are welcome."];

/// A piece of an answer of Gemini's, with an id or none.
fn piece(text: &str, id: Option<&str>, supports: &[Value]) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": [{"text": text}]}});
    if !supports.is_empty() {
        candidate["finishReason"] = "STOP".into();
        candidate["groundingMetadata"] = json!({
            "groundingChunks": [{"web": {"uri": "https://e.example/", "title": "e.example"}}],
            "groundingSupports": supports,
        });
    }
    let mut piece = json!({"candidates": [candidate]});
    if let Some(id) = id {
        piece["responseId"] = id.into();
    }
    piece
}

fn support(start: usize, quote: &str) -> Value {
    json!({"segment": {"startIndex": start, "endIndex": start + quote.len(), "text": quote}, "groundingChunkIndices": [0]})
}

/// An answer of three pieces whose last one cites all of it, and rightly.
fn stream(id: Option<&str>) -> Vec<String> {
    let supports = [(0, 0), (22, 1), (41, 2)].map(|(start, number)| support(start, QUOTES[number]));
    let texts = ["The ferry runs daily. ", "Rio opens at nine. ", "Dogs are welcome."];
    [&[][..], &[], &supports].iter().zip(texts).map(|(own, text)| piece(text, id, own).to_string()).collect()
}

/// The pieces as events, as lines, and as elements of one list.
fn forms(pieces: &[String]) -> [String; 3] {
    [
        pieces.iter().map(|piece| format!("data: {piece}\n\n")).collect(),
        pieces.join("\n") + "\n",
        format!("[{}]", pieces.join(",\n")),
    ]
}

/// Nothing is changed, whatever is told.
#[track_caller]
fn leaves(input: &str) {
    let (_, out, errors) = run(&["fix"], input);
    assert!(out.is_empty() || out == input, "{input}\n{out}\n{errors}");
    assert!(!errors.contains("repaired (") && !errors.contains("panicked"), "{input}\n{errors}");
}

#[track_caller]
fn leave_all(inputs: [String; 3]) {
    for input in inputs {
        leaves(&input);
    }
}

#[test]
fn of_two_answers_in_one_input_the_second_keeps_its_offsets() {
    let of = |id, other: Option<&str>| {
        let second = ["Cats sleep. ", "Owls do not."];
        let supports = [support(0, "Cats sleep."), support(12, "Owls do not.")];
        let second = [piece(second[0], other, &[]), piece(second[1], other, &supports)];
        [stream(id), second.map(|piece| piece.to_string()).to_vec()].concat()
    };
    for (id, other) in [(None, None), (Some("r"), Some("r")), (Some("r"), None), (Some("r"), Some("s"))] {
        let pieces = of(id, other);
        leave_all(forms(&pieces));
        // The first one may lack its end, and either may be one piece.
        let endless: Vec<String> =
            pieces.iter().map(|piece| piece.replace(r#""finishReason":"STOP","#, "")).collect();
        leave_all(forms(&endless));
    }
    let whole = |text: &str| piece(text, None, &[support(0, text)]).to_string();
    leave_all(forms(&[whole("Rio opens."), whole("Owls sleep.")]));
}

#[test]
fn pieces_of_two_answers_in_turn_keep_their_offsets() {
    let (one, other) = (stream(Some("r")), stream(Some("s")));
    let turns: Vec<String> = one.into_iter().zip(other).flat_map(|(one, other)| [one, other]).collect();
    leave_all(forms(&turns));
}

#[test]
fn a_stream_of_which_a_piece_could_not_be_read_keeps_its_offsets() {
    for id in [Some("r"), None] {
        let whole = stream(id);
        let cut = whole[1][..60].to_owned();
        let service = r#"{"error": {"code": 503, "message": "overloaded"}}"#;
        for broken in ["xx", "{", "...", "null", "[1 line omitted]", &cut, service] {
            let mut pieces = whole.clone();
            pieces[1] = broken.to_owned();
            forms(&pieces)[..2].iter().for_each(|input| leaves(input));
        }
        // A piece that is not there was quoted, too.
        let mut pieces = whole.clone();
        pieces.remove(1);
        leave_all(forms(&pieces));
        // What is there in full is repaired as ever.
        let moved = whole.iter().map(|piece| piece.replace(r#""startIndex":41,"#, r#""startIndex":44,"#));
        let moved: Vec<String> =
            moved.map(|piece| piece.replace(r#""endIndex":58"#, r#""endIndex":61"#)).collect();
        for (input, right) in forms(&moved).iter().zip(forms(&whole)) {
            let (code, out, errors) = run(&["fix"], input);
            assert_eq!((code, out), (0, right), "{errors}");
        }
    }
}

#[test]
fn offsets_of_a_claim_are_not_moved_to_its_mark() {
    let text =
        "Visit https://a.example for more. See, The tower is 41 metres high. ([b](https://b.example/))";
    let mark = "([b](https://b.example/))";
    let at = |words: &str| (text.find(words).unwrap(), text.find(words).unwrap() + words.len());
    let annotation = |(start, end): (usize, usize), url: &str| json!({"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": "t"});
    let message = |annotations: &[Value]| {
        let content = json!([{"type": "output_text", "text": text, "annotations": annotations}]);
        json!({"object": "response", "output": [{"type": "message", "content": content}]}).to_string()
    };
    let fits = annotation(at(mark), "https://b.example/");
    leaves(&message(&[annotation(at("The tower is 41 metres high."), "https://a.example"), fits.clone()]));
    // What is as long as the mark and elsewhere is one that was moved.
    let (start, end) = at(mark);
    let (code, out, errors) =
        run(&["fix"], &message(&[annotation((start - 4, end - 4), "https://b.example/")]));
    assert_eq!((code, out), (0, message(&[fits])), "{errors}");
}

/// An event of an agent that streams, with its metadata.
fn event(text: &str, partial: bool, supports: &[Value]) -> String {
    json!({"content": {"role": "model", "parts": [{"text": text}]}, "partial": partial, "author": "guide",
        "invocationId": "e-1", "id": format!("{}{partial}", text.len()), "timestamp": 1,
        "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://e.example/"}}],
            "groundingSupports": supports}})
    .to_string()
}

#[test]
fn offsets_that_count_over_the_turn_so_far_are_right_of_a_piece_of_it() {
    let (first, second) = ("The ferry runs daily. ", "Rio opens at nine.");
    let whole = [first, second].concat();
    for supports in [support(22, QUOTES[1]), support(0, QUOTES[1])] {
        let pieces = [event(first, true, &[]), event(second, true, &[supports])];
        let end = event(&whole, false, &[support(22, QUOTES[1])]);
        for pieces in [&pieces[..], &[&pieces[..], &[end]].concat()] {
            leave_all(forms(pieces));
            for input in forms(pieces) {
                let (_, out, errors) = run(&["check", "--no-content"], &input);
                assert!(!out.contains("offset-") && !out.contains("quote-"), "{out}{errors}");
            }
        }
    }
    // The event that tells the whole of it is repaired as ever.
    let off = json!({"segment": {"startIndex": 37, "endIndex": 55, "text": QUOTES[1]}, "groundingChunkIndices": [0]});
    for input in forms(&[event(first, true, &[]), event(second, true, &[]), event(&whole, false, &[off])]) {
        let (code, out, errors) = run(&["fix"], &input);
        assert!(code == 0 && out.contains("\"startIndex\":22"), "{out}{errors}");
    }
    // What fits neither is told, and left.
    let odd = [event(first, true, &[]), event(second, true, &[support(25, QUOTES[1])])];
    for input in forms(&odd) {
        let (code, out, errors) = run(&["fix", "--dry-run"], &input);
        assert_eq!((code, out.as_str()), (1, ""), "{errors}");
        assert!(errors.contains("it came with a piece of a turn"), "{errors}");
    }
}

#[test]
fn quotes_of_an_earlier_piece_of_the_turn_are_right_and_no_error() {
    // Each ends what was said, so that no form of them breaks off.
    let event = |text: &str, supports: &[Value]| {
        event(text, true, supports).replace("\"partial\":true", "\"partial\":true,\"turnComplete\":true")
    };
    let (first, second) = ("The ferry runs daily. ", "Rio opens at nine.");
    // The last piece cites what was said before it, or has no text of its own.
    let supports = [support(0, QUOTES[0]), support(10, "runs daily. Rio opens"), support(22, QUOTES[1])];
    let whole = [event(first, &[]), event(second, &supports)];
    let textless = [event(first, &[]), event(second, &[]), event("", &supports)];
    for input in forms(&whole).into_iter().chain(forms(&textless)) {
        leaves(&input);
        let (code, out, errors) = run(&["check", "--no-content"], &input);
        assert_eq!(code, 0, "{out}{errors}");
        assert!(!out.contains("quote-") && !out.contains("text-other-event"), "{out}{errors}");
        let earlier = if input.contains(r#""text":""}"#) { 3 } else { 2 };
        let count = |document: &str| document.matches(r#""verdict": "earlier""#).count();
        let (_, out, _) = run(&["export", "--to", "json"], &input);
        assert_eq!(count(&out), earlier, "{out}");
        let (_, again, errors) = run(&["export", "--to", "json"], &out);
        assert_eq!(count(&again), earlier, "{again}{errors}");
    }
    // What the turn does not say there is an error as before.
    for input in forms(&[event(first, &[]), event(second, &[support(1, QUOTES[0])])]) {
        let (code, out, errors) = run(&["check", "--no-content"], &input);
        assert_eq!(code, 1, "{out}{errors}");
        assert!(out.contains("error[text-other-event]"), "{out}");
    }
}

#[test]
fn what_a_record_that_could_not_be_read_may_be_a_piece_of_keeps_its_offsets() {
    // An event with another id that is broken, in the middle of a stream.
    let mut pieces = stream(Some("r"));
    pieces.insert(1, pieces[1].replace(r#""r""#, "\"\0\""));
    pieces.remove(2);
    pieces[2] = pieces[2].replace("\"responseId\":\"\0\"", "\"responseId\":\"r\"");
    leave_all(forms(&pieces));
    // A list whose first bytes are missing: a candidate stands alone, with what closed around it.
    let rest = json!({"content": {"parts": [{"text": "Rio opens at nine."}]}, "groundingMetadata": {
        "groundingChunks": [{"web": {"uri": "https://e.example/", "title": "e.example"}}],
        "groundingSupports": [support(6, QUOTES[1])]}});
    leaves(&format!("{rest}], \"modelVersion\": \"gemini-2.5\"}}\n"));
    // Alone, it is repaired.
    let (code, out, errors) = run(&["fix"], &format!("{rest}\n"));
    assert_eq!((code, out.contains("\"startIndex\":0")), (0, true), "{errors}");
}

#[test]
fn what_its_service_sends_whole_is_no_piece_of_a_line_that_could_not_be_read() {
    let whole = |start: usize| {
        let citation = json!({"start": start, "end": start + 18, "text": QUOTES[1], "sources": [
            {"type": "document", "id": "d", "document": {"id": "d", "text": QUOTES[1]}}]});
        let content = json!([{"type": "text", "text": "The ferry runs daily. Rio opens at nine."}]);
        json!({"id": "r", "message": {"role": "assistant", "content": content, "citations": [citation]},
            "finish_reason": "COMPLETE"})
    };
    for first in ["xx", "{\"id\": \"half", "{\"level\": \"info\"}"] {
        let input = format!("{first}\n{}\n", whole(25));
        let (_, out, errors) = run(&["fix"], &input);
        assert_eq!(out, format!("{first}\n{}\n", whole(22)), "{errors}");
    }
}

#[test]
fn a_piece_that_came_twice_or_not_at_all_moves_no_offsets_behind_it() {
    let whole = stream(Some("r"));
    // Twice; in another order.
    leave_all(forms(&[&whole[..2], &whole[1..]].concat()));
    let mut swapped = whole.clone();
    swapped.swap(0, 1);
    leave_all(forms(&swapped));
    // One is missing that nothing quotes.
    let cited = |numbers: &[usize]| {
        let at = [(0, 0), (22, 1), (41, 2)];
        let supports: Vec<Value> = numbers.iter().map(|&n| support(at[n].0, QUOTES[at[n].1])).collect();
        piece(QUOTES[2], Some("r"), &supports).to_string()
    };
    leave_all(forms(&[whole[1].clone(), cited(&[1, 2])]));
    leave_all(forms(&[whole[0].clone(), cited(&[0, 2])]));
    // It was shorter than all that are there.
    let behind = piece(QUOTES[2], Some("r"), &[support(0, QUOTES[0]), support(33, QUOTES[2])]);
    leave_all(forms(&[whole[0].clone(), behind.to_string()]));
    // Nor is anything before it cited.
    for lost in 4..8 {
        let behind = piece(QUOTES[2], Some("r"), &[support(22 + lost, QUOTES[2])]);
        leave_all(forms(&[whole[0].clone(), behind.to_string()]));
    }
    // Only the last one is there, whatever it is taken for.
    leave_all(forms(&[cited(&[0, 2])]));
    // Where another unit explains all of them, they are repaired.
    let supports = [support(0, "Één."), support(5, "Twee één."), support(15, "Drie.")];
    let wide = [piece("Één. ", Some("r"), &[]), piece("Twee één. Drie.", Some("r"), &supports)];
    for input in forms(&wide.map(|piece| piece.to_string().replace("\"endIndex\":6", "\"endIndex\":4"))) {
        let characters = input.replace("\"endIndex\":16", "\"endIndex\":14");
        let (_, out, errors) = run(&["fix"], &characters);
        assert!(out.contains("\"startIndex\":7") && errors.contains(", 0 left"), "{out}{errors}");
    }
}

#[test]
fn a_quote_that_a_lost_piece_cuts_is_not_taken_for_the_same_words_elsewhere() {
    let supports = [support(0, "The light was lit"), support(18, "in 1937")];
    let pieces = |texts: &[&str]| {
        let begun = texts.iter().map(|text| piece(text, Some("r"), &[]).to_string());
        begun.chain([piece("", Some("r"), &supports).to_string()]).collect::<Vec<_>>()
    };
    let again = ["The harbour was rebuilt in 1937", " for the ferries."];
    // "1937, and its tower " is missing; came late; the quote's beginning is missing.
    leave_all(forms(&pieces(&["The light was lit in ", "is 41 metres high. ", again[0], again[1]])));
    let late = ["The light was lit in ", "and its tower is 41 metres high. ", "1937, ", again[0], again[1]];
    leave_all(forms(&pieces(&late)));
    leave_all(forms(&pieces(&["The light was lit.", " an", "1937, ", again[0], again[1]])));
}

#[test]
fn a_line_whose_text_has_all_its_quotes_may_be_a_response_of_its_own() {
    let first =
        piece(QUOTES[0], None, &[support(0, QUOTES[0])]).to_string().replace(r#""finishReason":"STOP","#, "");
    let second = piece(&QUOTES[1..].join(" "), Some("b"), &[support(1, QUOTES[1]), support(20, QUOTES[2])]);
    leaves(&format!("{first}\n{second}\n"));
}

#[test]
fn of_two_alike_the_one_that_a_lost_piece_cuts_is_not_moved_to_the_other() {
    let quote = "Visitors may climb the tower all year.";
    let supports = [support(0, "It was lit in 1932."), support(20, quote), support(59, quote)];
    let texts = [
        "It was lit in ",
        "1932. Visitors ",
        "may climb the ",
        "tower all year. ",
        "Visitors may cli",
        "l year. ",
    ];
    let mut pieces: Vec<String> = texts.iter().map(|text| piece(text, Some("r"), &[]).to_string()).collect();
    pieces.push(piece("", Some("r"), &supports).to_string());
    leave_all(forms(&pieces));
}

#[test]
fn what_is_off_by_as_much_as_another_unit_says_may_lack_a_piece_all_the_same() {
    // " wurde " is as long as there are letters of two bytes before the quote.
    let texts =
        ["Die Brücke über die Spree ", "führt nach Kopenick und", "früh gebaut, dann größer. ", "Züge "];
    let quote = "fahren jede Stunde.";
    let answer = texts.concat();
    assert_eq!((answer.len(), answer.chars().count()), (87, 80));
    let event = |text: &str| json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": text}}}});
    let citation = json!({"type": "citation-start", "index": 0, "delta": {"message": {"citations": {
        "start": 87, "end": 106, "text": quote, "sources": [{"type": "document", "id": "d", "document": {"id": "d"}}]}}}});
    let begin = json!({"type": "message-start", "id": "r", "delta": {"message": {"role": "assistant", "content": []}}});
    let content = json!({"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text", "text": ""}}}});
    let end = json!({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}});
    let said = texts.into_iter().chain([quote]).map(event);
    let events: Vec<Value> = [begin, content].into_iter().chain(said).chain([citation, end]).collect();
    leave_all(forms(&events.iter().map(Value::to_string).collect::<Vec<_>>()));
}

#[test]
fn several_pieces_that_came_twice_or_elsewhere_move_no_offsets() {
    let texts = ["The ferry runs daily. ", "Rio opens at nine. ", "Dogs are welcome here. ", "Bring a coat."];
    let mut at = 0;
    let starts = texts.map(|text| (at, at += text.len()).0);
    let supports = [0, 1, 2, 3].map(|number| support(starts[number], texts[number].trim_end()));
    let order = |order: &[usize], cited: &[usize]| {
        let cited: Vec<Value> = cited.iter().map(|&number| supports[number].clone()).collect();
        let last = order.len() - 1;
        let own = |place: usize| if place == last { &cited[..] } else { &[] };
        let pieces = order.iter().enumerate();
        let pieces = pieces.map(|(place, &number)| piece(texts[number], Some("r"), own(place)).to_string());
        pieces.collect::<Vec<_>>()
    };
    // Two came twice; one in the place of another; two in each other's place; one later.
    leave_all(forms(&order(&[0, 0, 1, 2, 2, 3], &[1, 3])));
    leave_all(forms(&order(&[0, 1, 1, 3], &[0, 3])));
    leave_all(forms(&order(&[2, 1, 2, 3], &[1, 3])));
    leave_all(forms(&order(&[0, 2, 1, 3], &[0, 1, 3])));
    leave_all(forms(&order(&[1, 2, 0, 3], &[1, 2, 3])));
    // One begins with the end of the one before it, as where a connection was taken up again.
    let mut shared = order(&[0, 1, 2, 3], &[0, 1, 3]);
    shared[1] = shared[1].replace("Rio", "daily. Rio");
    leave_all(forms(&shared));
    // What is there is shorter than what would be missing before it.
    let alone = piece(QUOTES[2], Some("r"), &[support(41, QUOTES[2])]);
    leaves(&format!("{alone}\n"));
    let slip = piece(QUOTES[2], Some("r"), &[support(3, QUOTES[2])]);
    let (_, out, errors) = run(&["fix"], &format!("{slip}\n"));
    assert!(out.contains("\"startIndex\":0"), "{errors}");
}

#[test]
fn what_would_be_the_proof_that_no_piece_is_missing_is_left_with_what_may_lack_one() {
    // From the end of the second quote on all is off by eleven: repaired alone, it would say of the third,
    // which counts on from a missing piece, that it lacks none, and a second run would repair that, too.
    let mut supports = [(0, 0), (22, 1), (52, 2)].map(|(start, number)| support(start, QUOTES[number]));
    supports[1]["segment"]["endIndex"] = 51.into();
    let texts = ["The ferry runs daily. ", "Rio opens at nine. Dogs are welcome."];
    let [first, second] = texts.map(|text| (text, Some("r")));
    let pieces =
        [piece(first.0, first.1, &[]), piece(second.0, second.1, &supports)].map(|piece| piece.to_string());
    let (_, _, errors) = run(&["fix"], &forms(&pieces)[0]);
    let why = "its offsets count on from where a piece of the stream may be missing";
    assert!(errors.contains(&format!("support 2 is left as it is: {why}")), "{errors}");
    assert!(errors.contains(&format!("support 3 is left as it is: {why}")), "{errors}");
    leave_all(forms(&pieces));
}

#[test]
fn quotes_in_another_order_than_their_offsets_keep_them_in_a_stream() {
    let supports = [support(0, QUOTES[0]), support(22, QUOTES[2])];
    let texts = ["Dogs are welcome. ", "In short: The ferry runs daily."];
    let pieces = [piece(texts[0], Some("r"), &[]), piece(texts[1], Some("r"), &supports)];
    leave_all(forms(&pieces.map(|piece| piece.to_string())));
}

#[test]
fn what_may_go_on_with_a_response_without_an_end_keeps_its_offsets() {
    // The first of the pieces has metadata of its own, and none has an id.
    let first = piece(&format!("{} ", QUOTES[0]), None, &[support(0, QUOTES[0])]).to_string();
    let second = piece("Rio opens at nine. ", None, &[]).to_string();
    let third = piece(QUOTES[2], None, &[support(41, QUOTES[2])]).to_string();
    leave_all(forms(&[first.replace(r#""finishReason":"STOP","#, ""), second, third]));
    // A first piece that broke off has no id any more.
    let mut pieces = stream(Some("r"));
    pieces[0].truncate(60);
    forms(&pieces)[..2].iter().for_each(|input| leaves(input));
}

#[test]
fn what_has_no_quote_and_names_a_sentence_as_it_was_sent_is_left() {
    let answer = "The bridge opened in 1998. It carries cars. It is painted green.";
    let bare = |start: usize, end: usize| json!({"segment": {"startIndex": start, "endIndex": end}, "groundingChunkIndices": [0]});
    let sent = |first: &[Value], others: &[Value]| piece(answer, None, &[first, others].concat()).to_string();
    let quotes = [support(24, "It carries cars."), support(41, "It is painted green.")];
    let (code, out, errors) = run(&["fix"], &sent(&[bare(0, 26)], &quotes));
    let right = [support(27, "It carries cars."), support(44, "It is painted green.")];
    assert_eq!((code, out), (0, sent(&[bare(0, 26)], &right)), "{errors}");
    // What cuts words as it was sent goes with the others.
    let (code, out, errors) = run(&["fix"], &sent(&[bare(1, 23)], &quotes));
    assert_eq!((code, out), (0, sent(&[bare(4, 26)], &right)), "{errors}");
}

#[test]
fn of_a_stream_that_lacks_something_quotes_that_stand_elsewhere_are_no_proof() {
    let supports = [support(0, QUOTES[0]), support(75, QUOTES[2])];
    let texts =
        ["The ferry runs daily. Rio opens at nine. It is said: ", "The ferry runs daily. Dogs are welcome."];
    let whole = [piece(texts[0], Some("r"), &[]), piece(texts[1], Some("r"), &supports)]
        .map(|piece| piece.to_string());
    leave_all(forms(&whole));
    // Its beginning is broken, or missing.
    let broken = [whole[0][..60].to_owned(), whole[1].clone()];
    forms(&broken)[..2].iter().for_each(|input| leaves(input));
    let events =
        |pieces: &[Value]| pieces.iter().map(|piece| format!("data: {piece}\n\n")).collect::<String>();
    let citation = |start: usize, text: &str| {
        json!({"type": "citation-start", "index": 0, "delta": {"message": {"citations":
        {"start": start, "end": start + text.len(), "text": text, "sources": [{"type": "document", "id": "d", "document": {"id": "d", "snippet": "x"}}]}}}})
    };
    let said = |text: &str| json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": text}}}});
    let rest = [
        said("Rio opens at nine. "),
        said("Dogs are welcome."),
        citation(22, QUOTES[1]),
        citation(41, QUOTES[2]),
        json!({"type": "content-end", "index": 0}),
        json!({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}),
    ];
    leaves(&events(&rest));
}

#[test]
fn the_rest_of_a_stream_and_a_quote_that_another_support_has_are_left() {
    // The first pieces are missing, and nothing of them is quoted.
    let rest =
        |text: &str, start: usize, quote: &str| piece(text, Some("r"), &[support(start, quote)]).to_string();
    leave_all(forms(&[
        piece("and more, as all know. ", Some("r"), &[]).to_string(),
        rest("Rio opens at nine.", 33, QUOTES[1]),
    ]));
    leaves(&(rest(" of the year. Rio opens at nine.", 40, QUOTES[1]) + "\n"));
    // A sentence that stands twice, of which the first is damaged.
    let twice = piece(
        "Roi opens at nine. Rio opens at nine.",
        Some("r"),
        &[support(0, QUOTES[1]), support(19, QUOTES[1])],
    );
    leaves(&format!("{twice}\n"));
    let (_, _, errors) = run(&["fix", "--dry-run"], &twice.to_string());
    assert!(
        errors.contains("support 1 is left as it is: its quote stands only where another support has it"),
        "{errors}"
    );
}

#[test]
fn a_quote_of_which_a_lost_piece_took_all_but_a_letter_is_not_moved_to_where_it_stands_again() {
    let texts =
        ["The light was first lit i", "2. Its tower is high, and the pier was built in 1932 as well."];
    let [first, second] = texts.map(|text| (text, Some("r")));
    let lost = |supports: &[Value]| {
        let pieces = [piece(first.0, first.1, &[]), piece(second.0, second.1, supports)];
        forms(&pieces.map(|piece| piece.to_string()))
    };
    leave_all(lost(&[support(27, "1932")]));
    // What is doubted for one support is doubted for all of them.
    let supports = [support(67, "was built in 1932"), support(4, "high")];
    let [events, ..] = lost(&supports);
    let (_, _, errors) = run(&["fix"], &events);
    for why in [
        "support 1 is left as it is: its offsets count on from where a piece of the stream may be missing",
        "support 2 is left as it is: a piece of the text is missing or could not be read",
    ] {
        assert!(errors.contains(why), "{errors}");
    }
    leave_all(lost(&supports));
}

#[test]
fn lines_of_ones_own_are_whole_and_none_is_the_rest_of_another() {
    let line = |start: usize| {
        format!(
            r#"{{"answer": "Rents fell.", "claims": [{{"start": {start}, "end": {}, "quote": "Rents fell.", "source_ids": ["a"]}}], "sources": [{{"id": "a", "url": "https://a.example/"}}]}}"#,
            start + 11
        ) + "\n"
    };
    let (status, out, told) = run(&["fix"], &line(1).repeat(2));
    assert_eq!((status, out), (0, line(0).repeat(2)), "{told}");
}

/// One quote is shorter than its offsets, as where the signs of bold text fall away: it stands elsewhere by
/// as much as a piece is long, and its end by less.
#[test]
fn a_quote_that_was_shortened_is_left_where_a_piece_is_missing() {
    let texts = [
        "Alpha was built in 1901 by the harbour board. ",
        "Beta came in 1923 and was painted red at once. ",
        "Gamma opened in 1944 behind the fish market hall. ",
        "Delta closed in 1977 after the flood of that winter. ",
        "Epsilon was sold in 1999 to a **private owner**. The end of it.",
    ];
    let begins = |number: usize| texts[..number].concat().len();
    let mut last = support(begins(4), "Epsilon was sold in 1999 to a **private owner");
    last["segment"]["endIndex"] = (begins(4) + 47).into();
    let supports = [support(begins(2), texts[2].trim_end()), support(begins(3), texts[3].trim_end()), last];
    for lost in [&[][..], &[0], &[1], &[2], &[3], &[0, 1], &[1, 3]] {
        let pieces = (0..5).filter(|number| !lost.contains(number)).map(|number| {
            let own: &[Value] = if number == 4 { &supports } else { &[] };
            piece(texts[number], Some("r"), own).to_string()
        });
        leave_all(forms(&pieces.collect::<Vec<_>>()));
    }
}

/// Characters explain the first quote, all offsets two bytes too low explain both: what has no quote of its
/// own may be either.
#[test]
fn what_has_no_quote_is_left_where_another_quote_fits_no_unit() {
    let text = "Öl für alle. Seit 1962 gibt es Fisch. Über den Hof geht es zum Markt. Nein.";
    let own = |start: usize, end: usize, quote: Option<&str>| json!({"segment": {"startIndex": start, "endIndex": end, "text": quote}, "groundingChunkIndices": [0]});
    let third = own(38, 70, Some("Über den Hof geht es zum Markt."));
    let supports = [own(0, 12, Some("Öl für alle.")), own(13, 36, None), third];
    let (code, out, errors) = run(&["fix"], &piece(text, None, &supports).to_string());
    assert_eq!(code, 1, "{errors}");
    let left = "support 2 is left as it is: it has no quote that proves where it belongs";
    assert!(errors.contains(left) && out.contains(r#""startIndex":13,"endIndex":36"#), "{errors}{out}");
}

/// What `fix` makes of an input, and how many supports it says it left.
#[track_caller]
fn fixed(input: &str, left: &str) -> Value {
    let (_, out, errors) = run(&["fix"], input);
    assert!(errors.contains(left), "{errors}");
    serde_json::from_str(&out).unwrap()
}

/// All quotes stand by characters as by UTF-16 units; behind the rocket they part.
#[test]
fn a_claim_without_a_quote_stays_where_two_units_put_it_at_two_places() {
    let text = "灯塔。🎉游客来了。渡轮开了。";
    let claim = |quote: &str, start: usize, end: usize| {
        let mut claim =
            json!({"segment": {"startIndex": start, "endIndex": end}, "groundingChunkIndices": [0]});
        if !quote.is_empty() {
            claim["segment"]["text"] = quote.into();
        }
        claim
    };
    let answer = |claims: &[Value]| piece(text, None, claims).to_string();
    let own = "/candidates/0/groundingMetadata/groundingSupports";
    let tie =
        fixed(&answer(&[claim("灯塔。", 0, 3), claim("", 5, 10)]), "1 support repaired (1 number), 1 left");
    assert_eq!(tie.pointer(own).unwrap()[1], claim("", 5, 10));
    // One more quote says which it is.
    let all = [claim("灯塔。", 0, 3), claim("", 5, 10), claim("渡轮开了。", 10, 15)];
    let told = fixed(&answer(&all), "3 supports repaired (5 numbers), 0 left");
    assert_eq!(told.pointer(own).unwrap()[1], claim("", 13, 28));
}

/// Two line ends lost a byte each. The quotes prove it for what stands between them, not for what is before.
#[test]
fn a_claim_without_a_quote_stays_before_the_first_that_proves_a_shift() {
    let span = |start: usize, end: usize, quote: &str| match quote {
        "" => json!({"start": start, "end": end, "source_id": "h"}),
        quote => json!({"start": start, "end": end, "text": quote, "source_id": "h"}),
    };
    let answer = json!({"answer": "Lit in 1932.\nTower is tall.\nBoats go. Free entry.",
        "spans": [span(14, 28, ""), span(30, 39, "Boats go."), span(40, 51, "Free entry.")],
        "sources": [{"id": "h", "title": "H", "url": "https://f.example/h"}]});
    let fixed = fixed(&answer.to_string(), "2 supports repaired (4 numbers), 1 left");
    assert_eq!(
        fixed["spans"],
        json!([span(14, 28, ""), span(28, 37, "Boats go."), span(38, 49, "Free entry.")])
    );
}
