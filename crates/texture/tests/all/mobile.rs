//! ETC2, EAC and ASTC through files: KTX2, `.astc`, refusals, odd sizes, illegal blocks.

use crate::{common::Random, validate_files::SOLID_ASTC};
use brickwork_image::image_file::{ImageReadOptions, Texels};
use brickwork_texture::{
    AlphaMode, AstcFootprint, BlockFormat, ColorSpace, CpuEncoder, DecodeOptions, EncodeError, EncodeOptions,
    Encoder, ErrorKind, ImageIndex, ImageView, ImageViewMut, RoundingRule, Swizzle, Task, Texture,
    TextureDesc, TextureFormat,
    container::{ContainerError, ContainerFormat, TextureReadOptions, TextureWriteOptions, info, validate},
    decode_into, encode_texture,
    pictures::{AnyImage, read, read_any},
};
use std::io::Cursor;

const SIZES: [[u32; 2]; 4] = [[1, 1], [5, 7], [12, 12], [130, 66]];

fn formats() -> impl Iterator<Item = BlockFormat> {
    BlockFormat::ALL.iter().copied().filter(|format| format.is_mobile())
}

/// Returns a texture of random bytes. Half of the blocks of ASTC have one colour, because most random ones
/// are illegal.
fn random(desc: TextureDesc) -> Texture {
    let mut random = Random(u64::from(desc.width) + 77);
    let mut data: Vec<u8> = (0..desc.data_bytes()).map(|_| random.byte()).collect();
    if let TextureFormat::Block(BlockFormat::Astc(_)) = desc.format {
        for block in data.chunks_exact_mut(32) {
            block[..8].copy_from_slice(&SOLID_ASTC[..8]);
        }
    }
    Texture::new(desc, data).unwrap()
}

fn written(
    texture: &Texture,
    container: ContainerFormat,
    zstd: Option<i32>,
) -> Result<Vec<u8>, ContainerError> {
    let mut file = Vec::new();
    let options = TextureWriteOptions::default().with(|o| o.zstd = zstd);
    texture.write(&mut file, container, &options, &Task::new())?;
    Ok(file)
}

fn texture_of(file: &[u8]) -> Result<Texture, ContainerError> {
    Texture::read(Cursor::new(file), &TextureReadOptions::default(), &Task::new())
}

fn notes_of(file: &[u8]) -> Vec<String> {
    info(Cursor::new(file), &TextureReadOptions::default(), &Task::new()).unwrap().notes
}

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
}

/// Numbers of Vulkan's header, linear and sRGB.
fn vk_numbers(format: BlockFormat) -> [Option<u32>; 2] {
    let place = AstcFootprint::ALL.iter().position(|&size| format == BlockFormat::Astc(size));
    match format {
        BlockFormat::Etc2Rgb => [Some(147), Some(148)],
        BlockFormat::Etc2RgbA1 => [Some(149), Some(150)],
        BlockFormat::Etc2Rgba => [Some(151), Some(152)],
        BlockFormat::EacR11Unorm => [Some(153), None],
        BlockFormat::EacR11Snorm => [Some(154), None],
        BlockFormat::EacRg11Unorm => [Some(155), None],
        BlockFormat::EacRg11Snorm => [Some(156), None],
        _ => {
            let first = 157 + 2 * place.unwrap() as u32;
            [Some(first), Some(first + 1)]
        }
    }
}

