//! Texels as normals: vectors of length 1 in red, green and blue, of which value v of n means 2v/n − 1.

use super::{Picture, Texels};
use crate::{Cancelled, Task};

/// Maximum deviation of a normal's length from 1.
const TOLERANCE: f32 = 0.1;
/// The same for normals that were neither filtered nor compressed: five steps of 8 bits.
const CLOSE_TOLERANCE: f32 = 0.04;
/// Lengths of the vectors in a normal map whose normals were averaged, compressed or scaled.
const ROUGH_LENGTHS: std::ops::RangeInclusive<f32> = 0.5..=1.3;
/// Minimum share of texels of length 1, by which alone a normal map is recognised.
const SHARE: f64 = 0.95;
/// Minimum share of texels of length 1 if nearly all others face the viewer, too.
const ROUGH_SHARE: f64 = 0.6;
/// Minimum share of texels that face the viewer with a length in [`ROUGH_LENGTHS`].
const FACING_SHARE: f64 = 0.98;
/// Maximum deviation of the means of x and of y from 0: a normal map faces the viewer.
const TILT: f64 = 0.25;
/// The same, for a share below [`SHARE`].
const ROUGH_TILT: f64 = 0.1;
/// Minimum z below 0 of a normal that faces away. Smaller ones are errors of rounding.
const AWAY: f32 = 0.05;
/// Minimum spread of normals in object space: 1 minus the square of the mean's length. Colours near a hue
/// have less.
const SPREAD: f64 = 0.5;
/// The same if lengths deviate from 1 by less than [`CLOSE_TOLERANCE`].
const CLOSE_SPREAD: f64 = 0.1;
/// Minimum number of directions, of 16³, in object space. Drawings have few colours.
const MIN_DIRECTIONS: u32 = 16;

/// Number of texels between two checks for cancellation.
const TEXELS_AT_A_TIME: usize = 1 << 20;

impl Picture {
    /// Returns the share of texels of length 1, from 0.6 to 1, if the picture looks like a normal map.
    /// `suggest_format` of brickwork-texture describes one. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn normal_share(&self, task: &Task<'_>) -> Result<Option<f64>, Cancelled> {
        Ok(self.normals(task)?.and_then(|normals| normals.share()))
    }

    /// Returns the share of texels that may be normals of a filtered or compressed map, from 0 to 1: their
    /// length is from 0.5 to 1.3, and they face the viewer. `None` for grey files and floats. The task
    /// reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn facing_share(&self, task: &Task<'_>) -> Result<Option<f64>, Cancelled> {
        Ok(self.normals(task)?.map(|normals| normals.facing_share()))
    }

    /// Returns the share of texels that are normals facing away from the viewer, as in maps in the space of
    /// an object or of the world, from 0 to 1: their length is from 0.9 to 1.1, and z is below −0.05. Two
    /// channels cannot store them. `None` for grey files, floats, and maps that store x and y only, with the
    /// same blue in each texel. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn away_share(&self, task: &Task<'_>) -> Result<Option<f64>, Cancelled> {
        let normals = self.normals(task)?;
        Ok(normals.filter(|normals| normals.z_varies()).map(|normals| normals.away_share()))
    }

    /// Returns the share of texels whose length is from 0.96 to 1.04, as that of normals that were neither
    /// filtered nor compressed, from 0 to 1. `None` for grey files and floats. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn unit_share(&self, task: &Task<'_>) -> Result<Option<f64>, Cancelled> {
        Ok(self.normals(task)?.map(|normals| normals.close as f64 / normals.count as f64))
    }

    /// Returns the statistics of the texels as vectors; `None` for grey files and floats.
    pub(super) fn normals(&self, task: &Task<'_>) -> Result<Option<Normals>, Cancelled> {
        task.check()?;
        let mut normals = Normals::default();
        match &self.texels {
            Texels::Grey8(_) | Texels::Grey16(_) => return Ok(None),
            // Floats are light.
            Texels::RgbF16(_) | Texels::RgbaF16(_) | Texels::RgbF32(_) | Texels::RgbaF32(_) => {
                return Ok(None);
            }
            Texels::Rgb8(texels) => normals.add_all(texels, task, |texel| texel.map(unit8))?,
            Texels::Rgba8(texels) => {
                normals.add_all(texels, task, |&[r, g, b, _]| [r, g, b].map(unit8))?;
            }
            Texels::Rgb16(texels) => normals.add_all(texels, task, |texel| texel.map(unit16))?,
            Texels::Rgba16(texels) => {
                normals.add_all(texels, task, |&[r, g, b, _]| [r, g, b].map(unit16))?;
            }
        }
        Ok(Some(normals))
    }
}

