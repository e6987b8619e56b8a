//! `.bwv` files that no encoder writes, with correct checksums: no panic, no hang, no allocation of a size
//! that only the file claims.

#![no_main]

#[path = "../../tests/all/forged.rs"]
mod forged;

libfuzzer_sys::fuzz_target!(|recipe: &[u8]| {
    forged::read(forged::file(recipe));
});
