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
        let start = [region.x.start, region.y.start, region.z.start];
        part.set_place(self, start, [2f64.powi(selection.mip_level as i32); 3]);
        part.keep_rescaling_of(self, selection, &region.z);
        if let Some(frames) = &selection.frames {
            part.keep_descriptions_of(frames);
        }
        if let Some(channel) = selection.channel {
            part.keep_channel(channel);
        }
        part
    }

    /// Returns the header of the smaller volume that [`halve_axes`](crate::halve_axes) makes if it halves x,
    /// y and z so many times each: its dims, the distance between its voxels, and the position of its first
    /// one. It has one mip level.
    #[must_use]
    pub fn halved(&self, halvings: [u32; 3]) -> Self {
        let side = |side: usize, count: u32| side.div_ceil(1usize.checked_shl(count).unwrap_or(usize::MAX));
        let [x, y, z] = halvings;
        let dims = Dims::new(side(self.dims.x, x), side(self.dims.y, y), side(self.dims.z, z));
        let mut level = Self { dims, mip_levels: 1, ..self.clone() };
        level.set_place(self, [0; 3], halvings.map(|count| 2f64.powi(count as i32)));
        let of_slices = Selection { mip_level: z as usize, ..Selection::default() };
        level.keep_rescaling_of(self, &of_slices, &(0..dims.z));
        level
    }

    /// Sets spacing and origin to those of a part of `whole`, a voxel of which covers `steps` voxels along
    /// each axis. `start` is its first voxel, in voxels of the part.
    fn set_place(&mut self, whole: &Self, start: [usize; 3], steps: [f64; 3]) {
        let sides = [whole.dims.x, whole.dims.y, whole.dims.z];
        let spacings = [&mut self.spacing.x, &mut self.spacing.y, &mut self.spacing.z];
        for (axis, spacing) in spacings.into_iter().enumerate() {
            let step = steps[axis];
            // The first voxel is in the middle of those it covers.
            let middle = ((step - 1.0) / 2.0).min((sides[axis] - 1) as f64 / 2.0);
            let distance = (start[axis] as f64 * step + middle) * *spacing;
            *spacing *= step;
            for (origin, along) in self.origin.iter_mut().zip(&self.orientation[3 * axis..3 * axis + 3]) {
                *origin += distance * along;
            }
        }
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
        let named =
            whole.clone().with(|h| h.metadata = r#"{"tiff":{"channel_names":["a","b","c"]}}"#.to_owned());
        assert_eq!(named.of_part(&selection, &region).metadata, r#"{"tiff":{"channel_names":["c"]}}"#);
        // 0 to 3 along x, 0 and 1 along y, and the only one along z.
        let level = whole.halved([2, 1, 0]);
        assert_eq!((level.dims, level.mip_levels), (Dims::new(2, 3, 1), 1));
        assert_eq!(level.origin, [10.0 - 0.5 * 3.0, 20.0 + 1.5 * 2.0, 30.0]);
        assert_eq!(level.spacing, Spacing { x: 8.0, y: 6.0, z: 4.0 });
        assert_eq!(whole.halved([64, 65, 7]).dims, Dims::new(1, 1, 1));
    }
}
