//! An engine as an agent.

use std::time::{Duration, Instant};

use yarra_engine::fault::cut;
use yarra_engine::time::THINK_TIME;
use yarra_engine::{
    Agent, AgentError, Choice, Failure, Fault, Iteration, Limits, Progress, Score, Stats, Watch,
};
use yarra_games::{ByPlayer, GameSpec, Move, Player, Record};

use super::command::Command;
use super::go::Go;
use super::lines::LONGEST_LINE;
use super::reply::{EngineOption, Info, Reply};

/// A connection to an engine: a process on pipes, or a script in a test.
pub trait Lines: Send {
    /// Sends a line, given without its line ending.
    ///
    /// # Errors
    /// If the engine no longer reads its input.
    fn send(&mut self, line: &str) -> Result<(), AgentError>;

    /// Sends several lines, in one write if that is faster.
    ///
    /// # Errors
    /// If the engine no longer reads its input.
    fn send_all(&mut self, lines: &[&str]) -> Result<(), AgentError> {
        lines.iter().try_for_each(|line| self.send(line))
    }

    /// The next line without its line ending; `None` if none arrived within `wait`. A line longer than
    /// [`LONGEST_LINE`] may be truncated to one byte more.
    ///
    /// # Errors
    /// If no more lines can arrive: the engine has exited or was killed.
    fn receive(&mut self, wait: Duration) -> Result<Option<String>, AgentError>;

    /// The time since the last line was sent, as far as it counts against the engine; `None` for wall-clock time.
    fn waited(&self) -> Option<Duration> {
        None
    }
}

/// An agent that asks an engine for its moves.
pub struct Client<T: Lines> {
    lines: T,
    name: String,
    options: Vec<EngineOption>,
    patience: Duration,
}

/// The most options that are kept, and the longest text of one.
const MAX_OPTIONS: usize = 256;
const MAX_OPTION_TEXT: usize = 1000;
/// The longest name of an engine.
const MAX_NAME: usize = 200;
/// The most iterations of a search that are kept, and the longest line of one.
const MAX_ITERATIONS: usize = 128;
const MAX_LINE_MOVES: usize = 64;

/// How long to wait for a line before checking whether to stop.
const TICK: Duration = Duration::from_millis(20);

/// How long to wait beyond the time for a move, or after `stop`. The referee is stricter.
const OVERTIME: Duration = Duration::from_secs(1);

impl<T: Lines> Client<T> {
    /// Connects to an engine and sets its options. Each answer that needs no search must arrive within `patience`.
    ///
    /// # Errors
    /// If it violates the protocol or lacks an option.
    pub fn connect(
        lines: T,
        chosen: &[(String, String)],
        patience: Duration,
    ) -> Result<Client<T>, AgentError> {
        let mut client = Client { lines, name: String::new(), options: Vec::new(), patience };
        client.shake_hands()?;
        for (name, value) in chosen {
            if !client.options.iter().any(|option| option.name == *name) {
                let names: Vec<_> = client.options.iter().map(|option| option.name.as_str()).collect();
                let message = format!("the engine has no option {name:?}; there are {}", names.join(", "));
                return Err(AgentError::new(Failure::Protocol, message));
            }
            client.send(&Command::SetOption { name: name.clone(), value: value.clone() })?;
        }
        client.wait_until_ready()?;
        Ok(client)
    }

    /// The engine's name; empty if it gave none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine's options.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// The connection to the engine.
    pub fn lines(&mut self) -> &mut T {
        &mut self.lines
    }

