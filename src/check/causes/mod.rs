//! The registry of rules: one file a cause, which holds the rules of that cause with their explanations, the
//! function that finds it, and its near misses.
//!
//! A new rule is its cause's file and one line in [`RULES`]; a new cause is one in `CHECKS`, too.

pub mod address_deceptive;
pub mod address_foreign;
pub mod answer_empty;
pub mod auth_orphan;
pub mod check_contradiction;
pub mod coverage;
pub mod draft_repeated;
pub mod drift;
pub mod encoding_mojibake;
pub mod encoding_replaced;
pub mod entry_point;
pub mod flag_orphan;
pub mod index_shift;
pub mod marker_orphan;
pub mod marks;
pub mod offset_midword;
pub mod offset_range;
pub mod offset_split;
pub mod other_title;
pub mod outcome;
pub mod own_list;
pub mod page_unfetched;
pub mod query_idle;
pub mod quote;
pub mod reading;
pub mod remarks;
pub mod score_count;
pub mod score_low;
pub mod score_range;
pub mod segment;
pub mod segment_markup;
pub mod segment_nested;
pub mod slot_missing;
pub mod source_address;
pub mod source_duplicate;
pub mod source_empty;
pub mod source_index;
pub mod source_kind;
pub mod source_text;
pub mod source_unused;
pub mod step_failed;
pub mod support_repeated;
pub mod text_control;
pub mod text_other_event;
pub mod time_order;
pub mod trace_join;
pub mod trace_late;
pub mod ungrounded;
pub mod unnumbered;
pub mod wording;

use super::context::{Context, Siblings};
use super::{Finding, Rule};
use crate::review::Review;

/// The rule of an id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

/// All rules in the order of the catalogue, group by group. SARIF's `ruleIndex` counts in it.
pub static RULES: &[&Rule] = &[
    &reading::OFFSET_UNIT,
    &reading::OFFSET_BASE,
    &reading::OFFSET_INCLUSIVE,
    &reading::OFFSET_SHIFT,
    &drift::OFFSET_DRIFT,
    &offset_range::OFFSET_RANGE,
    &offset_split::OFFSET_SPLIT,
    &offset_midword::OFFSET_MIDWORD,
    &slot_missing::SLOT_MISSING,
    &unnumbered::PART_INDEX,
    &unnumbered::OFFSET_UNREADABLE,
    &quote::QUOTE_MISMATCH,
    &quote::QUOTE_GONE,
    &quote::QUOTE_AMBIGUOUS,
    &quote::QUOTE_ELIDED,
    &marks::MARKER_FORM,
    &marks::CITATION_ZERO,
    &marks::GATEWAY_UNIT,
    &segment::SEGMENT_MISSING,
    &segment::SEGMENT_EMPTY,
    &segment_markup::SEGMENT_MARKUP,
    &segment_nested::SEGMENT_NESTED,
    &support_repeated::SUPPORT_REPEATED,
    &text_other_event::TEXT_OTHER_EVENT,
    &source_index::SOURCE_INDEX,
    &source_text::SOURCE_TEXT_MISMATCH,
    &remarks::source_count::SOURCE_COUNT,
    &remarks::source_order::SOURCE_ORDER,
    &remarks::citations_unread::CITATIONS_UNREAD,
    &source_unused::SOURCE_UNUSED,
    &source_duplicate::SOURCE_DUPLICATE,
    &source_empty::SOURCE_EMPTY,
    &source_kind::SOURCE_KIND,
    &source_address::SOURCE_ADDRESS,
    &source_address::SOURCE_REDIRECT,
    &page_unfetched::PAGE_UNFETCHED,
    &score_count::SCORE_COUNT,
    &score_range::SCORE_RANGE,
    &score_low::SCORE_LOW,
    &trace_join::TRACE_MISSING,
    &trace_join::TRACE_INFERRED,
    &trace_join::TRACE_AMBIGUOUS,
    &trace_join::TRACE_MISMATCH,
    &trace_late::TRACE_LATE,
    &query_idle::QUERY_IDLE,
    &step_failed::STEP_FAILED,
    &auth_orphan::AUTH_ORPHAN,
    &remarks::stream_truncated::STREAM_TRUNCATED,
    &remarks::stream_error::STREAM_ERROR,
    &remarks::stream_retry::STREAM_RETRY,
    &remarks::stream_cumulative::STREAM_CUMULATIVE,
    &remarks::stream_resent::STREAM_RESENT,
    &remarks::text_edited::TEXT_EDITED,
    &time_order::TIME_ORDER,
    &remarks::value_type::VALUE_TYPE,
    &remarks::field_missing::FIELD_MISSING,
    &remarks::input_mended::INPUT_MENDED,
    &remarks::metadata_misplaced::METADATA_MISPLACED,
    &remarks::fragment::FRAGMENT,
    &outcome::ANSWER_SKIPPED,
    &outcome::ANSWER_FAILED,
    &outcome::ANSWER_UNFINISHED,
    &outcome::ANSWER_BLOCKED,
    &outcome::ANSWER_CUT,
    &answer_empty::ANSWER_EMPTY,
    &ungrounded::UNGROUNDED,
    &ungrounded::SEARCHED_UNATTRIBUTED,
    &coverage::COVERAGE_LOW,
    &coverage::SENTENCE_UNCITED,
    &coverage::SLOT_EMPTY,
    &draft_repeated::DRAFT_REPEATED,
    &marker_orphan::MARKER_ORPHAN,
    &address_foreign::ADDRESS_FOREIGN,
    &encoding_mojibake::ENCODING_MOJIBAKE,
    &encoding_replaced::ENCODING_REPLACED,
    &check_contradiction::CHECK_CONTRADICTION,
    &flag_orphan::FLAG_ORPHAN,
    &entry_point::ENTRY_POINT_BROKEN,
    &wording::OTHER_CHUNK,
    &wording::NUMBER_MISSING,
    &wording::WORDING_LITTLE,
    &index_shift::INDEX_SHIFT,
    &other_title::OTHER_TITLE,
    &text_control::TEXT_CONTROL,
    &address_deceptive::ADDRESS_DECEPTIVE,
];

