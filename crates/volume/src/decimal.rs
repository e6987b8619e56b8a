//! Decimal numbers in texts of metadata. The parser of the standard library is faster, but its tables take
//! 10 KB of the web package's module (`crates/wasm-volume/notes.md`). Not part of the API.

use std::cmp::Ordering;

/// Maximum number of digits that are compared. No double nor the middle of two has as many: a digit that is
/// not 0 replaces the others.
const MAX_DIGITS: usize = 800;
/// Powers of ten that doubles represent exactly: up to this one.
const MAX_EXACT_POWER: i64 = 22;
/// Bits of the largest finite double.
const LARGEST: u64 = 0x7fef_ffff_ffff_ffff;

/// Returns the double that is nearest to a decimal number, ties to even. Takes the texts that [`str::parse`]
/// takes, and gives the same results. `None` if the text is not a number.
pub fn parse(text: &str) -> Option<f64> {
    let (is_negative, magnitude) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let named = |name: &str| magnitude.eq_ignore_ascii_case(name.as_bytes());
    let magnitude = if named("inf") || named("infinity") {
        f64::INFINITY
    } else if named("nan") {
        f64::NAN
    } else {
        Decimal::read(magnitude)?.to_double()
    };
    Some(if is_negative { -magnitude } else { magnitude })
}

/// A number: its digits as an integer, times 10 to the power `exponent`.
struct Decimal {
    /// Without zeros at the start and at the end.
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// Reads digits with an optional point and an optional exponent.
    fn read(text: &[u8]) -> Option<Self> {
        let is_exponent = |byte: &u8| byte.eq_ignore_ascii_case(&b'e');
        let (number, exponent) = match text.iter().position(is_exponent) {
            Some(at) => (&text[..at], exponent_of(&text[at + 1..])?),
            None => (text, 0),
        };
        let point = number.iter().position(|&byte| byte == b'.');
        let whole = &number[..point.unwrap_or(number.len())];
        let fraction = point.map_or(&[][..], |at| &number[at + 1..]);
        let all = || whole.iter().chain(fraction);
        if all().next().is_none() || !all().all(u8::is_ascii_digit) {
            return None;
        }
        let mut digits: Vec<u8> = all().map(|digit| digit - b'0').skip_while(|&digit| digit == 0).collect();
        let mut exponent = exponent - fraction.len() as i64;
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        if digits.len() > MAX_DIGITS {
            exponent += (digits.len() - MAX_DIGITS) as i64;
            digits.truncate(MAX_DIGITS);
            digits[MAX_DIGITS - 1] = 1;
        }
        Some(Self { digits, exponent })
    }

    fn to_double(&self) -> f64 {
        // The number is below 10 to the power `end`.
        let end = self.exponent + self.digits.len() as i64;
        if self.digits.is_empty() || end < -330 {
            return 0.0;
        }
        if end > 310 {
            return f64::INFINITY;
        }
        if self.digits.len() <= 15 && self.exponent.abs() <= MAX_EXACT_POWER {
            // Both are exact, and the result is rounded once.
            let digits = self.digits.iter().fold(0.0, |sum, &digit| 10.0 * sum + f64::from(digit));
            let power = (0..self.exponent.abs()).fold(1.0, |power, _| 10.0 * power);
            return if self.exponent < 0 { digits / power } else { digits * power };
        }
        self.nearest()
    }

