//! Encodes an image and its mip levels on a wgpu device that the application opened itself.

use brickwork_texture::gpu::{Context, GpuEncoder, wgpu};
use brickwork_texture::{BlockFormat, EncodeOptions, ImageView, Task, TextureDesc, encode_texture};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let Ok(adapter) = pollster::block_on(instance.request_adapter(&Default::default())) else {
        println!("no adapter");
        return Ok(());
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
    let texels: Vec<[u8; 4]> = (0..300 * 200u32).map(|i| [i as u8, (i / 300) as u8, 90, 255]).collect();
    let image = ImageView::new(&texels, 300, 200)?;
    let desc = TextureDesc::of_image(&image, BlockFormat::Bc1).with_full_mips();
    let gpu = GpuEncoder::new(Context::adopt(device, queue));
    let texture = encode_texture(&gpu.into(), &image, &desc, &EncodeOptions::default(), &Task::new())?;
    println!("{} mip levels, {} bytes of blocks", desc.mip_levels, texture.data().len());
    Ok(())
}

#[test]
fn runs() {
    main().unwrap();
}
