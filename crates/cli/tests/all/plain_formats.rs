//! Textures in plain formats: encoding, and every command that reads them.

use crate::common::{Folder, Ran, png_rgb, png_rgba};
use brickwork_image::image_file::{ImageReadOptions, PngTexels, Texels, write_exr, write_png};
use brickwork_texture::{
    ColorSpace, DecodeOptions, ImageIndex, PlainFormat, Task, Texture, TextureKind, half::f16, pictures,
};
use serde_json::Value;
use std::io::Cursor;

/// Runs a line, which succeeds. It may print notes.
#[track_caller]
fn run(folder: &Folder, line: &str) -> Ran {
    let ran = folder.line(line);
    assert_eq!(ran.exit, Some(0), "{line}: {ran:?}");
    ran
}

fn info(folder: &Folder, name: &str) -> Value {
    folder.run(&["info", name, "--json"]).json()["files"][0].clone()
}

fn read(folder: &Folder, name: &str) -> Texture {
    Texture::open(folder.path(name), &Task::new()).unwrap()
}

#[test]
fn pictures_become_texels_without_loss() {
    let folder = Folder::with_photo();
    folder.write("leaf.png", &png_rgba(24, 20, |x, y| [x as u8 * 9, y as u8 * 9, 90, (x * y) as u8]));
    for (input, format, output) in [
        ("photo.png", "rgba8", "photo.dds"),
        ("photo.png", "bgra8", "photo.ktx2"),
        ("photo.png", "rgba16", "wide.ktx2"),
        ("leaf.png", "rgba8", "leaf.ktx2"),
        ("leaf.png", "bgra8", "leaf.dds"),
        ("leaf.png", "VK_FORMAT_R8G8B8A8_SRGB", "named.ktx2"),
    ] {
        let ran = run(&folder, &format!("encode {input} -f {format} -o {output} --mips --force"));
        assert!(ran.text().contains("every texel is equal") && !ran.text().contains("decoder"), "{ran:?}");
        run(&folder, &format!("compare {input} {output} --exact"));
        run(&folder, &format!("validate {output}"));
        run(&folder, &format!("decode {output} -o back.png --force"));
        run(&folder, &format!("compare {input} back.png --exact"));
    }
    let found = info(&folder, "photo.ktx2");
    let facts = ["kind", "format", "format_name", "color_space"].map(|key| found[key].as_str().unwrap());
    assert_eq!(facts, ["texture", "bgra8", "VK_FORMAT_B8G8R8A8_SRGB", "sRGB"]);
    assert_eq!(found["levels"].as_array().unwrap().len(), 7);
    assert_eq!(found["levels"][0]["bytes"], 96 * 64 * 4);
    assert_eq!(info(&folder, "named.ktx2")["format"], "rgba8");
    assert!(folder.run(&["info", "photo.dds"]).ok().contains("texels"));
    // Level 1 of a smooth picture is nearly level 1 of the same picture in another form.
    run(&folder, "decode photo.dds --level 1 -o level.png");
    run(&folder, "extract photo.dds --level 1 -o level.ktx2");
    run(&folder, "compare level.png level.ktx2 --exact");
    run(&folder, "extract photo.ktx2 -o levels/ --level all");
    run(&folder, "compare level.png levels/photo_level1.png --exact");
    run(&folder, "report photo.png photo.dds photo.ktx2 -o page.html");
    // Zstandard makes the file smaller, and the texels stay the same.
    run(&folder, "encode photo.png -f rgba8 -o zstd.ktx2 --mips --zstd");
    assert_eq!(read(&folder, "zstd.ktx2").data(), read(&folder, "photo.dds").data());
    assert!(folder.read("zstd.ktx2").len() < folder.read("photo.dds").len());
}

#[test]
fn every_format_is_written_read_and_converted() {
    let folder = Folder::with_photo();
    for format in PlainFormat::ALL {
        let name = format.name();
        run(&folder, &format!("encode photo.png --linear -f {name} -o {name}.dds --mips"));
        run(&folder, &format!("convert {name}.dds -o {name}.ktx2 --zstd"));
        run(&folder, &format!("convert {name}.ktx2 -o again.dds --force"));
        for file in [format!("{name}.dds"), format!("{name}.ktx2")] {
            let found = info(&folder, &file);
            assert_eq!((&found["kind"], &found["format"]), (&"texture".into(), &name.into()), "{file}");
            run(&folder, &format!("validate {file}"));
        }
        assert_eq!(read(&folder, "again.dds").data(), read(&folder, &format!("{name}.dds")).data(), "{name}");
        run(&folder, &format!("decode {name}.ktx2 --level 2 -o {name}.png"));
        let ran = folder.run(&["compare", &format!("{name}.dds"), "photo.png", "--fail-under", "psnr-r=38"]);
        assert_eq!(ran.exit, Some(0), "{name}: {ran:?}");
    }
}

