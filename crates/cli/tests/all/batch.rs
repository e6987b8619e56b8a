//! Many files in one run: subfolders, side by side, `--update`, `--dry-run`, and what is said of them.

use crate::common::{Folder, png_rgb, png_rgba};
use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

fn picture(seed: u32, side: u32) -> Vec<u8> {
    png_rgb(side, side, |x, y| [x * 3 + seed, y * 5, (x * y) ^ seed].map(|v| v as u8))
}

fn folder_with(names: &[&str]) -> Folder {
    let folder = Folder::new();
    for (seed, name) in names.iter().enumerate() {
        fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
        folder.write(name, &picture(seed as u32, 20));
    }
    folder
}

/// The files below `root`, relative to it, with `/`.
fn files_below(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                found.push(name.replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

const TREE: [&str; 5] =
    ["in/a.png", "in/deep/a.png", "in/deep/er/b.png", "in/.hidden/c.png", "in/deep/.d.png"];

#[test]
fn subfolders_are_mirrored() {
    let folder = folder_with(&TREE);
    #[cfg(unix)]
    {
        // A folder that holds itself, and a link to nothing.
        std::os::unix::fs::symlink("..", folder.path("in/deep/er/loop")).unwrap();
        std::os::unix::fs::symlink("nothing", folder.path("in/deep/gone.png")).unwrap();
    }
    let ran = folder.run(&["encode", "in", "-r", "-o", "out/"]);
    assert_eq!(files_below(&folder.path("out")), ["a.dds", "deep/a.dds", "deep/er/b.dds"]);
    #[cfg(unix)]
    {
        assert_eq!(ran.exit, Some(2));
        ran.says(&["in/deep/gone.png: a link to a file that does not exist"]);
        fs::remove_file(folder.path("in/deep/gone.png")).unwrap();
    }
    #[cfg(not(unix))]
    ran.ok();
    folder.run(&["encode", "in/deep/er/b.png", "-o", "b.dds"]).ok();
    assert_eq!(folder.read("out/deep/er/b.dds"), folder.read("b.dds"));
    folder.run(&["decode", "out", "--recursive", "-o", "back/"]).ok();
    assert_eq!(files_below(&folder.path("back")), ["a.png", "deep/a.png", "deep/er/b.png"]);
    let ran = folder.run(&["info", "out", "-r"]);
    assert_eq!(ran.ok().matches("out/").count(), 3, "{ran:?}");
    // Into a folder that is there, and beside the images.
    fs::create_dir(folder.path("there")).unwrap();
    folder.run(&["encode", "in", "-r", "-o", "there", "--container", "ktx2"]).ok();
    assert_eq!(files_below(&folder.path("there")), ["a.ktx2", "deep/a.ktx2", "deep/er/b.ktx2"]);
    folder.run(&["encode", "in/deep", "-r"]).ok();
    assert!(folder.path("in/deep/er/b.dds").exists() && !folder.path("in/a.dds").exists());
}

#[test]
fn a_folder_of_folders_hints_at_recursive() {
    let folder = folder_with(&["in/deep/a.png"]);
    folder.run(&["encode", "in", "-o", "out/"]).fails(2, &["in: no file in the folder has", "(-r also"]);
    assert!(!folder.path("out").exists());
    fs::create_dir(folder.path("empty")).unwrap();
    folder.run(&["encode", "empty", "-r"]).fails(2, &["no file in the folder or its subfolders has"]);
}

#[test]
fn results_are_the_same_and_in_order_whatever_the_threads() {
    let names: Vec<String> = (0..24).map(|index| format!("in/{index:02}.png")).collect();
    let folder = folder_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
    // The files have several sizes, so that they end in another order.
    for (index, name) in names.iter().enumerate().step_by(5) {
        folder.write(name, &picture(index as u32, 300));
    }
    folder.write("in/07.png", b"no image");
    let ran = |threads, out| {
        let ran = folder.run(&["encode", "in", "-o", out, "--mips", "--threads", threads]);
        assert_eq!(ran.exit, Some(3), "{ran:?}");
        ran
    };
    let (one, five) = (ran("1", "one/"), ran("5", "five/"));
    let inputs = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains(" → ") && line.starts_with("in/"));
        lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
    };
    let expected: Vec<_> = names.iter().filter(|name| !name.contains("07")).cloned().collect();
    assert_eq!(inputs(one.text()), expected);
    assert_eq!(inputs(five.text()), expected);
    let summary = five.text().lines().last().unwrap();
    assert!(summary.starts_with("23 files, ") && summary.ends_with(", 1 failed"), "{summary}");
    five.says(&["in/07.png: ", "1 of 24 outputs failed"]);
    for name in files_below(&folder.path("one")) {
        assert_eq!(folder.read(&format!("one/{name}")), folder.read(&format!("five/{name}")), "{name}");
    }
}

