//! The kernel through naga, and bricks on a GPU beside the CPU's.

use super::{BrickJob, brick_kernel, weights};
use crate::brick;
use brickwork_gpu::{Context, ContextOptions, Download, filled_buffer, wgpu::BufferUsages};
use naga::{
    back::{hlsl, msl, spv, wgsl},
    front::wgsl::parse_str,
    valid::{Capabilities, ValidationFlags, Validator},
};

#[test]
fn the_kernel_becomes_every_language() {
    let kernel = brick_kernel();
    let module = parse_str(kernel.wgsl()).unwrap_or_else(|e| panic!("{}", e.emit_to_string(kernel.wgsl())));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}", e.emit_to_string(kernel.wgsl())));
    let options = spv::Options { lang_version: (1, 3), ..Default::default() };
    assert!(!spv::write_vec(&module, &info, &options, None).expect("SPIR-V").is_empty());
    let options = msl::Options { lang_version: (2, 1), ..Default::default() };
    assert!(
        msl::write_string(&module, &info, &options, &Default::default())
            .expect("MSL")
            .0
            .contains("kernel void")
    );
    let mut text = String::new();
    let options = hlsl::Options { shader_model: hlsl::ShaderModel::V6_0, ..Default::default() };
    hlsl::Writer::new(&mut text, &options, &Default::default()).write(&module, &info, None).expect("HLSL");
    let text = wgsl::write_string(&module, &info, wgsl::WriterFlags::empty()).expect("WGSL");
    parse_str(&text).expect("WGSL again");
    assert!(!kernel.wgsl().contains("u64") && !kernel.wgsl().contains("i64"));
}

/// Bricks of every predictor, level, palette and width, one after the other.
fn bricks() -> (Vec<u8>, Vec<BrickJob>, Vec<u32>) {
    let (mut bytes, mut jobs, mut expected) = (vec![0xff; 3], Vec::new(), Vec::new());
    for seed in 0..3000u32 {
        let mut state = seed * 2 + 1;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let range = u32::MAX >> (seed % 33).min(31);
        let kind = seed / 33 % 5;
        let mut values: Vec<u32> = (0..64u32)
            .map(|i| match kind {
                0 => random(),
                1 => (i % 4 * 3 + i / 4 % 4 * 5 + i / 16 * 7 + (random() & 3)).min(range),
                2 => range - (random() >> (random() % 32)).min(range),
                3 => [0, range / 5, range / 3, range][(i / 7 % 4) as usize],
                _ => (range / 64).wrapping_mul(i) + (random() & 31).min(range / 64),
            } & range)
            .collect();
        values[seed as usize % 64] = 0;
        values[(seed as usize + 9) % 64] = range;
        let range = if seed % 33 == 32 { 0 } else { range };
        let minimum = if range == u32::MAX { 0 } else { random() % (u32::MAX - range) };
        jobs.push(BrickJob { start: bytes.len() as u32, range, minimum, place: seed });
        if range > 0 {
            brick::encode::brick(&values, range, 4, &mut bytes);
        } else {
            values.fill(0);
        }
        expected.extend(values.iter().map(|value| value + minimum));
    }
    (bytes, jobs, expected)
}

#[test]
fn the_gpu_decodes_what_the_cpu_encoded() {
    let context = match Context::open(&ContextOptions::default()) {
        Ok(context) => context,
        Err(error) if std::env::var_os("BRICKWORK_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            println!("skipped: no adapter ({error})");
            return;
        }
    };
    let (mut bytes, jobs, expected) = bricks();
    bytes.resize(bytes.len().next_multiple_of(4) + 4, 0);
    let pipeline = context.pipeline(&brick_kernel()).expect("the kernel compiles");
    let size = 4 * expected.len() as u64;
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
    let voxels = context.buffer("voxels", size, usage).expect("memory");
    let run = || {
        let device = context.device();
        let filled = |name, bytes: &[u8]| filled_buffer(device, name, bytes, BufferUsages::STORAGE);
        let words = filled("bricks", &bytes);
        let job_list = filled("jobs", bytemuck::cast_slice(&jobs));
        let weights = filled("weights", &weights());
        let bound = pipeline
            .bind(device, &[&words, &job_list, &weights, &voxels].map(|buffer| buffer.as_entire_binding()));
        let mut commands = device.create_command_encoder(&Default::default());
        pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, jobs.len() as u32);
        context.queue().submit([commands.finish()]);
    };
    context.checked("decoding", run).expect("a sound kernel");
    let back = Download::new(&context, &voxels, 0..size).and_then(|d| d.wait(&context)).expect("read back");
    let back: Vec<u32> = bytemuck::pod_collect_to_vec(&back);
    for (i, (back, expected)) in back.chunks(64).zip(expected.chunks(64)).enumerate() {
        assert_eq!(back, expected, "brick {i}: {:?}", jobs[i]);
    }
}
