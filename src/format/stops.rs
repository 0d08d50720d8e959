//! Why a model stopped: the words of all vendors in one table, since proxies and frameworks hand on each
//! other's.

use crate::model::{AnswerState, Ending};

/// Words in small letters, without the prefix that gRPC enums have; blanks, `-` and `_` are one.
const WORDS: &[(&[&str], AnswerState, Ending)] = &[
    (
        &[
            "length",
            "max_completion_tokens",
            "max_len",
            "max_context",
            "max_length",
            "max_output_tokens",
            "max_tokens",
            "model_context_window_exceeded",
            "model_length",
        ],
        AnswerState::Truncated,
        Ending::Cut,
    ),
    (
        &["function_call", "requires_action", "tool_call", "tool_calls", "tool_use"],
        AnswerState::Partial,
        Ending::Waiting,
    ),
    (
        &[
            "blocklist",
            "content_filter",
            "content_filtered",
            "error_toxic",
            "guardrail_intervened",
            "image_prohibited_content",
            "image_recitation",
            "image_safety",
            "language",
            "model_armor",
            "prohibited_content",
            "recitation",
            "refusal",
            "safety",
            "sensitive",
            "spii",
            // Google's numbers from 6 on mean one of these or of those in another order in each API.
            "6",
            "7",
            "8",
            "9",
            "10",
            "11",
        ],
        AnswerState::Skipped,
        Ending::Blocked,
    ),
    (
        &["error", "error_limit", "failed", "network_error", "overloaded", "timeout"],
        AnswerState::Error,
        Ending::Own,
    ),
    (
        &[
            "abort",
            "aborted",
            "budget_exceeded",
            "canceled",
            "cancelled",
            "expired",
            "incomplete",
            "insufficient_system_resource",
            "malformed_function_call",
            "malformed_model_output",
            "malformed_response",
            "malformed_tool_use",
            "missing_thought_signature",
            "time_limit",
            "too_many_tool_calls",
            "unexpected_tool_call",
            "user_cancel",
            "12",
            "13",
        ],
        AnswerState::Truncated,
        Ending::Own,
    ),
    (&["in_progress", "pause_turn", "queued", "streaming"], AnswerState::Partial, Ending::Own),
];

/// What a reason to stop, or a status, means for the answer; a word that is not known means nothing.
pub(super) fn stopped(word: Option<&str>) -> (AnswerState, Ending) {
    let plain: String = word
        .unwrap_or_default()
        .chars()
        .map(|c| if matches!(c, '-' | ' ') { '_' } else { c.to_ascii_lowercase() })
        .collect();
    let plain =
        ["reason_", "finishreason."].iter().find_map(|lead| plain.strip_prefix(lead)).unwrap_or(&plain);
    let known = WORDS.iter().find(|(words, ..)| words.contains(&plain));
    known.map_or((AnswerState::Complete, Ending::Own), |&(_, state, ending)| (state, ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_every_vendor_are_known_however_they_are_spelled() {
        for (word, expected) in [
            ("length", (AnswerState::Truncated, Ending::Cut)),
            ("MAX_TOKENS", (AnswerState::Truncated, Ending::Cut)),
            ("REASON_MAX_LEN", (AnswerState::Truncated, Ending::Cut)),
            ("content-filter", (AnswerState::Skipped, Ending::Blocked)),
            ("SAFETY", (AnswerState::Skipped, Ending::Blocked)),
            ("tool_use", (AnswerState::Partial, Ending::Waiting)),
            ("error", (AnswerState::Error, Ending::Own)),
            ("incomplete", (AnswerState::Truncated, Ending::Own)),
            ("in_progress", (AnswerState::Partial, Ending::Own)),
            ("STOP", (AnswerState::Complete, Ending::Own)),
            ("end_turn", (AnswerState::Complete, Ending::Own)),
            ("", (AnswerState::Complete, Ending::Own)),
        ] {
            assert_eq!(stopped(Some(word)), expected, "{word}");
        }
        assert_eq!(stopped(None), (AnswerState::Complete, Ending::Own));
    }
}
