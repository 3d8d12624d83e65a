//! Games and matches between agents, some of which misbehave.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use yarra_arena::{Event, Job, Match, MatchSpec, News, Openings, Round, Seat, Side, Tally, play};
use yarra_engine::simple::Random;
use yarra_engine::time::thread_time;
use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, RefereeError, Stop, Watch};
use yarra_files::SavedGame;
use yarra_games::{ByPlayer, Cause, Move, Player, Reason, Record, start};

/// Plays by a function.
struct Scripted(fn(&Record, Limits) -> Result<Move, AgentError>);

impl Agent for Scripted {
    fn choose(&mut self, game: &Record, limits: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
        (self.0)(game, limits).map(Choice::from)
    }
}

fn first_move(game: &Record) -> Result<Move, AgentError> {
    let mut moves = Vec::new();
    game.now().legal_moves(&mut moves);
    Ok(moves[0])
}

fn with_time(move_time: Option<u64>, clock: Option<u64>) -> Limits {
    let [move_time, clock] = [move_time, clock].map(|limit| limit.map(Duration::from_millis));
    Limits { move_time, clock, ..Limits::default() }
}

fn side(agent: impl Agent + 'static) -> Result<Side, AgentError> {
    Ok(Side::new(Box::new(agent), Limits::default()))
}

