//! What all strangers' agents of a match share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use yarra_engine::{Agent, AgentKind, AgentSpec, SpecError};
use yarra_games::{Position, SavedGuest};

use super::course::CourseProgram;
use super::engine::EngineProgram;
use super::{Allowance, CourseAgent, EngineAgent, Interpreter};
use crate::jail::{HOME, Layer, Layers};

/// The rules of the house for strangers' agents: how they run and what they may use.
#[derive(Clone, Debug, Default)]
pub struct House {
    /// The Python interpreter; `python3` if not given.
    pub python: Option<PathBuf>,
    /// Whether agents see the referee package beside them instead of ours.
    pub their_referee: bool,
    /// CPU time a game, if not the course's; `Some(None)` for no limit.
    pub time: Option<Option<Duration>>,
    /// Memory in bytes, if not the course's; `Some(None)` for no limit.
    pub memory: Option<Option<u64>>,
    /// Time on the wall's clock for a call, if not the course's.
    pub call: Option<Duration>,
    /// What keeps agents in their place; what the machine has, if nothing is said.
    pub layers: Option<Layers>,
}

/// Receives strangers' agents under the rules of the house.
#[derive(Default)]
pub struct Host {
    house: House,
    interpreter: OnceLock<Result<Arc<Interpreter>, String>>,
}

/// A stranger's agent that was asked for by its spec.
#[derive(Clone)]
pub struct Guest {
    /// What it is.
    kind: Kind,
    /// What it may use.
    pub allowance: Allowance,
    /// What keeps it in its place.
    pub layers: Layers,
}

#[derive(Clone)]
enum Kind {
    Course(CourseProgram),
    Engine(EngineProgram),
}

impl Host {
    /// A host with rules.
    pub fn new(house: House) -> Host {
        Host { house, interpreter: OnceLock::new() }
    }

    /// The external agent of a spec.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn guest(&self, spec: &AgentSpec, pos: &dyn Position) -> Result<Guest, SpecError> {
        let kind = match spec.kind() {
            AgentKind::Python { folder, package, class } => {
                self.course_program(folder, package.as_deref(), class.clone(), pos).map(Kind::Course)
            }
            AgentKind::Ugi { command } => {
                EngineProgram::find(command, || self.interpreter()).map(Kind::Engine)
            }
            AgentKind::Own { .. } => Err("expected python:DIR or ugi:COMMAND".to_owned()),
        };
        let kind = kind.map_err(|error| SpecError::new(format!("agent {:?}: {error}", spec.as_str())))?;
        let course = Allowance::of_course(pos);
        let allowance = Allowance {
            time: self.house.time.unwrap_or(course.time),
            memory: self.house.memory.unwrap_or(course.memory),
            call: self.house.call.unwrap_or(course.call),
        };
        let layers = self.house.layers.clone().unwrap_or_else(Layers::of_this_machine);
        Ok(Guest { kind, allowance, layers })
    }

    fn course_program(
        &self,
        folder: &Path,
        package: Option<&str>,
        class: Option<String>,
        pos: &dyn Position,
    ) -> Result<CourseProgram, String> {
        let game = pos.spec();
        if game.starts_with("hex") {
            return Err(format!("course agents play infexion, tetress and cachex, not {game}"));
        }
        if !folder.is_dir() {
            return Err(format!("expected a folder at {}", folder.display()));
        }
        let is_package = package.is_none() && folder.join("__init__.py").is_file();
        let package = match package {
            Some(package) => package.trim_end_matches(".py").replace('/', "."),
            None => package_of(folder)?,
        };
        let (interpreter, their_referee) = (self.interpreter()?, self.house.their_referee);
        let folder = folder.to_owned();
        Ok(CourseProgram { folder, package, is_package, class, interpreter, their_referee })
    }

    /// The Python interpreter, looked for once.
    ///
    /// # Errors
    /// If there is none.
    pub fn interpreter(&self) -> Result<Arc<Interpreter>, String> {
        let find = || {
            Interpreter::find(self.house.python.as_deref().unwrap_or(Path::new("python3")))
                .map(Arc::new)
                .map_err(|error| error.to_string())
        };
        self.interpreter.get_or_init(find).clone()
    }
}

impl Guest {
    /// How the agent is kept, for whoever it plays.
    pub fn saved(&self) -> SavedGuest {
        let isolation = self.layers.names();
        SavedGuest { player: String::new(), limits: self.allowance.to_string(), isolation }
    }

    /// Whether it can be told how long to think, rather than having its time a game alone.
    pub fn hears_limits(&self) -> bool {
        matches!(self.kind, Kind::Engine(_))
    }

    /// The same agent under other limits.
    #[must_use]
    pub fn under(&self, allowance: Allowance) -> Guest {
        Guest { allowance, ..self.clone() }
    }

    /// A trace with the agent's files where its author knows them, not where the jail shows them.
    pub fn with_own_paths(&self, trace: &str) -> String {
        let Kind::Course(program) = &self.kind else { return trace.to_owned() };
        if !self.layers.has(Layer::Files) {
            return trace.to_owned();
        }
        let inner = if program.is_package { format!("{}/", program.package) } else { String::new() };
        let (seen, own) = (format!("{HOME}/{inner}"), program.folder.join(""));
        trace.replace(&format!("File \"{seen}"), &format!("File \"{}", own.display()))
    }

    /// The same seated, if it is an agent of the course.
    pub fn course_agent(&self) -> Option<CourseAgent> {
        let Kind::Course(program) = &self.kind else { return None };
        Some(CourseAgent::new(program.clone(), self.allowance, self.layers.clone()))
    }

    /// Seats the agent for one game.
    pub fn seat(&self) -> Box<dyn Agent> {
        let (allowance, layers) = (self.allowance, self.layers.clone());
        match &self.kind {
            Kind::Course(program) => Box::new(CourseAgent::new(program.clone(), allowance, layers)),
            Kind::Engine(program) => Box::new(EngineAgent::new(program.clone(), allowance, layers)),
        }
    }
}

/// The only package in a folder, or the folder itself if it is one.
///
/// # Errors
/// If there is none, or more than one.
pub fn package_of(folder: &Path) -> Result<String, String> {
    let name_of = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    if folder.join("__init__.py").is_file() {
        let folder = folder.canonicalize().map_err(|error| error.to_string())?;
        return name_of(&folder).ok_or_else(|| "expected a folder with a name".to_owned());
    }
    let entries = folder.read_dir().map_err(|error| error.to_string())?.flatten().map(|entry| entry.path());
    let packages =
        entries.filter(|path| path.join("__init__.py").is_file()).filter_map(|path| name_of(&path));
    let mut packages: Vec<String> = packages.filter(|name| name != "referee").collect();
    packages.sort();
    match &packages[..] {
        [package] => Ok(package.clone()),
        [] => Err(format!("expected a package, a folder with __init__.py, in {}", folder.display())),
        _ => Err(format!(
            "several packages, say which: python:DIR:PACKAGE with one of {}",
            packages.join(", ")
        )),
    }
}
