//! `convert`: textures change their container, header and description, and keep their blocks.

use crate::common::{Folder, png_rgb};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, ImageIndex, Swizzle, Task, Texture, TextureDesc, TexturePart,
    container::{ContainerFormat, TextureWriteOptions},
};

/// Every format of DDS as every kind, each with mip levels except the last.
fn textures() -> impl Iterator<Item = (String, Texture)> {
    BlockFormat::ALL.iter().filter(|format| !format.is_mobile()).flat_map(|&format| {
        let kinds = [
            ("flat", TextureDesc::new_2d(format, 13, 6).with_full_mips()),
            ("array", TextureDesc::new_2d(format, 4, 9).with_layers(3).with_full_mips()),
            ("cube", TextureDesc::new_cube(format, 10).with_full_mips()),
            ("cubes", TextureDesc::new_cube(format, 5).with_layers(2).with_full_mips()),
            ("volume", TextureDesc::new_3d(format, 9, 5, 7).with_full_mips()),
            ("image", TextureDesc::new_2d(format, 8, 8)),
        ];
        kinds.map(|(kind, desc)| {
            let alpha = if format.has_alpha() { AlphaMode::Straight } else { AlphaMode::Opaque };
            let blocks = (0..desc.data_bytes() / 8).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let blocks = blocks.flat_map(u64::to_le_bytes).collect();
            (format!("{}-{kind}", format.name()), Texture::new(desc.with_alpha_mode(alpha), blocks).unwrap())
        })
    })
}

fn write(folder: &Folder, name: &str, texture: &Texture) {
    let mut file = Vec::new();
    let extension = name.rsplit_once('.').unwrap().1;
    let container = ContainerFormat::of_extension(extension).unwrap();
    texture.write(&mut file, container, &TextureWriteOptions::default(), &Task::new()).unwrap();
    folder.write(name, &file);
}

fn read(folder: &Folder, name: &str) -> Texture {
    Texture::open(folder.path(name), &Task::new()).unwrap()
}

