//! A lower bound of the error of BC7 blocks, and the distance of `best` from it: RGBA, equal weights.
//!
//! | file | stage |
//! |---|---|
//! | `layout.rs` | the parts of a block in every mode, partition and rotation |
//! | `channel.rs` | errors of one channel over a range of endpoint codes, and their minimum |
//! | `part.rs` | lower bound of a part's error: best-first search over boxes of endpoint codes |
//! | `search.rs` | lower bound of a block's error: best-first search over its layouts |
//! | `write.rs` | a block that is better than that of `best`, if one is found |
//!
//! The bound holds for every block of the eight modes:
//!
//! - A block's error is the sum of its parts' errors, because no two parts have a texel's channel in common
//!   or share bits. A layout's bound is the sum of its parts' bounds. The block's is the smallest of them.
//! - Anchors exclude no palette. If an anchor's index has its highest bit, exchanged endpoints with reversed
//!   indices give the same texels.
//! - `part.rs` shows that the bound of a box holds for all of its endpoints, with any index for each texel.
//!   All sums are integers below 2²⁴, so floats add no error.
//! - A box is excluded only if its bound, with the bounds of the layout's other parts, is not below the error
//!   of a block that exists. The search starts with the error of `best`.
//!
//! A part whose texels are all opaque must keep them so, as the encoder does.
//!
//! If the number of boxes is exhausted, the smallest bound of a layout that is not excluded is the result.

mod channel;
mod layout;
mod part;
mod search;
#[cfg(test)]
mod tests;
mod write;

use crate::{
    classes,
    command::command_line,
    machine,
    paths::{page_of_tables, root},
    picture, report,
    sample::{self, Block},
    table::{Column, Table},
};
use anyhow::{Result, ensure};
use brickwork_texture::{BlockFormat, EncodeOptions, Quality, metrics};
use layout::Partitions;
use rayon::prelude::*;
use search::Bound;
use std::num::{NonZeroU64, NonZeroUsize};

#[derive(clap::Args)]
pub struct Bc7Bound {
    /// Blocks of each class
    #[arg(long, value_name = "N", default_value = "50")]
    blocks: NonZeroUsize,
    /// Boxes of endpoint codes, in thousands per block, after which a search ends without a proof
    #[arg(long, value_name = "N", default_value = "20000")]
    boxes: NonZeroU64,
    /// Puts the table into docs/measured/bc7.md
    #[arg(long)]
    write: bool,
}

/// Prints the table, with a row for each class.
pub fn run(arguments: &Bc7Bound) -> Result<()> {
    let photographs = picture::read_directory(&root().join("test-data/kodak"), None, true)?;
    let mut classes = vec![classes::Class { name: "photographs", pictures: photographs }];
    classes.extend(classes::all(&root().join("test-data/textures"), BlockFormat::Bc7)?);
    let partitions = Partitions::new()?;
    let mut table = Table::new(&[
        Column::Text("class"),
        Column::Number("blocks"),
        Column::Number("best, dB"),
        Column::Number("no block above, dB"),
        Column::Number("difference"),
        Column::Number("best optimal"),
        Column::Number("better block exists"),
        Column::Number("open"),
    ]);
    for class in &classes {
        eprintln!("class: {}", class.name);
        let blocks = sample::blocks(&class.pictures, arguments.blocks.get());
        table.push(row(class.name, &blocks, &partitions, arguments.boxes.get() * 1000)?);
    }
    let text = format!(
        "- Command: `{}`\n- Machine: {}\n- Date: {}\n\n{}",
        command_line(),
        machine::describe(),
        machine::date(),
        table.to_markdown()
    );
    print!("{text}");
    if arguments.write {
        report::write_section(&page_of_tables("bc7"), "bc7-bound", &text)?;
    }
    Ok(())
}

/// Returns the cells of a class, from these of its blocks.
fn row(name: &str, blocks: &[Block], partitions: &Partitions, budget: u64) -> Result<Vec<String>> {
    ensure!(!blocks.is_empty(), "{name}: every block has one colour");
    let errors = errors_of_best(blocks)?;
    let bounds: Vec<Bound> = blocks
        .par_iter()
        .zip(&errors)
        .map(|(block, &known)| checked(block, search::bound(block, partitions, known, budget)))
        .collect::<Result<_>>()?;
    let psnr_db = |errors: &mut dyn Iterator<Item = u32>| {
        metrics::psnr(errors.map(f64::from).sum::<f64>() / (64 * blocks.len()) as f64)
    };
    let best_db = psnr_db(&mut errors.iter().copied());
    let bound_db = psnr_db(&mut bounds.iter().map(|bound| bound.error));
    let share = |is_counted: &dyn Fn(u32, Bound) -> bool| {
        let counted = errors.iter().zip(&bounds).filter(|&(&error, &bound)| is_counted(error, bound)).count();
        format!("{:.0} %", counted as f64 / blocks.len() as f64 * 100.0)
    };
    let difference_db = if best_db == bound_db { 0.0 } else { bound_db - best_db };
    Ok(vec![
        name.to_owned(),
        blocks.len().to_string(),
        format!("{best_db:.3}"),
        format!("{bound_db:.3}"),
        format!("{difference_db:.3}"),
        share(&|error, bound| bound.error == error),
        share(&|_, bound| bound.better.is_some()),
        share(&|_, bound| !bound.is_reached),
    ])
}

/// Returns the error of each block as `best` encodes it.
fn errors_of_best(blocks: &[Block]) -> Result<Vec<u32>> {
    let options = EncodeOptions::default().with(|o| o.quality = Quality::Best);
    let decoded = layout::decoded(&sample::encoded(blocks, BlockFormat::Bc7, &options)?)?;
    Ok(blocks.iter().zip(&decoded).map(|(block, decoded)| error(block, decoded)).collect())
}

/// Returns a bound unless the library decodes its block with another error.
fn checked(block: &Block, bound: Bound) -> Result<Bound> {
    if let Some(bytes) = bound.better {
        let decoded = layout::decoded(&bytes)?[0];
        let written = error(block, &decoded);
        ensure!(written == bound.error, "{bound:?} decodes with an error of {written}: {block:?}");
    }
    Ok(bound)
}

/// Returns the squares summed over texels and channels.
fn error(a: &Block, b: &Block) -> u32 {
    let values = a.as_flattened().iter().zip(b.as_flattened());
    values.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
}
