//! The names of the planes of slices.

/// The three planes of a patient: across the body, along it from side to side, and from front to back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    Axial,
    Coronal,
    Sagittal,
}

impl Plane {
    /// Every plane, in the order of `SlicePlane::anatomical`.
    pub const ALL: [Self; 3] = [Self::Axial, Self::Coronal, Self::Sagittal];

    /// Returns the name in the window.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Axial => "Axial",
            Self::Coronal => "Coronal",
            Self::Sagittal => "Sagittal",
        }
    }
}
