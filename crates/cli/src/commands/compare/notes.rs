//! Notes about comparisons.

use crate::{
    commands::compare::{CompareInput, CompareNote, FileComparison, ImageComparison},
    report::{self, counted, printable},
};
use std::collections::HashMap;

/// A fact that the user of a comparison may not expect.
pub struct Note {
    /// Name of the file, or names of both files.
    subject: String,
    fact: String,
    scope: Scope,
}

/// Files that a note concerns.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Scope {
    /// One file, which has a fault.
    Fault,
    /// One file. Others may have the same note.
    File,
    /// Two files. Other pairs may have the same note.
    Pair,
}

/// Returns the notes about two files.
pub fn notes_of(files: &FileComparison) -> Vec<Note> {
    // Notes of all mip levels are the same.
    let Some(inputs) = files.levels().first().map(ImageComparison::inputs) else { return Vec::new() };
    let of_input = |note: &CompareNote| Note {
        subject: note.input().map(printable).unwrap_or_default(),
        fact: note.fact(),
        scope: if matches!(note, CompareNote::Fault { .. }) { Scope::Fault } else { Scope::File },
    };
    let mut notes: Vec<_> = inputs.iter().flat_map(CompareInput::notes).map(of_input).collect();
    let [a, b] = inputs.each_ref().map(|input| printable(input.name()));
    let of_pair = |fact| Note { subject: format!("{a}, {b}"), fact, scope: Scope::Pair };
    notes.extend(CompareNote::of_pair(inputs).map(|note| of_pair(note.fact())));
    let counts = match files.level_counts() {
        [Some(a), Some(b)] if a != b => {
            let common = match a.min(b) {
                1 => "the first is compared".to_owned(),
                count => format!("the first {count} are compared"),
            };
            Some(format!("{a} and {}; {common}", counted(b, "mip level")))
        }
        [Some(count), None] | [None, Some(count)] if count > 1 => {
            Some("only one of the files has mip levels; level 0 is compared".to_owned())
        }
        _ => None,
    };
    notes.extend(counts.map(of_pair));
    notes
}

/// Returns the note about a row of a table whose PSNR is that of some texels.
pub fn visible_note(files: &FileComparison) -> Option<Note> {
    let hides_colors = files.levels().iter().any(ImageComparison::hides_colors);
    let inputs = files.levels().first().map(ImageComparison::inputs)?;
    hides_colors.then(|| Note {
        subject: inputs.each_ref().map(|input| printable(input.name())).join(", "),
        fact: match inputs.iter().any(CompareInput::is_punched) {
            true => {
                let reason = "1-bit alpha drops the colours of others";
                format!("the PSNR of colours is that of visible texels; {reason}")
            }
            false => "the PSNR of colours is that of texels that are not transparent".to_owned(),
        },
        scope: Scope::Pair,
    })
}

/// Prints notes.
pub fn print(notes: &[Note]) {
    for Note { subject, fact, .. } in notes {
        report::note(&format!("{subject}: {fact}"));
    }
}

/// Prints notes about the files of folders: each fact once, with the number of files or pairs. Faults of
/// files are printed for each.
pub fn print_counted(notes: &[Note]) {
    let mut groups: Vec<(&Note, usize)> = Vec::new();
    let mut places = HashMap::new();
    for note in notes {
        let place = *places.entry((note.scope, note.fact.as_str())).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, count)) if note.scope != Scope::Fault => *count += 1,
            _ => groups.push((note, 1)),
        }
    }
    for (note, count) in groups {
        let subject = match note.scope {
            Scope::File if count > 1 => counted(count, "file"),
            Scope::Pair if count > 1 => counted(count, "pair"),
            Scope::Fault | Scope::File | Scope::Pair => note.subject.clone(),
        };
        report::note(&format!("{subject}: {}", note.fact));
    }
}
