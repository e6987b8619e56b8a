//! Times of encodings, and hashes of their blocks.

use super::{BenchError, hash::sha256};
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeError, EncodeOptions, Encoder, ImageView, Task,
    gpu::{AdapterInfo, Context, GpuEncoder, KernelTime},
};
use std::time::{Duration, Instant};

/// Width and height of the papers' image.
pub(crate) const SIDE: u32 = 512;
/// Width and height of a smaller image for [`Work::Heavy`].
const SMALL_SIDE: u32 = 64;
/// Time after which no further run is started.
const LONG: Duration = Duration::from_secs(2);

/// Amount of computation of a table's encodings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Any adapter does it within seconds.
    Light,
    /// A software adapter takes minutes. Without a hardware GPU, a smaller image is measured.
    Heavy,
}

/// The measurements and their subjects.
#[derive(Debug)]
pub struct Bench<'a> {
    gpu: Option<&'a GpuEncoder>,
    texels: Vec<[u8; 4]>,
    repeat: usize,
}

/// Times of one encoding.
pub(crate) struct Measured {
    side: u32,
    whole: Duration,
    /// SHA-256 of the blocks.
    sha256: String,
    /// Medians of the kernels' times.
    kernels: Option<Vec<KernelTime>>,
}

impl Measured {
    /// Returns the seconds of the kernels whose name is selected.
    pub fn kernels(&self, is_wanted: impl Fn(&str) -> bool) -> Option<f64> {
        let kernels = self.kernels.as_ref()?.iter();
        Some(kernels.filter(|kernel| is_wanted(&kernel.name)).map(|kernel| kernel.time.as_secs_f64()).sum())
    }

    /// Returns the seconds from texels in memory to blocks in memory.
    pub fn whole(&self) -> f64 {
        self.whole.as_secs_f64()
    }

    /// SHA-256 of the blocks.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Returns the factor for times.
    pub fn scale(&self) -> f64 {
        f64::from(SIDE * SIDE / (self.side * self.side))
    }

    /// Returns the size that was measured, if it is not the table's.
    pub fn scaled_from(&self) -> Option<[u32; 2]> {
        (self.side != SIDE).then_some([self.side; 2])
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

impl<'a> Bench<'a> {
    /// Measures the CPU, and a GPU where there is one.
    pub fn new(gpu: Option<&'a GpuEncoder>, repeat: usize) -> Self {
        Self { gpu, texels: picture(), repeat }
    }

    /// Returns the GPU.
    pub fn info(&self) -> Option<&AdapterInfo> {
        self.context().and_then(Context::info)
    }

    /// Returns the GPU's device.
    pub fn context(&self) -> Option<&Context> {
        self.gpu.map(GpuEncoder::context)
    }

    /// Threads and instruction set of the CPU's encoder.
    pub fn cpu(&self) -> (usize, String) {
        (rayon::current_num_threads(), CpuEncoder::new().simd_level().name().to_owned())
    }

    /// Times of the GPU's encoder; nothing where there is none.
    pub(crate) fn gpu(&self, options: &EncodeOptions, work: Work) -> Result<Option<Measured>, BenchError> {
        Ok(self.gpu.map(|gpu| self.times_of(gpu, options, work)).transpose()?)
    }

    /// Times of an encoder for the GPU; nothing where there is no GPU, or no such encoder for it.
    pub(crate) fn gpu_by(
        &self,
        encoder: impl Fn(&Context) -> Option<GpuEncoder>,
        options: &EncodeOptions,
        work: Work,
    ) -> Result<Option<Measured>, BenchError> {
        let gpu = self.context().and_then(encoder);
        Ok(gpu.map(|gpu| self.times_of(&gpu, options, work)).transpose()?)
    }

    fn times_of(
        &self,
        gpu: &GpuEncoder,
        options: &EncodeOptions,
        work: Work,
    ) -> Result<Measured, EncodeError> {
        let mut kernels: Vec<Vec<KernelTime>> = Vec::new();
        let side = self.side(work);
        let (whole, sha256) = self.times(&gpu.clone().into(), options, side)?;
        let image = self.image(side);
        let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(side, side) as usize];
        let start = Instant::now();
        while kernels.len() < self.repeat && (kernels.is_empty() || start.elapsed() < LONG) {
            match gpu.time_kernels(&image, BlockFormat::Bc1, options, &mut blocks)? {
                None => break,
                Some(times) => kernels.push(times),
            }
        }
        let of_kernel = |place: usize| {
            let mut times: Vec<_> = kernels.iter().map(|run| run[place].time).collect();
            KernelTime { name: kernels[0][place].name.clone(), time: median(&mut times) }
        };
        let kernels = kernels.first().map(|first| (0..first.len()).map(of_kernel).collect());
        Ok(Measured { side, whole, sha256, kernels })
    }

    /// Times of the CPU's encoder.
    pub(crate) fn cpu_time(&self, options: &EncodeOptions, work: Work) -> Result<Measured, BenchError> {
        let side = self.side(work);
        let (whole, sha256) = self.times(&Encoder::default(), options, side)?;
        Ok(Measured { side, whole, sha256, kernels: None })
    }

    /// Returns the median of several encodings, after an uncounted one of a small image that compiles the
    /// kernels, and the SHA-256 of the blocks.
    fn times(
        &self,
        encoder: &Encoder,
        options: &EncodeOptions,
        side: u32,
    ) -> Result<(Duration, String), EncodeError> {
        let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(SMALL_SIDE, SMALL_SIDE) as usize];
        encoder.encode_into(&self.image(SMALL_SIDE), BlockFormat::Bc1, options, &mut blocks, &Task::new())?;
        let image = self.image(side);
        blocks.resize(BlockFormat::Bc1.image_bytes(side, side) as usize, 0);
        let whole = self.median_of(|| {
            encoder.encode_into(&image, BlockFormat::Bc1, options, &mut blocks, &Task::new())
        })?;
        Ok((whole, sha256(&blocks)))
    }

