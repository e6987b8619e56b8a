//! `brickwork encode`: what comes out, and what is refused.

use crate::common::{Folder, Ran, kodak, photo, png_rgb, png_rgba};
use brickwork_image::image_file::{PngTexels, Texels, write_png};
use brickwork_texture::{ColorSpace, Task, pictures};
use std::fs;

/// The report of the only file.
fn report(ran: &Ran) -> serde_json::Value {
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.json()["files"][0].clone()
}

#[test]
fn a_photo_becomes_a_dds_beside_it() {
    let folder = Folder::new();
    fs::copy(kodak(), folder.path("kodim23.png")).unwrap();
    let ran = folder.run(&["encode", "kodim23.png"]);
    let text = ran.ok();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("kodim23.png → kodim23.dds  768×512  bc1 sRGB (PNG sRGB chunk)"), "{text}");
    assert!(lines[0].ends_with("1.1 MiB of texels → 192 KiB (6:1)"), "{text}");
    for part in ["PSNR ", " dB RGB (exact decoder)", "Mpix/s", "normal", "thread"] {
        assert!(lines[1].contains(part), "{part}: {text}");
    }
    assert_eq!(folder.names(), ["kodim23.dds", "kodim23.png"]);
    let file = folder.read("kodim23.dds");
    assert!(file.starts_with(b"DDS "));

    // A sane lower bound, by another way than the report's own.
    folder.run(&["compare", "kodim23.png", "kodim23.dds", "--fail-under", "psnr=25", "--quiet"]).ok();
}

#[test]
fn the_ending_decides_the_container() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "-o", "a.dds"]).ok();
    folder.run(&["encode", "photo.png", "-o", "a.KTX2"]).ok();
    folder.run(&["encode", "photo.png", "--container", "ktx2"]).ok();
    folder.run(&["encode", "photo.png", "-o", "plain", "--container", "dds"]).ok();
    assert!(folder.read("a.dds").starts_with(b"DDS "));
    assert!(folder.read("a.KTX2").starts_with(b"\xabKTX 20"));
    assert_eq!(folder.read("photo.ktx2"), folder.read("a.KTX2"));
    assert_eq!(folder.read("plain"), folder.read("a.dds"));

    folder
        .run(&["encode", "photo.png", "-o", "a.jpg"])
        .fails(1, &["a.jpg", "cannot write .jpg files", "use .dds, .ktx2 or .astc"]);
    folder
        .run(&["encode", "photo.png", "-o", "none"])
        .fails(1, &["none", "no extension", "--container", "folder"]);
    folder.run(&["encode", "photo.png", "-o", "b.dds", "--container", "ktx2"]).fails(1, &["b.dds"]);
    folder.run(&["encode", "photo.png", "-o", "b.dds", "--zstd"]).fails(1, &["--zstd is for ktx2"]);
    folder.run(&["encode", "photo.png", "-o", "b.ktx2", "--dx10"]).fails(1, &["--dx10 is for dds"]);
}

#[test]
fn headers_and_supercompression_are_as_asked() {
    let folder = Folder::with_photo();
    let size = |arguments: &[&str]| {
        let all: Vec<_> =
            ["encode", "photo.png", "--force", "--json"].iter().chain(arguments).copied().collect();
        report(&folder.run(&all))["file_bytes"].as_u64().unwrap()
    };
    let dx10 = size(&["-o", "a.dds", "--dx10", "--linear"]);
    assert_eq!(dx10 - size(&["-o", "a.dds", "--legacy"]), 20);
    assert!(size(&["-o", "a.ktx2", "--zstd"]) < size(&["-o", "a.ktx2"]));
    assert!(size(&["-o", "a.ktx2", "--zstd=19"]) < size(&["-o", "a.ktx2"]));
    let ran = folder.run(&["encode", "photo.png", "--zstd=99", "-o", "c.ktx2"]);
    assert_eq!(ran.exit, Some(1));
    ran.says(&["--zstd", "99"]);
}

#[test]
fn textures_are_inputs_too() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "-o", "a.ktx2", "--zstd", "--mips"]).ok();
    let ran = folder.run(&["encode", "a.ktx2", "-o", "b.dds"]);
    ran.says(&["note: a.ktx2: only the first of 7 mip levels is encoded"]);
    assert!(ran.text().contains("sRGB (KTX2 format VK_FORMAT_BC1_RGB_SRGB_BLOCK with sRGB)"), "{ran:?}");
    // The same as by way of a PNG.
    folder.run(&["decode", "a.ktx2", "-o", "a.png"]).ok();
    folder.run(&["encode", "a.png", "-o", "c.dds"]).ok();
    assert_eq!(folder.read("b.dds"), folder.read("c.dds"));
    folder.run(&["encode", "b.dds", "-o", "d.ktx2"]).ok();
    folder.run(&["compare", "a.png", "d.ktx2", "--fail-under", "psnr=40", "--quiet"]).ok();
    let file = folder.read("a.ktx2");
    folder.write("short.ktx2", &file[..file.len() - 1]);
    folder.run(&["encode", "short.ktx2"]).fails(3, &["short.ktx2: KTX2, at about byte", "ends too early"]);
}

