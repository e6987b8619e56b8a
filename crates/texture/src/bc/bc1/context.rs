//! What every step of a search for endpoints depends on.

use super::lanes::{self, Block, Endpoints, Mode, RuleLanes};
use crate::simd::Simd;

/// The blocks in the lanes, how they are decoded, and the mode that is searched.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a, S: Simd, const MASKED: bool> {
    pub simd: S,
    pub rule: &'a RuleLanes<S>,
    pub mode: Mode,
    pub block: &'a Block<S, MASKED>,
}

impl<S: Simd, const MASKED: bool> Context<'_, S, MASKED> {
    /// The centred palette of endpoints.
    #[inline(always)]
    pub fn palette(&self, ends: &Endpoints<S>) -> [[S::F; 3]; 4] {
        lanes::palette(self.simd, self.rule, self.mode, ends)
    }
}
