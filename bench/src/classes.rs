//! Synthetic images: content that encoders tuned on photographs also meet.

use crate::{
    measure::Measurement,
    peers::Role,
    picture::{self, Picture},
    random::hash,
    report::{base, three_digits},
    table::{Column, Table},
};
use anyhow::Result;
use brickwork_texture::BlockFormat;
use std::{fmt::Write, path::Path};

/// Sides of the drawn images, in texels.
const SIDE: u32 = 256;
/// Sizes of narrow images whose last blocks have columns and rows outside, in texels.
const ODD_SIZES: [[u32; 2]; 3] = [[21, 251], [38, 254], [47, 253]];
/// A peer that is better by less, in dB, is not named.
const TIE_DB: f64 = 0.005;

/// Images of one kind.
pub struct Class {
    pub name: &'static str,
    pub pictures: Vec<Picture>,
}

/// Returns all classes of a format. One has alpha, if the format's error includes it.
pub fn all(textures: &Path, format: BlockFormat) -> Result<Vec<Class>> {
    let drawn = |name, texel: Texel| Class { name, pictures: vec![draw(texel, SIDE, SIDE)] };
    let mut classes = vec![
        Class { name: "textures", pictures: picture::read_directory(textures, None, true)? },
        drawn("gradients", gradients),
        drawn("text", text),
        drawn("dither", dither),
        drawn("few colours", few_colors),
        drawn("two colours a block", two_colors),
        drawn("noise", noise),
    ];
    // Peers of other formats take whole blocks only.
    if format.is_mobile() {
        let pictures = ODD_SIZES.map(|[width, height]| draw(text, width, height));
        classes.push(Class { name: "odd sizes", pictures: pictures.into() });
    }
    if format.has_alpha() && format != BlockFormat::Bc1 {
        classes.push(drawn("cut out", cut_out));
    }
    Ok(classes)
}

/// The RGBA of a texel from its place and numbers that look random: one for each texel, block and cell.
type Texel = fn(x: u32, y: u32) -> [u8; 4];

fn draw(texel: Texel, width: u32, height: u32) -> Picture {
    let texels = (0..width * height).map(|i| texel(i % width, i / width)).collect();
    Picture { width, height, texels }
}

fn opaque(rgb: [f32; 3]) -> [u8; 4] {
    let [r, g, b] = rgb.map(|v| v.round() as u8);
    [r, g, b, 255]
}

fn mix(from: [f32; 3], to: [f32; 3], share: f32) -> [f32; 3] {
    [0, 1, 2].map(|c| from[c] + (to[c] - from[c]) * share)
}

/// Draws four quarters: a sky, a dark vignette, two hues crosswise, a slow grey ramp.
fn gradients(x: u32, y: u32) -> [u8; 4] {
    let half = SIDE / 2;
    let [u, v] = [x % half, y % half].map(|at| at as f32 / half as f32);
    opaque(match (x / half, y / half) {
        (0, 0) => mix([60.0, 110.0, 200.0], [215.0, 225.0, 240.0], v),
        (1, 0) => {
            mix([70.0, 60.0, 50.0], [6.0, 5.0, 9.0], ((u - 0.5).powi(2) + (v - 0.5).powi(2)).sqrt() * 1.4)
        }
        (0, _) => [255.0 * u, 255.0 * v, 255.0 * (1.0 - u) * v],
        _ => [100.0 + 40.0 * u + 7.0 * v; 3],
    })
}

/// Strokes with smooth edges in cells of 12 × 16 texels, as letters have: black on white, and in colours.
fn text(x: u32, y: u32) -> [u8; 4] {
    let (cell_x, cell_y) = (x / 12, y / 16);
    let [px, py] = [(x % 12) as f32 + 0.5, (y % 16) as f32 + 0.5];
    let mut distance = f32::MAX;
    for stroke in 0..2 + hash(cell_x, cell_y, 1) % 3 {
        let corner = |salt: u32| {
            let h = hash(cell_x, cell_y, 10 + 2 * stroke + salt);
            [1.5 + (h % 4) as f32 * 3.0, 2.0 + (h / 4 % 4) as f32 * 4.0]
        };
        let ([ax, ay], [bx, by]) = (corner(0), corner(1));
        let ([dx, dy], [qx, qy]) = ([bx - ax, by - ay], [px - ax, py - ay]);
        let along = ((qx * dx + qy * dy) / (dx * dx + dy * dy).max(0.01)).clamp(0.0, 1.0);
        distance = distance.min(((qx - along * dx).powi(2) + (qy - along * dy).powi(2)).sqrt());
    }
    let ink = (1.4 - distance).clamp(0.0, 1.0);
    if y < SIDE / 2 {
        return opaque(mix([255.0; 3], [0.0; 3], ink));
    }
    let color = |salt: u32| [0, 1, 2].map(|c| (hash(cell_x / 4, cell_y / 2, salt + c) % 256) as f32);
    opaque(mix(color(50), color(60), ink))
}

