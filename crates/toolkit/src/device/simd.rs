//! Instruction sets of the CPU that the environment selects.

use brickwork_base::SimdVariableError;

/// Checks the environment variables `BRICKWORK_TEXTURE_SIMD` and `BRICKWORK_VOLUME_SIMD`. Programs call this
/// when they start, because the libraries ignore wrong values.
///
/// # Errors
/// [`SimdVariableError`] for the first of them that is set, not empty, and not the name of an instruction set
/// of this program and CPU.
pub fn check_simd_variables() -> Result<(), SimdVariableError> {
    brickwork_texture::check_simd_variable()?;
    brickwork_volume::check_simd_variable()
}
