//! An agent as an engine: commands come in, replies go out, and a search runs on a thread of its own.
//!
//! Everything that happens is an event in one queue: a line from outside, words of the search, its end. So
//! only one thread ever writes, and nothing is locked.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::{fmt, mem, thread};

use yarra_engine::{Agent, AgentError, Choice, Limits, SpecError, Stop};
use yarra_games::{ParseError, Player, Position, Record};

use super::command::{Command, Go, Query};
use super::lines::{LONGEST_LINE, Line, read_line};
use super::reply::{Answer, EngineOption, Info, Reply};
use super::thinker::{Teller, Thinker};

/// What an engine is.
pub struct Program<'a> {
    /// Its name.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// The game that it plays, such as `cachex:9`; the size is that of `startpos`.
    pub game: String,
    /// What can be chosen.
    pub options: Vec<EngineOption>,
    /// Makes the agent for a position's game with what was chosen; its own limits come with it.
    pub make: &'a MakeAgent<'a>,
}

/// Makes an agent for the game of a position, from options by their names.
pub type MakeAgent<'a> =
    dyn Fn(&dyn Position, &BTreeMap<String, String>) -> Result<(Box<dyn Agent>, Limits), SpecError> + 'a;

/// Why an engine could not go on.
#[derive(Debug)]
pub enum ServeError {
    /// Reading or writing failed.
    Io(io::Error),
    /// The game's name is wrong.
    Game(ParseError),
    /// The agent cannot be made.
    Spec(SpecError),
    /// The agent failed.
    Agent(AgentError),
}

/// Whoever has closed our input may have died: what is left to do must be done in this time.
const GRACE: Duration = Duration::from_secs(10);

/// What a search that was told to stop may take until nobody waits for its answer any more.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Speaks UGI until `quit` or the end of the input.
///
/// # Errors
/// If the program cannot be made, its agent fails, or reading or writing does.
pub fn serve(
    program: &Program<'_>,
    input: impl BufRead + Send + 'static,
    out: impl Write,
) -> Result<(), ServeError> {
    let (sender, events) = channel();
    let mut server = Server::new(program, out, sender.clone())?;
    // Nobody waits for this thread: it may be deep in a read when all is over.
    thread::spawn(move || listen(input, &sender));
    server.run(&events)
}

/// A search, for a thread that does one after the other.
type Work = Box<dyn FnOnce() + Send>;

/// A thread that does what it is sent; one for all searches, as starting it takes longer than a quick move.
fn worker() -> Sender<Work> {
    let (sender, works) = channel::<Work>();
    thread::spawn(move || works.into_iter().for_each(|work| work()));
    sender
}

enum Event {
    Line(Line),
    EndOfInput(io::Result<()>),
    Told(Info),
    Chosen(Box<Thinker>, Box<Result<Choice, AgentError>>),
}

fn listen(mut input: impl BufRead, events: &Sender<Event>) {
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
    /// Away while it searches.
    thinker: Option<Box<Thinker>>,
    search: Option<Search>,
    /// What was said during a search and has to wait for its end.
    held: VecDeque<Result<Command, ParseError>>,
    /// When everything has to be over, once no more commands come.
    deadline: Option<Instant>,
    is_leaving: bool,
}

/// A search that has not been answered.
struct Search {
    stop: Stop,
    /// Whether the answer waits for `stop`.
    is_infinite: bool,
    /// The answer, once there is one.
    best: Option<String>,
}

