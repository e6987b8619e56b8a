//! What a picture shows, as the panel sets it.

use super::Curve;
use crate::volume::Volume;
use brickwork_volume::{
    VoxelKind,
    render::{DisplayBricks as _, Look, Preset, RenderError, TransferFunction, VisibleLabels},
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

/// How large a share of the window values change across a surface; less fades its light.
const FADE: f64 = 0.04;

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

    /// What the ray caster takes.
    ///
    /// # Errors
    /// [`RenderError::Transparent`] if nothing would show.
    pub fn look(&self, volume: &Volume) -> Result<Look, RenderError> {
        let display = volume.display();
        Ok(match self.mode {
            Mode::Dvr => Look::Dvr { table: self.dvr.function()?.table(&display) },
            Mode::Mip => {
                // Opacities do not count: none may make the table a transparent one.
                let points = self
                    .mip
                    .points()
                    .iter()
                    .map(|point| brickwork_volume::render::TransferPoint { opacity: 1.0, ..*point });
                Look::Mip { table: TransferFunction::new(points.collect())?.table(&display) }
            }
            Mode::Iso => {
                let [low, high] = volume.values.window().map(|value| display.of_value(value));
                let threshold = (display.of_value(self.surface) * 256.0).clamp(0.0, 16_776_960.0);
                let fade = (high - low).max(1.0) * 256.0 * FADE;
                Look::Iso { threshold: threshold as u32, color: self.surface_color, fade: fade as f32 }
            }
            Mode::Labels => {
                let is_visible = |label| label != 0 && !self.hidden_labels.contains(&label);
                Look::Labels { labels: VisibleLabels::new(is_visible) }
            }
        })
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
        let Ok(Look::Labels { labels }) = settings.look(&volume) else { panic!("labels") };
        assert!(!labels.has(0) && !labels.has(200) && labels.has(7));
        settings.mode = Mode::Iso;
        settings.surface = 1e9;
        let Ok(Look::Iso { threshold, .. }) = settings.look(&volume) else { panic!("a surface") };
        assert_eq!(threshold, 65535 << 8);
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
