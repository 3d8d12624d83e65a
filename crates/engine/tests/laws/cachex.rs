//! The champion of Cachex and Hex: the value of the whole tree, forced moves, limits and features.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use yarra_engine::champion::FINE;
use yarra_engine::champion::cachex::{
    AGENTS, CachexChampion, FITTED, HAND, N_FEATURES, OPTIONS, Paths, features,
};
use yarra_engine::eval::{Evaluator, MoveSource, sum_of};
use yarra_engine::pvs::PvsOptions;
use yarra_engine::search::ScoredMoves;
use yarra_engine::{Agent, Limits, Pvs, Score, Settings};
use yarra_games::cachex::{Bits, Cachex, Hex, Rhombus, U256};
use yarra_games::{Game, Move, Player, Position, Record};

use crate::{at_ply, choose, depth, nodes, random_positions, record_at};

pub type Small = Cachex<u64>;

/// The champion by its options.
pub fn champion(pos: &dyn Position, options: &str) -> Box<dyn Agent> {
    AGENTS[0].make(pos, options, 0).expect("a champion of this game")
}

/// The best of all lines of a length by the rules and the evaluation alone.
fn plain_value<B: Bits, const CAPTURES: bool>(
    paths: &Paths,
    game: &mut Record,
    pos: &Rhombus<B, CAPTURES>,
    n_plies: u32,
    ply: u32,
) -> Score {
    if let Some(outcome) = game.outcome() {
        return Evaluator::<Rhombus<B, CAPTURES>>::ended(paths, pos, outcome, ply);
    }
    if n_plies == 0 {
        return paths.value(&paths.root(pos), pos);
    }
    let mut best = -Score::INFINITE;
    for m in game.legal_moves() {
        game.play(m);
        best = best.max(-plain_value(paths, game, &pos.after(m), n_plies - 1, ply + 1));
        game.undo();
    }
    best
}

fn check_values<B: Bits, const CAPTURES: bool>(size: u8, max_moves: usize) {
    let options = [PvsOptions::SOUND, PvsOptions { table_bytes: 0, killers: false, ..PvsOptions::SOUND }];
    let mut champions = options.map(|options| Pvs::<Rhombus<B, CAPTURES>, _>::new(Paths::default(), options));
    let positions = random_positions::<Rhombus<B, CAPTURES>>(size, 200, 12);
    let affordable = positions.iter().filter(|pos| pos.n_legal_moves() <= max_moves);
    for (idx, pos) in affordable.take(25).enumerate() {
        let plies = if idx < 8 { 3 } else { 2 };
        let value = plain_value(&Paths::default(), &mut record_at(pos), pos, plies, 0);
        for champion in &mut champions {
            assert_eq!(choose(champion, &record_at(pos), depth(plies)).score, Some(value), "at {pos}");
        }
    }
}

#[test]
fn sound_parts_leave_the_value_of_the_whole_tree() {
    check_values::<u64, true>(4, 16);
    check_values::<u64, true>(5, 16);
    check_values::<u64, false>(5, 16);
}

#[test]
fn moves_that_are_left_out_lose_at_once() {
    let mut n_left_out = 0;
    for pos in random_positions::<Hex<u64>>(6, 500, 13) {
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        let mut moves = ScoredMoves::default();
        let paths = Paths::default();
        paths.captures(&paths.root(&pos), &pos, &mut moves);
        paths.quiets(&mut paths.root(&pos), &pos, &mut moves);
        let listed: Vec<Move> = (0..moves.len()).map(|idx| moves.get(idx).0).collect();
        let distinct: HashSet<Move> = listed.iter().copied().collect();
        assert_eq!(distinct.len(), listed.len(), "{listed:?} at {pos}");
        assert!(!listed.is_empty() && listed.iter().all(|m| legal.contains(m)), "{listed:?} at {pos}");
        let wins = |pos: &Hex<u64>, m: &Move| pos.after(*m).outcome().is_some();
        if legal.iter().any(|m| wins(&pos, m)) {
            assert!(listed.iter().all(|m| wins(&pos, m)), "{listed:?} at {pos}");
            continue;
        }
        for m in legal.iter().filter(|m| !listed.contains(m)) {
            let after = pos.after(*m);
            let mut answers = Vec::new();
            after.legal_moves(&mut answers);
            assert!(answers.iter().any(|answer| wins(&after, answer)), "{m:?} at {pos}");
            n_left_out += 1;
        }
    }
    assert!(100 < n_left_out, "only {n_left_out} moves were left out");
}

