//! Report 003: what it says, at positions worked out by hand.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use yarra_engine::agent::unwatched;
use yarra_engine::eval::{Judge, sum_of};
use yarra_engine::simple::Random;
use yarra_engine::{Agent, Choice, Limits, Score};
use yarra_games::cachex::{Bits, Cachex, Rhombus, U256};
use yarra_games::{Game, Player, Position, Record, start};
use yarra_reports::judges::judges;
use yarra_reports::tbd::{AGENTS, Cells, Paths, Schedule, distance, distance_by_pairs};

fn make(name: &str, options: &str, pos: &dyn Position, seed: u64) -> Result<Box<dyn Agent>, String> {
    let info = AGENTS.iter().find(|info| info.name == name).expect("an agent of the report");
    info.make(pos, options, seed).map_err(|error| error.to_string())
}

fn choose(name: &str, options: &str, record: &Record, seed: u64) -> Choice {
    let mut agent = make(name, options, record.now(), seed).expect("a right spec");
    agent.choose(record, Limits::default(), &mut unwatched).expect("it plays this game")
}

fn chosen(name: &str, options: &str, record: &Record, seed: u64) -> String {
    record.now().show_move(choose(name, options, record, seed).mv)
}

fn at(spec: &str, position: &str) -> Record {
    Record::read(spec, Some(position), []).expect("a position")
}

#[track_caller]
fn check_distances(position: &str, red: u32, blue: u32) {
    let pos = Cachex::<u64>::read(position).expect("a position");
    assert_eq!(Player::BOTH.map(|player| distance(&pos, player)), [red, blue], "{position}");
}

#[test]
fn distances_count_the_cells_still_to_fill() {
    check_distances("...../...../...../...../..... r 0", 5, 5);
    // The report's example: three of red's five cells stand already.
    check_distances("...../..r../..r../..r../..... r 6", 2, 5);
    check_distances("...../..r../..r../..r../....b b 7", 2, 4);
    // Red goes round the end of blue's wall.
    check_distances("...../...../bbbb./...../..... r 4", 5, 1);
    check_distances("...r/..r./bbb./.... r 4", 3, 1);
    // A finished chain needs nothing more, and leaves no way.
    check_distances("r../bbb/... r 4", 9, 0);
}

#[test]
fn the_evaluation_is_the_difference_of_distances() {
    let value = |judge: &dyn Judge<Cachex<u64>>, position| {
        judge.value(&Cachex::<u64>::read(position).expect("a position")).units()
    };
    let paths = Paths::default();
    assert_eq!(value(&paths, "...../..r../..r../..r../..... r 6"), 3.0);
    assert_eq!(value(&paths, "...../..r../..r../..r../..... b 7"), -3.0);
    assert_eq!(value(&Paths { cells: 0.5, ..Paths::default() }, "...../..r../..r../..r../....b r 6"), 3.0);
    assert_eq!(value(&Cells, "...../..r../..r../..r../....b b 7"), -2.0);
}

/// Runs a check at random positions of one size, up to the end of games.
fn at_random_positions<B: Bits>(n: usize, mut check: impl FnMut(&Rhombus<B, true>)) {
    let mut rng = fastrand::Rng::with_seed(1);
    for size in B::MIN_SIZE..=B::MAX_SIZE {
        for _ in 0..n {
            let mut pos = Cachex::<B>::start(size).expect("a size of the type");
            for _ in 0..rng.usize(..usize::from(size) * usize::from(size)) {
                let Some(m) = pos.random_move(&mut rng) else { break };
                pos.play(m);
            }
            check(&pos);
        }
    }
}

/// A board as the report's program would hold it: what entering each cell costs a player.
struct Costs {
    size: i32,
    costs: Vec<Option<u32>>,
}

impl Costs {
    fn new(pos: &dyn Position, player: Player) -> Costs {
        let cells = pos.cells();
        let cost = |owner: Option<Player>| match owner {
            None => Some(1),
            Some(owner) => (owner == player).then_some(0),
        };
        let mut costs = Costs {
            size: cells.len().isqrt() as i32,
            costs: cells.iter().map(|cell| cost(cell.owner)).collect(),
        };
        if player == Player::Blue {
            // Blue's columns become rows, so that everybody goes from the first row to the last.
            let size = costs.size as usize;
            costs.costs = (0..size * size).map(|idx| costs.costs[idx % size * size + idx / size]).collect();
        }
        costs
    }

