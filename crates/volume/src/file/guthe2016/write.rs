//! Sections written.

use super::{PIECE_BYTES, Section, Sections};
use crate::{
    Progress, Task, VolumeWriteError, checksum::crc32c, guthe2016::Compressed, untyped::UntypedView,
};
use std::{io::Write, sync::OnceLock};

impl Sections {
    /// Writes the sections of a whole frame of a mip level, with or without the second level of offsets.
    /// `report` gets the share of the frame that is done.
    pub fn write(
        &mut self,
        mip_level: usize,
        (volume, second_level): (UntypedView, bool),
        sink: &mut dyn Write,
        offset: &mut u64,
        (report, task): (&(dyn Fn(f64) + Sync), &Task<'_>),
    ) -> Result<(), VolumeWriteError> {
        self.0.resize_with(self.0.len().max(mip_level + 1), Vec::new);
        for component in 0..volume.component_count() {
            let tell = |progress: Progress| {
                let share = progress.fraction().unwrap_or(0.0);
                report((component as f64 + share) / volume.component_count() as f64);
            };
            let task = task.with_progress(&tell);
            let compressed = Compressed::encode_component(volume, component, second_level, &task)?;
            let (offsets, payload) = compressed.parts();
            let (tile_bits, tiles) = offsets.tiles.as_ref().map_or((0, &[][..]), |(bits, t)| (*bits, t));
            let parts = [payload, &offsets.packed, tiles];
            self.0[mip_level].push(Section {
                offset: *offset,
                payload: payload.len() as u64,
                bits: [offsets.bits as u8, tile_bits as u8],
                tile_count: offsets.tile_count,
                crcs: parts.map(|part| part.chunks(PIECE_BYTES as usize).map(crc32c).collect()),
                offsets: OnceLock::new(),
            });
            for part in parts {
                sink.write_all(part)?;
                *offset += part.len() as u64;
            }
        }
        Ok(())
    }
}
