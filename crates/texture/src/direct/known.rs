//! Results of the tests on one device: views through which blocks are written, orders of blocks in memory.

use super::{
    Cache, Refusal, Strategy, TargetError,
    kernels::{Params, Store, place_kernel},
    read_back::read_back,
    record::Part,
};
use crate::Task;
use brickwork_gpu::{BlockImage, BlockImageDesc, Context, Download, filled_buffer, wgpu};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// Results of the tests on one device.
#[derive(Default)]
pub(crate) struct Known {
    /// Test results of views, by format: success if blocks can be written through them.
    views: Mutex<HashMap<wgpu::TextureFormat, Result<(), TargetError>>>,
    /// Orders of blocks in textures' memory.
    pub tilings: Cache,
}

impl Known {
    /// Checks that blocks of this format can be written through views. The test runs once.
    pub fn view_works(
        &self,
        context: &Context,
        format: wgpu::TextureFormat,
        task: &Task<'_>,
    ) -> Result<(), TargetError> {
        let views = || self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = views().get(&format) {
            return known.clone();
        }
        let found = check_view(context, format, task);
        let found = found.map_err(|error| error.or_refused(Strategy::BlockView));
        if matches!(found, Ok(()) | Err(TargetError::Refused { .. })) {
            views().insert(format, found.clone());
        }
        found
    }
}

/// Writes blocks through views of a small image, in each of its mip levels and layers. Then reads the texture
/// and compares.
fn check_view(context: &Context, format: wgpu::TextureFormat, task: &Task<'_>) -> Result<(), TargetError> {
    let mut desc = BlockImageDesc::new(format, [68, 36]);
    desc.mip_levels = 3;
    desc.layers = 2;
    let image = BlockImage::with_view(context, &desc)?;
    let pipeline = context.pipeline(&place_kernel(desc.block_bytes(), &Store::View))?;
    for mip_level in 0..desc.mip_levels {
        for layer in 0..desc.layers {
            task.check()?;
            let blocks = desc.blocks(mip_level);
            let [columns, rows] = blocks;
            let row_bytes = (columns * desc.block_bytes()) as usize;
            let pitch = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
            let bytes = pitch * rows as usize;
            // No two words are equal.
            let contents: Vec<u8> = (0..bytes as u32 / 4)
                .flat_map(|word| (word.wrapping_mul(0x9e37_79b9) ^ (mip_level << 8 | layer)).to_le_bytes())
                .collect();
            let params = Params { blocks, pitch: pitch as u32 / desc.block_bytes(), ..Default::default() };
            let part = Part::view(context, &image, mip_level, layer)?;
            let staging = Download::staging(context, bytes as u64)?;
            let storage = wgpu::BufferUsages::STORAGE;
            let upload = || filled_buffer(context.device(), "blocks", &contents, storage);
            let from = context.checked("blocks", upload)?;
            let mut commands = context.device().create_command_encoder(&Default::default());
            image.begin(&mut commands);
            part.record(context, &mut commands, &pipeline, &params, from.as_entire_binding())?;
            image.end(&mut commands);
            let submission = context.checked("reading blocks", || {
                let from = wgpu::TexelCopyTextureInfo {
                    texture: image.texture(),
                    mip_level,
                    origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
                    aspect: wgpu::TextureAspect::All,
                };
                let layout = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(pitch as u32),
                    rows_per_image: None,
                };
                let to = wgpu::TexelCopyBufferInfo { buffer: &staging, layout };
                let size = wgpu::Extent3d { width: 4 * columns, height: 4 * rows, depth_or_array_layers: 1 };
                commands.copy_texture_to_buffer(from, to, size);
                context.queue().submit([commands.finish()])
            });
            let download = Download::submitted(&staging, bytes as u64, submission?);
            let found = read_back(context, download, task)?;
            let rows = found.chunks(pitch).zip(contents.chunks(pitch));
            if rows.into_iter().any(|(found, expected)| found[..row_bytes] != expected[..row_bytes]) {
                let refusal = Refusal::OtherBlocks { mip_level };
                return Err(TargetError::Refused { strategy: Strategy::BlockView, refusal });
            }
        }
    }
    Ok(())
}