fn unit8(value: u8) -> f32 {
    f32::from(value) / 127.5 - 1.0
}

fn unit16(value: u16) -> f32 {
    f32::from(value) / 32767.5 - 1.0
}

/// Statistics of texels as vectors.
pub(super) struct Normals {
    count: u64,
    of_length_1: u64,
    facing: u64,
    /// Vectors of length 1 in any direction, by [`TOLERANCE`] and by [`CLOSE_TOLERANCE`].
    near: u64,
    close: u64,
    away: u64,
    sum: [f64; 3],
    z_range: [f32; 2],
    /// A bit for each of 16³ directions.
    directions: [u64; 64],
}

impl Default for Normals {
    fn default() -> Self {
        Self {
            count: 0,
            of_length_1: 0,
            facing: 0,
            near: 0,
            close: 0,
            away: 0,
            sum: [0.0; 3],
            z_range: [f32::INFINITY, f32::NEG_INFINITY],
            directions: [0; 64],
        }
    }
}

impl Normals {
    fn add_all<T>(
        &mut self,
        texels: &[T],
        task: &Task<'_>,
        vector: impl Fn(&T) -> [f32; 3],
    ) -> Result<(), Cancelled> {
        for part in texels.chunks(TEXELS_AT_A_TIME) {
            task.check()?;
            part.iter().for_each(|texel| self.add(vector(texel)));
        }
        Ok(())
    }

    fn add(&mut self, vector: [f32; 3]) {
        let [x, y, z] = vector;
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        let deviation = (length - 1.0).abs();
        let is_near = deviation <= TOLERANCE;
        self.count += 1;
        self.of_length_1 += u64::from(is_near && z > 0.0);
        self.facing += u64::from(ROUGH_LENGTHS.contains(&length) && z > 0.0);
        self.near += u64::from(is_near);
        self.close += u64::from(deviation <= CLOSE_TOLERANCE);
        self.away += u64::from(is_near && z < -AWAY);
        for (sum, value) in self.sum.iter_mut().zip(vector) {
            *sum += f64::from(value);
        }
        self.z_range = [self.z_range[0].min(z), self.z_range[1].max(z)];
        let [x, y, z] = [x, y, z].map(|v| ((v + 1.0) * 7.999) as usize & 15);
        self.directions[16 * x / 4 + y / 4] |= 1 << (y % 4 * 16 + z);
    }

    /// True if blue is not the same in all texels.
    pub fn z_varies(&self) -> bool {
        self.z_range[0] < self.z_range[1]
    }

    pub fn facing_share(&self) -> f64 {
        self.facing as f64 / self.count as f64
    }

    pub fn away_share(&self) -> f64 {
        self.away as f64 / self.count as f64
    }

    /// Returns the share of texels of length 1 in a normal map that faces the viewer.
    pub fn share(&self) -> Option<f64> {
        let count = self.count as f64;
        let [x, y, z] = self.sum.map(|sum| sum / count);
        let (share, facing) = (self.of_length_1 as f64 / count, self.facing_share());
        let is_rough = share >= ROUGH_SHARE && facing >= FACING_SHARE;
        let tilt = if share >= SHARE { TILT } else { ROUGH_TILT };
        let is_map = (share >= SHARE || is_rough) && x.abs() <= tilt && y.abs() <= tilt && z > 0.5;
        is_map.then_some(share)
    }

