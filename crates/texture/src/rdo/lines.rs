//! Earlier pairs of endpoints, and search for those that fit a block best.

use super::{
    history::Shortlist,
    texels::{Sample, Target},
};

/// Number of pairs that are searched, the latest of a strip.
const LINES: usize = 512;
const LANES: usize = 16;
/// Bits of the places of the table by content.
const TABLE_BITS: u32 = 11;

/// The line between two endpoints.
pub(crate) struct Line<const CHANNELS: usize, S = u8> {
    pub ends: [[S; CHANNELS]; 2],
    /// Steps between the endpoints.
    pub steps: u32,
}

/// Lines, one per lane.
#[derive(Clone)]
struct Lines<const CHANNELS: usize> {
    middle: [[f32; LANES]; CHANNELS],
    /// The line's direction, of unit length.
    direction: [[f32; LANES]; CHANNELS],
    half_length: [f32; LANES],
    /// The mean squared error of rounding to the steps.
    noise: [f32; LANES],
}

/// The endpoints of a strip so far.
pub(crate) struct Heads<const CHANNELS: usize> {
    lines: Vec<Lines<CHANNELS>>,
    /// Block and position of each head.
    pub heads: Vec<(u128, u32)>,
    oldest: usize,
    /// Places by hash, too high by one.
    places: Vec<u16>,
    /// The roots of the channels' weights.
    roots: [f32; CHANNELS],
}

impl<const CHANNELS: usize> Heads<CHANNELS> {
    pub fn new(weights: [i32; CHANNELS]) -> Self {
        Self {
            lines: Vec::new(),
            heads: Vec::new(),
            oldest: 0,
            places: vec![0; 1 << TABLE_BITS],
            roots: weights.map(|weight| (weight as f32).sqrt()),
        }
    }

    /// Adds the endpoints `head`.
    pub fn push<S: Sample>(&mut self, head: u128, position: u32, line: &Line<CHANNELS, S>) {
        let place = &mut self.places[super::history::hash(head) >> (super::history::TABLE_BITS - TABLE_BITS)];
        if let Some(known) = place.checked_sub(1)
            && self.heads[usize::from(known)].0 == head
        {
            self.heads[usize::from(known)].1 = position;
            return;
        }
        let to = if self.heads.len() < LINES {
            self.heads.push((head, position));
            self.heads.len() - 1
        } else {
            let to = self.oldest;
            self.oldest = (to + 1) % LINES;
            self.heads[to] = (head, position);
            to
        };
        *place = to as u16 + 1;
        if to / LANES == self.lines.len() {
            let empty = Lines {
                middle: [[1e9; LANES]; CHANNELS],
                direction: [[0.0; LANES]; CHANNELS],
                half_length: [0.0; LANES],
                noise: [0.0; LANES],
            };
            self.lines.push(empty);
        }
        let (lines, lane) = (&mut self.lines[to / LANES], to % LANES);
        let [a, b] = line.ends.map(|end| end.map(|value| f32::from(value.wide())));
        let mut squared = 0.0;
        for c in 0..CHANNELS {
            lines.middle[c][lane] = (a[c] + b[c]) * 0.5 * self.roots[c];
            let difference = (b[c] - a[c]) * self.roots[c];
            lines.direction[c][lane] = difference;
            squared += difference * difference;
        }
        let length = squared.sqrt();
        for c in 0..CHANNELS {
            lines.direction[c][lane] /= length.max(1e-3);
        }
        lines.half_length[lane] = length * 0.5;
        lines.noise[lane] = squared / (12 * line.steps * line.steps) as f32;
    }

