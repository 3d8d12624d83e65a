//! Report 001: each component of the heuristic, and each rule that ends a search.

use std::time::Duration;

use yarra_engine::agent::unwatched;
use yarra_engine::alphabeta::Plan;
use yarra_engine::eval::{Judge, sum_of};
use yarra_engine::{Agent, Choice, Iteration, Limits, Score};
use yarra_games::infexion::{Direction, Infexion};
use yarra_games::{Cell, Game, Player, Position, Record, start};
use yarra_reports::psotip::{AGENTS, Components, Heuristic, Opening, Timing};

fn at(text: &str) -> Infexion {
    Infexion::read(text).unwrap()
}

fn agent(options: &str) -> Box<dyn Agent> {
    AGENTS[0].make(&*start("infexion").unwrap(), options, 1).unwrap()
}

fn choose(agent: &mut dyn Agent, game: &Record, limits: Limits) -> Choice {
    agent.choose(game, limits, &mut unwatched).unwrap()
}

/// Red's value in units with the report's weights, and what it is made of.
#[track_caller]
fn check(position: &str, components: Components, value: f64) {
    let pos = at(position);
    assert_eq!(Heuristic::default().components(&pos), components);
    let for_red = |score: Score| if pos.turn() == Player::Red { score.units() } else { -score.units() };
    assert_eq!(for_red(Heuristic::default().value(&pos)), value);
}

#[test]
fn tokens_beside_each_other_defend_each_other() {
    check(
        "b1....../......./......./...r1r1../......./......./....... b 3",
        Components { power: [2, 1], defenders: [2, 0], attackers: [0, 0], unprotected: [0, 1] },
        0.5 * 2.0 + 2.0,
    );
}

#[test]
fn a_higher_stack_attacks_from_farther_away() {
    check(
        "......./......./......./...r2.b1./......./......./....... r 2",
        Components { power: [2, 1], defenders: [0, 0], attackers: [1, 0], unprotected: [2, 1] },
        0.5,
    );
}

#[test]
fn a_cell_that_is_reached_both_ways_round_counts_once() {
    check(
        "r4...r1../......./.b1...../......./......./......./....... r 6",
        Components { power: [5, 1], defenders: [1, 0], attackers: [0, 0], unprotected: [4, 1] },
        0.5 + 1.0,
    );
}

#[test]
fn as_many_defenders_as_attackers_are_not_enough() {
    let position = "......./......./......./..b1r1r1../......./......./....... b 3";
    let components = Components { power: [2, 1], defenders: [2, 0], attackers: [1, 1], unprotected: [1, 1] };
    check(position, components, 0.5 * 2.0 + 1.0);
    let content = Heuristic { sufficient: 0, ..Heuristic::default() };
    assert_eq!(content.components(&at(position)).unprotected, [0, 1]);
}

/// The pseudocode of the report, word by word.
fn by_pseudocode(pos: &Infexion) -> Score {
    let cells: Vec<Cell> = pos.cells();
    let mut protection = [0; 49];
    let (mut defenders, mut attackers) = ([0; 2], [0; 2]);
    for (idx, this) in cells.iter().enumerate().filter(|(_, cell)| 0 < cell.power) {
        let mut reachable = Vec::new();
        for (dr, dq) in Direction::ALL.map(Direction::vector) {
            for n in 1..=this.power as i8 {
                let row = (this.row as i8 + dr * n).rem_euclid(7);
                let col = (this.col as i8 + dq * n).rem_euclid(7);
                reachable.push(row as usize * 7 + col as usize);
            }
        }
        reachable.sort_unstable();
        reachable.dedup();
        assert!(!reachable.contains(&idx));
        for other in reachable {
            let team = this.owner.unwrap() as usize;
            if cells[other].owner == this.owner {
                defenders[team] += 1;
                protection[other] += 1;
            } else if cells[other].owner.is_some() {
                attackers[team] += 1;
                protection[other] -= 1;
            }
        }
    }
    let mut effective_power = [0; 2];
    for (idx, cell) in cells.iter().enumerate().filter(|(_, cell)| 0 < cell.power) {
        if 0 < protection[idx] {
            effective_power[cell.owner.unwrap() as usize] += i32::from(cell.power);
        }
    }
    let diff = |[red, blue]: [i32; 2]| f64::from(red - blue);
    let red_score = Score::from_units(0.5 * diff(defenders) + 0.5 * diff(attackers) + diff(effective_power));
    if pos.turn() == Player::Red { red_score } else { -red_score }
}

