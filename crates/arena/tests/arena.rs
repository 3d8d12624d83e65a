//! Games and matches between agents that behave, and some that do not.

use std::ops::ControlFlow;
use std::thread::sleep;
use std::time::Duration;

use yarra_arena::{Event, Fault, Job, Maker, Match, News, Openings, Seat, Side, Tally, play, thread_time};
use yarra_engine::simple::Random;
use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, Stop, Watch};
use yarra_games::{Move, Position, Record, SavedGame, start};

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

fn side(agent: impl Agent + 'static) -> Result<Side, Fault> {
    Ok(Side::new(Box::new(agent), Limits::default()))
}

fn go_on(_: Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Lets a misbehaving blue play against random moves.
#[track_caller]
fn check_fault(blue: Result<Side, Fault>, reason: &str, note: &str) {
    let game = Record::new(start("hex:5").unwrap());
    let played = play(game, [side(Random::new(0)), blue], &mut go_on).unwrap().saved;
    assert_eq!((played.winner.as_deref(), played.reason.as_deref()), (Some("red"), Some(reason)));
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

/// A machine that does something else meanwhile looks like this to an agent.
#[test]
fn who_is_held_up_has_not_lost() {
    let held_up = |game: &Record, _| {
        sleep(Duration::from_millis(150));
        first_move(game)
    };
    let blue = Ok(Side::new(Box::new(Scripted(held_up)), with_time(Some(10), Some(100))));
    let game = Record::new(start("hex:3").unwrap());
    let played = play(game, [side(Random::new(1)), blue], &mut go_on).unwrap().saved;
    assert_eq!(played.reason.as_deref(), Some("connection"), "{:?}", played.note);
}

#[test]
fn who_is_too_slow_has_lost() {
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
    let played = play(game, [side(Random::new(1)), blue], &mut go_on).unwrap();
    assert_eq!(played.saved.reason.as_deref(), Some("connection"), "{:?}", played.saved.note);
}

#[test]
fn own_limits_win_over_those_of_the_match() {
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
fn openings_follow_from_the_seed_and_never_end_the_game() {
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

fn random_match<'a>(start: &'a dyn Position, n_games: u32, seed: u64) -> Match<'a> {
    let make = || -> Maker<'a> { Box::new(|seed| Ok(Box::new(Random::new(seed)))) };
    let seat = |name: &str| Seat {
        name: name.to_owned(),
        limits: Limits::default(),
        hears_limits: true,
        guest: None,
        make: make(),
    };
    let (seats, openings) = ([seat("a"), seat("b")], Openings::usual(start));
    Match { start, seats, limits: Limits::default(), n_games, openings, seed }
}

fn games_of(contest: &Match<'_>, rounds: &[u32], n_threads: usize) -> Vec<SavedGame> {
    let stop = Stop::new();
    let job = Job { n_threads, is_profiled: false, tells_moves: false, stop: &stop };
    let mut games = Vec::new();
    contest.run(rounds, &job, &mut |news| {
        if let News::Finished(game) = news {
            let mut saved = game.played.saved;
            assert_eq!(saved.round, Some(game.round));
            saved.times.clear();
            games.push(saved);
        }
        ControlFlow::Continue(())
    });
    games
}

#[test]
fn games_are_the_same_however_many_run_at_a_time() {
    let start = start("infexion").unwrap();
    let contest = random_match(&*start, 20, 7);
    let rounds: Vec<u32> = (0..20).collect();
    let games = games_of(&contest, &rounds, 1);
    assert_eq!(games, games_of(&contest, &rounds, 3));
    assert_eq!(games[5..9], games_of(&contest, &[5, 6, 7, 8], 2));
    assert_ne!(games[0].moves, games_of(&random_match(&*start, 1, 8), &[0], 1)[0].moves);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].moves[..4], pair[1].moves[..4], "both colors play the same opening");
        assert_ne!(pair[0].moves, pair[1].moves);
        assert_eq!((&pair[0].red, &pair[0].blue), (&pair[1].blue, &pair[1].red));
    }
}

#[test]
fn a_match_knows_its_own_games() {
    let start = start("cachex:5").unwrap();
    let contest = random_match(&*start, 4, 7);
    let games = games_of(&contest, &[0, 1, 2, 3], 1);
    let rounds: Vec<_> = games.iter().map(|game| contest.round_of(game)).collect();
    assert_eq!(rounds, [Some(0), Some(1), Some(2), Some(3)]);
    assert_eq!(random_match(&*start, 3, 7).round_of(&games[3]), None);
    assert_eq!(random_match(&*start, 4, 8).round_of(&games[3]), None);
    let swapped = SavedGame { round: Some(2), ..games[3].clone() };
    assert_eq!(contest.round_of(&swapped), None);
}

#[test]
fn a_match_can_be_broken_off() {
    let start = start("hex:5").unwrap();
    let stop = Stop::new();
    let job = Job { n_threads: 2, is_profiled: false, tells_moves: false, stop: &stop };
    let mut tally = Tally::default();
    let rounds: Vec<u32> = (0..1_000_000).collect();
    random_match(&*start, 1_000_000, 0).run(&rounds, &job, &mut |news| {
        let News::Finished(game) = news else { return ControlFlow::Continue(()) };
        tally.add(game.round, &game.played.saved);
        if tally.n_games() < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(tally.n_games(), 10);
}
