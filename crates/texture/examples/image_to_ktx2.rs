//! An image with its mip levels to the bytes of a KTX2 file: `cargo run --example image_to_ktx2 [IMAGE]`

use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::container::{ContainerFormat, TextureWriteOptions};
use brickwork_texture::pictures::read;
use brickwork_texture::{BlockFormat, EncodeOptions, Encoder, Quality, Task, TextureDesc, encode_texture};
use std::{fs::File, io::BufReader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/kodak/kodim23.png");
    let path = std::env::args_os().nth(1).filter(|_| !cfg!(test)).unwrap_or_else(|| default.into());
    let picture = read(BufReader::new(File::open(path)?), None, &ImageReadOptions::default(), &Task::new())?;
    let options = EncodeOptions::default().with(|o| o.quality = Quality::Fast);
    let desc = TextureDesc::of_picture(&picture, BlockFormat::Bc1, &options).with_full_mips();
    let texture = encode_texture(&Encoder::default(), &*picture.view()?, &desc, &options, &Task::new())?;
    let mut ktx2 = Vec::new();
    texture.write(&mut ktx2, ContainerFormat::Ktx2, &TextureWriteOptions::default(), &Task::new())?;
    println!("{}×{}, {} mip levels, {} bytes", desc.width, desc.height, desc.mip_levels, ktx2.len());
    Ok(())
}

#[test]
fn runs() {
    main().unwrap();
}
