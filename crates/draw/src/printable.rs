//! Words of others, made safe to show: names of agents, folders and files, messages, output.
//!
//! A terminal obeys control characters, and marks of bidirectional text reorder a line, so that it reads as something
//! else. Everything that is not visible is therefore written as in JSON: `\u202e`.

use std::borrow::Cow;

/// A line is cut off after this many characters.
pub const LONGEST_LINE: usize = 500;

/// A text on one line, with everything that is not visible escaped. Long texts are cut off.
pub fn printable(text: &str) -> String {
    let mut line = String::new();
    let mut letters = text.chars();
    for letter in letters.by_ref().take(LONGEST_LINE) {
        push(&mut line, letter);
    }
    if letters.next().is_some() {
        line.push('…');
    }
    line
}

/// The last lines of a text, each printable, with a note on how many were left out. The last ones of a traceback say the
/// most.
pub fn printable_lines(text: &str, most: usize) -> Vec<String> {
    let n_left_out = text.lines().count().saturating_sub(most);
    let noun = if n_left_out == 1 { "line" } else { "lines" };
    let note = (0 < n_left_out).then(|| format!("… {n_left_out} earlier {noun}"));
    note.into_iter().chain(text.lines().skip(n_left_out).map(printable)).collect()
}

/// A text for a terminal of which only line ends and colors control the terminal. JSON stays the same JSON.
pub fn cleaned(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        match color_code(rest) {
            Some(code) => clean.push_str(code),
            None if letter == '\n' => clean.push(letter),
            None => push(&mut clean, letter),
        }
        rest = &rest[color_code(rest).map_or(letter.len_utf8(), str::len)..];
    }
    Cow::Owned(clean)
}

/// The escape sequence for a color or a weight that a text starts with, if it does.
fn color_code(text: &str) -> Option<&str> {
    let codes = text.strip_prefix("\u{1b}[")?;
    let end = codes.find(|letter: char| !letter.is_ascii_digit() && letter != ';')?;
    codes[end..].starts_with('m').then(|| &text[..text.len() - codes.len() + end + 1])
}

fn push(text: &mut String, letter: char) {
    match letter {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        _ if is_visible(letter) => text.push(letter),
        _ => {
            let mut units = [0; 2];
            text.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
}

/// Whether a character takes up room and does nothing else. `escape_debug` knows all others: controls, formats (marks of
/// direction and joiners among them), separators, unassigned ones, and marks that combine with the letter before.
fn is_visible(letter: char) -> bool {
    matches!(letter, ' '..='~') || letter.escape_debug().len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters that a terminal or a browser obeys instead of showing them.
    const HOSTILE: &str = "\u{0}\u{7}\u{8}\u{b}\u{1b}\u{7f}\u{85}\u{9b}\u{ad}\u{34f}\u{61c}\u{180e}\u{200b}\u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{fe0f}\u{feff}\u{fff9}\u{1d173}\u{e0001}";

    #[test]
    fn what_is_visible_stays_and_the_rest_is_escaped() {
        assert_eq!(printable("naïve 𝛑 漢字 ↘ \"'\\ ok"), "naïve 𝛑 漢字 ↘ \"'\\ ok");
        assert_eq!(printable("a\u{1b}[2Jb\r\n\tc\u{202e}"), "a\\u001b[2Jb\\r\\n\\tc\\u202e");
        for hostile in HOSTILE.chars() {
            let text = printable(&format!("a{hostile}b"));
            assert!(
                text.starts_with("a\\u") && text.ends_with('b') && text.is_ascii(),
                "{hostile:?}: {text}"
            );
            assert_eq!(cleaned(&format!("a{hostile}b")), text);
        }
    }

    #[test]
    fn lines_are_bounded() {
        assert_eq!(printable(&"x".repeat(1_000_000)).chars().count(), LONGEST_LINE + 1);
        assert_eq!(printable(&"x".repeat(LONGEST_LINE)), "x".repeat(LONGEST_LINE));
        assert_eq!(printable_lines("a\nb\u{7}\nc", 2), ["… 1 earlier line", "b\\u0007", "c"]);
        assert_eq!(printable_lines("a\r\nb", 2), ["a", "b"]);
        assert!(printable_lines("", 2).is_empty());
    }

    #[test]
    fn colors_and_line_ends_pass() {
        let drawn = "\u{1b}[1m\u{1b}[91mr\u{1b}[0m\n";
        assert_eq!(cleaned(drawn), drawn);
        assert_eq!(
            cleaned("\u{1b}[1;31mx\u{1b}[2J\u{1b}]0;y\u{7}\u{1b}["),
            "\u{1b}[1;31mx\\u001b[2J\\u001b]0;y\\u0007\\u001b["
        );
        assert!(matches!(cleaned("plain\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_stays_the_same() {
        let value = serde_json::Value::from(HOSTILE);
        let line = value.to_string();
        let clean = cleaned(&line);
        assert!(clean.is_ascii(), "{clean}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&clean).expect("JSON"), value);
    }
}