#[test]
fn names_of_formats_may_state_the_color_space() {
    let folder = Folder::with_photo();
    let color_space = |arguments: &[&str]| {
        let all: Vec<_> =
            ["encode", "photo.png", "--force", "--json"].iter().chain(arguments).copied().collect();
        let report = report(&folder.run(&all));
        let text = |key| report[key].as_str().unwrap_or_default().to_owned();
        (text("color_space"), text("color_space_reason"))
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(color_space(&[]), pair("sRGB", "PNG sRGB chunk"));
    assert_eq!(color_space(&["--linear"]), pair("linear", "--linear"));
    assert_eq!(color_space(&["-f", "dxt1", "--srgb"]), pair("sRGB", "--srgb"));
    assert_eq!(color_space(&["-f", "VK_FORMAT_BC1_RGB_UNORM_BLOCK"]), pair("linear", "the format's name"));
    assert_eq!(color_space(&["-f", "DXGI_FORMAT_BC1_UNORM_SRGB"]), pair("sRGB", "the format's name"));

    let contradiction = ["encode", "photo.png", "--force", "-f", "DXGI_FORMAT_BC1_UNORM_SRGB", "--linear"];
    folder.run(&contradiction).fails(1, &["sRGB", "--linear", "--format bc1"]);
    let ran = folder.run(&["encode", "photo.png", "-f", "jpeg"]);
    assert_eq!(ran.exit, Some(1));
    ran.says(&["\"jpeg\" is not a format to encode to", "bc7"]);
    folder.run(&["encode", "photo.png", "-o", "b.dds", "-f", "bc6h"]).fails(1, &["bc6h holds linear light"]);
    folder.run(&["encode", "photo.png", "-o", "bc6h.dds", "-f", "bc6h", "--linear"]).ok();
    let ran = folder.run(&["encode", "photo.png", "-o", "b.dds", "-f", "bc8"]);
    ran.says(&["\"bc8\" is not a format to encode to"]);
    assert_eq!(ran.exit, Some(1));
    ran.says(&["expected auto, bc1,", "bc7"]);
    assert!(ran.stderr.contains("astc-4x4") && !ran.stderr.contains("astc-5x4"), "{ran:?}");
    assert!(!folder.path("b.dds").exists());
}

/// Every format that has an encoder, to both containers and back.
#[test]
fn every_format_goes_to_files_and_back() {
    let folder = Folder::with_photo();
    for (format, channels, png) in [
        ("bc2", "RGB (", "PNG RGB "),
        ("bc3", "RGB (", "PNG RGB "),
        ("bc4", "R (real decoder)", "PNG grey"),
        ("bc4s", "R (real decoder)", "PNG grey"),
        ("bc5", "RG (real decoder)", "PNG RGB "),
        ("bc5s", "RG (real decoder)", "PNG RGB "),
        ("bc7", "RGB (", "PNG RGB "),
    ] {
        let [dds, ktx2] = ["dds", "ktx2"].map(|extension| format!("{format}.{extension}"));
        for file in [&dds, &ktx2] {
            let ran = folder.run(&["encode", "photo.png", "-f", format, "-o", file, "--mips"]);
            assert!(ran.ok().contains(channels), "{ran:?}");
            let ran = folder.run(&["decode", file, "--force"]);
            assert!(ran.ok().contains(png), "{ran:?}");
        }
        let measure = if channels == "RGB (" { "psnr=30" } else { "psnr-r=30" };
        folder.run(&["compare", "photo.png", &dds, "--fail-under", measure, "--quiet"]).ok();
        folder.run(&["compare", &dds, &ktx2, "--exact", "--quiet"]).ok();
        // As an image, it shows its texels.
        let from_blocks = ["encode", &dds, "-o", "again.dds", "--force", "--linear", "--quiet"];
        folder.run(&from_blocks).ok();
        let from_png = format!("{format}.png");
        folder.run(&["encode", &from_png, "-o", "from-png.dds", "--force", "--linear"]).ok();
        assert_eq!(folder.read("again.dds"), folder.read("from-png.dds"), "{format}");
    }
}

#[test]
fn options_that_a_format_ignores_are_refused() {
    let folder = Folder::with_photo();
    for (format, options, formats) in [
        ("bc3", &["--no-three-color"][..], "bc1"),
        ("bc3", &["--transparent-black"], "bc1"),
        ("bc2", &["--opaque"], "bc1"),
        ("bc3", &["--alpha-threshold", "128"], "bc1"),
        ("bc4", &["--method", "lsdxt"], "bc1, bc2, bc3"),
        ("bc5", &["--weights", "luma"], "bc1, bc2, bc3, bc7, etc2, etc2-a1, etc2-a8, astc-4x4"),
        ("bc7", &["--method", "lsdxt"], "bc1, bc2, bc3"),
        ("bc1", &["--modes", "6"], "bc7"),
        ("bc7", &["--metric", "log"], "bc6h, bc6hs"),
        (
            "bc1",
            &["--max-value", "9"],
            "bc6h, bc6hs, r16f, rg16f, rgba16f, r32f, rg32f, rgba32f, rgb9e5, rg11b10f",
        ),
        ("bc6h", &["--rdo", "1"], "bc1, bc3, bc4, bc4s, bc5, bc5s, bc7"),
        ("astc-4x4", &["--rdo", "1"], "bc1, bc3, bc4, bc4s, bc5, bc5s, bc7"),
        ("bc2", &["--rdo", "1"], "bc1, bc3, bc4, bc4s, bc5, bc5s, bc7"),
        ("bc1", &["--weigh-by-alpha"], "bc2, bc3, bc7"),
    ] {
        let all: Vec<_> = ["encode", "photo.png", "-f", format].iter().chain(options).copied().collect();
        let reason = format!("{} is for {formats}, not {format}", options[0]);
        folder.run(&all).fails(1, &[&reason]);
    }
    folder.run(&["encode", "photo.png", "-f", "bc3", "--method", "lsdxt", "--weights", "luma"]).ok();
    for (list, reason) in [("0,3", "store no alpha"), ("1,9", "\"9\" is not a mode")] {
        let ran = folder.run(&["encode", "photo.png", "-f", "bc7", "--modes", list]);
        assert_eq!(ran.exit, Some(1));
        ran.says(&[reason]);
    }
    folder.run(&["encode", "photo.png", "-f", "bc7", "--modes", "1,6", "-o", "modes.dds"]).ok();
    let blocks = folder.read("modes.dds");
    let modes = blocks[148..].chunks(16).map(|block| block[0].trailing_zeros());
    assert!(modes.clone().all(|mode| mode == 1 || mode == 6) && modes.clone().any(|mode| mode == 1));
    assert!(folder.path("photo.dds").exists());
}

/// `-f auto`, and what is said of it.
#[test]
fn auto_chooses_a_format_for_each_image() {
    let folder = Folder::with_photo();
    let rgba = |name: &str, texel: &dyn Fn(u32, u32) -> [u8; 4]| {
        let texels: Vec<_> = (0..32 * 32).map(|i| texel(i % 32, i / 32)).collect();
        let mut png = Vec::new();
        write_png(&mut png, 32, 32, PngTexels::Rgba8(&texels), ColorSpace::Srgb, &Task::new()).unwrap();
        folder.write(name, &png);
    };
    rgba("soft.png", &|x, y| [200, x as u8 * 8, 9, y as u8 * 8]);
    rgba("cut.png", &|x, y| [200, x as u8 * 8, 9, if x > y { 255 } else { 0 }]);
    // A bump.
    rgba("bumps.png", &|x, y| {
        let [x, y] = [x, y].map(|v| (v as f32 - 15.5) / 24.0);
        let z = (1.0 - x * x - y * y).sqrt();
        let [r, g, b] = [x, y, z].map(|v| (v * 127.5 + 127.5).round() as u8);
        [r, g, b, 255]
    });
    let grey: Vec<u8> = (0..32 * 32).map(|i| (i / 4) as u8).collect();
    let mut png = Vec::new();
    write_png(&mut png, 32, 32, PngTexels::Grey8(&grey), ColorSpace::Srgb, &Task::new()).unwrap();
    folder.write("grey.png", &png);
    for (image, options, format, reason) in [
        ("photo.png", &[][..], "bc1", "every texel is opaque"),
        ("cut.png", &[], "bc1", "opaque or transparent"),
        ("soft.png", &[], "bc7", "alpha has values between"),
        ("soft.png", &["--legacy"], "bc3", "alpha has values between"),
        ("bumps.png", &[], "bc5", "a normal map: 100.0 %"),
        ("bumps.png", &["--srgb"], "bc1", "every texel is opaque"),
        ("bumps.png", &["--normal"], "bc5", "normals"),
        ("photo.png", &["--normal"], "bc7", "normals, 7.6 % of which face away"),
        ("photo.png", &["--one-channel"], "bc4", "one channel"),
        ("grey.png", &[], "bc4", "the file is grey"),
        ("grey.png", &["--srgb"], "bc1", "every texel is opaque"),
    ] {
        let common = ["encode", image, "-f", "auto", "-o", "out.dds", "--force"];
        let all: Vec<_> = common.iter().chain(options).copied().collect();
        let ran = folder.run(&all);
        assert!(ran.exit == Some(0) && ran.text().contains(&format!("{format} (auto: ")), "{ran:?}");
        assert!(ran.text().contains(reason), "{ran:?}");
        let json: Vec<_> = all.iter().copied().chain(["--json"]).collect();
        let json = folder.run(&json).json();
        assert_eq!(json["files"][0]["format"], format);
        assert!(json["files"][0]["format_reason"].as_str().unwrap().contains(reason));
    }
    // Options that what was chosen has no use for, and contradictions.
    let refuse = |options: &[&str], reason: &str| {
        let all: Vec<_> = ["encode", "photo.png"].iter().chain(options).copied().collect();
        folder.run(&all).fails(1, &[reason]);
    };
    refuse(&["-f", "auto", "--modes", "6"], "--modes is for bc7, not bc1");
    refuse(&["-f", "auto", "--normal", "--srgb"], "contradict");
    refuse(&["-f", "bc7", "--normal-flip-y", "--srgb"], "contradict");
    refuse(&["-f", "DXGI_FORMAT_BC7_UNORM_SRGB", "--normal"], "contradict");
    refuse(
        &["-f", "bc1", "--normal"],
        "--normal is for bc5, bc5s, bc7, eac-rg11, eac-rg11s, astc-4x4, rg8, rg8s, rgba8, rgba8s, bgra8 and \
         --format auto, not bc1",
    );
    refuse(&["-f", "bc1", "--from-height", "8"], "--from-height is for bc5");
}

#[test]
fn rdo_makes_zstandard_files_smaller_and_its_number_is_checked() {
    let folder = Folder::with_photo();
    let encode = |output: &str, options: &[&str]| {
        let all = ["encode", "photo.png", "--force", "-o", output];
        folder.run(&[&all[..], options].concat())
    };
    for format in ["bc1", "bc3", "bc4", "bc5s", "bc7"] {
        let ran = encode("rdo.ktx2", &["--zstd", "--rdo", "4", "-f", format]);
        assert!(ran.ok().contains("RDO λ 4"), "{ran:?}");
        assert!(!encode("plain.ktx2", &["--zstd", "-f", format]).ok().contains("RDO"));
        let [with, without] = ["rdo.ktx2", "plain.ktx2"].map(|name| folder.read(name).len());
        assert!(with < without, "{format}: {with} bytes, not below {without}");
    }
    encode("off.ktx2", &["--zstd", "--rdo", "0"]).ok();
    encode("plain.ktx2", &["--zstd"]).ok();
    assert_eq!(folder.read("off.ktx2"), folder.read("plain.ktx2"));
    let json = encode("rdo.ktx2", &["--rdo", "1.5", "--json"]).json();
    assert_eq!(json["files"][0]["rdo"], 1.5);
    for number in ["-1", "nan", "inf", "101", "much"] {
        let ran = encode("no.ktx2", &["--rdo", number]);
        assert_eq!(ran.exit, Some(1));
        ran.says(&["expected a number from 0 to 100"]);
    }
    assert!(!folder.path("no.ktx2").exists());
    let json = encode("auto.ktx2", &["-f", "auto", "--normal", "--rdo", "1", "--json"]).json();
    assert_eq!((&json["files"][0]["format"], &json["files"][0]["rdo"]), (&"bc7".into(), &1.0.into()));
}

#[test]
fn colours_are_weighed_by_alpha() {
    let folder = Folder::with_photo();
    let texels: Vec<_> = (0..32 * 32u32)
        .map(|i| [i * 37 % 251, i % 32 * 8, i / 32 * 8, i * 97 % 256].map(|v| v as u8))
        .collect();
    let mut png = Vec::new();
    write_png(&mut png, 32, 32, PngTexels::Rgba8(&texels), ColorSpace::Srgb, &Task::new()).unwrap();
    folder.write("soft.png", &png);
    let encode = |output: &str, options: &[&str]| {
        folder.run(&[&["encode", "soft.png", "--force", "-o", output], options].concat())
    };
    for format in ["bc2", "bc3", "bc7"] {
        let ran = encode("weighed.dds", &["-f", format, "--weigh-by-alpha", "--mips"]);
        assert!(ran.ok().contains("weighed by alpha"), "{ran:?}");
        assert!(!encode("plain.dds", &["-f", format, "--mips"]).ok().contains("weighed"));
        assert_ne!(folder.read("weighed.dds"), folder.read("plain.dds"), "{format}");
    }
    let json = encode("weighed.dds", &["-f", "bc3", "--weigh-by-alpha", "--json"]).json();
    assert_eq!(json["files"][0]["weigh_by_alpha"], true);
    encode("no.dds", &["-f", "bc3", "--weigh-by-alpha", "--rdo", "2"])
        .fails(1, &["--weigh-by-alpha and --rdo exclude each other"]);
    encode("off.dds", &["-f", "bc3", "--weigh-by-alpha", "--rdo", "0"]).ok();
    assert!(!folder.path("no.dds").exists());
}

#[test]
fn options_reach_the_encoder() {
    let folder = Folder::with_photo();
    let ran = folder.run(&[
        "encode",
        "photo.png",
        "-q",
        "fast",
        "--method",
        "lsdxt",
        "--decoder",
        "nvidia",
        "--weights",
        "2,5,1",
        "--threads",
        "1",
        "--json",
    ]);
    let report = report(&ran);
    assert_eq!(report["quality"], "fast");
    assert_eq!(report["method"], "lsdxt");
    assert_eq!(report["decoder"], "nvidia");
    assert_eq!(report["weights"], serde_json::json!([2, 5, 1]));
    assert_eq!(report["threads"], 1);
    for (option, value) in [
        ("--quality", "slow"),
        ("--decoder", "voodoo"),
        ("--weights", "1,2"),
        ("--threads", "0"),
        ("--threads", "1025"),
    ] {
        let ran = folder.run(&["encode", "photo.png", option, value]);
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&[option, value]);
    }
    folder.run(&["encode", "photo.png", "--threads", "x"]).says(&["expected a whole number from 1 to 1024"]);
    // The method is reported where one was chosen.
    let text = |arguments: &[&str]| {
        let all =
            [&["encode", "photo.png", "--force", "-q", "ultrafast", "--device", "cpu"], arguments].concat();
        folder.run(&all).text().to_owned()
    };
    assert!(text(&["--method", "lsdxt"]).contains(" · ultrafast · lsdxt · CPU "));
    assert!(text(&[]).contains(" · ultrafast · CPU "));
}

