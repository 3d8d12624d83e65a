//! Decides whether a position is a trap, for which agents, and of which kind.

use yarra_arena::Side;
use yarra_arena::traps::{Attempt, Proof, Trap};
use yarra_engine::agent::unwatched;
use yarra_engine::prove::{ALL, By, Prover};
use yarra_games::{Move, MoveList, Position, Reason};

use super::lines::{has_capture, line, show};
use super::{Find, MAX_NODES};
use crate::agents::agent;

/// The maximum number of plies shown of a line of play.
const LINE: u32 = 5;

/// The proofs to try, cheapest first: the kind, the depth, and the depth of a preliminary search.
fn proofs(pos: &dyn Position) -> &'static [(By, u32, u32)] {
    let is_opening = pos.ply() == 1;
    match pos.info().name {
        "cachex" if is_opening => &[(By::Win, 8, 8), (By::Win, 10, 10), (By::Win, 12, 12)],
        "cachex" => &[(By::Win, 3, 3), (By::Hold, 4, 4), (By::Win, 5, 5)],
        "tetress" if pos.turn_limit() < pos.ply() + 4 => &[(By::Win, 3, 3)],
        "tetress" => &[(By::Win, 3, 3), (By::Hold, 2, 2), (By::Hold, 4, 4)],
        _ => &[(By::Score, 7, 3)],
    }
}

/// The trap in a position, if there is one.
pub fn examine(pos: &dyn Position) -> anyhow::Result<Option<Find>> {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    let is_tetress = pos.info().name == "tetress";
    if moves.len() < 3 || is_tetress && 120 < moves.len() {
        return Ok(None);
    }
    let wins_now = Prover { by: By::Win, depth: 1, max_nodes: MAX_NODES }.worths(pos, &moves, ALL);
    if wins_now.is_none_or(|worths| worths.contains(&1)) {
        return Ok(None);
    }
    for &(by, depth, first_depth) in proofs(pos) {
        let prover = Prover { by, depth: first_depth, max_nodes: MAX_NODES };
        let Some(worths) = prover.worths(pos, &moves, ALL) else { continue };
        let few = if is_tetress || pos.ply() == 1 { 8 } else { 3 };
        let Some((good, margin)) = best_few(&moves, &worths, few) else { continue };
        if by == By::Score && margin < 2 {
            continue;
        }
        let trap = Trap {
            id: String::new(),
            kind: String::new(),
            game: pos.spec().to_string(),
            position: pos.to_string(),
            good: good.iter().map(|&m| pos.show_move(m)).collect(),
            proof: Proof {
                by,
                depth,
                from: (by == By::Score).then_some(5),
                margin: if by == By::Score { 2 } else { 1 },
            },
            fools: Vec::new(),
            why: String::new(),
        };
        let fooled = fooled(&trap, pos)?;
        if fooled.is_empty() || trap.prove(MAX_NODES).is_err() {
            continue;
        }
        return Ok(classify(trap, pos, good[0], &fooled, depth.min(LINE)));
    }
    Ok(None)
}

/// The best moves, if they are few and clearly better than the rest.
fn best_few(moves: &[Move], worths: &[i32], few: usize) -> Option<(Vec<Move>, i32)> {
    let mut sorted = worths.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let n_best = (1..=few.min(moves.len() - 1)).max_by_key(|&n| (sorted[n - 1] - sorted[n], few - n))?;
    let margin = sorted[n_best - 1] - sorted[n_best];
    let good = (0..moves.len()).filter(|&idx| sorted[n_best] < worths[idx]).map(|idx| moves[idx]).collect();
    (0 < margin).then_some((good, margin))
}

/// The agents that a trap should fool.
pub fn victims(pos: &dyn Position) -> &'static [&'static str] {
    match pos.info().name {
        "infexion" => &[
            "greedy:eval=material",
            "greedy:eval=entourage",
            "greedy:eval=psotip",
            "greedy:eval=raccoons",
            "negamax:depth=2,eval=entourage",
        ],
        "tetress" => &["greedy:eval=material", "insight-greedy", "negamax:depth=2,eval=insight"],
        _ => {
            &["greedy:eval=cells", "tbd-greedy", "negamax:depth=2,eval=tbd", "tbd", "tbd-greedy:steal=never"]
        }
    }
}

/// The agents that always fail, with their moves.
fn fooled(trap: &Trap, pos: &dyn Position) -> anyhow::Result<Vec<(&'static str, String)>> {
    let mut fooled = Vec::new();
    for spec in victims(pos) {
        let attempts = (0..4).map(|seed| {
            let (agent, limits) = agent(spec, pos, seed)?;
            Ok(trap.set(&mut Side::new(agent, limits), &mut unwatched)?)
        });
        let attempts = attempts.collect::<anyhow::Result<Vec<Attempt>>>()?;
        if attempts.iter().all(|attempt| !attempt.is_solved) {
            fooled.push((*spec, attempts[0].answer.clone()));
        }
    }
    Ok(fooled)
}

fn classify(
    mut trap: Trap,
    pos: &dyn Position,
    good: Move,
    fooled: &[(&'static str, String)],
    depth: u32,
) -> Option<Find> {
    let names: Vec<&str> = fooled.iter().map(|(name, _)| *name).collect();
    let first_fooled = pos.read_move(&fooled[0].1).ok()?;
    let good_line = line(pos, good, depth);
    let bad_line = line(pos, first_fooled, depth);
    let decisive = if trap.proof.by == By::Hold { &bad_line } else { &good_line };
    let end = decisive.last()?;
    let takes = |m: Move| {
        let mut after = pos.boxed();
        after.play(m);
        after.material(pos.turn().opponent()) < pos.material(pos.turn().opponent())
    };
    let kind = match pos.info().name {
        "infexion" => {
            let contested = |pos: &dyn Position| pos.cells()[24];
            let n_changes =
                good_line.windows(2).filter(|pair| contested(&*pair[0].1) != contested(&*pair[1].1)).count();
            if 2 <= n_changes && contested(pos) != contested(&*good_line[0].1) {
                "domino"
            } else if names.contains(&"greedy:eval=material") {
                "anti-greedy"
            } else if names.iter().any(|name| name.ends_with("entourage")) {
                "evaluation"
            } else {
                return None;
            }
        }
        "tetress" => match end.1.outcome() {
            Some(outcome) if outcome.reason == Reason::NoLegalMove && end.1.material(end.1.turn()) == 0 => {
                "elimination"
            }
            Some(outcome) if outcome.reason == Reason::NoLegalMove => "blocking",
            _ => "line-clear",
        },
        _ if pos.ply() == 1 => "steal",
        _ if takes(good) || has_capture(&good_line) || has_capture(&bad_line) => "capture",
        _ => "double-threat",
    };
    trap.kind = kind.to_owned();
    trap.fools = names.iter().map(|&name| name.to_owned()).collect();
    let mut lines = vec![format!("good  {}", show(&good_line))];
    lines.extend(fooled.iter().filter_map(|(name, m)| {
        Some(format!("{name}  {}", show(&line(pos, pos.read_move(m).ok()?, depth))))
    }));
    Some(Find { kind, trap, lines })
}
