//! The Python package's own tests, if it is installed.

use std::{path::Path, process::Command};

#[test]
fn the_installed_python_package_passes_its_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python");
    let mut import = Command::new("python3");
    let import = import.args(["-c", "import brickwork._brickwork, hypothesis, pytest"]).current_dir(&folder);
    if !import.output().is_ok_and(|output| output.status.success()) {
        return println!(
            "skipped: no package brickwork, pytest or hypothesis in Python; see CONTRIBUTING.md"
        );
    }
    let mut pytest = Command::new("python3");
    let pytest = pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).current_dir(&folder);
    assert!(pytest.status().expect("Python starts").success());
}
