//! `brickwork report` for two folders.

use crate::common::{Folder, photo, png_rgb};
use std::fs;

/// Originals and textures of them: a smooth photograph in a subfolder, and an image of one colour.
fn folders() -> Folder {
    let folder = Folder::new();
    for name in ["a", "b", "a/sub", "b/sub"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    folder.write("a/flat.png", &png_rgb(32, 16, |_, _| [90, 120, 30]));
    folder.write("a/sub/photo.png", &photo());
    for name in ["flat", "sub/photo"] {
        let [input, output] = [format!("a/{name}.png"), format!("b/{name}.dds")];
        let words: [&str; 9] =
            ["encode", &input, "-o", &output, "--device", "cpu", "-q", "ultrafast", "--quiet"];
        folder.run(&[&words[..], &["-f", "bc1"]].concat()).ok();
    }
    folder
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
    // Every pair is refused.
    fs::remove_file(folder.path("b/flat.dds")).unwrap();
    let ran = folder.run(&["report", "a", "b", "-o", "p.html", "--force", "--quiet"]);
    assert_eq!((ran.exit, ran.stderr.lines().count()), (Some(3), 2), "{ran:?}");
    assert!(ran.stdout.is_empty() && !page_of(&folder).contains("<table"), "{ran:?}");
}

#[test]
fn the_worst_pairs_have_the_pictures_if_the_page_is_small() {
    let folder = Folder::new();
    for name in ["a", "b"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    // Noise, of which each pair has more than the one before.
    let noise = |x: u32, y: u32| ((x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 24) as u8;
    for pair in 0..4u8 {
        let original = |x, y| [noise(x, y) >> 1; 3];
        folder.write(&format!("a/{pair}.png"), &png_rgb(96, 96, original));
        let changed = |x, y| [(noise(x, y) >> 1) + (noise(y, x) >> (6 - pair)); 3];
        folder.write(&format!("b/{pair}.png"), &png_rgb(96, 96, changed));
    }
    let report = |limit: &str| {
        let words = ["report", "a", "b", "-o", "p.html", "--force", "--json", "--max-page-size", limit];
        folder.run(&words)
    };
    let full = report("1M");
    assert_eq!((full.exit, full.stderr.as_str()), (Some(0), ""), "{full:?}");
    let (full, size) = (full.json(), page_of(&folder).len());
    let names = ["3", "2", "1", "0"];
    let name = |index: usize| full["pairs"][index]["name"].as_str().unwrap().to_owned();
    assert_eq!([0, 1, 2, 3].map(name), names);

    // The first page that is too large for all pictures.
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
        .fails(1, &["p.html: the page is ", "without pictures; the limit is 1 KiB", "--max-page-size"]);
}

#[cfg(unix)]
#[test]
fn names_in_folders_cannot_inject_markup() {
    let folder = Folder::new();
    for name in ["a", "b"] {
        fs::create_dir(folder.path(name)).unwrap();
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
