//! Rate–distortion optimisation: what Brickwork saves and loses, and its curves beside those of peers.

mod bjontegaard;

use crate::{
    classes,
    measure::SANE_PSNR_DB,
    peers::rdo::{Optimizer, optimizers},
    picture::Picture,
    quality,
    report::three_digits,
    table::{Column, Table},
};
use anyhow::{Result, ensure};
use brickwork_texture::{BlockFormat, RoundingRule};
use std::{fmt::Write as _, path::PathBuf};

/// Formats, in the order of the tables.
const FORMATS: [BlockFormat; 5] =
    [BlockFormat::Bc1, BlockFormat::Bc3, BlockFormat::Bc4Unorm, BlockFormat::Bc5Unorm, BlockFormat::Bc7];

/// Levels of Zstandard: the program's default, and a slow one for archives.
const ZSTD_LEVELS: [i32; 2] = [9, 19];

/// Classes of images on which curves are compared, besides photographs.
const CLASSES: [&str; 2] = ["textures", "dither"];

/// PSNR in RGB at which BC7 is to save half of the size with Zstandard at level 19 (docs/performance.md).
const GOAL_RGB_DB: f64 = 40.0;

/// First line of the list of points.
const POINTS_HEAD: &str = "format,class,encoder,lambda,zstd19_bits_per_texel,psnr_db,seconds\n";

/// Settings of a run.
pub struct Settings {
    /// Formats; none for all.
    pub formats: Vec<BlockFormat>,
    /// Numbers of bytes that peers look back over.
    pub windows: Vec<u32>,
    /// Folder of the class of textures.
    pub textures: PathBuf,
}

/// Result of a run.
pub struct Results {
    /// Tables in Markdown.
    pub text: String,
    /// Every point of every curve, as CSV.
    pub points: String,
}

/// All blocks of some pictures with one λ.
struct Point {
    lambda: f32,
    /// With each of [`ZSTD_LEVELS`], in bytes.
    sizes: [usize; 2],
    /// Mean of the pictures' PSNR.
    psnr_db: f64,
    /// CPU time.
    seconds: f64,
}

/// One encoder's points, from λ 0 on.
struct Curve {
    name: String,
    is_ours: bool,
    points: Vec<Point>,
}

impl Curve {
    /// Returns the points with the size of the slow level.
    fn rates(&self) -> Vec<bjontegaard::Point> {
        let point = |p: &Point| bjontegaard::Point { rate: p.sizes[1] as f64, psnr_db: p.psnr_db };
        self.points.iter().map(point).collect()
    }

    /// Returns the mean CPU time of the optimised points.
    fn mean_seconds(&self) -> f64 {
        let optimized = self.points.iter().filter(|point| point.lambda > 0.0);
        let (sum, count) = optimized.fold((0.0, 0.0), |(sum, count), p| (sum + p.seconds, count + 1.0));
        sum / count
    }
}

fn measure(
    pictures: &[Picture],
    format: BlockFormat,
    optimizer: &Optimizer<'_>,
    lambda: f32,
) -> Result<Point> {
    let mut point = Point { lambda, sizes: [0; 2], psnr_db: 0.0, seconds: 0.0 };
    for (index, picture) in pictures.iter().enumerate() {
        let mut blocks = vec![0; picture.block_bytes(format)];
        point.seconds += (optimizer.encode)(index, lambda, &mut blocks)?;
        for (size, level) in point.sizes.iter_mut().zip(ZSTD_LEVELS) {
            *size += zstd::bulk::compress(&blocks, level)?.len();
        }
        let channels = quality::channels(format, pictures);
        let decoded = quality::decode(picture, format, channels, &blocks, RoundingRule::Real)?;
        point.psnr_db += decoded.psnr_db / pictures.len() as f64;
    }
    Ok(point)
}

/// Returns the curve of Brickwork, and those of the available peers.
fn curves(pictures: &[Picture], format: BlockFormat, windows: &[u32]) -> Result<Vec<Curve>> {
    let curve = |optimizer: &Optimizer<'_>| -> Result<Curve> {
        eprintln!("{format}: {}", optimizer.name);
        let lambdas = [&[0.0][..], optimizer.lambdas].concat();
        let points = lambdas.iter().map(|&lambda| measure(pictures, format, optimizer, lambda));
        let points = points.collect::<Result<Vec<_>>>()?;
        Ok(Curve { name: optimizer.name.clone(), is_ours: optimizer.is_ours, points })
    };
    optimizers(format, pictures, windows)?.iter().map(curve).collect()
}

