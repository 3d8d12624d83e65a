//! Every agent of every game can be made and plays by the rules; errors say what was expected.

use std::time::{Duration, Instant};

use yarra_catalog::{Host, agents, evals, prepare};
use yarra_engine::agent::unwatched;
use yarra_engine::{Agent, Limits, SpecError};
use yarra_games::{MoveList, Player, Position, Record, find, start};

const GAMES: [&str; 7] = ["infexion", "tetress", "cachex:3", "cachex:9", "cachex:13", "hex:5", "hex"];

fn make(spec: &str, pos: &dyn Position, seed: u64) -> Result<(Box<dyn Agent>, Limits), SpecError> {
    let prepared = prepare(&spec.parse()?, pos, &Host::default())?;
    Ok(((prepared.make)(seed).expect(spec), prepared.limits))
}

/// The agent plays red for some plies against random moves, and returns its moves.
fn moves_of(spec: &str, game: &str, limits: Limits, n_plies: u16) -> Vec<String> {
    let mut record = Record::new(start(game).unwrap());
    let (agent, own) = make(spec, record.now(), 1).unwrap();
    let mut sides: [Box<dyn Agent>; 2] = [agent, make("random", record.now(), 2).unwrap().0];
    for player in Player::BOTH {
        sides[player as usize].begin(player, &record, own.within(limits)).unwrap();
    }
    while record.outcome().is_none() && record.now().ply() < n_plies {
        let turn = record.now().turn() as usize;
        let choice = sides[turn].choose(&record, own.within(limits), &mut unwatched).unwrap();
        let mut legal = MoveList::new();
        record.now().legal_moves(&mut legal);
        assert!(legal.contains(&choice.mv), "{spec} at {}", record.now());
        record.play(choice.mv);
        for side in &mut sides {
            side.played(&record, &choice).unwrap();
        }
    }
    for side in &mut sides {
        side.end(&record);
    }
    record.moves().iter().map(|&m| record.now().show_move(m)).collect()
}

#[test]
fn every_agent_of_every_game_plays_reproducibly() {
    for game in GAMES {
        for info in agents(find(game).unwrap().0) {
            let by_nodes = Limits { nodes: Some(50), ..Limits::default() };
            let by_depth = Limits { depth: Some(1), ..Limits::default() };
            for (limits, n_plies) in [(by_nodes, 24), (by_depth, 4)] {
                let moves = moves_of(info.name, game, limits, n_plies);
                assert_eq!(moves, moves_of(info.name, game, limits, n_plies), "{} in {game}", info.name);
            }
        }
    }
}

#[test]
fn every_agent_keeps_the_time_for_a_move() {
    let limits = Limits { move_time: Some(Duration::from_millis(4)), ..Limits::default() };
    for game in GAMES {
        for info in agents(find(game).unwrap().0) {
            let started = Instant::now();
            let n_moves = moves_of(info.name, game, limits, 16).len();
            // A machine may stall, but not during all moves.
            assert!(
                started.elapsed() < Duration::from_millis(500 + 10 * n_moves as u64),
                "{} in {game}",
                info.name
            );
        }
    }
}

#[test]
fn a_clock_lasts_for_the_game() {
    let record = Record::new(start("tetress").unwrap());
    for spec in ["minimax:depth=9", "negamax:depth=9", "negascout:depth=9", "deepening", "mcts"] {
        let (mut agent, own) = make(spec, record.now(), 1).unwrap();
        let limits = Limits { clock: Some(Duration::from_millis(600)), ..own };
        let started = Instant::now();
        agent.choose(&record, limits, &mut unwatched).unwrap();
        assert!(started.elapsed() < Duration::from_millis(300), "{spec}");
    }
}

#[test]
fn every_evaluation_works_with_every_general_agent() {
    let limits = Limits { nodes: Some(30), ..Limits::default() };
    for game in GAMES {
        for eval in evals(&*start(game).unwrap()) {
            for agent in ["greedy", "minimax", "negamax", "negascout", "deepening", "mcts"] {
                moves_of(&format!("{agent}:eval={}", eval.name), game, limits, 6);
            }
        }
    }
}

#[test]
fn searches_to_the_same_depth_agree() {
    for game in ["infexion", "cachex:3", "hex:5"] {
        let moves = moves_of("minimax:depth=2,eval=material", game, Limits::default(), 8);
        let negascout = "negascout:depth=2,eval=material,order=none";
        assert_eq!(moves, moves_of("negamax:depth=2,eval=material,order=none", game, Limits::default(), 8));
        assert_eq!(moves.len(), moves_of(negascout, game, Limits::default(), 8).len());
    }
}

#[test]
fn options_are_parsed() {
    let specs = [
        "negamax:eval=material,table=1,order=captures+history+killers+hash+previous",
        "negascout:window=50,depth=2",
        "deepening:table=0,order=none",
        "mcts:playouts=20,exploration=0.5,rollout=greedy,cut=4,scale=3,select=queue,reuse=off,solve=off",
        "random:",
        "mcts:depth=1,playouts=5",
    ];
    for spec in specs {
        moves_of(spec, "infexion", Limits { nodes: Some(40), ..Limits::default() }, 6);
    }
    let (_, own) =
        make("negamax:depth=4,nodes=7,movetime=20ms,clock=3m", &*start("hex").unwrap(), 0).unwrap();
    assert_eq!(own.to_string(), "depth=4,nodes=7,movetime=20ms,clock=180s");
}

#[track_caller]
fn check_wrong(spec: &str, parts: &[&str]) {
    let Err(error) = make(spec, &*start("infexion").unwrap(), 0) else { panic!("{spec} is taken") };
    let error = error.to_string();
    for part in parts {
        assert!(error.contains(part), "{spec}: {part:?} is missing in {error:?}");
    }
}

#[test]
fn errors_in_specs_say_what_was_expected() {
    check_wrong("negamx", &["no agent \"negamx\" plays infexion; there are negamax, ", "mcts"]);
    check_wrong("", &["no agent"]);
    check_wrong("negamax:dept=3", &["no option \"dept\"", "depth", "eval"]);
    check_wrong("negamax:depth", &["key=value"]);
    check_wrong("negamax:depth=x", &["a number of plies"]);
    check_wrong("negamax:movetime=5", &["100ms"]);
    check_wrong("negamax:eval=magic", &["eval=magic", "material"]);
    check_wrong("negamax:order=magic", &["captures"]);
    check_wrong("negamax:table=999999", &["expected 0 to 4096"]);
    check_wrong("champion:threads=0", &["expected 1 to 256"]);
    check_wrong("champion:lmr=2000", &["expected 0 to 1000"]);
    check_wrong("mcts:rollout=magic", &["expected one of random, greedy, minimax"]);
    check_wrong("mcts:reuse=maybe", &["reuse=maybe"]);
    check_wrong("random:eval=material", &["no option"]);
}
