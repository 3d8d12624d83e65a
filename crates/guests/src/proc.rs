//! What `/proc` says about a process, for those who measure it and those who end it.

use std::fs;
use std::os::unix::fs::MetadataExt;

use nix::unistd::Pid;

/// The children of all threads of a process.
pub fn children_of(pid: Pid) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks
        .flat_map(|task| pids(&fs::read_to_string(task.path().join("children")).unwrap_or_default()))
        .collect()
}

/// The process IDs in a text such as `task/TID/children`.
pub fn pids(text: &str) -> Vec<Pid> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).map(Pid::from_raw).collect()
}

/// The number of threads in a process, from the attributes of its folder `task`: each is a subfolder and adds one link.
pub fn n_threads(task: &fs::Metadata) -> u64 {
    task.nlink().saturating_sub(2)
}

/// Numbers of a text such as `/proc/PID/stat`; `first` counts from the field after the name.
pub fn stat_numbers(text: &str, first: usize, n_numbers: usize) -> Vec<u64> {
    // The name in parentheses may contain anything.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_whitespace().skip(first).take(n_numbers).filter_map(|word| word.parse().ok()).collect()
}
