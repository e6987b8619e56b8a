//! Operations that every instruction set has.

/// Work that is compiled for each instruction set. [`run`](Self::run) and all functions that it calls must be
/// `#[inline(always)]`. Code in a closure is not compiled for the instruction set unless the closure is also
/// inlined.
///
/// Small and frequent kernels are references to their fields. Passed by value, these are written as words and
/// read in larger pieces, for which the processor waits until all stores before are done.
pub(crate) trait SimdKernel {
    /// The kernel's result.
    type Output;

    /// Does the work.
    fn run<B: Bits>(self, bits: B) -> Self::Output;
}

/// Moving bits to and from scattered places.
pub(crate) trait Bits: ByteLanes {
    /// Runs `kernel` as a separate function: large parts with several users would take long to compile in
    /// each of them.
    fn call<K: SimdKernel>(self, kernel: K) -> K::Output;

    /// Spreads the low bits of `bits` over the ones of `mask`, the lowest first.
    fn deposit(self, bits: u64, mask: u64) -> u64;

    /// Gathers the bits of `bits` at the ones of `mask`, the lowest first.
    fn extract(self, bits: u64, mask: u64) -> u64;

    /// 64 counts below 256.
    type Counts: Copy;

    /// Returns zeros.
    fn counts(self) -> Self::Counts;

    /// Adds bit i of `bits` to count i.
    fn add(self, counts: &mut Self::Counts, bits: u64);

    /// Returns the counts.
    fn to_bytes(self, counts: Self::Counts) -> [u8; 64];

    /// Returns, for each eight of 64 codes below 2¹⁵, the sum of their unary sizes. For a quotient q = ⌊code
    /// / 2^k⌋ up to 255, the size is q + 1, or with `half` max(q, 1), but at most `cap`; with `half` it is
    /// one more where q < 2.
    fn unary_sizes(self, codes: &[u16; 64], k: u32, half: bool, cap: u8) -> [u64; 8];

    /// 16 numbers of 16 bits.
    type Row: Copy;

    /// Creates a row of these numbers.
    fn row(self, numbers: [i16; 16]) -> Self::Row;

    /// Returns the numbers of a row.
    fn numbers(self, row: Self::Row) -> [i16; 16];

    /// Returns the common bits of both.
    fn and(self, a: Self::Row, b: Self::Row) -> Self::Row;

    /// Returns the bits of either.
    fn or(self, a: Self::Row, b: Self::Row) -> Self::Row;

    /// Returns the neighbour to the west of each lane of a slice of 4×4; unspecified at x = 0.
    fn west(self, row: Self::Row) -> Self::Row;

    /// Returns the neighbour to the north of each lane of a slice of 4×4; unspecified at y = 0.
    fn north(self, row: Self::Row) -> Self::Row;

    /// Returns the number `BY` lanes before each lane; zero if there is none.
    fn back<const BY: usize>(self, row: Self::Row) -> Self::Row;

    /// Joins two groups of eight codes: quotients, and remainders of `k` bits, at most 8, in bytes.
    fn join(self, quotients: &[u8; 16], remainders: [u64; 2], k: [u32; 2]) -> Self::Row;

    /// Returns the same for one group, in 32 bits.
    fn join_eight(self, quotients: &[u8; 8], remainders: u64, k: u32) -> [u32; 8];

    /// Returns the four slices of a brick of 4³ from its numbers in Morton order.
    fn slices(self, numbers: [Self::Row; 4]) -> [Self::Row; 4];

    /// Values from codes, in lanes that `mask` has; zeros in others, whose codes are zeros. The prediction is
    /// p = ⌊(Σ + 8) / 16⌋, kept within 0 and `largest`; Σ is the sum of eight numbers with their weights. A
    /// code c of which half, rounded up, is more than p is the value itself; if it is more than
    /// `largest` − p, the value is `largest` − c.
    fn values(
        self,
        numbers: [[Self::Row; 2]; 4],
        weights: &PairWeights,
        codes: Self::Row,
        largest: Self::Row,
        mask: Self::Row,
    ) -> Self::Row;

    /// Replaces numbers in eight rows of 20 numbers of 16 bits; word w of row r, with four numbers, is
    /// `rows[w][r]`. Each of the first 16 numbers becomes the smaller of itself and the number 0, 1, 2 or 4
    /// places after it, for `step` 0 to 3. Returns the sums of the rows' first 12 numbers.
    fn least_of_pairs(self, rows: &mut [[u64; 8]; 5], step: usize) -> [u64; 3];
}

/// Weights of four pairs of numbers in 16 lanes, the two of a lane side by side at [`pair_place`]. The sizes
/// of the eight of a lane add up to 127 at most.
pub(crate) type PairWeights = [[[i16; 16]; 2]; 4];

/// Returns the half that contains a lane's pair, and the position of its first number. (Interleaving two
/// vectors of 16 lanes works within their halves.)
pub(crate) const fn pair_place(lane: usize) -> (usize, usize) {
    (lane % 8 / 4, lane / 8 * 8 + lane % 4 * 2)
}

/// Bytes of the remainders of 64 codes of at most eight bits each, and those that a load of the last eight
/// reads after them.
pub(crate) const STREAM: usize = 64 + 8;

/// Weights of four pairs of numbers in 64 lanes, in the halves that [`byte_pair_place`] states. The sizes of
/// the eight of a lane add up to 127 at most.
pub(crate) type Weights<B> = [[<B as ByteLanes>::Bytes; 2]; 4];

/// Arithmetic in 64 lanes of 8 bits. Their four *quarters* have 16 lanes each.
pub(crate) trait ByteLanes: Copy {
    /// 64 numbers of 8 bits.
    type Bytes: Copy;

