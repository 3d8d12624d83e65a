//! Principal variation search: sound techniques keep the value of the whole tree, limits are kept; and Infexion's
//! evaluation is the same for both colors and under all symmetries.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use yarra_engine::agent::unwatched;
use yarra_engine::champion::FINE;
use yarra_engine::champion::infexion::{FITTED, HAND, N_FEATURES, OPTIONS, Reach, features};
use yarra_engine::eval::{Evaluator, Judge, MoveSource, sum_of};
use yarra_engine::pvs::PvsOptions;
use yarra_engine::search::ScoredMoves;
use yarra_engine::{Agent, Limits, Pvs, Score, Settings};
use yarra_games::cachex::Cachex;
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Move, Position, Record};

use crate::alphabeta::plain_value;
use crate::{at_ply, check_line, choose, depth, nodes, noisy, random_positions, record_at};

/// Knows no more of any game than its rules, and that captures are good.
struct Layman;

impl<G: Game> Evaluator<G> for Layman {
    type State = ();

    fn root(&self, _: &G) {}

    fn value(&self, (): &(), pos: &G) -> Score {
        Judge::value(&*noisy(), pos)
    }
}

impl<G: Game> MoveSource<G> for Layman {
    fn captures(&self, (): &(), pos: &G, moves: &mut ScoredMoves) {
        self.list(pos, true, moves);
    }

    fn quiets(&self, (): &mut (), pos: &G, moves: &mut ScoredMoves) {
        self.list(pos, false, moves);
    }

    fn gain(&self, (): &(), pos: &G, m: Move) -> i32 {
        100 * yarra_engine::tactics::gain(pos, m)
    }

    fn is_legal(&self, pos: &G, m: Move) -> bool {
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        legal.contains(&m)
    }
}

impl Layman {
    fn list<G: Game>(&self, pos: &G, are_captures: bool, moves: &mut ScoredMoves) {
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        for m in legal {
            let gain = self.gain(&(), pos, m);
            if (0 < gain) == are_captures {
                moves.push(m, gain);
            }
        }
    }
}

/// A table so small that entries are displaced, and each part of the rest on and off.
fn sound_options() -> [PvsOptions; 4] {
    let all = PvsOptions { table_bytes: 1 << 12, ..PvsOptions::SOUND };
    [
        all,
        PvsOptions { table_bytes: 0, ..all },
        PvsOptions { killers: false, ..all },
        PvsOptions { history: false, ..all },
    ]
}

fn layman<G: Game>(options: PvsOptions) -> Pvs<G, Layman> {
    Pvs::new(Layman, options)
}

fn check_values<G: Game>(size: u8, max_moves: usize) {
    let mut champions = sound_options().map(layman::<G>);
    let positions = random_positions::<G>(size, 300, 11);
    let affordable = positions.iter().filter(|pos| pos.n_legal_moves() <= max_moves);
    for (idx, pos) in affordable.take(25).enumerate() {
        let plies = if idx < 5 { 3 } else { 2 };
        let record = record_at(pos);
        let value = plain_value::<G>(&mut record.clone(), plies, 0);
        for champion in &mut champions {
            assert_eq!(choose(champion, &record, depth(plies)).score, Some(value), "at {pos}");
        }
    }
}

#[test]
fn sound_parts_leave_the_value_of_the_whole_tree() {
    check_values::<Infexion>(7, 40);
    check_values::<Tetress>(11, 30);
    check_values::<Cachex<u64>>(5, 18);
}

#[test]
fn the_turn_limit_is_seen_through_the_table() {
    let mut champion = layman::<Infexion>(PvsOptions::SOUND);
    let positions = random_positions::<Infexion>(7, 300, 2);
    for pos in positions.iter().filter(|pos| 10 < pos.ply() && pos.n_legal_moves() <= 40).take(6) {
        let limit = pos.turn_limit();
        let last = if (limit - pos.ply()).is_multiple_of(2) { limit } else { limit - 1 };
        choose(&mut champion, &record_at(pos), depth(4));
        for (ply, plies) in [(last - 4, 2), (last - 2, 3)] {
            let record = record_at(&at_ply(pos, ply));
            let value = plain_value::<Infexion>(&mut record.clone(), plies, 0);
            assert_eq!(choose(&mut champion, &record, depth(plies)).score, Some(value), "at {pos}");
        }
    }
}

#[test]
fn the_seventh_time_of_a_board_is_seen() {
    let cycle = ["2-3", "1-3", "0-3", "2-1", "1-2", "0-2"].into_iter().cycle();
    let mut champion = layman::<Cachex<u64>>(PvsOptions::SOUND);
    for n_plies in [5, 33, 34, 35, 10] {
        let start = Some(".bbr/.rr./r.b./..b. r 8");
        let record = Record::read("cachex:4", start, cycle.clone().take(n_plies)).expect("a cycle");
        let value = plain_value::<Cachex<u64>>(&mut record.clone(), 3, 0);
        assert_eq!(choose(&mut champion, &record, depth(3)).score, Some(value), "after {n_plies} plies");
    }
}

