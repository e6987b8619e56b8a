//! `encode --swizzle` and `encode --data`: channels in another order, and channels that are no colours.

use crate::{
    cache,
    common::{Folder, Ran, png_rgb, png_rgba, test_data},
    rules::folder_with,
};
use brickwork_texture::{AlphaMode, DecodeOptions, ImageIndex, Task, Texture};
use serde_json::Value;

/// A folder with `art.png`, which has a different number in each channel.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("art.png", &png_rgba(8, 8, |_, _| [200, 120, 40, 80]));
    folder
}

/// Encodes to `a.dds`, in the fastest way.
fn encode(folder: &Folder, line: &str) -> Ran {
    let words = ["encode", "-q", "ultrafast", "-o", "a.dds", "--force"];
    folder.run(&words.into_iter().chain(line.split(' ')).collect::<Vec<_>>())
}

/// The report of the only file.
fn report(ran: &Ran) -> Value {
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.json()["files"][0].clone()
}

/// The first texel of a layer.
fn texel(folder: &Folder, name: &str, layer: u32) -> [u8; 4] {
    folder.texels(name, ImageIndex { layer, ..ImageIndex::default() })[0]
}

#[track_caller]
fn is_near(found: [u8; 4], wanted: [u8; 4]) {
    let is_near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 2);
    assert!(is_near, "{found:?}, not {wanted:?}");
}

#[test]
fn channels_are_moved_before_they_are_encoded() {
    let folder = folder();
    for (letters, wanted) in [
        ("rgba", [200, 120, 40, 80]),
        ("bgra", [40, 120, 200, 80]),
        ("aaa1", [80, 80, 80, 255]),
        ("rgb1", [200, 120, 40, 255]),
        ("01ra", [0, 255, 200, 80]),
        ("rrrg", [200, 200, 200, 120]),
        ("abg0", [80, 40, 120, 0]),
    ] {
        encode(&folder, &format!("art.png -f bc7 --linear --swizzle {letters}")).ok();
        is_near(texel(&folder, "a.dds", 0), wanted);
    }
    // Grey blocks of one channel.
    encode(&folder, "art.png -f bc4 --swizzle aaa1").ok();
    assert!(texel(&folder, "a.dds", 0)[0].abs_diff(80) <= 1);
    // Textures are inputs, too.
    folder.run(&["encode", "art.png", "-q", "ultrafast", "-f", "bc7", "--linear", "-o", "in.dds"]).ok();
    assert_eq!(folder.run(&["convert", "in.dds", "-o", "in.ktx2"]).exit, Some(0));
    for input in ["in.dds", "in.ktx2"] {
        encode(&folder, &format!("{input} -f bc7 --swizzle gbr1")).ok();
        is_near(texel(&folder, "a.dds", 0), [120, 40, 200, 255]);
    }
}

#[test]
fn a_format_is_chosen_for_the_new_channels() {
    let folder = folder();
    let chosen = |line: &str| {
        let report = report(&encode(&folder, &format!("art.png -f auto {line} --json")));
        (report["format"].as_str().unwrap().to_owned(), report["swizzle"].clone())
    };
    assert_eq!(chosen("--linear"), ("bc7".to_owned(), Value::Null));
    assert_eq!(chosen("--swizzle rgba"), ("bc7".to_owned(), Value::Null));
    assert_eq!(chosen("--swizzle aaa1"), ("bc4".to_owned(), "aaa1".into()));
    assert_eq!(chosen("--swizzle rgb1"), ("bc1".to_owned(), "rgb1".into()));
    let ran = encode(&folder, "art.png --swizzle bgr1");
    assert!(ran.ok().contains("swizzle bgr1"), "{ran:?}");
    assert!(!encode(&folder, "art.png -f bc7").ok().contains("swizzle"));
}

