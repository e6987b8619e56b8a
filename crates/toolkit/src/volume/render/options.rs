//! Options of renderings.

use super::{TransferChoice, transfer_points};
use crate::volume::{
    ChannelSet, LookOptions, PartOptions, RenderMode, ShownChannel, VolumeError, VolumeInput, VolumePart,
    channel_notes, default_camera, shown_channels,
    values::{self, CameraPosition, LevelChoice},
};
use brickwork_base::UnknownName;
use brickwork_volume::{
    Header, Spacing, VoxelKind,
    render::{Camera, Projection, Up},
};

/// Options of renderings of a volume: those of `brickwork volume render`. The default suits the volume.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RenderOptions {
    /// Width and height in pixels. Default: 1024×768.
    pub size: [u32; 2],
    /// Mode, colours, values.
    pub look: LookOptions,
    /// Red, green, blue and straight alpha, 0 to 1. Default: `None`, which means
    /// [`RenderMode::background`].
    pub background: Option<[f32; 4]>,
    /// Position of the camera. Default: `None`, which means that of [`default_camera`].
    pub position: Option<CameraPosition>,
    /// Axis that points up. Default: `None`, which means the one that suits the volume.
    pub up: Option<Up>,
    /// True for an orthographic projection. Default: false.
    pub is_orthographic: bool,
    /// Distance between samples, in units of the smallest distance between voxels. Default: 0.5.
    pub step: f64,
    /// Number of views around the volume. Default: `None`, a single rendering.
    pub orbit: Option<u32>,
    /// Mip level. Default: 0.
    pub level: LevelChoice,
    /// Frame. Default: 0.
    pub frame: usize,
    /// Channel, or channels whose colours are added up in direct volume rendering and maximum intensity
    /// projection without a transfer function. Default: `None`, which means the active channels if the file
    /// states looks of several and the other options are not for one channel, else channel 0.
    pub channel: Option<ChannelSet>,
    /// True to treat the voxels as labels. Default: false, which means the volume's kind.
    pub is_labels: bool,
    /// Distance between voxels. Default: `None`, which means the volume's distance.
    pub spacing: Option<Spacing>,
    /// GPU memory limit in bytes, as in [`Painter::new`](crate::volume::Painter::new). Default: `None`.
    pub gpu_memory: Option<u64>,
}

impl Default for RenderOptions {
    fn default() -> Self {
        let (background, position, up, orbit, spacing) = (None, None, None, None, None);
        let (channel, gpu_memory) = (None, None);
        let (size, look, level) = ([1024, 768], LookOptions::default(), LevelChoice::Of(0));
        let (step, is_orthographic, is_labels, frame) = (0.5, false, false, 0);
        Self {
            size,
            look,
            background,
            position,
            up,
            is_orthographic,
            step,
            orbit,
            level,
            frame,
            channel,
            is_labels,
            spacing,
            gpu_memory,
        }
    }
}

