//! External agents through the real command as different users, with and without namespaces: nothing gets out, nothing
//! is left behind, and ordinary things work everywhere.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use crate::room::{Answer, Room};

/// What the kernel refuses to the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    Nothing,
    /// As on machines where only root may create user namespaces.
    UserNamespaces,
    /// As in most containers.
    Namespaces,
}

/// A machine, as the referee sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Machine {
    refused: Refused,
    /// Whether the referee runs as an ordinary user although the test runs as root.
    is_ordinary: bool,
}

/// An ordinary user's ID.
const USER: u32 = 65534;

impl Machine {
    /// All machines that can be had here.
    fn all() -> Vec<Machine> {
        let users = if nix::unistd::geteuid().is_root() { vec![false, true] } else { vec![false] };
        // Root's interpreter may be in its home; the system's is accessible to all.
        let can_change = Path::new(SYSTEM_PYTHON).exists();
        let users = users.into_iter().filter(|&is_ordinary| !is_ordinary || can_change);
        let kinds = [Refused::Nothing, Refused::UserNamespaces, Refused::Namespaces];
        users.flat_map(|is_ordinary| kinds.map(|refused| Machine { refused, is_ordinary })).collect()
    }

    /// The output of a command on this machine.
    fn run(self, command: &mut Command) -> Answer {
        let output = self.within(|| command.stdin(Stdio::null()).output().unwrap());
        Answer {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a function in a thread that is refused what this machine refuses, with all that it starts.
    fn within<T: Send>(self, act: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| {
            let run = move || {
                for filter in filters(self.refused) {
                    seccompiler::apply_filter(&filter).unwrap();
                }
                act()
            };
            scope.spawn(run).join().unwrap()
        })
    }
}

const SYSTEM_PYTHON: &str = "/usr/bin/python3";

fn filters(refused: Refused) -> Vec<BpfProgram> {
    let has_flag = |flag: libc::c_int| {
        let operator = SeccompCmpOp::MaskedEq(flag as u64);
        let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, operator, flag as u64).unwrap();
        SeccompRule::new(vec![condition]).unwrap()
    };
    let kinds = [libc::CLONE_NEWUSER, libc::CLONE_NEWNS, libc::CLONE_NEWPID, libc::CLONE_NEWNET];
    let (rules, error) = match refused {
        Refused::Nothing => return Vec::new(),
        Refused::UserNamespaces => {
            let calls = [libc::SYS_unshare, libc::SYS_clone];
            (calls.map(|call| (call, vec![has_flag(libc::CLONE_NEWUSER)])).to_vec(), libc::ENOSPC)
        }
        Refused::Namespaces => {
            let calls = [libc::SYS_unshare, libc::SYS_setns, libc::SYS_mount, libc::SYS_umount2];
            let calls = calls.into_iter().map(|call| (call, Vec::new()));
            let clone = (libc::SYS_clone, kinds.map(has_flag).to_vec());
            (calls.chain([clone]).collect(), libc::EPERM)
        }
    };
    let program = |rules: Vec<(i64, Vec<SeccompRule>)>, error: i32| {
        let action = SeccompAction::Errno(error as u32);
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let rules = rules.into_iter().collect();
        SeccompFilter::new(rules, SeccompAction::Allow, action, arch).unwrap().try_into().unwrap()
    };
    vec![program(rules, error), program(vec![(libc::SYS_clone3, Vec::new())], libc::ENOSYS)]
}

/// A folder with agents, temporary files of its own, and a folder outside of the sandbox.
struct World {
    room: Room,
    machine: Machine,
}

impl World {
    fn new(machine: Machine) -> World {
        let room = Room::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guests/tests/agents");
        for kind in ["bad", "sandbox"] {
            copy_files(&source.join(kind), &room.path().join(kind));
        }
        for folder in ["tmp", "outside"] {
            fs::create_dir(room.path().join(folder)).unwrap();
        }
        room.write("outside/file", "secret");
        let agents = room.path().join("sandbox");
        symlink("/etc/shadow", agents.join("link_to_shadow")).unwrap();
        symlink(room.path().join("outside/file"), agents.join("link_outside")).unwrap();
        fs::write(agents.join("outside"), room.path().join("outside").to_str().unwrap()).unwrap();
        let world = World { room, machine };
        if machine.is_ordinary {
            world.give_to_user(world.room.path());
        }
        world
    }

    fn give_to_user(&self, path: &Path) {
        chown(path, Some(USER), Some(USER)).unwrap();
        let is_folder = !path.is_symlink() && path.is_dir();
        for entry in fs::read_dir(path).into_iter().flatten().flatten().filter(|_| is_folder) {
            match entry.path().is_symlink() {
                true => std::os::unix::fs::lchown(entry.path(), Some(USER), Some(USER)).unwrap(),
                false => self.give_to_user(&entry.path()),
            }
        }
    }

