//! `encode --cache` beside other builds and options, and what `--prune` must keep.

use crate::{
    cache::{actions, counts, encode},
    common::Ran,
    rules::folder_with,
};
use std::fs;

/// `--update` compares with the options of the last run, also if that run had a cache.
#[test]
fn update_after_a_cache() {
    let folder = folder_with(&["a.png", "b.png"]);
    // As on several machines: each has its own records of options.
    let run = |user: &str, arguments: &[&str]| {
        let mut command = folder.command(&[&["encode", "in", "-o", "out/", "--json"], arguments].concat());
        command.env("XDG_CACHE_HOME", folder.path(user));
        let ran = Ran::of(command.output().unwrap());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        counts(&ran)
    };
    let cached = ["-f", "bc7", "--cache", "cache"];
    let update = ["-f", "bc1", "--update"];
    assert_eq!(run("a", &update), [2, 0, 0, 0]);
    assert_eq!(run("a", &[&cached[..], &["--force"]].concat()), [2, 0, 0, 0]);
    assert_eq!(run("a", &update), [2, 0, 0, 0], "encoded with a cache");
    assert_eq!(run("a", &[&cached[..], &["--force"]].concat()), [0, 0, 2, 0]);
    assert_eq!(run("a", &update), [2, 0, 0, 0], "copied from a cache");
    assert_eq!(run("b", &[&cached[..], &["--force"]].concat()), [0, 0, 2, 0]);
    assert_eq!(run("a", &[&cached[..], &["--dry-run"]].concat()), [0, 2, 0, 0]);
    assert_eq!(run("a", &cached), [0, 2, 0, 0]);
    assert_eq!(run("a", &update), [2, 0, 0, 0], "up to date");
    assert_eq!(run("a", &update), [0, 2, 0, 0]);
}

/// A program with other code may make other bytes. A copy of the same program has the same objects.
#[cfg(target_os = "linux")]
#[test]
fn another_build_shares_nothing() {
    use std::process::Command;
    let folder = folder_with(&["a.png"]);
    // Another process makes the copies. If this one did, a child that another test starts could still have
    // them open.
    let made = folder.shell("cp \"$0\" same && cp \"$0\" other && printf x >> other").status();
    assert!(made.unwrap().success());
    let run = |name: &str, out: &str| {
        let mut command = Command::new(folder.path(name));
        command.args(["encode", "in", "--device", "cpu", "--cache", "cache", "--json", "-o", out]);
        command.current_dir(folder.path("")).env("XDG_CACHE_HOME", folder.path("user"));
        actions(&Ran::of(command.output().unwrap()))
    };
    assert_eq!(actions(&encode(&folder, "out/", &[])), ["written"]);
    assert_eq!(run("same", "out/"), ["up-to-date"]);
    assert_eq!(run("same", "new/"), ["from-cache"]);
    assert_eq!(run("other", "out/"), ["written"]);
    assert_eq!(run("other", "new/"), ["from-cache"], "its own object");
    assert_eq!(actions(&encode(&folder, "out/", &[])), ["from-cache"]);
}

/// A link to a disk that is not mounted, and a folder on which one is mounted.
#[cfg(unix)]
#[test]
fn unreachable_inputs_are_not_gone() {
    let folder = folder_with(&["a.png", "chars/b.png", "mount/c.png"]);
    fs::rename(folder.path("in/chars"), folder.path("nas")).unwrap();
    std::os::unix::fs::symlink("../nas", folder.path("in/chars")).unwrap();
    assert_eq!(counts(&encode(&folder, "out/", &[])), [3, 0, 0, 0]);
    fs::rename(folder.path("nas"), folder.path("offline")).unwrap();
    fs::remove_file(folder.path("in/mount/c.png")).unwrap();
    let ran = encode(&folder, "out/", &["--prune"]);
    assert_eq!(
        (ran.exit, actions(&ran)),
        (Some(0), ["up-to-date", "stale", "stale"].map(String::from).into())
    );
    for (name, at) in [("chars/b", "chars is a broken link"), ("mount/c", "mount is empty")] {
        let stale =
            format!("out/{name}.dds: stale, because in/{name}.png is gone; kept, because in/{at}, as if");
        ran.says(&[&stale]);
        assert!(folder.path(&format!("out/{name}.dds")).exists(), "{name}");
    }
    fs::rename(folder.path("offline"), folder.path("nas")).unwrap();
    fs::remove_dir(folder.path("in/mount")).unwrap();
    assert_eq!(actions(&encode(&folder, "out/", &["--prune"])), ["up-to-date", "up-to-date", "pruned"]);
}