#[test]
fn ktx2_contains_every_format_and_shape() {
    for format in formats() {
        for (color_space, number) in
            [ColorSpace::Linear, ColorSpace::Srgb].into_iter().zip(vk_numbers(format))
        {
            let Some(number) = number else {
                assert!(!format.has_srgb());
                continue;
            };
            for desc in [
                TextureDesc::new_2d(format, 130, 66).with_full_mips(),
                TextureDesc::new_2d(format, 5, 7).with_layers(3),
                TextureDesc::new_cube(format, 10).with_full_mips(),
                TextureDesc::new_3d(format, 9, 5, 7).with_full_mips(),
                TextureDesc::new_2d(format, 1, 1).with_swizzle(Swizzle::parse("rrra").unwrap()),
            ] {
                let texture = random(desc.with_color_space(color_space));
                for zstd in [None, Some(1)] {
                    let file = written(&texture, ContainerFormat::Ktx2, zstd).unwrap();
                    let found = texture_of(&file).unwrap();
                    assert_eq!((found.desc(), found.data()), (texture.desc(), texture.data()), "{format}");
                    assert_eq!([word(&file, 12), word(&file, 16)], [number, 1], "{format}");
                    assert_eq!(notes_of(&file), found.notes(), "{format}");
                    let found =
                        validate(Cursor::new(&file), None, &TextureReadOptions::default(), &Task::new());
                    let ids: Vec<_> = found.unwrap().findings.iter().map(|finding| finding.rule.id).collect();
                    let has_note = !notes_of(&file).is_empty();
                    assert_eq!(ids, if has_note { vec!["KTX-9004"] } else { vec![] }, "{format} {desc:?}");
                }
            }
        }
    }
}

/// Tests the descriptors against the Khronos Data Format Specification: colour model, block size, bytes, and
/// the samples as offset, length minus 1, channel with qualifiers, lower and upper.
#[test]
fn descriptors_are_those_of_the_specification() {
    const MAX: u32 = u32::MAX;
    let (low, high) = (i32::MIN as u32, i32::MAX as u32);
    let whole = |channel: u32| [63 << 16 | channel << 24, 0, 0, MAX];
    let second = |channel: u32| [64 | 63 << 16 | channel << 24, 0, 0, MAX];
    let signed = |offset: u32, channel: u32| [offset | 63 << 16 | (channel | 64) << 24, 0, low, high];
    for (format, srgb, samples) in [
        (BlockFormat::Etc2Rgb, false, vec![whole(2)]),
        (BlockFormat::Etc2RgbA1, false, vec![whole(2), whole(15)]),
        (BlockFormat::Etc2Rgba, false, vec![whole(15), second(2)]),
        (BlockFormat::Etc2Rgba, true, vec![whole(15 | 16), second(2)]),
        (BlockFormat::EacR11Unorm, false, vec![whole(0)]),
        (BlockFormat::EacR11Snorm, false, vec![signed(0, 0)]),
        (BlockFormat::EacRg11Unorm, false, vec![whole(0), second(1)]),
        (BlockFormat::EacRg11Snorm, false, vec![signed(0, 0), signed(64, 1)]),
        (BlockFormat::Astc(AstcFootprint::B4x4), false, vec![[127 << 16, 0, 0, MAX]]),
        (BlockFormat::Astc(AstcFootprint::B10x6), true, vec![[127 << 16, 0, 0, MAX]]),
    ] {
        let space = if srgb { ColorSpace::Srgb } else { ColorSpace::Linear };
        let texture = random(TextureDesc::new_2d(format, 4, 4).with_color_space(space));
        let file = written(&texture, ContainerFormat::Ktx2, None).unwrap();
        let at = word(&file, 48) as usize;
        let model = if matches!(format, BlockFormat::Astc(_)) { 162 } else { 161 };
        // Primaries of Rec. 709, and the transfer function.
        assert_eq!(file[at + 12..at + 16], [model, 1, if srgb { 2 } else { 1 }, 0], "{format}");
        let [width, height] = format.block_extent().map(|side| side as u8 - 1);
        assert_eq!(file[at + 16..at + 20], [width, height, 0, 0], "{format}");
        assert_eq!(word(&file, at + 20), format.block_bytes() as u32, "{format}");
        let found: Vec<_> = (0..samples.len())
            .map(|sample| [0, 4, 8, 12].map(|field| word(&file, at + 28 + 16 * sample + field)))
            .collect();
        assert_eq!(found, samples, "{format}");
        assert_eq!(word(&file, at) as usize, 28 + 16 * samples.len(), "{format}");
    }
}

