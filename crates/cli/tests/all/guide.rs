//! Commands of the README and of docs: the program understands each, and docs/textures.md can be followed.

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
        // Without the feature, `serve` ends with the way to get it.
        let is_built = |words: &Vec<&str>| cfg!(feature = "serve") || words[0] != "serve";
        for words in commands(&document(&name)).into_iter().filter(is_built) {
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

/// The text of a section of the guide.
fn section<'a>(guide: &'a str, title: &str) -> &'a str {
    let (_, text) = guide.split_once(&format!("\n## {title}\n")).unwrap();
    text.split("\n## ").next().unwrap_or_default()
}

/// The first rule file in a section.
fn rules(section: &str) -> &[u8] {
    let (_, rules) = section.split_once("```toml\n").unwrap();
    rules.split("```").next().unwrap_or_default().as_bytes()
}

/// A folder `art` with colours, a normal map and cut-outs, and with files in `skipped`, a folder in it.
fn art(skipped: &str, names: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in ["art/foliage".to_owned(), format!("art/{skipped}")] {
        fs::create_dir_all(folder.path(&name)).unwrap();
    }
    let colors = png_rgb(16, 16, |x, y| [x as u8 * 9, y as u8 * 9, 90]);
    folder.write("art/rock.png", &colors);
    folder.write("art/rock_n.png", &png_rgb(16, 16, |x, y| [120 + x as u8, 120 + y as u8, 250]));
    let leaf = png_rgba(16, 16, |x, y| [40, 9 * y as u8, 30, if (x + y) % 5 < 2 { 255 } else { 0 }]);
    folder.write("art/foliage/leaf.png", &leaf);
    for name in names {
        folder.write(&format!("art/{skipped}/{name}.png"), &colors);
    }
    folder
}

/// Rules, targets and cache, as the guide shows them: the second run encodes nothing.
#[test]
fn the_pipeline_of_the_guide_runs_twice() {
    let guide = document("docs/textures.md");
    let folder = art("sources", &["rock"]);
    folder.write("brickwork.toml", rules(section(&guide, "Rules and targets")));
    let lines = commands(section(&guide, "A pipeline"));
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

#[test]
fn the_steps_of_the_guide_lead_from_a_folder_to_a_report() {
    let guide = document("docs/textures.md");
    let steps = section(&guide, "A folder, step by step");
    let folder = art("sky", &["px", "nx", "py", "ny", "pz", "nz"]);
    folder.write("art/brickwork.toml", rules(steps));
    let lines = commands(steps);
    assert_eq!(lines.len(), 5);
    for line in lines {
        let ran = folder.run(&line);
        assert_eq!(ran.exit, Some(0), "{line:?}: {ran:?}");
    }
    for name in ["rock.ktx2", "rock_n.ktx2", "foliage/leaf.ktx2", "sky.ktx2"] {
        assert!(folder.path("out").join(name).is_file(), "{name}");
    }
    assert!(!folder.path("out/sky").exists() && folder.path("report.html").is_file());
}
