//! Report 004, Agent 1: the net's input, the net, the search and the agent.

use std::sync::Arc;

use yarra_engine::agent::unwatched;
use yarra_engine::net::NetFile;
use yarra_engine::{Agent, Limits};
use yarra_games::infexion::Infexion;
use yarra_games::{Game, MoveList, Position, Record};
use yarra_reports::raccoons::zero::design::N_MOVES;
use yarra_reports::raccoons::zero::{
    Activations, Design, EXPLORATION, Init, Net, Padding, Planes, Policy, Rule, Search, View, Word, Zero,
    match_temperature,
};

use crate::{EMPTY, at_random_positions, board, make_for};

const REPORT: Design = Design { padding: Padding::Valid, policy: Policy::Sigmoid, view: View::Red };

fn random_net(design: Design) -> Net {
    Net::random(design, Init::He, &mut fastrand::Rng::with_seed(1))
}

#[test]
fn planes_show_the_board_to_the_player_to_move() {
    let rows = ["r3b1.....", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, "......r6"];
    let on = |turn: &str, cell: usize| -> Vec<(usize, f32)> {
        let dense = Planes::of(&board(rows, turn)).dense();
        dense[cell].iter().copied().enumerate().filter(|&(_, value)| value != 0.0).collect()
    };
    // Signed power, own power, and the plane of own stacks of power 3.
    assert_eq!(on("r 8", 0), [(0, 3.0), (2, 3.0), (8, 3.0)]);
    // Signed power, the opponent's power, and the plane of the opponent's stacks of power 1.
    assert_eq!(on("r 8", 1), [(0, -1.0), (3, 1.0), (5, -1.0)]);
    assert_eq!(on("r 8", 2), [(1, 1.0)]);
    // Power 6 has no planes of its own.
    assert_eq!(on("r 8", 48), [(0, 6.0), (2, 6.0)]);
    assert_eq!(on("b 9", 0), [(0, -3.0), (3, 3.0), (9, -3.0)]);
    assert_eq!(on("b 9", 1), [(0, 1.0), (2, 1.0), (4, 1.0)]);
}

#[test]
fn the_net_has_the_size_of_the_original() {
    assert_eq!(REPORT.n_params(), 59_644);
    let shapes: usize = REPORT.tensors().iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
    assert_eq!(shapes, 59_644);
    let torus = Design { padding: Padding::Torus, ..REPORT };
    assert_eq!(torus.n_params(), 59_644 + 20 * (49 - 25) + 20 * (49 - 9) + 20 * (49 - 9) * 100);
    let params = Init::Normal.draw(REPORT, &mut fastrand::Rng::with_seed(3));
    let mean = params.iter().sum::<f32>() / params.len() as f32;
    let variance = params.iter().map(|x| x * x).sum::<f32>() / params.len() as f32;
    assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "mean {mean}, variance {variance}");
}

/// The net by its definition, in 64 bits and without any trick.
fn naive(net: &Net, pos: &Infexion) -> (Vec<f64>, f64) {
    let [w1, b1, w2, b2, w3, b3, w4, b4, w5, b5] =
        net.design.split(&net.params).map(|part| part.iter().map(|&x| f64::from(x)).collect::<Vec<_>>());
    let is_torus = net.design.padding == Padding::Torus;
    let convolve = |input: &[f64], side: usize, n_from: usize, weights: &[f64], bias: &[f64]| {
        let to_side = if is_torus { side } else { side - 2 };
        let mut out = bias.to_vec();
        for (idx, out) in out.iter_mut().enumerate() {
            let (row, col, channel) = (idx / 20 / to_side, idx / 20 % to_side, idx % 20);
            for (tap, from) in (0..9).flat_map(|tap| (0..n_from).map(move |from| (tap, from))) {
                let at =
                    |base: usize, step| if is_torus { (base + step + side - 1) % side } else { base + step };
                let cell = at(row, tap / 3) * side + at(col, tap % 3);
                *out += input[cell * n_from + from] * weights[(tap * n_from + from) * 20 + channel];
            }
        }
        out.iter().map(|x| x.tanh()).collect::<Vec<_>>()
    };
    let dense = |input: &[f64], weights: &[f64], bias: &[f64]| {
        let n_to = bias.len();
        let sum =
            |to: usize| input.iter().enumerate().map(|(from, x)| x * weights[from * n_to + to]).sum::<f64>();
        (0..n_to).map(|to| bias[to] + sum(to)).collect::<Vec<_>>()
    };
    let input: Vec<f64> = Planes::of(pos).dense().iter().flatten().map(|&x| f64::from(x)).collect();
    let first = convolve(&input, 7, 14, &w1, &b1);
    let second = convolve(&first, if is_torus { 7 } else { 5 }, 20, &w2, &b2);
    let hidden: Vec<f64> = dense(&second, &w3, &b3).iter().map(|x| 1.0 / (1.0 + (-x).exp())).collect();
    (dense(&hidden, &w4, &b4), dense(&hidden, &w5, &b5)[0].tanh())
}

