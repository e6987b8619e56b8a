//! Lookup tables of colours as strips: n squares of n × n texels, side by side or one below the other. Red
//! rises along x, green along y, up or down, and blue from square to square.

use super::Picture;

/// Sides of squares.
const SIDES: std::ops::RangeInclusive<u32> = 8..=128;
/// Minimum share of ramps that rise.
const RISING_SHARE: f64 = 0.9;

/// True if the picture is such a strip. Looks that a table applies may curve its ramps, but seldom turn them.
pub(super) fn is_one(picture: &Picture) -> bool {
    let (width, height) = (picture.width, picture.height);
    let (side, is_row) = (width.min(height), width > height);
    if !SIDES.contains(&side) || u64::from(width.max(height)) != u64::from(side) * u64::from(side) {
        return false;
    }
    if picture.texels.texel_count() as u64 != u64::from(width) * u64::from(height) {
        return false;
    }
    let texel = |x: u32, y: u32, square: u32| {
        let (x, y) = if is_row { (square * side + x, y) } else { (x, square * side + y) };
        picture.texels.unit(y as usize * width as usize + x as usize)
    };
    let last = side - 1;
    let positions = [0, side / 4, side / 2, last];
    let pairs: Vec<_> = positions.iter().flat_map(|a| positions.map(|b| [*a, b])).collect();
    let share = |rises: &dyn Fn(u32, u32) -> bool| {
        let rising = pairs.iter().filter(|[a, b]| rises(*a, *b)).count();
        rising as f64 / pairs.len() as f64
    };
    let red = share(&|y, square| ramp(last, |x| texel(x, y, square)[0]));
    let blue = share(&|x, y| ramp(last, |square| texel(x, y, square)[2]));
    let down = share(&|x, square| ramp(last, |y| texel(x, y, square)[1]));
    let up = share(&|x, square| ramp(last, |y| texel(x, last - y, square)[1]));
    red >= RISING_SHARE && blue >= RISING_SHARE && down.max(up) >= RISING_SHARE
}

/// True if the value ends higher than it begins, and falls in few steps.
fn ramp(last: u32, value: impl Fn(u32) -> f32) -> bool {
    let falling = (0..last).filter(|&step| value(step + 1) < value(step) - 0.01).count();
    value(last) > value(0) + 0.2 && falling <= last as usize / 10
}
