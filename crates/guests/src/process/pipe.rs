//! The referee's ends of a program's pipes. None of them ever blocks.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};

/// The output of a program, with a buffer for what has not been consumed yet.
pub struct Pipe<R> {
    /// The pipe itself, for polling.
    pub source: R,
    /// The number of bytes read so far.
    pub n_bytes: usize,
    /// Whether the program has closed its end.
    pub is_closed: bool,
    /// Bytes that were read; those before `start` are consumed.
    bytes: Vec<u8>,
    start: usize,
    /// No line ends between `start` and here.
    scanned: usize,
    /// When it was last read.
    read_at: Instant,
}

/// How often a pipe is read while its lines are consumed.
const READ_INTERVAL: Duration = Duration::from_millis(1);

impl<R: Read + AsFd> Pipe<R> {
    /// Wraps a pipe and makes it non-blocking.
    pub fn new(source: R) -> io::Result<Pipe<R>> {
        set_nonblocking(&source)?;
        let (bytes, read_at) = (Vec::new(), Instant::now());
        Ok(Pipe { source, n_bytes: 0, is_closed: false, bytes, start: 0, scanned: 0, read_at })
    }

    /// Reads unless it was read just now. A program that sends short lines faster than they can be judged is thus known
    /// by their number of bytes.
    pub fn read_if_stale(&mut self) {
        if READ_INTERVAL <= self.read_at.elapsed() {
            self.read();
        }
    }

    /// Reads what is available, up to 1 MB.
    pub fn read(&mut self) {
        self.read_at = Instant::now();
        // Here rather than at each line, which would take quadratic time.
        self.bytes.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        let mut buffer = [0; 1 << 16];
        // Bounded, because a program may write faster than this reads.
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

    /// Bytes that are not consumed yet.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Drops all but the last bytes.
    pub fn keep_last(&mut self, n_bytes: usize) {
        self.start = self.start.max(self.bytes.len().saturating_sub(n_bytes));
        self.scanned = self.scanned.max(self.start);
    }

    /// Consumes the next complete line, without trailing whitespace.
    pub fn line(&mut self) -> Option<String> {
        let end = self.bytes[self.scanned..].iter().position(|&byte| byte == b'\n');
        self.scanned = end.map_or(self.bytes.len(), |end| self.scanned + end + 1);
        end?;
        let line = self.bytes[self.start..self.scanned].trim_ascii_end();
        self.start = self.scanned;
        Some(String::from_utf8_lossy(line).into_owned())
    }
}

/// The input of a program, with what it has not taken yet.
pub struct Input<W> {
    /// The pipe itself, for polling; `None` if the program has closed its end.
    pub sink: Option<W>,
    pending: Vec<u8>,
}

impl<W: Write + AsFd> Input<W> {
    /// Wraps a pipe and makes it non-blocking.
    pub fn new(sink: W) -> io::Result<Input<W>> {
        set_nonblocking(&sink)?;
        Ok(Input { sink: Some(sink), pending: Vec::new() })
    }

    /// Whether there is anything to write.
    pub fn is_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Adds lines, and writes as much as the pipe takes.
    pub fn add(&mut self, lines: &[&str]) {
        for line in lines {
            self.pending.extend_from_slice(line.as_bytes());
            self.pending.push(b'\n');
        }
        self.write();
    }

    /// Writes as much as the pipe takes.
    pub fn write(&mut self) {
        while let Some(sink) = &mut self.sink
            && !self.pending.is_empty()
        {
            match sink.write(&self.pending) {
                Ok(n_bytes) => drop(self.pending.drain(..n_bytes)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.sink = None,
            }
        }
    }
}

fn set_nonblocking(pipe: &impl AsFd) -> io::Result<()> {
    fcntl(pipe.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_arrive_in_any_pieces() {
        let (source, mut sink) = io::pipe().unwrap();
        let mut pipe = Pipe::new(source).unwrap();
        for (piece, lines) in
            [("one\ntw", &["one"][..]), ("", &[]), ("o \r\n\nthr", &["two", ""]), ("ee\n", &["three"])]
        {
            sink.write_all(piece.as_bytes()).unwrap();
            pipe.read();
            let found: Vec<String> = std::iter::from_fn(|| pipe.line()).collect();
            assert_eq!(found, lines);
        }
        assert!(!pipe.is_closed);
        sink.write_all(b"rest").unwrap();
        drop(sink);
        pipe.read();
        pipe.read();
        assert_eq!((pipe.line(), pipe.rest(), pipe.is_closed), (None, &b"rest"[..], true));
        pipe.keep_last(2);
        assert_eq!((pipe.rest(), pipe.n_bytes), (&b"st"[..], 21));
    }

    #[test]
    fn what_a_program_does_not_read_waits() {
        let (mut source, sink) = io::pipe().unwrap();
        let mut input = Input::new(sink).unwrap();
        let line = "x".repeat(50_000);
        input.add(&[&line, &line]);
        assert!(input.is_pending() && input.sink.is_some());
        let mut taken = vec![0; 50_001];
        source.read_exact(&mut taken).unwrap();
        input.write();
        assert!(!input.is_pending());
        drop(source);
        input.add(&["more"]);
        assert!(input.sink.is_none());
    }
}