#[test]
fn astc_files_contain_every_footprint() {
    for &footprint in AstcFootprint::ALL {
        for [width, height] in SIZES {
            let texture = random(TextureDesc::new_2d(BlockFormat::Astc(footprint), width, height));
            let file = written(&texture, ContainerFormat::Astc, None).unwrap();
            let [x, y] = footprint.extent().map(|side| side as u8);
            assert_eq!(file[..7], [0x13, 0xab, 0xa1, 0x5c, x, y, 1]);
            assert_eq!(file[7..16], [width as u8, 0, 0, height as u8, 0, 0, 1, 0, 0]);
            let found = texture_of(&file).unwrap();
            assert_eq!((found.desc(), found.data()), (texture.desc(), texture.data()), "{footprint:?}");
            assert_eq!(notes_of(&file), found.notes());
            let states = info(Cursor::new(&file), &TextureReadOptions::default(), &Task::new()).unwrap();
            assert_eq!(states.format_name, format!("ASTC {x}×{y}"));
            assert!(!states.states_color_space());
            assert!(!ContainerFormat::states_color_space(Cursor::new(&file)).unwrap());
            // A cut file.
            let error = texture_of(&file[..file.len() - 1]).unwrap_err().to_string();
            assert!(error.starts_with("the file is truncated"), "{error}");
        }
    }
}

#[test]
fn bad_astc_files_are_named() {
    let format = BlockFormat::Astc(AstcFootprint::B4x4);
    let texture = Texture::new(TextureDesc::new_2d(format, 8, 4), SOLID_ASTC.repeat(2)).unwrap();
    let file = written(&texture, ContainerFormat::Astc, None).unwrap();
    let error = |place: usize, byte: u8| {
        let mut file = file.clone();
        file[place] = byte;
        texture_of(&file).unwrap_err()
    };
    for (place, byte, kind, text) in [
        (6, 4, ErrorKind::Unsupported, ".astc with 3D blocks of 4×4×4 texels is not supported"),
        (13, 2, ErrorKind::Unsupported, ".astc with a 3D image of 2 slices is not supported"),
        (
            4,
            7,
            ErrorKind::Invalid,
            "byte 4: the three bytes of the block size are no footprint of ASTC (found 66567)",
        ),
        (7, 0, ErrorKind::Invalid, "byte 7: a side of the image is 0 (found 0)"),
        (10, 0, ErrorKind::Invalid, "byte 10: a side of the image is 0 (found 0)"),
        (13, 0, ErrorKind::Invalid, "byte 13: a side of the image is 0 (found 0)"),
        (9, 1, ErrorKind::Invalid, "the file is truncated: 262176 bytes are needed at byte 16, 32 are there"),
    ] {
        let error = error(place, byte);
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, text));
    }
    let error = texture_of(&file[..9]).unwrap_err().to_string();
    assert_eq!(error, "the file is truncated: 16 bytes are needed at byte 0, 9 are there");
    let longer = [file.as_slice(), &[0; 3]].concat();
    assert_eq!(texture_of(&longer).unwrap().notes(), ["3 bytes after the blocks are ignored"]);
}

