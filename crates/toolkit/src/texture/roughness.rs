//! Roughness maps whose mip levels keep the spread of the normals that their texels cover.
//!
//! ```text
//! prepared picture → mip level → next mip level → …     filtered, as without a normal map
//!                        ↓            ↓
//!                    roughened    roughened → blocks
//! ```

use super::{
    OptionsError, PictureFacts, TextureJobError, TextureNote, TextureOptions, TexturePlan,
    picture_files::PictureFiles,
    prepare::{flip, restore_z},
    read_picture,
};
use crate::batch::Input;
use brickwork_base::Task;
use brickwork_image::image_file::{Picture, Texels};
use brickwork_texture::{
    EncodeError, Encoder, Image, ImageError, ImageIndex, SurfaceError, Surfaces, TexelFormat, Texture,
    encode_texture,
    mips::{MipError, MipLevel, MipOptions, MipTexels, next_level, roughened},
};

/// Minimum share of texels that may be normals. Unused parts of a normal map may have any colour.
const NORMALS_SHARE: f64 = 0.8;

/// A prepared roughness map, and the normal map of the same surface.
pub(super) struct RoughnessMap {
    picture: Picture,
    normals: Picture,
    is_roughness: [bool; 4],
    /// Mip level 0, if its texels cover several normals.
    first: Option<MipLevel>,
}

impl RoughnessMap {
    /// Reads a roughness map, whose file is the only one of `inputs`, its packed channels, and a normal map.
    /// Also returns facts about the roughness map, and notes about the reading of the other files. The task
    /// reports the bytes of each.
    ///
    /// # Errors
    /// [`TextureJobError`], which names the input.
    pub fn read(
        inputs: &[Input],
        packed: &[Input],
        normals: &Input,
        options: &TextureOptions,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<(Self, Vec<PictureFacts>, Vec<TextureNote>), TextureJobError> {
        let (files, facts, mut notes) = PictureFiles::read(inputs, packed, options, max_memory, task)?;
        let file = || inputs.first().map_or_else(|| "no input".to_owned(), Input::name);
        let Some(picture) = files.into_only() else {
            let error = OptionsError::RoughnessInputs { given: inputs.len() };
            return Err(TextureJobError::Options { file: file(), error });
        };
        let left = max_memory.saturating_sub(picture.texels.byte_count() as u64);
        let read = options.read_options_of_normals(left);
        let name_of_normals = normals.name();
        let mut normals = read_picture(normals, &read, task)?;
        restore_z(&mut normals, task)?;
        let fault = |note: &String| TextureNote::Fault { input: name_of_normals.clone(), note: note.clone() };
        notes.extend(normals.notes.iter().map(fault));
        notes.extend(note_of_normals(&normals, &name_of_normals, task)?);
        Ok((Self::new(picture, normals, options, &file(), max_memory, task)?, facts, notes))
    }

    /// Returns the map of a prepared picture. `name` is its input's name, for errors.
    ///
    /// # Errors
    /// [`TextureJobError`] if more than `max_memory` bytes are needed, or the task is cancelled.
    pub fn new(
        picture: Picture,
        mut normals: Picture,
        options: &TextureOptions,
        name: &str,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        restore_z(&mut normals, task)?;
        flip(&mut normals, options);
        let is_roughness = options.roughness_channel.mask(&picture.texels);
        let is_finer = normals.width > picture.width || normals.height > picture.height;
        let mut map = Self { picture, normals, is_roughness, first: None };
        if is_finer {
            let needed = map.memory_bytes().saturating_add(map.level_bytes());
            if needed > max_memory {
                return Err(TextureJobError::Memory { input: name.to_owned(), needed, limit: max_memory });
            }
            let first = map.roughened(None, task);
            map.first =
                Some(first.map_err(|error| TextureJobError::Resize { input: name.to_owned(), error })?);
        }
        Ok(map)
    }

    /// Returns mip level 0.
    ///
    /// # Errors
    /// [`ImageError`] for a picture constructed with too few texels.
    pub fn image(&self) -> Result<Box<dyn Image + '_>, ImageError> {
        match &self.first {
            Some(level) => Ok(Box::new(level)),
            None => self.picture.view(),
        }
    }

    /// Returns mip level 0 as a picture.
    pub fn into_picture(self) -> Option<Picture> {
        let mut picture = self.picture;
        if let Some(level) = self.first {
            let MipTexels::Rgba8(texels) = level.into_texels() else { return None };
            picture.texels = Texels::Rgba8(texels);
        }
        Some(picture)
    }

