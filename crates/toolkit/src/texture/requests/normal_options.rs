//! Options of normal maps.

/// Options of pictures whose use is [`PictureUse::Normals`](brickwork_image::image_file::PictureUse).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct NormalOptions {
    /// True to scale all vectors to length 1, those of the pictures and of each mip level; false to keep
    /// those of the pictures and the means of the others. Default: none, which decides by the texels. Mip
    /// levels have vectors of length 1, unless less than 80 % of the picture's texels may be normals. Those
    /// of the picture are scaled, too, if more than 0.1 % of them differ from 1 by more than 0.04.
    pub normalize: Option<bool>,
    /// True to invert x (red). Default: false.
    pub flip_x: bool,
    /// True to invert y (green), which converts between the conventions of OpenGL and Direct3D. Default:
    /// false.
    pub flip_y: bool,
    /// Scale at which normals are made of heights, which are the picture's red. A height of 1, the maximum of
    /// integers, is this many texels high. Y points upward, as in OpenGL. Default: none, the pictures are
    /// normal maps.
    pub height_scale: Option<f32>,
}

impl NormalOptions {
    /// True if an option states that the pictures are normal maps.
    pub(in crate::texture) fn state_normals(self) -> bool {
        self.normalize == Some(true) || self.flip_x || self.flip_y || self.height_scale.is_some()
    }
}
