//! The kernels, put together.

use super::{
    super::{
        Look,
        display::{HASH_1, HASH_2, INFINITY, MINUS_INFINITY},
        dvr, iso, labels,
        look::{GOLDEN_SECTION, SATURATIONS, VALUES},
        sample::HALF,
        shade,
    },
    params::{RULE_HASH, RULE_SCALE, RULE_SHIFT},
};
use crate::gpu::{
    GpuVolume, Lanes,
    pages::{self, MOST_PAGES},
    with_decode_brick, with_resident,
};
use crate::resident::Coding;
use brickwork_gpu::{Binding, Kernel};

/// The kernel that a [`Look`] needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Mip,
    Dvr,
    Iso,
    Labels,
}

impl Mode {
    pub const ALL: [Self; 4] = [Self::Mip, Self::Dvr, Self::Iso, Self::Labels];

    pub(super) const fn of(look: &Look) -> Self {
        match look {
            Look::Mip { .. } => Self::Mip,
            Look::Dvr { .. } => Self::Dvr,
            Look::Iso { .. } => Self::Iso,
            Look::Labels { .. } => Self::Labels,
        }
    }
}

/// Entries of the cache. The paper has 23 for volumes of 16 bits; with 32 no fewer bricks are decoded (bunny,
/// 1920×1080, step 1).
const ENTRIES: u32 = 23;

/// Where a kernel gets voxels from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Compressed bricks, of which so many pages are bound.
    Bricks { pages: usize, has_subgroups: bool, has_cache: bool },
    /// Compressed bricks in a pool of pages.
    Pool { has_subgroups: bool },
    /// A 3D texture.
    Texture,
}

/// The kernel of a mode.
pub(super) fn kernel(mode: Mode, source: Source) -> Kernel {
    macro_rules! name {
        ($mode:literal) => {
            match source {
                Source::Texture => concat!("volume ", $mode, ", texture"),
                Source::Pool { has_subgroups: false } => concat!("volume ", $mode, ", pool"),
                Source::Pool { has_subgroups: true } => concat!("volume ", $mode, ", pool, subgroups"),
                Source::Bricks { pages, has_subgroups, has_cache } => {
                    match (pages, has_subgroups, has_cache) {
                        (1, false, true) => concat!("volume ", $mode, ", 1 page"),
                        (2, false, true) => concat!("volume ", $mode, ", 2 pages"),
                        (_, false, true) => concat!("volume ", $mode, ", 4 pages"),
                        (1, true, true) => concat!("volume ", $mode, ", subgroups, 1 page"),
                        (2, true, true) => concat!("volume ", $mode, ", subgroups, 2 pages"),
                        (_, true, true) => concat!("volume ", $mode, ", subgroups, 4 pages"),
                        (1, false, false) => concat!("volume ", $mode, ", no cache, 1 page"),
                        (2, false, false) => concat!("volume ", $mode, ", no cache, 2 pages"),
                        (_, false, false) => concat!("volume ", $mode, ", no cache, 4 pages"),
                        (1, true, false) => concat!("volume ", $mode, ", no cache, subgroups, 1 page"),
                        (2, true, false) => concat!("volume ", $mode, ", no cache, subgroups, 2 pages"),
                        (_, true, false) => concat!("volume ", $mode, ", no cache, subgroups, 4 pages"),
                    }
                }
            }
        };
    }
    let (name, parts): (_, &[&str]) = match mode {
        Mode::Mip => {
            let parts =
                &[include_str!("../mip.wgsl"), include_str!("../shows_larger.wgsl"), SAMPLE, TRANSFER];
            (name!("mip"), parts)
        }
        Mode::Dvr => (
            name!("dvr"),
            &[include_str!("../dvr.wgsl"), include_str!("../shows_bits.wgsl"), SAMPLE, TRANSFER],
        ),
        Mode::Iso => {
            (name!("iso"), &[include_str!("../iso.wgsl"), include_str!("../shows_bits.wgsl"), SAMPLE])
        }
        Mode::Labels => {
            (name!("labels"), &[include_str!("../labels.wgsl"), include_str!("../shows_bits.wgsl")])
        }
    };
    let mut bindings = vec![Binding::Uniform, Binding::Read, Binding::Read, Binding::Uniform];
    bindings.extend([Binding::Read, Binding::Write]);
    match source {
        Source::Texture => bindings.push(Binding::Texture3d),
        Source::Bricks { pages, .. } => bindings.extend(vec![Binding::Read; pages]),
        Source::Pool { .. } => bindings.extend(vec![Binding::Read; MOST_PAGES]),
    }
    let kernel = match source {
        Source::Texture => Kernel::new(name, &bindings)
            .part("struct Shape { voxels: vec3u, bricks: vec3u, superblocks: vec3u }")
            .parts(&[include_str!("../gather_texture.wgsl"), Lanes::Workgroup.entry(), KEEP_NOTHING])
            .constant("LANES", 32),
        Source::Bricks { pages, has_subgroups, has_cache } => {
            let entries = if has_cache { ENTRIES } else { 1 };
            let kept = include_str!("../all_pages.wgsl");
            with_cache(Kernel::new(name, &bindings), pages, has_subgroups, entries, false)
                .parts(&[kept, KEEP_NOTHING])
        }
        Source::Pool { has_subgroups } => {
            let kept = include_str!("../some_pages.wgsl");
            with_cache(Kernel::new(name, &bindings), MOST_PAGES, has_subgroups, ENTRIES, true).part(kept)
        }
    };
    kernel
        .parts(parts)
        .parts(&[
            include_str!("../picture.wgsl"),
            include_str!("../rays.wgsl"),
            include_str!("../space.wgsl"),
        ])
        .parts(&[include_str!("../display.wgsl"), include_str!("../shade.wgsl")])
        .constants([
            ("HALVINGS", iso::HALVINGS),
            ("NEIGHBOURS", labels::NEIGHBOURS),
            ("GOLDEN_SECTION", GOLDEN_SECTION),
            ("HASH_1", HASH_1),
            ("HASH_2", HASH_2),
            ("INFINITY", INFINITY),
            ("MINUS_INFINITY", MINUS_INFINITY),
            ("RULE_SHIFT", RULE_SHIFT),
            ("RULE_SCALE", RULE_SCALE),
            ("RULE_HASH", RULE_HASH),
        ])
        .constants([
            ("AMBIENT", shade::AMBIENT),
            ("DIFFUSE", shade::DIFFUSE),
            ("SPECULAR", shade::SPECULAR),
            ("FLAT", shade::FLAT),
            ("LEAST_TRANSMITTANCE", dvr::LEAST_TRANSMITTANCE),
        ])
        .table("EXP2", &shade::EXP2)
        .table("SHADES", &VALUES)
        .table("STRENGTHS", &SATURATIONS)
        .constant("SHIFT", if mode == Mode::Labels { 0 } else { HALF })
}

