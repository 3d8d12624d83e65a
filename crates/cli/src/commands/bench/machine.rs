//! The machine that the figures were measured on.

use std::fs;

use yarra_games::cpu::ModernCpu;

/// A machine with a higher load is not quiet.
const QUIET_LOAD: f64 = 0.5;

/// The machine, and how busy it is before the measurement.
#[derive(Debug)]
pub struct Machine {
    cpu: String,
    n_cores: usize,
    is_modern: bool,
    /// The load average of the last minute; unknown on some systems.
    load: Option<f64>,
}

impl Machine {
    pub fn look() -> Machine {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpuinfo.lines().find(|line| line.starts_with("model name"));
        let cpu = model.and_then(|line| line.split_once(": ")).map_or(std::env::consts::ARCH, |(_, cpu)| cpu);
        let loads = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        Machine {
            cpu: cpu.to_owned(),
            n_cores: std::thread::available_parallelism().map_or(1, Into::into),
            is_modern: ModernCpu::detect().is_some(),
            load: loads.split(' ').next().and_then(|load| load.parse().ok()),
        }
    }

    /// A warning if the machine is busy.
    pub fn warning(&self) -> Option<String> {
        let load = self.load.filter(|load| QUIET_LOAD <= *load)?;
        Some(format!("the machine is not quiet: its load was {load} before the first round"))
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "cpu": self.cpu,
            "cores": self.n_cores,
            "modern_instructions": self.is_modern,
            "load": self.load,
        })
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let instructions = if self.is_modern { "modern" } else { "common" };
        write!(f, "{}, one of {} cores, {instructions} instructions", self.cpu, self.n_cores)?;
        match self.load {
            Some(load) => write!(f, ", load {load}"),
            None => Ok(()),
        }
    }
}
