use super::*;
use crate::{Binding, Context, Download, GpuError, Kernel, testing};
use wgpu::{TextureFormat, TextureUsages};

const SIZES: [([u32; 2], u32, u32); 4] =
    [([64, 64], 7, 1), ([260, 132], 9, 2), ([1, 1], 1, 1), ([5, 7], 3, 1)];

fn shapes() -> impl Iterator<Item = BlockImageDesc> {
    [TextureFormat::Bc1RgbaUnormSrgb, TextureFormat::Bc5RgUnorm, TextureFormat::Bc7RgbaUnorm]
        .into_iter()
        .flat_map(|format| {
            SIZES.map(|(size, mip_levels, layers)| BlockImageDesc { format, size, mip_levels, layers })
        })
}

/// A copy of a mip level's blocks to the CPU, in rows of a multiple of 256 bytes.
struct Copy {
    staging: wgpu::Buffer,
    row_bytes: usize,
    pitch: usize,
}

impl Copy {
    fn new(
        context: &Context,
        commands: &mut wgpu::CommandEncoder,
        image: &BlockImage,
        level: u32,
        layer: u32,
    ) -> Self {
        let [columns, rows] = image.desc().blocks(level);
        let row_bytes = (columns * image.desc().block_bytes()) as usize;
        let pitch = row_bytes.next_multiple_of(256);
        let staging = Download::staging(context, (pitch * rows as usize) as u64).unwrap();
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(pitch as u32),
            rows_per_image: None,
        };
        let from = wgpu::TexelCopyTextureInfo {
            texture: image.texture(),
            mip_level: level,
            origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
            aspect: wgpu::TextureAspect::All,
        };
        let size = wgpu::Extent3d { width: 4 * columns, height: 4 * rows, depth_or_array_layers: 1 };
        commands.copy_texture_to_buffer(from, wgpu::TexelCopyBufferInfo { buffer: &staging, layout }, size);
        Self { staging, row_bytes, pitch }
    }

    fn read(&self, context: &Context, submission: &wgpu::SubmissionIndex) -> Vec<u8> {
        let download = Download::submitted(&self.staging, self.staging.size(), submission.clone());
        let all = download.wait(context).unwrap();
        all.chunks(self.pitch).flat_map(|row| row[..self.row_bytes].to_vec()).collect()
    }
}

fn read(context: &Context, image: &BlockImage, level: u32, layer: u32) -> Vec<u8> {
    let mut commands = context.device().create_command_encoder(&Default::default());
    let copy = Copy::new(context, &mut commands, image, level, layer);
    copy.read(context, &context.queue().submit([commands.finish()]))
}

/// Returns the words that the kernels write into block `number`.
fn block(number: u32, salt: u32, words: usize) -> Vec<u8> {
    (0..words as u32)
        .flat_map(|word| (number.wrapping_mul(0x9e37_79b9) ^ (word * 77 + salt)).to_le_bytes())
        .collect()
}

fn view_kernel(words: usize) -> Kernel {
    let (name, binding, format) = match words {
        2 => ("write a view of two words", Binding::StoreTwoWords, "rg32uint"),
        _ => ("write a view of four words", Binding::StoreFourWords, "rgba32uint"),
    };
    Kernel::new(name, &[Binding::Uniform, binding]).part(&format!(
        "@group(0) @binding(0) var<uniform> params: vec4<u32>; // columns, rows, salt
         @group(0) @binding(1) var words_of: texture_storage_2d<{format}, write>;
         @compute @workgroup_size(64)
         fn main(
             @builtin(workgroup_id) group: vec3<u32>,
             @builtin(num_workgroups) groups: vec3<u32>,
             @builtin(local_invocation_index) thread: u32,
         ) {{
             let number = (group.y * groups.x + group.x) * 64u + thread;
             if number >= params.x * params.y {{ return; }}
             let words = vec4(number * 0x9e3779b9u) ^ (vec4(0u, 77u, 154u, 231u) + params.z);
             textureStore(words_of, vec2(number % params.x, number / params.x), words);
         }}"
    ))
}

/// Records kernels that write all blocks of a mip level.
fn write(
    context: &Context,
    commands: &mut wgpu::CommandEncoder,
    image: &BlockImage,
    level: u32,
    layer: u32,
    salt: u32,
) {
    let BlockWords::View(words) = image.words() else { panic!("a view") };
    let desc = image.desc();
    let [columns, rows] = desc.blocks(level);
    let pipeline = context.pipeline(&view_kernel(desc.block_bytes() as usize / 4)).unwrap();
    let contents: Vec<u8> = [columns, rows, salt, 0].into_iter().flat_map(u32::to_le_bytes).collect();
    let params = crate::filled_buffer(context.device(), "params", &contents, wgpu::BufferUsages::UNIFORM);
    let view = words.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2),
        usage: Some(TextureUsages::STORAGE_BINDING),
        base_mip_level: level,
        mip_level_count: Some(1),
        base_array_layer: layer,
        array_layer_count: Some(1),
        ..Default::default()
    });
    let bound = pipeline
        .bind(context.device(), &[params.as_entire_binding(), wgpu::BindingResource::TextureView(&view)]);
    let mut pass = commands.begin_compute_pass(&Default::default());
    pipeline.dispatch(&mut pass, &bound, (columns * rows).div_ceil(64));
}

