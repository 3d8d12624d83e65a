//! An agent that is asked for moves in positions set from outside, and what it reports while it searches.

use std::time::{Duration, Instant};

use yarra_engine::{Agent, AgentError, Choice, Limits, Progress, Score, Watch};
use yarra_games::{Move, Player, Record};

use super::reply::Info;
use crate::side::guarded;

/// An agent with the game as it knows it.
pub struct Thinker {
    agent: Box<dyn Agent>,
    /// Its own limits.
    own: Limits,
    /// The agent's color and the game up to the last move that it was told.
    known: Option<(Player, Record)>,
    /// The time its moves in this game took.
    used: Duration,
}

impl Thinker {
    /// An agent without a game.
    pub fn new(agent: Box<dyn Agent>, own: Limits) -> Thinker {
        Thinker { agent, own, known: None, used: Duration::ZERO }
    }

    /// Ends the current game.
    pub fn forget(&mut self) {
        if let Some((_, game)) = self.known.take() {
            self.agent.end(&game);
        }
        self.used = Duration::ZERO;
    }

    /// Chooses a move in the current position of a game.
    pub fn choose(
        &mut self,
        game: &Record,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, AgentError> {
        let started = Instant::now();
        let own_clock = self.own.clock.map(|clock| clock.saturating_sub(self.used));
        let limits = Limits { clock: own_clock, ..self.own }.within(limits);
        let chosen = guarded(|| {
            self.catch_up(game, limits)?;
            self.agent.choose(game, limits, watch)
        });
        self.used += started.elapsed();
        chosen
    }

    /// Tells the agent the moves that it does not know, or starts a new game. A change of color is a new game.
    fn catch_up(&mut self, game: &Record, limits: Limits) -> Result<(), AgentError> {
        let side = game.now().turn();
        let is_known = |(color, known): &(Player, Record)| *color == side && goes_on(game, known);
        let Some((_, known)) = self.known.as_mut().filter(|known| is_known(known)) else {
            self.forget();
            self.agent.begin(side, game, limits)?;
            self.known = Some((side, game.clone()));
            return Ok(());
        };
        for &m in &game.moves()[known.moves().len()..] {
            known.play(m);
            self.agent.played(known, &m.into())?;
        }
        Ok(())
    }
}

/// Whether a game continues another one.
fn goes_on(game: &Record, before: &Record) -> bool {
    let is_same_start = game.start().spec() == before.start().spec()
        && game.start().to_string() == before.start().to_string();
    is_same_start && game.moves().starts_with(before.moves())
}

/// Selects the progress of a search that is worth reporting.
pub struct InfoFilter<'a> {
    game: &'a Record,
    last: Reported,
    reported_at: Duration,
}

/// The last report: depth, score, line and nodes.
#[derive(Default)]
struct Reported {
    depth: u32,
    score: Score,
    line: Vec<Move>,
    nodes: u64,
}

/// The longest time without a report.
const SILENCE: Duration = Duration::from_secs(1);

