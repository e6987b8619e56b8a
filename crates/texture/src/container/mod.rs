//! Texture files: DDS and KTX2.