#[test]
fn mip_levels_are_made_when_asked_for() {
    let folder = Folder::with_photo();
    let levels = |mips: &[&str]| {
        let all: Vec<_> = ["encode", "photo.png", "--force", "--json"].iter().chain(mips).copied().collect();
        report(&folder.run(&all))["levels"].as_u64().unwrap()
    };
    assert_eq!(levels(&[]), 1);
    assert_eq!(levels(&["--mips"]), 7);
    assert_eq!(levels(&["--mips=all"]), 7);
    assert_eq!(levels(&["--mips=none"]), 1);
    assert_eq!(levels(&["--mips=3"]), 3);
    assert_eq!(levels(&["--mips=100"]), 7);
    folder.run(&["encode", "photo.png", "--mips", "5"]).fails(1, &["\"5\"", "--mips=5"]);
    folder
        .run(&["encode", "photo.png", "-f", "bc3", "--mips", "--keep-coverage", "0.3"])
        .fails(1, &["\"0.3\"", "--keep-coverage=0.3"]);
    // The smallest mip level of a picture of one colour has that colour.
    folder.write("flat.png", &png_rgb(17, 9, |_, _| [255, 0, 0]));
    let ran = folder.run(&["encode", "flat.png", "--mips"]);
    let note = "brickwork: note: flat.dds: Direct3D requires multiples of 4 of block-compressed textures, \
        not 17×9; --multiple-of-4 resizes the image\n";
    assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), note));
    for (output, words) in [("a.ktx2", "-f bc1"), ("a.dds", "-f rgba8"), ("b.dds", "--multiple-of-4")] {
        folder.line(&format!("encode flat.png -o {output} {words}")).ok();
    }
    folder.run(&["decode", "flat.dds", "--level", "4", "-o", "one.png"]).ok();
    folder.write("red.png", &png_rgb(1, 1, |_, _| [255, 0, 0]));
    folder.run(&["compare", "one.png", "red.png", "--exact"]).ok();
}

