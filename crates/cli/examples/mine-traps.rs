//! Looks for traps: `cargo run --release --example mine-traps -- GAME N [SEED]` looks at N positions.
//!
//! A trap is a position with few good moves, by a proof that is cheap to repeat, that simple agents miss
//! whatever their seed. Each comes as a line of JSON without its sentence, below the lines of play that the
//! sentence must tell of: first after the good move, then after what a fooled agent plays.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use fastrand::Rng;
use serde_json::json;
use yarra_arena::Side;
use yarra_arena::foreign::Host;
use yarra_arena::traps::{Attempt, Proof, Trap, kinds};
use yarra_catalog::make;
use yarra_engine::agent::unwatched;
use yarra_engine::prove::{ALL, By, Prover};
use yarra_games::{Move, MoveList, Player, Position, Reason, Record, read, start};

/// Proofs may look at so many positions, so that a test can repeat all of them.
const MAX_NODES: u64 = 2_000_000;
/// The lines of play that are shown are not longer.
const LINE: u32 = 5;
/// Traps a kind.
const ENOUGH: usize = 8;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, game, n, rest @ ..] = &args[..] else { anyhow::bail!("expected GAME N [SEED]") };
    let n: usize = n.parse()?;
    let mut rng = Rng::with_seed(rest.first().map_or(Ok(0), |seed| seed.parse())?);
    let mut n_found: HashMap<&str, usize> = kinds(game)?.iter().map(|&kind| (kind, 0)).collect();
    let mut seen = HashSet::new();
    for _ in 0..n {
        let idea = idea(game, &mut rng)?;
        if !seen.insert(idea.to_string()) {
            continue;
        }
        let Some(find) = examine(&*idea)? else { continue };
        let Some(found) = n_found.get_mut(find.kind).filter(|found| **found < ENOUGH) else { continue };
        *found += 1;
        find.write(*found, &mut io::stdout())?;
    }
    Ok(())
}

/// A position that may hold a trap.
fn idea(game: &str, rng: &mut Rng) -> anyhow::Result<Box<dyn Position>> {
    loop {
        let pos = match game {
            "cachex" => {
                let size = rng.u8(3..=5);
                let n_moves = if size <= 4 && rng.u8(..4) == 0 { 1 } else { rng.usize(4..14) };
                played(&format!("cachex:{size}"), n_moves, rng)?.0
            }
            "tetress" if rng.bool() => match read(game, &lonely_tetress(rng)) {
                Ok(pos) => pos,
                // A full line, or nobody can move.
                Err(_) => continue,
            },
            "tetress" => {
                let end = played(game, usize::MAX, rng)?.1;
                let n_moves = end.len().saturating_sub(rng.usize(1..9));
                near_the_end(replayed(game, &end[..n_moves])?, rng)?
            }
            _ => match rng.u8(..4) {
                0 => read(game, &contested_infexion(rng))?,
                1 | 2 => contest(game, rng)?,
                _ => read(game, &scattered_infexion(rng))?,
            },
        };
        if pos.outcome().is_none() {
            return Ok(pos);
        }
    }
}

/// A middle game of two agents that fall for traps, after a few random moves.
fn contest(game: &str, rng: &mut Rng) -> anyhow::Result<Box<dyn Position>> {
    let (mut pos, _) = played(game, 4, rng)?;
    let specs = [(); 2].map(|()| rng.choice(victims(game)).expect("some"));
    let agents = specs.map(|spec| make(&spec.parse()?, &*pos, rng.u64(..), &Host::default()));
    let [red, blue] = agents;
    let mut sides = [red?, blue?].map(|(agent, limits)| Side::new(agent, limits));
    let n_plies = rng.u16(8..40);
    while pos.ply() < n_plies && pos.outcome().is_none() {
        let game = Record::new(pos.boxed());
        let side = &mut sides[usize::from(pos.ply() % 2)];
        side.begin(pos.turn(), &game)?;
        pos.play(side.choose(&game, &mut unwatched)?.choice.mv);
    }
    Ok(pos)
}

/// At most so many random moves.
fn played(game: &str, n_moves: usize, rng: &mut Rng) -> anyhow::Result<(Box<dyn Position>, Vec<Move>)> {
    let mut pos = start(game)?;
    let mut played = Vec::new();
    while played.len() < n_moves {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let m = moves[rng.usize(..moves.len())];
        pos.play(m);
        played.push(m);
    }
    Ok((pos, played))
}

