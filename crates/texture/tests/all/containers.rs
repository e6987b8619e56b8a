//! Tests of DDS and KTX2: round trips, other programs' readers, and damaged files.

use brickwork_base::testing;
use brickwork_texture::{
    AlphaMode, AstcFootprint,
    BlockFormat::{self, Bc6hSfloat, Bc6hUfloat, Bc7},
    ColorSpace, ErrorKind, PlainFormat, RoundingRule, Swizzle, Task, Texture, TextureDesc, TextureError,
    TextureFormat, TextureKind,
    container::{
        self, ContainerError, ContainerFormat, DdsHeader, HeaderKind, TextureReadOptions, TextureWriteOptions,
    },
};
use proptest::prelude::*;
use std::{
    io::{Cursor, Read, Seek, SeekFrom},
    path::Path,
    process::Command,
};

const ALPHA_MODES: [AlphaMode; 3] = [AlphaMode::Opaque, AlphaMode::Straight, AlphaMode::Premultiplied];

/// Marsaglia's xorshift64. Fixed seeds give the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

fn desc(format: BlockFormat, kind: TextureKind, [width, height, depth]: [u32; 3]) -> TextureDesc {
    let desc = match kind {
        TextureKind::D2 => TextureDesc::new_2d(format, width, height),
        TextureKind::Cube => TextureDesc::new_cube(format, width),
        TextureKind::D3 => TextureDesc::new_3d(format, width, height, depth),
        _ => unreachable!("a kind that the tests do not know"),
    };
    desc.with_alpha_mode(AlphaMode::Opaque)
}

fn texture(format: BlockFormat, kind: TextureKind, size: [u32; 3], layers: u32, mip_levels: u32) -> Texture {
    filled(desc(format, kind, size).with_layers(layers).with_mip_levels(mip_levels))
}

/// Returns a texture with random blocks.
fn filled(desc: TextureDesc) -> Texture {
    desc.check().unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    Texture::new(desc, (0..desc.data_bytes()).map(|_| random.next() as u8).collect()).unwrap()
}

/// Returns `texture` with a changed description.
fn changed(texture: &Texture, change: impl FnOnce(TextureDesc) -> TextureDesc) -> Texture {
    Texture::new(change(*texture.desc()), texture.data().to_vec()).unwrap()
}

/// Returns `texture` with `byte` in every byte of its blocks.
fn smooth(texture: &Texture, byte: u8) -> Texture {
    Texture::new(*texture.desc(), vec![byte; texture.data().len()]).unwrap()
}

/// Returns the block formats of DDS.
fn dds_formats() -> Vec<BlockFormat> {
    BlockFormat::ALL.iter().copied().filter(|format| !format.is_mobile()).collect()
}

/// Returns every format of DDS × kind × one, some and all mip levels × colour space × alpha mode.
fn textures() -> impl Iterator<Item = Texture> {
    let kinds = [
        (TextureKind::D2, [13, 6, 1], 1),
        (TextureKind::D2, [4, 9, 1], 3),
        (TextureKind::Cube, [10, 10, 1], 1),
        (TextureKind::Cube, [5, 5, 1], 2),
        (TextureKind::D3, [9, 5, 7], 1),
        (TextureKind::D3, [2, 3, 1], 1),
    ];
    let bases = dds_formats().into_iter().flat_map(move |format| {
        kinds.into_iter().flat_map(move |(kind, size, layers)| {
            let desc = desc(format, kind, size).with_layers(layers);
            [1, 2, desc.full_mip_levels()].map(|mip_levels| filled(desc.with_mip_levels(mip_levels)))
        })
    });
    bases.flat_map(|base| {
        let has_srgb = base.desc().format.has_srgb();
        let color_spaces = [Some(ColorSpace::Linear), has_srgb.then_some(ColorSpace::Srgb)];
        color_spaces.into_iter().flatten().flat_map(move |color_space| {
            let base = base.clone();
            ALPHA_MODES.map(|alpha_mode| {
                changed(&base, |desc| desc.with_color_space(color_space).with_alpha_mode(alpha_mode))
            })
        })
    })
}

fn write_with(texture: &Texture, format: ContainerFormat, options: &TextureWriteOptions) -> Vec<u8> {
    let mut file = Vec::new();
    texture.write(&mut file, format, options, &Task::new()).unwrap();
    file
}

fn write(texture: &Texture, format: ContainerFormat) -> Vec<u8> {
    write_with(texture, format, &TextureWriteOptions::default())
}

fn write_dds(texture: &Texture, header: DdsHeader) -> Vec<u8> {
    let mut options = TextureWriteOptions::default();
    options.dds_header = header;
    write_with(texture, ContainerFormat::Dds, &options)
}

fn write_zstd(texture: &Texture, level: i32) -> Vec<u8> {
    let mut options = TextureWriteOptions::default();
    options.zstd = Some(level);
    write_with(texture, ContainerFormat::Ktx2, &options)
}

fn read(file: &[u8]) -> Result<Texture, ContainerError> {
    Texture::read(Cursor::new(file), &TextureReadOptions::default(), &Task::new())
}

fn info(file: &[u8]) -> Result<container::Info, ContainerError> {
    container::info(Cursor::new(file), &TextureReadOptions::default(), &Task::new())
}

/// Asserts that `info` reports what `read` returns.
fn assert_info_agrees(file: &[u8], texture: &Texture) {
    let info = info(file).unwrap();
    assert_eq!(info.desc, *texture.desc());
    assert_eq!(info.desc.data_bytes(), texture.data().len() as u64);
    let TextureDesc { format, color_space, .. } = info.desc;
    assert_eq!(
        ColorSpace::of_format_name(&info.format_name).unwrap_or(ColorSpace::Linear),
        color_space,
        "{format}"
    );
    if info.header != HeaderKind::DdsLegacy {
        assert_eq!(info.format_name.parse(), Ok(format), "{}", info.format_name);
    }
}

#[test]
fn dds_gives_back_every_texture() {
    for texture in textures() {
        for header in [DdsHeader::Auto, DdsHeader::Dx10] {
            let file = write_dds(&texture, header);
            assert_eq!(read(&file).unwrap(), texture, "{header:?}");
            assert_info_agrees(&file, &texture);
        }
    }
}

