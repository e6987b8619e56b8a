//! Compiled kernels, and their storage.

use crate::{Binding, GpuError, Kernel};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A compiled kernel. Clones share it.
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub(crate) raw: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
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
pub(crate) struct Compiled {
    wgsl: String,
    bindings: Vec<Binding>,
    module: wgpu::ShaderModule,
    /// Pipelines by the values of `override` constants, in the order of their names.
    pipelines: HashMap<Vec<(&'static str, u64)>, Pipeline>,
}

impl Pipelines {
    /// Returns the pipelines of the kernels with the name of this one.
    pub(crate) fn of_name(&self, kernel: &Kernel) -> Arc<Mutex<Option<Compiled>>> {
        Arc::clone(lock(&self.0).entry(kernel.name().to_owned()).or_default())
    }
}

/// Pipeline of a kernel, or the module from which it is made.
pub(crate) enum Known {
    Pipeline(Pipeline),
    /// Module, if it was compiled with other constants.
    Module(Option<wgpu::ShaderModule>),
}

/// Returns the pipeline of a kernel, or its module, if it was compiled before.
///
/// # Errors
/// [`GpuError::KernelName`] if a kernel with this name has other WGSL or bindings.
pub(crate) fn known(kept: &Option<Compiled>, kernel: &Kernel) -> Result<Known, GpuError> {
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
pub(crate) fn keep(
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

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn values(kernel: &Kernel) -> Vec<(&'static str, u64)> {
    let mut values: Vec<_> =
        kernel.overrides().iter().map(|&(name, value)| (name, value.to_bits())).collect();
    values.sort_unstable();
    values
}
