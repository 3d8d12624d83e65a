//! What a match runner says to an engine.

use std::fmt;
use std::time::Duration;

use yarra_engine::Limits;
use yarra_engine::time::n_moves_planned;
use yarra_games::{ByPlayer, ParseError, Position};

/// A line from a match runner. `Display` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: who are you, and what can be chosen?
    Ugi,
    /// `isready`: are you there?
    IsReady,
    /// `uginewgame`: what comes has nothing to do with what was.
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
        /// Where the game started, if not as usual.
        fen: Option<String>,
        /// The moves since.
        moves: Vec<String>,
    },
    /// `go …`: choose a move.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `query Q`: what do the rules say?
    Query(Query),
    /// `quit`
    Quit,
}

/// What an engine may spend on a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The time left to each player.
    pub times: ByPlayer<Option<Duration>>,
    /// What each player is given for each move.
    pub increments: ByPlayer<Option<Duration>>,
    /// Whether to answer only when told to stop.
    pub is_infinite: bool,
}

/// What an engine can be asked about the game.
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
    /// Reads a line; `None` if it is blank.
    ///
    /// # Errors
    /// Says what was expected.
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

/// An empty value, which would not be seen.
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

/// The words before a word and, if it is there, those behind it.
fn split_at_word<'a, 'w>(words: &'a [&'w str], word: &str) -> (&'a [&'w str], Option<&'a [&'w str]>) {
    match words.iter().position(|&found| found == word) {
        Some(at) => (&words[..at], Some(&words[at + 1..])),
        None => (words, None),
    }
}

impl Go {
    fn read(words: &[&str]) -> Result<Go, ParseError> {
        let mut go = Go::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if word == "infinite" {
                go.is_infinite = true;
                continue;
            }
            let number = words.next().copied().unwrap_or_default();
            let wrong = || ParseError::new(format!("a number after `go {word}`"), number);
            let time = || {
                // Some runners let clocks run below zero.
                let time = number.parse::<i64>().map_err(|_| wrong())?;
                Ok(Some(Duration::from_millis(time.max(0).unsigned_abs())))
            };
            match word {
                "depth" => go.depth = Some(number.parse().map_err(|_| wrong())?),
                "nodes" => go.nodes = Some(number.parse().map_err(|_| wrong())?),
                "movetime" => go.move_time = time()?,
                "p1time" => go.times.red = time()?,
                "p2time" => go.times.blue = time()?,
                "p1inc" => go.increments.red = time()?,
                "p2inc" => go.increments.blue = time()?,
                _ => {
                    let expected = "`go` with `movetime`, `nodes`, `depth`, `p1time`, `p2time`, `p1inc`, \
                                    `p2inc` or `infinite`";
                    return Err(ParseError::new(expected, word));
                }
            }
        }
        Ok(go)
    }

    /// The limits of the player to move.
    pub fn limits(&self, pos: &dyn Position) -> Limits {
        let mover = pos.turn();
        let increment = self.increments[mover].unwrap_or_default();
        let clock = self.times[mover].map(|left| in_hand(left, increment, pos));
        // No time at all would be an agent's own habit, which may be short.
        let forever = self.is_infinite.then_some(FOREVER);
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time.or(forever.filter(|_| clock.is_none())),
            clock,
        }
    }
}

/// Long enough for anybody, and short enough to be calculated with.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// The time left, with the increments of the moves to come. An agent may use four fifths of its clock for
/// a single move, and must not rely on what it is only given later: so it gets at most a fifth more.
fn in_hand(left: Duration, increment: Duration, pos: &dyn Position) -> Duration {
    left + (increment * u32::from(n_moves_planned(pos).saturating_sub(1))).min(left / 5)
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

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        let times = [
            ("movetime", self.move_time),
            ("p1time", self.times.red),
            ("p2time", self.times.blue),
            ("p1inc", self.increments.red),
            ("p2inc", self.increments.blue),
        ];
        for (word, time) in times {
            if let Some(time) = time {
                write!(f, " {word} {}", time.as_millis())?;
            }
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        f.write_str(if self.is_infinite { " infinite" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use yarra_games::{read, start};

    use super::*;

    #[track_caller]
    fn command(line: &str) -> Command {
        Command::read(line).unwrap().unwrap()
    }

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn commands_are_written_as_they_are_read() {
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
    fn blanks_do_not_matter() {
        assert_eq!(command("\t position  startpos moves\t0-0 "), command("position startpos moves 0-0"));
        assert_eq!(command("setoption name eval value"), command("setoption name eval"));
        assert_eq!(command("position startpos moves"), command("position startpos"));
        assert_eq!(Command::read(" \t"), Ok(None));
    }

    #[test]
    fn nonsense_is_told_what_would_be_right() {
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

    #[track_caller]
    fn limits(line: &str, pos: &dyn Position) -> Limits {
        let Command::Go(go) = command(line) else { panic!("{line}") };
        go.limits(pos)
    }

    #[test]
    fn each_player_has_a_clock() {
        let red = start("hex:3").unwrap();
        let blue = read("hex:3", "r../.../... b 1").unwrap();
        let line = "go p1time 1000 p2time 2000";
        assert_eq!(limits(line, &*red).clock, Some(1000 * MS));
        assert_eq!(limits(line, &*blue).clock, Some(2000 * MS));
        assert_eq!(limits("go p2time 2000", &*red), Limits::default());
        assert_eq!(limits("go p1time -5", &*red).clock, Some(Duration::ZERO));
    }

    #[test]
    fn increments_count_as_far_as_the_clock_can_bear_it() {
        let start = start("infexion").unwrap();
        assert_eq!(limits("go p1time 60000 p1inc 100", &*start).clock, Some(62_400 * MS));
        assert_eq!(limits("go p1time 1000 p1inc 5000", &*start).clock, Some(1200 * MS));
        let last =
            read("infexion", "......./...r1.../......./......./......./......./b1r1..... r 342").unwrap();
        assert_eq!(limits("go p1time 60000 p1inc 100", &*last).clock, Some(60_000 * MS));
    }

    #[test]
    fn infinite_is_long_whatever_an_agent_is_used_to() {
        let start = start("hex:3").unwrap();
        let time = |line| limits(line, &*start).move_time;
        assert_eq!(time("go infinite"), Some(FOREVER));
        assert_eq!(time("go infinite movetime 5"), Some(5 * MS));
        assert_eq!(time("go infinite p1time 5"), None);
        assert_eq!(time("go"), None);
    }
}