    /// True if nearly all vectors have length 1 and they have many directions: normals in the space of an
    /// object or of the world.
    pub fn is_object_space(&self) -> bool {
        let count = self.count as f64;
        let square: f64 = self.sum.iter().map(|sum| (sum / count) * (sum / count)).sum();
        let spread = 1.0 - square;
        let is_near = self.near as f64 >= SHARE * count && spread >= SPREAD;
        let is_close = self.close as f64 >= SHARE * count && spread >= CLOSE_SPREAD;
        let directions: u32 = self.directions.iter().map(|bits| bits.count_ones()).sum();
        (is_near || is_close) && directions >= MIN_DIRECTIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the share for vectors of length 1 around a mean direction.
    fn share(mean: [f32; 3]) -> Option<f64> {
        let mut normals = Normals::default();
        for i in 0..64 {
            let turn = i as f32 / 10.0;
            let vector = [mean[0] + 0.2 * turn.sin(), mean[1] + 0.2 * turn.cos(), mean[2]];
            let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
            normals.add(vector.map(|v| v / length));
        }
        normals.share()
    }

    /// Colours may also have length 1, but those of a normal map face the viewer.
    #[test]
    fn vectors_that_look_aside_are_no_normal_map() {
        assert_eq!(share([0.0, 0.0, 1.0]), Some(1.0));
        assert_eq!(share([0.2, -0.2, 1.0]), Some(1.0));
        for aside in [[0.6, 0.0, 1.0], [0.0, -0.6, 1.0], [0.0, 0.7, 0.5], [0.0, 0.0, -1.0], [0.3, 0.3, 0.2]] {
            assert_eq!(share(aside), None, "{aside:?}");
        }
    }

    /// Averaged or compressed normals are shorter than 1. Colours of the same lengths are not all on the
    /// viewer's side, or are tilted.
    #[test]
    fn most_normals_of_a_map_have_length_1() {
        let share = |short: u32, other: [f32; 3], tilt: f32| {
            let mut normals = Normals::default();
            for i in 0..100 {
                let turn = i as f32;
                let vector =
                    if i < short { other } else { [0.3 * turn.sin() + tilt, 0.3 * turn.cos(), 0.95] };
                normals.add(vector);
            }
            normals.share()
        };
        let shorter = [0.1, 0.0, 0.7];
        assert_eq!([0, 19, 30, 40].map(|short| share(short, shorter, 0.0)), [1.0, 0.81, 0.7, 0.6].map(Some));
        assert_eq!(share(41, shorter, 0.0), None);
        assert_eq!(share(30, [0.0, 0.0, 0.4], 0.0), None);
        assert_eq!(share(30, [0.0, 0.0, -0.9], 0.0), None);
        assert_eq!((share(30, shorter, 0.14), share(0, shorter, 0.14)), (None, Some(1.0)));
    }

    /// Vectors of length 1 in all directions are no colours.
    #[test]
    fn normals_of_an_object_have_many_directions() {
        let normals = |vectors: &[[f32; 3]]| {
            let mut normals = Normals::default();
            vectors.iter().for_each(|vector| normals.add(*vector));
            normals
        };
        let on_sphere = |spread: f32| {
            let vector = |i: u16| {
                let (z, turn) = (1.0 - f32::from(i) / 500.0 * spread, f32::from(i) * 2.4);
                let radius = (1.0 - z * z).sqrt();
                [radius * turn.cos(), radius * turn.sin(), z]
            };
            (0..1000).map(vector).collect::<Vec<_>>()
        };
        let sphere = normals(&on_sphere(1.0));
        assert!(sphere.is_object_space() && (0.45..0.5).contains(&sphere.away_share()));
        assert_eq!(sphere.share(), None);
        // Around one direction, they may be colours of one hue, unless their length is close to 1.
        let cap = on_sphere(0.2);
        assert!(normals(&cap).is_object_space());
        let longer: Vec<_> = cap.iter().map(|vector| vector.map(|v| v * 1.08)).collect();
        assert!(!normals(&longer).is_object_space() && normals(&longer).away_share() == 0.0);
        let three = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
        assert!(!normals(&three.repeat(9)).is_object_space());
        let shorter: Vec<_> = on_sphere(1.0).iter().map(|vector| vector.map(|v| v * 0.8)).collect();
        assert!(!normals(&shorter).is_object_space());
    }
}