    /// Returns the bytes of both maps and of mip levels that the encoder does not count.
    pub fn memory_bytes(&self) -> u64 {
        let pictures = self.picture.texels.byte_count() as u64 + self.normals.texels.byte_count() as u64;
        let first = if self.first.is_some() { self.level_bytes() } else { 0 };
        // The next mip level is in memory with and without its own roughness.
        pictures.saturating_add(first).saturating_add(self.level_bytes() / 4)
    }

    /// Returns the bytes of mip level 0 in the form that encoders take.
    fn level_bytes(&self) -> u64 {
        4 * u64::from(self.picture.width) * u64::from(self.picture.height)
    }

    /// Returns a mip level, or the picture, with the spread of the normals.
    fn roughened(&self, level: Option<&MipLevel>, task: &Task<'_>) -> Result<MipLevel, MipError> {
        let (normals, task) = (self.normals.view()?, task.without_progress());
        match level {
            Some(level) => roughened(level, &*normals, self.is_roughness, &task),
            None => roughened(&*self.picture.view()?, &*normals, self.is_roughness, &task),
        }
    }

    /// Encodes the map with its mip levels. The CPU makes them for any encoder.
    ///
    /// # Errors
    /// [`EncodeError`] of the encoder or of a mip level.
    pub fn encode(
        &self,
        encoder: &Encoder,
        plan: &TexturePlan,
        task: &Task<'_>,
    ) -> Result<Texture, EncodeError> {
        let options = MipOptions::of_texture(&plan.desc, &plan.options);
        let quiet = task.without_progress();
        // The last mip level that was made, without the spread of the normals.
        let mut above: Option<MipLevel> = None;
        let mut make = move || -> Result<MipLevel, MipError> {
            let level = match &above {
                Some(level) => next_level(level, TexelFormat::Rgba8, options, &quiet)?,
                None => next_level(&*self.picture.view()?, TexelFormat::Rgba8, options, &quiet)?,
            };
            let rough = self.roughened(Some(&level), &quiet)?;
            above = Some(level);
            Ok(rough)
        };
        let load = move |index: ImageIndex| -> Result<Box<dyn Image + '_>, SurfaceError> {
            if index.mip_level == 0 {
                return self.image().map_err(SurfaceError::from);
            }
            let level = make().map_err(|error| SurfaceError::new(error.kind(), error))?;
            Ok(Box::new(level))
        };
        let surfaces = Surfaces::each(load).with_mip_levels(plan.desc.mip_levels);
        encode_texture(encoder, surfaces, &plan.desc, &plan.options, task)
    }
}

