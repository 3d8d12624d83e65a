//! Gradients, examples and rounds, on boards and settings that are small enough to check.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use yarra_engine::{Settings, Stop};
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move, Position};
use yarra_reports::raccoons::zero::{Design, Init, Net, Padding, Planes, Policy, Rule, View as ValueView};

use super::examples::{Example, images};
use super::games::{PlayedGame, from_shard, self_play, to_shard};
use super::gradient::Backward;
use super::options::{Loss, OPTIONS, Optimizer, Options, Symmetry};
use super::train::Stepper;
use super::*;
use crate::run::{Length, Outcome, Runner};

fn plan(settings: &[(&str, &str)], length: Length) -> Plan {
    let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    Plan {
        game: "infexion".into(),
        recipe: "raccoons".into(),
        seed: 5,
        settings: settings.iter().map(owned).collect(),
        length,
        program: "test".into(),
    }
}

fn options(settings: &[(&str, &str)]) -> Options {
    let plan = plan(settings, Length::Rounds(1));
    let pairs: Vec<_> = plan.settings.clone().into_iter().collect();
    Options::read(&plan, &Settings::new(&OPTIONS, &pairs).expect("known options"))
}

fn random_position(n_plies: usize, rng: &mut fastrand::Rng) -> Infexion {
    let mut pos = Infexion::start(7).expect("the size of Infexion");
    for _ in 0..n_plies {
        pos.play(pos.random_move(rng).expect("the game goes on"));
    }
    pos
}

