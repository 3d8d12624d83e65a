//! An engine as an agent.

use std::time::{Duration, Instant};

use yarra_engine::time::THINK_TIME;
use yarra_engine::{Agent, AgentError, Choice, Failure, Iteration, Limits, Progress, Score, Stats, Watch};
use yarra_games::{ByPlayer, GameSpec, Move, Player, Record};

use super::command::{Command, Go};
use super::lines::LONGEST_LINE;
use super::reply::{EngineOption, Info, Reply};

/// The way to an engine and back: a process on pipes, or a script in a test.
pub trait Lines: Send {
    /// Sends a line, which has no end yet.
    ///
    /// # Errors
    /// If the engine does not listen any more.
    fn send(&mut self, line: &str) -> Result<(), AgentError>;

    /// Sends several lines, in one go where that is quicker.
    ///
    /// # Errors
    /// If the engine does not listen any more.
    fn send_all(&mut self, lines: &[&str]) -> Result<(), AgentError> {
        lines.iter().try_for_each(|line| self.send(line))
    }

    /// The next line without its end; `None` if none came within `wait`. Of one that is longer than
    /// [`LONGEST_LINE`] a byte more is enough to tell.
    ///
    /// # Errors
    /// If no line can come any more: the engine has ended, or was ended.
    fn receive(&mut self, wait: Duration) -> Result<Option<String>, AgentError>;
}

/// An agent that asks an engine for its moves.
pub struct Client<T: Lines> {
    lines: T,
    name: String,
    options: Vec<EngineOption>,
    patience: Duration,
}

/// How long to wait for a line before looking whether anybody still wants the move.
const TICK: Duration = Duration::from_millis(20);

/// What an engine may take beyond its time before nobody waits any more. The referee is stricter.
const OVERTIME: Duration = Duration::from_secs(1);

impl<T: Lines> Client<T> {
    /// Gets to know an engine and chooses its options. It has `patience` for each answer that needs no
    /// thinking.
    ///
    /// # Errors
    /// If it does not answer as an engine should, or has no such option.
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

    /// What the engine calls itself; empty if it does not.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What can be chosen.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// The way to the engine.
    pub fn lines(&mut self) -> &mut T {
        &mut self.lines
    }

    fn shake_hands(&mut self) -> Result<(), AgentError> {
        self.send(&Command::Ugi)?;
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.receive_by(deadline, "ugiok")?;
            // Some programs greet before they hear which language is spoken.
            let Ok(reply) = Reply::read(&line) else { continue };
            match reply {
                Some(Reply::Name(name)) => self.name = name,
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

    /// Waits for `bestmove`, hears what is said before, and says `stop` once the move is not wanted any more.
    fn wait_for_move(
        &mut self,
        game: &Record,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, AgentError> {
        let mut heard = Heard::new(game);
        // Whose clock it is, and how it counts, only the referee knows.
        let mut time_up = limits.move_time.map(|time| time + OVERTIME);
        let (mut is_ready, mut is_stopped) = (false, false);
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
                Some(_) => return Err(out_of_place(&line.unwrap_or_default(), "bestmove")),
            }
            if watch(&heard.progress()).is_break() && !is_stopped {
                is_stopped = true;
                self.send(&Command::Stop)?;
                time_up = time_up.into_iter().chain([heard.elapsed() + self.patience]).min();
            }
            if let Some(allowed) = time_up.filter(|&allowed| allowed < heard.elapsed()) {
                return Err(AgentError::new(Failure::Time, format!("no move after {allowed:.3?}")));
            }
        }
    }

    fn send(&mut self, command: &Command) -> Result<(), AgentError> {
        self.lines.send(&command.to_string())
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<String>, AgentError> {
        let line = self.lines.receive(wait)?;
        if line.as_ref().is_some_and(|line| LONGEST_LINE < line.len()) {
            let message = format!("said a line of more than {LONGEST_LINE} bytes");
            return Err(AgentError::new(Failure::Protocol, message));
        }
        Ok(line)
    }

    /// The next line, on the way to one that is waited for.
    fn receive_by(&mut self, deadline: Instant, expected: &str) -> Result<String, AgentError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = if left.is_zero() { None } else { self.receive(left)? };
        line.ok_or_else(|| {
            AgentError::new(Failure::Silence, format!("did not say `{expected}` within {:?}", self.patience))
        })
    }
}

fn read(line: &str) -> Result<Option<Reply>, AgentError> {
    Reply::read(line).map_err(|error| AgentError::new(Failure::Protocol, format!("said nonsense: {error}")))
}

fn out_of_place(line: &str, expected: &str) -> AgentError {
    AgentError::new(Failure::Protocol, format!("said {line:?} where `{expected}` was waited for"))
}

impl<T: Lines> Agent for Client<T> {
    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.send(&Command::NewGame)?;
        self.wait_until_ready()
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        // Nothing that was said too early or too often can pass for the answer to `go`: it comes after `readyok`.
        let commands = [position_of(game), Command::IsReady, Command::Go(go_within(limits))];
        let lines = commands.map(|command| command.to_string());
        self.lines.send_all(&lines.each_ref().map(String::as_str))?;
        self.wait_for_move(game, limits, watch)
    }
}

/// An engine that is not needed any more is told so.
impl<T: Lines> Drop for Client<T> {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.send(&Command::Quit);
    }
}

fn position_of(game: &Record) -> Command {
    let first = game.start();
    let fen = (!GameSpec::is_start(first)).then(|| first.to_string());
    Command::Position { fen, moves: game.moves().iter().map(|&m| first.show_move(m)).collect() }
}

/// An agent knows its own clock only, so that stands for both.
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

/// What an engine has said about its search.
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
        // Only the best of several lines is the one to be played.
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
        let nodes_before: u64 = self.iterations.iter().map(|iteration| iteration.nodes).sum();
        let nodes = self.nodes.saturating_sub(nodes_before);
        let elapsed = info.time.unwrap_or_else(|| self.elapsed());
        self.iterations.push(Iteration { depth, score, line: self.line.clone(), nodes, elapsed });
    }

    /// The moves of a line, as far as they are legal.
    fn read_line(&self, words: &[String]) -> Vec<Move> {
        let mut game = self.game.clone();
        let moves = words.iter().map_while(|word| {
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
        let illegal = |error| AgentError {
            said: Some(text.to_owned()),
            ..AgentError::new(Failure::IllegalMove, format!("played {text:?}: {error}"))
        };
        let mv = self.game.read_move(text).map_err(illegal)?;
        let elapsed = self.elapsed();
        let is_expected = self.line.first() == Some(&mv);
        let line = if is_expected { self.line } else { vec![mv] };
        // It works elsewhere, so only the wall's clock tells how long it took.
        let charged = Some(elapsed);
        let stats =
            Stats { nodes: self.nodes, iterations: self.iterations, elapsed, charged, ..Stats::default() };
        Ok(Choice { mv, said: None, score: self.score, line, stats })
    }
}
