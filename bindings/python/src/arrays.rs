//! NumPy arrays as voxels of a type known at run time.

use brickwork_volume::{AnyView, Dims, ShapeError, Strides, Voxel, VoxelType, half::f16};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::{exceptions::PyTypeError, prelude::*};

/// Calls a macro with each NumPy type and its [`VoxelType`].
macro_rules! with_types {
    ($call:ident) => {
        $call! {
            U8: u8, I8: i8, U16: u16, I16: i16, U32: u32, I32: i32, F32: f32, U64: u64, I64: i64, F64: f64,
            F16: f16
        }
    };
}

macro_rules! arrays {
    ($($name:ident: $number:ty),*) => {
        /// An array of voxels that is read.
        #[derive(Debug)]
        pub enum Input<'py> {
            $(
                #[doc = stringify!($number)]
                $name(PyReadonlyArrayDyn<'py, $number>),
            )*
        }

        /// An array of voxels that is written.
        #[derive(Debug)]
        pub enum Output<'py> {
            $(
                #[doc = stringify!($number)]
                $name(PyReadwriteArrayDyn<'py, $number>),
            )*
        }

        impl<'py> Input<'py> {
            /// Returns an array as voxels, if its numbers are of a type that volumes have.
            ///
            /// # Errors
            /// `TypeError` for other types, and an error if another call writes to the array.
            pub fn new(array: &Bound<'py, PyAny>) -> PyResult<Self> {
                $(
                    if let Ok(array) = array.cast::<PyArrayDyn<$number>>() {
                        return Ok(Self::$name(array.try_readonly()?));
                    }
                )*
                Err(other_type(array))
            }

            /// Returns the shape, the bytes from the lowest address on, and the strides of an array of five
            /// axes, which are frames, z, y, x and channels. `None` if there are gaps between the numbers.
            pub fn memory(&self) -> Option<Memory<'_>> {
                match self {
                    $(Self::$name(array) => memory(array),)*
                }
            }
        }

        impl<'py> Output<'py> {
            /// Returns an array to write voxels to.
            ///
            /// # Errors
            /// `TypeError` for types that volumes do not have, and an error if the array cannot be written
            /// to.
            pub fn new(array: &Bound<'py, PyAny>) -> PyResult<Self> {
                $(
                    if let Ok(array) = array.cast::<PyArrayDyn<$number>>() {
                        return Ok(Self::$name(array.try_readwrite()?));
                    }
                )*
                Err(other_type(array))
            }

            /// Returns the type of the voxels.
            pub const fn voxel_type(&self) -> VoxelType {
                match self {
                    $(Self::$name(_) => VoxelType::$name,)*
                }
            }

            /// Returns the bytes of an array in C order.
            ///
            /// # Errors
            /// An error for other orders.
            pub fn bytes_mut(&mut self) -> PyResult<&mut [u8]> {
                Ok(match self {
                    $(Self::$name(array) => bytemuck::cast_slice_mut(array.as_slice_mut()?),)*
                })
            }
        }
    };
}

with_types!(arrays);

/// Memory of an array of five axes without gaps.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a> {
    /// Bytes from the lowest address on.
    pub bytes: &'a [u8],
    /// Dims of a frame.
    pub dims: Dims,
    /// Number of frames.
    pub frames: usize,
    /// Number of channels.
    pub channels: usize,
    /// Strides in numbers.
    pub strides: Strides,
    /// Type of the numbers.
    pub voxel_type: VoxelType,
}

impl<'a> Memory<'a> {
    /// True if the numbers are in C order.
    pub fn is_dense(&self) -> bool {
        self.strides == Strides::dense(self.dims, self.channels)
    }

    /// Returns a frame.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero or the channels are too many.
    pub fn frame(&self, frame: usize) -> Result<AnyView<'a>, ShapeError> {
        let first = self.strides.first.wrapping_add((self.strides.frame as usize).wrapping_mul(frame));
        let strides = Strides { first, ..self.strides };
        AnyView::with_strides(self.bytes, self.voxel_type, self.dims, self.channels, strides)
    }
}

fn memory<'a, T: Element + Voxel>(array: &'a PyReadonlyArrayDyn<'_, T>) -> Option<Memory<'a>> {
    let view = array.as_array();
    let [frames, z, y, x, channels] = *view.shape() else { return None };
    // ndarray checks that the numbers fill their memory.
    let numbers = view.to_slice_memory_order()?;
    let dims = Dims::new(x, y, z);
    let dense = Strides::dense(dims, channels);
    // The stride of an axis of one number has no meaning.
    let step = |axis: usize, dense| if view.shape()[axis] > 1 { view.strides()[axis] } else { dense };
    let below = |axis: usize| step(axis, 0).min(0).unsigned_abs() * view.shape()[axis].saturating_sub(1);
    let strides = Strides {
        first: (0..5).map(below).sum(),
        frame: step(0, dense.frame),
        z: step(1, dense.z),
        y: step(2, dense.y),
        x: step(3, dense.x),
        channel: step(4, dense.channel),
    };
    let bytes = bytemuck::cast_slice(numbers);
    Some(Memory { bytes, dims, frames, channels, strides, voxel_type: T::TYPE })
}

fn other_type(array: &Bound<'_, PyAny>) -> PyErr {
    let found = array.getattr("dtype").map_or_else(|_| array.get_type().to_string(), |t| t.to_string());
    PyTypeError::new_err(format!(
        "voxels are integers of 8 to 64 bits, float16, float32 or float64, not {found}"
    ))
}