    /// `yarra ARGS` in the room, as the machine's user.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.room.command(args);
        if self.machine.is_ordinary {
            let binary = self.room.path().join("yarra");
            if !binary.exists() {
                fs::copy(env!("CARGO_BIN_EXE_yarra"), &binary).unwrap();
            }
            command = Command::new(binary);
            command.args(args).current_dir(self.room.path()).uid(USER).gid(USER);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        command.env("TMPDIR", self.room.path().join("tmp"));
        command
    }

    fn yarra(&self, args: &[&str]) -> Answer {
        self.machine.run(&mut self.command(args))
    }

    /// The arguments of a match of one game that is saved as `saved`.
    fn game<'a>(&self, agent: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let fixed = ["match", "infexion", agent, "random", "--games", "1", "--save", "saved"];
        let python = if self.machine.is_ordinary { vec!["--python", SYSTEM_PYTHON] } else { Vec::new() };
        [&fixed, more, &python].concat()
    }

    /// The reason for which a game against `agent` ended, with its fault.
    fn verdict(&self, agent: &str, more: &[&str]) -> (String, String) {
        let answer = self.yarra(&self.game(agent, more));
        assert_eq!(answer.code, 0, "{agent} {:?}: {}", self.machine, answer.err);
        let game: serde_json::Value = serde_json::from_str(&self.room.read("saved")).unwrap();
        fs::remove_file(self.room.path().join("saved")).unwrap();
        self.check_nothing_is_left(agent);
        (game["reason"].as_str().unwrap().to_owned(), game["fault"].to_string())
    }

    #[track_caller]
    fn check_nothing_is_left(&self, what: &str) {
        let left: Vec<_> = self.temporary();
        assert_eq!(left, [""; 0], "{what} {:?}", self.machine);
        assert_eq!(self.processes(), [""; 0], "{what} {:?}", self.machine);
        let shared = Path::new("/dev/shm").join(self.room.path().file_name().unwrap());
        assert!(!shared.exists(), "{what} {:?}", self.machine);
    }

    fn temporary(&self) -> Vec<String> {
        let entries = fs::read_dir(self.room.path().join("tmp")).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    /// The command lines of processes that were started from this room. All agents run a script in its folder.
    fn processes(&self) -> Vec<String> {
        let room = self.room.path().to_str().unwrap();
        let lines = fs::read_dir("/proc").unwrap().flatten();
        let lines = lines.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        lines
            .map(|line| String::from_utf8_lossy(&line).into_owned())
            .filter(|line| line.contains(room))
            .collect()
    }
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_file() {
            fs::copy(&entry, to.join(entry.file_name().unwrap())).unwrap();
        }
    }
}

/// Memory is another test's business.
const PATIENT: [&str; 3] = ["--memory", "2GB", "--require-isolation"];

#[test]
fn ordinary_things_work_on_every_machine() {
    for machine in Machine::all() {
        let (reason, fault) = World::new(machine).verdict("python:sandbox:ordinary", &PATIENT);
        assert_eq!(fault, "null", "{machine:?}: {reason}");
    }
}

#[test]
fn nothing_outside_can_be_reached_on_any_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let _listener = UnixListener::bind(world.room.path().join("outside/socket")).unwrap();
        if machine.is_ordinary {
            world.give_to_user(&world.room.path().join("outside/socket"));
        }
        let outside = |name: &str| {
            let meta = fs::metadata(world.room.path().join("outside").join(name)).unwrap();
            (meta.mode(), meta.mtime(), meta.mtime_nsec(), meta.gid(), meta.len())
        };
        let before = ["", "file"].map(outside);
        let (reason, fault) = world.verdict("python:sandbox:hostile", &PATIENT);
        assert_eq!(fault, "null", "{machine:?}: {reason}");
        assert_eq!(["", "file"].map(outside), before, "{machine:?}");
    }
}

#[test]
fn nothing_is_left_behind_on_any_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        for agent in ["lingers", "fills"] {
            let (reason, fault) = world.verdict(&format!("python:sandbox:{agent}"), &PATIENT);
            assert_eq!(fault, "null", "{agent} {machine:?}: {reason}");
        }
    }
}

#[test]
fn verdicts_are_the_same_on_every_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        for (agent, more, expected) in [
            ("python:bad:crash_action", &[][..], "crash"),
            ("python:bad:os_exit", &[], "exit"),
            ("python:bad:infinite_loop", &["--time", "1s"], "time"),
            ("python:bad:sleep", &["--call-time", "2s"], "silence"),
            ("python:bad:segfault", &[], "crash"),
            ("python:sandbox:bomb", &["--time", "1s"], "time"),
            ("python:sandbox:crowd", &[], "crash"),
        ] {
            let (reason, fault) = world.verdict(agent, more);
            assert_eq!(reason, expected, "{agent} {machine:?}: {fault}");
        }
    }
}

