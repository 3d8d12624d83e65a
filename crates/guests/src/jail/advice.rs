//! What a user can do about missing layers.

use std::fs;
use std::path::Path;

use super::{Layer, Layers};

impl Layers {
    /// What would make more layers available on this machine, each as the end of a sentence.
    pub fn advice(&self) -> Vec<String> {
        advice(self, &|file| fs::read_to_string(file).ok())
    }
}

/// Settings of the kernel that forbid user namespaces, the value that does, and the one that does not.
const SETTINGS: &[(&str, &str, &str)] = &[
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("user.max_user_namespaces", "0", "10000"),
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
];

fn advice(layers: &Layers, read: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut found = Vec::new();
    let namespaces = [Layer::Network, Layer::Files, Layer::Processes];
    if namespaces.iter().any(|&layer| !layers.has(layer)) {
        for &(name, forbids, allows) in SETTINGS {
            let value = read(&format!("/proc/sys/{}", name.replace('.', "/")));
            if value.is_some_and(|value| value.trim() == forbids) {
                found.push(format!("allow user namespaces: sysctl -w {name}={allows}, as root"));
            }
        }
        let status = read("/proc/self/status").unwrap_or_default();
        let has_filter = status.lines().any(|line| line.split_whitespace().eq(["Seccomp:", "2"]));
        let is_container = ["/.dockerenv", "/run/.containerenv"].iter().any(|file| Path::new(file).exists());
        if found.is_empty() && (has_filter || is_container) {
            found.push(
                "start the container with --security-opt seccomp=unconfined and --security-opt \
                 systempaths=unconfined: its runtime refuses namespaces"
                    .to_owned(),
            );
        }
    }
    if !layers.has(Layer::Landlock) {
        found.push("start a kernel with Landlock: it needs Linux 5.13 and `landlock` in lsm=".to_owned());
    }
    if !layers.has(Layer::Seccomp) {
        found.push("start a kernel that is built with CONFIG_SECCOMP_FILTER".to_owned());
    }
    if !layers.has(Layer::User) {
        found.push("run the referee as an ordinary user".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_the_setting_that_forbids() {
        let read = |file: &str| match file {
            "/proc/sys/user/max_user_namespaces" => Some("0\n".to_owned()),
            "/proc/sys/kernel/unprivileged_userns_clone" => Some("1\n".to_owned()),
            _ => None,
        };
        let found = advice(&Layers::none(), &read);
        assert!(found[0].contains("sysctl -w user.max_user_namespaces=10000"), "{found:?}");
        let filtered = |file: &str| (file == "/proc/self/status").then(|| "Seccomp:\t2\n".to_owned());
        let found = advice(&Layers::none(), &filtered);
        assert!(found[0].contains("container"), "{found:?}");
    }
}
