//! An agent as an engine: it reads commands, sends replies, and searches on a separate thread.
//!
//! Everything is an event in one queue: a line of input, progress of the search, its end. Only one thread writes,
//! so there are no locks.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::{fmt, mem, thread};

use yarra_engine::{AgentError, Choice, SpecError, Stop};
use yarra_games::{ParseError, Player, Position, Record};

use super::command::{Command, Query};
use super::go::Go;
use super::lines::{LONGEST_LINE, Line, read_line};
use super::program::{Program, ServeError};
use super::reply::{Answer, Info, Reply};
use super::thinker::{InfoFilter, Thinker};

/// The time to finish all work after the end of the input: the match runner may have died.
const INPUT_GRACE: Duration = Duration::from_secs(10);

/// The time for a search to stop after `quit`; then the program ends without its answer.
const STOP_GRACE: Duration = Duration::from_secs(1);

/// Speaks UGI until `quit` or the end of the input.
///
/// # Errors
/// If the agent cannot be made or fails, or if reading or writing fails.
pub fn serve(
    program: &Program<'_>,
    input: impl BufRead + Send + 'static,
    out: impl Write,
) -> Result<(), ServeError> {
    let (sender, events) = channel();
    let mut server = Server::new(program, out, sender.clone())?;
    // This thread is not joined: it may be blocked in a read at the end.
    thread::spawn(move || read_lines(input, &sender));
    server.run(&events)
}

/// A search for the worker thread.
type Work = Box<dyn FnOnce() + Send>;

/// A thread for all searches: starting one for each would take longer than a quick move.
fn worker() -> Sender<Work> {
    let (sender, works) = channel::<Work>();
    thread::spawn(move || works.into_iter().for_each(|work| work()));
    sender
}

enum Event {
    Line(Line),
    EndOfInput(io::Result<()>),
    Info(Info),
    Chosen(Box<Thinker>, Box<Result<Choice, AgentError>>),
}

fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = match read_line(&mut input) {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::EndOfInput(Ok(())),
            Err(error) => Event::EndOfInput(Err(error)),
        };
        let is_end = matches!(event, Event::EndOfInput(_));
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

struct Server<'a, W> {
    program: &'a Program<'a>,
    out: W,
    events: Sender<Event>,
    /// The thread that searches.
    work: Sender<Work>,
    chosen: BTreeMap<String, String>,
    game: Record,
    /// `None` while it searches.
    thinker: Option<Box<Thinker>>,
    search: Option<RunningSearch>,
    /// Commands received during a search that wait for its end.
    pending: VecDeque<Result<Command, ParseError>>,
    /// When all work must be finished, once the input has ended.
    deadline: Option<Instant>,
    is_quitting: bool,
}

/// A search without a `bestmove` yet.
struct RunningSearch {
    stop: Stop,
    /// Whether `bestmove` waits for `stop`.
    is_infinite: bool,
    /// The best move, once the search has finished.
    best: Option<String>,
}

impl RunningSearch {
    fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }

    fn stop(&mut self) {
        self.stop.raise();
    }

    fn answer(&self) -> Option<String> {
        self.best.clone().filter(|_| !self.is_infinite || self.is_stopped())
    }
}