#[test]
fn legacy_headers_are_written_and_read() {
    let folder = Folder::with_photo();
    for name in ["rgba8", "bgra8"] {
        let ran = run(&folder, &format!("encode photo.png -f {name} -o {name}.dds --legacy"));
        ran.says(&["a legacy DDS header does not say that colours are sRGB"]);
        let found = info(&folder, &format!("{name}.dds"));
        let facts = ["header", "format", "color_space"].map(|key| found[key].as_str().unwrap());
        assert_eq!(facts, ["DDS, legacy header", name, "unknown"]);
        run(&folder, &format!("compare photo.png {name}.dds --exact"));
        run(&folder, &format!("convert {name}.dds -o {name}.ktx2 --assign-oetf srgb"));
        run(&folder, &format!("compare photo.png {name}.ktx2 --exact"));
    }
    folder
        .run(&["encode", "photo.png", "-f", "rg8", "-o", "rg8.dds", "--legacy"])
        .fails(5, &["rg8 in a legacy DDS header is not supported (leave out --legacy: the DX10 header can)"]);
}

#[test]
fn floats_keep_what_the_format_stores() {
    let folder = Folder::new();
    let write = |name: &str, first: f32| {
        let texel = |i: u32| [if i == 0 { first } else { 0.25 }, 8.0, 0.5, 1.0].map(f16::from_f32);
        let mut file = Vec::new();
        write_exr(&mut file, 8, 4, &(0..32).map(texel).collect::<Vec<_>>(), &Task::new()).unwrap();
        folder.write(name, &file);
    };
    write("sky.exr", 0.25);
    write("odd.exr", -1.0);
    for format in ["rgba16f", "rgba32f", "rg11b10f", "rgb9e5"] {
        let ran = run(&folder, &format!("encode sky.exr -f {format} -o sky.ktx2 --mips --force"));
        let is_narrow = ["rg11b10f", "rgb9e5"].contains(&format);
        let note = format!("sky.exr: half floats are rounded to the precision of {format}");
        assert_eq!(ran.stderr.contains(&note), is_narrow, "{ran:?}");
        run(&folder, "compare sky.exr sky.ktx2 --exact");
        run(&folder, "decode sky.ktx2 -o back.exr --force");
        run(&folder, "compare sky.exr back.exr --exact");
        let ran = run(&folder, &format!("encode odd.exr -f {format} -o odd.dds --force"));
        assert_eq!(ran.stderr.contains("1 negative number became 0"), is_narrow, "{ran:?}");
        // A texture of floats is an input like any other.
        run(&folder, "encode sky.ktx2 -f bc6h -o blocks.dds --force");
    }
    let ran = run(&folder, "encode sky.exr -f rgb9e5 -o low.dds --max-value 4");
    ran.says(&["32 numbers beyond the maximum became 4"]);
    run(&folder, "encode sky.exr -f rgba8 -o clamped.dds").says(&["colours below 0 or above 1 are clamped"]);
}

/// Bits of red, green and blue of an EXR file of single floats.
fn single_bits(folder: &Folder, name: &str) -> Vec<[u32; 3]> {
    let options = ImageReadOptions::default().with(|o| o.single_floats = true);
    let picture = pictures::read(Cursor::new(folder.read(name)), None, &options, &Task::new()).unwrap();
    let Texels::RgbF32(texels) = picture.texels else { panic!("not RGB in single floats") };
    texels.iter().map(|texel| texel.map(f32::to_bits)).collect()
}

