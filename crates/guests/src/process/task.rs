//! A process of a tree, as `/proc` shows it.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

use super::spent::TICK;
use crate::proc::{children_of, n_threads, pids, stat_numbers};

/// A process.
#[derive(Debug)]
pub struct Task {
    /// Its ID.
    pub pid: Pid,
    clock: Option<ClockId>,
    /// The last reading of its clock.
    used: Duration,
    /// CPU time of its ended descendants that were waited for, at the last reading.
    ended: Duration,
    children: ProcFile,
    stat: ProcFile,
    status: ProcFile,
}

/// A file of `/proc`.
#[derive(Debug)]
struct ProcFile {
    path: String,
    /// Kept open if it is read often.
    file: Option<File>,
}

impl Task {
    /// A process. The files of one that is read at every check are kept open; of all, they would be too many.
    pub fn new(pid: Pid, is_kept_open: bool) -> Task {
        let open = |name: &str| {
            let path = format!("/proc/{pid}/{name}");
            let file = if is_kept_open { File::open(&path).ok() } else { None };
            ProcFile { path, file }
        };
        Task {
            pid,
            clock: clock_getcpuclockid(pid).ok(),
            used: Duration::ZERO,
            ended: Duration::ZERO,
            children: open(&format!("task/{pid}/children")),
            stat: open("stat"),
            status: open("status"),
        }
    }

    /// Its children.
    pub fn children(&self) -> Vec<Pid> {
        if self.has_one_thread() { pids(&self.children.text()) } else { children_of(self.pid) }
    }

    /// Whether it has a single thread; not if it is gone.
    pub fn has_one_thread(&self) -> bool {
        self.n_threads() == 1
    }

    /// The number of its threads.
    pub fn n_threads(&self) -> u64 {
        fs::metadata(format!("/proc/{}/task", self.pid)).as_ref().map_or(0, n_threads)
    }

    /// CPU time of all threads, ended ones included, to the nanosecond. Of a process that is gone, it is the last one.
    pub fn used(&mut self) -> Duration {
        let now = self.clock.and_then(|clock| clock.now().ok()).map_or(Duration::ZERO, Duration::from);
        self.used = self.used.max(now);
        self.used
    }

    /// CPU time of ended descendants that were waited for, at the last [`Task::ended_and_children`].
    pub fn ended(&self) -> Duration {
        self.ended
    }

    /// Reads the CPU time of ended descendants, then its children: none is in both.
    pub fn ended_and_children(&mut self) -> Vec<Pid> {
        let n_ticks = stat_numbers(&self.stat.text(), 13, 2).iter().sum::<u64>();
        self.ended = TICK * u32::try_from(n_ticks).unwrap_or(u32::MAX);
        self.children()
    }

    /// The present `status`, for [`sizes`] and [`ignores_children`].
    pub fn status(&self) -> String {
        self.status.text()
    }

    /// The proportional set size in bytes. It is slow to read.
    pub fn proportional_memory(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid)).unwrap_or_default();
        sizes(&text, ["Pss:"])[0]
    }
}

impl ProcFile {
    fn text(&self) -> String {
        match &self.file {
            Some(file) => text_of(file),
            None => File::open(&self.path).as_ref().map(text_of).unwrap_or_default(),
        }
    }
}

fn text_of(file: &File) -> String {
    let mut bytes = [0; 4096];
    let n_bytes = file.read_at(&mut bytes, 0).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..n_bytes]).into_owned()
}

/// The values of lines such as `VmSize:  1234 kB`, in bytes.
pub fn sizes<const N: usize>(text: &str, names: [&str; N]) -> [u64; N] {
    names.map(|name| {
        let found = |line: &str| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.parse().ok();
        1024 * text.lines().find_map(found).unwrap_or(0u64)
    })
}

/// Whether a process ignores `SIGCHLD`, so that the CPU time of its children vanishes with them.
pub fn ignores_children(status: &str) -> bool {
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (nix::libc::SIGCHLD - 1) & 1 == 1)
}