#[test]
fn containers_refuse_what_they_cannot_contain() {
    for format in formats() {
        let texture = random(TextureDesc::new_2d(format, 12, 12));
        let error = written(&texture, ContainerFormat::Dds, None).unwrap_err();
        assert_eq!(error.to_string(), format!("DDS has no format for {format}; write KTX2"));
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
    let astc = BlockFormat::Astc(AstcFootprint::B6x6);
    let refused = |desc| written(&random(desc), ContainerFormat::Astc, None).unwrap_err().to_string();
    let flat = TextureDesc::new_2d(astc, 12, 12);
    for (desc, what) in [
        (TextureDesc::new_2d(BlockFormat::Bc7, 4, 4), "bc7"),
        (flat.with_mip_levels(2), "mip levels"),
        (flat.with_layers(2), "an array"),
        (TextureDesc::new_cube(astc, 12), "a cube"),
        (TextureDesc::new_3d(astc, 12, 12, 2), "a 3D texture"),
        (flat.with_swizzle(Swizzle::parse("rrrg").unwrap()), "a swizzle"),
    ] {
        assert_eq!(refused(desc), format!("an .astc file cannot contain {what}; write KTX2"));
    }
    // A high dynamic range: VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK.
    let mut file = written(&random(flat), ContainerFormat::Ktx2, None).unwrap();
    file[12..16].copy_from_slice(&1_000_066_000u32.to_le_bytes());
    let error = texture_of(&file).unwrap_err();
    assert_eq!(error.to_string(), "KTX2 with VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK is not supported");
}

/// Decodes each block by itself, as an image of one block.
fn by_block(texture: &Texture, size: [u32; 2]) -> Vec<[u8; 4]> {
    let desc = texture.desc();
    let format = desc.format.block().unwrap();
    let [width, height] = format.block_extent();
    let columns = size[0].div_ceil(width);
    let mut texels = vec![[0; 4]; (size[0] * size[1]) as usize];
    for (number, block) in (0..).zip(texture.data().chunks_exact(format.block_bytes())) {
        let one = TextureDesc::new_2d(format, width, height).with_color_space(desc.color_space);
        let one = Texture::new(one, block.to_vec()).unwrap();
        let decoded = one.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new()).unwrap();
        for (t, &texel) in (0..).zip(decoded.texels().as_rgba8().unwrap()) {
            let [x, y] = [number % columns * width + t % width, number / columns * height + t / width];
            if x < size[0] && y < size[1] {
                texels[(y * size[0] + x) as usize] = texel;
            }
        }
    }
    texels
}

#[test]
fn odd_sizes_decode_as_their_blocks() {
    for format in formats() {
        for size @ [width, height] in SIZES {
            for color_space in [ColorSpace::Linear, ColorSpace::Srgb] {
                if color_space == ColorSpace::Srgb && !format.has_srgb() {
                    continue;
                }
                let desc = TextureDesc::new_2d(format, width, height).with_color_space(color_space);
                let texture = random(desc);
                let decoded = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new());
                let expected = by_block(&texture, size);
                assert_eq!(decoded.unwrap().texels().as_rgba8().unwrap(), expected, "{format} {size:?}");
                // Rows with a gap.
                let stride = width as usize + 3;
                let mut texels = vec![[7; 4]; stride * height as usize];
                let mut image = ImageViewMut::with_stride(&mut texels[..], width, height, stride).unwrap();
                texture
                    .decode_into(ImageIndex::default(), RoundingRule::Real, &mut image, &Task::new())
                    .unwrap();
                for (row, expected) in texels.chunks(stride).zip(expected.chunks(width as usize)) {
                    assert_eq!(row[..width as usize], *expected, "{format} {size:?}");
                    assert_eq!(row[width as usize..], [[7; 4]; 3]);
                }
            }
        }
    }
}

/// The two forms of colours differ by at most 1, and somewhere they differ.
#[test]
fn srgb_textures_have_their_own_form_of_astc() {
    let format = BlockFormat::Astc(AstcFootprint::B5x5);
    let texture = random(TextureDesc::new_2d(format, 100, 100).with_color_space(ColorSpace::Srgb));
    let srgb = by_block(&texture, [100, 100]);
    let mut linear = vec![[0; 4]; 100 * 100];
    let mut image = ImageViewMut::new(&mut linear[..], 100, 100).unwrap();
    decode_into(format, texture.data(), RoundingRule::Real, &mut image, &Task::new()).unwrap();
    let differences = srgb.as_flattened().iter().zip(linear.as_flattened()).map(|(a, b)| a.abs_diff(*b));
    assert_eq!(differences.max(), Some(1));
}

