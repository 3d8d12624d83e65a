//! The files of a sandboxed program.

use std::fs::{self, Permissions};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::{libc, unistd};

use super::access::Rights;
use super::copy::{self, Budget};
use super::folders::Folder;
use super::identity::Identity;
use super::shared_memory;

/// The program's own folder, a few others, read-only, and a temporary folder.
///
/// The program may write into its own folder, but the changes are lost with the sandbox: the original stays as it is.
pub struct View {
    folder: PathBuf,
    /// The folder's name inside the program's home, if it is not the home itself.
    name: Option<String>,
    others: Vec<PathBuf>,
    /// A temporary folder outside, which holds:
    /// - `root`, on which the view is mounted,
    /// - `home` and `scratch`, if the machine's own files are used instead,
    /// - `copy` of the folder, if the program could not use the original.
    place: Folder,
    written: [PathBuf; 2],
}

/// The program's home inside the view.
pub const HOME: &str = "/agent";
/// The temporary folder inside the view.
const SCRATCH: &str = "/tmp";
/// What programs need to run at all; missing paths are skipped.
const SYSTEM: &[&str] = &[
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/sbin",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/localtime",
    // Links to libraries, such as those that numpy is built on.
    "/etc/alternatives",
    "/etc/ssl/openssl.cnf",
    "/sys/devices/system/cpu",
];
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// What programs read in `/proc`, where it shows the machine's processes: of processes, only their own.
const PROC: &[&str] = &[
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/vm/overcommit_memory",
    "/proc/uptime",
    "/proc/version",
];
/// Mount options of the file system in memory that takes all that the program writes.
const TMPFS_OPTIONS: &str = "size=64m,nr_inodes=4096,mode=0755";
/// Libraries ask for the user's name.
const USERS: &str = "agent:x:65534:65534::/tmp:/bin/sh\n";

impl View {
    /// A view of a program's folder and of other files and folders, which keep their paths.
    ///
    /// # Errors
    /// If no temporary folder can be created.
    pub fn new(folder: &Path, others: &[PathBuf]) -> io::Result<View> {
        let place = Folder::new()?;
        let written = ["home", "scratch"].map(|name| place.path().join(name));
        Ok(View { folder: folder.canonicalize()?, name: None, others: others.to_vec(), place, written })
    }

    /// The same view with the folder as a subfolder of the program's home, under a name.
    #[must_use]
    pub fn within_home(mut self, name: &str) -> View {
        self.name = Some(name.to_owned());
        self
    }

    /// The program's working directory; `has_files` is whether the layer `Files` is used.
    pub(super) fn home(&self, has_files: bool) -> PathBuf {
        if has_files { HOME.into() } else { self.written[0].clone() }
    }

    /// The temporary folder.
    pub(super) fn scratch(&self, has_files: bool) -> PathBuf {
        if has_files { SCRATCH.into() } else { self.written[1].clone() }
    }

    /// Where the program may write, if the machine's own files are used. Its home may be a link to the original folder.
    pub(super) fn written(&self) -> Vec<PathBuf> {
        self.written.iter().filter(|path| !path.is_symlink()).cloned().collect()
    }

    /// The lock of the temporary folder.
    pub(super) fn lock(&self) -> RawFd {
        self.place.lock()
    }

