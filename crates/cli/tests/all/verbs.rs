//! `decode`, `info`, `compare`, and what all commands share: help, version, usage errors.

use crate::common::{Folder, Ran, photo, png_rgb, png_rgba};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, Task, Texture, TextureDesc,
    container::{ContainerFormat, TextureWriteOptions},
};
use std::fs;

/// A cube of 2 layers and 3 mip levels; every block of an image has the colour `color(layer, face, level)`.
fn cube(color: impl Fn(u32, u32, u32) -> u16) -> Texture {
    let mut data = Vec::new();
    for (layer, face) in (0..2).flat_map(|layer| (0..6).map(move |face| (layer, face))) {
        for (level, block_count) in [(0, 4), (1, 1), (2, 1)] {
            let [low, high] = color(layer, face, level).to_le_bytes();
            data.extend([low, high, 0, 0, 0, 0, 0, 0].repeat(block_count));
        }
    }
    let desc = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_layers(2).with_mip_levels(3);
    let desc = desc.with_color_space(ColorSpace::Srgb).with_alpha_mode(AlphaMode::Opaque);
    Texture::new(desc, data).unwrap()
}

fn file_of(texture: &Texture, container: ContainerFormat) -> Vec<u8> {
    let mut file = Vec::new();
    texture.write(&mut file, container, &TextureWriteOptions::default(), &Task::new()).unwrap();
    file
}

#[test]
fn encoding_and_decoding_lead_back_near_the_picture() {
    let folder = Folder::with_photo();
    for file in ["a.dds", "a.ktx2", "b.ktx2"] {
        let zstd = if file == "b.ktx2" { &["--zstd"][..] } else { &[] };
        let arguments: Vec<_> = ["encode", "photo.png", "-o", file].iter().chain(zstd).copied().collect();
        folder.run(&arguments).ok();
        let ran = folder.run(&["decode", file, "-o", "back.png", "--force"]);
        assert!(ran.ok().contains("96×64  bc1 sRGB (exact decoder) → PNG RGB"), "{ran:?}");
        folder.run(&["compare", "photo.png", "back.png", "--fail-under", "psnr=25"]).ok();
        // The picture of a texture is the texture.
        folder.run(&["compare", file, "back.png", "--exact"]).ok();
    }
}

#[test]
fn every_image_of_a_texture_can_be_decoded() {
    let folder = Folder::new();
    // Red counts faces, green layers and mip levels: codes that every decoder widens alike are 0 and the
    // largest.
    let texture = cube(|layer, face, level| {
        (if face % 2 == 1 { 31 << 11 } else { 0 })
            | (if layer == 1 { 63 << 5 } else { 0 })
            | if level == 2 { 31 } else { 0 }
    });
    folder.write("cube.dds", &file_of(&texture, ContainerFormat::Dds));
    folder.write("cube.ktx2", &file_of(&texture, ContainerFormat::Ktx2));
    for (file, side, arguments, color) in [
        ("cube.dds", 8, &[][..], [0, 0, 0]),
        ("cube.dds", 8, &["--face", "-x"], [255, 0, 0]),
        ("cube.ktx2", 8, &["--face", "5", "--layer", "1"], [255, 255, 0]),
        ("cube.ktx2", 2, &["--level", "2", "--face=+y"], [0, 0, 255]),
        ("cube.dds", 4, &["--level", "1", "--layer", "1"], [0, 255, 0]),
    ] {
        let all: Vec<_> =
            ["decode", file, "-o", "a.png", "--force"].iter().chain(arguments).copied().collect();
        folder.run(&all).ok();
        folder.write("wanted.png", &png_rgb(side, side, |_, _| color));
        assert_eq!(
            folder.run(&["compare", "a.png", "wanted.png", "--exact", "--quiet"]).exit,
            Some(0),
            "{arguments:?}"
        );
    }
    let refused = |arguments: &[&str], words: &[&str]| {
        let all: Vec<_> = ["decode", "cube.dds", "-o", "b.png"].iter().chain(arguments).copied().collect();
        folder.run(&all).fails(1, words);
    };
    refused(&["--level", "3"], &["cube.dds: there is no mip level 3, only 0 to 2"]);
    refused(&["--layer", "2"], &["no layer 2, only 0 to 1"]);
    refused(&["--slice", "1"], &["no slice 1, only slice 0"]);
    let ran = folder.run(&["decode", "cube.dds", "--face", "7"]);
    assert_eq!(ran.exit, Some(1));
    ran.says(&["+x, -x"]);
    assert!(!folder.path("b.png").exists());
}

