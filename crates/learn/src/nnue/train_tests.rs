use yarra_engine::Stop;
use yarra_engine::champion::infexion::net::SHAPE;
use yarra_engine::net::NetFile;
use yarra_games::Game;
use yarra_games::infexion::Infexion;

use super::super::infexion::{N_COUNTS, layout, seen};
use super::*;

/// Positions of random games, with targets that the lead in power decides.
fn samples(n: usize) -> Samples<N_COUNTS> {
    let mut rng = Rng::with_seed(3);
    let mut samples = Samples::new(&layout());
    while samples.len() < n {
        let mut pos = Infexion::start(7).expect("the size of Infexion");
        for _ in 0..rng.u32(2..60) {
            let Some(m) = pos.random_move(&mut rng) else { break };
            pos = pos.after(m);
        }
        let [mover, other] = pos.sides();
        let lead = pos.power_on(mover) as i32 - pos.power_on(other) as i32;
        samples.push(seen(&pos), (80 * lead) as i16, 0.5, 1.0);
    }
    samples
}

fn trainer() -> Trainer<N_COUNTS> {
    Trainer::new(SHAPE, [0.0; N_COUNTS], &mut Rng::with_seed(8))
}

#[test]
fn gradients_are_finite_differences() {
    let samples = samples(40);
    let mut rng = Rng::with_seed(1);
    let mut trainer = trainer();
    trainer.counts.iter_mut().for_each(|weight| *weight = rng.f32() * 0.1 - 0.05);
    trainer.net.output.as_flattened_mut().iter_mut().for_each(|weight| *weight = rng.f32() - 0.5);
    let batch: Vec<u32> = (0..samples.len() as u32).collect();
    let loss = |trainer: &Trainer<N_COUNTS>| {
        let mut gradient = Gradient::new(SHAPE.n_inputs);
        // The same symmetries every time.
        trainer.add_gradient(&samples, &batch, &mut Rng::with_seed(77), &mut gradient);
        gradient
    };
    let gradient = loss(&trainer);
    let check = |name: &str, slope: f32, change: &dyn Fn(&mut Trainer<N_COUNTS>, f32)| {
        const STEP: f32 = 1e-3;
        let at = |step| {
            let mut moved = trainer.clone();
            change(&mut moved, step);
            loss(&moved).loss
        };
        let difference = (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP);
        let error = (difference - f64::from(slope)).abs();
        assert!(error < 0.01 + 0.01 * difference.abs(), "{name}: {slope} against {difference}");
        difference.abs() > 0.05
    };
    let mut n_steep = 0;
    for n in 0..40 {
        let (unit, view) = (rng.usize(..N_HIDDEN), n % 2);
        let input = rng.usize(..SHAPE.n_inputs);
        let checks = [
            check("input", gradient.inputs[input][unit], &|t, d| t.net.inputs[input][unit] += d),
            check("bias", gradient.bias[unit], &|t, d| t.net.bias[unit] += d),
            check("output", gradient.output[view][unit], &|t, d| t.net.output[view][unit] += d),
            check("count", gradient.counts[n], &|t, d| t.counts[n] += d),
        ];
        n_steep += checks.iter().filter(|&&is_steep| is_steep).count();
    }
    assert!(60 < n_steep, "only {n_steep} gradients are not almost 0");
}

const PLAN: TrainPlan =
    TrainPlan { n_epochs: 6, batch: 64, rate: 4e-3, last_rate: 1e-5, decay: 0.0, trains_counts: false };

#[test]
fn a_net_learns_who_leads_and_repeats_to_the_bit() {
    let samples = samples(1500);
    let mut trainer = trainer();
    let before = trainer.loss(&samples);
    let train = |trainer: &mut Trainer<N_COUNTS>| {
        trainer.train(&samples, PLAN, &mut Rng::with_seed(5), &Stop::new()).expect("no flag is raised");
    };
    train(&mut trainer);
    let best = samples.counts.targets.iter().map(|&target| {
        let entropy = |p: f32| if p == 0.0 { 0.0 } else { -f64::from(p * p.ln()) };
        entropy(target) + entropy(1.0 - target)
    });
    let best = best.sum::<f64>() / samples.len() as f64;
    let after = trainer.loss(&samples);
    assert!(after - best < 0.3 * (before - best), "{before} {after} of {best}");
    let mut again = self::trainer();
    train(&mut again);
    assert_eq!(trainer, again);
}

#[test]
fn a_trainer_reads_back_from_its_file() {
    let samples = samples(200);
    let mut trainer = trainer();
    trainer.train(&samples, PLAN, &mut Rng::with_seed(5), &Stop::new()).expect("no flag is raised");
    let mut file = NetFile::new("nnue", "infexion");
    trainer.write(&mut file);
    assert_eq!(Trainer::read(&file, SHAPE).expect("our own file"), trainer);
}

#[test]
fn symmetries_keep_what_stands_where() {
    let samples = samples(50);
    let mut rng = Rng::with_seed(4);
    for idx in 0..samples.len() {
        let (views, plain) = (samples.views(idx, &mut rng), samples.plain_views(idx));
        let kinds = |inputs: &[u16]| {
            let mut kinds: Vec<u16> = inputs.iter().map(|input| input / 49).collect();
            kinds.sort_unstable();
            kinds
        };
        for view in 0..2 {
            assert_eq!(kinds(views.inputs(view)), kinds(plain.inputs(view)));
        }
    }
}
