//! Notes that warn users of a result they would otherwise find out late.

use crate::common::{Folder, kodak, png_rgb, png_rgba};
use std::path::Path;

fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../texture/tests/data/image_file");
    std::fs::read(folder.join(name)).unwrap()
}

/// A bump, as a normal map.
fn normals() -> Vec<u8> {
    png_rgb(32, 32, |x, y| {
        let [x, y] = [x, y].map(|v| (v as f32 - 15.5) / 24.0);
        [x, y, (1.0 - x * x - y * y).sqrt()].map(|v| (v * 127.5 + 127.5).round() as u8)
    })
}

#[test]
fn a_normal_map_taken_as_colours_is_said() {
    let folder = Folder::with_photo();
    folder.write("bump.png", &normals());
    let encode = |arguments: &[&str]| {
        let all: Vec<_> = ["encode", "--force", "-o", "a.dds"].iter().chain(arguments).copied().collect();
        let ran = folder.run(&all);
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        ran.stderr
    };
    let note = "note: bump.png: looks like a normal map (100.0 % of texels have length 1), but is encoded as \
                sRGB colours";
    assert!(encode(&["bump.png"]).contains(note));
    assert!(encode(&["bump.png", "-f", "bc7"]).contains(note));
    // Requested, not colours, or no normal map.
    for arguments in [
        &["bump.png", "--srgb"][..],
        &["bump.png", "--linear"],
        &["bump.png", "-f", "bc5"],
        &["bump.png", "-f", "DXGI_FORMAT_BC7_UNORM_SRGB"],
        &["bump.png", "--quiet"],
        &["photo.png"],
    ] {
        assert_eq!(encode(arguments), "", "{arguments:?}");
    }
}

