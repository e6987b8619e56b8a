//! `encode --assign-oetf` and `--convert-oetf`: transfer functions of images.

use crate::{
    cache,
    common::{Folder, Ran, png_rgb, png_rgba},
    rules::folder_with,
};
use brickwork_texture::{ImageIndex, Task};
use serde_json::Value;

/// A folder with `art.png`, of one colour.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("art.png", &png_rgba(8, 8, |_, _| [128, 188, 255, 80]));
    folder
}

/// Encodes `art.png` to `a.dds`, in the fastest way.
fn encode(folder: &Folder, line: &str) -> Ran {
    let words = ["encode", "art.png", "-q", "ultrafast", "-o", "a.dds", "--force", "--json"];
    folder.run(&words.into_iter().chain(line.split(' ')).collect::<Vec<_>>())
}

/// The report of the only file.
fn report(ran: &Ran) -> Value {
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.json()["files"][0].clone()
}

/// The first texel.
fn texel(folder: &Folder, layer: u32) -> [u8; 4] {
    folder.texels("a.dds", ImageIndex { layer, ..ImageIndex::default() })[0]
}

#[track_caller]
fn is_near(found: [u8; 4], wanted: [u8; 4]) {
    let is_near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 2);
    assert!(is_near, "{found:?}, not {wanted:?}");
}

#[test]
fn numbers_are_converted_before_they_are_encoded() {
    let folder = folder();
    for (line, color_space, wanted) in [
        ("-f bc7", "sRGB", [128, 188, 255, 80]),
        ("-f bc7 --assign-oetf srgb", "sRGB", [128, 188, 255, 80]),
        ("-f bc7 --assign-oetf linear", "linear", [128, 188, 255, 80]),
        ("-f bc7 --convert-oetf srgb", "sRGB", [128, 188, 255, 80]),
        ("-f bc7 --convert-oetf linear", "linear", [55, 128, 255, 80]),
        ("-f bc7 --assign-oetf linear --convert-oetf srgb", "sRGB", [188, 223, 255, 80]),
        ("-f bc7 --assign-oetf gamma:2.2", "sRGB", [129, 189, 255, 80]),
        ("-f bc7 --assign-oetf gamma:1 --convert-oetf srgb", "sRGB", [188, 223, 255, 80]),
        ("-f bc7 --assign-oetf gamma:2.2 --convert-oetf linear", "linear", [56, 130, 255, 80]),
        ("-f DXGI_FORMAT_BC7_UNORM --assign-oetf gamma:2.2", "linear", [56, 130, 255, 80]),
        ("-f rgba8 --convert-oetf linear", "linear", [55, 128, 255, 80]),
        ("-f bgra8 --assign-oetf gamma:2.2", "sRGB", [129, 189, 255, 80]),
        ("-f bc7 --swizzle ggg1 --convert-oetf linear", "linear", [128, 128, 128, 255]),
    ] {
        let report = report(&encode(&folder, line));
        assert_eq!(report["color_space"], color_space, "{line}");
        is_near(texel(&folder, 0), wanted);
    }
}

/// Colours of a PNG with a gAMA chunk become sRGB. Other numbers stay.
#[test]
fn the_gamma_of_a_file_is_converted_for_colours() {
    let folder = folder();
    let mut png = folder.read("art.png");
    let start = png.windows(4).position(|name| name == b"sRGB").unwrap() - 4;
    // gAMA 0.55556, instead of the sRGB chunk.
    png.splice(start..start + 13, *b"\0\0\0\x04gAMA\0\0\xd9\x04\xdc\xb2\xda\x02");
    folder.write("art.png", &png);
    let (converted, kept) = ([146, 200, 255, 80], [128, 188, 255, 80]);
    let said = ["are converted from the tone curve of PNG gAMA 0.55556", "keep the tone curve of PNG gAMA"];
    for (line, wanted, note) in [
        ("-f rgba8", converted, said[0]),
        ("-f rgba8 --convert-oetf srgb", converted, said[0]),
        ("-f rgba8 --data", kept, said[1]),
        ("-f rgba8 --linear", kept, said[1]),
        ("-f rgba8 --srgb", kept, said[1]),
        ("-f rgba8 --assign-oetf srgb", kept, said[1]),
        ("-f DXGI_FORMAT_BC7_UNORM", kept, said[1]),
        ("-f DXGI_FORMAT_BC7_UNORM_SRGB", converted, said[0]),
    ] {
        let ran = encode(&folder, line);
        assert_eq!(report(&ran)["input"], "art.png", "{line}");
        ran.says(&[note]);
        is_near(texel(&folder, 0), wanted);
    }
    encode(&folder, "-f rgba16").says(&[said[1]]);
    assert!(folder.read("a.dds").ends_with(&[128, 128, 188, 188, 255, 255, 80, 80]));
}