#[test]
fn filters_edges_and_sizes_are_reported() {
    let folder = Folder::with_photo();
    let run = |arguments: &[&str]| {
        folder.run(&[&["encode", "photo.png", "-o", "a.dds", "--force"][..], arguments].concat())
    };
    let json = |arguments: &[&str]| report(&run(&[arguments, &["--json"]].concat()));
    assert_eq!(json(&[])["mip_filter"], serde_json::Value::Null);
    let mips = json(&["--mips"]);
    assert_eq!(
        (&mips["mip_filter"], &mips["mip_wrap"]),
        (&"kaiser".into(), &serde_json::json!(["clamp", "clamp"]))
    );
    assert_eq!(json(&["--mips", "-q", "fast"])["mip_filter"], "box");
    let chosen = ["--mips", "--mip-filter", "mitchell", "--mip-wrap", "repeat,mirror"];
    assert_eq!(json(&chosen)["mip_wrap"], serde_json::json!(["repeat", "mirror"]));
    assert!(run(&chosen).text().contains("in 7 levels (mitchell, repeat,mirror)"));
    // Each choice changes the bytes.
    let bytes = |arguments: &[&str]| {
        run(arguments).ok();
        fs::read(folder.path("a.dds")).unwrap()
    };
    let files = [&["--mips"][..], &["--mips", "--mip-filter", "box"], &chosen[..], &chosen[..3]].map(bytes);
    assert!((0..4).all(|a| (0..a).all(|b| files[a] != files[b])));

    // Without mip levels and a new size, there is nothing to filter.
    run(&["--mip-filter", "box"]).fails(1, &["--mip-filter needs mip levels or a new size (use --mips)"]);
    run(&["--mip-wrap", "repeat", "--mips=1"]).fails(1, &["--mip-wrap needs mip levels or a new size"]);
    run(&["--mip-wrap", "repeat", "--mip-filter", "box", "--max-size", "48"]).ok();
    run(&["--mip-wrap", "repeat", "--from-height", "2", "-f", "bc5"]).ok();
    run(&["--mip-wrap", "repeat", "--from-height", "2", "-f", "bc5", "--mip-filter", "box"])
        .fails(1, &["--mip-filter needs mip levels or a new size"]);

    // The photograph has 96×64 texels.
    let size = |arguments: &[&str]| {
        let report = json(arguments);
        assert_eq!(report["resized_from"], serde_json::json!([96, 64]), "{arguments:?}");
        [&report["width"], &report["height"]].map(|side| side.as_u64().unwrap())
    };
    assert_eq!(size(&["--resize", "31x17"]), [31, 17]);
    assert_eq!(size(&["--resize", "50%"]), [48, 32]);
    assert_eq!(size(&["--max-size", "40"]), [40, 27]);
    assert_eq!(size(&["--max-size", "40", "--multiple-of-4"]), [40, 28]);
    assert_eq!(size(&["--power-of-two", "up"]), [128, 64]);
    assert_eq!(json(&["--max-size", "200"])["resized_from"], serde_json::Value::Null);
    assert!(run(&["--resize", "50%"]).text().contains("48×32 (from 96×64)"));
    run(&["--resize", "65536x65536"]).fails(4, &["photo.png", "memory"]);
    let ran = run(&["--resize", "0x4"]);
    assert_eq!(ran.exit, Some(1));
    ran.says(&["512x256"]);
    // A picture that shrinks by a whole number of texels stays the same picture.
    run(&["-f", "bc7", "--resize", "200%"]).ok();
    folder.run(&["encode", "a.dds", "-f", "bc7", "--resize", "50%", "-o", "b.dds"]).ok();
    folder.run(&["compare", "photo.png", "b.dds", "--fail-under", "psnr=30"]).ok();
}

