//! Changes of pictures, for notes.

/// Numbers of texels with changes that users may not expect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Transparent texels with the colours of others.
    pub dilated: u64,
    /// Normals that got length 1.
    pub normalized: u64,
}
