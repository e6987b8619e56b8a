//! Test that the quotients of `numbers.wgsl` are those of IEEE 754.

use crate::wgsl::WGSL;
use brickwork_gpu::{
    Binding, Download, Kernel, filled_buffer,
    testing::context,
    wgpu::{self, BufferUsages as Usage},
};

const MAIN: &str = "
struct Params {
    zero: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pairs: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> quotients: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let pair = pairs[id.x];
    // GPUs may be off by 2.5 units in the last place.
    let off = i32(id.x % 9u) - 4;
    let inverse = bitcast<u32>(1.0 / f32(fraction_of(pair.y))) + bitcast<u32>(off);
    quotients[id.x] = corrected_quotient(pair.x, pair.y, bitcast<f32>(inverse));
}
";

/// Returns pairs of every kind: random ones, those of nearly equal fractions, and those with few bits.
fn pairs(count: usize) -> Vec<[f32; 2]> {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let mut pair = |place: usize| {
        let fraction = random() & 0x7f_ffff;
        let other = match place % 4 {
            0 => random() & 0x7f_ffff,
            1 => (fraction + random() % 5).saturating_sub(2) & 0x7f_ffff,
            2 => [0, 1, 2, 0x7f_ffff, 0x7f_fffe, 0x40_0000][random() as usize % 6],
            _ => (random() & 0x7f_ffff) & !0xffff,
        };
        let float = |fraction: u32, exponent: u32| f32::from_bits((127 - 40 + exponent) << 23 | fraction);
        let [a, b] = [float(fraction, random() % 80), float(other, random() % 80)];
        match place % 64 {
            0 => [0.0, b],
            n if n % 3 == 0 => [-a, b],
            n if n % 3 == 1 => [float(other, random() % 80), float(fraction, random() % 80)],
            _ => [a, b],
        }
    };
    (0..count).map(&mut pair).collect()
}

#[test]
fn quotients_are_those_of_ieee_754() {
    let Some(context) = context() else { return };
    let kernel = Kernel::new("quotients", &[Binding::Uniform, Binding::Read, Binding::Write])
        .file(&WGSL, "bc/bc6h/numbers.wgsl")
        .part(MAIN);
    let pipeline = context.pipeline(&kernel).unwrap();
    let pairs = pairs(1 << 18);
    let bytes = 4 * pairs.len() as u64;
    let device = context.device();
    let params = filled_buffer(device, "zero", &[0; 16], Usage::UNIFORM);
    let source = filled_buffer(device, "pairs", bytemuck::cast_slice(&pairs), Usage::STORAGE);
    let target = context.buffer("quotients", bytes, Usage::STORAGE | Usage::COPY_SRC).unwrap();
    let mut commands = device.create_command_encoder(&Default::default());
    let mut pass = commands.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    let bound = [&params, &source, &target].map(wgpu::Buffer::as_entire_binding);
    pipeline.dispatch(&mut pass, &pipeline.bind(device, &bound), pairs.len() as u32 / 64);
    drop(pass);
    context.queue().submit([commands.finish()]);
    let found = Download::new(&context, &target, 0..bytes).unwrap().wait(&context).unwrap();
    for (&[a, b], found) in pairs.iter().zip(found.as_chunks().0) {
        assert_eq!(f32::from_ne_bytes(*found), a / b, "{a:e} / {b:e}");
    }
}