#[test]
fn alpha_comes_back() {
    let folder = Folder::new();
    // A block of index 3 in three-colour mode, and one of white.
    let blocks = [[0, 0, 0, 0, 255, 255, 255, 255], [255, 255, 0, 0, 0, 0, 0, 0]].concat();
    let desc = TextureDesc::new_2d(BlockFormat::Bc1, 8, 4).with_color_space(ColorSpace::Srgb);
    let texture = Texture::new(desc, blocks).unwrap();
    folder.write("a.dds", &file_of(&texture, ContainerFormat::Dds));
    let texel = |x: u32, _: u32| if x < 4 { [0, 0, 0, 0] } else { [255, 255, 255, 255] };
    folder.write("a.png", &png_rgba(8, 4, texel));
    let ran = folder.run(&["decode", "a.dds", "-o", "b.png"]);
    assert!(ran.ok().contains("PNG RGBA"), "{ran:?}");
    folder.run(&["compare", "a.png", "b.png", "--exact"]).ok();
}

#[test]
fn decode_takes_pipes_and_refuses_what_is_no_texture() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "--quiet"]).ok();
    let texture = folder.read("photo.dds");
    let ran = folder.run_with(&["decode", "-", "-o", "-", "--quiet"], &texture);
    assert!(ran.exit == Some(0) && ran.stdout.starts_with(b"\x89PNG"), "{ran:?}");
    folder.run(&["decode", "photo.png"]).fails(3, &["photo.png", "not a DDS, KTX2 or .astc file"]);
    folder.run(&["decode", "photo.dds", "-o", "a.jpg"]).fails(1, &["a.jpg", ".png"]);
    // Nor is a PNG written without its extension; encode is as strict.
    folder
        .run(&["decode", "photo.dds", "-o", "back"])
        .fails(1, &["back: ", "no extension", ".png", "folder"]);
    assert!(!folder.names().contains(&"back".to_owned()));
    folder.run(&["decode", "none.dds"]).fails(2, &["none.dds: no such file"]);
    folder.write("short.dds", &texture[..texture.len() - 1]);
    folder.run(&["decode", "short.dds"]).fails(3, &["short.dds"]);
    // Mip level 0 of no bytes, at an offset that no file can have.
    folder.run(&["encode", "photo.png", "--zstd", "-o", "a.ktx2", "--quiet"]).ok();
    let mut far = folder.read("a.ktx2");
    far[80..96].copy_from_slice(&(1u128 << 62).to_le_bytes());
    folder.write("far.ktx2", &far);
    folder.run(&["decode", "far.ktx2"]).fails(3, &["far.ktx2: ", "Zstandard data of mip level 0"]);
    folder.write("head.ktx2", b"\xabKTX 20\xbb\r\n\x1a\n");
    folder.run(&["decode", "head.ktx2"]).fails(3, &["head.ktx2"]);
    folder.run(&["decode", "photo.dds", "-o", "a.png", "--max-memory", "20K"]).fails(4, &["photo.dds"]);
    let bc6h = Texture::new(TextureDesc::new_2d(BlockFormat::Bc6hUfloat, 4, 4), vec![1; 16]).unwrap();
    folder.write("bc6h.dds", &file_of(&bc6h, ContainerFormat::Dds));
    folder.run(&["info", "bc6h.dds"]).ok();
    let ran = folder.run(&["decode", "bc6h.dds"]);
    assert!(ran.exit == Some(0) && ran.stderr.contains("the tone map clamp"), "{ran:?}");
    assert!(!folder.names().iter().any(|name| name == "a.png"));
    // A block of mode 8, which does not exist, is transparent black.
    let bc7 = TextureDesc::new_2d(BlockFormat::Bc7, 4, 4).with_color_space(ColorSpace::Srgb);
    let bc7 = Texture::new(bc7, vec![0; 16]).unwrap();
    folder.write("bc7.dds", &file_of(&bc7, ContainerFormat::Dds));
    assert!(folder.run(&["decode", "bc7.dds"]).ok().contains("PNG RGBA"));
}

