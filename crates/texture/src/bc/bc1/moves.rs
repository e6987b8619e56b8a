//! Steps from one pair of endpoints to its neighbours.

/// Number of [`MOVES`] that change a single code.
pub(crate) const SINGLE_COUNT: usize = 12;

const COUNT: usize = SINGLE_COUNT + 60 + 16;

/// Change of endpoints.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    /// Changes of the codes of the first endpoint's channels, then of the second's.
    pub codes: [f32; 6],
    /// Step of each channel: [`NO_STEP`], one of four single steps, or [`ANY_STEP`].
    pub slots: [usize; 3],
    /// True if this move is the first of [`PAIRS`] moves that are pairs of single steps of two channels.
    pub starts_pairs: bool,
}

/// Number of slots: the single steps of one channel, and none.
pub(crate) const SLOTS: usize = 5;
pub(crate) const NO_STEP: usize = 2;
const ANY_STEP: usize = 5;
/// Number of pairs of a step up or down and another one.
pub(crate) const PAIRS: usize = 4;

impl Move {
    /// Returns true if each channel makes at most a single step.
    pub fn is_of_singles(&self) -> bool {
        self.slots[0] < SLOTS && self.slots[1] < SLOTS && self.slots[2] < SLOTS
    }
}

/// All moves, in order: every single step; every pair of steps, those of one channel first; equal steps of
/// all three channels of an endpoint, by one and by two. The last ones make a line lighter or darker where a
/// step of any single channel would raise the error.
pub(crate) static MOVES: &[Move; COUNT] = &{
    let mut moves = [Move { codes: [0.0; 6], slots: [NO_STEP; 3], starts_pairs: false }; COUNT];
    let mut i = 0;
    while i < COUNT {
        moves[i].codes = CODES[i];
        let mut c = 0;
        while c < 3 {
            let (a, b) = (CODES[i][c] as i32, CODES[i][c + 3] as i32);
            let is_single = a.abs() + b.abs() <= 1;
            moves[i].slots[c] = if is_single { (2 + a + 2 * b) as usize } else { ANY_STEP };
            c += 1;
        }
        let pair = i.wrapping_sub(SINGLE_COUNT + 12);
        moves[i].starts_pairs = pair < 48 && pair % PAIRS == 0;
        i += 1;
    }
    moves
};

const CODES: [[f32; 6]; COUNT] = {
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
    // The same moves by two.
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