#[test]
fn the_heuristic_follows_the_pseudocode_and_is_the_sum_of_its_terms() {
    let mut rng = fastrand::Rng::with_seed(1);
    let odd_weights = Heuristic { defenders: 33, attackers: -7, sufficient: 2 };
    for _ in 0..50 {
        let mut pos = Infexion::start(7).unwrap();
        while let Some(m) = pos.random_move(&mut rng) {
            pos.play(m);
            assert_eq!(Heuristic::default().value(&pos), by_pseudocode(&pos), "{pos}");
            for heuristic in [Heuristic::default(), odd_weights] {
                let sum = sum_of(&heuristic.terms(&pos), pos.turn());
                assert_eq!(heuristic.value(&pos), sum, "{pos}");
            }
        }
    }
}

const AFTER_START: &str = "......./......./......./......./......./......./....... r 0";

fn iterations(scores_and_times: &[(f64, u64)]) -> Vec<Iteration> {
    let iteration = |(idx, &(units, ms)): (usize, &(f64, u64))| Iteration {
        depth: idx as u32 + 1,
        score: Score::from_units(units),
        line: Vec::new(),
        nodes: 1,
        elapsed: Duration::from_millis(ms),
    };
    scores_and_times.iter().enumerate().map(iteration).collect()
}

fn is_enough(plan: &Plan, scores_and_times: &[(f64, u64)]) -> bool {
    plan.is_enough(&iterations(scores_and_times))
}

#[test]
fn two_scores_within_a_tenth_of_each_other_end_the_search() {
    let plan = Timing::default().plan(&at(AFTER_START), Limits::default());
    let table = [
        (10.0, 11.0, true),
        (10.0, 11.2, false),
        (-10.0, -9.0, true),
        (-10.0, -8.9, false),
        (-5.0, 5.0, false),
        // Around nothing, a tenth of one unit.
        (0.0, 0.1, true),
        (0.0, 0.11, false),
    ];
    for (before, last, expected) in table {
        assert_eq!(is_enough(&plan, &[(before, 1), (last, 2)]), expected, "{before} then {last}");
    }
    assert!(!is_enough(&plan, &[(3.0, 1)]), "one iteration alone");
    let never = Timing { settled: -1.0, ..Timing::default() };
    assert!(!is_enough(&never.plan(&at(AFTER_START), Limits::default()), &[(3.0, 1), (3.0, 2)]));
}

#[test]
fn an_iteration_of_more_than_half_the_time_is_the_last() {
    // 172 turns share the clock: a second for this one.
    let limits = Limits { clock: Some(Duration::from_secs(172)), ..Limits::default() };
    let plan = Timing::default().plan(&at(AFTER_START), limits);
    assert_eq!(plan.longest_iteration, Some(Duration::from_millis(500)));
    let table: [(&[u64], bool); 5] =
        [(&[500], false), (&[501], true), (&[100, 600], false), (&[100, 601], true), (&[300, 700], false)];
    for (times, expected) in table {
        let far_apart: Vec<_> = times.iter().enumerate().map(|(idx, &ms)| (50.0 * idx as f64, ms)).collect();
        assert_eq!(is_enough(&plan, &far_apart), expected, "{times:?}");
    }
}

#[test]
fn the_time_left_is_shared_by_all_own_turns_that_may_come() {
    let board = "......./......./......./...r1b1../......./......./.......";
    let (ms, s) = (Duration::from_millis, Duration::from_secs);
    let table = [
        ("r 0", Some(s(172)), None, Some(s(1))),
        ("b 1", Some(s(171)), None, Some(s(1))),
        ("r 2", Some(s(171)), None, Some(s(1))),
        ("r 300", Some(s(11)), None, Some(ms(500))),
        ("r 342", Some(s(3)), None, Some(s(3))),
        ("r 2", None, Some(ms(20)), Some(ms(20))),
        ("r 2", Some(s(171)), Some(ms(20)), Some(ms(20))),
        ("r 2", Some(s(171)), Some(s(20)), Some(s(1))),
        ("r 2", None, None, None),
    ];
    for (turn, clock, move_time, expected) in table {
        let limits = Limits { clock, move_time, ..Limits::default() };
        let plan = Timing::default().plan(&at(&format!("{board} {turn}")), limits);
        assert_eq!(plan.hard_time, expected, "{turn} {limits:?}");
        assert!(plan.is_deepening && plan.drops_unfinished);
    }
}

#[test]
fn the_first_move_is_fixed() {
    let with_center = "......./......./......./...r1.../......./......./....... b 1";
    let with_another = "......./......./......./....r1../......./......./....... b 1";
    let later = "......./......./......./...r1b1../......./......./....... r 2";
    let table = [
        (Opening::First, AFTER_START, Some("3-3")),
        (Opening::First, with_center, Some("3-4")),
        (Opening::First, with_another, Some("3-3")),
        (Opening::First, later, None),
        (Opening::Off, AFTER_START, None),
        (Opening::Triangle, AFTER_START, Some("3-3")),
    ];
    for (opening, position, expected) in table {
        let pos = at(position);
        let reply = opening.reply(&pos).map(|m| pos.show_move(m));
        assert_eq!(reply.as_deref(), expected, "{opening:?} at {position}");
    }
    let game = Record::read("infexion", None, ["3-3"]).unwrap();
    let choice = choose(&mut *agent(""), &game, Limits::default());
    assert_eq!(game.now().show_move(choice.mv), "3-4");
}

