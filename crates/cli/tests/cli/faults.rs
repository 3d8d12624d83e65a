//! What `yarra match` says about agents that fail.

use std::path::Path;

use serde_json::Value;

use crate::room::Room;

fn bad(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guests/tests/agents/bad");
    format!("python:{}:{name}", folder.canonicalize().unwrap().display())
}

/// The output of a match between two agents of Infexion.
fn match_of(room: &Room, agents: [&str; 2], games: &str, more: &[&str]) -> String {
    let args = [&["match", "infexion", agents[0], agents[1], "--games", games], more].concat();
    let answer = room.yarra(&args, "");
    assert_eq!(answer.code, 0, "{}", answer.err);
    answer.out
}

#[test]
fn an_agent_that_never_starts_says_nothing_about_strength() {
    let room = Room::new();
    let agent = bad("syntax_error");
    for (agents, more) in [([agent.as_str(), "random"], &["--save", "g"][..]), (["random", &agent], &[])] {
        let out = match_of(&room, agents, "3", more);
        let warning = format!(
            "\nwarning: this says nothing about strength: {agent} failed before its first move in 3 games\n"
        );
        assert!(out.contains(&warning), "{out}");
        let counted = format!("\n{agent}: lost 3 of 3 games by faults (3 crash, before its first move)\n");
        assert!(out.contains(&counted), "{out}");
        assert!(!out.contains("LOS is the chance"), "{out}");
        let advice = format!("\n  `yarra doctor infexion {agent}` finds the cause\n");
        assert!(out.contains(&advice), "{out}");
    }
    // The same from a file.
    let out = match_of(&room, [&agent, "random"], "3", &["--save", "g"]);
    assert!(out.contains("3 games of this match from g\n") && out.contains("\nwarning: this says"), "{out}");
}

#[test]
fn the_first_fault_of_an_agent_is_told_with_its_line() {
    let out = match_of(&Room::new(), [&bad("syntax_error"), "random"], "3", &[]);
    assert_eq!(out.matches("syntax_error.py\", line 3\n").count(), 1, "{out}");
    assert_eq!(out.matches("    SyntaxError: expected ':' (File ").count(), 1, "{out}");
    assert!(out.contains("\n  game 1, red: crash\n    "), "{out}");
    let long = match_of(&Room::new(), [&bad("deep_recursion"), "random"], "1", &[]);
    assert!(long.lines().count() < 40 && long.lines().all(|line| line.len() < 1500), "{long}");
}

#[test]
fn faults_of_both_agents_are_counted_by_kind() {
    let room = Room::new();
    let [first, second] = [bad("illegal_move"), bad("crash_action")];
    let out = match_of(&room, [&first, &second], "4", &["--json"]);
    let result: Value = serde_json::from_str(&out).unwrap();
    let total = |agent: &str| result["faults"][agent]["total"].as_u64().unwrap();
    assert_eq!(total("a") + total("b"), 4, "{result}");
    for game in result["results"].as_array().unwrap() {
        let fault = &game["fault"];
        assert_eq!(game["reason"], fault["kind"]);
        assert_eq!(fault["kind"], if fault["agent"] == "a" { "illegal_move" } else { "crash" });
        assert_ne!(game["winner"], fault["player"]);
        assert!(!fault["message"].as_str().unwrap().is_empty(), "{fault}");
        assert_eq!(fault["move"].is_string(), fault["kind"] == "illegal_move", "{fault}");
    }
    for (agent, kind) in [("a", "illegal_move"), ("b", "crash")] {
        let faults = &result["faults"][agent];
        assert_eq!(faults["kinds"][kind].as_u64().unwrap_or(0), total(agent), "{faults}");
    }
    assert!(result["warning"].as_str().unwrap().starts_with("this says nothing about strength: "));
}

#[test]
fn agents_of_ours_have_no_doctor_and_an_honest_loss_no_warning() {
    let out = match_of(&Room::new(), ["random", "greedy"], "2", &[]);
    assert!(!out.contains("warning") && !out.contains("fault") && !out.contains("doctor"), "{out}");
}
