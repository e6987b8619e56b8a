//! The header of a part of a volume.

use crate::{Dims, Header, Region, Selection};
use serde_json::Value;
use std::ops::Range;

impl Header {
    /// Returns the header of a selection from a region of a mip level, as a separate volume: its dims, the
    /// distance between its voxels, and the position of its first one. Nothing is checked.
    #[must_use]
    pub fn of_part(&self, selection: &Selection, region: &Region) -> Self {
        let mut part = Self { dims: region.dims(), ..self.clone() };
        part.frames = selection.frames.as_ref().map_or(part.frames, |frames| frames.len());
        part.channels = selection.channel.map_or(part.channels, |_| 1);
        part.mip_levels =
            if selection.mip_level > 0 { 1 } else { part.mip_levels.min(part.most_mip_levels()) };
        let step = 2f64.powi(selection.mip_level as i32);
        // The first voxel of a smaller mip level is in the middle of those it covers.
        let first = |side: usize, start: usize| {
            start as f64 * step + ((step - 1.0) / 2.0).min((side - 1) as f64 / 2.0)
        };
        let Dims { x, y, z } = self.dims;
        let distances = [
            first(x, region.x.start) * self.spacing.x,
            first(y, region.y.start) * self.spacing.y,
            first(z, region.z.start) * self.spacing.z,
        ];
        part.spacing.x *= step;
        part.spacing.y *= step;
        part.spacing.z *= step;
        for (distance, direction) in distances.into_iter().zip(self.orientation.as_chunks::<3>().0) {
            for (origin, along) in part.origin.iter_mut().zip(direction) {
                *origin += distance * along;
            }
        }
        part.keep_rescaling_of(self, selection, &region.z);
        if let Some(frames) = &selection.frames {
            part.keep_descriptions_of(frames);
        }
        part
    }

    /// Restricts the descriptions of frames to these frames.
    fn keep_descriptions_of(&mut self, frames: &Range<usize>) {
        self.edit_metadata(|_, fields| {
            if let Some(Value::Array(described)) = fields.get_mut("frames") {
                *described = described.get(frames.clone()).unwrap_or_default().to_vec();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Spacing, VoxelType};

    #[test]
    fn a_part_keeps_its_place_in_the_world() {
        let whole = Header {
            spacing: Spacing { x: 2.0, y: 3.0, z: 4.0 },
            origin: [10.0, 20.0, 30.0],
            // x runs along the world's y, y against its x.
            orientation: [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            channels: 3,
            frames: 5,
            mip_levels: 3,
            ..Header::new(VoxelType::U8, Dims::new(8, 6, 1))
        };
        let region = Region { x: 1..4, y: 2..3, z: 0..1 };
        let part = whole.of_part(&Selection::default(), &region);
        assert_eq!(part.origin, [10.0 - 6.0, 20.0 + 2.0, 30.0]);
        assert_eq!((part.dims, part.mip_levels, part.channels, part.frames), (Dims::new(3, 1, 1), 3, 3, 5));
        let selection = Selection { mip_level: 1, frames: Some(1..3), channel: Some(2) };
        let part = whole.of_part(&selection, &region);
        // Its first voxel covers 2 and 3 along x, 4 and 5 along y, and the only one along z.
        assert_eq!(part.origin, [10.0 - 4.5 * 3.0, 20.0 + 2.5 * 2.0, 30.0]);
        assert_eq!((part.mip_levels, part.channels, part.frames), (1, 1, 2));
        assert_eq!(part.spacing, Spacing { x: 4.0, y: 6.0, z: 8.0 });
    }
}
