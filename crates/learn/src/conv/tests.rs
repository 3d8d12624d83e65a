use yarra_engine::net::conv::shape::TensorInfo;
use yarra_engine::net::conv::{ConvNet, Geometry, NetGame, NetInput, NetShape};
use yarra_games::cachex::Cachex;
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Game, MoveList};

use super::{Losses, Sample, Trainer};

/// Positions of random games with arbitrary targets.
fn samples<G: NetGame + Game>(n: usize, sizes: &[u8], rng: &mut fastrand::Rng) -> Vec<Sample> {
    let sample = |idx: usize| {
        let mut pos = G::start(sizes[idx % sizes.len()]).expect("a size of this game");
        let n_plies = [1, 30, 0, 12][idx % 4];
        for _ in 0..n_plies {
            if let Some(m) = pos.random_move(rng)
                && pos.after(m).outcome().is_none()
            {
                pos.play(m);
            }
        }
        let mut input = NetInput::default();
        pos.encode(&mut input);
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let shares: Vec<_> = moves.iter().map(|_| rng.f32().powi(8)).collect();
        let total: f32 = shares.iter().sum();
        let policy =
            moves.iter().zip(shares).map(|(&m, share)| (pos.policy_index(m), share / total)).collect();
        Sample { input, policy, value: 2.0 * rng.f32() - 1.0, lead: 2.0 * rng.f32() - 1.0 }
    };
    (0..n).map(sample).collect()
}

/// A small net none of whose parameters is zero, so that every path carries a gradient.
fn net<G: NetGame + Game>(n_blocks: usize, n_filters: usize, rng: &mut fastrand::Rng) -> ConvNet {
    let shape = NetShape { geometry: Geometry::of(G::NAME).expect("a net's game"), n_blocks, n_filters };
    let mut net = ConvNet::new(G::NAME, shape, rng).expect("a small net");
    for tensor in net.layout().tensors.clone() {
        let deviation = if 0.0 < tensor.deviation { 0.0 } else { 0.15 };
        let numbers = tensor.numbers(&net.params);
        tensor
            .set(&mut net.params, numbers.into_iter().map(|number| number + deviation * (rng.f32() - 0.45)));
    }
    net
}

fn total(losses: Losses) -> f64 {
    f64::from(losses.policy) + f64::from(losses.value) + 0.2 * f64::from(losses.lead)
}

/// The slope of the loss in a direction of one tensor, by differences.
fn slope(
    trainer: &mut Trainer,
    samples: &[&Sample],
    tensor: &TensorInfo,
    direction: &[f32],
    step: f32,
) -> f64 {
    let old = tensor.numbers(&trainer.net.params);
    let mut loss_at = |step: f32| {
        let moved = old.iter().zip(direction).map(|(old, direction)| old + step * direction);
        tensor.set(&mut trainer.net.params, moved);
        total(trainer.losses(samples, 1))
    };
    let slope = (loss_at(step) - loss_at(-step)) / (2.0 * f64::from(step));
    tensor.set(&mut trainer.net.params, old);
    slope
}

fn check_gradients<G: NetGame + Game>(sizes: &[u8], n_blocks: usize, n_filters: usize) {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut trainer = Trainer::new(net::<G>(n_blocks, n_filters, &mut rng));
    let samples = samples::<G>(4, sizes, &mut rng);
    let samples: Vec<_> = samples.iter().collect();
    let (gradient, losses) = trainer.gradient(&samples, 2);
    assert_eq!(losses, trainer.losses(&samples, 1));
    for tensor in trainer.net.layout().tensors.clone() {
        let analytic = tensor.numbers(&gradient);
        let norm = analytic.iter().map(|g| g * g).sum::<f32>().sqrt();
        assert!(1e-4 < norm, "{}: {norm}", tensor.name);
        let along: Vec<_> = analytic.iter().map(|g| g / norm).collect();
        check_slope(&mut trainer, &samples, &tensor, &along, norm);
        // Single parameters: those with the steepest slopes, where rounding matters least.
        let mut order: Vec<_> = (0..analytic.len()).collect();
        order.sort_by(|&a, &b| analytic[b].abs().total_cmp(&analytic[a].abs()));
        for &idx in order.iter().take(2) {
            let mut direction = vec![0.0; analytic.len()];
            direction[idx] = 1.0;
            check_slope(&mut trainer, &samples, &tensor, &direction, analytic[idx]);
        }
    }
}

