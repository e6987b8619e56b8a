//! `brickwork compare` for folders, mip levels and ꟻLIP.

use crate::{
    common::{Folder, photo, png_rgb, png_rgba},
    volume_overlay::pixels,
};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{ColorSpace, Task};
use serde_json::Value;

/// Originals and textures of them: a bad one, a good one, one without a partner on each side.
fn folders() -> Folder {
    let folder = Folder::new();
    for name in ["a", "b", "a/sub", "b/sub"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    folder.write("a/photo.png", &photo());
    folder.write("a/smooth.png", &png_rgb(16, 16, |x, y| [x as u8, y as u8, 90]));
    folder.write("a/sub/deep.png", &photo());
    folder.write("a/left.png", &photo());
    for (input, output) in
        [("photo", "photo"), ("smooth", "smooth"), ("sub/deep", "sub/deep"), ("photo", "right")]
    {
        let [input, output] = [format!("a/{input}.png"), format!("b/{output}.dds")];
        folder.run(&["encode", &input, "-o", &output, "-q", "ultrafast", "--quiet"]).ok();
    }
    folder
}

#[test]
fn folders_are_compared_by_name_with_the_worst_first() {
    let folder = folders();
    let ran = folder.run(&["compare", "a", "b"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: a/left: has no partner in b", "note: b/right: has no partner in a"]);
    let lines: Vec<_> = ran.text().lines().collect();
    assert!(lines[0].contains("RGB dB") && lines[0].ends_with("angle"), "{ran:?}");
    assert!(
        lines[1].starts_with("photo ") && lines[2].starts_with("smooth ") && lines[3] == "2 pairs",
        "{ran:?}"
    );
    assert!(folder.run(&["compare", "a", "b", "-r", "--quiet"]).ok().is_empty());

    let json = folder.run(&["compare", "a", "b", "-r", "--json", "--flip"]).json();
    let files: Vec<_> =
        json["pairs"].as_array().unwrap().iter().map(|pair| pair["b"]["file"].clone()).collect();
    assert_eq!(files.len(), 3);
    assert_eq!(files[2], "b/smooth.dds");
    assert_eq!((&json["only_in_a"][0], &json["only_in_b"][0]), (&Value::from("left"), &Value::from("right")));
    assert!(json["pairs"][0]["flip"].as_f64().unwrap() > json["pairs"][2]["flip"].as_f64().unwrap());
    assert_eq!(json["failures"], Value::Array(Vec::new()));
}

#[test]
fn limits_apply_to_each_pair_and_to_missing_files() {
    let folder = folders();
    std::fs::remove_file(folder.path("a/left.png")).unwrap();
    std::fs::remove_file(folder.path("b/right.dds")).unwrap();
    let compare = |words: &[&str]| folder.run(&[&["compare", "a", "b", "-r"], words].concat());
    compare(&["--fail-under", "psnr=20", "--fail-over", "flip=0.5", "--quiet"]).ok();
    let ran = compare(&["--fail-over", "max-error=1"]);
    assert_eq!(ran.exit, Some(7), "{ran:?}");
    ran.says(&["b/photo.dds: max-error is", "more than 1"]);
    folder.write("b/more.png", &photo());
    compare(&["--fail-under", "psnr=20"]).fails(7, &["b/more: has no partner in a"]);
    // A pair that cannot be compared does not stop the others.
    folder.write("a/more.png", &png_rgb(5, 4, |_, _| [1, 2, 3]));
    let ran = compare(&[]);
    ran.fails(7, &["a/more.png, b/more.png: the images differ in size"]);
    assert!(ran.text().contains("smooth ") && ran.text().ends_with("4 pairs\n"), "{ran:?}");
    folder.write("b/more.dds", b"DDS ");
    folder
        .run(&["compare", "a", "b"])
        .fails(1, &["b/more.png: differs from b/more.dds only in its extension"]);
    folder.run(&["compare", "a", "b/photo.dds"]).fails(1, &["a is a folder, and b/photo.dds is not"]);
    folder.run(&["compare", "a", "gone"]).fails(2, &["gone: no such file"]);
    folder.run(&["compare", "gone.dds", "a"]).fails(2, &["gone.dds: no such file"]);
    folder.run(&["compare", "a", "-"]).fails(1, &["a is a folder, and - is not"]);
    folder.run(&["compare", "a", "b", "--diff", "d.png"]).fails(1, &["--diff is for two files"]);
}

/// A folder `a` of PNGs, and a folder `b` of DDS files in these formats.
fn encoded(files: &[(&str, &[u8], &str)]) -> Folder {
    let folder = Folder::new();
    for name in ["a", "b"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    for (name, png, format) in files {
        let [input, output] = [format!("a/{name}.png"), format!("b/{name}.dds")];
        folder.write(&input, png);
        folder.run(&["encode", &input, "-o", &output, "-f", format, "-q", "ultrafast", "--quiet"]).ok();
    }
    folder
}

#[test]
fn limits_do_not_apply_to_pairs_without_the_measure() {
    let normal = |x: u32, y: u32| [120 + (x % 16) as u8, 120 + (y % 16) as u8, 254];
    let normals = png_rgb(16, 16, normal);
    let folder = encoded(&[("n", &normals, "bc5"), ("p", &photo(), "bc7"), ("q", &photo(), "bc7")]);
    let compare = |words: &[&str]| folder.run(&[&["compare", "a", "b"], words].concat());
    let ran = compare(&["--fail-over", "angle=5"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: the limit of angle does not apply to 2 of 3 pairs, which do not have the measure"]);
    // The pair with the measure is the first.
    assert!(ran.text().lines().nth(1).is_some_and(|line| line.starts_with("n ")), "{ran:?}");
    compare(&["--fail-over", "angle=5", "--quiet"]).ok();
    compare(&["--fail-over", "angle=0", "--quiet"]).fails(7, &["b/n.dds: angle is "]);
    compare(&["--fail-under", "mpsnr=1", "--quiet"])
        .fails(7, &["b: mpsnr has a limit, but no pair has this measure"]);
    // Two files fail. Small mip levels have no SSIM.
    let ran = folder.run(&["compare", "a/p.png", "b/p.dds", "--fail-over", "angle=5", "--quiet"]);
    ran.fails(7, &["b/p.dds: angle is not defined"]);
    for name in ["a.dds", "b.dds"] {
        folder.run(&["encode", "a/p.png", "-o", name, "--mips", "-q", "ultrafast", "--quiet"]).ok();
    }
    let levels = ["compare", "a.dds", "b.dds", "--level", "all", "--fail-under", "ssim=0.9", "--quiet"];
    folder.run(&levels).ok();
}

#[test]
fn notes_about_many_files_are_counted() {
    let grey = png_rgb(16, 16, |x, y| [(x * 8 + y) as u8; 3]);
    let folder = encoded(&[("a", &grey, "bc4"), ("b", &grey, "bc4"), ("c", &grey, "bc5")]);
    let ran = folder.run(&["compare", "a", "b"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let notes: Vec<_> = ran.stderr.lines().collect();
    let count = |word: &str| notes.iter().filter(|note| note.contains(word)).count();
    assert_eq!(count("2 files: only red is stored and compared"), 1, "{ran:?}");
    assert_eq!(count("b/c.dds: only red and green are stored and compared"), 1, "{ran:?}");
    assert_eq!(count("only red is"), 1, "{ran:?}");
    // The PNGs state that they are sRGB.
    assert_eq!(count("3 pairs: the colour spaces differ (sRGB and linear)"), 1, "{ran:?}");
    assert_eq!(notes.len(), 3, "{ran:?}");
    // These state nothing.
    for name in ["a", "b", "c"] {
        let png = folder.read(&format!("a/{name}.png"));
        folder.write(&format!("a/{name}.png"), &without_srgb_chunk(&png));
    }
    let ran = folder.run(&["compare", "a", "b"]);
    assert!(!ran.stderr.contains("colour spaces"), "{ran:?}");
    let ran = folder.run(&["compare", "a/a.png", "b/a.dds"]);
    assert_eq!(
        ran.stderr, "brickwork: note: b/a.dds: only red is stored and compared (real decoder)\n",
        "{ran:?}"
    );
}

/// Returns a PNG without its chunks about colours, which are before the data.
fn without_srgb_chunk(png: &[u8]) -> Vec<u8> {
    let (mut rest, mut kept) = (&png[8..], png[..8].to_vec());
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize + 12;
        let (chunk, after) = rest.split_at(length);
        if ![&b"sRGB"[..], b"gAMA", b"cHRM"].contains(&&chunk[4..8]) {
            kept.extend_from_slice(chunk);
        }
        rest = after;
    }
    kept
}

#[test]
fn cut_outs_are_listed_by_visible_texels() {
    let leaf = png_rgba(32, 32, |x, y| if x > 9 { [40 + y as u8, 90, 30, 255] } else { [255, 0, 200, 0] });
    let noise = png_rgb(32, 32, |x, y| [(x * 57 + y * 91) as u8, (x * 33 + y * 7) as u8, (x * y) as u8]);
    let folder = encoded(&[("leaf", &leaf, "bc1"), ("noise", &noise, "bc1")]);
    let ran = folder.run(&["compare", "a", "b", "--fail-under", "psnr=30"]);
    ran.says(&["note: a/leaf.png, b/leaf.dds: the PSNR of colours is that of visible texels"]);
    assert!(ran.text().lines().nth(1).is_some_and(|line| line.starts_with("noise ")), "{ran:?}");
    assert!(!ran.stderr.contains("leaf.dds: psnr"), "{ran:?}");
    ran.says(&["b/noise.dds: psnr is "]);
}

/// Files in subfolders may differ: without `-r`, a verdict about them would be a guess.
#[test]
fn files_in_subfolders_are_not_forgotten() {
    let folder = folders();
    for name in ["a/left.png", "b/right.dds"] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    folder.write("b/sub/more.png", &photo());
    let ran = folder.run(&["compare", "a", "b"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&[
        "note: a: 1 file in subfolders is not compared; -r compares it",
        "note: b: 2 files in subfolders are not compared; -r compares them",
    ]);
    let json = folder.run(&["compare", "a", "b", "--json", "--fail-under", "psnr=1"]);
    assert_eq!(json.exit, Some(7), "{json:?}");
    assert_eq!((&json.json()["left_out_in_a"], &json.json()["left_out_in_b"]), (&1.into(), &2.into()));
    assert_eq!(json.json()["failures"].as_array().unwrap().len(), 2);
    // Equal files in the folders themselves say nothing about the subfolders.
    for name in ["a", "b"] {
        std::fs::create_dir_all(folder.path(&format!("{name}2/sub"))).unwrap();
        folder.write(&format!("{name}2/same.png"), &photo());
        folder.write(&format!("{name}2/sub/x.png"), &png_rgb(16, 16, |_, _| [name.len() as u8 * 40, 3, 3]));
    }
    let ran = folder.run(&["compare", "a2", "b2", "--exact", "--quiet"]);
    assert_eq!(ran.exit, Some(7), "{ran:?}");
    folder.run(&["compare", "a2", "b2", "--exact", "--quiet", "-r"]).ok();
    folder.run(&["compare", "a2/sub", "b2/sub", "--exact", "--quiet"]).ok();
}

#[test]
fn mip_levels_are_compared_one_by_one() {
    let folder = Folder::with_photo();
    for (output, filter) in [("a.ktx2", "box"), ("b.ktx2", "kaiser")] {
        let words =
            ["encode", "photo.png", "-o", output, "--mips", "--mip-filter", filter, "-f", "bc7", "--quiet"];
        folder.run(&[&words[..], &["-q", "ultrafast"]].concat()).ok();
    }
    let json = folder.run(&["compare", "a.ktx2", "b.ktx2", "--level", "all", "--json"]).json();
    let levels = json["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 7);
    // Only the filters of the smaller levels differ.
    assert!(levels[0]["equal"] == true && levels[1]["equal"] == false, "{json}");
    assert_eq!((&levels[1]["width"], &levels[1]["height"]), (&Value::from(48), &Value::from(32)));
    let one = folder.run(&["compare", "a.ktx2", "b.ktx2", "--level", "1", "--json"]).json();
    assert_eq!((&one["mse"], &one["level"]), (&levels[1]["mse"], &Value::from(1)));
    let text = folder.run(&["compare", "a.ktx2", "b.ktx2", "--level", "all"]);
    assert!(text.ok().contains("\nlevel 0         ∞") && text.text().contains("\nlevel 6 "), "{text:?}");

    let exact = ["compare", "a.ktx2", "b.ktx2", "--level", "all", "--exact"];
    let ran = folder.run(&exact);
    assert_eq!(ran.exit, Some(7));
    ran.says(&["b.ktx2: mip level 1: differs by up to"]);
    let ran = folder.run(&["compare", "a.ktx2", "photo.png", "--level", "all"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["a.ktx2, photo.png: only one of the files has mip levels; level 0 is compared"]);
    folder.run(&["compare", "a.ktx2", "photo.png", "--level", "1"]).fails(1, &["photo.png"]);
    folder.run(&["compare", "a.ktx2", "b.ktx2", "--level", "9"]).fails(1, &["a.ktx2"]);
    folder.run(&["convert", "a.ktx2", "-o", "short.ktx2", "--levels", "3", "--quiet"]).ok();
    let ran = folder.run(&["compare", "a.ktx2", "short.ktx2", "--level", "all"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: a.ktx2, short.ktx2: 7 and 3 mip levels; the first 3 are compared"]);
    let ran = folder.run(&["compare", "a.ktx2", "short.ktx2", "--level", "all", "--exact", "--quiet"]);
    ran.fails(7, &["short.ktx2: has 3 mip levels; expected 7"]);
}

/// All faces, layers and slices of two textures are compared; an image with the first.
#[test]
fn all_images_of_textures_are_compared() {
    let folder = Folder::new();
    let face = |value: u8| png_rgb(8, 8, move |x, y| [value, (x * 20) as u8, (y * 20) as u8]);
    for value in 0..7 {
        folder.write(&format!("{value}.png"), &face(value * 30));
    }
    let assemble = |kind: &str, images: &[&str], output: &str| {
        folder.run(&[&["assemble", kind][..], images, &["-f", "rgba8", "-o", output]].concat()).ok();
    };
    let names = ["0.png", "1.png", "2.png", "3.png", "4.png", "5.png"];
    let other = ["0.png", "1.png", "2.png", "3.png", "4.png", "6.png"];
    for (kind, a, b) in [("--cubemap", "a.dds", "b.dds"), ("--array", "c.dds", "d.dds")] {
        assemble(kind, &names, a);
        assemble(kind, &other, b);
        let same = folder.run(&["compare", a, a, "--exact"]);
        assert!(same.exit == Some(0) && same.text().contains("every texel is equal\n"), "{same:?}");
        same.says(&["all 6 images of the textures are compared"]);
        let ran = folder.run(&["compare", a, b, "--exact"]);
        // The last image alone differs, by 30 in red.
        assert_eq!(ran.exit, Some(7));
        ran.says(&["differs by up to 30"]);
        assert!(ran.text().contains("↔") && ran.text().contains("  8×8\n"), "{ran:?}");
        let json = folder.run(&["compare", a, b, "--json"]).json();
        assert_eq!([&json["a"]["images"], &json["a"]["height"]], [6, 8]);
        assert!((json["mse"]["r"].as_f64().unwrap() - 900.0 / 6.0).abs() < 1e-9, "{json}");
        folder.run(&["compare", a, b, "--quiet", "--diff", "diff.png", "--scale", "1", "--force"]).ok();
        let picture = pixels(&folder, "diff.png");
        assert_eq!(picture.len(), 6 * 64);
        assert!(
            picture[..5 * 64].iter().all(|&pixel| pixel == [0; 3]) && picture[5 * 64..] == [[30, 0, 0]; 64]
        );
        let first = folder.run(&["compare", "0.png", b, "--exact"]);
        assert_eq!(first.exit, Some(0));
        first.says(&["only the first image of the texture is compared"]);
        folder.run(&["compare", "1.png", b, "--exact", "--quiet"]).fails(7, &["differs by up to 30"]);
    }
    assemble("--array", &names[..3], "short.dds");
    folder
        .run(&["compare", "short.dds", "a.dds", "--quiet"])
        .fails(7, &["there are 3 and 6 images to compare"]);
    assemble("--volume", &names, "e.dds");
    assemble("--volume", &other, "f.dds");
    folder.run(&["compare", "e.dds", "f.dds", "--exact", "--quiet"]).fails(7, &["differs by up to 30"]);
}

/// Measures of a texture's images are those of each by itself, together.
#[test]
fn measures_do_not_cross_the_borders_of_images() {
    let folder = Folder::new();
    let noise = |x: u32, y: u32, seed: u32| (x * 7919 + y * 104_729 + seed).wrapping_mul(2_654_435_761) >> 24;
    for (kind, [width, height], count) in
        [("--cubemap", [16, 16], 6), ("--array", [17, 13], 3), ("--volume", [19, 12], 5)]
    {
        // Neighbours are dark and bright, so that windows across borders would see a step.
        let texel = |number: u32, range: u32| {
            move |x: u32, y: u32| {
                let base = if number.is_multiple_of(2) { 10 } else { 170 };
                [0, 1, 2].map(|c| (base + 2 * x + y + noise(x, y, number + c) % (range + 9 * number)) as u8)
            }
        };
        let mut all = [Vec::new(), Vec::new()];
        for number in 0..count {
            for (index, (name, range)) in [("a", 8), ("b", 11)].into_iter().enumerate() {
                let name = format!("{name}{number}.png");
                folder.write(&name, &png_rgb(width, height, texel(number, range)));
                all[index].push(name);
            }
        }
        for (names, output) in all.iter().zip(["a.ktx2", "b.ktx2"]) {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            let words = ["-f", "rgba8", "-o", output, "--force", "--quiet"];
            folder.run(&[&["assemble", kind][..], &names, &words].concat()).ok();
        }
        let compare = |a: &str, b: &str, more: &[&str]| {
            folder.run(&[&["compare", a, b, "--flip", "--normal", "--json"][..], more].concat()).json()
        };
        let parts: Vec<_> = all[0].iter().zip(&all[1]).map(|(a, b)| compare(a, b, &[])).collect();
        let whole = compare("a.ktx2", "b.ktx2", &[]);
        let mean = |measure: &str| {
            parts.iter().map(|part| part.pointer(measure).unwrap().as_f64().unwrap()).sum::<f64>()
                / f64::from(count)
        };
        for measure in ["/mse/r", "/mse/luma", "/ssim", "/flip", "/normal_metrics/mean_degrees"] {
            let found = whole.pointer(measure).unwrap().as_f64().unwrap();
            assert!((found - mean(measure)).abs() < 1e-9, "{kind} {measure}: {found} {}", mean(measure));
        }
        let psnr = 10.0 * (255.0f64 * 255.0 / mean("/mse/rgb")).log10();
        assert!((whole["psnr"]["rgb"].as_f64().unwrap() - psnr).abs() < 1e-9, "{whole}");
        let largest = parts.iter().map(|part| part["max_error"]["r"].as_u64()).max().unwrap();
        assert_eq!(whole["max_error"]["r"].as_u64(), largest, "{kind}");
        assert_eq!(whole["texel_count"], u64::from(width * height * count));
        let whole = folder.run(&[
            "compare",
            "a.ktx2",
            "b.ktx2",
            "--quiet",
            "--force",
            "--flip",
            "--diff",
            "diff.png",
            "--side-by-side",
            "both.png",
            "--heat-map",
            "heat.png",
        ]);
        whole.ok();
        let expected: Vec<_> = (0..count)
            .flat_map(|number| {
                let [a, b] = [all[0][number as usize].as_str(), &all[1][number as usize]];
                folder.run(&["compare", a, b, "--quiet", "--force", "--diff", "one.png"]).ok();
                pixels(&folder, "one.png")
            })
            .collect();
        assert!(pixels(&folder, "diff.png") == expected, "{kind}");
        // Four channels, of which three are compared.
        let both = pixels(&folder, "both.png").concat();
        let both: Vec<_> = both.chunks_exact(4).map(|texel| [texel[0], texel[1], texel[2]]).collect();
        assert_eq!(both.len(), ((2 * width + 8) * height * count) as usize);
        let last = pixels(&folder, all[1].last().unwrap());
        assert_eq!(both[both.len() - width as usize..], last[last.len() - width as usize..]);
    }
}

/// Images of textures are decoded one at a time.
#[test]
fn one_image_of_each_texture_is_in_memory() {
    let folder = Folder::new();
    let names: Vec<_> = (0..32).map(|number| format!("{number}.png")).collect();
    for (number, name) in (0..).zip(&names) {
        folder.write(name, &png_rgb(64, 64, |x, y| [(3 * x) as u8, (2 * y) as u8, 5 * number]));
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let words = ["-f", "bc1", "-q", "ultrafast", "-o", "a.ktx2", "--mips", "--quiet"];
    folder.run(&[&["assemble", "--array"][..], &names, &words].concat()).ok();
    // Blocks of 32 images with their mip levels need 84 KiB, one decoded image 16 KiB, all 512 KiB.
    let compare =
        |more: &[&str]| folder.run(&[&["compare", "a.ktx2", "a.ktx2", "--quiet"][..], more].concat());
    compare(&["--max-memory", "220K", "--exact", "--flip"]).ok();
    compare(&["--max-memory", "190K"]).fails(4, &["a.ktx2, a.ktx2", "needs 204 KiB of memory", "190 KiB"]);
    compare(&["--max-memory", "220K", "--level", "all", "--exact"]).ok();
    // The textures, a pair of images, 32 images of 3 bytes per texel and one more.
    compare(&["--max-memory", "598K", "--diff", "d.png"]).fails(4, &["needs 600 KiB of memory"]);
    compare(&["--max-memory", "600K", "--diff", "d.png"]).ok();
    // A picture of 136×2048, and 33 images of 4 bytes per texel.
    compare(&["--max-memory", "1M", "--side-by-side", "s.png"]).fails(4, &["of memory"]);
    compare(&["--max-memory", "2M", "--side-by-side", "s.png"]).ok();
    compare(&["--max-memory", "800K", "--heat-map", "h.png"]).fails(4, &["of memory"]);
    folder.run(&["compare", "0.png", "a.ktx2", "--max-memory", "160K", "--quiet"]).ok();
    folder.run(&["report", "0.png", "a.ktx2", "-o", "a.html", "--max-memory", "600K", "--quiet"]).ok();
}

/// `encode --min-psnr` fails with the PSNR that `compare --fail-under psnr` prints.
#[test]
fn a_gate_and_compare_have_one_psnr() {
    let folder = Folder::new();
    let noise = |x: u32, y: u32| ((x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 26) as u8;
    // Soft alpha with noise, and loud colours where it is 0.
    let glass = |x: u32, y: u32| match x < 20 {
        true => [noise(x, y).wrapping_mul(99), noise(y, x).wrapping_mul(7), 200, 0],
        false => [(3 * x) as u8, (2 * y) as u8, 90, 40 + (x as u8) + noise(x, y)],
    };
    folder.write("glass.png", &png_rgba(64, 48, glass));
    let leaf = |x: u32, y: u32| {
        let [r, g, b, a] = glass(x, y);
        [r, g, b, if a > 90 { 255 } else { a / 2 }]
    };
    folder.write("leaf.png", &png_rgba(64, 48, leaf));
    folder.write("plain.png", &png_rgb(64, 48, |x, y| [(3 * x) as u8 + noise(x, y), (2 * y) as u8, 90]));
    for (name, options, subject) in [
        ("glass.png", "-f bc7 --modes 4,5", "alpha"),
        ("glass.png", "-f bc3", "alpha"),
        ("glass.png", "-f bc3 --linear", ""),
        ("glass.png", "-f bc1 --opaque", ""),
        ("leaf.png", "-f bc1", "visible texels"),
        ("leaf.png", "-f etc2-a1", "visible texels"),
        ("leaf.png", "-f bc2", "alpha"),
        ("plain.png", "-f bc7", ""),
        ("plain.png", "-f bc5 --linear", ""),
        ("plain.png", "-f bc4", ""),
    ] {
        let is_ktx2 = options.contains("etc2");
        let output = if is_ktx2 { "out.ktx2" } else { "out.dds" };
        let line = format!("encode {name} {options} -o {output} --force --quiet");
        let gate = folder.line(&format!("{line} -q best --min-psnr 100"));
        assert_eq!(gate.exit, Some(7), "{name} {options}: {gate:?}");
        folder.line(&format!("{line} -q best")).ok();
        let ran = folder.run(&["compare", name, output, "--fail-under", "psnr=100", "--quiet"]);
        assert_eq!(ran.exit, Some(7), "{name} {options}: {ran:?}");
        let number = |text: &str, before: &str| -> f64 {
            let from = text.find(before).unwrap_or_else(|| panic!("{text}")) + before.len();
            text[from..].split([' ', ',']).next().unwrap().parse().unwrap()
        };
        let found = number(&ran.stderr, " is ");
        let expected = number(&gate.stderr, "the PSNR is ");
        assert!((found - expected).abs() < 0.0051, "{name} {options}: {} {}", gate.stderr, ran.stderr);
        let of = if subject.is_empty() { String::new() } else { format!(" of {subject}") };
        assert!(subject.is_empty() || ran.stderr.contains(&format!("psnr{of} is ")), "{options}: {ran:?}");
    }
    let ran = folder.line("encode glass.png -f rgba8 -o p.ktx2");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    assert!(ran.text().contains("12 KiB of texels → 12 KiB (1:1)\n  every texel is equal · "), "{ran:?}");
}

/// 16 bits that are equal as 8 are not equal.
#[test]
fn exact_comparisons_of_16_bits_find_every_bit() {
    let folder = Folder::new();
    for (name, offset) in [("a.png", 10), ("b.png", 100)] {
        let texel = |texel: i32| (257 * texel + offset - 50).clamp(0, 65535) as u16;
        let texels: Vec<u16> = (0..256).map(texel).collect();
        let mut png = Vec::new();
        let view = PngTexels::Grey16(&texels);
        write_png(&mut png, 16, 16, view, ColorSpace::Linear, &Task::new()).unwrap();
        folder.write(name, &png);
        let texture = name.replace("png", "dds");
        folder.run(&["encode", name, "-f", "r16", "-o", &texture]).ok();
    }
    for other in ["b.png", "b.dds"] {
        let ran = folder.run(&["compare", "a.png", other, "--exact"]);
        assert_eq!(ran.exit, Some(7));
        ran.says(&["differs in the 16 bits of 256 texels"]);
        assert!(ran.text().contains("every texel is equal in 8 bits\n"), "{ran:?}");
    }
    folder.run(&["compare", "a.png", "a.dds", "--exact", "--quiet"]).ok();
}
