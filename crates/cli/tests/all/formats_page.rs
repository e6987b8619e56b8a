//! docs/formats.md names tests that there are, and formats that there are.

use brickwork_image::image_file::FileFormat;
use std::{fs, path::Path};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The cells of the page's tables, by rows.
fn rows(page: &str) -> Vec<Vec<String>> {
    let lines = page.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.map(cells).collect()
}

/// True if `name` is a test file, a module of tests, or a path.
fn is_a_test(name: &str) -> bool {
    let exists = |path: String| root().join(path).is_file();
    if name.contains('/') {
        return exists(name.to_owned());
    }
    match name.rsplit_once("::") {
        None => ["cli", "formats", "image", "texture", "volume"]
            .iter()
            .any(|part| exists(format!("crates/{part}/tests/all/{name}.rs"))),
        Some((module, "tests")) => {
            let file = format!("crates/formats/src/{}", module.replace("::", "/"));
            ["", "/mod"].iter().any(|end| {
                let file = root().join(format!("{file}{end}.rs"));
                fs::read_to_string(file).is_ok_and(|text| text.contains("mod tests"))
            })
        }
        Some(_) => false,
    }
}

#[test]
fn every_row_names_tests_that_exist() {
    let page = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let mut count = 0;
    for row in rows(&page).iter().filter(|row| row.len() == 5 && row[4] != "test") {
        for name in row[4].split(',').map(|name| name.trim().trim_end_matches('*').trim_matches('`')) {
            assert!(is_a_test(name), "{}: there is no test {name}", row[0]);
            count += 1;
        }
    }
    assert!(count > 25, "{count}");
}

#[test]
fn every_image_format_has_a_row() {
    let page = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let rows = rows(&page);
    for &format in FileFormat::ALL {
        let name = format.name();
        assert!(rows.iter().any(|row| row[0].split(',').next() == Some(name)), "{name} has no row");
    }
}
