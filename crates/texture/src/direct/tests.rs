//! Tests every way to store blocks in an image's memory with the layouts of real GPUs. The bytes are those of
//! blocks in rows, permuted, and padding does not change.

use super::{
    Strategy,
    cache::Cache,
    kernels::{Params, encode_kernel, place_kernel},
    probe,
    record::Part,
    tiling::{MacroTile, Tiling, simulated},
};
use crate::{Task, codecs::singles};
use brickwork_base::testing::skip;
use brickwork_gpu::{
    BlockImage, BlockImageDesc, Context, ContextOptions, Download, Kernel, filled_buffer, testing, wgpu,
};
use wgpu::BufferUsages as Usage;

const PADDING: u8 = 0xee;

fn storage(context: &Context, contents: &[u8]) -> wgpu::Buffer {
    filled_buffer(context.device(), "test", contents, Usage::STORAGE | Usage::COPY_SRC)
}

fn read(context: &Context, buffer: &wgpu::Buffer) -> Vec<u8> {
    Download::new(context, buffer, 0..buffer.size()).unwrap().wait(context).unwrap()
}

/// Returns the contents of memory with `bytes` bytes of padding after running the kernel that `kernel` makes
/// for each part.
fn stored(
    context: &Context,
    (tiling, by_slot): (&Tiling, bool),
    bytes: usize,
    kernel: &dyn Fn(&Part<'_>) -> Kernel,
    params: &Params,
    source: wgpu::BindingResource<'_>,
) -> Vec<u8> {
    let memory = storage(context, &vec![PADDING; bytes]);
    let part = Part::Memory { memory: &memory, tiling, by_slot };
    let pipeline = context.pipeline(&kernel(&part)).unwrap();
    let mut commands = context.device().create_command_encoder(&Default::default());
    part.record(context, &mut commands, &pipeline, params, source).unwrap();
    context.checked("submitting", || context.queue().submit([commands.finish()])).unwrap();
    read(context, &memory)
}

/// Returns bytes in which no two blocks are equal.
fn blocks(count: u32, bytes_per_block: u32) -> Vec<u8> {
    (0..count * bytes_per_block / 4).flat_map(|word| word.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect()
}

#[test]
fn blocks_are_placed_in_every_layout() {
    let Some(context) = testing::context() else { return };
    // More than one macro tile in each direction, and not a multiple of one.
    let (width, height) = (150, 131);
    for layout in simulated::layouts() {
        let tiling = Tiling::fit(width, height, &layout.slots(width, height)).unwrap();
        let bytes_per_block = layout.bytes_per_block();
        let blocks = blocks(width * height, bytes_per_block);
        let source = storage(&context, &blocks);
        let whole = layout.memory(width, height, &blocks, PADDING);
        // A part that ends within the texture. Padding fills the rest.
        let (corner, size) = ([9, 14], [70, 33]);
        let mut masked = vec![PADDING; blocks.len()];
        for y in corner[1]..corner[1] + size[1] {
            let row = ((y * width + corner[0]) * bytes_per_block) as usize;
            let row = row..row + (size[0] * bytes_per_block) as usize;
            masked[row.clone()].copy_from_slice(&blocks[row]);
        }
        let part = layout.memory(width, height, &masked, PADDING);
        for by_slot in [false, true] {
            let params = Params { blocks: [width, height], pitch: width, ..Default::default() };
            let first = corner[1] * width + corner[0];
            let of_part = Params { corner, blocks: size, first, pitch: width, ..Default::default() };
            for (params, expected) in [(params, &whole), (of_part, &part)] {
                let kernel = |part: &Part<'_>| place_kernel(bytes_per_block, &part.store());
                let source = source.as_entire_binding();
                let found = stored(&context, (&tiling, by_slot), whole.len(), &kernel, &params, source);
                let differs = found.iter().zip(expected).position(|(a, b)| a != b);
                assert_eq!(differs, None, "{}, by slot: {by_slot}, {params:?}", layout.name());
            }
        }
    }
}

#[test]
fn encoders_store_in_the_layouts_of_gpus() {
    let Some(context) = testing::context() else { return };
    let (width, height) = (70, 67);
    // (Alpha is at least 128, so that no block of BC1 is transparent.)
    let value = |i: u32| (i.wrapping_mul(0x9e37_79b9) >> 27) as u8 + (i / 97) as u8 / 2;
    let texels: Vec<u8> =
        (0..4 * width * 4 * height * 4).map(|i| value(i) | u8::from(i % 4 == 3) << 7).collect();
    let size = wgpu::Extent3d { width: 4 * width, height: 4 * height, depth_or_array_layers: 1 };
    let texture = context.device().create_texture(&wgpu::TextureDescriptor {
        label: Some("source"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(16 * width), rows_per_image: None };
    context.queue().write_texture(texture.as_image_copy(), &texels, layout, size);
    let view = texture.create_view(&Default::default());
    let source = || wgpu::BindingResource::TextureView(&view);
    let params =
        Params { size: [4 * width, 4 * height], blocks: [width, height], pitch: width, ..Default::default() };
    for single in singles() {
        let bytes_per_block = single.block_bytes;
        let linear = storage(&context, &vec![0; (width * height * bytes_per_block) as usize]);
        let part = Part::Buffer(&linear);
        let pipeline = context.pipeline(&encode_kernel(&single, &part.store(), true)).unwrap();
        let mut commands = context.device().create_command_encoder(&Default::default());
        part.record(&context, &mut commands, &pipeline, &params, source()).unwrap();
        context.checked("submitting", || context.queue().submit([commands.finish()])).unwrap();
        let linear = read(&context, &linear);
        let blocks: std::collections::HashSet<_> = linear.chunks(bytes_per_block as usize).collect();
        assert!(blocks.len() > 2000, "{}: {}", single.name, blocks.len());
        // One layout for each kind of code, and the article's layout.
        let names = [
            "linear",
            "Morton, X first, 32×32",
            "Morton, Y first, 16×16",
            "NVIDIA since Turing, 16 GOBs",
            "AMD GFX11 64KB_R_X",
            "Intel Tile 4",
        ];
        for name in names {
            let layout = simulated::layouts().into_iter().find(|layout| {
                layout.name().starts_with(name) && layout.bytes_per_block() == bytes_per_block
            });
            let layout = layout.unwrap_or_else(|| panic!("no layout {name}"));
            let tiling = Tiling::fit(width, height, &layout.slots(width, height)).unwrap();
            let expected = layout.memory(width, height, &linear, PADDING);
            for by_slot in [false, true] {
                let kernel = |part: &Part<'_>| {
                    let kernel = encode_kernel(&single, &part.store(), true);
                    testing::assert_every_language(std::slice::from_ref(&kernel));
                    kernel
                };
                let found = stored(&context, (&tiling, by_slot), expected.len(), &kernel, &params, source());
                assert!(found == expected, "{name}, by slot: {by_slot}");
            }
        }
    }
}

#[test]
fn tilings_are_kept_and_tried_before_they_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let options = ContextOptions::default().with(|o| o.cache_folder = Some(folder.path().to_owned()));
    let Some(context) = testing::open(&options) else { return };
    let format = wgpu::TextureFormat::Bc7RgbaUnorm;
    let mut desc = BlockImageDesc::new(format, [260, 132]);
    desc.mip_levels = 9;
    desc.layers = 2;
    let Ok(image) = BlockImage::with_memory(&context, &desc) else {
        return skip("no buffer can share an image's memory");
    };
    let tilings =
        |cache: &Cache| probe::tilings(&context, &image, cache, Strategy::WritesSwizzled, &Task::new());
    let Ok(found) = tilings(&Cache::default()) else {
        return skip("the order of blocks is not known");
    };
    // Another process reads them from the file.
    let cache = Cache::default();
    assert_eq!(cache.get(&context, &desc).as_ref(), Some(&found));
    assert_eq!(tilings(&cache).unwrap(), found);
    // A wrong tiling is detected, and replaced in the file.
    let moved = |at: usize| {
        let mut wrong = found.clone();
        wrong[at] = wrong[at].with_base(wrong[at].base() + 1).unwrap();
        wrong
    };
    let swizzled = {
        let mut wrong = found.clone();
        let tile = MacroTile::new([1, 1, 2], 0, &[2], &[1]).unwrap();
        wrong[0] = Tiling::new(65, 33, found[0].base(), 33, tile).unwrap();
        wrong
    };
    for wrong in [moved(0), moved(8), moved(17), swizzled] {
        cache.keep(&context, &desc, &wrong);
        assert_eq!(tilings(&cache).unwrap(), found);
        assert_eq!(Cache::default().get(&context, &desc).as_ref(), Some(&found));
    }
}
