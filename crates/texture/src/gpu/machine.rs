//! Objects that encodings on one device share: prepared chains, and buffers that outlive an image.

use super::{
    prepared::{Prepared, Scratch},
    steps::{ChainStep, EditSteps},
};
use crate::{
    EncodeError, EncodeOptions, RdoLambda,
    bc::{
        BlockCoder,
        bc6h::{Bc6hOptions, SFLOAT, UFLOAT},
    },
    direct::Known,
};
use brickwork_gpu::{Context, wgpu};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Number of chains that are kept. Beyond that, the least recently used ones are dropped.
const MAX_PREPARED: usize = 16;

pub(super) struct Machine {
    pub context: Context,
    /// Function that puts other kernels into chains.
    edit_steps: Option<Box<EditSteps>>,
    /// The most recently used chain is the last one.
    prepared: Mutex<Vec<Arc<Prepared>>>,
    /// Memory between the kernels of recorded commands.
    scratch: Mutex<Option<Scratch>>,
    /// Buffers of bands that have arrived.
    idle_slots: Mutex<Vec<Slot>>,
    /// Results of the tests of direct writing.
    pub direct: Known,
}

/// Buffers of one band.
pub(super) struct Slot {
    pub source: wgpu::Buffer,
    pub scratch: Scratch,
    pub blocks: wgpu::Buffer,
    /// Texels of the next mip level, if one was requested.
    pub mip_level: Option<wgpu::Buffer>,
    /// Blocks, then texels of the next mip level.
    pub staging: wgpu::Buffer,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Machine {
    pub fn new(context: Context, edit_steps: Option<Box<EditSteps>>) -> Self {
        Self {
            context,
            edit_steps,
            prepared: Mutex::default(),
            scratch: Mutex::default(),
            idle_slots: Mutex::default(),
            direct: Known::default(),
        }
    }

    /// Returns the chain of a codec for these options, compiled now or earlier.
    pub fn prepared(&self, coder: BlockCoder, options: &EncodeOptions) -> Result<Arc<Prepared>, EncodeError> {
        let codec = coder.codec;
        // These options do not affect the kernels.
        let options = &options.with(|o| {
            o.rdo = RdoLambda::OFF;
            o.weigh_by_alpha = false;
        });
        let is_wanted =
            |prepared: &Arc<Prepared>| prepared.coder.has_kernels_of(coder) && prepared.options == *options;
        {
            let mut known = lock(&self.prepared);
            if let Some(place) = known.iter().position(is_wanted) {
                let prepared = known.remove(place);
                known.push(Arc::clone(&prepared));
                return Ok(prepared);
            }
        }
        for (bc6h, is_signed) in [(&UFLOAT, false), (&SFLOAT, true)] {
            let default = Bc6hOptions::default().metric_of(is_signed);
            let is_other = options.real_time.is_none() && options.bc6h.metric_of(is_signed) != default;
            if std::ptr::eq(codec, bc6h) && is_other {
                return Err(EncodeError::NoMetricKernels);
            }
        }
        let mut chain = coder.chain(options).ok_or(EncodeError::NoKernels { format: codec.name })?;
        if let Some(edit) = &self.edit_steps {
            let steps = edit(chain.steps.into_iter().map(ChainStep).collect());
            chain.steps = steps.into_iter().map(|step| step.0).collect();
        }
        // Kernels are compiled without the lock, so that other threads may encode.
        let prepared = Arc::new(Prepared::new(&self.context, coder, options, chain)?);
        let mut known = lock(&self.prepared);
        if known.len() == MAX_PREPARED {
            known.remove(0);
        }
        known.push(Arc::clone(&prepared));
        Ok(prepared)
    }

    /// Returns the buffers that no band uses at present.
    pub fn idle_slots(&self) -> MutexGuard<'_, Vec<Slot>> {
        lock(&self.idle_slots)
    }

    /// Returns the scratch memory of recorded commands.
    pub fn scratch(&self) -> MutexGuard<'_, Option<Scratch>> {
        lock(&self.scratch)
    }

    /// Returns the maximum number of blocks in one submission of the chain's kernels. It is limited by the
    /// size of storage bindings and by the kernels' time.
    pub fn max_blocks(&self, prepared: &Prepared) -> u64 {
        let limits = self.context.device().limits();
        let bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        // Threads are counted in 32 bits. A block has up to 127, or more with 12 bytes for each (BC7).
        (bytes / prepared.most_bytes_per_block()).min(1 << 25).min(prepared.most_blocks())
    }
}
