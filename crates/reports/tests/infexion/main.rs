//! The Infexion agents of reports 000 and 004 against what their reports say, on boards one can see.

mod endgame;
mod evaluations;
mod games;
mod raccoons;
mod tactics;
mod timers;
mod zero;

use yarra_engine::{Agent, AgentInfo, SpecError};
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move, Position, start};
use yarra_reports::{entourage, raccoons as report_004};

/// A position from its rows; `turn` is the side to move and the ply.
#[track_caller]
fn board(rows: [&str; 7], turn: &str) -> Infexion {
    let text = format!("{} {turn}", rows.join("/"));
    Infexion::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const EMPTY: &str = ".......";

fn shown(pos: &Infexion, moves: &[Move]) -> String {
    moves.iter().map(|&m| pos.show_move(m)).collect::<Vec<_>>().join(" ")
}

fn agents() -> impl Iterator<Item = &'static AgentInfo> {
    entourage::AGENTS.iter().chain(report_004::AGENTS)
}

fn make_for(game: &str, name: &str, options: &str) -> Result<Box<dyn Agent>, SpecError> {
    let info = agents().find(|agent| agent.name == name).expect("an agent of that name");
    info.make(&*start(game).expect("a game"), options, 7)
}

#[track_caller]
fn make(name: &str, options: &str) -> Box<dyn Agent> {
    make_for("infexion", name, options).unwrap_or_else(|error| panic!("{name}:{options}: {error}"))
}

fn at_random_positions(mut check: impl FnMut(&Infexion)) {
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..20 {
        let mut pos = Infexion::start(7).expect("the size of Infexion");
        while let Some(m) = pos.random_move(&mut rng) {
            check(&pos);
            pos.play(m);
        }
    }
}
