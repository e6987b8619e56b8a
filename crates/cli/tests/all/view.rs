//! `brickwork view`: the viewer is found, or the user learns how to install it.

#![cfg(unix)]

use crate::common::{Folder, Ran};

/// Runs a line of the shell. It writes programs: while this process holds a file open for writing, a child
/// of another test inherits it, and the file cannot be executed.
fn shell(folder: &Folder, line: &str) {
    assert!(folder.shell(line).status().unwrap().success(), "{line}");
}

/// A copy of the program: the build folder may hold a viewer.
fn run(folder: &Folder, path: &str, arguments: &[&str]) -> Ran {
    if !folder.path("brickwork").exists() {
        shell(folder, "cp \"$0\" brickwork");
    }
    let mut command = std::process::Command::new(folder.path("brickwork"));
    Ran::of(command.args(arguments).current_dir(folder.path("")).env("PATH", path).output().unwrap())
}

/// A viewer that prints its arguments and exits with 3.
fn install(folder: &Folder, name: &str) {
    let program = r#"#!/bin/sh\necho "$0: $@"\nexit 3\n"#;
    shell(folder, &format!("printf '{program}' > {name} && chmod 755 {name}"));
}

#[test]
fn the_viewer_is_found_beside_the_program_and_in_path() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("bin")).unwrap();
    let path = format!("/no/such/folder:{}", folder.path("bin").display());
    run(&folder, &path, &["view", "a.bwv"])
        .fails(5, &["brickwork-view", "cargo install --path crates/viewer"]);
    for name in ["bin/brickwork-view", "brickwork-view"] {
        install(&folder, name);
        let ran = run(&folder, &path, &["view", "a.bwv", "--mode", "mip"]);
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        let expected = format!("{}: a.bwv --mode mip\n", folder.path(name).display());
        assert_eq!((ran.exit, said), (Some(3), expected), "{ran:?}");
    }
    // The examples of the help text.
    let help = run(&folder, &path, &["view", "--help"]);
    let examples = help.ok().lines().filter_map(|line| line.trim().strip_prefix("brickwork view "));
    let mut count = 0;
    for example in examples {
        let words: Vec<&str> = ["view"].into_iter().chain(example.split(' ')).collect();
        let ran = run(&folder, &path, &words);
        assert!(String::from_utf8_lossy(&ran.stdout).ends_with(&format!(": {example}\n")), "{ran:?}");
        count += 1;
    }
    assert!(count > 1, "{count}");
}
