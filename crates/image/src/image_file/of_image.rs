//! Pictures of texels in memory.

use super::{ColorSpaceOrigin, ImageReadError, ImageReadOptions, Picture, Texels, halves::Halves};
use crate::{ChannelType, ColorSpace, Image, Task};

/// Number of rows between two checks for cancellation.
const ROWS_AT_A_TIME: u32 = 64;

/// Function that returns a row of an image, in the buffer if the image has texels of another form.
type Row<N> = for<'a> fn(&'a dyn Image, u32, &'a mut [N]) -> &'a [N];

impl Picture {
    /// Returns a copy of an image in memory, whose numbers have this colour space. The options state the
    /// maximum memory of the copy and, by [`single_floats`](ImageReadOptions::single_floats), its
    /// floats; the other options do not matter.
    ///
    /// Integers and half floats keep their type. Single floats become half floats, unless they are to be
    /// kept: finite numbers beyond ±65504 become ±65504; they are counted and noted. One channel is grey, or
    /// for floats RGB of three equal channels. Two channels become RGB with blue 0. Alpha is straight.
    ///
    /// ```
    /// use brickwork_image::image_file::{ImageReadOptions, Picture, Texels};
    /// use brickwork_image::{ColorSpace, ImageView, Task};
    ///
    /// let texels = [[1u8, 2], [3, 4]];
    /// let image = ImageView::new(&texels, 2, 1)?;
    /// let options = ImageReadOptions::default();
    /// let picture = Picture::of_image(&image, ColorSpace::Linear, &options, &Task::new())?;
    /// assert_eq!(picture.texels, Texels::Rgb8(vec![[1, 2, 0], [3, 4, 0]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ImageReadError`] if the copy needs more memory than the options allow or the system has, or the task
    /// is cancelled.
    pub fn of_image(
        image: &dyn Image,
        color_space: ColorSpace,
        options: &ImageReadOptions,
        task: &Task<'_>,
    ) -> Result<Self, ImageReadError> {
        let bytes: Row<[u8; 4]> = |image, y, buffer| image.row_rgba8(y, buffer);
        let words: Row<[u16; 4]> = |image, y, buffer| image.row_rgba16(y, buffer);
        let halves: Row<[half::f16; 4]> = |image, y, buffer| image.row_rgba_f16(y, buffer);
        let singles: Row<[f32; 4]> = |image, y, buffer| image.row_rgba_f32(y, buffer);
        let source = Source { image, max_memory: options.max_memory, task };
        let mut to_half = Halves::default();
        let texel_type = image.texel_type();
        let texels = match (texel_type.channel_type(), texel_type.channel_count()) {
            (ChannelType::U8, 1) => Texels::Grey8(source.copied(bytes, |[grey, ..]| grey)?),
            (ChannelType::U8, 4) => Texels::Rgba8(source.copied(bytes, |texel| texel)?),
            (ChannelType::U8, _) => Texels::Rgb8(source.copied(bytes, rgb)?),
            (ChannelType::U16, 1) => Texels::Grey16(source.copied(words, |[grey, ..]| grey)?),
            (ChannelType::U16, 4) => Texels::Rgba16(source.copied(words, |texel| texel)?),
            (ChannelType::U16, _) => Texels::Rgb16(source.copied(words, rgb)?),
            (ChannelType::F16, 4) => Texels::RgbaF16(source.copied(halves, |texel| texel)?),
            (ChannelType::F16, _) => Texels::RgbF16(source.copied(halves, rgb)?),
            (ChannelType::F32, 4) if options.single_floats => {
                Texels::RgbaF32(source.copied(singles, |texel| texel)?)
            }
            (ChannelType::F32, _) if options.single_floats => Texels::RgbF32(source.copied(singles, rgb)?),
            (ChannelType::F32, 4) => {
                Texels::RgbaF16(source.copied(singles, |texel| texel.map(|value| to_half.half(value)))?)
            }
            (ChannelType::F32, _) => {
                Texels::RgbF16(source.copied(singles, |texel| rgb(texel).map(|value| to_half.half(value)))?)
            }
        };
        let [width, height] = image.size();
        Ok(Self {
            width,
            height,
            is_opaque: texels.is_opaque(),
            texels,
            stored_channel_type: texel_type.channel_type(),
            file_format: None,
            color_space,
            color_space_origin: ColorSpaceOrigin::Stated,
            color_space_reason: "texels in memory".to_owned(),
            is_hdr_signal: false,
            has_alpha: texel_type.has_alpha(),
            is_premultiplied: false,
            is_divided: false,
            part: None,
            notes: to_half.notes(),
            overflow_count: to_half.overflow_count,
        })
    }
}

/// An image to be copied, and the limits of the copy.
struct Source<'a> {
    image: &'a dyn Image,
    max_memory: u64,
    task: &'a Task<'a>,
}

