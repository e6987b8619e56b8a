//! What a picture shows, as the panel sets it.

use super::Curve;
use crate::volume::Volume;
use brickwork_volume::{
    VoxelKind,
    render::{Look, Preset, RenderError, TransferFunction, VisibleLabels},
};
use clap::ValueEnum;
use std::collections::BTreeSet;

/// How samples become pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Direct volume rendering: colours and opacities of a transfer function, lit
    Dvr,
    /// Maximum intensity projection
    Mip,
    /// Isosurface: where values reach one, lit
    Iso,
    /// Labels (segmentation IDs) in distinct colours
    Labels,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 4] = [Self::Dvr, Self::Mip, Self::Iso, Self::Labels];

    /// As the window has it, and in more words.
    pub const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Dvr => ["DVR", "Direct volume rendering: colours and opacities of a transfer function"],
            Self::Mip => ["MIP", "Maximum intensity projection: the largest value along each ray"],
            Self::Iso => ["Surface", "Isosurface: where values reach a threshold"],
            Self::Labels => ["Labels", "Labels (segmentation IDs) in distinct colours"],
        }
    }
}

/// What a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct LookSettings {
    pub mode: Mode,
    /// The transfer function of DVR.
    pub dvr: Curve,
    /// That of MIP.
    pub mip: Curve,
    /// The value of the surface.
    pub surface: f64,
    /// Red, green, blue of the surface.
    pub surface_color: [f32; 3],
    /// Labels that do not show; 0 never does.
    pub hidden_labels: BTreeSet<u16>,
}

impl LookSettings {
    /// What suits a volume.
    pub fn suited_to(volume: &Volume) -> Self {
        let values = &volume.values;
        let window = |[low, high]: [f64; 2]| TransferFunction::window(low, high, 1.0);
        let grey = || window(values.window()).expect("a window is two different numbers");
        let dvr = Curve::of_preset(Preset::suited_to(values.survey()), values);
        Self {
            mode: if volume.header.kind == VoxelKind::Labels { Mode::Labels } else { Mode::Dvr },
            dvr: dvr.unwrap_or_else(|_| Curve::new(&grey())),

            mip: Curve::of_preset(Preset::Grey, values).unwrap_or_else(|_| Curve::new(&grey())),
            surface: values.survey().surface(),
            surface_color: [0.93, 0.87, 0.77],
            hidden_labels: BTreeSet::new(),
        }
    }

    /// The curve that the mode goes by.
    pub const fn curve_mut(&mut self) -> Option<&mut Curve> {
        match self.mode {
            Mode::Dvr => Some(&mut self.dvr),
            Mode::Mip => Some(&mut self.mip),
            Mode::Iso | Mode::Labels => None,
        }
    }

    /// Returns the look for the ray caster.
    ///
    /// # Errors
    /// [`RenderError::Transparent`] if nothing would show.
    pub fn look(&self, volume: &Volume) -> Result<Look, RenderError> {
        let display = volume.display();
        match self.mode {
            Mode::Dvr => Look::dvr(&self.dvr.function()?, &display),
            Mode::Mip => Ok(Look::mip(&self.mip.function()?, &display)),
            Mode::Iso => Look::isosurface(&display, self.surface, self.surface_color),
            Mode::Labels => {
                let is_visible = |label| label != 0 && !self.hidden_labels.contains(&label);
                Ok(Look::labels(VisibleLabels::new(is_visible)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::of_voxels;
    use brickwork_volume::{Dims, Header, VoxelType};

    #[test]
    fn every_mode_has_a_look() {
        let voxels: Vec<u8> = (0..512).map(|i| if i % 8 < 4 { 0 } else { 200 }).collect();
        let header = Header::new(VoxelType::U8, Dims::cube(8));
        let volume = of_voxels(&voxels, header).expect("a volume");
        let mut settings = LookSettings::suited_to(&volume);
        for mode in Mode::ALL {
            settings.mode = mode;
            assert!(settings.look(&volume).is_ok(), "{mode:?}");
        }
        settings.hidden_labels.insert(200);
        let shown = VisibleLabels::new(|label| label != 0 && label != 200);
        assert_eq!(settings.look(&volume), Ok(Look::labels(shown)));
        settings.mode = Mode::Iso;
        settings.surface = f64::NAN;
        assert!(settings.look(&volume).is_err());
    }

    #[test]
    fn transparent_curves_are_told() {
        let volume = of_voxels(&[1u8, 2, 3, 4], Header::new(VoxelType::U8, Dims::new(4, 1, 1)));
        let mut settings = LookSettings::suited_to(&volume.expect("a volume"));
        let volume = of_voxels(&[5u8; 8], Header::new(VoxelType::U8, Dims::cube(2))).expect("a volume");
        for index in 0..settings.dvr.points().len() {
            let value = settings.dvr.points()[index].value;
            settings.dvr.move_to(index, value, 0.0);
        }
        assert_eq!(settings.look(&volume), Err(RenderError::Transparent));
        settings.mode = Mode::Mip;
        assert!(settings.look(&volume).is_ok());
    }
}
