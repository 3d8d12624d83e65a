//! Tetress's champion: with nothing left out its value is that of the whole tree, limits are kept, forced wins are
//! found, and what it counts is what one counts by hand.

use std::time::{Duration, Instant};

use yarra_engine::agent::unwatched;
use yarra_engine::champion::tetress::eval::{
    Boards, Evaluation, KNOTS, N_KNOTS, Weights, features, knots_at,
};
use yarra_engine::champion::tetress::{OPTIONS, TetressChampion, TetressOptions};
use yarra_engine::eval::sum_of;
use yarra_engine::{Agent, Limits, Score, Settings};
use yarra_games::tetress::{TURN_LIMIT, Tetress};
use yarra_games::{Game, Move, Player, Position, Record};

use crate::{at_ply, choose, depth, nodes, random_positions, record_at};

fn legal_moves(pos: &Tetress) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.legal_moves(&mut moves);
    moves
}

/// The value of the whole tree.
fn plain_value(evaluation: &Evaluation, pos: &Tetress, plies: u32, ply: u32) -> Score {
    if let Some(outcome) = pos.outcome() {
        return match outcome.winner {
            None => Score::DRAW,
            Some(winner) if winner == pos.turn() => Score::win_in(ply),
            Some(_) => -Score::win_in(ply),
        };
    }
    if plies == 0 {
        return evaluation.value(pos);
    }
    let value = |&m: &Move| -plain_value(evaluation, &pos.after(m), plies - 1, ply + 1);
    legal_moves(pos).iter().map(value).max().expect("a move while the game lasts")
}

/// Whether the player to move can force a win within this many plies.
fn is_won(pos: &Tetress, plies: u32) -> bool {
    0 < plies && legal_moves(pos).iter().any(|&m| is_lost(&pos.after(m), plies - 1))
}

/// Whether the player to move cannot escape a loss within this many plies.
fn is_lost(pos: &Tetress, plies: u32) -> bool {
    match pos.outcome() {
        Some(outcome) => outcome.winner == Some(pos.turn().opponent()),
        None => 0 < plies && legal_moves(pos).iter().all(|&m| is_won(&pos.after(m), plies - 1)),
    }
}

/// The champion as it plays.
fn champion() -> TetressChampion {
    let settings = Settings::read(OPTIONS, "table=1").expect("options");
    TetressChampion::new(TetressOptions::read(&settings).expect("options"))
}

#[test]
fn with_nothing_left_out_the_value_is_that_of_the_whole_tree() {
    // A table so small that entries are displaced, and each part of the rest on and off.
    let all = TetressOptions { table_bytes: 1 << 12, ..TetressOptions::SOUND };
    let mut champions =
        [all, TetressOptions { table_bytes: 0, ..all }, TetressOptions { killers: false, ..all }]
            .map(TetressChampion::new);
    let evaluation = Evaluation::new(&Weights::HAND);
    let positions = random_positions::<Tetress>(11, 300, 11);
    let affordable = positions.iter().filter(|pos| (2..=30).contains(&pos.n_legal_moves()));
    for (idx, pos) in affordable.take(25).enumerate() {
        let plies = if idx < 5 { 3 } else { 2 };
        let value = plain_value(&evaluation, pos, plies, 0);
        for champion in &mut champions {
            assert_eq!(choose(champion, &record_at(pos), depth(plies)).score, Some(value), "at {pos}");
        }
    }
}

#[test]
fn lines_begin_with_the_best_moves_of_the_whole_tree() {
    let evaluation = Evaluation::new(&Weights::HAND);
    let positions = random_positions::<Tetress>(11, 100, 12);
    for pos in positions.iter().filter(|pos| (4..=40).contains(&pos.n_legal_moves())).take(8) {
        let mut values: Vec<Score> =
            legal_moves(pos).iter().map(|&m| -plain_value(&evaluation, &pos.after(m), 1, 1)).collect();
        values.sort_by_key(|&score| -score);
        values.truncate(3);
        for threads in [1, 2] {
            let mut champion = TetressChampion::new(TetressOptions { threads, ..TetressOptions::SOUND });
            let lines = champion.lines(&record_at(pos), 3, depth(2), &mut unwatched).expect("lines");
            assert_eq!(lines.iter().filter_map(|line| line.score).collect::<Vec<_>>(), values, "at {pos}");
        }
    }
}

