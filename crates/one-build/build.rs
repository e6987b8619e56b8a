//! Compiles nothing: build dependencies belong to packages with a build script.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
