//! Traps: positions in which a careless player errs, each with its good moves and the proof of them.
//!
//! The suites stand in `data/traps`, one JSON object a line. A proof looks at every line of play to its depth,
//! so that [`Trap::prove`] can be repeated by anybody.

use std::fmt;

use serde::Deserialize;
use yarra_engine::agent::unwatched;
use yarra_engine::{Bound, Score, Table, tactics};
use yarra_games::cpu::fastest;
use yarra_games::{Game, Move, MoveList, ParseError, Player, Position, Record, Work, read, with_game};

use crate::Side;

/// A position, the moves that are good in it, and why.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trap {
    /// Its name in the suite, such as `domino-2`.
    pub id: String,
    /// What it tests, one of the game's kinds.
    pub kind: String,
    /// The game and its size, such as `cachex:5`.
    pub game: String,
    /// The position's notation.
    pub position: String,
    /// All moves that are good.
    pub good: Vec<String>,
    /// What makes them good.
    pub proof: Proof,
    /// Agents that fall for it, whatever their seed.
    pub fools: Vec<String>,
    /// The same for people, in a sentence.
    pub why: String,
}

/// What was searched to tell good moves from others.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// What the search counts.
    pub by: By,
    /// Plies, the move itself among them.
    pub depth: u32,
    /// The same was searched at every depth from this one on; without it, at `depth` alone. Material at one
    /// depth flatters whoever moves last: a move that is best at five plies can lose its stack at the sixth.
    pub from: Option<u32>,
    /// By how much the worst good move is better than the best of the others; 1 for wins and holds.
    #[serde(default = "one")]
    pub margin: i32,
}

fn one() -> i32 {
    1
}

/// What a proof counts, over all legal moves of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// 1 for a move that wins by force within the depth, 0 for others.
    Win,
    /// 0 for a move that loses by force within the depth, 1 for others.
    Hold,
    /// The material that the mover is ahead after best play to the depth; a won game counts [`WON`].
    Score,
}

/// A won game where material is counted.
pub const WON: i32 = 1000;
/// The window in which every worth lies.
pub const ALL: (i32, i32) = (-WON, WON);

/// Why a trap is not proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Its text is wrong.
    Text(ParseError),
    /// It has no good move, or nothing but good moves.
    NoChoice,
    /// A move that is said to be good is not better by the margin than this one.
    NotBetter(String),
    /// The search looked at too many positions.
    TooLong,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Text(error) => error.fmt(f),
            Doubt::NoChoice => f.write_str("expected good moves and others"),
            Doubt::NotBetter(m) => write!(f, "the good moves are not better than {m} by the margin"),
            Doubt::TooLong => f.write_str("the proof takes too many positions"),
        }
    }
}

impl std::error::Error for Doubt {}

impl From<ParseError> for Doubt {
    fn from(error: ParseError) -> Doubt {
        Doubt::Text(error)
    }
}

/// The games with traps, their kinds, and the suites.
const SUITES: [(&str, &[&str], &str); 3] = [
    (
        "infexion",
        &["domino", "evaluation", "anti-greedy"],
        include_str!("../../../data/traps/infexion.jsonl"),
    ),
    (
        "tetress",
        &["line-clear", "blocking", "elimination"],
        include_str!("../../../data/traps/tetress.jsonl"),
    ),
    ("cachex", &["capture", "double-threat", "steal"], include_str!("../../../data/traps/cachex.jsonl")),
];

/// The kinds of traps of a game.
///
/// # Errors
/// Lists the games that have traps.
pub fn kinds(game: &str) -> Result<&'static [&'static str], ParseError> {
    find(game).map(|(kinds, _)| kinds)
}

/// The traps of a game.
///
/// # Errors
/// Lists the games that have traps.
///
/// # Panics
/// If a line of the suite is no trap; a test reads them all.
pub fn suite(game: &str) -> Result<Vec<Trap>, ParseError> {
    let (_, lines) = find(game)?;
    Ok(lines.lines().map(|line| serde_json::from_str(line).expect("tested")).collect())
}

