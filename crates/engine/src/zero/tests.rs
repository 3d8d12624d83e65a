//! Laws of the guided search, with oracles that know nothing.

use fastrand::Rng;
use yarra_games::cachex::Hex;
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move, MoveList, Position, Record};

use super::*;
use crate::agent::unwatched;
use crate::net::Oracle;
use crate::{Agent, Limits, Score};

/// Logits and values that follow from a position's key and a salt alone.
#[derive(Clone)]
struct Toy(u64);

impl Oracle for Toy {
    fn plays(&self, _: &dyn Position) -> bool {
        true
    }

    fn evaluate(&mut self, pos: &dyn Position, moves: &[Move], logits: &mut Vec<f32>) -> f32 {
        logits.clear();
        let mut rng = Rng::with_seed(pos.key() ^ self.0);
        logits.extend(moves.iter().map(|_| 4.0 * rng.f32()));
        rng.f32() - 0.5
    }
}

/// Prefers one move everywhere.
struct Likes(Move);

impl Oracle for Likes {
    fn plays(&self, _: &dyn Position) -> bool {
        true
    }

    fn evaluate(&mut self, _: &dyn Position, moves: &[Move], logits: &mut Vec<f32>) -> f32 {
        logits.clear();
        logits.extend(moves.iter().map(|&m| if m == self.0 { 1.0 } else { 0.0 }));
        0.0
    }
}

fn options(method: Method) -> ZeroOptions {
    ZeroOptions { method, ..ZeroOptions::default() }
}

/// Options under which every root move is tried.
fn thorough(method: Method) -> ZeroOptions {
    ZeroOptions { n_considered: 200, exploration: 100.0, ..options(method) }
}

fn game_after<G: Game>(start: G, n_plies: usize, rng: &mut Rng) -> Record {
    let mut game = Record::new(start.boxed());
    for _ in 0..n_plies {
        let moves = game.legal_moves();
        let Some(&m) = rng.choice(&moves) else { break };
        game.play(m);
    }
    game
}

fn searched(game: &Record, options: ZeroOptions, n: u64, seed: u64) -> GuidedSearch {
    let mut search = GuidedSearch::new(options);
    let n_known = (options.method == Method::Gumbel).then_some(n);
    search.begin(game, n_known, &mut Toy(0), &mut Rng::with_seed(seed));
    while search.n_done() < n && !search.is_settled() {
        search.simulate(&mut Toy(0));
    }
    search
}

/// The result for the player to move, by trying everything.
fn solve(game: &mut Record) -> i8 {
    if let Some(outcome) = game.outcome() {
        return outcome.winner.map_or(0, |winner| if winner == game.now().turn() { 1 } else { -1 });
    }
    let mut best = -1;
    for m in game.legal_moves() {
        let mut next = game.clone();
        next.play(m);
        best = best.max(-solve(&mut next));
        if best == 1 {
            break;
        }
    }
    best
}

#[test]
fn proofs_are_right_and_no_proven_loss_is_played_without_need() {
    let mut rng = Rng::with_seed(1);
    let (mut n_wins, mut n_avoided) = (0, 0);
    for n in 0..60 {
        let game = game_after(Hex::<u64>::start(3).expect("a size"), 2 + n % 3, &mut rng);
        if game.outcome().is_some() {
            continue;
        }
        let result = solve(&mut game.clone());
        for method in [Method::Gumbel, Method::Puct] {
            let search = searched(&game, options(method), 40, 0);
            let best = &search.best(1)[0];
            if let Some(proof) = best.proof {
                assert_eq!(proof.result, result, "{}", game.now());
                n_wins += u32::from(proof.result == 1);
            }
            let has_lost = search.best(100).iter().any(|found| found.proof.is_some_and(|it| it.result < 0));
            if has_lost && result == 1 {
                assert!(best.proof.is_none_or(|proof| 0 <= proof.result), "{}", game.now());
                n_avoided += 1;
            }
        }
    }
    assert!(10 < n_wins && 10 < n_avoided, "{n_wins} {n_avoided}");
}

#[test]
fn a_win_in_one_is_found_and_played() {
    let board = "......./......./......./..r1b1.../......./......./....... r 2";
    let pos = Infexion::read(board).expect("a position");
    let game = Record::new(pos.boxed());
    for search in ["gumbel", "puct"] {
        let method = if search == "puct" { Method::Puct } else { Method::Gumbel };
        let mut agent = Zero::new(Toy(3), thorough(method), 0);
        let limits = Limits { nodes: Some(400), ..Limits::default() };
        let choice = agent.choose(&game, limits, &mut unwatched).expect("a search never fails");
        assert_eq!(choice.score, Some(Score::win_in(1)), "{search}");
        let after = pos.after(choice.mv);
        assert_eq!(after.outcome().and_then(|outcome| outcome.winner), Some(pos.turn()), "{search}");
    }
}

