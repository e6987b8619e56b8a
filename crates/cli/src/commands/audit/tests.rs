//! Audits of small folders.

use super::*;
use crate::report::{AuditAdvice, AuditKind, AuditReport, AuditedFile, EmbeddedImage, FileEntry, FileError};
use brickwork_base::{ErrorKind, Task};
use brickwork_image::image_file::{PngTexels, write_exr, write_png};
use brickwork_texture::{
    BlockFormat, ColorSpace, Texture, TextureDesc,
    container::{ContainerFormat, TextureWriteOptions},
    half::f16,
};
use brickwork_toolkit::device::{DeviceChoice, Devices};
use std::{fs, path::Path};

/// Texels of all mip levels of 64×64, and their blocks.
const TEXELS: u64 = 4096 + 1024 + 256 + 64 + 16 + 4 + 1;
const BLOCKS: u64 = 256 + 64 + 16 + 4 + 1 + 1 + 1;

fn png(width: u32, height: u32, texels: PngTexels<'_>) -> Vec<u8> {
    let mut file = Vec::new();
    write_png(&mut file, width, height, texels, ColorSpace::Srgb, &Task::new()).unwrap();
    file
}

fn rgb(side: u32, texel: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let texels: Vec<_> = (0..side * side).map(|i| texel(i % side, i / side)).collect();
    png(side, side, PngTexels::Rgb8(&texels))
}

/// A gradient that BC1 stores well.
fn smooth() -> Vec<u8> {
    rgb(64, |x, y| [x as u8 * 3, 40 + y as u8 * 2, 90])
}

/// Bright and dark noise of nearly one hue, which BC1 stores badly.
fn noise() -> Vec<u8> {
    rgb(64, |x, y| {
        let number =
            (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761).rotate_left(9).wrapping_mul(0x9e37_79b9);
        let light = (number >> 24) as u8;
        [light, light / 8 * 7, light / 2]
    })
}

/// Returns a DDS file of half floats without mip levels.
fn dds_of_halves(width: u32, height: u32, texels: &[[f16; 4]]) -> Vec<u8> {
    let mut numbers = [0u32; 37];
    numbers[..5].copy_from_slice(&[u32::from_le_bytes(*b"DDS "), 124, 0x1007, height, width]);
    numbers[19..22].copy_from_slice(&[32, 4, u32::from_le_bytes(*b"DX10")]);
    numbers[27] = 0x1000;
    // DXGI_FORMAT_R16G16B16A16_FLOAT, 2D, an array of one.
    (numbers[32], numbers[33], numbers[35]) = (10, 3, 1);
    let halves = texels.iter().flatten().flat_map(|half| half.to_le_bytes());
    numbers.iter().flat_map(|number| number.to_le_bytes()).chain(halves).collect()
}

/// Returns binary glTF.
fn glb(json: &serde_json::Value, binary: &[u8]) -> Vec<u8> {
    let json = json.to_string().into_bytes();
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (name, bytes) in [(b"JSON", json.as_slice()), (b"BIN\0", binary)] {
        glb.extend((bytes.len() as u32).to_le_bytes());
        glb.extend(name);
        glb.extend(bytes);
    }
    glb
}

/// Audits a folder, and returns the entries and the errors.
fn audit(folder: &Path, options: &AuditOptions, max_memory: u64) -> (AuditReport, Vec<(ErrorKind, String)>) {
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let mut plan = AuditPlan::new(&[folder.to_owned()], max_memory, &Task::new()).unwrap();
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    let mut failed = |error: AuditError| {
        errors.push((error.kind(), error.to_string()));
        FileError { exit_code: 3, message: error.to_string() }
    };
    let models = plan.take_models().into_iter().map(|model| match model {
        Ok(model) => FileEntry::Done(model),
        Err(error) => FileEntry::Failed { error: failed(error) },
    });
    let models = models.collect();
    let done = |entries: Vec<Result<AuditedFile, AuditError>>| {
        files.extend(entries.into_iter().map(|entry| match entry {
            Ok(file) => FileEntry::Done(file),
            Err(error) => FileEntry::Failed { error: failed(error) },
        }));
    };
    plan.run(options, &devices, 2, max_memory, done, &Task::new()).unwrap();
    (AuditReport::new(options.min_psnr, options.family.name(), files, models), errors)
}