fn find(game: &str) -> Result<(&'static [&'static str], &'static str), ParseError> {
    let found = SUITES.iter().find(|(name, ..)| *name == game);
    found.map(|&(_, kinds, lines)| (kinds, lines)).ok_or_else(|| {
        let names: Vec<_> = SUITES.iter().map(|(name, ..)| *name).collect();
        ParseError::new(format!("a game with traps, one of {}", names.join(", ")), game)
    })
}

/// What an agent did in a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its move, or what went wrong with it.
    pub answer: String,
    /// Whether the move is one of the good ones.
    pub is_solved: bool,
}

impl Trap {
    /// The game at the trap's position, with nothing before it.
    ///
    /// # Errors
    /// If the text is wrong.
    pub fn record(&self) -> Result<Record, ParseError> {
        Ok(Record::new(read(&self.game, &self.position)?))
    }

    /// Lets an agent choose.
    ///
    /// # Errors
    /// If the trap's text is wrong; an agent that fails has not solved it.
    pub fn set(&self, side: &mut Side) -> Result<Attempt, ParseError> {
        let game = self.record()?;
        let begun = side.begin(game.now().turn(), &game);
        Ok(match begun.and_then(|()| side.choose(&game, &mut unwatched)) {
            Ok(turn) => {
                let answer = game.now().show_move(turn.choice.mv);
                Attempt { is_solved: self.good.contains(&answer), answer }
            }
            Err(fault) => Attempt { answer: fault.to_string(), is_solved: false },
        })
    }

    /// Searches whether the good moves are better than all others, as the proof says.
    ///
    /// # Errors
    /// What is wrong, or that more than `max_nodes` positions would have to be looked at.
    pub fn prove(&self, max_nodes: u64) -> Result<(), Doubt> {
        let pos = read(&self.game, &self.position)?;
        let good = self.good.iter().map(|text| pos.read_move(text)).collect::<Result<Vec<_>, _>>()?;
        let mut others = MoveList::new();
        pos.legal_moves(&mut others);
        others.retain(|m| !good.contains(m));
        if good.is_empty() || others.is_empty() {
            return Err(Doubt::NoChoice);
        }
        let Proof { by, depth, from, margin } = self.proof;
        for depth in from.map_or(depth, |from| from.min(depth))..=depth {
            let prover = Prover { by, depth, max_nodes };
            let worths = prover.worths(&*pos, &good, ALL).ok_or(Doubt::TooLong)?;
            let floor = worths.into_iter().min().expect("not empty") - margin;
            let worths = prover.worths(&*pos, &others, (floor, floor + 1)).ok_or(Doubt::TooLong)?;
            if let Some(idx) = worths.into_iter().position(|worth| floor < worth) {
                return Err(Doubt::NotBetter(pos.show_move(others[idx])));
            }
        }
        Ok(())
    }
}

/// Finds out what moves are worth by looking at all lines.
#[derive(Clone, Copy, Debug)]
pub struct Prover {
    /// What is counted.
    pub by: By,
    /// Plies, the move itself among them.
    pub depth: u32,
    /// How many positions may be looked at.
    pub max_nodes: u64,
}

impl Prover {
    /// What some moves are worth, as far as it lies in the window: of moves at its lower end or below, only
    /// that they are, and the same at its upper end. `None` if it would take too long.
    pub fn worths(self, pos: &dyn Position, moves: &[Move], window: (i32, i32)) -> Option<Vec<i32>> {
        with_game(pos, Worths { prover: self, moves, window })
    }
}

struct Worths<'a> {
    prover: Prover,
    moves: &'a [Move],
    window: (i32, i32),
}

impl Work for Worths<'_> {
    type Output = Option<Vec<i32>>;

    fn run<G: Game>(self, pos: &G) -> Option<Vec<i32>> {
        let Prover { by, depth, max_nodes } = self.prover;
        let (table, cuts) = (Table::new(TABLE_BYTES), vec![0; usize::from(u16::MAX) + 1]);
        let mut search = Search { table, cuts, n_nodes: 0, max_nodes };
        let (floor, ceiling) = self.window;
        let (turn, depth) = (pos.turn(), depth.checked_sub(1)?);
        let mut worth = |m| {
            let after = pos.after(m);
            Some(match by {
                By::Win => i32::from(search.is_won(&after, turn, depth)?),
                By::Hold => i32::from(!search.is_won(&after, turn.opponent(), depth)?),
                By::Score => -search.lead(&after, depth, (-ceiling, -floor))?,
            })
        };
        self.moves.iter().map(|&m| worth(m)).collect()
    }
}