fn reach() -> Reach {
    Reach::default()
}

/// The champion as it plays.
fn champion() -> Pvs<Infexion, Reach> {
    let settings = Settings::read(OPTIONS, "table=1").expect("options");
    Pvs::new(reach(), PvsOptions::read(&settings))
}

#[test]
fn fixed_nodes_or_plies_repeat_exactly() {
    for pos in random_positions::<Infexion>(7, 8, 3) {
        let record = record_at(&pos);
        for limits in [nodes(3000), depth(5)] {
            let [first, second] = [(); 2].map(|()| choose(&mut champion(), &record, limits));
            assert_eq!((first.score, &first.line), (second.score, &second.line), "at {pos}");
            assert_eq!(first.stats.nodes, second.stats.nodes);
            assert!(limits.nodes.is_none_or(|most| first.stats.nodes <= most));
            assert!(limits.depth.is_none_or(|most| first.stats.depth() <= most));
        }
    }
}

#[test]
fn no_time_or_patience_still_gives_a_legal_move() {
    for pos in random_positions::<Infexion>(7, 8, 4) {
        let record = record_at(&pos);
        let short = [
            Limits { move_time: Some(Duration::ZERO), ..Limits::default() },
            Limits { clock: Some(Duration::ZERO), ..Limits::default() },
            Limits { clock: Some(Duration::from_millis(1)), ..Limits::default() },
            nodes(1),
        ];
        for limits in short {
            choose(&mut champion(), &record, limits);
        }
        let mut n_left = 3;
        let mut watch = |_: &yarra_engine::Progress<'_>| {
            n_left -= 1;
            if n_left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let choice = champion().choose(&record, depth(48), &mut watch).expect("a search never fails");
        check_line(&record, &choice);
    }
}

fn value_after(record: &Record, m: Move, plies: u32) -> Score {
    let mut next = record.clone();
    next.play(m);
    -plain_value::<Infexion>(&mut next, plies, 1)
}

#[test]
fn lines_begin_with_the_best_moves_of_the_whole_tree() {
    for pos in random_positions::<Infexion>(7, 8, 6) {
        let record = record_at(&pos);
        let lines =
            layman::<Infexion>(PvsOptions::SOUND).lines(&record, 3, depth(2), &mut unwatched).expect("lines");
        let mut values: Vec<Score> =
            record.legal_moves().iter().map(|&m| value_after(&record, m, 1)).collect();
        values.sort_by_key(|&score| -score);
        values.truncate(3);
        assert_eq!(lines.iter().filter_map(|line| line.score).collect::<Vec<_>>(), values, "at {pos}");
        for line in &lines {
            check_line(&record, line);
            assert_eq!(lines.iter().filter(|other| other.mv == line.mv).count(), 1);
        }
    }
}

#[test]
fn there_are_no_more_lines_than_moves() {
    let pos = Infexion::read("r1b1...../......./......./......./......./......./....... r 340")
        .expect("a position");
    let record = record_at(&pos);
    let n_moves = record.legal_moves().len();
    let lines = champion().lines(&record, 1000, depth(1), &mut unwatched).expect("lines");
    assert_eq!(lines.len(), n_moves);
}

#[test]
fn threads_share_the_work() {
    for pos in random_positions::<Infexion>(7, 4, 8) {
        let record = record_at(&pos);
        let value = plain_value::<Infexion>(&mut record.clone(), 2, 0);
        let mut champion = layman::<Infexion>(PvsOptions { threads: 3, ..PvsOptions::SOUND });
        let choice = choose(&mut champion, &record, depth(2));
        assert_eq!(choice.score, Some(value), "at {pos}");
        assert!(
            choose(&mut champion, &record, nodes(1000)).stats.nodes < 1_000_000,
            "all stop with the first"
        );
    }
}

