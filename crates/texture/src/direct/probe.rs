//! How an image lies in memory: blocks that are told apart are copied into each of its mip levels and layers, and
//! its memory is read.

use super::tiling::{Probe, Tiling};
use brickwork_gpu::{BlockImage, BlockWords, Context, Download, GpuError, wgpu};

/// The tilings of all mip levels of all layers, layer after layer, largest first.
///
/// # Errors
/// [`GpuError::Unsupported`] if one of them has no tiling; else the GPU's.
pub(crate) fn tilings(context: &Context, image: &BlockImage) -> Result<Vec<Tiling>, GpuError> {
    let desc = *image.desc();
    let BlockWords::Memory(memory) = image.words() else { unreachable!("an image with its memory") };
    let bytes_per_block = desc.block_bytes();
    let mut probes = Vec::new();
    for layer in 0..desc.layers {
        for mip_level in 0..desc.mip_levels {
            let [width, height] = desc.blocks(mip_level);
            let salt = 1 + layer * desc.mip_levels + mip_level;
            let probe = Probe { width, height, bytes_per_block, salt };
            let to = wgpu::TexelCopyTextureInfo {
                texture: image.texture(),
                mip_level,
                origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
                aspect: wgpu::TextureAspect::All,
            };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(width * bytes_per_block),
                rows_per_image: None,
            };
            let size = wgpu::Extent3d { width: 4 * width, height: 4 * height, depth_or_array_layers: 1 };
            let write = || context.queue().write_texture(to, &probe.blocks(), layout, size);
            context.checked("probing a texture's memory", write)?;
            probes.push((mip_level, layer, probe));
        }
    }
    let staging = Download::staging(context, memory.size())?;
    let mut commands = context.device().create_command_encoder(&Default::default());
    let submission = context.checked("probing a texture's memory", || {
        image.copy_memory(&mut commands, &staging);
        context.queue().submit([commands.finish()])
    })?;
    let bytes = Download::submitted(&staging, memory.size(), submission).wait(context)?;
    image.clear(context)?;
    probes
        .into_iter()
        .map(|(mip_level, layer, probe)| {
            let refused = |reason: String| GpuError::Unsupported {
                what: "the order of blocks in memory",
                reason: format!("mip level {mip_level} of layer {layer}: {reason}"),
            };
            let slots = probe.slots(&bytes).map_err(|error| refused(error.to_string()))?;
            Tiling::fit(probe.width, probe.height, &slots).map_err(|error| refused(error.to_string()))
        })
        .collect()
}
