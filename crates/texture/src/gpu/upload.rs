//! Copies of texels into memory that a GPU reads. One thread copies a fraction of what a GPU can take.

use crate::Task;
use brickwork_base::parallel::try_for_each;
use brickwork_gpu::wgpu::WriteOnly;
use std::convert::Infallible;

/// Bytes that a thread copies at a time.
const PIECE: usize = 1 << 18;
/// Number of pieces from which several threads are worth their start.
const MIN_PIECES: usize = 4;

/// Copies rows of `row_bytes` bytes to `target`, one directly after another. `bytes_at(y, x)` returns bytes
/// of row `y` from byte `x` on, at least one. Large targets are divided among the task's threads.
pub(super) fn copy_rows<'a>(
    task: &Task<'_>,
    target: WriteOnly<'_, [u8]>,
    row_bytes: usize,
    bytes_at: impl Fn(usize, usize) -> &'a [u8] + Sync,
) {
    let fill = |start: usize, mut piece: WriteOnly<'_, [u8]>| {
        let mut done = 0;
        while done < piece.len() {
            let (y, x) = ((start + done) / row_bytes, (start + done) % row_bytes);
            let bytes = bytes_at(y, x);
            let count = bytes.len().min(row_bytes - x).min(piece.len() - done);
            piece.slice(done..done + count).copy_from_slice(&bytes[..count]);
            done += count;
        }
    };
    let (pieces, rest) = target.into_chunks::<PIECE>();
    fill(PIECE * pieces.len(), rest);
    let fill_piece = |(i, piece): (usize, WriteOnly<'_, [u8; PIECE]>)| fill(PIECE * i, piece.into());
    if pieces.len() < MIN_PIECES {
        pieces.into_iter().enumerate().for_each(fill_piece);
        return;
    }
    let Ok(()) = try_for_each(task, pieces.into_iter().enumerate(), |piece| {
        fill_piece(piece);
        Ok::<_, Infallible>(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threads;

    #[test]
    fn rows_are_copied_whole_and_in_order() {
        for (row_bytes, rows) in [(1, 1), (12, 3), (PIECE, 2), (PIECE - 4, 5), (3 * PIECE + 12, 3)] {
            let source: Vec<u8> = (0..row_bytes * rows).map(|i| (i % 251) as u8).collect();
            for threads in [Threads::Pool, Threads::Calling] {
                let mut target = vec![0; source.len()];
                let task = Task::new().with_threads(threads);
                copy_rows(&task, WriteOnly::from_mut(&mut target[..]), row_bytes, |y, x| {
                    // Rows, then pieces of rows.
                    let length = if rows % 2 == 1 { row_bytes } else { 5 };
                    &source[y * row_bytes + x..][..length.min(row_bytes - x)]
                });
                assert!(target == source, "{rows} rows of {row_bytes} bytes");
            }
        }
    }
}
