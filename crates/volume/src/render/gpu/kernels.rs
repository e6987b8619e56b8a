//! Composition of the kernels.

use super::super::{
    display::{HASH_1, HASH_2, INFINITY, MINUS_INFINITY},
    dvr,
    inputs::{Mode, RULE_HASH, RULE_SCALE, RULE_SHIFT},
    iso, labels,
    look::{GOLDEN_SECTION, SATURATIONS, VALUES},
    sample::HALF,
    shade,
};
use crate::gpu::{
    GpuVolume, Lanes,
    pages::{self, MAX_PAGES},
    with_decode_brick, with_resident,
};
use crate::{resident::Coding, wgsl::WGSL};
use brickwork_gpu::{Binding, Kernel};

/// Entries of the cache. The paper has 23 for volumes of 16 bits; with 32 no fewer bricks are decoded (bunny,
/// 1920×1080, step 1).
const ENTRIES: u32 = 23;

/// The source of a kernel's voxels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Compressed bricks, with this number of bound pages.
    Bricks { pages: usize, lanes: Lanes, has_cache: bool },
    /// Compressed bricks in a pool of pages.
    Pool { lanes: Lanes },
    /// A 3D texture.
    Texture,
}

/// Returns the kernel of a mode.
pub(super) fn kernel(mode: Mode, source: Source) -> Kernel {
    let files: &[&str] = match mode {
        Mode::Mip => &["render/mip.wgsl"],
        Mode::Dvr => &["render/dvr.wgsl", SHOWS_BITS],
        Mode::Iso => &["render/iso.wgsl", SHOWS_BITS],
        Mode::Labels => &["render/labels.wgsl", SHOWS_BITS],
    };
    let name = mode.name();
    let name = match source {
        Source::Texture => format!("volume {name}, texture"),
        Source::Pool { lanes } => format!("volume {name}, pool{}", ending(lanes)),
        Source::Bricks { pages, lanes, has_cache } => {
            let no_cache = if has_cache { "" } else { ", no cache" };
            format!("volume {name}{no_cache}{}, {}", ending(lanes), pages::in_words(pages))
        }
    };
    let mut bindings = vec![Binding::Uniform, Binding::Read, Binding::Read, Binding::Uniform];
    bindings.extend([Binding::Read, Binding::Write]);
    match source {
        Source::Texture => bindings.push(Binding::Texture3d),
        Source::Bricks { pages, .. } => bindings.extend(vec![Binding::Read; pages]),
        Source::Pool { .. } => bindings.extend(vec![Binding::Read; MAX_PAGES]),
    }
    let kernel = match source {
        Source::Texture => Kernel::new(name, &bindings)
            .part("struct Shape { voxels: vec3u, bricks: vec3u, superblocks: vec3u }")
            .files(&WGSL, &["render/gather_texture.wgsl", Lanes::Workgroup.entry(), KEEP_NOTHING])
            .constant("LANES", 32),
        Source::Bricks { pages, lanes, has_cache } => {
            let entries = if has_cache { ENTRIES } else { 1 };
            with_cache(Kernel::new(name, &bindings), pages, lanes, entries, false)
                .files(&WGSL, &["render/all_pages.wgsl", KEEP_NOTHING])
        }
        Source::Pool { lanes } => with_cache(Kernel::new(name, &bindings), MAX_PAGES, lanes, ENTRIES, true)
            .file(&WGSL, "render/some_pages.wgsl"),
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

/// Numbers of pages for which there are kernels.
const PAGES: [usize; 3] = [1, 2, MAX_PAGES];

/// Returns all kernels of this folder.
pub(crate) fn all() -> Vec<Kernel> {
    let native = [Lanes::Workgroup, Lanes::Subgroup];
    let mut kernels = Vec::new();
    for mode in Mode::ALL {
        kernels.push(kernel(mode, Source::Texture));
        kernels.extend(native.map(|lanes| kernel(mode, Source::Pool { lanes })));
        for pages in PAGES {
            for has_cache in [true, false] {
                let source = |lanes| Source::Bricks { pages, lanes, has_cache };
                kernels.extend(native.map(|lanes| kernel(mode, source(lanes))));
            }
        }
    }
    kernels.extend(browser().into_iter().map(|(.., kernel)| kernel));
    kernels
}

/// Returns the kernels of browsers: mode, number of bound pages or `None` for a pool of pages, and kernel.
pub(crate) fn browser() -> Vec<(Mode, Option<usize>, Kernel)> {
    let lanes = Lanes::Browser;
    let mut kernels = Vec::new();
    for mode in Mode::ALL {
        for pages in PAGES {
            let source = Source::Bricks { pages, lanes, has_cache: true };
            kernels.push((mode, Some(pages), kernel(mode, source)));
        }
        kernels.push((mode, None, kernel(mode, Source::Pool { lanes })));
    }
    kernels
}

/// Returns the kernel with the WGSL that reads compressed bricks. `count` buffers of bricks are bound after
/// all others.
fn with_cache(kernel: Kernel, count: usize, lanes: Lanes, entries: u32, are_shared: bool) -> Kernel {
    let first_page = kernel.bindings().len() - count;
    let least = match lanes {
        Lanes::Workgroup | Lanes::Browser => "render/least_workgroup.wgsl",
        Lanes::Subgroup => "render/least_subgroup.wgsl",
    };
    with_resident(with_decode_brick(kernel, lanes), Coding::default())
        .part(&pages::wgsl(count, first_page, are_shared))
        .files(&WGSL, &["render/cache.wgsl", least, lanes.entry()])
        .part("const BRICK = vec3u(4u);")
        .constant("ENTRIES", entries)
}

/// Returns the end of a kernel's name.
fn ending(lanes: Lanes) -> &'static str {
    match lanes {
        Lanes::Workgroup => "",
        Lanes::Subgroup => ", subgroups",
        Lanes::Browser => ", browser",
    }
}

const KEEP_NOTHING: &str = "render/keep_nothing.wgsl";
const SHOWS_BITS: &str = "render/shows_bits.wgsl";

/// Returns the source of a volume's voxels for kernels.
pub(super) fn source(volume: &GpuVolume, has_cache: bool) -> Source {
    let lanes = if volume.has_wide_subgroups() { Lanes::Subgroup } else { Lanes::Workgroup };
    match volume.pool() {
        Some(_) => Source::Pool { lanes },
        None => Source::Bricks { pages: volume.bound_pages(), lanes, has_cache },
    }
}