/// A block whose mode is reserved, and one of a high dynamic range.
#[test]
fn illegal_blocks_are_counted() {
    let format = BlockFormat::Astc(AstcFootprint::B4x4);
    let mut hdr = SOLID_ASTC;
    hdr[1] |= 2;
    let blocks = [SOLID_ASTC, [0; 16], hdr, SOLID_ASTC, [0; 16], SOLID_ASTC];
    let texture = Texture::new(TextureDesc::new_2d(format, 24, 4), blocks.concat()).unwrap();
    let both = "2 of 6 ASTC blocks are illegal, and 1 have a high dynamic range; their texels are magenta";
    for (container, zstd) in
        [(ContainerFormat::Astc, None), (ContainerFormat::Ktx2, None), (ContainerFormat::Ktx2, Some(3))]
    {
        let file = written(&texture, container, zstd).unwrap();
        let found = texture_of(&file).unwrap();
        assert_eq!((found.notes(), notes_of(&file)), (&[both.to_owned()][..], vec![both.to_owned()]));
        let options = TextureReadOptions::default();
        let with_info = Texture::read_with_info(Cursor::new(&file), &options, &Task::new()).unwrap();
        assert_eq!(with_info, (found, info(Cursor::new(&file), &options, &Task::new()).unwrap()));
        let found = validate(Cursor::new(&file), None, &TextureReadOptions::default(), &Task::new()).unwrap();
        assert_eq!(found.findings.len(), 1);
        assert!(found.is_valid() && found.findings[0].message == both, "{:?}", found.findings);
    }
    // Zstandard data that is damaged or above the limit is described, but not counted.
    let noise = random(TextureDesc::new_2d(format, 64, 64));
    let mut file = written(&noise, ContainerFormat::Ktx2, Some(3)).unwrap();
    let notes_within = |file: &[u8], limit| {
        let options = TextureReadOptions::default().with(|o| o.max_memory = limit);
        info(Cursor::new(file), &options, &Task::new()).map(|info| info.notes)
    };
    assert_eq!(notes_within(&file, u64::MAX).unwrap().len(), 1);
    assert_eq!(notes_within(&file, 1024).unwrap(), [""; 0]);
    // The level index says where the data starts: with a magic number.
    let start = word(&file, 80) as usize;
    file[start] ^= 1;
    assert_eq!(notes_within(&file, u64::MAX).unwrap(), [""; 0]);
    let decoded = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new()).unwrap();
    let texels = decoded.texels().as_rgba8().unwrap();
    assert_eq!([texels[4], texels[8], texels[0]], [[255, 0, 255, 255], [255, 0, 255, 255], [2, 4, 6, 8]]);
    let legal = Texture::new(TextureDesc::new_2d(format, 4, 4), SOLID_ASTC.to_vec()).unwrap();
    assert_eq!(notes_of(&written(&legal, ContainerFormat::Astc, None).unwrap()), [""; 0]);
}

