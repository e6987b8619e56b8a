//! Names of the shared library for the linkers of Linux and macOS.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let part = |name: &str| env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    let os = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if os == "macos" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libbrickwork.dylib");
    } else if os != "windows" {
        // Until 1.0, the second number changes with the interface.
        let soname = format!("libbrickwork.so.{}.{}", part("MAJOR"), part("MINOR"));
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{soname}");
    }
}