#[test]
fn numbers_between_srgb_colours_and_alpha_are_noted() {
    let folder = folder();
    for line in ["-f bc7 --swizzle aaa1", "-f bc7 --swizzle rgbg", "-f bc3 --swizzle arg1"] {
        let ran = encode(&folder, &format!("art.png {line}"));
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let letters = line.rsplit(' ').next().unwrap();
        let note = format!("art.png: the swizzle {letters} moves numbers between sRGB colours and alpha");
        ran.says(&[note.as_str(), "no transfer function is converted; --linear or --data"]);
    }
    for line in [
        "-f bc7 --swizzle bgra",
        "-f bc7 --swizzle rgb1",
        "-f bc7 --swizzle 0101",
        "-f bc7 --linear --swizzle aaa1",
        "-f bc7 --data --swizzle rgbg",
        "-f bc4 --swizzle aaa1",
    ] {
        encode(&folder, &format!("art.png {line}")).ok();
    }
}

#[test]
fn names_do_not_state_the_use_of_alpha() {
    let folder = Folder::new();
    // Smoothness in alpha.
    folder.write("rock_normal.png", &png_rgba(16, 16, |x, y| [128, 128, 255, (x * 15 + y) as u8]));
    let chosen = |swizzle: &str| {
        let line = format!("rock_normal.png -f auto --swizzle {swizzle} --json");
        report(&encode(&folder, &line))["format"].as_str().unwrap().to_owned()
    };
    assert_eq!(["rgba", "rgb1", "aaa1"].map(chosen), ["bc7", "bc5", "bc4"]);
    folder.write("rock_orm.png", &png_rgba(16, 16, |x, y| [x as u8 * 9, y as u8 * 7, 99, (x * y) as u8]));
    for (swizzle, is_noted) in [("bgra", true), ("aaa1", false), ("rga1", false)] {
        let ran = encode(&folder, &format!("rock_orm.png -f bc7 --swizzle {swizzle}"));
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        assert_eq!(ran.stderr.contains("the file's name says data"), is_noted, "{ran:?}");
    }
}

#[test]
fn colours_of_missing_alpha_are_noted() {
    let folder = folder();
    folder.write("opaque.png", &png_rgb(8, 8, |x, y| [x as u8 * 9, y as u8 * 7, 99]));
    for swizzle in ["aaa1", "rga1"] {
        let ran = encode(&folder, &format!("opaque.png -f bc7 --swizzle {swizzle}"));
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let note = format!("opaque.png: has no alpha, which the swizzle {swizzle} reads; it is 1");
        ran.says(&[note.as_str()]);
    }
    encode(&folder, "opaque.png -f bc7 --swizzle bgra").ok();
    encode(&folder, "art.png -f bc4 --swizzle aaa1").ok();
}

#[test]
fn arrays_and_panoramas_are_swizzled() {
    let folder = folder();
    folder.write("other.png", &png_rgba(8, 8, |_, _| [10, 20, 250, 160]));
    let assemble = |line: &str| {
        let words = ["assemble", "-q", "ultrafast", "--force"];
        folder.run(&words.into_iter().chain(line.split(' ')).collect::<Vec<_>>())
    };
    assemble("--array art.png other.png -o a.dds -f bc7 --linear --swizzle bgra").ok();
    is_near(texel(&folder, "a.dds", 0), [40, 120, 200, 80]);
    is_near(texel(&folder, "a.dds", 1), [250, 20, 10, 160]);
    // Every second column is bright and transparent. Alpha hides it, unless it is gone before the filter.
    let column = |x: u32| if x.is_multiple_of(2) { [200, 200, 200, 0] } else { [0, 0, 0, 255] };
    folder.write("panorama.png", &png_rgba(64, 32, |x, _| column(x)));
    assemble("--cubemap panorama.png -o sky.ktx2 -f bc7 --linear --face-size 4 --swizzle rgb1").ok();
    let cube = Texture::open(folder.path("sky.ktx2"), &Task::new()).unwrap();
    let index = ImageIndex { face: 4, ..ImageIndex::default() };
    let image = cube.decode(index, &DecodeOptions::default(), &Task::new()).unwrap();
    let texels = image.texels().as_rgba8().unwrap();
    let mean = texels.iter().map(|texel| u32::from(texel[0])).sum::<u32>() / texels.len() as u32;
    assert!(mean > 40, "{mean}");
    // The note and the report are those of a single image.
    let ran = assemble("--cubemap panorama.png -o sky.dds -f bc7 --swizzle aaa1 --json");
    let report = report(&ran);
    assert_eq!(report["encode"]["swizzle"], "aaa1");
    let notes = report["notes"].to_string();
    assert!(notes.contains("panorama.png: the swizzle aaa1 moves numbers"), "{notes}");
    for (option, words) in [("--swizzle bgra", "--swizzle needs images"), ("--data", "--data needs images")] {
        assemble(&format!("--array a.dds a.dds -o both.dds {option}")).fails(1, &[words]);
    }
}

