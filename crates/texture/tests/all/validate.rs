//! Checks of containers: one faulty file for each rule, correct files, damaged files, Khronos's own files.

use crate::validate_files::{Ktx2, SOLID_ASTC, astc, dds, masked_dds, pairs, patched};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, ErrorKind, Swizzle, Task, Texture, TextureDesc, TextureFormat,
    container::{
        ContainerError, ContainerFormat, DdsHeader, Severity, TextureReadOptions, TextureWriteOptions,
        Validation, validate, validation_rules,
    },
};
use ktx2::Format;
use std::{
    collections::BTreeSet,
    fs,
    io::Cursor,
    path::{Path, PathBuf},
};

fn check(file: &[u8], claimed: Option<ContainerFormat>) -> Validation {
    validate(Cursor::new(file), claimed, &TextureReadOptions::default(), &Task::new()).unwrap()
}

fn ids(file: &[u8], claimed: ContainerFormat) -> Vec<&'static str> {
    check(file, Some(claimed)).findings.iter().map(|finding| finding.rule.id).collect()
}

/// A rule, and a file that violates it.
type Row = (&'static str, fn() -> Vec<u8>);

/// A BC7 file with a changed part.
fn bc7(change: fn(&mut Ktx2)) -> Vec<u8> {
    with(Format::BC7_UNORM_BLOCK, change)
}

fn with(format: Format, change: fn(&mut Ktx2)) -> Vec<u8> {
    let mut file = Ktx2::of(format);
    change(&mut file);
    file.bytes()
}

/// An RGBA8 file with a changed part.
fn rgba(change: fn(&mut Ktx2)) -> Vec<u8> {
    with(Format::R8G8B8A8_UNORM, change)
}

/// A file of an undefined format with samples as for RGBA8.
fn undefined(change: fn(&mut Ktx2)) -> Vec<u8> {
    let mut file = Ktx2::of(Format::R8G8B8A8_UNORM);
    (file.format, file.type_size) = (0, 1);
    change(&mut file);
    file.bytes()
}

/// A BC7 file with another pair, before `KTXwriter`.
fn pair(key: &str, value: &[u8]) -> Vec<u8> {
    let mut file = Ktx2::of(Format::BC7_UNORM_BLOCK);
    file.pairs = pairs(&[(key.as_bytes(), value), (b"KTXwriter", b"a\0")]);
    file.bytes()
}

/// A file compressed with Zstandard.
fn zstandard(change: fn(&mut Ktx2)) -> Vec<u8> {
    let mut file = Ktx2::of(Format::BC7_UNORM_BLOCK);
    file.scheme = 2;
    file.data = file.data.iter().map(|level| zstd::encode_all(level.as_slice(), 1).unwrap()).collect();
    change(&mut file);
    file.bytes()
}

fn basis(change: fn(&mut Ktx2)) -> Vec<u8> {
    let mut file = Ktx2::of(Format::BC7_UNORM_BLOCK);
    (file.format, file.scheme) = (0, 1);
    // ETC1S, with 8 bytes in plane 0.
    (file.descriptor[8], file.descriptor[16]) = (163, 8);
    file.global = vec![0; 40];
    file.uncompressed = vec![0; file.data.len()];
    change(&mut file);
    file.bytes()
}

#[rustfmt::skip]
const KTX2: &[Row] = &[
    ("KTX-1003", || bc7(|_| ())[..200].to_vec()),
    ("KTX-2001", || patched(bc7(|_| ()), &[(4, b'x')])),
    ("KTX-3001", || bc7(|file| file.format = 11)),
    ("KTX-3002", || bc7(|file| file.format = 999)),
    ("KTX-3003", || bc7(|file| file.format = 2_000_000_000)),
    ("KTX-3004", || basis(|file| file.format = 145)),
    ("KTX-3005", || bc7(|file| file.type_size = 2)),
    ("KTX-3006", || bc7(|file| file.size[0] = 0)),
    ("KTX-3007", || bc7(|file| file.size[1] = 0)),
    ("KTX-3008", || bc7(|file| { file.faces = 6; file.size[1] = 4 })),
    ("KTX-3009", || rgba(|file| file.size = [8, 0, 2])),
    ("KTX-3010", || with(Format::ASTC_4x4x4_UNORM_BLOCK, |file| file.size[2] = 0)),
    ("KTX-3011", || with(Format::D16_UNORM, |file| file.size[2] = 2)),
    ("KTX-3012", || rgba(|file| file.type_size = 4)),
    ("KTX-3013", || bc7(|file| { file.faces = 6; file.size[2] = 8 })),
    ("KTX-3014", || rgba(|file| { file.size[2] = 1; file.layers = 1 })),
    ("KTX-3015", || bc7(|file| file.faces = 5)),
    ("KTX-3016", || bc7(|file| file.levels = 5)),
    ("KTX-3017", || bc7(|file| file.levels = 0)),
    ("KTX-3018", || bc7(|file| file.scheme = 0x1_0001)),
    ("KTX-3019", || bc7(|file| file.scheme = 9)),
    ("KTX-3020", || patched(bc7(|_| ()), &[(48, 0), (52, 0)])),
    ("KTX-3021", || patched(bc7(|_| ()), &[(48, 4)])),
    ("KTX-3022", || patched(bc7(|_| ()), &[(56, 4)])),
    ("KTX-3023", || patched(bc7(|_| ()), &[(60, 0)])),
    ("KTX-3024", || patched(basis(|_| ()), &[(64, 3)])),
    ("KTX-3025", || patched(bc7(|_| ()), &[(64, 8)])),
    ("KTX-3026", || basis(|file| file.global.clear())),
    ("KTX-3027", || bc7(|file| file.global = vec![0; 8])),
    ("KTX-3028", || patched(bc7(|_| ()), &[(52, 40)])),
    ("KTX-4001", || undefined(|file| { file.levels = 2; file.add_level(16); file.uncompressed[1] = 9999 })),
    ("KTX-4002", || patched(bc7(|file| file.mips()), &[(80, 16), (81, 0)])),
    ("KTX-4003", || bc7(|file| file.shift = 2)),
    ("KTX-4004", || bc7(|file| file.shift = 16)),
    ("KTX-4005", || bc7(|file| { file.data[0].pop(); })),
    ("KTX-4006", || zstandard(|file| file.uncompressed[0] = 60)),
    ("KTX-4007", || basis(|file| file.uncompressed[0] = 64)),
    ("KTX-4008", || zstandard(|file| file.data[0] = zstd::encode_all(&[7; 63][..], 1).unwrap())),
    ("KTX-4009", || undefined(|file| file.uncompressed[0] = 0)),
    ("KTX-4010", || undefined(|file| { file.layers = 3; file.uncompressed[0] = 256 })),
    ("KTX-5006", || zstandard(|file| { file.data[0].pop(); })),
    ("KTX-6001", || bc7(|file| file.total_size = Some(48))),
    ("KTX-6002", || bc7(|file| for _ in 0..16 { file.descriptor.extend([0, 0, 2, 0xc0, 2, 0, 8, 0]) })),
    ("KTX-6003", || bc7(|file| file.descriptor.extend([1, 0, 0, 0, 2, 0, 8, 0]))),
    ("KTX-6004", || bc7(|file| file.descriptor.extend([0; 4]))),
    ("KTX-6005", || bc7(|file| file.descriptor.extend(file.descriptor.clone()))),
    ("KTX-6006", || bc7(|file| file.descriptor[6] = 7)),
    ("KTX-6007", || bc7(|file| file.descriptor[6] = 80)),
    ("KTX-6008", || bc7(|file| file.descriptor[0] = 1)),
    ("KTX-6009", || bc7(|file| { file.descriptor.extend([0; 4]); file.descriptor[6] += 4 })),
    ("KTX-6010", || bc7(|file| { file.descriptor.truncate(16); file.descriptor[6] = 16 })),
    ("KTX-6011", || bc7(|file| file.descriptor[4] = 1)),
    ("KTX-6012", || bc7(|file| file.descriptor[10] = 20)),
    ("KTX-6013", || with(Format::BC7_SRGB_BLOCK, |file| file.descriptor[10] = 1)),
    ("KTX-6014", || bc7(|file| file.descriptor[10] = 2)),
    ("KTX-6015", || rgba(|file| file.descriptor[8] = 2)),
    ("KTX-6016", || bc7(|file| file.descriptor[8] = 133)),
    ("KTX-6017", || with(Format::G8B8G8R8_422_UNORM, |file| file.descriptor[8] = 1)),
    ("KTX-6018", || basis(|file| file.descriptor[8] = 166)),
    ("KTX-6019", || bc7(|file| file.descriptor[9] = 12)),
    ("KTX-6020", || bc7(|file| file.descriptor[12] = 7)),
    ("KTX-6021", || bc7(|file| file.descriptor[16] = 8)),
    ("KTX-6023", || undefined(|file| file.descriptor[16] = 0)),
    ("KTX-6024", || rgba(|file| file.descriptor[17] = 4)),
    ("KTX-6025", || rgba(|file| { file.descriptor.truncate(72); file.descriptor[6] = 72 })),
    ("KTX-6027", || undefined(|file| { file.descriptor.truncate(24); file.descriptor[6] = 24 })),
    ("KTX-6028", || bc7(|file| file.descriptor[26] = 63)),
    ("KTX-6029", || bc7(|file| {
        file.descriptor.resize(24 + 17 * 16, 0);
        file.descriptor[6..8].copy_from_slice(&296u16.to_le_bytes());
    })),
    ("KTX-6030", || zstandard(|file| file.descriptor[16] = 0)),
    ("KTX-6101", || bc7(|file| file.descriptor[27] = 2)),
    ("KTX-6108", || rgba(|file| file.descriptor[27] |= 0x10)),
    ("KTX-6109", || with(Format::R8G8B8A8_SRGB, |file| file.descriptor[27] |= 0x10)),
    ("KTX-6203", || rgba(|file| file.descriptor[27] |= 0x40)),
    ("KTX-6204", || rgba(|file| file.descriptor[28] = 1)),
    ("KTX-7001", || bc7(|file| {
        let keys: Vec<_> = (0..101).map(|number| format!("a{number:04}")).collect();
        file.pairs = pairs(&keys.iter().map(|key| (key.as_bytes(), &[][..])).collect::<Vec<_>>());
    })),
    ("KTX-7002", || bc7(|file| file.pairs.extend([0; 4]))),
    ("KTX-7003", || bc7(|file| file.pairs[0] = 200)),
    ("KTX-7004", || bc7(|file| file.pairs.extend([1, 0, 0, 0, 0, 0, 0, 0]))),
    ("KTX-7005", || bc7(|file| file.pairs.extend([4, 0, 0, 0, b'a', b'b', b'c', b'd']))),
    ("KTX-7006", || pair("\u{feff}A", b"")),
    ("KTX-7007", || bc7(|file| file.pairs.extend(pairs(&[(&[b'a', 0xff], b"")])))),
    ("KTX-7008", || bc7(|file| { file.pairs.pop(); })),
    ("KTX-7009", || pair("KTXfuture", b"")),
    ("KTX-7010", || pair("Author", b"me\0")),
    ("KTX-7011", || bc7(|file| *file.pairs.last_mut().unwrap() = 1)),
    ("KTX-7012", || pair("Z", b"")),
    ("KTX-7013", || pair("KTXwriter", b"b\0")),
    ("KTX-7014", || pair("", b"b")),
    ("KTX-7101", || pair("KTXcubemapIncomplete", &[0x41])),
    ("KTX-7102", || pair("KTXcubemapIncomplete", &[0x3f])),
    ("KTX-7103", || pair("KTXcubemapIncomplete", &[0])),
    ("KTX-7104", || patched(pair("KTXcubemapIncomplete", &[3]), &[(32, 3)])),
    ("KTX-7105", || patched(pair("KTXcubemapIncomplete", &[1]), &[(36, 6)])),
    ("KTX-7106", || pair("KTXcubemapIncomplete", &[1, 0])),
    ("KTX-7107", || pair("KTXorientation", b"rd")),
    ("KTX-7108", || pair("KTXorientation", b"rdi\0")),
    ("KTX-7109", || pair("KTXorientation", b"dr\0")),
    ("KTX-7110", || pair("KTXglFormat", &[0; 8])),
    ("KTX-7111", || pair("KTXglFormat", &[0; 12])),
    ("KTX-7112", || pair("KTXglFormat", &[1; 12])),
    ("KTX-7113", || pair("KTXdxgiFormat__", &[0; 8])),
    ("KTX-7114", || pair("KTXdxgiFormat__", &[0; 4])),
    ("KTX-7115", || pair("KTXmetalPixelFormat", &[0; 8])),
    ("KTX-7116", || pair("KTXmetalPixelFormat", &[0; 4])),
    ("KTX-7117", || pair("KTXswizzle", b"rgba")),
    ("KTX-7118", || pair("KTXswizzle", b"rgb\0")),
    ("KTX-7119", || pair("KTXswizzle", b"rgbx\0")),
    ("KTX-7121", || with(Format::D16_UNORM, |file| {
        file.pairs = pairs(&[(b"KTXswizzle", b"rgba\0"), (b"KTXwriter", b"a\0")]);
    })),
    ("KTX-7122", || bc7(|file| file.pairs = pairs(&[(b"KTXwriter", b"ab")]))),
    ("KTX-7123", || bc7(|file| file.pairs = pairs(&[(b"KTXwriter", &[0xff, 0])]))),
    ("KTX-7124", || bc7(|file| file.pairs = pairs(&[(b"KTXwriterScParams", b"a\0")]))),
    ("KTX-7125", || bc7(|file| file.pairs.clear())),
    ("KTX-7126", || bc7(|file| file.pairs.extend(pairs(&[(b"KTXwriterScParams", b"a")])))),
    ("KTX-7127", || bc7(|file| file.pairs.extend(pairs(&[(b"KTXwriterScParams", &[255, 0])])))),
    ("KTX-7128", || pair("KTXanimData", &[0; 8])),
    ("KTX-7129", || pair("KTXanimData", &[0; 12])),
    ("KTX-7130", || bc7(|file| {
        let both: [(&[u8], &[u8]); 2] = [(b"KTXanimData", &[0; 12]), (b"KTXcubemapIncomplete", &[1])];
        file.pairs = pairs(&both);
    })),
    ("KTX-7131", || pair("KTXastcDecodeMode", b"unorm8")),
    ("KTX-7132", || pair("KTXastcDecodeMode", b"half\0")),
    ("KTX-7133", || with(Format::ASTC_4x4_SFLOAT_BLOCK, |file| {
        file.pairs = pairs(&[(b"KTXastcDecodeMode", b"unorm8\0"), (b"KTXwriter", b"a\0")]);
    })),
    ("KTX-7134", || pair("KTXastcDecodeMode", b"unorm8\0")),
    ("KTX-7135", || with(Format::ASTC_4x4_SRGB_BLOCK, |file| {
        file.pairs = pairs(&[(b"KTXastcDecodeMode", b"unorm8\0"), (b"KTXwriter", b"a\0")]);
    })),
    ("KTX-7136", || pair("KTXmapRange", &[0; 4])),
    ("KTX-7137", || with(Format::BC7_SRGB_BLOCK, |file| {
        file.pairs = pairs(&[(b"KTXmapRange", &[0; 8]), (b"KTXwriter", b"a\0")]);
    })),
    ("KTX-7138", || pair("KTXmapRange", &[0, 0, 0x80, 0x7f, 0, 0, 0, 0])),
    ("KTX-7139", || pair("KTXmapRange", &[0, 0, 0, 0, 0, 0, 0x80, 0x7f])),
    ("KTX-9001", || bc7(|file| file.scheme = 3)),
    ("KTX-9002", || [bc7(|_| ()), vec![0]].concat()),
    ("KTX-9003", || with(Format::BC4_UNORM_BLOCK, |file| file.descriptor[10] = 2)),
    ("KTX-9004", || with(Format::ASTC_4x4_UNORM_BLOCK, |file| file.data[0][..16].fill(0))),
];

const ASTC: &[Row] = &[
    ("ASTC-101", || patched(astc([8, 4]), &[(0, 0)])),
    ("ASTC-102", || astc([8, 4])[..15].to_vec()),
    ("ASTC-103", || patched(astc([8, 4]), &[(4, 7)])),
    ("ASTC-104", || patched(astc([8, 4]), &[(6, 4)])),
    ("ASTC-105", || patched(astc([8, 4]), &[(10, 0)])),
    ("ASTC-201", || {
        let mut file = astc([8, 4]);
        file.pop();
        file
    }),
    ("ASTC-202", || [astc([8, 4]), vec![0]].concat()),
    ("ASTC-203", || patched(astc([8, 4]), &[(32, 0)])),
];

/// A DX10 file of BC7 with changed bytes.
fn dx10(changes: &[(usize, u8)]) -> Vec<u8> {
    patched(dds(BlockFormat::Bc7, DdsHeader::Dx10), changes)
}

/// A legacy file of BC1 with changed bytes.
fn legacy(changes: &[(usize, u8)]) -> Vec<u8> {
    patched(dds(BlockFormat::Bc1, DdsHeader::Legacy), changes)
}

/// A legacy file of RGBA8 with changed bytes.
fn masked(changes: &[(usize, u8)]) -> Vec<u8> {
    patched(masked_dds(), changes)
}

#[rustfmt::skip]
const DDS: &[Row] = &[
    ("DDS-101", || legacy(&[(0, b'd')])),
    ("DDS-102", || dx10(&[])[..140].to_vec()),
    ("DDS-103", || legacy(&[(4, 24)])),
    ("DDS-104", || legacy(&[(8, 6)])),
    ("DDS-105", || legacy(&[(9, 0x90)])),
    ("DDS-106", || legacy(&[(12, 0)])),
    ("DDS-107", || legacy(&[(16, 0)])),
    ("DDS-108", || legacy(&[(10, 8)])),
    ("DDS-109", || legacy(&[(28, 0)])),
    ("DDS-110", || legacy(&[(28, 5)])),
    ("DDS-111", || legacy(&[(8, 15)])),
    ("DDS-112", || legacy(&[(20, 8)])),
    ("DDS-113", || legacy(&[(10, 0x8a)])),
    ("DDS-114", || dx10(&[(132, 4)])),
    ("DDS-201", || legacy(&[(76, 24)])),
    ("DDS-202", || legacy(&[(80, 0)])),
    ("DDS-203", || legacy(&[(87, b'9')])),
    ("DDS-204", || masked(&[(88, 30)])),
    ("DDS-205", || masked(&[(93, 1)])),
    ("DDS-206", || masked(&[(80, 0x40)])),
    ("DDS-301", || legacy(&[(109, 0)])),
    ("DDS-302", || legacy(&[(108, 0)])),
    ("DDS-303", || legacy(&[(110, 0)])),
    ("DDS-304", || legacy(&[(108, 9)])),
    ("DDS-305", || legacy(&[(113, 0x7e)])),
    ("DDS-306", || legacy(&[(113, 4)])),
    ("DDS-307", || legacy(&[(113, 0xfe), (114, 0x20)])),
    ("DDS-308", || legacy(&[(112, 1)])),
    ("DDS-309", || dx10(&[(136, 4), (12, 4)])),
    ("DDS-401", || dx10(&[(128, 0)])),
    ("DDS-402", || dx10(&[(128, 97)])),
    ("DDS-403", || dx10(&[(132, 1)])),
    ("DDS-404", || dx10(&[(132, 2)])),
    ("DDS-405", || dx10(&[(136, 1)])),
    ("DDS-406", || dx10(&[(132, 4), (136, 4)])),
    ("DDS-407", || dx10(&[(140, 0)])),
    ("DDS-408", || dx10(&[(132, 4), (140, 2)])),
    ("DDS-409", || dx10(&[(144, 5)])),
    ("DDS-410", || dx10(&[(145, 1)])),
    ("DDS-411", || dx10(&[(113, 0xfe)])),
    ("DDS-501", || { let mut file = dx10(&[]); file.pop(); file }),
    ("DDS-502", || [dx10(&[]), vec![0]].concat()),
    ("DDS-503", || dx10(&[(128, 103)])),
];

/// Each rule has a file that violates it, and no row is about another rule.
#[test]
fn every_rule_has_a_file_that_violates_it() {
    let mut wrong = Vec::new();
    let all = [(KTX2, ContainerFormat::Ktx2), (DDS, ContainerFormat::Dds), (ASTC, ContainerFormat::Astc)];
    for (rows, container) in all {
        for (id, make) in rows {
            let found = ids(&make(), container);
            if !found.contains(id) {
                wrong.push(format!("{id} is not among {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let tested: BTreeSet<_> = KTX2.iter().chain(DDS).chain(ASTC).map(|(id, _)| *id).collect();
    let known: Vec<_> = validation_rules().map(|rule| rule.id).collect();
    assert_eq!(tested, known.iter().copied().collect());
    assert_eq!((tested.len(), known.is_sorted()), (known.len(), true), "unique and sorted");
}

/// A fault must not cause findings that are not its consequence.
#[test]
fn a_small_fault_has_one_finding() {
    let alone = [
        "KTX-3012", "KTX-3014", "KTX-3025", "KTX-4003", "KTX-4004", "KTX-5006", "KTX-6001", "KTX-6003",
        "KTX-6005", "KTX-6011", "KTX-6012", "KTX-6013", "KTX-6014", "KTX-6016", "KTX-6019", "KTX-6020",
        "KTX-6028", "KTX-6030", "KTX-6108", "KTX-7009", "KTX-7010", "KTX-7011", "KTX-7107", "KTX-7108",
        "KTX-7109", "KTX-7119", "KTX-7125", "KTX-9002", "DDS-103", "DDS-104", "DDS-105", "DDS-112",
        "DDS-201", "DDS-206", "DDS-301", "DDS-304", "DDS-308", "DDS-402", "DDS-405", "DDS-409", "DDS-410",
        "DDS-411", "DDS-501", "DDS-502", "ASTC-101", "ASTC-103", "ASTC-105", "ASTC-201", "ASTC-202",
        "ASTC-203", "KTX-9004",
    ];
    let all = [(KTX2, ContainerFormat::Ktx2), (DDS, ContainerFormat::Dds), (ASTC, ContainerFormat::Astc)];
    for (rows, container) in all {
        for (id, make) in rows.iter().filter(|(id, _)| alone.contains(id)) {
            assert_eq!(ids(&make(), container), [*id]);
        }
    }
}

/// Files of every format, kind and option that this crate writes.
#[test]
fn own_files_have_no_finding() {
    let shapes = [
        TextureDesc::new_2d(BlockFormat::Bc1, 13, 6).with_full_mips(),
        TextureDesc::new_2d(BlockFormat::Bc1, 8, 4).with_layers(3),
        TextureDesc::new_cube(BlockFormat::Bc1, 10).with_full_mips(),
        TextureDesc::new_cube(BlockFormat::Bc1, 5).with_layers(2),
        TextureDesc::new_3d(BlockFormat::Bc1, 9, 4, 6).with_full_mips(),
    ];
    let mut count = 0;
    for (format, shape) in TextureFormat::all().flat_map(|format| shapes.iter().map(move |s| (format, s))) {
        for color_space in [ColorSpace::Linear, ColorSpace::Srgb] {
            for alpha_mode in [AlphaMode::Opaque, AlphaMode::Straight, AlphaMode::Premultiplied] {
                let mut desc = *shape;
                desc.format = format;
                let desc = desc.with_color_space(color_space).with_alpha_mode(alpha_mode);
                let is_astc = matches!(format, TextureFormat::Block(BlockFormat::Astc(_)));
                let data = match is_astc {
                    true => SOLID_ASTC.repeat(desc.data_bytes() as usize / 16),
                    false => vec![3; desc.data_bytes() as usize],
                };
                let Ok(texture) = Texture::new(desc, data) else { continue };
                for options in [
                    TextureWriteOptions::default(),
                    TextureWriteOptions::default().with(|o| o.zstd = Some(1)),
                    TextureWriteOptions::default().with(|o| o.dds_header = DdsHeader::Legacy),
                    TextureWriteOptions::default().with(|o| o.dds_header = DdsHeader::Dx10),
                ] {
                    for &container in ContainerFormat::ALL {
                        let mut file = Vec::new();
                        if texture.write(&mut file, container, &options, &Task::new()).is_err() {
                            continue;
                        }
                        count += 1;
                        let validation = check(&file, None);
                        assert_eq!(validation.container, container);
                        let findings: Vec<_> = validation.findings.iter().map(ToString::to_string).collect();
                        assert!(findings.is_empty(), "{container:?} {desc:?} {options:?}: {findings:#?}");
                    }
                }
            }
        }
    }
    assert!(count > 2500, "{count}");
    let desc = TextureDesc::new_2d(BlockFormat::Bc7, 8, 8).with_swizzle(Swizzle::parse("bgr1").unwrap());
    let mut file = Vec::new();
    let texture = Texture::new(desc, vec![0; 64]).unwrap();
    texture.write(&mut file, ContainerFormat::Ktx2, &TextureWriteOptions::default(), &Task::new()).unwrap();
    assert!(check(&file, None).findings.is_empty());
}

/// Files of every format that the tables of the crate `ktx2` describe, and of texels in DDS.
#[test]
fn files_of_other_formats_have_no_finding() {
    for &format in Format::ALL {
        let found = ids(&Ktx2::of(format).bytes(), ContainerFormat::Ktx2);
        assert!(found.is_empty(), "{format:?}: {found:?}");
    }
    assert!(ids(&masked(&[]), ContainerFormat::Dds).is_empty());
    assert!(ids(&undefined(|_| ()), ContainerFormat::Ktx2).is_empty());
    assert_eq!(ids(&basis(|_| ()), ContainerFormat::Ktx2), ["KTX-9001"]);
}

/// Padding before the levels is examined, too, not only that of values.
#[test]
fn padding_before_a_level_is_zero() {
    let mut file = bc7(|_| ());
    let level = u64::from_le_bytes(file[80..88].try_into().unwrap()) as usize;
    assert_eq!((file[level - 1], ids(&file, ContainerFormat::Ktx2).len()), (0, 0));
    file[level - 1] = 1;
    assert_eq!(ids(&file, ContainerFormat::Ktx2), ["KTX-7011"]);
}

/// A few bytes can violate a rule.
#[test]
fn findings_of_a_rule_have_a_limit() {
    let validation = check(&bc7(|file| file.pairs = vec![0; 4 << 20]), None);
    let of_rule: Vec<_> = validation
        .findings
        .iter()
        .filter(|finding| finding.message.contains("keyAndValueByteLength is 0"))
        .collect();
    assert_eq!(of_rule.len(), 100);
    assert!(of_rule[99].message.ends_with("; further violations are not listed"), "{}", of_rule[99]);
    assert!(validation.findings.len() < 220, "{}", validation.findings.len());
}

#[test]
fn findings_name_the_field() {
    let validation = check(&rgba(|file| file.type_size = 4), None);
    let [finding] = validation.findings.as_slice() else { panic!("{validation:?}") };
    assert_eq!(finding.to_string(), "KTX-3012: byte 16: typeSize is 4, and VK_FORMAT_R8G8B8A8_UNORM needs 1");
    assert_eq!((validation.is_valid(), validation.count(Severity::Warning)), (false, 0));
    let warning = check(&[bc7(|_| ()), vec![0]].concat(), None);
    assert!(warning.is_valid() && warning.count(Severity::Warning) == 1);
    let error = validate(Cursor::new("no"), None, &TextureReadOptions::default(), &Task::new());
    assert!(matches!(error, Err(ContainerError::UnknownContainer { .. })), "{error:?}");
}

/// Truncated at each byte, and with each byte replaced: no panic, no error, little memory.
#[test]
fn damaged_files_have_findings() {
    let options = TextureReadOptions::default().with(|o| o.max_memory = 1 << 20);
    let examine = |file: &[u8], container| {
        let result = validate(Cursor::new(file), Some(container), &options, &Task::new());
        result.unwrap().findings.len()
    };
    for (file, container) in [
        (bc7(|file| file.mips()), ContainerFormat::Ktx2),
        (zstandard(|_| ()), ContainerFormat::Ktx2),
        (rgba(|_| ()), ContainerFormat::Ktx2),
        (dx10(&[]), ContainerFormat::Dds),
        (masked(&[]), ContainerFormat::Dds),
    ] {
        assert_eq!(examine(&file, container), 0);
        for length in 0..file.len() {
            assert!(examine(&file[..length], container) > 0, "{container:?} of {length} bytes");
        }
        for at in 0..file.len().min(320) {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                examine(&patched(file.clone(), &[(at, value)]), container);
            }
        }
    }
}

/// A few bytes of Zstandard may become many.
#[test]
fn level_data_beyond_the_limit_is_not_decompressed() {
    // 1024×1024 texels.
    let level_bytes = 1 << 20;
    let file = zstandard(|file| {
        file.size = [1024, 1024, 0];
        file.uncompressed = vec![1 << 20];
        file.data = vec![zstd::encode_all(vec![0; 1 << 20].as_slice(), 1).unwrap()];
    });
    let found = |bytes: u64| {
        let options = TextureReadOptions::default().with(|o| o.max_memory = bytes);
        let validation = validate(Cursor::new(&file), None, &options, &Task::new()).unwrap();
        validation.findings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(found(level_bytes), [""; 0]);
    let findings = found(level_bytes - 1);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].starts_with("KTX-9001"), "{findings:?}");
    assert!(findings[0].contains("it has 1048576 bytes, and the limit leaves 1048575"), "{findings:?}");
}

/// Rules about bytes that were not read do not count as followed.
#[test]
fn a_limit_below_the_header_is_an_error() {
    for (file, container) in [(bc7(|_| ()), ContainerFormat::Ktx2), (dx10(&[]), ContainerFormat::Dds)] {
        for bytes in 0..100 {
            let options = TextureReadOptions::default().with(|o| o.max_memory = bytes);
            let result = validate(Cursor::new(&file), Some(container), &options, &Task::new());
            match result {
                Err(error) => assert_eq!(error.kind(), ErrorKind::Limit, "{container:?}, {bytes}: {error}"),
                Ok(_) => assert!(bytes >= 80, "{container:?}, {bytes}"),
            }
        }
    }
}

#[test]
fn too_many_mip_levels_of_dds_need_no_data() {
    // 8×8 texels with all four mip levels, of 4, 1, 1 and 1 blocks.
    let complete = [dx10(&[(28, 4)]), vec![3; 2 * 16]].concat();
    assert_eq!(ids(&complete, ContainerFormat::Dds), [""; 0]);
    assert_eq!(ids(&patched(complete, &[(28, 5)]), ContainerFormat::Dds), ["DDS-110"]);
}

/// A file that ends within its key/value data has findings about the end only.
#[test]
fn a_cut_causes_no_findings_about_lengths() {
    let whole = pair("Zz", &[7; 40]);
    let end = whole.len() - 64;
    for length in end - 30..end {
        let found = ids(&whole[..length], ContainerFormat::Ktx2);
        let lengths = ["KTX-7002", "KTX-7003", "KTX-7008"];
        assert!(!found.is_empty() && !found.iter().any(|id| lengths.contains(id)), "{length}: {found:?}");
    }
}

/// Rules of `ktx validate` that are not checked: about its library, Basis Universal's payload and glTF.
fn is_out_of_scope(number: u32) -> bool {
    matches!(number, 3100..=3199 | 5003..=5005 | 5007 | 6026 | 6102..=6107 | 6205 | 6300..=6399 | 7200..=7299
        | 8000..=8999)
}

/// Differences with a reason: the number, a part of the file's name, and the reason.
const KNOWN: &[(u32, &str, &str)] = &[
    (1003, "", "ktx leaves levels past the end of the file to its library, without a number"),
    (4005, "3007/error_BlockCompressedNoHeight_ASTC_3x3x3", "ktx does not compare lengths of 3D blocks"),
    (4006, "3007/error_BlockCompressedNoHeight_ASTC_3x3x3", "the same"),
    (5006, "5006/", "ktx's library finds the damage first, without a number"),
    (6203, "6028/error_FormatMismatch_E5B9G9R9", "ktx reports one violation of the kind"),
    (7013, "7014/", "ktx's number of empty keys is that of double keys"),
    (7014, "7014/", "the same"),
    (7125, "3023/", "ktx needs key/value data to miss a key"),
];

/// The files and recorded results of Khronos's conformance tests of `ktx validate`, if `BRICKWORK_KTX_CTS` is
/// the folder `clitests` of KTX-Software-CTS. Files of Basis Universal are left out.
#[test]
fn results_agree_with_ktx_validate() {
    let Some(folder) = std::env::var_os("BRICKWORK_KTX_CTS").map(PathBuf::from) else {
        return println!("BRICKWORK_KTX_CTS is not set");
    };
    let is_basis = |name: &str| ["Basis", "BLZE", "UASTC", "ETC1S"].iter().any(|word| name.contains(word));
    let (mut compared, mut correct, mut differences) = (0, 0, Vec::new());
    for golden in files(&folder.join("golden/validate"), ".out.txt") {
        let name = golden.strip_prefix(folder.join("golden/validate")).unwrap().to_str().unwrap();
        let input = folder.join("input/validate").join(name.replace(".out.txt", ".ktx2"));
        let Some(file) = fs::read(&input).ok().filter(|_| !is_basis(name)) else { continue };
        let theirs = recorded(&fs::read_to_string(&golden).unwrap());
        let found = ids(&file, ContainerFormat::Ktx2);
        let ours: BTreeSet<u32> =
            found.iter().filter_map(|id| id.strip_prefix("KTX-")?.parse().ok()).collect();
        compared += 1;
        let is_known = |id: u32| KNOWN.iter().any(|known| known.0 == id && name.starts_with(known.1));
        let missing = theirs.difference(&ours).filter(|id| !is_out_of_scope(**id));
        let more = ours.difference(&theirs).filter(|id| **id < 9000);
        let texts = missing.map(|id| (*id, "missing")).chain(more.map(|id| (*id, "more")));
        differences
            .extend(texts.filter(|(id, _)| !is_known(*id)).map(|(id, text)| format!("{id} {text}: {name}")));
    }
    for file in files(&folder.join("input/ktx2"), ".ktx2") {
        let name = file.file_name().unwrap().to_str().unwrap();
        if name.starts_with("valid_") && !is_basis(name) {
            let validation = check(&fs::read(&file).unwrap(), None);
            let errors =
                validation.findings.iter().filter(|finding| finding.rule.severity == Severity::Error);
            differences.extend(errors.map(|error| format!("{name}: {error}")));
            correct += 1;
        }
    }
    println!("{compared} faulty files and {correct} correct ones");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(compared > 800 && correct > 500, "{compared} {correct}");
}

/// Files below a folder whose names end with `end`.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.to_str().is_some_and(|name| name.ends_with(end)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The numbers of a recorded report, whose lines start with `error-3012: `, for example.
fn recorded(text: &str) -> BTreeSet<u32> {
    let kinds = ["error-", "warning-", "fatal-"];
    let numbers = text.lines().filter_map(|line| kinds.iter().find_map(|kind| line.strip_prefix(kind)));
    numbers.map(|rest| rest.split(':').next().unwrap().parse().unwrap()).collect()
}
