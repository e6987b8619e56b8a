//! 64 numbers of 8 bits in portable code.

use super::{ByteLanes, Portable, STREAM, Weights, byte_pair_place, operations::remainders};
use std::array;

impl ByteLanes for Portable {
    type Bytes = [u8; 64];

    #[inline(always)]
    fn bytes(self, numbers: &[u8; 64]) -> [u8; 64] {
        *numbers
    }

    #[inline(always)]
    fn store(self, bytes: [u8; 64], to: &mut [u8; 64]) {
        *to = bytes;
    }

    #[inline(always)]
    fn quarters(self, quarters: [&[u8; 16]; 4]) -> [u8; 64] {
        bytemuck::cast(quarters.map(|quarter| *quarter))
    }

    #[inline(always)]
    fn fill_quarters(self, numbers: [u8; 4]) -> [u8; 64] {
        bytemuck::cast(numbers.map(|number| [number; 16]))
    }

    #[inline(always)]
    fn transpose(self, rows: [[u8; 64]; 4]) -> [[u8; 64]; 4] {
        let rows: [[[u8; 16]; 4]; 4] = bytemuck::cast(rows);
        let columns: [[[u8; 16]; 4]; 4] = array::from_fn(|i| array::from_fn(|row| rows[row][i]));
        bytemuck::cast(columns)
    }

    #[inline(always)]
    fn interleave_fours(self, a: [u8; 64], b: [u8; 64]) -> [[u8; 64]; 2] {
        let fours: [[[u8; 4]; 16]; 2] = bytemuck::cast([a, b]);
        let halves: [[[u8; 4]; 16]; 2] =
            array::from_fn(|half| array::from_fn(|i| fours[i % 2][i / 4 * 4 + 2 * half + i % 4 / 2]));
        bytemuck::cast(halves)
    }

    #[inline(always)]
    fn permute(self, bytes: [u8; 64], table: &[u8; 64]) -> [u8; 64] {
        table.map(|place| bytes[usize::from(place & 63)])
    }

    #[inline(always)]
    fn cube(self, numbers: [u8; 64]) -> [u8; 64] {
        // The bits of a place are x, y, z, x, y, z in Morton order, and x, x, y, y, z, z in the cube.
        let pairs: [[u8; 2]; 32] = bytemuck::cast(numbers);
        let pairs: [[u8; 2]; 32] = array::from_fn(|i| {
            let (x, y, z) = (i % 2, i / 2 % 4, i / 8);
            pairs[16 * (z / 2) + 8 * (y / 2) + 4 * x + 2 * (z % 2) + y % 2]
        });
        bytemuck::cast(pairs)
    }

    #[inline(always)]
    fn look_up(self, numbers: [u8; 64], table: &[u8; 64]) -> [u8; 64] {
        numbers.map(|number| table[usize::from(number & 63)])
    }

    #[inline(always)]
    fn or_masked(self, a: [u8; 64], b: [u8; 64], mask: &[u8; 64]) -> [u8; 64] {
        array::from_fn(|i| a[i] | b[i] & mask[i])
    }

    #[inline(always)]
    fn mask(self, a: [u8; 64], mask: &[u8; 64]) -> [u8; 64] {
        array::from_fn(|i| a[i] & mask[i])
    }

    #[inline(always)]
    fn choose(self, mask: &[u8; 64], a: [u8; 64], b: [u8; 64]) -> [u8; 64] {
        array::from_fn(|i| a[i] & mask[i] | b[i] & !mask[i])
    }

    #[inline(always)]
    fn back_in_quarters<const BY: usize>(self, bytes: [u8; 64]) -> [u8; 64] {
        array::from_fn(|i| if i % 16 >= BY { bytes[i - BY] } else { 0 })
    }

    #[inline(always)]
    fn back_1_8_9(self, bytes: [u8; 64]) -> [[u8; 64]; 3] {
        [1, 8, 9].map(|by| array::from_fn(|i| if i >= by { bytes[i - by] } else { 0 }))
    }

