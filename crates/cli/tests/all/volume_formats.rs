//! Volumes that other programs write and read.

use crate::common::Folder;
use brickwork_base::testing;

/// Files by SimpleITK, pydicom, tifffile and, if installed, VTK are read correctly, and ours by them.
#[test]
fn others_agree_about_volumes() {
    let Some(python) = testing::python("SimpleITK, pydicom, tifffile") else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/volume_formats.py");
    let folder = Folder::new();
    let folder = folder.path("");
    let output = python(&[script, env!("CARGO_BIN_EXE_brickwork"), folder.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    println!("{said}");
}
