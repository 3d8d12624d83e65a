//! What holds for every search, for any game and evaluation.

mod alphabeta;
mod cachex;
mod champion;
mod evaluators;
mod limits;
mod mcts;
mod nnue;
mod repetition;
mod simple;
mod small_boards;
mod tetress;

use std::sync::Arc;

use yarra_engine::agent::unwatched;
use yarra_engine::eval::Judge;
use yarra_engine::{Agent, Choice, Limits, Score, Term};
use yarra_games::{Game, Record};

/// Material and some noise, so that hardly two positions have the same value.
struct Noisy;

impl<G: Game> Judge<G> for Noisy {
    fn value(&self, pos: &G) -> Score {
        let [own, others] = [pos.turn(), pos.turn().opponent()].map(|player| pos.material(player) as i32);
        let noise = (pos.key() ^ 0x5bd1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        Score(100 * (own - others) + (noise % 399) as i32 - 199)
    }

    fn terms(&self, _: &G) -> Vec<Term> {
        Vec::new()
    }
}

fn noisy<G: Game>() -> Arc<dyn Judge<G>> {
    Arc::new(Noisy)
}

/// Positions of random games that are not over, from all phases.
fn random_positions<G: Game>(size: u8, n: usize, seed: u64) -> Vec<G> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let start = G::start(size).expect("a size of the type");
    let mut positions = Vec::new();
    while positions.len() < n {
        let mut game = vec![start];
        let mut pos = start;
        while let Some(m) = pos.random_move(&mut rng) {
            pos.play(m);
            game.push(pos);
        }
        game.pop();
        positions.push(game[rng.usize(..game.len())]);
    }
    positions
}

/// The same board at another ply, which must leave the side to move.
fn at_ply<G: Game>(pos: &G, ply: u16) -> G {
    let text = pos.to_string();
    let (before, _) = text.rsplit_once(' ').expect("the ply comes last");
    G::read(&format!("{before} {ply}")).expect("the same board")
}

fn record_at<G: Game>(pos: &G) -> Record {
    Record::new(pos.boxed())
}

#[track_caller]
fn choose(agent: &mut dyn Agent, record: &Record, limits: Limits) -> Choice {
    let choice = agent.choose(record, limits, &mut unwatched).expect("a search never fails");
    check_line(record, &choice);
    choice
}

/// The chosen move is the first of a line of legal moves.
#[track_caller]
fn check_line(record: &Record, choice: &Choice) {
    assert_eq!(choice.line.first(), Some(&choice.mv));
    let mut record = record.clone();
    for &m in &choice.line {
        let mut moves = Vec::new();
        record.now().legal_moves(&mut moves);
        assert!(moves.contains(&m), "{m:?} of {:?} at {}", choice.line, record.now());
        record.play(m);
    }
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}
