//! The read end of a pipe, read without blocking.

use std::io::{self, Read};
use std::os::fd::AsFd;

use nix::fcntl::{FcntlArg, OFlag, fcntl};

/// The output of a program, with a buffer for what has not been consumed yet.
pub struct Pipe<R> {
    /// The pipe itself, for polling.
    pub source: R,
    /// Bytes that were read and not yet consumed.
    pub bytes: Vec<u8>,
    /// The number of bytes read so far.
    pub n_bytes: usize,
    /// Whether the program has closed its end.
    pub is_closed: bool,
}

impl<R: Read + AsFd> Pipe<R> {
    /// Wraps a pipe and makes it non-blocking.
    pub fn new(source: R) -> io::Result<Pipe<R>> {
        fcntl(source.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(Pipe { source, bytes: Vec::new(), n_bytes: 0, is_closed: false })
    }

    /// Reads what is available, up to 1 MB.
    pub fn read(&mut self) {
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

    /// Drops all but the last bytes.
    pub fn keep_last(&mut self, n_bytes: usize) {
        let n_dropped = self.bytes.len().saturating_sub(n_bytes);
        self.bytes.drain(..n_dropped);
    }

    /// Consumes the next complete line, without trailing whitespace.
    pub fn line(&mut self) -> Option<Vec<u8>> {
        let end = self.bytes.iter().position(|&byte| byte == b'\n')?;
        let mut line: Vec<u8> = self.bytes.drain(..=end).collect();
        while line.last().is_some_and(u8::is_ascii_whitespace) {
            line.pop();
        }
        Some(line)
    }
}
