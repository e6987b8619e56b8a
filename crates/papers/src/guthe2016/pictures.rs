//! Table 3, and the corresponding measurements: how often the cache contains the bricks that a rendering
//! needs, and the gain.

use super::PAPER;
use crate::measure::{
    Bench, BenchError, PictureFigures, PictureTable, PublishedPicture, Text, sha256, shown,
};
use brickwork_volume::{
    Header, ResidentOptions, ResidentVolume, Task, VolumeFile, VoxelKind,
    gpu::{AdapterInfo, Context, GpuVolume},
    render::{
        Camera, DisplayBricks, Focus, GpuRenderer, Look, Preset, RenderError, Renderer, ResidentBricks,
        Survey, TransferFunction, View,
    },
};
use std::{fmt, num::NonZeroU32, sync::Arc};

/// The paper's renderings.
const SIZE: [u32; 2] = [1920, 1080];

/// Rendering whose hash is reported: it is small, so that software adapters also render it.
const HASHED_SIZE: [u32; 2] = [480, 270];

/// Step of the tiles of 8×4 pixels that a software adapter renders: every 16th tile is enough to know the
/// shares.
const SOFTWARE_TILE_STEP: u32 = 16;

/// Returns a table without volumes, if there is a GPU.
pub fn table(bench: &Bench<'_>) -> Option<PictureTable> {
    let is_software = bench.context()?.info().is_some_and(AdapterInfo::is_software);
    Some(PictureTable {
        paper: PAPER,
        number: 3,
        title: "the cache of bricks in a picture of 1920×1080 pixels, samples one voxel apart, \
            no skipping",
        size: SIZE,
        tile_step: if is_software { SOFTWARE_TILE_STEP } else { 1 },
        published: published(),
        measured: Vec::new(),
    })
}

/// Measures the volume of a `.bwv` file with bricks of 4×4×4 voxels.
///
/// # Errors
/// [`BenchError`] if the GPU fails, or does not hold the volume.
pub fn measure(
    table: &mut PictureTable,
    bench: &Bench<'_>,
    name: String,
    file: &[u8],
) -> Result<(), BenchError> {
    let Some(context) = bench.context() else { return Ok(()) };
    table.measured.push(row(table.tile_step, bench, context, name, file)?);
    Ok(())
}

fn row(
    tile_step: u32,
    bench: &Bench<'_>,
    context: &Context,
    name: String,
    file: &[u8],
) -> Result<PictureFigures, BenchError> {
    let task = Task::new();
    let file = VolumeFile::new(file)?;
    let header = file.header().clone().with(|header| header.kind = VoxelKind::Intensity);
    let volume = ResidentVolume::from_file(&file, &ResidentOptions::default(), &task)?;
    let volume = Arc::new(volume.with_kind(header.kind));
    let on_gpu = Arc::new(GpuVolume::new(context, &volume, &task)?);
    let bricks = Arc::new(ResidentBricks::new(volume, &task)?);
    let survey = Survey::new(&*bricks, &task)?;
    let look = Look::dvr(&function(&survey)?, &bricks.display())?;
    let renderer = Renderer::new(bricks, look, &task)?;
    let focus = renderer.focus(&task)?;
    let renderer = renderer.without_skipping();
    let renderer = GpuRenderer::new(Arc::clone(&on_gpu), &renderer)?.with_statistics();
    let small = view(&header, focus.clone(), HASHED_SIZE)?;
    let hashed = renderer.render(&small, &task)?;
    let view = view(&header, focus, SIZE)?;
    let step = NonZeroU32::new(tile_step).unwrap_or(NonZeroU32::MIN);
    let statistics = renderer.statistics(&view, step, &task)?;
    let (mut speed_up, mut picture_ms) = (None, None);
    if tile_step == 1 {
        let time = bench.median_of(|| renderer.render(&view, &task))?;
        let renderer = renderer.without_cache()?;
        let no_cache = bench.median_of(|| renderer.render(&view, &task))?;
        speed_up = Some(no_cache.as_secs_f64() / time.as_secs_f64());
        picture_ms = Some(time.as_secs_f64() * 1e3);
    }
    let dims = header.dims;
    Ok(PictureFigures {
        name,
        dims: [dims.x, dims.y, dims.z],
        voxel_type: header.voxel_type.name(),
        resident_bits_per_voxel: 8.0 * on_gpu.byte_count() as f64 / (dims.x * dims.y * dims.z) as f64,
        hit_rate: statistics.voxel_hit_rate(),
        volumes_decoded: statistics.volumes_decoded() * f64::from(tile_step),
        sha256: sha256(hashed.pixels.as_flattened()),
        speed_up,
        picture_ms,
    })
}

