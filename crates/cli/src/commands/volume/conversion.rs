//! Conversion of volumes from any format to any format that can be written.

use super::property::VolumeProperty;
use brickwork_formats::{BrickPolicy, OpenedVolume, VolumeFormat, VolumeWriteOptions};
use brickwork_volume::{BrickSize, Header, Profile, ShapeError, Spacing, VoxelKind};

/// Options of a conversion. By default, all properties are those of the input. The bricks are those of a
/// `.bwv` input, else those that compress a sample best.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConvertOptions {
    /// Size of a `.bwv` file's bricks. Default: `None`, which means that of a `.bwv` input, else
    /// [`BrickPolicy::Auto`].
    pub brick: Option<BrickPolicy>,
    /// Number of a `.bwv` file's mip levels. Default: `None`, which means that of the input.
    pub levels: Option<usize>,
    /// Kind of the voxels. Default: `None`, which means that of the input.
    pub kind: Option<VoxelKind>,
    /// Coder of a `.bwv` file. Default: `None`, which means that of the input.
    pub profile: Option<Profile>,
    /// Distance between voxels. Default: `None`, which means that of the input.
    pub spacing: Option<Spacing>,
    /// True to compress the voxels in NRRD and MetaImage files. Default: false.
    pub compress: bool,
    /// Maximum number of bytes of voxels in memory. Default: `None`, no limit.
    pub max_memory: Option<u64>,
}

impl ConvertOptions {
    /// Applies the options to the header of a volume that becomes a file of `format`. Returns the options for
    /// writing it.
    ///
    /// # Errors
    /// [`ShapeError`] if a `.bwv` file or an OME-Zarr group cannot have the mip levels or the bricks.
    pub fn apply(
        &self,
        volume: &mut OpenedVolume,
        format: VolumeFormat,
    ) -> Result<VolumeWriteOptions, ShapeError> {
        let is_bwv_input = volume.format == VolumeFormat::Bwv;
        let header = &mut volume.header;
        header.spacing = self.spacing.unwrap_or(header.spacing);
        let mut options = VolumeWriteOptions::default();
        options.compress = self.compress;
        options.max_memory = self.max_memory;
        if !VolumeProperty::Coding.is_of(format) {
            return Ok(options);
        }
        self.apply_to_header(header)?;
        let suited = if is_bwv_input { BrickPolicy::Fixed(header.brick) } else { BrickPolicy::Auto };
        options.brick = self.brick.unwrap_or(suited);
        Ok(options)
    }

    fn apply_to_header(&self, header: &mut Header) -> Result<(), ShapeError> {
        if let Some(BrickPolicy::Fixed(size)) = self.brick {
            header.brick = size;
        }
        header.profile = self.profile.unwrap_or(header.profile);
        header.kind = self.kind.unwrap_or(header.kind);
        let (levels, most) = (self.levels.unwrap_or(header.mip_levels), header.most_mip_levels());
        if levels == 0 || levels > most {
            return Err(ShapeError::MipLevels { levels, dims: header.dims, most });
        }
        header.mip_levels = levels;
        if header.profile != Profile::Bricks && header.brick != BrickSize::Four {
            return Err(ShapeError::PaperBrick);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_base::Task;
    use brickwork_formats::write_volume;
    use brickwork_volume::{ByteOrder, Dims, VolumeFile, VoxelStream, VoxelType};
    use std::io::Cursor;

    fn volume(format: VolumeFormat) -> OpenedVolume {
        let header = Header::new(VoxelType::U8, Dims::cube(16));
        let voxels = VoxelStream::Once(Box::new(Cursor::new(vec![7; 4096])));
        OpenedVolume {
            format,
            header,
            order: ByteOrder::Little,
            voxels,
            files: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn bricks_and_levels_are_those_asked_for() {
        let options = ConvertOptions {
            brick: Some(BrickPolicy::Fixed(BrickSize::Eight)),
            levels: Some(2),
            kind: Some(VoxelKind::Labels),
            ..ConvertOptions::default()
        };
        let (mut file, mut volume) = (Vec::new(), volume(VolumeFormat::Raw));
        let options = options.apply(&mut volume, VolumeFormat::Bwv).unwrap();
        write_volume(volume, VolumeFormat::Bwv, &options, &mut file, &Task::new()).unwrap();
        let file = VolumeFile::new(file).unwrap();
        let header = file.header();
        assert_eq!((header.brick, header.mip_levels), (BrickSize::Eight, 2));
        assert_eq!(header.kind, VoxelKind::Labels);
    }

    #[test]
    fn bwv_inputs_keep_their_bricks() {
        let options = ConvertOptions::default();
        let apply = |format| options.apply(&mut volume(format), VolumeFormat::Bwv).unwrap();
        let four = BrickPolicy::Fixed(BrickSize::Four);
        assert_eq!(apply(VolumeFormat::Bwv), VolumeWriteOptions::default().with(|o| o.brick = four));
        assert_eq!(
            apply(VolumeFormat::Raw),
            VolumeWriteOptions::default().with(|o| o.brick = BrickPolicy::Auto)
        );
    }

    #[test]
    fn impossible_files_are_refused() {
        let apply =
            |options: ConvertOptions| options.apply(&mut volume(VolumeFormat::Raw), VolumeFormat::Bwv);
        let levels = apply(ConvertOptions { levels: Some(9), ..ConvertOptions::default() });
        assert!(matches!(levels, Err(ShapeError::MipLevels { levels: 9, .. })));
        let paper = Profile::ALL.iter().copied().find(|profile| *profile != Profile::Bricks);
        let eight = Some(BrickPolicy::Fixed(BrickSize::Eight));
        let paper = ConvertOptions { profile: paper, brick: eight, ..ConvertOptions::default() };
        assert!(matches!(apply(paper), Err(ShapeError::PaperBrick)));
    }
}
