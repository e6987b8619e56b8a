//! Histogram of a volume, in the volume's numbers.

use brickwork_toolkit::volume::LoadedVolume;
use brickwork_volume::{
    Task,
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
}

#[cfg(test)]
mod tests {
    use crate::volume::of_voxels;
    use brickwork_volume::{Dims, Header, VoxelType};

    #[test]
    fn one_value_has_a_window() {
        let volume = of_voxels(&[7u8; 64], Header::new(VoxelType::U8, Dims::cube(4))).expect("a volume");
        assert_eq!(volume.values.window(), [7.0, 8.0]);
        assert_eq!(volume.values.counts()[7], 64);
    }
}
