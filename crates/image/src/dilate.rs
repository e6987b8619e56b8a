//! Colours of transparent texels, taken from the nearest texels that are not transparent.
//!
//! ```text
//! alpha → distance to the nearest source in each column → nearest source in each row → colours
//! ```
//!
//! A *source* is a texel whose alpha is above 0. Distances are squares of Euclidean ones, in integers, and
//! the time is linear in the number of texels: along a row, the square of the distance to the source of
//! column i is a parabola in x, and the lower envelope of all parabolas states the nearest source of each
//! texel.
//!
//! Source: Meijster, Roerdink, Hesselink, *A General Algorithm for Computing Distance Transforms in Linear
//! Time* (2000).

use crate::{Cancelled, Channel, Task};

/// Distance in a column without a source.
const NONE: i32 = i32::MAX;

/// Gives each transparent texel the colour of the nearest texel that is not transparent, and returns the
/// number of colours that changed. Alpha does not change, and neither do images whose texels are all
/// transparent. A texel is transparent if its alpha is 0, negative or not a number.
///
/// `repeats` states for x and y if the image continues at the opposite edge, as tiles do. Past other edges
/// there is nothing; a mirrored image has no nearer texels there. Among texels at the same distance, the left
/// one counts, then the upper one.
///
/// ```
/// use brickwork_image::{Task, dilate};
///
/// let (leaf, hidden) = ([60u8, 149, 30, 255], [255, 255, 255, 0]);
/// let mut texels = [leaf, hidden, hidden, [9, 9, 9, 128]];
/// assert_eq!(dilate(&mut texels, 4, [false; 2], &Task::new())?, 2);
/// assert_eq!(texels[1..3], [[60, 149, 30, 0], [9, 9, 9, 0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn dilate<C: Channel + PartialEq>(
    texels: &mut [[C; 4]],
    width: usize,
    repeats: [bool; 2],
    task: &Task<'_>,
) -> Result<u64, Cancelled> {
    let rows_up = rows_to_sources(texels, width, repeats[1], task)?;
    let height = texels.len() / width;
    let mut row = Row::new(width, repeats[0]);
    let mut changed = 0;
    for y in 0..height {
        task.check()?;
        let (start, rows_up) = (y * width, &rows_up[y * width..][..width]);
        if texels[start..][..width].iter().all(is_source) || !row.find(rows_up) {
            continue;
        }
        for x in 0..width {
            if is_source(&texels[start + x]) {
                continue;
            }
            let column = row.nearest[x];
            let row = (y as i64 - i64::from(rows_up[column])).rem_euclid(height as i64) as usize;
            let [red, green, blue, _] = texels[row * width + column];
            let texel = &mut texels[start + x];
            let filled = [red, green, blue, texel[3]];
            changed += u64::from(texel[..3] != filled[..3]);
            *texel = filled;
        }
    }
    Ok(changed)
}

fn is_source<C: Channel>(texel: &[C; 4]) -> bool {
    texel[3].value() > 0.0
}

/// Returns for each texel the number of rows up to the nearest source in its column, negative if it is below;
/// [`NONE`] without a source.
fn rows_to_sources<C: Channel>(
    texels: &[[C; 4]],
    width: usize,
    repeats: bool,
    task: &Task<'_>,
) -> Result<Vec<i32>, Cancelled> {
    let mut rows_up = vec![NONE; texels.len()];
    // Rows to the last source of each column.
    let mut last = vec![NONE; width];
    let step = |last: &mut i32, texel: &[C; 4]| {
        *last = if is_source(texel) { 0 } else { last.saturating_add(1) };
        *last
    };
    let tiles = if repeats { 2 } else { 1 };
    for _ in 0..tiles {
        for (rows_up, texels) in rows_up.chunks_exact_mut(width).zip(texels.chunks_exact(width)) {
            task.check()?;
            for ((rows_up, last), texel) in rows_up.iter_mut().zip(&mut last).zip(texels) {
                *rows_up = step(last, texel);
            }
        }
    }
    last.fill(NONE);
    for _ in 0..tiles {
        for (rows_up, texels) in rows_up.chunks_exact_mut(width).zip(texels.chunks_exact(width)).rev() {
            task.check()?;
            for ((rows_up, last), texel) in rows_up.iter_mut().zip(&mut last).zip(texels) {
                let below = step(last, texel);
                *rows_up = if below < rows_up.saturating_abs() { -below } else { *rows_up };
            }
        }
    }
    Ok(rows_up)
}

