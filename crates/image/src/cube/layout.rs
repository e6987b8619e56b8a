//! Arrangement of the six faces in a picture.

use std::fmt;

/// Arrangement of the six faces of a cube in one picture, which its size determines. Displayed as a name such
/// as `horizontal cross`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CubeLayout {
    /// 4:3. In the middle row −X, +Z, +X, −Z; above and below +Z are +Y and −Y.
    HorizontalCross,
    /// 3:4. In the second row −X, +Z, +X; above +Z is +Y, below it −Y and −Z, which is upside down.
    VerticalCross,
    /// 6:1. The faces +X, −X, +Y, −Y, +Z, −Z from left to right.
    HorizontalStrip,
    /// 1:6. The faces +X, −X, +Y, −Y, +Z, −Z from top to bottom.
    VerticalStrip,
    /// 2:1. An equirectangular panorama: longitude from left to right, latitude from top to bottom. The
    /// centre is +Z, the right half +X, the top row +Y.
    Panorama,
}

impl CubeLayout {
    /// Returns the layout of a picture of this width and height, if there is one.
    ///
    /// ```
    /// use brickwork_image::cube::CubeLayout;
    ///
    /// assert_eq!(CubeLayout::of_size(4096, 2048), Some(CubeLayout::Panorama));
    /// assert_eq!(CubeLayout::of_size(512, 512), None);
    /// ```
    pub fn of_size(width: u32, height: u32) -> Option<Self> {
        let [w, h] = [width, height].map(u64::from);
        let is = |columns: u64, rows: u64| w > 0 && w * rows == h * columns && w.is_multiple_of(columns);
        match () {
            () if is(4, 3) => Some(Self::HorizontalCross),
            () if is(3, 4) => Some(Self::VerticalCross),
            () if is(6, 1) => Some(Self::HorizontalStrip),
            () if is(1, 6) => Some(Self::VerticalStrip),
            () if is(2, 1) => Some(Self::Panorama),
            () => None,
        }
    }

    /// Returns the side of a face in texels, for a picture of this width. A panorama has as many texels
    /// around the horizon as four faces.
    pub fn face_size(self, width: u32) -> u32 {
        let columns = match self {
            Self::HorizontalCross | Self::Panorama => 4,
            Self::VerticalCross => 3,
            Self::HorizontalStrip => 6,
            Self::VerticalStrip => 1,
        };
        (width / columns).max(1)
    }

    /// Returns the column and row of a face among the squares of the picture; `None` for a panorama.
    pub(super) fn square(self, face: usize) -> Option<[u32; 2]> {
        let index = face as u32;
        Some(match self {
            Self::HorizontalCross => [[2, 1], [0, 1], [1, 0], [1, 2], [1, 1], [3, 1]][face],
            Self::VerticalCross => [[2, 1], [0, 1], [1, 0], [1, 2], [1, 1], [1, 3]][face],
            Self::HorizontalStrip => [index, 0],
            Self::VerticalStrip => [0, index],
            Self::Panorama => return None,
        })
    }
}

impl fmt::Display for CubeLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HorizontalCross => "horizontal cross",
            Self::VerticalCross => "vertical cross",
            Self::HorizontalStrip => "horizontal strip",
            Self::VerticalStrip => "vertical strip",
            Self::Panorama => "panorama",
        })
    }
}
