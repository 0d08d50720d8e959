//! The command line: one definition from which the parser, `--help`, completions and the man page are made.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::export::{self, ExportTarget, TARGETS};
use crate::format::what_is_read;

const ABOUT: &str = "Explore, check and copy the citations of grounded language-model answers";

/// What `--help` begins with: what the registry's formats are, in one sentence.
fn long_about() -> String {
    let read = what_is_read();
    format!(
        "{ABOUT}.\n\nReads {read}, as JSON, JSON arrays, JSON Lines or event streams. Offline: nothing is sent anywhere."
    )
}

/// The arguments of the program.
#[derive(Debug, Parser)]
#[command(name = "citescope", version, args_conflicts_with_subcommands = true)]
#[command(about = ABOUT, long_about = long_about())]
#[command(
    after_help = "Without FILE in a terminal the built-in samples open. `-` or a pipe: standard input. Press \
        ? on the screen for its keys."
)]
pub struct Cli {
    /// What to do instead of exploring
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Files or directories with grounded responses; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Read the files again whenever they change
    #[arg(long)]
    pub watch: bool,
    /// Options of every command
    #[command(flatten)]
    pub common: Common,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Text of the answer, for responses that carry none (check-grounding, fragments)
    #[arg(long, value_name = "FILE", global = true)]
    pub answer: Option<PathBuf>,
    /// Text of sources that carry none, such as web pages: lines of {"uri", "text"} or {"record", "index",
    /// "text"}
    #[arg(long, value_name = "FILE.jsonl", global = true)]
    pub source_text: Option<PathBuf>,
    /// The request that the responses answer: its question, and the documents into which citations point
    #[arg(long, value_name = "FILE", global = true)]
    pub request: Option<PathBuf>,
    /// Colours: `auto` follows the terminal and `NO_COLOR`
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: When,
    /// Show credentials (keys, tokens, passwords), which are masked otherwise
    #[arg(long, global = true)]
    pub show_secrets: bool,
    /// Where things stand in a JSON of your own: a TOML file (see `citescope map`), before the formats of
    /// providers; `citescope.toml` beside or above the input is found, behind them
    #[arg(long, value_name = "FILE.toml", global = true)]
    pub map: Option<PathBuf>,
    /// Read records however much memory they take
    #[arg(long, global = true)]
    pub no_limits: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// As the terminal and `NO_COLOR` say
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Report what does not hold together: offsets, quotes, indices, scores, traces, wording
    ///
    /// Exit status: 0 no finding fails the run, 1 some do (see --fail-on), 2 some input could not be read; 2
    /// beats 1. Machine formats count records, responses, supports and sources from 0, text from 1.
    Check(Check),
    /// Print a response with its citations
    Export(Export),
    /// Write the input again with its offsets repaired
    ///
    /// Only numbers that are wrong are replaced; every other byte stays. What cannot be repaired with
    /// certainty (a shortened quote, one that occurs several times, offsets without a quote) is left as it is
    /// and named on standard error. Exit status: 0 all repaired or nothing to repair, 1 some left, 2 failed.
    Fix(Fix),
    /// Compare claims with texts: JSON Lines in, JSON Lines out
    Score(Score),
    /// Propose a map of a JSON of your own, or say what one reads
    Map(MapCommand),
    /// Count what people decided of claims on the screen (+ right, - wrong, _ unsure), or compare two of them
    Review(ReviewCommand),
    /// Show, write or check the settings of the screen: its theme and its keys
    Config(ConfigCommand),
    /// List the formats that are read
    Formats,
    /// List the rules behind the findings, or explain one
    Rules {
        /// Id of a rule
        rule: Option<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page of the program, or of a command
    Man {
        /// The command
        command: Option<String>,
    },
}

/// What a template sees.
const TEMPLATES: &str = "\
Templates (Jinja syntax): a template sees one response by the names of `--to json`: answer, sources, \
queries, question,
model, … What was not sent is written as nothing; a name that does not exist is an error. Beside them:
  marked(mark)      the answer with what your macro `mark(span)` makes of each span put at its end;
                    span.cites: number, source and citation of each source cited; span.support.
                    marked(mark, plain) passes the text between through a macro or a filter (\"html\")
  cited             number and source of each cited source, by number
  | md html csv     escaped for Markdown, HTML, a field of CSV
  | one_line        without line breaks
  | date            a date as --date says; date(\"iso\") 2026-05-28, date(\"brand\") May 28, 2026
  prefix            what footnotes begin with: --prefix, and what keeps them apart from those of the answer
  | domain  | web   of an address: its domain; the address if it may be linked (http, https), else nothing
  | site            of a source: its domain, the title of a redirect, else the host of its address
  | label   | link  of a source: its name for people; that as a Markdown link
The filters of Jinja are there too: default, join, length, lower, replace, round, sort, unique, upper, …

  {% macro mark(span) %}{% for cite in span.cites %}[{{ cite.number }}]{% endfor %}{% endmacro %}
  {{ marked(mark) }}
  {% for cite in cited %}
  {{ cite.number }}. {{ cite.source | label }}, {{ cite.source | site }}
  {% endfor %}";

/// `citescope export`.
#[allow(clippy::struct_excessive_bools)] // each is a flag
#[derive(Debug, Args)]
#[command(after_long_help = TEMPLATES)]
pub struct Export {
    /// What to print
    #[arg(
        long,
        value_name = "TARGET",
        value_parser = targets(),
        required_unless_present = "template",
        conflicts_with = "template"
    )]
    pub to: Option<&'static ExportTarget>,
    /// Print through a template of your own (see below; examples: assets/templates)
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// Which response, where there are several: RECORD or RECORD.ITEM as counted from 1 in the list, or an id
    #[arg(long, value_name = "WHICH")]
    pub response: Option<String>,
    /// How sources are numbered [default: provider, the same in all that is taken of a response]
    #[arg(long, value_name = "SCHEME")]
    pub number: Option<Number>,
    /// What stands before the numbers of footnotes, so that those of several answers keep apart in one
    /// document
    #[arg(long, value_name = "TEXT", default_value = "", value_parser = prefix)]
    pub prefix: String,
    /// Leave a provider's own marks in the answer, beside ours
    #[arg(long)]
    pub keep_marks: bool,
    /// Say which of the provider's sources go by which number
    #[arg(long)]
    pub mapping: bool,
    /// Only this support, as counted from 1
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["source", "template"])]
    pub support: Option<usize>,
    /// Only this source, by its place in what the provider sent, from 1
    #[arg(long, value_name = "NUMBER", conflicts_with = "template")]
    pub source: Option<usize>,
    /// With --to jsonl: take each line for a record of its own and write exactly one object for it, in order:
    /// {"schema", "line", "responses"}, and "error" for what of it cannot be read; "file" where there are
    /// several
    #[arg(long, conflicts_with_all = ["template", "response", "support", "source"])]
    pub each_line: bool,
    /// Cite results of tools as a whole, too (left out otherwise)
    #[arg(long)]
    pub tools: bool,
    /// How dates of sources are written [default: iso in footnotes, brand elsewhere]
    #[arg(long, value_name = "STYLE")]
    pub date: Option<Date>,
    /// Files or directories; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `citescope check`.
