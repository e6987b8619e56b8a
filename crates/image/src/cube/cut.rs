//! Faces that are squares of the picture.

use super::CubeLayout;

/// Returns the texels of a face in a picture of this width, for layouts of squares.
pub(super) fn cut<T: Copy>(texels: &[T], width: u32, layout: CubeLayout, face: usize, side: u32) -> Vec<T> {
    let [column, row] = layout.square(face).unwrap_or_default();
    let (width, side) = (width as usize, side as usize);
    let first = row as usize * side * width + column as usize * side;
    let rows = (0..side).flat_map(|y| &texels[first + y * width..][..side]);
    let mut cut: Vec<T> = rows.copied().collect();
    // Folded down from −Y, the last square of the vertical cross has its top at the bottom.
    if layout == CubeLayout::VerticalCross && face == 5 {
        cut.reverse();
    }
    cut
}
