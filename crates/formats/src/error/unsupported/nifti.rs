//! Properties of NIfTI files.

use brickwork_volume::VoxelType;

/// Property of a NIfTI file that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NiftiFeature {
    /// Vectors of colours, or of more parts than a voxel has channels.
    #[error("dim[5] = {parts}, vectors of {parts} parts of {colors} {voxel_type},")]
    Vectors {
        /// Parts of a vector.
        parts: usize,
        /// Numbers per part.
        colors: usize,
        /// Type of the numbers.
        voxel_type: VoxelType,
    },
    /// Vectors from a pipe, whose channels cannot be read separately.
    #[error("NIfTI with vectors (dim[5]) that comes from a pipe")]
    VectorsOfPipe,
    /// Axis after the fifth with a size above 1.
    #[error("dim[{axis}] = {size}, an axis beyond the fifth,")]
    Axis {
        /// Index of the axis, from 1.
        axis: usize,
        /// Size along the axis.
        size: i64,
    },
    /// Type of voxels.
    #[error("datatype {code} ({name})")]
    Datatype {
        /// Code of the type.
        code: i64,
        /// Name of the type.
        name: &'static str,
    },
    /// Voxels in a list of files.
    #[error("NIfTI in a list of files")]
    FileList,
}
