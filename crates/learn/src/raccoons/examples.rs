//! Training examples and their images.

use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move, Player, Position};
use yarra_reports::raccoons::zero::design::N_MOVES;
use yarra_reports::raccoons::zero::{N_CELLS, Net, Planes, result_for};

use super::games::{PlayedGame, Ply};
use super::options::Symmetry;

/// Report 004, Agent 1, 3: a board, the policy that the search has found, and the result of the game.
#[derive(Clone, Debug)]
pub struct Example {
    /// The board.
    pub planes: Planes,
    /// The share of the visits of each move that was visited.
    pub policy: Vec<(Move, f32)>,
    /// 1 for a win, 0 for a draw, -1 for a loss, in the view of the net.
    pub result: f32,
}

/// The examples of a game, one for each move.
pub fn examples(net: &Net, game: &PlayedGame) -> Vec<Example> {
    let positions = game.positions();
    let outcome = positions.last().and_then(Infexion::outcome);
    let winner = outcome.and_then(|outcome| outcome.winner);
    let example = |(pos, ply): (&Infexion, &Ply)| {
        let sum: u32 = ply.visits.iter().map(|&(_, n)| n).sum();
        Example {
            planes: Planes::of(pos),
            policy: ply.visits.iter().map(|&(m, n)| (m, n as f32 / sum as f32)).collect(),
            result: net.value_for_mover(pos, result_for(winner, pos.turn())),
        }
    };
    positions.iter().zip(&game.plies).map(example).collect()
}

/// An image of the board, as the image of each move. The image of a cell is that of the spawn on it.
pub type Image = [u16; N_MOVES];

/// The images that examples can have, the identity first.
pub fn images(symmetry: Symmetry) -> Vec<Image> {
    match symmetry {
        Symmetry::None => vec![quarter_turns(0)],
        Symmetry::Square => (0..4).map(quarter_turns).collect(),
        Symmetry::Hex => {
            let pos = Infexion::start(yarra_games::infexion::SIZE).expect("the size of Infexion");
            let image = |symmetry| std::array::from_fn(|m| pos.image_move(symmetry, Move(m as u16)).0);
            (0..pos.n_symmetries()).map(image).collect()
        }
    }
}

/// Turns of the square array that keep the direction of every spread, as in the team's program.
fn quarter_turns(n: usize) -> Image {
    const SIDE: usize = yarra_games::infexion::SIZE as usize;
    std::array::from_fn(|m| {
        let (kind, mut cell) = (m / N_CELLS, m % N_CELLS);
        for _ in 0..n {
            cell = cell % SIDE * SIDE + (SIDE - 1 - cell / SIDE);
        }
        (kind * N_CELLS + cell) as u16
    })
}

/// The numbers of the images that an example is learned in: itself and three others.
pub fn chosen(symmetry: Symmetry, n_images: usize, rng: &mut fastrand::Rng) -> Vec<usize> {
    match symmetry {
        Symmetry::None => vec![0],
        Symmetry::Square => (0..n_images).collect(),
        Symmetry::Hex => [0].into_iter().chain((0..3).map(|_| rng.usize(..n_images))).collect(),
    }
}

impl Example {
    /// The image of an example.
    pub fn image(&self, image: &Image) -> Example {
        Example {
            planes: self.planes.moved(|cell| usize::from(image[cell])),
            policy: self.policy.iter().map(|&(m, share)| (Move(image[usize::from(m.0)]), share)).collect(),
            result: self.result,
        }
    }
}

/// The lead in power of the player to move.
pub fn lead(pos: &Infexion) -> f64 {
    let [red, blue] = Player::BOTH.map(|player| f64::from(pos.power_of(player)));
    if pos.turn() == Player::Red { red - blue } else { blue - red }
}
