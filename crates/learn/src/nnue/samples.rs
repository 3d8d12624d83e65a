//! Positions of Infexion as samples: the counts, the inputs of the net, and the target.

use std::any::Any;

use fastrand::Rng;
use yarra_engine::champion::infexion::net::{N_INPUTS, inputs, other_view};
use yarra_engine::champion::infexion::{N_FEATURES, Reach, features};
use yarra_engine::eval::Evaluator;
use yarra_engine::net::nnue::UNIT;
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move, Position};

use super::counts::Rows;
use super::games::PlayedGame;
use crate::regression::sigmoid;

/// The weights of the counts: for the player to move, for the other, and of having the move.
pub const N_COUNTS: usize = 2 * N_FEATURES + 1;
const N_CELLS: u16 = 49;
/// There is at most one input for each cell.
const MAX_INPUTS: usize = N_CELLS as usize;

/// Samples of Infexion.
pub struct Samples {
    /// The counts and the targets.
    pub counts: Rows<i8, N_COUNTS>,
    /// The search's opinion of each sample, as a chance.
    pub opinions: Vec<f32>,
    /// The inputs of all samples, in the view of the player to move.
    inputs: Vec<u16>,
    /// Where those of each sample end.
    ends: Vec<u32>,
    /// The image of each cell under each symmetry.
    images: Vec<[u8; N_CELLS as usize]>,
}

/// The inputs of a sample in both views, that of the player to move first.
pub struct Views {
    inputs: [[u16; MAX_INPUTS]; 2],
    n: usize,
}

impl Views {
    /// Those of one view.
    #[inline(always)]
    pub fn inputs(&self, view: usize) -> &[u16] {
        &self.inputs[view][..self.n]
    }
}

impl Default for Samples {
    fn default() -> Samples {
        let start = Infexion::start(7).expect("the size of Infexion");
        let image = |symmetry| {
            // The number of a spawn is its cell.
            let cell = |cell: usize| start.image_move(symmetry, Move(cell as u16)).0 as u8;
            std::array::from_fn(cell)
        };
        Samples {
            counts: Rows::default(),
            opinions: Vec::new(),
            inputs: Vec::new(),
            ends: Vec::new(),
            images: (0..start.n_symmetries()).map(image).collect(),
        }
    }
}

/// The counts of a position, in the order of their weights.
pub fn counts_of(pos: &Infexion) -> [i8; N_COUNTS] {
    let [mover, other] = features(pos, Reach::default().root(pos).reached);
    std::array::from_fn(|idx| match idx.checked_sub(N_FEATURES) {
        None => mover[idx] as i8,
        Some(idx) if idx < N_FEATURES => -other[idx] as i8,
        Some(_) => 1,
    })
}

impl Samples {
    /// The number of samples.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a position. The target is the search's opinion by a share, and otherwise the result.
    pub fn push(&mut self, pos: &Infexion, score: i16, result: f32, share: f32) {
        let opinion = sigmoid(f64::from(score) / f64::from(UNIT)) as f32;
        self.counts.push(counts_of(pos), share * opinion + (1.0 - share) * result);
        self.opinions.push(opinion);
        self.inputs.extend(inputs(pos));
        self.ends.push(self.inputs.len() as u32);
    }

    /// Adds the positions of a game.
    pub fn add(&mut self, game: &PlayedGame, share: f32) {
        let start = Infexion::start(game.size).expect("the size of Infexion");
        game.visit(&start, |pos: &dyn Position, score, result| {
            let pos = (pos as &dyn Any).downcast_ref().expect("the game is Infexion");
            self.push(pos, score, result, share);
        });
    }

    /// The mean loss of the search's own scores.
    pub fn search_loss(&self) -> f64 {
        let loss = |(&target, &p): (&f32, &f32)| {
            let (target, p) = (f64::from(target), f64::from(p).clamp(1e-9, 1.0 - 1e-9));
            -target * p.ln() - (1.0 - target) * (1.0 - p).ln()
        };
        self.counts.targets.iter().zip(&self.opinions).map(loss).sum::<f64>() / self.len().max(1) as f64
    }

    #[inline(always)]
    fn inputs_of(&self, idx: usize) -> &[u16] {
        let first = if idx == 0 { 0 } else { self.ends[idx - 1] as usize };
        &self.inputs[first..self.ends[idx] as usize]
    }

    /// The inputs of a sample under a random symmetry.
    #[inline(always)]
    pub fn views(&self, idx: usize, rng: &mut Rng) -> Views {
        let image = &self.images[rng.usize(..self.images.len())];
        let mut views = Views { inputs: [[0; MAX_INPUTS]; 2], n: 0 };
        for (n, &input) in self.inputs_of(idx).iter().enumerate().take(MAX_INPUTS) {
            let cell = input % N_CELLS;
            let input = input - cell + u16::from(image[usize::from(cell)]);
            views.inputs[0][n] = input;
            views.inputs[1][n] = other_view(input);
            views.n = n + 1;
        }
        views
    }

    /// The inputs of a sample as it is.
    #[inline(always)]
    pub fn plain_views(&self, idx: usize) -> Views {
        let mut views = Views { inputs: [[0; MAX_INPUTS]; 2], n: 0 };
        for (n, &input) in self.inputs_of(idx).iter().enumerate().take(MAX_INPUTS) {
            views.inputs[0][n] = input;
            views.inputs[1][n] = other_view(input);
            views.n = n + 1;
        }
        views
    }
}

/// The number of inputs of the net.
pub const N_NET_INPUTS: usize = N_INPUTS;
