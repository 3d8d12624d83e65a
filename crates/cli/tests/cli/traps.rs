//! `yarra traps`, and that its traps fool the agents they name.

use yarra_arena::Side;
use yarra_arena::traps::suite;
use yarra_catalog::{Host, prepare};
use yarra_engine::agent::unwatched;

use crate::room::Room;

#[test]
fn each_trap_fools_the_agents_it_names_with_any_seed() {
    for game in ["infexion", "tetress", "cachex"] {
        for trap in suite(game).expect(game) {
            for (spec, seed) in trap.fools.iter().flat_map(|spec| (0..3).map(move |seed| (spec, seed))) {
                let record = trap.record().expect(game);
                let parsed = spec.parse().expect(spec);
                let agent = prepare(&parsed, record.now(), &Host::default()).expect(spec);
                let mut side = Side::new((agent.make)(seed).expect(spec), agent.limits);
                let attempt = trap.set(&mut side, &mut unwatched).expect(game);
                assert!(!attempt.is_solved, "{game} {} {spec}", trap.id);
                assert!(record.now().read_move(&attempt.answer).is_ok(), "{game} {} {spec}", trap.id);
            }
        }
    }
}

#[test]
fn the_table_has_a_row_for_each_agent() {
    let room = Room::new();
    let answer = room.yarra(&["traps", "infexion", "random", "greedy:eval=material", "-v"], "");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let lines: Vec<&str> = answer.out.lines().collect();
    assert_eq!(lines[0], "infexion              domino  evaluation  anti-greedy  total");
    assert!(lines[1].starts_with("random  "), "{}", lines[1]);
    assert!(lines[2].starts_with("greedy:eval=material  ") && lines[2].contains("0/5"), "{}", lines[2]);
    assert!(
        answer
            .out
            .contains("greedy:eval=material fell for anti-greedy-4: 3-5ur instead of 3-5d\n  Red's only"),
        "{}",
        answer.out
    );
}

#[test]
fn json_has_a_line_for_each_trap() {
    let room = Room::new();
    let answer = room.yarra(&["traps", "cachex", "greedy", "--json", "--seed", "3"], "");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let solved = answer.out.lines().filter(|line| line.contains(r#""solved":true"#)).count();
    assert!(0 < solved && solved < answer.out.lines().count(), "{}", answer.out);
    assert_eq!(answer.out.lines().count(), suite("cachex").expect("a game with traps").len());
}

#[test]
fn errors_list_the_valid_names() {
    let room = Room::new();
    let table: &[(&[&str], &str)] = &[
        (&["traps", "chess", "random"], "one of infexion, tetress, cachex, hex"),
        (&["traps", "hex", "random"], "a game with traps, one of infexion, tetress, cachex"),
        (&["traps", "infexion", "rnadom"], "there are random"),
        (&["traps", "infexion", "random", "negamax:dept=3"], "negamax:dept=3"),
    ];
    for (args, words) in table {
        let answer = room.yarra(args, "");
        assert_eq!((answer.code, &*answer.out), (2, ""), "{args:?}");
        assert!(answer.err.contains(words) && answer.err.lines().count() == 1, "{args:?}: {}", answer.err);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_the_results_so_far() {
    use std::io::{BufRead, BufReader};
    use std::process::Command;
    let room = Room::new();
    let mut child = room.command(&["traps", "infexion", "random", "minimax:depth=60"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // The second agent is thinking about its first trap.
    assert!(lines.any(|line| line.unwrap().starts_with("random")));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let last = lines.next().expect("a row").unwrap();
    assert!(last.starts_with("minimax:depth=60 ") && last.contains("0/"), "{last}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "stopped: not all traps were tried\n");
}
