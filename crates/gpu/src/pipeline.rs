//! Compiled kernels, and where they are kept.

use crate::{Binding, Context, GpuError, Kernel};
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
    /// The pipeline itself.
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
    /// workgroup's number is `workgroup_id.y * num_workgroups.x + workgroup_id.x`; a few may be `count` or
    /// above (fewer than there are rows) and have nothing to do.
    pub fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, bound: &wgpu::BindGroup, count: u32) {
        const ROW: u32 = 65535;
        pass.set_pipeline(&self.raw);
        pass.set_bind_group(0, bound, &[]);
        let rows = count.div_ceil(ROW).max(1);
        pass.dispatch_workgroups(count.div_ceil(rows), rows, 1);
    }

    /// Records one dispatch of so many columns and rows of workgroups, each at most 65,535.
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

/// The pipelines of a device, by the kernels' names.
///
/// The map is locked only to find a name. Each name has a lock of its own, held while its kernel is compiled:
/// threads that want the same kernel wait for one of them, those that want other kernels go on.
#[derive(Default)]
pub(crate) struct Pipelines(Mutex<HashMap<&'static str, Arc<Mutex<Option<Compiled>>>>>);

/// What is kept of the kernels with one name.
struct Compiled {
    wgsl: String,
    bindings: Vec<Binding>,
    module: wgpu::ShaderModule,
    /// By the values of `override` constants, in order of their names.
    pipelines: HashMap<Vec<(&'static str, u64)>, Pipeline>,
}

impl Pipelines {
    /// The kernel, compiled for the context's device now or earlier.
    pub(crate) fn get(
        &self,
        context: &Context,
        kernel: &Kernel,
        cache: Option<&wgpu::PipelineCache>,
    ) -> Result<Pipeline, GpuError> {
        let kept = Arc::clone(lock(&self.0).entry(kernel.name()).or_default());
        let mut kept = lock(&kept);
        let refused = |reason| GpuError::KernelRefused { kernel: kernel.name(), reason };
        if let Some(known) = &*kept {
            if (known.wgsl.as_str(), known.bindings.as_slice()) != (kernel.wgsl(), kernel.bindings()) {
                return Err(refused("another kernel of this name has other WGSL or bindings".to_owned()));
            }
            if let Some(pipeline) = known.pipelines.get(&values(kernel)) {
                return Ok(pipeline.clone());
            }
        }
        let module = kept.as_ref().map(|known| known.module.clone());
        let compiled = context.checked("compiling a kernel", || {
            let module = module.unwrap_or_else(|| {
                context.device().create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some(kernel.name()),
                    source: wgpu::ShaderSource::Wgsl(kernel.wgsl().into()),
                })
            });
            let pipeline = compile(context.device(), kernel, &module, cache);
            (module, pipeline)
        });
        let (module, pipeline) = compiled.map_err(|error| match error {
            GpuError::Validation { reason, .. } => refused(reason),
            other => other,
        })?;
        // Only now: a refused kernel, even one refused for lack of memory, must not be kept.
        let known = kept.get_or_insert_with(|| Compiled {
            wgsl: kernel.wgsl().to_owned(),
            bindings: kernel.bindings().to_vec(),
            module,
            pipelines: HashMap::new(),
        });
        known.pipelines.insert(values(kernel), pipeline.clone());
        Ok(pipeline)
    }
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

fn compile(
    device: &wgpu::Device,
    kernel: &Kernel,
    module: &wgpu::ShaderModule,
    cache: Option<&wgpu::PipelineCache>,
) -> Pipeline {
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
        module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: kernel.overrides(),
            zero_initialize_workgroup_memory: false,
        },
        cache,
    });
    Pipeline { raw, layout }
}
