//! How a position of Tetress looks: who can still place pieces, where, and how many tokens count at the end.

use yarra_games::tetress::grid::{ALL_CELLS, Halves, grow, neighbors};
use yarra_games::tetress::{N_FREE_PLIES, TURN_LIMIT, Tetress};
use yarra_games::{Player, Position};

use crate::{Score, Term};

/// How many features a player has.
pub const N_FEATURES: usize = 3;

/// The names of the features: of the player to move, and of the one who waits.
pub const NAMES: [[&str; 2]; N_FEATURES] = [
    ["mobility (logarithm), to move", "mobility (logarithm), waiting"],
    ["tokens, to move", "tokens, waiting"],
    ["cells to fill, to move", "cells to fill, waiting"],
];

/// How much of each feature a player has.
pub type Counts = [i32; N_FEATURES];

/// Worths are set at these plies; between two of them they change evenly.
pub const N_KNOTS: usize = 4;
const PLIES_BETWEEN_KNOTS: usize = TURN_LIMIT as usize / (N_KNOTS - 1);

/// What one more of each feature is worth in hundredths, to the player to move and to the one who waits, at
/// plies 0, 50, 100 and 150.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// By feature, role and knot.
    pub features: [[[f32; N_KNOTS]; 2]; N_FEATURES],
    /// What the turn is worth.
    pub turn: [f32; N_KNOTS],
}

const fn alike(worth: [f32; N_KNOTS]) -> [[f32; N_KNOTS]; 2] {
    [worth, worth]
}

impl Weights {
    /// Set by hand, before any game was played.
    pub const HAND: Weights = Weights {
        features: [alike([1.0, 1.0, 1.0, 1.0]), alike([6.0, 8.0, 13.0, 21.0]), alike([5.0, 5.0, 5.0, 5.0])],
        turn: [0.0; N_KNOTS],
    };
}

/// How much of the knots a ply has.
pub fn knots_at(ply: u16) -> [f32; N_KNOTS] {
    let at = f32::from(ply.min(TURN_LIMIT)) / PLIES_BETWEEN_KNOTS as f32;
    std::array::from_fn(|knot| (1.0 - (at - knot as f32).abs()).max(0.0))
}

/// Logarithms of mobilities in hundredths, one added so that there is one of none.
static LOGS: [i16; N_LOGS] = logs();
/// All placements, and none.
const N_LOGS: usize = 2300;

/// By the recurrence of the area below 1/x, since constants know no logarithm.
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

    /// Puts a position at a place.
    #[inline(always)]
    pub fn set(&mut self, idx: usize, pos: &Tetress) {
        let [mover, other] = pos.sides().map(Halves::from);
        self.words[0][0][idx] = mover.low;
        self.words[0][1][idx] = mover.high;
        self.words[1][0][idx] = other.low;
        self.words[1][1][idx] = other.high;
    }

    /// Looks at all boards.
    #[inline(always)]
    pub fn look(&self) -> Sights<N> {
        let mut sights = Sights { n_moves: [[0; N]; 2], tokens: [[0; N]; 2], cover: [[0; N]; 2] };
        // The one who waits is asked what he could do at his next turn.
        let free = [free_cells(self.ply), free_cells(self.ply + 1)];
        for idx in 0..N {
            let mover = Halves { low: self.words[0][0][idx], high: self.words[0][1][idx] };
            let other = Halves { low: self.words[1][0][idx], high: self.words[1][1][idx] };
            let empty = !(mover | other) & Halves::from(ALL_CELLS);
            let anywhere = empty.n_placements();
            let mine = (neighbors(mover) | free[0]) & empty;
            let others = (neighbors(other) | free[1]) & empty;
            sights.n_moves[0][idx] = anywhere - (empty & !mine).n_placements();
            sights.n_moves[1][idx] = anywhere - (empty & !others).n_placements();
            sights.tokens[0][idx] = mover.count_ones();
            sights.tokens[1][idx] = other.count_ones();
            sights.cover[0][idx] = cover(mine, empty).count_ones();
            sights.cover[1][idx] = cover(others, empty).count_ones();
        }
        sights
    }
}

