//! Tables of the errors of texels, by the endpoints' difference and the texel's distance from them, for
//! `optimal.rs`.

use super::palette::{EIGHT_VALUES, SIX_VALUES, ValueRule};
use crate::{RoundingRule, bc::batch::BATCH};
use std::sync::OnceLock;

/// Entries in a row of [`Table`]: lower endpoints up to 255 below and 255 above a texel. Further entries
/// allow full lanes to be read from the last of them.
const ROW: usize = 511 + BATCH;

/// Squared errors, `errors[high − low][low − texel + 255]`, of texels moved down by a shift. Sums of 16 are
/// below 2³¹.
type Table = [[i32; ROW]; 256];

/// Moves of blocks with rests, in steps of the grid: the middles of eighths of a code. They trade memory for
/// endpoints that are tried again: the tables of each take 1 MiB.
pub(super) const SHIFTS: [i32; 8] = [2, 7, 11, 15, 20, 24, 28, 33];

fn table(rule: &ValueRule, steps: i32, shift: i32) -> Box<Table> {
    let mut table: Box<Table> = vec![[0; ROW]; 256].try_into().expect("256 rows");
    for (span, row) in table.iter_mut().enumerate() {
        // One texel at a time. The nearest value only moves up as texels grow.
        let value = |k: i32| rule.value(steps, 0, span as i32, k);
        let mut k = 0;
        for (place, error) in row.iter_mut().enumerate().rev() {
            let texel = rule.grid() * (255 - place as i32) - shift;
            while k < steps && (value(k + 1) - texel).abs() <= (value(k) - texel).abs() {
                k += 1;
            }
            *error = (value(k) - texel).pow(2);
        }
    }
    table
}

/// Tables of eight values and of six.
pub(super) type Tables = [Box<Table>; 2];

/// Returns the tables for a block of a rule, whose shift is entry `shift` of [`SHIFTS`] if it has rests.
pub(super) fn tables(rule: &ValueRule, shift: usize) -> &'static Tables {
    static REAL: OnceLock<Tables> = OnceLock::new();
    static EXACT: OnceLock<Tables> = OnceLock::new();
    static TRUNC: OnceLock<Tables> = OnceLock::new();
    static SHIFTED: [OnceLock<Tables>; SHIFTS.len()] = [const { OnceLock::new() }; SHIFTS.len()];
    let make = |rounding, shift| {
        let rule = ValueRule::unorm(rounding);
        [table(&rule, EIGHT_VALUES, shift), table(&rule, SIX_VALUES, shift)]
    };
    // Signed blocks otherwise differ only in the largest code.
    if rule.has_rests() {
        SHIFTED[shift].get_or_init(|| make(RoundingRule::Real, SHIFTS[shift]))
    } else if rule.is_real() {
        REAL.get_or_init(|| make(RoundingRule::Real, 0))
    } else if rule.bias(EIGHT_VALUES) > 0 {
        EXACT.get_or_init(|| make(RoundingRule::Exact, 0))
    } else {
        TRUNC.get_or_init(|| make(RoundingRule::Trunc, 0))
    }
}