/// Returns the texture that KTX2 can describe. Opaque is expressed only by `BC1_RGB` or the lack of an alpha
/// channel.
fn as_ktx2_says(texture: &Texture) -> Texture {
    let has_alpha = texture.desc().format.has_srgb();
    let alpha_mode = match (texture.desc().alpha_mode, texture.desc().format.block()) {
        (AlphaMode::Opaque, Some(BlockFormat::Bc1)) => AlphaMode::Opaque,
        (AlphaMode::Premultiplied, _) => AlphaMode::Premultiplied,
        _ if has_alpha => AlphaMode::Straight,
        _ => AlphaMode::Opaque,
    };
    changed(texture, |desc| desc.with_alpha_mode(alpha_mode))
}

#[test]
fn ktx2_gives_back_every_texture() {
    for texture in textures() {
        let expected = as_ktx2_says(&texture);
        for file in [write(&texture, ContainerFormat::Ktx2), write_zstd(&texture, 1)] {
            assert_eq!(read(&file).unwrap(), expected);
            assert_info_agrees(&file, &expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn odd_sizes_survive(
        format in prop::sample::select(dds_formats()),
        kind in 0..3,
        size in prop::array::uniform3(1..70u32),
        layers in 1..4u32,
        level_choice in 0..8u32,
        zstd in -3..9i32,
        dx10 in any::<bool>(),
    ) {
        let [width, height, depth] = size;
        let (kind, size, layers) = match kind {
            0 => (TextureKind::D2, [width, height, 1], layers),
            1 => (TextureKind::Cube, [width, width, 1], layers),
            _ => (TextureKind::D3, [width, height, depth.div_ceil(8)], 1),
        };
        let desc = desc(format, kind, size).with_layers(layers);
        let texture = filled(desc.with_mip_levels(level_choice % desc.full_mip_levels() + 1));
        let file = write_dds(&texture, if dx10 { DdsHeader::Dx10 } else { DdsHeader::Auto });
        prop_assert!(read(&file).unwrap() == texture);
        let file = match zstd {
            0 => write(&texture, ContainerFormat::Ktx2),
            level => write_zstd(&texture, level),
        };
        prop_assert!(read(&file).unwrap() == as_ktx2_says(&texture));
    }
}

/// A BC1 block in four-colour mode: no texel can be transparent.
const OPAQUE_BLOCK: [u8; 8] = [0xff, 0xff, 0x01, 0x00, 0xe4, 0x1b, 0xff, 0x00];
/// A BC1 block in three-colour mode with one transparent texel.
const PUNCHED_BLOCK: [u8; 8] = [0x01, 0x00, 0xff, 0xff, 0x03, 0x00, 0x00, 0x00];

fn bc1(block: [u8; 8], alpha_mode: AlphaMode) -> Texture {
    let data = [OPAQUE_BLOCK, OPAQUE_BLOCK, OPAQUE_BLOCK, block].concat();
    Texture::new(TextureDesc::new_2d(BlockFormat::Bc1, 8, 8).with_alpha_mode(alpha_mode), data).unwrap()
}

/// Tests the fields that other programs use, according to Microsoft's "DDS_HEADER structure".
#[test]
fn dds_headers_say_what_direct3d_reads() {
    const COMPLEX: u32 = 8;
    const TEXTURE: u32 = 0x1000;
    const MIP_LEVELS: u32 = 0x40_0000;
    let format = BlockFormat::Bc3;
    for (desc, caps, caps2, linear_size) in [
        (TextureDesc::new_2d(format, 8, 12), TEXTURE, 0, 96),
        (TextureDesc::new_2d(format, 8, 12).with_full_mips(), TEXTURE | COMPLEX | MIP_LEVELS, 0, 96),
        (TextureDesc::new_cube(format, 8), TEXTURE | COMPLEX, 0xfe00, 64),
        // The size of one slice.
        (TextureDesc::new_3d(format, 8, 8, 5), TEXTURE | COMPLEX, 0x20_0000, 64),
    ] {
        let file = write(&filled(desc), ContainerFormat::Dds);
        let field = |at: usize| u32::from_le_bytes(*file[at..].first_chunk().unwrap());
        assert_eq!([field(108), field(112)], [caps, caps2], "{desc:?}");
        assert_eq!((field(20), field(8) & 0x8_0000), (linear_size, 0x8_0000), "{desc:?}");
        assert_eq!((field(8) & 0x2_0000 != 0, field(28)), (desc.mip_levels > 1, desc.mip_levels), "{desc:?}");
    }
}

#[test]
fn dds_header_is_legacy_where_it_says_all() {
    let is_legacy = |texture: &Texture| info(&write(texture, ContainerFormat::Dds)).unwrap().is_legacy_dds();
    // The legacy header does not state the colour space of colours.
    assert!(!is_legacy(&bc1(OPAQUE_BLOCK, AlphaMode::Opaque)));
    assert!(!is_legacy(&bc1(PUNCHED_BLOCK, AlphaMode::Straight)));
    for (format, alpha_mode, legacy) in [
        (BlockFormat::Bc2, AlphaMode::Premultiplied, false),
        (BlockFormat::Bc3, AlphaMode::Straight, false),
        (BlockFormat::Bc3, AlphaMode::Opaque, false),
        (BlockFormat::Bc4Unorm, AlphaMode::Opaque, true),
        (BlockFormat::Bc4Snorm, AlphaMode::Opaque, false),
        (BlockFormat::Bc5Unorm, AlphaMode::Opaque, true),
        (BlockFormat::Bc5Snorm, AlphaMode::Opaque, false),
        (Bc6hUfloat, AlphaMode::Opaque, false),
        (Bc7, AlphaMode::Straight, false),
    ] {
        let cube = desc(format, TextureKind::Cube, [8, 8, 1]).with_full_mips().with_alpha_mode(alpha_mode);
        assert_eq!(is_legacy(&filled(cube)), legacy, "{format} {alpha_mode:?}");
        assert!(!is_legacy(&filled(cube.with_layers(2))));
    }
    for legacy in textures() {
        let mut options = TextureWriteOptions::default();
        options.dds_header = DdsHeader::Legacy;
        let written = legacy.write(Vec::new(), ContainerFormat::Dds, &options, &Task::new());
        let TextureDesc { format, layers, .. } = *legacy.desc();
        let new = matches!(format.block(), Some(Bc6hUfloat | Bc6hSfloat | Bc7));
        let is_refused = matches!(written, Err(ContainerError::LegacyHeader { .. }));
        assert_eq!([is_refused, written.is_err()], [new || layers > 1; 2]);
    }
}

/// Tests headers of other programs, made by changing fields of our files.
#[test]
fn foreign_dds_headers_are_understood() {
    let set = |file: &mut Vec<u8>, at: usize, bytes: [u8; 4]| file[at..at + 4].copy_from_slice(&bytes);
    let legacy = write_dds(&bc1(OPAQUE_BLOCK, AlphaMode::Opaque), DdsHeader::Legacy);
    assert_eq!(legacy.len(), 128 + 32);
    // DXT1 without the alpha flag: the blocks decide.
    assert_eq!(read(&legacy).unwrap().desc().alpha_mode, AlphaMode::Opaque);
    let mut punched = legacy.clone();
    punched[128 + 24..].copy_from_slice(&PUNCHED_BLOCK);
    assert_eq!(read(&punched).unwrap().desc().alpha_mode, AlphaMode::Straight);
    assert_eq!(info(&punched).unwrap().desc.alpha_mode, AlphaMode::Straight);
    assert_eq!(info(&punched).unwrap().format_name, "DXT1");
    // Mip count 0, no flags at all, bytes after the texture.
    let mut sloppy = legacy.clone();
    set(&mut sloppy, 28, [0; 4]);
    set(&mut sloppy, 8, [0; 4]);
    sloppy.extend([1; 100]);
    assert_eq!(read(&sloppy).unwrap(), bc1(OPAQUE_BLOCK, AlphaMode::Opaque));
    for (four_cc, format, alpha_mode) in [
        (b"DXT2", BlockFormat::Bc2, AlphaMode::Premultiplied),
        (b"DXT3", BlockFormat::Bc2, AlphaMode::Straight),
        (b"DXT4", BlockFormat::Bc3, AlphaMode::Premultiplied),
        (b"DXT5", BlockFormat::Bc3, AlphaMode::Straight),
        (b"ATI1", BlockFormat::Bc4Unorm, AlphaMode::Opaque),
        (b"BC4U", BlockFormat::Bc4Unorm, AlphaMode::Opaque),
        (b"BC4S", BlockFormat::Bc4Snorm, AlphaMode::Opaque),
        (b"ATI2", BlockFormat::Bc5Unorm, AlphaMode::Opaque),
        (b"BC5U", BlockFormat::Bc5Unorm, AlphaMode::Opaque),
        (b"BC5S", BlockFormat::Bc5Snorm, AlphaMode::Opaque),
    ] {
        let mut file = legacy.clone();
        set(&mut file, 84, *four_cc);
        file.extend([0; 32]);
        let desc = *read(&file).unwrap().desc();
        assert_eq!((desc.format.block(), desc.alpha_mode), (Some(format), alpha_mode));
        assert_eq!(desc.color_space, ColorSpace::Linear);
    }
    // DX10: array size 0 is 1, alpha mode unknown and custom.
    let dx10 = write_dds(&bc1(PUNCHED_BLOCK, AlphaMode::Opaque), DdsHeader::Dx10);
    for (alpha, expected) in [(0u8, AlphaMode::Straight), (3, AlphaMode::Opaque), (4, AlphaMode::Straight)] {
        let mut file = dx10.clone();
        set(&mut file, 140, [0; 4]);
        set(&mut file, 144, [alpha, 0, 0, 0]);
        assert_eq!(read(&file).unwrap(), bc1(PUNCHED_BLOCK, expected));
    }
}

/// KTX2's descriptor can state sRGB for a format of which no sampler converts the numbers.
#[test]
fn srgb_in_a_descriptor_needs_a_format_with_an_srgb_variant() {
    let texture = texture(BlockFormat::Bc4Unorm, TextureKind::D2, [8, 8, 1], 1, 1);
    let mut file = write(&texture, ContainerFormat::Ktx2);
    let descriptor = u32::from_le_bytes(*file[48..].first_chunk().unwrap()) as usize;
    assert_eq!(file[descriptor + 14], 1);
    file[descriptor + 14] = 2;
    let note = "the descriptor says sRGB, of which bc4 has no form; it is read as linear".to_owned();
    let read = read(&file).unwrap();
    assert_eq!((read.desc(), read.data()), (texture.desc(), texture.data()));
    assert_eq!((read.notes(), info(&file).unwrap().notes), (&[note.clone()][..], vec![note]));
    let findings =
        container::validate(Cursor::new(&file), None, &TextureReadOptions::default(), &Task::new());
    let found: Vec<_> = findings.unwrap().findings.iter().map(|finding| finding.rule.id).collect();
    assert_eq!(found, ["KTX-9003"]);
}

/// White is 4095 in 16 bits by the descriptor, 65535 by the format.
#[test]
fn another_scale_in_the_descriptor_is_noted() {
    let texture = filled(TextureDesc::new_2d(PlainFormat::Rg16Unorm, 8, 8));
    let mut file = write(&texture, ContainerFormat::Ktx2);
    assert!(info(&file).unwrap().notes.is_empty());
    let descriptor = u32::from_le_bytes(*file[48..].first_chunk().unwrap()) as usize;
    let upper = descriptor + 4 + 24 + 16 + 12;
    assert_eq!(file[upper..upper + 4], 65535u32.to_le_bytes());
    file[upper..upper + 4].copy_from_slice(&4095u32.to_le_bytes());
    let note = "sampleUpper of sample 1 is 4095 in the descriptor, and 65535 in VK_FORMAT_R16G16_UNORM, \
                whose scale is used";
    assert_eq!(info(&file).unwrap().notes, [note]);
    assert_eq!(read(&file).unwrap().notes(), [note]);
}

#[test]
fn a_descriptor_that_contradicts_an_srgb_format_is_noted() {
    let linear = texture(Bc7, TextureKind::D2, [8, 8, 1], 1, 1);
    let desc = linear.desc().with_color_space(ColorSpace::Srgb);
    let texture = Texture::new(desc, linear.data().to_vec()).unwrap();
    let mut file = write(&texture, ContainerFormat::Ktx2);
    let descriptor = u32::from_le_bytes(*file[48..].first_chunk().unwrap()) as usize;
    assert_eq!(file[descriptor + 14], 2);
    assert!(info(&file).unwrap().notes.is_empty());
    file[descriptor + 14] = 1;
    let note = "the format is sRGB, but the descriptor says linear; it is read as sRGB";
    let read = read(&file).unwrap();
    assert_eq!((read.desc().color_space, read.notes()), (ColorSpace::Srgb, &[note.to_owned()][..]));
    #[cfg(feature = "io")]
    {
        let options = brickwork_image::image_file::ImageReadOptions::default();
        let picture = brickwork_texture::pictures::read(Cursor::new(&file), None, &options, &Task::new());
        let picture = picture.unwrap();
        assert_eq!((picture.color_space, picture.notes), (ColorSpace::Srgb, vec![note.to_owned()]));
    }
}

#[test]
fn other_crates_read_our_dds() {
    for texture in textures() {
        let mut files = vec![write_dds(&texture, DdsHeader::Auto), write_dds(&texture, DdsHeader::Dx10)];
        let new = matches!(texture.desc().format.block(), Some(Bc6hUfloat | Bc6hSfloat | Bc7));
        if !new && texture.desc().layers == 1 {
            files.push(write_dds(&texture, DdsHeader::Legacy));
        }
        for file in files {
            let mut rest = file.as_slice();
            let header = dds::header::Header::read(&mut rest, &dds::header::ParseOptions::default()).unwrap();
            assert_eq!((header.width(), header.height()), (texture.desc().width, texture.desc().height));
            assert_eq!(header.mipmap_count().get(), texture.desc().mip_levels);
            assert_eq!(header.is_cube_map(), texture.desc().kind == TextureKind::Cube);
            assert_eq!(header.is_volume(), texture.desc().kind == TextureKind::D3);
            assert_eq!(header.depth().unwrap_or(1), texture.desc().depth);
            assert_eq!(header.array_size(), texture.desc().layers);
            let layout = dds::DataLayout::from_header(&header).unwrap();
            assert_eq!(dds::DataRegion::data_len(&layout), texture.data().len() as u64);
            assert!(rest == texture.data());

            let other = ddsfile::Dds::read(file.as_slice()).unwrap();
            assert_eq!(
                (other.get_width(), other.get_height()),
                (texture.desc().width, texture.desc().height)
            );
            assert_eq!(other.get_depth(), texture.desc().depth);
            assert_eq!(other.get_num_mipmap_levels(), texture.desc().mip_levels);
            assert_eq!(other.get_num_array_layers(), texture.desc().layers * texture.desc().faces());
            assert!(other.data == texture.data());
            if let Some(header) = &other.header10 {
                let name = format!("{:?}", header.dxgi_format);
                assert_eq!(ColorSpace::of_format_name(&name) == Some(ColorSpace::Srgb), {
                    texture.desc().color_space == ColorSpace::Srgb
                });
                assert_eq!(name.parse(), Ok(texture.desc().format), "{name}");
                assert_eq!(
                    header.alpha_mode,
                    match texture.desc().alpha_mode {
                        AlphaMode::Opaque => ddsfile::AlphaMode::Opaque,
                        AlphaMode::Straight => ddsfile::AlphaMode::Straight,
                        AlphaMode::Premultiplied => ddsfile::AlphaMode::PreMultiplied,
                        _ => unreachable!("a kind that the tests do not know"),
                    }
                );
            }
        }
    }
}

/// Returns the samples of a format as defined by the chapter on compressed formats of Khronos' Data Format
/// Specification 1.3: bit offset, bits, channel, qualifiers (1 linear, 4 signed, 8 float), lower, upper.
fn samples(texture: &Texture) -> Vec<(u16, u8, u8, u8, u32, u32)> {
    const UNORM: (u32, u32) = (0, u32::MAX);
    const SNORM: (u32, u32) = (0x8000_0000, 0x7fff_ffff);
    const ONE: u32 = 0x3f80_0000;
    const MINUS_ONE: u32 = 0xbf80_0000;
    let srgb = u8::from(texture.desc().color_space == ColorSpace::Srgb);
    let opaque = texture.desc().alpha_mode == AlphaMode::Opaque;
    match texture.desc().format.block().unwrap() {
        BlockFormat::Bc1 => vec![(0, 64, if opaque { 0 } else { 1 }, 0, UNORM.0, UNORM.1)],
        BlockFormat::Bc2 | BlockFormat::Bc3 => {
            vec![(0, 64, 15, srgb, UNORM.0, UNORM.1), (64, 64, 0, 0, UNORM.0, UNORM.1)]
        }
        BlockFormat::Bc4Unorm => vec![(0, 64, 0, 0, UNORM.0, UNORM.1)],
        BlockFormat::Bc4Snorm => vec![(0, 64, 0, 4, SNORM.0, SNORM.1)],
        BlockFormat::Bc5Unorm => vec![(0, 64, 0, 0, UNORM.0, UNORM.1), (64, 64, 1, 0, UNORM.0, UNORM.1)],
        BlockFormat::Bc5Snorm => vec![(0, 64, 0, 4, SNORM.0, SNORM.1), (64, 64, 1, 4, SNORM.0, SNORM.1)],
        Bc6hUfloat => vec![(0, 128, 0, 8, 0, ONE)],
        Bc6hSfloat => vec![(0, 128, 0, 12, MINUS_ONE, ONE)],
        Bc7 => vec![(0, 128, 0, 0, UNORM.0, UNORM.1)],
        _ => unreachable!("a kind that the tests do not know"),
    }
}

/// Returns the descriptor byte by byte, from the specification rather than a crate.
fn descriptor(texture: &Texture) -> Vec<u8> {
    let samples = samples(texture);
    let block = 24 + 16 * samples.len();
    let model = match texture.desc().format.block().unwrap() {
        BlockFormat::Bc1 => 128,
        BlockFormat::Bc2 => 129,
        BlockFormat::Bc3 => 130,
        BlockFormat::Bc4Unorm | BlockFormat::Bc4Snorm => 131,
        BlockFormat::Bc5Unorm | BlockFormat::Bc5Snorm => 132,
        Bc6hUfloat | Bc6hSfloat => 133,
        Bc7 => 134,
        _ => unreachable!("a kind that the tests do not know"),
    };
    let mut bytes = (block as u32 + 4).to_le_bytes().to_vec();
    bytes.extend([0; 4]); // vendor Khronos, type basic
    bytes.extend([2, 0, block as u8, 0]); // version 1.3 is 2
    bytes.extend([
        model,
        1, // primaries of BT.709
        if texture.desc().color_space == ColorSpace::Srgb { 2 } else { 1 },
        u8::from(texture.desc().alpha_mode == AlphaMode::Premultiplied),
    ]);
    bytes.extend([3, 3, 0, 0]); // blocks of 4×4×1×1
    bytes.extend([texture.desc().format.block_bytes() as u8, 0, 0, 0, 0, 0, 0, 0]);
    for (offset, bits, channel, qualifiers, lower, upper) in samples {
        bytes.extend(offset.to_le_bytes());
        bytes.extend([bits - 1, channel | qualifiers << 4, 0, 0, 0, 0]);
        bytes.extend(lower.to_le_bytes());
        bytes.extend(upper.to_le_bytes());
    }
    bytes
}

#[test]
fn another_crate_reads_our_ktx2() {
    for texture in textures() {
        for (file, zstd) in [(write(&texture, ContainerFormat::Ktx2), false), (write_zstd(&texture, 3), true)]
        {
            let reader = ktx2::Reader::new(file.as_slice()).unwrap();
            let header = reader.header();
            assert_eq!(
                (header.pixel_width, header.pixel_height),
                (texture.desc().width, texture.desc().height)
            );
            assert_eq!(
                header.pixel_depth,
                if texture.desc().kind == TextureKind::D3 { texture.desc().depth } else { 0 }
            );
            assert_eq!(
                header.layer_count,
                if texture.desc().layers == 1 { 0 } else { texture.desc().layers }
            );
            assert_eq!(
                (header.face_count, header.level_count),
                (texture.desc().faces(), texture.desc().mip_levels)
            );
            assert_eq!((header.type_size, header.index.sgd_byte_length), (1, 0));
            let srgb = texture.desc().color_space == ColorSpace::Srgb;
            let format = format!("{:?}", header.format.unwrap());
            assert_eq!(format.contains("SRGB"), srgb);
            if texture.desc().format == BlockFormat::Bc1 {
                assert_eq!(format.starts_with("BC1_RGB_"), texture.desc().alpha_mode == AlphaMode::Opaque);
            }
            let start = header.index.dfd_byte_offset as usize;
            let written = &file[start..start + header.index.dfd_byte_length as usize];
            assert_eq!(written, descriptor(&texture), "{format}");
            let keys: Vec<_> = reader.key_value_data().collect();
            let version = concat!("Brickwork ", env!("CARGO_PKG_VERSION"), "\0").as_bytes();
            let orientation: &[u8] = if texture.desc().kind == TextureKind::D3 { b"rdi\0" } else { b"rd\0" };
            assert_eq!(keys, [("KTXorientation", orientation), ("KTXwriter", version)]);

            let mut level_end = file.len();
            for (level, data) in reader.levels().enumerate() {
                let images = (0..texture.desc().layers)
                    .flat_map(|layer| (0..texture.desc().faces()).map(move |face| (layer, face)));
                let images: Vec<_> =
                    images.map(|(layer, face)| texture.image(layer, face, level as u32).unwrap()).collect();
                let expected = images.concat();
                assert_eq!(data.uncompressed_byte_length, expected.len() as u64);
                // The largest mip level ends the file, and each smaller one precedes it.
                let start = data.data.as_ptr().addr() - file.as_ptr().addr();
                assert_eq!(start + data.data.len(), level_end);
                level_end = start;
                if zstd {
                    assert!(zstd::decode_all(data.data).unwrap() == expected);
                } else {
                    assert!(data.data == expected);
                    assert_eq!(start % texture.desc().format.block_bytes(), 0);
                }
            }
        }
    }
}

/// Returns Vulkan's number of a format, from its registry.
fn vulkan_format(texture: &Texture) -> u32 {
    let unorm = match texture.desc().format.block().unwrap() {
        BlockFormat::Bc1 if texture.desc().alpha_mode == AlphaMode::Opaque => 131,
        BlockFormat::Bc1 => 133,
        BlockFormat::Bc2 => 135,
        BlockFormat::Bc3 => 137,
        BlockFormat::Bc4Unorm => 139,
        BlockFormat::Bc4Snorm => 140,
        BlockFormat::Bc5Unorm => 141,
        BlockFormat::Bc5Snorm => 142,
        Bc6hUfloat => 143,
        Bc6hSfloat => 144,
        Bc7 => 145,
        _ => unreachable!("a kind that the tests do not know"),
    };
    let is_srgb = texture.desc().color_space == ColorSpace::Srgb;
    unorm + u32::from(is_srgb)
}

/// Returns the output of `ktx_parse_reads_ktx2.mjs` for a file that contains `texture`.
fn as_ktx_parse_says(texture: &Texture) -> String {
    let desc = texture.desc();
    let depth = if desc.kind == TextureKind::D3 { desc.depth } else { 0 };
    let layers = if desc.layers == 1 { 0 } else { desc.layers };
    let bytes = descriptor(texture);
    let mut text = format!(
        "format {}, type size 1\nsize {},{},{depth}, layers, faces, levels {layers},{},{}\ndescriptors 1\n",
        vulkan_format(texture),
        desc.width,
        desc.height,
        desc.faces(),
        desc.mip_levels,
    );
    text += &format!(
        "model {}, primaries {}, transfer {}, flags {}\nblock 3,3,0,0, bytes {}\n",
        bytes[12], bytes[13], bytes[14], bytes[15], bytes[20]
    );
    for (offset, bits, channel, qualifiers, lower, upper) in samples(texture) {
        text += &format!("sample {offset},{bits},{channel},{qualifiers},{lower},{upper}\n");
    }
    text
}

/// Tests that ktx-parse, with which glTF tools and three.js read KTX2, reads the texture that was written.
/// Its header, descriptor and blocks are compared for every format, shape and mip level, with Zstandard and
/// without.
#[test]
fn ktx_parse_reads_our_ktx2() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ktx-parse");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let mut written = Vec::new();
    for (i, texture) in textures().enumerate() {
        for (name, file) in [
            (format!("{i}"), write(&texture, ContainerFormat::Ktx2)),
            (format!("{i}-zstd"), write_zstd(&texture, 3)),
        ] {
            std::fs::write(folder.join(format!("{name}.ktx2")), file).unwrap();
            written.push((name, texture.clone()));
        }
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ktx_parse_reads_ktx2.mjs");
    let Ok(output) = Command::new("node").arg(script).arg(&folder).output() else {
        return testing::skip("no Node.js");
    };
    if output.status.code() == Some(3) {
        return testing::skip(String::from_utf8_lossy(&output.stdout).trim_end());
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (name, texture) in written {
        let said = std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
        assert_eq!(said, as_ktx_parse_says(&texture), "{name}");
        // A texture contains its mip levels within each layer; the file contains its layers within each mip
        // level.
        let desc = texture.desc();
        let mut blocks = Vec::new();
        for level in 0..desc.mip_levels {
            for (layer, face) in (0..desc.layers).flat_map(|l| (0..desc.faces()).map(move |f| (l, f))) {
                blocks.extend_from_slice(texture.image(layer, face, level).unwrap());
            }
        }
        assert!(std::fs::read(folder.join(format!("{name}.blocks"))).unwrap() == blocks, "{name}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn info_shows_keys_and_supercompression() {
    let file = write_zstd(&texture(Bc7, TextureKind::D2, [16, 16, 1], 1, 5), 19);
    let info = info(&file).unwrap();
    assert_eq!(info.header, HeaderKind::Ktx2);
    assert_eq!(info.format_name, "VK_FORMAT_BC7_UNORM_BLOCK");
    assert!(info.supercompression.unwrap().starts_with("Zstandard"));
    assert_eq!(info.key_values[0], ("KTXorientation".to_owned(), "rd".to_owned()));
    assert_eq!(info.key_values[1].0, "KTXwriter");
}

/// Returns one file of each kind of header, layout and compression.
fn sample_files() -> Vec<Vec<u8>> {
    let cube = texture(BlockFormat::Bc3, TextureKind::Cube, [5, 5, 1], 2, 3);
    let volume = texture(BlockFormat::Bc1, TextureKind::D3, [9, 5, 3], 1, 4);
    let flat = texture(BlockFormat::Bc4Unorm, TextureKind::D2, [8, 6, 1], 1, 1);
    let plain = filled(TextureDesc::new_2d(PlainFormat::Rgba8Unorm, 5, 3).with_full_mips());
    let smooth = smooth(&cube, 7);
    let mut files = vec![write_dds(&volume, DdsHeader::Legacy), write_zstd(&smooth, 3)];
    files.push(write_dds(&plain, DdsHeader::Legacy));
    for texture in [&cube, &volume, &flat, &plain] {
        files.extend([write(texture, ContainerFormat::Dds), write(texture, ContainerFormat::Ktx2)]);
        files.extend([write_dds(texture, DdsHeader::Dx10), write_zstd(texture, 3)]);
    }
    files
}

#[test]
fn every_truncation_is_an_error() {
    for file in sample_files() {
        assert!(read(&file).is_ok() && info(&file).is_ok());
        for len in 0..file.len() {
            // If a DDS file lacks whole mip levels, the others are read.
            if let (Ok(texture), Ok(info)) = (read(&file[..len]), info(&file[..len])) {
                assert_eq!((info.notes.len(), texture.notes()), (1, &info.notes[..]));
                let header_bytes = if file[84..88] == *b"DX10" { 148 } else { 128 };
                assert_eq!(texture.data(), &file[header_bytes..len]);
                continue;
            }
            for error in [read(&file[..len]).unwrap_err(), info(&file[..len]).unwrap_err()] {
                assert_eq!(error.kind(), ErrorKind::Invalid, "{len} of {}: {error}", file.len());
                match error {
                    ContainerError::UnknownContainer { first_bytes } => assert!(first_bytes.len() < 12),
                    ContainerError::Truncated { offset, needed, available } => {
                        assert!(needed > available && offset + available <= len.max(offset as usize) as u64);
                    }
                    other => panic!("{len} of {}: {other}", file.len()),
                }
            }
        }
    }
}

/// Reads any bytes and asserts that the result, if any, is a texture. Small limits prevent a mistake from
/// using up the machine's memory.
fn read_anything(file: &[u8]) -> Option<ErrorKind> {
    let mut options = TextureReadOptions::default();
    options.max_memory = 1 << 20;
    let _ = container::info(Cursor::new(file), &options, &Task::new());
    match Texture::read(Cursor::new(file), &options, &Task::new()) {
        Ok(texture) => {
            texture.desc().check().unwrap();
            assert_eq!(texture.desc().data_bytes(), texture.data().len() as u64);
            None
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert_ne!(error.kind(), ErrorKind::Io, "{error}");
            Some(error.kind())
        }
    }
}

#[test]
fn every_flipped_bit_returns() {
    for mut file in sample_files() {
        for bit in 0..file.len().min(512) * 8 {
            file[bit / 8] ^= 1 << (bit % 8);
            read_anything(&file);
            file[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn random_damage_returns() {
    let files = sample_files();
    let mut random = Random(2_463_534_242);
    let mut seen = [0; 4];
    for _ in 0..20_000 {
        let mut file = files[random.below(files.len())].clone();
        for _ in 0..=random.below(4) {
            // Damage is mostly in the headers.
            let end = if random.below(3) == 0 { usize::MAX } else { 330 };
            let at = random.below(file.len().min(end));
            match random.below(5) {
                0 => file[at] = random.next() as u8,
                1 => file[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
                2 => {
                    let len = file.len();
                    let word = [0, 1, u32::MAX, 1 << 31, random.next() as u32][random.below(5)].to_le_bytes();
                    let at = at & !3;
                    let count = word.len().min(len - at);
                    file[at..at + count].copy_from_slice(&word[..count]);
                }
                3 => file.truncate(at + 1),
                _ => {
                    let from = random.below(file.len());
                    let count = random.below(64).min(file.len() - from.max(at));
                    file.copy_within(from..from + count, at);
                }
            }
        }
        seen[match read_anything(&file) {
            None => 0,
            Some(ErrorKind::Invalid) => 1,
            Some(ErrorKind::Unsupported) => 2,
            _ => 3,
        }] += 1;
    }
    // The damage is fatal in some files and harmless in others.
    assert!(seen[..3].iter().all(|&count| count > 200), "{seen:?}");
}

fn header_error(file: &[u8]) -> (u64, u64) {
    match read(file).unwrap_err() {
        ContainerError::Header { offset, found, .. } => (offset, found),
        other => panic!("{other}"),
    }
}

/// A typeless format has the number before those of its types.
#[test]
fn typeless_files_are_read_with_a_note() {
    let mut count = 0;
    let formats = TextureFormat::all().filter(|&format| ContainerFormat::Dds.has_format(format));
    for desc in formats.map(|format| TextureDesc::new_2d(format, 8, 4)) {
        let texture = filled(desc.with_alpha_mode(AlphaMode::usual(desc.format)));
        let mut file = write_dds(&texture, DdsHeader::Dx10);
        let number = u32::from_le_bytes(file[128..132].try_into().unwrap());
        let typeless = match number {
            2 | 16 | 28 | 49 | 61 | 71 | 74 | 77 | 80 | 83 | 95 | 98 => number - 1,
            11 | 35 | 41 => number - 2,
            56 => 53,
            87 => 90,
            _ => continue,
        };
        file[128..132].copy_from_slice(&typeless.to_le_bytes());
        let found = read(&file).unwrap();
        assert_eq!((found.desc(), found.data()), (texture.desc(), texture.data()), "{typeless}");
        let info = info(&file).unwrap();
        assert!(info.format_name.ends_with("_TYPELESS"), "{}", info.format_name);
        assert_eq!(info.notes, found.notes());
        assert!(
            info.notes[0].starts_with(&format!("{} states no type", info.format_name)),
            "{:?}",
            info.notes
        );
        let states = ContainerFormat::states_color_space(Cursor::new(&file)).unwrap();
        assert_eq!([info.states_color_space(), states], [!desc.format.has_srgb(); 2], "{typeless}");
        count += 1;
    }
    assert_eq!(count, 17);
}

#[test]
fn absurd_numbers_are_named() {
    let set = |file: &[u8], fields: &[(usize, u32)]| {
        let mut file = file.to_vec();
        for &(at, value) in fields {
            file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        file
    };
    assert!(matches!(read(&[]), Err(ContainerError::UnknownContainer { .. })));
    assert!(matches!(read(&[0; 4096]), Err(ContainerError::UnknownContainer { .. })));

    let base = texture(BlockFormat::Bc1, TextureKind::D2, [8, 8, 1], 1, 1);
    let dds = write_dds(&base, DdsHeader::Dx10);
    assert_eq!(header_error(&set(&dds, &[(12, 0)])), (12, 0));
    assert_eq!(header_error(&set(&dds, &[(16, 0), (12, 0)])), (12, 0));
    assert_eq!(header_error(&set(&dds, &[(4, 125)])), (4, 125));
    // Exabytes of blocks, which are refused because of the length of the stream.
    let huge = set(&dds, &[(12, u32::MAX), (16, u32::MAX), (140, u32::MAX)]);
    match read(&huge).unwrap_err() {
        ContainerError::Truncated { offset: 148, needed, available: 32 } => assert_eq!(needed, u64::MAX),
        other => panic!("{other}"),
    }
    assert!(matches!(
        read(&set(&dds, &[(28, u32::MAX)])),
        Err(ContainerError::Texture(TextureError::MipLevels { mip_levels: u32::MAX, .. }))
    ));
    let unsupported = |file: &[u8]| {
        let error = read(file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        error.to_string()
    };
    assert_eq!(
        unsupported(&set(&dds, &[(128, 24)])),
        "DDS with DXGI_FORMAT_R10G10B10A2_UNORM (24) is not supported"
    );
    unsupported(&set(&dds, &[(132, 2)]));
    unsupported(&set(&dds, &[(84, u32::from_le_bytes(*b"UYVY"))]));

    let ktx2 = write(&base, ContainerFormat::Ktx2);
    assert_eq!(header_error(&set(&ktx2, &[(20, 0)])), (20, 0));
    assert_eq!(header_error(&set(&ktx2, &[(36, 5)])), (36, 5));
    assert!(unsupported(&set(&ktx2, &[(24, 0)])).contains("1D"));
    unsupported(&set(&ktx2, &[(12, 0)]));
    assert!(unsupported(&set(&ktx2, &[(44, 1)])).contains("BasisLZ"));
    assert_eq!(unsupported(&set(&ktx2, &[(12, 23)])), "KTX2 with VK_FORMAT_R8G8B8_UNORM is not supported");
    let huge = set(&ktx2, &[(20, u32::MAX), (24, u32::MAX), (32, u32::MAX)]);
    assert_eq!(header_error(&huge), (80 + 16, 32));
    // The same with matching level lengths.
    let huge = set(&huge, &[(88, u32::MAX), (92, u32::MAX), (96, u32::MAX), (100, u32::MAX)]);
    assert!(matches!(read(&huge), Err(ContainerError::Truncated { needed: u64::MAX, .. })));
    // 20 bytes of Zstandard that claim 64 GiB.
    let file = write_zstd(&smooth(&base, 0), 3);
    let bomb = set(&file, &[(20, 1 << 19), (24, 1 << 18), (96, 0), (100, 16)]);
    assert_eq!(header_error(&bomb).0, 80 + 8);
    // A descriptor of 4 GiB.
    assert_eq!(header_error(&set(&ktx2, &[(52, u32::MAX)])), (52, u64::from(u32::MAX)));
    // A block dimension of 255 makes `ktx2` 0.5.0 panic. It is not needed to determine the format.
    let descriptor = u32::from_le_bytes(ktx2[48..52].try_into().unwrap()) as usize;
    read(&set(&ktx2, &[(descriptor + 16, u32::MAX)])).unwrap();
}

#[test]
fn memory_is_limited() {
    let texture = texture(BlockFormat::Bc1, TextureKind::D2, [256, 256, 1], 1, 1);
    let smooth = smooth(&texture, 0);
    let needed = texture.data().len() as u64;
    for (file, more) in [
        (write(&texture, ContainerFormat::Dds), 0),
        (write(&texture, ContainerFormat::Ktx2), 0),
        (write_zstd(&smooth, 3), 1 << 10),
    ] {
        let mut options = TextureReadOptions::default();
        options.max_memory = needed - 1;
        let error = Texture::read(Cursor::new(&file), &options, &Task::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        options.max_memory = needed + more;
        Texture::read(Cursor::new(&file), &options, &Task::new()).unwrap();
    }
}

#[test]
fn damaged_zstandard_names_the_level() {
    let texture = texture(BlockFormat::Bc1, TextureKind::D2, [64, 64, 1], 1, 7);
    let mut file = write_zstd(&texture, 3);
    let offset = u64::from_le_bytes(file[80 + 24..80 + 32].try_into().unwrap());
    file[offset as usize] ^= 1;
    match read(&file).unwrap_err() {
        ContainerError::Compressed { offset: at, level: 1, needed: 512, .. } => assert_eq!(at, offset),
        other => panic!("{other}"),
    }
    // A stream that continues after the mip level, or that other data follow.
    let texture = bc1(OPAQUE_BLOCK, AlphaMode::Opaque);
    let file = write_zstd(&texture, 3);
    let at = u64::from_le_bytes(file[80..88].try_into().unwrap()) as usize;
    let longer = zstd::encode_all([texture.data(), &[1]].concat().as_slice(), 3).unwrap();
    for (stream, expected) in [
        (longer, "holds more"),
        ([&file[at..], &zstd::encode_all(&[1][..], 3).unwrap()].concat(), "holds more"),
        ([&file[at..], &[1; 8]].concat(), "is damaged at its end"),
    ] {
        let mut file = [&file[..at], &stream].concat();
        file[88..96].copy_from_slice(&(stream.len() as u64).to_le_bytes());
        match read(&file).unwrap_err() {
            ContainerError::Compressed { level: 0, reason, .. } => assert_eq!(reason, expected),
            other => panic!("{other}"),
        }
    }
    for level in [0, 23, i32::MIN] {
        let mut options = TextureWriteOptions::default();
        options.zstd = Some(level);
        let error = texture.write(Vec::new(), ContainerFormat::Ktx2, &options, &Task::new());
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Unsupported);
    }
}

#[test]
fn failing_streams_are_no_broken_files() {
    struct Failing(Cursor<Vec<u8>>, usize);
    impl Read for Failing {
        fn read(&mut self, target: &mut [u8]) -> std::io::Result<usize> {
            self.1 = self.1.checked_sub(1).ok_or_else(|| std::io::Error::other("the disk is gone"))?;
            self.0.read(target)
        }
    }
    impl Seek for Failing {
        fn seek(&mut self, position: SeekFrom) -> std::io::Result<u64> {
            self.0.seek(position)
        }
    }
    for file in sample_files() {
        for reads in 0.. {
            let result = Texture::read(
                Failing(Cursor::new(file.clone()), reads),
                &TextureReadOptions::default(),
                &Task::new(),
            );
            match result {
                Ok(_) => {
                    assert!(reads > 2);
                    break;
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::Io, "{error}"),
            }
        }
    }
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for &format in ContainerFormat::ALL {
        let texture = of_container(format);
        let error = texture.write(Full, format, &TextureWriteOptions::default(), &Task::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
    }
}

/// Returns a texture that files of this container can contain.
fn of_container(container: ContainerFormat) -> Texture {
    match container {
        ContainerFormat::Astc => filled(TextureDesc::new_2d(BlockFormat::Astc(AstcFootprint::B5x5), 8, 8)),
        _ => bc1(OPAQUE_BLOCK, AlphaMode::Opaque),
    }
}

#[test]
fn containers_are_told_apart() {
    for &format in ContainerFormat::ALL {
        let file = write(&of_container(format), format);
        assert_eq!(ContainerFormat::detect(&file), Some(format));
        assert_eq!(ContainerFormat::of_extension(&format.extension().to_uppercase()), Some(format));
    }
    assert_eq!(ContainerFormat::detect(b"DDS"), None);
    assert_eq!(ContainerFormat::of_extension("ktx"), None);
}

/// Tests that Pillow decodes the BC1 files that we write to the same texels as we do.
#[test]
fn pillow_reads_our_dds() {
    let Some(python) = testing::python("PIL") else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pillow_reads_dds.py");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, [width, height], header) in [
        ("legacy", [64u32, 48u32], DdsHeader::Legacy),
        ("dx10", [64, 48], DdsHeader::Dx10),
        ("odd", [13, 7], DdsHeader::Legacy),
    ] {
        let texture = filled(TextureDesc::new_2d(BlockFormat::Bc1, width, height));
        let mut texels = vec![[0; 4]; (width * height) as usize];
        crate::common::decode(
            BlockFormat::Bc1,
            texture.data(),
            width,
            height,
            RoundingRule::Trunc,
            &mut texels,
        )
        .unwrap();
        let [dds, rgba] = ["dds", "rgba"].map(|end| folder.join(format!("pillow-{name}.{end}")));
        std::fs::write(&dds, write_dds(&texture, header)).unwrap();
        std::fs::write(&rgba, texels.as_flattened()).unwrap();
        let [dds, rgba] = [&dds, &rgba].map(|path| path.to_str().unwrap());
        let output = python(&[script, dds, rgba, &width.to_string(), &height.to_string()]);
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
        println!("{name}: {said}");
    }
}

#[test]
fn textures_are_saved_and_opened() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (first, second) = (bc1(OPAQUE_BLOCK, AlphaMode::Opaque), bc1(PUNCHED_BLOCK, AlphaMode::Straight));
    for name in ["saved.dds", "saved.KTX2"] {
        let path = folder.join(name);
        for texture in [&first, &second] {
            texture.save(&path, &Task::new()).unwrap();
            assert_eq!(Texture::open(&path, &Task::new()).unwrap(), *texture);
        }
        // After any failure, the previous file is unchanged.
        let swizzled = changed(&texture(BlockFormat::Bc5Unorm, TextureKind::D2, [4, 4, 1], 1, 1), |desc| {
            desc.with_swizzle(Swizzle::parse("grba").unwrap())
        });
        let mut options = TextureWriteOptions::default();
        options.zstd = Some(99);
        let error = swizzled.save_with(&path, &options, &Task::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(Texture::open(&path, &Task::new()).unwrap(), second);
    }
    let error = first.save(folder.join("saved.png"), &Task::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the extension \"png\" does not name a container; expected dds, ktx2 or astc"
    );
    assert_eq!(first.save(folder.join("none/a.dds"), &Task::new()).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(Texture::open(folder.join("none.dds"), &Task::new()).unwrap_err().kind(), ErrorKind::Io);
}
