//! Rendering of volumes of which a part is on the device.

use super::{
    super::inputs::{PagingParams, ViewParams},
    GpuRenderer,
};
use crate::{Task, gpu::pool::Pool, render::RenderError};
use brickwork_gpu::wgpu;

/// Maximum number of consecutive dispatches that end with as many waiting rays as the one before.
const MAX_IDLE_DISPATCHES: u32 = 40;

impl GpuRenderer {
    /// Casts the rays of some tiles again and again, with the pages that they waited for, until none waits.
    pub(super) async fn converge(
        &self,
        pool: &Pool,
        params: ViewParams,
        picture: &wgpu::Buffer,
        tiles: u32,
        task: &Task<'_>,
    ) -> Result<(), RenderError> {
        let context = self.volume.context();
        let PagingParams { slots, missing, asked, waiting, .. } = params.paging;
        let bits = (asked - missing) as usize;
        let mut params = params;
        let (mut last_waiting, mut idle) = (u32::MAX, 0);
        loop {
            task.check()?;
            {
                // Until the rays are submitted, no other rendering may load pages into their slots. Pages
                // that others load later come after the rays in the queue.
                let loaded = pool.lock();
                let table = &loaded.of_page;
                context.checked("rendering", || {
                    context.queue().write_buffer(picture, 4 * u64::from(slots), bytemuck::cast_slice(table));
                    // Nothing is missing yet, nothing is requested, no ray waits.
                    let zeros = vec![0; 4 * (2 * bits + 1)];
                    context.queue().write_buffer(picture, 4 * u64::from(missing), &zeros);
                })?;
                self.submit(params, picture, tiles)?;
            }
            let range = 4 * u64::from(missing)..4 * u64::from(waiting + 1);
            let bytes = self.download(picture, range).await?;
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
            let now_waiting = words[2 * bits];
            if now_waiting == 0 {
                return Ok(());
            }
            let [missing, asked] = [&words[..bits], &words[bits..2 * bits]];
            pool.load(&mut pool.lock(), context, self.volume.page_buffers(), missing, asked)?;
            params.paging.is_first = 0;
            // Where rays wait for more pages than there are slots, those of fewer tiles come first.
            idle = if now_waiting < last_waiting { 0 } else { idle + 1 };
            last_waiting = now_waiting;
            if idle > MAX_IDLE_DISPATCHES && tiles == 1 {
                return Err(RenderError::Stalled);
            }
            if idle > MAX_IDLE_DISPATCHES {
                let half = tiles / 2;
                Box::pin(self.converge(pool, params, picture, half, task)).await?;
                let first_tile = params.first_tile + half * params.tile_step;
                let params = ViewParams { first_tile, ..params };
                return Box::pin(self.converge(pool, params, picture, tiles - half, task)).await;
            }
        }
    }
}
