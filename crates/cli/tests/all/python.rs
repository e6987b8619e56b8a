//! The Python package's own tests, if it is installed.

use brickwork_base::testing;
use std::{path::Path, process::Command};

#[test]
fn the_installed_python_package_passes_its_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python");
    let mut import = Command::new("python3");
    let import = import.args(["-c", "import brickwork._brickwork, hypothesis, pytest"]).current_dir(&folder);
    if !import.output().is_ok_and(|output| output.status.success()) {
        return testing::skip("no Python with brickwork, hypothesis, pytest");
    }
    let mut pytest = Command::new("python3");
    let pytest = pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).current_dir(&folder);
    assert!(pytest.status().expect("Python starts").success());
}
