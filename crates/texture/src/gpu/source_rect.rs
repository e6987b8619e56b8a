//! Texels of an image that a band uploads.

use crate::mips::Axis;
use std::ops::Range;

/// A rectangle of texels. It may reach past the edges of the image if filters need such texels.
#[derive(Clone, Copy)]
pub(super) struct SourceRect<'a> {
    /// First column and row. They may be before the image.
    pub start: [i64; 2],
    /// Number of columns and rows.
    pub size: [u32; 2],
    /// Sides of the image, which map texels past its edges to others; `None` if there are no such texels.
    pub axes: Option<&'a [Axis; 2]>,
}

impl<'a> SourceRect<'a> {
    /// Returns `size` texels inside the image, starting at `origin`.
    pub fn inside(origin: [u32; 2], size: [u32; 2]) -> Self {
        Self { start: origin.map(i64::from), size, axes: None }
    }

    /// Returns the rectangle that contains this one and the columns and rows of `axes` that the texels of
    /// `level` need.
    pub fn with(self, axes: &'a [Axis; 2], level: [Range<u32>; 2]) -> Self {
        let (mut start, mut size) = (self.start, self.size);
        for (a, range) in level.into_iter().enumerate() {
            let covered = axes[a].covered(range);
            let end = (start[a] + i64::from(size[a])).max(covered.end);
            start[a] = start[a].min(covered.start);
            size[a] = (end - start[a]) as u32;
        }
        Self { start, size, axes: Some(axes) }
    }

    /// Returns the distance of a texel of the image from the first one of the rectangle, in columns and rows.
    pub fn offset_of(&self, texel: [u32; 2]) -> [u32; 2] {
        [0, 1].map(|a| (i64::from(texel[a]) - self.start[a]) as u32)
    }

    /// Returns the row of the image at row `y` of the rectangle.
    pub fn row(&self, y: usize) -> u32 {
        self.wrapped(1, self.start[1] + y as i64)
    }

    /// Returns columns of an image of this width that follow each other. The first one is at column `x` of
    /// the rectangle.
    pub fn columns(&self, x: usize, width: u32) -> Range<u32> {
        let column = self.start[0] + x as i64;
        if (0..i64::from(width)).contains(&column) {
            let end = (self.start[0] + i64::from(self.size[0])).min(width.into());
            return column as u32..end as u32;
        }
        let column = self.wrapped(0, column);
        column..column + 1
    }

    fn wrapped(&self, a: usize, index: i64) -> u32 {
        self.axes.map_or(index as u32, |axes| axes[a].wrapped(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MipFilter, MipWrap};

    #[test]
    fn columns_past_an_edge_come_one_by_one() {
        // Texel i of the level needs the texels from 2i - 1 to 2i + 2.
        let axes =
            [8, 6].map(|side| Axis::new(side, side / 2, MipFilter::Triangle, MipWrap::Repeat).unwrap());
        let rect = SourceRect::inside([4, 0], [4, 6]).with(&axes, [2..4, 0..3]);
        assert_eq!((rect.start, rect.size), ([3, -1], [6, 8]));
        let columns: Vec<_> = (0..6).map(|x| rect.columns(x, 8)).collect();
        assert_eq!(columns, [3..8, 4..8, 5..8, 6..8, 7..8, 0..1]);
        assert_eq!([0, 1, 6, 7].map(|y| rect.row(y)), [5, 0, 5, 0]);
        assert_eq!(rect.offset_of([4, 0]), [1, 1]);
    }
}