#[test]
fn a_format_without_alpha_drops_it_aloud() {
    let folder = Folder::new();
    folder.write("leaf.png", &png_rgba(16, 16, |x, y| [200, x as u8, y as u8, if x > 7 { 0 } else { 255 }]));
    let ran = folder.run(&["encode", "leaf.png", "-f", "VK_FORMAT_BC1_RGB_UNORM_BLOCK", "-o", "rgb.ktx2"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: leaf.png: the format has no alpha"]);
    assert!(ran.text().contains("alpha dropped"), "{ran:?}");
    assert!(folder.run(&["info", "rgb.ktx2"]).ok().contains("VK_FORMAT_BC1_RGB_UNORM_BLOCK"));
    let rgba = ["encode", "leaf.png", "-f", "VK_FORMAT_BC1_RGBA_UNORM_BLOCK", "-o", "rgba.ktx2", "--quiet"];
    folder.run(&rgba).ok();
    assert!(folder.run(&["info", "rgba.ktx2"]).ok().contains("VK_FORMAT_BC1_RGBA_UNORM_BLOCK"));
    let contradiction =
        ["encode", "leaf.png", "-f", "VK_FORMAT_BC1_RGB_SRGB_BLOCK", "--alpha-threshold", "9"];
    folder.run(&contradiction).fails(1, &["no alpha", "use --format bc1"]);
    folder.write("opaque.png", &png_rgb(8, 8, |x, y| [x as u8, y as u8, 9]));
    folder.run(&["encode", "opaque.png", "-f", "VK_FORMAT_BC1_RGB_SRGB_BLOCK"]).ok();
}

#[test]
fn frames_and_levels_left_out_are_said() {
    let folder = Folder::new();
    folder.write("a.gif", &fixture("animated.gif"));
    let ran = folder.run(&["encode", "a.gif"]);
    ran.says(&["note: a.gif: only the first of 2 frames is encoded"]);
    assert!(folder.run(&["info", "a.gif"]).ok().contains("the first of 2 frames"));
    let json = folder.run(&["info", "a.gif", "--json"]).json();
    assert_eq!(json["files"][0]["part"], "the first of 2 frames");
    // Mip levels that the header states and the file lacks are not left out.
    folder.write("cut.dds", &plain_blocks(4));
    let ran = folder.run(&["encode", "cut.dds", "-o", "b.dds", "-q", "ultrafast"]);
    ran.says(&["note: cut.dds: the header promises 4 mip levels, the file has 1"]);
    assert!(ran.exit == Some(0) && ran.stderr.lines().count() == 1, "{ran:?}");
}

/// A DDS of 8×8 texels in BC1 whose header states `levels` mip levels. It has only the largest.
fn plain_blocks(levels: u32) -> Vec<u8> {
    let mut words = [0u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    (words[1], words[2], words[3], words[4]) = (124, 0x2_1007, 8, 8);
    words[7] = levels;
    (words[19], words[20], words[21]) = (32, 4, u32::from_le_bytes(*b"DXT1"));
    words[27] = 0x1000;
    let head = words.into_iter().flat_map(u32::to_le_bytes);
    head.chain([0x1f, 0xf8, 0xe0, 7, 0, 0, 0, 0].repeat(4)).collect()
}

#[test]
fn faces_of_a_cube_are_said_to_make_one() {
    let folder = Folder::new();
    let names = ["sky_nx.png", "sky_ny.png", "sky_nz.png", "sky_px.png", "sky_py.png", "sky_pz.png"];
    for name in names {
        folder.write(name, &png_rgb(8, 8, |x, y| [x as u8 * 30, y as u8 * 30, 9]));
    }
    let note = "note: sky_px.png … sky_nz.png: names of a cube's six faces, which become six textures; \
                brickwork assemble --cubemap makes one cube";
    let encode = |names: &[&str], more: &[&str]| {
        let ran = folder.run(&[&["encode", "--force"], names, more].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        ran.stderr
    };
    assert_eq!(encode(&names, &[]).matches(note).count(), 1);
    assert_eq!(encode(&names, &["--quiet"]) + &encode(&names[1..], &[]), "");
}

/// The same words about many files are said once.
#[test]
fn a_note_about_all_files_is_said_once() {
    let folder = Folder::new();
    for name in ["a.png", "b.png", "c.png"] {
        folder.write(name, &png_rgb(8, 8, |x, y| [x as u8 * 30, y as u8 * 30, 9]));
    }
    let ran = folder.run(&["encode", "a.png", "b.png", "c.png", "--legacy"]);
    assert_eq!(ran.stderr.matches("a legacy DDS header does not say").count(), 1, "{ran:?}");
}

#[test]
fn errors_are_measured_unless_told_otherwise() {
    let folder = Folder::with_photo();
    assert!(folder.run(&["encode", "photo.png"]).ok().contains("PSNR "));
    let ran = folder.run(&["encode", "photo.png", "--force", "--no-metrics"]);
    assert!(!ran.ok().contains("PSNR") && ran.text().contains("Mpix/s"), "{ran:?}");
    let json = folder.run(&["encode", "photo.png", "--force", "--no-metrics", "--json"]).json();
    assert!(json["files"][0]["metrics"].is_null());
    let ran = folder.run(&["encode", "photo.png", "--force", "--verbose"]);
    ran.says(&["brickwork: photo.png: read in 0.", "encoded in", "measured in", "written in"]);
}

#[test]
fn transparent_texels_do_not_count_if_asked() {
    let folder = Folder::new();
    // What is transparent has a colour that BC1 cannot keep.
    folder.write(
        "leaf.png",
        &png_rgba(64, 64, |x, y| {
            if x > 20 { [255, 0, (x * y) as u8, 0] } else { [(40 + y) as u8, (90 + x) as u8, 30, 255] }
        }),
    );
    folder.run(&["encode", "leaf.png", "--quiet"]).ok();
    let ran = folder.run(&["compare", "leaf.png", "leaf.dds"]);
    let visible = ran.ok().lines().last().unwrap();
    assert!(visible.starts_with("visible  PSNR ") && visible.contains("2752 transparent texels (67.2 %)"));
    let least = ["compare", "leaf.png", "leaf.dds", "--quiet", "--fail-under", "psnr-visible=35"];
    folder.run(&least).ok();
    // BC1 drops the colours of the others, so that only those of visible texels are errors of the encoder.
    let compare = |limit| folder.run(&["compare", "leaf.png", "leaf.dds", "--quiet", "--fail-under", limit]);
    for limit in ["psnr=35", "psnr-luma=35", "psnr-r=30"] {
        compare(limit).ok();
    }
    compare("psnr=90").fails(7, &["leaf.dds: psnr of visible texels is "]);
    compare("psnr-rgba=35").fails(7, &["leaf.dds: psnr-rgba is "]);
    // A format that keeps colours may have any where nothing is visible.
    folder.run(&["encode", "leaf.png", "-o", "bc3.dds", "-f", "bc3", "--quiet"]).ok();
    let all = folder.run(&["compare", "leaf.png", "bc3.dds", "--quiet", "--fail-under", "psnr=90"]);
    all.fails(7, &["bc3.dds: psnr of visible texels is "]);
    // `encode` reports the same.
    let [encoded, compared] = [
        folder.run(&["encode", "leaf.png", "--force", "--json"]).json()["files"][0]["visible_metrics"]
            .clone(),
        folder.run(&["compare", "leaf.png", "leaf.dds", "--json"]).json()["visible_metrics"].clone(),
    ];
    assert_eq!(encoded, compared);
    let none = ["compare", "leaf.png", "leaf.png", "--quiet", "--fail-under", "psnr-visible=9"];
    folder.run(&none).ok();
    folder.write("clear.png", &png_rgba(8, 8, |_, _| [9, 9, 9, 0]));
    let none = ["compare", "clear.png", "clear.png", "--quiet", "--fail-under", "psnr-visible=9"];
    folder.run(&none).fails(7, &["no texel is visible"]);
}

/// A DDS of plain texels, with a DX10 header: 8 or 16 bits a channel.
fn plain_dds(dxgi_format: u32, side: u32, texel: &[u8], levels: u32) -> Vec<u8> {
    let mut words = [0u32; 37];
    words[0] = u32::from_le_bytes(*b"DDS ");
    (words[1], words[2], words[3], words[4]) = (124, 0x2_1007, side, side);
    words[7] = levels;
    (words[19], words[20], words[21]) = (32, 4, u32::from_le_bytes(*b"DX10"));
    words[27] = 0x1000;
    (words[32], words[33], words[35]) = (dxgi_format, 3, 1);
    let mut file: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    for level in 0..levels {
        file.extend(texel.repeat(((side >> level).max(1) as usize).pow(2)));
    }
    file
}

/// `decode` writes the formats that `encode` reads: R8G8B8A8_UNORM_SRGB, R16_UNORM, and as a picture
/// B8G8R8X8_UNORM.
#[test]
fn textures_without_blocks_are_decoded() {
    let folder = Folder::new();
    folder.write("rgba.dds", &plain_dds(29, 4, &[10, 20, 30, 40], 3));
    let ran = folder.run(&["decode", "rgba.dds"]);
    assert!(ran.ok().contains("4×4  level 0 of 3  rgba8 sRGB → PNG RGBA "), "{ran:?}");
    folder.write("expected.png", &png_rgba(4, 4, |_, _| [10, 20, 30, 40]));
    folder.run(&["compare", "rgba.png", "expected.png", "--exact"]).ok();
    folder.write("wide.dds", &plain_dds(56, 4, &[0x34, 0x12], 1));
    assert!(folder.run(&["decode", "wide.dds"]).ok().contains("r16 linear → PNG 16-bit grey "));
    let decoder = png::Decoder::new(std::io::Cursor::new(folder.read("wide.png")));
    let mut reader = decoder.read_info().unwrap();
    let mut texels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut texels).unwrap();
    assert_eq!(texels, [0x12, 0x34].repeat(16));
    let ran = folder.run(&["decode", "rgba.dds", "--level", "1", "--force"]);
    assert!(ran.ok().contains("2×2  level 1 of 3  rgba8 sRGB → PNG RGBA "), "{ran:?}");
    folder.write("other.dds", &plain_dds(88, 4, &[10, 20, 30, 40], 3));
    let ran = folder.run(&["decode", "other.dds"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: other.dds: only the first of 3 mip levels is decoded"]);
    folder
        .run(&["decode", "other.dds", "--level", "1", "--force"])
        .fails(5, &["only the first image of a texture in such a format can be read"]);
    // Still no pictures: a photo would become itself.
    let ran = folder.run(&["decode", kodak().to_str().unwrap(), "-o", "b.png"]);
    ran.fails(3, &["not a DDS, KTX2 or .astc file"]);
}

/// D3DX and texconv write 10-bit masks in which red and blue are swapped.
#[test]
fn masks_of_ten_bits_are_used_as_stated_on_request() {
    let folder = Folder::new();
    let trouble = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/trouble");
    folder.write("a.dds", &std::fs::read(trouble.join("w18_dds_a2b10g10r10_d3dx_masks.dds")).unwrap());
    folder.write("red.png", &png_rgb(4, 4, |_, _| [255, 0, 0]));
    folder.write("blue.png", &png_rgb(4, 4, |_, _| [0, 0, 255]));
    let option = "--stated-dds-masks";
    folder.run(&["compare", "a.dds", "red.png", "--exact"]).ok();
    folder.run(&["compare", "a.dds", "blue.png", "--exact", option]).ok();
    for (name, options) in [("red.png", &[][..]), ("blue.png", &[option])] {
        folder.run(&[&["encode", "a.dds", "-f", "bc7", "-o", "b.dds", "--force"], options].concat()).ok();
        folder.run(&["compare", "b.dds", name, "--fail-under", "psnr=45"]).ok();
        folder.run(&[&["decode", "a.dds", "-o", "c.png", "--force"], options].concat()).ok();
        folder.run(&["compare", "c.png", name, "--exact"]).ok();
        folder.run(&[&["info", "a.dds"], options].concat()).ok();
    }
}
