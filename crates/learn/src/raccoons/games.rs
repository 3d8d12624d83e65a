//! Games of nets: self-play for examples, and matches of the new net against the old one.

use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move, Player, Position};
use yarra_reports::raccoons::zero::{EXPLORATION, Net, Rule, Search, match_temperature};

use crate::RunError;

/// A game of self-play with what the searches have seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayedGame {
    /// The moves in order.
    pub plies: Vec<Ply>,
}

/// A move of self-play.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The move that was made.
    pub m: Move,
    /// How often each move was visited, without those that were not.
    pub visits: Vec<(Move, u32)>,
}

impl PlayedGame {
    /// The positions before each move, and that after the last.
    pub fn positions(&self) -> Vec<Infexion> {
        let mut positions = vec![start()];
        positions.extend(self.plies.iter().scan(start(), |pos, ply| {
            pos.play(ply.m);
            Some(*pos)
        }));
        positions
    }
}

/// The temperature of self-play.
const TEMPERATURE: f64 = 1.0;

fn start() -> Infexion {
    Infexion::start(yarra_games::infexion::SIZE).expect("the size of Infexion")
}

/// Report 004, Agent 1, 3 (Self-play & Reinforcement Learning): a game of a net against itself.
pub fn self_play(net: &Net, rule: Rule, simulations: u64, rng: &mut fastrand::Rng) -> PlayedGame {
    let mut search = Search::new(rule, EXPLORATION);
    let (mut pos, mut game) = (start(), PlayedGame::default());
    while pos.outcome().is_none() {
        search.set_root(net, &pos);
        for _ in 0..simulations {
            search.simulate(net, rng);
        }
        let m = search.draw(TEMPERATURE, rng);
        game.plies.push(Ply { m, visits: search.visits() });
        pos.play(m);
    }
    game
}

/// A game between two nets, red's first. Returns the winner.
pub fn duel(nets: [&Net; 2], rule: Rule, simulations: u64, rng: &mut fastrand::Rng) -> Option<Player> {
    let mut searches = nets.map(|_| Search::new(rule, EXPLORATION));
    let mut pos = start();
    loop {
        if let Some(outcome) = pos.outcome() {
            return outcome.winner;
        }
        let mover = usize::from(pos.turn() == Player::Blue);
        let (net, search) = (nets[mover], &mut searches[mover]);
        search.set_root(net, &pos);
        for _ in 0..simulations {
            search.simulate(net, rng);
        }
        pos.play(search.draw(match_temperature(pos.ply()), rng));
    }
}

/// Games as the bytes of a shard: for each the number of plies; for each ply its move, the number of moves that were
/// visited, and these with their visits. All numbers have the lowest byte first.
pub fn to_shard(games: &[PlayedGame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games {
        bytes.extend((game.plies.len() as u16).to_le_bytes());
        for ply in &game.plies {
            bytes.extend(ply.m.0.to_le_bytes());
            bytes.extend((ply.visits.len() as u16).to_le_bytes());
            for (m, n) in &ply.visits {
                bytes.extend(m.0.to_le_bytes());
                bytes.extend(n.to_le_bytes());
            }
        }
    }
    bytes
}

/// The games of a shard.
///
/// # Errors
/// If the bytes are no such games.
pub fn from_shard(bytes: &[u8]) -> Result<Vec<PlayedGame>, RunError> {
    let mut rest = bytes;
    let mut games = Vec::new();
    while !rest.is_empty() {
        games.push(read_game(&mut rest).ok_or_else(|| RunError::new("a shard has no games of this recipe"))?);
    }
    Ok(games)
}

fn read_game(rest: &mut &[u8]) -> Option<PlayedGame> {
    let (mut game, mut pos) = (PlayedGame::default(), start());
    for _ in 0..read_u16(rest)? {
        let m = Move(read_u16(rest)?);
        let legal =
            |m: Move| usize::from(m.0) < Infexion::MOVES && pos.outcome().is_none() && pos.is_legal(m);
        if !legal(m) {
            return None;
        }
        let mut visits = Vec::new();
        for _ in 0..read_u16(rest)? {
            let visited = Move(read_u16(rest)?);
            let (n, after) = rest.split_first_chunk::<4>()?;
            *rest = after;
            visits.push((Some(visited).filter(|&m| legal(m))?, u32::from_le_bytes(*n)));
        }
        game.plies.push(Ply { m, visits });
        pos.play(m);
    }
    Some(game)
}

fn read_u16(rest: &mut &[u8]) -> Option<u16> {
    let (word, after) = rest.split_first_chunk::<2>()?;
    *rest = after;
    Some(u16::from_le_bytes(*word))
}
