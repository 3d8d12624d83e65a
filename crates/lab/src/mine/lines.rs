//! Lines of play as text.

use yarra_engine::prove::{ALL, By, Prover};
use yarra_games::{Move, MoveList, Player, Position};

use super::MAX_NODES;

/// Whether stones vanish along a line.
pub fn has_capture(line: &[(String, Box<dyn Position>)]) -> bool {
    let stones = |pos: &dyn Position| Player::BOTH.map(|player| pos.material(player)).iter().sum::<u32>();
    line.windows(2).any(|pair| stones(&*pair[1].1) < stones(&*pair[0].1))
}

/// Best play after a move: each move with the position that it leads to.
pub fn line(pos: &dyn Position, first: Move, depth: u32) -> Vec<(String, Box<dyn Position>)> {
    let mut pos = pos.boxed();
    let mut line = Vec::new();
    let mut next = Some(first);
    while let Some(m) = next {
        let text = pos.show_move(m);
        pos.play(m);
        line.push((text, pos.boxed()));
        let left = depth - line.len() as u32;
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let prover = Prover { by: By::Score, depth: left, max_nodes: 10 * MAX_NODES };
        let worths = prover.worths(&*pos, &moves, ALL).unwrap_or_default();
        next = (0..worths.len()).rev().max_by_key(|&idx| worths[idx]).map(|idx| moves[idx]);
    }
    line
}

/// The moves with the material after each, and how the game ends.
pub fn show(line: &[(String, Box<dyn Position>)]) -> String {
    let moves = line.iter().map(|(m, pos)| {
        let [red, blue] = Player::BOTH.map(|player| pos.material(player));
        format!("{m} ({red}:{blue})")
    });
    let end = line.last().and_then(|(_, pos)| pos.outcome());
    let end = end.map(|end| format!(" {} {}", end.reason, end.winner.map_or("draw", |winner| winner.name())));
    moves.collect::<Vec<_>>().join(" ") + &end.unwrap_or_default()
}
