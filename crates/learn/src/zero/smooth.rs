//! The mean of a net's recent weights, which plays better than the last ones.

use yarra_engine::net::conv::ConvNet;

/// Draws a mean toward a net. After `n_steps` steps, `keep` of the mean stays, and less of it in the beginning.
pub fn smooth(mean: &mut ConvNet, net: &ConvNet, keep: f32, n_steps: u64) {
    let keep = keep.min((1 + n_steps) as f32 / (10 + n_steps) as f32);
    for (mean, param) in mean.params.iter_mut().zip(&net.params) {
        for (mean, &param) in mean.0.iter_mut().zip(&param.0) {
            *mean = param + keep * (*mean - param);
        }
    }
}
