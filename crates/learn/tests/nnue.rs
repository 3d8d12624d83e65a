//! Recipe `nnue`, in runs of a few short games.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use yarra_engine::net::NetFile;
use yarra_engine::simple::Random;
use yarra_engine::{Agent, AgentError, Choice, Limits, Score, Settings, Stop, Watch};
use yarra_games::{Player, Record, start};
use yarra_learn::nnue::games::{PlayedGame, read_games, write_games};
use yarra_learn::nnue::play::{PlayPlan, generator, play_game};
use yarra_learn::nnue::{INFO, learner};
use yarra_learn::run::{Length, Outcome, Runner};
use yarra_learn::{Plan, RunError};

fn plan(game: &str, settings: &[(&str, &str)], rounds: u64) -> Plan {
    let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let small = [("games", "12"), ("nodes", "60"), ("ladder", "1"), ("window", "2")];
    let settings: BTreeMap<_, _> = small.iter().chain(settings).map(owned).collect();
    Plan {
        game: game.to_owned(),
        recipe: "nnue".to_owned(),
        seed: 11,
        settings,
        length: Length::Rounds(rounds),
        program: String::new(),
    }
}

fn train(dir: &Path, plan: &Plan, n_jobs: usize) -> Result<Outcome, RunError> {
    Runner::begin(dir, plan.clone(), &INFO)?.run(n_jobs, &Stop::new(), &|_| (), &mut |_| ())
}

fn files(dir: &Path) -> [Vec<u8>; 2] {
    ["checkpoint.safetensors", "net.safetensors"].map(|name| fs::read(dir.join(name)).expect("a saved file"))
}

#[test]
fn a_run_is_the_same_in_parts_and_on_any_number_of_threads() {
    for (game, settings) in [
        ("infexion", &[][..]),
        ("infexion", &[("from", "nothing")]),
        ("tetress", &[]),
        ("cachex", &[]),
        ("cachex:7", &[]),
    ] {
        let temp = tempfile::tempdir().expect("a folder");
        let [whole, parts] = ["whole", "parts"].map(|name| temp.path().join(name));
        assert_eq!(train(&whole, &plan(game, settings, 3), 1), Ok(Outcome::Complete));
        let stop = Stop::new();
        let mut runner = Runner::begin(&parts, plan(game, settings, 3), &INFO).expect("a plan");
        assert_eq!(runner.run(2, &stop, &|_| (), &mut |_| _ = stop.raise()), Ok(Outcome::Stopped));
        drop(runner);
        assert_eq!(train(&parts, &plan(game, settings, 3), 2), Ok(Outcome::Complete));
        assert_eq!(files(&whole), files(&parts), "{game} {settings:?}");
        let net = NetFile::open(&whole).expect("a net");
        assert!(net.check("nnue", game.split(':').next().unwrap_or(game)).is_ok());
        assert_eq!(net.tensors.contains_key("inputs"), ["infexion", "cachex:7"].contains(&game), "{game}");
        let size = if game == "cachex" { "cachex:7" } else { game };
        let view = (INFO.view)(&net, &*start(size).expect("a game")).expect("a view");
        assert!(view.value.abs() < 1.0 && view.policy.is_empty());
    }
}

#[test]
fn a_run_learns() {
    let temp = tempfile::tempdir().expect("a folder");
    let plan = plan("infexion", &[("from", "hand"), ("games", "30"), ("net", "off")], 1);
    let mut runner = Runner::begin(temp.path(), plan, &INFO).expect("a plan");
    let before = NetFile::open(temp.path()).expect("an agent from the start");
    runner.run(2, &Stop::new(), &|_| (), &mut |_| ()).expect("a round");
    let after = NetFile::open(temp.path()).expect("a net");
    assert_ne!(before.tensors["counts"], after.tensors["counts"]);
    assert!(!after.tensors.contains_key("inputs"));
}

#[test]
fn wrong_settings_are_refused() {
    let temp = tempfile::tempdir().expect("a folder");
    for (game, key, value) in
        [("infexion", "games", "0"), ("infexion", "from", "0.2"), ("hex", "nodes", "60")]
    {
        assert!(train(temp.path(), &plan(game, &[(key, value)], 1), 1).is_err(), "{game} {key}={value}");
    }
}

fn random_game(seed: u64) -> PlayedGame {
    let start = start("infexion").expect("a game");
    let plan = PlayPlan { nodes: 1, opening: (4, 9), blunders: 2, decided: 2500, n_decided: 8 };
    play_game(&mut Random::new(seed), &*start, plan, &mut generator(seed, 3)).expect("random never fails")
}

#[test]
fn games_read_back_and_broken_ones_are_refused() {
    let mut games: Vec<_> = (0..4).map(random_game).collect();
    games[1].moves[3].1 = Some(-250);
    let bytes = write_games(&games);
    assert_eq!(read_games(&bytes), Some(games.clone()));
    assert_eq!(read_games(&bytes[..bytes.len() - 1]), None);
    assert_eq!(read_games(&[7, 9, 0, 0]), None);
    assert_eq!(games[1].n_scores(), games[1].moves.iter().filter(|(_, score)| score.is_some()).count());
    let mut seen = Vec::new();
    games[1].moves.iter_mut().for_each(|entry| entry.1 = entry.1.filter(|&score| score == -250));
    games[1].visit(&*start("infexion").expect("a game"), |pos, score, _| seen.push((pos.ply(), score)));
    assert_eq!(seen, [(3, -250)]);
}

/// Says the same score always.
struct Sure(Rng);

impl Agent for Sure {
    fn choose(&mut self, game: &Record, _: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let moves = game.legal_moves();
        let mut choice = Choice::from(moves[self.0.usize(..moves.len())]);
        let is_red = game.now().turn() == Player::Red;
        choice.score = Some(Score(if is_red { 3000 } else { -3000 }));
        Ok(choice)
    }
}

#[test]
fn a_clear_lead_decides_a_game() {
    let start = start("infexion").expect("a game");
    let plan = PlayPlan { nodes: 1, opening: (4, 4), blunders: 0, decided: 2500, n_decided: 8 };
    let game =
        play_game(&mut Sure(Rng::with_seed(1)), &*start, plan, &mut generator(2, 0)).expect("no failure");
    assert_eq!((game.winner, game.moves.len()), (Some(Player::Red), 11));
    // The eighth search ended the game before its move.
    assert_eq!(game.n_scores(), 7);
}

#[test]
fn a_view_is_a_chance() {
    assert_eq!(learner::view_of(0, 400.0).value, 0.0);
    assert!((learner::view_of(439, 400.0).value - 0.5).abs() < 0.01);
    assert!(Settings::read(INFO.options, "").is_ok());
}
