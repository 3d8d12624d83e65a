//! From the spec of an external agent to the agent, with what all of them share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use yarra_engine::{Agent, AgentKind, AgentSpec, SpecError};
use yarra_files::SavedGuest;
use yarra_games::{GAMES, Position};

use crate::course::{CourseAgent, CourseProgram};
use crate::engine::{EngineAgent, EngineProgram};
use crate::jail::{Layers, prepare_referee};
use crate::packages::package_of;
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
    /// Wall-clock time for all calls of a game; `None` for the usual multiple of the CPU time.
    pub game: Option<Duration>,
    /// The sandbox layers; `None` for all that this machine supports.
    pub layers: Option<Layers>,
}

/// Resolves the specs of external agents, all under the same options.
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

impl Default for Host {
    fn default() -> Host {
        Host::new(HostOptions::default())
    }
}

impl Host {
    /// A host with these options.
    pub fn new(options: HostOptions) -> Host {
        static PREPARED: Once = Once::new();
        PREPARED.call_once(prepare_referee);
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
        let time = self.options.time.unwrap_or(course.time);
        let allowance = Allowance {
            time,
            memory: self.options.memory.unwrap_or(course.memory),
            call: self.options.call.unwrap_or(course.call),
            game: self.options.game.or(Allowance::usual_game(time)),
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
            is_counted: false,
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

    /// The same course agent with the `referee` package beside it, if there is one and it uses ours.
    pub(crate) fn with_their_referee(&self) -> Option<Guest> {
        let Kind::Course(program) = &self.kind else { return None };
        let has_one = !program.is_package && program.folder.join("referee").is_dir();
        let program = CourseProgram { their_referee: true, ..program.clone() };
        (has_one && !self.uses_their_referee()).then(|| Guest { kind: Kind::Course(program), ..self.clone() })
    }

    /// Whether it imports the `referee` package beside it instead of ours.
    pub(crate) fn uses_their_referee(&self) -> bool {
        matches!(&self.kind, Kind::Course(program) if program.their_referee)
    }

    /// The same course agent with its calls of our `referee` package counted.
    pub(crate) fn counted(&self) -> Guest {
        let kind = match self.kind.clone() {
            Kind::Course(program) => Kind::Course(CourseProgram { is_counted: true, ..program }),
            engine => engine,
        };
        Guest { kind, ..self.clone() }
    }

    /// Whether its calls of our `referee` package are counted.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(&self.kind, Kind::Course(program) if program.is_counted)
    }

    /// The agent for one game, if it is a course agent.
    pub(crate) fn course_agent(&self, seed: u64) -> Option<CourseAgent> {
        let Kind::Course(program) = &self.kind else { return None };
        Some(CourseAgent::new(program.clone(), seed, self.allowance, self.layers.clone()))
    }

    /// The agent for one game. Its process starts when the game begins. The seed is that of a course agent's random
    /// numbers; an engine uses its own.
    pub fn seat(&self, seed: u64) -> Box<dyn Agent> {
        let (allowance, layers) = (self.allowance, self.layers.clone());
        match &self.kind {
            Kind::Course(program) => Box::new(CourseAgent::new(program.clone(), seed, allowance, layers)),
            Kind::Engine(program) => Box::new(EngineAgent::new(program.clone(), allowance, layers)),
        }
    }
}
