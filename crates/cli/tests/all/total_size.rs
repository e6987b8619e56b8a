//! `--total-size`, and `total-size` of targets.

use crate::common::{Folder, Ran, png_rgb, png_rgba};
use std::fs;

/// A folder of pictures with different detail, of which two are optimised.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    let noise = |x: u32, y: u32, seed: u32| {
        (x * 7919 + y * 104_729 + seed).wrapping_mul(2_654_435_761) >> 24 & (seed * 8 + 7)
    };
    for (name, seed) in [("calm", 1), ("wild", 7), ("plain", 3)] {
        let texel =
            |x: u32, y: u32| [x + noise(x, y, seed), 2 * y, 60 + noise(y, x, seed)].map(|v| v.min(255) as u8);
        folder.write(&format!("in/{name}.png"), &png_rgb(96, 64, texel));
    }
    folder.write(
        "rules.toml",
        b"[[rule]]\nfiles = '*'\nformat = 'bc7'\n[[rule]]\nfiles = 'plain.*'\nformat = 'rgba8'\n",
    );
    folder
}

fn encode(folder: &Folder, out: &str, more: &[&str]) -> Ran {
    let words =
        ["encode", "in", "--rules", "rules.toml", "--container", "ktx2", "--zstd", "-q", "fast", "-o", out];
    folder.run(&[&words[..], more].concat())
}

fn sizes(folder: &Folder, out: &str) -> Vec<u64> {
    let path = |name| folder.path(&format!("{out}{name}.ktx2"));
    ["calm", "plain", "wild"].map(|name| fs::metadata(path(name)).unwrap().len()).to_vec()
}

