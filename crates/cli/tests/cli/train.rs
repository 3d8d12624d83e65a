//! `yarra train`, as used: runs that are killed, stopped and continued, reports, and agents from directories.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use crate::analyze::in_a_browser;
use crate::room::Room;

/// A run of seconds: the game, the recipe, its agent and settings that make it tiny.
struct Tiny {
    game: &'static str,
    recipe: &'static str,
    agent: &'static str,
    settings: &'static [&'static str],
}

const ZERO: Tiny = Tiny {
    game: "cachex:4",
    recipe: "zero",
    agent: "zero",
    settings: &[
        "blocks=1",
        "filters=16",
        "games=6",
        "simulations=4",
        "batch=16",
        "uses=1",
        "ladder=2",
        "ladder_games=2",
        "ladder_simulations=2",
    ],
};

const NNUE: Tiny = Tiny {
    game: "infexion",
    recipe: "nnue",
    agent: "champion",
    settings: &["games=3", "nodes=40", "epochs=1", "ladder=0"],
};

const RACCOONS: Tiny = Tiny {
    game: "infexion",
    recipe: "raccoons",
    agent: "raccoons-zero",
    settings: &["games=1", "simulations=2", "match_games=2", "match_simulations=2", "ladder_games=0"],
};

impl Tiny {
    /// The arguments of a run of some rounds.
    fn args(&self, rounds: &str, out: &str) -> Vec<String> {
        let mut args = vec!["train", self.game, "--recipe", self.recipe, "--rounds", rounds, "--jobs", "1"];
        args.extend(["--seed", "5", "--out", out]);
        for setting in self.settings {
            args.extend(["--set", setting]);
        }
        args.into_iter().map(str::to_owned).collect()
    }
}

