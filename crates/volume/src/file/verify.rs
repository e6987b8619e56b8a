//! Whether every byte of a file is what was written.

use super::{
    ReadAt, VolumeFile,
    index::{Index, groups},
    paper::{Bricks, Sections},
    reader::{Body, broken},
    table::Table,
};
use crate::{DecodeError, ReadError, guthe2016};
use std::{ops::Range, sync::OnceLock};

impl<S: ReadAt> VolumeFile<S> {
    /// Reads everything, and returns what is wrong: nothing, for a sound file. Header and index were verified on opening.
    ///
    /// # Errors
    /// [`ReadError::Io`] and [`ReadError::Memory`].
    pub fn verify(&self) -> Result<Vec<DecodeError>, ReadError> {
        match &self.body {
            Body::Bricks { index, tables } => self.verify_bricks(index, tables),
            Body::Guthe2016(sections) => self.verify_paper(sections),
        }
    }

    fn verify_bricks(
        &self,
        index: &Index,
        tables: &[OnceLock<Table>],
    ) -> Result<Vec<DecodeError>, ReadError> {
        let mut errors = Vec::new();
        for number in 0..tables.len() {
            errors.extend(damage(self.numbered_table(index, tables, number).map(drop))?);
        }
        for (level, parts) in index.levels.iter().enumerate() {
            let (groups, volume) = (groups(&self.header, level), self.header.level_dims(level));
            let components = self.header.component_count();
            let verify = |number: usize| {
                let (x, y) = (number % groups.x, number / groups.x % groups.y);
                let z = number / groups.x / groups.y / components % groups.z;
                let part = parts.groups[number];
                let inside =
                    |(x, y, z): (usize, usize, usize), _| x < volume.x && y < volume.y && z < volume.z;
                damage(self.group(level, number, part, (x, y, z)).and_then(|group| {
                    let read = group.bricks(self.header.brick.side(), inside, |_, _, _, _| {});
                    read.ok_or_else(|| broken(level, number, part))
                }))
            };
            errors.extend(for_each(0..parts.groups.len(), verify)?);
        }
        Ok(errors)
    }

    fn verify_paper(&self, sections: &Sections) -> Result<Vec<DecodeError>, ReadError> {
        let mut errors = Vec::new();
        for level in 0..self.header.levels {
            let count = self.header.level_dims(level).covered_by(guthe2016::SIDE);
            let components = self.header.component_count();
            for section in 0..self.header.frames * components {
                let verify = |row: usize| {
                    let (frame, component) = (section / components, section % components);
                    damage((|| {
                        let mut bricks =
                            Bricks::new(&self.source, sections, &self.header, level, frame, component)?;
                        if row == count.z {
                            return bricks.verify();
                        }
                        for i in 0..count.x * count.y {
                            bricks.brick(i % count.x, i / count.x, row)?;
                        }
                        Ok(())
                    })())
                };
                // Many bricks lie in one damaged piece.
                for error in for_each(0..count.z + 1, verify)? {
                    if !errors.contains(&error) {
                        errors.push(error);
                    }
                }
            }
        }
        Ok(errors)
    }
}

/// What is wrong with the file, apart from what keeps it from being read.
fn damage(result: Result<(), ReadError>) -> Result<Option<DecodeError>, ReadError> {
    match result {
        Ok(()) => Ok(None),
        Err(ReadError::Format(error)) => Ok(Some(error)),
        Err(other) => Err(other),
    }
}

/// The errors that `verify` finds, on several threads.
fn for_each(
    numbers: Range<usize>,
    verify: impl Fn(usize) -> Result<Option<DecodeError>, ReadError> + Send + Sync,
) -> Result<Vec<DecodeError>, ReadError> {
    #[cfg(feature = "rayon")]
    let errors: Result<Vec<_>, _> = {
        use rayon::prelude::*;
        numbers.into_par_iter().map(verify).collect()
    };
    #[cfg(not(feature = "rayon"))]
    let errors: Result<Vec<_>, _> = numbers.map(verify).collect();
    Ok(errors?.into_iter().flatten().collect())
}
