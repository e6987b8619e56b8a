//! The modes of BC7 blocks: how many there are of each, and where.

use crate::{
    exit::Exit,
    failure::Failure,
    input::{FileId, Input},
    output::{self, Existing, Output},
};
use brickwork_texture::{
    BlockFormat, ColorSpace, Task, Texture,
    bc::bc7::block_mode,
    container::{ContainerFormat, TextureReadOptions},
    image_file::{PngTexels, write_png},
};
use brickwork_toolkit::report::ModeCounts;
use std::path::Path;

/// Modes, and what `--modes-image` draws their blocks in. Green and blue have two subsets, red and orange
/// three; violet and pink keep one channel apart.
const COLORS: [(&str, [u8; 3]); 8] = [
    ("red", [214, 39, 40]),
    ("green", [44, 160, 44]),
    ("orange", [255, 150, 30]),
    ("blue", [31, 119, 220]),
    ("violet", [130, 70, 190]),
    ("pink", [240, 140, 210]),
    ("grey", [190, 190, 190]),
    ("yellow", [235, 220, 60]),
];

/// Blocks without a valid mode, which decode to transparent black.
const NO_MODE: [u8; 3] = [0; 3];

/// What `--modes` and `--modes-image` ask for.
pub struct Wanted<'a> {
    pub image: Option<&'a Path>,
    pub existing: Existing,
    pub max_memory: u64,
}

/// The modes of a texture's blocks.
pub struct Modes {
    pub counts: ModeCounts,
    /// Line that names the image of modes and the meaning of its colours.
    pub image: Option<String>,
}

impl Modes {
    /// Of all images of the texture in `input`, whose first one is drawn if that is wanted; `None` if it is
    /// not BC7.
    ///
    /// # Errors
    /// [`Failure`], named.
    pub fn of(input: &Input, wanted: &Wanted<'_>) -> Result<Option<Self>, Failure> {
        let failed = |failure: Failure| failure.of(input.name());
        if *input == Input::Stdin {
            return Err(Failure::usage("--modes needs a file, not standard input"));
        }
        let mut stream = input.open(wanted.max_memory)?;
        if ContainerFormat::detect_in(&mut stream).map_err(|error| failed(Failure::io(&error)))?.is_none() {
            return Ok(None);
        }
        let mut options = TextureReadOptions::default();
        options = options.with_max_memory(wanted.max_memory);
        let texture = Texture::read(stream, &options, &Task::new()).map_err(|error| failed(error.into()))?;
        if texture.desc().format != BlockFormat::Bc7 {
            return Ok(None);
        }
        let mut counts = ModeCounts { modes: [0; 8], none: 0 };
        let mut image = None;
        for block in texture.data().as_chunks::<16>().0 {
            match block_mode(block) {
                Some(mode) => counts.modes[usize::from(mode)] += 1,
                None => counts.none += 1,
            }
        }
        if let Some(path) = wanted.image {
            draw(&texture, &Output::of(path), wanted.existing, input.id())?;
            image = Some(format!("{}: {}", path.display(), legend()));
        }
        Ok(Some(Self { counts, image }))
    }
}

/// `0: 2.5 %, 1: 61.0 %, …`, without modes that are not there.
pub fn text(counts: &ModeCounts) -> String {
    let total: u64 = counts.modes.iter().sum::<u64>() + counts.none;
    let share = |count: u64| 100.0 * count as f64 / total as f64;
    let modes = counts.modes.iter().enumerate().filter(|(_, count)| **count > 0);
    let mut parts: Vec<_> = modes.map(|(mode, &count)| format!("{mode}: {:.1} %", share(count))).collect();
    if counts.none > 0 {
        parts.push(format!("none: {:.1} %", share(counts.none)));
    }
    parts.join(", ")
}

/// What the colours of `--modes-image` mean.
fn legend() -> String {
    let colors: Vec<_> =
        COLORS.iter().enumerate().map(|(mode, (name, _))| format!("{mode} {name}")).collect();
    colors.join(", ")
}

/// Writes the texture's first image with each block in the colour of its mode.
fn draw(
    texture: &Texture,
    output: &Output,
    existing: Existing,
    input: Option<FileId>,
) -> Result<(), Failure> {
    let desc = texture.desc();
    output.check(existing, input.as_slice())?;
    let (width, height) = (desc.width, desc.height);
    let columns = width.div_ceil(4) as usize;
    let blocks = texture.image(0, 0, 0)?.as_chunks::<16>().0;
    let mut texels = Vec::new();
    let count = width as usize * height as usize;
    let out_of_memory = || Failure::new(Exit::Runtime, "not enough memory for the picture of modes");
    texels.try_reserve_exact(count).map_err(|_| out_of_memory())?;
    for y in 0..height as usize {
        for x in 0..width as usize {
            let mode = block_mode(&blocks[y / 4 * columns + x / 4]);
            texels.push(mode.map_or(NO_MODE, |mode| COLORS[usize::from(mode)].1));
        }
    }
    let write = |writer: &mut dyn std::io::Write| {
        Ok(write_png(writer, width, height, PngTexels::Rgb8(&texels), ColorSpace::Srgb, &Task::new())?)
    };
    output::write(output, existing, write).map(drop)
}
