//! Steps from one pair of endpoints to its neighbours.

/// How many of [`MOVES`] change a single code.
pub(crate) const SINGLE_COUNT: usize = 12;

const COUNT: usize = SINGLE_COUNT + 60 + 16;

/// Changes of the codes of the first endpoint's channels, then of the second's: every single step; every pair
/// of steps, those of one channel first; then equal steps of all three channels of an endpoint, by one and by
/// two. The last make a line lighter or darker where a step of any single channel would raise the error.
pub(crate) static MOVES: &[[f32; 6]; COUNT] = &{
    const STEPS: [f32; 2] = [1.0, -1.0];
    let mut moves = [[0.0; 6]; COUNT];
    let mut next = 0;
    let mut i = 0;
    while i < 12 {
        moves[next][i / 2] = STEPS[i % 2];
        next += 1;
        i += 1;
    }
    let mut same_channel = true;
    loop {
        let mut i = 0;
        while i < 6 {
            let mut j = i + 1;
            while j < 6 {
                let mut signs = 0;
                while signs < 4 && (j == i + 3) == same_channel {
                    moves[next][i] = STEPS[signs % 2];
                    moves[next][j] = STEPS[signs / 2];
                    next += 1;
                    signs += 1;
                }
                j += 1;
            }
            i += 1;
        }
        if !same_channel {
            break;
        }
        same_channel = false;
    }
    const WIDE: [f32; 3] = [-1.0, 0.0, 1.0];
    let mut pair = 0;
    while pair < 9 {
        let mut c = 0;
        while c < 3 {
            moves[next][c] = WIDE[pair % 3];
            moves[next][c + 3] = WIDE[pair / 3];
            c += 1;
        }
        // The fifth is not a step; the next one overwrites it.
        if pair != 4 {
            next += 1;
        }
        pair += 1;
    }
    // The same by two.
    let mut twice = 0;
    while twice < 8 {
        let mut c = 0;
        while c < 6 {
            moves[next][c] = 2.0 * moves[next - 8][c];
            c += 1;
        }
        next += 1;
        twice += 1;
    }
    assert!(next == COUNT);
    moves
};