#[test]
fn one_lambda_keeps_the_total() {
    let folder = folder();
    encode(&folder, "before/", &[]).ok();
    let before = sizes(&folder, "before/");
    let optimised = before[0] + before[2];
    let limit = before[1] + optimised * 7 / 10;
    let ran = encode(&folder, "after/", &["--total-size", &limit.to_string(), "--json"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let after = sizes(&folder, "after/");
    let sum: u64 = after.iter().sum();
    assert!(sum <= limit && sum - before[1] > optimised * 6 / 10, "{before:?} {after:?} {limit}");
    let json = ran.json();
    let lambda = |index: usize| json["files"][index]["rdo"].as_f64().unwrap();
    assert!(lambda(0) > 0.0 && lambda(0) == lambda(2) && lambda(1) == 0.0, "{json}");
    assert_eq!((after[1], json["files"].as_array().unwrap().len()), (before[1], 3));
    // The same files with this λ, and from a cache.
    let words = ["encode", "in/calm.png", "-f", "bc7", "-o", "calm.ktx2", "--zstd", "-q", "fast", "--rdo"];
    folder.run(&[&words[..], &[&lambda(0).to_string()]].concat()).ok();
    assert!(folder.read("calm.ktx2") == folder.read("after/calm.ktx2"));
    for _ in 0..2 {
        encode(&folder, "again/", &["--total-size", &limit.to_string(), "--cache", "cache", "--json"]);
        assert_eq!(sizes(&folder, "again/"), after);
    }
    // A total that needs nothing, and one that nothing reaches.
    encode(&folder, "large/", &["--total-size", "1M"]).ok();
    assert_eq!(sizes(&folder, "large/"), before);
    encode(&folder, "small/", &["--total-size", "2K"])
        .fails(4, &["the outputs: about ", "above the total of 2.0 KiB"]);
    assert!(!folder.path("small").exists());
}

#[test]
fn targets_have_their_own_totals() {
    let folder = folder();
    encode(&folder, "before/", &[]).ok();
    let before = sizes(&folder, "before/");
    let limit = before[1] + (before[0] + before[2]) * 8 / 10;
    let mut rules = String::from_utf8(folder.read("rules.toml")).unwrap();
    rules = format!("[target.full]\n[target.small]\ntotal-size = '{limit}'\n{rules}");
    folder.write("rules.toml", rules.as_bytes());
    let ran = encode(&folder, "out/", &["--quiet"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    assert_eq!(sizes(&folder, "out/full/"), before);
    let small = sizes(&folder, "out/small/");
    assert!(small.iter().sum::<u64>() <= limit && small[0] < before[0], "{small:?}");
    encode(&folder, "both/", &["--total-size", "1M"]).fails(1, &["--total-size and total-size of a target"]);
    encode(&folder, "shard/", &["--shard", "0/2"]).fails(1, &["a total size needs a run over all images"]);
    folder.write("rules.toml", rules.replace(&limit.to_string(), "much").as_bytes());
    encode(&folder, "bad/", &[]).fails(3, &["rules.toml", "total-size", "expected a size"]);
}

#[test]
fn files_of_others_are_kept() {
    let folder = folder();
    encode(&folder, "before/", &[]).ok();
    let before = sizes(&folder, "before/");
    let limit = (before[1] + (before[0] + before[2]) * 7 / 10).to_string();
    let note = "the total size was not checked, because outputs failed";
    let others = vec![7; 100_000];
    for (out, more) in [("out/", &[][..]), ("cached/", &["--cache", "cache"])] {
        fs::create_dir(folder.path(out)).unwrap();
        folder.write(&format!("{out}wild.ktx2"), &others);
        let ran = encode(&folder, out, &[&["--total-size", &limit], more].concat());
        assert_eq!(ran.exit, Some(2), "{ran:?}");
        ran.says(&["wild.ktx2: already exists", note]);
        assert!(folder.read(&format!("{out}wild.ktx2")) == others, "{out}");
        assert!(sizes(&folder, out)[0] < before[0], "{out}");
    }
    // An image that cannot be read is another failure.
    folder.write("in/bad.png", b"no picture");
    let ran = encode(&folder, "bad/", &["--total-size", &limit]);
    assert_eq!(ran.exit, Some(3), "{ran:?}");
    ran.says(&["bad.png: ", note]);
    assert_eq!(sizes(&folder, "bad/").len(), 3);
}

/// The sample consists of rows 0 to 15 of each 64, which differ from all others.
#[test]
fn a_wrong_prediction_is_corrected() {
    let folder = Folder::new();
    let noise = |x: u32, y: u32| (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 24;
    let texel = |x: u32, y: u32| {
        let range = if y % 64 < 16 { 8 } else { 256 };
        [noise(x, y), noise(y, x), noise(x + 99, y)].map(|value| (value % range) as u8)
    };
    fs::create_dir(folder.path("in")).unwrap();
    // Some alpha that BC1 does not store.
    let with_alpha = |x: u32, y: u32| {
        let [r, g, b] = texel(x, y);
        [r, g, b, if x + y == 0 { 200 } else { 255 }]
    };
    folder.write("in/a.png", &png_rgba(256, 256, with_alpha));
    let line = "encode in -f bc1 -q ultrafast --container ktx2 --zstd -o";
    folder.line(&format!("{line} before/ --quiet")).ok();
    let size = |name: &str| fs::metadata(folder.path(name)).unwrap().len();
    let limit = size("before/a.ktx2") * 8 / 10;
    let ran = folder.line(&format!("{line} out/ --total-size {limit}"));
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["the outputs: ", ", above the total of ", ": encoded again with λ "]);
    // Both runs have this note.
    assert_eq!(ran.stderr.matches("which BC1 cannot store").count(), 1, "{ran:?}");
    assert!(size("out/a.ktx2") <= limit, "{} {limit}", size("out/a.ktx2"));
}

#[test]
fn a_target_has_one_total() {
    let folder = Folder::new();
    for (name, total) in [("one", "9000"), ("two", "8000")] {
        fs::create_dir(folder.path(name)).unwrap();
        folder.write(&format!("{name}/{name}.png"), &png_rgb(8, 8, |x, y| [x as u8, y as u8, 0]));
        let rules = format!("[target.small]\ntotal-size = '{total}'\n[[rule]]\nfiles = '*'\n");
        folder.write(&format!("{name}/brickwork.toml"), rules.as_bytes());
    }
    let words = ["target \"small\": the total size is 8.8 KiB for one/one.png, but 7.8 KiB for two/two.png"];
    let ran = folder.line("encode one two -o out/");
    assert_eq!(ran.exit, Some(1), "{ran:?}");
    ran.says(&words);
    assert!(!folder.path("out").exists());
}
