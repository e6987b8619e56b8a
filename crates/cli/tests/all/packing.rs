//! `encode --channel`: channels of several images in one texture, by options, rules and the cache.

use crate::{
    cache,
    common::{Folder, png_rgb, png_rgba},
};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{ColorSpace, DecodeOptions, DecodedTexels, ImageIndex, Task, Texture};
use std::fs;

/// A folder with flat images: `ao.png`, `rough.png`, `metal.png`, which has other numbers in red than in
/// green, and `leaf.png` with colours and alpha. `in` has the first three with names of one material.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    for (name, texel) in [("ao", [200; 3]), ("rough", [120; 3]), ("metal", [30, 90, 150])] {
        let png = png_rgb(8, 8, |_, _| texel);
        folder.write(&format!("{name}.png"), &png);
        folder.write(&format!("in/rock_{name}.png"), &png);
    }
    folder.write("leaf.png", &png_rgba(8, 8, |_, _| [60, 140, 20, 255]));
    folder.write("small.png", &png_rgb(4, 8, |_, _| [1; 3]));
    folder
}

/// The first texel.
fn texel(folder: &Folder, name: &str) -> [u8; 4] {
    folder.texels(name, ImageIndex::default())[0]
}

const PACKED: &str = "encode ao.png --channel g=rough.png --channel b=metal.png:g -f rgba8 -o a.dds --force";

#[test]
fn channels_of_several_images_become_one_texture() {
    let folder = folder();
    let text = folder.line(PACKED);
    assert!(text.ok().contains("g from r of rough.png"), "{text:?}");
    assert_eq!(texel(&folder, "a.dds"), [200, 120, 90, 255]);
    let report = &folder.line(&format!("{PACKED} --json")).json()["files"][0];
    assert_eq!(report["packed_channels"]["b"]["input"], "metal.png", "{report}");
    assert_eq!(report["packed_channels"]["b"]["channel"], "g", "{report}");
    assert!(report["color_space"] == "linear" && report["input"] == "ao.png", "{report}");
    assert_eq!(report["color_space_reason"], "--data");
    // The swizzle applies to the packed channels.
    folder.line(&format!("{PACKED} --swizzle bgr1")).ok();
    assert_eq!(texel(&folder, "a.dds"), [90, 120, 200, 255]);
}

#[test]
fn packed_alpha_keeps_the_colours() {
    let folder = folder();
    let line = "encode leaf.png --channel a=rough.png -f rgba8 -o a.dds --json --force";
    let report = &folder.line(line).json()["files"][0];
    assert!(report["color_space"] == "sRGB" && report["alpha_mode"] == "straight", "{report}");
    assert_eq!(texel(&folder, "a.dds"), [60, 140, 20, 120]);
    // A stated use counts.
    for (option, color_space) in [("--srgb", "sRGB"), ("--linear", "linear"), ("--data", "linear")] {
        let report = &folder.line(&format!("{PACKED} --json {option}")).json()["files"][0];
        assert_eq!(report["color_space"], color_space, "{option}");
    }
}

#[test]
fn the_widest_type_is_kept() {
    let folder = folder();
    let mut wide = Vec::new();
    let texels = [40_000u16; 64];
    let png = PngTexels::Grey16(&texels);
    write_png(&mut wide, 8, 8, png, ColorSpace::Linear, &Task::new()).unwrap();
    folder.write("height.png", &wide);
    folder.line("encode ao.png --channel b=height.png -f rgba16 -o a.dds").ok();
    let texture = Texture::open(folder.path("a.dds"), &Task::new()).unwrap();
    let image = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new()).unwrap();
    let DecodedTexels::Rgba16(texels) = image.texels() else { panic!("16 bits") };
    assert_eq!(texels[0], [200 * 257, 200 * 257, 40_000, 65_535]);
}

