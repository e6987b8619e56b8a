//! Runs the contestants: once each for the quality, then in rounds for the speed.
//!
//! A round runs every contestant after the other over all pictures, so that a change in the machine's speed
//! affects all alike, and ratios are taken within a round. Fast contestants run several passes per round, and
//! slow ones sit out most rounds.

use crate::{
    peers::{Contestant, Role},
    picture::Picture,
    quality,
};
use anyhow::{Context, Result};
use brickwork_texture::{BlockFormat, RoundingRule};
use cpu_time::ThreadTime;

/// CPU seconds that a contestant runs in a round at least. More: less noise from the clock and interruptions.
const ROUND_SECONDS: f64 = 0.15;
/// Maximum number of passes in a round.
const MAX_PASSES: f64 = 200.0;
/// A contestant whose pass takes longer than this many CPU seconds only runs in every
/// [`SLOW_STRIDE`]th round.
const SLOW_SECONDS: f64 = 5.0;
const SLOW_STRIDE: usize = 3;
/// A PSNR of photographs below this, in dB, means a broken encoder or a wrong call of it. The worst peer has
/// about 33 dB.
pub const SANE_PSNR_DB: f64 = 28.0;

/// Measurements of one contestant.
pub struct Measurement {
    pub name: String,
    pub role: Role,
    /// PSNR under the real decoder, in dB, mean over the pictures. It is the exact decoder of all formats
    /// except BC4, BC5 and EAC.
    pub exact_db: f64,
    /// The same under the trunc decoder.
    pub trunc_db: f64,
    /// Millions of texels per CPU second, by round.
    pub mpix_s: Vec<Option<f64>>,
    /// Faults of the contestant's blocks, in words.
    pub faults: Vec<String>,
}

impl Measurement {
    /// Millions of texels per CPU second: median over the rounds.
    pub fn speed(&self) -> f64 {
        median(self.mpix_s.iter().flatten().copied().collect())
    }

    /// Returns the speed as a multiple of `other`'s: the median over the rounds of both.
    pub fn speed_against(&self, other: &Self) -> f64 {
        let ratio = |(a, b): (&Option<f64>, &Option<f64>)| Some((*a)? / (*b)?);
        median(self.mpix_s.iter().zip(&other.mpix_s).filter_map(ratio).collect())
    }

    /// Returns the difference between the fastest and the slowest round, as a fraction of the median.
    pub fn spread(&self) -> f64 {
        let rounds = || self.mpix_s.iter().flatten().copied();
        (rounds().fold(0.0, f64::max) - rounds().fold(f64::INFINITY, f64::min)) / self.speed()
    }
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match (values.len() / 2, values.len() % 2) {
        (0, 0) => f64::NAN,
        (half, 0) => (values[half - 1] + values[half]) / 2.0,
        (half, _) => values[half],
    }
}

/// Measures all `contestants` in `round_count` rounds on this thread, which it pins to one CPU. A PSNR below
/// `sane_psnr_db` is a fault.
pub fn run(
    pictures: &[Picture],
    format: BlockFormat,
    contestants: &[Contestant<'_>],
    round_count: usize,
    sane_psnr_db: f64,
) -> Result<Vec<Measurement>> {
    // Before the thread is pinned, for the decoder's threads would inherit that.
    let mut entries = contestants
        .iter()
        .map(|contestant| {
            eprintln!("quality: {}", contestant.name);
            Entry::new(pictures, format, contestant, sane_psnr_db).with_context(|| contestant.name.clone())
        })
        .collect::<Result<Vec<_>>>()?;
    pin()?;
    for round in 0..round_count {
        eprintln!("speed: round {} of {round_count}", round + 1);
        for entry in &mut entries {
            entry.run(pictures, round).with_context(|| entry.contestant.name.clone())?;
        }
    }
    Ok(entries.into_iter().map(|entry| entry.measurement).collect())
}

/// Keeps this thread on one CPU: the last one it may use, for the first often serves interrupts.
pub fn pin() -> Result<()> {
    let core = core_affinity::get_core_ids().and_then(|cores| cores.last().copied());
    let core = core.context("cannot tell which CPUs this thread may use")?;
    anyhow::ensure!(core_affinity::set_for_current(core), "cannot pin this thread to CPU {}", core.id);
    Ok(())
}

struct Entry<'a> {
    contestant: &'a Contestant<'a>,
    /// The blocks of each picture, as encoded first.
    blocks: Vec<Vec<u8>>,
    pass_seconds: f64,
    measurement: Measurement,
}

