//! The Python interpreter, and the Python files that ship with this crate.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use include_dir::{Dir, include_dir};

use crate::jail::Folder;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/python");

/// A Python interpreter, with our files in a temporary folder.
pub struct Interpreter {
    /// The executable itself, not a script that starts it.
    pub program: PathBuf,
    /// The files and folders that it reads to run, without ours.
    pub folders: Vec<PathBuf>,
    /// Its module search path, the user's own packages included.
    pub modules: Vec<PathBuf>,
    files: Folder,
}

/// Prints the paths of an interpreter.
const PATHS: &str = "import sys; print(*[sys.executable, sys.prefix, sys.base_prefix, *sys.path], sep='\\n')";

/// Prints the versions of an interpreter and of numpy.
const VERSIONS: &str = "\
import platform
print(platform.python_version())
import numpy
print(numpy.__version__)";

impl Interpreter {
    /// Asks an interpreter for its paths, and writes our files.
    ///
    /// # Errors
    /// If there is no such program, or it is not Python 3.
    pub fn find(python: &Path) -> io::Result<Interpreter> {
        let failed =
            |error| io::Error::other(format!("{}: expected a Python interpreter, {error}", python.display()));
        let answer = isolated(python)?.args(["-c", PATHS]).output();
        let answer = answer.map_err(|error| failed(error.to_string()))?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let lines: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
        let program = lines.first().cloned().filter(|_| answer.status.success());
        let program =
            program.ok_or_else(|| failed(String::from_utf8_lossy(&answer.stderr).trim().to_owned()))?;
        // A folder inside another one is shown with it.
        let mut folders: Vec<PathBuf> = Vec::new();
        let needed = lines.iter().skip(1).cloned().chain(program.canonicalize().ok());
        for path in needed.filter(|path| path.is_absolute() && path.exists()) {
            if !folders.iter().any(|folder| path.starts_with(folder)) {
                folders.push(path);
            }
        }
        let files = write_files()?;
        let modules = lines.into_iter().skip(3).filter(|path| path.is_absolute()).collect();
        Ok(Interpreter { program, folders, modules, files })
    }

    /// Its version, and that of numpy if it is installed.
    ///
    /// # Errors
    /// If the interpreter does not run.
    pub fn versions(&self) -> io::Result<(String, Option<String>)> {
        let answer = isolated(&self.program)?.args(["-c", VERSIONS]).output()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let mut lines = text.lines().map(str::to_owned);
        let version = lines.next().ok_or(io::ErrorKind::InvalidData)?;
        Ok((version, lines.next()))
    }

    /// What a course agent needs to see: the interpreter's folders and our files, which exist as long as `self`.
    pub fn folders_with_ours(&self) -> Vec<PathBuf> {
        self.folders.iter().cloned().chain([self.files.path().to_owned()]).collect()
    }

    /// The script that calls a course agent in its process.
    pub fn host(&self) -> PathBuf {
        self.files.path().join("host/main.py")
    }

    /// The folder with our `referee` package for a game.
    pub fn referee(&self, game: &str) -> PathBuf {
        self.files.path().join(game)
    }
}

/// An interpreter that ignores our own `PYTHON…` variables, which are not for agents, and modules of the current folder,
/// which may be anybody's.
fn isolated(python: &Path) -> io::Result<Command> {
    // A bare name is found on the PATH; any other path is relative to the current folder.
    let is_bare = python.components().count() == 1;
    let program = if is_bare { python.to_owned() } else { std::path::absolute(python)? };
    let mut command = Command::new(program);
    command.arg("-E").current_dir("/");
    Ok(command)
}

/// Writes our files to a temporary folder; what two games share goes into both.
fn write_files() -> io::Result<Folder> {
    let folder = Folder::new()?;
    fill(folder.path()).map_err(Folder::explain)?;
    Ok(folder)
}

fn fill(folder: &Path) -> io::Result<()> {
    for (from, to) in [
        ("host", "host"),
        ("common", "infexion"),
        ("infexion", "infexion"),
        ("common", "tetress"),
        ("tetress", "tetress"),
        ("cachex", "cachex"),
    ] {
        let from = FILES.get_dir(from).ok_or(io::ErrorKind::NotFound)?;
        write_folder(from, from.path(), &folder.join(to))?;
    }
    open_to_all(folder)
}

/// Lets all users read a folder, whatever the umask is: agents may run as another user.
fn open_to_all(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))?;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => open_to_all(&path)?,
            false => std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))?,
        }
    }
    Ok(())
}

fn write_folder(from: &Dir<'_>, root: &Path, to: &Path) -> io::Result<()> {
    for file in from.files().filter(|file| file.path().extension().is_some_and(|end| end == "py")) {
        let path = to.join(file.path().strip_prefix(root).expect("a file of this folder"));
        std::fs::create_dir_all(path.parent().expect("a file has a parent"))?;
        std::fs::write(path, file.contents())?;
    }
    from.dirs().try_for_each(|dir| write_folder(dir, root, to))
}
