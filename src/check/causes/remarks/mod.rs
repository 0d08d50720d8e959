//! What the decoder remarked on the way a response was sent, and what was mended in its input: a rule a file.
//!
//! All in one pass: what was remarked together is reported in the order in which it was sent.

pub mod citations_unread;
pub mod field_missing;
pub mod fragment;
pub mod input_mended;
pub mod metadata_misplaced;
pub mod source_count;
pub mod source_order;
pub mod stream_cumulative;
pub mod stream_error;
pub mod stream_resent;
pub mod stream_retry;
pub mod stream_truncated;
pub mod text_edited;
pub mod value_type;

use crate::check::context::Context;
use crate::check::{Finding, Rule};
use crate::model::{NoticeKind, Remark, RemarkKind};
use crate::review::Review;

pub(super) fn check(review: &Review, context: &Context, found: &mut Vec<Finding>) {
    let response = &review.response;
    let (mistyped, others): (Vec<&Remark>, _) =
        response.remarks.iter().partition(|remark| remark.kind == RemarkKind::Mistyped);
    let finding =
        |remark: &Remark| Some(Finding::new(rule_of(remark)?, &remark.origin, remark.text.to_string()));
    found.extend(others.into_iter().filter_map(finding));
    value_type::check(&mistyped, found);
    input_mended::check(response, context, found);
}

/// The rule of a remark; none where another cause reports it, or where it is no fault.
fn rule_of(remark: &Remark) -> Option<&'static Rule> {
    Some(match remark.kind {
        RemarkKind::Truncated => &stream_truncated::STREAM_TRUNCATED,
        RemarkKind::Error => &stream_error::STREAM_ERROR,
        RemarkKind::Retry => &stream_retry::STREAM_RETRY,
        RemarkKind::Edited => &text_edited::TEXT_EDITED,
        RemarkKind::Resent => &stream_resent::STREAM_RESENT,
        RemarkKind::Cumulative => &stream_cumulative::STREAM_CUMULATIVE,
        RemarkKind::Mistyped | RemarkKind::UnknownKind => &value_type::VALUE_TYPE,
        RemarkKind::Missing => &field_missing::FIELD_MISSING,
        RemarkKind::Fragment => &fragment::FRAGMENT,
        RemarkKind::Uncounted => &source_count::SOURCE_COUNT,
        RemarkKind::Reordered => &source_order::SOURCE_ORDER,
        RemarkKind::Unread => &citations_unread::CITATIONS_UNREAD,
        RemarkKind::Misplaced => &metadata_misplaced::METADATA_MISPLACED,
        // Our own form carries notices as remarks; a truncated one has a remark of its own.
        // With all else that an answer says twice.
        RemarkKind::Doubled => return None,
        RemarkKind::Mended if remark.notice == Some(NoticeKind::CutInValue) => return None,
        RemarkKind::Mended => &input_mended::INPUT_MENDED,
        // `source-kind`, `step-failed`, no fault, `citation-zero`, `source-text-mismatch`.
        RemarkKind::TwoKinds
        | RemarkKind::ToolError
        | RemarkKind::Joined
        | RemarkKind::NoPlace
        | RemarkKind::ClaimRanges
        | RemarkKind::NoDocument
        | RemarkKind::Guessed => {
            return None;
        }
    })
}