#[test]
fn single_floats_keep_their_bits() {
    let folder = Folder::new();
    let numbers = [1.0f32 / 3.0, 1e-10, 123_456.79, -3e38, f32::INFINITY, -0.1];
    let texels: Vec<[f32; 3]> = (0..24).map(|i| [0, 1, 2].map(|c| numbers[(i + c) % 6])).collect();
    let mut file = Vec::new();
    write_exr(&mut file, 6, 4, &texels, &Task::new()).unwrap();
    folder.write("far.exr", &file);
    let mut other = texels.clone();
    other[7][0] = f32::from_bits(other[7][0].to_bits() + 1);
    let mut file = Vec::new();
    write_exr(&mut file, 6, 4, &other, &Task::new()).unwrap();
    folder.write("other.exr", &file);
    let info = folder.run(&["info", "far.exr"]);
    assert!(info.ok().contains("RGB, 32 bits per channel"), "{info:?}");
    for (format, channel_count) in [("r32f", 1), ("rg32f", 2), ("rgba32f", 3)] {
        for container in ["dds", "ktx2"] {
            let output = format!("{format}.{container}");
            let ran = run(&folder, &format!("encode far.exr -f {format} -o {output}"));
            assert_eq!(ran.stderr, "", "{ran:?}");
            let ran = run(&folder, &format!("decode {output} -o back.exr --force"));
            assert!(ran.text().contains("EXR RGB in single floats"), "{ran:?}");
            let stored = |[r, g, b]: [f32; 3]| match channel_count {
                1 => [r; 3],
                2 => [r, g, 0.0],
                _ => [r, g, b],
            };
            let expected: Vec<_> = texels.iter().map(|&texel| stored(texel).map(f32::to_bits)).collect();
            assert_eq!(single_bits(&folder, "back.exr"), expected, "{output}");
            run(&folder, &format!("compare far.exr {output} --exact"))
                .says(&["numbers beyond half floats, which count as ±65504"]);
            let ran = folder.line(&format!("compare other.exr {output} --exact"));
            assert_eq!(ran.exit, Some(7), "{ran:?}");
            ran.says(&["differs in the single floats of 1 texel"]);
            // Measures are those of half floats, which are equal.
            let json = folder.line(&format!("compare other.exr {output} --json")).json();
            assert!(json["hdr_metrics"]["half_psnr"].is_null(), "{json}");
        }
    }
    // A texture of single floats is an input like any other. Half floats are compared as half floats.
    run(&folder, "encode rgba32f.dds -f r32f -o again.ktx2");
    assert_eq!(read(&folder, "again.ktx2").data(), read(&folder, "r32f.ktx2").data());
    run(&folder, "decode r32f.dds -o shown.png").says(&["single floats are shown by the tone map clamp"]);
    let clamped = ["far.exr: 24 numbers are beyond half floats and became ±65504"];
    run(&folder, "encode far.exr -f rgba16f -o half.dds").says(&clamped);
    run(&folder, "compare far.exr half.dds --exact");
    run(&folder, "encode far.exr -f bc6h -o blocks.dds").says(&clamped);
    // Mip levels, too, are not clamped to half floats.
    run(&folder, "encode far.exr -f r32f -o mips.ktx2 --mips");
    run(&folder, "decode mips.ktx2 --level 1 -o level.exr");
    let level = single_bits(&folder, "level.exr");
    assert!(level.iter().any(|texel| f32::from_bits(texel[0]).abs() > 1e30), "{level:?}");
}

#[test]
fn single_floats_of_tiff_files_are_kept() {
    let folder = Folder::new();
    let numbers = [1.0f32 / 3.0, 1e-10, 123_456.79, -3e38, 0.0, 1e9];
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    // Grey of 3×2 texels in one strip, after the header: tags and their values.
    let tags: [[u16; 2]; 10] = [
        [256, 3],
        [257, 2],
        [258, 32],
        [259, 1],
        [262, 1],
        [273, 8],
        [277, 1],
        [278, 2],
        [279, data.len() as u16],
        [339, 3],
    ];
    let mut file = b"II*\0".to_vec();
    file.extend(u32::to_le_bytes(8 + data.len() as u32));
    file.extend(&data);
    file.extend(u16::to_le_bytes(tags.len() as u16));
    // Each value is one SHORT.
    file.extend(
        tags.into_iter().flat_map(|[tag, value]| [tag, 3, 1, 0, value, 0]).flat_map(u16::to_le_bytes),
    );
    file.extend([0; 4]);
    folder.write("heights.tif", &file);
    run(&folder, "encode heights.tif -f r32f -o heights.dds");
    assert_eq!(read(&folder, "heights.dds").data(), data);
    run(&folder, "compare heights.tif heights.dds --exact");
}

