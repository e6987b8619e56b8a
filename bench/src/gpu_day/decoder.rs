//! Decoding by this GPU: texels that a shader reads from textures of random blocks, beside the CPU's decoder
//! under each rounding rule.

use crate::table::{
    Column::{Number, Text},
    Table,
};
use anyhow::Result;
use brickwork_gpu::{Binding, Kernel};
use brickwork_texture::{
    BlockFormat, ImageViewMut, RoundingRule, Task, decode_into,
    gpu::{Context, Download, wgpu},
};

/// Writes every texel as four floats.
const READ: &str = "
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> found: array<vec4<f32>>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
    found[at.y * SIDE + at.x] = textureLoad(source, at.xy, 0);
}
";

/// Differences below this part of a 255th are rounding of floats.
const ALIKE: f32 = 0.02;

/// Returns random bytes, the same ones each time.
fn random_bytes(count: usize) -> Vec<u8> {
    let mut state = 0x1234_5678_u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()
    };
    std::iter::repeat_with(next).flatten().take(count).collect()
}

fn texture_format(format: BlockFormat) -> wgpu::TextureFormat {
    use wgpu::TextureFormat as T;
    match format {
        BlockFormat::Bc1 => T::Bc1RgbaUnorm,
        BlockFormat::Bc2 => T::Bc2RgbaUnorm,
        BlockFormat::Bc3 => T::Bc3RgbaUnorm,
        BlockFormat::Bc4Unorm => T::Bc4RUnorm,
        BlockFormat::Bc4Snorm => T::Bc4RSnorm,
        BlockFormat::Bc5Unorm => T::Bc5RgUnorm,
        BlockFormat::Bc5Snorm => T::Bc5RgSnorm,
        BlockFormat::Bc6hUfloat => T::Bc6hRgbUfloat,
        BlockFormat::Bc6hSfloat => T::Bc6hRgbFloat,
        BlockFormat::Bc7 => T::Bc7RgbaUnorm,
        _ => unreachable!("a format of BC1 to BC7"),
    }
}

