//! Tells the program which compiler built it, for the tables.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!(
        "cargo::rustc-env=BENCH_RUSTC={}",
        version.as_deref().unwrap_or("rustc of unknown version").trim()
    );
}