#[test]
fn the_triangle_keeps_away_from_the_enemy() {
    let table = [
        // The first free cell beside the one token that is not beside the enemy.
        ("b1....../......./......./...r1.../......./......./....... r 2", Some("2-3")),
        ("......./...b1.../......./...r1.../......./......./....... r 2", Some("2-4")),
        // The two cells beside both tokens are 2-4 and 4-3.
        ("b1b1...../......./......./...r1r1../......./......./....... r 4", Some("2-4")),
        ("b1....../......./....b1../...r1r1../......./......./....... r 4", Some("4-3")),
        // A token was lost, the triangle stands, or nothing is safe.
        ("b1b1...../......./......./...r1.../......./......./....... r 4", None),
        ("b1b1b1..../......./....r1../...r1r1../......./......./....... r 6", None),
        ("......./......./....b1../...r1r1../...b1.../......./....... r 4", None),
    ];
    for (position, expected) in table {
        let pos = at(position);
        let reply = Opening::Triangle.reply(&pos).map(|m| pos.show_move(m));
        assert_eq!(reply.as_deref(), expected, "{position}");
    }
}

#[test]
fn a_tree_that_is_reused_saves_making_moves() {
    let n_hits = |reuse: &str| {
        let mut agent = agent(&format!("reuse={reuse},settled=-1,tree=1"));
        let mut game = Record::read("infexion", None, ["3-3", "0-0"]).unwrap();
        let to = |depth| Limits { depth: Some(depth), nodes: Some(10_000_000), ..Limits::default() };
        let line = choose(&mut *agent, &game, to(4)).line;
        game.play(line[0]);
        game.play(line[1]);
        // The replies to the next move were looked at four plies deep before.
        choose(&mut *agent, &game, to(2)).stats.cache_hits
    };
    assert_eq!(n_hits("off"), 0);
    assert!(0 < n_hits("on"));
}

#[test]
fn sorting_by_the_iteration_before_changes_the_effort_but_not_the_score() {
    let game = Record::read("infexion", None, ["3-3", "0-0", "3-4", "0-1", "2-4", "1-0"]).unwrap();
    let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
    let search = |options: &str| choose(&mut *agent(options), &game, limits);
    let sorted = search("settled=-1,depth=3,tree=8");
    // Without a tree nothing is remembered to sort by.
    let unsorted = search("settled=-1,depth=3,tree=0");
    let merged = search("settled=-1,depth=3,tree=8,transpositions=on");
    assert_eq!(sorted.score, unsorted.score);
    assert_eq!(sorted.score, merged.score);
    assert!(sorted.stats.nodes < unsorted.stats.nodes);
    assert!(merged.stats.nodes <= sorted.stats.nodes);
}

#[test]
fn under_a_fixed_depth_it_keeps_no_clock_of_its_own() {
    let game = Record::read("infexion", None, ["3-3", "0-0"]).unwrap();
    let limits = Limits { depth: Some(3), ..Limits::default() };
    assert_eq!(choose(&mut *agent("settled=-1,tree=1,game=1us"), &game, limits).stats.depth(), 3);
}

#[test]
fn a_depth_that_was_cut_off_counts_for_nothing() {
    let game = Record::read("infexion", None, ["3-3", "0-0", "3-4", "0-1", "2-4", "1-0"]).unwrap();
    let search = |options: &str, nodes| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        choose(&mut *agent(options), &game, limits)
    };
    let shallow = search("settled=-1,depth=2", 1_000_000);
    let cut = search("settled=-1,depth=3", shallow.stats.nodes + 300);
    assert_eq!(cut.stats.depth(), 2);
    assert_eq!((cut.mv, cut.score), (shallow.mv, shallow.score));
}

#[test]
fn a_wrong_game_or_value_is_explained() {
    let make = |game: &str, options: &str| {
        AGENTS[0].make(&*start(game).unwrap(), options, 1).err().unwrap().to_string()
    };
    let table = [
        ("tetress", "", "psotip plays infexion, not tetress"),
        ("infexion", "opening=square", "opening=square: expected one of first, triangle, off"),
        ("infexion", "skip=-1", "skip=-1: expected a share from 0 to 1"),
        ("infexion", "defenders=nan", "defenders=nan: expected a weight from -1000 to 1000"),
        ("infexion", "game=180", "game=180: expected a time like `100ms`, `2s` or `3m`"),
    ];
    for (game, options, expected) in table {
        assert_eq!(make(game, options), expected);
    }
}
