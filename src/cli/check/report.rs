//! What a worker says of a record.

use std::io;
use std::sync::Arc;

use super::checked::Tally;
use super::overview::Facts;
use crate::cli::written::Written;

/// What a worker makes of a record: lines of the report, and what else there is to say.
pub(super) struct Report {
    pub file: Arc<str>,
    /// The report in its format; empty where there is nothing to report.
    pub body: io::Result<Written>,
    /// For standard error.
    pub message: Option<String>,
    pub tally: Tally,
    /// The input as a whole could not be read.
    pub failed_file: bool,
    /// Where only counts are wanted, what each response adds.
    pub facts: Vec<Facts>,
    /// Bytes that it is of.
    pub bytes: usize,
}
