//! The nets beside the counts: whole numbers against floats, updates against sums from scratch, any CPU.

use std::path::Path;
use std::sync::Arc;

use fastrand::Rng;
use yarra_engine::champion::cachex::net as cachex;
use yarra_engine::champion::infexion::net::{self as infexion, SHAPE};
use yarra_engine::champion::infexion::{HAND, N_FEATURES, Reach};
use yarra_engine::champion::net::{Evaluation, Extra, NetEvaluation, NnueGame};
use yarra_engine::eval::{Evaluator, sum_of};
use yarra_engine::net::NetFile;
use yarra_engine::net::nnue::{FloatNnue, MAX_WEIGHT, N_HIDDEN, Nnue, Shape};
use yarra_games::cachex::{Bits, Cachex};
use yarra_games::cpu::fastest;
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Position};

use crate::random_positions;

/// Weights of the size that training gives: most hidden units are neither 0 nor full.
pub fn random_net(shape: Shape, seed: u64) -> FloatNnue {
    let mut rng = Rng::with_seed(seed);
    let mut around = |middle: f32, spread: f32| -> [f32; N_HIDDEN] {
        std::array::from_fn(|_| middle + spread * (2.0 * rng.f32() - 1.0))
    };
    FloatNnue {
        inputs: (0..shape.n_inputs).map(|_| around(0.0, 0.3)).collect(),
        bias: around(0.3, 0.3),
        output: [around(0.0, 0.5), around(0.0, 0.5)],
    }
}

/// Rounding to whole numbers changes a value of the built-in net by at most this much, in hundredths. The worst case of
/// the arithmetic is far larger, but its errors have random signs.
const MAX_ROUNDING: f32 = 25.0;

/// Compares a built-in net with its master copy.
fn check_rounding<G: NnueGame>(name: &str, size: u8, shape: Shape, built_in: &Arc<Nnue>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets").join(name);
    let file = NetFile::open(&path).expect("the built-in net");
    let float = FloatNnue::read(&file, shape.n_inputs).expect("its master copy");
    let net = Arc::new(Nnue::quantized(&float, shape));
    assert_eq!(net, *built_in);
    let mut most: f32 = 0.0;
    let (mut sum, mut n) = (0.0, 0);
    for pos in random_positions::<G>(size, 10_000, 5) {
        let [mine, others] = pos.inputs();
        let expected = shape.unit as f32 * float.value([&mine, &others]);
        let found = Extra::value(&net, &Extra::root(&net, &pos), &pos) as f32;
        most = most.max((expected - found).abs());
        sum += f64::from(expected.abs());
        n += 1;
    }
    assert_eq!(n, 10_000);
    assert!(20.0 < sum / f64::from(n), "the net says nothing: {}", sum / f64::from(n));
    assert!(most <= MAX_ROUNDING, "{most} hundredths");
}

#[test]
fn whole_numbers_are_close_to_floats() {
    check_rounding::<Infexion>("infexion-nnue.safetensors", 7, SHAPE, &infexion::built_in().net);
    for size in 7..=9 {
        let built_in = cachex::built_in(size).expect("a net for this size");
        let (name, shape) = (format!("cachex-{size}-nnue.safetensors"), cachex::shape(size));
        if size <= <u64 as Bits>::MAX_SIZE {
            check_rounding::<Cachex<u64>>(&name, size, shape, &built_in.net);
        } else {
            check_rounding::<Cachex<u128>>(&name, size, shape, &built_in.net);
        }
    }
}

#[test]
fn views_of_cachex_join_the_same_sides() {
    let mut n_compared = 0;
    for pos in random_positions::<Cachex<u128>>(9, 300, 8) {
        let [mut mine, others] = pos.inputs();
        let mut turned: Vec<u16> = others.iter().map(|&input| cachex::other_view(9, input)).collect();
        mine.sort_unstable();
        turned.sort_unstable();
        assert_eq!(mine, turned, "at {pos}");
        // The transposition that swaps the colors, and with them the player to move.
        if pos.n_symmetries() == 4 {
            let mut image = pos.image(2).inputs();
            image[0].sort_unstable();
            assert_eq!(mine, image[0], "at {pos}");
            n_compared += 1;
        }
    }
    assert!(200 < n_compared, "only {n_compared} positions can be transposed");
}

