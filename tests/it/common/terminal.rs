//! The program in a pseudo-terminal, and what is seen there.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::program::program;

/// How long a screen may take; generous, since nothing here measures speed.
pub const PATIENCE: Duration = Duration::from_mins(3);

pub struct Terminal {
    pub master: Box<dyn MasterPty + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub writer: Box<dyn Write + Send>,
    pub output: Receiver<Vec<u8>>,
    pub parser: vt100::Parser,
    pub raw: Vec<u8>,
}

impl Terminal {
    pub fn run(command: &mut CommandBuilder, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system()
            .openpty(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 })
            .unwrap();
        let folder = env!("CARGO_TARGET_TMPDIR");
        for (name, value) in [
            ("TERM", "xterm-256color"),
            ("SSH_CONNECTION", "test"),
            ("COLORFGBG", "15;0"),
            ("CITESCOPE_CONFIG", &format!("{folder}/no-settings.toml")),
        ] {
            command.env(name, value);
        }
        if let Some(settings) = command.get_env("KEPT_CONFIG").map(ToOwned::to_owned) {
            command.env("CITESCOPE_CONFIG", settings);
        }
        for name in ["NO_COLOR", "TMUX", "DISPLAY", "WAYLAND_DISPLAY"] {
            if command.get_env(name).is_none_or(|value| value != "kept") {
                command.env_remove(name);
            }
        }
        if command.get_cwd().is_none() {
            command.cwd(env!("CARGO_MANIFEST_DIR"));
        }
        let child = pair.slave.spawn_command(command.clone()).unwrap();
        let writer = pair.master.take_writer().unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            master: pair.master,
            child,
            writer,
            output,
            parser: vt100::Parser::new(cells(rows), cells(columns), 0),
            raw: Vec::new(),
        }
    }

    pub fn open(args: &[&str]) -> Self {
        let mut command = CommandBuilder::new(program());
        command.args(args);
        Self::run(&mut command, 100, 30)
    }

    pub fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    pub fn take(&mut self, wait: Duration) {
        if let Ok(bytes) = self.output.recv_timeout(wait) {
            self.parser.process(&bytes);
            self.raw.extend(bytes);
        }
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
        self.parser.screen_mut().set_size(cells(rows), cells(columns));
    }

    /// Lets go of what came some time ago; the screen stays.
    pub fn forget(&mut self) {
        self.raw.drain(..self.raw.len().saturating_sub(1 << 16));
    }

    /// The last lines that came, whatever steers a terminal in them.
    pub fn said(&self) -> String {
        let all = String::from_utf8_lossy(&self.raw);
        let lines: Vec<&str> = all.lines().rev().take(40).collect();
        lines.into_iter().rev().map(|line| format!("{}\n", line.escape_debug())).collect()
    }

    /// Number of the program's process.
    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits until the screen shows something.
    pub fn until(&mut self, words: &str) {
        let start = Instant::now();
        while !self.screen().contains(words) {
            assert!(start.elapsed() < PATIENCE, "waiting for {words:?} on\n{}", self.screen());
            self.take(Duration::from_millis(50));
        }
    }

    /// Waits until the screen shows one of several things; which.
    pub fn until_any(&mut self, words: &[&str]) -> usize {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if let Some(found) = words.iter().position(|words| screen.contains(words)) {
                return found;
            }
            assert!(start.elapsed() < PATIENCE, "waiting for {words:?} on\n{screen}");
            self.take(Duration::from_millis(50));
        }
    }

    /// Whether the program has written these bytes, which may show nothing.
    pub fn wrote(&self, sought: &[u8]) -> bool {
        self.raw.windows(sought.len()).any(|bytes| bytes == sought)
    }

    /// Waits until the program has written these bytes.
    pub fn until_raw(&mut self, sought: &[u8]) {
        let start = Instant::now();
        while !self.wrote(sought) {
            assert!(start.elapsed() < PATIENCE, "waiting for {:?}", String::from_utf8_lossy(sought));
            self.take(Duration::from_millis(5));
        }
    }

    /// Waits until nothing more comes for a while.
    pub fn still(&mut self) {
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(250)) {
            self.parser.process(&bytes);
            self.raw.extend(bytes);
        }
    }

    pub fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Waits for the end; the exit code.
    pub fn ended(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            self.take(Duration::from_millis(20));
            if let Some(status) = self.child.try_wait().unwrap() {
                // What it wrote last may come late on a busy machine; behind it the terminal is closed.
                while let Ok(bytes) = self.output.recv_timeout(Duration::from_secs(2)) {
                    self.parser.process(&bytes);
                    self.raw.extend(bytes);
                }
                return status.exit_code();
            }
            assert!(start.elapsed() < PATIENCE, "does not end:\n{}", self.screen());
        }
    }

    pub fn assert_restored(&self) {
        let screen = self.parser.screen();
        assert!(
            !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste(),
            "the terminal is not as it was"
        );
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }
}

fn cells(count: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(count).unwrap()
}