/// The cells that count as touched by a player who moves at a ply, whatever he has on the board.
#[inline(always)]
fn free_cells(ply: u16) -> Halves {
    Halves::from(if ply < N_FREE_PLIES { ALL_CELLS } else { 0 })
}

/// The cells that a piece can fill which has a cell in a set: any four connected cells are a piece.
#[inline(always)]
fn cover(touched: Halves, empty: Halves) -> Halves {
    let cells = grow(touched) & empty;
    let cells = grow(cells) & empty;
    grow(cells) & empty
}

/// What one look at some boards shows, for the player to move and for the one who waits.
#[derive(Clone, Copy, Debug)]
pub struct Sights<const N: usize> {
    /// How many moves each has.
    pub n_moves: [[u32; N]; 2],
    tokens: [[u32; N]; 2],
    cover: [[u32; N]; 2],
}

impl<const N: usize> Sights<N> {
    /// How much of each feature a player has on a board.
    #[inline(always)]
    fn counts(&self, role: usize, idx: usize) -> Counts {
        [
            LOGS[self.n_moves[role][idx] as usize].into(),
            self.tokens[role][idx] as i32,
            self.cover[role][idx] as i32,
        ]
    }
}

/// The counts of the player to move and of the one who waits.
pub fn counts(pos: &Tetress) -> [Counts; 2] {
    let mut boards = Boards::<1>::new(pos.ply());
    boards.set(0, pos);
    let sights = boards.look();
    [sights.counts(0, 0), sights.counts(1, 0)]
}

/// The weights of each ply as whole numbers, ready for use.
#[derive(Clone, Debug)]
pub struct Evaluation {
    by_ply: Vec<PlyWeights>,
}

/// Parts of a hundredth in which weights are counted.
const FINE: f32 = 256.0;

#[derive(Clone, Copy, Debug, Default)]
struct PlyWeights {
    features: [[i32; N_FEATURES]; 2],
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
            let role = |role: usize| std::array::from_fn(|idx| worth(&weights.features[idx][role]));
            PlyWeights { features: [role(0), role(1)], turn: worth(&weights.turn) }
        };
        Evaluation { by_ply: (0..=TURN_LIMIT).map(at_ply).collect() }
    }

    /// What positions that look like this at a ply are worth to the player to move, who has moves.
    #[inline(always)]
    pub fn values<const N: usize>(&self, sights: &Sights<N>, ply: u16) -> [Score; N] {
        let weights = &self.by_ply[usize::from(ply)];
        let mut scores = [Score::DRAW; N];
        for (idx, score) in scores.iter_mut().enumerate() {
            let (mover, other) = (sights.counts(0, idx), sights.counts(1, idx));
            let mut sum = weights.turn;
            for feature in 0..N_FEATURES {
                sum += weights.features[0][feature] * mover[feature];
                sum -= weights.features[1][feature] * other[feature];
            }
            *score = Score(sum / FINE as i32);
        }
        scores
    }

    /// What a position is worth to the player to move. The game is not over.
    pub fn value(&self, pos: &Tetress) -> Score {
        let mut boards = Boards::<1>::new(pos.ply());
        boards.set(0, pos);
        self.values(&boards.look(), pos.ply())[0]
    }

    /// The evaluation for people, term by term in red's view.
    pub fn terms(&self, pos: &Tetress) -> Vec<Term> {
        let counts = counts(pos);
        let weights = &self.by_ply[usize::from(pos.ply())];
        let both = [pos.turn(), pos.turn().opponent()];
        let term = |name, player, count: i32, weight: i32| {
            let count_of = |color| if color == player { f64::from(count) } else { 0.0 };
            let [red, blue] = Player::BOTH.map(count_of);
            Term { name, red, blue, weight: f64::from(weight) / f64::from(100.0 * FINE) }
        };
        let of_feature = |idx: usize| {
            [0, 1].map(|role| {
                term(NAMES[idx][role], both[role], counts[role][idx], weights.features[role][idx])
            })
        };
        let terms = (0..N_FEATURES).flat_map(of_feature);
        terms.chain([term("the turn", pos.turn(), 1, weights.turn)]).collect()
    }
}
