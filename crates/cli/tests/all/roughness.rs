//! `encode --roughness-from`: mip levels of roughness maps, by options, rules and the cache.

use crate::{
    cache,
    common::{Folder, png_rgb},
};
use brickwork_texture::ImageIndex;
use std::fs;

/// A folder with roughness maps and a normal map, which is also in `in`.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    let rough = png_rgb(16, 16, |x, y| [(40 + x + y) as u8; 3]);
    let bumps = png_rgb(16, 16, |x, y| [100 + (x * 37 % 60) as u8, 100 + (y * 23 % 60) as u8, 230]);
    for name in ["rough.png", "in/rock_rough.png"] {
        folder.write(name, &rough);
    }
    for name in ["bumps.png", "in/rock_n.png"] {
        folder.write(name, &bumps);
    }
    folder.write("flat.png", &png_rgb(4, 4, |_, _| [128, 128, 255]));
    folder
}

/// The mean of red and of green in mip level 2.
fn means(folder: &Folder, name: &str) -> [u32; 2] {
    let texels = folder.texels(name, ImageIndex { mip_level: 2, ..ImageIndex::default() });
    [0, 1].map(|c| texels.iter().map(|texel| u32::from(texel[c])).sum::<u32>() / texels.len() as u32)
}

#[test]
fn bumps_make_mip_levels_rough() {
    let folder = folder();
    let red = |line: &str| {
        let words = ["encode", "rough.png", "-o", "a.dds", "--force", "--mips"];
        folder.run(&words.into_iter().chain(line.split(' ')).collect::<Vec<_>>()).ok();
        means(&folder, "a.dds")
    };
    let plain = red("-f bc4")[0];
    assert!((50..60).contains(&plain), "{plain}");
    assert_eq!(red("-f bc4 --roughness-from flat.png")[0], plain);
    assert!(red("-f bc4 --roughness-from bumps.png")[0] > 100);
    assert!(red("-f r8 --roughness-from bumps.png")[0] > 100);
    assert!(red("-f auto --one-channel --roughness-from bumps.png")[0] > 100);
    let [red, green] = red("-f bc7 --roughness-from bumps.png --roughness-channel g");
    assert!(red < 70 && green > 100, "{red} {green}");
}

