//! Options of a slice of an open volume.

use crate::volume::{
    ChannelSet, PartOptions, ShownChannel, SlicePlane, VolumeError, VolumeInput, VolumePart, channel_notes,
    shown_channels, values,
};
use brickwork_base::UnknownName;
use brickwork_volume::Header;

/// Axis perpendicular to a slice: one of the volume's axes, x the fastest in memory, or one of the patient's:
/// from feet to head with the front up; from front to back, and from right to left with the front on the
/// left, both with the head up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there are no other axes")]
#[expect(missing_docs, reason = "the enum's documentation has them")]
pub enum SliceOrientation {
    X,
    Y,
    #[default]
    Z,
    Axial,
    Coronal,
    Sagittal,
}

impl SliceOrientation {
    /// Every axis.
    pub const ALL: &[Self] = &[Self::X, Self::Y, Self::Z, Self::Axial, Self::Coronal, Self::Sagittal];

    /// Returns the name on the command line, such as `coronal`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::Axial => "axial",
            Self::Coronal => "coronal",
            Self::Sagittal => "sagittal",
        }
    }
}

/// Options of a slice. Default: the middle slice across z, in true proportions with the head up, in a
/// suitable window.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SliceOptions {
    /// Axis perpendicular to the slice. For an axis of the patient, the nearest axis of the volume is used.
    /// Default: z.
    pub axis: SliceOrientation,
    /// Index of the slice along its axis. Default: `None`, the middle slice.
    pub index: Option<usize>,
    /// Values that are black and white. They are physical values if the file states how to compute them, else
    /// stored numbers. Default: `None`, which means the window of DICOM, else the slice's values without the
    /// smallest and the largest half percent.
    pub window: Option<[f64; 2]>,
    /// Channels whose colours are added up. Default: `None`, which means the channel of the part if its
    /// options name one, else the active channels if the file states looks of several, else channel 0.
    pub channel: Option<ChannelSet>,
    /// True to treat the values of the window as stored numbers. Default: false.
    pub stored_values: bool,
    /// True to make one pixel of each voxel, in storage order. Default: false, which means true proportions
    /// and the head up.
    pub stored_pixels: bool,
    /// True to draw letters at the edges of the picture: right, left, anterior, posterior, superior and
    /// inferior of the patient. Default: false.
    pub marks: bool,
}

impl SliceOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Sets an option by its name and a value, both as on the command line. Flags have the values `true` and
    /// `false`.
    ///
    /// # Errors
    /// [`VolumeError::Setting`] for unknown names and wrong values.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), VolumeError> {
        let wrong = |reason: String| VolumeError::Setting { option: name.to_owned(), reason };
        let flag = || value.parse().map_err(|_| wrong(format!("\"{value}\" is neither true nor false")));
        match name {
            "axis" => {
                let axis = UnknownName::find(value, SliceOrientation::ALL, SliceOrientation::name);
                self.axis = axis.map_err(|error| wrong(error.to_string()))?;
            }
            "index" => {
                let index = value.parse().map_err(|_| wrong(format!("\"{value}\" is not an index")))?;
                self.index = Some(index);
            }
            "window" => self.window = Some(values::window(value).map_err(wrong)?),
            "channel" => self.channel = Some(value.parse().map_err(wrong)?),
            "stored" => self.stored_values = flag()?,
            "pixels" => self.stored_pixels = flag()?,
            "marks" => self.marks = flag()?,
            _ => return Err(wrong("is no option of slices".to_owned())),
        }
        Ok(())
    }

    /// Returns the index of the slice of a volume.
    ///
    /// # Errors
    /// [`VolumeError::NoSlice`] if there is no such slice; [`VolumeError::NoDirections`] for marks or a plane
    /// of the patient if the scan's directions are not known.
    pub fn index(&self, header: &Header) -> Result<usize, VolumeError> {
        let is_of_patient = matches!(
            self.axis,
            SliceOrientation::Axial | SliceOrientation::Coronal | SliceOrientation::Sagittal
        );
        if (is_of_patient || self.marks) && !header.is_anatomical() {
            return Err(VolumeError::NoDirections);
        }
        let count = self.plane(header).count(header.dims);
        let index = self.index.unwrap_or(count / 2);
        if index < count { Ok(index) } else { Err(VolumeError::NoSlice { index, count }) }
    }

    /// Selects the mip level and frame of a volume, and the channel if it is a single one.
    ///
    /// # Errors
    /// [`VolumeError`] if the volume lacks one of them.
    pub fn select(
        &self,
        input: VolumeInput,
        mip_level: usize,
        frame: usize,
    ) -> Result<VolumePart, VolumeError> {
        let channel = self.channel.as_ref().map_or(Ok(None), |channel| channel.single(input.header()))?;
        let part = PartOptions::default().with(|o| {
            (o.mip_level, o.frame, o.channel) = (mip_level, frame, channel);
        });
        let part = input.select(&part)?;
        self.shown_channels(&part)?;
        Ok(part)
    }

    /// Returns the channels that a slice of a part adds up; none for a slice of one channel.
    ///
    /// # Errors
    /// As [`shown_channels`].
    pub fn shown_channels(&self, part: &VolumePart) -> Result<Vec<ShownChannel>, VolumeError> {
        if part.is_of_one_channel() {
            return Ok(Vec::new());
        }
        shown_channels(self.channel.as_ref(), &part.shown_header(), self.window, self.stored_values)
    }

    /// Returns notes on what the options leave to the file.
    ///
    /// # Errors
    /// As [`shown_channels`](Self::shown_channels).
    pub fn notes(&self, part: &VolumePart) -> Result<Vec<String>, VolumeError> {
        let is_default = self.channel.is_none() && !part.is_of_one_channel();
        Ok(channel_notes(&part.shown_header(), &self.shown_channels(part)?, is_default))
    }

    /// Returns the plane of the slice as displayed.
    pub(super) fn plane(&self, header: &Header) -> SlicePlane {
        let stored = |axis| {
            let plane = SlicePlane::stored(axis);
            if self.stored_pixels { plane } else { plane.upright(header) }
        };
        let anatomical = SlicePlane::anatomical(header);
        let patient =
            |plane: SlicePlane| if self.stored_pixels { SlicePlane::stored(plane.normal) } else { plane };
        match self.axis {
            SliceOrientation::X => stored(0),
            SliceOrientation::Y => stored(1),
            SliceOrientation::Z => stored(2),
            SliceOrientation::Axial => patient(anatomical[0]),
            SliceOrientation::Coronal => patient(anatomical[1]),
            SliceOrientation::Sagittal => patient(anatomical[2]),
        }
    }
}
