//! Linear evaluations: a weight for each feature.

use yarra_games::Player;

use crate::Term;
use crate::net::{NetError, NetFile};

/// The parts of a hundredth that weights are stored in. There are dozens of cells in reach: rounding their weights to
/// whole hundredths cost more than half of what a fit had gained.
pub const FINE: i32 = 64;

/// The greatest weight in a file. A feature counts at most the cells of a board, so no value overflows.
const MAX_WEIGHT: i32 = 200_000;

/// The weights of all features, in fractions of a hundredth by [`FINE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights<const N: usize> {
    /// For the player to move.
    pub moving: [i32; N],
    /// For the other player: what is attacked can be captured next.
    pub waiting: [i32; N],
    /// Of having the move.
    pub turn: i32,
}

impl<const N: usize> Weights<N> {
    /// Weights that are given in whole hundredths.
    pub const fn hundredths(moving: [i32; N], waiting: [i32; N], turn: i32) -> Weights<N> {
        let mut weights = Weights { moving, waiting, turn: FINE * turn };
        let mut idx = 0;
        while idx < N {
            weights.moving[idx] *= FINE;
            weights.waiting[idx] *= FINE;
            idx += 1;
        }
        weights
    }

    /// The value for the player to move in hundredths, by the features of both players, the player to move first.
    #[inline(always)]
    pub fn value(&self, [mover, other]: &[[i32; N]; 2]) -> i32 {
        let mut sum = self.turn;
        let mut idx = 0;
        while idx < N {
            sum += self.moving[idx] * mover[idx] - self.waiting[idx] * other[idx];
            idx += 1;
        }
        (sum + FINE / 2) >> FINE.ilog2()
    }

    /// Reads a file's weights by the name of their tensor.
    ///
    /// # Errors
    /// If there are none.
    pub fn read(file: &NetFile, name: &str) -> Result<Weights<N>, NetError> {
        let numbers: &[i32] = file.get(name, &[2 * N + 1])?;
        if !numbers.iter().all(|weight| (-MAX_WEIGHT..=MAX_WEIGHT).contains(weight)) {
            return Err(NetError::new(format!("tensor {name}: expected weights of at most {MAX_WEIGHT}")));
        }
        let row = |first: usize| std::array::from_fn(|idx| numbers[first + idx]);
        Ok(Weights { moving: row(0), waiting: row(N), turn: numbers[2 * N] })
    }

    /// Adds the weights to a file.
    pub fn write(&self, name: &str, file: &mut NetFile) {
        let numbers = self.moving.into_iter().chain(self.waiting).chain([self.turn]);
        file.add(name, &[2 * N + 1], numbers.collect());
    }

    /// The terms for people: one for each feature that is not 0, with its name for either player. Features with equal
    /// weights for both players are one term.
    pub fn terms(&self, names: &[[&'static str; 2]; N], turn: Player, features: &[[i32; N]; 2]) -> Vec<Term> {
        let mut terms = Vec::new();
        for idx in 0..N {
            let [mover, other] = [features[0][idx], features[1][idx]];
            let [moving, waiting] = [self.moving[idx], self.waiting[idx]];
            let mut add = |name, mover: i32, other: i32, weight| {
                if mover != 0 || other != 0 {
                    terms.push(term(name, turn, [mover, other], weight));
                }
            };
            if moving == waiting && names[idx][0] == names[idx][1] {
                add(names[idx][0], mover, other, moving);
            } else {
                add(names[idx][0], mover, 0, moving);
                add(names[idx][1], 0, other, waiting);
            }
        }
        terms.push(term("the turn", turn, [1, 0], self.turn));
        terms
    }
}

/// A term from the amounts of the player to move and of the other.
fn term(name: &'static str, turn: Player, [mover, other]: [i32; 2], weight: i32) -> Term {
    let of = |player| f64::from(if player == turn { mover } else { other });
    Term {
        name,
        red: of(Player::Red),
        blue: of(Player::Blue),
        weight: f64::from(weight) / f64::from(100 * FINE),
    }
}