#[test]
fn the_turn_limit_is_seen_through_the_table() {
    let mut champion = TetressChampion::new(TetressOptions::SOUND);
    let evaluation = Evaluation::new(&Weights::HAND);
    let positions = random_positions::<Tetress>(11, 300, 2);
    for pos in positions.iter().filter(|pos| 10 < pos.ply() && pos.n_legal_moves() <= 30).take(6) {
        let last = TURN_LIMIT - pos.ply() % 2;
        choose(&mut champion, &record_at(pos), depth(3));
        for (ply, plies) in [(last - 4, 3), (last - 2, 3)] {
            let pos = at_ply(pos, ply);
            let value = plain_value(&evaluation, &pos, plies, 0);
            assert_eq!(choose(&mut champion, &record_at(&pos), depth(plies)).score, Some(value), "at {pos}");
        }
    }
}

#[test]
fn fixed_nodes_or_plies_repeat_exactly() {
    for pos in random_positions::<Tetress>(11, 8, 3) {
        let record = record_at(&pos);
        for limits in [nodes(3000), depth(3)] {
            let [first, second] = [(); 2].map(|()| choose(&mut champion(), &record, limits));
            assert_eq!((first.score, &first.line), (second.score, &second.line), "at {pos}");
            assert_eq!(first.stats.nodes, second.stats.nodes);
            assert!(limits.nodes.is_none_or(|most| first.stats.nodes <= most));
            assert!(limits.depth.is_none_or(|most| first.stats.depth() <= most));
        }
    }
}

/// Positions of all phases: the first plies, random ones, nearly blocked ones, and the last plies.
fn all_phases() -> Vec<Tetress> {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut pos = Tetress::start(11).expect("the only size");
    let mut positions = vec![pos];
    for _ in 0..4 {
        pos.play(pos.random_move(&mut rng).expect("a move"));
        positions.push(pos);
    }
    let random = random_positions::<Tetress>(11, 200, 5);
    positions.extend(random.iter().filter(|pos| pos.n_legal_moves() <= 3).take(4));
    for pos in &random[..3] {
        let last = TURN_LIMIT - pos.ply() % 2;
        positions.extend([last - 4, last - 2].map(|ply| at_ply(pos, ply)));
        positions.push(*pos);
    }
    positions
}

#[test]
fn no_time_still_gives_a_legal_move_in_every_phase() {
    for pos in all_phases() {
        let short = [
            Limits { move_time: Some(Duration::ZERO), ..Limits::default() },
            Limits { clock: Some(Duration::ZERO), ..Limits::default() },
            Limits { clock: Some(Duration::from_millis(1)), ..Limits::default() },
            nodes(1),
            nodes(100),
            nodes(5000),
        ];
        for limits in short {
            choose(&mut champion(), &record_at(&pos), limits);
        }
    }
}

#[test]
fn a_second_lasts_for_a_game_against_chance() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut record = Record::new(Tetress::start(11).expect("the only size").boxed());
    let (mut agent, mut left) = (champion(), Duration::from_secs(1));
    while record.outcome().is_none() {
        let m = if record.now().turn() == Player::Red {
            let started = Instant::now();
            let limits = Limits { clock: Some(left), ..Limits::default() };
            let m = choose(&mut agent, &record, limits).mv;
            left = left.checked_sub(started.elapsed()).expect("time is left");
            m
        } else {
            *rng.choice(&record.legal_moves()).expect("a move while the game lasts")
        };
        record.play(m);
    }
    assert_eq!(record.outcome().and_then(|outcome| outcome.winner), Some(Player::Red));
}

#[test]
fn wins_that_can_be_forced_are_found() {
    let mut n_won = 0;
    for pos in random_positions::<Tetress>(11, 400, 7) {
        if pos.n_legal_moves() <= 40 && is_won(&pos, 3) {
            n_won += 1;
            let choice = choose(&mut champion(), &record_at(&pos), nodes(50_000));
            let plies = choice.score.and_then(Score::plies_to_end);
            assert!(plies.is_some_and(|plies| 0 < plies && plies <= 3), "{plies:?} at {pos}");
            assert!(is_lost(&pos.after(choice.mv), 2), "{:?} at {pos}", choice.mv);
        }
    }
    assert!(10 <= n_won, "only {n_won} of the positions are won");
}

/// A position's value, as the sum of its terms too.
fn value_of(pos: &Tetress) -> Score {
    let evaluation = Evaluation::new(&Weights::HAND);
    let value = evaluation.value(pos);
    // Terms are not rounded, the value is.
    let sum = sum_of(&evaluation.terms(pos), pos.turn());
    assert!((value.0 - sum.0).abs() <= 1, "{value} but {sum} at {pos}");
    value
}