#[test]
fn files_are_read_as_pictures() {
    let options = ImageReadOptions::default();
    for format in formats() {
        let space = if format.has_srgb() { ColorSpace::Srgb } else { ColorSpace::Linear };
        let texture = random(TextureDesc::new_2d(format, 130, 66).with_color_space(space));
        let expected = by_block(&texture, [130, 66]);
        let containers = [ContainerFormat::Ktx2, ContainerFormat::Astc];
        for container in containers.into_iter().filter(|container| container.has_format(format)) {
            let file = written(&texture, container, None).unwrap();
            let picture = read(Cursor::new(&file), None, &options, &Task::new()).unwrap();
            assert_eq!((picture.width, picture.height, picture.color_space), (130, 66, space), "{format}");
            match (&picture.texels, format.channels()) {
                (Texels::Rgba8(texels), "RGBA") => assert_eq!(*texels, expected, "{format}"),
                (Texels::Rgb8(texels), "RGB") => {
                    assert!(texels.iter().zip(&expected).all(|(a, b)| a[..] == b[..3]), "{format}");
                }
                // 11 bits become 16.
                (Texels::Grey16(texels), "R") => {
                    let texels = texels.iter().zip(&expected);
                    assert!(
                        texels.into_iter().all(|(a, b)| (a / 257).abs_diff(b[0].into()) <= 1),
                        "{format}"
                    );
                }
                (Texels::Rgb16(texels), "RG") => {
                    let texels = texels.iter().zip(&expected);
                    assert!(
                        texels.into_iter().all(|(a, b)| (a[1] / 257).abs_diff(b[1].into()) <= 1),
                        "{format}"
                    );
                }
                (texels, _) => panic!("{format}: {:?}", texels.texel_type()),
            }
            let any = read_any(Cursor::new(&file), None, &options, &Task::new()).unwrap();
            assert!(matches!(any, AnyImage::Texture(found) if found.data() == texture.data()));
        }
    }
}

/// Encodes a smooth image, which every format keeps within a few steps.
#[test]
fn encoders_keep_smooth_images() {
    let texels: Vec<[u8; 4]> =
        (0..130 * 66u32).map(|i| [i % 130, 2 * (i / 130) + 60, 90, 255].map(|v| v as u8)).collect();
    let image = ImageView::new(&texels, 130, 66).unwrap();
    for format in formats() {
        let desc = TextureDesc::of_image(&image, format).with_full_mips();
        let options = EncodeOptions::default();
        let encoded = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new());
        if !format.has_encoder() {
            assert_eq!(encoded.unwrap_err(), EncodeError::NoEncoder { format: format.name() });
            let mut blocks = vec![0; format.image_bytes(130, 66) as usize];
            let error = CpuEncoder::new().encode_into(&image, format, &options, &mut blocks, &Task::new());
            assert_eq!(error.unwrap_err().kind(), ErrorKind::Unsupported);
            continue;
        }
        let file = written(&encoded.unwrap(), ContainerFormat::Ktx2, None).unwrap();
        let texture = texture_of(&file).unwrap();
        let decoded = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new()).unwrap();
        let channels = format.channels().len().min(3);
        let differences = decoded.texels().as_rgba8().unwrap().iter().zip(&texels);
        let largest = differences.flat_map(|(a, b)| (0..channels).map(|c| a[c].abs_diff(b[c]))).max();
        assert!(largest < Some(8), "{format}: {largest:?}");
        assert_eq!(texture.desc().alpha_mode == AlphaMode::Opaque, !format.has_alpha(), "{format}");
    }
}

/// GPUs have no kernels of these formats' qualities: calls that wait use the CPU, others refuse them.
#[cfg(feature = "gpu")]
#[test]
fn gpu_encoders_use_the_cpu_or_refuse() {
    let Some(gpu) = crate::common::gpu_encoder() else { return };
    let texels: Vec<[u8; 4]> = (0..32 * 16).map(|i| [i as u8, (i / 32) as u8, 90, 255]).collect();
    let image = ImageView::new(&texels, 32, 16).unwrap();
    let options = EncodeOptions::default();
    for format in formats() {
        let refused = EncodeError::NoKernels { format: format.name() };
        if format.has_encoder() {
            let desc = TextureDesc::of_image(&image, format).with_full_mips();
            let [by_cpu, by_gpu] = [Encoder::default(), gpu.clone().into()]
                .map(|encoder| encode_texture(&encoder, &image, &desc, &options, &Task::new()).unwrap());
            assert_eq!(by_cpu, by_gpu, "{format}");
            let mut blocks = vec![0; format.image_bytes(32, 16) as usize];
            assert_eq!(gpu.start(&image, format, &options, None, &mut blocks).err(), Some(refused.clone()));
        }
        assert_eq!(gpu.max_region(format, &options), Err(refused), "{format}");
    }
}
