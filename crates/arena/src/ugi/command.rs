//! The lines that a match runner sends to an engine.

use std::fmt;

use yarra_games::ParseError;

use super::go::Go;

/// A line from a match runner. `Display` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: identify yourself and list your options.
    Ugi,
    /// `isready`: answer `readyok` when all earlier commands are done.
    IsReady,
    /// `uginewgame`: the next position belongs to a new game.
    NewGame,
    /// `setoption name N value V`
    SetOption {
        /// The option.
        name: String,
        /// Its new value; empty if none was given.
        value: String,
    },
    /// `position startpos|fen P moves M …`
    Position {
        /// The start position, if it is not the default.
        fen: Option<String>,
        /// The moves since.
        moves: Vec<String>,
    },
    /// `go …`: choose a move.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `query Q`: asks about the state of the game.
    Query(Query),
    /// `quit`
    Quit,
}

/// A question about the state of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is the game over?
    GameOver,
    /// Is it red's turn?
    P1Turn,
    /// Who has won?
    Result,
}

impl Query {
    const ALL: [Query; 3] = [Query::GameOver, Query::P1Turn, Query::Result];

    fn word(self) -> &'static str {
        match self {
            Query::GameOver => "gameover",
            Query::P1Turn => "p1turn",
            Query::Result => "result",
        }
    }
}

const COMMANDS: &str =
    "`ugi`, `isready`, `uginewgame`, `setoption`, `position`, `go`, `stop`, `query` or `quit`";

impl Command {
    /// Parses a line; `None` if it is blank.
    ///
    /// # Errors
    /// If the line is not a command, with what was expected.
    pub fn read(line: &str) -> Result<Option<Command>, ParseError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return Ok(None) };
        let command = match first {
            "setoption" => read_option(rest)?,
            "position" => read_position(rest)?,
            "go" => Command::Go(Go::read(rest)?),
            "query" => Command::Query(read_query(rest)?),
            _ => {
                let bare = [Command::Ugi, Command::IsReady, Command::NewGame, Command::Stop, Command::Quit];
                let Some(command) = bare.into_iter().find(|command| command.to_string() == first) else {
                    return Err(ParseError::new(COMMANDS, line));
                };
                if !rest.is_empty() {
                    return Err(ParseError::new(format!("`{first}` alone"), line));
                }
                command
            }
        };
        Ok(Some(command))
    }
}

fn read_option(words: &[&str]) -> Result<Command, ParseError> {
    let wrong = || ParseError::new("`setoption name N value V`", &words.join(" "));
    let (&"name", rest) = words.split_first().ok_or_else(wrong)? else { return Err(wrong()) };
    let (name, value) = split_at_word(rest, "value");
    if name.is_empty() {
        return Err(wrong());
    }
    let value = value.unwrap_or_default().join(" ");
    Ok(Command::SetOption { name: name.join(" "), value: if value == EMPTY { String::new() } else { value } })
}

/// Stands for an empty value.
pub const EMPTY: &str = "<empty>";

fn read_position(words: &[&str]) -> Result<Command, ParseError> {
    let expected = "`position startpos` or `position fen P`, then `moves M …` if there are any";
    let wrong = || ParseError::new(expected, &words.join(" "));
    let (start, moves) = split_at_word(words, "moves");
    let fen = match start {
        ["startpos"] => None,
        ["fen", fen @ ..] if !fen.is_empty() => Some(fen.join(" ")),
        _ => return Err(wrong()),
    };
    let moves = moves.unwrap_or_default().iter().map(|&word| word.to_owned()).collect();
    Ok(Command::Position { fen, moves })
}

fn read_query(words: &[&str]) -> Result<Query, ParseError> {
    let query = Query::ALL.into_iter().find(|query| words == [query.word()]);
    query.ok_or_else(|| {
        ParseError::new("`query gameover`, `query p1turn` or `query result`", &words.join(" "))
    })
}

/// The words before a word and, if it occurs, those after it.
fn split_at_word<'a, 'w>(words: &'a [&'w str], word: &str) -> (&'a [&'w str], Option<&'a [&'w str]>) {
    match words.iter().position(|&found| found == word) {
        Some(at) => (&words[..at], Some(&words[at + 1..])),
        None => (words, None),
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ugi => f.write_str("ugi"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("uginewgame"),
            Command::SetOption { name, value } => {
                let value = if value.is_empty() { EMPTY } else { value };
                write!(f, "setoption name {name} value {value}")
            }
            Command::Position { fen, moves } => {
                match fen {
                    Some(fen) => write!(f, "position fen {fen}")?,
                    None => f.write_str("position startpos")?,
                }
                match moves.is_empty() {
                    true => Ok(()),
                    false => write!(f, " moves {}", moves.join(" ")),
                }
            }
            Command::Go(go) => write!(f, "{go}"),
            Command::Stop => f.write_str("stop"),
            Command::Query(query) => write!(f, "query {}", query.word()),
            Command::Quit => f.write_str("quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn command(line: &str) -> Command {
        Command::read(line).unwrap().unwrap()
    }

    #[test]
    fn printing_a_command_inverts_parsing_it() {
        let lines = [
            "ugi",
            "isready",
            "uginewgame",
            "setoption name eval value material",
            "setoption name eval value <empty>",
            "setoption name two words value three more words",
            "position startpos",
            "position startpos moves 0-2 steal",
            "position fen ..r../...../...../...../..... b 1",
            "position fen ..r../...../...../...../..... b 1 moves steal 2-2",
            "go",
            "go infinite",
            "go movetime 500",
            "go p1time 1000 p2time 900 p1inc 10 p2inc 0",
            "go movetime 1 p1time 2 nodes 3 depth 4 infinite",
            "stop",
            "query gameover",
            "query p1turn",
            "query result",
            "quit",
        ];
        for line in lines {
            assert_eq!(command(line).to_string(), line);
        }
    }

    #[test]
    fn extra_spaces_are_ignored() {
        assert_eq!(command("\t position  startpos moves\t0-0 "), command("position startpos moves 0-0"));
        assert_eq!(command("setoption name eval value"), command("setoption name eval"));
        assert_eq!(command("position startpos moves"), command("position startpos"));
        assert_eq!(Command::read(" \t"), Ok(None));
    }

    #[test]
    fn errors_say_what_was_expected() {
        let table = [
            ("hello", "`isready`"),
            ("UGI", "`ugi`"),
            ("stop now", "`stop` alone"),
            ("setoption", "name N"),
            ("setoption eval value x", "name N"),
            ("setoption name value x", "name N"),
            ("position", "startpos"),
            ("position fen", "startpos"),
            ("position fen moves 0-0", "startpos"),
            ("position startpos 0-0", "startpos"),
            ("go depth", "a number after `go depth`"),
            ("go depth -1", "a number"),
            ("go nodes 1e6", "a number"),
            ("go movetime 99999999999999999999", "a number"),
            ("go wtime 100", "p1time"),
            ("query", "gameover"),
            ("query fen", "gameover"),
            ("query result now", "gameover"),
        ];
        for (line, expected) in table {
            let error = Command::read(line).unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