fn expected(desc: &BlockImageDesc, level: u32, salt: u32) -> Vec<u8> {
    let [columns, rows] = desc.blocks(level);
    (0..columns * rows).flat_map(|number| block(number, salt, desc.block_bytes() as usize / 4)).collect()
}

/// Returns `None` if the device has no such image. Only SwiftShader and others without Vulkan may lack them.
fn made(context: &Context, made: Result<BlockImage, GpuError>) -> Option<BlockImage> {
    let name = context.info().map_or_else(String::new, |info| info.name.clone());
    match made {
        Ok(image) => Some(image),
        Err(GpuError::Unsupported { .. }) if !name.contains("llvmpipe") => None,
        Err(error) => panic!("{name}: {error}"),
    }
}

#[test]
fn blocks_written_through_a_view_are_the_texture_s() {
    let Some(context) = testing::context() else { return };
    for desc in shapes() {
        let Some(image) = made(&context, BlockImage::with_view(&context, &desc)) else { return };
        // New ones are zero.
        let last = desc.mip_levels - 1;
        assert!(read(&context, &image, last, 0).iter().all(|&byte| byte == 0), "{desc:?}");
        // Written twice in one encoder, so that the second pass starts with the results of the first.
        let mut commands = context.device().create_command_encoder(&Default::default());
        for level in 0..desc.mip_levels {
            for layer in 0..desc.layers {
                image.begin(&mut commands);
                write(&context, &mut commands, &image, level, layer, level + 100 * layer);
                image.end(&mut commands);
            }
        }
        // The data read in between are those written before.
        let copy = Copy::new(&context, &mut commands, &image, 0, 0);
        image.begin(&mut commands);
        write(&context, &mut commands, &image, 0, 0, 9);
        image.end(&mut commands);
        let submitted =
            context.checked("submitting", || context.queue().submit([commands.finish()])).unwrap();
        assert!(copy.read(&context, &submitted) == expected(&desc, 0, 0), "{desc:?}, in between");
        for level in 0..desc.mip_levels {
            for layer in 0..desc.layers {
                let salt = if (level, layer) == (0, 0) { 9 } else { level + 100 * layer };
                let found = read(&context, &image, level, layer);
                assert!(found == expected(&desc, level, salt), "{desc:?}, level {level}, layer {layer}");
            }
        }
    }
}

#[test]
fn an_image_s_memory_holds_its_blocks() {
    let Some(context) = testing::context() else { return };
    for desc in shapes() {
        let Some(image) = made(&context, BlockImage::with_memory(&context, &desc)) else { return };
        let BlockWords::Memory(memory) = image.words() else { panic!("memory") };
        // Blocks copied to the texture are somewhere in the memory.
        let [columns, rows] = desc.blocks(0);
        let blocks = expected(&desc, 0, 5);
        context.queue().write_texture(
            image.texture().as_image_copy(),
            &blocks,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(columns * desc.block_bytes()),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: 4 * columns, height: 4 * rows, depth_or_array_layers: 1 },
        );
        let staging = Download::staging(&context, memory.size()).unwrap();
        let mut commands = context.device().create_command_encoder(&Default::default());
        let half = memory.size() / 8 * 4;
        image.copy_memory(&mut commands, [0..half, half..memory.size()], &staging);
        let submission = context.queue().submit([commands.finish()]);
        let bytes = Download::submitted(&staging, memory.size(), submission).wait(&context).unwrap();
        for block in blocks.chunks(desc.block_bytes() as usize) {
            assert!(bytes.chunks(block.len()).any(|slot| slot == block), "{desc:?}");
        }
        // Data written to the memory are in the texture.
        let invert = Kernel::new("invert", &[Binding::Write]).part(
            "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
             @compute @workgroup_size(64)
             fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                 if id.x < arrayLength(&words) { words[id.x] = ~words[id.x]; }
             }",
        );
        let pipeline = context.pipeline(&invert).unwrap();
        let bound = pipeline.bind(context.device(), &[memory.as_entire_binding()]);
        let mut commands = context.device().create_command_encoder(&Default::default());
        image.begin(&mut commands);
        let count = (memory.size() / 256 + 1) as u32;
        pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, count);
        image.end(&mut commands);
        context.checked("submitting", || context.queue().submit([commands.finish()])).unwrap();
        let found = read(&context, &image, 0, 0);
        assert!(found.iter().zip(&blocks).all(|(found, block)| found ^ block == 255), "{desc:?}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let Some(context) = testing::context() else { return };
    let good =
        BlockImageDesc { format: TextureFormat::Bc7RgbaUnorm, size: [64, 64], mip_levels: 1, layers: 1 };
    let wrong = [
        BlockImageDesc { format: TextureFormat::Rgba8Unorm, ..good },
        BlockImageDesc { size: [0, 64], ..good },
        BlockImageDesc { mip_levels: 0, ..good },
        BlockImageDesc { mip_levels: 8, ..good },
        BlockImageDesc { layers: 0, ..good },
        BlockImageDesc { layers: 1 << 20, ..good },
        BlockImageDesc { size: [1 << 20, 4], ..good },
    ];
    for desc in wrong {
        for made in [BlockImage::with_view(&context, &desc), BlockImage::with_memory(&context, &desc)] {
            let error = made.err().unwrap_or_else(|| panic!("{desc:?} was made"));
            assert!(
                matches!(
                    error,
                    GpuError::BlockImage(_) | GpuError::Validation { .. } | GpuError::Limit { .. }
                ),
                "{desc:?}: {error}"
            );
        }
    }
}
