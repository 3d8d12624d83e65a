use std::sync::Arc;

use yarra_games::cachex::{Cachex, Hex};
use yarra_games::cpu::{AnyCpu, FloatCpu, FusedCpu, WideCpu};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Move, MoveList, Player, Position};

use super::kernels::{Conv, conv};
use super::*;
use crate::net::Oracle;

fn moves<G: NetGame + Game>(pos: &G) -> MoveList {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    moves
}

fn encoded<G: NetGame + Game>(pos: &G) -> NetInput {
    let mut input = NetInput::default();
    pos.encode(&mut input);
    input
}

/// Calls `check` at the positions of a random game.
fn at_positions<G: NetGame + Game>(
    size: u8,
    rng: &mut fastrand::Rng,
    mut check: impl FnMut(G, &mut fastrand::Rng),
) {
    let mut pos = G::start(size).expect("a size of this game");
    while let Some(m) = pos.random_move(rng) {
        check(pos, rng);
        pos.play(m);
    }
}

/// A net whose outputs depend on everything.
fn net<G: NetGame + Game>(n_blocks: usize, n_filters: usize, rng: &mut fastrand::Rng) -> ConvNet {
    let shape = NetShape { geometry: Geometry::of(G::NAME).expect("a net's game"), n_blocks, n_filters };
    let mut net = ConvNet::new(G::NAME, shape, rng).expect("a small net");
    for tensor in net.layout().tensors.clone() {
        let numbers = tensor.numbers(&net.params);
        tensor.set(&mut net.params, numbers.into_iter().map(|number| number + 0.1 * (rng.f32() - 0.45)));
    }
    net
}

fn check_symmetries<G: NetGame + Game>(size: u8) {
    let geometry = Geometry::of(G::NAME).expect("a net's game");
    let mut rng = fastrand::Rng::with_seed(1);
    at_positions::<G>(size, &mut rng, |pos, rng| {
        let number = rng.usize(..Symmetry::count(geometry));
        let symmetry = Symmetry::new(geometry, size, number);
        let image = pos.image(number);
        let mut turned = NetInput::default();
        symmetry.apply(&encoded(&pos), &mut turned);
        assert_eq!(turned, encoded(&image), "{number} at {pos}");
        for m in moves(&pos) {
            let moved = image.policy_index(pos.image_move(number, m));
            assert_eq!(symmetry.index(pos.policy_index(m)), moved, "{number}, {m:?} at {pos}");
        }
    });
}

#[test]
fn symmetries_are_those_of_the_games() {
    check_symmetries::<Infexion>(7);
    check_symmetries::<Tetress>(11);
    check_symmetries::<Cachex<u64>>(5);
    check_symmetries::<Hex<u128>>(9);
}

#[test]
fn a_rhombus_is_seen_from_the_sides_of_the_mover() {
    let mut rng = fastrand::Rng::with_seed(2);
    at_positions::<Cachex<u64>>(6, &mut rng, |pos, _| {
        if 4 <= pos.n_symmetries() {
            // Colors swapped and the board transposed: the same position for a net.
            let swapped = pos.image(2);
            assert_eq!(encoded(&pos).cells, encoded(&swapped).cells);
            for m in moves(&pos) {
                assert_eq!(pos.policy_index(m), swapped.policy_index(pos.image_move(2, m)));
            }
        }
    });
    let pos = Cachex::<u64>::start(3).expect("a size of Cachex").after(Move(1));
    assert_eq!(encoded(&pos).cells, [0, 0, 0, 2, 0, 0, 0, 0, 0]);
    assert_eq!(encoded(&pos).scalars[1..3], [0.0, 1.0]);
    assert_eq!(pos.policy_index(Move(9)), 9);
}

#[test]
fn policy_indices_of_moves_differ_and_lie_within_the_net() {
    fn check<G: NetGame + Game>(size: u8) {
        let geometry = Geometry::of(G::NAME).expect("a net's game");
        at_positions::<G>(size, &mut fastrand::Rng::with_seed(3), |pos, _| {
            let n_cells = usize::from(size).pow(2);
            let n_outputs = n_cells * geometry.n_planes() + usize::from(geometry.has_steal());
            let mut indices: Vec<_> = moves(&pos).iter().map(|&m| pos.policy_index(m)).collect();
            indices.sort_unstable();
            assert!(
                indices.is_sorted_by(|a, b| a < b) && indices.iter().all(|&idx| usize::from(idx) < n_outputs)
            );
            let codes = encoded(&pos).cells;
            assert!(
                codes.len() == n_cells && codes.iter().all(|&code| usize::from(code) <= geometry.n_codes())
            );
        });
    }
    check::<Infexion>(7);
    check::<Tetress>(11);
    check::<Cachex<u128>>(9);
}

