//! Sizes of textures in GPU memory today.
//!
//! An image counts as the uncompressed texture that an application makes of it: as many bits per channel, one
//! channel if it is grey and of integers, else four, because GPUs have no texels of three; with all mip
//! levels. A DDS or KTX2 file counts as it is.
//!
//! Source of offsets: Microsoft, *Programming guide for DDS*; Khronos, *KTX File Format Specification 2.0*,
//! section 3.

use brickwork_image::image_file::{FileFormat, Picture, Texels};
use brickwork_texture::{BlockFormat, ChannelType, TextureDesc, TextureKind};
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of the DDS headers, without and with the Direct3D 10 header.
const DDS_HEADER_BYTES: [u64; 2] = [128, 148];

/// Maximum number of mip levels of a texture whose sides are `u32`.
const MAX_LEVELS: u32 = 32;

/// Shape and size of an uncompressed texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Uncompressed {
    kind: TextureKind,
    depth: u32,
    layers: u32,
    /// Mip levels: those of the file, or all of an image.
    levels: u32,
    /// Bytes of all images.
    pub bytes: u64,
}

impl Uncompressed {
    /// Returns the texture that an application makes of an image file.
    fn of_image(picture: &Picture) -> Self {
        let desc = TextureDesc::new_2d(BlockFormat::Bc1, picture.width, picture.height).with_full_mips();
        let bytes = desc.texel_count().saturating_mul(texel_format(picture).1);
        let levels = desc.mip_levels;
        Self { kind: TextureKind::D2, depth: 1, layers: 1, levels, bytes }
    }

    /// Returns the texture of a file: that of a DDS or KTX2 file as it is, else that of the image.
    ///
    /// # Errors
    /// The stream's.
    pub fn of_file(picture: &Picture, file: &mut (impl Read + Seek + ?Sized)) -> io::Result<Self> {
        let file_bytes = file.seek(SeekFrom::End(0))?;
        let mut head = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        let head_bytes = 80 + 24 * u64::from(MAX_LEVELS);
        file.take(head_bytes).read_to_end(&mut head)?;
        let found = match picture.file_format {
            Some(FileFormat::Dds) => Self::of_dds(&head, file_bytes),
            Some(FileFormat::Ktx2) => Self::of_ktx2(&head),
            _ => None,
        };
        Ok(found.unwrap_or_else(|| Self::of_image(picture)))
    }

    fn of_dds(head: &[u8], file_bytes: u64) -> Option<Self> {
        let is_dx10 = head.get(84..88)? == b"DX10";
        let dx10 = |at: usize| if is_dx10 { u32_at(head, at) } else { Some(0) };
        let (caps, dimension, flags) = (u32_at(head, 112)?, dx10(132)?, dx10(136)?);
        let kind = match () {
            () if caps & 0x20_0000 != 0 || dimension == 4 => TextureKind::D3,
            () if caps & 0x200 != 0 || flags & 4 != 0 => TextureKind::Cube,
            () => TextureKind::D2,
        };
        let depth = if kind == TextureKind::D3 { u32_at(head, 24)?.max(1) } else { 1 };
        let (levels, layers) = (u32_at(head, 28)?.clamp(1, MAX_LEVELS), dx10(140)?.max(1));
        let bytes = file_bytes.saturating_sub(DDS_HEADER_BYTES[usize::from(is_dx10)]);
        Some(Self { kind, depth, layers, levels, bytes })
    }

    fn of_ktx2(head: &[u8]) -> Option<Self> {
        let [depth, layers, faces, levels] = [28, 32, 36, 40].map(|at| u32_at(head, at));
        let (depth, layers, faces, levels) = (depth?, layers?.max(1), faces?, levels?.clamp(1, MAX_LEVELS));
        let kind = match (depth, faces) {
            (1.., _) => TextureKind::D3,
            (_, 6) => TextureKind::Cube,
            _ => TextureKind::D2,
        };
        // The third number of a level's entry is its length before supercompression.
        let lengths = (0..levels as usize).map(|level| u64_at(head, 80 + 24 * level + 16));
        let bytes = lengths.collect::<Option<Vec<_>>>()?.into_iter().fold(0, u64::saturating_add);
        Some(Self { kind, depth: depth.max(1), layers, levels, bytes })
    }