/// Replaces the sRGB chunk of `art.png` by a cICP chunk.
fn state_code_points(folder: &Folder, chunk: &[u8; 16]) {
    let mut png = folder.read("art.png");
    let start = png.windows(4).position(|name| name == b"sRGB").unwrap() - 4;
    png.splice(start..start + 13, *chunk);
    folder.write("art.png", &png);
}

/// Colours of Display P3 become those of sRGB. Other numbers stay.
#[test]
fn the_primaries_of_a_file_are_converted_for_colours() {
    let folder = folder();
    state_code_points(&folder, b"\0\0\0\x04cICP\x0c\x0d\0\x01n\x03\xe3\xef");
    // By the matrices of CSS Color 4.
    let (converted, kept) = ([108, 190, 255, 80], [128, 188, 255, 80]);
    let notes =
        ["are converted from the primaries of PNG cICP chunk (Display P3)", "keep the primaries of PNG"];
    for (line, wanted, note) in [
        ("-f rgba8", converted, notes[0]),
        ("-f rgba8 --data", kept, notes[1]),
        ("-f rgba8 --srgb", kept, notes[1]),
        ("-f rgba8 --assign-oetf srgb", kept, notes[1]),
    ] {
        let ran = encode(&folder, line);
        let report = report(&ran);
        ran.says(&[note]);
        is_near(texel(&folder, 0), wanted);
        let reason = report["color_space_reason"].as_str().unwrap();
        assert_eq!(reason.contains("(Display P3), converted to sRGB"), wanted == converted, "{reason}");
    }
}

/// PQ becomes light for formats of floats, and sRGB for others.
#[test]
fn pq_becomes_light_or_srgb() {
    let folder = folder();
    folder.write("art.png", &png_rgb(8, 8, |_, _| [148; 3]));
    state_code_points(&folder, b"\0\0\0\x04cICP\x09\x10\0\x01M##\xfe");
    let ran = encode(&folder, "-f bc6h");
    assert_eq!(report(&ran)["color_space"], "linear");
    ran.says(&["tone curve and primaries of PNG cICP chunk: PQ (Rec. 2020) to linear Rec. 709"]);
    folder.run(&["decode", "a.dds", "-o", "light.exr"]).ok();
    let read = brickwork_image::image_file::ImageReadOptions::default();
    let light = std::io::Cursor::new(folder.read("light.exr"));
    let picture = brickwork_texture::pictures::read(light, None, &read, &Task::new()).unwrap();
    let brickwork_image::image_file::Texels::RgbF16(texels) = picture.texels else { panic!("half floats") };
    // 148 of 255 is 202 cd/m², nearly diffuse white.
    assert!(texels[0].iter().all(|light| (light.to_f32() - 0.9972).abs() < 0.02), "{:?}", texels[0]);
    let ran = encode(&folder, "-f auto");
    assert_eq!(report(&ran)["format"], "bc6h");
    let ran = encode(&folder, "-f bc7");
    assert_eq!(report(&ran)["color_space"], "sRGB");
    is_near(texel(&folder, 0), [255, 255, 255, 255]);
    encode(&folder, "-f bc7 --data").says(&["numbers keep the tone curve and primaries"]);
    is_near(texel(&folder, 0), [148, 148, 148, 255]);
}

#[test]
fn the_report_has_the_functions() {
    let folder = folder();
    let report = report(&encode(&folder, "-f bc7 --assign-oetf gamma:1.8 --convert-oetf linear"));
    assert!(report["assigned_oetf"] == "gamma:1.8" && report["converted_oetf"] == "linear", "{report}");
    assert_eq!(report["color_space_reason"], "gamma:1.8 is assigned; converted to linear");
    let plain = self::report(&encode(&folder, "-f bc7"));
    assert!(plain["assigned_oetf"].is_null() && plain["converted_oetf"].is_null(), "{plain}");
}

#[test]
fn pictures_become_light_for_bc6h() {
    let folder = folder();
    encode(&folder, "-f bc6h").fails(
        1,
        &["bc6h holds linear light, but the picture is sRGB", "(--convert-oetf linear converts it; --linear"],
    );
    let report = report(&encode(&folder, "-f bc6h --convert-oetf linear"));
    assert_eq!(report["color_space"], "linear");
    folder.run(&["decode", "a.dds", "-o", "light.exr"]).ok();
    let read = brickwork_image::image_file::ImageReadOptions::default();
    let light = std::io::Cursor::new(folder.read("light.exr"));
    let picture = brickwork_texture::pictures::read(light, None, &read, &Task::new()).unwrap();
    let brickwork_image::image_file::Texels::RgbF16(texels) = picture.texels else { panic!("half floats") };
    for (found, wanted) in texels[0].iter().zip([0.2159, 0.5029, 1.0]) {
        assert!((found.to_f32() - wanted).abs() < 0.01, "{found} {wanted}");
    }
}

