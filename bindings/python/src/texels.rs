//! NumPy arrays as images of a texel type known at run time.

use brickwork_texture::{Image, ImageView, ImageViewMut, Texel, bytemuck, half::f16};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};

/// Texels of an array in C order of the shape (height, width, channels), that are read.
#[derive(Debug)]
pub enum Texels<'py> {
    /// 8 bits per channel.
    U8(PyReadonlyArrayDyn<'py, u8>),
    /// 16 bits per channel.
    U16(PyReadonlyArrayDyn<'py, u16>),
    /// Half floats.
    F16(PyReadonlyArrayDyn<'py, f16>),
    /// Single floats.
    F32(PyReadonlyArrayDyn<'py, f32>),
}

impl<'py> Texels<'py> {
    /// Returns the texels of an array.
    ///
    /// # Errors
    /// `TypeError` for other types, and an error if another call writes to the array.
    pub fn new(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = array.cast::<PyArrayDyn<u8>>() {
            Ok(Self::U8(array.try_readonly()?))
        } else if let Ok(array) = array.cast::<PyArrayDyn<u16>>() {
            Ok(Self::U16(array.try_readonly()?))
        } else if let Ok(array) = array.cast::<PyArrayDyn<f16>>() {
            Ok(Self::F16(array.try_readonly()?))
        } else if let Ok(array) = array.cast::<PyArrayDyn<f32>>() {
            Ok(Self::F32(array.try_readonly()?))
        } else {
            Err(other_type(array))
        }
    }

    /// Returns the texels as an image.
    ///
    /// # Errors
    /// `ValueError` for other shapes and orders.
    pub fn image(&self) -> PyResult<Box<dyn Image + '_>> {
        match self {
            Self::U8(array) => image(array),
            Self::U16(array) => image(array),
            Self::F16(array) => image(array),
            Self::F32(array) => image(array),
        }
    }
}

/// Texels of an array in C order of the shape (height, width, 4), that are written.
#[derive(Debug)]
pub enum TexelsMut<'py> {
    /// 8 bits per channel.
    U8(PyReadwriteArrayDyn<'py, u8>),
    /// 16 bits per channel.
    U16(PyReadwriteArrayDyn<'py, u16>),
    /// Half floats.
    F16(PyReadwriteArrayDyn<'py, f16>),
    /// Single floats.
    F32(PyReadwriteArrayDyn<'py, f32>),
}

impl<'py> TexelsMut<'py> {
    /// Returns the texels of an array.
    ///
    /// # Errors
    /// `TypeError` for other types, and an error if the array cannot be written to.
    pub fn new(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = array.cast::<PyArrayDyn<u8>>() {
            Ok(Self::U8(array.try_readwrite()?))
        } else if let Ok(array) = array.cast::<PyArrayDyn<u16>>() {
            Ok(Self::U16(array.try_readwrite()?))
        } else if let Ok(array) = array.cast::<PyArrayDyn<f16>>() {
            Ok(Self::F16(array.try_readwrite()?))
        } else if let Ok(array) = array.cast::<PyArrayDyn<f32>>() {
            Ok(Self::F32(array.try_readwrite()?))
        } else {
            Err(other_type(array))
        }
    }

    /// Returns the texels as an image, and their size in bytes.
    ///
    /// # Errors
    /// `ValueError` for other shapes and orders.
    pub fn image(&mut self) -> PyResult<(ImageViewMut<'_>, u64)> {
        match self {
            Self::U8(array) => {
                let [height, width, _] = shape(array.as_array().shape())?;
                let texels: &mut [[u8; 4]] =
                    bytemuck::try_cast_slice_mut(array.as_slice_mut()?).map_err(odd)?;
                let byte_count = size_of_val(texels) as u64;
                Ok((ImageViewMut::new(texels, width, height).map_err(value)?, byte_count))
            }
            Self::U16(array) => {
                let [height, width, _] = shape(array.as_array().shape())?;
                let texels: &mut [[u16; 4]] =
                    bytemuck::try_cast_slice_mut(array.as_slice_mut()?).map_err(odd)?;
                let byte_count = size_of_val(texels) as u64;
                Ok((ImageViewMut::new(texels, width, height).map_err(value)?, byte_count))
            }
            Self::F16(array) => {
                let [height, width, _] = shape(array.as_array().shape())?;
                let texels: &mut [[f16; 4]] =
                    bytemuck::try_cast_slice_mut(array.as_slice_mut()?).map_err(odd)?;
                let byte_count = size_of_val(texels) as u64;
                Ok((ImageViewMut::new(texels, width, height).map_err(value)?, byte_count))
            }
            Self::F32(array) => {
                let [height, width, _] = shape(array.as_array().shape())?;
                let texels: &mut [[f32; 4]] =
                    bytemuck::try_cast_slice_mut(array.as_slice_mut()?).map_err(odd)?;
                let byte_count = size_of_val(texels) as u64;
                Ok((ImageViewMut::new(texels, width, height).map_err(value)?, byte_count))
            }
        }
    }
}

fn image<'a, T>(array: &'a PyReadonlyArrayDyn<'_, T>) -> PyResult<Box<dyn Image + 'a>>
where
    T: Element + Texel + bytemuck::Pod,
    [T; 2]: Texel,
    [T; 3]: Texel,
    [T; 4]: Texel,
{
    let [height, width, channels] = shape(array.as_array().shape())?;
    let numbers = array.as_slice()?;
    let view: Result<Box<dyn Image + 'a>, _> = match channels {
        1 => ImageView::new(numbers, width, height).map(|view| Box::new(view) as _),
        2 => ImageView::new(bytemuck::cast_slice::<T, [T; 2]>(numbers), width, height)
            .map(|view| Box::new(view) as _),
        3 => ImageView::new(bytemuck::cast_slice::<T, [T; 3]>(numbers), width, height)
            .map(|view| Box::new(view) as _),
        4 => ImageView::new(bytemuck::cast_slice::<T, [T; 4]>(numbers), width, height)
            .map(|view| Box::new(view) as _),
        other => return Err(PyValueError::new_err(format!("{other} channels: a texel has 1 to 4"))),
    };
    view.map_err(value)
}

/// Returns height, width and channels.
fn shape(shape: &[usize]) -> PyResult<[u32; 3]> {
    let [height, width, channels] = *shape else {
        return Err(PyValueError::new_err(format!("an image has three axes, not {}", shape.len())));
    };
    let [height, width, channels] = [height, width, channels].map(u32::try_from);
    Ok([height?, width?, channels?])
}

fn odd(_: bytemuck::PodCastError) -> PyErr {
    PyValueError::new_err("texels that are written have four channels")
}

fn value(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn other_type(array: &Bound<'_, PyAny>) -> PyErr {
    let found = array.getattr("dtype").map_or_else(|_| array.get_type().to_string(), |t| t.to_string());
    PyTypeError::new_err(format!("texels are uint8, uint16, float16 or float32, not {found}"))
}