    /// Creates what the view needs outside. Returns the folder to show, and how much of it was copied.
    ///
    /// A program without a view needs a copy to write into it, one that runs as another user to read it or to write
    /// into it. A folder that is too large to be copied for every game is used as it is, if possible.
    pub(super) fn prepare(&self, has_files: bool, identity: Identity) -> io::Result<(PathBuf, Budget)> {
        let none = Budget { bytes: 0, entries: 0 };
        let is_other_user = matches!(identity, Identity::Nobody | Identity::Own(..));
        if has_files {
            fs::create_dir(self.place.path().join("root"))?;
            if !is_other_user {
                return Ok((self.folder.clone(), none));
            }
        }
        let reads_all = matches!(identity, Identity::Own(_, Some(_)));
        let is_readable = || !is_other_user || reads_all || copy::is_open_to_all(&self.folder);
        let owner = identity.own_user();
        if !has_files {
            for folder in &self.written {
                fs::create_dir(folder)?;
                std::os::unix::fs::chown(folder, owner.map(Into::into), owner.map(Into::into))?;
            }
        }
        let home = self.name.iter().fold(self.written[0].clone(), |home, name| home.join(name));
        let copy = if has_files { self.place.path().join("copy") } else { home };
        // A folder that holds nothing else is the home itself.
        if self.name.is_none() && !has_files {
            fs::remove_dir(&copy)?;
        }
        let budget = match copy::CHEAP.covers(&self.folder) {
            true => copy::CHEAP,
            false if is_readable() => {
                if !has_files {
                    symlink(&self.folder, &copy)?;
                }
                return Ok((self.folder.clone(), none));
            }
            false => copy::LARGEST,
        };
        let copied = copy::copy(&self.folder, &copy, budget, owner.or_else(|| nobody(identity)));
        let used = copied.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => copy::too_large(&self.folder),
            _ => error,
        })?;
        Ok((copy, used))
    }

    /// What Landlock permits, if the machine's own files are used.
    pub(super) fn rules(&self, folder: &Path) -> Vec<(PathBuf, Rights)> {
        let readable = SYSTEM.iter().chain(PROC).map(PathBuf::from).chain(self.others.iter().cloned());
        let readable = readable.chain([folder.to_owned()]).map(|path| (path, Rights::Read));
        let devices = DEVICES.iter().map(|path| (PathBuf::from(path), Rights::Use));
        let written = self.written().into_iter().map(|path| (path, Rights::All));
        let shared = (PathBuf::from(shared_memory::PLACE), Rights::Share);
        readable.chain(devices).chain(written).chain([shared]).collect()
    }

    /// Replaces the machine's files by the view, for this process and its children.
    pub(super) fn enter(&self, folder: &Path, has_processes: bool) -> io::Result<()> {
        let root = self.place.path().join("root");
        let none = None::<&Path>;
        mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none)?;
        mount(Some("tmpfs"), &root, Some("tmpfs"), MsFlags::MS_NOSUID, Some(TMPFS_OPTIONS))?;
        let at = |path: &str| inside(&root, Path::new(path));
        for path in SYSTEM.iter().chain(DEVICES).filter(|path| Path::new(path).exists()) {
            match fs::read_link(path) {
                Ok(target) => link(&target, &at(path))?,
                Err(_) => bind(Path::new(path), &at(path))?,
            }
        }
        for path in self.others.iter().filter(|path| !SYSTEM.iter().any(|system| path.starts_with(system))) {
            bind(path, &inside(&root, path))?;
        }
        for folder in ["/proc", "/host", "/etc", SCRATCH] {
            fs::create_dir_all(at(folder))?;
        }
        open_to_all(&at(SCRATCH))?;
        fs::write(at("/etc/passwd"), USERS)?;
        // Shared memory counts towards the temporary folder.
        link(Path::new(SCRATCH), &at("/dev/shm"))?;
        for (name, number) in [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")] {
            link(Path::new(&format!("/proc/self/fd{number}")), &at(&format!("/dev/{name}")))?;
        }
        if has_processes {
            let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
            // Only possible while the old one is visible. Inside some containers that one is masked, and mounting is
            // refused; programs work without it.
            let _ = mount(Some("proc"), &at("/proc"), Some("proc"), flags, none);
        }
        self.mount_folder(folder, &root)?;
        // The root becomes read-only below; a mount of its own keeps the temporary folder writable.
        let (scratch, again) = (at(SCRATCH), MsFlags::MS_BIND | MsFlags::MS_REC);
        mount(Some(&scratch), &scratch, none, again, none)?;
        unistd::pivot_root(&root, &at("/host"))?;
        unistd::chdir("/")?;
        umount2("/host", MntFlags::MNT_DETACH)?;
        fs::remove_dir("/host")?;
        make_read_only(Path::new("/"), false)
    }

    /// Mounts the program's folder under an overlay that takes its writes.
    fn mount_folder(&self, folder: &Path, root: &Path) -> io::Result<()> {
        let home = self.name.iter().fold(root.join("agent"), |home, name| home.join(name));
        fs::create_dir_all(&home)?;
        open_to_all(&root.join("agent"))?;
        // The layers of the overlay are detached afterwards: the program sees the result alone. Their paths are
        // relative, because options cannot contain all characters.
        let below = root.join("below");
        fs::create_dir(&below)?;
        mount(Some("tmpfs"), &below, Some("tmpfs"), MsFlags::MS_NOSUID, Some(TMPFS_OPTIONS))?;
        for name in ["upper", "work"] {
            fs::create_dir(below.join(name))?;
            open_to_all(&below.join(name))?;
        }
        bind(folder, &below.join("lower"))?;
        unistd::chdir(&below)?;
        // In a user namespace some kernels need `userxattr`; older ones do not know it.
        let is_mounted = ["", ",userxattr"].iter().any(|more| {
            let options = format!("lowerdir=lower,upperdir=upper,workdir=work{more}");
            mount(Some("overlay"), &home, Some("overlay"), MsFlags::MS_NOSUID, Some(options.as_str())).is_ok()
        });
        if !is_mounted {
            mount_without_overlay(folder, &home)?;
        }
        unistd::chdir("/")?;
        umount2(&below, MntFlags::MNT_DETACH)?;
        fs::remove_dir(&below)
    }
}

