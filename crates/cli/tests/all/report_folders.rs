//! `brickwork report` for two folders.

use crate::common::{Folder, Ran, photo, png_rgb, png_rgba};
use serde_json::Value;
use std::fs;

/// Originals and textures of them: a smooth photograph in a subfolder, and an image of one colour.
fn folders() -> Folder {
    let folder = Folder::new();
    for name in ["a", "b", "a/sub", "b/sub"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    folder.write("a/flat.png", &png_rgb(32, 16, |_, _| [90, 120, 30]));
    folder.write("a/sub/photo.png", &photo());
    ["flat", "sub/photo"].iter().for_each(|name| encode(&folder, name, "bc1"));
    folder
}

/// A folder with the folders `a` and `b`.
fn empty_folders() -> Folder {
    let folder = Folder::new();
    for name in ["a", "b"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    folder
}

/// Encodes `a/NAME.png` to `b/NAME.dds`.
fn encode(folder: &Folder, name: &str, format: &str) {
    let [input, output] = [format!("a/{name}.png"), format!("b/{name}.dds")];
    let words: [&str; 9] = ["encode", &input, "-o", &output, "--device", "cpu", "-q", "ultrafast", "--quiet"];
    folder.run(&[&words[..], &["-f", format]].concat()).ok();
}

/// Makes the page `p.html`, which has at most `limit` bytes.
fn limited(folder: &Folder, limit: &str) -> Ran {
    let words = ["report", "a", "b", "-o", "p.html", "--force", "--json", "--max-page-size", limit];
    folder.run(&words)
}

fn page_of(folder: &Folder) -> String {
    String::from_utf8(folder.read("p.html")).unwrap()
}

#[test]
fn a_page_of_folders_has_a_row_and_a_section_per_pair() {
    let folder = folders();
    let ran = folder.run(&["report", "a", "b", "-r", "-o", "p.html"]);
    let lines: Vec<_> = ran.ok().lines().collect();
    assert!(lines[0].starts_with("b/sub/photo.dds  bc1  ") && lines[0].contains("PSNR "), "{lines:?}");
    assert!(lines[1].starts_with("b/flat.dds  bc1  "), "{lines:?}");
    assert!(lines[2].starts_with("a ↔ b → p.html  ") && lines[2].ends_with("  2 pairs"), "{lines:?}");
    let page = page_of(&folder);
    let count = |word: &str| page.matches(word).count();
    assert_eq!((count("<tr><th scope=\"row\"><a href=\"#pair-"), count("class=\"pair\"")), (2, 2));
    assert_eq!((count("class=\"comparison\""), count("<script")), (2, 1));
    assert!(!page.contains("1 texture"));
    // The worst pair is the first, in the table and below it.
    let at = |word: &str| page.find(word).unwrap_or_else(|| panic!("{word}"));
    assert!(at("<bdi>sub/photo</bdi></a>") < at("<bdi>flat</bdi></a>"));
    assert!(at("<bdi>sub/photo</bdi></h2>") < at("<bdi>flat</bdi></h2>"));
    // Every link leads to a section, and no id is used twice.
    for part in page.split("href=\"#").skip(1) {
        let id = part.split('"').next().unwrap();
        assert_eq!(count(&format!(" id=\"{id}\"")), 1, "{id}");
    }
    folder.run(&["report", "a", "b", "-r", "-o", "p.html"]).fails(2, &["p.html: already exists"]);
}

#[test]
fn what_has_no_partner_or_is_broken_is_on_the_page() {
    let folder = folders();
    folder.write("a/alone.png", &photo());
    folder.write("a/broken.png", &photo());
    folder.write("b/broken.png", &photo()[..99]);
    folder.write("a/size.png", &photo());
    folder.write("b/size.png", &png_rgb(8, 8, |_, _| [1, 2, 3]));
    let ran = folder.run(&["report", "a", "b", "-o", "p.html", "--json"]);
    assert_eq!(ran.exit, Some(3), "{ran:?}");
    ran.says(&[
        "error: b/broken.png: ",
        "error: a/size.png, b/size.png: the images differ in size",
        "note: a/alone: has no partner in b",
        "note: a: 1 file in subfolders is not compared; -r compares it",
    ]);
    let json = ran.json();
    let pairs = json["pairs"].as_array().unwrap();
    assert_eq!((pairs.len(), &pairs[0]["error"]["exit_code"]), (3, &3.into()));
    assert_eq!((&pairs[1]["error"]["exit_code"], &pairs[2]["name"]), (&7.into(), &"flat".into()));
    assert_eq!((&pairs[2]["reduction"], &json["without_pictures"]), (&1.into(), &0.into()));
    assert_eq!((&json["only_in_a"][0], &json["left_out_in_b"]), (&"alone".into(), &1.into()));
    let page = page_of(&folder);
    for text in [
        "1 pair · 2 refused · 1 file without a partner",
        "<li>a/alone: has no partner in b</li>",
        "<li>a: 1 file in subfolders is not compared</li>",
        "<li>b/broken.png: ",
        "<li>a/size.png, b/size.png: the images differ in size",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let ran = folder.run(&["report", "a", "b", "-o", "p.html", "--force"]);
    assert!(ran.text().ends_with("  1 pair, 2 refused\n"), "{ran:?}");
    // Every pair is refused.
    fs::remove_file(folder.path("b/flat.dds")).unwrap();
    let ran = folder.run(&["report", "a", "b", "-o", "p.html", "--force", "--quiet"]);
    assert_eq!((ran.exit, ran.stderr.lines().count()), (Some(3), 2), "{ran:?}");
    assert!(ran.stdout.is_empty() && !page_of(&folder).contains("<table"), "{ran:?}");
}

#[test]
fn the_worst_pairs_have_the_pictures_if_the_page_is_small() {
    let folder = empty_folders();
    // Noise, of which each pair has more than the one before.
    for pair in 0..4u8 {
        let original = |x, y| [noise(x, y); 3];
        folder.write(&format!("a/{pair}.png"), &png_rgb(96, 96, original));
        let changed = |x, y| [noise(x, y) + (noise(y, x) >> (5 - pair)); 3];
        folder.write(&format!("b/{pair}.png"), &png_rgb(96, 96, changed));
    }
    let report = |limit: &str| limited(&folder, limit);
    let full = report("1M");
    assert_eq!((full.exit, full.stderr.as_str()), (Some(0), ""), "{full:?}");
    let (full, size) = (full.json(), page_of(&folder).len());
    let names = ["3", "2", "1", "0"];
    let name = |index: usize| full["pairs"][index]["name"].as_str().unwrap().to_owned();
    assert_eq!([0, 1, 2, 3].map(name), names);

    // Too small for the pictures of all pairs.
    let limit = size * 3 / 4;
    let ran = report(&limit.to_string());
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let json = ran.json();
    let without = json["without_pictures"].as_u64().unwrap() as usize;
    assert!((1..4).contains(&without), "{json}");
    for index in 0..4 {
        assert_eq!(json["pairs"][index]["reduction"].is_null(), index >= 4 - without, "{json}");
    }
    ran.says(&["note: p.html: no space for the pictures of ", "--max-page-size"]);
    let page = page_of(&folder);
    assert!(page.len() <= limit, "{} of {limit}", page.len());
    assert_eq!(page.matches("class=\"pair\"").count(), 4 - without);
    assert_eq!(page.matches("<tr><th scope=\"row\"><bdi>").count(), without);
    assert!(page.contains("To limit the page&#39;s size to ") && page.contains(" no pictures."));
    report("1K")
        .fails(1, &["p.html: the page is ", "without pictures; the limit is 1 KiB", "compare fewer files"]);
}

/// Noise of half the range.
fn noise(x: u32, y: u32) -> u8 {
    ((x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 25) as u8
}

#[test]
fn lost_alpha_counts_and_hidden_colours_do_not() {
    let folder = empty_folders();
    let leaf = |x: u32, alpha: u8| [x as u8 * 8, 120, 40, alpha];
    folder.write("a/leaf.png", &png_rgba(32, 32, |x, _| leaf(x, x as u8 * 8)));
    folder.write("b/leaf.png", &png_rgba(32, 32, |x, _| leaf(x, 255)));
    // Red stays red, and the green noise is invisible.
    let hidden = |x: u32, y: u32| if x < 14 { [255, 0, 0, 255] } else { [0, 128 + noise(x, y), 0, 0] };
    folder.write("a/cut.png", &png_rgba(32, 32, hidden));
    folder.write("a/photo.png", &photo());
    ["cut", "photo"].iter().for_each(|name| encode(&folder, name, "bc1"));
    let ran = folder.run(&["report", "a", "b", "-o", "p.html"]);
    let lines: Vec<_> = ran.text().lines().collect();
    assert!(lines[0].starts_with("b/leaf.png  ") && lines[0].contains("PSNR ∞ dB RGB · alpha "), "{ran:?}");
    assert!(lines[1].starts_with("b/photo.dds  "), "{ran:?}");
    assert!(lines[2].ends_with("PSNR ∞ dB RGB of visible texels"), "{ran:?}");
    let page = page_of(&folder);
    let at = |word: &str| page.find(word).unwrap_or_else(|| panic!("{word}"));
    assert!(at(" dB<small>alpha</small>") < at("<bdi>photo</bdi></a>"));
    assert!(at("<bdi>cut</bdi></a>") < at("<span>equal<small>visible texels</small></span>"));
    let json = folder.run(&["report", "a", "b", "-o", "p.html", "--force", "--json"]).json();
    assert_eq!(json["pairs"][2]["visible_metrics"]["texel_count"], 14 * 32, "{json}");
}

#[test]
fn notes_of_pairs_without_pictures_are_on_the_page() {
    let folder = empty_folders();
    folder.write("a/noise.png", &png_rgb(96, 96, |x, y| [noise(x, y); 3]));
    folder.write("b/noise.png", &png_rgb(96, 96, |x, y| [noise(x, y) + (noise(y, x) >> 2); 3]));
    folder.write("a/grey.png", &png_rgb(96, 96, |x, y| [noise(x, y) / 8 + 90; 3]));
    encode(&folder, "grey", "bc4");
    let note = "only red is stored and compared";
    let names = |json: &Value| [0, 1].map(|index| json["pairs"][index]["name"].clone());
    assert_eq!(names(&limited(&folder, "16M").json()), ["noise", "grey"]);
    let page = page_of(&folder);
    assert_eq!((page.matches("class=\"pair\"").count(), page.contains(note)), (2, true));
    let limit = page.len() - 4096;
    let json = limited(&folder, &limit.to_string()).json();
    assert_eq!((&json["without_pictures"], names(&json)), (&1.into(), ["noise".into(), "grey".into()]));
    let page = page_of(&folder);
    assert_eq!((page.matches("class=\"pair\"").count(), page.contains(note)), (1, true));
    assert!(page.len() <= limit, "{} of {limit}", page.len());
}

#[test]
fn space_that_small_pairs_leave_is_that_of_larger_ones() {
    let folder = empty_folders();
    folder.write("a/large.png", &png_rgb(256, 192, |x, y| [noise(x, y); 3]));
    folder.write("b/large.png", &png_rgb(256, 192, |x, y| [noise(x, y) + (noise(y, x) >> 2); 3]));
    folder.write("a/small.png", &png_rgb(8, 8, |_, _| [9, 9, 9]));
    folder.write("b/small.png", &png_rgb(8, 8, |_, _| [9, 9, 10]));
    limited(&folder, "16M").json();
    // Half of this is not enough for the first pair.
    let limit = page_of(&folder).len() + 1024;
    let json = limited(&folder, &limit.to_string()).json();
    let pair = |index: usize| [&json["pairs"][index]["name"], &json["pairs"][index]["reduction"]];
    assert_eq!((pair(0), pair(1)), ([&"large".into(), &1.into()], [&"small".into(), &1.into()]));
    assert!(page_of(&folder).len() <= limit);
}

#[cfg(unix)]
#[test]
fn names_in_folders_cannot_inject_markup() {
    let folder = empty_folders();
    for name in ["a", "b"] {
        folder.write(&format!("{name}/\"'><script>alert(1)<img src=x onerror=y>{{{{js}}}}.png"), &photo());
        folder.write(&format!("{name}/<b>{name}.png"), &photo());
    }
    folder.write("a/<i>.png", &photo());
    folder.write("b/<i>.png", b"no image");
    let ran = folder.run(&["report", "a", "b", "-o", "p.html"]);
    assert_ne!(ran.exit, Some(0), "{ran:?}");
    let page = page_of(&folder);
    for markup in ["<script>alert", "<img src=x", "\"'>", "<b>a", "<b>b", "<i>"] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("onerror=y&gt;{{js}}</bdi>"));
}

#[test]
fn folders_and_files_are_not_mixed() {
    let folder = folders();
    folder
        .run(&["report", "a", "b/flat.dds", "-o", "p.html"])
        .fails(1, &["a is a folder, and b/flat.dds is not"]);
    folder.run(&["report", "a/flat.png", "gone", "-o", "p.html"]).fails(2, &["gone"]);
    folder.run(&["report", "a", "gone", "-o", "p.html"]).fails(2, &["gone: no such file"]);
    folder
        .run(&["report", "a", "b", "b", "-o", "p.html"])
        .fails(1, &["a: is a folder", "report FOLDER FOLDER"]);
    assert_eq!(folder.names(), ["a", "b"]);
}

#[test]
fn records_of_encodings_are_found_in_folders() {
    let folder = folders();
    let words = ["encode", "a", "-o", "b/", "-f", "bc7", "-q", "ultrafast", "--force", "--json"];
    folder.write("b.json", &folder.run(&words).stdout);
    let words = ["report", "a", "b", "-r", "-o", "p.html", "--encode-report", "b.json", "--json"];
    let json = folder.run(&words).json();
    let seconds = |name: &str| {
        let pair = json["pairs"].as_array().unwrap().iter().find(|pair| pair["name"] == name);
        pair.unwrap()["encode_seconds"].is_number()
    };
    assert_eq!((seconds("flat"), seconds("sub/photo")), (true, false));
    assert_eq!(page_of(&folder).matches("<td>quality ultrafast</td>").count(), 1);
}

#[test]
fn limits_pass_and_fail() {
    let folder = empty_folders();
    // An error of e has a PSNR of 20 lg (255 / e): 38.59 dB for 3, 18.59 dB for 30.
    for (name, error) in [("three", 3), ("thirty", 30), ("equal", 0)] {
        folder.write(&format!("a/{name}.png"), &png_rgb(16, 16, |x, _| [100 + x as u8; 3]));
        folder.write(&format!("b/{name}.png"), &png_rgb(16, 16, |x, _| [100 + x as u8 + error; 3]));
    }
    let words = ["report", "a", "b", "-o", "p.html", "--force", "--json"];
    let limits = ["--fail-under", "psnr=38.5", "--fail-over", "max-error=40"];
    let ran = folder.run(&[&words[..], &limits].concat());
    assert_eq!(ran.exit, Some(7), "{ran:?}");
    let failure = "b/thirty.png: psnr is 18.5884, less than 38.5";
    ran.says(&[&format!("error: {failure}")]);
    let json = ran.json();
    assert_eq!(json["failures"], serde_json::json!([failure]));
    let failures = [0, 1, 2].map(|pair| json["pairs"][pair]["failures"].as_array().unwrap().len());
    assert_eq!(failures, [1, 0, 0]);
    let page = page_of(&folder);
    let count = |word: &str| page.matches(word).count();
    assert!(page.contains("3 pairs · 2 pass · 1 fail"));
    assert_eq!((count("data-filter=\"pass\""), count("data-filter=\"fail\"")), (2, 1));
    assert_eq!((count("<td>pass</td>"), count(">fail: psnr is 18.5884, less than 38.5<")), (2, 2));
    assert_eq!(folder.run(&[&words[..], &["--fail-under", "psnr=18.5"]].concat()).exit, Some(0));
    // No pair has angles.
    let ran = folder.run(&[&words[..], &["--fail-over", "angle=1"]].concat());
    assert_eq!(ran.exit, Some(7), "{ran:?}");
    ran.says(&["angle is not defined"]);
    assert!(!page_of(&folder).contains("data-filter=\"pass\""));
    let words = ["report", "a/thirty.png", "b/thirty.png", "a/thirty.png", "-o", "p.html", "--force"];
    let ran =
        folder.run(&[&words[..], &["--fail-under", "ssim=0.99999", "--fail-under", "psnr=30"]].concat());
    assert_eq!(ran.exit, Some(7), "{ran:?}");
    assert!(page_of(&folder).contains("1 pass · 1 fail"));
}

#[test]
fn rows_have_thumbnails_kinds_and_relative_paths() {
    let folder = empty_folders();
    // Thumbnails of noise are large.
    let noise = |x: u32, y: u32| {
        let hash = (x * 7919 + y * 104_729).wrapping_mul(0x9e37_79b1);
        [(hash >> 8) as u8, (hash >> 16) as u8, (hash >> 24) as u8]
    };
    for name in ["art", "rock_orm", "rock_normal"] {
        folder.write(&format!("a/{name}.png"), &png_rgb(256, 128, noise));
    }
    encode(&folder, "art", "bc1");
    encode(&folder, "rock_orm", "bc1");
    encode(&folder, "rock_normal", "bc5");
    let json = folder.run(&["report", "a", "b", "-o", "p.html", "--json"]).json();
    let kind = |name: &str| {
        let pairs = json["pairs"].as_array().unwrap().iter();
        pairs.clone().find(|pair| pair["name"] == name).unwrap()["kind"].clone()
    };
    assert_eq!(["art", "rock_orm", "rock_normal"].map(kind), ["color", "data", "normal"]);
    let page = page_of(&folder);
    let rows = page.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    let count = |word: &str| rows.matches(word).count();
    // One picture of colours and of normals, three of data.
    assert_eq!((count("class=\"thumb\""), count("<img "), count("alt=\"red\"")), (3, 5, 1));
    assert_eq!(count("width=\"96\" height=\"48\""), 5);
    for kind in ["colours", "data", "normals"] {
        assert_eq!(count(&format!("<small data-filter=\"{kind}\">256×128 · {kind}</small>")), 1, "{kind}");
    }
    assert!(page.contains("<bdi>art.png</bdi> · 256×128") && page.contains("<b><bdi>art.dds</bdi></b>"));
    assert!(!page.contains("<bdi>a/art.png") && !page.contains("<bdi>b/art.dds"));
    // They take at most a quarter of the page.
    let size = rows
        .match_indices("<span class=\"thumb\">")
        .map(|(at, _)| rows[at..].find("</span>").unwrap() + "</span>".len());
    let quarter = 4 * size.sum::<usize>();
    for (limit, has_thumbnails) in [(quarter, true), (quarter - 1, false)] {
        let ran = limited(&folder, &limit.to_string());
        let page = page_of(&folder);
        assert!(page.len() <= limit, "{ran:?}");
        assert_eq!(page.contains("class=\"thumb\""), has_thumbnails, "{limit}: {ran:?}");
    }
}
