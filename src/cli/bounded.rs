//! A template is a program, and may be a stranger's. It runs in a process of its own under limits that the
//! system keeps, whatever its engine does: on its steps, its memory, its depth.

use std::env;
use std::io::{self, Write};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use super::failure::Failure;

/// Memory that a template may take beyond what the response takes.
const MEMORY: u64 = 1 << 30;
/// Address space for its stack, which is as deep as the engine lets macros call each other.
const STACK: u64 = 16 << 20;
/// Processor time that it may take.
const SECONDS: u64 = 10;

/// Tells a process that it is the one under watch.
const WATCHED: &str = "CITESCOPE_WATCHED";

/// Does this very command in a process under watch, and says what came of it; `None` in that process itself.
pub(super) fn watched(name: &str) -> Option<Result<ExitCode, Failure>> {
    if env::var_os(WATCHED).is_some() {
        return None;
    }
    Some(watch(name))
}

fn watch(name: &str) -> Result<ExitCode, Failure> {
    let failed =
        |error: io::Error| Failure::Because(format!("{name}: no process can be started for it: {error}"));
    let program = env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    command.args(env::args_os().skip(1)).env(WATCHED, "1");
    let child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
    let ended = child.wait_with_output().map_err(failed)?;
    let Some(code) = ended.status.code() else {
        let why = broken(ended.status);
        return Err(Failure::Because(format!(
            "{name}: the template {why}; does it repeat or nest without end?"
        )));
    };
    let _ = io::stderr().write_all(&ended.stderr);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(2)))
}

/// Which limit ended a process.
fn broken(status: ExitStatus) -> String {
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status)
        .is_some_and(|signal| [signal_hook::consts::SIGXCPU, signal_hook::consts::SIGKILL].contains(&signal))
    {
        return format!("took more than {SECONDS} seconds of processor time");
    }
    let _ = status;
    format!("needs more than {} MB of memory, or nests too deeply", MEMORY >> 20)
}

/// Sets the limits for the rest of this process.
pub(super) fn limit() {
    // Who waits for it may be ended.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        use rustix::time::{ClockId, clock_gettime};
        // Where a limit cannot be set, the steps of the engine are left.
        let set = |resource, soft: u64, hard: u64| {
            let _ = setrlimit(resource, Rlimit { current: Some(soft), maximum: Some(hard) });
        };
        let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or_default();
        set(Resource::Cpu, used + SECONDS, used + SECONDS + 1);
        set(Resource::Core, 0, 0);
        if let Some((mapped, resident)) = memory() {
            // What the allocator has reserved is as good as taken; the stack grows beside it, up to its own
            // limit.
            let most = mapped.max(resident + MEMORY) + STACK;
            set(Resource::As, most, most);
        }
    }
}

/// Bytes of address space and of memory in use, where the system tells.
#[cfg(unix)]
fn memory() -> Option<(u64, u64)> {
    let told = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = told.split(' ').map_while(|pages| pages.parse::<u64>().ok());
    let page = rustix::param::page_size() as u64;
    Some((pages.next()? * page, pages.next()? * page))
}