#[test]
fn arrays_and_panoramas_are_converted() {
    let folder = folder();
    let assemble = |line: &str| {
        let words = ["assemble", "-q", "ultrafast", "-o", "a.dds", "--force", "-f", "bc7"];
        folder.run(&words.into_iter().chain(line.split(' ')).collect::<Vec<_>>()).ok();
    };
    assemble("--array art.png art.png --convert-oetf linear");
    is_near(texel(&folder, 1), [55, 128, 255, 80]);
    folder.write("panorama.png", &png_rgba(16, 8, |_, _| [128, 188, 255, 80]));
    assemble("--cubemap panorama.png --assign-oetf linear --convert-oetf srgb");
    is_near(texel(&folder, 0), [188, 223, 255, 80]);
    let ran = folder.run(&["assemble", "--array", "a.dds", "a.dds", "-o", "b.dds", "--convert-oetf", "srgb"]);
    ran.fails(1, &["--convert-oetf needs images"]);
}

#[test]
fn rules_and_the_cache_know_transfer_functions() {
    let folder = folder_with(&["a.png", "b.png"]);
    let spaces = |rules: &str, options: &[&str]| {
        folder.write("rules.toml", rules.as_bytes());
        let words = ["encode", "in", "-o", "out/", "--rules", "rules.toml", "--force", "--json"];
        let ran = folder.run(&[&words[..], &["-q", "ultrafast", "-f", "bc7"], options].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let json = ran.json();
        [0, 1].map(|index| json["files"][index]["color_space"].as_str().unwrap().to_owned())
    };
    let rules =
        "[[rule]]\nfiles = '**'\nconvert-oetf = 'linear'\n[[rule]]\nfiles = 'b*'\nconvert-oetf = false";
    assert_eq!(spaces(rules, &[]), ["linear", "sRGB"]);
    assert_eq!(spaces(rules, &["--assign-oetf", "linear", "--convert-oetf", "srgb"]), ["sRGB", "sRGB"]);
    // A colour space of the command line excludes a conversion.
    assert_eq!(spaces(rules, &["--srgb"]), ["sRGB", "sRGB"]);
    folder.write("rules.toml", b"[[rule]]\nfiles = '**'\nassign-oetf = 'gamma:99'");
    folder
        .run(&["encode", "in", "-o", "none/", "--rules", "rules.toml"])
        .fails(3, &["rules.toml:3: assign-oetf: \"gamma:99\": expected \"srgb\", \"linear\", or gamma:G"]);
    let run = |options: &[&str]| {
        cache::counts(&cache::encode(&folder, "cached/", &[&["-q", "ultrafast"], options].concat()))
    };
    assert_eq!(run(&[]), [2, 0, 0, 0]);
    assert_eq!(run(&["--assign-oetf", "gamma:2.4"]), [2, 0, 0, 0]);
    assert_eq!(run(&["--assign-oetf", "gamma:2.5"]), [2, 0, 0, 0]);
    assert_eq!(run(&[]), [0, 0, 2, 0]);
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = folder();
    folder.write("rock_n.png", &png_rgb(8, 8, |_, _| [128, 128, 255]));
    for (line, words) in [
        ("-f bc7 --data --convert-oetf linear", "assign-oetf and convert-oetf are for colours, not data"),
        ("-f bc5 --normal --assign-oetf linear", "are for colours, not normal maps"),
        ("-f bc4 --convert-oetf srgb", "bc4 has no sRGB variant (use --convert-oetf linear)"),
        (
            "-f DXGI_FORMAT_BC7_UNORM_SRGB --convert-oetf linear",
            "--convert-oetf is linear, but the format's name or another option states sRGB",
        ),
    ] {
        encode(&folder, line).fails(1, &[words]);
    }
    for line in ["--srgb --convert-oetf linear", "--linear --assign-oetf srgb", "--assign-oetf gamma:0"] {
        let ran = encode(&folder, line);
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&["-oetf"]);
    }
    // A name that states normals does not count for numbers that are converted.
    let ran = folder.run(&["encode", "rock_n.png", "-f", "auto", "--convert-oetf", "srgb", "--json"]);
    assert_eq!(report(&ran)["color_space"], "sRGB");
}
