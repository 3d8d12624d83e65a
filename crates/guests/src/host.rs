//! From the spec of an external agent to the agent, with what all of them share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use yarra_engine::{Agent, AgentKind, AgentSpec, SpecError};
use yarra_files::SavedGuest;
use yarra_games::{GAMES, Position};

use crate::course::{CourseAgent, CourseProgram};
use crate::engine::{EngineAgent, EngineProgram};
use crate::jail::{HOME, Layer, Layers};
use crate::{Allowance, Interpreter};

/// How external agents are run, and what they may use.
#[derive(Clone, Debug, Default)]
pub struct HostOptions {
    /// The Python interpreter; `None` for `python3`.
    pub python: Option<PathBuf>,
    /// Whether agents import the `referee` package beside them instead of ours.
    pub their_referee: bool,
    /// CPU time for a game; `None` for the course's limit, `Some(None)` for no limit.
    pub time: Option<Option<Duration>>,
    /// Memory in bytes; `None` for the course's limit, `Some(None)` for no limit.
    pub memory: Option<Option<u64>>,
    /// Wall-clock time for one call; `None` for the course's limit.
    pub call: Option<Duration>,
    /// The sandbox layers; `None` for all that this machine supports.
    pub layers: Option<Layers>,
}

/// Resolves the specs of external agents, all under the same options.
#[derive(Default)]
pub struct Host {
    options: HostOptions,
    interpreter: OnceLock<Result<Arc<Interpreter>, String>>,
}

/// An external agent, ready to be started for a game.
#[derive(Clone)]
pub struct Guest {
    kind: Kind,
    /// Its limits.
    pub allowance: Allowance,
    /// The layers of its sandbox.
    pub layers: Layers,
}

#[derive(Clone)]
enum Kind {
    Course(CourseProgram),
    Engine(EngineProgram),
}

impl Host {
    /// A host with these options.
    pub fn new(options: HostOptions) -> Host {
        Host { options, interpreter: OnceLock::new() }
    }

    /// The external agent that a spec names, for the game of a position.
    ///
    /// # Errors
    /// If there is no such agent, or it does not play the game.
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
        let course = Allowance::of_course(pos.spec());
        let allowance = Allowance {
            time: self.options.time.unwrap_or(course.time),
            memory: self.options.memory.unwrap_or(course.memory),
            call: self.options.call.unwrap_or(course.call),
        };
        let layers = self.options.layers.clone().unwrap_or_else(Layers::of_this_machine);
        Ok(Guest { kind, allowance, layers })
    }

    fn course_program(
        &self,
        folder: &Path,
        package: Option<&str>,
        class: Option<String>,
        pos: &dyn Position,
    ) -> Result<CourseProgram, String> {
        if pos.info().course.is_none() {
            let names: Vec<&str> =
                GAMES.iter().filter(|game| game.course.is_some()).map(|game| game.name).collect();
            return Err(format!("course agents play {}, not {}", names.join(", "), pos.spec()));
        }
        if !folder.is_dir() {
            return Err(format!("expected a folder at {}", folder.display()));
        }
        let is_package = package.is_none() && folder.join("__init__.py").is_file();
        let package = match package {
            Some(package) => package.trim_end_matches(".py").replace('/', "."),
            None => package_of(folder)?,
        };
        let (interpreter, their_referee) = (self.interpreter()?, self.options.their_referee);
        Ok(CourseProgram {
            folder: folder.to_owned(),
            package,
            is_package,
            class,
            interpreter,
            their_referee,
        })
    }

    /// The Python interpreter, located on first use.
    ///
    /// # Errors
    /// If there is none.
    pub fn interpreter(&self) -> Result<Arc<Interpreter>, String> {
        let find = || {
            Interpreter::find(self.options.python.as_deref().unwrap_or(Path::new("python3")))
                .map(Arc::new)
                .map_err(|error| error.to_string())
        };
        self.interpreter.get_or_init(find).clone()
    }
}

impl Guest {
    /// Its limits and layers, as saved games list them.
    pub fn saved(&self) -> SavedGuest {
        let isolation = self.layers.names();
        SavedGuest { limits: self.allowance.to_string(), isolation }
    }

    /// Whether it accepts limits for a move. A course agent only knows its time for the whole game.
    pub fn hears_limits(&self) -> bool {
        matches!(self.kind, Kind::Engine(_))
    }

    /// The same agent under other limits.
    #[must_use]
    pub fn with_allowance(&self, allowance: Allowance) -> Guest {
        Guest { allowance, ..self.clone() }
    }

    /// A traceback with the paths of the agent's files outside the sandbox, as its author knows them.
    pub fn with_host_paths(&self, trace: &str) -> String {
        let Kind::Course(program) = &self.kind else { return trace.to_owned() };
        if !self.layers.has(Layer::Files) {
            return trace.to_owned();
        }
        let inner = if program.is_package { format!("{}/", program.package) } else { String::new() };
        let (inside, outside) = (format!("{HOME}/{inner}"), program.folder.join(""));
        trace.replace(&format!("File \"{inside}"), &format!("File \"{}", outside.display()))
    }

    /// The agent for one game, if it is a course agent.
    pub(crate) fn course_agent(&self) -> Option<CourseAgent> {
        let Kind::Course(program) = &self.kind else { return None };
        Some(CourseAgent::new(program.clone(), self.allowance, self.layers.clone()))
    }

    /// The agent for one game. Its process starts when the game begins.
    pub fn seat(&self) -> Box<dyn Agent> {
        let (allowance, layers) = (self.allowance, self.layers.clone());
        match &self.kind {
            Kind::Course(program) => Box::new(CourseAgent::new(program.clone(), allowance, layers)),
            Kind::Engine(program) => Box::new(EngineAgent::new(program.clone(), allowance, layers)),
        }
    }
}

/// The name of the only package in a folder, or of the folder itself if it is a package.
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
            "expected one package, found several: choose python:DIR:PACKAGE with one of {}",
            packages.join(", ")
        )),
    }
}