#[test]
fn rules_name_the_files_beside_their_images() {
    let folder = folder();
    let rules = "[[rule]]\nfiles = '*'\nskip = true\n[[rule]]\nfiles = '*_ao.png'\nskip = false\n\
         name = 'orm'\nformat = 'rgba8'\nchannel = ['g={base}_rough.png', 'b={base}_metal.png:b']\n";
    folder.write("in/brickwork.toml", rules.as_bytes());
    let actions = |options: &[&str]| cache::actions(&cache::encode(&folder, "out/", options));
    assert_eq!(actions(&[]), ["written"]);
    assert_eq!(texel(&folder, "out/orm.dds"), [200, 120, 150, 255]);
    // The cache knows the other files and their channels.
    assert_eq!(actions(&[]), ["up-to-date"]);
    folder.write("in/rock_rough.png", &png_rgb(8, 8, |_, _| [77; 3]));
    assert_eq!(actions(&[]), ["written"]);
    folder.write("in/brickwork.toml", rules.replace("png:b", "png").as_bytes());
    assert_eq!(actions(&[]), ["written"]);
    assert_eq!(texel(&folder, "out/orm.dds"), [200, 77, 30, 255]);
    // The command line replaces them, also by files outside of the folder, and a later rule has none.
    let outside = ["--channel", "r=metal.png:b"];
    assert_eq!(actions(&outside), ["written"]);
    assert_eq!(texel(&folder, "out/orm.dds"), [150, 200, 200, 255]);
    assert_eq!(actions(&outside), ["up-to-date"]);
    folder.write("metal.png", &png_rgb(8, 8, |_, _| [1, 2, 60]));
    assert_eq!(actions(&outside), ["written"]);
    assert_eq!(texel(&folder, "out/orm.dds"), [60, 200, 200, 255]);
    // Such files do not decide which outputs are stale.
    let other = rules.replace("'orm'", "'other'").replace("png:b", "png:g");
    folder.write("in/brickwork.toml", other.as_bytes());
    let ran = cache::encode(&folder, "out/", &[]);
    assert_eq!(cache::actions(&ran), ["written", "stale"], "{ran:?}");
    ran.says(&["out/orm.dds: stale, because this command does not make it from in/rock_ao.png"]);
    let later = format!("{rules}[[rule]]\nfiles = '*'\nchannel = false\n");
    folder.write("in/brickwork.toml", later.as_bytes());
    let file = cache::encode(&folder, "out/", &[]).json()["files"][0].clone();
    assert!(file["format"] == "rgba8" && file["packed_channels"].is_null(), "{file}");
    for (value, words) in [("true", "expected false, or a list"), ("'g'", "expected a channel and a file")] {
        folder.write("in/brickwork.toml", format!("[[rule]]\nfiles='*'\nchannel={value}").as_bytes());
        folder.line("encode in -o none/").fails(3, &["brickwork.toml:3: channel", words]);
    }
}

#[test]
fn a_change_of_another_file_is_an_update() {
    let folder = folder();
    folder.line(PACKED).ok();
    let line = PACKED.replace(" --force", " --update --json");
    assert_eq!(cache::actions(&folder.line(&line)), ["up-to-date"]);
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    let file = fs::File::options().write(true).open(folder.path("metal.png")).unwrap();
    file.set_modified(later).unwrap();
    assert_eq!(cache::actions(&folder.line(&line)), ["written"]);
}

#[test]
fn files_and_options_that_do_not_fit_are_refused() {
    let folder = folder();
    for (line, words) in [
        ("encode ao.png --channel g=small.png", "small.png: has 4×8 texels, but ao.png has 8×8"),
        ("encode ao.png --channel g=rough.png -f bc4", "channel g is packed, which bc4 does not store"),
        ("encode ao.png --channel g=a.png --channel g=b.png", "--channel: channel g is stated twice"),
        ("assemble --array ao.png ao.png -o a.dds --channel g=rough.png", "--channel is for single images"),
    ] {
        folder.line(line).fails(1, &[words]);
    }
    folder.line("encode ao.png --channel g=lost.png").fails(2, &["lost.png: no such file"]);
    let ran = folder.line("encode ao.png --channel rough.png");
    assert_eq!(ran.exit, Some(1), "{ran:?}");
    ran.says(&["--channel", "such as g=rough.png"]);
}
