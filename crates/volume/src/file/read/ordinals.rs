//! From the values of a decoded brick to ordinals.

use crate::file::table::MAX_VALUES;

/// The ordinals of all ranks of a rank table.
pub(in crate::file) type Lookup = [u32; MAX_VALUES];

/// Map from a brick's values, which are ranks or ordinals without the minimum, to ordinals.
#[derive(Clone, Copy)]
pub(in crate::file) enum Ordinals<'t> {
    /// This and the value, modulo 2³²: without a table, or where the brick's ranks have ordinals without
    /// gaps, as those of most bricks do.
    From(u32),
    /// The ordinal of a rank: of this and the value, modulo 2¹⁶.
    Of(u32, &'t Lookup),
}

impl<'t> Ordinals<'t> {
    /// Returns the ordinals of a brick with the smallest value `min` and a range, or the ordinals of all
    /// ranks if there is a rank table.
    #[inline]
    pub fn new(lookup: Option<&'t Lookup>, min: u32, range: u32) -> Self {
        let Some(table) = lookup else { return Self::From(min) };
        let base = ordinal(lookup, min);
        let has_gaps = ordinal(lookup, min.wrapping_add(range)).wrapping_sub(base) != range;
        if has_gaps { Self::Of(min, table) } else { Self::From(base) }
    }
}

/// Returns the ordinal of a rank. Without a rank table, values are ordinals, and are returned unchanged.
#[inline]
pub(super) fn ordinal(lookup: Option<&Lookup>, value: u32) -> u32 {
    lookup.map_or(value, |lookup| lookup[usize::from(value as u16)])
}
