//! A running program: lines go in and come out, under its limits.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use yarra_engine::{AgentError, Failure};

use super::account::{Account, Exceeded, OFF_CLOCK};
use super::meter::{MemoryMeasure, Meter};
use super::pipe::Pipe;
use crate::Allowance;
use crate::jail::{Jail, Layer, ResourceLimits};

/// A program in a sandbox, killed with all its processes when dropped.
pub struct Process {
    child: Child,
    /// Standard output: lines for the referee.
    replies: Pipe<ChildStdout>,
    /// Standard error: text for people.
    output: Pipe<ChildStderr>,
    account: Account,
    /// Wall-clock time since the last line was sent.
    waited: Duration,
    /// When the limits were last checked.
    checked: Instant,
}

/// How often the limits are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// The resolution of the kernel's `poll`.
const MIN_WAIT: Duration = Duration::from_millis(1);
/// The longest line that is accepted.
const MAX_LINE: usize = 1 << 20;
/// More output than this is the fault `flood`.
const MAX_OUTPUT: usize = 10_000_000;
/// How much of the end of the output is kept, for people.
const OUTPUT_TAIL: usize = 8 << 10;
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
        let cpu_seconds = allowance.time.map(|time| (2 * (time + OFF_CLOCK)).as_secs());
        let mut child =
            jail.start(program, args, ResourceLimits { cpu_seconds, ..ResourceLimits::default() })?;
        let n_supervisors = if jail.layers().has(Layer::Processes) { 2 } else { 1 };
        let meter = Meter::new(child.id(), n_supervisors, memory);
        let replies = Pipe::new(child.stdout.take().expect("piped"))?;
        let output = Pipe::new(child.stderr.take().expect("piped"))?;
        let account = Account::new(meter, allowance);
        Ok(Process { child, replies, output, account, waited: Duration::ZERO, checked: Instant::now() })
    }

    /// Counts memory above the present use from now on.
    pub fn set_baseline(&mut self) {
        self.account.set_baseline();
    }

    /// Starts the clock.
    pub fn start_clock(&mut self) {
        self.account.start_clock();
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
        self.output.read();
        self.output.keep_last(OUTPUT_TAIL);
        self.output.n_bytes
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

    /// Sends a line.
    ///
    /// # Errors
    /// If the program does not read any more.
    pub fn send(&mut self, line: &str) -> Result<(), AgentError> {
        self.send_all(&[line])
    }

    /// Sends several lines in one write.
    ///
    /// # Errors
    /// If the program does not read any more.
    pub fn send_all(&mut self, lines: &[&str]) -> Result<(), AgentError> {
        (self.waited, self.checked) = (Duration::ZERO, Instant::now());
        let input = self.child.stdin.as_mut().expect("piped");
        let sent = input.write_all((lines.join("\n") + "\n").as_bytes());
        sent.map_err(|_| self.ended())
    }

    /// Waits for a line. A watch that breaks ends the wait.
    ///
    /// # Errors
    /// If the program ends, does not answer in time, or exceeds a limit.
    pub fn receive(&mut self, watch: &mut dyn FnMut() -> ControlFlow<()>) -> Result<String, AgentError> {
        loop {
            if let Some(line) = self.receive_within(CHECK_INTERVAL)? {
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
            if let Some(line) = self.replies.line() {
                return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
            }
            if MAX_LINE < self.replies.bytes.len() {
                return Err(self.failed(Failure::Protocol, format!("a line of more than {MAX_LINE} bytes")));
            }
            if self.replies.is_closed {
                return Err(self.ended());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.poll(left.min(CHECK_INTERVAL));
            if CHECK_INTERVAL <= self.checked.elapsed() {
                // Time in which the whole machine was paused does not count as silence.
                self.waited += self.checked.elapsed().min(2 * CHECK_INTERVAL);
                self.checked = Instant::now();
                self.check()?;
                let limit = self.account.allowance.call;
                if limit < self.waited {
                    let message = format!("no answer within {limit:?} of wall-clock time");
                    return Err(self.failed(Failure::Silence, message));
                }
            }
        }
    }

    /// An error with the end of the output.
    pub fn failed(&mut self, failure: Failure, message: impl Into<String>) -> AgentError {
        self.output.read();
        AgentError { output: self.output_tail(), ..AgentError::new(failure, message) }
    }

    fn output_tail(&self) -> String {
        let bytes = &self.output.bytes;
        let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(OUTPUT_TAIL)..]).into_owned();
        text.trim_end().to_owned()
    }

    /// Waits for output and reads it.
    fn poll(&mut self, time: Duration) {
        let mut fds = vec![PollFd::new(self.replies.source.as_fd(), PollFlags::POLLIN)];
        if !self.output.is_closed {
            fds.push(PollFd::new(self.output.source.as_fd(), PollFlags::POLLIN));
        }
        let _ = poll(&mut fds, PollTimeout::try_from(time.max(MIN_WAIT)).unwrap_or(PollTimeout::ZERO));
        let is_ready = |idx: usize| fds.get(idx).is_some_and(|fd: &PollFd<'_>| fd.any().unwrap_or(false));
        let [has_reply, has_output] = [0, 1].map(is_ready);
        if has_reply {
            self.replies.read();
        }
        if has_output {
            self.output.read();
            self.output.keep_last(OUTPUT_TAIL);
        }
    }

    /// Checks all limits and returns the meter's CPU time.
    fn check(&mut self) -> Result<Duration, AgentError> {
        if MAX_OUTPUT < self.output.n_bytes {
            return Err(self.failed(Failure::Flood, format!("more than {MAX_OUTPUT} bytes of output")));
        }
        self.account.check().map_err(|Exceeded { failure, message }| self.failed(failure, message))
    }

    /// The error for a program that sends nothing any more.
    fn ended(&mut self) -> AgentError {
        let status = self.wait_for_exit();
        self.output.read();
        let limit = self.account.allowance.memory.unwrap_or(u64::MAX);
        let (failure, message) = match status {
            _ if limit < self.account.peak() => {
                (Failure::Memory, "the program ended, out of memory".to_owned())
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
            thread::sleep(Duration::from_millis(2));
        }
        None
    }
}

impl Drop for Process {
    /// Kills all processes of the program and waits until they are gone.
    fn drop(&mut self) {
        // A well-behaved program exits at the end of its input, but the referee does not wait for that.
        self.child.stdin.take();
        while let Ok(None) = self.child.try_wait() {
            self.account.meter.kill();
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The signal that ended a program. Supervisors report it as an exit code, as shells do.
fn signal_of(status: ExitStatus) -> Option<Signal> {
    let number = status.signal().or_else(|| status.code()?.checked_sub(128));
    number.and_then(|number| Signal::try_from(number).ok())
}