impl Search {
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
        let game = Record::read(&program.game, None, []).map_err(ServeError::Game)?;
        let chosen = BTreeMap::new();
        let thinker = Some(make(program, game.now(), &chosen).map_err(ServeError::Spec)?);
        let (search, held, deadline, is_leaving) = (None, VecDeque::new(), None, false);
        let work = worker();
        Ok(Server { program, out, events, work, chosen, game, thinker, search, held, deadline, is_leaving })
    }

    fn run(&mut self, events: &Receiver<Event>) -> Result<(), ServeError> {
        let done = self.run_on(events);
        // Nobody is left to hear what a search would find.
        if let Some(search) = &mut self.search {
            search.stop();
        }
        done
    }

    fn run_on(&mut self, events: &Receiver<Event>) -> Result<(), ServeError> {
        while !self.is_over() {
            match self.next(events) {
                None if self.is_leaving => return Ok(()),
                None => self.leave(),
                Some(Event::Line(Line::TooLong)) => {
                    self.note(format!("expected a line of at most {LONGEST_LINE} bytes"))?;
                }
                Some(Event::Line(Line::Text(line))) => {
                    if let Some(command) = Command::read(&line).transpose() {
                        self.hear(command)?;
                    }
                }
                Some(Event::EndOfInput(end)) => {
                    end?;
                    self.deadline = Some(Instant::now() + GRACE);
                    self.stop_infinite();
                }
                Some(Event::Told(info)) => self.say(Reply::Info(info))?,
                Some(Event::Chosen(thinker, chosen)) => {
                    self.thinker = Some(thinker);
                    let choice = (*chosen).map_err(ServeError::Agent)?;
                    if let Some(search) = &mut self.search {
                        search.best = Some(self.game.now().show_move(choice.mv));
                    }
                }
            }
            self.catch_up()?;
        }
        Ok(())
    }

    /// The next event; `None` if the time for all of them is over.
    fn next(&self, events: &Receiver<Event>) -> Option<Event> {
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        // Our own sender keeps the queue open.
        match left {
            None => events.recv().ok(),
            Some(left) => events.recv_timeout(left).ok(),
        }
    }

    fn is_over(&self) -> bool {
        let is_idle = self.search.is_none() && self.held.is_empty();
        is_idle && self.deadline.is_some()
    }

    /// Does what cannot wait; during a search the rest is held, so that everything happens in order.
    fn hear(&mut self, command: Result<Command, ParseError>) -> Result<(), ServeError> {
        match (&command, &mut self.search) {
            (Ok(Command::IsReady | Command::Quit), _) | (_, None) => return self.execute(command),
            (Ok(Command::Stop), Some(search)) if !search.is_stopped() => search.stop(),
            (_, Some(_)) => self.held.push_back(command),
        }
        Ok(())
    }

    /// Answers a search that is over, then does what was held.
    fn catch_up(&mut self) -> Result<(), ServeError> {
        let Some(best) = self.search.as_ref().and_then(Search::answer) else { return Ok(()) };
        self.search = None;
        self.say(Reply::BestMove(best))?;
        for command in mem::take(&mut self.held) {
            self.hear(command)?;
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.is_leaving = true;
        self.deadline = Some(Instant::now() + LAST_WORDS);
        self.held.clear();
        if let Some(search) = &mut self.search {
            search.stop();
        }
    }

    fn stop_infinite(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.is_infinite) {
            search.stop();
        }
    }

    /// Does a command while no search runs.
    fn execute(&mut self, command: Result<Command, ParseError>) -> Result<(), ServeError> {
        match command {
            Err(error) => self.note(error),
            Ok(Command::Ugi) => self.introduce(),
            Ok(Command::IsReady) => self.say(Reply::ReadyOk),
            Ok(Command::NewGame) => self.new_game(),
            Ok(Command::SetOption { name, value }) => self.set_option(&name, value),
            Ok(Command::Position { fen, moves }) => self.set_position(fen.as_deref(), &moves),
            Ok(Command::Go(go)) => self.go(&go),
            Ok(Command::Query(query)) => self.say(Reply::Response(self.answer(query))),
            // Whoever said it could not know that there is nothing to stop any more.
            Ok(Command::Stop) => Ok(()),
            Ok(Command::Quit) => {
                self.leave();
                Ok(())
            }
        }
    }

    fn introduce(&mut self) -> Result<(), ServeError> {
        self.say(Reply::Name(self.program.name.clone()))?;
        self.say(Reply::Author(self.program.author.clone()))?;
        for option in &self.program.options {
            self.say(Reply::Option(option.clone()))?;
        }
        self.say(Reply::UgiOk)
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
            return self.note(format!("no option {name:?}; there are {}", names.join(", ")));
        };
        let mut chosen = self.chosen.clone();
        chosen.insert(option.name.clone(), value);
        match make(self.program, self.game.now(), &chosen) {
            Err(error) => self.note(error),
            Ok(thinker) => {
                (self.chosen, self.thinker) = (chosen, Some(thinker));
                Ok(())
            }
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), ServeError> {
        // A position brings its own size.
        let name = self.program.game.split(':').next().unwrap_or_default();
        let spec = if fen.is_some() { name } else { &self.program.game };
        let game = match Record::read(spec, fen, moves.iter().map(String::as_str)) {
            Ok(game) => game,
            Err(error) => return self.note(error),
        };
        if game.now().spec() != self.game.now().spec() {
            match make(self.program, game.now(), &self.chosen) {
                Ok(thinker) => self.thinker = Some(thinker),
                Err(error) => return self.note(error),
            }
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), ServeError> {
        if let Some(outcome) = self.game.outcome() {
            self.note(format!("no move, for the game is over ({})", outcome.reason))?;
            return self.say(Reply::BestMove(NO_MOVE.to_owned()));
        }
        let Some(mut thinker) = self.thinker.take() else { return Ok(()) };
        let stop = Stop::new();
        let search = Search { stop: stop.clone(), is_infinite: go.is_infinite, best: None };
        self.search = Some(search);
        if self.deadline.is_some() {
            self.stop_infinite();
        }
        let (game, events, limits) = (self.game.clone(), self.events.clone(), go.limits(self.game.now()));
        let work = Box::new(move || {
            // Whoever does not listen any more has raised the flag as well.
            let tell = |info: Option<Info>| {
                if let Some(info) = info {
                    let _ = events.send(Event::Told(info));
                }
            };
            let mut teller = Teller::new(&game);
            let chosen = thinker.choose(&game, limits, &mut |progress| {
                tell(teller.hear(progress));
                stop.flow()
            });
            if let Ok(choice) = &chosen {
                tell(teller.finish(choice));
            }
            let _ = events.send(Event::Chosen(thinker, Box::new(chosen)));
        });
        // It listens as long as there is a server.
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

    /// Says something to people.
    fn note(&mut self, text: impl fmt::Display) -> Result<(), ServeError> {
        self.say(Reply::Info(Info::text(text)))
    }

    fn say(&mut self, reply: Reply) -> Result<(), ServeError> {
        writeln!(self.out, "{reply}")?;
        Ok(self.out.flush()?)
    }
}

/// What is played where nothing can be.
const NO_MOVE: &str = "none";

fn make(
    program: &Program<'_>,
    pos: &dyn Position,
    chosen: &BTreeMap<String, String>,
) -> Result<Box<Thinker>, SpecError> {
    let (agent, limits) = (program.make)(pos, chosen)?;
    Ok(Box::new(Thinker::new(agent, limits)))
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> ServeError {
        ServeError::Io(error)
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Io(_) => f.write_str("cannot speak to the match runner"),
            ServeError::Game(error) => error.fmt(f),
            ServeError::Spec(error) => error.fmt(f),
            ServeError::Agent(error) => write!(f, "the agent failed: {error}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServeError::Io(error) => Some(error),
            _ => None,
        }
    }
}
