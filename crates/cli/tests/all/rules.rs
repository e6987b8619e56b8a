//! Rule files, targets and shards.

use crate::common::{Folder, png_rgb};
use std::fs;

/// A folder `in` of small pictures with these names. Those named as normals face the viewer.
pub fn folder_with(names: &[&str]) -> Folder {
    let folder = Folder::new();
    for (seed, name) in (0u32..).zip(names) {
        let path = folder.path(&format!("in/{name}"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let least = if name.ends_with("_n.png") { 192 } else { 0 };
        let picture =
            png_rgb(8, 8, |x, y| [x * 30 + seed, y * 30, least + ((x * y) ^ seed)].map(|v| v as u8));
        fs::write(path, picture).unwrap();
    }
    folder
}

const ART: [&str; 4] = ["rock.png", "rock_n.png", "ui/icon.png", "ui/font.png"];

const RULES: &str = "
[target.desktop]
container = 'ktx2'

[target.mobile]
max-size = 4
folder = '.'
suffix = '_m'

[[rule]]
files = '*_n.png'
kind = 'normal'

[[rule]]
files = 'ui/**'
format = 'bc7'
quality = 'fast'

[[rule]]
files = 'rock.png'
mips = 'all'
name = 'stone'
";

#[test]
fn a_folder_has_rules_and_targets() {
    let folder = folder_with(&ART);
    folder.write("in/brickwork.toml", RULES.as_bytes());
    let ran = folder.run(&["encode", "in", "-r", "-o", "out/"]);
    ran.says(&["the rules of in/brickwork.toml are used; --no-rules ignores them"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let text = ran.text();
    for part in [
        "in/rock.png → out/desktop/stone.ktx2  8×8 in 4 levels",
        "in/rock.png → out/stone_m.dds  4×4 (from 8×8) in 3 levels",
        "in/rock_n.png → out/desktop/rock_n.ktx2  8×8  bc5 (auto: normals) linear",
        "in/ui/icon.png → out/desktop/ui/icon.ktx2  8×8  bc7 sRGB",
        "in/ui/font.png → out/ui/font_m.dds  4×4 (from 8×8)  bc7 sRGB",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.lines().last().unwrap().split(',').next(), Some("8 files"));
    // One target, and all of them in two shards.
    let rules = ["encode", "in", "-r", "--rules", "in/brickwork.toml"];
    folder.run(&[&rules[..], &["-o", "one/", "--target", "mobile", "--quiet"]].concat()).ok();
    assert!(folder.path("one/stone_m.dds").exists() && !folder.path("one/desktop").exists());
    for shard in ["0/2", "1/2"] {
        folder.run(&[&rules[..], &["-o", "shards/", "--shard", shard, "--quiet"]].concat()).ok();
    }
    for name in ["desktop/stone.ktx2", "stone_m.dds", "ui/font_m.dds", "desktop/ui/icon.ktx2"] {
        assert_eq!(folder.read(&format!("out/{name}")), folder.read(&format!("shards/{name}")), "{name}");
    }
    // Without the rules.
    folder.run(&["encode", "in", "-o", "plain/", "--no-rules", "--quiet"]).ok();
    assert!(folder.path("plain/rock.dds").exists());
}

#[test]
fn faults_of_rules_are_found_before_the_work() {
    let folder = folder_with(&ART);
    let run = |rules: &str, more: &[&str]| {
        folder.write("rules.toml", rules.as_bytes());
        let arguments = ["encode", "in", "-r", "-o", "out/", "--rules", "rules.toml"];
        let ran = folder.run(&[&arguments[..], more].concat());
        assert!(!folder.path("out").exists(), "{ran:?}");
        ran
    };
    run("[[rule]]\nfiles='**'\nkonrainer='dds'", &[]).fails(3, &["rules.toml:3: unknown key \"konrainer\""]);
    run("[[rule]]\nfiles='*.tga'", &[]).fails(1, &["rules.toml:1: no input matches \"*.tga\""]);
    run("[[rule]]\nfiles='a/*'", &[]).fails(1, &["no input matches \"a/*\" (optional = true"]);
    folder
        .run(&["encode", "in", "-o", "out/", "--rules", "rules.toml"])
        .fails(1, &["no input matches \"a/*\" (-r also searches the subfolders; optional = true"]);
    let collide = run("[[rule]]\nfiles='ui/*'\nname='x'", &[]);
    collide.fails(1, &["in/ui/font.png and in/ui/icon.png would both be written to out/ui/x.dds"]);
    let unfit = run("[[rule]]\nfiles='**'\nkind='normal'\nformat='bc1'", &[]);
    unfit.fails(1, &["in/rock.png: ", "not bc1", "rules.toml, line 1"]);
    // The keys are named, not options that nobody gave.
    let zstd = run("[[rule]]\nfiles='**'\nzstd=true", &[]);
    zstd.fails(1, &["error: zstd is for ktx2, but out/rock.dds would be dds (by rules.toml, line 1)"]);
    folder.write("rules.toml", b"[[rule]]\nfiles='**'\ncontainer='ktx2'");
    folder
        .run(&["encode", "in/rock.png", "-o", "rock.dds", "--rules", "rules.toml"])
        .fails(1, &["rock.dds: the extension means dds, but the chosen container is ktx2 (by rules.toml, "]);
    folder.write("rules.toml", b"[[rule]]\nfiles='**'\nmips='all'");
    folder
        .run(&["encode", "in/rock.png", "-o", "rock.png2", "--rules", "rules.toml"])
        .fails(1, &["rock.png2: cannot write .png2 files (use .dds, .ktx2 or .astc, or --container)"]);
    run("[target.a]\n", &["--target", "b"]).fails(1, &["there is no target \"b\"; the targets are a"]);
    run("", &["--target", "b"]).fails(1, &["there is no target \"b\""]);
    let shard = run("[[rule]]\nfiles='**'", &["--shard", "2/2"]);
    assert_eq!(shard.exit, Some(1));
    shard.says(&["from 0 to COUNT - 1"]);
    // Two targets with the same folder.
    let same = "[target.a]\nfolder='x'\n[target.b]\nfolder='x'";
    let both = "in/rock.png for target \"a\" and in/rock.png for target \"b\" would both be written to out/x";
    run(same, &["--target", "a"]).fails(1, &[both]);
    folder.run(&["encode", "in", "--rules", "none.toml"]).fails(2, &["none.toml: no such file"]);
    folder.write("rules.toml", b"[target.a]");
    folder
        .run(&["encode", "in", "--rules", "rules.toml"])
        .fails(1, &["rules.toml: the targets need a folder"]);
    folder
        .run(&["encode", "in", "--target", "a", "-o", "out/"])
        .fails(1, &["in: --target needs a rule file"]);
    folder.run_with(&["encode", "-", "-o", "a.dds", "--rules", "rules.toml"], b"").fails(1, &["no name"]);
}

/// Without its rules, a folder would become other outputs.
#[test]
fn rule_files_that_cannot_be_read_are_errors() {
    let folder = folder_with(&["rock.png"]);
    let run = |more: &[&str]| {
        let ran = folder.run(&[&["encode", "in", "-q", "ultrafast", "-o", "out/"], more].concat());
        assert_eq!(folder.path("out").exists(), ran.exit == Some(0), "{ran:?}");
        ran
    };
    fs::create_dir(folder.path("in/brickwork.toml")).unwrap();
    run(&[]).fails(2, &["in/brickwork.toml: is a folder"]);
    fs::remove_dir(folder.path("in/brickwork.toml")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../nas/brickwork.toml", folder.path("in/brickwork.toml")).unwrap();
        run(&[]).fails(2, &["in/brickwork.toml: no such file (it is a broken link)"]);
    }
    run(&["--no-rules"]).ok();
}

/// Nobody writes into the pipes, so reading them would wait for ever.
#[cfg(unix)]
#[test]
fn pipes_are_neither_rules_nor_entries_of_a_cache() {
    use nix::{sys::stat::Mode, unistd::mkfifo};
    let folder = folder_with(&["rock.png"]);
    mkfifo(&folder.path("pipe"), Mode::S_IRWXU).unwrap();
    folder
        .run(&["encode", "in", "-o", "out/", "--rules", "pipe"])
        .fails(2, &["pipe: ", "not a regular file"]);
    let encode = ["encode", "in", "-o", "out/", "--cache", "cache", "--quiet"];
    folder.run(&encode).ok();
    let objects = fs::read_dir(folder.path("cache")).unwrap().flatten().map(|entry| entry.path());
    let object = objects.filter(|path| path.is_dir()).flat_map(|path| fs::read_dir(path).unwrap().flatten());
    let object = object.map(|entry| entry.path()).next().expect("an object");
    let kept = folder.read("out/rock.dds");
    for path in [folder.path("out/rock.dds"), object.clone()] {
        fs::remove_file(path).unwrap();
    }
    mkfifo(&object, Mode::S_IRWXU).unwrap();
    folder.run(&encode).ok();
    assert_eq!(folder.read("out/rock.dds"), kept);
    let manifest = folder.path("out/.brickwork/manifest.jsonl");
    fs::remove_file(&manifest).unwrap();
    mkfifo(&manifest, Mode::S_IRWXU).unwrap();
    folder.run(&encode).fails(2, &["manifest.jsonl: ", "not a regular file"]);
    mkfifo(&folder.path("in/brickwork.toml"), Mode::S_IRWXU).unwrap();
    folder.run(&["encode", "in", "-o", "other/"]).fails(2, &["brickwork.toml: ", "not a regular file"]);
}

#[test]
fn rules_name_the_container_in_their_own_words() {
    let folder = folder_with(&["rock.png"]);
    folder.write("rules.toml", b"[[rule]]\nfiles='**'\ncontainer='ktx2'");
    let ran = folder.run(&["encode", "in/rock.png", "-o", "a.dds", "--rules", "rules.toml"]);
    let reason = "a.dds: the extension means dds, but the chosen container is ktx2 (by rules.toml, line 1)";
    ran.fails(1, &[reason]);
    folder.write("rules.toml", b"[[rule]]\nfiles='**'\nskip=true");
    let ran = folder.run(&["encode", "in", "-o", "out/", "--rules", "rules.toml"]);
    ran.says(&["note: no image is encoded: the rules skip all of them"]);
    assert_eq!((ran.exit, ran.text()), (Some(0), ""), "{ran:?}");
}

/// A rule's kind wins over the hint of a name, and without a kind the hint counts.
#[test]
fn kinds_and_hints() {
    let folder = folder_with(&["rock_n.png", "wall_n.png"]);
    folder.write("rules.toml", b"[[rule]]\nfiles = 'wall*'\nkind = 'color'");
    let ran = folder.run(&["encode", "in", "-o", "out/", "--rules", "rules.toml"]);
    // The picture is no normal map.
    ran.says(&["in/rock_n.png: 100.0 % of the normals were scaled to length 1; --normalize=no keeps all"]);
    let text = ran.text();
    assert!(text.contains("rock_n.dds  8×8  bc5 (auto: the file's name says normals)"), "{text}");
    assert!(!text.lines().any(|line| line.contains("wall_n.dds") && line.contains("bc5")), "{text}");
}
