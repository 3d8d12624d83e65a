//! Machines as the referee may find them: other users, and kernels that refuse namespaces.

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use crate::room::{Answer, Room};

/// What the kernel refuses to the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Nothing,
    /// As on machines where only root may create user namespaces.
    UserNamespaces,
    /// As in most containers.
    Namespaces,
}

/// A machine, as the referee sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    pub refused: Refused,
    /// Whether the referee runs as an ordinary user although the test runs as root.
    pub is_ordinary: bool,
}

/// An ordinary user's ID.
const USER: u32 = 65534;

impl Machine {
    /// All machines that can be had here.
    pub fn all() -> Vec<Machine> {
        let users = if nix::unistd::geteuid().is_root() { vec![false, true] } else { vec![false] };
        // Root's interpreter may be in its home; the system's is accessible to all.
        let can_change = Path::new(SYSTEM_PYTHON).exists();
        let users = users.into_iter().filter(|&is_ordinary| !is_ordinary || can_change);
        let kinds = [Refused::Nothing, Refused::UserNamespaces, Refused::Namespaces];
        users.flat_map(|is_ordinary| kinds.map(|refused| Machine { refused, is_ordinary })).collect()
    }

    /// The output of a command on this machine.
    pub fn run(self, command: &mut Command) -> Answer {
        let output = self.within(|| command.stdin(Stdio::null()).output().unwrap());
        Answer {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a function in a thread that is refused what this machine refuses, with all that it starts.
    pub fn within<T: Send>(self, act: impl FnOnce() -> T + Send) -> T {
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
    vec![filter(rules, error), filter(vec![(libc::SYS_clone3, Vec::new())], libc::ENOSYS)]
}

/// A filter that ends system calls with an error, if one of their rules applies or they have none.
pub fn filter(rules: Vec<(i64, Vec<SeccompRule>)>, error: i32) -> BpfProgram {
    let action = SeccompAction::Errno(error as u32);
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let rules = rules.into_iter().collect();
    SeccompFilter::new(rules, SeccompAction::Allow, action, arch).unwrap().try_into().unwrap()
}

/// A folder with agents, temporary files of its own, and a folder outside of the sandbox.
pub struct World {
    pub room: Room,
    pub machine: Machine,
}

impl World {
    pub fn new(machine: Machine) -> World {
        let room = Room::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guests/tests/agents");
        for kind in ["bad", "sandbox"] {
            copy_files(&source.join(kind), &room.path().join(kind));
        }
        fs::copy(source.join("bad/base.py"), room.path().join("sandbox/base.py")).unwrap();
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

    pub fn give_to_user(&self, path: &Path) {
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
    pub fn command(&self, args: &[&str]) -> Command {
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

    pub fn yarra(&self, args: &[&str]) -> Answer {
        self.machine.run(&mut self.command(args))
    }

    /// The arguments of a match of one game that is saved as `saved`.
    pub fn game<'a>(&self, agent: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let fixed = ["match", "infexion", agent, "random", "--games", "1", "--save", "saved"];
        let python = if self.machine.is_ordinary { vec!["--python", SYSTEM_PYTHON] } else { Vec::new() };
        [&fixed, more, &python].concat()
    }

    /// The reason for which a game against `agent` ended, with its fault.
    pub fn verdict(&self, agent: &str, more: &[&str]) -> (String, String) {
        let answer = self.yarra(&self.game(agent, more));
        assert_eq!(answer.code, 0, "{agent} {:?}: {}", self.machine, answer.err);
        let game: serde_json::Value = serde_json::from_str(&self.room.read("saved")).unwrap();
        fs::remove_file(self.room.path().join("saved")).unwrap();
        self.check_nothing_is_left(agent);
        (game["reason"].as_str().unwrap().to_owned(), game["fault"].to_string())
    }

    #[track_caller]
    pub fn check_nothing_is_left(&self, what: &str) {
        let left: Vec<_> = self.temporary();
        assert_eq!(left, [""; 0], "{what} {:?}", self.machine);
        assert_eq!(self.processes(), [""; 0], "{what} {:?}", self.machine);
        let shared = Path::new("/dev/shm").join(self.room.path().file_name().unwrap());
        assert!(!shared.exists(), "{what} {:?}", self.machine);
    }

    pub fn temporary(&self) -> Vec<String> {
        let entries = fs::read_dir(self.room.path().join("tmp")).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    /// The command lines of processes that were started from this room. All agents run a script in its folder.
    pub fn processes(&self) -> Vec<String> {
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