#[test]
fn a_lead_is_that_of_the_player_to_move() {
    let mut pos = Infexion::start(7).expect("the size of Infexion");
    let start = pos;
    for m in ["0-0", "3-3", "0-1"] {
        pos.play(pos.read_move(m).expect("a spawn"));
    }
    assert_eq!(start.lead(&pos), (0.1_f32).tanh());
    assert_eq!(pos.lead(&pos), -(0.1_f32).tanh());
    let mut pos = Tetress::start(11).expect("the size of Tetress");
    assert_eq!(pos.lead(&pos), 0.0);
    pos.play(pos.read_move("0-0,0-1,0-2,0-3").expect("a piece"));
    let blue_to_move = pos;
    pos.play(pos.read_move("5-0,5-1,6-0,6-1").expect("a piece"));
    let [red, blue] = pos.mobility();
    assert!(blue < red && 0.0 < pos.lead(&pos));
    assert_eq!(blue_to_move.lead(&pos), -pos.lead(&pos));
    let mut won = Hex::<u64>::start(3).expect("a size of Hex");
    let start = won;
    for m in [0, 1, 3, 4, 6] {
        won.play(Move(m));
    }
    assert_eq!(won.outcome().and_then(|outcome| outcome.winner), Some(Player::Red));
    assert_eq!(start.lead(&won), 1.0 - 5.0 / 9.0);
    assert_eq!(start.after(Move(0)).lead(&won), -(1.0 - 4.0 / 9.0));
}

/// A convolution as its definition says it, and whether all CPUs that fuse agree to the bit.
#[test]
fn convolutions_are_what_they_should_be_on_every_cpu() {
    fn run<C: FloatCpu>(cpu: C, kernel: Conv<'_>, input: &[Lanes]) -> Vec<f32> {
        let mut out = vec![0.0; kernel.near[0].len() * kernel.n_out * N_LANES];
        let lanes = &mut out;
        cpu.run(|| {
            conv::<C>(kernel, input, |cell, lane, sum| {
                let first = (cell * kernel.n_out + lane) * N_LANES;
                lanes[first..first + N_LANES].copy_from_slice(&sum.0);
            });
        });
        out
    }
    let mut rng = fastrand::Rng::with_seed(4);
    let boards = [
        (Geometry::HexTorus, 7),
        (Geometry::SquareTorus, 11),
        (Geometry::Rhombus, 3),
        (Geometry::Rhombus, 5),
    ];
    for ((geometry, size), n_lanes) in
        boards.into_iter().flat_map(|board| [(board, 1), (board, 2), (board, 3)])
    {
        let grid = Grid::of(geometry, size);
        let (n_cells, n_filters) = (grid.n_cells(), n_lanes * N_LANES);
        let mut lanes = |n: usize| -> Vec<_> {
            std::iter::repeat_with(|| Lanes(std::array::from_fn(|_| rng.f32() - 0.5))).take(n).collect()
        };
        let weights = lanes(grid.near.len() * n_filters * n_lanes);
        let mut input = lanes(n_cells * n_lanes);
        input.extend(vec![Lanes::ZERO; n_lanes]);
        let kernel = Conv { near: &grid.near, weights: &weights, n_in: n_lanes, n_out: n_lanes };
        let any = run(AnyCpu, kernel, &input);
        let number = |lanes: &[Lanes], idx: usize| lanes[idx / N_LANES].0[idx % N_LANES];
        for (cell, output) in [(0, 0), (n_cells - 1, n_filters - 1), (n_cells / 2, 3)] {
            let (row, col) = ((cell / grid.size) as i32, (cell % grid.size) as i32);
            let mut sum = 0.0;
            for (n, &(dr, dc)) in geometry.kernel().iter().enumerate() {
                let (mut row, mut col) = (row + i32::from(dr), col + i32::from(dc));
                if geometry != Geometry::Rhombus {
                    (row, col) = (row.rem_euclid(size.into()), col.rem_euclid(size.into()));
                }
                if [row, col].iter().any(|at| !(0..i32::from(size)).contains(at)) {
                    continue;
                }
                let there = row as usize * grid.size + col as usize;
                for filter in 0..n_filters {
                    let weight = number(&weights, (n * n_filters + filter) * n_filters + output);
                    sum += f64::from(weight) * f64::from(number(&input, there * n_filters + filter));
                }
            }
            let computed = f64::from(any[cell * n_filters + output]);
            assert!((computed - sum).abs() < 1e-4, "{geometry:?} {size}: {computed} for {sum}");
        }
        let fused = FusedCpu::detect().map(|cpu| run(cpu, kernel, &input));
        let wide = WideCpu::detect().map(|cpu| run(cpu, kernel, &input));
        assert!(fused.iter().all(|fused| fused.iter().zip(&any).all(|(a, b)| (a - b).abs() < 1e-4)));
        assert!(wide.is_none() || wide == fused);
    }
}