#[derive(Debug, Args)]
pub struct Check {
    /// How to report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: CheckFormat,
    /// What fails the run: a severity (error, warning, note) and worse, rules by id, or never. Rules that
    /// compare wording (other-chunk, number-missing, wording-little, index-shift, other-title) fail it only
    /// by name
    #[arg(long, value_name = "WHAT", value_delimiter = ',', default_value = "error")]
    pub fail_on: Vec<String>,
    /// Rules to leave out, by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Do not compare claims with chunks (faster), unless a rule named by --fail-on has to
    #[arg(long)]
    pub no_content: bool,
    /// Only count: by rule, format and site of the sources, and how much of the answers rests on sources
    /// (text, or --format json)
    #[arg(long, conflicts_with_all = ["each_line", "explain"])]
    pub summary: bool,
    /// Check so many records only, chosen at random, the same ones for the same --seed
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["each_line", "explain"])]
    pub sample: Option<NonZeroUsize>,
    /// What --sample is chosen by
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "sample")]
    pub seed: u64,
    /// Take each line for a record of its own and write exactly one object for it, in order: {"schema",
    /// "line", "responses"}, and "error" for what of it cannot be read; "file" where there are several
    #[arg(long, conflicts_with_all = ["format", "explain"])]
    pub each_line: bool,
    /// Lay the comparison of one support open instead: tokens, weights, windows, thresholds. SUPPORT or
    /// RECORD[.ITEM]:SUPPORT, as counted from 1
    #[arg(long, value_name = "WHICH", conflicts_with_all = ["format", "fail_on", "ignore", "no_content"])]
    pub explain: Option<String>,
    /// Files or directories; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Formats of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people
    Text,
    /// One JSON document (schema citescope-check/1)
    Json,
    /// A response a line, as they are checked
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

