//! A running program: lines go in and come out, under its limits.

use std::io;
use std::ops::ControlFlow;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use yarra_engine::{AgentError, Failure, Fault};

use super::account::{Account, Exceeded, MAX_FULL_PROCESSES, OFF_CLOCK};
use super::delay::RunDelays;
use super::meter::{MemoryMeasure, Meter};
use super::pipes::Pipes;
use super::waiting::Waiting;
use crate::Allowance;
use crate::jail::{Jail, Layer, ResourceLimits, Started};

/// A program in a sandbox, killed with all its processes when dropped.
///
/// The referee waits for it in one place only, [`Pipes::turn`], which writes what the program takes, reads what it
/// prints and checks its limits. Nothing here blocks on the program.
pub struct Process {
    child: Child,
    pipes: Pipes,
    /// The number of bytes of replies when the last line was sent.
    n_replies_before: usize,
    account: Account,
    /// Its own folder, as it sees it and as its author knows it.
    home: Option<(String, String)>,
    waiting: Waiting,
    delays: RunDelays,
    /// The meter's CPU time when the wait was last counted.
    cpu_counted: Duration,
    /// Wall-clock time for the answer to what was sent last.
    patience: Duration,
    /// Holds the program's temporary folder; dropped after the program was killed.
    _jail: Jail,
}

/// How often a watch is asked whether to go on.
const WATCH_INTERVAL: Duration = Duration::from_millis(20);
/// The longest line that is accepted.
const MAX_LINE: usize = 1 << 20;
/// More output than this in a game is the fault `flood`.
const MAX_OUTPUT: usize = 10_000_000;
/// So are more lines for the referee than this in answer to one request.
const MAX_REPLIES: usize = 10_000_000;
/// Memory beyond the limits of its processes after which the kernel kills a program: its interpreter and its files in
/// memory are not counted there.
const SPARE_MEMORY: u64 = 256 << 20;
/// Time for a program that has closed its pipes to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

