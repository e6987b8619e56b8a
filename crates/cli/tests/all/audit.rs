//! `brickwork audit`: sizes, advice, glTF files, pages and errors. Browsers open pages in `.ci/pages`.

use crate::common::{Folder, data_uri, photo, png_rgb, png_rgba};
use serde_json::{Value, json};
use std::fs;

/// Bytes of a photo of 96×64 texels in RGBA8, and in BC1, with all mip levels.
const PHOTO: u64 = 4 * (96 * 64 + 48 * 32 + 24 * 16 + 12 * 8 + 6 * 4 + 3 * 2 + 1);
const PHOTO_BC1: u64 = 8 * (24 * 16 + 12 * 8 + 6 * 4 + 3 * 2 + 2 + 1 + 1);

/// A folder with three textures in subfolders, one of them compressed.
fn art() -> Folder {
    let folder = Folder::with_photo();
    fs::create_dir_all(folder.path("art/rocks")).unwrap();
    folder.write("art/photo.png", &photo());
    folder.write("art/rocks/tiny.png", &png_rgb(8, 8, |x, y| [x as u8, y as u8, 9]));
    folder.run(&["encode", "photo.png", "-o", "art/rocks/old.dds", "--mips", "--quiet"]).ok();
    folder
}

fn file<'a>(report: &'a Value, name: &str) -> &'a Value {
    let files = report["files"].as_array().unwrap();
    files.iter().find(|file| file["file"] == name).unwrap_or_else(|| panic!("no {name} in {report:#}"))
}

#[test]
fn folders_are_searched_and_added_up() {
    let folder = art();
    let ran = folder.run(&["audit", "art/"]);
    let lines: Vec<_> = ran.ok().lines().collect();
    assert_eq!(lines.len(), 5, "{ran:?}");
    assert!(lines[0].starts_with("file ") && lines[0].ends_with("reason"), "{ran:?}");
    for word in [
        "art/photo.png",
        "colours",
        "96×64",
        "PNG rgba8",
        "32 KiB",
        "bc1",
        "4.0 KiB",
        "28 KiB",
        "every texel",
    ] {
        assert!(lines[1].contains(word), "{word}: {ran:?}");
    }
    assert!(lines[2].contains("art/rocks/old.dds") && lines[2].ends_with("already in a block format"));
    assert!(lines[3].contains("art/rocks/tiny.png") && lines[3].contains("tiny: "), "{ran:?}");
    assert_eq!(
        lines[4],
        "3 textures: 36 KiB of GPU memory, 8.4 KiB as advised, 28 KiB saved (77 %); 2 left alone"
    );

    let report = folder.run(&["audit", "art", "--json"]).json();
    let photo = file(&report, "art/photo.png");
    let sizes = ["memory_bytes", "advised_bytes", "saved_bytes"].map(|key| photo[key].as_u64().unwrap());
    assert_eq!(sizes, [PHOTO, PHOTO_BC1, PHOTO - PHOTO_BC1]);
    assert_eq!(photo["file_bytes"].as_u64().unwrap(), folder.read("photo.png").len() as u64);
    assert_eq!(file(&report, "art/rocks/old.dds")["memory_bytes"], PHOTO_BC1);
    // The PSNR is that of encode with the same quality.
    let arguments = ["encode", "photo.png", "-q", "ultrafast", "-o", "new.dds", "--json"];
    let encoded = folder.run(&arguments).json();
    assert_eq!(photo["trial"]["psnr"], encoded["files"][0]["metrics"]["psnr"]["rgb"]);

    // A file alone, and twice.
    let one = folder.run(&["audit", "art/photo.png", "art", "art/photo.png", "--json"]).json();
    assert_eq!(one["totals"], report["totals"]);
    assert_eq!(folder.run(&["audit", "photo.png", "--json"]).json()["totals"]["files"], 1);
}

#[test]
fn the_limit_of_the_loss_decides() {
    let folder = Folder::with_photo();
    let advice = |limit: &str| {
        let report = folder.run(&["audit", "photo.png", "--min-psnr", limit, "--json"]).json();
        (report["files"][0]["advice"].clone(), report["files"][0]["trial"]["format"].clone())
    };
    assert_eq!(advice("20"), (json!("compress"), json!("bc1")));
    assert_eq!(advice("43"), (json!("compress"), json!("bc7")));
    assert_eq!(advice("99"), (json!("keep"), json!("bc7")));
    let kept = folder.run(&["audit", "photo.png", "--min-psnr", "99"]);
    assert!(kept.ok().contains("bc7 would lose too much: "), "{kept:?}");
    for bad in ["-1", "101", "nan", "x"] {
        folder.run(&["audit", "photo.png", "--min-psnr", bad]).says(&["from 0 to 100"]);
    }
}

