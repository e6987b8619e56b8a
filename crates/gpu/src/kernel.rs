//! Kernels: WGSL text, what it binds, and how it becomes a pipeline.

/// What a kernel finds at one place of bind group 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A uniform buffer.
    Uniform,
    /// A storage buffer that is only read.
    Read,
    /// A storage buffer that is written.
    Write,
    /// A 2D texture whose texels are read as floats.
    Texture,
}

impl Binding {
    pub(crate) fn layout(self, place: usize) -> wgpu::BindGroupLayoutEntry {
        let buffer = |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
        wgpu::BindGroupLayoutEntry {
            binding: place as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: match self {
                Self::Uniform => buffer(wgpu::BufferBindingType::Uniform),
                Self::Read => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
                Self::Write => buffer(wgpu::BufferBindingType::Storage { read_only: false }),
                Self::Texture => wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            },
            count: None,
        }
    }
}

/// A compute kernel before it is compiled. Its entry point is `main`.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The kernel's name, in messages and as the key under which its pipelines are kept: kernels of one name have one
    /// text.
    pub name: &'static str,
    /// The WGSL. Text order does not matter in WGSL's module scope, so parts may be joined and constants appended.
    pub wgsl: String,
    /// What is bound, by place.
    pub bindings: Vec<Binding>,
    /// Values of `override` constants.
    pub overrides: Vec<(&'static str, f64)>,
}

impl Kernel {
    /// The same kernel with another value of an `override` constant.
    pub fn with(mut self, name: &'static str, value: f64) -> Self {
        self.overrides.retain(|(known, _)| *known != name);
        self.overrides.push((name, value));
        self
    }

    /// Under which its pipeline is kept.
    pub(crate) fn key(&self) -> (&'static str, Vec<(&'static str, u64)>) {
        let mut values: Vec<_> =
            self.overrides.iter().map(|&(name, value)| (name, value.to_bits())).collect();
        values.sort_unstable();
        (self.name, values)
    }
}

/// A compiled kernel. Clones share it.
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub(crate) raw: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
}

impl Pipeline {
    /// The pipeline itself.
    pub fn raw(&self) -> &wgpu::ComputePipeline {
        &self.raw
    }

    /// Binds resources to their places, in order.
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

    /// Records one dispatch of `count` work groups, in rows of at most 65535 because that is the limit of one
    /// dimension. The kernel finds its place as `id.x + id.y * groups.x`.
    pub fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, bound: &wgpu::BindGroup, count: u32) {
        const ROW: u32 = 65535;
        pass.set_pipeline(&self.raw);
        pass.set_bind_group(0, bound, &[]);
        let rows = count.div_ceil(ROW).max(1);
        pass.dispatch_workgroups(count.div_ceil(rows), rows, 1);
    }
}
