//! Channel packing: channels of a picture that come from other pictures.
//!
//! ```text
//! picture as read → texels of the widest type → channels of the other pictures → swizzle, preparation
//! ```

use super::{
    ChannelPacking, ChannelScale, OptionsError, PackingError, PictureChannel, TextureJobError, TextureNote,
    TextureOptions,
};
use brickwork_base::{Cancelled, Task};
use brickwork_image::{
    Channel,
    image_file::{Picture, PictureUse, Texels},
};
use brickwork_texture::{ColorSpace, Swizzle, Texel as _, TextureFormat};

/// Returns options with packed channels. With colours among them, the pictures are data unless the options
/// state another use or sRGB.
pub(super) fn packed_options(options: TextureOptions, packing: ChannelPacking) -> TextureOptions {
    let options = TextureOptions { packing, ..options };
    let is_open = options.usage == PictureUse::Unknown
        && options.stated_color_space() != Some(ColorSpace::Srgb)
        && !options.has_transfer();
    if is_open && packing.packs_colors() {
        return TextureOptions { usage: PictureUse::Data, color_space: Some(ColorSpace::Linear), ..options };
    }
    options
}

/// Checks that the format stores every channel that is packed, unless a swizzle moves channels.
///
/// # Errors
/// [`PackingError::Format`].
pub(super) fn check_format(options: &TextureOptions, format: TextureFormat) -> Result<(), OptionsError> {
    let is_stored = |channel: PictureChannel| format.channels().contains(channel.letter());
    let mut channels = options.packing.channels().map(|(channel, _)| channel);
    match channels.find(|&channel| !is_stored(channel)) {
        Some(channel) if options.swizzle == Swizzle::IDENTITY => {
            Err(PackingError::Format { channel, format }.into())
        }
        _ => Ok(()),
    }
}

/// Returns a picture with channels of other pictures, and notes about these. `name` is the picture's name.
/// `next` returns the other pictures in their order and their names; its argument is the memory that is left,
/// in bytes.
///
/// Numbers are moved unchanged, unless the packing changes them. If the pictures have different types, the
/// result has the widest one, of 8 bits, 16 bits, half floats and single floats. Integers are divided by
/// their largest value if they become floats.
///
/// # Errors
/// [`TextureJobError`] if a picture has another size or more than `max_memory` bytes are needed, the task is
/// cancelled, or `next` fails.
pub(super) fn packed(
    mut picture: Picture,
    name: &str,
    packing: ChannelPacking,
    max_memory: u64,
    mut next: impl FnMut(u64) -> Result<(Picture, String), TextureJobError>,
    task: &Task<'_>,
) -> Result<(Picture, Vec<TextureNote>), TextureJobError> {
    let mut notes = Vec::new();
    for (channel, source) in packing.channels() {
        let left = max_memory.saturating_sub(picture.texels.byte_count() as u64);
        let (other, file) = next(left)?;
        let ([width, height], base_size) = ([other.width, other.height], [picture.width, picture.height]);
        if [width, height] != base_size {
            let error = PackingError::Size { width, height, base: name.to_owned(), base_size };
            return Err(TextureJobError::Options { file, error: error.into() });
        }
        let needed = work_bytes(&picture.texels, &other.texels);
        if needed > max_memory {
            return Err(TextureJobError::Memory { input: file, needed, limit: max_memory });
        }
        task.check()?;
        let mut note = |note: String| notes.push(TextureNote::Fault { input: file.clone(), note });
        other.notes.iter().cloned().for_each(&mut note);
        if source == PictureChannel::Alpha && !other.has_alpha {
            note(format!("has no alpha, which becomes channel {}; it is 1", channel.name()));
        }
        let depths = [depth_of(&picture.texels), depth_of(&other.texels)];
        if depths.contains(&Depth::Words) && depths.contains(&Depth::Halves) {
            note("16-bit channels and half floats are packed together; the former are rounded".to_owned());
        }
        let keeps_alpha = channel == PictureChannel::Alpha || picture.texels.texel_type().has_alpha();
        picture.texels = with_channel(
            &picture.texels,
            &other.texels,
            ([channel.index(), source.index()], packing.change(channel)),
            keeps_alpha,
            task,
        )?;
        picture.overflow_count = picture.overflow_count.saturating_add(other.overflow_count);
        picture.has_alpha |= channel == PictureChannel::Alpha;
    }
    picture.is_opaque = picture.texels.is_opaque();
    Ok((picture, notes))
}

