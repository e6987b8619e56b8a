//! `assemble`: cubes, arrays and 3D textures from images and textures.

use crate::common::{Folder, png_rgb};
use brickwork_image::image_file::write_exr;
use brickwork_texture::{
    BlockFormat, ChannelType, DecodeOptions, DecodedTexels, ImageIndex, Task, Texture, TextureKind,
    TexturePart, half::f16,
};

/// The names of faces, in the order of a cube.
const FACES: [&str; 6] = ["px", "nx", "py", "ny", "pz", "nz"];

/// A colour for each face, which BC1 stores exactly.
fn color(face: usize) -> [u8; 3] {
    [[255, 0, 0], [0, 255, 255], [0, 255, 0], [255, 0, 255], [0, 0, 255], [255, 255, 0]][face]
}

fn read(folder: &Folder, name: &str) -> Texture {
    Texture::open(folder.path(name), &Task::new()).unwrap()
}

/// The texel in the middle of an image.
fn middle(texture: &Texture, layer: u32, face: u32, mip_level: u32, slice: u32) -> [u8; 3] {
    let index = ImageIndex { layer, face, mip_level, slice };
    let image = texture.decode(index, &DecodeOptions::default(), &Task::new()).unwrap();
    let texels = image.texels().as_rgba8().unwrap();
    let [r, g, b, _] = texels[(image.height() / 2 * image.width() + image.width() / 2) as usize];
    [r, g, b]
}

fn folder_of_faces(side: u32) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("faces")).unwrap();
    for (face, name) in FACES.iter().enumerate() {
        folder.write(&format!("faces/sky_{name}.png"), &png_rgb(side, side, |_, _| color(face)));
    }
    folder
}

fn run(folder: &Folder, line: &str) -> crate::common::Ran {
    folder.run(&[&["assemble"][..], &line.split(' ').collect::<Vec<_>>()].concat())
}

#[test]
fn signs_and_letters_of_names_make_a_cube() {
    for names in [["+X", "-X", "+Y", "-Y", "+Z", "-Z"], ["r", "l", "u", "d", "f", "b"]] {
        let folder = Folder::new();
        std::fs::create_dir(folder.path("faces")).unwrap();
        for (face, name) in names.iter().enumerate() {
            folder.write(&format!("faces/sky_{name}.png"), &png_rgb(8, 8, |_, _| color(face)));
        }
        let ran = run(&folder, "--cubemap faces/ -o sky.dds");
        assert!(ran.ok().contains("faces by name"), "{ran:?}");
        let cube = read(&folder, "sky.dds");
        for face in 0..6 {
            assert_eq!(middle(&cube, 0, face, 0, 0), color(face as usize), "{names:?}");
        }
    }
}

