//! BC1: RGB with optional 1-bit alpha, 4×4 texels in 8 bytes.
//!
//! Layout, little endian: endpoint `c0` (5-6-5, red in the upper bits), endpoint `c1`, then 2 bits per texel,
//! with the first texel in the lowest bits. With `c0 > c1` the palette is c0, c1, (2·c0 + c1)/3, (c0 +
//! 2·c1)/3; otherwise c0, c1, (c0 + c1)/2 and transparent black. Decoders differ in the rounding of the
//! fractions: see [`PaletteRule`].

// | file | stage |
// |---|---|
// | `palette.rs` | the four colours of a block as each decoder rounds them, in integers |
// | `decode.rs`, `codec.rs` | a block to texels; the format's codec |
// | `rows.rs` | a row of blocks: those of one or two colours at once, the others in batches |
// | `lanes.rs`, `context.rs` | a block in each lane, the palette in exact floats; settings of steps |
// | `range_fit.rs` | the quickest endpoints |
// | `cluster_fit.rs` | every order-preserving clustering, scored by its least-squares line |
// | `fit.rs` | endpoints for given indices: least squares, then the four code pairs around it |
// | `assign.rs` | the nearest colour of each texel, exactly; the clusters and indices that follow |
// | `distinct.rs` | the colours of blocks with few colours, in place of texels |
// | `descend.rs` | from clusters to endpoints, to the clusters of those, until nothing changes |
// | `other_axes.rs`, `ranks.rs` | at best: orderings along other axes; the best descents, to climb from |
// | `moves.rs`, `shares.rs`, `climb.rs` | steps of the climb; the channels' shares of costs; the climb |
// | `reindex.rs` | at best: the clusters of the best encodings at other indices |
// | `settings.rs`, `encode.rs` | the work of each quality |
// | `best.rs`, `pack.rs` | the best encoding of each lane; its endpoints and indices as a block |
// | `single_color.rs`, `two_colors.rs`, `two_values.rs` | blocks with a known optimum |
// | `rdo.rs`, `by_alpha/` | rate–distortion optimisation; errors weighted by alpha |
// | `variants.rs`, `chain.rs`, `stage.rs` | kernels that a device can run, in order; their bindings |
// | `parts.rs` | the division of the kernels' work |
// | `params.rs`, `clusterings.rs` | parameters, tables and constants of kernels |
// | `lsdxt/` | another method: LSDxt, with its kernels |
//
// Kernels are beside the Rust that they repeat:
//
// ```text
// gpu/load.wgsl or load_texture.wgsl → simple.wgsl (classes, one colour)
//   → two_colors.wgsl (from quality fast on)
//   → order.wgsl (sort.wgsl) → search.wgsl → descend.wgsl, at best again along other axes
//   → climb.wgsl → reindex.wgsl (best) → finish.wgsl
// ```
//
// Each stage has its own thread count: one per block, ordering, start or climb. Values known beforehand are
// `override` constants. Small kernels compile quickly: one kernel of everything took over 40 s on a software
// adapter (notes.md).

mod assign;
mod best;
mod by_alpha;
#[cfg(feature = "gpu")]
mod chain;
mod climb;
mod cluster_fit;
#[cfg(feature = "gpu")]
mod clusterings;
mod codec;
mod context;
mod decode;
mod descend;
mod distinct;
mod encode;
mod fit;
mod lanes;
#[cfg(feature = "lsdxt")]
mod lsdxt;
mod moves;
mod other_axes;
mod pack;
mod palette;
#[cfg(feature = "gpu")]
mod params;
#[cfg(feature = "gpu")]
mod parts;
mod range_fit;
mod ranks;
mod rdo;
mod reindex;
mod rows;
mod settings;
mod shares;
mod single_color;
#[cfg(feature = "gpu")]
mod stage;
mod two_colors;
mod two_values;

pub use crate::options::{Bc1Options, Method};
pub(crate) use by_alpha::AlphaWeigher;
#[cfg(feature = "gpu")]
pub(crate) use chain::{color_chain, kernels};
pub(crate) use codec::CODEC;
#[cfg(feature = "bc1-to-bc5")]
pub use codec::encode_block;
pub(crate) use decode::colors;
pub use decode::decode_block;
pub use palette::PaletteRule;
pub(crate) use rdo::ColorUnit;
pub(crate) use rows::ColorEncoder;
#[cfg(feature = "gpu")]
pub use stage::kernel as stage_kernel;
