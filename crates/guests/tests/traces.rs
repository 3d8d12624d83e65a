//! Tracebacks name the files of an agent as its author knows them.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use yarra_arena::{Side, play};
use yarra_engine::Limits;
use yarra_engine::simple::Random;
use yarra_files::SavedGame;
use yarra_games::{ByPlayer, Record, start};
use yarra_guests::Host;

fn lost(spec: &str) -> SavedGame {
    let host = Host::default();
    let guest = host.guest(&spec.parse().unwrap(), &*start("infexion").unwrap()).unwrap();
    let red = Ok(Side::new(guest.seat(0), Limits::default()));
    let blue = Ok(Side::new(Box::new(Random::new(0)), Limits::default()));
    let record = Record::new(start("infexion").unwrap());
    play(record, ByPlayer { red, blue }, &mut |_| std::ops::ControlFlow::Continue(())).unwrap().unwrap().saved
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn file(path: &Path, line: u32) -> String {
    format!("File \"{}\", line {line}", path.canonicalize().unwrap().display())
}

#[test]
fn a_syntax_error_has_its_place_in_the_last_line() {
    let folder =
        folder(&[("agent/__init__.py", "from .program import Agent\n"), ("agent/program.py", "\nx = = 1\n")]);
    let dir = folder.path().canonicalize().unwrap();
    for spec in [format!("python:{}", dir.display()), format!("python:{}", dir.join("agent").display())] {
        let saved = lost(&spec);
        let place = file(&dir.join("agent/program.py"), 2);
        let note = saved.note.unwrap();
        assert!(note.starts_with("red: SyntaxError: invalid syntax (") && note.contains(&place), "{note}");
        let message = saved.fault.unwrap().message;
        assert!(message.contains(&file(&dir.join("agent/__init__.py"), 1)), "{message}");
    }
}

#[test]
fn exceptions_name_the_authors_files() {
    let text = "class Agent:\n    def __init__(self, **referee):\n        raise KeyError('boom')\n";
    let folder = folder(&[("agent/__init__.py", text)]);
    let dir = folder.path().canonicalize().unwrap();
    let fault = lost(&format!("python:{}", dir.display())).fault.unwrap();
    assert!(fault.message.contains(&file(&dir.join("agent/__init__.py"), 3)), "{}", fault.message);
    assert!(fault.message.ends_with("KeyError: 'boom'"), "{}", fault.message);
}

#[test]
fn engines_in_python_do_too() {
    let folder = folder(&[("run.py", "import sys\nsys.stdout.flush()\nraise KeyError('boom')\n")]);
    let script = folder.path().canonicalize().unwrap().join("run.py");
    let fault = lost(&format!("ugi:python3 {}", script.display())).fault.unwrap();
    assert!(fault.output.contains(&file(&script, 3)), "{fault:?}");
}