/// Measures every format: savings on photographs, curves of all encoders on them, and differences between
/// the curves on photographs and on each class of images.
pub fn run(photographs: &[Picture], settings: &Settings) -> Result<Results> {
    for format in &settings.formats {
        let names = FORMATS.map(BlockFormat::name).join(", ");
        ensure!(FORMATS.contains(format), "--formats: expected some of {names}, not {format}");
    }
    let mut results = Results { text: String::new(), points: POINTS_HEAD.to_owned() };
    let is_chosen = |format: &BlockFormat| settings.formats.is_empty() || settings.formats.contains(format);
    for format in FORMATS.into_iter().filter(is_chosen) {
        let mut differences = difference_table();
        let all = curves(photographs, format, &settings.windows)?;
        for curve in &all {
            let psnr_db = curve.points[0].psnr_db;
            ensure!(psnr_db >= SANE_PSNR_DB, "{}: {psnr_db:.2} dB is too bad to be meant", curve.name);
        }
        results.text += &savings(photographs, format, &all);
        add_class(&mut results, &mut differences, format, ("photographs", photographs), &all);
        let mut goal = String::new();
        let classes = classes::all(&settings.textures, format)?;
        for class in classes.iter().filter(|class| CLASSES.contains(&class.name)) {
            eprintln!("class: {}", class.name);
            let of_class = curves(&class.pictures, format, &settings.windows)?;
            add_class(&mut results, &mut differences, format, (class.name, &class.pictures[..]), &of_class);
            if format == BlockFormat::Bc7 && class.name == "textures" {
                goal = goal_table([&all[..], &of_class[..]], [photographs.len(), class.pictures.len()]);
            }
        }
        results.text += &goal;
        if all.iter().all(|curve| curve.is_ours) {
            let _ = writeln!(results.text, "{format}: no peer to compare with.\n");
            continue;
        }
        let _ =
            write!(results.text, "{format}, Brickwork against each peer:\n\n{}\n", differences.to_markdown());
    }
    Ok(results)
}

/// Returns the table of what Brickwork saves and loses.
fn savings(pictures: &[Picture], format: BlockFormat, curves: &[Curve]) -> String {
    let channels = quality::channels(format, pictures);
    let mut table = Table::new(&[
        Column::Number("λ"),
        Column::Number("zstd -9"),
        Column::Number("zstd -19"),
        Column::Number(&format!("PSNR {channels} (dB)")),
        Column::Number("time ÷ that of normal"),
    ]);
    for curve in curves.iter().filter(|curve| curve.is_ours) {
        let plain = &curve.points[0];
        for point in &curve.points {
            let mut row = vec![point.lambda.to_string()];
            for (size, plain) in point.sizes.iter().zip(plain.sizes) {
                row.push(match point.lambda {
                    0.0 => format!("{:.2} MiB", plain as f64 / f64::from(1 << 20)),
                    _ => signed(100.0 * *size as f64 / plain as f64 - 100.0, 1) + " %",
                });
            }
            row.push(format!("{:.2}", point.psnr_db));
            row.push(format!("{:.1}", point.seconds / plain.seconds));
            table.push(row);
        }
    }
    let raw: usize = pictures.iter().map(|picture| picture.block_bytes(format)).sum();
    let raw = raw as f64 / f64::from(1 << 20);
    format!("{} ({raw:.2} MiB of blocks):\n\n{}\n", format.name(), table.to_markdown())
}

/// Returns the table of savings with Zstandard at level 19 at [`GOAL_RGB_DB`], by the curves of photographs
/// and of textures and the numbers of these. All pictures are opaque: alpha has no error, so that the PSNR of
/// four channels is 1.25 dB above that of three.
fn goal_table(curves: [&[Curve]; 2], counts: [usize; 2]) -> String {
    let psnr_db = GOAL_RGB_DB + 10.0 * (4.0f64 / 3.0).log10();
    let mut table = Table::new(&[
        Column::Text("encoder"),
        Column::Number("photographs"),
        Column::Number("textures"),
        Column::Number("both"),
    ]);
    for (photographs, textures) in curves[0].iter().zip(curves[1]) {
        let both = joined([photographs, textures], counts);
        let mut row = vec![name_of(photographs)];
        row.extend([photographs, textures, &both].map(|curve| {
            let saved = saved_at(curve, psnr_db).map(|share| signed(-100.0 * share, 1) + " %");
            saved.unwrap_or_else(|| "–".to_owned())
        }));
        table.push(row);
    }
    format!("Size with zstd -19 at {GOAL_RGB_DB} dB (RGB), compared with λ = 0:\n\n{}\n", table.to_markdown())
}

/// Returns an encoder's curves of two sets of pictures as one: the sums of the sizes, and the mean PSNR of
/// all pictures. `counts` are the numbers of pictures.
fn joined(curves: [&Curve; 2], counts: [usize; 2]) -> Curve {
    let [a, b] = curves;
    let share = counts[0] as f64 / (counts[0] + counts[1]) as f64;
    let points = a.points.iter().zip(&b.points).map(|(p, q)| Point {
        lambda: p.lambda,
        sizes: std::array::from_fn(|i| p.sizes[i] + q.sizes[i]),
        psnr_db: share * p.psnr_db + (1.0 - share) * q.psnr_db,
        seconds: p.seconds + q.seconds,
    });
    Curve { name: a.name.clone(), is_ours: a.is_ours, points: points.collect() }
}

