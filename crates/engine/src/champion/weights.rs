//! Linear evaluations: a weight for each feature.

use yarra_games::Player;

use crate::Term;

/// The weights of all features, in hundredths.
#[derive(Clone, Copy, Debug)]
pub struct Weights<const N: usize> {
    /// For the player to move.
    pub moving: [i32; N],
    /// For the other player: what is attacked can be captured next.
    pub waiting: [i32; N],
    /// Of having the move.
    pub turn: i32,
}

impl<const N: usize> Weights<N> {
    /// The value for the player to move, by the features of both players, the player to move first.
    #[inline(always)]
    pub fn value(&self, [mover, other]: &[[i32; N]; 2]) -> i32 {
        let mut sum = self.turn;
        let mut idx = 0;
        while idx < N {
            sum += self.moving[idx] * mover[idx] - self.waiting[idx] * other[idx];
            idx += 1;
        }
        sum
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
    Term { name, red: of(Player::Red), blue: of(Player::Blue), weight: f64::from(weight) / 100.0 }
}
