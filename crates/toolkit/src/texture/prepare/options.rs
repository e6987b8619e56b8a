//! Options of normal maps.

/// Options of pictures whose use is [`PictureUse::Normals`](brickwork_image::image_file::PictureUse).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalOptions {
    flip_y: bool,
    height_scale: Option<f32>,
}

impl NormalOptions {
    /// Returns the defaults.
    pub const fn new() -> Self {
        Self { flip_y: false, height_scale: None }
    }

    /// Inverts y (green), which converts between the conventions of OpenGL and Direct3D. Default: false.
    #[must_use]
    pub const fn with_flip_y(self, flip_y: bool) -> Self {
        Self { flip_y, ..self }
    }

    /// Makes normals of heights, which are the picture's red. A height of 1, the maximum of integers, is
    /// `scale` texels high. Y points upward, as in OpenGL. Default: none, the pictures are normal maps.
    #[must_use]
    pub const fn with_height_scale(self, scale: Option<f32>) -> Self {
        Self { height_scale: scale, ..self }
    }

    /// True if y is inverted.
    pub const fn flip_y(&self) -> bool {
        self.flip_y
    }

    /// Returns the number of texels of a height of 1, if the pictures are heights.
    pub const fn height_scale(&self) -> Option<f32> {
        self.height_scale
    }
}
