//! Which package of a folder holds the agent. Nothing is run to find out.

use std::fs;
use std::path::Path;

/// The name of the package in a folder that defines an agent, or of the folder itself if it is a package.
///
/// # Errors
/// If there is none, or more than one.
pub fn package_of(folder: &Path) -> Result<String, String> {
    if is_package(folder) {
        let folder = folder.canonicalize().map_err(|error| error.to_string())?;
        return name_of(&folder).ok_or_else(|| "expected a folder with a name".to_owned());
    }
    let entries = folder.read_dir().map_err(|error| error.to_string())?.flatten().map(|entry| entry.path());
    let packages = entries.filter(|path| is_package(path));
    let packages = packages.filter_map(|path| Some((name_of(&path)?, path)));
    let mut packages: Vec<_> = packages.filter(|(name, _)| name != "referee").collect();
    packages.sort();
    let (agents, others): (Vec<_>, Vec<_>) =
        packages.into_iter().partition(|(_, path)| may_define_agent(path));
    let names =
        |list: &[(String, _)]| list.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    match (&agents[..], &others[..]) {
        ([(package, _)], _) => Ok(package.clone()),
        ([], []) => Err(format!("expected a package, a folder with __init__.py, in {}", folder.display())),
        ([], others) => Err(format!(
            "expected a package that defines a class with the method `action` in {}, found only {}; if the agent is \
             there all the same, name its package: python:DIR:PACKAGE",
            folder.display(),
            names(others)
        )),
        (agents, _) => Err(format!(
            "expected one package, found several: choose python:DIR:PACKAGE with one of {}",
            names(agents)
        )),
    }
}

fn is_package(folder: &Path) -> bool {
    folder.join("__init__.py").is_file()
}

fn name_of(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// How deep modules are looked for below a package.
const MAX_DEPTH: usize = 8;

/// Whether a package seems to hold an agent: one of its modules has the method of an agent, or is compiled, or the
/// package itself has a name of the course's classes.
fn may_define_agent(package: &Path) -> bool {
    fn search(folder: &Path, depth: usize) -> bool {
        let Ok(entries) = folder.read_dir() else { return false };
        entries.flatten().any(|entry| {
            let path = entry.path();
            match path.extension().and_then(|end| end.to_str()) {
                Some("py") => {
                    fs::read(&path).is_ok_and(|text| defines_action(&String::from_utf8_lossy(&text)))
                }
                Some("so") => true,
                _ => {
                    entry.file_type().is_ok_and(|kind| kind.is_dir())
                        && depth < MAX_DEPTH
                        && search(&path, depth + 1)
                }
            }
        })
    }
    let init = fs::read(package.join("__init__.py")).unwrap_or_default();
    names_agent(&String::from_utf8_lossy(&init)) || search(package, 0)
}

fn names_agent(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(|letter| !is_part(letter)).any(|word| matches!(word, "Agent" | "Player"))
}

fn defines_action(text: &str) -> bool {
    text.lines().any(|line| {
        let name = line.trim_start().strip_prefix("def ").map(str::trim_start);
        let rest = name.and_then(|name| name.strip_prefix("action"));
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        package_of(folder.path())
    }

    const AGENT: &str = "class Agent:\n    def action(self, **referee):\n        pass\n";

    #[test]
    fn the_package_with_an_agent_is_found() {
        let agent = [("team/__init__.py", "from .program import Agent\n"), ("team/program.py", AGENT)];
        let training = ("train/__init__.py", "def train():\n    # here is no def action(self)\n    pass\n");
        assert_eq!(found(&agent), Ok("team".to_owned()));
        assert_eq!(found(&[&agent[..], &[training]].concat()), Ok("team".to_owned()));
        let deep = [("team/__init__.py", ""), ("team/core/agents/it.py", AGENT), training];
        assert_eq!(found(&deep), Ok("team".to_owned()));
        let official = ("referee/__init__.py", AGENT);
        assert_eq!(found(&[&agent[..], &[official]].concat()), Ok("team".to_owned()));
        let imported = [("team/__init__.py", "from elsewhere import Agent"), training];
        assert_eq!(found(&imported), Ok("team".to_owned()));
        let compiled = [("team/__init__.py", ""), ("team/program.so", ""), training];
        assert_eq!(found(&compiled), Ok("team".to_owned()));
    }

    #[test]
    fn the_error_lists_the_candidates() {
        let several =
            found(&[("one/__init__.py", AGENT), ("two/__init__.py", AGENT), ("three/__init__.py", "")]);
        assert!(several.unwrap_err().ends_with("with one of one, two"));
        let training = found(&[("train/__init__.py", "def actions(): pass\n"), ("data/__init__.py", "")]);
        assert!(training.unwrap_err().contains("found only data, train; "));
        assert!(found(&[("notes.txt", "")]).unwrap_err().starts_with("expected a package, a folder with"));
    }
}
