//! Standard output and error that nobody's words can abuse.
//!
//! Guests' words are made printable where they are put into a sentence. This is the net below, for all commands and for
//! JSON: of control characters only line ends and colors pass.

use std::io::{self, Stderr, Write};

use yarra_draw::cleaned;

/// A writer that escapes what could control a terminal.
pub struct Clean<W: Write> {
    to: W,
    /// The beginning of a line. Characters and color codes never contain a line end, so whole lines have them whole.
    line: Vec<u8>,
}

/// The standard error.
pub fn stderr() -> Clean<Stderr> {
    Clean::new(io::stderr())
}

impl<W: Write> Clean<W> {
    /// Writes to another writer.
    pub fn new(to: W) -> Clean<W> {
        Clean { to, line: Vec::new() }
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.to.write_all(cleaned(&String::from_utf8_lossy(&line)).as_bytes())
    }
}

impl<W: Write> Write for Clean<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.line.extend(&bytes[..n_whole]);
        if 0 < n_whole {
            self.write_line()?;
        }
        self.line.extend(&bytes[n_whole..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_line()?;
        self.to.flush()
    }
}

impl<W: Write> Drop for Clean<W> {
    fn drop(&mut self) {
        // Nobody is left to hear of an error.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_colors_may_come_in_parts() {
        let text = "é\u{1b}[31mred\u{1b}[0m\u{202e}\n\u{1b}[2Jend";
        let mut out = Vec::new();
        let mut clean = Clean::new(&mut out);
        for byte in text.bytes() {
            clean.write_all(&[byte]).expect("memory can be written");
        }
        drop(clean);
        assert_eq!(String::from_utf8_lossy(&out), "é\u{1b}[31mred\u{1b}[0m\\u202e\n\\u001b[2Jend");
    }
}
