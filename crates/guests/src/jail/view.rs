//! What a program sees of the files.

use std::io;
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::{libc, unistd};
use tempfile::TempDir;

/// A folder of the program's own, with a few others, each read-only, and a temporary space.
///
/// The program may write into its folder as into a copy: the host's stays as it is.
pub struct View {
    folder: PathBuf,
    /// The folder's name in the program's home, if it is not the home itself.
    name: Option<String>,
    others: Vec<PathBuf>,
    /// An empty folder of the host; the view is put together on top of it.
    ground: TempDir,
}

/// Where the folder is in the view.
pub const HOME: &str = "/agent";
/// The temporary space.
const SCRATCH: &str = "/tmp";
/// What programs need to run at all, as far as it is there.
const SYSTEM: &[&str] = &["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime"];
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// The temporary space, and all that is written into the folder.
const SPACE: &str = "size=64m,nr_inodes=4096,mode=0755";

impl View {
    /// A view of a program's folder and of other files and folders, which keep their paths.
    ///
    /// # Errors
    /// If there is no temporary folder to be had.
    pub fn new(folder: &Path, others: &[PathBuf]) -> io::Result<View> {
        let ground = tempfile::Builder::new().prefix("yarra-jail-").tempdir()?;
        std::fs::create_dir(ground.path().join("scratch"))?;
        open_to_all(ground.path())?;
        open_to_all(&ground.path().join("scratch"))?;
        let folder = folder.canonicalize()?;
        Ok(View { folder, name: None, others: others.to_vec(), ground })
    }

    /// The same with a copy of the folder, if it holds what is closed to nobody, who takes root's place.
    ///
    /// # Errors
    /// If it cannot be copied.
    pub fn opened(mut self) -> io::Result<View> {
        if unistd::geteuid().is_root() && !is_open_to_all(&self.folder) {
            self.folder = open_copy(&self.folder, &self.ground.path().join("copy"))?;
        }
        Ok(self)
    }

    /// The same with the folder as a part of the program's home, under a name.
    ///
    /// # Errors
    /// If it cannot be laid out.
    pub fn within_home(mut self, name: &str) -> io::Result<View> {
        let home = self.ground.path().join("home");
        std::fs::create_dir(&home)?;
        std::os::unix::fs::symlink(&self.folder, home.join(name))?;
        self.name = Some(name.to_owned());
        Ok(self)
    }

    /// The folder in which the program begins.
    pub(super) fn home(&self, has_files: bool) -> PathBuf {
        match &self.name {
            _ if has_files => HOME.into(),
            Some(_) => self.ground.path().join("home"),
            None => self.folder.clone(),
        }
    }

    /// The temporary space.
    pub(super) fn scratch(&self, has_files: bool) -> PathBuf {
        if has_files { SCRATCH.into() } else { self.ground.path().join("scratch") }
    }

    /// All that may be read, where the host's own files are seen.
    pub(super) fn readable(&self) -> impl Iterator<Item = &Path> {
        let system = SYSTEM.iter().chain(DEVICES).chain(&["/proc"]).map(Path::new);
        let own = [&self.folder].into_iter().chain(&self.others).map(PathBuf::as_path);
        let own = own.chain(self.name.iter().map(|_| self.ground.path()));
        system.chain(own).filter(|path| path.exists())
    }

