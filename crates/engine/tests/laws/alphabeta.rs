//! However a tree is cut and its moves are ordered, its value is that of the whole tree.

use yarra_engine::alphabeta::{AlphaBeta, Method, Options, Order, Plan};
use yarra_engine::tactics::{AllMoves, CapturesFirst};
use yarra_engine::{Score, Tactics};
use yarra_games::cachex::{Cachex, Hex};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Record};

use crate::{choose, depth, noisy, random_positions, record_at};

pub type Search<G> = AlphaBeta<G, std::sync::Arc<dyn yarra_engine::eval::Judge<G>>>;

const EVERY_ORDER: Order =
    Order { history: true, killers: true, hash_move: true, previous_iteration: true, last_best: true };
const QUICK_ORDER: Order = Order { previous_iteration: false, ..EVERY_ORDER };

/// Plain alpha-beta with everything that remembers: the table is small, so that entries are displaced.
pub fn remembering() -> Options {
    Options {
        table_bytes: 1 << 14,
        cached_evaluations: 100,
        cached_lists: 50,
        order: EVERY_ORDER,
        ..Options::default()
    }
}

/// Each part alone, and all together.
pub fn all_options() -> Vec<Options> {
    let plain = Options::default();
    let table = Options { table_bytes: 1 << 14, ..plain };
    let killers = Order { killers: true, ..Order::default() };
    let history = Order { history: true, ..Order::default() };
    let hash_move = Order { hash_move: true, ..Order::default() };
    let previous_iteration = Order { previous_iteration: true, ..Order::default() };
    let alone = [
        plain,
        table,
        Options { order: killers, ..plain },
        Options { order: history, ..plain },
        Options { order: hash_move, ..table },
        Options { order: previous_iteration, ..table },
        Options { cached_evaluations: 100, ..plain },
        Options { cached_lists: 50, ..plain },
        remembering(),
        Options { order: QUICK_ORDER, ..remembering() },
    ];
    let scouts = [1, 70, 1000].map(|window| Method::NegaScout { window });
    let mut all = alone.to_vec();
    for method in scouts {
        all.extend([plain, table, remembering()].map(|options| Options { method, ..options }));
    }
    all.extend([plain, table].map(|options| Options { method: Method::Minimax, ..options }));
    all
}

pub fn search<G: Game>(options: Options, is_deepening: bool) -> Search<G> {
    let tactics: Box<dyn Tactics<G>> =
        if is_deepening { Box::new(CapturesFirst) } else { Box::new(AllMoves) };
    AlphaBeta::new(
        noisy(),
        tactics,
        options,
        Box::new(move |_, _, _| Plan { is_deepening, ..Plan::fixed(1) }),
    )
}

/// Minimax in its plainest form; the record knows repetition.
pub fn plain_value<G: Game>(record: &mut Record, depth: u32, n_plies: u32) -> Score {
    let judge = noisy::<G>();
    let pos = *(record.now() as &dyn std::any::Any).downcast_ref::<G>().expect("this game");
    if let Some(outcome) = record.outcome() {
        return judge.ended(&pos, outcome, n_plies);
    }
    if depth == 0 {
        return judge.value(&pos);
    }
    let mut moves = Vec::new();
    pos.legal_moves(&mut moves);
    let values = moves.into_iter().map(|m| {
        // Undoing replays the game: a copy of a short one is cheaper.
        let mut next = record.clone();
        next.play(m);
        -plain_value::<G>(&mut next, depth - 1, n_plies + 1)
    });
    values.max().expect("a move while the game lasts")
}

/// The same without a record, for positions where nothing can recur.
fn quick_value<G: Game>(pos: &G, depth: u32, n_plies: u32) -> Score {
    if let Some(outcome) = pos.outcome() {
        return noisy().ended(pos, outcome, n_plies);
    }
    if depth == 0 {
        return noisy().value(pos);
    }
    let mut moves = Vec::new();
    pos.legal_moves(&mut moves);
    moves.into_iter().map(|m| -quick_value(&pos.after(m), depth - 1, n_plies + 1)).max().expect("a move")
}

/// The greatest depth of up to three plies with a tree of at most this many leaves.
fn affordable_depth<G: Game>(pos: &G, n_leaves: usize) -> u32 {
    let n_moves = pos.n_legal_moves();
    (2..=3).rev().find(|&depth| n_moves.pow(depth) <= n_leaves).unwrap_or(1)
}

