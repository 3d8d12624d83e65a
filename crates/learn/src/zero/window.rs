//! The games that a net is trained on: the last ones, ever more of them.

use std::collections::VecDeque;

use fastrand::Rng;

use super::game::SelfPlayGame;

/// The games of the last rounds.
#[derive(Debug, Default)]
pub struct Window {
    rounds: VecDeque<Vec<SelfPlayGame>>,
    /// Samples for training of the whole run.
    n_total: u64,
    /// The window holds all samples until there are so many.
    n_first: u64,
}

/// One game of a round in so many is never trained on.
const HELD_OUT: usize = 20;
/// The window grows with this power of all samples.
const GROWTH: f64 = 0.75;

impl Window {
    /// A window that holds all samples until there are `n_first`.
    pub fn new(n_first: u64) -> Window {
        Window { n_first, ..Window::default() }
    }

    /// A window in the middle of a run, to be filled by [`Window::add_before`].
    pub fn resumed(n_first: u64, n_total: u64) -> Window {
        Window { n_first, n_total, rounds: VecDeque::new() }
    }

    /// The samples of the whole run.
    pub fn n_total(&self) -> u64 {
        self.n_total
    }

    /// The samples that the window holds.
    pub fn n_samples(&self) -> u64 {
        self.rounds.iter().map(|games| n_trained(games)).sum()
    }

    /// How many samples the window should hold.
    fn n_wanted(&self) -> u64 {
        let ratio = self.n_total as f64 / self.n_first.max(1) as f64;
        if ratio <= 1.0 { self.n_total } else { (self.n_first as f64 * ratio.powf(GROWTH)) as u64 }
    }

    /// Adds the games of the next round and forgets old rounds.
    pub fn add(&mut self, games: Vec<SelfPlayGame>) {
        self.n_total += n_trained(&games);
        self.rounds.push_back(games);
        while 1 < self.rounds.len() && self.n_wanted() <= self.n_samples() - n_trained(&self.rounds[0]) {
            self.rounds.pop_front();
        }
    }

    /// Whether games of earlier rounds are missing.
    pub fn is_short(&self) -> bool {
        self.n_samples() < self.n_wanted()
    }

    /// Adds the games of the round before the first one.
    pub fn add_before(&mut self, games: Vec<SelfPlayGame>) {
        self.rounds.push_front(games);
    }

    /// Samples for training, drawn at random, as games and numbers of samples.
    pub fn draw(&self, n: usize, rng: &mut Rng) -> Vec<(&SelfPlayGame, usize)> {
        let games: Vec<&SelfPlayGame> = self.rounds.iter().flat_map(|games| trained(games)).collect();
        let mut ends = Vec::with_capacity(games.len());
        let mut n_samples = 0;
        for game in &games {
            n_samples += game.n_samples();
            ends.push(n_samples);
        }
        let draw = |_| {
            let sample = rng.usize(..n_samples);
            let idx = ends.partition_point(|&end| end <= sample);
            (games[idx], sample - idx.checked_sub(1).map_or(0, |before| ends[before]))
        };
        if n_samples == 0 { Vec::new() } else { (0..n).map(draw).collect() }
    }

    /// At most `n` samples of games that are never trained on, the newest first.
    pub fn held_out(&self, n: usize) -> Vec<(&SelfPlayGame, usize)> {
        let games = self.rounds.iter().rev().flat_map(|games| games.iter().step_by(HELD_OUT));
        games.flat_map(|game| (0..game.n_samples()).map(move |sample| (game, sample))).take(n).collect()
    }
}

fn trained(games: &[SelfPlayGame]) -> impl Iterator<Item = &SelfPlayGame> {
    games.iter().enumerate().filter(|(idx, _)| !idx.is_multiple_of(HELD_OUT)).map(|(_, game)| game)
}

fn n_trained(games: &[SelfPlayGame]) -> u64 {
    trained(games).map(|game| game.n_samples() as u64).sum()
}

#[cfg(test)]
mod tests {
    use yarra_games::Move;

    use super::*;

    fn games(n_games: usize, n_samples: usize) -> Vec<SelfPlayGame> {
        let game = |idx| {
            let mut game = SelfPlayGame::new(7, &[]);
            (0..n_samples).for_each(|_| game.add(Move(idx as u16), 0.0, &[(Move(0), 1.0)]));
            game
        };
        (0..n_games).map(game).collect()
    }

    #[test]
    fn a_window_grows_and_forgets_and_is_filled_again() {
        let mut window = Window::new(500);
        for n in 0..40 {
            window.add(games(21, 10));
            let n_total = 190 * (n + 1);
            assert_eq!(window.n_total(), n_total);
            let wanted =
                if n_total <= 500 { n_total } else { (500.0 * (n_total as f64 / 500.0).powf(0.75)) as u64 };
            assert!((wanted..wanted + 190).contains(&window.n_samples()), "round {n}");
            let mut again = Window::resumed(500, n_total);
            while again.is_short() {
                again.add_before(games(21, 10));
            }
            assert_eq!(again.rounds, window.rounds, "round {n}");
        }
    }

    #[test]
    fn held_out_games_are_never_drawn() {
        let mut window = Window::new(1000);
        window.add(games(41, 5));
        let is_held_out = |game: &SelfPlayGame| game.moves[0].0.is_multiple_of(20);
        let mut drawn = window.draw(2000, &mut Rng::with_seed(1));
        assert!(drawn.iter().all(|(game, n)| !is_held_out(game) && *n < 5));
        drawn.sort_by_key(|(game, n)| (game.moves[0], *n));
        drawn.dedup_by_key(|(game, n)| (game.moves[0], *n));
        assert_eq!(drawn.len(), 38 * 5);
        assert_eq!(window.held_out(12).len(), 12);
        assert!(window.held_out(100).iter().all(|(game, _)| is_held_out(game)));
    }
}
