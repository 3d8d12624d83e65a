//! What a process tree has used, read from outside; also suspends, resumes and kills it.
//!
//! CPU time comes from the program's control group where there is one, otherwise from the clocks of its processes.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::delay::RunDelays;
use super::spent::{Spent, nanos};
use super::task::{Task, ignores_children, sizes};
use crate::jail::Group;

/// The process tree of a program, below its supervisors (see `jail`), as the kernel counts it.
#[derive(Debug)]
pub struct Meter {
    /// The process that the referee started, and the init process of the PID namespace if there is one.
    supervisors: Vec<Task>,
    n_supervisors: usize,
    memory: MemoryMeasure,
    /// The program's control group, if it has one.
    group: Option<Group>,
    /// The program's processes at the last scan, oldest first.
    programs: Vec<Task>,
    /// When the last scan was made that found any, and how long it took.
    scanned: Option<Instant>,
    scan_time: Duration,
    /// Whether there was ever more than one thread.
    has_helpers: bool,
    /// CPU time of ended processes, without a group, and those that ended before the last scan.
    spent: Spent,
    gone: Vec<(Pid, Duration)>,
    /// The last reading of CPU time, and when it was made or the program was resumed; `None` while it is suspended.
    cpu: Duration,
    read_at: Option<Instant>,
    /// Whether a process was seen to ignore the ends of its children.
    ignores_children: bool,
    /// The last exact sum of memory, and when it may be read again.
    total: u64,
    next_total: Option<Instant>,
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
    /// At most so much do all processes have in memory: pages that several share may count for each, and so may pages
    /// of files.
    pub total: u64,
    /// How often the kernel has killed a process because they had too much.
    pub n_killed: u64,
}

/// How long a scan stays valid. A process that lives for less has done little.
const SCAN_INTERVAL: Duration = Duration::from_millis(3);
/// How often the tree should be read.
const READ_INTERVAL: Duration = Duration::from_millis(20);
/// The same if it has several processes and no control group: short-lived ones must be seen.
const QUICK_READ_INTERVAL: Duration = Duration::from_millis(2);
/// The longest time without a reading, however many processes there are.
const MAX_PAUSE: Duration = Duration::from_millis(100);

impl Meter {
    /// A meter for what the process `first` starts, below `n_supervisors` supervisors including itself.
    pub fn new(first: u32, n_supervisors: usize, memory: MemoryMeasure, group: Option<Group>) -> Meter {
        Meter {
            supervisors: vec![Task::new(Pid::from_raw(first as i32), true)],
            n_supervisors,
            memory,
            group,
            programs: Vec::new(),
            scanned: None,
            scan_time: Duration::ZERO,
            has_helpers: false,
            spent: Spent::default(),
            gone: Vec::new(),
            cpu: Duration::ZERO,
            read_at: Some(Instant::now()),
            ignores_children: false,
            total: 0,
            next_total: None,
        }
    }

    /// CPU time of all processes since the start, ended ones included.
    pub fn cpu(&mut self) -> Duration {
        self.scan_if_stale();
        let cpu = match &self.group {
            Some(group) => group.cpu(),
            None => self.sum_of_clocks(),
        };
        self.cpu = self.cpu.max(cpu);
        self.cpu
    }

    fn sum_of_clocks(&mut self) -> Duration {
        let cpu = self.programs.iter_mut().map(Task::used).sum::<Duration>() + self.spent.total();
        let now = Instant::now();
        let elapsed = self.read_at.map_or(Duration::ZERO, |before| now - before);
        self.read_at = self.read_at.map(|_| now);
        if !self.ignores_children && !self.spent.has_lost() {
            return cpu;
        }
        // What its children do cannot be seen, so that the clock runs as if one of them were always at work.
        let unseen = (self.cpu + elapsed).saturating_sub(cpu);
        self.spent.add(unseen);
        cpu + unseen
    }

    /// How soon the tree should be read again.
    pub fn interval(&self) -> Duration {
        match self.has_helpers && self.group.is_none() {
            true => QUICK_READ_INTERVAL.max(self.pause()),
            false => READ_INTERVAL.max(self.pause()),
        }
    }