    fn shake_hands(&mut self) -> Result<(), AgentError> {
        self.send(&Command::Ugi)?;
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.receive_by(deadline, "ugiok")?;
            // Some programs print a greeting before they read `ugi`.
            let Ok(reply) = Reply::read(&line) else { continue };
            match reply {
                Some(Reply::Name(name)) => self.name = cut(name, MAX_NAME),
                // Real engines have less; the rest must not fill the memory.
                Some(Reply::Option(_))
                    if MAX_OPTIONS <= self.options.len() || MAX_OPTION_TEXT < line.len() => {}
                Some(Reply::Option(option)) => self.options.push(option),
                Some(Reply::UgiOk) => return Ok(()),
                Some(Reply::Author(_) | Reply::Info(_)) | None => {}
                Some(_) => return Err(out_of_place(&line, "ugiok")),
            }
        }
    }

    fn wait_until_ready(&mut self) -> Result<(), AgentError> {
        self.send(&Command::IsReady)?;
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.receive_by(deadline, "readyok")?;
            match read(&line)? {
                Some(Reply::ReadyOk) => return Ok(()),
                Some(Reply::Info(_)) | None => {}
                Some(_) => return Err(out_of_place(&line, "readyok")),
            }
        }
    }

    /// Waits for `bestmove` and reads the `info` lines before it. Sends `stop` when the watch breaks.
    fn wait_for_move(
        &mut self,
        game: &Record,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, AgentError> {
        let mut heard = Heard::new(game);
        // Only the referee checks the clock.
        let time_up = limits.move_time.map(|time| time.saturating_add(OVERTIME));
        let (mut is_ready, mut stopped) = (false, None);
        loop {
            let line = self.receive(TICK)?;
            match line.as_deref().map(read).transpose()?.flatten() {
                Some(Reply::ReadyOk) if !is_ready => {
                    is_ready = true;
                    continue;
                }
                Some(Reply::BestMove(text)) if is_ready => return heard.choice(&text),
                Some(Reply::Info(info)) => heard.add(&info),
                None => {}
                Some(_) => {
                    let expected = if is_ready { "bestmove" } else { "readyok" };
                    return Err(out_of_place(&line.unwrap_or_default(), expected));
                }
            }
            if watch(&heard.progress()).is_break() && stopped.is_none() {
                stopped = Some(Instant::now());
                self.send(&Command::Stop)?;
            }
            let waited = self.lines.waited().unwrap_or_else(|| heard.elapsed());
            let is_deaf = stopped.is_some_and(|stopped: Instant| OVERTIME < stopped.elapsed());
            if is_deaf || time_up.is_some_and(|allowed| allowed < waited) {
                let elapsed = heard.elapsed();
                return Err(AgentError::new(Failure::Time, format!("no move after {elapsed:.3?}")));
            }
        }
    }

    fn send(&mut self, command: &Command) -> Result<(), AgentError> {
        self.lines.send(&command.to_string())
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<String>, AgentError> {
        let line = self.lines.receive(wait)?;
        if line.as_ref().is_some_and(|line| LONGEST_LINE < line.len()) {
            let message = format!("sent a line of more than {LONGEST_LINE} bytes");
            return Err(AgentError::new(Failure::Protocol, message));
        }
        Ok(line)
    }

    /// The next line before `expected` arrives.
    fn receive_by(&mut self, deadline: Instant, expected: &str) -> Result<String, AgentError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = if left.is_zero() { None } else { self.receive(left)? };
        line.ok_or_else(|| {
            AgentError::new(Failure::Silence, format!("did not send `{expected}` within {:?}", self.patience))
        })
    }
}

fn read(line: &str) -> Result<Option<Reply>, AgentError> {
    Reply::read(line)
        .map_err(|error| AgentError::new(Failure::Protocol, format!("sent an invalid line: {error}")))
}

fn out_of_place(line: &str, expected: &str) -> AgentError {
    AgentError::new(Failure::Protocol, format!("sent {line:?} where `{expected}` was expected"))
}

impl<T: Lines> Agent for Client<T> {
    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.send(&Command::NewGame)?;
        self.wait_until_ready()
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        // `readyok` separates the answer to `go` from anything sent too early or twice.
        let commands = [position_of(game), Command::IsReady, Command::Go(go_within(limits))];
        let lines = commands.map(|command| command.to_string());
        self.lines.send_all(&lines.each_ref().map(String::as_str))?;
        self.wait_for_move(game, limits, watch)
    }
}