#[test]
fn normal_maps_are_made_flipped_and_measured() {
    let folder = Folder::new();
    let bump = |x: u32, y: u32| {
        let [x, y] = [x, y].map(|v| (f64::from(v) / 32.0 - 1.0) * 0.6);
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        [x, -y, z].map(|v| ((v + 1.0) * 127.5).round() as u8)
    };
    folder.write("n.png", &png_rgb(64, 64, bump));
    folder.write("height.png", &png_rgb(64, 64, |x, _| [(x * 4) as u8; 3]));
    let json = |command: &str| {
        let ran = folder.run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        ran.json()
    };
    // The error is small, and large once y is inverted.
    folder.run(&["encode", "n.png", "-f", "bc5", "--normal", "-o", "n.dds", "--mips"]).ok();
    let angles =
        |a: &str, b: &str| json(&format!("compare {a} {b} --normal --json"))["normal_metrics"].clone();
    assert!(angles("n.png", "n.dds")["max_degrees"].as_f64().unwrap() < 3.0);
    assert!(json("compare n.png n.dds --json")["normal_metrics"]["mean_degrees"].as_f64().unwrap() < 0.5);
    assert!(json("compare n.png n.png --json")["normal_metrics"].is_null());
    folder.run(&["encode", "n.png", "-f", "bc5", "--normal-flip-y", "-o", "f.dds"]).ok();
    assert!(angles("n.png", "f.dds")["mean_degrees"].as_f64().unwrap() > 20.0);
    // Blue comes back.
    folder.run(&["decode", "n.dds", "--restore-z", "-o", "z.png"]).ok();
    let restored = angles("n.png", "z.png");
    assert!(restored["p99_degrees"].as_f64().unwrap() < 3.0, "{restored}");
    folder.run(&["encode", "n.png", "-f", "bc7", "--normal", "--json", "-o", "n7.dds"]).text();
    folder.run(&["decode", "n7.dds", "--restore-z"]).fails(4, &["n7.dds", "bc7"]);
    assert_eq!(json("encode n.png -f bc7 --normal --json -o m.dds")["files"][0]["color_space"], "linear");
    // A slope of 4 / 255 · 63.75 = 1 per texel leans to the left by 45°.
    folder.run(&["encode", "height.png", "-f", "bc5", "--from-height", "63.75", "-o", "h.dds"]).ok();
    folder.write("slope.png", &png_rgb(64, 64, |_, _| [37, 128, 218]));
    assert!(angles("slope.png", "h.dds")["median_degrees"].as_f64().unwrap() < 0.6);
}

