// Operations on single floats, each rounded to nearest, ties to even, as IEEE 754 defines them. WGSL's own
// operations may be fused or rounded otherwise, and may flush subnormal numbers. A number is given as its
// bits, and none is infinite or NaN. Each function computes four results.

const SIGN: u32 = 0x80000000u;

// A number: digits · 2^(exponent - 150). There are 24 digits, or the number is 0.
struct Number {
    exponent: vec4<i32>,
    digits: vec4<u32>,
}

fn number_of(bits: vec4<u32>) -> Number {
    let field = (bits >> vec4(23u)) & vec4(255u);
    let digits = (bits & vec4(0x7fffffu)) | select(vec4(0u), vec4(0x800000u), field > vec4(0u));
    // 0, except for subnormal numbers.
    let missing = countLeadingZeros(digits) - vec4(8u);
    return Number(vec4<i32>(max(field, vec4(1u))) - vec4<i32>(missing), digits << missing);
}

// Returns digits / 2^distance, rounded down. The lowest bit is also 1 if the remainder is not 0. The digits
// are below 2^31.
fn shifted(digits: vec4<u32>, distance: vec4<u32>) -> vec4<u32> {
    let places = min(distance, vec4(31u));
    let rest = digits & ((vec4(1u) << places) - vec4(1u));
    return (digits >> places) | vec4<u32>(rest != vec4(0u));
}

// Returns digits · 2^(exponent - 153), rounded. The digits are below 2^28: 24 digits and three further bits,
// or one more. The lowest bit may represent the lower ones, as in `shifted`.
fn rounded(sign: vec4<u32>, exponent: vec4<i32>, digits: vec4<u32>) -> vec4<u32> {
    // The highest digit moves to bit 26. Subnormal numbers have the exponent 1 and fewer digits.
    let up = min(vec4<i32>(countLeadingZeros(digits)) - vec4(5i), exponent - vec4(1i));
    let left = vec4<u32>(max(up, vec4(0i)));
    let moved = shifted(digits << min(left, vec4(31u)), vec4<u32>(max(-up, vec4(0i))));
    let rest = moved & vec4(7u);
    let quotient = moved >> vec4(3u);
    // 4 is a tie.
    let is_up = rest + (quotient & vec4(1u)) > vec4(4u);
    // The highest digit adds 1 to the exponent. A subnormal number that is rounded up becomes normal.
    let bits = (vec4<u32>(exponent - up - vec4(1i)) << vec4(23u)) + quotient + vec4<u32>(is_up);
    return sign | select(bits, vec4(0u), digits == vec4(0u));
}

fn product_of(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    let x = number_of(a);
    let y = number_of(b);
    // The product has 47 or 48 digits. The middle ones are below 2^25.
    let x0 = x.digits & vec4(0xfffu);
    let x1 = x.digits >> vec4(12u);
    let y0 = y.digits & vec4(0xfffu);
    let y1 = y.digits >> vec4(12u);
    let middle = x1 * y0 + x0 * y1;
    let low = x0 * y0 + ((middle & vec4(0xfffu)) << vec4(12u));
    let high = x1 * y1 + (middle >> vec4(12u)) + (low >> vec4(24u));
    let digits = (high << vec4(4u)) | shifted(low & vec4(0xffffffu), vec4(20u));
    return rounded((a ^ b) & vec4(SIGN), x.exponent + y.exponent - vec4(127i), digits);
}

// Returns a + b. At most one of them is -0.
fn sum_of(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    let is_less = (a & vec4(~SIGN)) < (b & vec4(~SIGN));
    let larger = select(a, b, is_less);
    let smaller = select(b, a, is_less);
    let larger_field = (larger >> vec4(23u)) & vec4(255u);
    let smaller_field = (smaller >> vec4(23u)) & vec4(255u);
    let whole = vec4(0x800000u);
    let larger_digits = (larger & vec4(0x7fffffu)) | select(vec4(0u), whole, larger_field > vec4(0u));
    let smaller_digits = (smaller & vec4(0x7fffffu)) | select(vec4(0u), whole, smaller_field > vec4(0u));
    // Subnormal numbers have the exponent of the smallest normal ones.
    let exponent = max(larger_field, vec4(1u));
    let distance = exponent - max(smaller_field, vec4(1u));
    // With three further bits, the difference is exact, or loses one digit at most.
    let x = larger_digits << vec4(3u);
    let y = shifted(smaller_digits << vec4(3u), distance);
    let is_difference = ((a ^ b) & vec4(SIGN)) != vec4(0u);
    let digits = select(x + y, x - y, is_difference);
    let sign = select(larger & vec4(SIGN), vec4(0u), digits == vec4(0u));
    return rounded(sign, vec4<i32>(exponent), digits);
}

// Returns a / b, where b is not 0.
fn quotient_of(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    let x = number_of(a);
    let y = number_of(b);
    // One bit before the point, 27 after it.
    var rest = x.digits;
    var quotient = vec4(0u);
    for (var bit = 0u; bit < 28u; bit++) {
        let is_one = rest >= y.digits;
        quotient = (quotient << vec4(1u)) | vec4<u32>(is_one);
        rest = (rest - select(vec4(0u), y.digits, is_one)) << vec4(1u);
    }
    let digits = quotient | vec4<u32>(rest != vec4(0u));
    return rounded((a ^ b) & vec4(SIGN), x.exponent - y.exponent + vec4(126i), digits);
}

fn is_positive(number: u32) -> bool {
    return number > 0u && number < SIGN;
}

// Returns integers below 2^24 as numbers.
fn of_integers(values: vec4<u32>) -> vec4<u32> {
    return bitcast<vec4<u32>>(vec4<f32>(values));
}

// Returns the integers nearest to numbers, from 0 to `most`, halves up. Like the CPU, it rounds the number
// plus 1/2 to a single float.
fn integers_of(numbers: vec4<u32>, most: vec4<u32>) -> vec4<u32> {
    let clamped = select(min(numbers, of_integers(most)), vec4(0u), numbers >= vec4(SIGN));
    return vec4<u32>(bitcast<vec4<f32>>(sum_of(clamped, vec4(0x3f000000u))));
}
