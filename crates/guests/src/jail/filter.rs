//! The seccomp filter: system calls that no agent needs are refused.

use std::collections::BTreeMap;
use std::io;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

/// What the filter must do in place of layers that are missing.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps {
    /// The machine's own sockets are within reach.
    pub sockets: bool,
    /// The program may change attributes of the machine's own files, which Landlock does not restrict.
    pub attributes: bool,
    /// Other processes are within reach: these are the ones that must not be touched in any case.
    pub processes: Option<Vec<i32>>,
}

/// Calls that are refused whatever their arguments: they change the machine, inspect other processes, leave something
/// behind, or belong to parts of the kernel with a history of exploits.
const REFUSED: &[libc::c_long] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_perf_event_open,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_fsmount,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Files beside their paths, and what happens to them.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_add_watch,
    libc::SYS_quotactl,
    // Memory, semaphores and queues that outlive their process.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    // Parts of the kernel with a history of exploits.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
];

/// Calls that change the mode, the owner or the times of a file.
const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

const EXTENDED_ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

/// The flags of `clone` that create a namespace. In a user namespace, a program would have all capabilities again.
const NAMESPACES: &[libc::c_int] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Requests that the library of C names does not have; the numbers are those of `asm-generic`.
const F_SETSIG: u64 = 10;
const F_SETOWN_EX: u64 = 15;
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;

/// The filters as BPF programs.
pub(super) fn programs(gaps: &Gaps) -> io::Result<Vec<BpfProgram>> {
    let mut refused = Rules::default();
    REFUSED.iter().for_each(|&call| refused.always(call));
    for &flag in NAMESPACES {
        refused.when(libc::SYS_clone, 0, SeccompCmpOp::MaskedEq(flag as u64), flag as u64)?;
    }
    // Typing into a terminal on behalf of its user.
    for request in [libc::TIOCSTI, libc::TIOCLINUX] {
        refused.when(libc::SYS_ioctl, 1, SeccompCmpOp::Eq, request)?;
    }
    refuse_sockets(&mut refused, gaps.sockets)?;
    if let Some(protected) = &gaps.processes {
        refuse_processes(&mut refused, protected)?;
    }
    // A filter cannot read the arguments of `clone3`; without it, libraries fall back to `clone`.
    let mut unknown = Rules::default();
    unknown.always(libc::SYS_clone3);
    // Memory that no process need have mapped, so that it is not in any sum. Libraries fall back to temporary files.
    unknown.always(libc::SYS_memfd_create);
    unknown.always(libc::SYS_memfd_secret);
    let mut all = vec![other_numbers()];
    if gaps.attributes {
        // Opening a file to read may truncate it nevertheless.
        let flags = (libc::O_TRUNC | libc::O_ACCMODE) as u64;
        let truncating = (SeccompCmpOp::MaskedEq(flags), libc::O_TRUNC as u64);
        refused.when(libc::SYS_openat, 2, truncating.0.clone(), truncating.1)?;
        #[cfg(target_arch = "x86_64")]
        refused.when(libc::SYS_open, 1, truncating.0, truncating.1)?;
        refused.always(libc::SYS_truncate);
        unknown.always(libc::SYS_openat2);
        // Programs that copy files would fail otherwise. All that they have written is theirs anyway.
        let mut ignored = Rules::default();
        ATTRIBUTES.iter().for_each(|&call| ignored.always(call));
        all.push(ignored.program(0)?);
        let mut unsupported = Rules::default();
        EXTENDED_ATTRIBUTES.iter().for_each(|&call| unsupported.always(call));
        all.push(unsupported.program(libc::ENOTSUP)?);
    }
    all.extend([refused.program(libc::EPERM)?, unknown.program(libc::ENOSYS)?]);
    Ok(all)
}

/// No sockets but Unix ones; where those of the machine can be reached, none but connected pairs.
fn refuse_sockets(rules: &mut Rules, has_others: bool) -> io::Result<()> {
    if !has_others {
        return rules.when(libc::SYS_socket, 0, SeccompCmpOp::Ne, libc::AF_UNIX as u64);
    }
    rules.always(libc::SYS_socket);
    rules.always(libc::SYS_connect);
    // One of a pair of datagram sockets could send to any other address.
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        rules.when(libc::SYS_socketpair, 1, SeccompCmpOp::MaskedEq(0xf), kind as u64)?;
    }
    Ok(())
}

/// No signals to the protected processes, and no change of the limits, priorities and processors of any other process.
fn refuse_processes(rules: &mut Rules, protected: &[i32]) -> io::Result<()> {
    let calls = [
        libc::SYS_kill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_pidfd_open,
    ];
    for call in calls {
        for &pid in protected.iter().chain(&[-1]) {
            rules.when(call, 0, SeccompCmpOp::Eq, u64::from(pid as u32))?;
            rules.when(call, 0, SeccompCmpOp::Eq, u64::from(pid.wrapping_neg() as u32))?;
        }
    }
    // It names threads, and libraries have used another call for twenty years.
    rules.always(libc::SYS_tkill);
    let own_only = [
        (libc::SYS_prlimit64, 0),
        (libc::SYS_sched_setaffinity, 0),
        (libc::SYS_sched_setscheduler, 0),
        (libc::SYS_sched_setparam, 0),
        (libc::SYS_sched_setattr, 0),
        (libc::SYS_setpriority, 1),
        (libc::SYS_ioprio_set, 1),
    ];
    for (call, arg) in own_only {
        rules.when(call, arg, SeccompCmpOp::Ne, 0)?;
    }
    // Signals about files, to any process.
    for command in [libc::F_SETOWN as u64, F_SETSIG, F_SETOWN_EX] {
        rules.when(libc::SYS_fcntl, 1, SeccompCmpOp::Eq, command)?;
    }
    for request in [FIOSETOWN, SIOCSPGRP] {
        rules.when(libc::SYS_ioctl, 1, SeccompCmpOp::Eq, request)?;
    }
    Ok(())
}

/// System calls and the conditions under which a filter applies to them.
#[derive(Default)]
struct Rules(BTreeMap<i64, Vec<SeccompRule>>);

impl Rules {
    fn always(&mut self, call: libc::c_long) {
        self.0.insert(call, Vec::new());
    }

    /// Applies when an argument compares with a value like this, or any earlier condition for the call holds.
    fn when(&mut self, call: libc::c_long, arg: u8, operator: SeccompCmpOp, value: u64) -> io::Result<()> {
        let condition = SeccompCondition::new(arg, SeccompCmpArgLen::Dword, operator, value);
        let rule = SeccompRule::new(vec![condition.map_err(io::Error::other)?]).map_err(io::Error::other)?;
        self.0.entry(call).or_default().push(rule);
        Ok(())
    }

    /// A filter that ends these calls with an error and allows all others.
    fn program(self, error: i32) -> io::Result<BpfProgram> {
        let action = SeccompAction::Errno(error as u32);
        let arch = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
        let filter =
            SeccompFilter::new(self.0, SeccompAction::Allow, action, arch).map_err(io::Error::other)?;
        filter.try_into().map_err(io::Error::other)
    }
}

/// Refuses the second set of numbers that some x86 kernels have for the same calls (x32).
fn other_numbers() -> BpfProgram {
    let instruction = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    let give = |action| instruction(libc::BPF_RET | libc::BPF_K, 0, 0, action);
    vec![
        // The number is the first word of what a filter sees.
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, 0x4000_0000),
        give(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        give(libc::SECCOMP_RET_ALLOW),
    ]
}