/// Any three channels are vectors, but few of them are normals.
#[test]
fn images_that_are_no_normal_maps_are_noted() {
    let folder = folder();
    folder.write("ao.png", &png_rgb(16, 16, |x, y| [(150 + x + 2 * y) as u8; 3]));
    let brown = |x: u32, y: u32| if y < 4 { [128, 128, 255] } else { [120 + x as u8, 90, 60] };
    folder.write("albedo.png", &png_rgb(16, 16, brown));
    // Maps of x and y only, and maps with unused parts, are normal maps.
    folder.write("xy.png", &png_rgb(16, 16, |x, y| [100 + x as u8, 100 + y as u8, 0]));
    folder.write("atlas.png", &png_rgb(16, 16, |_, y| if y < 2 { [0; 3] } else { [128, 128, 255] }));
    let noted = |normals: &str| {
        let words = ["encode", "rough.png", "-o", "a.dds", "--force", "--mips", "-f", "bc4"];
        let ran = folder.run(&[&words[..], &["--roughness-from", normals]].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        ran.stderr
    };
    let note = |text: &str| format!("brickwork: note: {text}\n");
    assert_eq!(noted("ao.png"), note("ao.png: is used as a normal map, but is grey"));
    let far = "albedo.png: is used as a normal map, but 75.0 % of texels are far from length 1 or face away";
    assert_eq!(noted("albedo.png"), note(far));
    for normals in ["bumps.png", "flat.png", "xy.png", "atlas.png"] {
        assert_eq!(noted(normals), "", "{normals}");
    }
}

#[test]
fn the_report_names_the_normal_map() {
    let folder = folder();
    let words = ["encode", "rough.png", "-f", "bc7", "--mips", "--roughness-from", "bumps.png"];
    let text = folder.run(&words);
    assert!(text.ok().contains("roughness r with the spread of bumps.png"), "{text:?}");
    assert!(text.text().contains("linear"), "{text:?}");
    let ran = folder.run(&[&words[..], &["--force", "--json"]].concat());
    let file = &ran.json()["files"][0];
    assert!(file["roughness_from"] == "bumps.png" && file["roughness_channel"] == "r", "{file}");
    assert!(file["input"] == "rough.png" && file["color_space"] == "linear", "{file}");
}

#[test]
fn rules_name_normal_maps_beside_their_images() {
    let folder = folder();
    let rules =
        "[[rule]]\nfiles = '*_rough.png'\nmips = true\nformat = 'bc4'\nroughness-from = '{base}_n.png'";
    folder.write("in/brickwork.toml", rules.as_bytes());
    let run = |options: &[&str]| {
        let words = ["encode", "in", "-o", "out/", "--force", "--json"];
        let ran = folder.run(&[&words[..], options].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let json = ran.json();
        [0, 1].map(|index| json["files"][index]["roughness_from"].clone())
    };
    // In the order of the names: rock_n.png is no roughness map.
    assert_eq!(run(&[]), [serde_json::Value::Null, "in/rock_n.png".into()]);
    assert!(means(&folder, "out/rock_rough.dds")[0] > 100);
    let alone = ["encode", "in/rock_rough.png", "-o", "out/", "--force", "--rules", "in/brickwork.toml"];
    let ran = folder.run(&[&alone[..], &["--roughness-from", "flat.png", "--json"]].concat());
    assert_eq!(ran.json()["files"][0]["roughness_from"], "flat.png", "{ran:?}");
    assert!(means(&folder, "out/rock_rough.dds")[0] < 70);
    // A later rule has none.
    let later = format!("{rules}\n[[rule]]\nfiles = '*'\nroughness-from = false");
    folder.write("in/brickwork.toml", later.as_bytes());
    assert_eq!(run(&[]), [serde_json::Value::Null, serde_json::Value::Null]);
    for (value, words) in [("true", "expected a path, or false"), ("''", "the path is empty")] {
        folder.write("in/brickwork.toml", format!("[[rule]]\nfiles='*'\nroughness-from={value}").as_bytes());
        folder.run(&["encode", "in", "-o", "none/"]).fails(3, &["brickwork.toml:3: roughness-from", words]);
    }
}

/// Nothing is written if a file that a rule names is missing, also for another image.
#[test]
fn missing_files_of_rules_are_errors_before_work() {
    let folder = folder();
    folder.write("in/a.png", &png_rgb(8, 8, |_, _| [9, 9, 9]));
    let rules = "[[rule]]\nfiles = '*_rough.png'\nmips = true\nroughness-from = '{base}_lost.png'";
    folder.write("in/brickwork.toml", rules.as_bytes());
    let words = "in/rock_lost.png: no such file (for in/rock_rough.png, by in/brickwork.toml, line 1)";
    folder.line("encode in -o out/ --quiet").fails(2, &[words]);
    assert!(!folder.path("out").exists());
    let ran = folder.line("encode in -o out/ --dry-run");
    assert_eq!((ran.exit, ran.text()), (Some(2), ""));
    ran.says(&[words]);
    // The command line names another file.
    folder
        .line("encode in/rock_rough.png -o out/ --quiet --rules in/brickwork.toml --roughness-from flat.png")
        .ok();
}

#[test]
fn the_cache_knows_the_normal_map() {
    let folder = folder();
    let rules =
        "[[rule]]\nfiles = '*_rough.png'\nmips = true\nformat = 'bc7'\nroughness-from = '{base}_n.png'";
    folder.write("in/brickwork.toml", rules.as_bytes());
    let run = |options: &[&str]| cache::counts(&cache::encode(&folder, "out/", options));
    assert_eq!(run(&[]), [2, 0, 0, 0]);
    assert_eq!(run(&[]), [0, 2, 0, 0]);
    folder.write("in/rock_n.png", &png_rgb(16, 16, |x, _| [90 + (x * 37 % 60) as u8, 128, 230]));
    assert_eq!(run(&[]), [2, 0, 0, 0]);
    folder.write("in/brickwork.toml", format!("{rules}\nroughness-channel = 'g'").as_bytes());
    assert_eq!(run(&[]), [1, 1, 0, 0]);
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = folder();
    for (line, words) in [
        (
            "encode rough.png -f bc4 --roughness-from bumps.png",
            "--roughness-from needs mip levels (use --mips)",
        ),
        ("encode rough.png -f bc6h --mips --roughness-from bumps.png", "--roughness-from is for bc1, "),
        ("encode rough.png -f r16 --mips --roughness-from bumps.png", "--roughness-from is for bc1, "),
        ("encode rough.png -f bc7 --mips --srgb --roughness-from bumps.png", "--roughness-from and --srgb"),
        (
            "assemble --array rough.png rough.png -o a.dds --mips --roughness-from bumps.png",
            "--roughness-from is for single images",
        ),
        (
            "encode rough.png -f bc4 --mips --roughness-from bumps.png --roughness-channel a",
            "the roughness is in channel a, which bc4 does not store (use --roughness-channel)",
        ),
    ] {
        folder.line(line).fails(1, &[words]);
    }
    folder.line("encode rough.png --mips --roughness-from missing.png").fails(2, &["missing.png"]);
    for line in ["--roughness-channel g", "--normal --roughness-from bumps.png"] {
        let ran = folder.line(&format!("encode rough.png --mips {line}"));
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&["--roughness-from"]);
    }
}
