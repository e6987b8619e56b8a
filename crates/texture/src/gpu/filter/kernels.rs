//! Kernels and their parameters.

use crate::{
    TexelFormat,
    gpu::load::converting,
    mips::{transfer, visible},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Kernel};

/// `struct Axis` of params.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct AxisParams {
    pub start: u32,
    pub stride: u32,
    pub step: u32,
    pub taps: u32,
}

/// `struct Filter` of params.wgsl.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct FilterParams {
    pub columns: AxisParams,
    pub rows: AxisParams,
    pub covered_columns: AxisParams,
    pub covered_rows: AxisParams,
    pub size: [u32; 2],
    pub first: [u32; 2],
    pub level_pitch: u32,
    pub first_row: u32,
    pub row_count: u32,
    pub offset: u32,
    pub pitch: u32,
    pub channels: u32,
    pub channel_type: u32,
    pub by_alpha: u32,
}

/// Returns every kernel of this folder.
pub(in crate::gpu) fn kernels() -> Vec<Kernel> {
    TexelFormat::ALL.iter().flat_map(|&format| [sums_kernel(format), texels_kernel(format)]).collect()
}

/// Returns the kernel of sums along rows.
pub(super) fn sums_kernel(format: TexelFormat) -> Kernel {
    let name = match format {
        TexelFormat::Rgba8 => "filter sums",
        TexelFormat::Rgba16 => "filter sums, 16 bits",
        TexelFormat::RgbaF16 => "filter sums, halves",
    };
    let bindings = [Binding::Uniform, Binding::Read, Binding::Write, Binding::Read];
    reading(Kernel::new(name, &bindings).file(&WGSL, "gpu/filter/sums.wgsl"), format)
}

/// Returns the kernel of texels from these sums.
pub(super) fn texels_kernel(format: TexelFormat) -> Kernel {
    let name = match format {
        TexelFormat::Rgba8 => "filter texels",
        TexelFormat::Rgba16 => "filter texels, 16 bits",
        TexelFormat::RgbaF16 => "filter texels, halves",
    };
    let bindings = [Binding::Uniform, Binding::Read, Binding::Write, Binding::Read, Binding::Read];
    let kernel = Kernel::new(name, &bindings)
        .file(&WGSL, "gpu/filter/texels.wgsl")
        .constant("VISIBLE", visible(format.channel_type()).to_bits());
    let kernel = reading(kernel, format);
    match format {
        TexelFormat::Rgba8 => kernel
            .file(&WGSL, "gpu/filter/write_rgba8.wgsl")
            .constant("BORDERS", transfer::BORDERS as u32)
            .constant("FIRST_VALUES", transfer::FIRST_VALUES_AT as u32),
        TexelFormat::Rgba16 | TexelFormat::RgbaF16 => kernel.file(&WGSL, "gpu/filter/write_wide.wgsl"),
    }
}

/// Adds code that reads texels as lights.
fn reading(kernel: Kernel, format: TexelFormat) -> Kernel {
    let path = match format {
        TexelFormat::Rgba8 => "gpu/filter/read_rgba8.wgsl",
        TexelFormat::Rgba16 | TexelFormat::RgbaF16 => "gpu/filter/read_wide.wgsl",
    };
    converting(kernel, format).file(&WGSL, path)
}
