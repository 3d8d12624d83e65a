//! How likely a score is to win: curves that were fitted on games of agents against themselves.

use crate::Score;

/// What a score is worth in points: 1 for a win, 0 for a loss, a draw being half a win.
///
/// It is a logistic curve, and the same for both players, so that what one has the other lacks. A term for the
/// turn or for the phase of the game did not foretell the results of Infexion's champion any better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The score, in hundredths, that wins three games of four.
    pub three_of_four: f64,
}

/// The curves by game and agent, made by
/// `cargo run --release -p yarra-lab -- fit winchance GAME AGENT GAMES NODES SEED`
/// with the numbers behind them; docs/analyze.md tells how reliable they are. A game of several sizes has the
/// curve of the nearest size that was played.
const CURVES: &[(&str, &str, Curve)] = &[
    curve("infexion", "champion", 222.6),   // 200 10000 1000
    curve("tetress", "champion", 95.9),     // 400 10000 1000
    curve("cachex:5", "champion", 54.4),    // 400 10000 1000
    curve("cachex:7", "champion", 89.5),    // 400 10000 1000
    curve("cachex:9", "champion", 145.5),   // 300 10000 1000
    curve("cachex:11", "champion", 207.7),  // 200 10000 1000
    curve("hex:7", "champion", 173.7),      // 300 10000 1000
    curve("tetress", "deepening", 2646.0),  // 60 1000 1000
    curve("cachex:5", "deepening", 183.0),  // 60 1000 1000
    curve("cachex:7", "deepening", 448.0),  // 60 1000 1000
    curve("cachex:9", "deepening", 405.0),  // 60 1000 1000
    curve("cachex:11", "deepening", 382.0), // 60 1000 1000
];

const fn curve(
    game: &'static str,
    agent: &'static str,
    three_of_four: f64,
) -> (&'static str, &'static str, Curve) {
    (game, agent, Curve { three_of_four })
}

impl Curve {
    /// The curve of agents that were not measured. It is what searches by playouts mean by their scores.
    pub const USUAL: Curve = Curve { three_of_four: 1000.0 };

    /// The curve of an agent such as `champion`, or `champion:table=64`, in a game such as `cachex:9`.
    pub fn of(game: &str, agent: &str) -> Curve {
        let agent = agent.split(':').next().unwrap_or_default();
        let (name, size) = parts(game);
        let known = CURVES.iter().filter(|(game, known, _)| parts(game).0 == name && *known == agent);
        known
            .min_by_key(|(game, _, _)| parts(game).1.abs_diff(size))
            .map_or(Curve::USUAL, |(_, _, curve)| *curve)
    }

    /// How likely the player whose score it is wins; a forced end is certain.
    pub fn chance(self, score: Score) -> f64 {
        match score.plies_to_end() {
            Some(_) => f64::from(Score::DRAW < score),
            None => 1.0 / (1.0 + 3_f64.powf(-f64::from(score.0) / self.three_of_four)),
        }
    }
}

/// A game's name, and its size if it is told.
fn parts(game: &str) -> (&str, u32) {
    let (name, size) = game.split_once(':').unwrap_or((game, ""));
    (name, size.parse().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_player_has_the_other_lacks() {
        for (_, _, curve) in CURVES {
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
        let infexion = Curve::of("infexion", "champion:table=1,nodes=5");
        assert_ne!(infexion, Curve::USUAL);
        assert_eq!(infexion, Curve::of("infexion", "champion"));
        assert_eq!(Curve::of("infexion", "mcts"), Curve::USUAL);
        assert_eq!(Curve::of("cachex:4", "deepening"), Curve::of("cachex:5", "deepening"));
        assert_eq!(Curve::of("cachex:15", "deepening"), Curve::of("cachex:11", "deepening"));
        assert_ne!(Curve::of("cachex:15", "deepening"), Curve::of("cachex:5", "deepening"));
    }
}
