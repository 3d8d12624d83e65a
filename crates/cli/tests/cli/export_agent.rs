//! `yarra export-agent`

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::room::Room;

#[test]
fn each_game_has_its_package() {
    let room = Room::new();
    let table = [
        ("infexion", "program", "Agent", "a a"),
        ("tetress", "program", "Agent", "a a"),
        ("cachex", "player", "Player", "9 a a"),
    ];
    for (game, module, class, players) in table {
        let dir = format!("{game}/a");
        let answer = room.yarra(&["export-agent", game, "negamax:depth=2", &dir], "");
        assert_eq!((answer.code, &*answer.err), (0, ""));
        let expected = format!(
            "wrote {dir}/__init__.py\nwrote {dir}/{module}.py\nwrote {dir}/engine.py\n\n\
             to play against itself, in a folder with the official referee:\n  python -m referee {players}\n"
        );
        assert_eq!(answer.out, expected);
        assert_eq!(room.read(&format!("{dir}/__init__.py")), format!("from .{module} import {class}\n"));
        let program = room.read(&format!("{dir}/{module}.py"));
        let yarra = format!("\nYARRA = \"{}\"\n", env!("CARGO_BIN_EXE_yarra"));
        assert!(program.contains(&yarra) && program.contains("\nAGENT = \"negamax:depth=2\"\n"), "{program}");
        assert!(!program.contains('@'), "{program}");
        assert!(room.read(&format!("{dir}/engine.py")).contains("class Engine"));
    }
}

#[test]
fn the_path_of_another_program_is_escaped_for_python() {
    let room = Room::new();
    let name = "it's a \"program\" \\ é";
    room.write(name, "");
    let answer = room.yarra(&["export-agent", "tetress", "greedy", "a", "--binary", name], "");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let dir = room.path().canonicalize().unwrap();
    let line = format!("YARRA = \"{}/it's a \\\"program\\\" \\\\ é\"\n", dir.display());
    assert!(room.read("a/program.py").contains(&line), "{}", room.read("a/program.py"));
}

#[test]
fn files_are_overwritten_only_with_force() {
    let room = Room::new();
    fs::create_dir(room.path().join("a")).unwrap();
    let export =
        |agent, more: &[&str]| room.yarra(&[&["export-agent", "infexion", agent, "a"], more].concat(), "");
    assert_eq!(export("greedy", &[]).code, 0, "an empty folder is fine");
    room.write("a/notes", "mine");
    let answer = export("random", &[]);
    assert_eq!(answer.err, "yarra: a is not empty; use --force to write into it anyway\n");
    assert_eq!((answer.code, &*answer.out), (2, ""));
    assert!(room.read("a/program.py").contains("AGENT = \"greedy\""));
    assert_eq!(export("random", &["--force"]).code, 0);
    assert!(room.read("a/program.py").contains("AGENT = \"random\""));
    assert_eq!(room.read("a/notes"), "mine");
}

#[test]
fn errors_say_what_was_expected() {
    let room = Room::new();
    room.write("file", "");
    let table: &[(&[&str], &str)] = &[
        (&["chess", "random", "a"], "one of infexion, tetress, cachex, hex"),
        (&["hex", "random", "a"], "one of infexion, tetress, cachex, found \"hex\""),
        (&["infexion", "rnadom", "a"], "there are random"),
        (&["infexion", "negamax:dept=3", "a"], "negamax:dept=3"),
        (&["infexion", "random", "my-agent"], "letters, digits and _, found \"my-agent\""),
        (&["infexion", "random", "a/1st"], "found \"1st\""),
        (&["infexion", "random", "/"], "found \"\""),
        (&["infexion", "random", "referee"], "which is the official one"),
        (&["infexion", "random", "file"], "cannot read"),
        (&["infexion", "random", "file/a"], "cannot"),
        (&["infexion", "random", "a", "--binary", "nowhere"], "there is no program at "),
    ];
    for (args, words) in table {
        let answer = room.yarra(&[&["export-agent"], *args].concat(), "");
        assert_eq!((answer.code, &*answer.out), (2, ""), "{args:?}");
        assert!(answer.err.contains(words) && answer.err.lines().count() == 1, "{args:?}: {}", answer.err);
        assert!(!room.path().join("a").exists(), "{args:?}");
    }
}

/// The packages themselves, tested in Python.
#[test]
fn packages_pass_their_python_tests() {
    let room = Room::new();
    room.write("fake", include_str!("export_agent/fake_ugi.py"));
    fs::set_permissions(room.path().join("fake"), fs::Permissions::from_mode(0o755)).unwrap();
    for game in ["infexion", "tetress", "cachex"] {
        let dir = format!("{game}_agent");
        let answer = room.yarra(&["export-agent", game, "mcts:nodes=9", &dir, "--binary", "fake"], "");
        assert_eq!(answer.code, 0, "{}", answer.err);
    }
    room.write("test_packages.py", include_str!("export_agent/test_packages.py"));
    let mut python = Command::new("python3");
    python.arg("test_packages.py").current_dir(room.path()).env_remove("YARRA");
    let output = python.output().expect("python3 is needed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
