//! Win probabilities of scores, by curves fitted to self-play.

use yarra_games::GameSpec;

use crate::Score;

/// The expected points of a score: 1 for a win, 0 for a loss, ½ for a draw.
///
/// It is a logistic curve, the same for both players, so that their chances add up to 1. A term for the turn or for the
/// phase of the game did not predict the results of Infexion's champion any better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The score, in hundredths, that wins three games of four.
    pub three_of_four: f64,
}

/// The curves by game and agent, made by
/// `cargo run --release -p yarra-lab -- fit winchance GAME AGENT GAMES NODES SEED`
/// with the numbers in the comments; docs/analyze.md tells how reliable they are. A game of several sizes has the curve
/// of the nearest measured size.
const CURVES: &[Entry] = &[
    curve("infexion", 7, "champion", 215.8),   // 200 10000 1000
    curve("tetress", 11, "champion", 95.9),    // 400 10000 1000
    curve("cachex", 5, "champion", 38.0),      // 400 10000 1000
    curve("cachex", 7, "champion", 77.4),      // 400 10000 1000
    curve("cachex", 9, "champion", 109.2),     // 300 10000 1000
    curve("cachex", 11, "champion", 153.9),    // 200 10000 1000
    curve("hex", 7, "champion", 173.7),        // 300 10000 1000
    curve("tetress", 11, "deepening", 2646.0), // 60 1000 1000
    curve("cachex", 5, "deepening", 183.0),    // 60 1000 1000
    curve("cachex", 7, "deepening", 448.0),    // 60 1000 1000
    curve("cachex", 9, "deepening", 405.0),    // 60 1000 1000
    curve("cachex", 11, "deepening", 382.0),   // 60 1000 1000
];

/// The curve of an agent in a game of some size.
struct Entry {
    game: &'static str,
    size: u8,
    agent: &'static str,
    curve: Curve,
}

const fn curve(game: &'static str, size: u8, agent: &'static str, three_of_four: f64) -> Entry {
    Entry { game, size, agent, curve: Curve { three_of_four } }
}

impl Curve {
    /// The curve of agents that were not measured. Monte Carlo tree searches score by it.
    pub const USUAL: Curve = Curve { three_of_four: 1000.0 };

    /// The curve of an agent, such as `champion`, in a game.
    pub fn of(game: GameSpec, agent: &str) -> Curve {
        let known = CURVES.iter().filter(|entry| entry.game == game.name() && entry.agent == agent);
        let nearest = known.min_by_key(|entry| entry.size.abs_diff(game.size()));
        nearest.map_or(Curve::USUAL, |entry| entry.curve)
    }

    /// The win probability of the player whose score it is; a forced end is certain.
    pub fn chance(self, score: Score) -> f64 {
        match score.plies_to_end() {
            Some(_) => f64::from(Score::DRAW < score),
            None => 1.0 / (1.0 + 3_f64.powf(-f64::from(score.0) / self.three_of_four)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_player_has_the_other_lacks() {
        for Entry { curve, .. } in CURVES {
            let chances = [-5000, -300, -1, 0, 1, 300, 5000].map(|score| curve.chance(Score(score)));
            assert!(chances.is_sorted_by(|a, b| a < b), "{chances:?}");
            for (chance, other) in chances.iter().zip(chances.iter().rev()) {
                assert!((chance + other - 1.0).abs() < 1e-12, "{chances:?}");
            }
            assert!((curve.chance(Score(curve.three_of_four as i32)) - 0.75).abs() < 0.01);
        }
    }

    #[test]
    fn a_forced_end_is_certain() {
        assert_eq!(Curve::USUAL.chance(Score::win_in(0)), 1.0);
        assert_eq!(Curve::USUAL.chance(Score::win_in(40)), 1.0);
        assert_eq!(Curve::USUAL.chance(-Score::win_in(40)), 0.0);
        assert_eq!(Curve::USUAL.chance(Score::DRAW), 0.5);
    }

    #[test]
    fn agents_have_the_curve_of_their_name_and_size() {
        let of = |game: &str, agent| Curve::of(game.parse().expect("a game"), agent);
        assert_ne!(of("infexion", "champion"), Curve::USUAL);
        assert_eq!(of("infexion", "mcts"), Curve::USUAL);
        assert_eq!(of("cachex:4", "deepening"), of("cachex:5", "deepening"));
        assert_eq!(of("cachex:15", "deepening"), of("cachex:11", "deepening"));
        assert_ne!(of("cachex:15", "deepening"), of("cachex:5", "deepening"));
    }
}