#[test]
fn info_counts_and_draws_the_modes_of_bc7() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "-f", "bc7", "--modes", "1,6", "-o", "a.dds"]).ok();
    let blocks = folder.read("a.dds")[148..].to_vec();
    let sixes = blocks.chunks(16).filter(|block| block[0].trailing_zeros() == 6).count() as u64;
    let json = folder.run(&["info", "a.dds", "--modes", "--json"]).json();
    let modes = &json["files"][0]["modes"];
    assert_eq!(modes["modes"][6], sixes);
    assert_eq!(modes["modes"][1], 24 * 16 - sixes);
    assert_eq!(modes["none"], 0);
    let ran = folder.run(&["info", "a.dds", "--modes-image", "m.png"]);
    assert!(ran.ok().contains("6 grey") && ran.ok().contains("1: "), "{ran:?}");
    let ran = folder.run(&["info", "m.png"]);
    assert!(ran.ok().contains("96×64"), "{ran:?}");
    // Not twice, not of other formats, not of several.
    folder.run(&["info", "a.dds", "--modes-image", "m.png"]).fails(2, &["m.png", "--force"]);
    folder.run(&["info", "a.dds", "--modes-image", "m.png", "--force"]).ok();
    folder.run(&["encode", "photo.png", "-o", "b.dds"]).ok();
    let jpeg = ["info", "a.dds", "--modes-image", "m.jpg", "--force"];
    folder.run(&jpeg).fails(1, &["m.jpg: only PNG is written, not .jpg (use the extension .png)"]);
    folder.run(&["info", "b.dds", "--modes-image", "n.png"]).fails(1, &["is for textures in BC6H and BC7"]);
    folder.run(&["info", "a.dds", "b.dds", "--modes-image", "n.png"]).fails(1, &["one texture, not 2"]);
    assert!(!folder.path("n.png").exists());
    assert!(!folder.run(&["info", "b.dds", "--modes"]).ok().contains("modes  "));
}

#[test]
fn info_draws_the_endpoints_of_blocks() {
    let folder = Folder::new();
    folder.write("flat.png", &png_rgb(8, 8, |_, _| [255, 0, 0]));
    for format in ["bc1", "bc3", "bc7"] {
        let arguments = format!("encode flat.png -f {format} -o a.dds --force");
        folder.run(&arguments.split(' ').collect::<Vec<_>>()).ok();
        let ran = folder.run(&["info", "a.dds", "--endpoints-image", "e.png", "--force"]);
        assert!(ran.ok().contains("e.png: the first left, the second right in each block"), "{ran:?}");
        let ran = folder.run(&["info", "e.png"]);
        assert!(ran.ok().contains("8×8"), "{ran:?}");
    }
    folder.run(&["info", "a.dds", "--endpoints-image", "e.png"]).fails(2, &["e.png", "--force"]);
    folder.run(&["encode", "flat.png", "-f", "rgba8", "-o", "p.dds"]).ok();
    for input in ["p.dds", "flat.png"] {
        let ran = folder.run(&["info", input, "--endpoints-image", "n.png"]);
        ran.fails(1, &["--endpoints-image is for block-compressed textures"]);
    }
    let ran = folder.run(&["info", "a.dds", "p.dds", "--endpoints-image", "n.png"]);
    ran.fails(1, &["--endpoints-image takes one texture, not 2"]);
    folder.run(&["info", "a.dds", "--force"]).fails(1, &["--force is for --modes-image"]);
    assert!(!folder.path("n.png").exists());
}

