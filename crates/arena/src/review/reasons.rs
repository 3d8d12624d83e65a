//! Why a move was an error, in words.

use yarra_engine::Score;
use yarra_games::{Move, Player, Record};

use super::Finding;

/// Material is compared this many plies after the better move and after the one that was played.
const PLIES_OF_SWING: usize = 4;
/// Smaller differences are not mentioned.
const LEAST_SWING: i64 = 2;

/// What a move gave away. `game` is the game before the move; the findings are those of the better move and of the
/// one that was played, from the view of the mover.
pub fn why(game: &Record, better: &Finding, played: &Finding) -> String {
    let mover = game.now().turn();
    let other = mover.opponent();
    let ends = |finding: &Finding| finding.score.and_then(Score::plies_to_end);
    let percent = |finding: &Finding| format!("{:.0} %", 100.0 * finding.chance.unwrap_or(0.5));
    let mut text = format!("{mover}'s chance falls from {} to {}", percent(better), percent(played));
    match (ends(better), ends(played)) {
        // The move has been made, so plies count from the position after it.
        (_, Some(plies)) if plies < 0 => match plies.unsigned_abs() - 1 {
            0 => text.push_str(&format!(": it ends the game, and {other} wins")),
            plies => text.push_str(&format!(": {other} can now force a win in {}", n_plies(plies))),
        },
        (Some(plies), _) if 0 < plies => {
            text.push_str(&format!(": a forced win in {} was there", n_plies(plies.unsigned_abs())));
        }
        _ => {}
    }
    if let Some((swing, n)) = swing(game, mover, &better.line, &played.line)
        && LEAST_SWING <= swing
    {
        let what = game.now().info().material;
        text.push_str(&format!("; within {} it costs {swing} {what}", n_plies(n as u32)));
    }
    text
}

/// By how much the mover's lead is smaller after some plies than on the better line, and how many plies.
fn swing(game: &Record, mover: Player, better: &[Move], played: &[Move]) -> Option<(i64, usize)> {
    let n_plies = better.len().min(played.len()).min(PLIES_OF_SWING);
    let lead = |line: &[Move]| {
        let mut pos = game.now().boxed();
        for &m in &line[..n_plies] {
            pos.play(m);
        }
        i64::from(pos.material(mover)) - i64::from(pos.material(mover.opponent()))
    };
    // After a single ply the opponent has not answered yet.
    (2 <= n_plies).then(|| (lead(better) - lead(played), n_plies))
}

fn n_plies(n: u32) -> String {
    if n == 1 { "1 ply".to_owned() } else { format!("{n} plies") }
}
