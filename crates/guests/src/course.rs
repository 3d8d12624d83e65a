//! A course agent: Python code, called as the official referee of its game calls it.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, Progress, Score, Stats, Watch};
use yarra_games::{GameSpec, Player, Record};

use crate::jail::{Jail, Layers, View};
use crate::process::{MemoryMeasure, Process};
use crate::usage::Usage;
use crate::{Allowance, Call, Interpreter};

/// Where a course agent is, and what runs it.
#[derive(Clone)]
pub struct CourseProgram {
    /// The folder that holds its package, or the package itself.
    pub folder: PathBuf,
    /// The package's name.
    pub package: String,
    /// Whether `folder` is the package itself.
    pub is_package: bool,
    /// The class, if it was named.
    pub class: Option<String>,
    /// The Python interpreter.
    pub interpreter: Arc<Interpreter>,
    /// Whether it imports the `referee` package beside it instead of ours.
    pub their_referee: bool,
}

/// A course agent in its own process, which lives for one game.
pub struct CourseAgent {
    program: CourseProgram,
    allowance: Allowance,
    layers: Layers,
    running: Option<Running>,
    /// The last call.
    call: Call,
}

struct Running {
    process: Process,
    /// CPU time on the clock at the agent's last move.
    charged: Duration,
    /// Whether the agent is told the move that ends the game.
    reports_last_move: bool,
    /// What its import and its constructor used.
    startup: Usage,
}

/// A reply of `python/host`.
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
    pub fn new(program: CourseProgram, allowance: Allowance, layers: Layers) -> CourseAgent {
        CourseAgent { program, allowance, layers, running: None, call: Call::Start }
    }

    /// Starts the agent and tells it the moves so far. A watch that breaks ends the wait.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn start_game(&mut self, side: Player, game: &Record, watch: Poll<'_>) -> Result<(), AgentError> {
        if !GameSpec::is_start(game.start()) {
            let message =
                "course agents can only start from the empty board: they are told moves, not positions";
            return Err(AgentError::new(Failure::Crash, message));
        }
        self.call = Call::Start;
        let running = self.start_process(side, game, watch)?;
        let running = self.running.insert(running);
        self.call = Call::Constructor;
        running.call(json!({ "call": "new" }), watch)?;
        running.startup.constructor = running.process.used();
        self.call = Call::Turn;
        let mut player = game.start().turn();
        for &m in game.moves() {
            running.report_move(player, &game.now().show_move(m), watch)?;
            player = player.opponent();
        }
        Ok(())
    }

    /// What the agent has used and done so far.
    pub fn usage(&mut self) -> Usage {
        let Some(running) = &mut self.running else { return Usage { call: self.call, ..Usage::default() } };
        let process = &mut running.process;
        let (n_processes, n_threads) = process.n_tasks();
        Usage {
            call: self.call,
            used: process.used(),
            peak: process.peak(),
            n_output: process.n_output(),
            n_processes,
            n_threads,
            ..running.startup.clone()
        }
    }

    /// Starts the agent's process and imports its package.
    fn start_process(&mut self, side: Player, game: &Record, watch: Poll<'_>) -> Result<Running, AgentError> {
        let failed = |error: std::io::Error| AgentError::new(Failure::Crash, error.to_string());
        let program = &self.program;
        let spec = game.start().spec();
        let course = spec.info().course.expect("the host refuses games without a course referee");
        let view = View::new(&program.folder, &program.interpreter.folders);
        let mut view = view.and_then(View::readable_to_all).map_err(failed)?;
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
        let process = Process::start(
            &jail,
            &program.interpreter.program,
            &args,
            self.allowance,
            MemoryMeasure::AddressSpace,
        );
        let mut process = process.map_err(failed)?;
        process.receive(watch)?;
        process.set_baseline();
        let cpu = process.cpu();
        self.call = Call::Import;
        process.send("{}")?;
        let imported = process.receive(watch)?;
        let imported = parse_reply(&mut process, &imported)?;
        let startup = Usage {
            class: imported.ok.as_str().unwrap_or_default().to_owned(),
            import: process.cpu().saturating_sub(cpu),
            import_output: process.n_output(),
            ..Usage::default()
        };
        if course.imports_are_free {
            process.set_baseline();
        }
        let reports_last_move = course.reports_last_move;
        Ok(Running { process, charged: Duration::ZERO, reports_last_move, startup })
    }
}

/// Called every few milliseconds while the referee waits for an agent; a break ends the wait.
type Poll<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

fn unwatched() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Parses a reply; a failure that it reports becomes an error.
fn parse_reply(process: &mut Process, line: &str) -> Result<Reply, AgentError> {
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

impl Running {
    /// Calls a method of the agent on its clock, then suspends it.
    fn call(&mut self, mut request: Value, watch: Poll<'_>) -> Result<Reply, AgentError> {
        let process = &mut self.process;
        request["time"] = json!(process.left().map(|left| left.as_secs_f64()));
        process.start_clock();
        process.resume();
        process.send(&request.to_string())?;
        let line = process.receive(watch)?;
        if process.has_helpers() {
            // Threads or processes could think while garbage is collected off the clock: no collection for them.
            process.suspend();
            process.stop_clock()?;
            return parse_reply(process, &line);
        }
        process.stop_clock()?;
        let reply = parse_reply(process, &line)?;
        process.send(&json!({ "call": "collect" }).to_string())?;
        process.receive(watch)?;
        process.suspend();
        Ok(reply)
    }

    fn report_move(&mut self, player: Player, text: &str, watch: Poll<'_>) -> Result<(), AgentError> {
        let request = json!({ "call": "turn", "color": player.to_string(), "move": text });
        self.call(request, watch).map(|_| ())
    }
}

impl Agent for CourseAgent {
    fn begin(&mut self, side: Player, game: &Record, _limits: Limits) -> Result<(), AgentError> {
        self.start_game(side, game, &mut unwatched)
    }

    fn choose(
        &mut self,
        game: &Record,
        _limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, AgentError> {
        self.call = Call::Action;
        let running = self.running.as_mut().expect("a game has begun");
        let began = std::time::Instant::now();
        let progress =
            |elapsed| Progress { rank: 0, depth: 0, score: Score::DRAW, nodes: 0, line: &[], elapsed };
        let reply = running.call(json!({ "call": "action" }), &mut || watch(&progress(began.elapsed())))?;
        let text = reply.mv.unwrap_or_default();
        let process = &mut running.process;
        let mv = game.now().read_move(&text).map_err(|error| {
            let said = Some(reply.said.unwrap_or_else(|| text.clone()));
            AgentError { said, ..process.failed(Failure::IllegalMove, error.to_string()) }
        })?;
        let used = process.used();
        let stats = Stats {
            elapsed: began.elapsed(),
            charged: Some(used.saturating_sub(running.charged)),
            memory: process.peak() as usize,
            ..Stats::default()
        };
        running.charged = used;
        Ok(Choice { said: Some(text), stats, ..Choice::from(mv) })
    }

    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        self.call = Call::Turn;
        let running = self.running.as_mut().expect("a game has begun");
        if game.outcome().is_some() && !running.reports_last_move {
            return Ok(());
        }
        let mover = game.now().turn().opponent();
        let text = choice.said.clone().unwrap_or_else(|| game.now().show_move(choice.mv));
        running.report_move(mover, &text, &mut unwatched)
    }

    fn end(&mut self, _game: &Record) {
        self.running = None;
    }
}
