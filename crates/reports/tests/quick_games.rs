//! The agents of reports 001 and 002 play whole games without a fault.

use yarra_engine::agent::unwatched;
use yarra_engine::simple::Random;
use yarra_engine::{Agent, AgentInfo, Limits};
use yarra_games::{MoveList, Player, Record, start};
use yarra_reports::{insight, psotip};

/// Plays against random moves, once with each color.
fn play_both_sides(info: &AgentInfo, game: &str, n_nodes: u64) {
    let limits = Limits { nodes: Some(n_nodes), ..Limits::default() };
    let mut agent = info.make(&*start(game).unwrap(), "", 1).unwrap();
    for side in Player::BOTH {
        let mut opponent = Random::new(7);
        let mut record = Record::new(start(game).unwrap());
        agent.begin(side, &record, limits).unwrap();
        while record.outcome().is_none() {
            let mover: &mut dyn Agent = if record.now().turn() == side { &mut *agent } else { &mut opponent };
            let choice = mover.choose(&record, limits, &mut unwatched).unwrap();
            let mut moves = MoveList::new();
            record.now().legal_moves(&mut moves);
            assert!(moves.contains(&choice.mv), "{} at {}", info.name, record.now());
            assert_eq!(choice.line.first(), Some(&choice.mv));
            record.play(choice.mv);
            agent.played(&record, &choice).unwrap();
        }
        agent.end(&record);
    }
}

#[test]
fn report_001_plays_infexion() {
    for info in psotip::AGENTS {
        play_both_sides(info, "infexion", 300);
    }
}

#[test]
fn report_002_plays_tetress() {
    for info in insight::AGENTS {
        // Playouts are nodes too, each of them a whole game.
        let n_nodes = if info.name == "insight-mcts" { 5 } else { 20 };
        play_both_sides(info, "tetress", n_nodes);
    }
}
