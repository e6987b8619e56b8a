mod fitting;
#[cfg(feature = "gpu")]
mod gpu;
mod order_map;
mod probing;
mod text;