#[test]
fn names_of_faces_make_a_cube() {
    let folder = folder_of_faces(16);
    // The folder's order is that of the alphabet: nx first.
    let ran = run(&folder, "--cubemap faces/ -o sky.ktx2 --mips");
    assert!(ran.ok().contains("6 files → sky.ktx2  cube of 16×16, faces by name\n  +X "), "{ran:?}");
    assert!(ran.text().contains("\n6 files → sky.ktx2  16×16"), "{ran:?}");
    let cube = read(&folder, "sky.ktx2");
    assert_eq!((cube.desc().kind, cube.desc().mip_levels), (TextureKind::Cube, 5));
    for face in 0..6 {
        for level in 0..5 {
            assert_eq!(middle(&cube, 0, face, level, 0), color(face as usize), "{face} {level}");
        }
    }
    // Without names, the order is that of the command line.
    let mut files = Vec::new();
    for face in 0..6 {
        let name = format!("{}.png", (5 - face) + 1);
        folder.write(&name, &png_rgb(16, 16, |_, _| color(face)));
        files.push(name);
    }
    let ran = run(&folder, &format!("--cubemap {} -o order.dds --mips", files.join(" ")));
    assert!(ran.ok().contains("faces in order\n  +X 6.png\n  -X 5.png"), "{ran:?}");
    assert_eq!(read(&folder, "order.dds").data(), cube.data());
    std::fs::create_dir(folder.path("plain")).unwrap();
    for name in &files {
        std::fs::copy(folder.path(name), folder.path(&format!("plain/{name}"))).unwrap();
    }
    let json = run(&folder, "--cubemap plain -o plain.dds --json").json();
    assert!(json["files"][0]["notes"][0].as_str().unwrap().contains("order of their names"), "{json}");
    let json = run(&folder, "--cubemap faces/ -o old.dds --legacy --json").json();
    assert_eq!(json["files"][0]["color_space"], "unknown");
    // Filters that read past the edges of faces are not the default.
    for (kind, filter) in [("--cubemap", "box"), ("--array", "kaiser")] {
        let json = run(&folder, &format!("{kind} faces/ -o filter.dds --mips --force --json")).json();
        assert_eq!(json["files"][0]["encode"]["mip_filter"], filter, "{kind}");
    }
    // Twice the same: an array of two cubes.
    let ran = run(&folder, &format!("--cubemap --layers 2 {0} {0} -o two.dds --json", files.join(" ")));
    let json = &ran.json()["files"][0];
    assert_eq!(
        (&json["layers"], &json["faces"], &json["face_source"]),
        (&2.into(), &6.into(), &"faces in order".into())
    );
}

#[test]
fn crosses_strips_and_panoramas_make_cubes() {
    let folder = folder_of_faces(16);
    run(&folder, "--cubemap faces/ -o faces.ktx2").ok();
    let faces = read(&folder, "faces.ktx2");
    let places = [
        ("h.png", 4, 3, [[2, 1], [0, 1], [1, 0], [1, 2], [1, 1], [3, 1]], "horizontal cross"),
        ("v.png", 3, 4, [[2, 1], [0, 1], [1, 0], [1, 2], [1, 1], [1, 3]], "vertical cross"),
        ("s.png", 6, 1, [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]], "horizontal strip"),
        ("t.png", 1, 6, [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5]], "vertical strip"),
    ];
    for (name, columns, rows, places, layout) in places {
        let face_at = |x: u32, y: u32| places.iter().position(|place| *place == [x / 16, y / 16]);
        let texel = |x, y| face_at(x, y).map_or([9, 9, 9], color);
        folder.write(name, &png_rgb(16 * columns, 16 * rows, texel));
        let ran = run(&folder, &format!("--cubemap {name} -o cube.ktx2 --force"));
        assert!(ran.ok().contains(&format!("1 file → cube.ktx2  cube of 16×16, {layout}\n")), "{ran:?}");
        assert_eq!(read(&folder, "cube.ktx2").data(), faces.data(), "{name}");
    }
    // A panorama with one colour ahead, and another behind and to the sides.
    let ahead = |x: u32| if (24..40).contains(&x) { 8.0 } else { 0.5 };
    let texels: Vec<[f16; 4]> = (0..64 * 32).map(|i| [f16::from_f32(ahead(i % 64)); 4]).collect();
    let mut exr = Vec::new();
    write_exr(&mut exr, 64, 32, &texels, &Task::new()).unwrap();
    folder.write("panorama.exr", &exr);
    let ran = run(&folder, "--cubemap panorama.exr -o hdr.ktx2 -f bc6h --face-size 32 --mips");
    assert!(ran.ok().contains("cube of 32×32, panorama\n"), "{ran:?}");
    let cube = read(&folder, "hdr.ktx2");
    assert_eq!((cube.desc().format.block(), cube.desc().mip_levels), (Some(BlockFormat::Bc6hUfloat), 6));
    let light = |face| {
        let index = ImageIndex { face, ..ImageIndex::default() };
        let options = DecodeOptions::default().with(|o| o.channel_type = Some(ChannelType::F16));
        let image = cube.decode(index, &options, &Task::new()).unwrap();
        let DecodedTexels::RgbaF16(texels) = image.texels() else { panic!("no half floats") };
        texels[16 * 32 + 16][0].to_f32()
    };
    assert!((light(4) - 8.0).abs() < 0.1 && (light(5) - 0.5).abs() < 0.1, "{} {}", light(4), light(5));
}

