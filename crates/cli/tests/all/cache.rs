//! `encode --cache`: what is encoded again, what the cache and the manifest survive, stale outputs.

use crate::{
    common::{Folder, Ran, png_rgb, png_rgba},
    rules::folder_with,
};
use std::fs;

/// Encodes `in` to `out`.
pub fn encode(folder: &Folder, out: &str, more: &[&str]) -> Ran {
    let arguments = ["encode", "in", "-r", "-o", out, "--cache", "cache", "--json"];
    folder.run(&[&arguments[..], more].concat())
}

/// Files written, up to date, from the cache and failed.
pub fn counts(ran: &Ran) -> [u64; 4] {
    let json = ran.json();
    ["written", "up_to_date", "from_cache", "failed"].map(|key| json["summary"][key].as_u64().unwrap())
}

/// The action of each entry; `written` without one, and `failed` for an error.
pub fn actions(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    let entry = |entry: &serde_json::Value| match entry["action"].as_str() {
        Some(action) => action.to_owned(),
        None if entry["error"].is_null() => "written".to_owned(),
        None => "failed".to_owned(),
    };
    json["files"].as_array().unwrap().iter().map(entry).collect()
}

/// Paths of the objects of the cache.
fn objects(folder: &Folder) -> Vec<std::path::PathBuf> {
    let folders = fs::read_dir(folder.path("cache")).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|path| fs::read_dir(path).unwrap());
    files.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn contents_and_options_decide() {
    let folder = folder_with(&["a.png", "b.png", "deep/c.png"]);
    assert_eq!(counts(&encode(&folder, "out/", &[])), [3, 0, 0, 0]);
    assert_eq!(counts(&encode(&folder, "out/", &[])), [0, 3, 0, 0]);
    // Newer, with the same contents.
    fs::File::options()
        .write(true)
        .open(folder.path("in/a.png"))
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    assert_eq!(counts(&encode(&folder, "out/", &[])), [0, 3, 0, 0]);
    // Other contents of the same size and time.
    let (old, b) = (folder.read("in/a.png"), folder.path("in/b.png"));
    let time = fs::metadata(&b).unwrap().modified().unwrap();
    fs::write(&b, &old).unwrap();
    fs::File::options().write(true).open(&b).unwrap().set_modified(time).unwrap();
    let ran = encode(&folder, "out/", &[]);
    assert_eq!(counts(&ran), [0, 2, 1, 0], "a.png and b.png are equal: {ran:?}");
    assert_eq!(folder.read("out/b.dds"), folder.read("out/a.dds"));
    // Other options, and back.
    assert_eq!(counts(&encode(&folder, "out/", &["-f", "bc7", "--threads", "1"])), [2, 0, 1, 0]);
    assert_eq!(counts(&encode(&folder, "out/", &[])), [0, 0, 3, 0]);
    // An output that is gone, in another folder, and in a dry run.
    fs::remove_file(folder.path("out/a.dds")).unwrap();
    assert_eq!(actions(&encode(&folder, "out/", &["--dry-run"])), ["create", "up-to-date", "up-to-date"]);
    assert!(!folder.path("out/a.dds").exists());
    assert_eq!(actions(&encode(&folder, "out/", &[])), ["from-cache", "up-to-date", "up-to-date"]);
    assert_eq!(counts(&encode(&folder, "other/", &["--dry-run"])), [0, 0, 0, 0]);
    assert!(!folder.path("other").exists());
    assert_eq!(counts(&encode(&folder, "other/", &[])), [0, 0, 3, 0]);
    folder.run(&["encode", "in", "-r", "-o", "plain/"]).ok();
    for name in ["a.dds", "b.dds", "deep/c.dds"] {
        assert_eq!(folder.read(&format!("other/{name}")), folder.read(&format!("plain/{name}")), "{name}");
    }
    folder.run(&["encode", "in/a.png", "-o", "a.dds", "--cache", "c"]).fails(1, &["--cache needs a folder"]);
    let both = folder.run(&["encode", "in", "--cache", "c", "-o", "out/", "--update"]);
    assert_eq!(both.exit, Some(1), "{both:?}");
}