#[test]
fn coverage_is_kept_on_request() {
    let folder = Folder::new();
    // Scattered texels, which vanish in averages.
    let is_leaf = |x: u32, y: u32| (x * 7919 + y * 104_729).wrapping_mul(0x9e37_79b9) >> 16 & 0xff < 51;
    folder.write("leaf.png", &png_rgba(96, 96, |x, y| [40, 160, 30, if is_leaf(x, y) { 255 } else { 0 }]));
    let visible = |level: &str| {
        folder.run(&["decode", "leaf.dds", "--level", level, "-o", "level.png", "--force"]).ok();
        let file = fs::File::open(folder.path("level.png")).unwrap();
        let read = pictures::read(std::io::BufReader::new(file), None, &Default::default(), &Task::new());
        let Texels::Rgba8(texels) = read.unwrap().texels else { return 0.0 };
        texels.iter().filter(|texel| texel[3] >= 128).count() as f64 / texels.len() as f64
    };
    let encode =
        |arguments: &[&str]| folder.run(&[&["encode", "leaf.png", "--force"][..], arguments].concat());
    encode(&["-f", "bc1", "--mips"]).says(&["--keep-coverage keeps it"]);
    let wanted = visible("0");
    assert!(wanted > 0.15 && visible("2") < 0.1);
    let ran = encode(&["-f", "bc1", "--mips", "--keep-coverage"]);
    assert!(ran.exit == Some(0) && ran.text().contains("coverage kept at alpha 128"), "{ran:?}");
    ran.says(&["BC1 stores transparent texels as black"]);
    for level in ["1", "2", "3"] {
        assert!((visible(level) - wanted).abs() < 0.02, "{level}: {} of {wanted}", visible(level));
    }
    let other = encode(&["--mips", "--keep-coverage=0.2", "--json"]);
    assert_eq!(report(&other)["keep_coverage"], 51);
    other.says(&["at 51, but BC1 makes texels below alpha 128 transparent; --alpha-threshold should be"]);
    encode(&["-f", "bc4", "--mips", "--keep-coverage"])
        .fails(1, &["--keep-coverage is for bc1, bc2, bc3, bc7"]);
    let ran = encode(&["--keep-coverage"]);
    assert_eq!(ran.exit, Some(1));
    ran.says(&["--mips"]);
}