/// Paths that were noted while listing quiet moves change no state after a move. Returns the number of comparisons.
fn check_noted_paths<B: Bits, const CAPTURES: bool>(size: u8) -> usize {
    let paths = Paths::default();
    let mut n_compared = 0;
    for pos in random_positions::<Rhombus<B, CAPTURES>>(size, 100, 15) {
        let mut state = paths.root(&pos);
        let mut moves = ScoredMoves::default();
        paths.quiets(&mut state, &pos, &mut moves);
        paths.captures(&state, &pos, &mut moves);
        for idx in 0..moves.len() {
            let m = moves.get(idx).0;
            let after = pos.after(m);
            if after.outcome().is_none() {
                assert_eq!(paths.child(&state, &pos, m, &after), paths.root(&after), "{m:?} at {pos}");
                n_compared += 1;
            }
        }
    }
    n_compared
}

#[test]
fn a_state_from_noted_paths_is_that_from_scratch() {
    assert!(100 < check_noted_paths::<u64, true>(7));
    assert!(100 < check_noted_paths::<u128, true>(11));
    assert!(100 < check_noted_paths::<U256, true>(12));
    assert!(100 < check_noted_paths::<u64, false>(7));
}

/// Legal answers, whatever the limit, wherever the game stands.
fn check_limits<B: Bits, const CAPTURES: bool>(size: u8) {
    let start = Rhombus::<B, CAPTURES>::start(size).expect("a size of the type");
    let mut positions = random_positions::<Rhombus<B, CAPTURES>>(size, 3, 14);
    let mut opening = start;
    for cell in [1, 2] {
        positions.push(opening);
        opening = opening.after(Move(cell));
    }
    positions.push(opening);
    if CAPTURES {
        let stolen = start.after(Move(1));
        positions.push(stolen.after(stolen.legal_steal().expect("the second ply")));
        let late = |pos: &Rhombus<B, CAPTURES>| at_ply(pos, pos.turn_limit() - 1 - pos.ply() % 2);
        let last = positions.iter().filter(|pos| 2 <= pos.ply()).map(late);
        positions.extend(last.filter(|pos| pos.outcome().is_none()).collect::<Vec<_>>());
    }
    let mut agent = champion(&start, "table=1");
    for pos in positions {
        let record = record_at(&pos);
        let none = Limits::default();
        for limits in [
            Limits { move_time: Some(Duration::ZERO), ..none },
            Limits { clock: Some(Duration::from_millis(1)), ..none },
            nodes(1),
            nodes(300),
            depth(1),
        ] {
            choose(&mut *agent, &record, limits);
        }
    }
}

#[test]
fn every_size_gets_legal_answers_at_tiny_limits() {
    for size in 3..=8 {
        check_limits::<u64, true>(size);
        check_limits::<u64, false>(size);
    }
    for size in 9..=11 {
        check_limits::<u128, true>(size);
    }
    for size in 12..=15 {
        check_limits::<U256, true>(size);
    }
    check_limits::<u128, false>(11);
    check_limits::<U256, false>(13);
}

#[test]
fn fixed_nodes_repeat_exactly() {
    for pos in random_positions::<Small>(7, 6, 15) {
        let record = record_at(&pos);
        let [first, second] = [(); 2].map(|()| choose(&mut *champion(&pos, ""), &record, nodes(3000)));
        assert_eq!((first.score, &first.line), (second.score, &second.line), "at {pos}");
        assert_eq!(first.stats.nodes, second.stats.nodes, "at {pos}");
    }
}

