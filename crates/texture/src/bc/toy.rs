//! Tests with formats of a few lines, which use the same machinery as the real ones: rows on the CPU, chains
//! on a GPU, bands, recorded commands, mip levels.

use super::codec::{BlockCoder, Codec, EncoderFamily, RowDecoder, RowEncoder, row_decoder};
use crate::{
    AlphaMode, BlockFormat, ColorSpace, CpuEncoder, EncodeOptions, Encoder, Image, ImageView, ImageViewMut,
    MipFilter, RoundingRule, Task, Texel, TexelFormat, TextureDesc,
    decode::decode_by,
    encode::{Coder, encode_texture_by},
};
use half::f16;
use std::num::NonZeroUsize;

/// Format of 8 bytes: the mean of the texels, then the last of them.
static SOLID: Codec = Codec {
    name: "toy solid",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: Some(|_, _, _| {
        RowEncoder::Rgba8(Box::new(|rows, blocks, _| {
            for (column, block) in blocks.chunks_exact_mut(8).enumerate() {
                let texels = rows.block(column);
                for c in 0..4 {
                    let sum: u32 = texels.iter().map(|texel| u32::from(texel[c])).sum();
                    (block[c], block[4 + c]) = ((sum / 16) as u8, texels[15][c]);
                }
            }
            Ok(())
        }))
    }),
    decoder: |_| row_decoder(|&[r, g, b, a, ..]: &[u8; 8]| move |_| u32::from_le_bytes([r, g, b, a])),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(|_| gpu::chain("toy solid", include_str!("toy_solid.wgsl"))),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc4RUnorm],
};

/// Format of 16 bytes: the first and the last texel in half floats.
static HALVES: Codec = Codec {
    name: "toy halves",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::RgbaF16,
    rows: Some(|_, _, _| {
        RowEncoder::RgbaF16(Box::new(|rows, blocks, _| {
            for (column, block) in blocks.chunks_exact_mut(16).enumerate() {
                let texels = rows.block(column);
                block.copy_from_slice(bytemuck::cast_slice(&[texels[0], texels[15]]));
            }
            Ok(())
        }))
    }),
    decoder: |_| RowDecoder::RgbaF16(Box::new(first_texels)),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(|_| gpu::chain("toy halves", include_str!("toy_wide.wgsl"))),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc6hRgbUfloat],
};

/// Format of 16 bytes: the first and the last texel in 16 bits.
static SIXTEEN: Codec = Codec {
    name: "toy 16 bits",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba16,
    rows: Some(|_, _, _| {
        RowEncoder::Rgba16(Box::new(|rows, blocks, _| {
            for (column, block) in blocks.chunks_exact_mut(16).enumerate() {
                let texels = rows.block(column);
                block.copy_from_slice(bytemuck::cast_slice(&[texels[0], texels[15]]));
            }
            Ok(())
        }))
    }),
    decoder: |_| RowDecoder::Rgba16(Box::new(first_texels)),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(|_| gpu::chain("toy 16 bits", include_str!("toy_wide.wgsl"))),
    #[cfg(feature = "gpu")]
    texture_formats: &[],
};

/// Sets each texel to the first texel of its block, which is the first half of the block's 16 bytes.
fn first_texels<T: Texel>(blocks: &[u8], width: usize, stride: usize, texels: &mut [T]) {
    for row in texels.chunks_mut(stride) {
        for (texels, block) in row[..width].chunks_mut(4).zip(blocks.as_chunks::<16>().0) {
            texels.fill(bytemuck::pod_read_unaligned(&block[..8]));
        }
    }
}

/// Test formats, each with a real format of the same block size, for descriptions.
const TOYS: [(&Codec, BlockFormat); 3] =
    [(&SOLID, BlockFormat::Bc4Unorm), (&HALVES, BlockFormat::Bc6hUfloat), (&SIXTEEN, BlockFormat::Bc7)];

/// Returns noise of every magnitude, with NaNs.
fn noise(count: usize) -> Vec<[f16; 4]> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f16::from_bits((state >> 24) as u16 & if state & 7 == 0 { 0xffff } else { 0xbbff })
    };
    (0..count).map(|_| [(); 4].map(|()| random())).collect()
}

/// Returns the blocks of all mip levels.
fn encode(
    encoder: &Encoder,
    image: &dyn Image,
    codec: &'static Codec,
    format: BlockFormat,
    mip_levels: u32,
) -> Vec<u8> {
    let mut desc =
        TextureDesc::of_image(image, format).with_alpha_mode(AlphaMode::Straight).with_mip_levels(mip_levels);
    desc.color_space = ColorSpace::Linear;
    // The GPU has kernels for this filter.
    let options = EncodeOptions::default().with(|o| o.mip_filter = Some(MipFilter::Box));
    let (coder, task) = (Coder::Blocks(BlockCoder::linear(codec)), Task::new());
    encode_texture_by(encoder, image.into(), &desc, coder, &options, &task).unwrap().into_data()
}