#[test]
fn every_format_and_kind_keeps_its_blocks() {
    let folder = Folder::new();
    for name in ["dds", "ktx2", "zstd", "plain", "half"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    for (name, texture) in textures() {
        write(&folder, &format!("dds/{name}.dds"), &texture);
    }
    folder.run(&["convert", "dds/", "-o", "ktx2/", "--quiet"]).ok();
    folder.run(&["convert", "ktx2/", "-o", "zstd/", "--zstd=3", "--quiet"]).ok();
    // Compressed files stay compressed, unless that is switched off.
    folder.run(&["convert", "zstd/", "-o", "half/", "--drop-levels", "0", "--quiet"]).ok();
    folder.run(&["convert", "zstd/", "-o", "plain/", "--no-zstd", "--container", "dds", "--quiet"]).ok();
    let mut count = 0;
    for (name, texture) in textures() {
        for (file, is_zstd) in [
            (format!("ktx2/{name}.ktx2"), false),
            (format!("zstd/{name}.ktx2"), true),
            (format!("half/{name}.ktx2"), true),
            (format!("plain/{name}.dds"), false),
        ] {
            let found = read(&folder, &file);
            assert!(found == texture, "{file}: {:?}", found.desc());
            // The scheme is the 32-bit number at byte 44.
            assert_eq!(file.ends_with("ktx2") && folder.read(&file)[44] == 2, is_zstd, "{file}");
            count += 1;
        }
        let original = folder.read(&format!("dds/{name}.dds"));
        assert_eq!(folder.read(&format!("plain/{name}.dds")), original, "{name}");
    }
    assert_eq!(count, 4 * 60);
}

#[test]
fn mip_levels_are_left_out() {
    let folder = Folder::new();
    for (name, texture) in textures().filter(|(name, _)| name.starts_with("bc7") && !name.ends_with("image"))
    {
        write(&folder, "a.ktx2", &texture);
        folder.run(&["convert", "a.ktx2", "-o", "b.ktx2", "--drop-levels", "1", "--force"]).ok();
        let ran = folder.run(&["convert", "a.ktx2", "-o", "c.dds", "--levels", "1", "--force"]);
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let [width, height, _] = texture.desc().mip_level_size(0);
        let size = format!("block-compressed textures, not {width}×{height}\n");
        assert!(
            ran.stderr.ends_with(&format!("a.ktx2: Direct3D requires multiples of 4 of {size}")),
            "{ran:?}"
        );
        let arguments =
            ["convert", "a.ktx2", "-o", "d.dds", "--drop-levels", "1", "--levels", "2", "--force", "--quiet"];
        folder.run(&arguments).ok();
        let count = texture.desc().mip_levels;
        for (file, levels) in [("b.ktx2", 1..count), ("c.dds", 0..1), ("d.dds", 1..3)] {
            let part = texture.part(&TexturePart::default().with(|o| o.mip_levels = Some(levels))).unwrap();
            assert!(read(&folder, file) == part, "{name} {file}");
        }
    }
    folder
        .run(&["convert", "a.ktx2", "-o", "e.dds", "--levels", "5"])
        .fails(1, &["a.ktx2: there is no mip level 4, only 0 to 3"]);
    folder
        .run(&["convert", "a.ktx2", "-o", "e.dds", "--drop-levels", "4"])
        .fails(1, &["a.ktx2: there is no mip level 4, only 0 to 3"]);
    assert!(!folder.names().contains(&"e.dds".to_owned()));
}

#[test]
fn properties_change_and_what_a_file_cannot_state_is_reported() {
    let folder = Folder::new();
    folder.write("photo.png", &png_rgb(16, 16, |x, y| [x as u8 * 9, y as u8 * 9, 90]));
    folder.run(&["encode", "photo.png", "-o", "a.dds"]).ok();
    let blocks = read(&folder, "a.dds").into_data();
    let change = |arguments: &str, file: &str| {
        let words: Vec<_> = arguments.split(' ').chain(["-o", file, "--force"]).collect();
        let ran = folder.run(&[&["convert"][..], &words].concat());
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        assert_eq!(read(&folder, file).data(), blocks, "{arguments}");
        ran
    };
    let header = |file: &str| {
        let json = folder.run(&["info", file, "--json"]).json();
        let file = &json["files"][0];
        [&file["header"], &file["color_space"]].map(|value| value.as_str().unwrap().to_owned())
    };
    assert_eq!(header("a.dds"), ["DDS, DX10 header", "sRGB"]);
    change("a.dds --assign-oetf linear", "linear.dds");
    assert_eq!(header("linear.dds"), ["DDS, DX10 header", "linear"]);
    let ran = change("a.dds --legacy", "legacy.dds");
    ran.says(&["a.dds: a legacy DDS header does not state that colours are sRGB; --dx10 does"]);
    assert_eq!(header("legacy.dds"), ["DDS, legacy header", "unknown"]);
    // The header stays as it is, unless the new colour space needs another.
    let ran = change("legacy.dds", "again.dds");
    assert!(ran.ok().contains("16×16, 1 level  bc1 unknown  DDS 256 B"), "{ran:?}");
    assert_eq!(folder.read("again.dds"), folder.read("legacy.dds"));
    assert_eq!(change("legacy.dds --assign-oetf srgb", "srgb.dds").stderr, "");
    assert_eq!(folder.read("srgb.dds"), folder.read("a.dds"));
    let ran = change("legacy.dds", "legacy.ktx2");
    ran.says(&["legacy.dds: the file does not state its colour space; the new file states linear; --assign"]);
    assert_eq!(change("legacy.dds --assign-tf srgb", "srgb.ktx2").stderr, "");
    assert_eq!(header("srgb.ktx2"), ["KTX2", "sRGB"]);

    folder.run(&["encode", "photo.png", "-f", "bc4", "-o", "grey.ktx2"]).ok();
    folder.run(&["convert", "grey.ktx2", "-o", "swizzled.ktx2", "--swizzle", "rrr1"]).ok();
    // A swizzle of any format can be left out.
    let desc = TextureDesc::new_2d(BlockFormat::Bc1, 4, 4).with_swizzle(Swizzle::parse("bgra").unwrap());
    write(&folder, "bgra.ktx2", &Texture::new(desc, vec![7; 8]).unwrap());
    folder.run(&["convert", "bgra.ktx2", "-o", "rgba.dds", "--swizzle", "rgba"]).ok();
    assert_eq!(read(&folder, "swizzled.ktx2").desc().swizzle.letters(), "rrr1");
    for (arguments, exit, words) in [
        ("grey.ktx2 -o b.ktx2 --assign-oetf srgb", 1, "grey.ktx2: bc4 has no sRGB variant"),
        (
            "a.dds -o b.ktx2 --swizzle rrr1",
            1,
            "a.dds: a swizzle is for formats of one or two channels; readers ignore it for bc1",
        ),
        ("swizzled.ktx2 -o b.dds", 5, "b.dds: DDS cannot state the swizzle rrr1 (--swizzle rgba leaves"),
        ("a.dds -o b.dds --zstd", 1, "--zstd is for ktx2, but b.dds would be dds"),
        ("a.dds -o b.ktx2 --legacy", 1, "--legacy is for dds, but b.ktx2 would be ktx2"),
        ("photo.png -o b.ktx2", 3, "photo.png: not a DDS, KTX2 or .astc file"),
        ("a.dds -o b.png", 1, "b.png: cannot write .png files"),
        ("gone.dds -o b.dds", 2, "gone.dds: no such file"),
    ] {
        let words_of_line: Vec<_> = ["convert"].into_iter().chain(arguments.split(' ')).collect();
        folder.run(&words_of_line).fails(exit, &[words]);
    }
    let bc7 = Texture::new(TextureDesc::new_2d(BlockFormat::Bc7, 4, 4), vec![7; 16]).unwrap();
    write(&folder, "bc7.ktx2", &bc7);
    let array = Texture::new(TextureDesc::new_2d(BlockFormat::Bc1, 4, 4).with_layers(2), vec![7; 16]);
    write(&folder, "array.ktx2", &array.unwrap());
    for (file, reason) in [("bc7.ktx2", "bc7"), ("array.ktx2", "an array")] {
        let words = format!("b.dds: {reason} in a legacy DDS header is not supported");
        folder.run(&["convert", file, "-o", "b.dds", "--legacy"]).fails(5, &[&words]);
    }
    assert!(!folder.names().iter().any(|name| name.starts_with("b.")), "{:?}", folder.names());
}

#[test]
fn opaque_alpha_that_ktx2_does_not_state_is_reported() {
    let folder = Folder::new();
    folder.write("photo.png", &png_rgb(16, 16, |x, y| [x as u8 * 9, y as u8 * 9, 90]));
    for (format, is_lost) in [("bc7", true), ("bc3", true), ("rgba8", true), ("bc1", false), ("rg8", false)] {
        let words = ["encode", "photo.png", "-f", format, "-o", "a.dds", "--force", "--quiet"];
        folder.run(&words).ok();
        let ran = folder.run(&["convert", "a.dds", "-o", "a.ktx2", "--force"]);
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let note = "note: a.dds: KTX2 states only for bc1 that alpha is opaque";
        assert_eq!(ran.stderr.contains(note), is_lost, "{format}: {ran:?}");
        folder.run(&["convert", "a.dds", "-o", "b.dds", "--force"]).ok();
        assert_eq!(folder.read("a.dds"), folder.read("b.dds"), "{format}");
    }
}

/// All commands take a typeless file for the same texture, and `convert` states its type.
#[test]
fn typeless_files_become_typed() {
    let folder = Folder::new();
    folder.write("photo.png", &png_rgb(16, 16, |x, y| [x as u8 * 9, y as u8 * 9, 90]));
    folder.run(&["encode", "photo.png", "-f", "bc7", "-o", "typed.dds", "--mips", "--quiet"]).ok();
    let mut file = folder.read("typed.dds");
    file[128] = 97;
    folder.write("a.dds", &file);
    let info = folder.run(&["info", "a.dds", "--json"]).json()["files"][0].clone();
    let facts = ["kind", "format", "format_name", "color_space"].map(|key| info[key].as_str().unwrap());
    assert_eq!(facts, ["texture", "bc7", "DXGI_FORMAT_BC7_TYPELESS", "unknown"]);
    let ran = folder.run(&["convert", "a.dds", "-o", "b.dds", "--assign-oetf", "srgb"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: a.dds: DXGI_FORMAT_BC7_TYPELESS states no type of numbers; DXGI_FORMAT_BC7_UNORM is"]);
    assert_eq!(folder.read("b.dds"), folder.read("typed.dds"));
    let ran = folder.run(&["decode", "a.dds", "-o", "a.png", "--level", "2"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: a.dds: DXGI_FORMAT_BC7_TYPELESS states no type of numbers"]);
    let ran = folder.run(&["compare", "a.dds", "typed.dds", "--exact"]);
    assert_eq!(ran.exit, Some(0), "{ran:?}");
}

/// Appends a key with a value to a KTX2 file: behind everything else, as readers allow.
fn with_key(file: &[u8], key: &str, value: &[u8]) -> Vec<u8> {
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let (start, length) = (number(56), number(60));
    let mut pairs = file[start..start + length].to_vec();
    let pair = [key.as_bytes(), &[0], value].concat();
    pairs.extend((pair.len() as u32).to_le_bytes());
    pairs.extend(&pair);
    pairs.resize(pairs.len().next_multiple_of(4), 0);
    let mut changed = file.to_vec();
    changed[56..60].copy_from_slice(&(file.len() as u32).to_le_bytes());
    changed[60..64].copy_from_slice(&(pairs.len() as u32).to_le_bytes());
    changed.extend(pairs);
    changed
}

#[test]
fn keys_of_ktx2_are_kept() {
    let folder = Folder::new();
    let desc = TextureDesc::new_2d(BlockFormat::Bc1, 8, 8).with_color_space(ColorSpace::Srgb);
    write(&folder, "plain.ktx2", &Texture::new(desc, vec![7; 32]).unwrap());
    let file = with_key(&folder.read("plain.ktx2"), "Studio-asset", b"rock 7\0");
    let file = with_key(&file, "KTXwriterScParams", b"--zstd 18\0");
    folder.write("a.ktx2", &with_key(&file, "ABinary", &[1, 2, 3]));
    folder.run(&["convert", "a.ktx2", "-o", "b.ktx2", "--assign-oetf", "linear"]).ok();
    let json = folder.run(&["info", "b.ktx2", "--json"]).json();
    let keys = json["files"][0]["key_values"].as_object().unwrap();
    let names: Vec<_> = keys.keys().map(String::as_str).collect();
    assert_eq!(names, ["ABinary", "KTXorientation", "KTXwriter", "Studio-asset"]);
    assert_eq!(keys["Studio-asset"], "rock 7");
    // In the file, too, keys are in ascending order.
    let bytes = folder.read("b.ktx2");
    let at = |key: &str| bytes.windows(key.len()).position(|window| window == key.as_bytes()).unwrap();
    assert!(names.windows(2).all(|pair| at(pair[0]) < at(pair[1])));
    assert_eq!(read(&folder, "b.ktx2").key_values()[0], ("ABinary".to_owned(), vec![1, 2, 3]));
    let ran = folder.run(&["convert", "a.ktx2", "-o", "c.dds"]);
    assert_eq!(ran.exit, Some(0));
    ran.says(&["a.ktx2: DDS cannot store the keys ABinary, Studio-asset"]);
}

/// The format is the texture's, not the one that `encode` chooses.
#[test]
fn astc_changes_its_container() {
    let folder = Folder::with_photo();
    folder.line("encode photo.png -f astc -q ultrafast -o a.ktx2").ok();
    folder.line("convert a.ktx2 -o b.astc");
    let [ktx2, astc] = ["a.ktx2", "b.astc"].map(|name| folder.read(name));
    assert!(ktx2.ends_with(&astc[16..]));
    folder.line("convert b.astc -o c.ktx2 --assign-oetf srgb");
    assert_eq!(
        folder.texels("c.ktx2", ImageIndex::default()),
        folder.texels("a.ktx2", ImageIndex::default())
    );
    folder.line("encode photo.png -f astc -q ultrafast --mips -o m.ktx2").ok();
    folder.line("convert m.ktx2 -o m.astc").fails(5, &["mip levels"]);
    folder.line("convert a.ktx2 -o a.dds").fails(5, &["DDS has no format for astc-4x4; write KTX2"]);
}
