//! Moves as people type them: `3, 4`, `SPAWN(3,4)`, `3-4 UR`, `5-5 5-6 6-6 6-7`. Only a prompt reads them; files and protocols
//! are strict.

use crate::{ParseError, Player};

/// What a person typed: the numbers of cells, and all other letters in lower case.
pub struct Typed {
    numbers: Vec<u16>,
    /// The letters, such as `ur` of `3-4 up right`, after [`short`].
    pub word: String,
}

impl Typed {
    /// Splits a text into numbers and letters; `None` if it contains anything else but separators.
    pub fn read(text: &str) -> Option<Typed> {
        let mut typed = Typed { numbers: Vec::new(), word: String::new() };
        let mut digits = String::new();
        let mut before = ',';
        // The blank at the end completes the last number.
        for letter in text.trim().chars().chain([' ']) {
            if letter.is_ascii_digit() {
                digits.push(letter);
            } else if !digits.is_empty() {
                typed.numbers.push(digits.parse().ok()?);
                digits.clear();
            }
            // `3,-1` is off the board; it must not be read as `3-1`.
            let is_minus = letter == '-' && matches!(before, ',' | ';' | '-' | '(' | '[');
            before = letter;
            match letter {
                _ if is_minus => return None,
                '0'..='9' | ' ' | '\t' | ',' | ';' | '-' | '/' | '.' | '(' | ')' | '[' | ']' => {}
                '↑' => typed.word.push('u'),
                '↓' => typed.word.push('d'),
                '↗' => typed.word.push_str("ur"),
                '↘' => typed.word.push_str("dr"),
                '↖' => typed.word.push_str("ul"),
                '↙' => typed.word.push_str("dl"),
                _ if letter.is_alphabetic() => typed.word.extend(letter.to_lowercase()),
                _ => return None,
            }
        }
        typed.word = short(without_verb(&typed.word));
        Some(typed)
    }

    /// The cells of a board with `size` rows and columns.
    ///
    /// # Errors
    /// If a number is missing or off the board.
    pub fn cells(&self, size: u8) -> Result<Vec<(u8, u8)>, String> {
        if !self.numbers.len().is_multiple_of(2) {
            return Err("a cell has two numbers, as in `3-4`".to_owned());
        }
        let cell = |pair: &[u16]| {
            let off =
                || format!("{}-{} is off the board: numbers go from 0 to {}", pair[0], pair[1], size - 1);
            let is_on = pair.iter().all(|&number| number < size.into());
            is_on.then_some((pair[0] as u8, pair[1] as u8)).ok_or_else(off)
        };
        self.numbers.chunks_exact(2).map(cell).collect()
    }
}

/// A cell of a board with `size` rows and columns, as a person types it.
///
/// # Errors
/// What was expected instead.
pub fn read_typed_cell(text: &str, size: u8) -> Result<(u8, u8), String> {
    let wrong = || ParseError::new("a cell like `3-4`", text).to_string();
    let typed = Typed::read(text).filter(|typed| typed.word.is_empty()).ok_or_else(wrong)?;
    match typed.cells(size)?[..] {
        [cell] => Ok(cell),
        _ => Err(wrong()),
    }
}

/// Why a player cannot use a cell that is not empty.
pub fn taken((row, col): (u8, u8), owner: Player, turn: Player) -> String {
    if owner == turn {
        return format!("{row}-{col} is already yours");
    }
    format!("{row}-{col} is taken by {owner}")
}

/// The letters after the verb of the course's notation: `SPAWN(3-4)` is `3-4`. A `spread` needs its direction; without one
/// the cell alone would be a spawn.
fn without_verb(word: &str) -> &str {
    match word {
        "spawn" | "place" | "put" | "play" => "",
        _ => word.strip_prefix("spread").filter(|rest| !rest.is_empty()).unwrap_or(word),
    }
}

/// Names of directions by their letters: `upright`, `rightup` and `northeast` are `ur`. Other words stay as they are.
fn short(word: &str) -> String {
    const NAMES: [(&str, &str); 8] = [
        ("up", "u"),
        ("down", "d"),
        ("left", "l"),
        ("right", "r"),
        ("north", "u"),
        ("south", "d"),
        ("east", "r"),
        ("west", "l"),
    ];
    let letters = NAMES.iter().fold(word.to_owned(), |word, (name, letter)| word.replace(name, letter));
    match letters.as_str() {
        "n" => "u",
        "s" => "d",
        "ne" | "ru" => "ur",
        "se" | "rd" => "dr",
        "nw" | "lu" => "ul",
        "sw" | "ld" => "dl",
        "u" | "d" | "l" | "r" | "ur" | "dr" | "ul" | "dl" => &letters,
        _ => word,
    }
    .to_owned()
}