/// Returns the share of the size with Zstandard at level 19 that a curve saves at a PSNR, by linear
/// interpolation between two points. None if the curve does not cross this PSNR.
fn saved_at(curve: &Curve, psnr_db: f64) -> Option<f64> {
    let saved = |point: &Point| 1.0 - point.sizes[1] as f64 / curve.points[0].sizes[1] as f64;
    curve.points.windows(2).find_map(|pair| {
        let (high, low) = (pair[0].psnr_db, pair[1].psnr_db);
        let crosses = high.is_finite() && high >= psnr_db && psnr_db > low;
        crosses.then(|| {
            let place = (high - psnr_db) / (high - low);
            saved(&pair[0]) + place * (saved(&pair[1]) - saved(&pair[0]))
        })
    })
}

fn difference_table() -> Table {
    Table::new(&[
        Column::Text("class"),
        Column::Text("peer"),
        Column::Number("rate, zstd -19"),
        Column::Number("speed ÷ the peer's"),
    ])
}

/// Adds the curves of a class to the list of points, and Brickwork's differences from each peer to the table.
fn add_class(
    results: &mut Results,
    table: &mut Table,
    format: BlockFormat,
    (class, pictures): (&str, &[Picture]),
    curves: &[Curve],
) {
    for curve in curves {
        for point in &curve.points {
            let &Point { lambda, sizes: [_, bytes], psnr_db, seconds } = point;
            let bits = bits_per_texel(bytes, pictures);
            let _ = writeln!(
                results.points,
                "{format},{class},\"{}\",{lambda},{bits:.5},{psnr_db:.4},{seconds:.4}",
                curve.name
            );
        }
    }
    for ours in curves.iter().filter(|curve| curve.is_ours) {
        for peer in curves.iter().filter(|curve| !curve.is_ours) {
            table.push(differences(class, ours, peer));
        }
    }
}

/// Returns a row: Brickwork's differences from a peer.
fn differences(class: &str, ours: &Curve, peer: &Curve) -> Vec<String> {
    let rate = bjontegaard::rate_difference(&peer.rates(), &ours.rates());
    let rate = rate.map_or_else(|| "–".to_owned(), |share| signed(100.0 * share, 1) + " %");
    let speed = three_digits(peer.mean_seconds() / ours.mean_seconds());
    vec![class.to_owned(), peer.name.clone(), rate, speed]
}

fn name_of(curve: &Curve) -> String {
    if curve.is_ours { format!("**{}**", curve.name) } else { curve.name.clone() }
}

fn bits_per_texel(bytes: usize, pictures: &[Picture]) -> f64 {
    let texel_count: usize = pictures.iter().map(Picture::texel_count).sum();
    8.0 * bytes as f64 / texel_count as f64
}

/// Returns a number with its sign.
fn signed(value: f64, digits: usize) -> String {
    format!("{value:+.digits$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, is_ours: bool, scale: usize, seconds: f64) -> Curve {
        let point = |(lambda, bytes, psnr_db): (f32, usize, f64)| Point {
            lambda,
            sizes: [bytes * scale; 2],
            psnr_db,
            seconds: if lambda > 0.0 { seconds } else { 100.0 },
        };
        let points = [(0.0, 800, 40.0), (1.0, 400, 36.0), (2.0, 200, 30.0)].map(point).into();
        Curve { name: name.to_owned(), is_ours, points }
    }

    #[test]
    fn a_row_has_the_differences_from_the_peer() {
        // Half the bytes at each PSNR, in a third of the time.
        let row = differences("text", &curve("ours", true, 1, 2.0), &curve("peer", false, 2, 6.0));
        assert_eq!(row, ["text", "peer", "−50.0 %", "3.00"]);
    }

    #[test]
    fn savings_at_a_psnr_are_interpolated() {
        let photographs = curve("ours", true, 1, 2.0);
        // Half way from 40 to 36 dB, half of the way from nothing to half the size is saved.
        assert_eq!(saved_at(&photographs, 38.0), Some(0.25));
        assert_eq!((saved_at(&photographs, 40.5), saved_at(&photographs, 29.0)), (None, None));
        let mut textures = curve("ours", true, 3, 2.0);
        for point in &mut textures.points {
            point.psnr_db += 8.0;
        }
        let both = joined([&photographs, &textures], [3, 1]);
        assert_eq!(both.points.iter().map(|point| point.psnr_db).collect::<Vec<_>>(), [42.0, 38.0, 32.0]);
        assert_eq!(both.points[1].sizes, [1600; 2]);
        assert_eq!(saved_at(&both, 40.0), Some(0.25));
    }

    #[test]
    fn a_class_without_a_peer_has_points_and_no_row() {
        let pictures = [Picture { width: 4, height: 4, texels: vec![[0; 4]; 16] }];
        let mut results = Results { text: String::new(), points: String::new() };
        let mut table = difference_table();
        let ours = [curve("ours", true, 1, 2.0)];
        add_class(&mut results, &mut table, BlockFormat::Bc4Unorm, ("text", &pictures[..]), &ours);
        assert_eq!(results.points.lines().next(), Some("bc4,text,\"ours\",0,400.00000,40.0000,100.0000"));
        assert_eq!(table.to_markdown().lines().count(), 2);
    }
}
