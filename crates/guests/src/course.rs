//! A course agent: Python code, called as the official referee of its game calls it.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use yarra_engine::{
    Agent, AgentError, Choice, Failure, Fault, Limits, Progress, RefereeError, Score, Stats, Watch,
};
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
    /// Whether its calls of our `referee` package are counted, which takes time.
    pub is_counted: bool,
}

/// A course agent in its own process, which lives for one game.
pub struct CourseAgent {
    program: CourseProgram,
    /// The seed of its random numbers, unless it seeds them itself.
    seed: u64,
    allowance: Allowance,
    layers: Layers,
    running: Option<Running>,
    /// The last call.
    call: Call,
}

struct Running {
    process: Process,
    /// CPU time that is left for garbage collection off the clock.
    free_collection: Duration,
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
    pub fn new(program: CourseProgram, seed: u64, allowance: Allowance, layers: Layers) -> CourseAgent {
        CourseAgent { program, seed, allowance, layers, running: None, call: Call::Start }
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

    /// The CPU time that the official `referee` package would have taken more than ours so far, least and most, for an
    /// agent whose calls are counted.
    pub fn official_surplus(&mut self, watch: Poll<'_>) -> Option<[Duration; 2]> {
        let running = self.running.as_mut().filter(|_| self.program.is_counted)?;
        let reply = running.call(json!({ "call": "counts" }), watch).ok()?;
        let [_, least, most]: [f64; 3] = serde_json::from_value(reply.ok).ok()?;
        Some([Duration::try_from_secs_f64(least).ok()?, Duration::try_from_secs_f64(most).ok()?])
    }

    /// Starts the agent's process and imports its package.
    fn start_process(&mut self, side: Player, game: &Record, watch: Poll<'_>) -> Result<Running, AgentError> {
        let failed = |error| {
            RefereeError::new(format!("start the agent in {}", self.program.folder.display()), &error)
        };
        let program = &self.program;
        let spec = game.start().spec();
        let course = spec.info().course.expect("the host refuses games without a course referee");
        let mut view =
            View::new(&program.folder, &program.interpreter.folders_with_ours()).map_err(failed)?;
        if program.is_package {
            view = view.within_home(&program.package);
        }
        // Python takes 32 bits; 0 would switch the randomness of hashes off.
        let hash_seed = (self.seed as u32).max(1).to_string();
        let mut jail = Jail::new(self.layers.clone(), view).with_variable("PYTHONHASHSEED", &hash_seed);
        if course.memory_is_shared {
            // The first thread reserves 128 MB for a heap of its own: more than the half that we give each player.
            jail = jail.with_variable("MALLOC_ARENA_MAX", "1");
        }
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
            "seed": self.seed,
            "counts": program.is_counted,
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
        let inner = if program.is_package { program.package.as_str() } else { "" };
        process.set_home(&jail.home().join(inner), &program.folder);
        process.receive(watch).map_err(|error| not_started(error, watch))?;
        process.receive(watch)?;
        process.set_baseline();
        let cpu = process.cpu();
        self.call = Call::Import;
        process.send("{}");
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
        let free_collection = free_collection(&self.allowance);
        Ok(Running { process, free_collection, charged: Duration::ZERO, reports_last_move, startup })
    }
}

/// The error of an interpreter that has not come as far as the agent's own code. An interruption stays one.
fn not_started(error: AgentError, watch: Poll<'_>) -> AgentError {
    match error {
        AgentError::Fault(Fault { message, output, .. }) if watch().is_continue() => {
            let last_words = output.lines().last().unwrap_or_default();
            let cause = format!("{message} {last_words}").trim_end().to_owned();
            RefereeError { tried: "start Python in the sandbox".to_owned(), cause, is_passing: false }.into()
        }
        error => error,
    }
}

/// CPU time for garbage collection after a call that is not charged. An agent can run its own code in a collection, by
/// finalizers, so that there must not be much of it.
const MAX_FREE_COLLECTION: Duration = Duration::from_millis(50);

/// The same for a whole game: a second, and a twentieth of the clock.
fn free_collection(allowance: &Allowance) -> Duration {
    allowance.time.map_or(Duration::MAX, |time| Duration::from_secs(1) + time / 20)
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
        Some((message, failure)) => Err(process.fault(failure, message).with_said(reply.said.clone()).into()),
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
        process.send(&request.to_string());
        let line = process.receive(watch)?;
        process.stop_clock()?;
        let reply = parse_reply(process, &line)?;
        if process.has_helpers() {
            // Threads or processes could think while garbage is collected: no collection for them.
            process.continue_clock_after(Duration::ZERO);
        } else {
            let (free, before) = (MAX_FREE_COLLECTION.min(self.free_collection), process.cpu());
            process.continue_clock_after(free);
            process.send_within_call(&json!({ "call": "collect" }).to_string());
            process.receive(watch)?;
            self.free_collection -= process.cpu().saturating_sub(before).min(free);
        }
        // What it does until it is suspended is on its clock.
        process.suspend();
        process.stop_clock()?;
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
            process.fault(Failure::IllegalMove, error.to_string()).with_said(said)
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
