//! The net beside Infexion's counts: whole numbers against floats, updates against sums from scratch, any CPU.

use std::path::Path;
use std::sync::Arc;

use fastrand::Rng;
use yarra_engine::champion::infexion::net::{Extra, N_INPUTS, NetEvaluation, inputs, other_view};
use yarra_engine::champion::infexion::{HAND, Reach};
use yarra_engine::eval::{Evaluator, sum_of};
use yarra_engine::net::NetFile;
use yarra_engine::net::nnue::{FloatNnue, MAX_WEIGHT, N_HIDDEN, Nnue, UNIT};
use yarra_games::cpu::fastest;
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Position};

use crate::random_positions;

/// Weights of the size that training gives: most hidden units are neither 0 nor full.
pub fn random_net(seed: u64) -> FloatNnue {
    let mut rng = Rng::with_seed(seed);
    let mut around = |middle: f32, spread: f32| -> [f32; N_HIDDEN] {
        std::array::from_fn(|_| middle + spread * (2.0 * rng.f32() - 1.0))
    };
    FloatNnue {
        inputs: (0..N_INPUTS).map(|_| around(0.0, 0.3)).collect(),
        bias: around(0.3, 0.3),
        output: [around(0.0, 0.5), around(0.0, 0.5)],
    }
}

/// Rounding to whole numbers changes a value of the built-in net by at most this much, in hundredths. The worst case of
/// the arithmetic is far larger, but its errors have random signs.
const MAX_ROUNDING: f32 = 25.0;

#[test]
fn whole_numbers_are_close_to_floats() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/infexion-nnue.safetensors");
    let file = NetFile::open(&path).expect("the built-in net");
    let float = FloatNnue::read(&file, N_INPUTS).expect("its master copy");
    let net = Arc::new(Nnue::quantized(&float));
    assert_eq!(net, NetEvaluation::built_in().net);
    let mut most: f32 = 0.0;
    let (mut sum, mut n) = (0.0, 0);
    for pos in random_positions::<Infexion>(7, 10_000, 5) {
        let mine: Vec<u16> = inputs(&pos).collect();
        let others: Vec<u16> = mine.iter().map(|&input| other_view(input)).collect();
        let expected = UNIT as f32 * float.value([&mine, &others]);
        let found = Extra::value(&net, &net.root(&pos), &pos) as f32;
        most = most.max((expected - found).abs());
        sum += f64::from(expected.abs());
        n += 1;
    }
    assert_eq!(n, 10_000);
    assert!(20.0 < sum / f64::from(n), "the net says nothing: {}", sum / f64::from(n));
    assert!(most <= MAX_ROUNDING, "{most} hundredths");
}

#[test]
fn the_largest_weights_overflow_nothing() {
    for sign in [1.0, -1.0] {
        let all = [sign * MAX_WEIGHT; N_HIDDEN];
        let net =
            FloatNnue { inputs: vec![all; N_INPUTS], bias: all, output: [[sign * MAX_WEIGHT; N_HIDDEN]; 2] };
        let full = Infexion::read("r1r1r1r1r1r1r1/r1r1r1r1r1r1r1/r1r1r1r1r1r1r1/b1b1b1b1b1b1b1/b1b1b1b1b1b1b1/b1b1b1b1b1b1b1/b1b1b1b1b1b1b1 r 60").expect("a position");
        let whole = Arc::new(Nnue::quantized(&net));
        let found = Extra::value(&whole, &whole.root(&full), &full);
        let expected = if 0.0 < sign { 2.0 * N_HIDDEN as f32 * MAX_WEIGHT * UNIT as f32 } else { 0.0 };
        assert!((found as f32 - expected).abs() < 0.01 * expected.max(1.0), "{found} {expected}");
    }
}

#[test]
fn every_cpu_finds_the_same_value() {
    let net = Arc::new(Nnue::quantized(&random_net(2)));
    for pos in random_positions::<Infexion>(7, 300, 6) {
        let value = || Extra::value(&net, &net.root(&pos), &pos);
        let fast = fastest(
            #[inline(always)]
            || Extra::value(&net, &net.root(&pos), &pos),
        );
        assert_eq!(value(), fast, "at {pos}");
    }
}

#[test]
fn the_net_is_a_term_of_the_evaluation() {
    let reach = Reach::with_net(HAND, Arc::new(Nnue::quantized(&random_net(3))));
    for pos in random_positions::<Infexion>(7, 100, 7) {
        let value = reach.value(&reach.root(&pos), &pos);
        assert!((value.0 - sum_of(&reach.terms(&pos), pos.turn()).0).abs() <= 1, "at {pos}");
    }
}

#[test]
fn a_net_reads_back_and_a_broken_one_is_refused() {
    let net = NetEvaluation { weights: HAND, net: Arc::new(Nnue::quantized(&random_net(4))) };
    let mut file = NetFile::new("nnue", "infexion");
    assert!(!NetEvaluation::is_in(&file));
    net.write(&mut file);
    let read = NetEvaluation::read(&file).expect("our own net");
    assert!(NetEvaluation::is_in(&file) && read.weights == net.weights && read.net == net.net);
    file.add("output", &[2, N_HIDDEN], vec![300_i16; 2 * N_HIDDEN]);
    let error = NetEvaluation::read(&file).expect_err("weights that overflow").to_string();
    assert_eq!(error, "expected weights of at most 1.98");
    file.add("net.counts", &[57], vec![i32::MAX; 57]);
    assert!(NetEvaluation::read(&file).is_err());
}

#[test]
fn the_built_in_net_knows_who_leads() {
    let net = NetEvaluation::built_in();
    let reach = Reach::with_net(net.weights, net.net.clone());
    let value = |text: &str| {
        let pos = Infexion::read(text).expect("a position");
        reach.value(&reach.root(&pos), &pos).0
    };
    assert!(200 < value("......./..r3..../......./......./....b1../......./....... r 8"));
    assert!(value("......./..b3..../......./......./....r1../......./....... r 8") < -200);
}
