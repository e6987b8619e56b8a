//! Tells the program which compiler built it, for the tables, and compiles ICBC if `BRICKWORK_ICBC` names the
//! folder of icbc.h.

use std::{env, fs, path::Path, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!(
        "cargo::rustc-env=BENCH_RUSTC={}",
        version.as_deref().unwrap_or("rustc of unknown version").trim()
    );
    println!("cargo::rustc-check-cfg=cfg(icbc)");
    println!("cargo::rerun-if-env-changed=BRICKWORK_ICBC");
    if let Some(folder) = env::var_os("BRICKWORK_ICBC") {
        icbc(folder.as_ref());
    }
}

/// Builds ICBC for the instruction set of this machine, once for each decoder.
fn icbc(folder: &Path) {
    let header =
        fs::read_to_string(folder.join("icbc.h")).expect("BRICKWORK_ICBC names the folder of icbc.h");
    // The first line is "// icbc.h v1.05".
    let version = header.lines().next().and_then(|line| line.rsplit_once(" v")).map(|(_, version)| version);
    println!("cargo::rustc-env=BENCH_ICBC={}", version.unwrap_or("of unknown version"));
    for (space, decoder) in [("icbc_exact", "Decoder_D3D10"), ("icbc_intel", "Decoder_Intel")] {
        let mut build = cc::Build::new();
        build.cpp(true).file("src/peers/icbc.cpp").include(folder).opt_level(3).warnings(false);
        build.flag("-march=native").define("NDEBUG", None);
        build.define("BRICKWORK_SPACE", space).define("BRICKWORK_DECODER", decoder);
        for (name, function) in [("INIT", "init"), ("SIMD", "simd"), ("ENCODE", "encode")] {
            build.define(&format!("BRICKWORK_{name}"), &*format!("{space}_{function}"));
        }
        build.compile(space);
    }
    println!("cargo::rerun-if-changed=src/peers/icbc.cpp");
    println!("cargo::rustc-cfg=icbc");
}