fn loss_of(net: &Net, example: &Example, loss: Loss) -> f64 {
    let losses = Backward::default().run(net, example, loss);
    match loss {
        Loss::Report => losses.value + losses.policy,
        Loss::Code => losses.value / 2.0 + losses.policy / 343.0,
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let mut rng = fastrand::Rng::with_seed(2);
    let pos = random_position(30, &mut rng);
    let policy = vec![(Move(3), 0.5), (Move(100), 0.3), (Move(342), 0.2)];
    let example = Example { planes: Planes::of(&pos), policy, result: 1.0 };
    for padding in [Padding::Valid, Padding::Torus] {
        for policy in [Policy::Sigmoid, Policy::Softmax] {
            for loss in [Loss::Report, Loss::Code] {
                let design = Design { padding, policy, view: ValueView::Red };
                let mut net = Net::random(design, Init::He, &mut rng);
                let mut backward = Backward::default();
                backward.run(&net, &example, loss);
                let gradient = backward.gradient.clone();
                let mut first = 0;
                for (name, shape) in design.tensors() {
                    let n_params: usize = shape.iter().product();
                    // The largest components of each tensor, which stand out from rounding.
                    let mut largest: Vec<usize> = (first..first + n_params).collect();
                    largest.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
                    for &idx in largest.iter().take(6) {
                        let old = net.params[idx];
                        let step = 0.01;
                        net.params[idx] = old + step;
                        let up = loss_of(&net, &example, loss);
                        net.params[idx] = old - step;
                        let down = loss_of(&net, &example, loss);
                        net.params[idx] = old;
                        let (found, expected) =
                            (f64::from(gradient[idx]), (up - down) / (2.0 * f64::from(step)));
                        let error = (found - expected).abs() / (expected.abs() + 1e-4);
                        assert!(error < 0.03, "{design:?} {loss:?} {name}: {found} instead of {expected}");
                    }
                    first += n_params;
                }
            }
        }
    }
}

#[test]
fn the_sum_of_squares_is_added_by_the_formula_and_lost_by_the_program() {
    let step = |settings: &[(&str, &str)]| {
        let options = options(settings);
        let (mut params, mut gradient) = (vec![2.0, -2.0], vec![0.5, 0.0]);
        Stepper::new(&options, 2).step(&mut params, &mut gradient);
        params
    };
    let near = |found: Vec<f32>, expected: [f32; 2]| {
        let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(is_near, "{found:?} instead of {expected:?}");
    };
    let sgd = [("optimizer", "sgd"), ("l2", "0.1"), ("loss", "report")];
    near(step(&sgd), [2.0 - 0.01 * (0.5 + 0.4), -2.0 + 0.01 * 0.4]);
    near(step(&sgd[..2]), [2.0 - 0.01 * 0.5 * 1.2, -2.0]);
    // The first step of Adam has the size of the rate, whatever the gradient.
    near(step(&[("l2", "0.1"), ("loss", "report")]), [2.0 - 0.001, -2.0 + 0.001]);
    near(step(&[("l2", "0.1")]), [2.0 - 0.001, -2.0]);
}

#[test]
fn adam_forgets_only_if_told_so() {
    let after = |adam: &str| {
        let options = options(&[("adam", adam), ("l2", "0")]);
        let mut stepper = Stepper::new(&options, 1);
        let mut params = vec![0.0];
        // One large gradient, then many small ones that contradict it.
        stepper.step(&mut params, &mut [10.0]);
        for _ in 0..5000 {
            stepper.step(&mut params, &mut [-1e-3]);
        }
        params[0]
    };
    // Almost all steps have the size 0.001 · 0.1 / √0.001, by the sign alone.
    let forgetful = after("forgetful");
    assert!((10.0..16.0).contains(&forgetful), "{forgetful}");
    // The memory of the large gradient makes the steps small for a long time.
    let real = after("real");
    assert!((-0.1..4.0).contains(&real), "{real}");
    assert_eq!(options(&[]).optimizer, Optimizer::Adam { is_forgetful: true });
}

#[test]
fn training_lowers_the_loss_with_every_optimizer() {
    let mut rng = fastrand::Rng::with_seed(3);
    let pos = random_position(20, &mut rng);
    let example = Example { planes: Planes::of(&pos), policy: vec![(Move(7), 1.0)], result: -1.0 };
    for settings in [[("optimizer", "sgd")], [("adam", "forgetful")], [("adam", "real")]] {
        let options = options(&[settings[0], ("policy", "softmax"), ("init", "he"), ("loss", "report")]);
        let mut net = Net::random(options.design, options.init, &mut rng);
        let before = loss_of(&net, &example, Loss::Report);
        let (mut backward, mut stepper) = (Backward::default(), Stepper::new(&options, net.params.len()));
        for _ in 0..60 {
            backward.run(&net, &example, options.loss);
            stepper.step(&mut net.params, &mut backward.gradient);
        }
        let after = loss_of(&net, &example, Loss::Report);
        assert!(after < before / 4.0, "{settings:?}: {before} to {after}");
    }
}

#[test]
fn hexagonal_images_are_those_of_the_game() {
    let mut rng = fastrand::Rng::with_seed(4);
    let images = images(Symmetry::Hex);
    assert_eq!(images.len(), 588);
    for symmetry in (0..images.len()).step_by(7) {
        let pos = random_position(40, &mut rng);
        let image = pos.image(symmetry);
        let moved = Planes::of(&pos).moved(|cell| usize::from(images[symmetry][cell]));
        assert_eq!(moved.dense(), Planes::of(&image).dense(), "{symmetry}");
        let m = pos.random_move(&mut rng).expect("the game goes on");
        let image_move = Move(images[symmetry][usize::from(m.0)]);
        assert_eq!(pos.after(m).image(symmetry), image.after(image_move), "{symmetry}");
    }
}

#[test]
fn square_images_are_the_fault_of_the_original() {
    let square = images(Symmetry::Square);
    assert_eq!(square.len(), 4);
    // The corner wanders around the array, and a spread keeps its direction.
    assert_eq!(square.iter().map(|image| image[0]).collect::<Vec<_>>(), [0, 6, 48, 42]);
    assert_eq!(square[1][49 * 3], 49 * 3 + 6);
    let mut sorted = square[1];
    sorted.sort_unstable();
    assert!(sorted.iter().enumerate().all(|(idx, &m)| idx == usize::from(m)), "every move is an image");
    // None but the identity is a symmetry of the game.
    let hex = images(Symmetry::Hex);
    let are_symmetries: Vec<bool> = square.iter().map(|image| hex.contains(image)).collect();
    assert_eq!(are_symmetries, [true, false, false, false]);
    assert_eq!(images(Symmetry::None), [square[0]]);
}

#[test]
fn results_are_in_the_view_of_the_net() {
    let mut rng = fastrand::Rng::with_seed(6);
    let example_results = |view, rng: &mut fastrand::Rng| {
        let design = Design { padding: Padding::Valid, policy: Policy::Softmax, view };
        let net = Net::random(design, Init::He, rng);
        let (game, winner) = loop {
            let game = self_play(&net, Rule::Code, 2, rng);
            let end = game.positions()[game.plies.len()];
            if let Some(winner) = end.outcome().and_then(|outcome| outcome.winner) {
                break (game, winner);
            }
        };
        let sign = if winner == Player::Red { 1.0 } else { -1.0 };
        let examples = examples(&net, &game);
        assert_eq!(examples.len(), game.plies.len());
        let sums = examples.iter().map(|example| example.policy.iter().map(|&(_, share)| share).sum::<f32>());
        assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-4));
        [0, 1, 2].map(|ply: usize| examples[ply].result * sign)
    };
    assert_eq!(example_results(ValueView::Red, &mut rng), [1.0, 1.0, 1.0]);
    assert_eq!(example_results(ValueView::Mover, &mut rng), [1.0, -1.0, 1.0]);
}