fn entry<'a>(report: &'a AuditReport, name: &str) -> &'a AuditedFile {
    let found = report.files.iter().filter_map(FileEntry::done).find(|file| file.name().ends_with(name));
    found.unwrap_or_else(|| panic!("no {name} in {report:#?}"))
}

#[test]
fn sizes_are_those_of_all_mip_levels() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("smooth.png", &smooth());
    let grey: Vec<u8> = (0..64 * 64u32).map(|i| (i % 64 * 2 + i / 64) as u8).collect();
    write("grey.png", &png(64, 64, PngTexels::Grey8(&grey)));
    let alpha: Vec<_> = (0..64 * 64u32).map(|i| [i as u8, 90, 30, (i / 64 * 4) as u8]).collect();
    write("alpha.png", &png(64, 64, PngTexels::Rgba8(&alpha)));
    write("rock_n.png", &rgb(64, |x, y| [96 + x as u8, 96 + y as u8, 240]));
    let desc = TextureDesc::new_cube(BlockFormat::Bc7, 8).with_full_mips().with_color_space(ColorSpace::Srgb);
    let texture = Texture::new(desc, vec![7; desc.data_bytes() as usize]).unwrap();
    texture.save(folder.path().join("cube.ktx2"), &Task::new()).unwrap();
    let (report, errors) = audit(folder.path(), &AuditOptions::default(), 1 << 30);
    assert_eq!(errors, []);
    let found = |name: &str| {
        let file = entry(&report, name);
        let format = file.trial.as_ref().map_or("", |trial| trial.format);
        (file.kind, file.levels, file.format.as_str(), file.memory_bytes, format, file.advised_bytes)
    };
    use AuditKind::{Color, Normal, OneChannel};
    assert_eq!(found("smooth.png"), (Some(Color), 7, "rgba8", 4 * TEXELS, "bc1", 8 * BLOCKS));
    assert_eq!(found("grey.png"), (Some(OneChannel), 7, "r8", TEXELS, "bc4", 8 * BLOCKS));
    assert_eq!(found("alpha.png"), (Some(Color), 7, "rgba8", 4 * TEXELS, "bc7", 16 * BLOCKS));
    assert_eq!(found("rock_n.png"), (Some(Normal), 7, "rgba8", 4 * TEXELS, "bc5", 16 * BLOCKS));
    // Six faces of 4, 1, 1 and 1 blocks.
    assert_eq!(found("cube.ktx2"), (Some(Color), 4, "bc7", 6 * 7 * 16, "", 6 * 7 * 16));
    assert_eq!((entry(&report, "cube.ktx2").images, entry(&report, "cube.ktx2").saved_bytes), (6, 0));
    assert!(entry(&report, "smooth.png").trial.as_ref().unwrap().psnr.unwrap() > 35.0);
    assert_eq!(entry(&report, "smooth.png").reason, "every texel is opaque");
    assert_eq!(entry(&report, "rock_n.png").reason, "the file's name says normals");
    // The largest saving first.
    let names: Vec<_> = report.files.iter().filter_map(FileEntry::done).map(AuditedFile::name).collect();
    assert!(names[0].ends_with("smooth.png") && names[4].ends_with("cube.ktx2"), "{names:?}");
    let totals = &report.totals;
    assert_eq!((totals.files, totals.compress, totals.keep, totals.failed), (5, 4, 1, 0));
    assert_eq!(totals.memory_bytes, 13 * TEXELS + 672);
    assert_eq!(totals.saved_bytes, 13 * TEXELS - 48 * BLOCKS);
    assert_eq!(totals.advised_bytes, totals.memory_bytes - totals.saved_bytes);
}

