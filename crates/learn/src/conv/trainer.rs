//! Steps of the optimizer.

use std::sync::{Mutex, PoisonError};

use yarra_engine::Stop;
use yarra_engine::net::conv::{ConvNet, Lanes, N_LANES, Trace};
use yarra_engine::net::{NetError, NetFile};

use super::Sample;
use super::backward::{Backward, OutputGradient, Scratch, transposed};
use crate::parallel;

/// A batch is divided into this many parts, whose sums are added in order: results do not depend on the number of
/// threads.
const N_PARTS: usize = 8;
/// What the lead counts beside the policy and the value.
const LEAD_WEIGHT: f32 = 0.2;
/// AdamW's memory of gradients and of their squares.
const MEMORY: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 1e-4;
/// A gradient longer than this is shortened.
const MAX_NORM: f32 = 4.0;

/// The means of a batch, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// The cross entropy of the policy.
    pub policy: f32,
    /// The cross entropy of the value, where ±1 are certain results: 0.693 for a net that knows nothing.
    pub value: f32,
    /// The same of the lead.
    pub lead: f32,
    /// The length of the gradient before it was shortened; 0 if none was computed.
    pub norm: f32,
}

/// A net and the state of its optimizer.
#[derive(Debug)]
pub struct Trainer {
    pub(super) net: ConvNet,
    moments: [Vec<Lanes>; 2],
    n_steps: u64,
    parts: Vec<Mutex<Part>>,
}

/// A part of a batch: its sums, and the memory to compute them.
#[derive(Debug, Default)]
struct Part {
    gradient: Vec<Lanes>,
    losses: Losses,
    trace: Trace,
    output: OutputGradient,
    scratch: Scratch,
}

impl Trainer {
    /// Starts to train a net.
    pub fn new(net: ConvNet) -> Trainer {
        let zero = vec![Lanes::ZERO; net.params.len()];
        let parts = (0..N_PARTS).map(|_| Mutex::default()).collect();
        Trainer { net, moments: [zero.clone(), zero], n_steps: 0, parts }
    }

    /// The net as it is now.
    pub fn net(&self) -> &ConvNet {
        &self.net
    }

    /// The number of steps taken.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// The net and the optimizer's state.
    pub fn to_file(&self) -> NetFile {
        let mut file = self.net.to_file();
        file.tell("steps", self.n_steps);
        for (moments, prefix) in self.moments.iter().zip(PREFIXES) {
            self.net.save(&mut file, prefix, moments);
        }
        file
    }

    /// Reads what [`Trainer::to_file`] wrote.
    ///
    /// # Errors
    /// If something is missing or has another shape.
    pub fn from_file(file: &NetFile) -> Result<Trainer, NetError> {
        let mut trainer = Trainer::new(ConvNet::from_file(file)?);
        trainer.n_steps = file.told("steps")?;
        for (moments, prefix) in trainer.moments.iter_mut().zip(PREFIXES) {
            *moments = trainer.net.load(file, prefix)?;
        }
        Ok(trainer)
    }

    /// Takes a step on a batch, each sample under a random symmetry. Returns the losses before the step.
    pub fn step(&mut self, batch: &[&Sample], rng: &mut fastrand::Rng, rate: f32, n_jobs: usize) -> Losses {
        let geometry = self.net.shape().geometry;
        let turned: Vec<_> = batch.iter().map(|sample| sample.turned(geometry, rng)).collect();
        let (gradient, mut losses) = self.gradient(&turned.iter().collect::<Vec<_>>(), n_jobs);
        let mut squares = Lanes::ZERO;
        for lanes in &gradient {
            for i in 0..N_LANES {
                squares.0[i] += lanes.0[i] * lanes.0[i];
            }
        }
        losses.norm = squares.sum().sqrt();
        let factor = if MAX_NORM < losses.norm { MAX_NORM / losses.norm } else { 1.0 };
        self.descend(&gradient, factor, rate);
        losses
    }

    /// The losses on samples as they are, without learning from them.
    pub fn losses(&self, samples: &[&Sample], n_jobs: usize) -> Losses {
        self.sum(samples, n_jobs, None)
    }

    /// The mean gradient of some samples, and their losses.
    pub(super) fn gradient(&self, samples: &[&Sample], n_jobs: usize) -> (Vec<Lanes>, Losses) {
        let losses = self.sum(samples, n_jobs, Some(&transposed(&self.net)));
        let mut gradient = vec![Lanes::ZERO; self.net.params.len()];
        for part in &self.parts {
            let part = part.lock().unwrap_or_else(PoisonError::into_inner);
            for (sum, lanes) in gradient.iter_mut().zip(&part.gradient) {
                sum.add(lanes);
            }
        }
        let share = 1.0 / samples.len() as f32;
        gradient.iter_mut().for_each(|lanes| lanes.scale(share));
        (gradient, losses)
    }

