//! The distance of BC1 blocks from the optimum: RGB, equal weights, exact decoder.

mod search;

use crate::{
    classes::Class,
    sample::{self, Block},
    table::{Column, Table},
};
use anyhow::{Result, ensure};
use brickwork_texture::{
    BlockFormat, EncodeOptions, Quality, RoundingRule,
    bc::bc1::{PaletteRule, decode_block},
};
use rayon::prelude::*;
use search::{Encoding, Mode, Texels};
use std::fmt::Write;

/// Largest distance of `best` from the optimum, in dB.
const GOAL_DB: f64 = 0.002;

/// Returns a table with a row for each class, from this number of its blocks.
pub fn run(classes: &[Class], block_count: usize) -> Result<String> {
    let mut columns = vec![Column::Text("class"), Column::Number("blocks"), Column::Number("optimum, dB")];
    columns.extend(Quality::ALL.iter().map(|quality| Column::Number(quality.name())));
    columns.extend([Column::Number("high optimal"), Column::Number("best optimal")]);
    let mut table = Table::new(&columns);
    let mut sums = [0.0; Quality::ALL.len()];
    let mut above = Vec::new();
    for class in classes {
        eprintln!("class: {}", class.name);
        let blocks = sample::blocks(&class.pictures, block_count);
        let errors = encoded(&blocks)?;
        let optima = optima(&blocks, &errors[Quality::ALL.len() - 1])?;
        let total = |errors: &[u32]| errors.iter().map(|&error| f64::from(error)).sum::<f64>();
        let least = total(&optima);
        let mean_square = least / (48 * blocks.len()) as f64;
        let mut cells = vec![
            class.name.to_owned(),
            blocks.len().to_string(),
            format!("{:.3}", 10.0 * (255.0 * 255.0 / mean_square).log10()),
        ];
        for ((errors, sum), &quality) in errors.iter().zip(&mut sums).zip(Quality::ALL) {
            let more = total(errors);
            let below_db = if more > least { 10.0 * (more / least).log10() } else { 0.0 };
            *sum += below_db;
            cells.push(format!("{below_db:.4}"));
            if quality == Quality::Best && below_db > GOAL_DB {
                above.push(class.name);
            }
        }
        for errors in &errors[Quality::ALL.len() - 2..] {
            let optimal = errors.iter().zip(&optima).filter(|(error, least)| error == least).count();
            cells.push(format!("{:.1} %", optimal as f64 / blocks.len() as f64 * 100.0));
        }
        table.push(cells);
    }
    let means = sums.map(|sum| sum / classes.len() as f64);
    let mut cells = vec!["**mean**".to_owned(), String::new(), String::new()];
    cells.extend(means.map(|mean| format!("{mean:.4}")));
    cells.extend([String::new(), String::new()]);
    table.push(cells);
    let mut text = table.to_markdown();
    let missed = if above.is_empty() { "none".to_owned() } else { above.join(", ") };
    let _ = writeln!(text, "\nClasses of which best is more than {GOAL_DB} dB below: {missed}.");
    Ok(text)
}

/// Returns the error of each block in each quality.
fn encoded(blocks: &[Block]) -> Result<Vec<Vec<u32>>> {
    let rule = PaletteRule::new(RoundingRule::Exact);
    let mut errors = Vec::new();
    for &quality in Quality::ALL {
        let options = EncodeOptions::default().with(|o| {
            o.quality = quality;
            o.bc1.alpha_threshold = 0;
        });
        let bytes = sample::encoded(blocks, BlockFormat::Bc1, &options)?;
        let encoded = bytes.as_chunks::<8>().0;
        let of_block = |(block, encoded): (&Block, &[u8; 8])| error(&colors(block), encoded, &rule);
        errors.push(blocks.iter().zip(encoded).map(of_block).collect());
    }
    Ok(errors)
}

fn colors(block: &Block) -> Texels {
    block.map(|[r, g, b, _]| [r, g, b])
}

/// Squares summed over texels and channels, as the library decodes.
fn error(texels: &Texels, block: &[u8; 8], rule: &PaletteRule) -> u32 {
    let squares = |(texel, decoded): (&[u8; 3], &[u8; 4])| -> u32 {
        texel.iter().zip(decoded).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
    };
    texels.iter().zip(&decode_block(block, rule)).map(squares).sum()
}

/// Returns the smallest error of each block; an encoding with the error `known` exists.
fn optima(blocks: &[Block], known: &[u32]) -> Result<Vec<u32>> {
    let rule = PaletteRule::new(RoundingRule::Exact);
    let optimum = |(texels, &known): (&Block, &u32)| -> Result<u32> {
        let texels = &colors(texels);
        let Some(found) = search::optimum(texels, known) else { return Ok(known) };
        let written = error(texels, &block(texels, &found, &rule), &rule);
        ensure!(written == found.error, "{found:?} decodes with an error of {written}: {texels:?}");
        Ok(found.error)
    };
    blocks.par_iter().zip(known).map(optimum).collect()
}

/// Returns the block of an encoding.
fn block(texels: &Texels, encoding: &Encoding, rule: &PaletteRule) -> [u8; 8] {
    let [a, b] = encoding.codes.map(|[r, g, b]| u16::from(r) << 11 | u16::from(g) << 5 | u16::from(b));
    let (c0, c1) = match encoding.mode {
        Mode::Four => (a.max(b), a.min(b)),
        Mode::Three => (a.min(b), a.max(b)),
    };
    let palette = rule.palette(c0, c1);
    let distance = |texel: &[u8; 3], entry: &[u8; 4]| -> u32 {
        texel.iter().zip(entry).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
    };
    // Index 3 of three colours is transparent.
    let entries = if c0 > c1 { 0..4 } else { 0..3 };
    let mut indices = 0;
    for texel in texels.iter().rev() {
        let nearest = entries.clone().min_by_key(|&entry| distance(texel, &palette[entry]));
        indices = indices << 2 | nearest.unwrap_or(0) as u64;
    }
    (u64::from(c0) | u64::from(c1) << 16 | indices << 32).to_le_bytes()
}