/// The output of another input has the same name, and the job that would replace it fails.
#[test]
fn failed_jobs_keep_their_outputs() {
    let folder = folder_with(&["a.png", "b.png"]);
    encode(&folder, "out/", &[]);
    fs::remove_file(folder.path("in/b.png")).unwrap();
    folder.write("in/b.bmp", b"damaged");
    let ran = encode(&folder, "out/", &["--prune"]);
    assert_eq!((ran.exit, counts(&ran)), (Some(3), [0, 1, 0, 1]), "{ran:?}");
    assert_eq!(ran.json()["files"].as_array().unwrap().len(), 2, "{ran:?}");
    assert!(folder.path("out/b.dds").exists());
}

/// The replacements of two outputs are not written: a job fails, and a target is not selected.
#[test]
fn outputs_are_pruned_after_their_replacement() {
    let folder = folder_with(&["a.png", "b.png"]);
    encode(&folder, "out/", &[]);
    let whole = folder.read("in/a.png");
    folder.write("in/a.png", &whole[..40]);
    let ktx2 = ["--container", "ktx2", "--prune"];
    let ran = encode(&folder, "out/", &ktx2);
    assert_eq!((ran.exit, counts(&ran)), (Some(3), [1, 0, 0, 1]), "{ran:?}");
    let reason = "stale, because this command does not make it from";
    ran.says(&[&format!("out/a.dds: {reason} in/a.png; kept until out/a.ktx2 is written")]);
    assert!(folder.path("out/a.dds").exists() && !folder.path("out/b.dds").exists());
    // The file of another program is no replacement.
    folder.write("out/a.ktx2", b"another's");
    assert_eq!(encode(&folder, "out/", &ktx2).exit, Some(2));
    assert!(folder.path("out/a.dds").exists());
    fs::remove_file(folder.path("out/a.ktx2")).unwrap();
    folder.write("in/a.png", &whole);
    assert_eq!(actions(&encode(&folder, "out/", &ktx2)), ["written", "up-to-date", "pruned"]);

    fs::remove_file(folder.path("in/b.png")).unwrap();
    let encode = |more: &[&str]| encode(&folder, "targets/", &[&["--rules", "rules.toml"], more].concat());
    folder.write("rules.toml", b"[target.x]\n[target.y]");
    encode(&[]);
    folder.write("rules.toml", b"[target.x]\n[target.y]\ncontainer = 'ktx2'");
    let of_y = format!("targets/y/a.dds: {reason} in/a.png; ");
    for more in [&["--prune"][..], &["--prune", "--dry-run"], &[]] {
        let ran = encode(&[&["--target", "x"], more].concat());
        assert_eq!(actions(&ran), ["up-to-date", "stale"], "{ran:?}");
        ran.says(&[&format!("{of_y}kept until targets/y/a.ktx2 is written")]);
    }
    let ran = encode(&["--prune", "--dry-run"]);
    assert_eq!(actions(&ran), ["up-to-date", "create", "stale"], "{ran:?}");
    ran.says(&[&format!("{of_y}would be removed")]);
    assert!(folder.path("targets/y/a.dds").exists());
    assert_eq!(actions(&encode(&["--prune"])), ["up-to-date", "written", "pruned"]);
}

