// Numbers that 32 lanes have the same.

// Returns the number, which all lanes have the same.
fn same(lane: u32, own: u32) -> u32 {
    return own;
}