#[test]
fn the_largest_weights_overflow_nothing() {
    let full = Infexion::read(
        "r1r1r1r1r1r1r1/r1r1r1r1r1r1r1/r1r1r1r1r1r1r1/b1b1b1b1b1b1b1/b1b1b1b1b1b1b1/b1b1b1b1b1b1b1/b1b1b1b1b1b1b1 r 60",
    );
    check_bounds(&full.expect("a position"), SHAPE);
    let rows = ["rrrrrbbbbbb"; 11].join("/");
    let full = Cachex::<u128>::read(&format!("{rows} r 120")).expect("a position");
    check_bounds(&full, cachex::shape(11));
}

fn check_bounds<G: NnueGame>(full: &G, shape: Shape) {
    for sign in [1.0, -1.0] {
        let all = [sign * MAX_WEIGHT; N_HIDDEN];
        let net = FloatNnue { inputs: vec![all; shape.n_inputs], bias: all, output: [all; 2] };
        let whole = Arc::new(Nnue::quantized(&net, shape));
        let found = Extra::value(&whole, &Extra::root(&whole, full), full);
        let expected = if 0.0 < sign { 2.0 * N_HIDDEN as f32 * MAX_WEIGHT * shape.unit as f32 } else { 0.0 };
        assert!((found as f32 - expected).abs() < 0.01 * expected.max(1.0), "{found} {expected}");
    }
}

#[test]
fn every_cpu_finds_the_same_value() {
    let net = Arc::new(Nnue::quantized(&random_net(SHAPE, 2), SHAPE));
    for pos in random_positions::<Infexion>(7, 300, 6) {
        let value = || Extra::value(&net, &Extra::root(&net, &pos), &pos);
        let fast = fastest(
            #[inline(always)]
            || Extra::value(&net, &Extra::root(&net, &pos), &pos),
        );
        assert_eq!(value(), fast, "at {pos}");
    }
}

#[test]
fn the_net_is_a_term_of_the_evaluation() {
    let reach = Reach::with_net(HAND, Arc::new(Nnue::quantized(&random_net(SHAPE, 3), SHAPE)));
    for pos in random_positions::<Infexion>(7, 100, 7) {
        let value = reach.value(&reach.root(&pos), &pos);
        assert!((value.0 - sum_of(&reach.terms(&pos), pos.turn()).0).abs() <= 1, "at {pos}");
    }
}

#[test]
fn a_net_reads_back_and_a_broken_one_is_refused() {
    let net = NetEvaluation { weights: HAND, net: Arc::new(Nnue::quantized(&random_net(SHAPE, 4), SHAPE)) };
    let mut file = NetFile::new("nnue", "infexion");
    HAND.write("counts", &mut file);
    let read = |file: &NetFile| Evaluation::read(file, SHAPE);
    assert!(matches!(read(&file), Ok(Evaluation::Counts(HAND))));
    net.write(&mut file);
    let Ok(Evaluation::Net(again)) = read(&file) else { panic!("our own net") };
    assert!(again.weights == net.weights && again.net == net.net);
    let error = Evaluation::<N_FEATURES>::read(&file, cachex::shape(7)).expect_err("another game's inputs");
    assert!(error.to_string().contains("inputs"), "{error}");
    file.add("output", &[2, N_HIDDEN], vec![300_i16; 2 * N_HIDDEN]);
    let error = read(&file).expect_err("weights that overflow").to_string();
    assert_eq!(error, "expected weights of at most 1.98");
    file.add("net.counts", &[57], vec![i32::MAX; 57]);
    assert!(read(&file).is_err());
}

#[test]
fn the_built_in_net_knows_who_leads() {
    let net = infexion::built_in();
    let reach = Reach::with_net(net.weights, net.net.clone());
    let value = |text: &str| {
        let pos = Infexion::read(text).expect("a position");
        reach.value(&reach.root(&pos), &pos).0
    };
    assert!(200 < value("......./..r3..../......./......./....b1../......./....... r 8"));
    assert!(value("......./..b3..../......./......./....r1../......./....... r 8") < -200);
}
