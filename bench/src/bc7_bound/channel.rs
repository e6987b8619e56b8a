//! Errors of one channel over a range of endpoint codes, and their minimum.

/// Four lanes, each with a distinct colour of a part. Errors are integers below 2²⁴, which floats hold
/// exactly.
pub type Lanes = [f32; 4];

/// Ranges of the codes of both endpoints: the ranges with these numbers after `level` halvings of all codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    pub level: u32,
    pub a: usize,
    pub b: usize,
}

impl Ranges {
    /// All codes.
    pub const ALL: Self = Self { level: 0, a: 0, b: 0 };

    /// Returns the four combinations of halves.
    pub fn halves(self) -> [Self; 4] {
        let Self { level, a, b } = self;
        [0, 1, 2, 3].map(|half| Self { level: level + 1, a: 2 * a + half / 2, b: 2 * b + half % 2 })
    }
}

/// 8-bit values of the codes of both endpoints, ascending, for one choice of p-bits.
#[derive(Debug)]
pub struct Codes {
    /// Bits of a code without its p-bit.
    pub bits: u32,
    pub values: [Vec<u8>; 2],
    /// True if both endpoints have the same values. Exchanging the endpoints of all channels then gives the
    /// same palette in reverse order.
    pub is_symmetric: bool,
}

impl Codes {
    /// Returns the values of codes of `bits` bits above these p-bits, if there are any.
    pub fn new(bits: u32, p_bits: Option<[u8; 2]>) -> Self {
        let values = |end: usize| {
            let codes = 0..1u32 << bits;
            let values = codes.map(|code| match p_bits {
                Some(p_bits) => widened(code << 1 | u32::from(p_bits[end]), bits + 1),
                None => widened(code, bits),
            });
            values.collect()
        };
        Self { bits, values: [values(0), values(1)], is_symmetric: p_bits.is_none_or(|[a, b]| a == b) }
    }

    /// True if the ranges have one code each.
    pub fn is_single(&self, ranges: Ranges) -> bool {
        ranges.level == self.bits
    }

    /// Returns the smallest and the largest value of each endpoint.
    fn limits(&self, ranges: Ranges) -> [[u8; 2]; 2] {
        let shift = self.bits - ranges.level;
        let last = (1 << shift) - 1;
        let [a, b] = [ranges.a << shift, ranges.b << shift];
        [[self.values[0][a], self.values[1][b]], [self.values[0][a + last], self.values[1][b + last]]]
    }
}

/// Returns a code of `bits` bits as 8 bits, with the upper bits repeated below.
fn widened(code: u32, bits: u32) -> u8 {
    let shifted = code << (8 - bits);
    (shifted | shifted >> bits) as u8
}

/// Distinct colours of a part and the weights of its indices.
pub struct Texels {
    /// Values of each channel, four colours in a group.
    pub channels: Vec<Vec<Lanes>>,
    /// Number of texels of each colour; 0 in lanes without a colour.
    counts: Vec<Lanes>,
    /// Weights of the second endpoint in 64ths, by index.
    weights: &'static [u16],
    /// Alpha, if all texels are opaque.
    opaque: Option<usize>,
}

/// Value of an opaque texel's alpha, for texels and palette entries, in parts whose texels are all opaque.
/// Texels that do not stay opaque have an error of at least 255².
const OPAQUE: f32 = 510.0;

/// A colour of a part, and its number of texels.
type Counted<'a> = (&'a [u8], f32);

impl Texels {
    /// Returns the texels of a part with these channels of each. `alpha` is the number of the alpha channel.
    pub fn new(texels: &[Vec<u8>], alpha: Option<usize>, weights: &'static [u16]) -> Self {
        let mut colors: Vec<Counted<'_>> = Vec::new();
        for texel in texels {
            match colors.iter_mut().find(|(color, _)| color == texel) {
                Some((_, count)) => *count += 1.0,
                None => colors.push((texel, 1.0)),
            }
        }
        let lanes = |value: &dyn Fn(&Counted<'_>) -> f32| -> Vec<Lanes> {
            let groups = colors.chunks(4);
            groups.map(|group| [0, 1, 2, 3].map(|lane| group.get(lane).map_or(0.0, value))).collect()
        };
        let channel_count = texels.first().map_or(0, Vec::len);
        let opaque = alpha.filter(|&c| texels.iter().all(|texel| texel[c] == 255));
        let value = |c: usize, value: u8| if Some(c) == opaque { OPAQUE } else { f32::from(value) };
        Self {
            channels: (0..channel_count).map(|c| lanes(&|(color, _)| value(c, color[c]))).collect(),
            counts: lanes(&|&(_, count)| count),
            weights,
            opaque,
        }
    }

    /// Returns errors of 0: for each group of colours, one per index.
    pub fn no_errors(&self) -> Vec<Lanes> {
        vec![[0.0; 4]; self.counts.len() * self.weights.len()]
    }

