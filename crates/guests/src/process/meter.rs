//! What a process tree has used, read from outside; also suspends, resumes and kills it.
//!
//! CPU clocks and `/proc` are enough for that. Control groups would need root.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

use super::delay::RunDelays;

/// The process tree of a program, below its supervisors (see `jail`), as the kernel counts it.
#[derive(Debug)]
pub struct Meter {
    /// The process that the referee started, and the init process of the PID namespace if there is one.
    supervisors: Vec<Task>,
    n_supervisors: usize,
    memory: MemoryMeasure,
    /// The program's processes at the last scan, oldest first.
    programs: Vec<Task>,
    /// When the last scan was made that found any.
    scanned: Option<Instant>,
    /// Whether there was ever more than one thread.
    has_helpers: bool,
    /// The last sum of CPU time, without `lost`.
    raw: Duration,
    /// CPU time that vanished from the kernel's sums with processes that were never waited for.
    lost: Duration,
}

/// How a program's memory is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryMeasure {
    /// Address space, as the course counts it.
    AddressSpace,
    /// Resident memory, because compiled programs reserve far more than they use.
    Resident,
}

impl MemoryMeasure {
    /// The kernel's names for the present value and the peak.
    fn names(self) -> [&'static str; 2] {
        match self {
            MemoryMeasure::AddressSpace => ["VmSize:", "VmPeak:"],
            MemoryMeasure::Resident => ["VmRSS:", "VmHWM:"],
        }
    }
}

/// Memory of a process tree, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryUse {
    /// Present memory of the first process.
    pub size: u64,
    /// The highest peak of any process.
    pub peak: u64,
    /// Resident memory of all processes; a page that several share counts for each.
    pub total_resident: u64,
}

/// The unit of the kernel's sums of ended processes: a sum that falls by less has lost nothing.
const TICK: Duration = Duration::from_millis(10);
/// How long a scan stays valid. A process that lives for less has done little.
const SCAN_INTERVAL: Duration = Duration::from_millis(3);

impl Meter {
    /// A meter for what the process `first` starts, below `n_supervisors` supervisors including itself.
    pub fn new(first: u32, n_supervisors: usize, memory: MemoryMeasure) -> Meter {
        let supervisors = vec![Task::new(Pid::from_raw(first as i32))];
        let (programs, scanned, has_helpers) = (Vec::new(), None, false);
        let (raw, lost) = (Duration::ZERO, Duration::ZERO);
        Meter { supervisors, n_supervisors, memory, programs, scanned, has_helpers, raw, lost }
    }

    /// CPU time of all processes since the start, ended ones included.
    pub fn cpu(&mut self) -> Duration {
        self.scan_if_stale();
        let ended = self.supervisors.last().into_iter().chain(&self.programs).map(Task::ended_children);
        let raw = ended.sum::<Duration>() + self.programs.iter().map(Task::clock).sum::<Duration>();
        // A child that was never waited for disappears from the sums.
        self.lost += self.raw.saturating_sub(raw).saturating_sub(TICK);
        self.raw = raw;
        raw + self.lost
    }

    /// Memory of the processes of the last scan.
    pub fn memory(&self) -> MemoryUse {
        let mut sum = MemoryUse::default();
        for (idx, program) in self.programs.iter().enumerate() {
            let text = text_of(program.status.as_ref());
            let [size, peak] = sizes(&text, self.memory.names());
            sum.peak = sum.peak.max(peak);
            sum.total_resident += sizes(&text, ["VmRSS:"])[0];
            if idx == 0 {
                sum.size = size;
            }
        }
        sum
    }

    /// The proportional set size of all processes, in bytes. Forked processes share most of their pages; here each
    /// page counts once. It is slow to read.
    pub fn proportional_memory(&self) -> u64 {
        let text = |pid| fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
        self.programs.iter().map(|program| sizes(&text(program.pid), ["Pss:"])[0]).sum()
    }

    /// The number of processes, and of threads in all of them.
    pub fn n_tasks(&mut self) -> (usize, usize) {
        self.scan();
        (self.programs.len(), self.programs.iter().map(Task::n_threads).sum())
    }

    /// Whether the program has ever had threads or processes beside its first one, which can work while that one
    /// waits.
    pub fn has_helpers(&self) -> bool {
        self.has_helpers
    }

    /// How long a task of the program had to wait for a CPU since the last reading, at most.
    pub fn run_delay(&self, delays: &mut RunDelays) -> Duration {
        delays.increase(self.programs.iter().map(|program| program.pid))
    }