    fn neighbors(&self, cell: usize) -> impl Iterator<Item = usize> {
        let size = self.size;
        let (row, col) = (cell as i32 / size, cell as i32 % size);
        let steps = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)].into_iter();
        let cells = steps.map(move |(rows, cols)| (row + rows, col + cols));
        let on_board = move |&(row, col): &(i32, i32)| 0 <= row && row < size && 0 <= col && col < size;
        cells.filter(on_board).map(move |(row, col)| (row * size + col) as usize)
    }

    /// The cheapest way from some cells to others, by A* with what at least is still to pay.
    fn way(&self, starts: &[usize], goals: &[usize], to_pay: impl Fn(usize) -> u32) -> Option<u32> {
        let mut best = vec![u32::MAX; self.costs.len()];
        let mut queue = BinaryHeap::new();
        for &cell in starts {
            if let Some(cost) = self.costs[cell] {
                best[cell] = cost;
                queue.push(Reverse((cost + to_pay(cell), cost, cell)));
            }
        }
        while let Some(Reverse((_, paid, cell))) = queue.pop() {
            if goals.contains(&cell) {
                return Some(paid);
            }
            if best[cell] < paid {
                continue;
            }
            for next in self.neighbors(cell) {
                let Some(cost) = self.costs[next] else { continue };
                if paid + cost < best[next] {
                    best[next] = paid + cost;
                    queue.push(Reverse((paid + cost + to_pay(next), paid + cost, next)));
                }
            }
        }
        None
    }

    fn sides(&self) -> (Vec<usize>, Vec<usize>) {
        let size = self.size as usize;
        ((0..size).collect(), (size * (size - 1)..size * size).collect())
    }

    /// Dijkstra from a whole side.
    fn distance(&self) -> u32 {
        let (first, last) = self.sides();
        self.way(&first, &last, |_| 0).unwrap_or(self.costs.len() as u32)
    }
}

#[test]
fn one_sweep_finds_what_dijkstra_finds() {
    fn check<B: Bits>() {
        at_random_positions::<B>(40, |pos| {
            for player in Player::BOTH {
                assert_eq!(distance(pos, player), Costs::new(pos, player).distance(), "{player} at {pos}");
            }
        });
    }
    check::<u64>();
    check::<u128>();
    check::<U256>();
}

#[test]
fn one_sweep_finds_what_all_pairs_find() {
    fn check<B: Bits>() {
        at_random_positions::<B>(2, |pos| {
            for player in Player::BOTH {
                let pairs = distance_by_pairs(pos, player);
                assert_eq!(distance(pos, player), pairs, "{player} at {pos}");
            }
        });
    }
    check::<u64>();
    check::<u128>();
    check::<U256>();
}

#[test]
fn terms_add_up_to_the_value() {
    let named = judges::<Cachex<u128>>().iter().map(|info| (info.make)());
    let judges: Vec<Arc<dyn Judge<_>>> = named
        .chain([Arc::new(Paths { cells: 0.37, links: 0.2, center: -1.5, by_pairs: false }) as _])
        .collect();
    at_random_positions::<u128>(50, |pos| {
        for judge in &judges {
            assert_eq!(sum_of(&judge.terms(pos), pos.turn()), judge.value(pos), "at {pos}");
        }
    });
}

#[test]
fn judges_are_known_by_name() {
    let names: Vec<_> = judges::<Cachex<u64>>().iter().map(|info| info.name).collect();
    assert_eq!(names, ["tbd", "astar", "cells"]);
}

#[test]
fn the_depth_follows_size_and_turn() {
    let schedule = Schedule::default();
    let depths = |size, turns: [u16; 6]| turns.map(|n_turns| schedule.depth(size, n_turns));
    assert_eq!(depths(3, [0, 1, 2, 3, 4, 300]), [5; 6]);
    assert_eq!(depths(4, [0, 1, 2, 3, 4, 300]), [4; 6]);
    assert_eq!(depths(5, [0, 1, 2, 3, 4, 300]), [3; 6]);
    assert_eq!(depths(6, [0, 10, 11, 21, 22, 33]), [0, 0, 1, 1, 2, 3]);
    assert_eq!(depths(10, [0, 29, 30, 59, 60, 90]), [0, 0, 1, 1, 2, 3]);
    assert_eq!(depths(9, [24, 25, 48, 49, 73, 343]), [0, 1, 1, 2, 3, 3]);
}

#[test]
fn the_search_looks_as_deep_as_the_schedule_says() {
    let early = Record::read("cachex:4", None, []).expect("a start");
    assert_eq!(choose("tbd", "", &early, 1).stats.depth(), 4);
    let late = at("cachex:6", "r...../b...../....../....../....../...... r 12");
    assert_eq!(choose("tbd", "", &late, 1).stats.depth(), 1);
    assert_eq!(choose("tbd", "depth=2", &late, 1).stats.depth(), 2);
    assert_eq!(choose("tbd", "first=1", &late, 1).stats.depth(), 2);
    // At depth zero nothing is searched: greedy.
    let early = at("cachex:6", "r...../b...../....../....../....../...... r 2");
    assert_eq!(choose("tbd", "", &early, 1).stats.depth(), 0);
}

/// Red needs two more cells and blue one, which is among red's.
const RACE: &str = "...../..r../..r../..r../bb.bb r 8";

#[test]
fn greed_looks_at_its_own_distance_alone() {
    let record = at("hex:5", RACE);
    let mut seen: Vec<_> = (0..40).map(|seed| chosen("tbd-greedy", "", &record, seed)).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen, ["0-2", "0-3", "4-2"]);
    let choice = choose("tbd", "depth=0", &record, 3);
    assert_eq!(choice.score, Some(Score::from_units(-1.0)));
    // One ply more and the difference shows that blue must be stopped.
    assert_eq!(chosen("tbd", "depth=1", &record, 3), "4-2");
    assert_eq!(chosen("tbd", "depth=2", &record, 3), "4-2");
}

