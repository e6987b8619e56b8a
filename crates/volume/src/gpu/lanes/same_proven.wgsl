// Numbers that 32 lanes have the same, proven to compilers that permit barriers only in uniform control flow.

var<workgroup> same_word: u32;

// Returns the number, which all lanes have the same. All lanes call it together.
fn same(lane: u32, own: u32) -> u32 {
    if lane == 0u {
        same_word = own;
    }
    return workgroupUniformLoad(&same_word);
}
