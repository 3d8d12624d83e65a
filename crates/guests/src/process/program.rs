//! A program on two pipes: lines go in and come out, under its limits.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use yarra_engine::{AgentError, Failure};

use super::meter::{Memory, Meter, Space};
use crate::Allowance;
use crate::jail::{Ceilings, Jail, Layer};

/// A running program with its clock.
pub struct Process {
    child: Child,
    replies: Pipe<ChildStdout>,
    output: Pipe<ChildStderr>,
    meter: Meter,
    allowance: Allowance,
    /// CPU time that counts, up to the last call.
    used: Duration,
    /// What the meter showed when the clock began to run, if it runs.
    running_since: Option<Duration>,
    /// What the meter showed when the program was held, if it is.
    held_at: Option<Duration>,
    /// CPU time beside the clock.
    beside: Duration,
    /// What the meter showed when the program was let go on or the clock stopped.
    beside_since: Duration,
    /// Memory of the program before any of the agent was in it.
    baseline: u64,
    /// The most that there had been by then: imports may need more for a moment than they keep.
    peak_before: u64,
    /// The most memory of a process above the baseline.
    peak: u64,
    /// Time on the wall's clock since the last line was sent.
    waited: Duration,
    /// When the limits were looked at last.
    looked: Instant,
    /// When memory was looked at last.
    memory_looked: Instant,
}

/// How long to wait before the limits are looked at again.
const SLICE: Duration = Duration::from_millis(20);
/// How often to look at memory, which takes as long as all else.
const MEMORY_SLICE: Duration = Duration::from_millis(5);
/// The kernel waits in milliseconds.
const LEAST: Duration = Duration::from_millis(1);
/// A line longer than this is no answer.
const MAX_LINE: usize = 1 << 20;
/// More output than this is a flood.
const MAX_OUTPUT: usize = 10_000_000;
/// What is kept of the output, for people.
const TAIL: usize = 8 << 10;
/// Time for a program that has closed its pipes to end by itself.
const GRACE: Duration = Duration::from_secs(1);
/// CPU time for imports and the like, beside what the clock allows.
const BESIDE: Duration = Duration::from_secs(60);