fn check_values<G: Game>(size: u8, n_positions: usize) {
    let mut fixed: Vec<Search<G>> = all_options().into_iter().map(|options| search(options, false)).collect();
    let mut deepening: Search<G> = search(remembering(), true);
    for pos in random_positions::<G>(size, n_positions, 1) {
        let plies = affordable_depth(&pos, 16_000);
        let value = quick_value(&pos, plies, 0);
        let record = record_at(&pos);
        for (agent, options) in fixed.iter_mut().zip(all_options()) {
            let choice = choose(agent, &record, depth(plies));
            assert_eq!(choice.score, Some(value), "{options:?} at {pos}");
            // A line that the table cuts short need not lead to the end.
            if options.table_bytes == 0 {
                assert_eq!(value_of_line(&pos, &choice.line, plies), value, "{options:?} at {pos}");
            }
        }
        let choice = choose(&mut deepening, &record, depth(plies));
        assert_eq!(choice.score, Some(value), "deepening at {pos}");
        assert_eq!(choice.stats.iterations.last().map(|last| last.score), Some(value));
    }
}

/// Three plies in all of 200 positions of random games, for the searches that everything else is made of. The
/// positions are those whose whole tree is small enough to be walked by the plainest search.
fn check_three_plies<G: Game>(size: u8) {
    const LEAVES: usize = 300_000;
    let table = Options { table_bytes: 1 << 14, order: QUICK_ORDER, ..Options::default() };
    let scout = Method::NegaScout { window: 1 };
    let options = [
        Options::default(),
        table,
        Options { method: scout, ..Options::default() },
        Options { method: scout, ..table },
    ];
    let mut agents: Vec<Search<G>> = options.into_iter().map(|options| search(options, false)).collect();
    let all = random_positions::<G>(size, 2_000, 3);
    let small = all.iter().filter(|pos| pos.n_legal_moves().pow(3) <= LEAVES).take(200).collect::<Vec<_>>();
    assert_eq!(small.len(), 200);
    for pos in small {
        let value = quick_value(pos, 3, 0);
        for agent in &mut agents {
            assert_eq!(choose(agent, &record_at(pos), depth(3)).score, Some(value), "{pos}");
        }
    }
}

#[test]
fn three_plies_of_infexion_are_worth_what_the_whole_tree_says() {
    check_three_plies::<Infexion>(7);
}

#[test]
fn three_plies_of_tetress_are_worth_what_the_whole_tree_says() {
    check_three_plies::<Tetress>(11);
}

#[test]
fn three_plies_of_cachex_are_worth_what_the_whole_tree_says() {
    check_three_plies::<Cachex<u64>>(7);
}

fn value_of_line<G: Game>(pos: &G, line: &[yarra_games::Move], plies: u32) -> Score {
    let mut last = *pos;
    for &m in line {
        last.play(m);
    }
    let score = match last.outcome() {
        Some(outcome) => noisy().ended(&last, outcome, line.len() as u32),
        None => noisy().value(&last),
    };
    assert!(line.len() as u32 == plies || last.outcome().is_some(), "a line of {} plies", line.len());
    if line.len().is_multiple_of(2) { score } else { -score }
}

#[test]
fn infexion_is_worth_what_the_whole_tree_says() {
    check_values::<Infexion>(7, 200);
}

#[test]
fn tetress_is_worth_what_the_whole_tree_says() {
    check_values::<Tetress>(11, 200);
}

#[test]
fn cachex_is_worth_what_the_whole_tree_says() {
    for size in [4, 5, 7] {
        check_values::<Cachex<u64>>(size, 200);
    }
}

#[test]
fn hex_is_worth_what_the_whole_tree_says() {
    check_values::<Hex<u64>>(5, 200);
}

#[test]
fn windows_and_the_table_leave_out_much() {
    let record = record_at(&Cachex::<u64>::start(4).expect("a size of the type"));
    let n_nodes = |options| choose(&mut search::<Cachex<u64>>(options, true), &record, depth(4)).stats.nodes;
    let whole = Options { method: Method::Minimax, ..Options::default() };
    assert!(n_nodes(Options::default()) < n_nodes(whole) / 4);
    assert!(n_nodes(Options { table_bytes: 1 << 20, ..whole }) < n_nodes(whole));
}
