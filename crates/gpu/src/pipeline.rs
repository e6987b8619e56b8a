//! Compiled kernels, and their storage.

use crate::{Binding, Context, GpuError, Kernel, scopes::Work};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A compiled kernel. Clones share it.
#[derive(Clone, Debug)]
pub struct Pipeline {
    raw: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

impl Pipeline {
    /// Returns wgpu's pipeline.
    pub fn raw(&self) -> &wgpu::ComputePipeline {
        &self.raw
    }

    /// Binds the resources in the order of [`Kernel::bindings`].
    pub fn bind(&self, device: &wgpu::Device, resources: &[wgpu::BindingResource<'_>]) -> wgpu::BindGroup {
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        })
    }

    /// Records one dispatch of `count` workgroups, in rows of at most 65,535, the limit of one dimension. A
    /// workgroup's number is `workgroup_id.y * num_workgroups.x + workgroup_id.x`. For a few workgroups
    /// (fewer than there are rows), it may be `count` or above; these must do nothing.
    pub fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, bound: &wgpu::BindGroup, count: u32) {
        const ROW: u32 = 65535;
        pass.set_pipeline(&self.raw);
        pass.set_bind_group(0, bound, &[]);
        let rows = count.div_ceil(ROW).max(1);
        pass.dispatch_workgroups(count.div_ceil(rows), rows, 1);
    }

    /// Records one dispatch with the given columns and rows of workgroups, each at most 65,535.
    pub fn dispatch_grid(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bound: &wgpu::BindGroup,
        [columns, rows]: [u32; 2],
    ) {
        pass.set_pipeline(&self.raw);
        pass.set_bind_group(0, bound, &[]);
        pass.dispatch_workgroups(columns, rows, 1);
    }
}

/// Pipelines of a device, by the kernels' names.
///
/// The map is locked only to find a name. Each name has its own lock, which is held while its kernel is
/// compiled. Threads that need the same kernel wait for one of them; threads that need other kernels
/// continue.
#[derive(Default)]
pub(crate) struct Pipelines(Mutex<HashMap<String, Arc<Mutex<Option<Compiled>>>>>);

/// Kept pipelines of the kernels with one name.
struct Compiled {
    wgsl: String,
    bindings: Vec<Binding>,
    module: wgpu::ShaderModule,
    /// Pipelines by the values of `override` constants, in the order of their names.
    pipelines: HashMap<Vec<(&'static str, u64)>, Pipeline>,
}

impl Pipelines {
    /// Returns the kernel, compiled for the context's device now or earlier.
    pub(crate) fn get(&self, context: &Context, kernel: &Kernel) -> Result<Pipeline, GpuError> {
        let kept = self.of_name(kernel);
        let mut kept = lock(&kept);
        let module = match known(&kept, kernel)? {
            Known::Pipeline(pipeline) => return Ok(pipeline),
            Known::Module(module) => module,
        };
        let work = Work::Kernel(kernel.name().to_owned());
        let compiled = context.check_work(work, || compile(context, kernel, module))?;
        Ok(keep(&mut kept, kernel, compiled))
    }

    /// Works like [`get`](Self::get), without a lock while it waits. Two tasks may compile the same kernel.
    pub(crate) async fn get_async(&self, context: &Context, kernel: &Kernel) -> Result<Pipeline, GpuError> {
        let kept = self.of_name(kernel);
        let found = known(&lock(&kept), kernel)?;
        let module = match found {
            Known::Pipeline(pipeline) => {
                // A browser may still be compiling the pipeline that `get` has kept.
                context.settle().await?;
                return Ok(pipeline);
            }
            Known::Module(module) => module,
        };
        let work = Work::Kernel(kernel.name().to_owned());
        let compiled = context.check_work_async(work, || compile(context, kernel, module)).await?;
        let mut kept = lock(&kept);
        // Another task may have been faster, with other WGSL.
        if let Known::Pipeline(pipeline) = known(&kept, kernel)? {
            return Ok(pipeline);
        }
        Ok(keep(&mut kept, kernel, compiled))
    }

    fn of_name(&self, kernel: &Kernel) -> Arc<Mutex<Option<Compiled>>> {
        Arc::clone(lock(&self.0).entry(kernel.name().to_owned()).or_default())
    }
}

/// Pipeline of a kernel, or the module from which it is made.
enum Known {
    Pipeline(Pipeline),
    /// Module, if it was compiled with other constants.
    Module(Option<wgpu::ShaderModule>),
}

fn known(kept: &Option<Compiled>, kernel: &Kernel) -> Result<Known, GpuError> {
    let Some(known) = kept else { return Ok(Known::Module(None)) };
    if (known.wgsl.as_str(), known.bindings.as_slice()) != (kernel.wgsl(), kernel.bindings()) {
        return Err(GpuError::KernelName { kernel: kernel.name().to_owned() });
    }
    Ok(match known.pipelines.get(&values(kernel)) {
        Some(pipeline) => Known::Pipeline(pipeline.clone()),
        None => Known::Module(Some(known.module.clone())),
    })
}

/// Keeps a compiled kernel. This happens only after success: a refused kernel, even one refused because of
/// memory, must not be kept.
fn keep(
    kept: &mut Option<Compiled>,
    kernel: &Kernel,
    (module, pipeline): (wgpu::ShaderModule, Pipeline),
) -> Pipeline {
    let known = kept.get_or_insert_with(|| Compiled {
        wgsl: kernel.wgsl().to_owned(),
        bindings: kernel.bindings().to_vec(),
        module,
        pipelines: HashMap::new(),
    });
    known.pipelines.insert(values(kernel), pipeline.clone());
    pipeline
}

/// Returns the pipelines of several kernels, which are compiled in parallel.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn all(context: &Context, kernels: &[&Kernel]) -> Result<Vec<Pipeline>, GpuError> {
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
pub(crate) fn all(context: &Context, kernels: &[&Kernel]) -> Result<Vec<Pipeline>, GpuError> {
    kernels.iter().map(|kernel| context.pipeline(kernel)).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn values(kernel: &Kernel) -> Vec<(&'static str, u64)> {
    let mut values: Vec<_> =
        kernel.overrides().iter().map(|&(name, value)| (name, value.to_bits())).collect();
    values.sort_unstable();
    values
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
