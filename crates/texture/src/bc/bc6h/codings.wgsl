// Codings of modes, from a table. The kernel binds `tables`.
// needs: coding.wgsl

fn table(at: u32) -> f32 {
    return bitcast<f32>(tables[at]);
}

fn coding_of(mode: u32) -> Coding {
    let at = CODINGS + 7u * mode;
    let least = vec3(table(at + 4u), table(at + 5u), table(at + 6u));
    let top = table(at + 3u);
    return Coding(table(at), table(at + 1u), table(at + 2u), top, top, least, -least - 1.0);
}