#[test]
fn greed_finishes_the_game() {
    let record = at("cachex:5", "..r../..r../..r../..r../bb..b r 8");
    for options in ["", "eval=cells"] {
        assert!(["4-1", "4-2"].contains(&&*chosen("tbd-greedy", options, &record, 1)));
    }
}

#[test]
fn counted_cells_take_what_they_can() {
    // Between 1-1 and 2-2 stand two blue stones.
    let record = at("cachex:5", "...../.rb../.b.../...../..... r 4");
    assert_eq!(chosen("tbd", "eval=cells,depth=1", &record, 1), "2-2");
    assert_eq!(chosen("tbd-greedy", "eval=cells", &record, 1), "2-2");
}

#[test]
fn the_first_stone_is_always_stolen() {
    for (spec, first) in [("cachex:9", "0-0"), ("cachex:4", "3-3"), ("cachex:12", "5-6")] {
        let record = Record::read(spec, None, [first]).expect("a first move");
        for info in AGENTS {
            assert_eq!(chosen(info.name, "", &record, 1), "steal", "{}", info.name);
        }
        for options in ["steal=never", "steal=never,depth=1"] {
            assert_ne!(chosen("tbd", options, &record, 1), "steal");
        }
    }
    // Judged by counted cells a steal turns one stone behind into one ahead, as nothing else does.
    let record = Record::read("cachex:4", None, ["0-0"]).expect("a first move");
    assert_eq!(chosen("tbd", "steal=eval,eval=cells,depth=1", &record, 1), "steal");
    let record = Record::read("hex:9", None, ["0-0"]).expect("a first move");
    assert_ne!(chosen("tbd", "", &record, 1), "steal");
}

#[test]
fn the_table_changes_nothing_but_the_work() {
    let record = at("cachex:5", "r..../.b.../..r../...b./..... r 4");
    let [plain, cached] = ["", "table=on"].map(|options| choose("tbd", options, &record, 1));
    assert_eq!((plain.score, plain.line), (cached.score, cached.line));
    assert!(cached.stats.evaluations < plain.stats.evaluations);
    assert!(0 < cached.stats.cache_hits);
}

#[test]
fn wrong_specs_say_what_would_be_right() {
    let cachex = start("cachex:9").expect("a game");
    let infexion = start("infexion").expect("a game");
    let error = |options, pos: &dyn Position| make("tbd", options, pos, 1).err().expect("a wrong spec");
    assert!(error("", &*infexion).contains("cachex and hex, not infexion"));
    assert!(error("steal=often", &*cachex).contains("always, eval, never"));
    assert!(error("share=0", &*cachex).contains("above 0"));
    assert!(error("cells=many", &*cachex).contains("cells=many"));
    assert!(error("speed=9", &*cachex).contains("no option"));
}

#[test]
fn every_agent_plays_games_to_the_end() {
    for spec in ["cachex:4", "cachex:9", "hex:4", "hex:9", "cachex:12"] {
        let quick =
            [("tbd", ""), ("tbd", "table=on,cells=0.1"), ("tbd-greedy", ""), ("tbd-mcts", "playouts=20")];
        for (name, options) in quick {
            for side in Player::BOTH {
                let mut record = Record::new(start(spec).expect("a game"));
                let mut agent = make(name, options, record.now(), 1).expect("a right spec");
                let mut random = Random::new(2);
                agent.begin(side, &record, Limits::default()).expect("it plays this game");
                while record.outcome().is_none() {
                    let mover: &mut dyn Agent =
                        if record.now().turn() == side { &mut *agent } else { &mut random };
                    let choice = mover.choose(&record, Limits::default(), &mut unwatched);
                    let text = record.now().show_move(choice.expect("no fault").mv);
                    let m = record.read_move(&text).expect("a legal move");
                    record.play(m);
                    agent.played(&record, &m.into()).expect("no fault");
                }
                agent.end(&record);
            }
        }
    }
}

#[test]
fn the_further_features_count_pairs_and_closeness() {
    let pos = Cachex::<u64>::read("...../..r../..r../..r../....b r 6").expect("a position");
    let paths = Paths { links: 1.0, center: 1.0, ..Paths::default() };
    let terms: Vec<_> =
        Judge::terms(&paths, &pos).iter().map(|term| (term.name, term.red, term.blue)).collect();
    let expected = [
        ("shortest distance", 2.0, 4.0),
        ("adjacent pairs", 2.0, 0.0),
        // One on the center, two a step away of four; blue's in the farthest corner.
        ("closeness to the center", 2.5, 0.0),
    ];
    assert_eq!(terms, expected);
}

#[test]
fn the_schedule_counts_turns_or_stones() {
    // Thirty percent of 36 turns have passed, but captures have taken stones back.
    let record = at("cachex:6", "r...../b...../....../....../....../...... r 12");
    let depth = |options| choose("tbd", options, &record, 1).stats.depth();
    assert_eq!([depth(""), depth("turns=stones")], [1, 0]);
}
