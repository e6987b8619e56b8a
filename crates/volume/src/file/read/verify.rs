//! Verification that every byte of a file is as it was written.

use super::{
    contents::{Body, BrickBody},
    open_file::OpenFile,
    section_reader::SectionReader,
};
use crate::{
    BwvError, FilePart, Stage, Task, VolumeReadError,
    file::{guthe2016::Sections, header::FIXED_BYTES, layout::ChunkGrid},
    steps::Steps,
};
use brickwork_base::parallel;
use std::{collections::HashSet, ops::Range};

/// Starts of bricks of the profile guthe2016 that one job verifies.
const STARTS_AT_A_TIME: u64 = 1 << 12;

/// Chunks and jobs whose results are in memory at once.
const RESULTS_AT_A_TIME: usize = 1 << 14;

/// True for valid metadata: empty, or a JSON object.
fn is_metadata(text: &str) -> bool {
    text.is_empty() || serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).is_ok()
}

impl OpenFile<'_> {
    /// Reads everything, and returns all errors.
    pub fn verify(self, task: &Task<'_>) -> Result<Vec<BwvError>, VolumeReadError> {
        let mut errors = Vec::new();
        if !is_metadata(&self.header.metadata) {
            errors.push(BwvError::Structure { part: FilePart::Metadata, offset: FIXED_BYTES as u64 });
        }
        errors.extend(match self.body {
            Body::Bricks(body) => self.verify_bricks(body, task)?,
            Body::Guthe2016(sections) => self.verify_sections(sections, task)?,
        });
        Ok(errors)
    }

    fn verify_bricks(self, body: &BrickBody, task: &Task<'_>) -> Result<Vec<BwvError>, VolumeReadError> {
        let mut errors = Vec::new();
        for number in 0..body.tables.len() {
            task.check()?;
            errors.extend(damage(self.numbered_table(body, number).map(drop))?);
        }
        for number in 0..body.patterns.len() {
            task.check()?;
            errors.extend(damage(self.numbered_patterns(body, number).map(drop))?);
        }
        for (mip_level, parts) in body.index.mip_levels.iter().enumerate() {
            let grid = ChunkGrid::new(self.header, mip_level);
            let verify = |number: usize| {
                let part = body.chunk_of(grid, mip_level, number);
                let extremes = part.extremes();
                if extremes.0 == extremes.1 {
                    return Ok(None);
                }
                damage(self.chunk(body, part).and_then(|chunk| {
                    let (mut min, mut max) = (u32::MAX, 0);
                    let read = chunk.bricks(None, |_, _, least, range, _| {
                        (min, max) = (min.min(least), max.max(least.saturating_add(range)));
                    });
                    read.filter(|()| (min, max) == extremes).ok_or_else(|| part.broken())
                }))
            };
            errors.extend(for_each(0..parts.chunks.len(), task, verify)?);
        }
        Ok(errors)
    }

    fn verify_sections(self, sections: &Sections, task: &Task<'_>) -> Result<Vec<BwvError>, VolumeReadError> {
        let mut errors = Vec::new();
        let mut known = HashSet::new();
        let components = self.header.component_count();
        for mip_level in 0..self.header.mip_levels {
            for section in 0..self.header.frames * components {
                let open = || {
                    let named =
                        sections.get(self.header, mip_level, section / components, section % components);
                    SectionReader::new(self.source, named)
                };
                // By the starts that are stored, not by brick: a small file may claim any number of bricks.
                let stored_count = match open() {
                    Ok(section) => section.stored_count(),
                    Err(error) => {
                        errors.extend(damage(Err(error))?);
                        continue;
                    }
                };
                let jobs = stored_count.div_ceil(STARTS_AT_A_TIME) as usize;
                let verify = |job: usize| {
                    damage(open().and_then(|section| {
                        if job == jobs {
                            return section.verify_pieces();
                        }
                        let first = job as u64 * STARTS_AT_A_TIME;
                        section.verify_bricks(first..stored_count.min(first + STARTS_AT_A_TIME))
                    }))
                };
                // One damaged piece may hold many bricks.
                let found = for_each(0..jobs + 1, task, verify)?.into_iter();
                errors.extend(found.filter(|error| known.insert(error.to_string())));
            }
        }
        Ok(errors)
    }
}

/// Returns the damage of the file; errors that prevent reading stay errors.
fn damage(result: Result<(), VolumeReadError>) -> Result<Option<BwvError>, VolumeReadError> {
    match result {
        Ok(()) => Ok(None),
        Err(VolumeReadError::Format(error)) => Ok(Some(error)),
        Err(other) => Err(other),
    }
}

/// Returns the errors that `verify` finds, on several threads.
fn for_each(
    numbers: Range<usize>,
    task: &Task<'_>,
    verify: impl Fn(usize) -> Result<Option<BwvError>, VolumeReadError> + Send + Sync,
) -> Result<Vec<BwvError>, VolumeReadError> {
    let steps = Steps::new(task, Stage::Verifying, numbers.len() as u64);
    let verify = |number: usize| -> Result<Option<BwvError>, VolumeReadError> {
        steps.check()?;
        let found = verify(number)?;
        steps.add(1);
        Ok(found)
    };
    // Results of a few at a time: a file may have millions of chunks.
    let mut errors = Vec::new();
    for start in numbers.clone().step_by(RESULTS_AT_A_TIME) {
        let end = numbers.end.min(start.saturating_add(RESULTS_AT_A_TIME));
        errors.extend(parallel::try_map(task, start..end, verify)?.into_iter().flatten());
    }
    Ok(errors)
}
