//! Rules on the way a response was sent.

use std::collections::BTreeMap;

use super::Finding;
use crate::model::{Notice, NoticeKind, Remark, RemarkKind};
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, notices: &[Notice], found: &mut Vec<Finding>) {
    // One cause is one finding, wherever it occurs.
    let mut mistyped: BTreeMap<&str, Vec<&Remark>> = BTreeMap::new();
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
            RemarkKind::Misplaced => "metadata-misplaced",
            // Reported as a truncated stream.
            RemarkKind::Mended if remark.notice == Some(NoticeKind::CutInValue) => continue,
            RemarkKind::Mended => "input-mended",
            // Told by the rules on sources and traces, or no fault.
            RemarkKind::TwoKinds | RemarkKind::ToolError | RemarkKind::Joined => continue,
        };
        if remark.kind == RemarkKind::Mistyped {
            mistyped.entry(remark.text.as_str()).or_default().push(remark);
        } else {
            found.push(Finding::new(rule, &remark.origin, remark.text.clone()));
        }
    }
    for (text, remarks) in mistyped {
        let Some(first) = remarks.first() else { continue };
        let more = match remarks.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        found.push(Finding::new("value-type", &first.origin, format!("{text} at {}{more}", first.origin.path)));
    }
    for notice in notices {
        if notice.kind() != NoticeKind::CutInValue {
            found.push(Finding::new("input-mended", &reviewed.response.origin, notice.to_string()));
        }
    }
}
