//! Unusable values of the geometry.

/// Reason why a value of the geometry is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryFault {
    /// Text that is not a number.
    #[error("not a number")]
    NotANumber,
    /// NaN or infinity.
    #[error("not a finite number")]
    NotFinite,
    /// Zero or less where a length must be positive.
    #[error("not above zero")]
    NotPositive,
    /// Negative duration.
    #[error("below zero")]
    Negative,
    /// Zero, which would make all values equal.
    #[error("zero")]
    Zero,
    /// Wrong count of numbers; the field has the expected one.
    #[error("expected {0} numbers")]
    Count(usize),
    /// Direction whose length is not 1.
    #[error("not a direction of length 1")]
    NotUnit,
    /// Rows and columns of a slice that are not at right angles.
    #[error("directions that are not at right angles")]
    NotRight,
    /// Directions within one plane.
    #[error("directions within one plane")]
    Singular,
    /// Numbers that contradict those of other fields.
    #[error("contradicts the other fields")]
    Contradiction,
}
