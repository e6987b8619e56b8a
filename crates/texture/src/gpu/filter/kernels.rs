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
pub(in crate::gpu) struct AxisParams {
    pub start: u32,
    pub stride: u32,
    pub step: u32,
    pub taps: u32,
}

/// `struct Filter` of params.wgsl.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(in crate::gpu) struct FilterParams {
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
    pub side: [u32; 2],
}

/// Returns every kernel of this folder.
pub(in crate::gpu) fn kernels() -> Vec<Kernel> {
    let of_format = |&format| [sums_kernel(format), clamped_sums_kernel(format), texels_kernel(format)];
    TexelFormat::ALL.iter().flat_map(of_format).collect()
}

/// Returns the kernel of sums along rows of a band with its halo.
pub(super) fn sums_kernel(format: TexelFormat) -> Kernel {
    let name = match format {
        TexelFormat::Rgba8 => "filter sums",
        TexelFormat::Rgba16 => "filter sums, 16 bits",
        TexelFormat::RgbaF16 => "filter sums, halves",
    };
    sums_of(name, "gpu/filter/halo.wgsl", format)
}

/// Returns the kernel of sums along rows of a whole image, past whose edges its outermost texels repeat.
pub(in crate::gpu) fn clamped_sums_kernel(format: TexelFormat) -> Kernel {
    let name = match format {
        TexelFormat::Rgba8 => "filter sums, clamped",
        TexelFormat::Rgba16 => "filter sums, 16 bits, clamped",
        TexelFormat::RgbaF16 => "filter sums, halves, clamped",
    };
    sums_of(name, "gpu/filter/clamped.wgsl", format)
}

/// Returns a kernel of sums with the file that defines `inside`.
fn sums_of(name: &'static str, edges: &str, format: TexelFormat) -> Kernel {
    let bindings = [Binding::Uniform, Binding::Read, Binding::Write, Binding::Read];
    reading(Kernel::new(name, &bindings).files(&WGSL, &["gpu/filter/sums.wgsl", edges]), format)
}

/// Returns the kernel of texels from these sums.
pub(in crate::gpu) fn texels_kernel(format: TexelFormat) -> Kernel {
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
