//! Whether every byte of a file is what was written.

use super::{
    contents::{Body, BrickBody, OpenFile},
    guthe2016::{SectionReader, Sections},
    layout::{ChunkGrid, Position},
};
use crate::{DecodeError, Dims, ReadError, guthe2016};
use std::ops::Range;

impl OpenFile<'_> {
    /// Reads everything, and returns what is wrong.
    pub fn verify(self) -> Result<Vec<DecodeError>, ReadError> {
        match self.body {
            Body::Bricks(body) => self.verify_bricks(body),
            Body::Guthe2016(sections) => self.verify_sections(sections),
        }
    }

    fn verify_bricks(self, body: &BrickBody) -> Result<Vec<DecodeError>, ReadError> {
        let mut errors = Vec::new();
        for number in 0..body.tables.len() {
            errors.extend(damage(self.numbered_table(body, number).map(drop))?);
        }
        let side = self.header.brick.side();
        for (mip_level, parts) in body.index.mip_levels.iter().enumerate() {
            let (grid, dims) =
                (ChunkGrid::new(self.header, mip_level), self.header.mip_level_dims(mip_level));
            let inside = |corner: Position, _| dims.contains(corner);
            let verify = |number: usize| {
                let part = body.chunk_of(grid, mip_level, number);
                damage(self.chunk(part).and_then(|chunk| {
                    let read = chunk.bricks(side, inside, |_, _, _, _| {});
                    read.ok_or_else(|| part.broken())
                }))
            };
            errors.extend(for_each(0..parts.chunks.len(), verify)?);
        }
        Ok(errors)
    }

    fn verify_sections(self, sections: &Sections) -> Result<Vec<DecodeError>, ReadError> {
        let mut errors = Vec::new();
        let components = self.header.component_count();
        for mip_level in 0..self.header.mip_levels {
            let bricks = self.header.mip_level_dims(mip_level).covered_by(guthe2016::SIDE);
            for section in 0..self.header.frames * components {
                let verify = |layer: usize| {
                    let named =
                        sections.get(self.header, mip_level, section / components, section % components);
                    damage(SectionReader::new(self.source, named).and_then(|section| {
                        if layer == bricks.z { section.verify() } else { section.verify_layer(bricks, layer) }
                    }))
                };
                // Many bricks lie in one damaged piece.
                for error in for_each(0..bricks.z + 1, verify)? {
                    if !errors.contains(&error) {
                        errors.push(error);
                    }
                }
            }
        }
        Ok(errors)
    }
}

impl SectionReader<'_> {
    /// Decodes a layer of bricks.
    fn verify_layer(mut self, bricks: Dims, layer: usize) -> Result<(), ReadError> {
        (0..bricks.x * bricks.y).try_for_each(|i| {
            let (x, y, _) = bricks.position(i);
            self.brick(x, y, layer).map(drop)
        })
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
