//! The program as a user runs it.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::Value;

/// The program. What tests depend on switches features of dependencies on, and the program that is built with
/// them is not quite the one that people have: CI gives that.
pub fn program() -> &'static str {
    static GIVEN: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("CITESCOPE_PROGRAM").ok());
    GIVEN.as_deref().unwrap_or(env!("CARGO_BIN_EXE_citescope"))
}

/// The program, to be given arguments and started.
pub fn command() -> Command {
    Command::new(program())
}

/// Runs the program with this on its standard input.
pub fn output<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>, input: impl AsRef<[u8]>) -> Output {
    let piped = Stdio::piped;
    let mut child = command().args(args).stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.as_ref();
    std::thread::scope(|scope| {
        // A program that ends before it has read everything closes the pipe: no error here.
        scope.spawn(move || drop(pipe.write_all(input).err()));
        child.wait_with_output().unwrap()
    })
}

/// Runs the program on text: exit status, output, errors.
pub fn run(args: &[&str], input: &str) -> (i32, String, String) {
    texts(output(args, input))
}

/// Exit status, output and errors of a run.
pub fn texts(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

pub fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}