    /// Returns the median time of several runs.
    pub(crate) fn median_of<T, E>(&self, mut work: impl FnMut() -> Result<T, E>) -> Result<Duration, E> {
        let mut times = Vec::new();
        let start = Instant::now();
        while times.len() < self.repeat && (times.is_empty() || start.elapsed() < LONG) {
            let start = Instant::now();
            work()?;
            times.push(start.elapsed());
        }
        Ok(median(&mut times))
    }

    fn side(&self, work: Work) -> u32 {
        let is_software = self.info().is_none_or(AdapterInfo::is_software);
        if work == Work::Heavy && is_software { SMALL_SIDE } else { SIDE }
    }

    /// Returns the image's middle.
    fn image(&self, side: u32) -> ImageView<'_, [u8; 4]> {
        let first = (SIDE - side) / 2 * (SIDE + 1);
        ImageView::with_stride(&self.texels[first as usize..], side, side, SIDE as usize)
            .expect("a part of the image")
    }
}

/// Returns an image of soft shapes with edges and a little noise, the same on every machine up to rounding.
fn picture() -> Vec<[u8; 4]> {
    let mut random = 1u32;
    let texel = |at: u32| {
        let (x, y) = ((at % SIDE) as f32 / SIDE as f32, (at / SIDE) as f32 / SIDE as f32);
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = (random >> 24) as f32 / 255.0 - 0.5;
        let ball = ((x - 0.4).powi(2) + (y - 0.55).powi(2)).sqrt();
        let light =
            if ball < 0.3 { 0.9 - 2.0 * ball } else { 0.35 + 0.25 * (9.0 * x + 5.0 * (3.0 * y).sin()).sin() };
        let stripes = if (40.0 * (x + 0.3 * y)).sin() > 0.8 { 0.25 } else { 0.0 };
        let channel = |tint: f32| {
            ((light * tint + stripes * (1.2 - tint) + 0.06 * noise) * 255.0).clamp(0.0, 255.0) as u8
        };
        [channel(1.0 - 0.3 * y), channel(0.6 + 0.3 * x), channel(0.4 + 0.5 * y), 255]
    };
    (0..SIDE * SIDE).map(texel).collect()
}