impl<'a> Entry<'a> {
    fn new(
        pictures: &[Picture],
        format: BlockFormat,
        contestant: &'a Contestant<'a>,
        sane_psnr_db: f64,
    ) -> Result<Self> {
        let mut blocks: Vec<_> =
            pictures.iter().map(|picture| vec![0; picture.block_bytes(format)]).collect();
        let pass_seconds = pass(contestant, &mut blocks)?;
        let channels = quality::channels(format, pictures);
        let (mut exact_db, mut trunc_db, mut transparent_count) = (0.0, 0.0, 0);
        for (picture, blocks) in pictures.iter().zip(&blocks) {
            let exact = quality::decode(picture, format, channels, blocks, RoundingRule::Real)?;
            exact_db += exact.psnr_db / pictures.len() as f64;
            let trunc = quality::decode(picture, format, channels, blocks, RoundingRule::Trunc)?;
            trunc_db += trunc.psnr_db / pictures.len() as f64;
            transparent_count += exact.transparent_count;
        }
        let mut faults = Vec::new();
        if format == BlockFormat::Bc1 && transparent_count > 0 {
            faults.push(format!("makes {transparent_count} opaque texels transparent"));
        }
        if exact_db < sane_psnr_db {
            faults.push(format!("{exact_db:.2} dB is too bad to be meant"));
        }
        let measurement = Measurement {
            name: contestant.name.clone(),
            role: contestant.role,
            exact_db,
            trunc_db,
            mpix_s: Vec::new(),
            faults,
        };
        Ok(Self { contestant, blocks, pass_seconds, measurement })
    }

    fn run(&mut self, pictures: &[Picture], round: usize) -> Result<()> {
        let is_base = self.contestant.role == Role::Base;
        if !is_base && self.pass_seconds > SLOW_SECONDS && !round.is_multiple_of(SLOW_STRIDE) {
            self.measurement.mpix_s.push(None);
            return Ok(());
        }
        let pass_count = (ROUND_SECONDS / self.pass_seconds).ceil().clamp(1.0, MAX_PASSES) as usize;
        let mut blocks: Vec<_> = self.blocks.iter().map(|blocks| vec![0; blocks.len()]).collect();
        let mut seconds = 0.0;
        for _ in 0..pass_count {
            seconds += pass(self.contestant, &mut blocks)?;
        }
        if blocks != self.blocks {
            self.measurement.faults.push(format!("gives other blocks in round {}", round + 1));
        }
        let texel_count: usize = pictures.iter().map(Picture::texel_count).sum();
        self.measurement.mpix_s.push(Some((texel_count * pass_count) as f64 / 1e6 / seconds));
        Ok(())
    }
}

/// Encodes every picture once. Returns the CPU time in seconds of this thread, and of programs that it ran.
fn pass(contestant: &Contestant<'_>, blocks: &mut [Vec<u8>]) -> Result<f64> {
    let programs = seconds_of_programs();
    let start = ThreadTime::try_now()?;
    for (index, blocks) in blocks.iter_mut().enumerate() {
        (contestant.encode)(index, blocks)?;
    }
    Ok(start.try_elapsed()?.as_secs_f64() + seconds_of_programs() - programs)
}

/// Returns the CPU time in seconds of all programs that this one ran, in steps of 10 ms; 0 outside Linux.
fn seconds_of_programs() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name in parentheses may contain spaces. Fields 16 and 17 are user and system time in 1/100 s.
    let fields = line.rsplit_once(") ").map_or("", |(_, fields)| fields).split(' ');
    fields.skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(mpix_s: Vec<Option<f64>>) -> Measurement {
        Measurement {
            name: String::new(),
            role: Role::Peer,
            exact_db: 0.0,
            trunc_db: 0.0,
            mpix_s,
            faults: vec![],
        }
    }

    #[test]
    fn speeds_are_medians_and_ratios_are_taken_within_a_round() {
        // The machine is half as fast in the second round and the slow one sits that out.
        let fast = measurement(vec![Some(40.0), Some(20.0), Some(44.0)]);
        let slow = measurement(vec![Some(4.0), None, Some(4.0)]);
        assert_eq!(fast.speed(), 40.0);
        assert_eq!(fast.speed_against(&slow), 10.5);
        assert_eq!(slow.speed_against(&fast), (0.1 + 4.0 / 44.0) / 2.0);
        assert_eq!(fast.spread(), 0.6);
    }
}
