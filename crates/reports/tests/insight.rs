//! Report 002: each term of the evaluation, and each rule by which its agents choose a depth.

use std::time::Duration;

use yarra_engine::agent::unwatched;
use yarra_engine::eval::{Judge, sum_of};
use yarra_engine::{Agent, AgentInfo, Choice, Iteration, Limits, Score};
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Outcome, Player, Position, Reason, Record, start};
use yarra_reports::insight::{AGENTS, Depths, Evaluation, Patience};

fn info(name: &str) -> &'static AgentInfo {
    AGENTS.iter().find(|info| info.name == name).unwrap()
}

fn agent(name: &str, options: &str) -> Box<dyn Agent> {
    info(name).make(&*start("tetress").unwrap(), options, 1).unwrap()
}

fn choose(agent: &mut dyn Agent, game: &Record, limits: Limits) -> Choice {
    agent.choose(game, limits, &mut unwatched).unwrap()
}

const EMPTY: &str = "...........";

/// A board whose first rows are given and whose others are empty.
fn board(rows: &[&str], turn_and_ply: &str) -> Tetress {
    let rows: Vec<&str> = (0..11).map(|idx| rows.get(idx).copied().unwrap_or(EMPTY)).collect();
    Tetress::read(&format!("{} {turn_and_ply}", rows.join("/"))).unwrap()
}

#[test]
fn lines_of_six_or_more_own_tokens_are_at_risk() {
    let column = ["r.........b"; 6];
    let table: [(&[&str], [u32; 2], f64); 6] = [
        (&[], [0, 0], 0.0),
        (&["rrrrr......"], [0, 0], 5.0),
        (&["rrrrrr....."], [1, 0], 6.0 - 1.0),
        (&["r.r.r.r.r.r", "bbbbbbb....", "..bbbbbbb.."], [1, 2], 6.0 - 14.0 - (1.0 - 2.0)),
        (&column, [1, 1], 0.0),
        (
            &["rrrrrr....b", "r..........", "r..........", "r..........", "r..........", "r.........."],
            [2, 0],
            8.0,
        ),
    ];
    for (rows, lines, red_value) in table {
        for turn_and_ply in ["r 20", "b 21"] {
            let pos = board(rows, turn_and_ply);
            let evaluation = Evaluation::default();
            assert_eq!(evaluation.lines_at_risk(&pos), lines, "{pos}");
            let sign = if pos.turn() == Player::Red { 1.0 } else { -1.0 };
            assert_eq!(sign * evaluation.value(&pos).units(), red_value, "{pos}");
        }
    }
}

#[test]
fn counting_all_lines_at_once_agrees_with_counting_one_by_one() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..30 {
        let mut pos = Tetress::start(11).unwrap();
        while let Some(m) = pos.random_move(&mut rng) {
            pos.play(m);
            let cells = pos.cells();
            let n_in = |player, line: &dyn Fn(usize) -> usize| {
                (0..11).filter(|&idx| cells[line(idx)].owner == Some(player)).count() as u32
            };
            let slow = |player, risk| {
                let rows = (0..11).filter(|row| risk <= n_in(player, &|idx| 11 * row + idx)).count();
                let cols = (0..11).filter(|col| risk <= n_in(player, &|idx| 11 * idx + col)).count();
                (rows + cols) as u32
            };
            for risk in [1, 3, 4, 5, 6, 7, 11] {
                let evaluation = Evaluation { risk, ..Evaluation::default() };
                assert_eq!(evaluation.lines_at_risk(&pos), Player::BOTH.map(|player| slow(player, risk)));
                assert_eq!(evaluation.value(&pos), sum_of(&evaluation.terms(&pos), pos.turn()));
            }
        }
    }
}

#[test]
fn every_win_is_worth_the_same() {
    let table = [
        ("r 20", Some(Player::Red), 999.0),
        ("r 20", Some(Player::Blue), -999.0),
        ("b 21", Some(Player::Blue), 999.0),
        ("b 21", Some(Player::Red), -999.0),
        ("b 21", None, 0.0),
    ];
    for (turn_and_ply, winner, expected) in table {
        let pos = board(&[], turn_and_ply);
        let outcome = Outcome { winner, reason: Reason::NoLegalMove };
        for n_plies in [1, 9] {
            let score = Evaluation::default().ended(&pos, outcome, n_plies);
            assert_eq!(score, Score::from_units(expected));
            assert_eq!(score.plies_to_end(), None);
        }
    }
}

#[test]
fn above_two_hundred_moves_one_ply_is_enough() {
    let half_a_second = Some(Duration::from_millis(500));
    let table = [
        (2299, 1, false, None),
        (201, 1, false, None),
        (200, 64, true, half_a_second),
        (1, 64, true, half_a_second),
    ];
    for (n_moves, depth, is_deepening, soft_time) in table {
        let plan = Patience::default().plan(n_moves);
        assert_eq!((plan.depth, plan.is_deepening, plan.soft_time), (depth, is_deepening, soft_time));
        assert_eq!(plan.hard_time, None, "a depth that has begun is finished");
    }
}