const TABLE_BYTES: usize = 4 << 20;

struct Search {
    table: Table,
    /// How often a move, by its number, was too good for the opponent to allow: of moves that take the same,
    /// such are tried first.
    cuts: Vec<u32>,
    n_nodes: u64,
    max_nodes: u64,
}

impl Search {
    /// Whether a player wins by force within so many plies.
    fn is_won<G: Game>(&mut self, pos: &G, player: Player, depth: u32) -> Option<bool> {
        if let Some(outcome) = pos.outcome() {
            return Some(outcome.winner == Some(player));
        }
        if depth == 0 {
            return Some(false);
        }
        let key = self.enter(pos, depth)?;
        if let Some(entry) = self.table.get(key) {
            return Some(entry.score(0) != Score::DRAW);
        }
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let is_chooser = pos.turn() == player;
        let mut is_won = !is_chooser;
        for m in moves {
            // One win is enough for the player, one way out for the opponent.
            if self.is_won(&pos.after(m), player, depth - 1)? == is_chooser {
                is_won = is_chooser;
                break;
            }
        }
        self.table.insert(key, (Score(is_won.into()), Bound::Exact), None, depth, 0);
        Some(is_won)
    }

    /// How much material the player to move is ahead after best play, as far as it lies in the window.
    fn lead<G: Game>(&mut self, pos: &G, depth: u32, (mut alpha, beta): (i32, i32)) -> Option<i32> {
        if depth == 0 || pos.outcome().is_some() {
            return Some(lead_now(pos));
        }
        let key = self.enter(pos, depth)?;
        let window = (Score(alpha), Score(beta));
        if let Some(score) = self.table.get(key).and_then(|entry| entry.cutoff(depth, 0, window)) {
            return Some(score.0);
        }
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let mut best = -WON - 1;
        if depth == 1 {
            best = fastest(
                #[inline(always)]
                || best_at_once(pos, &moves, beta),
            );
        } else {
            let promise =
                |m: Move| i64::from(tactics::gain(pos, m)) << 32 | i64::from(self.cuts[usize::from(m.0)]);
            moves.sort_by_cached_key(|&m| -promise(m));
            for m in moves {
                best = best.max(-self.lead(&pos.after(m), depth - 1, (-beta, -alpha))?);
                alpha = alpha.max(best);
                if beta <= alpha {
                    self.cuts[usize::from(m.0)] += depth * depth;
                    break;
                }
            }
        }
        let bound = match best {
            _ if best <= window.0.0 => Bound::Upper,
            _ if beta <= best => Bound::Lower,
            _ => Bound::Exact,
        };
        self.table.insert(key, (Score(best), bound), None, depth, 0);
        Some(best)
    }

    /// Counts a position. What is known of it holds for this depth alone, and so for this ply.
    fn enter<G: Game>(&mut self, pos: &G, depth: u32) -> Option<u64> {
        self.n_nodes += 1;
        (self.n_nodes <= self.max_nodes)
            .then(|| pos.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// How much material the player to move is ahead, or the result of a game that is over.
#[inline(always)]
fn lead_now<G: Game>(pos: &G) -> i32 {
    let turn = pos.turn();
    if let Some(outcome) = pos.outcome() {
        return outcome.winner.map_or(0, |winner| if winner == turn { WON } else { -WON });
    }
    pos.material(turn) as i32 - pos.material(turn.opponent()) as i32
}

/// The lead after the best of the moves, or after the first that reaches `beta`.
#[inline(always)]
fn best_at_once<G: Game>(pos: &G, moves: &[Move], beta: i32) -> i32 {
    let mut best = -WON - 1;
    for &m in moves {
        best = best.max(-lead_now(&pos.after(m)));
        if beta <= best {
            break;
        }
    }
    best
}
