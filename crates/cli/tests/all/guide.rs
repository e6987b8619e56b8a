//! Commands of the README and of docs: the program understands each, and the pipeline of docs/textures.md runs.

use crate::{
    cache::counts,
    common::{Folder, png_rgb, png_rgba},
};
use std::{fs, path::Path};

/// The text of a document of this repository.
fn document(name: &str) -> String {
    fs::read_to_string(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(name)).unwrap()
}

/// The words after `brickwork` of each indented command of a text, without its comment, its redirection, and
/// the lines that follow a backslash.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    let commands = lines.filter_map(|line| line.trim_start_matches("$ ").strip_prefix("brickwork "));
    let without_comment = commands.map(|line| line.split("  ").next().unwrap_or_default());
    let is_argument = |word: &&str| !matches!(*word, "#" | ">" | "\\");
    without_comment.map(|line| line.split(' ').take_while(is_argument).collect()).collect()
}

/// Each option and value is read before `--help` ends the program.
#[test]
fn every_command_of_the_documents_is_understood() {
    let folder = Folder::new();
    let docs = fs::read_dir(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"))).unwrap();
    let names = docs.map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    let (mut count, mut wrong) = (0, Vec::new());
    for name in names.filter(|name| name.ends_with(".md")).chain(["README.md".to_owned()]) {
        for words in commands(&document(&name)) {
            let ran = folder.run(&[&words[..], &["--help"]].concat());
            if ran.exit != Some(0) {
                wrong.push(format!("{name}: {}\n  {}", words.join(" "), ran.stderr));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 90, "{count}");
}

/// Rules, targets and cache, as the guide shows them: the second run encodes nothing.
#[test]
fn the_pipeline_of_the_guide_runs_twice() {
    let guide = document("docs/textures.md");
    let section = |title: &str| guide.split_once(&format!("\n## {title}\n")).unwrap().1.split("\n## ").next();
    let rules = section("Rules and targets").and_then(|text| text.split("```toml\n").nth(1)).unwrap();
    let folder = Folder::new();
    folder.write("brickwork.toml", rules.split("```").next().unwrap().as_bytes());
    for name in ["art/foliage", "art/sources"] {
        fs::create_dir_all(folder.path(name)).unwrap();
    }
    let colors = png_rgb(16, 16, |x, y| [x as u8 * 9, y as u8 * 9, 90]);
    folder.write("art/rock.png", &colors);
    folder.write("art/sources/rock.png", &colors);
    folder.write("art/rock_n.png", &png_rgb(16, 16, |x, y| [120 + x as u8, 120 + y as u8, 250]));
    let leaf = png_rgba(16, 16, |x, y| [40, 9 * y as u8, 30, if (x + y) % 5 < 2 { 255 } else { 0 }]);
    folder.write("art/foliage/leaf.png", &leaf);
    let lines = commands(section("A pipeline").unwrap());
    // Three images for two targets.
    for (line, expected) in lines.iter().zip([[6, 0, 0, 0], [0, 6, 0, 0]]) {
        let ran = folder.run(&[&line[..], &["--json"]].concat());
        assert_eq!(ran.exit, Some(0), "{line:?}: {ran:?}");
        assert_eq!(counts(&ran), expected, "{line:?}: {ran:?}");
    }
    assert_eq!(lines.len(), 2);
    for target in ["desktop", "mobile"] {
        for name in ["rock", "rock_n", "foliage/leaf"] {
            assert!(folder.path(&format!("out/{target}/{name}.ktx2")).is_file(), "{target} {name}");
        }
    }
    assert_eq!(folder.run(&["validate", "out/", "-r", "--warnings-as-errors"]).exit, Some(0));
}