#[test]
fn no_depth_begins_after_half_a_second() {
    let plan = Patience::default().plan(100);
    for (ms, expected) in [(1, false), (499, false), (500, true), (4000, true)] {
        let last = Iteration {
            depth: 3,
            score: Score::from_units(2.0),
            line: Vec::new(),
            nodes: 1,
            elapsed: Duration::from_millis(ms),
        };
        assert_eq!(plan.is_enough(&[last]), expected, "{ms} ms");
    }
}

#[test]
fn the_fixed_depth_follows_from_the_number_of_moves() {
    for (n_moves, depth) in [(2299, 1), (200, 1), (199, 2), (80, 2), (79, 3), (2, 3), (1, 4)] {
        let plan = Depths::default().plan(n_moves);
        assert_eq!((plan.depth, plan.is_deepening), (depth, false), "{n_moves} moves");
    }
}

/// A board with few moves for red: all others touch nothing of red's.
fn tight_game() -> Record {
    let rows = [
        "rrrr.bbbbbb",
        "b....bbbbbb",
        "bbbbb.bbbbb",
        "bbbbbbbbbb.",
        "bbbbbbbbb.b",
        "bbbbbbbb.bb",
        "bbbbbbb.bbb",
        "bbbbbb.bbbb",
        ".bbbbbbbbbb",
        "b.bbbbbbbbb",
        "bb.........",
    ];
    Record::new(board(&rows, "r 40").boxed())
}

#[test]
fn the_agents_look_as_deep_as_the_moves_allow() {
    let opening = Record::new(start("tetress").unwrap());
    let tight = tight_game();
    assert!((2..=40).contains(&tight.now().n_legal_moves()), "{}", tight.now().n_legal_moves());
    let table = [
        ("insight", "", &opening, 1),
        ("insight", "depth=2", &tight, 2),
        ("insight", "many=1", &tight, 1),
        ("insight-greedy", "", &tight, 1),
        ("insight-fixed", "", &opening, 1),
        ("insight-fixed", "", &tight, 3),
        ("insight-fixed", "some=1", &tight, 2),
    ];
    for (name, options, game, depth) in table {
        let choice = choose(&mut *agent(name, options), game, Limits::default());
        assert_eq!(choice.stats.depth(), depth, "{name}:{options} at {}", game.now());
    }
}

#[test]
fn moves_of_explored_positions_are_not_listed_twice() {
    let n_hits =
        |options| choose(&mut *agent("insight", options), &tight_game(), Limits::default()).stats.cache_hits;
    assert_eq!(n_hits("depth=3,lists=0"), 0);
    assert!(0 < n_hits("depth=3"));
}

#[test]
fn the_dropped_ordering_does_not_change_the_score() {
    let score = |options| choose(&mut *agent("insight", options), &tight_game(), Limits::default()).score;
    assert_eq!(score("depth=3"), score("depth=3,order=previous"));
}

#[test]
fn without_ordering_a_depth_is_searched_as_if_there_were_none_before_it() {
    let deepening = choose(&mut *agent("insight", "depth=3"), &tight_game(), Limits::default());
    for iteration in &deepening.stats.iterations {
        let options = format!("few=0,deep={}", iteration.depth);
        let alone = choose(&mut *agent("insight-fixed", &options), &tight_game(), Limits::default());
        assert_eq!(iteration.nodes, alone.stats.nodes, "depth {}", iteration.depth);
        assert_eq!((Some(iteration.score), &iteration.line), (alone.score, &alone.line));
    }
}

#[test]
fn the_hybrid_plays_out_where_there_are_few_moves() {
    let n_moves = tight_game().now().n_legal_moves();
    for (threshold, n_playouts) in [(n_moves - 1, 0), (n_moves, 5), (n_moves + 1, 5)] {
        let options = format!("threshold={threshold},playouts=5,depth=1");
        let choice = choose(&mut *agent("insight-hybrid", &options), &tight_game(), Limits::default());
        assert_eq!(choice.stats.playouts, n_playouts, "{threshold} of {n_moves}");
    }
}

#[test]
fn a_wrong_game_or_value_is_explained() {
    let make = |name, game: &str, options: &str| {
        info(name).make(&*start(game).unwrap(), options, 1).err().unwrap().to_string()
    };
    let table = [
        ("insight", "infexion", "", "insight plays tetress, not infexion"),
        ("insight-hybrid", "hex", "", "insight-hybrid plays tetress, not hex:11"),
        ("insight", "tetress", "risk=12", "risk=12: expected a number of tokens from 1 to 11"),
        ("insight", "tetress", "order=on", "order=on: expected off or previous"),
    ];
    for (name, game, options, expected) in table {
        assert_eq!(make(name, game, options), expected);
    }
}