#[test]
fn a_legacy_header_says_nothing_of_color_spaces() {
    let folder = Folder::with_photo();
    let ran = folder.run(&["encode", "photo.png", "-o", "old.dds", "--legacy"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: a legacy DDS header does not say that colours are sRGB"]);
    let info = &folder.run(&["info", "old.dds", "--json"]).json();
    assert_eq!(info["files"][0]["color_space"], "unknown");
    // Its PNG says nothing either, so that `encode` makes of both what it makes of one.
    let decoded = folder.run(&["decode", "old.dds", "-o", "old.png", "--json"]).json();
    assert_eq!(decoded["files"][0]["color_space"], "unknown");
    let png = folder.read("old.png");
    let has = |chunk: &[u8]| png.windows(4).any(|four| four == chunk);
    assert!(!has(b"sRGB") && !has(b"gAMA"));
    for input in ["old.dds", "old.png"] {
        let again = folder.run(&["encode", input, "-o", "again.ktx2", "--force", "--json"]).json();
        assert_eq!(again["files"][0]["color_space"], "sRGB", "{input}");
    }
    // Linear texels are not written with such a header unless an option requires it.
    folder.run(&["encode", "photo.png", "-o", "linear.dds", "--linear"]).ok();
    let info = folder.run(&["info", "linear.dds", "--json"]).json();
    assert_eq!(info["files"][0]["color_space"], "linear");
}

#[test]
fn info_prints_the_header_of_basis_universal() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "-f", "bc7", "-o", "photo.ktx2"]).ok();
    let mut file = fs::read(folder.path("photo.ktx2")).unwrap();
    // No Vulkan format, and the colour model of UASTC.
    file[12..16].fill(0);
    let descriptor = u32::from_le_bytes(file[48..52].try_into().unwrap()) as usize;
    file[descriptor + 12] = 166;
    folder.write("basis.ktx2", &file);
    let ran = folder.run(&["info", "basis.ktx2"]);
    let text = ran.ok();
    for part in
        ["Basis Universal UASTC", "no mip levels", "KTXwriter", "only the header of this format is read"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.run(&["info", "basis.ktx2", "--json"]).json();
    assert_eq!((&json["files"][0]["kind"], &json["files"][0]["level_count"]), (&"header".into(), &1.into()));
    folder.run(&["encode", "basis.ktx2"]).fails(5, &["colour model UASTC"]);
}

#[test]
fn info_tells_of_textures_and_images() {
    let folder = Folder::with_photo();
    folder.run(&["encode", "photo.png", "-o", "a.ktx2", "--mips", "--zstd"]).ok();
    folder.write("cube.dds", &file_of(&cube(|_, _, _| 0), ContainerFormat::Dds));
    let ran = folder.run(&["info", "a.ktx2", "cube.dds", "photo.png"]);
    for part in [
        "VK_FORMAT_BC1_RGB_SRGB_BLOCK (bc1)",
        "96×64, 7 mip levels",
        "Zstandard",
        "level 6",
        "DXGI_FORMAT_BC1_UNORM_SRGB",
        "8×8, cube, 2 layers, 3 mip levels",
        "RGB, 8 bits per channel",
        "sRGB (PNG sRGB chunk)",
    ] {
        assert!(ran.ok().contains(part), "{part}: {}", ran.text());
    }
    folder.write("text.png", b"text");
    let ran = folder.run(&["info", "text.png", "photo.png", "."]);
    assert_eq!(ran.exit, Some(3));
    assert!(ran.text().contains("photo.png") && ran.text().contains("cube.dds"), "{ran:?}");
    let ran = folder.run_with(&["info", "-"], &photo());
    assert!(ran.ok().contains("standard input"), "{ran:?}");
}

#[test]
fn compare_gives_a_verdict() {
    let folder = Folder::new();
    folder.write("a.png", &png_rgb(32, 32, |x, y| [x as u8, y as u8, 7]));
    folder.write("b.png", &png_rgb(32, 32, |x, y| [x as u8 + u8::from(x == 3 && y == 4), y as u8, 7]));
    folder.write("c.png", &png_rgb(32, 16, |_, _| [1, 2, 3]));
    let compare = |arguments: &[&str]| {
        let all: Vec<_> = ["compare", "a.png"].iter().chain(arguments).copied().collect();
        folder.run(&all)
    };
    assert!(compare(&["a.png", "--exact"]).ok().contains("every texel is equal"));
    compare(&["b.png"]).ok();
    compare(&["b.png", "--exact", "--quiet"]).fails(7, &["b.png: differs by up to 1"]);
    compare(&["b.png", "--quiet", "--fail-under", "psnr=40", "--fail-under", "ssim=0.9"]).ok();
    compare(&["b.png", "--quiet", "--fail-under", "psnr=99"]).fails(7, &["psnr is", "less than 99"]);
    compare(&["b.png", "--quiet", "--fail-under", "psnr-r=99"]).fails(7, &["psnr-r is"]);
    compare(&["b.png", "--quiet", "--fail-under", "psnr-g=99"]).ok();
    compare(&["b.png", "--quiet", "--fail-under", "ssim=1"]).fails(7, &["ssim is"]);
    // The least value passes.
    compare(&["a.png", "--quiet", "--fail-under", "ssim=1"]).ok();
    compare(&["c.png"]).fails(7, &["a.png", "c.png", "differ in size: 32×32 and 32×16"]);
    compare(&["d.png"]).fails(2, &["d.png: no such file"]);
    let ran = compare(&["b.png", "--fail-under", "mse=1"]);
    assert_eq!(ran.exit, Some(1));
    ran.says(&["\"mse\" is not a measure", "psnr-luma"]);
    assert_eq!(compare(&["b.png", "--scale", "3"]).exit, Some(1));

    compare(&["b.png", "--diff", "d.jpg"]).fails(1, &["d.jpg: only PNG is written, not .jpg"]);
    compare(&["b.png", "--diff", "d.png", "--scale", "200"]).ok();
    folder.write("wanted.png", &png_rgb(32, 32, |x, y| [if x == 3 && y == 4 { 200 } else { 0 }, 0, 0]));
    folder.run(&["compare", "d.png", "wanted.png", "--exact"]).ok();
    let ran = folder.run_with(&["compare", "-", "a.png", "--exact"], &folder.read("a.png"));
    ran.ok();
    folder.run(&["compare", "-", "-"]).fails(1, &["standard input"]);
}

