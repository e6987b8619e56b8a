//! Encoding on the GPU: the same bytes as [`CpuEncoder`](crate::CpuEncoder) gives.
//!
//! ```text
//! texels in a buffer or texture → load → 8-bit RGBA by blocks → the format's kernels → blocks in a buffer
//! texels in a buffer → mip → texels of the next level
//! ```
//!
//! [`GpuEncoder`] takes whole images, in bands that no watchdog minds, or records into the caller's commands. Of whole
//! images a band also makes its part of the next mip level, where that is asked for.

mod bands;
mod check;
mod load;
mod mip;
mod prepared;
mod record;

pub use bands::Encoding;
pub use brickwork_gpu::{self as gpu, Context, ContextOptions, GpuError};
pub use record::{Region, Source, Target};

use crate::{
    EncodeError, EncodeOptions, Encoder, ImageView, Progress, Texel,
    mips::{MipLevel, MipOptions},
};
use prepared::{Prepared, Scratch};
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicU32},
    time::Duration,
};

/// Every kernel there is, uncompiled. For tests, and for programs that compile the WGSL themselves.
pub fn kernels() -> Vec<brickwork_gpu::Kernel> {
    let mut kernels = vec![load::buffer_kernel(), load::texture_kernel()];
    kernels.extend([mip::one_word_kernel(), mip::two_words_kernel()]);
    kernels.extend(crate::bc::bc1::kernel::all());
    kernels.extend(crate::bc::bc1::lsdxt::kernels::all());
    kernels
}

/// The shape of the kernels of [`Method::ClusterFit`](crate::Method::ClusterFit). All give the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClusterFitVariant {
    /// Stages, with a thread for each ordering, family, start and climb of each block.
    #[default]
    Stages,
    /// Up to the fitted starts two kernels, with a work group of 64 threads for each ordering or family of each block: the
    /// shape of NVIDIA's papers (2007, 2009).
    Group64,
    /// The same with 128 threads.
    Group128,
    /// The same with 256 threads.
    Group256,
    /// The same with 16 threads a block and four blocks in a work group, so that few threads ever wait: what the papers
    /// leave to the future.
    FourBlocks,
    /// As [`FourBlocks`](Self::FourBlocks), with sums over a block's texels within subgroups. Where these are not of at
    /// least 16 threads, [`FourBlocks`](Self::FourBlocks) is taken.
    Subgroup,
}

impl ClusterFitVariant {
    /// Every variant.
    pub const ALL: [Self; 6] =
        [Self::Stages, Self::Group64, Self::Group128, Self::Group256, Self::FourBlocks, Self::Subgroup];
}

/// How the kernels of [`Method::Lsdxt`](crate::Method::Lsdxt) keep what they work on. All give the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LsdxtVariant {
    /// One texel a thread, 4 blocks a work group, in its local memory.
    LocalMemory,
    /// One block a thread, in arrays indexed by values known at run time.
    Dynamic,
    /// One block a thread, in registers: every index is a constant.
    #[default]
    Constant,
    /// One texel a thread, exchanged within subgroups. Where these are not of at least 16 threads,
    /// [`Constant`](Self::Constant) is taken.
    Subgroup,
}

impl LsdxtVariant {
    /// Every variant.
    pub const ALL: [Self; 4] = [Self::LocalMemory, Self::Dynamic, Self::Constant, Self::Subgroup];
}

/// How long a kernel took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelTime {
    /// The kernel's name.
    pub name: &'static str,
    /// From the begin of its pass to the end.
    pub time: Duration,
}

/// The encoders that run on the GPU. Cheap to clone; clones share compiled kernels and scratch memory.
///
/// [`Encoder`] takes whole images and waits, [`start`](Self::start) does not wait, and [`record`](Self::record) works
/// within an application's own commands: `examples/render_target` draws on its own device ([`Context::adopt`]),
/// compresses what it drew and samples the BC1 texture, in one submission.
#[derive(Clone)]
pub struct GpuEncoder {
    context: Context,
    variants: Variants,
    shared: Arc<Shared>,
}

/// Which kernels are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Variants {
    cluster_fit: ClusterFitVariant,
    lsdxt: LsdxtVariant,
}

#[derive(Default)]
struct Shared {
    /// What the last options needed.
    prepared: Mutex<Option<Arc<Prepared>>>,
    /// Memory between the kernels of recorded commands.
    scratch: Mutex<Option<Scratch>>,
    /// Buffers of bands that came back.
    slots: Mutex<Vec<bands::Slot>>,
    /// Blocks in a band that took as long as a band should, for each quality by cluster fit and by LSDxt; 0 where none
    /// was encoded yet.
    band_blocks: [[AtomicU32; 5]; 2],
}

impl fmt::Debug for GpuEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GpuEncoder").field("context", &self.context).finish_non_exhaustive()
    }
}