/// Nearest sources of a row.
struct Row {
    repeats: bool,
    /// Column of the nearest source of each texel.
    nearest: Vec<usize>,
    /// Lower envelope: position of each parabola and the first texel for which it is the lowest.
    envelope: Vec<(i64, i64)>,
}

impl Row {
    fn new(width: usize, repeats: bool) -> Self {
        Self { repeats, nearest: vec![0; width], envelope: Vec::new() }
    }

    /// Computes the nearest sources from the number of rows to the source of each column. False if there is
    /// none.
    fn find(&mut self, rows_up: &[i32]) -> bool {
        let width = rows_up.len() as i64;
        let rows_of = |position: i64| rows_up[position.rem_euclid(width) as usize];
        let square = |position: i64| i64::from(rows_of(position)).pow(2);
        let distance = |x: i64, position: i64| (x - position).pow(2) + square(position);
        let positions = if self.repeats { -width..2 * width } else { 0..width };
        self.envelope.clear();
        for position in positions.filter(|&position| rows_of(position) != NONE) {
            while self.envelope.pop_if(|(other, x)| distance(*x, *other) > distance(*x, position)).is_some() {
            }
            let first = match self.envelope.last() {
                None => 0,
                Some(&(other, _)) => {
                    let sum = position.pow(2) - other.pow(2) + square(position) - square(other);
                    sum.div_euclid(2 * (position - other)) + 1
                }
            };
            if first < width {
                self.envelope.push((position, first));
            }
        }
        let mut parabolas = self.envelope.iter().peekable();
        let mut column = 0;
        for (x, nearest) in (0..width).zip(&mut self.nearest) {
            while let Some((position, _)) = parabolas.next_if(|(_, first)| *first <= x) {
                column = position.rem_euclid(width) as usize;
            }
            *nearest = column;
        }
        !self.envelope.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares of the distances from a texel to all others.
    fn square([width, height]: [i64; 2], repeats: [bool; 2], from: i64, to: i64) -> i64 {
        let away = |from: i64, to: i64, side: i64, repeats: bool| {
            let away = (from - to).abs();
            if repeats { away.min(side - away) } else { away }
        };
        let x = away(from % width, to % width, width, repeats[0]);
        let y = away(from / width, to / width, height, repeats[1]);
        x * x + y * y
    }

    /// The colour of a source is its index, so that the colour of a filled texel names its source.
    #[test]
    fn colours_are_those_of_a_nearest_texel() {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for (size, share) in [([1, 1], 1), ([9, 1], 3), ([1, 12], 4), ([17, 11], 3), ([24, 31], 40)] {
            let [width, height] = size;
            for repeats in [[false; 2], [true, false], [false, true], [true; 2]] {
                let sources: Vec<i64> = (0..width * height).filter(|_| random() % share == 0).collect();
                let mut texels = vec![[u16::MAX, 1, 2, 0]; (width * height) as usize];
                sources.iter().for_each(|&i| texels[i as usize] = [i as u16, 3, 4, 1 + i as u16]);
                let changed = dilate(&mut texels, width as usize, repeats, &Task::new()).unwrap();
                if sources.is_empty() {
                    assert_eq!((changed, texels[0]), (0, [u16::MAX, 1, 2, 0]));
                    continue;
                }
                assert_eq!(changed as usize, texels.len() - sources.len());
                for (index, texel) in (0..).zip(&texels) {
                    let found = i64::from(texel[0]);
                    let alpha = if sources.contains(&index) { 1 + index as u16 } else { 0 };
                    assert!(sources.contains(&found) && texel[1..] == [3, 4, alpha], "{index}: {texel:?}");
                    let least = sources.iter().map(|&source| square(size, repeats, index, source)).min();
                    let of_found = square(size, repeats, index, found);
                    assert_eq!(Some(of_found), least, "{size:?} {repeats:?} {index}");
                }
            }
        }
    }

    #[test]
    fn the_left_and_the_upper_of_equally_near_texels_count() {
        let texel = |color: u8| [color, 0, 0, if color > 0 { 255 } else { 0 }];
        let fill = |colors: [u8; 9]| {
            let mut texels = colors.map(texel);
            dilate(&mut texels, 3, [false; 2], &Task::new()).unwrap();
            texels.map(|texel| texel[0])
        };
        assert_eq!(fill([0, 0, 0, 1, 0, 2, 0, 0, 0]), [1, 1, 2, 1, 1, 2, 1, 1, 2]);
        assert_eq!(fill([0, 3, 0, 0, 0, 0, 0, 4, 0]), [3, 3, 3, 3, 3, 3, 4, 4, 4]);
    }
}