    #[inline(always)]
    fn predictions(self, pairs: [[[u8; 64]; 2]; 4], weights: &Weights<Self>) -> [u8; 64] {
        let mut sums = [8i16; 64];
        for ([first, second], weights) in pairs.iter().zip(weights) {
            for i in 0..64 {
                let (half, at) = byte_pair_place(i);
                let [a, b] = [weights[half][at] as i8, weights[half][at + 1] as i8];
                sums[i] += i16::from(first[i]) * i16::from(a) + i16::from(second[i]) * i16::from(b);
            }
        }
        sums.map(|sum| (sum >> 4).clamp(0, 255) as u8)
    }

    #[inline(always)]
    fn unfold(self, predictions: [u8; 64], codes: [u8; 64], largest: [u8; 64]) -> [u8; 64] {
        array::from_fn(|i| {
            let (prediction, code, largest) = (predictions[i], codes[i], largest[i]);
            let half = code.div_ceil(2);
            let near =
                if code & 1 == 0 { prediction.wrapping_add(half) } else { prediction.wrapping_sub(half) };
            let value = if half > prediction { code } else { near };
            if prediction > largest.wrapping_sub(half) { largest.wrapping_sub(code) } else { value }
        })
    }

    #[inline(always)]
    fn add_where_equal(self, sums: [u8; 64], a: [u8; 64], b: [u8; 64], summand: [u8; 64]) -> [u8; 64] {
        array::from_fn(|i| sums[i].wrapping_add(if a[i] == b[i] { summand[i] } else { 0 }))
    }

    #[inline(always)]
    fn elect(self, first: [[u8; 64]; 2], second: [[u8; 64]; 2]) -> [[u8; 64]; 2] {
        let mut elected = first;
        for i in 0..64 {
            let (most, votes) = (first[1][i] as i8, second[1][i] as i8);
            let is_second = votes > most || votes == most && second[0][i] < first[0][i];
            elected[0][i] = if is_second { second[0][i] } else { first[0][i] };
            elected[1][i] = if is_second { second[1][i] } else { first[1][i] };
        }
        elected
    }

    #[inline(always)]
    fn labels_of_two(
        self,
        neighbours: &[[u8; 64]; 7],
        weights: [[u8; 64]; 7],
        most: [u8; 64],
        exists: [[u8; 64]; 3],
        codes: [u8; 64],
    ) -> [u8; 64] {
        let [w, n, u, ..] = neighbours;
        array::from_fn(|i| {
            let mut sum = 0u8;
            for (neighbour, weight) in neighbours.iter().zip(&weights) {
                sum = sum.wrapping_add(neighbour[i] & weight[i]);
            }
            let any = w[i] & exists[0][i] | n[i] & exists[1][i] | u[i] & exists[2][i];
            let all = (w[i] | !exists[0][i]) & (n[i] | !exists[1][i]) & (u[i] | !exists[2][i]);
            let is_more = if sum as i8 > most[i] as i8 { 0xff } else { 0 };
            any & (all | is_more) ^ codes[i]
        })
    }

    #[inline(always)]
    fn labels(self, predicted: [u8; 64], codes: [u8; 64]) -> [u8; 64] {
        array::from_fn(|i| {
            let (predicted, code) = (predicted[i], codes[i]);
            let other = code.wrapping_sub(u8::from(code <= predicted));
            if code == 0 { predicted } else { other }
        })
    }

    #[inline(always)]
    fn label_codes(self, predicted: [u8; 64], labels: [u8; 64]) -> [u8; 64] {
        array::from_fn(|i| {
            let (predicted, label) = (predicted[i], labels[i]);
            let other = label.wrapping_add(u8::from(label < predicted));
            if label == predicted { 0 } else { other }
        })
    }

    #[inline(always)]
    fn byte_codes(self, quotients: [u64; 8], widths: u64, stream: &[u8; STREAM], first: u8) -> [u8; 64] {
        let mut codes = remainders(self, widths, stream);
        for ((codes, quotients), k) in codes.iter_mut().zip(quotients).zip(widths.to_le_bytes()) {
            *codes |= quotients << (k & 15);
        }
        codes[0] |= u64::from(first);
        bytemuck::cast(codes.map(u64::to_le))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};

    /// Every operation, on numbers that depend on a seed.
    struct All(u64);

    impl SimdKernel for All {
        type Output = Vec<[u8; 64]>;

