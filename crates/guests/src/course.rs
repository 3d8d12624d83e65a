//! An agent of the course: Python, called as the official referee calls it.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, Progress, Score, Stats, Watch};
use yarra_games::{GameSpec, Player, Record};

use crate::Memory;
use crate::jail::{Jail, Layers, View};
use crate::{Allowance, Call, Interpreter, Process, Vitals};

/// Where an agent of the course is, and what runs it.
#[derive(Clone)]
pub(super) struct CourseProgram {
    /// The folder that holds its package, or is it.
    pub folder: PathBuf,
    pub package: String,
    pub is_package: bool,
    pub class: Option<String>,
    pub interpreter: Arc<Interpreter>,
    pub their_referee: bool,
}

/// A course agent in a process of its own, which lasts for one game.
pub struct CourseAgent {
    program: CourseProgram,
    allowance: Allowance,
    layers: Layers,
    seated: Option<Seated>,
    /// What was asked last.
    call: Call,
}

struct Seated {
    process: Process,
    /// What the clock showed at the agent's last move.
    noted: Duration,
    /// Whether agents are told of the move that ends the game.
    hears_the_end: bool,
    /// What is known of its import and its constructor.
    beginning: Vitals,
}

/// What the host says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Reply {
    ok: Value,
    #[serde(rename = "move")]
    mv: Option<String>,
    said: Option<String>,
    illegal: Option<String>,
    crash: Option<String>,
    exit: Option<String>,
    memory: Option<String>,
}

impl CourseAgent {
    /// An agent that is started when a game begins.
    pub(super) fn new(program: CourseProgram, allowance: Allowance, layers: Layers) -> CourseAgent {
        CourseAgent { program, allowance, layers, seated: None, call: Call::Start }
    }

    /// Seats the agent and tells it of the moves so far; a watch that breaks ends that.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn enter(&mut self, side: Player, game: &Record, watch: Pause<'_>) -> Result<(), AgentError> {
        if !GameSpec::is_start(game.start()) {
            let message =
                "course agents can only begin with the empty board: they are told of moves, not of positions";
            return Err(AgentError::new(Failure::Crash, message));
        }
        self.call = Call::Start;
        let seated = self.start(side, game, watch)?;
        let seated = self.seated.insert(seated);
        self.call = Call::Constructor;
        seated.call(json!({ "call": "new" }), watch)?;
        seated.beginning.constructor = seated.process.used();
        self.call = Call::Turn;
        let mut player = game.start().turn();
        for &m in game.moves() {
            seated.tell(player, &game.now().show_move(m), watch)?;
            player = player.opponent();
        }
        Ok(())
    }

    /// How the agent is doing.
    pub fn vitals(&mut self) -> Vitals {
        let Some(seated) = &mut self.seated else { return Vitals { call: self.call, ..Vitals::default() } };
        let process = &mut seated.process;
        let (n_processes, n_threads) = process.n_tasks();
        Vitals {
            call: self.call,
            used: process.used(),
            peak: process.peak(),
            n_output: process.n_output(),
            n_processes,
            n_threads,
            ..seated.beginning.clone()
        }
    }

    fn start(&mut self, side: Player, game: &Record, watch: Pause<'_>) -> Result<Seated, AgentError> {
        let failed = |error: std::io::Error| AgentError::new(Failure::Crash, error.to_string());
        let program = &self.program;
        let spec = game.start().spec();
        let course = spec.info().course.expect("the host refuses games without a course referee");
        let view = View::new(&program.folder, &program.interpreter.folders);
        let mut view = view.and_then(View::opened).map_err(failed)?;
        if program.is_package {
            view = view.within_home(&program.package).map_err(failed)?;
        }
        let jail = Jail::new(self.layers.clone(), view);
        let home = jail.home().display().to_string();
        let ours = program.interpreter.referee(spec.name()).display().to_string();
        let config = json!({
            "interface": spec.name(),
            "path": if program.their_referee { vec![home] } else { vec![ours, home] },
            "modules": program.interpreter.modules,
            "package": program.package,
            "class": program.class,
            "color": side.to_string(),
            "size": if spec.info().has_sizes() { spec.size() } else { 0 },
            "megabytes": self.allowance.megabytes(),
        });
        let args = [program.interpreter.host().display().to_string(), config.to_string()];
        let process =
            Process::start(&jail, &program.interpreter.program, &args, self.allowance, Memory::Reserved);
        let mut process = process.map_err(failed)?;
        process.receive(watch)?;
        process.set_baseline();
        let cpu = process.cpu();
        self.call = Call::Import;
        process.send("{}")?;
        let imported = process.receive(watch)?;
        let imported = checked(&mut process, &imported)?;
        let beginning = Vitals {
            class: imported.ok.as_str().unwrap_or_default().to_owned(),
            import: process.cpu().saturating_sub(cpu),
            import_output: process.n_output(),
            ..Vitals::default()
        };
        if course.imports_are_free {
            process.set_baseline();
        }
        Ok(Seated { process, noted: Duration::ZERO, hears_the_end: course.reports_last_move, beginning })
    }
}