/// `citescope fix`.
#[derive(Debug, Args)]
pub struct Fix {
    /// Print the changes instead of the repaired input
    #[arg(long)]
    pub dry_run: bool,
    /// Replace the file by the repaired one, whole or not at all
    #[arg(long, conflicts_with = "dry_run")]
    pub in_place: bool,
    /// Replace it also where it is read-only or has other names, or where its owner or attributes get lost
    #[arg(long, requires = "in_place")]
    pub force: bool,
    /// A file; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// What a map looks like.
const MAPS: &str = "\
A map is a TOML file of paths. Those below a list count from an element of it; leave out what there is not:

  answer = \"result.text\"
  queries = \"searches[*].q\"
  [spans]
  list = \"result.spans[*]\"
  start = \"start\"
  end = \"end\"                    # or length = \"…\"
  unit = \"characters\"             # bytes, characters, utf16
  quote = \"words\"
  source = \"source_ids[*]\"        # ids, numbers or indices
  count_from = 1                   # where sources have no ids; 0 or 1
  [markers]                        # instead of spans: marks in the text
  pattern = '\\[source:([^\\]]+)\\]'  # without a pattern: [n] and links
  [sources]
  list = \"sources[*]\"
  id = \"id\"
  title = \"title\"
  url = \"url\"
  text = \"excerpt\"
  score = \"score\"
";

/// `citescope map`.
#[derive(Debug, Args)]
#[command(after_long_help = MAPS)]
pub struct MapCommand {
    /// Propose a map from a file by looking at its keys
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub init: Option<PathBuf>,
    /// Say what of the files is read, and what not (so without it)
    #[arg(long)]
    pub check: bool,
    /// Files or directories; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `citescope review`.
#[derive(Debug, Args)]
#[command(after_help = "\
Marks stand in INPUT.review.jsonl beside the input, a line each: id (RECORD.ITEM:START-END), label (right, wrong, \
unsure), note, by, claim, evidence. `citescope score` reads them as they are.")]
pub struct ReviewCommand {
    /// How far two people agree: the counts of each pair of decisions, and Cohen's kappa
    #[arg(long, value_names = ["A", "B"], num_args = 2, conflicts_with = "files")]
    pub agreement: Option<Vec<PathBuf>>,
    /// Files of marks, or inputs with marks beside them
    #[arg(value_name = "FILE", required_unless_present = "agreement")]
    pub files: Vec<PathBuf>,
}

/// `citescope config`.
#[derive(Debug, Args)]
pub struct ConfigCommand {
    /// Write a file with all settings, commented; one that is there stays
    #[arg(long, conflicts_with = "check")]
    pub init: bool,
    /// Say what is wrong with the settings
    #[arg(long)]
    pub check: bool,
    /// The file [default: what `CITESCOPE_CONFIG` names, else citescope/config.toml among the user's
    /// settings]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// `citescope score`.
#[derive(Debug, Args)]
#[command(after_help = "\
In, a line: {\"id\": …, \"claim\": \"…\", \"evidence\": [\"text\" or {\"title\": \"…\", \"text\": \"…\"}, \
…], \"others\": […]}
Out, a line in its order: id, cover (0 to 1: how much of the claim's wording the evidence holds), windows \
(the best \
passage of each evidence text, best first: text counts from 0, start and end are UTF-8 bytes of it, cover), \
missing_numbers, missing_names, outcome (unchecked, other-chunk, number-missing, found, partly, little), \
margin (the \
best of the others less the best of the evidence), better (text counts in others, cover; where it is the \
outcome), and \
why where it is unchecked. A line that cannot be used gives {\"line\": n, \"error\": \"…\"} in its place; \
the run then \
ends with 2. What is said is what was compared, not what is true.")]
pub struct Score {
    /// The lines; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// The names of the targets, with what each gives.
fn targets() -> impl TypedValueParser<Value = &'static ExportTarget> {
    let names = PossibleValuesParser::new(
        TARGETS.iter().map(|target| PossibleValue::new(target.id).help(target.gives)),
    );
    names.try_map(|id| export::target(&id).ok_or("there is no such target"))
}

/// Numberings of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Number {
    /// The provider's index + 1, nothing merged
    Provider,
    /// By first use, duplicates merged
    Compact,
}

/// Styles of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Date {
    /// 2026-05-28
    Iso,
    /// May 28, 2026
    Brand,
}

/// A prefix of footnotes: letters, digits, `-` and `_`.
fn prefix(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if text.chars().all(plain) {
        Ok(text.to_owned())
    } else {
        Err("letters, digits, - and _ only".to_owned())
    }
}
