//! Calls that wait for the driver or the GPU. A browser's thread cannot wait, so they do not exist on wasm32.

use crate::{Adapter, AdapterChoice, Context, ContextOptions, Download, GpuError, Timer, adapters_async};
use std::{
    pin::pin,
    task::{self, Poll, Waker},
    time::Duration,
};

/// Longest wait of [`Context::run`]. The future is then polled, because a part of the work may be finished.
const SLICE: Duration = Duration::from_millis(1);

/// Returns every adapter of Vulkan, Metal and Direct3D 12, in the backends' order. `VK_DRIVER_FILES` and
/// `WGPU_BACKEND` are respected. Blocks.
///
/// On Linux, devices opened on these adapters cannot present to windows. An application that draws opens its
/// own device and calls [`Context::adopt`].
pub fn adapters() -> Vec<Adapter> {
    pollster::block_on(adapters_async())
}

impl AdapterChoice {
    /// Returns the adapter that this choice selects. Blocks.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] if there is no adapter at all, [`GpuError::UnknownAdapter`] if none matches.
    pub fn find(&self) -> Result<Adapter, GpuError> {
        self.find_in(&adapters())
    }
}

impl Context {
    /// Opens a device. Blocks.
    ///
    /// # Errors
    /// As [`open_async`](Self::open_async).
    pub fn open(options: &ContextOptions) -> Result<Self, GpuError> {
        pollster::block_on(Self::open_async(options))
    }

    /// Opens a device on this adapter; [`ContextOptions::adapter`] is ignored. Blocks.
    ///
    /// # Errors
    /// As [`open_on_async`](Self::open_on_async).
    pub fn open_on(adapter: &Adapter, options: &ContextOptions) -> Result<Self, GpuError> {
        pollster::block_on(Self::open_on_async(adapter, options))
    }

    /// Blocks until a submission is finished.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait_for(&self, submission: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
        self.wait_until(Some(submission.clone()))
    }

    /// Blocks until a submission is finished, but at most for `timeout`. Returns true if it is finished.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait_for_at_most(
        &self,
        submission: &wgpu::SubmissionIndex,
        timeout: Duration,
    ) -> Result<bool, GpuError> {
        let submission_index = Some(submission.clone());
        let polled = self.device().poll(wgpu::PollType::Wait { submission_index, timeout: Some(timeout) });
        self.check_lost()?;
        match polled {
            Ok(_) => Ok(true),
            Err(wgpu::PollError::Timeout) => Ok(false),
            Err(error) => Err(self.lost_or("waiting", &error)),
        }
    }

    /// Runs a future that waits for this device, and returns its result. `check` is called at least every
    /// 20 ms; its error ends the work. Blocks.
    ///
    /// # Errors
    /// Those of the future and of `check`; [`GpuError::Lost`].
    pub fn run<T, E: From<GpuError>>(
        &self,
        future: impl Future<Output = Result<T, E>>,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<T, E> {
        let mut future = pin!(future);
        loop {
            let mut task = task::Context::from_waker(Waker::noop());
            if let Poll::Ready(result) = future.as_mut().poll(&mut task) {
                return result;
            }
            check()?;
            let wait = wgpu::PollType::Wait { submission_index: None, timeout: Some(SLICE) };
            let polled = self.device().poll(wait);
            self.check_lost()?;
            match polled {
                Ok(_) | Err(wgpu::PollError::Timeout) => {}
                Err(error) => return Err(self.lost_or("waiting", &error).into()),
            }
        }
    }

    /// Blocks until all submitted work is finished.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait(&self) -> Result<(), GpuError> {
        self.wait_until(None)
    }

    fn wait_until(&self, submission_index: Option<wgpu::SubmissionIndex>) -> Result<(), GpuError> {
        let polled = self.device().poll(wgpu::PollType::Wait { submission_index, timeout: None });
        self.check_lost()?;
        polled.map(|_| ()).map_err(|error| self.lost_or("waiting", &error))
    }
}

impl Download {
    /// Blocks until the bytes have arrived, and returns them.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait(self, context: &Context) -> Result<Vec<u8>, GpuError> {
        self.wait_with(context, <[u8]>::to_vec)
    }

    /// Blocks until the bytes have arrived, and passes them to `look`.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait_with<R>(self, context: &Context, look: impl FnOnce(&[u8]) -> R) -> Result<R, GpuError> {
        while !self.is_ready(context)? {
            context.wait_for(self.submission())?;
        }
        self.take_with(context, look)
    }
}

impl Timer {
    /// Blocks until the submission is finished, and returns the time from the start of each pass to its end.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn read(&self, context: &Context) -> Result<Vec<Duration>, GpuError> {
        let times = self.start_read(context)?;
        while !times.is_ready(context)? {
            context.wait_for(times.download().submission())?;
        }
        times.take(context)
    }
}
