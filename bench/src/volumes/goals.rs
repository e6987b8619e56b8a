//! Brickwork's goals for volumes, and whether they are met.

use super::{
    Results,
    codecs::{Kind, short},
};
use crate::table::{Column, Table};
use brickwork_volume::BrickSize::{self, Eight, Four};

/// Sizes in bits per voxel that files must not exceed.
const SIZES: [(&str, BrickSize, f64); 10] = [
    ("aal", Four, 0.15),
    ("bunny", Four, 4.913),
    ("bunny", Eight, 4.55),
    ("cthead8", Four, 2.534),
    ("flybrain", Four, 1.476),
    ("fuel", Four, 0.361),
    ("hydrogen_f32", Four, 6.438),
    ("mri_sag", Four, 4.398),
    ("spm152", Four, 1.82),
    ("teapot", Four, 0.937),
];

/// Least encode speeds ÷ zstd -9's, and decode speeds ÷ zstd -3's by AVX2 and by AVX-512.
const SPEEDS: [(&str, BrickSize, f64, [f64; 2]); 5] = [
    ("bunny", Four, 1.0, [0.7, 1.0]),
    ("mri_sag", Four, 1.0, [0.7, 1.0]),
    ("cthead8", Four, 1.0, DECODE),
    ("bunny", Eight, 1.0, [0.8, 0.8]),
    ("mri_sag", Eight, 1.0, [0.8, 0.8]),
];

/// Least decode speed ÷ zstd -3's of every other volume, by AVX2 and by AVX-512.
const DECODE: [f64; 2] = [0.6, 0.8];

/// Volumes of labels, which take at most the bytes of zstd -19 at 8³. (docs/measured/volumes.md says which
/// part of its array connectomics is.)
const LABELS: [&str; 2] = ["aal", "connectomics"];

/// The volume that the goals below are meant for.
const MAIN: &str = "bunny";
/// Maximum bits per voxel of its smoothed floats at 4³, and their maximum size ÷ that of pco.
const FLOATS_BITS: f64 = 17.42;
const FLOATS: f64 = 1.05;
/// Least speed of two threads ÷ that of one, and where they read single bricks from one cache.
const THREADS: f64 = 1.8;
const CACHED_THREADS: f64 = 1.9;
/// Least speed of one cached brick of 4³ ÷ that of a chunk of Blosc2.
const RANDOM_ACCESS: f64 = 20.0;

/// The good side of a goal.
#[derive(Clone, Copy)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