    /// Returns the nearest double by comparisons of integers.
    fn nearest(&self) -> f64 {
        // The number times 2 to the power −`twos` is `digits` ÷ `divisor`.
        let twos = self.exponent as i32;
        let fives = twos.unsigned_abs();
        let mut digits = Integer::default();
        for &digit in &self.digits {
            digits.multiply(10, digit.into());
        }
        let mut divisor = Integer::from(1);
        let scaled = if twos < 0 { &mut divisor } else { &mut digits };
        for _ in 0..fives {
            scaled.multiply(5, 0);
        }
        // Compares the number with `significand` times 2 to the power `power`.
        let compare = |significand: u64, power: i32| {
            let (mut own, mut other) = (digits.clone(), divisor.clone());
            other.multiply(significand, 0);
            let shifted = if twos < power { &mut other } else { &mut own };
            shifted.shift_left(twos.abs_diff(power));
            own.compare(&other)
        };
        // Doubles that are not negative have the order of their bits.
        let (mut below, mut above) = (0, LARGEST + 1);
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            let (significand, power) = parts(middle);
            if compare(significand, power).is_lt() { above = middle } else { below = middle }
        }
        let (significand, power) = parts(below);
        match compare(2 * significand + 1, power - 1) {
            Ordering::Less => f64::from_bits(below),
            Ordering::Equal => f64::from_bits(below + (below & 1)),
            Ordering::Greater => f64::from_bits(above),
        }
    }
}

/// Returns the power of ten after `e`: an optional sign and digits.
fn exponent_of(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    // Texts are shorter than 10¹² bytes, so no digits change the result of larger ones.
    let size = digits.iter().fold(0, |sum: i64, digit| (10 * sum + i64::from(digit - b'0')).min(1 << 50));
    Some(if is_negative { -size } else { size })
}

/// Returns a finite double as an integer times a power of two, and that power.
fn parts(bits: u64) -> (u64, i32) {
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) }
}

/// An integer from 0 on: words of 32 bits, the lowest first, the last one not 0.
#[derive(Clone, Default)]
struct Integer(Vec<u32>);

impl From<u32> for Integer {
    fn from(word: u32) -> Self {
        Self(vec![word])
    }
}

impl Integer {
    /// Multiplies by `factor`, below 2⁶⁰, and adds `summand`.
    fn multiply(&mut self, factor: u64, summand: u32) {
        let mut carry = u128::from(summand);
        for word in &mut self.0 {
            carry += u128::from(*word) * u128::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        while carry > 0 {
            self.0.push(carry as u32);
            carry >>= 32;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn shift_left(&mut self, count: u32) {
        self.multiply(1 << (count % 32), 0);
        let words = if self.0.is_empty() { 0 } else { count / 32 };
        self.0.splice(0..0, std::iter::repeat_n(0, words as usize));
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_same(text: &str) {
        let expected = text.parse::<f64>().ok();
        let found = parse(text);
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{text:?}: {found:?} {expected:?}");
    }

    #[test]
    fn results_are_those_of_the_standard_library() {
        for text in [
            "0",
            "-0",
            "+1",
            "1.",
            ".5",
            ".",
            "",
            "-",
            "+",
            "e5",
            "1e",
            "1e+",
            "1e-",
            "1e5.0",
            "1 ",
            " 1",
            "1_0",
            "0x1",
            "inf",
            "-Infinity",
            "iNf",
            "infinit",
            "--1",
            "1.2.3",
            "1e400",
            "-1e400",
            "1e-400",
            "0e999999",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "0.1",
            "0.3",
            "1e22",
            "1e23",
            "8.5e22",
            "9007199254740993",
            "9007199254740992.5",
            "9007199254740993.0000000000000000000000000000000001",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "6.02214076e23",
            "123456789012345678901234567890",
        ] {
            assert_same(text);
        }
        // More digits than are compared, below and above the middle of two doubles.
        assert_same(&format!("9007199254740993.{}1", "0".repeat(1000)));
        assert_same(&format!("9007199254740993{}.0", "0".repeat(200)));
        assert_same(&format!("0.{}7", "0".repeat(400)));
        assert!(parse("-NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn random_numbers_are_those_of_the_standard_library() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        for _ in 0..2000 {
            let number = f64::from_bits(random() & LARGEST);
            assert_same(&format!("{number:e}"));
            assert_same(&format!("{:.*e}", (random() % 30) as usize, number));
            assert_same(&format!("{}.{}e{}", random() % 1000, random(), (random() % 700) as i64 - 350));
            assert_same(&format!("{}", f32::from_bits(number.to_bits() as u32 & 0x7f7f_ffff)));
        }
    }
}
