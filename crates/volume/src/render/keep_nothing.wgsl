// No ray waits for anything.

fn take_kept(pixel: u32) {}

fn keep(pixel: u32) {}
