//! Rows in reverse order.

/// Reverses the order of the rows, in place.
pub fn flip_rows<T>(texels: &mut [T], width: usize) {
    let height = texels.len() / width;
    let (upper, lower) = texels.split_at_mut(height / 2 * width);
    for (a, b) in upper.chunks_exact_mut(width).zip(lower.chunks_exact_mut(width).rev()) {
        a.swap_with_slice(b);
    }
}
