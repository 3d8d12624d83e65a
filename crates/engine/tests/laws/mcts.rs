//! The search by playouts solves what is decided, and keeps its tree.

use std::ops::ControlFlow;

use yarra_engine::mcts::{Mcts, MctsOptions, Rollout, Select};
use yarra_engine::{Agent, Limits, Progress};
use yarra_games::cachex::{Cachex, Hex};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Outcome, Player};

use crate::{choose, nodes, noisy, random_positions, record_at};

const SELECTS: [Select; 2] = [Select::Descent, Select::Queue];

fn agent<G: Game>(options: MctsOptions) -> Mcts<G> {
    Mcts::new(noisy(), options, 7)
}

/// 1, 0 or -1 for the player to move, if so many plies decide it.
fn result<G: Game>(pos: &G, n_plies: u32) -> Option<i32> {
    if let Some(Outcome { winner, .. }) = pos.outcome() {
        return Some(winner.map_or(0, |winner| if winner == pos.turn() { 1 } else { -1 }));
    }
    let n_plies = n_plies.checked_sub(1)?;
    let mut moves = Vec::new();
    pos.legal_moves(&mut moves);
    let mut best = Some(-1);
    for m in moves {
        match result(&pos.after(m), n_plies) {
            Some(-1) => return Some(1),
            Some(result) => best = best.map(|best| best.max(-result)),
            None => best = None,
        }
    }
    best
}

/// Searches positions that few plies decide until the root is proven, and compares.
fn check_solved<G: Game>(size: u8, max_moves: usize, n_plies: u32) {
    let positions = random_positions::<G>(size, 1000, 4);
    let few_moves = positions.iter().filter(|pos| pos.n_legal_moves() <= max_moves);
    let decided = few_moves.filter_map(|pos| Some((pos, result(pos, n_plies)?)));
    let mut n_seen = [0; 2];
    for (pos, expected) in decided {
        let n_seen = &mut n_seen[usize::from(0 < expected)];
        *n_seen += 1;
        if 8 < *n_seen {
            continue;
        }
        for select in SELECTS {
            let options = MctsOptions { select, ..MctsOptions::default() };
            let choice = choose(&mut agent::<G>(options), &record_at(pos), nodes(50_000));
            assert!(choice.stats.playouts < 50_000, "{pos} is not solved by {select:?}");
            assert_eq!(choice.score.map(|score| score.0.signum()), Some(expected), "at {pos}");
            if 0 < expected {
                assert!(result(&pos.after(choice.mv), n_plies - 1).is_none_or(|result| result < 0));
            }
        }
    }
    assert!(n_seen.into_iter().all(|n_seen| 3 < n_seen), "{n_seen:?} wins and losses");
}

#[test]
fn decided_positions_are_solved() {
    check_solved::<Hex<u64>>(3, 6, 6);
    check_solved::<Cachex<u64>>(3, 5, 4);
    check_solved::<Tetress>(11, 8, 4);
}

#[test]
fn the_tree_lives_on_and_its_moves_stay_legal() {
    for select in SELECTS {
        let mut agent = agent::<Cachex<u64>>(MctsOptions { select, ..MctsOptions::default() });
        let mut record = record_at(&Cachex::<u64>::start(4).expect("a size of the type"));
        agent.begin(Player::Red, &record, Limits::default()).expect("a search never fails");
        let mut memory_of_one = 0;
        while record.outcome().is_none() {
            let choice = choose(&mut agent, &record, nodes(300));
            record.play(choice.mv);
            agent.played(&record, &choice).expect("a search never fails");
            memory_of_one = memory_of_one.max(choice.stats.memory);
        }
        assert!(0 < memory_of_one);
    }
}

/// The share of playouts that a kept tree brings along shows as a longer line after one more playout.
#[test]
fn a_kept_tree_knows_more_than_a_fresh_one() {
    let mut record = record_at(&Cachex::<u64>::start(4).expect("a size of the type"));
    let mut keeper = agent::<Cachex<u64>>(MctsOptions::default());
    let mut forgetter = agent::<Cachex<u64>>(MctsOptions { keeps_tree: false, ..MctsOptions::default() });
    for _ in 0..2 {
        let choice = choose(&mut keeper, &record, nodes(5000));
        choose(&mut forgetter, &record, nodes(5000));
        record.play(choice.mv);
    }
    let [kept, fresh] = [&mut keeper, &mut forgetter].map(|agent| choose(agent, &record, nodes(1)));
    assert_eq!(fresh.line.len(), 1);
    assert!(1 < kept.line.len());
    assert!(fresh.stats.memory < kept.stats.memory);
}

fn check_rollouts<G: Game>(size: u8) {
    for (idx, pos) in random_positions::<G>(size, 6, 6).into_iter().enumerate() {
        for rollout in [Rollout::Random, Rollout::Greedy] {
            for cut_after in [None, Some(0), Some(5)] {
                let select = SELECTS[idx % 2];
                let options = MctsOptions { rollout, cut_after, select, ..MctsOptions::default() };
                choose(&mut agent::<G>(options), &record_at(&pos), nodes(50));
            }
        }
    }
}

#[test]
fn every_kind_of_rollout_gives_legal_moves() {
    check_rollouts::<Infexion>(7);
    check_rollouts::<Tetress>(11);
    check_rollouts::<Cachex<u64>>(5);
    check_rollouts::<Hex<u64>>(5);
}

#[test]
fn a_rollout_that_is_cut_at_once_is_the_evaluation() {
    let pos = Infexion::start(7).expect("the only size");
    let record = record_at(&pos);
    let options = MctsOptions { cut_after: Some(0), ..MctsOptions::default() };
    // One playout looks at the first move alone.
    let choice = choose(&mut agent::<Infexion>(options), &record, nodes(1));
    let value = -noisy().value(&pos.after(choice.mv)).units();
    let score = choice.score.expect("a search has a score").units();
    assert!((score - value).abs() < 0.02, "{score} is not {value}");
}

#[test]
fn a_full_tree_grows_no_more() {
    let record = record_at(&Cachex::<u128>::start(9).expect("a size of the type"));
    for select in SELECTS {
        let options = MctsOptions { max_nodes: 200, select, ..MctsOptions::default() };
        let choice = choose(&mut agent::<Cachex<u128>>(options), &record, nodes(500));
        assert!(choice.stats.memory < 400 * 64);
    }
}

#[test]
fn the_best_line_is_told_whenever_the_playouts_have_doubled() {
    for rollout in [Rollout::Random, Rollout::Greedy] {
        let pos = Infexion::start(7).expect("the size");
        let mut told = Vec::new();
        let mut watch = |progress: &Progress<'_>| {
            assert_eq!(progress.depth as usize, progress.line.len());
            if let Some(&m) = progress.line.first() {
                assert!(record_at(&pos).legal_moves().contains(&m));
                told.push(progress.nodes);
            }
            ControlFlow::Continue(())
        };
        let mut agent = agent::<Infexion>(MctsOptions { rollout, ..MctsOptions::default() });
        agent.choose(&record_at(&pos), nodes(300), &mut watch).expect("a search never fails");
        assert!(told.ends_with(&[64, 128, 256]), "{told:?}");
    }
}