#[test]
fn rules_and_the_cache_know_swizzles() {
    let folder = folder_with(&["a.png", "b.png"]);
    let swizzles = |rules: &str, options: &[&str]| {
        folder.write("rules.toml", rules.as_bytes());
        let words = ["encode", "in", "-o", "out/", "--rules", "rules.toml", "--force", "--json"];
        let ran = folder.run(&[&words[..], &["-q", "ultrafast"], options].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let json = ran.json();
        [0, 1].map(|index| json["files"][index]["swizzle"].clone())
    };
    let rules = "[[rule]]\nfiles = '**'\nswizzle = 'bgr1'\n[[rule]]\nfiles = 'b*'\nswizzle = false";
    assert_eq!(swizzles(rules, &[]), ["bgr1".into(), Value::Null]);
    assert_eq!(swizzles(rules, &["--swizzle", "rrr1"]), ["rrr1", "rrr1"].map(Value::from));
    folder.write("rules.toml", b"[[rule]]\nfiles = '**'\nswizzle = 'rgb'");
    folder
        .run(&["encode", "in", "-o", "none/", "--rules", "rules.toml"])
        .fails(3, &["rules.toml:3: swizzle: \"rgb\": expected four of r, g, b, a, 0 and 1"]);
    let run = |options: &[&str]| {
        cache::counts(&cache::encode(&folder, "cached/", &[&["-q", "ultrafast"], options].concat()))
    };
    assert_eq!(run(&[]), [2, 0, 0, 0]);
    assert_eq!(run(&["--swizzle", "bgr1"]), [2, 0, 0, 0]);
    assert_eq!(run(&["--swizzle", "bgr1"]), [0, 2, 0, 0]);
    assert_eq!(run(&["--swizzle", "rgba"]), [0, 0, 2, 0]);
}

#[test]
fn swizzles_that_are_none_are_refused() {
    let folder = folder();
    for letters in ["rgb", "rgbaa", "rgbx", "RGBA", ""] {
        let ran = folder.run(&["encode", "art.png", "--swizzle", letters]);
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        let words = if letters.is_empty() { "--swizzle" } else { letters };
        ran.says(&[words]);
        assert!(letters.is_empty() || ran.stderr.contains("expected four of r, g, b, a, 0 and 1"), "{ran:?}");
    }
    assert_eq!(folder.names(), ["art.png"]);
}

#[test]
fn data_are_linear_and_their_alpha_is_one_of_them() {
    let folder = Folder::new();
    let mask =
        |x: u32, y: u32| [x as u8 * 9, y as u8 * 7, 99, if (x + y).is_multiple_of(2) { 255 } else { 0 }];
    folder.write("art.png", &png_rgba(16, 16, mask));
    let of = |line: &str| {
        let report = report(&encode(&folder, &format!("art.png {line} --json")));
        ["format", "color_space", "color_space_reason"].map(|key| report[key].as_str().unwrap().to_owned())
    };
    assert_eq!(of("-f auto")[0], "bc1");
    assert_eq!(of("-f auto --data"), ["bc7", "linear", "--data"]);
    assert_eq!(of("-f bc3 --data --mips"), ["bc3", "linear", "--data"]);
    // The same as by a rule, which an option overrides.
    std::fs::create_dir(folder.path("in")).unwrap();
    std::fs::copy(folder.path("art.png"), folder.path("in/art.png")).unwrap();
    let by_rules = |kind: &str, options: &[&str]| {
        folder.write("rules.toml", format!("[[rule]]\nfiles = '**'\nkind = '{kind}'").as_bytes());
        let words = ["encode", "in", "-o", "out/", "--rules", "rules.toml", "--force", "-q", "ultrafast"];
        let ran = folder.run(&[&words[..], &["-f", "bc7", "--mips"], options].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        folder.read("out/art.dds")
    };
    encode(&folder, "art.png -f bc7 --mips --data").ok();
    let file = folder.read("a.dds");
    assert!(by_rules("data", &[]) == file && by_rules("color", &["--data"]) == file);
    assert!(by_rules("color", &[]) != file);
    for (line, words) in [
        ("--data --srgb", "--data and --srgb contradict each other"),
        (
            "--data -f DXGI_FORMAT_BC7_UNORM_SRGB",
            "the format's name states sRGB, but --data states the opposite (use --format bc7)",
        ),
    ] {
        encode(&folder, &format!("art.png {line}")).fails(1, &[words]);
    }
    for other in ["--normal", "--normal-flip-y", "--from-height=4", "--one-channel"] {
        let ran = encode(&folder, &format!("art.png -f auto --data {other}"));
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&["--data", other.split('=').next().unwrap()]);
    }
}

#[test]
fn data_that_are_not_kept_are_noted() {
    let folder = folder();
    let mask = |x: u32, y: u32| [200, 100, 50, if (x + y).is_multiple_of(2) { 255 } else { 0 }];
    folder.write("mask.png", &png_rgba(8, 8, mask));
    let ran = encode(&folder, "mask.png --data");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["mask.png: BC1 stores no colours where alpha is below the threshold; -f bc7 and -f bc3 do"]);
    for line in ["mask.png --linear", "mask.png --data --opaque", "mask.png --data -f bc3"] {
        encode(&folder, line).ok();
    }
    // Colours that a file has multiplied by alpha.
    encode(&folder, "art.png -f bc7 --linear").ok();
    let texture = Texture::open(folder.path("a.dds"), &Task::new()).unwrap();
    let desc = texture.desc().with_alpha_mode(AlphaMode::Premultiplied);
    let texture = Texture::new(desc, texture.data().to_vec()).unwrap();
    texture.save(folder.path("multiplied.ktx2"), &Task::new()).unwrap();
    encode(&folder, "multiplied.ktx2 -f bc7 --linear").ok();
    let divided = texel(&folder, "a.dds", 0);
    assert!(divided[0] > 250 && divided[1] > 250 && divided[3].abs_diff(80) <= 2, "{divided:?}");
}

