//! An exported net says the same in onnxruntime as here. Needs a Python with `onnxruntime`, which `YARRA_PYTHON` may name; where
//! there is none, only the export itself is run.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use yarra_engine::net::conv::{ConvNet, Geometry, NetGame, NetInput, NetShape, Trace};
use yarra_games::Game;
use yarra_games::cachex::Cachex;
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_learn::conv::onnx;

#[test]
fn an_exported_net_says_the_same_elsewhere() {
    check::<Infexion>(7, 2);
    check::<Tetress>(11, 1);
    check::<Cachex<u64>>(5, 3);
}

fn check<G: NetGame + Game>(size: u8, n_blocks: usize) {
    let mut rng = fastrand::Rng::with_seed(1);
    let geometry = Geometry::of(G::NAME).expect("a net's game");
    let shape = NetShape { geometry, n_blocks, n_filters: 16 };
    let mut net = ConvNet::new(G::NAME, shape, &mut rng).expect("a small net");
    for tensor in net.layout().tensors.clone() {
        let numbers = tensor.numbers(&net.params);
        tensor.set(&mut net.params, numbers.into_iter().map(|number| number + 0.2 * (rng.f32() - 0.45)));
    }
    let mut pos = G::start(size).expect("a size of this game");
    let mut inputs = Vec::new();
    while let Some(m) = pos.random_move(&mut rng) {
        let mut input = NetInput::default();
        pos.encode(&mut input);
        inputs.push(input);
        pos.play(m);
    }
    inputs.truncate(40);
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("net.onnx");
    std::fs::write(&path, onnx::export(&net, size)).expect("a file");
    let Some(outputs) = elsewhere(&path, &boards::<G>(&inputs)) else { return };
    let n_outputs = usize::from(size).pow(2) * geometry.n_planes() + usize::from(geometry.has_steal());
    let indices: Vec<_> = (0..n_outputs as u16).collect();
    let mut trace = Trace::default();
    for (n, input) in inputs.iter().enumerate() {
        net.evaluate(input, &indices, &mut trace);
        let policy = outputs["policy"][n].as_array().expect("logits");
        assert_eq!(policy.len(), n_outputs);
        let there = policy.iter().chain([&outputs["value"][n][0], &outputs["lead"][n][0]]);
        for (there, here) in there.zip(trace.logits.iter().chain([&trace.value, &trace.lead])) {
            let there = there.as_f64().expect("a number");
            assert!((there - f64::from(*here)).abs() < 2e-3, "{} {n}: {there} and {here}", G::NAME);
        }
    }
}

fn boards<G: NetGame + Game>(inputs: &[NetInput]) -> Value {
    let plane = |input: &NetInput, code: usize| -> Vec<Vec<u8>> {
        let rows = input.cells.chunks(input.size.into());
        rows.map(|row| row.iter().map(|&cell| u8::from(usize::from(cell) == code)).collect()).collect()
    };
    let n_planes = onnx::n_planes(Geometry::of(G::NAME).expect("a net's game"));
    let planes = |input: &NetInput| (1..=n_planes).map(|code| plane(input, code)).collect::<Vec<_>>();
    json!({
        "planes": inputs.iter().map(planes).collect::<Vec<_>>(),
        "scalars": inputs.iter().map(|input| input.scalars).collect::<Vec<_>>(),
    })
}

/// What onnxruntime says; `None` if it is not installed.
fn elsewhere(path: &std::path::Path, boards: &Value) -> Option<Value> {
    let python = std::env::var("YARRA_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_it =
        Command::new(&python).args(["-c", "import numpy, onnxruntime"]).stderr(Stdio::null()).status();
    if !has_it.is_ok_and(|status| status.success()) {
        return None;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/onnx.py");
    let mut command = Command::new(&python);
    command.arg(script).arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("Python starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(boards.to_string().as_bytes()).expect("Python reads");
    drop(stdin);
    let done = child.wait_with_output().expect("Python ends");
    assert!(done.status.success());
    Some(serde_json::from_slice(&done.stdout).expect("JSON"))
}
