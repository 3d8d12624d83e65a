//! The three pipes of a program, and the only place where the referee waits for it.

use std::io;
use std::os::fd::AsFd;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use yarra_engine::RefereeError;

use super::pipe::{Input, Pipe};

/// The pipes of a program.
pub struct Pipes {
    /// Standard input: lines from the referee.
    pub input: Input<ChildStdin>,
    /// Standard output: lines for the referee.
    pub replies: Pipe<ChildStdout>,
    /// Standard error: text for people.
    pub output: Pipe<ChildStderr>,
}

/// The resolution of the kernel's `poll`.
const MIN_WAIT: Duration = Duration::from_millis(1);
/// How much of the end of the output is kept, for people.
const OUTPUT_TAIL: usize = 8 << 10;

impl Pipes {
    /// Takes the pipes of a program that was just started with all three.
    pub fn new(child: &mut Child) -> io::Result<Pipes> {
        Ok(Pipes {
            input: Input::new(child.stdin.take().expect("piped"))?,
            replies: Pipe::new(child.stdout.take().expect("piped"))?,
            output: Pipe::new(child.stderr.take().expect("piped"))?,
        })
    }

    /// Waits until the program reads or writes, and moves what can be moved.
    pub fn turn(&mut self, time: Duration) -> Result<(), RefereeError> {
        // Even with nothing to write: a program that nobody can talk to any more has left.
        let wish = if self.input.is_pending() { PollFlags::POLLOUT } else { PollFlags::empty() };
        let input = self.input.sink.as_ref().map(|sink| PollFd::new(sink.as_fd(), wish));
        let replies =
            (!self.replies.is_closed).then(|| PollFd::new(self.replies.source.as_fd(), PollFlags::POLLIN));
        let output =
            (!self.output.is_closed).then(|| PollFd::new(self.output.source.as_fd(), PollFlags::POLLIN));
        let places = [&input, &replies, &output].map(Option::is_some);
        let mut fds: Vec<PollFd<'_>> = [input, replies, output].into_iter().flatten().collect();
        match poll(&mut fds, PollTimeout::try_from(time.max(MIN_WAIT)).unwrap_or(PollTimeout::ZERO)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(RefereeError::new("wait for the agent", &error.into())),
        }
        let mut found = fds.iter().map(|fd| fd.revents().unwrap_or(PollFlags::empty()));
        let mut next = || found.next().unwrap_or(PollFlags::empty());
        let [room, reply, output] =
            places.map(|is_polled| if is_polled { next() } else { PollFlags::empty() });
        if room.contains(PollFlags::POLLERR) {
            self.input.sink = None;
        } else if !room.is_empty() {
            self.input.write();
        }
        if !reply.is_empty() {
            self.replies.read();
        }
        if !output.is_empty() {
            self.read_output();
        }
        Ok(())
    }

    /// Reads what the program has printed, of which only the end is kept.
    pub fn read_output(&mut self) {
        self.output.read();
        self.output.keep_last(OUTPUT_TAIL);
    }

    /// The end of what the program has printed.
    pub fn output_tail(&self) -> String {
        String::from_utf8_lossy(self.output.rest()).trim_end().to_owned()
    }
}
