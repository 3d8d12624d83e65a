//! The traps of `data/traps`: each one is proven again.

use std::collections::HashSet;

use yarra_arena::traps::{Doubt, Proof, Trap, kinds, suite};
use yarra_engine::prove::By;
use yarra_games::MoveList;

const GAMES: [&str; 3] = ["infexion", "tetress", "cachex"];
/// The longest proofs, seven plies of Infexion, take about a second each.
const MAX_NODES: u64 = 2_000_000;

fn traps() -> impl Iterator<Item = (&'static str, Trap)> {
    GAMES.into_iter().flat_map(|game| suite(game).expect(game).into_iter().map(move |trap| (game, trap)))
}

#[test]
fn every_game_has_enough_traps_of_every_kind() {
    for game in GAMES {
        let traps = suite(game).expect(game);
        assert!(12 <= traps.len(), "{game}");
        let ids: HashSet<_> = traps.iter().map(|trap| &trap.id).collect();
        assert_eq!(ids.len(), traps.len(), "{game}");
        for kind in kinds(game).expect(game) {
            assert!(4 <= traps.iter().filter(|trap| trap.kind == *kind).count(), "{game} {kind}");
        }
    }
    for (game, trap) in traps() {
        assert!(kinds(game).expect(game).contains(&&*trap.kind), "{game} {}", trap.id);
        assert!(trap.game.starts_with(game) && trap.id.starts_with(&trap.kind), "{game} {}", trap.id);
    }
}

#[test]
fn every_trap_has_a_sentence_and_fools_an_agent() {
    for (game, trap) in traps() {
        assert!(trap.why.ends_with('.') && trap.why.contains('-'), "{game} {}", trap.id);
        assert!(!trap.fools.is_empty(), "{game} {}", trap.id);
    }
}

#[test]
fn every_domino_is_proven() {
    check_proofs("infexion", &["domino"]);
}

#[test]
fn every_evaluation_trap_is_proven() {
    check_proofs("infexion", &["evaluation"]);
}

#[test]
fn every_anti_greedy_trap_is_proven() {
    check_proofs("infexion", &["anti-greedy"]);
}

#[test]
fn every_tetress_trap_is_proven() {
    check_proofs("tetress", kinds("tetress").expect("a game with traps"));
}

#[test]
fn every_cachex_trap_is_proven() {
    check_proofs("cachex", kinds("cachex").expect("a game with traps"));
}

#[track_caller]
fn check_proofs(game: &str, kinds: &[&str]) {
    let traps = suite(game).expect(game);
    for trap in traps.into_iter().filter(|trap| kinds.contains(&&*trap.kind)) {
        assert_eq!(trap.prove(MAX_NODES), Ok(()), "{game} {}", trap.id);
    }
}

#[test]
fn a_wrong_claim_is_not_proven() {
    for (game, mut trap) in traps().filter(|(_, trap)| trap.proof.by != By::Score) {
        let pos = trap.record().expect(game);
        let mut moves = MoveList::new();
        pos.now().legal_moves(&mut moves);
        let wrong = moves.iter().map(|&m| pos.now().show_move(m)).find(|m| !trap.good.contains(m));
        trap.good.extend(wrong);
        assert!(trap.prove(MAX_NODES).is_err(), "{game} {}", trap.id);
    }
}

#[test]
fn a_move_that_is_best_at_one_depth_only_is_not_proven() {
    let mut trap: Trap = serde_json::from_str(
        r#"{"id": "", "kind": "", "game": "infexion", "good": ["5-5u"], "fools": [], "why": "",
            "position": "b3..b2.../...b4.../......./.r3...../......./....r3r2b4/....... r 20",
            "proof": {"by": "score", "depth": 5, "margin": 2}}"#,
    )
    .expect("a trap");
    assert_eq!(trap.prove(MAX_NODES), Ok(()));
    trap.proof.depth = 6;
    assert!(matches!(trap.prove(MAX_NODES), Err(Doubt::NotBetter(_))));
    trap.proof.depth = 7;
    assert!(matches!(trap.prove(MAX_NODES), Err(Doubt::NotBetter(_))));
    trap.proof = Proof { from: Some(5), depth: 6, ..trap.proof };
    assert!(matches!(trap.prove(MAX_NODES), Err(Doubt::NotBetter(_))));
}

#[test]
fn a_proof_says_what_is_wrong() {
    let trap = || suite("cachex").expect("a game with traps").remove(0);
    let doubt = |change: fn(&mut Trap)| {
        let mut trap = trap();
        change(&mut trap);
        trap.prove(MAX_NODES).expect_err("wrong").to_string()
    };
    assert_eq!(doubt(|trap| trap.good.clear()), Doubt::NoChoice.to_string());
    assert_eq!(doubt(|trap| trap.proof.margin = 2), "the good moves are not better than 1-1 by the margin");
    assert_eq!(doubt(|trap| trap.position.clear()), trap_error());
    assert_eq!(trap().prove(1), Err(Doubt::TooLong));
}

fn trap_error() -> String {
    yarra_games::read("cachex:4", "").expect_err("no position").to_string()
}

#[test]
fn the_error_for_a_game_without_traps_lists_those_with_some() {
    let error = suite("hex").expect_err("none").to_string();
    assert!(error.contains("infexion, tetress, cachex"), "{error}");
}
