// First and second moments of texels (moments.rs).
// needs: numbers.wgsl

struct Moments {
    count: f32,
    sums: vec3<f32>,
    // Products of red with all, then of green and blue with green, blue and blue.
    of_red: vec3<f32>,
    others: vec3<f32>,
}

// Covariance times the count, as the products are arranged, and its row of the largest variance.
struct Covariance {
    mean: vec3<f32>,
    of_red: vec3<f32>,
    others: vec3<f32>,
    row: vec3<f32>,
}

fn covariance_of(moments: Moments) -> Covariance {
    let mean = keep3(moments.sums * quotient(1.0, max(moments.count, 1.0)));
    let s = moments.sums;
    let of_red = keep3(moments.of_red - keep3(s.xxx * mean));
    let others = keep3(moments.others - keep3(s.yyz * mean.yzz));
    var row = of_red;
    var largest = of_red.x;
    if largest < others.x {
        largest = others.x;
        row = vec3(of_red.y, others.xy);
    }
    if largest < others.z {
        row = vec3(of_red.z, others.yz);
    }
    return Covariance(mean, of_red, others, row);
}

fn product_of(matrix: Covariance, v: vec3<f32>) -> vec3<f32> {
    return vec3(
        dot3(matrix.of_red, v),
        dot3(vec3(matrix.of_red.y, matrix.others.xy), v),
        dot3(vec3(matrix.of_red.z, matrix.others.yz), v),
    );
}

// Returns a vector whose largest component is 1 or −1.
fn scaled(v: vec3<f32>) -> vec3<f32> {
    let largest = max(max(TINY, abs(v.x)), max(abs(v.y), abs(v.z)));
    return keep3(v * quotient(1.0, largest));
}
