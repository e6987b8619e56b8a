//! Sizes of a sample of blocks after rate–distortion optimisation, which predict those of a texture.
//!
//! The sample consists of bands of whole rows of blocks, at equal distances in mip level 0 of all images. It
//! is encoded once, and optimised for each λ.

use super::{
    MeasureError, TextureJobError, TextureOptions, TexturePlan,
    pictures::Pictures,
    rdo_steps::{STEPS, lambda_of, size_of},
};
use brickwork_base::Task;
use brickwork_image::image_file::Texels;
use brickwork_texture::{
    Encoder, Image, RdoLambda, Texture, TextureDesc, TextureKind, encode_texture, optimize_texture,
};
use std::collections::BTreeMap;

/// Minimum number of blocks of a texture of which a sample is used. Smaller textures are encoded whole for
/// each λ.
pub(super) const MIN_BLOCKS: u64 = 4096;

/// Number of blocks of a sample: a share of all, but at least the smaller of another share and a number.
/// Blocks refer to others in strips of 8192.
const SHARE: u64 = 32;
const LARGEST_SHARE: u64 = 4;
const SAMPLE_BLOCKS: u64 = 8192;

/// Minimum number of bands.
const BANDS: u64 = 4;

/// Maximum number of λ that are tried for one prediction.
const PROBES: u32 = 7;

/// Share of a ratio within which a prediction is close enough.
const NEAR: f64 = 0.02;

/// Sizes of a sample.
pub(super) struct Sample<'a> {
    plan: &'a TexturePlan,
    options: &'a TextureOptions,
    texels: Texels,
    base: Texture,
    /// Sizes by steps of λ.
    sizes: BTreeMap<u32, u64>,
    name: &'a str,
}

impl<'a> Sample<'a> {
    /// Returns the sample of a texture; `None` for one of less than `min_blocks`. All blocks of a texture of
    /// less than [`MIN_BLOCKS`] are its sample. `name` is that of the first input.
    ///
    /// # Errors
    /// [`TextureJobError`].
    pub fn of(
        plan: &'a TexturePlan,
        options: &'a TextureOptions,
        pictures: &Pictures<'_>,
        name: &'a str,
        min_blocks: u64,
        task: &Task<'_>,
    ) -> Result<Option<Self>, TextureJobError> {
        let desc = &plan.desc;
        let [columns, rows] = [desc.width, desc.height].map(|side| u64::from(side.div_ceil(4)));
        let images = u64::from(desc.layers) * u64::from(desc.faces()) * u64::from(desc.depth);
        let total = columns.saturating_mul(rows).saturating_mul(images);
        if total < min_blocks {
            return Ok(None);
        }
        let blocks = match total {
            ..MIN_BLOCKS => total,
            _ => (total / SHARE).max(SAMPLE_BLOCKS.min(total / LARGEST_SHARE)),
        };
        let wanted = blocks.div_ceil(columns);
        let bands = BANDS.max(blocks / SAMPLE_BLOCKS).min(wanted);
        let band_rows = (wanted / bands).min(rows);
        let mut texels = None;
        let task = &task.without_progress();
        for band in 0..bands {
            let start = band * (rows * images) / bands;
            let index = match desc.kind {
                TextureKind::D3 => start / rows,
                _ => start / rows * u64::from(options.given_levels().max(1)),
            };
            let first = (start % rows).min(rows - band_rows);
            let image = pictures.image(index as usize, task)?;
            let texels = texels.get_or_insert_with(|| match image.has_alpha() {
                true => Texels::Rgba8(Vec::new()),
                false => Texels::Rgb8(Vec::new()),
            });
            add_rows(texels, &*image, 4 * first as u32..4 * (first + band_rows) as u32);
        }
        let texels = texels.unwrap_or(Texels::Rgb8(Vec::new()));
        let sample_desc = TextureDesc::new_2d(desc.format, desc.width, (4 * bands * band_rows) as u32)
            .with_color_space(desc.color_space)
            .with_alpha_mode(desc.alpha_mode);
        let encode = plan.options.with(|o| o.rdo = RdoLambda::OFF);
        let view = view_of(&texels, &sample_desc, name)?;
        let base = encode_texture(&Encoder::default(), &*view, &sample_desc, &encode, task);
        let base = base.map_err(|error| TextureJobError::Encode { input: name.to_owned(), error })?;
        drop(view);
        Ok(Some(Self { plan, options, texels, base, sizes: BTreeMap::new(), name }))
    }