    /// How long to leave the tree alone after a reading. Reading many processes takes long, and the referee has other
    /// things to do.
    pub fn pause(&self) -> Duration {
        MAX_PAUSE.min(20 * self.scan_time)
    }

    /// Memory of the processes of the last scan.
    pub fn memory(&mut self) -> MemoryUse {
        let mut sum = MemoryUse::default();
        for (idx, program) in self.programs.iter().enumerate() {
            let text = program.status();
            let [size, peak] = sizes(&text, self.memory.names());
            self.ignores_children |= ignores_children(&text);
            sum.peak = sum.peak.max(peak);
            sum.total += sizes(&text, ["VmRSS:"])[0];
            if idx == 0 {
                sum.size = size;
            }
        }
        if let Some(memory) = self.group.as_ref().and_then(Group::memory) {
            (sum.total, sum.n_killed) = (memory.charged, memory.n_killed);
        }
        sum
    }

    /// Memory of all processes in bytes, where a page that several share counts once. It is slow to read, and takes at
    /// most a tenth of the time: until then it is the last one.
    pub fn exact_total(&mut self) -> u64 {
        if self.next_total.is_none_or(|next| next <= Instant::now()) {
            let began = Instant::now();
            let of_group = self.group.as_ref().and_then(Group::unbacked_memory);
            self.total =
                of_group.unwrap_or_else(|| self.programs.iter().map(Task::proportional_memory).sum());
            self.next_total = Some(Instant::now() + 9 * began.elapsed());
        }
        self.total
    }

    /// The number of processes, and of threads in all of them.
    pub fn n_tasks(&mut self) -> (usize, usize) {
        self.scan();
        (self.programs.len(), self.programs.iter().map(Task::n_threads).sum::<u64>() as usize)
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
        self.suspend_all();
        self.cpu();
        self.read_at = None;
    }

    fn suspend_all(&mut self) {
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
    pub fn resume(&mut self) {
        self.read_at = Some(Instant::now());
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
        let interval = SCAN_INTERVAL.max(self.pause());
        if self.scanned.is_none_or(|scanned| interval < scanned.elapsed()) {
            self.scan();
        }
    }

    /// Finds the present processes and keeps the order of those that were known.
    fn scan(&mut self) {
        let began = Instant::now();
        while self.supervisors.len() < self.n_supervisors {
            let last = &self.supervisors[self.supervisors.len() - 1];
            let Some(&next) = last.children().first() else { return };
            self.supervisors.push(Task::new(next, true));
        }
        let idx = self.supervisors.len() - 1;
        let mut found = self.supervisors[idx].ended_and_children();
        let mut next = 0;
        while let Some(&pid) = found.get(next) {
            let idx = self.programs.iter().position(|program| program.pid == pid);
            let idx = idx.unwrap_or_else(|| {
                self.programs.push(Task::new(pid, self.programs.is_empty()));
                self.programs.len() - 1
            });
            let program = &mut self.programs[idx];
            self.has_helpers |= 0 < next || !program.has_one_thread();
            found.extend(program.ended_and_children());
            next += 1;
        }
        self.count_ended(&found);
        self.scanned = (!self.programs.is_empty()).then(Instant::now);
        self.scan_time = began.elapsed();
    }

    /// Drops the processes that are not among those found.
    fn count_ended(&mut self, found: &[Pid]) {
        let returned = self.gone.iter().filter(|(pid, _)| found.contains(pid));
        let returned: Duration = returned.map(|(_, used)| *used).sum();
        let gone = self.programs.extract_if(.., |program| !found.contains(&program.pid));
        self.gone = gone.map(|mut program| (program.pid, program.used())).collect();
        let gone: Duration = self.gone.iter().map(|(_, used)| *used).sum();
        let sums = self.supervisors.last().into_iter().chain(&self.programs).map(Task::ended);
        let sums: Vec<Duration> = sums.filter(|sum| !sum.is_zero()).collect();
        self.spent.scan(nanos(gone) - nanos(returned), sums.iter().sum(), sums.len());
    }
}
