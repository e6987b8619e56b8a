//! Kernels compiled for the device of a context.

use crate::{
    Context, GpuError, Kernel, Pipeline,
    pipeline::{Known, keep, known, lock},
    scopes::Work,
};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

impl Context {
    /// Returns the kernel, compiled for this device now or earlier. Several threads may call this at the same
    /// time. Each kernel is compiled by one of them, and different kernels are compiled in parallel.
    ///
    /// The call takes as long as the compiler, and does not wait for the GPU. Browsers compile later, and a
    /// later call then returns the error. [`pipeline_async`](Self::pipeline_async) returns it itself.
    ///
    /// # Errors
    /// [`GpuError::KernelRefused`], also if a kernel with the same name but other WGSL or bindings was
    /// compiled earlier; [`GpuError::OutOfMemory`], [`GpuError::Lost`].
    pub fn pipeline(&self, kernel: &Kernel) -> Result<Pipeline, GpuError> {
        let kept = self.kept_pipelines().of_name(kernel);
        let mut kept = lock(&kept);
        let module = match known(&kept, kernel)? {
            Known::Pipeline(pipeline) => return Ok(pipeline),
            Known::Module(module) => module,
        };
        let work = Work::Kernel(kernel.name().to_owned());
        let compiled = self.check_work(work, || compile(self, kernel, module))?;
        Ok(keep(&mut kept, kernel, compiled))
    }

    /// Works like [`pipeline`](Self::pipeline), but returns when it is known if the kernel is accepted.
    ///
    /// # Errors
    /// As [`pipeline`](Self::pipeline).
    pub async fn pipeline_async(&self, kernel: &Kernel) -> Result<Pipeline, GpuError> {
        // Two tasks may compile the same kernel: nothing is locked while this one waits.
        let kept = self.kept_pipelines().of_name(kernel);
        let found = known(&lock(&kept), kernel)?;
        let module = match found {
            Known::Pipeline(pipeline) => {
                // A browser may still be compiling the pipeline that `pipeline` has kept.
                self.settle().await?;
                return Ok(pipeline);
            }
            Known::Module(module) => module,
        };
        let work = Work::Kernel(kernel.name().to_owned());
        let compiled = self.check_work_async(work, || compile(self, kernel, module)).await?;
        let mut kept = lock(&kept);
        // Another task may have been faster, with other WGSL.
        if let Known::Pipeline(pipeline) = known(&kept, kernel)? {
            return Ok(pipeline);
        }
        Ok(keep(&mut kept, kernel, compiled))
    }

    /// Works like [`pipeline`](Self::pipeline) for several kernels. They are compiled in parallel by as many
    /// threads as there are processors (one after the other on the web).
    ///
    /// # Errors
    /// The error of the first kernel that has one.
    pub fn pipelines(&self, kernels: &[&Kernel]) -> Result<Vec<Pipeline>, GpuError> {
        all(self, kernels)
    }
}

/// Returns the pipelines of several kernels, which are compiled in parallel.
#[cfg(not(target_arch = "wasm32"))]
fn all(context: &Context, kernels: &[&Kernel]) -> Result<Vec<Pipeline>, GpuError> {
    let next = AtomicUsize::new(0);
    let found: Vec<OnceLock<_>> = kernels.iter().map(|_| OnceLock::new()).collect();
    let work = || {
        let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        for place in places.take_while(|&place| place < kernels.len()) {
            let _ = found[place].set(context.pipeline(kernels[place]));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(kernels.len());
    if threads < 2 {
        work();
    } else {
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }
    found.into_iter().map(|found| found.into_inner().expect("compiled")).collect()
}

/// Returns the pipelines of several kernels. A browser compiles them in parallel by itself.
#[cfg(target_arch = "wasm32")]
fn all(context: &Context, kernels: &[&Kernel]) -> Result<Vec<Pipeline>, GpuError> {
    kernels.iter().map(|kernel| context.pipeline(kernel)).collect()
}

/// Returns the module, new or compiled before, and the pipeline.
fn compile(
    context: &Context,
    kernel: &Kernel,
    module: Option<wgpu::ShaderModule>,
) -> (wgpu::ShaderModule, Pipeline) {
    let device = context.device();
    let module = module.unwrap_or_else(|| {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(kernel.name()),
            source: wgpu::ShaderSource::Wgsl(kernel.wgsl().into()),
        })
    });
    let label = Some(kernel.name());
    let entries: Vec<_> =
        kernel.bindings().iter().enumerate().map(|(place, binding)| binding.layout(place)).collect();
    let layout =
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let raw = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: kernel.overrides(),
            zero_initialize_workgroup_memory: false,
        },
        cache: context.pipeline_cache(),
    });
    (module, Pipeline { raw, layout })
}
