//! Report 000's total time and space, computed by hand from what `yarra explain` prints.

use std::collections::HashMap;

use crate::room::prints;

const MIDDLE_GAME: &str = "1-4 6-0 1-2 6-5 5-2 2-1 1-2u 6-2 5-2ur 6-4 5-6 6-5d 6-2ul 2-0";

/// The rows of the tables: a name and the numbers after it, up to the first word.
struct Table(HashMap<String, Vec<f64>>);

impl Table {
    fn read(agent: &str) -> Table {
        let out = prints(&["explain", "infexion", agent, "--moves", MIDDLE_GAME]);
        let tables = out.split("\nevaluation from").next().unwrap();
        let row = |line: &str| {
            let mut words = line.strip_prefix("  ")?.split_whitespace();
            let name = words.next()?.to_owned();
            let is_sign = |word: &&str| ["*", "B", "ns", "us"].contains(word);
            let numbers = words.filter(|word| !is_sign(word)).map_while(|word| word.parse().ok()).collect();
            Some((name, numbers))
        };
        // `total` is in two tables: the time comes first.
        let mut rows = HashMap::new();
        for (name, numbers) in tables.lines().filter_map(row) {
            let name = if rows.contains_key(&name) { format!("second {name}") } else { name };
            rows.insert(name, numbers);
        }
        Table(rows)
    }

    #[track_caller]
    fn get(&self, name: &str) -> f64 {
        self.row(name)[0]
    }

    #[track_caller]
    fn row(&self, name: &str) -> &[f64] {
        self.0.get(name).unwrap_or_else(|| panic!("no row {name}"))
    }
}

#[test]
fn time_and_space_of_report_000_can_be_computed_from_the_table() {
    let table = Table::read("entourage");
    let number = |name| table.get(name);

    // Total time: O(leaf) * O(Eval) + O(internal) * O(Reduction + Ordering + Endgame).
    let nanoseconds =
        number("leaves") * number("E") + number("internal") * (number("R") + number("O") + number("G"));
    let sum = number("sum");
    // The table rounds each cost to a tenth of a nanosecond.
    let rounding = 0.05 * (number("leaves") + 3.0 * number("internal")) / 1000.0 + 0.05;
    assert!((nanoseconds / 1000.0 - sum).abs() <= rounding, "{nanoseconds} ns, not {sum} us");
    assert!((sum + number("rest") - number("total")).abs() < 0.2);
    assert!(0.0 < number("rest"), "the parts cannot take longer than the whole");

    // Total space: O(bd) for the moves, and N + d for the board and its history.
    let bytes: f64 = ["moves", "boards", "history", "tables"]
        .map(|name| table.row(name))
        .iter()
        .map(|row| row[0] * row[1])
        .sum();
    assert_eq!(bytes, number("second total"));
    assert_eq!(number("boards"), number("d") + 1.0);
    // The fullest path holds more than the average one, and no more than d lists of all legal moves.
    let (moves, path) = (number("moves"), number("b") * number("d"));
    assert!(path / 2.0 < moves && moves < 2.0 * number("s") * number("d"), "{moves} moves, b * d = {path}");
}

#[test]
fn the_symbols_are_those_of_the_search() {
    let table = Table::read("entourage");
    let number = |name| table.get(name);
    assert_eq!((number("d"), number("N")), (4.0, 49.0));
    // Reduction leaves fewer moves than are legal; ordering looks at each node once.
    assert!(number("b") < number("s"));
    let calls = |name| table.row(name)[0];
    assert!(1.0 <= number("c") && number("c") <= number("n") && number("n") <= 49.0);
    assert!(1.0 <= number("p") && number("p") <= 6.0);
    assert!(calls("reduction") > 0.0);

    // Without reduction all legal moves are left, and without ordering nobody pays for it.
    let plain = Table::read("entourage:depth=2,reduction=off,ordering=off,endgame=off");
    assert_eq!(plain.get("b"), plain.get("s"));
    assert_eq!((plain.get("O"), plain.get("G")), (0.0, 0.0));
}

#[test]
fn every_node_is_a_leaf_or_internal_and_is_ordered_once() {
    let line = ["explain", "infexion", "entourage", "--moves", MIDDLE_GAME, "--json"];
    let answer: serde_json::Value = serde_json::from_str(&prints(&line)).unwrap();
    let analysis = &answer["analysis"];
    let count = |name: &str| analysis[name].as_u64().unwrap();
    // The nodes are counted below the root.
    assert_eq!(count("leaves") + count("internal"), answer["nodes"].as_u64().unwrap() + 1);
    let parts = answer["parts"].as_array().unwrap();
    let calls =
        |name: &str| parts.iter().find(|part| part["part"] == name).unwrap()["calls"].as_u64().unwrap();
    for part in ["reduction", "ordering", "endgame"] {
        assert_eq!(calls(part), count("internal"), "{part}");
    }
    assert!(answer["best_case"].as_f64() < answer["nodes"].as_f64(), "{answer}");
    assert_eq!(answer["peak_memory"], analysis["space"]["total"]);
}

#[test]
fn report_003s_evaluation_runs_a_star_for_every_pair_of_cells() {
    let calls = |eval: &str| {
        let agent = format!("negamax:depth=1,order=none,eval={eval}");
        let answer = prints(&["explain", "cachex:5", &agent, "--moves", "0-0", "--json"]);
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let parts = answer["parts"].as_array().unwrap();
        let paths = parts.iter().find(|part| part["part"] == "paths").unwrap();
        (paths["calls"].as_u64().unwrap(), answer["evaluations"].as_u64().unwrap(), answer["score"].clone())
    };
    let ((sweeps, n_leaves, score), (runs, same_leaves, same_score)) = (calls("tbd"), calls("astar"));
    assert_eq!((n_leaves, score), (same_leaves, same_score));
    assert_eq!(sweeps, 2 * n_leaves);
    // 2n² runs at each leaf, less those that begin or end on the opponent's stones.
    assert!(n_leaves * 2 * 25 / 2 < runs && runs < n_leaves * 2 * 25, "{runs} runs at {n_leaves} leaves");
}