fn replayed(game: &str, moves: &[Move]) -> anyhow::Result<Box<dyn Position>> {
    let mut pos = start(game)?;
    moves.iter().for_each(|&m| pos.play(m));
    Ok(pos)
}

/// The same board a few plies before the turn limit, half of the time.
fn near_the_end(pos: Box<dyn Position>, rng: &mut Rng) -> anyhow::Result<Box<dyn Position>> {
    if rng.bool() {
        return Ok(pos);
    }
    let text = pos.to_string();
    let (board, _) = text.split_once(' ').unwrap_or((&text, ""));
    let left = if pos.ply().is_multiple_of(2) { 2 } else { 3 };
    let ply = pos.turn_limit() - left;
    Ok(read("tetress", &format!("{board} {} {ply}", pos.turn().letter()))?)
}

/// A crowd of one color, and a few tokens of the other on one line.
fn lonely_tetress(rng: &mut Rng) -> String {
    let mut cells = [['.'; 11]; 11];
    let (few, many) = if rng.bool() { ('r', 'b') } else { ('b', 'r') };
    let density = 0.5 + 0.4 * rng.f64();
    for cell in cells.as_flattened_mut() {
        *cell = if rng.f64() < density { many } else { '.' };
    }
    let (line, first) = (rng.usize(..11), rng.usize(..11));
    for i in 0..11 {
        cells[line][(first + i) % 11] = if i < 3 + rng.usize(..2) { '.' } else { many };
    }
    for _ in 0..rng.usize(1..7) {
        cells[line][(first + 5 + rng.usize(..6)) % 11] = few;
    }
    let rows: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
    let ply = 40 + rng.u16(..2);
    format!("{} {} {ply}", rows.join("/"), Player::at_ply(ply).letter())
}

/// A few stacks of both colors.
fn scattered_infexion(rng: &mut Rng) -> String {
    let mut cells: Vec<String> = vec![".".to_owned(); 49];
    for color in ['r', 'b'] {
        for _ in 0..rng.usize(2..5) {
            cells[rng.usize(..49)] = format!("{color}{}", rng.u8(1..5));
        }
    }
    let rows: Vec<String> = cells.chunks(7).map(|row| row.concat()).collect();
    let ply = 20 + rng.u16(..2);
    format!("{} {} {ply}", rows.join("/"), Player::at_ply(ply).letter())
}

/// One stack with singles of both colors around it.
fn contested_infexion(rng: &mut Rng) -> String {
    let mut cells: Vec<String> = vec![".".to_owned(); 49];
    let at = |row: usize, col: usize| (row % 7) * 7 + col % 7;
    cells[at(3, 3)] = format!("{}{}", if rng.bool() { 'r' } else { 'b' }, rng.u8(1..5));
    let mut around = [(3, 4), (2, 4), (2, 3), (3, 2), (4, 2), (4, 3)];
    rng.shuffle(&mut around);
    let n_red = rng.usize(1..4);
    for (i, (row, col)) in around.into_iter().take(n_red + rng.usize(1..4)).enumerate() {
        let far = rng.u8(..4) == 0;
        let (row, col, power) = if far { (2 * row + 4, 2 * col + 4, 2) } else { (row, col, 1) };
        cells[at(row, col)] = format!("{}{power}", if i < n_red { 'r' } else { 'b' });
    }
    for _ in 0..rng.usize(..4) {
        let cell = rng.usize(..49);
        if cells[cell] == "." {
            cells[cell] = format!("{}1", if rng.bool() { 'r' } else { 'b' });
        }
    }
    let rows: Vec<String> = cells.chunks(7).map(|row| row.concat()).collect();
    let ply = 20 + rng.u16(..2);
    format!("{} {} {ply}", rows.join("/"), Player::at_ply(ply).letter())
}

struct Find {
    kind: &'static str,
    trap: Trap,
    lines: Vec<String>,
}

