//! The loop as a whole, on boards that are learned in seconds.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use fastrand::Rng;
use yarra_engine::Stop;
use yarra_engine::net::conv::{ConvNet, Geometry, NetShape, net_game};
use yarra_games::cachex::Cachex;
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Game, GameInfo, MoveList, Player};

use super::game::{SelfPlayGame, ValueTarget};
use super::options::{OPTIONS, ZeroPlan};
use super::play::PlayRules;
use super::{INFO, work};
use crate::run::{Length, Logged, Runner};
use crate::{Plan, RunDir};

fn plan(game: &str, settings: &[(&str, &str)], length: Length) -> Plan {
    let settings = settings.iter().map(|&(key, value)| (key.to_owned(), value.to_owned()));
    let settings: BTreeMap<_, _> = settings.collect();
    Plan { game: game.into(), recipe: "zero".into(), seed: 1, settings, length, program: "test".into() }
}

fn tiny(game: &str) -> Arc<ConvNet> {
    let geometry = Geometry::of(game).expect("a game that nets play");
    let shape = NetShape { geometry, n_blocks: 1, n_filters: 16 };
    Arc::new(ConvNet::new(game, shape, &mut Rng::with_seed(1)).expect("a shape"))
}

fn rules(game: &str, round: u64) -> PlayRules {
    let settings = yarra_engine::Settings::defaults(OPTIONS);
    let plan = ZeroPlan::read(&plan(game, &[], Length::Rounds(1)), &settings).expect("a plan");
    PlayRules { n_simulations: 4, ..plan.rules(round, 0.0) }
}

/// Plays a game, writes and reads it, and compares its samples with the positions that it went through.
fn check<G: Game>(game: &'static GameInfo, size: u8, round: u64) -> SelfPlayGame {
    let rules = rules(game.name, round);
    let played = work::play(game, size, &tiny(game.name), &rules, 5);
    assert_eq!(played, work::play(game, size, &tiny(game.name), &rules, 5));
    let mut bytes = Vec::new();
    played.write(&mut bytes);
    played.write(&mut bytes);
    let read = work::read_games(game, &bytes).expect("games");
    assert!(read.len() == 2 && read[0] == played && read[1] == played);
    for len in [1, bytes.len() / 2 - 1, bytes.len() - 1] {
        assert_eq!(work::read_games(game, &bytes[..len]), None);
    }
    assert_eq!(played.n_samples() + usize::from(played.n_random), played.moves.len());
    let mut pos = G::start(size).expect("a size");
    for (ply, &m) in played.moves.iter().enumerate() {
        if let Some(n) = ply.checked_sub(played.n_random.into()) {
            let sample = played.sample(game, n, ValueTarget::Return(0.9));
            // In the mover's view: the result alone, or what the search of this move said.
            let sign = if pos.turn() == Player::Red { 1.0 } else { -1.0 };
            let value = |target| played.sample(game, n, target).value;
            assert_eq!(value(ValueTarget::Return(1.0)), sign * played.result());
            assert_eq!(value(ValueTarget::Return(0.0)), played.value_of(n));
            assert_eq!(value(ValueTarget::Mean), 0.5 * sign * played.result() + 0.5 * played.value_of(n));
            let seen = net_game(&pos).expect("a net's game");
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            assert!(
                sample.policy.iter().map(|&(idx, _)| idx).eq(moves.iter().map(|&m| seen.policy_index(m)))
            );
            assert!((sample.policy.iter().map(|&(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(sample.value.abs() <= 1.0 && sample.lead.abs() <= 1.0);
        }
        pos.play(m);
    }
    played
}

#[test]
fn games_are_written_and_read_and_give_samples() {
    let first = check::<Infexion>(Infexion::INFO, 7, 0);
    assert!((10..=40).contains(&first.n_random) && first.n_samples() <= 60);
    let later = check::<Infexion>(Infexion::INFO, 7, 1);
    assert!(later.n_random <= 6 && later.n_samples() <= 200);
    check::<Tetress>(Tetress::INFO, 11, 1);
    let game = check::<Cachex<u64>>(Cachex::<u64>::INFO, 4, 1);
    assert_eq!(game.result().abs(), 1.0);
    check::<Cachex<u128>>(Cachex::<u64>::INFO, 9, 1);
}

/// Files of a run but the log, which has times.
fn bytes(path: &Path) -> Vec<Vec<u8>> {
    ["checkpoint.safetensors", "net.safetensors", "shards/000002.bin"]
        .map(|name| std::fs::read(path.join(name)).expect("a file of the run"))
        .to_vec()
}

#[test]
fn a_run_is_the_same_in_parts_and_on_several_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = [
        ("games", "4"),
        ("simulations", "4"),
        ("blocks", "1"),
        ("filters", "16"),
        ("batch", "16"),
        ("window", "200"),
        ("ladder", "2"),
        ("ladder_games", "2"),
        ("ladder_simulations", "4"),
    ];
    // Stops after each of some rounds and goes on.
    let run = |name: &str, stops: &[u64], n_jobs: usize| {
        let path = folder.path().join(name);
        for stop_after in stops.iter().copied().chain([u64::MAX]) {
            let plan = plan("cachex:4", &settings, Length::Rounds(4));
            let mut runner = Runner::begin(&path, plan, &INFO).expect("a run");
            let stop = Stop::new();
            let mut done = |line: &Logged| {
                if line.round == stop_after {
                    stop.raise();
                }
            };
            runner.run(n_jobs, &stop, &|_| {}, &mut done).expect("rounds");
        }
        assert_eq!(RunDir::open(&path).expect("a run").log().expect("a log").len(), 4);
        bytes(&path)
    };
    let whole = run("whole", &[], 1);
    assert!(run("parts", &[0, 2], 1) == whole, "a resumed run differs");
    assert!(run("threads", &[], 3) == whole, "threads change the run");
}

#[test]
fn a_tiny_net_learns_to_beat_random_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = [
        ("games", "20"),
        ("simulations", "12"),
        ("blocks", "1"),
        ("filters", "16"),
        ("batch", "64"),
        ("ladder_games", "20"),
        // So few that the net must know, not the search.
        ("ladder_simulations", "2"),
        ("smoothing", "0.95"),
        ("rate", "0.003"),
    ];
    let plan = plan("cachex:4", &settings, Length::Rounds(5));
    let mut runner = Runner::begin(&folder.path().join("run"), plan, &INFO).expect("a run");
    runner.run(2, &Stop::new(), &|_| {}, &mut |_| {}).expect("rounds");
    let last = runner.log().last().expect("a round");
    let rung = last.entry.ladder.iter().find(|rung| rung.opponent == "random").expect("a rung");
    // Without learning it would be half.
    assert!(0.8 < rung.share(), "{rung:?}");
}
