//! What went wrong in a match: faults by agent and kind, and what that means for the result.

use std::fmt::Write as _;

use serde_json::{Value, json};
use yarra_arena::{GameFault, GameResult, Match, Standing};
use yarra_games::{Failure, Player};

use super::show::name;
use crate::words::{plural, printable, printable_lines, quoted};

/// The number of lines shown of a fault, such as the end of a traceback.
const N_LINES: usize = 12;

/// A paragraph on each agent that failed; nothing if none did.
pub fn text(contest: &Match<'_>, standing: &Standing) -> String {
    [0, 1].map(|seat| of_agent(contest, standing, seat)).concat()
}

fn of_agent(contest: &Match<'_>, standing: &Standing, seat: usize) -> String {
    let Some((round, first)) = standing.faults(seat).next() else { return String::new() };
    let mut text = format!("\n{}\n", lost_by_faults(contest, standing, seat));
    let _ = writeln!(text, "  game {round}, {}: {}", first.player, words(first.failure));
    if let Some(said) = &first.said {
        let _ = writeln!(text, "    its move: {}", printable(said));
    }
    for line in printable_lines(first.message.trim_end(), N_LINES) {
        let _ = writeln!(text, "    {line}");
    }
    if let Some(advice) = advice(contest, seat) {
        let _ = writeln!(text, "  {advice}");
    }
    text
}

/// How many games an agent lost by faults, and by which: `a: lost 3 of 4 games by faults (2 crash, 1 time)`.
fn lost_by_faults(contest: &Match<'_>, standing: &Standing, seat: usize) -> String {
    let n_faults = standing.faults(seat).count();
    let kinds: Vec<String> =
        counts(standing, seat).map(|(failure, n)| format!("{n} {}", words(failure))).collect();
    let early = match n_before_first_move(standing, seat) {
        0 => String::new(),
        n if n == n_faults => ", before its first move".to_owned(),
        n => format!(", {n} before its first move"),
    };
    let n_games = plural(standing.results().count(), "game");
    let noun = if n_faults == 1 { "a fault" } else { "faults" };
    format!("{}: lost {n_faults} of {n_games} by {noun} ({}{early})", name(contest, seat), kinds.join(", "))
}

/// How to find the cause; only course agents have a doctor.
fn advice(contest: &Match<'_>, seat: usize) -> Option<String> {
    let (game, agent) = (contest.spec().game.to_string(), &contest.spec().agents[seat]);
    let command = printable(&format!("yarra doctor {} {}", quoted(&game), quoted(agent.as_str())));
    agent.is_python().then(|| format!("`{command}` finds the cause"))
}

/// Why the result says nothing about strength, if it does not.
pub fn warning(contest: &Match<'_>, standing: &Standing) -> Option<String> {
    let why = |seat: usize| {
        let what = match n_before_first_move(standing, seat) {
            0 => "lost every game by a fault".to_owned(),
            n => format!("failed before its first move in {}", plural(n, "game")),
        };
        standing.is_broken(seat).then(|| format!("{} {what}", name(contest, seat)))
    };
    let whys: Vec<String> = [0, 1].into_iter().filter_map(why).collect();
    (!whys.is_empty()).then(|| format!("this says nothing about strength: {}", whys.join(", and ")))
}

/// The faults of an agent by kind.
pub fn json(standing: &Standing, seat: usize) -> Value {
    let kinds: serde_json::Map<String, Value> =
        counts(standing, seat).map(|(failure, n)| (failure.name().to_owned(), n.into())).collect();
    json!({
        "total": standing.faults(seat).count(),
        "before_first_move": n_before_first_move(standing, seat),
        "kinds": kinds,
    })
}

/// A game as an object.
pub fn game_json(contest: &Match<'_>, result: &GameResult) -> Value {
    let agent = |player: Player| contest.spec().agents[result.round.seat_of(player)].to_string();
    let winner = result.ending.as_ref().and_then(|ending| ending.winner);
    json!({
        "game": result.round.0 + 1,
        "red": agent(Player::Red),
        "blue": agent(Player::Blue),
        "a_plays": result.round.color_of(0).name(),
        "winner": winner.map(Player::name),
        "result": winner.map_or("draw", |winner| letter(result.round.seat_of(winner))),
        "reason": result.ending.as_ref().map(|ending| ending.cause.name()),
        "plies": result.n_plies,
        "seconds": { "red": result.seconds.red, "blue": result.seconds.blue },
        "fault": result.fault.as_ref().map(fault_json),
    })
}

fn fault_json(fault: &GameFault) -> Value {
    json!({
        "agent": letter(fault.seat),
        "player": fault.player.name(),
        "kind": fault.failure.name(),
        "message": printable_lines(&fault.message, N_LINES).join("\n"),
        "move": fault.said.as_deref().map(printable),
        "before_first_move": fault.is_before_first_move,
    })
}

/// The match's agents in JSON: `a` and `b`.
fn letter(seat: usize) -> &'static str {
    ["a", "b"][seat]
}

fn counts(standing: &Standing, seat: usize) -> impl Iterator<Item = (Failure, usize)> {
    let count = move |failure| standing.faults(seat).filter(|(_, fault)| fault.failure == failure).count();
    Failure::ALL.into_iter().map(move |failure| (failure, count(failure))).filter(|(_, n)| 0 < *n)
}

fn n_before_first_move(standing: &Standing, seat: usize) -> usize {
    standing.faults(seat).filter(|(_, fault)| fault.is_before_first_move).count()
}

/// With spaces, for display.
fn words(failure: Failure) -> String {
    failure.name().replace('_', " ")
}