    /// Returns the heads with the lowest estimated error and cost.
    pub fn best<const COUNT: usize, S: Sample>(
        &self,
        target: &Target<CHANNELS, S>,
        scale: i64,
        cost: impl Fn(u32) -> i64,
    ) -> Shortlist<COUNT> {
        let (count, mean, covariance) = self.moments(target);
        let mut trace = 0.0;
        for c in 0..CHANNELS {
            trace += covariance[c][c];
        }
        let mut list = Shortlist::new();
        let mut limit = f32::INFINITY;
        for (batch, lines) in self.lines.iter().enumerate() {
            let (mut along, mut squared, mut spread) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
            for c in 0..CHANNELS {
                let mut turned = [0.0; LANES];
                for d in 0..CHANNELS {
                    for i in 0..LANES {
                        turned[i] += covariance[c][d] * lines.direction[d][i];
                    }
                }
                for i in 0..LANES {
                    let offset = mean[c] - lines.middle[c][i];
                    along[i] += offset * lines.direction[c][i];
                    squared[i] += offset * offset;
                    spread[i] += turned[i] * lines.direction[c][i];
                }
            }
            let mut scores = [0.0; LANES];
            for i in 0..LANES {
                // Texels reach about one and a half standard deviations to either side.
                let reach = along[i].abs() + 1.5 * (spread[i].max(0.0) / count).sqrt();
                let beyond = (reach - lines.half_length[i]).max(0.0);
                scores[i] = count
                    * (squared[i] - along[i] * along[i] + lines.noise[i] + 0.4 * beyond * beyond)
                    + (trace - spread[i]);
            }
            for (i, &score) in scores.iter().enumerate() {
                let place = batch * LANES + i;
                if score < limit && place < self.heads.len() {
                    list.add((score * scale as f32) as i64 + cost(self.heads[place].1), place);
                    limit = list.worst() as f32 / scale as f32;
                }
            }
        }
        list
    }

    /// Returns the ends of the principal axis of a target.
    pub fn axis<S: Sample>(&self, target: &Target<CHANNELS, S>) -> [[f32; CHANNELS]; 2] {
        let (_, mean, covariance) = self.moments(target);
        let mut direction = [1.0; CHANNELS];
        let mut most = 0.0;
        for c in 0..CHANNELS {
            if covariance[c][c] > most {
                most = covariance[c][c];
                direction = covariance[c];
            }
        }
        for _ in 0..3 {
            let turned = covariance.map(|row| (0..CHANNELS).map(|c| row[c] * direction[c]).sum::<f32>());
            let largest = turned.iter().fold(0.0f32, |most, value| most.max(value.abs()));
            direction = turned.map(|value| value / largest.max(1e-9));
        }
        let squared: f32 = direction.iter().map(|value| value * value).sum();
        let (mut least, mut most) = (0.0f32, 0.0f32);
        for t in 0..16 {
            if target.counts(t) {
                let along: f32 = (0..CHANNELS)
                    .map(|c| {
                        (f32::from(target.texels.channels[c][t].wide()) * self.roots[c] - mean[c])
                            * direction[c]
                    })
                    .sum();
                least = least.min(along);
                most = most.max(along);
            }
        }
        [least, most].map(|along| {
            std::array::from_fn(|c| (mean[c] + direction[c] * along / squared.max(1e-9)) / self.roots[c])
        })
    }

    /// Returns the number of texels that count, their mean and the sums of products of their differences from
    /// it.
    fn moments<S: Sample>(
        &self,
        target: &Target<CHANNELS, S>,
    ) -> (f32, [f32; CHANNELS], [[f32; CHANNELS]; CHANNELS]) {
        let mut count = 0.0;
        let mut mean = [0.0; CHANNELS];
        let mut covariance = [[0.0; CHANNELS]; CHANNELS];
        for t in 0..16 {
            if target.counts(t) {
                count += 1.0;
                for c in 0..CHANNELS {
                    mean[c] += f32::from(target.texels.channels[c][t].wide()) * self.roots[c];
                }
            }
        }
        count = f32::max(count, 1.0);
        mean = mean.map(|sum| sum / count);
        for t in 0..16 {
            if target.counts(t) {
                let mut offset = [0.0; CHANNELS];
                for c in 0..CHANNELS {
                    offset[c] = f32::from(target.texels.channels[c][t].wide()) * self.roots[c] - mean[c];
                }
                for c in 0..CHANNELS {
                    for d in 0..CHANNELS {
                        covariance[c][d] += offset[c] * offset[d];
                    }
                }
            }
        }
        (count, mean, covariance)
    }
}
