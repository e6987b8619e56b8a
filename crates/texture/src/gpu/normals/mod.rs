//! Kernels that change normal maps of 8 bits in place, for hosts whose mip levels stay on the device
//! ([`export`](super::export)). The encoder of this crate does the same on the CPU, after the read-back.
//!
//! ```text
//! level 0 → blue → z         blue is computed where it is the same everywhere
//! mip level → unit length    the mean of unit vectors is shorter than 1
//! ```

use crate::wgsl::WGSL;
use brickwork_gpu::{Binding, Kernel};

/// `struct Normals` of normals.wgsl.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct NormalParams {
    pub size: [u32; 2],
    /// Distance between rows, in texels.
    pub pitch: u32,
    pub padding: u32,
}

/// Returns every kernel of this folder.
pub(super) fn kernels() -> Vec<Kernel> {
    vec![unit_length_kernel(), blue_kernel(), z_kernel()]
}

/// Returns the kernel that scales vectors to length 1. It binds the parameters and the texels.
pub(super) fn unit_length_kernel() -> Kernel {
    let bindings = [Binding::Uniform, Binding::Write];
    Kernel::new("normals, unit length", &bindings).file(&WGSL, "gpu/normals/unit_length.wgsl")
}

/// Returns the kernel that compares blue. It also binds a word, which becomes 1 if blue differs.
pub(super) fn blue_kernel() -> Kernel {
    let bindings = [Binding::Uniform, Binding::Write, Binding::Write];
    Kernel::new("normals, blue", &bindings).file(&WGSL, "gpu/normals/blue.wgsl")
}

/// Returns the kernel that computes blue unless that word is 1.
pub(super) fn z_kernel() -> Kernel {
    let bindings = [Binding::Uniform, Binding::Write, Binding::Read];
    Kernel::new("normals, z", &bindings).file(&WGSL, "gpu/normals/z.wgsl")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ChannelType,
        mips::{MipLevel, MipTexels, renormalize, restored_z},
    };
    use brickwork_gpu::{
        Context, Download, filled_buffer,
        testing::{context, layout, offsets},
        wgpu,
    };

    #[test]
    fn structs_lie_in_memory_as_the_kernel_says() {
        let (members, size) = layout(&unit_length_kernel(), "Normals");
        let expected = offsets!(NormalParams: "size" size, "pitch" pitch);
        assert_eq!((members, size), (expected, size_of::<NormalParams>()));
    }

    /// Runs kernels over rows of `width` texels that are `pitch` apart, and returns all texels.
    fn run(
        context: &Context,
        kernels: &[Kernel],
        texels: &[[u8; 4]],
        width: u32,
        pitch: u32,
    ) -> Vec<[u8; 4]> {
        let device = context.device();
        let height = texels.len() as u32 / pitch;
        let params = NormalParams { size: [width, height], pitch, padding: 0 };
        let params =
            filled_buffer(device, "params", bytemuck::bytes_of(&params), wgpu::BufferUsages::UNIFORM);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let buffer = filled_buffer(device, "texels", bytemuck::cast_slice(texels), usage);
        let differs = context.buffer("differs", 4, usage).unwrap();
        let mut commands = device.create_command_encoder(&Default::default());
        for kernel in kernels {
            let pipeline = context.pipeline(kernel).unwrap();
            let buffers = [&params, &buffer, &differs];
            let bound: Vec<_> =
                buffers[..kernel.bindings().len()].iter().map(|buffer| buffer.as_entire_binding()).collect();
            let bound = pipeline.bind(device, &bound);
            let groups = (width * height).div_ceil(64);
            pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, groups);
        }
        context.queue().submit([commands.finish()]);
        let found = Download::new(context, &buffer, 0..buffer.size()).unwrap().wait(context).unwrap();
        found.as_chunks::<4>().0.to_vec()
    }

    #[test]
    fn vectors_get_the_length_that_the_cpu_gives_them() {
        let Some(context) = context() else { return };
        const BLUE: [u8; 8] = [0, 1, 96, 127, 128, 150, 200, 255];
        let texels: Vec<[u8; 4]> =
            (0..1 << 19).map(|i: u32| [i as u8, (i >> 8) as u8, BLUE[(i >> 16) as usize], i as u8]).collect();
        let mut level = MipLevel::new([1024, 512], ChannelType::U8).unwrap();
        let MipTexels::Rgba8(expected) = level.texels_mut() else { panic!("not 8 bits") };
        expected.copy_from_slice(&texels);
        renormalize(&mut level);
        let MipTexels::Rgba8(expected) = level.texels() else { panic!("not 8 bits") };
        let found = run(&context, &[unit_length_kernel()], &texels, 1024, 1024);
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert_eq!(found, expected, "{:?}", texels[i]);
        }
    }

    #[test]
    fn z_is_computed_where_blue_is_the_same_everywhere() {
        let Some(context) = context() else { return };
        let kernels = [blue_kernel(), z_kernel()];
        // Rows of 250 texels; the blue of the six others does not count.
        let blue = |i: u32| if i % 256 < 250 { 7 } else { i as u8 };
        let mut texels: Vec<[u8; 4]> =
            (0..1 << 16).map(|i: u32| [i as u8, (i >> 8) as u8, blue(i), 9]).collect();
        let found = run(&context, &kernels, &texels, 250, 256);
        for (i, (found, [x, y, z, alpha])) in (0u32..).zip(found.iter().zip(texels.clone())) {
            let z = if i % 256 < 250 { restored_z(x, y) } else { z };
            assert_eq!(*found, [x, y, z, alpha]);
        }
        texels[40_000][2] = 8;
        assert_eq!(run(&context, &kernels, &texels, 250, 256), texels);
    }
}
