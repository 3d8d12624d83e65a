//! Evaluations that count: what one more of each thing is worth.

use yarra_games::Player;

use crate::Term;

/// The worth of everything that is counted, in hundredths.
#[derive(Clone, Copy, Debug)]
pub struct Weights<const N: usize> {
    /// To the player to move.
    pub moving: [i32; N],
    /// To the one who waits: what is attacked can be taken from him.
    pub waiting: [i32; N],
    /// Of being the one to move.
    pub turn: i32,
}

impl<const N: usize> Weights<N> {
    /// What the counts of the player to move and of the one who waits are worth to the former.
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

    /// The same for people: a term for each count that is not 0, with its name for either player. Where both weigh it
    /// alike one term tells both.
    pub fn terms(&self, names: &[[&'static str; 2]; N], turn: Player, counts: &[[i32; N]; 2]) -> Vec<Term> {
        let mut terms = Vec::new();
        for idx in 0..N {
            let [mover, other] = [counts[0][idx], counts[1][idx]];
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

/// A term from what the player to move has and the one who waits.
fn term(name: &'static str, turn: Player, [mover, other]: [i32; 2], weight: i32) -> Term {
    let of = |player| f64::from(if player == turn { mover } else { other });
    Term { name, red: of(Player::Red), blue: of(Player::Blue), weight: f64::from(weight) / 100.0 }
}
