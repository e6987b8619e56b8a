//! What every step of a search for endpoints depends on.

use super::{
    distinct::Distinct,
    lanes::{self, Block, Endpoints, Mode, RuleLanes, SearchMode},
};
use crate::simd::Simd;

/// The blocks in the lanes, how they are decoded, and the mode that is searched.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub simd: S,
    pub rule: &'a RuleLanes<S>,
    pub mode: M,
    pub block: &'a Block<S, MASKED>,
    pub distinct: &'a Distinct<S>,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> Context<'_, S, M, MASKED> {
    /// The mode that is searched.
    #[inline(always)]
    pub fn mode(&self) -> Mode {
        self.mode.get()
    }

    /// The centred palette of endpoints.
    #[inline(always)]
    pub fn palette(&self, ends: &Endpoints<S>) -> [[S::F; 3]; 4] {
        lanes::palette(self.simd, self.rule, self.mode(), ends)
    }
}
