//! Encoding of texels in memory and of files together, to a texture in memory.
//!
//! ```text
//! texels in memory, if the options need no pictures ─────────────┐
//! texels in memory → copies ┐                                    │
//! files → read ─────────────┴→ pictures → packed, prepared, … ───┴→ plan → encode
//! ```

use super::{
    EncodedTexture, PictureFacts, Stage, TextureJobError, TextureOptions,
    encode::{encode_pictures, encode_planned},
    hint::Hinted,
    pictures::Pictures,
    read_picture,
};
use crate::{batch::Input, device::Devices};
use brickwork_base::Task;
use brickwork_image::image_file::Picture;
use brickwork_texture::{ChannelType, ColorSpace, Image, TextureFormat};
use std::{fmt, path::Path, time::Instant};

/// An image from which a texture is encoded, in memory or in a file.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum PictureSource<'a> {
    /// Texels in memory. Alpha is straight unless [`TextureOptions::premultiplied`] is set. The colour space
    /// is that of [`TextureOptions::color_space_of`].
    Image(&'a dyn Image),
    /// Path of an image file, or of a texture of which the first image is read.
    File(&'a Path),
}

impl fmt::Debug for PictureSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Image(image) => f.debug_tuple("Image").field(&image.size()).finish(),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
        }
    }
}

/// Role of a source, which decides how its file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// An image of the texture.
    Image,
    /// A picture whose channel is packed.
    Channel,
    /// The normal map of a roughness map.
    Normals,
}

impl TextureOptions {
    /// True if the options need more than an encoder: a choice of the format, a use of the pictures, or a
    /// change of them before they are encoded. Then texels in memory are copied, and single floats become
    /// half floats unless the format stores single floats.
    pub fn needs_pictures(&self) -> bool {
        self.format.format().is_none()
            || self.are_data()
            || self.demanded().any(|(row, _)| row.stage == Stage::Picture)
    }

    /// Returns the colour space of texels in memory, which only these options may state: sRGB for channels of
    /// 8 bits if the format has an sRGB form or is not chosen, or a transfer function is stated; else linear.
    pub fn color_space_of(&self, image: &dyn Image) -> ColorSpace {
        let may_be_srgb = self.has_transfer() || self.format.format().is_none_or(TextureFormat::has_srgb);
        let is_srgb = may_be_srgb && image.channel_type() == ChannelType::U8;
        if is_srgb { ColorSpace::Srgb } else { ColorSpace::Linear }
    }

    /// Returns the role of the source at `index` of `count`.
    fn role(&self, index: usize, count: usize) -> Role {
        match count.saturating_sub(index + 1) {
            0 if self.roughness_from_normals => Role::Normals,
            after if after < self.other_count() => Role::Channel,
            _ => Role::Image,
        }
    }

    /// Returns the number of sources after the images: those of packed channels, and a normal map.
    pub(super) fn other_count(&self) -> usize {
        self.packing.picture_count() + usize::from(self.roughness_from_normals)
    }
}