#[test]
fn the_seventh_time_of_a_board_is_a_draw_that_saves() {
    // Six plies lead back to the same board: two captures of two, and four stones.
    let cycle = ["2-3", "1-3", "0-3", "2-1", "1-2", "0-2"].into_iter().cycle();
    for n_plies in [33, 34, 35] {
        let start = Some(".bbr/.rr./r.b./..b. r 8");
        let mut record = Record::read("cachex:4", start, cycle.clone().take(n_plies)).expect("a cycle");
        let pos = yarra_engine::agent::position_of::<Small>(&record).expect("cachex");
        let score =
            choose(&mut *champion(&pos, "lmp=0,lmr=0,futility=0,quiescence=0"), &record, depth(3)).score;
        assert_eq!(
            score,
            Some(plain_value(&Paths::default(), &mut record, &pos, 3, 0)),
            "after {n_plies} plies"
        );
    }
}

#[test]
fn a_second_lasts_for_a_game_against_chance() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut record = Record::new(yarra_games::start("cachex:9").expect("a size"));
    let mut agent = champion(record.now(), "table=1");
    let mut left = Duration::from_secs(1);
    while record.outcome().is_none() {
        let m = if record.now().turn() == Player::Red {
            let started = Instant::now();
            let limits = Limits { clock: Some(left), ..Limits::default() };
            let m = choose(&mut *agent, &record, limits).mv;
            left = left.checked_sub(started.elapsed()).expect("time is left");
            m
        } else {
            *rng.choice(&record.legal_moves()).expect("a move while the game lasts")
        };
        record.play(m);
    }
    assert_eq!(record.outcome().and_then(|outcome| outcome.winner), Some(Player::Red));
}

/// A position's value, as the sum of its terms too.
fn value_of<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Score {
    let paths = Paths::default();
    let value = paths.value(&paths.root(pos), pos);
    let is_certain = 500_000 < value.0.abs();
    assert!(is_certain || (value.0 - sum_of(&paths.terms(pos), pos.turn()).0).abs() <= 1, "at {pos}");
    value
}

#[test]
fn a_position_is_judged_alike_from_all_sides() {
    for pos in random_positions::<Small>(7, 60, 19) {
        for symmetry in 0..pos.n_symmetries() {
            assert_eq!(value_of(&pos.image(symmetry)), value_of(&pos), "symmetry {symmetry} of {pos}");
        }
    }
    for pos in random_positions::<Hex<u128>>(10, 20, 20) {
        for symmetry in 0..pos.n_symmetries() {
            assert_eq!(value_of(&pos.image(symmetry)), value_of(&pos), "symmetry {symmetry} of {pos}");
        }
    }
}

#[track_caller]
fn check_features(text: &str, moving: [i32; N_FEATURES], waiting: [i32; N_FEATURES]) {
    let pos = Small::read(text).expect("a position");
    assert_eq!(features(&pos, Paths::default().root(&pos).needs), [moving, waiting], "{text}");
    let worth = |weights: [i32; N_FEATURES], features: [i32; N_FEATURES]| -> i32 {
        weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    };
    let fine = FITTED.turn + worth(FITTED.moving, moving) - worth(FITTED.waiting, waiting);
    let value = (fine + FINE / 2).div_euclid(FINE);
    assert_eq!(value_of(&pos), Score(value));
}

#[test]
fn features_are_what_one_counts_by_hand() {
    // Red's two neighbors on 1-2 and 2-2 lie in a diamond with 1-3 and 2-1, both of them empty.
    check_features("...../..r../..r../...../b...b r 4", [3, 2, 0, 0, 1, 0, 0], [3, 2, 0, 0, 0, 2, 2]);
    // Blue on 2-1 threatens both red stones from 1-3; nothing threatens blue.
    check_features("...../..r../.br../...../..... r 4", [3, 2, 0, 0, 0, 0, 0], [5, 1, 1, 0, 0, 0, 0]);
}

#[test]
fn a_win_at_the_next_ply_is_certain_and_in_hex_a_double_threat_lost() {
    let pos = Small::read(".r.../.r.../.r.../.r.../b..b. r 8").expect("a position");
    assert!(1_000_000 <= value_of(&pos).0);
    let pos = Hex::<u64>::read("..r../..r../..r../..r../b...b b 7").expect("a position");
    assert!(value_of(&pos).0 <= -1_000_000);
    let mut agent =
        CachexChampion::<u64, false>::new(&Settings::read(OPTIONS, "").expect("options"), Paths::new(HAND));
    assert_eq!(choose(&mut agent, &record_at(&pos), depth(2)).score, Some(-Score::win_in(2)));
}
