//! `yarra completions`, `yarra man` and `yarra help`.

use std::process::Command;

use crate::room::{Room, prints};

/// The names of all commands, from the list in `yarra --help`.
fn commands() -> Vec<String> {
    let help = prints(&["--help"]);
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_command_has_help_and_an_example() {
    let names = commands();
    assert!(
        ["play", "match", "help", "man", "completions"].iter().all(|name| names.contains(&(*name).into()))
    );
    for name in &names {
        let help = prints(&[name, "--help"]);
        assert!(help.contains("Example") && help.contains("yarra"), "{name}: {help}");
        assert_eq!(prints(&["help", name]).trim_end(), help.trim_end(), "{name}");
    }
    assert_eq!(prints(&["help"]).trim_end(), prints(&["--help"]).trim_end());
    for name in ["rules", "search"] {
        assert!(prints(&["help", "bench", name]).contains("Example"), "{name}");
    }
    let answer = Room::new().yarra(&["help", "dance"], "");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("unrecognized subcommand 'dance'"), "{}", answer.err);
}

#[test]
fn bash_completes_commands_and_options() {
    let room = Room::new();
    room.write("yarra.bash", &prints(&["completions", "bash"]));
    let bash = |script: &str| {
        let output = Command::new("bash").arg("-c").arg(script).current_dir(room.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    bash("bash -n yarra.bash");
    let complete = |words: &str| {
        bash(&format!(
            "source ./yarra.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _yarra yarra \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; echo ${{COMPREPLY[@]}}"
        ))
    };
    assert_eq!(complete("yarra ana"), "analyze\n");
    assert_eq!(complete("yarra play --thi"), "--think\n");
}

#[test]
fn every_shell_has_a_script_with_all_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = prints(&["completions", shell]);
        for name in commands() {
            assert!(script.contains(&name), "{shell}: {name}");
        }
        // Nothing was escaped for a terminal on its way.
        assert!(!script.contains("\\u0"), "{shell}");
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let room = Room::new();
    let main = prints(&["man"]);
    let written = room.yarra(&["man", "pages"], "");
    assert_eq!((written.code, written.err.as_str()), (0, ""));
    for name in commands() {
        assert!(main.contains(&format!("yarra\\-{}(1)", name.replace('-', "\\-"))), "{name}: {main}");
        let page = room.read(&format!("pages/yarra-{name}.1"));
        assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{name}: {page}");
        assert!(page.contains("xample"), "{name}: {page}");
    }
    assert!(room.read("pages/yarra-bench-rules.1").contains("yarra"));
    assert_eq!(room.read("pages/yarra.1"), main);

    let again = room.yarra(&["man", "pages"], "");
    assert_eq!(again.code, 2);
    assert!(again.err.contains("exists; overwrite the pages with --force"), "{}", again.err);
    assert_eq!(room.yarra(&["man", "pages", "--force"], "").code, 0);

    // Where `man` is installed it understands the pages.
    let page = room.path().join("pages/yarra-play.1");
    if let Ok(shown) = Command::new("man").arg("-l").arg(&page).env("MANPAGER", "cat").output()
        && shown.status.success()
    {
        assert!(String::from_utf8_lossy(&shown.stdout).contains("play"));
    }
}
