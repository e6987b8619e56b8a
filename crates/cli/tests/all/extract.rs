//! `extract`: images of a texture as files.

use crate::common::{Folder, png_rgb};
use brickwork_texture::{
    BlockFormat, Task, Texture, TextureDesc, TexturePart,
    container::{ContainerFormat, TextureWriteOptions},
};

/// A texture whose blocks are all different, in a file of this name.
fn write(folder: &Folder, name: &str, desc: TextureDesc) -> Texture {
    let blocks = (0..desc.data_bytes() / 8).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let texture = Texture::new(desc, blocks.flat_map(u64::to_le_bytes).collect()).unwrap();
    let mut file = Vec::new();
    let container = ContainerFormat::of_extension(name.rsplit_once('.').unwrap().1).unwrap();
    texture.write(&mut file, container, &TextureWriteOptions::default(), &Task::new()).unwrap();
    folder.write(name, &file);
    texture
}

fn read(folder: &Folder, name: &str) -> Texture {
    Texture::open(folder.path(name), &Task::new()).unwrap()
}

#[test]
fn pictures_are_those_of_decode() {
    let folder = Folder::new();
    let cubes = TextureDesc::new_cube(BlockFormat::Bc7, 8).with_layers(2).with_full_mips();
    write(&folder, "sky.ktx2", cubes);
    write(&folder, "fog.dds", TextureDesc::new_3d(BlockFormat::Bc4Unorm, 8, 8, 4).with_full_mips());
    let arguments = "extract sky.ktx2 -o out/ --level all --layer 1 --face all";
    let ran = folder.run(&arguments.split(' ').collect::<Vec<_>>());
    assert!(ran.ok().starts_with("sky.ktx2 → out/  24 files  bc7 "), "{ran:?}");
    folder.run(&["extract", "fog.dds", "-o", "out", "--level", "1", "--depth", "all"]).ok();
    let same = |file: &str, arguments: &str| {
        let words: Vec<_> = arguments.split(' ').collect();
        folder.run(&[&["decode"][..], &words, &["-o", "one.png", "--force"]].concat()).ok();
        assert!(folder.read(file) == folder.read("one.png"), "{file}");
    };
    for level in 0..4 {
        for (face, name) in ["px", "nx", "py", "ny", "pz", "nz"].iter().enumerate() {
            let arguments = format!("sky.ktx2 --layer 1 --level {level} --face {face}");
            same(&format!("out/sky_level{level}_layer1_{name}.png"), &arguments);
        }
    }
    for slice in 0..2 {
        same(&format!("out/fog_level1_depth{slice}.png"), &format!("fog.dds --level 1 --slice {slice}"));
    }
    assert_eq!(std::fs::read_dir(folder.path("out")).unwrap().count(), 24 + 2);
    // Without an option: the first image.
    folder.run(&["extract", "sky.ktx2", "-o", "first.png"]).ok();
    same("first.png", "sky.ktx2");
}

#[test]
fn parts_keep_their_blocks() {
    let folder = Folder::new();
    let cubes = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_layers(2).with_full_mips();
    let texture = write(&folder, "sky.dds", cubes);
    folder.run(&["extract", "sky.dds", "-o", "out/", "--layer", "all", "--as", "ktx2"]).ok();
    for layer in 0..2 {
        let part = texture.part(&TexturePart::default().with(|o| o.layers = Some(layer..layer + 1))).unwrap();
        assert_eq!(read(&folder, &format!("out/sky_layer{layer}.ktx2")), part);
    }
    folder.run(&["extract", "sky.dds", "-o", "top.dds", "--face", "+y"]).ok();
    assert_eq!(
        read(&folder, "top.dds"),
        texture.part(&TexturePart::default().with(|o| o.face = Some(2))).unwrap()
    );
    folder.run(&["extract", "sky.dds", "-o", "a.bin", "--face", "1", "--level", "1", "--raw"]).ok();
    let one = TexturePart::default().with(|o| {
        o.face = Some(1);
        o.mip_levels = Some(1..2);
    });
    assert_eq!(folder.read("a.bin"), texture.part(&one).unwrap().data());
    let ran = folder.run(&["extract", "sky.dds", "-o", "-", "--raw", "--level", "2", "--layer", "1"]);
    let last = TexturePart::default().with(|o| {
        o.layers = Some(1..2);
        o.mip_levels = Some(2..3);
    });
    assert_eq!(ran.stdout, texture.part(&last).unwrap().data());
    let volume = TextureDesc::new_3d(BlockFormat::Bc4Unorm, 8, 8, 4).with_full_mips();
    let texture = write(&folder, "fog.ktx2", volume);
    folder.run(&["extract", "fog.ktx2", "-o", "out/", "--slice", "all", "--as", "dds"]).ok();
    let slice = texture
        .part(&TexturePart::default().with(|o| {
            o.mip_levels = Some(0..1);
            o.slice = Some(3);
        }))
        .unwrap();
    assert_eq!(read(&folder, "out/fog_depth3.dds"), slice);
}

#[test]
fn nothing_is_written_if_an_image_or_output_does_not_fit() {
    let folder = Folder::new();
    write(&folder, "sky.dds", TextureDesc::new_cube(BlockFormat::Bc1, 8).with_full_mips());
    folder.write("a.png", &png_rgb(4, 4, |_, _| [1, 2, 3]));
    for (arguments, exit, words) in [
        ("sky.dds -o b.png --level 4", 1, "sky.dds: there is no mip level 4, only 0 to 3"),
        ("sky.dds -o b.png --layer 1", 1, "sky.dds: there is no layer 1, only layer 0"),
        ("sky.dds -o out/ --face all --depth 1", 1, "there is no slice 1, only slice 0"),
        (
            "sky.dds -o b.png --face all",
            1,
            "several images are selected, and b.png is one file (end a folder",
        ),
        (
            "sky.dds -o b.jpg",
            1,
            "b.jpg: the extension is not .png, .exr, .dds, .ktx2 or .astc (use --as or --raw)",
        ),
        ("sky.dds -o b.png --as dds", 1, "b.png: the extension does not fit --as dds"),
        ("sky.dds -o b.exr", 1, "bc1 decodes to integers"),
        ("sky.dds -o b.dds --raw", 1, "b.dds: --raw writes no header, but"),
        ("sky.dds -o out/ --face all --max-memory 1000", 4, "sky.dds: needs"),
        ("sky.dds -o a.png", 2, "a.png: already exists"),
        ("sky.dds -o sky.dds --face 1 --force", 2, "sky.dds: is an input file too"),
        ("a.png -o b.png", 3, "a.png: not a DDS, KTX2 or .astc file"),
        ("gone.dds -o b.png", 2, "gone.dds: no such file"),
    ] {
        let words_of_line: Vec<_> = ["extract"].into_iter().chain(arguments.split(' ')).collect();
        folder.run(&words_of_line).fails(exit, &[words]);
    }
    assert_eq!(folder.names(), ["a.png", "sky.dds"]);
    // One output that exists keeps all others from being written.
    std::fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/sky_nz.png", b"mine");
    folder.run(&["extract", "sky.dds", "-o", "out/", "--face", "all"]).fails(2, &["sky_nz.png: already"]);
    assert_eq!(std::fs::read_dir(folder.path("out")).unwrap().count(), 1);
    assert_eq!(folder.read("out/sky_nz.png"), b"mine");
}