/// Sizes today are those of the file's numbers, not of what the reader makes of them.
#[test]
fn sizes_are_those_of_the_numbers_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let light: Vec<_> = (0..64 * 64).map(|i| [i as f32 / 16.0, 2.0, 9.0]).collect();
    let mut exr = Vec::new();
    write_exr(&mut exr, 64, 64, &light, &Task::new()).unwrap();
    write("singles.exr", &exr);
    // gAMA 0.55556 instead of the sRGB chunk: 8 bits become 16 when they are read.
    let grey: Vec<u8> = (0..64 * 64u32).map(|i| (i / 64 * 2) as u8).collect();
    for (name, mut file) in [("art.png", smooth()), ("fog.png", png(64, 64, PngTexels::Grey8(&grey)))] {
        let start = file.windows(4).position(|name| name == b"sRGB").unwrap() - 4;
        file.splice(start..start + 13, *b"\0\0\0\x04gAMA\0\0\xd9\x04\xdc\xb2\xda\x02");
        write(name, &file);
    }
    let (report, errors) = audit(folder.path(), &AuditOptions::default(), 1 << 30);
    assert_eq!(errors, []);
    let size = |name: &str| {
        let file = entry(&report, name);
        (file.format.as_str(), file.memory_bytes)
    };
    assert_eq!(size("singles.exr"), ("rgba32f", 16 * TEXELS));
    assert_eq!(size("art.png"), ("rgba8", 4 * TEXELS));
    assert_eq!(size("fog.png"), ("r8", TEXELS));
    assert_eq!(entry(&report, "fog.png").advice, AuditAdvice::Compress);
}

#[test]
fn files_are_left_alone_for_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("tiny.png", &rgb(16, |x, y| [x as u8, y as u8, 0]));
    write("noise.png", &noise());
    let heights: Vec<u16> = (0..64 * 64u32).map(|i| (i * 15) as u16).collect();
    write("rock_height.png", &png(64, 64, PngTexels::Grey16(&heights)));
    // The same 8 bits twice.
    let heights: Vec<u16> = (0..64 * 64u32).map(|i| (i / 64 * 2 * 257) as u16).collect();
    write("flat_height.png", &png(64, 64, PngTexels::Grey16(&heights)));
    let strip: Vec<_> = (0..2048u32).map(|i| [i as u8, (i >> 3) as u8, 7, (i >> 2) as u8]).collect();
    write("strip.png", &png(2048, 1, PngTexels::Rgba8(&strip)));
    let light: Vec<_> = (0..64 * 64).map(|i| [i as f32 / 16.0, 2.0, 9.0, 0.5].map(f16::from_f32)).collect();
    let mut exr = Vec::new();
    write_exr(&mut exr, 64, 64, &light, &Task::new()).unwrap();
    write("sky.exr", &exr);
    write("glow.dds", &dds_of_halves(64, 64, &light));
    let (report, errors) = audit(folder.path(), &AuditOptions::default(), 1 << 30);
    assert_eq!(errors, []);
    let reason = |name: &str| {
        let file = entry(&report, name);
        assert_eq!((file.advice, file.saved_bytes), (AuditAdvice::Keep, 0), "{name}: {file:?}");
        assert_eq!(file.advised_bytes, file.memory_bytes);
        file.reason.as_str()
    };
    assert_eq!(reason("tiny.png"), "tiny: GPUs allocate at least 4 KiB");
    assert_eq!(reason("rock_height.png"), "16 bits per channel, of which bc4 keeps about 8");
    assert_eq!(reason("strip.png"), "bc7 would not be smaller");
    assert_eq!(entry(&report, "glow.dds").memory_bytes, 8 * 64 * 64);
    assert_eq!(reason("glow.dds"), "HDR with alpha, which bc6h does not store");
    let flat = entry(&report, "flat_height.png");
    assert_eq!((flat.advice, flat.saved_bytes), (AuditAdvice::Compress, 2 * TEXELS - 8 * BLOCKS));
    let sky = entry(&report, "sky.exr");
    let trial = sky.trial.as_ref().unwrap();
    assert_eq!((trial.format, trial.measure, trial.sampled), ("bc6h", "mpsnr", false));
    assert_eq!((sky.kind, sky.memory_bytes), (Some(AuditKind::Hdr), 8 * TEXELS));

    // BC1 loses too much, BC7 does not, until the limit is beyond both.
    let trial = |limit: f64| {
        let (report, _) =
            audit(folder.path(), &AuditOptions { min_psnr: limit, ..AuditOptions::default() }, 1 << 30);
        let file = entry(&report, "noise.png").clone();
        (file.advice, file.saved_bytes, file.trial.unwrap(), file.reason)
    };
    let (advice, saved, bc1, reason) = trial(5.0);
    assert_eq!((advice, saved, bc1.format), (AuditAdvice::Compress, 4 * TEXELS - 8 * BLOCKS, "bc1"));
    assert_eq!(reason, "every texel is opaque");
    let limit = bc1.psnr.unwrap() + 0.01;
    let (advice, saved, bc7, reason) = trial(limit);
    assert_eq!((advice, saved, bc7.format), (AuditAdvice::Compress, 4 * TEXELS - 16 * BLOCKS, "bc7"));
    assert!(reason.starts_with("bc1 would have "), "{reason}");
    let (advice, saved, bc7, reason) = trial(bc7.psnr.unwrap() + 0.01);
    assert_eq!((advice, saved, bc7.format), (AuditAdvice::Keep, 0, "bc7"));
    assert!(reason.starts_with("bc7 would lose too much: "), "{reason}");
}

