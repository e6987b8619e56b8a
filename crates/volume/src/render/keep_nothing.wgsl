// Variant for volumes without pages: no ray waits.

fn take_kept(pixel: u32) {}

fn keep(pixel: u32) {}