    /// The mean losses of some samples; with the transposed kernels also each part's sum of gradients.
    fn sum(&self, samples: &[&Sample], n_jobs: usize, transposed: Option<&[Lanes]>) -> Losses {
        let len = samples.len().div_ceil(N_PARTS).max(1);
        let work = |n: usize| {
            let mut part = self.parts[n].lock().unwrap_or_else(PoisonError::into_inner);
            part.reset(self.net.params.len());
            for sample in samples.chunks(len).nth(n).unwrap_or_default() {
                part.add(&self.net, transposed, sample);
            }
            Ok(part.losses)
        };
        let parts = parallel::map(n_jobs, N_PARTS, &Stop::new(), work).expect("no part fails or is stopped");
        let mean =
            |loss: fn(&Losses) -> f32| parts.iter().map(loss).sum::<f32>() / samples.len().max(1) as f32;
        Losses { policy: mean(|l| l.policy), value: mean(|l| l.value), lead: mean(|l| l.lead), norm: 0.0 }
    }

    /// AdamW: a step against the gradient, in units of its recent size, and weights drawn toward zero.
    fn descend(&mut self, gradient: &[Lanes], factor: f32, rate: f32) {
        self.n_steps += 1;
        // The memories start at zero; this makes up for it.
        let n_steps = i32::try_from(self.n_steps).unwrap_or(i32::MAX);
        let [scale1, scale2] = MEMORY.map(|memory| 1.0 / (1.0 - memory.powi(n_steps)));
        let [moments1, moments2] = &mut self.moments;
        for tensor in &self.net.layout().tensors.clone() {
            let decay = if tensor.shape.len() == 1 { 1.0 } else { 1.0 - rate * WEIGHT_DECAY };
            let params = tensor.span.of_mut(&mut self.net.params).iter_mut().zip(tensor.span.of(gradient));
            let moments = tensor.span.of_mut(moments1).iter_mut().zip(tensor.span.of_mut(moments2));
            for ((param, gradient), (moment1, moment2)) in params.zip(moments) {
                for i in 0..N_LANES {
                    let g = factor * gradient.0[i];
                    moment1.0[i] += (1.0 - MEMORY[0]) * (g - moment1.0[i]);
                    moment2.0[i] += (1.0 - MEMORY[1]) * (g * g - moment2.0[i]);
                    let step = scale1 * moment1.0[i] / ((scale2 * moment2.0[i]).sqrt() + EPSILON);
                    param.0[i] = decay * param.0[i] - rate * step;
                }
            }
        }
    }
}

/// The prefixes of the moments in files.
const PREFIXES: [&str; 2] = ["moment1.", "moment2."];

impl Part {
    fn reset(&mut self, n_params: usize) {
        self.losses = Losses::default();
        self.gradient.clear();
        self.gradient.resize(n_params, Lanes::ZERO);
    }

    /// Adds a sample's losses, and with the transposed kernels its gradient.
    fn add(&mut self, net: &ConvNet, transposed: Option<&[Lanes]>, sample: &Sample) {
        let indices: Vec<_> = sample.policy.iter().map(|&(idx, _)| idx).collect();
        net.evaluate(&sample.input, &indices, &mut self.trace);
        let (trace, output) = (&self.trace, &mut self.output);
        self.losses.policy += softmax_loss(&trace.logits, &sample.policy, &mut output.logits);
        self.losses.value += outcome_loss(trace.value, sample.value);
        self.losses.lead += outcome_loss(trace.lead, sample.lead);
        // Behind a tanh, the gradient of this loss is the plain difference.
        output.value = trace.value - sample.value;
        output.lead = LEAD_WEIGHT * (trace.lead - sample.lead);
        if let Some(transposed) = transposed {
            let pass = Backward { net, transposed, input: &sample.input, indices: &indices, trace, output };
            pass.add_to(&mut self.gradient, &mut self.scratch);
        }
    }
}

/// The cross entropy of a policy over the legal moves; writes its gradient by the logits.
fn softmax_loss(logits: &[f32], targets: &[(u16, f32)], gradient: &mut Vec<f32>) -> f32 {
    let max = logits.iter().copied().fold(f32::MIN, f32::max);
    gradient.clear();
    gradient.extend(logits.iter().map(|logit| (logit - max).exp()));
    let total: f32 = gradient.iter().sum();
    let (log_total, weight) = (total.ln(), targets.iter().map(|target| target.1).sum::<f32>());
    let mut loss = 0.0;
    for ((gradient, logit), &(_, target)) in gradient.iter_mut().zip(logits).zip(targets) {
        loss += target * (log_total - (logit - max));
        *gradient = weight * *gradient / total - target;
    }
    loss
}

/// The cross entropy of an expected result, both from -1 to 1.
fn outcome_loss(expected: f32, result: f32) -> f32 {
    let chance = |value: f32| (0.5 + 0.5 * value).clamp(0.0, 1.0);
    let log = |share: f32| share.max(1e-7).ln();
    let (p, target) = (chance(expected), chance(result));
    -(target * log(p) + (1.0 - target) * log(1.0 - p))
}