#[test]
fn rows_on_the_cpu_take_any_form() {
    let texels = noise(7 * 5);
    let image = ImageView::new(&texels, 7, 5).unwrap();
    let cpu = Encoder::from(CpuEncoder::new());
    let blocks = encode(&cpu, &image, &HALVES, BlockFormat::Bc6hUfloat, 1);
    let [column, row] = [1, 1];
    let block: &[[f16; 4]] = bytemuck::cast_slice(&blocks[16 * (row * 2 + column)..][..16]);
    let bits = |texel: [f16; 4]| texel.map(f16::to_bits);
    // The block's first texel, and the corner of the edge.
    assert_eq!(
        block.iter().map(|&texel| bits(texel)).collect::<Vec<_>>(),
        [bits(texels[4 * 7 + 4]), bits(texels[4 * 7 + 6])]
    );
    let singles: Vec<[f32; 4]> = texels.iter().map(|texel| texel.map(f32::from)).collect();
    let singles = ImageView::new(&singles, 7, 5).unwrap();
    assert_eq!(encode(&cpu, &singles, &HALVES, BlockFormat::Bc6hUfloat, 1), blocks);
    let one_thread = Encoder::from(CpuEncoder::new().with_threads(NonZeroUsize::MIN));
    for (codec, format) in TOYS {
        let [expected, found] = [&one_thread, &cpu].map(|encoder| encode(encoder, &image, codec, format, 3));
        assert_eq!(found, expected, "{format}");
    }
}

/// Decodes to texels with a stride two texels longer than the image's width.
fn decoded<T: bytemuck::Pod>(codec: &Codec, blocks: &[u8], [width, height]: [u32; 2]) -> Vec<T>
where
    for<'a> &'a mut [T]: Into<crate::TexelsMut<'a>>,
{
    let stride = width as usize + 2;
    let mut texels = vec![T::zeroed(); stride * height as usize];
    let mut image = ImageViewMut::with_stride(&mut texels[..], width, height, stride).unwrap();
    decode_by(codec, blocks, RoundingRule::Exact, ColorSpace::Linear, &mut image, &Task::new()).unwrap();
    texels
}

#[test]
fn any_form_is_decoded_to_any_other() {
    let cpu = Encoder::from(CpuEncoder::new());
    let size @ [width, height] = [6, 5];
    let halves: Vec<_> =
        (0..30).map(|i| [i, 2 * i, 90, 10].map(|v| f16::from_f32(v as f32 / 90.0))).collect();
    let image = ImageView::new(&halves, width, height).unwrap();
    let first = |i: usize| halves[i / 8 / 4 * 4 * 6 + i % 8 / 4 * 4];
    let is_inside = |i: usize| i % 8 < 6;
    let blocks = encode(&cpu, &image, &HALVES, BlockFormat::Bc6hUfloat, 1);
    let to_halves = decoded::<[f16; 4]>(&HALVES, &blocks, size);
    let to_floats = decoded::<[f32; 4]>(&HALVES, &blocks, size);
    let to_8_bits = decoded::<[u8; 4]>(&HALVES, &blocks, size);
    for i in 0..8 * 5 {
        let expected = if is_inside(i) { first(i) } else { [f16::ZERO; 4] };
        assert_eq!((to_halves[i], to_floats[i]), (expected, expected.map(f32::from)), "{i}");
        assert_eq!(to_8_bits[i], if is_inside(i) { expected.to_rgba8() } else { [0; 4] }, "{i}");
    }
    let blocks = encode(&cpu, &image, &SIXTEEN, BlockFormat::Bc7, 1);
    let to_16_bits = decoded::<[u16; 4]>(&SIXTEEN, &blocks, size);
    let to_halves = decoded::<[f16; 4]>(&SIXTEEN, &blocks, size);
    for i in (0..8 * 5).filter(|&i| is_inside(i)) {
        let expected = first(i).to_rgba16();
        assert_eq!((to_16_bits[i], to_halves[i]), (expected, expected.to_rgba_f16()), "{i}");
    }
}

#[cfg(feature = "gpu")]
mod gpu {
    use super::*;
    use crate::chain::{Bind, Chain, Dispatch, Step, Work};
    use crate::gpu::{
        BlockRegion, BlockTarget, GpuEncoder, Recording, TexelSource,
        wgpu::{self, BufferUsages},
    };
    use brickwork_gpu::{Binding, Download, Kernel, filled_buffer};

    pub fn chain(name: &'static str, wgsl: &str) -> Chain {
        let work = |dispatch: &Dispatch| {
            let Dispatch { first_block, end_block, target, columns, pitch, .. } = *dispatch;
            let params = [first_block, end_block, target, columns, pitch, 0, 0, 0];
            Work { parts: 1, params: bytemuck::cast_slice(&params).to_vec() }
        };
        let step = Step {
            kernel: Kernel::new(name, &[Binding::Uniform, Binding::Read, Binding::Write])
                .parts(&[include_str!("toy.wgsl"), wgsl]),
            binds: vec![Bind::Params, Bind::Texels, Bind::Blocks],
            parts_per_workgroup: 64,
            blocks_per_dispatch: 1000,
            work: Box::new(work),
        };
        Chain {
            between: Vec::new(),
            tables: Vec::new(),
            steps: vec![step],
            single: None,
            first_band_blocks: 64,
            most_blocks: u32::MAX,
        }
    }