/// Each of four threads gets a quarter of 2 MB. The large image needs more, and is processed alone.
#[test]
fn the_memory_limit_is_for_all_together() {
    let folder = folder_with(&["in/a.png", "in/b.png", "in/c.png", "in/e.png"]);
    folder.write("in/d.png", &picture(9, 512));
    let encode = |limit| {
        folder.run(&["encode", "in", "-o", "out/", "--force", "--threads", "4", "--max-memory", limit])
    };
    encode("2000000").ok();
    assert_eq!(files_below(&folder.path("out")).len(), 5);
    let ran = encode("700000");
    assert_eq!(ran.exit, Some(4), "{ran:?}");
    ran.says(&["in/d.png: ", "memory", "--max-memory", "1 of 5 outputs failed"]);
}

#[test]
fn only_what_has_changed_is_updated() {
    let folder = folder_with(&["in/a.png", "in/b.png", "in/c.png"]);
    let update = || folder.run(&["encode", "in", "-o", "out/", "--update"]);
    assert!(update().ok().lines().last().unwrap().starts_with("3 files, "));
    let ran = update();
    assert_eq!(ran.ok(), "3 up to date\n");
    // Options that change no output do not count.
    let ran = folder.run(&["encode", "in", "-o", "out/", "--update", "--no-metrics"]);
    assert_eq!(ran.ok(), "3 up to date\n");
    let ran = folder.run(&["encode", "in", "-o", "out/", "--update", "--dry-run"]);
    assert!(ran.ok().lines().all(|line| line.ends_with("  up to date")), "{ran:?}");
    let written = || fs::metadata(folder.path("out/a.dds")).unwrap().modified().unwrap();
    let before = written();
    assert_eq!(folder.run(&["encode", "in/a.png", "-o", "out/", "--update"]).ok(), "1 up to date\n");
    assert_eq!(folder.run(&["encode", "in", "-o", "out/", "--update", "--quiet"]).ok(), "");
    assert_eq!(written(), before);
    // Other options do.
    for options in [["-q", "best"], ["-f", "bc3"]] {
        let update = || folder.run(&[&["encode", "in", "-o", "out/", "--update"], &options[..]].concat());
        assert!(update().ok().lines().last().unwrap().starts_with("3 files, "), "{options:?}");
        assert_eq!(update().ok(), "3 up to date\n");
    }
    assert!(update().ok().lines().last().unwrap().starts_with("3 files, "));
    let later = SystemTime::now() + Duration::from_secs(5);
    folder.write("in/b.png", &picture(77, 20));
    fs::File::options().write(true).open(folder.path("in/b.png")).unwrap().set_modified(later).unwrap();
    let before = folder.read("out/b.dds");
    let ran = update();
    let text = ran.ok();
    assert!(text.starts_with("in/b.png → out/b.dds") && text.contains("1 file, "), "{text}");
    assert!(text.ends_with(", 2 up to date\n"), "{text}");
    assert_ne!(folder.read("out/b.dds"), before);
    let ran = folder.run(&["encode", "in", "-o", "out/", "--update", "-v"]);
    ran.says(&["brickwork: in/a.png → out/a.dds  up to date\n"]);
    // The output of b is still older than its input, which is in the future.
    let json = folder.run(&["encode", "in", "-o", "out/", "--update", "--json"]).json();
    assert_eq!(json["files"][0]["action"], "up-to-date");
    assert_eq!(json["files"][1]["format"], "bc1");
    assert_eq!((&json["summary"]["up_to_date"], &json["summary"]["written"]), (&2.into(), &1.into()));
    assert_eq!(folder.run(&["encode", "in", "--update", "--force"]).exit, Some(1));
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = folder_with(&["in/a.png", "in/deep/b.png"]);
    let before = files_below(&folder.path(""));
    let ran = folder.run(&["encode", "in", "-r", "-o", "out/", "--dry-run"]);
    let plan = "20×20  bc1 sRGB (PNG sRGB chunk)  200 B";
    let lines =
        format!("in/a.png → out/a.dds  create  {plan}\nin/deep/b.png → out/deep/b.dds  create  {plan}\n");
    assert_eq!(ran.ok(), lines);
    assert_eq!(files_below(&folder.path("")), before);
    assert!(!folder.path("out").exists());

    folder.run(&["encode", "in/a.png"]).ok();
    folder.run(&["encode", "in/a.png", "--dry-run"]).fails(2, &["in/a.dds: already exists"]);
    let ran = folder.run(&["encode", "in/a.png", "--dry-run", "--force"]);
    assert!(ran.ok().starts_with("in/a.png → in/a.dds  replace  20×20  bc1 sRGB"), "{ran:?}");
    let ran = folder.run(&["decode", "in/a.dds", "-o", "a.png", "--dry-run", "--json"]);
    assert_eq!(ran.json()["files"][0]["action"], "create");
    folder.run(&["encode", "gone.png", "--dry-run"]).fails(2, &["gone.png: no such file"]);
    assert!(!folder.path("a.png").exists());
}

