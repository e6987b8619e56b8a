//! Tests the WGSL with every layout.

use crate::direct::tiling::{MacroTile, Tiling, TilingCode, TilingSize, simulated::layouts};
use brickwork_gpu::{
    Binding, Context, Download, Kernel, filled_buffer, offsets,
    testing::{assert_default_limits, assert_every_language, context, layout},
    wgpu,
};

const MAIN: &str = "
@group(0) @binding(0) var<uniform> tiling: TilingSize;
@group(0) @binding(1) var<storage, read_write> slots: array<u32>;
@group(0) @binding(2) var<storage, read_write> blocks: array<vec2<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 64u + lane;
    if i < arrayLength(&slots) {
        slots[i] = slot_of_block(vec2(i % tiling.blocks.x, i / tiling.blocks.x));
    }
    if i < arrayLength(&blocks) {
        // The last slot is far outside.
        blocks[i] = block_of_slot(select(i, 0xffffff00u, i == arrayLength(&blocks) - 1u));
    }
}
";

fn kernel(code: TilingCode) -> Kernel {
    let name = match code {
        TilingCode::Morton => "test tiling: Morton",
        TilingCode::Diagonals => "test tiling: diagonals",
        TilingCode::Rows => "test tiling: rows",
    };
    Kernel::new(name, &[Binding::Uniform, Binding::Write, Binding::Write]).parts(&[&code.wgsl(), MAIN])
}

fn with_overrides(tiling: &Tiling, code: TilingCode) -> Kernel {
    tiling.overrides_of(code).into_iter().fold(kernel(code), |kernel, (name, value)| kernel.with(name, value))
}

/// Asserts that all slots and all blocks are those of Rust.
fn assert_equal(context: &Context, tiling: &Tiling, code: TilingCode, name: &str) {
    use wgpu::BufferUsages as Usage;
    let pipeline = context.pipeline(&with_overrides(tiling, code)).unwrap();
    let (device, queue) = (context.device(), context.queue());
    let size = filled_buffer(device, "size", bytemuck::bytes_of(&tiling.size()), Usage::UNIFORM);
    let [block_count, slot_count] = [tiling.width() * tiling.height(), tiling.slot_count() + 70];
    let output = |count: u32, bytes: u32| {
        let contents = vec![0xee; (count * bytes) as usize];
        filled_buffer(device, "output", &contents, Usage::STORAGE | Usage::COPY_SRC)
    };
    let (slots, blocks) = (output(block_count, 4), output(slot_count, 8));
    let resources = [&size, &slots, &blocks].map(|buffer| buffer.as_entire_binding());
    let bound = pipeline.bind(device, &resources);
    let mut commands = device.create_command_encoder(&Default::default());
    let mut pass = commands.begin_compute_pass(&Default::default());
    pipeline.dispatch(&mut pass, &bound, block_count.max(slot_count).div_ceil(64));
    drop(pass);
    context.checked("submitting", || queue.submit([commands.finish()])).unwrap();
    let words = |buffer: &wgpu::Buffer| -> Vec<u32> {
        let bytes = Download::new(context, buffer, 0..buffer.size()).unwrap().wait(context).unwrap();
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    };
    for (i, found) in (0..).zip(words(&slots)) {
        let (x, y) = (i % tiling.width(), i / tiling.width());
        assert_eq!(found, tiling.slot(x, y), "{name}, {code:?}: block ({x}, {y})");
    }
    for (i, found) in (0..).zip(words(&blocks).chunks_exact(2)) {
        let slot = if i == slot_count - 1 { 0xffff_ff00 } else { i };
        let expected = tiling.block(slot).unwrap_or((u32::MAX, u32::MAX));
        assert_eq!((found[0], found[1]), expected, "{name}, {code:?}: slot {slot}");
    }
}