#[test]
fn shifting_a_torus_changes_no_value_and_shifts_the_policy() {
    fn check<G: NetGame + Game>(size: u8, n_turns: usize) {
        let mut rng = fastrand::Rng::with_seed(5);
        let net = net::<G>(2, 16, &mut rng);
        let (mut trace, mut turned_trace) = (Trace::default(), Trace::default());
        let mut n_checked = 0;
        at_positions::<G>(size, &mut rng, |pos, rng| {
            if !pos.ply().is_multiple_of(29) {
                return;
            }
            let shift = n_turns * rng.usize(1..usize::from(size).pow(2));
            let indices: Vec<_> = moves(&pos).iter().map(|&m| pos.policy_index(m)).collect();
            let symmetry = Symmetry::new(net.shape().geometry, size, shift);
            let images: Vec<_> = indices.iter().map(|&idx| symmetry.index(idx)).collect();
            net.evaluate(&encoded(&pos), &indices, &mut trace);
            net.evaluate(&encoded(&pos.image(shift)), &images, &mut turned_trace);
            assert!((trace.value - turned_trace.value).abs() < 1e-4);
            assert!((trace.lead - turned_trace.lead).abs() < 1e-4);
            assert!(trace.logits.iter().zip(&turned_trace.logits).all(|(a, b)| (a - b).abs() < 1e-3));
            n_checked += 1;
        });
        assert!(2 <= n_checked);
    }
    check::<Infexion>(7, 12);
    check::<Tetress>(11, 8);
}

#[test]
fn one_net_plays_all_sizes_in_any_order() {
    let mut rng = fastrand::Rng::with_seed(6);
    let net = Arc::new(net::<Cachex<u64>>(1, 32, &mut rng));
    let mut oracle = NetOracle::new(net.clone(), None);
    let mut evaluate = |size: u8| {
        let mut logits = Vec::new();
        let value = match size {
            ..8 => {
                let pos = Cachex::<u64>::start(size).expect("a size of Cachex");
                oracle.evaluate(&pos, &moves(&pos), &mut logits)
            }
            _ => {
                let pos = Cachex::<u128>::start(size).expect("a size of Cachex");
                oracle.evaluate(&pos, &moves(&pos), &mut logits)
            }
        };
        (value, logits)
    };
    let first = evaluate(3);
    assert_eq!(first.1.len(), 8);
    assert_eq!(evaluate(9).1.len(), 80);
    assert_eq!(evaluate(3), first);
}

#[test]
fn a_net_starts_without_opinions_and_reads_back() {
    let mut rng = fastrand::Rng::with_seed(7);
    let shape = NetShape { geometry: Geometry::SquareTorus, n_blocks: 3, n_filters: 32 };
    let fresh = ConvNet::new("tetress", shape, &mut rng).expect("a net");
    let pos = Tetress::start(11).expect("the size of Tetress");
    let mut logits = Vec::new();
    assert_eq!(NetOracle::new(Arc::new(fresh), Some(1)).evaluate(&pos, &moves(&pos), &mut logits), 0.0);
    assert!(logits.len() == 2299 && logits.iter().all(|&logit| logit == 0.0));
    let net = net::<Tetress>(3, 32, &mut rng);
    let read = ConvNet::from_file(&net.to_file()).expect("our own file");
    assert!(read.params == net.params && read.shape() == net.shape());
    let error = |change: fn(&mut crate::net::NetFile)| {
        let mut file = net.to_file();
        change(&mut file);
        ConvNet::from_file(&file).expect_err("a broken file").to_string()
    };
    assert_eq!(
        error(|file| file.tell("filters", 20)),
        "expected a multiple of 16 filters up to 512, found 20"
    );
    assert_eq!(error(|file| file.tell("blocks", 4)), "expected a tensor block3.conv1.weight");
    let game = error(|file| file.tell("game", "chess"));
    assert_eq!(game, "expected a game that nets play, found chess");
    let not_finite = |file: &mut crate::net::NetFile| file.add("policy.bias", &[19], vec![f32::NAN; 19]);
    assert_eq!(error(not_finite), "tensor policy.bias: expected finite numbers");
}
