//! What `yarra match` prints.

use std::fmt::Write as _;

use serde_json::{Value, json};
use yarra_arena::{Costs, Finished, Match, News, Standing, Tally};
use yarra_draw::{Style, draw};
use yarra_engine::profile::Part;
use yarra_games::{ByPlayer, Ending, Player};

use super::faults;
use crate::words::{bytes, caption, costs_and_peak, plural, printable};

/// The name of a match's first (0) or second (1) agent.
pub fn name(contest: &Match<'_>, seat: usize) -> String {
    printable(contest.spec().agents[seat].as_str())
}

/// The first line.
pub fn heading(contest: &Match<'_>) -> String {
    let spec = contest.spec();
    let agent = |idx: usize| {
        let seat = &contest.seats()[idx];
        let limits = match &seat.guest {
            Some(guest) => guest.limits.clone(),
            None => seat.limits.within(spec.limits).to_string(),
        };
        format!("{} ({limits})", name(contest, idx))
    };
    format!(
        "{}: {} against {}, {}, openings {}, seed {}",
        spec.game,
        agent(0),
        agent(1),
        plural(spec.games as usize, "game"),
        spec.openings,
        spec.seed
    )
}

/// A line about a finished game.
pub fn line(contest: &Match<'_>, standing: &Standing, game: &Finished, seconds: ByPlayer<f64>) -> String {
    let saved = &game.played.saved;
    let side = |player: Player| {
        format!("{} ({player}, {:.3} s)", name(contest, game.round.seat_of(player)), seconds[player])
    };
    let (winner, cause) = match &saved.ending {
        Some(Ending { winner, cause }) => (*winner, cause.to_string()),
        None => (None, String::new()),
    };
    let result = match winner {
        None => format!("{} and {} draw", side(Player::Red), side(Player::Blue)),
        Some(winner) => format!("{} beats {}", side(winner), side(winner.opponent())),
    };
    let note = saved.note.as_deref().map(|note| format!(": {}", printable(note))).unwrap_or_default();
    let n_moves = plural(saved.moves.len(), "move");
    format!("game {}: {result}, {cause}{note}, {n_moves}; {}", game.round, short(standing))
}

/// Wins, draws and losses in short form.
pub fn short(standing: &Standing) -> String {
    let Tally { wins, draws, losses, .. } = standing.tally();
    format!("+{wins} ={draws} -{losses}")
}

/// The result as one object.
pub fn json(contest: &Match<'_>, standing: &Standing) -> Value {
    let (spec, tally) = (contest.spec(), standing.tally());
    let elo = tally.elo();
    json!({
        "game": spec.game.to_string(),
        "a": spec.agents[0].to_string(),
        "b": spec.agents[1].to_string(),
        "games": tally.n_games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "elo": elo.elo,
        "elo_low": elo.low,
        "elo_high": elo.high,
        // The name of version 0.1 for LOS.
        "superiority": elo.los,
        "los": elo.los,
        "seed": spec.seed,
        "faults": { "a": faults::json(standing, 0), "b": faults::json(standing, 1) },
        "warning": faults::warning(contest, standing),
        "results": standing.results().map(|result| faults::game_json(contest, result)).collect::<Vec<_>>(),
    })
}

/// The result as text.
pub fn summary(contest: &Match<'_>, standing: &Standing, has_profile: bool) -> String {
    let (names, tally) = ([0, 1].map(|seat| name(contest, seat)), standing.tally());
    let elo = tally.elo();
    let mut text = format!(
        "\n{}: {}, {}, {} in {} against {}\n",
        names[0],
        plural(tally.wins as usize, "win"),
        plural(tally.draws as usize, "draw"),
        if tally.losses == 1 { "1 loss".to_owned() } else { format!("{} losses", tally.losses) },
        plural(tally.n_games() as usize, "game"),
        names[1],
    );
    let _ = writeln!(
        text,
        "Elo {:+.0}, 95 % between {:+.0} and {:+.0}; LOS {:.1} %",
        elo.elo,
        elo.low,
        elo.high,
        100.0 * elo.los
    );
    match faults::warning(contest, standing) {
        Some(warning) => {
            let _ = writeln!(text, "warning: {warning}");
        }
        None => text
            .push_str("LOS is the chance that the first agent is the stronger one, by these games alone.\n"),
    }
    text.push_str(&faults::text(contest, standing));
    text.push('\n');
    let _ = writeln!(text, "{:>32}{:>21}{:>12}", "seconds per move", "seconds per game", "memory");
    let _ = writeln!(text, "{:>20}{:>12}{:>9}{:>12}{:>12}", "mean", "longest", "mean", "longest", "most");
    for (agent, costs) in names.iter().zip(standing.costs()) {
        let _ = writeln!(
            text,
            "{agent}\n{:>20.6}{:>12.6}{:>9.3}{:>12.3}{:>12}",
            costs.total / costs.n_moves.max(1) as f64,
            costs.longest_move,
            costs.total / costs.n_games.max(1) as f64,
            costs.longest_game,
            bytes(costs.memory),
        );
    }
    if has_profile {
        for (agent, costs) in names.iter().zip(standing.costs()) {
            text.push_str(&profile(agent, costs));
        }
    }
    text
}

/// Where an agent's time went. Parts can contain others, so the shares may add up to more than 100 %.
fn profile(name: &str, costs: &Costs) -> String {
    let mut text = format!("\nwhere the time of {name} went ({:.3} s)\n", costs.profiled);
    for (part, (time, n_calls)) in Part::ALL.into_iter().zip(costs.parts.0) {
        if n_calls == 0 {
            continue;
        }
        let seconds = time.as_secs_f64();
        let share = 100.0 * seconds / costs.profiled.max(1e-9);
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
pub fn picture(contest: &Match<'_>, standing: &Standing, news: &News, style: Style) -> String {
    let News::Moved { round, game, time, total, memory, peak } = news else { return String::new() };
    let last = game.last();
    let last = last.as_ref().map(|(before, m)| (&**before, *m));
    let ending = game.outcome().map(Ending::from);
    let spec = contest.spec();
    let [red, blue] = Player::BOTH.map(|player| name(contest, round.seat_of(player)));
    format!(
        "{}\n{}\n{}\ngame {round} of {}: {red} (red) - {blue} (blue); {}",
        draw(game.now(), last, style),
        caption(game.now(), ending.as_ref()),
        costs_and_peak(time.as_secs_f64(), total.as_secs_f64(), *memory, *peak),
        spec.games,
        short(standing)
    )
}
