//! What signals ask of the screen.

#[cfg(unix)]
pub(super) use of_unix::{Signals, watch};
#[cfg(not(unix))]
pub(super) use without::{Signals, watch};

#[cfg(unix)]
mod of_unix {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use crate::store::Unfinished;
    use rustix::process::{Signal, getpgrp, getsid, kill_current_process_group};
    use signal_hook::consts::{
        SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
    };
    use signal_hook::iterator::Signals as Incoming;
    use signal_hook::low_level::{emulate_default_handler, raise};

    use super::super::input::forget_rest;
    use super::super::output::{leave, leave_for_good};

    /// How long the loop may take to hear of Ctrl-C before the program ends without it.
    const PATIENCE: Duration = Duration::from_millis(300);

    /// How long the program may run on before it is stopped, and how often it looks whether it was.
    const STOPPING: Duration = Duration::from_secs(1);
    const STEP: Duration = Duration::from_millis(5);

    /// What signals asked for.
    #[derive(Default)]
    pub struct Signals {
        continued: Arc<AtomicBool>,
        interrupted: Arc<AtomicBool>,
        ended: Arc<AtomicBool>,
    }

    /// A thread takes the signals: the loop may be waiting for keys, or at work. SIGTERM, SIGHUP and SIGQUIT
    /// leave the terminal and end; SIGINT does so where the loop does not; SIGTSTP leaves it and stops;
    /// SIGCONT lets the loop enter it again.
    pub fn watch() -> io::Result<Signals> {
        let out = Signals::default();
        let continued = Arc::clone(&out.continued);
        let interrupted = Arc::clone(&out.interrupted);
        let ended = Arc::clone(&out.ended);
        let end = move |signal: i32| {
            ended.store(true, Ordering::SeqCst);
            leave_for_good();
            Unfinished::remove();
            std::process::exit(128 + signal)
        };
        let ending = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2];
        let mut incoming = Incoming::new(ending.into_iter().chain([SIGTSTP, SIGCONT]))?;
        thread::Builder::new().spawn(move || {
            // The loop waits for events; a change of size is one.
            let wake = || _ = raise(SIGWINCH);
            for signal in &mut incoming {
                match signal {
                    // As the system does where nothing else is asked for: nobody could continue it.
                    SIGTSTP if is_orphaned() => {}
                    SIGTSTP => {
                        leave();
                        let _ = emulate_default_handler(SIGTSTP);
                    }
                    SIGCONT => {
                        continued.store(true, Ordering::SeqCst);
                        wake();
                    }
                    SIGINT => {
                        interrupted.store(true, Ordering::SeqCst);
                        wake();
                        let (interrupted, patient) = (Arc::clone(&interrupted), end.clone());
                        let waiting = thread::Builder::new().spawn(move || {
                            thread::sleep(PATIENCE);
                            if interrupted.load(Ordering::SeqCst) {
                                forget_rest();
                                patient(SIGINT);
                            }
                        });
                        if waiting.is_err() {
                            end(SIGINT);
                        }
                    }
                    signal => end(signal),
                }
            }
        })?;
        Ok(out)
    }

    /// Whether it was not a shell with jobs that began this: over ssh, in a container or as all of a window
    /// the program, or the script around it, leads its session.
    fn is_orphaned() -> bool {
        getsid(None).is_ok_and(|session| session == getpgrp())
    }

    impl Signals {
        /// Stops the program and those that wait for it (a script, `timeout`), as Ctrl-Z does outside of raw
        /// mode, until they are continued; false where no shell is there that would do that.
        pub fn suspend(&self) -> bool {
            if is_orphaned() {
                return false;
            }
            // The shell takes the terminal as soon as the others have stopped. Who touches it then is stopped
            // by that, and once more when all go on. The system itself stops all of them: what is first
            // taken by a handler, as SIGTSTP here, may stop this one behind the SIGCONT that continues them.
            leave();
            let stopped = kill_current_process_group(Signal::STOP).is_ok();
            let mut looks = STOPPING.as_millis() / STEP.as_millis();
            while stopped && looks > 0 && !self.continued.load(Ordering::SeqCst) {
                thread::sleep(STEP);
                looks -= 1;
            }
            self.continued.store(true, Ordering::SeqCst);
            true
        }
        /// Whether the program was continued after a stop; asks once.
        pub fn continued(&self) -> bool {
            self.continued.swap(false, Ordering::SeqCst)
        }
        /// Whether Ctrl-C was typed; asks once.
        pub fn interrupted(&self) -> bool {
            self.interrupted.swap(false, Ordering::SeqCst)
        }
        /// Whether the loop has something to do.
        pub fn waiting(&self) -> bool {
            self.continued.load(Ordering::SeqCst) || self.interrupted.load(Ordering::SeqCst)
        }
        /// Whether the program is to end.
        pub fn ended(&self) -> bool {
            self.ended.load(Ordering::SeqCst)
        }
    }
}

#[cfg(not(unix))]
mod without {
    /// No signals here.
    pub struct Signals;
    pub fn watch() -> std::io::Result<Signals> {
        Ok(Signals)
    }
    impl Signals {
        pub fn suspend(&self) -> bool {
            false
        }
        pub fn continued(&self) -> bool {
            false
        }
        pub fn interrupted(&self) -> bool {
            false
        }
        pub fn waiting(&self) -> bool {
            false
        }
        pub fn ended(&self) -> bool {
            false
        }
    }
}
