// Writes lights as 16-bit texels, or as half floats if HALF is 1.
// needs: ../convert_wide.wgsl, ../put_wide.wgsl, single.wgsl

// Returns the nearest half float, at most 65504 in magnitude.
fn half_of(light: u32) -> u32 {
    return half_of_single(min(light & ~SIGN, 0x477fe000u) | (light & SIGN));
}

fn store(at: u32, lights: vec4<u32>) {
    if HALF == 1u {
        put(at, vec4(half_of(lights.x), half_of(lights.y), half_of(lights.z), half_of(lights.w)));
    } else {
        put(at, integers_of(lights, vec4(65535u)));
    }
}