#[test]
fn broken_files_are_entries_and_the_rest_goes_on() {
    let folder = art();
    folder.write("art/bad.png", &photo()[..60]);
    folder.write("art/bad.gltf", b"{\"images\": 7}");
    folder.write("art/bad.dds", &folder.read("art/rocks/old.dds")[..300]);
    let ran = folder.run(&["audit", "art", "--json"]);
    assert_eq!(ran.exit, Some(3), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 3, "{ran:?}");
    ran.says(&["art/bad.gltf: not glTF: invalid type: integer `7`", "art/bad.png: PNG", "art/bad.dds: "]);
    let report = ran.json();
    let totals = ["files", "failed", "keep"].map(|key| report["totals"][key].as_u64().unwrap());
    assert_eq!(totals, [3, 3, 2]);
    let last = report["files"].as_array().unwrap().last().unwrap();
    assert_eq!(last["error"]["exit_code"], 3);
    assert_eq!(report["models"][0]["error"]["exit_code"], 3);
    let text = folder.run(&["audit", "art"]);
    assert!(text.text().ends_with("2 left alone, 3 refused\n"), "{text:?}");
    // Each file may need more than the limit.
    folder.run(&["audit", "photo.png", "--max-memory", "10K"]).fails(4, &["photo.png", "--max-memory"]);
    folder.run(&["audit", "gone"]).says(&["gone: no such file"]);
    fs::create_dir(folder.path("empty")).unwrap();
    folder.run(&["audit", "empty"]).fails(2, &["empty"]);
}

