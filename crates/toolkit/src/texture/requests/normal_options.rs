//! Options of normal maps.

/// Options of pictures whose use is [`PictureUse::Normals`](brickwork_image::image_file::PictureUse).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct NormalOptions {
    /// True to invert y (green), which converts between the conventions of OpenGL and Direct3D. Default:
    /// false.
    pub flip_y: bool,
    /// Scale at which normals are made of heights, which are the picture's red. A height of 1, the maximum of
    /// integers, is this many texels high. Y points upward, as in OpenGL. Default: none, the pictures are
    /// normal maps.
    pub height_scale: Option<f32>,
}
