// Converts linear light to 8-bit values by the table of mips/transfer.rs. The kernel binds it as `table`.

fn value_of(light: u32) -> u32 {
    let first = table[FIRST_VALUES + (light >> 4u)];
    return first + select(0u, 1u, light >= table[BORDERS + first]);
}