#[cfg(unix)]
#[test]
fn names_of_files_do_not_steer_the_terminal() {
    let folder = Folder::with_photo();
    fs::rename(folder.path("photo.png"), folder.path("a\u{1b}[2J\n.png")).unwrap();
    for arguments in [
        &["encode", ".", "-o", "out/"][..],
        &["decode", "out", "-o", "back/"],
        &["info", "."],
        &["compare", "a\u{1b}[2J\n.png", "a\u{1b}[2J\n.png"],
    ] {
        let ran = folder.run(arguments);
        assert!(ran.ok().contains("a\\u{1b}[2J\\n."), "{ran:?}");
        assert!(!ran.text().contains('\u{1b}'), "{ran:?}");
    }
    // JSON has its own way to escape, and keeps the name.
    let json = folder.run(&["info", ".", "--json"]).json();
    assert_eq!(json["files"][0]["file"], "./a\u{1b}[2J\n.png");
}

/// Bytes of names that are not UTF-8 are escaped, so that no two files have one name in JSON.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_differ() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::with_photo();
    fs::create_dir(folder.path("in")).unwrap();
    for name in [b"\xfc.png", b"\xfd.png"] {
        let path = folder.path("in").join(std::ffi::OsStr::from_bytes(name));
        fs::copy(folder.path("photo.png"), path).unwrap();
    }
    let json = folder.run(&["info", "in", "--json"]).json();
    let names: Vec<_> = json["files"].as_array().unwrap().iter().map(|file| file["file"].clone()).collect();
    assert_eq!(names, ["in/\\xfc.png", "in/\\xfd.png"]);
    let json = folder.run(&["encode", "in", "-o", "out/", "--json"]).json();
    assert_eq!(json["files"][1]["output"], "out/\\xfd.dds");
    assert_eq!(folder.run(&["info", "out", "--json"]).json()["files"][0]["file"], "out/\\xfc.dds");
    folder.run(&["compare", "in", "out", "--quiet", "--fail-under", "psnr=30"]).ok();
}

