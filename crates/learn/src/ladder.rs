//! Matches of an agent under training against opponents with a name.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use yarra_arena::{Job, Maker, Match, MatchSpec, News, Openings, Seat, Standing, Tally};
use yarra_catalog::{Host, seat};
use yarra_engine::{Limits, Stop};
use yarra_games::GameSpec;

use crate::RunError;

/// An opponent, as a spec with its limits, such as `raccoons` or `champion:nodes=100`.
pub type Opponent = &'static str;

/// A result against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// The game with its size.
    pub game: String,
    /// The opponent's spec.
    pub opponent: String,
    /// Games won, drawn and lost.
    pub score: [u32; 3],
}

impl Rung {
    /// The share of the points, from 0 to 1.
    pub fn share(&self) -> f64 {
        let [wins, draws, losses] = self.score.map(f64::from);
        (wins + draws / 2.0) / (wins + draws + losses).max(1.0)
    }

    /// The difference of strength in Elo, finite whatever the score: half a won and half a lost game are added.
    pub fn elo(&self) -> f64 {
        let n = self.score.iter().sum::<u32>().max(1);
        let share = (self.share() * f64::from(n) + 0.5) / f64::from(n + 1);
        400.0 * (share / (1.0 - share)).log10()
    }
}

/// A ladder of opponents.
#[derive(Clone, Copy, Debug)]
pub struct Ladder<'a> {
    /// The game.
    pub game: GameSpec,
    /// The opponents, in the order of the table.
    pub opponents: &'a [Opponent],
    /// The number of games against each.
    pub n_games: u32,
    /// The limits of the agent under training. Fixed ones make the games the same every time.
    pub limits: Limits,
    /// The seed of openings and agents. The same one every time makes results comparable.
    pub seed: u64,
}

impl Ladder<'_> {
    /// Plays all games, with colors swapped on each opening.
    ///
    /// # Errors
    /// If the flag is raised, or an opponent's spec is invalid.
    pub fn play(&self, n_jobs: usize, stop: &Stop, make: &MakeAgent<'_>) -> Result<Vec<Rung>, RunError> {
        self.opponents.iter().map(|opponent| self.play_one(opponent, n_jobs, stop, make)).collect()
    }

    fn play_one(
        &self,
        opponent: &str,
        n_jobs: usize,
        stop: &Stop,
        make: &MakeAgent<'_>,
    ) -> Result<Rung, RunError> {
        let failed = |error: &dyn std::fmt::Display| RunError::new(format!("ladder: {error}"));
        let spec = MatchSpec {
            game: self.game,
            start: None,
            limits: Limits::default(),
            openings: Openings::usual(self.game),
            // The first name only labels the match: its seat is made below.
            agents: ["random".parse(), opponent.parse()].map(|spec| spec.expect("a spec of ours")),
            seed: self.seed,
            games: self.n_games,
        };
        let start = spec.start().map_err(|error| failed(&error))?;
        // A unit struct where there are no external agents.
        let host: Host = Default::default();
        let theirs =
            seat(&spec.agents[1], &*start, Limits::default(), &host).map_err(|error| failed(&error))?;
        let ours = Seat { limits: self.limits, hears_limits: true, guest: None, make: Box::new(make) };
        let contest = Match::new(spec, [ours, theirs]).map_err(|error| failed(&error))?;
        let mut standing = Standing::new(&contest);
        let job = Job { n_threads: n_jobs, is_profiled: false, reports_moves: false, stop };
        contest
            .run(&standing.missing(), &job, &mut |news| {
                if let News::Finished(game) = news {
                    standing.add(game.round, &game.played.saved);
                }
                ControlFlow::Continue(())
            })
            .map_err(|error| failed(&error))?;
        if !standing.missing().is_empty() {
            return Err(RunError::Stopped);
        }
        let &Tally { wins, draws, losses, .. } = standing.tally();
        Ok(Rung { game: self.game.to_string(), opponent: opponent.into(), score: [wins, draws, losses] })
    }
}

/// Makes the agent under training from a seed.
pub type MakeAgent<'a> = Maker<'a>;

#[cfg(test)]
mod tests {
    use yarra_engine::simple::Random;

    use super::*;

    #[test]
    fn a_ladder_is_the_same_every_time() {
        let game: GameSpec = "cachex:4".parse().expect("a game");
        let ladder =
            Ladder { game, opponents: &["random", "greedy"], n_games: 6, limits: Limits::default(), seed: 3 };
        let make: MakeAgent<'_> = Box::new(|seed| Ok(Box::new(Random::new(seed))));
        let first = ladder.play(2, &Stop::new(), &make).expect("the ladder is right");
        assert_eq!(first, ladder.play(1, &Stop::new(), &make).expect("the ladder is right"));
        assert_eq!(first.iter().map(|rung| rung.score.iter().sum::<u32>()).collect::<Vec<_>>(), [6, 6]);
        assert!(first[1].share() < 0.5, "random wins against greedy: {first:?}");
        let elo = |score| Rung { score, ..first[0].clone() }.elo();
        assert!(elo([3, 4, 3]).abs() < 1e-9 && (elo([20, 0, 0]) + elo([0, 0, 20])).abs() < 1e-9);
        assert!(elo([20, 0, 0]) < elo([40, 0, 0]) && elo([20, 0, 0]).is_finite());
    }
}
