//! Context that every step of a search for endpoints depends on.

use super::{
    distinct::Distinct,
    lanes::{self, Block, Endpoints, Mode, RuleLanes, SearchMode},
};
use crate::simd::Simd;

/// Blocks in the lanes, the rule that decodes them, and the mode of the search.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub simd: S,
    pub rule: &'a RuleLanes<S>,
    pub mode: M,
    pub block: &'a Block<S, MASKED>,
    pub distinct: &'a Distinct<S>,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> Context<'_, S, M, MASKED> {
    /// Returns the mode of the search.
    #[inline(always)]
    pub fn mode(&self) -> Mode {
        self.mode.get()
    }

    /// Returns the centred palette of endpoints.
    #[inline(always)]
    pub fn palette(&self, ends: &Endpoints<S>) -> [[S::F; 3]; 4] {
        lanes::palette(self.simd, self.rule, self.mode(), ends)
    }
}