    fn gpu_encoder() -> Option<GpuEncoder> {
        brickwork_gpu::testing::context().map(GpuEncoder::new)
    }

    #[test]
    fn chains_bands_and_mip_levels_give_the_cpu_s_bytes() {
        let Some(gpu) = gpu_encoder() else { return };
        let [cpu, gpu] = [Encoder::from(CpuEncoder::new()), Encoder::from(gpu)];
        for [width, height] in [[1, 1], [7, 5], [33, 64], [301, 203], [5, 1031], [1030, 3]] {
            let halves = noise((width * height) as usize);
            let singles: Vec<[f32; 3]> =
                halves.iter().map(|[r, g, b, _]| [r, g, b].map(|&c| f32::from(c))).collect();
            let bytes: Vec<[u8; 2]> =
                halves.iter().map(|[r, g, ..]| [r, g].map(|c| c.to_bits() as u8)).collect();
            let words: Vec<u16> = halves.iter().map(|texel| texel[0].to_bits()).collect();
            let images: [&dyn Image; 4] = [
                &ImageView::new(&halves, width, height).unwrap(),
                &ImageView::new(&singles, width, height).unwrap(),
                &ImageView::new(&bytes, width, height).unwrap(),
                &ImageView::new(&words, width, height).unwrap(),
            ];
            for (i, image) in images.into_iter().enumerate() {
                for (codec, format) in TOYS {
                    let levels = TextureDesc::of_image(image, format).with_full_mips().mip_levels;
                    let [expected, found] =
                        [&cpu, &gpu].map(|encoder| encode(encoder, image, codec, format, levels));
                    let what = format!("image {i}, {width}×{height} for {format}");
                    assert_same(&expected, &found, codec.block_bytes, &what);
                }
            }
        }
    }

    fn assert_same(expected: &[u8], found: &[u8], block_bytes: usize, what: &str) {
        assert_eq!(expected.len(), found.len(), "{what}");
        let blocks = expected.chunks(block_bytes).zip(found.chunks(block_bytes));
        for (i, (expected, found)) in blocks.enumerate() {
            assert_eq!(found, expected, "{what}: block {i}");
        }
    }

    /// Encodes from a buffer and from the middle of a half-float texture to a buffer with gaps.
    #[test]
    fn recorded_commands_give_the_cpu_s_bytes() {
        let Some(gpu) = gpu_encoder() else { return };
        let device = gpu.context().device();
        let (width, height) = (64, 21);
        // A texture's upload has rows of multiples of 256 bytes: 512.
        let texels: Vec<[f16; 4]> = noise((width * height) as usize)
            .into_iter()
            .map(|texel| texel.map(|c| if c.is_nan() { f16::ONE } else { c }))
            .collect();
        let region = BlockRegion { origin: [5, 2], size: [35, 18] };
        let part = ImageView::with_stride(&texels[2 * 64 + 5..], 35, 18, 64).unwrap();
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let source = filled_buffer(device, "texels", bytemuck::cast_slice(&texels), usage);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba16Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(512), rows_per_image: None };
        let bytes = bytemuck::cast_slice(&texels);
        gpu.context().queue().write_texture(texture.as_image_copy(), bytes, layout, texture.size());
        let sources = [
            TexelSource::Buffer {
                buffer: &source,
                texels: TexelFormat::RgbaF16,
                offset: 0,
                bytes_per_row: 512,
            },
            TexelSource::Texture { texture: &texture, mip_level: 0, layer: 0 },
        ];
        let cpu = Encoder::from(CpuEncoder::new());
        for (codec, format) in TOYS {
            let expected = encode(&cpu, &part, codec, format, 1);
            let (block, row) = (codec.block_bytes as u32, 12 * codec.block_bytes as u32);
            for (i, source) in sources.into_iter().enumerate() {
                let target = gpu.context().buffer("blocks", u64::from(2 * block + 5 * row), usage).unwrap();
                let to = BlockTarget::Buffer { buffer: &target, offset: 2 * block, bytes_per_row: row };
                let mut commands = device.create_command_encoder(&Default::default());
                let options = EncodeOptions::default();
                let recording = Recording::new(source, region, to);
                gpu.record_codec(&mut commands, &recording, BlockCoder::linear(codec), &options).unwrap();
                gpu.context().queue().submit([commands.finish()]);
                let found = Download::new(gpu.context(), &target, 0..target.size()).unwrap();
                let found = found.wait(gpu.context()).unwrap();
                let rows = found[2 * block as usize..].chunks(row as usize);
                let found: Vec<u8> = rows.flat_map(|row| &row[..9 * block as usize]).copied().collect();
                assert_same(&expected, &found, codec.block_bytes, &format!("source {i} for {format}"));
            }
        }
    }
}
