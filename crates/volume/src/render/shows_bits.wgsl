// Whether samples of a cell or block may show: bits, 32 to a word, from word `start` of `looks`.
fn shows(start: u32, number: u32) -> bool {
    return ((looks[start + (number >> 5u)] >> (number & 31u)) & 1u) != 0u;
}
