//! The evaluation of Tetress: mobility, tokens, and the cells that each player can still fill.

use yarra_games::tetress::grid::{ALL_CELLS, Halves, grow, neighbors};
use yarra_games::tetress::{N_FREE_PLIES, TURN_LIMIT, Tetress};
use yarra_games::{Player, Position};

use crate::net::{NetError, NetFile};
use crate::{Score, Term};

/// The number of features of a player.
pub const N_FEATURES: usize = 3;

/// The names of the features.
pub const NAMES: [&str; N_FEATURES] = ["mobility (logarithm)", "tokens", "cells in reach"];

/// The features of a player.
pub type Features = [i32; N_FEATURES];

/// Weights are set at these plies and interpolated between them. Until about the third the board fills up, then lines
/// vanish as fast as pieces come.
pub const KNOTS: [u16; N_KNOTS] = [0, 12, 24, 100, TURN_LIMIT];
/// The number of knots.
pub const N_KNOTS: usize = 5;

/// The weights of the features, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// By feature and knot.
    pub features: [[f32; N_KNOTS]; N_FEATURES],
    /// The value of having the move: about half of what the best move gains, so that odd and even depths agree.
    pub turn: [f32; N_KNOTS],
}

impl Weights {
    /// Set by hand, before any game was played.
    pub const HAND: Weights = Weights {
        features: [[1.0; N_KNOTS], [6.0, 6.5, 7.0, 13.0, 21.0], [5.0; N_KNOTS]],
        turn: [0.0; N_KNOTS],
    };

    /// As in version 0.1: fitted to 2000 games of 6000 nodes a move: `lab fit tetress 2000 6000 5432`, played with weights between these and
    /// those set by hand.
    pub const V0_1: Weights = Weights {
        features: [
            [0.95, 0.89, 1.11, 1.08, 1.03],
            [5.48, 4.66, 2.13, 2.30, 19.00],
            [0.94, 1.09, 7.44, 3.89, 4.62],
        ],
        turn: [38.0, 25.0, 16.0, 16.0, 32.0],
    };

    /// The newest fit.
    pub const FITTED: Weights = Weights::V0_1;

    /// Reads a file's weights.
    ///
    /// # Errors
    /// If there are none.
    pub fn read(file: &NetFile) -> Result<Weights, NetError> {
        let numbers: &[f32] = file.get(COUNTS, &[N_FEATURES + 1, N_KNOTS])?;
        let row = |idx: usize| std::array::from_fn(|knot| numbers[idx * N_KNOTS + knot]);
        if !numbers.iter().all(|weight| weight.abs() < MAX_WEIGHT) {
            return Err(NetError::new(format!("tensor {COUNTS}: expected weights below {MAX_WEIGHT}")));
        }
        Ok(Weights { features: std::array::from_fn(row), turn: row(N_FEATURES) })
    }

    /// Adds the weights to a file.
    pub fn write(&self, file: &mut NetFile) {
        let numbers = self.features.iter().chain([&self.turn]).flatten().copied();
        file.add(COUNTS, &[N_FEATURES + 1, N_KNOTS], numbers.collect());
    }
}

/// The tensor of the weights in a file.
const COUNTS: &str = "counts";
/// Far below where values would overflow.
const MAX_WEIGHT: f32 = 1e4;

/// The share of each knot in a ply's weights.
pub fn knots_at(ply: u16) -> [f32; N_KNOTS] {
    let mut shares = [0.0; N_KNOTS];
    let after = KNOTS.iter().position(|&knot| ply < knot).unwrap_or(N_KNOTS - 1);
    let [before, next] = [KNOTS[after - 1], KNOTS[after]].map(f32::from);
    let progress = (f32::from(ply.min(TURN_LIMIT)) - before) / (next - before);
    shares[after - 1] = 1.0 - progress;
    shares[after] = progress;
    shares
}

/// 100 ln(mobility + 1).
static LOGS: [i16; N_LOGS] = logs();
/// Mobilities from 0 to the number of all placements.
const N_LOGS: usize = 2300;

/// By the recurrence for ln((n + 1) / n), since there is no logarithm in constants.
const fn logs() -> [i16; N_LOGS] {
    let mut logs = [0; N_LOGS];
    let mut sum = 0.0;
    let mut n = 1;
    while n < N_LOGS {
        // ln((n + 1) / n) = 2 artanh(1 / (2n + 1)).
        let x = 1.0 / (2.0 * n as f64 + 1.0);
        let square = x * x;
        let series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
        sum += 2.0 * x * series;
        logs[n] = (100.0 * sum + 0.5) as i16;
        n += 1;
    }
    logs
}

/// Boards of one ply side by side, word by word, so that a loop over them becomes vector instructions.
#[derive(Clone, Copy, Debug)]
pub struct Boards<const N: usize> {
    /// For each player, the one to move first, and each half of the board.
    words: [[[u64; N]; 2]; 2],
    ply: u16,
}

impl<const N: usize> Boards<N> {
    /// Empty boards at some ply.
    #[inline(always)]
    pub fn new(ply: u16) -> Boards<N> {
        Boards { words: [[[0; N]; 2]; 2], ply }
    }

    /// Sets one of the boards.
    #[inline(always)]
    pub fn set(&mut self, idx: usize, pos: &Tetress) {
        let [mover, other] = pos.sides().map(Halves::from);
        self.words[0][0][idx] = mover.low;
        self.words[0][1][idx] = mover.high;
        self.words[1][0][idx] = other.low;
        self.words[1][1][idx] = other.high;
    }