#[test]
fn data_are_the_numbers_of_the_file() {
    let folder = folder();
    encode(&folder, "art.png -f bc7 --linear").ok();
    let texture = Texture::open(folder.path("a.dds"), &Task::new()).unwrap();
    let desc = texture.desc().with_alpha_mode(AlphaMode::Premultiplied);
    let texture = Texture::new(desc, texture.data().to_vec()).unwrap();
    texture.save(folder.path("masks.ktx2"), &Task::new()).unwrap();
    std::fs::copy(folder.path("masks.ktx2"), folder.path("rock_orm.ktx2")).unwrap();
    for (line, wanted) in [
        ("masks.ktx2 -f bc7 --data", [200, 120, 40, 80]),
        ("masks.ktx2 -f bc7 --data --swizzle rgb1", [200, 120, 40, 255]),
        ("masks.ktx2 -f bc7 --data --swizzle bgra", [40, 120, 200, 80]),
        // The name states data.
        ("rock_orm.ktx2 -f auto", [200, 120, 40, 80]),
    ] {
        let ran = encode(&folder, line);
        assert!(ran.exit == Some(0) && ran.stderr.is_empty(), "{ran:?}");
        is_near(texel(&folder, "a.dds", 0), wanted);
    }
    // The faces of a panorama, too: 16×8 texels with the header of a file of the same format.
    let mut file = std::fs::read(test_data("trouble/w12_dds_dx10_rgba8_premultiplied.dds")).unwrap();
    file.truncate(148);
    file[12] = 8;
    file[16] = 16;
    file.extend([200, 120, 40, 80].repeat(128));
    folder.write("panorama.dds", &file);
    let words = ["assemble", "--cubemap", "panorama.dds", "-o", "a.dds", "--force", "-f", "bc7", "--data"];
    let ran = folder.run(&words);
    assert!(ran.exit == Some(0) && ran.stderr.is_empty(), "{ran:?}");
    is_near(texel(&folder, "a.dds", 0), [200, 120, 40, 80]);
}
