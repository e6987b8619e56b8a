//! Markdown tables whose columns line up.

/// A table: the first column is text; the others are numbers unless stated otherwise.
pub struct Table {
    /// Titles, and whether the column is aligned to the right.
    columns: Vec<(String, bool)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table with columns of text and numbers; numbers are aligned to the right.
    pub fn new(columns: &[Column<'_>]) -> Self {
        let columns = columns.iter().map(|column| match *column {
            Column::Text(title) => (title.to_owned(), false),
            Column::Number(title) => (title.to_owned(), true),
        });
        Self { columns: columns.collect(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has more or fewer cells than there are columns.
    pub fn push(&mut self, row: impl Into<Vec<String>>) {
        let row = row.into();
        assert_eq!(row.len(), self.columns.len(), "cells in a row");
        self.rows.push(row);
    }

    /// Returns the table in Markdown.
    pub fn to_markdown(&self) -> String {
        let widths: Vec<_> = (0..self.columns.len())
            .map(|c| {
                let cells = self.rows.iter().map(|row| row[c].chars().count());
                cells.chain([self.columns[c].0.chars().count(), 3]).max().unwrap_or(0)
            })
            .collect();
        let line = |cell: &dyn Fn(usize) -> String| {
            let cells: Vec<_> = (0..widths.len()).map(cell).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let pad = |c: usize, text: &str| match self.columns[c].1 {
            false => format!("{text:<width$}", width = widths[c]),
            true => format!("{text:>width$}", width = widths[c]),
        };
        let rule = |c: usize| match self.columns[c].1 {
            false => "-".repeat(widths[c]),
            true => format!("{}:", "-".repeat(widths[c] - 1)),
        };
        let mut text = line(&|c| pad(c, &self.columns[c].0)) + &line(&rule);
        self.rows.iter().for_each(|row| text += &line(&|c| pad(c, &row[c])));
        text
    }
}

/// A column's title.
pub enum Column<'a> {
    Text(&'a str),
    Number(&'a str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&[Column::Text("encoder"), Column::Number("× cluster")]);
        table.push(["a".into(), "1.0".into()]);
        table.push(["böses Ende".into(), "10.25".into()]);
        let expected = "\
| encoder    | × cluster |
| ---------- | --------: |
| a          |       1.0 |
| böses Ende |     10.25 |
";
        assert_eq!(table.to_markdown(), expected);
    }
}