/// Draws a gradient in five levels per channel: ordered dither at the top, noise at the bottom.
fn dither(x: u32, y: u32) -> [u8; 4] {
    const BAYER: [u32; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
    let threshold = match y < SIDE / 2 {
        true => (BAYER[(y % 4 * 4 + x % 4) as usize] as f32 + 0.5) / 16.0,
        false => (hash(x, y, 2) % 1024) as f32 / 1024.0,
    };
    let side = SIDE as f32;
    let [u, v] = [x as f32 / side, y as f32 / side];
    opaque([u, v, 1.0 - (u + v) / 2.0].map(|level| (level * 4.0 + threshold).floor().min(4.0) * 63.75))
}

/// Draws sixteen colours in a pattern, as in pixel art.
fn few_colors(x: u32, y: u32) -> [u8; 4] {
    let color = (x / 5 * 7 + y / 3 * 5 + x * y / 37) % 16;
    opaque([0, 1, 2].map(|c| (hash(color, c, 3) % 256) as f32))
}

/// Draws blocks of two separate colours: distant ones at the top, similar ones at the bottom.
fn two_colors(x: u32, y: u32) -> [u8; 4] {
    let (block_x, block_y) = (x / 4, y / 4);
    let first = [0, 1, 2].map(|c| hash(block_x, block_y, 20 + c) % 224);
    let other = |c: u32| match y < SIDE / 2 {
        true => hash(block_x, block_y, 30 + c) % 256,
        false => first[c as usize] + hash(block_x, block_y, 30 + c) % 32,
    };
    match hash(x, y, 4) % 2 {
        0 => opaque(first.map(|v| v as f32)),
        _ => opaque([0, 1, 2].map(|c| other(c) as f32)),
    }
}

/// Draws noise of each channel: over the full range at the top, around a colour at the bottom.
fn noise(x: u32, y: u32) -> [u8; 4] {
    let value = |c: u32| hash(x, y, 40 + c);
    match y < SIDE / 2 {
        true => opaque([0, 1, 2].map(|c| (value(c) % 256) as f32)),
        false => opaque([0, 1, 2].map(|c| (100 + 20 * c + value(c) % 24) as f32)),
    }
}

/// Discs with smooth edges on transparent ground, and a fading glow.
fn cut_out(x: u32, y: u32) -> [u8; 4] {
    let [dx, dy] = [x % 64, y % 64].map(|at| at as f32 - 31.5);
    let distance = (dx * dx + dy * dy).sqrt();
    let alpha = match (x / 64 + y / 64) % 2 {
        0 => (25.0 - distance).clamp(0.0, 1.0),
        _ => (1.0 - distance / 32.0).clamp(0.0, 1.0),
    };
    let [r, g, b, _] = gradients(x, y);
    [r, g, b, (alpha * 255.0).round() as u8]
}

/// Returns every encoder with its PSNR and relative speed on each class.
pub fn table(classes: &[(&str, Vec<Measurement>)]) -> Table {
    let mut columns = vec![Column::Text("encoder")];
    columns.extend(classes.iter().map(|(name, _)| Column::Number(name)));
    let mut table = Table::new(&columns);
    for row in 0..classes.first().map_or(0, |(_, first)| first.len()) {
        let mut cells = vec![classes[0].1[row].name.clone()];
        cells.extend(classes.iter().map(|(_, measurements)| {
            let own = &measurements[row];
            let speed =
                base(measurements).map_or_else(String::new, |base| three_digits(own.speed_against(base)));
            format!("{:.2} × {speed}", own.exact_db)
        }));
        table.push(cells);
    }
    table
}

/// Returns a list of the cases in which one of ours is below a peer of the same speed.
pub fn below(classes: &[(&str, Vec<Measurement>)]) -> String {
    let mut below = String::new();
    for (class, measurements) in classes {
        for own in measurements.iter().filter(|m| m.role == Role::Ours) {
            for peer in measurements.iter().filter(|m| m.role != Role::Ours) {
                let ratio = peer.speed_against(own);
                if ratio >= 1.0 && peer.exact_db > own.exact_db + TIE_DB {
                    let more = peer.exact_db - own.exact_db;
                    let _ = writeln!(
                        below,
                        "- {class}, {}: {} has {more:.2} dB more at {} × its speed{}",
                        own.name,
                        peer.name,
                        three_digits(ratio),
                        peer.faults.iter().map(|fault| format!(", but {fault}")).collect::<String>()
                    );
                }
            }
        }
    }
    let below = if below.is_empty() { "- none\n" } else { &below };
    format!("\nBelow a peer of its speed:\n\n{below}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(name: &str, role: Role, exact_db: f64, mpix_s: f64) -> Measurement {
        Measurement {
            name: name.to_owned(),
            role,
            exact_db,
            trunc_db: 0.0,
            mpix_s: vec![Some(mpix_s)],
            faults: Vec::new(),
        }
    }

    #[test]
    fn a_peer_that_is_better_and_as_fast_is_named() {
        let ours = |db, speed| measurement("ours", Role::Ours, db, speed);
        let classes = [
            ("even", vec![ours(40.0, 2.0), measurement("peer", Role::Base, 41.0, 1.0)]),
            ("odd", vec![ours(40.0, 2.0), measurement("peer", Role::Base, 41.0, 3.0)]),
        ];
        let text = table(&classes).to_markdown();
        assert!(text.contains("| ours    | 40.00 × 2.00 | 40.00 × 0.667 |"), "{text}");
        let text = below(&classes);
        let below: Vec<_> = text.lines().filter(|line| line.starts_with("- ")).collect();
        assert_eq!(below, ["- odd, ours: peer has 1.00 dB more at 1.50 × its speed"]);
    }

    #[test]
    fn blocks_of_two_colours_have_no_third() {
        let picture = draw(two_colors, SIDE, SIDE);
        for block in 0..64 * 64 {
            let [x, y] = [block % 64 * 4, block / 64 * 4];
            let mut colors: Vec<_> =
                (0..16).map(|t| picture.texels[(y + t / 4) * SIDE as usize + x + t % 4]).collect();
            colors.sort_unstable();
            colors.dedup();
            assert!(colors.len() <= 2, "block {block}");
        }
    }
}