#[test]
fn arrays_and_volumes_have_an_image_for_each_file() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("slices")).unwrap();
    for slice in 0..4 {
        let grey = 80 * slice as u8;
        folder.write(&format!("slices/{slice}.png"), &png_rgb(8, 8, |_, _| [grey; 3]));
    }
    let ran = run(&folder, "--volume slices/ -o fog.ktx2 -f bc4 --linear --mips");
    assert!(ran.ok().contains("4 files → fog.ktx2  3D texture of 8×8×4\n"), "{ran:?}");
    let volume = read(&folder, "fog.ktx2");
    assert_eq!((volume.desc().kind, volume.desc().depth, volume.desc().mip_levels), (TextureKind::D3, 4, 4));
    for (level, slice, grey) in [(0, 3, 240u8), (1, 0, 40), (1, 1, 200), (2, 0, 120)] {
        assert!(middle(&volume, 0, 0, level, slice)[0].abs_diff(grey) <= 2, "{level} {slice}");
    }
    run(&folder, "--layers 4 slices/ -o tiles.dds --mips").ok();
    let array = read(&folder, "tiles.dds");
    assert_eq!((array.desc().kind, array.desc().layers), (TextureKind::D2, 4));
    assert!(middle(&array, 3, 0, 2, 0)[0].abs_diff(240) <= 4);
}

#[test]
fn textures_are_joined_without_encoding() {
    let folder = folder_of_faces(16);
    for name in FACES {
        let [from, to] = [format!("faces/sky_{name}.png"), format!("sky_{name}.dds")];
        folder.run(&["encode", &from, "-o", &to, "-f", "bc7", "--mips"]).ok();
    }
    let files = FACES.map(|name| format!("sky_{name}.dds")).join(" ");
    let ran = run(&folder, &format!("--cubemap {files} -o sky.ktx2 --zstd"));
    assert!(ran.text().contains("  5 levels  bc7  blocks copied"), "{ran:?}");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    ran.says(&["note: sky.ktx2: KTX2 states only for bc1 that alpha is opaque"]);
    let cube = read(&folder, "sky.ktx2");
    for (face, name) in (0..).zip(FACES) {
        let part = cube.part(&TexturePart::default().with(|o| o.face = Some(face))).unwrap();
        assert_eq!(part.data(), read(&folder, &format!("sky_{name}.dds")).data());
    }
    // What extract takes apart, assemble joins.
    folder.run(&["extract", "sky.ktx2", "-o", "parts/", "--face", "all", "--as", "ktx2"]).ok();
    run(&folder, "--cubemap parts/ -o again.ktx2").ok();
    assert_eq!(read(&folder, "again.ktx2"), cube);
    run(&folder, "--array again.ktx2 sky.ktx2 -o array.dds").ok();
    assert_eq!(read(&folder, "array.dds").desc().layers, 2);

    // Mip levels that convert leaves out are added again.
    folder.run(&["convert", "sky.ktx2", "-o", "large.ktx2", "--levels", "1"]).ok();
    folder.run(&["convert", "sky.ktx2", "-o", "small.ktx2", "--drop-levels", "1"]).ok();
    let ran = run(&folder, "--from-mips large.ktx2 small.ktx2 -o again.ktx2 --force");
    assert!(ran.ok().contains("cube of 16×16\n  5 levels  bc7  blocks copied"), "{ran:?}");
    assert_eq!(read(&folder, "again.ktx2"), cube);

    folder.run(&["encode", "faces/sky_px.png", "-o", "bc1.dds", "--mips"]).ok();
    folder.run(&["encode", "faces/sky_px.png", "-o", "flat.dds", "-f", "bc7"]).ok();
    for (line, words) in [
        ("--array sky_px.dds bc1.dds", "bc1.dds: has the format bc1, the first texture bc7"),
        ("--array sky_px.dds flat.dds", "flat.dds: has 1 mip level, the first texture 5"),
        ("--array sky_px.dds faces/sky_px.png", "faces/sky_px.png: is an image, unlike the first input"),
        ("--from-mips sky_px.dds sky_nx.dds", "sky_nx.dds: follows the smallest mip level"),
        ("--from-mips faces/sky_px.png", "mip levels are joined from textures; the inputs are images"),
        ("--volume sky_px.dds sky_nx.dds", "sky_px.dds: is a 2D texture with mip levels; 2D"),
        ("--array sky_px.dds sky_nx.dds -f bc3", "--format needs images; the inputs are textures"),
        ("--array sky_px.dds sky_nx.dds --mips", "--mips needs images"),
        ("--array sky_px.dds sky_nx.dds --max-size 8", "--max-size needs images"),
        ("--array sky_px.dds sky_nx.dds --opaque", "--opaque needs images"),
        (
            "--cubemap sky_px.dds sky_nx.dds",
            "sky_px.dds: a cube has six faces, and 2 inputs are given; by their names, the faces +Y (py), -Y",
        ),
    ] {
        run(&folder, &format!("{line} -o bad.dds")).fails(1, &[words]);
    }
    assert!(!folder.names().contains(&"bad.dds".to_owned()));
}

