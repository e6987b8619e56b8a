//! "Writing to compressed textures in Metal" (Ludicon, 2026): encoding in real time straight into a
//! compressed texture. All of it belongs to the encoders, in the texture crate.
//!
//! - Real-time encoding, levels 1 and 2: `bc/bc7/real_time*`.
//! - Buffer and texture at one place of a heap, for Metal, Vulkan and Direct3D 12:
//!   [`CompressedTarget`](brickwork_texture::direct::CompressedTarget) in `direct/`, with textures of
//!   `block_image/` of the crate brickwork-gpu.
//! - Writes swizzled, reads swizzled, linear and copied: its
//!   [`Strategy`](brickwork_texture::direct::Strategy).
//! - The order of blocks in a texture's memory: `direct/tiling/`, found from a read-back. `brickwork tiling`
//!   prints it.