        fn run<B: Bits>(self, bits: B) -> Self::Output {
            let numbers = |i: u32| -> [u8; 64] {
                array::from_fn(|lane| (self.0.rotate_left(7 * i + 3 * lane as u32) ^ lane as u64) as u8)
            };
            let below = |limit: u8| -> [u8; 64] { numbers(9).map(|number| number % limit) };
            let [a, b, c, d] = [
                bits.bytes(&numbers(0)),
                bits.bytes(&numbers(1)),
                bits.bytes(&numbers(2)),
                bits.bytes(&numbers(3)),
            ];
            let mask = numbers(4).map(|number| if number & 1 == 0 { 0 } else { 0xff });
            let quarters = numbers(5);
            let quarters = quarters.as_chunks::<16>().0;
            let mut made = vec![
                bits.quarters([&quarters[0], &quarters[1], &quarters[2], &quarters[3]]),
                bits.fill_quarters([self.0 as u8, 2, 255, (self.0 >> 8) as u8]),
                bits.permute(a, &below(64)),
                bits.cube(a),
                bits.look_up(bits.bytes(&below(17)), &numbers(6)),
                bits.or_masked(a, b, &mask),
                bits.mask(a, &mask),
                bits.choose(&mask, a, b),
                bits.back_in_quarters::<1>(a),
                bits.back_in_quarters::<4>(a),
                bits.back_in_quarters::<5>(a),
            ];
            made.extend(bits.transpose([a, b, c, d]));
            made.extend(bits.interleave_fours(a, b));
            made.extend(bits.back_1_8_9(a));
            // Weights of −15 to 15.
            let weights = array::from_fn(|pair| {
                array::from_fn(|half| {
                    let numbers = numbers(20 + 2 * pair as u32 + half as u32);
                    bits.bytes(&numbers.map(|number| ((number & 31) as i8 - 15).min(15) as u8))
                })
            });
            let predictions = bits.predictions([[a, b], [c, d], [b, c], [d, a]], &weights);
            made.push(predictions);
            let largest = (self.0 >> 16) as u8 | 1;
            let codes = numbers(7).map(|number| number.min(largest));
            made.push(bits.unfold(predictions, bits.bytes(&codes), bits.fill_quarters([largest; 4])));
            // Labels below 17, and votes of any sign.
            let labels = |by: u32| bits.bytes(&numbers(by).map(|number| number % 17));
            made.push(bits.add_where_equal(a, labels(10), labels(11), b));
            let few = bits.bytes(&numbers(12).map(|number| (number & 3).wrapping_sub(2)));
            made.extend(bits.elect([labels(10), few], [labels(11), bits.fill_quarters([0, 1, 255, 254])]));
            made.extend(bits.elect([labels(10), a], [labels(11), b]));
            let flags =
                |by: u32| bits.bytes(&numbers(by).map(|number| if number & 1 == 0 { 0 } else { 0xff }));
            let neighbours = [30, 31, 32, 33, 34, 35, 36].map(flags);
            let [w, n, u] = [40, 41, 42].map(flags);
            let weights = [50, 51, 52, 53, 54, 55, 56].map(|by| bits.bytes(&numbers(by)));
            made.push(bits.labels_of_two(&neighbours, weights, a, [w, n, u], flags(43)));
            let coded = bits.label_codes(labels(10), labels(11));
            made.extend([coded, bits.labels(labels(10), coded), bits.labels(labels(11), labels(10))]);
            let mut counts = bits.counts();
            bits.add(&mut counts, self.0);
            let stream = array::from_fn(|i| (self.0.rotate_left(5 * i as u32) ^ i as u64) as u8);
            let widths = u64::from_le_bytes(array::from_fn(|i| below(8)[i]));
            made.push(bits.byte_codes(counts, widths, &stream, 0));
            let mut arrays = vec![[0; 64]; made.len()];
            for (array, made) in arrays.iter_mut().zip(made) {
                bits.store(made, array);
            }
            arrays
        }
    }

    /// Compares different code only on a CPU that has AVX2 or AVX-512.
    #[test]
    fn instruction_sets_agree() {
        let mut state = 0x1234_5678_9abc_def1u64;
        for _ in 0..500 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let portable = All(state).run(Portable);
            assert_eq!(dispatch(All(state)), portable, "{state:#x}");
            assert_eq!(dispatch_wide(All(state)), portable, "{state:#x}");
        }
    }
}