    /// The features of all boards.
    #[inline(always)]
    pub fn features(&self) -> BoardFeatures<N> {
        let mut features = BoardFeatures { n_moves: [[0; N]; 2], tokens: [[0; N]; 2], reach: [[0; N]; 2] };
        // For the other player, what counts is its next turn.
        let free = [free_cells(self.ply), free_cells(self.ply + 1)];
        for idx in 0..N {
            let mover = Halves { low: self.words[0][0][idx], high: self.words[0][1][idx] };
            let other = Halves { low: self.words[1][0][idx], high: self.words[1][1][idx] };
            let empty = !(mover | other) & Halves::from(ALL_CELLS);
            let anywhere = empty.n_placements();
            let mine = (neighbors(mover) | free[0]) & empty;
            let others = (neighbors(other) | free[1]) & empty;
            features.n_moves[0][idx] = anywhere - (empty & !mine).n_placements();
            features.n_moves[1][idx] = anywhere - (empty & !others).n_placements();
            features.tokens[0][idx] = mover.count_ones();
            features.tokens[1][idx] = other.count_ones();
            features.reach[0][idx] = reach(mine, empty).count_ones();
            features.reach[1][idx] = reach(others, empty).count_ones();
        }
        features
    }
}

/// The cells on which a player may place a piece at a ply without a token beside them.
#[inline(always)]
fn free_cells(ply: u16) -> Halves {
    Halves::from(if ply < N_FREE_PLIES { ALL_CELLS } else { 0 })
}

/// The empty cells that a piece with a cell in a set can fill, since any four connected cells are a piece. Holes that are
/// too small for a piece are counted too: finding them would cost more than it is worth.
#[inline(always)]
fn reach(touched: Halves, empty: Halves) -> Halves {
    let cells = grow(touched) & empty;
    let cells = grow(cells) & empty;
    grow(cells) & empty
}

/// The features of some boards, by player, the one to move first.
#[derive(Clone, Copy, Debug)]
pub struct BoardFeatures<const N: usize> {
    /// The number of moves.
    pub n_moves: [[u32; N]; 2],
    tokens: [[u32; N]; 2],
    reach: [[u32; N]; 2],
}

impl<const N: usize> BoardFeatures<N> {
    /// The features of a player on one board.
    #[inline(always)]
    fn of(&self, role: usize, idx: usize) -> Features {
        [
            LOGS[self.n_moves[role][idx] as usize].into(),
            self.tokens[role][idx] as i32,
            self.reach[role][idx] as i32,
        ]
    }
}

/// The features of both players, the player to move first.
pub fn features(pos: &Tetress) -> [Features; 2] {
    let mut boards = Boards::<1>::new(pos.ply());
    boards.set(0, pos);
    let features = boards.features();
    [features.of(0, 0), features.of(1, 0)]
}

/// The weights of each ply as whole numbers, ready for use.
#[derive(Clone, Debug)]
pub struct Evaluation {
    by_ply: Vec<PlyWeights>,
}

/// Weights are stored in this fraction of a hundredth.
const FINE: f32 = 256.0;

#[derive(Clone, Copy, Debug, Default)]
struct PlyWeights {
    features: [i32; N_FEATURES],
    turn: i32,
}

impl Evaluation {
    /// An evaluation with some weights.
    pub fn new(weights: &Weights) -> Evaluation {
        let at_ply = |ply| {
            let knots = knots_at(ply);
            let worth = |of: &[f32; N_KNOTS]| {
                let sum: f32 = of.iter().zip(knots).map(|(worth, share)| worth * share).sum();
                (sum * FINE).round() as i32
            };
            PlyWeights { features: weights.features.each_ref().map(worth), turn: worth(&weights.turn) }
        };
        Evaluation { by_ply: (0..=TURN_LIMIT).map(at_ply).collect() }
    }

    /// The values of boards with these features at a ply for the player to move, who has moves.
    #[inline(always)]
    pub fn values<const N: usize>(&self, features: &BoardFeatures<N>, ply: u16) -> [Score; N] {
        let weights = &self.by_ply[usize::from(ply)];
        let mut scores = [Score::DRAW; N];
        for (idx, score) in scores.iter_mut().enumerate() {
            let (mover, other) = (features.of(0, idx), features.of(1, idx));
            let mut sum = weights.turn;
            for feature in 0..N_FEATURES {
                sum += weights.features[feature] * (mover[feature] - other[feature]);
            }
            *score = Score(sum / FINE as i32);
        }
        scores
    }

    /// The value of a position for the player to move. The game is not over.
    pub fn value(&self, pos: &Tetress) -> Score {
        let mut boards = Boards::<1>::new(pos.ply());
        boards.set(0, pos);
        self.values(&boards.features(), pos.ply())[0]
    }

    /// The terms of the evaluation in red's view, for people.
    pub fn terms(&self, pos: &Tetress) -> Vec<Term> {
        let weights = &self.by_ply[usize::from(pos.ply())];
        let [mover, other] = features(pos);
        let term = |name, mover: i32, other: i32, weight: i32| {
            let [red, blue] = if pos.turn() == Player::Red { [mover, other] } else { [other, mover] };
            Term {
                name,
                red: red.into(),
                blue: blue.into(),
                weight: f64::from(weight) / f64::from(100.0 * FINE),
            }
        };
        let of_feature = |idx: usize| term(NAMES[idx], mover[idx], other[idx], weights.features[idx]);
        let turn = term("the turn", 1, 0, weights.turn);
        (0..N_FEATURES).map(of_feature).chain([turn]).collect()
    }
}
