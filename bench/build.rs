//! Passes the name of the compiler and the flags of C++ to the program, for the tables. Compiles ICBC if
//! `BRICKWORK_ICBC` names the folder of icbc.h, nvtt's encoder of BC6H if `BRICKWORK_NVTT` names the folder
//! of its sources, and bc7enc_rdo if `BRICKWORK_BC7ENC_RDO` names the folder of its sources.

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
    println!("cargo::rerun-if-env-changed=CXXFLAGS");
    println!("cargo::rustc-env=BENCH_CXXFLAGS={}", env::var("CXXFLAGS").unwrap_or_default());
    println!("cargo::rustc-check-cfg=cfg(icbc)");
    println!("cargo::rerun-if-env-changed=BRICKWORK_ICBC");
    if let Some(folder) = env::var_os("BRICKWORK_ICBC") {
        icbc(folder.as_ref());
    }
    println!("cargo::rustc-check-cfg=cfg(nvtt)");
    println!("cargo::rerun-if-env-changed=BRICKWORK_NVTT");
    if let Some(folder) = env::var_os("BRICKWORK_NVTT") {
        nvtt(folder.as_ref());
    }
    println!("cargo::rustc-check-cfg=cfg(bc7enc_rdo)");
    println!("cargo::rerun-if-env-changed=BRICKWORK_BC7ENC_RDO");
    if let Some(folder) = env::var_os("BRICKWORK_BC7ENC_RDO") {
        bc7enc_rdo(folder.as_ref());
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

/// Builds nvtt's encoder of BC6H (ZOH) for the instruction set of this machine, without its assertions.
fn nvtt(folder: &Path) {
    let header = fs::read_to_string(folder.join("src/nvtt/nvtt.h"));
    let header = header.expect("BRICKWORK_NVTT names the folder of nvidia-texture-tools");
    // "#define NVTT_VERSION 20102" is version 2.1.2.
    let number = header.lines().find_map(|line| line.strip_prefix("#define NVTT_VERSION "));
    let number = number.and_then(|number| number.trim().parse::<u32>().ok());
    let version = number.map(|n| format!("{}.{}.{}", n / 10_000, n / 100 % 100, n % 100));
    println!("cargo::rustc-env=BENCH_NVTT={}", version.as_deref().unwrap_or("of unknown version"));
    // nvtt's own build writes a file that states which headers the system has. ZOH needs none of them.
    let out = env::var_os("OUT_DIR").expect("OUT_DIR is set");
    fs::write(Path::new(&out).join("nvconfig.h"), "").expect("OUT_DIR is writable");
    let mut build = cc::Build::new();
    build.cpp(true).opt_level(3).warnings(false).flag("-march=native");
    build.define("NDEBUG", None).define("NV_NO_ASSERT", "1");
    build.include(folder.join("src")).include(folder.join("extern/poshlib")).include(out);
    build.file("src/peers/nvtt.cpp").file(folder.join("src/nvmath/Fitting.cpp"));
    let sources = ["zoh.cpp", "zohone.cpp", "zohtwo.cpp", "zoh_utils.cpp"];
    build.files(sources.map(|name| folder.join("src/bc6h").join(name))).compile("nvtt_zoh");
    println!("cargo::rerun-if-changed=src/peers/nvtt.cpp");
    println!("cargo::rustc-cfg=nvtt");
}

/// Builds bc7enc_rdo for the instruction set of this machine, without its assertions and without threads.
fn bc7enc_rdo(folder: &Path) {
    let program = fs::read_to_string(folder.join("test.cpp"));
    let program = program.expect("BRICKWORK_BC7ENC_RDO names the folder of bc7enc_rdo");
    // "#define BC7ENC_VERSION "1.08"".
    let version = program.lines().find_map(|line| line.strip_prefix("#define BC7ENC_VERSION "));
    let version = version.map(|version| version.trim().trim_matches('"'));
    println!("cargo::rustc-env=BENCH_BC7ENC_RDO={}", version.unwrap_or("of unknown version"));
    let mut build = cc::Build::new();
    build.cpp(true).opt_level(3).warnings(false).flag("-march=native").flag("-fno-strict-aliasing");
    build.define("NDEBUG", None).include(folder).file("src/peers/bc7enc_rdo.cpp");
    // bc7enc_rdo.cpp includes rdo_bc_encoder.cpp.
    let sources = ["bc7decomp", "bc7decomp_ref", "bc7enc", "ert", "lodepng", "rgbcx", "utils"];
    build.files(sources.map(|name| folder.join(name).with_extension("cpp"))).compile("bc7enc_rdo");
    println!("cargo::rerun-if-changed=src/peers/bc7enc_rdo.cpp");
    println!("cargo::rustc-cfg=bc7enc_rdo");
}
