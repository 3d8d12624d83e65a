//! Positions as samples: the counts, the inputs of the net, and the target.

use fastrand::Rng;
use yarra_engine::net::nnue::Shape;
use yarra_games::Position;

use super::counts::Rows;
use super::games::PlayedGame;
use crate::regression::sigmoid;

/// The inputs of a game's nets under its symmetries.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Of the nets.
    pub shape: Shape,
    /// The image of each input under each symmetry.
    images: Vec<Vec<u16>>,
    /// Each input in the view of the other player.
    other_view: Vec<u16>,
}

/// The most inputs of a sample that a net is trained on: the stones on a board of 11 × 11.
pub const MAX_INPUTS: usize = 121;

impl Layout {
    /// By the image of an input under a symmetry, and its image in the view of the other player.
    pub fn new(
        shape: Shape,
        n_symmetries: usize,
        image: impl Fn(usize, u16) -> u16,
        other_view: impl Fn(u16) -> u16,
    ) -> Layout {
        let inputs = || 0..shape.n_inputs as u16;
        let images = |symmetry| inputs().map(|input| image(symmetry, input)).collect();
        Layout {
            shape,
            images: (0..n_symmetries).map(images).collect(),
            other_view: inputs().map(other_view).collect(),
        }
    }
}

/// Samples with `N` counts.
pub struct Samples<const N: usize> {
    /// The counts and the targets.
    pub counts: Rows<i8, N>,
    /// The search's opinion of each sample, as a chance.
    pub opinions: Vec<f32>,
    /// The inputs of all samples, in the view of the player to move.
    inputs: Vec<u16>,
    /// Where those of each sample end.
    ends: Vec<u32>,
    layout: Layout,
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

/// The features of both players in the order of their weights, the player to move first, and 1 for having the move.
pub fn counts_of<const F: usize, const N: usize>([mover, other]: [[i32; F]; 2]) -> [i8; N] {
    let count = |count: i32| count.clamp(-127, 127) as i8;
    std::array::from_fn(|idx| match idx.checked_sub(F) {
        None => count(mover[idx]),
        Some(idx) if idx < F => count(-other[idx]),
        Some(_) => 1,
    })
}

/// What a position gives to a sample: the counts, and the inputs in the view of the player to move.
pub type Seen<const N: usize> = ([i8; N], Vec<u16>);

impl<const N: usize> Samples<N> {
    /// No samples yet.
    pub fn new(layout: &Layout) -> Samples<N> {
        Samples {
            counts: Rows::default(),
            opinions: Vec::new(),
            inputs: Vec::new(),
            ends: Vec::new(),
            layout: layout.clone(),
        }
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a position. The target is the search's opinion by a share, and otherwise the result.
    pub fn push(&mut self, (counts, inputs): Seen<N>, score: i16, result: f32, share: f32) {
        let opinion = sigmoid(f64::from(score) / f64::from(self.layout.shape.unit)) as f32;
        self.counts.push(counts, share * opinion + (1.0 - share) * result);
        self.opinions.push(opinion);
        self.inputs.extend(inputs);
        self.ends.push(self.inputs.len() as u32);
    }

    /// Adds the positions of a game.
    pub fn add(
        &mut self,
        start: &dyn Position,
        game: &PlayedGame,
        share: f32,
        seen: impl Fn(&dyn Position) -> Seen<N>,
    ) {
        game.visit(start, |pos, score, result| self.push(seen(pos), score, result, share));
    }

    /// The mean loss of the search's own scores.
    pub fn search_loss(&self) -> f64 {
        let loss = |(&target, &p): (&f32, &f32)| {
            let (target, p) = (f64::from(target), f64::from(p).clamp(1e-9, 1.0 - 1e-9));
            -target * p.ln() - (1.0 - target) * (1.0 - p).ln()
        };
        self.counts.targets.iter().zip(&self.opinions).map(loss).sum::<f64>() / self.len().max(1) as f64
    }

    /// The inputs of a sample under a random symmetry.
    #[inline(always)]
    pub fn views(&self, idx: usize, rng: &mut Rng) -> Views {
        let images = &self.layout.images;
        self.views_under(idx, rng.usize(..images.len()))
    }

    /// The inputs of a sample as it is: symmetry 0 changes nothing.
    #[inline(always)]
    pub fn plain_views(&self, idx: usize) -> Views {
        self.views_under(idx, 0)
    }

    #[inline(always)]
    fn views_under(&self, idx: usize, symmetry: usize) -> Views {
        let first = if idx == 0 { 0 } else { self.ends[idx - 1] as usize };
        let inputs = &self.inputs[first..self.ends[idx] as usize];
        let image = &self.layout.images[symmetry];
        let mut views = Views { inputs: [[0; MAX_INPUTS]; 2], n: 0 };
        for (n, &input) in inputs.iter().enumerate().take(MAX_INPUTS) {
            let input = image[usize::from(input)];
            views.inputs[0][n] = input;
            views.inputs[1][n] = self.layout.other_view[usize::from(input)];
            views.n = n + 1;
        }
        views
    }
}
