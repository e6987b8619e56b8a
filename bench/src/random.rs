//! Numbers that look random.

/// Returns a number that looks random for each of its arguments.
pub fn hash(x: u32, y: u32, salt: u32) -> u32 {
    let mut h = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ salt.wrapping_mul(0xc2b2_ae3d);
    for _ in 0..2 {
        h = (h ^ h >> 15).wrapping_mul(0x2c1b_3c6d);
        h = (h ^ h >> 12).wrapping_mul(0x297a_2d39);
    }
    h ^ h >> 15
}