/// Type of the channels of texels, from the narrowest to the widest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    Bytes,
    Words,
    Halves,
    Singles,
}

fn depth_of(texels: &Texels) -> Depth {
    match texels {
        Texels::Grey8(_) | Texels::Rgb8(_) | Texels::Rgba8(_) => Depth::Bytes,
        Texels::Grey16(_) | Texels::Rgb16(_) | Texels::Rgba16(_) => Depth::Words,
        Texels::RgbF32(_) | Texels::RgbaF32(_) => Depth::Singles,
        _ => Depth::Halves,
    }
}

/// Returns the bytes of both pictures, and of the same texels with four channels of the wider type.
fn work_bytes(a: &Texels, b: &Texels) -> u64 {
    let channel_bytes = [a, b].map(|texels| texels.texel_type().channel_type().bytes()).into_iter().max();
    let wide = 2 * 4 * u64::from(channel_bytes.unwrap_or(1)) * a.texel_count() as u64;
    wide.saturating_add(a.byte_count() as u64).saturating_add(b.byte_count() as u64)
}

/// Converts texels of each type by a method of [`Texel`](brickwork_texture::Texel).
macro_rules! converted {
    ($texels:expr, $task:expr, $method:ident) => {
        match $texels {
            Texels::Grey8(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::Rgb8(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::Rgba8(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::Grey16(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::Rgb16(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::Rgba16(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::RgbF16(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::RgbaF16(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::RgbF32(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            Texels::RgbaF32(texels) => $task.map_in_pieces(texels, |texel| texel.$method()),
            // There are no other texels yet.
            _ => Ok(Vec::new()),
        }
    };
}

/// Returns texels with one changed channel of others: `[to, from]` are the indices of the channels.
fn with_channel(
    texels: &Texels,
    others: &Texels,
    channels: ([usize; 2], ChannelScale),
    keeps_alpha: bool,
    task: &Task<'_>,
) -> Result<Texels, Cancelled> {
    match depth_of(texels).max(depth_of(others)) {
        Depth::Bytes => {
            let both = [converted!(texels, task, to_rgba8)?, converted!(others, task, to_rgba8)?];
            replaced(both, channels, keeps_alpha, task, Texels::Rgb8, Texels::Rgba8)
        }
        Depth::Words => {
            let both = [converted!(texels, task, to_rgba16)?, converted!(others, task, to_rgba16)?];
            replaced(both, channels, keeps_alpha, task, Texels::Rgb16, Texels::Rgba16)
        }
        Depth::Halves => {
            let both = [converted!(texels, task, to_rgba_f16)?, converted!(others, task, to_rgba_f16)?];
            replaced(both, channels, keeps_alpha, task, Texels::RgbF16, Texels::RgbaF16)
        }
        Depth::Singles => {
            let both = [converted!(texels, task, to_rgba_f32)?, converted!(others, task, to_rgba_f32)?];
            replaced(both, channels, keeps_alpha, task, Texels::RgbF32, Texels::RgbaF32)
        }
    }
}

/// Returns the first texels with a channel of the second ones.
fn replaced<C: Channel>(
    [mut texels, others]: [Vec<[C; 4]>; 2],
    ([to, from], change): ([usize; 2], ChannelScale),
    keeps_alpha: bool,
    task: &Task<'_>,
    rgb: fn(Vec<[C; 3]>) -> Texels,
    rgba: fn(Vec<[C; 4]>) -> Texels,
) -> Result<Texels, Cancelled> {
    let mut sources = others.iter();
    task.in_pieces(&mut texels, |texels| {
        texels.iter_mut().zip(&mut sources).for_each(|(texel, other)| {
            texel[to] = change.applied(other[from]);
        });
    })?;
    // Texels without alpha are a copy.
    drop(others);
    if keeps_alpha {
        return Ok(rgba(texels));
    }
    Ok(rgb(task.map_in_pieces(&texels, |&[red, green, blue, _]| [red, green, blue])?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::{ChannelFiles, values::channel_file};
    use brickwork_image::image_file::ImageReadOptions;
    use brickwork_texture::{half::f16, pictures::read};
    use std::io::Cursor;

    const LIMIT: u64 = 1 << 20;

    /// Returns a picture of one texel.
    fn picture(texels: Texels) -> Picture {
        let file = Cursor::new(b"P6 1 1 255\n123".to_vec());
        let mut picture = read(file, None, &ImageReadOptions::default(), &Task::new()).unwrap();
        picture.is_opaque = texels.is_opaque();
        picture.has_alpha = texels.texel_type().has_alpha();
        picture.texels = texels;
        picture
    }

    fn files(list: &[&str]) -> Result<ChannelFiles, String> {
        ChannelFiles::new(list.iter().map(|text| channel_file(text).unwrap()).collect())
    }

    /// Packs channels of pictures of one texel, which are stated like files.
    fn pack(base: Texels, list: &[(&str, Texels)]) -> (Picture, Vec<String>) {
        let names: Vec<_> = list.iter().map(|(text, _)| *text).collect();
        let packing = files(&names).unwrap().packing();
        let mut others = list.iter().map(|(text, texels)| (picture(texels.clone()), (*text).to_owned()));
        let next = |_| Ok(others.next().unwrap());
        let (picture, notes) = packed(picture(base), "base", packing, LIMIT, next, &Task::new()).unwrap();
        assert_eq!(picture.is_opaque, picture.texels.is_opaque());
        (picture, notes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn channels_come_from_their_pictures() {
        let [rough, metal] = [Texels::Grey8(vec![70]), Texels::Rgb8(vec![[1, 2, 3]])];
        let (packed, notes) =
            pack(Texels::Grey8(vec![9]), &[("g=rough", rough.clone()), ("b=metal:g", metal.clone())]);
        assert_eq!(packed.texels, Texels::Rgb8(vec![[9, 70, 2]]));
        assert!(!packed.has_alpha && notes.is_empty());
        let (packed, _) = pack(Texels::Rgb8(vec![[4, 5, 6]]), &[("a=metal:b", metal)]);
        assert_eq!(packed.texels, Texels::Rgba8(vec![[4, 5, 6, 3]]));
        assert!(packed.has_alpha && !packed.is_opaque);
        let (packed, _) = pack(Texels::Rgba8(vec![[4, 5, 6, 7]]), &[("r=rough:b", rough)]);
        assert_eq!(packed.texels, Texels::Rgba8(vec![[70, 5, 6, 7]]));
        let (packed, notes) = pack(Texels::Grey8(vec![9]), &[("a=b:a", Texels::Rgb8(vec![[1, 2, 3]]))]);
        assert_eq!(packed.texels, Texels::Rgba8(vec![[9, 9, 9, 255]]));
        assert_eq!(notes, ["a=b:a: has no alpha, which becomes channel a; it is 1"]);
    }

    #[test]
    fn numbers_of_other_pictures_are_changed() {
        let gloss = Texels::Grey8(vec![70]);
        let (packed, _) = pack(Texels::Rgb8(vec![[1, 2, 3]]), &[("g=gloss:1-r", gloss)]);
        assert_eq!(packed.texels, Texels::Rgb8(vec![[1, 185, 3]]));
        let (packed, _) =
            pack(Texels::Grey16(vec![9]), &[("a=m:b*0.5+0.5", Texels::Rgb8(vec![[0, 0, 255]]))]);
        assert_eq!(packed.texels, Texels::Rgba16(vec![[9, 9, 9, 65_535]]));
    }

    #[test]
    fn the_widest_type_keeps_all_numbers() {
        let (packed, _) = pack(Texels::Rgb8(vec![[1, 2, 3]]), &[("g=b", Texels::Grey16(vec![40_000]))]);
        assert_eq!(packed.texels, Texels::Rgb16(vec![[257, 40_000, 771]]));
        let (packed, _) = pack(Texels::Grey16(vec![500]), &[("a=b", Texels::Grey8(vec![254]))]);
        assert_eq!(packed.texels, Texels::Rgba16(vec![[500, 500, 500, 65_278]]));
        let half = f16::from_f32(7.5);
        let (packed, notes) = pack(Texels::RgbF16(vec![[half; 3]]), &[("b=b", Texels::Grey8(vec![255]))]);
        assert_eq!(packed.texels, Texels::RgbF16(vec![[half, half, f16::ONE]]));
        assert!(notes.is_empty());
        let (packed, notes) = pack(Texels::Grey16(vec![65_535]), &[("r=b", Texels::RgbF16(vec![[half; 3]]))]);
        assert_eq!(packed.texels, Texels::RgbF16(vec![[half, f16::ONE, f16::ONE]]));
        assert!(notes[0].contains("the former are rounded"), "{notes:?}");
        let (packed, notes) =
            pack(Texels::Grey16(vec![13_107]), &[("r=b", Texels::RgbF32(vec![[1e9, 0.1, 2.0]]))]);
        assert_eq!(packed.texels, Texels::RgbF32(vec![[1e9, 0.2, 0.2]]));
        assert!(notes.is_empty(), "{notes:?}");
        let (packed, _) = pack(Texels::RgbaF32(vec![[0.1; 4]]), &[("a=b", Texels::RgbF16(vec![[half; 3]]))]);
        assert_eq!(packed.texels, Texels::RgbaF32(vec![[0.1, 0.1, 0.1, 7.5]]));
    }

    #[test]
    fn files_are_in_the_order_of_the_channels() {
        let files_of = |list: &[&str]| files(list).unwrap();
        let packed = files_of(&["a=c.png", "g=C:\\b.png:b"]);
        assert_eq!(packed.paths(), ["C:\\b.png", "c.png"]);
        let channels: Vec<_> = packed.packing().channels().map(|(a, b)| (a.name(), b.name())).collect();
        assert_eq!(channels, [("g", "b"), ("a", "r")]);
        assert_eq!(files(&["g=a", "b=c", "g=d"]).unwrap_err(), "channel g is stated twice");
        for wrong in ["a.png", "x=a.png", "g=", "=a.png", "g=:r"] {
            assert!(channel_file(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_and_memory_are_checked() {
        let run = |limit, height| {
            let packing = files(&["g=b"]).unwrap().packing();
            let mut other = picture(Texels::Grey8(vec![1]));
            other.height = height;
            let next = |_| Ok((other.clone(), "b.png".to_owned()));
            let base = picture(Texels::Rgb8(vec![[1, 2, 3]]));
            packed(base, "a.png", packing, limit, next, &Task::new()).map(drop)
        };
        assert!(run(12, 1).is_ok());
        let error = run(11, 1).unwrap_err();
        assert!(matches!(error, TextureJobError::Memory { needed: 12, .. }), "{error:?}");
        let error = run(12, 2).unwrap_err().to_string();
        assert_eq!(error, "b.png: has 1×2 texels, but a.png has 1×1");
    }

    #[test]
    fn packed_colours_are_data_unless_their_use_is_stated() {
        let usage = |options: TextureOptions, list: &[&str]| {
            packed_options(options, files(list).unwrap().packing()).usage
        };
        let srgb = TextureOptions { color_space: Some(ColorSpace::Srgb), ..TextureOptions::default() };
        assert_eq!(usage(TextureOptions::default(), &["g=b"]), PictureUse::Data);
        assert_eq!(usage(TextureOptions::default(), &["a=b"]), PictureUse::Unknown);
        assert_eq!(usage(srgb, &["g=b"]), PictureUse::Unknown);
        let color = TextureOptions { usage: PictureUse::Color, ..TextureOptions::default() };
        assert_eq!(usage(color, &["g=b"]), PictureUse::Color);
    }
}