/// Reports and notes of outputs that are not made again are those of the run that made them.
#[test]
fn reports_and_notes_are_kept() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/leaf.png", &png_rgba(16, 16, |x, _| [200, 100, 50, (x * 17) as u8]));
    let made = encode(&folder, "out/", &["-f", "bc1"]);
    let first = made.json()["files"][0].clone();
    let note = "in/leaf.png: alpha has values between opaque and transparent, which BC1 cannot store";
    assert_eq!(first["notes"][0], note, "{first}");
    assert!(first["metrics"]["psnr"]["rgb"].is_f64() && first["visible_metrics"]["texel_count"].is_u64());
    let is_same = |action: &str, ran: &Ran| {
        let json = ran.json();
        let entry = &json["files"][0];
        assert_eq!((entry["action"].as_str(), &entry["result"]), (Some(action), &first), "{json}");
        assert_eq!(json["summary"]["notes"], made.json()["summary"]["notes"]);
        ran.says(&[note]);
    };
    is_same("up-to-date", &encode(&folder, "out/", &["-f", "bc1"]));
    is_same("up-to-date", &encode(&folder, "out/", &["-f", "bc1", "--dry-run"]));
    fs::remove_file(folder.path("out/leaf.dds")).unwrap();
    is_same("from-cache", &encode(&folder, "out/", &["-f", "bc1"]));
    // Equal contents under another name, without the first file's names.
    fs::rename(folder.path("in/leaf.png"), folder.path("in/tree.png")).unwrap();
    let ran = encode(&folder, "other/", &["-f", "bc1"]);
    let result = ran.json()["files"][0]["result"].clone();
    assert_eq!([&result["input"], &result["output"]], ["in/tree.png", "other/tree.dds"]);
    assert_eq!(result["notes"][0], note.replace("leaf", "tree"));
    assert_eq!(result["metrics"], first["metrics"]);
    ran.says(&["in/tree.png: alpha has values"]);
    assert!(!ran.text().contains("leaf") && !ran.stderr.contains("leaf"), "{ran:?}");
    // A damaged report is left out, and the output is not affected. Without reports, none is read.
    for object in objects(&folder) {
        let bytes = fs::read(&object).unwrap();
        if bytes.starts_with(b"{") {
            fs::write(&object, [b"x", &bytes[1..]].concat()).unwrap();
        }
    }
    let count = objects(&folder).len();
    folder.line("encode in -r -o other/ --cache cache --quiet -f bc1").ok();
    assert_eq!(objects(&folder).len(), count);
    let json = encode(&folder, "other/", &["-f", "bc1"]).json();
    assert_eq!(objects(&folder).len(), count - 1);
    assert_eq!(
        (json["files"][0]["action"].as_str(), &json["files"][0]["result"]),
        (Some("up-to-date"), &serde_json::Value::Null)
    );
}

/// All files of a report have their present names.
#[test]
fn reports_name_all_inputs() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    let side = |side: u32| png_rgb(side, side, |x, y| [(x * 15) as u8, (y * 15) as u8, 40]);
    for (name, size) in [("in/wall.png", 16), ("one.png", 16), ("one_half.png", 8)] {
        folder.write(name, &side(size));
    }
    folder.write("one_normals.png", &png_rgb(16, 16, |x, _| [120 + x as u8, 128, 250]));
    let cases = [
        (&["--channel", "g=one.png"][..], "packed_channels"),
        (&["--level", "1=one_half.png"], "level_files"),
        (&["--roughness-from", "one_normals.png", "--linear", "--mips"], "roughness_from"),
    ];
    for (words, key) in cases {
        let made = encode(&folder, &format!("{key}/"), words).json()["files"][0].to_string();
        assert!(made.contains("\"one"), "{made}");
        let renamed = words.iter().map(|word| word.replace("one", "two")).collect::<Vec<_>>();
        for name in ["one.png", "one_half.png", "one_normals.png"] {
            let _ = fs::copy(folder.path(name), folder.path(&name.replace("one", "two")));
        }
        let renamed: Vec<_> = renamed.iter().map(String::as_str).collect();
        let ran = encode(&folder, &format!("other_{key}/"), &renamed);
        let result = ran.json()["files"][0]["result"].to_string();
        let expected =
            made.replace("\"one", "\"two").replace(&format!("\"{key}/"), &format!("\"other_{key}/"));
        assert_eq!(result, expected);
        assert!(!ran.stderr.contains("one"), "{ran:?}");
    }
}

