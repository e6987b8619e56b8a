//! Tilings that this process, or another one, found earlier and stored in the user's cache folder.
//!
//! A file belongs to one adapter and driver. Each line contains the shape of a texture and the tilings of its
//! mip levels, each with a checksum. Damaged lines and lines of another version are ignored, and are dropped
//! when the file is rewritten. Every tiling from the file is tried before it is used (`probe.rs`).

use super::tiling::Tiling;
use brickwork_base::whole_file::{Existing, Target};
use brickwork_gpu::{BlockImageDesc, Context};
use std::{
    collections::HashMap,
    fmt::Write as _,
    fs::File,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Maximum size of a file in bytes. Larger files are not changed, and new files never exceed it.
const MAX_BYTES: u64 = 1 << 20;

/// Properties on which the order of blocks may depend: bytes per block, width, height, mip levels, layers.
type Shape = [u32; 5];

fn shape(desc: &BlockImageDesc) -> Shape {
    let [width, height] = desc.size;
    [desc.block_bytes(), width, height, desc.mip_levels, desc.layers]
}

/// Orders of blocks, by mip levels, of each shape.
type Tilings = HashMap<Shape, Vec<Tiling>>;

/// Tilings of one device. The file is read at the first request.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Option<Tilings>>);

impl Cache {
    /// Returns the tilings of the mip levels of such a texture, if they are known.
    pub fn get(&self, context: &Context, desc: &BlockImageDesc) -> Option<Vec<Tiling>> {
        self.with(context, |known| known.get(&shape(desc)).cloned())
    }

    /// Keeps tilings, together with those that other processes have kept in the meantime.
    pub fn keep(&self, context: &Context, desc: &BlockImageDesc, tilings: &[Tiling]) {
        self.with(context, |known| {
            let file = file(context);
            if let Some(file) = &file {
                for (shape, tilings) in read(file) {
                    known.entry(shape).or_insert(tilings);
                }
            }
            known.insert(shape(desc), tilings.to_vec());
            if let Some(file) = &file {
                // Without the file, the next process probes the GPU again.
                let _ = write(file, known);
            }
        });
    }

    fn with<T>(&self, context: &Context, work: impl FnOnce(&mut Tilings) -> T) -> T {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(known.get_or_insert_with(|| file(context).map_or_else(Tilings::new, |file| read(&file))))
    }
}

/// Returns the file of this adapter and driver, or `None` without a cache folder.
fn file(context: &Context) -> Option<PathBuf> {
    let info = context.info()?;
    let key = format!("{}, {}, {}", info.name, info.backend, info.driver);
    // FNV-1a, 64 bits.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    Some(context.cache_folder()?.join(format!("tilings-{hash:016x}.txt")))
}

/// Returns the undamaged contents of a file.
fn read(file: &Path) -> Tilings {
    let mut text = String::new();
    let is_read = File::open(file)
        .and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text))
        .is_ok_and(|bytes| (bytes as u64) < MAX_BYTES);
    if is_read { text.lines().filter_map(parse).collect() } else { Tilings::new() }
}

fn write(file: &Path, known: &Tilings) -> std::io::Result<()> {
    let mut lines: Vec<_> = known.iter().map(|(shape, tilings)| line(shape, tilings)).collect();
    lines.sort_unstable();
    let text = lines.concat();
    if text.len() as u64 >= MAX_BYTES {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut whole = Target::of(file)?.create()?;
    whole.write_all(text.as_bytes())?;
    whole.commit(Existing::Replace)
}

/// Returns a line of the form `8 260 132 9 1 | tiling | tiling …`.
fn line(shape: &Shape, tilings: &[Tiling]) -> String {
    let mut line = shape.map(|number| number.to_string()).join(" ");
    for tiling in tilings {
        let _ = write!(line, " | {}", tiling.to_text());
    }
    line + "\n"
}

fn parse(line: &str) -> Option<(Shape, Vec<Tiling>)> {
    let mut parts = line.split(" | ");
    let numbers = parts.next()?.split(' ').map(|number| number.parse().ok());
    let shape: Shape = numbers.collect::<Option<Vec<u32>>>()?.try_into().ok()?;
    let tilings = parts.map(|text| Tiling::from_text(text).ok()).collect::<Option<Vec<Tiling>>>()?;
    let [_, width, height, mip_levels, layers] = shape;
    let of_level =
        |level: u32| [width, height].map(|side| (side.checked_shr(level).unwrap_or(0)).max(1).div_ceil(4));
    let is_whole = tilings.len() as u64 == u64::from(mip_levels) * u64::from(layers)
        && (0..)
            .zip(&tilings)
            .all(|(at, tiling)| [tiling.width(), tiling.height()] == of_level(at % mip_levels));
    is_whole.then_some((shape, tilings))
}

#[cfg(test)]
mod tests {
    use super::{super::tiling::MacroTile, *};
    use proptest::prelude::*;

    /// Returns tilings for 260×132 texels with two mip levels, in two layers.
    fn known() -> Tilings {
        let tile = || MacroTile::new([1, 1, 2], 0, &[1], &[2]).unwrap();
        let tiling = |width, height, base| Tiling::new(width, height, base, 33, tile()).unwrap();
        let tilings = [(65, 33, 0), (33, 17, 4000), (65, 33, 8000), (33, 17, 12000)];
        let tilings = tilings.map(|(width, height, base)| tiling(width, height, base)).to_vec();
        Tilings::from([([16, 260, 132, 2, 2], tilings)])
    }

    #[test]
    fn files_give_back_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new").join("tilings.txt");
        assert_eq!(read(&file), Tilings::new());
        write(&file, &known()).unwrap();
        assert_eq!(read(&file), known());
        // A damaged line is dropped, the others are kept.
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(
            &file,
            format!("{}\n8 4 4 1 1 | nonsense\n{text}", text.trim().replacen("260", "261", 1)),
        )
        .unwrap();
        assert_eq!(read(&file), known());
        std::fs::write(&file, [0xff; 100]).unwrap();
        assert_eq!(read(&file), Tilings::new());
        std::fs::write(&file, vec![b'\n'; MAX_BYTES as usize + 1]).unwrap();
        assert_eq!(read(&file), Tilings::new());
    }

    proptest! {
        #[test]
        fn no_damage_gives_other_tilings(at: prop::sample::Index, byte: u8) {
            let all = known();
            let (shape, tilings) = all.iter().next().unwrap();
            let mut bytes = line(shape, tilings).trim_end().as_bytes().to_vec();
            let at = at.index(bytes.len());
            prop_assume!(bytes[at] != byte);
            bytes[at] = byte;
            if let Some(found) = std::str::from_utf8(&bytes).ok().and_then(parse) {
                // The shape has no checksum: damage may turn it into another shape with the same number of
                // mip levels.
                prop_assert_eq!(&found.1, tilings);
            }
        }
    }
}
