//! What a tree of processes has used, read from the outside, and its being held and ended.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

/// The processes behind doorkeepers (see `jail`), as the kernel counts them.
#[derive(Debug)]
pub struct Meter {
    /// The process that the referee started, and the first one of the namespace behind it if there is one.
    doorkeepers: Vec<Process>,
    n_doorkeepers: usize,
    memory: Memory,
    /// The processes that were seen last, the oldest first.
    programs: Vec<Process>,
    /// When they were looked for last.
    found: Option<Instant>,
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

/// What a tree of processes needs, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Space {
    /// Memory of the first program now.
    pub size: u64,
    /// The most memory that one of the programs ever had.
    pub peak: u64,
    /// Memory that the programs hold, with pages that they share counted for each.
    pub together: u64,
}

/// Sums of ended processes come in ticks: a sum that falls by less has lost nothing.
const TICK: Duration = Duration::from_millis(10);
/// How long nobody starts a process that would be worth it.
const MOMENT: Duration = Duration::from_millis(3);

impl Meter {
    /// A meter of what a process starts, behind so many doorkeepers.
    pub fn new(first: u32, n_doorkeepers: usize, memory: Memory) -> Meter {
        let doorkeepers = vec![Process::new(Pid::from_raw(first as i32))];
        let (programs, found, has_helpers) = (Vec::new(), None, false);
        let (raw, lost) = (Duration::ZERO, Duration::ZERO);
        Meter { doorkeepers, n_doorkeepers, memory, programs, found, has_helpers, raw, lost }
    }

    /// CPU time of all processes since the beginning, that of ended ones included.
    pub fn cpu(&mut self) -> Duration {
        self.find();
        let ended = self.doorkeepers.last().into_iter().chain(&self.programs).map(Process::ended_children);
        let raw = ended.sum::<Duration>() + self.programs.iter().map(Process::clock).sum::<Duration>();
        // A child that nobody waited for takes its time with it.
        self.lost += self.raw.saturating_sub(raw).saturating_sub(TICK);
        self.raw = raw;
        raw + self.lost
    }

    /// What the processes that were seen last need.
    pub fn space(&self) -> Space {
        let mut space = Space::default();
        for (idx, program) in self.programs.iter().enumerate() {
            let text = text_of(program.status.as_ref());
            let [size, peak] = sizes(&text, self.memory.names());
            space.peak = space.peak.max(peak);
            space.together += sizes(&text, ["VmRSS:"])[0];
            if idx == 0 {
                space.size = size;
            }
        }
        space
    }

    /// Memory that the programs hold together, in bytes. A forked process shares most of its pages: each page
    /// counts once, which takes the kernel long.
    pub fn shared_once(&self) -> u64 {
        let text = |pid| fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
        self.programs.iter().map(|program| sizes(&text(program.pid), ["Pss:"])[0]).sum()
    }

    /// How many processes there are, and how many threads in all of them.
    pub fn n_tasks(&mut self) -> (usize, usize) {
        self.look_for_all();
        (self.programs.len(), self.programs.iter().map(Process::n_threads).sum())
    }

    /// Whether the program ever had threads or processes beside its first one, which can think while that waits.
    pub fn has_helpers(&self) -> bool {
        self.has_helpers
    }

    /// Holds all processes until they are let go on.
    pub fn hold(&mut self) {
        // A process may have started another before it was held: look again until nobody is new.
        let mut held: Vec<Pid> = Vec::new();
        loop {
            let pids = self.programs.iter().map(|program| program.pid);
            let fresh: Vec<Pid> = pids.filter(|pid| !held.contains(pid)).collect();
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
        for program in &self.programs {
            let _ = kill(program.pid, Signal::SIGCONT);
        }
    }

    /// Ends all processes; the doorkeepers end after them.
    pub fn kill(&mut self) {
        self.look_for_all();
        // With the first process of a namespace all others in it end.
        for process in self.doorkeepers[1..].iter().chain(&self.programs) {
            let _ = kill(process.pid, Signal::SIGKILL);
        }
    }

    /// Finds the processes that are there now, unless that was done a moment ago. A process that escapes notice
    /// so is found at the next call, and what it has used by then is counted.
    fn find(&mut self) {
        if self.found.is_none_or(|found| MOMENT < found.elapsed()) {
            self.look_for_all();
        }
    }

    /// Finds the processes that are there now, in the order in which they were found before.
    fn look_for_all(&mut self) {
        while self.doorkeepers.len() < self.n_doorkeepers {
            let last = &self.doorkeepers[self.doorkeepers.len() - 1];
            let Some(&next) = last.children().first() else { return };
            self.doorkeepers.push(Process::new(next));
        }
        let mut found = self.doorkeepers[self.doorkeepers.len() - 1].children();
        let mut next = 0;
        while let Some(&pid) = found.get(next) {
            let idx = self.programs.iter().position(|program| program.pid == pid);
            let idx = idx.unwrap_or_else(|| {
                self.programs.push(Process::new(pid));
                self.programs.len() - 1
            });
            let program = &self.programs[idx];
            self.has_helpers |= 0 < next || !program.has_one_thread();
            found.extend(program.children());
            next += 1;
        }
        self.programs.retain(|program| found.contains(&program.pid));
        self.found = (!self.programs.is_empty()).then(Instant::now);
    }
}

/// A process of the tree, with the files open that are read after each call.
#[derive(Debug)]
struct Process {
    pid: Pid,
    clock: Option<ClockId>,
    children: Option<File>,
    stat: Option<File>,
    status: Option<File>,
}

impl Process {
    fn new(pid: Pid) -> Process {
        let open = |name: &str| File::open(format!("/proc/{pid}/{name}")).ok();
        Process {
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

    /// Each thread has a folder, and each folder a link to the one above.
    fn has_one_thread(&self) -> bool {
        fs::metadata(format!("/proc/{}/task", self.pid)).is_ok_and(|meta| meta.nlink() == 3)
    }

    fn n_threads(&self) -> usize {
        fs::read_dir(format!("/proc/{}/task", self.pid)).map_or(0, Iterator::count)
    }

    /// CPU time with that of all threads, ended ones too, to the nanosecond.
    fn clock(&self) -> Duration {
        let time = self.clock.and_then(|clock| clock.now().ok());
        time.map_or(Duration::ZERO, Duration::from)
    }

    /// CPU time of ended children, and of theirs.
    fn ended_children(&self) -> Duration {
        let text = text_of(self.stat.as_ref());
        // The name in parentheses may hold anything.
        let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
        let ticks = fields.split_whitespace().skip(13).take(2).filter_map(|word| word.parse::<u64>().ok());
        TICK * u32::try_from(ticks.sum::<u64>()).unwrap_or(u32::MAX)
    }
}

/// Lines such as `VmSize:  1234 kB`, in bytes.
fn sizes<const N: usize>(text: &str, names: [&str; N]) -> [u64; N] {
    names.map(|name| {
        let found = |line: &str| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.parse().ok();
        1024 * text.lines().find_map(found).unwrap_or(0u64)
    })
}

/// What is in an open file of the kernel's now.
fn text_of(file: Option<&File>) -> String {
    let mut bytes = [0; 4096];
    let n_bytes = file.and_then(|file| file.read_at(&mut bytes, 0).ok()).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..n_bytes]).into_owned()
}