#[test]
fn the_net_computes_what_its_definition_says() {
    for padding in [Padding::Valid, Padding::Torus] {
        let net = random_net(Design { padding, ..REPORT });
        let mut out = Activations::default();
        let mut n_checked = 0;
        at_random_positions(|pos| {
            if pos.ply() % 67 == 30 {
                net.run(&Planes::of(pos), &mut out);
                let (logits, value) = naive(&net, pos);
                assert!((f64::from(out.value) - value).abs() < 1e-4, "{pos}");
                for (found, expected) in out.logits.iter().zip(logits) {
                    assert!((f64::from(*found) - expected).abs() < 1e-4, "{pos}");
                }
                n_checked += 1;
            }
        });
        assert!(20 < n_checked);
    }
}

#[test]
fn priors_are_shares_of_the_legal_moves() {
    for policy in [Policy::Sigmoid, Policy::Softmax] {
        let net = random_net(Design { policy, ..REPORT });
        let mut logits = vec![0.0_f32; N_MOVES];
        logits[5] = 3.0;
        let moves: MoveList = [3, 5, 60].map(yarra_games::Move).to_vec();
        let priors = net.priors(&logits, &moves);
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(priors[0] < priors[1] && priors[0] == priors[2], "{priors:?}");
        // Outputs that are all 0 leave no preference, and no NaN.
        let priors = net.priors(&[-1e4; N_MOVES], &moves);
        assert!(priors.iter().all(|&prior| prior == priors[0] && prior.is_finite()), "{priors:?}");
    }
}

#[test]
fn a_value_in_the_view_of_red_is_turned_for_blue() {
    let (red, blue) =
        (board([EMPTY; 7], "r 0"), board(["r1......", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY], "b 1"));
    let by_red = random_net(REPORT);
    assert_eq!([by_red.value_for_mover(&red, 0.5), by_red.value_for_mover(&blue, 0.5)], [0.5, -0.5]);
    let by_mover = random_net(Design { view: View::Mover, ..REPORT });
    assert_eq!(by_mover.value_for_mover(&blue, 0.5), 0.5);
}

/// A net that knows nothing: all outputs are the same on every board.
fn blank() -> Net {
    Net::new(REPORT, vec![0.0; REPORT.n_params()])
}

fn searched(net: &Net, rule: Rule, pos: &Infexion, n_simulations: u32) -> Search {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut search = Search::new(rule, EXPLORATION);
    search.set_root(net, pos);
    (0..n_simulations).for_each(|_| search.simulate(net, &mut rng));
    search
}

const DUEL: [&str; 7] = ["r3b1.b1...", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];

#[test]
fn visits_are_simulations_and_unknown_moves_come_in_order() {
    let start = board([EMPTY; 7], "r 0");
    for rule in [Rule::Code, Rule::Puct] {
        let visits = searched(&blank(), rule, &start, 20).visits();
        // Nothing tells the moves apart: the first twenty get one visit each.
        assert_eq!(visits, (0..20).map(|m| (yarra_games::Move(m), 1)).collect::<Vec<_>>(), "{rule:?}");
        let net = random_net(REPORT);
        let sum: u32 = searched(&net, rule, &start, 300).visits().iter().map(|&(_, n)| n).sum();
        assert_eq!(sum, 300, "{rule:?}");
    }
}

#[test]
fn the_search_finds_a_win_in_one() {
    let pos = board(DUEL, "r 8");
    for rule in [Rule::Code, Rule::Puct] {
        let search = searched(&blank(), rule, &pos, 400);
        let mut rng = fastrand::Rng::with_seed(1);
        let m = search.draw(0.01, &mut rng);
        assert_eq!(pos.show_move(m), "0-0dr", "{rule:?}");
        assert_eq!(search.mean(m), 1.0);
        assert_eq!(search.line(m), [m]);
    }
}

