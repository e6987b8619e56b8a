//! The comparison of volumes as text: one row per codec, one column per volume.

use super::{
    codecs::Kind,
    measure::Measured,
    random_access::{self, Accesses},
    threads::Gain,
};
use crate::{
    report::three_digits,
    table::{Column, Table},
};
use brickwork_volume::BrickSize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Everything that was measured.
#[derive(Default)]
pub struct Results {
    pub volumes: Vec<Measured>,
    /// The largest volume, which is used for measurements of a single volume.
    pub main: String,
    pub smoothed: Option<Measured>,
    pub accesses: Option<Accesses>,
    pub threads: Option<Gain>,
    /// Versions of Python's modules.
    pub versions: BTreeMap<String, String>,
}

impl Results {
    /// Returns every volume, and the smoothed one.
    pub fn columns(&self) -> impl Iterator<Item = &Measured> {
        self.volumes.iter().chain(&self.smoothed)
    }
}

/// Codecs in the tables of speed: those of docs/performance.md.
const WITH_SPEED: [Kind; 6] = [
    Kind::Brickwork(BrickSize::Four),
    Kind::Brickwork(BrickSize::Eight),
    Kind::Zstd(19),
    Kind::Pco,
    Kind::Blosc2(16, 16),
    Kind::JpegXl(3),
];

/// Returns all tables of a run, below the lines that state how it was made.
pub fn to_markdown(about: &[String], results: &Results) -> String {
    let mut text: String = about.iter().map(|line| format!("- {line}\n")).collect();
    let mut part = |title: &str, body: &str| {
        let _ = write!(text, "\n### {title}\n\n{body}");
    };
    part(
        "Encode speed ÷ that of zstd -9",
        &matrix(results, &WITH_SPEED, |m, kind| m.encode_ratio(kind).map(three_digits)),
    );
    part(
        "Decode speed ÷ that of zstd -3",
        &matrix(results, &WITH_SPEED, |m, kind| m.decode_ratio(kind).map(three_digits)),
    );
    if let Some(accesses) = &results.accesses {
        let speed = format!("speed ÷ {}", random_access::base());
        let columns = [Column::Text("random access by"), Column::Text("unit"), Column::Number(&speed)];
        let mut table = Table::new(&columns);
        for way in &accesses.ways {
            let ratio = accesses.ratio(way).map_or_else(|| "–".to_owned(), three_digits);
            table.push([way.name.to_owned(), way.unit.to_owned(), ratio]);
        }
        part(&format!("Random access to {}", results.main), &table.to_markdown());
    }
    let gain = results.threads.map_or_else(
        || "not measured: one CPU\n".to_owned(),
        |gain| {
            let Gain { encode, decode, cached } = gain;
            format!(
                "Speed ÷ that of one: encode {encode:.2}, decode {decode:.2}, bricks at random from one \
                 `BrickCache` {cached:.2}.\n"
            )
        },
    );
    part(&format!("Two threads, 4³, {}", results.main), &gain);
    let notes = notes(results);
    if !notes.is_empty() {
        part("Not measured, or in part", &notes);
    }
    text
}

/// Returns the table of sizes.
pub fn sizes(results: &Results) -> String {
    matrix(results, &Kind::ALL, |m, kind| m.row(kind)?.bits_per_voxel.map(|bits| format!("{bits:.3}")))
}

/// Returns a table with the cells of `cell` for each volume and each of `kinds`.
fn matrix(results: &Results, kinds: &[Kind], cell: impl Fn(&Measured, Kind) -> Option<String>) -> String {
    let volumes: Vec<_> = results.columns().collect();
    let mut columns = vec![Column::Text("codec"), Column::Text("unit")];
    columns.extend(volumes.iter().map(|measured| Column::Number(&measured.volume)));
    let mut table = Table::new(&columns);
    for &kind in kinds {
        let cells = volumes.iter().map(|measured| {
            let has_note = measured.row(kind).is_some_and(|row| row.note.is_some());
            match cell(measured, kind) {
                Some(text) if has_note => format!("{text}*"),
                Some(text) => text,
                None => "–".to_owned(),
            }
        });
        let row: Vec<_> = [kind.name(), kind.unit()].into_iter().chain(cells).collect();
        table.push(row);
    }
    table.to_markdown()
}

/// Returns a line for each note of a codec, with the volumes that it concerns.
fn notes(results: &Results) -> String {
    let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
    for kind in Kind::ALL {
        for measured in results.columns() {
            let Some(note) = measured.row(kind).and_then(|row| row.note.as_ref()) else { continue };
            let key = format!("{}: {note}", kind.name());
            match notes.iter_mut().find(|(text, _)| *text == key) {
                Some((_, volumes)) => volumes.push(&measured.volume),
                None => notes.push((key, vec![&measured.volume])),
            }
        }
    }
    if let Some(why) = results.accesses.as_ref().and_then(|accesses| accesses.missing.as_ref()) {
        notes.push((
            format!("{}, random access: not measured: {why}", random_access::base()),
            vec![&results.main],
        ));
    }
    notes.into_iter().map(|(text, volumes)| format!("- {text} ({})\n", volumes.join("; "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volumes::measure::Row;

    #[test]
    fn what_was_not_measured_is_a_dash_and_a_note() {
        let row = |kind, bits_per_voxel, note: Option<&str>| Row {
            kind,
            bits_per_voxel,
            encode: vec![bits_per_voxel],
            decode: vec![bits_per_voxel],
            note: note.map(str::to_owned),
        };
        let measured = |volume: &str| Measured {
            volume: volume.into(),
            rows: vec![
                row(Kind::Zstd(9), Some(2.0), None),
                row(Kind::Blosc2(16, 16), None, Some("not measured: no Blosc2")),
                row(Kind::JpegXl(3), Some(1.0), Some("1 slice in 3")),
            ],
        };
        let results = Results { volumes: vec![measured("a"), measured("b")], ..Results::default() };
        let text = to_markdown(&["Date: today".into()], &results);
        let line = |start: &str, title: &str| {
            let part = text.split("\n### ").find(|part| part.starts_with(title)).unwrap();
            let line = part.lines().find(|line| line.starts_with(start)).unwrap();
            line.split('|').map(str::trim).skip(3).map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(text.starts_with("- Date: today\n"));
        assert_eq!(line("| JPEG XL slices, effort 3", "Encode speed"), ["2.00*", "2.00*", ""]);
        assert_eq!(line("| Blosc2", "Decode"), ["–", "–", ""]);
        assert_eq!(line("| pco", "Decode"), ["–", "–", ""]);
        assert!(text.contains("- Blosc2, chunks of 16³: not measured: no Blosc2 (a; b)\n"), "{text}");
    }
}
