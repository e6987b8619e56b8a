//! Half floats: EXR and Radiance in, BC6H out as EXR or by a tone map.

use crate::common::Folder;
use brickwork_image::image_file::{Texels, write_exr};
use brickwork_texture::{
    BlockFormat, Task, Texture, TextureDesc,
    container::{ContainerFormat, TextureWriteOptions},
    half::f16,
    pictures::read,
};
use std::io::Cursor;

/// A texture of BC6H whose blocks are of mode 11: red is 4 (or more), green 0.5, blue 0.
fn bc6h() -> Vec<u8> {
    // Endpoints of 10 bits: the half's bits · 64 / 31 / 64.
    let code = |half: u32| u128::from(half * 64 / 31 / 64);
    let [red, green] = [code(0x4400), code(0x3800)];
    let block = 0b00011 | red << 5 | green << 15 | (red + 16) << 35 | green << 45 | 0x7654_3210u128 << 66;
    let desc = TextureDesc::new_2d(BlockFormat::Bc6hUfloat, 8, 4);
    let texture = Texture::new(desc, block.to_le_bytes().repeat(2)).unwrap();
    let mut file = Vec::new();
    texture.write(&mut file, ContainerFormat::Dds, &TextureWriteOptions::default(), &Task::new()).unwrap();
    file
}

