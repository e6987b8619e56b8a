//! Endpoint modes of low dynamic range: integers to the endpoints' colours.

/// Two RGBA colours.
pub(crate) type Ends = [[u8; 4]; 2];

/// Returns the endpoints of a mode with low dynamic range. `v` has at least the mode's integers.
#[inline]
pub(crate) fn endpoints(mode: u8, v: &[u8]) -> Ends {
    match mode {
        0 => [[v[0], v[0], v[0], 255], [v[1], v[1], v[1], 255]],
        1 => {
            let low = v[0] >> 2 | v[1] & 0xc0;
            let high = low.saturating_add(v[1] & 0x3f);
            [[low, low, low, 255], [high, high, high, 255]]
        }
        4 => [[v[0], v[0], v[0], v[2]], [v[1], v[1], v[1], v[3]]],
        5 => {
            let (grey, alpha) = (offset_pair(v[0], v[1]), offset_pair(v[2], v[3]));
            let end = |n: usize| {
                let (grey, alpha) = (clamped(grey[n]), clamped(alpha[n]));
                [grey, grey, grey, alpha]
            };
            [end(0), end(1)]
        }
        6 | 10 => {
            let scaled = |value: u8| ((u32::from(value) * u32::from(v[3])) >> 8) as u8;
            let alphas = if mode == 10 { [v[4], v[5]] } else { [255; 2] };
            [[scaled(v[0]), scaled(v[1]), scaled(v[2]), alphas[0]], [v[0], v[1], v[2], alphas[1]]]
        }
        8 | 12 => {
            let alphas = if mode == 12 { [v[6], v[7]] } else { [255; 2] };
            let sum = |first: usize| (0..3).map(|c| u32::from(v[2 * c + first])).sum::<u32>();
            let a = [v[0], v[2], v[4], alphas[0]];
            let b = [v[1], v[3], v[5], alphas[1]];
            if sum(1) >= sum(0) { [a, b] } else { [contracted(b), contracted(a)] }
        }
        _ => {
            let pair = |c: usize| offset_pair(v[2 * c], v[2 * c + 1]);
            let alpha = if mode == 13 { pair(3) } else { [255; 2] };
            let pairs = [pair(0), pair(1), pair(2)];
            let end = |n: usize| [pairs[0][n], pairs[1][n], pairs[2][n], alpha[n]];
            let [a, b] = [end(0), end(1)];
            let offset: i32 = pairs.iter().map(|[base, sum]| sum - base).sum();
            if offset >= 0 {
                [a.map(clamped), b.map(clamped)]
            } else {
                [contracted_ints(b).map(clamped), contracted_ints(a).map(clamped)]
            }
        }
    }
}

/// Returns a base and its sum with the signed offset that the second integer stores. Its highest bit belongs
/// to the base.
#[inline]
fn offset_pair(base: u8, offset: u8) -> [i32; 2] {
    let base = i32::from(base >> 1 | offset & 0x80);
    [base, base + offset_of(offset)]
}

/// Returns the signed offset that an integer stores.
#[inline]
pub(crate) fn offset_of(value: u8) -> i32 {
    (i32::from(value >> 1 & 0x3f) ^ 0x20) - 0x20
}

/// Blue contraction: red and green are means of what is stored and of blue.
#[inline]
fn contracted([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let mean = |value: u8| ((u16::from(value) + u16::from(b)) >> 1) as u8;
    [mean(r), mean(g), b, a]
}

#[inline]
fn contracted_ints([r, g, b, a]: [i32; 4]) -> [i32; 4] {
    [(r + b) >> 1, (g + b) >> 1, b, a]
}

#[inline]
fn clamped(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}