#[test]
fn shards_and_targets_prune_only_what_the_whole_batch_does_not_make() {
    // Names in shard 0 and 1 of 2.
    let names = ["0.png", "4.png"];
    let folder = folder_with(&names);
    folder.write("rules.toml", b"[target.x]\n[target.y]\n");
    let encode = |more: &[&str]| encode(&folder, "out/", &[&["--rules", "rules.toml"], more].concat());
    assert_eq!(counts(&encode(&["--threads", "1"])), [2, 0, 2, 0]);
    for part in [&["--target", "x"][..], &["--shard", "0/2"], &["--shard", "1/2", "--target", "y"]] {
        let ran = encode(&[part, &["--prune"]].concat());
        assert!(actions(&ran).iter().all(|action| action == "up-to-date"), "{ran:?}");
    }
    // The second shard has no input now. That an input was not found, only the first one reports.
    fs::remove_file(folder.path(&format!("in/{}", names[1]))).unwrap();
    let ran = encode(&["none.png", "--shard", "1/2", "--prune"]);
    assert_eq!((ran.exit, actions(&ran).len()), (Some(0), 0), "{ran:?}");
    ran.says(&["stale outputs are not searched for, because not all inputs could be found"]);
    assert_eq!(actions(&encode(&["--shard", "0/2", "--prune"])), ["up-to-date", "up-to-date"]);
    assert_eq!(actions(&encode(&["--shard", "1/2", "--prune"])), ["pruned", "pruned"]);
}

