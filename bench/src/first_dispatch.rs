//! How long kernels take to be compiled and first dispatched.

use crate::table::{
    Column::{Number, Text},
    Table,
};
use anyhow::Result;
use brickwork_texture::{
    BlockFormat, EncodeOptions, Encoder, ImageView, Method, Quality,
    gpu::{Context, ContextOptions, GpuEncoder, LsdxtVariant, gpu::AdapterChoice},
};
use std::time::Instant;

/// From a new device to the blocks of a small image, in seconds, for each method, variant of LSDxt and quality. Drivers keep
/// compiled kernels too: `MESA_SHADER_CACHE_DISABLE=true` keeps Mesa from it.
pub fn run(context: &Context) -> Result<String> {
    let mut options = ContextOptions::default();
    if let Some(info) = context.info() {
        options.adapter = AdapterChoice::Index(info.index);
    }
    let texels: Vec<_> = (0..64u8).map(|at| [4 * at, 255 - 3 * at, 7 * (at % 8), 255]).collect();
    let image = ImageView::new(&texels, 8, 8)?;
    let methods = LsdxtVariant::ALL.map(|variant| (Method::Lsdxt, variant));
    let mut table = Table::new(&[Text("kernels"), Text("quality"), Number("seconds")]);
    for (method, variant) in [(Method::ClusterFit, LsdxtVariant::default())].into_iter().chain(methods) {
        for quality in Quality::ALL {
            let encoder = GpuEncoder::new(Context::open(&options)?).with_lsdxt_variant(variant);
            let name = match method {
                Method::Lsdxt if encoder.lsdxt_variant() != variant => continue,
                Method::Lsdxt => format!("LSDxt, {variant:?}"),
                _ => method.name().to_owned(),
            };
            let mut encode_options = EncodeOptions::default();
            (encode_options.method, encode_options.quality) = (method, quality);
            let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(8, 8) as usize];
            let start = Instant::now();
            encoder.encode_into(&image, &encode_options, &mut blocks)?;
            table.push([name, quality.name().to_owned(), format!("{:.3}", start.elapsed().as_secs_f64())]);
        }
    }
    Ok(table.to_markdown())
}