impl Process {
    /// Starts a program in a jail, whose memory is counted in one way or another.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        jail: &Jail,
        program: &Path,
        args: &[String],
        allowance: Allowance,
        memory: Memory,
    ) -> io::Result<Process> {
        let cpu_seconds = allowance.time.map(|time| (2 * (time + BESIDE)).as_secs());
        let mut child = jail.start(program, args, Ceilings { cpu_seconds, ..Ceilings::default() })?;
        let n_doorkeepers = if jail.layers().has(Layer::Processes) { 2 } else { 1 };
        let meter = Meter::new(child.id(), n_doorkeepers, memory);
        let replies = Pipe::new(child.stdout.take().expect("piped"))?;
        let output = Pipe::new(child.stderr.take().expect("piped"))?;
        let zero = Duration::ZERO;
        Ok(Process {
            child,
            replies,
            output,
            meter,
            allowance,
            used: zero,
            running_since: None,
            held_at: None,
            beside: zero,
            beside_since: zero,
            baseline: 0,
            peak_before: 0,
            peak: 0,
            waited: zero,
            looked: Instant::now(),
            memory_looked: Instant::now(),
        })
    }

    /// From here on memory counts.
    pub fn set_baseline(&mut self) {
        self.meter.cpu();
        let now = self.meter.space();
        (self.baseline, self.peak_before) = (now.size, now.peak);
        self.peak = 0;
    }

    /// The clock runs from now on.
    pub fn start_clock(&mut self) {
        let now = self.meter.cpu();
        // Nobody thinks while the program is held, but for those who escaped that: they pay.
        let since = self.held_at.take().unwrap_or(now);
        self.beside += since.saturating_sub(self.beside_since);
        self.running_since = Some(since);
    }

    /// The clock stands still again.
    ///
    /// # Errors
    /// If the agent has used more than it may.
    pub fn stop_clock(&mut self) -> Result<(), AgentError> {
        let now = self.look()?;
        if let Some(since) = self.running_since.take() {
            self.used += now.saturating_sub(since);
        }
        self.beside_since = now;
        Ok(())
    }

    /// CPU time that counted so far.
    pub fn used(&self) -> Duration {
        self.used
    }

    /// CPU time that is left.
    pub fn left(&self) -> Option<Duration> {
        self.allowance.time.map(|time| time.saturating_sub(self.used))
    }

    /// The most memory of a process so far, above the baseline.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Whether there is anybody in it who can think while the program waits.
    pub fn has_helpers(&self) -> bool {
        self.meter.has_helpers()
    }

    /// All CPU time so far, whether it counted or not.
    pub fn cpu(&mut self) -> Duration {
        self.meter.cpu()
    }

    /// Bytes that the program has written for people.
    pub fn n_output(&mut self) -> usize {
        self.output.read();
        self.output.keep(TAIL);
        self.output.n_bytes
    }

    /// How many processes there are, and how many threads in all of them.
    pub fn n_tasks(&mut self) -> (usize, usize) {
        self.meter.n_tasks()
    }

    /// Holds the program, so that it cannot think on others' time.
    pub fn hold(&mut self) {
        self.meter.hold();
        self.held_at = Some(self.meter.cpu());
    }

    /// Lets the program go on.
    pub fn release(&mut self) {
        self.meter.release();
    }

    /// Writes a line.
    ///
    /// # Errors
    /// If nobody reads it any more.
    pub fn send(&mut self, line: &str) -> Result<(), AgentError> {
        self.send_all(&[line])
    }

    /// Writes lines at once.
    ///
    /// # Errors
    /// If nobody reads them any more.
    pub fn send_all(&mut self, lines: &[&str]) -> Result<(), AgentError> {
        (self.waited, self.looked) = (Duration::ZERO, Instant::now());
        let input = self.child.stdin.as_mut().expect("piped");
        let sent = input.write_all((lines.join("\n") + "\n").as_bytes());
        sent.map_err(|_| self.ended())
    }

    /// Waits for a line. A watch that breaks ends the waiting.
    ///
    /// # Errors
    /// If the agent ends, is silent for too long, or uses more than it may.
    pub fn receive(&mut self, watch: &mut dyn FnMut() -> ControlFlow<()>) -> Result<String, AgentError> {
        loop {
            if let Some(line) = self.receive_within(SLICE)? {
                return Ok(line);
            }
            if watch().is_break() {
                return Err(self.failed(Failure::Exit, "broken off"));
            }
        }
    }

    /// Waits for a line, but not for long.
    ///
    /// # Errors
    /// If the agent ends, is silent for too long, or uses more than it may.
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
            self.wait(left.min(SLICE));
            if SLICE <= self.looked.elapsed() {
                // A machine that was stopped in between does not make the agent silent.
                self.waited += self.looked.elapsed().min(2 * SLICE);
                self.looked = Instant::now();
                self.look()?;
                if self.allowance.call < self.waited {
                    let message = format!("no answer for {:?} on the wall's clock", self.allowance.call);
                    return Err(self.failed(Failure::Silence, message));
                }
            }
        }
    }

    /// An error with the last of the output.
    pub fn failed(&mut self, failure: Failure, message: impl Into<String>) -> AgentError {
        self.output.read();
        AgentError { output: self.tail(), ..AgentError::new(failure, message) }
    }

    /// The last of what the agent wrote for people.
    pub fn tail(&self) -> String {
        let bytes = &self.output.bytes;
        let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(TAIL)..]).into_owned();
        text.trim_end().to_owned()
    }

    /// Reads what comes soon.
    fn wait(&mut self, time: Duration) {
        let mut fds = vec![PollFd::new(self.replies.source.as_fd(), PollFlags::POLLIN)];
        if !self.output.is_closed {
            fds.push(PollFd::new(self.output.source.as_fd(), PollFlags::POLLIN));
        }
        let _ = poll(&mut fds, PollTimeout::try_from(time.max(LEAST)).unwrap_or(PollTimeout::ZERO));
        let has_news = |idx: usize| fds.get(idx).is_some_and(|fd: &PollFd<'_>| fd.any().unwrap_or(false));
        let [has_reply, has_output] = [0, 1].map(has_news);
        if has_reply {
            self.replies.read();
        }
        if has_output {
            self.output.read();
            self.output.keep(TAIL);
        }
    }

    /// Looks whether the limits are kept, and says what the meter shows.
    fn look(&mut self) -> Result<Duration, AgentError> {
        if MAX_OUTPUT < self.output.n_bytes {
            return Err(self.failed(Failure::Flood, format!("more than {MAX_OUTPUT} bytes of output")));
        }
        let cpu = self.meter.cpu();
        self.look_at_time(cpu)?;
        // The kernel remembers the most that there was: it can be asked later.
        if MEMORY_SLICE <= self.memory_looked.elapsed() {
            self.memory_looked = Instant::now();
            self.look_at_memory(self.meter.space())?;
        }
        Ok(cpu)
    }

    fn look_at_time(&mut self, cpu: Duration) -> Result<(), AgentError> {
        let Some(time) = self.allowance.time else { return Ok(()) };
        let (used, allowed, words) = match self.running_since {
            Some(since) => (self.used + cpu.saturating_sub(since), time, "of CPU"),
            None => {
                let beside = self.beside + cpu.saturating_sub(self.beside_since);
                (beside, time + BESIDE, "of CPU beside the clock, for imports and the like,")
            }
        };
        if used <= allowed {
            return Ok(());
        }
        Err(self.failed(Failure::Time, format!("{used:.3?} {words} used of {allowed:?}")))
    }

    fn look_at_memory(&mut self, now: Space) -> Result<(), AgentError> {
        if self.baseline == 0 {
            return Ok(());
        }
        let peak = if self.peak_before < now.peak { now.peak } else { now.size };
        self.peak = self.peak.max(peak.saturating_sub(self.baseline));
        let Some(limit) = self.allowance.memory else { return Ok(()) };
        // Each process is measured for itself, as the course does, but many must not fill the machine.
        let (found, limit) = if limit < self.peak {
            (self.peak, limit)
        } else {
            let is_much = 4 * limit < now.together;
            (if is_much { self.meter.shared_once() } else { 0 }, 4 * limit)
        };
        if found <= limit {
            return Ok(());
        }
        let message = format!("{} MB of memory used of {} MB", found >> 20, limit >> 20);
        Err(self.failed(Failure::Memory, message))
    }

    /// Why nothing comes any more.
    fn ended(&mut self) -> AgentError {
        let status = self.wait_for_end();
        self.output.read();
        let limit = self.allowance.memory.unwrap_or(u64::MAX);
        let (failure, message) = match status {
            _ if limit < self.peak => (Failure::Memory, "the program ended, out of memory".to_owned()),
            None => (Failure::Exit, "the program closed its output".to_owned()),
            Some(status) => match signal_of(status) {
                Some(signal) => (Failure::Crash, format!("the program was ended by {signal}")),
                None => {
                    let code = status.code().unwrap_or(0);
                    (Failure::Exit, format!("the program ended with code {code}"))
                }
            },
        };
        self.failed(failure, message)
    }

    fn wait_for_end(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// Ends all processes of the program and waits until they are gone.
    fn end(&mut self) {
        // The end of its input is all that a well-behaved program needs, but nobody waits for others.
        self.child.stdin.take();
        while let Ok(None) = self.child.try_wait() {
            self.meter.kill();
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The doorkeepers say a signal with a code, as shells do.
fn signal_of(status: ExitStatus) -> Option<Signal> {
    let number = status.signal().or_else(|| status.code()?.checked_sub(128));
    number.and_then(|number| Signal::try_from(number).ok())
}

/// What comes from a program.
struct Pipe<R> {
    source: R,
    bytes: Vec<u8>,
    n_bytes: usize,
    is_closed: bool,
}

impl<R: Read + AsFd> Pipe<R> {
    fn new(source: R) -> io::Result<Pipe<R>> {
        fcntl(source.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(Pipe { source, bytes: Vec::new(), n_bytes: 0, is_closed: false })
    }

    /// Takes what is there, as far as anybody wants it.
    fn read(&mut self) {
        let mut buffer = [0; 1 << 16];
        // A flood ends nowhere.
        for _ in 0..16 {
            match self.source.read(&mut buffer) {
                Ok(0) => self.is_closed = true,
                Ok(n_bytes) => {
                    self.n_bytes += n_bytes;
                    self.bytes.extend_from_slice(&buffer[..n_bytes]);
                    if n_bytes == buffer.len() {
                        continue;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => self.is_closed = true,
            }
            return;
        }
    }

    /// Forgets all but the last bytes.
    fn keep(&mut self, n_bytes: usize) {
        let n_gone = self.bytes.len().saturating_sub(n_bytes);
        self.bytes.drain(..n_gone);
    }

    /// The next whole line, without its end.
    fn line(&mut self) -> Option<Vec<u8>> {
        let end = self.bytes.iter().position(|&byte| byte == b'\n')?;
        let mut line: Vec<u8> = self.bytes.drain(..=end).collect();
        while line.last().is_some_and(u8::is_ascii_whitespace) {
            line.pop();
        }
        Some(line)
    }
}
