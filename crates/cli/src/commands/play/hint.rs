//! A suggestion for the player to move.

use std::time::Duration;

use yarra_catalog::{Host, prepare, strongest};
use yarra_engine::{AgentSpec, Choice, Curve, Limits, Stop};
use yarra_games::Record;

use super::show::standing;

/// Long enough for a good move, short enough to wait for.
const TIME: Duration = Duration::from_secs(1);

/// The move of the game's strongest agent, with what it achieves. Raising the flag ends the search early.
pub fn hint(game: &Record, stop: &Stop) -> anyhow::Result<String> {
    let pos = game.now();
    let spec: AgentSpec = strongest(pos.info()).parse()?;
    let limits = Limits { move_time: Some(TIME), ..Limits::default() };
    let mut agent = (prepare(&spec, pos, &Host::default())?.make)(0)?;
    agent.begin(pos.turn(), game, limits)?;
    let choice = agent.choose(game, limits, &mut |_| stop.flow())?;
    Ok(words(game, &choice, Curve::of(pos.spec(), spec.name())))
}

fn words(game: &Record, choice: &Choice, curve: Curve) -> String {
    let pos = game.now();
    let (mover, other) = (pos.turn(), pos.turn().opponent());
    let mut text = format!("hint: {}", pos.show_move(choice.mv));
    if let Some(score) = choice.score {
        text += &match score.plies_to_end() {
            Some(1) => format!(" wins for {mover}"),
            Some(plies) if 0 < plies => format!(" wins by force, {mover} needs {} moves", (plies + 1) / 2),
            Some(_) => format!(", but {other} can force a win"),
            None => format!(", {mover}'s chance to win is {:.0} %", 100.0 * curve.chance(score)),
        };
    }
    let mut after = pos.boxed();
    after.play(choice.mv);
    text += &standing(&*after).map(|score| format!("\n  then {score}")).unwrap_or_default();
    if let Some(&answer) = choice.line.get(1) {
        text += &format!("\n  {other}'s best answer is {}", after.show_move(answer));
    }
    text
}