/// The name of a file may decide its format.
#[test]
fn names_that_state_a_use_have_separate_objects() {
    let folder = folder_with(&["rock.png"]);
    for name in ["rock_n.png", "rock_orm.png", "wall.png"] {
        fs::copy(folder.path("in/rock.png"), folder.path(&format!("in/{name}"))).unwrap();
    }
    let ran = encode(&folder, "out/", &["-f", "auto", "--threads", "1"]);
    assert_eq!(counts(&ran), [3, 0, 1, 0], "{ran:?}");
    folder.run(&["encode", "in", "-o", "plain/", "-f", "auto"]).ok();
    for name in ["rock", "rock_n", "rock_orm", "wall"] {
        let [cached, plain] = ["out", "plain"].map(|out| folder.read(&format!("{out}/{name}.dds")));
        assert!(cached == plain, "{name}");
    }
}

#[test]
fn files_of_others_are_kept() {
    let folder = folder_with(&["a.png", "b.png"]);
    fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/a.dds", b"another's");
    let ran = encode(&folder, "out/", &[]);
    assert_eq!((ran.exit, counts(&ran)), (Some(2), [1, 0, 0, 1]), "{ran:?}");
    ran.says(&["out/a.dds: already exists"]);
    assert_eq!(folder.read("out/a.dds"), b"another's");
    assert_eq!(counts(&encode(&folder, "out/", &["--force"])), [1, 1, 0, 0]);
    // An output that was edited belongs to its editor.
    folder.write("out/b.dds", b"edited");
    let ran = encode(&folder, "out/", &[]);
    assert_eq!(ran.exit, Some(2), "{ran:?}");
    ran.says(&["out/b.dds: changed since Brickwork wrote it (use --force to replace it)"]);
    assert_eq!(folder.read("out/b.dds"), b"edited");
    assert_eq!(counts(&encode(&folder, "out/", &["--force"])), [0, 1, 1, 0]);
    // Without the manifest, outputs are recognised by the cache.
    fs::remove_dir_all(folder.path("out/.brickwork")).unwrap();
    assert_eq!(counts(&encode(&folder, "out/", &[])), [0, 2, 0, 0]);
}

#[test]
fn damaged_objects_are_made_again() {
    let folder = folder_with(&["a.png", "b.png"]);
    encode(&folder, "out/", &[]);
    for (index, path) in objects(&folder).iter().enumerate() {
        let mut bytes = fs::read(path).unwrap();
        bytes[40] ^= 1;
        fs::write(path, if index == 0 { &bytes } else { &bytes[..50] }).unwrap();
    }
    assert_eq!(counts(&encode(&folder, "two/", &[])), [2, 0, 0, 0]);
    assert_eq!(counts(&encode(&folder, "three/", &[])), [0, 0, 2, 0]);
    assert_eq!(folder.read("three/b.dds"), folder.read("out/b.dds"));
    // A cache that takes nothing: the outputs are written, and a note gives the reason.
    folder.write("in/c.png", &png_rgb(4, 4, |x, y| [x as u8, y as u8, 99]));
    let objects = objects(&folder);
    objects.iter().for_each(|path| fs::remove_file(path).unwrap());
    for first in 0..=255u8 {
        let path = folder.path(&format!("cache/{first:02x}"));
        let _ = fs::remove_dir(&path);
        fs::write(path, b"a file").unwrap();
    }
    let ran = encode(&folder, "four/", &[]);
    assert_eq!((ran.exit, counts(&ran)), (Some(0), [3, 0, 0, 0]), "{ran:?}");
    ran.says(&["the cache does not accept outputs: cache: "]);
}