#[test]
fn alpha_is_cut_at_the_threshold() {
    let folder = Folder::new();
    // The upper half is transparent over a loud hidden colour.
    folder.write(
        "leaf.png",
        &png_rgba(64, 64, |x, y| match y < 32 {
            true => [255, 0, 255, 60],
            false => [x as u8 * 2, y as u8 * 2, 40, 255],
        }),
    );
    let ran = folder.run(&["encode", "leaf.png"]);
    ran.says(&["leaf.png", "which BC1 cannot store"]);
    assert!(ran.text().contains("2048 texels transparent (50.0 %)"), "{ran:?}");
    assert!(ran.text().contains("RGB of visible texels"), "{ran:?}");
    let ran = folder.run(&["encode", "leaf.png", "--force", "--json"]);
    let with_alpha = report(&ran);
    assert_eq!(with_alpha["alpha_mode"], "straight");
    assert_eq!(with_alpha["visible_metrics"]["texel_count"], 2048);
    let ran = folder.run(&["encode", "leaf.png", "--force", "--json", "--opaque"]);
    assert_eq!(report(&ran)["alpha_mode"], "opaque");
    assert_eq!(report(&ran)["transparent_texels"], serde_json::Value::Null);
    assert!(folder.run(&["encode", "leaf.png", "--force", "--opaque"]).ok().contains("alpha dropped"));
}

#[test]
fn the_memory_limit_binds() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "--max-memory", "1K"]).fails(4, &["photo.png", "--max-memory"]);
    // 96·64·3 bytes of texels fit into 19 KiB, the blocks besides do not.
    folder.run(&["encode", "photo.png", "--max-memory", "19K"]).fails(4, &["photo.png", "--max-memory"]);
    folder
        .run_with(&["encode", "-", "-o", "a.dds", "--max-memory", "100"], &photo())
        .fails(4, &["standard input"]);
    assert_eq!(folder.names(), ["photo.png"]);
    let ran = folder.run(&["encode", "photo.png", "--max-memory", "lots"]);
    assert_eq!(ran.exit, Some(1));
}

#[test]
fn folders_and_many_files() {
    let folder = Folder::new();
    for name in ["in/b.png", "in/a.png", "in/deep/c.png"] {
        fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
        folder.write(name, &photo());
    }
    folder.write("in/notes.txt", b"no image");
    let ran = folder.run(&["encode", "in", "-o", "out/"]);
    let order: Vec<_> = ran.ok().lines().step_by(2).map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(order, ["in/a.png", "in/b.png", "2"], "{ran:?}");
    assert!(ran.text().contains("\n2 files, 36 KiB → "), "{ran:?}");
    assert!(folder.path("out/a.dds").exists() && folder.path("out/b.dds").exists());
    assert!(!folder.path("out/c.dds").exists());

    folder.run(&["encode", "in", "-o", "zstd/", "--zstd"]).fails(1, &["--zstd is for ktx2"]);
    assert!(!folder.path("zstd").exists());
    folder.run(&["encode", "in", "-o", "new.dds"]).fails(1, &["2 inputs", "new.dds", "FOLDER/"]);
    folder.run(&["encode", "in/a.png", "in/b.png", "-o", "-"]).fails(1, &["2 inputs"]);
    folder.run(&["encode", "in/a.png", "in/a.png", "-o", "out"]).fails(1, &["both", "a.dds"]);
    // The same file by two names, which --force must not write twice.
    folder.write("in/a.jpg", &photo());
    folder.run(&["encode", "in/a.png", "in/../in/a.jpg", "--force"]).fails(1, &["both", "a.dds"]);
    fs::remove_file(folder.path("in/a.jpg")).unwrap();
    fs::create_dir(folder.path("empty")).unwrap();
    folder.run(&["encode", "empty"]).fails(2, &["empty", "png"]);
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = Folder::with_photo();
    folder.write("bad.png", b"");
    let ran = folder.run(&["encode", "missing.png", "bad.png", "photo.png"]);
    // The code of the first failure.
    assert_eq!(ran.exit, Some(2), "{ran:?}");
    ran.says(&["missing.png: no such file", "bad.png: the file is empty", "2 of 3 outputs failed"]);
    assert!(folder.path("photo.dds").exists());
    let ran = folder.run(&["encode", "bad.png", "missing.png", "photo.png", "--force", "--json"]);
    assert_eq!(ran.exit, Some(3));
    let json = ran.json();
    assert_eq!(json["files"][0]["error"]["exit_code"], 3);
    assert_eq!(json["files"][1]["error"]["exit_code"], 2);
    assert_eq!(json["files"][2]["output"], "photo.dds");
}

