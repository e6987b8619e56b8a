//! Runs the codecs of one volume in rounds, so that ratios are taken within a round, as for texture encoders.

use super::codecs::{Codec, Kind, Outcome};
use crate::measure::median;
use anyhow::{Context as _, Result, ensure};

/// A codec whose pass takes longer than this many CPU seconds only runs in every [`SLOW_STRIDE`]th round.
const SLOW_SECONDS: f64 = 6.0;
const SLOW_STRIDE: usize = 3;

/// One codec on one volume.
#[derive(Clone)]
pub struct Row {
    pub kind: Kind,
    pub bits_per_voxel: Option<f64>,
    /// CPU seconds per voxel, by round.
    pub encode: Vec<Option<f64>>,
    pub decode: Vec<Option<f64>>,
    pub note: Option<String>,
}

/// All codecs on one volume: a column of the tables.
pub struct Measured {
    pub volume: String,
    pub rows: Vec<Row>,
}

impl Measured {
    pub fn row(&self, kind: Kind) -> Option<&Row> {
        self.rows.iter().find(|row| row.kind == kind)
    }

    /// Returns a codec's encode speed as a multiple of zstd -9's.
    pub fn encode_ratio(&self, kind: Kind) -> Option<f64> {
        speed_ratio(&self.row(kind)?.encode, &self.row(Kind::Zstd(9))?.encode)
    }

    /// Returns a codec's decode speed as a multiple of zstd -3's.
    pub fn decode_ratio(&self, kind: Kind) -> Option<f64> {
        speed_ratio(&self.row(kind)?.decode, &self.row(Kind::Zstd(3))?.decode)
    }
}

/// Returns the speed of `ours` as a multiple of that of `theirs`: the median over the rounds of both.
pub fn speed_ratio(ours: &[Option<f64>], theirs: &[Option<f64>]) -> Option<f64> {
    let ratios: Vec<_> =
        ours.iter().zip(theirs).filter_map(|(ours, theirs)| Some((*theirs)? / (*ours)?)).collect();
    (!ratios.is_empty()).then(|| median(ratios))
}

/// Runs `codecs` in `round_count` rounds.
pub fn run(volume: &str, mut codecs: Vec<Codec<'_>>, round_count: usize) -> Result<Measured> {
    let new = |codec: &Codec<'_>| Row {
        kind: codec.kind,
        bits_per_voxel: None,
        encode: Vec::new(),
        decode: Vec::new(),
        note: None,
    };
    let mut rows: Vec<_> = codecs.iter().map(new).collect();
    let mut is_slow = vec![false; rows.len()];
    for round in 0..round_count {
        eprintln!("{volume}: round {} of {round_count}", round + 1);
        for ((codec, row), is_slow) in codecs.iter_mut().zip(&mut rows).zip(&mut is_slow) {
            let is_base = matches!(codec.kind, Kind::Zstd(3 | 9));
            let sits_out = *is_slow && !is_base && !round.is_multiple_of(SLOW_STRIDE);
            let is_missing = round > 0 && row.bits_per_voxel.is_none();
            if sits_out || is_missing {
                row.encode.push(None);
                row.decode.push(None);
                continue;
            }
            let outcome = (codec.run)().with_context(|| format!("{} of {volume}", codec.kind.name()))?;
            let seconds = row.add(outcome).with_context(|| format!("{} of {volume}", codec.kind.name()))?;
            eprintln!("  {seconds:7.3} s  {}", codec.kind.name());
            *is_slow = seconds > SLOW_SECONDS;
        }
    }
    Ok(Measured { volume: volume.to_owned(), rows })
}

impl Row {
    /// Adds the results of a round, and returns the seconds of a pass.
    fn add(&mut self, outcome: Outcome) -> Result<f64> {
        let pass = match outcome {
            Outcome::Measured(pass) => pass,
            Outcome::Missing(why) => {
                self.encode.push(None);
                self.decode.push(None);
                self.note = Some(format!("not measured: {why}"));
                return Ok(0.0);
            }
        };
        let voxel_count = pass.voxel_count as f64;
        let bits_per_voxel = 8.0 * pass.byte_count as f64 / voxel_count;
        ensure!(
            self.bits_per_voxel.is_none_or(|bits| bits == bits_per_voxel),
            "gives another size in another round"
        );
        self.bits_per_voxel = Some(bits_per_voxel);
        self.encode.push(Some(pass.encode_seconds / voxel_count));
        self.decode.push(Some(pass.decode_seconds / voxel_count));
        self.note = pass.note;
        Ok(pass.encode_seconds + pass.decode_seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volumes::codecs::Pass;

    #[test]
    fn ratios_are_taken_within_a_round_and_say_when_there_is_none() {
        // The machine is half as fast in the second round, and the slow one sits that out.
        let (fast, slow) = ([Some(1.0), Some(2.0), Some(1.0)], [Some(10.0), None, Some(12.0)]);
        assert_eq!(speed_ratio(&fast, &slow), Some(11.0));
        assert_eq!(speed_ratio(&fast, &[None; 3]), None);
    }

    #[test]
    fn rows_gather_rounds_and_a_size_that_changes_is_an_error() {
        let pass = |byte_count| {
            Outcome::Measured(Pass {
                byte_count,
                voxel_count: 8,
                encode_seconds: 4.0,
                decode_seconds: 2.0,
                note: None,
            })
        };
        let codec = |mut outcomes: Vec<Outcome>| Codec {
            kind: Kind::Paper,
            run: Box::new(move || Ok(outcomes.remove(0))),
        };
        let measured = run("x", vec![codec(vec![pass(3), pass(3)])], 2).unwrap();
        assert_eq!(measured.rows[0].bits_per_voxel, Some(3.0));
        assert_eq!(measured.rows[0].encode, [Some(0.5), Some(0.5)]);
        assert_eq!(measured.rows[0].decode, [Some(0.25), Some(0.25)]);
        assert!(run("x", vec![codec(vec![pass(3), pass(4)])], 2).is_err());
        // A codec that is missing is not asked again.
        let measured = run("x", vec![codec(vec![Outcome::Missing("no codec".into())])], 3).unwrap();
        assert_eq!(measured.rows[0].encode, [None; 3]);
        assert_eq!(measured.rows[0].note.as_deref(), Some("not measured: no codec"));
    }
}