#[test]
fn materials_state_the_kind_and_images_in_models_are_audited() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    fs::create_dir(folder.path().join("models")).unwrap();
    let grey = rgb(64, |x, y| [(x * 2 + y) as u8; 3]);
    for name in ["a.png", "b_n.png", "c.png", "d.png"] {
        let image = if name == "c.png" { grey.clone() } else { smooth() };
        write(name, &image);
    }
    let embedded = smooth();
    let json = serde_json::json!({
        "asset": { "version": "2.0" },
        "images": [
            { "uri": "../a.png" }, { "uri": "../b_n.png" }, { "uri": "../c.png" },
            { "bufferView": 0, "name": "Inner" }, { "uri": "data:image/png;base64,AAAA" },
            { "uri": "../../secret.png" }, { "uri": "gone.png" }
        ],
        "textures": [{ "source": 0 }, { "source": 1 }, { "source": 2 }, { "source": 3 }],
        "materials": [{
            "normalTexture": { "index": 0 }, "emissiveTexture": { "index": 1 },
            "pbrMetallicRoughness": { "metallicRoughnessTexture": { "index": 2 } },
            "occlusionTexture": { "index": 3 }
        }],
        "buffers": [{ "byteLength": embedded.len() }],
        "bufferViews": [{ "buffer": 0, "byteLength": embedded.len() }]
    });
    write("models/car.glb", &glb(&json, &embedded));
    let (report, errors) = audit(folder.path(), &AuditOptions::default(), 1 << 30);
    let kind = |name: &str| {
        let file = entry(&report, name);
        (file.kind.unwrap(), file.trial.as_ref().unwrap().format, file.used_by.len())
    };
    use AuditKind::{Color, Data, Normal};
    assert_eq!(kind("a.png"), (Normal, "bc5", 1));
    // Materials count more than names.
    assert_eq!(kind("b_n.png"), (Color, "bc1", 1));
    // Grey would be BC4, whose green is 0.
    assert_eq!(kind("c.png"), (Data, "bc1", 1));
    assert_eq!(kind("d.png"), (Color, "bc1", 0));
    let inner = entry(&report, "models/car.glb, image 3 (Inner)");
    assert_eq!((inner.kind, inner.file_bytes), (Some(Data), embedded.len() as u64));
    assert_eq!(inner.embedded, Some(EmbeddedImage { index: 3, name: Some("Inner".to_owned()) }));
    assert_eq!(entry(&report, "a.png").used_by[0].textures, ["normalTexture"]);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].1.contains("car.glb, image 4: "), "{errors:?}");
    let totals = &report.totals;
    assert_eq!((totals.files, totals.failed, totals.findings), (5, 1, 5));
}

#[test]
fn images_may_share_a_buffer_view() {
    let folder = tempfile::tempdir().unwrap();
    let image = smooth();
    let json = serde_json::json!({
        "images": [
            { "bufferView": 0 }, { "bufferView": 0, "name": "Twin" }, { "bufferView": 0 },
            { "bufferView": 0, "name": "rock_n" }, { "bufferView": 1 }, { "bufferView": 1 }
        ],
        "textures": [{ "source": 2 }],
        "materials": [{ "occlusionTexture": { "index": 0 } }],
        "buffers": [{ "byteLength": image.len() }],
        "bufferViews": [{ "buffer": 0, "byteLength": image.len() }, { "buffer": 0, "byteLength": 40 }]
    });
    fs::write(folder.path().join("m.glb"), glb(&json, &image)).unwrap();
    let (report, errors) = audit(folder.path(), &AuditOptions::default(), 1 << 30);
    let found = |name: &str| {
        let file = entry(&report, name);
        (file.embedded.as_ref().unwrap().index, file.kind.unwrap(), file.used_by[0].textures.len())
    };
    use AuditKind::{Color, Data, Normal};
    assert_eq!(found("image 0"), (0, Color, 0));
    assert_eq!(found("image 1 (Twin)"), (1, Color, 0));
    assert_eq!(found("image 2"), (2, Data, 1));
    assert_eq!(found("image 3 (rock_n)"), (3, Normal, 0));
    assert_eq!((report.totals.files, errors.len()), (4, 2), "{errors:?}");
    assert!(errors[0].1.contains("image 4") && errors[1].1.contains("image 5"), "{errors:?}");
}