impl<'a, W: Write> Server<'a, W> {
    fn new(program: &'a Program<'a>, out: W, events: Sender<Event>) -> Result<Server<'a, W>, ServeError> {
        let game = Record::new(program.game.start());
        let chosen = BTreeMap::new();
        let thinker = Some(make(program, game.now(), &chosen).map_err(ServeError::Spec)?);
        let (search, pending, deadline, is_quitting) = (None, VecDeque::new(), None, false);
        let work = worker();
        Ok(Server {
            program,
            out,
            events,
            work,
            chosen,
            game,
            thinker,
            search,
            pending,
            deadline,
            is_quitting,
        })
    }

    fn run(&mut self, events: &Receiver<Event>) -> Result<(), ServeError> {
        let done = self.run_on(events);
        // No result is needed any more.
        if let Some(search) = &mut self.search {
            search.stop();
        }
        done
    }

    fn run_on(&mut self, events: &Receiver<Event>) -> Result<(), ServeError> {
        while !self.is_over() {
            match self.next(events) {
                None if self.is_quitting => return Ok(()),
                None => self.quit(),
                Some(Event::Line(Line::TooLong)) => {
                    self.notify(format!("expected a line of at most {LONGEST_LINE} bytes"))?;
                }
                Some(Event::Line(Line::Text(line))) => {
                    if let Some(command) = Command::read(&line).transpose() {
                        self.handle(command)?;
                    }
                }
                Some(Event::EndOfInput(end)) => {
                    end?;
                    self.deadline = Some(Instant::now() + INPUT_GRACE);
                    self.stop_infinite();
                }
                Some(Event::Info(info)) => self.send(Reply::Info(info))?,
                Some(Event::Chosen(thinker, chosen)) => {
                    self.thinker = Some(thinker);
                    let choice = (*chosen).map_err(ServeError::Agent)?;
                    if let Some(search) = &mut self.search {
                        search.best = Some(self.game.now().show_move(choice.mv));
                    }
                }
            }
            self.finish_search()?;
        }
        Ok(())
    }

    /// The next event; `None` after the deadline.
    fn next(&self, events: &Receiver<Event>) -> Option<Event> {
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        // Our own sender keeps the queue open.
        match left {
            None => events.recv().ok(),
            Some(left) => events.recv_timeout(left).ok(),
        }
    }

    fn is_over(&self) -> bool {
        let is_idle = self.search.is_none() && self.pending.is_empty();
        is_idle && self.deadline.is_some()
    }

    /// Executes a command. During a search most commands are queued, to be executed in order.
    fn handle(&mut self, command: Result<Command, ParseError>) -> Result<(), ServeError> {
        match (&command, &mut self.search) {
            (Ok(Command::IsReady | Command::Quit), _) | (_, None) => return self.execute(command),
            (Ok(Command::Stop), Some(search)) if !search.is_stopped() => search.stop(),
            (_, Some(_)) => self.pending.push_back(command),
        }
        Ok(())
    }

    /// Answers a finished search, then executes the queued commands.
    fn finish_search(&mut self) -> Result<(), ServeError> {
        let Some(best) = self.search.as_ref().and_then(RunningSearch::answer) else { return Ok(()) };
        self.search = None;
        self.send(Reply::BestMove(best))?;
        for command in mem::take(&mut self.pending) {
            self.handle(command)?;
        }
        Ok(())
    }

    fn quit(&mut self) {
        self.is_quitting = true;
        self.deadline = Some(Instant::now() + STOP_GRACE);
        self.pending.clear();
        if let Some(search) = &mut self.search {
            search.stop();
        }
    }

    fn stop_infinite(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.is_infinite) {
            search.stop();
        }
    }

    /// Executes a command while no search runs.
    fn execute(&mut self, command: Result<Command, ParseError>) -> Result<(), ServeError> {
        match command {
            Err(error) => self.notify(error),
            Ok(Command::Ugi) => self.introduce(),
            Ok(Command::IsReady) => self.send(Reply::ReadyOk),
            Ok(Command::NewGame) => self.new_game(),
            Ok(Command::SetOption { name, value }) => self.set_option(&name, value),
            Ok(Command::Position { fen, moves }) => self.set_position(fen.as_deref(), &moves),
            Ok(Command::Go(go)) => self.go(&go),
            Ok(Command::Query(query)) => self.send(Reply::Response(self.answer(query))),
            // The search may have ended while the command was on its way.
            Ok(Command::Stop) => Ok(()),
            Ok(Command::Quit) => {
                self.quit();
                Ok(())
            }
        }
    }

    fn introduce(&mut self) -> Result<(), ServeError> {
        self.send(Reply::Name(self.program.name.clone()))?;
        self.send(Reply::Author(self.program.author.clone()))?;
        for option in &self.program.options {
            self.send(Reply::Option(option.clone()))?;
        }
        self.send(Reply::UgiOk)
    }

    fn new_game(&mut self) -> Result<(), ServeError> {
        if let Some(thinker) = &mut self.thinker {
            thinker.forget();
        }
        self.set_position(None, &[])
    }

    fn set_option(&mut self, name: &str, value: String) -> Result<(), ServeError> {
        let options = &self.program.options;
        let Some(option) = options.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
            let names: Vec<_> = options.iter().map(|option| option.name.as_str()).collect();
            return self.notify(format!("no option {name:?}; there are {}", names.join(", ")));
        };
        let mut chosen = self.chosen.clone();
        chosen.insert(option.name.clone(), value);
        match make(self.program, self.game.now(), &chosen) {
            Err(error) => self.notify(error),
            Ok(thinker) => {
                (self.chosen, self.thinker) = (chosen, Some(thinker));
                Ok(())
            }
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), ServeError> {
        // A position determines its own size.
        let game = self.program.game;
        let spec = if fen.is_some() { game.name().to_owned() } else { game.to_string() };
        let game = match Record::read(&spec, fen, moves.iter().map(String::as_str)) {
            Ok(game) => game,
            Err(error) => return self.notify(error),
        };
        if game.now().spec() != self.game.now().spec() {
            match make(self.program, game.now(), &self.chosen) {
                Ok(thinker) => self.thinker = Some(thinker),
                Err(error) => return self.notify(error),
            }
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), ServeError> {
        if let Some(outcome) = self.game.outcome() {
            self.notify(format!("no move, for the game is over ({})", outcome.reason))?;
            return self.send(Reply::BestMove(NO_MOVE.to_owned()));
        }
        let Some(mut thinker) = self.thinker.take() else { return Ok(()) };
        let stop = Stop::new();
        let search = RunningSearch { stop: stop.clone(), is_infinite: go.is_infinite, best: None };
        self.search = Some(search);
        if self.deadline.is_some() {
            self.stop_infinite();
        }
        let (game, events, limits) = (self.game.clone(), self.events.clone(), go.limits(self.game.now()));
        let work = Box::new(move || {
            // If the receiver is gone, the stop flag is raised as well.
            let report = |info: Option<Info>| {
                if let Some(info) = info {
                    let _ = events.send(Event::Info(info));
                }
            };
            let mut filter = InfoFilter::new(&game);
            let chosen = thinker.choose(&game, limits, &mut |progress| {
                report(filter.progress(progress));
                stop.flow()
            });
            if let Ok(choice) = &chosen {
                report(filter.finish(choice));
            }
            let _ = events.send(Event::Chosen(thinker, Box::new(chosen)));
        });
        // The worker lives as long as the server.
        let _ = self.work.send(work);
        Ok(())
    }

    fn answer(&self, query: Query) -> Answer {
        let outcome = self.game.outcome();
        match (query, outcome.map(|outcome| outcome.winner)) {
            (Query::GameOver, _) => outcome.is_some().into(),
            (Query::P1Turn, _) => (self.game.now().turn() == Player::Red).into(),
            (Query::Result, None) => Answer::None,
            (Query::Result, Some(None)) => Answer::Draw,
            (Query::Result, Some(Some(Player::Red))) => Answer::P1Win,
            (Query::Result, Some(Some(Player::Blue))) => Answer::P2Win,
        }
    }

    /// Sends a message as `info string`.
    fn notify(&mut self, text: impl fmt::Display) -> Result<(), ServeError> {
        self.send(Reply::Info(Info::text(text)))
    }

    fn send(&mut self, reply: Reply) -> Result<(), ServeError> {
        writeln!(self.out, "{reply}")?;
        Ok(self.out.flush()?)
    }
}

/// The `bestmove` of a game that is over.
const NO_MOVE: &str = "none";

fn make(
    program: &Program<'_>,
    pos: &dyn Position,
    chosen: &BTreeMap<String, String>,
) -> Result<Box<Thinker>, SpecError> {
    let (agent, limits) = (program.make)(pos, chosen)?;
    Ok(Box::new(Thinker::new(agent, limits)))
}
