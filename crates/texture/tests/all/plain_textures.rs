//! Tests of textures in plain formats: encoding, decoding, files, and readers by others.

use crate::common::Random;
use brickwork_base::testing;
use brickwork_image::image_file::{ImageReadOptions, Texels};
use brickwork_texture::{
    AlphaMode, ChannelType, ColorSpace, DecodeOptions, DecodedTexels, EncodeOptions, Encoder, ErrorKind,
    Image, ImageIndex, ImageView, MipFilter, PlainFormat, RoundingRule, Surfaces, Task, TexelFormat, Texture,
    TextureDesc, TextureFormat, TextureKind,
    container::{
        self, ContainerError, ContainerFormat, DdsHeader, TextureReadOptions, TextureWriteOptions, validate,
    },
    encode_plain, encode_texture,
    half::f16,
    metrics::{compare_blocks, compare_visible_blocks},
    mips::{MipOptions, MipTexels, next_level},
    pictures::{AnyImage, read, read_any},
};
use std::{io::Cursor, path::Path};

/// Returns textures of one format in every shape, with random bytes.
fn textures(format: PlainFormat) -> Vec<Texture> {
    let shapes = [
        TextureDesc::new_2d(format, 13, 7).with_full_mips(),
        TextureDesc::new_2d(format, 5, 9).with_layers(3).with_mip_levels(2),
        TextureDesc::new_cube(format, 6).with_full_mips(),
        TextureDesc::new_cube(format, 3).with_layers(2),
        TextureDesc::new_3d(format, 5, 3, 4).with_full_mips(),
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut filled = |desc: TextureDesc| {
        let data = (0..desc.data_bytes()).map(|_| random.byte()).collect();
        Texture::new(desc, data).unwrap()
    };
    let mut textures: Vec<_> = shapes.into_iter().map(&mut filled).collect();
    if format.has_srgb() {
        textures.push(filled(shapes[0].with_color_space(ColorSpace::Srgb)));
    }
    if format.has_alpha() {
        textures.push(filled(shapes[1].with_alpha_mode(AlphaMode::Premultiplied)));
        textures.push(filled(shapes[0].with_alpha_mode(AlphaMode::Opaque)));
    }
    textures
}

fn file_of(texture: &Texture, container: ContainerFormat, options: &TextureWriteOptions) -> Vec<u8> {
    let mut file = Vec::new();
    texture.write(&mut file, container, options, &Task::new()).unwrap();
    file
}

fn texture_of(file: &[u8]) -> Texture {
    Texture::read(Cursor::new(file), &TextureReadOptions::default(), &Task::new()).unwrap()
}

#[test]
fn dds_and_ktx2_give_back_every_texture() {
    let (default, zstd) =
        (TextureWriteOptions::default(), TextureWriteOptions::default().with(|o| o.zstd = Some(3)));
    for &format in PlainFormat::ALL {
        for texture in textures(format) {
            let desc = *texture.desc();
            let dds = file_of(&texture, ContainerFormat::Dds, &default);
            assert_eq!(texture_of(&dds), texture, "{desc:?}");
            // KTX2 does not state that texels are opaque.
            let alpha_mode = match desc.alpha_mode {
                AlphaMode::Opaque => AlphaMode::usual(format),
                other => other,
            };
            let as_ktx2 = texture.clone().with_desc(desc.with_alpha_mode(alpha_mode)).unwrap();
            let ktx2 = [&default, &zstd].map(|options| file_of(&texture, ContainerFormat::Ktx2, options));
            for file in &ktx2 {
                assert_eq!(texture_of(file), as_ktx2, "{desc:?}");
            }
            for file in ktx2.iter().chain([&dds]) {
                let info =
                    container::info(Cursor::new(file), &TextureReadOptions::default(), &Task::new()).unwrap();
                assert_eq!(info.format_name.parse(), Ok(TextureFormat::from(format)), "{}", info.format_name);
                assert_eq!((info.desc.data_bytes(), info.notes.len()), (texture.data().len() as u64, 0));
                let found = validate(Cursor::new(file), None, &TextureReadOptions::default(), &Task::new());
                let findings = found.unwrap().findings;
                assert!(findings.is_empty(), "{desc:?}: {findings:#?}");
                let any =
                    read_any(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
                assert!(matches!(any, AnyImage::Texture(_)), "{desc:?}");
            }
        }
    }
}

/// Fields by Microsoft's "DDS_HEADER structure" and the KTX specification.
#[test]
fn headers_state_pitch_type_size_and_alignment() {
    let texture = &textures(PlainFormat::Rg8Unorm)[0];
    let dds = file_of(texture, ContainerFormat::Dds, &TextureWriteOptions::default());
    let word = |file: &[u8], at: usize| u32::from_le_bytes(*file[at..].first_chunk().unwrap());
    assert_eq!((word(&dds, 8) & 0x8_0008, word(&dds, 20), word(&dds, 128)), (8, 26, 49));
    for (format, number, type_size) in [
        (PlainFormat::R8Unorm, 9, 1),
        (PlainFormat::R8Snorm, 10, 1),
        (PlainFormat::Rg8Unorm, 16, 1),
        (PlainFormat::Bgra8Unorm, 44, 1),
        (PlainFormat::R16Unorm, 70, 2),
        (PlainFormat::Rgba16Float, 97, 2),
        (PlainFormat::Rg32Float, 103, 4),
        (PlainFormat::Rg11b10Float, 122, 4),
        (PlainFormat::Rgb9e5, 123, 4),
    ] {
        let texture = &textures(format)[0];
        let file = file_of(texture, ContainerFormat::Ktx2, &TextureWriteOptions::default());
        assert_eq!((word(&file, 12), word(&file, 16)), (number, type_size), "{format}");
        let alignment = format.texel_bytes().max(4) as u32;
        let mut starts = (0..texture.desc().mip_levels).map(|level| word(&file, 80 + 24 * level as usize));
        assert!(starts.all(|start| start.is_multiple_of(alignment)), "{format}");
        // The descriptor: total size, block header, model RGBSDA, 1×1×1×1 texels, bytes of a texel.
        let descriptor = &file[word(&file, 48) as usize..];
        assert_eq!((descriptor[12], &descriptor[16..20]), (1, &[0; 4][..]), "{format}");
        assert_eq!(descriptor[20] as usize, format.texel_bytes(), "{format}");
    }
}

#[test]
fn legacy_headers_have_some_formats() {
    use PlainFormat as F;
    let options = TextureWriteOptions::default().with(|o| o.dds_header = DdsHeader::Legacy);
    let named = [
        (F::Rgba8Unorm, 0),
        (F::Bgra8Unorm, 0),
        (F::Rg16Unorm, 0),
        (F::Rgba16Unorm, 36),
        (F::Rgba16Snorm, 110),
        (F::R16Float, 111),
        (F::Rg16Float, 112),
        (F::Rgba16Float, 113),
        (F::R32Float, 114),
        (F::Rg32Float, 115),
        (F::Rgba32Float, 116),
    ];
    for &format in F::ALL {
        for texture in textures(format) {
            let desc = *texture.desc();
            let four_cc = named.iter().find(|(named, _)| *named == format).map(|(_, number)| *number);
            let mut file = Vec::new();
            let written = texture.write(&mut file, ContainerFormat::Dds, &options, &Task::new());
            let Some(four_cc) = four_cc.filter(|_| desc.layers == 1) else {
                assert_eq!(written.unwrap_err().kind(), ErrorKind::Unsupported, "{desc:?}");
                continue;
            };
            written.unwrap();
            assert_eq!(file[84..88], u32::to_le_bytes(four_cc), "{format}");
            let read = texture_of(&file);
            let expected =
                desc.with_color_space(ColorSpace::Linear).with_alpha_mode(AlphaMode::usual(format));
            assert_eq!((read.desc(), read.data()), (&expected, texture.data()));
            let info =
                container::info(Cursor::new(&file), &TextureReadOptions::default(), &Task::new()).unwrap();
            let states = ContainerFormat::states_color_space(Cursor::new(&file)).unwrap();
            assert_eq!([info.states_color_space(), states], [!format.has_srgb(); 2], "{format}");
            let found =
                validate(Cursor::new(&file), None, &TextureReadOptions::default(), &Task::new()).unwrap();
            assert!(found.findings.is_empty(), "{desc:?}: {:#?}", found.findings);
        }
    }
}

/// Such files are read as pictures.
#[test]
fn rows_with_padding_are_no_texture() {
    let texels: Vec<u8> = (0..5 * 3 * 4).collect();
    let texture = Texture::new(TextureDesc::new_2d(PlainFormat::Rgba8Unorm, 5, 3), texels).unwrap();
    let mut file = file_of(&texture, ContainerFormat::Dds, &TextureWriteOptions::default());
    let rows: Vec<u8> = file[148..].chunks(20).flat_map(|row| [row, &[0; 12]].concat()).collect();
    file.truncate(148);
    file.extend(rows);
    file[20..24].copy_from_slice(&32u32.to_le_bytes());
    let error = Texture::read(Cursor::new(&file), &TextureReadOptions::default(), &Task::new()).unwrap_err();
    assert!(matches!(error, ContainerError::Unsupported { .. }), "{error}");
    let AnyImage::Picture(picture) =
        read_any(Cursor::new(&file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
    else {
        panic!("a texture")
    };
    assert_eq!(picture.texels, Texels::Rgba8(texture.data().as_chunks::<4>().0.to_vec()));
}

/// The picture reader uses the decoder of the crate `dds` for plain texels.
#[test]
fn another_decoder_gives_the_same_texels() {
    for &format in PlainFormat::ALL {
        let texture = &textures(format)[0];
        let file = file_of(texture, ContainerFormat::Dds, &TextureWriteOptions::default());
        let picture = read(Cursor::new(&file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
        let channel_type = match &picture.texels {
            Texels::Grey8(_) | Texels::Rgb8(_) | Texels::Rgba8(_) => ChannelType::U8,
            Texels::Grey16(_) | Texels::Rgb16(_) | Texels::Rgba16(_) => ChannelType::U16,
            _ => ChannelType::F32,
        };
        let options = DecodeOptions::default().with(|o| o.channel_type = Some(channel_type));
        let decoded = texture.decode(ImageIndex::default(), &options, &Task::new()).unwrap();
        let channels = format.channels().len();
        match (&picture.texels, decoded.texels()) {
            (Texels::Grey8(theirs), DecodedTexels::Rgba8(ours)) => {
                assert!(theirs.iter().zip(ours).all(|(a, b)| *a == b[0]), "{format}");
            }
            (Texels::Rgb8(theirs), DecodedTexels::Rgba8(ours)) => {
                assert!(theirs.iter().zip(ours).all(|(a, b)| a[..channels] == b[..channels]), "{format}");
            }
            (Texels::Rgba8(theirs), DecodedTexels::Rgba8(ours)) => assert_eq!(theirs, ours, "{format}"),
            (Texels::Grey16(theirs), DecodedTexels::Rgba16(ours)) => {
                assert!(theirs.iter().zip(ours).all(|(a, b)| *a == b[0]), "{format}");
            }
            (Texels::Rgb16(theirs), DecodedTexels::Rgba16(ours)) => {
                assert!(theirs.iter().zip(ours).all(|(a, b)| a[..channels] == b[..channels]), "{format}");
            }
            (Texels::Rgba16(theirs), DecodedTexels::Rgba16(ours)) => assert_eq!(theirs, ours, "{format}"),
            (Texels::RgbF16(theirs), DecodedTexels::RgbaF32(ours)) => {
                assert!(theirs.iter().zip(ours).all(|(a, b)| are_same(&a[..channels], b)), "{format}");
            }
            (Texels::RgbaF16(theirs), DecodedTexels::RgbaF32(ours)) => {
                assert!(theirs.iter().zip(ours).all(|(a, b)| are_same(a, b)), "{format}");
            }
            (theirs, _) => panic!("{format}: {theirs:?}"),
        }
    }
}

/// True if half floats are the singles, rounded, with the largest finite number instead of more.
fn are_same(halves: &[f16], singles: &[f32; 4]) -> bool {
    halves.iter().zip(singles).all(|(half, single)| {
        let rounded = f16::from_f32(*single);
        let is_clamped = rounded.is_infinite() && single.is_finite();
        let expected = if is_clamped { f16::MAX.copysign(rounded) } else { rounded };
        *half == expected || half.is_nan() && expected.is_nan()
    })
}

/// Returns an image of 8-bit RGBA noise, or of floats around 1.
fn noise(width: u32, height: u32) -> (Vec<[u8; 4]>, Vec<[f32; 4]>) {
    let mut random = Random(77);
    let bytes: Vec<[u8; 4]> = (0..width * height).map(|_| [(); 4].map(|()| random.byte())).collect();
    let floats = bytes.iter().map(|texel| texel.map(|value| f32::from(value) / 64.0)).collect();
    (bytes, floats)
}

#[test]
fn images_are_encoded_to_every_format_and_decode_exactly() {
    let (bytes, floats) = noise(19, 6);
    let (bytes, floats) = (ImageView::new(&bytes, 19, 6).unwrap(), ImageView::new(&floats, 19, 6).unwrap());
    for &format in PlainFormat::ALL {
        let image: &dyn Image = if format.is_float() { &floats } else { &bytes };
        let desc = TextureDesc::of_image(image, format);
        let options = EncodeOptions::default();
        let texture = encode_texture(&Encoder::default(), image, &desc, &options, &Task::new()).unwrap();
        let mut expected = vec![0; desc.data_bytes() as usize];
        encode_plain(image, format, &mut expected, &Task::new()).unwrap();
        assert_eq!(texture.data(), expected, "{format}");
        // Decoded texels are encoded to the same bytes.
        let decoded = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new()).unwrap();
        let mut again = vec![0; expected.len()];
        encode_plain(&*decoded.view(), format, &mut again, &Task::new()).unwrap();
        assert_eq!(again, expected, "{format}");
        if !matches!(format, PlainFormat::Rgb9e5 | PlainFormat::Rg11b10Float) && !format.name().ends_with('s')
        {
            let metrics = compare_blocks(image, format, &expected, RoundingRule::Real, &Task::new()).unwrap();
            assert_eq!(metrics.mse_colors(format), 0.0, "{format}");
        }
        let short = encode_plain(image, format, &mut again[1..], &Task::new()).unwrap_err();
        assert!(short.to_string().starts_with("the image needs "), "{short}");
    }
    let visible = compare_visible_blocks(
        &bytes,
        PlainFormat::R8Unorm,
        ColorSpace::Linear,
        &[0; 19 * 6],
        RoundingRule::Real,
        128,
        &Task::new(),
    );
    assert!((20..90).contains(&visible.unwrap().texel_count));
}

#[test]
fn mip_levels_cubes_and_slices_are_made() {
    let (bytes, _) = noise(8, 8);
    let image = ImageView::new(&bytes, 8, 8).unwrap();
    let options = EncodeOptions::default().with(|o| o.mip_filter = Some(MipFilter::Box));
    for (format, desc) in [
        (PlainFormat::Bgra8Unorm, TextureDesc::new_cube(PlainFormat::Bgra8Unorm, 8).with_full_mips()),
        (PlainFormat::Rg16Float, TextureDesc::new_2d(PlainFormat::Rg16Float, 8, 8).with_full_mips()),
        (PlainFormat::R32Float, TextureDesc::new_3d(PlainFormat::R32Float, 8, 8, 4).with_full_mips()),
    ] {
        let desc = desc.with_color_space(match format.has_srgb() {
            true => ColorSpace::Srgb,
            false => ColorSpace::Linear,
        });
        let images = vec![image; (desc.faces() * desc.depth) as usize];
        let surfaces = Surfaces::list(&images);
        let texture = encode_texture(&Encoder::default(), surfaces, &desc, &options, &Task::new()).unwrap();
        assert_eq!(texture.data().len() as u64, desc.data_bytes());
        if desc.kind == TextureKind::D3 {
            continue;
        }
        let mips = MipOptions::of_texture(&desc, &options);
        let form = if format == PlainFormat::Bgra8Unorm { TexelFormat::Rgba8 } else { TexelFormat::RgbaF16 };
        let level = next_level(&image, form, mips, &Task::new()).unwrap();
        let mut expected = vec![0; format.image_bytes(4, 4) as usize];
        encode_plain(&level, format, &mut expected, &Task::new()).unwrap();
        assert_eq!(texture.image(0, desc.faces() - 1, 1).unwrap(), expected, "{format}");
    }
}

/// Mip levels of single floats hold numbers that half floats do not: beyond 65504, and near 0.
#[test]
fn mip_levels_of_single_floats_are_single_floats() {
    let texels = [123_456.0f32, 123_458.0, 1e-10, 3e-10, 1e9, 3e9, 1.0, 3.0];
    let image = ImageView::new(&texels, 2, 4).unwrap();
    let level = |desc: &TextureDesc, surfaces: Surfaces<'_>, filter| {
        let options = EncodeOptions::default().with(|o| o.mip_filter = filter);
        let texture = encode_texture(&Encoder::default(), surfaces, desc, &options, &Task::new()).unwrap();
        let bytes = texture.image(0, 0, 1).unwrap().as_chunks::<4>().0.to_vec();
        bytes.into_iter().map(f32::from_le_bytes).collect::<Vec<_>>()
    };
    let means = [(123_456.0 + 123_458.0 + 4e-10) / 4.0, (4e9 + 4.0) / 4.0].map(|mean: f64| mean as f32);
    let flat = TextureDesc::new_2d(PlainFormat::R32Float, 2, 4).with_mip_levels(2);
    assert_eq!(level(&flat, Surfaces::from(&image), None), means);
    // Products and sums of singles are rounded.
    let smooth = level(&flat, Surfaces::from(&image), Some(MipFilter::Triangle));
    assert!(smooth[0] > 65_504.0 && smooth[1] > 1e8, "{smooth:?}");
    let volume = TextureDesc::new_3d(PlainFormat::R32Float, 2, 4, 2).with_mip_levels(2);
    assert_eq!(level(&volume, Surfaces::list(&[image; 2]), None), means);
}

/// Transparent texels must not bleed into visible ones, with any number of bits.
#[test]
fn colours_of_wide_mip_levels_are_weighted_by_alpha() {
    const WITH_ALPHA: [PlainFormat; 4] = [
        PlainFormat::Rgba32Float,
        PlainFormat::Rgba16Float,
        PlainFormat::Rgba16Unorm,
        PlainFormat::Rgba8Unorm,
    ];
    let texels = [[1.0f32, 0.0, 0.0, 1.0], [0.0, 4.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 4.0, 0.0, 0.0]];
    let image = ImageView::new(&texels, 2, 2).unwrap();
    let options = EncodeOptions::default().with(|o| o.mip_filter = Some(MipFilter::Box));
    for format in WITH_ALPHA {
        let desc = TextureDesc::of_image(&image, format).with_full_mips();
        let texture = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new()).unwrap();
        let index = ImageIndex { mip_level: 1, ..ImageIndex::default() };
        let decode = DecodeOptions::default().with(|o| o.channel_type = Some(ChannelType::U8));
        let level = texture.decode(index, &decode, &Task::new()).unwrap().into_texels();
        assert_eq!(level.into_rgba8().unwrap(), [[255, 0, 0, 128]], "{format}");
    }
    // The same for two slices of a 3D texture.
    for format in WITH_ALPHA {
        let desc = TextureDesc::new_3d(format, 2, 2, 2).with_full_mips().with_alpha_mode(AlphaMode::Straight);
        let images = vec![image; 2];
        let surfaces = Surfaces::list(&images);
        let texture = encode_texture(&Encoder::default(), surfaces, &desc, &options, &Task::new()).unwrap();
        let index = ImageIndex { mip_level: 1, ..ImageIndex::default() };
        let decode = DecodeOptions::default().with(|o| o.channel_type = Some(ChannelType::U8));
        let level = texture.decode(index, &decode, &Task::new()).unwrap().into_texels();
        assert_eq!(level.into_rgba8().unwrap(), [[255, 0, 0, 128]], "{format}");
    }
    // Blocks of half floats have no alpha: their levels are not weighted.
    let mips = MipOptions::new(ColorSpace::Linear, AlphaMode::Straight);
    let level = next_level(&image, TexelFormat::RgbaF16, mips, &Task::new()).unwrap();
    assert_eq!(level.texels(), &MipTexels::RgbaF16(vec![[0.5, 2.0, 0.0, 0.5].map(f16::from_f32)]));
}

/// Tests that Pillow decodes files of 8 bits to the texels that were stored.
#[test]
fn pillow_reads_plain_dds() {
    let Some(python) = testing::python("PIL") else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pillow_reads_dds.py");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (texels, _) = noise(13, 7);
    let image = ImageView::new(&texels, 13, 7).unwrap();
    for (name, format, header) in [
        ("rgba8-dx10", PlainFormat::Rgba8Unorm, DdsHeader::Dx10),
        ("rgba8-legacy", PlainFormat::Rgba8Unorm, DdsHeader::Legacy),
        ("bgra8-legacy", PlainFormat::Bgra8Unorm, DdsHeader::Legacy),
    ] {
        let desc = TextureDesc::of_image(&image, format).with_full_mips();
        let options = EncodeOptions::default();
        let texture = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new()).unwrap();
        let file = file_of(
            &texture,
            ContainerFormat::Dds,
            &TextureWriteOptions::default().with(|o| o.dds_header = header),
        );
        let [dds, rgba] = ["dds", "rgba"].map(|end| folder.join(format!("pillow-plain-{name}.{end}")));
        std::fs::write(&dds, file).unwrap();
        std::fs::write(&rgba, texels.as_flattened()).unwrap();
        let [dds, rgba] = [&dds, &rgba].map(|path| path.to_str().unwrap());
        let output = python(&[script, dds, rgba, "13", "7"]);
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
    }
}