/// What is tried, cheapest first: by what, with which depth, and the depth of a first look.
fn proofs(pos: &dyn Position) -> &'static [(By, u32, u32)] {
    let is_opening = pos.ply() == 1;
    match pos.spec().split(':').next() {
        Some("cachex") if is_opening => &[(By::Win, 8, 8), (By::Win, 10, 10), (By::Win, 12, 12)],
        Some("cachex") => &[(By::Win, 3, 3), (By::Hold, 4, 4), (By::Win, 5, 5)],
        Some("tetress") if pos.turn_limit() < pos.ply() + 4 => &[(By::Win, 3, 3)],
        Some("tetress") => &[(By::Win, 3, 3), (By::Hold, 2, 2), (By::Hold, 4, 4)],
        _ => &[(By::Score, 7, 3)],
    }
}

fn examine(pos: &dyn Position) -> anyhow::Result<Option<Find>> {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    let is_tetress = pos.spec() == "tetress";
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
            game: pos.spec(),
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

/// The best moves, if they are few and stand apart from the rest.
fn best_few(moves: &[Move], worths: &[i32], few: usize) -> Option<(Vec<Move>, i32)> {
    let mut sorted = worths.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let n_best = (1..=few.min(moves.len() - 1)).max_by_key(|&n| (sorted[n - 1] - sorted[n], few - n))?;
    let margin = sorted[n_best - 1] - sorted[n_best];
    let good = (0..moves.len()).filter(|&idx| sorted[n_best] < worths[idx]).map(|idx| moves[idx]).collect();
    (0 < margin).then_some((good, margin))
}

fn victims(game: &str) -> &'static [&'static str] {
    match game.split(':').next() {
        Some("infexion") => &[
            "greedy:eval=material",
            "greedy:eval=entourage",
            "greedy:eval=psotip",
            "greedy:eval=raccoons",
            "negamax:depth=2,eval=entourage",
        ],
        Some("tetress") => &["greedy:eval=material", "insight-greedy", "negamax:depth=2,eval=insight"],
        _ => {
            &["greedy:eval=cells", "tbd-greedy", "negamax:depth=2,eval=tbd", "tbd", "tbd-greedy:steal=never"]
        }
    }
}

/// The agents that always fail, with what they play.
fn fooled(trap: &Trap, pos: &dyn Position) -> anyhow::Result<Vec<(&'static str, String)>> {
    let mut fooled = Vec::new();
    for spec in victims(&trap.game) {
        let attempts = (0..4).map(|seed| {
            let (agent, limits) = make(&spec.parse()?, pos, seed, &Host::default())?;
            Ok(trap.set(&mut Side::new(agent, limits))?)
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
    let kind = match pos.spec().split(':').next()? {
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

/// Whether stones vanish along a line.
fn has_capture(line: &[(String, Box<dyn Position>)]) -> bool {
    let stones = |pos: &dyn Position| Player::BOTH.map(|player| pos.material(player)).iter().sum::<u32>();
    line.windows(2).any(|pair| stones(&*pair[1].1) < stones(&*pair[0].1))
}

/// Best play after a move: each move with the position that it leads to.
fn line(pos: &dyn Position, first: Move, depth: u32) -> Vec<(String, Box<dyn Position>)> {
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

fn show(line: &[(String, Box<dyn Position>)]) -> String {
    let moves = line.iter().map(|(m, pos)| {
        let [red, blue] = Player::BOTH.map(|player| pos.material(player));
        format!("{m} ({red}:{blue})")
    });
    let end = line.last().and_then(|(_, pos)| pos.outcome());
    let end = end.map(|end| format!(" {} {}", end.reason, end.winner.map_or("draw", |winner| winner.name())));
    moves.collect::<Vec<_>>().join(" ") + &end.unwrap_or_default()
}

impl Find {
    fn write(&self, number: usize, out: &mut impl Write) -> io::Result<()> {
        for line in &self.lines {
            writeln!(out, "# {line}")?;
        }
        let by = format!("{:?}", self.trap.proof.by).to_lowercase();
        let Proof { depth, from, margin, .. } = self.trap.proof;
        let line = json!({
            "id": format!("{}-{number}", self.kind),
            "kind": self.kind,
            "game": self.trap.game,
            "position": self.trap.position,
            "good": self.trap.good,
            "proof": { "by": by, "depth": depth, "from": from, "margin": margin },
            "fools": self.trap.fools,
            "why": "",
        });
        writeln!(out, "{line}")
    }
}