    /// Creates lanes of these numbers.
    fn bytes(self, numbers: &[u8; 64]) -> Self::Bytes;

    /// Stores the numbers of all lanes.
    fn store(self, bytes: Self::Bytes, to: &mut [u8; 64]);

    /// Creates lanes from their quarters.
    fn quarters(self, quarters: [&[u8; 16]; 4]) -> Self::Bytes;

    /// Repeats a number in each quarter.
    fn fill_quarters(self, numbers: [u8; 4]) -> Self::Bytes;

    /// Returns quarter `i` of each of the four, in order, as number `i` of the result.
    fn transpose(self, rows: [Self::Bytes; 4]) -> [Self::Bytes; 4];

    /// Within each quarter, returns the first two, then the last two, of the four groups of four lanes: one
    /// of `a` and one of `b` in turn.
    fn interleave_fours(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2];

    /// Returns the number at place `table[i]` in lane i; places are below 64.
    fn permute(self, bytes: Self::Bytes, table: &[u8; 64]) -> Self::Bytes;

    /// Returns a cube of 4³ in raster order from its numbers in Morton order.
    fn cube(self, numbers: Self::Bytes) -> Self::Bytes;

    /// Returns `table[i]` for each number i up to 16, unspecified numbers for others.
    fn look_up(self, numbers: Self::Bytes, table: &[u8; 64]) -> Self::Bytes;

    /// Returns `a`, or in the bits that `mask` has, the bits of either.
    fn or_masked(self, a: Self::Bytes, b: Self::Bytes, mask: &[u8; 64]) -> Self::Bytes;

    /// Returns the bits of `a` that `mask` has.
    fn mask(self, a: Self::Bytes, mask: &[u8; 64]) -> Self::Bytes;

    /// Returns `a` in the bits that `mask` has, `b` in others.
    fn choose(self, mask: &[u8; 64], a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;

    /// Returns the numbers `BY` lanes before each lane of its quarter; zero if there is none.
    fn back_in_quarters<const BY: usize>(self, bytes: Self::Bytes) -> Self::Bytes;

    /// Returns the numbers 1, 8 and 9 lanes before each lane; zero if there is none.
    fn back_1_8_9(self, bytes: Self::Bytes) -> [Self::Bytes; 3];

    /// Returns ⌊(Σ + 8) / 16⌋, kept within 0 and 255; Σ is the sum of eight numbers with their weights.
    fn predictions(self, pairs: [[Self::Bytes; 2]; 4], weights: &Weights<Self>) -> Self::Bytes;

    /// Values from codes around predictions, as [`Bits::values`].
    fn unfold(self, predictions: Self::Bytes, codes: Self::Bytes, largest: Self::Bytes) -> Self::Bytes;

    /// Adds `summand` to the sums of the lanes in which `a` and `b` are equal.
    fn add_where_equal(
        self,
        sums: Self::Bytes,
        a: Self::Bytes,
        b: Self::Bytes,
        summand: Self::Bytes,
    ) -> Self::Bytes;

    /// Returns the label with more votes, and its votes. If both labels have as many, it is the smaller one.
    /// The arguments are labels below 128 with their votes, which are signed.
    fn elect(self, first: [Self::Bytes; 2], second: [Self::Bytes; 2]) -> [Self::Bytes; 2];

    /// Returns the first of two labels as 0x00, the second as 0xff: the elected label, or the other one where
    /// `codes` is 0xff. Candidates are W, N and U, the first of the neighbours, where `exists` is 0xff. If
    /// they differ, the second label is elected if its neighbours' weights add up to more than `most`.
    /// Weights and `most` are signed.
    fn labels_of_two(
        self,
        neighbours: &[Self::Bytes; 7],
        weights: [Self::Bytes; 7],
        most: Self::Bytes,
        exists: [Self::Bytes; 3],
        codes: Self::Bytes,
    ) -> Self::Bytes;

    /// Returns the labels of codes: that of 0 is the predicted one, others count the remaining labels from 1
    /// on.
    fn labels(self, predicted: Self::Bytes, codes: Self::Bytes) -> Self::Bytes;

    /// Undoes [`labels`](Self::labels).
    fn label_codes(self, predicted: Self::Bytes, labels: Self::Bytes) -> Self::Bytes;

    /// Joins the quotients of eight groups of eight codes with remainders, which have the `widths` of these
    /// eight bytes, at most 8 bits; and sets the bits of `first` in the first code.
    fn byte_codes(
        self,
        quotients: <Self as Bits>::Counts,
        widths: u64,
        stream: &[u8; STREAM],
        first: u8,
    ) -> Self::Bytes
    where
        Self: Bits;
}

/// Returns the half that contains a lane's pair of weights, and the position of its first.
pub(crate) const fn byte_pair_place(lane: usize) -> (usize, usize) {
    (lane % 16 / 8, lane / 16 * 16 + lane % 8 * 2)
}

/// Returns the remainders of eight groups in bytes, each group's from its own bytes of `stream` on.
#[inline(always)]
pub(super) fn remainders<B: Bits>(bits: B, widths: u64, stream: &[u8; STREAM]) -> [u64; 8] {
    let (mut at, mut remainders) = (0, [0; 8]);
    for (remainders, k) in remainders.iter_mut().zip(widths.to_le_bytes()) {
        // The widths of seven groups add up to 56 at most.
        let word = stream[at & 63..].first_chunk().expect("eight bytes");
        *remainders = bits.deposit(u64::from_le_bytes(*word), 0x0101_0101_0101_0101 * ((1 << (k & 15)) - 1));
        at += usize::from(k & 15);
    }
    remainders
}
