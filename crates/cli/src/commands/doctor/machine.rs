//! The sandbox layers and the Python of this machine.

use std::fmt;
use std::fs;
use std::io;

use serde_json::{Value, json};
use yarra_guests::Host;
use yarra_guests::jail::{Folder, Groups, Layer, Layers};

use crate::words::plural;

/// What this machine offers to external agents.
pub struct Machine {
    layers: Layers,
    python: Result<Python, String>,
    n_cores: usize,
    /// The memory in bytes, if known.
    memory: Option<u64>,
}

struct Python {
    program: String,
    version: String,
    numpy: Option<String>,
}

impl Machine {
    /// Inspects this machine.
    ///
    /// # Errors
    /// If there is no folder for temporary files, without which nothing can be tried.
    pub fn look(host: &Host) -> io::Result<Machine> {
        let _folder = Folder::new()?;
        Ok(Machine {
            layers: Layers::of_this_machine(),
            python: python(host),
            n_cores: std::thread::available_parallelism().map_or(1, Into::into),
            memory: memory(),
        })
    }

    /// Whether agents are fully isolated.
    pub fn is_tight(&self) -> bool {
        self.layers.check_isolation().is_ok()
    }

    /// The report as one object.
    pub fn json(&self) -> Value {
        let layers = Layer::ALL.map(|layer| {
            json!({
                "name": layer.to_string(),
                "about": layer.about(),
                "active": self.layers.is_active(layer),
                "missing": self.layers.missing(layer),
            })
        });
        let python = match &self.python {
            Ok(python) => json!({
                "program": python.program,
                "version": python.version,
                "numpy": python.numpy,
            }),
            Err(error) => json!({ "error": error }),
        };
        let groups = self.layers.groups();
        json!({
            "isolated": self.is_tight(),
            "agents_could": self.layers.check_isolation().err(),
            "layers": layers,
            "control_groups": {
                "cpu": groups.is_ok(),
                "memory": groups.is_ok_and(Groups::count_memory),
                "missing": groups.err(),
            },
            "advice": self.layers.advice(),
            "python": python,
            "cores": self.n_cores,
            "memory": self.memory,
        })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "isolation of agents in their own processes; an agent")?;
        for layer in Layer::ALL {
            match self.layers.missing(layer) {
                None => {
                    let state = if self.layers.is_active(layer) { "active" } else { "spare" };
                    writeln!(f, "  {state:<9} {layer:<10} {}", layer.about())?;
                }
                Some(why) => writeln!(f, "  {:<9} {layer:<10} {} ({why})", "MISSING", layer.about())?,
            }
        }
        match self.layers.groups() {
            Ok(groups) => {
                let what = if groups.count_memory() { "CPU time and memory are" } else { "CPU time is" };
                writeln!(f, "metering   {what} counted by the kernel, in control groups")?;
            }
            Err(why) => writeln!(f, "metering   CPU time and memory are read from /proc ({why})")?,
        }
        match &self.python {
            Ok(Python { program, version, numpy }) => {
                let numpy =
                    numpy.as_ref().map_or("without numpy".to_owned(), |numpy| format!("numpy {numpy}"));
                writeln!(f, "python     {version}, {numpy}, {program}")?;
            }
            Err(error) => writeln!(f, "python     not found: {error}")?,
        }
        let memory = self.memory.map_or("unknown memory".to_owned(), |bytes| {
            format!("{:.1} GB of memory", bytes as f64 / f64::from(1 << 30))
        });
        writeln!(f, "machine    {}, {memory}", plural(self.n_cores, "core"))?;
        match self.layers.check_isolation() {
            Ok(()) if self.layers.has(Layer::Files) => {
                writeln!(f, "isolated: agents can reach nothing but their own files")?;
            }
            Ok(()) => {
                writeln!(f, "isolated: agents see the names of other files, but can reach nothing else")?
            }
            Err(gaps) => writeln!(f, "not isolated: agents could {gaps}")?,
        }
        self.layers.advice().iter().try_for_each(|advice| writeln!(f, "to get what is missing, {advice}"))
    }
}

fn python(host: &Host) -> Result<Python, String> {
    let interpreter = host.interpreter()?;
    let (version, numpy) = interpreter.versions().map_err(|error| error.to_string())?;
    Ok(Python { program: interpreter.program.display().to_string(), version, numpy })
}

fn memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}
