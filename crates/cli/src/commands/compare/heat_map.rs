//! Colours of heat maps: errors from 0 to 255 as colours, from dark to bright.

/// Colours in sRGB at equal distances, whose luma rises steadily.
const ANCHORS: [[u8; 3]; 6] =
    [[10, 10, 28], [66, 20, 112], [152, 36, 122], [224, 76, 72], [250, 162, 44], [255, 250, 200]];

/// Largest errors of scales.
pub const ENDS: [u8; 7] = [4, 8, 16, 32, 64, 128, 255];

/// Returns the colours of the 256 steps of a scale, from no error to the scale's end.
pub fn colors() -> [[u8; 3]; 256] {
    std::array::from_fn(|step| {
        let position = step * (ANCHORS.len() - 1);
        let (first, rest) = (position / 255, position % 255);
        let second = (first + 1).min(ANCHORS.len() - 1);
        [0, 1, 2].map(|c| {
            let [a, b] = [first, second].map(|anchor| usize::from(ANCHORS[anchor][c]));
            ((a * (255 - rest) + b * rest + 127) / 255) as u8
        })
    })
}

/// Returns the step of an error on a scale that ends at `end`. Larger errors have the last step.
pub fn step(error: u8, end: u8) -> usize {
    let end = usize::from(end.max(1));
    ((usize::from(error) * 255 + end / 2) / end).min(255)
}

/// Returns the end of a scale for these errors: the smallest one that 99 % of them do not exceed.
pub fn end_for<'a>(errors: impl IntoIterator<Item = &'a [u8]>) -> u8 {
    let mut counts = [0u64; 256];
    for image in errors {
        image.iter().for_each(|&error| counts[usize::from(error)] += 1);
    }
    let total: u64 = counts.iter().sum();
    let is_enough = |end: &u8| {
        let above: u64 = counts[usize::from(*end) + 1..].iter().sum();
        above * 100 <= total
    };
    ENDS.into_iter().find(is_enough).unwrap_or(255)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_rise_from_dark_to_bright() {
        let colors = colors();
        assert_eq!((colors[0], colors[255]), (ANCHORS[0], ANCHORS[5]));
        let luma = |[r, g, b]: [u8; 3]| 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b);
        assert!(colors.windows(2).all(|pair| luma(pair[0]) <= luma(pair[1])));
        assert_eq!([step(0, 8), step(4, 8), step(8, 8), step(200, 8)], [0, 128, 255, 255]);
        assert_eq!([0, 100, 255].map(|error| step(error, 255)), [0, 100, 255]);
    }

    #[test]
    fn a_scale_ignores_a_hundredth_of_the_errors() {
        let few = [[3; 99].as_slice(), &[90]].concat();
        assert_eq!(end_for([few.as_slice()]), 4);
        let more = [[3; 98].as_slice(), &[90, 90]].concat();
        assert_eq!(end_for([more.as_slice()]), 128);
        assert_eq!(end_for([]), 4);
    }
}