impl GpuEncoder {
    /// An encoder on this device. Kernels are compiled when first used.
    pub fn new(context: Context) -> Self {
        Self { context, variants: Variants::default(), shared: Arc::default() }
    }

    /// The same with other kernels for [`Method::ClusterFit`](crate::Method::ClusterFit): to measure which is the fastest.
    #[must_use]
    pub fn with_cluster_fit_variant(mut self, variant: ClusterFitVariant) -> Self {
        self.variants.cluster_fit = variant;
        self
    }

    /// The same with other kernels for [`Method::Lsdxt`](crate::Method::Lsdxt): to measure which is the fastest.
    #[must_use]
    pub fn with_lsdxt_variant(mut self, variant: LsdxtVariant) -> Self {
        self.variants.lsdxt = variant;
        self
    }

    /// What the kernels of cluster fit will be: the variant asked for, or [`ClusterFitVariant::FourBlocks`] where the
    /// device cannot.
    pub fn cluster_fit_variant(&self) -> ClusterFitVariant {
        match self.variants.cluster_fit {
            ClusterFitVariant::Subgroup if !self.has_wide_subgroups() => ClusterFitVariant::FourBlocks,
            variant => variant,
        }
    }

    /// What the kernels of LSDxt will be: the variant asked for, or [`LsdxtVariant::Constant`] where the device cannot.
    pub fn lsdxt_variant(&self) -> LsdxtVariant {
        match self.variants.lsdxt {
            LsdxtVariant::Subgroup if !self.has_wide_subgroups() => LsdxtVariant::Constant,
            variant => variant,
        }
    }

    /// Whether a block's texels fit a subgroup.
    fn has_wide_subgroups(&self) -> bool {
        self.context.has_subgroups() && self.context.least_subgroup() >= 16
    }

    /// The device.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Starts to encode `image` to `blocks`, which [`Encoding::poll`] carries on with.
    ///
    /// # Errors
    /// [`EncodeError`]: a slice of another length than the image needs, a format without an encoder, a kernel that
    /// the driver refuses, a device that is lost.
    pub fn start<'a, T: Texel>(
        &self,
        image: ImageView<'a, T>,
        options: &EncodeOptions,
        blocks: &'a mut [u8],
    ) -> Result<Encoding<'a, T>, EncodeError> {
        Encoding::new(self, image, options, None, blocks)
    }

    /// The same, and makes the next mip level, which [`Encoding::into_next_level`] gives.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    ///
    /// # Panics
    /// If the image has more than 2⁴⁰ texels.
    pub fn start_with_next_level<'a, T: Texel>(
        &self,
        image: ImageView<'a, T>,
        options: &EncodeOptions,
        mips: MipOptions,
        blocks: &'a mut [u8],
    ) -> Result<Encoding<'a, T>, EncodeError> {
        Encoding::new(self, image, options, Some(mips), blocks)
    }

    /// Encodes `image` to `blocks` and gives the time that each kernel took by the GPU's own clock, the bands' times added
    /// up; nothing where the device has no timestamps. Reading the clock costs time too: the whole is slower than
    /// [`encode_with`](Encoder::encode_with).
    ///
    /// # Errors
    /// Those of [`start`](Self::start).
    pub fn time_kernels<T: Texel>(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        blocks: &mut [u8],
    ) -> Result<Option<Vec<KernelTime>>, EncodeError> {
        Encoding::new(self, *image, options, None, blocks)?.run_timed()
    }

    fn idle_slots(&self) -> MutexGuard<'_, Vec<bands::Slot>> {
        self.shared.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn prepared(&self, options: &EncodeOptions) -> Result<Arc<Prepared>, EncodeError> {
        let variants = Variants { cluster_fit: self.cluster_fit_variant(), lsdxt: self.lsdxt_variant() };
        let mut last = self.shared.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some(prepared) if prepared.options == *options && prepared.variants == variants => {
                Ok(Arc::clone(prepared))
            }
            _ => {
                let prepared = Arc::new(Prepared::new(&self.context, options, variants)?);
                Ok(Arc::clone(last.insert(prepared)))
            }
        }
    }
}

impl<T: Texel> Encoder<T> for GpuEncoder {
    fn encode_with(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        blocks: &mut [u8],
        progress: &Progress<'_>,
    ) -> Result<(), EncodeError> {
        Encoding::new(self, *image, options, None, blocks)?.run(progress)
    }

    fn encode_with_next_level(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        mips: MipOptions,
        blocks: &mut [u8],
        progress: &Progress<'_>,
    ) -> Result<MipLevel, EncodeError> {
        let mut encoding = Encoding::new(self, *image, options, Some(mips), blocks)?;
        encoding.run(progress)?;
        Ok(encoding.into_next_level().expect("a level was asked for and all is done"))
    }
}