/// A long step may cross a kink of a rectifier or a maximum, a short one suffers from rounding: one of three must agree.
fn check_slope(
    trainer: &mut Trainer,
    samples: &[&Sample],
    tensor: &TensorInfo,
    direction: &[f32],
    expected: f32,
) {
    let expected = f64::from(expected);
    let mut measured = Vec::new();
    let agrees = [4e-3, 1e-3, 2e-4].into_iter().any(|step| {
        let slope = slope(trainer, samples, tensor, direction, step);
        measured.push(slope);
        (slope - expected).abs() < 0.02 * expected.abs() + 1e-3
    });
    assert!(agrees, "{}: computed {expected}, measured {measured:?}", tensor.name);
}

#[test]
fn gradients_of_every_layer_agree_with_differences() {
    check_gradients::<Infexion>(&[7], 2, 16);
    check_gradients::<Tetress>(&[11], 1, 16);
    check_gradients::<Cachex<u64>>(&[5, 3, 6, 4], 2, 32);
    check_gradients::<Cachex<u64>>(&[4], 1, 48);
}

#[test]
fn training_is_the_same_on_any_number_of_threads_and_after_a_pause() {
    let mut rng = fastrand::Rng::with_seed(2);
    let samples = samples::<Cachex<u64>>(30, &[3, 5], &mut rng);
    let batch: Vec<_> = samples.iter().collect();
    let start = net::<Cachex<u64>>(1, 16, &mut rng);
    let run = |n_jobs: usize, pause: bool| {
        let mut trainer = Trainer::new(start.clone());
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..4 {
            trainer.step(&batch, &mut rng, 1e-3, n_jobs);
            if pause {
                trainer = Trainer::from_file(&trainer.to_file()).expect("our own file");
            }
        }
        trainer.to_file().to_bytes()
    };
    let bytes = run(1, false);
    assert!(bytes == run(3, false));
    assert!(bytes == run(2, true));
}

#[test]
fn a_net_learns_its_samples() {
    let mut rng = fastrand::Rng::with_seed(3);
    let samples = samples::<Infexion>(24, &[7], &mut rng);
    let batch: Vec<_> = samples.iter().collect();
    let shape = NetShape { geometry: Geometry::HexTorus, n_blocks: 1, n_filters: 16 };
    let mut trainer = Trainer::new(ConvNet::new("infexion", shape, &mut rng).expect("a small net"));
    let before = trainer.losses(&batch, 1);
    for _ in 0..150 {
        trainer.step(&batch, &mut rng, 3e-3, 1);
    }
    let after = trainer.losses(&batch, 1);
    assert!(after.value < 0.9 * before.value && after.policy < before.policy, "{before:?} to {after:?}");
}

#[test]
fn a_sample_reads_back_and_is_refused_when_cut_off() {
    let mut rng = fastrand::Rng::with_seed(4);
    let samples = samples::<Tetress>(2, &[11], &mut rng);
    let mut bytes = Vec::new();
    samples.iter().for_each(|sample| sample.write(&mut bytes));
    let mut rest = &bytes[..];
    assert_eq!(Sample::read(&mut rest).as_ref(), Some(&samples[0]));
    assert_eq!(Sample::read(&mut rest).as_ref(), Some(&samples[1]));
    assert!(rest.is_empty() && Sample::read(&mut rest).is_none());
    assert!(Sample::read(&mut &bytes[..100]).is_none());
}
