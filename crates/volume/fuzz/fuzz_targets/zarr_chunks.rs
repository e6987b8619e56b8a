//! Zarr chunks that no encoder writes: no panic, no hang, no allocation of a size that only the chunk states.

#![no_main]

#[path = "../../tests/all/chunk/forged.rs"]
mod forged;

libfuzzer_sys::fuzz_target!(|recipe: &[u8]| {
    forged::read(recipe);
});