fn go_on(_: Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Lets a misbehaving blue play against random moves.
#[track_caller]
fn check_fault(blue: Result<Side, AgentError>, reason: &str, note: &str) {
    let game = Record::new(start("hex:5").unwrap());
    let played = play(game, ByPlayer { red: side(Random::new(0)), blue }, &mut go_on).unwrap().unwrap().saved;
    let ending = played.ending.as_ref().unwrap();
    assert_eq!((ending.winner, ending.cause.name()), (Some(Player::Red), reason));
    assert!(played.note.as_deref().is_some_and(|text| text.contains(note)), "{played:?}");
    assert_eq!(played.times.len(), played.moves.len());
}

#[test]
fn who_misbehaves_has_lost() {
    let fails = Scripted(|_, _| Err(AgentError::new(Failure::Crash, "out of ideas")));
    check_fault(side(fails), "crash", "blue: out of ideas");
    let is_rude = Scripted(|_, _| Err(AgentError::new(Failure::Protocol, "said nonsense")));
    check_fault(side(is_rude), "protocol", "blue: said nonsense");
    check_fault(side(Scripted(|_, _| panic!("no {}", "idea"))), "crash", "panic: no idea");
    check_fault(side(Scripted(|_, _| Ok(Move(999)))), "illegal_move", "move number 999");
    check_fault(Err(AgentError::new(Failure::Crash, "no such file")), "crash", "no such file");
}

/// Keeps the thread busy.
fn think(time: Duration) {
    let until = thread_time() + time;
    while thread_time() < until {}
}

/// Sleeping costs no CPU time, like waiting on a busy machine.
#[test]
fn an_agent_that_is_delayed_does_not_lose() {
    let delayed = |game: &Record, _| {
        sleep(Duration::from_millis(150));
        first_move(game)
    };
    let blue = Ok(Side::new(Box::new(Scripted(delayed)), with_time(Some(10), Some(100))));
    let game = Record::new(start("hex:3").unwrap());
    let played = play(game, ByPlayer { red: side(Random::new(1)), blue }, &mut go_on).unwrap().unwrap().saved;
    assert_eq!(played.ending.unwrap().cause, Cause::Rule(Reason::Connection), "{:?}", played.note);
}

#[test]
fn an_agent_that_is_too_slow_loses() {
    let slow = |game: &Record, _| {
        think(Duration::from_millis(150));
        first_move(game)
    };
    for limits in [with_time(Some(10), None), with_time(None, Some(100)), with_time(None, Some(250))] {
        check_fault(Ok(Side::new(Box::new(Scripted(slow)), limits)), "time", "used of");
    }
}

#[test]
fn the_clock_that_an_agent_sees_runs_down() {
    let agent = Scripted(|game, limits| {
        let left = limits.clock.unwrap();
        assert_eq!(left == Duration::from_secs(60), game.now().ply() < 2);
        think(Duration::from_millis(1));
        first_move(game)
    });
    let blue = Ok(Side::new(Box::new(agent), with_time(None, Some(60_000))));
    let game = Record::new(start("hex:3").unwrap());
    let saved = play(game, ByPlayer { red: side(Random::new(1)), blue }, &mut go_on).unwrap().unwrap().saved;
    assert_eq!(saved.ending.unwrap().cause, Cause::Rule(Reason::Connection), "{:?}", saved.note);
}

#[test]
fn own_limits_take_precedence_over_those_of_the_match() {
    let limits = |depth, nodes, time| Limits { depth, nodes, ..with_time(time, None) };
    let table = [
        (limits(None, None, None), limits(Some(3), None, None), limits(Some(3), None, None)),
        (limits(Some(2), None, None), limits(Some(3), None, Some(9)), limits(Some(2), None, Some(9))),
        (limits(Some(2), None, None), limits(None, Some(50), None), limits(Some(2), None, None)),
        (limits(None, None, Some(5)), limits(Some(3), None, Some(9)), limits(None, None, Some(5))),
    ];
    for (own, shared, expected) in table {
        assert_eq!(own.within(shared), expected);
    }
}

#[test]
fn openings_depend_on_the_seed_and_never_end_the_game() {
    for spec in ["infexion", "tetress", "cachex:3", "hex:3"] {
        let start = start(spec).unwrap();
        for seed in 0..50 {
            let opening = Openings { n_plies: 6 }.draw(&*start, seed);
            assert_eq!(opening.outcome(), None);
            assert_eq!(opening.moves(), Openings { n_plies: 6 }.draw(&*start, seed).moves());
        }
        assert!(Openings { n_plies: 400 }.draw(&*start, 1).outcome().is_none());
        assert_eq!(Openings { n_plies: 0 }.draw(&*start, 1).moves(), []);
    }
    assert_eq!("random:4".parse(), Ok(Openings { n_plies: 4 }));
    for wrong in ["", "random", "random:", "random:x", "book:4"] {
        assert!(wrong.parse::<Openings>().is_err(), "{wrong}");
    }
}

fn random_match(game: &str, games: u32, seed: u64) -> Match<'static> {
    let seat = || Seat {
        limits: Limits::default(),
        hears_limits: true,
        guest: None,
        make: Box::new(|seed| Ok(Box::new(Random::new(seed)))),
    };
    let game = game.parse().unwrap();
    let spec = MatchSpec {
        game,
        start: None,
        agents: ["a", "b"].map(|name| name.parse().unwrap()),
        limits: Limits::default(),
        openings: Openings::usual(game),
        seed,
        games,
    };
    Match::new(spec, [seat(), seat()]).unwrap()
}

fn games_of(contest: &Match<'_>, rounds: &[Round], n_threads: usize) -> Vec<SavedGame> {
    let stop = Stop::new();
    let job = Job { n_threads, is_profiled: false, reports_moves: false, stop: &stop };
    let mut games = Vec::new();
    let ran = contest.run(rounds, &job, &mut |news| {
        if let News::Finished(game) = news {
            let mut saved = game.played.saved;
            assert_eq!(saved.round, Some(game.round.0));
            saved.times.clear();
            games.push(saved);
        }
        ControlFlow::Continue(())
    });
    ran.unwrap();
    // They come in the order in which they end.
    games.sort_by_key(|game| game.round);
    games
}