    /// Returns the interval of each palette entry over `ranges`: with a higher code, no entry is lower.
    fn intervals(&self, channel: usize, codes: &Codes, ranges: Ranges) -> [[f32; 16]; 2] {
        codes.limits(ranges).map(|[a, b]| {
            let mut entries = [0.0; 16];
            for (entry, &weight) in entries.iter_mut().zip(self.weights) {
                *entry = f32::from((u16::from(a) * (64 - weight) + u16::from(b) * weight + 32) >> 6);
            }
            if Some(channel) == self.opaque {
                entries.iter_mut().filter(|entry| **entry == 255.0).for_each(|entry| *entry = OPAQUE);
            }
            entries
        })
    }

    /// Adds the least errors of a channel over `ranges` to `errors`.
    pub fn add(&self, errors: &mut [Lanes], channel: usize, codes: &Codes, ranges: Ranges) {
        let [low, high] = self.intervals(channel, codes, ranges);
        let groups = errors.chunks_exact_mut(self.weights.len());
        for (errors, values) in groups.zip(&self.channels[channel]) {
            for ((errors, &low), &high) in errors.iter_mut().zip(&low).zip(&high) {
                for (error, &value) in errors.iter_mut().zip(values) {
                    *error += square(value, low, high);
                }
            }
        }
    }

    /// Returns the sum over all texels of the smallest of the errors of each.
    pub fn sum(&self, errors: &[Lanes]) -> f32 {
        let mut sums = [0.0; 4];
        for (errors, counts) in errors.chunks_exact(self.weights.len()).zip(&self.counts) {
            let least = errors.iter().fold([f32::MAX; 4], |least, errors| smaller(&least, errors));
            add_products(&mut sums, &least, counts);
        }
        sums.iter().sum()
    }

    /// Returns the same for `errors` plus `factor` times the least errors of a channel over `ranges`.
    fn sum_with(&self, errors: &[Lanes], factor: f32, channel: usize, codes: &Codes, ranges: Ranges) -> f32 {
        let [low, high] = self.intervals(channel, codes, ranges);
        let mut sums = [0.0; 4];
        let groups = errors.chunks_exact(self.weights.len());
        for ((errors, counts), values) in groups.zip(&self.counts).zip(&self.channels[channel]) {
            let mut least = [f32::MAX; 4];
            for ((errors, &low), &high) in errors.iter().zip(&low).zip(&high) {
                let more = values.map(|value| factor * square(value, low, high));
                let both = [0, 1, 2, 3].map(|lane| errors[lane] + more[lane]);
                least = smaller(&least, &both);
            }
            add_products(&mut sums, &least, counts);
        }
        sums.iter().sum()
    }
}

fn smaller(a: &Lanes, b: &Lanes) -> Lanes {
    let min = |a: f32, b: f32| if a < b { a } else { b };
    [0, 1, 2, 3].map(|lane| min(a[lane], b[lane]))
}

fn add_products(sums: &mut Lanes, a: &Lanes, b: &Lanes) {
    for lane in 0..4 {
        sums[lane] += a[lane] * b[lane];
    }
}

/// Returns the squared distance of a value from an interval.
fn square(value: f32, low: f32, high: f32) -> f32 {
    let max = |a: f32, b: f32| if a > b { a } else { b };
    let distance = max(max(low - value, value - high), 0.0);
    distance * distance
}

/// Search for the codes of one channel that minimise the sum of `errors` plus `factor` times its errors.
pub struct Minimum<'a> {
    pub texels: &'a Texels,
    pub codes: &'a Codes,
    pub channel: usize,
    pub errors: &'a [Lanes],
    pub factor: f32,
    /// The smallest sum of any codes so far, or the sum from which on it does not matter.
    pub least: f32,
    /// Codes of the smallest sum.
    pub at: Option<[usize; 2]>,
    /// Number of ranges whose sum was calculated.
    pub boxes: u64,
}

impl Minimum<'_> {
    /// Lowers `least` to the minimum over all codes. Starts from the codes `near`.
    pub fn find(&mut self, near: [usize; 2]) {
        let [a, b] = near;
        let ranges = Ranges { level: self.codes.bits, a, b };
        let sum = self.sum(ranges);
        self.visit(ranges, sum);
        self.visit(Ranges::ALL, 0.0);
    }

    fn sum(&mut self, ranges: Ranges) -> f32 {
        self.boxes += 1;
        self.texels.sum_with(self.errors, self.factor, self.channel, self.codes, ranges)
    }

    fn visit(&mut self, ranges: Ranges, sum: f32) {
        if sum >= self.least {
            return;
        }
        if self.codes.is_single(ranges) {
            (self.least, self.at) = (sum, Some([ranges.a, ranges.b]));
            return;
        }
        let mut halves = ranges.halves().map(|half| (self.sum(half), half));
        halves.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (sum, half) in halves {
            self.visit(half, sum);
        }
    }
}