impl Source<'_> {
    /// Returns each texel of the rows, converted.
    fn copied<N: bytemuck::Pod, T>(
        &self,
        row: Row<N>,
        mut convert: impl FnMut(N) -> T,
    ) -> Result<Vec<T>, ImageReadError> {
        let [width, height] = self.image.size();
        let texel_count = u64::from(width) * u64::from(height);
        let needed = texel_count.saturating_mul(size_of::<T>() as u64);
        if needed > self.max_memory {
            return Err(ImageReadError::Limit { needed: Some(needed), limit: self.max_memory });
        }
        let mut texels = Vec::new();
        let no_memory = ImageReadError::OutOfMemory { needed };
        let Ok(texel_count) = usize::try_from(texel_count) else { return Err(no_memory) };
        if texels.try_reserve_exact(texel_count).is_err() {
            return Err(no_memory);
        }
        let mut buffer = vec![N::zeroed(); width as usize];
        for y in 0..height {
            if y % ROWS_AT_A_TIME == 0 {
                self.task.check()?;
            }
            texels.extend(row(self.image, y, &mut buffer).iter().copied().map(&mut convert));
        }
        Ok(texels)
    }
}

fn rgb<C>([red, green, blue, _]: [C; 4]) -> [C; 3] {
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, ImageView, Texel};
    use half::f16;

    fn of<T: Texel>(texels: &[T]) -> Picture {
        let image = ImageView::new(texels, texels.len() as u32, 1).unwrap();
        Picture::of_image(&image, ColorSpace::Srgb, &ImageReadOptions::default(), &Task::new()).unwrap()
    }

    #[test]
    fn numbers_of_every_type_are_kept() {
        assert_eq!(of(&[7u8, 9]).texels, Texels::Grey8(vec![7, 9]));
        assert_eq!(of(&[[7u8, 9]]).texels, Texels::Rgb8(vec![[7, 9, 0]]));
        assert_eq!(of(&[[1u8, 2, 3]]).texels, Texels::Rgb8(vec![[1, 2, 3]]));
        assert_eq!(of(&[[1u8, 2, 3, 4]]).texels, Texels::Rgba8(vec![[1, 2, 3, 4]]));
        assert_eq!(of(&[700u16]).texels, Texels::Grey16(vec![700]));
        assert_eq!(of(&[[700u16, 9]]).texels, Texels::Rgb16(vec![[700, 9, 0]]));
        assert_eq!(of(&[[1u16, 2, 3, 65535]]).texels, Texels::Rgba16(vec![[1, 2, 3, 65535]]));
        let [small, large] = [f16::from_bits(1), f16::NEG_INFINITY];
        assert_eq!(of(&[[small, large, f16::ONE]]).texels, Texels::RgbF16(vec![[small, large, f16::ONE]]));
        assert_eq!(of(&[small]).texels, Texels::RgbF16(vec![[small; 3]]));
        let (picture, half) = (of(&[[0.5f32, 1e6, f32::INFINITY, 0.25]]), f16::from_f32);
        let texel = [half(0.5), f16::MAX, f16::INFINITY, half(0.25)];
        assert_eq!(picture.texels, Texels::RgbaF16(vec![texel]));
        assert_eq!(picture.notes, ["1 number is beyond half floats and became ±65504"]);
        assert_eq!((picture.overflow_count, picture.has_alpha, picture.is_opaque), (1, true, false));
    }

    #[test]
    fn single_floats_are_kept_on_request() {
        let options = ImageReadOptions::default().with(|o| {
            o.single_floats = true;
            o.max_memory = 16;
        });
        let of = |image: &dyn Image| Picture::of_image(image, ColorSpace::Linear, &options, &Task::new());
        let rgba = [[1.0f32 / 3.0, 1e6, f32::INFINITY, 1e-10]];
        let picture = of(&ImageView::new(&rgba, 1, 1).unwrap()).unwrap();
        assert_eq!(picture.texels, Texels::RgbaF32(rgba.to_vec()));
        assert!(picture.notes.is_empty() && picture.overflow_count == 0 && picture.has_alpha);
        let grey = of(&ImageView::new(&[1e6f32], 1, 1).unwrap()).unwrap();
        assert_eq!(grey.texels, Texels::RgbF32(vec![[1e6; 3]]));
        let two = [[1e6f32, 0.1]];
        assert_eq!(
            of(&ImageView::new(&two, 1, 1).unwrap()).unwrap().texels,
            Texels::RgbF32(vec![[1e6, 0.1, 0.0]])
        );
        let error = of(&ImageView::new(&[0.5f32; 2], 2, 1).unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("needs 24 bytes"), "{error}");
    }

    #[test]
    fn other_properties_are_those_of_texels_in_memory() {
        let picture = of(&[[1u8, 2, 3, 255], [0, 0, 0, 255]]);
        assert_eq!((picture.width, picture.height, picture.file_format), (2, 1, None));
        assert_eq!((picture.format_name(), picture.color_space), ("memory", ColorSpace::Srgb));
        assert!(picture.has_alpha && picture.is_opaque && !picture.is_color_space_assumed());
        assert!(!of(&[9u8]).has_alpha);
    }

    #[test]
    fn rows_of_images_with_gaps_are_copied_within_the_limit() {
        let image = ImageView::with_stride(&[1u8, 2, 0, 3, 4], 2, 2, 3).unwrap();
        let copy = |limit| {
            let options = ImageReadOptions::default().with(|o| o.max_memory = limit);
            Picture::of_image(&image, ColorSpace::Linear, &options, &Task::new())
        };
        assert_eq!(copy(4).unwrap().texels, Texels::Grey8(vec![1, 2, 3, 4]));
        let error = copy(3).unwrap_err();
        assert!(
            error.kind() == ErrorKind::Limit && error.to_string().starts_with("needs 4 bytes"),
            "{error}"
        );
    }
}