/// Blocks of a texture that is encoded again are those of its images.
#[test]
fn all_images_of_a_texture_are_encoded_again() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("faces")).unwrap();
    for (face, name) in FACES.iter().enumerate() {
        let texel = |x: u32, y: u32| [x as u8 * 9, y as u8 * 9, face as u8 * 40];
        folder.write(&format!("faces/{name}.png"), &png_rgb(16, 16, texel));
    }
    let encode = |line: &str| folder.run(&[&["encode"][..], &line.split(' ').collect::<Vec<_>>()].concat());
    run(&folder, "--cubemap faces/ -f rgba8 --mips -o plain.ktx2").ok();
    run(&folder, "--cubemap faces/ -f bc7 --mips -o direct.ktx2").ok();
    let ran = encode("plain.ktx2 -f bc7 --all-images -o again.ktx2");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let [again, direct] = ["again.ktx2", "direct.ktx2"].map(|name| read(&folder, name));
    assert_eq!((again.desc().kind, again.desc().mip_levels), (TextureKind::Cube, 5));
    assert_eq!(again.desc().color_space, direct.desc().color_space);
    assert_eq!(again.data(), direct.data());

    run(&folder, "--array faces/px.png faces/nz.png -f bc7 -o array.dds").ok();
    assert_eq!(encode("array.dds -f bc4 --all-images -o red.dds").exit, Some(0));
    assert_eq!(read(&folder, "red.dds").desc().layers, 2);
    encode("array.dds -f bc4 -o first.dds").says(&["only the first of 2 layers is encoded"]);
    run(&folder, "--volume faces/ -f rgba8 --mips -o volume.dds").ok();
    assert_eq!(encode("volume.dds --all-images -o small.dds").exit, Some(0));
    let volume = read(&folder, "small.dds");
    let shape = (volume.desc().kind, volume.desc().depth, volume.desc().mip_levels);
    assert_eq!(shape, (TextureKind::D3, 6, 5));

    // Half floats do not store the second layer.
    for (name, light) in [("a.exr", 1.0f32), ("b.exr", 1e6)] {
        let mut exr = Vec::new();
        write_exr(&mut exr, 4, 4, &[[light; 3]; 16], &Task::new()).unwrap();
        folder.write(name, &exr);
    }
    run(&folder, "--array a.exr b.exr -f rgba32f -o floats.ktx2").ok();
    encode("floats.ktx2 -f bc6h --all-images -o light.ktx2").says(&["48 numbers are beyond half floats"]);

    let ran = encode("plain.ktx2 -f bc7 --all-images --max-size 8 -o bad.dds");
    ran.fails(1, &["--all-images and --max-size exclude each other"]);
    let ran = encode("plain.ktx2 --all-images --channel a=faces/px.png -o bad.dds");
    assert_eq!(ran.exit, Some(1), "{ran:?}");
    ran.says(&["--all-images", "cannot be used with"]);
    run(&folder, "--cubemap faces/ --all-images -o bad.dds").fails(1, &["--all-images is for encode"]);
    // An image file has one image.
    assert_eq!(encode("faces/px.png --all-images -o photo.dds").exit, Some(0));
}

