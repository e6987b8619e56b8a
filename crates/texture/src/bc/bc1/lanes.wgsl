// What every stage works on (lanes.rs). Needs params.wgsl.
//
// Every float is an integer below 2^24, or such an integer times a constant, rounded once; so it does not
// matter whether a compiler fuses multiplications and additions.

const FOUR = 0u;
const THREE = 1u;
const THREE_BLACK = 2u;

struct Endpoints {
    a: vec3<f32>,
    b: vec3<f32>,
}

// The centred channels of a texel, red in the lowest byte.
fn centered(packed: u32) -> vec3<f32> {
    return vec3<f32>(vec3(packed, packed >> 8u, packed >> 16u) & vec3(255u)) - vec3(CENTER);
}