#[test]
fn engines_play_and_fail_on_every_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let hello = "read line; echo ugiok; while read line; do case $line in isready) echo readyok;; go*) ";
        for (script, expected) in
            [("echo bestmove 9-9", "illegal_move"), ("exit 3", "exit"), ("kill -SEGV $$", "crash")]
        {
            let path = world.room.path().join("engine");
            fs::write(&path, format!("#!/bin/sh\n{hello} {script};; esac; done")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            let (reason, fault) = world.verdict("ugi:./engine", &[]);
            assert_eq!(reason, expected, "{script} {machine:?}: {fault}");
        }
        // Its folder holds gigabytes of build products, which must not be copied.
        let ours = format!("ugi:{} ugi infexion greedy", env!("CARGO_BIN_EXE_yarra"));
        if !machine.is_ordinary {
            let (reason, fault) = world.verdict(&ours, &["--depth", "1"]);
            assert_eq!(fault, "null", "{machine:?}: {reason}");
        }
    }
}

/// What only its owner can read, links in a circle, and pipes that nobody writes to.
#[test]
fn folders_of_all_kinds_can_be_played_on_every_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let agents = world.room.path().join("sandbox");
        symlink(".", agents.join("circle")).unwrap();
        symlink("/usr", agents.join("large")).unwrap();
        nix::unistd::mkfifo(&agents.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        fs::set_permissions(agents.join("ordinary.py"), fs::Permissions::from_mode(0o600)).unwrap();
        fs::set_permissions(agents.join("base.py"), fs::Permissions::from_mode(0o400)).unwrap();
        fs::set_permissions(&agents, fs::Permissions::from_mode(0o500)).unwrap();
        let (reason, fault) = world.verdict("python:sandbox:ordinary", &PATIENT);
        assert_eq!(fault, "null", "{machine:?}: {reason}");
        fs::set_permissions(&agents, fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[test]
fn a_killed_referee_leaves_no_process_and_the_next_one_no_folder() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let args = world.game("python:sandbox:waits", &[]);
        let mut child = machine.within(|| world.command(&args).stdin(Stdio::null()).spawn().unwrap());
        let until = |what: &str, done: &dyn Fn() -> bool| {
            let deadline = Instant::now() + Duration::from_secs(60);
            while !done() {
                assert!(Instant::now() < deadline, "{what} {machine:?}: {:?}", world.processes());
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        // The agent and its daemons: a fork has the command line of its parent.
        let is_agent = |line: &&String| line.contains("\"package\"");
        until("start", &|| world.processes().iter().filter(is_agent).count() >= 3);
        kill(Pid::from_raw(child.id() as i32), Signal::SIGKILL).unwrap();
        child.wait().unwrap();
        until("end", &|| world.processes().is_empty());
        assert_eq!(world.temporary().len(), 1, "{machine:?}");
        let (_, fault) = world.verdict("python:bad:prints", &[]);
        assert_eq!(fault, "null", "{machine:?}");
    }
}

#[test]
fn doctor_says_what_is_missing_and_what_would_help() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let answer = world.yarra(&["doctor"]);
        let has_namespaces = machine.refused == Refused::Nothing
            || machine.refused == Refused::UserNamespaces
                && !machine.is_ordinary
                && nix::unistd::geteuid().is_root();
        assert_eq!(!answer.out.contains("MISSING   files"), has_namespaces, "{machine:?}: {}", answer.out);
        assert_eq!(!answer.out.contains("to get "), has_namespaces, "{machine:?}: {}", answer.out);
        assert_eq!(
            answer.code,
            i32::from(!answer.out.contains("\nisolated: ")),
            "{machine:?}: {}",
            answer.out
        );
        world.check_nothing_is_left("doctor");
    }
}

#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    let room = Room::new();
    for args in [&["doctor"][..], &["match", "infexion", "ugi:cat", "random", "--require-isolation"]] {
        let answer = room.command(args).env("TMPDIR", "/nonexistent").output().unwrap();
        let error = String::from_utf8(answer.stderr).unwrap();
        assert_eq!(answer.status.code(), Some(2), "{error}");
        assert!(error.contains("temporary files at /nonexistent, as TMPDIR says"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// A machine without Landlock cannot isolate agents in a container.
#[test]
fn isolation_that_is_required_and_missing_is_an_error() {
    let machine = Machine { refused: Refused::Namespaces, is_ordinary: false };
    let world = World::new(machine);
    let without_landlock = || {
        let rules = [(libc::SYS_landlock_create_ruleset, Vec::new())].into_iter().collect();
        let action = SeccompAction::Errno(libc::ENOSYS as u32);
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch).unwrap();
        let filter: BpfProgram = filter.try_into().unwrap();
        seccompiler::apply_filter(&filter).unwrap();
        let run = |args: &[&str]| world.command(args).stdin(Stdio::null()).output().unwrap();
        (run(&world.game("python:bad:prints", &["--require-isolation"])), run(&["doctor"]))
    };
    let (played, doctor) = machine.within(without_landlock);
    let error = String::from_utf8(played.stderr).unwrap();
    assert_eq!(played.status.code(), Some(2), "{error}");
    assert!(error.contains("they could ") && error.contains("read and write all files"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(!world.room.path().join("saved").exists());
    let text = String::from_utf8(doctor.stdout).unwrap();
    assert_eq!(doctor.status.code(), Some(1), "{text}");
    assert!(
        text.contains("\nnot isolated: agents could ") && text.contains("a kernel with Landlock"),
        "{text}"
    );
}