#[test]
fn a_position_is_judged_alike_from_all_sides() {
    for pos in random_positions::<Tetress>(11, 5, 6) {
        let value = value_of(&pos);
        for symmetry in (0..pos.n_symmetries()).step_by(7) {
            assert_eq!(value_of(&pos.image(symmetry)), value, "symmetry {symmetry} of {pos}");
        }
    }
}

/// The empty cells that a player can fill, cell by cell.
fn naive_reach(pos: &Tetress, player: Player) -> i32 {
    let is_empty = |cell: usize| pos.empty() >> cell & 1 == 1;
    let beside = |cell: usize| {
        let (row, col) = (cell / 11, cell % 11);
        [(row + 1, col), (row + 10, col), (row, col + 1), (row, col + 10)]
            .map(|(row, col)| row % 11 * 11 + col % 11)
    };
    let mut cells: Vec<usize> = (0..121).filter(|cell| pos.cells_of(player) >> cell & 1 == 1).collect();
    let mut reached = std::collections::BTreeSet::new();
    for _ in 0..4 {
        cells = cells.iter().flat_map(|&cell| beside(cell)).filter(|&cell| is_empty(cell)).collect();
        reached.extend(cells.iter().copied());
    }
    reached.len() as i32
}

#[test]
fn many_boards_at_once_have_the_features_of_each_alone() {
    let positions = random_positions::<Tetress>(11, 300, 8);
    for pos in positions.iter().filter(|pos| 2 <= pos.ply()) {
        let mut boards = Boards::<16>::new(pos.ply());
        boards.set(5, pos);
        let n_moves = boards.features().n_moves.map(|lane| lane[5]);
        let [red, blue] = pos.mobility();
        let expected = if pos.turn() == Player::Red { [red, blue] } else { [blue, red] };
        assert_eq!(n_moves, expected, "at {pos}");
        for (found, player) in features(pos).into_iter().zip([pos.turn(), pos.turn().opponent()]) {
            let n_moves = pos.mobility()[player as usize];
            let log = (100.0 * f64::from(n_moves + 1).ln()).round() as i32;
            assert_eq!(found, [log, pos.material(player) as i32, naive_reach(pos, player)], "at {pos}");
        }
    }
}

#[track_caller]
fn check_features(rows: &[(usize, &str)], side_and_ply: &str, mover: [i32; 3], other: [i32; 3]) {
    let mut all = ["..........."; 11];
    for &(row, cells) in rows {
        all[row] = cells;
    }
    let pos = Tetress::read(&format!("{} {side_and_ply}", all.join("/"))).expect("a position");
    assert_eq!(features(&pos), [mover, other], "{pos}");
    value_of(&pos);
}

#[test]
fn features_are_what_one_counts_by_hand() {
    // Around a token lie 4, 8, 12 and 16 cells in one to four steps. Of the placements beside it, counted one by
    // one, 164 are not on it, and 100 ln 165 = 511.
    check_features(&[(5, ".....r....."), (0, "b..........")], "r 2", [511, 1, 40], [511, 1, 40]);
    // A free first move: anywhere but on the token, which is a cell of 76 placements of the 2299.
    check_features(&[(5, ".....r.....")], "b 1", [771, 0, 120], [511, 1, 40]);
    // Blue sits in a hole of three cells, too small for any piece: cells in reach, but no move.
    let wall = "rrrrrrrrrr.";
    check_features(&[(3, wall), (4, "rrrrb...rr."), (5, wall)], "b 21", [0, 1, 3], [606, 26, 92]);
}

#[test]
fn weights_change_evenly_between_their_plies() {
    assert_eq!(KNOTS, [0, 12, 24, 100, 150]);
    assert_eq!(knots_at(0), [1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(knots_at(15), [0.0, 0.75, 0.25, 0.0, 0.0]);
    assert_eq!(knots_at(150), [0.0, 0.0, 0.0, 0.0, 1.0]);
    let turn = [0.0, 120.0, 240.0, 1000.0, 1100.0];
    let evaluation = Evaluation::new(&Weights { features: [[0.0; N_KNOTS]; 3], turn });
    let pos = random_positions::<Tetress>(11, 1, 9)[0];
    for (ply, worth) in [(6, 60), (7, 70), (24, 240), (25, 250), (130, 1060), (131, 1062)] {
        if ply % 2 == pos.ply() % 2 {
            assert_eq!(evaluation.value(&at_ply(&pos, ply)), Score(worth), "at ply {ply}");
        }
    }
}