/// The plan of a dry run is what the run then does, with the same notes.
#[test]
fn a_dry_run_prints_decisions_and_notes() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    let soft = png_rgba(36, 20, |x, y| [(x * 7) as u8, (y * 9) as u8, 90, (x * 5 + 20) as u8]);
    folder.write("in/leaf.png", &soft);
    folder.write("in/rock_n.png", &png_rgb(30, 20, |x, _| [120 + (x % 9) as u8, 128, 255]));
    let arguments = ["encode", "in", "-o", "out/", "--mips", "--multiple-of-4", "--json"];
    for format in ["auto", "bc1"] {
        let arguments = [&arguments[..], &["-f", format, "--force"]].concat();
        let planned = folder.run(&[&arguments[..], &["--dry-run"]].concat()).json();
        let done = folder.run(&arguments).json();
        for (planned, done) in
            planned["files"].as_array().unwrap().iter().zip(done["files"].as_array().unwrap())
        {
            for (key, value) in planned["plan"].as_object().unwrap() {
                assert_eq!(*value, done[key], "{key}: {planned} {done}");
            }
            assert!(planned["plan"]["notes"].is_array() && planned["notes"].is_null(), "{planned}");
        }
        assert_eq!(planned["summary"]["notes"], done["summary"]["notes"]);
    }
    let planned = folder.run(&["encode", "in", "-o", "out/", "-f", "auto", "--mips", "--dry-run", "--force"]);
    let text = planned.text();
    assert!(text.contains("replace  30×20 in 5 levels (kaiser)  bc5 (auto: "), "{text}");
    let json = folder.line("encode in -o out/ -f bc1 --dry-run --force --json").json();
    assert_eq!(json["summary"]["notes"]["soft-alpha"], 1, "{json}");
    folder.line("encode in -o out/ -f bc1 --force").says(&["files with notes, by kind: ", "soft-alpha 1"]);
}

/// Opening a GPU takes longer than encoding a few small files.
#[test]
fn small_files_do_not_look_for_a_gpu() {
    let names: Vec<String> = (0..10).map(|index| format!("in/{index}.png")).collect();
    let folder = folder_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let encode = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_brickwork"));
        command.current_dir(folder.path("")).env("XDG_CACHE_HOME", folder.path("cache"));
        command.args(["encode", "--force", "-v"]).args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let said = encode(&["in"]);
    assert_eq!(said.matches("encoding on the CPU: too little for a GPU").count(), 10, "{said}");
    folder.write("in/large.png", &picture(3, 300));
    let said = encode(&["in/large.png"]);
    assert!(!said.contains("too little"), "{said}");
    // The requested work is done.
    let said = encode(&["in/1.png", "--device", "auto"]);
    assert!(!said.contains("too little"), "{said}");
}

#[test]
fn colours_are_for_those_who_want_them() {
    let folder = Folder::new();
    let said = |name: &str, value: &str| {
        let mut command = folder.command(&["encode", "gone.png"]);
        command.env_remove("NO_COLOR").env(name, value);
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    assert!(said("CLICOLOR_FORCE", "1").contains("\u{1b}["));
    assert!(!said("BRICKWORK_NOTHING", "1").contains('\u{1b}'), "no terminal");
    let mut command = folder.command(&["encode", "gone.png"]);
    command.env("CLICOLOR_FORCE", "0").env("NO_COLOR", "1");
    assert!(!String::from_utf8(command.output().unwrap().stderr).unwrap().contains('\u{1b}'));
}

#[test]
fn images_that_are_not_read_are_named() {
    let folder = folder_with(&["in/a.jfif", "in/b.TARGA", "in/c.dib"]);
    folder.write("in/sky.jxl", b"\xff\x0a");
    folder.write("in/art.psd", b"8BPS");
    folder.write("in/notes.txt", b"hello");
    for command in [&["encode", "in", "-o", "out/"][..], &["info", "in"]] {
        let ran = folder.run(command);
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let note = |name: &str| {
            format!("{}: images of this format are not read", Path::new("in").join(name).display())
        };
        ran.says(&[&note("art.psd"), &note("sky.jxl")]);
        assert!(!ran.text().contains("notes.txt"), "{ran:?}");
        for name in ["a.jfif", "b.TARGA", "c.dib"] {
            assert!(ran.text().contains(name), "{name}: {ran:?}");
        }
    }
}