/// Only Zstandard data is read; for other files the header and the length suffice.
#[test]
fn damage_to_textures_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let desc = TextureDesc::new_2d(BlockFormat::Bc7, 64, 64);
    let texture = Texture::new(desc, (0..desc.data_bytes()).map(|i| (i * i) as u8).collect()).unwrap();
    let file = |zstd| {
        let (mut file, options) = (Vec::new(), TextureWriteOptions::default().with(|o| o.zstd = zstd));
        texture.write(&mut file, ContainerFormat::Ktx2, &options, &Task::new()).unwrap();
        file
    };
    let (plain, packed) = (file(None), file(Some(1)));
    let mut damaged = packed.clone();
    let frame = packed.windows(4).position(|bytes| bytes == 0xfd2f_b528_u32.to_le_bytes()).unwrap();
    damaged[frame] = 0;
    fs::write(folder.path().join("sound.ktx2"), &packed).unwrap();
    fs::write(folder.path().join("damaged.ktx2"), damaged).unwrap();
    fs::write(folder.path().join("short.ktx2"), &plain[..plain.len() - 1]).unwrap();
    let (report, errors) = audit(folder.path(), &AuditOptions::default(), 1 << 30);
    assert_eq!(entry(&report, "sound.ktx2").memory_bytes, desc.data_bytes());
    assert_eq!(errors.len(), 2, "{errors:?}");
    for (error, name) in errors.iter().zip(["damaged.ktx2", "short.ktx2"]) {
        assert!(error.0 == ErrorKind::Invalid && error.1.contains(name), "{error:?}");
    }
}

/// Materials count for the file that they use, also if it was named beside its folder.
#[test]
fn a_file_named_twice_keeps_its_uses() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let model = r#"{"asset": {"version": "2.0"}, "images": [{"uri": "a.png"}], "textures": [{"source": 0}],
        "materials": [{"normalTexture": {"index": 0}}]}"#;
    fs::write(path("a.png"), smooth()).unwrap();
    fs::write(path("b.png"), smooth()).unwrap();
    fs::write(path("m.gltf"), model).unwrap();
    let paths = [path("a.png"), path("b.png"), folder.path().to_owned()];
    let plan = AuditPlan::new(&paths, 1 << 30, &Task::new()).unwrap();
    assert_eq!(plan.unit_count(), 2);
    let normals = |unit: &plan::Unit| unit.uses.usage() == brickwork_image::image_file::PictureUse::Normals;
    assert_eq!(plan.units.iter().map(normals).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn references_outside_of_a_folder_are_not_read() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("art");
    fs::create_dir_all(folder.join(".hidden")).unwrap();
    fs::write(outer.path().join("secret.png"), smooth()).unwrap();
    fs::write(folder.join(".hidden/b.png"), smooth()).unwrap();
    let secret = outer.path().join("secret.png").display().to_string();
    let uris = ["../secret.png", "%2e%2e/secret.png", "..%2Fsecret.png", ".hidden/../../secret.png"];
    let uris = uris.iter().map(|&uri| uri.to_owned()).chain([secret.clone(), format!("file://{secret}")]);
    let mut uris: Vec<_> = uris.collect();
    // Files that the search leaves out are read, because the model refers to them.
    uris.push(".hidden/b.png".to_owned());
    let images: Vec<_> = uris.iter().map(|uri| serde_json::json!({ "uri": uri })).collect();
    fs::write(folder.join("m.gltf"), serde_json::json!({ "images": images }).to_string()).unwrap();
    for path in [folder.clone(), folder.join("m.gltf")] {
        let (report, errors) = audit(&path, &AuditOptions::default(), 1 << 30);
        assert_eq!(errors, []);
        assert_eq!(report.files.len(), 1);
        assert!(entry(&report, "b.png").used_by[0].model.ends_with("m.gltf"));
        let model = report.models[0].done().unwrap();
        let outside = model.findings.iter().filter(|found| found.message.ends_with("it is not read")).count();
        assert_eq!(outside, 6, "{model:?}");
    }
}