/// Every kernel of this folder.
pub(crate) fn all() -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for mode in Mode::ALL {
        kernels.push(kernel(mode, Source::Texture));
        kernels.extend([false, true].map(|has_subgroups| kernel(mode, Source::Pool { has_subgroups })));
        for pages in [1, 2, 4] {
            for (has_subgroups, has_cache) in [(false, true), (true, true), (false, false), (true, false)] {
                kernels.push(kernel(mode, Source::Bricks { pages, has_subgroups, has_cache }));
            }
        }
    }
    kernels
}

/// The kernel with what reads compressed bricks, of which `count` buffers are bound after everything else.
fn with_cache(kernel: Kernel, count: usize, has_subgroups: bool, entries: u32, are_shared: bool) -> Kernel {
    let first_page = kernel.bindings().len() - count;
    let lanes = if has_subgroups { Lanes::Subgroup } else { Lanes::Workgroup };
    let least = match lanes {
        Lanes::Workgroup => include_str!("../least_workgroup.wgsl"),
        Lanes::Subgroup => include_str!("../least_subgroup.wgsl"),
    };
    with_resident(with_decode_brick(kernel, lanes), Coding::default())
        .part(&pages::wgsl(count, first_page, are_shared))
        .parts(&[include_str!("../cache.wgsl"), least, lanes.entry()])
        .part("const BRICK = vec3u(4u);")
        .constant("ENTRIES", entries)
}

const KEEP_NOTHING: &str = include_str!("../keep_nothing.wgsl");
const SAMPLE: &str = include_str!("../sample.wgsl");
const TRANSFER: &str = include_str!("../transfer.wgsl");

/// Where kernels get a volume's voxels from.
pub(super) fn source(volume: &GpuVolume, has_cache: bool) -> Source {
    let has_subgroups = volume.has_wide_subgroups();
    match volume.pool() {
        Some(_) => Source::Pool { has_subgroups },
        None => Source::Bricks { pages: volume.bound_pages(), has_subgroups, has_cache },
    }
}