/// Returns the default appearance of `brickwork volume render`.
fn function(survey: &Survey) -> Result<TransferFunction, BenchError> {
    Preset::suited_to(survey).function(survey).map_err(BenchError::Look)
}

/// Returns the default camera of `brickwork volume render`: visible parts fill the rendering.
fn view(header: &Header, focus: Option<Focus>, [width, height]: [u32; 2]) -> Result<View, RenderError> {
    let camera = Camera { azimuth: 30.0, elevation: 15.0, step: 1.0, focus, ..Camera::default() };
    camera.view(header, width, height)
}

/// Returns the paper's figures.
fn published() -> Vec<PublishedPicture> {
    [
        ("Carp", 0.9961, 6.68, 190.60),
        ("Bunny", 0.9965, 7.41, 142.49),
        ("Porsche (8 bits per voxel)", 0.9954, 4.01, 107.74),
        ("Christmas Present", 0.9992, 1.37, 654.70),
        ("Christmas Tree", 0.9961, 6.68, 126.67),
        ("Stag Beetle", 0.9997, 0.22, 1668.45),
        ("Visible Human (32 bits per voxel)", 0.9893, 0.57, 45.57),
    ]
    .map(|(name, hit_rate, volumes_decoded, speed_up)| PublishedPicture {
        name,
        hit_rate,
        volumes_decoded,
        speed_up,
    })
    .into()
}

/// The width of names.
const NAMES: usize = 38;

impl fmt::Display for Text<'_, PictureTable> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, table {}: {}", self.0.paper, self.0.number, self.0.title)?;
        let line = |name: &str, hit_rate: f64, volumes_decoded: f64, speed_up: Option<f64>| {
            let speed_up = speed_up.map_or("–".to_owned(), |gain| format!("{gain:.2}"));
            let hits = format!("{:.2} %", 100.0 * hit_rate);
            format!("  {name:<NAMES$} {hits:>10} {volumes_decoded:>16.2} {speed_up:>9}")
        };
        let [hits, decoded, speed_up, hash] = ["hits", "volumes decoded", "speed-up", "SHA-256"];
        writeln!(f, "  {:<NAMES$} {hits:>10} {decoded:>16} {speed_up:>9}  {hash}", "the paper's volumes")?;
        for row in &self.0.published {
            writeln!(f, "{}", line(row.name, row.hit_rate, row.volumes_decoded, Some(row.speed_up)))?;
        }
        writeln!(f, "  here")?;
        for row in &self.0.measured {
            let [x, y, z] = row.dims;
            writeln!(f, "  {}  {x}×{y}×{z} {}", row.name, row.voxel_type)?;
            let about = format!("  {:.3} bits per voxel on the GPU", row.resident_bits_per_voxel);
            let text = line(&about, row.hit_rate, row.volumes_decoded, row.speed_up);
            let time = row.picture_ms.map(|time| format!("  {time:.1} ms")).unwrap_or_default();
            writeln!(f, "{text}  {}{time}", shown(&row.sha256))?;
        }
        match self.0.tile_step {
            1 => Ok(()),
            step => writeln!(f, "  A software adapter: no times, and every {step}th tile of the pictures."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::gpu::GpuEncoder;

    #[test]
    fn there_is_no_table_without_a_gpu() {
        assert!(table(&Bench::new(None::<&GpuEncoder>, 1)).is_none());
    }
}