#[test]
fn inputs_that_do_not_fit_are_named() {
    let folder = folder_of_faces(16);
    folder.write("small.png", &png_rgb(8, 8, |_, _| [1, 2, 3]));
    folder.write("oblong.png", &png_rgb(20, 8, |_, _| [1, 2, 3]));
    folder.write("small_nz.png", &png_rgb(8, 8, |_, _| [1, 2, 3]));
    std::fs::create_dir(folder.path("oblong")).unwrap();
    for face in FACES {
        folder.write(&format!("oblong/{face}.png"), &png_rgb(32, 24, |_, _| [1, 2, 3]));
    }
    folder.write("cross.png", &png_rgb(32, 24, |_, _| [1, 2, 3]));
    let five = "faces/sky_px.png faces/sky_nx.png faces/sky_py.png faces/sky_ny.png faces/sky_pz.png";
    for (line, exit, words) in [
        (
            format!("--cubemap {five} -o a.dds"),
            1,
            "5 inputs are given; by their names, the face -Z (nz) is missing",
        ),
        (
            format!("--cubemap {five} small_nz.png -o a.dds"),
            1,
            "small_nz.png: has 8×8 texels, the first image 16×16",
        ),
        (
            format!("--cubemap {five} small.png -o a.dds"),
            1,
            "small.png: the name ends in no face of a cube, but that of faces/sky_px.png does",
        ),
        ("--cubemap small.png -o a.dds".to_owned(), 1, "and 1 input is given; an image that contains all"),
        ("--cubemap faces/ -o a.dds --mips --mip-wrap repeat".to_owned(), 1, "--mip-wrap is for 2D and 3D"),
        ("--cubemap oblong/ -o a.dds".to_owned(), 1, "the faces of a cube are square, not 32×24"),
        (
            "--array small.png oblong.png -o a.dds".to_owned(),
            1,
            "oblong.png: has 20×8 texels, the first image",
        ),
        ("--cubemap oblong.png -o a.dds".to_owned(), 3, "oblong.png: 20×8 is neither a cross (4:3, 3:4), a"),
        ("--cubemap cross.png -o a.dds --face-size 9".to_owned(), 1, "cross.png: the faces of a horizontal"),
        ("--cubemap faces/ -o a.dds --face-size 9".to_owned(), 1, "for panoramas (leave out --face-size)"),
        (
            "--layers 3 small.png -o a.dds".to_owned(),
            1,
            "small.png: 3 layers are expected, the inputs have 1",
        ),
        ("--layers 1 small.png small.png -o a.dds".to_owned(), 1, "1 layer is expected, the inputs have 2"),
        ("--cubemap --layers 2 faces/ -o a.dds".to_owned(), 1, "2 cubes are expected, the inputs have 1"),
        (
            "small.png -o a.dds".to_owned(),
            1,
            "the kind is missing (use --cubemap, --array, --volume or --from-mips)",
        ),
        ("--array small.png".to_owned(), 1, "the output is missing"),
        ("--array small.png -o a.png".to_owned(), 1, "a.png: cannot write .png files"),
        ("--array - -o a.dds".to_owned(), 1, "standard input: can be read only once; give a file"),
        ("--array gone.png -o a.dds".to_owned(), 2, "gone.png: no such file"),
    ] {
        run(&folder, &line).fails(exit, &[words]);
    }
    assert!(!folder.names().iter().any(|name| name.starts_with("a.")));
}
