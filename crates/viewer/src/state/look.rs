//! The look of a rendering, as the panel sets it.

use super::Curve;
use crate::volume::{Channel, Volume};
use brickwork_toolkit::volume::{LookOptions, RenderMode, SURFACE_COLOR, Transfer, ValueKind};
use brickwork_volume::render::{Preset, RenderError, TransferFunction};
use clap::ValueEnum;
use std::collections::BTreeSet;

/// Rendering mode: the rule that turns samples into pixels.
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

    /// Returns the name in the window, and a longer one.
    pub const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Dvr => ["DVR", "Direct volume rendering: colours and opacities of a transfer function"],
            Self::Mip => ["MIP", "Maximum intensity projection: the largest value along each ray"],
            Self::Iso => ["Surface", "Isosurface: where values reach a threshold"],
            Self::Labels => ["Labels", "Labels (segmentation IDs) in distinct colours"],
        }
    }
}

/// The look of a rendering.
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
    /// Channels in colours for DVR and MIP; none for a single one.
    pub channels: Vec<ChannelSettings>,
}

/// The look of a channel among others.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelSettings {
    pub is_shown: bool,
    /// Red, green, blue of bright values.
    pub color: [f32; 3],
    /// Stored numbers that are black and bright.
    pub window: [f64; 2],
    pub is_inverted: bool,
}

impl LookSettings {
    /// Returns the settings that suit a volume.
    pub fn suited_to(volume: &Volume) -> Self {
        let values = &volume.values;
        let window = |[low, high]: [f64; 2]| TransferFunction::window(low, high, 1.0);
        let grey = || window(values.window()).expect("a window is two different numbers");
        let dvr = Curve::of_preset(Preset::suited_to(values.survey()), values);
        Self {
            mode: RenderMode::suited_to(volume.header()).into(),
            dvr: dvr.unwrap_or_else(|_| Curve::new(&grey())),
            mip: Curve::of_preset(Preset::Grey, values).unwrap_or_else(|_| Curve::new(&grey())),
            surface: values.survey().surface(),
            surface_color: SURFACE_COLOR,
            hidden_labels: BTreeSet::new(),
            channels: channels_of(volume),
        }
    }

    /// Returns the curve that the mode uses.
    pub const fn curve_mut(&mut self) -> Option<&mut Curve> {
        match self.mode {
            Mode::Dvr => Some(&mut self.dvr),
            Mode::Mip => Some(&mut self.mip),
            Mode::Iso | Mode::Labels => None,
        }
    }

    /// Takes the channels of another part of the volume.
    pub fn set_channels(&mut self, volume: &Volume) {
        if self.channels.len() != volume.channels.len() {
            self.channels = channels_of(volume);
        }
    }

    /// Returns the channels that are added up, with their indices.
    pub fn added(&self) -> Vec<(usize, &ChannelSettings)> {
        let is_added = matches!(self.mode, Mode::Dvr | Mode::Mip);
        let shown = self.channels.iter().enumerate().filter(|(_, channel)| is_added && channel.is_shown);
        shown.collect()
    }

    /// Returns the settings of a channel as options of a scene.
    pub fn channel_options(&self, channel: &ChannelSettings) -> LookOptions {
        LookOptions::default().with(|o| {
            o.mode = Some(self.mode.into());
            (o.color, o.window) = (Some(channel.color), Some(channel.window));
            (o.is_inverted, o.stored_values) = (channel.is_inverted, true);
        })
    }

    /// Returns the settings as options of a scene.
    ///
    /// # Errors
    /// [`RenderError::Point`] if a value is not a finite number.
    pub fn options(&self) -> Result<LookOptions, RenderError> {
        let transfer = match self.mode {
            Mode::Dvr => Some(self.dvr.function()?),
            Mode::Mip => Some(self.mip.function()?),
            Mode::Iso | Mode::Labels => None,
        };
        Ok(LookOptions::default().with(|o| {
            o.mode = Some(self.mode.into());
            o.transfer =
                transfer.map(|function| Transfer::Function { function, values: Some(ValueKind::Stored) });
            o.stored_values = true;
            o.iso = Some(self.surface);
            o.iso_color = self.surface_color;
            o.hidden_labels = self.hidden_labels.clone();
        }))
    }
}

fn channels_of(volume: &Volume) -> Vec<ChannelSettings> {
    let settings = |channel: &Channel| ChannelSettings {
        is_shown: true,
        color: channel.shown.color.map(|part| f32::from(part) / 255.0),
        window: channel.window,
        is_inverted: channel.shown.is_inverted,
    };
    volume.channels.iter().map(settings).collect()
}

impl From<Mode> for RenderMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Dvr => Self::Dvr,
            Mode::Mip => Self::Mip,
            Mode::Iso => Self::Iso,
            Mode::Labels => Self::Labels,
        }
    }
}

impl From<RenderMode> for Mode {
    fn from(mode: RenderMode) -> Self {
        match mode {
            RenderMode::Mip => Self::Mip,
            RenderMode::Iso => Self::Iso,
            RenderMode::Labels => Self::Labels,
            RenderMode::Dvr => Self::Dvr,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::of_voxels;
    use brickwork_volume::{
        Dims, Header, Task, VoxelType,
        render::{Look, VisibleLabels},
    };

    fn look(settings: &LookSettings, volume: &Volume) -> Result<Look, RenderError> {
        Ok(settings.options()?.choose(&volume.loaded, &Task::new())?.look)
    }

    #[test]
    fn every_mode_has_a_look() {
        let voxels: Vec<u8> = (0..512).map(|i| if i % 8 < 4 { 0 } else { 200 }).collect();
        let header = Header::new(VoxelType::U8, Dims::cube(8));
        let volume = of_voxels(&voxels, header).expect("a volume");
        let mut settings = LookSettings::suited_to(&volume);
        for mode in Mode::ALL {
            settings.mode = mode;
            assert!(look(&settings, &volume).is_ok(), "{mode:?}");
        }
        settings.hidden_labels.insert(200);
        let shown = VisibleLabels::new(|label| label != 0 && label != 200);
        assert_eq!(look(&settings, &volume), Ok(Look::labels(shown)));
        settings.mode = Mode::Iso;
        settings.surface = f64::NAN;
        assert!(look(&settings, &volume).is_err());
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
        assert_eq!(look(&settings, &volume), Err(RenderError::Transparent));
        settings.mode = Mode::Mip;
        assert!(look(&settings, &volume).is_ok());
    }
}