/// On kernels without overlays: a copy if it is small, otherwise the folder itself, read-only.
fn mount_without_overlay(folder: &Path, home: &Path) -> io::Result<()> {
    let none = None::<&Path>;
    mount(Some("tmpfs"), home, Some("tmpfs"), MsFlags::MS_NOSUID, Some(TMPFS_OPTIONS))?;
    let names = fs::read_dir(folder)?.flatten().map(|entry| entry.file_name());
    let is_copied = copy::CHEAP.covers(folder)
        && names
            .into_iter()
            .all(|name| copy::copy(&folder.join(&name), &home.join(&name), copy::CHEAP, None).is_ok());
    if is_copied {
        return open_to_all(home);
    }
    mount(Some(folder), home, none, MsFlags::MS_BIND | MsFlags::MS_REC, none)?;
    make_read_only(home, true)
}

/// The owner of a copy for `nobody`.
fn nobody(identity: Identity) -> Option<unistd::Uid> {
    (identity == Identity::Nobody).then(|| unistd::Uid::from_raw(super::identity::NOBODY))
}

/// An absolute path below another root.
fn inside(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

fn link(target: &Path, place: &Path) -> io::Result<()> {
    fs::create_dir_all(place.parent().unwrap_or(place))?;
    symlink(target, place)
}

/// Bind-mounts a file or a folder in another place, read-only.
fn bind(path: &Path, place: &Path) -> io::Result<()> {
    if path.is_dir() {
        fs::create_dir_all(place)?;
    } else {
        fs::create_dir_all(place.parent().unwrap_or(place))?;
        fs::File::create(place)?;
    }
    mount(Some(path), place, None::<&Path>, MsFlags::MS_BIND | MsFlags::MS_REC, None::<&Path>)?;
    make_read_only(place, true)
}

/// Makes a mount read-only and keeps its other attributes. A plain remount would clear them, which user namespaces do
/// not allow.
fn make_read_only(place: &Path, is_recursive: bool) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    let place = std::ffi::CString::new(place.as_os_str().as_bytes())?;
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let flags = if is_recursive { libc::AT_RECURSIVE } else { 0 };
    #[expect(unsafe_code, reason = "no library offers this call yet")]
    // SAFETY: The path is null-terminated and the size is that of the structure.
    let done = unsafe {
        let call = libc::SYS_mount_setattr;
        libc::syscall(
            call,
            libc::AT_FDCWD,
            place.as_ptr(),
            flags,
            &raw const attributes,
            size_of_val(&attributes),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn open_to_all(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o777))
}
