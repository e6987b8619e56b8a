//! Small files after public bug reports of other tools, each with the result that it must give.

use brickwork_texture::{
    AlphaMode, ChannelType, DecodeOptions, ImageIndex, Task, Texture,
    container::{self, TextureReadOptions},
    image_file::{DdsTenBitMasks, ImageReadError, ImageReadOptions, Picture, Texels, read},
};
use std::{io::Cursor, path::PathBuf};

fn bytes(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../test-data/trouble", name].iter().collect();
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn try_picture(name: &str) -> Result<Picture, ImageReadError> {
    read(Cursor::new(bytes(name)), None, &ImageReadOptions::new(), &Task::new())
}

fn picture(name: &str) -> Picture {
    try_picture(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn texture(name: &str) -> Texture {
    let texture = Texture::read(Cursor::new(bytes(name)), &TextureReadOptions::new(), &Task::new());
    texture.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The texels to show of a texture's first image.
fn shown(texture: &Texture) -> Vec<[u8; 4]> {
    let options = DecodeOptions::new().with_display(true).with_channel_type(ChannelType::U8);
    let image = texture.decode(ImageIndex::default(), &options, &Task::new()).unwrap();
    image.into_texels().into_rgba8().unwrap()
}

fn rgba(picture: &Picture) -> Vec<[u8; 4]> {
    match &picture.texels {
        Texels::Grey8(texels) => texels.iter().map(|&v| [v, v, v, 255]).collect(),
        Texels::Rgb8(texels) => texels.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
        Texels::Rgba8(texels) => texels.clone(),
        other => panic!("{} bytes", other.byte_count()),
    }
}

#[test]
fn premultiplied_textures_become_straight() {
    let name = "w12_dds_dxt4.dds";
    let (texture, picture) = (texture(name), picture(name));
    assert_eq!(texture.desc().alpha_mode, AlphaMode::Premultiplied);
    assert_eq!(shown(&texture), rgba(&picture));
    assert!(picture.is_premultiplied);
    let stored = texture.decode(ImageIndex::default(), &DecodeOptions::new(), &Task::new()).unwrap();
    let stored = stored.into_texels().into_rgba8().unwrap();
    let mut changed = 0;
    for (stored, shown) in stored.iter().zip(rgba(&picture)) {
        let straight = |c: usize| (f64::from(stored[c]) * 255.0 / f64::from(stored[3])).round().min(255.0);
        if stored[3] != 0 {
            let expected = [0, 1, 2].map(|c| straight(c) as u8);
            assert_eq!([shown[0], shown[1], shown[2]], expected, "{stored:?}");
            changed += usize::from(expected != stored[..3]);
        }
    }
    assert!(changed > 0);
}

#[test]
fn plain_texels_of_a_premultiplied_dds_become_straight() {
    let name = "w12_dds_dx10_rgba8_premultiplied.dds";
    let (picture, file) = (picture(name), bytes(name));
    assert!(picture.is_premultiplied);
    for (stored, shown) in file[148..].as_chunks::<4>().0.iter().zip(rgba(&picture)) {
        assert_eq!(stored[3], shown[3]);
        if stored[3] > 0 {
            let expected = (f64::from(stored[0]) * 255.0 / f64::from(stored[3])).round().min(255.0);
            assert_eq!(f64::from(shown[0]), expected, "{stored:?}");
        }
    }
}

#[test]
fn blocks_and_images_are_turned_alike() {
    let (up, down) = (
        texture("w13_ktx2_bc7_orientation_ru.ktx2"),
        texture("w13_ktx2_bc7_orientation_rd_same_blocks.ktx2"),
    );
    assert_eq!(up.data(), down.data());
    let (up_texels, down_texels) = (shown(&up), shown(&down));
    let rows: Vec<_> = down_texels.chunks(12).rev().flatten().copied().collect();
    assert_eq!(up_texels, rows);
    assert_ne!(up_texels, down_texels);
    assert_eq!(rgba(&picture("w13_ktx2_bc7_orientation_ru.ktx2")), up_texels);
    // The file that is written states it again.
    let mut file = Vec::new();
    let (ktx2, options) = (container::ContainerFormat::Ktx2, container::TextureWriteOptions::new());
    up.write(&mut file, ktx2, &options, &Task::new()).unwrap();
    assert_eq!(Texture::read(Cursor::new(file), &TextureReadOptions::new(), &Task::new()).unwrap(), up);
    let dds = up.write(Vec::new(), container::ContainerFormat::Dds, &options, &Task::new());
    assert_eq!(dds.unwrap_err().to_string(), "an orientation in DDS is not supported");
}

#[test]
fn a_swizzle_makes_grey_with_alpha() {
    let name = "w14_ktx2_rg8_swizzle_rrrg.ktx2";
    let (picture, file) = (picture(name), bytes(name));
    let stored = file[file.len() - 2 * 12 * 8..].as_chunks::<2>().0;
    assert!(picture.has_alpha);
    assert_eq!(rgba(&picture), stored.iter().map(|&[v, a]| [v, v, v, a]).collect::<Vec<_>>());
}

#[test]
fn exif_of_webp_may_start_as_in_jpeg() {
    let picture = picture("w15_webp_exif_prefix_orientation6.webp");
    assert_eq!((picture.width, picture.height), (20, 30));
}

#[test]
fn rows_of_dds_may_be_padded() {
    let (padded, tight) =
        (picture("w16_dds_rgb24_w11_pitch36.dds"), picture("w16_dds_rgb24_w11_tight_expected.dds"));
    assert_eq!(padded.texels, tight.texels);
}

#[test]
fn luminance_with_the_flag_of_rgb_is_grey() {
    let name = "w17_dds_l8_luminance_and_rgb_flags.dds";
    let Texels::Grey8(texels) = picture(name).texels else { panic!("not grey") };
    assert_eq!(texels, bytes(name)[128..]);
}

#[test]
fn masks_of_ten_bits_are_swapped_unless_asked_for() {
    let name = "w18_dds_a2b10g10r10_d3dx_masks.dds";
    assert!(matches!(picture(name).texels, Texels::Rgba16(texels) if texels == [[65535, 0, 0, 65535]; 16]));
    let options = ImageReadOptions::new().with_dds_ten_bit_masks(DdsTenBitMasks::Stated);
    let stated = read(Cursor::new(bytes(name)), None, &options, &Task::new()).unwrap();
    assert!(matches!(stated.texels, Texels::Rgba16(texels) if texels == [[0, 0, 65535, 65535]; 16]));
}

#[test]
fn wrong_headers_of_dds_are_read_with_a_note() {
    for (name, layers, mip_levels, note) in [
        ("r16_dds_cube_arraysize6.dds", 1, 1, "the array size 6 counts the faces of 1 cubes"),
        ("r16_dds_mips_missing.dds", 1, 1, "the header promises 4 mip levels, the file has 1"),
        ("r16_dds_resource_dimension_0.dds", 1, 1, "the resource dimension is 0; the texture is read as 2D"),
    ] {
        let texture = texture(name);
        let desc = texture.desc();
        assert_eq!(
            (desc.layers, desc.mip_levels, texture.notes()),
            (layers, mip_levels, &[note.to_owned()][..])
        );
        let info =
            container::info(Cursor::new(bytes(name)), &TextureReadOptions::new(), &Task::new()).unwrap();
        assert_eq!((info.desc, info.notes), (*desc, vec![note.to_owned()]));
        assert_eq!(rgba(&picture(name)), shown(&texture), "{name}");
    }
    let sound = bytes("w12_dds_dxt4.dds");
    for (at, size) in [(4, 24), (76, 24), (76, 0)] {
        let mut file = sound.clone();
        file[at] = size;
        let read =
            |file: &[u8]| Texture::read(Cursor::new(file), &TextureReadOptions::new(), &Task::new()).unwrap();
        let texture = read(&file);
        assert_eq!((texture.data(), texture.notes().len()), (read(&sound).data(), 1));
    }
}
