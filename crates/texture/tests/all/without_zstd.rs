//! Tests of KTX2 with Zstandard in a library without the feature `ktx2-zstd`.

use brickwork_texture::container::{self, ContainerFormat, TextureReadOptions, TextureWriteOptions};
use brickwork_texture::{AstcFootprint, BlockFormat, ErrorKind, Task, Texture, TextureDesc};
use std::io::Cursor;

const MESSAGE: &str =
    "KTX2 with Zstandard (it needs the feature ktx2-zstd of brickwork-texture) is not supported";

#[test]
fn errors_name_the_feature_without_zstd() {
    let texture = Texture::new(TextureDesc::new_2d(BlockFormat::Bc7, 8, 8), vec![1; 64]).unwrap();
    let mut file = Vec::new();
    let options = TextureWriteOptions::default().with(|o| o.zstd = Some(3));
    let error = texture.write(&mut file, ContainerFormat::Ktx2, &options, &Task::new()).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Unsupported, MESSAGE));
    assert!(file.is_empty());

    texture.write(&mut file, ContainerFormat::Ktx2, &options.with(|o| o.zstd = None), &Task::new()).unwrap();
    let options = TextureReadOptions::default();
    assert_eq!(Texture::read(Cursor::new(&file), &options, &Task::new()).unwrap(), texture);
    // The field `supercompressionScheme`.
    file[44] = 2;
    let error = Texture::read(Cursor::new(&file), &options, &Task::new()).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Unsupported, MESSAGE));
    // The header is readable, also if blocks cannot be counted.
    assert!(container::info(Cursor::new(&file), &options, &Task::new()).unwrap().supercompression.is_some());
    let format = BlockFormat::Astc(AstcFootprint::B4x4);
    let texture = Texture::new(TextureDesc::new_2d(format, 8, 8), vec![0; 64]).unwrap();
    let mut file = Vec::new();
    let write = TextureWriteOptions::default();
    texture.write(&mut file, ContainerFormat::Ktx2, &write, &Task::new()).unwrap();
    file[44] = 2;
    let info = container::info(Cursor::new(&file), &options, &Task::new()).unwrap();
    assert_eq!((info.desc, info.notes), (*texture.desc(), Vec::new()));
}