/// True if bricks are decoded by AVX-512.
fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::env::var_os("BRICKWORK_VOLUME_SIMD").is_none_or(|level| level == "avx512")
        && is_x86_feature_detected!("avx512vbmi2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns every goal with a measurement.
pub fn table(results: &Results) -> Table {
    use {Bound::*, Column::*};
    let mut table = Table::new(&[
        Text("volume"),
        Text("what"),
        Number("must reach"),
        Number("measured"),
        Text("reached"),
    ]);
    let mut push = |volume: &str, what: &str, bound: Bound, measured: Option<f64>| {
        let Some(measured) = measured else { return };
        let (must, reached) = match bound {
            AtMost(most) => (format!("≤ {most}"), measured <= most),
            AtLeast(least) => (format!("≥ {least}"), measured >= least),
        };
        let verdict = if reached { "yes" } else { "**no**" };
        table.push([volume.into(), what.into(), must, format!("{measured:.3}"), verdict.into()]);
    };
    let find = |volume: &str| results.volumes.iter().find(|measured| measured.volume == volume);
    for (volume, brick, most) in SIZES {
        let row = find(volume).and_then(|measured| measured.row(Kind::Brickwork(brick)));
        let what = format!("bits per voxel, {}", short(brick));
        push(volume, &what, AtMost(most), row.and_then(|row| row.bits_per_voxel));
    }
    for (volume, brick, encode, decode) in SPEEDS {
        let Some(measured) = find(volume) else { continue };
        let (ours, size) = (Kind::Brickwork(brick), short(brick));
        let encode_what = format!("encode speed ÷ zstd -9's, {size}");
        push(volume, &encode_what, AtLeast(encode), measured.encode_ratio(ours));
        let decode_what = format!("decode speed ÷ zstd -3's, {size}");
        push(volume, &decode_what, AtLeast(decode[usize::from(has_avx512())]), measured.decode_ratio(ours));
    }
    for measured in &results.volumes {
        let volume = &measured.volume;
        if LABELS.contains(&volume.as_str()) {
            let bits = |kind| measured.row(kind)?.bits_per_voxel;
            let ratio = bits(Kind::Brickwork(Eight)).and_then(|ours| Some(ours / bits(Kind::Zstd(19))?));
            push(volume, "size ÷ zstd -19's, 8³", AtMost(1.0), ratio);
        }
        for brick in [Four, Eight] {
            if !SPEEDS.iter().any(|&(other, size, ..)| (other, size) == (volume, brick)) {
                let what = format!("decode speed ÷ zstd -3's, {}", short(brick));
                let ratio = measured.decode_ratio(Kind::Brickwork(brick));
                push(volume, &what, AtLeast(DECODE[usize::from(has_avx512())]), ratio);
            }
        }
    }
    if results.main != MAIN {
        return table;
    }
    if let Some(smoothed) = &results.smoothed {
        let bits = |kind| smoothed.row(kind)?.bits_per_voxel;
        push(&smoothed.volume, "bits per voxel, 4³", AtMost(FLOATS_BITS), bits(Kind::Brickwork(Four)));
        for brick in [Four, Eight] {
            let ratio = bits(Kind::Brickwork(brick)).and_then(|ours| Some(ours / bits(Kind::Pco)?));
            push(&smoothed.volume, &format!("size ÷ pco's, {}", short(brick)), AtMost(FLOATS), ratio);
        }
    }
    let cached = results.accesses.as_ref().and_then(|accesses| accesses.cached_ratio());
    push(MAIN, "speed of one cached brick of 4³ ÷ a Blosc2 chunk of 16³", AtLeast(RANDOM_ACCESS), cached);
    let gain = results.threads;
    push(MAIN, "encode, two threads ÷ one", AtLeast(THREADS), gain.map(|gain| gain.encode));
    push(MAIN, "decode, two threads ÷ one", AtLeast(THREADS), gain.map(|gain| gain.decode));
    let what = "cached bricks of 4³, two threads ÷ one";
    push(MAIN, what, AtLeast(CACHED_THREADS), gain.map(|gain| gain.cached));
    table
}

#[cfg(test)]
mod tests {
    use super::{
        super::measure::{Measured, Row},
        super::threads::Gain,
        *,
    };

    fn row(kind: Kind, bits: f64, seconds: f64) -> Row {
        let seconds = vec![Some(seconds)];
        Row { kind, bits_per_voxel: Some(bits), encode: seconds.clone(), decode: seconds, note: None }
    }

    #[test]
    fn a_goal_missed_says_no() {
        let rows = vec![
            row(Kind::Brickwork(Four), 4.9134, 2.0),
            row(Kind::Brickwork(Eight), 4.55, 1.0),
            row(Kind::Zstd(3), 6.0, 1.39),
            row(Kind::Zstd(9), 6.0, 2.0),
        ];
        let smoothed = vec![
            row(Kind::Brickwork(Four), 10.6, 1.0),
            row(Kind::Brickwork(Eight), 10.4, 1.0),
            row(Kind::Pco, 10.0, 1.0),
        ];
        let results = Results {
            main: "bunny".into(),
            volumes: vec![Measured { volume: "bunny".into(), rows }],
            smoothed: Some(Measured { volume: "bunny, smoothed".into(), rows: smoothed }),
            threads: Some(Gain { encode: 1.79, decode: 1.8, cached: 1.89 }),
            ..Results::default()
        };
        let text = table(&results).to_markdown();
        let verdicts: Vec<_> =
            text.lines().skip(2).map(|line| line.split('|').rev().nth(1).unwrap().trim()).collect();
        // (4.9134 is printed as 4.913, and is still more.)
        let no = "**no**";
        let expected = [no, "yes", "yes", no, "yes", "yes", "yes", no, "yes", no, "yes", no];
        assert_eq!(verdicts, expected, "{text}");
        // For another volume, two threads are also measured, but there is no goal.
        let other = Results { main: "aal".into(), ..results };
        assert_eq!(table(&other).to_markdown().lines().count(), 2 + 6);
    }

    #[test]
    fn labels_are_compared_with_zstd() {
        let rows = vec![
            row(Kind::Brickwork(Four), 0.2, 2.0),
            row(Kind::Brickwork(Eight), 0.11, 4.0),
            row(Kind::Zstd(3), 0.2, 1.7),
            row(Kind::Zstd(19), 0.1, 1.0),
        ];
        let volumes = vec![Measured { volume: "connectomics".into(), rows }];
        let text = table(&Results { volumes, ..Results::default() }).to_markdown();
        let lines: Vec<_> = text.lines().skip(2).collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].contains("≤ 1 ") && lines[0].contains("1.100") && lines[0].contains("**no**"));
        // (0.85 is enough with AVX-512 and AVX2, 0.425 with neither.)
        assert!(lines[1].contains("0.850") && lines[1].contains("yes"), "{text}");
        assert!(lines[2].contains("0.425") && lines[2].contains("**no**"), "{text}");
    }
}
