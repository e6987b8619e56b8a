// Transfer tables: the twin of `TransferTable` in transfer.rs. Entries are four words of `looks` each.

fn transfer_entry(i: u32) -> vec4f {
    let at = 4u * i;
    return bitcast<vec4f>(vec4u(looks[at], looks[at + 1u], looks[at + 2u], looks[at + 3u]));
}

// Colour and extinction of a sample.
fn transfer(sample: u32) -> vec4f {
    let place = min(max(sample, view.transfer_first) - view.transfer_first, view.transfer_span);
    let at = place >> view.transfer_shift;
    let part = f32(place & ((1u << view.transfer_shift) - 1u)) / f32(1u << view.transfer_shift);
    let a = transfer_entry(at);
    return a + (transfer_entry(at + 1u) - a) * part;
}
