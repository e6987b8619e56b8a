//! Colours that a file states in place of a colour space.

use super::{icc_tables::Tables, primaries::Primaries, tone_curve::ToneCurve};
use std::sync::Arc;

/// Tone curves and primaries, and their source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StatedColors {
    /// The source, such as `PNG gAMA 0.55555`.
    pub source: String,
    /// One curve for all channels, or one each for red, green and blue. Empty if the colour space states it.
    pub curves: Vec<ToneCurve>,
    /// Primaries, if they are not those of Rec. 709.
    pub primaries: Option<Primaries>,
    /// Tables of an ICC profile, in place of curves and primaries.
    pub tables: Option<Arc<Tables>>,
}

impl StatedColors {
    /// Returns the words for what differs from sRGB, and the verb that they need.
    pub fn words(&self) -> (&'static str, &'static str) {
        match (self.curves.is_empty(), self.primaries.is_some()) {
            _ if self.tables.is_some() => ("tables", "are not those"),
            (false, true) => ("tone curve and primaries", "are not those"),
            (false, false) => ("tone curve", "is not that"),
            (true, _) => ("primaries", "are not those"),
        }
    }

    /// Returns the source, with the name of the primaries if they have one.
    pub fn full_source(&self) -> String {
        let name = self.primaries.and_then(|primaries| primaries.name());
        name.map_or_else(|| self.source.clone(), |name| format!("{} ({name})", self.source))
    }
}
