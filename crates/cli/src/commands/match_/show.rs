//! What `yarra match` says about its games.

use std::fmt::Write as _;

use serde_json::{Value, json};
use yarra_arena::{Match, News, Played, Tally};
use yarra_engine::profile::{Part, Parts};
use yarra_files::SavedGame;
use yarra_games::Player;

use yarra_draw::{Style, draw};
use crate::verdict::Verdict;
use crate::words::{bytes, caption, costs, plural, printable};

/// The first line.
pub fn heading(contest: &Match<'_>) -> String {
    let [first, second] = contest.seats.each_ref().map(|seat| {
        let limits = match &seat.guest {
            Some(guest) => guest.limits.clone(),
            None => seat.limits.within(contest.limits).to_string(),
        };
        format!("{} ({limits})", seat.name)
    });
    format!(
        "{}: {first} against {second}, {}, openings {}, seed {}",
        contest.start.spec(),
        plural(contest.n_games as usize, "game"),
        contest.openings,
        contest.seed
    )
}

/// How a match stands.
pub struct Score<'a> {
    contest: &'a Match<'a>,
    tally: Tally,
    is_done: Vec<bool>,
    costs: [Costs; 2],
}

/// What the moves of an agent took.
#[derive(Clone, Copy, Debug, Default)]
struct Costs {
    n_moves: u64,
    n_games: u64,
    total: f64,
    longest_move: f64,
    longest_game: f64,
    memory: u64,
    parts: Parts,
    /// The time of the games whose parts were measured.
    measured: f64,
}

impl<'a> Score<'a> {
    /// A match that begins.
    pub fn new(contest: &'a Match<'a>) -> Score<'a> {
        let is_done = vec![false; contest.n_games as usize];
        Score { contest, tally: Tally::default(), is_done, costs: Default::default() }
    }

    /// The rounds that have not been played.
    pub fn missing(&self) -> Vec<u32> {
        (0..self.contest.n_games).filter(|&round| !self.is_done[round as usize]).collect()
    }

    /// How much has been played, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        f64::from(self.tally.n_games()) / f64::from(self.contest.n_games)
    }

    /// Counts a game from a file, if it is one of the match that was not counted before.
    pub fn add_old(&mut self, game: &SavedGame) -> bool {
        let Some(round) = self.contest.round_of(game) else { return false };
        let is_new = !self.is_done[round as usize];
        if is_new {
            self.count(round, game);
        }
        is_new
    }

    /// Counts a game and returns a line about it.
    pub fn add(&mut self, round: u32, played: &Played) -> String {
        let spent = self.count(round, &played.saved);
        for player in Player::BOTH {
            let costs = &mut self.costs[seat_of(round, player)];
            costs.parts.add(&played.parts[player as usize]);
            costs.measured += spent[player as usize];
        }
        let game = &played.saved;
        let [red, blue] = Player::BOTH.map(|player| {
            format!("{} ({player}, {:.3} s)", self.name(seat_of(round, player)), spent[player as usize])
        });
        let result = match game.winner.as_deref() {
            None => format!("{red} and {blue} draw"),
            Some("red") => format!("{red} beats {blue}"),
            Some(_) => format!("{blue} beats {red}"),
        };
        let reason = game.reason.as_deref().unwrap_or_default().replace('_', " ");
        let note = game.note.as_deref().map(|note| format!(": {}", printable(note))).unwrap_or_default();
        let n_moves = plural(game.moves.len(), "move");
        format!("game {}: {result}, {reason}{note}, {n_moves}; {}", round + 1, self.short())
    }

    /// Counts a game and returns the seconds that red and blue took.
    fn count(&mut self, round: u32, game: &SavedGame) -> [f64; 2] {
        self.is_done[round as usize] = true;
        self.tally.add(round, game);
        let mut spent = [0.0; 2];
        let moves = game.times.iter().zip(&game.memory).enumerate();
        for (idx, (&time, &memory)) in moves.skip(self.contest.openings.n_plies.into()) {
            let player = Player::at_ply(self.contest.start.ply() + idx as u16);
            spent[player as usize] += time;
            let costs = &mut self.costs[seat_of(round, player)];
            costs.n_moves += 1;
            costs.longest_move = costs.longest_move.max(time);
            costs.memory = costs.memory.max(memory);
        }
        for player in Player::BOTH {
            let costs = &mut self.costs[seat_of(round, player)];
            costs.n_games += 1;
            costs.total += spent[player as usize];
            costs.longest_game = costs.longest_game.max(spent[player as usize]);
        }
        spent
    }

    fn name(&self, seat: usize) -> &str {
        &self.contest.seats[seat].name
    }

    /// Wins, draws and losses in a few letters.
    pub fn short(&self) -> String {
        let Tally { wins, draws, losses, .. } = self.tally;
        format!("+{wins} ={draws} -{losses}")
    }

    /// The result as one object.
    pub fn json(&self) -> Value {
        let elo = self.tally.elo();
        json!({
            "game": self.contest.start.spec(),
            "a": self.name(0),
            "b": self.name(1),
            "games": self.tally.n_games(),
            "wins": self.tally.wins,
            "draws": self.tally.draws,
            "losses": self.tally.losses,
            "elo": elo.elo,
            "elo_low": elo.low,
            "elo_high": elo.high,
            "superiority": elo.superiority,
            "seed": self.contest.seed,
        })
    }

    /// The result in words.
    pub fn summary(&self, has_profile: bool) -> String {
        let (tally, elo) = (&self.tally, self.tally.elo());
        let mut text = format!(
            "\n{}: {}, {}, {} in {} against {}\n",
            self.name(0),
            plural(tally.wins as usize, "win"),
            plural(tally.draws as usize, "draw"),
            if tally.losses == 1 { "1 loss".to_owned() } else { format!("{} losses", tally.losses) },
            plural(tally.n_games() as usize, "game"),
            self.name(1),
        );
        let _ = writeln!(
            text,
            "Elo {:+.0}, 95 % between {:+.0} and {:+.0}; stronger with {:.1} %\n",
            elo.elo,
            elo.low,
            elo.high,
            100.0 * elo.superiority
        );
        let _ = writeln!(text, "{:>32}{:>21}{:>12}", "seconds a move", "seconds a game", "memory");
        let _ = writeln!(text, "{:>20}{:>12}{:>9}{:>12}{:>12}", "mean", "longest", "mean", "longest", "most");
        for (seat, costs) in self.costs.iter().enumerate() {
            let _ = writeln!(
                text,
                "{}\n{:>20.6}{:>12.6}{:>9.3}{:>12.3}{:>12}",
                self.name(seat),
                costs.total / costs.n_moves.max(1) as f64,
                costs.longest_move,
                costs.total / costs.n_games.max(1) as f64,
                costs.longest_game,
                bytes(costs.memory),
            );
        }
        if has_profile {
            for (seat, costs) in self.costs.iter().enumerate() {
                text.push_str(&profile(self.name(seat), costs));
            }
        }
        text
    }
}