/// Asked again and again while an agent is waited for; a break ends the waiting.
type Pause<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

fn unwatched() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A reply that is not a failure.
fn checked(process: &mut Process, line: &str) -> Result<Reply, AgentError> {
    let reply: Reply = serde_json::from_str(line)
        .map_err(|error| process.failed(Failure::Protocol, format!("{error} in {line:.200}")))?;
    let failures = [
        (&reply.crash, Failure::Crash),
        (&reply.exit, Failure::Exit),
        (&reply.memory, Failure::Memory),
        (&reply.illegal, Failure::IllegalMove),
    ];
    let failure = failures.into_iter().find_map(|(message, failure)| Some((message.as_ref()?, failure)));
    match failure {
        Some((message, failure)) => {
            Err(AgentError { said: reply.said.clone(), ..process.failed(failure, message) })
        }
        None => Ok(reply),
    }
}

impl Seated {
    /// Calls a method of the agent, on its clock.
    fn call(&mut self, mut request: Value, watch: Pause<'_>) -> Result<Reply, AgentError> {
        let process = &mut self.process;
        request["time"] = json!(process.left().map(|left| left.as_secs_f64()));
        process.start_clock();
        process.release();
        process.send(&request.to_string())?;
        let line = process.receive(watch)?;
        if process.has_helpers() {
            // Whoever can think while others collect garbage does not get the time for it.
            process.hold();
            process.stop_clock()?;
            return checked(process, &line);
        }
        process.stop_clock()?;
        let reply = checked(process, &line)?;
        process.send(&json!({ "call": "collect" }).to_string())?;
        process.receive(watch)?;
        process.hold();
        Ok(reply)
    }

    fn tell(&mut self, player: Player, move_text: &str, watch: Pause<'_>) -> Result<(), AgentError> {
        let request = json!({ "call": "turn", "color": player.to_string(), "move": move_text });
        self.call(request, watch).map(|_| ())
    }
}

impl Agent for CourseAgent {
    fn begin(&mut self, side: Player, game: &Record, _limits: Limits) -> Result<(), AgentError> {
        self.enter(side, game, &mut unwatched)
    }

    fn choose(
        &mut self,
        game: &Record,
        _limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, AgentError> {
        self.call = Call::Action;
        let seated = self.seated.as_mut().expect("a game has begun");
        let began = std::time::Instant::now();
        let progress =
            |elapsed| Progress { rank: 0, depth: 0, score: Score::DRAW, nodes: 0, line: &[], elapsed };
        let reply = seated.call(json!({ "call": "action" }), &mut || watch(&progress(began.elapsed())))?;
        let text = reply.mv.unwrap_or_default();
        let process = &mut seated.process;
        let mv = game.now().read_move(&text).map_err(|error| {
            let said = Some(reply.said.unwrap_or_else(|| text.clone()));
            AgentError { said, ..process.failed(Failure::IllegalMove, error.to_string()) }
        })?;
        let used = process.used();
        let stats = Stats {
            elapsed: began.elapsed(),
            charged: Some(used.saturating_sub(seated.noted)),
            memory: process.peak() as usize,
            ..Stats::default()
        };
        seated.noted = used;
        Ok(Choice { said: Some(text), stats, ..Choice::from(mv) })
    }

    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        self.call = Call::Turn;
        let seated = self.seated.as_mut().expect("a game has begun");
        if game.outcome().is_some() && !seated.hears_the_end {
            return Ok(());
        }
        let mover = game.now().turn().opponent();
        let text = choice.said.clone().unwrap_or_else(|| game.now().show_move(choice.mv));
        seated.tell(mover, &text, &mut unwatched)
    }

    fn end(&mut self, _game: &Record) {
        self.seated = None;
    }
}
