//! Copies of texels into memory that a GPU reads. One thread copies a fraction of what a GPU can take.

use brickwork_gpu::wgpu::WriteOnly;

/// Bytes that a thread copies at a time.
const PIECE: usize = 1 << 18;

/// Copies rows of `row_bytes` bytes to `target`, one directly after another. `row` returns a row's bytes.
/// Large targets are divided among the threads of rayon's pool.
pub(super) fn copy_rows<'a>(
    target: WriteOnly<'_, [u8]>,
    row_bytes: usize,
    row: impl Fn(usize) -> &'a [u8] + Sync,
) {
    let fill = |start: usize, mut piece: WriteOnly<'_, [u8]>| {
        let mut done = 0;
        while done < piece.len() {
            let (y, x) = ((start + done) / row_bytes, (start + done) % row_bytes);
            let count = (row_bytes - x).min(piece.len() - done);
            piece.slice(done..done + count).copy_from_slice(&row(y)[x..x + count]);
            done += count;
        }
    };
    let (pieces, rest) = target.into_chunks::<PIECE>();
    fill(PIECE * pieces.len(), rest);
    let pieces = pieces.into_iter().enumerate();
    let fill_piece = |(i, piece): (usize, WriteOnly<'_, [u8; PIECE]>)| fill(PIECE * i, piece.into());
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        pieces.collect::<Vec<_>>().into_par_iter().for_each(fill_piece);
    }
    #[cfg(not(feature = "rayon"))]
    pieces.for_each(fill_piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_copied_whole_and_in_order() {
        for (row_bytes, rows) in [(1, 1), (12, 3), (PIECE, 2), (PIECE - 4, 5), (3 * PIECE + 12, 3)] {
            let source: Vec<u8> = (0..row_bytes * rows).map(|i| (i % 251) as u8).collect();
            let mut target = vec![0; source.len()];
            copy_rows(WriteOnly::from_mut(&mut target[..]), row_bytes, |y| {
                &source[y * row_bytes..(y + 1) * row_bytes]
            });
            assert!(target == source, "{rows} rows of {row_bytes} bytes");
        }
    }
}