#[test]
fn rounding_is_said_and_misfits_are_refused() {
    let folder = Folder::with_photo();
    let texels: Vec<[u16; 3]> = (0..64u16).map(|i| [i * 1000, 257, 65535]).collect();
    let mut png = Vec::new();
    write_png(&mut png, 8, 8, PngTexels::Rgb16(&texels), ColorSpace::Linear, &Task::new()).unwrap();
    folder.write("deep.png", &png);
    run(&folder, "encode deep.png -f rgba8 -o a.dds")
        .says(&["note: deep.png: 16-bit channels are rounded to the precision of rgba8"]);
    assert!(!run(&folder, "encode deep.png -f rgba16 -o b.dds").stderr.contains("rounded"));
    for (arguments, words) in [
        ("-f rgba8 --rdo 2", "--rdo is for bc1, bc3, bc4, bc4s, bc5, bc5s, bc7, not rgba8"),
        ("-f r8 --srgb", "r8 has no sRGB variant"),
        ("-f rgba16f", "rgba16f holds linear light, but the picture is sRGB"),
        ("-f rgba8 --max-value 2", "--max-value is for bc6h"),
        ("-f rgba", "\"rgba\" is not a format to encode to"),
    ] {
        let words_of_line: Vec<_> =
            ["encode", "photo.png", "-o", "no.dds"].into_iter().chain(arguments.split(' ')).collect();
        let ran = folder.run(&words_of_line);
        assert_eq!(ran.exit, Some(1), "{arguments}: {ran:?}");
        ran.says(&[words]);
    }
    assert!(!folder.path("no.dds").exists());
}

#[test]
fn textures_are_joined_or_encoded() {
    let folder = Folder::new();
    let faces = ["px", "nx", "py", "ny", "pz", "nz"];
    for name in ["faces", "plain"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    for (index, face) in faces.iter().enumerate() {
        let png = png_rgb(16, 16, |x, y| [x as u8 * 9, y as u8 * 9, index as u8 * 40]);
        folder.write(&format!("faces/sky_{face}.png"), &png);
        run(&folder, &format!("encode faces/sky_{face}.png -f rgba8 -o plain/sky_{face}.dds --mips"));
    }
    let ran = run(&folder, "assemble --cubemap plain/ -o sky.ktx2");
    assert!(ran.text().contains("  5 levels  rgba8  texels copied"), "{ran:?}");
    let cube = read(&folder, "sky.ktx2");
    assert_eq!((cube.desc().kind, cube.desc().mip_levels), (TextureKind::Cube, 5));
    for (face, name) in (0..).zip(faces) {
        let part = read(&folder, &format!("plain/sky_{name}.dds"));
        assert_eq!(cube.image(0, face, 0).unwrap(), part.image(0, 0, 0).unwrap());
        run(&folder, &format!("decode sky.ktx2 --face {face} -o face.png --force"));
        run(&folder, &format!("compare face.png faces/sky_{name}.png --exact"));
    }
    // With a format, and beside an image, texels are encoded.
    let ran = run(&folder, "assemble --cubemap plain/ -o blocks.ktx2 -f bc1 --mips");
    assert!(ran.text().contains("bc1 sRGB"), "{ran:?}");
    run(&folder, "assemble --array plain/sky_px.dds faces/sky_nx.png -o both.dds");
    assert_eq!(info(&folder, "both.dds")["format"], "bc1");
    // Slices and layers of pictures.
    run(&folder, "assemble --volume faces/ -o fog.dds -f r8 --linear --mips");
    let volume = read(&folder, "fog.dds");
    assert_eq!((volume.desc().kind, volume.desc().depth), (TextureKind::D3, 6));
    let index = ImageIndex { mip_level: 1, slice: 2, ..ImageIndex::default() };
    let image = volume.decode(index, &DecodeOptions::default(), &Task::new()).unwrap();
    assert_eq!((image.width(), image.height()), (8, 8));
    run(&folder, "assemble --array faces/ -o tiles.ktx2 -f rg16f --linear --mips");
    run(&folder, "validate fog.dds tiles.ktx2 sky.ktx2 both.dds");
    assert_eq!(info(&folder, "tiles.ktx2")["layers"], 6);
    run(&folder, "extract tiles.ktx2 -o parts/ --layer all --as dds");
    run(&folder, "assemble --array parts/ -o again.ktx2");
    assert_eq!(read(&folder, "again.ktx2").data(), read(&folder, "tiles.ktx2").data());
}