#[test]
fn help_is_wrapped_at_the_width_of_the_terminal() {
    let folder = Folder::new();
    for (said, columns) in [("60", 60), ("80", 80), ("200", 100)] {
        for words in [&["encode", "--help"][..], &["volume", "slice", "--help"]] {
            let ran = Ran::of(folder.command(words).env("COLUMNS", said).output().unwrap());
            // The usage is a single line.
            let lines = ran.ok().lines().filter(|line| !line.starts_with("Usage:"));
            let widest = lines.map(|line| line.chars().count()).max();
            let fits = widest <= Some(columns) && widest > Some(columns - 10);
            assert!(fits, "{words:?}: {widest:?} of {said}");
        }
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = Folder::new();
    let version = format!("brickwork {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(folder.run(&["--version"]).ok(), version);
    assert_eq!(folder.run(&["help"]).ok(), folder.run(&["--help"]).ok());
    for command in ["encode", "decode", "info", "compare"] {
        assert!(folder.run(&["--help"]).ok().contains(command));
        assert_eq!(folder.run(&["help", command]).ok(), folder.run(&[command, "--help"]).ok());
        for flag in ["-h", "--help"] {
            let ran = folder.run(&[command, flag]);
            for part in ["Usage: brickwork", "Examples:", command] {
                assert!(ran.ok().contains(part), "{command} {flag}: {part}");
            }
            let widest = ran.text().lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(100), "{command} {flag}: {widest:?} columns");
        }
    }
    let help = folder.run(&["encode", "--help"]);
    assert!(help.ok().contains("such texels decode with alpha 0"));
    let flat = help.text().split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["[default: normal]", "[default: bc1]", "[default: 128]", "[default: 4GiB]"] {
        assert!(flat.contains(part), "{part}");
    }
    let codes = folder.run(&["--help"]);
    let (_, codes) = codes.ok().split_once("Exit codes:\n").unwrap();
    let codes: Vec<_> = codes.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(codes, ["0", "1", "2", "3", "4", "5", "7", "130"]);
    for (command, part) in [("compare", "and for images that differ in size"), ("report", "exit code is 7")] {
        let help = folder.run(&[command, "--help"]);
        let flat = help.ok().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(part), "{flat}");
    }
    // `help` has no options other than its own help.
    for flag in ["-h", "--help"] {
        assert_eq!(folder.run(&["help", flag]).ok(), folder.run(&["help"]).ok());
        assert_eq!(folder.run(&["help", "encode", flag]).ok(), folder.run(&["encode", "--help"]).ok());
        let words = ["volume", "help", "extract", flag];
        assert_eq!(folder.run(&words).ok(), folder.run(&["volume", "extract", "--help"]).ok());
    }
    folder.run(&["help", "frob"]).says(&["unrecognized command 'frob'"]);
}

#[test]
fn shells_and_man_know_the_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = folder.run(&["completions", shell]);
        for word in ["encode", "volume", "--quality", "render"] {
            assert!(ran.ok().contains(word.trim_start_matches('-')), "{shell}: {word}");
        }
    }
    folder.run(&["completions", "tcsh"]).says(&["tcsh", "bash"]);
    folder.run(&["man", "-o", "pages/"]).ok();
    let page = String::from_utf8(folder.read("pages/brickwork-volume-render.1")).unwrap();
    assert!(page.contains(".TH") && page.contains("\\-\\-orbit"), "{page}");
    assert!(folder.path("pages/brickwork.1").exists() && folder.path("pages/brickwork-encode.1").exists());
    folder.run(&["man", "-o", "pages/"]).fails(2, &["pages/brickwork.1", "exists"]);
    folder.run(&["man", "-o", "pages/", "--force"]).ok();
}

#[test]
fn misspelt_instruction_sets_are_refused() {
    let folder = Folder::new();
    // The first name is the same on every CPU.
    for (variable, available) in [("BRICKWORK_TEXTURE_SIMD", "scalar"), ("BRICKWORK_VOLUME_SIMD", "portable")]
    {
        let run = |value| Ran::of(folder.command(&["schema", "info"]).env(variable, value).output().unwrap());
        let wrong = format!("{variable} is \"avx22\"; this program can use {available}");
        run("avx22").fails(1, &[&wrong]);
        assert_eq!([run(available).exit, run("").exit], [Some(0); 2]);
    }
}

#[test]
fn senseless_command_lines_exit_with_1() {
    let folder = Folder::with_photo();
    for arguments in [
        &[][..],
        &["encode"],
        &["encode", "--nonsense"],
        &["encode", "photo.png", "--srgb", "--linear"],
        &["encode", "photo.png", "--quiet", "--json"],
        &["encode", "photo.png", "--transparent-black", "--no-three-color"],
        &["frobnicate"],
        &["compare", "photo.png"],
        &["info"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!((ran.exit, ran.text()), (Some(1), ""), "{arguments:?}");
        assert!(ran.stderr.contains("Usage: brickwork"), "{arguments:?}: {}", ran.stderr);
    }
    folder.run(&["photo.png"]).fails(1, &["photo.png is not a command", "brickwork encode photo.png?"]);
    assert_eq!(folder.names(), ["photo.png"]);
}
