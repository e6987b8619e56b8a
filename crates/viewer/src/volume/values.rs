//! Histogram of a volume, in the volume's numbers.

use brickwork_toolkit::volume::LoadedVolume;
use brickwork_volume::{
    Task, VoxelType,
    render::{Display, RenderError, Survey},
};

/// Statistics of a volume's values.
#[derive(Clone, Debug)]
pub struct Values {
    display: Display,
    survey: Survey,
}

impl Values {
    /// Counts the values of a volume.
    pub fn new(volume: &LoadedVolume, task: &Task<'_>) -> Result<Self, RenderError> {
        Ok(Self { display: volume.display(), survey: volume.survey(task)?.clone() })
    }

    /// Returns the conversion from display values to numbers.
    pub const fn display(&self) -> &Display {
        &self.display
    }

    /// Returns the survey that presets are fitted to.
    pub const fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Returns the number of voxels with each of the 65536 display values.
    pub fn counts(&self) -> &[u64] {
        self.survey.counts()
    }

    /// Returns the number that `share` of the voxels do not exceed.
    pub fn percentile(&self, share: f64) -> f64 {
        self.survey.percentile(share)
    }

    /// Returns a window from the background to the brightest value; one wide if all numbers are equal.
    pub fn window(&self) -> [f64; 2] {
        let [low, high] = self.survey.window();
        [low, if high > low { high } else { low + 1.0 }]
    }

    /// Returns 1 for integers and 0 for floats.
    pub const fn exact_step(&self) -> f64 {
        match self.display.voxel_type() {
            VoxelType::F32 | VoxelType::F64 => 0.0,
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::volume::of_voxels;
    use brickwork_volume::{Dims, Header, VoxelType};

    #[test]
    fn one_value_has_a_window() {
        let volume = of_voxels(&[7u8; 64], Header::new(VoxelType::U8, Dims::cube(4))).expect("a volume");
        assert_eq!(volume.values.window(), [7.0, 8.0]);
        assert_eq!((volume.values.counts()[7], volume.values.exact_step()), (64, 1.0));
    }

    #[test]
    fn only_integers_have_a_step() {
        for (voxel_type, volume) in [
            (VoxelType::F32, of_voxels(&[7f32; 64], Header::new(VoxelType::F32, Dims::cube(4)))),
            (VoxelType::F64, of_voxels(&[7f64; 64], Header::new(VoxelType::F64, Dims::cube(4)))),
        ] {
            assert_eq!(volume.expect("a volume").values.exact_step(), 0.0, "{voxel_type:?}");
        }
        let volume = of_voxels(&[-7i32; 64], Header::new(VoxelType::I32, Dims::cube(4)));
        assert_eq!(volume.expect("a volume").values.exact_step(), 1.0);
    }
}
