//! The report of an audit as a table.

use crate::report::{
    AuditAdvice, AuditReport, AuditTotals, AuditTrial, AuditedFile, Bytes, FileEntry, counted, printable,
};

/// Headings of the columns, and true for those with numbers, which are on the right.
const COLUMNS: [(&str, bool); 12] = [
    ("file", false),
    ("kind", false),
    ("size", true),
    ("levels", true),
    ("today", false),
    ("on disk", true),
    ("memory", true),
    ("advice", false),
    ("then", true),
    ("saved", true),
    ("dB", true),
    ("reason", false),
];

/// Returns a line for each file that was read, a line with the totals, and lines that explain marks.
pub(super) fn table(report: &AuditReport) -> String {
    let files: Vec<_> = report.files.iter().filter_map(FileEntry::done).collect();
    let mut rows = vec![COLUMNS.map(|(name, _)| name.to_owned())];
    rows.extend(files.iter().map(|file| cells(file)));
    let widths: [usize; COLUMNS.len()] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let line = |row: &[String; COLUMNS.len()]| {
        let cells = row.iter().zip(COLUMNS).zip(widths).map(|((cell, (_, is_number)), width)| {
            if is_number { format!("{cell:>width$}") } else { format!("{cell:width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let mut text = String::new();
    if !files.is_empty() {
        text = rows.iter().map(line).collect();
    }
    text += &totals(&report.totals);
    let trials = || files.iter().filter_map(|file| file.trial.as_ref());
    if trials().any(|trial| trial.sampled) {
        text += "*: measured on a sample of the texels\n";
    }
    if trials().any(is_hdr) {
        text += "m: mPSNR, the measure of HDR images\n";
    }
    let needs_size = |file: &&&AuditedFile| file.advice == AuditAdvice::Compress && !file.multiple_of_4;
    let count = files.iter().filter(needs_size).count();
    if count > 0 {
        let files = counted(count, "image");
        text += &format!("sides that are not multiples of 4, as Direct3D requires: {files}\n");
    }
    text
}

fn is_hdr(trial: &AuditTrial) -> bool {
    trial.measure == "mpsnr"
}

fn cells(file: &AuditedFile) -> [String; COLUMNS.len()] {
    let images = if file.images > 1 { format!("×{}", file.images) } else { String::new() };
    let advised = file.trial.as_ref().filter(|_| file.advice == AuditAdvice::Compress);
    [
        printable(&file.name()),
        file.kind.map_or("–", |kind| kind.name()).to_owned(),
        format!("{}×{}{images}", file.width, file.height),
        file.levels.to_string(),
        format!("{} {}", file.file_format, file.format),
        Bytes(file.file_bytes).to_string(),
        Bytes(file.memory_bytes).to_string(),
        advised.map_or("–", |trial| trial.format).to_owned(),
        Bytes(file.advised_bytes).to_string(),
        advised.map_or_else(|| "–".to_owned(), |_| Bytes(file.saved_bytes).to_string()),
        file.trial.as_ref().map_or_else(String::new, loss),
        printable(&file.reason),
    ]
}

fn loss(trial: &AuditTrial) -> String {
    let psnr = trial.psnr.map_or_else(|| "∞".to_owned(), |psnr| format!("{psnr:.1}"));
    let mark = |is_marked, mark| if is_marked { mark } else { "" };
    format!("{psnr}{}{}", mark(is_hdr(trial), "m"), mark(trial.sampled, "*"))
}

/// Returns the totals in one line: `3 files, 5.4 MiB → 0.7 MiB of GPU memory, 4.7 MiB saved (87 %); …`.
fn totals(totals: &AuditTotals) -> String {
    let share = 100.0 * totals.saved_bytes as f64 / totals.memory_bytes.max(1) as f64;
    let [today, then, saved] = [totals.memory_bytes, totals.advised_bytes, totals.saved_bytes].map(Bytes);
    let mut text = format!(
        "{}: {today} of GPU memory, {then} as advised, {saved} saved ({share:.0} %); {} left alone",
        counted(totals.files, "texture"),
        totals.keep,
    );
    if totals.failed > 0 {
        text += &format!(", {} refused", totals.failed);
    }
    text + "\n"
}
