// Error of a block's candidate; the largest possible if there is none. The kernel binds `choices` and `fits`.
// needs: params.wgsl

fn part_count(choice: u32) -> u32 {
    let mode = choice & 255u;
    return select(subset_count(mode), 2u, mode == 4u || mode == 5u);
}

fn error_of_slot(block: u32, slot: u32) -> i32 {
    let at = block * params.all_slots + slot;
    let choice = choices[at];
    if choice == NONE {
        return 0x7fffffff;
    }
    var error = 0;
    for (var part = 0u; part < part_count(choice); part++) {
        error += i32(fits[9u * at + 3u * part]);
    }
    return error;
}
