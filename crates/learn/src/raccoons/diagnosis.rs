//! What a net knows: how it answers on random boards.

use yarra_games::infexion::Infexion;
use yarra_games::{Game, Position};
use yarra_reports::raccoons::zero::{Activations, Net, Planes};

use super::examples::lead;

/// A net's answers on random boards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diagnosis {
    /// The share of the policy outputs above 0.99.
    pub full_outputs: f64,
    /// The share of the values beyond 0.99 or below -0.99.
    pub full_values: f64,
    /// The correlation of the value for the player to move with this player's lead in power; 0 if the value never
    /// changes.
    pub correlation: f64,
}

const N_BOARDS: usize = 400;
const SEED: u64 = 4;
/// An output that says almost "certainly".
const FULL: f32 = 0.99;

/// Runs a net on boards after 1 to 200 random moves, always the same ones.
pub fn diagnose(net: &Net) -> Diagnosis {
    let mut rng = fastrand::Rng::with_seed(SEED);
    let mut out = Activations::default();
    let (mut n_outputs, mut n_full_outputs, mut n_full_values) = (0, 0, 0);
    let (mut values, mut leads) = (Vec::new(), Vec::new());
    while values.len() < N_BOARDS {
        let mut pos = Infexion::start(yarra_games::infexion::SIZE).expect("the size of Infexion");
        for _ in 0..rng.u16(1..=200) {
            if let Some(m) = pos.random_move(&mut rng) {
                pos.play(m);
            }
        }
        if pos.outcome().is_some() {
            continue;
        }
        net.run(&Planes::of(&pos), &mut out);
        let outputs = net.policy(&out.logits);
        n_outputs += outputs.len();
        n_full_outputs += outputs.iter().filter(|&&output| FULL < output).count();
        n_full_values += usize::from(FULL < out.value.abs());
        values.push(f64::from(net.value_for_mover(&pos, out.value)));
        leads.push(lead(&pos));
    }
    Diagnosis {
        full_outputs: n_full_outputs as f64 / n_outputs as f64,
        full_values: n_full_values as f64 / N_BOARDS as f64,
        correlation: correlation(&values, &leads),
    }
}

fn correlation(xs: &[f64], ys: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_x, mean_y) = (mean(xs), mean(ys));
    let product = |f: fn(f64, f64) -> f64| xs.iter().zip(ys).map(|(x, y)| f(x - mean_x, y - mean_y)).sum();
    let (xy, xx, yy): (f64, f64, f64) = (product(|x, y| x * y), product(|x, _| x * x), product(|_, y| y * y));
    if xx * yy == 0.0 { 0.0 } else { xy / (xx * yy).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlation_is_that_of_the_books() {
        assert!((correlation(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]) - 1.0).abs() < 1e-12);
        assert!((correlation(&[1.0, 2.0, 3.0], &[6.0, 4.0, 2.0]) + 1.0).abs() < 1e-12);
        assert_eq!(correlation(&[1.0, 1.0], &[0.0, 5.0]), 0.0);
        assert!((correlation(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0]) - 0.8).abs() < 1e-12);
    }
}
