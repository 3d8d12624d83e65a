//! Reading lines of any length.

use std::io::{self, BufRead, Read};

/// The length limit of a line in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Its text without the line ending; invalid UTF-8 is replaced.
    Text(String),
    /// It was longer than [`LONGEST_LINE`] and was discarded.
    TooLong,
}

/// Reads the next line without buffering more than [`LONGEST_LINE`] of it; `None` at the end. The last line need not
/// be terminated.
///
/// # Errors
/// If reading fails.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let n_read = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if n_read == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if LONGEST_LINE < bytes.len() {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(Line::Text(text.trim_end_matches('\r').to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_either_way_and_may_be_invalid_utf8() {
        let texts = ["ugi", "", "isready", "\u{fffd}", "quit"];
        let expected: Vec<_> = texts.iter().map(|text| Line::Text((*text).to_owned())).collect();
        assert_eq!(all(b"ugi\n\nisready\r\n\xff\nquit"), expected);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn an_overlong_line_leaves_the_next_one_intact() {
        let longest = "x".repeat(LONGEST_LINE);
        let text = format!("{longest}\n{longest}x\nisready\n{longest}xxx");
        let expected =
            [Line::Text(longest.clone()), Line::TooLong, Line::Text("isready".to_owned()), Line::TooLong];
        assert!(all(text.as_bytes()) == expected);
    }
}
