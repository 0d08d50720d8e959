//! What a rule is. Each rule is a constant of its type, so that a mistyped one does not compile; its id is
//! the word of the machine output and of the command line.

use std::fmt;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// A citation cannot be relied upon as it was sent.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The severity of a word of the machine output.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Error, Self::Warning, Self::Note].into_iter().find(|severity| severity.word() == word)
    }

    /// The word of the machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// What rules look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// Where supports lie in the answer.
    Offsets,
    /// What is cited.
    Sources,
    /// How sure the provider is of its citations.
    Scores,
    /// Steps and searches.
    Traces,
    /// How the response was sent.
    Stream,
    /// The answer as a whole.
    Answer,
    /// Words of claims against words of chunks.
    Content,
    /// What could deceive a reader.
    Safety,
}

impl Group {
    /// The word of the lists.
    pub fn word(self) -> &'static str {
        match self {
            Self::Offsets => "offsets",
            Self::Sources => "sources",
            Self::Scores => "scores",
            Self::Traces => "traces",
            Self::Stream => "stream",
            Self::Answer => "answer",
            Self::Content => "content",
            Self::Safety => "safety",
        }
    }
}

/// A rule.
#[non_exhaustive]
pub struct Rule {
    /// Stable: a change of meaning needs a new id.
    pub id: &'static str,
    /// What it looks at.
    pub group: Group,
    /// How bad its findings are.
    pub severity: Severity,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Why it matters and what to do, in one line.
    pub help: &'static str,
    /// Whether offsets that it finds wrong can be put right where their place is certain.
    pub repairable: bool,
    /// Rules whose findings are a consequence of this one's cause: beside it they are not reported.
    pub supersedes: &'static [&'static Rule],
    /// What it means, how it is known, and an example before and after: Markdown that reads well as it is.
    pub explain: &'static str,
}

impl Rule {
    /// What most rules are: not repairable, superseding none.
    pub(crate) const PLAIN: Self = Self {
        id: "",
        group: Group::Answer,
        severity: Severity::Note,
        summary: "",
        help: "",
        repairable: false,
        supersedes: &[],
        explain: "",
    };

    /// Whether it compares wording: never more than a warning, and no severity selects it to fail a run.
    pub fn is_content(&self) -> bool {
        self.group == Group::Content
    }
}

/// Ids are unique.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.id).finish()
    }
}
