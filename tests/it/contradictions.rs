//! What each rule says of a response, looked up once more in the response, as plainly as can be: nothing here
//! shares a line with the rules. A finding that this denies states something that was not sent.

use citescope::model::{Finding, Response, Source, SourceKind, Support, Target};
use citescope::review::Review;

/// Why a finding cannot be, if it cannot.
pub fn denied(review: &Review, finding: &Finding) -> Option<&'static str> {
    let response = &review.response;
    let known = finding.supports.iter().all(|&support| support < response.supports.len())
        && finding.sources.iter().all(|&source| source < response.sources.len())
        && finding.trace.is_none_or(|trace| trace < response.traces.len());
    let within = finding.places.iter().all(|place| response.text().get(place.clone()).is_some());
    if !(known && within) {
        return Some("it names what is not there");
    }
    let all_supports = |test: &dyn Fn(&Support) -> bool| {
        finding.supports.iter().all(|&support| test(&response.supports[support]))
    };
    let all_sources = |test: &dyn Fn(&Source) -> bool| {
        finding.sources.iter().all(|&source| test(&response.sources[source]))
    };
    let said = [
        (counts(finding, response), "a count is wrong"),
        (ranges(finding, response), "a range is not the one sent"),
        (of_answer(review, finding), "the answer is not so"),
        (of_searches(finding, response), "the searches and steps are not so"),
        (all_supports(&|support| of_support(finding.rule.id, support, response)), "a support is not so"),
        (all_sources(&|source| of_source(finding.rule.id, source, response)), "a source is not so"),
        (numbers(finding, response), "the number is in a cited chunk"),
    ];
    said.into_iter().find(|(holds, _)| !holds).map(|(_, why)| why)
}

/// `3 supports…`, `2 of 5 sources…`: of supports and sources as many as are named.
fn counts(finding: &Finding, response: &Response) -> bool {
    let words: Vec<&str> = finding.message.split([' ', ':', ',']).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<usize>().ok());
    match (number(0), words.get(1).copied(), number(2), words.get(3).copied()) {
        (Some(some), Some("support" | "supports"), ..) => {
            finding.supports.is_empty() || finding.supports.len() == some
        }
        (Some(some), Some("of"), Some(all), Some("source" | "sources")) => {
            some <= all && all == response.sources.len() && finding.sources.len() == some
        }
        (Some(some), Some("of"), Some(all), _) => some <= all,
        _ => true,
    }
}

/// `(sent 3..9, shown …, answer 0..40, in UTF-8 bytes)` of one support.
fn ranges(finding: &Finding, response: &Response) -> bool {
    let (Some((_, told)), &[support]) = (finding.message.split_once("(sent "), &finding.supports[..]) else {
        return true;
    };
    let Some(segment) = &response.supports[support].segment else { return false };
    let (start, end) = (segment.start.unwrap_or(0), segment.end);
    let told_end =
        segment.unreadable.is_some() || end.is_none_or(|end| told.starts_with(&format!("{start}..{end}")));
    let text = response.text();
    let length = if told.contains("in UTF-8 bytes") {
        text.len()
    } else if told.contains("in UTF-16") {
        text.encode_utf16().count()
    } else {
        text.chars().count()
    };
    let whole = !told.contains("answer 0..") || told.contains(&format!("answer 0..{length},"));
    told_end && whole
}

fn of_answer(review: &Review, finding: &Finding) -> bool {
    let response = &review.response;
    let (text, about) = (response.text(), &response.about);
    let any_passage = |test: &dyn Fn(&str) -> bool| {
        response.sources.iter().any(|source| source.chunks.iter().any(|chunk| test(&chunk.text)))
    };
    match finding.rule.id {
        "answer-empty" => text.trim().is_empty(),
        "coverage-low" => review.coverage().is_some_and(|covered| covered < 0.5),
        "sentence-uncited" | "slot-empty" => finding.places.iter().all(|place| !place.is_empty()),
        "encoding-replaced" => text.contains('\u{fffd}') || any_passage(&|text| text.contains('\u{fffd}')),
        "text-control" => {
            let steers =
                |text: &str| text.chars().any(|c| c.is_control() || !c.is_alphanumeric() && !c.is_ascii());
            steers(text)
                || any_passage(&steers)
                || response.sources.iter().any(|source| steers(source.name()))
        }
        "address-foreign" => finding.places.iter().all(|place| text[place.clone()].contains('.')),
        "answer-skipped" => !about.skipped.is_empty(),
        "answer-cut" | "answer-blocked" => {
            let reason = response
                .finish
                .iter()
                .chain(&about.blocked)
                .any(|word| finding.message.contains(word.as_str()));
            reason || about.safety.iter().any(|rating| rating.blocked == Some(true))
        }
        "answer-failed" => format!("{:?}", response.state) == "Error",
        "page-unfetched" => about.fetched.iter().any(|page| page.failed),
        "flag-orphan" => !about.flags_unmatched.is_empty(),
        "time-order" => about.completed.is_some() && about.created.is_some(),
        "ungrounded" => response.supports.is_empty() && response.sources.is_empty(),
        _ => true,
    }
}

fn of_searches(finding: &Finding, response: &Response) -> bool {
    let resolves =
        |support: &Support| support.citations.iter().any(|citation| citation.target.source().is_some());
    match finding.rule.id {
        "query-idle" => !response.queries.is_empty() || !response.traces.is_empty(),
        "searched-unattributed" => !response.supports.iter().any(resolves),
        "step-failed" => finding.trace.is_some_and(|trace| {
            let trace = &response.traces[trace];
            trace.failed || trace.error.is_some()
        }),
        "trace-mismatch" | "trace-ambiguous" => !response.traces.is_empty(),
        _ => true,
    }
}

