//! `brickwork view`: the viewer is found, or the user learns how to install it.

use crate::common::{Folder, Ran};

/// A copy of the program: the build folder may hold a viewer.
#[cfg(unix)]
fn run(folder: &Folder, path: &str, arguments: &[&str]) -> Ran {
    std::fs::copy(env!("CARGO_BIN_EXE_brickwork"), folder.path("brickwork")).unwrap();
    let mut command = std::process::Command::new(folder.path("brickwork"));
    Ran::of(command.args(arguments).current_dir(folder.path("")).env("PATH", path).output().unwrap())
}

/// A viewer that prints its arguments and exits with 3.
#[cfg(unix)]
fn install(folder: &Folder, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    folder.write(name, b"#!/bin/sh\necho \"$0: $@\"\nexit 3\n");
    std::fs::set_permissions(folder.path(name), PermissionsExt::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn the_viewer_is_found_beside_the_program_and_in_path() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("bin")).unwrap();
    let path = format!("/no/such/folder:{}", folder.path("bin").display());
    run(&folder, &path, &["view", "a.bwv"]).fails(5, &["brickwork-view", "cargo install --path crates/viewer"]);
    for name in ["bin/brickwork-view", "brickwork-view"] {
        install(&folder, name);
        let ran = run(&folder, &path, &["view", "a.bwv", "--mode", "mip"]);
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        let expected = format!("{}: a.bwv --mode mip\n", folder.path(name).display());
        assert_eq!((ran.exit, said), (Some(3), expected), "{ran:?}");
    }
}