#[test]
fn shards_read_back_and_strange_ones_are_refused() {
    let mut rng = fastrand::Rng::with_seed(7);
    let net = Net::random(options(&[]).design, Init::Normal, &mut rng);
    let games: Vec<PlayedGame> = (0..2).map(|_| self_play(&net, Rule::Code, 3, &mut rng)).collect();
    let bytes = to_shard(&games);
    assert_eq!(from_shard(&bytes).expect("our own shard"), games);
    assert!(from_shard(&bytes[..bytes.len() - 1]).is_err());
    for _ in 0..200 {
        let noise: Vec<u8> = (0..rng.usize(1..40)).map(|_| rng.u8(..)).collect();
        // It may happen to be an empty game, but never a panic.
        let _ = from_shard(&noise);
    }
    assert!(from_shard(&[1, 0, 255, 255, 0, 0]).is_err());
}

#[test]
fn a_preset_fills_what_is_not_given() {
    let original = options(&[]);
    assert_eq!(original.design.n_params(), 59_644);
    assert_eq!((original.games, original.match_games, original.epochs), (25, 15, 10));
    assert_eq!((original.simulations, original.match_simulations), (20, 12));
    assert_eq!((original.rate, original.l2), (0.001, 1e-5));
    assert_eq!(options(&[("optimizer", "sgd")]).rate, 0.01);
    let repaired = options(&[("preset", "repaired"), ("policy", "sigmoid")]);
    assert_eq!(repaired.design.policy, Policy::Sigmoid);
    assert_eq!(repaired.design.padding, Padding::Torus);
    assert_eq!(repaired.symmetry, Symmetry::Hex);
    assert_eq!(repaired.optimizer, Optimizer::Adam { is_forgetful: false });
}

/// Rounds of a second or so.
const TINY: [(&str, &str); 6] = [
    ("games", "1"),
    ("match_games", "1"),
    ("simulations", "2"),
    ("match_simulations", "2"),
    ("symmetry", "none"),
    ("ladder_games", "0"),
];

fn run(path: &Path, settings: &[(&str, &str)], n_rounds: u64, n_jobs: usize) -> Runner {
    let plan = plan(&[&TINY, settings].concat(), Length::Rounds(n_rounds));
    let mut runner = Runner::begin(path, plan, &INFO).expect("a run");
    let outcome = runner.run(n_jobs, &Stop::new(), &|_| {}, &mut |_| {}).expect("it does not fail");
    assert_eq!(outcome, Outcome::Complete);
    runner
}

/// The files of a run but the plan, which has its length, and the log, which has times.
fn bytes(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = [path.to_owned(), path.join("shards")].map(|folder| fs::read_dir(folder).expect("a folder"));
    let files = files.into_iter().flatten().map(|file| file.expect("a file").path());
    let files =
        files.filter(|file| file.is_file() && !file.ends_with("log.jsonl") && !file.ends_with("run.json"));
    let named = |file: std::path::PathBuf| {
        let name = file.strip_prefix(path).expect("within the run").display().to_string();
        (name, fs::read(&file).expect("a file"))
    };
    files.map(named).collect()
}

#[test]
fn a_run_that_was_interrupted_ends_as_one_that_was_not() {
    let folder = tempfile::tempdir().expect("a folder");
    for settings in [&[("failed", "kept")][..], &[("preset", "repaired"), ("needed", "0.3")]] {
        let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(settings[0].1).join(name));
        run(&whole, settings, 3, 2);
        for n_rounds in 1..=3 {
            run(&parts, settings, n_rounds, 1);
        }
        assert!(bytes(&whole) == bytes(&parts), "{settings:?}");
        assert!(bytes(&whole).len() > 3);
    }
}

#[test]
fn an_epoch_ends_with_a_win_or_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    // Two attempts for each of two epochs, unless a net happens to win its only game.
    let given_up = &[("needed", "1"), ("attempts", "2"), ("epochs", "2")];
    let runner = run(&folder.path().join("a"), given_up, 50, 1);
    let log = runner.log();
    assert!((2..=4).contains(&log.len()), "{} rounds", log.len());
    let epochs: Vec<f64> = log.iter().map(|line| line.entry.figures[0].1).collect();
    assert!(epochs.is_sorted() && epochs[0] == 1.0 && epochs[epochs.len() - 1] == 2.0, "{epochs:?}");

    // If nothing is needed, every net wins its epoch.
    let runner = run(&folder.path().join("b"), &[("needed", "0"), ("epochs", "2")], 9, 1);
    let remarks: Vec<_> = runner.log().iter().flat_map(|line| &line.entry.remarks).collect();
    assert_eq!(remarks.len(), 2);
    assert!(remarks.iter().all(|remark| remark.ends_with("the new net takes over")), "{remarks:?}");
}