fn of_support(rule: &str, support: &Support, response: &Response) -> bool {
    let text = response.text();
    let segment = support.segment.as_ref();
    let quote = segment.and_then(|segment| segment.quote.as_deref()).unwrap_or_default();
    let scores = || {
        support.grade.score.into_iter().chain(support.citations.iter().filter_map(|citation| citation.score))
    };
    let same = |other: &Support| {
        let of = |support: &Support| support.segment.as_ref().map(|segment| (segment.start, segment.end));
        let quoted = |support: &Support| support.segment.as_ref().and_then(|segment| segment.quote.clone());
        of(other) == of(support) || quoted(other) == quoted(support)
    };
    match rule {
        "source-index" => support.citations.iter().any(|citation| match &citation.target {
            Target::Dangling(_) => true,
            Target::Source(source) | Target::Tool(source) => *source >= response.sources.len(),
            _ => false,
        }),
        "offset-unreadable" => segment.is_some_and(|segment| segment.unreadable.is_some()),
        "segment-missing" => segment.is_none_or(|segment| segment.end.is_none() && segment.quote.is_none()),
        "quote-gone" => !quote.is_empty() && !text.contains(quote),
        "quote-ambiguous" => text.match_indices(quote.trim()).count() != 1,
        "quote-elided" => quote.contains('…') || quote.contains("..."),
        "quote-mismatch" => segment.is_some_and(|segment| {
            let (start, end) = (segment.start.unwrap_or(0), segment.end.unwrap_or(-1));
            let stretch = usize::try_from(start).ok().zip(usize::try_from(end).ok());
            let as_documented = stretch.and_then(|(start, end)| match response.unit.name() {
                "UTF-8 bytes" => text.get(start..end).map(str::to_owned),
                "characters" if start <= end && end <= text.chars().count() => {
                    Some(text.chars().skip(start).take(end - start).collect())
                }
                _ => None,
            });
            segment.part.is_some() || as_documented.as_deref() != Some(quote)
        }),
        "offset-range" => segment.is_some_and(|segment| {
            let length = i64::try_from(text.chars().count()).unwrap();
            let ends = [segment.start, segment.end];
            segment.part.is_some()
                || ends.into_iter().flatten().any(|end| end < 0 || end > length)
                || segment.start.unwrap_or(0) > segment.end.unwrap_or(0)
        }),
        "score-count" => support.scores_sent.is_some_and(|sent| sent as usize != support.citations.len()),
        "score-low" => scores().any(|score| score < 0.5),
        "score-range" => scores().any(|score| !(0.0..=1.0).contains(&score)),
        "support-repeated" => response.supports.iter().filter(|other| same(other)).count() > 1,
        "trace-missing" => {
            support.citations.iter().any(|citation| citation.audit().is_some() && citation.trace().is_none())
        }
        "trace-inferred" | "trace-ambiguous" => {
            support.citations.iter().any(|citation| citation.joined().is_some())
        }
        _ => true,
    }
}

fn of_source(rule: &str, source: &Source, response: &Response) -> bool {
    let is_it = |number: usize| response.sources.get(number).is_some_and(|cited| std::ptr::eq(cited, source));
    let mut targets = response.supports.iter().flat_map(|support| &support.citations);
    let uri = source.uri.as_deref().unwrap_or_default();
    let alike = |other: &Source| {
        let shares = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
        shares(&other.uri, &source.uri)
            || shares(&other.id, &source.id)
            || shares(&other.title, &source.title)
            || shares(&other.document, &source.document)
    };
    match rule {
        "source-unused" => !targets.any(|citation| citation.target.source().is_some_and(is_it)),
        "source-empty" => {
            let texts = source.chunks.iter().all(|chunk| chunk.text.trim().is_empty());
            let named = [&source.title, &source.uri]
                .iter()
                .any(|name| name.as_ref().is_some_and(|name| !name.trim().is_empty()));
            texts && !named
        }
        "source-redirect" => uri.contains("redirect"),
        "source-address" => {
            !uri.starts_with("http://") && !uri.starts_with("https://") || uri.contains(char::is_whitespace)
        }
        "source-duplicate" => response.sources.iter().filter(|other| alike(other)).count() > 1,
        "source-kind" => {
            matches!(source.kind, SourceKind::Empty | SourceKind::Unknown(_)) || !response.remarks.is_empty()
        }
        _ => true,
    }
}

/// `the number 1937 of support 1 is in none of the cited chunks`.
fn numbers(finding: &Finding, response: &Response) -> bool {
    if finding.rule.id != "number-missing" {
        return true;
    }
    let words = finding.message.split(" of support ").next().unwrap_or_default();
    let listed: Vec<&str> =
        words.split([' ', ',']).filter(|word| word.contains(|c: char| c.is_ascii_digit())).collect();
    let chunks = |support: &usize| {
        let mut texts = Vec::new();
        for citation in &response.supports[*support].citations {
            let Some(source) = citation.target.source() else { continue };
            let named = citation.cited.as_deref().map_or(&[][..], |cited| &cited.chunks);
            let chunks = response.sources[source].chunks.iter().enumerate();
            // A citation of no chunk is of all.
            let cited = chunks.filter(|(index, _)| named.is_empty() || named.contains(index));
            texts.extend(cited.map(|(_, chunk)| chunk.text.as_str()));
        }
        texts
    };
    let holds = |text: &str, number: &str| {
        text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | ',' | '-' | '/' | ':'))
            .any(|word| word == number)
    };
    let first: Vec<&str> = finding.supports.first().map(chunks).unwrap_or_default();
    listed.iter().all(|number| !first.iter().any(|text| holds(text, number)))
}