    /// Returns the size at a step of λ, relative to that without optimisation.
    ///
    /// # Errors
    /// [`TextureJobError`].
    pub fn ratio(&mut self, step: u32, task: &Task<'_>) -> Result<f64, TextureJobError> {
        let without = self.bytes(0, task)?;
        Ok(self.bytes(step, task)? as f64 / without as f64)
    }

    fn bytes(&mut self, step: u32, task: &Task<'_>) -> Result<u64, TextureJobError> {
        if let Some(&bytes) = self.sizes.get(&step) {
            return Ok(bytes);
        }
        let task = &task.without_progress();
        let options = self.plan.options.with(|o| o.rdo = lambda_of(step));
        let view = view_of(&self.texels, self.base.desc(), self.name)?;
        let texture = optimize_texture(&Encoder::default(), &*view, &self.base, &options, task);
        let texture =
            texture.map_err(|error| TextureJobError::Encode { input: self.name.to_owned(), error })?;
        let sized = size_of(&texture, self.options, task);
        let (bytes, _) =
            sized.map_err(|error| TextureJobError::Write { output: self.name.to_owned(), error })?;
        self.sizes.insert(step, bytes);
        Ok(bytes)
    }

    /// Returns a step after `low`, up to `high`, at which the ratio is about `ratio` and at most that, unless
    /// it is larger at all of them.
    ///
    /// # Errors
    /// [`TextureJobError`].
    pub fn step_of(
        &mut self,
        ratio: f64,
        (mut low, mut high): (u32, u32),
        task: &Task<'_>,
    ) -> Result<u32, TextureJobError> {
        let without = self.bytes(0, task)? as f64;
        // Steps that were tried before cost nothing.
        for (&step, &bytes) in self.sizes.range(low + 1..high) {
            if bytes as f64 / without > ratio {
                low = step;
            } else {
                high = step;
                break;
            }
        }
        let mut probes = 0;
        // Most targets need a small λ.
        for step in [STEPS / 4, STEPS / 2] {
            if !(low + 1..high).contains(&step) {
                continue;
            }
            probes += 1;
            if self.ratio(step, task)? <= ratio {
                high = step;
                break;
            }
            low = step;
        }
        let (mut above, mut below) = (self.ratio(low, task)?, self.ratio(high, task)?);
        // The number of times in a row that the same end moved: the size may fall in a short range of steps.
        let mut streak = [0; 2];
        while high - low > 1 && probes < PROBES && below <= ratio * (1.0 - NEAR) && above > ratio {
            probes += 1;
            let share =
                if streak.iter().any(|&count| count > 1) { 0.5 } else { (above - ratio) / (above - below) };
            let step = low + ((f64::from(high - low) * share).ceil() as u32).clamp(1, high - low - 1);
            match self.ratio(step, task)? {
                found if found <= ratio => (high, below, streak) = (step, found, [0, streak[1] + 1]),
                found => (low, above, streak) = (step, found, [streak[0] + 1, 0]),
            }
        }
        Ok(high)
    }
}

/// Adds rows of an image; those past the edge repeat the last one, as blocks do.
fn add_rows(texels: &mut Texels, image: &dyn Image, rows: std::ops::Range<u32>) {
    let [width, height] = image.size();
    let mut buffer = vec![[0; 4]; width as usize];
    for y in rows {
        let row = image.row_rgba8(y.min(height - 1), &mut buffer);
        match texels {
            Texels::Rgba8(texels) => texels.extend_from_slice(row),
            Texels::Rgb8(texels) => {
                texels.extend(row.iter().map(|&[red, green, blue, _]| [red, green, blue]))
            }
            _ => {}
        }
    }
}

fn view_of<'a>(
    texels: &'a Texels,
    desc: &TextureDesc,
    name: &str,
) -> Result<Box<dyn Image + 'a>, TextureJobError> {
    let view = texels.view(desc.width, desc.height);
    view.map_err(|error| TextureJobError::Measure {
        input: name.to_owned(),
        error: MeasureError::Image(error),
    })
}