/// Returns the texels of `blocks` as a shader reads them.
fn sampled(context: &Context, format: BlockFormat, blocks: &[u8], side: u32) -> Result<Vec<[f32; 4]>> {
    let (device, size) =
        (context.device(), wgpu::Extent3d { width: side, height: side, ..Default::default() });
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("random blocks"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: texture_format(format),
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let bytes_per_row = Some(format.image_bytes(side, 4) as u32);
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    context.queue().write_texture(texture.as_image_copy(), blocks, layout, size);
    let kernel = Kernel::new(format!("read {side} rows"), &[Binding::Texture, Binding::Write]);
    let pipeline = context.pipeline(&kernel.part(READ).constant("SIDE", side))?;
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let found = context.buffer("texels", 16 * u64::from(side) * u64::from(side), usage)?;
    let view = wgpu::BindingResource::TextureView(&texture.create_view(&Default::default()));
    let bound = pipeline.bind(device, &[view, found.as_entire_binding()]);
    let mut commands = device.create_command_encoder(&Default::default());
    let mut pass = commands.begin_compute_pass(&Default::default());
    pipeline.dispatch_grid(&mut pass, &bound, [side / 8, side / 8]);
    drop(pass);
    context.checked("reading texels", || context.queue().submit([commands.finish()]))?;
    let bytes = Download::new(context, &found, 0..found.size())?.wait(context)?;
    Ok(bytemuck::pod_collect_to_vec(&bytes))
}

/// Compares `side`² texels of random blocks of every format, and returns the table.
pub fn run(context: &Context, side: u32) -> Result<Table> {
    let mut table = Table::new(&[
        Text("format"),
        Text("rule"),
        Number("texels unlike"),
        Number("largest difference, 255ths"),
    ]);
    for &format in BlockFormat::ALL.iter().filter(|format| !format.is_mobile()) {
        let blocks = random_bytes(format.image_bytes(side, side) as usize);
        let found = sampled(context, format, &blocks, side)?;
        let mut seen = Vec::new();
        for &rule in RoundingRule::ALL {
            let rule = rule.for_format(format);
            if seen.contains(&rule) {
                continue;
            }
            seen.push(rule);
            let mut expected = vec![[0.0f32; 4]; found.len()];
            let mut image = ImageViewMut::new(&mut expected[..], side, side)?;
            decode_into(format, &blocks, rule, &mut image, &Task::new())?;
            if matches!(format, BlockFormat::Bc4Snorm | BlockFormat::Bc5Snorm) {
                // The CPU's decoder maps -1..=1 to 0..=1.
                let stored = expected.iter_mut().flat_map(|texel| &mut texel[..format.channels().len()]);
                stored.for_each(|value| *value = 2.0 * *value - 1.0);
            }
            let differences = found.iter().zip(&expected).map(|(found, expected)| {
                let each =
                    found.iter().zip(expected).map(|(a, b)| if a == b { 0.0 } else { (a - b).abs() * 255.0 });
                // Neither infinities nor what is no number occur on one side only.
                each.fold(0.0, |most: f32, each| if each.is_nan() { f32::INFINITY } else { most.max(each) })
            });
            let differences: Vec<_> = differences.collect();
            let unlike = differences.iter().filter(|&&difference| difference > ALIKE).count();
            table.push([
                format.name().to_owned(),
                rule.name().to_owned(),
                format!("{:.2} %", 100.0 * unlike as f64 / found.len() as f64),
                format!("{:.2}", differences.into_iter().fold(0.0, f32::max)),
            ]);
        }
    }
    Ok(table)
}

/// Returns a table of the values of BC4's eight indices, in 255ths: between endpoints 255 and 0 (eight
/// values), and between 0 and 255 (six values, then 0 and 255). They show the GPU's weights.
pub fn weights(context: &Context) -> Result<Table> {
    const SIDE: u32 = 8;
    let titles: Vec<_> = (0..8).map(|index| index.to_string()).collect();
    let mut columns = vec![Text("endpoints")];
    columns.extend(titles.iter().map(|title| Number(title)));
    let mut table = Table::new(&columns);
    for ends in [[255u8, 0], [0, 255]] {
        // Texel t has index t mod 8.
        let indices = (0..16).fold(0u64, |bits, t| bits | (t & 7) << (3 * t));
        let block = [&ends[..], &indices.to_le_bytes()[..6]].concat();
        let found = sampled(context, BlockFormat::Bc4Unorm, &block.repeat(4), SIDE)?;
        let value = |index: usize| found[index / 4 * SIDE as usize + index % 4][0];
        let mut row = vec![format!("{}, {}", ends[0], ends[1])];
        row.extend((0..8).map(|index| format!("{:.3}", 255.0 * value(index))));
        table.push(row);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_near_those_of_the_format() {
        let Some(context) = brickwork_gpu::testing::context() else { return };
        let table = weights(&context).unwrap().to_markdown();
        let values = |row: &str| -> Vec<f32> {
            row.split('|').skip(2).take(8).map(|value| value.trim().parse().unwrap()).collect()
        };
        let rows: Vec<_> = table.lines().skip(2).map(values).collect();
        // The endpoints come first, then the values between them.
        let sevenths = [0.0, 7.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|n| 255.0 * (1.0 - n / 7.0));
        let fifths = [0.0, 5.0, 1.0, 2.0, 3.0, 4.0, 0.0, 5.0].map(|n| 255.0 * n / 5.0);
        for (row, expected) in rows.iter().zip([sevenths, fifths]) {
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 8.0), "{table}");
        }
    }

    #[test]
    fn random_blocks_are_read_and_compared() {
        let Some(context) = brickwork_gpu::testing::context() else { return };
        let table = run(&context, 64).unwrap().to_markdown();
        let bc7 = table.lines().find(|row| row.starts_with("| bc7")).unwrap();
        assert!(bc7.contains(" 0.00 % "), "{table}");
        let bc1 = table.lines().find(|row| row.contains("| trunc")).unwrap();
        assert!(!bc1.contains(" 0.00 % "), "{table}");
    }
}
