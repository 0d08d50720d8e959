//! Rules on the way a response was sent.

use super::Finding;
use crate::model::RemarkKind;
use crate::pipeline::Reviewed;

pub(super) fn check(reviewed: &Reviewed, notices: &[String], found: &mut Vec<Finding>) {
    for remark in &reviewed.response.remarks {
        let rule = match remark.kind {
            RemarkKind::Truncated => "stream-truncated",
            RemarkKind::Error => "stream-error",
            RemarkKind::Retry => "stream-retry",
            RemarkKind::Edited => "text-edited",
            RemarkKind::Resent => "stream-resent",
            RemarkKind::Cumulative => "stream-cumulative",
            RemarkKind::Mistyped | RemarkKind::UnknownKind => "value-type",
            RemarkKind::Missing => "field-missing",
            RemarkKind::Fragment => "fragment",
            // Told by the rules on sources and traces, or no fault.
            RemarkKind::TwoKinds | RemarkKind::ToolError | RemarkKind::Joined => continue,
        };
        let text = match remark.kind {
            RemarkKind::Mistyped => format!("{} at {}", remark.text, remark.origin.path),
            _ => remark.text.clone(),
        };
        found.push(Finding::new(rule, &remark.origin, text));
    }
    for notice in notices {
        // The end of the input inside a value is told as a truncated stream.
        if !notice.starts_with("the input ends in the middle") {
            found.push(Finding::new("input-mended", &reviewed.response.origin, notice.clone()));
        }
    }
}