    /// Puts the view in the place of the host's files, for this process and those that follow.
    pub(super) fn enter(&self) -> io::Result<()> {
        let ground = self.ground.path();
        let none = None::<&Path>;
        mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none)?;
        mount(Some("tmpfs"), ground, Some("tmpfs"), MsFlags::MS_NOSUID, Some(SPACE))?;
        let at = |path: &Path| ground.join(path.strip_prefix("/").unwrap_or(path));
        for path in SYSTEM.iter().chain(DEVICES).map(Path::new).filter(|path| path.exists()) {
            match path.read_link() {
                Ok(target) => std::os::unix::fs::symlink(target, at(path))?,
                Err(_) => show(path, &at(path))?,
            }
        }
        for path in self.others.iter().filter(|path| !SYSTEM.iter().any(|system| path.starts_with(system))) {
            show(path, &at(path))?;
        }
        for folder in ["/proc", "/host", SCRATCH] {
            std::fs::create_dir_all(at(Path::new(folder)))?;
        }
        open_to_all(&at(Path::new(SCRATCH)))?;
        // Shared memory is a part of the temporary space.
        std::os::unix::fs::symlink(SCRATCH, at(Path::new("/dev/shm")))?;
        self.lay_folder(ground)?;
        // The root itself is closed, what lies in the temporary space stays open.
        let (scratch, again) = (at(Path::new(SCRATCH)), MsFlags::MS_BIND | MsFlags::MS_REC);
        mount(Some(&scratch), &scratch, none, again, none)?;
        unistd::pivot_root(ground, &at(Path::new("/host")))?;
        unistd::chdir("/")?;
        umount2("/host", MntFlags::MNT_DETACH)?;
        std::fs::remove_dir("/host")?;
        close_to_writing(Path::new("/"), false)
    }

    /// The program's folder, with a lid that takes what is written.
    fn lay_folder(&self, ground: &Path) -> io::Result<()> {
        let part = |name: &str| ground.join(name);
        let (below, lid, work) = (part("below"), part("lid"), part("work"));
        let home = self.name.iter().fold(part("agent"), |home, name| home.join(name));
        for folder in [&home, &lid, &work] {
            std::fs::create_dir_all(folder)?;
            open_to_all(folder)?;
        }
        show(&self.folder, &below)?;
        let [below, lid, work] = [below, lid, work].map(|path| path.display().to_string());
        let layers = format!("lowerdir={below},upperdir={lid},workdir={work}");
        let layered = ["", ",userxattr"].iter().any(|more| {
            let options = format!("{layers}{more}");
            mount(Some("overlay"), &home, Some("overlay"), MsFlags::MS_NOSUID, Some(options.as_str())).is_ok()
        });
        if layered { Ok(()) } else { show(&self.folder, &home) }
    }
}

/// Shows a file or a folder of the host in another place, read-only.
fn show(path: &Path, place: &Path) -> io::Result<()> {
    if path.is_dir() {
        std::fs::create_dir_all(place)?;
    } else {
        std::fs::create_dir_all(place.parent().unwrap_or(place))?;
        std::fs::File::create(place)?;
    }
    mount(Some(path), place, None::<&Path>, MsFlags::MS_BIND | MsFlags::MS_REC, None::<&Path>)?;
    close_to_writing(place, true)
}

/// Makes a mount read-only and leaves its other marks as they are, which a plain remount may not.
fn close_to_writing(place: &Path, and_below: bool) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    let place = std::ffi::CString::new(place.as_os_str().as_bytes())?;
    let marks = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let flags = if and_below { libc::AT_RECURSIVE } else { 0 };
    #[expect(unsafe_code, reason = "no library has this call yet")]
    // SAFETY: The path ends with a zero and the size is that of the structure.
    let done = unsafe {
        let call = libc::SYS_mount_setattr;
        libc::syscall(call, libc::AT_FDCWD, place.as_ptr(), flags, &raw const marks, size_of_val(&marks))
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn open_to_all(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777))
}

/// Whether everybody may read a folder with all that is in it.
fn is_open_to_all(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
    let needed = if meta.is_dir() { 0o005 } else { 0o004 };
    let is_open = meta.is_symlink() || meta.permissions().mode() & needed == needed;
    let mut entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    is_open && (!meta.is_dir() || entries.all(|entry| is_open_to_all(&entry.path())))
}

/// A copy that everybody may read; links are followed once.
fn open_copy(from: &Path, to: &Path) -> io::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    if from.is_dir() {
        std::fs::create_dir(to)?;
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            open_copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o755))?;
    } else if from.is_file() {
        std::fs::copy(from, to)?;
        std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o644))?;
    }
    Ok(to.to_owned())
}