#[test]
fn a_second_lasts_for_a_game_against_chance() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut record = Record::new(Infexion::start(7).expect("the only size").boxed());
    let (mut agent, mut left) = (champion(), Duration::from_secs(1));
    while record.outcome().is_none() {
        let m = if record.now().ply().is_multiple_of(2) {
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
    assert_eq!(record.outcome().and_then(|outcome| outcome.winner), Some(yarra_games::Player::Red));
}

/// A position's value, as the sum of its terms too.
fn value_of(pos: &Infexion) -> Score {
    let value = reach().value(&reach().root(pos), pos);
    // Rounded in the view of the player to move, or in red's.
    assert!((value.0 - sum_of(&reach().terms(pos), pos.turn()).0).abs() <= 1, "at {pos}");
    value
}

#[test]
fn a_position_is_judged_alike_from_all_sides() {
    for pos in random_positions::<Infexion>(7, 12, 6) {
        let value = value_of(&pos);
        for symmetry in 0..pos.n_symmetries() {
            assert_eq!(value_of(&pos.image(symmetry)), value, "symmetry {symmetry} of {pos}");
        }
        // The other color in the same place: every stack changes its letter, and so does the side to move.
        let swapped: String = pos
            .to_string()
            .chars()
            .map(|letter| match letter {
                'r' => 'b',
                'b' => 'r',
                other => other,
            })
            .collect();
        let (board, ply) = swapped.rsplit_once(' ').expect("the ply comes last");
        let ply: u16 = ply.parse().expect("a number");
        let swapped =
            Infexion::read(&format!("{board} {}", ply + 1)).expect("the same board in other colors");
        assert_eq!(value_of(&swapped), value, "{pos} and {swapped}");
    }
}

#[test]
fn captures_and_quiet_moves_are_all_legal_moves_once() {
    for pos in random_positions::<Infexion>(7, 200, 8) {
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        let mut moves = ScoredMoves::default();
        reach().captures(&reach().root(&pos), &pos, &mut moves);
        let n_captures = moves.len();
        reach().quiets(&mut reach().root(&pos), &pos, &mut moves);
        let mut listed: Vec<Move> = (0..moves.len()).map(|idx| moves.get(idx).0).collect();
        listed.sort();
        assert_eq!(listed, legal, "at {pos}");
        let takes = |m: &&Move| pos.reach(**m) & pos.sides()[1] != 0;
        assert_eq!(n_captures, legal.iter().filter(takes).count(), "at {pos}");
        for m in (0..Infexion::MOVES as u16).map(Move) {
            assert_eq!(reach().is_legal(&pos, m), legal.contains(&m), "{m:?} at {pos}");
        }
        for &m in legal.iter().filter(takes) {
            let lead = |of: &Infexion, player| of.power_of(player) as i32;
            let (us, them, after) = (pos.turn(), pos.turn().opponent(), pos.after(m));
            let before = lead(&pos, us) - lead(&pos, them);
            assert_eq!(
                reach().gain(&reach().root(&pos), &pos, m),
                100 * (lead(&after, us) - lead(&after, them) - before)
            );
        }
    }
}

/// The features of stacks, given by their indexes, then all others.
fn features_of(stacks: &[usize], others: [i32; 4]) -> [i32; N_FEATURES] {
    let mut features = [0; N_FEATURES];
    stacks.iter().for_each(|&idx| features[idx] += 1);
    features[N_FEATURES - 4..].copy_from_slice(&others);
    features
}

#[track_caller]
fn check_features(text: &str, moving: [i32; N_FEATURES], waiting: [i32; N_FEATURES]) {
    let pos = Infexion::read(text).expect("a position");
    assert_eq!(features(&pos, reach().root(&pos).reached), [moving, waiting], "{text}");
    let worth = |weights: [i32; N_FEATURES], features: [i32; N_FEATURES]| -> i32 {
        weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    };
    let fine = FITTED.turn + worth(FITTED.moving, moving) - worth(FITTED.waiting, waiting);
    let value = (fine + FINE / 2).div_euclid(FINE);
    assert_eq!(value_of(&pos), Score(value));
}

#[test]
fn features_are_what_one_counts_by_hand() {
    // Red's single next to blue's: each attacks the other and defends nothing. Two neighbors have two
    // neighbors in common, and each is next to the other.
    let single = features_of(&[3], [0, 6, 0, 4]);
    check_features("......./......./......./..r1b1.../......./......./....... r 2", single, single);
    // Red's three on 3-0 reaches 18 cells, the single on 3-3 among them; the single reaches six, of which 3-2 and
    // 3-4 are the three's too. Blue's six neighbors of 6-1 share 0-0 and 6-0 with the three. Nobody is attacked.
    check_features(
        "......./......./......./r3..r1.../......./......./.b1..... b 5",
        features_of(&[0], [0, 6, 0, 4]),
        features_of(&[1, 8], [0, 22, 2, 20]),
    );
    // Blue's two reaches both red singles, which defend each other; the one next to it attacks it.
    check_features(
        "......./......./......./..b2r1r1../......./......./....... b 3",
        features_of(&[7], [0, 12, 0, 8]),
        features_of(&[2, 2], [0, 10, 2, 6]),
    );
}

#[test]
fn weights_by_hand_say_what_seemed_right_first() {
    // A three that red can take: of 300 for its power and 15 for itself, 15 and 60 a point are lost. Red's single
    // beside it loses 10 and 20 of its 115. Reach is worth 3 a cell, the turn 60.
    let pos =
        Infexion::read("......./......./......./..r1b3.../......./......./....... r 2").expect("a position");
    let by_hand = Reach::new(HAND);
    let value = by_hand.value(&by_hand.root(&pos), &pos);
    assert_eq!(value, Score(60 + (115 - 30 + 3 * 6) - (315 - 195 + 3 * 18)));
}
