//! The Python interpreter, and our own files for it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use include_dir::{Dir, include_dir};
use tempfile::TempDir;

/// All Python files that ship with the referee.
static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/python");

/// A Python interpreter with our files beside it.
pub struct Interpreter {
    /// The program itself, not a script that finds it.
    pub program: PathBuf,
    /// What it reads to run.
    pub folders: Vec<PathBuf>,
    /// Where it looks for modules, those of its user among them.
    pub modules: Vec<PathBuf>,
    files: TempDir,
}

/// Asks an interpreter where it lives.
const QUESTION: &str =
    "import sys; print(*[sys.executable, sys.prefix, sys.base_prefix, *sys.path], sep='\\n')";

/// Asks an interpreter what it is.
const VERSIONS: &str = "\
import platform
print(platform.python_version())
import numpy
print(numpy.__version__)";

impl Interpreter {
    /// Finds out about an interpreter and lays out our files.
    ///
    /// # Errors
    /// If there is no such program or it is no Python 3.
    pub fn find(python: &Path) -> io::Result<Interpreter> {
        let what =
            |error| io::Error::other(format!("{}: expected a Python interpreter, {error}", python.display()));
        // The host's own variables are nothing to agents.
        let answer = Command::new(python).args(["-E", "-c", QUESTION]).output();
        let answer = answer.map_err(|error| what(error.to_string()))?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let lines: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
        let program = lines.first().cloned().filter(|_| answer.status.success());
        let program =
            program.ok_or_else(|| what(String::from_utf8_lossy(&answer.stderr).trim().to_owned()))?;
        // A folder that lies in another one is seen with it.
        let mut folders: Vec<PathBuf> = Vec::new();
        let needed = lines.iter().skip(1).cloned().chain(program.canonicalize().ok());
        for path in needed.filter(|path| path.is_absolute() && path.exists()) {
            if !folders.iter().any(|folder| path.starts_with(folder)) {
                folders.push(path);
            }
        }
        let files = lay_out()?;
        folders.push(files.path().to_owned());
        let modules = lines.into_iter().skip(3).filter(|path| path.is_absolute()).collect();
        Ok(Interpreter { program, folders, modules, files })
    }

    /// Its version, and that of numpy if it has one.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn versions(&self) -> io::Result<(String, Option<String>)> {
        let answer = Command::new(&self.program).args(["-c", VERSIONS]).output()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let mut lines = text.lines().map(str::to_owned);
        let version = lines.next().ok_or(io::ErrorKind::InvalidData)?;
        Ok((version, lines.next()))
    }

    /// The program that calls agents.
    pub fn host(&self) -> PathBuf {
        self.files.path().join("host/main.py")
    }

    /// The folder with our referee package for a game.
    pub fn referee(&self, game: &str) -> PathBuf {
        self.files.path().join(game)
    }
}

/// Writes our files to a folder of their own, what two games share into both.
fn lay_out() -> io::Result<TempDir> {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::Builder::new().prefix("yarra-python-").tempdir()?;
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))?;
    for (from, to) in [
        ("host", "host"),
        ("common", "infexion"),
        ("infexion", "infexion"),
        ("common", "tetress"),
        ("tetress", "tetress"),
        ("cachex", "cachex"),
    ] {
        let from = FILES.get_dir(from).ok_or(io::ErrorKind::NotFound)?;
        write(from, from.path(), &folder.path().join(to))?;
    }
    Ok(folder)
}

fn write(from: &Dir<'_>, root: &Path, to: &Path) -> io::Result<()> {
    for file in from.files().filter(|file| file.path().extension().is_some_and(|end| end == "py")) {
        let place = to.join(file.path().strip_prefix(root).expect("it lies in it"));
        std::fs::create_dir_all(place.parent().expect("it has a name"))?;
        std::fs::write(place, file.contents())?;
    }
    from.dirs().try_for_each(|dir| write(dir, root, to))
}