impl RenderOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Sets an option by its name and a value, both as on the command line. Flags have the values `true` and
    /// `false`. The value of `transfer` may also be the JSON text of a file. A file of `transfer` is read.
    ///
    /// # Errors
    /// [`VolumeError::Setting`] for unknown names and wrong values, [`VolumeError::Transfer`] for the file.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), VolumeError> {
        let wrong = |reason: String| VolumeError::Setting { option: name.to_owned(), reason };
        let number = || value.parse().map_err(|_| wrong(format!("\"{value}\" is not a number")));
        let index = || value.parse().map_err(|_| wrong(format!("\"{value}\" is not an index")));
        let flag = || value.parse().map_err(|_| wrong(format!("\"{value}\" is neither true nor false")));
        match name {
            "size" => self.size = values::size(value).map_err(wrong)?,
            "mode" => {
                let mode = UnknownName::find(value, RenderMode::ALL, RenderMode::name);
                self.look.mode = Some(mode.map_err(|error| wrong(error.to_string()))?);
            }
            "transfer" => {
                self.look.transfer = Some(if value.trim_start().starts_with('{') {
                    transfer_points(value).map_err(wrong)?
                } else {
                    value.parse::<TransferChoice>().map_err(wrong)?.open()?
                });
            }
            "window" => self.look.window = Some(values::window(value).map_err(wrong)?),
            "iso" => self.look.iso = Some(number()?),
            "stored" => self.look.stored_values = flag()?,
            "background" => self.background = Some(values::color(value).map_err(wrong)?),
            "camera" => self.position = Some(values::camera(value).map_err(wrong)?),
            "up" => self.up = Some(value.parse().map_err(wrong)?),
            "orthographic" => self.is_orthographic = flag()?,
            "step" => self.step = number()?,
            "orbit" => self.orbit = Some(values::orbit(value).map_err(wrong)?),
            "level" => self.level = values::level(value).map_err(wrong)?,
            "frame" => self.frame = index()?,
            "channel" => self.channel = Some(value.parse().map_err(wrong)?),
            "labels" => self.is_labels = flag()?,
            "spacing" => self.spacing = Some(values::spacing(value).map_err(wrong)?),
            _ => return Err(wrong("is no option of renderings".to_owned())),
        }
        Ok(())
    }

    /// Returns the part of a volume to render. Checks what can be checked before its voxels are read.
    ///
    /// # Errors
    /// [`VolumeError`] if the volume lacks the mip level, frame or channel, options contradict each other, or
    /// the camera or the size is invalid.
    pub fn select(&self, input: VolumeInput) -> Result<VolumePart, VolumeError> {
        let [width, height] = self.size;
        let mip_level = match self.level {
            LevelChoice::Of(level) => level,
            LevelChoice::Auto => {
                let camera = self.camera(Up::Z, input.header());
                input.mip_level_for(&camera, width, height)?
            }
        };
        let single = self.channel.as_ref().map_or(Ok(None), |channel| channel.single(input.header()));
        let channel = single?;
        let options = PartOptions::default().with(|o| {
            (o.mip_level, o.frame, o.channel) = (mip_level, self.frame, channel);
            o.spacing = self.spacing;
            o.kind = self.is_labels.then_some(VoxelKind::Labels);
        });
        let part = input.select(&options)?;
        self.check_mode(self.look.mode(part.header()))?;
        let kind = self.look.kind(part.header());
        let part = part.with_kind(kind);
        self.shown_channels(&part)?;
        self.camera(part.up(), part.header()).view(part.header(), width, height)?;
        Ok(part)
    }

    /// Returns the channels that renderings of a part add up; none for renderings of one channel.
    ///
    /// # Errors
    /// As [`shown_channels`](crate::volume::shown_channels), and [`VolumeError`] if several channels are
    /// chosen with a transfer function or another mode.
    pub fn shown_channels(&self, part: &VolumePart) -> Result<Vec<ShownChannel>, VolumeError> {
        let has_colors = self.has_colors(part);
        if part.is_of_one_channel() || self.channel.is_none() && !has_colors {
            return Ok(Vec::new());
        }
        let (window, are_stored) = (self.look.window, self.look.stored_values);
        let shown = shown_channels(self.channel.as_ref(), &part.shown_header(), window, are_stored)?;
        if shown.is_empty() || has_colors {
            return Ok(shown);
        }
        let reason = "several channels, and colours of one, are for modes dvr and mip without transfer";
        Err(VolumeError::Setting { option: "channel".to_owned(), reason: reason.to_owned() })
    }

    /// True if the mode and the transfer function allow channels in colours.
    fn has_colors(&self, part: &VolumePart) -> bool {
        let mode = self.look.mode(part.header());
        matches!(mode, RenderMode::Dvr | RenderMode::Mip) && self.look.transfer.is_none()
    }

    /// Returns notes on what the options leave to the file.
    ///
    /// # Errors
    /// As [`shown_channels`](Self::shown_channels).
    pub fn notes(&self, part: &VolumePart) -> Result<Vec<String>, VolumeError> {
        let is_default = self.channel.is_none() && !part.is_of_one_channel() && self.has_colors(part);
        let shown = self.shown_channels(part)?;
        let of_look = self.look.note(part.header()).map(str::to_owned);
        Ok(of_look.into_iter().chain(channel_notes(&part.shown_header(), &shown, is_default)).collect())
    }

    /// Checks that the mode has the options that are set.
    fn check_mode(&self, mode: RenderMode) -> Result<(), VolumeError> {
        let conflict = |option, modes| Err(VolumeError::OptionOfMode { option, modes });
        let has_function = matches!(mode, RenderMode::Dvr | RenderMode::Mip);
        if self.look.iso.is_some() && mode != RenderMode::Iso {
            return conflict("iso", "iso");
        }
        if self.look.transfer.is_some() && !has_function {
            return conflict("transfer", "dvr and mip");
        }
        if self.look.window.is_some() && !has_function {
            return conflict("window", "dvr and mip");
        }
        Ok(())
    }

    /// Returns the camera of the first rendering, without focus, if `up` is the axis that suits the volume.
    pub fn camera(&self, up: Up, header: &Header) -> Camera {
        let default = default_camera(header);
        let Camera { azimuth, elevation, .. } = default;
        let CameraPosition { azimuth, elevation, zoom } =
            self.position.unwrap_or(CameraPosition { azimuth, elevation, zoom: 1.0 });
        Camera {
            azimuth,
            elevation,
            zoom,
            projection: if self.is_orthographic { Projection::Orthographic } else { default.projection },
            up: self.up.unwrap_or(up),
            is_orbiting: self.orbit.is_some(),
            step: self.step,
            ..default
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Transfer;
    use brickwork_volume::render::Preset;

    #[test]
    fn options_have_the_names_of_the_program() {
        let mut options = RenderOptions::default();
        for (name, value) in [
            ("size", "64x48"),
            ("mode", "mip"),
            ("transfer", "fire"),
            ("window", "-5..7"),
            ("stored", "true"),
            ("background", "#ff000080"),
            ("camera", "1,2,3"),
            ("up", "-y"),
            ("orthographic", "true"),
            ("step", "0.25"),
            ("orbit", "9"),
            ("level", "auto"),
            ("frame", "4"),
            ("channel", "1,3"),
            ("labels", "false"),
            ("spacing", "1,2,3"),
        ] {
            options.set(name, value).expect(name);
        }
        let want = RenderOptions::default().with(|o| {
            (o.size, o.frame, o.channel, o.step, o.orbit) =
                ([64, 48], 4, Some("1,3".parse().unwrap()), 0.25, Some(9));
            (o.look.mode, o.look.window) = (Some(RenderMode::Mip), Some([-5.0, 7.0]));
            (o.look.transfer, o.look.stored_values) = (Some(Transfer::Preset(Preset::Fire)), true);
            o.background = Some([1.0, 0.0, 0.0, 128.0 / 255.0]);
            o.position = Some(CameraPosition { azimuth: 1.0, elevation: 2.0, zoom: 3.0 });
            (o.up, o.is_orthographic, o.level) = (Some(Up::MinusY), true, LevelChoice::Auto);
            o.spacing = Some(Spacing { x: 1.0, y: 2.0, z: 3.0 });
        });
        assert_eq!(options, want);
        for (name, value, word) in [
            ("mode", "xray", "dvr, mip, iso, labels"),
            ("transfer", "mir", "ct-bone"),
            ("transfer", "{}", "points"),
            ("transfer", "lost/a.json", "lost"),
            ("stored", "1", "true"),
            ("step", "a", "number"),
            ("channel", "1:", "colour"),
            ("colour", "red", "colour"),
        ] {
            let said = options.set(name, value).expect_err(name).to_string();
            assert!(said.contains(word), "{name}: {said}");
        }
    }
}
