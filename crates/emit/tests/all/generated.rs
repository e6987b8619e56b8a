//! The files of the web package against those that are emitted.

use brickwork_emit::emit;
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/generated")
}

/// Returns the files below a folder, by path with `/` between folders.
fn files_below(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            files_below(&entry.path(), &format!("{path}/"), files);
        } else {
            files.insert(path, fs::read_to_string(entry.path()).unwrap());
        }
    }
}

#[test]
fn files_in_the_tree_are_those_that_are_emitted() {
    let expected: BTreeMap<_, _> = emit().unwrap().into_iter().map(|file| (file.path, file.text)).collect();
    if env::var_os("UPDATE").is_some() {
        let _ = fs::remove_dir_all(folder());
        for (path, text) in &expected {
            let path = folder().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let mut found = BTreeMap::new();
    files_below(&folder(), "", &mut found);
    let differing: Vec<_> =
        expected.keys().chain(found.keys()).filter(|path| found.get(*path) != expected.get(*path)).collect();
    assert!(
        differing.is_empty(),
        "{differing:?} differ: run UPDATE=1 cargo test -p brickwork-emit, then review"
    );
}