/// Tells the engine to quit.
impl<T: Lines> Drop for Client<T> {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.send(&Command::Quit);
    }
}

fn position_of(game: &Record) -> Command {
    let first = game.start();
    let fen = (!GameSpec::is_start(first)).then(|| first.to_string());
    Command::Position { fen, moves: game.moves().iter().map(|&m| first.show_move(m)).collect() }
}

/// An agent knows only its own clock, which is sent for both players.
fn go_within(limits: Limits) -> Go {
    let Limits { depth, nodes, move_time, clock } = limits;
    let is_free = limits == Limits::default();
    Go {
        depth,
        nodes,
        move_time: move_time.or(is_free.then_some(THINK_TIME)),
        times: ByPlayer::from_fn(|_| clock),
        increments: ByPlayer::from_fn(|_| clock.map(|_| Duration::ZERO)),
        is_infinite: false,
    }
}

/// What an engine has reported about its search.
struct Heard<'a> {
    game: &'a Record,
    started: Instant,
    depth: u32,
    score: Option<Score>,
    nodes: u64,
    line: Vec<Move>,
    iterations: Vec<Iteration>,
}

impl<'a> Heard<'a> {
    fn new(game: &'a Record) -> Heard<'a> {
        let (started, iterations) = (Instant::now(), Vec::new());
        Heard { game, started, depth: 0, score: None, nodes: 0, line: Vec::new(), iterations }
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn add(&mut self, info: &Info) {
        self.nodes = info.nodes.unwrap_or(self.nodes);
        // Only the best of several lines matters.
        if info.rank.is_some_and(|rank| 1 < rank) {
            return;
        }
        self.depth = info.depth.unwrap_or(self.depth);
        self.score = info.score.or(self.score);
        if !info.line.is_empty() {
            self.line = self.read_line(&info.line);
        }
        let (Some(depth), Some(score)) = (info.depth.filter(|&depth| 0 < depth), info.score) else { return };
        self.iterations.retain(|iteration| iteration.depth < depth);
        if MAX_ITERATIONS <= self.iterations.len() {
            return;
        }
        let nodes_before: u64 = self.iterations.iter().map(|iteration| iteration.nodes).sum();
        let nodes = self.nodes.saturating_sub(nodes_before);
        let elapsed = info.time.unwrap_or_else(|| self.elapsed());
        self.iterations.push(Iteration { depth, score, line: self.line.clone(), nodes, elapsed });
    }

    /// The moves of a line, as far as they are legal.
    fn read_line(&self, words: &[String]) -> Vec<Move> {
        let mut game = self.game.clone();
        let moves = words.iter().take(MAX_LINE_MOVES).map_while(|word| {
            let m = game.read_move(word).ok()?;
            game.play(m);
            Some(m)
        });
        moves.collect()
    }

    fn progress(&self) -> Progress<'_> {
        let score = self.score.unwrap_or_default();
        let elapsed = self.elapsed();
        Progress { rank: 0, depth: self.depth, score, nodes: self.nodes, line: &self.line, elapsed }
    }

    fn choice(self, text: &str) -> Result<Choice, AgentError> {
        let illegal = |error| {
            Fault::new(Failure::IllegalMove, format!("played {text:?}: {error}"))
                .with_said(Some(text.to_owned()))
        };
        let mv = self.game.read_move(text).map_err(illegal)?;
        let elapsed = self.elapsed();
        let is_expected = self.line.first() == Some(&mv);
        let line = if is_expected { self.line } else { vec![mv] };
        // It runs in another process, so wall-clock time is charged.
        let charged = Some(elapsed);
        let stats =
            Stats { nodes: self.nodes, iterations: self.iterations, elapsed, charged, ..Stats::default() };
        Ok(Choice { mv, said: None, score: self.score, line, stats })
    }
}
