//! Goals, and whether they are reached.

use crate::{
    report,
    table::{
        Column::{Number, Text},
        Table,
    },
};

/// The goals that were met or not.
#[derive(Default)]
pub(super) struct Goals(pub Option<Table>);

/// Returns the table without goals.
pub(super) fn goals_table() -> Table {
    Table::new(&[Text("goal"), Number("must reach"), Number("measured"), Text("reached")])
}

impl Goals {
    /// Adds a figure with a required maximum or minimum.
    pub fn push(&mut self, goal: &str, bound: f64, is_most: bool, measured: f64, unit: &str) {
        let reached = if is_most { measured <= bound } else { measured >= bound };
        let sign = if is_most { "≤" } else { "≥" };
        self.0.get_or_insert_with(goals_table).push([
            goal.to_owned(),
            format!("{sign} {bound} {unit}"),
            format!("{} {unit}", report::three_digits(measured)),
            if reached { "yes" } else { "**no**" }.to_owned(),
        ]);
    }
}
