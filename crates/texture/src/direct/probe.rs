//! Search for the layout of an image in memory. Distinct blocks are copied into each of the image's mip
//! levels and layers, and its memory is read.

use super::{
    Refusal, Strategy, TargetError,
    cache::Cache,
    read_back::read_back,
    refusal::{OrderFault, UnknownOrder},
    tiling::{Probe, ProbeError, Tiling},
};
use crate::Task;
use brickwork_gpu::{BlockImage, BlockWords, Context, Download, filled_buffer, wgpu};

/// Returns the tilings of all mip levels of all layers: layer after layer, largest mip level first. All
/// blocks of the image are then zero.
///
/// # Errors
/// [`TargetError::Refused`] if one of them has no tiling; else the GPU's.
pub(crate) fn tilings(
    context: &Context,
    image: &BlockImage,
    cache: &Cache,
    strategy: Strategy,
    task: &Task<'_>,
) -> Result<Vec<Tiling>, TargetError> {
    if let Some(known) = cache.get(context, image.desc())
        && holds(context, image, &known, task)?
    {
        return Ok(known);
    }
    let found = found(context, image, strategy, task)?;
    cache.keep(context, image.desc(), &found);
    Ok(found)
}

/// Returns the target of copies, and the position in it.
fn place(image: &BlockImage, at: usize, [x, y]: [u32; 2]) -> wgpu::TexelCopyTextureInfo<'_> {
    let mip_levels = image.desc().mip_levels as usize;
    wgpu::TexelCopyTextureInfo {
        texture: image.texture(),
        mip_level: (at % mip_levels) as u32,
        origin: wgpu::Origin3d { x: 4 * x, y: 4 * y, z: (at / mip_levels) as u32 },
        aspect: wgpu::TextureAspect::All,
    }
}

/// True if blocks are in the positions of these tilings. Tilings are linear, so the first block of a mip
/// level and the blocks at powers of two along each side determine all others.
fn holds(
    context: &Context,
    image: &BlockImage,
    tilings: &[Tiling],
    task: &Task<'_>,
) -> Result<bool, TargetError> {
    let block_bytes = u64::from(image.desc().block_bytes());
    let BlockWords::Memory(memory) = image.words() else { unreachable!("an image with its memory") };
    let mut samples = Vec::new();
    for (at, tiling) in tilings.iter().enumerate() {
        let (width, height) = (tiling.width(), tiling.height());
        let powers = |side: u32| (0..32).map(|log2| 1u32 << log2).take_while(move |&power| power < side);
        let blocks = [[0, 0], [width - 1, height - 1]];
        let blocks =
            blocks.into_iter().chain(powers(width).map(|x| [x, 0])).chain(powers(height).map(|y| [0, y]));
        samples.extend(
            blocks.map(|block| (at, block, u64::from(tiling.slot(block[0], block[1])) * block_bytes)),
        );
    }
    samples.sort_unstable();
    samples.dedup();
    if samples.iter().any(|(.., start)| start + block_bytes > memory.size()) {
        return Ok(false);
    }
    let words =
        (0..samples.len() as u32 * block_bytes as u32 / 4).map(|word| !word.wrapping_mul(0x9e37_79b9));
    let contents: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let staging = Download::staging(context, contents.len() as u64)?;
    let submission = context.checked("trying a texture's memory", || {
        let from = filled_buffer(context.device(), "blocks", &contents, wgpu::BufferUsages::COPY_SRC);
        let mut commands = context.device().create_command_encoder(&Default::default());
        for (number, &(at, block, _)) in (0..).zip(&samples) {
            let layout = wgpu::TexelCopyBufferLayout { offset: number * block_bytes, ..Default::default() };
            let size = wgpu::Extent3d { width: 4, height: 4, depth_or_array_layers: 1 };
            let from = wgpu::TexelCopyBufferInfo { buffer: &from, layout };
            commands.copy_buffer_to_texture(from, place(image, at, block), size);
        }
        let parts = samples.iter().map(|&(.., start)| start..start + block_bytes);
        image.copy_memory(&mut commands, parts, &staging);
        context.queue().submit([commands.finish()])
    })?;
    let found = Download::submitted(&staging, contents.len() as u64, submission);
    let found = read_back(context, found, task)?;
    image.clear(context)?;
    Ok(found == contents)
}

/// Finds the tilings by reading all memory.
fn found(
    context: &Context,
    image: &BlockImage,
    strategy: Strategy,
    task: &Task<'_>,
) -> Result<Vec<Tiling>, TargetError> {
    let desc = *image.desc();
    let BlockWords::Memory(memory) = image.words() else { unreachable!("an image with its memory") };
    let bytes_per_block = desc.block_bytes();
    let mut probes = Vec::new();
    for at in 0..(desc.layers * desc.mip_levels) as usize {
        task.check()?;
        let to = place(image, at, [0, 0]);
        let [width, height] = desc.blocks(to.mip_level);
        let probe = Probe { width, height, bytes_per_block, salt: 1 + at as u32 };
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * bytes_per_block),
            rows_per_image: None,
        };
        let size = wgpu::Extent3d { width: 4 * width, height: 4 * height, depth_or_array_layers: 1 };
        let write = || context.queue().write_texture(to, &probe.blocks(), layout, size);
        context.checked("probing a texture's memory", write)?;
        probes.push((to.mip_level, to.origin.z, probe));
    }
    let staging = Download::staging(context, memory.size())?;
    let mut commands = context.device().create_command_encoder(&Default::default());
    let submission = context.checked("probing a texture's memory", || {
        image.copy_memory(&mut commands, std::iter::once(0..memory.size()), &staging);
        context.queue().submit([commands.finish()])
    })?;
    let bytes = read_back(context, Download::submitted(&staging, memory.size(), submission), task)?;
    image.clear(context)?;
    probes
        .into_iter()
        .map(|(mip_level, layer, probe)| {
            task.check()?;
            let tiling = || -> Result<Tiling, OrderFault> {
                let slots = probe.slots(&bytes, task)?;
                Ok(Tiling::fit(probe.width, probe.height, &slots)?)
            };
            tiling().map_err(|fault| {
                if let OrderFault::Probe(ProbeError::Cancelled(cancelled)) = fault {
                    return cancelled.into();
                }
                let refusal = Refusal::UnknownOrder { mip_level, layer, reason: UnknownOrder::from(fault) };
                TargetError::Refused { strategy, refusal }
            })
        })
        .collect()
}