    /// Suspends all processes.
    pub fn suspend(&mut self) {
        // A process may have started another before it was suspended: repeat until there is no new one.
        let mut suspended: Vec<Pid> = Vec::new();
        loop {
            let pids = self.programs.iter().map(|program| program.pid);
            let fresh: Vec<Pid> = pids.filter(|pid| !suspended.contains(pid)).collect();
            if fresh.is_empty() {
                return;
            }
            for &pid in &fresh {
                let _ = kill(pid, Signal::SIGSTOP);
            }
            suspended.extend(fresh);
            self.scan_if_stale();
        }
    }

    /// Resumes all processes.
    pub fn resume(&self) {
        for program in &self.programs {
            let _ = kill(program.pid, Signal::SIGCONT);
        }
    }

    /// Kills all processes; the supervisors exit after them.
    pub fn kill(&mut self) {
        self.scan();
        // Killing the init process of a PID namespace kills all others in it.
        for process in self.supervisors[1..].iter().chain(&self.programs) {
            let _ = kill(process.pid, Signal::SIGKILL);
        }
    }

    /// Finds the present processes, unless the last scan is recent. A process that is missed is found at the next
    /// call, and what it has used by then is counted.
    fn scan_if_stale(&mut self) {
        if self.scanned.is_none_or(|scanned| SCAN_INTERVAL < scanned.elapsed()) {
            self.scan();
        }
    }

    /// Finds the present processes and keeps the order of those that were known.
    fn scan(&mut self) {
        while self.supervisors.len() < self.n_supervisors {
            let last = &self.supervisors[self.supervisors.len() - 1];
            let Some(&next) = last.children().first() else { return };
            self.supervisors.push(Task::new(next));
        }
        let mut found = self.supervisors[self.supervisors.len() - 1].children();
        let mut next = 0;
        while let Some(&pid) = found.get(next) {
            let idx = self.programs.iter().position(|program| program.pid == pid);
            let idx = idx.unwrap_or_else(|| {
                self.programs.push(Task::new(pid));
                self.programs.len() - 1
            });
            let program = &self.programs[idx];
            self.has_helpers |= 0 < next || !program.has_one_thread();
            found.extend(program.children());
            next += 1;
        }
        self.programs.retain(|program| found.contains(&program.pid));
        self.scanned = (!self.programs.is_empty()).then(Instant::now);
    }
}

/// A process of the tree, with open handles on what is read often.
#[derive(Debug)]
struct Task {
    pid: Pid,
    clock: Option<ClockId>,
    children: Option<File>,
    stat: Option<File>,
    status: Option<File>,
}

impl Task {
    fn new(pid: Pid) -> Task {
        let open = |name: &str| File::open(format!("/proc/{pid}/{name}")).ok();
        Task {
            pid,
            clock: clock_getcpuclockid(pid).ok(),
            children: open(&format!("task/{pid}/children")),
            stat: open("stat"),
            status: open("status"),
        }
    }

    fn children(&self) -> Vec<Pid> {
        let mut text = text_of(self.children.as_ref());
        if !self.has_one_thread() {
            let tasks = fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten().flatten();
            let of_task = |task: fs::DirEntry| fs::read_to_string(task.path().join("children"));
            text = tasks.map(|task| of_task(task).unwrap_or_default()).collect::<Vec<_>>().join(" ");
        }
        text.split_whitespace().filter_map(|word| word.parse().ok()).map(Pid::from_raw).collect()
    }

    /// Every thread is a subfolder of `task` and adds one link to it.
    fn has_one_thread(&self) -> bool {
        fs::metadata(format!("/proc/{}/task", self.pid)).is_ok_and(|meta| meta.nlink() == 3)
    }

    fn n_threads(&self) -> usize {
        fs::read_dir(format!("/proc/{}/task", self.pid)).map_or(0, Iterator::count)
    }

    /// CPU time of all threads, ended ones included, to the nanosecond.
    fn clock(&self) -> Duration {
        let time = self.clock.and_then(|clock| clock.now().ok());
        time.map_or(Duration::ZERO, Duration::from)
    }

    /// CPU time of ended descendants that were waited for.
    fn ended_children(&self) -> Duration {
        let text = text_of(self.stat.as_ref());
        // The name in parentheses may contain anything.
        let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
        let ticks = fields.split_whitespace().skip(13).take(2).filter_map(|word| word.parse::<u64>().ok());
        TICK * u32::try_from(ticks.sum::<u64>()).unwrap_or(u32::MAX)
    }
}

/// The values of lines such as `VmSize:  1234 kB`, in bytes.
fn sizes<const N: usize>(text: &str, names: [&str; N]) -> [u64; N] {
    names.map(|name| {
        let found = |line: &str| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.parse().ok();
        1024 * text.lines().find_map(found).unwrap_or(0u64)
    })
}

/// The present content of an open `/proc` file.
fn text_of(file: Option<&File>) -> String {
    let mut bytes = [0; 4096];
    let n_bytes = file.and_then(|file| file.read_at(&mut bytes, 0).ok()).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..n_bytes]).into_owned()
}