#[test]
fn bc6h_becomes_exr_or_a_tone_mapped_png() {
    let folder = Folder::new();
    folder.write("sky.dds", &bc6h());
    let said = folder.run(&["decode", "sky.dds", "-o", "sky.exr"]).ok().to_owned();
    assert!(said.contains("bc6h linear") && said.contains("EXR RGB in half floats"), "{said}");
    let json = folder.run(&["compare", "sky.dds", "sky.exr", "--exact", "--json"]).json();
    assert_eq!(json["hdr_metrics"]["max_steps"], 0);
    assert!(json["hdr_metrics"]["half_psnr"].is_null(), "{json}");
    let info = folder.run(&["info", "sky.exr"]).ok().to_owned();
    assert!(info.contains("EXR") && info.contains("8×4") && info.contains("linear"), "{info}");
    // Red of about 4 is beyond 1, and a quarter of it is not.
    let red = |arguments: &[&str]| {
        let ran = folder.run(&[&["decode", "sky.dds", "-o", "sky.png", "--force"], arguments].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        ran.says(&["half floats are shown by the tone map"]);
        let png = Cursor::new(folder.read("sky.png"));
        let Texels::Rgb8(texels) = read(png, None, &Default::default(), &Default::default()).unwrap().texels
        else {
            panic!("not 8-bit RGB")
        };
        texels[0]
    };
    assert_eq!(red(&[]), [255, 188, 0]);
    let [darker, green, _] = red(&["--exposure", "-3"]);
    assert!((186..=189).contains(&darker) && green < 80, "{darker}");
    let [reinhard, ..] = red(&["--tone-map", "reinhard"]);
    assert!((229..=233).contains(&reinhard), "{reinhard}");
    assert!(red(&["--tone-map", "aces-like"])[0] > reinhard);
    // The PNG is no longer the texture.
    let ran = folder.run(&["compare", "sky.dds", "sky.png", "--exact"]);
    assert_eq!(ran.exit, Some(7), "{ran:?}");
    ran.says(&["steps of half floats"]);
    assert!(ran.text().contains("half floats  PSNR"), "{ran:?}");
    let limit = ["compare", "sky.dds", "sky.png", "--fail-under", "half-psnr=90", "--quiet"];
    assert_eq!(folder.run(&limit).exit, Some(7));
    folder.run(&["compare", "sky.dds", "sky.exr", "--fail-under", "half-psnr=90"]).ok();
    let ran = folder.run(&["decode", "sky.dds", "--exposure", "99"]);
    assert_eq!(ran.exit, Some(1), "{ran:?}");
    ran.says(&["exposure", "-40 to 40"]);
}

#[test]
fn light_in_pictures_is_read_and_its_clamping_noted() {
    let folder = Folder::with_photo();
    folder.write("sky.dds", &bc6h());
    std::fs::create_dir(folder.path("in")).unwrap();
    folder.run(&["decode", "sky.dds", "-o", "in/sky.exr"]).ok();
    folder.write("in/lamp.hdr", b"#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x40\x20\x83");
    // Neither is skipped in a folder.
    let ran = folder.run(&["encode", "in/", "-o", "out/", "-f", "bc7"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&[
        "sky.exr: colours below 0 or above 1 are clamped, bc7 cannot store them",
        "lamp.hdr: colours below 0 or above 1 are clamped, bc7 cannot store them",
    ]);
    folder.run(&["info", "out/sky.dds"]).ok();
    folder.run(&["info", "out/lamp.dds"]).ok();
    // Integers are not written as EXR.
    folder.run(&["encode", "photo.png", "-o", "photo.dds", "--quiet"]).ok();
    folder
        .run(&["decode", "photo.dds", "-o", "photo.exr"])
        .fails(1, &["photo.dds", "bc1 decodes to integers, and EXR stores floats", ".png"]);
    folder.write("bad.hdr", b"#?RADIANCE\n\n-Y 1 +X 9\n\x02\x02\x00\x08");
    folder.run(&["encode", "bad.hdr", "-o", "bad.dds"]).fails(3, &["bad.hdr", "states 8"]);
}

/// An EXR file of 40×8 texels, of which `special` replace the first.
fn exr(special: &[[f32; 3]]) -> Vec<u8> {
    let mut texels: Vec<_> = (0..320).map(|i| [i as f32 / 9.0, 2.0, 1.0 + (i % 40) as f32 / 50.0]).collect();
    texels[..special.len()].copy_from_slice(special);
    let texels: Vec<_> = texels.into_iter().map(|[r, g, b]| [r, g, b, 1.0].map(f16::from_f32)).collect();
    let mut file = Vec::new();
    write_exr(&mut file, 40, 8, &texels, &Task::new()).unwrap();
    file
}

#[test]
fn special_values_are_counted_and_bright_ones_clamped() {
    let folder = Folder::new();
    folder.write("sun.exr", &exr(&[[-1.0, f32::NAN, f32::INFINITY], [-0.5, 9.0, 50000.0]]));
    let ran = folder.run(&["encode", "sun.exr", "-f", "bc6h", "-o", "sun.dds"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["sun.exr: 2 negative numbers became 0, 1 NaN became 0, 1 infinity became 65504"]);
    assert!(ran.text().contains("half floats PSNR") && ran.text().contains("log2 RMSE"), "{ran:?}");
    let json = |arguments: &[&str]| {
        let command = ["encode", "sun.exr", "--force", "--json", "-f"];
        folder.run(&[&command, arguments].concat()).json()["files"][0].clone()
    };
    let report = json(&["bc6h", "-o", "sun.dds"]);
    assert!(report["hdr_metrics"]["half_psnr"].as_f64().unwrap() > 30.0, "{report}");
    assert_eq!((&report["metrics"], &report["metric"]), (&serde_json::Value::Null, &"pattern".into()));
    let counts = |report: &serde_json::Value| {
        ["negative", "nan", "infinite", "negative_infinite", "above_max"]
            .map(|key| report["special_values"][key].as_u64().unwrap())
    };
    assert_eq!(counts(&report), [2, 1, 1, 0, 0]);
    let report = json(&["bc6hs", "--max-value", "40", "-o", "low.dds"]);
    assert_eq!((counts(&report), &report["metric"]), ([2, 1, 1, 0, 2], &"log".into()));
    assert_eq!(report["max_value"], 40.0);
    // The mip level of the firefly is not brighter either.
    json(&["bc6h", "--max-value", "40", "--mips", "-o", "low.dds"]);
    for level in ["0", "1", "2"] {
        folder.run(&["decode", "low.dds", "--level", level, "-o", "low.exr", "--force"]).ok();
        let file = Cursor::new(folder.read("low.exr"));
        let Texels::RgbF16(texels) =
            read(file, None, &Default::default(), &Default::default()).unwrap().texels
        else {
            panic!("not RGB in half floats")
        };
        let brightest = texels.as_flattened().iter().fold(f16::ZERO, |a, &b| a.max(b));
        assert!(brightest <= f16::from_f32(41.0), "level {level}: {brightest}");
    }
    for value in ["0", "-3", "70000", "nan", "bright"] {
        let ran = folder.run(&["encode", "sun.exr", "-f", "bc6h", &format!("--max-value={value}")]);
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&["0.00007 to 65504"]);
    }
}

/// The reader clamps numbers that half floats cannot store, and counts them.
#[test]
fn numbers_beyond_half_floats_are_counted() {
    let folder = Folder::new();
    let numbers = [1e9f32, 0.5, -1e9, 65519.0, f32::INFINITY, 1.0];
    // A DDS file of two texels of three floats.
    let mut file = vec![0; 148];
    let words = [(4, 124), (8, 0x1007), (12, 1), (16, 2), (76, 32), (80, 4), (108, 0x1000)];
    for (at, word) in words.into_iter().chain([(128, 6), (132, 3), (140, 1)]) {
        file[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
    }
    file[..4].copy_from_slice(b"DDS ");
    file[84..88].copy_from_slice(b"DX10");
    file.extend(numbers.map(f32::to_le_bytes).as_flattened());
    folder.write("light.dds", &file);
    let ran = folder.run(&["encode", "light.dds", "-f", "bc6h", "-o", "out.dds", "--json"]);
    let report = &ran.json()["files"][0]["special_values"];
    let counts = ["negative", "infinite", "overflow"].map(|key| report[key].as_u64().unwrap());
    assert_eq!(counts, [1, 1, 2], "{report}");
    let ran = folder.run(&["encode", "light.dds", "-f", "bc6h", "-o", "out.dds", "--force"]);
    ran.says(&["light.dds: 2 numbers are beyond half floats and became ±65504"]);
}

#[test]
fn differences_of_light_are_shown_by_a_tone_map() {
    let folder = Folder::new();
    folder.write("a.exr", &exr(&[[0.5, 2.0, 0.0]]));
    folder.write("b.exr", &exr(&[[0.0, 4.0, 0.0]]));
    let first = |arguments: &[&str]| {
        let command = ["compare", "a.exr", "b.exr", "--diff", "d.png", "--force", "--scale", "1"];
        folder.run(&[&command, arguments].concat()).ok();
        let png = Cursor::new(folder.read("d.png"));
        let Texels::Rgb8(texels) = read(png, None, &Default::default(), &Default::default()).unwrap().texels
        else {
            panic!("not 8-bit RGB")
        };
        assert!(texels[1..].iter().all(|&texel| texel == [0; 3]));
        texels[0]
    };
    // 0.5 is 188 in sRGB.
    assert_eq!(first(&[]), [188, 0, 0]);
    assert_eq!(first(&["--exposure", "-2"]), [99, 67, 0]);
    assert_eq!(first(&["--tone-map", "reinhard"]), [156, 18, 0]);
    let ran = folder.run(&["compare", "a.exr", "b.exr", "--exposure", "1"]);
    assert_eq!(ran.exit, Some(1), "{ran:?}");
    ran.says(&["--diff"]);
}

#[test]
fn auto_chooses_bc6h_for_half_floats() {
    let folder = Folder::new();
    folder.write("sky.exr", &exr(&[[-1.0, 1.0, 1.0]; 3]));
    folder.write("motion.exr", &exr(&[[-1.0, 1.0, 1.0]; 4]));
    let format = |name: &str, more: &[&str]| {
        let json = folder.run(&[&["encode", name, "-f", "auto", "--force", "--json"], more].concat()).json();
        let report = &json["files"][0];
        format!("{} {}", report["format"].as_str().unwrap(), report["format_reason"].as_str().unwrap())
    };
    assert_eq!(format("sky.exr", &[]), "bc6h half floats");
    assert_eq!(format("motion.exr", &[]), "bc6hs half floats, 1.2 % of texels below 0");
    assert_eq!(format("sky.exr", &["--legacy"]), "bc1 every texel is opaque");
    assert_eq!(format("sky.exr", &["--one-channel"]), "bc4 one channel");
    // Modes, from 1 to 14.
    let json = folder.run(&["info", "motion.dds", "--modes", "--json"]).json();
    let modes = &json["files"][0]["modes"];
    assert_eq!((&modes["first"], &modes["none"]), (&1.into(), &0.into()));
    let counts = modes["modes"].as_array().unwrap();
    assert_eq!((counts.len(), counts.iter().map(|count| count.as_u64().unwrap()).sum::<u64>()), (14, 20));
    let ran = folder.run(&["info", "motion.dds", "--modes-image", "m.png"]);
    assert!(ran.text().contains("14 violet"), "{ran:?}");
}