#[test]
fn gltf_states_kinds_and_paths_stay_in_the_folder() {
    let folder = art();
    let gltf = json!({
        "images": [
            { "uri": "rocks/../photo.png" }, { "uri": "../photo.png" }, { "uri": "%2e%2e/photo.png" },
            { "uri": "file:///etc/passwd" }, { "uri": "rocks/lost.png" }, { "uri": data_uri(&photo()) }
        ],
        "textures": [{ "source": 0 }, { "source": 5 }],
        "materials": [{ "normalTexture": { "index": 0 }, "occlusionTexture": { "index": 1 } }]
    });
    folder.write("art/rock.gltf", gltf.to_string().as_bytes());
    // Normals that face the viewer.
    folder
        .write("art/photo.png", &png_rgb(96, 64, |x, y| [120 + x % 16, 120 + y % 16, 250].map(|v| v as u8)));
    let ran = folder.run(&["audit", "art", "--json"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&[
        "note: art/rock.gltf, image 1: ../photo.png is outside of the folder; it is not read",
        "image 2: %2e%2e/photo.png is outside of the folder",
        "image 3: file:///etc/passwd is not a relative path",
        "image 4: rocks/lost.png does not exist",
        "image 1: no material uses it",
    ]);
    let report = ran.json();
    let photo = file(&report, "art/photo.png");
    assert_eq!((&photo["kind"], &photo["trial"]["format"]), (&json!("normal"), &json!("bc5")));
    assert_eq!(photo["used_by"], json!([{ "model": "art/rock.gltf", "textures": ["normalTexture"] }]));
    let inner = file(&report, "art/rock.gltf");
    assert_eq!((&inner["embedded"]["index"], &inner["kind"]), (&json!(5), &json!("data")));
    // The photo outside is no entry.
    assert_eq!(report["totals"]["files"], 4);
    let rules: Vec<_> =
        report["models"][0]["findings"].as_array().unwrap().iter().map(|f| &f["rule"]).collect();
    let count = |rule: &str| rules.iter().filter(|found| **found == rule).count();
    assert_eq!([count("outside"), count("not-a-path"), count("missing"), count("unused")], [2, 1, 1, 4]);
    assert!(folder.run(&["audit", "art", "--quiet"]).ok().is_empty());
}

#[test]
fn pages_are_written_whole_and_only_as_html() {
    let folder = art();
    let ran = folder.run(&["audit", "art", "-o", "audit.html"]);
    assert!(ran.ok().contains("3 textures: "), "{ran:?}");
    let page = String::from_utf8(folder.read("audit.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>Audit of art</title>"));
    assert!(page.contains("brickwork audit art -o audit.html"));
    folder.run(&["audit", "art", "-o", "audit.html"]).fails(2, &["audit.html: already exists", "--force"]);
    folder.run(&["audit", "art", "-o", "audit.html", "--force", "--quiet"]).ok();
    folder.run(&["audit", "art", "-o", "audit.csv"]).fails(1, &["audit.csv: the page is HTML", ".html"]);
    folder.run(&["audit", "art", "-o", "audit"]).fails(1, &["the page is HTML"]);
    folder.run(&["audit", "art", "--force"]).says(&["--output"]);
    assert_eq!(folder.names(), ["art", "audit.html", "photo.png"]);
    let to_stdout = folder.run(&["audit", "art", "-o", "-"]);
    assert!(to_stdout.stdout.starts_with(b"<!doctype html>") && to_stdout.stderr.contains("3 textures: "));
}

#[cfg(unix)]
#[test]
fn names_are_escaped_in_pages() {
    let folder = Folder::new();
    fs::create_dir(folder.path("art")).unwrap();
    folder.write("art/<img src=x>.png", &png_rgba(40, 30, |x, y| [x as u8, y as u8, 7, 255]));
    folder.run(&["audit", "art", "-o", "a.html", "--quiet"]).ok();
    let page = String::from_utf8(folder.read("a.html")).unwrap();
    assert!(page.contains("<bdi>&lt;img src=x&gt;.png</bdi>") && !page.contains("<img src=x"));
    // 40×30 is not a multiple of 4.
    assert!(page.contains("Direct3D needs sides that are multiples of 4"));
    let text = folder.run(&["audit", "art"]);
    assert!(text.ok().ends_with("sides that are not multiples of 4, as Direct3D requires: 1 image\n"));
}

#[test]
fn the_advice_is_a_rule_file() {
    let folder = art();
    folder.write("art/rocks/photo.png", &png_rgb(64, 64, |x, y| [x as u8 * 3, y as u8 * 2, 9]));
    folder.write("art/rocks/rock_n[1].png", &png_rgb(64, 64, |x, y| [100 + x as u8, 100 + y as u8, 250]));
    // An accent as macOS stores it.
    folder.write("art/masque\u{301}_rough.png", &png_rgb(64, 64, |x, y| [(x * 3 + y) as u8; 3]));
    folder.write("art/warm_lut.png", &png_rgb(256, 16, |x, y| [(x % 16 * 17) as u8, 17 * y as u8, x as u8]));
    let ran = folder.run(&["audit", "art", "--write-rules", "rules.toml", "--json"]);
    let report = ran.json();
    let encode = ["encode", "art", "-r", "-o", "out/", "--rules", "rules.toml", "--json"];
    let encoded = folder.run(&encode).json();
    let files = encoded["files"].as_array().unwrap();
    let advised: Vec<_> = report["files"].as_array().unwrap().iter().collect();
    let compressed = advised.iter().filter(|file| file["advice"] == "compress");
    let mut count = 0;
    for advice in compressed {
        let file = files.iter().find(|file| file["input"] == advice["file"]);
        assert_eq!(file.unwrap()["format"], advice["trial"]["format"], "{advice}");
        count += 1;
    }
    // The tiny one and the compressed one are skipped.
    assert_eq!((count, files.len()), (5, 5), "{encoded:#}");
    let levels = |name: &str| {
        let file = files.iter().find(|file| file["input"].as_str().unwrap().ends_with(name)).unwrap();
        file["levels"].as_u64()
    };
    assert_eq!((levels("warm_lut.png"), levels("rock_n[1].png")), (Some(1), Some(7)));
    let again = folder.run(&["audit", "art", "--write-rules", "rules.toml", "--quiet"]);
    again.fails(2, &["rules.toml", "exists"]);
    folder.run(&["audit", "art", "--write-rules", "rules.toml", "--force", "--quiet"]).ok();
    let two = folder.run(&["audit", "art", "photo.png", "--write-rules", "x.toml"]);
    two.fails(1, &["--write-rules is for one folder"]);
}