impl<'a> InfoFilter<'a> {
    /// For a search of the current position of a game.
    pub fn new(game: &'a Record) -> InfoFilter<'a> {
        InfoFilter { game, last: Reported::default(), reported_at: Duration::ZERO }
    }

    /// What to report, if anything: a new best line, or a sign of life after a long silence.
    pub fn progress(&mut self, progress: &Progress<'_>) -> Option<Info> {
        let Progress { depth, score, nodes, line, elapsed, .. } = *progress;
        let is_known = 0 < depth && !line.is_empty();
        if is_known && (self.last.depth, self.last.score, &*self.last.line) != (depth, score, line) {
            self.reported_at = elapsed;
            self.last = Reported { depth, score, line: line.to_vec(), nodes };
            return Some(self.info(depth, Some(score), line, nodes, elapsed));
        }
        if elapsed.saturating_sub(self.reported_at) < SILENCE {
            return None;
        }
        self.reported_at = elapsed;
        Some(Info { depth: None, ..self.info(0, None, &[], nodes, elapsed) })
    }

    /// What to report at the end, if it is new.
    pub fn finish(&self, choice: &Choice) -> Option<Info> {
        let stats = &choice.stats;
        let is_reported =
            (self.last.depth, self.last.nodes, &self.last.line) == (stats.depth(), stats.nodes, &choice.line);
        let info = || self.info(stats.depth(), choice.score, &choice.line, stats.nodes, stats.elapsed);
        (!is_reported).then(info)
    }

    fn info(&self, depth: u32, score: Option<Score>, line: &[Move], nodes: u64, elapsed: Duration) -> Info {
        let per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
        Info {
            depth: Some(depth),
            score,
            nodes: Some(nodes),
            time: Some(elapsed),
            nodes_per_second: Some(per_second.try_into().unwrap_or(u64::MAX)),
            line: line.iter().map(|&m| self.game.now().show_move(m)).collect(),
            ..Info::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use yarra_engine::agent::unwatched;
    use yarra_games::start;

    use super::*;

    /// Records its calls and plays the first move.
    struct Diary(Arc<Mutex<Vec<String>>>);

    impl Diary {
        fn note(&self, text: String) {
            self.0.lock().unwrap().push(text);
        }
    }

    impl Agent for Diary {
        fn begin(&mut self, side: Player, game: &Record, _: Limits) -> Result<(), AgentError> {
            self.note(format!("begin {side} {}", game.now().ply()));
            Ok(())
        }

        fn choose(&mut self, game: &Record, limits: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
            self.note(format!("choose {} {limits}", game.now().ply()));
            Ok(game.legal_moves()[0].into())
        }

        fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
            self.note(format!("played {} {}", game.now().ply(), game.now().show_move(choice.mv)));
            Ok(())
        }

        fn end(&mut self, game: &Record) {
            self.note(format!("end {}", game.now().ply()));
        }
    }

    fn game(moves: &str) -> Record {
        Record::read("hex:3", None, moves.split_whitespace()).unwrap()
    }

    #[test]
    fn an_agent_is_told_moves_rather_than_new_games() {
        let diary = Arc::new(Mutex::new(Vec::new()));
        let mut thinker = Thinker::new(Box::new(Diary(Arc::clone(&diary))), Limits::default());
        let limits = Limits { depth: Some(2), ..Limits::default() };
        for moves in ["", "0-0 0-1", "0-0 0-1", "0-0 0-2", "0-0 0-2 1-0"] {
            thinker.choose(&game(moves), limits, &mut unwatched).unwrap();
        }
        thinker.forget();
        thinker.forget();
        let expected = [
            "begin red 0",
            "choose 0 depth=2",
            "played 1 0-0",
            "played 2 0-1",
            "choose 2 depth=2",
            "choose 2 depth=2",
            "end 2",
            "begin red 2",
            "choose 2 depth=2",
            "end 2",
            "begin blue 3",
            "choose 3 depth=2",
            "end 3",
        ];
        assert_eq!(*diary.lock().unwrap(), expected);
    }

    #[test]
    fn own_limits_take_precedence() {
        let diary = Arc::new(Mutex::new(Vec::new()));
        let own = Limits { nodes: Some(50), ..Limits::default() };
        let mut thinker = Thinker::new(Box::new(Diary(Arc::clone(&diary))), own);
        let move_time = Some(Duration::from_secs(1));
        let limits = Limits { depth: Some(2), move_time, ..Limits::default() };
        thinker.choose(&game(""), limits, &mut unwatched).unwrap();
        assert_eq!(diary.lock().unwrap()[1], "choose 0 nodes=50,movetime=1s");
    }

    #[test]
    fn a_panic_is_an_error() {
        struct Panics;
        impl Agent for Panics {
            fn choose(&mut self, _: &Record, _: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
                panic!("no idea")
            }
        }
        let mut thinker = Thinker::new(Box::new(Panics), Limits::default());
        let error = thinker.choose(&game(""), Limits::default(), &mut unwatched).unwrap_err();
        assert_eq!(error, AgentError::new(yarra_engine::Failure::Crash, "panic: no idea"));
    }

    #[test]
    fn only_changes_are_reported() {
        let game = Record::new(start("hex:3").unwrap());
        let mut filter = InfoFilter::new(&game);
        let line = [Move(0), Move(4)];
        let mut hear = |depth, n_moves, millis| {
            let (score, nodes, elapsed) = (Score(7), 10 * millis, Duration::from_millis(millis));
            let progress = Progress { rank: 0, depth, score, nodes, line: &line[..n_moves], elapsed };
            filter.progress(&progress).map(|info| info.to_string())
        };
        assert_eq!(hear(0, 1, 1), None);
        let first = "info depth 1 score cp 7 nodes 20 time 2 nps 10000 pv 0-0";
        assert_eq!(hear(1, 1, 2).as_deref(), Some(first));
        assert_eq!(hear(1, 1, 3), None);
        assert_eq!(hear(0, 0, 4), None);
        assert!(hear(1, 2, 5).is_some() && hear(2, 2, 6).is_some());
        assert_eq!(hear(2, 2, 1500).as_deref(), Some("info nodes 15000 time 1500 nps 10000"));
        assert_eq!(hear(2, 2, 1600), None);
        let choice = Choice::from(Move(3));
        assert_eq!(filter.finish(&choice).unwrap().to_string(), "info depth 0 nodes 0 time 0 nps 0 pv 1-0");
    }
}