#[test]
fn bad_inputs_are_named_with_the_reason() {
    let folder = Folder::with_photo();
    let photo = photo();
    folder.write("empty.png", b"");
    folder.write("text.png", b"hello, this is text");
    folder.write("notes.txt", b"hello, this is text");
    folder.write("short.png", &photo[..photo.len() / 2]);
    let mut flipped = photo;
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    folder.write("flipped.png", &flipped);
    let encode = |name| folder.run(&["encode", name]);
    encode("missing.png").fails(2, &["missing.png: no such file"]);
    encode("photo.jpg").fails(2, &["photo.jpg: no such file", "did you mean photo.png?"]);
    encode("nowhere/photo.png").fails(2, &["nowhere/photo.png", "no folder nowhere"]);
    encode("empty.png").fails(3, &["empty.png: the file is empty"]);
    folder.write("room.gltf", br#"{"asset": {"version": "2.0"}}"#);
    let gltf = "room.gltf: a glTF file, not an image (brickwork audit examines its textures)";
    encode("room.gltf").fails(5, &[gltf]);
    encode("text.png").fails(3, &["text.png: not a PNG file: it starts with 68"]);
    encode("notes.txt").fails(
        5,
        &["notes.txt: not an image in a known format: it starts with 68 65 6c 6c (known formats: PNG"],
    );
    folder.write("art.psd", b"8BPS\0\x01");
    encode("art.psd")
        .fails(5, &["art.psd: Photoshop's format is not supported: save it as PNG, TIFF or EXR"]);
    folder.write("text.tga", b"hello, this is text");
    encode("text.tga").fails(3, &["text.tga: TGA: not a TGA file"]);
    encode("short.png").fails(3, &["short.png: PNG", "byte"]);
    encode("flipped.png").fails(3, &["flipped.png: PNG"]);
    // A directory at an offset that no file can have.
    folder.write("far.tif", &[b"II\x2b\0\x08\0\0\0".as_slice(), &(1u64 << 62).to_le_bytes()].concat());
    encode("far.tif").fails(3, &["far.tif: TIFF"]);
    let names = folder.names();
    assert!(!names.iter().any(|name| name.ends_with(".dds") || name.ends_with(".tmp")), "{names:?}");
}

#[test]
fn pipes_carry_pictures_and_textures() {
    let folder = Folder::with_photo();
    let piped = folder.run_with(&["encode", "-", "-o", "-"], &photo());
    assert_eq!(piped.exit, Some(0));
    assert!(piped.stdout.starts_with(b"DDS "));
    piped.says(&["standard input → standard output", "PSNR"]);
    folder.run(&["encode", "photo.png"]).ok();
    assert_eq!(folder.read("photo.dds"), piped.stdout);

    let ktx2 = folder.run_with(&["encode", "-", "--container", "ktx2", "--json"], &photo());
    assert!(ktx2.stdout.starts_with(b"\xabKTX 20"));
    assert!(ktx2.stderr.contains("\"container\": \"ktx2\""), "{}", ktx2.stderr);
    let quiet = folder.run_with(&["encode", "-", "-o", "-", "--quiet"], &photo());
    assert_eq!((quiet.stderr.as_str(), quiet.stdout.len()), ("", piped.stdout.len()));
    folder.run_with(&["encode", "-"], b"").fails(3, &["standard input: the file is empty"]);
    folder.run_with(&["encode", "-", "-o", "./"], &photo()).fails(1, &["standard input", "no name"]);
}

#[test]
fn quiet_is_quiet() {
    let folder = Folder::with_photo();
    assert_eq!(folder.run(&["encode", "photo.png", "--quiet"]).ok(), "");
    folder.run(&["encode", "photo.png", "--quiet"]).fails(2, &["--force"]);
}

#[test]
fn colours_are_dithered_on_request() {
    let folder = Folder::new();
    folder.write("sky.png", &png_rgb(64, 64, |x, y| [60 + x as u8 / 2, 90 + y as u8 / 4, 150 + x as u8 / 4]));
    let of = |line: &str| {
        let words = ["encode", "sky.png", "-o", "a.dds", "--force", "--json"];
        let report = report(&folder.run(&words.into_iter().chain(line.split(' ')).collect::<Vec<_>>()));
        let psnr = report["metrics"]["psnr"]["rgb"].as_f64().unwrap();
        (report["dither"].as_bool().unwrap(), psnr, folder.read("a.dds"))
    };
    let [plain, dithered, again] = ["-f bc1", "-f bc1 --dither", "-f bc1 --dither --threads 1"].map(of);
    assert!(!plain.0 && dithered.0, "{} {}", plain.0, dithered.0);
    assert!((33.0..40.0).contains(&dithered.1) && dithered.1 < plain.1, "{} {}", plain.1, dithered.1);
    assert!(dithered.2 == again.2 && dithered.2 != plain.2);
    // 8 bits are as many as BC7 has.
    assert!(of("-f bc7 --dither").2 == of("-f bc7").2);
    assert!(folder.run(&["encode", "sky.png", "--dither", "--force"]).ok().contains("dithered"));
    folder
        .run(&["encode", "sky.png", "-f", "bc6h", "--dither", "--linear"])
        .fails(1, &["--dither is for bc1, ", "(leave out --dither)"]);
    folder.run(&["encode", "sky.png", "-f", "rgba8", "--dither"]).fails(1, &["bc7, not rgba8"]);
}

#[test]
fn flipped_files_are_shown_upright() {
    let folder = Folder::new();
    folder.write("a.png", &png_rgb(8, 12, |x, y| [x as u8 * 20, y as u8 * 20, 9]));
    let ran = folder.run(&["encode", "a.png", "-f", "rgba8", "--flip-y", "-o", "a.ktx2"]);
    assert!(ran.text().contains("rows from the bottom"), "{ran:?}");
    folder.run(&["compare", "a.png", "a.ktx2", "--exact"]).ok();
    folder.run(&["validate", "a.ktx2"]).ok();
    let file = folder.read("a.ktx2");
    let [first, last] = [[0, 220, 9, 255], [0, 0, 9, 255]];
    assert_eq!(
        (&file[file.len() - 8 * 12 * 4..][..4], &file[file.len() - 8 * 4..][..4]),
        (&first[..], &last[..])
    );
    assert!(file.windows(18).any(|bytes| bytes == b"KTXorientation\0ru\0"));
    folder.run(&["encode", "a.png", "--flip-y"]).fails(1, &["--flip-y is for ktx2, but a.dds would be dds"]);
}