#[test]
fn the_improved_policy_is_a_policy_and_an_improvement() {
    let mut rng = Rng::with_seed(2);
    let mut policy = Vec::new();
    for n in 0..30 {
        let game = game_after(Infexion::start(7).expect("a size"), 2 + n, &mut rng);
        let method = [Method::Gumbel, Method::Puct][n % 2];
        let search = searched(&game, options(method), 32, 0);
        let value = search.policy(&mut policy);
        assert!((policy.iter().map(|&(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(policy.iter().map(|&(m, _)| m).eq(game.legal_moves()));
        // With the oracle's own policy, the values that the search has found are worth less.
        let (mut logits, moves) = (Vec::new(), game.legal_moves());
        Toy(0).evaluate(game.now(), &moves, &mut logits);
        let raw: Vec<f32> = logits.iter().map(|logit| logit.exp()).collect();
        let raw_value: f64 = search
            .best(moves.len())
            .iter()
            .map(|found| {
                let idx = moves.binary_search(&found.line[0]).expect("a legal move");
                f64::from(raw[idx] / raw.iter().sum::<f32>()) * found.value
            })
            .sum();
        assert!(raw_value <= value + 1e-6, "{raw_value} {value}");
    }
}

#[test]
fn one_simulation_samples_the_prior() {
    let game = game_after(Infexion::start(7).expect("a size"), 6, &mut Rng::with_seed(3));
    let (mut logits, moves) = (Vec::new(), game.legal_moves());
    Toy(0).evaluate(game.now(), &moves, &mut logits);
    let mut chosen = MoveList::new();
    for (seed, noise) in [(0, 0.0), (0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)] {
        let search = searched(&game, ZeroOptions { noise, ..options(Method::Gumbel) }, 1, seed);
        let mut rng = Rng::with_seed(seed);
        let noisy: Vec<f32> = logits.iter().map(|logit| logit + noise * gumbel(&mut rng)).collect();
        let best = (0..moves.len()).max_by(|&a, &b| noisy[a].total_cmp(&noisy[b])).expect("a move");
        assert_eq!(search.best(1)[0].line[0], moves[best]);
        chosen.push(moves[best]);
    }
    assert!(chosen[1..].iter().any(|&m| m != chosen[0]), "noise changes nothing");
}

#[test]
fn a_search_follows_from_its_seed() {
    let game = game_after(Infexion::start(7).expect("a size"), 6, &mut Rng::with_seed(4));
    let options = ZeroOptions { noise: 1.0, ..options(Method::Gumbel) };
    let policy_of = |seed| {
        let mut policy = Vec::new();
        let search = searched(&game, options, 32, seed);
        search.policy(&mut policy);
        (search.best(1)[0].line.clone(), policy)
    };
    assert_eq!(policy_of(1), policy_of(1));
    assert_ne!(policy_of(1), policy_of(2));
}

#[test]
fn simulations_go_to_the_considered_moves_in_halves() {
    let game = game_after(Infexion::start(7).expect("a size"), 6, &mut Rng::with_seed(5));
    let search = searched(&game, options(Method::Gumbel), 64, 0);
    // 16 get one simulation, 8 get two more, 4 four more, and the best 2 eight more and the rest.
    assert_eq!(search.root_visits()[..17], [15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
}

#[test]
fn the_tree_counts_the_seventh_time_of_a_board_as_a_draw() {
    let proven_after = |n_cycles: usize, method| {
        let cycle = ["0-2", "1-0", "1-1", "1-2", "1-0", "0-1"];
        let moves = cycle.into_iter().cycle().take(6 * n_cycles - 1);
        let record = Record::read("cachex:4", Some("rb.r/..b./bb.b/.br. r 12"), moves).expect("a cycle");
        let m = record.now().read_move("0-1").expect("a legal move");
        let mut search = GuidedSearch::new(options(method));
        search.begin(&record, None, &mut Likes(m), &mut Rng::with_seed(0));
        search.simulate(&mut Likes(m));
        search.best(20).into_iter().find(|found| found.line[0] == m).expect("a move").proof
    };
    for method in [Method::Gumbel, Method::Puct] {
        assert_eq!(proven_after(5, method), None);
        assert_eq!(proven_after(6, method), Some(Proof { result: 0, n_plies: 1 }));
    }
}

#[test]
fn a_kept_tree_saves_evaluations() {
    let mut game = game_after(Infexion::start(7).expect("a size"), 6, &mut Rng::with_seed(6));
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let mut agent = Zero::new(Toy(0), options(Method::Gumbel), 0);
    let mut fresh = Zero::new(Toy(0), ZeroOptions { keeps_tree: false, ..options(Method::Gumbel) }, 0);
    for n in 0..3 {
        let choice = agent.choose(&game, limits, &mut unwatched).expect("a search never fails");
        let other = fresh.choose(&game, limits, &mut unwatched).expect("a search never fails");
        assert!(game.legal_moves().contains(&choice.mv));
        assert_eq!(choice.stats.nodes, 100);
        assert_eq!(other.stats.evaluations, 101);
        assert!(n == 0 || choice.stats.evaluations <= 100);
        for &m in choice.line.iter().take(2) {
            game.play(m);
        }
    }
}

#[test]
fn several_lines_begin_with_different_moves() {
    let game = game_after(Infexion::start(7).expect("a size"), 6, &mut Rng::with_seed(7));
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let mut agent = Zero::new(Toy(0), options(Method::Puct), 0);
    let mut n_reports = 0;
    let lines = agent
        .lines(&game, 3, limits, &mut |progress| {
            n_reports += u32::from(!progress.line.is_empty());
            std::ops::ControlFlow::Continue(())
        })
        .expect("a search never fails");
    assert_eq!(lines.len(), 3);
    assert!(lines[0].mv != lines[1].mv && lines[1].mv != lines[2].mv && lines[0].mv != lines[2].mv);
    assert!(lines.iter().all(|choice| choice.line[0] == choice.mv));
    assert_eq!(n_reports, 3 * 5);
}