impl Process {
    /// Starts a program in a sandbox.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        jail: &Jail,
        program: &Path,
        args: &[String],
        allowance: Allowance,
        memory: MemoryMeasure,
    ) -> io::Result<Process> {
        let limits = ResourceLimits {
            cpu_seconds: allowance.time.map(|time| (2 * (time + OFF_CLOCK)).as_secs()),
            total_memory: allowance.memory.map(|limit| MAX_FULL_PROCESSES * limit + SPARE_MEMORY),
            ..ResourceLimits::default()
        };
        let Started { mut child, group } = jail.start(program, args, limits)?;
        let n_supervisors = if jail.layers().has(Layer::Processes) { 2 } else { 1 };
        let meter = Meter::new(child.id(), n_supervisors, memory, group);
        let mut account = Account::new(meter, allowance);
        if memory == MemoryMeasure::Resident {
            // Nothing of it is an interpreter that the referee has chosen.
            account.count_all_memory();
        }
        Ok(Process {
            pipes: Pipes::new(&mut child)?,
            n_replies_before: 0,
            child,
            account,
            home: None,
            waiting: Waiting::new(),
            delays: RunDelays::default(),
            cpu_counted: Duration::ZERO,
            patience: allowance.call,
            _jail: jail.clone(),
        })
    }

    /// Lets tracebacks name files as the author of the program knows them: those in `inside` are in `outside`.
    pub fn set_home(&mut self, inside: &Path, outside: &Path) {
        let [inside, outside] = [inside, outside].map(|path| path.join("").display().to_string());
        self.home = Some((inside, outside));
    }

    /// Counts memory above the present use from now on.
    pub fn set_baseline(&mut self) {
        self.account.set_baseline();
    }

    /// Starts the clock.
    pub fn start_clock(&mut self) {
        self.account.start_clock();
    }

    /// Starts the clock again from where it was stopped, after some CPU time that is free.
    pub fn continue_clock_after(&mut self, free: Duration) {
        self.account.continue_clock_after(free);
    }

    /// Stops the clock.
    ///
    /// # Errors
    /// If the program has exceeded a limit.
    pub fn stop_clock(&mut self) -> Result<(), AgentError> {
        let cpu = self.check()?;
        self.account.stop_clock(cpu);
        Ok(())
    }

    /// CPU time on the clock so far.
    pub fn used(&self) -> Duration {
        self.account.used()
    }

    /// CPU time that is left on the clock, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.account.left()
    }

    /// The highest memory of one process so far, above the baseline, in bytes.
    pub fn peak(&self) -> u64 {
        self.account.peak()
    }

    /// Whether the program has ever had threads or processes beside its first one.
    pub fn has_helpers(&self) -> bool {
        self.account.meter.has_helpers()
    }

    /// All CPU time so far, on the clock and off it.
    pub fn cpu(&mut self) -> Duration {
        self.account.meter.cpu()
    }

    /// The number of bytes that the program has printed.
    pub fn n_output(&mut self) -> usize {
        self.pipes.read_output();
        self.pipes.output.n_bytes
    }

    /// The number of processes, and of threads in all of them.
    pub fn n_tasks(&mut self) -> (usize, usize) {
        self.account.meter.n_tasks()
    }

    /// Suspends the program, so that it cannot think on its opponent's time.
    pub fn suspend(&mut self) {
        self.account.suspend();
    }

    /// Resumes the program.
    pub fn resume(&mut self) {
        self.account.meter.resume();
    }

    /// Sets the wall-clock time for an answer; the allowance for a call is an upper bound.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience.min(self.account.allowance.call);
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_all(&[line]);
    }

    /// Sends several lines in one write. What the program does not take now is written while its answer is awaited.
    pub fn send_all(&mut self, lines: &[&str]) {
        self.waiting.start_call();
        self.n_replies_before = self.pipes.replies.n_bytes;
        self.pipes.input.add(lines);
    }

    /// Sends a line within the present call: its answer is part of what the call may take.
    pub fn send_within_call(&mut self, line: &str) {
        self.pipes.input.add(&[line]);
    }

    /// Waits for a line. A watch that breaks ends the wait.
    ///
    /// # Errors
    /// If the program ends, does not answer in time, or exceeds a limit.
    pub fn receive(&mut self, watch: &mut dyn FnMut() -> ControlFlow<()>) -> Result<String, AgentError> {
        loop {
            if let Some(line) = self.receive_within(WATCH_INTERVAL)? {
                return Ok(line);
            }
            if watch().is_break() {
                return Err(self.failed(Failure::Exit, "interrupted"));
            }
        }
    }

    /// Waits for a line, but no longer than `wait`.
    ///
    /// # Errors
    /// If the program ends, does not answer in time, or exceeds a limit.
    pub fn receive_within(&mut self, wait: Duration) -> Result<Option<String>, AgentError> {
        let deadline = Instant::now() + wait;
        loop {
            // At each line, because a program may send lines faster than they can be judged.
            if self.account.meter.interval() <= self.waiting.uncounted() {
                self.check_all()?;
            }
            if let Some(line) = self.pipes.replies.line() {
                self.pipes.replies.read_if_stale();
                return Ok(Some(line));
            }
            if MAX_LINE < self.pipes.replies.rest().len() {
                return Err(self.failed(Failure::Protocol, format!("a line of more than {MAX_LINE} bytes")));
            }
            if self.pipes.replies.is_closed || self.pipes.input.sink.is_none() {
                return Err(self.ended());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.pipes.turn(left.min(self.account.meter.interval()))?;
        }
    }

    /// Wall-clock time for which the referee has waited for the answer to what was sent last, up to the last check.
    pub fn waited_so_far(&self) -> Duration {
        self.waiting.in_call()
    }

    /// Wall-clock time for which the referee has waited for the answer to what was sent last.
    ///
    /// # Errors
    /// If the program has exceeded a limit.
    pub fn waited(&mut self) -> Result<Duration, AgentError> {
        self.check_all()?;
        Ok(self.waiting.in_call())
    }

    /// An error with the end of the output.
    pub fn failed(&mut self, failure: Failure, message: impl Into<String>) -> AgentError {
        self.fault(failure, message).into()
    }

    /// A fault with the end of the output.
    pub fn fault(&mut self, failure: Failure, message: impl Into<String>) -> Fault {
        self.pipes.read_output();
        let (message, output) = (message.into(), self.pipes.output_tail());
        Fault::new(failure, self.with_known_paths(message)).with_output(self.with_known_paths(output))
    }

    fn with_known_paths(&self, text: String) -> String {
        let Some((inside, outside)) = &self.home else { return text };
        // Python writes the path of a script as it was given, with the working directory before it.
        let text = text.replace(&format!("File \"{inside}./"), &format!("File \"{inside}"));
        text.replace(&format!("File \"{inside}"), &format!("File \"{outside}"))
    }

    /// Checks all limits, those of the wait included.
    fn check_all(&mut self) -> Result<(), AgentError> {
        let cpu = self.check()?;
        let delay = self.account.meter.run_delay(&mut self.delays);
        self.waiting.count(cpu.saturating_sub(self.cpu_counted), delay);
        self.cpu_counted = cpu;
        let game = self.account.allowance.game;
        let message = if self.patience < self.waiting.in_call() {
            format!("no answer within {:?} of wall-clock time", self.patience)
        } else if let Some(game) = game.filter(|&game| game < self.waiting.in_game()) {
            format!("the referee has waited for more than {game:?} of wall-clock time in this game")
        } else {
            return Ok(());
        };
        Err(self.failed(Failure::Silence, message))
    }

    /// Checks the limits on what the program uses and prints, and returns the meter's CPU time.
    fn check(&mut self) -> Result<Duration, AgentError> {
        if MAX_OUTPUT < self.pipes.output.n_bytes {
            return Err(self.failed(Failure::Flood, format!("more than {MAX_OUTPUT} bytes of output")));
        }
        if MAX_REPLIES < self.pipes.replies.n_bytes - self.n_replies_before {
            let message =
                format!("more than {MAX_REPLIES} bytes on standard output in answer to one request");
            return Err(self.failed(Failure::Flood, message));
        }
        self.account.check().map_err(|Exceeded { failure, message }| self.failed(failure, message))
    }

    /// The error for a program that sends nothing any more.
    fn ended(&mut self) -> AgentError {
        let status = self.wait_for_exit();
        self.pipes.read_output();
        let limit = self.account.allowance.memory.unwrap_or(u64::MAX);
        let (failure, message) = match status {
            _ if limit < self.account.peak() => {
                (Failure::Memory, "the program ended, out of memory".to_owned())
            }
            None if self.pipes.input.sink.is_none() => {
                (Failure::Exit, "the program closed its input".to_owned())
            }
            None => (Failure::Exit, "the program closed its output".to_owned()),
            Some(status) => match signal_of(status) {
                Some(signal) => (Failure::Crash, format!("the program was killed by {signal}")),
                None => {
                    let code = status.code().unwrap_or(0);
                    (Failure::Exit, format!("the program exited with code {code}"))
                }
            },
        };
        self.failed(failure, message)
    }

    fn wait_for_exit(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            // A program that prints its last words must not wait for a reader.
            self.pipes.read_output();
            thread::sleep(Duration::from_millis(2));
        }
        None
    }
}

impl Drop for Process {
    /// Kills all processes of the program and waits until they are gone.
    fn drop(&mut self) {
        // A well-behaved program exits at the end of its input, but the referee does not wait for that.
        self.pipes.input.sink = None;
        let began = Instant::now();
        while let Ok(None) = self.child.try_wait() {
            self.account.meter.kill();
            // The supervisor exits after the program, unless the program could suspend it.
            if EXIT_TIMEOUT < began.elapsed() {
                let _ = self.child.kill();
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The signal that ended a program. Supervisors report it as an exit code, as shells do.
fn signal_of(status: ExitStatus) -> Option<Signal> {
    let number = status.signal().or_else(|| status.code()?.checked_sub(128));
    number.and_then(|number| Signal::try_from(number).ok())
}
