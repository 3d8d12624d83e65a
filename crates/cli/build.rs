//! Tells the program the commit that it is built from, for the nets that it trains.

use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    let commit =
        git(&["rev-parse", "--short=12", "HEAD"]).map_or(String::new(), |commit| format!("+{commit}"));
    println!("cargo::rustc-env=YARRA_COMMIT={commit}");
    println!("cargo::rerun-if-changed=build.rs");
    // The files that change when another commit is checked out; none outside of a repository.
    for path in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", path]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
