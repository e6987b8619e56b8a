//! Composition of the kernels.

use super::{
    super::{
        display::{HASH_1, HASH_2, INFINITY, MINUS_INFINITY},
        dvr, iso, labels,
        look::{GOLDEN_SECTION, LookMode, SATURATIONS, VALUES},
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
use crate::{resident::Coding, wgsl::WGSL};
use brickwork_gpu::{Binding, Kernel};

/// The kernel that a look needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Mip,
    Dvr,
    Iso,
    Labels,
}

impl Mode {
    pub const ALL: [Self; 4] = [Self::Mip, Self::Dvr, Self::Iso, Self::Labels];

    pub(super) const fn of(look: &LookMode) -> Self {
        match look {
            LookMode::Mip { .. } => Self::Mip,
            LookMode::Dvr { .. } => Self::Dvr,
            LookMode::Iso { .. } => Self::Iso,
            LookMode::Labels { .. } => Self::Labels,
        }
    }
}

/// Entries of the cache. The paper has 23 for volumes of 16 bits; with 32 no fewer bricks are decoded (bunny,
/// 1920×1080, step 1).
const ENTRIES: u32 = 23;

/// The source of a kernel's voxels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Compressed bricks, with this number of bound pages.
    Bricks { pages: usize, has_subgroups: bool, has_cache: bool },
    /// Compressed bricks in a pool of pages.
    Pool { has_subgroups: bool },
    /// A 3D texture.
    Texture,
}

/// Returns the kernel of a mode.
pub(super) fn kernel(mode: Mode, source: Source) -> Kernel {
    let (name, files): (_, &[&str]) = match mode {
        Mode::Mip => ("mip", &["render/mip.wgsl"]),
        Mode::Dvr => ("dvr", &["render/dvr.wgsl", SHOWS_BITS]),
        Mode::Iso => ("iso", &["render/iso.wgsl", SHOWS_BITS]),
        Mode::Labels => ("labels", &["render/labels.wgsl", SHOWS_BITS]),
    };
    let name = match source {
        Source::Texture => format!("volume {name}, texture"),
        Source::Pool { has_subgroups } => format!("volume {name}, pool{}", subgroups(has_subgroups)),
        Source::Bricks { pages, has_subgroups, has_cache } => {
            let no_cache = if has_cache { "" } else { ", no cache" };
            let subgroups = subgroups(has_subgroups);
            format!("volume {name}{no_cache}{subgroups}, {}", pages::in_words(pages))
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
            .files(&WGSL, &["render/gather_texture.wgsl", Lanes::Workgroup.entry(), KEEP_NOTHING])
            .constant("LANES", 32),
        Source::Bricks { pages, has_subgroups, has_cache } => {
            let entries = if has_cache { ENTRIES } else { 1 };
            with_cache(Kernel::new(name, &bindings), pages, has_subgroups, entries, false)
                .files(&WGSL, &["render/all_pages.wgsl", KEEP_NOTHING])
        }
        Source::Pool { has_subgroups } => {
            with_cache(Kernel::new(name, &bindings), MOST_PAGES, has_subgroups, ENTRIES, true)
                .file(&WGSL, "render/some_pages.wgsl")
        }
    };
    kernel
        .files(&WGSL, files)
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

/// Returns all kernels of this folder.
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

/// Returns the kernel with the WGSL that reads compressed bricks. `count` buffers of bricks are bound after
/// all others.
fn with_cache(kernel: Kernel, count: usize, has_subgroups: bool, entries: u32, are_shared: bool) -> Kernel {
    let first_page = kernel.bindings().len() - count;
    let lanes = if has_subgroups { Lanes::Subgroup } else { Lanes::Workgroup };
    let least = match lanes {
        Lanes::Workgroup => "render/least_workgroup.wgsl",
        Lanes::Subgroup => "render/least_subgroup.wgsl",
    };
    with_resident(with_decode_brick(kernel, lanes), Coding::default())
        .part(&pages::wgsl(count, first_page, are_shared))
        .files(&WGSL, &["render/cache.wgsl", least, lanes.entry()])
        .part("const BRICK = vec3u(4u);")
        .constant("ENTRIES", entries)
}

/// Returns the end of a kernel's name.
fn subgroups(has_subgroups: bool) -> &'static str {
    if has_subgroups { ", subgroups" } else { "" }
}

const KEEP_NOTHING: &str = "render/keep_nothing.wgsl";
const SHOWS_BITS: &str = "render/shows_bits.wgsl";

/// Returns the source of a volume's voxels for kernels.
pub(super) fn source(volume: &GpuVolume, has_cache: bool) -> Source {
    let has_subgroups = volume.has_wide_subgroups();
    match volume.pool() {
        Some(_) => Source::Pool { has_subgroups },
        None => Source::Bricks { pages: volume.bound_pages(), has_subgroups, has_cache },
    }
}
