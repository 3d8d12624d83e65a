//! The seccomp filter: system calls that no agent needs are refused.

use std::collections::BTreeMap;
use std::io;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// Calls that are refused whatever their arguments: they change the machine, inspect other processes or belong to
/// parts of the kernel with a history of exploits.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
];

/// The filters as BPF programs.
pub(super) fn programs() -> io::Result<Vec<BpfProgram>> {
    let mut refused: Rules = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    // No sockets but Unix ones. `socketpair`, within the process, is a call of its own and allowed.
    refused.insert(libc::SYS_socket, vec![rule(SeccompCmpOp::Ne, libc::AF_UNIX as u64)?]);
    // No new user namespace, in which the program would have all capabilities again.
    let user = libc::CLONE_NEWUSER as u64;
    refused.insert(libc::SYS_clone, vec![rule(SeccompCmpOp::MaskedEq(user), user)?]);
    // A filter cannot read the arguments of `clone3`; without it, libraries fall back to `clone`.
    let unsupported = Rules::from([(libc::SYS_clone3, Vec::new())]);
    Ok(vec![program(refused, libc::EPERM)?, program(unsupported, libc::ENOSYS)?])
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// A rule that compares the first argument with a value.
fn rule(operator: SeccompCmpOp, value: u64) -> io::Result<SeccompRule> {
    let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, operator, value);
    SeccompRule::new(vec![condition.map_err(io::Error::other)?]).map_err(io::Error::other)
}

/// A filter that fails the calls of `rules` with an error and allows all others.
fn program(rules: Rules, error: i32) -> io::Result<BpfProgram> {
    let action = SeccompAction::Errno(error as u32);
    let arch = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch).map_err(io::Error::other)?;
    filter.try_into().map_err(io::Error::other)
}