/// Encodes images to a texture. They are in the order of the options' [layout](super::TextureLayout); those
/// with the channels of [`TextureOptions::packing`] follow, in the order of
/// [`ChannelPacking::channels`](super::ChannelPacking::channels), and the normal map of
/// [`TextureOptions::roughness_from_normals`]. `names` are the names of the sources, for errors, notes
/// and [`FormatChoice::AUTO`](super::FormatChoice::AUTO).
///
/// With [`TextureOptions::needs_pictures`], or if a source is a file, the blocks are those of
/// [`encode_files`](super::encode_files) with the same options. Otherwise alpha is not examined: images with
/// an alpha channel count as transparent, even if each texel is opaque. Blocks and mip levels may then
/// differ.
///
/// Texels in memory are encoded without a copy, unless [`TextureOptions::needs_pictures`] or a source is a
/// file. All files are in memory together. The task reports the bytes of each file, then what
/// [`encode_pictures`](super::encode_pictures) does.
///
/// # Errors
/// [`TextureJobError`] if the options do not fit each other or the images, a file is not an image, more than
/// `max_memory` bytes are needed, the device fails, or the task is cancelled.
pub fn encode_sources(
    options: &TextureOptions,
    sources: &[PictureSource<'_>],
    names: &[String],
    devices: &Devices,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<EncodedTexture, TextureJobError> {
    let name = |index: usize| names.get(index).cloned().unwrap_or_else(|| format!("image {index}"));
    options.check().map_err(|error| TextureJobError::Options { file: name(0), error })?;
    if !options.needs_pictures()
        && let Some(images) = sources.iter().map(in_memory).collect::<Option<Vec<_>>>()
    {
        let of_image = |image: &&dyn Image| PictureFacts::of_image(*image, options.color_space_of(*image));
        let facts: Vec<_> = images.iter().map(of_image).collect();
        let (hinted, pictures) = (Hinted::new(options, names), Pictures::Images(&images));
        return encode_planned(&hinted, &pictures, &facts, names, devices, max_memory, task);
    }
    let start = Instant::now();
    let (mut pictures, mut held) = (Vec::with_capacity(sources.len()), 0u64);
    for (index, source) in sources.iter().enumerate() {
        let left = max_memory.saturating_sub(held);
        let read = match options.role(index, sources.len()) {
            Role::Image => options.read_options(left),
            Role::Channel => options.read_options_of_channels(left),
            Role::Normals => options.read_options_of_normals(left),
        };
        let picture = match source {
            PictureSource::Image(image) => {
                let copy = Picture::of_image(*image, options.color_space_of(*image), &read, task);
                copy.map_err(|error| TextureJobError::Read { input: name(index), error })?
            }
            PictureSource::File(path) => read_picture(&Input::File(path.to_path_buf()), &read, task)?,
        };
        held = held.saturating_add(picture.texels.byte_count() as u64);
        pictures.push(picture);
    }
    let read_time = start.elapsed();
    let encoded = encode_pictures(options, &pictures, names, devices, max_memory, task)?;
    Ok(EncodedTexture { read_time, ..encoded })
}

/// Returns the texels of a source; none for a file.
fn in_memory<'a>(source: &PictureSource<'a>) -> Option<&'a dyn Image> {
    match source {
        PictureSource::Image(image) => Some(*image),
        PictureSource::File(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        device::DeviceChoice,
        texture::{ChannelPacking, MipLevels, PictureChannel, SizeRules, TextureLayout},
    };
    use brickwork_base::ErrorKind;
    use brickwork_image::image_file::{PictureUse, TransferFunction, write_exr};
    use brickwork_texture::{AlphaMode, EncodeOptions, ImageView, MipFilter, Swizzle, Texture, half::f16};
    use std::fs;

    const SIDE: u32 = 16;

    fn texels(seed: u32) -> Vec<[u8; 3]> {
        let texel = |i: u32| [i * seed, i / SIDE * 9, 255 - i / 2].map(|channel| channel as u8);
        (0..SIDE * SIDE).map(texel).collect()
    }

    fn encode_within(
        options: &TextureOptions,
        sources: &[PictureSource<'_>],
        max_memory: u64,
    ) -> Result<Texture, TextureJobError> {
        let devices = Devices::open(DeviceChoice::Cpu).unwrap();
        let options = TextureOptions { metrics: false, ..options.clone().with_derived_use() };
        let names = ["source".to_owned()];
        let encoded = encode_sources(&options, sources, &names, &devices, max_memory, &Task::new());
        encoded.map(|encoded| encoded.texture)
    }

    fn encode(options: &TextureOptions, sources: &[PictureSource<'_>]) -> Result<Texture, TextureJobError> {
        encode_within(options, sources, u64::MAX)
    }

    fn in_format(name: &str) -> TextureOptions {
        TextureOptions { format: name.parse().unwrap(), ..TextureOptions::default() }
    }

    #[test]
    fn channels_and_a_normal_map_follow_the_images() {
        let green = ChannelPacking::new().with_channel(PictureChannel::Green, PictureChannel::Blue);
        let packed = TextureOptions { packing: green, ..in_format("rgba8") };
        let roles = |options: &TextureOptions| [0, 1, 2].map(|index| options.role(index, 3));
        assert_eq!(roles(&TextureOptions { given_mip_levels: 3, ..in_format("bc7") }), [Role::Image; 3]);
        assert_eq!(roles(&packed), [Role::Image, Role::Image, Role::Channel]);
        let rough = TextureOptions { roughness_from_normals: true, ..packed.clone() };
        assert_eq!(roles(&rough), [Role::Image, Role::Channel, Role::Normals]);
    }

    #[test]
    fn channels_of_8_bits_are_srgb_if_the_texture_can_be() {
        let (bytes, words) = ([[1u8; 3]; 4], [[1u16; 3]; 4]);
        let of = |options: TextureOptions| {
            [
                options.color_space_of(&ImageView::new(&bytes, 2, 2).unwrap()),
                options.color_space_of(&ImageView::new(&words, 2, 2).unwrap()),
            ]
        };
        let (srgb, linear) = (ColorSpace::Srgb, ColorSpace::Linear);
        assert_eq!([of(in_format("bc7")), of(in_format("auto"))], [[srgb, linear]; 2]);
        assert_eq!([of(in_format("bc4")), of(in_format("bc6h"))], [[linear; 2]; 2]);
        assert_eq!(of(TextureOptions { convert_oetf: Some(linear), ..in_format("bc6h") }), [srgb, linear]);
    }

    #[test]
    fn texels_in_memory_and_files_become_the_same_texture() {
        let folder = tempfile::tempdir().unwrap();
        let all = [1, 2, 3].map(texels);
        let paths = [0, 1, 2].map(|index| folder.path().join(format!("{index}.ppm")));
        for (path, texels) in paths.iter().zip(&all) {
            let head = format!("P6 {SIDE} {SIDE} 255\n").into_bytes();
            fs::write(path, [head, texels.concat()].concat()).unwrap();
        }
        let images = all.each_ref().map(|texels| ImageView::new(texels, SIDE, SIDE).unwrap());
        let green = ChannelPacking::new().with_channel(PictureChannel::Green, PictureChannel::Blue);
        let mips = TextureOptions { mip_levels: MipLevels::Full, ..in_format("rgba8") };
        let cases = [
            (1, mips.clone()),
            (1, in_format("auto")),
            (1, TextureOptions { usage: PictureUse::Normals, ..in_format("bc5") }),
            (1, TextureOptions { swizzle: Swizzle::parse("bgr1").unwrap(), ..in_format("bc7") }),
            (1, TextureOptions { convert_oetf: Some(ColorSpace::Linear), ..in_format("rgba16") }),
            (1, TextureOptions { assign_oetf: Some(TransferFunction::Gamma(2.2)), ..mips.clone() }),
            (
                1,
                TextureOptions {
                    size_rules: SizeRules { max: Some(8), ..SizeRules::default() },
                    ..mips.clone()
                },
            ),
            (2, TextureOptions { packing: green, ..mips.clone() }),
            (2, TextureOptions { roughness_from_normals: true, ..mips.clone() }),
            (3, TextureOptions { packing: green, roughness_from_normals: true, ..mips }),
        ];
        for (count, options) in cases {
            let images: Vec<_> = images[..count].iter().map(|image| PictureSource::Image(image)).collect();
            let files: Vec<_> = paths[..count].iter().map(|path| PictureSource::File(path)).collect();
            let expected = encode(&options, &files).unwrap();
            assert!(encode(&options, &images).unwrap() == expected, "{options:?}");
            // The kinds of sources may be mixed.
            let mixed: Vec<_> = images[..1].iter().chain(&files[1..]).copied().collect();
            assert!(encode(&options, &mixed).unwrap() == expected, "{options:?}");
        }
    }

    #[test]
    fn single_floats_are_kept_by_formats_that_store_them() {
        let texel = [1.0f32 / 3.0, 1e-3, 70_000.0, 0.5];
        let texels = [texel];
        let image = ImageView::new(&texels, 1, 1).unwrap();
        let data =
            |options: &TextureOptions| encode(options, &[PictureSource::Image(&image)]).unwrap().into_data();
        let bytes = |texel: [f32; 4]| texel.map(f32::to_le_bytes).concat();
        let plain = in_format("rgba32f");
        assert_eq!(data(&plain), bytes(texel));
        let swizzle = Swizzle::parse("bgra").unwrap();
        let [r, g, b, alpha] = texel;
        assert_eq!(data(&TextureOptions { swizzle, ..plain.clone() }), bytes([b, g, r, alpha]));
        assert_eq!(data(&TextureOptions { swizzle, ..in_format("r32f") }), b.to_le_bytes());
        let size = SizeRules { multiple_of_4: true, ..SizeRules::default() };
        assert_eq!(
            data(&TextureOptions { size_rules: size, ..in_format("rg32f") }),
            [r, g].map(f32::to_le_bytes).concat().repeat(16)
        );
        let clamped = TextureOptions { max_value: Some(f16::from_f32(1000.0)), ..plain.clone() };
        assert_eq!(data(&clamped), bytes([r, g, 1000.0, alpha]));
        let premultiplied = TextureOptions { premultiply: true, ..plain.clone() };
        assert_eq!(data(&premultiplied), bytes([r / 2.0, g / 2.0, b / 2.0, alpha]));
        // Other formats get the half floats that they always got.
        let half = TextureOptions { swizzle, ..in_format("rgba16f") };
        let halves = [f16::MAX, f16::from_f32(g), f16::from_f32(r), f16::from_f32(alpha)];
        assert_eq!(data(&half), halves.map(f16::to_le_bytes).concat());
    }

    #[test]
    fn single_floats_of_packed_files_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("height.exr");
        let mut exr = Vec::new();
        write_exr(&mut exr, 1, 1, &[[1e6f32, 1.0 / 3.0, 0.0]], &Task::new()).unwrap();
        fs::write(&path, exr).unwrap();
        let texels = [[7u8, 8, 9]];
        let image = ImageView::new(&texels, 1, 1).unwrap();
        let alpha = ChannelPacking::new().with_channel(PictureChannel::Alpha, PictureChannel::Green);
        let options = TextureOptions { packing: alpha, usage: PictureUse::Data, ..in_format("rgba32f") };
        let sources = [PictureSource::Image(&image), PictureSource::File(&path)];
        let expected = [7.0f32 / 255.0, 8.0 / 255.0, 9.0 / 255.0, 1.0 / 3.0];
        assert_eq!(encode(&options, &sources).unwrap().into_data(), expected.map(f32::to_le_bytes).concat());
    }

    #[test]
    fn given_mip_levels_follow_their_image() {
        let levels = [vec![[1u8, 2, 3, 4]; 16], vec![[5, 6, 7, 8]; 4]];
        let images = [ImageView::new(&levels[0], 4, 4).unwrap(), ImageView::new(&levels[1], 2, 2).unwrap()];
        let sources = images.each_ref().map(|image| PictureSource::Image(image));
        let options = TextureOptions { given_mip_levels: 2, ..in_format("rgba8") };
        assert_eq!(encode(&options, &sources).unwrap().into_data(), levels.concat().concat());
        let swizzled = TextureOptions { swizzle: Swizzle::parse("rrrr").unwrap(), ..options.clone() };
        let texture = encode(&swizzled, &sources).unwrap();
        assert_eq!(texture.image(0, 0, 1).unwrap(), [5; 16]);
        let error = encode(&options, &[sources[0], sources[0]]).unwrap_err().to_string();
        assert!(error.contains("mip level 1 has 2×2 texels, not 4×4"), "{error}");
    }

    #[test]
    fn premultiplied_texels_stay_as_they_are() {
        let texels = [[200u8, 0, 0, 255], [0; 4], [0; 4], [200, 0, 0, 255]];
        let image = ImageView::new(&texels, 2, 2).unwrap();
        let filter = EncodeOptions::default().with(|o| o.mip_filter = Some(MipFilter::Box));
        let linear = TextureOptions {
            color_space: Some(ColorSpace::Linear),
            encode: filter,
            mip_levels: MipLevels::Full,
            ..in_format("rgba8")
        };
        let half = SizeRules { max: Some(1), ..SizeRules::default() };
        for premultiplied in [false, true] {
            let options = TextureOptions { premultiplied, ..linear.clone() };
            let texture = encode(&options, &[PictureSource::Image(&image)]).unwrap();
            let mode = if premultiplied { AlphaMode::Premultiplied } else { AlphaMode::Straight };
            assert_eq!(texture.desc().alpha_mode, mode);
            let red = if premultiplied { 100 } else { 200 };
            assert_eq!(texture.image(0, 0, 1).unwrap()[0], red);
            // A new size is made by the same rule.
            let small = TextureOptions { size_rules: half, ..options.clone() };
            let texture = encode(&small, &[PictureSource::Image(&image)]).unwrap();
            assert_eq!((texture.desc().alpha_mode, texture.image(0, 0, 0).unwrap()[0]), (mode, red));
        }
    }

    #[test]
    fn the_number_of_images_decides_the_shape() {
        let shape = |options: TextureOptions, count: usize| {
            let bc1 = options.format.format().unwrap();
            let desc = options.shape(bc1, [8, 8], count);
            desc.map(|desc| [desc.layers, desc.faces(), desc.depth, desc.mip_levels])
        };
        let base = TextureOptions::default();
        let mips = TextureOptions { mip_levels: MipLevels::Full, ..base.clone() };
        assert_eq!(shape(mips.clone(), 3), Ok([3, 1, 1, 4]));
        assert_eq!(
            shape(TextureOptions { layout: TextureLayout::Faces, ..base.clone() }, 12),
            Ok([2, 6, 1, 1])
        );
        assert!(shape(TextureOptions { layout: TextureLayout::Faces, ..base.clone() }, 11).is_err());
        assert_eq!(shape(TextureOptions { given_mip_levels: 2, ..base.clone() }, 6), Ok([3, 1, 1, 2]));
        // 4, 2, 1 and 1 slices.
        let slices = TextureOptions { layout: TextureLayout::Slices, given_mip_levels: 4, ..base.clone() };
        assert_eq!(shape(slices.clone(), 8), Ok([1, 1, 4, 4]));
        assert!(shape(slices.clone(), 7).is_err() && shape(slices, usize::MAX).is_err());
        let red = ChannelPacking::new().with_channel(PictureChannel::Red, PictureChannel::Green);
        let packed = TextureOptions { packing: red, roughness_from_normals: true, ..base.clone() };
        assert_eq!(shape(packed, 3), Ok([1, 1, 1, 1]));
        let half = SizeRules { max: Some(4), ..SizeRules::default() };
        assert_eq!(shape(TextureOptions { size_rules: half, ..mips }, 1), Ok([1, 1, 1, 3]));
        assert!(shape(base, 0).is_err());
    }

    #[test]
    fn errors_name_the_source() {
        let texels = texels(1);
        let image = ImageView::new(&texels, SIDE, SIDE).unwrap();
        let sources = [PictureSource::Image(&image)];
        let premultiplied = TextureOptions { premultiply: true, usage: PictureUse::Data, ..in_format("bc7") };
        let error = encode(&premultiplied, &sources).unwrap_err().to_string();
        assert_eq!(error, "source: premultiply is for colours, not data");
        let swizzled = TextureOptions { swizzle: Swizzle::parse("bgr1").unwrap(), ..in_format("bc7") };
        let error = encode_within(&swizzled, &sources, 100).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.to_string().starts_with("source: needs 768 bytes"), "{error}");
        let missing = encode(&swizzled, &[PictureSource::File(Path::new("no-folder/a.png"))]).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::Io);
        assert!(missing.to_string().starts_with("no-folder/a.png: "), "{missing}");
    }
}