fn strs(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

/// The files of a run, but for the log, which has times, and the lock.
fn files(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let folders = [run.to_owned(), run.join("shards")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let named =
        files.map(|file| (file.as_ref().unwrap().file_name().into_string().unwrap(), file.unwrap().path()));
    let kept = named.filter(|(name, path)| path.is_file() && name != "log.jsonl" && name != "lock");
    kept.map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

fn kill_after(mut child: Child, time: Duration) {
    std::thread::sleep(time);
    // SIGKILL, unless it has ended.
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn a_run_that_is_killed_ten_times_ends_with_the_same_bytes() {
    for tiny in [ZERO, NNUE, RACCOONS] {
        let room = Room::new();
        let whole = room.yarra(&strs(&tiny.args("5", "whole")), "");
        assert_eq!(whole.code, 0, "{}", whole.err);
        assert!(whole.out.contains("expected on this machine"), "{}", whole.out);
        assert_eq!(whole.out.matches("round ").count(), 5, "{}", whole.out);
        for n in 0..10 {
            // Without the estimate, which takes longer than most rounds here.
            let args = [tiny.args("5", "killed"), vec!["--json".to_owned()]].concat();
            let child = room.command(&strs(&args)).spawn().unwrap();
            // Wherever that is: the result must not depend on it.
            kill_after(child, Duration::from_millis(5 + 20 * n));
        }
        let last = room.yarra(&strs(&tiny.args("5", "killed")), "");
        assert_eq!(last.code, 0, "{}", last.err);
        let [whole, killed] = ["whole", "killed"].map(|name| files(&room.path().join(name)));
        assert_eq!(whole.keys().collect::<Vec<_>>(), killed.keys().collect::<Vec<_>>());
        assert!(5 <= whole.len(), "{:?}", whole.keys());
        for (name, bytes) in &whole {
            assert!(killed[name] == *bytes, "{} differs in {name}", tiny.recipe);
        }
    }
}

#[test]
fn a_run_is_an_agent_and_has_a_report() {
    for tiny in [ZERO, NNUE, RACCOONS] {
        let room = Room::new();
        let run = room.yarra(&strs(&tiny.args("2", "run")), "");
        assert_eq!(run.code, 0, "{}", run.err);
        let agent = format!("{}:net=run", tiny.agent);
        // The command that the end of the run names.
        let played = format!("yarra match {} {agent} random", tiny.game);
        assert!(run.out.contains(&played), "{}", run.out);
        let answer = room.yarra(&["match", tiny.game, &agent, "random", "--games", "2", "--nodes", "2"], "");
        assert_eq!(answer.code, 0, "{}", answer.err);
        assert!(!answer.out.contains("fault"), "{}", answer.out);

        let rounds = room.yarra(&["train", "report", "run"], "");
        assert_eq!(rounds.out.matches("round ").count(), 2, "{}", rounds.out);
        let json = room.yarra(&["train", "report", "run", "--json"], "");
        let lines: Vec<serde_json::Value> =
            json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines.len(), lines[1]["round"].as_u64()), (2, Some(1)));

        let report = ["train", "report", "run", "--html", "report.html"];
        assert_eq!(room.yarra(&report, "").code, 0);
        let again = room.yarra(&report, "");
        assert_eq!(again.code, 2);
        assert!(again.err.contains("exists; --force overwrites it"), "{}", again.err);
        let page = room.read("report.html");
        let script = "const told = document.querySelectorAll('svg').length + ' pictures, ' + \
                      document.querySelectorAll('.samples figure').length + ' samples'; \
                      document.body.innerHTML = ''; document.body.append('told: ', told, '\\n');";
        // The page has no script of its own; its policy must let ours in.
        let page = page.replace("style-src", "script-src 'unsafe-inline'; style-src");
        let page = page.replace("</body>", "<script>\n</script></body>");
        if let Some(dom) = in_a_browser(&room, &page, "0", script) {
            let told = dom.split_once("told: ").unwrap_or_else(|| panic!("the script failed: {dom}")).1;
            assert!(told.contains(" samples") && !told.contains(" 0 samples"), "{told}");
        }
    }
}

#[test]
fn a_run_can_be_extended_but_not_changed() {
    let room = Room::new();
    assert_eq!(room.yarra(&strs(&ZERO.args("1", "run")), "").code, 0);
    let longer = room.yarra(&strs(&ZERO.args("3", "run")), "");
    assert_eq!(longer.code, 0);
    assert!(longer.out.contains("goes on after 1 round"), "{}", longer.out);
    assert_eq!(room.yarra(&strs(&ZERO.args("3", "straight")), "").code, 0);
    let mut extended = files(&room.path().join("run"));
    let mut straight = files(&room.path().join("straight"));
    // The plans differ in nothing any more.
    assert_eq!(extended.remove("run.json"), straight.remove("run.json"));
    assert_eq!(extended.len(), straight.len());
    let mut other = ZERO.args("3", "run");
    let seed = other.iter().position(|arg| arg == "5").unwrap();
    other[seed] = "6".to_owned();
    let refused = room.yarra(&strs(&other), "");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("this run has seed 5, not 6"), "{}", refused.err);
}

#[test]
fn nonsense_is_refused_in_one_line() {
    let room = Room::new();
    room.write("mine.txt", "my thesis");
    fs::create_dir(room.path().join("thesis")).unwrap();
    room.write("thesis/mine.txt", "my thesis");
    room.write("net.safetensors", "PK something else");
    assert_eq!(room.yarra(&strs(&ZERO.args("1", "run")), "").code, 0);
    let net = fs::read(room.path().join("run/net.safetensors")).unwrap();
    fs::write(room.path().join("half.safetensors"), &net[..net.len() / 2]).unwrap();
    for (command, words) in [
        ("train infexion --recipe magic --out new", "no recipe \"magic\"; there are"),
        ("train chess --recipe zero --out new", "chess"),
        ("train tetress --recipe raccoons --out new", "trains for infexion, not for tetress"),
        ("train infexion --recipe zero --out new --set pace=1", "no option \"pace\""),
        ("train infexion --recipe zero --out new --set games=-1", "games=-1"),
        ("train infexion --recipe zero --out new --set games", "KEY=VALUE"),
        ("train infexion --recipe zero --out new --set games=1 --set games=2", "only once"),
        ("train infexion --recipe zero --out new --minutes 0", "above 0"),
        ("train infexion --recipe zero --out new --minutes nan", "above 0"),
        ("train infexion --recipe zero --out new --rounds 0", "rounds"),
        ("train infexion --recipe zero --out thesis", "expected a run or an empty directory"),
        ("train infexion --recipe zero --out mine.txt", "mine.txt"),
        ("train report thesis", "expected the plan of a run"),
        ("train report nowhere", "expected the plan of a run"),
        ("match infexion zero:net=run random", "expected a net of game infexion, found cachex"),
        ("match cachex:4 zero:net=half.safetensors random", "half.safetensors: expected a safetensors file"),
        ("match cachex:4 zero:net=net.safetensors random", "net.safetensors: expected a safetensors file"),
        ("match cachex:4 zero:net=nowhere random", "nowhere"),
        ("match infexion raccoons-zero:net=run random", "expected a net of kind raccoons, found zero"),
    ] {
        let args: Vec<&str> = command.split(' ').collect();
        let answer = room.yarra(&args, "");
        assert_eq!(answer.code, 2, "{command}: {}", answer.out);
        assert!(answer.err.contains(words), "{command}: {}", answer.err);
        assert!(!room.path().join("new").exists(), "{command}");
    }
    assert_eq!(room.read("thesis/mine.txt") + &room.read("mine.txt"), "my thesismy thesis");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_what_was_done() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let room = Room::new();
    let child = room.command(&strs(&ZERO.args("100000", "run"))).spawn().unwrap();
    // Until the first round is saved.
    while !room.path().join("run/checkpoint.safetensors").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("saved in run; the same command goes on"), "{err}");
    let n_rounds = String::from_utf8(output.stdout).unwrap().matches("round ").count();
    let log = room.yarra(&["train", "report", "run"], "");
    assert_eq!(log.out.matches("round ").count(), n_rounds, "{}", log.out);
}

#[test]
fn recipes_are_listed_with_their_options() {
    let room = Room::new();
    let text = room.yarra(&["train", "recipes"], "").out;
    let json = room.yarra(&["train", "recipes", "--json"], "").out;
    for line in json.lines() {
        let recipe: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(text.contains(recipe["name"].as_str().unwrap()));
        for option in recipe["options"].as_array().unwrap() {
            let pair =
                format!("{}={}", option["name"].as_str().unwrap(), option["default"].as_str().unwrap());
            assert!(text.contains(&pair), "{pair}");
        }
    }
    assert!(3 <= json.lines().count());
}
