//! The file system as a sandboxed program sees it.

use std::io;
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::{libc, unistd};
use tempfile::TempDir;

/// The program's own folder, a few others, read-only, and a temporary folder.
///
/// The program may write into its own folder, but the changes are lost with the sandbox: the original stays as it is.
pub struct View {
    folder: PathBuf,
    /// The folder's name inside the program's home, if it is not the home itself.
    name: Option<String>,
    others: Vec<PathBuf>,
    /// A temporary folder outside, on which the view is mounted.
    mount_point: TempDir,
}

/// The program's home inside the view.
pub const HOME: &str = "/agent";
/// The temporary folder inside the view.
const SCRATCH: &str = "/tmp";
/// What programs need to run at all; missing paths are skipped.
const SYSTEM: &[&str] = &["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime"];
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// Mount options of the file system in memory that takes all that the program writes.
const TMPFS_OPTIONS: &str = "size=64m,nr_inodes=4096,mode=0755";

impl View {
    /// A view of a program's folder and of other files and folders, which keep their paths.
    ///
    /// # Errors
    /// If no temporary folder can be created.
    pub fn new(folder: &Path, others: &[PathBuf]) -> io::Result<View> {
        let mount_point = tempfile::Builder::new().prefix("yarra-jail-").tempdir()?;
        std::fs::create_dir(mount_point.path().join("scratch"))?;
        open_to_all(mount_point.path())?;
        open_to_all(&mount_point.path().join("scratch"))?;
        let folder = folder.canonicalize()?;
        Ok(View { folder, name: None, others: others.to_vec(), mount_point })
    }

    /// The same view with a copy of the folder, if the referee is root and the user `nobody`, as which the program
    /// runs then, could not read all of it.
    ///
    /// # Errors
    /// If it cannot be copied.
    pub fn readable_to_all(mut self) -> io::Result<View> {
        if unistd::geteuid().is_root() && !is_readable_to_all(&self.folder) {
            self.folder = readable_copy(&self.folder, &self.mount_point.path().join("copy"))?;
        }
        Ok(self)
    }

    /// The same view with the folder as a subfolder of the program's home, under a name.
    ///
    /// # Errors
    /// If the home cannot be created.
    pub fn within_home(mut self, name: &str) -> io::Result<View> {
        let home = self.mount_point.path().join("home");
        std::fs::create_dir(&home)?;
        std::os::unix::fs::symlink(&self.folder, home.join(name))?;
        self.name = Some(name.to_owned());
        Ok(self)
    }

    /// The program's working directory; `has_files` is whether the layer `Files` is used.
    pub(super) fn home(&self, has_files: bool) -> PathBuf {
        match &self.name {
            _ if has_files => HOME.into(),
            Some(_) => self.mount_point.path().join("home"),
            None => self.folder.clone(),
        }
    }

    /// The temporary folder.
    pub(super) fn scratch(&self, has_files: bool) -> PathBuf {
        if has_files { SCRATCH.into() } else { self.mount_point.path().join("scratch") }
    }

    /// All paths that may be read if the machine's own files are visible.
    pub(super) fn readable(&self) -> impl Iterator<Item = &Path> {
        let system = SYSTEM.iter().chain(DEVICES).chain(&["/proc"]).map(Path::new);
        let own = [&self.folder].into_iter().chain(&self.others).map(PathBuf::as_path);
        let own = own.chain(self.name.iter().map(|_| self.mount_point.path()));
        system.chain(own).filter(|path| path.exists())
    }

    /// Replaces the machine's files by the view, for this process and its children.
    pub(super) fn enter(&self) -> io::Result<()> {
        let root = self.mount_point.path();
        let none = None::<&Path>;
        mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none)?;
        mount(Some("tmpfs"), root, Some("tmpfs"), MsFlags::MS_NOSUID, Some(TMPFS_OPTIONS))?;
        let at = |path: &Path| root.join(path.strip_prefix("/").unwrap_or(path));
        for path in SYSTEM.iter().chain(DEVICES).map(Path::new).filter(|path| path.exists()) {
            match path.read_link() {
                Ok(target) => std::os::unix::fs::symlink(target, at(path))?,
                Err(_) => bind(path, &at(path))?,
            }
        }
        for path in self.others.iter().filter(|path| !SYSTEM.iter().any(|system| path.starts_with(system))) {
            bind(path, &at(path))?;
        }
        for folder in ["/proc", "/host", SCRATCH] {
            std::fs::create_dir_all(at(Path::new(folder)))?;
        }
        open_to_all(&at(Path::new(SCRATCH)))?;
        // Shared memory counts towards the temporary folder.
        std::os::unix::fs::symlink(SCRATCH, at(Path::new("/dev/shm")))?;
        self.mount_folder(root)?;
        // The root becomes read-only below; a mount of its own keeps the temporary folder writable.
        let (scratch, again) = (at(Path::new(SCRATCH)), MsFlags::MS_BIND | MsFlags::MS_REC);
        mount(Some(&scratch), &scratch, none, again, none)?;
        unistd::pivot_root(root, &at(Path::new("/host")))?;
        unistd::chdir("/")?;
        umount2("/host", MntFlags::MNT_DETACH)?;
        std::fs::remove_dir("/host")?;
        make_read_only(Path::new("/"), false)
    }

    /// Mounts the program's folder under an overlay that takes its writes; read-only if overlays are not supported.
    fn mount_folder(&self, root: &Path) -> io::Result<()> {
        let part = |name: &str| root.join(name);
        let (lower, upper, work) = (part("lower"), part("upper"), part("work"));
        let home = self.name.iter().fold(part("agent"), |home, name| home.join(name));
        for folder in [&home, &upper, &work] {
            std::fs::create_dir_all(folder)?;
            open_to_all(folder)?;
        }
        bind(&self.folder, &lower)?;
        let [lower, upper, work] = [lower, upper, work].map(|path| path.display().to_string());
        let layers = format!("lowerdir={lower},upperdir={upper},workdir={work}");
        // In a user namespace some kernels need `userxattr`; older ones do not know it.
        let is_mounted = ["", ",userxattr"].iter().any(|more| {
            let options = format!("{layers}{more}");
            mount(Some("overlay"), &home, Some("overlay"), MsFlags::MS_NOSUID, Some(options.as_str())).is_ok()
        });
        if is_mounted { Ok(()) } else { bind(&self.folder, &home) }
    }
}

/// Bind-mounts a file or a folder in another place, read-only.
fn bind(path: &Path, place: &Path) -> io::Result<()> {
    if path.is_dir() {
        std::fs::create_dir_all(place)?;
    } else {
        std::fs::create_dir_all(place.parent().unwrap_or(place))?;
        std::fs::File::create(place)?;
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
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777))
}

/// Whether all users may read a folder with everything in it.
fn is_readable_to_all(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
    let needed = if meta.is_dir() { 0o005 } else { 0o004 };
    let is_open = meta.is_symlink() || meta.permissions().mode() & needed == needed;
    let mut entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    is_open && (!meta.is_dir() || entries.all(|entry| is_readable_to_all(&entry.path())))
}

/// A copy that all users may read; links become what they point to.
fn readable_copy(from: &Path, to: &Path) -> io::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    if from.is_dir() {
        std::fs::create_dir(to)?;
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            readable_copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o755))?;
    } else if from.is_file() {
        std::fs::copy(from, to)?;
        std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o644))?;
    }
    Ok(to.to_owned())
}