/// How a cause is looked for.
pub(super) enum Check {
    /// In the response alone.
    Response(fn(&Review, &mut Vec<Finding>)),
    /// With the notices of its input and the code in its answer.
    InContext(fn(&Review, &Context, &mut Vec<Finding>)),
    /// Among all responses of its record.
    Record(fn(&Siblings, usize, &mut Vec<Finding>)),
    /// In the comparison of every claim with its chunks.
    Content(fn(&Review, &mut Vec<Finding>)),
}

use Check::{Content, InContext, Record, Response};

/// All causes, in the order in which findings of one severity are reported.
pub(super) const CHECKS: &[Check] = &[
    Response(reading::check),
    Response(drift::check),
    Response(unnumbered::check),
    Response(quote::check),
    Response(marks::check),
    Response(offset_range::check),
    Response(offset_split::check),
    Response(segment::check),
    Response(offset_midword::check),
    Response(slot_missing::check),
    Response(segment_markup::check),
    Response(segment_nested::check),
    Response(support_repeated::check),
    Response(source_index::check),
    Response(own_list::check),
    Response(source_duplicate::check),
    Response(page_unfetched::check),
    Response(source_empty::check),
    Response(source_kind::unknown),
    Response(source_address::check),
    Response(source_text::check),
    Response(source_unused::check),
    Response(source_kind::two_kinds),
    Response(score_count::check),
    Response(score_range::check),
    Response(score_low::check),
    Response(trace_join::check),
    Response(trace_late::check),
    Response(step_failed::check),
    Response(query_idle::check),
    InContext(remarks::check),
    Response(outcome::check),
    Response(ungrounded::check),
    Response(check_contradiction::check),
    Response(flag_orphan::check),
    Response(time_order::check),
    Response(entry_point::check),
    Response(coverage::check),
    Response(draft_repeated::check),
    InContext(marker_orphan::check),
    InContext(address_foreign::check),
    Response(encoding_mojibake::check),
    InContext(encoding_replaced::check),
    Response(text_control::check),
    Response(address_deceptive::check),
    Record(text_other_event::check),
    Record(auth_orphan::check),
    Record(answer_empty::check),
    Content(wording::check),
    Content(index_shift::check),
    Content(other_title::check),
];
