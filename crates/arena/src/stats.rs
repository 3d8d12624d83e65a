//! What the results of a match say about strength: Elo with its interval, and LOS.

use yarra_games::Player;

use crate::Round;

/// Wins, draws and losses of a match's first agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Points of each opening: the two games with its colors swapped, or the only one so far.
    openings: Vec<Opening>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Opening {
    points: f64,
    n_games: u32,
}

/// A difference of strength: 400 means ten points to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The likelihood of superiority (LOS): how likely the first agent is the stronger one, from 0 to 1.
    pub los: f64,
}

/// 95 % of a normal distribution lie within this many standard deviations.
const Z: f64 = 1.959_963_984_540_054;

impl Tally {
    /// Counts a game of the match; a draw has no winner.
    pub fn add(&mut self, round: Round, winner: Option<Player>) {
        let points = match winner {
            None => 0.5,
            Some(winner) if winner == round.color_of(0) => 1.0,
            Some(_) => 0.0,
        };
        self.add_points(round, points);
    }

    fn add_points(&mut self, round: Round, points: f64) {
        match points {
            1.0 => self.wins += 1,
            0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
        let idx = round.opening() as usize;
        if self.openings.len() <= idx {
            self.openings.resize(idx + 1, Opening::default());
        }
        self.openings[idx].points += points;
        self.openings[idx].n_games += 1;
    }

    /// The number of games.
    pub fn n_games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The first agent's points: a win is 1, a draw one half.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The difference of strength, finite whatever the score.
    ///
    /// With N games and the share s of the points, the estimate is 400 log₁₀(s / (1 − s)). For the rest,
    /// half a won and half a lost game are added, so that nothing is certain: n = N + 1,
    /// p = (points + ½) / n, which is also the estimate's s where all games were won or lost. The variance
    /// of a game is v = (Σ (x − k p)² + ½ (1 − p)² + ½ p²) / n over the openings, each with its points x and
    /// games k: the two games of an opening are not independent of each other. The interval is Wilson's,
    /// (p + z²/2n ± z √(v/n + z²/4n²)) / (1 + z²/n), turned into Elo. LOS is the share of a normal
    /// distribution below (p − ½) / √(u/n), where u is v as it would be for equals, with ½ in place of p.
    pub fn elo(&self) -> Elo {
        let n_games = f64::from(self.n_games());
        let n = n_games + 1.0;
        let p = (self.points() + 0.5) / n;
        let variance_around = |p: f64| {
            let of_opening = |opening: &Opening| (opening.points - f64::from(opening.n_games) * p).powi(2);
            let squares: f64 = self.openings.iter().map(of_opening).sum();
            (squares + 0.5 * (1.0 - p).powi(2) + 0.5 * p.powi(2)) / n
        };
        let variance = variance_around(p);
        let middle = p + Z * Z / (2.0 * n);
        let reach = Z * (variance / n + Z * Z / (4.0 * n * n)).sqrt();
        let whole = 1.0 + Z * Z / n;
        let is_sure = self.points() == 0.0 || self.points() == n_games;
        let elo = elo_of(if is_sure { p } else { self.points() / n_games });
        Elo {
            elo,
            low: elo_of((middle - reach) / whole).min(elo),
            high: elo_of((middle + reach) / whole).max(elo),
            los: normal((p - 0.5) / (variance_around(0.5) / n).sqrt()),
        }
    }
}

fn elo_of(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of a normal distribution below `x` (Zelen and Severo; wrong by less than 10⁻⁷).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_53];
    let sum = series.iter().fold(0.0, |sum, factor| (sum + factor) * t);
    let above = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum;
    if x < 0.0 { above } else { 1.0 - above }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that all have different openings.
    fn tally(wins: u32, draws: u32, losses: u32) -> Tally {
        let points = [(wins, 1.0), (draws, 0.5), (losses, 0.0)];
        let points = points.into_iter().flat_map(|(n, points)| (0..n).map(move |_| points));
        let mut tally = Tally::default();
        for (idx, points) in (0..).zip(points) {
            tally.add_points(Round(2 * idx), points);
        }
        tally
    }

    #[track_caller]
    fn check(tally: &Tally, elo: f64, low: f64, high: f64) {
        let found = tally.elo();
        let is_near = |a: f64, b: f64| (a - b).abs() < 0.2;
        assert!(is_near(found.elo, elo) && is_near(found.low, low) && is_near(found.high, high), "{found:?}");
    }

    #[test]
    fn elo_matches_values_computed_by_hand() {
        check(&tally(60, 0, 40), 70.4, 1.0, 138.5);
        check(&tally(40, 0, 60), -70.4, -138.5, -1.0);
        check(&tally(3, 0, 1), 190.8, -148.2, 442.6);
        check(&tally(5, 10, 3), 38.8, -76.8, 144.1);
        check(&tally(0, 0, 0), 0.0, -495.3, 495.3);
    }

    #[test]
    fn a_perfect_score_is_finite() {
        check(&tally(10, 0, 0), 528.9, 129.8, 928.0);
        check(&tally(0, 0, 10), -528.9, -928.0, -129.8);
        assert!(tally(10_000, 0, 0).elo().high.is_finite());
        let (fewer, more) = (tally(99, 1, 0).elo(), tally(100, 0, 0).elo());
        assert!(fewer.elo < more.elo && fewer.low < more.low);
    }

    #[test]
    fn openings_won_by_one_color_mean_equal_strength() {
        let (mut paired, mut mixed) = (Tally::default(), Tally::default());
        for round in 0..100 {
            paired.add_points(Round(round), f64::from(1 - round % 2));
            mixed.add_points(Round(round), f64::from(round / 2 % 2));
        }
        let [paired, mixed] = [paired.elo(), mixed.elo()];
        assert_eq!((paired.elo, mixed.elo), (0.0, 0.0));
        assert!(paired.high < 40.0 && 70.0 < mixed.high, "{paired:?} {mixed:?}");
    }

    #[test]
    fn los_is_a_share() {
        assert!((normal(0.0) - 0.5).abs() < 1e-7);
        assert!((normal(Z) - 0.975).abs() < 1e-7);
        assert!((normal(-Z) - 0.025).abs() < 1e-7);
        assert!((tally(60, 0, 40).elo().los - 0.9767).abs() < 0.0002);
    }
}