    /// Returns the texture of the same shape in a block format; one image if the header states an impossible
    /// shape.
    pub fn in_format(&self, desc: &TextureDesc) -> TextureDesc {
        let (format, width, height) = (desc.format, desc.width, desc.height);
        let shape = match self.kind {
            TextureKind::Cube => TextureDesc::new_cube(format, width),
            TextureKind::D3 => TextureDesc::new_3d(format, width, height, self.depth),
            _ => TextureDesc::new_2d(format, width, height),
        };
        let shape = shape.with_layers(self.layers);
        let shape = shape.with_mip_levels(self.levels.min(shape.full_mip_levels()));
        let is_possible = shape.check().is_ok() && (self.kind != TextureKind::Cube || width == height);
        let shape = if is_possible { shape } else { TextureDesc::new_2d(format, width, height) };
        shape.with_color_space(desc.color_space)
    }
}

/// Returns the format of texels in GPU memory, and their bytes: that of the numbers in the file, before their
/// colours were converted or they were rounded to half floats.
pub(super) fn texel_format(picture: &Picture) -> (&'static str, u64) {
    let is_grey = matches!(picture.texels, Texels::Grey8(_) | Texels::Grey16(_));
    match (picture.stored_channel_type, is_grey) {
        _ if picture.is_hdr_signal => ("rgba16f", 8),
        (ChannelType::U8, true) => ("r8", 1),
        (ChannelType::U8, false) => ("rgba8", 4),
        (ChannelType::U16, true) => ("r16", 2),
        (ChannelType::U16, false) => ("rgba16", 8),
        (ChannelType::F32, _) => ("rgba32f", 16),
        _ => ("rgba16f", 8),
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_those_of_the_headers() {
        let mut dds = vec![0; 148];
        let put = |file: &mut Vec<u8>, at: usize, number: u32| {
            file[at..at + 4].copy_from_slice(&number.to_le_bytes());
        };
        put(&mut dds, 28, 3);
        put(&mut dds, 112, 0xfe00);
        let cube = Uncompressed::of_dds(&dds, 128 + 504).unwrap();
        let shape = |found: Uncompressed| (found.kind, found.depth, found.layers, found.levels, found.bytes);
        assert_eq!(shape(cube), (TextureKind::Cube, 1, 1, 3, 504));
        dds[84..88].copy_from_slice(b"DX10");
        put(&mut dds, 112, 0);
        put(&mut dds, 140, 5);
        let array = Uncompressed::of_dds(&dds, 148 + 80).unwrap();
        assert_eq!(shape(array), (TextureKind::D2, 1, 5, 3, 80));
        put(&mut dds, 132, 4);
        put(&mut dds, 24, 7);
        assert_eq!(shape(Uncompressed::of_dds(&dds, 0).unwrap()), (TextureKind::D3, 7, 5, 3, 0));
        assert_eq!(Uncompressed::of_dds(&dds[..120], 99), None);

        let mut ktx = vec![0; 80 + 48];
        put(&mut ktx, 36, 6);
        put(&mut ktx, 40, 2);
        put(&mut ktx, 80 + 16, 96);
        put(&mut ktx, 104 + 16, 24);
        let cube = Uncompressed::of_ktx2(&ktx).unwrap();
        assert_eq!(shape(cube), (TextureKind::Cube, 1, 1, 2, 120));
        let desc = TextureDesc::new_2d(BlockFormat::Bc1, 4, 4);
        // A block of level 0 and one of level 1 for each face.
        assert_eq!(cube.in_format(&desc).data_bytes(), 6 * (8 + 8));
        assert_eq!(cube.in_format(&TextureDesc::new_2d(BlockFormat::Bc1, 8, 4)).data_bytes(), 16);
        put(&mut ktx, 104 + 20, u32::MAX);
        put(&mut ktx, 80 + 20, u32::MAX);
        assert_eq!(Uncompressed::of_ktx2(&ktx).unwrap().bytes, u64::MAX);
        put(&mut ktx, 40, 3);
        assert_eq!(Uncompressed::of_ktx2(&ktx), None);
    }
}