/// Who has a color: 0 for the first agent, 1 for the second.
fn seat_of(round: u32, player: Player) -> usize {
    (player as usize) ^ (round as usize & 1)
}

/// Where an agent's time went. A part can lie within another, so that the shares may come to more than all.
fn profile(name: &str, costs: &Costs) -> String {
    let mut text = format!("\nwhere the time of {name} went ({:.3} s)\n", costs.measured);
    for (part, (time, n_calls)) in Part::ALL.into_iter().zip(costs.parts.0) {
        if n_calls == 0 {
            continue;
        }
        let seconds = time.as_secs_f64();
        let share = 100.0 * seconds / costs.measured.max(1e-9);
        let each = 1e9 * seconds / n_calls as f64;
        let _ = writeln!(
            text,
            "  {:<12}{seconds:>9.3} s {share:>5.1} % {n_calls:>12} calls of {each:.0} ns",
            part.name()
        );
    }
    text
}

/// The board of a running game, with the clock and the score.
pub fn picture(score: &Score<'_>, news: &News, style: Style) -> String {
    let News::Moved { round, game, time, total, memory } = news else { return String::new() };
    let positions = game.positions();
    let before = positions.iter().rev().nth(1).map(|pos| &**pos);
    let verdict = game.outcome().map(Verdict::from);
    let [red, blue] = Player::BOTH.map(|player| score.name(seat_of(*round, player)));
    format!(
        "{}\n{}\n{}\ngame {} of {}: {red} (red) - {blue} (blue); {}",
        draw(game.now(), before, style),
        caption(game.now(), verdict.as_ref()),
        costs(time.as_secs_f64(), total.as_secs_f64(), *memory as u64),
        round + 1,
        score.contest.n_games,
        score.short()
    )
}
