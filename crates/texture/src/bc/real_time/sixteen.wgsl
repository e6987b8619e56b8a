// Sixteen numbers, one for each texel of a block (sixteen.rs).
// needs: ../../real_time/texels.wgsl

// Rows of texels.
struct Words {
    a: vec4<u32>,
    b: vec4<u32>,
    c: vec4<u32>,
    d: vec4<u32>,
}

struct Sixteen {
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
    d: vec4<f32>,
}

fn row_words(t: u32) -> vec4<u32> {
    return vec4(block_texel(t), block_texel(t + 1u), block_texel(t + 2u), block_texel(t + 3u));
}

fn texel_words() -> Words {
    return Words(row_words(0u), row_words(4u), row_words(8u), row_words(12u));
}

// Returns the bytes that start at bit `bit`. They are the lowest bits of floats from 2^23 on.
fn row_bytes(words: vec4<u32>, bit: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(((words >> vec4(bit)) & vec4(255u)) | vec4(0x4b000000u)) - 8388608.0;
}

fn bytes_at(words: Words, bit: u32) -> Sixteen {
    return Sixteen(
        row_bytes(words.a, bit),
        row_bytes(words.b, bit),
        row_bytes(words.c, bit),
        row_bytes(words.d, bit),
    );
}

fn total(v: vec4<f32>) -> f32 {
    return (v.x + v.y) + (v.z + v.w);
}

fn sum(x: Sixteen) -> f32 {
    return total((x.a + x.b) + (x.c + x.d));
}

// Returns the sum of products, which must be exact.
fn dot_of(x: Sixteen, y: Sixteen) -> f32 {
    return total(x.a * y.a + (x.b * y.b + (x.c * y.c + x.d * y.d)));
}

fn least(x: Sixteen) -> f32 {
    let v = min(min(x.a, x.b), min(x.c, x.d));
    return min(min(v.x, v.y), min(v.z, v.w));
}

fn greatest(x: Sixteen) -> f32 {
    let v = max(max(x.a, x.b), max(x.c, x.d));
    return max(max(v.x, v.y), max(v.z, v.w));
}

// Returns scale · x + start, which must be exact.
fn scaled(x: Sixteen, scale: f32, start: f32) -> Sixteen {
    return Sixteen(x.a * scale + start, x.b * scale + start, x.c * scale + start, x.d * scale + start);
}

// Returns the places on a line, 0 to `last`, of texels at these offsets from its start.
fn places_of(x: Sixteen, scale: f32, last: f32) -> Sixteen {
    let ends = vec2(0.0, last);
    return Sixteen(
        round(clamp(x.a * scale, ends.xxxx, ends.yyyy)),
        round(clamp(x.b * scale, ends.xxxx, ends.yyyy)),
        round(clamp(x.c * scale, ends.xxxx, ends.yyyy)),
        round(clamp(x.d * scale, ends.xxxx, ends.yyyy)),
    );
}

// Returns two numbers, of the first and of the last eight places, with digits to the base `base`.
fn digits_of(x: Sixteen, base: f32) -> vec2<f32> {
    let square = base * base;
    let digits = vec4(1.0, base, square, square * base);
    let next = digits * (square * square);
    return vec2(dot(x.a, digits) + dot(x.b, next), dot(x.c, digits) + dot(x.d, next));
}
