// Data that every stage works on (lanes.rs).
//
// Every float is an integer below 2^24, or such an integer times a constant, rounded once. Fused and separate
// multiplications and additions therefore give the same results.

const FOUR = 0u;
const THREE = 1u;
const THREE_BLACK = 2u;

struct Endpoints {
    a: vec3<f32>,
    b: vec3<f32>,
}

// Returns the centred channels of a texel, red in the lowest byte. Placing a byte in the lower bits of 2^23
// makes a float without a conversion; many GPUs do only a few conversions at a time. Green is 256 times as
// large.
fn centered(packed: u32) -> vec3<f32> {
    let bytes = vec3(packed, packed, packed >> 16u) & vec3(0xffu, 0xff00u, 0xffu);
    let values = bitcast<vec3<f32>>(bytes | vec3(0x4b000000u));
    return values * vec3(1.0, 1.0 / 256.0, 1.0) - (vec3(8388608.0, 32768.0, 8388608.0) + vec3(CENTER));
}
