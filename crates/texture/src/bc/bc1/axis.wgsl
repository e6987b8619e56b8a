// Normalized values, their covariance and their principal axis (bc/order.rs).
// needs: ../power_scale.wgsl

// Conversion of channel values to normalized ones: (count * x - sum) * scale, rounded.
struct Normalizer {
    count: f32,
    sum: vec3<f32>,
    scale: vec3<f32>,
}

fn normalized(by: Normalizer, x: vec3<f32>) -> vec3<f32> {
    return round((x * by.count - by.sum) * by.scale);
}

fn greatest_of(v: vec3<f32>) -> f32 {
    return max(max(v.x, v.y), v.z);
}

// Scales a vector so that its largest component has 11 bits.
fn shorten(v: vec3<f32>) -> vec3<f32> {
    return round(v * power_scale(max(1.0, greatest_of(abs(v))), 10u));
}

fn normalizer(count: f32, sum: vec3<f32>, low: vec3<f32>, high: vec3<f32>) -> Normalizer {
    let greatest = max(1.0, max(greatest_of(high * count - sum), greatest_of(sum - low * count)));
    return Normalizer(count, sum, power_scale(greatest, 0u) * NORMAL_HALF * params.stretch.xyz);
}

// Covariance of normalized values, upper triangle.
struct Covariance {
    square: vec3<f32>,
    // rg, rb, gb
    mixed: vec3<f32>,
}

fn shortened(matrix: Covariance) -> Covariance {
    let scale = power_scale(max(1.0, greatest_of(matrix.square)), 10u);
    return Covariance(round(matrix.square * scale), round(matrix.mixed * scale));
}

// Returns the start of the power method: the column of the largest variance.
fn first_axis(matrix: Covariance) -> vec3<f32> {
    let s = matrix.square;
    if max(s.x, s.y) < s.z {
        return vec3(matrix.mixed.y, matrix.mixed.z, s.z);
    }
    if s.x < s.y {
        return vec3(matrix.mixed.x, s.y, matrix.mixed.z);
    }
    return vec3(s.x, matrix.mixed.x, matrix.mixed.y);
}

fn next_axis(matrix: Covariance, v: vec3<f32>) -> vec3<f32> {
    return shorten(vec3(
        dot(v, vec3(matrix.square.x, matrix.mixed.x, matrix.mixed.y)),
        dot(v, vec3(matrix.mixed.x, matrix.square.y, matrix.mixed.z)),
        dot(v, vec3(matrix.mixed.y, matrix.mixed.z, matrix.square.z)),
    ));
}