#[test]
fn games_do_not_depend_on_the_number_of_jobs() {
    let contest = random_match("infexion", 20, 7);
    let rounds: Vec<Round> = Round::all(20).collect();
    let games = games_of(&contest, &rounds, 1);
    assert_eq!(games, games_of(&contest, &rounds, 3));
    assert_eq!(games[5..9], games_of(&contest, &rounds[5..9], 2));
    assert_ne!(games[0].moves, games_of(&random_match("infexion", 1, 8), &[Round(0)], 1)[0].moves);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].moves[..4], pair[1].moves[..4], "both colors play the same opening");
        assert_ne!(pair[0].moves, pair[1].moves);
        let [first, second] = [&pair[0].players, &pair[1].players];
        assert_eq!((&first.red, &first.blue), (&second.blue, &second.red));
    }
}

#[test]
fn a_match_recognizes_its_own_games() {
    let contest = random_match("cachex:5", 4, 7);
    let rounds: Vec<Round> = Round::all(4).collect();
    let games = games_of(&contest, &rounds, 1);
    let found: Vec<_> = games.iter().filter_map(|game| contest.round_of(game)).collect();
    assert_eq!(found, rounds);
    assert_eq!(random_match("cachex:5", 3, 7).round_of(&games[3]), None);
    assert_eq!(random_match("cachex:5", 4, 8).round_of(&games[3]), None);
    let swapped = SavedGame { round: Some(2), ..games[3].clone() };
    assert_eq!(contest.round_of(&swapped), None);
}

#[test]
fn a_match_can_be_cancelled() {
    let stop = Stop::new();
    let job = Job { n_threads: 2, is_profiled: false, reports_moves: false, stop: &stop };
    let mut tally = Tally::default();
    let rounds: Vec<Round> = Round::all(1_000_000).collect();
    let ran = random_match("hex:5", 1_000_000, 0).run(&rounds, &job, &mut |news| {
        let News::Finished(game) = news else { return ControlFlow::Continue(()) };
        tally.add(game.round, game.played.saved.ending.unwrap().winner);
        if tally.n_games() < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!((ran, tally.n_games()), (Ok(()), 10));
}

/// A match in which the referee cannot do its work in some of the attempts at game 3.
fn troubled_match(is_passing: bool, n_failures: usize) -> (Result<(), RefereeError>, Vec<Round>) {
    let n_tries = AtomicUsize::new(0);
    let make = |seed| -> Result<Box<dyn Agent>, AgentError> {
        let n_try = n_tries.fetch_add(1, Ordering::Relaxed);
        if (3..3 + n_failures).contains(&n_try) {
            let (tried, cause) = ("start the agent".to_owned(), "too many files".to_owned());
            return Err(RefereeError { tried, cause, is_passing }.into());
        }
        Ok(Box::new(Random::new(seed)))
    };
    let whole = random_match("hex:3", 5, 1);
    let seat = |make| Seat { limits: Limits::default(), hears_limits: true, guest: None, make };
    let calm = Box::new(|seed| Ok(Box::new(Random::new(seed)) as Box<dyn Agent>));
    let contest = Match::new(whole.spec().clone(), [seat(Box::new(make)), seat(calm)]).unwrap();
    let (stop, mut rounds) = (Stop::new(), Vec::new());
    let job = Job { n_threads: 1, is_profiled: false, reports_moves: false, stop: &stop };
    let ran = contest.run(&Round::all(5).collect::<Vec<_>>(), &job, &mut |news| {
        let News::Finished(game) = news else { unreachable!() };
        assert_eq!(game.played.saved.fault, None);
        rounds.push(game.round);
        ControlFlow::Continue(())
    });
    (ran, rounds)
}

#[test]
fn nobody_loses_by_an_error_of_the_referee() {
    let (ran, rounds) = troubled_match(true, 2);
    assert_eq!((ran, rounds), (Ok(()), Round::all(5).collect()), "it passes");
    let (ran, rounds) = troubled_match(false, 1);
    assert_eq!(rounds, Round::all(3).collect::<Vec<_>>(), "games that were over count");
    assert_eq!(ran.unwrap_err().to_string(), "the referee could not start the agent: too many files");
}
