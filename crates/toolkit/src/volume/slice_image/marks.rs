//! Letters at the edges of a slice: right, left, anterior, posterior, superior and inferior of the patient.

use crate::volume::{SliceAxis, SlicePlane};
use brickwork_volume::Header;

/// Width and height of a letter, and the distance from the edge, in dots.
const WIDTH: usize = 5;
const HEIGHT: usize = 7;
const MARGIN: usize = 2;

/// Pixels of the shorter side of a picture per pixel of a dot.
const PIXELS_PER_DOT: usize = 160;

/// Letters of the two ends of each axis of the world, which point left, back and up.
const LETTERS: [[char; 2]; 3] = [['R', 'L'], ['A', 'P'], ['I', 'S']];

/// Letters at the left, the right, the upper and the lower edge.
pub fn letters(header: &Header, plane: SlicePlane) -> [char; 4] {
    let ends = |SliceAxis { axis, is_flipped }: SliceAxis| {
        let direction = &header.orientation[3 * axis..][..3];
        let along = |world: &usize| direction[*world].abs();
        let world = (0..3).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or(0);
        let [start, end] = LETTERS[world];
        if (direction[world] < 0.0) != is_flipped { [end, start] } else { [start, end] }
    };
    let ([left, right], [up, down]) = (ends(plane.across), ends(plane.down));
    [left, right, up, down]
}

/// Draws the letters at the left, the right, the upper and the lower edge of a picture: `light`, with a
/// `dark` border of a dot.
pub fn draw<P: Copy>(
    pixels: &mut [P],
    [width, height]: [usize; 2],
    letters: [char; 4],
    [light, dark]: [P; 2],
) {
    let dot = (width.min(height) / PIXELS_PER_DOT).max(1);
    let (letter_width, letter_height, margin) = (WIDTH * dot, HEIGHT * dot, MARGIN * dot);
    let middle = [(width.saturating_sub(letter_width)) / 2, (height.saturating_sub(letter_height)) / 2];
    let far = [width.saturating_sub(letter_width + margin), height.saturating_sub(letter_height + margin)];
    let places = [[margin, middle[1]], [far[0], middle[1]], [middle[0], margin], [middle[0], far[1]]];
    for (letter, [left, top]) in letters.into_iter().zip(places) {
        let rows = glyph(letter);
        let is_set = |x: isize, y: isize| {
            let inside = (0..WIDTH as isize).contains(&x) && (0..HEIGHT as isize).contains(&y);
            inside && rows[y as usize] >> (WIDTH as isize - 1 - x) & 1 == 1
        };
        for y in -1..=HEIGHT as isize {
            for x in -1..=WIDTH as isize {
                let is_near = || (-1..=1).any(|dy| (-1..=1).any(|dx| is_set(x + dx, y + dy)));
                let color = if is_set(x, y) {
                    light
                } else if is_near() {
                    dark
                } else {
                    continue;
                };
                for i in 0..dot * dot {
                    let column = left as isize + x * dot as isize + (i % dot) as isize;
                    let row = top as isize + y * dot as isize + (i / dot) as isize;
                    if (0..width as isize).contains(&column) && (0..height as isize).contains(&row) {
                        pixels[row as usize * width + column as usize] = color;
                    }
                }
            }
        }
    }
}

/// Returns the rows of a letter, the highest of five bits on the left.
const fn glyph(letter: char) -> [u8; HEIGHT] {
    match letter {
        'R' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
        'L' => [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
        'A' => [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        'P' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
        'S' => [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
        _ => [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, VoxelType};

    #[test]
    fn letters_are_those_of_the_patient() {
        let header = |orientation: [f64; 9]| {
            Header::new(VoxelType::U8, Dims::new(4, 4, 4)).with(|header| header.orientation = orientation)
        };
        let plain = header([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(letters(&plain, SlicePlane::stored(2)), ['R', 'L', 'A', 'P']);
        assert_eq!(letters(&plain, SlicePlane::stored(1)), ['R', 'L', 'I', 'S']);
        // Anatomical planes have the same letters for every orientation of the volume.
        for orientation in [
            plain.orientation,
            [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0],
            [0.0, 1.0, 0.0, 0.0, 0.0, -1.0, -1.0, 0.0, 0.0],
            [0.9, 0.3, 0.0, -0.3, 0.9, 0.1, 0.0, -0.1, 0.9],
        ] {
            let header = header(orientation);
            let [axial, coronal, sagittal] =
                SlicePlane::anatomical(&header).map(|plane| letters(&header, plane));
            assert_eq!(axial, ['R', 'L', 'A', 'P'], "{orientation:?}");
            assert_eq!(coronal, ['R', 'L', 'S', 'I'], "{orientation:?}");
            assert_eq!(sagittal, ['A', 'P', 'S', 'I'], "{orientation:?}");
        }
    }

    #[test]
    fn letters_are_at_the_edges() {
        let (width, height) = (41, 31);
        let mut pixels = vec![7u8; width * height];
        draw(&mut pixels, [width, height], ['R', 'L', 'S', 'I'], [255, 0]);
        let shown = |left: usize, top: usize| -> Vec<String> {
            let row = |y: usize| pixels[(top + y) * width + left..][..WIDTH].iter();
            (0..HEIGHT).map(|y| row(y).map(|&p| if p == 255 { '#' } else { '.' }).collect()).collect()
        };
        assert_eq!(shown(2, 12), ["####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"]);
        assert_eq!(shown(34, 12), ["#....", "#....", "#....", "#....", "#....", "#....", "#####"]);
        assert_eq!(shown(18, 2)[0], ".####");
        assert_eq!(shown(18, 22)[6], ".###.");
        assert_eq!((pixels[12 * width + 1], pixels[20 * width + 20]), (0, 7));
        // Twice as large, and clipped.
        let mut pixels = vec![7u8; 320 * 330];
        draw(&mut pixels, [320, 330], ['R'; 4], [255, 0]);
        assert_eq!(pixels.iter().filter(|&&pixel| pixel == 255).count() % 16, 0);
        let mut pixels = vec![7u8; 6];
        draw(&mut pixels, [3, 2], ['L'; 4], [255, 0]);
    }
}