#[test]
fn the_programs_tree_stays_flat_and_that_of_puct_grows() {
    let pos = board([EMPTY; 7], "r 0");
    // Likes the first moves best, and so visits them again and again.
    let design = Design { policy: Policy::Softmax, ..REPORT };
    let mut net = Net::new(design, vec![0.0; design.n_params()]);
    let [.., bias, _, _] = design.split_mut(&mut net.params);
    (0..N_MOVES).for_each(|m| bias[m] = -(m as f32));
    let depth = |rule, n_simulations| searched(&net, rule, &pos, n_simulations).depth();
    // 20 simulations in self-play; a node of the program adds 48 random children before it looks deeper.
    assert!(depth(Rule::Code, 20) <= 2 && depth(Rule::Code, 45) <= 2);
    assert!(2 < depth(Rule::Puct, 45), "{}", depth(Rule::Puct, 45));
}

#[test]
fn the_tree_is_kept_for_the_moves_that_follow() {
    let start = board([EMPTY; 7], "r 0");
    let net = random_net(REPORT);
    let mut rng = fastrand::Rng::with_seed(3);
    let mut search = searched(&net, Rule::Puct, &start, 500);
    let line = search.line(search.draw(0.01, &mut rng));
    assert!(2 < line.len(), "{line:?}");
    let next = start.after(line[0]).after(line[1]);
    search.set_root(&net, &next);
    let n_kept: u32 = search.visits().iter().map(|&(_, n)| n).sum();
    assert!(0 < n_kept && n_kept < 500, "{n_kept}");
    assert!(search.visits().iter().any(|&(m, _)| m == line[2]));
    // Elsewhere nothing is known.
    search.set_root(&net, &board(DUEL, "r 8"));
    assert!(search.visits().is_empty());
}

#[test]
fn moves_are_drawn_by_their_visits() {
    let search = searched(&blank(), Rule::Code, &board([EMPTY; 7], "r 0"), 2);
    let mut rng = fastrand::Rng::with_seed(8);
    let n_first = (0..1000).filter(|_| search.draw(1.0, &mut rng).0 == 0).count();
    assert!((420..580).contains(&n_first), "{n_first}");
    assert_eq!(
        [0, 29, 30, 99, 100, 199, 200, 342].map(match_temperature),
        [0.01, 0.01, 0.5, 0.5, 0.2, 0.2, 0.01, 0.01]
    );
}

#[test]
fn a_net_file_reads_back() {
    let design = Design { padding: Padding::Torus, policy: Policy::Softmax, view: View::Mover };
    let net = random_net(design);
    let bytes = net.to_file(Rule::Puct).to_bytes();
    let (read, rule) = Net::from_file(&NetFile::read(&bytes).expect("our own file")).expect("our own net");
    assert!(read == net && rule == Rule::Puct);
    let other = NetFile::new("zero", "infexion");
    let error = Net::from_file(&other).expect_err("another kind").to_string();
    assert_eq!(error, "expected a net of kind raccoons, found zero");
    let mut strange = net.to_file(Rule::Puct);
    strange.tell(Rule::KEY, "clever");
    let error = Net::from_file(&strange).expect_err("another word").to_string();
    assert!(error.contains("clever"), "{error}");
}

#[test]
fn the_built_in_net_is_that_of_the_report() {
    let (net, rule) = Net::built_in();
    assert_eq!((net.design, rule), (REPORT, Rule::Code));
}

#[test]
fn the_agent_keeps_its_number_of_simulations() {
    let game = Record::new(board([EMPTY; 7], "r 0").boxed());
    let mut agent = Zero::new(Arc::new(random_net(REPORT)), Rule::Code, 12, 1);
    let mut nodes = |limits| agent.choose(&game, limits, &mut unwatched).expect("a move").stats.nodes;
    assert_eq!(nodes(Limits::default()), 12);
    assert_eq!(nodes(Limits { nodes: Some(5), ..Limits::default() }), 5);
    let mistakes = [
        ("tetress", "", "raccoons-zero plays infexion, not tetress"),
        ("infexion", "net=/nowhere/net.safetensors", "/nowhere/net.safetensors"),
        ("infexion", "search=deep", "expected one of trained, code, puct"),
    ];
    for (game, options, expected) in mistakes {
        let error = make_for(game, "raccoons-zero", options).err().expect("a mistake").to_string();
        assert!(error.contains(expected), "{options}: {error}");
    }
}
