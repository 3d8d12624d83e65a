//! What a tree of processes has used, read from the outside, and its being held and ended.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

/// The processes behind doorkeepers (see `jail`), as the kernel counts them.
#[derive(Debug)]
pub struct Meter {
    /// The process that the referee started, and the first one of the namespace behind it if there is one.
    doorkeepers: Vec<Pid>,
    n_doorkeepers: usize,
    memory: Memory,
    /// The processes that were seen last, the oldest first.
    programs: Vec<Pid>,
    /// Whether there ever was more than one thread.
    has_helpers: bool,
    /// What was read last, before anything was added to it.
    raw: Duration,
    /// Time of processes that were gone before anybody asked the kernel for their sums.
    lost: Duration,
}

/// What counts as a program's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Its address space, as the course counts.
    Reserved,
    /// What it holds: compiled programs reserve far more than they use.
    Held,
}

impl Memory {
    /// The kernel's names for now and for the most so far.
    fn names(self) -> [&'static str; 2] {
        match self {
            Memory::Reserved => ["VmSize:", "VmPeak:"],
            Memory::Held => ["VmRSS:", "VmHWM:"],
        }
    }
}

/// What a tree of processes has used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// CPU time since the beginning, that of ended processes included.
    pub cpu: Duration,
    /// Memory of the first program now, in bytes.
    pub size: u64,
    /// The most memory that one of the programs ever had, in bytes.
    pub peak: u64,
    /// Memory that several programs hold together, in bytes; 0 for one, which its own peak tells.
    pub together: u64,
}

/// Sums of ended processes come in ticks: a sum that falls by less has lost nothing.
const TICK: Duration = Duration::from_millis(10);

impl Meter {
    /// A meter of what a process starts, behind so many doorkeepers.
    pub fn new(first: u32, n_doorkeepers: usize, memory: Memory) -> Meter {
        let (doorkeepers, zero) = (vec![Pid::from_raw(first as i32)], Duration::ZERO);
        Meter {
            doorkeepers,
            n_doorkeepers,
            memory,
            programs: Vec::new(),
            has_helpers: false,
            raw: zero,
            lost: zero,
        }
    }

    /// Reads all that is counted; what several programs hold together takes long, and is left out if not wanted.
    pub fn read(&mut self, wants_together: bool) -> Reading {
        self.find();
        let mut reading = Reading { cpu: self.cpu(), ..Reading::default() };
        for (idx, &pid) in self.programs.iter().enumerate() {
            let [size, peak] = sizes(&format!("/proc/{pid}/status"), self.memory.names());
            reading.peak = reading.peak.max(peak);
            if idx == 0 {
                reading.size = size;
            }
        }
        if wants_together && 1 < self.programs.len() {
            // A forked process shares most of its pages: each page counts once.
            let share = |pid: &Pid| sizes(&format!("/proc/{pid}/smaps_rollup"), ["Pss:"])[0];
            reading.together = self.programs.iter().map(share).sum();
        }
        reading
    }

    /// CPU time of the processes that were seen last, and of those that ended before.
    pub fn cpu(&mut self) -> Duration {
        let ended = self.doorkeepers.last().into_iter().chain(&self.programs).map(|&pid| ended_children(pid));
        let raw = ended.sum::<Duration>() + self.programs.iter().map(|&pid| clock(pid)).sum::<Duration>();
        // A child that nobody waited for takes its time with it.
        self.lost += self.raw.saturating_sub(raw).saturating_sub(TICK);
        self.raw = raw;
        raw + self.lost
    }

    /// How many processes there are, and how many threads in all of them.
    pub fn n_tasks(&mut self) -> (usize, usize) {
        self.find();
        let threads = |pid: &Pid| fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
        (self.programs.len(), self.programs.iter().map(threads).sum())
    }

    /// Holds all processes until they are let go on.
    pub fn hold(&mut self) {
        // A process may have started another before it was held: look again until nobody is new.
        let mut held: Vec<Pid> = Vec::new();
        loop {
            let fresh: Vec<Pid> = self.programs.iter().copied().filter(|pid| !held.contains(pid)).collect();
            if fresh.is_empty() {
                return;
            }
            for &pid in &fresh {
                let _ = kill(pid, Signal::SIGSTOP);
            }
            held.extend(fresh);
            self.find();
        }
    }

    /// Lets the processes that are held go on.
    pub fn release(&self) {
        for &pid in &self.programs {
            let _ = kill(pid, Signal::SIGCONT);
        }
    }

    /// Ends all processes; the doorkeepers end after them.
    pub fn kill(&mut self) {
        self.find();
        // With the first process of a namespace all others in it end.
        for &pid in self.doorkeepers[1..].iter().chain(&self.programs) {
            let _ = kill(pid, Signal::SIGKILL);
        }
    }

    /// Whether the program ever had threads or processes beside its first one, which can think while that waits.
    pub fn has_helpers(&self) -> bool {
        self.has_helpers
    }

    /// Finds the processes that are there now, in the order in which they were found before.
    fn find(&mut self) {
        while self.doorkeepers.len() < self.n_doorkeepers {
            let Some(&next) = children(self.doorkeepers[self.doorkeepers.len() - 1]).first() else { return };
            self.doorkeepers.push(next);
        }
        let mut found = children(self.doorkeepers[self.doorkeepers.len() - 1]);
        let mut next = 0;
        while let Some(&pid) = found.get(next) {
            self.has_helpers |= 0 < next || !has_one_thread(pid);
            found.extend(children(pid));
            next += 1;
        }
        self.programs.retain(|pid| found.contains(pid));
        found.retain(|pid| !self.programs.contains(pid));
        self.programs.extend(found);
    }
}

/// Each thread has a folder, and each folder a link to the one above.
fn has_one_thread(pid: Pid) -> bool {
    fs::metadata(format!("/proc/{pid}/task")).is_ok_and(|meta| meta.nlink() == 3)
}

fn children(pid: Pid) -> Vec<Pid> {
    let folder = format!("/proc/{pid}/task");
    let tasks: Vec<String> = if has_one_thread(pid) {
        vec![format!("{folder}/{pid}")]
    } else {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path().display().to_string()).collect()
    };
    let of_task = |task: &String| fs::read_to_string(format!("{task}/children")).unwrap_or_default();
    let text = tasks.iter().map(of_task).collect::<Vec<_>>().join(" ");
    text.split_whitespace().filter_map(|word| word.parse().ok()).map(Pid::from_raw).collect()
}

/// CPU time of a process with all its threads, ended ones too, to the nanosecond.
fn clock(pid: Pid) -> Duration {
    let time = clock_getcpuclockid(pid).and_then(ClockId::now);
    time.map_or(Duration::ZERO, Duration::from)
}

/// CPU time of a process's ended children, and of theirs.
fn ended_children(pid: Pid) -> Duration {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name in parentheses may hold anything.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(13).take(2).filter_map(|word| word.parse::<u64>().ok());
    TICK * u32::try_from(ticks.sum::<u64>()).unwrap_or(u32::MAX)
}

/// Lines of a file such as `VmSize:  1234 kB`, in bytes.
fn sizes<const N: usize>(file: &str, names: [&str; N]) -> [u64; N] {
    let text = fs::read_to_string(file).unwrap_or_default();
    names.map(|name| {
        let size =
            text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.parse().ok());
        1024 * size.unwrap_or(0u64)
    })
}