#[test]
fn stale_outputs_are_listed_and_pruned() {
    let folder = folder_with(&["a.png", "b.png", "deep/c.png"]);
    fs::create_dir(folder.path("in2")).unwrap();
    fs::copy(folder.path("in/a.png"), folder.path("in2/z.png")).unwrap();
    encode(&folder, "out/", &[]);
    folder.run(&["encode", "in2", "-o", "out/", "--cache", "cache"]).ok();
    folder.write("out/foreign.dds", b"another's");
    fs::remove_file(folder.path("in/b.png")).unwrap();
    for name in ["in/deep", "in2"] {
        fs::remove_dir_all(folder.path(name)).unwrap();
    }
    let ran = encode(&folder, "out/", &[]);
    assert_eq!(actions(&ran), ["up-to-date", "stale", "stale"], "{ran:?}");
    ran.says(&["out/b.dds: stale, because in/b.png is gone; --prune removes the output"]);
    assert_eq!(
        actions(&encode(&folder, "out/", &["--prune", "--dry-run"])),
        ["up-to-date", "stale", "stale"]
    );
    folder.write("out/deep/c.dds", b"edited");
    let edited = "out/deep/c.dds: stale, because in/deep/c.png is gone; kept, because the output changed";
    for (more, treatment) in
        [(&[][..], "--prune removes the output"), (&["--prune", "--dry-run"], "would be removed")]
    {
        let ran = encode(&folder, "out/", more);
        assert_eq!(actions(&ran), ["up-to-date", "stale", "stale"], "{ran:?}");
        ran.says(&[&format!("out/b.dds: stale, because in/b.png is gone; {treatment}"), edited]);
    }
    let ran = encode(&folder, "out/", &["--prune"]);
    assert_eq!(actions(&ran), ["up-to-date", "pruned", "stale"], "{ran:?}");
    ran.says(&["out/b.dds: stale, because in/b.png is gone; removed", edited]);
    assert!(!folder.path("out/b.dds").exists());
    // Outputs of other folders, files of others and edited files remain.
    for name in ["out/a.dds", "out/z.dds", "out/foreign.dds", "out/deep/c.dds"] {
        assert!(folder.path(name).exists(), "{name}");
    }
    assert_eq!(actions(&encode(&folder, "out/", &["--prune"])), ["up-to-date", "stale"]);
    // A folder that is gone, like one that is not mounted, makes nothing stale.
    fs::remove_file(folder.path("out/deep/c.dds")).unwrap();
    fs::rename(folder.path("in"), folder.path("away")).unwrap();
    assert_eq!(encode(&folder, "out/", &["--prune"]).exit, Some(2));
    assert!(folder.path("out/a.dds").exists());
}

#[test]
fn shards_and_batches_share_a_cache() {
    let names: Vec<String> = (0..12).map(|index| format!("{index}.png")).collect();
    let folder = folder_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
    // All at the same time: three shards to one folder, and two whole batches.
    let spawned: Vec<_> = [("out/", "0/3"), ("out/", "1/3"), ("out/", "2/3"), ("a/", "0/1"), ("b/", "0/1")]
        .iter()
        .map(|(out, shard)| {
            let arguments =
                ["encode", "in", "-o", *out, "--cache", "cache", "--json", "--shard", *shard, "--mips"];
            let mut command = folder.command(&arguments);
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in spawned {
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    }
    folder.run(&["encode", "in", "-o", "plain/", "--mips"]).ok();
    for name in &names {
        let name = name.replace("png", "dds");
        let plain = folder.read(&format!("plain/{name}"));
        for out in ["out", "a", "b"] {
            assert!(folder.read(&format!("{out}/{name}")) == plain, "{out}/{name}");
        }
    }
    // A whole run unites the manifests of the shards.
    assert_eq!(counts(&encode(&folder, "out/", &["--mips"])), [0, 12, 0, 0]);
    let manifests = fs::read_dir(folder.path("out/.brickwork")).unwrap();
    let manifests = manifests.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(manifests.filter(|name| name.starts_with("manifest")).collect::<Vec<_>>(), ["manifest.jsonl"]);
}

/// Killed at any time, a batch leaves whole files, and the next run completes it.
#[cfg(unix)]
#[test]
fn a_killed_batch_continues() {
    use std::{thread, time::Duration};
    let names: Vec<String> = (0..40).map(|index| format!("{index:02}.png")).collect();
    let folder = folder_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
    folder.run(&["encode", "in", "-o", "plain/"]).ok();
    for count in [1, 5, 20] {
        let mut child =
            folder.command(&["encode", "in", "-o", "out/", "--cache", "cache", "--quiet"]).spawn().unwrap();
        let is_done = |name: &&String| folder.path(&format!("out/{}", name.replace("png", "dds"))).exists();
        while names.iter().filter(is_done).count() < count && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for name in names.iter().filter(is_done).map(|name| name.replace("png", "dds")) {
            assert!(folder.read(&format!("out/{name}")) == folder.read(&format!("plain/{name}")), "{name}");
        }
    }
    let ran = encode(&folder, "out/", &[]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let files = fs::read_dir(folder.path("out")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = files.filter(|name| name.to_string_lossy().ends_with(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(counts(&encode(&folder, "out/", &[])), [0, 40, 0, 0]);
}
