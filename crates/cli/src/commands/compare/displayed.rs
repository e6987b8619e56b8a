//! Images as a viewer displays them, with 8 bits per channel.

use crate::half_floats::half;
use brickwork_base::{Cancelled, Stage, Task};
use brickwork_texture::{ChannelType, Image, ToneMap, half::f16};
use brickwork_toolkit::texture::MeasureError;

/// Returns the largest difference of red, green, blue and alpha of each texel, row by row without gaps.
/// Colours of texels that are transparent in both images count as equal. Floats are compared as `tone_map`
/// displays them, if there is one.
///
/// # Errors
/// [`MeasureError::Cancelled`].
pub(super) fn largest_difference(
    a: &dyn Image,
    b: &dyn Image,
    tone_map: Option<&ToneMap>,
    task: &Task<'_>,
) -> Result<Vec<u8>, MeasureError> {
    let height = a.size()[1];
    let (shown_a, shown_b) = (Displayed::new(a, tone_map), Displayed::new(b, tone_map));
    let mut largest = Vec::with_capacity(a.size()[0] as usize * height as usize);
    let [mut row_a, mut row_b] = [Vec::new(), Vec::new()];
    for y in 0..height {
        step(task, y, height)?;
        shown_a.row(y, &mut row_a);
        shown_b.row(y, &mut row_b);
        largest.extend(row_a.iter().zip(&row_b).map(|(a, b)| match a[3] | b[3] {
            0 => 0,
            _ => (0..4).map(|c| a[c].abs_diff(b[c])).max().unwrap_or(0),
        }));
    }
    Ok(largest)
}

/// Returns the texels of an image as 8-bit RGBA, row by row without gaps. Floats are those that `tone_map`
/// displays, if there is one, else they are clamped to 0 to 1.
///
/// # Errors
/// [`MeasureError::Cancelled`].
pub(super) fn displayed_texels(
    image: &dyn Image,
    tone_map: Option<&ToneMap>,
    task: &Task<'_>,
) -> Result<Vec<[u8; 4]>, MeasureError> {
    let [width, height] = image.size();
    let shown = Displayed::new(image, tone_map);
    let mut texels = Vec::with_capacity(width as usize * height as usize);
    let mut row = Vec::new();
    for y in 0..height {
        step(task, y, height)?;
        shown.row(y, &mut row);
        texels.extend_from_slice(&row);
    }
    Ok(texels)
}

/// An image as a viewer displays it.
struct Displayed<'a> {
    image: &'a dyn Image,
    /// Displayed values by the bits of half floats.
    table: Option<Vec<u8>>,
}

impl<'a> Displayed<'a> {
    fn new(image: &'a dyn Image, tone_map: Option<&ToneMap>) -> Self {
        Self { image, table: tone_map.map(ToneMap::table) }
    }

    /// Replaces `row` by the texels of row `y`.
    fn row(&self, y: u32, row: &mut Vec<[u8; 4]>) {
        let width = self.image.size()[0] as usize;
        row.resize(width, [0; 4]);
        let Some(table) = &self.table else {
            let mut buffer = vec![[0; 4]; width];
            row.copy_from_slice(self.image.row_rgba8(y, &mut buffer));
            return;
        };
        let mut buffer = vec![[f16::ZERO; 4]; width];
        let texels = if self.image.channel_type() == ChannelType::F32 {
            let mut singles = vec![[0.0; 4]; width];
            for (texel, single) in buffer.iter_mut().zip(self.image.row_rgba_f32(y, &mut singles)) {
                *texel = single.map(half);
            }
            &buffer[..]
        } else {
            self.image.row_rgba_f16(y, &mut buffer)
        };
        for (shown, &[r, g, b, alpha]) in row.iter_mut().zip(texels) {
            let [r, g, b] = [r, g, b].map(|light| table[usize::from(light.to_bits())]);
            *shown = [r, g, b, (alpha.to_f32().clamp(0.0, 1.0) * 255.0).round() as u8];
        }
    }
}

/// Reports a row, and checks for cancellation.
fn step(task: &Task<'_>, y: u32, height: u32) -> Result<(), Cancelled> {
    task.check()?;
    task.report(Stage::Comparing, u64::from(y) + 1, height.into());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::ImageView;

    #[test]
    fn the_largest_difference_counts_what_is_visible() {
        let a = [[0u8, 100, 5, 255], [1, 2, 3, 9], [200, 0, 0, 0]];
        let b = [[1u8, 80, 5, 255], [1, 2, 4, 0], [0; 4]];
        let [a, b] = [&a, &b].map(|texels| ImageView::new(texels, 3, 1).unwrap());
        assert_eq!(largest_difference(&a, &b, None, &Task::new()).unwrap(), [20, 9, 0]);
        let light = [[0.5, 2.0, -1.0, 0.5].map(f16::from_f32)];
        let light = ImageView::new(&light, 1, 1).unwrap();
        let map = ToneMap::default();
        assert_eq!(displayed_texels(&light, Some(&map), &Task::new()).unwrap(), [[188, 255, 0, 128]]);
        assert_eq!(displayed_texels(&light, None, &Task::new()).unwrap(), [[128, 255, 0, 128]]);
        // Finite single floats are at most 65504, which is 2⁻⁴ after 20 stops.
        let singles = [[1e9f32, 0.5, -1.0, 0.5]];
        let singles = ImageView::new(&singles, 1, 1).unwrap();
        let dark = ToneMap::default().with(|o| o.exposure = -20.0);
        assert_eq!(displayed_texels(&singles, Some(&dark), &Task::new()).unwrap(), [[71, 0, 0, 128]]);
        assert_eq!(displayed_texels(&singles, Some(&map), &Task::new()).unwrap(), [[255, 188, 0, 128]]);
        let black = [[f16::ZERO, f16::ZERO, f16::ZERO, f16::ONE]];
        let black = ImageView::new(&black, 1, 1).unwrap();
        assert_eq!(largest_difference(&light, &black, Some(&map), &Task::new()).unwrap(), [255]);
    }
}
