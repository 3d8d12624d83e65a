//! The lines that an engine sends to a match runner.

use std::fmt;
use std::time::Duration;

use yarra_engine::Score;
use yarra_games::ParseError;

use super::command::EMPTY;

/// A line from an engine. `Display` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name N`
    Name(String),
    /// `id author A`
    Author(String),
    /// `option name N type T default D`
    Option(EngineOption),
    /// `ugiok`: the end of the answer to `ugi`.
    UgiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`
    Info(Info),
    /// `bestmove M`
    BestMove(String),
    /// `response R`
    Response(Answer),
}

/// An option that `setoption` can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name.
    pub name: String,
    /// The type of its values; all of ours are a `string`.
    pub kind: String,
    /// The default value.
    pub default: String,
}

/// The progress of a search, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The rank of the line among several (MultiPV); the best is 1.
    pub rank: Option<u32>,
    /// The score of the line for the player to move.
    pub score: Option<Score>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The time since the search started.
    pub time: Option<Duration>,
    /// Nodes per second.
    pub nodes_per_second: Option<u64>,
    /// The line.
    pub line: Vec<String>,
    /// A free-form message.
    pub text: Option<String>,
}

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes.
    True,
    /// No.
    False,
    /// Red has won.
    P1Win,
    /// Blue has won.
    P2Win,
    /// A draw.
    Draw,
    /// The game is not over.
    None,
}

impl Answer {
    const ALL: [Answer; 6] =
        [Answer::True, Answer::False, Answer::P1Win, Answer::P2Win, Answer::Draw, Answer::None];

    fn word(self) -> &'static str {
        match self {
            Answer::True => "true",
            Answer::False => "false",
            Answer::P1Win => "p1win",
            Answer::P2Win => "p2win",
            Answer::Draw => "draw",
            Answer::None => "none",
        }
    }
}

impl From<bool> for Answer {
    fn from(is_so: bool) -> Answer {
        if is_so { Answer::True } else { Answer::False }
    }
}

impl Reply {
    /// Parses a line; `None` if it is blank.
    ///
    /// # Errors
    /// If the line is not a reply, with what was expected.
    pub fn read(line: &str) -> Result<Option<Reply>, ParseError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let wrong = |expected: &'static str| Err(ParseError::new(expected, line));
        let reply = match words.as_slice() {
            [] => return Ok(None),
            ["id", "name", name @ ..] => Reply::Name(name.join(" ")),
            ["id", "author", author @ ..] => Reply::Author(author.join(" ")),
            ["option", rest @ ..] => match EngineOption::read(rest) {
                Some(option) => Reply::Option(option),
                None => return wrong("`option name N type T default D`"),
            },
            ["ugiok"] => Reply::UgiOk,
            ["readyok"] => Reply::ReadyOk,
            ["info", rest @ ..] => Reply::Info(Info::read(rest)),
            ["bestmove", m] | ["bestmove", m, "ponder", ..] => Reply::BestMove((*m).to_owned()),
            ["response", word] => match Answer::ALL.into_iter().find(|answer| answer.word() == *word) {
                Some(answer) => Reply::Response(answer),
                None => return wrong("`response true|false` or `response p1win|p2win|draw|none`"),
            },
            _ => return wrong("`id`, `option`, `ugiok`, `readyok`, `info`, `bestmove M` or `response R`"),
        };
        Ok(Some(reply))
    }
}

impl EngineOption {
    fn read(words: &[&str]) -> Option<EngineOption> {
        let ["name", rest @ ..] = words else { return None };
        let type_at = rest.iter().position(|&word| word == "type")?;
        let (name, [_, kind, facts @ ..]) = rest.split_at(type_at) else { return None };
        // Other properties of an option, such as its bounds, are ignored.
        let default = match facts {
            ["default", value @ ..] => value,
            _ => &[],
        };
        let end = default.iter().position(|word| matches!(*word, "min" | "max" | "var"));
        let default = default[..end.unwrap_or(default.len())].join(" ");
        let default = if default == EMPTY { String::new() } else { default };
        let name = name.join(" ");
        (!name.is_empty()).then(|| EngineOption { name, kind: (*kind).to_owned(), default })
    }
}

const INFO_WORDS: [&str; 8] = ["depth", "multipv", "score", "nodes", "time", "nps", "pv", "string"];

impl Info {
    /// An `info string`.
    pub fn text(text: impl fmt::Display) -> Info {
        Info { text: Some(text.to_string()), ..Info::default() }
    }

    /// Parses leniently and skips unknown words: a malformed `info` must not lose a game.
    fn read(words: &[&str]) -> Info {
        let mut info = Info::default();
        let mut rest = words;
        while let [word, tail @ ..] = rest {
            rest = tail;
            let number = tail.first().copied().unwrap_or_default();
            match *word {
                "depth" => info.depth = number.parse().ok(),
                "multipv" => info.rank = number.parse().ok(),
                "nodes" => info.nodes = number.parse().ok(),
                "time" => info.time = number.parse().ok().map(Duration::from_millis),
                "nps" => info.nodes_per_second = number.parse().ok(),
                "score" => info.score = read_score(tail),
                "pv" => {
                    let is_word = |word: &&str| INFO_WORDS.contains(word);
                    let end = tail.iter().position(is_word).unwrap_or(tail.len());
                    info.line = tail[..end].iter().map(|&word| word.to_owned()).collect();
                    rest = &tail[end..];
                }
                "string" => {
                    info.text = Some(tail.join(" "));
                    rest = &[];
                }
                _ => {}
            }
        }
        info
    }
}

fn read_score(words: &[&str]) -> Option<Score> {
    let [kind, number, ..] = words else { return None };
    let number: i64 = number.parse().ok()?;
    let plies = number.unsigned_abs().try_into().unwrap_or(u32::MAX).min(i32::MAX as u32);
    match *kind {
        "cp" => Some(Score(number.clamp(i32::MIN.into(), i32::MAX.into()) as i32).clamped()),
        "mate" if 0 < number => Some(Score::win_in(plies)),
        "mate" => Some(-Score::win_in(plies)),
        _ => None,
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Option(EngineOption { name, kind, default }) => {
                let default = if default.is_empty() { EMPTY } else { default };
                write!(f, "option name {name} type {kind} default {default}")
            }
            Reply::UgiOk => f.write_str("ugiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "{info}"),
            Reply::BestMove(m) => write!(f, "bestmove {m}"),
            Reply::Response(answer) => write!(f, "response {}", answer.word()),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(rank) = self.rank {
            write!(f, " multipv {rank}")?;
        }
        if let Some(score) = self.score {
            match score.plies_to_end() {
                Some(plies) => write!(f, " score mate {plies}")?,
                None => write!(f, " score cp {}", score.0)?,
            }
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(time) = self.time {
            write!(f, " time {}", time.as_millis())?;
        }
        if let Some(nodes_per_second) = self.nodes_per_second {
            write!(f, " nps {nodes_per_second}")?;
        }
        if !self.line.is_empty() {
            write!(f, " pv {}", self.line.join(" "))?;
        }
        match &self.text {
            Some(text) => write!(f, " string {}", text.split_whitespace().collect::<Vec<_>>().join(" ")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reply(line: &str) -> Reply {
        Reply::read(line).unwrap().unwrap()
    }

    #[track_caller]
    fn info(line: &str) -> Info {
        let Reply::Info(info) = reply(line) else { panic!("{line}") };
        info
    }

    #[test]
    fn printing_a_reply_inverts_parsing_it() {
        let lines = [
            "id name Yarra entourage:depth=4",
            "id author The Yarra authors",
            "option name eval type string default <empty>",
            "option name two words type spin default 3",
            "ugiok",
            "readyok",
            "info depth 4 score cp -155 nodes 1000 time 20 nps 50000 pv 3-3 2-2ur",
            "info depth 9 multipv 2 score mate 3",
            "info score mate -4 string as good as lost",
            "bestmove steal",
            "response true",
            "response none",
        ];
        for line in lines {
            assert_eq!(reply(line).to_string(), line);
        }
        assert_eq!(Reply::read(""), Ok(None));
    }

    #[test]
    fn scores_include_forced_wins_and_losses() {
        assert_eq!(info("info score mate 3").score, Some(Score::win_in(3)));
        assert_eq!(info("info score mate -2").score, Some(-Score::win_in(2)));
        assert_eq!(info("info score cp 99999999999").score, Some(Score::MAX_EVALUATION));
        assert_eq!(info("info score lowerbound 3").score, None);
    }

    #[test]
    fn infos_of_other_engines_are_parsed_as_far_as_possible() {
        let found = info("info depth 7 seldepth 9 time 0.5 hashfull 3 pv a b c nodes 12 currmove x nps");
        let line = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(found, Info { depth: Some(7), nodes: Some(12), line, ..Info::default() });
        assert_eq!(info("info"), Info::default());
        assert_eq!(info("info string depth 5 pv x").text.as_deref(), Some("depth 5 pv x"));
    }

    #[test]
    fn unused_properties_of_options_are_dropped() {
        let Reply::Option(option) = reply("option name Hash type spin default 16 min 1 max 1024") else {
            panic!()
        };
        assert_eq!((option.name.as_str(), option.default.as_str()), ("Hash", "16"));
        assert_eq!(
            reply("option name Clear type button").to_string(),
            "option name Clear type button default <empty>"
        );
        assert_eq!(reply("bestmove 3-3 ponder 2-2"), Reply::BestMove("3-3".to_owned()));
    }

    #[test]
    fn errors_say_what_was_expected() {
        let lines = [
            "hello",
            "id",
            "id species",
            "ugiok now",
            "bestmove",
            "bestmove a b",
            "response",
            "response maybe",
            "option",
            "option name type string",
            "option name x",
            "option name x type",
        ];
        for line in lines {
            assert!(Reply::read(line).unwrap_err().to_string().contains("expected `"), "{line}");
        }
    }
}