/// Returns the note about a picture that does not look like a normal map. Half floats have none.
fn note_of_normals(
    normals: &Picture,
    input: &str,
    task: &Task<'_>,
) -> Result<Option<TextureNote>, TextureJobError> {
    let task = &task.without_progress();
    let note = |share| TextureNote::NotNormals { input: input.to_owned(), share };
    if normals.is_grey(task)? {
        return Ok(Some(note(None)));
    }
    let share = normals.facing_share(task)?.filter(|share| *share < NORMALS_SHARE);
    Ok(share.map(|share| note(Some(share))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        device::{DeviceChoice, Devices},
        texture::{EncodedTexture, MipLevels, PictureChannel, PictureSize, SizeRules, encode_pictures},
    };
    use brickwork_image::image_file::{ImageReadOptions, PictureUse, Texels};
    use brickwork_texture::{DecodeOptions, MipFilter, mips::MipTexels, pictures::read};
    use std::io::Cursor;

    const LIMIT: u64 = 1 << 28;

    /// Returns a picture of `side`² texels.
    fn picture(side: u32, texel: impl Fn(u32, u32) -> [u8; 3]) -> Picture {
        let mut file = format!("P6 {side} {side} 255\n").into_bytes();
        file.extend((0..side * side).flat_map(|i| texel(i % side, i / side)));
        read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
    }

    fn rough(side: u32) -> Picture {
        picture(side, |x, y| [10 + x as u8, 60 + y as u8, 200])
    }

    fn bumps(side: u32) -> Picture {
        picture(side, |x, y| [100 + (x * 37 % 60) as u8, 100 + (y * 23 % 60) as u8, 230])
    }

    fn options() -> TextureOptions {
        TextureOptions {
            format: "bc7".parse().unwrap(),
            usage: PictureUse::Data,
            roughness_channel: PictureChannel::Green,
            roughness_from_normals: true,
            mip_levels: MipLevels::Full,
            ..TextureOptions::default()
        }
    }

    fn encoded(pictures: &[Picture], options: &TextureOptions) -> Result<EncodedTexture, TextureJobError> {
        let devices = Devices::open(DeviceChoice::Cpu).unwrap();
        encode_pictures(options, pictures, &["a.png".to_owned()], &devices, LIMIT, &Task::new())
    }

    fn level(encoded: &EncodedTexture, mip_level: u32) -> Vec<[u8; 4]> {
        let index = ImageIndex { mip_level, ..ImageIndex::default() };
        let image = encoded.texture.decode(index, &DecodeOptions::default(), &Task::new()).unwrap();
        image.into_texels().into_rgba8().unwrap()
    }

    #[test]
    fn levels_are_those_of_the_picture_with_a_higher_roughness() {
        let [rough, bumps] = [rough(16), bumps(16)];
        let with_normals = encoded(&[rough.clone(), bumps.clone()], &options()).unwrap();
        let plain = encoded(
            std::slice::from_ref(&rough),
            &TextureOptions { roughness_from_normals: false, ..options() },
        )
        .unwrap();
        assert_eq!(with_normals.plan.desc, plain.plan.desc);
        assert_eq!(level(&with_normals, 0), level(&plain, 0));
        let mips = MipOptions::of_texture(&plain.plan.desc, &plain.plan.options);
        assert_eq!(mips.filter, MipFilter::Kaiser);
        let mut above: Option<MipLevel> = None;
        for mip_level in 1..5 {
            let next = match &above {
                None => next_level(&*rough.view().unwrap(), TexelFormat::Rgba8, mips, &Task::new()),
                Some(level) => next_level(level, TexelFormat::Rgba8, mips, &Task::new()),
            };
            let next = next.unwrap();
            let green = [false, true, false, false];
            let expected = roughened(&next, &*bumps.view().unwrap(), green, &Task::new()).unwrap();
            let MipTexels::Rgba8(expected) = expected.texels() else { panic!("8 bits") };
            let [found, without] = [&with_normals, &plain].map(|encoded| level(encoded, mip_level));
            for ((expected, found), without) in expected.iter().zip(found).zip(without) {
                assert!(
                    expected.iter().zip(found).all(|(a, b)| a.abs_diff(b) <= 12),
                    "{expected:?} {found:?}"
                );
                assert!(found[1] > without[1] + 20 && found[0].abs_diff(without[0]) <= 12);
            }
            above = Some(next);
        }
    }

    #[test]
    fn a_finer_normal_map_changes_mip_level_0() {
        let first = |side: u32, options: &TextureOptions| {
            let encoded = encoded(&[rough(16), bumps(side)], options).unwrap();
            // The error is that of the changed picture.
            assert!(encoded.measured.metrics.unwrap().psnr_rgb() > 35.0);
            level(&encoded, 0)[0][1]
        };
        assert!(first(16, &options()) < 70 && first(8, &options()) < 70 && first(32, &options()) > 80);
        let half = SizeRules { size: Some(PictureSize::Percent(50.0)), ..SizeRules::default() };
        assert!(first(16, &TextureOptions { size_rules: half, ..options() }) > 80);
    }

    #[test]
    fn grey_pictures_have_one_roughness() {
        let grey = |texels: &Texels| PictureChannel::Green.mask(texels);
        assert_eq!(grey(&Texels::Grey8(vec![1])), [true, true, true, false]);
        assert_eq!(grey(&Texels::Rgb8(vec![[1, 2, 3]])), [false, true, false, false]);
        assert_eq!(PictureChannel::Alpha.mask(&Texels::Grey8(vec![1])), [false, false, false, true]);
    }

    #[test]
    fn inputs_and_options_that_do_not_fit_are_refused() {
        let reason = |options: TextureOptions| options.check().unwrap_err().to_string();
        let few = reason(TextureOptions { mip_levels: MipLevels::AtMost(1), ..options() });
        assert_eq!(few, "roughness-from needs mip levels");
        assert_eq!(
            reason(TextureOptions { usage: PictureUse::Color, ..options() }),
            "roughness-from is for data, not colours"
        );
        let hdr = reason(TextureOptions { format: "bc6h".parse().unwrap(), ..options() });
        assert!(hdr.starts_with("roughness-from is for bc1, "), "{hdr}");
        for (name, is_fine) in [("rgba8", true), ("r8", true), ("rgba16", false), ("rgba16f", false)] {
            let plain = TextureOptions { format: name.parse().unwrap(), ..options() };
            assert_eq!(plain.check().is_ok(), is_fine, "{name}");
        }
        let red = TextureOptions { format: "bc4".parse().unwrap(), ..options() };
        let error = encoded(&[rough(8), bumps(8)], &red).unwrap_err().to_string();
        assert_eq!(error, "a.png: the roughness is in channel g, which bc4 does not store");
        for pictures in [&[rough(8)][..], &[rough(8), rough(8), bumps(8)]] {
            let error = encoded(pictures, &options()).unwrap_err().to_string();
            assert!(error.starts_with("a.png: a roughness map is one image"), "{error}");
        }
    }
}