/// An output that cannot be removed is an error after the report, and the others are removed.
#[cfg(unix)]
#[test]
fn outputs_that_cannot_be_removed() {
    let folder = folder_with(&["a.png", "b.png", "c.png", "deep/d.png"]);
    encode(&folder, "out/", &[]);
    for name in ["b.png", "c.png", "deep/d.png"] {
        fs::remove_file(folder.path(&format!("in/{name}"))).unwrap();
    }
    fs::remove_dir(folder.path("in/deep")).unwrap();
    // A folder in place of an output, and a link to itself in place of a folder.
    fs::remove_file(folder.path("out/b.dds")).unwrap();
    fs::create_dir(folder.path("out/b.dds")).unwrap();
    fs::remove_dir_all(folder.path("out/deep")).unwrap();
    std::os::unix::fs::symlink("deep", folder.path("out/deep")).unwrap();
    let ran = encode(&folder, "out/", &["--prune"]);
    assert_eq!(ran.exit, Some(2), "{ran:?}");
    let json = ran.json();
    let files = json["files"].as_array().unwrap();
    let actions = files.iter().map(|file| file["action"].as_str()).collect::<Vec<_>>();
    assert_eq!(actions, [Some("up-to-date"), Some("stale"), Some("pruned"), None], "{ran:?}");
    let message = files[3]["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("out/deep/d.dds: "), "{message}");
    assert!(message.ends_with("(the output is stale, and was not removed)"), "{message}");
    ran.says(&["out/b.dds: stale, because in/b.png is gone; kept, because the output changed", message]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let folder = folder_with(&["a.png", "50%.png"]);
    let named = |end: &[u8]| OsStr::from_bytes(&[b"caf\xe9.", end].concat()).to_owned();
    let input = folder.path("in").join(named(b"png"));
    fs::copy(folder.path("in/a.png"), &input).unwrap();
    assert_eq!(counts(&encode(&folder, "out/", &["--threads", "1"])), [2, 0, 1, 0]);
    assert_eq!(counts(&encode(&folder, "out/", &[])), [0, 3, 0, 0]);
    for path in [&input, &folder.path("in/50%.png")] {
        fs::remove_file(path).unwrap();
    }
    let ran = encode(&folder, "out/", &["--prune"]);
    assert_eq!(actions(&ran), ["up-to-date", "pruned", "pruned"], "{ran:?}");
    assert!(!folder.path("out").join(named(b"dds")).exists());
}

/// Also in names that targets and rules make.
#[cfg(target_os = "linux")]
#[test]
fn suffixes_keep_names_that_are_not_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let folder = folder_with(&["a.png"]);
    folder.write("rules.toml", b"[target.x]\nsuffix = '_m'\n[[rule]]\nfiles = '**'\nname = '{stem}-1'");
    for byte in [b'\xe8', b'\xe9'] {
        let name = [&b"caf"[..], &[byte], b".png"].concat();
        fs::copy(folder.path("in/a.png"), folder.path("in").join(OsStr::from_bytes(&name))).unwrap();
    }
    let ran = encode(&folder, "out/", &["--rules", "rules.toml", "--threads", "1"]);
    assert_eq!((ran.exit, counts(&ran)), (Some(0), [1, 0, 2, 0]), "{ran:?}");
    for byte in [b'\xe8', b'\xe9'] {
        let name = [&b"caf"[..], &[byte], b"-1_m.dds"].concat();
        assert!(folder.path("out/x").join(OsStr::from_bytes(&name)).exists(), "{byte}");
    }
}

/// Outputs whose inputs now become other files, or none.
#[test]
fn outputs_that_no_rule_makes() {
    let folder = folder_with(&["a.png", "b.png", "deep/c.png"]);
    encode(&folder, "out/", &[]);
    let ktx2 = ["--container", "ktx2"];
    let ran = encode(&folder, "out/", &ktx2);
    assert_eq!(actions(&ran), ["written", "written", "written", "stale", "stale", "stale"], "{ran:?}");
    ran.says(&["out/a.dds: stale, because this command does not make it from in/a.png; --prune removes"]);
    folder.write("rules.toml", b"[[rule]]\nfiles = 'b.png'\nskip = true");
    // Inputs in subfolders are not found without -r, and named files are not the whole batch.
    for input in ["in", "in/a.png"] {
        let arguments = ["encode", input, "-o", "out/", "--cache", "cache", "--prune", "--json"];
        let ran = folder.run(&[&arguments[..], &ktx2].concat());
        let expected = if input == "in" {
            &["up-to-date", "up-to-date", "pruned", "pruned"][..]
        } else {
            &["up-to-date"]
        };
        assert_eq!(actions(&ran), expected, "{ran:?}");
    }
    // With rules, the format is chosen for each image.
    let ran = encode(&folder, "out/", &[&ktx2[..], &["--rules", "rules.toml", "--prune"]].concat());
    assert_eq!(actions(&ran), ["written", "written", "pruned", "pruned"], "{ran:?}");
    for (name, is_kept) in [
        ("a.dds", false),
        ("b.dds", false),
        ("b.ktx2", false),
        ("deep/c.dds", false),
        ("a.ktx2", true),
        ("deep/c.ktx2", true),
    ] {
        assert_eq!(folder.path(&format!("out/{name}")).exists(), is_kept, "{name}");
    }
    // No job is left in the folder.
    folder.write("rules.toml", b"[[rule]]\nfiles = '**'\nskip = true");
    let ran = encode(&folder, "out/", &["--rules", "rules.toml", "--prune"]);
    assert_eq!(
        (ran.exit, actions(&ran)),
        (Some(0), ["pruned", "pruned"].map(String::from).into()),
        "{ran:?}"
    );
}

/// Input and output are gone: the manifest need not contain them for ever.
#[test]
fn the_manifest_forgets_outputs_that_are_gone() {
    let folder = folder_with(&["a.png", "b.png"]);
    encode(&folder, "out/", &[]);
    for name in ["in/b.png", "out/b.dds"] {
        fs::remove_file(folder.path(name)).unwrap();
    }
    for more in [&[][..], &["--prune", "--dry-run"]] {
        assert_eq!(actions(&encode(&folder, "out/", more)), ["up-to-date"]);
    }
    let removals = || {
        let manifest = fs::read_to_string(folder.path("out/.brickwork/manifest.jsonl")).unwrap();
        manifest.matches("\"is_removed\":true").count()
    };
    assert_eq!(removals(), 0);
    for _ in 0..2 {
        assert_eq!(actions(&encode(&folder, "out/", &["--prune"])), ["up-to-date"]);
        assert_eq!(removals(), 1);
    }
}

#[test]
fn a_dry_run_creates_no_cache() {
    let folder = folder_with(&["a.png"]);
    assert_eq!(actions(&encode(&folder, "out/", &["--dry-run", "--prune"])), ["create"]);
    assert_eq!(folder.names(), ["in"]);
}
