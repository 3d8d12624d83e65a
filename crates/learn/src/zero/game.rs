//! A game of self-play in a few bytes a move, and the samples that it stands for.

use yarra_engine::net::conv::{Geometry, NetInput, net_game};
use yarra_games::{GameInfo, GameSpec, Move, MoveList, Player, Position};

use crate::conv::Sample;

/// A game of self-play with what its searches said.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlayGame {
    /// The size of the board.
    pub size: u8,
    /// All moves from the start position.
    pub moves: Vec<Move>,
    /// The first so many were random. All others were searched, and each gives a sample.
    pub n_random: u16,
    /// Red's result, from -1 to 1 in steps of 1/127: what an adjudicated game is worth may lie in between.
    result: i8,
    /// The root value of each searched move for its mover, in the same steps.
    values: Vec<i8>,
    /// The shares of moves in the improved policies, in steps of 1/255; moves with less are left out.
    policy: Vec<(Move, u8)>,
    /// Where the policy of each searched move ends.
    ends: Vec<u32>,
}

/// What a value is to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueTarget {
    /// The mean of the result and of what the search said.
    Mean,
    /// What the searches said from here on and the result: each ply nearer to the end counts so many times as much as
    /// the one before it, relative to all that follows (a return of TD(λ)).
    Return(f32),
}

impl SelfPlayGame {
    /// A game that begins with random moves.
    pub fn new(size: u8, random: &[Move]) -> SelfPlayGame {
        SelfPlayGame {
            size,
            moves: random.to_vec(),
            n_random: random.len() as u16,
            result: 0,
            values: Vec::new(),
            policy: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Adds a move that was played after a search.
    pub fn add(&mut self, m: Move, value: f64, policy: &[(Move, f32)]) {
        self.moves.push(m);
        self.values.push(quantised(value));
        let share = |share: f32| (255.0 * share).round() as u8;
        self.policy.extend(policy.iter().map(|&(m, p)| (m, share(p))).filter(|&(_, share)| share != 0));
        self.ends.push(self.policy.len() as u32);
    }

    /// Sets red's result, from -1 to 1.
    pub fn end(&mut self, result: f64) {
        self.result = quantised(result);
    }

    /// Red's result, from -1 to 1.
    pub fn result(&self) -> f32 {
        f32::from(self.result) / STEPS
    }

    /// The number of samples.
    pub fn n_samples(&self) -> usize {
        self.values.len()
    }

    fn policy_of(&self, n: usize) -> &[(Move, u8)] {
        let start = n.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.policy[start as usize..self.ends[n] as usize]
    }

    /// What the search of searched move `n` said for its mover, from -1 to 1.
    pub fn value_of(&self, n: usize) -> f32 {
        f32::from(self.values[n]) / STEPS
    }

    /// The value to learn at searched move `n`, in red's view.
    fn target(&self, n: usize, target: ValueTarget) -> f32 {
        let value = |idx: usize| {
            let is_red = (usize::from(self.n_random) + idx).is_multiple_of(2);
            if is_red { self.value_of(idx) } else { -self.value_of(idx) }
        };
        match target {
            ValueTarget::Mean => 0.5 * self.result() + 0.5 * value(n),
            ValueTarget::Return(trace) => {
                let from_later = |later: f32, idx| (1.0 - trace) * value(idx) + trace * later;
                (n..self.values.len()).rev().fold(self.result(), from_later)
            }
        }
    }

    /// Sample number `n`, by playing the game again.
    ///
    /// # Panics
    /// If it was another game, or one that nets do not play.
    pub fn sample(&self, game: &'static GameInfo, n: usize, target: ValueTarget) -> Sample {
        let mut pos = start(game, self.size).expect("a size of this game");
        let ply = usize::from(self.n_random) + n;
        self.moves[..ply].iter().for_each(|&m| pos.play(m));
        let n_later = Geometry::of(game.name).and_then(Geometry::lead_after).unwrap_or(usize::MAX);
        let mut later = pos.boxed();
        self.moves[ply..].iter().take(n_later).for_each(|&m| later.play(m));
        let pos = net_game(&*pos).expect("a net's game");
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let shares = self.policy_of(n);
        let sum: f32 = shares.iter().map(|&(_, share)| f32::from(share)).sum::<f32>().max(1.0);
        let share_of = |m: Move| {
            let found = shares.binary_search_by_key(&m, |&(m, _)| m);
            found.map_or(0.0, |idx| f32::from(shares[idx].1) / sum)
        };
        let mut input = NetInput::default();
        pos.encode(&mut input);
        let value = self.target(n, target);
        Sample {
            input,
            policy: moves.iter().map(|&m| (pos.policy_index(m), share_of(m))).collect(),
            value: if pos.turn() == Player::Red { value } else { -value },
            lead: pos.lead(&*later),
        }
    }

    /// Appends the game to `bytes`.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend([self.size, self.result as u8]);
        bytes.extend(self.n_random.to_le_bytes());
        bytes.extend((self.moves.len() as u16).to_le_bytes());
        bytes.extend(self.moves.iter().flat_map(|m| m.0.to_le_bytes()));
        for (n, &value) in self.values.iter().enumerate() {
            let policy = self.policy_of(n);
            bytes.push(value as u8);
            bytes.extend((policy.len() as u16).to_le_bytes());
            for (m, share) in policy {
                bytes.extend(m.0.to_le_bytes());
                bytes.push(*share);
            }
        }
    }

    /// Takes a game from the start of `bytes`; `None` if they were cut off or are not a legal game.
    pub fn read(info: &'static GameInfo, bytes: &mut &[u8]) -> Option<SelfPlayGame> {
        let [size, result] = take(bytes)?;
        let n_random = u16::from_le_bytes(take(bytes)?);
        let n_moves = u16::from_le_bytes(take(bytes)?);
        let mut game = SelfPlayGame::new(size, &[]);
        (game.n_random, game.result) = (n_random, result as i8);
        let mut pos = start(info, size)?;
        let mut legal = MoveList::new();
        for _ in 0..n_moves {
            let m = Move(u16::from_le_bytes(take(bytes)?));
            legal.clear();
            pos.legal_moves(&mut legal);
            legal.binary_search(&m).ok()?;
            pos.play(m);
            game.moves.push(m);
        }
        for _ in 0..n_moves.checked_sub(n_random)? {
            let [value] = take(bytes)?;
            game.values.push(value as i8);
            for _ in 0..u16::from_le_bytes(take(bytes)?) {
                let m = Move(u16::from_le_bytes(take(bytes)?));
                let [share] = take(bytes)?;
                game.policy.push((m, share));
            }
            game.ends.push(game.policy.len() as u32);
        }
        Some(game)
    }
}

const STEPS: f32 = 127.0;

fn start(game: &'static GameInfo, size: u8) -> Option<Box<dyn Position>> {
    GameSpec::new(game, size).map(GameSpec::start)
}

fn quantised(value: f64) -> i8 {
    (value * f64::from(STEPS)).round() as i8
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (&first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}