#[test]
fn wgsl_has_the_same_slots_and_blocks() {
    let Some(context) = context() else { return };
    let mut seen = Vec::new();
    for layout in layouts() {
        for (width, height, base) in [(150, 90, 0), (131, 66, 48), (1, 1, 5)] {
            let fitted = Tiling::fit(width, height, &layout.slots(width, height)).unwrap();
            let tiling = fitted.with_base(base).unwrap();
            assert_equal(&context, &tiling, tiling.code(), layout.name());
            // `Rows` supports every tiling.
            assert_equal(&context, &tiling, TilingCode::Rows, layout.name());
            seen.push(tiling.code());
        }
    }
    for code in [TilingCode::Morton, TilingCode::Diagonals] {
        assert!(seen.contains(&code), "{code:?}");
    }
    assert!(!seen.contains(&TilingCode::Rows), "layouts of real GPUs have few diagonals");
}

#[test]
fn wgsl_has_matrices_of_any_kind() {
    let Some(context) = context() else { return };
    let mut state = 1u64;
    let mut bits = |count: u32| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as u32 & ((1 << count) - 1)
    };
    let mut seen = Vec::new();
    while seen.len() < 24 {
        let [width_log2, height_log2, spare] = [bits(3), bits(3), bits(1)];
        let slots_log2 = width_log2 + height_log2 + spare;
        let [x, y] = [0, 0].map(|_| (0..9).map(|_| bits(slots_log2)).collect::<Vec<u32>>());
        let size = [width_log2, height_log2, slots_log2];
        let Ok(tile) = MacroTile::new(size, bits(slots_log2), &x, &y) else { continue };
        let (width, height) = (1 + bits(8), 1 + bits(7));
        let pitch = width.div_ceil(1 << width_log2) + bits(2);
        let tiling = Tiling::new(width, height, bits(6), pitch, tile).unwrap();
        assert_equal(&context, &tiling, tiling.code(), &tiling.to_text());
        seen.push(tiling.code());
    }
    assert!(seen.contains(&TilingCode::Rows));
}

#[test]
fn the_wgsl_is_valid_everywhere() {
    let kernels: Vec<Kernel> = TilingCode::ALL.iter().map(|&code| kernel(code)).collect();
    assert_every_language(&kernels);
    assert_default_limits(&kernels);
    let offsets = offsets![TilingSize: "blocks" blocks, "pitch" pitch, "base" base];
    assert_eq!(layout(&kernels[0], "TilingSize"), (offsets, size_of::<TilingSize>()));
}

/// Compiles the kernels of notes.md. Each is named before its driver prints the instruction count.
#[test]
fn compilers_count_instructions() {
    let Some(context) = context() else { return };
    let all = layouts();
    let named = |start: &str| {
        let layout = all.iter().find(|layout| layout.name().starts_with(start)).unwrap();
        Tiling::fit(385, 193, &layout.slots(385, 193)).unwrap()
    };
    let compile = |start: &str, code: TilingCode, stored: &str| {
        let tiling = named(start);
        let main = format!(
            "@group(0) @binding(0) var<uniform> tiling: TilingSize;
            @group(0) @binding(1) var<storage, read_write> blocks: array<vec2<u32>>;
            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {{ let i = id.x; blocks[i] = {stored}; }}"
        );
        let name: &'static str = format!("{start}, {code:?}: {stored}").leak();
        let kernel = Kernel::new(name, &[Binding::Uniform, Binding::Write]).parts(&[&code.wgsl(), &main]);
        let overrides = tiling.overrides_of(code);
        println!("{name}");
        context.pipeline(&overrides.into_iter().fold(kernel, |kernel, (n, v)| kernel.with(n, v))).unwrap();
    };
    compile("linear", TilingCode::Rows, "vec2(tiling.pitch, i)");
    for stored in ["vec2(slot_of_block(vec2(i & 1023u, i >> 10u)), 0u)", "block_of_slot(i)"] {
        for start in ["linear", "NVIDIA since Turing, 16", "Adreno, 8", "AMD GFX11 64KB_R_X"] {
            compile(start, TilingCode::Diagonals, stored);
            compile(start, TilingCode::Rows, stored);
        }
        for &code in TilingCode::ALL {
            compile("Morton, X first, 32", code, stored);
        }
    }
}