#[test]
fn large_images_are_sampled_within_the_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    let texels: Vec<u8> = (0..2304 * 2048u32).map(|i| (i % 2304 / 16 + i / 2304 / 32) as u8).collect();
    fs::write(folder.path().join("large.png"), png(2304, 2048, PngTexels::Grey8(&texels))).unwrap();
    let (report, _) = audit(folder.path(), &AuditOptions::default(), 1 << 30);
    let trial = entry(&report, "large.png").trial.clone().unwrap();
    assert!(trial.sampled && trial.texel_count <= 1 << 22 && trial.texel_count > 1 << 21, "{trial:?}");
    assert!(trial.psnr.is_none_or(|psnr| psnr > 45.0), "{trial:?}");
    // The image alone takes 4.5 MiB.
    for limit in [4 << 20, 6 << 20] {
        let (report, errors) = audit(folder.path(), &AuditOptions::default(), limit);
        assert_eq!((errors[0].0, report.totals.failed), (ErrorKind::Limit, 1), "{errors:?}");
    }
}

#[test]
fn pages_escape_names_and_request_nothing() {
    if cfg!(windows) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let name = "<img src=x onerror=alert(1)>\"'{{js}}\u{202e}.png";
    fs::write(folder.path().join(name), smooth()).unwrap();
    let bad = "<script>alert(2)<.png";
    fs::write(folder.path().join(bad), b"\x89PNG\r\n\x1a\n").unwrap();
    fs::write(folder.path().join("m.gltf"), r#"{"images": [{"uri": "<b>.png"}]}"#).unwrap();
    let (report, _) = audit(folder.path(), &AuditOptions::default(), 1 << 30);
    let html = audit_page(&report, "<i>", "", Some("brickwork audit '<i>'"));
    let page = html.replace("default-src 'none'", "");
    for word in ["<img", "<i>", "<b>", "<script>alert", "\u{202e}", "http:", "https:", "url(", "src=\""] {
        assert!(!page.contains(word), "{word}");
    }
    assert_eq!(html.matches("<script").count(), 1);
    for text in [
        "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;{{js}}\\u{202e}.png",
        "&lt;script&gt;alert(2)&lt;.png",
        "image 0: &lt;b&gt;.png does not exist",
        "<title>Audit of &lt;i&gt;</title>",
        "brickwork audit &#39;&lt;i&gt;&#39;",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert!(html.contains(&format!("data-value=\"{}\"", 4 * TEXELS)));
}

/// Thumbnails of grey, packed data and colours, and of a texture.
#[test]
fn rows_of_a_page_have_thumbnails_kinds_and_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("art.png"), smooth()).unwrap();
    fs::write(folder.path().join("rock_orm.png"), smooth()).unwrap();
    let options = AuditOptions { thumbnails: true, ..AuditOptions::default() };
    let (report, _) = audit(folder.path(), &options, 1 << 30);
    let below = folder.path().display().to_string();
    let html = audit_page(&report, "x", &below, None);
    let rows = html.split("<tbody>").nth(1).unwrap();
    let count = |word: &str| rows.matches(word).count();
    assert_eq!((count("class=\"thumb\""), count("<img "), count("alt=\"red\"")), (2, 4, 1));
    assert_eq!((count("<bdi>art.png</bdi>"), count("<bdi>rock_orm.png</bdi>")), (1, 1));
    assert_eq!((count("data-filter=\"colours\""), count("data-filter=\"data\"")), (1, 1));
    assert_eq!((count("class=\"pass\""), count("class=\"fail\"")), (2, 0));
    let limit = AuditOptions { min_psnr: 100.0, ..options };
    let (report, _) = audit(folder.path(), &limit, 1 << 30);
    let html = audit_page(&report, "x", "", None);
    assert_eq!(
        html.matches("<small class=\"fail\" data-filter=\"fail\">fail: below 100 dB</small>").count(),
        2
    );
}
